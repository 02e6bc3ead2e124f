"""Reports of a gaming day: the master game report and what belongs to it, each from the day's books alone.

What is taken is the book of the day, with only what the kind needs: a master game report names no guest.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from houseway.day.expected import Expectation, Odds, expectation, of_tables, together
from houseway.day.findings import DayFinding, findings
from houseway.day.lines import DayBook, DealerBook, SlipBook, TableBook, added
from houseway.day.ratings import ratings
from houseway.house.days import Totals, as_data, book_of, bounds_of, from_data, line_of, to_date
from houseway.house.past_editions import PastEditions
from houseway.house.store import Store
from houseway.refusal import Refused, number_of
from houseway.report.asked_house import AskedOfHouse
from houseway.report.day_odds import day_odds, edition_of_bound
from houseway.report.document import (
    Block,
    Column,
    DataTable,
    Document,
    Heading,
    IdentityLine,
    Paragraph,
    ReportSection,
    Text,
)
from houseway.report.figures import count, decimal, money, percent
from houseway.report.house_audit import notable_events
from houseway.report.house_kinds import Checked, HouseSource
from houseway.table.entry import Entry
from houseway.table.fold import ATTEMPT
from houseway.table.guests import DATA_WANTED, LOG, MAY_NOT_PLAY, NEAR, REPORT
from houseway.table.slips import ERROR, ROWS, SLIP_NAMES
from houseway.view.notable import NOTABLE
from houseway.view.words import NOTICE_REASONS, outcome_name, wager_name

Json = dict[str, Any]
NO_ACTIVITY = "No activity."
NOTABLE_MOST = 5_000
"""So that of a busy day in the largest room all are listed: a whole day of 15 tables and 400 guests has some 600."""
TITLES = {
    "master-game": "Master game report",
    "table-shift": "Tables by shift",
    "take-up": "Wagers and their take-up",
    "dealers": "Dealers",
    "guests": "Guests",
    "cash": "Cash",
    "slips": "Slips, fills, credits and counts",
    "exceptions": "Exceptions",
    "day": "The gaming day",
}
EXCEPTIONS = (*NOTABLE, "slip-recalled", "slip-voided", "counts-differ", "pieces-set-right", "notice-due", "notice-sent")
"""Events that a day's exceptions list; differences and error slips are listed apart, with their owners."""
TOLD_ATTEMPTS = {
    MAY_NOT_PLAY: "Somebody who may not play tried to {act}, and was refused",
    DATA_WANTED: "Refused to {act}: above the line of the report the papers are seen first",
}
PLAYS = {"master-game", "table-shift", "take-up", "exceptions", "day"}
"""Kinds that need what was played at the tables."""


# Taken from the store


def take(kind: str, source: HouseSource, options: Mapping[str, str]) -> Json:
    """The book of the day that is asked for, or else of the newest."""
    store = source.store
    day = _asked_day(store, options.get("day", ""))
    return _taken(kind, store, day, remembered=True)


def _asked_day(store: Store, given: str) -> str:
    if given:
        try:
            return date.fromisoformat(given).isoformat()
        except ValueError:
            raise Refused("bad-date", f'"{given[:20]}" is not a day (such as 2026-03-01 is required)') from None
    newest = store.entry(store.head()[0])
    if newest is None:
        raise Refused("no-entries", "the journal has no entry yet: there is no day to tell of; give --day for one to come")
    return newest.day


def _taken(kind: str, store: Store, day: str, remembered: bool, until: int | None = None) -> Json:
    whole = book_of(store, day, until)
    month, year = to_date(store, day, whole, remembered) if kind in {"master-game", "day"} else ({}, {})
    told = _notable(store, day, until) if kind in {"exceptions", "day"} else []
    return {
        "day": day,
        "book": as_data(_needed(kind, whole)),
        "month": month,
        "year": year,
        "notable": told[:NOTABLE_MOST],
        "notable_found": len(told),
    }


def _needed(kind: str, book: DayBook) -> DayBook:
    """The book with what a kind tells of, and no more: bindings that nothing is told of are left out too."""
    if kind == "day":
        return book
    kept = replace(
        book,
        guests=book.guests if kind == "guests" else {},
        dealers=book.dealers if kind == "dealers" else {},
        cash=book.cash if kind == "cash" else {},
        moved=book.moved if kind in {"slips", "exceptions", "master-game"} else (),
        slips=book.slips if kind in {"slips", "exceptions"} else {},
        numbers=book.numbers if kind in {"slips", "exceptions"} else {},
        notices=book.notices if kind == "exceptions" else {},
        breaks=book.breaks if kind == "dealers" else {},
        tables=book.tables if kind in {"master-game", "table-shift"} else {},
        whole=book.whole if kind in PLAYS else {},
    )
    lines = [*kept.whole.values(), *(line for lines in kept.tables.values() for line in lines.values())]
    used = {bound for line in lines for bound in line.played} | {bound for bounds in kept.dealers.values() for bound in bounds}
    used |= {int(place.rpartition("/")[2]) for places in kept.guests.values() for place in places}
    return replace(kept, bounds={number: bound for number, bound in book.bounds.items() if number in used})


def _notable(store: Store, day: str, until: int | None) -> list[Json]:
    first, last = bounds_of(store, day, until)
    past = PastEditions(store)
    return [
        told
        for entry in store.as_stored(first - 1, last)
        for told in (*_attempts(entry), *notable_events(entry, past, EXCEPTIONS))
    ]


def _attempts(entry: Entry) -> Iterator[Json]:
    """That somebody who may not play tried to, or that cash was refused until papers are seen: no guest is named."""
    if entry.kind == ATTEMPT and entry.data.get("code") in TOLD_ATTEMPTS:
        act = str(entry.data["command"]["kind"]).replace("-", " ")
        words = TOLD_ATTEMPTS[entry.data["code"]].format(act=act)
        words += f" ({number_of(times, 'time')} more)" if (times := entry.data.get("times", 0)) else ""
        by = "the guest" if entry.role == "guest" else entry.actor
        yield {"seq": entry.seq, "at": entry.at, "table": entry.table, "by": by, "words": words}


# Checked


def alone(kind: str, material: Json) -> Checked:
    """What does not hold of a day by its books: shifts that do not add up to it, and a win that the rounds do not say."""
    book = from_data(material["book"])
    without = "without the house's store it is not checked that its journal says so: give --store to fold it again"
    return Checked(tuple(_flaws(book)), (without,))


def _flaws(book: DayBook) -> Iterator[str]:
    for table, line in book.whole.items():
        if line.unexplained_cents:
            yield f"{table}: its inventory says {line.unexplained_cents} cents more than its rounds and counts do"
        shifts = added(TableBook, [lines[table] for lines in book.tables.values() if table in lines])
        for name in ("fills_cents", "credits_cents", "drop_cents", "win_cents", "rounds_say_cents", "rounds"):
            if book.tables and getattr(shifts, name) != getattr(line, name):
                yield f"{table}: the {name.removesuffix('_cents').replace('_', ' ')} of its shifts do not add up to the day's"


def against(kind: str, source: HouseSource, material: Json, options: Mapping[str, str]) -> Checked:
    """The day folded again as far as it went then, with nothing that was kept, and compared."""
    book, store = from_data(material["book"]), source.store
    now = _taken(kind, store, material["day"], False, book.last or None)
    findings_ = [
        f"{words} of the report are not what the store has"
        for part, words in (("book", "the books"), ("month", "the month"), ("year", "the year"), ("notable", "the events"))
        if now[part] != material[part]
    ]
    if book.last and store.hashes([book.last]) != {book.last: book.hash}:
        findings_.append(f"the store's chain has not entry {book.last} of the report")
    since = bounds_of(store, material["day"])[1] > book.last > 0
    remark = ("the day has gone on since it was made",) if since else ()
    return Checked(tuple(findings_), (*remark, "the day was folded again from the journal"))


# Printed


def build(kind: str, asked: AskedOfHouse) -> Document:
    """The report of a day."""
    book = from_data(asked.material["book"])
    operator = book.operator or "Houseway"
    interval = f"gaming day {book.day}" + (f", from {book.begins} for 24 hours ({book.zone})" if book.zone else "")
    about = [IdentityLine("house", "Operator", operator), IdentityLine("interval", "Interval", interval)]
    if book.last:
        about.append(IdentityLine("head", "Entries", f"{book.first} to {book.last}, {book.hash}"))
    return Document(
        kind=asked.kind,
        title=TITLES[kind],
        subtitle=f"{operator}, {interval}",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(about),
        sections=list(_sections(kind, book, asked)),
        inputs=asked.inputs(),
    )


def _sections(kind: str, book: DayBook, asked: AskedOfHouse) -> Iterator[ReportSection]:
    odds, material = day_odds(asked.progress), asked.material
    if not book.last:
        yield ReportSection(TITLES[kind], [Paragraph(NO_ACTIVITY)])
        return
    if kind in {"master-game", "day"}:
        yield ReportSection("The day by table", list(_master("day", book.whole, book, odds)))
        yield ReportSection("Month and year to date", list(_to_date(material["month"], material["year"])))
        for shift, lines in book.tables.items():
            yield ReportSection(f"Shift {shift}", list(_master(f"shift-{shift}", lines, book, odds)))
        yield ReportSection("Differences of counts", list(_differences(book)))
        yield ReportSection("How to read it", list(_explained(book, odds)))
    if kind == "table-shift":
        for table in book.whole:
            yield ReportSection(f"Table {table}", list(_by_shift(table, book)))
    if kind in {"take-up", "day"}:
        yield ReportSection("Wagers", list(_take_up(book, odds)))
    if kind in {"dealers", "day"}:
        yield ReportSection("Dealers", list(_dealers(book)))
    if kind in {"guests", "day"}:
        yield ReportSection("Guests", list(_guests(book, odds)))
    if kind in {"cash", "day"}:
        yield ReportSection("Cash", list(_cash(book)))
    if kind in {"slips", "day"}:
        yield ReportSection("Slips, fills, credits, drops and counts", [*_slips(book), *_moved(book)])
    if kind in {"exceptions", "day"}:
        yield ReportSection("Differences, error slips and notices", [*_differences(book), *_errors(book)])
        yield ReportSection("Holds and side bets", list(_found(book, odds)))
        yield ReportSection("What to look at", list(_told(material)))


Amounts = tuple[tuple[str, str, Callable[[TableBook], int]], ...]
INVENTORY: Amounts = (
    ("Opener", "opener", lambda line: line.opener_cents),
    ("Fills", "fills", lambda line: line.fills_cents),
    ("Credits", "credits", lambda line: line.credits_cents),
    ("Drop", "drop", lambda line: line.drop_cents),
    ("Closer", "closer", lambda line: line.closer_cents),
    ("After close", "after-close", lambda line: line.after_close_cents),
    ("Win", "win", lambda line: line.win_cents),
)


def _inventory(id_: str, lines: Mapping[str, TableBook], first: str) -> DataTable:
    shown = [each for each in INVENTORY if each[1] != "after-close" or any(line.after_close_cents for line in lines.values())]

    def row(name: str, key: str, line: TableBook) -> list[Text]:
        cells = [money(f"{id_}.{key}.{part}", amount(line)) for _, part, amount in shown]
        return [name, *cells, _hold(f"{id_}.{key}.hold", line.win_cents, line.drop_cents)]

    columns = [Column(first), *(Column(title, "right") for title, _, _ in shown), Column("Hold", "right")]
    foot = [row("All", "*", added(TableBook, lines.values()))] if len(lines) > 1 else []
    return DataTable(columns, [row(name, name, line) for name, line in lines.items()], foot)


def _hold(id_: str, win_cents: int, drop_cents: int) -> Text:
    """The win's share of the drop; none without a drop."""
    return percent(id_, Fraction(win_cents, drop_cents), 1) if drop_cents else "–"


def _master(scope: str, lines: Mapping[str, TableBook], book: DayBook, odds: Odds) -> Iterator[Block]:
    if not lines:
        yield Paragraph(NO_ACTIVITY)
        return
    yield _inventory(scope, lines, "Table")
    counts = ("Counts found",) if any(line.differences_cents for line in lines.values()) else ()
    expected = {table: expectation(line.played, book.bounds, odds) for table, line in lines.items()}
    rows = [_against(scope, table, line, expected[table], bool(counts)) for table, line in lines.items()]
    everything = of_tables([line.played for line in lines.values()], book.bounds, odds)
    foot = [_against(scope, "*", added(TableBook, lines.values()), everything, bool(counts))] if len(lines) > 1 else []
    columns = [
        Column("Table"),
        *(Column(title, "right") for title in ("Rounds", "The rounds say", *counts, "Differs", "Handle", "Expected")),
        Column("Range at 95 %", "right"),
        Column("Win is"),
    ]
    yield Heading("Against the rounds")
    yield DataTable(columns, rows, foot)
    fees = {table: line for table, line in lines.items() if line.collection_cents or line.tips_cents}
    if fees:
        yield Paragraph(
            [
                run
                for table, line in fees.items()
                for run in (
                    f"{table}: collection ",
                    money(f"{scope}.{table}.collection", line.collection_cents),
                    ", tips ",
                    money(f"{scope}.{table}.tips", line.tips_cents),
                    ". ",
                )
            ],
            "note",
        )


def _against(scope: str, table: str, line: TableBook, of: Expectation, counts: bool) -> list[Text]:
    id_, name = f"{scope}.{table}", "All" if table == "*" else table
    said: list[Text] = [
        name,
        count(f"{id_}.rounds", line.rounds),
        money(f"{id_}.rounds-say", line.rounds_say_cents),
        *([money(f"{id_}.counts-found", line.differences_cents)] if counts else []),
        money(f"{id_}.unexplained", line.unexplained_cents),
    ]
    if not of.handle_cents:
        return [*said, "–", "–", "–", ""]
    bounds: Text = (money(f"{id_}.low", of.low_cents), " to ", money(f"{id_}.high", of.high_cents))
    verdict = "outside" if of.is_outside else "inside"
    expected = money(f"{id_}.expected", round(of.expected_cents))
    return [*said, money(f"{id_}.handle", of.handle_cents), expected, bounds, verdict]


def _to_date(month: Totals, year: Totals) -> Iterator[Block]:
    if not year:
        yield Paragraph(NO_ACTIVITY)
        return
    columns = [Column("Table")]
    for span in ("Month", "Year"):
        columns += [Column(f"{span}: drop", "right"), Column("Win", "right"), Column("Hold", "right")]
    rows = [_spans(table, month.get(table), year[table]) for table in year]
    yield DataTable(columns, rows, [_spans("*", _all(month), _all(year))] if len(year) > 1 else [])


def _all(totals: Totals) -> dict[str, int]:
    line = added(TableBook, [line_of(each) for each in totals.values()])
    return {name: value for name, value in vars(line).items() if name != "played"}


def _spans(table: str, month: Mapping[str, int] | None, year: Mapping[str, int]) -> list[Text]:
    cells: list[Text] = ["All" if table == "*" else table]
    for span, totals in (("month", month or {}), ("year", year)):
        line, id_ = line_of(totals), f"{span}.{table}"
        cells += [money(f"{id_}.drop", line.drop_cents), money(f"{id_}.win", line.win_cents)]
        cells.append(_hold(f"{id_}.hold", line.win_cents, line.drop_cents))
    return cells


def _explained(book: DayBook, odds: Odds) -> Iterator[Block]:
    yield Paragraph(
        "Win = closer + credits + drop - opener - fills, and what corrections of rounds cost or brought the cage after a table "
        "was closed. The drop is the cash that went into the box in that time. A table that is open when a shift or a day "
        "changes goes over with what is in its tray. The rounds say the same win from every stake that was taken and paid. A "
        "correction counts in the shift in which it is made, always on the gaming day of its round. A side bet that is paid "
        "before its round is over is in the win of the shift that paid it, and in the wagers of the shift that settled the "
        "round.",
        "note",
    )
    yield Paragraph(
        "Where trays and boxes are counted, opener and closer are what two have counted; of a table that was closed and opened "
        "again in that time they are the sums of its openers and of its closers. What the count of a box found more or "
        "less is in the drop of the shift in which it was counted. What counts of closers and boxes found is in the win, and "
        "told beside what the rounds say; what the count of an opener found is in no win. Somebody answers for each.",
        "note",
    )
    yield Paragraph(
        "Expected is what was laid times the exact edge of each wager. The range holds 95 % of days by the normal law; its "
        "width is the larger of what the odds say, with everybody's stakes on the same cards together, and of what the rounds "
        "themselves show. Prizes won without a stake, such as envy, are left out of the win that it is held against.",
        "note",
    )
    players = sorted({f"{words}" for words in _players(book, odds)})
    if players:
        yield Paragraph(f"Odds are of these players: {'; '.join(players)}.", "note")


def _players(book: DayBook, odds: Odds) -> Iterator[str]:
    for number, played in together(line.played for line in book.whole.values()).items():
        bound = book.bounds[number]
        for wager, of_wager in played.wagers.items():
            found = odds(bound, wager) if of_wager.handle_cents else None
            name = wager_name(edition_of_bound(bound), wager)
            if found and found.player:
                yield f"{name}: {found.player} ({found.how})"
            elif of_wager.handle_cents and not found and not bound.by_players:
                yield f"{name}: no odds of its own, left out"


def _by_shift(table: str, book: DayBook) -> Iterator[Block]:
    lines = {shift: of[table] for shift, of in book.tables.items() if table in of}
    yield _inventory(table, lines, "Shift")
    rows: list[list[Text]] = [
        [
            shift,
            *(
                count(f"{table}.{shift}.{name}", getattr(line, name))
                for name in ("openings", "closings", "rounds", "hands", "voids", "corrections")
            ),
            money(f"{table}.{shift}.pulled", line.pulled_cents),
            money(f"{table}.{shift}.counted", line.counted_cents),
            money(f"{table}.{shift}.tips", line.tips_cents),
            money(f"{table}.{shift}.collection", line.collection_cents),
        ]
        for shift, line in lines.items()
    ]
    titles = ("Opened", "Closed", "Rounds", "Hands", "Void", "Corrected", "Box pulled", "Box counted", "Tips", "Collection")
    yield DataTable([Column("Shift"), *(Column(title, "right") for title in titles)], rows)


def _take_up(book: DayBook, odds: Odds) -> Iterator[Block]:
    by_bound = together(line.played for line in book.whole.values())
    if not any(of.bets for played in by_bound.values() for of in played.wagers.values()):
        yield Paragraph(NO_ACTIVITY)
        return
    columns = [
        Column("Wager", wide=True),
        *(Column(title, "right") for title in ("Bets", "Take-up", "Handle", "Won by it", "Expected", "Edge", "Prizes")),
    ]
    for number, played in by_bound.items():
        bound = book.bounds[number]
        edition = edition_of_bound(bound)
        hands = sum(_hands(line, number) for line in book.whole.values())
        whose = "players bank" if bound.by_players else "the house banks"
        name = edition.name if edition else bound.edition
        yield Heading((f"{name} ({whose}), hands: ", count(f"take-up.{number}.hands", hands)))
        rows: list[list[Text]] = []
        for wager, of in played.wagers.items():
            id_, found = f"take-up.{number}.{wager}", odds(bound, wager)
            rows.append(
                [
                    wager_name(edition, wager),
                    count(f"{id_}.bets", of.bets),
                    percent(f"{id_}.share", Fraction(of.bets, hands), 1) if hands and of.bets else "–",
                    money(f"{id_}.handle", of.handle_cents),
                    money(f"{id_}.win", of.win_cents),
                    money(f"{id_}.expected", round(found.edge * of.handle_cents)) if found else "–",
                    percent(f"{id_}.edge", found.edge, 3) if found else "–",
                    money(f"{id_}.prizes", of.prizes_cents),
                ]
            )
        yield DataTable(columns, rows)
    yield Paragraph(
        "Take-up is the share of hands with a bet on the wager. What is won by it is the house's, or the bank's where players "
        "bank; the edge of a wager has its raises in it.",
        "note",
    )


def _hands(line: TableBook, bound: int) -> int:
    """A table's hands are all under one binding unless it was opened anew for another: then by what was laid most."""
    if bound not in line.played:
        return 0
    if len(line.played) == 1:
        return line.hands
    return max((of.bets for of in line.played[bound].wagers.values()), default=0)


def _dealers(book: DayBook) -> Iterator[Block]:
    rows: list[list[Text]] = []
    for name, bounds in book.dealers.items():
        for number, dealt in bounds.items():
            edition, id_ = edition_of_bound(book.bounds[number]), f"dealers.{name}.{number}"
            rows.append([name, edition.name if edition else book.bounds[number].edition, *_dealt(id_, dealt)])
    if book.breaks:
        yield DataTable(
            (Column("Breaks of", wide=True), Column("Begun", "right"), Column("Minutes", "right")),
            [
                [name, count(f"breaks.{name}.times", of.times), decimal(f"breaks.{name}.minutes", Fraction(of.seconds, 60), 0)]
                for name, of in book.breaks.items()
            ],
        )
        yield Paragraph("A break counts where it begins, and its minutes where it ends.", "note")
    if not rows:
        yield Paragraph(NO_ACTIVITY)
        return
    titles = ("Rounds", "Hands", "Hours", "Hands an hour", "Void", "Put right", "Corrected")
    yield DataTable([Column("Dealer"), Column("Game", wide=True), *(Column(title, "right") for title in titles)], rows)
    yield Paragraph(
        "Time is from the first bet of a round to its end, and on from round to round unless there was a pause. Put right: "
        "cards, bets or results keyed again before the settlement. Corrected: rounds that he dealt, settled again afterwards.",
        "note",
    )


def _dealt(id_: str, dealt: DealerBook) -> list[Text]:
    pace: Text = decimal(f"{id_}.pace", Fraction(3600 * dealt.hands, dealt.seconds), 0) if dealt.seconds else "–"
    numbers: list[Text] = [count(f"{id_}.rounds", dealt.rounds), count(f"{id_}.hands", dealt.hands)]
    numbers += [decimal(f"{id_}.hours", Fraction(dealt.seconds, 3600), 1), pace]
    return numbers + [count(f"{id_}.{name}", getattr(dealt, name)) for name in ("voids", "mends", "corrections")]


def _guests(book: DayBook, odds: Odds) -> Iterator[Block]:
    rated = ratings(book, odds)
    if not rated:
        yield Paragraph(NO_ACTIVITY)
        return
    rows: list[list[Text]] = []
    apart = any(each.by_players_cents for each in rated)
    for each in rated:
        id_ = f"guests.{each.guest}"
        rows.append(
            [
                each.guest,
                count(f"{id_}.hands", each.hands),
                decimal(f"{id_}.hours", Fraction(each.seconds, 3600), 1),
                money(f"{id_}.average", each.average_cents),
                money(f"{id_}.handle", each.handle_cents),
                money(f"{id_}.theoretical", round(each.theoretical_cents)),
                money(f"{id_}.win", each.win_cents),
                money(f"{id_}.comps", each.comps_cents),
                *([money(f"{id_}.by-players", each.by_players_cents)] if apart else []),
            ]
        )
    banked = ("Against players",) if apart else ()
    titles = ("Hands", "Hours", "Average bet", "Handle", "Theoretical", "He won", "Comps", *banked)
    yield DataTable([Column("Guest", wide=True), *(Column(title, "right") for title in titles)], rows)
    comps = count("guests.comp-percent", book.comp_percent)
    exact = "Theoretical is what he laid times the exact edge of each wager. Comps by the house's rule: "
    yield Paragraph((exact, comps, " % of that. Bets for the dealers are tips, and not among them."), "note")
    if apart:
        yield Paragraph(
            "Against players is what he laid at tables that players bank. It is in his hands, hours and average bet; what was "
            "won there is no business of the house's, and in no other column.",
            "note",
        )


def _cash(book: DayBook) -> Iterator[Block]:
    yield Paragraph(
        (
            "The cage began the day with ",
            money("cage.before", book.cage_before_cents),
            " and ended it with ",
            money("cage.after", book.cage_after_cents),
            "; ",
            money("cage.funded", book.funded_cents),
            " were brought into it",
            *((", and chips of ", money("cage.chips-brought", book.chips_brought_cents)) if book.chips_brought_cents else ()),
            ".",
        )
    )
    if not book.cash:
        yield Paragraph("No guest bought or cashed chips.")
        return
    parts = ("in_at_cage_cents", "in_at_tables_cents", "out_cents")
    rows: list[list[Text]] = [
        [
            guest or "not named",
            *(money(f"cash.{guest}.{part.removesuffix('_cents').replace('_', '-')}", getattr(cash, part)) for part in parts),
            count(f"cash.{guest}.times-in", cash.times_in),
            count(f"cash.{guest}.times-out", cash.times_out),
        ]
        for guest, cash in book.cash.items()
    ]
    titles = ("In at the cage", "In at tables", "Out", "Times in", "Times out")
    totals: list[Text] = ["All"]
    totals += [money(f"cash.*.{part}", sum(getattr(cash, part) for cash in book.cash.values())) for part in parts]
    yield DataTable([Column("Guest", wide=True), *(Column(title, "right") for title in titles)], rows, [[*totals, "", ""]])
    yield from _cash_lines(book)


LINES = {LOG: "log", NEAR: "near the report", REPORT: "report"}


def _cash_lines(book: DayBook) -> Iterator[Block]:
    """The lines of the house that the cash of guests has reached, in and out apart, and whether papers were noted."""
    rows: list[list[Text]] = []
    for guest, cash in book.cash.items():
        for reached, cents in cash.lines.items():
            line, way = reached.split()
            papers: Text = count(f"cash.{guest}.papers", cash.papers) if cash.papers else "–"
            rows.append([guest, way, LINES[line], money(f"cash.{guest}.{line}-{way}", cents), papers])
        if cash.papers and not cash.lines:
            rows.append([guest, "", "none", "–", count(f"cash.{guest}.papers", cash.papers)])
    yield Heading("Lines that were reached")
    if not rows:
        yield Paragraph("None: nobody's cash has reached a line of the house, or the house does not add it up.")
        return
    columns = (Column("Account", wide=True), Column("Way"), Column("Line"), Column("Cash of the day then", "right"))
    yield DataTable((*columns, Column("Papers noted", "right")), rows)
    yield Paragraph(
        "The cash of all accounts of a person is one sum; it stands under the account that reached the line.", "note"
    )


def _slips(book: DayBook) -> Iterator[Block]:
    """Every slip that was open in the day, by number, with its signatures; and what became of the numbers."""
    if not book.numbers:  # a house without chips has none
        return
    kinds = {"done": "done", "void": "VOID", "open": "open"}
    if book.slips:
        yield DataTable(
            (Column("Slip"), Column("Table"), Column("Opened (UTC)"), Column("Amount", "right"), Column("Is"),
             Column("Signed by", wide=True)),
            [
                [
                    id_,
                    slip.table + (f" ({slip.purpose})" if slip.purpose else ""),
                    slip.at[:16].replace("T", " "),
                    money(f"slips.{id_}", slip.cents) if slip.cents or slip.status == "done" else "–",
                    kinds[slip.status],
                    _signed(slip),
                ]
                for id_, slip in book.slips.items()
            ],
        )  # fmt: skip
    rows: list[list[Text]] = []
    for kind, numbers in sorted(book.numbers.items(), key=lambda each: list(ROWS).index(each[0])):
        own = {status: [id_ for id_, slip in book.slips.items() if _is_of(id_, kind, slip, status)] for status in kinds}
        missing = ", ".join(f"{kind}-{number}" for number in numbers.missing)
        first: Text = count(f"numbers.{kind}.first", numbers.before + 1) if numbers.last > numbers.before else "–"
        last: Text = count(f"numbers.{kind}.last", numbers.last) if numbers.last > numbers.before else "–"
        unused = count(f"numbers.{kind}.unused", numbers.last + 1)
        said = [", ".join(own[status]) or "none" for status in ("void", "open")]
        rows.append([SLIP_NAMES[kind], first, last, *said, missing or "none", unused])
    titles = (Column("Kind", wide=True), Column("First", "right"), Column("Last", "right"), Column("Void"), Column("Open"))
    yield Heading("Numbers")
    yield DataTable((*titles, Column("Missing"), Column("Unused from", "right")), rows)


def _is_of(id_: str, kind: str, slip: SlipBook, status: str) -> bool:
    return id_.rpartition("-")[0] == kind and slip.status == status


def _signed(slip: SlipBook) -> str:
    names = ", ".join(f"{each.name} ({each.step.replace('-', ' ')})" for each in slip.signed)
    void = f"; VOID by {slip.voided_by}: {slip.reason}" if slip.status == "void" else ""
    return (names or "nobody yet") + void


def _errors(book: DayBook) -> Iterator[Block]:
    """Error slips and the notices to the commission, with whoever answers for them."""
    errors = {id_: slip for id_, slip in book.slips.items() if id_.rpartition("-")[0] == ERROR}
    if not errors and not book.notices and book.numbers:
        yield Paragraph("No error slip was open, and no notice was due.")
    rows: list[list[Text]] = [
        [id_, slip.table, slip.purpose, money(f"error.{id_}", slip.cents), slip.owner, slip.status, _signed(slip)]
        for id_, slip in errors.items()
    ]
    titles = (Column("Slip"), Column("Table"), Column("At the"), Column("Differs", "right"), Column("Whose"), Column("Is"))
    if rows:
        yield DataTable((*titles, Column("Signed by", wide=True)), rows)
    due: list[list[Text]] = [
        [
            count(f"notice.{number}", number),
            each.table,
            money(f"notice.{number}.cents", each.cents),
            NOTICE_REASONS.get(each.why, each.why),
            each.until[:16].replace("T", " "),
            f"{each.sent_at[:16].replace('T', ' ')}: {each.how}" if each.sent_at else "NOT YET",
        ]
        for number, each in book.notices.items()
    ]
    of_notice = (Column("Notice", "right"), Column("Table"), Column("Differs", "right"), Column("Why"), Column("Until (UTC)"))
    if due:
        yield DataTable((*of_notice, Column("Sent", wide=True)), due)


def _moved(book: DayBook) -> Iterator[Block]:
    if not book.moved:
        yield Paragraph(NO_ACTIVITY)
        return
    rows: list[list[Text]] = [
        [
            count(f"moved.{each.seq}", each.seq),
            each.at[11:19],
            each.shift,
            each.table or "–",
            each.what + (f" ({each.slip})" if each.slip else ""),
            money(f"moved.{each.seq}.cents", each.cents),
            each.by + (f", {each.second}" if each.second else ""),
        ]
        for each in book.moved
    ]
    columns = (Column("Entry", "right"), Column("At (UTC)"), Column("Shift"), Column("Table"), Column("What"))
    yield DataTable((*columns, Column("Amount", "right"), Column("By", wide=True)), rows)


def _differences(book: DayBook) -> Iterator[Block]:
    off = [each for each in book.moved if each.cents != each.expected_cents]
    rows: list[list[Text]] = [
        [
            count(f"difference.{each.seq}", each.seq),
            each.shift,
            each.table,
            each.what + (f" ({each.slip})" if each.slip else ""),
            money(f"difference.{each.seq}.counted", each.cents),
            money(f"difference.{each.seq}.expected", each.expected_cents),
            money(f"difference.{each.seq}.cents", each.cents - each.expected_cents),
            each.owner or each.by + (f", {each.second}" if each.second else ""),
        ]
        for each in off
    ]
    if not rows:
        yield Paragraph("Every count was what the journal expects.")
        return
    columns = (Column("Entry", "right"), Column("Shift"), Column("Table"), Column("What"))
    more = (Column("Counted", "right"), Column("Expected", "right"), Column("Differs", "right"), Column("Whose", wide=True))
    yield DataTable((*columns, *more), rows)


def _found(book: DayBook, odds: Odds) -> Iterator[Block]:
    found = findings(book, odds)
    if not found:
        yield Paragraph("No hold is outside its range, and no wager came out beyond chance.")
    for place, each in enumerate(found, 1):
        yield Paragraph(_finding_words(f"finding.{place}", each, book))


def _finding_words(id_: str, each: DayFinding, book: DayBook) -> Text:
    if each.what == "hold-outside-range":
        return (
            f"{each.table}: the rounds won ",
            money(f"{id_}.win", each.found),
            ", outside of ",
            money(f"{id_}.low", round(each.low)),
            " to ",
            money(f"{id_}.high", round(each.high)),
            " (5 % of all days are).",
        )
    bound = next(book.bounds[n] for n, played in book.whole[each.table].played.items() if each.wager in played.wagers)
    edition = edition_of_bound(bound)
    outcome = outcome_name(edition, each.wager, each.outcome) if each.outcome else "a win"
    return (
        f"{each.table}, {wager_name(edition, each.wager)}: {outcome} came ",
        count(f"{id_}.came", each.found),
        " times in ",
        count(f"{id_}.of", each.of),
        " hands, where ",
        decimal(f"{id_}.expected", each.expected, 1),
        " were to be expected; by chance that is so at most with probability ",
        decimal(f"{id_}.p", each.p_value or 0.0, 6),
        ".",
    )


def _told(material: Json) -> Iterator[Block]:
    notable = material["notable"]
    if not notable:
        yield Paragraph("Nothing was voided, corrected, disputed or replaced.")
        return
    rows: list[list[Text]] = [
        [count(f"notable.{place}", each["seq"]), each["at"][11:19], each["table"] or "–", each["by"], each["words"]]
        for place, each in enumerate(notable, 1)
    ]
    columns = (Column("Entry", "right"), Column("At (UTC)"), Column("Table"), Column("By"), Column("What", wide=True))
    yield DataTable(columns, rows)
    if material["notable_found"] > len(notable):
        yield Paragraph(("Of ", count("notable.found", material["notable_found"]), " the first are listed."), "note")
