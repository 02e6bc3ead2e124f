"""Every command of the floor as a command of the shell, made from its declaration."""

import re
from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from houseway.cli.text import FloorFormat, Format
from houseway.refusal import Refused

if TYPE_CHECKING:
    from houseway.table.commands import Declaration
    from houseway.table.fields import Field

Run = Callable[[dict[str, Any], str, str, str | None, FloorFormat], None]
StoreUrl = Annotated[str | None, typer.Option("--store", metavar="URL", help="the store (default: HOUSEWAY_STORE, or a file)")]
Who = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who gives the command, and in which role")]
Key = Annotated[str, typer.Option("--key", help="idempotency key: the same key has one effect")]
Output = Annotated[Format, typer.Option("--format", help="how to print the result")]
FloorOutput = Annotated[FloorFormat, typer.Option("--format", help="how to print the result")]
NAMES = {"supervisor": "floor", "cashier": "cage", "administrator": "office"}
"""Who gives a command in a shell, if nobody is named."""
BETS = "written_bets"
"""A wager with its amount is written `banker=100`, and several at once: `banker=100,tie=5`."""


class DeclaredGroup(TyperGroup):
    """A group with every command that is declared for it; they are read when it is asked, for `--help` alone needs none."""

    def _declared(self) -> None:
        from houseway.cli.live import run
        from houseway.table.commands import live_commands

        app = typer.Typer(rich_markup_mode=None)
        for declaration in live_commands().values():
            group, word = declaration.shell.split()
            if group == self.name and word not in self.commands:
                help_ = f"{declaration.about}. May be given by: {', '.join(declaration.roles)}."
                app.command(word, help=help_)(_command(declaration, run))
        if app.registered_commands:
            app.callback()(lambda: None)  # a group, even of one command
            group_ = typer.main.get_group(app)
            self.commands = {**group_.commands, **self.commands}

    def list_commands(self, ctx: Any) -> list[str]:
        """Their names."""
        self._declared()
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One of them."""
        self._declared()
        return super().get_command(ctx, cmd_name)


def _written(declaration: "Declaration") -> dict[str, "Field"]:
    """The fields in the order in which a shell takes them: arguments first; of a table's money the amount, before the table."""
    fields = list(declaration.fields.values())
    first = "cents" if _is_of_cage(declaration) else "table"
    fields.sort(key=lambda field: (not field.argument, field.name != first))
    return {field.name: field for field in fields}


def _command(declaration: "Declaration", run: Run) -> Callable[..., None]:
    """What a shell calls: the command's own fields, then who gives it, the key, the store and the format."""
    fields = _written(declaration)
    parameters: dict[str, tuple[Any, Any]] = {}
    for name, field in fields.items():
        if {"wager", "cents"} <= fields.keys() and name in {"wager", "cents"}:
            parameters[BETS] = Annotated[str, typer.Argument(metavar="WAGER=DOLLARS,...", help="what is bet")], Parameter.empty
        else:
            parameters[name] = _parameter(declaration, field)
    usual = next(role for role in declaration.roles if role != "guest" or len(declaration.roles) == 1)
    parameters |= {"who": (Who, f"{NAMES.get(usual, usual)}:{usual}"), "key": (Key, "")}
    parameters |= {"store": (StoreUrl, None), "format_": (FloorOutput, FloorFormat.TABLE)}

    def command(who: str, key: str, store: str | None, format_: FloorFormat, **given: Any) -> None:
        bets = _bets(given.pop(BETS, "")) if {"wager", "cents"} <= fields.keys() else []
        written = {name: value for name, value in given.items() if value not in (None, [], "")}
        own = {name: READERS.get(fields[name].kind.form, _as_it_is)(value, fields[name]) for name, value in written.items()}
        asked = {"kind": declaration.kind} | own | ({"wager": bets[0][0], "cents": bets[0][1]} if bets else {})
        if len(bets) > 1:
            asked = {"kind": declaration.several, "bets": [list(bet) for bet in bets]} | own
        try:
            run(asked, who, key, store, format_)
        except Refused as refused:
            raise Refused(refused.code, _with_names_of_shell(declaration, refused.message)) from None

    keyword = Parameter.KEYWORD_ONLY
    listed = [Parameter(name, keyword, default=default, annotation=kind) for name, (kind, default) in parameters.items()]
    command.__signature__ = Signature(listed)  # type: ignore[attr-defined]
    command.__annotations__ = {name: kind for name, (kind, _) in parameters.items()}
    return command


def _parameter(declaration: "Declaration", field: "Field") -> tuple[Any, Any]:
    """How a field is written: its type, as an argument or an option, and what is taken if it is left out."""
    needed = field in (*declaration.needs, *declaration.asked) and not field.default
    listed = {"settings", "limits", "seat-bets", "seat-choices", "seat-names"}
    plain: Any = list[str] if field.kind.form in listed else {"number": int, "yes-no": bool}.get(field.kind.form, str)
    amount = field.kind.form == "dollars"
    metavar = field.metavar or ("DOLLARS" if amount else None)
    if _is_argument(declaration, field):
        return Annotated[plain, typer.Argument(metavar=metavar or field.name.upper(), help=field.about)], Parameter.empty
    option = typer.Option(_flag(field), metavar=metavar, help=field.about)
    return (Annotated[plain, option], Parameter.empty) if needed else (Annotated[plain | None, option], field.default or None)


def _is_argument(declaration: "Declaration", field: "Field") -> bool:
    """Whether a field is written without the name of an option before it."""
    is_table_of_cage = field.name == "table" and "cents" in declaration.fields and _is_of_cage(declaration)
    return field.argument and field in declaration.needs and not field.default and not is_table_of_cage


def _flag(field: "Field") -> str:
    return field.flag or "--" + field.name.removesuffix("_cents").replace("_", "-")


def _with_names_of_shell(declaration: "Declaration", message: str) -> str:
    """A refusal of a field as the shell writes that: `--cut: 5 is not ...` for `cut_percent: 5 is not ...`."""
    for name, field in declaration.fields.items():
        if message.startswith((f"{name}: ", f"{name} is missing: ")):
            return (name.upper() if _is_argument(declaration, field) else _flag(field)) + message.removeprefix(name)
        if not _is_argument(declaration, field):  # "(again 1)" is written (--again 1) here, and "(guests)" (--guests)
            message = re.sub(rf"\({name}(?=[ )])", f"({_flag(field)}", message)
    return message


def _is_of_cage(declaration: "Declaration") -> bool:
    return declaration.shell.startswith("cage")


def _bets(text: str, field: "Field | None" = None) -> list[tuple[str, int]]:
    """`banker=100,tie=5`, in the order they were written."""
    from houseway.rulebook.settle import parse_bets

    return list(parse_bets(text).items())


def _bets_or_none(text: str, field: "Field") -> list[tuple[str, int]]:
    """The bets of a seat; nothing where it bet nothing."""
    return _bets(text) if text else []


def _by_seat(read: Callable[[str, "Field"], Any]) -> Callable[[list[str], "Field"], dict[str, Any]]:
    """`3:banker=100`, each: what follows a seat's number is read as it is for one seat."""

    def of_seats(items: list[str], field: "Field") -> dict[str, Any]:
        seats: dict[str, Any] = {}
        for item in items:
            seat, colon, rest = item.partition(":")
            if not colon or not seat.strip().isdigit():
                raise Refused("bad-seat", f"{item}: begin with the seat and a colon, such as 3:")
            seats[str(int(seat))] = read(rest.strip(), field)
        return seats

    return of_seats


def _as_it_is(value: Any, field: "Field") -> Any:
    return value


def _cents(text: str, field: "Field") -> int:
    """Dollars as cents; nothing is an amount where the field allows it."""
    from pydantic import TypeAdapter

    from houseway.money import parse_cents

    name = "amount" if field.name == "cents" else field.name.removesuffix("_cents") if field.argument else _flag(field)
    least = TypeAdapter(field.kind.type).json_schema().get("minimum", 1)
    return parse_cents(text, name, "an amount", least)


def _settings(items: list[str], field: "Field") -> dict[str, str]:
    """`decks=6`, each; of a file of one's own, such as a House Way, the content is given, for a table is bound to that."""
    pairs = (item.partition("=") for item in items)
    return {setting: _content(value) if value.endswith(".toml") else value for setting, _, value in pairs}


def _content(file: str) -> str:
    from houseway.rulebook.document import read_toml
    from houseway.table.bound import as_text

    return as_text(read_toml(Path(file)))


def _limits(items: list[str], field: "Field") -> dict[str, list[int]]:
    """`banker=5-100`, each."""
    from houseway.money import parse_cents

    limits = {}
    for item in items:
        wager, _, bounds = item.partition("=")
        least, _, most = bounds.partition("-")
        limits[wager] = [
            parse_cents(text, f"{wager}, the {end}", "an amount") for text, end in ((least, "least"), (most, "most"))
        ]
    return limits


def _amounts(text: str, field: "Field") -> dict[str, int]:
    """`banker=100,tie=5`."""
    from houseway.rulebook.settle import parse_bets

    return parse_bets(text)


def _pieces(text: str, field: "Field") -> dict[str, int]:
    """`25x4,5x20`: the value of a chip or note in dollars, and how many; coins are `0.01x325`."""
    from houseway.money import parse_cents

    pieces: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        value, times, count = part.partition("x")
        if not times or not count.strip().isascii() or not count.strip().isdigit():
            raise Refused("bad-pieces", f'"{part[:20]}" is not a value and a count, such as 25x4')
        cents = str(parse_cents(value, part, "a value"))
        pieces[cents] = pieces.get(cents, 0) + int(count)
    return pieces


def _names(text: str, field: "Field") -> list[str]:
    """Wagers by name, with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


READERS: dict[str, Callable[[Any, "Field"], Any]] = {
    "dollars": _cents,
    "settings": _settings,
    "limits": _limits,
    "bets": _amounts,
    "names": _names,
    "pieces": _pieces,
    "bet-list": _bets,
    "seat-bets": _by_seat(_bets_or_none),
    "seat-choices": _by_seat(_names),
    "seat-names": _by_seat(_as_it_is),
}
"""How what is written in a shell becomes what a field holds, by the form of the field."""
