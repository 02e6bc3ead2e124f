"""The tables of the store, and the steps that bring an older store up to date."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    func,
    inspect,
    select,
    text,
)
from sqlalchemy.schema import CreateColumn

from houseway.refusal import Refused

metadata = MetaData()
SEQ = BigInteger().with_variant(Integer, "sqlite")
"""SQLite keeps a table by an INTEGER of its own; beside any other number it keeps an index, one more page to write with every
entry. Stores that were made before have that index, and work as well."""

entries = Table(
    "entries",
    metadata,
    Column("seq", SEQ, primary_key=True, autoincrement=False),
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
KEYED = entries.c.key != ""
"""Entries that a command with an idempotency key left; a query says so, that the index of keys may serve it."""
Index("entries_once_by_key", entries.c.key, unique=True, sqlite_where=KEYED, postgresql_where=KEYED)
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
    sqlite_with_rowid=False,  # kept by its key, as above
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
    Column("locked", Integer, nullable=False),  # of before there was a back-off: always 0 now, as `failures` is
    Column("must_change", Integer, nullable=False, server_default="0"),
    Column("secret", String(64), nullable=False, server_default=""),
    Column("offered_secret", String(64), nullable=False, server_default=""),
    Column("used_step", BigInteger, nullable=False, server_default="0"),
    Column("recovery", Text, nullable=False, server_default=""),
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
    Column("locked", Integer, nullable=False, server_default="0"),
    Column("source", String(80), nullable=False, server_default=""),
    Column("browser", String(120), nullable=False, server_default=""),
)
Index("sessions_by_name", sessions.c.name)

attempts = Table(
    "attempts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("source", String(80), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""Log-ins that failed lately, by the name that was tried (its digest) and from where; times in milliseconds."""

known_browsers = Table(
    "known_browsers",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("browser", String(64), primary_key=True),
    Column("seen", BigInteger, nullable=False),
)
"""Browsers in which somebody has logged in before: of what the browser keeps, the digest."""

failed_logins = Table(
    "failed_logins",
    metadata,
    Column("minute", BigInteger, primary_key=True, autoincrement=False),
    Column("of", String(10), primary_key=True),
    Column("noted", Integer, nullable=False),
    Column("counted", Integer, nullable=False),
)
"""How many failed log-ins of a minute have a note of their own, and how many are only counted."""

house_settings = Table(
    "house_settings",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)

patrons = Table(
    "patrons",
    metadata,
    Column("number", String(12), primary_key=True),
    Column("since", String(10), nullable=False),
    Column("name", String(120), nullable=False),
    Column("born", String(10), nullable=False),
    Column("document", String(120), nullable=False),
    Column("address", String(400), nullable=False),
    Column("description", String(400), nullable=False),
    Column("notes", String(1000), nullable=False),
    Column("cash_day", String(10), nullable=False),
    Column("document_key", String(120), nullable=False),
    Column("person_key", String(140), nullable=False),
)
Index("patrons_by_document", patrons.c.document_key)
Index("patrons_by_person", patrons.c.person_key)
"""Who guests are: apart from the chain, which has their numbers only, so that it stays valid when these rows are removed."""

patron_accounts = Table(
    "patron_accounts",
    metadata,
    Column("guest", String(40), primary_key=True),
    Column("number", String(12), nullable=False),
    Column("place", Integer, nullable=False),
)
Index("patron_accounts_by_number", patron_accounts.c.number)

training_progress = Table(
    "training_progress",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("edition", String(40), primary_key=True),
    Column("content", Text, nullable=False),
    Column("changed", String(40), nullable=False),
)
training_courses = Table(
    "training_courses",
    metadata,
    Column("id", String(60), primary_key=True),
    Column("content", Text, nullable=False),
    Column("added_by", String(40), nullable=False),
    Column("added_at", String(40), nullable=False),
)
training_exams = Table(
    "training_exams",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("person", String(40), nullable=False),
    Column("course", String(60), nullable=False),
    Column("begun", String(40), nullable=False),
    Column("content", Text, nullable=False),
    Column("sitting", Text, nullable=False),
    Column("result", Text, nullable=False),
)
Index("training_exams_by_person", training_exams.c.person)
training_certificates = Table(
    "training_certificates",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("exam", Integer, nullable=False, unique=True),
    Column("person", String(40), nullable=False),
    Column("content", Text, nullable=False),
    Column("public_key", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
    Column("pdf_digest", String(64), nullable=False),
)
training_mended = Table(
    "training_mended",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
)
"""The school: what somebody learned, examinations and certificates, and which errors at real tables he has worked through.
None of it is money, and none of it is in the chain."""

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


def _know_people_better(connection: Connection) -> None:
    for table in (people, sessions):
        _add_missing_columns(connection, table)
    for table in (attempts, known_browsers, failed_logins, house_settings):
        table.create(connection)
    connection.execute(people.update().values(failures=0, locked=0))  # nobody stays locked out


def _add_missing_columns(connection: Connection, table: Table) -> None:
    """A new store has them from the step that made the table."""
    known = {column["name"] for column in inspect(connection).get_columns(table.name)}
    for column in table.columns:
        if column.name not in known:
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {CreateColumn(column).compile(connection.engine)}"))


def _forget_csrf(connection: Connection) -> None:
    """A page's proof follows from the session's token now, and is not kept."""
    connection.execute(sessions.update().values(csrf=""))


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


def doubled_keys(connection: Connection) -> list[tuple[str, list[int]]]:
    """Every idempotency key that several entries have, with their numbers; no index is asked, for it may be broken."""
    key = entries.c.key + ""
    doubled = select(key.label("doubled")).where(key != "").group_by(key).having(func.count() > 1)
    entries_of: dict[str, list[int]] = {name: [] for name in connection.execute(doubled).scalars()}
    if entries_of:
        for name, seq in connection.execute(select(key, entries.c.seq).where(key.in_(entries_of))):
            entries_of[name].append(seq)
    return [(name, sorted(seqs)) for name, seqs in entries_of.items()]


def _key_once(connection: Connection) -> None:
    """The store itself lets no second entry have a key. A new store is made with the index that says so."""
    if doubled := doubled_keys(connection):
        key, seqs = doubled[0]
        numbers = " and ".join(map(str, seqs))
        raise Refused(
            "doubled-key",
            f'entries {numbers} of this store have the same idempotency key "{key}", so that a command may have been carried '
            f"out twice: nothing was changed. `houseway audit` names every one; restore a backup of before entry {seqs[1]}",
        )
    connection.execute(text("DROP INDEX IF EXISTS entries_by_key"))
    connection.execute(text("CREATE UNIQUE INDEX IF NOT EXISTS entries_once_by_key ON entries (key) WHERE key <> ''"))


def _know_patrons(connection: Connection) -> None:
    patrons.create(connection)
    patron_accounts.create(connection)


def _keep_training(connection: Connection) -> None:
    for table in (training_progress, training_courses, training_exams, training_certificates, training_mended):
        table.create(connection)


MIGRATIONS = (
    _create,
    _keep_snapshots,
    _know_people,
    _forget_csrf,
    _key_once,
    _know_people_better,
    _know_patrons,
    _keep_training,
)
"""Each brings the store from version n to n + 1; never edited once released."""


def migrate(engine: Engine) -> None:
    """Bring the store up to date; the lock on the version table lets one process do it. A newer store is refused."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(4840)"))
        version.create(connection, checkfirst=True)
        reached = reached_version(connection)
        for number, step in enumerate(MIGRATIONS[reached:], reached + 1):
            step(connection)
            connection.execute(version.insert().values(version=number))


def reached_version(connection: Connection) -> int:
    """The version of a store: 0 before its first step; refused if a newer program has made it."""
    if not inspect(connection).has_table(version.name):
        return 0
    reached: int = connection.execute(select(func.max(version.c.version))).scalar() or 0
    if reached > len(MIGRATIONS):
        raise Refused(
            "store-newer",
            f"a newer program has made this store (version {reached}; this one reads up to {len(MIGRATIONS)}): "
            "run that one, or restore a backup of before",
        )
    return reached
