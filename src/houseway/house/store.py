"""The store: one append-only chain for the house, in SQLite or PostgreSQL. The only file with SQL, beside the schema."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, func, insert, or_, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, NoResultFound
from sqlalchemy.pool import NullPool, QueuePool

from houseway.house import schema
from houseway.table.entry import Entry
from houseway.table.ledger import Transfer

READING = {"reading": True}
"""Marks a connection that only reads: it must not wait for a writer, nor make one wait."""
ROUND_ENDS = ("open", "settle", "void")
"""The commands after which a table has another round."""
Head = tuple[int, str]
"""The sequence number and the hash of the newest entry."""


def default_url() -> str:
    """`HOUSEWAY_STORE` if set, otherwise an SQLite file in the user's data folder."""
    chosen = os.environ.get("HOUSEWAY_STORE")
    if chosen:
        return chosen
    base = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "houseway"
    base.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{base / 'house.db'}"


def known_store() -> "Store | None":
    """The store of this user, if there is one; none is made."""
    if not os.environ.get("HOUSEWAY_STORE"):
        file = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "houseway" / "house.db"
        if not file.exists():
            return None
    return Store(default_url())


class Store:
    """Entries, their transfers and sealed shoes; whatever is written together is written or not written together."""

    def __init__(self, url: str, pooled: bool = False) -> None:
        self.url, self._tolerant = url, False
        self.engine = _engine(url, lambda: self._tolerant, pooled)
        schema.migrate(self.engine)

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """A transaction that holds the head of the chain: one writer at a time, all or nothing."""
        try:
            with self.engine.begin() as connection:
                yield Writer(connection)
        except psycopg.Error as error:  # of a statement that went straight to the driver
            raise DBAPIError("in a writing transaction", None, error) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading."""
        with self.engine.connect().execution_options(**READING) as connection:
            yield connection

    def told_of(self) -> Iterator[int]:
        """The number of every entry that any process appends, as it does; ends when the connection does (PostgreSQL)."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("LISTEN houseway")
            yield 0  # whatever came before we listened
            for notice in connection.notifies():
                yield int(notice.payload)

    @contextmanager
    def tolerant(self) -> Iterator[None]:
        """Read bytes that are no text too, as an auditor must: an intruder may have left some."""
        self._tolerant = True
        try:
            yield
        finally:
            self._tolerant = False

    def head(self) -> Head:
        """The newest entry's number and hash."""
        with self.reading() as connection:
            row = connection.execute(select(schema.head.c.seq, schema.head.c.hash)).one_or_none()
        return _head(row) if row else (0, "missing")

    def last_seq(self) -> tuple[int, int]:
        """The number the head names, and the highest number of an entry, as of one moment."""
        newest = select(func.max(schema.entries.c.seq)).scalar_subquery()
        with self.reading() as connection:
            row = connection.execute(select(schema.head.c.seq, newest)).one_or_none()
        return (row[0], row[1] or 0) if row else (0, 0)

    def entries(self, after: int = 0, until: int | None = None, batch: int = 10_000) -> Iterator[Entry]:
        """All entries after a number (and up to another), in order."""
        while True:
            with self.reading() as connection:
                entries = read_entries(connection, after, batch)
            yield from (entry for entry in entries if until is None or entry.seq <= until)
            if len(entries) < batch or (until is not None and entries[-1].seq >= until):
                return
            after = entries[-1].seq

    def entries_of_kinds(self, kinds: Sequence[str]) -> list[Entry]:
        """All entries of these kinds, in order."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.kind.in_(kinds)).order_by(columns.seq)
        with self.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def round_entries(self, table: str, until: int) -> list[Entry]:
        """The entries of the round that ended with this one: back to the end of the round before, or the opening."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.table == table, columns.seq <= until).order_by(columns.seq.desc())
        entries: list[Entry] = []
        with self.reading() as connection:
            for row in connection.execution_options(yield_per=200).execute(query):
                entry = _entry(row)
                if entries and entry.kind in ROUND_ENDS:
                    break
                entries.append(entry)
        return entries[::-1]

    def settlements(self, table: str, openings: int) -> Iterator[Entry]:
        """The settlements of a table and their corrections, newest first, back to the last opening but so many."""
        columns = schema.entries.c
        kinds = columns.kind.in_(("settle", "correct", "open"))
        query = select(schema.entries).where(columns.table == table, kinds).order_by(columns.seq.desc())
        with self.reading() as connection:
            for row in connection.execution_options(yield_per=200).execute(query):
                entry = _entry(row)
                openings -= entry.kind == "open"
                if not openings:
                    return
                if entry.kind != "open":
                    yield entry

    def corrections(self, table: str, round_: int, settled: int) -> list[Entry]:
        """The corrections of a round that was settled by this entry, in order."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.table == table, columns.kind == "correct", columns.seq > settled)
        with self.reading() as connection:
            entries = [_entry(row) for row in connection.execute(query.order_by(columns.seq))]
        return [entry for entry in entries if entry.data["command"]["round"] == round_]

    def last_end(self, table: str) -> int:
        """The entry that ended a table's last round, or opened it."""
        columns = schema.entries.c
        query = select(func.max(columns.seq)).where(columns.table == table, columns.kind.in_(ROUND_ENDS))
        with self.reading() as connection:
            seq: int | None = connection.execute(query).scalar()
        return seq or 0

    def ends_near(self, table: str, seq: int) -> tuple[int | None, int | None]:
        """The entries that ended the round before and the round after the one that ended with this entry."""
        columns = schema.entries.c
        ends = (columns.table == table, columns.kind.in_(("settle", "void")))
        with self.reading() as connection:
            before: int | None = connection.execute(select(func.max(columns.seq)).where(*ends, columns.seq < seq)).scalar()
            after: int | None = connection.execute(select(func.min(columns.seq)).where(*ends, columns.seq > seq)).scalar()
        return before, after

    def entries_about_shoe(self, table: str, shoe: str) -> list[Entry]:
        """The commitment to a shoe and, if it is done, its revelation."""
        columns = schema.entries.c
        kinds = columns.kind.in_(("shoe-committed", "shoe-revealed"))
        query = select(schema.entries).where(
            columns.table == table, kinds, columns.payload.contains(f'"{shoe}"', autoescape=True)
        )
        with self.reading() as connection:
            return [_entry(row) for row in connection.execute(query.order_by(columns.seq))]

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        with self.reading() as connection:
            row = connection.execute(select(schema.entries).where(schema.entries.c.seq == seq)).first()
        return _entry(row) if row else None

    def snapshot(self, before: int | None = None) -> tuple[Entry, str] | None:
        """The newest snapshot (before an entry), and the entry of its number."""
        columns = schema.snapshots.c
        query = select(schema.entries, columns.content).join(schema.entries, schema.entries.c.seq == columns.seq)
        query = query if before is None else query.where(columns.seq < before)
        with self.reading() as connection:
            row = connection.execute(query.order_by(columns.seq.desc())).first()
        return (_entry(row[:-1]), row[-1]) if row else None

    def misplaced_transfers(self) -> list[int]:
        """The entries whose transfers are not numbered 0, 1, 2, ..."""
        columns = schema.transfers.c
        wrong = or_(func.min(columns.place) != 0, func.max(columns.place) != func.count() - 1)
        query = select(columns.seq).group_by(columns.seq).having(wrong).order_by(columns.seq)
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def transfers(self) -> Iterator[tuple[int, Transfer]]:
        """The stored transfers, each with the number of its entry, in order."""
        return ((seq, Transfer(*moved)) for seq, *moved in self.transfer_rows())

    def transfer_rows(self, until: int | None = None) -> Iterator[Sequence[Any]]:
        """The stored transfers (of the entries up to a number): entry, source, target, cents and why."""
        columns = schema.transfers.c
        with self.reading() as connection:
            query = select(columns.seq, columns.source, columns.target, columns.cents, columns.why)
            query = query if until is None else query.where(columns.seq <= until)
            yield from connection.execution_options(yield_per=10_000).execute(query.order_by(columns.seq, columns.place))


APPEND_AT_ONCE = """
    WITH chained AS (
        INSERT INTO entries (seq, at, day, "table", actor, role, kind, key, payload, previous, hash)
        VALUES (%(seq)s, %(at)s, %(day)s, %(table)s, %(actor)s, %(role)s, %(kind)s, %(key)s, %(payload)s,
                %(previous)s, %(hash)s)
    ), moved AS (
        INSERT INTO transfers (seq, place, source, target, cents, why)
        SELECT %(seq)s, place - 1, source, target, cents, why
        FROM unnest(%(sources)s::text[], %(targets)s::text[], %(amounts)s::bigint[], %(whys)s::text[])
             WITH ORDINALITY AS listed (source, target, cents, why, place)
    ), headed AS (
        UPDATE head SET seq = %(seq)s, hash = %(hash)s
    )
    SELECT pg_notify('houseway', %(told)s)
"""
"""PostgreSQL: the entry, its transfers, the head and the word to other processes in one round trip."""


class Writer:
    """What may be done inside a writing transaction.

    On PostgreSQL the statements that every command needs go straight to the driver: preparing them anew for each command
    would cost about as much as the server takes for them.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._driver: psycopg.Connection[Any] | None = None
        if connection.dialect.name == "postgresql":
            self._driver = cast("psycopg.Connection[Any]", connection.connection.driver_connection)
            row = self._driver.execute("SELECT seq, hash FROM head FOR UPDATE").fetchone()
        else:  # SQLite has begun by locking everything
            row = connection.exec_driver_sql("SELECT seq, hash FROM head").first()
        if row is None:
            raise NoResultFound("the head of the chain is missing")
        self.head: Head = row[0], row[1]

    def entries(self, after: int) -> list[Entry]:
        """The entries after a number."""
        return read_entries(self.connection, after, None)

    def entry_with_key(self, key: str) -> Entry | None:
        """The entry that a command with this idempotency key left, if any."""
        row = self.connection.execute(select(schema.entries).where(schema.entries.c.key == key)).first()
        return _entry(row) if row else None

    def append(self, fields: dict[str, str], transfers: Sequence[Transfer]) -> Entry:
        """Chain an entry, store its transfers and move the head."""
        entry = Entry.chained(self.head, fields)
        self.head = entry.seq, entry.hash
        values = entry.fields() | {"seq": entry.seq, "previous": entry.previous, "hash": entry.hash}
        if self._driver:
            columns = {f"{name}s": [getattr(t, name) for t in transfers] for name in ("source", "target", "why")}
            columns["amounts"] = [t.cents for t in transfers]
            self._driver.execute(APPEND_AT_ONCE, values | columns | {"told": str(entry.seq)})
            return entry
        self.connection.execute(insert(schema.entries).values(**values))
        if transfers:
            rows = [
                {"seq": entry.seq, "place": place, "source": t.source, "target": t.target, "cents": t.cents, "why": t.why}
                for place, t in enumerate(transfers)
            ]
            self.connection.execute(insert(schema.transfers), rows)
        self.connection.execute(update(schema.head).values(seq=entry.seq, hash=entry.hash))
        return entry

    def put_snapshot(self, seq: int, content: str) -> None:
        """Keep a snapshot."""
        self.connection.execute(insert(schema.snapshots).values(seq=seq, content=content))

    def put_sealed(self, shoe: str, content: bytes) -> None:
        """Keep a sealed shoe."""
        self.connection.execute(insert(schema.sealed).values(shoe=shoe, content=content))

    def sealed(self, shoe: str) -> bytes | None:
        """A sealed shoe, if it is kept."""
        if self._driver:
            row = self._driver.execute("SELECT content FROM sealed WHERE shoe = %s", [shoe]).fetchone()
        else:
            row = self.connection.execute(select(schema.sealed.c.content).where(schema.sealed.c.shoe == shoe)).first()
        return bytes(row[0]) if row else None


def read_entries(connection: Connection, after: int, most: int | None) -> list[Entry]:
    """Entries after a number, in order."""
    query = select(schema.entries).where(schema.entries.c.seq > after).order_by(schema.entries.c.seq)
    return [_entry(row) for row in connection.execute(query.limit(most) if most else query)]


def _entry(row: Sequence[Any]) -> Entry:
    return Entry(*row)  # the columns stand in the order of the fields


def _head(row: Row[int, str]) -> Head:
    return row[0], row[1]


def _patiently(connection: Any, statement: str) -> None:
    """Switching a new file to WAL does not wait for others who do the same: try again."""
    for _ in range(100):
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError:
            time.sleep(0.05)
    connection.execute(statement)


def _engine(url: str, tolerant: Callable[[], bool], pooled: bool) -> Engine:
    """A server keeps its connections (`pooled`); a short command opens one, and leaves nothing behind for a fork."""
    if url.startswith("postgresql"):
        return create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1), pool_size=2, max_overflow=8)
    poolclass = QueuePool if pooled else None if ":memory:" in url else NullPool
    engine = create_engine(url, connect_args={"timeout": 30, "check_same_thread": False}, poolclass=poolclass)

    @event.listens_for(engine, "connect")
    def configure(connection: object, _: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        if tolerant():
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # type: ignore[attr-defined]
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON"):
            _patiently(connection, statement)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if connection.get_execution_options().get("reading") else "BEGIN IMMEDIATE")

    return engine
