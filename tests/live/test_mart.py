"""The rows of the journal: sums are the ledger's to the cent, they grow by days, and nothing that is face down is in them."""

import csv
import json
import random
import shutil
import stat
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pandas
import pyarrow.parquet
import pytest
from chiprooms import ChipRoom
from databases import DATABASES
from sessions import SUE, finish_round, house_tables, play, prepare
from test_table import BLACKJACK, DUKI, PAI_GOW
from test_virtual_shoe import deal, virtual

from houseway.cards import show_card
from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report import mart
from houseway.report.mart_files import export_rows
from houseway.table.face_up import hides

ROOT = Path(__file__).parents[2]
TABLES = house_tables(4)
BEGIN = datetime.fromisoformat("2026-03-01T18:00:00+00:00")


class Clock:
    def __init__(self):
        self.at = BEGIN

    def __call__(self):
        self.at += timedelta(seconds=1)
        return self.at


def go_on(floor, rng, steps):
    """Random steps; a round of the day before, which `play` would correct, is not corrected any more."""
    for _ in range(steps):
        try:
            play(floor, rng, TABLES, 1)
        except Refused as refused:
            assert refused.code == "another-day"


def evening(url, key, days=3, steps=150):
    """Days of every edition, with voids and corrections; the last round of each is still on the felt."""
    clock = Clock()
    floor, rng = Floor(Store(url), key, clock=clock), random.Random(15)
    prepare(floor, TABLES)
    for day in range(days):
        clock.at = BEGIN + timedelta(days=day)
        go_on(floor, rng, steps)
    return floor, clock, rng


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A house of SQLite, and its state at the end."""
    folder = tmp_path_factory.mktemp("played")
    floor, _, rng = evening(f"sqlite:///{folder / 'house.db'}", folder / "house.key")
    for table in TABLES:
        finish_round(floor, table, rng)
    last = next(table for table in floor.state.tables.values() if table.settled_round == table.round.number - 1 > 0)
    void = {"void": True, "reason": "a misdeal", "again": len(floor.store.corrections(last.name, last.settled_round, 0))}
    with suppress(Refused):  # it was that already
        floor.do({"kind": "correct", "table": last.name, "round": last.settled_round, **void}, SUE)
    return floor


def read(folder, name):
    """All rows of a table."""
    return pyarrow.parquet.read_table(folder / name).to_pylist()


def balances(rows):
    held = Counter()
    for row in rows:
        held[":".join(filter(None, (row["from_account"], row["from_name"])))] -= row["cents"]
        held[":".join(filter(None, (row["to_account"], row["to_name"])))] += row["cents"]
    return {account: cents for account, cents in held.items() if cents}


def won_by_trays(store):
    """What each tray won by rounds, from the transfers alone: all that moved but for chips that were exchanged."""
    kinds, won = {entry.seq: entry.kind for entry in store.entries()}, Counter()
    for seq, transfer in store.transfers():
        if kinds[seq] not in {"open", "close", "fill", "credit", "table-buy-in"}:
            for account, sign in ((transfer.target, 1), (transfer.source, -1)):
                if account.startswith("tray:"):
                    won[account.removeprefix("tray:")] += sign * transfer.cents
    return won


def exported(store, folder, form="parquet", **asked):
    return list(export_rows(store, folder, form, **asked))


def test_the_sums_are_the_ledgers_to_the_cent(played, tmp_path):
    days = exported(played.store, tmp_path / "mart")
    assert [day.day for day in days] == ["2026-03-01", "2026-03-02", "2026-03-03"]
    assert balances(read(tmp_path / "mart", "payments")) == {
        name: cents for name, cents in played.state.balances.items() if cents
    }
    bets, rounds = read(tmp_path / "mart", "bets"), read(tmp_path / "mart", "rounds")
    ended = Counter(row["ended"] for row in rounds)
    assert ended["settled"] > 30 and ended["voided"] > 0 and ended["corrected"] > 0, (
        "all that there is to be exported is played"
    )
    won = won_by_trays(played.store)
    assert any(won.values())  # shoes are drawn anew each time: one tray or another may have won nothing
    for name, table in played.state.tables.items():
        of_table = [row for row in bets if row["table_name"] == name]
        assert -sum(row["win_cents"] for row in of_table) == won[name]
        of_opening = [row for row in of_table if row["round"] >= table.first_round]
        assert -sum(row["win_cents"] for row in of_opening) == table.win_cents
        if table.edition in {BLACKJACK, DUKI}:
            continue  # whose action is the first stake, without what was laid later
        counted = Counter()
        for row in of_opening:
            counted[row["wager"]] += row["stake_cents"]
        assert +counted == Counter({wager: done.cents for wager, done in table.action.items() if done.cents})
    for row in rounds:
        of_round = [bet for bet in bets if bet["entry"] == row["entry"]]
        assert (row["bets"], row["stake_cents"], row["win_cents"]) == tuple(
            sum(bet[name] for bet in of_round) for name in ("bets", "stake_cents", "win_cents")
        )


def test_duckdb_reads_it_as_it_is(played, tmp_path):
    exported(played.store, tmp_path / "mart")
    asked = f"""
        SELECT r.day, sum(-b.win_cents) FROM read_parquet('{tmp_path}/mart/bets/*.parquet') b
        JOIN read_parquet('{tmp_path}/mart/rounds/*.parquet') r USING (entry, table_name) GROUP BY 1 ORDER BY 1"""
    won = dict(duckdb.sql(asked).fetchall())
    assert list(won) == ["2026-03-01", "2026-03-02", "2026-03-03"]
    assert sum(won.values()) == sum(won_by_trays(played.store).values())
    kinds = duckdb.sql(
        f"DESCRIBE SELECT written_at, bets, known FROM read_parquet('{tmp_path}/mart/rounds/*.parquet')"
    ).fetchall()
    assert [kind[1] for kind in kinds] == ["TIMESTAMP WITH TIME ZONE", "BIGINT", "BOOLEAN"]


def test_pandas_reads_it_as_it_is(played, tmp_path):
    exported(played.store, tmp_path / "mart")
    bets, rounds = (pandas.read_parquet(tmp_path / "mart" / name) for name in ("bets", "rounds"))
    together = bets.merge(rounds[["entry", "table_name", "day"]], on=["entry", "table_name"], suffixes=("", "_of_round"))
    assert len(together) == len(bets) > 0
    won = (-together.groupby("day")["win_cents"].sum()).to_dict()
    assert list(won) == ["2026-03-01", "2026-03-02", "2026-03-03"]
    assert sum(won.values()) == sum(won_by_trays(played.store).values())
    assert (str(rounds["bets"].dtype), str(rounds["known"].dtype)) == ("int64", "bool")
    assert str(rounds["written_at"].dt.tz) == "UTC"


@pytest.mark.parametrize("database", DATABASES)
def test_a_folder_grows_by_days(database, new_url, tmp_path):
    url = new_url(database)
    floor, clock, rng = evening(url, tmp_path / "house.key", days=2, steps=60)
    mart_folder = tmp_path / "mart"
    assert [day.is_new for day in exported(floor.store, mart_folder)] == [True, True]
    first = (mart_folder / "bets" / "2026-03-01.parquet").stat().st_mtime_ns
    assert [day.is_new for day in exported(floor.store, mart_folder)] == [False, False]
    go_on(floor, rng, 30)  # the second day goes on
    clock.at = BEGIN + timedelta(days=2)
    go_on(floor, rng, 30)
    assert [day.is_new for day in exported(floor.store, mart_folder)] == [False, True, True]
    assert (mart_folder / "bets" / "2026-03-01.parquet").stat().st_mtime_ns == first
    anew = tmp_path / "anew"
    exported(floor.store, anew)
    for table in mart.TABLES:
        assert read(mart_folder, table.name) == read(anew, table.name)
    (mart_folder / "bets" / "2026-03-02.parquet").unlink()
    assert [day.is_new for day in exported(floor.store, mart_folder)] == [False, True, False]
    assert [day.is_new for day in exported(floor.store, mart_folder, day="2026-03-01")] == [True, False, False]
    floor.store.engine.dispose()


def test_snapshots_change_no_row(played, tmp_path, monkeypatch):
    exported(played.store, tmp_path / "mart")
    monkeypatch.setattr("houseway.report.mart_files.snapshot.latest", lambda *_: (type(played.state)(), 0))
    exported(played.store, tmp_path / "folded")
    assert read(tmp_path / "mart", "rounds") == read(tmp_path / "folded", "rounds")


def test_every_step_of_a_slip_is_a_row(tmp_path):
    room = ChipRoom(tmp_path)
    room.do("request-fill", SUE, pieces={"500": 10})
    room.do("void-slip", SUE, table=None, slip="fill-2", reason="too few")
    less = room.written("tray:t1")
    less["500"] -= 2
    room.count(less)
    exported(room.floor.store, tmp_path / "mart")
    rows = read(tmp_path / "mart", "slips")
    fills = [(row["number"], row["happened"], row["step"], row["signer"]) for row in rows if row["kind"] == "fill"]
    steps = ("request-carried", "prepared", "carried", "counted", "verified")
    signed = [(1, "signed", step, name) for step, name in zip(steps, ("gus", "cat", "gus", "dan", "sue"), strict=True)]
    ended = [(1, "done", "", "sue"), (2, "opened", "", "sue"), (2, "void", "", "sue")]
    assert fills == [(1, "opened", "", "sue"), *signed, *ended]
    (count,) = (row for row in rows if row["happened"] == "counted")
    assert (count["slip"], count["step"], count["difference_cents"]) == ("inventory-1", "closer", -1_000)
    (error,) = (row for row in rows if row["kind"] == "error")
    assert (error["cents"], error["owner"], error["of_table"]) == (-1_000, "sue", "t1")
    assert [row["reason"] for row in rows if row["happened"] == "void"] == ["too few"]


@pytest.mark.parametrize("edition", [PAI_GOW, BLACKJACK, DUKI])
def test_no_card_of_a_round_that_is_not_over_is_in_it(edition, tmp_path):
    for number in range(20):
        pit = virtual(tmp_path, edition, name=f"house-{number}.db")
        deal(pit, 1, 2)
        if hides(pit.table):
            break
    assert hides(pit.table)
    exported(pit.floor.store, tmp_path / "mart", "jsonl")
    written = "".join(file.read_text() for file in (tmp_path / "mart").rglob("*.jsonl"))
    assert '"command": "bet' in written, "the bets that everybody saw are payments"
    assert (tmp_path / "mart" / "rounds").is_dir() and not any(
        file.read_text() for file in (tmp_path / "mart/rounds").iterdir()
    )
    cards = {show_card(card) for card in pit.table.round.drawn}
    assert cards and not any(f'"{card}' in written or f"{card} " in written for card in cards)


def test_a_house_of_0_1_is_exported(tmp_path):
    for ending in ("db", "key"):
        shutil.copy(Path(__file__).parent / "journals" / f"house-0.1.{ending}", tmp_path / f"house.{ending}")
        (tmp_path / f"house.{ending}").chmod(0o600)
    told = json.loads((Path(__file__).parent / "journals" / "house-0.1.json").read_text())
    exported(Store(f"sqlite:///{tmp_path / 'house.db'}", only_reads=True), tmp_path / "mart")
    held = balances(read(tmp_path / "mart", "payments"))
    assert held == {name: cents for name, cents in told["balances"].items() if cents}
    ended = Counter(row["ended"] for row in read(tmp_path / "mart", "rounds"))
    assert ended == {"settled": 42, "voided": 6, "reversed": 1}
    bets = read(tmp_path / "mart", "bets")
    wins = {name: -sum(row["win_cents"] for row in bets if row["table_name"] == name) for name in ("baccarat",)}
    assert wins == {"baccarat": told["tables"]["baccarat"]["win"]}


def test_csv_and_lines_of_json_hold_the_same(played, tmp_path):
    for form in ("parquet", "csv", "jsonl"):
        exported(played.store, tmp_path / form, form)
    bets = [row["win_cents"] for row in read(tmp_path / "parquet", "bets")]
    in_csv = [row for file in sorted((tmp_path / "csv" / "bets").iterdir()) for row in csv.DictReader(file.open())]
    lines = [json.loads(line) for file in sorted((tmp_path / "jsonl" / "bets").iterdir()) for line in file.open()]
    assert [int(row["win_cents"]) for row in in_csv] == bets == [row["win_cents"] for row in lines]


def test_the_folder_is_the_houses_alone_and_says_what_is_in_it(played, tmp_path):
    exported(played.store, tmp_path / "mart")
    assert stat.S_IMODE((tmp_path / "mart").stat().st_mode) == 0o700
    assert json.loads((tmp_path / "mart" / "schema.json").read_text()) == mart.schema_data()
    index = json.loads((tmp_path / "mart" / "export.json").read_text())
    sums = [day["cents"]["bets"]["win_cents"] for day in index["days"].values()]
    assert sum(sums) == sum(row["win_cents"] for row in read(tmp_path / "mart", "bets"))


def test_another_journal_another_form_and_strange_folders_are_refused(played, tmp_path):
    folder = tmp_path / "mart"
    exported(played.store, folder)
    other = Floor(Store(f"sqlite:///{tmp_path / 'other.db'}"), tmp_path / "other.key")
    prepare(other, [])
    strange = tmp_path / "strange"
    strange.mkdir(mode=0o700)
    (strange / "a.txt").write_text("mine")
    before = sorted((str(file), file.stat().st_mtime_ns) for file in folder.rglob("*"))
    for code, store, where, form, day in (
        ("other-journal", other.store, folder, "parquet", ""),
        ("other-format", played.store, folder, "csv", ""),
        ("not-empty", played.store, strange, "csv", ""),
        ("unknown-day", played.store, folder, "parquet", "2026-02-30"),
        ("not-written", played.store, strange / "a.txt", "csv", ""),
    ):
        with pytest.raises(Refused) as refused:
            exported(store, where, form, day=day)
        assert refused.value.code == code
    assert sorted((str(file), file.stat().st_mtime_ns) for file in folder.rglob("*")) == before
    assert [file.name for file in strange.iterdir()] == ["a.txt"]


def test_in_the_shell(bare_shell, tmp_path):
    bare_shell("cage fund 1000 --as olga:administrator")
    assert "1 payments" in bare_shell(f"journal export --format parquet --to {tmp_path}/mart")
    assert "(there already)" in bare_shell(f"journal export --format parquet --to {tmp_path}/mart")
    assert "--to FOLDER" in bare_shell("journal export --format parquet", 2)
    assert "--to FOLDER" in bare_shell("journal export --day 2026-01-01", 2)
    assert "printed" in bare_shell(f"journal export --format shoes --to {tmp_path}/other", 2)
    assert SUE.name not in bare_shell("journal export")


def test_the_documentation_has_every_column():
    text = (ROOT / "docs" / "data.md").read_text()
    for table in mart.TABLES:
        assert f"`{table.name}`" in text and table.about in text
        for column in table.columns:
            assert f"| `{column.name}` | {column.kind} | {column.about} |" in text, (table.name, column.name)
