"""An intruder with full access to the database: whatever he changes, the audit with the last exported head names it."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from databases import DATABASES
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sessions import CAT, DAN, house_tables, play, prepare
from sqlalchemy import bindparam, text

from houseway.house.audit import Auditor, Flaw
from houseway.house.floor import Floor
from houseway.house.heads import SignedHead, sign_head
from houseway.house.store import Store
from houseway.table.entry import Entry, canonical, digest

SIGNING_KEY = bytes(range(32))
ENTRY_COLUMNS = ("at", "day", "table", "actor", "role", "kind", "key", "payload", "previous", "hash")
TRANSFER_COLUMNS = ("source", "target", "why")
FLIPS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@dataclass
class Original:
    """A house that played honestly, its last exported head, and what it had written."""

    url: str
    head: SignedHead
    entries: list[Entry] = field(repr=False)
    copied: Callable[[], str] = field(repr=False)

    def find(self, **wanted: str) -> Entry:
        return next(e for e in self.entries if all(getattr(e, name) == value for name, value in wanted.items()))


class Intruder:
    """Somebody who has the database itself, triggers and the index that lets no key be given twice removed."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.is_sqlite = store.engine.dialect.name == "sqlite"
        for table in ("entries", "transfers"):
            for action in ("update", "delete", "truncate", "insert", "replace"):
                on = "" if self.is_sqlite else f" ON {table}"
                self.run(f"DROP TRIGGER IF EXISTS {table}_no_{action}{on}")
        self.run("DROP INDEX entries_once_by_key")

    def run(self, statement: str, **values: Any) -> list[Any]:
        with self.store.engine.begin() as connection:
            result = connection.execute(text(statement).bindparams(*(bindparam(name) for name in values)), values)
            return list(result) if result.returns_rows else []

    def set_bytes(self, table: str, column: str, where: str, content: bytes) -> None:
        """Put raw bytes into a text column. PostgreSQL itself keeps out what is no text."""
        value: bytes | str = content if self.is_sqlite else content.decode()
        what = "CAST(:value AS TEXT)" if self.is_sqlite else ":value"
        self.run(f'UPDATE {table} SET "{column}" = {what} WHERE {where}', value=value)

    def rechain(self, entries: list[Entry], start: int) -> None:
        """Write entries anew from a number on, with correct hashes, and repair the head."""
        previous = (entries[start - 2].seq, entries[start - 2].hash) if start > 1 else (0, "0" * 64)
        self.run("DELETE FROM entries WHERE seq >= :start", start=start)
        for entry in entries[start - 1 :]:
            seq = previous[0] + 1
            chained = replace(entry, seq=seq, previous=previous[1], hash=digest(seq, previous[1], entry.fields()))
            names = ("seq", *ENTRY_COLUMNS)
            columns, values = ", ".join(f'"{name}"' for name in names), ", ".join(f":{name}" for name in names)
            self.run(f"INSERT INTO entries ({columns}) VALUES ({values})", **vars(chained))
            previous = chained.seq, chained.hash
        self.run("UPDATE head SET seq = :seq, hash = :hash", seq=previous[0], hash=previous[1])


@pytest.fixture(scope="module", params=DATABASES)
def original(
    request: pytest.FixtureRequest, new_url: Callable[[str], str], copy_of: Callable[[str], str], key_file: Path
) -> Original:
    url = new_url(request.param)
    store = Store(url)
    floor = Floor(store, key_file)
    tables = house_tables(4)
    prepare(floor, tables)
    floor.do({"kind": "bet", "table": "0-0", "seat": 2, "guest": "g2", "wager": "banker", "cents": 20000}, DAN, "the-bet")
    for kind in ("no-more-bets", "deal", "settle"):
        floor.do({"kind": kind, "table": "0-0"}, DAN, f"the-{kind}")
    play(floor, random.Random(4), tables, 40, "play-")
    floor.do({"kind": "buy-in", "guest": "g1", "cents": 100}, CAT, "the-last")
    head, entries = sign_head(store, SIGNING_KEY), list(store.entries())
    store.engine.dispose()
    return Original(url, head, entries, lambda: copy_of(url))


@pytest.fixture(scope="module")
def one_copy(original: Original) -> Iterator[Intruder]:
    """A copy for changes that are undone afterwards."""
    store = Store(original.copied())
    yield Intruder(store)
    store.engine.dispose()


@pytest.fixture
def intruder(original: Original) -> Iterator[Intruder]:
    """A copy for one test."""
    store = Store(original.copied())
    yield Intruder(store)
    store.engine.dispose()


def audit(intruder: Intruder, head: SignedHead | None) -> Flaw | None:
    """The first flaw; an audit that breaks off with an error has named nothing."""
    try:
        return Auditor(intruder.store, head).run().flaw
    except Exception as error:
        broke = f"the audit broke off: {type(error).__name__}: {error}"
    pytest.fail(broke.splitlines()[0][:300])


# Single bytes


@contextmanager
def flipped(intruder: Intruder, table: str, column: str, where: str, place: int, mask: int) -> Iterator[None]:
    """Change one byte of a text, and change it back."""
    ((before,),) = intruder.run(f'SELECT "{column}" FROM {table} WHERE {where}')
    content = bytearray(before.encode())
    assume(content)
    content[place % len(content)] ^= mask
    if not intruder.is_sqlite:
        assume(0 < content[place % len(content)] < 128 and content.isascii())
    intruder.set_bytes(table, column, where, bytes(content))
    try:
        yield
    finally:
        intruder.set_bytes(table, column, where, before.encode())


@FLIPS
@given(data=st.data(), column=st.sampled_from(ENTRY_COLUMNS), place=st.integers(0, 2000), mask=st.integers(1, 255))
def test_one_byte_of_an_entry(original: Original, one_copy: Intruder, data: Any, column: str, place: int, mask: int) -> None:
    seq = data.draw(st.integers(1, len(original.entries)))
    with flipped(one_copy, "entries", column, f"seq = {seq}", place, mask):
        for head in (original.head, None):
            flaw = audit(one_copy, head)
            assert flaw is not None and flaw.seq == seq
    assert audit(one_copy, original.head) is None


@pytest.mark.parametrize("column", ENTRY_COLUMNS)
def test_every_column_of_an_entry(original: Original, one_copy: Intruder, column: str) -> None:
    seq = original.find(key="the-bet").seq
    with flipped(one_copy, "entries", column, f"seq = {seq}", 1, 1):
        flaw = audit(one_copy, original.head)
        assert flaw is not None and flaw.seq == seq
    assert audit(one_copy, original.head) is None


def test_bytes_that_are_no_text(original: Original, one_copy: Intruder) -> None:
    """SQLite stores any bytes; PostgreSQL refuses these, so there is nothing for the audit to find there."""
    if not one_copy.is_sqlite:
        with pytest.raises(UnicodeDecodeError):
            one_copy.set_bytes("entries", "actor", "seq = 4", b"d\xe1n")
        return
    for table, column in (("entries", "actor"), ("entries", "payload"), ("transfers", "source")):
        with flipped(one_copy, table, column, "seq = 4" + " AND place = 0" * (table == "transfers"), 1, 0x80):
            flaw = audit(one_copy, original.head)
            assert flaw is not None and flaw.seq == 4


@FLIPS
@given(data=st.data(), column=st.sampled_from(TRANSFER_COLUMNS), byte=st.integers(0, 200), mask=st.integers(1, 255))
def test_one_byte_of_a_transfer(original: Original, one_copy: Intruder, data: Any, column: str, byte: int, mask: int) -> None:
    rows = one_copy.run("SELECT seq, place FROM transfers ORDER BY seq, place")
    seq, place = data.draw(st.sampled_from(rows))
    with flipped(one_copy, "transfers", column, f"seq = {seq} AND place = {place}", byte, mask):
        flaw = audit(one_copy, original.head)
        assert flaw is not None and flaw.seq == seq
    assert audit(one_copy, original.head) is None


@FLIPS
@given(data=st.data(), bit=st.integers(0, 62))
def test_one_bit_of_an_amount(original: Original, one_copy: Intruder, data: Any, bit: int) -> None:
    rows = one_copy.run("SELECT seq, place, cents FROM transfers ORDER BY seq, place")
    seq, place, cents = data.draw(st.sampled_from(rows))
    change = "UPDATE transfers SET cents = :cents WHERE seq = :seq AND place = :place"
    one_copy.run(change, cents=cents ^ (1 << bit), seq=seq, place=place)
    flaw = audit(one_copy, original.head)
    one_copy.run(change, cents=cents, seq=seq, place=place)
    assert flaw is not None and flaw.seq == seq
    assert audit(one_copy, original.head) is None


@FLIPS
@given(data=st.data(), bit=st.integers(0, 30))
def test_one_bit_of_a_place(original: Original, one_copy: Intruder, data: Any, bit: int) -> None:
    rows = [tuple(row) for row in one_copy.run("SELECT seq, place FROM transfers ORDER BY seq, place")]
    seq, place = data.draw(st.sampled_from(rows))
    moved = place ^ (1 << bit)
    assume((seq, moved) not in rows)
    change = "UPDATE transfers SET place = :new WHERE seq = :seq AND place = :old"
    one_copy.run(change, new=moved, seq=seq, old=place)
    flaw = audit(one_copy, original.head)
    one_copy.run(change, new=place, seq=seq, old=moved)
    assert flaw is not None and flaw.seq == seq


@FLIPS
@given(data=st.data(), bit=st.integers(0, 62))
def test_one_bit_of_a_number(original: Original, one_copy: Intruder, data: Any, bit: int) -> None:
    """An entry under another number is missing where it was: the one after it does not hold, or the tail is cut."""
    seq = data.draw(st.integers(1, len(original.entries)))
    moved = seq ^ (1 << bit)
    assume(not 1 <= moved <= len(original.entries))
    one_copy.run("UPDATE entries SET seq = :new WHERE seq = :old", new=moved, old=seq)
    flaw = audit(one_copy, original.head)
    one_copy.run("UPDATE entries SET seq = :new WHERE seq = :old", new=seq, old=moved)
    following = seq + 1 if seq < len(original.entries) else moved if moved > 0 else seq - 1
    assert flaw is not None and flaw.seq in {following, seq}
    assert audit(one_copy, original.head) is None


@FLIPS
@given(data=st.data(), bit=st.integers(0, 62))
def test_a_transfer_moved_to_another_entry(original: Original, one_copy: Intruder, data: Any, bit: int) -> None:
    rows = [tuple(row) for row in one_copy.run("SELECT seq, place FROM transfers ORDER BY seq, place")]
    seq, place = data.draw(st.sampled_from(rows))
    moved = seq ^ (1 << bit)
    assume((moved, place) not in rows)
    change = "UPDATE transfers SET seq = :new WHERE seq = :old AND place = :place"
    one_copy.run(change, new=moved, old=seq, place=place)
    flaw = audit(one_copy, original.head)
    one_copy.run(change, new=seq, old=moved, place=place)
    assert flaw is not None and min(seq, moved) <= flaw.seq <= seq
    assert audit(one_copy, original.head) is None


# Whole entries


def test_an_untouched_store_has_no_flaw(original: Original, intruder: Intruder) -> None:
    assert audit(intruder, original.head) is None
    assert audit(intruder, None) is None
    report = Auditor(intruder.store, original.head).run()
    assert (report.entries, report.head) == (len(original.entries), (original.head.seq, original.head.hash))


def test_a_house_that_went_on_still_holds_the_old_head(original: Original, intruder: Intruder, key_file: Path) -> None:
    play(Floor(intruder.store, key_file), random.Random(6), house_tables(4), 5)
    assert audit(intruder, original.head) is None


@pytest.mark.parametrize("gone", [1, 2, 7])
@pytest.mark.parametrize("with_transfers", [True, False])
@pytest.mark.parametrize("repaired", [True, False])
def test_a_cut_tail(original: Original, intruder: Intruder, gone: int, with_transfers: bool, repaired: bool) -> None:
    last = original.entries[-1 - gone]
    intruder.run("DELETE FROM entries WHERE seq > :last", last=last.seq)
    if with_transfers:
        intruder.run("DELETE FROM transfers WHERE seq > :last", last=last.seq)
    if repaired:
        intruder.run("UPDATE head SET seq = :seq, hash = :hash", seq=last.seq, hash=last.hash)
    flaw = audit(intruder, original.head)
    assert flaw is not None
    assert last.seq <= flaw.seq <= last.seq + gone if not with_transfers else flaw.seq == last.seq + 1
    if with_transfers and repaired:
        assert audit(intruder, None) is None, "this is what exported heads are for"


def test_everything_deleted(original: Original, intruder: Intruder) -> None:
    for statement in ("DELETE FROM entries", "DELETE FROM transfers", f"UPDATE head SET seq = 0, hash = '{'0' * 64}'"):
        intruder.run(statement)
    assert audit(intruder, original.head) is not None


def test_a_deleted_head_row(original: Original, intruder: Intruder) -> None:
    intruder.run("DELETE FROM head")
    assert audit(intruder, original.head) is not None


@pytest.mark.parametrize("with_transfers", [True, False])
def test_a_deleted_middle_entry(original: Original, intruder: Intruder, with_transfers: bool) -> None:
    seq = original.find(key="the-bet").seq
    intruder.run("DELETE FROM entries WHERE seq = :seq", seq=seq)
    if with_transfers:
        intruder.run("DELETE FROM transfers WHERE seq = :seq", seq=seq)
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == seq + 1


@pytest.mark.parametrize("table", ["transfers", "entries"])
def test_an_added_row(original: Original, intruder: Intruder, table: str) -> None:
    seq = original.find(key="the-bet").seq
    if table == "transfers":
        values = {"source": "tray:0-0", "target": "guest:g2", "cents": 100, "why": "a present"}
        names = ("seq", "place", *values)
        statement = f"INSERT INTO transfers ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
        intruder.run(statement, seq=seq, place=9, **values)
        flaw = audit(intruder, original.head)
        assert flaw is not None and seq <= flaw.seq <= seq + 4  # at the latest where the next money moves
    else:
        intruder.rechain([*original.entries, original.entries[-1]], len(original.entries) + 1)
        flaw = audit(intruder, original.head)
        assert flaw is not None and flaw.seq == len(original.entries) + 1


def test_two_entries_swapped(original: Original, intruder: Intruder) -> None:
    seq = original.find(key="the-bet").seq
    for old, new in ((seq, 10**6), (seq + 1, seq), (10**6, seq + 1)):
        intruder.run("UPDATE entries SET seq = :new WHERE seq = :old", new=new, old=old)
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == seq


# The chain rebuilt


def rewritten(entries: list[Entry], seq: int, change: Callable[[dict[str, Any]], None]) -> list[Entry]:
    """The journal with another payload in one entry."""
    data = json.loads(entries[seq - 1].payload)
    change(data)
    return [replace(entry, payload=canonical(data)) if entry.seq == seq else entry for entry in entries]


def raise_amount(data: dict[str, Any]) -> None:
    """The same everywhere in an entry: command, events and transfers."""
    data["command"]["cents"] += 10000
    for event in data["events"]:
        event["cents"] += 10000
    for transfer in data["transfers"]:
        transfer[2] += 10000


def test_two_entries_swapped_and_rechained(original: Original, intruder: Intruder) -> None:
    seq = original.find(key="the-no-more-bets").seq
    swapped = list(original.entries)
    swapped[seq - 1], swapped[seq] = swapped[seq], swapped[seq - 1]
    intruder.rechain(swapped, seq)
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == seq


def test_a_bet_rewritten_alone(original: Original, intruder: Intruder) -> None:
    """Hashes hold everywhere; the money of the bet does not follow from its command."""
    seq = original.find(key="the-bet").seq
    intruder.rechain(rewritten(original.entries, seq, lambda data: data["command"].update(cents=30000)), seq)
    for head in (original.head, None):
        flaw = audit(intruder, head)
        assert flaw is not None and flaw.seq == seq


def test_a_bet_rewritten_with_its_money(original: Original, intruder: Intruder) -> None:
    """The bet is in itself consistent; the settlement of its round then is not."""
    seq = original.find(key="the-bet").seq
    intruder.rechain(rewritten(original.entries, seq, raise_amount), seq)
    intruder.run("UPDATE transfers SET cents = cents + 10000 WHERE seq = :seq", seq=seq)
    for head in (original.head, None):
        flaw = audit(intruder, head)
        assert flaw is not None and flaw.seq == original.find(key="the-settle").seq


def test_a_history_rewritten_without_any_contradiction(original: Original, intruder: Intruder) -> None:
    """Only the exported head can tell, and it does, at the entry it was signed for."""
    seq = original.find(key="buy-in-3").seq
    intruder.rechain(rewritten(original.entries, seq, raise_amount), seq)
    intruder.run("UPDATE transfers SET cents = cents + 10000 WHERE seq = :seq", seq=seq)
    assert audit(intruder, None) is None
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == original.head.seq


def test_other_cards_dealt(original: Original, intruder: Intruder) -> None:
    """Another order of the cards in the deal, with correct hashes: the rest of the round or the shoe contradicts it."""
    deal = original.find(key="the-deal")

    def exchange(data: dict[str, Any]) -> None:
        cards = data["drawn"].split()
        data["drawn"] = " ".join(reversed(cards))
        for event in data["events"]:
            if event["event"] == "cards-drawn":
                event["cards"] = cards[::-1]

    intruder.rechain(rewritten(original.entries, deal.seq, exchange), deal.seq)
    flaw = audit(intruder, original.head)
    assert flaw is not None and deal.seq <= flaw.seq <= original.head.seq


NOT_A_COMMAND = '{"command":7,"dice":0,"drawn":"","events":[],"transfers":[]}'


@pytest.mark.parametrize("payload", ["", "{", "[]", "null", "7", "{}", NOT_A_COMMAND])
def test_nonsense_with_correct_hashes_is_named_and_no_error(original: Original, intruder: Intruder, payload: str) -> None:
    seq = original.find(key="the-bet").seq
    changed = [replace(entry, payload=payload) if entry.seq == seq else entry for entry in original.entries]
    intruder.rechain(changed, seq)
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == seq


# The exported head


@pytest.mark.parametrize("field", ["seq", "hash", "at", "public_key", "signature"])
def test_a_forged_head(original: Original, intruder: Intruder, field: str) -> None:
    value = getattr(original.head, field)
    forged = value - 1 if field == "seq" else ("0" if value[0] != "0" else "1") + value[1:]
    flaw = audit(intruder, replace(original.head, **{field: forged}))
    assert flaw is not None and "not genuine" in flaw.what


def test_a_head_of_another_house(original: Original, intruder: Intruder) -> None:
    other = [replace(entry, actor="x" + entry.actor) for entry in original.entries]
    intruder.rechain(other, 1)
    assert audit(intruder, None) is None
    flaw = audit(intruder, original.head)
    assert flaw is not None and flaw.seq == original.head.seq


def test_a_head_survives_its_file(original: Original, tmp_path: Path) -> None:
    file = tmp_path / "head.json"
    file.write_text(json.dumps(vars(original.head)), encoding="utf-8")
    assert SignedHead.load(file) == original.head
    assert original.head.is_genuine()
