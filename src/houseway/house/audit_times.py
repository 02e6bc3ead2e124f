"""Entries whose time goes back: no flaw of the chain, for clocks are set, but somebody should know why."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.table.entry import Entry

TOLERATED = timedelta(seconds=1)
"""What the clocks of several machines may differ by; an entry and what the house does with it are dated a moment apart."""
NAMED_MOST = 20


class Times(Check):
    """The newest time so far, and every entry that is dated before it."""

    def __init__(self) -> None:
        self._newest: tuple[str, int] = "", 0
        self._told: list[str] = []
        self._more = 0

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Its time beside the newest one before it."""
        if entry.at >= self._newest[0]:
            self._newest = entry.at, entry.seq
        else:
            self._look_at(entry)
        return ()

    def _look_at(self, entry: Entry) -> None:
        newest, seq = self._newest
        back = _moment(newest) - _moment(entry.at)
        if back <= TOLERATED:
            return
        self._newest = entry.at, entry.seq  # what follows is measured by the clock as it was set
        if len(self._told) < NAMED_MOST:
            self._told.append(f"entry {entry.seq} is dated {entry.at}, {back} before entry {seq}: the clock was set back")
        else:
            self._more += 1

    def notices(self) -> tuple[str, ...]:
        """What there is to tell."""
        more = (f"and {self._more:,} more entries whose time goes back",) if self._more else ()
        return (*self._told, *more)


def _moment(at: str) -> datetime:
    """A time as it is recorded; what is none, an intruder's perhaps, is the chain's flaw and not told here again."""
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return datetime.fromisoformat("9999-01-01T00:00:00+00:00")
