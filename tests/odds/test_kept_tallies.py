"""Tallies on disk: read only if everything that they depend on is as it was, and they are as they were written."""

import json
import os
import stat
from dataclasses import replace

import pytest

from houseway.games import open_edition
from houseway.kernels import compiled
from houseway.odds import kept
from houseway.odds.kept import kept_tally
from houseway.rulebook.game import Tally

EDITION = open_edition("ez-baccarat-wa")
GAME, TIE = EDITION.game, EDITION.game.wagers["tie"]
SETTINGS = EDITION.settings()
SHOE, ENCODED = GAME.shoe(SETTINGS), GAME.encode(SETTINGS)
COUNTED = Tally((1, 2, 3, 4, 10**30))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "cache"))
    return compiled.cache_folder() / "tallies"


def counts_again(wager=TIE, shoe=SHOE, encoded=ENCODED, tally=COUNTED) -> bool:
    """Whether a tally is counted, and not read; what comes of it is the same."""
    times = []
    found = kept_tally(GAME, wager, shoe, encoded, lambda: times.append(1) or tally)
    assert found == tally
    return bool(times)


def test_a_tally_is_counted_once_and_kept_for_its_owner_alone(folder):
    before = os.umask(0)
    try:
        assert counts_again()
    finally:
        os.umask(before)
    assert not counts_again()
    (file,) = folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, folder, folder.parent, folder.parent.parent)]
    assert modes == [0o600, 0o700, 0o700, 0o700]
    assert counts_again(shoe=(*SHOE[:-2], SHOE[-2] - 1, SHOE[-1]))
    assert counts_again(encoded=ENCODED + 1)
    assert counts_again(wager=GAME.wagers["banker"])
    assert counts_again(wager=replace(TIE, count=lambda *_: COUNTED))
    assert not counts_again()


@pytest.mark.parametrize("method", ["enumerated", "simulated"])
def test_how_it_was_counted_is_kept(folder, method):
    assert counts_again(tally=replace(COUNTED, method=method))
    assert not counts_again(tally=replace(COUNTED, method=method))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:-1],
        lambda text: "",
        lambda text: "nonsense",
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace("[1, 2", "[2, 1"),
        lambda text: text.replace("enumerated", "simulated"),
        lambda text: json.dumps(json.loads(text) | {"counts": 5}),
        lambda text: json.dumps(json.loads(text) | {"check": None}),
    ],
)
def test_what_is_spoiled_is_counted_anew_and_mended(folder, spoil):
    assert counts_again()
    (file,) = folder.iterdir()
    whole = file.read_text()
    file.write_text(spoil(whole))
    assert counts_again()
    assert file.read_text() == whole
    assert not counts_again()


def test_a_file_under_another_name_is_not_believed(folder):
    assert counts_again()
    (file,) = folder.iterdir()
    other = replace(COUNTED, counts=(5, 4, 3, 2, 1))
    assert counts_again(shoe=(0, *SHOE[1:]), tally=other)
    (another,) = set(folder.iterdir()) - {file}
    file.write_bytes(another.read_bytes())
    assert counts_again()


def test_a_folder_that_cannot_be_written_to_costs_time_only(folder):
    folder.write_text("no folder")
    assert counts_again()
    assert counts_again()


def test_only_so_many_are_kept(folder, monkeypatch):
    monkeypatch.setattr(kept, "MOST_KEPT", 3)
    for copies in range(6):
        assert counts_again(shoe=(copies, *SHOE[1:]))
    assert len(list(folder.iterdir())) == 3


def test_nothing_is_read_or_written_where_files_were_changed_since_they_were_loaded(folder, monkeypatch):
    assert counts_again()
    with monkeypatch.context() as loaded_others:
        loaded_others.setattr(kept, "_sources", lambda game: "")
        assert counts_again()
    other_shoe = (0, *SHOE[1:])
    with monkeypatch.context() as changed_while_it_was_counted:
        changed_while_it_was_counted.setattr(kept, "sources_of_tallies", lambda game: "")
        assert counts_again(shoe=other_shoe)
    assert counts_again(shoe=other_shoe)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("changed", ["rules.py", "deep/chart.py", "pays.toml", "chart.json"])
def test_files_that_were_changed_since_they_were_loaded_are_noticed(tmp_path, changed):
    """A process that has loaded the old ones would keep their tallies under the name of the new ones."""
    (tmp_path / "deep").mkdir()
    for name in ("__init__.py", "rules.py", "deep/chart.py", "pays.toml", "chart.json"):
        (tmp_path / name).write_text("1")
    first = compiled.sources_of_tallies(tmp_path)
    assert first
    (tmp_path / changed).write_text("2")
    assert compiled.sources_of_tallies(tmp_path) == ""
    (tmp_path / changed).write_text("1")
    assert compiled.sources_of_tallies(tmp_path) == first
