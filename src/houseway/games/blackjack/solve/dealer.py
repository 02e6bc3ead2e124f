"""The dealer's hand: in how many ways it comes to each end, from any shoe."""

from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain

from .hands import Numbers, dealer_hands, dealer_hands_but_busts
from .rulings import VALUES, Rulings

BLOCK = 128
"""So many shoes are worked on at a time: their numbers stay close to the processor."""


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
            if place >= 0:
                for shoe in range(shoes):
                    sums[place, shoe] += ways[depth - 1, shoe] * falling[column, shoe] * orders[step]
            if step + 1 < steps.shape[0] and steps[step + 1, 0] > depth:
                for shoe in range(shoes):
                    ways[depth, shoe] = ways[depth - 1, shoe] * falling[column, shoe]
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
        self.up, self.longest = up, int(dealer_hands(up, rulings)[0][:, 0].max())
        self.kind: Any = object if exact else np.float64
        self.sizes = VALUES * self.longest, self.longest + 1, rulings.ends * self.longest

    def ends(self, gone: Ints) -> Numbers:
        """For each row of cards gone from the shoe, the up-card among them, the ways to each end; last, all ways."""
        ways = self._work_out(np.maximum(self.counts - gone, 0))
        if self.barred >= 0:
            ways[:, self.rulings.ends] -= ways[:, self.rulings.blackjack]
            ways[:, self.rulings.blackjack] = 0
        return ways

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
        ends, enough = self.rulings.ends, bool((lefts.sum(axis=1) >= self.longest).all())
        steps, orders = (dealer_hands_but_busts if enough else dealer_hands)(self.up, self.rulings)
        falling, ways, sums = (np.ones((number, shoes.shape[2]), self.kind) for number in self.sizes)
        ways_to_end = np.zeros((len(shoes), ends + 1, shoes.shape[2]), self.kind)
        (plain(_complete) if self.exact else _complete)(
            shoes, steps, orders.astype(self.kind), falling, ways, sums, ways_to_end
        )
        if enough:  # no hand lacks a card: what does not come to another end is bust
            others = ways_to_end[:, :ends].sum(axis=1)
            ways_to_end[:, self.rulings.bust] = ways_to_end[:, ends] - others
        if not self.exact:
            return ways_to_end.transpose(0, 2, 1).reshape(-1, ends + 1)[: len(lefts)]
        rows = np.empty((len(lefts), ends + 1), object)
        for end in range(ends + 1):
            rows[:, end] = ways_to_end[0, end, 0]
        return rows
