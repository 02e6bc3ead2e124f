"""Duki 4 Poker for a player who sees the four cards of another player before he decides.

What playing wins over the dealer's hands that share no card with the other player's hand is again counted by inclusion
and exclusion: the alternating sum, over the subsets of the other hand, of what it wins over the dealer's hands that hold
the subset. Those sums are tabulated once for each hand of the player's; another player's hand then takes sixteen of them.

The 48 cards that a player does not hold are numbered from 0, the lowest first, and their sets of one size in the order
of the highest card, then the next: the sets that differ in their lowest card only stand in a row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb
from operator import mul

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, Ints, helper, loop
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.solve.kept import kept, key_of, resumed
from houseway.solve.sharing import share

from .best import AGAINST, CARDS, HAND, HANDS, Solved, numbers_of, solve, tabulate

LEFT = CARDS - HAND
PAIRS, THREES = comb(LEFT, 2), comb(LEFT, 3)
BESIDE = comb(LEFT - HAND, HAND)
"""The dealer's hands that are left beside a player's and another player's."""
PART = 1024
"""The classes of hands of one part of the work: less than a second's."""
MOST = (1 << 63) - 1


@helper
def _pairs_below(card: int) -> int:
    return card * (card - 1) // 2


@helper
def _threes_below(card: int) -> int:
    return card * (card - 1) * (card - 2) // 6


@helper
def _meet_all(held: Ints, classes: Ints, nets: Ints, totals: Ints) -> None:
    """What playing wins against each of the dealer's hands; `nets` is what it wins against each class of scores."""
    left, size = np.zeros(LEFT, np.int64), 0
    for card in range(CARDS):
        if card not in (held[0], held[1], held[2], held[3]):
            left[size] = card
            size += 1
    at = 0
    for a in range(3, LEFT):
        fours = left[a] * (left[a] - 1) * (left[a] - 2) * (left[a] - 3) // 24
        for b in range(2, a):
            for c in range(1, b):
                first = fours + _threes_below(left[b]) + _pairs_below(left[c])
                for d in range(c):
                    totals[at + d] = nets[classes[first + left[d]]]
                at += c


@helper
def _gather(totals: Ints, ones: Ints, twos: Ints, threes: Ints) -> None:
    """What it wins over the hands that hold each three, two and one of the cards.

    A hand that holds two cards holds two sets of three with both, and one that holds a card three pairs with it.
    """
    at = 0
    ones[:], twos[:], threes[:] = 0, 0, 0
    for a in range(3, LEFT):
        for b in range(2, a):
            for c in range(1, b):
                own, sum_ = totals[at : at + c], 0
                abd, acd = threes[_threes_below(a) + _pairs_below(b) :], threes[_threes_below(a) + _pairs_below(c) :]
                bcd = threes[_threes_below(b) + _pairs_below(c) :]
                for d in range(c):
                    sum_ += own[d]
                    abd[d] += own[d]
                    acd[d] += own[d]
                    bcd[d] += own[d]
                abd[c] += sum_
                at += c
    for a in range(2, LEFT):
        for b in range(1, a):
            for c in range(b):
                won = threes[_threes_below(a) + _pairs_below(b) + c]
                twos[_pairs_below(a) + b] += won
                twos[_pairs_below(a) + c] += won
                twos[_pairs_below(b) + c] += won
    twos //= 2
    for a in range(1, LEFT):
        for b in range(a):
            ones[a] += twos[_pairs_below(a) + b]
            ones[b] += twos[_pairs_below(a) + b]
    ones //= 3


@helper
def _leave_out(totals: Ints, ones: Ints, twos: Ints, threes: Ints) -> None:
    """Make of what is won against each hand what is won over all hands that share no card with it."""
    at, every = 0, totals.sum()
    for a in range(3, LEFT):
        ad = twos[_pairs_below(a) :]
        for b in range(2, a):
            bd, abd = twos[_pairs_below(b) :], threes[_threes_below(a) + _pairs_below(b) :]
            for c in range(1, b):
                cd, own = twos[_pairs_below(c) :], totals[at : at + c]
                acd, bcd = threes[_threes_below(a) + _pairs_below(c) :], threes[_threes_below(b) + _pairs_below(c) :]
                without_abc = every - ones[a] - ones[b] - ones[c] + ad[b] + ad[c] + bd[c] - abd[c]
                for d in range(c):
                    own[d] += without_abc - ones[d] + ad[d] + bd[d] + cd[d] - abd[d] - acd[d] - bcd[d]
                at += c


@helper
def _beside_each(held: Ints, classes: Ints, nets: Ints, totals: Ints) -> None:
    ones, twos, threes = np.zeros(LEFT, np.int64), np.zeros(PAIRS, np.int64), np.zeros(THREES, np.int64)
    _meet_all(held, classes, nets, totals)
    _gather(totals, ones, twos, threes)
    _leave_out(totals, ones, twos, threes)


@loop((INT_ROW, INT_ROW, INT_ROW, INT_ROW))
def _win(held: Ints, classes: Ints, nets: Ints, totals: Ints) -> None:
    """What playing a hand wins, over all of the dealer's hands that are left, beside each hand of another player's."""
    _beside_each(held, classes, nets, totals)


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_TABLE, INT_ROW, INT, INT_ROW, INT_ROW, INT, INT))
def _decide(
    hands: Ints, own: Ints, classes: Ints, nets: Ints, enough: Ints, fold: int, won: Ints, played: Ints, first: int, last: int
) -> None:
    """For each hand: what it wins beside all hands of another player's, and beside how many of them it is played."""
    totals = np.zeros(AGAINST, np.int64)
    for place in range(first, last):
        _beside_each(hands[place], classes, nets[own[place]], totals)
        sum_, times = 0, 0
        for at in range(AGAINST):
            plays = totals[at] > enough[place]
            sum_ += totals[at] if plays else fold
            times += plays
        won[place], played[place] = sum_, times


def _nets(solved: Solved, outcomes: Ints) -> Ints:
    """What each score wins against each, in units; a sum over all hands of two others is still a 64-bit number."""
    nets = [int(net * solved.unit) for net in solved.nets]
    assert max(map(abs, nets)) * AGAINST * BESIDE <= MOST
    return np.array(nets, np.int64)[outcomes]


@dataclass(frozen=True)
class HandSeen:
    """What seeing another player's hand comes to: exactly, over all deals of three hands."""

    house_edge: Fraction
    plays: Fraction


def solve_with_a_hand_seen(
    edition: Edition, settings: Mapping[str, Value], progress: Progress | None = None, bonus: Fraction = Fraction(0)
) -> HandSeen:
    """The house edge on the Ante against a player who sees another's four cards, and how often he plays.

    It is found once and kept; if it is stopped, the next call goes on.
    """
    key = key_of(edition, settings, "another player's hand seen", bonus)

    def compute() -> dict[str, int]:
        solved, tables = solve(edition, settings, bonus), tabulate(edition.game.encode(settings))
        own, nets = tables.classes[numbers_of(solved.hands)], _nets(solved, tables.outcomes)
        won, played = np.zeros(len(own), np.int64), np.zeros(len(own), np.int64)
        enough, fold = solved.enough(BESIDE), int(solved.fold * solved.unit) * BESIDE
        work = partial(_decide, solved.hands, own, tables.classes, nets, enough, fold, won, played)

        def add(first: int) -> None:
            share(min(PART, len(own) - first), lambda begin, end: work(first + begin, first + end))

        resumed(key, range(0, len(own), PART), {"won": won, "played": played}, add, progress)
        weights = solved.weights.tolist()
        return {
            "unit": solved.unit,
            "won": sum(map(mul, weights, won.tolist())),
            "played": sum(map(mul, weights, played.tolist())),
        }

    sums = kept(key, compute)
    pairs = HANDS * AGAINST
    return HandSeen(Fraction(-sums["won"], sums["unit"] * pairs * BESIDE), Fraction(sums["played"], pairs))


def value_beside(edition: Edition, settings: Mapping[str, Value], cards: tuple[int, ...], other: tuple[int, ...]) -> Fraction:
    """What playing this hand is worth if another player's hand is seen."""
    solved, tables = solve(edition, settings), tabulate(edition.game.encode(settings))
    total = _win_beside(tables.classes, _nets(solved, tables.outcomes), cards, other)
    return Fraction(total, solved.unit * BESIDE)


def _win_beside(classes: Ints, nets: Ints, cards: tuple[int, ...], other: tuple[int, ...]) -> int:
    """What playing wins over all of the dealer's hands that are left, in units."""
    own, totals = classes[numbers_of(np.array([cards]))[0]], np.zeros(AGAINST, np.int64)
    _win(np.array(cards, np.int64), classes, nets[own], totals)
    left = [card for card in range(CARDS) if card not in cards]
    return int(totals[numbers_of(np.array([[left.index(card) for card in other]]))[0]])
