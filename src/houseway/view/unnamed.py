"""Whom of the staff a guest reads of: the role, never the name."""

from collections.abc import Iterable

from houseway.table.roles import STAFF
from houseway.view.reader import Json, Reader

OWN_HELPERS = ("house", "croupier", "door", "demo cage", "demo floor", "demo office")
"""What the house does by itself is done by nobody: these are no person's names (see `houseway.house.names.RESERVED`)."""


def for_reader(replay: Json, reader: Reader) -> Json:
    """A replay as a reader may see it.

    An entry's hash is of all it holds, the name included: where that is left out, whoever reads cannot compute the hash. The
    house has, the chain of hashes is shown, and an auditor, who sees names, can.
    """
    if reader.role in STAFF:
        return replay
    return replay | {part: _unnamed(replay[part]) for part in ("entries", "corrections")}


def _unnamed(entries: Iterable[Json]) -> list[Json]:
    return [_in_public(entry if is_nobodys(entry) else entry | {"actor": _shown(entry), "hashed": None}) for entry in entries]


def _in_public(entry: Json) -> Json:
    """An entry with the sentences that name nobody of the staff, where it has others."""
    words = {"words": entry["unnamed"]} if "unnamed" in entry else {}
    return {name: value for name, value in entry.items() if name != "unnamed"} | words


def _shown(entry: Json) -> str:
    return str(entry["role"] if entry["role"] in STAFF else entry["actor"])


def is_nobodys(entry: Json) -> bool:
    """Whether an entry names nobody of the staff: it is a guest's own, or of the house itself, and not from its shell."""
    return (entry["role"] not in STAFF or entry["actor"] in OWN_HELPERS) and '"shell":{' not in entry["hashed"][-1]
