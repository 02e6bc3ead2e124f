"""The roads of a scoreboard: where every hand of a shoe is drawn, and in which colour.

Everything here is a function of the list of hands of one shoe, so undoing a hand is leaving it out of the list. Ties
take no place but on the bead plate.

>>> hands = [RoadHand(winner) for winner in "BPPPB"]
>>> [(cell.column, cell.row, str(cell.hand)) for cell in big_road(hands)]
[(0, 0, 'B'), (1, 0, 'P'), (1, 1, 'P'), (1, 2, 'P'), (2, 0, 'B')]
>>> derived(hands, BIG_EYE_BOY)
['B', 'R', 'B']
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Colour = Literal["R", "B"]
"""Red is regular and blue irregular: a derived road's colours say nothing about who won."""

BIG_EYE_BOY, SMALL_ROAD, COCKROACH_PIG = 1, 2, 3
"""A derived road's cycle: how many columns to the left it looks."""
CYCLES = (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_PIG)
ROWS = 6


@dataclass(frozen=True)
class RoadHand:
    """One finished hand, as a keypad gives it: the winner's letter, those of its flags, and whether it is a tie; no cards."""

    winner: str
    flags: str = ""
    is_tie: bool = False

    def __str__(self) -> str:
        return self.winner + self.flags


@dataclass(frozen=True)
class RoadPlace:
    """A place on a grid, counted from the top left corner."""

    column: int
    row: int


@dataclass(frozen=True)
class Cell(RoadPlace):
    """A cell of the bead plate or the big road: its hand, and how many ties followed it.

    There is no hand only where a shoe began with ties and nobody has won yet: the first winner comes into that cell.
    """

    hand: RoadHand | None
    ties: int = 0


@dataclass(frozen=True)
class Stroke(RoadPlace):
    """A cell of a derived road."""

    colour: Colour


def bead_plate(hands: Sequence[RoadHand], rows: int = ROWS) -> list[Cell]:
    """Every hand, ties too, down the columns from left to right."""
    return [Cell(*divmod(number, rows), hand) for number, hand in enumerate(hands)]


def big_road(hands: Sequence[RoadHand], rows: int = ROWS) -> list[Cell]:
    """Runs of the same winner, a column each; ties are counted on the cell they follow."""
    winners: list[RoadHand] = []
    ties = [0]
    for hand in hands:
        if hand.is_tie:
            ties[-1] += 1
            continue
        if winners:
            ties.append(0)  # the first winner keeps the count of the ties before it
        winners.append(hand)
    if not winners:
        return [Cell(0, 0, None, ties[0])] if ties[0] else []
    places = _places([hand.winner for hand in winners], rows)
    return [Cell(*place, hand, count) for place, hand, count in zip(places, winners, ties, strict=True)]


def derived(hands: Iterable[RoadHand], cycle: int) -> list[Colour]:
    """The colours of a derived road, one a hand from the first that has a column to be compared with.

    They are worked out from how long the runs are, never from where these are drawn: a run that has turned is longer
    than its column.
    """
    entries = (_entry(depths, cycle) for depths in _run_depths(hands))
    return [colour for colour in entries if colour]


def derived_road(hands: Iterable[RoadHand], cycle: int, rows: int = ROWS) -> list[Stroke]:
    """A derived road drawn as the big road is: a column for each run of the same colour."""
    colours = derived(hands, cycle)
    return [Stroke(*place, colour) for place, colour in zip(_places(colours, rows), colours, strict=True)]


def next_hand(hands: Iterable[RoadHand], sides: Sequence[str]) -> dict[str, tuple[Colour | None, ...]]:
    """What each derived road (in the order of `CYCLES`) would add if one side or the other won the next hand.

    >>> next_hand([RoadHand(winner) for winner in "BPPPB"], "BP")
    {'B': ('R', 'B', None), 'P': ('B', 'R', None)}
    """
    known = tuple(hands)
    asked: dict[str, tuple[Colour | None, ...]] = {}
    for winner in sides:
        *_, depths = _run_depths((*known, RoadHand(winner)))
        asked[winner] = tuple(_entry(depths, cycle) for cycle in CYCLES)
    return asked


def _places(marks: Sequence[str], rows: int) -> list[tuple[int, int]]:
    """Column and row of each mark; a run of equal marks goes down, and on to the right where it cannot.

    A run turns at the bottom and above any cell already taken, whatever is in it, and having turned stays on its row
    (the "dragon tail"). The next run starts in the column after this one's first, or the next whose top is free.
    """
    taken: set[tuple[int, int]] = set()
    places: list[tuple[int, int]] = []
    start = column = row = 0
    turned = False
    for number, mark in enumerate(marks):
        if number == 0 or mark != marks[number - 1]:
            while (start, 0) in taken:
                start += 1
            column, row, turned = start, 0, False
        else:
            turned = turned or row + 1 == rows or (column, row + 1) in taken
            column, row = (column + 1, row) if turned else (column, row + 1)
        assert (column, row) not in taken, "a tail to the right would have begun to the left of this run, and stopped it above"
        taken.add((column, row))
        places.append((column, row))
    return places


def _run_depths(hands: Iterable[RoadHand]) -> Iterator[list[int]]:
    """After each hand that is no tie: how long every run is so far. The list is the same one, grown."""
    depths: list[int] = []
    last = ""
    for hand in hands:
        if hand.is_tie:
            continue
        if hand.winner == last:
            depths[-1] += 1
        else:
            depths.append(1)
        last = hand.winner
        yield depths


def _entry(depths: Sequence[int], cycle: int) -> Colour | None:
    """What the hand just added to the last run enters in a derived road, or nothing while the road has not begun."""
    begins_run = depths[-1] == 1
    run = len(depths) - (2 if begins_run else 1)
    if run < cycle:
        return None
    compared = depths[run - cycle]
    if begins_run:
        return "R" if depths[run] == compared else "B"
    return "B" if depths[run] == compared + 1 else "R"
