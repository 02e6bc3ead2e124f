"""Whatever changes an account: here and nowhere else, each with its note in the journal, in one transaction.

The transaction holds the head of the chain, so that accounts change one after the other, whichever process asks: of two
administrators who demote each other at once the second finds that he is none any more, or that he would be the last.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from sqlalchemy import Connection

from houseway.house import names, passwords, second_factor
from houseway.house.backoff import Backoff
from houseway.house.floor import Actor, guests_here
from houseway.house.people import ADMINISTRATOR, GUEST, SECOND_FACTOR, People, Person
from houseway.refusal import Refused, one_of
from houseway.table import House
from houseway.table.duties import THE_DOOR, THE_HOUSE
from houseway.table.roles import ROLES

Work = Callable[[Connection], Mapping[str, Any]]
"""A step of the transaction; what it returns is noted too."""
DEMANDED, OPTIONAL = "demanded", "optional"


def _is_anothers(name: str, by: Actor) -> bool:
    """Whether somebody else chooses a password, and then knows it: it is changed at the next log-in. The house is nobody."""
    return by.name not in {name, THE_HOUSE, THE_DOOR}


class Recorder(Protocol):
    """What can note something, with a change of the store in the same transaction: a floor, or a house that is served."""

    @property
    def state(self) -> House:
        """The tables and the books."""

    def note(self, kind: str, actor: Actor, data: Mapping[str, Any], *, also: Work) -> object:
        """Record something, and what is done with it."""


class Accounts:
    """The accounts of a house."""

    def __init__(self, people: People, recorder: Recorder) -> None:
        self.people, self.recorder = people, recorder

    def _change(self, kind: str, by: Actor, data: Mapping[str, Any], work: Work) -> None:
        """Every change goes through here. By an administrator, it is refused if he is none any more."""

        def checked(connection: Connection) -> Mapping[str, Any]:
            self.people.hold_names(connection)
            if not by.shell and by.role == ADMINISTRATOR:
                doer = self.people.find(by.name, connection)
                if doer is None:
                    raise Refused("role-may-not", f"{by.name} has no account any more and may not change others'")
                if doer.role != by.role:
                    raise Refused("role-may-not", f"{by.name} is {doer.role} now and may not change accounts")
            before = self.people.administrators(connection)
            more = work(connection)
            if before and not self.people.administrators(connection):
                raise Refused("last-administrator", "a house always has an administrator: make somebody else one first")
            return more

        self.recorder.note(kind, by, data, also=checked)

    def _known(self, connection: Connection, name: str) -> Person:
        known = {person.name: person for person in self.people.all(connection)}
        return known[one_of("person", name, known)]

    # By administrators, and by the house itself

    def add(self, name: str, role: str, password: str, by: Actor, reserved: bool = False) -> Person:
        """Somebody new; only the house's own first accounts have a `reserved` name."""
        chosen = names.good_name(name, reserved)
        one_of("role", role, ROLES)
        passwords.check_password(password, chosen)
        person = Person(chosen, role, passwords.hashed(password), must_change=_is_anothers(chosen, by))

        def work(connection: Connection) -> Mapping[str, Any]:
            guests = {*guests_here(self.recorder.state), *self.people.guests(connection)}
            own = {chosen} if role == GUEST else set()  # whoever plays here may be given an account under his name
            names.check_free(chosen, [*(known.name for known in self.people.all(connection)), *(guests - own)])
            self.people.put(connection, person)
            return {}

        self._change("person-added", by, {"name": chosen, "role": role}, work)
        return person

    def change(
        self, name: str, by: Actor, role: str = "", password: str = "", unlock: bool = False, forget_factor: bool = False
    ) -> Person:
        """Another role, another password, the wrong ones forgotten, or the second factor taken off; the sessions end."""
        if role:
            one_of("role", role, ROLES)
        if password:
            passwords.check_password(password, name)
        kept = passwords.hashed(password) if password else ""
        changed: list[Person] = []

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, name)
            if role and role != person.role and name == by.name and not by.shell:
                raise Refused("own-role", "nobody changes his own role: another administrator does")
            after = replace(person, role=role or person.role)
            after = replace(after, password=kept, must_change=_is_anothers(name, by)) if password else after
            after = replace(after, secret="", offered_secret="", recovery=()) if forget_factor else after
            self.people.put(connection, after)
            if unlock or password:
                Backoff.forget(connection, name)
            if role or password or forget_factor:
                self.people.close_all(connection, name)
            changed.append(after)
            return {"role": after.role, "before": person.role}

        flags = {"password": bool(password), "unlocked": bool(unlock), "second_factor_off": bool(forget_factor)}
        self._change("person-changed", by, {"name": name} | flags, work)
        return changed[0]

    def remove(self, name: str, by: Actor) -> None:
        """An account that is no more; the journal keeps what was done under the name."""

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, name)
            if name == by.name and not by.shell:
                raise Refused("own-account", "nobody removes his own account: another administrator does")
            self.people.remove(connection, name)
            return {"role": person.role}

        self._change("person-removed", by, {"name": name}, work)

    def reset(self, name: str, by: Actor) -> str:
        """A password for the next log-in, told once; it must be changed then. Wrong ones and the second factor are forgotten,
        and all sessions end."""
        password = "-".join(secrets.token_hex(2) for _ in range(5))
        kept = passwords.hashed(password)

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, name)
            fresh = replace(person, password=kept, must_change=True, secret="", offered_secret="", recovery=())
            self.people.put(connection, fresh)
            Backoff.forget(connection, name)
            self.people.close_all(connection, name)
            return {"role": person.role}

        self._change("person-reset", by, {"name": name}, work)
        return password

    def demand_second_factor(self, value: str, by: Actor) -> None:
        """Whether the staff must have a second factor: those without one set it up at their next step."""
        one_of("second factor", value, (OPTIONAL, DEMANDED))

        def work(connection: Connection) -> Mapping[str, Any]:
            self.people.set(connection, SECOND_FACTOR, value)
            return {}

        self._change("account-rules", by, {"second_factor": value}, work)

    def second_factor_rule(self) -> str:
        """Whether it is demanded of the staff."""
        return self.people.setting(SECOND_FACTOR, OPTIONAL)

    # By everybody, for himself; whoever asks has just proved who he is

    def change_own_password(self, by: Actor, password: str, keep: str = "") -> None:
        """A new password of one's own; all other sessions end (`keep`: the digest of this one's token)."""
        passwords.check_password(password, by.name)
        kept = passwords.hashed(password)

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, by.name)
            if passwords.is_right(person.password, password):
                raise Refused("same-password", "this is the password that you have: choose another one")
            self.people.put(connection, replace(person, password=kept, must_change=False))
            self.people.close_all(connection, by.name, keep)
            return {"role": person.role}

        self._change("person-changed", by, {"name": by.name, "password": True, "own": True}, work)

    def offer_second_factor(self, name: str) -> str:
        """A new secret; it counts when a code of it is given."""
        secret = second_factor.new_secret()
        with self.people.changing() as connection:
            self.people.put(connection, replace(self._known(connection, name), offered_secret=secret))
        return secret

    def begin_second_factor(self, by: Actor, code: str, at: float) -> list[str]:
        """The secret that was offered counts from now on, for a code proves that it is kept; recovery codes, told once."""
        codes = second_factor.new_recovery_codes()

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, by.name)
            if not person.offered_secret:
                raise Refused("no-secret", "ask for a secret first, and put it into your authenticator")
            step = second_factor.step_of(person.offered_secret, code, at, 0)
            if step is None:
                raise Refused("bad-code", "this is not the code that the authenticator shows now: give its six digits")
            digests = tuple(second_factor.digest(one) for one in codes)
            begun = replace(person, secret=person.offered_secret, offered_secret="", used_step=step, recovery=digests)
            self.people.put(connection, begun)
            return {}

        self._change("second-factor", by, {"name": by.name, "on": True}, work)
        return codes

    def end_second_factor(self, by: Actor) -> None:
        """No second factor any more, where the house leaves that to everybody."""

        def work(connection: Connection) -> Mapping[str, Any]:
            person = self._known(connection, by.name)
            if self.second_factor_rule() == DEMANDED:
                raise Refused("factor-demanded", "this house demands a second factor: set up another one instead")
            self.people.put(connection, replace(person, secret="", offered_secret="", recovery=()))
            return {}

        self._change("second-factor", by, {"name": by.name, "on": False}, work)
