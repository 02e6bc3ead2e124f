"""The state after an entry of the journal: fold = handle again, with the cards that were recorded."""

from houseway.cards import read_cards
from houseway.table.commands import declared
from houseway.table.engine import handle, is_shuffled_every_round
from houseway.table.entry import Entry
from houseway.table.events import Event
from houseway.table.ledger import Transfer
from houseway.table.state import House, ShoeState, changed

SHOE_COMMITTED, SHOE_REVEALED, ATTEMPT, SNAPSHOT = "shoe-committed", "shoe-revealed", "attempt", "snapshot"
NOTES = {ATTEMPT, SNAPSHOT, "login-failed", "locked-out", "person-added", "person-changed"}
"""Entries that change no table and move no money."""


def context(at: str, day: str, actor: str, role: str) -> dict[str, str]:
    """What the floor adds to every command: nobody can give it himself."""
    return {"at": at, "day": day, "actor": actor, "role": role}


def check_form(entry: Entry) -> None:
    """Refuse an entry whose command no floor would have taken: folding trusts the floor that wrote it, an audit does not."""
    if "drawn" in entry.data:
        declared(entry.data["command"], entry.role).check(entry.data["command"])


def fold(state: House, entry: Entry) -> tuple[House, list[Event], list[Transfer]]:
    """The state after an entry, and the events and transfers that its command must have had."""
    data = entry.data
    if entry.kind == SHOE_COMMITTED:
        table = state.tables[entry.table]
        shoe = ShoeState(data["shoe"], data["commitment"], data["size"], data["cut"], used=data["burned"])
        discards = () if data.get("discards") else table.discards
        history = table.history if data.get("discards") or is_shuffled_every_round(table) else ()
        run_out = (*table.run_out, table.shoe.id) if table.shoe else table.run_out
        shod = changed(table, shoe=shoe, shoes_made=table.shoes_made + 1, discards=discards, history=history, run_out=run_out)
        return changed(state, tables={**state.tables, table.name: shod}), [], []
    if entry.kind == SHOE_REVEALED:
        table = state.tables[entry.table]
        in_play = table.shoe is not None and table.shoe.id == data["shoe"]
        run_out = tuple(one for one in table.run_out if one != data["shoe"])
        bare = changed(table, shoe=None if in_play else table.shoe, run_out=run_out)
        return changed(state, tables={**state.tables, table.name: bare}), [], []
    if entry.kind in NOTES:
        return state, [], []
    cards = iter(read_cards(data["drawn"]))
    command = dict(data["command"]) | context(entry.at, entry.day, entry.actor, entry.role)
    if data["dice"]:
        command["dice"] = data["dice"]
    effect = handle(state, command, entry.role, lambda: next(cards, None))
    return effect.finished(), effect.events, effect.transfers
