"""Shoes as values: scalars that stay in registers, on a processor and on a graphics processor alike.

Cards are drawn only when a rule asks. A `ClassShoe` knows at most ten classes of cards (points, ranks), and holds how many of
each are left: exact, because a rule that sees classes only cannot tell their cards apart. A `DeckShoe` knows whole cards: a
deck in an array, shuffled as far as it is dealt.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, inlined
from houseway.kernels.stream import Int, Stream, Words, next_block, number_below, opened

Deck = NDArray[np.uint8]
CLASSES, LANES, LANE = 10, 5, 12
"""Classes of cards at most; of their running sums five stand in a word, each in so many bits."""
MOST_CARDS = (1 << LANE - 1) - 1
RAN_OUT = -1
"""So many cards are left of a shoe that ran out in a round: whatever was shuffled in to finish that round, it ends with it."""
ONES = np.uint64(sum(1 << LANE * lane for lane in range(LANES)))
_GUARD_BIT = np.uint64(LANE - 1)
_TO_THE_TOP, _TOP = np.uint64(int(ONES) << 64 - LANE * LANES & (1 << 64) - 1), np.uint64(64 - LANE)
"""To add up lanes: this times the lanes, and the sum stands in the topmost bits."""


class ClassShoe(NamedTuple):
    """The running sums of the cards left, classes 0 to 4 and 5 to 9; how many cards are left; and its numbers.

    Each sum stands in its lane less one and with the bit above it set: a place taken off clears that bit unless the sum is
    beyond the place.
    """

    low: np.uint64
    high: np.uint64
    left: Int
    stream: Stream


class DeckShoe(NamedTuple):
    """How many cards there are and how many are left; the cards themselves lie in the deck."""

    size: Int
    left: Int
    stream: Stream


def running_sums(copies: Sequence[int]) -> tuple[int, int]:
    """The two words of a fresh shoe with so many cards of each class."""
    assert len(copies) <= CLASSES and sum(copies) <= MOST_CARDS
    sums = np.cumsum([*copies, *[0] * (CLASSES - len(copies))]).tolist()
    guarded = [value - 1 + (1 << LANE - 1) for value in sums]
    words = [sum(value << LANE * lane for lane, value in enumerate(half)) for half in (guarded[:LANES], guarded[LANES:])]
    return words[0], words[1]


@inlined
def class_at(low: np.uint64, high: np.uint64, place: np.uint64) -> tuple[Int, np.uint64, np.uint64]:
    """The class of the card at a place of a shoe with these running sums, and what they lose if it is drawn."""
    many = place * ONES
    less_low = ((low - many) >> _GUARD_BIT) & ONES  # a one for each class that ends beyond the place
    less_high = ((high - many) >> _GUARD_BIT) & ONES
    return np.int64(CLASSES) - np.int64((less_low + less_high) * _TO_THE_TOP >> _TOP), less_low, less_high


@inlined
def draw(shoe: ClassShoe, ahead: Words) -> tuple[Int, ClassShoe]:
    """The class of the next card, and the shoe without it."""
    place, stream = number_below(shoe.stream, ahead, shoe.left)
    kind, low, high = class_at(shoe.low, shoe.high, place)
    return kind, ClassShoe(shoe.low - low, shoe.high - high, shoe.left - 1, stream)


@inlined
def draw_if(shoe: ClassShoe, ahead: Words, wanted: Int) -> tuple[Int, ClassShoe]:
    """Draw if `wanted` is 1, not if it is 0, without a branch: a number goes either way; the class means nothing if not."""
    place, stream = number_below(shoe.stream, ahead, shoe.left)
    kind, low, high = class_at(shoe.low, shoe.high, place)
    mask = np.uint64(0) - np.uint64(wanted)
    return kind, ClassShoe(shoe.low - (low & mask), shoe.high - (high & mask), shoe.left - wanted, stream)


@inlined
def deal(shoe: DeckShoe, ahead: Words, deck: Deck) -> tuple[Int, DeckShoe]:
    """The next card, and the shoe without it: the deck lies shuffled up to there."""
    offset, stream = number_below(shoe.stream, ahead, shoe.left)
    place = shoe.size - shoe.left
    other = place + np.int64(offset)
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    return np.int64(card), DeckShoe(shoe.size, shoe.left - 1, stream)


@inlined
def fresh_classes(fresh: Ints, seed: Int, number: Int) -> ClassShoe:
    """A fresh shoe: its cards, and the two words of their running sums."""
    return ClassShoe(np.uint64(fresh[1]), np.uint64(fresh[2]), fresh[0], opened(seed, number))


@inlined
def fresh_cards(fresh: Ints, seed: Int, number: Int) -> DeckShoe:
    """A fresh shoe: its cards."""
    return DeckShoe(fresh[0], fresh[0], opened(seed, number))


@inlined
def next_class_round(shoe: ClassShoe, ahead: Words) -> ClassShoe:
    """Begin a round, with a new block of numbers."""
    return ClassShoe(shoe.low, shoe.high, shoe.left, next_block(shoe.stream, ahead))


@inlined
def next_card_round(shoe: DeckShoe, ahead: Words) -> DeckShoe:
    """Begin a round, with a new block of numbers."""
    return DeckShoe(shoe.size, shoe.left, next_block(shoe.stream, ahead))


@inlined
def burn_class(shoe: ClassShoe, ahead: Words, deck: Deck) -> tuple[Int, ClassShoe]:
    """The class of a card that is burned."""
    return draw(shoe, ahead)


@inlined
def burn_card(shoe: DeckShoe, ahead: Words, deck: Deck) -> tuple[Int, DeckShoe]:
    """A card that is burned."""
    return deal(shoe, ahead, deck)
