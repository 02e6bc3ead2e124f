"""Workers of one house hand each other what their entries changed: whoever takes it over stands where folding leads."""

import pickle
import random
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from sessions import house_tables, play, prepare

from houseway.house import neighbours
from houseway.house.floor import Floor
from houseway.house.neighbours import Neighbours
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House, Phase, unfolded
from houseway.table.change import ENDS, NAMES, WHOLE, as_bytes, change, changed_by, from_bytes
from houseway.table.entry import Entry
from houseway.table.plain import as_json
from houseway.table.state import Round, changed

OpenFloor = Callable[[str], Floor]
TABLES = house_tables(4)
"""One of each game."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:  # short: a socket's name has some hundred characters at most
        yield Path(name)


@pytest.fixture
def floors(store_url: str, open_floor: OpenFloor, folder: Path) -> Iterator[tuple[Floor, Floor]]:
    """Two neighbours on one store, as of the same entry."""
    one, other = open_floor(store_url), open_floor(store_url)
    prepare(one, TABLES)
    other.refresh()
    for floor in (one, other):
        floor.neighbours = Neighbours(folder)
    yield one, other
    for floor in (one, other):
        if floor.neighbours:
            floor.neighbours.leave()


@pytest.fixture
def never_folds(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    def fails(floor: Floor, entry: object) -> None:
        raise AssertionError(f"{entry} was folded, and not taken over")

    monkeypatch.setattr(Floor, "_fold", fails)
    return monkeypatch


def test_taken_over_is_as_folded(floors: tuple[Floor, Floor], open_floor: OpenFloor, never_folds: pytest.MonkeyPatch) -> None:
    """In turns, on the same tables: whoever writes next has taken over what the other one wrote, to the order of names."""
    rng = random.Random(15)
    for turn in range(60):
        floor, other = floors[turn % 2], floors[1 - turn % 2]
        play(floor, rng, TABLES, 5)
        assert as_json(other.refresh()) == as_json(floor.state)
        assert [entry.data for entry in other.entries_after(other.seq - 3)] == [
            entry.data for entry in floor.entries_after(floor.seq - 3)
        ]
        for name, table in other.state.tables.items():
            mine = floor.state.tables[name]
            if table.round.phase != Phase.BETTING:
                assert unfolded(table).hands == unfolded(mine).hands and unfolded(table).to_act == unfolded(mine).to_act
                assert unfolded(table).is_complete == unfolded(mine).is_complete
    never_folds.undo()
    assert as_json(open_floor(floors[0].store.url).refresh()) == as_json(floors[0].state)


def test_a_notice_of_the_store_is_enough(floors: tuple[Floor, Floor], never_folds: pytest.MonkeyPatch) -> None:
    """Who was handed what leads to a head, and is told by the store that it is committed, asks the store nothing."""
    one, other = floors
    play(one, random.Random(1), TABLES, 10)
    never_folds.setattr(Store, "head", lambda store: pytest.fail("the store was asked"))
    assert other.refresh((one.seq, one.hash)) == one.state


def test_what_is_not_committed_is_not_taken_over(floors: tuple[Floor, Floor], monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = floors
    before = other.state, other.seq

    def lose(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    with monkeypatch.context() as patched:
        patched.setattr("houseway.house.store.Writer.finish", lose)
        with pytest.raises(Exception, match="lost"):
            play(one, random.Random(2), TABLES, 1)
    assert (other.refresh(), other.seq) == before
    play(one, random.Random(3), TABLES, 10)
    assert other.refresh() == one.state, "what followed is"


@pytest.mark.parametrize("what", ["garbage", "another release", "an altered entry", "another change", "a part", "too much"])
def test_what_cannot_be_taken_over_is_folded(floors: tuple[Floor, Floor], what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = floors
    whole = pickle.dumps

    def spoiled(message: tuple[str, tuple[int, str], list[tuple[object, ...]], object, bytes]) -> bytes:
        spoken, before, rows, opened, told = message
        if what == "garbage":
            return b"\x80\x05what?"
        if what == "too much":
            return whole(message) + bytes(neighbours.MOST_BYTES)
        if what == "another release":
            spoken = "0.0"
        if what == "an altered entry":
            rows = [(*row[:4], "somebody else", *row[5:]) for row in rows]
        if what == "another change":
            told = whole((NAMES, {"nothing": (WHOLE, 1)}))
        return whole((spoken, before, rows, opened, told))

    with monkeypatch.context() as patched:
        patched.setattr("houseway.house.neighbours.pickle.dumps", spoiled if what != "a part" else lambda message: b"")
        play(one, random.Random(4), TABLES, 4)
    play(one, random.Random(5), TABLES, 4)
    folded: list[int] = []
    fold = Floor._fold

    def counted(floor: Floor, entry: Entry) -> None:
        folded.append(entry.seq)
        fold(floor, entry)

    monkeypatch.setattr(Floor, "_fold", counted)
    assert other.refresh() == one.state and folded
    folded.clear()
    play(one, random.Random(6), TABLES, 4)
    assert other.refresh() == one.state and not folded, "from there on, what is handed is taken over again"


def test_a_head_that_is_not_the_last_entrys_is_not_believed_because_a_neighbour_is(floors: tuple[Floor, Floor]) -> None:
    """What a neighbour handed leads to the store's head, or to nothing."""
    one, other = floors
    play(one, random.Random(7), TABLES, 4)
    with one.store.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE head SET hash = '{'0' * 64}'")
    with pytest.raises(Refused) as refused:
        other.refresh()
    assert refused.value.code == "chain-broken"


def test_a_neighbour_who_is_gone_is_forgotten_and_one_who_is_slow_waited_for_by_nobody(
    floors: tuple[Floor, Floor], folder: Path
) -> None:
    one, other = floors
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    dead.bind(str(folder / f"1{neighbours.SUFFIX}"))
    dead.close()  # as a killed process leaves it
    play(one, random.Random(8), TABLES, 700)  # more than a socket holds
    assert len(list(folder.glob(f"*{neighbours.SUFFIX}"))) == 2
    assert other.refresh() == one.state
    play(other, random.Random(9), TABLES, 5)
    assert one.refresh() == other.state


def test_a_change_is_told_by_what_changed() -> None:
    assert change((1, 2), (1, 2, 3)) == (ENDS, (3,))
    assert change((1, 2), (2, 3)) == (WHOLE, (2, 3))
    assert change({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}) == (NAMES, {"b": (WHOLE, 3), "c": (WHOLE, 4)})
    assert change({"a": 1, "b": 2}, {"b": 2, "a": 1}) == (WHOLE, {"b": 2, "a": 1}), "names have an order"
    assert change({"a": 1, "b": 2}, {"b": 2}) == (WHOLE, {"b": 2})
    assert change({"a": 1}, {"a": 1}) is None
    for before, after in (((), (1,)), ((1,), ()), ({}, {"a": 1}), ({"a": 1}, {}), (None, 5), (1, True)):
        told = change(before, after)
        assert told is not None and changed_by(before, told) == after and type(changed_by(before, told)) is type(after)


def test_a_round_forgets_what_it_was_unfolded_to() -> None:
    """What was remembered of the cards before is of another tape."""
    before = changed(Round(), drawn=(1, 2), unfolded="of two cards")
    told = change(before, changed(before, drawn=(1, 2, 3), unfolded="of three"))
    assert told is not None and changed_by(before, told).unfolded is None and changed_by(before, told).drawn == (1, 2, 3)
    assert from_bytes(House(), as_bytes(House(), House())) == House()
