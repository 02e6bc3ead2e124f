"""A journal entry: one fact, chained to the one before by its hash."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from houseway.table.ledger import Transfer

GENESIS = "0" * 64


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(data: Any) -> str:
    """JSON with one spelling: sorted keys, no spaces, no floats."""
    return _CANONICAL.encode(data)


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

    @cached_property
    def data(self) -> dict[str, Any]:
        """The payload, parsed."""
        parsed: dict[str, Any] = json.loads(self.payload)
        return parsed

    @cached_property
    def transfers(self) -> tuple[Transfer, ...]:
        """The money this entry moved."""
        return tuple(Transfer.from_data(item) for item in self.data.get("transfers", []))


FIELDS = ("at", "day", "table", "actor", "role", "kind", "key", "payload")
_FIELDS_OF = attrgetter(*FIELDS)


def digest(seq: int, previous: str, fields: dict[str, str]) -> str:
    """The hash of an entry."""
    return _digest(seq, previous, tuple(fields[name] for name in FIELDS))


def _digest(seq: int, previous: str, fields: tuple[str, ...]) -> str:
    return hashlib.sha256(canonical([seq, previous, *fields]).encode()).hexdigest()
