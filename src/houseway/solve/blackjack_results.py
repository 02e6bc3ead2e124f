"""Every net result of a round of blackjack with its chance, and the standard deviation, in floats or fractions.

Hands of a split play against one dealer's hand, so that their results go together. Two of them are worked out side by
side (`blackjack_couples`), which gives the mean square of a split exactly however often it is split again, and the chance
of each result of rounds that end as two hands. The results of three hands and more are not told apart.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from houseway.solve.blackjack import HALF, LOSS, PUSH, WIN, Analysis
from houseway.solve.blackjack_couples import SplitResults
from houseway.solve.blackjack_hands import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Hand, Numbers, is_natural


@dataclass(frozen=True)
class Results:
    """The chance of every net result of rounds of at most two hands; and of the rest, its chance and its sums."""

    chances: dict[Fraction, Any]
    many_hands: Any
    mean: Any
    mean_square: Any

    @property
    def variance(self) -> Any:
        """The variance of a round's net result, exact for any number of hands."""
        return self.mean_square - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """For a unit of the first bet."""
        return sqrt(self.variance)


def results_of(play: Analysis) -> Results:
    """The results of a round for a player: the best one, or one who plays by a chart."""
    found: dict[int, _Column] = {}

    def work(up: int) -> None:
        found[up] = _Column(play, up)

    play.shared(work)
    chances: dict[Fraction, Any] = {}
    many, mean, square = (sum(getattr(column, name) for column in found.values()) for name in ("many", "mean", "square"))
    for up in play.ups:
        for net, chance in found[up].chances.items():
            chances[net] = chances.get(net, 0) + chance
    mean += sum(play.number(net) * chance for net, chance in chances.items())
    square += sum(play.number(net**2) * chance for net, chance in chances.items())
    return Results({net: chances[net] for net in sorted(chances) if chances[net]}, many, mean, square)


class _Column:
    """The results of rounds with one up-card; `mean` and `square` are the sums of rounds of many hands only."""

    def __init__(self, play: Analysis, up: int) -> None:
        self.play, self.up, self.chances = play, up, dict[Fraction, Any]()
        self.many, self.mean, self.square = play.number(0), play.number(0), play.number(0)
        self.odds = _odds(play, up)
        for hand, shown, chance in play.deals():
            if shown == up:
                self._deal(hand, play.number(chance))

    def _add(self, net: Fraction | int, chance: Any) -> None:
        self.chances[Fraction(net)] = self.chances.get(Fraction(net), 0) + chance

    def _deal(self, hand: Hand, chance: Any) -> None:
        rules, natural = self.play.rules, chance * self.play.natural(hand, self.up)
        choice, _ = self.play.decide(hand, self.up)
        if is_natural(hand):
            self._add(rules.blackjack_pays, chance - natural)
            self._add(0, natural)
        elif choice == SURRENDER and rules.surrender == "early":
            self._add(HALF, chance)
        elif choice == SURRENDER:
            self._add(HALF, chance - natural)
            self._add(-1, natural)
        else:
            if rules.peeks:
                self._add(-1, natural)
            self._play(hand, choice, chance - natural if rules.peeks else chance)

    def _play(self, hand: Hand, choice: int, chance: Any) -> None:
        """A hand that is played, once the dealer has looked."""
        if choice == SPLIT:
            self._split(hand, chance)
            return
        bet = 2 if choice == DOUBLE else 1
        won, pushed = (odds[self.play.all.place[hand], choice] / bet for odds in self.odds)
        self._add(bet, chance * won)
        self._add(0, chance * pushed)
        self._add(-bet, chance * (1 - won - pushed))

    def _split(self, hand: Hand, chance: Any) -> None:
        split = SplitResults(self.play.split(hand.index(2), self.up))
        two, total, square = split.two_hands(), *split.moments()
        for net, part in two.items():
            self._add(net, chance * part)
        self.many += chance * (1 - sum(two.values()))
        self.mean += chance * (total - sum(net * part for net, part in two.items()))
        self.square += chance * (square - sum(net**2 * part for net, part in two.items()))


def _odds(play: Analysis, up: int) -> tuple[Numbers, Numbers]:
    """The chances to win and to push with every hand and choice; a double counts them twice."""
    worth, fixed = play.worth(up), play.fixed(up)
    done = np.where(fixed < 0, np.where(np.asarray(worth[:, HIT] > worth[:, STAND], bool), HIT, STAND), fixed)
    won, pushed = (tuple(int(result == one) for one in (WIN, PUSH, LOSS)) for result in (WIN, PUSH))
    return play.play(play.spots(up), done, won), play.play(play.spots(up), done, pushed)
