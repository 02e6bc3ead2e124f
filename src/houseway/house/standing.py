"""Where an edition stands: its badge, and what one of one's own differs in from the one that it descends from."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from houseway.approval import Badge, badge
from houseway.games import edition_files, readable_editions
from houseway.rulebook import Edition

OWN = "an edition of your own"


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with the path of its keys; of a table that has several keys, their order too."""
    if not isinstance(value, Mapping) or not value:
        yield key, value
        return
    for name, inner in value.items():
        yield from _flat(inner, f"{key}.{name}" if key else str(name))
    if len(value) > 1 and key:
        yield f"order of {key}", ", ".join(value)


def differences_between(theirs: Mapping[str, Any], ours: Mapping[str, Any], name: str) -> list[str]:
    """What differs between two contents, each with its value there and here; their ids differ anyhow."""
    there, here = dict(_flat(theirs)), dict(_flat(ours))
    lines = []
    for key in sorted((there.keys() | here.keys()) - {"id"}):
        old, new = there.get(key, "absent"), here.get(key, "absent")
        same_keys = key.startswith("order of ") and sorted(str(old).split(", ")) == sorted(str(new).split(", "))
        if old != new and (same_keys or not key.startswith("order of ")):
            lines.append(f"{key}: {old} in {name}, {new} here")
    return lines


def descends_from(edition: Edition) -> Edition | None:
    """The built-in edition of the same game that this one differs least from."""

    def distance(other: Edition) -> int:
        return len(differences_between(other.document, edition.document, ""))

    others = [other for other in readable_editions()[0] if other.game.id == edition.game.id]
    return min(others, key=distance, default=None)


def own_differences(edition: Edition) -> list[str]:
    """What an edition of one's own differs in from the one it descends from."""
    parent = descends_from(edition)
    if parent is None:
        return [f"{edition.game.name} has no built-in edition to compare with"]
    return differences_between(parent.document, edition.document, parent.id)


def standing(edition: Edition) -> Badge:
    """The badge of an edition: its status, and what is said of its approval, for every place that says either.

    One's own is told by how it differs from the one that it descends from; that one's letter is not its own. A design
    is said to be one.
    """
    badge_now = badge(edition)
    if edition.id in edition_files():
        return badge_now
    from houseway.table.bound import as_text  # only now: most questions are of an edition that is built in, and need no table

    differences = _known_differences(as_text(edition.document))
    approval = badge_now.approval if badge_now.is_design else OWN
    return replace(badge_now, status="modified", approval=approval, differences=differences)


@lru_cache(maxsize=64)
def _known_differences(document: str) -> tuple[str, ...]:
    from houseway.table.bound import read_document

    return tuple(own_differences(read_document(document)))
