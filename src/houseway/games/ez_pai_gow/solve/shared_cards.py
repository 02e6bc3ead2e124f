"""EZ Pai Gow for a player who sees cards: other players' hands, or one of the dealer's. By simulated deals.

How his seven cards are set by the House Way, best without what he sees, and best with it, is compared in every deal: mostly
they are the same, so that their difference is known much better than either. Where few cards are left the dealer's hands are
all met; else so many of them are drawn, some to choose by and others to value the choice.
"""

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER
from houseway.kernels.compiled import FLOAT_ROW, FLOAT_TABLE, INT, INT_ROW, INT_TABLE, Ints, helper, loop
from houseway.solve.sharing import share

from ..house_way import set_seven
from ..ranking import QUEEN, rank_back, rank_front
from ..rules import is_foul, pai_gow_high

Floats = NDArray[np.float64]
CARDS, HAND, SETS = JOKER + 1, 7, 21
DEALS, DRAWN = 1_500, 4_000
"""Deals that are simulated, and hands of the dealer's that are drawn in each, where nothing is said."""
MOST_MET = 40_000
"""Up to so many hands of the dealer's are all met."""
FRONTS = np.array(list(combinations(range(HAND), 2)), np.int64)
BY_HOUSE_WAY, BEST, SEEING = range(3)


@helper
def _mixed(state: Ints) -> int:
    """The next number, of 31 bits: a multiplicative generator is enough to draw hands by."""
    state[0] = state[0] * 6364136223846793005 + 1442695040888963407
    word = state[0] >> 33
    return int((word ^ word >> 11) & 0x7FFFFFFF)


@helper
def _meet(tape: Ints, fronts: Ints, backs: Ints, settings: Ints, pays: Floats, worth: Floats) -> None:
    """Add what each set comes to against a hand of the dealer's."""
    his = set_seven(tape, 0, settings)
    if pai_gow_high(tape, 0, settings) == QUEEN:
        return
    front = rank_front(tape, his >> 3 & 7, his & 7, settings)
    back = rank_back(tape, 0, his >> 3 & 7, his & 7, settings)
    for place in range(SETS):
        better = (fronts[place] > front) + (backs[place] > back)
        if better != 1:
            worth[place] += pays[better]


@helper
def _draw(
    rest: Ints, left: int, fixed: int, times: int, state: Ints, tape: Ints, of: tuple[Ints, Ints, Ints, Floats], worth: Floats
) -> None:
    """Meet hands drawn from the first `left` of `rest`; the first card of the tape stays where one is `fixed`."""
    fronts, backs, settings, pays = of
    worth[:] = 0.0
    for _ in range(times):
        for place in range(HAND - fixed):
            other = place + _mixed(state) % (left - place)
            rest[place], rest[other] = rest[other], rest[place]
            tape[place + fixed] = rest[place]
        _meet(tape, fronts, backs, settings, pays, worth)
    worth /= times


@helper
def _meet_all(rest: Ints, left: int, fixed: int, tape: Ints, of: tuple[Ints, Ints, Ints, Floats], worth: Floats) -> None:
    """Meet every hand of the first `left` of `rest`."""
    fronts, backs, settings, pays = of
    worth[:] = 0.0
    size, met = HAND - fixed, 0
    places = np.arange(size)
    while True:
        for place in range(size):
            tape[place + fixed] = rest[places[place]]
        _meet(tape, fronts, backs, settings, pays, worth)
        met += 1
        last = size - 1
        while last >= 0 and places[last] == left - size + last:
            last -= 1
        if last < 0:
            break
        places[last] += 1
        for place in range(last + 1, size):
            places[place] = places[place - 1] + 1
    worth /= met


@helper
def _best(worth: Floats, fronts: Ints, backs: Ints) -> int:
    """The legal set that is worth most."""
    best = -1
    for place in range(SETS):
        if not is_foul(fronts[place], backs[place]) and (best < 0 or worth[place] > worth[best]):
            best = place
    return best


@helper
def _rank_sets(cards: Ints, places: Ints, settings: Ints, fronts: Ints, backs: Ints) -> int:
    """The values of all sets of a hand; which of them is the House Way's."""
    house, own = set_seven(cards, 0, settings), 0
    one, other = min(house >> 3 & 7, house & 7), max(house >> 3 & 7, house & 7)
    for place in range(SETS):
        fronts[place] = rank_front(cards, places[place, 0], places[place, 1], settings)
        backs[place] = rank_back(cards, 0, places[place, 0], places[place, 1], settings)
        if places[place, 0] == one and places[place, 1] == other:
            own = place
    return own


@helper
def _left_over(cards: Ints, size: int, gone: Ints, rest: Ints) -> int:
    """The cards that are not among the first ones; how many they are."""
    gone[:] = 0
    for place in range(size):
        gone[cards[place]] = 1
    left = 0
    for card in range(CARDS):
        if not gone[card]:
            rest[left] = card
            left += 1
    return left


@loop((INT_TABLE, INT, INT, INT, INT, INT_ROW, INT_TABLE, FLOAT_ROW, FLOAT_TABLE, INT, INT))
def _value(
    deals: Ints, others: int, fixed: int, times: int, seed: int, settings: Ints, places: Ints, pays: Floats, worths: Floats,
    first: int, last: int,
) -> None:  # fmt: skip
    """For each deal: what the hand is worth set by the House Way, best without what is seen, and best with it."""
    tape, rest, worth = np.zeros(HAND, np.int64), np.zeros(CARDS, np.int64), np.zeros(SETS)
    fronts, backs = np.zeros(SETS, np.int64), np.zeros(SETS, np.int64)
    gone, state = np.zeros(CARDS, np.int64), np.zeros(1, np.int64)
    for deal in range(first, last):
        state[0] = (seed * 1000003 + deal) * 0x5851F42D4C957F2D
        cards = deals[deal]
        own = _rank_sets(cards, places, settings, fronts, backs)
        of = (fronts, backs, settings, pays)
        left = _left_over(cards, HAND, gone, rest)
        _draw(rest, left, 0, times, state, tape, of, worth)
        without = _best(worth, fronts, backs)
        left = _left_over(cards, HAND * (1 + others) + fixed, gone, rest)
        if fixed:
            tape[0] = cards[HAND * (1 + others)]
        ways = 1
        for place in range(HAND - fixed):
            ways = ways * (left - place) // (place + 1)
        if ways <= MOST_MET:
            _meet_all(rest, left, fixed, tape, of, worth)
            seeing = _best(worth, fronts, backs)
        else:
            _draw(rest, left, fixed, times, state, tape, of, worth)
            seeing = _best(worth, fronts, backs)
            if own != without or without != seeing:
                _draw(rest, left, fixed, times, state, tape, of, worth)
        worths[deal, 0], worths[deal, 1], worths[deal, 2] = worth[own], worth[without], worth[seeing]


@dataclass(frozen=True)
class CardsShown:
    """What seeing gains, to a player by the House Way and to one who sets best without it, for a unit; standard errors; and how
    often it changes the set.
    """

    over_house_way: float
    over_house_way_error: float
    over_best: float
    over_best_error: float
    changes: float


def gain_of_seeing(
    settings: Ints,
    pays: tuple[float, float],
    others: int,
    dealer_cards: int = 0,
    deals: int = DEALS,
    drawn: int = DRAWN,
    seed: int = 1,
) -> CardsShown:
    """What it gains to see other players' hands or, of the dealer's, one card; `pays` is what a win and a loss come to."""
    size = HAND * (1 + others) + dealer_cards
    assert size + HAND - dealer_cards <= CARDS and dealer_cards in {0, 1}
    chance = np.random.default_rng([seed, others, dealer_cards])
    cards = np.ascontiguousarray(np.argsort(chance.random((deals, CARDS)), axis=1)[:, :size])
    worths, paid = np.zeros((deals, 3)), np.array([pays[1], 0.0, pays[0]])
    share(deals, partial(_value, cards, others, dealer_cards, drawn, seed, settings, FRONTS, paid, worths))
    gains = worths[:, [SEEING]] - worths[:, :SEEING]
    means, errors = gains.mean(axis=0), gains.std(axis=0, ddof=1) / sqrt(deals)
    changed = float((gains[:, BEST] != 0).mean())
    return CardsShown(float(means[BY_HOUSE_WAY]), float(errors[BY_HOUSE_WAY]), float(means[BEST]), float(errors[BEST]), changed)


def all_met(others: int, dealer_cards: int) -> bool:
    """Whether all hands of the dealer's are met in every deal."""
    return comb(CARDS - HAND * (1 + others) - dealer_cards, HAND - dealer_cards) <= MOST_MET
