"""All 154,143,080 seven-card hands of 52 cards and a joker: their numbers, their classes, and how a House Way sets each.

Cards are taken suit by suit, so that the number of a hand is a sum of four parts, one a suit; a suit's part depends on its
ranks (a lane of 13 bits) and on how many cards come before it. Hands that differ by the names of suits only are one
class: a House Way is asked once a class, and its answer written to the places of all its hands.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, permutations
from math import comb
from os import cpu_count

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER
from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import QUEEN, rank_back, rank_front
from houseway.games.ez_pai_gow.rules import pai_gow_high
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop

HAND, SUITS, RANKS = 7, 4, 13
NATURAL, WITH_JOKER = comb(52, HAND), comb(52, HAND - 1)
HANDS = NATURAL + WITH_JOKER
BACK_BITS, FRONT_BITS = 13, 7
QUEEN_BIT = BACK_BITS + FRONT_BITS
"""A word tells how a hand is set: back | front << 13 | Queen-high pai gow << 20, the first two as places in their order."""
BACK_MASK, FRONT_MASK = (1 << BACK_BITS) - 1, (1 << FRONT_BITS) - 1
Words = NDArray[np.int32]


@cache
def number_parts() -> Ints:
    """For each suit, number of cards in the suits before, and set of ranks: what it adds to a hand's number."""
    parts = np.zeros((SUITS * 8, 1 << RANKS), np.int64)
    for suit in range(SUITS):
        for before in range(8):
            for ranks in range(1 << RANKS):
                place = before
                for rank in range(RANKS):
                    if ranks >> rank & 1:
                        place += 1
                        parts[suit * 8 + before, ranks] += comb(suit * RANKS + rank, place)
    return parts


@helper
def bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@loop((*[INT_TABLE] * 4, INT, INT_TABLE, INT_ROW))
def _list_classes(a: Ints, b: Ints, c: Ints, d: Ints, jokers: int, found: Ints, filled: Ints) -> None:
    """One set of each class with so many cards in each suit: its lanes, its joker, and how many sets there are of it.

    Suits with equally many cards take non-decreasing rows, so that each class is met once.
    """
    na, nb, nc, nd = a.shape[1], b.shape[1], c.shape[1], d.shape[1]
    at = filled[0]
    for i in range(a.shape[0]):
        for j in range(i if na == nb else 0, b.shape[0]):
            run_j = 2 if na == nb and i == j else 1
            for k in range(j if nb == nc else 0, c.shape[0]):
                run_k = run_j + 1 if nb == nc and j == k else 1
                for m in range(k if nc == nd else 0, d.shape[0]):
                    run_m = run_k + 1 if nc == nd and k == m else 1
                    found[at, 0], found[at, 1], found[at, 2], found[at, 3] = _mask(a[i]), _mask(b[j]), _mask(c[k]), _mask(d[m])
                    found[at, 4] = jokers
                    found[at, 5] = 24 // (run_j * run_k * run_m)
                    at += 1
    filled[0] = at


@helper
def _mask(ranks: Ints) -> int:
    mask = 0
    for rank in ranks:
        mask |= 1 << rank
    return mask


def classes_of(size: int) -> Ints:
    """One set of so many cards for each class: four lanes, joker, how many there are of it."""
    ranks = [np.array(list(combinations(range(RANKS), n)), np.int64).reshape(comb(RANKS, n), n) for n in range(8)]
    most = (comb(53, size) if size < 5 else comb(53, size) // 24 + 2_000_000) + 1
    found, filled = np.zeros((most, 6), np.int64), np.zeros(1, np.int64)
    for jokers in (0, 1):
        for pattern in _suit_patterns(size - jokers):
            _list_classes(*(ranks[n] for n in pattern), jokers, found, filled)
    assert found[:, 5].sum() == comb(53, size)
    return found[: filled[0]]


@loop((INT_TABLE, INT_ROW, INT_TABLE, INT, INT))
def _set(classes: Ints, settings: Ints, values: Ints, first: int, last: int) -> None:
    """How the House Way sets one hand of each class: the value of its front and its back, and Queen-high pai gow."""
    tape = np.zeros(HAND, np.int64)
    for at in range(first, last):
        place = 0
        for suit in range(SUITS):
            for rank in range(RANKS):
                if classes[at, suit] >> rank & 1:
                    tape[place] = 4 * rank + suit
                    place += 1
        if classes[at, 4]:
            tape[place] = JOKER
        answer = set_seven(tape, 0, settings)
        front, back = answer >> 3 & 7, answer & 7
        values[at, 0] = rank_front(tape, front, back, settings)
        values[at, 1] = rank_back(tape, 0, front, back, settings)
        values[at, 2] = pai_gow_high(tape, 0, settings) == QUEEN


@loop((INT_TABLE, INT_ROW, INT_TABLE, INT_TABLE, WORD_ROW, INT, INT))
def _spread(found: Ints, words: Ints, parts: Ints, orders: Ints, table: Words, first: int, last: int) -> None:
    """Write how each class is set to the places of all its hands."""
    for row in range(first, last):
        base = NATURAL if found[row, 4] else 0
        for order in range(orders.shape[0]):
            number, before = base, 0
            for suit in range(SUITS):
                mask = found[row, orders[order, suit]]
                number += parts[suit * 8 + before, mask]
                before += bits(mask)
            table[number] = words[row]


def _suit_patterns(size: int) -> Iterator[tuple[int, int, int, int]]:
    for a in range(min(size, RANKS), -1, -1):
        for b in range(min(a, size - a), -1, -1):
            for c in range(min(b, size - a - b), -1, -1):
                if size - a - b - c <= c:
                    yield a, b, c, size - a - b - c


@dataclass(frozen=True)
class SetHands:
    """A word for every hand and House Way, and the values that the places in it stand for."""

    tables: list[Words]
    fronts: Ints
    backs: Ints

    @property
    def shape(self) -> Ints:
        """How many fronts and backs there are."""
        return np.array([len(self.fronts), len(self.backs)])


def set_all_hands(ways: list[Ints], queen_high_pushes: bool = True) -> SetHands:
    """Set every hand by each of these House Ways."""
    classes = classes_of(HAND)
    values = [np.zeros((len(classes), 3), np.int64) for _ in ways]
    for settings, value in zip(ways, values, strict=True):
        share(len(classes), partial(_set, classes, settings, value))
    every = np.concatenate(values)
    fronts, front = np.unique(every[:, 0], return_inverse=True)
    backs, back = np.unique(every[:, 1], return_inverse=True)
    assert len(backs) <= BACK_MASK and len(fronts) <= FRONT_MASK
    words = back | front << BACK_BITS | every[:, 2] * queen_high_pushes << QUEEN_BIT
    orders = np.array(list(permutations(range(SUITS))), np.int64)
    tables = []
    for own in np.split(words, len(ways)):
        table = np.zeros(HANDS, np.int32)
        share(len(classes), partial(_spread, classes, own, number_parts(), orders, table))
        tables.append(table)
    return SetHands(tables, fronts, backs)


def share(size: int, work: Callable[[int, int], None]) -> None:
    """Share work out among the processors: it is called with where to begin and where to end."""
    cores = min(cpu_count() or 1, max(size, 1))
    bounds = [size * part // cores for part in range(cores + 1)]
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(work, bounds[:-1], bounds[1:]))


# The hands that hold a set of cards


@helper
def _free_cards(held: Ints, barred: Ints, free: Ints) -> int:
    """List the cards, suit by suit, that are in none of these lanes; how many there are."""
    left = 0
    for card in range(52):
        if not (held[card // RANKS] | barred[card // RANKS]) >> card % RANKS & 1:
            free[left] = card
            left += 1
    return left


@helper
def _prepare(lanes: Ints, base: int, parts: Ints, row: Ints, rest: Ints) -> None:
    """For each suit that one more card may go to: the row of its part, and the sum of the other suits' parts."""
    before = 0
    for suit in range(SUITS):
        row[suit] = suit * 8 + before
        before += bits(lanes[suit])
    for suit in range(SUITS):
        rest[suit] = base
        for other in range(SUITS):
            if other != suit:
                rest[suit] += parts[row[other] + (other > suit), lanes[other]]


@helper
def _next_choice(chosen: Ints, size: int, left: int) -> bool:
    """The next choice of places, all but the lowest, which runs by itself; whether there is one."""
    place = 1
    while place < size and chosen[place] + 1 == (chosen[place + 1] if place + 1 < size else left):
        place += 1
    if place >= size:
        return False
    chosen[place] += 1
    for earlier in range(1, place):
        chosen[earlier] = earlier
    return True


@helper
def _append_holding(held: Ints, barred: Ints, size: int, base: int, parts: Ints, table: Words, at: int, found: Words) -> int:
    """Append what the table says of every hand that holds these lanes and `size` cards more, none barred; where it ends.

    Only the lowest card moves in the inner loop: of the four parts of a hand's number one depends on it alone, and the
    places in the table are near each other.
    """
    lanes, row, rest = held.copy(), np.zeros(SUITS, np.int64), np.zeros(SUITS, np.int64)
    free, chosen = np.zeros(52, np.int64), np.arange(max(size, 1))
    left = _free_cards(held, barred, free)
    if size == 0:
        number, before = base, 0
        for suit in range(SUITS):
            number += parts[suit * 8 + before, held[suit]]
            before += bits(held[suit])
        found[at] = table[number]
        return at + 1
    going_on = True
    while going_on:
        for suit in range(SUITS):
            lanes[suit] = held[suit]
        for place in range(1, size):
            card = free[chosen[place]]
            lanes[card // RANKS] |= 1 << card % RANKS
        _prepare(lanes, base, parts, row, rest)
        for lowest in range(chosen[1] if size > 1 else left):
            suit = free[lowest] // RANKS
            found[at] = table[rest[suit] + parts[row[suit], lanes[suit] | 1 << free[lowest] % RANKS]]
            at += 1
        going_on = _next_choice(chosen, size, left)
    return at


@helper
def all_holding(held: Ints, joker: int, size: int, parts: Ints, table: Words, found: Words) -> None:
    """What the table says of every hand that holds these `size` cards: four lanes and perhaps the joker."""
    nothing = np.zeros(SUITS, np.int64)
    if joker:
        _append_holding(held, nothing, HAND - size, NATURAL, parts, table, 0, found)
    else:
        at = _append_holding(held, nothing, HAND - size, 0, parts, table, 0, found)
        _append_holding(held, nothing, HAND - 1 - size, NATURAL, parts, table, at, found)


@loop((INT_ROW, INT, INT_TABLE, WORD_ROW, WORD_ROW))
def all_without(barred: Ints, joker: int, parts: Ints, table: Words, found: Words) -> None:
    """What the table says of every hand that holds none of these cards: four lanes and perhaps the joker."""
    nothing = np.zeros(SUITS, np.int64)
    at = _append_holding(nothing, barred, HAND, 0, parts, table, 0, found)
    if not joker:
        _append_holding(nothing, barred, HAND - 1, NATURAL, parts, table, at, found)
