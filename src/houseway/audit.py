"""The audit: the chain, every transfer, and every round settled anew with the rulebook; findings as values."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from houseway import shoe as shoes
from houseway.cards import parse_cards
from houseway.floor import SHOE_COMMITTED, SHOE_REVEALED, fold, now
from houseway.journal import GENESIS, Entry, Head, Store, canonical
from houseway.ledger import Transfer
from houseway.refusal import Refused
from houseway.table import House


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


def sign_head(store: Store, key: bytes) -> SignedHead:
    """Sign the head as it is now."""
    private = Ed25519PrivateKey.from_private_bytes(key)
    (seq, hash_), at = store.head(), now().isoformat(timespec="seconds")
    unsigned = SignedHead(seq, hash_, at, private.public_key().public_bytes_raw().hex(), "")
    return SignedHead(seq, hash_, at, unsigned.public_key, private.sign(unsigned.message()).hex())


class Auditor:
    """Walks the chain once, folding the state anew and comparing every cent."""

    def __init__(self, store: Store, head: SignedHead | None = None) -> None:
        self.store, self.signed = store, head
        self.state, self.previous = House(), (0, GENESIS)
        self.entries, self.moved = 0, 0
        self.commitments: dict[str, tuple[str, str]] = {}

    def run(self) -> Report:
        """Check everything; stop at the first entry that does not hold."""
        flaw = next(self._flaws(), None)
        return Report(self.entries, self.moved, self.previous, flaw)

    def _flaws(self) -> Iterator[Flaw]:
        if self.signed and not self.signed.is_genuine():
            yield Flaw(self.signed.seq, "the exported head's signature is not genuine")
        stored = self.store.transfers()
        for entry in self.store.entries():
            yield from self._chain(entry)
            yield from self._replay(entry, stored)
            yield from self._shoes(entry)
            self.previous = entry.seq, entry.hash
            self.entries += 1
        for seq, transfer in stored:
            yield Flaw(seq, f"a transfer that no entry has: {transfer}")
        if self.store.head() != self.previous:
            yield Flaw(self.previous[0], "the head does not match the last entry: the tail was cut")
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
        try:
            self.state, events, transfers = fold(self.state, entry)
        except (Refused, KeyError, ValueError, TypeError, AssertionError) as error:
            yield Flaw(entry.seq, f"the command does not replay: {error}")
            return
        if "events" in entry.data and (_told(events) != _told(entry.data["events"]) or transfers != recorded):
            for ours, theirs in zip_longest(transfers, recorded):
                if ours != theirs:
                    yield Flaw(entry.seq, f"settled anew it moves {ours}, and the entry says {theirs}")
            yield Flaw(entry.seq, "settled anew its events differ")

    def _shoes(self, entry: Entry) -> Iterator[Flaw]:
        """Every revealed shoe is the one committed to, and every card came from it in order."""
        data = entry.data
        if entry.kind == SHOE_COMMITTED:
            self.commitments[data["shoe"]] = data["commitment"], ""
        for event in data.get("events", []):
            if event["event"] == "cards-drawn" and event["shoe"] in self.commitments:
                commitment, drawn = self.commitments[event["shoe"]]
                self.commitments[event["shoe"]] = commitment, f"{drawn} {' '.join(event['cards'])}".strip()
        if entry.kind == SHOE_REVEALED:
            commitment, drawn = self.commitments.pop(data["shoe"], ("", ""))
            revealed = shoes.Revealed(parse_cards(data["order"]), data["salt"])
            if not shoes.check(shoes.Commitment(commitment), revealed):
                yield Flaw(entry.seq, f"shoe {data['shoe']} is not the one committed to")
            elif f" {drawn}" not in f" {data['order']}":
                yield Flaw(entry.seq, f"cards of shoe {data['shoe']} were not dealt in its order")


def _told(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events without the digest of the rules: rules may be newer than a table, if they settle it to the same cent."""
    return [{name: value for name, value in event.items() if name != "digest"} for event in events]
