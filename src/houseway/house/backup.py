"""Backups and restores: each whole and audited, or not there at all; and what is published of the shoes.

A backup is one SQLite file, whatever database the house has. It is read in one snapshot of the store, written beside its
name, audited there and then named. A restore is audited inside the transaction that writes it, and counts when that is
committed. Sessions are left behind: after a restore everybody logs in again.
"""

import json
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, inspect, select, update
from sqlalchemy.exc import DBAPIError

from houseway.house import schema
from houseway.house.audit import Auditor, Report
from houseway.house.floor import HOUSE
from houseway.house.opening import file_of, url_of_file
from houseway.house.sealing import JournalReader
from houseway.house.store import Store, reason_of
from houseway.refusal import Refused
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED, SNAPSHOT

_BATCH = 5_000
LEFT_BEHIND = {schema.version.name, schema.sessions.name, schema.head.name, schema.attempts.name, schema.failed_logins.name}
"""Tables that are not copied row by row: the head is set, the version is the program's, sessions and waits end."""
WITH_A_COMMAND = {SHOE_COMMITTED, SHOE_REVEALED, SNAPSHOT, "deal"}
"""What the house may write by itself in the same transaction as a command."""


@dataclass(frozen=True)
class Restored:
    """A restore that counts: the audit of what is there now, and what could not be as it was at that entry."""

    report: Report
    cannot: tuple[str, ...] = ()


class _Within(Store):
    """A store as one open transaction sees it: what is not committed yet can be audited."""

    def __init__(self, store: Store, connection: Connection) -> None:
        self.url, self.engine, self._tolerant, self._connection = store.url, store.engine, False, connection
        self.sealing = store.sealing

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Always the same connection."""
        yield self._connection


def backup(source_url: str, file: Path) -> Report:
    """Write a store into one new file, which appears whole and audited, or not at all."""
    if file.exists():
        raise Refused("file-exists", f"{file} exists already: name a new file")
    if not file.parent.is_dir():
        raise Refused("no-folder", f"{file.parent}: no such folder: make it first")
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        report = copy_store(source_url, url_of_file(draft))
        _make_one_file(draft)
        _name(draft, file)
    except DBAPIError as error:
        raise Refused("backup-failed", f"no backup was written to {file}: {reason_of(error)}") from None
    except OSError as error:
        raise Refused("backup-failed", f"no backup was written to {file}: {error.strerror}") from None
    finally:
        _remove(draft)
    return report


def restore(file: Path, target_url: str, until: int | None = None) -> Restored:
    """Bring a backup into an empty store, as it was after entry `until` if that is given; audited before it counts."""
    if not file.exists():
        raise Refused("no-file", f"{file}: no such file")
    with _up_to_date(file) as source:
        report = Auditor(source).run()
        if report.flaw:
            more = f", and {len(report.flaws) - 1:,} more" if len(report.flaws) > 1 else ""
            raise Refused("backup-flawed", f"{file} is not restored, for it does not hold: {report.flaw}{more}")
        last = _end_of_command(source, until) if until is not None else report.head[0]
        cannot = tuple(_cannot(source, until, last)) if until is not None else ()
        with _new_or_empty(target_url) as target:
            return Restored(_copied(source, target, last), cannot)


def copy_store(source_url: str, target_url: str) -> Report:
    """Copy a store into an empty one, all or nothing, and audited before it counts."""
    source = Store(source_url, only_reads=True)
    with source.reading() as connection:
        is_older = schema.reached_version(connection) < len(schema.MIGRATIONS)
    if is_older:  # the house's own store, which is brought up to date as it is whenever the house opens
        source.engine.dispose()
        source = Store(source_url)
    try:
        with _new_or_empty(target_url) as target:
            return _copied(source, target)
    finally:
        source.engine.dispose()


@contextmanager
def _up_to_date(file: Path) -> Iterator[Store]:
    """A backup to read; one of an older program is brought up to date in a copy, and itself never changed."""
    with tempfile.TemporaryDirectory(prefix="houseway-restore-") as folder:
        try:
            store = Store(url_of_file(file), only_reads=True)
            with store.reading() as connection:
                is_older = schema.reached_version(connection) < len(schema.MIGRATIONS)
            if is_older:
                copy = Path(folder) / "house.db"
                shutil.copyfile(file, copy)
                copy.chmod(0o600)
                store.engine.dispose()
                store = Store(url_of_file(copy))
        except Refused as refused:
            if refused.code in {"store-newer", "doubled-key"}:
                raise
            raise Refused("backup-flawed", f"{file} is not restored, for it cannot be read: {refused.message}") from None
        except DBAPIError as error:
            raise Refused("backup-flawed", f"{file} is not restored, for it cannot be read: {reason_of(error)}") from None
        try:
            yield store
        finally:
            store.engine.dispose()


@contextmanager
def _new_or_empty(url: str) -> Iterator[Store]:
    """The store to copy into; a file that was made for it goes again if nothing comes of it."""
    file = file_of(url)
    is_new = file is not None and not file.exists()
    store = Store(url)
    try:
        yield store
    except BaseException:
        store.engine.dispose()
        if is_new and file is not None:
            _remove(file)
        raise
    store.engine.dispose()


def _copied(source: Store, target: Store, until: int | None = None) -> Report:
    """Copy everything (up to an entry) in one transaction, which is committed if an audit finds no flaw in it."""
    with source.at_one_moment() as reading, target.writing() as writer:
        tables = [table for table in schema.metadata.sorted_tables if table.name not in LEFT_BEHIND]
        if writer.head[0] or any(writer.connection.execute(select(func.count()).select_from(each)).scalar() for each in tables):
            raise Refused("store-not-empty", "the target holds a journal already: restore into an empty store")
        known, later = inspect(reading), _later_shoes(reading, until)
        for table in tables:
            if known.has_table(table.name):
                for rows in _rows(reading, table, until):
                    kept = [row for row in rows if table is not schema.sealed or row["shoe"].removesuffix(":dice") not in later]
                    if kept:
                        writer.connection.execute(insert(table), kept)
        writer.connection.execute(update(schema.head).values(**_head(reading, until)))
        report = Auditor(_Within(target, writer.connection)).run()
        if report.flaw:
            raise Refused("copy-flawed", f"nothing was copied, for the copy does not hold: {report.flaw}")
    return report


def _rows(reading: Connection, table: Table, until: int | None) -> Iterator[list[dict[str, Any]]]:
    """The rows of a table, some at a time; of one that goes along with the journal, those up to an entry."""
    query = select(table)
    if until is not None and "seq" in table.c:
        query = query.where(table.c.seq <= until)
    result = reading.execute(query, execution_options={"yield_per": _BATCH})
    return ([dict(row) for row in rows] for rows in result.mappings().partitions())


def _head(reading: Connection, until: int | None) -> dict[str, Any]:
    """The head of the chain, or the entry that is to be it."""
    columns = schema.entries.c if until else schema.head.c
    query = select(columns.seq, columns.hash)
    row = reading.execute(query.where(columns.seq == until) if until else query).one()
    return {"seq": row[0], "hash": row[1]}


# As of an entry


def _later_shoes(reading: Connection, until: int | None) -> set[str]:
    """The shoes that were committed to after an entry."""
    if until is None:
        return set()
    columns = schema.entries.c
    query = select(schema.entries).where(columns.kind == SHOE_COMMITTED, columns.seq > until)
    return {json.loads(row.payload)["shoe"] for row in reading.execute(query)}


def _end_of_command(source: Store, until: int) -> int:
    """The last entry that was written together with this one: no store was ever without the rest of a command."""
    head = source.head()[0]
    if not 1 <= until <= head:
        raise Refused("no-such-entry", f"entry {until} is not in this backup: it has the entries 1 to {head}")
    for entry in source.entries(until):
        if entry.kind not in WITH_A_COMMAND or (entry.actor, entry.role) != (HOUSE.name, HOUSE.role):
            return entry.seq - 1
    return head


def _cannot(source: Store, until: int, last: int) -> Iterator[str]:
    """What a store as of an entry has otherwise than it was then."""
    if last > until:
        together = f"entry {last} was" if last == until + 1 else f"entries {until + 1} to {last} were"
        yield f"{together} written together with entry {until}, and stays"
    revealed, people = set(), set()
    for entry in source.entries(last):
        if entry.kind == SHOE_REVEALED and "order" in entry.data:
            revealed.add(entry.data["shoe"])
        if entry.kind.startswith("person-") or entry.kind == "second-factor":
            people.add(str(entry.data.get("name", "")))
    in_play = sorted(revealed - {e.data["shoe"] for e in source.entries(last) if e.kind == SHOE_COMMITTED})
    if in_play:
        yield f"{_listed(in_play)} shown later: whoever read the later journal knows the order; close such a table first"
    if people:
        yield f"accounts are as at the backup: {', '.join(sorted(people))} changed after entry {last}"
    if source.head()[0] > last:
        yield f"heads that were signed after entry {last} no longer fit: an audit with one says that the tail was cut"


def _listed(shoe_ids: Iterable[str]) -> str:
    names = list(shoe_ids)
    return f"shoe {names[0]} was" if len(names) == 1 else f"shoes {', '.join(names)} were"


# Files


def _make_one_file(file: Path) -> None:
    """Let SQLite put everything into the file itself, so that it can be moved and kept alone."""
    connection = sqlite3.connect(file)
    try:
        connection.execute("PRAGMA journal_mode=DELETE")
    finally:
        connection.close()
    _sync(file)


def _name(draft: Path, file: Path) -> None:
    """Give a finished file its name; one that came there meanwhile is never replaced."""
    try:
        file.hardlink_to(draft)
    except FileExistsError:
        raise Refused("file-exists", f"{file} exists already: name a new file") from None
    except OSError:  # a folder without links
        if file.exists():
            raise Refused("file-exists", f"{file} exists already: name a new file") from None
        draft.rename(file)
    _sync(file.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(file: Path) -> None:
    """A file of SQLite, and what lies beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            file.with_name(file.name + ending).unlink(missing_ok=True)


# What is published of the shoes


def shoe_lines(store: Store) -> Iterator[dict[str, Any]]:
    """Commitments, draws and reveals, as `houseway shoe verify` reads them; nothing that is not yet revealed."""
    revealed = {entry.data["shoe"]: entry.data for entry in store.entries() if entry.kind == SHOE_REVEALED}
    with_dice: dict[str, str] = {}
    burned: dict[str, list[str]] = {}
    for entry in JournalReader(store.as_stored(), store.next_opening):  # as anybody can: what is still sealed stays so
        data = entry.data
        if entry.kind == "no-more-bets" and data.get("dice") and with_dice.get(entry.table):
            yield {"kind": "dice-thrown", "dice": with_dice[entry.table], "numbers": [data["dice"]]}
        if entry.kind == SHOE_COMMITTED:
            shoe = data["shoe"]
            with_dice[entry.table] = shoe if "dice_commitment" in data else ""
            published = ("shoe", "commitment", "decks", "jokers", "wants_seeds")
            yield {"kind": SHOE_COMMITTED} | {name: data[name] for name in published if name in data}
            if "dice_commitment" in data:
                yield {"kind": "dice-committed", "dice": shoe, "commitment": data["dice_commitment"]}
            burned[shoe] = revealed.get(shoe, {}).get("order", "").split()[: data["burned"]]
            if burned[shoe] and "wants_seeds" not in data:
                yield {"kind": "cards-drawn", "shoe": shoe, "cards": burned[shoe], "burned": True}
        elif entry.kind == SHOE_REVEALED and "order" in data:
            yield {"kind": SHOE_REVEALED, "shoe": data["shoe"], "salt": data["salt"], "order": data["order"].split()}
            if "dice" in data:
                yield {"kind": "dice-revealed", "dice": data["shoe"], "salt": data["dice_salt"], "order": data["dice"]}
        for event in data.get("events", []):
            if event["event"] == "shoe-mixed":
                yield {"kind": "shoe-mixed", "shoe": event["shoe"], "seeds": event["seeds"]}
                if cards := burned[event["shoe"]]:
                    yield {"kind": "cards-drawn", "shoe": event["shoe"], "cards": cards, "burned": True}
            if event["event"] == "cards-drawn" and event["shoe"]:
                yield {"kind": "cards-drawn", "shoe": event["shoe"], "cards": event["cards"]}
