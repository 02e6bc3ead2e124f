"""What an audit asks of sealed cards: that every opening fits, and that a round which is over has left nothing sealed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.table.entry import Entry

ENDS = {"settle", "void", "close", "open"}
"""After these no card of a table is face down."""


class Seals(Check):
    """What was sealed is what was opened, all of it, when its round was over at the latest."""

    def __init__(self) -> None:
        self._closed: dict[str, set[int]] = defaultdict(set)

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Seals, openings, and rounds that are over."""
        if "sealed" in entry.data:
            self._closed[entry.table].add(entry.seq)
            return self._sealed(walk, entry)
        if "openings" in entry.data or (entry.kind in ENDS and self._closed.get(entry.table)):
            return self._opens(entry)
        return ()

    def _sealed(self, walk: AuditWalk, entry: Entry) -> Iterator[Flaw]:
        if entry.seq in walk.wrong_openings:
            yield Flaw(
                walk.wrong_openings[entry.seq], f"what it opens entry {entry.seq} with does not open what was sealed there"
            )
        elif entry.is_sealed and walk.sealing and walk.sealing.own_key(entry.data["sealed"]):
            yield Flaw(entry.seq, "its sealed cards do not open with the house's key: they were altered")

    def _opens(self, entry: Entry) -> Iterator[Flaw]:
        closed, openings = self._closed[entry.table], {int(seq) for seq in entry.data.get("openings", {})}
        for seq in sorted(openings - closed):
            yield Flaw(entry.seq, f"it opens entry {seq}, which holds nothing sealed of its round")
        closed -= openings
        if entry.kind in ENDS and closed:
            left = ", ".join(map(str, sorted(closed)))
            yield Flaw(entry.seq, f"it ends a round of which cards stay sealed: entry {left}")
            closed.clear()
