"""The state after an entry of the journal: fold = handle again, with the cards that were recorded."""

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.cards import read_cards
from houseway.refusal import Refused
from houseway.table.bound import BINDING, UNREADABLE, assumed, digests_in
from houseway.table.commands import declared
from houseway.table.engine import handle, is_shuffled_every_round
from houseway.table.entry import Entry
from houseway.table.events import FORM, WITH_SENTENCES, Event
from houseway.table.ledger import Transfer
from houseway.table.state import Board, House, Round, ShoeState, Table, changed

SHOE_COMMITTED, SHOE_REVEALED, ATTEMPT, SNAPSHOT = "shoe-committed", "shoe-revealed", "attempt", "snapshot"
EDITION_ADDED, EDITION_REMOVED, SELF_CHECK = "edition-added", "edition-removed", "self-check"
NOTES = {ATTEMPT, SNAPSHOT, "login-failed", "locked-out", "person-added", "person-changed", EDITION_ADDED, EDITION_REMOVED}
NOTES |= {SELF_CHECK}
"""Entries that change no table and move no money."""
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
        shoe = ShoeState(data["shoe"], data["commitment"], data["size"], data["cut"], used=data["burned"])
        discards = () if data.get("discards") else table.discards
        goes_on = data.get("discards") or is_shuffled_every_round(table)
        history, since = (table.history, table.shoe_since) if goes_on else ((), table.round.number)
        run_out = (*table.run_out, table.shoe.id) if table.shoe else table.run_out
        shod = changed(table, shoe=shoe, shoes_made=table.shoes_made + 1, shoe_since=since, discards=discards)
        shod = changed(shod, history=history, run_out=run_out)
        return changed(state, tables={**state.tables, table.name: shod}), [], []
    if entry.kind == SHOE_REVEALED:
        table = state.tables[entry.table]
        in_play = table.shoe is not None and table.shoe.id == data["shoe"]
        run_out = tuple(shoe_id for shoe_id in table.run_out if shoe_id != data["shoe"])
        bare = changed(table, shoe=None if in_play else table.shoe, run_out=run_out)
        return changed(state, tables={**state.tables, table.name: bare}), [], []
    if entry.kind in NOTES:
        return _with_editions(state, entry), [], []
    cards = iter(read_cards(data["drawn"]))
    form = data.get("form", WITH_SENTENCES)
    command = dict(data["command"]) | context(entry.at, entry.day, entry.actor, entry.role, form)
    if data["dice"]:
        command["dice"] = data["dice"]
    if entry.kind in BINDING:
        command["bound"] = data["edition"] if "edition" in data else _as_of_0_1(data)
    if "settled" in data:
        command["settled"] = data["settled"]
    effect = handle(state, command, entry.role, lambda: next(cards, None))
    return effect.finished(), effect.events, effect.transfers


def _with_editions(state: House, entry: Entry) -> House:
    """The house's own editions are what the journal has added and not removed."""
    if entry.kind == EDITION_ADDED:
        return changed(state, editions={**state.editions, entry.data["id"]: entry.data["document"]})
    if entry.kind == EDITION_REMOVED:
        kept = {id_: text for id_, text in state.editions.items() if id_ != entry.data["id"]}
        return changed(state, editions=kept)
    return state


def _as_of_0_1(data: dict[str, Any]) -> dict[str, str]:
    """What 0.1 said of the edition: its id and its digest, in the event. A file that was named is not looked for."""
    event = data["events"][0]
    return assumed(str(event["edition"]), str(event.get("digest", "")))


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
        command, content = entry.data["command"], entry.data.get("edition") or _as_of_0_1(entry.data)
        document, bound = str(content["document"]), digests_in(content)
        if entry.kind == "open":
            seats, source = int(command.get("seats", 7)), str(command["source"])
            tables[entry.table] = Table(entry.table, str(command["edition"]), document, bound, {}, source, seats)
        else:
            boards[command["board"]] = Board(command["board"], str(command["edition"]), document, bound)
    if entry.table in tables:
        tables[entry.table] = changed(_counted_on(tables[entry.table], entry), spoiled=reason)
    return House(tables, moved(state.balances, entry.transfers), boards, state.editions, state.earlier)
