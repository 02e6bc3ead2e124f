"""By which edition each entry of a journal was played: a table may have been opened anew since, for another game."""

from contextlib import suppress

from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.table.bound import read_document
from houseway.table.entry import Entry
from houseway.table.fold import bound_in


class PastEditions:
    """The editions of entries that are read in their order: a table's is looked for once, and again where it is opened."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bound: dict[str, Edition | None] = {}

    def of(self, entry: Entry) -> Edition | None:
        """The edition whose names an entry is told with; none where there is no table, or its edition cannot be read.

        A correction is of a round, which may have been played before the table was opened anew.
        """
        table = entry.table
        if entry.kind == "correct" and "command" in entry.data:
            settled = self._store.settlement(table, entry.data["command"]["round"], entry.seq)
            return self._opened(table, settled or entry.seq)
        if entry.kind == "open" or table not in self._bound:
            self._bound[table] = self._opened(table, entry.seq)
        return self._bound[table]

    def _opened(self, table: str, until: int) -> Edition | None:
        opening = self._store.opening(table, until) if table else None
        with suppress(Refused):
            return read_document(bound_in(opening)["document"]) if opening else None
        return None
