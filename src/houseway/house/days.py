"""Any gaming day out of the journal: its books, folded from the snapshot before it, and its month and year so far."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from houseway import day as day_room
from houseway.day.books import Books
from houseway.day.lines import DayBook, TableBook, added
from houseway.house import snapshot
from houseway.house.sealing import JournalReader
from houseway.house.store import Store
from houseway.solve.kept import kept
from houseway.table.entry import Entry
from houseway.table.plain import as_json, from_json

Totals = dict[str, dict[str, int]]
"""The money of every table over some days, without what was played there: see `TableBook`."""


def book_of(store: Store, day: str, until: int | None = None) -> DayBook:
    """The book of a gaming day (up to an entry); an empty one of a day without any entry."""
    first, last = bounds_of(store, day, until)
    return _books(store, first, last, [day]).book(day) if last >= first else DayBook(day)


def _books(store: Store, first: int, last: int, days: list[str]) -> Books:
    state, reached = snapshot.latest(store, first)
    journal = JournalReader(store.as_stored(reached, last), store.next_opening)  # as anybody can: alike with and without keys
    return Books(state, days).take_all(journal)


def bounds_of(store: Store, day: str, until: int | None = None) -> tuple[int, int]:
    """The first and the last entry of a day (up to one). Days only go forward in a journal: they are found by halving."""
    end = store.head()[0] if until is None else until
    return _first(store, end, day, False), _first(store, end, day, True) - 1


def _first(store: Store, end: int, day: str, after: bool) -> int:
    """The number of the first entry of a day or a later one; or, `after` it, of a later one."""
    low, high = 1, end + 1
    while low < high:
        middle = (low + high) // 2
        entry = store.entry(middle)
        known = entry.day if entry else day
        if known > day or (known == day and not after):
            high = middle
        else:
            low = middle + 1
    return low


def to_date(store: Store, day: str, book: DayBook, remembered: bool = True) -> tuple[Totals, Totals]:
    """The money of all tables in the month and in the year, up to a day and with it.

    A day that is over never changes; what it came to is kept, under the hash of its last entry, unless it is to be worked out
    anew.
    """
    own = totals_of(book)
    month, year = [own], [own]
    for before in _days_before(store, day):
        totals = _remembered(store, before) if remembered else totals_of(book_of(store, before.day))
        year.append(totals)
        month += [totals] if before.day[:7] == day[:7] else []
    return _added(month), _added(year)


def _days_before(store: Store, day: str) -> Iterator[Entry]:
    """The last entry of every earlier day of the same year."""
    low = _first(store, store.head()[0], f"{day[:4]}-01-01", False)
    seq = _first(store, store.head()[0], day, False) - 1
    while seq >= low and (entry := store.entry(seq)):
        yield entry
        seq = _first(store, seq, entry.day, False) - 1


def _remembered(store: Store, last: Entry) -> Totals:
    sources = b"".join(file.read_bytes() for file in sorted(Path(day_room.__path__[0]).glob("*.py")))
    key = hashlib.sha256(sources + f"|{last.hash}|{last.day}".encode()).hexdigest()[:32]
    totals: Totals = kept(key, lambda: totals_of(book_of(store, last.day)))
    return totals


def totals_of(book: DayBook) -> Totals:
    """The money of every table of a day."""
    return {name: {key: value for key, value in vars(line).items() if key != "played"} for name, line in book.whole.items()}


def line_of(totals: Mapping[str, int]) -> TableBook:
    """The line of a table that has these totals."""
    line = TableBook()
    vars(line).update(totals)
    return line


def _added(days: list[Totals]) -> Totals:
    tables = sorted({table for totals in days for table in totals})
    lines = {table: added(TableBook, [line_of(totals[table]) for totals in days if table in totals]) for table in tables}
    return totals_of(DayBook("", whole=lines))


def as_data(book: DayBook) -> dict[str, Any]:
    """A book as plain data, as a document carries it."""
    data: dict[str, Any] = json.loads(as_json(book))
    return data


def from_data(data: dict[str, Any]) -> DayBook:
    """The book that was written as plain data."""
    return from_json(DayBook, json.dumps(data))
