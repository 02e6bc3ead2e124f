"""EZ Pai Gow's base wager, exactly: every pair of seven-card hands that share no card, each set in a known way.

The pairs that share no card are counted without meeting them: the number of disjoint pairs with a property is the
alternating sum, over all sets S of cards, of the pairs of hands that both hold S and have it. One S is taken of each
class of sets that differ by the names of suits only.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import QUEEN, rank_back, rank_front
from houseway.games.ez_pai_gow.rules import pai_gow_high
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop
from houseway.kernels.count import Progress
from houseway.solve.hands import HAND, Hands, Words, all_holding, cards_in, lay_out, number_holding, parted_sets, share
from houseway.solve.kept import resumed

BACK_BITS, FRONT_BITS = 13, 7
QUEEN_BIT = BACK_BITS + FRONT_BITS
"""A word tells how a hand is set: back | front << 13 | Queen-high pai gow << 20, the first two as places in their order."""
BACK_MASK, FRONT_MASK = (1 << BACK_BITS) - 1, (1 << FRONT_BITS) - 1
VALUES = 10 << 20
"""Values of fronts and backs are lower."""
GRID_FROM = 100_000
"""From so many hands on, a grid of all fronts and backs is quicker than a tree."""
WIN, LOSE, QUEEN_HIGH, FRONT_COPY, BACK_COPY, BOTH_COPY, ENDS = range(7)


# How hands are set


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_TABLE, INT, INT))
def _set(classes: Ints, ranks: Ints, settings: Ints, values: Ints, first: int, last: int) -> None:
    """How the House Way sets one hand of each class: the value of its front and its back, and Queen-high pai gow."""
    tape = np.zeros(HAND, np.int64)
    for at in range(first, last):
        lay_out(classes[at], ranks, tape)
        answer = set_seven(tape, 0, settings)
        front, back = answer >> 3 & 7, answer & 7
        values[at, 0] = rank_front(tape, front, back, settings)
        values[at, 1] = rank_back(tape, 0, front, back, settings)
        values[at, 2] = pai_gow_high(tape, 0, settings) == QUEEN


def set_by_house_way(hands: Hands, way: Ints) -> Ints:
    """For each class of hands: the values of its front and its back, and whether it is a Queen-high pai gow."""
    values = np.zeros((len(hands.classes), 3), np.int64)
    share(len(values), partial(_set, hands.classes, np.array(hands.deck.ranks), way, values))
    return values


@dataclass(frozen=True)
class Order:
    """The values of fronts and of backs that occur, from the lowest: a word tells their places."""

    fronts: Ints
    backs: Ints

    @classmethod
    def of(cls, fronts: list[Ints], backs: list[Ints]) -> "Order":
        """The order of all these values."""
        order = cls(_distinct(fronts), _distinct(backs))
        assert len(order.fronts) <= FRONT_MASK and len(order.backs) <= BACK_MASK
        return order

    @property
    def shape(self) -> Ints:
        """How many fronts and backs there are."""
        return np.array([len(self.fronts), len(self.backs)])

    def words(self, values: Ints) -> Words:
        """How hands are set, a word for each."""
        places = np.zeros((2, VALUES), np.int32)
        places[0, self.fronts], places[1, self.backs] = np.arange(len(self.fronts)), np.arange(len(self.backs))
        return np.asarray(places[1, values[:, 1]] | places[0, values[:, 0]] << BACK_BITS | values[:, 2] << QUEEN_BIT, np.int32)


def _distinct(values: list[Ints]) -> Ints:
    occurs = np.zeros(VALUES, bool)
    for one in values:
        occurs[one] = True
    return np.flatnonzero(occurs)


# Pairs of hands


@helper
def _fill_grid(found: Words, his: Words, grid: Ints) -> int:
    """Count the dealer's hands by front and back, summed up from the low corner; how many are no Queen-high pai gow."""
    grid[:] = 0
    total = 0
    for place in found:
        word = his[place]
        if not word >> QUEEN_BIT:
            grid[(word >> BACK_BITS) + 1, (word & BACK_MASK) + 1] += 1
            total += 1
    for x in range(1, grid.shape[0]):
        along = 0
        for y in range(1, grid.shape[1]):
            along += grid[x, y]
            grid[x, y] = along + grid[x - 1, y]
    return total


@helper
def _grid_pairs(found: Words, mine: Words, his: Words, grid: Ints, ends: Ints) -> None:
    """Count pairs by a grid of the dealer's fronts and backs."""
    total, top, right = _fill_grid(found, his, grid), grid.shape[0] - 1, grid.shape[1] - 1
    for place in found:
        front, back = mine[place] >> BACK_BITS & FRONT_MASK, mine[place] & BACK_MASK
        both, fronts, backs = grid[front, back], grid[front, right], grid[top, back]
        ends[WIN] += both
        ends[LOSE] += total - fronts - backs + both
        ends[FRONT_COPY] += grid[front + 1, right] - fronts
        ends[BACK_COPY] += grid[top, back + 1] - backs
        ends[BOTH_COPY] += grid[front + 1, back + 1] - grid[front + 1, back] - grid[front, back + 1] + both
    ends[QUEEN_HIGH] += found.size * (found.size - total)


@helper
def _below(tree: Ints, back: int) -> int:
    """How many of the backs in the tree are lower."""
    found = 0
    while back > 0:
        found += tree[back]
        back &= back - 1
    return found


@helper
def _put(tree: Ints, back: int) -> None:
    place = back + 1
    while place < tree.size:
        tree[place] += 1
        place += place & -place


@helper
def _clear(tree: Ints, back: int) -> None:
    place = back + 1
    while place < tree.size:
        tree[place] = 0
        place += place & -place


@helper
def _chain(found: Words, words: Words, heads: Ints, following: Ints) -> None:
    """Chain the hands of each front together."""
    heads[:] = -1
    for place in range(found.size):
        front = words[found[place]] >> BACK_BITS & FRONT_MASK
        following[place], heads[front] = heads[front], place


@helper
def _tree_pairs(
    found: Words, mine: Words, his: Words, tree: Ints, equal: Ints, heads: Ints, following: Ints, ends: Ints
) -> None:
    """Count pairs by a tree of the dealer's backs, which is filled front by front from the lowest.

    `equal` counts his backs: in its first row those of the front at hand, in its second all; both are left empty.
    """
    _chain(found, mine, heads[0], following[0])
    _chain(found, his, heads[1], following[1])
    inserted = 0
    for front in range(heads.shape[1]):
        here, place = 0, heads[1, front]
        while place >= 0:
            word = his[found[place]]
            if not word >> QUEEN_BIT:
                equal[0, word & BACK_MASK] += 1
                here += 1
            place = following[1, place]
        place = heads[0, front]
        while place >= 0:
            back = mine[found[place]] & BACK_MASK
            below = _below(tree, back)
            ends[WIN] += below
            ends[LOSE] += below - inserted  # of the lower fronts none; of all fronts, see below
            ends[FRONT_COPY] += here
            ends[BOTH_COPY] += equal[0, back]
            place = following[0, place]
        place = heads[1, front]
        while place >= 0:
            word = his[found[place]]
            if not word >> QUEEN_BIT:
                _put(tree, word & BACK_MASK)
                equal[0, word & BACK_MASK] = 0
                equal[1, word & BACK_MASK] += 1
            place = following[1, place]
        inserted += here
    for place in found:
        back = mine[place] & BACK_MASK
        ends[LOSE] += inserted - _below(tree, back)
        ends[BACK_COPY] += equal[1, back]
    ends[QUEEN_HIGH] += found.size * (found.size - inserted)
    for place in found:
        _clear(tree, his[place] & BACK_MASK)
        equal[1, his[place] & BACK_MASK] = 0


@loop((INT_TABLE, INT, INT, INT_ROW, INT_TABLE, WORD_ROW, WORD_ROW, WORD_ROW, INT_TABLE, INT, INT))
def _count_sharing(
    sets: Ints,
    natural: int,
    ranks: int,
    shape: Ints,
    parts: Ints,
    class_of: Words,
    mine: Words,
    his: Words,
    ends: Ints,
    first: int,
    last: int,
) -> None:
    """EPG-11: for each set, the pairs of hands that hold it and win or lose (the dealer wins ties), times its class.

    Pairs with the dealer's Queen-high pai gow (EPG-0) are counted apart. Each processor adds to the row of its first set.
    """
    most, own = number_holding(sets[first], ranks), np.zeros(ENDS, np.int64)
    room, following = np.zeros(most, np.int32), np.zeros((2, most), np.int64)
    grid, tree = np.zeros((shape[0] + 1, shape[1] + 1), np.int64), np.zeros(shape[1] + 1, np.int64)
    heads, equal = np.zeros((2, shape[0]), np.int64), np.zeros((2, shape[1]), np.int64)
    for at in range(first, last):
        found = room[: number_holding(sets[at], ranks)]
        all_holding(sets[at], natural, ranks, parts, class_of, found)
        own[:] = 0
        if found.size >= GRID_FROM:
            _grid_pairs(found, mine, his, grid, own)
        else:
            _tree_pairs(found, mine, his, tree, equal, heads, following, own)
        factor = sets[at, 5] * (1 - 2 * (cards_in(sets[at]) & 1))
        for end in range(ENDS):
            ends[first, end] += own[end] * factor


@dataclass(frozen=True)
class Pairs:
    """All deals of a player's and a dealer's hand, by how the base wager ends.

    Copies are counted among the deals that the dealer's Queen-high pai gow does not decide.
    """

    win: int
    lose: int
    queen_high: int
    front_copy: int
    back_copy: int
    both_copy: int


def count_deals(hands: Hands, player: Ints, dealer: Ints, key: str, progress: Progress | None = None) -> Pairs:
    """All deals, each hand set as its values say (see `set_by_house_way`); what is done so far is kept under `key`."""
    order = Order.of([player[:, 0], dealer[:, 0]], [player[:, 1], dealer[:, 1]])
    mine, his = order.words(player), order.words(dealer)
    ranks = len(hands.deck.ranks)
    state = {"sums": np.zeros(ENDS, np.int64)}

    def count(sets: Ints) -> None:
        ends = np.zeros((len(sets), ENDS), np.int64)
        given = (sets, hands.deck.natural, ranks, order.shape, hands.parts, hands.class_of, mine, his, ends)
        share(len(sets), partial(_count_sharing, *given))
        state["sums"] += ends.sum(axis=0)

    resumed(key, parted_sets(ranks), state, count, progress)
    sums = state["sums"] - _count_same(mine, his, hands.classes[:, 5])
    return Pairs(*(int(one) for one in sums))


def _count_same(mine: Words, his: Words, weights: Ints) -> Ints:
    """The last term: a hand that is both the player's and the dealer's, each set his own way."""
    queen = his >> QUEEN_BIT > 0
    front = (mine >> BACK_BITS & FRONT_MASK) - (his >> BACK_BITS & FRONT_MASK)
    back = (mine & BACK_MASK) - (his & BACK_MASK)
    found = (
        (front > 0) & (back > 0) & ~queen,
        (front <= 0) & (back <= 0) & ~queen,
        queen,
        (front == 0) & ~queen,
        (back == 0) & ~queen,
        (front == 0) & (back == 0) & ~queen,
    )
    return np.array([int(weights[one].sum()) for one in found])
