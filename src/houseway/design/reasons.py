"""Why there is none: each condition without which there would be a design, and how far one comes."""

from dataclasses import replace
from fractions import Fraction

from houseway.design.bands import Band
from houseway.design.model import Goal
from houseway.design.problem import Problem
from houseway.design.search import search
from houseway.solve.answer import percent

NAMES = {
    "edge": "the edge",
    "hit": "the hit rate",
    "sd": "the standard deviation",
    "top": "the top prize",
    "order": "the order (no smaller pay for a rarer hand; --any-order drops it)",
}


def edges_possible(problem: Problem, case: int, seconds: float) -> Band:
    """The least and the most edge that the rows and the order allow in a case, with nothing else asked."""
    rows = (
        replace(row, chances=(row.chances[case],), worths=(row.worths[case],) if row.worths else ()) for row in problem.rows
    )
    free = Problem(tuple(rows), rarer=problem.rarer)
    ends: list[Fraction | None] = []
    goals: tuple[Goal, Goal] = ("least-edge", "most-edge")
    for goal in goals:
        found = search(free, goal, seconds=seconds)
        ends.append(free.figures(found.pays[0], 0).edge if found.pays else None)
    return Band(ends[0], ends[1], is_percent=True)


def why_none(problem: Problem, cases: tuple[str, ...], seconds: float = 20) -> list[str]:
    """What is in the way, in sentences; `cases` are what each is called."""
    sentences = []
    for case, name in enumerate(cases):
        possible, hits = edges_possible(problem, case, seconds), problem.hits_possible(case)
        if possible.least is None or possible.most is None:
            return [
                "no pays of these rows keep the order (no smaller pay for a rarer hand): --any-order drops it, --rows widens"
            ]
        where = f" with {name}" if name else ""
        if _is_outside(problem.edge, possible):
            is_high = problem.edge.least is not None and possible.most < problem.edge.least
            limit = f"at most {percent(possible.most)}" if is_high else f"at least {percent(possible.least)}"
            sentences.append(f"the edge: the rows allow {limit}{where}, never {problem.edge}")
        if _is_outside(problem.hit, hits):
            sentences.append(_of_hits(problem, hits, where))
    return sentences or _dropped(problem, seconds)


def _of_hits(problem: Problem, hits: Band, where: str) -> str:
    assert hits.least is not None
    assert hits.most is not None
    range_ = percent(hits.least) if hits.least == hits.most else f"{percent(hits.least)} to {percent(hits.most)}"
    return (
        f"the hit rate: it is {range_}{where} whatever is paid, never {problem.hit}; pays of any size are hits, so that only "
        "a row that may also lose or push changes it (--rows ROW=lose,1,2)"
    )


def _is_outside(asked: Band, possible: Band) -> bool:
    assert possible.least is not None
    assert possible.most is not None
    too_high = asked.least is not None and possible.most < asked.least
    return too_high or (asked.most is not None and possible.least > asked.most)


def _dropped(problem: Problem, seconds: float) -> list[str]:
    """Every single condition without which there is a pay table, with the nearest that there is."""
    sentences, proved = [], True
    for condition in problem.conditions():
        wants_less = condition == "sd" and problem.variance.most is not None
        goal: Goal = "least-variance" if wants_less else "largest-top" if condition == "top" else "nearest-edge"
        easier = problem.without(condition)
        found = search(easier, goal, seconds=seconds)
        proved &= found.proved
        if not found.pays:
            continue
        pays = found.pays[0]
        figures = [easier.figures(pays, case) for case in range(easier.cases)]
        comes_to = {
            "edge": f"the nearest that the other conditions allow is {_range([one.edge for one in figures])}",
            "hit": f"without it there is a design that wins {_range([one.hit for one in figures])}",
            "sd": f"{'the least' if wants_less else 'one'} that the other conditions allow is "
            + " and ".join(dict.fromkeys(f"{one.deviation:.4f}" for one in figures)),
            "top": f"the largest that the other conditions allow is {easier.top_of(pays)} to 1",
            "order": "without it there is a design",
        }
        sentences.append(f"{NAMES[condition]}: {comes_to[condition]}")
    if sentences:
        return sentences
    all_of_them = "no single condition is in the way: even with any one of them dropped there is none"
    return [all_of_them if proved else "which condition is in the way was not found in the time given (--seconds)"]


def _range(values: list[Fraction]) -> str:
    least, most = min(values), max(values)
    return percent(least, 6) if least == most else f"{percent(least)} to {percent(most)}"
