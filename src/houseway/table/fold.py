"""The state after an entry of the journal: fold = handle again, with the cards that were recorded."""

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.cards import read_cards
from houseway.refusal import Refused
from houseway.table import duties
from houseway.table.bound import BINDING, UNREADABLE, assumed, digests_in
from houseway.table.commands import COMMANDS, declared
from houseway.table.engine import changer_at, handle, is_shuffled_every_round
from houseway.table.entry import Entry
from houseway.table.event import FORM, STRICT_DUTIES, WHOLE_DAYS, WITH_SENTENCES, Event
from houseway.table.face_up import blind
from houseway.table.guests import (
    PATRON_CHANGED,
    PATRON_IDENTIFIED,
    PATRON_LINKED,
    PATRON_REGISTERED,
    PATRON_SEEN,
    PATRONS_FOUND,
    PATRONS_PURGED,
    lines_of_both,
    noted_of_patrons,
)
from houseway.table.ledger import DEBT, Transfer
from houseway.table.piece_events import ChipsMoved
from houseway.table.pieces import as_told, as_would_move
from houseway.table.state import Board, House, LostShoe, Round, ShoeState, Table, changed

SHOE_COMMITTED, SHOE_REVEALED, ATTEMPT, SNAPSHOT = "shoe-committed", "shoe-revealed", "attempt", "snapshot"
EDITION_ADDED, EDITION_REMOVED, SELF_CHECK = "edition-added", "edition-removed", "self-check"
NOTES = {ATTEMPT, SNAPSHOT, "login-failed", "locked-out", "person-added", "person-changed", EDITION_ADDED, EDITION_REMOVED}
LOGGED_OUT, SESSION_ENDED = "logout", "session-ended"
ENDS_SESSIONS = {LOGGED_OUT, SESSION_ENDED, "person-changed", "person-removed", "person-reset", "account-rules"}
"""Notes after which somebody may not be logged in any more."""
NOTES |= {"login", "failed-logins", "second-factor"} | ENDS_SESSIONS
KEY_MADE, HEAD_NOT_SENT, HEAD_SENT_AGAIN, HEAD_PLACES = "key-made", "head-not-sent", "head-sent-again", "head-places"
BACKUP, BACKUP_FAILED = "backup", "backup-failed"
REQUESTED, ACCOUNTS = "requested", {"person-added", "person-changed", "person-removed", "person-reset", "account-rules"}
ALERT_SEEN, ALERT_PLACES = "alert-seen", "alert-places"
NOTES |= {SELF_CHECK, KEY_MADE, HEAD_NOT_SENT, HEAD_SENT_AGAIN, HEAD_PLACES, BACKUP, BACKUP_FAILED, ALERT_SEEN, ALERT_PLACES}
"""Entries that change no table and move no money."""
PATRON_NOTES = {PATRON_REGISTERED, PATRON_CHANGED, PATRON_LINKED, PATRON_IDENTIFIED, PATRON_SEEN, PATRONS_FOUND, PATRONS_PURGED}
NOTES |= PATRON_NOTES
"""What was done with the patron file: by number, never what it holds."""
PERMITTED = {*ACCOUNTS, PATRON_CHANGED, PATRONS_PURGED}
"""Notes that may need a second person."""
LEFT = "left"
"""What a snapshot's entry says with which the accounts of guests who left were closed."""
Folded = tuple[House, list[Event], list[Transfer]]
"""The state after an entry, and the events and transfers that its command must have had."""


def context(at: str, day: str, actor: str, role: str, form: int = FORM) -> dict[str, Any]:
    """What the floor adds to every command: nobody can give it himself."""
    return {"at": at, "day": day, "actor": actor, "role": role, "form": form}


def check_form(entry: Entry) -> None:
    """Refuse an entry whose command no floor would have taken: folding trusts the floor that wrote it, an audit does not."""
    if "drawn" in entry.data:
        declared(entry.data["command"], entry.role).check(entry.data["command"])


def fold(state: House, entry: Entry) -> Folded:
    """The state after an entry. A table whose edition cannot be read is spoiled, with its reason, and no other table is."""
    table = state.tables.get(entry.table)
    if table is not None and table.spoiled and entry.kind != "open":
        return as_recorded(state, entry, table.spoiled), [], list(entry.transfers)
    try:
        return replay(state, entry)
    except Refused as refused:
        if refused.code != UNREADABLE:
            raise
        return as_recorded(state, entry, refused.message), [], list(entry.transfers)


def replay(state: House, entry: Entry) -> Folded:
    """The state after an entry, worked out anew from what it was given; refused or failing if that cannot be."""
    data = entry.data
    if entry.kind == SHOE_COMMITTED:
        table = state.tables[entry.table]
        shoe = ShoeState(
            id=data["shoe"],
            commitment=data["commitment"],
            size=data["size"],
            cut=data["cut"],
            used=data["burned"],
            dice_commitment=data.get("dice_commitment", ""),
            committed_at=entry.at,
            wants_seeds=data.get("wants_seeds", False),
        )
        discards = () if data.get("discards") else table.discards
        goes_on = data.get("discards") or is_shuffled_every_round(table)
        history, since = (table.history, table.shoe_since) if goes_on else ((), table.round.number)
        run_out = (*table.run_out, table.shoe) if table.shoe else table.run_out
        shod = changed(table, shoe=shoe, shoes_made=table.shoes_made + 1, shoe_since=since, discards=discards)
        followed = tuple(changed(lost, declared=True) for lost in table.lost_shoes)  # before, nobody had to say it
        shod = changed(shod, history=history, run_out=run_out, lost_shoes=followed)
        return changed(state, tables={**state.tables, table.name: shod}), [], []
    if entry.kind == SHOE_REVEALED:
        table = state.tables[entry.table]
        in_play = table.shoe is not None and table.shoe.id == data["shoe"]
        run_out = tuple(shoe for shoe in table.run_out if shoe.id != data["shoe"])
        bare = changed(table, shoe=None if in_play else table.shoe, run_out=run_out)
        if "lost" in data:
            number, commitment = data.get("number", table.shoes_made), data.get("commitment", "")
            bare = changed(bare, lost_shoes=(*table.lost_shoes, LostShoe(number, data["shoe"], commitment)))
        return changed(state, tables={**state.tables, table.name: bare}), [], []
    if entry.kind == SNAPSHOT and entry.data.get(LEFT):
        return without_those_who_left(state), [], []
    if entry.kind in NOTES:
        noted = _without_permit(noted_of_patrons(_with_staff(_with_editions(state, entry), entry), entry), entry)
        linked = entry.kind == PATRON_LINKED
        names, form = (str(data.get("guest")), str(data.get("first"))), int(data.get("form", WHOLE_DAYS - 1))
        return noted, [*lines_of_both(state, *names, entry.day, form)] if linked else [], []
    if entry.is_sealed:
        unseen = blind(state.tables[entry.table], data["felt"], entry.seq, entry.at)
        tables, pieces = {**state.tables, entry.table: unseen}, as_would_move(state, entry.transfers, changer_at(unseen))
        after = changed(state, tables=tables, balances=moved(state.balances, entry.transfers), pieces=pieces)
        return after, [], list(entry.transfers)
    form = data.get("form", WITH_SENTENCES)
    command = {**data["command"], **context(entry.at, entry.day, entry.actor, entry.role, form)}
    for name in ("second", "begins", "patron"):
        if name in data:
            command[name] = data[name]
    if entry.kind == REQUESTED:
        asked, event = duties.asked(state, command, at_stake(state, command))
        return with_seals(asked, entry), [event], []
    cards = iter(read_cards(data["drawn"]))
    if data["dice"]:
        command["dice"] = data["dice"]
    if entry.kind in BINDING:
        command["bound"] = bound_in(entry)
    if "settled" in data:
        command["settled"] = data["settled"]
    effect = handle(state, command, entry.role, lambda: next(cards, None))
    return with_seals(effect.finished(), entry), effect.events, effect.transfers


def with_seals(state: House, entry: Entry) -> House:
    """The state with the sealed entries of a table's round: this one, if it is sealed, and without those that it opens."""
    table, data = state.tables.get(entry.table), entry.data
    if table is None or not ("sealed" in data or "openings" in data or "unopened" in data):
        return state
    done = {*data.get("openings", {}), *map(str, data.get("unopened", ()))}
    closed = tuple(seq for seq in table.sealed if str(seq) not in done)
    sealed = (*closed, entry.seq) if "sealed" in data else closed
    return changed(state, tables={**state.tables, table.name: changed(table, sealed=sealed)})


def without_those_who_left(state: House) -> House:
    """The state without the accounts of guests who have nothing, owe nothing, sit nowhere, and were not dealt to today.

    A house of years has had more guests than it has today: whoever comes again begins with nothing, as he left.
    """
    here = {guest for table in state.tables.values() for guest in table.seated.values()} | state.today.dealt_to.keys()
    here |= {spot.guest for table in state.tables.values() for spot in table.round.as_laid.values()}
    debts = {account.removeprefix(DEBT) for account, cents in state.balances.items() if cents and account.startswith(DEBT)}
    stays = here | debts

    def has_left(account: str, cents: int) -> bool:
        kind, _, name = account.partition(":")
        return not cents and kind in {"guest", "debt"} and name not in stays

    return changed(state, balances={name: cents for name, cents in state.balances.items() if not has_left(name, cents)})


def _with_editions(state: House, entry: Entry) -> House:
    """The house's own editions are what the journal has added and not removed."""
    if entry.kind == EDITION_ADDED:
        return changed(state, editions={**state.editions, entry.data["id"]: entry.data["document"]})
    if entry.kind == EDITION_REMOVED:
        kept = {id_: text for id_, text in state.editions.items() if id_ != entry.data["id"]}
        return changed(state, editions=kept)
    return state


def at_stake(state: House, command: Mapping[str, Any]) -> int:
    """How many cents a command is about; none of what the journal only notes."""
    kind = command.get("kind")
    return COMMANDS[kind].at_stake(duties.begun(state, command), command) if kind in COMMANDS else 0


def _with_staff(state: House, entry: Entry) -> House:
    """Who has an account, in which role."""
    data = entry.data
    if entry.kind not in ACCOUNTS:
        return state
    known = state
    if {"name", "role"} <= data.keys():
        others = {name: role for name, role in state.staff.items() if name != data["name"]}
        own = {} if entry.kind == "person-removed" else {str(data["name"]): str(data["role"])}
        known = changed(state, staff=others | own)
        if data.get("form", 0) >= STRICT_DUTIES and entry.kind in {"person-removed", "person-changed"}:
            known = duties.without_requests_of(known, str(data["name"]))
    return known


def _without_permit(state: House, entry: Entry) -> House:
    """What a second person permitted is used up."""
    is_done = entry.kind in PERMITTED and "second" in entry.data
    return duties.without_request(state, entry.data["second"]["request"]) if is_done else state


def bound_in(entry: Entry) -> dict[str, Any]:
    """The content and the digests of the edition that an opening entry binds to.

    0.1 said the edition's id and its digest only, in the event. A file that was named is not looked for.
    """
    data = entry.data
    if content := data.get("edition"):
        return dict(content)
    event = data["events"][0]
    return dict(assumed(str(event["edition"]), str(event.get("digest", ""))))


def moved(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """The balances after money moved as recorded, whether or not it could."""
    after = dict(balances)
    for transfer in transfers:
        after[transfer.source] = after.get(transfer.source, 0) - transfer.cents
        after[transfer.target] = after.get(transfer.target, 0) + transfer.cents
    return after


def _counted_on(table: Table, entry: Entry) -> Table:
    """A table that is not replayed: whether it is open, and which round comes next, as its entry says."""
    ended = [event["round"] for event in entry.data.get("events", []) if event["event"] in {"round-settled", "round-voided"}]
    counted = changed(table, round=Round(number=ended[-1] + 1)) if ended else table
    return changed(counted, is_open=False, closed_on=entry.day) if entry.kind == "close" else counted


def as_recorded(state: House, entry: Entry, reason: str) -> House:
    """The state after an entry that cannot be replayed: its money moves as recorded, and its table is spoiled."""
    tables, boards = dict(state.tables), dict(state.boards)
    if entry.kind in BINDING:
        command, content = entry.data["command"], bound_in(entry)
        document, bound = str(content["document"]), digests_in(content)
        if entry.kind == "open":
            seats, source = int(command.get("seats", 7)), str(command["source"])
            tables[entry.table] = Table(entry.table, str(command["edition"]), document, bound, {}, source, seats)
        else:
            boards[command["board"]] = Board(command["board"], str(command["edition"]), document, bound)
    if entry.table in tables:
        tables[entry.table] = changed(_counted_on(tables[entry.table], entry), spoiled=reason)
    moves = (move for event in entry.data.get("events", ()) if event["event"] == ChipsMoved.kind for move in event["moves"])
    pieces = as_told(state, moves) if state.pieces else state.pieces
    return changed(state, tables=tables, balances=moved(state.balances, entry.transfers), boards=boards, pieces=pieces)
