"""Blackjack hands as the analyser sees them: how often each of ten values is held, the player's and the dealer's.

What a hand counts, when the dealer draws and who wins is not said here: it is asked of the game's own rules.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from houseway.kernels.compiled import Ints

from .rulings import VALUES, Held, Rulings, points_of

STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
DONE = 3
"""Where tables of what stand, hit and double are worth have what is done."""
NAMES = ("stand", "hit", "double", "split", "surrender")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
Numbers = Any
"""An array of floats, or of fractions or whole numbers without limit."""
fraction = np.frompyfunc(Fraction, 2, 1)
"""Fractions of two arrays of whole numbers."""


@dataclass(frozen=True, eq=False)
class PlayerHands:
    """Every hand that is not bust, the highest points first.

    `place` is where a hand stands (`twos`: one of two cards), `table` its cards, `following` where each further card leads
    (-1: bust or none left), and `doubles` which of them may be doubled.
    """

    hands: tuple[Held, ...]
    place: dict[Held, int]
    twos: dict[Held, int]
    table: Ints
    following: Ints
    totals: Ints
    soft: Ints
    doubles: Numbers
    sizes: Ints


@lru_cache(maxsize=32)
def player_hands(counts: tuple[int, ...], rulings: Rulings) -> PlayerHands:
    """Every hand that a shoe can deal."""
    hands: list[Held] = []

    def extend(hand: list[int], value: int) -> None:
        if not rulings.is_bust(hand):
            hands.append(tuple(hand))
        for more in range(value, VALUES):
            if hand[more] < counts[more]:
                hand[more] += 1
                if points_of(hand) <= rulings.highest:
                    extend(hand, more)
                hand[more] -= 1

    extend([0] * VALUES, 0)
    hands.sort(key=points_of, reverse=True)
    place = {hand: at for at, hand in enumerate(hands)}
    following = np.full((len(hands), VALUES), -1, np.int64)
    for at, hand in enumerate(hands):
        for value in range(VALUES):
            following[at, value] = place.get((*hand[:value], hand[value] + 1, *hand[value + 1 :]), -1)
    totals, soft = np.array([rulings.total(hand) for hand in hands]), np.array([rulings.is_soft(hand) for hand in hands])
    doubles, table = np.array([rulings.may_double(hand) for hand in hands]), np.array(hands)
    twos = {hand: at for hand, at in place.items() if sum(hand) == 2}
    return PlayerHands(tuple(hands), place, twos, table, following, totals, soft, doubles, table.sum(axis=1))


class HandsWith(NamedTuple):
    """The rows of hands that hold a card of a value, and among them where each further card leads.

    `with_more` are the rows of the hands that they are with 1, 2, ... more cards of the value, -1 for a bust.
    """

    rows: Ints
    following: Ints
    with_more: Ints


@lru_cache(maxsize=32 * VALUES)
def hands_with(hands: PlayerHands, value: int, more: int) -> HandsWith:
    """The hands with a card of a value."""
    rows = np.nonzero(hands.table[:, value] > 0)[0]
    where = np.full(len(hands.hands) + 1, -1)
    where[rows] = np.arange(len(rows))
    one_more, with_more = np.append(hands.following[:, value], -1), [rows]
    for _ in range(more):
        with_more.append(one_more[with_more[-1]])
    return HandsWith(rows, where[hands.following[rows]], np.array(with_more[1:]))


@dataclass(frozen=True, eq=False)
class Spots:
    """Hands against an up-card: where each further card leads among them, and, for each row of more cards gone (`more_gone`),
    how the dealer's hand ends against each of them.
    """

    up: int
    rows: Ints
    following: Ints
    ends: Numbers
    more_gone: Ints


@lru_cache(maxsize=32)
def dealer_hands(up: int, rulings: Rulings) -> tuple[Ints, Ints]:
    """Every way to complete a dealer's hand, as a tree of the cards drawn, and in how many orders each is drawn.

    A step is (its depth, value * longest + how many of the value were drawn before, end * longest + depth - 1). Cards
    are taken in the order of their values, a step comes right after the one before it or after that one's other
    followers, `longest` is the greatest depth, and a hand that is not complete has -1 for its end.
    """
    first = tuple(int(value == up) for value in range(VALUES))
    ways, ended = {(0,) * VALUES: 1}, dict[Held, int]()
    while ways:
        grown: dict[Held, int] = {}
        for drawn, orders in ways.items():
            for value in range(VALUES):
                more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                hand = tuple(a + b for a, b in zip(first, more, strict=True))
                target = grown if rulings.dealer_draws(hand) else ended
                target[more] = target.get(more, 0) + orders
        ways = grown
    longest = max(map(sum, ended))
    sequences = {tuple(value for value in range(VALUES) for _ in range(drawn[value])): drawn for drawn in ended}
    every = sorted({cards[:depth] for cards in sequences for depth in range(1, len(cards) + 1)})
    steps, orders_of = np.full((len(every), 3), -1), np.zeros(len(every), np.int64)
    for at, cards in enumerate(every):
        steps[at, :2] = len(cards), cards[-1] * longest + cards.count(cards[-1]) - 1
        if cards in sequences:
            complete = tuple([up, *cards].count(value) for value in range(VALUES))
            steps[at, 2] = rulings.end_of(complete) * longest + len(cards) - 1
            orders_of[at] = ended[sequences[cards]]
    return steps, orders_of


@lru_cache(maxsize=32)
def dealer_hands_but_busts(up: int, rulings: Rulings) -> tuple[Ints, Ints]:
    """The same without those that come to a bust, about half of them: they are what is left of all ways."""
    steps, orders = dealer_hands(up, rulings)
    longest, wanted, deeper = int(steps[:, 0].max()), np.full(len(steps), False), 0
    for at in range(len(steps) - 1, -1, -1):
        depth, _, place = steps[at]
        wanted[at] = deeper > depth or (place >= 0 and place // longest != rulings.bust)
        deeper = depth if wanted[at] else min(deeper, depth)
    return steps[wanted], orders[wanted]


@lru_cache(maxsize=128)
def dealer_cards(up: int, rulings: Rulings, end: int) -> tuple[Ints, Ints]:
    """Every way to complete a dealer's hand to an end: how many cards of each value are drawn, and in how many orders."""
    steps, orders = dealer_hands(up, rulings)
    longest, cards, drawn, places = int(steps[:, 0].max()), [-1] * len(steps), [], []
    for at, (depth, column, place) in enumerate(steps.tolist()):
        cards[depth - 1] = column // longest
        if place >= 0 and place // longest == end:
            drawn.append(np.bincount(cards[:depth], minlength=VALUES))
            places.append(at)
    return np.array(drawn, np.int64).reshape(-1, VALUES), orders[places]
