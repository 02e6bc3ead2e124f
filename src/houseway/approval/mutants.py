"""Mutants: the rules changed in small ways, one at a time, to see whether the behaviour digest would notice.

    python -m houseway.approval.mutants [EDITION ...] [--shared] [--in=PATH] [--every=N] [--tests]

Constants are raised by one, comparisons turned, sums made differences, `and` made `or`. Each mutant plays the rounds and
sessions of the corpora until something differs; exact tallies, which would notice still more, are left out, for here no
rule is compiled. `--shared` takes the code that every edition is paid by instead of each game's own, on a part of the
rounds; `--in` only files whose path begins so, `--every` each so-manieth mutant only. With `--tests`, what the rounds do
not notice is given to the tests, in a copy of the package.
"""

import ast
import copy
import importlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any

from houseway.approval.corpus import Corpus, CorpusRound, corpus_file, prepare
from houseway.approval.live import ONE_PERSON, LiveSession, carry_out
from houseway.approval.mutants_tests import Tests, no_change
from houseway.approval.rules import SOURCES, walk
from houseway.approval.sources import ClassPart, Part
from houseway.games import edition_files, open_edition
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settle import settle

SHARED = ("rulebook/pay.py", "rulebook/settle.py", "rulebook/edition.py", "table/")
"""Files that every edition is paid by."""
PART_ROUNDS, PART_SESSIONS, FEW_SESSIONS = 1_000, 20, 5
"""How much of a corpus is played for shared code: all editions have their part in it. A game's own rules need few sessions."""
OPENING = -1
"""The place of opening an edition and making its settings, before all rounds."""
TIMES_AS_LONG = 5
"""A mutant that plays so many times as long as the rules do plays for ever."""
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A definition with one small change: where it is, what was changed into what, and the syntax as changed."""

    module: str
    file: str
    name: str
    line: int
    change: str
    node: ast.stmt

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}: {self.change}"


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a definition that may be changed: not what it says when it refuses, nor its types and decorators."""
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.arguments):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in {"decorator_list", "annotation", "returns"}:
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _places(inner)


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """The changes of a place, each in words and as what does it to a copy."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        value = node.value
        other: Any = (not value) if isinstance(value, bool) else value + 1
        yield f"{value} -> {other}", lambda place: setattr(place, "value", other)
    elif isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            turned = COMPARISONS[type(operator)]

            def turn(place: ast.Compare, number: int = number, turned: type[ast.cmpop] = turned) -> None:
                place.ops[number] = turned()

            yield f"{type(operator).__name__} -> {turned.__name__}", turn
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        changed = ARITHMETIC[type(node.op)]
        yield f"{type(node.op).__name__} -> {changed.__name__}", lambda place: setattr(place, "op", changed())
    elif isinstance(node, ast.BoolOp):
        joined = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"{type(node.op).__name__} -> {joined.__name__}", lambda place: setattr(place, "op", joined())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield f"{type(node.op).__name__} left out", lambda place: setattr(place, "op", ast.UAdd())


def mutants_of(module: str, part: Part) -> Iterator[Mutant]:
    """Every mutant of a definition; functions, methods and constants have some."""
    source = SOURCES.module(module)
    assert source is not None
    for whole in part.nodes:
        if not isinstance(whole, ast.FunctionDef | ast.Assign):
            continue
        for number, place in enumerate(_places(whole)):
            for words, change in _changes(place):
                changed = copy.deepcopy(whole)
                change(list(_places(changed))[number])
                _make_truth(changed)
                yield Mutant(module, source.shown, part.name, getattr(place, "lineno", 0), words, changed)


def _make_truth(node: ast.AST) -> None:
    """`+x`, which stands for `not x` left out, is `bool(x)`."""
    for inner in ast.walk(node):
        for field, value in ast.iter_fields(inner):
            if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.UAdd):
                setattr(inner, field, value.operand)


# Carrying a mutant


class Carried:
    """A mutant in force: the function's code, or the constant wherever it was imported, is another one meanwhile."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.undo: list[Callable[[], None]] = []

    def __enter__(self) -> bool:
        """Put it in force; whether that could be done."""
        module = sys.modules.get(self.mutant.module) or importlib.import_module(self.mutant.module)
        namespace = dict(vars(module))
        node = copy.deepcopy(self.mutant.node)
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
        try:
            exec(compile(ast.fix_missing_locations(ast.Module([node], [])), "<mutant>", "exec"), namespace)
            if isinstance(node, ast.FunctionDef):
                self._swap_code(_function(module, self.mutant.name), namespace[node.name])
            else:
                self._swap_values(module, namespace)
        except Exception:  # a constant that cannot be made so, or code that is bound to its class
            return False
        forget()
        return True

    def __exit__(self, *error: object) -> None:
        for undo in self.undo:
            undo()
        forget()

    def _swap_code(self, function: FunctionType, other: FunctionType) -> None:
        before = function.__code__
        function.__code__ = other.__code__
        self.undo.append(lambda: setattr(function, "__code__", before))

    def _swap_values(self, module: ModuleType, namespace: dict[str, Any]) -> None:
        name = self.mutant.name
        if namespace[name] == getattr(module, name):
            raise ValueError("another constant of the same statement")
        for other in [known for known in tuple(sys.modules.values()) if known and known.__name__.startswith("houseway")]:
            source = SOURCES.module(other.__name__)
            for bound, origin in (source.imports if source else {}).items():
                if origin == (self.mutant.module, name) and bound in vars(other):
                    self._set(other, bound, namespace[name])
        self._set(module, name, namespace[name])

    def _set(self, module: ModuleType, name: str, value: Any) -> None:
        before = getattr(module, name)
        setattr(module, name, value)
        self.undo.append(lambda: setattr(module, name, before))


def _function(module: ModuleType, name: str) -> FunctionType:
    """The function behind a name: of a method, a property, a cached function."""
    owner, _, method = name.partition(".")
    value = vars(vars(module)[owner])[method] if method else vars(module)[owner]
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, cached_property):
        value = value.func
    value = getattr(value, "__func__", value)
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    assert isinstance(value, FunctionType), name
    return value


def forget() -> None:
    """Clear everything that was remembered of the rules."""
    for module in [known for name, known in tuple(sys.modules.items()) if name.startswith("houseway") and known]:
        for value in tuple(vars(module).values()):
            clear = getattr(value, "cache_clear", None)
            if callable(clear):
                clear()


# Playing


class Player:
    """An edition with its corpus and the answers of the rules as they are."""

    def __init__(self, name: str, is_part: bool) -> None:
        self.edition = open_edition(name)
        self.corpus = Corpus.load(corpus_file(self.edition))
        if is_part:
            self.corpus.rounds = [*self.corpus.rounds[:PART_ROUNDS], *self.corpus.rounds[-PART_ROUNDS:]]
        self.corpus.sessions = self.corpus.sessions[: PART_SESSIONS if is_part else FEW_SESSIONS]
        self.callers: dict[CodeType, list[int]] = {}
        """The rounds and sessions that call a function, by their places."""
        begun = time.process_time()
        self.answers = dict(self._watched())
        self.seconds = TIMES_AS_LONG * (time.process_time() - begun) + 10

    def _watched(self) -> Iterator[tuple[int, Any]]:
        """The answers of the rules as they are, with a note of who calls what; what opening calls, all do."""
        called: set[CodeType] = set()
        everything = range(len(self.corpus.rounds) + len(self.corpus.sessions))
        sys.setprofile(lambda frame, event, _: called.add(frame.f_code) if event == "call" else None)
        try:
            playing = self._play(everything)
            for place, answer in playing:
                for code in called:
                    self.callers.setdefault(code, []).append(place)
                called.clear()
                yield place, answer
        finally:
            sys.setprofile(None)

    def _play(self, places: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """The answers of some rounds and sessions: an edition is opened anew, for it is read by rules too."""
        opened = open_edition(self.edition.id)
        tables = [prepare(opened, chosen)[0] for chosen in self.corpus.settings]
        yield OPENING, None
        for place in places:
            if place < len(self.corpus.rounds):
                yield place, self._settled(opened, self.corpus.rounds[place], tables)
            else:
                yield place, self._answers(opened, self.corpus.sessions[place - len(self.corpus.rounds)])

    @staticmethod
    def _answers(edition: Edition, session: LiveSession) -> list[Any]:
        house, answers = ONE_PERSON, []
        for given in session.commands:
            house, answer = carry_out(edition, house, given)
            answers.append(answer)
        return answers

    def places(self, mutant: Mutant) -> Iterable[int]:
        """The rounds and sessions that a mutant can change: those that call it, or all, of what is remembered between them."""
        everything = range(len(self.corpus.rounds) + len(self.corpus.sessions))
        if not isinstance(mutant.node, ast.FunctionDef) or "cache" in " ".join(map(ast.unparse, mutant.node.decorator_list)):
            return everything
        called_by = self.callers.get(_function(sys.modules[mutant.module], mutant.name).__code__, [])
        return everything if OPENING in called_by else called_by

    @staticmethod
    def _settled(edition: Edition, one: CorpusRound, tables: list[Any]) -> Any:
        try:
            paid = settle(edition, one.cards, one.bets, one.choices, tables[one.settings], one.others).payments
        except Refused as refused:
            return refused.code
        return [(p.wager, p.spot, p.outcome, p.stake_cents, p.win_cents, p.rounding_cents) for p in paid]

    def notices(self, places: Iterable[int]) -> str:
        """How the rules as they are now differ, at these places, from what they were; nothing if they do not."""
        signal.signal(signal.SIGVTALRM, _too_long)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)
        try:
            for place, now in self._play(places):
                if self.answers[place] != now:
                    return f"round {place}" if place < len(self.corpus.rounds) else f"session {place}"
        except _TooLong:
            return "never ends"
        except Exception as error:  # a mutant may fail in any way, and that is noticed
            return type(error).__name__
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return ""


class _TooLong(Exception):  # noqa: N818  (an alarm clock)
    """The alarm rang."""


def _too_long(*_: object) -> None:
    raise _TooLong


# Reports


def selected(names: list[str], shared: bool, where: str = "") -> dict[tuple[str, str], tuple[Part, list[str]]]:
    """Definitions to change, with the editions that reach them."""
    chosen: dict[tuple[str, str], tuple[Part, list[str]]] = {}
    for name in names:
        closure, _ = walk(open_edition(name))
        for (module, part_name), part in closure.parts.items():
            source = SOURCES.module(module)
            assert source is not None
            is_shared = source.shown.startswith(SHARED)
            own = source.shown.startswith("games/") and source.shown != "games/__init__.py"
            if (is_shared if shared else own) and source.shown.startswith(where) and not isinstance(part, ClassPart):
                chosen.setdefault((module, part_name), (part, []))[1].append(name)
    return chosen


def run(
    names: list[str], shared: bool, where: str = "", every: int = 1, tests: bool = False
) -> tuple[Counter[str], list[Mutant]]:
    """Play every mutant, or each so-manieth; how many were noticed by what, and those that were not."""
    players = {name: Player(name, is_part=shared) for name in names}
    chosen = selected(names, shared, where)
    numbered = [(mutant, editions) for (module, _), (part, editions) in chosen.items() for mutant in mutants_of(module, part)]
    counts: Counter[str] = Counter()
    left: list[Mutant] = []
    for mutant, editions in numbered[::every]:
        played = [(players[name], players[name].places(mutant)) for name in editions]
        with Carried(mutant) as carried:
            how = next(filter(None, (player.notices(places) for player, places in played)), "") if carried else "not made"
        counts["not made" if how == "not made" else "rounds" if how else "left"] += 1
        counts["endless"] += how == "never ends"
        if not how:
            left.append(mutant)
            print(f"  not noticed by the rounds: {mutant}", flush=True)
    if tests and left:
        left = left_by_tests(names, left, counts)
    return counts, left


def left_by_tests(names: list[str], mutants: list[Mutant], counts: Counter[str]) -> list[Mutant]:
    """The mutants that the tests which name an edition of these games do not notice either."""
    games = {open_edition(name).game.id for name in names}
    editions = [name for name in edition_files() if open_edition(name).game.id in games]
    tests = Tests(editions, (mutants[0].file, no_change(mutants[0].node)))
    left = []
    for mutant in mutants:
        noticed = tests.notice(mutant.file, mutant.node)
        counts["tests"] += noticed
        counts["left"] -= noticed
        if not noticed:
            left.append(mutant)
            print(f"  not noticed by the tests: {mutant}", flush=True)
    return left


def main(arguments: list[str]) -> None:
    """Play mutants and report."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":  # a rule's code can be changed only where it is not compiled
        os.execve(sys.executable, [sys.executable, "-m", __spec__.name, *arguments], os.environ | {"NUMBA_DISABLE_JIT": "1"})
    options = [argument for argument in arguments if argument.startswith("--")]
    given = dict(option.removeprefix("--").partition("=")[::2] for option in options)
    names = [argument for argument in arguments if not argument.startswith("--")] or list(edition_files())
    groups = [(names, True)] if "shared" in given else [([name], False) for name in names]
    for group, shared in groups:
        title = "shared code" if shared else group[0]
        print(f"{title}:", flush=True)
        counts, left = run(group, shared, given.get("in", ""), int(given.get("every", 1)), "tests" in given)
        total = sum(counts.values()) - counts["not made"] - counts["endless"]
        rounds = f"{counts['rounds']} by the rounds of the corpus, {counts['endless']} of them endless"
        by = f"{rounds}, {counts['tests']} by the tests"
        print(f"{title}: {total} mutants, noticed {total - len(left)} ({by}), not noticed {len(left)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
