"""What the tests of the blackjack simulator share: tables set up from plain data, and shoes dealt."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from houseway.games import open_edition
from houseway.games.blackjack.simulate import CountedPlay, SeatPlay, setup_for
from houseway.games.blackjack.solve.chart import Chart
from houseway.kernels.rounds import MEASURES, Conventions
from houseway.kernels.shoes import running_sums
from houseway.simulate.simulator import Setup

EDITION = "lucky-lucky-wa"


def setup_of(case: Mapping[str, Any]) -> Setup:
    """The simulator for a case: its settings, and for each seat a chart and whether it insures."""
    edition = open_edition(EDITION)
    count = None
    if given := case.get("count"):
        charts = tuple((least, Chart.parse(chart)) for least, chart in given["charts"])
        count = CountedPlay(tuple(given["tags"]), given["insures"], charts)
    players = [SeatPlay(Chart.parse(chart), insures, count) for chart, insures in case["players"]]
    return setup_for(edition, edition.settings(case["settings"]), players)


def conventions_of(case: Mapping[str, Any]) -> Conventions:
    return Conventions(case["seed"], len(case["players"]), case["burn"], case["cut"], case.get("extra", 0), case["most"], 1, 0)


def dealt(loop: Callable[..., None], setup: Setup, conventions: Conventions, shoes: Iterable[int]) -> list[np.ndarray]:
    """The tally of every seat's cells, shoe by shoe."""
    cards, tallies = sum(setup.shoe), []
    for number in shoes:
        tally, rounds = np.zeros((conventions.seats, setup.cells), np.int64), np.zeros((1, cards + 2), np.int64)
        loop(
            number, number + 1, conventions, np.array([cards, *running_sums(setup.shoe)], np.int64),
            np.array(setup.deck, np.uint8), np.zeros(10, np.int64), setup.settings, setup.tables,
            np.zeros((1, 1), np.int64), np.ones((MEASURES, 2), np.int64),
            np.zeros(2, np.uint64), np.zeros(len(setup.deck), np.uint8), np.zeros(conventions.seats, np.int64), tally, rounds,
            np.zeros((MEASURES, 1), np.int64), np.zeros((1, cards + 2), np.int64),
        )  # fmt: skip
        tallies.append(tally)
    return tallies
