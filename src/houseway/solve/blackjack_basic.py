"""Basic strategy, computed: the chart by totals that is worth most, hands of many cards and split hands included.

Play begins by some chart. Every cell then takes the letter that is worth most on the average of the hands that come to
it, weighted by how often they do; and so on until no cell changes.
"""

from dataclasses import replace

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.solve.blackjack import Analysis, Rules
from houseway.solve.blackjack_chart import (
    ELSE,
    FIRST,
    HARD_ROWS,
    LEGEND,
    PAIR_ROWS,
    ROWS,
    SOFT_ROWS,
    UPS,
    Chart,
    ChartPlay,
    accepted,
    row_of,
)
from houseway.solve.blackjack_draws import chance_in_order, draw_on
from houseway.solve.blackjack_hands import ACE, DOUBLE, HIT, SPLIT, STAND, VALUES, Hand, Numbers, is_natural
from houseway.solve.blackjack_split import SplitHand

MOST_ROUNDS = 12
PAIR_OF = {pair: row for row, pair in PAIR_ROWS.items()}
TOTAL_LETTERS = tuple(letter for letter in LEGEND if letter != "P")
Sums = dict[str, dict[str, float]]
"""What each letter of each row is worth, times how often it is met."""


def basic_strategy(rules: Rules) -> Chart:
    """The best chart by totals for these rules, in floats."""
    learner = _Learner(rules, chart=_first_chart())
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


class _Learner(ChartPlay):
    """A player by a chart, who keeps the worth of everything else that he could have done."""

    def with_chart(self, chart: Chart) -> "_Learner":
        """The same with another chart; how the dealer's hands end is known already."""
        other = replace(self, chart=chart)
        other._spots, other.split_ends = self._spots, self.split_ends
        return other

    def split(self, pair: int, up: int) -> SplitHand:
        """A pair, split; the ends of every hand are worked out once."""
        if (pair, up) not in self._splits:
            self._splits[pair, up] = split = SplitHand(self, pair, up, every=True)
            self.split_ends[pair, up] = split.ends
        return self._splits[pair, up]

    def improved(self) -> Chart:
        """The letter that is worth most in every cell, as things are."""
        columns: dict[int, dict[str, str]] = {}

        def work(up: int) -> None:
            columns[up] = self._improved_column(up)

        self.shared(work)
        return Chart({(row, up): columns[up][row] if up in columns else "S" for row in ROWS for up in UPS})

    def _improved_column(self, up: int) -> dict[str, str]:
        totals = self._of_totals(self._more_cards(up), self.worth(up))
        for pair, row in PAIR_OF.items():
            if self.chart.cells[row, up] == "P":
                totals = [a + b for a, b in zip(totals, self._after_split(pair, up), strict=True)]
        any_hand = self._of_totals(self._more_cards(up, every=True), self.worth(up))
        sums: Sums = {}
        for soft, rows in enumerate((HARD_ROWS, SOFT_ROWS)):
            for row, total in rows.items():
                sums[row] = {letter: float(totals[at][soft, total]) for at, letter in enumerate(TOTAL_LETTERS)}
                if not any(sums[row].values()):
                    sums[row] = {letter: float(any_hand[at][soft, total]) for at, letter in enumerate(TOTAL_LETTERS)}
        sums |= {row: {} for row in PAIR_ROWS}
        for hand, shown, chance in self.deals():
            if shown == up and not is_natural(hand):
                self._add_first_two(hand, up, float(chance), sums[row_of(hand)])
        return {row: _best_letter(sums[row], row) for row in ROWS}

    def _add_first_two(self, hand: Hand, up: int, chance: float, sums: dict[str, float]) -> None:
        """Add what each letter is worth with the first two cards."""
        worth = {choice: chance * float(self.deal_worth(choice, hand, up)) for choice in Analysis.options(self, hand, up)}
        for letter in LEGEND if max(hand) == 2 else TOTAL_LETTERS:
            if letter != "P" or SPLIT in worth:
                first = FIRST.get(letter, -1)
                sums[letter] = sums.get(letter, 0.0) + worth[first if first in worth else ELSE[letter]]

    def _more_cards(self, up: int, every: bool = False) -> Numbers:
        """How often each hand of three cards and more is met: its orders times the chance of one of them.

        With `every`, how often hands would be met by a player who always hits, those of two cards too.
        """
        orders, doubled = np.zeros((2, len(self.all.hands)), np.int64)
        for hand, at in self.all.place.items():
            if sum(hand) == 2 and not is_natural(hand) and (every or self.options(hand, up) == [HIT]):
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
        place = self.all.soft[at] * 22 + self.all.totals[at]
        found = []
        for letter in TOTAL_LETTERS:
            column = np.full(len(at), ELSE[letter])
            if doubles is not None and FIRST.get(letter) == DOUBLE:
                column[doubles] = DOUBLE
            found.append(np.bincount(place, met * worth[np.arange(len(at)), column], 44).reshape(2, 22))
        return found

    def _after_split(self, pair: int, up: int) -> list[Numbers]:
        """The same for the hands of a split pair, wherever there is something to decide."""
        split, sums = self.split(pair, up), [np.zeros((2, 22)) for _ in TOTAL_LETTERS]
        two = tuple(2 * (value == pair) for value in range(VALUES))
        chance = sum(float(chance) for hand, shown, chance in self.deals() if (hand, shown) == (two, up))
        if self.rules.peeks:
            chance *= 1 - float(self.natural(two, up)) if chance else 0.0
        sizes = self.all.sizes[split.rows]
        decided = sizes > (2 if pair == ACE and self.rules.aces != "play-on" else 1)
        doubles = self.doubles[split.rows] & self.rules.double_after_split
        for (others, own_differs), times in split.parts().items() if chance else ():
            counts = np.array(self.rules.counts) - split.one_more * (others + 1)
            counts[up] -= 1
            drawn = self.all.table[split.rows] - split.one_more
            met = split.orders(own_differs)[0] * chance_in_order(counts, drawn, self.dealers[up].barred, exact=False)
            met = np.where(decided, met * chance * times, 0.0)
            more = self._of_totals(met, split.worth(others), split.rows, doubles)
            sums = [a + b for a, b in zip(sums, more, strict=True)]
        return sums


def _best_letter(sums: dict[str, float], row: str) -> str:
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
