"""What commands tell of the house: tables and their money, second persons, dealers on tables, scoreboards."""

from collections.abc import Mapping
from dataclasses import dataclass

from houseway.table.event import Event

# Tables and their money


@dataclass(frozen=True)
class TableOpened(Event):
    """A table is open, under the rules of this digest."""

    kind = "table-opened"
    edition: str
    digest: str
    opener_cents: int


@dataclass(frozen=True)
class TableClosed(Event):
    """A table is closed, and whether it balances."""

    kind = "table-closed"
    closer_cents: int
    drop_cents: int
    win_cents: int
    rounds_say_cents: int
    counted_cents: int
    balanced: bool


@dataclass(frozen=True)
class MoneyMoved(Event):
    """Cash or chips, and the guest they are of, if they are a guest's."""

    cents: int
    guest: str = ""


class Funded(MoneyMoved):
    """Cash came into the cage."""

    kind = "fund"


class BoughtIn(MoneyMoved):
    """A guest bought chips at the cage."""

    kind = "buy-in"


class CashedOut(MoneyMoved):
    """A guest's chips were bought back."""

    kind = "cash-out"


class Filled(MoneyMoved):
    """Chips went from the cage to a tray."""

    kind = "fill"


class Credited(MoneyMoved):
    """Chips went from a tray to the cage."""

    kind = "credit"


class BoughtAtTable(MoneyMoved):
    """A guest bought chips at a table."""

    kind = "table-buy-in"


class Tipped(MoneyMoved):
    """A guest tipped the dealers."""

    kind = "tip"


@dataclass(frozen=True)
class Dropped(Event):
    """A table's box was pulled."""

    kind = "drop"
    cents: int


@dataclass(frozen=True)
class TrayCounted(Event):
    """A tray was counted."""

    kind = "closer"
    counted_cents: int
    expected_cents: int
    difference_cents: int


# Second persons, and dealers on tables


@dataclass(frozen=True)
class Requested(Event):
    """Somebody asked for what needs a second person of one of these roles; until when the request stays."""

    kind = "requested"
    request: int
    act: str
    cents: int
    asked_by: str
    second: tuple[str, ...]
    until: str


@dataclass(frozen=True)
class Confirmed(Event):
    """A second person confirmed a request: it is done in this entry or, if it is of an account, may be done now."""

    kind = "confirmed"
    request: int
    act: str
    asked_by: str
    confirmed_by: str


@dataclass(frozen=True)
class Declined(Event):
    """A request was declined, or taken back by whoever asked."""

    kind = "declined"
    request: int
    act: str
    asked_by: str
    reason: str


@dataclass(frozen=True)
class DutiesSet(Event):
    """How many names the house works with, its own limits in cents by act, and how many minutes a request stays."""

    kind = "duties-set"
    names: str
    limits: Mapping[str, int]
    minutes: int


@dataclass(frozen=True)
class HouseRuleSet(Event):
    """The house has set a rule of its own: what it was, and what it is now, as written."""

    kind = "house-rule-set"
    rule: str
    before: str
    value: str


@dataclass(frozen=True)
class SignedOn(Event):
    """A dealer is on the table now; who was there before, if anybody was."""

    kind = "signed-on"
    dealer: str
    before: str


@dataclass(frozen=True)
class SignedOff(Event):
    """A dealer is off the table."""

    kind = "signed-off"
    dealer: str


# Scoreboards fed by a keypad


@dataclass(frozen=True)
class BoardOpened(Event):
    """A scoreboard is open."""

    kind = "board-opened"
    board: str
    edition: str


@dataclass(frozen=True)
class BoardHand(Event):
    """A hand was keyed."""

    kind = "board-hand"
    board: str
    hand: str


@dataclass(frozen=True)
class BoardUndone(Event):
    """The last hand was taken off again."""

    kind = "board-undone"
    board: str
    hand: str


@dataclass(frozen=True)
class BoardNewShoe(Event):
    """A new shoe begins, after so many hands."""

    kind = "board-new-shoe"
    board: str
    hands: int
