"""A state, or a part of one, as plain JSON: in the order that it has, for wagers are settled in the order they were laid."""

import json
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import TypeAdapter

T = TypeVar("T")
LATER = {"left_out": "if it is empty"}
"""Of a field that came later: where it has nothing to say it is left out, so that values of before are written as before."""


@cache
def kept_fields(kind: Any) -> tuple[tuple[Field[Any], Any], ...]:
    """The fields of a dataclass that are part of its value, with their types."""
    hints = get_type_hints(kind)
    return tuple((field, hints[field.name]) for field in fields(kind) if field.compare)


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        named = ((field, getattr(value, field.name)) for field, _ in kept_fields(type(value)))
        return {field.name: _plain(inner) for field, inner in named if inner or "left_out" not in field.metadata}
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def as_json(value: Any) -> str:
    """A value of dataclasses, mappings and tuples as JSON."""
    return json.dumps(_plain(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def from_json(kind: Callable[..., T], text: str) -> T:
    """The value of a dataclass that `as_json` wrote."""
    value: T = _reader(kind).validate_json(text)
    return value
