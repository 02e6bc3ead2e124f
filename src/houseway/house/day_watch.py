"""The day's books, followed while the house plays, and the alerts that follow from them: holds, and wagers beyond chance.

A thread of its own follows: no table waits for it, nor for the odds, which may take long the first time. A table in play is
looked at again and again, and so it is told only if chance does it as seldom as the house's rule `side-bet chance` says; one
that has closed if its hold is outside the range at 95 %, as the day's reports tell of every table.

Of several processes that serve a house one follows, and the others read what it found.
"""

import threading
import time
from collections.abc import Iterator
from itertools import islice

from houseway.day.books import Books
from houseway.day.expected import Odds
from houseway.day.findings import HOLD_OUTSIDE, findings
from houseway.house import snapshot
from houseway.house.again import IsOut
from houseway.house.alert_sender import LookedAt, watch_alerts
from houseway.house.alerts import LOOK, Alert, Situation, alert_kind, standing
from houseway.house.days import bounds_of
from houseway.house.one_finds import OneFinds
from houseway.money import dollars

SECONDS_BETWEEN_LOOKS = 15.0
AT_ONCE, PAUSE_SECONDS = 500, 0.01
"""So many entries are taken in at once, and then others have their turn: a whole day may have to be read at the start."""
HOLD = alert_kind(
    "hold-outside-range",
    "a table's rounds have won more or less than the range of what was to be expected",
    LOOK,
    lambda a: (
        f"{a['table']}: its {a['rounds']} rounds won {dollars(a['cents'])}, outside of {dollars(a['low_cents'])}"
        f" to {dollars(a['high_cents'])}"
    ),
)
BEYOND_CHANCE = alert_kind(
    "beyond-chance",
    "a wager has won more or less often than chance lets it",
    LOOK,
    lambda a: (
        f"{a['table']}, {a['wager']}: {a['outcome'] or 'a win'} came {a['came']} times in {a['hands']} hands, where"
        f" {a['expected']:.1f} were to be expected"
    ),
)


class DayWatch:
    """Follows the journal into the books of the present day; `found` is what they give to look at."""

    def __init__(self, house: LookedAt, odds: Odds, one: OneFinds[tuple[Alert, ...]] | None = None) -> None:
        self.house, self.odds = house, odds
        self.found: tuple[Alert, ...] = ()
        self._one: OneFinds[tuple[Alert, ...]] = one or OneFinds()
        self._books: Books | None = None
        self._seq, self._day = 0, ""

    def look(self) -> None:
        """See what follows from what is new, or what the process has found that follows for all."""
        if self._one.is_here():
            self._follow()
            self._one.tell(self.found)
        else:
            self.found = self._one.told() or self.found

    def _follow(self) -> None:
        seq, state = self.house.now
        store = self.house.floor.store
        if self._books is None:
            newest = store.entry(seq)
            if newest is None:
                return
            before, self._seq = snapshot.latest(store, bounds_of(store, newest.day, seq)[0])
            self._books, self._day = Books(before), newest.day
        if seq <= self._seq:
            return
        entries = store.entries(self._seq, seq)
        while taken := list(islice(entries, AT_ONCE)):
            self._books.take_all(taken)
            self._seq, self._day = taken[-1].seq, taken[-1].day
            time.sleep(PAUSE_SECONDS)
        self._books.forget(self._day)
        in_play = [table.name for table in state.tables.values() if table.is_open]
        self.found = tuple(self._alerts(in_play))

    def _alerts(self, in_play: list[str]) -> Iterator[Alert]:
        assert self._books is not None
        for each in findings(self._books.book(self._day), self.odds, in_play):
            key = f"{self._day}:{each.table}"
            if each.what == HOLD_OUTSIDE:
                amounts = {"cents": each.found, "low_cents": round(each.low), "high_cents": round(each.high)}
                yield Alert(HOLD.name, key, "", each.table, details={"rounds": each.of, **amounts})
            else:
                told = {"came": each.found, "hands": each.of, "expected": each.expected, "p": each.p_value}
                names = {"wager": each.wager, "outcome": each.outcome}
                yield Alert(BEYOND_CHANCE.name, f"{key}:{each.wager}", "", each.table, details=names | told)


@standing
def _in_books(now: Situation) -> Iterator[Alert]:
    for each in now.books or ():
        yield now.alert(each.kind, each.key, each.table, **each.details)


def watch_day(watch: DayWatch, stopped: threading.Event, is_out: IsOut) -> None:
    """Follow until the house closes."""
    watch_alerts(watch, stopped, is_out, SECONDS_BETWEEN_LOOKS)
