"""What a bet is worth in any composition of the shoe, for many compositions at once, from a table of every draw.

A composition's worth is a sum over multisets of kinds: what the orders of a multiset pay, times the falling factorials
n (n-1) ... of the copies of each kind. The products are whole numbers below 2^53, exact as floats, of which a processor
multiplies several at once; the sum is right to some thirteen digits.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import FLOAT_ROW, FLOAT_TABLE, INT, INT_ROW, INT_TABLE, Ints, loop
from houseway.kernels.count import Tabulated

Floats = NDArray[np.float64]
AT_ONCE = 8
"""Compositions that are weighed together."""


@loop((INT_TABLE, INT_ROW, FLOAT_ROW, INT, INT_TABLE, FLOAT_TABLE, FLOAT_TABLE, FLOAT_ROW))
def _weigh(
    factors: Ints, bounds: Ints, weights: Floats, draws: int, compositions: Ints, falling: Floats, work: Floats, sums: Floats
) -> None:
    """For each composition the weighted sum of products, some at once; between two bounds rows have equally many factors."""
    for first in range(0, compositions.shape[0], AT_ONCE):
        for lane in range(AT_ONCE):
            place = min(first + lane, compositions.shape[0] - 1)
            for kind in range(compositions.shape[1]):
                ways = 1
                for taken in range(draws):
                    ways *= max(compositions[place, kind] - taken, 0)
                    falling[kind * draws + taken, lane] = ways
        work[1] = 0.0
        for size in range(1, draws + 1):
            for row in range(bounds[size - 1], bounds[size]):
                work[0] = weights[row]
                for factor in range(size):
                    for lane in range(AT_ONCE):
                        work[0, lane] *= falling[factors[row, factor], lane]
                for lane in range(AT_ONCE):
                    work[1, lane] += work[0, lane]
        for lane in range(min(AT_ONCE, compositions.shape[0] - first)):
            sums[first + lane] = work[1, lane]


class Weighed:
    """The expected win of a unit bet, by composition; a table of draws joined with what each outcome pays."""

    def __init__(self, table: Tabulated, nets: Sequence[Fraction]) -> None:
        rows, factors = table._table, table._factors  # of this package; its class is pinned, and stays as it is
        self.unit, self.draws = lcm(*(net.denominator for net in nets)), table.draws
        paid = np.array([int(net * self.unit) for net in nets], np.int64)
        self.usual = int(paid[np.argmax(rows.sum(axis=0))])  # counted at once: most rows then weigh nothing
        weights = rows @ (paid - self.usual)
        sizes = (factors != table.kinds * table.draws).sum(axis=1)
        order = np.lexsort((np.arange(sizes.size), sizes))
        order = order[weights[order] != 0]
        self._factors, self._weights = np.ascontiguousarray(factors[order]), weights[order].astype(np.float64)
        self._bounds = np.searchsorted(sizes[order], np.arange(self.draws + 1), side="right").astype(np.int64)

    def __call__(self, compositions: Ints) -> Floats:
        """The player's expected win for a unit, for each row of copies."""
        sums, falling = np.zeros(len(compositions)), np.zeros((compositions.shape[1] * self.draws, AT_ONCE))
        given = self._factors, self._bounds, self._weights, self.draws, np.ascontiguousarray(compositions)
        _weigh(*given, falling, np.zeros((2, AT_ONCE)), sums)
        left = compositions.sum(axis=1)
        draws = np.prod([left - taken for taken in range(self.draws)], axis=0)
        return np.asarray((self.usual + sums / draws) / self.unit)
