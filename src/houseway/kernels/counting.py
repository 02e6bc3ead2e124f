"""The loop of somebody who counts cards: whole shoes as `rounds` deals them, and a bet when the count says so.

It is a template like the loop that only deals: a game's compiled `play_round` is put in, and nothing of the game changes. A
round whose players count as well is told which cards were burned unseen.
Between rounds the shoe itself tells what is gone: the count is the sum of the tags of all cards seen, which is that of the
whole shoe less that of the cards left, less that of cards burned face down.

A shoe is dealt to the deepest of several cut cards, and what it came to is written down at each of them, so that one pass
answers for all. All numbers are whole: tags, pays and triggers come in units that make them so.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from houseway.kernels.compiled import Ints, compiled_for, inlined
from houseway.kernels.shoes import (
    CLASSES,
    LANE,
    LANES,
    RAN_OUT,
    ClassShoe,
    Deck,
    burn_class,
    fresh_classes,
    next_class_round,
)
from houseway.kernels.stream import Int, Words, fill_ahead

DECK = 52
"""A true count is for so many unseen cards."""
ROUNDS, BETS, WIN, WIN_WITH_MAIN, UNITS = range(5)
"""What is summed up for each shoe: rounds dealt, bets made, what they won, what they won with the main bets beside, and
the units that were bet."""
MEASURES = 5
SQUARES = MEASURES + MEASURES * (MEASURES + 1) // 2
SQUARES_WITH_MAIN = SQUARES + 1
"""After the measures and their products: the squares of what each round won, without and with the main bets."""
MOMENTS = SQUARES + 2
SHOE, UNSEEN, COUNT, BET, CELL, LEFT, CLASS_LEFT = range(7)
"""The columns of a trace, a row for each round as it begins: the last are the unseen cards of each class."""
TRACE_WIDTH = CLASS_LEFT + CLASSES


class Watching(NamedTuple):
    """How shoes are dealt and watched, as the loop reads it.

    Of `burn` cards the first `shown` are seen; as many more as `burn_more` says for the last of them are not. After a cut
    card `extra` more rounds are dealt. There is a bet if `factor` times the count is at least
    `least` times what divides it: a number for so many unseen cards or, if `by_left`, cards left in the shoe. Counts are
    kept in bins: `bin_factor` times the count, divided by its unit and what divides it, from `bin_low` on,
    until the shoe has ended at the cut card in the place `bins_until`. If a round has to know which cards were burned unseen,
    the deck has from `hidden_at` on how many of each class (-1: it has not).
    """

    seed: int
    seats: int
    burn: int
    shown: int
    extra: int
    factor: int
    least: int
    by_left: int
    bin_factor: int
    bin_low: int
    bins_until: int
    hidden_at: int


class Ramp(NamedTuple):
    """How large bets are by a count: its tags, where it starts, what divides it, its bins' unit, and units bet by bin.

    Without any units, there is one wherever `Watching` says that there is a bet; main bets are then as large as that.
    """

    tags: Ints
    start: int
    divisors: Ints
    bin_unit: int
    units: Ints


# What a template's names mean until they are filled in: nothing is called by them.
play_round: Any = None
watch_shoe: Any = None


@inlined
def class_left(shoe: ClassShoe, kind: Int) -> Int:
    """How many cards of all classes up to this one are left: a lane holds one less, and the bit above it."""
    word, lane = (shoe.low, kind) if kind < LANES else (shoe.high, kind - LANES)
    return np.int64((word >> np.uint64(LANE * lane)) & np.uint64((1 << LANE) - 1)) - ((1 << LANE - 1) - 1)


@inlined
def tags_left(shoe: ClassShoe, tags: Ints) -> Int:
    """The sum of the tags of the cards left."""
    total, below = np.int64(0), np.int64(0)
    for kind in range(CLASSES):
        upto = class_left(shoe, kind)
        total += tags[kind] * (upto - below)
        below = upto
    return total


@inlined
def note_shoe(moments: Ints, cut: Int, sums: Ints) -> None:
    """Add a shoe to the sums of a cut card: each measure, then each product of two, then the squares of rounds."""
    row, place = moments[cut], MEASURES
    for first in range(MEASURES):
        row[first] += sums[first]
        for second in range(first, MEASURES):
            row[place] += sums[first] * sums[second]
            place += 1
    row[SQUARES] += sums[MEASURES]
    row[SQUARES_WITH_MAIN] += sums[MEASURES + 1]


@inlined
def note_bets(sums: Ints, bet: Int, win: Int, main_win: Int) -> None:
    """Add a round to the sums of its shoe: the units bet, what they won, and what the main bets did."""
    sums[ROUNDS] += 1
    sums[BETS] += bet > 0
    sums[WIN] += win
    sums[WIN_WITH_MAIN] += win + main_win
    sums[UNITS] += bet
    sums[MEASURES] += win * win
    sums[MEASURES + 1] += (win + main_win) * (win + main_win)


@inlined
def bin_of_count(count: Int, divisor: Int, bin_unit: Int, watching: Watching, bins: Int) -> Int:
    """In which bin a count falls: it is rounded down, and what lies beyond the last bins falls into them."""
    return min(max(count * watching.bin_factor // (bin_unit * divisor) - watching.bin_low, 0), bins - 1)


@inlined
def burn_face_down(shoe: ClassShoe, ahead: Words, deck: Deck, watching: Watching, burn_more: Ints, hidden: Ints) -> ClassShoe:
    """Burn cards; those that nobody sees are noted in `hidden`, by class."""
    for kind in range(CLASSES):
        hidden[kind] = 0
    card = np.int64(0)
    for place in range(watching.burn):
        card, shoe = burn_class(shoe, ahead, deck)
        hidden[card] += place >= watching.shown
    for _ in range(burn_more[card] if burn_more.size else 0):
        card, shoe = burn_class(shoe, ahead, deck)
        hidden[card] += 1
    return shoe


@inlined
def note_round(trace: Ints, row: Int, number: Int, shoe: ClassShoe, hidden: Ints, unseen: Int, count: Int, bet: Int) -> None:
    """A row of the trace, as a round begins."""
    if trace.shape[0]:
        trace[row, SHOE] = number
        trace[row, UNSEEN] = unseen
        trace[row, COUNT] = count
        trace[row, BET] = bet
        trace[row, LEFT] = shoe.left
        below = np.int64(0)
        for kind in range(CLASSES):
            upto = class_left(shoe, kind)
            trace[row, CLASS_LEFT + kind] = upto - below + hidden[kind]
            below = upto


@inlined
def cuts_passed(left: Int, cuts: Ints, over: Ints, first_open: Int, extra: Int, moments: Ints, sums: Ints) -> Int:
    """Note the shoe at every cut card at which it ends here; the first at which it does not."""
    place = first_open
    while place < cuts.size and left <= cuts[place]:
        if over[place] == extra or left == RAN_OUT:
            note_shoe(moments, place, sums)
            first_open += 1  # the deeper the cut card, the later it comes: they end in order
        over[place] += 1
        place += 1
    return first_open


def watch_template(
    number: int,
    watching: Watching,
    fresh: Ints,
    fresh_deck: Deck,
    burn_more: Ints,
    settings: Ints,
    tables: Any,
    ramp: Ramp,
    main: Ramp,
    cuts: Ints,
    pays: Ints,
    ahead: Words,
    deck: Deck,
    cells: Ints,
    hidden: Ints,
    over: Ints,
    sums: Ints,
    bet_cells: Ints,
    by_count: Ints,
    moments: Ints,
    trace: Ints,
    row: int,
) -> Any:
    """Deal one shoe and watch it; the next free row of the trace."""
    if ahead.size:
        fill_ahead(ahead, watching.seed, number)
    for place in range(fresh_deck.size):
        deck[place] = fresh_deck[place]
    shoe = fresh_classes(fresh, watching.seed, number)
    counted, main_counted = tags_left(shoe, ramp.tags) + ramp.start, tags_left(shoe, main.tags) + main.start
    if watching.burn:
        shoe = next_class_round(shoe, ahead)
    shoe = burn_face_down(shoe, ahead, deck, watching, burn_more, hidden)
    unseen_burned = np.int64(0)
    for kind in range(CLASSES):
        unseen_burned += hidden[kind]
        counted -= ramp.tags[kind] * hidden[kind]
        main_counted -= main.tags[kind] * hidden[kind]
        if watching.hidden_at >= 0:
            deck[watching.hidden_at + kind] = hidden[kind]
    for place in range(sums.size):
        sums[place] = 0
    for place in range(cuts.size):
        over[place] = 0
    first_open = np.int64(0)
    while True:
        first_open = cuts_passed(shoe.left, cuts, over, first_open, watching.extra, moments, sums)
        if first_open == cuts.size:
            break
        unseen = shoe.left + unseen_burned
        divided_by = shoe.left if watching.by_left else unseen
        count, divisor = counted - tags_left(shoe, ramp.tags), ramp.divisors[divided_by]
        bin_ = bin_of_count(count, divisor, ramp.bin_unit, watching, by_count.shape[0])
        bet = np.int64(count * watching.factor >= watching.least * divisor)
        if ramp.units.size:
            bet = np.int64(ramp.units[bin_])
        beside = bet
        if main.units.size:
            main_count, main_divisor = main_counted - tags_left(shoe, main.tags), main.divisors[divided_by]
            main_bin = bin_of_count(main_count, main_divisor, main.bin_unit, watching, by_count.shape[0])
            beside = np.int64(main.units[main_bin])
        note_round(trace, row, number, shoe, hidden, unseen, count, bet)
        shoe = next_class_round(shoe, ahead)
        shoe = play_round(shoe, ahead, deck, settings, tables, cells)
        cell = cells[0]
        if trace.shape[0]:
            trace[row, CELL] = cell
            row += 1
        by_count[bin_, pays[2, cell]] += first_open <= watching.bins_until
        note_bets(sums, bet, bet * pays[0, cell], beside * pays[1, cell])
        bet_cells[first_open, pays[2, cell]] += bet > 0
    return row


def watch_all_template(first: int, last: int, *rest: Any) -> None:
    """Watch the shoes from the first up to, not with, the last."""
    row = 0
    for number in range(first, last):
        row = watch_shoe(number, *rest, row)


@cache
def watching_loop(play: Callable[..., Any]) -> Callable[..., None]:
    """The loop for a game's `play_round` that sees classes, compiled when it is first called."""
    shoe = compiled_for(watch_template, play, inline=True, play_round=play)
    return compiled_for(watch_all_template, play, watch_shoe=shoe)
