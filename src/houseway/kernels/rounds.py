"""The loop that deals whole shoes, for any game: fresh shoe, burn, rounds until the cut card, the last ones after it.

It is a template: a game's compiled `play_round` is put in under that name, and the loop is compiled with it inside, for the
processor here and for a graphics processor in `rounds_graphics`, from the same source.

A *unit* of work is one shoe or, where sessions are asked for, one session of so many rounds, which begins with a fresh shoe and
has shoe numbers of its own. So results hang on the numbers of units alone, and those of two ranges of units add up.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from houseway.kernels.compiled import Ints, compiled_for, inlined
from houseway.kernels.shoes import (
    RAN_OUT,
    Deck,
    burn_card,
    burn_class,
    fresh_cards,
    fresh_classes,
    next_card_round,
    next_class_round,
)
from houseway.kernels.stream import Int, Words, fill_ahead

CLASSES, CARDS = "classes", "cards"
"""What a rule sees of a card: the class that it is in, or all of it."""
KINDS = {
    CLASSES: {"fresh_shoe": fresh_classes, "next_round": next_class_round, "burn_one": burn_class},
    CARDS: {"fresh_shoe": fresh_cards, "next_round": next_card_round, "burn_one": burn_card},
}

WIN, LOWEST, HIGHEST, DRAWDOWN, LOSING_RUN = range(5)
"""What is kept of each session: the win at the end, the least and the most on the way, the largest fall from a height, and the
longest run of lost rounds (a round that comes out even neither ends nor prolongs it)."""
MEASURES = 5


class Conventions(NamedTuple):
    """How shoes are dealt, as the loop reads it.

    `burn` cards are burned from a fresh shoe, and as many more as `burn_more` says for the last of them. A round begins while
    more than `cut` cards are left, and `extra` more rounds after that, unless the shoe ran out; at most `most` rounds are dealt
    from it. A unit has `shoes` shoe numbers, and ends after `rounds` rounds if that is not 0.
    """

    seed: int
    seats: int
    burn: int
    cut: int
    extra: int
    most: int
    shoes: int
    rounds: int


class SessionState(NamedTuple):
    """Where a session stands: rounds, the win, its least and most so far, the largest fall, this losing run, the longest."""

    rounds: Int
    win: Int
    lowest: Int
    highest: Int
    drawdown: Int
    run: Int
    longest: Int


@inlined
def session_after(session: SessionState, won: Int) -> SessionState:
    """After one more round."""
    win, run = session.win + won, session.run
    if won < 0:
        run += 1
    elif won > 0:
        run = 0
    highest = max(session.highest, win)
    return SessionState(
        session.rounds + 1,
        win,
        min(session.lowest, win),
        highest,
        max(session.drawdown, highest - win),
        run,
        max(session.longest, run),
    )


@inlined
def won_by_all(pays: Ints, cells: Ints, seats: Int) -> Int:
    """What a round came to, for all seats together."""
    won = 0
    for seat in range(seats):
        won += pays[seat, cells[seat]]
    return won


@inlined
def bin_of(value: Int, scale: Ints, bins: Int) -> Int:
    """Where a measure is counted: the first bin is for what lies below the scale, the last for what lies beyond."""
    return min(max((value - scale[0]) // scale[1] + 1, 0), bins - 1)


@dataclass(frozen=True)
class Dealt:
    """What is counted: cells by seat, shoes by their number of rounds, sessions by measure and bin; and blocks of numbers."""

    cells: Ints
    rounds_of_shoes: Ints
    sessions: Ints
    blocks: Ints

    def arrays(self) -> tuple[Ints, ...]:
        """In one order."""
        return self.cells, self.rounds_of_shoes, self.sessions, self.blocks


# What a template's names mean until they are filled in: nothing is called by them.
fresh_shoe: Any = None
next_round: Any = None
burn_one: Any = None
burn: Any = None
play_round: Any = None
add_one: Any = None
count_cell: Any = None
play_unit: Any = None
deal_most: Any = None


@inlined
def add_to(table: Ints, row: int, place: int) -> None:
    """Count one more."""
    table[row, np.uint64(place)] += 1  # unsigned: no place is counted from the end


def burn_template(shoe: Any, ahead: Words, deck: Deck, cards: int, more: Ints) -> Any:
    """Burn cards and, where that is the custom, as many more as the last of them is worth."""
    card = np.int64(0)
    for _ in range(cards):
        card, shoe = burn_one(shoe, ahead, deck)
    for _ in range(more[card]):
        card, shoe = burn_one(shoe, ahead, deck)
    return shoe


def to_the_cut_card(
    shoe: Any,
    ahead: Words,
    deck: Deck,
    settings: Ints,
    tables: Any,
    cells: Ints,
    tally: Ints,
    cut: Int,
    most: Int,
) -> Any:
    """Deal rounds until the cut card comes, and at most so many: nearly all of the work, with nothing else in its way."""
    dealt = 0
    while shoe.left > cut and dealt < most:
        shoe = play_round(next_round(shoe, ahead), ahead, deck, settings, tables, cells)
        dealt += 1
        count_cell(tally, 0, cells[0])
        for seat in range(1, cells.size):
            count_cell(tally, seat, cells[seat])
    return dealt, shoe


def unit_template(  # noqa: PLR0912  (parts of it in functions of their own made every round slower)
    unit: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_deck: Deck,
    burn_more: Ints,
    settings: Ints,
    tables: Any,
    pays: Ints,
    scales: Ints,
    ahead: Words,
    deck: Deck,
    cells: Ints,
    tally: Ints,
    rounds_of_shoes: Ints,
    sessions: Ints,
    blocks: Ints,
) -> None:
    """Deal one unit."""
    session = SessionState(0, 0, 0, 0, 0, 0, 0)
    for number in range(unit * conventions.shoes, (unit + 1) * conventions.shoes):
        fill_ahead(ahead, conventions.seed, number)
        for place in range(fresh_deck.size):
            deck[place] = fresh_deck[place]
        shoe = fresh_shoe(fresh, conventions.seed, number)
        if conventions.burn:
            shoe = burn(next_round(shoe, ahead), ahead, deck, conventions.burn, burn_more)
        dealt, over = 0, 0
        if conventions.rounds == 0:
            dealt, shoe = deal_most(shoe, ahead, deck, settings, tables, cells, tally, conventions.cut, conventions.most)
            over = conventions.extra if shoe.left == RAN_OUT else 0
        while dealt < conventions.most:
            if shoe.left <= conventions.cut:
                if over == conventions.extra:
                    break
                over += 1
            shoe = play_round(next_round(shoe, ahead), ahead, deck, settings, tables, cells)
            dealt += 1
            for seat in range(conventions.seats):
                count_cell(tally, seat, cells[seat])
            if conventions.rounds:
                session = session_after(session, won_by_all(pays, cells, conventions.seats))
                if session.rounds == conventions.rounds:
                    break
            if shoe.left == RAN_OUT:
                break
        add_one(rounds_of_shoes, 0, dealt)
        add_one(blocks, 0, min(shoe.stream.block, blocks.shape[1] - 1))
        if conventions.rounds and session.rounds == conventions.rounds:
            break
    if conventions.rounds:
        bins = sessions.shape[1]
        add_one(sessions, WIN, bin_of(session.win, scales[WIN], bins))
        add_one(sessions, LOWEST, bin_of(session.lowest, scales[LOWEST], bins))
        add_one(sessions, HIGHEST, bin_of(session.highest, scales[HIGHEST], bins))
        add_one(sessions, DRAWDOWN, bin_of(session.drawdown, scales[DRAWDOWN], bins))
        add_one(sessions, LOSING_RUN, bin_of(session.longest, scales[LOSING_RUN], bins))


def units_template(first: int, last: int, conventions: Conventions, *rest: Any) -> None:
    """Deal the units from `first` up to, not with, `last`."""
    for unit in range(first, last):
        play_unit(unit, conventions, *rest)


@cache
def rounds_loop(play: Callable[..., Any], kind: str) -> Callable[..., None]:
    """The loop for a game's `play_round`, compiled for this processor when it is first called."""
    names: dict[str, Any] = {**KINDS[kind], "play_round": play, "add_one": add_to, "count_cell": add_to}
    names["burn"] = compiled_for(burn_template, play, **names)
    names["deal_most"] = compiled_for(to_the_cut_card, play, **names)
    unit = compiled_for(unit_template, play, inline=True, **names)
    return compiled_for(units_template, play, play_unit=unit)
