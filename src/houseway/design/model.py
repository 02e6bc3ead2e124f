"""A problem as a mixed integer program for HiGHS: one binary for each row and pay.

The solver counts in floats and within tolerances, and decides nothing. Every band is widened outward by a margin a hundred
times its tolerance, so that no pay table that meets the bands is lost; what it proposes is judged in exact fractions, and what
fails is excluded by name. So "infeasible" is a proof that there is none, and no proposal is believed.

The variance is a square less a squared mean. Within a box of means the squared mean lies under its chord and over its tangents,
both linear; boxes are split where that is not close enough.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from houseway.design.problem import PayRow, Pays, Problem

if TYPE_CHECKING:
    from highspy import Highs

Goal = Literal["nearest-edge", "least-variance", "largest-top", "fewest-changes", "least-edge", "most-edge"]
GOALS: tuple[Goal, ...] = ("nearest-edge", "least-variance", "largest-top", "fewest-changes")
"""What can be asked for; the least and the most edge are asked only to say why there is no design."""
TOLERANCE, MARGIN = 1e-9, 1e-7
RESOLUTION = 1e-6
"""Two tables are not told apart that are closer than this: a ten-thousandth of a percentage point of the edge."""
AFTERWARDS = 0.5
"""Where a goal counts rows or steps, the distance to the wished edge, always under 1, decides between equals."""

_ValueOf = Callable[[PayRow, Fraction], float]
"""What a row at a pay adds to a sum."""
Box = tuple[tuple[float, float], ...]
"""For each case between which own edges the pays are looked for."""


class Stopped(Exception):  # noqa: N818  (no error: time is up)
    """The solver was stopped before it had an answer."""


@dataclass(frozen=True)
class Proposal:
    """What the solver proposes, to be judged, and the bound under which no other can come."""

    pays: Pays
    bound: float


def own_edges(problem: Problem) -> Box:
    """The own edges that the rows can have at all, each row by itself, cut to the band where there is no envy."""
    has_prizes = any(row.is_prize for row in problem.rows)
    box = []
    for case in range(problem.cases):
        ends = [-float(sum(row.chances[case] * row.pays[end] for row in problem.rows if not row.is_prize)) for end in (-1, 0)]
        if not has_prizes:
            ends[0] = ends[0] if problem.edge.least is None else max(ends[0], float(problem.edge.least))
            ends[1] = ends[1] if problem.edge.most is None else min(ends[1], float(problem.edge.most))
        box.append((ends[0] - MARGIN, ends[1] + MARGIN))
    return tuple(box)


class Model:
    """A problem within a box, loaded into the solver; it can be asked again after something was excluded."""

    def __init__(self, problem: Problem, goal: Goal, box: Box) -> None:
        self.problem, self.goal, self.box = problem, goal, box
        self.places = [(row, pay) for row, each in enumerate(problem.rows) for pay in range(len(each.pays))]
        self.columns = {place: column for column, place in enumerate(self.places)}
        self.highs = _quiet()
        self._binaries(len(self.places))
        self.excluded = 0
        self._one_pay_a_row()
        self._order()
        self._bands()
        self._aim()

    def propose(self, excluded: Sequence[Pays], seconds: float) -> Proposal | None:
        """The best that is left by the solver's reckoning; None if there is none. Its clock runs on from time to time."""
        from highspy import HighsModelStatus as Status

        if seconds <= 0:
            raise Stopped
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + seconds)
        for pays in excluded[self.excluded :]:
            self._exclude(pays)
        self.excluded = len(excluded)
        self.highs.solve()
        status = self.highs.getModelStatus()
        if status in {Status.kInfeasible, Status.kUnboundedOrInfeasible}:
            return None
        if status == Status.kInterrupt:
            raise KeyboardInterrupt
        if status != Status.kOptimal:
            raise Stopped
        values = np.array(self.highs.getSolution().col_value)
        pays = tuple(
            row.pays[int(np.argmax([values[self.columns[place, pay]] for pay in range(len(row.pays))]))]
            for place, row in enumerate(self.problem.rows)
        )
        if pays in excluded:
            raise Stopped  # what is excluded cannot be proposed, unless numbers fail
        return Proposal(pays, float(self.highs.getInfo().mip_dual_bound))

    def _binaries(self, count: int) -> None:
        from highspy import HighsVarType

        self.highs.addVars(count, np.zeros(count), np.ones(count))
        self.highs.changeColsIntegrality(count, np.arange(count, dtype=np.int32), np.array([HighsVarType.kInteger] * count))

    def _row(self, coefficients: Mapping[int, float], least: float, most: float) -> None:
        entries = {column: value for column, value in coefficients.items() if value}
        columns, values = np.array(list(entries), np.int32), np.array(list(entries.values()), np.float64)
        self.highs.addRow(least, most, len(entries), columns, values)

    def _widened(
        self, coefficients: Mapping[int, float], least: Fraction | float | None, most: Fraction | float | None
    ) -> None:
        """A row whose band is wider than asked by the margin, scaled to coefficients of about one."""
        scale = max((abs(value) for value in coefficients.values()), default=1.0) or 1.0
        low = -np.inf if least is None else float(least) / scale - MARGIN
        high = np.inf if most is None else float(most) / scale + MARGIN
        self._row({column: value / scale for column, value in coefficients.items()}, low, high)

    def _exclude(self, pays: Pays) -> None:
        columns = {}
        for place, (row, pay) in enumerate(zip(self.problem.rows, pays, strict=True)):
            if pay not in row.pays:
                return
            columns[self.columns[place, row.pays.index(pay)]] = 1.0
        self._row(columns, -np.inf, len(columns) - 1)

    def _one_pay_a_row(self) -> None:
        for place, row in enumerate(self.problem.rows):
            self._row({self.columns[place, pay]: 1.0 for pay in range(len(row.pays))}, 1, 1)

    def _order(self) -> None:
        """Of two rows of which the first is rarer: not both the second at some pay or more and the first at less."""
        for first, second in _needed(self.problem):
            rarer, commoner = self.problem.rows[first].pays, self.problem.rows[second].pays
            known = None
            for at, pay in enumerate(commoner):
                lower = [place for place, each in enumerate(rarer) if 0 < each < pay]
                following = commoner[at + 1] if at + 1 < len(commoner) else None
                same_next = following is not None and lower == [p for p, e in enumerate(rarer) if 0 < e < following]
                if pay > 0 and lower and lower != known:
                    higher = range(at, len(commoner))
                    columns = {self.columns[second, place]: 1.0 for place in higher}
                    columns |= {self.columns[first, place]: 1.0 for place in lower}
                    self._row(columns, -np.inf, 1)
                    known = lower if same_next else None

    def _sum(self, value_of: _ValueOf) -> dict[int, float]:
        rows = self.problem.rows
        return {
            column: value_of(rows[row], rows[row].pays[pay])
            for (row, pay), column in self.columns.items()
            if column < len(self.places)
        }

    def _edge(self, case: int) -> dict[int, float]:
        return self._sum(lambda row, pay: -float(row.returns[case] * pay))

    def _own_edge(self, case: int) -> dict[int, float]:
        return self._sum(lambda row, pay: 0.0 if row.is_prize else -float(row.chances[case] * pay))

    def _less_line(self, case: int, slope: float) -> dict[int, float]:
        """The mean square less a slope times the own edge."""
        return self._sum(
            lambda row, pay: 0.0 if row.is_prize else float(row.chances[case] * pay**2) + slope * float(row.chances[case] * pay)
        )

    def _bands(self) -> None:
        problem = self.problem
        for case in range(problem.cases):
            if not problem.edge.is_open:
                self._widened(self._edge(case), problem.edge.least, problem.edge.most)
            if not problem.hit.is_open:
                hits = self._sum(lambda row, pay: float(row.chances[case]) if pay > 0 and not row.is_prize else 0.0)  # noqa: B023
                self._widened(hits, problem.hit.least, problem.hit.most)
            if self.has_boxes:
                self._boxed(case, *self.box[case])
        if problem.top.least is not None:
            least = problem.top.least
            high = self._sum(lambda row, pay: 1.0 if not row.is_prize and pay >= least else 0.0)
            self._row(high, 1, np.inf)

    @property
    def has_boxes(self) -> bool:
        """Whether the variance matters, so that boxes do."""
        return has_boxes(self.problem, self.goal)

    def _boxed(self, case: int, low: float, high: float) -> None:
        band = self.problem.variance
        self._widened(self._own_edge(case), low, high)
        if band.most is not None:
            self._widened(self._less_line(case, low + high), None, float(band.most) - low * high)
        if band.least is not None:
            for touch in (low, (low + high) / 2, high):
                self._widened(self._less_line(case, 2 * touch), float(band.least) - touch**2, None)

    def _aim(self) -> None:
        """The goal, as what is least: one more column for a distance or a variance, which is the largest of all cases."""
        from highspy import HighsVarType

        self.highs.addCol(0.0, 0.0, np.inf, 0, np.array([], np.int32), np.array([], np.float64))
        aim = len(self.places)
        if self.goal == "least-variance":
            self.highs.changeColBounds(aim, -np.inf, np.inf)
            for case, (low, high) in enumerate(self.box):
                line = self._less_line(case, low + high)
                self._row({column: -value for column, value in line.items()} | {aim: 1.0}, low * high, np.inf)
            self.highs.changeColCost(aim, 1.0)
            return
        if self.goal in {"least-edge", "most-edge"}:
            for column, edge_at in self._edge(0).items():
                self.highs.changeColCost(column, edge_at if self.goal == "least-edge" else -edge_at)
            return
        target = float(self.problem.target)
        for case in range(self.problem.cases):
            edge = self._edge(case)
            self._row({column: -value for column, value in edge.items()} | {aim: 1.0}, -target, np.inf)
            self._row(edge | {aim: 1.0}, target, np.inf)
        self.highs.changeColCost(aim, 1.0 if self.goal == "nearest-edge" else AFTERWARDS)
        if self.goal == "fewest-changes":
            for (row, pay), column in self.columns.items():
                self.highs.changeColCost(column, float(self.problem.rows[row].pays[pay] != self.problem.rows[row].present))
        elif self.goal == "largest-top":
            tops = tops_possible(self.problem)
            for step, top in enumerate(tops):
                self.highs.addCol(-float(step), 0.0, 1.0, 0, np.array([], np.int32), np.array([], np.float64))
                column = aim + 1 + step
                self.highs.changeColIntegrality(column, HighsVarType.kInteger)
                paid = self._sum(lambda row, pay: 1.0 if not row.is_prize and pay == top else 0.0)  # noqa: B023
                self._row(paid | {column: -1.0}, 0, np.inf)
            self._row({aim + 1 + step: 1.0 for step in range(len(tops))}, 1, 1)


def has_boxes(problem: Problem, goal: Goal) -> bool:
    """Whether the variance matters."""
    return goal == "least-variance" or not problem.variance.is_open


def tops_possible(problem: Problem) -> list[Fraction]:
    """Every pay that may be the highest, lowest first."""
    return sorted({pay for row in problem.rows if not row.is_prize for pay in row.pays})


def _needed(problem: Problem) -> Iterable[tuple[int, int]]:
    """The pairs of the order from which the others follow: a row between that always pays carries it on."""
    pairs = set(problem.rarer)
    between = [place for place, row in enumerate(problem.rows) if not row.may_not_pay]
    return [
        (first, second)
        for first, second in problem.rarer
        if not any((first, middle) in pairs and (middle, second) in pairs for middle in between)
    ]


def _quiet() -> "Highs":
    from highspy import Highs

    highs: Highs = Highs()  # type: ignore[no-untyped-call]
    options: dict[str, bool | int | float] = {
        "output_flag": False,
        "threads": 1,
        "mip_feasibility_tolerance": TOLERANCE,
        "primal_feasibility_tolerance": TOLERANCE,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": RESOLUTION * AFTERWARDS,
    }
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.HandleKeyboardInterrupt = True  # Ctrl-C ends a search, as it ends all else
    return highs
