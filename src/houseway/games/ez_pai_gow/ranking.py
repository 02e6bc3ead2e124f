"""Poker ranking with a joker, for hands of two, five and seven cards.

A hand is summed up in four integers: `held` has 16 bits for each suit (bit 0 the ace as one, bits 1-13 are 2..A),
`suits` a byte for each suit's number of cards, `counts` four bits for each rank's, and `joker` is 0 or 1.
A value is category << 20 followed by up to five ranks (1-13 for 2..A) of four bits, so that values of two-card and
five-card hands compare with each other (EPG-1).
"""

import numpy as np

from houseway.cards import JOKER
from houseway.kernels.compiled import Ints, helper

from .switches import FULLY_WILD, JOKER_RULE, WHEEL, WHEEL_SECOND

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE = range(10)
CATEGORIES = (
    "high-card",
    "pair",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "five-of-a-kind",
)
ACE = 12
KING = 11
QUEEN = 10

EACH_NIBBLE = 0x1111111111111
EACH_LANE = 0x0001000100010001
LOWEST_OF_FIVE = EACH_LANE * 0x3FF
"""A run of five starts at A, 2, ... 10: bits 0-9 of a suit."""
EACH_BYTE = 0x01010101
JOKER_BIT = 32
LANE = 0x3FFF
"""The ranks of one suit."""


HELD_BY = np.array([2 << (16 * (card & 3) + (card >> 2)) | (card >> 2 == ACE) << 16 * (card & 3) for card in range(52)] + [0])
SUITS_BY = np.array([1 << 8 * (card & 3) for card in range(52)] + [1 << JOKER_BIT])
COUNTS_BY = np.array([1 << 4 * (card >> 2) for card in range(52)] + [0])
"""What each card adds to a summary; the joker adds only its own bit, above the suits."""


@helper
def summarize(tape: Ints, start: int, stop: int, skip_a: int, skip_b: int) -> tuple[int, int, int, int]:
    """Sum up tape[start:stop] without the two places skipped: held, suits, counts, joker."""
    held, suits, counts = 0, 0, 0
    for place in range(start, stop):
        if place != skip_a and place != skip_b:  # noqa: PLR1714  (twice as fast as `not in`)
            card = tape[place]
            held |= HELD_BY[card]
            suits += SUITS_BY[card]
            counts += COUNTS_BY[card]
    return held, suits & (1 << JOKER_BIT) - 1, counts, suits >> JOKER_BIT


@helper
def any_suit(held: int) -> int:
    """The ranks held, whatever their suit, as one lane."""
    return (held | held >> 16 | held >> 32 | held >> 48) & LANE


@helper
def runs_of_five(held: int, joker: int) -> int:
    """The lowest places of all runs of five in a row, in every lane at once; the joker fills one gap."""
    a, b, c, d, e = held, held >> 1, held >> 2, held >> 3, held >> 4
    run = a & b & c & d & e
    if joker:
        run = (a & b & ((c & d) | ((c | d) & e))) | ((a | b) & c & d & e)
    return run & LOWEST_OF_FIVE


@helper
def flush_suits(suits: int, joker: int) -> int:
    """A bit (0x80 of its byte) for each suit with five cards, the joker counted in."""
    return (suits + EACH_BYTE * (123 + joker)) & (EACH_BYTE * 0x80)


@helper
def straight_rank(runs: int, settings: Ints) -> int:
    """The order of the best straight among runs of one lane; EPG-1b puts A-2-3-4-5 second."""
    if runs >> 9 & 1:
        return 15
    if runs & 1 and settings[WHEEL] == WHEEL_SECOND:
        return 14
    for low in range(8, -1, -1):
        if runs >> low & 1:
            return low + 4
    return 0


@helper
def twos(counts: int) -> int:
    """The ranks held exactly twice, as a bit in each nibble."""
    return (counts >> 1) & ~counts & ~(counts >> 2) & EACH_NIBBLE


@helper
def threes(counts: int) -> int:
    """The ranks held exactly three times."""
    return (counts >> 1) & counts & EACH_NIBBLE


@helper
def fours(counts: int) -> int:
    """The ranks held four times (or five, with the joker)."""
    return (counts >> 2) & EACH_NIBBLE


@helper
def more_than_one(bits: int) -> bool:
    """Whether at least two bits are set."""
    return bits & (bits - 1) != 0


@helper
def grouped_value(counts: int) -> int:
    """The value of a hand by its pairs, threes and so on alone."""
    groups, quads, trips, pairs, singles = 0, 0, 0, 0, 0
    n_trips, n_pairs, n_singles = 0, 0, 0
    for rank in range(12, -1, -1):
        times = counts >> (4 * rank) & 15
        if times == 0:
            continue
        groups += 1
        if times == 1:
            singles, n_singles = singles << 4 | (rank + 1), n_singles + 1
        elif times == 2:
            pairs, n_pairs = pairs << 4 | (rank + 1), n_pairs + 1
        elif times == 3:
            trips, n_trips = trips << 4 | (rank + 1), n_trips + 1
        else:
            quads = rank + 1
            if times == 5:
                return FIVE << 20 | quads << 16
    ordered = ((quads << 4 * n_trips | trips) << 4 * n_pairs | pairs) << 4 * n_singles | singles
    category = HIGH_CARD
    if quads:
        category = FOUR
    elif n_trips:
        category = FULL_HOUSE if n_pairs else THREE
    elif n_pairs:
        category = PAIR if n_pairs == 1 else TWO_PAIR
    return category << 20 | ordered << 4 * (5 - groups)


@helper
def flush_ranks(held: int, joker: int) -> int:
    """Five ranks of one suit, highest first; the joker is the highest rank not held."""
    lane, value = any_suit(held), 0
    for place in range(13, 0, -1):
        if lane >> place & 1:
            value = value << 4 | place
        elif joker:
            value, joker = value << 4 | place, 0
    return value


@helper
def with_wild_card(counts: int) -> int:
    """EPG-1, fully wild: the joker added to the rank of which most are held, the highest of those."""
    best, most = 0, 0
    for rank in range(13):
        times = counts >> (4 * rank) & 15
        if times >= most and times < 5:
            best, most = rank, times
    return counts + (1 << (4 * best))


@helper
def value_of(held: int, suits: int, counts: int, joker: int, settings: Ints) -> int:
    """The value of a summed-up hand of five or two cards."""
    natural = counts
    if joker:
        if settings[JOKER_RULE] == FULLY_WILD and counts:
            counts = with_wild_card(counts)
        else:
            counts += 1 << (4 * ACE)  # EPG-1, semi-wild: otherwise an ace
    grouped = grouped_value(counts)
    if natural & (EACH_NIBBLE * 14):
        return grouped  # two cards of a rank: no straight, no flush
    runs = runs_of_five(any_suit(held), joker)
    flush = flush_suits(suits, joker)
    if flush and runs:
        return STRAIGHT_FLUSH << 20 | straight_rank(runs, settings) << 16
    if flush:
        return max(grouped, FLUSH << 20 | flush_ranks(held, joker))
    if runs:
        return max(grouped, STRAIGHT << 20 | straight_rank(runs, settings) << 16)
    return grouped


@helper
def rank_front(tape: Ints, a: int, b: int, settings: Ints) -> int:
    """EPG-1a: two cards are a pair or high cards."""
    counts, joker = 0, 0
    for place in (a, b):
        if tape[place] == JOKER:
            joker = 1
        else:
            counts += 1 << (4 * (tape[place] >> 2))
    return value_of(0, 0, counts, joker, settings)


@helper
def rank_back(tape: Ints, start: int, a: int, b: int, settings: Ints) -> int:
    """The value of the five cards of tape[start:start+7] that are not at places a and b."""
    held, suits, counts, joker = summarize(tape, start, start + 7, a, b)
    return value_of(held, suits, counts, joker, settings)


@helper
def rank_five(tape: Ints, settings: Ints) -> int:
    """The value of a five-card hand."""
    held, suits, counts, joker = summarize(tape, 0, 5, -1, -1)
    return value_of(held, suits, counts, joker, settings)


@helper
def rank_seven(tape: Ints, settings: Ints) -> int:
    """The value of the best five of seven cards."""
    best = 0
    for a in range(6):
        for b in range(a + 1, 7):
            best = max(best, rank_back(tape, 0, a, b, settings))
    return best
