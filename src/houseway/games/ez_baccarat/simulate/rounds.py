"""A round of EZ Baccarat as compiled code: cards drawn when the rules ask, decisions and results from tables.

The tables are made by calling the rules for every case there is, so that no rule is written twice.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, inlined, plain
from houseway.kernels.shoes import ClassShoe, Deck, draw, draw_if
from houseway.kernels.stream import Words

from ..rules import draws, resolve

POINTS = 10
CARD_OF = (32, 48, *range(0, 32, 4))
"""A card of each point class, 0 to 9."""
PLAYER_DREW, BANKER_DREW = 1, 2
SUMS, SUM_BITS, FIFTH_BITS = 2 * POINTS - 1, 5, 4
"""Sums of two cards' points, 0 to 18, and the bits in which a table is told a sum, and the fifth card."""
Table = NDArray[np.uint8]


def third_cards() -> Table:
    """Who draws (EZB-3), by the sums of Player's and of Banker's first two cards and the points of the fifth."""
    walk, table = plain(draws), np.zeros(1 << 2 * SUM_BITS + FIFTH_BITS, np.uint8)
    for player, banker, fifth in product(range(SUMS), range(SUMS), range(POINTS)):
        _, player_draws, banker_draws = walk(player % POINTS, banker % POINTS, fifth)
        place = ((player << SUM_BITS) + banker << FIFTH_BITS) + fifth
        table[place] = PLAYER_DREW * player_draws + BANKER_DREW * banker_draws
    return table


def both_totals() -> Table:
    """Both two-card totals (EZB-0: the last digit counts) as one number, by both sums."""
    table = np.zeros(1 << 2 * SUM_BITS, np.uint8)
    for player, banker in product(range(SUMS), repeat=2):
        table[(player << SUM_BITS) + banker] = player % POINTS * POINTS + banker % POINTS
    return table


def results(thirds: Table) -> Table:
    """The result (EZB-4), by both two-card totals and the points of Player's and of Banker's third card."""
    ends, settings = plain(resolve), np.zeros(1, np.int64)
    table = np.zeros(POINTS**4, np.uint8)
    for place, (player, banker, fifth, sixth) in enumerate(product(range(POINTS), repeat=4)):
        drew = thirds[((player << SUM_BITS) + banker << FIFTH_BITS) + fifth]
        third = [fifth] * bool(drew & PLAYER_DREW) + [sixth] * bool(drew & BANKER_DREW)
        tape = [CARD_OF[points] for points in (player, banker, 0, 0, *third, 0, 0)]
        table[place] = ends(np.array(tape, np.int64), settings)
    return table


@inlined
def play_round(
    shoe: ClassShoe, ahead: Words, deck: Deck, settings: Ints, tables: tuple[Table, Table, Table], cells: Ints
) -> ClassShoe:
    """Deal a round; the cell is its result. There is no branch: a processor guesses cards no better than a player does.

    Places in tables are unsigned, so that none is looked for from the end.
    """
    thirds, both, ends = tables
    player_first, shoe = draw(shoe, ahead)
    banker_first, shoe = draw(shoe, ahead)
    player_second, shoe = draw(shoe, ahead)
    banker_second, shoe = draw(shoe, ahead)
    sums = (player_first + player_second << SUM_BITS) + banker_first + banker_second
    place = sums << FIFTH_BITS
    fifth, shoe = draw_if(shoe, ahead, np.int64(thirds[np.uint64(place)] & PLAYER_DREW))
    sixth, shoe = draw_if(shoe, ahead, np.int64(thirds[np.uint64(place + fifth)] >> 1))
    totals = np.int64(both[np.uint64(sums)])
    cells[0] = ends[np.uint64((totals * POINTS + fifth) * POINTS + sixth)]
    return shoe


def tables() -> tuple[Table, Table, Table]:
    """All that a round reads."""
    thirds = third_cards()
    return thirds, both_totals(), results(thirds)
