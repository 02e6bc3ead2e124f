"""How often a password may be tried: a wait that grows, and that strangers cannot turn against anybody else.

Failures are counted twice, in the store, so that all processes of the house count together.

1. By the name *and* where the try came from. Three are free; then a source waits 1, 2, 4, ... seconds for that name, a quarter
   of an hour at most. Other sources do not wait for it. A source is the network address (of IPv6 its network, the first 64
   bits), or, where the browser proves that this very person has logged in with it before, that browser: whoever sits at a
   neighbouring desk, or behind the same router, cannot keep him out.
2. By the name alone. After ten failures in an hour, from wherever, a source that has not been heard of for this name is asked
   to come again in 30 seconds, once. It then has its three tries, each with 30 seconds between. Nobody takes its turn away:
   the wait of a source is its own. So guessing from many addresses is slow, and whoever knows the password is in after
   one such wait at most, however many strangers try at the same time. A known browser is not asked to.

A try is counted before the password is looked at, and not after it, so that many at once are not one. Whatever an account is,
and whether there is one, the waits are the same. They are forgotten an hour after the last failure, and never longer than said
here, whatever a clock does.
"""

import hashlib
import ipaddress
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from houseway.house import schema
from houseway.house.names import skeleton
from houseway.house.store import Store
from houseway.refusal import Refused

FREE, LONGEST_SECONDS, HOT_AFTER, HOT_SECONDS, FORGOTTEN_SECONDS = 3, 15 * 60, 10, 30, 3600
ROWS_MOST = 50_000
_ALL = "*"
_tries = schema.attempts.c


@dataclass(frozen=True)
class TriedFrom:
    """Where a try comes from: an address, and the digest of what a known browser proves itself by."""

    address: str = ""
    browser: str = ""

    @property
    def key(self) -> str:
        """How it is counted."""
        return f"browser:{self.browser[:64]}" if self.browser else f"address:{network(self.address)}"


ANYWHERE = TriedFrom()


def network(address: str) -> str:
    """An address as it is counted: a whole network of IPv6 is one household.

    >>> network("192.0.2.7"), network("2001:db8:1:2:3:4:5:6"), network("::ffff:192.0.2.7"), network("a socket")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', 'elsewhere')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "elsewhere"
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))
    return str(parsed)


def seconds_to_wait(failures: int) -> int:
    """How long a source waits after so many failures in a row."""
    return 0 if failures < FREE else min(2 ** min(failures - FREE, 20), LONGEST_SECONDS)


class TryLater(Refused):
    """A try that comes too early."""

    def __init__(self, seconds: int) -> None:
        words = f"{seconds} second{'s' * (seconds > 1)}"
        super().__init__("try-later", f"too many wrong passwords for this name: try again in {words}")
        self.seconds = seconds


class Backoff:
    """The failures of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def begin(self, name: str, source: TriedFrom, at: float) -> None:
        """Count a try as failed before it is made; refused if it comes too early. What succeeds is taken back."""
        who, now = _name_key(name), int(at * 1000)
        with self.store.engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4841, hashtext(%s))", (who,))
            self._tidy(connection, now)
            wait = self._wait(connection, who, source, now)
            if not wait:
                self._count(connection, who, source.key, now)
                self._count(connection, who, _ALL, now)
        if wait:
            raise TryLater(-(-wait // 1000))

    def succeeded(self, name: str, source: TriedFrom) -> None:
        """The password was right: this source begins anew, and its try was none."""
        who = _name_key(name)
        with self.store.engine.begin() as connection:
            mine, everybody = _row(who, source.key), _row(who, _ALL)
            connection.execute(delete(schema.attempts).where(*mine))
            connection.execute(
                schema.attempts.update().where(*everybody, _tries.failures > 0).values(failures=_tries.failures - 1)
            )

    def withdraw(self, name: str, source: TriedFrom) -> None:
        """A try was none after all; those before it count as they did."""
        who = _name_key(name)
        with self.store.engine.begin() as connection:
            for row in (_row(who, source.key), _row(who, _ALL)):
                fewer = schema.attempts.update().where(*row, _tries.failures > 0)
                connection.execute(fewer.values(failures=_tries.failures - 1, until=0))

    @staticmethod
    def forget(connection: Connection, name: str) -> None:
        """Let everybody try again for a name at once."""
        connection.execute(delete(schema.attempts).where(_tries.name == _name_key(name)))

    def failures(self, name: str) -> int:
        """How many tries for a name have failed lately, from wherever."""
        with self.store.reading() as connection:
            return _failures(connection, _name_key(name), _ALL)

    @staticmethod
    def _wait(connection: Connection, who: str, source: TriedFrom, now: int) -> int:
        """How long this source must wait, in milliseconds; a stranger to a name under attack gets his turn now."""
        is_hot = _failures(connection, who, _ALL) >= HOT_AFTER and not source.browser
        row = connection.execute(select(_tries.failures, _tries.until).where(*_row(who, source.key))).first()
        if row is None:
            if not is_hot:
                return 0
            turn = now + HOT_SECONDS * 1000
            connection.execute(insert(schema.attempts).values(name=who, source=source.key, failures=0, at=now, until=turn))
            return HOT_SECONDS * 1000
        longest = max(seconds_to_wait(row.failures), HOT_SECONDS if is_hot else 0)
        left: int = row.until - now
        return max(0, min(left, longest * 1000))  # never longer than said, also if the clock has jumped

    @staticmethod
    def _count(connection: Connection, who: str, key: str, now: int) -> None:
        is_hot = key.startswith("address:") and _failures(connection, who, _ALL) >= HOT_AFTER
        count = _failures(connection, who, key) + 1
        until = now + 1000 * max(seconds_to_wait(count) if key != _ALL else 0, HOT_SECONDS if is_hot else 0)
        connection.execute(delete(schema.attempts).where(*_row(who, key)))
        connection.execute(insert(schema.attempts).values(name=who, source=key, failures=count, at=now, until=until))

    @staticmethod
    def _tidy(connection: Connection, now: int) -> None:
        """Forget what is an hour old, and the oldest of what is too much."""
        connection.execute(delete(schema.attempts).where(_tries.at < now - FORGOTTEN_SECONDS * 1000))
        if connection.execute(select(func.count()).select_from(schema.attempts)).scalar_one() > ROWS_MOST:
            middle = select(_tries.at).order_by(_tries.at).offset(ROWS_MOST // 2).limit(1).scalar_subquery()
            connection.execute(delete(schema.attempts).where(_tries.at < middle))


def _failures(connection: Connection, who: str, key: str) -> int:
    count: int | None = connection.execute(select(_tries.failures).where(*_row(who, key))).scalar()
    return count or 0


def _row(who: str, key: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _tries.name == who, _tries.source == key


def _name_key(name: str) -> str:
    """Names that look alike are counted together, and none is kept as it was typed."""
    return hashlib.sha256(skeleton(name[:100]).encode("utf-8", "replace")).hexdigest()
