"""The audit: the chain, every transfer, and every round settled anew with the rulebook; findings as values."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from houseway.cards import parse_cards
from houseway.house import shoe as shoes
from houseway.house.floor import no_garbage, now
from houseway.house.snapshot import is_of
from houseway.house.store import Head, Store
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.entry import GENESIS, Entry, canonical
from houseway.table.events import same_events
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED, SNAPSHOT, check_form, fold
from houseway.table.ledger import Transfer

BROKEN = (Refused, LookupError, ValueError, TypeError, AttributeError, AssertionError)
"""What an entry that no floor has written may raise when it is replayed."""


@dataclass(frozen=True)
class Flaw:
    """The first thing that does not hold, and the entry it was found at."""

    seq: int
    what: str

    def __str__(self) -> str:
        return f"entry {self.seq}: {self.what}"


@dataclass(frozen=True)
class Report:
    """What an audit found: how much was checked, and the first flaw, if any."""

    entries: int
    transfers: int
    head: Head
    flaw: Flaw | None


@dataclass(frozen=True)
class SignedHead:
    """The head of the chain, signed: kept elsewhere, it shows a cut tail or a rewritten chain."""

    seq: int
    hash: str
    at: str
    public_key: str
    signature: str

    def message(self) -> bytes:
        """What is signed."""
        return canonical(["houseway-head-1", self.seq, self.hash, self.at]).encode()

    def is_genuine(self) -> bool:
        """Whether the signature is the key's."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.public_key)).verify(
                bytes.fromhex(self.signature), self.message()
            )
        except (InvalidSignature, ValueError):
            return False
        return True

    @classmethod
    def load(cls, file: Path) -> "SignedHead":
        """Read an exported head."""
        try:
            return cls(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            raise Refused("bad-head", f"{file}: not an exported head") from None


def public_key(key: bytes) -> str:
    """The public half of the house's key, by which its signatures are known."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def sign_head(store: Store, key: bytes) -> SignedHead:
    """Sign the head as it is now."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    (seq, hash_), at = store.head(), now().isoformat(timespec="seconds")
    unsigned = SignedHead(seq, hash_, at, public_key(key), "")
    return SignedHead(seq, hash_, at, unsigned.public_key, private.sign(unsigned.message()).hex())


class Auditor:
    """Walks the chain once, folding the state anew and comparing every cent."""

    def __init__(self, store: Store, head: SignedHead | None = None, public_key: str = "") -> None:
        self.store, self.signed, self.public_key = store, head, public_key
        self.state, self.previous = House(), (0, GENESIS)
        self.entries, self.moved = 0, 0
        self.shoes: dict[str, tuple[str, int, list[str]]] = {}

    def run(self) -> Report:
        """Check everything; stop at the first entry that does not hold."""
        with self.store.tolerant(), no_garbage():
            flaw = next(self._flaws(), None)
        return Report(self.entries, self.moved, self.previous, flaw)

    def _flaws(self) -> Iterator[Flaw]:
        if self.signed and not self.signed.is_genuine():
            yield Flaw(self.signed.seq, "the exported head's signature is not genuine")
        if self.signed and self.public_key not in {"", self.signed.public_key}:
            yield Flaw(self.signed.seq, "the exported head was signed with another key")
        head = self.store.head()  # a house at work goes on writing: what comes later is for the next audit
        stored = self.store.transfers(head[0])
        for entry in self.store.entries(until=head[0]):
            yield from self._chain(entry)
            try:
                yield from self._replay(entry, stored)
                yield from self._shoes(entry)
            except BROKEN as error:
                yield Flaw(entry.seq, f"it cannot be replayed: {type(error).__name__} {error}")
            self.previous = entry.seq, entry.hash
            self.entries += 1
        for seq, transfer in stored:
            yield Flaw(seq, f"a transfer that no entry has: {transfer}")
        if head != self.previous:
            yield Flaw(self.previous[0], "the head does not match the last entry: the tail was cut")
        if (misplaced := self.store.misplaced_transfers()) is not None:
            yield Flaw(misplaced, "its transfers are not numbered as they were stored")
        named, last = self.store.last_seq()
        if last > named:
            yield Flaw(named + 1, "it lies beyond the head of the chain: it was added, or the head was moved back")
        if self.signed and self.signed.seq > self.previous[0]:
            yield Flaw(self.previous[0], f"the chain ends before the exported head {self.signed.seq}: the tail was cut")
        if sum(self.state.balances.values()):
            yield Flaw(self.previous[0], "the accounts do not add up to zero")

    def _chain(self, entry: Entry) -> Iterator[Flaw]:
        """The entry is the unaltered successor of the one before, and the one the exported head saw."""
        if not entry.holds(self.previous):
            yield Flaw(entry.seq, "its hash does not hold: it, or the one before, was altered, added or removed")
        if self.signed and entry.seq == self.signed.seq and entry.hash != self.signed.hash:
            yield Flaw(entry.seq, "it is not the entry that the exported head was signed for: the chain was rewritten")

    def _replay(self, entry: Entry, stored: Iterator[tuple[int, Transfer]]) -> Iterator[Flaw]:
        """The command, given again, does what the entry says, and the store moved that money and no other."""
        recorded = list(entry.transfers)
        for transfer in recorded:
            found = next(stored, None)
            self.moved += 1
            if found != (entry.seq, transfer):
                yield Flaw(entry.seq, f"a stored transfer differs: {found} instead of {transfer}")
        if entry.kind == SNAPSHOT and not is_of(self.state, entry):
            yield Flaw(entry.seq, "it vouches for a snapshot that is not the state of its moment")
        check_form(entry)
        self.state, events, transfers = fold(self.state, entry)
        if "events" in entry.data and (not same_events(entry.data, events) or transfers != recorded):
            for ours, theirs in zip_longest(transfers, recorded):
                if ours != theirs:
                    yield Flaw(entry.seq, f"settled anew it moves {ours}, and the entry says {theirs}")
            yield Flaw(entry.seq, "settled anew its events differ")

    def _shoes(self, entry: Entry) -> Iterator[Flaw]:
        """Every revealed shoe is the one committed to, and every card came from it in order."""
        data = entry.data
        if entry.kind == SHOE_COMMITTED:
            self.shoes[data["shoe"]] = data["commitment"], data["burned"], []
        for event in data.get("events", []):
            if event["event"] == "cards-drawn" and event["shoe"] in self.shoes:
                self.shoes[event["shoe"]][2].extend(event["cards"])
        if entry.kind == SHOE_REVEALED and "lost" not in data:
            commitment, burned, drawn = self.shoes.pop(data["shoe"], ("", 0, []))
            revealed = shoes.Revealed(parse_cards(data["order"]), data["salt"])
            if not shoes.check(shoes.Commitment(commitment), revealed):
                yield Flaw(entry.seq, f"shoe {data['shoe']} is not the one committed to")
            elif data["order"].split()[burned : burned + len(drawn)] != drawn:
                yield Flaw(entry.seq, f"cards of shoe {data['shoe']} were not dealt in its order")
