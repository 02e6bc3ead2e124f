"""A finished round, told again from the journal: step by step, with its place in the chain and the proof of its shoe."""

import json
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass

from houseway.house.replay import PastRounds, Told, shoe_of_round, shoe_proof
from houseway.house.store import Store
from houseway.rulebook.edition import Edition
from houseway.table import House, Table
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.fold import SHOE_REVEALED
from houseway.table.roles import STAFF
from houseway.view import Json, edition_view, happened, last_round
from houseway.view.face import face_view
from houseway.view.reader import ANYBODY, Reader
from houseway.view.unnamed import for_reader
from houseway.view.words import entry_words, unnamed_words

KEPT_MOST = 200
ENDS = {"settle", "void"}


@dataclass(frozen=True)
class KeptReplay:
    """A replay that was made, as it is sent. It is `final` when nothing but a correction can change it any more."""

    table: str
    round: int
    is_final: bool
    body: bytes
    for_guests: bytes

    def told(self, reader: Reader) -> bytes:
        """What a reader is sent: guests are told roles of the staff, and no names."""
        return self.body if reader.role in STAFF else self.for_guests


class Replays:
    """The replays of finished rounds: each is made once and kept, until it tells too little or something else is right."""

    def __init__(self, store: Store) -> None:
        self.store, self.walk = store, PastRounds(store)
        self._kept: OrderedDict[int, KeptReplay] = OrderedDict()
        self._turned: Counter[str] = Counter()
        self._lock = threading.Lock()

    def body(self, seq: int, reader: Reader) -> bytes:
        """The replay of the round that ended with this entry, as JSON."""
        with self._lock:
            if kept := self._kept.get(seq):
                self._kept.move_to_end(seq)
                return kept.told(reader)
            turned = self._turned.copy()
        answer = replayed(self.store, self.walk.round(seq))
        is_final = answer["neighbours"]["after"] is not None and (answer["shoe"] is None or answer["shoe"]["revealed"])
        kept = KeptReplay(answer["table"], answer["round"], is_final, _sent(answer), _sent(for_reader(answer, ANYBODY)))
        with self._lock:
            if turned[answer["table"]] == self._turned[answer["table"]]:  # nothing happened while it was made
                self._kept[seq] = kept
                if len(self._kept) > KEPT_MOST:
                    self._kept.popitem(last=False)
        return kept.told(reader)

    def follow(self, entry: Entry) -> None:
        """Forget what an entry has made untrue: a corrected round, and one whose successor or whose shoe was not known."""
        if entry.kind not in ENDS | {"correct", SHOE_REVEALED}:
            return
        corrected = entry.data["command"]["round"] if entry.kind == "correct" else None
        with self._lock:
            self._turned[entry.table] += 1
            for seq, kept in list(self._kept.items()):
                if kept.table == entry.table and (not kept.is_final or kept.round == corrected):
                    del self._kept[seq]


def _sent(told: Json) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def replayed(store: Store, walked: Told) -> Json:
    """A round that is over, so that all of its cards may be seen."""
    before, after = walked
    seq = after[-1][0].seq
    entries, ended = [entry for entry, _ in after], after[-1][1]
    name = entries[-1].table
    table = ended.tables[name]
    edition = edition_of(table)
    last = last_round(table, entries)
    assert last is not None
    corrections = store.corrections(name, last["round"], seq)
    return last | {
        "table": name,
        "edition": edition_view(table),
        "face": face_view(table),
        "settings": dict(table.settings),
        "source": table.source,
        "at": entries[-1].at,
        "day": entries[-1].day,
        "entries": [_entry(entry, edition) for entry in entries],
        "verified": all(entry.holds((entry.seq - 1, entry.previous)) for entry in entries),
        "shoe": _shoe(store, before, after, name),
        "hands_face_up": edition.game.dealing.hands_face_up,
        "names": {
            wager.id: {"name": wager.name, "outcomes": {outcome.id: outcome.name for outcome in wager.outcomes}}
            for wager in edition.game.wagers.values()
        },
        "neighbours": _neighbours(store, name, entries),
        "corrections": [_entry(entry, edition) for entry in corrections],
    }


def _entry(entry: Entry, edition: Edition) -> Json:
    words, unnamed = entry_words(entry, edition), unnamed_words(entry, edition)
    return {
        "seq": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "actor": entry.actor,
        "role": entry.role,
        "happened": happened(entry, edition),
        "words": words,
        **({"unnamed": unnamed} if unnamed != words else {}),
        "cards": _cards(entry),
        "transfers": [list(transfer.as_data()) for transfer in entry.transfers],
        "hashed": [entry.seq, entry.previous, *entry.fields().values()],
        "previous": entry.previous,
        "hash": entry.hash,
    }


def _cards(entry: Entry) -> list[str]:
    return [card for event in entry.data.get("events", []) if event["event"] == "cards-drawn" for card in event["cards"]]


def _shoe(store: Store, before: House, after: list[tuple[Entry, House]], name: str) -> Json | None:
    """The shoe of the round: what was committed to, and, once it is revealed, whether it holds."""
    tables: list[Table] = [state.tables[name] for state in (before, *(state for _, state in after)) if name in state.tables]
    shoes = [table.shoe for table in tables if table.shoe is not None]
    if not shoes:
        return None
    return shoe_proof(store.entries_about_shoe(name, shoes[0].id), *shoe_of_round(shoes))


def _neighbours(store: Store, name: str, entries: list[Entry]) -> Json:
    """The rounds before and after this one at the table, by the entries that ended them."""
    ends = store.ends_near(name, entries[-1].seq)
    return {"before": ends[0], "after": ends[1]}
