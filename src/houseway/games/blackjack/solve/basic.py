"""Basic strategy, computed: the chart by totals that is worth most, hands of many cards and split hands included.

Play begins by some chart. Every cell then takes the letter that is worth most on the average of the hands that come to
it, weighted by how often they do; and so on until no cell changes.
"""

from dataclasses import replace

import numpy as np

from houseway.kernels.compiled import Ints

from .analysis import Analysis, BlackjackRules, FirstCards
from .chart import (
    ELSE,
    FIRST,
    HARD_ROWS,
    LEGEND,
    PAIR_ROWS,
    ROWS,
    SOFT_ROWS,
    TOTALS,
    UPS,
    Chart,
    ChartPlay,
    accepted,
    row_of,
)
from .draws import chance_in_order, draw_on
from .hands import DOUBLE, HIT, SPLIT, STAND, Numbers
from .rulings import ACE
from .split import PAIRED, SplitHand

MOST_ROUNDS = 12
TOTAL_LETTERS = tuple(letter for letter in LEGEND if letter != "P")
Sums = dict[str, dict[str, float]]
"""What each letter of each row is worth, times how often it is met."""


def basic_strategy(rules: BlackjackRules) -> Chart:
    """The best chart by totals for these rules, in floats."""
    learner = Learner(rules, chart=_first_chart())
    best, best_value = learner.chart, float(learner.value())
    for _ in range(MOST_ROUNDS):
        chart = learner.improved()
        if chart == learner.chart:
            break
        learner = learner.with_chart(chart)
        if (value := float(learner.value())) > best_value:
            best, best_value = chart, value
    return best


def _first_chart() -> Chart:
    """Draw to a hard 17 and a soft 18."""
    stands = {name for name, total in HARD_ROWS.items() if total >= 17} | {
        name for name, total in SOFT_ROWS.items() if total >= 18
    }
    return Chart({(name, up): "S" if name in stands else "H" for name in ROWS for up in UPS})


class Learner(ChartPlay):
    """A player by a chart, who keeps the worth of everything else that he could have done."""

    def with_chart(self, chart: Chart) -> "Learner":
        """The same with another chart; how the dealer's hands end is known already."""
        other = replace(self, chart=chart)
        other._spots, other.split_ends = self._spots, self.split_ends
        return other

    def new_split(self, pair: int, up: int, left: int | None) -> SplitHand:
        """A pair, split; the ends of every hand are worked out once."""
        split = SplitHand(self, pair, up, left, every=True)
        split.ends = self.split_ends.get((pair, up))
        return split

    def split(self, pair: int, up: int, left: int | None = None) -> SplitHand:
        """A pair, split; how the dealer's hands end against it is kept for the next chart."""
        split = super().split(pair, up, left)
        self.split_ends[pair, up] = split.ends
        return split

    def improved(self) -> Chart:
        """The letter that is worth most in every cell, as things are."""
        columns: dict[int, dict[str, str]] = {}

        def work(up: int) -> None:
            columns[up] = {row: best_letter(letters, row) for row, letters in self.column_worths(up).items()}

        self.shared(work)
        return Chart({(row, up): columns[up][row] if up in columns else "S" for row in ROWS for up in UPS})

    def column_worths(self, up: int, as_met: bool = False, worse: bool = False) -> Sums:
        """What each letter of each row is worth against an up-card, times how often the row is met.

        Rows that are never met count as for a player who always hits, unless it is told of them as they are met; a split
        that cannot be best is left out, unless what is `worse` is told as well.
        """
        totals = self._of_totals(self._more_cards(up), self.worth(up))
        for deal in self.deals():
            if deal.up == up and self.options(*deal[:3]) == [SPLIT]:
                totals = [a + b for a, b in zip(totals, self._after_split(deal), strict=True)]
        any_hand = self._of_totals(self._more_cards(up, every=True), self.worth(up))
        sums: Sums = {}
        for soft, rows in enumerate((HARD_ROWS, SOFT_ROWS)):
            for row, total in rows.items():
                sums[row] = {letter: float(totals[at][soft, total]) for at, letter in enumerate(TOTAL_LETTERS)}
                if not as_met and not any(sums[row].values()):
                    sums[row] = {letter: float(any_hand[at][soft, total]) for at, letter in enumerate(TOTAL_LETTERS)}
        sums |= {row: {} for row in PAIR_ROWS}
        for deal in self.deals():
            if deal.up == up and deal.hand not in self.rules.rulings.naturals:
                self._add_first_two(deal, sums[row_of(deal.hand, self.may_split(deal.hand, deal.left))], worse)
        return {row: sums[row] for row in ROWS}

    def _add_first_two(self, deal: FirstCards, sums: dict[str, float], worse: bool) -> None:
        """Add what each letter is worth with the first two cards."""
        options = Analysis.options(self, *deal[:3])
        worth = {choice: float(deal.chance * value) for choice, value in self.worths(options, *deal[:3], worse=worse).items()}
        for letter in LEGEND if SPLIT in worth else TOTAL_LETTERS:
            first = FIRST.get(letter, -1)
            sums[letter] = sums.get(letter, 0.0) + worth[first if first in worth else ELSE[letter]]

    def _more_cards(self, up: int, every: bool = False) -> Numbers:
        """How often each hand of three cards and more is met: its orders times the chance of one of them.

        With `every`, how often hands would be met by a player who always hits, those of two cards too.
        """
        orders, doubled = np.zeros((2, len(self.all.hands)), np.int64)
        for hand, at in self.all.twos.items():
            if hand not in self.rules.rulings.naturals and (every or self.options(hand, up) == [HIT]):
                orders[at] = 1 if max(hand) == 2 else 2
        draw_on(self.all.following, np.where((self.all.sizes == 2) | every, HIT, self.fixed(up)), orders, doubled)
        counts = np.array(self.rules.counts)
        chance = counts[up] / counts.sum()
        counts[up] -= 1
        if (barred := self.dealers[up].barred) >= 0:
            chance *= 1 - counts[barred] / counts.sum()
        met: Numbers = orders * chance_in_order(counts, self.all.table, barred, exact=False) * chance
        return met if every else np.where(self.all.sizes > 2, met, 0.0)

    def _of_totals(self, met: Numbers, worth: Numbers, rows: Ints | None = None, doubles: Ints | None = None) -> list[Numbers]:
        """By letter, what the hands of each total are worth, times how often they are met."""
        at = np.arange(len(met)) if rows is None else rows
        place = self.all.soft[at] * TOTALS + self.all.totals[at]
        sums = []
        for letter in TOTAL_LETTERS:
            column = np.full(len(at), ELSE[letter])
            if doubles is not None and FIRST.get(letter) == DOUBLE:
                column[doubles] = DOUBLE
            sums.append(np.bincount(place, met * worth[np.arange(len(at)), column], 2 * TOTALS).reshape(2, TOTALS))
        return sums

    def _after_split(self, deal: FirstCards) -> list[Numbers]:
        """The same for the hands of a split pair, wherever there is something to decide."""
        pair, up = deal.hand.index(2), deal.up
        split, sums = self.split(pair, up, deal.left), [np.zeros((2, TOTALS)) for _ in TOTAL_LETTERS]
        chance = float(deal.chance * (1 - self.natural(deal.hand, up) if self.rules.peeks else 1))
        sizes = self.all.sizes[split.rows]
        decided = sizes > (2 if pair == ACE and self.rules.aces != "play-on" else 1)
        doubles = self.doubles[split.rows] & self.rules.double_after_split
        for (others, own_differs), times in split.parts().items():
            met = self._met(split, others, own_differs and not split.by_rank)
            if own_differs and split.by_rank:
                met = met - split.chance(others + 1) * self._met(split, others, PAIRED)
            more = self._of_totals(np.where(decided, met * chance * times, 0.0), split.worth(others), split.rows, doubles)
            sums = [a + b for a, b in zip(sums, more, strict=True)]
        return sums

    def _met(self, split: SplitHand, others: int, second: int) -> Numbers:
        """How often a split hand comes to each hand with so many other cards of the pair gone."""
        known = 1 + (second == PAIRED)
        counts = np.array(self.rules.counts) - split.one_more * (others + known)
        counts[split.up] -= 1
        drawn = np.maximum(self.all.table[split.rows] - split.one_more * known, 0)
        return split.orders(second) * chance_in_order(counts, drawn, self.dealers[split.up].barred, exact=False)


def best_letter(sums: dict[str, float], row: str) -> str:
    """The letter worth most; of equal ones the one with the better way out, and then the plainest."""
    if not sums or accepted(row) == ("S",):
        return "S"
    plainest = list(LEGEND)

    def worth(letter: str) -> tuple[float, float, int]:
        return (
            sums[letter],
            sums[letter] if letter == "P" else sums["S" if ELSE[letter] == STAND else "H"],
            -plainest.index(letter),
        )

    return max(sums, key=worth)
