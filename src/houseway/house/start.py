"""What must hold before a house opens: a damaged or altered store is named in one line, before a cent moves.

Every floor hashes and chains each entry that it folds, and compares the head. A house that is to be served looks further:
at the database's own pages, at its tables and triggers, whether its key opens the shoes in play, and whether the chain is the
one of which signed heads have left the house. It does not read what lies before the snapshot that it starts from: the
snapshot's digest stands in the chain, and `houseway audit` reads it all.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import inspect, select, text

from houseway.house import schema
from houseway.house import shoe as shoes
from houseway.house.heads import HeadSettings, contradiction, is_url, sent_heads
from houseway.house.keys import HEADS
from houseway.house.opening import file_of
from houseway.house.sealing import Sealing
from houseway.house.store import TO_DO, Store, as_sealed, damage_told
from houseway.refusal import Refused
from houseway.table import House, Table
from houseway.table.fold import KEY_MADE
from houseway.table.state import ShoeState

log = logging.getLogger("houseway.house")
LONG_FILE_BYTES = 256 * 2**20
"""From this size on a file is not read as a whole at every start: some 60,000 rounds."""
GROWING = {"entries", "transfers", "sealed", "snapshots"}
"""Tables that grow with the journal."""


@dataclass(frozen=True)
class Opening:
    """A store that is to be served: its state folded, and what opens its shoes. `since` is the snapshot it was folded from."""

    store: Store
    sealing: Sealing
    state: House
    since: int
    seq: int

    def __str__(self) -> str:
        """What was verified, and what was not."""
        if self.seq == self.since == 0:
            return "A new store."
        read = f"Entries {self.since + 1:,} to {self.seq:,} were verified" if self.seq > self.since else "No entry was read"
        before = f" from the snapshot of entry {self.since:,} on; those before it are verified by `houseway audit`"
        return read + (before if self.since else "") + "."


def whole_pages(opening: Opening) -> Iterator[str]:
    """SQLite's own check of its pages; that its indexes fit the tables takes longer, and is the audit's to look at.

    A file of years is not read as a whole before the doors open: of that only the tables are checked that do not grow with the
    journal. Of the journal, what is folded is hashed, and the audit reads all.
    """
    file = file_of(opening.store.url)
    if file is None:
        return
    is_long = file.stat().st_size > LONG_FILE_BYTES
    which = [table.name for table in schema.metadata.sorted_tables if table.name not in GROWING] if is_long else ["1"]
    with opening.store.reading() as connection:
        for name in which:
            for line in connection.execute(text(f"PRAGMA quick_check({name})")).scalars():
                if line != "ok":
                    yield f"SQLite finds its file damaged ({' '.join(str(line).split())[:200]})"


def known_structure(opening: Opening) -> Iterator[str]:
    """Every table, column, index and trigger that the schema has."""
    known = inspect(opening.store.engine)
    for table in schema.metadata.sorted_tables:
        if not known.has_table(table.name):
            yield f"its table {table.name} is missing"
            continue
        columns = {column["name"] for column in known.get_columns(table.name)}
        lost = [column.name for column in table.c if column.name not in columns]
        yield from (f"column {name} of its table {table.name} is missing" for name in lost)
        indexes = {index["name"] for index in known.get_indexes(table.name)}
        yield from (f"its index {index.name} is missing" for index in table.indexes if index.name not in indexes)
    with opening.store.reading() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        catalogue = "SELECT name FROM sqlite_master WHERE type = 'trigger'" if is_sqlite else "SELECT tgname FROM pg_trigger"
        triggers = set(connection.execute(text(catalogue)).scalars())
    actions = ("update", "delete", "replace" if is_sqlite else "truncate")
    wanted = {f"{name}_no_{action}": name for name in schema.APPEND_ONLY for action in actions}
    lost = [trigger for trigger in wanted if trigger not in triggers]
    yield from (f"its trigger {trigger} is missing, so that {wanted[trigger]} could be changed" for trigger in lost)


def unopened(store: Store, sealing: Sealing, tables: Iterable[Table]) -> tuple[list[str], int]:
    """The shoes in play that the key does not open, or not to what was committed to; and how many shoes are in play."""
    in_play = {table.shoe.id: table.shoe for table in tables if table.is_open and table.shoe}
    columns = schema.sealed.c
    with store.reading() as connection:
        query = select(columns.shoe, columns.content).where(columns.shoe.in_(in_play))
        sealed = {shoe: as_sealed(content) for shoe, content in connection.execute(query)}
    return [shoe for shoe, of_table in in_play.items() if not _opens(sealing, sealed.get(shoe, b""), of_table)], len(in_play)


def _opens(sealing: Sealing, content: bytes, shoe: ShoeState) -> bool:
    try:
        return shoes.check(shoes.Commitment(shoe.commitment), sealing.shoe(content))
    except (Refused, ValueError, TypeError):
        return False


def key_opens_shoes(opening: Opening) -> Iterator[str]:
    """The key opens a sealed shoe in play, if there is any; where only some do not open, their rounds can be voided."""
    closed, in_play = unopened(opening.store, opening.sealing, opening.state.tables.values())
    if closed and len(closed) == in_play:
        yield (
            f"the key of the house opens none of its sealed shoes (such as {closed[0]}): put the right key file back "
            "(HOUSEWAY_KEY), or, if it is lost, void those rounds with `houseway table void` and close the tables"
        )
    for shoe in closed:
        log.warning("the sealed shoe %s does not open: its round is to be voided; the audit names it", shoe)


def check_shoe_opens(store: Store, sealing: Sealing, table: Table) -> None:
    """Refuse to take a bet at a table whose shoe could not be dealt from; a round can still be voided, and the table closed."""
    closed, _ = unopened(store, sealing, [table])
    for shoe in closed:
        raise Refused(
            "shoe-sealed",
            f"the key of the house does not open the sealed shoe {shoe} of {table.name}, and no bet is taken on it: put the "
            "right key file back (HOUSEWAY_KEY), or, if it is lost, void the round with `houseway table void` and close it",
        )


def heads_fit(opening: Opening) -> Iterator[str]:
    """The chain has every entry of which a signed head has left the house; a place that cannot be read is said, no more."""
    keys = opening.sealing.keys
    settings = HeadSettings.load(keys)
    if not settings.places:
        return
    sent = sent_heads(keys, settings)
    for place in sent:
        if not is_url(place) and not os.path.lexists(place):
            log.warning("heads were sent to %s, and are not compared: it is not there now", place)
    heads = {*settings.read(lambda refused: log.warning("heads are not compared: %s", refused.message)), *sent.values()}
    key_notes = (entry.data for entry in opening.store.entries_of_kinds((KEY_MADE,)))
    lost = {str(data.get("public_key")) for data in key_notes if data.get("key") == HEADS}  # its heads are still the house's
    if why := contradiction(opening.store, heads, {*keys.public_keys(), *lost}):
        yield (
            f"{why}; if a backup was restored on purpose, put the heads of before away and name the places anew "
            "(`houseway heads set`), otherwise the store is not the one that was played on"
        )


CHECKS: tuple[Callable[[Opening], Iterator[str]], ...] = (whole_pages, known_structure, key_opens_shoes, heads_fit)
"""What a house that is to be served must hold, beside its chain; the first thing that does not is said."""


def check_to_serve(opening: Opening) -> None:
    """Refuse to serve a store of which anything does not hold."""
    for check in CHECKS:
        with damage_told():
            wrong = next(check(opening), "")
        if wrong:
            raise Refused("store-damaged", f"this store is not served: {wrong}; {TO_DO}")
