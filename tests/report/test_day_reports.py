"""Reports of a gaming day: from the books alone, alike whenever they are made, verified with and without the house."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from pypdf import PdfReader

from houseway.house.days import book_of
from houseway.house.floor import Actor, Floor
from houseway.house.keys import Keyring
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import asked_of_house
from houseway.report.house_day import TITLES
from houseway.report.house_kinds import HOUSE_KINDS, HouseSource
from houseway.report.make import MadeReport, make_again
from houseway.report.sheets import tables_as_csv
from houseway.report.verify import verify_pdf

ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
DAN, CAT = Actor("dan", "dealer"), Actor("cat", "cashier")
MONDAY, TUESDAY = "2026-11-16", "2026-11-17"
MADE = "2026-11-20"


class TwoDays:
    """A house with two gaming days: on each a table that is keyed, opened, filled, corrected and dropped."""

    def __init__(self, folder: Path) -> None:
        self.url, self.key = f"sqlite:///{folder / 'house.db'}", folder / "key"
        self.at = datetime(2026, 11, 16, 9, tzinfo=UTC)
        self.floor = Floor(Store(self.url), self.key, self.clock, begins="one")
        self.do("house-rule", ROOT, rule="operator", value="Kai's card room")
        self.do("fund", ROOT, cents=10**9)
        self.do("buy-in", CAT, guest="Ann", cents=500_000)
        for day in (16, 17):
            self.at = datetime(2026, 11, day, 9, tzinfo=UTC)
            self.do("open", SUE, table="bac", edition="ez-baccarat-wa", source="hand-keyed", opener_cents=2_000_000)
            self.do("table-buy-in", DAN, table="bac", guest="Ben", cents=60_000)
            for _ in range(3):
                self.round("9s 7h Kd 3c")
            self.do("fill", CAT, table="bac", cents=50_000)
            self.at = datetime(2026, 11, day, 15, tzinfo=UTC)
            number = self.round("9s 7h Kd 3c")
            wrong = {"round": number, "cards": "9s 7h Kd 2c", "reason": "misread", "again": 0}
            self.do("correct", SUE, table="bac", **wrong)
            self.do("credit", CAT, table="bac", cents=10_000)
            self.do("closer", CAT, table="bac", cents=1_900_000)
            self.do("close", SUE, table="bac")
        self.do("cash-out", CAT, guest="Ann", cents=100_000)

    def clock(self) -> datetime:
        self.at += timedelta(seconds=20)
        return self.at

    def do(self, kind: str, actor: Actor, **fields: object) -> None:
        self.floor.do({"kind": kind, **fields}, actor)

    def round(self, cards: str) -> int:
        number = self.floor.state.tables["bac"].round.number
        for seat, guest, wager, cents in (
            (1, "Ann", "player", 2_500),
            (2, "Ben", "banker", 5_000),
            (2, "Ben", "dragon-7", 500),
        ):
            self.do("bet", DAN, table="bac", seat=seat, guest=guest, wager=wager, cents=cents)
        self.do("no-more-bets", DAN, table="bac")
        self.do("card", DAN, table="bac", cards=cards)
        self.do("settle", DAN, table="bac")
        self.do("new-shoe", DAN, table="bac")
        return number

    @property
    def source(self) -> HouseSource:
        return HouseSource(Store(self.url, only_reads=True), Keyring(self.key))

    def report(self, kind: str, **options: str) -> MadeReport:
        return asked_of_house(kind, self.source, options, on=MADE)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> TwoDays:
    return TwoDays(tmp_path_factory.mktemp("days"))


def words_of(pdf: bytes) -> str:
    return " ".join("\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def cents(made: MadeReport, figure: str) -> int:
    return int(made.figures[figure]["exact"])


def test_every_kind_of_a_day_is_a_report_of_a_house() -> None:
    assert HOUSE_KINDS.keys() >= TITLES.keys()


def test_the_master_game_report_is_the_books(house: TwoDays) -> None:
    made = house.report("master-game", day=MONDAY)
    line = book_of(house.source.store, MONDAY).whole["bac"]
    won = 3 * (5_000 + 500 - 2_500) + 500  # three rounds are as they were keyed, one was a tie
    assert line.win_cents == line.rounds_say_cents == won
    told = {
        part: cents(made, f"day.bac.{part}") for part in ("opener", "fills", "credits", "drop", "closer", "win", "rounds-say")
    }
    assert told["opener"] == 2_000_000 and (told["fills"], told["credits"], told["drop"]) == (50_000, 10_000, 60_000)
    assert told["win"] == told["closer"] + 10_000 + 60_000 - 2_000_000 - 50_000 == told["rounds-say"] == won
    assert cents(made, "day.bac.handle") == 4 * 8_000
    assert cents(made, "day.bac.low") < cents(made, "day.bac.expected") < cents(made, "day.bac.high")
    assert [cents(made, f"shift-{shift}.bac.rounds") for shift in ("day", "swing")] == [3, 1]


def test_month_and_year_go_on_from_day_to_day(house: TwoDays) -> None:
    first, second = house.report("master-game", day=MONDAY), house.report("master-game", day=TUESDAY)
    own = cents(second, "day.bac.win")
    for span in ("month", "year"):
        assert cents(first, f"{span}.bac.win") == cents(first, "day.bac.win")
        assert cents(second, f"{span}.bac.win") == own + cents(first, "day.bac.win")
        assert cents(second, f"{span}.bac.drop") == 120_000


@pytest.mark.parametrize("kind", list(TITLES))
def test_the_same_day_gives_the_same_bytes_and_proves_itself(house: TwoDays, kind: str) -> None:
    made = house.report(kind, day=MONDAY)
    pdf = made.pdf()
    assert pdf == house.report(kind, day=MONDAY).pdf() == make_again(made.data["inputs"]).pdf()
    verified = verify_pdf(pdf, source=house.source)
    assert verified.holds, verified.findings
    text = words_of(pdf)
    assert "Kai's card room" in text and f"gaming day {MONDAY}, from 06:00 for 24 hours (UTC)" in text
    assert len(made.figures) > 3
    assert "<table" in made.html()


def test_the_csv_of_a_day_is_tables_that_a_spreadsheet_adds_up(house: TwoDays) -> None:
    made = house.report("master-game", day=MONDAY)
    tables = [list(csv.reader(part.splitlines())) for part in made.csv().split("\n\n")]
    first = tables[0]
    assert first[0] == ["The day by table"] and first[1][:6] == ["Table", "Opener", "Fills", "Credits", "Drop", "Closer"]
    [line] = (dict(zip(first[1], row, strict=True)) for row in first[2:])
    assert (line["Table"], line["Opener"], line["Fills"], line["Credits"]) == ("bac", "20000.00", "500.00", "100.00")
    amounts = {name: round(100 * float(line[name])) for name in ("Opener", "Fills", "Credits", "Drop", "Closer", "Win")}
    told = {name: int(made.figures[f"day.bac.{name.lower()}"]["exact"]) for name in amounts}
    assert amounts == told
    assert float(line["Hold"]) == float(Fraction(made.figures["day.bac.hold"]["exact"]))
    assert {"Shift day", "Shift swing"} <= {table[0][0] for table in tables}
    for table in tables:
        assert {len(row) for row in table[1:]} == {len(table[1])}, table


def test_a_range_is_two_numbers_in_a_spreadsheet(house: TwoDays) -> None:
    made = house.report("master-game", day=MONDAY)
    tables = [list(csv.reader(part.splitlines())) for part in made.csv().split("\n\n")]
    against = next(table for table in tables if "Against the rounds" in table[0][0])
    line = dict(zip(against[1], against[2], strict=True))
    low, high = (int(made.figures[f"day.bac.{end}"]["exact"]) for end in ("low", "high"))
    assert round(100 * float(line["Range at 95 %, from"])) == low < 0 < high == round(100 * float(line["Range at 95 %, to"]))
    assert "'" not in made.csv()


def test_a_name_is_no_formula_in_a_spreadsheet() -> None:
    table = {"block": "table", "columns": [{"title": "Guest"}], "rows": [[["=HYPERLINK(1)"]], [["Ann"]]], "foot": []}
    written = tables_as_csv({"figures": {}, "sections": [{"title": "Guests", "blocks": [table]}]})
    assert written.splitlines() == ["Guests", "Guest", "'=HYPERLINK(1)", "Ann"]


def test_what_happens_later_changes_no_past_day(house: TwoDays) -> None:
    before = house.report("day", day=MONDAY).json()
    house.at = datetime(2026, 11, 19, 9, tzinfo=UTC)
    house.do("fund", ROOT, cents=100)
    assert house.report("day", day=MONDAY).json() == before


def test_guests_are_named_only_where_they_are_the_matter(house: TwoDays) -> None:
    for kind in TITLES:
        inside = json.dumps(house.report(kind, day=MONDAY).data)
        assert ("Ann" in inside) == (kind in {"guests", "cash", "day"}), kind


def test_ratings_take_up_and_dealers(house: TwoDays) -> None:
    guests = house.report("guests", day=MONDAY)
    assert cents(guests, "guests.Ben.hands") == 4 and cents(guests, "guests.Ben.handle") == 4 * 5_500
    assert cents(guests, "guests.Ben.average") == 5_500
    expected = 4 * (5_000 * 0.01017839 + 500 * 0.07611)
    assert cents(guests, "guests.Ben.theoretical") == pytest.approx(expected, abs=2)
    assert cents(guests, "guests.Ben.comps") == pytest.approx(expected / 5, abs=1)
    taken = house.report("take-up", day=MONDAY)
    assert [cents(taken, f"take-up.1.{wager}.bets") for wager in ("player", "banker", "dragon-7")] == [4, 4, 4]
    assert taken.figures["take-up.1.dragon-7.share"]["shown"] == "50.0 %"
    dealers = house.report("dealers", day=MONDAY)
    assert cents(dealers, "dealers.dan.1.rounds") == 4 and cents(dealers, "dealers.dan.1.corrections") == 1


def test_all_exceptions_of_a_busy_day_are_listed(tmp_path: Path) -> None:
    """A whole day of a large room has some 600."""
    house, voided = TwoDays(tmp_path), 620
    house.at = datetime(2026, 11, 18, 9, tzinfo=UTC)
    house.do("open", SUE, table="bac", edition="ez-baccarat-wa", source="hand-keyed", opener_cents=2_000_000)
    for _ in range(voided):
        house.do("bet", DAN, table="bac", seat=1, guest="Ann", wager="player", cents=2_500)
        house.do("no-more-bets", DAN, table="bac")
        house.do("void", SUE, table="bac", reason="misdeal")
    listed = house.report("exceptions", day="2026-11-18").csv().splitlines()
    assert sum("misdeal" in line for line in listed) == voided


def test_cash_slips_and_exceptions(house: TwoDays) -> None:
    cash = house.report("cash", day=TUESDAY)
    assert (cents(cash, "cash.Ben.in-at-tables"), cents(cash, "cash.Ann.out")) == (60_000, 100_000)
    slips = words_of(house.report("slips", day=MONDAY).pdf())
    for what in ("opener", "fill", "credit", "count", "closer"):
        assert what in slips
    exceptions = house.report("exceptions", day=MONDAY)
    text = words_of(exceptions.pdf())
    assert "misread" in text and any(id_.startswith("difference.") for id_ in exceptions.figures)


def test_a_day_without_activity_says_so(house: TwoDays) -> None:
    made = house.report("master-game", day="2026-11-01")
    assert "No activity." in words_of(made.pdf())
    assert verify_pdf(made.pdf(), source=house.source).holds


def test_without_a_day_it_is_the_newest(house: TwoDays) -> None:
    assert house.report("cash").data["inputs"]["material"]["day"] >= TUESDAY


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "2026-1-1"])
def test_what_is_no_day_is_refused(house: TwoDays, day: str) -> None:
    with pytest.raises(Refused, match="is not a day"):
        house.report("master-game", day=day)


def test_a_forged_figure_is_found(house: TwoDays) -> None:
    inputs = json.loads(json.dumps(house.report("master-game", day=MONDAY).data["inputs"]))
    inputs["material"]["book"]["whole"]["bac"]["closer_cents"] += 100
    forged = verify_pdf(make_again(inputs).pdf())
    assert not forged.holds and any("bac" in finding for finding in forged.findings)
    inputs = json.loads(json.dumps(house.report("cash", day=MONDAY).data["inputs"]))
    inputs["material"]["book"]["cash"]["Ann"]["in_at_cage_cents"] -= 100_000
    pdf = make_again(inputs).pdf()
    assert verify_pdf(pdf).holds, "nobody can tell without the house"
    assert "the books of the report are not what the store has" in verify_pdf(pdf, source=house.source).findings
