"""A round of Duki 4 Poker with all its seats as compiled code: what four cards are worth from a table, all else by the rules.

The table is made by calling the rules for every hand there is, so that no rule is written twice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, inlined
from houseway.kernels.shoes import Deck, DeckShoe, deal
from houseway.kernels.stream import Int, Words

from ..rules import BONUS_LOSES, FOLD, showdown, sorted_down

BONUS_AT, BEST_AT = 26, 28
"""A hand's word: its score, above it the outcome of the Bonus, and whether the best play is to play it."""
SCORE_MASK = (1 << BONUS_AT) - 1
BONUSES = 4
BY_BEST = -1
"""A seat plays from a score on; or, so, where the best play does."""
DECK_SIZE = 52


class DukiTables(NamedTuple):
    """All that a round reads: the word of every hand, and from which score on each seat plays."""

    hands: NDArray[np.int32]
    least: Ints


@inlined
def deal_four(shoe: DeckShoe, ahead: Words, deck: Deck, tables: DukiTables) -> tuple[Int, DeckShoe]:
    """Four cards, and their word. Hands are numbered as in `solve.best`; a place is unsigned: none is counted from the end."""
    first, shoe = deal(shoe, ahead, deck)
    second, shoe = deal(shoe, ahead, deck)
    third, shoe = deal(shoe, ahead, deck)
    fourth, shoe = deal(shoe, ahead, deck)
    a, b, c, d = sorted_down(first, second, third, fourth)
    number = a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d
    return np.int64(tables.hands[np.uint64(number)]), shoe


@inlined
def play_round(shoe: DeckShoe, ahead: Words, deck: Deck, settings: Ints, tables: DukiTables, cells: Ints) -> DeckShoe:
    """D4P-2: four cards to each seat and to the dealer; a seat's cell is the Ante's outcome (and Play's) and the Bonus's.

    While a round goes on, a seat's cell holds its word.
    """
    for seat in range(cells.size):
        cells[seat], shoe = deal_four(shoe, ahead, deck, tables)
    dealer, shoe = deal_four(shoe, ahead, deck, tables)
    for seat in range(cells.size):
        word, least = cells[seat], tables.least[seat]
        score, plays = word & SCORE_MASK, word >> BEST_AT
        if least != BY_BEST:
            plays = np.int64(score >= least)
        if plays:
            cells[seat] = showdown(score, dealer & SCORE_MASK, settings) * BONUSES + (word >> BONUS_AT & BONUSES - 1)
        else:
            cells[seat] = FOLD * BONUSES + BONUS_LOSES
    return shoe
