"""A split pair, by the zero-memory convention: a split hand is played by its own cards only.

Draws are exchangeable, so that the value of a split is a sum over hands of one hand's value with some more cards of the
pair gone (inclusion and exclusion turns "the other hands got no such card" into that).
"""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from houseway.kernels.compiled import Ints, helper
from houseway.solve.blackjack_hands import ACE, ENDS, HIT, STAND, VALUES, Spots

if TYPE_CHECKING:
    from houseway.solve.blackjack import Analysis

SEQUENCES = {2: 1, 3: 2}
"""In how many orders second cards can come such that a pair ends as so many hands, none of the last cards a pair's."""
LAST_SPLIT = {2: (1,), 3: (1, 1), 4: (1, 2, 2)}
"""By the most hands: in how many orders the last split comes after so many hands have got another second card."""


PLAYED, DOUBLED = 1, 2


@helper
def _reach(following: Ints, fixed: Ints, start: int, reached: Ints) -> None:
    """Mark the hands that a hand can become if it is played in a fixed way: to be played on, or doubled and at its end."""
    reached[start] = 1
    for row in range(fixed.size - 1, -1, -1):  # fewest points first
        if reached[row] & 1 and fixed[row]:
            for value in range(10):
                after = following[row, value]
                if after >= 0:
                    reached[after] |= 1 if fixed[row] == 1 else 2


class SplitHand:
    """One of the hands of a split pair, with any number of further cards of the pair gone."""

    def __init__(self, analysis: "Analysis", pair: int, up: int) -> None:
        self.analysis, self.pair, self.up = analysis, pair, up
        rules, table = analysis.rules, analysis.all.table
        again = pair != ACE or rules.aces == "re-split"
        self.most = rules.hands_most if again else min(rules.hands_most, 2)
        self.one_more = np.eye(VALUES, dtype=np.int64)[pair]
        rows = np.nonzero(table[:, pair] > 0)[0]
        after, sizes = self._within(rows), analysis.all.sizes[rows]
        fixed = analysis.fixed_after_split(pair, up, rows, after)
        if pair == ACE and rules.aces != "play-on":
            fixed[sizes == 2] = STAND  # BJ-5: one card to a split ace
        fixed[sizes == 1] = HIT
        single, reached = len(rows) - 1, np.zeros(len(rows), np.int64)  # the one card has the fewest points
        _reach(after, fixed, single, reached)
        self.rows, self.fixed, self.reached = rows[reached > 0], fixed[reached > 0], reached[reached > 0]
        self.following = self._within(self.rows)
        self.single, self.double = len(self.rows) - 1, int(self.following[-1, pair])
        self._known: dict[int, tuple[Any, Any]] = {}
        ending = (self.fixed == STAND) | (self.reached >= DOUBLED)
        gone = [table[self.rows[ending]] + self.one_more * others for others in range(1, 2 * self.most - 2)]
        self.ends = np.zeros((len(gone) + 1, len(self.rows), ENDS + 1), analysis.dealers[up].kind)
        self.ends[1:, ending] = analysis.ends(up, np.concatenate(gone)).reshape(len(gone), -1, ENDS + 1)

    def _within(self, rows: Ints) -> Ints:
        """Where each further card leads, among these rows."""
        where = np.full(len(self.analysis.all.hands) + 1, -1)
        where[rows] = np.arange(len(rows))
        return where[self.analysis.all.following[rows]]

    def _chance(self, gone: int) -> Any:
        """How likely the next card is of the pair, if so many are gone in all."""
        counts = list(self.analysis.rules.counts)
        counts[self.up] -= 1
        counts[self.pair] -= gone
        cards, left, barred = sum(counts), counts[self.pair], self.analysis.dealers[self.up].barred
        if left <= 0:
            return 0
        ways, all_ways = left, cards
        if barred >= 0:
            ways = left * (cards - 1 - counts[barred] + (self.pair == barred))
            all_ways = (cards - 1) * (cards - counts[barred])
        return Fraction(ways, all_ways) if self.analysis.exact else ways / all_ways

    def all_pair(self, times: int) -> Any:
        """How likely the next cards after the split are all of the pair."""
        chance: Any = 1
        for more in range(times):
            chance *= self._chance(2 + more)
        return chance

    def worth(self, others: int) -> tuple[Any, Any]:
        """What a hand is worth with any second card; and with one that is not of the pair, times its chance."""
        if others not in self._known:
            spots = Spots(self.up, self.rows, self.following, self.ends[others], self.one_more * others)
            worth = self.analysis.play(spots, self.fixed)
            any_card = worth[self.single, 1]
            paired = worth[self.double, 3] if self.double >= 0 else 0
            self._known[others] = any_card, any_card - self._chance(1 + others) * paired
        return self._known[others]

    def others_differ(self, others: int, drawn: int, differing: int, own_differs: bool) -> Any:
        """A hand's worth, with `others` of the pair gone of which `drawn` came after the split, and so many other hands'
        second cards not of the pair: inclusion and exclusion over those that are.
        """
        total: Any = 0
        for wrong in range(differing + 1):
            chance = self.all_pair(drawn + wrong)
            if chance:
                total += (-1) ** wrong * comb(differing, wrong) * chance * self.worth(others + wrong)[own_differs]
        return total

    def value(self) -> Any:
        """What splitting the pair is worth, re-splits included."""
        total: Any = 0
        most = self.most
        for hands in range(2, most):
            total += SEQUENCES[hands] * hands * self.others_differ(hands - 1, hands - 2, hands - 1, own_differs=True)
        for filled, ways in enumerate(LAST_SPLIT[most]):
            if filled:
                total += ways * filled * self.others_differ(most - 1, most - 2, filled - 1, own_differs=True)
            total += ways * (most - filled) * self.others_differ(most - 1, most - 2, filled, own_differs=False)
        return total
