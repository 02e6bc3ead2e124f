"""Views in pieces: what seldom changes is sent once to each stream, and again only when it is not as it was.

The first view of a stream is whole. From a later one those of the `SELDOM` keys are left out that are as this stream was
told before; of a lobby, of each table's card by itself. Whoever reads puts a view over the one before.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_core import to_json

SELDOM = frozenset(
    ("edition", "face", "wagers", "settings", "offered", "with_bet", "void_reasons", "aggregates", "limits", "results", "last")
)
"""Keys of a view, or of a table's card in the lobby, that stay as they are for a round at least."""
CARDS = "tables"
"""The key of a lobby under which every table has its card."""
TEXTS_MOST = 1000
Place = tuple[str, str]
"""Where a piece belongs: in the view itself, or in the card of this name; and its key."""


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


@dataclass(frozen=True)
class Pieces:
    """A view, or one card of it: the keys that change as text, those that seldom do each by itself, and the cards in it."""

    changing: str
    seldom: tuple[tuple[Place, str], ...]
    cards: tuple["Pieces", ...] | None = None

    @classmethod
    def of(cls, view: Mapping[str, Any], texts: Texts, card: str = "") -> "Pieces":
        """Take a view to pieces."""
        seldom = tuple(((card, key), texts.of(value)) for key, value in view.items() if key in SELDOM)
        changing = as_json({key: value for key, value in view.items() if key not in SELDOM and key != CARDS})
        cards = tuple(cls.of(inner, texts, inner["name"]) for inner in view[CARDS]) if CARDS in view else None
        return cls(changing[1:-1], seldom, cards)

    def __add__(self, other: "Pieces") -> "Pieces":
        """One view of two parts of it."""
        assert self.changing and other.changing
        return Pieces(f"{self.changing},{other.changing}", (*self.seldom, *other.seldom), self.cards or other.cards)

    def text(self, told: Mapping[Place, str]) -> str:
        """As JSON, without the pieces that were told."""
        parts = [self.changing] if self.changing else []
        parts += [f'"{place[1]}":{text}' for place, text in self.seldom if told.get(place) != text]
        if self.cards is not None:
            parts.append(f'"{CARDS}":[{",".join(card.text(told) for card in self.cards)}]')
        return "{" + ",".join(parts) + "}"

    def told(self) -> Iterator[tuple[Place, str]]:
        """Every piece that may be left out of the next view."""
        yield from self.seldom
        for card in self.cards or ():
            yield from card.told()


class StreamedView:
    """What everybody who sees the same is shown, as events of a stream: whole, or without what was told before."""

    def __init__(self, seq: int, pieces: Pieces) -> None:
        self.seq, self._pieces = seq, pieces
        self.pieces = dict(pieces.told())

    def event(self, told: Mapping[Place, str]) -> bytes:
        """The event for a stream that was told these pieces before."""
        if not told:
            return self._whole
        return self._bare if told == self.pieces else self._event(told)

    @cached_property
    def _whole(self) -> bytes:
        return self._event({})

    @cached_property
    def _bare(self) -> bytes:
        return self._event(self.pieces)

    def _event(self, told: Mapping[Place, str]) -> bytes:
        return f"id: {self.seq}\nevent: view\ndata: {self._pieces.text(told)}\n\n".encode()
