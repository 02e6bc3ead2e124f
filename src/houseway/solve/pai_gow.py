"""EZ Pai Gow's base wager, exactly: every pair of disjoint seven-card hands, each set by a House Way.

The pairs that share no card are counted without meeting them: the number of disjoint pairs with a property is the
alternating sum, over all sets S of cards, of the pairs of hands that both hold S and have it. One S is taken of each
class of sets that differ by the names of suits only.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from houseway.cards import JOKER
from houseway.games.ez_pai_gow.ranking import rank_back, rank_front
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop
from houseway.kernels.count import Progress
from houseway.solve.hands import (
    BACK_BITS,
    BACK_MASK,
    FRONT_MASK,
    HAND,
    HANDS,
    QUEEN_BIT,
    SUITS,
    SetHands,
    Words,
    all_holding,
    all_without,
    classes_of,
    number_parts,
    set_all_hands,
    share,
)

AGAINST = comb(53 - HAND, HAND)
"""The dealer's hands that are left beside a player's."""
DEALS = HANDS * AGAINST
GRID_FROM = 100_000
"""From so many hands on, a grid of all fronts and backs is quicker than a tree."""
WINS, LOSES, QUEEN_HIGHS = range(3)


@helper
def _fill_grid(his: Words, grid: Ints) -> int:
    """Count the dealer's hands by front and back, summed up from the low corner; how many are no Queen-high pai gow."""
    grid[:] = 0
    total = 0
    for word in his:
        if not word >> QUEEN_BIT:
            grid[(word >> BACK_BITS) + 1, (word & BACK_MASK) + 1] += 1
            total += 1
    for x in range(1, grid.shape[0]):
        along = 0
        for y in range(1, grid.shape[1]):
            along += grid[x, y]
            grid[x, y] = along + grid[x - 1, y]
    return total


@helper
def _grid_pairs(mine: Words, his: Words, grid: Ints, ends: Ints) -> None:
    """Count pairs by a grid of his fronts and backs."""
    total, top, right = _fill_grid(his, grid), grid.shape[0] - 1, grid.shape[1] - 1
    for word in mine:
        front, back = word >> BACK_BITS & FRONT_MASK, word & BACK_MASK
        ends[WINS] += grid[front, back]
        ends[LOSES] += total - grid[front, right] - grid[top, back] + grid[front, back]
    ends[QUEEN_HIGHS] += mine.size * (his.size - total)


@helper
def _below(tree: Ints, back: int) -> int:
    """How many of the backs in the tree are lower."""
    found = 0
    while back > 0:
        found += tree[back]
        back &= back - 1
    return found


@helper
def _put(tree: Ints, back: int) -> None:
    place = back + 1
    while place < tree.size:
        tree[place] += 1
        place += place & -place


@helper
def _clear(tree: Ints, back: int) -> None:
    place = back + 1
    while place < tree.size:
        tree[place] = 0
        place += place & -place


@helper
def _chain(words: Words, heads: Ints, following: Ints) -> None:
    """Chain the hands of each front together."""
    heads[:] = -1
    for place in range(words.size):
        front = words[place] >> BACK_BITS & FRONT_MASK
        following[place], heads[front] = heads[front], place


@helper
def _tree_pairs(mine: Words, his: Words, tree: Ints, heads: Ints, following: Ints, ends: Ints) -> None:
    """Count pairs by a tree of his backs, which is filled front by front from the lowest."""
    _chain(mine, heads[0], following[0])
    _chain(his, heads[1], following[1])
    inserted = 0
    for front in range(heads.shape[1]):
        place = heads[0, front]
        while place >= 0:
            below = _below(tree, mine[place] & BACK_MASK)
            ends[WINS] += below
            ends[LOSES] += below - inserted  # of the lower fronts none; of all fronts, see below
            place = following[0, place]
        place = heads[1, front]
        while place >= 0:
            if not his[place] >> QUEEN_BIT:
                _put(tree, his[place] & BACK_MASK)
                inserted += 1
            place = following[1, place]
    for word in mine:
        ends[LOSES] += inserted - _below(tree, word & BACK_MASK)
    ends[QUEEN_HIGHS] += mine.size * (his.size - inserted)
    for word in his:
        _clear(tree, word & BACK_MASK)


@loop((INT_TABLE, INT, INT, INT_ROW, INT_TABLE, WORD_ROW, WORD_ROW, INT_TABLE, INT, INT))
def _count_sharing(
    sets: Ints, size: int, same: int, shape: Ints, parts: Ints, mine: Words, his: Words, ends: Ints, first: int, last: int
) -> None:
    """EPG-11: for each set, the pairs of hands that hold it and win or lose (the dealer wins ties), times its class.

    Pairs with the dealer's Queen-high pai gow (EPG-0) are counted apart. Each processor adds to the row of its first set.
    """
    most = 1
    for more in range(HAND - size):
        most = most * (53 - size - more) // (more + 1)
    found, others = np.zeros(most, np.int32), np.zeros(1 if same else most, np.int32)
    grid, tree = np.zeros((shape[0] + 1, shape[1] + 1), np.int64), np.zeros(shape[1] + 1, np.int64)
    heads, following, own = np.zeros((2, shape[0]), np.int64), np.zeros((2, most), np.int64), np.zeros(3, np.int64)
    for at in range(first, last):
        all_holding(sets[at, :SUITS], sets[at, 4], size, parts, mine, found)
        if not same:
            all_holding(sets[at, :SUITS], sets[at, 4], size, parts, his, others)
        own[:] = 0
        if most >= GRID_FROM:
            _grid_pairs(found, found if same else others, grid, own)
        else:
            _tree_pairs(found, found if same else others, tree, heads, following, own)
        for end in range(3):
            ends[first, end] += own[end] * sets[at, 5]


@loop((WORD_ROW, INT_TABLE, INT_ROW))
def _grid_of(his: Words, grid: Ints, counted: Ints) -> None:
    counted[0] = _fill_grid(his, grid)


@dataclass(frozen=True)
class SetValue:
    """A legal set of seven cards: the two in front, what both parts count, and its deals by how the base wager ends."""

    front: tuple[int, int]
    front_value: int
    back_value: int
    win: int
    lose: int

    @property
    def value(self) -> Fraction:
        """What the base wager is worth."""
        return Fraction(self.win - self.lose, AGAINST)


def value_sets(cards: tuple[int, ...], dealer: Ints, hands: SetHands) -> list[SetValue]:
    """Every legal set of a hand against all of the dealer's hands that are left, the best first.

    `hands` are all hands as the dealer's House Way sets them.
    """
    barred = np.zeros(SUITS, np.int64)
    for card in cards:
        if card != JOKER:
            barred[card & 3] |= 1 << (card >> 2)
    found = np.zeros(AGAINST, np.int32)
    all_without(barred, int(JOKER in cards), number_parts(), hands.tables[-1], found)
    grid, counted = np.zeros(tuple(hands.shape + 1), np.int64), np.zeros(1, np.int64)
    _grid_of(found, grid, counted)
    values, tape = [], np.array(cards, np.int64)
    for a, b in combinations(range(HAND), 2):
        front, back = int(rank_front(tape, a, b, dealer)), int(rank_back(tape, 0, a, b, dealer))
        if back > front:
            low_front, low_back = np.searchsorted(hands.fronts, front), np.searchsorted(hands.backs, back)
            win = int(grid[low_front, low_back])
            lose = int(counted[0] - grid[low_front, -1] - grid[-1, low_back] + grid[low_front, low_back])
            values.append(SetValue((cards[a], cards[b]), front, back, win, lose))
    return sorted(values, key=lambda one: one.value, reverse=True)


@dataclass(frozen=True)
class Pairs:
    """All deals of a player's and a dealer's hand, by how the base wager ends."""

    win: int
    lose: int
    queen_high: int

    @property
    def push(self) -> int:
        """One hand each, or the dealer's Queen-high pai gow."""
        return DEALS - self.win - self.lose


def count_deals(player: Ints, dealer: Ints, queen_high_pushes: bool = True, progress: Progress | None = None) -> Pairs:
    """All 8,250,459,031,214,400 deals, the player's hand set by one House Way and the dealer's by another."""
    same = bool((player == dealer).all())
    hands = set_all_hands([player] if same else [player, dealer], queen_high_pushes)
    mine, his = hands.tables[0], hands.tables[-1]
    work = [len(classes_of(size)) * comb(53 - size, HAND - size) for size in range(HAND)]
    sums, done = [0, 0, 0], 0
    for size in range(HAND):
        sets = classes_of(size)
        step = max(len(sets) // 12, 1)
        for first in range(0, len(sets), step):
            part, ends = sets[first : first + step], np.zeros((step, 3), np.int64)

            def count(begin: int, end: int, part: Ints = part, size: int = size, ends: Ints = ends) -> None:
                _count_sharing(part, size, same, hands.shape, number_parts(), mine, his, ends, begin, end)

            share(len(part), count)
            sums = [total + (-1) ** size * sum(int(one) for one in column) for total, column in zip(sums, ends.T, strict=True)]
            if progress:
                progress(done + work[size] * min(first + step, len(sets)) // len(sets), sum(work))
        done += work[size]
    return Pairs(*(total - end for total, end in zip(sums, _count_same(mine, his), strict=True)))


def _count_same(mine: Words, his: Words) -> list[int]:
    """The last term: a hand that is both the player's and the dealer's, each set his own way."""
    ends = [0, 0, 0]
    for first in range(0, HANDS, 1 << 24):
        a, b = mine[first : first + (1 << 24)], his[first : first + (1 << 24)]
        queen = b >> QUEEN_BIT > 0
        front = (a >> BACK_BITS & FRONT_MASK) - (b >> BACK_BITS & FRONT_MASK)
        back = (a & BACK_MASK) - (b & BACK_MASK)
        for end, found in enumerate(((front > 0) & (back > 0) & ~queen, (front <= 0) & (back <= 0) & ~queen, queen)):
            ends[end] += int(found.sum())
    return ends
