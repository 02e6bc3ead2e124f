"""A store as people name it, by a path or a URL; what is wrong with it is one line, and a reader never makes one."""

import os
import pwd
import shutil
import sqlite3
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from houseway.house.outage import outage_of
from houseway.house.private import at_home, private_store
from houseway.refusal import Refused

SQLITE, POSTGRESQL = "sqlite:///", "postgresql://"
ACCEPTED = "give the path of a file, sqlite:///FILE, or postgresql://USER@HOST/DATABASE"
MADE_BY_US = "head"
"""A table that every house has."""
LEAST_FREE = 1 << 16
"""Bytes that SQLite needs beside a store even to read it."""


def url_of(given: str) -> str:
    """The URL of a store that is named by a path or by a URL."""
    scheme, colon, rest = given.partition("://")
    if not given.strip() or "\0" in given:
        raise Refused("bad-store", f"a store without a name cannot be opened: {ACCEPTED}")
    if not colon:
        return url_of_file(at_home(given))
    if scheme in {"postgresql", "postgres", "postgresql+psycopg"}:
        try:
            make_url(POSTGRESQL + rest)
            conninfo_to_dict(POSTGRESQL + rest)
        except (ArgumentError, ValueError, psycopg.ProgrammingError):
            raise Refused("bad-store", f"the PostgreSQL address cannot be read: write {POSTGRESQL}USER@HOST/DATABASE") from None
        return POSTGRESQL + rest
    if scheme != "sqlite":
        raise Refused("bad-store", f"{scheme}:// is no kind of store that is known here: {ACCEPTED}")
    if rest and not rest.startswith("/"):
        raise Refused("bad-store", f"{given} has one slash too few: write {SQLITE}{rest}")
    if "?" in rest:
        raise Refused("bad-store", f"{given} says more than a file: write {SQLITE}FILE, and a ? in its name as %3F")
    return given


def url_of_file(file: Path) -> str:
    """The URL of an SQLite store in a file, whatever its name holds: a % or a ? of a path is no sign of a URL."""
    try:
        return SQLITE + quote(str(file.absolute()))
    except UnicodeEncodeError:
        shown = os.fsencode(file).decode(errors="replace")
        raise Refused("bad-store", f"{shown} is no text in UTF-8: name a file whose name is") from None


def file_of(url: str) -> Path | None:
    """The file of an SQLite store, if it has one."""
    named = make_url(url).database if url.startswith(SQLITE) else None
    return Path(named) if named and named != ":memory:" else None


def checked(given: str, must_exist: bool = False) -> str:
    """The URL of a store that may be opened, or made unless it `must_exist`; refused with what is wrong and what to do."""
    url = url_of(given)
    try:
        if url.startswith(POSTGRESQL):
            if must_exist:
                _check_server(url)
        elif file := file_of(url):
            _check_file(file, must_exist)
        elif must_exist:
            raise Refused("no-store", f"{given} is a store in memory, which holds nothing to be read: {ACCEPTED}")
    except OSError as error:
        raise Refused("no-store", f"{error.filename} cannot be looked at ({error.strerror}): {ACCEPTED}") from None
    return url


def _check_file(file: Path, must_exist: bool) -> None:
    if file.is_dir():
        raise Refused("no-store", f"{file} is a folder: name a file in it, such as {file / 'house.db'}")
    if must_exist and not file.exists():
        raise Refused("no-store", f"there is no store {file}, and none is made to be read: name one that exists")
    if not file.parent.is_dir():
        raise Refused("no-store", f"there is no folder {file.parent}: make it first, or name a file in another one")
    if not file.exists():
        if not os.access(file.parent, os.W_OK | os.X_OK, effective_ids=True):
            raise Refused("no-store", f"nothing may be written in {file.parent}, {_belongs(file.parent)}: name another store")
        return
    if not file.is_file():  # whoever opens a pipe waits for ever
        raise Refused("no-store", f"{file} is not a database, but a pipe or a device: name the file of a house")
    if not os.access(file, os.R_OK | os.W_OK, effective_ids=True):
        raise Refused("no-store", f"{file} may not be opened by {_me()}, {_belongs(file)}: be its owner, or name another store")
    with file.open("rb") as opened:
        start = opened.read(16)
    if not start and must_exist:
        raise Refused("no-store", f"{file} is empty: name the file of a house")
    if start and start != b"SQLite format 3\0":
        raise Refused("no-store", f"{file} is not a database: name the file of a house, or one that does not exist yet")
    if start:
        private_store(file, make=False)  # first: SQLite gives what it keeps beside a store the same mode
        _check_tables(file, must_exist)


def _check_tables(file: Path, must_exist: bool) -> None:
    """Whose tables there are: a house's, none yet, or another program's."""
    try:
        connection = sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True, timeout=30)
        try:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        finally:
            connection.close()
    except sqlite3.Error as error:
        is_full = shutil.disk_usage(file.parent).free < LEAST_FREE
        mend = "its disk is full: free some space" if is_full else "restore a backup, or name another store"
        raise Refused("no-store", f"{file} cannot be read ({error}): {mend}") from None
    if MADE_BY_US not in tables and (tables or must_exist):
        raise Refused("no-store", f"{file} is a database, but not of a house: name another file")


def has_house(url: str, seconds: int) -> bool:
    """Whether a database of a PostgreSQL server holds a house; refused if the server does not answer in time."""
    try:
        with psycopg.connect(url, connect_timeout=seconds) as connection:
            row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [MADE_BY_US]).fetchone()
    except psycopg.Error as error:
        why = in_one_line(error) or next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise Refused("no-store", f"{_shown(url)} cannot be opened: {why}") from None
    return row is not None and bool(row[0])


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def _check_server(url: str) -> None:
    if not has_house(url, 10):
        shown = _shown(url)
        raise Refused("no-store", f"{shown} holds no house, and none is made to be read: name a database that does")


def in_one_line(error: BaseException) -> str:
    """Why the store cannot be used, with what its driver says, for whoever runs it himself; nothing for other errors."""
    why = outage_of(error)
    said = str(getattr(error, "orig", error)).strip().splitlines() if why else []
    return f"{why} ({said[0].strip()})" if said else why


def _belongs(path: Path) -> str:
    return f"which belongs to {_name(path.stat().st_uid)}"


def _me() -> str:
    return _name(os.geteuid())


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
