"""A settled round as it stands, found in the journal: as it was settled, or as its last correction left it."""

from houseway.house import snapshot
from houseway.house.store import Store
from houseway.table import ledger
from houseway.table.correct import settled_again
from houseway.table.entry import Entry
from houseway.table.fold import fold
from houseway.table.plain import from_json
from houseway.table.play import settled_as
from houseway.table.state import Settled, Table


def settled_round(store: Store, table: Table, number: int) -> Settled | None:
    """The round of this number since the table was opened; nothing if it was not settled."""
    for entry in store.settlements(table.name):
        if entry.kind == "settle" and _ended(entry) == number:
            return _at_its_settlement(store, entry)
        if entry.kind == "correct" and entry.data["command"]["round"] == number:
            return settled_again(table, from_json(Settled, entry.data["settled"]), entry.data["command"])
    return None


def _ended(entry: Entry) -> int:
    return int(next(event["round"] for event in entry.data["events"] if event["event"] == "round-settled"))


def _at_its_settlement(store: Store, entry: Entry) -> Settled:
    """Folded up to the settlement, from the snapshot before it."""
    state, reached = snapshot.latest(store, entry.seq)
    for before in store.entries(reached, entry.seq - 1):
        state = fold(state, before)[0]
    table = state.tables[entry.table]
    return settled_as(table, entry.day, state.balance(ledger.bank(table.name)))
