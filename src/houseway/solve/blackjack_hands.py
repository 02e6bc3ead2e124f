"""Blackjack hands as the analyser sees them: how often each of ten values is held, the player's and the dealer's."""

from functools import lru_cache

import numpy as np

from houseway.kernels.compiled import Ints

ACE, TEN, VALUES = 0, 9, 10
BUST, BLACKJACK, ENDS = 5, 6, 7
"""How a dealer's hand ends: 17, 18, 19, 20, 21, bust, blackjack."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
Hand = tuple[int, ...]
"""How often each value is held."""


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


@lru_cache(maxsize=16)
def player_hands(counts: tuple[int, ...]) -> tuple[tuple[Hand, ...], Ints]:
    """Every hand of 21 points or fewer, the highest points first, and where each further card leads (-1: bust or none left)."""
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
    return tuple(found), following


@lru_cache(maxsize=64)
def dealer_hands(up: int, hits_soft_17: bool) -> tuple[Ints, Ints, Ints]:
    """Every way to complete a dealer's hand, as a tree of the cards drawn: what each step is, its orders, the longest hand.

    A step is (the step before it, the value drawn, how many of it are drawn then, how many cards in all, how the hand
    ends): cards are taken in the order of their values, and `orders` tells in how many other orders the dealer draws
    the same (0: the hand is not complete).
    """
    first = tuple(int(value == up) for value in range(VALUES))
    nothing = (0,) * VALUES
    ways, ended = {nothing: 1}, dict[Hand, int]()
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
    place, steps = {nothing: 0}, [(0, 0, 0, 0, 0)]
    for drawn in ended:
        at = nothing
        for value in range(VALUES):
            for times in range(1, drawn[value] + 1):
                before, at = at, (*at[:value], times, *at[value + 1 :])
                if at not in place:
                    place[at] = len(steps)
                    steps.append((place[before], value, times, sum(at), 0))
    orders_of = np.zeros(len(steps), np.int64)
    for drawn, orders in ended.items():
        total = total_of(tuple(a + b for a, b in zip(first, drawn, strict=True)))
        natural = total == 21 and sum(drawn) == 1
        at_step = place[drawn]
        steps[at_step] = (*steps[at_step][:4], BLACKJACK if natural else BUST if total > 21 else total - 17)
        orders_of[at_step] = orders
    return np.array(steps), orders_of, np.array([max(step[3] for step in steps)])


def hand_of(cards: tuple[int, ...]) -> Hand:
    """Cards as how often each value is held."""
    hand = [0] * VALUES
    for card in cards:
        rank = card >> 2
        hand[ACE if rank == 12 else min(rank + 1, TEN)] += 1
    return tuple(hand)
