"""The roads of a baccarat scoreboard: where every hand of a shoe is drawn, and in which colour.

Everything here is a function of the list of hands of one shoe, so undoing a hand is leaving it out of the list. Ties
take no place but on the bead plate. A Dragon 7 is a Banker hand in every road although Banker wagers push (EZB-5b).

>>> hands = parse_hands("BPPPB")
>>> [(cell.column, cell.row, str(cell.hand)) for cell in big_road(hands)]
[(0, 0, 'B'), (1, 0, 'P'), (1, 1, 'P'), (1, 2, 'P'), (2, 0, 'B')]
>>> derived(hands, BIG_EYE_BOY)
['B', 'R', 'B']
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, cast

from houseway.refusal import Refused

Winner = Literal["B", "P", "T"]
Colour = Literal["R", "B"]
"""Red is regular and blue irregular: a derived road's colours say nothing about Banker and Player."""

BIG_EYE_BOY, SMALL_ROAD, COCKROACH_PIG = 1, 2, 3
"""A derived road's cycle: how many columns to the left it looks."""
CYCLES = (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_PIG)
ROWS = 6

_HAND = re.compile(r"([BPT])(7?)(8?)(n?)(p?)(b?)")


@dataclass(frozen=True)
class RoadHand:
    """One finished hand, as a keypad gives it: winner and flags, no cards.

    As text: the winner's letter, then 7 (Dragon 7), 8 (Panda 8), n (natural), p and b (Player's and Banker's pair).

    >>> RoadHand.parse("B7"), str(RoadHand("T", natural=True, banker_pair=True))
    (RoadHand(winner='B', dragon_7=True, panda_8=False, natural=False, player_pair=False, banker_pair=False), 'Tnb')
    """

    winner: Winner
    dragon_7: bool = False
    panda_8: bool = False
    natural: bool = False
    player_pair: bool = False
    banker_pair: bool = False

    def __post_init__(self) -> None:
        if self.winner not in {"B", "P", "T"}:
            raise Refused("bad-hand", f'"{self.winner}" wins no hand: B, P or T does')
        for flag, name, side, winner in (
            (self.dragon_7, "Dragon 7", "Banker", "B"),
            (self.panda_8, "Panda 8", "Player", "P"),
        ):
            if flag and self.winner != winner:
                raise Refused("impossible-hand", f'"{self}": a {name} is a hand that {side} wins (EZB-4)')
            if flag and self.natural:
                raise Refused("impossible-hand", f'"{self}": a {name} has three cards, but a natural draws none (EZB-3a)')

    @classmethod
    def parse(cls, text: str) -> "RoadHand":
        """Read one hand: `B`, `P`, `T`, `B7`, `P8`, `Bn`, `Tnpb`."""
        match = _HAND.fullmatch(text)
        if not match:
            raise Refused("bad-hand", f'"{text}" is not a hand: write B, P or T, then 7, 8, n, p, b for its flags, such as B7')
        return cls(cast(Winner, match[1]), *(bool(flag) for flag in match.groups()[1:]))

    def __str__(self) -> str:
        flags = (self.dragon_7, self.panda_8, self.natural, self.player_pair, self.banker_pair)
        return self.winner + "".join(letter for letter, flag in zip("78npb", flags, strict=True) if flag)


def parse_hands(text: str) -> tuple[RoadHand, ...]:
    """Read the hands of a shoe; spaces and commas between them may be left out (`B P8 T` or `BP8T`)."""
    hands: list[RoadHand] = []
    for word in re.split(r"[\s,]+", text.strip()) if text.strip() else ():
        tokens = [match[0] for match in _HAND.finditer(word)]
        hands += map(RoadHand.parse, tokens if "".join(tokens) == word else [word])
    return tuple(hands)


@dataclass(frozen=True)
class Place:
    """A place on a grid, counted from the top left corner."""

    column: int
    row: int


@dataclass(frozen=True)
class Cell(Place):
    """A cell of the bead plate or the big road: its hand, and how many ties followed it.

    There is no hand only where a shoe began with ties and nobody has won yet: the first winner comes into that cell.
    """

    hand: RoadHand | None
    ties: int = 0


@dataclass(frozen=True)
class Stroke(Place):
    """A cell of a derived road."""

    colour: Colour


AnyPlace = TypeVar("AnyPlace", bound=Place)


@dataclass(frozen=True)
class Counts:
    """A shoe in numbers. A Dragon 7 counts under Banker as well, a Panda 8 under Player."""

    hands: int
    player: int
    banker: int
    tie: int
    dragon_7: int
    panda_8: int
    natural: int
    player_pair: int
    banker_pair: int


def bead_plate(hands: Sequence[RoadHand], rows: int = ROWS) -> list[Cell]:
    """Every hand, ties too, down the columns from left to right."""
    return [Cell(*divmod(number, rows), hand) for number, hand in enumerate(hands)]


def big_road(hands: Sequence[RoadHand], rows: int = ROWS) -> list[Cell]:
    """Runs of the same winner, a column each; ties are counted on the cell they follow."""
    winners: list[RoadHand] = []
    ties = [0]
    for hand in hands:
        if hand.winner == "T":
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


def next_hand(hands: Iterable[RoadHand]) -> dict[Winner, tuple[Colour | None, ...]]:
    """What each derived road (in the order of `CYCLES`) would add if Banker or Player won the next hand.

    >>> next_hand(parse_hands("BPPPB"))
    {'B': ('R', 'B', None), 'P': ('B', 'R', None)}
    """
    known = tuple(hands)
    asked: dict[Winner, tuple[Colour | None, ...]] = {}
    for winner in ("B", "P"):
        *_, depths = _run_depths((*known, RoadHand(winner)))
        asked[winner] = tuple(_entry(depths, cycle) for cycle in CYCLES)
    return asked


def counts(hands: Sequence[RoadHand]) -> Counts:
    """How often everything happened that a scoreboard counts."""
    return Counts(
        hands=len(hands),
        player=sum(hand.winner == "P" for hand in hands),
        banker=sum(hand.winner == "B" for hand in hands),
        tie=sum(hand.winner == "T" for hand in hands),
        dragon_7=sum(hand.dragon_7 for hand in hands),
        panda_8=sum(hand.panda_8 for hand in hands),
        natural=sum(hand.natural for hand in hands),
        player_pair=sum(hand.player_pair for hand in hands),
        banker_pair=sum(hand.banker_pair for hand in hands),
    )


def crop(cells: Sequence[AnyPlace], columns: int) -> list[AnyPlace]:
    """What a grid of that many columns shows: scrolled by whole columns, only as far as the newest cell needs.

    A long tail may reach further right than the newest cell; then the end of the tail is cut off, not the cell. For
    drawing only: nothing may be derived from a cropped road.
    """
    first = max(0, cells[-1].column + 1 - columns) if cells else 0
    shown = (cell for cell in cells if first <= cell.column < first + columns)
    return [replace(cell, column=cell.column - first) for cell in shown]


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
        if hand.winner == "T":
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
