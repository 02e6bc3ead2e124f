"""What the audit says of the store itself, beside the journal that lies in it: its pages, its indexes, and keys given twice.

An index that has lost an entry hides it from whoever asks by it: a buy-in was paid twice because its key was not found.
"""

from collections.abc import Iterator
from itertools import islice

from sqlalchemy import Connection, text

from houseway.house import schema
from houseway.house.store import Store

Finding = tuple[int, str]
"""The entry that something was found at, 0 for the store as a whole; and what was found."""
MOST = 20
"""How many lines of a database's own report are passed on."""
UNSEEN = """
    SELECT seq FROM entries AS written TABLESAMPLE SYSTEM (100) WHERE NOT EXISTS (
        SELECT 1 FROM entries AS found WHERE found.{column} = written.{column} AND found.seq = written.seq {more}
    ) {where} ORDER BY written.seq
"""
"""The entries that an index does not find, each asked for by itself. A sample of all of a table is read without an index."""


def findings(store: Store) -> Iterator[Finding]:
    """Everything that is wrong with the store."""
    with store.reading() as connection:
        yield from _doubled(connection)
        yield from _of_sqlite(connection) if connection.dialect.name == "sqlite" else _of_postgresql(connection)


def _doubled(connection: Connection) -> Iterator[Finding]:
    """No two entries have the same idempotency key."""
    for key, (first, *others) in schema.doubled_keys(connection):
        for seq in others:
            yield seq, f'it has the idempotency key "{key}" of entry {first}: a command was carried out twice'


def _of_sqlite(connection: Connection) -> Iterator[Finding]:
    """SQLite's own check: every page, and every index against its table."""
    for line in islice(connection.execute(text(f"PRAGMA integrity_check({MOST})")).scalars(), MOST):
        if line != "ok":
            yield 0, f"SQLite finds the store damaged: {' '.join(str(line).split())[:200]}"


def _of_postgresql(connection: Connection) -> Iterator[Finding]:
    """PostgreSQL's amcheck where it is installed; otherwise every entry is asked for by each index."""
    if connection.execute(text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")).first():
        yield from _by_amcheck(connection)
        return
    for switch in ("seqscan", "bitmapscan", "hashjoin", "mergejoin", "material"):  # whoever is looked up, is by the index
        connection.execute(text(f"SET LOCAL enable_{switch} = off"))
    indexes = set(connection.execute(text("SELECT indexname FROM pg_indexes WHERE tablename = 'entries'")).scalars())
    for index, column, where, more in (
        ("entries_pkey", "seq", "", ""),
        ("entries_once_by_key", "key", "AND written.key <> ''", "AND found.key <> ''"),
    ):
        unseen = text(UNSEEN.format(column=column, where=where, more=more))
        for seq in islice(connection.execute(unseen).scalars(), MOST) if index in indexes else ():
            yield seq, f"the index {index} does not find it: REINDEX TABLE entries, and look at what was done twice since"


def _by_amcheck(connection: Connection) -> Iterator[Finding]:
    named = "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = '{}'::regclass AND indisvalid ORDER BY 1"
    for table in ("entries", "transfers", "head", "sealed"):
        for index in connection.execute(text(named.format(table))).scalars().all():
            nested = connection.begin_nested()
            try:
                connection.execute(text("SELECT bt_index_check(CAST(:index AS regclass), true)"), {"index": index})
                nested.commit()
            except Exception as error:
                nested.rollback()
                yield 0, f"PostgreSQL finds the index {index} damaged: {' '.join(str(error).splitlines()[0].split())[:200]}"
