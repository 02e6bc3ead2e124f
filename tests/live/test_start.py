"""A store that is not what a floor wrote is named in one line before a cent moves; the audit names what lies in its pages."""

import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from databases import Postgres
from sessions import CAT, house_tables, play, prepare
from sqlalchemy import inspect, text

from houseway.house import schema
from houseway.house import snapshot as snapshots
from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.heads import HeadSender, checked, read_heads, sign_head
from houseway.house.keys import HEADS, load_or_make_key
from houseway.house.start import Opening, check_to_serve
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.entry import GENESIS, Entry
from houseway.table.fold import KEY_MADE
from houseway.web.app import ServeSettings, create_app

TABLES = house_tables(4)
OpenFloor = Callable[[str], Floor]
OUT = {"kind": "cash-out", "guest": "g1", "cents": 100}


@pytest.fixture
def floor(store_url: str, open_floor: OpenFloor) -> Floor:
    """A house in the middle of rounds, on either database."""
    made = open_floor(store_url)
    prepare(made, TABLES)
    play(made, random.Random(8), TABLES, 40)
    return made


def refusal(call: Callable[[], Any]) -> Refused:
    with pytest.raises(Refused) as refused:
        call()
    assert "\n" not in refused.value.message
    return refused.value


def run(store: Store, *statements: str) -> None:
    with store.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def without_triggers(store: Store) -> None:
    on = {table: "" if store.engine.dialect.name == "sqlite" else f" ON {table}" for table in ("entries", "transfers")}
    run(store, *(f"DROP TRIGGER IF EXISTS {table}_no_{action}{on[table]}" for table in on for action in ("update", "delete")))


def served(url: str, key_file: Path) -> Any:
    return create_app(ServeSettings(url, key_file, demo=False))


# The chain


RAISED = "UPDATE entries SET payload = replace(payload, '100000000', '900000000') WHERE seq = 3"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (RAISED, "entry 3"),
        ("UPDATE entries SET actor = 'eve' WHERE seq = 7", "entry 7"),
        ("DELETE FROM entries WHERE seq = 9", "entry 9"),
        ("UPDATE head SET hash = '0'", "the head"),
        ("UPDATE head SET seq = seq - 2", "beyond the head"),
        ("UPDATE head SET seq = seq + 2", "the head"),
        ("DELETE FROM head", "head"),
    ],
)
def test_a_chain_that_does_not_hold_is_neither_served_nor_paid_out(
    floor: Floor, open_floor: OpenFloor, key_file: Path, change: str, named: str
) -> None:
    without_triggers(floor.store)
    run(floor.store, change)
    count = len(list(floor.store.entries()))
    for call in (
        lambda: open_floor(floor.store.url).do(OUT, CAT),
        lambda: served(floor.store.url, key_file),
        *([] if "DELETE FROM head" in change else [lambda: open_floor(floor.store.url).refresh()]),
    ):
        refused = refusal(call)
        assert refused.code == "chain-broken" and named in refused.message and "houseway audit" in refused.message
    assert len(list(floor.store.entries())) == count, "nothing was written"
    assert Auditor(floor.store).run().flaw is not None


def test_a_house_at_work_notices_a_head_that_was_moved(floor: Floor) -> None:
    run(floor.store, "UPDATE head SET seq = seq - 1")
    assert refusal(lambda: floor.do(OUT, CAT)).code == "chain-broken"
    run(floor.store, "UPDATE head SET seq = seq + 1")
    floor.do(OUT, CAT)


def test_an_old_change_is_covered_by_the_snapshot_and_named_by_the_audit(
    floor: Floor, open_floor: OpenFloor, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies before the snapshot is not read at the start, and what it came to is what the chain vouches for."""
    monkeypatch.setattr(snapshots, "EVERY", 10)
    play(floor, random.Random(2), TABLES, 5)
    without_triggers(floor.store)
    run(floor.store, RAISED)
    again = open_floor(floor.store.url)
    assert again.refresh() == floor.state
    opening = Opening(again.store, again.sealing, again.state, again.started_from, again.seq)
    assert "from the snapshot of entry" in str(opening) and "`houseway audit`" in str(opening)
    flaw = Auditor(floor.store).run().flaw
    assert flaw is not None and flaw.seq == 3


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE snapshots SET content = '{}' WHERE seq = :seq",
        "UPDATE snapshots SET content = substr(content, 1, 50) || '~' || substr(content, 52) WHERE seq = :seq",
    ],
    ids=["nothing", "another byte"],  # a snapshot that is sealed knows no names to change
)
def test_a_damaged_newest_snapshot_falls_back_to_the_next(
    floor: Floor, open_floor: OpenFloor, monkeypatch: pytest.MonkeyPatch, spoil: str
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 10)
    play(floor, random.Random(2), TABLES, 40)
    newest, second, *_ = floor.store.snapshot_seqs()
    assert open_floor(floor.store.url).seq == newest
    run(floor.store, spoil.replace(":seq", str(newest)))
    again = open_floor(floor.store.url)
    assert again.seq == second
    assert again.refresh() == floor.state


# The store itself


def test_a_store_of_a_newer_program_is_refused(floor: Floor, key_file: Path) -> None:
    known = len(schema.MIGRATIONS)
    run(floor.store, f"INSERT INTO schema_version VALUES ({known + 1})")
    for call in (lambda: Store(floor.store.url), lambda: Store(floor.store.url, only_reads=True)):
        refused = refusal(call)
        assert refused.code == "store-newer" and f"version {known + 1}" in refused.message and str(known) in refused.message


@pytest.mark.parametrize("lost", ["trigger", "index", "column", "table"])
def test_a_store_of_another_structure_is_not_served(floor: Floor, key_file: Path, lost: str) -> None:
    without_triggers(floor.store) if lost == "trigger" else run(
        floor.store,
        {
            "index": "DROP INDEX entries_once_by_key",
            "column": "ALTER TABLE sealed RENAME COLUMN content TO contents",
            "table": "DROP TABLE snapshots",
        }[lost],
    )
    if lost == "column":
        again = Floor(floor.store, key_file)
        opening = Opening(again.store, again.sealing, House(), 0, 1)
        refused = refusal(lambda: check_to_serve(opening))
    elif lost == "table":
        opening = Opening(floor.store, floor.sealing, floor.state, 0, floor.seq)
        refused = refusal(lambda: check_to_serve(opening))
    else:
        refused = refusal(lambda: served(floor.store.url, key_file))
    assert refused.code == "store-damaged" and "is missing" in refused.message and lost in refused.message


def test_another_key_is_not_served_with(floor: Floor, key_file: Path, tmp_path: Path) -> None:
    before, another = floor.store.head(), tmp_path / "another.key"
    load_or_make_key(another)
    refused = refusal(lambda: served(floor.store.url, another))
    assert "opens none of its sealed shoes" in refused.message and "HOUSEWAY_KEY" in refused.message
    assert floor.store.head() == before
    served(floor.store.url, key_file)


# The heads that have left the house


@pytest.fixture
def own_key(tmp_path: Path) -> Path:
    return tmp_path / "house.key"


@pytest.fixture
def sending(store_url: str, open_store: Callable[[str], Store], own_key: Path) -> Floor:
    """A house with keys, and so with places for its heads, of its own."""
    made = Floor(open_store(store_url), own_key)
    prepare(made, TABLES[:1])
    return made


@pytest.fixture
def place(sending: Floor, tmp_path: Path) -> Path:
    """A file, to which the head of this house was sent some entries ago."""
    file = tmp_path / "elsewhere" / "heads.jsonl"
    file.parent.mkdir()
    checked([str(file)], 1, 0).save(sending.keys)
    assert HeadSender(sending, sending.store, sending.keys).send_due() == []
    sending.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT)
    return file


def rechain(store: Store, until: int | None = None) -> None:
    """An intruder who leaves no trace in the store: all is made anew with another salt, or the tail cut, triggers and all."""
    entries, previous = list(store.as_stored(until=until)), (0, GENESIS)
    is_sqlite = store.engine.dialect.name == "sqlite"
    with store.engine.begin() as connection:
        catalogue = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = connection.execute(text(catalogue)).all() if is_sqlite else []
        if not is_sqlite:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        for name, _ in triggers:
            connection.execute(text(f"DROP TRIGGER {name}"))
        for entry in entries:
            fields = entry.fields() | ({} if until else {"payload": entry.payload.replace("{", '{"a":0,', 1)})
            chained = Entry.chained(previous, fields)
            previous = chained.seq, chained.hash
            new = {"payload": chained.payload, "previous": chained.previous, "hash": chained.hash, "seq": chained.seq}
            changed = "UPDATE entries SET payload = :payload, previous = :previous, hash = :hash WHERE seq = :seq"
            connection.execute(text(changed), new)
        last = {"seq": previous[0], "hash": previous[1]}
        for table in ("transfers", "entries", "snapshots"):
            connection.execute(text(f"DELETE FROM {table} WHERE seq > :seq"), last)
        connection.execute(text("UPDATE head SET seq = :seq, hash = :hash"), last)
        for _, sql in triggers:
            connection.execute(text(sql))


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_chain_that_a_signed_head_contradicts_is_not_served(sending: Floor, own_key: Path, place: Path, is_cut: bool) -> None:
    [head] = read_heads(place)
    served(sending.store.url, own_key)
    rechain(sending.store, head.seq - 1 if is_cut else None)
    before = sending.store.head()
    refused = refusal(lambda: served(sending.store.url, own_key))
    assert refused.code == "store-damaged" and f"entry {head.seq}" in refused.message and "houseway audit" in refused.message
    assert ("tail of the chain was cut" if is_cut else "was rewritten") in refused.message
    assert sending.store.head() == before and read_heads(place) == [head], "nothing was written or sent"
    place.unlink()
    assert f"entry {head.seq}" in refusal(lambda: served(sending.store.url, own_key)).message, "what was sent is known"


@pytest.mark.parametrize(("change", "says"), [("at", "not genuine"), ("public_key", "another key")])
def test_a_forged_head_is_told_at_the_start(sending: Floor, own_key: Path, place: Path, change: str, says: str) -> None:
    [head] = read_heads(place)
    forged = sign_head(sending.store, bytes(range(32))) if change == "public_key" else replace(head, at="2020-01-01T00:00:00")
    place.write_text(json.dumps(asdict(forged)))
    assert says in refusal(lambda: served(sending.store.url, own_key)).message


def test_places_that_cannot_be_read_are_said_and_stop_nobody(
    sending: Floor, own_key: Path, place: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place.write_bytes(place.read_bytes() + b"{torn")
    served(sending.store.url, own_key)
    assert "line 2: not an exported head" in caplog.text
    place.unlink()
    served(sending.store.url, own_key)
    assert "it is not there now" in caplog.text
    place.parent.rmdir()
    place.parent.touch()
    served(sending.store.url, own_key)


def test_a_head_signed_with_a_key_that_was_lost_is_still_the_houses(sending: Floor, own_key: Path, place: Path) -> None:
    sending.keys.file_of(HEADS).unlink()
    key = sending.keys.make(HEADS)
    sending.note(KEY_MADE, CAT, {"key": HEADS, "fingerprint": key.fingerprint, "public_key": key.public, "lost": True})
    served(sending.store.url, own_key)


# The audit of the store


def test_the_store_lets_no_key_be_given_twice(floor: Floor) -> None:
    entry = floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "once")
    columns = ", ".join(f'"{column.name}"' for column in schema.entries.c)
    values = columns.replace('"seq"', str(entry.seq + 1))
    with pytest.raises(Exception, match=r"(?i)unique"):
        run(floor.store, f"INSERT INTO entries ({columns}) SELECT {values} FROM entries WHERE seq = {entry.seq}")


def test_keys_given_twice_are_named_and_not_opened(floor: Floor) -> None:
    """As in a store of before, in which no index forbade it."""
    first = floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "paid")
    run(floor.store, "DROP INDEX entries_once_by_key", "CREATE INDEX entries_by_key ON entries (key)")
    run(floor.store, f"DELETE FROM schema_version WHERE version > {schema.MIGRATIONS.index(schema._key_once)}")
    with floor.store.writing() as writer:
        fields = first.fields()
        writer.append(fields, first.transfers)
    floor.refresh()
    refused = refusal(lambda: Store(floor.store.url))
    assert refused.code == "doubled-key" and f"entries {first.seq} and {first.seq + 1}" in refused.message
    flaws = Auditor(Store(floor.store.url, only_reads=True)).run().flaws
    assert any(flaw.seq == first.seq + 1 and f"of entry {first.seq}" in flaw.what for flaw in flaws)


def test_an_index_of_sqlite_that_lost_a_key_is_named(open_floor: OpenFloor, tmp_path: Path) -> None:
    """One bit of the index, and the key is not found: a buy-in would be paid twice. The audit says so."""
    file = tmp_path / "house.db"
    floor = open_floor(f"sqlite:///{file}")
    prepare(floor, TABLES[:1])
    floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "the-key-of-a-buy-in")
    floor.store.engine.dispose()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries_once_by_key'")
        [[size]] = connection.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    at = content.index(b"the-key-of-a-buy-in", (page - 1) * size, page * size)
    content[at] ^= 1
    file.write_bytes(content)
    floor = open_floor(f"sqlite:///{file}")
    floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "the-key-of-a-buy-in")  # the index hides the first
    flaws = [str(flaw) for flaw in Auditor(floor.store).run().flaws]
    assert any("entries_once_by_key" in flaw for flaw in flaws)
    assert any("carried out twice" in flaw for flaw in flaws)


@pytest.mark.parametrize("with_amcheck", [False, True])
def test_an_index_of_postgresql_that_lost_a_key_is_named(postgres: Postgres, open_floor: OpenFloor, with_amcheck: bool) -> None:
    url = postgres.create()
    floor = open_floor(url)
    prepare(floor, TABLES[:1])

    def is_ready(ready: bool) -> None:  # what is written while it is not, the index never learns
        floor.store.engine.dispose()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "UPDATE pg_index SET indisready = %s WHERE indexrelid = 'entries_once_by_key'::regclass", [ready]
            )

    is_ready(False)
    lost = floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "lost")
    is_ready(True)
    floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "found")
    if with_amcheck:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION amcheck")
    [flaw] = Auditor(open_floor(url).store).run().flaws
    assert "entries_once_by_key" in flaw.what
    assert with_amcheck or flaw.seq == lost.seq
    floor.store.engine.dispose()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("REINDEX TABLE entries")
    assert Auditor(open_floor(url).store).run().flaw is None


def test_broken_pages_are_one_line(open_floor: OpenFloor, key_file: Path, tmp_path: Path, bare_shell: Any) -> None:
    file = tmp_path / "house.db"
    floor = open_floor(f"sqlite:///{file}")
    prepare(floor, TABLES)
    play(floor, random.Random(1), TABLES, 60)
    floor.store.engine.dispose()
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries' AND type = 'table'")
        [[size]] = connection.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(content)
    report = Auditor(Store(f"sqlite:///{file}", only_reads=True)).run()
    assert report.flaws and all("\n" not in str(flaw) for flaw in report.flaws)
    assert any("cannot be read" in flaw.what for flaw in report.flaws)
    printed = bare_shell("audit", code=1)
    assert "FIRST FLAW" in printed and "Traceback" not in printed
    assert refusal(lambda: served(f"sqlite:///{file}", key_file)).code == "store-damaged"
    for command in ("cage balances", "cage cash-out 1 --guest g1 --as cat:cashier", "table show 0-0"):
        assert bare_shell(command, code=2).count("\n") == 1


# What is read is not made


def test_an_audit_makes_no_store(bare_shell: Any, tmp_path: Path, postgres: Postgres) -> None:
    for command in ("audit", "journal export", "audit head", f"journal backup {tmp_path / 'copy.db'}"):
        said = bare_shell(f"{command} --store sqlite:///{tmp_path / 'none.db'}", code=2)
        assert "no store" in said
        assert not (tmp_path / "none.db").exists()
    url = postgres.create()
    assert refusal(lambda: Store(url, only_reads=True)).code == "no-store"
    assert inspect(_engine(url)).get_table_names() == []
    (tmp_path / "empty.db").touch(0o600)
    assert refusal(lambda: Store(f"sqlite:///{tmp_path / 'empty.db'}", only_reads=True)).code == "no-store"
    assert (tmp_path / "empty.db").read_bytes() == b""


def _engine(url: str) -> Any:
    from sqlalchemy import create_engine

    return create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))


def test_an_audit_changes_nothing(floor: Floor) -> None:
    read = Store(floor.store.url, only_reads=True)
    with pytest.raises(Exception, match=r"(?i)read-?\s?only|readonly"), read.engine.begin() as connection:
        connection.execute(text("DELETE FROM people"))
    assert Auditor(read).run().flaw is None
    read.engine.dispose()


# A file of years


def test_of_a_long_file_only_what_does_not_grow_is_read_before_it_opens(
    tmp_path: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage in the accounts is found at a start whatever the size; of a long journal's first pages the audit tells."""
    file = tmp_path / "house.db"
    floor = Floor(Store(f"sqlite:///{file}"), key_file)
    prepare(floor, TABLES)
    floor.store.engine.dispose()
    monkeypatch.setattr("houseway.house.start.LONG_FILE_BYTES", 0)
    served(f"sqlite:///{file}", key_file)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sessions' AND type = 'table'")
        [[size]] = connection.execute("PRAGMA page_size")
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(content)
    assert refusal(lambda: served(f"sqlite:///{file}", key_file)).code == "store-damaged"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_config_check_finds_nothing_wrong_with_a_server_that_answers(kind, new_url, run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_STORE", new_url(kind))
    file = tmp_path / "houseway.toml"
    file.write_text('[serve]\nhost = "127.0.0.1"\n')
    code, said, _ = run("config", "check", file)
    assert code == 0 and said.splitlines()[-1] == f"{file}: nothing wrong", said
    assert run("alerts")[0] == 0  # the house is made
    assert run("config", "check", file)[0] == 0
