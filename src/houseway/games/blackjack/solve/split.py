"""A split pair, by the zero-memory convention: a split hand is played by its own cards only.

Draws are exchangeable, so that the value of a split is a sum over hands of one hand's value with some more cards of the
pair gone (inclusion and exclusion turns "the other hands got no such card" into that). Where tens are split by rank, only
tens of the same rank are cards of the pair.
"""

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from houseway.kernels.compiled import Ints

from .draws import draw_on
from .hands import HIT, STAND, Numbers, Spots
from .rulings import ACE, VALUES

if TYPE_CHECKING:
    from .analysis import Analysis

SEQUENCES = {2: 1, 3: 2}
"""In how many orders second cards can come such that a pair ends as so many hands, none of the last cards a pair's."""
LAST_SPLIT = {2: (1,), 3: (1, 1), 4: (1, 2, 2)}
"""By the most hands: in how many orders the last split comes after so many hands have got another second card."""
ANY, DIFFERS, PAIRED = range(3)
"""A hand's second card: any, known not to be of the pair, or of the pair without a further split."""


class SplitHand:
    """One of the hands of a split pair, with any number of further cards of the pair gone.

    `rows` are the hands it can become (if `every`, all that hold a card of the pair), `fixed` is how they are played.
    `left` is how many more cards of the pair the shoe has: of its value, or of its rank (`by_rank`).
    """

    def __init__(self, analysis: "Analysis", pair: int, up: int, left: int | None = None, every: bool = False) -> None:
        self.analysis, self.pair, self.up = analysis, pair, up
        rules = analysis.rules
        self.by_rank = left is not None
        self.left = rules.counts[pair] - 2 - (up == pair) if left is None else left
        again = pair != ACE or rules.aces == "re-split"
        self.most = rules.hands_most if again else min(rules.hands_most, 2)
        self.one_more = np.eye(VALUES, dtype=np.int64)[pair]
        rows = np.nonzero(analysis.all.table[:, pair] > 0)[0]
        after, sizes = self._within(rows), analysis.all.sizes[rows]
        fixed = analysis.fixed_after_split(pair, up, rows, after)
        if pair == ACE and rules.aces != "play-on":
            fixed[sizes == 2] = STAND  # BJ-5: one card to a split ace
        fixed[sizes == 1] = HIT
        orders, doubled = np.zeros((2, len(rows)), np.int64)
        orders[-1] = 1  # the one card has the fewest points
        draw_on(after, fixed, orders, doubled)
        kept = np.full(len(rows), True) if every else orders + doubled > 0
        self.rows, self.fixed = rows[kept], fixed[kept]
        self.following = self._within(self.rows)
        self.single, self.double = len(self.rows) - 1, int(self.following[-1, pair])
        ending = ((fixed == STAND) & (orders > 0)) | (doubled > 0) | every
        self.ends = self._dealer_ends(ending[kept])
        self._worth: Numbers = None
        self._chances: dict[int, Any] = {}

    def _dealer_ends(self, needed: Ints) -> Numbers:
        """How the dealer's hand ends against each hand whose end is needed, with 1, 2, ... other cards of the pair gone."""
        if (known := self.analysis.split_ends.get((self.pair, self.up))) is not None:
            return known
        cards = self.analysis.all.table[self.rows[needed]]
        gone = [cards + self.one_more * others for others in range(1, 2 * self.most - 2)]
        columns = self.analysis.rules.rulings.ends + 1
        ends = np.zeros((len(gone), len(self.rows), columns), self.analysis.dealers[self.up].kind)
        ends[:, needed] = self.analysis.ends(self.up, np.concatenate(gone)).reshape(len(gone), -1, columns)
        return ends

    def _within(self, rows: Ints) -> Ints:
        """Where each further card leads, among these rows."""
        where = np.full(len(self.analysis.all.hands) + 1, -1)
        where[rows] = np.arange(len(rows))
        return where[self.analysis.all.following[rows]]

    def chance(self, gone: int) -> Any:
        """How likely the next card is of the pair, if so many are gone in all."""
        if gone not in self._chances:
            self._chances[gone] = self._chance(gone)
        return self._chances[gone]

    def _chance(self, gone: int) -> Any:
        counts = list(self.analysis.rules.counts)
        counts[self.up] -= 1
        counts[self.pair] -= gone
        cards, left, barred = sum(counts), self.left - (gone - 2), self.analysis.dealers[self.up].barred
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
            chance *= self.chance(2 + more)
        return chance

    def orders(self, second: int) -> Ints:
        """In how many orders each hand is come to, by what is known of its second card."""
        following = self.following.copy()
        if second == DIFFERS:
            following[self.single, self.pair] = -1
        orders, doubled = np.zeros((2, len(self.rows)), np.int64)
        orders[self.double if second == PAIRED else self.single] = 1
        draw_on(following, self.fixed, orders, doubled)
        return orders

    def worth(self, others: int) -> Numbers:
        """What each choice with every hand is worth with so many other cards of the pair gone, and what is done."""
        if self._worth is None:
            size, most = len(self.rows), len(self.ends)
            following = np.concatenate([np.where(self.following < 0, -1, self.following + size * at) for at in range(most)])
            gone = np.repeat(np.arange(1, most + 1), size)[:, None] * self.one_more
            spots = Spots(self.up, np.tile(self.rows, most), following, self.ends.reshape(size * most, -1), gone)
            self._worth = self.analysis.play(spots, np.tile(self.fixed, most)).reshape(most, size, -1)
        worth: Numbers = self._worth[others - 1]
        return worth

    def parts(self) -> dict[tuple[int, bool], Any]:
        """The hands that the pair comes to on average, re-splits included.

        By how many other cards of the pair are gone, and whether the hand's second card is known not to be of the pair.
        """
        hands_met: dict[tuple[int, bool], Any] = {}
        for hands, differing, ways in endings(self.most):
            drawn = hands - 2
            for count, own_differs in ((differing, True), (hands - differing, False)):
                others_differing = differing - own_differs
                for wrong in range(others_differing + 1 if count else 0):
                    chance = self.all_pair(drawn + wrong)
                    times = ways * count * (-1) ** wrong * comb(others_differing, wrong)
                    if chance:
                        key = hands - 1 + wrong, own_differs
                        hands_met[key] = hands_met.get(key, 0) + times * chance
        return hands_met

    def value(self) -> Any:
        """What splitting the pair is worth, re-splits included."""
        total: Any = 0
        for (others, own_differs), times in self.parts().items():
            worth = self.worth(others)
            paired = self.chance(1 + others) * worth[self.double, 3] if own_differs and self.double >= 0 else 0
            total += times * (worth[self.single, 1] - paired)
        return total


def endings(most: int) -> list[tuple[int, int, int]]:
    """How a pair that is split again whenever it may be comes to its end.

    A number of hands, how many of them have a second card known not to be of the pair, and in how many orders of second
    cards that comes about.
    """
    return [(hands, hands, SEQUENCES[hands]) for hands in range(2, most)] + [
        (most, differing, ways) for differing, ways in enumerate(LAST_SPLIT[most])
    ]
