"""A store that does not answer: 503 in JSON with when to come back, one line of the log, and recovery by itself."""

import asyncio
import json
import logging
import resource
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from houses import PATIENCE, Served, run_apart, serving
from programs import API, postgres_server, program, until
from sqlalchemy import event, exc

from houseway.house import outage, store
from houseway.house.again import again_and_again
from houseway.house.outage import TOO_LONG, OutageLog, outage_of
from houseway.refusal import Refused
from houseway.web.together import Together

AGAIN = "the store answers again"


def _out(answer: httpx.Response) -> dict[str, str]:
    """A refusal that says to come back, and no more of us than that."""
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["retry-after"]) > 0
    told: dict[str, str] = answer.json()
    assert (set(told), told["code"]) == ({"code", "message"}, "store-out")
    assert "Traceback" not in answer.text and "\n" not in told["message"] and "house.db" not in told["message"]
    return told


def _lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of the store; and that there is no traceback in it."""
    assert not [record for record in caplog.records if record.exc_info], caplog.text
    return [record.getMessage() for record in caplog.records if "the store does not answer" in record.getMessage()]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(store, "LOCK_SECONDS", 1)
    monkeypatch.setattr(outage, "SAID_EVERY_SECONDS", 3600)  # once, however long it takes here
    (tmp_path / "disk").mkdir()
    with serving(f"sqlite:///{tmp_path / 'disk' / 'house.db'}", tmp_path / "key") as made:
        yield made


@contextmanager
def _without_disk(house: Served, folder: Path) -> Iterator[None]:
    """The folder of the store is gone, as a disk that is taken off; whoever opens it anew finds nothing."""
    (folder / "disk").rename(folder / "elsewhere")
    house.app.state.house.floor.store.engine.dispose()
    try:
        yield
    finally:
        (folder / "elsewhere").rename(folder / "disk")


def _tip(guest: httpx.Client) -> httpx.Response:
    return guest.post(f"{API}/tables/Duki 1/tip", json={"cents": 1})


def _recovers(house: Served, guest: httpx.Client) -> None:
    until(lambda: _tip(guest).status_code == 200)
    assert guest.get(f"{API}/session").status_code == 200


def test_a_store_that_another_program_holds(house: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    guest = house.guest("Ann")
    holder = sqlite3.connect(tmp_path / "disk" / "house.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    before = holder.execute("SELECT seq FROM head").fetchone()
    for _ in range(2):
        assert "locked" in _out(_tip(guest))["message"]
    assert guest.get(f"{API}/tables").status_code == 200, "what is known is shown meanwhile"
    assert holder.execute("SELECT seq FROM head").fetchone() == before
    assert AGAIN not in caplog.messages
    holder.execute("ROLLBACK")
    holder.close()
    _recovers(house, guest)
    assert len(_lines(caplog)) == 1 and AGAIN in caplog.messages


def test_a_stream_for_which_the_store_is_to_be_read_keeps_nobody_waiting(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of its table, after a start."""
    served, answers = house.app.state.house, threading.Event()
    read = served._read_last
    monkeypatch.setattr(served, "_read_last", lambda *asked: answers.wait() and read(*asked))
    served.last.pop("Duki 1", None)
    try:
        with httpx.stream("GET", f"{house.url}{API}/tables/Duki 1/stream", timeout=PATIENCE) as stream:
            assert house.anybody().get("/healthz", timeout=PATIENCE / 2).status_code == 200
            answers.set()
            assert any(line == "event: view" for line in stream.iter_lines())
    finally:
        answers.set()


@pytest.mark.parametrize("changes", [False, True])
def test_a_question_that_the_store_does_not_answer_is_given_up_but_no_change_that_has_begun(changes: bool) -> None:
    begun, answers = threading.Event(), threading.Event()

    def answer(asked: Sequence[str], _: object) -> Sequence[str]:
        begun.set()
        assert answers.wait(PATIENCE)
        return asked

    async def ask() -> str:
        together: Together[str, str] = Together("questions", answer, TOO_LONG, 0.1, changes)
        asked = asyncio.create_task(together.ask("who"))
        await asyncio.to_thread(begun.wait, PATIENCE)
        if changes:
            asyncio.get_running_loop().call_later(0.3, answers.set)
        return await asked

    try:
        if changes:
            assert run_apart(ask()) == "who"
        else:
            with pytest.raises(Refused, match="try again"):
                run_apart(ask())
    finally:
        answers.set()


def test_a_disk_that_is_full(house: Served, caplog: pytest.LogCaptureFixture) -> None:
    """SQLite itself says so: its file may not grow by a page."""
    guest, engine = house.guest("Ann"), house.app.state.house.floor.store.engine

    def full(connection: Any, _: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")

    event.listen(engine, "connect", full)
    engine.dispose()
    refused = next(answer for answer in (_tip(guest) for _ in range(2_000)) if answer.status_code != 200)
    assert "full" in _out(refused)["message"]
    event.remove(engine, "connect", full)
    engine.dispose()
    _recovers(house, guest)
    assert len(_lines(caplog)) == 1


def test_a_file_that_cannot_be_opened(house: Served, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    guest = house.guest("Ann")
    with _without_disk(house, tmp_path):
        assert "cannot be opened" in _out(_tip(guest))["message"]
        _out(_tip(guest))
        assert guest.get(f"{API}/tables").status_code == 200
    _recovers(house, guest)
    assert len(_lines(caplog)) == 1


def test_a_page_says_so_too_and_comes_back(house: Served, tmp_path: Path) -> None:
    visitor = house.anybody(Accept="text/html", Cookie="houseway=somebody")
    with _without_disk(house, tmp_path):
        answer = visitor.get("/floor")
        assert answer.status_code == 503 and "refresh" in answer.text and int(answer.headers["retry-after"]) > 0
    until(lambda: visitor.get("/floor", follow_redirects=True).status_code == 200)


def test_a_postgresql_server_that_goes_and_comes_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage, "SAID_EVERY_SECONDS", 3600)
    with postgres_server() as server, serving(server.create(), tmp_path / "key") as house:
        guest = house.guest("Ann")
        assert _tip(guest).status_code == 200
        with httpx.stream("GET", f"{house.url}{API}/tables/Duki 1/stream", timeout=PATIENCE) as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("data:"))
            server.stop()
            for _ in range(20):
                _out(_tip(guest))
            assert guest.get(f"{API}/tables").status_code == 200
            assert server.launch()
            _recovers(house, guest)
            seq = _tip(guest).json()["seq"]
            assert any(json.loads(line[5:])["seq"] >= seq for line in lines if line.startswith("data:")), "streams go on"
        assert len(_lines(caplog)) == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_log_tells_the_outage_and_the_return_of_a_server_once_though_nobody_comes(tmp_path: Path, workers: str) -> None:
    """A second or two after its return: each process tries by itself, and no thread has more to say, nor what it had asked."""
    with postgres_server() as server, program(tmp_path, "--workers", workers, store=server.create()) as house:
        with house.client() as client:
            ann = {"Authorization": f"Bearer {client.post(f'{API}/guests', json={'name': 'Ann'}).json()['token']}"}
            for _ in range(20):  # there is something for those who look for alerts
                assert client.post(f"{API}/tables/Duki 1/tip", json={"cents": 1}, headers=ann).status_code == 200
        before = len(house.said)
        server.stop()
        until(lambda: "the store does not answer" in "".join(house.said))
        time.sleep(5)
        assert server.launch()
        until(lambda: AGAIN in "".join(house.said))
        time.sleep(3)
        told = [json.loads(line) for line in house.said[before:]]
        first, last = (line["message"] for line in told if line["event"] == "log")
        assert (first.partition(":")[0], last) == ("the store does not answer", AGAIN)


def test_who_looks_again_and_again_tells_no_outage_by_himself_and_no_statement(caplog: pytest.LogCaptureFixture) -> None:
    told, stopped = OutageLog(logging.getLogger("houseway.test")), threading.Event()
    ours = sqlite3.IntegrityError("UNIQUE constraint failed: people.name\nKey (name)=(Ann)")
    fails = [
        exc.OperationalError("SELECT cards", None, psycopg.OperationalError('connection to "db" failed: connection refused')),
        exc.OperationalError("SELECT cards", None, psycopg.OperationalError("the database system is starting up")),
        exc.IntegrityError("INSERT cards", None, ours),
        exc.IntegrityError("INSERT cards", None, ours),
        OSError("the disk is full"),
    ]

    def look() -> None:
        if not fails:
            stopped.set()
            return
        raise fails.pop(0)

    again_and_again(look, "nobody looks", logging.getLogger("houseway.test"), stopped, 0.001, told.is_out)
    assert [record.getMessage() for record in caplog.records] == [
        "the store does not answer: the database cannot be reached; whoever asks is told to come back",
        "nobody looks: UNIQUE constraint failed: people.name",
        "nobody looks: the disk is full",
    ]


def test_that_it_answers_again_is_said_once_something_could_be_written(caplog: pytest.LogCaptureFixture) -> None:
    told, tried = OutageLog(logging.getLogger("houseway.test")), list[str]()
    told.try_again(lambda: tried.append("well"))
    assert not tried, "nothing is written as long as all is well"

    def fail() -> None:
        tried.append("locked")
        raise exc.OperationalError("x", None, sqlite3.OperationalError("database is locked"))

    with pytest.raises(exc.OperationalError) as locked:
        fail()
    told.is_out(locked.value)
    told.try_again(fail)
    assert len(caplog.records) == 1 and tried == ["locked"] * 2
    told.try_again(lambda: tried.append("written"))
    told.try_again(lambda: tried.append("written"))
    assert caplog.messages[1:] == [AGAIN] and tried[2:] == ["written"]
    told.is_out(Refused("store-damaged", "its pages are broken"))
    told.try_again(lambda: tried.append("a page that is whole"))
    assert tried[3:] == [], "what is damaged is not known by one page"


def test_what_is_tried_changes_nothing(house: Served) -> None:
    store = house.app.state.house.floor.store
    head = store.head()
    store.takes_writing()
    assert store.head() == head


def test_what_is_tried_waits_for_nobody_so_that_no_command_waits_behind_it() -> None:
    with postgres_server(is_durable=False) as server:
        tried = store.Store(server.create())
        tried.takes_writing()
        with psycopg.connect(tried.url) as other:
            other.execute("SELECT seq FROM head FOR UPDATE")
            with pytest.raises(exc.OperationalError, match="could not obtain lock"):
                tried.takes_writing()
        tried.takes_writing()
        tried.engine.dispose()


def test_it_is_said_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    told = OutageLog(logging.getLogger("houseway.test"), lambda: now[0])
    error = exc.OperationalError("x", None, sqlite3.OperationalError("database is locked"))
    for second in range(150):
        now[0] = float(second)
        assert told.is_out(error)
    assert len(caplog.records) == 3
    told.answers()
    told.answers()
    assert [record.getMessage() for record in caplog.records[3:]] == [AGAIN]


def test_it_is_said_once_a_minute_by_all_processes_of_a_house(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    now, file = [1000.0], tmp_path / "house.outage.said"
    processes = [OutageLog(logging.getLogger("houseway.test"), lambda: now[0], file) for _ in range(3)]
    error = exc.OperationalError("x", None, sqlite3.OperationalError("database is locked"))
    for second in range(150):
        now[0] = 1000.0 + second
        assert all(told.is_out(error) for told in processes)
    assert len(caplog.records) == 3
    for told in processes * 2:
        told.answers()
    assert [record.getMessage() for record in caplog.records[3:]] == [AGAIN]
    now[0] = 5.0
    assert processes[0].is_out(error)
    assert len(caplog.records) == 5, "the machine began anew"
    file.write_text("[spoilt")
    assert processes[1].is_out(error)


def test_a_disk_that_takes_nothing_more_is_told_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    told = OutageLog(logging.getLogger("houseway.test"), lambda: 1000.0, tmp_path / "house.outage.said")
    error = exc.OperationalError("x", None, sqlite3.OperationalError("database or disk is full"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        assert [told.is_out(error) for _ in range(3)] == ["its disk is full"] * 3
        told.answers()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


@pytest.mark.parametrize(
    ("error", "is_one"),
    [
        (exc.OperationalError("x", None, sqlite3.OperationalError("disk I/O error")), True),
        (exc.DatabaseError("x", None, sqlite3.DatabaseError("file is not a database")), True),
        (exc.TimeoutError(), True),
        (psycopg.OperationalError("the connection is closed"), True),
        (exc.IntegrityError("x", None, sqlite3.IntegrityError("UNIQUE constraint failed")), False),
        (exc.ProgrammingError("x", None, psycopg.ProgrammingError("syntax error")), False),
        (ValueError("ours"), False),
    ],
)
def test_our_own_mistakes_are_no_outage(error: Exception, is_one: bool) -> None:
    assert bool(outage_of(error)) is is_one
