"""Many processes at once on one house: no update is lost, nothing is settled twice, a retried command happens once."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from databases import Postgres
from sessions import (
    CAT,
    DAN,
    SEATS,
    STALE,
    SUE,
    Job,
    Recount,
    Zygote,
    edition_of,
    finish_round,
    house_tables,
    is_running,
    prepare,
    read_log,
    wait_for,
)

from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.heads import sign_head
from houseway.house.store import Store
from houseway.refusal import Refused

Said = list[list[dict[str, Any]]]
OpenFloor = Callable[[str], Floor]


def run_at_once(zygote: Zygote, jobs: list[Job]) -> Said:
    """All of them, started together; what each one said."""
    start = time.time() + 0.1
    for job in jobs:
        job.start_at = start
    pids = [zygote.fork(job) for job in jobs]
    assert [zygote.wait(pid) for pid in pids] == [0] * len(jobs)
    said = [read_log(Path(job.log)) for job in jobs]
    assert all(lines[-1]["what"] == "end" for lines in said)
    return said


def check_house(floor: Floor, said: Said) -> Recount:
    """Every acknowledged command stands once in the journal, nothing else does, and the money adds up."""
    keyed: dict[str, list[tuple[int, str]]] = {}
    for entry in floor.store.entries():
        if entry.key:
            keyed.setdefault(entry.key, []).append((entry.seq, entry.hash))
    assert [key for key, found in keyed.items() if len(found) > 1] == [], "a key with two effects"
    done = {(line["key"], line["seq"], line["hash"]) for lines in said for line in lines if line["what"] == "done"}
    assert {(key, *keyed[key][0]) for key, _, _ in done} == done, "an acknowledged command is lost, or was told differently"
    codes = Counter(line["code"] for lines in said for line in lines if line["what"] == "refused")
    assert not set(codes) - STALE, codes
    assert Auditor(floor.store, sign_head(floor.store, bytes(range(32)))).run().flaw is None
    recount = Recount(floor.store)
    assert recount.problems == []
    assert dict(floor.refresh().balances) == dict(recount.balances)
    assert [account for account, cents in recount.balances.items() if cents < 0] == ["outside"]
    return recount


def close_all(floor: Floor) -> None:
    for name, table in list(floor.refresh().tables.items()):
        if table.is_open:
            finish_round(floor, name, random.Random(1))
            closed = floor.do({"kind": "close", "table": name}, SUE).data["events"][-1]
            assert closed["balanced"], closed


def play_at_once(
    zygote: Zygote, floor: Floor, key_file: Path, folder: Path, tables: list[str], processes: int, steps: int
) -> Said:
    """First every seat gets a bet; then all processes play at all tables, name rounds alike and often repeat themselves."""
    url, key = floor.store.url, str(key_file)
    bets, jobs = [], []
    for number in range(processes):
        bets.append(Job(url, key, str(folder / f"bets-{number}.log"), 100 + number, tables, steps=0, retry=0.3))
        bets[-1].place = (number, processes)
        jobs.append(Job(url, key, str(folder / f"{number}.log"), 200 + number, tables, steps, shared_keys=True, retry=0.3))
    said = run_at_once(zygote, bets)
    assert not [line for lines in said for line in lines if line["what"] == "refused"]
    return said + run_at_once(zygote, jobs)


def test_20_tables_and_140_seats_on_postgresql(
    zygote: Zygote, postgres: Postgres, open_floor: OpenFloor, key_file: Path, tmp_path: Path
) -> None:
    tables = house_tables(20)
    seats = {(table, seat) for table in tables for seat in range(1, SEATS[edition_of(table)] + 1)}
    assert len(seats) == 140
    floor = open_floor(postgres.create())
    prepare(floor, tables)
    said = play_at_once(zygote, floor, key_file, tmp_path, tables, processes=5, steps=80)
    recount = check_house(floor, said)
    assert recount.seats == seats
    assert {table for table, _, _ in recount.settled} <= set(tables) and len(recount.settled) > 20
    raced = Counter(line["key"] for lines in said for line in lines if line["what"] == "done")
    assert sum(times > 1 for times in raced.values()) > 50, "the same commands must have been sent several times"
    close_all(floor)
    assert check_house(floor, said).settled


def test_a_smaller_house_on_sqlite(
    zygote: Zygote, new_url: Callable[[str], str], open_floor: OpenFloor, key_file: Path, tmp_path: Path
) -> None:
    tables = house_tables(4)
    floor = open_floor(new_url("sqlite"))
    prepare(floor, tables)
    said = play_at_once(zygote, floor, key_file, tmp_path, tables, processes=3, steps=60)
    recount = check_house(floor, said)
    assert len(recount.seats) == 28
    close_all(floor)
    assert check_house(floor, said).settled


def test_one_table_that_everybody_wants(
    zygote: Zygote, store_url: str, open_floor: OpenFloor, key_file: Path, tmp_path: Path
) -> None:
    """All processes race for the same deal and the same settlement, all the time."""
    floor = open_floor(store_url)
    prepare(floor, ["3-0"])
    said = play_at_once(zygote, floor, key_file, tmp_path, ["3-0"], processes=4, steps=40)
    recount = check_house(floor, said)
    assert len(recount.settled) > 2


def test_the_same_commands_from_all_processes_at_once(
    zygote: Zygote, store_url: str, open_floor: OpenFloor, key_file: Path, tmp_path: Path
) -> None:
    """Every key is sent by four processes: whoever has the body of the first one gets its entry, the others are refused."""
    floor = open_floor(store_url)
    prepare(floor, ["0-0", "2-0"])
    jobs = [Job(store_url, str(key_file), str(tmp_path / f"{n}.log"), 5, ["0-0", "2-0"], steps=40) for n in range(4)]
    said = run_at_once(zygote, jobs)
    check_house(floor, said)


def test_an_audit_of_a_house_at_work_raises_no_false_alarm(
    zygote: Zygote, store_url: str, open_floor: OpenFloor, open_store: Callable[[str], Store], key_file: Path, tmp_path: Path
) -> None:
    tables = house_tables(4)
    prepare(open_floor(store_url), tables)
    log = tmp_path / "player.log"
    pid = zygote.fork(Job(store_url, str(key_file), str(log), 9, tables, steps=1_000_000))
    wait_for(log, "done", pid)
    store = open_store(store_url)
    heads, flaws = set(), []
    while len(heads) < 6:  # each of another journal: the player was at work in between
        heads.add(store.head())
        flaws.append(Auditor(store, sign_head(store, bytes(range(32)))).run().flaw)
        assert is_running(pid), "the player ended early"
    os.kill(pid, signal.SIGKILL)
    assert zygote.wait(pid) == -signal.SIGKILL
    assert set(flaws) == {None}


def test_money_is_spent_once(store_url: str, open_floor: OpenFloor) -> None:
    """Two floors that both believe a guest still has his chips."""
    one, other = open_floor(store_url), open_floor(store_url)
    prepare(one, ["0-0", "0-1"])
    one.do({"kind": "buy-in", "guest": "ann", "cents": 10000}, CAT)
    other.refresh()
    bet = {"kind": "bet", "seat": 1, "guest": "ann", "wager": "banker", "cents": 10000}
    one.do({**bet, "table": "0-0"}, DAN)
    with pytest.raises(Refused) as refused:
        other.do({**bet, "table": "0-1"}, DAN)
    assert refused.value.code == "not-enough"
    assert other.refresh() == one.state
