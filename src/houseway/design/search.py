"""The search: boxes of edges, the most promising first, until nothing better is left; then it is proved."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from time import monotonic

from houseway.design.bands import Band
from houseway.design.model import (
    AFTERWARDS,
    RESOLUTION,
    Box,
    Goal,
    Model,
    Stopped,
    has_boxes,
    own_edges,
    tops_possible,
)
from houseway.design.problem import Pays, Problem

ALL_MOST = 1_000
"""So many designs are listed at most."""


@dataclass(frozen=True)
class FoundPays:
    """What a search came to: pays in the order of the goal, each judged exactly.

    `complete`: there are no others at all. `proved`: nothing better by the goal was left out, and where nothing was found there
    is nothing; otherwise time was up.
    """

    pays: tuple[Pays, ...]
    complete: bool
    proved: bool


def distance(problem: Problem, pays: Pays) -> Fraction:
    """How far the edge is from the one that is wished for, where it is farthest."""
    return max(abs(problem.figures(pays, case).edge - problem.target) for case in range(problem.cases))


def variance(problem: Problem, pays: Pays) -> Fraction:
    """The variance, where it is largest."""
    return max(problem.figures(pays, case).variance for case in range(problem.cases))


def _rank(problem: Problem, goal: Goal, pays: Pays) -> tuple[Fraction, ...]:
    """What is compared, the least first; at last the pays themselves, so that the order is always the same."""
    first: dict[Goal, Callable[[], Fraction]] = {
        "nearest-edge": lambda: Fraction(0),
        "least-variance": lambda: variance(problem, pays),
        "largest-top": lambda: -problem.top_of(pays),
        "fewest-changes": lambda: Fraction(problem.changes(pays)),
        "least-edge": lambda: problem.figures(pays, 0).edge,
        "most-edge": lambda: -problem.figures(pays, 0).edge,
    }
    return (first[goal](), distance(problem, pays), *pays)


def _worth(problem: Problem, goal: Goal, pays: Pays) -> float:
    """The same as the solver reckons it."""
    if goal == "least-variance":
        return float(variance(problem, pays))
    if goal in {"least-edge", "most-edge"}:
        return float(problem.figures(pays, 0).edge) * (1 if goal == "least-edge" else -1)
    far = float(distance(problem, pays))
    if goal == "nearest-edge":
        return far
    steps = problem.changes(pays) if goal == "fewest-changes" else -tops_possible(problem).index(problem.top_of(pays))
    return steps + AFTERWARDS * far


def search(problem: Problem, goal: Goal = "nearest-edge", most: int = 1, seconds: float = 60) -> FoundPays:
    """The best pay tables by a goal, at most so many; all that there are if they are fewer."""
    if any(_apart(problem.hit, problem.hits_possible(case)) for case in range(problem.cases)):
        return FoundPays((), complete=True, proved=True)
    pruned = problem.pruned()
    if pruned is None:
        return FoundPays((), complete=True, proved=True)
    ends = monotonic() + seconds
    excluded: list[Pays] = []
    found: list[tuple[float, Pays]] = []
    first = Model(pruned, goal, own_edges(pruned))
    waiting = [(-float("inf"), 0, first)]
    numbered = 1
    complete = proved = True
    while waiting:
        bound, _, model = heappop(waiting)
        if len(found) >= most and bound >= sorted(found)[most - 1][0] - RESOLUTION * max(1.0, abs(bound)):
            complete = False
            break
        try:
            proposal = model.propose(excluded, ends - monotonic())
        except Stopped:
            complete = proved = False
            break
        if proposal is None:
            continue
        excluded.append(proposal.pays)
        flaws = pruned.flaws(proposal.pays)
        if not flaws:
            found.append((_worth(pruned, goal, proposal.pays), proposal.pays))
        is_split = has_boxes(pruned, goal) and (goal == "least-variance" or "sd" in flaws)
        for box in _split(model.box, pruned, proposal.pays) if is_split else [model.box]:
            again = model if box == model.box else Model(pruned, goal, box)
            heappush(waiting, (max(bound, proposal.bound), numbered, again))
            numbered += 1
    ranked = sorted((pays for _, pays in found), key=lambda pays: _rank(problem, goal, pays))
    return FoundPays(tuple(ranked[:most]), complete and len(ranked) <= most, proved)


def _apart(asked: Band, possible: Band) -> bool:
    assert possible.least is not None
    assert possible.most is not None
    return (asked.least is not None and possible.most < asked.least) or (asked.most is not None and possible.least > asked.most)


def _split(box: Box, problem: Problem, pays: Pays) -> list[Box]:
    """Two boxes that meet where the chord was farthest from the curve; the same one if it touches it everywhere."""
    edges = [float(problem.figures(pays, case).own_edge) for case in range(problem.cases)]
    gaps = [(edge - low) * (high - edge) for edge, (low, high) in zip(edges, box, strict=True)]
    case = max(range(len(gaps)), key=gaps.__getitem__)
    low, high = box[case]
    if gaps[case] <= RESOLUTION**2:
        return [box]
    halves = ((low, edges[case]), (edges[case], high))
    return [(*box[:case], half, *box[case + 1 :]) for half in halves]
