"""A finished round, folded again: from the nearest state that is known, a snapshot of the store or one met on the way."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any

from houseway.cards import parse_cards, show_card
from houseway.house import snapshot
from houseway.house.shoe import Commitment, Revealed, check, opens
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.entry import Entry
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED, fold
from houseway.table.state import ShoeState

Told = tuple[House, list[tuple[Entry, House]]]
"""The state before a round, and each of its entries with the state after."""
APART = 500
"""Entries between the states that are remembered on the way: they share what did not change, and cost little."""
REMEMBERED_MOST = 60
MOST_ENTRIES = 2**63
"""More than a store can number."""
AT_ONCE = 20
"""Entries folded before whoever waits for the processor, a bet perhaps, has it."""


class PastRounds:
    """Goes to rounds of long ago, and remembers states on the way, so that the next one begins nearby."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._states: OrderedDict[int, House] = OrderedDict()
        self._lock = threading.Lock()

    def round(self, seq: int) -> Told:
        """The round that ended with an entry."""
        end = self.store.entry(seq) if 0 < seq < MOST_ENTRIES else None
        if end is None or end.kind not in {"settle", "void"}:
            raise Refused("no-such-round", f"entry {seq} does not end a round: name the entry of a settlement or a void")
        entries = self.store.round_entries(end.table, seq)
        first = entries[0].seq
        state, reached = self._nearest(first)
        before, after, own = state, [], {entry.seq for entry in entries}
        for entry in self.store.entries(reached, seq):
            if entry.seq == first:
                before = state
            state = fold(state, entry)[0]
            if entry.seq in own:
                after.append((entry, state))
            if entry.seq % APART == 0:
                self._remember(entry.seq, state)
            if entry.seq % AT_ONCE == 0:
                time.sleep(0)
        return before, after

    def _nearest(self, first: int) -> tuple[House, int]:
        """The newest state before an entry that is known, and its number."""
        with self._lock:
            known = max((seq for seq in self._states if seq < first), default=0)
            if known and known >= self.store.snapshot_number(first):
                self._states.move_to_end(known)
                return self._states[known], known
        return snapshot.latest(self.store, first)

    def _remember(self, seq: int, state: House) -> None:
        with self._lock:
            self._states[seq] = state
            if len(self._states) > REMEMBERED_MOST:
                self._states.popitem(last=False)


def shoe_of_round(shoes: Sequence[ShoeState]) -> tuple[ShoeState, ShoeState]:
    """Of the shoes at a table from before a round to its end: the one it began with, as it was then and as it was last."""
    first = shoes[0]
    return first, [state for state in shoes if state.id == first.id][-1]  # what guests add comes before the first card


def shoe_proof(about: Iterable[Entry], shoe: ShoeState, mixed: ShoeState) -> dict[str, Any]:
    """The shoe of a round, from the entries about it: what was committed to, and, once it is revealed, whether it holds."""
    known: dict[str, Any] = {"id": shoe.id, "commitment": shoe.commitment, "revealed": False, "seeds": None}
    for entry in about:
        if entry.kind == SHOE_COMMITTED:
            known |= {"committed_at": entry.seq, "size": entry.data["size"], "burned": entry.data["burned"]}
            known |= {"dice_commitment": entry.data.get("dice_commitment", "")}
            if entry.data.get("wants_seeds"):
                known["seeds"] = sorted(seed for _, seed in mixed.seeds)
        if entry.kind == SHOE_REVEALED and "order" in entry.data:
            order = parse_cards(entry.data["order"])
            holds = opens(Commitment(shoe.commitment), order, entry.data["salt"], known["seeds"])
            known |= {"revealed": True, "revealed_at": entry.seq, "holds": holds, "salt": entry.data["salt"]}
            known |= {"order": [show_card(card) for card in order], "first": shoe.used}
            if "dice" in entry.data:
                dice = Revealed(tuple(entry.data["dice"]), entry.data["dice_salt"], kind="dice")
                thrown = check(Commitment(str(known["dice_commitment"])), dice)
                known |= {"dice": entry.data["dice"], "dice_salt": entry.data["dice_salt"], "dice_holds": thrown}
    return known
