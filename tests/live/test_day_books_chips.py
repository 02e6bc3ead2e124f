"""The books of a house with chips against a bookkeeper of the test, who knows what he ordered and what lies in whose purse."""

import json
import random
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from chiprooms import ABE, AMY, CAT, DAN, DORA, GUS, OLGA, ROOT, SUE, TRAY, ChipRoom, events

from houseway.day.books import Books
from houseway.house.keys import Keyring
from houseway.house.patrons import PatronData, Patrons
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import asked_of_house
from houseway.report.house_kinds import HouseSource
from houseway.report.make import make_again
from houseway.report.verify import verify_pdf
from houseway.table.fold import fold
from houseway.table.pieces import worth
from houseway.table.plain import as_json
from houseway.table.state import House

MONDAY, TUESDAY = "2026-11-16", "2026-11-17"
PARTS = ("opener", "fills", "credits", "drop", "closer", "differences", "opener_found", "pulled", "counted", "rounds_say")


def value(written):
    return worth({int(each): count for each, count in written.items()})


class ChipDays(ChipRoom):
    """Two days of a table whose tray and boxes are counted, and the bookkeeper's own figures by day and shift."""

    def __init__(self, folder):
        self.at = datetime(2026, 11, 16, 7, tzinfo=UTC)
        self.lines, self.tray, self.box, self.began = defaultdict(Counter), 0, 0, set()
        self.rng, self.bets = random.Random(3), Counter()
        super().__init__(folder, source="virtual-shoe", tray=None, clock=self.tick)
        for guest in ("ann", "bob"):
            self.do("buy-in", CAT, table=None, guest=guest, cents=500_000)

    def tick(self):
        self.at += timedelta(seconds=5)
        return self.at

    def go_to(self, day, hour):
        self.at = datetime(2026, 11, day, hour, tzinfo=UTC)

    def add(self, **cents):
        shift = "day" if 6 <= self.at.hour < 14 else "swing" if 14 <= self.at.hour < 22 else "grave"
        day = (self.at - timedelta(hours=6)).date().isoformat()
        for key in ((day, shift), (day, "")):
            if key not in self.began:
                self.began.add(key)
                self.lines[key].update(opener=self.tray, closer=self.tray)
            self.lines[key].update(cents)
        self.tray += cents.get("closer", 0)

    # What is done, and noted from what was ordered

    def filled(self, pieces):
        self.fill(pieces)
        self.add(fills=value(pieces), closer=value(pieces))

    def credited(self, pieces, void=False):
        slip = events(self.do("request-credit", SUE, pieces=pieces), "slip-opened")[0]["slip"]
        self.sign(slip, DAN, pieces=pieces)
        if void:
            self.do("void-slip", CAT, table=None, slip=slip, reason="too many")
            self.sign(slip, GUS)
            self.sign(slip, DAN, pieces=pieces)
            return
        self.sign(slip, GUS)
        self.sign(slip, CAT, pieces=pieces)
        self.sign(slip, DAN)
        self.sign(slip, SUE)
        self.add(credits=value(pieces), closer=-value(pieces))

    def bought(self, guest, cents):
        self.do("table-buy-in", guest=guest, cents=cents)
        self.box += cents
        self.add(drop=cents, closer=-cents)

    def round(self):
        held = self.of_guests()
        for seat, guest in ((1, "ann"), (2, "bob")):
            cents = self.rng.randrange(500, 4_000, 500)
            self.do("bet", seat=seat, guest=guest, wager=self.rng.choice(("player", "banker")), cents=cents)
            self.do("bet", seat=seat, guest=guest, wager="dragon-7", cents=100)
        for kind in ("no-more-bets", "deal", "settle"):
            self.do(kind)
        won = held - self.of_guests()
        self.add(rounds_say=won, closer=won)

    def of_guests(self):
        balances = self.floor.state.balances
        return sum(cents for account, cents in balances.items() if account.partition(":")[0] in {"guest", "wagers"})

    def counted(self, change=0, opener=False):
        """Two count the tray and find so many chips of $5 more than the books have, or fewer."""
        pieces = Counter(self.written("tray:t1"))
        pieces["500"] += change
        self.count(dict(pieces))
        off = 500 * change
        self.add(closer=off, **({"opener": off, "opener_found": off} if opener else {"differences": off}))

    def box_counted(self, off=0):
        slip = events(self.do("pull-box", GUS), "slip-opened")[0]["slip"]
        self.sign(slip, DAN)
        self.add(pulled=self.box)
        self.sign(slip, ABE)
        cents, self.box = self.box + off, 0
        wrong, notes = {"100": cents // 100 + 1}, {"100": cents // 100}
        self.sign(slip, ABE, pieces=notes)
        self.sign(slip, AMY, pieces=wrong)  # she counts again, and so does he
        for actor in (ABE, AMY, CAT):
            self.sign(slip, actor, pieces=notes)
        self.sign(slip, ABE)
        self.add(counted=cents, drop=off, differences=off)

    @property
    def source(self):
        return HouseSource(Store(self.url, only_reads=True), Keyring(self.key_file))

    def report(self, kind, day=MONDAY):
        return asked_of_house(kind, self.source, {"day": day}, on="2026-11-20")


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    room = ChipDays(tmp_path_factory.mktemp("chips"))
    room.filled({**TRAY})
    room.bought("cyd", 60_000)
    for _ in range(4):
        room.round()
    room.credited({"2500": 20})
    room.do("exclude", SUE, table=None, guest="zed", ground="house")
    with pytest.raises(Refused):
        room.do("buy-in", CAT, table=None, guest="zed", cents=100)
    room.go_to(16, 15)
    room.bought("cyd", 40_000)
    for _ in range(4):
        room.round()
    room.credited({"500": 10}, void=True)
    room.do("count-tray", DAN, pieces={"500": 1})
    room.do("count-tray", SUE, pieces={"500": 2})  # they differ, and count again
    room.counted(-60)  # $300 is missing: an error slip, and a notice
    room.do("close", SUE)
    room.box_counted(off=-2_000)
    room.do("break", DORA, table=None)
    room.go_to(16, 17)
    room.do("back", DORA, table=None)
    room.go_to(17, 9)
    room.do("open", SUE, edition="ez-baccarat-wa", source="virtual-shoe")
    room.do("sign-on", DAN)
    room.counted(2, opener=True)
    for _ in range(3):
        room.round()
    room.filled({"500": 50})
    room.do("notice-sent", SUE, table=None, notice=1, reason="by telephone")
    for actor in (SUE, DAN, GUS):
        room.sign("error-1", actor)
    room.do("request-fill", SUE, pieces={"500": 30})
    return room


@pytest.mark.parametrize("day", [MONDAY, TUESDAY])
def test_every_figure_is_the_bookkeepers_to_the_cent(room, day):
    book = Books().take_all(room.floor.store.entries()).book(day)
    compared = 0
    for (of, shift), mine in room.lines.items():
        if of == day:
            line = book.tables[shift]["t1"] if shift else book.whole["t1"]
            assert {part: getattr(line, f"{part}_cents") for part in PARTS} == {part: mine[part] for part in PARTS}, shift
            won = mine["closer"] + mine["credits"] + mine["drop"] - mine["opener"] - mine["fills"]
            assert line.win_cents == won == mine["rounds_say"] + mine["differences"] and line.unexplained_cents == 0
            compared += 1
    assert compared == (3 if day == MONDAY else 2)
    assert book.whole["t1"].closer_cents == room.lines[day, ""]["closer"]


def test_the_journal_of_that_room_holds(room):
    room.check()
    assert room.tray == room.floor.state.balance("tray:t1")


def test_a_day_is_told_alike_wherever_the_books_begin(room):
    entries = list(room.floor.store.entries())
    for day in (MONDAY, TUESDAY):
        whole, state = as_json(Books().take_all(entries).book(day)), House()
        first = next(place for place, entry in enumerate(entries) if entry.day == day)
        for place, entry in enumerate(entries[: first + 1]):
            assert as_json(Books(state, [day]).take_all(entries[place:]).book(day)) == whole, place
            state = fold(state, entry)[0]


def test_slips_numbers_notices_and_breaks_are_in_the_book_of_their_days(room):
    books = Books().take_all(room.floor.store.entries())
    monday, tuesday = books.book(MONDAY), books.book(TUESDAY)
    assert {id_: slip.status for id_, slip in monday.slips.items()} == {
        "fill-1": "done", "credit-1": "done", "credit-2": "void", "inventory-1": "done", "error-1": "open", "drop-1": "done",
    }  # fmt: skip
    assert {id_: slip.status for id_, slip in tuesday.slips.items()} == {
        "fill-2": "done", "fill-3": "open", "inventory-2": "done", "error-1": "done", "error-2": "open",
    }  # fmt: skip
    assert [each.name for each in monday.slips["fill-1"].signed] == ["sue", "gus", "cat", "gus", "dan", "sue"]
    steps = [each.step for each in monday.slips["drop-1"].signed]
    assert steps == ["pulled", "pulled-with", "received", "first-count", "second-count", "recounted", "signed"]
    assert (tuesday.numbers["fill"].before, tuesday.numbers["fill"].last, tuesday.numbers["fill"].missing) == (1, 3, ())
    assert monday.notices[1].sent_at == "" and tuesday.notices[1].how == "by telephone" and monday.notices[1].cents == -30_000
    owners = {each.what: each.owner for each in monday.moved if each.cents != each.expected_cents}
    assert owners == {"closer counted": "sue", "box counted": "dan"}
    assert monday.breaks["dora"].times == 1 and 6_000 < monday.breaks["dora"].seconds < 7_200 and not tuesday.breaks


def test_a_number_that_was_passed_over_is_missing(room):
    entries = list(room.floor.store.entries())
    payload = next(entry for entry in entries if '"slip-opened"' in entry.payload and entry.day == TUESDAY)
    at = entries.index(payload)
    told = json.loads(payload.payload)
    for event in told["events"]:
        if "slip" in event:
            event["slip"] = event["slip"].replace("inventory-2", "inventory-4")
    entries[at] = type(payload)(payload.seq, **(payload.fields() | {"payload": json.dumps(told)}), previous="", hash="")
    book = Books().take_all(entries[: at + 1]).book(TUESDAY)
    assert book.numbers["inventory"].missing == (2, 3)


# The reports of that house


def cents(made, figure):
    return int(made.figures[figure]["exact"])


@pytest.mark.parametrize("day", [MONDAY, TUESDAY])
def test_the_master_game_report_is_the_bookkeepers(room, day):
    made, mine = room.report("master-game", day), room.lines[day, ""]
    told = {part: cents(made, f"day.t1.{part}") for part in ("opener", "fills", "credits", "drop", "closer", "rounds-say")}
    assert told == {part: mine[part.replace("-", "_")] for part in told}
    won = told["closer"] + told["credits"] + told["drop"] - told["opener"] - told["fills"]
    assert cents(made, "day.t1.win") == won and cents(made, "day.t1.unexplained") == 0
    if day == MONDAY:
        assert cents(made, "day.t1.counts-found") == -32_000 == won - told["rounds-say"]
    text = made.html()
    assert ("sue" in text and "dan" in text and "closer counted" in text) == (day == MONDAY)


def test_the_slips_report_has_every_number_and_signature(room):
    made = room.report("slips", TUESDAY)
    text = made.html()
    for words in ("error-1", "fill-2", "fill-3", "inventory-2", "sue (requested)", "gus (request carried)", "cat (prepared)"):
        assert words in text, words
    assert cents(made, "numbers.fill.first") == 2 and cents(made, "numbers.fill.last") == 3
    assert cents(made, "numbers.fill.unused") == 4 and cents(made, "slips.fill-2") == 25_000
    assert "VOID by cat: too many" in room.report("slips").html()


def test_exceptions_dealers_and_cash_of_a_house_with_chips(room):
    made = room.report("exceptions")
    text = made.html()
    for words in ("may not play tried to buy in", "everybody counts again", "credit-2 of t1 is VOID", "NOT YET", "error-1"):
        assert words in text, words
    assert "zed" not in text and cents(made, "error.error-1") == -30_000 and cents(made, "notice.1.cents") == -30_000
    assert "by telephone" in room.report("exceptions", TUESDAY).html()
    assert cents(room.report("dealers"), "breaks.dora.times") == 1
    assert cents(room.report("cash"), "cage.chips-brought") == 122_500_000


@pytest.mark.parametrize("kind", ["master-game", "table-shift", "slips", "exceptions", "dealers", "day"])
def test_the_same_day_gives_the_same_bytes_and_proves_itself(room, kind):
    made = room.report(kind)
    pdf = made.pdf()
    assert pdf == make_again(made.data["inputs"]).pdf()
    verified = verify_pdf(pdf, source=room.source)
    assert verified.holds, verified.findings


@pytest.mark.parametrize("missing", [0, 60])
def test_a_table_that_opens_again_has_the_sums_of_what_was_counted(tmp_path, missing):
    """Every opener and closer of it was counted by two; no figure is below nothing."""
    room = ChipDays(tmp_path)
    room.filled({**TRAY})
    room.round()
    room.counted()
    closers, openers = [value(room.written("tray:t1"))], [0]
    room.do("close", SUE)
    for _ in range(2):
        room.do("open", SUE, edition="ez-baccarat-wa", source="virtual-shoe")
        room.do("sign-on", DAN)
        room.counted(-missing, opener=True)
        openers.append(value(room.written("tray:t1")))
        room.round()
        room.counted()
        closers.append(value(room.written("tray:t1")))
        room.do("close", SUE)
    made = room.report("master-game")
    figures = {name: cents(made, f"day.t1.{name}") for name in ("opener", "closer", "unexplained")}
    assert figures == {"opener": sum(openers), "closer": sum(closers), "unexplained": 0}
    assert cents(made, "day.t1.rounds-say") == cents(made, "day.t1.win")


def test_cash_lines_are_reported_by_account_in_and_out_apart(tmp_path):
    room = ChipDays(tmp_path)
    room.both("house-rule", ROOT, OLGA, table=None, rule="cash lines", value="always")
    room.do("buy-in", CAT, table=None, guest="zoe", cents=350_000)
    room.do("cash-out", CAT, table=None, guest="zoe", cents=310_000)
    room.do("buy-in", CAT, table=None, guest="zoe", cents=500_000)
    with pytest.raises(Refused):
        room.do("buy-in", CAT, table=None, guest="zoe", cents=500_000)
    made = room.report("cash")
    told = {name: cents(made, f"cash.zoe.{name}") for name in ("log-in", "near-in", "log-out")}
    assert told == {"log-in": 350_000, "near-in": 850_000, "log-out": 310_000}
    assert "cash.zoe.report-in" not in made.figures and "papers are seen first" in room.report("exceptions").html()
    patrons = Patrons(room.floor.store, room.floor, lambda: MONDAY)
    patrons.register(PatronData(name="A", born="1970-01-01", document="1", address="x"), SUE, guest="zoe")
    patrons.identified("zoe", CAT)
    room.do("buy-in", CAT, table=None, guest="zoe", cents=500_000)
    made = room.report("cash")
    assert (cents(made, "cash.zoe.report-in"), cents(made, "cash.zoe.papers")) == (1_350_000, 1)
