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

from .draws import draw_on, reach
from .hands import DONE, HIT, STAND, Numbers, Spots, hands_with
from .rulings import ACE, VALUES

if TYPE_CHECKING:
    from .analysis import Analysis

SEQUENCES = {2: 1, 3: 2}
"""In how many orders second cards can come such that a pair ends as so many hands, none of the last cards a pair's."""
LAST_SPLIT = {2: (1,), 3: (1, 1), 4: (1, 2, 2)}
"""By the most hands: in how many orders the last split comes after so many hands have got another second card."""
ANY, DIFFERS, PAIRED = range(3)
"""A hand's second card: any, known not to be of the pair, or of the pair without a further split."""

ONE_BET = (1, 1, 1)
"""What counts as one at each end: a win, a push and a loss."""


class SplitHand:
    """One of the hands of a split pair, with any number of further cards of the pair gone.

    `rows` are the hands it can become (if `every`, all that hold a card of the pair), `fixed` is how they are played.
    `left` is how many more cards of the pair the shoe has: of its value, or of its rank (`by_rank`). `others` is how many other
    cards of the pair can be gone, `with_others` where hands with them stand among all; `ending` marks hands that can be last.
    """

    def __init__(self, analysis: "Analysis", pair: int, up: int, left: int | None = None, every: bool = False) -> None:
        self.analysis, self.pair, self.up = analysis, pair, up
        rules = analysis.rules
        self.of_rank, self.by_rank = left, left is not None
        self.left = rules.counts[pair] - 2 - (up == pair) if left is None else left
        again = pair != ACE or rules.aces == "re-split"
        self.most = rules.hands_most if again else min(rules.hands_most, 2)
        self.one_more = np.eye(VALUES, dtype=np.int64)[pair]
        self.others = 2 * self.most - 3
        hands = hands_with(analysis.all, pair, self.others)
        sizes = analysis.all.sizes[hands.rows]
        fixed = analysis.fixed_after_split(pair, up, hands.rows, hands.following)
        if pair == ACE and rules.aces != "play-on":
            fixed[sizes == 2] = STAND  # BJ-5: one card to a split ace
        fixed[sizes == 1] = HIT
        kept, self.following, self.ending = reach(hands.following, fixed, every)  # the last, one card, has the fewest points
        self.rows, self.fixed, self.with_others = hands.rows[kept], fixed[kept], hands.with_more[:, kept]
        self.single, self.double = len(self.rows) - 1, int(self.following[-1, pair])
        self.ends: Numbers = None
        self._worth: Numbers = None
        self._value: Any = None
        self._chances: dict[int, Any] = {}

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
        worth: Numbers = self._worth[others - 1]
        return worth

    def unknown_ends(self) -> tuple[Ints, Ints]:
        """With how many other cards of the pair gone, less one, against which hands the dealer's end is needed and not known.

        It is known if the other cards do not make the hand bust: it is then one of all hands.
        """
        others, rows = np.nonzero(self.ending & (self.with_others < 0))
        return others, rows

    def take_ends(self, others: Ints, rows: Ints, ends: Numbers) -> None:
        """Be told how the dealer's hand ends against hands for which that was not known."""
        self.ends = self.analysis.spots(self.up).ends[0][self.with_others]
        self.ends[others, rows] = ends

    def take_worth(self, worth: Numbers) -> None:
        """Be told what each choice with every hand is worth, with 1, 2, ... other cards of the pair gone."""
        self._worth = worth

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
        if self._value is None:
            self._value = self._of_all_hands(self._worth)
        return self._value

    def staked(self) -> Any:
        """What is staked on all hands on average, doubles included: what they are worth if each end brings back one bet."""
        return self._of_all_hands(self.analysis.play(self.spots(), self.fixed, ONE_BET))

    def spots(self) -> Spots:
        """The hands it can become, with 1, 2, ... other cards of the pair gone."""
        more_gone = np.arange(1, self.others + 1)[:, None] * self.one_more
        return Spots(self.up, self.rows, self.following, self.ends, more_gone)

    def _of_all_hands(self, worths: Numbers) -> Any:
        return sum(times * self._part(worths[others - 1], others, differs) for (others, differs), times in self.parts().items())

    def _part(self, worth: Numbers, others: int, own_differs: bool) -> Any:
        """What one of the hands is worth with so many other cards of the pair gone."""
        paired = self.chance(1 + others) * worth[self.double, DONE] if own_differs and self.double >= 0 else 0
        return worth[self.single, HIT] - paired


def work_out(splits: list[SplitHand]) -> None:
    """How the dealer's hand ends against split hands, unless that is known, and what they are worth: all pairs in one go."""
    analysis, up = splits[0].analysis, splits[0].up
    new = [(split, split.unknown_ends()) for split in splits if split.ends is None]
    if new:
        table = analysis.all.table
        gone = [table[split.rows[rows]] + (others[:, None] + 1) * split.one_more for split, (others, rows) in new]
        ends, at = analysis.ends(up, np.concatenate(gone)), 0
        for split, (others, rows) in new:
            split.take_ends(others, rows, ends[at : at + len(rows)])
            at += len(rows)
    for split in splits:
        split.take_worth(analysis.play(split.spots(), split.fixed))


def endings(most: int) -> list[tuple[int, int, int]]:
    """How a pair that is split again whenever it may be comes to its end.

    A number of hands, how many of them have a second card known not to be of the pair, and in how many orders of second
    cards that comes about.
    """
    return [(hands, hands, SEQUENCES[hands]) for hands in range(2, most)] + [
        (most, differing, ways) for differing, ways in enumerate(LAST_SPLIT[most])
    ]
