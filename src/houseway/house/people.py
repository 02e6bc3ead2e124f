"""Who may do what: the staff's names, roles and password hashes, and the sessions that are open. Never part of the chain."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from houseway.house import schema
from houseway.house.store import Store


@dataclass(frozen=True)
class Person:
    """Somebody of the staff; `failures` counts wrong passwords in a row, and whoever is `locked` cannot log in."""

    name: str
    role: str
    password: str
    failures: int = 0
    locked: int = 0


@dataclass(frozen=True)
class Session:
    """An open session: of its token only the digest is kept. Times are seconds since 1970."""

    token: str
    name: str
    role: str
    csrf: str
    began: int
    seen: int


class People:
    """The staff and the sessions of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """A transaction that alone changes the staff: of two processes that add the same name, one finds it there."""
        with self.store.engine.begin() as connection:
            if connection.dialect.name == "postgresql":  # SQLite has begun by locking everything
                connection.exec_driver_sql("LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE")
            yield connection

    def all(self) -> list[Person]:
        """Everybody, by name."""
        with self.store.reading() as connection:
            return [Person(*row) for row in connection.execute(select(schema.people).order_by(schema.people.c.name))]

    def find(self, name: str) -> Person | None:
        """The person of this name."""
        with self.store.reading() as connection:
            row = connection.execute(select(schema.people).where(schema.people.c.name == name)).first()
        return Person(*row) if row else None

    def put(self, person: Person) -> None:
        """Add somebody, or change what is known."""
        with self._changing() as connection:
            connection.execute(delete(schema.people).where(schema.people.c.name == person.name))
            connection.execute(insert(schema.people).values(**person.__dict__))

    def add(self, person: Person) -> bool:
        """Add somebody, unless there is somebody of this name; whether it was done."""
        with self._changing() as connection:
            if connection.execute(select(schema.people.c.name).where(schema.people.c.name == person.name)).first():
                return False
            connection.execute(insert(schema.people).values(**person.__dict__))
        return True

    def failed(self, name: str, most: int) -> int:
        """Count a wrong password, and lock the account at `most` in a row; how many they are now."""
        columns = schema.people.c
        with self._changing() as connection:
            connection.execute(update(schema.people).where(columns.name == name).values(failures=columns.failures + 1))
            connection.execute(update(schema.people).where(columns.name == name, columns.failures >= most).values(locked=1))
            count: int = connection.execute(select(columns.failures).where(columns.name == name)).scalar_one()
        return count

    def open(self, session: Session) -> None:
        """Keep a session."""
        with self.store.engine.begin() as connection:
            connection.execute(insert(schema.sessions).values(**session.__dict__))

    def session(self, token: str) -> Session | None:
        """The session of a token's digest."""
        with self.store.reading() as connection:
            row = connection.execute(select(schema.sessions).where(schema.sessions.c.token == token)).first()
        return Session(*row) if row else None

    def is_taken(self, name: str, since: int) -> bool:
        """Whether a guest of this name was here since a moment."""
        columns = schema.sessions.c
        with self.store.reading() as connection:
            query = select(columns.name).where(columns.name == name, columns.role == "guest", columns.seen >= since)
            return connection.execute(query).first() is not None

    def saw(self, token: str, at: int) -> None:
        """A session was used."""
        with self.store.engine.begin() as connection:
            connection.execute(update(schema.sessions).where(schema.sessions.c.token == token).values(seen=at))

    def close(self, token: str = "", name: str = "") -> None:
        """End a session, or all of somebody's."""
        columns = schema.sessions.c
        with self.store.engine.begin() as connection:
            connection.execute(delete(schema.sessions).where(columns.token == token if token else columns.name == name))

    def forget(self, before: int) -> None:
        """Drop sessions not used since a moment."""
        with self.store.engine.begin() as connection:
            connection.execute(delete(schema.sessions).where(schema.sessions.c.seen < before))
