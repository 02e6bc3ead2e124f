"""Several processes that serve a house are one house: what was done at one is seen at all, and they end together."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from programs import Program, ready, started, until

from houseway.house.newest import Newest
from houseway.web.metrics import SECONDS_BETWEEN
from houseway.web.own_folder import HELD, own_folder, remove_what_was_left

API = "/api/v1"
TABLE = f"{API}/tables/Duki 1"


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:  # short: a socket's name has some hundred characters at most
        yield Path(name)


@contextmanager
def house_of_two(postgresql: Any, folder: Path, is_patient: bool) -> Iterator[Program]:
    options = "--workers", "2", "--limit", "connections=500"
    program = started(folder, *options, store=postgresql.create(), is_patient=is_patient, TMPDIR=str(folder))
    with ready(program):
        until(lambda: len(list(folder.glob("houseway-*/*.streams"))) == 2)
        yield program


@pytest.fixture
def house(postgresql: Any, folder: Path) -> Iterator[Program]:
    with house_of_two(postgresql, folder, is_patient=True) as program:
        yield program


def test_what_was_done_at_one_process_is_seen_at_every_other(house: Program) -> None:
    """Also where its word has not come there yet: each question comes on a connection of its own, to whichever process."""
    with house.client() as client:
        ann = {"Authorization": f"Bearer {client.post(f'{API}/guests', json={'name': 'Ann'}).json()['token']}"}
    for cents in range(1, 101):
        done = httpx.post(f"{house.url}{TABLE}/tip", json={"cents": cents}, headers=ann).json()["seq"]
        assert httpx.get(f"{house.url}{TABLE}", headers=ann).json()["seq"] >= done


def test_a_head_that_processes_share_only_moves_on_and_nobody_waits_for_who_is_stopped(folder: Path) -> None:
    one, other = Newest(folder), Newest(folder)
    assert one.head == other.head == (0, "00" * 32)
    one.tell((2**40, "ab" * 32))
    other.tell((7, "cd" * 32))
    assert one.head == other.head == (2**40, "ab" * 32)
    stopped = os.fork()
    if not stopped:
        import fcntl

        with (folder / "newest").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            (folder / "held").touch()
            time.sleep(600)
    try:
        until((folder / "held").exists)
        other.tell((2**40 + 1, "cd" * 32))
        assert one.head == (2**40 + 1, "cd" * 32)
    finally:
        os.kill(stopped, signal.SIGKILL)
        os.waitpid(stopped, 0)


def test_all_processes_tell_together_what_they_take(house: Program) -> None:
    """The one that carries commands out, too."""
    until(lambda: "houseway_processes 3\n" in house.client().get("/metrics").text, 20 * SECONDS_BETWEEN)


def test_a_house_whose_commands_nobody_carries_out_is_not_ready(house: Program) -> None:
    with house.client() as client:
        assert client.get("/readyz").json()["checks"]["commands"] == {"ok": True}
        os.kill(house.process.pid, signal.SIGSTOP)
        try:
            answer = until(lambda: (told := client.get("/readyz")).status_code == 503 and told)
        finally:
            os.kill(house.process.pid, signal.SIGCONT)
        why = "the process that carries commands out has not answered for 2 seconds"
        assert answer.json()["checks"]["commands"] == {"ok": False, "why": why}
        until(lambda: client.get("/readyz").status_code == 200)


def end(house: Program, folder: Path) -> None:
    """It leaves no process and no folder."""
    ended = threading.Event()
    threading.Thread(target=lambda: (house.process.wait(), ended.set()), daemon=True).start()
    house.process.send_signal(signal.SIGTERM)
    until(ended.is_set)
    until(lambda: house.left() == [])
    assert list(folder.glob("houseway-*")) == []


@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGTTIN], ids=["replaced", "more"])
def test_told_to_end_at_any_instant_it_leaves_nothing_behind(house: Program, folder: Path, sent: int) -> None:
    """A worker that has just begun included."""
    processes = len(house.left())
    os.kill(house.process.pid, sent)
    until(lambda: len(house.left()) > processes)
    end(house, folder)


def test_a_process_that_does_nothing_any_more_does_not_outlive_the_house(postgresql: Any, folder: Path) -> None:
    with house_of_two(postgresql, folder, is_patient=False) as house:
        os.kill(max(house.left()), signal.SIGSTOP)
        end(house, folder)


def test_the_folder_of_a_house_that_was_killed_is_removed_when_the_next_one_begins(postgresql: Any, folder: Path) -> None:
    with house_of_two(postgresql, folder, is_patient=True) as killed:
        (left,) = folder.glob("houseway-*")
        os.kill(killed.process.pid, signal.SIGKILL)
        until(lambda: killed.left() == [])
    assert left.exists()
    with house_of_two(postgresql, folder, is_patient=True) as house:
        assert not left.exists()
        end(house, folder)


def test_only_folders_of_houses_that_are_no_more_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    (folder / "houseway-of-something-else").mkdir()
    (folder / "houseway-file").touch()
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / HELD).touch()
    (folder / "houseway-link").symlink_to(elsewhere)
    (folder / "houseway-left").mkdir()
    (folder / "houseway-left" / HELD).touch()
    before = sorted(file for file in folder.iterdir() if file.name != "houseway-left")
    with own_folder() as one, own_folder() as other:
        remove_what_was_left()
        assert sorted(folder.iterdir()) == sorted([*before, one, other])
        assert (elsewhere / HELD).exists() and one.stat().st_mode & 0o777 == 0o700
    assert sorted(folder.iterdir()) == before
    monkeypatch.setattr("os.getuid", lambda: -1)
    (folder / "houseway-left").mkdir()
    (folder / "houseway-left" / HELD).touch()
    remove_what_was_left()
    assert (folder / "houseway-left").exists(), "it is another user's"


def test_houses_that_begin_at_once_leave_each_other_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder))

    def begin(_: int) -> bool:
        remove_what_was_left()
        with own_folder() as own:
            time.sleep(0.001)
            return (own / HELD).exists()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(begin, range(400)))
    assert list(folder.iterdir()) == []
