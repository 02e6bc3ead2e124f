"""EZ Pai Gow, the best setting: what every set of every hand is worth against a House Way, exactly.

Ties go to the dealer and no commission is taken, so a set's wins less its losses are the dealer's fronts that it beats, plus
the dealer's backs that it beats, less all of the dealer's hands: what counts is two orders, each by itself. Those of the hands
that share no card with the player's are an alternating sum over the sets S of his cards, as in `pai_gow`. And of a hand's 21
sets only those matter that no other one equals or beats in front and behind.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop, plain
from houseway.kernels.count import Progress
from houseway.solve.kept import resumed
from houseway.solve.sharing import cores, share

from ..ranking import rank_back, rank_front
from ..rules import is_foul
from .hands import (
    FULL,
    HAND,
    SUITS,
    Hands,
    Words,
    all_holding,
    cards_in,
    lay_out,
    number_holding,
    parted_sets,
)
from .pairs import BACK_BITS, BACK_MASK, FRONT_MASK, QUEEN_BIT, Order, Values

SETS = 21
FEW = 100
"""Up to so many hands, comparing them one by one is quicker than to sum up their order."""
WORKERS_MOST = 4
"""Each needs half a gigabyte of its own."""
ORDERS = np.array(list(permutations(range(SUITS))), np.int64)
FRONTS = np.array(list(combinations(range(HAND), 2)), np.int64)


# The sets that matter


@helper
def _rank_sets(tape: Ints, fronts: Ints, settings: Ints, front: Ints, back: Ints) -> None:
    """The values of all sets of a hand."""
    for place in range(SETS):
        front[place] = rank_front(tape, fronts[place, 0], fronts[place, 1], settings)
        back[place] = rank_back(tape, 0, fronts[place, 0], fronts[place, 1], settings)


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_TABLE, INT_TABLE, INT, INT))
def _list_sets(classes: Ints, ranks: Ints, settings: Ints, fronts: Ints, sets: Ints, first: int, last: int) -> None:
    """For each class, the front and back (40 bits apart) of its legal sets that no other equals or beats; -1: none here."""
    tape, front, back = np.zeros(HAND, np.int64), np.zeros(SETS, np.int64), np.zeros(SETS, np.int64)
    for at in range(first, last):
        lay_out(classes[at], ranks, tape)
        _rank_sets(tape, fronts, settings, front, back)
        for place in range(SETS):
            keep = not is_foul(front[place], back[place])
            for other in range(SETS):
                better = other != place and front[other] >= front[place] and back[other] >= back[place]
                if better and not is_foul(front[other], back[other]):
                    same = front[other] == front[place] and back[other] == back[place]
                    keep = keep and same and other > place
            sets[at, place] = front[place] << 32 | back[place] if keep else -1


@dataclass(frozen=True)
class Sets:
    """Of every class of hands the sets that matter: values of front and back, and where each class begins."""

    fronts: Ints
    backs: Ints
    starts: Words


def list_sets(hands: Hands, way: Ints) -> Sets:
    """The sets that matter of all hands; of `way` only the joker and the rank of the wheel count."""
    counts, listed, step = [np.zeros(1, np.int64)], [], 1 << 18
    for first in range(0, len(hands.classes), step):
        classes = hands.classes[first : first + step]
        sets = np.zeros((len(classes), SETS), np.int64)
        share(len(classes), partial(_list_sets, classes, np.array(hands.deck.ranks), way, FRONTS, sets))
        counts.append((sets >= 0).sum(axis=1))
        listed.append(sets[sets >= 0])
    every = np.concatenate(listed)
    return Sets(every >> 32, every & 0xFFFFFFFF, np.cumsum(np.concatenate(counts)).astype(np.int32))


# What they are worth


@helper
def _add_few(
    holding: Words, weights: Words, his: Words, starts: Words, mine: Words, factor: int, few: tuple[Words, ...], gained: Ints
) -> None:
    """The same as `_add_many`, by comparing every pair."""
    front, back, alike = few
    size, total = 0, 0
    for at in range(holding.size):
        word = his[holding[at]]
        if not word >> QUEEN_BIT:
            front[size], back[size], alike[size] = word >> BACK_BITS, word & BACK_MASK, weights[at]
            size, total = size + 1, total + weights[at]
    for at in range(holding.size):
        for place in range(starts[holding[at]], starts[holding[at] + 1]):
            own_front, own_back, beaten = mine[place] >> BACK_BITS, mine[place] & BACK_MASK, 0
            for other in range(size):
                beaten += alike[other] * ((front[other] < own_front) + (back[other] < own_back))
            gained[place] += factor * weights[at] * (beaten - total)


@helper
def _add_many(
    holding: Words, weights: Words, his: Words, starts: Words, mine: Words, factor: int, front: Ints, back: Ints, gained: Ints
) -> None:
    """For each set of these hands, add how many of the dealer's fronts and backs among them it beats, less their number."""
    front[:], back[:], total = 0, 0, 0
    for at in range(holding.size):
        word = his[holding[at]]
        if not word >> QUEEN_BIT:
            front[(word >> BACK_BITS) + 1] += weights[at]
            back[(word & BACK_MASK) + 1] += weights[at]
            total += weights[at]
    for value in range(1, front.size):
        front[value] += front[value - 1]
    for value in range(1, back.size):
        back[value] += back[value - 1]
    for at in range(holding.size):
        for place in range(starts[holding[at]], starts[holding[at] + 1]):
            gained[place] += factor * weights[at] * (front[mine[place] >> BACK_BITS] + back[mine[place] & BACK_MASK] - total)


@loop((INT_TABLE, INT, INT, INT_ROW, INT_TABLE, INT_ROW, INT_TABLE, *[WORD_ROW] * 4, INT_ROW, INT, INT))
def _add_sharing(
    sets: Ints,
    natural: int,
    ranks: int,
    shape: Ints,
    parts: Ints,
    fuller: Ints,
    begins: Ints,
    class_of: Words,
    his: Words,
    starts: Words,
    mine: Words,
    gained: Ints,
    first: int,
    last: int,
) -> None:
    """For each S, add to what the sets of every hand that holds it gain; a class gets this once for each of its hands."""
    most = number_holding(sets[first], ranks)
    room, alike = np.empty(most, np.int32), np.empty(most, np.int32)
    few = np.zeros(FEW, np.int32), np.zeros(FEW, np.int32), np.zeros(FEW, np.int32)
    front, back = np.zeros(shape[0] + 1, np.int64), np.zeros(shape[1] + 1, np.int64)
    for at in range(first, last):
        met = all_holding(sets[at], natural, parts, fuller, begins, class_of, room, alike)
        holding, weights = room[:met], alike[:met]
        factor = sets[at, 5] * (1 - 2 * (cards_in(sets[at]) & 1))
        if met <= FEW:
            _add_few(holding, weights, his, starts, mine, factor, few, gained)
        else:
            _add_many(holding, weights, his, starts, mine, factor, front, back, gained)


@dataclass(frozen=True)
class Valued:
    """Every set that matters of every hand, and its wins less its losses over all of the dealer's hands that are left."""

    sets: Sets
    gained: Ints

    def best(self) -> Ints:
        """For each class of hands, the place of its best set: of equal ones the first."""
        starts = self.sets.starts
        most = np.repeat(np.maximum.reduceat(self.gained, starts[:-1]), np.diff(starts))
        places = np.nonzero(self.gained == most)[0]
        return np.asarray(places[np.searchsorted(places, starts[:-1])])

    def sets_at(self, places: Ints) -> Ints:
        """The sets at these places, one a class, as `count_deals` takes them."""
        return np.stack([self.sets.fronts[places], self.sets.backs[places], np.zeros(len(places), np.int64)], axis=1)


def value_all_sets(hands: Hands, way: Ints, dealer: Values, key: str, progress: Progress | None = None) -> Valued:
    """Value every set of every hand against a dealer who sets his hands as these values say."""
    sets, ranks = list_sets(hands, way), len(hands.deck.ranks)
    order = Order.of([sets.fronts, dealer[:, 0]], [sets.backs, dealer[:, 1]])
    mine = order.words(np.stack([sets.fronts, sets.backs, np.zeros_like(sets.fronts)], axis=1))
    his, weights = order.words(dealer), hands.classes[:, 5]
    workers = min(cores(), WORKERS_MOST)
    state = {"gained": np.zeros((workers, len(mine)), np.int64)}
    spare = list(state["gained"])  # each worker has an array of its own

    def add(shared: Ints) -> None:
        given = (shared, hands.deck.natural, ranks, order.shape, *hands.numbering, hands.class_of, his, sets.starts, mine)

        def work(first: int, last: int) -> None:
            gained = spare.pop()
            _add_sharing(*given, gained, first, last)
            spare.append(gained)

        share(len(shared), work, workers)

    resumed(key, parted_sets(ranks), state, add, progress)
    gained, own = state["gained"].sum(axis=0), np.repeat(np.arange(len(weights)), np.diff(sets.starts))
    gained -= _gained_from_same(mine, his[own]) * weights[own]
    assert not (gained % weights[own]).any()
    return Valued(sets, gained // weights[own])


def _gained_from_same(mine: Words, his: Words) -> Ints:
    """The last term: the dealer has the same seven cards."""
    front = (mine >> BACK_BITS) > (his >> BACK_BITS & FRONT_MASK)
    back = (mine & BACK_MASK) > (his & BACK_MASK)
    return np.asarray((front.astype(np.int64) + back - 1) * (his >> QUEEN_BIT == 0))


# One hand


@helper
def _ways_to_rename(apart: int, orders: Ints) -> int:
    """In how many ways four suits can be renamed such that each lane meets a suit of the hand that it shares no rank with.

    `apart` has four bits for each lane: the suits of the hand that it shares none with.
    """
    ways = 0
    for order in range(orders.shape[0]):
        fits = True
        for lane in range(SUITS):
            fits = fits and apart >> SUITS * lane + orders[order, lane] & 1
        ways += fits
    return ways


@loop((INT_ROW, WORD_ROW, WORD_ROW, INT_ROW, INT_TABLE, INT_TABLE, INT_ROW, INT_TABLE, INT_ROW, INT_TABLE))
def _meet(
    masks: Ints,
    weights: Words,
    words: Words,
    hand: Ints,
    orders: Ints,
    grid: Ints,
    tape: Ints,
    fronts: Ints,
    settings: Ints,
    sets: Ints,
) -> None:
    """Count the dealer's hands that share no card with a hand by front and back; and rank all sets of the hand.

    Of a class as many hands are left as there are ways to rename its suits such that none of its cards is the hand's.
    """
    _rank_sets(tape, fronts, settings, sets[0], sets[1])
    apart, ways = np.zeros(1 << 13, np.int32), np.zeros(1 << 16, np.int8)
    for lane in range(apart.size):
        for suit in range(SUITS):
            apart[lane] |= (lane & hand[suit] == 0) << suit
    for pattern in range(ways.size):
        ways[pattern] = _ways_to_rename(pattern, orders)
    for at in range(masks.size):
        pattern = 0
        for suit in range(SUITS):
            pattern |= apart[masks[at] >> 13 * suit & 8191] << SUITS * suit
        if ways[pattern] and not masks[at] >> 52 & hand[SUITS] and not words[at] >> QUEEN_BIT:
            grid[words[at] >> BACK_BITS, words[at] & BACK_MASK] += ways[pattern] * weights[at] // 24


@dataclass(frozen=True)
class DealersHands:
    """All hands as a dealer sets them, one of each class, such that a disk can keep them and one hand is soon met."""

    masks: Ints
    weights: Words
    words: Words
    fronts: Ints
    backs: Ints

    @classmethod
    def of(cls, hands: Hands, dealer: Values) -> "DealersHands":
        """A dealer who sets his hands as these values say."""
        order = Order.of([dealer[:, 0]], [dealer[:, 1]])
        return cls(
            masks=np.asarray(sum(hands.classes[:, suit] << 13 * suit for suit in range(SUITS + 1))),
            weights=hands.classes[:, 5].astype(np.int32),
            words=order.words(dealer),
            fronts=order.fronts,
            backs=order.backs,
        )

    def value_sets(self, cards: tuple[int, ...], way: Ints) -> "list[SetValue]":
        """Every legal set of a hand against all of the dealer's hands that are left, the best first."""
        grid = np.zeros((len(self.fronts), len(self.backs)), np.int64)
        sets, values = np.zeros((2, SETS), np.int64), list[SetValue]()
        hand, tape = FULL.lanes(cards), np.array(cards, np.int64)
        _meet(self.masks, self.weights, self.words, hand, ORDERS, grid, tape, FRONTS, way, sets)
        for (a, b), front, back in zip(FRONTS.tolist(), *sets.tolist(), strict=True):
            if not plain(is_foul)(front, back):
                beats_front, beats_back = np.searchsorted(self.fronts, front), np.searchsorted(self.backs, back)
                win, lose = int(grid[:beats_front, :beats_back].sum()), int(grid[beats_front:, beats_back:].sum())
                values.append(SetValue((cards[a], cards[b]), front, back, win, lose, FULL.against - int(grid.sum())))
        return sorted(values, key=lambda set_value: set_value.value, reverse=True)


@dataclass(frozen=True)
class SetValue:
    """A legal set of seven cards: the two in front, what both parts count, and its deals by how the base wager ends."""

    front: tuple[int, int]
    front_value: int
    back_value: int
    win: int
    lose: int
    queen_high: int

    @property
    def value(self) -> Fraction:
        """What the base wager is worth."""
        return Fraction(self.win - self.lose, FULL.against)
