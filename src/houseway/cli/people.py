"""`houseway people`: accounts, sessions and recovery, on the house's own machine."""

import sys
from typing import Annotated, Any

import typer

from houseway.cli.commands import FloorOutput, StoreUrl
from houseway.cli.live import actor_of, open_floor
from houseway.cli.text import FloorFormat, show_json
from houseway.refusal import Refused

people_app = typer.Typer(help="Keep accounts: add, change, reset, sessions; on the house's own machine.", rich_markup_mode=None)
Name = Annotated[str, typer.Argument(metavar="NAME", help="the name of an account")]
Who = Annotated[str, typer.Option("--as", metavar="NAME:ROLE", help="who does it; the operating system's user is recorded too")]
OFFICE = "office:administrator"


def _accounts(store: str | None) -> Any:
    from houseway.house.accounts import Accounts
    from houseway.house.people import People

    floor = open_floor(store)
    floor.refresh()
    return Accounts(People(floor.store), floor)


def _by(who: str) -> Any:
    from houseway.table.roles import ADMINISTRATORS, may_not

    by = actor_of(who)
    if by.role not in ADMINISTRATORS:
        raise may_not(by.role, "change accounts", ADMINISTRATORS)
    return by


def _asked(words: str) -> str:
    """A password: typed without being shown, or the next line of what is piped in."""
    if sys.stdin.isatty():
        return str(typer.prompt(words, hide_input=True, default="", show_default=False))
    return sys.stdin.readline().rstrip("\n")


@people_app.command("list")
def list_(store: StoreUrl = None, format_: FloorOutput = FloorFormat.TABLE) -> None:
    """Everybody with an account: the role, and what the account lacks."""
    from houseway.house.backoff import Backoff

    accounts = _accounts(store)
    backoff, people = Backoff(accounts.people.store), accounts.people.all()
    if format_ is not FloorFormat.TABLE:
        rule = accounts.second_factor_rule()
        rows = [
            {
                "name": person.name,
                "role": person.role,
                "second_factor": bool(person.secret),
                "must_change": person.must_change,
                "failures": backoff.failures(person.name),
            }
            for person in people
        ]
        show_json({"people": rows, "second_factor": rule})
        return
    for person in people:
        failures = backoff.failures(person.name)
        notes = ["second factor"] * bool(person.secret) + ["must change the password"] * person.must_change
        notes += [f"{failures} wrong passwords lately"] * bool(failures)
        print(f"{person.name:24} {person.role:14} {', '.join(notes)}".rstrip())
    if not people:
        print("Nobody has an account yet: houseway people add NAME --role administrator")


@people_app.command("add")
def add(
    name: Name,
    role: Annotated[str, typer.Option(help="guest, or one of the staff: dealer, supervisor, cashier, security ...")],
    who: Who = OFFICE,
    store: StoreUrl = None,
) -> None:
    """Give somebody an account; the password is asked for, or read from what is piped in."""
    person = _accounts(store).add(name, role, _asked("Password"), _by(who))
    print(f"{person.name} can log in as {person.role}")


@people_app.command("role")
def role_(name: Name, role: Annotated[str, typer.Argument(metavar="ROLE")], who: Who = OFFICE, store: StoreUrl = None) -> None:
    """Give somebody another role; the sessions end."""
    person = _accounts(store).change(name, _by(who), role=role)
    print(f"{person.name} is {person.role} now")


@people_app.command("remove")
def remove(name: Name, who: Who = OFFICE, store: StoreUrl = None) -> None:
    """Remove an account; one administrator stays."""
    _accounts(store).remove(name, _by(who))
    print(f"{name} has no account any more")


@people_app.command("reset")
def reset(name: Name, who: Who = OFFICE, store: StoreUrl = None) -> None:
    """Give somebody a password for the next log-in, told once and changed then; sessions and second factor end."""
    password = _accounts(store).reset(name, _by(who))
    print(f"{name} logs in once with the password {password} and then chooses another (told only this once)")


@people_app.command("password")
def password_(name: Name, store: StoreUrl = None) -> None:
    """Change your own password: the one you have is asked for, then the new one."""
    from houseway.cli.live import system_user
    from houseway.house.accounts import DEMANDED
    from houseway.house.backoff import Backoff, TriedFrom
    from houseway.house.floor import Actor, now
    from houseway.house.passwords import is_right
    from houseway.refusal import one_of

    accounts = _accounts(store)
    known = {person.name: person for person in accounts.people.all()}
    person = known[one_of("person", name, known)]
    backoff, source = Backoff(accounts.people.store), TriedFrom(f"shell {system_user()}")
    backoff.begin(name, source, now().timestamp())
    if not is_right(person.password, _asked("Present password")):
        raise Refused("bad-login", f"this is not the password of {name} (houseway people reset gives another)")
    backoff.succeeded(name, source)
    accounts.change_own_password(Actor(name, person.role, shell=system_user()), _asked("New password"))
    print(f"{name} has a new password; all sessions have ended")
    if accounts.second_factor_rule() == DEMANDED and not person.secret and person.role != "guest":
        print("The next log-in asks for a second factor")


@people_app.command("second-factor")
def second_factor(
    rule: Annotated[str, typer.Argument(metavar="optional|demanded", help="whether the staff must have one")] = "",
    off: Annotated[str, typer.Option("--off", metavar="NAME", help="take it off an account whose telephone is lost")] = "",
    who: Who = OFFICE,
    store: StoreUrl = None,
) -> None:
    """Demand a second factor of all staff, or leave it to everybody; without a word, tell which."""
    accounts = _accounts(store)
    if off:
        accounts.change(off, _by(who), forget_factor=True)
        print(f"{off} has no second factor any more; all sessions have ended")
    if rule:
        accounts.demand_second_factor(rule, _by(who))
    if rule or not off:
        print(f"A second factor is {accounts.second_factor_rule()} for the staff")


@people_app.command("sessions")
def sessions(
    name: Annotated[str, typer.Argument(metavar="NAME", help="one account or guest only")] = "",
    store: StoreUrl = None,
    format_: FloorOutput = FloorFormat.TABLE,
) -> None:
    """Who is logged in: since when, last used when, from where."""
    from datetime import UTC, datetime

    from houseway.house.people import as_listed

    sessions = [session for session in _accounts(store).people.sessions() if not name or session.name == name]
    if format_ is not FloorFormat.TABLE:
        show_json([dict(as_listed(session)) for session in sessions])
        return
    for session in sessions:
        began, seen = (f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}" for at in (session.began, session.seen))
        about = f"since {began}, used {seen}{', locked' * session.locked}, from {session.source or 'somewhere'}"
        print(f"{session.id}  {session.name}, {session.role}: {about}")
    if not sessions:
        print("Nobody is logged in")


@people_app.command("revoke")
def revoke(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="as houseway people sessions lists it, or a name for all")],
    who: Who = OFFICE,
    store: StoreUrl = None,
) -> None:
    """End a session, or all of somebody's; every process of the house knows at once."""
    from houseway.house.sessions import end_sessions

    accounts, by = _accounts(store), _by(who)
    ended = end_sessions(accounts.people, accounts.recorder, by, lambda one: session in (one.id, one.name))
    if not ended:
        raise Refused("unknown-session", f'there is no session "{session}": houseway people sessions lists them')
    print(f"{len(ended)} session{'s' * (len(ended) != 1)} ended")
