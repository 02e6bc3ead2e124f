"""A backup is whole and audited or not there; a restore is audited before it counts; a round that was open goes on."""

import os
import random
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from databases import DATABASES
from hypothesis import given
from hypothesis import strategies as st
from sessions import CAT, DAN, SUE, Recount, finish_round, house_tables, play, prepare
from sqlalchemy import text

from houseway.house import backups
from houseway.house import snapshot as snapshots
from houseway.house.audit import Auditor
from houseway.house.backup import backup, restore
from houseway.house.backups import Backups, interval, kept
from houseway.house.floor import HOUSE, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House, Phase
from houseway.table.fold import fold
from houseway.table.plain import as_json

TABLES = house_tables(4)
OpenFloor = Callable[[str], Floor]
NewUrl = Callable[[str], str]


@pytest.fixture
def floor(store_url: str, open_floor: OpenFloor) -> Floor:
    """A house in the middle of rounds, on either database."""
    made = open_floor(store_url)
    prepare(made, TABLES)
    play(made, random.Random(8), TABLES, 60)
    return made


def refusal(call: Callable[[], Any]) -> Refused:
    with pytest.raises(Refused) as refused:
        call()
    assert "\n" not in refused.value.message
    return refused.value


def mid_round(floor: Floor, table: str) -> None:
    """Hidden cards lie on the table: a hole card and a sealed shoe, and somebody is to decide."""
    while floor.state.tables[table].round.phase != Phase.DECIDING:
        finish_round(floor, table, random.Random(3))
        floor.do({"kind": "bet", "table": table, "seat": 1, "guest": "g1", "wager": "blackjack", "cents": 5_000}, DAN)
        floor.do({"kind": "no-more-bets", "table": table}, DAN)
        floor.do({"kind": "deal", "table": table}, DAN)


# A backup


def test_a_backup_under_load_is_one_moment_of_the_house(
    store_url: str, open_floor: OpenFloor, key_file: Path, tmp_path: Path
) -> None:
    """Another thread buys in as fast as it can, while ten backups are made: each holds, and none is behind its beginning."""
    floor, stopped = open_floor(store_url), threading.Event()
    prepare(floor, TABLES)
    play(floor, random.Random(4), TABLES, 40)

    def load() -> None:
        busy = open_floor(store_url)
        while not stopped.is_set():
            busy.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT)

    thread = threading.Thread(target=load)
    thread.start()
    try:
        for number in range(10):
            before = floor.store.head()[0]
            report = backup(store_url, tmp_path / f"{number}.db")
            assert report.flaw is None
            assert before <= report.head[0] <= floor.store.head()[0]
    finally:
        stopped.set()
        thread.join()
    assert floor.store.head()[0] > report.head[0] - 1


def test_a_backup_is_one_file_for_the_house_alone(floor: Floor, tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        backup(floor.store.url, tmp_path / "copy.db")
    finally:
        os.umask(previous)
    assert [file.name for file in tmp_path.iterdir()] == ["copy.db"]
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    before = (tmp_path / "copy.db").read_bytes()
    assert Auditor(Store(f"sqlite:///{tmp_path / 'copy.db'}", only_reads=True)).run().flaw is None
    assert [file.name for file in tmp_path.iterdir()] == ["copy.db"], "reading it leaves nothing beside it"
    assert (tmp_path / "copy.db").read_bytes() == before


def test_a_backup_never_replaces_a_file(floor: Floor, tmp_path: Path) -> None:
    (tmp_path / "kept.db").write_text("mine")
    assert refusal(lambda: backup(floor.store.url, tmp_path / "kept.db")).code == "file-exists"
    assert refusal(lambda: backup(floor.store.url, tmp_path / "nowhere" / "x.db")).code == "no-folder"
    assert (tmp_path / "kept.db").read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["kept.db"]


def alter(store: Store, statement: str) -> None:
    """Change history, as somebody with the database can."""
    with store.engine.begin() as connection:
        for table in ("entries", "transfers"):
            for action in ("update", "delete"):
                on = "" if connection.dialect.name == "sqlite" else f" ON {table}"
                connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{action}{on}"))
        connection.execute(text(statement))


RAISED = "UPDATE entries SET payload = replace(payload, '100000000', '900000000') WHERE kind = 'buy-in' AND seq = 2"


def test_a_flawed_store_gives_no_backup(floor: Floor, tmp_path: Path) -> None:
    alter(floor.store, RAISED)
    refused = refusal(lambda: backup(floor.store.url, tmp_path / "copy.db"))
    assert refused.code == "copy-flawed" and "entry 2" in refused.message
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_nothing_is_made_where_there_is_no_store(tmp_path: Path) -> None:
    assert refusal(lambda: backup(f"sqlite:///{tmp_path / 'none.db'}", tmp_path / "copy.db")).code == "no-store"
    assert list(tmp_path.iterdir()) == []


# A restore


@pytest.mark.parametrize("target", DATABASES)
def test_a_round_that_was_open_resumes(
    floor: Floor, target: str, new_url: NewUrl, open_floor: OpenFloor, tmp_path: Path
) -> None:
    """From either database to either: the same hidden cards, the same next card of the sealed shoe, the same cents."""
    mid_round(floor, "2-0")
    backup(floor.store.url, tmp_path / "copy.db")
    url = new_url(target)
    report = restore(tmp_path / "copy.db", url).report
    assert report.head == floor.store.head()
    there = open_floor(url)
    assert there.refresh() == floor.state
    assert as_json(there.state) == as_json(floor.state), "in the same order too"
    for each in (floor, there):
        finish_round(each, "2-0", random.Random(6))
        for table in TABLES:
            finish_round(each, table, random.Random(6))
    drawn = [[entry.data.get("drawn") for entry in each.store.entries(report.head[0])] for each in (floor, there)]
    assert drawn[0] == drawn[1]
    assert there.state.balances == floor.state.balances
    for each in (floor, there):
        assert Auditor(each.store).run().flaw is None
        assert Recount(each.store).problems == []


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (RAISED, "entry 2"),
        ("UPDATE transfers SET cents = cents + 1 WHERE seq = 2", "entry 2"),
        ("DELETE FROM entries WHERE seq = 5", "entry 6"),
        ("UPDATE head SET hash = '00'", "head"),
    ],
)
def test_a_bad_file_is_refused_with_what_is_wrong(
    open_floor: OpenFloor, new_url: NewUrl, tmp_path: Path, database: str, statement: str, named: str
) -> None:
    floor = open_floor(new_url("sqlite"))
    prepare(floor, TABLES[:1])
    backup(floor.store.url, tmp_path / "copy.db")
    with closing(_disposed(f"sqlite:///{tmp_path / 'copy.db'}")) as opened:
        alter(opened.store, statement)
    url = new_url(database)
    refused = refusal(lambda: restore(tmp_path / "copy.db", url))
    assert refused.code == "backup-flawed" and named in refused.message
    if database == "sqlite":
        assert not Path(url.removeprefix("sqlite:///")).exists(), "no store is made"
    else:
        assert Store(url).head()[0] == 0


class _disposed:  # noqa: N801
    def __init__(self, url: str) -> None:
        self.store = Store(url)

    def close(self) -> None:
        self.store.engine.dispose()


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\0" + b"\1" * 5000])
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.db").write_bytes(content)
    refused = refusal(lambda: restore(tmp_path / "odd.db", f"sqlite:///{tmp_path / 'new.db'}"))
    assert refused.code == "backup-flawed"
    assert [file.name for file in tmp_path.iterdir()] == ["odd.db"]
    assert (tmp_path / "odd.db").read_bytes() == content


def test_a_store_that_holds_anything_is_not_restored_into(floor: Floor, tmp_path: Path) -> None:
    backup(floor.store.url, tmp_path / "copy.db")
    before, rows = floor.store.head(), list(floor.store.transfers())
    assert refusal(lambda: restore(tmp_path / "copy.db", floor.store.url)).code == "store-not-empty"
    assert (floor.store.head(), list(floor.store.transfers())) == (before, rows)


def test_a_restore_that_ends_half_way_leaves_an_empty_store(
    floor: Floor, new_url: NewUrl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(floor.store.url, tmp_path / "copy.db")
    for database in DATABASES:
        url = new_url(database)
        Store(url).engine.dispose()
        with monkeypatch.context() as patched:
            patched.setattr("houseway.house.backup._head", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                restore(tmp_path / "copy.db", url)
        store = Store(url)
        assert store.head() == (0, "0" * 64)
        assert list(store.entries()) == [] == list(store.transfers())
        store.engine.dispose()


def test_a_backup_of_0_1_is_restored_and_not_changed(new_url: NewUrl, open_floor: OpenFloor, tmp_path: Path) -> None:
    old, before = tmp_path / "house-0.1.db", (Path(__file__).parent / "journals" / "house-0.1.db").read_bytes()
    old.write_bytes(before)
    old.chmod(0o600)
    for database in DATABASES:
        url = new_url(database)
        report = restore(old, url).report
        assert report.entries > 10 and report.assumptions
        open_floor(url).refresh()
    assert old.read_bytes() == before


# As of an entry


@pytest.mark.parametrize("target", DATABASES)
def test_a_store_as_it_was_after_an_entry(
    floor: Floor, target: str, new_url: NewUrl, open_floor: OpenFloor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 20)
    play(floor, random.Random(9), TABLES, 60)
    backup(floor.store.url, tmp_path / "copy.db")
    entries, rng = list(floor.store.entries()), random.Random(1)
    for asked in rng.sample(range(20, len(entries)), 3):
        url = new_url(target)
        restored = restore(tmp_path / "copy.db", url, until=asked)
        last = restored.report.head[0]
        assert asked <= last <= asked + 6
        assert all((entry.actor, entry.role) == (HOUSE.name, HOUSE.role) for entry in entries[asked:last])
        there = open_floor(url)
        state = House()
        for entry in entries[:last]:
            state = fold(state, entry)[0]
        assert there.refresh() == state
        assert there.store.head() == (last, entries[last - 1].hash)
        assert ("tail was cut" in " ".join(restored.cannot)) == (last < len(entries))
        for table in TABLES:  # every round resumes, from the shoe that was sealed then
            if state.tables[table].is_open:
                finish_round(there, table, rng)
        assert Auditor(there.store).run().flaw is None


def test_later_shoes_and_people_are_told(floor: Floor, new_url: NewUrl, open_floor: OpenFloor, tmp_path: Path) -> None:
    finish_round(floor, "0-0", random.Random(1))
    seq = floor.seq
    floor.note("person-added", SUE, {"name": "nell", "role": "dealer"})
    floor.do({"kind": "close", "table": "0-0"}, SUE)
    floor.do({"kind": "open", "table": "0-0", "edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 100}, SUE)
    backup(floor.store.url, tmp_path / "copy.db")
    url = new_url("sqlite")
    told = " / ".join(restore(tmp_path / "copy.db", url, until=seq).cannot)
    assert "nell" in told and "knows the order" in told
    with Store(url).reading() as connection:
        sealed = set(connection.execute(text("SELECT shoe FROM sealed")).scalars())
    with floor.store.reading() as connection:
        assert len(set(connection.execute(text("SELECT shoe FROM sealed")).scalars()) - sealed) == 1, (
            "the later shoe is not there"
        )


def test_an_entry_that_is_not_there_is_refused(floor: Floor, new_url: NewUrl, tmp_path: Path) -> None:
    backup(floor.store.url, tmp_path / "copy.db")
    for until in (0, -3, floor.seq + 1):
        refused = refusal(lambda until=until: restore(tmp_path / "copy.db", new_url("sqlite"), until))
        assert refused.code == "no-such-entry" and f"1 to {floor.seq}" in refused.message


def test_the_shell_backs_up_and_restores_as_of_an_entry(bare_shell: Any, tmp_path: Path) -> None:
    bare_shell("cage fund 1000 --as root:administrator")
    bare_shell("cage buy-in --guest ann 100 --as cat:cashier")
    bare_shell("cage buy-in --guest ann 50 --as cat:cashier")
    bare_shell(f"journal backup {tmp_path / 'copy.db'}")
    there = f"sqlite:///{tmp_path / 'there.db'}"
    said = bare_shell(f"journal restore {tmp_path / 'copy.db'} --until 2 --store {there}")
    assert "2 entries" in said and "the tail was cut" in said
    assert "$100" in next(line for line in bare_shell(f"cage balances --store {there}").splitlines() if "ann" in line)
    assert "1 to 3" in bare_shell(
        f"journal restore {tmp_path / 'copy.db'} --until 9 --store sqlite:///{tmp_path / 'x.db'}", code=2
    )


# By itself


NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
MOMENTS = st.sets(st.integers(0, 800 * 24).map(lambda hours: NOW - timedelta(hours=hours)), max_size=300)


@given(MOMENTS)
def test_which_backups_are_kept(times: set[datetime]) -> None:
    keep = kept(times, NOW)
    assert keep <= times
    assert not times or max(times) in keep
    assert {taken for taken in times if NOW - taken <= timedelta(days=1)} <= keep
    for days, period in ((31, "%Y-%m-%d"), (366, "%Y-%m")):
        recent = {taken for taken in times if NOW - taken <= timedelta(days=days)}
        last = {max(t for t in times if t.strftime(period) == taken.strftime(period)) for taken in recent}
        assert last & recent <= keep, "of every day of a month, and every month of a year, the last"
    assert kept(keep, NOW) == keep, "asked again, nothing more goes"
    assert len([taken for taken in keep if NOW - taken > timedelta(days=1)]) <= 31 + 13 + 1


def test_hourly_backups_of_two_years_come_to_some_dozens() -> None:
    times: set[datetime] = set()
    for hour in range(2 * 365 * 24):
        at = NOW - timedelta(days=730) + timedelta(hours=hour)
        times = kept({*times, at}, at)
    assert 24 + 28 + 11 <= len(times) <= 25 + 32 + 13


@pytest.mark.parametrize(("text_", "seconds"), [("90s", 90), ("30m", 1800), ("1h", 3600), ("2d", 172_800)])
def test_intervals(text_: str, seconds: int) -> None:
    assert interval(text_) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text_", ["", "1", "h", "0h", "-1h", "1.5h", "1w", "32d", "1h30m"])
def test_what_is_no_interval_is_refused(text_: str) -> None:
    assert "such as 30m or 1h" in refusal(lambda: interval(text_)).message


class _Noted:
    def __init__(self, floor: Floor, stopped: threading.Event, most: int) -> None:
        self.floor, self.stopped, self.most, self.notes = floor, stopped, most, list[tuple[str, Any]]()

    def note(self, kind: str, actor: Any, data: Any) -> object:
        self.notes.append((kind, dict(data)))
        if len(self.notes) == self.most:
            self.stopped.set()
        return self.floor.note(kind, actor, data)


def test_a_house_backs_up_by_itself_and_says_what_fails(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made, stopped = Backups.into("1s", tmp_path / "kept"), threading.Event()
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    (tmp_path / "kept" / "mine.txt").write_text("left alone")
    noted = _Noted(floor, stopped, 1)
    backups.back_up(made, floor.store.url, noted, stopped)
    assert [kind for kind, _ in noted.notes] == ["backup"]
    [file] = made.files().values()
    assert Auditor(Store(f"sqlite:///{file}", only_reads=True)).run().flaw is None
    alter(floor.store, RAISED)
    stopped.clear()
    failing = _Noted(floor, stopped, 1)
    backups.back_up(made, floor.store.url, failing, stopped)
    [(kind, data)] = failing.notes
    assert kind == "backup-failed" and "entry 2" in data["reason"]
    assert "backup: it failed" in caplog.text
    assert list(made.files().values()) == [file]
    assert sorted(each.name for each in (tmp_path / "kept").iterdir()) == sorted([file.name, "mine.txt"])


def test_old_backups_go_and_everything_else_stays(tmp_path: Path) -> None:
    made = Backups.into("1h", tmp_path)
    times = [NOW - timedelta(hours=hours) for hours in range(0, 24 * 60, 5)]
    for taken in times:
        (tmp_path / f"house-{taken:%Y%m%dT%H%M%SZ}.db").touch()
    others = ["house-old.db", "house-20260101T000000Z.db.bak", "notes"]
    for name in others:
        (tmp_path / name).touch()
    made.tidy(NOW)
    assert set(made.files()) == kept(times, NOW)
    assert all((tmp_path / name).exists() for name in others)


class _Quick(Backups):
    """Backups that are made at once."""

    def make(self, store_url: str, at: datetime, stopped: threading.Event) -> str:
        file = self.folder / f"house-{at:%Y%m%dT%H%M%SZ}.db"
        file.open("x").close()
        return "made"


class _Hours(threading.Event):
    """Nobody waits: the time passes, and after so many hours the house closes. In some hour the clock is set."""

    def __init__(self, hours: float, set_in_hour: float = 0, by: timedelta = timedelta(0)) -> None:
        super().__init__()
        self.hours, self.set_in_hour, self.by = hours, set_in_hour, by
        self.seconds = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        self.seconds += (timeout or 0) + 1
        return self.seconds > self.hours * 3600

    def clock(self) -> datetime:
        is_set = self.seconds >= self.set_in_hour * 3600
        return NOW + timedelta(seconds=self.seconds) + (self.by if is_set else timedelta(0))


@pytest.mark.parametrize(
    "by", [timedelta(0), timedelta(days=400), timedelta(hours=5), -timedelta(hours=5), -timedelta(days=400)]
)
@pytest.mark.parametrize("ahead", [0, 3])
def test_backups_are_made_at_their_interval_whatever_the_clock_is_set_to(tmp_path: Path, by: timedelta, ahead: int) -> None:
    """Also where files are left of a clock that once ran ahead."""
    made = _Quick(timedelta(hours=1), tmp_path)
    for days in range(ahead):
        (tmp_path / f"house-{NOW + timedelta(days=30 + days):%Y%m%dT%H%M%SZ}.db").touch()
    stopped, notes = _Hours(20.5, 7.5, by), list[str]()

    class House:
        def note(self, kind: str, actor: Any, data: Any) -> None:
            notes.append(kind)

    backups.back_up(made, "", House(), stopped, stopped.clock, lambda: stopped.seconds)
    assert notes == ["backup"] * 21


def test_backups_of_a_clock_that_ran_ahead_count_for_nothing_and_are_kept(tmp_path: Path) -> None:
    made, ahead = Backups.into("1h", tmp_path), {NOW + timedelta(hours=1), NOW + timedelta(days=400)}
    old = NOW - timedelta(days=3, hours=1)
    for taken in (*ahead, old, old - timedelta(hours=1)):
        (tmp_path / f"house-{taken:%Y%m%dT%H%M%SZ}.db").touch()
    (tmp_path / "house-99999999T999999Z.db").touch()
    assert made.due_at(NOW) == old + timedelta(hours=1)
    status = made.status(NOW)
    assert status["late"] and status["kept"] == 2 and status["newest_at"] == old.isoformat()
    assert "2 more dated later than now" in status["words"]
    made.tidy(NOW)
    assert set(made.files()) == {*ahead, old}, "the last of its day and month is the last of those before now"


def test_how_the_backups_stand(tmp_path: Path) -> None:
    made = Backups.into("1h", tmp_path)
    assert made.status(NOW)["late"] and "no backup" in made.status(NOW)["words"]
    (tmp_path / f"house-{NOW - timedelta(minutes=30):%Y%m%dT%H%M%SZ}.db").touch()
    assert not made.status(NOW)["late"] and "11:30" in made.status(NOW)["words"]
    assert made.due_at(NOW) == NOW + timedelta(minutes=30)
    assert made.status(NOW + timedelta(hours=3))["late"]


@pytest.mark.parametrize(("every", "folder", "code"), [("1h", None, "no-folder"), ("soon", "here", "bad-interval")])
def test_a_schedule_that_cannot_be_is_refused(tmp_path: Path, every: str, folder: str | None, code: str) -> None:
    assert refusal(lambda: Backups.into(every, tmp_path / folder if folder else None)).code == code
    assert list(tmp_path.iterdir()) == []
