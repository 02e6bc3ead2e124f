"""Rounds that somebody dealt and that had to be put right: corrections, voids and mends, as the journal has them.

Whose they are is said as the books of a day say it. Nothing is noted: who looks here learns only from what is written.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Select, and_, or_, select

from houseway.house import schema
from houseway.house.replay import PastRounds
from houseway.house.settled import as_corrected
from houseway.house.store import Store
from houseway.table import Table, ledger
from houseway.table.entry import Entry
from houseway.table.state import Phase, changed

CORRECT, VOID, SETTLE = "correct", "void", "settle"
MENDS = ("correct-card", "swap-cards", "rekey", "replace-card", "undo", "change-bet")
RESULT, FIRST_KEYED = "result", '"before":""'
"""A result that is keyed is one put right only if another was keyed before it."""
NEWEST = 200_000
"""How many of the newest entries of the journal are looked at: what is older has been forgotten by everybody."""
MOST = 50


@dataclass(frozen=True)
class DealtWrong:
    """A round that had to be put right: by which entry, how, at which table, and the entry that ended the round."""

    seq: int
    how: str
    day: str
    table: str
    end: int
    reason: str
    dealer: str


@dataclass(frozen=True)
class AsItStood:
    """A table just before a round was settled or voided, with the truth on it; what its bank had put up."""

    table: Table
    bank_cents: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all of it was dealt and decided."""
        return self.table.round.phase == Phase.READY


def dealt_wrong(store: Store, dealer: str) -> list[DealtWrong]:
    """The rounds of a dealer that had to be put right, the newest first, one for each round."""
    found: dict[tuple[str, int], DealtWrong] = {}
    for entry in _newest(store):
        wrong = _read(store, entry)
        if wrong is not None and wrong.dealer == dealer:
            found.setdefault((wrong.table, wrong.end), wrong)
            if len(found) == MOST:
                break
    return list(found.values())


def one_dealt_wrong(store: Store, seq: int) -> DealtWrong | None:
    """The round that this entry put right, if it did."""
    entry = store.entry(seq) if 0 < seq < 1 << 63 else None
    return _read(store, entry) if entry is not None and _puts_right(entry) else None


def as_it_stood(past: PastRounds, wrong: DealtWrong) -> AsItStood:
    """The table of that round just before it ended; if it was corrected, with its truth, unless it was void after all."""
    before, after = past.round(wrong.end)
    house = after[-2][1] if len(after) > 1 else before
    table = house.tables[wrong.table]
    bank_cents = house.balance(ledger.bank(table.name)) if table.bank is not None else 0
    if table.round.phase == Phase.FROZEN and table.round.frozen_from is not None:
        table = changed(table, round=changed(table.round, phase=table.round.frozen_from))
    corrections = past.store.corrections(wrong.table, table.round.number, wrong.end)
    if corrections and not (stands := as_corrected(corrections[-1])).is_void:
        table, bank_cents = changed(table, round=changed(stands.round, unfolded=None)), stands.bank_cents
    return AsItStood(table, bank_cents)


def _newest(store: Store) -> Iterator[Entry]:
    columns = schema.entries.c
    again = and_(columns.kind == RESULT, columns.payload.not_like(f"%{FIRST_KEYED}%"))
    puts_right = or_(columns.kind.in_((CORRECT, VOID, *MENDS)), again)
    query = select(schema.entries).where(puts_right, columns.seq > store.head()[0] - NEWEST)
    return filter(_puts_right, _entries(store, query.order_by(columns.seq.desc())))


def _puts_right(entry: Entry) -> bool:
    if entry.kind != RESULT:
        return entry.kind in (CORRECT, VOID, *MENDS)
    return any(event.get("before") for event in entry.data.get("events", ()))


def _read(store: Store, entry: Entry) -> DealtWrong | None:
    """What an entry put right; nothing if its round is not over, or a request only asked for it."""
    command = entry.data.get("command", {})
    reason = str(command.get("reason", ""))
    if entry.kind == CORRECT:
        end = store.settlement(entry.table, int(command["round"]), entry.seq)
    else:
        end = entry.seq if entry.kind == VOID else _end_after(store, entry)
    ended = store.entry(end) if end else None
    if ended is None:
        return None
    dealer = _dealer(store, ended if entry.kind == CORRECT else entry)
    return DealtWrong(entry.seq, entry.kind, entry.day, entry.table, ended.seq, reason, dealer)


def _end_after(store: Store, entry: Entry) -> int | None:
    columns = schema.entries.c
    ends = columns.kind.in_((SETTLE, VOID))
    query = select(columns.seq).where(columns.table == entry.table, ends, columns.seq > entry.seq)
    with store.reading() as connection:
        seq: int | None = connection.execute(query.order_by(columns.seq).limit(1)).scalar()
    return seq


def _dealer(store: Store, entry: Entry) -> str:
    """Who dealt then, as the books of a day have it: of a settlement whoever gave it as a dealer, else whoever is signed on."""
    signed = _signed_on(store, entry)
    if entry.kind == SETTLE:
        return entry.actor if entry.role == "dealer" else signed or entry.actor
    if signed or entry.role == "dealer":
        return signed or entry.actor
    columns = schema.entries.c
    settled = select(schema.entries).where(columns.table == entry.table, columns.kind == SETTLE, columns.seq < entry.seq)
    last = next(_entries(store, settled.order_by(columns.seq.desc()).limit(1)), None)
    return _dealer(store, last) if last is not None else entry.actor


def _signed_on(store: Store, entry: Entry) -> str:
    columns = schema.entries.c
    kinds = columns.kind.in_(("sign-on", "sign-off", "open"))
    query = select(schema.entries).where(columns.table == entry.table, kinds, columns.seq < entry.seq)
    newest = next(_entries(store, query.order_by(columns.seq.desc()).limit(1)), None)
    return newest.actor if newest is not None and newest.kind == "sign-on" else ""


def _entries(store: Store, query: Select[tuple[object, ...]]) -> Iterator[Entry]:
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return (store.opened(Entry(**row)) for row in rows)
