"""Snapshots: the state as of an entry, so that a long journal need not be folded from its beginning.

A snapshot is never the truth. Its digest stands in the chain, in an entry of its own; a snapshot that does not match it,
or that other code has written, is passed over and the journal is folded instead. An audit folds everything and compares.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from houseway.house.store import Store
from houseway.table import House
from houseway.table.entry import Entry, canonical
from houseway.table.fold import SNAPSHOT

EVERY = 10_000
"""How many entries may have to be folded when a floor starts."""


@cache
def _kept(kind: Any) -> tuple[tuple[Field[Any], Any], ...]:
    """The fields of a dataclass that are part of its value, with their types."""
    hints = get_type_hints(kind)
    return tuple((field, hints[field.name]) for field in fields(kind) if field.compare)


def _encode(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode(getattr(value, field.name)) for field, _ in _kept(type(value))}
    if isinstance(value, Mapping):
        return {str(name): _encode(item) for name, item in value.items()}
    return [_encode(item) for item in value] if isinstance(value, tuple) else value


def _decode(kind: Any, data: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType} and NoneType in inner:
        return None if data is None else _decode(next(one for one in inner if one is not NoneType), data)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**{field.name: _decode(hint, data[field.name]) for field, hint in _kept(kind)})
    if origin is Mapping:
        return {inner[0](name): _decode(inner[1], item) for name, item in data.items()}
    if origin is tuple:
        kinds = [inner[0]] * len(data) if inner[1:] == (...,) else inner
        return tuple(_decode(one, item) for one, item in zip(kinds, data, strict=True))
    return kind(data) if isinstance(kind, type) and issubclass(kind, StrEnum) else data


@cache
def shape() -> str:
    """A digest of the fields that a state has: snapshots of other shapes are not read."""

    def names(kind: Any) -> list[Any]:
        inner = [names(one) for one in get_args(kind)]
        own = (
            [[field.name, names(hint)] for field, hint in _kept(kind)] if isinstance(kind, type) and is_dataclass(kind) else []
        )
        return [getattr(kind, "__name__", str(kind)), inner, own]

    return hashlib.sha256(canonical(names(House)).encode()).hexdigest()[:16]


def taken(state: House) -> tuple[dict[str, Any], str]:
    """What the chain says of a snapshot, and the snapshot."""
    content = canonical(_encode(state))
    return {"shape": shape(), "digest": hashlib.sha256(content.encode()).hexdigest()}, content


def is_of(state: House, entry: Entry) -> bool:
    """Whether a snapshot's entry tells of this state; one of another shape cannot be compared."""
    return entry.data["shape"] != shape() or entry.data == taken(state)[0]


def latest(store: Store, before: int | None = None) -> tuple[House, int]:
    """The newest snapshot (before an entry) that the chain vouches for, and its number; the beginning, if there is none."""
    found = store.snapshot(before)
    if found:
        entry, content = found
        vouched = {"shape": shape(), "digest": hashlib.sha256(content.encode()).hexdigest()}
        if entry.kind == SNAPSHOT and entry.data == vouched and entry.is_itself():
            return _decode(House, json.loads(content)), entry.seq
    return House(), 0
