"""Every net result of a round of blackjack with its chance, and the standard deviation, in floats or fractions.

Hands of a split play against one dealer's hand, so that their results go together. All of them together (`blackjack_together`)
give the chance of each result; two by two (`blackjack_couples`) they give the mean square much sooner.
"""

import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import Any
from uuid import uuid4

import numpy as np

from houseway.chunks.in_use import done_in_chunks, is_elsewhere
from houseway.chunks.tallies import Tallies
from houseway.kernels.count import Progress
from houseway.solve.kept import kept

from .analysis import Analysis, FirstCards
from .couples import Couples
from .hands import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Numbers
from .rulings import LOSS, PUSH, WIN
from .split import SplitHand
from .together import all_together, together_to_blackjack


@dataclass(frozen=True)
class Moments:
    """The mean of a round's net result and its mean square."""

    mean: Any
    mean_square: Any

    @property
    def variance(self) -> Any:
        """The variance of a round's net result."""
        return self.mean_square - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """For a unit of the first bet."""
        return sqrt(self.variance)


@dataclass(frozen=True)
class RoundResults(Moments):
    """The chance of every net result of a round."""

    chances: dict[Fraction, Any]


def results_of(play: Analysis, progress: Progress | None = None, key: str = "") -> RoundResults:
    """Every result of a round for a player: the best one, or one who plays by a chart.

    With a `key` that names the player and the table, those of each up-card are kept on disk.
    """
    columns: dict[int, dict[str, Any]] = {}

    def work(up: int) -> None:
        columns[up] = kept(f"{key}-{up}", lambda: _chances_to_keep(play, up)) if key else _chances_to_keep(play, up)
        if progress:
            progress(len(columns), len(play.ups))

    if is_elsewhere():
        columns = _columns_elsewhere(play, progress, key)
    else:
        play.shared(work)
    chances: dict[Fraction, Any] = {}
    for up in play.ups:
        for net, chance in columns[up].items():
            chances[Fraction(net)] = chances.get(Fraction(net), 0) + (Fraction(chance) if play.exact else chance)
    mean, square = _sums(play, chances)
    return RoundResults(mean, square, {net: chances[net] for net in sorted(chances) if chances[net]})


def _columns_elsewhere(play: Analysis, progress: Progress | None, key: str) -> dict[int, dict[str, Any]]:
    """The results by up-card, each worked out by a worker that makes the analysis anew from what it is of."""
    made_of = {each.name: getattr(play, each.name) for each in fields(play) if each.init and not each.name.startswith("_")}
    work = partial(_columns_told, pickle.dumps((type(play), made_of)))
    parts = done_in_chunks(work, len(play.ups), key or uuid4().hex, progress)
    return {up: json.loads(bytes(parts[str(up)].tolist())) for up in play.ups}


@lru_cache(maxsize=1)
def _analysis(pickled: bytes) -> Analysis:
    kind, made_of = pickle.loads(pickled)
    play: Analysis = kind(**made_of)
    return play


def _columns_told(pickled: bytes, first: int, last: int) -> Tallies:
    """What a worker of a cluster does: up-cards from the first up to the last, the text of each as numbers."""
    play = _analysis(pickled)
    texts = {str(up): json.dumps(_chances_to_keep(play, up)).encode() for up in play.ups[first:last]}
    return {up: np.frombuffer(text, np.uint8).astype(np.int64) for up, text in texts.items()}


def moments_of(play: Analysis) -> Moments:
    """The mean and the mean square of a round for the same player, without the chance of every result."""
    columns: dict[int, tuple[Any, Any]] = {}

    def work(up: int) -> None:
        column = _Column(play, up, all_apart=False)
        mean, square = _sums(play, column.chances)
        columns[up] = column.mean + mean, column.square + square

    play.shared(work)
    mean, square = (sum(columns[up][at] for up in play.ups) for at in range(2))
    return Moments(mean, square)


def _chances_to_keep(play: Analysis, up: int) -> dict[str, Any]:
    """The chances of the results of rounds with an up-card, in a form that can be kept."""
    chances = _Column(play, up, all_apart=True).chances
    return {str(net): str(chance) if play.exact else float(chance) for net, chance in chances.items()}


def _sums(play: Analysis, chances: Mapping[Fraction, Any]) -> tuple[Any, Any]:
    """The mean and the mean square of results."""
    mean, square = (sum(play.number(net**power) * chance for net, chance in chances.items()) for power in (1, 2))
    return mean, square


class _Column:
    """The results of rounds with one up-card: the chance of each; of splits, unless they are told apart, two sums only."""

    def __init__(self, play: Analysis, up: int, all_apart: bool) -> None:
        self.play, self.up, self.all_apart, self.chances = play, up, all_apart, dict[Fraction, Any]()
        self.mean, self.square = play.number(0), play.number(0)
        self.odds = _odds(play, up)
        for deal in play.deals():
            if deal.up == up:
                self._deal(deal, play.number(deal.chance))

    def _add(self, net: Fraction | int, chance: Any) -> None:
        self.chances[Fraction(net)] = self.chances.get(Fraction(net), 0) + chance

    def _deal(self, deal: FirstCards, chance: Any) -> None:
        rules, natural = self.play.rules, chance * self.play.natural(deal.hand, self.up)
        choice, _ = self.play.decide(*deal[:3])
        if deal.hand in rules.rulings.naturals:
            self._add(rules.blackjack_pays, chance - natural)
            self._add(rules.blackjacks_pay, natural)
        elif choice == SURRENDER and rules.surrender == "early":
            self._add(rules.surrender_pays, chance)
        elif choice == SURRENDER:
            self._add(rules.surrender_pays, chance - natural)
            self._add(rules.against_blackjack(deal.hand), natural)
        else:
            if rules.peeks and natural:
                self._lose_to_blackjack(deal, choice, natural)
            self._play(deal, choice, chance - natural if rules.peeks else chance)

    def _lose_to_blackjack(self, deal: FirstCards, choice: int, chance: Any) -> None:
        """A blackjack takes the bet; where there was no look, a bust before may have taken more than one."""
        lost: dict[int, Any] = {self.play.rules.against_blackjack(deal.hand): self.play.number(1)}
        if self.play.rules.original_bets_only and choice == DOUBLE:
            bust = self.play.bust_to_blackjack(self.play.spots(self.up))[0][self.play.all.place[deal.hand]]
            lost = {-1: 1 - bust, -2: bust}
        elif self.play.rules.original_bets_only and choice == SPLIT:
            lost = together_to_blackjack(self.play.split(deal.hand.index(2), self.up, deal.left))
        for net, part in lost.items():
            self._add(net, chance * part)

    def _play(self, deal: FirstCards, choice: int, chance: Any) -> None:
        """A hand that is played, once the dealer has looked."""
        if choice == SPLIT:
            self._split(self.play.split(deal.hand.index(2), self.up, deal.left), chance)
            return
        bet = 2 if choice == DOUBLE else 1
        won, pushed = (odds[self.play.all.place[deal.hand], choice] / bet for odds in self.odds)
        self._add(bet, chance * won)
        self._add(0, chance * pushed)
        self._add(-bet, chance * (1 - won - pushed))

    def _split(self, split: SplitHand, chance: Any) -> None:
        if self.all_apart or split.by_rank:
            for net, part in all_together(split).items():
                self._add(net, chance * part)
        else:
            mean, square = Couples(split).moments()
            self.mean, self.square = self.mean + chance * mean, self.square + chance * square


def _odds(play: Analysis, up: int) -> tuple[Numbers, Numbers]:
    """The chances to win and to push with every hand and choice; a double counts them twice."""
    worth, fixed = play.worth(up), play.fixed(up)
    done = np.where(fixed < 0, np.where(np.asarray(worth[:, HIT] > worth[:, STAND], bool), HIT, STAND), fixed)
    won, pushed = (tuple(int(result == end) for end in (WIN, PUSH, LOSS)) for result in (WIN, PUSH))
    return play.play(play.spots(up), done, won)[0], play.play(play.spots(up), done, pushed)[0]
