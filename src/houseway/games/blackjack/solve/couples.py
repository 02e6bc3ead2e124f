"""Two hands of a split pair side by side, against one dealer's hand.

Draws are exchangeable, so that two of the hands are drawn like any other two: what is known of the others, that they got
a second card of the pair or not, is counted by inclusion and exclusion, as for one hand.
"""

from math import comb, prod
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints

from .ended_hands import EndedHands
from .hands import Numbers
from .rulings import VALUES
from .split import ANY, DIFFERS, PAIRED, SplitHand, endings

NETS = (-2, -1, 0, 1, 2, -1)
"""What a split hand comes to; the last is a bust without a double."""
BUST = 5
_PLACES = 64 ** np.arange(VALUES)


class Couples:
    """What the hands of a pair that is split by value come to, two by two."""

    def __init__(self, split: SplitHand) -> None:
        self.split, self.play = split, split.analysis
        self.ended = EndedHands(split)
        codes, size = self.ended.cards @ _PLACES, len(self.ended.cards)
        _, first, places = np.unique((codes[:, None] + codes).ravel(), return_index=True, return_inverse=True)
        self.together = self.ended.cards[first // size] + self.ended.cards[first % size]
        self.places = places.reshape(size, size)
        self._singles: dict[int, Numbers] = {}
        self._couples: dict[int, Numbers] = {}

    def moments(self) -> tuple[Any, Any]:
        """The mean of the net result of all hands, and its mean square."""
        mean: Any = 0
        square: Any = 0
        for (others, second), times in self.split.parts().items():
            chances = self.singles(others)[int(second)]
            mean += times * sum(net * chance for net, chance in zip(NETS, chances, strict=True))
            square += times * sum(net**2 * chance for net, chance in zip(NETS, chances, strict=True))
        product = np.outer(NETS, NETS)
        for (others, first, second_hand), times in self._couple_parts().items():
            square += times * (self.couples(others)[first, :, second_hand, :] * product).sum()
        return mean, square

    def _couple_parts(self) -> dict[tuple[int, int, int], Any]:
        """The couples of hands, in both orders, that the pair comes to on average, as `SplitHand.parts` has the hands."""
        parts: dict[tuple[int, int, int], Any] = {}
        for hands, differing, ways in endings(self.split.most):
            free = hands - differing
            kinds = {
                (DIFFERS, DIFFERS): differing * (differing - 1),
                (DIFFERS, ANY): 2 * differing * free,
                (ANY, ANY): free * (free - 1),
            }
            for (first, second), couples in kinds.items():
                rest = differing - first - second
                for wrong in range(rest + 1 if couples else 0):
                    chance = self.split.all_pair(hands - 2 + wrong)
                    if chance:
                        key = hands - 2 + wrong, first, second
                        parts[key] = parts.get(key, 0) + ways * couples * (-1) ** wrong * comb(rest, wrong) * chance
        return parts

    def singles(self, others: int) -> Numbers:
        """The chance of what one hand comes to, by its second card, with so many other cards of the pair gone."""
        if others not in self._singles:
            ended = self.ended
            weights, all_ways = self._weights(ended.cards, others + 1)
            chances = np.full((2, len(NETS)), self.play.number(0), weights.dtype)
            for net in range(BUST):
                chances[:, net] = ended.orders[:, :PAIRED].T @ (weights * (ended.nets == net)).sum(axis=1) / all_ways
            chances[:, BUST] = np.array([1, 1 - self.split.chance(1 + others)], weights.dtype) - chances.sum(axis=1)
            self._singles[others] = chances
        return self._singles[others]

    def couples(self, others: int) -> Numbers:
        """The chance of what two hands come to, by the second card of each, with so many further cards of the pair gone."""
        if others not in self._couples:
            chances = self._not_bust(others)
            paired, again = self.split.chance(2 + others), self.split.chance(3 + others)
            alone = self.singles(others + 1)[:, :BUST]
            beside = alone, alone - paired * self.singles(others + 2)[:, :BUST] if paired else alone
            both = {(ANY, ANY): 1, (ANY, DIFFERS): 1 - paired, (DIFFERS, DIFFERS): 1 - 2 * paired + paired * again}
            for first, second in ((ANY, ANY), (ANY, DIFFERS), (DIFFERS, ANY), (DIFFERS, DIFFERS)):
                bust = beside[second][first] - chances[first, :BUST, second, :BUST].sum(axis=1)
                chances[first, :BUST, second, BUST] = chances[second, BUST, first, :BUST] = bust
            for first, second in ((ANY, ANY), (ANY, DIFFERS), (DIFFERS, ANY), (DIFFERS, DIFFERS)):
                chances[first, BUST, second, BUST] = (
                    both[min(first, second), max(first, second)] - chances[first, :, second, :].sum()
                )
            self._couples[others] = chances
        return self._couples[others]

    def _not_bust(self, others: int) -> Numbers:
        """The same of hands that are not bust: every hand at its end beside every other."""
        ended, play = self.ended, self.play
        size = len(ended.cards)
        weights, all_ways = self._weights(self.together, others + 2)
        chances = np.full((2, len(NETS), 2, len(NETS)), play.number(0), weights.dtype)
        for end in range(play.rules.rulings.ends):
            if weights[:, end].any():
                net = ended.nets[:, end, None] == np.arange(BUST)
                drawn = (ended.orders[:, :PAIRED, None] * net[:, None, :]).reshape(size, -1).astype(weights.dtype)
                joint = drawn.T @ (weights[:, end][self.places] @ drawn) / all_ways
                chances[:, :BUST, :, :BUST] += joint.reshape(2, BUST, 2, BUST)
        return chances

    def _weights(self, drawn: Ints, gone: int) -> tuple[Numbers, Any]:
        """For cards drawn in a given order, with so many of the pair gone: the ways to each end of the dealer's hand then.

        All have one denominator, which comes with them: ways to draw the cards, to complete the dealer's hand and to draw
        on to one length. Once the dealer has looked, it is less by what he did not see.
        """
        split, dealer, cards_in = self.split, self.play.dealers[self.split.up], np.array(self.play.rules.counts)
        counts = cards_in - split.one_more * gone - np.eye(VALUES, dtype=np.int64)[split.up]
        ways = dealer.ends(drawn + cards_in - counts)[:, : self.play.rules.rulings.ends]
        cards, sizes = int(counts.sum()), drawn.sum(axis=1)
        top, most = int(drawn.max(initial=0)), int(sizes.max(initial=0))
        for value, count in enumerate(counts.tolist()):
            left = [prod(range(count - k + 1, count + 1)) if k <= count else 0 for k in range(top + 1)]
            ways = ways * np.array(left, dealer.kind)[drawn[:, value]][:, None]
        tails = np.array([_falling(cards - k - dealer.longest, most - k) for k in range(most + 1)], dealer.kind)
        all_ways = self.play.number(_falling(cards, most + dealer.longest))
        if dealer.barred >= 0:
            all_ways = all_ways * (cards - int(counts[dealer.barred])) / cards
        return ways * tails[sizes][:, None], all_ways


def _falling(cards: int, times: int) -> int:
    """The ways to draw so many cards; a shoe that runs out counts one."""
    return prod(max(cards - drawn, 1) for drawn in range(times))
