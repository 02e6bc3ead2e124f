"""EZ Pai Gow's base wager, exactly: every pair of seven-card hands that share no card, each set in a known way.

The pairs that share no card are counted without meeting them: the number of disjoint pairs with a property is the
alternating sum, over all sets S of cards, of the pairs of hands that both hold S and have it. One S is taken of each
class of sets that differ by the names of suits only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from houseway.chunks.engines import Work
from houseway.chunks.in_use import done_in_chunks
from houseway.chunks.tallies import Tallies
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop, plain
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.solve.sharing import share

from .. import rules
from ..house_way import set_seven
from ..ranking import rank_back, rank_front
from ..rules import QUEEN_HIGH_PUSH, base_outcome, pai_gow_high
from .hands import (
    HAND,
    Hands,
    Words,
    all_holding,
    bits,
    cards_in,
    lay_out,
    number_holding,
    parted_sets,
)

Values = Ints | Words
BACK_BITS, FRONT_BITS = 13, 7
QUEEN_BIT = BACK_BITS + FRONT_BITS
"""A word tells how a hand is set: back | front << 13 | Queen-high pai gow << 20, the first two as places in their order."""
MY_BITS = 32
"""A kind of hands is both players' words: the dealer's | the player's << 32."""
BACK_MASK, FRONT_MASK, HIS_MASK = (1 << BACK_BITS) - 1, (1 << FRONT_BITS) - 1, (1 << MY_BITS) - 1
SET_AT_ONCE = 1 << 20
VALUES = 10 << 20
"""Values of fronts and backs are lower."""
WIN, LOSE, QUEEN_HIGH, FRONT_COPY, BACK_COPY, BOTH_COPY, ENDS = range(7)


NOT_QUEEN_HIGH = -1
"""What the rule is told of a dealer's hand that is no pai gow."""


def check_rule() -> None:
    """Ask the rule whether it still is what all sums here stand for: a part that is higher is better, and no other.

    EPG-11: two better parts win, one pushes, none loses. A rule that says otherwise needs other sums, and is refused.
    """
    for front in (-1, 0, 1):
        for back in (-1, 0, 1):
            summed = (rules.LOSE, rules.PUSH, rules.WIN)[(front > 0) + (back > 0)]
            if plain(rules.base_outcome)(1 + front, 1 + back, 1, 1, NOT_QUEEN_HIGH) != summed:
                raise Refused("not-solved", "the base wager is not solved by these rules: it does not end by EPG-11")


# How hands are set


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_TABLE, INT, INT))
def _set(classes: Ints, ranks: Ints, settings: Ints, values: Ints, first: int, last: int) -> None:
    """How the House Way sets one hand of each class: the value of its front and its back, and Queen-high pai gow."""
    tape = np.zeros(HAND, np.int64)
    for at in range(first, last):
        lay_out(classes[at], ranks, tape)
        answer = set_seven(tape, 0, settings)
        front, back = answer >> 3 & 7, answer & 7
        values[at, 0] = rank_front(tape, front, back, settings)
        values[at, 1] = rank_back(tape, 0, front, back, settings)
        values[at, 2] = base_outcome(0, 0, 0, 0, pai_gow_high(tape, 0, settings)) == QUEEN_HIGH_PUSH


def set_by_house_way(hands: Hands, way: Ints) -> Words:
    """For each class of hands: the values of its front and its back, and whether it is a Queen-high pai gow."""
    check_rule()
    size, ranks = len(hands.classes), np.array(hands.deck.ranks)
    values = np.empty((size, 3), np.int32)
    for first in range(0, size, SET_AT_ONCE):  # a part at a time: as they come they take twice the room
        part = np.zeros((min(SET_AT_ONCE, size - first), 3), np.int64)
        share(len(part), partial(_set, hands.classes[first : first + len(part)], ranks, way, part))
        values[first : first + len(part)] = part
    return values


@dataclass(frozen=True)
class Order:
    """The values of fronts and of backs that occur, from the lowest: a word tells their places."""

    fronts: Ints
    backs: Ints

    @classmethod
    def of(cls, fronts: Sequence[Values], backs: Sequence[Values]) -> "Order":
        """The order of all these values."""
        order = cls(_distinct(fronts), _distinct(backs))
        assert len(order.fronts) <= FRONT_MASK and len(order.backs) <= BACK_MASK
        return order

    @property
    def shape(self) -> Ints:
        """How many fronts and backs there are."""
        return np.array([len(self.fronts), len(self.backs)])

    def words(self, values: Values) -> Words:
        """How hands are set, a word for each."""
        fronts, backs = np.zeros(VALUES, np.int32), np.zeros(VALUES, np.int32)
        fronts[self.fronts], backs[self.backs] = np.arange(len(self.fronts)), np.arange(len(self.backs))
        words = np.empty(len(values), np.int32)

        def write(first: int, last: int) -> None:
            front, back, queen = values[first:last].T
            words[first:last] = fronts[front] << BACK_BITS | backs[back] | queen << QUEEN_BIT

        share(len(values), write)
        return words


def _distinct(values: Sequence[Values]) -> Ints:
    occurs = np.zeros(VALUES, bool)
    for array in values:
        occurs[array] = True
    return np.flatnonzero(occurs)


# Pairs of hands


@helper
def _bring_together(holding: Words, weights: Words, alike: Words) -> int:
    """Put each kind of these hands once in their place, with the weight of all hands of it; how many kinds there are.

    Some 1,000 hands that hold five cards are of 100 kinds. `alike` has room for every kind, and is empty before and after.
    """
    met = 0
    for at in range(holding.size):
        kind = holding[at]
        if not alike[kind]:
            holding[met] = kind
            met += 1
        alike[kind] += weights[at]
    for at in range(met):
        weights[at] = alike[holding[at]]
        alike[holding[at]] = 0
    return met


@helper
def _number(marks: Ints, places: Words) -> int:
    """Number the marked values from the lowest, and take the marks away; how many there are."""
    count = 0
    for word in range(marks.size):
        left = marks[word]
        marks[word] = 0
        while left:
            places[word * 64 + bits((left & -left) - 1)] = count
            count += 1
            left &= left - 1
    return count


@helper
def _mark(marks: Ints, value: int) -> None:
    marks[value >> 6] |= 1 << (value & 63)


@helper
def _fill_grid(holding: Words, weights: Words, kinds: Ints, fronts: Words, backs: Words, grid: Words) -> int:
    """Count the dealer's hands by front and back, summed up from the low corner; how many are no Queen-high pai gow."""
    grid[:] = 0
    total = 0
    for at in range(holding.size):
        his = kinds[holding[at]] & HIS_MASK
        if not his >> QUEEN_BIT:
            grid[fronts[his >> BACK_BITS] + 1, backs[his & BACK_MASK] + 1] += weights[at]
            total += weights[at]
    for x in range(1, grid.shape[0]):
        along = 0
        for y in range(1, grid.shape[1]):
            along += grid[x, y]
            grid[x, y] = along + grid[x - 1, y]
    return total


@helper
def _count_pairs(
    holding: Words, weights: Words, kinds: Ints, marks: Ints, fronts: Words, backs: Words, room: Words, ends: Ints
) -> None:
    """Count pairs by a grid of the dealer's fronts and backs, of which only those that occur here have rows and columns."""
    for kind in holding:
        for word in (kinds[kind] >> MY_BITS, kinds[kind]):
            _mark(marks[0], word >> BACK_BITS & FRONT_MASK)
            _mark(marks[1], word & BACK_MASK)
    top, right = _number(marks[0], fronts), _number(marks[1], backs)
    grid = room[: (top + 1) * (right + 1)].reshape(top + 1, right + 1)
    live, every = _fill_grid(holding, weights, kinds, fronts, backs, grid), 0
    win, lower_fronts, lower_backs, front_copy, back_copy, both_copy = 0, 0, 0, 0, 0, 0
    for at in range(holding.size):
        word, weight = kinds[holding[at]] >> MY_BITS, weights[at]
        front, back = fronts[word >> BACK_BITS & FRONT_MASK], backs[word & BACK_MASK]
        both, lower_front, lower_back = grid[front, back], grid[front, right], grid[top, back]
        win += weight * both
        lower_fronts += weight * lower_front
        lower_backs += weight * lower_back
        front_copy += weight * (grid[front + 1, right] - lower_front)
        back_copy += weight * (grid[top, back + 1] - lower_back)
        both_copy += weight * (grid[front + 1, back + 1] - grid[front + 1, back] - grid[front, back + 1] + both)
        every += weight
    ends[WIN] += win
    ends[LOSE] += every * live - lower_fronts - lower_backs + win
    ends[FRONT_COPY] += front_copy
    ends[BACK_COPY] += back_copy
    ends[BOTH_COPY] += both_copy
    ends[QUEEN_HIGH] += every * (every - live)


@loop((INT_TABLE, INT, INT, INT_ROW, INT_TABLE, INT_ROW, INT_TABLE, WORD_ROW, INT_ROW, INT_TABLE, INT, INT))
def _count_sharing(
    sets: Ints,
    natural: int,
    ranks: int,
    shape: Ints,
    parts: Ints,
    fuller: Ints,
    starts: Ints,
    kind_of: Words,
    kinds: Ints,
    ends: Ints,
    first: int,
    last: int,
) -> None:
    """EPG-11: for each set, the pairs of hands that hold it and win or lose (the dealer wins ties), times its class.

    Pairs with the dealer's Queen-high pai gow (EPG-0) are counted apart. Each processor adds to the row of its first set.
    """
    most, own = number_holding(sets[first], ranks), np.zeros(ENDS, np.int64)
    room, weights = np.empty(most, np.int32), np.empty(most, np.int32)
    grid, marks = np.zeros((shape[0] + 1) * (shape[1] + 1), np.int32), np.zeros((2, shape.max() // 64 + 1), np.int64)
    fronts, backs, alike = np.zeros(shape[0], np.int32), np.zeros(shape[1], np.int32), np.zeros(kinds.size, np.int32)
    for at in range(first, last):
        met = all_holding(sets[at], natural, parts, fuller, starts, kind_of, room, weights)
        met = _bring_together(room[:met], weights[:met], alike)
        own[:] = 0
        _count_pairs(room[:met], weights[:met], kinds, marks, fronts, backs, grid, own)
        factor = sets[at, 5] * (1 - 2 * (cards_in(sets[at]) & 1))
        for end in range(ENDS):
            ends[first, end] += own[end] * factor


@dataclass(frozen=True)
class Pairs:
    """All deals of a player's and a dealer's hand, by how the base wager ends.

    Copies are counted among the deals that the dealer's Queen-high pai gow does not decide.
    """

    win: int
    lose: int
    queen_high: int
    front_copy: int
    back_copy: int
    both_copy: int


def both_words(player: Values, dealer: Values) -> tuple[Ints, Words, Words]:
    """How many fronts and backs there are, and how the player and how the dealer sets each class of hands."""
    order = Order.of([player[:, 0], dealer[:, 0]], [player[:, 1], dealer[:, 1]])
    his = order.words(dealer)
    return order.shape, his if player is dealer else order.words(player), his


@dataclass(frozen=True)
class PairCount:
    """All that pairs are counted by: part after part of the sets of cards that two hands can share.

    `kind_of` has the kind of every hand by its number, 0.6 GB for the full deck, and is the bulk of it.
    """

    hands: Hands
    shape: Ints
    kind_of: Words
    kinds: Ints
    same: Ints

    @classmethod
    def of(cls, hands: Hands, shape: Ints, mine: Words, his: Words) -> "PairCount":
        """For hands set as these words say (see `both_words`). The classes are let go of once the hands are told apart."""
        same = _count_same(mine, his, hands.classes[:, 5])
        kinds, places = _tell_apart(mine, his)
        kind_of = hands.spread(places)
        hands.forget_classes()
        return cls(hands, shape, kind_of, kinds, same)

    @cached_property
    def parts(self) -> list[Ints]:
        """The sets of cards, in parts that take a second or so."""
        return parted_sets(len(self.hands.deck.ranks))

    def count(self, first: int, last: int) -> Tallies:
        """The pairs that share the sets of these parts, by how they end, with their signs."""
        sums = np.zeros(ENDS, np.int64)
        for sets in self.parts[first:last]:
            ends = np.zeros((len(sets), ENDS), np.int64)
            given = (sets, self.hands.deck.natural, len(self.hands.deck.ranks), self.shape, *self.hands.numbering)
            _count_sharing(*given, self.kind_of, self.kinds, ends, 0, len(sets))
            sums += ends.sum(axis=0)
        return {"ends": sums}


def count_deals(hands: Hands, player: Values, dealer: Values, key: str, progress: Progress | None = None) -> Pairs:
    """All deals, each hand set as its values say (see `set_by_house_way`); what is done so far is kept under `key`."""
    counted = PairCount.of(hands, *both_words(player, dealer))
    return carried_out(counted, counted.count, key, progress)


def carried_out(counted: PairCount, work: Work, key: str, progress: Progress | None) -> Pairs:
    """Count all parts by the engine in use; `work` is what its workers do."""
    ends = done_in_chunks(work, len(counted.parts), key, progress)["ends"]
    return Pairs(*map(int, ends - counted.same))


def _tell_apart(mine: Words, his: Words) -> tuple[Ints, Words]:
    """The kinds of hands that occur (150,000 of the full deck), and of which of them each class is."""
    occur, places = list[Ints](), np.empty(len(mine), np.int32)

    def both(first: int, last: int) -> Ints:
        return np.asarray(mine[first:last].astype(np.int64) << MY_BITS | his[first:last])

    def list_kinds(first: int, last: int) -> None:
        occur.append(np.unique(both(first, last)))

    def find_places(first: int, last: int) -> None:
        places[first:last] = np.searchsorted(kinds, both(first, last))

    share(len(mine), list_kinds)
    kinds = np.unique(np.concatenate(occur))
    share(len(mine), find_places)
    return kinds, places


def _count_same(mine: Words, his: Words, weights: Ints) -> Ints:
    """The last term: a hand that is both the player's and the dealer's, each set his own way."""
    counted = list[Ints]()

    def count(first: int, last: int) -> None:
        player, dealer = mine[first:last], his[first:last]
        is_live = dealer >> QUEEN_BIT == 0
        front = (player >> BACK_BITS & FRONT_MASK) - (dealer >> BACK_BITS & FRONT_MASK)
        back = (player & BACK_MASK) - (dealer & BACK_MASK)
        ends = (
            (front > 0) & (back > 0) & is_live,
            (front <= 0) & (back <= 0) & is_live,
            ~is_live,
            (front == 0) & is_live,
            (back == 0) & is_live,
            (front == 0) & (back == 0) & is_live,
        )
        counted.append(np.array([weights[first:last] @ end for end in ends]))

    share(len(mine), count)
    return np.asarray(np.sum(counted, axis=0))
