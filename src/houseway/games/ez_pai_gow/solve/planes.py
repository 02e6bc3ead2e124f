"""EZ Pai Gow's base wager a second way, to check the first: every hand of the dealer is met, 64 at once.

The dealer's hands stand in the order of their fronts, and within a front of their backs; for each card there is a plane with a
bit for each hand that holds it. Seven planes laid over each other show which hands a player's hand leaves, and those that he
beats, or that beat him, are one run of bits in each front.
"""

from dataclasses import dataclass
from functools import partial
from itertools import permutations

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop
from houseway.solve.sharing import share

from .hands import HAND, SUITS, Hands, Words, bits
from .pairs import BACK_BITS, BACK_MASK, FRONT_MASK, QUEEN_BIT, Order, Values

WORD = 64
"""Hands whose bits stand together."""


@loop((INT_TABLE, WORD_ROW, INT_TABLE))
def _count_words(classes: Ints, words: Words, begins: Ints) -> None:
    """Where the hands of each front and back begin in their order, Queen-high pai gows left out."""
    for at in range(words.size):
        if not words[at] >> QUEEN_BIT:
            begins[words[at] >> BACK_BITS, (words[at] & BACK_MASK) + 1] += classes[at, 5]
    before = 0
    for front in range(begins.shape[0]):
        for back in range(begins.shape[1]):
            before += begins[front, back]
            begins[front, back] = before


@loop((INT_TABLE, WORD_ROW, INT_TABLE, INT_TABLE, INT, INT_TABLE))
def _draw(classes: Ints, words: Words, orders: Ints, following: Ints, ranks: int, planes: Ints) -> None:
    """Set the bit of every hand in the planes of its seven cards."""
    image, met = np.zeros(SUITS, np.int64), np.zeros(24, np.int64)
    for at in range(words.size):
        if words[at] >> QUEEN_BIT:
            continue
        front, back = words[at] >> BACK_BITS, words[at] & BACK_MASK
        different = 0
        for order in range(24):
            mask = 0
            for suit in range(SUITS):
                image[suit] = classes[at, orders[order, suit]]
                mask = mask << ranks | image[suit]
            is_new = True
            for other in range(different):
                is_new = is_new and met[other] != mask
            if not is_new:
                continue
            met[different] = mask
            different += 1
            place = following[front, back]
            following[front, back] += 1
            for card in range(SUITS * ranks):
                if image[card // ranks] >> card % ranks & 1:
                    planes[card, place // WORD] |= 1 << place % WORD
            if classes[at, SUITS]:
                planes[SUITS * ranks, place // WORD] |= 1 << place % WORD


@helper
def _left(planes: Ints, cards: Ints, first: int, last: int) -> int:
    """How many hands from the first to before the last hold none of seven cards."""
    total = 0
    for word in range(first // WORD, (last + WORD - 1) // WORD):
        held = planes[cards[0], word] | planes[cards[1], word] | planes[cards[2], word] | planes[cards[3], word]
        free = ~(held | planes[cards[4], word] | planes[cards[5], word] | planes[cards[6], word])
        if word == first // WORD:
            free &= -1 << first % WORD
        if word == last // WORD:
            free &= (1 << last % WORD) - 1
        total += bits(free)
    return total


@loop((INT_TABLE, INT_TABLE, INT_TABLE, INT_ROW, INT, INT_TABLE, INT, INT))
def _meet(planes: Ints, begins: Ints, classes: Ints, words: Ints, ranks: int, ends: Ints, first: int, last: int) -> None:
    """For each of the player's hands, how many of the dealer's it beats and how many beat it."""
    cards, backs = np.zeros(HAND, np.int64), begins.shape[1] - 1
    for at in range(first, last):
        size = 0
        for card in range(SUITS * ranks):
            if classes[at, card // ranks] >> card % ranks & 1:
                cards[size] = card
                size += 1
        if classes[at, SUITS]:
            cards[size] = SUITS * ranks
        own_front, own_back = words[at] >> BACK_BITS & FRONT_MASK, words[at] & BACK_MASK
        for front in range(begins.shape[0]):
            if front < own_front:
                ends[at, 0] += _left(planes, cards, begins[front, 0], begins[front, own_back])
            else:
                ends[at, 1] += _left(planes, cards, begins[front, own_back], begins[front, backs])


@dataclass(frozen=True)
class Planes:
    """The dealer's hands as bits: a plane for each card, and where the hands of each front and back begin."""

    planes: Ints
    begins: Ints
    order: Order
    ranks: int

    @classmethod
    def of(cls, hands: Hands, dealer: Values, order: Order) -> "Planes":
        """The hands of a dealer who sets them as these values say; the player's fronts and backs are in the order too."""
        words, (fronts, backs), ranks = order.words(dealer), order.shape, len(hands.deck.ranks)
        begins = np.zeros((fronts, backs + 1), np.int64)
        _count_words(hands.classes, words, begins)
        planes = np.zeros((hands.deck.cards, begins[-1, -1] // WORD + 1), np.int64)
        orders = np.array(list(permutations(range(SUITS))), np.int64)
        _draw(hands.classes, words, orders, begins.copy(), ranks, planes)
        return cls(planes, begins, order, ranks)

    def meet(self, classes: Ints, player: Ints) -> Ints:
        """For each of these hands, set as the values say: how many of the dealer's hands it beats, and how many beat it."""
        ends = np.zeros((len(classes), 2), np.int64)
        words = self.order.words(player).astype(np.int64)
        share(len(classes), partial(_meet, self.planes, self.begins, classes, words, self.ranks, ends))
        return ends
