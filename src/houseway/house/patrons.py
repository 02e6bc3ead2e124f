"""The patron file: who guests are, by number, apart from the chain, so that what is not needed any more can be removed.

The journal knows a guest by his account, and refers to this file by number. Whatever is done with the file, a look at it
included, is a note there, in the same transaction: who did it and to which number, never what the file holds.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, delete, false, func, insert, or_, select, update
from sqlalchemy.engine import RowMapping

from houseway.house import names, schema
from houseway.house.accounts import Work
from houseway.house.floor import Actor, guests_here
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.entry import Entry
from houseway.table.event import FORM
from houseway.table.fold import ATTEMPT
from houseway.table.guest_events import CashLine
from houseway.table.guests import (
    CASH_KEPT,
    DATA_KEPT,
    LEAST_AGE,
    MAY_NOT_PLAY,
    PATRON_CHANGED,
    PATRON_IDENTIFIED,
    PATRON_LINKED,
    PATRON_REGISTERED,
    PATRON_SEEN,
    PATRONS_FOUND,
    PATRONS_PURGED,
    TELLS_LINES,
    bar_of,
    lines_of_both,
    number_of_patron,
)
from houseway.table.roles import ADMINISTRATORS, HOSTS

FOUND_MOST = 20
LONGEST = {"name": 120, "document": 120, "address": 400, "description": 400, "notes": 1000}
OLDEST = 120
PAPERS = ("name", "born", "document", "address")
"""What is taken of a guest before his cash goes above the report's line."""
_patrons, _accounts = schema.patrons.c, schema.patron_accounts.c


@dataclass(frozen=True)
class PatronData:
    """What is known of somebody: all of it personal. A guest without a name is one by description."""

    name: str = ""
    born: str = ""
    document: str = ""
    address: str = ""
    description: str = ""
    notes: str = ""

    def checked(self) -> "PatronData":
        """The same without spaces around; refused where it is nothing that could be kept."""
        plain = PatronData(**{name: " ".join(value.split()) for name, value in asdict(self).items()})
        for name, most in LONGEST.items():
            written = getattr(plain, name)
            if len(written) > most or not written.isprintable():
                raise Refused("bad-patron", f"{name}: write it in at most {most} printable characters")
        if plain.born:
            _date(plain.born)
        if not plain.name and not plain.description:
            raise Refused("bad-patron", "give a name, or a description of a guest who gives none")
        return plain

    @property
    def keys(self) -> dict[str, str]:
        """By what the same person is known again: the document's number, and name with birth date, however they are written."""
        person = f"{self.name.casefold()} {self.born}" if self.name and self.born else ""
        return {"document_key": re.sub(r"[^0-9a-z]", "", self.document.casefold()), "person_key": person}

    @property
    def missing(self) -> list[str]:
        """What is still to be taken before a report."""
        return [name for name in PAPERS if not getattr(self, name)]


FIELDS = tuple(field.name for field in fields(PatronData))


@dataclass(frozen=True)
class Patron:
    """Somebody in the file: his number, since when, his accounts (the first is the one that counts), and what is known."""

    number: str
    since: str
    accounts: tuple[str, ...]
    data: PatronData
    cash_day: str = ""


class Keeper(Protocol):
    """What notes what is done with the file: a floor, or a house that is served."""

    def note(
        self, kind: str, actor: Actor, data: Mapping[str, Any], *, check: Callable[[House], None] = ..., also: Work = ...
    ) -> object:
        """Record something, and what is done with it."""

    def ask_for(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> Entry | None:
        """The request for what needs a second person."""


def _date(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Refused("bad-date", "born: that is no date: write it as 1990-01-31") from None


def age_on(born: str, day: str) -> int:
    """How old somebody is on a day.

    >>> age_on("2005-11-19", "2026-11-18"), age_on("2005-11-18", "2026-11-18")
    (20, 21)
    """
    then, now = _date(born), date.fromisoformat(day)
    return now.year - then.year - ((now.month, now.day) < (then.month, then.day))


FORGET_AGAIN_SECONDS = 5.0
STILL_READ = "somebody reads the store, and its log holds them until he has finished"


@dataclass(frozen=True)
class Purged:
    """How many guests' data were removed, and whether no file of the store holds a byte of them any more."""

    guests: int
    is_gone: bool


class Patrons:
    """The patron file of a store; `day` is the gaming day of now."""

    def __init__(self, store: Store, keeper: Keeper, day: Callable[[], str]) -> None:
        self.store, self.keeper, self.day = store, keeper, day
        self.forgetting: threading.Thread | None = None

    # Looking

    def look(self, number_or_account: str, by: Actor) -> Patron:
        """Everything that is known of somebody; that he was looked at is noted before anything is told."""
        self._check(by)
        patron = self._found(number_or_account)
        self.keeper.note(PATRON_SEEN, by, {"patron": patron.number})
        return patron

    def find(self, text: str, by: Actor) -> list[Patron]:
        """Whoever has this in his name, description, document or account; that somebody was looked for is noted."""
        self._check(by)
        wanted = text.casefold().strip()
        if len(wanted) < 2:
            raise Refused("bad-patron", "look for two letters or more")
        with self.store.reading() as connection:
            found = [patron for patron in _all(connection) if _has(patron, wanted)][:FOUND_MOST]
        self.keeper.note(PATRONS_FOUND, by, {"found": len(found)})
        return found

    # Changing

    def register(self, data: PatronData, by: Actor, guest: str = "") -> Patron:
        """Somebody new, with the account under which he plays; without one, his number is his account."""
        self._check(by)
        data, made = data.checked(), _Made()
        self._check_born(data)

        def work(connection: Connection) -> Mapping[str, Any]:
            number = number_of_patron(made.state.patrons_made)
            account = guest or number
            self._check_account(connection, made.state, account)
            self._check_unknown(connection, made.state, data)
            patron = made.patron = Patron(number, self.day(), (account,), data)
            values = {"number": number, "since": patron.since, "cash_day": ""} | asdict(data) | data.keys
            connection.execute(insert(schema.patrons).values(**values))
            connection.execute(insert(schema.patron_accounts).values(guest=account, number=number, place=1))
            return {"patron": number, "guest": account} | self._of_age(made.state, data)

        self._told(PATRON_REGISTERED, by, made, work)
        return made.patron

    def change(self, number: str, by: Actor, **values: str) -> Patron | Entry:
        """Other data of somebody: what is not named stays. Whether he is of age is looked at anew.

        Another birth date by which somebody may play who was too young needs a second person: then it is the request.
        """
        self._check(by)
        made = _Made()

        def work(connection: Connection) -> Mapping[str, Any]:
            before = _one(connection, number)
            data = replace(before.data, **values).checked()
            self._check_born(data)
            self._check_unknown(connection, made.state, data, besides=before.number)
            made.patron = replace(before, data=data)
            connection.execute(
                update(schema.patrons).where(_patrons.number == before.number).values(**asdict(data) | data.keys)
            )
            redated = {"redated": True} if data.born != before.data.born else {}
            noted = {"patron": before.number, "guest": before.accounts[0]}
            made.noted = noted | redated | self._of_age(made.state, data)
            return made.noted

        try:
            self._told(PATRON_CHANGED, by, made, work)
        except Refused as refused:
            asked = self.keeper.ask_for(PATRON_CHANGED, by, made.noted) if refused.code == "second-person" else None
            if asked is None:
                raise
            return asked
        return made.patron

    def link(self, number: str, guest: str, by: Actor) -> Patron:
        """Another account of somebody: his cash is one sum from now on, and a bar is of all his accounts.

        One who was known by description only, and turns out to be this one, comes with all his accounts.
        """
        self._check(by)
        made = _Made()

        def work(connection: Connection) -> Mapping[str, Any]:
            patron = _one(connection, number)
            added = self._nameless(connection, guest, patron.number)
            if not added:
                self._check_account(connection, made.state, guest)
                added = (guest,)
            made.patron = replace(patron, accounts=(*patron.accounts, *added))
            for place, account in enumerate(added, len(patron.accounts) + 1):
                connection.execute(insert(schema.patron_accounts).values(guest=account, number=patron.number, place=place))
            first = patron.accounts[0]
            reached = [line.as_data() for line in lines_of_both(made.state, added[0], first, self.day(), FORM)]
            noted = {"patron": patron.number, "guest": added[0], "first": first, "form": FORM}
            return noted | ({"events": reached} if reached else {})

        self._told(PATRON_LINKED, by, made, work)
        return made.patron

    def identified(self, number: str, by: Actor) -> Patron:
        """His papers were seen today, and all that a report needs is in the file: the journal says only that."""
        self._check(by)
        made = _Made()

        def work(connection: Connection) -> Mapping[str, Any]:
            patron = made.patron = _one(connection, number)
            if missing := patron.data.missing:
                wanted = ", ".join("birth date" if name == "born" else name for name in missing)
                raise Refused("data-missing", f"the file of {patron.number} lacks what a report needs: take {wanted} first")
            connection.execute(update(schema.patrons).where(_patrons.number == patron.number).values(cash_day=self.day()))
            return {"patron": patron.number, "guest": patron.accounts[0]}

        self._told(PATRON_IDENTIFIED, by, made, work)
        return made.patron

    # Removing

    def due(self, state: House) -> list[str]:
        """The numbers whose data are not kept any longer: not of those who may not play, for they must be known again."""
        day, kept, cash_kept = date.fromisoformat(self.day()), DATA_KEPT.of(state), CASH_KEPT.of(state)
        with self.store.reading() as connection:
            over, cash_over = ((day - timedelta(days=days)).isoformat() for days in (kept, cash_kept))
            visits, logged, patrons = _last_visits(connection), _logged_since(connection, cash_over), _all(connection)
        return [
            patron.number
            for patron in patrons
            if max(patron.since, *(visits.get(account, "") for account in patron.accounts)) < over
            and patron.cash_day < cash_over
            and not logged.intersection(patron.accounts)
            and not any(bar_of(state, account, self.day()) for account in patron.accounts)
        ]

    def purge(self, by: Actor, state: House) -> "Entry | Purged":
        """Remove what is due, by two: the request for that, or how many were removed. Whose data they were is noted nowhere.

        If somebody reads the store just now its log still holds them: that is told, and tried again until nobody does.
        """
        if by.role not in ADMINISTRATORS:
            raise Refused("role-may-not", f"a {by.role} may not remove personal data (may: {', '.join(ADMINISTRATORS)})")
        if (asked := self.keeper.ask_for(PATRONS_PURGED, by, {})) is not None:
            return asked
        due = self.due(state)

        def work(connection: Connection) -> Mapping[str, Any]:
            for number in due:
                connection.execute(delete(schema.patrons).where(_patrons.number == number))
                connection.execute(delete(schema.patron_accounts).where(_accounts.number == number))
            return {"purged": len(due)}

        self.keeper.note(PATRONS_PURGED, by, {}, also=work)
        is_gone = self.store.forget_deleted()
        if not is_gone:
            self.forgetting = threading.Thread(target=self._forget, daemon=True)
            self.forgetting.start()
        return Purged(len(due), is_gone)

    def _forget(self) -> None:
        while not self.store.forget_deleted():
            time.sleep(FORGET_AGAIN_SECONDS)

    # Within

    @staticmethod
    def _check(by: Actor) -> None:
        if by.role not in HOSTS:
            raise Refused("role-may-not", f"a {by.role} may not use the patron file (may: {', '.join(HOSTS)})")

    def _told(self, kind: str, by: Actor, made: "_Made", work: Work) -> None:
        """Change the file with its note; somebody who may not play and comes under another name is told to the floor."""
        try:
            self.keeper.note(kind, by, {}, check=made.seen, also=work)
        except Refused as refused:
            if refused.code == MAY_NOT_PLAY:
                told = {"command": {"kind": kind}, "code": refused.code, "message": refused.message}
                self.keeper.note(ATTEMPT, by, told)
            raise

    def _found(self, number_or_account: str) -> Patron:
        with self.store.reading() as connection:
            return _one(connection, number_or_account)

    def _check_born(self, data: PatronData) -> None:
        """Refuse a birth date that nobody has who comes in alive."""
        if data.born and not 0 <= age_on(data.born, self.day()) <= OLDEST:
            raise Refused("bad-date", f"born: nobody was born then who comes today: give a day of the last {OLDEST} years")

    def _of_age(self, state: House, data: PatronData) -> dict[str, bool]:
        return {"of_age": age_on(data.born, self.day()) >= LEAST_AGE.of(state)} if data.born else {}

    @staticmethod
    def _check_account(connection: Connection, state: House, guest: str) -> None:
        known = connection.execute(select(_accounts.number).where(_accounts.guest == guest)).scalar()
        if known:
            raise Refused("name-taken", f"{guest} is an account of {known}")
        here = guests_here(state)
        if guest not in here and not re.fullmatch(r"g-\d+", guest):
            names.check_new_guest(guest, here)

    @staticmethod
    def _nameless(connection: Connection, guest: str, besides: str) -> tuple[str, ...]:
        """The accounts of somebody else who has one of this name and is known by description only: he leaves the file."""
        number = connection.execute(select(_accounts.number).where(_accounts.guest == guest)).scalar()
        if not number or number == besides or (nameless := _one(connection, number)).data.name:
            return ()
        connection.execute(delete(schema.patron_accounts).where(_accounts.number == number))
        connection.execute(delete(schema.patrons).where(_patrons.number == number))
        return nameless.accounts

    def _check_unknown(self, connection: Connection, state: House, data: PatronData, besides: str = "") -> None:
        """Refuse to have somebody under two numbers: what he may not under one he may not under another."""
        alike = [_patrons[name] == key for name, key in data.keys.items() if key]
        others = select(_patrons.number).where(or_(false(), *alike), _patrons.number != besides)
        number = connection.execute(others).scalar() if alike else None
        if number is None:
            return
        same = _one(connection, number)
        if any(bar_of(state, account, self.day()) for account in same.accounts):
            raise Refused(MAY_NOT_PLAY, f"{same.number} may not play here, and has come under another name: call a supervisor")
        raise Refused("known-patron", f"this is {same.number}, who is in the file: link the account to that number")


class _Made:
    """What a change saw, and what it left."""

    state: House
    patron: Patron
    noted: Mapping[str, Any]

    def seen(self, state: House) -> None:
        """The state that nobody else can change meanwhile."""
        self.state = state


def _has(patron: Patron, wanted: str) -> bool:
    known = (patron.number, patron.data.name, patron.data.description, patron.data.document, *patron.accounts)
    return any(wanted in text.casefold() for text in known)


def _all(connection: Connection) -> list[Patron]:
    accounts: dict[str, list[str]] = {}
    for guest, number in connection.execute(select(_accounts.guest, _accounts.number).order_by(_accounts.place)):
        accounts.setdefault(number, []).append(guest)
    rows = connection.execute(select(schema.patrons).order_by(_patrons.number)).mappings()
    return [_patron(row, accounts.get(row["number"], [])) for row in rows]


def _patron(row: RowMapping, accounts: list[str]) -> Patron:
    data = PatronData(**{name: row[name] for name in FIELDS})
    return Patron(row["number"], row["since"], tuple(accounts), data, row["cash_day"])


def _one(connection: Connection, number_or_account: str) -> Patron:
    asked = number_or_account.strip()
    number = connection.execute(select(_accounts.number).where(_accounts.guest == asked)).scalar() or asked
    row = connection.execute(select(schema.patrons).where(_patrons.number == number)).mappings().first()
    if row is None:
        raise Refused("unknown-patron", "nobody in the patron file has this number or account: look for him by name")
    accounts = connection.execute(select(_accounts.guest).where(_accounts.number == number).order_by(_accounts.place))
    return _patron(row, list(accounts.scalars()))


def _logged_since(connection: Connection, day: str) -> set[str]:
    """The accounts whose cash reached a line on a gaming day, or later."""
    entries = schema.entries.c
    lines = select(entries.payload).where(
        entries.kind.in_(TELLS_LINES), entries.day >= day, entries.payload.contains(CashLine.kind)
    )
    events = (event for payload in connection.execute(lines).scalars() for event in json.loads(payload)["events"])
    return {event["guest"] for event in events if event["event"] == CashLine.kind}


def _last_visits(connection: Connection) -> dict[str, str]:
    """The gaming day on which money of each guest last moved."""
    last: dict[str, int] = {}
    transfers = schema.transfers.c
    for side in (transfers.source, transfers.target):
        newest = select(side, func.max(transfers.seq)).where(side.like("guest:%")).group_by(side)
        for account, seq in connection.execute(newest):
            guest = account.removeprefix("guest:")
            last[guest] = max(last.get(guest, 0), seq)
    wanted, days = sorted(set(last.values())), dict[int, str]()
    for first in range(0, len(wanted), 500):
        some = select(schema.entries.c.seq, schema.entries.c.day).where(schema.entries.c.seq.in_(wanted[first : first + 500]))
        days.update((seq, day) for seq, day in connection.execute(some))
    return {guest: days.get(seq, "") for guest, seq in last.items()}
