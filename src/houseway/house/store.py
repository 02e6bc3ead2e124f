"""The store: one append-only chain for the house, in SQLite or PostgreSQL. The only file with SQL, beside the schema."""

import base64
import json
import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, bindparam, create_engine, event, func, insert, or_, select, update
from sqlalchemy.engine import Row
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import NullPool, PoolProxiedConnection, QueuePool

from houseway.house import schema
from houseway.house.opening import checked, file_of, url_of, url_of_file
from houseway.house.private import at_home, check_private, private_folder, private_store
from houseway.house.sealing import NotOpened, Sealing, open_entry
from houseway.refusal import Refused
from houseway.table.entry import SEALED_MARK, Entry, row_of
from houseway.table.ledger import Transfer

READING = {"reading": True}
"""Marks a connection that only reads: it must not wait for a writer, nor make one wait."""
ROUND_ENDS = ("open", "settle", "void")
"""The commands after which a table has another round."""
LOCK_SECONDS = 5
"""How long a served command waits for another program that holds the store."""
FORGET_MS = 200
"""How long others wait at most when a log is emptied that somebody still reads."""
REACHED_WITHIN: dict[str, Any] = {"connect_timeout": 5, "keepalives_idle": 10, "tcp_user_timeout": 10_000}
"""A PostgreSQL server that is gone without a word is noticed within seconds."""
_ASKED_AT_ONCE = 1000
"""How many entries a statement asks for by number: databases take so many and no more."""
SESSIONS = "houseway_sessions"
"""Where processes tell each other that somebody's session has ended, or is locked."""
_A_ROUND = 25
"""Entries that are read at a time where those of one round are wanted: most have no more."""
Head = tuple[int, str]
"""The sequence number and the hash of the newest entry."""
TO_DO = "`houseway audit` names every flaw, and `houseway journal restore` brings a backup into a new store"
DAMAGED = "store-damaged"
DAMAGE = ("invalid page", "could not read block", "corrupt")
"""What PostgreSQL says of a store whose bytes are not as it wrote them."""
OUTAGE = ("locked", "busy", "readonly", "full", "i/o error", "unable to open", "interrupted", "closed", "out of memory")
"""What SQLite says of a store that it could not use just now; anything else it says is of what it found there."""


def default_url() -> str:
    """`HOUSEWAY_STORE` if set, otherwise an SQLite file in the user's data folder."""
    if chosen := os.environ.get("HOUSEWAY_STORE"):
        return url_of(chosen)
    return url_of_file(_own_file())


def _own_file() -> Path:
    return at_home(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "houseway" / "house.db"


def store_to_open(given: str | None, must_exist: bool = False) -> str:
    """The URL of the store asked for, or of the default one, which has a folder of its own; refused if it cannot be opened."""
    if not given and not os.environ.get("HOUSEWAY_STORE"):
        make_or_check = check_private if must_exist else private_folder
        try:
            make_or_check(_own_file().parent, "the folder of the store")
        except OSError as error:
            what = f"{_own_file().parent} cannot be made ({error.strerror})"
            raise Refused("no-store", f"{what}: name a store with --store or HOUSEWAY_STORE") from None
    return checked(given or default_url(), must_exist)


def known_store() -> "Store | None":
    """The store of this user, if there is one; none is made."""
    file = file_of(default_url())
    return None if file and not file.exists() else Store(store_to_open(None, must_exist=True))


@contextmanager
def damage_told() -> Iterator[None]:
    """A store whose own bytes are broken says so in one line; that it is busy, full or gone is another matter."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise _no_text(error) from None
    except DBAPIError as error:
        if _is_damage(error):
            raise _damage(error) from None
        raise


def _as_told(error: Exception, engine: Engine) -> Exception:
    """The same for statements that go straight to the driver, whose errors are told as SQLAlchemy tells those of others."""
    if isinstance(error, UnicodeDecodeError):
        return _no_text(error)
    if isinstance(error, psycopg.Error | sqlite3.Error):
        base = sqlite3.Error if isinstance(error, sqlite3.Error) else psycopg.Error
        told = DBAPIError.instance("in a writing transaction", None, error, base, dialect=engine.dialect)
        assert isinstance(told, Exception)
        error = told
    return _damage(error) if isinstance(error, DBAPIError) and _is_damage(error) else error


def _no_text(error: UnicodeDecodeError) -> Refused:
    return Refused(DAMAGED, f"the database has names that are no text ({error.reason}): {TO_DO}")  # in SQLite's own catalogue


def _damage(error: DBAPIError) -> Refused:
    return Refused(DAMAGED, f"the database cannot use this store ({reason_of(error)}): {TO_DO}")


def _is_damage(error: DBAPIError) -> bool:
    said = str(error.orig).lower()
    if not isinstance(error.orig, sqlite3.Error):
        return any(word in said for word in DAMAGE)
    ours = isinstance(error.orig, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError)
    return not ours and not any(word in said for word in OUTAGE)


def reason_of(error: DBAPIError) -> str:
    """What the database says, in its own words, on one line."""
    return " ".join(str(error.orig).split())[:200]


class Store:
    """Entries, their transfers and sealed shoes; whatever is written together is written or not written together.

    A floor gives it the house's `sealing`, and then it reads cards that are still face down as well.
    """

    def __init__(self, url: str, pooled: bool = False, only_reads: bool = False) -> None:
        """Open a store, and make or update it if need be; one that `only_reads` is neither made nor changed."""
        self.url, self._tolerant = url, False
        self.sealing: Sealing | None = None
        if file := file_of(url):
            if only_reads and not file.is_file():
                raise Refused("no-store", f"{url}: there is no store, and none is made to be read: name one that exists")
            private_store(file)
        self.engine = _engine(url, lambda: self._tolerant, pooled, only_reads)
        with damage_told():
            if only_reads:
                self._check_version()
            else:
                schema.migrate(self.engine)

    def _check_version(self) -> None:
        with self.reading() as connection:
            if not schema.reached_version(connection):
                raise Refused("no-store", f"{self.url}: there is no store in this database, and none is made to be read")

    @contextmanager
    def writing(self, believed: Head | None = None) -> Iterator["Writer"]:
        """A transaction that holds the head of the chain: one writer at a time, all or nothing.

        Whoever has good reason to believe where the head is says so, and need not ask: it is held as late as when something is
        written. If it was elsewhere by then `HeadMoved` is raised, and nothing has happened.
        """
        with self._straight_to_the_driver() as (taken, driver):
            kind = SQLiteWriter if isinstance(driver, sqlite3.Connection) else PostgreSQLWriter
            writer: Writer = kind(self.engine, taken, driver, believed)
            yield writer
            writer.finish()

    def takes_writing(self) -> None:
        """Write what changes nothing: whether a store takes anything is known by no other way. Whoever has the head now has it,
        and nobody is to wait for this behind him."""
        if self.engine.dialect.name == "postgresql":
            with self.engine.connect() as connection:
                connection.execute(select(schema.head.c.seq).with_for_update(nowait=True))
        else:
            with self.writing() as writer:
                writer.connection.execute(update(schema.head).values(seq=schema.head.c.seq))

    @contextmanager
    def _straight_to_the_driver(self) -> Iterator[tuple[PoolProxiedConnection, Any]]:
        """A connection on which whoever has it says himself what begins and ends a transaction."""
        try:
            taken = self.engine.raw_connection()
            driver: Any = taken.driver_connection
            is_sqlite = isinstance(driver, sqlite3.Connection)
            try:
                if not is_sqlite:
                    driver.autocommit = True
                yield taken, driver
            except BaseException as error:
                _roll_back(self.engine, taken, driver, error)
                raise
            finally:
                if not is_sqlite and not driver.closed:
                    driver.autocommit = False
                taken.close()
        except (UnicodeDecodeError, psycopg.Error, sqlite3.Error, DBAPIError) as error:
            told = _as_told(error, self.engine)
            if told is error:
                raise
            raise told from (None if isinstance(told, Refused) else error)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading."""
        with damage_told(), self.engine.connect().execution_options(**READING) as connection:
            yield connection

    def asked(self, statement: str, values: Sequence[str]) -> list[Sequence[Any]]:
        """The rows for each of some values, straight from the driver, each as of now: on PostgreSQL in one round trip."""
        with self._straight_to_the_driver() as (_, driver):
            if isinstance(driver, sqlite3.Connection):
                return [row for value in values for row in driver.execute(statement, (value,))]
            rows: list[Sequence[Any]] = driver.execute(statement, [list(values)]).fetchall()
            return rows

    @contextmanager
    def at_one_moment(self) -> Iterator[Connection]:
        """A connection for reading that sees the store as of one moment, however long it takes and whoever writes."""
        level = {"isolation_level": "REPEATABLE READ"} if self.engine.dialect.name == "postgresql" else {}
        with damage_told(), self.engine.connect().execution_options(**READING, **level) as connection:
            yield connection

    def told_of(self) -> Iterator[Head | None]:
        """The newest head of the chain that any process has committed, whenever there is one; nothing, when somebody's session
        has ended or was locked. Ends when the connection does (PostgreSQL)."""
        with psycopg.connect(self.url, autocommit=True, **REACHED_WITHIN) as connection:
            connection.execute(f"LISTEN houseway; LISTEN {SESSIONS}")
            yield 0, ""  # whatever came before we listened
            while True:
                notices = [*connection.notifies(stop_after=1), *connection.notifies(timeout=0)]  # all that have come by now
                heads = [notice.payload for notice in notices if notice.channel != SESSIONS]
                if len(heads) < len(notices):
                    yield None
                if heads:
                    seq, _, hash_ = heads[-1].partition(" ")
                    yield int(seq), hash_

    def tell_of_sessions(self) -> None:
        """Let all processes look again who may watch (PostgreSQL); where a file is the store one process serves."""
        if self.engine.dialect.name == "postgresql":
            with self._straight_to_the_driver() as (_, driver):
                driver.execute(f"NOTIFY {SESSIONS}")

    @contextmanager
    def tolerant(self) -> Iterator[None]:
        """Read bytes that are no text too, as an auditor must: an intruder may have left some."""
        self._tolerant = True
        try:
            yield
        finally:
            self._tolerant = False

    def forget_deleted(self) -> bool:
        """Leave no byte of what was deleted in SQLite's write-ahead log, whoever has the file open; whether that could be.

        It cannot while somebody reads from before: it waits for him a moment only, for nobody writes meanwhile. What a
        PostgreSQL server keeps of deleted rows is its administrator's.
        """
        if self.engine.dialect.name != "sqlite":
            return True
        taken = self.engine.raw_connection()
        try:
            driver: Any = taken.driver_connection
            (waits,) = driver.execute("PRAGMA busy_timeout").fetchone()
            driver.execute(f"PRAGMA busy_timeout={FORGET_MS}")
            try:
                (is_busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                driver.execute(f"PRAGMA busy_timeout={waits}")
            return not is_busy
        finally:
            taken.close()

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
        return map(self.opened, self.as_stored(after, until, batch))

    def as_stored(self, after: int = 0, until: int | None = None, batch: int = 10_000) -> Iterator[Entry]:
        """The same, with what is sealed left closed, whatever key is here."""
        while True:
            with self.reading() as connection:
                entries = _quickly_read(connection, after, batch) if self._tolerant else read_entries(connection, after, batch)
            yield from (entry for entry in entries if until is None or entry.seq <= until)
            if len(entries) < batch or (until is not None and entries[-1].seq >= until):
                return
            after = entries[-1].seq

    def opened(self, entry: Entry) -> Entry:
        """An entry as the house reads it: by its key, or, where that was lost, as everybody does when the round is over."""
        if self.sealing is None or not entry.is_sealed:
            return entry
        opened = self.sealing.opened(entry)
        if not opened.is_sealed or (later := self.next_opening(entry.table, entry.seq)) is None:
            return opened
        try:
            return open_entry(entry, later.data["openings"].get(str(entry.seq), ""))
        except NotOpened:
            return entry

    def next_opening(self, table: str, after: int, until: int = 2**63 - 1) -> Entry | None:
        """The next entry of a table, after a number and up to another, that opens sealed ones."""
        columns = schema.entries.c
        opens = columns.payload.contains('"openings":{', autoescape=True)
        within = columns.table == table, columns.seq > after, columns.seq <= until
        query = select(schema.entries).where(*within, opens).order_by(columns.seq)
        with self.reading() as connection:
            row = connection.execute(query.limit(1)).first()
        return _entry(row) if row else None

    def has_seals(self) -> bool:
        """Whether anything here is sealed with a key of the house."""
        with self.reading() as connection:
            if connection.execute(select(schema.sealed.c.shoe).limit(1)).first():
                return True
            cards = schema.entries.c.payload.contains(SEALED_MARK, autoescape=True)
            return connection.execute(select(schema.entries.c.seq).where(cards).limit(1)).first() is not None

    def hashes(self, numbers: Sequence[int]) -> dict[int, str]:
        """The hashes of the entries of these numbers, as far as they are there."""
        columns, hashes = schema.entries.c, dict[int, str]()
        with self.reading() as connection:
            for start in range(0, len(numbers), _ASKED_AT_ONCE):
                some = columns.seq.in_(numbers[start : start + _ASKED_AT_ONCE])
                rows = connection.execute(select(columns.seq, columns.hash).where(some))
                hashes |= {row.seq: row.hash for row in rows}
        return hashes

    def has_closed(self, after: int) -> bool:
        """Whether a table was closed after an entry."""
        columns = schema.entries.c
        query = select(columns.seq).where(columns.seq > after, columns.kind == "close").limit(1)
        with self.reading() as connection:
            return connection.execute(query).first() is not None

    def entries_of_kinds(self, kinds: Sequence[str]) -> list[Entry]:
        """All entries of these kinds, in order."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.kind.in_(kinds)).order_by(columns.seq)
        with self.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def entries_of(self, table: str, after: int, most: int) -> list[Entry]:
        """The last entries of a table after a number, in order, or of all if no table is named; so many at most."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.seq > after).order_by(columns.seq.desc()).limit(most)
        with self.reading() as connection:
            rows = connection.execute(query.where(columns.table == table) if table else query).all()
        return [self.opened(_entry(row)) for row in reversed(rows)]

    def round_entries(self, table: str, until: int) -> list[Entry]:
        """The entries of the round that ended with this one: back to the end of the round before, or the opening."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.table == table, columns.seq <= until).order_by(columns.seq.desc())
        entries: list[Entry] = []
        with self.reading() as connection:
            for row in connection.execution_options(yield_per=_A_ROUND).execute(query):
                entry = self.opened(_entry(row))
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

    def opening(self, table: str, until: int) -> Entry | None:
        """The entry that opened a table, the newest up to a number."""
        columns = schema.entries.c
        query = select(schema.entries).where(columns.table == table, columns.kind == "open", columns.seq <= until)
        with self.reading() as connection:
            row = connection.execute(query.order_by(columns.seq.desc()).limit(1)).first()
        return _entry(row) if row else None

    def settlement(self, table: str, round_: int, before: int) -> int | None:
        """The entry that settled a round of a table, the newest before a number."""
        columns = schema.entries.c
        tells = columns.payload.contains(f'"event":"round-settled","round":{round_},', autoescape=True)
        query = select(func.max(columns.seq)).where(
            columns.table == table, columns.kind == "settle", columns.seq < before, tells
        )
        with self.reading() as connection:
            seq: int | None = connection.execute(query.where(columns.seq < before)).scalar()
        return seq

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

    def last_at(self, table: str, kind: str) -> str:
        """When a command of this kind was last given at a table; nothing if it never was."""
        columns = schema.entries.c
        query = select(columns.at).where(columns.table == table, columns.kind == kind).order_by(columns.seq.desc()).limit(1)
        with self.reading() as connection:
            at: str | None = connection.execute(query).scalar()
        return at or ""

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

    def sealed_shoes(self) -> set[str]:
        """The shoes whose seals are kept."""
        with self.reading() as connection:
            return set(connection.scalars(select(schema.sealed.c.shoe)))

    def entry(self, seq: int) -> Entry | None:
        """The entry of this number."""
        with self.reading() as connection:
            row = connection.execute(select(schema.entries).where(schema.entries.c.seq == seq)).first()
        return self.opened(_entry(row)) if row else None

    def snapshot_seqs(self, before: int | None = None) -> list[int]:
        """The numbers of the snapshots (before an entry), newest first."""
        seq = schema.snapshots.c.seq
        query = select(seq) if before is None else select(seq).where(seq < before)
        with self.reading() as connection:
            return list(connection.execute(query.order_by(seq.desc())).scalars())

    def snapshot(self, seq: int) -> tuple[Entry, str] | None:
        """The snapshot of this number, and the entry that vouches for it."""
        columns = schema.snapshots.c
        query = select(schema.entries, columns.content).join(schema.entries, schema.entries.c.seq == columns.seq)
        with self.reading() as connection:
            row = connection.execute(query.where(columns.seq == seq)).first()
        return (_entry(row[:-1]), row[-1]) if row else None

    def snapshot_number(self, before: int) -> int:
        """The number of the newest snapshot before an entry; 0 if there is none."""
        columns = schema.snapshots.c
        with self.reading() as connection:
            number: int | None = connection.execute(select(func.max(columns.seq)).where(columns.seq < before)).scalar()
        return number or 0

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

    def transfer_rows(self, until: int | None = None) -> Generator[Sequence[Any], None, None]:
        """The stored transfers (of the entries up to a number): entry, source, target, cents and why."""
        columns = schema.transfers.c
        with self.reading() as connection:
            query = select(columns.seq, columns.source, columns.target, columns.cents, columns.why)
            query = query if until is None else query.where(columns.seq <= until)
            query = query.order_by(columns.seq, columns.place)
            for rows in connection.execute(query, execution_options={"yield_per": 10_000}).partitions():
                yield from rows


APPEND_AT_ONCE = """
    WITH headed AS (
        UPDATE head SET seq = %s, hash = %s WHERE seq = %s AND hash = %s RETURNING seq
    ), chained AS (
        INSERT INTO entries SELECT told.* FROM headed, json_populate_recordset(NULL::entries, %s) AS told
    ), moved AS (
        INSERT INTO transfers SELECT told.* FROM headed, json_populate_recordset(NULL::transfers, %s) AS told
    ), sealed_anew AS (
        INSERT INTO sealed SELECT told.shoe, decode(told.content, 'base64')
        FROM headed, json_to_recordset(%s) AS told(shoe text, content text)
    )
    SELECT pg_notify('houseway', %s) FROM headed
"""
"""PostgreSQL: the head, entries, their transfers, sealed shoes and the word to other processes in one round trip; nothing of it
where the head is not as it was believed. Where no transaction has begun, it is one."""
APPEND_ENTRY = f"INSERT INTO entries VALUES ({', '.join('?' * len(schema.entries.columns))})"
APPEND_TRANSFER = "INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?)"
APPEND_SEALED = "INSERT INTO sealed VALUES (?, ?)"
MOVE_HEAD = "UPDATE head SET seq = ?, hash = ? WHERE seq = ? AND hash = ?"
"""SQLite: the same, one by one; the columns stand in the order of the fields."""
_ENTRY, _TRANSFER = ([column.name for column in table.columns] for table in (schema.entries, schema.transfers))
KEPT_BACK_MOST = 2_000
"""How many entries wait at most to be written with others."""
Mark = tuple[Head, int, int]


class HeadMoved(Exception):  # noqa: N818  (no error: somebody was first)
    """Somebody else has written since: the head of the chain is not where it was believed to be, and nothing has happened."""


def _found(head: Head | None) -> Head:
    if head is None:
        raise Refused("chain-broken", f"the head of the chain is missing from the store: {TO_DO}")
    return head[0], head[1]


class Writer(ABC):
    """What may be done inside a writing transaction. What is appended is written with all else when that ends.

    So commands that share a commit share the statements too, and whatever one of them has left when it is refused is simply
    dropped (`go_back`). Statements go straight to the driver: a layer between would cost as much as the database takes.
    """

    def __init__(self, engine: Engine, taken: PoolProxiedConnection, driver: Any, believed: Head | None) -> None:
        self._engine, self._taken, self._driver = engine, taken, driver
        self._entries: list[tuple[Entry, Sequence[Transfer]]] = []
        self._sealed: list[tuple[str, bytes]] = []
        self._snapshots: list[tuple[int, str]] = []
        self._keyed: dict[str, Entry | None] = {}
        self._seals: dict[str, bytes] = {}
        self._holds_head = believed is None
        self._stored: Head = believed or _found(self._begin())
        self.head = self._stored

    @property
    def is_alone(self) -> bool:
        """Whether nobody else has written since the head was where it is believed to be: if so, nothing will have happened."""
        return not self._holds_head

    def hold_head(self) -> None:
        """Let nobody else write from now on; whoever has written since the head was believed to be elsewhere was before us."""
        if not self._holds_head:
            self._holds_head = True
            if self._begin() != self._stored:
                raise HeadMoved

    @cached_property
    def connection(self) -> Connection:
        """The same transaction, for statements that are not of every day; it is not theirs to begin or end it."""
        self.hold_head()
        return Connection(self._engine, connection=self._taken, _allow_autobegin=False)

    def entries(self, after: int) -> list[Entry]:
        """The entries after a number, in order."""
        return self._read(f"seq > {after:d} ORDER BY seq")

    def entries_numbered(self, numbers: Sequence[int]) -> list[Entry]:
        """The entries of these numbers."""
        waiting = {entry.seq: entry for entry, _ in self._entries}
        stored = [number for number in numbers if number not in waiting]
        found = {entry.seq: entry for entry in self._read_those("seq", stored)} if stored else {}
        return [known for number in sorted(numbers) if (known := waiting.get(number) or found.get(number))]

    def look_up(self, keys: Sequence[str]) -> None:
        """Find the entries of several idempotency keys at once."""
        found = {entry.key: entry for entry in self._read_those("key", keys)} if keys else {}
        self._keyed |= {key: found.get(key) for key in keys}

    def entry_with_key(self, key: str) -> Entry | None:
        """The entry that a command with this idempotency key left, if any."""
        waiting = next((entry for entry, _ in self._entries if entry.key == key), None)
        if waiting is None and key not in self._keyed:
            self.look_up([key])
        return waiting or self._keyed[key]

    def mark(self) -> Mark:
        """Where this transaction stands, to go back to."""
        if len(self._entries) >= KEPT_BACK_MOST:
            self.flush()
        return self.head, len(self._entries), len(self._sealed)

    def go_back(self, mark: Mark) -> None:
        """Forget what was appended since."""
        self.head, entries, sealed = mark
        del self._entries[entries:], self._sealed[sealed:]
        self._snapshots = [kept for kept in self._snapshots if kept[0] <= self.head[0]]

    def append(self, fields: dict[str, str], transfers: Sequence[Transfer]) -> Entry:
        """Chain an entry, store its transfers and move the head."""
        entry = Entry.chained(self.head, fields)
        self.head = entry.seq, entry.hash
        self._entries.append((entry, transfers))
        return entry

    def put_snapshot(self, seq: int, content: str) -> None:
        """Keep a snapshot."""
        self._snapshots.append((seq, content))

    def put_sealed(self, shoe: str, content: bytes) -> None:
        """Keep a sealed shoe."""
        self._sealed.append((shoe, content))

    def sealed(self, shoe: str) -> bytes | None:
        """A sealed shoe, if it is kept."""
        waiting = next((content for name, content in self._sealed if name == shoe), None)
        return waiting or self._seals.get(shoe) or self._read_seals([shoe]).get(shoe)

    def look_up_seals(self, shoes: Sequence[str]) -> None:
        """Read what is sealed of several shoes at once."""
        self._seals = self._read_seals(shoes)

    def patron_of(self, guest: str) -> str:
        """The number that the account of a guest has in the patron file; none if it has none."""
        accounts = schema.patron_accounts.c
        return self.connection.execute(select(accounts.number).where(accounts.guest == guest)).scalar() or ""

    def flush(self) -> None:
        """Write what was appended."""
        self.hold_head()
        self._write_entries()
        snapshots, self._snapshots = self._snapshots, []
        if snapshots:
            self.connection.execute(insert(schema.snapshots), [{"seq": seq, "content": text} for seq, text in snapshots])

    def _write_entries(self) -> None:
        entries, self._entries = self._entries, []
        sealed, self._sealed = self._sealed, []
        if entries:
            moved = [
                (entry.seq, place, t.source, t.target, t.cents, t.why)
                for entry, transfers in entries
                for place, t in enumerate(transfers)
            ]
            if not self._append([row_of(entry) for entry, _ in entries], moved, sealed):
                raise HeadMoved
            self._stored = self.head

    def finish(self) -> None:
        """What was appended has happened."""
        if self._holds_head or self._snapshots:
            self.flush()
            self._driver.execute("COMMIT")
        elif self._entries:
            self._append_alone()
        elif self._asked_for_head() != self._stored:  # all were refused, by a state that was not the newest
            raise HeadMoved

    @abstractmethod
    def _append_alone(self) -> None:
        """All that there is to write are entries, and what is sealed with them: no transaction was begun for them."""

    @abstractmethod
    def _begin(self) -> Head | None:
        """Begin a transaction that nobody else can write in; where the head is."""

    @abstractmethod
    def _append(
        self, entries: list[tuple[Any, ...]], moved: list[tuple[Any, ...]], sealed: Sequence[tuple[str, bytes]]
    ) -> bool:
        """Write entries, transfers and sealed shoes, and move the head; whether it was where it was believed to be."""

    def _asked_for_head(self) -> Head | None:
        row: Head | None = self._driver.execute("SELECT seq, hash FROM head").fetchone()
        return row

    def _read(self, which: str, values: Sequence[Any] = ()) -> list[Entry]:
        return [_entry(row) for row in self._driver.execute(f"SELECT * FROM entries WHERE {which}", values)]

    @abstractmethod
    def _read_those(self, column: str, values: Sequence[Any]) -> list[Entry]:
        """Entries of which a column has one of these values."""

    @abstractmethod
    def _read_seals(self, shoes: Sequence[str]) -> dict[str, bytes]:
        """What is sealed of shoes, as far as anything is."""


class SQLiteWriter(Writer):
    """The transaction begins by locking everything."""

    def _begin(self) -> Head | None:
        self._driver.execute("BEGIN IMMEDIATE")
        return self._asked_for_head()

    def _append_alone(self) -> None:
        self._driver.execute("BEGIN IMMEDIATE")
        self._write_entries()
        self._driver.execute("COMMIT")

    def _append(
        self, entries: list[tuple[Any, ...]], moved: list[tuple[Any, ...]], sealed: Sequence[tuple[str, bytes]]
    ) -> bool:
        if not self._driver.execute(MOVE_HEAD, (*self.head, *self._stored)).rowcount:
            return False
        self._driver.executemany(APPEND_ENTRY, entries)
        if moved:
            self._driver.executemany(APPEND_TRANSFER, moved)
        if sealed:
            self._driver.executemany(APPEND_SEALED, sealed)
        return True

    def _read_those(self, column: str, values: Sequence[Any]) -> list[Entry]:
        keyed = " AND key <> ''" if column == "key" else ""  # so that the index of keys serves it
        return self._read(f"{column} IN ({', '.join('?' * len(values))}){keyed}", values)

    def _read_seals(self, shoes: Sequence[str]) -> dict[str, bytes]:
        rows = (self._driver.execute("SELECT shoe, content FROM sealed WHERE shoe = ?", (shoe,)).fetchone() for shoe in shoes)
        return {row[0]: as_sealed(row[1]) for row in rows if row}


class PostgreSQLWriter(Writer):
    """The transaction begins by locking the head."""

    def _begin(self) -> Head | None:
        asked = self._driver.execute("BEGIN; SELECT seq, hash FROM head FOR UPDATE")
        asked.nextset()
        row: Head | None = asked.fetchone()
        return row

    def _append_alone(self) -> None:
        self._write_entries()

    def _append(
        self, entries: list[tuple[Any, ...]], moved: list[tuple[Any, ...]], sealed: Sequence[tuple[str, bytes]]
    ) -> bool:
        rows = [json.dumps([dict(zip(_ENTRY, row, strict=True)) for row in entries])]
        rows.append(json.dumps([dict(zip(_TRANSFER, row, strict=True)) for row in moved]))
        rows.append(json.dumps([{"shoe": shoe, "content": base64.b64encode(content).decode()} for shoe, content in sealed]))
        told = "{} {}".format(*self.head)
        asked = self._driver.execute(APPEND_AT_ONCE, [*self.head, *self._stored, *rows, told])
        return asked.fetchone() is not None

    def _read_those(self, column: str, values: Sequence[Any]) -> list[Entry]:
        kind, keyed = ("text", " AND key <> ''") if column == "key" else ("bigint", "")
        return self._read(f"{column} = ANY(%s::{kind}[]){keyed}", [list(values)])

    def _read_seals(self, shoes: Sequence[str]) -> dict[str, bytes]:
        rows = self._driver.execute("SELECT shoe, content FROM sealed WHERE shoe = ANY(%s)", [list(shoes)])
        return {shoe: as_sealed(content) for shoe, content in rows}


def as_sealed(content: Any) -> bytes:
    """What is sealed of a shoe, as the store has it; on a damaged page that may be anything, and does not open."""
    return bytes(content) if isinstance(content, bytes | memoryview) else b""


def _roll_back(engine: Engine, taken: PoolProxiedConnection, driver: Any, error: BaseException) -> None:
    """Whatever was begun did not happen. A connection that cannot even say so is let go, and with it all that were open beside
    it: a server that is gone has left them too."""
    try:
        driver.rollback()
        is_lost = not isinstance(driver, sqlite3.Connection) and driver.closed
    except (psycopg.Error, sqlite3.Error):
        is_lost = True
    if is_lost:
        taken.invalidate(error)
        engine.dispose()


ENTRIES_AFTER = select(schema.entries).where(schema.entries.c.seq > bindparam("after")).order_by(schema.entries.c.seq)


def read_entries(connection: Connection, after: int, most: int | None) -> list[Entry]:
    """Entries after a number, in order."""
    query = ENTRIES_AFTER.limit(most) if most else ENTRIES_AFTER
    return [_entry(row) for row in connection.execute(query, {"after": after}).all()]


def _quickly_read(connection: Connection, after: int, most: int) -> list[Entry]:
    """The same for whoever is tolerant: nearly always all texts are texts, and so only others are read as bytes, slowly."""
    raw: Any = connection.connection.dbapi_connection
    if isinstance(raw, sqlite3.Connection):
        tolerant, raw.text_factory = raw.text_factory, str
        try:
            return read_entries(connection, after, most)
        except OperationalError:  # a text that is none, or the disk, which then says so again
            pass
        finally:
            raw.text_factory = tolerant
    return read_entries(connection, after, most)


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
        except sqlite3.OperationalError as error:
            if "lock" not in str(error) and "busy" not in str(error):
                raise
            time.sleep(0.05)
    connection.execute(statement)


def _engine(url: str, tolerant: Callable[[], bool], pooled: bool, only_reads: bool) -> Engine:
    """A server keeps its connections (`pooled`); a short command opens one, and leaves nothing behind for a fork.

    Whoever gives one back has ended its transaction: the pool need not do so again.
    """
    if url.startswith("postgresql"):
        options = f"-c lock_timeout={LOCK_SECONDS}s" if pooled else ""
        options += " -c default_transaction_read_only=on" if only_reads else ""
        reached = REACHED_WITHIN | ({"options": options} if options else {})
        address = url.replace("postgresql://", "postgresql+psycopg://", 1)
        return create_engine(address, pool_size=2, max_overflow=8, connect_args=reached, pool_reset_on_return=None)
    poolclass = QueuePool if pooled else None if ":memory:" in url else NullPool
    patient = {"timeout": LOCK_SECONDS if pooled else 30, "check_same_thread": False}
    engine = create_engine(url, connect_args=patient, poolclass=poolclass, pool_reset_on_return=None)

    @event.listens_for(engine, "connect")
    def configure(connection: object, _: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        if tolerant():
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # type: ignore[attr-defined]
        wanted = (
            ("PRAGMA query_only=ON",)
            if only_reads
            else ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA secure_delete=ON")
        )
        for statement in (*wanted, "PRAGMA foreign_keys=ON"):
            _patiently(connection, statement)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reads = only_reads or connection.get_execution_options().get("reading")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine
