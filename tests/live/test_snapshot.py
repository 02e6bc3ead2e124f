"""A floor starts from a snapshot that the chain vouches for, or from the beginning: the state is the same."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from databases import DATABASES
from sessions import CAT, DAN, SUE, house_tables, play, prepare
from sqlalchemy import text

from houseway.house import snapshot
from houseway.house.audit import Auditor
from houseway.house.backup import copy_store
from houseway.house.floor import HOUSE, Floor
from houseway.house.store import Store
from houseway.table import House
from houseway.table.fold import fold

TABLES = house_tables(4)


@pytest.fixture(params=DATABASES)
def floor(
    request: pytest.FixtureRequest,
    new_url: Callable[[str], str],
    open_floor: Callable[[str], Floor],
    monkeypatch: pytest.MonkeyPatch,
) -> Floor:
    """A house in the middle of rounds, with a snapshot every 25 entries."""
    monkeypatch.setattr(snapshot, "EVERY", 25)
    made = open_floor(new_url(request.param))
    prepare(made, TABLES)
    play(made, random.Random(5), TABLES, 120)
    return made


def folded(store: Store) -> House:
    state = House()
    for entry in store.entries():
        state = fold(state, entry)[0]
    return state


def test_a_floor_that_starts_from_a_snapshot_knows_what_one_that_folds_everything_knows(floor: Floor, key_file: Path) -> None:
    state, seq = snapshot.latest(floor.store)
    assert seq > 100
    assert state != House()
    started = Floor(floor.store, key_file)
    assert started.seq == seq
    assert started.refresh() == floor.state == folded(floor.store)


def test_a_snapshot_keeps_the_order_in_which_wagers_were_laid(floor: Floor, key_file: Path) -> None:
    """They are settled in it: a floor that starts from a snapshot between bet and settlement settles no other way."""
    laid = ("tie", "banker")
    opening = {"edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 10**6}
    floor.do({"kind": "open", "table": "laid", **opening}, SUE)
    for wager in laid:
        floor.do({"kind": "bet", "table": "laid", "seat": 3, "guest": "g3", "wager": wager, "cents": 400}, DAN)
    told, content = snapshot.taken(floor.state)
    with floor.store.writing() as writer:
        floor._append(writer, snapshot.SNAPSHOT, "", HOUSE, "", told, [])
        writer.put_snapshot(floor.seq, content)
    restored, _ = snapshot.latest(floor.store)
    spot = restored.tables["laid"].round.spots[3]
    assert tuple(spot.bets) == tuple(floor.state.tables["laid"].round.spots[3].bets) == laid
    assert snapshot.taken(restored) == (told, content)


def test_an_audit_folds_everything_and_compares_the_snapshots(floor: Floor, key_file: Path) -> None:
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize("place", [0.0, 0.3, 0.9])
def test_a_snapshot_that_was_altered_is_passed_over(floor: Floor, key_file: Path, place: float) -> None:
    with floor.store.engine.begin() as connection:
        for seq, content in connection.execute(text("SELECT seq, content FROM snapshots")).all():
            at = int(place * len(content))
            altered = content[:at] + ("A" if content[at] != "A" else "B") + content[at + 1 :]
            connection.execute(
                text("UPDATE snapshots SET content = :content WHERE seq = :seq"), {"content": altered, "seq": seq}
            )
    assert snapshot.latest(floor.store) == (House(), 0)
    assert Floor(floor.store, key_file).refresh() == floor.state


def test_a_snapshot_of_another_shape_is_passed_over(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "shape", lambda: "of tomorrow")
    assert snapshot.latest(floor.store) == (House(), 0)
    assert Auditor(floor.store).run().flaw is None


def test_an_audit_names_an_entry_that_vouches_for_another_state(floor: Floor, key_file: Path) -> None:
    told, content = snapshot.taken(House())
    with floor.store.writing() as writer:
        floor._append(writer, snapshot.SNAPSHOT, "", HOUSE, "", told, [])
        writer.put_snapshot(floor.seq, content)
    flaw = Auditor(floor.store).run().flaw
    assert flaw is not None
    assert (flaw.seq, "snapshot" in flaw.what) == (floor.store.head()[0], True)


def test_a_snapshot_is_part_of_a_backup(floor: Floor, tmp_path: Path) -> None:
    target = f"sqlite:///{tmp_path / 'copy.db'}"
    copy_store(floor.store.url, target)
    copied = Store(target)
    copied.sealing = floor.sealing
    assert snapshot.latest(copied) == snapshot.latest(floor.store)


def test_an_older_snapshot_serves_an_older_round(floor: Floor, key_file: Path) -> None:
    newest = snapshot.latest(floor.store)[1]
    state, seq = snapshot.latest(floor.store, newest)
    assert 0 < seq < newest
    for entry in floor.store.entries(seq, newest):
        state = fold(state, entry)[0]
    assert state == snapshot.latest(floor.store)[0]


# Guests who left


class Days:
    """A clock that a test sets on."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@pytest.mark.parametrize("database", DATABASES)
def test_accounts_of_guests_who_left_leave_the_state(
    database: str, new_url: Callable[[str], str], key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has nothing, owes nothing and sits nowhere is forgotten with the first snapshot of the next day; nobody else."""
    monkeypatch.setattr(snapshot, "EVERY", 25)
    clock = Days()
    floor = Floor(Store(new_url(database)), key_file, clock, begins="one")
    prepare(floor, TABLES)
    for number in range(30):  # a snapshot comes in between
        floor.do({"kind": "buy-in", "guest": f"left {number}", "cents": 500}, CAT)
        floor.do({"kind": "cash-out", "guest": f"left {number}", "cents": 500}, CAT)
    floor.do({"kind": "buy-in", "guest": "sits", "cents": 500}, CAT)
    floor.do({"kind": "sit", "table": TABLES[0], "seat": 1, "guest": "sits"}, DAN)
    floor.do({"kind": "cash-out", "guest": "sits", "cents": 500}, CAT)
    floor.do({"kind": "buy-in", "guest": "rich", "cents": 500}, CAT)
    assert floor.state.balances["guest:left 29"] == 0
    clock.at += timedelta(days=1)
    for _ in range(26):
        floor.do({"kind": "tip", "table": TABLES[0], "guest": "rich", "cents": 1}, DAN)
    known = floor.state.balances.keys()
    assert {"guest:sits", "guest:rich"} <= known
    assert not [account for account in known if account.startswith("guest:left")]
    assert Floor(floor.store, key_file, clock).refresh() == floor.state == folded(floor.store)
    assert Auditor(floor.store).run().flaw is None
    floor.do({"kind": "buy-in", "guest": "left 3", "cents": 700}, CAT)
    assert floor.state.balance("guest:left 3") == 700, "and may come again"
