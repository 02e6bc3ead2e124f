"""All hands of a split pair together, however often it is split again: the chance of every net result.

A hand is a sum of terms, one for every way it can end: the cards drawn to it, and what it then comes to. Busts without a double
are what is left: a hand loses, but for the other ways. The hands and the dealer's are multiplied (`blackjack_sums`).
"""

from fractions import Fraction
from math import comb, perm
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints

from .draws import chance_in_order
from .ended_hands import NOTHING, EndedHands
from .hands import Numbers, dealer_cards
from .rulings import VALUES
from .split import ANY, DIFFERS, PAIRED, SplitHand, endings
from .sums import Terms, chances_together, multiply, terms

NETS, LOST = 5, 1
"""A hand's net results are -2, -1, 0, 1, 2, and the place of a lost bet."""
ROUNDING = 1e-16
"""What floats may leave of no chance at all."""
Kinds = tuple[int, ...]
"""The second cards of some hands: any, known to differ, or paired."""
Factors = list[tuple[int, Kinds]]
"""Hands side by side, with a factor, added up."""


def all_together(split: SplitHand) -> dict[int, Any]:
    """The chance of every net result of a split pair, once the dealer has no blackjack (where that is known)."""
    barred, rulings, chances = split.analysis.dealers[split.up].barred, split.analysis.rules.rulings, dict[int, Any]()
    for end in range(rulings.ends):
        cards, orders = dealer_cards(split.up, rulings, end)
        if len(cards) and not (end == rulings.blackjack and barred >= 0):
            for net, chance in _Against(split, end, barred, terms(cards, orders[:, None])).spread().items():
                chances[net] = chances.get(net, 0) + chance
    return _possible(chances, split)


def together_to_blackjack(split: SplitHand) -> dict[int, Any]:
    """The same against a blackjack that takes original bets only (BJ-8): bets that are lost by busts, or one.

    Or (R20) those and one, where a hand stands; if all are bust there is no more to take.
    """
    known = terms(np.zeros((1, VALUES), np.int64), np.ones((1, 1), np.int64))
    rules = split.analysis.rules
    end, hole = rules.rulings.blackjack, rules.rulings.natural_with[split.up]
    lost = _Against(split, end, -1, known, hole).spread()
    if not rules.busted_and_one:
        lost[-1] = lost.get(-1, 0) + lost.pop(0, 0)
        return _possible(lost, split)
    all_bust, chances = _Against(split, end, -1, known, hole, only_busts=True).spread(), dict[int, Any]()
    for net, chance in lost.items():
        bust = all_bust.get(net, 0)
        chances[net] = chances.get(net, 0) + bust
        chances[net - 1] = chances.get(net - 1, 0) + chance - bust
    return _possible(chances, split)


def _possible(chances: dict[int, Any], split: SplitHand) -> dict[int, Any]:
    """Without results that have no chance."""
    return {net: chance for net, chance in chances.items() if chance > (0 if split.analysis.exact else ROUNDING)}


class _Against:
    """The hands of a split pair against one end of the dealer's hand.

    Drawn from a shoe that lacks the pair, the up-card and perhaps a `hole` card; `barred` is what the hole card is known not to
    be. With `only_busts` the hands that come to nothing are left out: what a blackjack gives back, if all are bust, is none.
    """

    def __init__(
        self, split: SplitHand, end: int, barred: int, dealer: Terms, hole: int = -1, only_busts: bool = False
    ) -> None:
        self.split, self.barred, self.dealer, self.exact = split, barred, dealer, split.analysis.exact
        self.only_busts = only_busts
        self.counts = np.array(split.analysis.rules.counts) - 2 * split.one_more
        self.counts[split.up] -= 1
        self.of_pair = int(self.counts[split.pair])  # with the hole card, which may be of the pair's rank like any other
        if hole >= 0:
            self.counts[hole] -= 1
        ended = EndedHands(split)
        self.hands = {second: self._hand(ended, end, second) for second in (ANY, DIFFERS, PAIRED)}

    def _hand(self, ended: EndedHands, end: int, second: int) -> Terms:
        """A hand: it loses, but where it comes to an end that is not a bust without a double."""
        met = ended.orders[:, second] > 0
        cards, orders = ended.cards[met] - (second == PAIRED) * self.split.one_more, ended.orders[met, second]
        weights = np.zeros((len(cards) + 2, NETS), np.int64)
        weights[np.arange(len(cards)), ended.nets[met, end]] = orders
        weights[:, LOST] -= weights.sum(axis=1)
        if self.only_busts:
            weights[:, NOTHING] = 0
        weights[-2, LOST] = 1
        weights[-1, LOST] = -(second == DIFFERS)
        return terms(np.concatenate([cards, 0 * self.split.one_more[None], self.split.one_more[None]]), weights)

    def spread(self) -> dict[int, Any]:
        """The chance of this end and every net result."""
        chances: dict[int, Any] = {}
        for (hands, drawn, two), others in self._endings().items():
            if chance := self._all_pair(drawn):
                counts = self.counts - self.split.one_more * drawn
                for place, part in enumerate(self._chances(counts, two, others)):
                    net = place - NOTHING * hands
                    chances[net] = chances.get(net, 0) + chance * part
        return chances

    def _endings(self) -> dict[tuple[int, int, Kinds], Factors]:
        """How many hands there are, how many cards of the pair are drawn to them, and two of them; with these, the others.

        By rank, a second card that differs is any one less a card of the pair, which counts among those drawn.
        """
        endings_met: dict[tuple[int, int, Kinds], Factors] = {}
        for hands, differing, ways in endings(self.split.most):
            for paired in range(differing + 1 if self.split.by_rank else 1):
                differ = ANY if self.split.by_rank else DIFFERS
                kinds = (ANY,) * (hands - differing) + (differ,) * (differing - paired) + (PAIRED,) * paired
                factor = ways * comb(differing, paired) * (-1) ** paired
                endings_met.setdefault((hands, hands - 2 + paired, kinds[:2]), []).append((factor, kinds[2:]))
        return endings_met

    def _all_pair(self, drawn: int) -> Any:
        """How likely the next cards are all of the pair."""
        among, left, play = self.of_pair, self.split.left, self.split.analysis
        if drawn > left:
            return play.number(0)
        of_its_value = chance_in_order(self.counts, (self.split.one_more * drawn)[None], self.barred, self.exact)[0]
        return of_its_value * play.number(Fraction(perm(left, drawn), perm(among, drawn)))

    def _chances(self, counts: Ints, two: Kinds, others: Factors) -> Numbers:
        """The chances of this end and the net results of two hands and the others."""
        cards = int(counts.sum())

        def sides(prime: int) -> tuple[Terms, Terms]:
            self.split.analysis.go_on()
            kind = np.int64 if prime else np.float64
            dealer = self.dealer[0], self.dealer[1].astype(kind)
            products = [(keys, factor * rows) for factor, kinds in others for keys, rows in [self._side(kinds, prime)]]
            beside = np.concatenate([keys for keys, _ in products]), np.concatenate([rows for _, rows in products])
            return self._side(two, prime), multiply(multiply(beside, self._side((), prime), prime), dealer, prime)

        chances = chances_together(counts, sides, self.exact)
        if self.barred >= 0:
            chances = chances / self.split.analysis.number(Fraction(cards - int(counts[self.barred]), cards))
        return chances

    def _side(self, kinds: Kinds, prime: int) -> Terms:
        """Hands side by side."""
        product = np.zeros(1, np.int64), np.ones((1, 1), np.int64 if prime else np.float64)
        for second in kinds:
            keys, rows = self.hands[second]
            product = multiply(product, (keys, rows.astype(product[1].dtype)), prime)
        return product
