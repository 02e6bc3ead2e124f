"""The dealer's hand: in how many ways it comes to each end, from any shoe. Equal shoes are worked out once."""

from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain

from .hands import Numbers, dealer_hands
from .rulings import VALUES, Rulings

BLOCK = 128
"""So many shoes are worked on at a time: their numbers stay close to the processor."""
_PLACES = 64 ** np.arange(VALUES)
"""Cards that are gone as one number: fewer than 64 of each value ever are."""


@helper
def _complete(
    lefts: Numbers, steps: Ints, orders: Numbers, falling: Numbers, ways: Numbers, sums: Numbers, ways_to_end: Numbers
) -> None:
    """The ways to draw as many cards as the longest hand has that come to each end, in blocks of shoes; last, all ways.

    `falling` is how many cards of a value are left once so many are drawn, `ways` the ways to come to the step at each
    depth, and `sums` these ways gathered by end and number of cards. Compiled, a shoe's number is a float; interpreted,
    there is one block of one shoe, and its numbers are rows of Python's own integers, one for each shoe asked for.
    """
    longest, shoes, ends = ways.shape[0] - 1, lefts.shape[2], ways_to_end.shape[1] - 1
    for block in range(lefts.shape[0]):
        for column in range(falling.shape[0]):
            for shoe in range(shoes):
                falling[column, shoe] = np.maximum(lefts[block, column // longest, shoe] - column % longest, 0)
        sums[:] = 0
        for step in range(steps.shape[0]):
            depth, column, place = steps[step, 0], steps[step, 1], steps[step, 2]
            for shoe in range(shoes):
                ways[depth, shoe] = ways[depth - 1, shoe] * falling[column, shoe]
            if place >= 0:
                for shoe in range(shoes):
                    sums[place, shoe] += ways[depth, shoe] * orders[step]
        for shoe in range(shoes):
            cards, tail = lefts[block, 0, shoe], orders[0] * 0 + 1
            for value in range(1, 10):
                cards = cards + lefts[block, value, shoe]
            for drawn in range(longest, 0, -1):
                for end in range(ends):
                    ways_to_end[block, end, shoe] += sums[end * longest + drawn - 1, shoe] * tail
                tail = tail * np.maximum(cards - (drawn - 1), 1)
            ways_to_end[block, ends, shoe] = tail


class Dealer:
    """The dealer with an up-card: in how many ways his hand comes to each end, in floats or (`exact`) in whole numbers.

    `barred` is the value that his hole card is known not to have once he has looked (-1: none).
    """

    def __init__(self, counts: tuple[int, ...], up: int, rulings: Rulings, peeks: bool, exact: bool) -> None:
        self.counts, self.rulings, self.exact = np.array(counts), rulings, exact
        self.barred = rulings.natural_with[up] if peeks else -1
        self.steps, orders = dealer_hands(up, rulings)
        self.longest = int(self.steps[:, 0].max())
        self.kind: Any = object if exact else np.float64
        self.orders = orders.astype(self.kind)
        self.sizes = VALUES * self.longest, self.longest + 1, rulings.ends * self.longest

    def ends(self, gone: Ints) -> Numbers:
        """For each row of cards gone from the shoe, the up-card among them, the ways to each end; last, all ways."""
        _, first, places = np.unique(gone @ _PLACES, return_index=True, return_inverse=True)
        ways = self._work_out(np.maximum(self.counts - gone[first], 0))
        if self.barred >= 0:
            ways[:, self.rulings.ends] -= ways[:, self.rulings.blackjack]
            ways[:, self.rulings.blackjack] = 0
        by_row: Numbers = ways[places]
        return by_row

    def _work_out(self, lefts: Ints) -> Numbers:
        """The same before he looks, for different shoes."""
        if self.exact:
            shoes = np.empty((1, VALUES, 1), object)
            for value in range(VALUES):
                shoes[0, value, 0] = lefts[:, value].astype(object)
        else:
            blocks = -(-len(lefts) // BLOCK)
            padded = np.zeros((blocks * BLOCK, VALUES))
            padded[: len(lefts)] = lefts
            shoes = np.ascontiguousarray(padded.reshape(blocks, BLOCK, VALUES).transpose(0, 2, 1))
        ends = self.rulings.ends
        falling, ways, sums = (np.ones((number, shoes.shape[2]), self.kind) for number in self.sizes)
        ways_to_end = np.zeros((len(shoes), ends + 1, shoes.shape[2]), self.kind)
        (plain(_complete) if self.exact else _complete)(shoes, self.steps, self.orders, falling, ways, sums, ways_to_end)
        if not self.exact:
            return ways_to_end.transpose(0, 2, 1).reshape(-1, ends + 1)[: len(lefts)]
        rows = np.empty((len(lefts), ends + 1), object)
        for end in range(ends + 1):
            rows[:, end] = ways_to_end[0, end, 0]
        return rows
