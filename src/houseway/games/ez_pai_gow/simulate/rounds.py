"""A round of EZ Pai Gow with all its seats as compiled code: how seven cards are set, and their bonuses, from tables.

The tables are made by calling the rules and the House Ways for one hand of each class, so that no rule is written twice.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, apart, inlined
from houseway.kernels.shoes import Deck, DeckShoe, deal
from houseway.kernels.stream import Int, Words

from ..ranking import QUEEN
from ..rules import base_outcome
from .classes import JOKER_BIT, LANE_BITS, ROW_BITS, ClassTables, class_number, ranks_key

HAND = 7
BACK_BITS, FRONT_BITS, BONUS_BITS = 13, 7, 6
QUEEN_AT, BONUS_AT = BACK_BITS + FRONT_BITS, BACK_BITS + FRONT_BITS + 1
"""A word tells of a hand: back and front as places in their order, whether it is a Queen-high pai gow, and its bonuses."""
BACK_MASK, FRONT_MASK, BONUS_MASK = (1 << BACK_BITS) - 1, (1 << FRONT_BITS) - 1, (1 << BONUS_BITS) - 1
COLOURS = 5
"""Outcomes of Red/Black."""
COLOUR_AT, ENVY_AT = 32, 40
"""While a round goes on, a seat's cell holds its word, and above it the outcome of Red/Black, and its envy."""
DECK_SIZE = 53
NO_QUEEN = -1
"""What the rule is told of a dealer's hand that is no pai gow."""


class PaiGowTables(NamedTuple):
    """All that a round reads.

    `keys`, `begins` and `sums` find the class of a hand; `words` has a row for each way to set hands, the dealer's first, and
    `ways` says which row is each seat's. `colours` is the outcome of Red/Black by the cards of both colours. `more` is for
    envy: after so much of it, what there is with one more hand; 0 is none, and `wins` says which seats' hands win some.
    """

    keys: NDArray[np.int16]
    begins: NDArray[np.int32]
    sums: NDArray[np.int32]
    words: NDArray[np.int32]
    ways: Ints
    colours: NDArray[np.uint8]
    more: NDArray[np.uint16]
    wins: Ints
    sizes: Ints


BONUSES, ENVIES = range(2)
"""Places in `sizes`."""


@inlined
def deal_seven(shoe: DeckShoe, ahead: Words, deck: Deck, tables: PaiGowTables) -> tuple[Int, Int, DeckShoe]:
    """EPG-6: seven cards: the place of their class, and the outcome of Red/Black."""
    held = np.int64(0)
    for _ in range(HAND):
        card, shoe = deal(shoe, ahead, deck)
        held |= np.int64(1) << LANE_BITS * (card & 3) + (card >> 2)
    by = ClassTables(tables.keys, tables.begins, tables.sums)
    first, second = ranks_key(by, held, 0), ranks_key(by, held, 1)
    third, fourth = ranks_key(by, held, 2), ranks_key(by, held, 3)
    place = class_number(by, first, second, third, fourth, held >> JOKER_BIT & 1)
    reds, blacks = 2 * HAND - (second >> ROW_BITS) - (third >> ROW_BITS), 2 * HAND - (first >> ROW_BITS) - (fourth >> ROW_BITS)
    return place, np.int64(tables.colours[np.uint64(reds * (HAND + 1) + blacks)]), shoe


@inlined
def envy_with(tables: PaiGowTables, envy: Int, held: Int) -> Int:
    """What envy there is with one more hand."""
    return np.int64(tables.more[np.uint64(envy * tables.sizes[BONUSES] + (held >> BONUS_AT & BONUS_MASK))])


@apart
def tell_envy(tables: PaiGowTables, cells: Ints) -> None:
    """R6: what the hands of the other players win each seat."""
    for seat in range(cells.size):
        envy = np.int64(0)
        for other in range(cells.size):
            if other != seat and tables.wins[other]:
                envy = envy_with(tables, envy, cells[other])
        cells[seat] |= envy << ENVY_AT


@inlined
def play_round(shoe: DeckShoe, ahead: Words, deck: Deck, settings: Ints, tables: PaiGowTables, cells: Ints) -> DeckShoe:
    """Seven cards to each seat and to the dealer; a seat's cell is the results of all its wagers, and its envy.

    EPG-7: with whom dealing begins is thrown with dice. Hands are dealt seven cards at a time, so that whoever comes first, any
    seven cards are as likely as others for everybody, and seats are dealt to in their order here.
    """
    enviable = np.int64(0)
    for seat in range(cells.size):
        place, colour, shoe = deal_seven(shoe, ahead, deck, tables)
        held = np.int64(tables.words[np.uint64(tables.ways[seat]), np.uint64(place)])
        enviable |= envy_with(tables, 0, held)
        cells[seat] = held | colour << COLOUR_AT
    place, colour, shoe = deal_seven(shoe, ahead, deck, tables)
    dealer = np.int64(tables.words[0, np.uint64(place)])
    high = QUEEN if dealer >> QUEEN_AT & 1 else NO_QUEEN
    dealer_front, dealer_back = int(dealer >> BACK_BITS & FRONT_MASK), int(dealer & BACK_MASK)  # the rule adds up comparisons:
    if enviable and cells.size > 1:
        tell_envy(tables, cells)
    for seat in range(cells.size):  # where nothing is compiled, those of Python's numbers are 0 or 1
        held = cells[seat]
        front, back = int(held >> BACK_BITS & FRONT_MASK), int(held & BACK_MASK)
        base = base_outcome(front, back, dealer_front, dealer_back, high)
        own = (base * tables.sizes[BONUSES] + (held >> BONUS_AT & BONUS_MASK)) * COLOURS + (held >> COLOUR_AT & 7)
        cells[seat] = own * tables.sizes[ENVIES] + (held >> ENVY_AT)
    return shoe
