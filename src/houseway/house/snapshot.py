"""Snapshots: the state as of an entry, so that a long journal need not be folded from its beginning.

A snapshot is never the truth. Its digest stands in the chain, in an entry of its own; a snapshot that does not match it,
or that other code has written, is passed over and the journal is folded instead. An audit folds everything and compares.
Where a card lies face down, the snapshot is sealed, and so salted is what the chain says of it that nobody can guess it.
"""

import hashlib
import logging
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_args

from houseway.house.sealing import Sealing
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.entry import Entry, canonical
from houseway.table.face_up import hides_anything
from houseway.table.fold import LEFT, SNAPSHOT, without_those_who_left
from houseway.table.plain import as_json, from_json, kept_fields

EVERY = 10_000
"""How many entries may have to be folded when a floor starts."""
log = logging.getLogger("houseway.house")


@cache
def shape() -> str:
    """A digest of the fields that a state has: snapshots of other shapes are not read."""

    def names(kind: Any) -> list[Any]:
        inner = [names(part) for part in get_args(kind)]
        kept = kept_fields(kind) if isinstance(kind, type) and is_dataclass(kind) else ()
        own = [[field.name, names(hint)] for field, hint in kept]
        return [getattr(kind, "__name__", str(kind)), inner, own]

    return hashlib.sha256(canonical(["in order", names(House)]).encode()).hexdigest()[:16]


def taken(state: House, sealing: Sealing | None = None) -> tuple[dict[str, Any], str]:
    """What the chain says of a snapshot, and the snapshot, in the order that the state has: wagers are settled in theirs."""
    content = as_json(state)
    if sealing and hides_anything(state):
        seal, kept = sealing.seal_text(content)
        return {"shape": shape(), "seal": seal}, kept
    return {"shape": shape(), "digest": hashlib.sha256(content.encode()).hexdigest()}, content


def is_of(state: House, entry: Entry, sealing: Sealing | None = None) -> bool | None:
    """Whether a snapshot's entry tells of this state; nothing of one that is of another shape, or sealed without a key."""
    if entry.data["shape"] != shape():
        return None
    if entry.data.get(LEFT):
        state = without_those_who_left(state)
    if "seal" in entry.data:
        return sealing.is_of_text(entry.data["seal"], as_json(state)) if sealing else None
    return {name: value for name, value in entry.data.items() if name != LEFT} == taken(state)[0]


def latest(store: Store, before: int | None = None) -> tuple[House, int]:
    """The newest snapshot (before an entry) that the chain vouches for, and its number; the beginning, if there is none.

    One that is damaged, or of another shape, is passed over for the one before it.
    """
    for seq in _numbers(store, before):
        try:
            kept = store.snapshot(seq)
            content = _vouched(*kept, store.sealing) if kept else None
            if content is not None:
                return from_json(House, content), seq
        except (Refused, TypeError, ValueError) as error:
            log.warning("the snapshot of entry %s cannot be read (%s): an older one is taken", seq, type(error).__name__)
    return House(), 0


def _numbers(store: Store, before: int | None) -> list[int]:
    try:
        return store.snapshot_seqs(before)
    except Refused:  # their pages are damaged
        log.warning("the snapshots cannot be read: the journal is folded from its beginning")
        return []


def _vouched(entry: Entry, kept: str, sealing: Sealing | None) -> str | None:
    """A snapshot's content, if the chain has an entry that tells of exactly this one."""
    if entry.kind != SNAPSHOT or not entry.is_itself() or entry.data.get("shape") != shape():
        return None
    if "seal" in entry.data:
        return sealing.open_text(entry.data["seal"], kept) if sealing else None
    return kept if entry.data.get("digest") == hashlib.sha256(kept.encode()).hexdigest() else None
