"""Snapshots: the state as of an entry, so that a long journal need not be folded from its beginning.

A snapshot is never the truth. Its digest stands in the chain, in an entry of its own; a snapshot that does not match it,
or that other code has written, is passed over and the journal is folded instead. An audit folds everything and compares.
"""

import hashlib
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_args

from houseway.house.store import Store
from houseway.table import House
from houseway.table.entry import Entry, canonical
from houseway.table.fold import SNAPSHOT
from houseway.table.plain import as_json, from_json, kept_fields

EVERY = 10_000
"""How many entries may have to be folded when a floor starts."""


@cache
def shape() -> str:
    """A digest of the fields that a state has: snapshots of other shapes are not read."""

    def names(kind: Any) -> list[Any]:
        inner = [names(part) for part in get_args(kind)]
        kept = kept_fields(kind) if isinstance(kind, type) and is_dataclass(kind) else ()
        own = [[field.name, names(hint)] for field, hint in kept]
        return [getattr(kind, "__name__", str(kind)), inner, own]

    return hashlib.sha256(canonical(["in order", names(House)]).encode()).hexdigest()[:16]


def taken(state: House) -> tuple[dict[str, Any], str]:
    """What the chain says of a snapshot, and the snapshot, in the order that the state has: wagers are settled in theirs."""
    content = as_json(state)
    return {"shape": shape(), "digest": hashlib.sha256(content.encode()).hexdigest()}, content


def is_of(state: House, entry: Entry) -> bool:
    """Whether a snapshot's entry tells of this state; one of another shape cannot be compared."""
    return entry.data["shape"] != shape() or entry.data == taken(state)[0]


def latest(store: Store, before: int | None = None) -> tuple[House, int]:
    """The newest snapshot (before an entry) that the chain vouches for, and its number; the beginning, if there is none."""
    newest = store.snapshot(before)
    if newest:
        entry, content = newest
        vouched = {"shape": shape(), "digest": hashlib.sha256(content.encode()).hexdigest()}
        if entry.kind == SNAPSHOT and entry.data == vouched and entry.is_itself():
            return from_json(House, content), entry.seq
    return House(), 0
