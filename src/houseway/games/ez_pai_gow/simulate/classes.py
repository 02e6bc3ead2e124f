"""The class of a hand found without a table of all hands: from the ranks held in each suit, by sums that fit near a processor.

Classes are listed suit by suit, in loops of which each begins where the one before stands if both suits have as many cards
(`solve.hands`). So the place of a class is, summed over the suits in order, how many classes come before its rows: a number
that hangs on this suit's row, and on the row of the suit before.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, inlined
from houseway.kernels.stream import Int

from ..solve.hands import HAND, SUITS, suit_patterns

RANKS = 13
ROW_BITS = 11
LANE_BITS, LANE_MASK = 16, (1 << RANKS) - 1
JOKER_BIT = RANKS
"""The ranks of a hand, 16 bits for each suit; the joker is a fourteenth rank of the first suit, as its card's number has it."""


class ClassTables(NamedTuple):
    """What a class is found by: for each set of ranks its key, for each pattern of suits where its sums begin, and the sums.

    A key has the fewer cards the greater it is, and then the row of the ranks: so suits are in order when their keys are.
    """

    keys: NDArray[np.int16]
    begins: NDArray[np.int32]
    sums: NDArray[np.int32]


def class_tables() -> ClassTables:
    """The tables, for the full deck."""
    keys = np.zeros(1 << RANKS, np.int16)
    for size in range(HAND + 1):
        for row, ranks in enumerate(combinations(range(RANKS), size)):
            keys[sum(1 << rank for rank in ranks)] = HAND - size << ROW_BITS | row
    begins = np.zeros((2 * (HAND + 1) ** 3, SUITS), np.int32)
    sums: list[Ints] = []
    before, at = 0, 0
    for jokers in range(2):
        for pattern in suit_patterns(HAND - jokers, RANKS):
            own = _sums_of(pattern)
            for suit, each in enumerate(own):
                begins[_pattern_place(pattern, jokers), suit] = at
                sums.append(each + before * (suit == 0))
                at += len(each)
            before += int(own[0][-1])
    return ClassTables(keys, begins.ravel(), np.concatenate(sums).astype(np.int32))


def _pattern_place(pattern: Sequence[int], jokers: int) -> int:
    most, second, third, _ = (HAND - size for size in pattern)
    return ((most * (HAND + 1) + second) * (HAND + 1) + third) * 2 + jokers


def _sums_of(pattern: Sequence[int]) -> list[Ints]:
    """For each suit and row, the classes of a pattern that have an earlier row there, the suits before being the same."""
    rows, after = [comb(RANKS, size) for size in pattern], np.ones(1, np.int64)
    sums: list[Ints] = []
    for suit in reversed(range(SUITS)):  # `after`: how many ways there are for the suits that follow, by this suit's row
        tied = suit + 1 < SUITS and pattern[suit] == pattern[suit + 1]
        each = after if tied else np.full(rows[suit], after[0])
        sums.insert(0, np.concatenate([[0], np.cumsum(each)]))
        ways_from = each[::-1].cumsum()[::-1]  # with this row or a later one
        is_tied = suit > 0 and pattern[suit - 1] == pattern[suit]
        after = ways_from if is_tied else ways_from[:1]
    return sums


@inlined
def in_order(one: Int, other: Int) -> tuple[Int, Int]:
    """The lesser first."""
    return min(one, other), max(one, other)


@inlined
def ranks_key(tables: ClassTables, held: Int, suit: Int) -> Int:
    """The key of a suit."""
    return np.int64(tables.keys[np.uint64(held >> LANE_BITS * suit & LANE_MASK)])


@inlined
def row_of(key: Int) -> Int:
    """The row of a key."""
    return key & (1 << ROW_BITS) - 1


@inlined
def before(tables: ClassTables, begin: Int, key: Int, previous: Int) -> Int:
    """How many classes come before, by a suit's row and, where it has as many cards, that of the suit before."""
    first = row_of(previous) if previous >> ROW_BITS == key >> ROW_BITS else np.int64(0)
    return np.int64(tables.sums[np.uint64(begin + row_of(key))]) - np.int64(tables.sums[np.uint64(begin + first)])


@inlined
def class_number(tables: ClassTables, first: Int, second: Int, third: Int, fourth: Int, joker: Int) -> Int:
    """The place of a hand's class, from the keys of its suits in any order."""
    first, second = in_order(first, second)
    third, fourth = in_order(third, fourth)
    first, third = in_order(first, third)
    second, fourth = in_order(second, fourth)
    second, third = in_order(second, third)
    sizes = (first >> ROW_BITS) * (HAND + 1) + (second >> ROW_BITS)
    pattern = SUITS * ((sizes * (HAND + 1) + (third >> ROW_BITS)) * 2 + joker)
    place = np.int64(tables.sums[np.uint64(tables.begins[np.uint64(pattern)] + row_of(first))])
    place += before(tables, np.int64(tables.begins[np.uint64(pattern + 1)]), second, first)
    place += before(tables, np.int64(tables.begins[np.uint64(pattern + 2)]), third, second)
    return place + before(tables, np.int64(tables.begins[np.uint64(pattern + 3)]), fourth, third)
