"""The chain of the journal: each entry is the unaltered successor of the one before, and the head is the last of them."""

from houseway.house.store import TO_DO, Head
from houseway.refusal import Refused
from houseway.table.entry import Entry


def broken(what: str) -> Refused:
    """The journal is not what a floor wrote."""
    return Refused("chain-broken", f"{what}: nothing more is carried out on this store; {TO_DO}")


def chained(head: Head, entry: Entry) -> Head:
    """The head after an entry; refused unless it is the unaltered successor of the one before."""
    try:
        holds = entry.holds(head)
    except (TypeError, ValueError):  # bytes, or nothing, where a text was
        holds = False
    if not holds:
        raise broken(f"entry {head[0] + 1} of the journal does not hold: it, or the one before, was altered, added or removed")
    return entry.seq, entry.hash


def check_head(reached: Head, before: Head, after: Head) -> None:
    """The head that was read before the entries, and the one read after them, fit the entries: none is missing or too many."""
    if before[0] > reached[0]:
        raise broken(f"the head of the chain names entry {before[0]}, and the journal ends with entry {reached[0]}")
    if after[0] < reached[0]:
        raise broken(f"entry {after[0] + 1} lies beyond the head of the chain")
    if any(head[0] == reached[0] and head != reached for head in (before, after)):
        raise broken(f"the head of the chain is not that of entry {reached[0]}, the last of the journal")
