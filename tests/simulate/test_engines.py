"""The same seed gives the same tallies, to the last integer: on one thread, on many, on a cluster, on a graphics processor."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.chunks.done import DoneUnits
from houseway.chunks.tallies import total
from houseway.games import edition_from, open_edition
from houseway.simulate.dealer import deal_chunk, dealer_of
from houseway.simulate.question import SimulationQuestion, ask, seats_of
from houseway.simulate.run import Goal, simulate

SHOES = 40


def question(session=0, **customs):
    edition = open_edition("ez-baccarat-wa")
    settings = edition.settings()
    bets = [{"banker": 2500, "dragon-7": 500}]
    return ask(edition, settings, seats_of(edition, settings, 0, "", bets, True), session_rounds=session, **customs)


def counts(tallies):
    return {name: array.tolist() for name, array in tallies.items()}


def same(one, other):
    return counts(one) == counts(other)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """What is kept of stopped work is kept here."""
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize("session", [0, 150])
@pytest.mark.parametrize("customs", [{}, {"cut": 14, "burn_by_value": True, "extra": 1}, {"shuffler": True}])
@settings(max_examples=15)
@given(cuts=st.sets(st.integers(1, SHOES - 1)))
def test_chunks_never_change_a_tally(session, customs, cuts):
    dealer = dealer_of(edition_from, question(session, **customs).as_text())
    bounds = [0, *sorted(cuts), SHOES]
    parts = [dealer.deal(first, last) for first, last in pairwise(bounds)]
    assert same(total(parts[::-1]), dealer.deal(0, SHOES))


@pytest.mark.usefixtures("results")
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_threads_never_change_a_tally(workers):
    asked = question(cut=14)
    simulation = simulate(asked, Goal(rounds=20_000), edition_from, workers=workers)
    assert simulation.rounds >= 20_000
    assert same(simulation.tallies, deal_chunk(edition_from, asked.as_text(), 0, simulation.shoes))
    assert simulation.rounds - 100 < 20_000, "the last shoe was not needed"


@pytest.mark.usefixtures("results")
def test_a_cluster_never_changes_a_tally():
    asked = question(session=100)
    simulation = simulate(asked, Goal(rounds=60_000), edition_from, "dask", workers=2)
    assert simulation.units == 600
    assert same(simulation.tallies, deal_chunk(edition_from, asked.as_text(), 0, 600))


@pytest.mark.usefixtures("results")
def test_a_killed_worker_costs_its_chunks_only(monkeypatch):
    """kill -9 of a worker in the middle of the work: others do what it had, and no tally changes."""
    import distributed

    monkeypatch.setattr("houseway.chunks.carry_out.SECONDS_OF_A_CHUNK", 0.05)
    asked, killed = question(cut=14), []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        workers = list(client.run(os.getpid).values())

        def kill(done, total, rate):
            if not killed and 0 < done < total / 2:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        address = cluster.scheduler_address
        simulation = simulate(asked, Goal(shoes=60_000), edition_from, "dask", address, progress=kill)
        assert killed and workers[0] not in client.run(os.getpid).values()
    assert simulation.units == 60_000
    assert same(simulation.tallies, deal_chunk(edition_from, asked.as_text(), 0, 60_000))


IN_THE_SIMULATOR = """
import json, sys, warnings
warnings.simplefilter("ignore")
from houseway.games import edition_from
from houseway.simulate.dealer import dealer_of
from houseway.simulate.graphics import GraphicsDealer
for text in json.load(sys.stdin):
    dealt = GraphicsDealer(dealer_of(edition_from, text), threads=2, blocks=2).deal(1, 5)
    print(json.dumps({name: array.tolist() for name, array in dealt.items()}))
"""


def test_a_graphics_processor_never_changes_a_tally():
    """In numba's simulator, and every helper interpreted; `benchmarks/simulate.py` compares on a real one."""
    asked = [question(cut=300).as_text(), question(session=20, cut=14, burn_by_value=True, extra=1).as_text()]
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", IN_THE_SIMULATOR]
    done = subprocess.run(command, input=json.dumps(asked), env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for text, line in zip(asked, done.stdout.splitlines(), strict=True):
        assert json.loads(line) == counts(deal_chunk(edition_from, text, 1, 5))


class Stopped(BaseException):
    """As Ctrl-C is."""


def test_what_was_stopped_goes_on_where_it_was(results, monkeypatch):
    asked = question(cut=14)
    whole = simulate(asked, Goal(shoes=3000), edition_from, workers=1)
    monkeypatch.setattr("houseway.simulate.run.deal_chunk", stopping_after(3))
    with pytest.raises(Stopped):
        simulate(asked, Goal(shoes=3000), edition_from, workers=1)
    assert list(results.glob("*.done.npz"))
    monkeypatch.setattr("houseway.simulate.run.deal_chunk", deal_chunk)
    again = simulate(asked, Goal(shoes=3000), edition_from, workers=2, resume=True)
    assert 0 < again.resumed_rounds < again.rounds
    assert same(again.tallies, whole.tallies)
    assert not list(results.glob("*.done.npz"))


def stopping_after(chunks):
    left = [chunks]

    def deal(opener, text, first, last):
        left[0] -= 1
        if left[0] < 0:
            raise Stopped
        return deal_chunk(opener, text, first, last)

    return deal


@given(st.lists(st.integers(0, 30), min_size=2, max_size=12), st.integers(1, 7))
def test_what_is_missing_is_what_is_not_done(bounds, size):
    done, bounds = DoneUnits(), sorted(set(bounds))
    for first, last in zip(bounds[::2], bounds[1::2], strict=False):
        done.add((first, last), {"units": np.array([last - first])})
    missing = list(done.missing(30, size))
    assert all(last - first <= size for first, last in missing)
    units = [unit for first, last in (*missing, *done.ranges) for unit in range(first, last)]
    assert sorted(units) == list(range(30))


def test_a_question_survives_being_written():
    asked = question(session=10, cut=20, extra=1)
    assert SimulationQuestion.from_text(asked.as_text()).as_text() == asked.as_text()
    assert partial(deal_chunk, edition_from)(asked.as_text(), 0, 1)["cells"].sum() == 10
