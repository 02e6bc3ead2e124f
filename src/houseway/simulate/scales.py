"""Where the results of sessions are counted: bins of cents, so fine that nothing is lost where that can be had."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, isqrt

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.rounds import DRAWDOWN, LOSING_RUN, MEASURES

DEVIATIONS = 12
"""The bins of money reach so many standard deviations from the middle; what lies beyond is counted as beyond."""
MOST_BINS = 1 << 16


@dataclass(frozen=True)
class Scales:
    """For each measure where its bins begin and how wide they are; there is one more bin on either side."""

    rows: Ints
    bins: int

    def values(self, measure: int) -> Ints:
        """The least value of each bin but the first."""
        begin, width = self.rows[measure]
        values: Ints = begin + width * np.arange(self.bins - 1)
        return values

    def is_exact(self, measure: int, unit: int) -> bool:
        """Whether a bin holds one value only, where all values are multiples of a unit."""
        return int(self.rows[measure, 1]) <= unit


def unit_of(pays: Ints) -> int:
    """The cents of which every win is a multiple."""
    return max(1, gcd(*map(int, pays.ravel())))


def scales_of(pays: Ints, cells: Sequence[Ints], rounds: int) -> Scales:
    """Scales for sessions of so many rounds, from how often each cell came in a few rounds."""
    dealt = int(cells[0].sum())
    means = [int(row @ counts) / dealt for row, counts in zip(pays, cells, strict=True)]
    squares = [float(row.astype(np.float64) ** 2 @ counts) / dealt for row, counts in zip(pays, cells, strict=True)]
    middle, deviation = rounds * sum(means), sum(np.sqrt(squares)) * np.sqrt(rounds)
    rarest = int(np.abs(pays).max(axis=1).sum())
    unit = unit_of(pays)
    reach = int(DEVIATIONS * deviation + abs(middle)) + 2 * rarest + unit
    width = -(-2 * reach // (MOST_BINS - 2) // unit) * unit or unit
    steps = -(-reach // width)
    rows = np.ones((MEASURES, 2), np.int64)
    rows[:, 0], rows[:, 1] = -steps * width, width
    rows[DRAWDOWN, 0] = 0
    rows[LOSING_RUN] = 0, 1
    return Scales(rows, max(2 * steps + 2, min(rounds, 4096) + 3, isqrt(rounds)))
