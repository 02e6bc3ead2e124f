"""The rules digest: of exactly the definitions that an edition's play, pays, settlement, limits and order of payment
reach, and of the edition's data. What another edition of the same game uses does not count."""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from houseway.approval.closure import Closure, Definition, Root, Walk
from houseway.approval.sources import Module, Sources, sha
from houseway.rulebook.clause import read_clauses
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Game, Outcome, Switch, Wager
from houseway.solve.kept import kept

PACKAGE = Path(__file__).resolve().parent.parent
SHARED = (
    Root("houseway.rulebook.edition", "load_edition"),
    Root("houseway.rulebook.settle", "settle"),
    Root("houseway.rulebook.settle", "check_bets"),
    Root("houseway.rulebook.settle", "pay_result"),
    Root("houseway.rulebook.settle", "round_win"),
    Root("houseway.rulebook.game", "Game.encode"),
    Root("houseway.table.engine", "handle"),
    Root("houseway.table.engine", "Effect.finished"),
    Root("houseway.table.play", "settlement_order"),
)
"""Shared code by which every edition is read, played and paid."""
PLAYED: tuple[str, ...] = (
    "open",
    "bet",
    "bets",
    "withdraw",
    "no-more-bets",
    "deal",
    "card",
    "result",
    "correct-card",
    "swap-cards",
    "rekey",
    "replace-card",
    "undo",
    "change-bet",
    "new-shoe",
    "decide",
    "time-out",
)
PLAYED += ("settle", "void", "reverse", "correct", "check-cards")
LOOKS = ("houseway.board", "houseway.rulebook.face", "houseway.rulebook.words")
"""Scoreboards, felts and sentences: they show what was played and decide nothing of it."""
DUTIES = "houseway.table.duties"
PERSONS = {"begun", "check", "check_first", "table_after", "house_after"}
"""Where the engine asks who must confirm a command, and keeps who had a hand in a round: never what it pays."""
BANKED = ("sit", "leave", "bank", "pass", "offer")
"""The commands by which a round is played and paid, and those of a table that its players bank."""
NOT_RULES = {"id", "name", "about", "package", "count", "cards", "removals", "strategy", "simulated", "suits_matter"}
NOT_RULES |= {"rides", "advise", "switches", "wagers"}
"""Fields of a game and its wagers that are words, odds, looks, or taken apart below; of nothing else."""
APART = {"face.toml", "clauses.toml", "solve/shell.toml"}
APART_FOLDERS = {"editions", "published", "pins"}
"""Files of a game that are looks, or odds, or counted elsewhere: clauses by their families, editions each for itself."""


@dataclass(frozen=True)
class Rules:
    """What an edition plays by: the digest of every definition and the data as plain values, so that changes are named."""

    definitions: Mapping[str, str]
    data: Mapping[str, Any]

    @cached_property
    def digest(self) -> str:
        """One digest of everything."""
        return sha(json.dumps([dict(self.definitions), dict(self.data)], sort_keys=True, separators=(",", ":")))

    def differences(self, then: "Rules") -> tuple[str, ...]:
        """What is not as it was then, each named; data with the values then and now."""
        keys = sorted(then.data.keys() | self.data.keys())
        differing = [key for key in keys if then.data.get(key, "absent") != self.data.get(key, "absent")]
        changed = [
            f"{key}: {_show(then.data.get(key, 'absent'))} as approved, {_show(self.data.get(key, 'absent'))} now"
            for key in differing
            if not _is_echo(key, differing)
        ]
        for key in sorted(then.definitions.keys() | self.definitions.keys()):
            if then.definitions.get(key) != self.definitions.get(key):
                file, name = key.split(": ", 1)
                how = (
                    ""
                    if key in then.definitions and key in self.definitions
                    else " is new"
                    if key in self.definitions
                    else " is gone"
                )
                changed.append(f"rule {name} ({file}){how}")
        return tuple(changed)


def _is_echo(key: str, differing: list[str]) -> bool:
    """Whether a setting's values and their order are told by a change of the edition's own settings or readings already."""
    if key.startswith("order of "):
        setting = key.removeprefix("order of ")
    elif key.startswith("game.switches.") and ".values." in key:
        setting = key.removeprefix("game.switches.").split(".values.")[0]
    else:
        return False
    return any(other == f"settings.{setting}" or other.startswith(f"readings.{setting}.values") for other in differing)


def _show(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def flat(value: Any, key: str = "") -> dict[str, Any]:
    """Nested tables as one, by dotted keys."""
    if isinstance(value, Mapping) and value:
        return {k: v for name, inner in value.items() for k, v in flat(inner, f"{key}.{name}" if key else str(name)).items()}
    return {key: value}


class Described:
    """A game's values as plain data; functions among them are roots to walk from."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.roots: list[Root] = []
        self.code: set[str] = set()
        """What names a function, or an object that acts: it and all below is code."""
        self._inside: set[int] = set()

    def add(self, key: str, value: Any) -> None:
        """Take a value in, whatever it is made of."""
        value = _plain(value)
        if isinstance(value, str | int | float | None):
            self.data[key] = value
        elif isinstance(value, Mapping):
            for name, inner in value.items():
                self.add(f"{key}.{name}", inner)
        elif isinstance(value, tuple | list) and all(isinstance(item, str | int | float) for item in value):
            self.data[key] = list(value)
        elif isinstance(value, tuple | list | set | frozenset):
            for place, inner in enumerate(sorted(value, key=repr) if isinstance(value, set | frozenset) else value):
                self.add(f"{key}.{getattr(inner, 'id', place)}", inner)
        elif is_dataclass(value) and not isinstance(value, type) and not callable(value):
            left_out = NOT_RULES if isinstance(value, Game | Wager | Switch | Outcome) else ()
            for part in fields(value):
                if part.name not in left_out:
                    self.add(f"{key}.{part.name}", getattr(value, part.name))
        else:
            self._add_code(key, value)

    def _add_code(self, key: str, value: Any) -> None:
        """Take a function in, or an object that acts, with all that it holds; one that holds itself is taken once."""
        self.code.add(key)
        value = _as_written(value)
        if id(value) in self._inside:
            self.data[key] = "itself"
            return
        self._inside.add(id(value))
        if isinstance(value, partial) and type(value) is partial:
            for name, inner in {"function": value.func, "arguments": value.args, **value.keywords}.items():
                self.add(f"{key}.{name}", inner)
        elif isinstance(value, MethodType):
            self._add_code(key, value.__func__)
            self._add_code(f"{key}.of", value.__self__)
        elif isinstance(value, FunctionType):
            self._add_function(key, value)
        elif isinstance(value, type):
            self._root(key, Root(value.__module__, value.__qualname__.split(".")[0]))
        elif isinstance(value, ModuleType):
            self._root(key, Root(value.__name__, ""))
        else:
            self._add_code(key, type(value))
            for name, inner in _held(value).items():
                self.add(f"{key}.{name}", inner)
        self._inside.discard(id(value))

    def _add_function(self, key: str, function: FunctionType) -> None:
        """By its code, for a wrapper bears the name of what it wraps."""
        module, name = str(function.__globals__.get("__name__", "")), function.__code__.co_qualname
        if name.endswith("<lambda>"):
            number = _lambda_number(function.__code__, module)
            self._root(key, Root(module, f"lambda for {key.removeprefix('game.')}", number))
        else:
            self._root(key, Root(module, name.split(".<locals>")[0]))
        for held, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.add(f"{key}.{held}", cell.cell_contents)
        for held, inner in vars(function).items():
            self.add(f"{key}.{held}", inner)

    def _root(self, key: str, root: Root) -> None:
        """A root to walk from; none of Python's own."""
        self.data[key] = f"{root.module}.{root.name}" if root.lambda_number < 0 else root.name
        self.roots.append(root)


def _as_written(value: Any) -> Any:
    """The Python function behind one that is compiled, by numba or by our wrapper of it: nothing else is what it says it is."""
    ours = getattr(sys.modules.get("houseway.kernels.compiled"), "Compiled", None)
    numbas = getattr(sys.modules.get("numba.core.registry"), "CPUDispatcher", None)
    return value.py_func if type(value) in {ours, numbas} else value


def _held(value: Any) -> dict[str, Any]:
    """All that an object holds: its attributes, private ones too, and its slots; not what it only remembers."""
    kinds = type(value).__mro__
    remembered = {name for kind in kinds for name, inner in vars(kind).items() if isinstance(inner, cached_property)}
    slots = (name for kind in kinds for name in _names(getattr(kind, "__slots__", ())))
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})
    if isinstance(value, partial):
        held |= {"function": value.func, "arguments": value.args, "keywords": value.keywords}
    return {name: inner for name, inner in held.items() if name not in {*remembered, "__dict__", "__weakref__"}}


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _plain(value: Any) -> Any:
    """A value that stands for another, as that: an array, a fraction, a path, a member of an enumeration."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Fraction | Path):
        return str(value) if isinstance(value, Fraction) else value.name
    return value.value if isinstance(value, Enum) else value


@lru_cache(maxsize=4)
def _module(name: str, file: str, text: str) -> Module:
    """A file that several lambdas in turn are looked for in, read once."""
    return Module(name, Path(file), file, text)


@lru_cache(maxsize=1024)
def _lambda_number(code: CodeType, module: str) -> int:
    """Which of its module's lambdas a function is; far beyond the last if the file is another one by now."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return sys.maxsize
    lambdas = _module(module, file, Path(file).read_text(encoding="utf-8")).lambdas
    where = {(line, column) for line, _, column, _ in code.co_positions() if line is not None}
    for number, node in enumerate(lambdas):
        if node.lineno == code.co_firstlineno and any(
            (inner.lineno, inner.col_offset) in where for inner in ast.walk(node.body) if isinstance(inner, ast.expr)
        ):
            return number
    return sys.maxsize


def sources_for(edition: Edition, sources: Sources | None = None) -> Sources:
    """The sources of Houseway, and of the edition's game where that is outside."""
    known, game = sources or SOURCES, edition.game
    inside = any(game.folder.is_relative_to(folder) for folder in known.packages.values())
    return known if inside else known.with_package(game.package, game.folder)


SOURCES = Sources({"houseway": PACKAGE})


def _commands() -> Mapping[str, Any]:
    """Every command of a table, imported when it is asked for: an edition whose walk is kept needs no table."""
    from houseway.table import COMMANDS

    return COMMANDS


def _laws(edition: Edition) -> Callable[[str, str], bool]:
    """What does not count for an edition: the laws of another place, the bank where there is none, and registries.

    Those are values that name everything of their kind, such as a game: what counts of them is taken value by value.
    """
    banked = edition.banked_by == "player"
    without = set() if banked else {"houseway.table.bank", "houseway.table.california"}
    without |= set() if edition.approval.jurisdiction == "Washington" else {"houseway.table.washington"}
    registries = (edition.game, edition.game.switches, _commands())

    def is_left_out(module: str, name: str) -> bool:
        value = getattr(sys.modules.get(module), name, None)
        is_of_persons = module == DUTIES and name in PERSONS
        is_of_looks = module in without or module.startswith(LOOKS)
        return is_of_persons or is_of_looks or any(value is registry for registry in registries)

    return is_left_out


def describe_game(edition: Edition) -> Described:
    """What of a game an edition uses: its dealing, the wagers it offers, and its switches with the values it allows."""
    game, told = edition.game, Described()
    for part in fields(game):
        if part.name not in NOT_RULES:
            told.add(f"game.{part.name}", getattr(game, part.name))
    for name in edition.wagers:
        told.add(f"game.wagers.{name}", game.wagers[name])
    return told


def _add_switches(edition: Edition, closure: Closure, data: dict[str, Any]) -> None:
    """Switches that the edition's document or a definition names: their place among a rule's settings, and their numbers."""
    named = set(flat(edition.document.get("settings", {}))) | set(edition.readings)
    named |= {text for texts in closure.texts.values() for text in texts}
    for place, (name, switch) in enumerate(edition.game.switches.items()):
        if name in named:
            data[f"game.switches.{name}.place"] = place
            for value in edition.approved[name]:
                data[f"game.switches.{name}.values.{value}"] = switch.encode(value)


def _data_files(edition: Edition, closure: Closure, sources: Sources) -> Iterator[Path]:
    """Files beside the modules that a definition names: of a folder of them, those that the edition's settings name."""
    chosen = {str(value) for values in edition.approved.values() for value in values}
    for name, texts in closure.texts.items():
        place = sources.file_of(name)
        if place is None or not place[0].is_relative_to(edition.game.folder):
            continue
        for text in sorted(texts):
            if not text or len(text) > 80 or text.startswith((".", "/")) or "\n" in text:
                continue
            path = place[0].parent / text
            if path.is_file() and path.suffix != ".py":
                yield path
            elif path.is_dir() and not (path / "__init__.py").exists():
                files = [file for file in sorted(path.iterdir()) if file.is_file()]
                yield from [file for file in files if file.stem in chosen] or files


def _other_files(edition: Edition, named: set[Path]) -> Iterator[Path]:
    """Every other file of the game's folder that its code may read, but for those of values that other editions approve."""
    folder = edition.game.folder
    approved = {str(value) for values in edition.approved.values() for value in values}
    others = {str(value) for switch in edition.game.switches.values() for value in switch.values} - approved
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder)
        is_left_behind = file.name.startswith(".") or file.name.endswith("~") or "__pycache__" in inner.parts
        is_apart = inner.as_posix() in APART or inner.parts[0] in APART_FOLDERS or file in named or file.suffix == ".py"
        is_anothers = len(inner.parts) > 1 and file.stem in others
        if file.is_file() and not is_left_behind and not is_apart and not is_anothers:
            yield file


def _read_data(file: Path, sources: Sources) -> Any:
    text = sources.read(file)
    try:
        return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text) if file.suffix == ".json" else sha(text)
    except ValueError:
        return sha(text)


def walk(edition: Edition, sources: Sources | None = None) -> tuple[Closure, Described]:
    """Everything an edition reaches, and what it was reached from."""
    described = describe_game(edition)
    return _reached(edition, sources_for(edition, sources), described), described


def _reached(edition: Edition, known: Sources, described: Described) -> Closure:
    handlers = Described()
    for kind in (*PLAYED, *(BANKED if edition.banked_by == "player" else ())):
        handlers.add(kind, _commands()[kind].handler)
    walk = Walk(known, _laws(edition), edition.game.package)
    return walk.run([*SHARED, *handlers.roots, *described.roots])


def _kept_closure(edition: Edition, described: Described) -> Closure:
    """What an edition reaches, as an earlier run found it in the very same sources, or as it is found now and kept.

    Its name is a digest of all that the walk depends on: where it begins, what it leaves out, and every byte of Python that
    it may read. The bytes that were digested are those that are walked.
    """
    packages = sources_for(edition).packages
    contents = {file: file.read_bytes() for folder in packages.values() for file in sorted(folder.rglob("*.py"))}
    laws = edition.game.id, edition.banked_by, edition.approval.jurisdiction
    begins = [laws, described.data, list(map(str, described.roots))]
    depends_on = [sys.version, begins, [(str(file), sha(content)) for file, content in contents.items()]]

    def compute() -> dict[str, Any]:
        texts = {file: content.decode() for file, content in contents.items()}
        found = _reached(edition, Sources(packages, texts), described)
        definitions = [[*key, part.file, part.digest] for key, part in found.definitions.items()]
        return {"definitions": definitions, "texts": {name: sorted(texts) for name, texts in found.texts.items()}}

    told = kept(f"closure-{sha(json.dumps(depends_on, default=str))[:32]}", compute)
    return _as_closure(told) or _as_closure(compute()) or Closure()


def _as_closure(told: Any) -> Closure | None:
    """What was kept, as a closure; none if that is anything else, such as a file that somebody has spoiled."""
    try:
        definitions = {(module, name): Definition(file, name, digest) for module, name, file, digest in told["definitions"]}
        texts = {name: set(texts) for name, texts in told["texts"].items()}
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    words = (*(part for key, found in definitions.items() for part in (*key, found.file, found.digest)), *texts)
    is_whole = bool(definitions) and all(isinstance(word, str) for word in words)
    return Closure(definitions, texts) if is_whole else None


def _played_by(edition: Edition) -> dict[str, Any]:
    """An edition's data without what only explains a reading's figures: a better explanation is no other rule."""
    explains = re.compile(r"readings\.\w+\.effect")
    return {key: value for key, value in flat(edition.document).items() if not explains.fullmatch(key)}


def _orders(edition: Edition) -> dict[str, Any]:
    """What an edition says by its order alone: the main wager is the first, and the first value of a setting is the default."""
    defaults = {f"order of {name}": list(values) for name, values in edition.approved.items() if len(values) > 1}
    return {"order of wagers": list(edition.wagers), **defaults}


def rules_of(edition: Edition, sources: Sources | None = None, may_be_kept: bool = False) -> Rules:
    """The rules of an edition, as they are now: walked anew, unless what an earlier run found in the same bytes will do."""
    known, described = sources_for(edition, sources), describe_game(edition)
    closure = _kept_closure(edition, described) if may_be_kept else _reached(edition, known, described)
    data = {**_played_by(edition), **_orders(edition), **described.data}
    _add_switches(edition, closure, data)
    for id_, clause in read_clauses(edition.game.folder).items():
        if id_.split("-")[0] in edition.families:
            data[f"clauses.{id_}"] = f"{clause.kind}: {clause.text}"
    named = list(dict.fromkeys(_data_files(edition, closure, known)))
    for file in named:
        data |= flat(_read_data(file, known), known.shown(file))
    for file in _other_files(edition, set(named)):
        data[f"file {known.shown(file)}"] = sha(known.texts[file] if file in known.texts else file.read_bytes())
    return Rules({f"{part.file}: {part.name}": part.digest for part in closure.definitions.values()}, data)


def covered(edition: Edition) -> list[Definition]:
    """The definitions of an edition's rules, by file and name."""
    return sorted(walk(edition)[0].definitions.values(), key=lambda part: (part.file, part.name))
