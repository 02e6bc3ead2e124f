"""What keeps a house running: whether it lives, whether it can serve, what it counts, and what its log says."""

import json
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving
from programs import program, ready, started, until

from houseway.house.backups import Backups, interval
from houseway.web import health, logs, metrics
from houseway.web.logs import JsonLines, LogSettings, PlainLines, as_asked
from houseway.web.metrics import Metrics, text_of

EDITION = "ez-baccarat-wa"
LINE = re.compile(r'[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.e+-]+')


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("operated")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def figures(house: Served, **headers: str) -> dict[str, float]:
    """Every figure by its name and labels; each line is as Prometheus reads it."""
    answer = httpx.get(f"{house.url}/metrics", headers=headers)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    told = {}
    for line in answer.text.splitlines():
        if not line.startswith("# "):
            assert LINE.fullmatch(line), line
            name, _, value = line.rpartition(" ")
            told[name] = float(value)
    return told


def look_again(house: Served) -> httpx.Response:
    """What is said of readiness now, whatever was found a moment ago."""
    house.app.state.readiness._at = float("-inf")
    return httpx.get(f"{house.url}/readyz")


def test_it_lives_and_can_serve_and_says_so_to_anybody(house: Served) -> None:
    assert httpx.get(f"{house.url}/healthz").json() == {"status": "ok", "release": "0.2.0"}
    answer = look_again(house)
    assert answer.status_code == 200 and answer.json()["status"] == "ready"
    assert {name: check["ok"] for name, check in answer.json()["checks"].items()} == {
        **{"store": True, "keys": True, "disk": True, "self-check": True}
    }
    assert "set-cookie" not in answer.headers and answer.headers["cache-control"] == "no-store"


def test_what_it_cannot_serve_without_is_named_and_nothing_secret(
    house: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    floor = house.app.state.house.floor
    hidden = floor.keys.file.with_name("away")
    floor.keys.file.rename(hidden)
    try:
        answer = look_again(house)
    finally:
        hidden.rename(floor.keys.file)
    assert answer.status_code == 503 and answer.headers["retry-after"]
    assert answer.json()["checks"]["keys"] == {"ok": False, "why": "refused: key-missing"}
    assert str(floor.keys.file.parent) not in answer.text
    monkeypatch.setattr(health, "DISK_LEAST", 2**70)
    assert "disk of the keys" in look_again(house).json()["checks"]["disk"]["why"]
    monkeypatch.undo()
    monkeypatch.setattr(health, "looks", lambda: 0)
    assert look_again(house).json()["checks"]["self-check"]["ok"] is False
    monkeypatch.undo()
    monkeypatch.setattr(floor.store, "head", lambda: (_ for _ in ()).throw(RuntimeError("postgresql://house:secret@db")))
    assert look_again(house).json()["checks"]["store"] == {"ok": False, "why": "it cannot be looked at"}
    monkeypatch.undo()
    assert look_again(house).status_code == 200


def test_a_store_that_hangs_is_asked_once(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    answers = threading.Event()
    monkeypatch.setattr(health, "STORE_SECONDS", 0.05)

    def hang() -> tuple[int, str]:
        asked.append(threading.current_thread().name)
        answers.wait(30)
        return 1, "x"

    monkeypatch.setattr(house.app.state.house.floor.store, "head", hang)
    for _ in range(3):
        assert "has not answered" in look_again(house).json()["checks"]["store"]["why"]
    looked = [name for name in asked if "follow_others" not in name]  # which looks at what other processes write
    assert len(looked) == 1 and httpx.get(f"{house.url}/healthz").status_code == 200
    monkeypatch.undo()
    answers.set()
    until(lambda: look_again(house).status_code == 200)


def test_what_happens_is_counted(house: Served) -> None:
    before = figures(house)
    table = house.open_table("counted", EDITION)
    ann = house.guest("Ann Counted")
    Served.must(ann.post(f"/api/v1/tables/{table}/bet", json={"seat": 1, "wager": "banker", "cents": 1000}))
    assert ann.post(f"/api/v1/tables/{table}/bet", json={"seat": 1, "wager": "banker", "cents": 1}).status_code == 400
    with httpx.stream("GET", f"{house.url}/api/v1/tables/{table}/stream") as stream:
        events = stream.iter_bytes()  # let go of, it would close the stream
        next(events)
        told = figures(house)
    bet = 'houseway_commands_total{command="bet",outcome='

    def grew(name: str) -> float:
        return told[name] - before.get(name, 0)

    assert (grew(bet + '"done"}'), grew(bet + '"refused"}')) == (1, 1)
    assert grew('houseway_command_seconds_count{command="bet"}') == 2
    assert (
        told['houseway_command_seconds_bucket{command="bet",le="+Inf"}']
        == told['houseway_command_seconds_count{command="bet"}']
    )
    assert told['houseway_watchers{watches="table"}'] == 1
    assert grew('houseway_requests_total{route="/api/v1/tables/{table}/bet",method="POST",status="400"}') == 1
    assert sum(value for name, value in told.items() if name.startswith("houseway_refusals_total")) > 0
    assert told["houseway_journal_entries"] == house.app.state.house.seq > 0
    assert grew("houseway_tables_open") == 1 and told["houseway_commands_in_flight"] == 0
    assert told["process_resident_memory_bytes"] > 10**7 and told["process_open_fds"] > 3
    assert told["process_cpu_seconds_total"] > 0 and told["houseway_store_errors_total"] >= 0
    assert not any("Ann" in name for name in told)


def test_a_path_that_nobody_declared_is_no_label(house: Served) -> None:
    for name in ("/nobody-2", "/nobody-3", "/static/nothing.js"):
        httpx.get(f"{house.url}{name}")
    told = figures(house)
    assert told['houseway_requests_total{route="(none)",method="GET",status="404"}'] == 2
    assert not any("nobody" in name for name in told)


WATCH = "GET /api/v1/tables/Duki%201/stream HTTP/1.1\r\nHost: x\r\n\r\n"
BODY = "POST /api/v1/tables/Duki%201/tip HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"


@pytest.mark.parametrize("asked", [WATCH + BODY, BODY], ids=["another request waits behind a stream", "half a body"])
def test_whoever_goes_away_is_no_error(house: Served, caplog: pytest.LogCaptureFixture, asked: str) -> None:
    watchers, ann = house.app.state.house.watchers["Duki 1"], house.guest(f"Ann {len(asked)}")
    gone = 'houseway_requests_total{route="/api/v1/tables/{table}/tip",method="POST",status="499"}'
    before = figures(house).get(gone, 0)
    with socket.create_connection(("127.0.0.1", httpx.URL(house.url).port or 0), PATIENCE) as visitor:
        visitor.sendall(asked.encode())
        until(lambda: watchers or asked == BODY)
        visitor.settimeout(0.5)
        with suppress(TimeoutError):
            while visitor.recv(65_536):
                pass
    Served.must(ann.post("/api/v1/tables/Duki 1/tip", json={"cents": 1}))  # there is something to tell whoever watches
    Served.must(ann.post("/api/v1/tables/Duki 1/tip", json={"cents": 1}))
    until(lambda: not watchers)
    until(lambda: figures(house).get(gone, 0) == before + (asked == BODY))
    assert not [name for name in figures(house) if 'status="500"' in name]
    assert not [record for record in caplog.records if record.exc_info or record.name.startswith("uvicorn")], caplog.text


def test_the_figures_are_for_this_machine_alone(house: Served) -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        answer = httpx.get(f"{house.url}/metrics", headers={header: "127.0.0.1"})
        assert (answer.status_code, answer.json()["code"]) == (403, "metrics-closed")


def test_or_for_whoever_has_the_token(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(house.app.state._state, "metrics_token", "0123456789abcdef")
    for headers in ({}, {"Authorization": "Bearer 0123456789abcdeg"}, {"Authorization": "0123456789abcdef"}):
        answer = httpx.get(f"{house.url}/metrics", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "metrics-closed")
    assert figures(house, Authorization="Bearer 0123456789abcdef", **{"X-Forwarded-For": "203.0.113.9"})


def test_the_age_of_the_newest_backup_is_told(house: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "houseway_backup_age_seconds" not in figures(house)
    monkeypatch.setitem(house.app.state._state, "backups", Backups(interval("1h"), tmp_path))
    (tmp_path / "house-20260101T000000Z.db").touch()
    assert figures(house)["houseway_backup_age_seconds"] > 3600


def test_processes_add_up_and_one_that_is_gone_keeps_what_it_counted(tmp_path: Path) -> None:
    one, gone = Metrics(tmp_path), Metrics(tmp_path)
    for each, times in ((one, 2), (gone, 3)):
        for _ in range(times):
            each.count("houseway_commands_total", command="bet", outcome="done")
            each.took("houseway_command_seconds", 0.004, command="bet")
    entries: metrics.Series = ("houseway_journal_entries", ())
    watchers: metrics.Series = ("houseway_watchers", (("watches", "table"),))
    alive = [one.as_data({entries: 5, watchers: 1}), gone.as_data({entries: 7, watchers: 2})]
    told = text_of(alive)
    assert 'houseway_commands_total{command="bet",outcome="done"} 5\n' in told
    assert 'houseway_command_seconds_bucket{command="bet",le="0.0025"} 0\n' in told
    assert 'houseway_command_seconds_bucket{command="bet",le="0.005"} 5\n' in told
    assert 'houseway_command_seconds_sum{command="bet"} 0.02\n' in told
    assert "houseway_journal_entries 7\n" in told and 'houseway_watchers{watches="table"} 3\n' in told
    (tmp_path / "999999999.json").write_text(json.dumps(alive[1]))
    one.leave({entries: 5})  # its own file is not read twice
    told = text_of([one.as_data({entries: 5, watchers: 1}), *one.of_others()])
    assert 'houseway_commands_total{command="bet",outcome="done"} 5\n' in told
    assert "houseway_journal_entries 5\n" in told and 'houseway_watchers{watches="table"} 1\n' in told
    assert (tmp_path / f"{os.getpid()}.json").is_file()


# The log


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []
        self.setFormatter(JsonLines())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler, before = Kept(), logs.REQUESTS.level
    logs.REQUESTS.addHandler(handler)
    logs.REQUESTS.setLevel(logging.INFO)
    yield handler
    logs.REQUESTS.removeHandler(handler)
    logs.REQUESTS.setLevel(before)


def test_every_request_has_a_line_that_names_nobody(house: Served, kept: Kept) -> None:
    table = house.open_table("logged", EDITION)
    bob = house.guest("Bob Logged")
    Served.must(bob.post(f"/api/v1/tables/{table}/bet", json={"seat": 3, "wager": "player", "cents": 700}))
    assert bob.post("/api/v1/tables/Secret Name/bet", json={"seat": 3, "wager": "player", "cents": 700}).status_code == 400
    httpx.get(f"{house.url}/static/css/house.css")
    httpx.get(f"{house.url}/api/v1/tables?who=Bob")
    until(lambda: any(line["route"] == "/api/v1/tables" and line["method"] == "GET" for line in kept.lines))
    bets = [line for line in kept.lines if line.get("command") == "bet"]
    assert [(line["outcome"], line["status"], line.get("table")) for line in bets] == [
        ("done", 200, "logged"),
        ("refused", 400, None),
    ]
    assert bets[0]["entry"] > 0 and bets[0]["role"] == "guest" and bets[1]["refused"] == "unknown-table"
    assert bets[0]["route"] == "/api/v1/tables/{table}/bet" and bets[0]["ms"] > 0
    text = json.dumps(kept.lines)
    assert not any(word in text for word in ("Bob", "Secret", "127.0.0.1", "house.css", "test supervisor"))


def test_an_error_is_told_by_where_it_arose_and_not_by_what_it_says() -> None:
    try:
        raise ValueError("guest ann holds As Kd")
    except ValueError:
        record = logging.LogRecord("houseway.web", logging.ERROR, "", 0, "it failed", None, __import__("sys").exc_info())
    line = json.loads(JsonLines().format(record))
    assert (line["message"], line["error"], line["level"]) == ("it failed", "ValueError", "error")
    assert "ann" not in json.dumps(line["where"]) and "As Kd" not in json.dumps(line) and len(line["where"]) == 1
    told = logging.LogRecord("houseway.requests", logging.INFO, "", 0, "request", None, None)
    told.told = {"event": "request", "method": "GET", "route": "/", "status": 200, "ms": 1.5}
    assert re.fullmatch(r"\d\d:\d\d:\d\d request GET / 200 1.5", PlainLines().format(told))


def test_lines_are_plain_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert as_asked("auto", None) == LogSettings(as_json=False, requests=False)
    assert as_asked("json", None) == LogSettings(as_json=True, requests=True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    assert as_asked("auto", None) == LogSettings(as_json=True, requests=True)
    assert as_asked("auto", False) == LogSettings(as_json=True, requests=False)


def test_a_served_house_logs_json_reads_its_file_and_counts_over_its_processes(tmp_path: Path, postgresql: Any) -> None:
    (tmp_path / "token").write_text("f" * 32)
    (tmp_path / "token").chmod(0o600)
    file = tmp_path / "houseway.toml"
    file.write_text('[serve]\nworkers = 2\ndemo = false\n[metrics]\ntoken_file = "token"\n[limits]\nstreams = 7\n')
    with program(tmp_path, "--config", str(file), store=postgresql.create()) as served:
        for _ in range(12):
            assert httpx.get(f"{served.url}/healthz").status_code == 200
        assert httpx.get(f"{served.url}/metrics").status_code == 403

        def counted() -> bool:
            told = httpx.get(f"{served.url}/metrics", headers={"Authorization": "Bearer " + "f" * 32}).text
            assert 'houseway_requests_total{route="/healthz",method="GET",status="200"} ' in told
            all_of_them = 'route="/healthz",method="GET",status="200"} 12\n' in told
            return all_of_them and "houseway_processes 3\n" in told

        until(counted)
        lines = [json.loads(line) for line in served.said if line.startswith("{")]
    assert sum(line["event"] == "open" for line in lines) == 2
    assert sum(line.get("route") == "/healthz" for line in lines) == 12
    assert not [line for line in served.said if "f" * 32 in line]


def test_a_log_that_nobody_reads_stops_no_table_and_says_later_what_it_dropped(tmp_path: Path) -> None:
    served = started(tmp_path, "--logs", "json", "--limit", "connections=10000", is_heard=False)
    with ready(served), served.client() as client:
        asked = 0

        def dropped() -> int:
            told = re.search(r"^houseway_log_dropped_total (\S+)$", client.get("/metrics").text, re.MULTILINE)
            return int(float(told[1])) if told else 0

        while not dropped():  # the pipe is full, and so is what waits for it
            for _ in range(500):
                asked += client.get("/healthz").status_code == 200  # if not, it is asked too fast
            assert asked <= 20_000
        joined = until(lambda: client.post("/api/v1/guests", json={"name": "Ann"}).json().get("token"))
        with served.client(joined) as ann:
            table = ann.get("/api/v1/tables").json()["tables"][0]["name"]
            sat = until(
                lambda: (answer := ann.post(f"/api/v1/tables/{table}/sit", json={"seat": 1})).status_code != 429 and answer
            )
            assert sat.status_code in {200, 409}, "a table is answered, once it is not asked too fast"
        listening = threading.Thread(target=served.listen, daemon=True)
        listening.start()
        until(lambda: any('"log-dropped"' in line for line in list(served.said)))
        assert served.told_to_end() == 0
        listening.join(PATIENCE)
    lines = [json.loads(line) for line in served.said if line.startswith("{")]
    lost = sum(line["dropped"] for line in lines if line["event"] == "log-dropped")
    healthy = sum(line.get("route") == "/healthz" and line["status"] == 200 for line in lines)
    assert healthy < asked <= healthy + lost, "what was dropped is told"
    assert lines[-1]["event"] == "closed", "a clean end writes all that waits"


def test_a_house_that_is_told_to_end_does_not_wait_for_the_reader_of_its_log(tmp_path: Path) -> None:
    served = started(tmp_path, "--logs", "json", is_heard=False)
    with ready(served), served.client() as client:
        for _ in range(1_000):
            client.get("/healthz")
        began = time.monotonic()
        assert served.told_to_end() == 0 and time.monotonic() - began < 10


# As a service


@pytest.mark.parametrize("workers", [1, 2])
def test_who_manages_services_is_told_once_it_is_open(tmp_path: Path, postgresql: Any, workers: int) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10 * PATIENCE)
        options = ("--host", "0.0.0.0", "--workers", str(workers))
        store = postgresql.create() if workers > 1 else ""
        served = started(tmp_path, *options, store=store, NOTIFY_SOCKET=str(tmp_path / "notify"))
        try:
            assert manager.recv(100) == b"READY=1"
            assert httpx.get(f"{served.url}/healthz", timeout=PATIENCE).status_code == 200, "at once"
        finally:
            with ready(served):
                pass
