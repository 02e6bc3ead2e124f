"""Sums of terms over cards drawn: hands side by side that are drawn from one shoe, never met one by one.

A term is some cards drawn, packed into a key, and its weight by net result. Hands side by side multiply. In a shoe with n cards
of a value, k of them are drawn in a given order in n(n-1)...(n-k+1) ways, which for two sides together is no product. But it is
a sum of products, by inclusion and exclusion over the cards that both sides hold:

    ways(a + b) = sum over j of (-1)^j C(n, j) held(a, j) held(b, j),    held(k, j) = k...(k-j+1) (n-j)...(n-k+1)

where held(k, j) are the ways to draw k cards in order, j given ones among them. So each side is summed up once for all j, value
after value, and only these sums meet. Weights are floats, or whole numbers modulo a prime (`prime` 0: floats).

A key has how many cards are drawn and how many of each value, tens in the lowest digit. As a value is summed up, its digit, now
the cards shared, moves to the top, so that terms in order stay in order.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, isqrt, perm
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper

from .hands import Numbers, fraction
from .rulings import VALUES

DIGIT_BITS, SIZE_BITS = 5, 6
KEY_BITS = SIZE_BITS + VALUES * DIGIT_BITS
DIGIT, SIZE, TOP_DIGIT = (1 << DIGIT_BITS) - 1, (1 << SIZE_BITS) - 1, KEY_BITS - DIGIT_BITS
MIXED = -7046029254386353131
"""An odd number that mixes the digits of a key."""
PRIME_BITS = 28
"""Some thirty products of two numbers below a prime fit into a word."""
DOUBT = 1 << 12
"""Weights raise the ways to draw cards by less than half of this."""
Terms = tuple[Ints, Numbers]


def terms(cards: Ints, weights: Numbers) -> Terms:
    """Terms from rows of how many cards of each value are drawn."""
    sizes = cards.sum(axis=1)
    assert cards.max(initial=0) <= DIGIT and sizes.max(initial=0) <= SIZE
    return sizes << VALUES * DIGIT_BITS | cards @ (1 << DIGIT_BITS * np.arange(VALUES)[::-1]), weights


@helper
def _gather(
    keys_a: Ints, rows_a: Numbers, keys_b: Ints, rows_b: Numbers, slots: Ints, keys: Ints, rows: Numbers, done: Ints
) -> None:
    """Every term of one sum times every term of another, gathered by their cards, as far as there is room.

    `done` is how many terms of the first sum are multiplied, and how many terms there are now.
    """
    columns_a, columns_b, mask, size = rows_a.shape[1], rows_b.shape[1], slots.size - 1, done[1]
    while done[0] < keys_a.size and size + keys_b.size <= keys.size:
        a = done[0]
        for b in range(keys_b.size):
            key = keys_a[a] + keys_b[b]
            slot = (key * MIXED >> 38) & mask
            while slots[slot] >= 0 and keys[slots[slot]] != key:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot], keys[size] = size, key
                size += 1
            place = slots[slot]
            for j in range(columns_b):
                weight = rows_b[b, j]
                for i in range(columns_a):
                    rows[place, i + j] += weight * rows_a[a, i]
        done[0] += 1
    done[1] = size


@helper
def _groups(keys: Ints, shared_bits: int, prefixes: Ints, tops: Ints) -> tuple[Ints, Ints]:
    """Where terms begin that differ in the lowest digit only, and how many cards of it they can share with the other side.

    `prefixes` are the shared cards that the other side knows, and `tops` how many of the next value it then holds at most.
    """
    starts, mosts, size, known = np.zeros(keys.size + 1, np.int64), np.full(keys.size + 1, -1, np.int64), 0, 0
    for at in range(keys.size):
        if at == 0 or keys[at] >> DIGIT_BITS != keys[at - 1] >> DIGIT_BITS:
            starts[size] = at
            size += 1
        prefix = keys[at] >> shared_bits
        while known < prefixes.size and prefixes[known] < prefix:
            known += 1
        if known < prefixes.size and prefixes[known] == prefix:
            mosts[size - 1] = min(keys[at] & DIGIT, tops[known])
    starts[size] = keys.size
    return starts[: size + 1], mosts[: size + 1]


@helper
def _sum_up(keys: Ints, rows: Numbers, starts: Ints, mosts: Ints, held: Numbers, prime: int) -> tuple[Ints, Numbers]:
    """Terms by how many cards of the lowest digit are shared, instead of how many are drawn."""
    places = np.zeros(DIGIT + 2, np.int64)
    for group in range(starts.size - 1):
        for shared in range(mosts[group] + 1):
            places[shared + 1] += 1
    for shared in range(DIGIT + 1):
        places[shared + 1] += places[shared]
    shared_keys, sums = np.zeros(places[DIGIT + 1], np.int64), np.zeros((places[DIGIT + 1], rows.shape[1]), rows.dtype)
    for group in range(starts.size - 1):
        for shared in range(mosts[group] + 1):
            place = places[shared]
            places[shared] += 1
            shared_keys[place] = shared << TOP_DIGIT | keys[starts[group]] >> DIGIT_BITS
            for at in range(starts[group], starts[group + 1]):
                ways = held[keys[at] & DIGIT, shared]
                for column in range(rows.shape[1]):
                    sums[place, column] += ways * rows[at, column]
            if prime:
                for column in range(rows.shape[1]):
                    sums[place, column] %= prime
    return shared_keys, sums


@helper
def _meet(keys_a: Ints, rows_a: Numbers, keys_b: Ints, rows_b: Numbers, tails: Numbers, prime: int, totals: Numbers) -> None:
    """The sums of both sides with the same cards shared; `tails` is what a number of cards drawn in all counts."""
    first = 0
    for a in range(keys_a.size):
        while first < keys_b.size and keys_b[first] >> SIZE_BITS < keys_a[a] >> SIZE_BITS:
            first += 1
        b = first
        while b < keys_b.size and keys_b[b] >> SIZE_BITS == keys_a[a] >> SIZE_BITS:
            tail = tails[(keys_a[a] & SIZE) + (keys_b[b] & SIZE)]
            for i in range(rows_a.shape[1]):
                weight = tail * rows_a[a, i]
                if prime:
                    weight %= prime
                for j in range(rows_b.shape[1]):
                    totals[i + j] += weight * rows_b[b, j]
            if prime:
                for column in range(totals.size):
                    totals[column] %= prime
            b += 1


def multiply(terms_a: Terms, terms_b: Terms, prime: int) -> Terms:
    """Every term of one sum times every term of another."""
    most_a, most_b = (_digits(keys).max(axis=0) for keys, _ in (terms_a, terms_b))
    assert (most_a + most_b).max() <= DIGIT and _longest(terms_a) + _longest(terms_b) <= SIZE, (
        "a key has no room for so many cards"
    )
    if prime:
        terms_a = terms_a[0], terms_a[1] % prime
        assert int(np.abs(terms_b[1]).sum()) < 1 << 62 - PRIME_BITS
    room, columns, done = (
        len(terms_a[0]) + len(terms_b[0]),
        terms_a[1].shape[1] + terms_b[1].shape[1] - 1,
        np.zeros(2, np.int64),
    )
    keys, rows = np.zeros(0, np.int64), np.zeros((0, columns), terms_a[1].dtype)
    while done[0] < len(terms_a[0]):
        room *= 4
        size, slots = done[1], np.full(1 << (2 * room).bit_length(), -1)
        more_keys, more_rows = np.zeros(room, np.int64), np.zeros((room, columns), rows.dtype)
        if size:
            unit = np.zeros(1, np.int64), np.ones((1, 1), rows.dtype)
            _gather(keys[:size], rows[:size], *unit, slots, more_keys, more_rows, np.zeros(2, np.int64))
        keys, rows = more_keys, more_rows
        _gather(*terms_a, *terms_b, slots, keys, rows, done)
    keys, rows = keys[: done[1]], rows[: done[1]]
    return keys, rows % prime if prime else rows


def chances_together(counts: Ints, sides: Callable[[int], tuple[Terms, Terms]], exact: bool) -> Numbers:
    """The chance of every net result of both sides, drawn from a shoe: in floats, or exactly, modulo one prime after another.

    `sides` makes both, in floats (0) or modulo a prime.
    """
    if not exact:
        return _ways(counts, *sides(0), 0)
    modulus, ways, primes = 1, np.zeros(1, object), _primes()
    all_ways = 1
    while modulus <= DOUBT * all_ways:
        prime = next(primes)
        mine, his = sides(prime)
        all_ways = perm(int(counts.sum()), _length(counts, mine, his))
        ways = ways + modulus * ((_ways(counts, mine, his, prime).astype(object) - ways) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return fraction(np.where(2 * ways < modulus, ways, ways - modulus), np.full(len(ways), all_ways, object))


def _ways(counts: Ints, mine: Terms, his: Terms, prime: int) -> Numbers:
    """The chances of both sides, by net result; modulo a prime, the ways to draw them and then on to one length."""
    cards, length = int(counts.sum()), _length(counts, mine, his)
    mine, his = _in_order(mine), _in_order(his)
    for step, value in enumerate(reversed(range(VALUES))):
        bits, left = KEY_BITS - DIGIT_BITS * step, int(counts[value])
        prefixes, first = np.unique(mine[0] >> bits, return_index=True)
        tops = np.maximum.reduceat(mine[0] & DIGIT, first)
        held = [[_held(left, drawn, shared) for shared in range(DIGIT + 1)] for drawn in range(DIGIT + 1)]
        signed = [[(-1) ** j * comb(left, j) * ways for j, ways in enumerate(row)] for row in held]
        mine = _sum_up(*mine, *_groups(mine[0], bits, prefixes, tops), _numbers(signed, prime), prime)
        his = _sum_up(*his, *_groups(his[0], bits, prefixes, tops), _numbers(held, prime), prime)
    tails = [Fraction(perm(cards - drawn, length - drawn)) if drawn <= length else Fraction(0) for drawn in range(2 * SIZE + 1)]
    if not prime:
        tails = [tail / perm(cards, length) for tail in tails]
    totals = np.zeros(mine[1].shape[1] + his[1].shape[1] - 1, mine[1].dtype)
    _meet(*mine, *his, _numbers(tails, prime), prime, totals)
    return totals


def _held(left: int, drawn: int, shared: int) -> int:
    """The ways to draw cards in order, given ones of them among these."""
    return perm(drawn, shared) * perm(left - shared, drawn - shared) if shared <= drawn <= left else 0


def _digits(keys: Ints) -> Ints:
    """How many cards of each value terms have."""
    return np.asarray(keys[:, None] >> DIGIT_BITS * np.arange(VALUES)[::-1] & DIGIT)


def _longest(side: Terms) -> int:
    """The most cards that a term has."""
    return int(side[0].max()) >> VALUES * DIGIT_BITS


def _length(counts: Ints, mine: Terms, his: Terms) -> int:
    """The most cards that both sides draw."""
    return min(int(counts.sum()), _longest(mine) + _longest(his))


def _in_order(side: Terms) -> Terms:
    order = np.argsort(side[0])
    return side[0][order], side[1][order]


def _numbers(ways: list[Any], prime: int) -> Numbers:
    """Whole numbers of any size as floats, or modulo a prime."""
    exact = np.array(ways, object)
    return (exact % prime).astype(np.int64) if prime else exact.astype(np.float64)


def _primes() -> Iterator[int]:
    """Primes, the largest first."""
    for number in range((1 << PRIME_BITS) - 1, 1, -2):
        if all(number % divisor for divisor in range(3, isqrt(number) + 1, 2)):
            yield number
