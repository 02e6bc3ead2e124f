"""A search for pays as plain numbers: rows with what each may pay, the cases in which that is judged, and what must hold.

No game, no file and no solver is known here. Everything is exact: whatever a solver proposes is judged by `Problem.figures`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

from houseway.design.bands import Band

OPEN = Band()


@dataclass(frozen=True)
class PayRow:
    """A row whose pay is looked for; `pays` are what it may pay, lowest first, as net wins for each unit staked.

    `chances` says for each case how often it comes. An envy prize (`worths`) comes on top: what one dollar of it returns for
    each unit staked; it is no pay, so that hits, variance and top prize leave it out.
    """

    id: str
    pays: tuple[Fraction, ...]
    present: Fraction
    chances: tuple[Fraction, ...]
    worths: tuple[Fraction, ...] = ()

    @property
    def is_prize(self) -> bool:
        """Whether it is an envy prize."""
        return bool(self.worths)

    @property
    def returns(self) -> tuple[Fraction, ...]:
        """What one unit of its pay adds to the player's return, by case."""
        return self.worths or self.chances

    @property
    def may_not_pay(self) -> bool:
        """Whether it may lose or push."""
        return self.pays[0] <= 0


@dataclass(frozen=True)
class CaseFigures:
    """What a pay table comes to in one case: the edge with envy, the edge of the pays alone, hits, and the variance."""

    edge: Fraction
    own_edge: Fraction
    hit: Fraction
    square: Fraction

    @property
    def variance(self) -> Fraction:
        """Of the net win for one unit staked, without envy."""
        return self.square - self.own_edge**2

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)


Pays = tuple[Fraction, ...]
"""A pay table that was found: a pay for each row of the problem."""


@dataclass(frozen=True)
class Problem:
    """Rows, bands, and an order: of each pair in `rarer` the first row pays no less than the second, where both pay."""

    rows: tuple[PayRow, ...]
    edge: Band = OPEN
    hit: Band = OPEN
    variance: Band = OPEN
    top: Band = OPEN
    rarer: tuple[tuple[int, int], ...] = ()
    wished: Fraction | None = None

    @property
    def cases(self) -> int:
        """In how many cases everything must hold."""
        return len(self.rows[0].chances)

    @property
    def target(self) -> Fraction:
        """The edge that is wished for: the middle of the band, or its one end, if no other is named."""
        if self.wished is not None:
            return self.wished
        ends = [end for end in (self.edge.least, self.edge.most) if end is not None]
        return sum(ends, Fraction(0)) / len(ends) if ends else Fraction(0)

    def figures(self, pays: Pays, case: int) -> CaseFigures:
        """What these pays come to, exactly."""
        own = [(row.chances[case], pay) for row, pay in zip(self.rows, pays, strict=True) if not row.is_prize]
        prizes = sum((row.worths[case] * pay for row, pay in zip(self.rows, pays, strict=True) if row.is_prize), Fraction(0))
        mean = sum((chance * pay for chance, pay in own), Fraction(0))
        return CaseFigures(
            edge=-mean - prizes,
            own_edge=-mean,
            hit=sum((chance for chance, pay in own if pay > 0), Fraction(0)),
            square=sum((chance * pay**2 for chance, pay in own), Fraction(0)),
        )

    def top_of(self, pays: Pays) -> Fraction:
        """The highest pay."""
        return max(pay for row, pay in zip(self.rows, pays, strict=True) if not row.is_prize)

    def changes(self, pays: Pays) -> int:
        """How many rows pay otherwise than now."""
        return sum(row.present != pay for row, pay in zip(self.rows, pays, strict=True))

    def flaws(self, pays: Pays) -> list[str]:
        """Which conditions these pays do not meet, by name; none if they are a design."""
        flaws = [] if all(pay in row.pays for row, pay in zip(self.rows, pays, strict=True)) else ["rows"]
        each = [self.figures(pays, case) for case in range(self.cases)]
        flaws += [] if all(self.edge.holds(one.edge) for one in each) else ["edge"]
        flaws += [] if all(self.hit.holds(one.hit) for one in each) else ["hit"]
        flaws += [] if all(self.variance.holds(one.variance) for one in each) else ["sd"]
        flaws += [] if self.top.holds(self.top_of(pays)) else ["top"]
        in_order = all(follows(pays[first], pays[second]) for first, second in self.rarer)
        return flaws + ([] if in_order else ["order"])

    def without(self, condition: str) -> "Problem":
        """The same problem with one condition less; an edge that is not asked for still lies from 0 % to 100 %."""
        if condition == "order":
            return replace(self, rarer=())
        if condition == "edge":
            least = min(Fraction(0), Fraction(0) if self.edge.least is None else self.edge.least)
            most = max(Fraction(1), Fraction(1) if self.edge.most is None else self.edge.most)
            return replace(self, edge=Band(least, most), wished=self.target)
        bands: dict[str, Any] = {"variance" if condition == "sd" else condition: OPEN}
        return replace(self, **bands)

    def conditions(self) -> list[str]:
        """The conditions that are set, by name."""
        bands = {"edge": self.edge, "hit": self.hit, "sd": self.variance, "top": self.top}
        return [name for name, band in bands.items() if not band.is_open] + (["order"] if self.rarer else [])

    def hits_possible(self, case: int) -> Band:
        """The least and the most hits: a pay of any size is a hit, so that only rows which may lose or push can change them."""
        own = [row for row in self.rows if not row.is_prize]
        least = sum((row.chances[case] for row in own if not row.may_not_pay), Fraction(0))
        most = sum((row.chances[case] for row in own if row.pays[-1] > 0), Fraction(0))
        return Band(least, most, is_percent=True)

    def pruned(self) -> "Problem | None":
        """Without pays that the edge, the top prize and the order rule out, by exact sums; None proves that there are none."""
        rows = [list(row.pays) for row in self.rows]
        if self.top.most is not None:
            limit = self.top.most
            rows = [[pay for pay in pays if row.is_prize or pay <= limit] for row, pays in zip(self.rows, rows, strict=True)]
        weights = [_whole([row.returns[case] for row in self.rows], self.edge) for case in range(self.cases)]
        partners = _partners(len(rows), self.rarer)
        while all(rows):
            kept = [
                [pay for pay in pays if self._may_be(place, pay, rows, weights, partners[place])]
                for place, pays in enumerate(rows)
            ]
            if kept == rows:
                return replace(self, rows=tuple(replace(row, pays=tuple(p)) for row, p in zip(self.rows, rows, strict=True)))
            rows = kept
        return None

    def _may_be(
        self,
        place: int,
        pay: Fraction,
        rows: Sequence[Sequence[Fraction]],
        weights: "Sequence[_Whole]",
        partners: "Sequence[int]",
    ) -> bool:
        """Whether the edge can still lie in its band with this pay, each other row by itself at its best for that."""
        low, high = [], []
        for other, pays in enumerate(rows):
            side = partners[other]
            fitting = pays if other != place else (pay,)
            if side > 0 and other != place:
                fitting = [each for each in pays if follows(pay, each)]
            elif side < 0 and other != place:
                fitting = [each for each in pays if follows(each, pay)]
            if not fitting:
                return False
            low.append(fitting[0])
            high.append(fitting[-1])
        return all(weight.may_hold(low, high) for weight in weights)


def follows(rarer: Fraction, commoner: Fraction) -> bool:
    """Whether a rarer hand is paid no less: asked only where both pay."""
    return rarer >= commoner or rarer <= 0 or commoner <= 0


@dataclass(frozen=True)
class _Whole:
    """The returns of one case as whole numbers over a common denominator, and the band of the edge in the same unit."""

    returns: tuple[int, ...]
    least: Fraction | None
    most: Fraction | None

    def may_hold(self, low: Sequence[Fraction], high: Sequence[Fraction]) -> bool:
        """Whether returns between these, row by row, can have an edge in the band."""
        if self.most is not None and -sum(n * pay for n, pay in zip(self.returns, high, strict=True)) > self.most:
            return False
        return self.least is None or -sum(n * pay for n, pay in zip(self.returns, low, strict=True)) >= self.least


def _whole(returns: Sequence[Fraction], edge: Band) -> _Whole:
    unit = lcm(*(each.denominator for each in returns))
    ends = (None if end is None else end * unit for end in (edge.least, edge.most))
    return _Whole(tuple(int(each * unit) for each in returns), *ends)


def _partners(rows: int, rarer: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each row, on which side every other one is: 1 if it is to pay no more, -1 if no less, 0 if they are not compared."""
    sides = [[0] * rows for _ in range(rows)]
    for first, second in rarer:
        sides[first][second], sides[second][first] = 1, -1
    return sides
