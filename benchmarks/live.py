"""Speeds of the live floor, each beside its baseline in the same run (`make bench`)."""

import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import text

from houseway.house import floor as floors
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.table import face_up
from houseway.web.serve import leave_in_peace
from houseway.web.warm import warm_up
from new_stores import NAMES, new_store

ADMINISTRATOR, SUPERVISOR = Actor("root", "administrator"), Actor("sue", "supervisor")
DEALER, CASHIER = Actor("dan", "dealer"), Actor("cat", "cashier")
ROUND = (
    {"kind": "bet", "table": "b1", "seat": 1, "guest": "ann", "wager": "banker", "cents": 10_000},
    {"kind": "no-more-bets", "table": "b1"},
    {"kind": "deal", "table": "b1"},
    {"kind": "settle", "table": "b1"},
)
ROUNDS = 25_000
"""A hundred thousand entries: 25,000 one-seat rounds of four commands."""


def opened(url: str, folder: Path) -> Floor:
    floor = Floor(Store(url), folder / "house.key", begins="one")
    floor.do({"kind": "fund", "cents": 10**10}, ADMINISTRATOR)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**10}, CASHIER)
    table = {"kind": "open", "table": "b1", "edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 10**10}
    floor.do(table, SUPERVISOR)
    return floor


def command_cost(database: str) -> None:
    """A command against a bare durable commit of the same bytes on a connection of the same pool, one after the other in turns.

    Bare is: a connection is taken from the pool, a transaction begun, the entry's bytes inserted into a table without an index,
    committed to the disk, and the connection given back. A command does that too, and is checked, handled, chained, and written
    with its transfers and the head. The process is as one that serves: its rules are compiled. Both are timed by the wall, and
    by the processor time of the one thread.
    """
    with new_store(database) as (url, folder, _):
        opened(url, folder).store.engine.dispose()
        floor = Floor(Store(url, pooled=True), folder / "house.key")
        floor.refresh()
        with floor.store.engine.begin() as connection:
            connection.execute(text("CREATE TABLE bare (payload TEXT)"))
        insert = f"INSERT INTO bare VALUES ({'?' if database == 'sqlite' else '%s'})"
        took: dict[str, list[tuple[float, float]]] = defaultdict(list)

        def timed(name: str, work: Callable[[], Any]) -> Any:
            start, busy = time.perf_counter(), time.thread_time()
            done = work()
            took[name].append((time.perf_counter() - start, time.thread_time() - busy))
            return done

        def bare(payload: str) -> None:
            with floor.store.engine.begin() as connection:
                connection.exec_driver_sql(insert, (payload,))

        for _ in range(300):
            for command in ROUND:
                entry = timed(command["kind"], lambda command=command: floor.do(command, DEALER))
                timed("bare", lambda entry=entry: bare(entry.payload))
    commands = [each for kind in took if kind != "bare" for each in took[kind]]
    (mine, my_cpu), (theirs, their_cpu) = _medians(commands), _medians(took["bare"])
    verdict = _met(mine, 1.8 * theirs)
    print(f"A table command on {NAMES[database]}, median\n    {mine * 1e3:9.3f} ms   target 1.8 x the baseline: {verdict}")
    print(f"    {theirs * 1e3:9.3f} ms   baseline: a bare durable commit of the same bytes ({mine / theirs:.2f} x)")
    print(f"    {my_cpu * 1e3:9.3f} ms   of the processor, the baseline {their_cpu * 1e3:.3f} ms ({my_cpu / their_cpu:.2f} x)")
    print("    " + ", ".join(f"{kind} {_medians(took[kind])[0] / theirs:.2f} x" for kind in took if kind != "bare"))


def _medians(took: list[tuple[float, float]]) -> tuple[float, float]:
    """Of the time by the wall, and of the processor's."""
    wall, busy = zip(*took, strict=True)
    return statistics.median(wall), statistics.median(busy)


def rebuild_and_audit(folder: Path) -> None:
    """Folding 100,000 entries, and auditing them."""
    floor = opened(f"sqlite:///{folder / 'long.db'}", folder)
    with floor.store.writing() as writer:
        for _ in range(ROUNDS):
            for command in ROUND:
                floor._do(writer, command, DEALER, "")
    entries = floor.store.head()[0]
    start = time.perf_counter()
    assert Floor(floor.store, folder / "house.key").refresh() == floor.state
    rebuilt = time.perf_counter() - start
    start = time.perf_counter()
    for _ in floor.store.entries():
        pass
    read = time.perf_counter() - start
    start = time.perf_counter()
    assert Auditor(floor.store).run().flaw is None
    audited = (time.perf_counter() - start) / ROUNDS * 100_000
    print(f"Rebuilding the tables from {entries:,} entries\n    {rebuilt:9.2f} s    target 5 s: {_met(rebuilt, 5)}")
    print(f"    {read:9.2f} s    baseline: only reading the entries ({rebuilt / read:.1f} x)")
    print(f"Auditing 100,000 one-seat baccarat rounds\n    {audited:9.2f} s    target 60 s: {_met(audited, 60)}")


def sealed_cost(folder: Path) -> None:
    """Auditing rounds whose cards were face down, as anybody can, beside the same rounds written in the clear."""
    bet = {"kind": "bet", "table": "d1", "seat": 1, "guest": "ann", "wager": "ante", "cents": 1_000}
    at_table = [{"kind": kind, "table": "d1"} for kind in ("no-more-bets", "deal")]
    decide, settle = {"kind": "decide", "table": "d1", "seat": 1, "choice": "fold"}, {"kind": "settle", "table": "d1"}
    commands = (bet, *at_table, decide, settle)
    stores = {}
    for how, hides in (("sealed", face_up.hides), ("in the clear", lambda table: False)):
        floors.hides = hides  # type: ignore[attr-defined]
        floor = opened(f"sqlite:///{folder / how}.db", folder)
        table = {"kind": "open", "table": "d1", "edition": "duki-4-wa", "source": "virtual-shoe", "opener_cents": 10**9}
        floor.do({"kind": "fund", "cents": 10**9}, ADMINISTRATOR)
        floor.do(table, SUPERVISOR)
        with floor.store.writing() as writer:
            for _ in range(2_000):
                for command in commands:
                    floor._do(writer, command, DEALER, "")
        stores[how] = Store(floor.store.url)
    took = {how: [] for how in stores}
    for _ in range(5):
        for how, store in stores.items():
            start = time.process_time()
            assert Auditor(store).run().flaw is None
            took[how].append(time.process_time() - start)
    sealed, clear = min(took["sealed"]), min(took["in the clear"])
    print(f"Auditing 2,000 rounds of Duki with cards face down, without the key\n    {sealed:9.2f} s")
    print(f"    {clear:9.2f} s    baseline: the same rounds in the clear ({sealed / clear:.2f} x)")


def _met(took: float, target: float) -> str:
    return "met" if took <= target else "MISSED"


if __name__ == "__main__":
    warm_up()
    leave_in_peace()
    with tempfile.TemporaryDirectory() as name:
        for database in NAMES:
            command_cost(database)
        rebuild_and_audit(Path(name))
        sealed_cost(Path(name))
