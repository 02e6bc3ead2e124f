"""The tables that a compiled round goes by, made by asking the rules, House Ways and the solver for every class of hands."""

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, Ints, loop, plain
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.kept import kept_arrays, key_of
from houseway.solve.sharing import share

from ..game import GAME
from ..outcomes import PROTECTION_OUTCOMES
from ..ranking import rank_five, rank_front
from ..rules import dynasty, protection, red_black
from ..solve import BEST, LINES
from ..solve.hands import FULL, HAND, Hands, classes_of, lay_out
from ..solve.pairs import BACK_BITS as SOLVED_BACK_BITS
from ..solve.pairs import QUEEN_BIT as SOLVED_QUEEN_AT
from ..solve.pairs import Order, set_by_house_way
from ..solve.solution import Solution
from ..switches import EXTRAS, JOKER_RULE, R1, R2, R2B, R5, WHEEL
from .rounds import BACK_BITS, BONUS_AT, BONUS_MASK, QUEEN_AT

HANDS_READ_BY = (JOKER_RULE, WHEEL, R1, R2, R2B, R5)
"""The settings that what seven cards are worth hangs on, besides the House Way."""
PROTECTIONS = len(PROTECTION_OUTCOMES)
RED_CARDS, BLACK_CARDS = ([card for card in range(52) if (card & 3 in (1, 2)) == red] for red in (True, False))

assert (BACK_BITS, QUEEN_AT) == (SOLVED_BACK_BITS, SOLVED_QUEEN_AT)  # words are the solver's, with bonuses above them

Envy = tuple[int, ...]
EnvyTable = NDArray[np.uint16]


class SetHands(NamedTuple):
    """The word of each class of hands for one way to set them; `bonuses` are the pairs of Dynasty and Protection outcomes."""

    words: NDArray[np.int32]
    bonuses: tuple[tuple[int, int], ...]


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_ROW, INT, INT))
def _look_at(classes: Ints, ranks: Ints, settings: Ints, bonuses: Ints, first: int, last: int) -> None:
    """EPG-3, EPG-4: what one hand of each class is worth to both bonuses."""
    tape = np.zeros(HAND, np.int64)
    for at in range(first, last):
        lay_out(classes[at], ranks, tape)
        bonuses[at] = dynasty(tape, settings) * PROTECTIONS + protection(tape, settings)


@loop((INT_TABLE, INT_TABLE, INT_ROW, INT_ROW, INT_ROW, INT_ROW))
def _rank_all(twos: Ints, fives: Ints, ranks: Ints, settings: Ints, fronts: Ints, backs: Ints) -> None:
    """EPG-1: the value of one hand of each class of two and of five cards."""
    two, five = np.zeros(2, np.int64), np.zeros(5, np.int64)
    for at in range(twos.shape[0]):
        lay_out(twos[at], ranks, two)
        fronts[at] = rank_front(two, 0, 1, settings)
    for at in range(fives.shape[0]):
        lay_out(fives[at], ranks, five)
        backs[at] = rank_five(five, settings)


def every_value(settings: Ints) -> Order:
    """All fronts and all backs that there are, in order: the same for every way to set hands."""
    twos, fives = classes_of(2), classes_of(5)
    fronts, backs = np.zeros(len(twos), np.int64), np.zeros(len(fives), np.int64)
    _rank_all(twos, fives, np.array(FULL.ranks), settings, fronts, backs)
    return Order.of([fronts], [backs])


def set_hands(edition: Edition, settings: Settings, player: str) -> SetHands:
    """How a player, or the dealer, sets every hand; kept on disk, for that takes seconds, and minutes for the best play."""
    if player in {BEST, LINES}:
        key, values = key_of(edition, settings, "simulated hands", player), Solution(edition, settings).sets_of
        return _kept(key, lambda: values(player), tuple(GAME.encode(settings).tolist()))
    way = GAME.encode(edition.settings({**settings, "house-way": player}, what_if=True))
    key = key_of(edition, {}, "simulated hands", *way[list(HANDS_READ_BY)].tolist(), *way[EXTRAS:].tolist())
    return _kept(key, lambda: set_by_house_way(Hands(), way), tuple(way.tolist()))


def _kept(key: str, values: Any, encoded: tuple[int, ...]) -> SetHands:
    way = np.array(encoded, np.int64)

    def compute() -> list[Any]:
        words, hands = every_value(way).words(values()), Hands()
        both = np.zeros(len(words), np.int64)
        share(len(both), partial(_look_at, hands.classes, np.array(FULL.ranks), way, both))
        bonuses, places = np.unique(both, return_inverse=True)
        assert len(bonuses) <= BONUS_MASK
        return [words | (places << BONUS_AT).astype(np.int32), bonuses]

    return _read(key, compute)


def _read(key: str, compute: Any) -> SetHands:
    words, bonuses = kept_arrays(key, compute)
    return SetHands(np.asarray(words), tuple(divmod(both, PROTECTIONS) for both in bonuses.tolist()))


@lru_cache(maxsize=8)
def colours(encoded: tuple[int, ...]) -> NDArray[np.uint8]:
    """EPG-5: the outcome of Red/Black, by how many of the cards are red and how many black; the joker is neither."""
    table, settings = np.zeros((HAND + 1) ** 2, np.uint8), np.array(encoded, np.int64)
    for reds, blacks in product(range(HAND + 1), repeat=2):
        if HAND - 1 <= reds + blacks <= HAND:
            cards = [*RED_CARDS[:reds], *BLACK_CARDS[:blacks], JOKER][:HAND]
            table[reds * (HAND + 1) + blacks] = plain(red_black)(np.array(cards, np.int64), settings)
    return table


def envies(bonuses: Sequence[tuple[int, int]], enviable: Sequence[bool], others: int) -> tuple[list[Envy], EnvyTable]:
    """All that the hands of so many others can win, as Dynasty outcomes; and, after each and by bonus, what one more makes.

    `enviable` tells for each Dynasty outcome whether it wins anybody envy.
    """
    paid = [outcome for outcome, wins in enumerate(enviable) if wins]
    every = [won for size in range(others + 1) for won in combinations_with_replacement(paid, size)]
    places, more = {won: place for place, won in enumerate(every)}, np.zeros((len(every), len(bonuses)), np.uint16)
    for (place, won), (bonus, (outcome, _)) in product(enumerate(every), enumerate(bonuses)):
        after = tuple(sorted((*won, outcome))) if enviable[outcome] else won
        more[place, bonus] = places.get(after, 0)  # more hands than there are do not come
    return every, more
