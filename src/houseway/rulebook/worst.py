"""The most that one round can pay at one seat: what a game says of it, and what follows from its wagers alone.

A game gives its own as `WORST` in a `worst.py` of its folder. Two sides meet there: endings, among which every possible one is
(or one that pays more), bound what can be paid; rounds with their cards, which whoever asks settles by the rulebook, show what
is reached. Where both come to the same amount, it is exact.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import product

from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Result, Value
from houseway.rulebook.settings import Settings

Ending = tuple[Result, ...]
"""What may become of all stakes of one seat in one round; stakes that win nothing may be left out."""
Bets = Mapping[str, int]


@dataclass(frozen=True)
class PossibleRound:
    """Cards in the order dealt, with the choices: a round that can be."""

    cards: tuple[int, ...]
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class WorstRounds:
    """What a game says of its worst rounds.

    `endings` has every combination of outcomes that can come together, with each stake as often as it can be raised; `rounds`
    those that are thought to pay most. `largest` lowers bets of which the one bounds the other. `all_stakes` says that
    endings have every stake of mid-round in them.
    """

    endings: Callable[[Edition, Settings], Iterator[Ending]]
    rounds: Callable[[Edition, Settings], Iterator[PossibleRound]] = lambda edition, settings: iter(())
    largest: Callable[[Bets], dict[str, int]] = dict
    all_stakes: bool = True


def worst_rounds(edition: Edition) -> WorstRounds:
    """What the edition's game says of its worst rounds; else what follows from its wagers."""
    game = edition.game
    if (game.folder / "worst.py").is_file():
        worst = import_module(f"{game.package}.worst").WORST
        assert isinstance(worst, WorstRounds)
        return worst
    raised = any(not game.wagers[name].rides for name in game.dealing.raises.values())
    return WorstRounds(every_combination, all_stakes=not raised)


def one_result(edition: Edition) -> bool:
    """Whether one result decides all wagers, so that its outcomes are all endings that there are."""
    return len(_by_result(edition)) == 1


def every_combination(edition: Edition, settings: Mapping[str, Value]) -> Iterator[Ending]:
    """Wagers with the same outcomes end alike; of any others nothing is known, so that all may come together."""
    groups = _by_result(edition)
    possible = ([outcome.id for outcome in edition.possible(names[0], settings)] for names in groups)
    for outcomes in product(*possible):
        pairs = zip(groups, outcomes, strict=True)
        yield tuple(Result(name, outcome, edition.game.wagers[name].clause) for names, outcome in pairs for name in names)


def _by_result(edition: Edition) -> list[list[str]]:
    """The edition's wagers, those together that one result decides: they have the same outcomes, and no rule of their own."""
    groups: dict[object, list[str]] = {}
    for name in edition.wagers:
        wager = edition.game.wagers[name]
        groups.setdefault(name if wager.resolve else wager.outcomes, []).append(name)
    return list(groups.values())
