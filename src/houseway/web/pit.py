"""The floor's own routes: money at the tables, hold against theory, events, people, the journal and the audit."""

import math
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from houseway.house.audit import Auditor
from houseway.house.store import Store
from houseway.odds.par_sheet import par_sheet
from houseway.refusal import Refused
from houseway.rulebook.settings import Settings
from houseway.table import VOID_REASONS, Table, ledger
from houseway.table.bound import read_document
from houseway.table.commands import live_commands, may_give
from houseway.table.debts import owed
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.events import HighPayout
from houseway.table.fold import ATTEMPT, EDITION_ADDED, EDITION_REMOVED
from houseway.table.play import early_to_verify, high_payouts
from houseway.table.roles import ROLES, STAFF, sees
from houseway.view import Json, edition_view, unreadable, without_cards
from houseway.view.happened import in_public
from houseway.view.words import edition_at, event_words, high_payout_words, note_words, title_of
from houseway.web.commands import REFUSALS
from houseway.web.identity import Administrator, JournalReader, StaffSession, actor_of, door_of
from houseway.web.live import house_of
from houseway.web.people import PASSWORD_MOST

router = APIRouter(prefix="/api/v1", tags=["floor"], responses=REFUSALS)
EVENTS = (
    "surveillance",
    "acknowledged",
    "voided",
    "card-corrected",
    "card-replaced",
    "cards-swapped",
    "round-rekeyed",
    "decision-undone",
    "bet-changed",
    "round-corrected",
    "owes",
    "debt-paid",
    "settlement-reversed",
    "frozen",
    "resolved",
    "closer",
    "table-closed",
)
NOTED = (ATTEMPT, "login-failed", "locked-out", "person-added", "person-changed", EDITION_ADDED, EDITION_REMOVED)
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


def _at_table(request: Request, table: Table) -> Json:
    state = house_of(request).state
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
        "tray_cents": tray,
        "drop_cents": table.dropped_cents + box,
        "win_cents": table.win_cents,
        "collection_cents": state.balance(ledger.collection(table.name)),
        "tips_cents": state.balance(ledger.tips(table.name)),
        "on_felt_cents": state.balance(ledger.wagers(table.name)),
        "watch": table.watch,
        "watch_cents": table.watch_cents,
        "check_cards": table.check_cards,
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
        "cage_cents": state.balance(ledger.CAGE),
        "tables": [_at_table(request, table) for table in state.tables.values()],
        "boards": list(state.boards),
        "guests": [{"name": name, "cents": cents, "owes_cents": owed(state, name)} for name, cents in sorted(guests.items())],
        "events": _events(request),
        "void_reasons": list(VOID_REASONS),
        "you": {"name": session.name, "role": session.role, "may": may_give(session.role), "sees": sees(session.role)},
        "commands": {kind: {"about": known.about, "roles": known.roles} for kind, known in live_commands().items()},
    }


def _events(request: Request) -> list[Json]:
    """The newest things that somebody should look at, newest first."""
    house = house_of(request)
    newest: deque[Json] = deque(maxlen=60)
    for entry in house.floor.store.entries(max(house.seq - EVENTS_READ, 0)):
        about = {"seq": entry.seq, "at": entry.at, "table": entry.table, "actor": entry.actor}
        if entry.kind in NOTED:
            note = _noted(entry)
            newest.append(about | _told(entry.kind, note, note_words(entry.kind, note)))
        for event in entry.data.get("events", []):
            if event["event"] in EVENTS:
                shown = in_public(event) if house.is_live(entry) else event
                details = {name: value for name, value in shown.items() if name != "event"}
                text = event_words(shown, edition_at(house.state, entry.table))
                newest.append(about | _told(event["event"], details, text))
    return list(newest)[::-1]


def _told(kind: str, details: Json, text: str) -> Json:
    return {"event": kind, "details": details, "text": text, **title_of(kind, details)}


def _noted(entry: Entry) -> Json:
    data = dict(entry.data)
    data.pop("document", None)  # the whole of an edition: it is in the journal
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
        payload = without_cards(entry, edition_at(house.state, entry.table)) if live else dict(entry.data)
        head = {
            name: getattr(entry, name) for name in ("seq", "at", "day", "table", "actor", "role", "kind", "previous", "hash")
        }
        shown.append(head | {"payload": payload})
    return {"entries": shown, "head": house.seq}


@router.post("/audit", summary="Verify the whole chain")
def audit(request: Request, session: JournalReader) -> dict[str, Any]:
    """Check every hash, replay every round with the rulebook, compare every cent; the answer in words."""
    report = Auditor(Store(house_of(request).floor.store.url)).run()
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
    }


class NewPerson(BaseModel):
    """Somebody who is to have an account."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=100)
    role: str = Field(max_length=20, description=f"one of {', '.join(ROLES)}")
    password: str = Field(max_length=PASSWORD_MOST, description="ten characters or more")


class ChangedPerson(BaseModel):
    """What is to change; whatever is left out stays."""

    model_config = ConfigDict(extra="forbid")
    role: str = Field(default="", max_length=20)
    password: str = Field(default="", max_length=PASSWORD_MOST)
    unlock: bool = False


@router.get("/people", summary="Who has an account")
def people(request: Request, session: Administrator) -> dict[str, Any]:
    """Names, roles, and whether an account is locked; never a password. Also the roles that there are."""
    return {
        "people": [
            {"name": person.name, "role": person.role, "locked": bool(person.locked), "failures": person.failures}
            for person in door_of(request).people.all()
        ],
        "roles": [*STAFF, *(role for role in ROLES if role not in STAFF)],
    }


@router.post("/people", summary="Give somebody an account")
def add_person(request: Request, given: NewPerson, session: Administrator) -> dict[str, Any]:
    """Recorded in the journal, without the password."""
    person = door_of(request).add(given.name, given.role, given.password, actor_of(session))
    return {"name": person.name, "role": person.role}


@router.post("/people/{name}", summary="Change an account")
def change_person(
    request: Request, name: Annotated[str, Path(max_length=40)], given: ChangedPerson, session: Administrator
) -> dict[str, Any]:
    """Another role or password (their sessions end), or a locked account opened again."""
    if not (given.role or given.password or given.unlock):
        raise Refused("nothing-to-change", "name a role or a password, or unlock the account")
    person = door_of(request).change(name, actor_of(session), given.role, given.password, given.unlock)
    return {"name": person.name, "role": person.role, "locked": bool(person.locked)}
