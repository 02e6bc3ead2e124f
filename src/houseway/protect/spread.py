"""A bet spread: how many units are bet from which count on."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from houseway.protect.count import number
from houseway.refusal import Refused

MOST_UNITS = 1000
COUNTS_SHOWN = 40
BINS_TO_A_COUNT = 2
"""Counts are told apart up to this either way, in so many steps to one."""
BINS = 2 * COUNTS_SHOWN * BINS_TO_A_COUNT + 1


@dataclass(frozen=True)
class Spread:
    """`below` units at any count below the first step; and from each step's count on its units."""

    below: int
    steps: tuple[tuple[Fraction, int], ...]

    @property
    def most(self) -> int:
        """The largest bet."""
        return max(self.below, 0, *(units for _, units in self.steps))

    @property
    def least(self) -> int:
        """The smallest bet that is made."""
        return min(units for units in (self.below, *(units for _, units in self.steps)) if units)

    @property
    def trigger(self) -> Fraction:
        """From which count on more than the least is bet; the lowest count that there is, if always the same is bet."""
        return next((count for count, units in self.steps if units), Fraction(-COUNTS_SHOWN))

    def units_at(self, count: Fraction) -> int:
        """The units bet at a count."""
        return next((units for least, units in reversed(self.steps) if count >= least), self.below)

    def by_bin(self) -> list[int]:
        """The units bet, by bins of counts."""
        return [self.units_at(Fraction(bin_, BINS_TO_A_COUNT) - COUNTS_SHOWN) for bin_ in range(BINS)]

    def text(self) -> str:
        """As it is written."""
        steps = [f"{float(count):g}:{units}" for count, units in self.steps]
        return ",".join(([str(self.below)] if self.below else []) + steps)

    def data(self) -> list[dict[str, float | int | None]]:
        """As JSON names it; a count of null is any below the first."""
        steps = [(None, self.below)] if self.below else []
        return [{"count": None if count is None else float(count), "units": units} for count, units in (*steps, *self.steps)]


def parse_spread(text: str) -> Spread:
    """A spread from COUNT:UNITS,...: units from that count on; units without a count, put first, at any lower one.

    >>> spread = parse_spread("1,2:2,3.5:8")
    >>> [spread.units_at(Fraction(count)) for count in (-5, 2, 3, 4)]
    [1, 2, 2, 8]
    """
    steps: list[tuple[Fraction, int]] = []
    below = 0
    for place, part in enumerate(part.strip() for part in text.split(",")):
        count, colon, units = part.rpartition(":")
        if not units.strip().isdecimal() or int(units) > MOST_UNITS:
            raise _bad(f'"{part[:20]}" is not COUNT:UNITS, such as 2:4, with 0 to {MOST_UNITS} whole units')
        if not colon:
            if place:
                raise _bad(f'"{part[:20]}" has no count: only the first, for all lower counts, has none')
            below = int(units)
            continue
        steps.append((number(count, "count of the spread"), int(units)))
    _check(below, steps)
    return Spread(below, tuple(steps))


def _check(below: int, steps: Sequence[tuple[Fraction, int]]) -> None:
    if not steps and not below:
        raise _bad("nothing is ever bet")
    for count, _ in steps:
        if (count * BINS_TO_A_COUNT).denominator > 1 or not -COUNTS_SHOWN < count <= COUNTS_SHOWN:
            raise _bad(f"a count of {float(count):g} is not a whole or half number from {-COUNTS_SHOWN} to {COUNTS_SHOWN}")
    for (one, units), (other, more) in pairwise(steps):
        if other <= one:
            raise _bad(f"{float(other):g} comes after {float(one):g}: counts rise from step to step")
        if more < units:
            raise _bad(f"{more} units at {float(other):g} are fewer than {units} at {float(one):g}: bets rise with the count")
    if steps and steps[0][1] < below:
        raise _bad(f"{steps[0][1]} units at {float(steps[0][0]):g} are fewer than {below} below it: bets rise with the count")
    if steps and not steps[-1][1]:
        raise _bad("nothing is ever bet")


def _bad(why: str) -> Refused:
    return Refused("bad-spread", f"the spread makes no sense: {why}")


def usual_spread(trigger: Fraction, tags: Sequence[Fraction], decks: Fraction = Fraction(1)) -> Spread:
    """One to eight: a unit below the count from which on bets win, from there on 2, 4, 6 and 8, a step of the count apart.

    Steps are as wide as the tags are large, for tags of one in whole counts; of a running count, times the unseen `decks`.
    """
    size = sum(abs(tag) for tag in tags if tag) / sum(1 for tag in tags if tag)
    size = min(size * decks, Fraction(COUNTS_SHOWN, 4))
    step = max(Fraction(round(size * BINS_TO_A_COUNT), BINS_TO_A_COUNT), Fraction(1, BINS_TO_A_COUNT))
    first = Fraction(round(trigger * BINS_TO_A_COUNT), BINS_TO_A_COUNT)
    first = max(min(first, COUNTS_SHOWN - 3 * step), Fraction(1 - COUNTS_SHOWN))
    return Spread(1, tuple((first + place * step, 2 * place + 2) for place in range(4)))
