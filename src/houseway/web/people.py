"""Who is at the door: staff with a password, guests with a name; sessions, lock-out and time-out."""

import hashlib
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from houseway.house.floor import Actor
from houseway.house.people import People, Person, Session
from houseway.refusal import Refused, one_of
from houseway.table import ROLES, Table, ledger
from houseway.web.served import ServedHouse

FAILURES_MOST = 3
STAFF_IDLE_SECONDS, GUEST_IDLE_SECONDS, LONGEST_SECONDS = 30 * 60, 12 * 3600, 16 * 3600
PASSWORD_LEAST, PASSWORD_MOST, NAME_MOST = 10, 200, 24
DOOR = Actor("door", "supervisor")
_REMEMBERED_SECONDS, _SEEN_SECONDS = 2, 60
_HASHING_MOST, _HASHING_SECONDS = 2, 0.25
"""Passwords are dear to check, by design: only so many at a time, so that nobody else waits."""
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters that nobody sees."""


def good_name(name: str) -> str:
    """A name that looks like what it is: letters, digits, spaces and . - _ ' only; no markup, no invisible characters."""
    plain = unicodedata.normalize("NFC", name).strip()
    fine = all((unicodedata.category(char)[0] in "LN" and char not in _FILLERS) or char in " .-_'" for char in plain)
    if not plain or len(plain) > NAME_MOST or not fine or not any(char.isalnum() for char in plain) or "  " in plain:
        raise Refused("bad-name", f"choose a name of 1 to {NAME_MOST} letters, digits, spaces or . - _ '")
    return plain


def digest(token: str) -> str:
    """What is kept of a token: whoever reads the store cannot use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def _bettors(table: Table) -> set[str]:
    return {spot.guest for spot in table.round.spots.values()}


class Door:
    """Lets people in and knows who they are."""

    def __init__(self, people: People, house: ServedHouse, clock: Callable[[], float] = time.time) -> None:
        self.people, self.house, self.clock = people, house, clock
        self.hasher = PasswordHasher()
        self._nobody = self.hasher.hash(secrets.token_hex(8))
        self._hashing = threading.BoundedSemaphore(_HASHING_MOST)
        self._remembered: dict[str, tuple[float, Session | None]] = {}

    def log_in(self, name: str, password: str) -> tuple[str, Session]:
        """A session for somebody with a password; three wrong ones in a row lock the account."""
        if not self._hashing.acquire(timeout=_HASHING_SECONDS):
            raise Refused("busy", "many people log in at this moment: try again in a few seconds")
        try:
            return self._log_in(name, password)
        finally:
            self._hashing.release()

    def _log_in(self, name: str, password: str) -> tuple[str, Session]:
        person = self.people.find(name) if name.isprintable() else None
        if person and person.locked:
            self._verify(self._nobody, password)
            raise Refused(
                "locked-out", f"{name} is locked after {FAILURES_MOST} wrong passwords: an administrator can unlock it"
            )
        if not self._verify(person.password if person else self._nobody, password) or person is None:
            if person:
                count = self.people.failed(name, FAILURES_MOST)
                self.house.note(
                    "locked-out" if count >= FAILURES_MOST else "login-failed", DOOR, {"name": name, "failures": count}
                )
            raise Refused("bad-login", "the name or the password is wrong")
        if person.failures:
            self.people.put(replace(person, failures=0))
        return self._begin(person.name, person.role)

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self.hasher.verify(kept, password[:PASSWORD_MOST])
        except (VerificationError, InvalidHashError):
            return False

    def join(self, name: str) -> tuple[str, Session]:
        """A guest's session, by a name that nobody else has."""
        chosen = good_name(name)
        since = int(self.clock()) - GUEST_IDLE_SECONDS
        if self.people.find(chosen) or self.people.is_taken(chosen, since) or self._is_known(chosen):
            raise Refused("name-taken", f"somebody here is called {chosen}: choose another name")
        return self._begin(chosen, "guest")

    def _is_known(self, name: str) -> bool:
        """Whether somebody of this name has chips or a seat: they are not the next one's."""
        state = self.house.state
        seated = (name in table.seated.values() or name in _bettors(table) for table in state.tables.values())
        return state.balance(ledger.guest(name)) > 0 or any(seated)

    def _begin(self, name: str, role: str) -> tuple[str, Session]:
        token, now = secrets.token_urlsafe(32), int(self.clock())
        self.people.forget(now - LONGEST_SECONDS)
        session = Session(digest(token), name, role, secrets.token_urlsafe(24), now, now)
        self.people.open(session)
        return token, session

    def who(self, token: str, touch: bool = True) -> Session | None:
        """The session of a token, unless it has ended or was idle for too long; asking keeps it alive, if it is to `touch`."""
        if not token or len(token) > 100:
            return None
        key, now = digest(token), self.clock()
        at, session = self._remembered.get(key, (0.0, None))
        if now - at > _REMEMBERED_SECONDS:
            if len(self._remembered) > 10_000:
                self._remembered.clear()
            session = self.people.session(key)
            self._remembered[key] = now, session
        if session is None:
            return None
        idle = GUEST_IDLE_SECONDS if session.role == "guest" else STAFF_IDLE_SECONDS
        if now - session.seen > idle or now - session.began > LONGEST_SECONDS:
            self.leave(token)
            return None
        if touch and now - session.seen > _SEEN_SECONDS:
            self.people.saw(key, int(now))
            self._remembered[key] = now, replace(session, seen=int(now))
        return session

    def leave(self, token: str) -> None:
        """End a session, and its streams."""
        self._remembered.pop(digest(token), None)
        self.people.close(token=digest(token))
        self.house.wake_all()

    def add(self, name: str, role: str, password: str, by: Actor) -> Person:
        """Somebody new."""
        person = Person(good_name(name), one_of("role", role, ROLES), self._hashed(password))
        if not self.people.add(person):
            raise Refused("name-taken", f"somebody is called {person.name} already: choose another name")
        self.house.note("person-added", by, {"name": person.name, "role": person.role})
        return person

    def change(self, name: str, by: Actor, role: str = "", password: str = "", unlock: bool = False) -> Person:
        """Another role, another password, or a locked account opened again; their sessions end."""
        known = {person.name: person for person in self.people.all()}
        person = known[one_of("person", name, known)]
        if role and role != person.role and name == by.name:
            raise Refused("own-role", "nobody changes his own role: another administrator does")
        changed = replace(person, role=one_of("role", role, ROLES) if role else person.role)
        changed = replace(changed, password=self._hashed(password)) if password else changed
        changed = replace(changed, failures=0, locked=0) if unlock or password else changed
        self.people.put(changed)
        if role or password:
            self.people.close(name=name)
            self._remembered.clear()
            self.house.wake_all()
        changes = {"name": name, "role": changed.role, "password": bool(password), "unlocked": bool(unlock)}
        self.house.note("person-changed", by, changes)
        return changed

    def _hashed(self, password: str) -> str:
        if not PASSWORD_LEAST <= len(password) <= PASSWORD_MOST:
            raise Refused("bad-password", f"a password has {PASSWORD_LEAST} to {PASSWORD_MOST} characters")
        return self.hasher.hash(password)
