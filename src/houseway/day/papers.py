"""The papers of a day: slips with their signatures and numbers, notices to the commission, and breaks of the staff.

What is open when a day begins is of that day too, and stands in its book as the day leaves it.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from houseway.day.lines import BreakBook, DayBook, NoticeBook, NumbersBook, SignedBook, SlipBook
from houseway.table.entry import Entry
from houseway.table.slips import DROP, ERROR, INVENTORY, ROWS
from houseway.table.state import House, Slip

OPEN, DONE, VOID = "open", "done", "void"
_BEFORE_COUNTS = next(place for place, step in enumerate(ROWS[DROP]) if step.id == "first-count")
"""The signatures of a box that stand though its counts differ."""


class Papers:
    """What is open of slips and notices, carried from entry to entry and from day to day."""

    def __init__(self, house: House) -> None:
        self.slips = {id_: _found(slip) for id_, slip in house.slips.items()}
        self.made = dict(house.slips_made)
        self.notices = {
            number: NoticeBook(each.table, each.at, each.cents, each.why, each.until) for number, each in house.notices.items()
        }

    def begin(self, book: DayBook) -> None:
        """A new day: what is open goes over into it."""
        book.slips.update(self.slips)
        book.notices.update(self.notices)
        book.numbers.update({kind: NumbersBook(last, last) for kind, last in self.made.items()})

    def told(self, book: DayBook | None, entry: Entry, event: Mapping[str, Any]) -> None:
        """Take an event in, if it is of papers or of breaks."""
        kind = event["event"]
        if kind == "slip-opened":
            self._opened(book, entry, event)
        elif event.get("slip") in self.slips:
            self._goes_on(book, entry, event)
        elif kind == "notice-due":
            due = NoticeBook(event["table"], entry.at, event["cents"], event["why"], event["until"])
            self._note(book, event["notice"], due)
        elif kind == "notice-sent" and event["notice"] in self.notices:
            sent = replace(self.notices[event["notice"]], sent_at=entry.at, how=event["reason"])
            self._note(book, event["notice"], sent)
            del self.notices[event["notice"]]
        elif book is not None and kind in {"break-begun", "break-ended"}:
            taken = book.breaks.setdefault(event["name"], BreakBook())
            taken.times += kind == "break-begun"
            if kind == "break-ended":  # it counts whole where it ends
                began, ended = datetime.fromisoformat(event["since"]), datetime.fromisoformat(entry.at)
                taken.seconds += int((ended - began).total_seconds())

    def _note(self, book: DayBook | None, number: int, notice: NoticeBook) -> None:
        self.notices[number] = notice
        if book is not None:
            book.notices[number] = notice

    def _opened(self, book: DayBook | None, entry: Entry, event: Mapping[str, Any]) -> None:
        id_ = str(event["slip"])
        kind, _, number = id_.rpartition("-")
        last, made = self.made.get(kind, 0), int(number)
        self.made[kind] = made
        if book is not None:
            numbers = book.numbers.get(kind, NumbersBook(last, last))
            book.numbers[kind] = replace(numbers, last=made, missing=(*numbers.missing, *range(last + 1, made)))
        first = () if kind in {INVENTORY, ERROR} else (SignedBook(ROWS[kind][0].id, entry.actor, entry.at),)
        slip = SlipBook(event["table"], event["purpose"], entry.day, entry.at, event["cents"], event["owner"], OPEN, first)
        self._keep(book, id_, slip)

    def _goes_on(self, book: DayBook | None, entry: Entry, event: Mapping[str, Any]) -> None:
        """What happens to an open slip."""
        id_, told = str(event["slip"]), event["event"]
        kind, slip = id_.rpartition("-")[0], self.slips[id_]
        if told == "slip-signed":
            slip = replace(slip, signed=(*slip.signed, SignedBook(event["step"], event["signer"], entry.at)))
        elif told == "count-taken":
            step = ROWS[INVENTORY][len(slip.signed)].id
            slip = replace(slip, signed=(*slip.signed, SignedBook(step, event["signer"], entry.at)))
        elif told == "counts-differ":
            slip = replace(slip, signed=() if kind == INVENTORY else slip.signed[:_BEFORE_COUNTS])
        elif told == "box-counted":
            slip = replace(slip, cents=event["counted_cents"], owner=event["owner"])
        elif told == "slip-done":
            slip = replace(slip, cents=event["cents"], status=DONE, ended_at=entry.at)
        elif told == "slip-recalled":  # open until its chips are back
            slip = replace(slip, voided_by=event["signer"], reason=event["reason"])
        elif told == "slip-voided":
            slip = replace(slip, status=VOID, ended_at=entry.at, voided_by=event["signer"], reason=event["reason"])
        self._keep(book, id_, slip)
        if slip.status != OPEN:
            del self.slips[id_]

    def _keep(self, book: DayBook | None, id_: str, slip: SlipBook) -> None:
        self.slips[id_] = slip
        if book is not None:
            book.slips[id_] = slip


def _found(slip: Slip) -> SlipBook:
    """A slip that is open when the books begin."""
    signed = tuple(SignedBook(each.step, each.name, each.at) for each in slip.signed)
    return SlipBook(slip.table, slip.purpose, slip.day, slip.opened_at, slip.cents, slip.owner, OPEN, signed)


def slip_order(id_: str) -> tuple[int, int]:
    """Where a slip stands in a list: by kind, and by number."""
    kind, _, number = id_.rpartition("-")
    return list(ROWS).index(kind), int(number)
