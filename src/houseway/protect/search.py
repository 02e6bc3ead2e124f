"""Counts found by the program: the best tags of each level, and the trigger with which they win most."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.protect.count import Count
from houseway.protect.exact import TRIGGER_STEP, Bets, ExactShoes
from houseway.protect.tags import BestTags, best_tags, betting_correlation
from houseway.protect.watch import Watch, WatchedTable

LEVELS = (1, 2, 3)
SHOES_FOR_A_TRIGGER = 20_000
"""Where a wager's exact worth is not to be had, triggers are sought in the results of so many shoes."""


@dataclass(frozen=True)
class Found:
    """A count that was found, and what its bets are worth in the shoes in which its trigger was sought, if that is known."""

    best: BestTags
    count: Count
    bets: Bets | None

    def data(self, how: str) -> dict[str, Any]:
        """As JSON names it; `how` the worth of its bets is known."""
        return {
            "level": self.best.level,
            "balanced": self.best.sum_of_a_deck == 0,
            "tags": list(self.best.tags),
            "start": None if self.count.start is None else float(self.count.start),
            "trigger": float(self.count.trigger),
            "betting_correlation": self.best.correlation,
            **({how: self.bets.data()} if self.bets else {}),
        }


def start_of(tags: Sequence[Fraction], table: WatchedTable) -> Fraction | None:
    """Where a running count of these tags starts so that it ends at 0; nothing if they are balanced."""
    whole = sum((tag * n for tag, n in zip(tags, table.copies, strict=True)), Fraction(0))
    return -whole if whole else None


def best_trigger(table: WatchedTable, exact: ExactShoes | None, tags: Sequence[Fraction], start: Fraction | None) -> Fraction:
    """From what count on a bet wins: by what bets are worth, else by the results of many shoes."""
    if exact is not None:
        return exact.best_trigger(tags, start)
    edges = Watch(table, Count(tuple(tags), Fraction(0), start)).watched(SHOES_FOR_A_TRIGGER).edges()
    won, best, most = 0.0, edges[-1]["count"] if edges else 0.0, 0.0
    for row in reversed(edges):
        won += row["rounds"] * row["edge"]
        if won > most:
            best, most = row["count"], won
    return Fraction(best).limit_denominator(TRIGGER_STEP.denominator)


def found_counts(table: WatchedTable, exact: ExactShoes | None, effects: Sequence[Fraction]) -> list[Found]:
    """The best balanced and the best unbalanced count of each level, each with its best trigger.

    A running count of tags that sum up to u over a deck, started so that it ends at 0, is 0 where the true count of the same
    tags, balanced, is u: so it needs no division if u lies where bets begin to win. Which u does best is tried, where
    the worth of bets is known; elsewhere the tags that follow the effects best are taken.
    """
    counts = []
    for level in LEVELS:
        best = best_tags(effects, table.copies, level)
        counts += [_found(table, exact, each) for each in best if each.sum_of_a_deck == 0]
        upward = [each for each in best if each.sum_of_a_deck > 0]
        if exact is None:
            upward = [max(upward, key=lambda each: each.correlation)]
        counts.append(most_dangerous([_found(table, exact, each) for each in upward]))
    return counts


def _found(table: WatchedTable, exact: ExactShoes | None, best: BestTags) -> Found:
    tags = tuple(map(Fraction, best.tags))
    start = start_of(tags, table)
    count = Count(tags, best_trigger(table, exact, tags, start), start)
    return Found(best, count, exact.of_count(count) if exact else None)


def most_dangerous(found: Sequence[Found]) -> Found:
    """The count whose bets are worth most, or that follows the effects of removal best."""
    return max(found, key=lambda each: each.bets.units_per_shoe.value if each.bets else each.best.correlation)


def correlation(table: WatchedTable, count: Count, effects: Sequence[Fraction]) -> float:
    """The betting correlation of a count at a table."""
    return betting_correlation(count.tags, effects, table.copies)
