"""The best tags: effects of removal, how well tags follow them, and the best whole tags of a level, all of them tried.

Which cards are gone changes the worth of a bet, to a first approximation, by the sum of their effects of removal. A count
follows that as well as its tags correlate with the effects over the cards of the shoe: the betting correlation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, sqrt

from houseway.odds.removal import removal_effects
from houseway.protect.protection import CARDS_COUNTED
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

TENS = ("10", "J", "Q", "K")


def effects_of_removal(edition: Edition, settings: Settings, wager: str) -> tuple[Fraction, ...]:
    """By how much the player's edge changes when one card is gone, A, 2 to 9, T: exact; for T the mean of tens and faces."""
    by_rank = removal_effects(edition, settings, wager)
    tens = [effect for rank, effect in by_rank.items() if rank in TENS]
    return (*(-by_rank[card] for card in CARDS_COUNTED[:-1]), -sum(tens, Fraction(0)) / len(tens))


def centred(values: Sequence[Fraction], copies: Sequence[int]) -> list[Fraction]:
    """Values less their mean over the shoe."""
    mean = sum((value * n for value, n in zip(values, copies, strict=True)), Fraction(0)) / sum(copies)
    return [value - mean for value in values]


def betting_correlation(tags: Sequence[Fraction], effects: Sequence[Fraction], copies: Sequence[int]) -> float:
    """The correlation of tags and effects of removal over the cards of the shoe, whether the tags are balanced or not.

    >>> round(betting_correlation([Fraction(n) for n in (1, 0, -1)], [Fraction(n) for n in (2, 0, -2)], [4, 4, 4]), 12)
    1.0
    """
    own, others = centred(tags, copies), centred(effects, copies)
    both = sum(n * a * b for n, a, b in zip(copies, own, others, strict=True))
    squares = [sum(n * a * a for n, a in zip(copies, values, strict=True)) for values in (own, others)]
    return float(both) / sqrt(squares[0] * squares[1]) if all(squares) else 0.0


@dataclass(frozen=True)
class BestTags:
    """The tags of at most a level that correlate best, of those that sum up to so much over a deck (balanced: to nothing)."""

    level: int
    sum_of_a_deck: int
    tags: tuple[int, ...]
    correlation: float


def best_tags(effects: Sequence[Fraction], copies: Sequence[int], level: int) -> list[BestTags]:
    """The best tags from -level to level for each sum that they can have; of equals those of the smallest size.

    Card by card, for every sum and sum of squares that tags so far can have, the largest sum of tag times effect is kept:
    so nothing is missed, and a few thousand states stand for all the 7^10 choices of level 3.
    """
    decks = gcd(*copies)
    weights = [n // decks for n in copies]
    follow = [float(effect) for effect in centred(effects, copies)]
    # (sum of tags, sum of squares) -> the largest sum of tag times effect, and its tags
    states: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for weight, effect in zip(weights, follow, strict=True):
        wider: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (gain, tags) in states.items():
            for tag in range(-level, level + 1) if weight else (0,):
                key = total + weight * tag, squares + weight * tag * tag
                reached = gain + weight * tag * effect
                if key not in wider or reached > wider[key][0]:
                    wider[key] = reached, (*tags, tag)
        states = wider
    size, length = sum(weights), sqrt(sum(w * e * e for w, e in zip(weights, follow, strict=True)))
    best_of_total: dict[int, tuple[float, int, tuple[int, ...]]] = {}
    for (total, squares), (gain, tags) in states.items():
        own = squares - total * total / size
        if own > 0 and length:
            rank = round(gain / sqrt(own) / length, 12), -squares, tags
            best_of_total[total] = max(best_of_total.get(total, rank), rank)
    return [BestTags(level, total * 52 // size, best[2], best[0]) for total, best in sorted(best_of_total.items())]


def effects_by_card(effects: Sequence[Fraction]) -> Mapping[str, Fraction]:
    """Effects by the names of the cards; none if none are known."""
    return dict(zip(CARDS_COUNTED, effects, strict=False))
