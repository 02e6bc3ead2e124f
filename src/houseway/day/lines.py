"""What the books of a day hold, as plain values that add up: integers only, so that any sum of them is exact."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

T = TypeVar("T")
Numbers = dict[str, int]


@dataclass
class WagerBook:
    """What became of the bets on a wager. `handle_cents` is what was laid, which odds are of; `staked_cents` has raises in it.

    `squares` are of single bets. A trial is a hand that a bet hung on, whoever bet: one a round where all seats bet on the
    same cards, else one a seat; `outcomes` are how the trials ended. `win_cents` is the house's, or the bank's at a table that
    players bank, before `prizes_cents` that were won without a stake, such as envy.
    """

    bets: int = 0
    handle_cents: int = 0
    squares: int = 0
    staked_cents: int = 0
    win_cents: int = 0
    prizes_cents: int = 0
    trials: int = 0
    outcomes: Numbers = field(default_factory=dict)


@dataclass
class RoundSums:
    """Sums over the rounds of a table from which follows how far its win strayed from what was to be expected.

    `wins` is of the squared win of a round; `with_wager` of the win times what was laid on a wager, `pairs` of what was laid on
    two wagers (`a|b`, each pair once). All dependence between the wagers and the seats of one round is in them.
    """

    rounds: int = 0
    win_cents: int = 0
    wins: int = 0
    with_wager: Numbers = field(default_factory=dict)
    pairs: Numbers = field(default_factory=dict)


@dataclass
class PlayedBook:
    """What was played at a table under one binding (`bound`, a number in the books): by wager, and its moments."""

    wagers: dict[str, WagerBook] = field(default_factory=dict)
    moments: RoundSums = field(default_factory=RoundSums)


@dataclass
class TableBook:
    """The money of a table in a shift, or a day: what it began and ended with, and all that came and went between.

    `opener_cents` is what was in the tray when the time began, and what openings brought; `closer_cents` what was in it when
    the time ended, and what closings took: of a table that opens again both are sums. They are as two have counted them, where
    they count: what the count of an opener found too much is in it, and in `opener_found_cents`. `drop_cents` is the cash that
    went into the box, and what the count of a box found more, in the time of that count; `pulled_cents` is what was taken out
    of it, `counted_cents` what was counted of boxes. `after_close_cents` is what the cage won by corrections of rounds after
    the table was closed.
    `rounds_say_cents` is the win by the stakes that were paid and taken. `differences_cents` is what a count found too much in
    the tray at its closer, or in a box, `in_play_cents` what a round took early that is in play and lies sealed.
    """

    opener_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    drop_cents: int = 0
    closer_cents: int = 0
    after_close_cents: int = 0
    differences_cents: int = 0
    opener_found_cents: int = 0
    in_play_cents: int = 0
    rounds_say_cents: int = 0
    pulled_cents: int = 0
    counted_cents: int = 0
    collection_cents: int = 0
    tips_cents: int = 0
    rounds: int = 0
    hands: int = 0
    voids: int = 0
    corrections: int = 0
    openings: int = 0
    closings: int = 0
    played: dict[int, PlayedBook] = field(default_factory=dict)

    @property
    def win_cents(self) -> int:
        """By inventory: closer + credits + drop - opener - fills, and what the cage had to settle after the close."""
        gone = self.closer_cents + self.credits_cents + self.drop_cents
        return gone - self.opener_cents - self.fills_cents + self.after_close_cents

    @property
    def unexplained_cents(self) -> int:
        """How much more the inventory says than the rounds do and counts have found: nothing, unless something is wrong."""
        return self.win_cents - self.rounds_say_cents - self.differences_cents - self.in_play_cents


@dataclass
class DealerBook:
    """What somebody dealt of a game: rounds, hands, for how long, and what went wrong with them."""

    rounds: int = 0
    hands: int = 0
    seconds: int = 0
    voids: int = 0
    mends: int = 0
    corrections: int = 0


@dataclass
class GuestBook:
    """What a guest bet under one binding at a table: hands, for how long, what he laid by wager, and what he won."""

    hands: int = 0
    seconds: int = 0
    laid: Numbers = field(default_factory=dict)
    bets: Numbers = field(default_factory=dict)
    win_cents: int = 0


@dataclass
class CashBook:
    """A guest's cash over a day, in and out apart, at the cage and at tables; and how often.

    `lines` are those of the house that it reached ("log in", "report out"), with all of the day's cash at that moment, of all
    accounts of the person; `papers` is how often they were noted.
    """

    in_at_cage_cents: int = 0
    in_at_tables_cents: int = 0
    out_cents: int = 0
    times_in: int = 0
    times_out: int = 0
    lines: Numbers = field(default_factory=dict)
    papers: int = 0


@dataclass
class BreakBook:
    """How many breaks somebody began, and how long those were that ended."""

    times: int = 0
    seconds: int = 0


@dataclass(frozen=True)
class SignedBook:
    """Who signed which step of a slip, and when."""

    step: str
    name: str
    at: str


@dataclass(frozen=True)
class SlipBook:
    """A slip as a day leaves it: when it was opened, its amount (of an error slip the difference), and who signed it.

    Of a blind count there is no amount before it is done. `owner` answers for a difference.
    """

    table: str
    purpose: str
    day: str
    at: str
    cents: int
    owner: str
    status: str
    signed: tuple[SignedBook, ...] = ()
    ended_at: str = ""
    voided_by: str = ""
    reason: str = ""


@dataclass(frozen=True)
class NumbersBook:
    """The numbers of a kind of slips: the last one before a day, the last one of it, and those that were passed over."""

    before: int
    last: int
    missing: tuple[int, ...] = ()


@dataclass(frozen=True)
class NoticeBook:
    """A notice to the commission: of which difference, due until when; and when and how it was sent, if it was."""

    table: str
    at: str
    cents: int
    why: str
    until: str
    sent_at: str = ""
    how: str = ""


@dataclass(frozen=True)
class Moved:
    """Chips or cash that moved between the cage and a table, or a tray that was counted: who did it, and who confirmed it.

    `slip` is the one that it is by, and `owner` whoever answers for a difference.
    """

    seq: int
    at: str
    shift: str
    table: str
    what: str
    cents: int
    by: str
    second: str = ""
    expected_cents: int = 0
    slip: str = ""
    owner: str = ""


@dataclass(frozen=True)
class BoundBook:
    """Under what something was played: an edition's content, its settings, and which of its wagers were offered.

    `shared`: all seats bet on the same cards. `unreadable` says why there are no odds.
    """

    edition: str
    document: str
    settings: dict[str, Any]
    offered: tuple[str, ...]
    by_players: bool = False
    shared: bool = False
    unreadable: str = ""


@dataclass
class DayBook:
    """A gaming day of the house, by shift and table; guests and dealers by name. All of it follows from the journal.

    It goes from entry `first` to entry `last`, whose hash names it. `tables` has a line for each table and shift, `whole` one
    for each table. `guests` and `dealers` are by name and then by `table/bound` and by bound. `comp_percent` and `chance` are
    rules of the house by which it is told. `slips` are all that were open in it, `numbers` are by kind of slip, `notices` by
    number; `breaks` by name.
    """

    day: str
    operator: str = ""
    zone: str = ""
    begins: str = ""
    comp_percent: int = 0
    chance: int = 0
    first: int = 0
    last: int = 0
    hash: str = ""
    shifts: tuple[str, ...] = ()
    bounds: dict[int, BoundBook] = field(default_factory=dict)
    tables: dict[str, dict[str, TableBook]] = field(default_factory=dict)
    whole: dict[str, TableBook] = field(default_factory=dict)
    guests: dict[str, dict[str, GuestBook]] = field(default_factory=dict)
    dealers: dict[str, dict[int, DealerBook]] = field(default_factory=dict)
    cash: dict[str, CashBook] = field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    slips: dict[str, SlipBook] = field(default_factory=dict)
    numbers: dict[str, NumbersBook] = field(default_factory=dict)
    notices: dict[int, NoticeBook] = field(default_factory=dict)
    breaks: dict[str, BreakBook] = field(default_factory=dict)
    cage_before_cents: int = 0
    cage_after_cents: int = 0
    funded_cents: int = 0
    chips_brought_cents: int = 0

    @property
    def all_tables(self) -> TableBook:
        """All tables together."""
        return added(TableBook, self.whole.values())


def added(kind: type[T], values: Iterable[T]) -> T:
    """The sum of books: numbers add up, and books by name in them."""
    total = kind()
    for value in values:
        add_to(total, value)
    return total


def add_to(total: Any, value: Any) -> None:
    """Add one book to another."""
    for each in fields(value):
        setattr(total, each.name, _sum(getattr(total, each.name), getattr(value, each.name)))


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, int):
        return one + other
    if isinstance(one, Mapping):
        both = dict(one)
        for name, value in other.items():
            both[name] = _sum(both[name], value) if name in both else _copy(value)
        return both
    together = _copy(one)
    add_to(together, other)
    return together


def _copy(value: Any) -> Any:
    return value if isinstance(value, int) else added(type(value), [value])
