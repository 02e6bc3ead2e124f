"""`houseway serve` and its workers are killed while the cage sells and buys chips: the cashier's own book comes out right."""

import os
import random
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PASSWORD, PATIENCE, free_port
from programs import API

from houseway.house.audit import Auditor
from houseway.house.floor import Actor
from houseway.house.store import Store
from houseway.web.app import ServeSettings, create_app
from houseway.web.people import DOOR

KILLS, DEEP_KILLS = 1, 50
"""Of the server, on each database; and twice as many of workers."""
GUESTS = ("ann", "ben", "cleo")


@dataclass
class Cashier:
    """Sells and buys chips, and writes into his own book what he was told is done; what he was not told, he asks again."""

    url: str
    token: str
    rng: random.Random
    book: Counter[str] = field(default_factory=Counter)
    done: int = 0

    def work(self, until: Callable[[], bool]) -> None:
        while not until():
            self.one()

    def one(self) -> None:
        guest = self.rng.choice(GUESTS)
        out = self.book[guest] >= 5_000 and self.rng.random() < 0.4
        cents, key = 100 * self.rng.randint(1, 50), f"{self.rng.randrange(10**12)}"
        self.send("cash-out" if out else "buy-in", {"guest": guest, "cents": cents}, key)
        self.book[guest] += -cents if out else cents
        self.book["cage"] += -cents if out else cents
        self.done += 1

    def send(self, kind: str, body: dict[str, Any], key: str) -> None:
        """Until it is acknowledged, always with the same key."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key}
        end = time.monotonic() + 10 * PATIENCE
        while True:
            assert time.monotonic() < end, "the house does not come back"
            try:
                answer = httpx.post(f"{self.url}{API}/cage/{kind}", json=body, headers=headers, timeout=10)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            if answer.status_code == 200:
                return
            assert answer.status_code in {429, 500, 502, 503}, answer.text
            time.sleep(0.05)


@contextmanager
def served(
    start: Callable[..., tuple[str, Any]], store: str, folder: Path, *options: str
) -> Iterator[tuple[Cashier, Any, int]]:
    """A house that is served by a process of its own, and a cashier at work there; in the end both books are compared."""
    app = create_app(ServeSettings(store, folder / "house.key", demo=False))
    app.state.door.add("cat", "cashier", PASSWORD, DOOR)
    app.state.house.do({"kind": "fund", "cents": 10**8}, Actor("root", "administrator"))
    before = dict(app.state.house.state.balances)
    app.state.house.floor.store.engine.dispose()
    port = free_port()
    url, process = start(store, port, "--no-demo", *options)
    token = httpx.post(f"{url}{API}/session", json={"name": "cat", "password": PASSWORD}, timeout=PATIENCE).json()["token"]
    cashier = Cashier(url, token, random.Random(6))
    yield cashier, process, port
    cashier.one()
    read = Store(store, only_reads=True)
    assert Auditor(read).run().flaw is None
    held: Counter[str] = Counter()
    for _, moved in read.transfers():
        held[moved.source] -= moved.cents
        held[moved.target] += moved.cents
    read.engine.dispose()
    off = {guest: held[f"guest:{guest}"] - cashier.book[guest] for guest in GUESTS}
    assert off == dict.fromkeys(GUESTS, 0), "not a cent off"
    assert held["outside"] == before["outside"] - cashier.book["cage"]


def kill_servers(start: Callable[..., tuple[str, Any]], store: str, folder: Path, kills: int, *options: str) -> int:
    """Kill the server while the cashier works, and start it again at the same door."""
    with served(start, store, folder, *options) as (cashier, process, port):
        for _ in range(kills):
            back = threading.Event()

            def kill_and_start(dying: Any = process, back: threading.Event = back) -> None:
                nonlocal process
                time.sleep(cashier.rng.uniform(0, 0.5))
                dying.kill()
                dying.wait()
                while options and not is_free(port):  # its workers end with it, a moment later
                    time.sleep(0.05)
                _, process = start(store, port, "--no-demo", *options)
                back.set()

            killer = threading.Thread(target=kill_and_start)
            killer.start()
            cashier.work(back.is_set)
            killer.join()
        assert cashier.done > kills
    return kills


def is_free(port: int) -> bool:
    """Whether nobody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def workers_of(server: int) -> list[int]:
    """The processes that serve, and not the one that minds what they share."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    commands = {int(child): Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ") for child in children}
    return [child for child, command in commands.items() if "spawn_main" in command]


def kill_workers(start: Callable[..., tuple[str, Any]], store: str, folder: Path, kills: int) -> int:
    """Kill one of two workers, again and again: the other serves on, and another takes its place."""
    killed: set[int] = set()
    with served(start, store, folder, "--workers", "2") as (cashier, process, _):
        while len(killed) < kills:
            end, target = time.monotonic() + cashier.rng.uniform(0.1, 0.6), len(killed)
            cashier.work(lambda end=end: time.monotonic() > end)
            alive = [worker for worker in workers_of(process.pid) if worker not in killed]
            if alive:
                victim = cashier.rng.choice(alive)
                os.kill(victim, signal.SIGKILL)
                killed.add(victim)
            assert len(killed) >= target and process.poll() is None
        assert cashier.done > kills
    return len(killed)


Start = Callable[..., tuple[str, subprocess.Popen[str]]]


def test_a_killed_server_loses_no_cent(start_process: Start, tmp_path: Path) -> None:
    assert kill_servers(start_process, f"sqlite:///{tmp_path / 'house.db'}", tmp_path, KILLS) == KILLS


def test_who_is_killed_at_the_desk_of_two_workers_loses_no_cent(start_process: Start, postgresql: Any, tmp_path: Path) -> None:
    assert kill_servers(start_process, postgresql.create(), tmp_path, KILLS, "--workers", "2") == KILLS


def test_a_killed_worker_loses_no_cent(start_process: Start, postgresql: Any, tmp_path: Path) -> None:
    assert kill_workers(start_process, postgresql.create(), tmp_path, 2 * KILLS) == 2 * KILLS


@pytest.mark.deep
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_server_killed_50_times_loses_no_cent(start_process: Start, postgresql: Any, tmp_path: Path, database: str) -> None:
    store = postgresql.create() if database == "postgresql" else f"sqlite:///{tmp_path / 'house.db'}"
    assert kill_servers(start_process, store, tmp_path, DEEP_KILLS) == DEEP_KILLS


@pytest.mark.deep
def test_workers_killed_100_times_lose_no_cent(start_process: Start, postgresql: Any, tmp_path: Path) -> None:
    assert kill_workers(start_process, postgresql.create(), tmp_path, 2 * DEEP_KILLS) == 2 * DEEP_KILLS
