"""What somebody should look at now: each alert is declared once, with when it is raised, its words and how urgent it is.

Some stand as long as something is so, and are found in the state; some are of an entry of the journal. They are shown on the
floor page, written to the log as one line of JSON, and posted to webhooks, signed. What leaves the house names no guest. None
of it is ever waited for by a table: a thread of its own looks at what was committed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from houseway.money import dollars
from houseway.refusal import number_of
from houseway.table.duties import are_two
from houseway.table.entry import Entry
from houseway.table.fold import ATTEMPT, BACKUP_FAILED, HEAD_NOT_SENT
from houseway.table.guest_events import CashLine
from houseway.table.guests import DATA_WANTED, LOG, MAY_NOT_PLAY, REPORT
from houseway.table.shifts import BREAK_MINUTES
from houseway.table.slips import SLIP_MINUTES
from houseway.table.state import House, Phase

ACT, LOOK = "act", "look"
"""How urgent: somebody has to act, or to have a look."""
A_GUEST = "a guest"
CORRECT, ROUND_IS_OVER = "correct", {"round-settled", "round-voided"}


@dataclass(frozen=True)
class Alert:
    """Something to look at: of a declared kind, about something (`key`), at a table or in the house.

    `entry` is the number of the journal's entry that it is of, if it is of one. `guest` is an account, which stays in the
    house; `details` are amounts, names of the house's own and the like, for its words.
    """

    kind: str
    key: str
    at: str
    table: str = ""
    entry: int = 0
    guest: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """What is the same alert, however often it is found."""
        return f"{self.kind}:{self.key}"

    def words(self, guest: str = "") -> str:
        """In a sentence, for the staff; or with another word for the guest."""
        declared = ALERTS[self.kind]
        return declared.words({**self.details, "table": self.table, "guest": guest or self.guest or A_GUEST})

    def as_data(self, named: bool) -> dict[str, Any]:
        """For the staff's page, or (not `named`) for the log and for outside."""
        return {
            "alert": self.kind,
            "severity": ALERTS[self.kind].severity,
            "words": self.words() if named else self.words(A_GUEST),
            "table": self.table,
            "entry": self.entry,
            "at": self.at,
        }


@dataclass(frozen=True)
class AlertKind:
    """A kind of alert: what it is about, how urgent, its words; one that stands is raised once it has for so many seconds."""

    name: str
    about: str
    severity: str
    words: Callable[[Mapping[str, Any]], str]
    after_seconds: int = 0


@dataclass(frozen=True)
class Situation:
    """The house at a moment: its state, whether the machine's clock was set, and what the day's books give to
    look at, where somebody keeps them (`house/day_watch.py`)."""

    house: House
    at: datetime
    clock_is_off: bool = False
    books: Iterable[Alert] | None = None

    @property
    def now(self) -> str:
        """The moment as the journal writes it."""
        return self.at.isoformat(timespec="microseconds")

    def alert(self, kind: str, key: str, table: str = "", guest: str = "", **details: Any) -> Alert:
        """One that stands now."""
        return Alert(kind, key, self.now, table, guest=guest, details=details)


Standing = Callable[[Situation], Iterable[Alert]]
OfEntry = Callable[[Entry], Iterable[Alert]]
ALERTS: dict[str, AlertKind] = {}
"""Every kind of alert there is."""
STANDING: list[Standing] = []
OF_ENTRIES: list[OfEntry] = []


def alert_kind(
    name: str, about: str, severity: str, words: Callable[[Mapping[str, Any]], str], after_seconds: int = 0
) -> AlertKind:
    """Declare a kind of alert."""
    assert name not in ALERTS, f"{name} is declared twice"
    ALERTS[name] = AlertKind(name, about, severity, words, after_seconds)
    return ALERTS[name]


def standing(find: Standing) -> Standing:
    """Declare what finds alerts in a situation."""
    STANDING.append(find)
    return find


def of_entries(find: OfEntry) -> OfEntry:
    """Declare what finds alerts in an entry."""
    OF_ENTRIES.append(find)
    return find


def found_now(situation: Situation) -> list[Alert]:
    """All alerts that stand in a situation."""
    return [alert for find in STANDING for alert in find(situation)]


def found_in(entry: Entry) -> list[Alert]:
    """All alerts of an entry."""
    return [alert for find in OF_ENTRIES for alert in find(entry)]


# Tables, people, clocks and slips

NO_DEALER = alert_kind(
    "table-without-dealer",
    "guests or bets are at a table, and nobody is signed on",
    ACT,
    lambda a: f"{a['table']} has guests and no dealer",
    after_seconds=60,
)
NO_SUPERVISOR = alert_kind(
    "table-without-supervisor",
    "a table is open and nobody supervises it, in a house where tables are supervised",
    LOOK,
    lambda a: f"Nobody supervises {a['table']}",
    after_seconds=120,
)
LONG_BREAK = alert_kind("long-break", "a break takes longer than is meant", LOOK, lambda a: f"The break of {a['name']} is over")
CLOCK = alert_kind(
    "clock-set",
    "the machine's clock is not the house's: it was set",
    LOOK,
    lambda _: "The machine's clock was set: look at its time server; the house follows when no guest's time runs",
)
OPEN_SLIP = alert_kind(
    "slip-open",
    "a slip is open for longer than is meant",
    ACT,
    lambda a: f"Slip {a['slip']} is open for {a['minutes']} minutes",
)


NOTICE_DUE = alert_kind(
    "notice-due",
    "the commission has to be told of a difference, and nobody said that it was (230-15-495)",
    ACT,
    lambda a: f"{a['table']} was off by {dollars(a['cents'])}: notice {a['notice']} to the commission is due by {a['until']}",
)
NOTICE_LATE = alert_kind(
    "notice-late",
    "the commission should have been told of a difference by now",
    ACT,
    lambda a: f"{a['table']} was off by {dollars(a['cents'])}: notice {a['notice']} to the commission was due {a['until']}",
)


@standing
def _without_dealer(now: Situation) -> Iterator[Alert]:
    """Where one name does everything nobody signs on."""
    if are_two(now.house):
        for table in now.house.tables.values():
            has_guests = table.seated or table.round.spots or table.round.phase != Phase.BETTING
            if table.is_open and not table.dealer and has_guests:
                yield now.alert(NO_DEALER.name, table.name, table.name)


@standing
def _without_supervisor(now: Situation) -> Iterator[Alert]:
    tables = [table for table in now.house.tables.values() if table.is_open]
    if any(table.supervisor for table in tables):
        yield from (now.alert(NO_SUPERVISOR.name, table.name, table.name) for table in tables if not table.supervisor)


@standing
def _long_breaks(now: Situation) -> Iterator[Alert]:
    since = (now.at - timedelta(minutes=BREAK_MINUTES.of(now.house))).isoformat(timespec="microseconds")
    return (now.alert(LONG_BREAK.name, name, name=name) for name, began in now.house.breaks.items() if began < since)


@standing
def _clock(now: Situation) -> list[Alert]:
    return [now.alert(CLOCK.name, "clock")] if now.clock_is_off else []


@standing
def _slips(now: Situation) -> Iterator[Alert]:
    """A house has slips once it has chips that are pieces."""
    for name, slip in now.house.slips.items():
        waited = int((now.at - datetime.fromisoformat(slip.opened_at)).total_seconds()) // 60
        if waited >= SLIP_MINUTES.of(now.house):
            yield now.alert(OPEN_SLIP.name, name, slip.table, slip=name, minutes=waited)


@standing
def _notices(now: Situation) -> Iterator[Alert]:
    for number, notice in now.house.notices.items():
        until = datetime.fromisoformat(notice.until)
        kind, told = NOTICE_LATE if now.at > until else NOTICE_DUE, f"{until:%Y-%m-%d %H:%M} UTC"
        yield now.alert(kind.name, str(number), notice.table, notice=number, cents=abs(notice.cents), until=told)


# What happened

PAYOUT = alert_kind(
    "high-payout",
    "a payout is above the surveillance threshold of its table",
    LOOK,
    lambda a: f"{a['table']} pays {dollars(a['cents'])}, above {dollars(a['threshold_cents'])}",
)
BARRED_CAME = alert_kind(
    "may-not-play",
    "somebody who may not play tried to",
    ACT,
    lambda a: (
        f"Somebody who may not play tried to {a['act']}" + (f", {number_of(a['times'], 'time')} more" if a["times"] else "")
    ),
)
CASH_NEAR_LINE = alert_kind(
    "cash-near",
    "a guest's cash of the day is near the line of the report, or would cross it before his papers were seen",
    ACT,
    lambda a: f"The cash of {a['guest']} is near the line of the report: have the papers ready",
)
CASH_REPORTED = alert_kind(
    "cash-report",
    "a guest's cash of the day is above the line: a report is due",
    ACT,
    lambda a: f"The cash {a['way']} of {a['guest']} is {dollars(a['cents'])} today: a report is due",
)
UNBALANCED = alert_kind(
    "table-unbalanced",
    "a table closed, and its count is not what the rounds say",
    ACT,
    lambda a: f"{a['table']} does not balance",
)
NOT_KEPT = alert_kind(
    "not-kept", "a backup failed, or a signed head did not leave the house", ACT, lambda a: f"{a['what']}: see to it"
)


TEST = alert_kind("test", "somebody tries whether webhooks take alerts", LOOK, lambda _: "This is a test")


def _of(entry: Entry, kind: AlertKind, guest: str = "", **details: Any) -> Alert:
    return Alert(kind.name, str(entry.seq), entry.at, entry.table, entry.seq, guest, details)


@of_entries
def _attempts(entry: Entry) -> Iterator[Alert]:
    if entry.kind == ATTEMPT and entry.data.get("code") == MAY_NOT_PLAY:
        act, times = str(entry.data["command"]["kind"]).replace("-", " "), entry.data.get("times", 0)
        yield _of(entry, BARRED_CAME, act=act, times=times)
    if entry.kind == ATTEMPT and entry.data.get("code") == DATA_WANTED:
        yield _of(entry, CASH_NEAR_LINE)


@of_entries
def _told(entry: Entry) -> Iterator[Alert]:
    for event in entry.data.get("events", ()):
        if event["event"] == CashLine.kind and event["line"] != LOG:
            kind = CASH_REPORTED if event["line"] == REPORT else CASH_NEAR_LINE
            yield _of(entry, kind, event["guest"], way=event["way"], cents=event["cents"])
        if event["event"] == "table-closed" and not event["balanced"]:
            yield _of(entry, UNBALANCED)


@of_entries
def _not_kept(entry: Entry) -> Iterator[Alert]:
    if entry.kind in {BACKUP_FAILED, HEAD_NOT_SENT}:
        yield _of(entry, NOT_KEPT, what="A backup failed" if entry.kind == BACKUP_FAILED else "A signed head was not sent")


class PayoutWatch:
    """High payouts, each told once: surveillance is told when the cards are there, again at the settlement, and by a mend."""

    def __init__(self) -> None:
        self._told: dict[str, set[tuple[int, str, int]]] = {}

    def follow(self, entry: Entry) -> Iterator[Alert]:
        """Take in an entry, and tell of payouts that were not told yet in this round of its table."""
        for event in entry.data.get("events", ()):
            if event["event"] == "surveillance":
                known = self._told.setdefault(entry.table, set()) if entry.kind != CORRECT else set()  # that is an older round
                new = {(paid["seat"], paid["wager"], paid["win_cents"]) for paid in event.get("payments", ())} - known
                known |= new
                if new:
                    cents = max(cents for _, _, cents in new)
                    yield _of(entry, PAYOUT, cents=cents, threshold_cents=event["threshold_cents"])
            elif event["event"] in ROUND_IS_OVER:
                self._told.pop(entry.table, None)
