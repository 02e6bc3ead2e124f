"""Any byte of a store may change: that is harmless, or named by the audit, or the house does not open; it never pays wrong.

Harmless is a byte that nobody reads, or of which nothing depends: the state, every cent, the cards still to come and what a
repeated command answers are the same. Whatever is said, is said in one line.
"""

import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sessions import CAT, DAN, finish_round, house_tables, play, prepare

from houseway.house import snapshot as snapshots
from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.people import People, Person, Session
from houseway.house.start import Opening, check_to_serve
from houseway.house.store import Store, as_sealed
from houseway.refusal import Refused
from houseway.table import House
from houseway.table.plain import as_json

TABLES = house_tables(4)
SAMPLE, DEEP = 40, 1_000
KEYED = {"kind": "buy-in", "guest": "g1", "cents": 100}


@dataclass
class Damaged:
    """A store whose bytes are about to change: its state, and what a repeated command must answer."""

    state: House
    repeated: tuple[int, str]
    key_file: Path
    rng: random.Random

    def judged(self, url: str) -> str:
        """What became of a changed byte; a failure of this test if a wrong state is served, or anything but a line is said."""
        try:
            store = Store(url)
        except Refused as refused:
            return told(refused, "refused")
        try:
            return self._served(store)
        finally:
            store.engine.dispose()

    def _served(self, store: Store) -> str:
        try:
            floor = Floor(store, self.key_file)
            opening = Opening(store, floor.sealing, floor.refresh(), floor.started_from, floor.seq)
            check_to_serve(opening)
        except Refused as refused:
            return told(refused, "refused")
        assert floor.state == self.state and as_json(floor.state) == as_json(self.state), "another state is served"
        report = Auditor(store, sealing=floor.sealing).run()
        assert all("\n" not in str(flaw) for flaw in report.flaws)
        if report.flaws:
            return "named"
        entry = floor.do(KEYED, CAT, "the key")
        assert (entry.seq, entry.hash) == self.repeated, "a command was carried out twice"
        finish_round(floor, self.rng.choice(TABLES), self.rng)
        assert Auditor(store, sealing=floor.sealing).run().flaw is None
        return "harmless"


def told(refused: Refused, as_: str) -> str:
    assert "\n" not in refused.message and len(refused.message) < 600, refused.message
    return as_


def played(floor: Floor) -> tuple[int, str]:
    """A house with everything in it: snapshots, people, sessions, sealed shoes, open rounds; and an entry with a key."""
    prepare(floor, TABLES)
    entry = floor.do(KEYED, CAT, "the key")
    play(floor, random.Random(3), TABLES, 60, "play-")
    for table in TABLES:  # nothing is to be left of a round that the flip could end by chance
        finish_round(floor, table, random.Random(3))
    floor.do({"kind": "bet", "table": "0-0", "seat": 1, "guest": "g1", "wager": "banker", "cents": 400}, DAN)
    people = People(floor.store)
    with people.changing() as connection:
        people.put(connection, Person("dan", "dealer", "hash" * 20))
    people.open(Session("t" * 64, "dan", "dealer", "c" * 32, 1, 1))
    return entry.seq, entry.hash


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Damaged]]:
    """A file of SQLite that nobody has open."""
    folder = tmp_path_factory.mktemp("original")
    before, snapshots.EVERY = snapshots.EVERY, 60
    try:
        store = Store(f"sqlite:///{folder / 'house.db'}")
        floor = Floor(store, folder / "key")
        repeated = played(floor)
    finally:
        snapshots.EVERY = before
    store.engine.dispose()
    with sqlite3.connect(folder / "house.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    yield folder / "house.db", Damaged(floor.state, repeated, folder / "key", random.Random(5))


def flip(file: Path, place: int, mask: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(place)
        byte = opened.read(1)[0]
        opened.seek(place)
        opened.write(bytes([byte ^ mask]))


def flipped(original: tuple[Path, Damaged], folder: Path, count: int, seed: int) -> Counter[str]:
    """So many flipped bytes, one at a time."""
    (file, damaged), rng = original, random.Random(seed)
    content, became = file.read_bytes(), Counter[str]()
    size, used = len(content), [place for place, byte in enumerate(content) if byte]  # what is zero is mostly not in use
    for number in range(count):
        copy = folder / f"{number}.db"
        shutil.copy(file, copy)
        place = rng.choice(used) if rng.random() < 0.9 else rng.randrange(100 if rng.random() < 0.5 else size)
        mask = 1 << rng.randrange(8)
        flip(copy, place, mask)
        try:
            became[damaged.judged(f"sqlite:///{copy}")] += 1
        except BaseException as error:
            raise AssertionError(f"byte {place} of {size} changed by {mask}: {type(error).__name__} {error}") from error
        for left in folder.glob(f"{number}.db*"):
            left.unlink()
    print(f"{count} flipped bytes of {size:,}: {dict(became)}")
    return became


def test_an_unharmed_store_is_harmless(original: tuple[Path, Damaged], tmp_path: Path) -> None:
    shutil.copy(original[0], tmp_path / "copy.db")
    assert original[1].judged(f"sqlite:///{tmp_path / 'copy.db'}") == "harmless"


def test_some_flipped_bytes(original: tuple[Path, Damaged], tmp_path: Path) -> None:
    became = flipped(original, tmp_path, SAMPLE, seed=1)
    assert became["refused"] and became["named"] + became["harmless"]


def test_whatever_a_damaged_page_gives_for_what_is_sealed_does_not_open() -> None:
    assert as_sealed(b"sealed") == as_sealed(memoryview(b"sealed")) == b"sealed"
    assert [as_sealed(damaged) for damaged in (-7, 2**62, 0.5, "text", None)] == [b""] * 5


@pytest.mark.deep
def test_1_000_flipped_bytes(original: tuple[Path, Damaged], tmp_path: Path) -> None:
    became = flipped(original, tmp_path, DEEP, seed=2)
    assert became.total() == DEEP and became["refused"] and became["named"] + became["refused"] > DEEP // 5
