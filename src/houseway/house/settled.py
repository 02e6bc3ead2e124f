"""A settled round as it stands, found in the journal: as it was settled, or as its last correction left it."""

from houseway.house import snapshot
from houseway.house.chain import broken
from houseway.house.store import Store
from houseway.table import ledger
from houseway.table.entry import Entry
from houseway.table.fold import fold
from houseway.table.plain import from_json
from houseway.table.play import settled_as
from houseway.table.state import Settled


def settled_round(store: Store, table: str, openings: int, number: int) -> Settled | None:
    """A table's round of this number, back to the last opening but so many; nothing if it was not settled."""
    for entry in store.settlements(table, openings):
        if entry.kind == "settle" and _ended(entry) == number:
            return _at_its_settlement(store, entry)
        if entry.kind == "correct" and entry.data["command"]["round"] == number:
            return as_corrected(entry)
    return None


def as_corrected(entry: Entry) -> Settled:
    """How a round stands after its correction."""
    return from_json(Settled, _told(entry, "round-corrected")["stands"])


def _told(entry: Entry, kind: str) -> dict[str, str]:
    named: dict[str, str] = next(event for event in entry.data["events"] if event["event"] == kind)
    return named


def _ended(entry: Entry) -> int:
    return int(_told(entry, "round-settled")["round"])


def _at_its_settlement(store: Store, entry: Entry) -> Settled:
    """Folded up to the settlement, from the snapshot before it."""
    state, reached = snapshot.latest(store, entry.seq)
    for before in store.as_stored(reached, entry.seq - 1):
        if not before.is_itself():
            raise broken(f"entry {before.seq} of the journal does not hold")
        state = fold(state, store.opened(before))[0]
    table = state.tables[entry.table]
    return settled_as(table, entry.day, state.balance(ledger.bank(table.name)))
