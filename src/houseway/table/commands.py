"""What a command is: declared once, next to its handler, with its fields, the roles that may give it and one sentence.

The check, the route and its description, the shell's command, the form in the journal and what pages may offer all come
from that declaration.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.table.fields import MOST_NUMBER, Field
from houseway.table.roles import ROLES, may_not

if TYPE_CHECKING:
    from houseway.table.engine import Effect
    from houseway.table.state import House
    from houseway.table.unfold import Draw

Command = Mapping[str, Any]
Handler = Callable[["House", Command, "Draw"], "Effect"]
AtStake = Callable[["House", Command], int]
CONTEXT = frozenset({"kind", "day", "at", "actor", "role", "form", "bound", "settled", "second", "begins", "patron"})
"""What is in a command without being one of its fields: its kind, and what the floor adds."""
SHOWN_MOST = 40
"""Characters of a wrong value that a refusal shows."""


@dataclass(frozen=True)
class Declaration:
    """A command: who may give it (the first usually does), what it does in a sentence, and the fields it needs or may have.

    `path` is its route, `shell` its words in a shell. Some are recorded even when they are refused. One that is `retired`
    is read in old journals and cannot be given any more: it says which one can. `several` is the command that does it more
    than once, all or nothing. `at_stake` is how many cents it is about, which may make it need a second person. Of the fields
    that it may have, those `asked` are only missing in old journals.
    """

    kind: str
    roles: tuple[str, ...]
    about: str
    needs: tuple[Field, ...]
    may: tuple[Field, ...]
    path: str
    shell: str
    recorded_when_refused: bool
    retired: str
    several: str
    at_stake: AtStake
    handler: Handler
    asked: tuple[Field, ...] = ()

    @cached_property
    def fields(self) -> dict[str, Field]:
        """All fields by name, those that are needed first."""
        return {field.name: field for field in (*self.needs, *self.may)}

    @property
    def in_path(self) -> str:
        """The field that stands in the route's path, if one does."""
        name = re.search(r"{(\w+)}", self.path)
        return name[1] if name else ""

    @property
    def title(self) -> str:
        """The name of its model."""
        return "".join(part.capitalize() for part in self.kind.split("-")) + "Command"

    @cached_property
    def form(self) -> TypeAdapter[Any]:
        """The form in which it is given and journaled, as Pydantic checks it: nothing else is in it, nothing is converted."""
        fields: dict[str, Any] = {"kind": Literal[self.kind]}
        fields |= {field.name: field.kind.type for field in self.needs}
        fields |= {field.name: NotRequired[field.kind.type] for field in self.may}
        typed_dict: Any = TypedDict  # checked twice as fast as a model, which an audit feels
        form = typed_dict(self.title, fields)
        form.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
        return TypeAdapter(form)

    @cached_property
    def _validate(self) -> Callable[[Command], object]:
        return self.form.validator.validate_python

    def check(self, command: Command) -> None:
        """Refuse a command with a field missing, unknown, or of the wrong kind."""
        try:
            self._validate(dict(command))
        except ValidationError as error:
            raise self._refusal(error) from None

    def _refusal(self, error: ValidationError) -> Refused:
        problems = error.errors(include_url=False, include_context=False)
        problem = next((each for each in problems if each["type"] == "missing"), problems[0])
        name, value = str(problem["loc"][0]), problem["input"]
        field = self.fields.get(name)
        if field is None:
            has = ", ".join(self.fields)
            return Refused("bad-command", f"{self.kind} has no field {name[:40]!r} (it has: {has})")
        if problem["type"] == "missing" and len(problem["loc"]) == 1:
            return Refused(field.missing_code, f"{name} is missing: {field.about} ({field.kind.wanted})")
        return Refused(field.refusal_code, f"{name}: {_written(value, field.kind.form)} is not {field.kind.wanted}")


def _written(value: object, form: str) -> str:
    """A value of a wrong kind as it was sent, as far as it can be shown: an amount, a text, or JSON."""
    if form == "dollars" and isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_NUMBER:
        return dollars(value)
    return repr(value[:SHOWN_MOST]) if isinstance(value, str) else json.dumps(value, default=str)[:SHOWN_MOST]


COMMANDS: dict[str, Declaration] = {}
"""Every command of the house; each module of handlers declares its own."""


def command(
    kind: str,
    roles: tuple[str, ...],
    about: str,
    *needs: Field,
    may: tuple[Field, ...] = (),
    path: str = "",
    shell: str = "",
    recorded_when_refused: bool = False,
    retired: str = "",
    several: str = "",
    asked: tuple[Field, ...] = (),
    at_stake: AtStake = lambda house, command: int(command.get("cents", 0)),
) -> Callable[[Handler], Handler]:
    """Declare a command; what is decorated carries it out."""
    assert kind not in COMMANDS, f"{kind} is declared twice"
    assert about and roles and set(roles) <= set(ROLES), f"{kind} needs a sentence, and roles of {ROLES}"
    place, group = _place(kind, needs)

    def declare(handler: Handler) -> Handler:
        words = path or place, shell or group, recorded_when_refused, retired, several
        COMMANDS[kind] = Declaration(kind, roles, about, needs, may, *words, at_stake, handler, asked)
        return handler

    return declare


def _place(kind: str, needs: tuple[Field, ...]) -> tuple[str, str]:
    """The route and the words of a command that names no others: at its table, at its board, or in the cage."""
    names = [field.name for field in needs]
    if "board" in names:
        word = kind.removeprefix("board-")
        return f"/boards/{{board}}/{word}", f"board {word}"
    return (f"/tables/{{table}}/{kind}", f"table {kind}") if "table" in names else (f"/cage/{kind}", f"cage {kind}")


def declared(command: Command, role: str) -> Declaration:
    """The declaration of a command that this role may give; refused if there is none, or the role may not."""
    kind = command.get("kind")
    if not isinstance(kind, str) or kind not in COMMANDS:
        kind = one_of("command", str(kind), COMMANDS)
    declaration = COMMANDS[kind]
    if role not in declaration.roles:
        raise may_not(role, kind, declaration.roles)
    return declaration


def live_commands() -> dict[str, Declaration]:
    """The commands that can be given today."""
    return {kind: declaration for kind, declaration in COMMANDS.items() if not declaration.retired}


def may_give(role: str) -> list[str]:
    """The commands that a role may give: what a page may offer."""
    return [kind for kind, declaration in live_commands().items() if role in declaration.roles]


def is_recorded_when_refused(command: Command) -> bool:
    """Whether somebody should know of an attempt at this."""
    kind = command.get("kind")
    return isinstance(kind, str) and kind in COMMANDS and COMMANDS[kind].recorded_when_refused


def whole(command: Command, name: str) -> int:
    """A whole number; -1, which is never possible, for anything else."""
    value = command.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else -1
