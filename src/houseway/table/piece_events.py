"""What is told of chips as pieces, of slips, counts and boxes."""

from collections.abc import Mapping
from dataclasses import dataclass

from houseway.table.event import Event

Written = Mapping[str, int]
"""Pieces, or notes, as a journal has them: how many by denomination in cents, coins as those of one cent."""


@dataclass(frozen=True)
class PieceMove:
    """Pieces that went from one place to another; `why` says that they were changed, if they were."""

    source: str
    target: str
    pieces: Written
    why: str = ""


@dataclass(frozen=True)
class PutDown:
    """Who signed a step of a slip."""

    step: str
    name: str


@dataclass(frozen=True)
class ChipsMoved(Event):
    """The pieces that moved, in the order in which it was done."""

    kind = "chips-moved"
    moves: tuple[PieceMove, ...]


@dataclass(frozen=True)
class FillWanted(Event):
    """A tray fell below its mark: the pieces that would bring it back to its par."""

    kind = "fill-wanted"
    table: str
    pieces: Written
    cents: int


@dataclass(frozen=True)
class ChipsBrought(Event):
    """Chips came into the cage from outside."""

    kind = "chips-in"
    pieces: Written
    cents: int


@dataclass(frozen=True)
class ChipsTaken(Event):
    """Chips left the cage for good."""

    kind = "chips-out"
    pieces: Written
    cents: int


@dataclass(frozen=True)
class ParSet(Event):
    """What a tray should hold, and the marks below which a fill is wanted."""

    kind = "par-set"
    table: str
    pieces: Written
    low: Written


@dataclass(frozen=True)
class Coloured(Event):
    """A guest's chips were changed for others of the same value."""

    kind = "coloured"
    guest: str
    gave: Written
    got: Written
    cents: int


# Slips


@dataclass(frozen=True)
class SlipOpened(Event):
    """A slip has its number: of a fill or credit the pieces, of an error the difference and its owner; of counts nothing."""

    kind = "slip-opened"
    slip: str
    table: str
    purpose: str
    pieces: Written
    cents: int
    owner: str


@dataclass(frozen=True)
class SlipSigned(Event):
    """Somebody has signed a step of a slip."""

    kind = "slip-signed"
    slip: str
    table: str
    step: str
    signer: str


@dataclass(frozen=True)
class SlipDone(Event):
    """A slip is finished: the day it was opened on, what it moved or counted, and who signed what."""

    kind = "slip-done"
    slip: str
    table: str
    opened_on: str
    pieces: Written
    cents: int
    signatures: tuple[PutDown, ...]


@dataclass(frozen=True)
class SlipRecalled(Event):
    """A slip is void while its chips are under way: two sign for their way back before they are in the books again."""

    kind = "slip-recalled"
    slip: str
    table: str
    reason: str
    signer: str


@dataclass(frozen=True)
class SlipVoided(Event):
    """A slip is void, on all its copies; its number stays, and none of its chips is under way."""

    kind = "slip-voided"
    slip: str
    table: str
    reason: str
    signer: str


# Counts


@dataclass(frozen=True)
class CountTaken(Event):
    """Somebody has counted a tray: what, is told when the other has counted too."""

    kind = "count-taken"
    slip: str
    table: str
    purpose: str
    signer: str


@dataclass(frozen=True)
class CountsDiffer(Event):
    """Two counts were not the same, or what was counted has moved: all of them count again."""

    kind = "counts-differ"
    slip: str
    table: str
    purpose: str


@dataclass(frozen=True)
class TrayAgreed(Event):
    """Two have counted the same in a tray: that is its opener or its closer; and what the books say."""

    kind = "tray-agreed"
    slip: str
    table: str
    purpose: str
    pieces: Written
    counted_cents: int
    expected_cents: int
    difference_cents: int


@dataclass(frozen=True)
class PiecesSetRight(Event):
    """A tray has the right value in other pieces than the books had: these were not there, and those were."""

    kind = "pieces-set-right"
    slip: str
    table: str
    missing: Written
    found: Written


@dataclass(frozen=True)
class NoticeDue(Event):
    """The commission is to be told of a difference, by its amount or as a pattern of shortages, until then."""

    kind = "notice-due"
    notice: int
    table: str
    cents: int
    why: str
    until: str


@dataclass(frozen=True)
class NoticeSent(Event):
    """Somebody has told the commission, and how."""

    kind = "notice-sent"
    notice: int
    table: str
    cents: int
    reason: str


@dataclass(frozen=True)
class BoxPulled(Event):
    """A box was pulled by two, and is on its way to the count room."""

    kind = "box-pulled"
    slip: str
    table: str


@dataclass(frozen=True)
class BoxCounted(Event):
    """A box was counted three times alike: its notes, and what the buy-ins say; whoever went with it owns a difference."""

    kind = "box-counted"
    slip: str
    table: str
    pulled_on: str
    notes: Written
    counted_cents: int
    expected_cents: int
    difference_cents: int
    owner: str
