"""Blackjack for a player who knows more than he should: the dealer's hole card, or his own first card before he bets."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper
from houseway.kernels.count import Progress

from .analysis import Analysis, BlackjackRules
from .hands import Numbers
from .rulings import ACE, VALUES, Held, Rulings, points_of

DEEPEST = 24
"""No dealer draws so many cards."""


@helper
def _from_two(lefts: Ints, points: int, aces: int, draws: Ints, ends_at: Ints, ends: Numbers) -> None:
    """How often a dealer's hand of two cards comes to each end, for each row of cards left; last, one: these are chances."""
    held_points, held_aces = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    value, chance = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST)
    for row in range(lefts.shape[0]):
        left, cards = lefts[row].copy(), lefts[row].sum()
        depth = 0
        held_points[0], held_aces[0], value[0], chance[0] = points, aces, 0, 1.0
        while depth >= 0:
            at, with_ace = held_points[depth], min(held_aces[depth], draws.shape[1] - 1)
            if not draws[at, with_ace] or cards == 0:
                ends[row, ends_at[at, with_ace]] += chance[depth]
            else:
                while value[depth] < 10 and left[value[depth]] == 0:
                    value[depth] += 1
                if value[depth] < 10:
                    drawn = value[depth]
                    value[depth] += 1
                    held_points[depth + 1], held_aces[depth + 1] = at + drawn + 1, held_aces[depth] + (drawn == 0)
                    chance[depth + 1] = chance[depth] * left[drawn] / cards
                    left[drawn] -= 1
                    cards -= 1
                    value[depth + 1] = 0
                    depth += 1
                    continue
            depth -= 1
            if depth >= 0:
                left[value[depth] - 1] += 1
                cards += 1
        ends[row, ends.shape[1] - 1] = 1.0


class KnownDealer:
    """The dealer with both of his cards known; the shoe lacks the hole card already."""

    barred = -1

    def __init__(self, counts: tuple[int, ...], up: int, hole: int, rulings: Rulings) -> None:
        self.counts, self.rulings = np.array(counts), rulings
        hand = [(up == value) + (hole == value) for value in range(VALUES)]
        self.points, self.aces = points_of(hand), hand[ACE]
        self.draws, self.ends_at = _dealer_tables(rulings)

    def ends(self, gone: Ints) -> Numbers:
        """For each row of cards gone, the up-card among them, the chance of each end; last, one."""
        lefts = np.maximum(self.counts - gone, 0)
        ends = np.zeros((len(lefts), self.rulings.ends + 1))
        _from_two(lefts, self.points, self.aces, self.draws, self.ends_at, ends)
        return ends


def _dealer_tables(rulings: Rulings) -> tuple[Ints, Ints]:
    """By points and whether there is an ace: if a dealer draws to such a hand, and the end that it is if he does not."""
    draws, ends_at = np.zeros((len(rulings.draws), 2), np.int64), np.full((len(rulings.draws), 2), rulings.bust, np.int64)
    for points, (drawn, totals) in enumerate(zip(rulings.draws, rulings.totals, strict=True)):
        for aces in range(min(2, len(totals))):
            draws[points, aces] = drawn[aces]
            if totals[aces] in rulings.stops:
                ends_at[points, aces] = rulings.stops.index(totals[aces])
    return draws, ends_at


@dataclass
class HoleKnown(Analysis):
    """A player who knows the hole card, which is gone from the shoe; the dealer has no blackjack."""

    hole: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        known: Any = {up: KnownDealer(self.rules.counts, up, self.hole, self.rules.rulings) for up in self.ups}
        self.dealers = known

    def natural(self, hand: Held, up: int) -> Any:
        """The dealer has none."""
        return self.number(0)


def worth_with_hole_known(rules: BlackjackRules, insurance_won: float, progress: Progress | None = None) -> float:
    """What a unit is worth to a player who knows the hole card before he insures and plays, in floats.

    Against a blackjack he insures, if an ace is up, and gives up, where that may be done before the dealer looks; what he
    has there is seen by nobody else.
    """
    total, counts = 0.0, rules.counts
    peeking = replace(rules, original_bets_only=False, peeks=True)
    for hole in range(VALUES):
        if counts[hole]:
            known = HoleKnown(peeking.without(hole), hole=hole)
            worth = 0.0
            for up in known.ups:
                for deal in known.deals_with(up):
                    if rules.rulings.natural_with[up] == hole:
                        worth += float(deal.chance) * _against_blackjack(rules, deal.hand, up, insurance_won)
                    else:
                        worth += float(deal.chance) * float(known.decide(*deal[:3])[1])
            total += counts[hole] / sum(counts) * worth
        if progress:
            progress(hole + 1, VALUES)
    return total


def _against_blackjack(rules: BlackjackRules, hand: Held, up: int, insurance_won: float) -> float:
    """What two cards come to against a blackjack that is known: insured by half the bet under an ace."""
    insured = insurance_won / 2 if up == ACE else 0.0
    if hand in rules.rulings.naturals:
        return float(rules.blackjacks_pay) + insured
    lost = float(rules.against_blackjack(hand))
    return max(lost, float(rules.surrender_pays)) + insured if rules.surrender == "early" else lost + insured


def worth_by_first_card(rules: BlackjackRules) -> list[tuple[float, float]]:
    """By the value of the player's first card: how often it comes, and what a unit is then worth in best play."""
    analysis = Analysis(rules)
    chances, worths = [0.0] * VALUES, [0.0] * VALUES
    for deal in analysis.deals():
        worth = float(analysis.decide(*deal[:3])[1])
        for value, held in enumerate(deal.hand):
            share = float(deal.chance) * held / 2
            chances[value] += share
            worths[value] += share * worth
    return [(chance, worth / chance if chance else 0.0) for chance, worth in zip(chances, worths, strict=True)]
