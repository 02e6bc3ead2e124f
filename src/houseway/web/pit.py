"""The floor's own routes: money at the tables, hold against theory, events, people, the journal and the audit."""

import math
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from houseway.house import names, passwords
from houseway.house.audit import Auditor
from houseway.house.floor import now
from houseway.house.heads import HeadSettings
from houseway.house.passwords import PASSWORD_LEAST, PASSWORD_MOST
from houseway.house.past_editions import PastEditions
from houseway.house.people import Person, Session
from houseway.house.store import Store
from houseway.odds.par_sheet import par_sheet
from houseway.refusal import Refused, one_of
from houseway.rulebook.settings import Settings
from houseway.table import VOID_REASONS, Table, ledger
from houseway.table.bound import read_document
from houseway.table.commands import live_commands, may_give
from houseway.table.debts import owed
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.events import HighPayout
from houseway.table.fold import (
    ALERT_PLACES,
    ALERT_SEEN,
    ATTEMPT,
    BACKUP_FAILED,
    EDITION_ADDED,
    EDITION_REMOVED,
    HEAD_NOT_SENT,
    HEAD_PLACES,
    HEAD_SENT_AGAIN,
    KEY_MADE,
)
from houseway.table.gaming_day import gaming_day
from houseway.table.guests import PATRON_CHANGED, PATRON_IDENTIFIED, PATRON_LINKED, PATRON_REGISTERED, PATRONS_PURGED
from houseway.table.house_events import TableClosed
from houseway.table.pieces import chips_of
from houseway.table.play import early_to_verify, high_payouts
from houseway.table.roles import ROLES, STAFF, sees
from houseway.view import Json, edition_view, unreadable, without_cards
from houseway.view.duties import duties_view, requests_view
from houseway.view.happened import in_public
from houseway.view.notable import OF_MONEY, ON_THE_FLOOR
from houseway.view.slips import counts_boxes, is_counted_now, without_counts
from houseway.view.words import edition_of_entry, event_words, high_payout_words, note_words, title_of
from houseway.web.apart import apart
from houseway.web.commands import ASKED, REFUSALS, asked_answer
from houseway.web.identity import Administrator, JournalReader, StaffSession, actor_of, door_of, reader_of
from houseway.web.live import house_of

router = APIRouter(prefix="/api/v1", tags=["floor"], responses=REFUSALS)
NOTED: tuple[str, ...] = (
    ATTEMPT,
    "login-failed",
    "failed-logins",
    "locked-out",
    "person-added",
    "person-changed",
    "person-removed",
    "person-reset",
    "second-factor",
    "account-rules",
    "session-ended",
    EDITION_ADDED,
    EDITION_REMOVED,
)
NOTED += (PATRON_REGISTERED, PATRON_CHANGED, PATRON_LINKED, PATRON_IDENTIFIED, PATRONS_PURGED)
NOTED += (KEY_MADE, HEAD_NOT_SENT, HEAD_SENT_AGAIN, HEAD_PLACES, BACKUP_FAILED, ALERT_SEEN, ALERT_PLACES)
BAND = 1.96
"""Standard deviations to either side that hold 95 % of all sessions."""
EVENTS_READ = 3_000
FLAWS_SHOWN = 200


Odds = tuple[float, float]
"""The house's edge on a wager, and its variance."""
Bettable = tuple[str, tuple[tuple[str, Any], ...], str]
"""What odds depend on: an edition's content, the settings, and the wager."""


def _odds(bettable: Bettable) -> Odds:
    document, settings, wager = bettable
    sheet = par_sheet(read_document(document), wager, Settings(settings))
    return float(sheet.house_edge_without_envy), float(sheet.variance)


def _theory(table: Table, odds: Mapping[str, Odds]) -> Json:
    """The win to be expected of what was bet, and how far chance may lead from it.

    Wagers on the same cards go together, and the band leaves that out: it is too narrow by what they share.
    """
    actions = table.action.values()
    expected = sum(edge * table.action[wager].cents for wager, (edge, _) in odds.items())
    variance = sum(spread * table.action[wager].squares for wager, (_, spread) in odds.items())
    return {
        "handle_cents": sum(action.cents for action in actions),
        "bets": sum(action.bets for action in actions),
        "expected_cents": round(expected),
        "band_cents": round(BAND * math.sqrt(variance)),
        "left_out": sorted(set(table.action) - set(odds)),
    }


class Hold:
    """Theory of what is bet now, corrections included; odds, which take a moment to count, are counted beside the request."""

    def __init__(self) -> None:
        self._known: dict[Bettable, Odds] = {}
        self._busy = threading.Lock()

    def of(self, table: Table) -> Json | None:
        """A table's theory, or nothing while odds of it are counted."""
        game, settings = edition_of(table).game, tuple(table.settings.items())
        keys = {wager: (table.document, settings, wager) for wager in table.action if game.wagers[wager].count}
        missing = [key for key in keys.values() if key not in self._known]
        if missing:
            if self._busy.acquire(blocking=False):
                threading.Thread(target=self._count, args=(missing,), daemon=True).start()
            return None
        return _theory(table, {wager: self._known[key] for wager, key in keys.items()})

    def _count(self, keys: list[Bettable]) -> None:
        try:
            for key in keys:
                self._known[key] = _odds(key)
        finally:
            self._busy.release()


HOLD = Hold()


def _at_table(request: Request, table: Table, session: Session) -> Json:
    state = house_of(request).state
    blind = counts_boxes(state, session.role)
    spoiled = unreadable(table)
    tray, box = state.balance(ledger.tray(table.name)), state.balance(ledger.drop(table.name))
    return {
        "name": table.name,
        "edition": spoiled or edition_view(table),
        "unreadable": spoiled["unreadable"] if spoiled else "",
        "source": table.source,
        "is_open": table.is_open,
        "phase": str(table.round.phase),
        "round": table.round.number,
        "seats_taken": len(table.seated.keys() | table.round.spots.keys()),
        "seats": table.seats,
        "opener_cents": table.opener_cents,
        "fills_cents": table.fills_cents,
        "credits_cents": table.credits_cents,
        "tray_cents": None if blind or (chips_of(state) and is_counted_now(state, table.name)) else tray,
        "drop_cents": None if blind else table.dropped_cents + box,
        "win_cents": None if blind else table.win_cents,
        "collection_cents": state.balance(ledger.collection(table.name)),
        "tips_cents": state.balance(ledger.tips(table.name)),
        "on_felt_cents": state.balance(ledger.wagers(table.name)),
        "watch": table.watch,
        "watch_cents": table.watch_cents,
        "check_cards": table.check_cards,
        "dealer": table.dealer,
        "waits": _waiting(table) if not spoiled else [],
        "theory": HOLD.of(table) if table.action and table.bank is None and not spoiled else None,
    }


def _waiting(table: Table) -> list[str]:
    """Payouts that must be verified before they are paid, in words."""
    return [high_payout_words(payout, edition_of(table)) for payout in _to_verify(table)] if _waits(table) else []


def _to_verify(table: Table) -> tuple[HighPayout, ...]:
    """Payouts that wait for a supervisor: of the first cards, or of the whole round."""
    return early_to_verify(table) or high_payouts(table)


def _waits(table: Table) -> bool:
    return table.watch == "acknowledge" and not table.round.acknowledged


@router.get("/floor", summary="The floor at a glance")
def floor(request: Request, session: StaffSession) -> dict[str, Any]:
    """Every table's money, its win beside the win to be expected, the cage, guests' chips, and what there is to look at."""
    house = house_of(request)
    state = house.state
    guests = {
        account.removeprefix("guest:"): cents for account, cents in state.balances.items() if account.startswith("guest:")
    }
    return {
        "seq": house.seq,
        "by_slips": bool(chips_of(state)),
        "cage_cents": state.balance(ledger.CAGE),
        "tables": [_at_table(request, table, session) for table in state.tables.values()],
        "boards": list(state.boards),
        "backups": backups.status(now()) if (backups := request.app.state.backups) else None,
        "guests": [{"name": name, "cents": cents, "owes_cents": owed(state, name)} for name, cents in sorted(guests.items())],
        "events": _events(request, session),
        "alerts": request.app.state.alerts.shown(),
        "void_reasons": list(VOID_REASONS),
        "duties": duties_view(state, house.floor.begins),
        "requests": requests_view(state, reader_of(session), at := house.floor.clock(), gaming_day(at, state)),
        "you": {"name": session.name, "role": session.role, "may": may_give(session.role), "sees": sees(session.role)},
        "commands": {kind: {"about": known.about, "roles": known.roles} for kind, known in live_commands().items()},
    }


@router.get("/alerts", summary="What somebody should look at")
def alerts(request: Request, session: StaffSession) -> dict[str, Any]:
    """All alerts that stand, and those of late; `act` before `look`."""
    return {"alerts": request.app.state.alerts.shown()}


class SeenAlert(BaseModel):
    """An alert of something that happened: its kind, and the journal's entry that it is of."""

    model_config = ConfigDict(extra="forbid")
    alert: str = Field(max_length=40)
    entry: int = Field(ge=1)


@router.post("/alerts/seen", summary="Tick off an alert of something that happened")
def alert_seen(request: Request, session: StaffSession, seen: SeenAlert) -> dict[str, Any]:
    """Somebody has seen to it: it is shown no more, and the journal says who did, and when."""
    request.app.state.alerts.tick_off(seen.alert, seen.entry, actor_of(session))
    return {"alerts": request.app.state.alerts.shown()}


def _events(request: Request, session: Session) -> list[Json]:
    """The newest things that somebody should look at, newest first."""
    house = house_of(request)
    blind = counts_boxes(house.state, session.role)
    newest: deque[Json] = deque(maxlen=60)
    editions = PastEditions(house.floor.store)
    for entry in house.floor.store.entries(max(house.seq - EVENTS_READ, 0)):
        edition = editions.of(entry)
        confirmed = [f"confirmed by {entry.data['second']['confirmed_by']}"] if "second" in entry.data else []
        about = {"seq": entry.seq, "at": entry.at, "table": entry.table, "shell": shell_of(entry)}
        about["actor"] = ", ".join([entry.actor, *confirmed])
        if entry.kind in NOTED:
            note = _noted(entry)
            newest.append(about | _told(entry.kind, note, note_words(entry.kind, note)))
        for event in entry.data.get("events", []):
            if event["event"] in ON_THE_FLOOR:
                is_hidden = house.is_live(entry) or (blind and event["event"] == TableClosed.kind)
                shown = in_public(event) if is_hidden else event
                details = {name: value for name, value in shown.items() if name != "event"}
                text = event_words(shown, edition)
                newest.append(about | _told(event["event"], details, text))
    return list(newest)[::-1]


def shell_of(entry: Entry) -> str:
    """The operating system's user who gave it in the shell of the house's machine, if it came from there."""
    return str(entry.data.get("shell", {}).get("user", ""))


def _told(kind: str, details: Json, text: str) -> Json:
    return {"event": kind, "of_money": kind in OF_MONEY, "details": details, "text": text, **title_of(kind, details)}


def _noted(entry: Entry) -> Json:
    data = dict(entry.data)
    data.pop("document", None)  # the whole of an edition: it is in the journal
    data.pop("shell", None)
    command = data.pop("command", {})
    return data | ({"command": command.get("kind", "")} if command else {})


@router.get("/journal", summary="The journal")
def journal(
    request: Request,
    session: JournalReader,
    after: Annotated[int, Query(ge=0, lt=2**63, description="entries after this number")] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> dict[str, Any]:
    """Entries in order, for auditors. What a live round holds of cards is left out until the round is over."""
    house = house_of(request)
    known = house.seq  # no further: of what is not folded yet we cannot tell whether its round is over
    entries = list(house.floor.store.entries(after, min(after + limit, known))) if after < known else []
    shown = []
    for entry in entries:
        live = house.is_live(entry)
        payload = (
            without_cards(entry, edition_of_entry(house.state, entry)) if live else dict(without_counts(house.state, entry))
        )
        head = {
            name: getattr(entry, name) for name in ("seq", "at", "day", "table", "actor", "role", "kind", "previous", "hash")
        }
        shown.append(head | {"payload": payload})
    return {"entries": shown, "head": house.seq}


@router.post("/audit", summary="Verify the whole chain")
@apart("audits")
def audit(request: Request, session: JournalReader) -> dict[str, Any]:
    """Check every hash, replay every round with the rulebook, compare every cent; the answer in words."""
    floor = house_of(request).floor
    heads, known = HeadSettings.load(floor.keys).read(), floor.keys.public_keys()
    store = Store(floor.store.url, only_reads=True)
    report = Auditor(store, sealing=floor.sealing, heads=heads, public_keys=known).run()
    holds = f"{report.entries:,} entries and {report.transfers:,} transfers hold; every round settles to the same cent."
    words = f"The journal does NOT hold. First flaw, {report.flaw}" if report.flaw else f"The journal holds: {holds}"
    return {
        "holds": report.flaw is None,
        "words": words,
        "entries": report.entries,
        "transfers": report.transfers,
        "head": {"seq": report.head[0], "hash": report.head[1]},
        "flaw": {"seq": report.flaw.seq, "what": report.flaw.what} if report.flaw else None,
        "flaws": [{"seq": flaw.seq, "what": flaw.what} for flaw in report.flaws[:FLAWS_SHOWN]],
        "flaws_found": len(report.flaws),
        "left_out": dict(report.left_out),
        "played_under": [asdict(under) | {"words": str(under)} for under in report.played_under],
        "assumptions": list(report.assumptions),
        "heads_compared": report.heads_compared,
        "remarks": list(report.remarks),
        "notices": list(report.notices),
    }


class NewPerson(BaseModel):
    """Somebody who is to have an account."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=100)
    role: str = Field(max_length=20, description=f"one of {', '.join(ROLES)}")
    password: str = Field(max_length=PASSWORD_MOST, description=f"{PASSWORD_LEAST} characters or more, not easily guessed")


class ChangedPerson(BaseModel):
    """What is to change; whatever is left out stays."""

    model_config = ConfigDict(extra="forbid")
    role: str = Field(default="", max_length=20)
    password: str = Field(default="", max_length=PASSWORD_MOST)
    unlock: bool = Field(default=False, description="forget wrong passwords: nobody waits any more")
    forget_second_factor: bool = Field(default=False, description="take the second factor off, if the telephone is lost")


class AccountRules(BaseModel):
    """What the house asks of its staff's accounts."""

    model_config = ConfigDict(extra="forbid")
    second_factor: str = Field(max_length=20, description="`demanded` of all staff, or `optional`")


@router.get("/people", summary="Who has an account")
def people(request: Request, session: Administrator) -> dict[str, Any]:
    """Names, roles, wrong passwords of the last hour, second factors; never a password. Also the roles that there are."""
    door = door_of(request)
    return {
        "people": [
            {
                "name": person.name,
                "role": person.role,
                "failures": door.backoff.failures(person.name),
                "second_factor": bool(person.secret),
                "must_change": person.must_change,
            }
            for person in door.people.all()
        ],
        "roles": [*STAFF, *(role for role in ROLES if role not in STAFF)],
        "second_factor": door.accounts.second_factor_rule(),
    }


def _second_person(request: Request, session: Session, kind: str, wanted: Json) -> JSONResponse | None:
    """The answer to a change of an account that needs a second person and has none yet: it is asked for, and not done."""
    asked = house_of(request).ask_for(kind, actor_of(session), wanted)
    return asked_answer(asked) if asked else None


def _known(request: Request, name: str) -> Person:
    people = {person.name: person for person in door_of(request).people.all()}
    return people[one_of("person", name, people)]


@router.post("/people", summary="Give somebody an account", responses=ASKED)
def add_person(request: Request, given: NewPerson, session: Administrator) -> Any:
    """Recorded in the journal, without the password. Where two names are needed: ask, let another confirm, and ask again."""
    name, role = names.good_name(given.name), one_of("role", given.role, ROLES)
    passwords.check_password(given.password, name)
    if asked := _second_person(request, session, "person-added", {"name": name, "role": role}):
        return asked
    person = door_of(request).accounts.add(given.name, given.role, given.password, actor_of(session))
    return {"name": person.name, "role": person.role}


PersonName = Annotated[str, Path(max_length=40, description="the name of an account")]


@router.post("/people/{name}", summary="Change an account", responses=ASKED)
def change_person(request: Request, name: PersonName, given: ChangedPerson, session: Administrator) -> Any:
    """Another role or password (their sessions end), wrong passwords forgotten, or the second factor taken off."""
    if not (given.role or given.password or given.unlock or given.forget_second_factor):
        raise Refused("nothing-to-change", "name a role or a password, unlock the account, or forget its second factor")
    role = one_of("role", given.role, ROLES) if given.role else _known(request, name).role
    wanted: Json = {"name": name, "role": role, "password": bool(given.password), "unlocked": bool(given.unlock)}
    wanted |= {"second_factor_off": bool(given.forget_second_factor)}
    if asked := _second_person(request, session, "person-changed", wanted):
        return asked
    change = door_of(request).accounts.change
    person = change(name, actor_of(session), given.role, given.password, given.unlock, given.forget_second_factor)
    return {"name": person.name, "role": person.role}


@router.delete("/people/{name}", summary="Remove an account", status_code=204, responses=ASKED)
def remove_person(request: Request, name: PersonName, session: Administrator) -> Response:
    """The journal keeps what was done under the name; one administrator stays."""
    if asked := _second_person(request, session, "person-removed", {"name": _known(request, name).name}):
        return asked
    door_of(request).accounts.remove(name, actor_of(session))
    return Response(status_code=204)


@router.post("/people/{name}/reset", summary="A password for one log-in", responses=ASKED)
def reset_person(request: Request, name: PersonName, session: Administrator) -> Any:
    """For somebody who has forgotten his: told once, to be changed at the next log-in; his sessions end."""
    if name == session.name:
        raise Refused("own-account", "you know your password: change it on the page /account")
    if asked := _second_person(request, session, "person-reset", {"name": _known(request, name).name}):
        return asked
    return {"name": name, "password": door_of(request).accounts.reset(name, actor_of(session))}


@router.post("/account-rules", summary="What is asked of the staff's accounts", status_code=204, responses=ASKED)
def account_rules(request: Request, given: AccountRules, session: Administrator) -> Response:
    """A second factor is demanded of all staff, or left to everybody."""
    if asked := _second_person(request, session, "account-rules", {"second_factor": given.second_factor}):
        return asked
    door_of(request).accounts.demand_second_factor(given.second_factor, actor_of(session))
    return Response(status_code=204)
