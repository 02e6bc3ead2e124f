"""How likely hands come to be drawn. Draws are exchangeable: a hand's cards are as likely in any order, so that its chance
is the number of orders in which it is drawn times the chance of one of them.
"""

from math import comb, factorial

import numpy as np

from houseway.kernels.compiled import Ints, helper

from .hands import Numbers, fraction
from .rulings import VALUES


@helper
def draw_on(following: Ints, fixed: Ints, orders: Ints, doubled: Ints) -> None:
    """From the orders in which hands begin, the orders in which every hand is come to, and come to by doubling."""
    for row in range(fixed.size - 1, -1, -1):  # fewest points first
        if orders[row] and fixed[row]:
            for value in range(10):
                after = following[row, value]
                if after >= 0 and fixed[row] == 1:
                    orders[after] += orders[row]
                elif after >= 0:
                    doubled[after] += orders[row]


@helper
def reach(following: Ints, fixed: Ints, every: bool) -> tuple[Ints, Ints, Ints]:
    """From the last hand, the rows of those that are come to (or `every`), where each further card leads among these, and
    whether play can end with them.
    """
    orders, doubled = np.zeros(fixed.size, np.int64), np.zeros(fixed.size, np.int64)
    orders[-1] = 1
    draw_on(following, fixed, orders, doubled)
    where, size = np.full(fixed.size, -1, np.int64), 0
    for row in range(fixed.size):
        if every or orders[row] or doubled[row]:
            where[row] = size
            size += 1
    rows, among, ending = np.zeros(size, np.int64), np.full((size, 10), -1, np.int64), np.full(size, every)
    for row in range(fixed.size):
        if where[row] >= 0:
            rows[where[row]] = row
            ending[where[row]] |= doubled[row] > 0 or (orders[row] > 0 and fixed[row] == 0)
            for value in range(10):
                if following[row, value] >= 0:
                    among[where[row], value] = where[following[row, value]]
    return rows, among, ending


def chance_in_order(counts: Ints, drawn: Ints, barred: int, exact: bool) -> Numbers:
    """For each row of cards drawn from a shoe, the chance of drawing them in a given order.

    With a `barred` value the dealer's hole card, in the shoe, is known not to be of it.
    """
    kind = object if exact else np.float64
    top = int(drawn.max(initial=0))
    falling = np.array([[factorial(n) // factorial(n - k) if 0 <= k <= n else 0 for k in range(top + 1)] for n in counts], kind)
    ways = np.ones(len(drawn), kind)
    for value in range(VALUES):
        ways = ways * falling[value][drawn[:, value]]
    cards, sizes = int(counts.sum()), drawn.sum(axis=1)
    longest = int(sizes.max(initial=0))
    all_falling = np.array([comb(cards, k) * factorial(k) for k in range(longest + 1)], kind)
    all_ways = np.maximum(all_falling[sizes], 1)
    if barred >= 0:
        ways = ways * (cards - sizes - counts[barred] + drawn[:, barred]).astype(kind) * cards
        all_ways = all_ways * np.maximum((cards - sizes) * int(cards - counts[barred]), 1).astype(kind)
    return fraction(ways, all_ways) if exact else ways / all_ways
