"""Duki 4 Poker for players who show each other their cards: two to five hands seen, by simulated deals.

For every deal what playing is worth is counted over all of the dealer's hands that are left, so that only the cards of the
players are left to luck; and what counts is the difference to the decision without them, which is mostly none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import comb, sqrt

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, Ints, loop
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.solve.sharing import share

from .best import CARDS, HAND, Terms, numbers_of, solve_terms, tabulate

DEALS = 20_000
"""Deals that are simulated, where nothing is said."""


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_TABLE, INT_ROW, INT_TABLE, INT_ROW, INT, INT))
def _win(
    deals: Ints, own: Ints, classes: Ints, outcomes: Ints, nets: Ints, numbers: Ints, won: Ints, first: int, last: int
) -> None:
    """For each deal, what playing wins over all of the dealer's hands of cards that nobody has."""
    gone, rest, paid = np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64), np.zeros(outcomes.shape[1], np.int64)
    for deal in range(first, last):
        gone[:] = 0
        for place in range(deals.shape[1]):
            gone[deals[deal, place]] = 1
        for score in range(outcomes.shape[1]):
            paid[score] = nets[outcomes[own[deal], score]]
        left, total = 0, 0
        for card in range(CARDS):
            if not gone[card]:
                rest[left] = card
                left += 1
        for a in range(3, left):
            for b in range(2, a):
                for c in range(1, b):
                    number = numbers[3, rest[a]] + numbers[2, rest[b]] + numbers[1, rest[c]]
                    for d in range(c):
                        total += paid[classes[number + rest[d]]]
        won[deal] = total


@dataclass(frozen=True)
class HandsShown:
    """What the cards of others are worth for a unit of the Ante, its standard error, and how often they change a decision."""

    gain: float
    error: float
    changes: float


def gain_of_hands_seen(
    edition: Edition, settings: Mapping[str, Value], others: int, deals: int = DEALS, seed: int = 1
) -> HandsShown:
    """What it gains to see so many other hands before deciding."""
    tables = tabulate(edition.game.encode(settings))
    cards = np.argsort(np.random.default_rng([seed, others]).random((deals, CARDS)), axis=1)[:, : HAND * (1 + others)]
    hands = np.sort(cards[:, :HAND], axis=1)
    solved = solve_terms(tables, Terms.of(edition, settings), only=hands)
    numbers = np.array([[comb(card, size) for card in range(CARDS)] for size in range(1, HAND + 1)], np.int64)
    won, nets = np.zeros(deals, np.int64), np.array([int(net * solved.unit) for net in solved.nets], np.int64)
    own = tables.classes[numbers_of(hands)]
    work = partial(_win, np.ascontiguousarray(cards), own, tables.classes, tables.outcomes, nets, numbers, won)
    share(deals, work)
    against = comb(CARDS - HAND * (1 + others), HAND)
    play, fold = won / solved.unit / against, float(solved.fold)
    gains = np.maximum(play, fold) - np.where(solved.choice, play, fold)
    changed = (play > fold) != solved.choice
    return HandsShown(float(gains.mean()), float(gains.std(ddof=1)) / sqrt(deals), float(changed.mean()))
