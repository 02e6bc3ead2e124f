"""Shoes in which the worth of the bet is known exactly before every round: the ceiling, and the best trigger of any count.

A few hundred shoes are dealt, and for each of their rounds the exact odds of the unseen cards are worked out. What any count
wins in them is then the sum of what its bets are worth, with no luck of the cards in it but that of the shoe.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints
from houseway.kernels.counting import CLASS_LEFT, DECK, LEFT, SHOE
from houseway.kernels.shoes import CLASSES
from houseway.protect.count import Count
from houseway.protect.customs import CounterCustoms
from houseway.protect.protection import CARDS_COUNTED, Finer, Floats, Worth
from houseway.protect.spread import BINS, BINS_TO_A_COUNT, COUNTS_SHOWN
from houseway.protect.tags import centred
from houseway.protect.watch import Watch, WatchedTable
from houseway.solve.sharing import share

Bools = NDArray[np.bool_]
ROUNDING = 1e-9
"""Counts here are floats: one that equals the trigger, but for that, is enough."""
TRIGGER_STEP = Fraction(1, 2)
"""Triggers of true counts are sought in halves; those of running counts in whole numbers."""


@dataclass(frozen=True)
class Estimate:
    """A mean over shoes and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, by_shoe: Floats) -> "Estimate":
        """From one number for each shoe."""
        return cls(float(by_shoe.mean()), float(by_shoe.std(ddof=1)) / sqrt(len(by_shoe)) if len(by_shoe) > 1 else 0.0)


@dataclass(frozen=True)
class Bets:
    """What bets in some rounds come to by exact odds: units a shoe and for 100 rounds, share of rounds, and mean edge."""

    units_per_shoe: Estimate
    units_per_100_rounds: Estimate
    bets_share: float
    edge_when_bet: Estimate

    def data(self) -> dict[str, Any]:
        """As JSON names it."""
        return {
            "units_per_shoe": self.units_per_shoe.value,
            "units_per_100_rounds": self.units_per_100_rounds.value,
            "bets_share": self.bets_share,
            "edge_when_bet": self.edge_when_bet.value,
            "standard_errors": {
                "units_per_shoe": self.units_per_shoe.error,
                "units_per_100_rounds": self.units_per_100_rounds.error,
                "edge_when_bet": self.edge_when_bet.error,
            },
        }


class ExactShoes:
    """Shoes with the exact worth of a unit bet before each round, worked out where it is asked for; the first is `first`.

    Where exact odds are not to be had, another `worth` is an estimate; then so is all that follows.
    """

    def __init__(self, table: WatchedTable, first: int, shoes: int, worth: Worth | None = None) -> None:
        own = worth or table.protection.worth(table.edition, table.settings, table.wager)
        assert own is not None
        self.table, self.first, self.shoes, self._worth = table, first, shoes, own
        nobody = Count((Fraction(1),) * len(CARDS_COUNTED), Fraction(0))
        rows = Watch(table, nobody).trace(first, first + shoes)
        self.left, self.shoe = rows[:, LEFT], rows[:, SHOE] - first
        self.unseen = np.ascontiguousarray(rows[:, CLASS_LEFT:])
        self._edges = np.full(len(rows), np.nan)

    def under(self, customs: CounterCustoms) -> "ExactShoes":
        """The same shoes, and what is known of them, counted by another divisor."""
        other = copy(self)
        other.table = replace(self.table, customs=customs)
        return other

    def edges_at(self, where: Bools) -> Floats:
        """The exact worth in these rounds."""
        asked = np.nonzero(where & np.isnan(self._edges))[0]

        def work(begin: int, end: int) -> None:
            self._edges[asked[begin:end]] = self._worth(self.unseen[asked[begin:end]])

        if asked.size:
            work(0, 1)
            share(asked.size, work)
        return self._edges[where]

    @property
    def edges(self) -> Floats:
        """The exact worth in every round."""
        return self.edges_at(np.full(len(self._edges), True))

    def counts(self, tags: Sequence[Fraction], start: Fraction | None) -> Floats:
        """The true count before each round or, where a count starts somewhere, the running one."""
        by_class = np.zeros(self.unseen.shape[1])
        by_class[list(self.table.protection.classes)] = [float(tag) for tag in tags]
        whole = float(sum(tag * n for tag, n in zip(tags, self.table.copies, strict=True)))
        running = whole - self.unseen @ by_class
        if start is not None:
            return np.asarray(running + float(start))
        customs = self.table.customs
        divisors = customs.divisors(self.table.cards)
        return np.asarray(running * DECK / divisors[self.left if customs.divisor == "left" else self.unseen.sum(axis=1)])

    def won(self, where: Bools) -> Floats:
        """What bets in these rounds are worth, by shoe."""
        return np.asarray(np.bincount(self.shoe[where], self.edges_at(where), self.shoes), np.float64)

    def bets(self, units: Ints) -> Bets:
        """What bets of so many units in each round come to."""
        where = units > 0
        return self._bets(units, where, self.edges_at(where))

    def _bets(self, units: Ints, where: Bools, edges: Floats) -> Bets:
        won = np.asarray(np.bincount(self.shoe[where], edges * units[where], self.shoes), np.float64)
        units_bet = np.bincount(self.shoe[where], units[where], self.shoes)
        rounds = np.bincount(self.shoe, minlength=self.shoes)
        return Bets(
            Estimate.of(won),
            _ratio(won, rounds, 100),
            float(where.sum() / rounds.sum()),
            _ratio(won, units_bet, 1),
        )

    def of_count(self, count: Count) -> Bets:
        """What somebody wins who bets by a count."""
        return self.bets(self.units(count))

    def units(self, count: Count) -> Ints:
        """How much somebody bets in each round who counts so."""
        if not count.units:
            return self.where(count).astype(np.int64)
        bins = np.floor(self.counts(count.tags, count.start) * BINS_TO_A_COUNT + ROUNDING).astype(np.int64)
        return np.array(count.units, np.int64)[np.clip(bins + COUNTS_SHOWN * BINS_TO_A_COUNT, 0, BINS - 1)]

    def where(self, count: Count) -> Bools:
        """In which rounds somebody bets who counts so, where all bets are one unit."""
        return np.asarray(self.counts(count.tags, count.start) >= float(count.trigger) - ROUNDING)

    def ceiling(self, units: int = 1) -> Bets:
        """What somebody wins who knows the odds before every round, and bets so many units whenever they are for him."""
        return self.bets(units * (self.edges > 0))

    def finer_ceiling(self, finer: Finer, units: int = 1) -> Bets:
        """The same of somebody who knows besides how many cards of each part of a class are left."""
        edges = finer.worth(self.parts_left(finer))
        where = edges > 0
        return self._bets(units * where.astype(np.int64), where, edges[where])

    def parts_left(self, finer: Finer) -> Ints:
        """The unseen cards of each part of each class: of those seen in a shoe any is as likely as any other of its class."""
        left = np.zeros((len(self.shoe), *finer.parts.shape), np.int64)
        for kind, copies in enumerate(finer.parts):
            labels = np.tile(np.repeat(np.arange(copies.size), copies), (self.shoes, 1))
            order = np.random.default_rng([self.table.seed, self.first, kind]).permuted(labels, axis=1)
            seen = (order[:, :, None] == np.arange(copies.size)).cumsum(axis=1)
            none = np.zeros((self.shoes, 1, copies.size), np.int64)
            left[:, kind] = np.concatenate([none, seen], axis=1)[self.shoe, self.unseen[:, kind]]
        return left

    def best_trigger(self, tags: Sequence[Fraction], start: Fraction | None) -> Fraction:
        """The trigger with which these tags win most in these shoes; of equals the highest."""
        counts = self.counts(tags, start)
        step = TRIGGER_STEP if start is None else Fraction(1)
        steps = np.floor(counts / float(step) + ROUNDING).astype(np.int64)
        least = int(steps.min())
        won = np.bincount(steps - least, self.edges)[::-1].cumsum()[::-1]  # with a trigger at each step
        best = len(won) - 1 - int(np.argmax(won[::-1]))
        return (least + best) * step


def _ratio(above: Floats, below: Ints | Floats, times: float) -> Estimate:
    """A ratio of sums over shoes, with its standard error."""
    if not below.sum():
        return Estimate(0.0, 0.0)
    ratio = float(above.sum() / below.sum())
    spread = above - ratio * below
    error = float(spread.std(ddof=1)) / sqrt(len(above)) / float(below.mean()) if len(above) > 1 else 0.0
    return Estimate(times * ratio, times * error)


def estimated_worth(table: WatchedTable, effects: Sequence[Fraction], from_a_whole_shoe: Fraction) -> Worth:
    """What a unit bet is worth by its effects of removal alone: right to first order in what is gone, to choose by."""
    by_class = np.zeros(CLASSES)
    by_class[list(table.protection.classes)] = [float(effect) for effect in centred(effects, table.copies)]

    def worth(compositions: Ints) -> Floats:
        shares = compositions / compositions.sum(axis=1, keepdims=True)
        return np.asarray(float(from_a_whole_shoe) - (table.cards - 1) * (shares @ by_class))

    return worth
