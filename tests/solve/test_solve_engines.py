"""The long counts of solvers are done in chunks: on threads or a cluster, stopped and gone on with, always the same."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from houseway.chunks.engines import Cluster, Threads
from houseway.chunks.in_use import by_engine, done_in_chunks
from houseway.games import open_edition
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.basic import basic_strategy
from houseway.games.blackjack.solve.chart import ChartPlay
from houseway.games.blackjack.solve.results import results_of
from houseway.games.ez_pai_gow.solve.hands import Deck
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.kernels.compiled import cache_folder

SHORT = Deck((0, 5, 8, 10, 12))


@pytest.fixture(autouse=True)
def results(tmp_path, monkeypatch):
    """Nothing is known from before."""
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    monkeypatch.setattr("houseway.solve.kept._folder", lambda: tmp_path)
    return tmp_path


def pairs(player="foxwoods"):
    edition = open_edition("ez-pai-gow-wa")
    return Solution(edition, edition.settings(), deck=SHORT).pairs(player)


@pytest.mark.parametrize("workers", [1, 3])
def test_threads_never_change_a_count(results, workers):
    counted = pairs()
    for file in results.iterdir():
        file.unlink()
    with by_engine(Threads(workers)):
        assert pairs() == counted


def test_a_cluster_never_changes_a_count(results):
    """Its workers know nothing but what they are told: an edition's content, settings, a player."""
    counted = pairs()
    for file in results.iterdir():
        file.unlink()
    with by_engine(Cluster(workers=2)):
        assert pairs() == counted


@pytest.mark.parametrize("chart", [False, True])
def test_a_cluster_never_changes_the_results_of_blackjack(chart):
    """In fractions, on a shoe of a few cards: best play, and by a chart."""
    edition = open_edition("lucky-lucky-wa")
    rules = replace(BlackjackRules.of(edition, edition.settings()), counts=(2, 0, 0, 0, 2, 2, 0, 2, 0, 8))

    def results():
        play = ChartPlay(rules, exact=True, chart=basic_strategy(rules)) if chart else Analysis(rules, exact=True)
        return results_of(play)

    told = results()
    with by_engine(Cluster(workers=2)):
        assert results() == told


MEASURED = """
import resource
from houseway.games import open_edition
from houseway.games.ez_pai_gow.solve.solution import Solution
edition = open_edition("ez-pai-gow-wa")
print(Solution(edition, edition.settings()).pairs("plaza").win, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.deep
def test_all_deals_of_pai_gow_are_counted_in_little_memory(tmp_path):
    """From nothing but compiled rules, twice: what compiling takes is not the count's."""
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    (folder / cache_folder().name).symlink_to(cache_folder())
    own = {**os.environ, "HOUSEWAY_CACHE": str(folder)}
    for _ in range(2):
        shutil.rmtree(folder / "results", ignore_errors=True)
        done = subprocess.run([sys.executable, "-c", MEASURED], env=own, capture_output=True, text=True, check=True)
    win, most_kilobytes = map(int, done.stdout.split())
    assert win == 2_233_560_965_323_540
    assert most_kilobytes * 1024 < 1.3e9


class Stopped(BaseException):
    """As Ctrl-C is."""


def test_a_count_that_was_stopped_goes_on_where_it_was(results):
    done, most = [], [4]

    def work(first, last):
        if len(done) == most[0]:
            raise Stopped
        done.append(first)
        return {"units": np.array([last - first, sum(range(first, last))])}

    with by_engine(Threads(1)), pytest.raises(Stopped):
        done_in_chunks(work, 9, "a count")
    assert list(results.glob("*.done.npz"))
    done.clear()
    most[0] = 9
    with by_engine(Threads(1)):
        tallies = done_in_chunks(work, 9, "a count")
    assert tallies["units"].tolist() == [9, 36] and len(done) < 9
    assert not list(results.glob("*.done.npz"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("solve duki-4-wa --engine cuda", "known: threads, dask"),
        ("solve duki-4-wa --scheduler tcp://x:1", "goes with --engine dask"),
        ("odds ez-pai-gow-wa --engine dask", "go with --player"),
    ],
)
def test_an_engine_that_makes_no_sense_is_refused_in_a_line(run, arguments, said):
    code, out, complaint = run(*arguments.split())
    assert (code, out) == (2, "") and said in complaint and len(complaint.splitlines()) == 1
