"""Rounds in steps, as graphics cards deal them, are those that one thread deals: compiled here, and in numba's simulator."""

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from simulated_blackjack import EDITION
from test_simulate_blackjack import any_chart, counts, question

from houseway.games import edition_from, open_edition
from houseway.games.blackjack.simulate import SIMULATOR, setup
from houseway.games.blackjack.simulate.steps import most_cards
from houseway.kernels.compiled import compiled_for
from houseway.kernels.rounds import MEASURES, Conventions, add_to, rounds_loop
from houseway.kernels.sample import philox
from houseway.kernels.shoes import running_sums
from houseway.kernels.steps import NUMBER_ROWS, Near, short_philox, steps_template
from houseway.simulate.dealer import CompiledDealer, deal_chunk, dealer_of
from houseway.simulate.question import ask
from houseway.simulate.simulator import Seat, Setup

TABLES = (
    ({}, "chart"),
    ({}, "mimic"),
    ({"decks": 8, "soft-17": "stands", "split-aces": "re-split", "double": "9-11"}, "chart-even-money"),
    ({"split-aces": "play-on", "lucky-card": "community", "surrender": "late"}, "chart-insured"),
    ({"hole-card": "none", "surrender": "late"}, "chart-insured"),
    ({"decks": 2, "hole-card": "none-original-bets-only", "split-hands": 2, "surrender": "early"}, "chart"),
    ({"hole-card": "none-original-bets-only", "R20": "busted-and-one", "double-after-split": "no"}, "chart"),
)


@cache
def setup_of(table: int) -> Setup:
    chosen, player = TABLES[table]
    edition = open_edition(EDITION)
    return setup(edition, edition.settings(chosen), (Seat(player=player),))


def nothing(ready: Setup) -> list[np.ndarray]:
    cards = sum(ready.shoe)
    return [np.zeros((1, size), np.int64) for size in (ready.cells, cards + 2, cards + 2)]


def in_rounds(ready: Setup, conventions: Conventions, more: np.ndarray, units: int) -> list[np.ndarray]:
    """Cells, rounds of shoes and blocks of numbers, as one thread deals them."""
    cells, rounds, blocks = tallies = nothing(ready)
    rounds_loop(SIMULATOR.play_round, SIMULATOR.sees)(
        0, units, conventions, np.array([sum(ready.shoe), *running_sums(ready.shoe)], np.int64), np.array(ready.deck, np.uint8),
        more, ready.settings, ready.tables, np.zeros((1, 1), np.int64), np.ones((MEASURES, 2), np.int64),
        np.zeros(2, np.uint64), np.zeros(len(ready.deck), np.uint8), np.zeros(1, np.int64), cells, rounds,
        np.zeros((MEASURES, 1), np.int64), blocks,
    )  # fmt: skip
    return tallies


def in_steps(ready: Setup, conventions: Conventions, more: np.ndarray, units: int) -> list[np.ndarray]:
    """The same, in steps."""
    steps, tallies = ready.in_steps, nothing(ready)
    assert steps
    loop = compiled_for(
        steps_template, steps.rules.begin_round, **vars(steps.rules), add_one=add_to, count_cell=add_to, DECK=steps.deck.size
    )
    columns = [np.zeros((rows, 1), np.uint32) for rows in (steps.deck.size, NUMBER_ROWS)]
    fresh = np.array([sum(ready.shoe), *running_sums(ready.shoe)], np.int64)
    near = Near(steps.quick, *columns, np.uint32(0))
    loop(0, units, 1, conventions, fresh, steps.deck, more, near, ready.tables, *tallies)
    return tallies


@pytest.mark.parametrize("seed", [1, (1 << 40) + 7])
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_steps_are_the_rounds(table, seed):
    ready = setup_of(table)
    conventions = Conventions(seed, 1, burn=1, cut=80, extra=0, most=1 << 62, shoes=1, rounds=0)
    if sum(ready.shoe) < 200:
        conventions = conventions._replace(cut=ready.in_steps.cards)
    more = np.zeros(10, np.int64)
    for one, other in zip(in_rounds(ready, conventions, more, 2000), in_steps(ready, conventions, more, 2000), strict=True):
        assert (one == other).all()


@pytest.mark.parametrize("customs", [{"burn": 0, "most": 1}, {"burn": 2, "extra": 2, "cut": 200}, {"burn": 14, "most": 5}])
def test_steps_burn_and_end_as_rounds_do(customs):
    """Also where as many cards are burned as the last of them says: further than the numbers that a round has at hand."""
    ready, more = setup_of(0), np.arange(10, dtype=np.int64)
    conventions = Conventions(
        **({"seed": 3, "seats": 1, "cut": 80, "extra": 0, "most": 1 << 62, "shoes": 1, "rounds": 0} | customs)
    )
    for one, other in zip(in_rounds(ready, conventions, more, 800), in_steps(ready, conventions, more, 800), strict=True):
        assert (one == other).all()


def test_short_words_make_the_same_numbers():
    for block, shoe, seed in ((0, 0, 1), (5, 123, 7), ((1 << 32) - 1, (1 << 50) + 3, (1 << 63) - 1)):
        assert short_philox(np.uint32(block), np.int64(shoe), np.int64(seed)) == philox(block, shoe, seed)


def test_no_round_takes_more_cards_than_is_said():
    """Of six decks 24 aces, 24 twos and 8 threes have 96 points: four times 20 and 16, but for the last card of each hand."""
    assert most_cards([24] * 9 + [96], 4, 16) == 24 + 24 + 8 + 5
    assert most_cards([4] * 9 + [16], 1, 16) == 4 + 4 + 4 + 3 + 2  # 36 points of one deck: 4 and 8 and 12 and 12
    assert most_cards([1] * 10, 4, 16) == 10 + 5  # all of them, and no fewer than there are
    assert most_cards([24] * 10, 4, 0) == most_cards([24] * 10, 4, 10)  # a dealer's first card may be a ten


def dealer(players=("mimic",), settings=(), **customs) -> CompiledDealer:
    edition = open_edition(EDITION)
    seats = tuple(Seat({"blackjack": 1000}, player) for player in players)
    made = dealer_of(edition_from, ask(edition, edition.settings(dict(settings)), seats, **customs).as_text())
    assert isinstance(made, CompiledDealer)
    return made


def test_steps_are_for_one_seat_whose_shoe_cannot_run_out():
    assert dealer(cut=60).in_steps
    assert not dealer(cut=59).in_steps
    assert dealer(cut=121, extra=1).in_steps and not dealer(cut=120, extra=1).in_steps
    assert dealer(settings={"lucky-card": "community"}, cut=61).in_steps  # one more card
    assert not dealer(settings={"lucky-card": "community"}, cut=60).in_steps
    assert not dealer(("mimic", "mimic"), cut=100).in_steps
    assert not dealer(settings={"split": "ranks"}, cut=100).in_steps
    assert not dealer(cut=100, session_rounds=10).in_steps


IN_THE_SIMULATOR = """
import json, sys, warnings
warnings.simplefilter("ignore")
from houseway.games import edition_from
from houseway.kernels import rounds_graphics
from houseway.simulate.dealer import dealer_of
from houseway.simulate.graphics import GraphicsDealer
rounds_graphics.SHARED_BYTES = int(sys.argv[1])
dealer = dealer_of(edition_from, sys.stdin.read())
assert dealer.in_steps
dealt = GraphicsDealer(dealer, threads=2, blocks=1).deal(1, 4)
print(json.dumps({name: array.tolist() for name, array in dealt.items()}))
"""


@pytest.mark.parametrize("room", [48 << 10, 8500])
def test_steps_on_a_graphics_processor_never_change_a_tally(tmp_path, room):
    """In numba's simulator, by a chart of a file; also where most cells have no room in shared memory."""
    chart = tmp_path / "chart.csv"
    chart.write_text(any_chart(5))
    asked = question((str(chart),), cut=230)
    simulated = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", IN_THE_SIMULATOR, str(room)]
    done = subprocess.run(command, input=asked, env=simulated, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == counts(deal_chunk(edition_from, asked, 1, 4))
