"""A simulated card room plays its gaming day through the API, and keeps its own books: every report equals them to the cent.

Its server is killed in mid-day and started again or, of two workers, one is; bad input is refused, and nothing has changed.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import room_program
from houses import PASSWORD, free_port
from room import AUDITOR, Room, TableProgram, everybody
from sqlalchemy import select
from test_killed_servers import workers_of

from houseway.house import schema
from houseway.house.audit import Auditor
from houseway.house.login_notes import BARRED
from houseway.house.store import Store
from houseway.web.app import ServeSettings, create_app
from houseway.web.people import DOOR

SHIFTS = {"day": 6, "swing": 14, "grave": 22}
EDITIONS = ("ez-baccarat-wa", "lucky-lucky-wa", "duki-4-wa", "ez-pai-gow-wa", "ez-baccarat-ca")
INVENTORY = ("opener", "fills", "credits", "drop", "closer")
KINDS = ("table-shift", "master-game", "take-up", "guests", "cash", "slips", "dealers", "exceptions", "day")
COUNTS = ("openings", "closings", "rounds", "hands", "voids", "corrections")


@dataclass
class Served:
    """The room's house as a program: it can be killed, and started again at the same door."""

    store: str
    folder: Path
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: Any = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def clock(self) -> Path:
        return self.folder / "clock"

    def start(self) -> None:
        command = [sys.executable, room_program.__file__, "serve", "--port", str(self.port), "--store", self.store]
        command += ["--no-demo", *self.options]
        command += [each for limit in ("connections", "seats", "heavy") for each in ("--limit", f"{limit}=10000")]
        more = {"HOUSEWAY_KEY": str(self.folder / "house.key"), "ROOM_CLOCK": str(self.clock), "HOUSEWAY_DUTIES": "two"}
        with (self.folder / "said").open("a") as said:
            self.process = subprocess.Popen(command, env=os.environ | more, stdout=said, stderr=said)
        while True:
            try:
                httpx.get(f"{self.url}/api/v1/tables", timeout=5)
                return
            except httpx.TransportError:
                assert self.process.poll() is None, (self.folder / "said").read_text()
                time.sleep(0.1)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def set_clock(self, at: datetime) -> None:
        """Whole or not at all: a server reads it whenever it likes."""
        new = self.folder / "clock.new"
        new.write_text(str((at - datetime.now(UTC)).total_seconds()), encoding="ascii")
        new.replace(self.clock)


def programs(room: Room, tables: int, guests: int) -> list[TableProgram]:
    """Tables of all editions in turn; every guest has his own table for the day."""
    made = []
    for place in range(tables):
        own = [f"guest {number}" for number in range(guests) if number % tables == place]
        made.append(TableProgram(room, f"t{place + 1}", EDITIONS[place % len(EDITIONS)], place, own))
    return made


@contextmanager
def opened(served: Served, people: dict[str, str], begins: datetime) -> Iterator[None]:
    """The house with accounts for all, served; its server is gone afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_DUTIES", "two")
        app = create_app(ServeSettings(served.store, served.folder / "house.key", demo=False, duties="two"))
        for name, role in people.items():
            app.state.door.add(name, role, PASSWORD, DOOR)
        app.state.house.floor.store.engine.dispose()
    served.set_clock(begins)
    try:
        served.start()
        yield
    finally:
        if served.process:
            served.kill()


def play_day(
    served: Served, tables: int, guests: int, shifts: Sequence[str], rounds: int, at_once: int, die: Callable[[], None]
) -> None:
    """The day, and in its second shift somebody dies."""
    room = Room(served.url, seed=15)
    at_tables = programs(room, tables, guests)
    day = (datetime.now(UTC) + timedelta(days=1)).date()
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    with opened(served, everybody(at_tables, shifts), midnight + timedelta(hours=6, minutes=30)):
        room.begin()
        for place, shift in enumerate(shifts):
            if place:
                served.set_clock(midnight + timedelta(hours=SHIFTS[shift], minutes=30))
                room.books.begin(shift)
            is_last = place == len(shifts) - 1
            play_shift(at_tables, place, len(shifts), rounds, at_once, is_last, die if place == 1 else None)
            if place == 0:
                bad_input(room, at_tables)
            if place != 1:  # nobody has died: no attempt was sent twice
                for table in at_tables:
                    table.may_not_play(*table.guests[place :: len(shifts)][:2])
            room.books.end()
        check(room, at_tables, day.isoformat(), shifts, every_kind=len(shifts) > 2)
    hold = Store(served.store, only_reads=True)
    assert Auditor(hold).run().flaws == ()
    held: Counter[str] = Counter()
    for _, moved in hold.transfers():
        held[moved.source] -= moved.cents
        held[moved.target] += moved.cents
    done = Counter(entry.kind for entry in hold.entries())
    tried = {kind: room.books.acts.pop(kind) for kind in ("attempts", "log-ins")}
    assert {kind: done[kind] for kind in room.books.acts} == room.books.acts
    assert told_at_the_door(hold) == tried["log-ins"], "every log-in of somebody who may not play"
    hold.engine.dispose()
    assert sum(held.values()) == 0
    assert {name: held[f"tray:{name}"] for name in room.books.tray} == dict(room.books.tray)
    assert {name: held[f"guest:{name}"] for name in room.books.purse} == dict(room.books.purse)


def told_at_the_door(store: Store) -> int:
    """How many log-ins of guests who may not play were noted, or are counted to be told when their minute is over."""
    noted = [entry.data for entry in store.entries() if entry.kind == "attempt" and entry.actor == DOOR.name]
    counts = select(schema.failed_logins.c.counted).where(schema.failed_logins.c.of == BARRED)
    with store.reading() as connection:
        counted = sum(connection.execute(counts).scalars())
    return sum(data.get("times", 1) for data in noted) + counted


def play_shift(
    at_tables: list[TableProgram], place: int, of: int, rounds: int, at_once: int, is_last: bool, die: Callable[[], None] | None
) -> None:
    """All tables at once; some close when the shift ends, all with the day. Then every box is pulled."""
    with ThreadPoolExecutor(at_once + 1) as threads:
        dying = threads.submit(die) if die else None
        playing = [
            threads.submit(
                table.play_shift,
                list(SHIFTS)[place],
                table.guests[place::of],
                rounds,
                is_last or (table.place + place) % 2 == 0 or table.by_players,
            )
            for table in at_tables
        ]
        for each in playing:
            each.result()
        if dying:
            dying.result()
        for each in [threads.submit(table.pull_box) for table in at_tables if not table.by_players]:
            each.result()


def bad_input(room: Room, at_tables: list[TableProgram]) -> None:
    """What is refused, in one line each; nothing has changed afterwards."""
    closed = next(table for table in at_tables if not table.is_open and not table.by_players)
    is_open = next(table for table in at_tables if table.is_open and not table.by_players)
    here = f"/tables/{is_open.name}"
    room.refused("unknown-table", "sue", f"/tables/{closed.name}/request-fill", pieces={"500": 10})
    room.refused("bad-pieces", "sue", f"{here}/request-fill", pieces={"500": -10})
    room.refused("bad-pieces", "sue", f"{here}/count-tray", pieces={"500": -1})
    room.refused("not-equal", "cat", "/cage/buy-in", guest="guest 0", cents=10_000, pieces={"2500": 3})
    room.refused("pieces-missing", "sue", f"{here}/request-fill", pieces={"10000": 90_000})
    room.refused("by-slip", "cat", f"{here}/fill", cents=50_000)
    room.refused("count-first", "sue", f"{here}/close")
    room.do("sue", f"{here}/request-fill", pieces={"2500": 2})
    slip = is_open.opened_slip("fill")
    room.refused("wrong-signature", "sue", "/slips/sign", slip=slip)
    room.do("gus", "/slips/sign", slip=slip)
    room.refused("count-differs", "cat", "/slips/sign", slip=slip, pieces={"2500": 1})
    room.do("cat", "/slips/sign", slip=slip, pieces={"2500": 2})
    room.refused("wrong-signature", "cat", "/slips/sign", slip=slip, pieces={"2500": 2})
    room.do("sue", "/slips/void", "cat", slip=slip, reason="tried only")
    room.refused("void-already", "sue", "/slips/void", slip=slip, reason="tried only")
    room.do("gus", "/slips/sign", slip=slip)
    room.refused("count-differs", "cat", "/slips/sign", slip=slip, pieces={"2500": 1})
    room.do("cat", "/slips/sign", slip=slip, pieces={"2500": 2})
    room.refused("slip-done", "gus", "/slips/sign", slip=slip)
    room.do("gus", f"{here}/pull-box")
    box = is_open.opened_slip("drop")
    for name in ("sue", "abe"):
        room.do(name, "/slips/sign", slip=box)
    room.refused("unknown-note", "abe", "/slips/sign", slip=box, pieces={"700": 1})
    room.refused("bad-pieces", "abe", "/slips/sign", slip=box, pieces={"100": -1})
    room.do("abe", "/slips/sign", slip=box, pieces={})
    room.refused("signed-already", "abe", "/slips/sign", slip=box, pieces={})
    room.refused("not-voided", "cat", "/slips/void", slip=box, reason="not wanted")
    for name in ("amy", "cat"):
        room.do(name, "/slips/sign", slip=box, pieces={})
    room.do("amy", "/slips/sign", slip=box)
    room.books.slip(is_open.name, "box counted", 0)


def check(room: Room, at_tables: list[TableProgram], day: str, shifts: Sequence[str], every_kind: bool) -> None:
    """Every report equals the books of those who played; the report of the whole day has most others in it."""
    books = room.books
    reports = {kind: room.made(kind, day) for kind in (KINDS if every_kind else ("day", "table-shift"))}
    exact = {kind: {id_: figure["exact"] for id_, figure in made["figures"].items()} for kind, made in reports.items()}
    told = {kind: exact[kind] if kind in exact else exact["day"] for kind in KINDS}
    expected = {
        f"{table.name}.{shift}.{part}": books.lines[table.name, shift][part]
        for table in at_tables
        for shift in shifts
        for part in (*INVENTORY, *COUNTS, "pulled", "tips", "collection")
    }
    agree(told["table-shift"], expected)
    master = {}
    for table in at_tables:
        for scope, lines in [(f"shift-{shift}", [books.lines[table.name, shift]]) for shift in shifts] + [
            ("day", [books.lines[table.name, shift] for shift in shifts])
        ]:
            id_ = f"{scope}.{table.name}"
            sums = {part: sum(line[part] for line in lines) for part in ("fills", "credits", "drop", "rounds", "rounds-say")}
            later = sum(line["after-close"] for line in lines)
            again = sum(line["reopened"] for line in lines[1:])  # tables close when a shift ends
            sums["opener"], sums["closer"] = lines[0]["opener"] + again, lines[-1]["closer"] + again
            gone = sums["closer"] + sums["credits"] + sums["drop"]
            sums["win"] = gone - sums["opener"] - sums["fills"] + later
            master |= {f"{id_}.{part}": cents for part, cents in sums.items()} | {f"{id_}.unexplained": 0}
    agree(told["master-game"], master)
    rated = {
        f"guests.{guest}.{part}": line[part]
        for guest, line in books.guests.items()
        for part in ("hands", "handle", "win", "by-players")
    }
    agree(told["guests"], rated)
    averages = {f"guests.{guest}.average": line["laid"] for guest, line in books.guests.items() if line["hands"] == 1}
    agree(told["guests"], averages)
    cash = {
        f"cash.{guest}.{part}": line[part]
        for guest, line in books.cash.items()
        for part in ("in-at-cage", "in-at-tables", "out", "times-in", "times-out")
    }
    cash |= books.reached
    agree(told["cash"], cash | {"cage.after": books.cage, "cage.funded": books.funded, "cage.before": 0})
    assert {id_ for id_ in told["cash"] if id_.startswith("cash.guest")} == cash.keys()
    numbers = {edition: number for number, edition in enumerate(sorted({table.edition for table in at_tables}), 1)}
    take_up = {
        f"take-up.{numbers[edition]}.{wager}.{part}": line[part]
        for (edition, wager), line in books.wagers.items()
        for part in ("bets", "handle")
        if wager != "*"
    }
    agree(told["take-up"], take_up)
    for edition, number in numbers.items():
        parts = [(id_, value) for id_, value in told["take-up"].items() if id_.startswith(f"take-up.{number}.")]
        won = sum(int(value) * (1 if id_.endswith(".win") else -1) for id_, value in parts if id_.endswith((".win", ".prizes")))
        assert won == books.wagers[edition, "*"]["win"], edition
    agree(
        told["dealers"],
        {
            f"dealers.{dealer}.{numbers[edition]}.{part}": line[part]
            for (dealer, edition), line in books.dealers.items()
            for part in ("rounds", "hands", "voids", "corrections")
        },
    )
    for made in (reports[kind] for kind in ("dealers", "day") if kind in reports):
        rested = made["inputs"]["material"]["book"]["breaks"]
        assert {name: each["times"] for name, each in rested.items()} == dict.fromkeys(books.breaks, 1)
        for name, (least, most) in books.breaks.items():
            assert least - 1 <= rested[name]["seconds"] <= most + 1, name
    for made in (reports[kind] for kind in ("exceptions", "day") if kind in reports):
        notable = made["inputs"]["material"]
        tried = [each for each in notable["notable"] if "who may not play" in each["words"]]
        at_the_door = [
            each for each in tried if each["by"] == "door"
        ]  # log-ins: many of one minute are told together, after it
        assert len(notable["notable"]) == notable["notable_found"]
        assert len(tried) - len(at_the_door) == books.acts["attempts"] and at_the_door
    assert room.see("sue", "/host")["waiting"] == []
    for made in (reports[kind] for kind in ("slips", "day") if kind in reports):
        moved = made["inputs"]["material"]["book"]["moved"]
        assert Counter((each["shift"], each["table"], each["what"], each["cents"]) for each in moved) == books.slips
    for exceptions in (exact[kind] for kind in ("exceptions", "day") if kind in exact):
        off = [int(value) for id_, value in exceptions.items() if re.fullmatch(r"difference\.\d+\.cents", id_)]
        assert sorted(off) == sorted(books.differences), "every difference is told, and no other"
    floor = room.see("sue", "/floor")
    assert floor["cage_cents"] == books.cage
    assert {each["name"]: each["cents"] for each in floor["guests"]} == dict(books.purse)
    assert room.sent("POST", "/audit", AUDITOR).json()["holds"]


def agree(told: dict[str, str], expected: dict[str, int]) -> None:
    """Not a cent off; a figure that is not told is a nothing that is not told."""
    off = {id_: (value, told.get(id_)) for id_, value in expected.items() if int(told.get(id_, "0")) != value}
    assert not off, f"(the room's books, the house's report): {off}"


def after_a_while(act: Callable[[], None]) -> Callable[[], None]:
    def later() -> None:
        time.sleep(random.Random(7).uniform(0.3, 0.8))
        act()

    return later


def test_a_short_day_of_a_card_room_equals_its_own_books_through_a_kill(tmp_path: Path) -> None:
    served = Served(f"sqlite:///{tmp_path / 'house.db'}", tmp_path)

    def die() -> None:
        served.kill()
        served.start()

    play_day(served, tables=5, guests=20, shifts=("day", "swing"), rounds=2, at_once=5, die=after_a_while(die))


@pytest.mark.deep
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_whole_day_of_a_card_room_equals_its_own_books(tmp_path: Path, postgresql: Any, database: str) -> None:
    """15 tables, 3 shifts, 400 guests: a server that dies on SQLite, and one of two workers on PostgreSQL."""
    is_file = database == "sqlite"
    store = f"sqlite:///{tmp_path / 'house.db'}" if is_file else postgresql.create()
    served = Served(store, tmp_path, () if is_file else ("--workers", "2"))

    def die() -> None:
        if is_file:
            served.kill()
            served.start()
        else:
            os.kill(workers_of(served.process.pid)[0], signal.SIGKILL)

    play_day(served, tables=15, guests=400, shifts=tuple(SHIFTS), rounds=3, at_once=15, die=after_a_while(die))
