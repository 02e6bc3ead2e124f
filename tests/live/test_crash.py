"""A process, or the database itself, is killed at any instant.

Nothing that was acknowledged is lost, nothing happens by half, and play goes on.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from databases import DATABASES, Postgres
from sessions import DAN, SUE, Job, Recount, Zygote, finish_round, house_tables, next_move, prepare, read_log, wait_for
from sqlalchemy.exc import DBAPIError

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.table import House, Phase
from houseway.table.entry import Entry

pytestmark = pytest.mark.usefixtures("durable")
TABLES = house_tables(4)
KILLS = 15  # on each database, and in each deep episode
SERVER_KILLS, DEEP_SERVER_KILLS, DEEP_SERVER_EPISODES = 3, 40, 5
DEEP_EPISODES = 10  # 10 episodes of 15 kills on 2 databases are 300
AT_AN_INSTANT, DEEP_AT_AN_INSTANT = 40, 4_800
"""Players that kill themselves at a chosen call, on each database. 9,600 of them, 300 killed from outside at any moment, 200
deaths of PostgreSQL itself, 100 of `houseway serve` and 100 of its workers (test_killed_servers) are more than 10,000. A
process that serves takes seconds to start, a forked player milliseconds: hence so many of these, each at another instant."""


@dataclass
class Harness:
    """One store on which one process after the other is killed."""

    zygote: Zygote
    url: str
    key_file: Path
    folder: Path
    rng: random.Random

    def job(self, log: Path) -> Job:
        return Job(self.url, str(self.key_file), str(log), self.rng.randrange(10**9), TABLES, steps=1_000_000)

    def kill_one(self) -> list[dict[str, Any]]:
        """Start a session, kill it somewhere, and return what it had said until then."""
        log = self.folder / f"{self.rng.randrange(10**12)}.log"
        pid = self.zygote.fork(self.job(log))
        if self.rng.random() < 0.8:
            wait_for(log, "ready", pid, self.rng.randrange(30))  # somewhere in its work, however fast it gets on
            time.sleep(self.rng.uniform(0, 0.005))
        else:
            time.sleep(self.rng.uniform(0, 0.04))  # while it opens the store, or reads the journal
        os.kill(pid, signal.SIGKILL)
        assert self.zygote.wait(pid) == -signal.SIGKILL
        return read_log(log)

    def recover(self, said: list[dict[str, Any]]) -> None:
        """What a restart finds, and that it can go on from there."""
        store = Store(self.url)
        try:
            floor = Floor(store, self.key_file)
            retry_last(floor, said)
            check_acknowledged(store, said)
            check_money(store, floor.refresh())
            for table in self.rng.sample(TABLES, 2):
                self.go_on(floor, table)
            check_money(store, floor.state)
        finally:
            store.engine.dispose()

    def go_on(self, floor: Floor, table: str) -> None:
        """The round resumes, or is voided by rule; either way nothing stays on the felt."""
        if not floor.state.tables[table].is_open:
            return
        if floor.state.tables[table].round.spots and self.rng.random() < 0.4:
            floor.do({"kind": "void", "table": table, "reason": "power-failure"}, SUE)
        finish_round(floor, table, self.rng)
        assert floor.state.balance(f"wagers:{table}") == 0

    def close_all(self) -> None:
        """In the end every tray is what the rounds say."""
        store = Store(self.url)
        try:
            floor = Floor(store, self.key_file)
            for table in [name for name, table in floor.refresh().tables.items() if table.is_open]:
                finish_round(floor, table, self.rng)
                closed = floor.do({"kind": "close", "table": table}, SUE).data["events"][-1]
                assert closed["event"] == "table-closed" and closed["balanced"], closed
            check_money(store, floor.state)
            in_play = [name for name, cents in floor.state.balances.items() if cents and name.startswith(("wagers", "tray"))]
            assert in_play == []
        finally:
            store.engine.dispose()


def retry_last(floor: Floor, said: list[dict[str, Any]]) -> None:
    """The command that the process was killed in, given again with its key, happens exactly once."""
    if not said or said[-1]["what"] != "try":
        return
    last = said[-1]
    entry = floor.do(last["command"], Actor(*last["actor"]), last["key"])
    again = floor.do(last["command"], Actor(*last["actor"]), last["key"])
    assert entry == again
    assert [found.seq for found in floor.store.entries() if found.key == last["key"]] == [entry.seq]


def check_acknowledged(store: Store, said: list[dict[str, Any]]) -> None:
    """Durability: what the process was told is done stands in the journal, once, with that hash."""
    assert not [line for line in said if line["what"] == "refused"], "the session was to be legal"
    found: dict[str, list[Entry]] = {}
    for entry in store.entries():
        found.setdefault(entry.key, []).append(entry)
    for line in said:
        if line["what"] == "done":
            assert [(entry.seq, entry.hash) for entry in found[line["key"]]] == [(line["seq"], line["hash"])]


def check_money(store: Store, house: House) -> None:
    assert Auditor(store).run().flaw is None
    recount = Recount(store)
    assert recount.problems == []
    assert dict(house.balances) == dict(recount.balances)
    assert sum(house.balances.values()) == 0
    assert [account for account, cents in house.balances.items() if cents < 0] == ["outside"]


def episode(zygote: Zygote, url: str, key_file: Path, folder: Path, seed: int) -> None:
    harness = Harness(zygote, url, key_file, folder, random.Random(seed))
    store = Store(url)
    prepare(Floor(store, key_file), TABLES)
    store.engine.dispose()
    entries = 0
    for _ in range(KILLS):
        said = harness.kill_one()
        harness.recover(said)
        entries += sum(line["what"] == "done" for line in said)
    assert entries > KILLS, "the sessions must have been under way when they were killed"
    harness.close_all()


def test_any_kill_leaves_a_house_that_goes_on(zygote: Zygote, store_url: str, key_file: Path, tmp_path: Path) -> None:
    episode(zygote, store_url, key_file, tmp_path, seed=30)


@pytest.mark.deep
@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("seed", range(DEEP_EPISODES))
def test_300_kills(
    zygote: Zygote, new_url: Callable[[str], str], key_file: Path, tmp_path: Path, database: str, seed: int
) -> None:
    episode(zygote, new_url(database), key_file, tmp_path, seed=1000 + seed)


@pytest.mark.parametrize("database", DATABASES)
def test_killed_while_it_creates_the_store(
    zygote: Zygote, new_url: Callable[[str], str], key_file: Path, tmp_path: Path, database: str
) -> None:
    rng = random.Random(7)
    for number in range(6):
        url, log = new_url(database), tmp_path / f"{number}.log"
        pid = zygote.fork(Job(url, str(key_file), str(log), number, [], steps=0, start_at=0))
        wait_for(log, "opening", pid)
        time.sleep(rng.uniform(0, 0.03))
        os.kill(pid, signal.SIGKILL)
        zygote.wait(pid)
        store = Store(url)
        floor = Floor(store, key_file)
        prepare(floor, TABLES[:1])
        assert floor.state.tables[TABLES[0]].round.phase == Phase.BETTING
        check_money(store, floor.state)
        store.engine.dispose()


@pytest.mark.parametrize("database", DATABASES)
def test_a_process_that_dies_does_not_hold_up_the_others(
    zygote: Zygote, new_url: Callable[[str], str], key_file: Path, tmp_path: Path, database: str
) -> None:
    """One player is killed while another one goes on at other tables of the same house."""
    url, rng = new_url(database), random.Random(11)
    store = Store(url)
    floor = Floor(store, key_file)
    prepare(floor, TABLES)
    for number in range(4):
        log = tmp_path / f"{number}.log"
        pid = zygote.fork(Job(url, str(key_file), str(log), number, TABLES[:2], steps=1_000_000))
        wait_for(log, "ready", pid)
        for _ in range(rng.randrange(1, 12)):
            command = {"kind": "tip", "table": TABLES[2], "guest": "g1", "cents": 100}
            floor.do(command, DAN)
        os.kill(pid, signal.SIGKILL)
        zygote.wait(pid)
        said = read_log(log)
        retry_last(floor, said)
        check_acknowledged(store, said)
    check_money(store, floor.refresh())
    store.engine.dispose()


# At a chosen instant


def killed_at_instants(url: str, key_file: Path, kills: int, seed: int) -> dict[str, Any]:
    """What `kills.py` counted; it fails if a cent is off anywhere."""
    script = Path(__file__).parent / "kills.py"
    command = [sys.executable, str(script), url, str(key_file), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"{url.partition(':')[0]}: {told}")
    return told


def test_killed_at_any_call_of_a_command(store_url: str, key_file: Path) -> None:
    told = killed_at_instants(store_url, key_file, AT_AN_INSTANT, seed=3)
    assert told["kills"] == AT_AN_INSTANT
    assert told["became"]["had not happened"] and told["became"]["was done already"], "before the commit, and after it"


@pytest.mark.deep
@pytest.mark.parametrize("database", DATABASES)
def test_9_600_kills_at_any_call_of_a_command(new_url: Callable[[str], str], key_file: Path, database: str) -> None:
    told = killed_at_instants(new_url(database), key_file, DEEP_AT_AN_INSTANT, seed=4)
    assert told["kills"] == DEEP_AT_AN_INSTANT
    assert min(told["became"].get(how, 0) for how in ("had not happened", "was done already", "while it opened")) > 50


# The database's own server is killed


def play_until_the_server_dies(floor: Floor, tables: list[str], rng: random.Random, said: list[dict[str, Any]]) -> None:
    """A session of this process, told like a player's log; the last command is the one that failed."""
    with suppress(DBAPIError):
        while True:
            command, actor = next_move(floor.state, rng.choice(tables), rng)
            key = f"here-{rng.randrange(10**12)}"
            said.append({"what": "try", "key": key, "command": command, "actor": [actor.name, actor.role]})
            entry = floor.do(command, actor, key)
            said.append({"what": "done", "key": key, "seq": entry.seq, "hash": entry.hash})


def killed_server(server: Postgres, zygote: Zygote, floor: Floor, job: Job, rng: random.Random) -> list[list[dict[str, Any]]]:
    """Kill the server under two sessions, here and in another process, and start it again; what both had said."""
    pid = zygote.fork(job)
    wait_for(Path(job.log), "ready", pid)
    here: list[dict[str, Any]] = []
    moment = rng.randrange(1, 20), rng.uniform(0, 0.05)

    def kill() -> None:
        """Under two sessions at work, somewhere in it, however slow this machine is."""
        wait_for(Path(job.log), "done", pid, moment[0])
        while len(here) < moment[0]:
            time.sleep(0.002)
        time.sleep(moment[1])
        server.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    play_until_the_server_dies(floor, TABLES[2:], rng, here)
    killer.join()
    assert zygote.wait(pid) == 1, "the other session fails too"
    assert server.launch(), f"the server does not start again: see {server.folder / 'log'}"
    return [here, read_log(Path(job.log))]


def server_episode(server: Postgres, zygote: Zygote, key_file: Path, folder: Path, kills: int, seed: int = 0) -> None:
    url, rng = server.create(), random.Random(kills + seed)
    harness = Harness(zygote, url, key_file, folder, rng)
    store = Store(url)
    survivor = Floor(store, key_file)
    prepare(survivor, TABLES)
    acknowledged: list[dict[str, Any]] = []
    for number in range(kills):
        job = Job(url, str(key_file), str(folder / f"{number}.log"), rng.randrange(10**9), TABLES[:2], steps=1_000_000)
        both = killed_server(server, zygote, survivor, job, rng)
        for said in both:
            retry_last(survivor if number % 2 else Floor(store, key_file), said)
            acknowledged += said
        check_acknowledged(store, acknowledged)
        assert Floor(store, key_file).refresh() == survivor.refresh()
        check_money(store, survivor.state)
        harness.go_on(survivor, rng.choice(TABLES))
    assert sum(line["what"] == "done" for line in acknowledged) > kills, "the sessions must have been under way"
    store.engine.dispose()
    harness.close_all()


def test_a_killed_database_server_loses_nothing(
    mortal_postgres: Postgres, zygote: Zygote, key_file: Path, tmp_path: Path
) -> None:
    server_episode(mortal_postgres, zygote, key_file, tmp_path, SERVER_KILLS)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(DEEP_SERVER_EPISODES))
def test_a_database_server_killed_200_times_loses_nothing(
    mortal_postgres: Postgres, zygote: Zygote, key_file: Path, tmp_path: Path, seed: int
) -> None:
    server_episode(mortal_postgres, zygote, key_file, tmp_path, DEEP_SERVER_KILLS, seed)
