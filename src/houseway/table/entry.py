"""A journal entry: one fact, chained to the one before by its hash."""

import hashlib
import json
from dataclasses import dataclass
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Any

from houseway.table.ledger import Transfer
from houseway.values import kept, quickly_made

GENESIS = "0" * 64
SEALED_MARK = '"sealed":{'
"""What the payload of a sealed entry has in it, and hardly any other: most need not be parsed to be known as open."""


_PARSED = json.JSONDecoder().raw_decode
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False)


def canonical(data: Any) -> str:
    """JSON with one spelling: sorted keys, no spaces, no floats."""
    return _CANONICAL.encode(data)


@quickly_made
@dataclass(frozen=True)
class Entry:
    """What happened, who did it, which money it moved. `hash` covers everything else, the previous hash included."""

    seq: int
    at: str
    day: str
    table: str
    actor: str
    role: str
    kind: str
    key: str
    payload: str
    previous: str
    hash: str

    @classmethod
    def chained(cls, previous: "tuple[int, str]", fields: dict[str, str]) -> "Entry":
        """The entry that follows the head of the chain."""
        seq, hash_ = previous[0] + 1, previous[1]
        return cls(seq=seq, previous=hash_, hash=digest(seq, hash_, fields), **fields)

    def fields(self) -> dict[str, str]:
        """Everything but the sequence number and the hashes."""
        return dict(zip(FIELDS, _FIELDS_OF(self), strict=True))

    def holds(self, previous: "tuple[int, str]") -> bool:
        """Whether this is the unaltered successor of the head given."""
        return (self.seq, self.previous) == (previous[0] + 1, previous[1]) and self.is_itself()

    def is_itself(self) -> bool:
        """Whether its hash is of what it says."""
        return self.hash == _digest(self.seq, self.previous, _FIELDS_OF(self))

    @kept
    def data(self) -> dict[str, Any]:
        """The payload, parsed."""
        parsed: dict[str, Any]
        parsed, end = _PARSED(self.payload)  # it has no spaces around it, which `json.loads` would look for
        if end != len(self.payload):
            raise ValueError(f"entry {self.seq} has more than its payload")
        return parsed

    @kept
    def is_sealed(self) -> bool:
        """Whether a part of it is sealed, and was not opened yet: cards that were face down when it was written."""
        return SEALED_MARK in self.payload and "sealed" in self.data and "command" not in self.data

    def opened(self, content: dict[str, Any]) -> "Entry":
        """The same entry, told with what was sealed in it."""
        entry = Entry(self.seq, **self.fields(), previous=self.previous, hash=self.hash)
        entry.__dict__["data"] = self.data | content
        return entry

    @kept
    def transfers(self) -> tuple[Transfer, ...]:
        """The money this entry moved."""
        return tuple(Transfer.from_data(item) for item in self.data.get("transfers", []))


FIELDS = ("at", "day", "table", "actor", "role", "kind", "key", "payload")
_FIELDS_OF = attrgetter(*FIELDS)
row_of = attrgetter("seq", *FIELDS, "previous", "hash")
"""An entry's fields in their order, as a store keeps them."""


def digest(seq: int, previous: str, fields: dict[str, str]) -> str:
    """The hash of an entry."""
    return _digest(seq, previous, tuple(fields[name] for name in FIELDS))


def _digest(seq: int, previous: str, fields: tuple[str, ...]) -> str:
    try:
        hashed = f"[{seq},{','.join(map(encode_basestring, (previous, *fields)))}]"  # canonical, in half the time
    except TypeError:  # a column that is no text: no floor has written it
        hashed = canonical([seq, previous, *fields])
    return hashlib.sha256(hashed.encode()).hexdigest()
