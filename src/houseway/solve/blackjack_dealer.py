"""The dealer's hand: in how many ways it comes to each end, from any shoe. Equal shoes are worked out once."""

from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain
from houseway.solve.blackjack_hands import BLACKJACK, ENDS, NATURAL_WITH, VALUES, Numbers, dealer_hands

BLOCK = 128
"""So many shoes are worked on at a time: their numbers stay close to the processor."""
_PLACES = 64 ** np.arange(VALUES)
"""Cards that are gone as one number: fewer than 64 of each value ever are."""


@helper
def _complete(
    lefts: Numbers, steps: Ints, orders: Numbers, falling: Numbers, ways: Numbers, sums: Numbers, room: Numbers, found: Numbers
) -> None:
    """The ways to draw as many cards as the longest hand has that come to each end, in blocks of shoes; last, all ways.

    `falling` is how many cards of a value are left once so many are drawn, `ways` the ways to come to the step at each
    depth, and `sums` these ways gathered by end and number of cards. Compiled, whole rows are floats; interpreted, they
    are Python's own integers.
    """
    longest = ways.shape[0] - 1
    for block in range(lefts.shape[0]):
        for column in range(falling.shape[0]):
            falling[column] = np.maximum(lefts[block, column // longest] - column % longest, 0)
        sums[:] = 0
        for step in range(steps.shape[0]):
            depth, column, place = steps[step, 0], steps[step, 1], steps[step, 2]
            np.multiply(ways[depth - 1], falling[column], ways[depth])
            if place >= 0:
                np.multiply(ways[depth], orders[step], room)
                np.add(sums[place], room, sums[place])
        cards = room
        cards[:] = 0
        for value in range(lefts.shape[1]):
            np.add(cards, lefts[block, value], cards)
        tail = found[block, 7]
        tail[:] = 1
        for drawn in range(longest, 0, -1):
            for end in range(7):
                found[block, end] += sums[end * longest + drawn - 1] * tail
            tail *= np.maximum(cards - (drawn - 1), 1)


class Dealer:
    """The dealer with an up-card: in how many ways his hand comes to each end, in floats or (`exact`) in whole numbers.

    `barred` is the value that his hole card is known not to have once he has looked (-1: none).
    """

    def __init__(self, counts: tuple[int, ...], up: int, hits_soft_17: bool, peeks: bool, exact: bool) -> None:
        self.counts, self.exact = np.array(counts), exact
        self.barred = NATURAL_WITH.get(up, -1) if peeks else -1
        self.steps, orders = dealer_hands(up, hits_soft_17)
        self.longest = int(self.steps[:, 0].max())
        self.kind: Any = object if exact else np.float64
        self.orders = orders.astype(self.kind)

    def ends(self, gone: Ints) -> Numbers:
        """For each row of cards gone from the shoe, the up-card among them, the ways to each end; last, all ways."""
        _, first, places = np.unique(np.minimum(gone, self.counts) @ _PLACES, return_index=True, return_inverse=True)
        found: Numbers = self._work_out(np.maximum(self.counts - gone[first], 0))[places]
        return found

    def _work_out(self, lefts: Ints) -> Numbers:
        blocks = -(-len(lefts) // BLOCK)
        padded = np.zeros((blocks * BLOCK, VALUES), np.int64)
        padded[: len(lefts)] = lefts
        shoes = np.ascontiguousarray(padded.reshape(blocks, BLOCK, VALUES).transpose(0, 2, 1)).astype(self.kind)
        longest = self.longest

        def rows(number: int) -> Numbers:
            return np.ones((number, BLOCK), self.kind)

        found = np.zeros((blocks, ENDS + 1, BLOCK), self.kind)
        kernel = plain(_complete) if self.exact else _complete
        kernel(
            shoes, self.steps, self.orders, rows(VALUES * longest), rows(longest + 1), rows(ENDS * longest), rows(1)[0], found
        )
        ways: Numbers = found.transpose(0, 2, 1).reshape(blocks * BLOCK, ENDS + 1)[: len(lefts)]
        if self.barred >= 0:
            ways[:, ENDS] -= ways[:, BLACKJACK]
            ways[:, BLACKJACK] = 0
        return ways
