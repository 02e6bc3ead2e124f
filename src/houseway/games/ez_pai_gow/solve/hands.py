"""All seven-card hands of a deck with a joker (154,143,080 of the full one): their numbers and their classes.

Cards are taken suit by suit, so that the number of a hand is a sum of four parts, one a suit; a suit's part depends on its
ranks (a lane of 13 bits) and on how many cards come before it. Hands that differ by the names of suits only are one
class: a House Way is asked once a class.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.cards import JOKER
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop
from houseway.solve.sharing import share

HAND, SUITS = 7, 4
Words = NDArray[np.int32]


@dataclass(frozen=True)
class Deck:
    """The ranks in play, four suits of each, and the joker; solvers are proved on short decks and used on the full one."""

    ranks: tuple[int, ...] = tuple(range(13))

    @property
    def cards(self) -> int:
        """How many there are."""
        return SUITS * len(self.ranks) + 1

    @property
    def natural(self) -> int:
        """Hands without the joker; the numbers of those with it follow."""
        return comb(self.cards - 1, HAND)

    @property
    def hands(self) -> int:
        """All hands."""
        return comb(self.cards, HAND)

    @property
    def against(self) -> int:
        """The dealer's hands that are left beside a player's."""
        return comb(self.cards - HAND, HAND)

    @property
    def deals(self) -> int:
        """All pairs of hands that share no card."""
        return self.hands * self.against

    def lanes(self, cards: tuple[int, ...]) -> Ints:
        """Cards as four lanes of ranks and perhaps the joker."""
        held = np.zeros(SUITS + 1, np.int64)
        for card in cards:
            if card == JOKER:
                held[SUITS] = 1
            else:
                held[card & 3] |= 1 << self.ranks.index(card >> 2)
        return held


FULL = Deck()


@cache
def number_parts(ranks: int) -> Ints:
    """For each suit, number of cards in the suits before, and set of ranks: what it adds to a hand's number."""
    parts, sizes = np.zeros((SUITS * 8, 1 << ranks), np.int64), np.array([mask.bit_count() for mask in range(1 << ranks)])
    for suit in range(SUITS):
        for before in range(8):
            part = parts[suit * 8 + before]
            for rank in range(ranks):  # each set of lower ranks, and then this one
                ways = np.array([comb(suit * ranks + rank, before + size + 1) for size in range(rank + 1)])
                part[1 << rank : 2 << rank] = part[: 1 << rank] + ways[sizes[: 1 << rank]]
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
def _list_classes(a: Ints, b: Ints, c: Ints, d: Ints, jokers: int, classes: Ints, filled: Ints) -> None:
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
                    classes[at, 0], classes[at, 1], classes[at, 2], classes[at, 3] = (
                        _mask(a[i]),
                        _mask(b[j]),
                        _mask(c[k]),
                        _mask(d[m]),
                    )
                    classes[at, 4] = jokers
                    classes[at, 5] = 24 // (run_j * run_k * run_m)
                    at += 1
    filled[0] = at


@helper
def _mask(ranks: Ints) -> int:
    mask = 0
    for rank in ranks:
        mask |= 1 << rank
    return mask


def classes_of(size: int, ranks: int = 13) -> Ints:
    """One set of so many cards for each class: four lanes, joker, how many there are of it."""
    lanes = [np.array(list(combinations(range(ranks), n)), np.int64).reshape(comb(ranks, n), n) for n in range(8)]
    cards = SUITS * ranks + 1
    most = (comb(cards, size) if size < 5 else comb(cards, size) // 24 + 2_000_000) + 1
    classes, filled = np.zeros((most, 6), np.int64), np.zeros(1, np.int64)
    for jokers in range(min(size, 1) + 1):
        for pattern in suit_patterns(size - jokers, ranks):
            _list_classes(*(lanes[n] for n in pattern), jokers, classes, filled)
    listed = classes[: filled[0]]  # nobody touches the rest, and so it takes no room
    assert listed[:, 5].sum() == comb(cards, size)
    return listed


@helper
def lay_out(row: Ints, ranks: Ints, tape: Ints) -> None:
    """The cards of a class, as a rule reads them."""
    place = 0
    for suit in range(SUITS):
        for rank in range(ranks.size):
            if row[suit] >> rank & 1:
                tape[place] = 4 * ranks[rank] + suit
                place += 1
    if row[SUITS]:
        tape[place] = JOKER


@loop((INT_TABLE, INT_TABLE, INT, INT_TABLE, WORD_ROW, WORD_ROW, INT, INT))
def _spread(classes: Ints, parts: Ints, natural: int, orders: Ints, words: Words, table: Words, first: int, last: int) -> None:
    """Write the word of each class to the numbers of all its hands."""
    for row in range(first, last):
        base = natural if classes[row, 4] else 0
        for order in range(orders.shape[0]):
            number, before = base, 0
            for suit in range(SUITS):
                mask = classes[row, orders[order, suit]]
                number += parts[suit * 8 + before, mask]
                before += bits(mask)
            table[number] = words[row]


def suit_patterns(size: int, ranks: int) -> Iterator[tuple[int, int, int, int]]:
    """How many cards there can be in each suit, the most first: in the order in which classes are listed."""
    for a in range(min(size, ranks), -1, -1):
        for b in range(min(a, size - a), -1, -1):
            for c in range(min(b, size - a - b), -1, -1):
                if size - a - b - c <= c:
                    yield a, b, c, size - a - b - c


@dataclass(frozen=True)
class Hands:
    """All hands of a deck."""

    deck: Deck = FULL

    @property
    def parts(self) -> Ints:
        """What each suit adds to a hand's number."""
        return number_parts(len(self.deck.ranks))

    @property
    def numbering(self) -> tuple[Ints, Ints, Ints]:
        """What the hands that hold some cards are numbered by (see `all_holding`)."""
        return self.parts, *fuller_lanes(len(self.deck.ranks))

    @cached_property
    def classes(self) -> Ints:
        """One hand of each class: four lanes, joker, how many there are of it."""
        return classes_of(HAND, len(self.deck.ranks))

    @cached_property
    def class_of(self) -> Words:
        """By the number of a hand, the place of its class."""
        return self.spread(np.arange(len(self.classes), dtype=np.int32))

    def spread(self, words: Words) -> Words:
        """By the number of a hand, the word of its class."""
        table = np.empty(self.deck.hands, np.int32)
        orders = np.array(list(permutations(range(SUITS))), np.int64)
        share(len(words), partial(_spread, self.classes, self.parts, self.deck.natural, orders, words, table))
        return table

    def forget_classes(self) -> None:
        """Let go of the classes, a third of a gigabyte: they are listed again if they are asked for."""
        self.__dict__.pop("classes", None)


def parted_sets(ranks: int) -> list[Ints]:
    """All sets of cards that two different hands can share, one of each class, in parts that take a second or so."""
    parts = [np.concatenate([classes_of(0, ranks), classes_of(1, ranks)])]
    for size in range(2, HAND):
        sets = classes_of(size, ranks)
        parts += np.array_split(sets, max(min(len(sets) // 30, 24), 1))
    return parts


# The hands that hold a set of cards


@cache
def fuller_lanes(ranks: int) -> tuple[Ints, Ints]:
    """For each lane, all that hold it, the fewer ranks the earlier; and where those with each number of ranks start."""
    every = sorted((mask for mask in range(1 << ranks) if mask.bit_count() <= HAND), key=int.bit_count)
    masks, sizes = np.array(every), np.array([mask.bit_count() for mask in every])
    lanes, starts, at = [], np.zeros((1 << ranks, HAND + 2), np.int64), 0
    for held in range(1 << ranks):
        holding = masks & held == held
        starts[held] = at + np.searchsorted(sizes[holding], np.arange(HAND + 2))
        lanes.append(masks[holding])
        at += len(lanes[-1])
    return np.concatenate(lanes), starts


@helper
def _append_holding(
    held: Ints,
    left: int,
    base: int,
    parts: Ints,
    fuller: Ints,
    starts: Ints,
    table: Words,
    at: int,
    holding: Words,
    weights: Words,
) -> int:
    """Append what the table says of hands of `left` cards that hold these lanes, and how many are alike; where it ends.

    Suits of which the same is held may be renamed: of two such next to each other, the second has the same lane as the first
    or one that stands earlier in the list, and a run of the same lanes has fewer names. The last suit, of which the fewest
    cards are held, is the lowest of a hand's number, so that the inner loop finds its places in the table side by side.
    """
    a, b, c, d = held[0], held[1], held[2], held[3]
    ab, bc, cd = a == b, b == c, c == d
    most_b, of_d = 1 + ab, bits(d)
    most_c, of_cd = 1 + bc * most_b, of_d + bits(c)
    most_d, of_bcd = 1 + cd * most_c, of_cd + bits(b)
    for i in range(starts[a, 0], starts[a, left - of_bcd + 1]):
        left_b = left - bits(fuller[i])
        rest_b = base + parts[24 + left_b, fuller[i]]
        for j in range(starts[b, 0], min(starts[b, left_b - of_cd + 1], i + 1 if ab else fuller.size)):
            run_b, left_c = 2 if ab and i == j else 1, left_b - bits(fuller[j])
            ways = most_b * most_c * most_d // run_b
            rest_c = rest_b + parts[16 + left_c, fuller[j]]
            for k in range(starts[c, 0], min(starts[c, left_c - of_d + 1], j + 1 if bc else fuller.size)):
                run_c, left_d = run_b + 1 if bc and j == k else 1, left_c - bits(fuller[k])
                rest_d, weight = rest_c + parts[8 + left_d, fuller[k]], ways // run_c if run_c > 1 else ways  # division is slow
                first, last = starts[d, left_d], min(starts[d, left_d + 1], k + 1 if cd else fuller.size)
                for m in range(first, last):
                    holding[at], weights[at] = table[rest_d + parts[0, fuller[m]]], weight
                    at += 1
                if cd and first < last == k + 1:
                    weights[at - 1] = weight // (run_c + 1)
    return at


@helper
def cards_in(held: Ints) -> int:
    """How many cards four lanes and perhaps the joker are."""
    size = 0
    for suit in range(SUITS):
        size += bits(held[suit])
    return size + int(held[SUITS])


@helper
def number_holding(held: Ints, ranks: int) -> int:
    """How many hands hold these cards."""
    size, number = cards_in(held), 1
    for more in range(HAND - size):
        number = number * (SUITS * ranks + 1 - size - more) // (more + 1)
    return number


@helper
def all_holding(
    held: Ints, natural: int, parts: Ints, fuller: Ints, starts: Ints, table: Words, holding: Words, weights: Words
) -> int:
    """What the table says of the hands that hold these cards: four lanes and perhaps the joker; how many it says it of.

    Hands that differ only by the names of suits of which the same is held are met once: `weights` says how many they are.
    """
    at = 0
    if not held[SUITS]:
        at = _append_holding(held, HAND, 0, parts, fuller, starts, table, 0, holding, weights)
    if cards_in(held) - held[SUITS] < HAND:
        at = _append_holding(held, HAND - 1, natural, parts, fuller, starts, table, at, holding, weights)
    return at
