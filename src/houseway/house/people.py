"""Who may do what: the staff's names, roles and password hashes, and the sessions that are open. Never part of the chain.

Whatever changes an account is asked of `houseway.house.accounts`, which records it; here is only how it is kept. Functions that
take a connection are steps of a transaction of somebody else's.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.engine import RowMapping

from houseway.house import names, schema
from houseway.house.store import Store
from houseway.table.roles import ROLES

ADMINISTRATOR, GUEST = ROLES[-1], ROLES[0]
SECOND_FACTOR = "second-factor"
"""The setting of the house that says whether the staff must have one: `demanded`, or `optional`."""
BROWSERS_MOST = 20


@dataclass(frozen=True)
class Person:
    """Somebody with an account. `secret` is of the second factor, empty without; `offered_secret` waits for its first code."""

    name: str
    role: str
    password: str = field(repr=False)
    must_change: bool = False
    secret: str = field(default="", repr=False)
    offered_secret: str = field(default="", repr=False)
    used_step: int = 0
    recovery: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Session:
    """An open session: of its token only the digest is kept. Times are seconds since 1970.

    `seen` is when it was last used: by the staff, when something was put in. What it still `needs` before anything else is a
    new `password` or a `second-factor`; whoever is `locked` has to give the password again.
    """

    token: str
    name: str
    role: str
    csrf: str = field(repr=False)
    began: int
    seen: int
    locked: bool = False
    source: str = ""
    browser: str = ""
    needs: str = ""

    @property
    def id(self) -> str:
        """What a session is called where it is listed: it opens nothing."""
        return self.token[:16]


_people, _sessions = schema.people.c, schema.sessions.c
_SESSION = tuple(_sessions[name] for name in ("token", "name", "role", "csrf", "began", "seen", "locked", "source", "browser"))
_WITH_ACCOUNT = (
    select(
        *_SESSION,
        _people.role.label("role_now"),
        _people.must_change,
        (_people.secret != "").label("has_factor"),
        select(schema.house_settings.c.value)
        .where(schema.house_settings.c.name == SECOND_FACTOR)
        .scalar_subquery()
        .label("factor_setting"),
    )
    .select_from(schema.sessions)
    .outerjoin(schema.people, _people.name == _sessions.name)
)
_WITH_ACCOUNT_NAMES = [column.name for column in _WITH_ACCOUNT.selected_columns]


def _session(row: Mapping[str, Any] | RowMapping) -> Session | None:
    """A session, with what its account is now; none if the account is gone or has another role."""
    if row["role_now"] != row["role"] and (row["role"] != GUEST or row["role_now"] is not None):
        return None
    needs = ""
    if row["must_change"]:
        needs = "password"
    elif row["role"] != GUEST and row["factor_setting"] == "demanded" and not row["has_factor"]:
        needs = "second-factor"
    kept = {column.name: row[column.name] for column in _SESSION}
    return Session(**kept | {"locked": bool(row["locked"])}, needs=needs)


def _person(row: RowMapping) -> Person:
    recovery = tuple(json.loads(row["recovery"] or "[]"))
    rest = ("name", "role", "password", "secret", "offered_secret", "used_step")
    return Person(**{name: row[name] for name in rest}, must_change=bool(row["must_change"]), recovery=recovery)


class People:
    """The accounts and the sessions of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        wanted = "= ANY(%s)" if store.engine.dialect.name == "postgresql" else "= ?"
        whole = _WITH_ACCOUNT.compile(dialect=store.engine.dialect, compile_kwargs={"literal_binds": True})
        self._by_token = f"{whole} WHERE sessions.token {wanted}"
        """Asked with every request, and so straight of the driver."""

    # Accounts

    @contextmanager
    def changing(self) -> Iterator[Connection]:
        """A transaction that alone takes names: of two processes that add or let in the same name, one finds it there."""
        with self.store.engine.begin() as connection:
            self.hold_names(connection)
            yield connection

    @staticmethod
    def hold_names(connection: Connection) -> None:
        """Let nobody else take a name until this transaction is over."""
        if connection.dialect.name == "postgresql":  # SQLite has begun by locking everything
            connection.exec_driver_sql("LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE")

    def all(self, connection: Connection | None = None) -> list[Person]:
        """Everybody, by name."""
        query = select(schema.people).order_by(_people.name)
        if connection is not None:
            return [_person(row) for row in connection.execute(query).mappings()]
        with self.store.reading() as reading:
            return [_person(row) for row in reading.execute(query).mappings()]

    def find(self, name: str, connection: Connection | None = None) -> Person | None:
        """The person of this name."""
        query = select(schema.people).where(_people.name == name)
        if connection is not None:
            row = connection.execute(query).mappings().first()
        else:
            with self.store.reading() as reading:
                row = reading.execute(query).mappings().first()
        return _person(row) if row else None

    @staticmethod
    def put(connection: Connection, person: Person) -> None:
        """Add somebody, or change what is known."""
        values = person.__dict__ | {"must_change": int(person.must_change), "recovery": json.dumps(list(person.recovery))}
        changed = connection.execute(update(schema.people).where(_people.name == person.name).values(**values))
        if not changed.rowcount:
            connection.execute(insert(schema.people).values(**values, failures=0, locked=0))

    @staticmethod
    def remove(connection: Connection, name: str) -> None:
        """Forget an account, its sessions, its browsers and what it has learned; examinations are the house's, and stay."""
        connection.execute(delete(schema.people).where(_people.name == name))
        connection.execute(delete(schema.known_browsers).where(schema.known_browsers.c.name == name))
        connection.execute(delete(schema.sessions).where(_sessions.name == name, _sessions.role != GUEST))
        for learned in (schema.training_progress, schema.training_mended):
            connection.execute(delete(learned).where(learned.c.person == name))

    @staticmethod
    def administrators(connection: Connection) -> int:
        """How many administrators there are."""
        query = select(func.count()).select_from(schema.people).where(_people.role == ADMINISTRATOR)
        count: int = connection.execute(query).scalar_one()
        return count

    def use_step(self, name: str, step: int) -> bool:
        """Take a code of the second factor; whether it was not taken before, by any process."""
        with self.store.engine.begin() as connection:
            newer = update(schema.people).where(_people.name == name, _people.used_step < step).values(used_step=step)
            return connection.execute(newer).rowcount == 1

    def use_recovery(self, name: str, code: str) -> bool:
        """Take a recovery code, by its digest; whether it was there."""
        with self.changing() as connection:
            person = self.find(name, connection)
            if person is None or code not in person.recovery:
                return False
            left = json.dumps([kept for kept in person.recovery if kept != code])
            connection.execute(update(schema.people).where(_people.name == name).values(recovery=left))
        return True

    # Settings of the house

    def setting(self, name: str, usual: str) -> str:
        """What a setting says."""
        columns = schema.house_settings.c
        with self.store.reading() as connection:
            value: str | None = connection.execute(select(columns.value).where(columns.name == name)).scalar()
        return value if value is not None else usual

    @staticmethod
    def set(connection: Connection, name: str, value: str) -> None:
        """Change a setting."""
        connection.execute(delete(schema.house_settings).where(schema.house_settings.c.name == name))
        connection.execute(insert(schema.house_settings).values(name=name, value=value))

    # Sessions

    def open(self, session: Session) -> None:
        """Keep a session."""
        with self.store.engine.begin() as connection:
            self._open(connection, session)

    @staticmethod
    def _open(connection: Connection, session: Session) -> None:
        values = {column.name: getattr(session, column.name) for column in _SESSION}
        connection.execute(insert(schema.sessions).values(**values | {"locked": int(session.locked)}))

    def join(self, session: Session, since: int, taken: Callable[[], list[str]]) -> None:
        """Keep a guest's session, unless the name is, or looks like, that of an account, of a guest who was here since then, or
        one that is `taken` otherwise: in one transaction, so that of two who join at once one does."""
        with self.changing() as connection:
            accounts = [person.name for person in self.all(connection)]
            names.check_free(session.name, [*accounts, *self.guests(connection, since), *taken()])
            self._open(connection, session)

    @staticmethod
    def guests(connection: Connection, since: int = 0) -> list[str]:
        """The guests with a session that was used since a moment."""
        here = select(_sessions.name).where(_sessions.role == GUEST, _sessions.seen >= since)
        return list(connection.execute(here).scalars())

    def sessions_of(self, tokens: Sequence[str]) -> list[Session | None]:
        """The sessions of tokens' digests, with what their accounts are at this moment."""
        rows = self.store.asked(self._by_token, tokens)
        found = {row[0]: _session(dict(zip(_WITH_ACCOUNT_NAMES, row, strict=True))) for row in rows}
        return [found.get(token) for token in tokens]

    def sessions(self, name: str = "", role: str = "") -> list[Session]:
        """The sessions that are open (of a name in a role), newest first."""
        query = _WITH_ACCOUNT.order_by(_sessions.began.desc(), _sessions.token)
        if name:
            query = query.where(_sessions.name == name, _sessions.role == role)
        with self.store.reading() as connection:
            sessions = [_session(row) for row in connection.execute(query).mappings()]
        return [session for session in sessions if session]

    def change_session(self, token: str, **values: int) -> None:
        """A session was used, or is locked or opened again."""
        with self.store.engine.begin() as connection:
            connection.execute(update(schema.sessions).where(_sessions.token == token).values(**values))

    def close(self, token: str) -> None:
        """End a session."""
        with self.store.engine.begin() as connection:
            self.end(connection, token)

    @staticmethod
    def end(connection: Connection, token: str) -> Mapping[str, object]:
        """End a session as a step of a transaction."""
        connection.execute(delete(schema.sessions).where(_sessions.token == token))
        return {}

    @staticmethod
    def close_all(connection: Connection, name: str, but: str = "") -> None:
        """End all of somebody's sessions, but perhaps one."""
        connection.execute(delete(schema.sessions).where(_sessions.name == name, _sessions.token != but))

    def forget(self, before: int) -> None:
        """Drop sessions that are too old, or that a guest has not used since a moment."""
        with self.store.engine.begin() as connection:
            connection.execute(delete(schema.sessions).where(or_(_sessions.began < before, _sessions.seen < before)))

    # Browsers in which somebody has logged in

    def knows_browser(self, name: str, browser: str) -> bool:
        """Whether this browser, by the digest of what it keeps, has let this person in before."""
        columns = schema.known_browsers.c
        with self.store.reading() as connection:
            query = select(columns.name).where(columns.name == name, columns.browser == browser)
            return connection.execute(query).first() is not None

    def know_browser(self, name: str, browser: str, at: int) -> None:
        """Remember a browser; of many only the newest."""
        columns = schema.known_browsers.c
        with self.store.engine.begin() as connection:
            mine = delete(schema.known_browsers).where(columns.name == name)
            connection.execute(mine.where(columns.browser == browser))
            connection.execute(insert(schema.known_browsers).values(name=name, browser=browser, seen=at))
            kept = select(columns.browser).where(columns.name == name).order_by(columns.seen.desc()).limit(BROWSERS_MOST)
            connection.execute(mine.where(columns.browser.not_in(list(connection.execute(kept).scalars()))))


def as_listed(session: Session, own: str = "") -> Mapping[str, object]:
    """A session as its owner and administrators see it."""
    return {
        "id": session.id,
        "name": session.name,
        "role": session.role,
        "began": session.began,
        "seen": session.seen,
        "locked": session.locked,
        "source": session.source,
        "browser": session.browser,
        "is_this": session.token == own,
    }
