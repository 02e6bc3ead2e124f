"""The audit of guests: nobody who may not play did, cash reached its lines as told, and no personal data are in the chain.

It keeps its own account of bars and of the day's cash, from the entries alone, beside the one that folding keeps.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.money import dollars
from houseway.table.duties import spelled
from houseway.table.entry import Entry
from houseway.table.event import WHOLE_DAYS
from houseway.table.fold import PATRON_NOTES
from houseway.table.guest_events import CashLine
from houseway.table.guests import (
    CASH,
    CASH_LOG,
    CASH_NEAR,
    CASH_REPORT,
    FROM_WAITLIST,
    IN,
    LOG,
    NEAR,
    OUT,
    PATRON_CHANGED,
    PATRON_IDENTIFIED,
    PATRON_LINKED,
    PATRON_REGISTERED,
    PLAYING,
    REGISTERED,
    REPORT,
    are_papers_wanted,
    is_cash_watched,
    number_of_patron,
)
from houseway.table.ledger import OUTSIDE

KEPT = frozenset({"patron", "guest", "first", "of_age", "redated", "found", "purged", "events"})
"""What a note of the patron file may hold."""
ADDED = frozenset({"form", "begins", "second", "shell"})


class Guests(Check):
    """Who may not play, the cash of a day, and what is noted of the patron file."""

    kinds = frozenset({*PLAYING, *FROM_WAITLIST, *CASH, *PATRON_NOTES, "exclude", "readmit"})

    def __init__(self) -> None:
        self._registered = 0
        self._number: dict[str, str] = {}
        self._waits: dict[int, str] = {}
        self._first: dict[str, str] = {}
        self._barred: dict[str, str] = {}
        self._young: set[str] = set()
        self._day = ""
        self._cash: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._told: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._papers: set[str] = set()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What was done here with a guest."""
        if entry.day != self._day:
            self._day, self._cash, self._told, self._papers = entry.day, defaultdict(int), defaultdict(int), set()
        if entry.kind in PATRON_NOTES:
            return self._noted(walk, entry)
        if "command" not in entry.data or "drawn" not in entry.data:
            return ()
        command = entry.data["command"]
        if entry.kind == "exclude":
            told = entry.data["events"][0]
            self._barred[self._heard(command["guest"])] = str(told["until"])
            return ()
        if entry.kind == "readmit":
            self._barred.pop(self._heard(command["guest"]), None)
            return ()
        return self._played(walk, entry, command)

    def _heard(self, guest: str) -> str:
        return spelled(self._first.get(guest, guest))

    def _noted(self, walk: AuditWalk, entry: Entry) -> Iterator[Flaw]:
        data = entry.data
        if more := sorted(data.keys() - KEPT - ADDED):
            yield Flaw(entry.seq, f"a note of the patron file has {', '.join(more)}: the chain holds no personal data")
        if entry.kind == PATRON_REGISTERED:
            if data.get("patron") != number_of_patron(self._registered):
                yield Flaw(entry.seq, f"{data.get('patron')} is not the next number of the patron file")
            self._registered += 1
            self._number[str(data.get("guest", ""))] = str(data.get("patron", ""))
        if entry.kind == PATRON_LINKED:
            yield from self._link(walk, entry, str(data["guest"]), str(data["first"]))
        if entry.kind == PATRON_IDENTIFIED:
            self._papers.add(self._heard(data["guest"]))
        if entry.kind in {PATRON_REGISTERED, PATRON_CHANGED} and "of_age" in data:
            heard = self._heard(data["guest"])
            self._young = self._young - {heard} if data["of_age"] else self._young | {heard}

    def _link(self, walk: AuditWalk, entry: Entry, guest: str, first: str) -> Iterator[Flaw]:
        """Both accounts are one sum: the lines that it reaches, and neither had reached alone, are those that are told."""
        was, now, number = self._heard(guest), self._heard(first), str(entry.data.get("patron", ""))
        nameless = self._number.get(guest)  # whoever was known by description comes with all his accounts
        self._number |= {account: number for account, known in self._number.items() if known == nameless} | {guest: number}
        self._first |= {account: first for account, known in self._first.items() if known == guest} | {guest: first}
        if was in self._barred:
            ends = [self._barred.pop(was), *([self._barred[now]] if now in self._barred else [])]
            self._barred[now] = "" if "" in ends else max(ends)
        self._young = {now if heard == was else heard for heard in self._young}
        reached, form = set[tuple[str, str, int]](), entry.data.get("form", WHOLE_DAYS - 1)
        watched = is_cash_watched(walk.state, form)
        for way in (IN, OUT):
            one, other = self._cash.pop((was, way), 0) if was != now else 0, self._cash[now, way]
            had, has = self._told.pop((was, way), 0) if was != now else 0, self._told[now, way]
            self._cash[now, way] = one + other
            held = one + other if form >= WHOLE_DAYS else had + has
            self._told[now, way] = held if watched else 0
            reached |= self._between(walk, way, max(had, has), held) if watched else set()
        yield from _compared(entry, first, reached)

    @staticmethod
    def _between(walk: AuditWalk, way: str, before: int, now: int) -> set[tuple[str, str, int]]:
        """The lines that lie between two sums."""
        report = CASH_REPORT.of(walk.state)
        lines = {LOG: CASH_LOG.of(walk.state), NEAR: report * CASH_NEAR.of(walk.state) // 100, REPORT: report + 1}
        return {(way, line, now) for line, least in lines.items() if before < least <= now}

    def _played(self, walk: AuditWalk, entry: Entry, command: Mapping[str, Any]) -> Iterator[Flaw]:
        guest = self._guest(entry, command)
        heard = self._heard(guest)
        if entry.kind in PLAYING | FROM_WAITLIST and REGISTERED.of(walk.state) == "yes":
            yield from self._by_number(entry, guest)
        until = self._barred.get(heard)
        if entry.kind in PLAYING and ((until is not None and (not until or entry.day < until)) or heard in self._young):
            yield Flaw(entry.seq, f"{entry.kind} for {guest}, who may not play")
        if entry.kind in CASH:
            yield from self._lines(walk, entry, guest, heard)

    def _guest(self, entry: Entry, command: Mapping[str, Any]) -> str:
        """Who played: on the waitlist he is a number, which whoever put him there was told."""
        if entry.kind == "wait":
            self._waits[entry.data["events"][0]["number"]] = str(command["guest"])
        return str(command["guest"]) if "guest" in command else self._waits.get(command["wait"], "")

    def _by_number(self, entry: Entry, guest: str) -> Iterator[Flaw]:
        """Whoever plays where every guest must be registered does so by his own number."""
        own, named = self._number.get(guest, ""), str(entry.data.get("patron", ""))
        if not named:
            yield Flaw(entry.seq, f"{entry.kind} for {guest}, who has no number of the patron file")
        elif named != own:
            yield Flaw(entry.seq, f"{entry.kind} for {guest} by the number {named}, which is not his: he has {own or 'none'}")

    def _lines(self, walk: AuditWalk, entry: Entry, guest: str, heard: str) -> Iterator[Flaw]:
        """The lines that this entry's cash reaches, by what the store moved, are those that it tells."""
        report, reached, form = CASH_REPORT.of(walk.state), set[tuple[str, str, int]](), entry.data.get("form", 0)
        watched, wanted = is_cash_watched(walk.state, form), are_papers_wanted(walk.state, form)
        for way in (IN, OUT):
            sides = (transfer.source if way == IN else transfer.target for transfer in entry.transfers)
            moved = sum(each.cents for each, side in zip(entry.transfers, sides, strict=True) if side == OUTSIDE)
            before = (self._cash if form >= WHOLE_DAYS else self._told)[heard, way]
            now = before + moved
            self._cash[heard, way] += moved
            if watched:
                reached |= self._between(walk, way, self._told[heard, way], now)
                self._told[heard, way] = now
            if wanted and now > max(before, report) and heard not in self._papers:
                yield Flaw(entry.seq, f"{guest}'s cash {way} goes to {dollars(now)}, and nobody had seen his papers that day")
        yield from _compared(entry, guest, reached)


def _compared(entry: Entry, guest: str, reached: set[tuple[str, str, int]]) -> Iterator[Flaw]:
    """What an entry tells of a guest's lines against what they are."""
    told = {(each["way"], each["line"], each["cents"]) for each in _events(entry) if each["guest"] == guest}
    for way, line, cents in sorted(reached ^ told):
        what = "does not tell" if (way, line, cents) in reached else "tells, and is not so"
        yield Flaw(entry.seq, f"{guest}'s cash {way} at {dollars(cents)} and the line {line}: the entry {what}")


def _events(entry: Entry) -> Iterator[Mapping[str, Any]]:
    return (event for event in entry.data.get("events", ()) if event["event"] == CashLine.kind)
