"""The risk that a bankroll is lost: bounds that are never too low, from the law of one bet.

With R the positive root of E exp(R X) = 1, X what a unit bet wins for the player, a bankroll of B units is lost at some time
with a probability of at most exp(-R B) (Lundberg), and of at least exp(-R (B + top)), top being the most that a bet wins. Over
N rounds it is lost with at most E exp(r X)^N exp(-r B), whichever r from R on is taken (Doob). Of bets that hang together in
any way within a round, bankrolls so found add up (Hölder): what suffices for each by itself suffices for all at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, expm1, log, log1p

DOUBLINGS, HALVINGS, STEPS = 200, 200, 120


@dataclass(frozen=True)
class BetLaw:
    """What a unit bet wins for the player, with what probability."""

    wins: Sequence[tuple[float, float]]

    @property
    def mean(self) -> float:
        """What the player wins on average."""
        return sum(win * share for win, share in self.wins)

    @property
    def top(self) -> float:
        """The most that he wins."""
        return max(win for win, share in self.wins if share)

    def log_growth(self, rate: float) -> float:
        """The logarithm of E exp(rate X)."""
        return log1p(sum(share * expm1(rate * win) for win, share in self.wins))


def law_of(wins: Sequence[tuple[Fraction, Fraction | float]]) -> BetLaw:
    """The law of a par sheet, or of all results that a solver tells."""
    return BetLaw([(float(win), float(share)) for win, share in wins])


def adjustment(law: BetLaw) -> float | None:
    """R, the adjustment coefficient of a unit bet; nothing where the house has no edge, and every bankroll is lost in the end.

    >>> round(adjustment(BetLaw([(1.0, 0.49), (-1.0, 0.51)])), 6) == round(log(0.51 / 0.49), 6)
    True
    """
    if law.mean >= 0:
        return None
    high = 1 / law.top
    for _ in range(DOUBLINGS):
        if law.log_growth(high) > 0:
            break
        high *= 2
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if law.log_growth(middle) > 0 else (middle, high)
    return low  # from below: a smaller R bounds as well


def bankroll(law: BetLaw, risk: float, rounds: int | None = None) -> float | None:
    """A bankroll, in units of the bet, that is lost with no more than this risk: in so many rounds, or ever."""
    rate = adjustment(law)
    if rate is None:
        return None
    if rounds is None:
        return log(1 / risk) / rate
    worst = rounds * law.top  # no series of bets loses more
    low, high = rate, 64 / law.top if 64 / law.top > rate else 2 * rate

    def needed(at: float) -> float:
        return (rounds * max(law.log_growth(at), 0.0) + log(1 / risk)) / at

    for _ in range(STEPS):  # it falls and then rises; every rate gives a bound, so that a miss costs sharpness and no truth
        third = (high - low) / 3
        low, high = (low, high - third) if needed(low + third) < needed(high - third) else (low + third, high)
    return min(needed(rate), needed(low), worst)


def risk_of_ruin(laws: Sequence[tuple[BetLaw, float]], bankroll_units: float) -> float | None:
    """At most how likely a bankroll is ever lost to all these bets, each so many units large, in every round."""
    rates = [(adjustment(law), stake) for law, stake in laws]
    if any(rate is None for rate, _ in rates):
        return None
    units = sum(stake / rate for rate, stake in rates if rate)
    return min(1.0, exp(-bankroll_units / units))
