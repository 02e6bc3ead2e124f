"""Who is at the door: staff with a password, guests with a name; sessions, back-off, locked screens and time-out."""

import asyncio
import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from houseway.house import names, passwords, second_factor
from houseway.house.accounts import Accounts
from houseway.house.backoff import ANYWHERE, Backoff, TriedFrom
from houseway.house.floor import Actor, guests_here
from houseway.house.login_notes import DOOR, LoginNotes
from houseway.house.outage import TOO_LONG
from houseway.house.passwords import PASSWORD_MOST
from houseway.house.people import GUEST, People, Person, Session
from houseway.house.sessions import end_sessions
from houseway.refusal import Refused
from houseway.table.fold import LOGGED_OUT
from houseway.table.gaming_day import gaming_day
from houseway.table.guests import bar_of, check_may_play
from houseway.web.served import WAIT_SECONDS, ServedHouse
from houseway.web.together import Together

__all__ = ["DOOR", "GUEST_IDLE_SECONDS", "LONGEST_SECONDS", "PASSWORD_MOST", "STAFF_IDLE_SECONDS", "Door", "digest"]

log = logging.getLogger("houseway.web")
STAFF_IDLE_SECONDS, GUEST_IDLE_SECONDS, LONGEST_SECONDS = 5 * 60, 12 * 3600, 16 * 3600
"""A staff screen locks after five minutes without input (C.6.5), a guest's session ends when nobody used it for half a day, and
no session is longer than a long shift."""
_AHEAD_SECONDS = 10
"""How far the clocks of several machines may differ. What is later than that is of a clock that was set back since: how long
ago it really was nobody can tell, and staff shows again who it is."""
_SEEN_SECONDS = {True: 5, False: 60}
"""How often it is written down that a session is used, of the staff and of guests: every single time would be dear."""
_HASHING_MOST, _HASHING_SECONDS = 2, 0.25
"""Passwords are dear to check, by design: only so many at a time, so that nobody else waits. Whoever comes with a browser that
has let him in before has a turn of his own, which strangers cannot take."""


def digest(token: str) -> str:
    """What is kept of a token: whoever reads the store cannot use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_of(token: str) -> str:
    """A page's proof, made of the token: nothing of it is stored, and whoever reads the store cannot make it."""
    return hmac.digest(token.encode(), b"houseway-csrf-1", "sha256").hex()


class Door:
    """Lets people in and knows who they are."""

    def __init__(self, people: People, house: ServedHouse, clock: Callable[[], float] = time.time) -> None:
        self.people, self.house, self.clock = people, house, clock
        self.accounts = Accounts(people, house)
        self.backoff, self.notes = Backoff(people.store), LoginNotes(people.store, house)
        self._asked: Together[str, Session | None] = Together(
            "sessions", lambda tokens, _: people.sessions_of(tokens), TOO_LONG, WAIT_SECONDS, changes=False
        )
        self._nobody = passwords.hashed(secrets.token_hex(8))
        self._hashing = {known: threading.BoundedSemaphore(_HASHING_MOST) for known in (True, False)}

    def add(self, name: str, role: str, password: str, by: Actor) -> Person:
        """Somebody new."""
        return self.accounts.add(name, role, password, by)

    # Getting in

    def log_in(
        self, name: str, password: str, code: str = "", source: TriedFrom = ANYWHERE, browser: str = ""
    ) -> tuple[str, Session]:
        """A session for somebody with a password, and with a code if he has a second factor."""
        person = self.prove(name, password, code, source)
        if person.role == GUEST:
            self._check_may_play(person.name)
        token, session = self._begin(person.name, person.role, source, browser)
        self.house.note("login", Actor(person.name, person.role), {"source": source.key, "session": session.id})
        self.notes.tell(self.clock())
        return token, session

    def prove(self, name: str, password: str, code: str = "", source: TriedFrom = ANYWHERE) -> Person:
        """Whoever knows this password, and has this code; refused, counted and noted otherwise."""
        known = name if name.isprintable() else ""
        if source.browser and not self.people.knows_browser(known, source.browser):
            source = replace(source, browser="")
        slots = self._hashing[bool(source.browser)]
        if not slots.acquire(timeout=_HASHING_SECONDS):
            raise Refused("busy", "many people log in at this moment: try again in a few seconds")
        try:
            return self._prove(name, self.people.find(known) if known else None, password, code, source)
        finally:
            slots.release()

    def _prove(self, name: str, person: Person | None, password: str, code: str, source: TriedFrom) -> Person:
        try:
            self.backoff.begin(name, source, self.clock())
        except Refused:
            self.notes.count(person is not None, self.clock())
            raise
        if not passwords.is_right(person.password if person else self._nobody, password) or person is None:
            self._failed(name, person, "password")
            raise Refused("bad-login", "the name or the password is wrong")
        self._check_code(person, code, source)
        self.backoff.succeeded(name, source)
        return person

    def _check_code(self, person: Person, code: str, source: TriedFrom) -> None:
        """The second factor: a code of the authenticator or of the recovery codes, each once."""
        if not person.secret:
            return
        if not code.strip():
            self.backoff.withdraw(person.name, source)  # half of a try is none, and forgets no other
            raise Refused("code-wanted", "give the six digits that your authenticator shows, or a recovery code")
        step = second_factor.step_of(person.secret, code, self.clock(), person.used_step)
        if step is not None and self.people.use_step(person.name, step):
            return
        if self.people.use_recovery(person.name, second_factor.digest(code)):
            return
        self._failed(person.name, person, "code")
        raise Refused("bad-code", "the code is wrong, or was used before: give the one that your authenticator shows now")

    def _failed(self, name: str, person: Person | None, why: str) -> None:
        self.notes.failed(name, person is not None, self.backoff.failures(name), self.clock(), why)

    def tell_failures(self, stopped: threading.Event) -> None:
        """Every minute, note what was only counted in the minutes before."""
        while not stopped.wait(60):
            try:
                self.notes.tell(self.clock())
            except Exception as error:
                if not self.house.is_out(error):
                    log.exception("failed log-ins could not be noted")

    def know_browser(self, session: Session, browser: str) -> str:
        """What a browser keeps, so that it is known the next time: as it was, if it is."""
        kept = browser if browser and self.people.knows_browser(session.name, digest(browser)) else secrets.token_urlsafe(32)
        self.people.know_browser(session.name, digest(kept), int(self.clock()))
        return kept

    def join(self, name: str, source: TriedFrom = ANYWHERE, browser: str = "") -> tuple[str, Session]:
        """A guest's session, by a name that nobody else has and that looks like nobody else's."""
        token, session = self._new(names.good_name(name), GUEST, source, browser)
        self._check_may_play(session.name)
        self.people.join(session, session.began - GUEST_IDLE_SECONDS, lambda: list(guests_here(self.house.state)))
        return token, replace(session, csrf=csrf_of(token))

    def _check_may_play(self, guest: str) -> None:
        """Refuse a guest who may not play; that he tried is told."""
        try:
            check_may_play(self.house.state, guest, gaming_day(self.house.floor.clock(), self.house.state), himself=True)
        except Refused:
            self.notes.barred(guest, self.clock())
            raise

    def _is_barred(self, session: Session) -> bool:
        """Whether a guest's session is of somebody who may not play any more."""
        state = self.house.state
        if session.role != GUEST or not (state.barred or state.too_young):
            return False
        return bar_of(state, session.name, gaming_day(self.house.floor.clock(), state)) is not None

    def _begin(self, name: str, role: str, source: TriedFrom, browser: str) -> tuple[str, Session]:
        token, session = self._new(name, role, source, browser)
        self.people.forget(session.began - LONGEST_SECONDS)
        self.people.open(session)
        return token, replace(session, csrf=csrf_of(token))

    def _new(self, name: str, role: str, source: TriedFrom, browser: str) -> tuple[str, Session]:
        token, now = secrets.token_urlsafe(32), int(self.clock())
        plain = "".join(char if " " <= char <= "~" else "?" for char in browser[:120])
        return token, Session(digest(token), name, role, "", now, now, source=source.address[:80], browser=plain)

    # Who is in

    def who(self, token: str, touch: bool = True) -> Session | None:
        """The session of a token as of this moment, unless it has ended; the store is asked, so that what ends at one process
        has ended at all. A guest's is kept alive by asking, if it is to `touch`; one of the staff only by input."""
        if not token or len(token) > 100:
            return None
        stored = self.people.sessions_of([digest(token)])[0]
        return self._as_of_now(replace(stored, csrf=csrf_of(token)), touch) if stored else None

    async def who_soon(self, token: str) -> Session | None:
        """The same, for whoever must not keep others waiting: the store is asked once for all who ask meanwhile."""
        if not token or len(token) > 100:
            return None
        stored = await self._asked.ask(digest(token))
        if stored is None:
            return None
        session, now = replace(stored, csrf=csrf_of(token)), int(self.clock())
        if (
            self._is_over(session, now)
            or self._is_barred(session)
            or self._is_to_lock(session, now)
            or self._is_to_touch(session, now)
        ):
            return await asyncio.to_thread(self._as_of_now, session, True)
        return session

    def _as_of_now(self, session: Session, touch: bool) -> Session | None:
        """A session that the store has, unless its time is over; what follows from the time is written down."""
        key, now = session.token, int(self.clock())
        if self._is_over(session, now) or self._is_barred(session):
            self.people.close(key)
            self.house.sessions_changed()
            return None
        if self._is_to_lock(session, now):
            self.people.change_session(key, locked=1)
            return replace(session, locked=True)
        if touch and self._is_to_touch(session, now):
            self.people.change_session(key, seen=now)
        return session

    def _is_to_lock(self, session: Session, now: int) -> bool:
        return session.role != GUEST and not session.locked and self._is_idle(session, now)

    @staticmethod
    def _is_to_touch(session: Session, now: int) -> bool:
        return session.role == GUEST and now - session.seen > _SEEN_SECONDS[False]

    @staticmethod
    def _is_over(session: Session, now: int) -> bool:
        """Whether a session has been open, or a guest's unused, for too long."""
        if session.role == GUEST:
            return now - session.began > LONGEST_SECONDS or now - session.seen > GUEST_IDLE_SECONDS
        return not -_AHEAD_SECONDS <= now - session.began <= LONGEST_SECONDS

    @staticmethod
    def _is_idle(session: Session, now: int) -> bool:
        """Whether nothing was put in at a screen of the staff for too long."""
        return not -_AHEAD_SECONDS <= now - session.seen <= STAFF_IDLE_SECONDS

    def is_to_note(self, session: Session) -> bool:
        """Whether it is to be written down that something is put in: not every single time."""
        return not session.locked and int(self.clock()) - session.seen >= _SEEN_SECONDS[session.role != GUEST]

    def put_in(self, session: Session) -> None:
        """Something was put in: the screen stays open for another five minutes."""
        if self.is_to_note(session):
            self.people.change_session(session.token, seen=int(self.clock()))

    def locks_in(self, session: Session) -> int | None:
        """Seconds until a screen locks if nothing is put in; nothing for guests."""
        if session.role == GUEST:
            return None
        return 0 if session.locked else max(0, STAFF_IDLE_SECONDS - (int(self.clock()) - session.seen))

    def lock(self, session: Session) -> None:
        """Lock a screen now."""
        self.people.change_session(session.token, locked=1)
        self.house.sessions_changed()

    def unlock(self, session: Session, password: str, code: str, source: TriedFrom) -> None:
        """Open a locked screen again for whoever locked it."""
        self.prove(session.name, password, code, source)
        self.people.change_session(session.token, locked=0, seen=int(self.clock()))

    # Getting out

    def leave(self, session: Session) -> None:
        """End one's own session, and its streams."""
        if self.people.find(session.name):
            data = {"session": session.id}
            also = partial(self.people.end, token=session.token)
            self.house.note(LOGGED_OUT, Actor(session.name, session.role), data, also=also)
        else:  # of a guest without an account the books tell
            self.people.close(session.token)
        self.house.sessions_changed()

    def end(self, id_: str, by: Actor, may_all: bool) -> Session:
        """End a session that is listed: one's own, or, for an administrator, anybody's."""
        own = (by.name, by.role)
        ended = end_sessions(
            self.people, self.house, by, lambda one: one.id == id_ and (may_all or (one.name, one.role) == own)
        )
        if not ended:
            raise Refused("unknown-session", "there is no such session any more: look at the list again")
        return ended[0]

    def sessions(self, name: str = "", role: str = "") -> list[Session]:
        """The sessions that are open, as of now."""
        now = int(self.clock())
        open_sessions = []
        for session in self.people.sessions(name, role):
            if not self._is_over(session, now):
                locked = session.locked or (session.role != GUEST and self._is_idle(session, now))
                open_sessions.append(replace(session, locked=locked))
        return open_sessions
