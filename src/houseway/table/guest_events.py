"""What commands tell of guests: who may not play, and the cash of a gaming day. A guest is known here by his account."""

from dataclasses import dataclass

from houseway.table.event import Event


@dataclass(frozen=True)
class GuestBarred(Event):
    """A guest may not play: by whose wish, and until which gaming day, if it ends."""

    kind = "guest-barred"
    guest: str
    ground: str
    until: str


@dataclass(frozen=True)
class GuestReadmitted(Event):
    """A guest may play again."""

    kind = "guest-readmitted"
    guest: str
    ground: str


@dataclass(frozen=True)
class CashLine(Event):
    """With this the cash of a guest, in or out, has reached a line of the house: to be logged, near the report, or reported.

    `cents` is all of the gaming day so far, at tables and cage together.
    """

    kind = "cash-line"
    guest: str
    line: str
    way: str
    cents: int


# The waitlist


@dataclass(frozen=True)
class Waits(Event):
    """A guest waits for a seat, under a number: for an edition, or for any seat."""

    kind = "waits"
    number: int
    guest: str
    edition: str


@dataclass(frozen=True)
class GuestCalled(Event):
    """A guest is called to a seat of this table, which is held for him until then."""

    kind = "guest-called"
    number: int
    guest: str
    seat: int
    until: str


@dataclass(frozen=True)
class WaitEnded(Event):
    """A guest waits no more."""

    kind = "wait-ended"
    number: int
    guest: str


@dataclass(frozen=True)
class SeatHeld(Event):
    """A seat is held for a guest until then."""

    kind = "seat-held"
    seat: int
    guest: str
    until: str


@dataclass(frozen=True)
class SeatReleased(Event):
    """A seat that was held for a guest is free again."""

    kind = "seat-released"
    seat: int
    guest: str


# Who works where


@dataclass(frozen=True)
class BreakBegun(Event):
    """Somebody of the staff is on a break."""

    kind = "break-begun"
    name: str


@dataclass(frozen=True)
class BreakEnded(Event):
    """Somebody is back from a break, which began then."""

    kind = "break-ended"
    name: str
    since: str


@dataclass(frozen=True)
class Supervises(Event):
    """A supervisor watches over this table now; who did before, if anybody."""

    kind = "supervises"
    supervisor: str
    before: str


@dataclass(frozen=True)
class SupervisesNoMore(Event):
    """A supervisor no longer watches over this table."""

    kind = "supervises-no-more"
    supervisor: str
