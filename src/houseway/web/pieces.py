"""Views in pieces: each is sent once to a stream, and again only when it is not as it was.

The first view of a stream is whole. From a later one every key is left out that is as this stream was told before; of the
cards of a lobby, and of the seats of a table, each by itself. Whoever reads puts a view over the one before.
"""

from collections.abc import Callable, Mapping
from itertools import count
from json.encoder import encode_basestring
from typing import Any

from pydantic_core import to_json

from houseway.web.packed import packed

LISTS = {"tables": "name", "seats": "seat"}
"""Keys of a view under which there is a list, and what each of its rows is known by."""
WHOLE_ROWS = frozenset(["seats"])
"""Of these a row that changed is told as a whole."""
TEXTS_MOST = 5_000


def as_json(value: object) -> str:
    """Compact JSON."""
    return to_json(value).decode()


class Texts:
    """Values as JSON, made once for as long as it is the same value: what is shown is never changed afterwards."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, str]] = {}

    def of(self, value: object) -> str:
        """A value as JSON."""
        known = self._known.get(id(value))
        if known is None or known[0] is not value:  # it is kept with its text, so that no other value takes its place in memory
            if len(self._known) >= TEXTS_MOST:
                self._known = {}
            self._known[id(value)] = known = value, as_json(value)
        return known[1]


class Pieces:
    """A part of a view: its keys, each as text by itself, and the lists in it, of which each row is so again or one text."""

    _numbers = count(1)

    def __init__(self, view: Mapping[str, Any], texts: Texts) -> None:
        self.number = next(self._numbers)
        self.keys = {key: _text(value, texts) for key, value in view.items() if key not in LISTS}
        self.lists = {key: [_row(key, row, texts) for row in view[key]] for key in LISTS if key in view}
        self._changes: dict[int, str] = {}

    def changes(self, before: "Pieces | None") -> str:
        """What is not as it was before, as the inside of a JSON object: worked out once for all who were told the same."""
        number = before.number if before else 0
        if (changes := self._changes.get(number)) is None:
            self._changes[number] = changes = self._changes_since(before)
        return changes

    def _changes_since(self, before: "Pieces | None") -> str:
        old = before.keys if before else {}
        changed = _changed(self.keys, old)
        changed += [f'"{key}":null' for key in old if key not in self.keys]  # what is no more is told as nothing
        for key, rows in self.lists.items():
            known = dict(before.lists.get(key, ())) if before else {}
            changed.append(f'"{key}":[{",".join(_row_changes(head, row, known.get(head)) for head, row in rows)}]')
        return ",".join(changed)


Row = str | dict[str, str]
"""A row of a list: one text, or its keys."""


def _row(of: str, row: Mapping[str, Any], texts: Texts) -> tuple[str, Row]:
    """What a row is known by, and the row."""
    known_by = LISTS[of]
    head = f'"{known_by}":{_text(row[known_by], texts)}'
    if of in WHOLE_ROWS:
        return head, texts.of(row)
    return head, {key: _text(value, texts) for key, value in row.items() if key != known_by}


def _changed(keys: Mapping[str, str], old: Mapping[str, str]) -> list[str]:
    return [f'"{key}":{text}' for key, text in keys.items() if old.get(key) != text]


def _row_changes(head: str, row: Row, before: Row | None) -> str:
    if isinstance(row, str):
        return f"{{{head}}}" if row == before else row
    return f"{{{','.join([head, *_changed(row, before if isinstance(before, dict) else {})])}}}"


_SIMPLE: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: str,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda _: "null",
}


def _text(value: object, texts: Texts) -> str:
    """A value as JSON; larger ones are often the same as before."""
    simply = _SIMPLE.get(type(value))
    if simply is not None:
        return simply(value)
    return texts.of(value) if value else as_json(value)


class StreamedView:
    """What everybody who sees the same is shown, as events of a stream: whole, or without what was told before."""

    _numbers = count(1)

    def __init__(self, seq: int, *pieces: Pieces) -> None:
        self.seq, self.number, self.pieces = seq, next(self._numbers), pieces
        self._events: dict[tuple[int, bool], bytes] = {}

    def event(self, before: "StreamedView | None", as_gzip: bool = False) -> bytes:
        """The event for a stream that was shown another view before, or none: made once for all of which that is so."""
        key = before.number if before else 0, as_gzip
        if (event := self._events.get(key)) is None:
            self._events[key] = event = packed(self.event(before)) if as_gzip else self._event(before)
        return event

    def _event(self, before: "StreamedView | None") -> bytes:
        told = before.pieces if before else (None,) * len(self.pieces)
        changes = ",".join(part for piece, known in zip(self.pieces, told, strict=True) if (part := piece.changes(known)))
        return f"id: {self.seq}\nevent: view\ndata: {{{changes}}}\n\n".encode()
