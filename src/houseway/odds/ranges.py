"""Where the mean of many bets ends: z times the standard deviation over the square root of their number, around the mean.

It is no statement about a single bet, which ends as one of the rows of the par sheet and nowhere between. Nor is it exact: it
takes the sum of many bets as normal, which a wager with a rare large prize comes to only after very many (`fair_from`).
"""

from dataclasses import dataclass
from math import ceil, sqrt

from houseway.odds.par_sheet import ParSheet

Z = {90: 1.645, 95: 1.960, 99: 2.576}
"""By per cent: how many standard deviations of a normal law on both sides hold so much of it."""
BETS = (100, 1_000, 10_000, 100_000, 1_000_000)
"""After so many bets, where nobody asks for another number."""
_FAIR_SKEW = 0.5


@dataclass(frozen=True)
class ReturnRange:
    """In so many per cent of series of so many bets, what comes back for each unit staked is between `low` and `high`."""

    bets: int
    percent: int
    low: float
    high: float


def return_range(sheet: ParSheet, bets: int, percent: int) -> ReturnRange:
    """Around the expected return, envy left out; never below the least nor above the most that a bet can return."""
    expected = 1 - float(sheet.house_edge_without_envy)
    width = Z[percent] * sheet.standard_deviation / sqrt(bets)
    returns = [1 + float(row.net) for row in sheet.rows if row.probability]
    return ReturnRange(bets, percent, max(expected - width, min(returns)), min(expected + width, max(returns)))


def return_ranges(sheet: ParSheet, bets: tuple[int, ...] = BETS) -> tuple[ReturnRange, ...]:
    """By number of bets, at 90, 95 and 99 %."""
    return tuple(return_range(sheet, number, percent) for number in bets for percent in Z)


def fair_from(sheet: ParSheet) -> int:
    """From how many bets on the normal law is a fair picture of their mean: its skewness is a half or less by then."""
    return max(1, ceil((sheet.standard_moment(3) / _FAIR_SKEW) ** 2))
