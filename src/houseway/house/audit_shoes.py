"""A shoe that was committed to is shown, or it is known by two names that it is lost; no third way."""

from collections.abc import Iterable, Iterator

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.table.entry import Entry
from houseway.table.fold import SHOE_COMMITTED, SHOE_REVEALED


class LostShoes(Check):
    """No committed shoe is replaced in silence, and the seals of those in play are in the store."""

    kinds = (SHOE_COMMITTED, SHOE_REVEALED, "lost-shoe")

    def __init__(self) -> None:
        self._in_play: dict[str, tuple[str, bool]] = {}
        self._undeclared: dict[str, str] = {}

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """A loss is a flaw by itself; who declared it, and what followed."""
        if entry.kind == SHOE_COMMITTED:
            return self._committed(entry)
        if entry.kind == "lost-shoe":
            return self._declared(entry)
        self._in_play.pop(entry.data["shoe"], None)
        return self._lost(entry) if "lost" in entry.data else ()

    def _committed(self, entry: Entry) -> Iterator[Flaw]:
        self._in_play[entry.data["shoe"]] = entry.table, "dice_commitment" in entry.data
        if lost := self._undeclared.pop(entry.table, ""):
            yield Flaw(entry.seq, f"another shoe follows shoe {lost}, which is lost, and no two supervisors have recorded that")

    def _declared(self, entry: Entry) -> Iterator[Flaw]:
        self._undeclared.pop(entry.table, None)
        if entry.data["command"]["witness"].casefold().strip() == entry.actor.casefold().strip():
            yield Flaw(entry.seq, "a lost shoe is recorded by one person who is his own witness")

    def _lost(self, entry: Entry) -> Iterator[Flaw]:
        shoe = entry.data["shoe"]
        self._undeclared[entry.table] = shoe
        yield Flaw(entry.seq, f"shoe {shoe} was committed to and is lost: {entry.data['lost']}")

    def end(self, walk: AuditWalk) -> Iterator[Flaw]:
        """What is committed to and not shown is in play, and sealed in the store."""
        sealed = walk.store.sealed_shoes()
        for shoe, (name, has_dice) in self._in_play.items():
            table = walk.state.tables.get(name)
            if table is None or table.spoiled:
                continue
            if shoe not in {each.id for each in (*table.run_out, *((table.shoe,) if table.shoe else ()))}:
                yield Flaw(walk.previous[0], f"shoe {shoe} was committed to, is no longer in play, and was never shown")
            elif not {shoe, *([f"{shoe}:dice"] if has_dice else [])} <= sealed:
                yield Flaw(walk.previous[0], f"shoe {shoe} is in play, and its seal is not in the store")
