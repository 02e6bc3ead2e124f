"""The store on both databases: append-only, one chain, all or nothing, once per key, and the same after reopening."""

import hashlib
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from databases import DATABASES, Postgres
from sessions import CAT, DAN, ROOT, SUE, Job, Recount, Zygote, finish_round, house_tables, play, prepare, read_log
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.heads import sign_head
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import FIELDS, GENESIS, Entry, canonical
from houseway.table.fields import MOST_AMOUNT_CENTS

TABLES = house_tables(4)
OpenFloor = Callable[[str], Floor]
BET = {"kind": "bet", "table": "0-0", "seat": 1, "guest": "g1", "wager": "banker", "cents": 10000}


@pytest.fixture(scope="module", params=DATABASES)
def prepared(request: pytest.FixtureRequest, new_url: Callable[[str], str], key_file: Path) -> str:
    """A house with four tables and nothing on them, to be copied."""
    store = Store(new_url(request.param))
    prepare(Floor(store, key_file), TABLES)
    store.engine.dispose()
    return store.url


@pytest.fixture
def floor(prepared: str, copy_of: Callable[[str], str], open_floor: OpenFloor) -> Floor:
    made = open_floor(copy_of(prepared))
    made.refresh()
    return made


# Append-only


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET actor = 'mallory' WHERE seq = 3",
        "UPDATE entries SET hash = hash",
        "DELETE FROM entries WHERE seq = 3",
        "DELETE FROM entries",
        "UPDATE transfers SET cents = cents + 1 WHERE seq = 3",
        "UPDATE transfers SET why = why",
        "DELETE FROM transfers WHERE seq = 3",
        "DELETE FROM transfers",
    ],
)
def test_the_database_refuses_to_change_history(floor: Floor, statement: str) -> None:
    entries, transfers = list(floor.store.entries()), list(floor.store.transfers())
    with pytest.raises(DatabaseError, match="append-only"), floor.store.engine.begin() as connection:
        connection.execute(text(statement))
    assert (list(floor.store.entries()), list(floor.store.transfers())) == (entries, transfers)


@pytest.mark.parametrize("table", ["entries", "transfers"])
def test_postgresql_refuses_truncate(open_floor: OpenFloor, postgres: Postgres, table: str) -> None:
    floor = open_floor(postgres.create())
    prepare(floor, [])
    with pytest.raises(DatabaseError, match="append-only"), floor.store.engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {table}"))
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize("table", ["entries", "transfers"])
def test_sqlite_refuses_replace(open_floor: OpenFloor, tmp_path: Path, table: str) -> None:
    """REPLACE deletes without the delete trigger, unless the connection asks for recursive triggers."""
    floor = open_floor(f"sqlite:///{tmp_path / 'house.db'}")
    prepare(floor, [])
    before = list(floor.store.entries()), list(floor.store.transfers())
    connection = sqlite3.connect(tmp_path / "house.db")
    with pytest.raises(sqlite3.DatabaseError, match="append-only"), connection:
        connection.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE seq = 1")
    connection.close()
    assert (list(floor.store.entries()), list(floor.store.transfers())) == before


@pytest.mark.usefixtures("durable")
def test_sqlite_is_durable_and_in_wal_mode(open_floor: OpenFloor, tmp_path: Path) -> None:
    floor = open_floor(f"sqlite:///{tmp_path / 'house.db'}")
    with floor.store.engine.connect() as connection:
        pragmas = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
    assert pragmas == ["wal", 2]


# One chain


@pytest.mark.parametrize("odd", ["", '"\\', "\x00\x1f\x7f\u2028", "é 🂡", '{"a":["b"]}', 7, None])
def test_a_hash_is_of_the_canonical_form(odd: Any) -> None:
    """Whoever recomputes a chain needs the document only: the hash is of the entry as canonical JSON, whatever is in it."""
    entry = Entry.chained((41, GENESIS), dict.fromkeys(FIELDS, odd))
    assert entry.hash == hashlib.sha256(canonical([42, GENESIS, *[odd] * len(FIELDS)]).encode()).hexdigest()
    assert entry.holds((41, GENESIS))


def test_what_was_just_written_is_at_hand(floor: Floor) -> None:
    """The entries after a number are those of the store, whether they were written here or must be read."""
    for _ in range(20):
        before = floor.seq
        play(floor, random.Random(before), TABLES, 2)
        for after in (0, before, floor.seq - 1, floor.seq):
            at_hand, stored = list(floor.entries_after(after)), list(floor.store.entries(after))
            assert at_hand == stored
            assert [canonical(entry.data) for entry in at_hand] == [canonical(entry.data) for entry in stored]
    last = floor.seq
    with pytest.raises(RuntimeError), floor._all_or_nothing() as writer:  # what fails after it was written did not happen
        floor._append(writer, "attempt", "", CAT, "", {}, [])
        raise RuntimeError
    assert floor.seq == last == floor.store.head()[0]
    assert list(floor.entries_after(last - 1)) == list(floor.store.entries(last - 1))


def test_every_entry_is_chained_to_the_one_before(floor: Floor) -> None:
    play(floor, random.Random(5), TABLES, 60)
    previous = (0, GENESIS)
    for entry in floor.store.entries():
        assert entry.holds(previous)
        assert not replace(entry, actor=entry.actor + "x").holds(previous)
        previous = (entry.seq, entry.hash)
    assert floor.store.head() == previous == (floor.seq, previous[1])


def test_entries_come_in_batches_without_gap(floor: Floor) -> None:
    whole = list(floor.store.entries())
    assert list(floor.store.entries(batch=3)) == whole
    assert list(floor.store.entries(after=5, batch=1)) == whole[5:]
    assert [entry.seq for entry in whole] == list(range(1, len(whole) + 1))


def test_an_audit_reads_a_journal_longer_than_a_batch(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    play(floor, random.Random(5), TABLES, 30)
    monkeypatch.setattr(Store.entries, "__defaults__", (0, None, 7))
    report = Auditor(floor.store, sign_head(floor.store, bytes(range(32)))).run()
    assert (report.flaw, report.entries) == (None, floor.seq)


def test_an_empty_store_has_nothing_to_find(open_floor: OpenFloor, store_url: str) -> None:
    floor = open_floor(store_url)
    report = Auditor(floor.store, sign_head(floor.store, bytes(range(32)))).run()
    assert (report.flaw, report.entries, report.head) == (None, 0, (0, GENESIS))


def test_two_floors_on_one_store_see_each_others_entries(open_floor: OpenFloor, store_url: str) -> None:
    one, other = open_floor(store_url), open_floor(store_url)
    prepare(one, TABLES)
    assert other.do(BET, DAN).previous == one.store.head()[1] or other.seq > one.seq
    with pytest.raises(Refused, match="g1") as refused:
        one.do({**BET, "guest": "g2"}, DAN)
    assert refused.value.code == "seat-taken"
    rng = random.Random(8)
    for turn in range(40):
        play((one, other)[turn % 2], rng, TABLES, 1)
    assert one.refresh() == other.refresh()
    assert one.seq == other.seq == one.store.head()[0]
    assert Auditor(one.store).run().flaw is None


def test_reopening_gives_an_equal_state(floor: Floor, open_floor: OpenFloor) -> None:
    rng = random.Random(21)
    for _ in range(5):
        play(floor, rng, TABLES, 25)
        assert open_floor(floor.store.url).refresh() == floor.state
    assert Recount(floor.store).problems == []


# Refusals


@pytest.mark.parametrize(
    "command",
    [
        {**BET, "cents": 10**10},
        {**BET, "guest": "nobody"},
        {**BET, "cents": 0},
        {**BET, "cents": -1},
        {**BET, "cents": 2**63},
        {**BET, "cents": 100.0},
        {**BET, "seat": 99},
        {**BET, "table": "9-9"},
        {**BET, "wager": "six"},
        {"kind": "settle", "table": "0-0"},
        {"kind": "deal", "table": "0-0"},
        {"kind": "no-more-bets", "table": "0-0"},
        {"kind": "no-such-thing"},
        {"kind": ["bet"]},
        {},
        {"kind": "tip", "table": "0-0", "guest": "nobody", "cents": 1},
        {"kind": "credit", "table": "0-0", "cents": 10**11},
    ],
    ids=str,
)
def test_a_refused_command_changes_nothing(floor: Floor, command: dict[str, Any]) -> None:
    before = floor.store.head(), floor.state
    actor = CAT if command.get("kind") == "credit" else DAN
    with pytest.raises(Refused):
        floor.do(command, actor, "a-key")
    assert (floor.store.head(), floor.state) == before
    assert floor.do(BET, DAN, "a-key").seq == before[0][0] + 1, "a refused command does not use its key up"


@pytest.mark.parametrize(
    ("command", "actor", "code"),
    [
        ({"kind": "fund", "cents": 1}, DAN, "role-may-not"),
        ({"kind": "void", "table": "0-0", "reason": "misdeal"}, DAN, "role-may-not"),
        ({"kind": "void", "table": "0-0", "reason": "bad mood"}, SUE, "unknown-reason"),
        ({"kind": "close", "table": "9-9"}, SUE, "unknown-table"),
        ({"kind": "buy-in", "guest": "g1", "cents": 100}, Actor("gus", "guest"), "role-may-not"),
    ],
)
def test_an_attempt_worth_knowing_is_recorded_and_moves_nothing(
    floor: Floor, command: dict[str, Any], actor: Actor, code: str
) -> None:
    before = floor.store.head()[0], floor.state, list(floor.store.transfers())
    with pytest.raises(Refused) as refused:
        floor.do(command, actor, "a-key")
    assert refused.value.code == code
    assert (floor.state, list(floor.store.transfers())) == before[1:]
    (attempt,) = floor.store.entries(before[0])
    assert (attempt.kind, attempt.actor, attempt.data["code"], attempt.key) == ("attempt", actor.name, code, "")
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize(
    ("command", "actor", "key"),
    [
        ({"kind": "open", "table": "t" * 60, "edition": "duki-4-wa", "source": "virtual-shoe", "opener_cents": 1}, SUE, ""),
        ({**BET, "note": "\ud800"}, DAN, ""),
        ({**BET, "note": "\0"}, DAN, ""),
        ({**BET, "note": float("nan")}, DAN, ""),
        (BET, DAN, "k" * 200),
        (BET, DAN, "k\0"),
        (BET, Actor("d" * 200, "dealer"), ""),
        (BET, Actor("d\0", "dealer"), ""),
        ({"kind": "fund", "cents": 1, "table": "a\0b"}, DAN, ""),
        ({"kind": "fund", "cents": 1}, Actor("dan", "no-such-role-in-this-house"), ""),
    ],
    ids=["long-table", "surrogate", "nul", "nan", "long-key", "nul-key", "long-name", "nul-name", "nul-table", "long-role"],
)
def test_odd_input_is_taken_or_refused_alike_on_both_databases(
    floor: Floor, command: dict[str, Any], actor: Actor, key: str
) -> None:
    """Never an error of the database or of Python: only Refused is an answer."""
    with suppress(Refused):
        floor.do(command, actor, key)
    assert Auditor(floor.store).run().flaw is None
    assert floor.do({**BET, "seat": 2}, DAN).seq == floor.store.head()[0]


def test_a_commit_that_fails_did_not_happen(floor: Floor, open_floor: OpenFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is lost at the last moment: the floor must not believe what the store does not hold."""
    before = floor.store.head(), floor.state

    def lose(_: object) -> None:
        raise ConnectionError("the connection is lost")

    with monkeypatch.context() as patched:
        patched.setattr("houseway.house.store.Writer.finish", lose)
        with pytest.raises(ConnectionError):
            floor.do(BET, DAN, "lost")
    assert (floor.store.head(), floor.refresh()) == before
    entry = floor.do(BET, DAN, "lost")
    assert entry.seq == before[0][0] + 1
    assert open_floor(floor.store.url).refresh() == floor.state


# Keys


def test_the_same_key_and_body_have_one_effect(floor: Floor, open_floor: OpenFloor) -> None:
    other = open_floor(floor.store.url)
    entry = floor.do(BET, DAN, "once")
    head, state = floor.store.head(), floor.state
    reordered = dict(reversed(BET.items()))
    assert floor.do(BET, DAN, "once") == other.do(BET, DAN, "once") == floor.do(reordered, DAN, "once") == entry
    assert (floor.store.head(), floor.state, other.refresh()) == (head, state, state)


def test_the_same_key_with_another_body_is_refused(floor: Floor) -> None:
    floor.do(BET, DAN, "once")
    head, state = floor.store.head(), floor.state
    for command in ({**BET, "cents": 10001}, {**BET, "note": "x"}, {"kind": "no-more-bets", "table": "0-0"}):
        with pytest.raises(Refused) as refused:
            floor.do(command, DAN, "once")
        assert refused.value.code == "key-reused"
    assert (floor.store.head(), floor.state) == (head, state)


def test_a_round_repeated_command_by_command_is_played_once(floor: Floor, open_floor: OpenFloor) -> None:
    """A client that sends everything twice, the second time after a restart of the house."""
    commands = [BET, {**BET, "seat": 2, "wager": "tie", "cents": 500}]
    commands += [{"kind": kind, "table": "0-0"} for kind in ("no-more-bets", "deal", "settle")]
    first = [floor.do(command, DAN, f"k{number}") for number, command in enumerate(commands)]
    again = open_floor(floor.store.url)
    assert [again.do(command, DAN, f"k{number}") for number, command in enumerate(commands)] == first
    assert again.state == floor.state
    assert Recount(floor.store).problems == []
    with pytest.raises(Refused) as refused:
        again.do({"kind": "settle", "table": "0-0"}, DAN)
    assert refused.value.code == "wrong-phase"


# Schema


def test_migrating_again_changes_nothing(floor: Floor, open_store: Callable[[str], Store]) -> None:
    play(floor, random.Random(2), TABLES, 20)
    before = floor.store.head(), list(floor.store.entries()), list(floor.store.transfers())
    for _ in range(3):
        store = open_store(floor.store.url)
        assert (store.head(), list(store.entries()), list(store.transfers())) == before
        with store.engine.connect() as connection:
            assert len(connection.execute(text("SELECT version FROM schema_version")).all()) >= 1
            assert len(connection.execute(text("SELECT one FROM head")).all()) == 1


@pytest.mark.parametrize("database", DATABASES)
def test_processes_may_open_a_new_store_at_once(
    zygote: Zygote, new_url: Callable[[str], str], open_floor: OpenFloor, key_file: Path, tmp_path: Path, database: str
) -> None:
    for attempt in range(4):
        url, start = new_url(database), time.time() + 0.05
        logs = [tmp_path / f"{attempt}-{number}.log" for number in range(4)]
        jobs = [Job(url, str(key_file), str(log), 1, [], steps=0, start_at=start) for log in logs]
        statuses = [zygote.wait(pid) for pid in [zygote.fork(job) for job in jobs]]
        assert statuses == [0, 0, 0, 0], [read_log(log) for log in logs]
        floor = open_floor(url)
        prepare(floor, TABLES[:1])
        assert Auditor(floor.store).run().flaw is None


# The table's win


def test_the_win_at_closing_is_what_the_rounds_say(floor: Floor) -> None:
    """Win = closer + credits + drop - opener - fills, recounted here from the stored transfers."""
    rng = random.Random(77)
    play(floor, rng, TABLES, 250)
    for table in TABLES:
        if not floor.state.tables[table].is_open:
            continue
        finish_round(floor, table, rng)
        floor.do({"kind": "fill", "table": table, "cents": 12300}, CAT)
        floor.do({"kind": "credit", "table": table, "cents": 4500}, CAT)
        floor.do({"kind": "table-buy-in", "table": table, "guest": "g2", "cents": 6700}, DAN)
        opened = max(entry.seq for entry in floor.store.entries() if entry.kind == "open" and entry.table == table)
        closed = floor.do({"kind": "close", "table": table}, SUE)
        said = next(event for event in closed.data["events"] if event["event"] == "table-closed")
        cents = {"opener": 0, "fill": 0, "credit": 0, "closer": 0, "drop": 0}
        won = 0
        for seq, moved in floor.store.transfers():
            if opened <= seq <= closed.seq and {moved.source, moved.target} & {f"tray:{table}", f"drop:{table}"}:
                if moved.why in cents:
                    cents[moved.why] += moved.cents
                elif "guest:" in moved.source + moved.target or "wagers:" in moved.source + moved.target:
                    is_chips_for_cash = moved.why == "chips for cash"
                    won += 0 if is_chips_for_cash else moved.cents if moved.target == f"tray:{table}" else -moved.cents
        win = cents["closer"] + cents["credit"] + cents["drop"] - cents["opener"] - cents["fill"]
        assert (said["win_cents"], said["rounds_say_cents"], said["balanced"]) == (win, won, True)
        assert win == won
        assert floor.state.balance(f"tray:{table}") == floor.state.balance(f"drop:{table}") == 0
    assert Auditor(floor.store).run().flaw is None


def test_a_closer_counted_wrong_does_not_balance(floor: Floor) -> None:
    closed = floor.do({"kind": "close", "table": "0-0", "closer_cents": 49_999_900}, SUE)
    said = next(event for event in closed.data["events"] if event["event"] == "table-closed")
    assert (said["balanced"], said["closer_cents"], said["counted_cents"]) == (False, 50_000_000, 49_999_900)


def test_all_cash_that_enters_can_leave(open_floor: OpenFloor, store_url: str) -> None:
    floor = open_floor(store_url)
    floor.do({"kind": "fund", "cents": 500}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": MOST_AMOUNT_CENTS}, CAT)
    for cents in (MOST_AMOUNT_CENTS + 1, 2**63 - 1 - 500):
        with pytest.raises(Refused) as refused:
            floor.do({"kind": "buy-in", "guest": "ann", "cents": cents}, CAT)
        assert refused.value.code == "amount-too-large"
    floor.do({"kind": "cash-out", "guest": "ann", "cents": MOST_AMOUNT_CENTS}, CAT)
    assert dict(floor.state.balances) == {"outside": -500, "cage": 500, "guest:ann": 0}
    assert Auditor(floor.store).run().flaw is None
