"""What a counter's bets came to, from sums over shoes, each figure with its standard error.

Shoes are independent of each other, rounds of a shoe are not: so errors come from the spread between shoes.
"""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.counting import BETS, MEASURES, ROUNDS, SQUARES, SQUARES_WITH_MAIN, UNITS, WIN, WIN_WITH_MAIN

PLAYABLE = 6.6
"""A desirability index from which on professionals call a game playable (a convention of theirs)."""


def _ratio(means: "np.ndarray[Any, Any]", spread: "np.ndarray[Any, Any]", above: int, below: int) -> tuple[float, float]:
    """A ratio of two sums over shoes, and its standard error for one shoe's worth of data (the delta method)."""
    if not means[below]:
        return 0.0, 0.0
    ratio = means[above] / means[below]
    variance = spread[above, above] - 2 * ratio * spread[above, below] + ratio**2 * spread[below, below]
    return float(ratio), sqrt(max(float(variance), 0.0)) / float(means[below])


@dataclass(frozen=True)
class Figures:
    """What somebody won, in units of his smallest bet; `errors` are the standard errors by the same names."""

    shoes: int
    rounds_per_shoe: float
    bets_share: float
    edge_when_bet: float
    units_per_shoe: float
    units_per_100_rounds: float
    standard_deviation_per_round: float
    with_main_per_100_rounds: float
    with_main_deviation: float
    average_bet: float
    errors: dict[str, float]

    @classmethod
    def of(cls, shoes: int, moments: Ints, unit: int) -> "Figures":
        """From the sums of a cut card; wins are counted in so many parts of a `unit`."""
        scale = np.array([1.0, 1.0, unit, unit, 1.0])
        means = moments[:MEASURES] / scale / shoes
        spread = np.zeros((MEASURES, MEASURES))
        place = MEASURES
        for first in range(MEASURES):
            for second in range(first, MEASURES):
                mean = float(moments[place]) / scale[first] / scale[second] / shoes - means[first] * means[second]
                spread[first, second] = spread[second, first] = mean * shoes / max(shoes - 1, 1)
                place += 1
        share, share_error = _ratio(means, spread, BETS, ROUNDS)
        edge, edge_error = _ratio(means, spread, WIN, UNITS)
        a_round, a_round_error = _ratio(means, spread, WIN, ROUNDS)
        with_main, with_main_error = _ratio(means, spread, WIN_WITH_MAIN, ROUNDS)
        squares = moments[[SQUARES, SQUARES_WITH_MAIN]] / unit**2 / moments[ROUNDS]
        deviation, with_main_deviation = (
            sqrt(max(float(square) - mean**2, 0.0)) for square, mean in zip(squares, (a_round, with_main), strict=True)
        )
        root = sqrt(shoes)
        errors = {
            "rounds_per_shoe": sqrt(spread[ROUNDS, ROUNDS]) / root,
            "bets_share": share_error / root,
            "edge_when_bet": edge_error / root,
            "units_per_shoe": sqrt(spread[WIN, WIN]) / root,
            "units_per_100_rounds": 100 * a_round_error / root,
            "desirability_index": 1000 * a_round_error / root / deviation if deviation else 0.0,
            "with_main_per_100_rounds": 100 * with_main_error / root,
        }
        rounds, units = float(means[ROUNDS]), float(means[WIN])
        average = float(means[UNITS] / means[BETS]) if means[BETS] else 0.0
        return cls(
            shoes, rounds, share, edge, units, 100 * a_round, deviation, 100 * with_main, with_main_deviation, average, errors
        )

    @property
    def desirability_index(self) -> float:
        """1000 times the win over the standard deviation, of a round."""
        if not self.standard_deviation_per_round:
            return 0.0
        return 10 * self.units_per_100_rounds / self.standard_deviation_per_round

    @property
    def rounds_to_be_ahead(self) -> float:
        """N0: after so many rounds the expected win equals one standard deviation."""
        return (1000 / self.desirability_index) ** 2 if self.desirability_index > 0 else inf

    def data(self) -> dict[str, Any]:
        """As JSON names it."""
        rounds = self.rounds_to_be_ahead
        return {
            "rounds_per_shoe": self.rounds_per_shoe,
            "bets_share": self.bets_share,
            "edge_when_bet": self.edge_when_bet,
            "units_per_shoe": self.units_per_shoe,
            "units_per_100_rounds": self.units_per_100_rounds,
            "standard_deviation_per_round": self.standard_deviation_per_round,
            "desirability_index": self.desirability_index,
            "n0": rounds if rounds < inf else None,
            "average_bet": self.average_bet,
            "standard_errors": {name: error for name, error in self.errors.items() if name != "with_main_per_100_rounds"},
        }
