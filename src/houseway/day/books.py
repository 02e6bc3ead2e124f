"""The books of gaming days, folded from the journal entry by entry: nothing is played again, and nothing else is asked.

Money counts in the shift in which it moved, a round in the shift in which it was settled. A correction counts in the shift
in which it is made; that is on the gaming day of its round, as no other may be corrected. What was paid early in a round is
money of the shift in which it was paid, and its wager is told in the shift of the settlement, with its round; of a round that
is void it goes out of the books again in the shift of the void; so do chips of a credit whose slip is voided. Where trays and
boxes are counted, opener and closer are what was counted, and what a box's count found otherwise is in the drop of its shift.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from houseway.day.lines import (
    BoundBook,
    CashBook,
    DayBook,
    DealerBook,
    GuestBook,
    Moved,
    PlayedBook,
    TableBook,
    WagerBook,
    added,
)
from houseway.day.papers import Papers, slip_order
from houseway.refusal import Refused
from houseway.rulebook.game import COMMON
from houseway.table import ledger
from houseway.table.bound import digests_in, read_document
from houseway.table.commands import COMMANDS
from houseway.table.engine import nothing
from houseway.table.entry import Entry
from houseway.table.event import WITH_SENTENCES
from houseway.table.fold import bound_in, context
from houseway.table.gaming_day import CHANCE, COMPS, PAUSE, SHIFTS, TIME_ZONE, day_and_shift, shift_names
from houseway.table.guest_events import CashLine
from houseway.table.guests import PATRON_IDENTIFIED
from houseway.table.house_rules import OPERATOR
from houseway.table.plain import as_json, from_json
from houseway.table.play import covered, early_payments
from houseway.table.state import House, PaidStake, Phase, Settled, Table

K = TypeVar("K", int, str)
V = TypeVar("V")
FOR_DEALER = "for the dealer"
MENDS = frozenset(
    {
        "card-corrected",
        "cards-swapped",
        "card-replaced",
        "round-rekeyed",
        "decisions-rekeyed",
        "decision-undone",
        "bet-changed",
    }
)
"""What puts a mistake right before the settlement."""
SEATS_ACT = frozenset({"deal", "card", "decide", "time-out", "ready", "acknowledge"})
"""Commands that matter here only if they moved money of a tray, which is never sealed: most are not even parsed."""
BETTING = frozenset({"bet", "withdraw"})
"""Commands that move chips between guests and the felt, and no others."""
_COUNTED = ("tray:", "drop:", "tips:", "collection:", ledger.CAGE)
"""The accounts of which books are kept here."""
SKIPPED = frozenset({"shoe-committed", "shoe-revealed", "snapshot", "self-check", "login", "logout", "backup"})
Laid = dict[tuple[int, str], list[Any]]
"""By seat and wager: whose it is, and how much he laid for himself and for the dealers."""
Stake = tuple[int, str, str, str, str, int, int]
"""Seat, guest, wager, spot, outcome, stake and the guest's win, in cents."""


@dataclass
class _AtTable:
    """What is carried from entry to entry of a table."""

    bound: int
    is_open: bool = True
    dealer: str = ""
    tray_cents: int = 0
    laid: Laid = field(default_factory=dict)
    early: list[Stake] = field(default_factory=list)
    begun_at: str = ""
    dealt_by: dict[int, tuple[str, int]] = field(default_factory=dict)
    """By round: who dealt it, and under which binding: a correction is told of both."""


class Books:
    """The books from some moment on. Only days that are `wanted` are kept, or all; what is carried on is small."""

    def __init__(self, house: House | None = None, wanted: Iterable[str] | None = None) -> None:
        start = house or House()
        self.rules: dict[str, str] = dict(start.rules)
        self.wanted = None if wanted is None else frozenset(wanted)
        self.days: dict[str, DayBook] = {}
        self._bounds: dict[int, BoundBook] = {}
        self._bound_numbers: dict[tuple[str, str, str, bool], int] = {}
        self._cage = start.balance(ledger.CAGE)
        self._tables = {name: self._found(start, table) for name, table in start.tables.items()}
        self._moments: dict[str, tuple[str, str]] = {}
        self._shift = ("", "")
        self._moved: dict[str, list[Moved]] = {}
        self._papers = Papers(start)
        self._seen: dict[tuple[str, str], str] = {}
        """Until when somebody was last seen to play or deal at a table: his time there runs on from then."""

    def _found(self, house: House, table: Table) -> _AtTable:
        """A table as it stands when the books begin."""
        at_table = _AtTable(self._bound_of(table), table.is_open, table.dealer, house.balance(ledger.tray(table.name)))
        for seat, spot in table.round.as_laid.items():
            for wager, cents in spot.bets.items():
                at_table.laid[seat, wager] = [spot.guest, cents, spot.for_dealer.get(wager, 0)]
        if table.round.early and not table.spoiled and table.round.phase != Phase.BETTING:
            at_table.early = [_stake(paid) for paid in covered(table, early_payments(table), 0)]
        at_table.begun_at = table.touched_at
        return at_table

    # Entry by entry

    def take_all(self, entries: Iterable[Entry]) -> "Books":
        """Take entries in, in their order."""
        for entry in entries:
            self.take(entry)
        return self

    def take(self, entry: Entry) -> None:
        """Take an entry in."""
        book = self._day(entry)
        if entry.kind in SKIPPED or (entry.kind in SEATS_ACT and '"tray:' not in entry.payload):
            return
        data = entry.data
        if entry.kind == "open":
            self._opened(book, entry)
        if entry.kind not in BETTING:
            for source, target, cents, _ in data.get("transfers", ()):
                if source.startswith(_COUNTED) or target.startswith(_COUNTED):
                    self._transferred(book, entry, source, target, cents)
        self._told(book, entry, data.get("events", ()))
        if entry.kind == PATRON_IDENTIFIED and book is not None:
            book.cash.setdefault(data["guest"], CashBook()).papers += 1
        if entry.kind == "close" and entry.table in self._tables:
            self._tables[entry.table].is_open = False
        if book is not None:
            book.cage_after_cents = self._cage

    def _day(self, entry: Entry) -> DayBook | None:
        """The book of an entry's day, with a line for every table that stands there when a shift begins."""
        minute = entry.at[:16]
        known = self._moments.get(minute)
        if known is None:
            known = self._moments[minute] = day_and_shift(datetime.fromisoformat(entry.at), self.rules)
            if len(self._moments) > 4_000:
                self._moments = {minute: known}
        if self.wanted is not None and entry.day not in self.wanted:
            self._shift = "", ""
            return None
        now = (entry.day, known[1])
        book = self.days.get(entry.day) or self._begun(entry)
        if now != self._shift:
            self._shift = now
            lines = book.tables.setdefault(known[1], {})
            for name, at_table in self._tables.items():
                if name not in lines and (at_table.is_open or at_table.tray_cents):
                    lines[name] = self._line(at_table)
        book.last, book.hash = entry.seq, entry.hash
        return book

    def _begun(self, entry: Entry) -> DayBook:
        """A new day. What it tells follows from its own entries and from how tables stood, wherever the books began: so times
        at a table, and whose a round was, begin with it."""
        book = self.days[entry.day] = DayBook(entry.day, first=entry.seq, cage_before_cents=self._cage)
        book.cage_after_cents = self._cage
        self._seen = {}
        self._name(book)
        self._papers.begin(book)
        for name, at_table in self._tables.items():
            at_table.begun_at, at_table.dealt_by = "", {}
            if at_table.is_open or at_table.tray_cents:
                book.whole[name] = self._line(at_table)
        return book

    def _name(self, book: DayBook) -> None:
        """What a day is told with, by the rules in force; of several the last."""
        book.operator, book.zone = OPERATOR.set_in(self.rules), str(TIME_ZONE.set_in(self.rules))
        book.comp_percent, book.chance = COMPS.set_in(self.rules), CHANCE.set_in(self.rules)
        book.shifts, first = shift_names(self.rules), SHIFTS.set_in(self.rules)[0]
        book.begins = f"{first.begins // 60:02}:{first.begins % 60:02}"

    @staticmethod
    def _line(at_table: _AtTable) -> TableBook:
        return TableBook(opener_cents=at_table.tray_cents, closer_cents=at_table.tray_cents)

    def _lines(self, book: DayBook | None, table: str) -> tuple[TableBook, ...]:
        """The lines of a table that something counts in: of the shift, and of the day."""
        if book is None or table not in self._tables:
            return ()
        shift = book.tables[self._shift[1]]
        if table not in shift:
            shift[table] = self._line(self._tables[table])
        if table not in book.whole:
            book.whole[table] = self._line(self._tables[table])
        return shift[table], book.whole[table]

    def _opened(self, book: DayBook | None, entry: Entry) -> None:
        """A table is opened, or opened again: what it stands there with stays in its tray.

        One that was closed in the same time has another opener, beside the closer that was counted.
        """
        before = self._tables.get(entry.table)
        locked = before.tray_cents if before is not None and not before.is_open else 0
        for line in self._lines(book, entry.table) if locked else ():
            line.opener_cents += locked if line.closings else 0
            line.closer_cents += locked if line.closings else 0
        bound = self._bound_of(_opened_table(entry))
        tray, dealt = (before.tray_cents, before.dealt_by) if before else (0, {})
        self._tables[entry.table] = _AtTable(bound, tray_cents=tray, dealt_by=dealt)

    # Money

    def _transferred(self, book: DayBook | None, entry: Entry, source: str, target: str, cents: int) -> None:
        for account, other, sign in ((source, target, -1), (target, source, 1)):
            kind, _, name = account.partition(":")
            if kind == "tray":
                self._in_tray(book, entry, name, other, sign * cents)
            elif account == ledger.CAGE:
                self._cage += sign * cents
                if entry.kind == "correct":
                    self._after_close(book, entry, sign * cents)
            elif kind in ("drop", "tips", "collection"):
                for line in self._lines(book, name):
                    if kind == "drop":
                        line.drop_cents += max(sign, 0) * cents
                        line.pulled_cents += max(-sign, 0) * cents
                    elif kind == "tips":
                        line.tips_cents += sign * cents
                    elif other != ledger.CAGE:
                        line.collection_cents += sign * cents

    def _after_close(self, book: DayBook | None, entry: Entry, cents: int) -> None:
        """What a correction brings the cage, since the table was closed: win, or collection where players bank."""
        at_table = self._tables[entry.table]
        _, bound = at_table.dealt_by.get(entry.data["command"]["round"], ("", at_table.bound))
        for line in self._lines(book, entry.table):
            if self._bounds[bound].by_players:
                line.collection_cents += cents
            else:
                line.after_close_cents += cents

    def _in_tray(self, book: DayBook | None, entry: Entry, name: str, other: str, change: int) -> None:
        """Chips came into a tray, or left it."""
        lines = self._lines(book, name)  # first: a line that begins now begins with what was there
        if name in self._tables:
            self._tables[name].tray_cents += change
        for line in lines:
            if other == ledger.CAGE and entry.kind == "close":
                continue  # it is counted where it ended
            line.closer_cents += change
            if other == ledger.CAGE and entry.kind == "open":
                line.opener_cents += change
            elif other.startswith(ledger.transit("credit-")):
                line.credits_cents -= change  # chips of a void one come back
            elif other.startswith(ledger.transit("fill-")):
                line.fills_cents += change
            elif other == ledger.CAGE:
                line.fills_cents += max(change, 0)
                line.credits_cents += max(-change, 0)
            elif other.startswith("difference:"):
                self._found_by_count(line, entry, change)
            elif entry.is_sealed:
                line.in_play_cents += change

    @staticmethod
    def _found_by_count(line: TableBook, entry: Entry, change: int) -> None:
        """What the count of an opener finds was there when the table opened; what that of a closer does is won or lost."""
        if any(event["event"] == "tray-agreed" and event["purpose"] == "opener" for event in entry.data["events"]):
            line.opener_cents += change
            line.opener_found_cents += change
        else:
            line.differences_cents += change

    # Events

    def _told(self, book: DayBook | None, entry: Entry, events: Iterable[Mapping[str, Any]]) -> None:
        at_table, paid = self._tables.get(entry.table), []
        for event in events:
            kind = event["event"]
            if kind == "paid":
                paid.append(_told_stake(event))
            elif kind == "round-settled" and at_table is not None:
                self._settled(book, entry, at_table, paid, event["round"])
                paid = []
            elif kind in _AT_TABLE and at_table is not None:
                _AT_TABLE[kind](self, book, entry, at_table, event)
            else:
                self._of_house(book, entry, event)
        if paid and at_table is not None:  # early: the round goes on
            self._count(book, entry, at_table, paid, 1)
            at_table.early += paid

    def _laid(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        at_table.begun_at = at_table.begun_at or entry.at
        laid = at_table.laid.setdefault((event["seat"], event["wager"]), [event["guest"], 0, 0])
        laid[0], laid[1 if event["event"] == "bet-placed" else 2] = event["guest"], event["cents"]

    def _withdrawn(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        place = event["seat"], event["wager"]
        if laid := at_table.laid.get(place):
            laid[1 if event["event"] == "bet-withdrawn" else 2] = 0
            if not any(laid[1:]):  # as if it had never lain there: books that begin now do not know of it either
                del at_table.laid[place]

    def _bet_changed(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        laid = at_table.laid.setdefault((event["seat"], event["wager"]), [event["guest"], 0, 0])
        laid[2 if event.get("for_dealer") else 1] = event["after_cents"]
        self._mended(book, entry, at_table, event)

    def _mended(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        self._dealer(book, at_table, entry).mends += 1

    def _result(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        if event.get("before"):
            self._mended(book, entry, at_table, event)

    def _early_reversed(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        self._count(book, entry, at_table, at_table.early, -1)
        at_table.early = []

    def _voided(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        self._count(book, entry, at_table, at_table.early, -1)
        for line in self._lines(book, entry.table):
            line.voids += 1
        self._dealer(book, at_table, entry).voids += 1
        at_table.laid, at_table.early, at_table.begun_at = {}, [], ""

    def _signed(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        at_table.dealer = event["dealer"] if event["event"] == "signed-on" else ""

    def _of_house(self, book: DayBook | None, entry: Entry, event: Mapping[str, Any]) -> None:
        kind = event["event"]
        if kind == "house-rule-set":
            self.rules[event["rule"]] = event["value"]
            self._moments = {}
        if kind in _COUNTS and book is not None:
            self._counted(book, entry, event)
        self._papers.told(book, entry, event)
        if book is None:
            return
        if kind == "house-rule-set":
            self._name(book)
        elif kind == "not-recovered":  # before there were debts, what a void could not take back was lost
            for line in self._lines(book, entry.table):
                line.rounds_say_cents -= event["cents"]
        elif kind in _CASH:
            self._cash_moved(book, kind, event)
        elif kind == CashLine.kind:
            cash = book.cash.setdefault(event["guest"], CashBook())
            cash.lines[f"{event['line']} {event['way']}"] = event["cents"]
        elif kind in {"chips-in", "chips-out"}:
            book.chips_brought_cents += event["cents"] if kind == "chips-in" else -event["cents"]
        elif kind == "drop" and entry.kind == "sign-slip":
            return  # the count of the box tells it, and of which table it is
        elif kind in _MOVED:
            self._chips_moved(book, entry, kind, event)

    def _cash_moved(self, book: DayBook, kind: str, event: Mapping[str, Any]) -> None:
        cash, cents = book.cash.setdefault(event.get("guest", ""), CashBook()), event["cents"]
        if kind == "cash-out":
            cash.out_cents += cents
            cash.times_out += 1
            return
        cash.times_in += 1
        if kind == "buy-in":
            cash.in_at_cage_cents += cents
        else:
            cash.in_at_tables_cents += cents

    def _counted(self, book: DayBook, entry: Entry, event: Mapping[str, Any]) -> None:
        """A tray was counted alike by two, or a box by three: a difference has an owner."""
        table, signed = event["table"], self._papers.slips[event["slip"]].signed
        owner = event.get("owner", "")
        if event["event"] == "box-counted":
            what = "box counted"
            for line in self._lines(book, table):
                line.counted_cents += event["counted_cents"]
                line.drop_cents += event["difference_cents"]
                line.differences_cents += event["difference_cents"]
        else:
            what = f"{event['purpose']} counted"
            errors = (e["owner"] for e in entry.data["events"] if e["event"] == "slip-opened" and e["slip"] != event["slip"])
            owner = next(errors, "")
        by, second = (next(each.name for each in signed if each.step == step) for step in ("first-count", "second-count"))
        told = event["counted_cents"], by, second, event["expected_cents"], event["slip"], owner
        self._moved.setdefault(book.day, []).append(Moved(entry.seq, entry.at, self._shift[1], table, what, *told))

    def _chips_moved(self, book: DayBook, entry: Entry, kind: str, event: Mapping[str, Any]) -> None:
        what, amount, expected = _MOVED[kind]
        for line in self._lines(book, entry.table):
            line.openings += kind == "table-opened"
            line.closings += kind == "table-closed"
        cents, shift = event[amount], self._shift[1]
        book.funded_cents += cents if kind == "fund" else 0
        second = str(entry.data.get("second", {}).get("confirmed_by", ""))
        wanted = event[expected] if expected else cents
        table = event.get("table", entry.table)  # a slip may be signed when its table is closed
        moved = Moved(entry.seq, entry.at, shift, table, what, cents, entry.actor, second, wanted)
        self._moved.setdefault(book.day, []).append(moved)

    # Rounds

    def _settled(self, book: DayBook | None, entry: Entry, at_table: _AtTable, stakes: list[Stake], number: int) -> None:
        self._count(book, entry, at_table, stakes, 1)
        whole, dealer = [*at_table.early, *stakes], entry.actor if entry.role == "dealer" else at_table.dealer or entry.actor
        hands = self._played(book, entry.table, at_table.bound, whole, at_table.laid, 1)
        at_table.dealt_by[number] = dealer, at_table.bound
        if book is not None:
            for line in self._lines(book, entry.table):
                line.rounds += 1
                line.hands += len(hands)
            begun = at_table.begun_at or entry.at
            dealt = self._dealt(book, dealer, at_table.bound)
            dealt.rounds += 1
            dealt.hands += len(hands)
            dealt.seconds += self._time("dealer " + dealer, entry, begun)
            for guest in dict.fromkeys(guest for _, guest in hands):
                self._guest(book, entry.table, at_table.bound, guest).seconds += self._time(guest, entry, begun)
        at_table.laid, at_table.early, at_table.begun_at = {}, [], ""

    def _time(self, name: str, entry: Entry, begun: str) -> int:
        """How long somebody was at a table by this round: from its beginning, or since his last one, unless he paused."""
        before = self._seen.get((name, entry.table))
        self._seen[name, entry.table] = entry.at
        end = datetime.fromisoformat(entry.at)
        if before is not None:
            since_last = (end - datetime.fromisoformat(before)).total_seconds()
            if 0 <= since_last <= 60 * PAUSE.set_in(self.rules):
                return int(since_last)
        return max(0, int((end - datetime.fromisoformat(begun)).total_seconds()))

    def _corrected(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        """A round as it stood goes out of the books, and as it stands now it comes in; its numbers of rounds stay."""
        before = from_json(Settled, entry.data["settled"])
        after = from_json(Settled, event["stands"])
        dealer, bound = at_table.dealt_by.get(event["round"], (at_table.dealer, at_table.bound))
        for settled, sign in ((before, -1), (after, 1)):
            stakes = [_stake(paid) for paid in settled.stakes]
            laid: Laid = {
                (seat, wager): [spot.guest, cents, spot.for_dealer.get(wager, 0)]
                for seat, spot in settled.round.spots.items()
                for wager, cents in spot.bets.items()
            }
            self._count(book, entry, at_table, stakes, sign, bound)
            hands = self._played(book, entry.table, bound, stakes, laid, sign)
            for line in self._lines(book, entry.table):
                line.hands += sign * len(hands)
        if book is not None:
            for line in self._lines(book, entry.table):
                line.corrections += 1
                line.rounds += before.is_void - after.is_void
                line.voids += after.is_void - before.is_void
            self._dealt(book, dealer, bound).corrections += 1

    def _reversed(self, book: DayBook | None, entry: Entry, at_table: _AtTable, event: Mapping[str, Any]) -> None:
        """As 0.1 reversed a whole settlement: the money alone is known of it, not the wagers."""
        won = sum(told["win_cents"] for told in entry.data["events"] if told["event"] == "reversed")
        for line in self._lines(book, entry.table):
            line.rounds_say_cents -= won
            line.corrections += 1

    def _count(
        self, book: DayBook | None, entry: Entry, at_table: _AtTable, stakes: list[Stake], sign: int, bound: int | None = None
    ) -> None:
        """Count what stakes won, for the house if it banks, and for guests."""
        bound = at_table.bound if bound is None else bound
        if book is None or not stakes:
            return
        if not self._bounds[bound].by_players:
            won = sum(stake[6] for stake in stakes)
            for line in self._lines(book, entry.table):
                line.rounds_say_cents -= sign * won
        for _, guest, _, spot, _, _, win in stakes:
            if not spot.endswith(FOR_DEALER):
                self._guest(book, entry.table, bound, guest).win_cents += sign * win

    def _guest(self, book: DayBook, table: str, bound: int, guest: str) -> GuestBook:
        places, place = book.guests.get(guest), f"{table}/{bound}"
        if places is None:
            places = book.guests[guest] = {}
        if place not in places:  # often asked, and seldom made
            places[place] = GuestBook()
        return places[place]

    def _played(
        self, book: DayBook | None, table: str, bound: int, stakes: list[Stake], laid: Laid, sign: int
    ) -> list[tuple[int, str]]:
        """Count a whole round: by wager, by guest, and its moments; the seats that played, with their guests."""
        if book is None:
            return []
        about = self._bounds[bound]
        by_wager: dict[str, list[int]] = {}
        staked: dict[tuple[int, str], list[int]] = {}
        outcomes: dict[tuple[int, str], str] = {}
        won = 0
        for seat, _, wager, spot, outcome, stake, win in stakes:
            sums = by_wager.setdefault(wager, [0, 0, 0, 0, 0, 0])  # bets, handle, squares, staked, house's win, prizes
            if not stake and win > 0:
                sums[5] += win
                continue
            sums[3] += stake
            sums[4] -= win
            won -= win
            for_dealer = spot.endswith(FOR_DEALER)
            staked.setdefault((seat, wager), [0, 0])[for_dealer] += stake
            outcomes.setdefault((seat, wager), outcome)
        hands: dict[int, str] = {}
        handle: dict[str, int] = {}
        for (seat, wager), (guest, own, dealers) in laid.items():
            covered_own, covered_dealers = staked.get((seat, wager), (0, 0))
            bets = [min(own, covered_own), min(dealers, covered_dealers)]
            sums = by_wager.setdefault(wager, [0, 0, 0, 0, 0, 0])
            for cents in filter(None, bets):
                sums[0] += 1
                sums[1] += cents
                sums[2] += cents * cents
                handle[wager] = handle.get(wager, 0) + cents
            if bets[0]:
                hands[seat] = guest
                rating = self._guest(book, table, bound, guest)
                rating.laid[wager] = rating.laid.get(wager, 0) + sign * bets[0]
                rating.bets[wager] = rating.bets.get(wager, 0) + sign
        for guest in hands.values():
            self._guest(book, table, bound, guest).hands += sign
        for line in self._lines(book, table)[:1]:  # of the shift: the day's are the sum of them
            if bound not in line.played:
                line.played[bound] = PlayedBook()
            played = line.played[bound]
            self._add_wagers(played, by_wager, sign)
            _add_trials(played, [place for place in outcomes if place[1] in handle], outcomes, about.shared, sign)
            if handle and not about.by_players:
                _add_moments(played, won, handle, sign)
        return list(hands.items())

    @staticmethod
    def _add_wagers(played: PlayedBook, by_wager: Mapping[str, list[int]], sign: int) -> None:
        for wager, sums in by_wager.items():
            book = played.wagers.get(wager)
            if book is None:
                book = played.wagers[wager] = WagerBook()
            book.bets += sign * sums[0]
            book.handle_cents += sign * sums[1]
            book.squares += sign * sums[2]
            book.staked_cents += sign * sums[3]
            book.win_cents += sign * sums[4]
            book.prizes_cents += sign * sums[5]

    def _dealer(self, book: DayBook | None, at_table: _AtTable, entry: Entry) -> DealerBook:
        """The book of whoever deals at a table now; of the house itself, if nobody said that he does."""
        if book is None:
            return DealerBook()
        name = at_table.dealer or (entry.actor if entry.role == "dealer" else self._last_dealer(at_table) or entry.actor)
        return self._dealt(book, name, at_table.bound)

    @staticmethod
    def _dealt(book: DayBook, name: str, bound: int) -> DealerBook:
        return book.dealers.setdefault(name, {}).setdefault(bound, DealerBook())

    @staticmethod
    def _last_dealer(at_table: _AtTable) -> str:
        return next(reversed(at_table.dealt_by.values()))[0] if at_table.dealt_by else ""

    # Bindings

    def _bound_of(self, table: Table) -> int:
        """The number of what a table is bound to: the same for all that play the same."""
        settings = dict(table.settings)
        key = table.document, repr(sorted(settings.items())), repr(table.offered), table.bank is not None
        if key not in self._bound_numbers:
            number = self._bound_numbers[key] = len(self._bound_numbers) + 1
            self._bounds[number] = _bound_book(table, settings)
        return self._bound_numbers[key]

    # Told

    def forget(self, before: str) -> None:
        """Keep no day before one: whoever follows a house goes on from day to day."""
        self.days = {day: book for day, book in self.days.items() if day >= before}
        self._moved = {day: moved for day, moved in self._moved.items() if day >= before}

    def book(self, day: str) -> DayBook:
        """The book of a day; one without any entry has nothing in it.

        Bindings are numbered, and names ordered, by what they are: the same day is told alike wherever the books began.
        """
        book = self.days.get(day)
        if book is None:
            return DayBook(day)
        whole = {name: replace(line, played=_all_shifts(book, name)) for name, line in book.whole.items()}
        used = {bound for line in whole.values() for bound in line.played} | _bounds_of_people(book)
        order = sorted(used, key=lambda number: as_json(self._bounds[number]))
        numbers = {number: place for place, number in enumerate(order, 1)}
        in_order = (*(name for name in book.shifts if name in book.tables), *sorted(book.tables.keys() - set(book.shifts)))
        return replace(
            book,
            shifts=in_order,
            bounds={numbers[number]: self._bounds[number] for number in order},
            tables={shift: _in_order(book.tables[shift], numbers) for shift in in_order},
            whole=_in_order(whole, numbers),
            guests={guest: _renumbered(places, numbers) for guest, places in sorted(book.guests.items())},
            dealers={
                name: _sorted({numbers[n]: d for n, d in bounds.items()}) for name, bounds in sorted(book.dealers.items())
            },
            cash=_sorted(book.cash),
            slips={id_: book.slips[id_] for id_ in sorted(book.slips, key=slip_order)},
            numbers=_sorted(book.numbers),
            notices=_sorted(book.notices),
            breaks=_sorted(book.breaks),
            moved=tuple(self._moved.get(day, ())),
        )


def _all_shifts(book: DayBook, table: str) -> dict[int, PlayedBook]:
    """What a table played in all shifts of a day."""
    return added(TableBook, [TableBook(played=lines[table].played) for lines in book.tables.values() if table in lines]).played


def _bounds_of_people(book: DayBook) -> set[int]:
    by_guest = {int(place.rpartition("/")[2]) for places in book.guests.values() for place in places}
    return by_guest | {bound for bounds in book.dealers.values() for bound in bounds}


def _sorted(books: Mapping[K, V]) -> dict[K, V]:
    return dict(sorted(books.items()))


def _renumbered(places: Mapping[str, GuestBook], numbers: Mapping[int, int]) -> dict[str, GuestBook]:
    named = ((*place.rpartition("/")[::2], book) for place, book in places.items())
    return _sorted({f"{table}/{numbers[int(bound)]}": _tidy(book) for table, bound, book in named})


def _tidy(book: GuestBook) -> GuestBook:
    """Without wagers that a correction has taken back."""
    laid = {wager: cents for wager, cents in sorted(book.laid.items()) if cents}
    return replace(book, laid=laid, bets={wager: bets for wager, bets in sorted(book.bets.items()) if bets})


def _in_order(lines: Mapping[str, TableBook], numbers: Mapping[int, int]) -> dict[str, TableBook]:
    return _sorted(
        {
            name: replace(line, played=_sorted({numbers[number]: _ordered(played) for number, played in line.played.items()}))
            for name, line in lines.items()
        }
    )


def _ordered(played: PlayedBook) -> PlayedBook:
    moments = played.moments
    wagers = {wager: replace(book, outcomes=_sorted(book.outcomes)) for wager, book in sorted(played.wagers.items())}
    ordered = replace(moments, with_wager=_sorted(moments.with_wager), pairs=_sorted(moments.pairs))
    return PlayedBook(wagers, ordered)


AtTable = Callable[[Books, DayBook | None, Entry, _AtTable, Mapping[str, Any]], None]
_AT_TABLE: dict[str, AtTable] = {
    **dict.fromkeys(MENDS, Books._mended),
    "bet-placed": Books._laid,
    "dealer-bet-placed": Books._laid,
    "bet-withdrawn": Books._withdrawn,
    "dealer-bet-withdrawn": Books._withdrawn,
    "bet-changed": Books._bet_changed,
    "result-keyed": Books._result,
    "early-reversed": Books._early_reversed,
    "voided": Books._voided,
    "round-corrected": Books._corrected,
    "settlement-reversed": Books._reversed,
    "signed-on": Books._signed,
    "signed-off": Books._signed,
}
_COUNTS = {"tray-agreed", "box-counted"}
_CASH = {"buy-in", "cash-out", "table-buy-in"}
_MOVED = {
    "fund": ("cash into the cage", "cents", ""),
    "fill": ("fill", "cents", ""),
    "credit": ("credit", "cents", ""),
    "drop": ("drop", "cents", ""),
    "table-opened": ("opener", "opener_cents", ""),
    "table-closed": ("closer", "counted_cents", "closer_cents"),
    "closer": ("count", "counted_cents", "expected_cents"),
}
"""What is told of the house's money: what it is called in the books, where its amount is, and what was expected."""


def _stake(paid: PaidStake) -> Stake:
    return paid.seat, paid.guest, paid.wager, paid.spot, paid.outcome, paid.stake_cents, paid.win_cents


def _told_stake(event: Mapping[str, Any]) -> Stake:
    return (
        event["seat"],
        event["guest"],
        event["wager"],
        event.get("spot", ""),
        event["outcome"],
        event["stake_cents"],
        event["win_cents"],
    )


def _add_trials(
    played: PlayedBook,
    places: Iterable[tuple[int, str]],
    outcomes: Mapping[tuple[int, str], str],
    shared: bool,
    sign: int,
) -> None:
    """Count how the hands ended that were bet on: one for all seats, where they bet on the same cards."""
    seen: set[str] = set()
    for place in places:
        wager, outcome = place[1], outcomes[place]
        if not (shared and wager in seen):
            seen.add(wager)
            book = played.wagers[wager]
            book.trials += sign
            book.outcomes[outcome] = book.outcomes.get(outcome, 0) + sign


def _add_moments(played: PlayedBook, won: int, handle: Mapping[str, int], sign: int) -> None:
    moments = played.moments
    moments.rounds += sign
    moments.win_cents += sign * won
    moments.wins += sign * won * won
    names = sorted(handle)
    for place, one in enumerate(names):
        cents = handle[one]
        moments.with_wager[one] = moments.with_wager.get(one, 0) + sign * won * cents
        for other in names[place:]:
            pair = f"{one}|{other}"
            moments.pairs[pair] = moments.pairs.get(pair, 0) + sign * cents * handle[other]


def _opened_table(entry: Entry) -> Table:
    """A table as an entry opens it: what it is bound to is worked out as the floor did; one that cannot be read says why."""
    data, command = entry.data, entry.data["command"]
    form = data.get("form", WITH_SENTENCES)
    given = {**command, **context(entry.at, entry.day, entry.actor, entry.role, form), "bound": bound_in(entry)}
    try:
        table = COMMANDS[entry.kind].handler(House(), given, nothing).table
        assert table is not None
        return table
    except Refused as refused:
        content = bound_in(entry)
        document, digests = str(content["document"]), digests_in(content)
        return Table(entry.table, str(command["edition"]), document, digests, {}, "", 0, spoiled=refused.message)


def _bound_book(table: Table, settings: dict[str, Any]) -> BoundBook:
    by_players, offered = table.bank is not None, table.offered
    if table.spoiled:
        return BoundBook(table.edition, table.document, settings, offered, by_players, unreadable=table.spoiled)
    try:
        order = read_document(table.document).game.dealing.order((1,), table.settings, 1)
    except Refused as refused:
        return BoundBook(table.edition, table.document, settings, offered, by_players, unreadable=refused.message)
    return BoundBook(table.edition, table.document, settings, offered, by_players, COMMON in order)
