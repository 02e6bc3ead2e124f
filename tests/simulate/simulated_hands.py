"""What the tests of simulators that deal whole cards share: single rounds with their cards, and numba's CUDA simulator."""

import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np

from houseway.chunks.tallies import total
from houseway.games import edition_from
from houseway.kernels.rounds import rounds_loop
from houseway.simulate.dealer import CompiledDealer, dealer_of
from houseway.simulate.run import Goal, simulate


def compiled(asked: str) -> CompiledDealer:
    dealer = dealer_of(edition_from, asked)
    assert isinstance(dealer, CompiledDealer)
    return dealer


def rounds_of(dealer: CompiledDealer, numbers: range) -> Iterator[tuple[list[int], list[int]]]:
    """Every round by itself: its cards as the compiled code dealt them, and the cells that it wrote."""
    loop = rounds_loop(dealer.simulator.play_round, dealer.simulator.sees)
    for number in numbers:
        deck, cells, tallies = np.zeros(dealer.fresh_deck.size, np.uint8), np.zeros(dealer.seats, np.int64), dealer.arrays()
        given = dealer.given(dealer.conventions, dealer.scales)
        loop(number, number + 1, *given, np.zeros(0, np.uint64), deck, cells, *tallies.values())
        assert sorted(deck.tolist()) == sorted(dealer.fresh_deck.tolist()), "no card is dealt twice"
        yield deck.tolist(), cells.tolist()


def results_of(results) -> Counter:
    return Counter((result.wager, result.outcome, Fraction(result.times), result.prize) for result in results)


def counts(tallies) -> dict:
    return {name: array.tolist() for name, array in tallies.items()}


IN_THE_SIMULATOR = """
import pickle, sys, warnings
warnings.simplefilter("ignore")
from importlib import import_module
from houseway.kernels import rounds_graphics
package, seats, cells, given, tallies, first, last = pickle.load(sys.stdin.buffer)
play_round = import_module(package + ".simulate.rounds").play_round
loop = rounds_graphics.graphics_rounds_loop(play_round, "cards", seats, cells, given[2].size, 2)
dealt = rounds_graphics.deal_on_graphics(loop, first, last, given, tuple(tallies.values()), 2, 2)
sys.stdout.buffer.write(pickle.dumps(dict(zip(tallies, dealt))))
"""


def on_simulated_graphics(dealer: CompiledDealer, first: int, last: int) -> dict:
    """In numba's simulator, every helper interpreted; the tables are those made here, for nothing is compiled there."""
    given = dealer.given(dealer.conventions, dealer.scales)
    sent = dealer.opened.edition.game.package, dealer.seats, dealer.setup.cells, given, dealer.arrays(), first, last
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", IN_THE_SIMULATOR]
    done = subprocess.run(command, input=pickle.dumps(sent), env=simulated, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


def assert_nothing_changes_a_tally(dealer):
    """Chunks, threads and a cluster deal what one thread deals in one go, in sessions of twenty rounds."""
    units, asked = 300, dealer.opened.question
    assert asked.session_rounds == 20
    whole, goal = counts(dealer.deal(0, units)), Goal(rounds=20 * units)
    assert counts(total([dealer.deal(117, units), dealer.deal(0, 1), dealer.deal(1, 117)])) == whole
    with ThreadPoolExecutor(3) as pool:
        assert counts(total(pool.map(lambda unit: dealer.deal(unit, unit + 50), range(0, units, 50)))) == whole
    for workers in (1, 2, 3):
        assert counts(simulate(asked, goal, edition_from, workers=workers).tallies) == whole
    assert counts(simulate(asked, goal, edition_from, "dask", workers=2).tallies) == whole
