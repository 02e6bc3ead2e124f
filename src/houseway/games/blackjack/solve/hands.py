"""Blackjack hands as the analyser sees them: how often each of ten values is held, the player's and the dealer's."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints

ACE, TEN, VALUES = 0, 9, 10
BUST, BLACKJACK, ENDS = 5, 6, 7
"""How a dealer's hand ends: 17, 18, 19, 20, 21, bust, blackjack."""
WIN, PUSH, LOSS = range(3)
RESULT = np.array([[np.sign(17 + end - total) + 1 for end in range(5)] + [WIN, LOSS] for total in range(22)])
"""What a total comes to against each end of the dealer's hand."""
STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
NAMES = ("stand", "hit", "double", "split", "surrender")
NATURAL_WITH = {ACE: TEN, TEN: ACE}
"""Which hole card makes a blackjack, by up-card."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
Hand = tuple[int, ...]
"""How often each value is held."""
Numbers = Any
"""An array of floats, or of fractions or whole numbers without limit."""
fraction = np.frompyfunc(Fraction, 2, 1)
"""Fractions of two arrays of whole numbers."""


def points_of(hand: Hand) -> int:
    """The points, every ace as one."""
    return sum((value + 1) * times for value, times in enumerate(hand))


def total_of(hand: Hand) -> int:
    """The best total of a hand given by how often it holds each value."""
    points = points_of(hand)
    return points + 10 if hand[ACE] and points <= 11 else points


def is_soft(hand: Hand) -> bool:
    """Whether an ace counts eleven."""
    return bool(hand[ACE]) and points_of(hand) <= 11


def is_natural(hand: Hand) -> bool:
    """BJ-2: an ace and a ten."""
    return hand[ACE] == hand[TEN] == 1 and sum(hand) == 2


@dataclass(frozen=True, eq=False)
class PlayerHands:
    """Every hand of 21 points or fewer, the highest points first.

    `place` is where a hand stands, `table` its cards, `following` where each further card leads (-1: bust or none left).
    """

    hands: tuple[Hand, ...]
    place: dict[Hand, int]
    table: Ints
    following: Ints
    totals: Ints
    soft: Ints
    sizes: Ints


@lru_cache(maxsize=32)
def player_hands(counts: tuple[int, ...]) -> PlayerHands:
    """Every hand that a shoe can deal."""
    found = []

    def extend(hand: list[int], value: int, points: int) -> None:
        found.append(tuple(hand))
        for more in range(value, VALUES):
            if points + more + 1 <= 21 and hand[more] < counts[more]:
                hand[more] += 1
                extend(hand, more, points + more + 1)
                hand[more] -= 1

    extend([0] * VALUES, 0, 0)
    found.sort(key=points_of, reverse=True)
    place = {hand: at for at, hand in enumerate(found)}
    following = np.full((len(found), VALUES), -1, np.int64)
    for at, hand in enumerate(found):
        for value in range(VALUES):
            following[at, value] = place.get((*hand[:value], hand[value] + 1, *hand[value + 1 :]), -1)
    totals, soft = np.array([total_of(hand) for hand in found]), np.array([is_soft(hand) for hand in found])
    table = np.array(found)
    return PlayerHands(tuple(found), place, table, following, totals, soft, table.sum(axis=1))


@dataclass(frozen=True, eq=False)
class Spots:
    """Hands against an up-card: where each further card leads among them, how the dealer's hand ends, more cards gone."""

    up: int
    rows: Ints
    following: Ints
    ends: Numbers
    more_gone: Ints


@lru_cache(maxsize=32)
def dealer_hands(up: int, hits_soft_17: bool) -> tuple[Ints, Ints]:
    """Every way to complete a dealer's hand, as a tree of the cards drawn, and in how many orders each is drawn.

    A step is (its depth, value * longest + how many of the value were drawn before, end * longest + depth - 1). Cards
    are taken in the order of their values, a step comes right after the one before it or after that one's other
    followers, `longest` is the greatest depth, and a hand that is not complete has -1 for its end.
    """
    first = tuple(int(value == up) for value in range(VALUES))
    ways, ended = {(0,) * VALUES: 1}, dict[Hand, int]()
    while ways:
        grown: dict[Hand, int] = {}
        for drawn, orders in ways.items():
            for value in range(VALUES):
                more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                hand = tuple(a + b for a, b in zip(first, more, strict=True))
                total = total_of(hand)
                stops = total > 17 or (total == 17 and not (is_soft(hand) and hits_soft_17))
                target = ended if stops else grown
                target[more] = target.get(more, 0) + orders
        ways = grown
    longest = max(map(sum, ended))
    sequences = {tuple(value for value in range(VALUES) for _ in range(drawn[value])): drawn for drawn in ended}
    every = sorted({cards[:depth] for cards in sequences for depth in range(1, len(cards) + 1)})
    steps, orders_of = np.full((len(every), 3), -1), np.zeros(len(every), np.int64)
    for at, cards in enumerate(every):
        steps[at, :2] = len(cards), cards[-1] * longest + cards.count(cards[-1]) - 1
        if cards in sequences:
            steps[at, 2] = _end_of(up, cards) * longest + len(cards) - 1
            orders_of[at] = ended[sequences[cards]]
    return steps, orders_of


@lru_cache(maxsize=128)
def dealer_cards(up: int, hits_soft_17: bool, end: int) -> tuple[Ints, Ints]:
    """Every way to complete a dealer's hand to an end: how many cards of each value are drawn, and in how many orders."""
    steps, orders = dealer_hands(up, hits_soft_17)
    longest, cards, found, places = int(steps[:, 0].max()), [-1] * len(steps), [], []
    for at, (depth, column, place) in enumerate(steps.tolist()):
        cards[depth - 1] = column // longest
        if place >= 0 and place // longest == end:
            found.append(np.bincount(cards[:depth], minlength=VALUES))
            places.append(at)
    return np.array(found, np.int64).reshape(-1, VALUES), orders[places]


def _end_of(up: int, drawn: tuple[int, ...]) -> int:
    """How a dealer's complete hand ends."""
    total = total_of(tuple([up, *drawn].count(value) for value in range(VALUES)))
    return BLACKJACK if total == 21 and len(drawn) == 1 else BUST if total > 21 else total - 17


def hand_of(cards: tuple[int, ...]) -> Hand:
    """Cards as how often each value is held."""
    hand = [0] * VALUES
    for card in cards:
        rank = card >> 2
        hand[ACE if rank == 12 else min(rank + 1, TEN)] += 1
    return tuple(hand)
