"""The tables of the store, and the steps that bring an older store up to date."""

from sqlalchemy import BigInteger, Column, Connection, Engine, Index, Integer, LargeBinary, MetaData, String, Table, Text, text

metadata = MetaData()

entries = Table(
    "entries",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("day", String(10), nullable=False),
    Column("table", String(40), nullable=False),
    Column("actor", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("key", String(80), nullable=False),
    Column("payload", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)
Index("entries_by_key", entries.c.key)
Index("entries_by_table", entries.c.table, entries.c.seq)

transfers = Table(
    "transfers",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("source", String(120), nullable=False),
    Column("target", String(120), nullable=False),
    Column("cents", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
)

head = Table(
    "head",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)

sealed = Table(
    "sealed",
    metadata,
    Column("shoe", String(80), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)

people = Table(
    "people",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("password", String(200), nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked", Integer, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("role", String(20), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)
Index("sessions_by_name", sessions.c.name)

version = Table("schema_version", metadata, Column("version", Integer, primary_key=True, autoincrement=False))

APPEND_ONLY = {"entries": "seq = NEW.seq", "transfers": "seq = NEW.seq AND place = NEW.place"}


def _create(connection: Connection) -> None:
    for table in (entries, transfers, head, sealed):
        table.create(connection)
    connection.execute(head.insert().values(one=1, seq=0, hash="0" * 64))
    for name, key in APPEND_ONLY.items():
        statements = _sqlite_triggers(name, key) if connection.dialect.name == "sqlite" else _postgresql_triggers(name)
        for statement in statements:
            connection.execute(text(statement))


def _keep_snapshots(connection: Connection) -> None:
    snapshots.create(connection)


def _know_people(connection: Connection) -> None:
    people.create(connection)
    sessions.create(connection)


def _sqlite_triggers(table: str, key: str) -> list[str]:
    """Nothing is updated in place, nothing deleted, nothing replaced: the store itself refuses it."""
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    same = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {key})"
    return [
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {same} {refuse}",
    ]


def _postgresql_triggers(table: str) -> list[str]:
    """The same; a whole table could be truncated too."""
    function = f"{table}_append_only"
    body = f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
    statements = [f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS {body}"]
    for action in ("UPDATE", "DELETE", "TRUNCATE"):
        name = f"{table}_no_{action.lower()}"
        statements.append(f"CREATE TRIGGER {name} BEFORE {action} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {function}()")
    return statements


MIGRATIONS = (_create, _keep_snapshots, _know_people)
"""Each brings the store from version n to n + 1; never edited once released."""


def migrate(engine: Engine) -> None:
    """Bring the store up to date; the lock on the version table lets one process do it."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(4840)"))
        version.create(connection, checkfirst=True)
        reached = max((row[0] for row in connection.execute(version.select())), default=0)
        for number, step in enumerate(MIGRATIONS[reached:], reached + 1):
            step(connection)
            connection.execute(version.insert().values(version=number))
