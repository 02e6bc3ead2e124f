"""How a house ends: told to, with streams open, with exit code 0 and nothing left; and its workers with their parent."""

import os
import signal
import socket
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from houses import PATIENCE
from programs import API, Program, program, started, until

from houseway.house.backups import STOP_SECONDS
from houseway.web.lifetime import GRACE_SECONDS, LAST_SECONDS, PARENT_LAST_SECONDS

A_BUSY_MACHINE = 5 * PATIENCE
"""Seconds that an ending of five may take here, where other tests run: half of what it would take to wait for the requests."""


def _watch(served: Program, ended: list[str], begun: threading.Semaphore) -> threading.Thread:
    """Somebody who watches the lobby until it is over."""

    def watch() -> None:
        try:
            with httpx.stream("GET", f"{served.url}{API}/stream", timeout=PATIENCE) as answer:
                lines = answer.iter_lines()
                next(lines)
                begun.release()
                for _ in lines:
                    pass
            ended.append("told")
        except httpx.TransportError as error:
            ended.append(type(error).__name__)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def _watched(served: Program, streams: int) -> tuple[list[threading.Thread], list[str]]:
    begun, ended = threading.Semaphore(0), list[str]()
    watchers = [_watch(served, ended, begun) for _ in range(streams)]
    for _ in watchers:
        assert begun.acquire(timeout=PATIENCE)
    return watchers, ended


def test_told_to_end_a_process_ends_its_streams_and_itself(tmp_path: Path) -> None:
    with program(tmp_path) as served:
        watchers, ended = _watched(served, 3)
        assert served.told_to_end() == 0, served.said
        until(lambda: not served.left())
        for one in watchers:
            one.join(PATIENCE)
    assert ended == ["told"] * 3, "streams are ended, not cut off"
    assert "Traceback" not in "".join(served.said)


def test_told_to_end_workers_end_their_streams_and_themselves(postgresql: Any, tmp_path: Path) -> None:
    with program(tmp_path, "--workers", "2", store=postgresql.create()) as served:
        watchers, ended = _watched(served, 8)
        assert len(served.left()) >= 3
        assert served.told_to_end() == 0, served.said
        until(lambda: not served.left())
        for one in watchers:
            one.join(PATIENCE)
    assert ended == ["told"] * 8
    assert "Traceback" not in "".join(served.said)


def _hold(served: Program) -> socket.socket:
    """A request under way that goes on for as long as it may: the rest of its body does not come."""
    host, _, port = served.url.removeprefix("http://").partition(":")
    held = socket.create_connection((host, int(port)), timeout=PATIENCE)
    head = f"POST {API}/guests HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
    held.sendall(f'{head}{{"name":'.encode())
    return held


def _ends_in_time(served: Program) -> list[str]:
    """Told to end with requests under way, it does; what these were answered."""
    held = [_hold(served) for _ in range(6)]
    _watched(served, 12)
    begun = time.monotonic()
    assert served.told_to_end() == 0, served.said
    until(lambda: not served.left())
    assert time.monotonic() - begun < A_BUSY_MACHINE
    assert "Traceback" not in "".join(served.said)
    answers = []
    for each in held:
        with suppress(ConnectionError):
            answers.append(each.recv(4096).decode().split("\r\n")[0])
        each.close()
    return answers


def test_an_ending_takes_less_than_five_seconds_in_all() -> None:
    """Of requests under way, of a backup that is broken off, and of a process that hangs, with time to spare for the system."""
    assert GRACE_SECONDS + STOP_SECONDS < LAST_SECONDS < PARENT_LAST_SECONDS <= 4


def test_told_to_end_a_process_does_not_wait_for_requests_under_way(tmp_path: Path) -> None:
    with program(tmp_path, "--limit", "body_seconds=600") as served:
        assert _ends_in_time(served) == ["HTTP/1.1 503 Service Unavailable"] * 6


def test_told_to_end_workers_do_not_wait_for_requests_under_way(postgresql: Any, tmp_path: Path) -> None:
    with program(tmp_path, "--limit", "body_seconds=600", "--workers", "3", store=postgresql.create()) as served:
        _ends_in_time(served)


def test_a_process_that_is_told_to_end_before_it_serves_ends(tmp_path: Path) -> None:
    serving = started(tmp_path)
    until(lambda: "Preparing" in "".join(serving.said), 10 * PATIENCE)
    assert serving.told_to_end() == 0
    assert "Traceback" not in "".join(serving.said)


def test_a_process_that_has_ended_leaves_one_file(tmp_path: Path) -> None:
    """Whoever copies the store of a closed house copies all of it."""
    with program(tmp_path) as served:
        assert served.told_to_end() == 0
    assert sorted(file.name for file in tmp_path.glob("house.db*")) == ["house.db"]


def test_workers_end_with_their_parent(postgresql: Any, tmp_path: Path) -> None:
    with program(tmp_path, "--workers", "2", store=postgresql.create()) as served:
        _watched(served, 4)
        assert len(served.left()) >= 3
        os.kill(served.process.pid, signal.SIGKILL)
        served.process.wait(PATIENCE)
        until(lambda: not served.left())


def test_told_to_end_it_does_not_wait_for_a_store_that_does_not_answer(tmp_path: Path) -> None:
    """Another program holds the store for ever; a command waits for it."""
    with program(tmp_path, is_patient=False) as served:
        token = httpx.post(f"{served.url}{API}/guests", json={"name": "Ann"}, timeout=PATIENCE).json()["token"]
        holder = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")

        def tip() -> None:
            with suppress(httpx.TransportError):
                bearer = {"Authorization": f"Bearer {token}"}
                httpx.post(f"{served.url}{API}/tables/Duki 1/tip", json={"cents": 1}, headers=bearer, timeout=PATIENCE)

        waiting = [threading.Thread(target=tip, daemon=True) for _ in range(5)]
        for one in waiting:
            one.start()
        assert served.told_to_end() == 0, served.said
        until(lambda: not served.left())
        holder.close()
