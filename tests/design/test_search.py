"""The search is exact: on small tables it finds what a plain loop over every combination finds, no more, no less, no worse."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.design.bands import Band
from houseway.design.model import GOALS
from houseway.design.problem import PayRow, Problem
from houseway.design.reasons import edges_possible, why_none
from houseway.design.search import _rank, search

PAYS = (-1, 0, 1, 2, 3, 5, 10, 25, 100)


@st.composite
def problems(draw):
    """Up to four rows of random tallies in one to three cases, a row that loses, and bands around what some pays come to."""
    rows, cases = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    tallies = [[draw(st.integers(0, 400)) for _ in range(rows)] for _ in range(cases)]
    totals = [sum(tally) + draw(st.integers(1, 4000)) for tally in tallies]
    chances = list(
        zip(*([Fraction(n, total) for n in tally] for tally, total in zip(tallies, totals, strict=True)), strict=True)
    )
    choices = [tuple(map(Fraction, sorted(draw(st.sets(st.sampled_from(PAYS), min_size=1, max_size=4))))) for _ in range(rows)]
    paid = [
        PayRow(str(n), may, draw(st.sampled_from(may)), chance)
        for n, (may, chance) in enumerate(zip(choices, chances, strict=True))
    ]
    rest = tuple(1 - sum(column) for column in zip(*chances, strict=True))
    paid.append(PayRow("other", (Fraction(-1),), Fraction(-1), rest))
    if draw(st.booleans()):
        prizes = tuple(map(Fraction, sorted(draw(st.sets(st.sampled_from((5, 10, 50)), min_size=1, max_size=3)))))
        paid.append(PayRow("prize", prizes, prizes[0], chances[0], tuple(chance * 2 for chance in chances[0])))
    rarer = tuple(
        (one, other)
        for one, other in product(range(rows), repeat=2)
        if one != other
        and chances[one] != chances[other]
        and all(a <= b for a, b in zip(chances[one], chances[other], strict=True))
    )
    whole = Problem(tuple(paid), rarer=rarer if draw(st.booleans()) else ())
    some = tuple(draw(st.sampled_from(row.pays)) for row in paid)
    near = [whole.figures(some, case) for case in range(cases)]
    width = draw(st.sampled_from((Fraction(0), Fraction(1, 10**9), Fraction(1, 50), Fraction(1, 4))))
    bands = {"edge": Band(min(one.edge for one in near) - width, max(one.edge for one in near) + width)}
    if draw(st.booleans()):
        least, most = min(one.variance for one in near), max(one.variance for one in near)
        bands["variance"] = draw(st.sampled_from((Band(None, most), Band(least, None), Band(least, most + width))))
    if draw(st.booleans()):
        bands["hit"] = Band(min(one.hit for one in near), max(one.hit for one in near))
    if draw(st.booleans()):
        bands["top"] = draw(
            st.sampled_from((Band(Fraction(3), None), Band(None, Fraction(10)), Band(Fraction(2), Fraction(25))))
        )
    return replace(whole, **bands)


def by_hand(problem):
    """Every combination that meets all conditions, each judged by plain sums of its own."""
    met = []
    for pays in product(*(row.pays for row in problem.rows)):
        own = [(row, pay) for row, pay in zip(problem.rows, pays, strict=True) if not row.worths]
        ok = problem.top.holds(max(pay for _, pay in own))
        for case in range(problem.cases):
            mean = sum(row.chances[case] * pay for row, pay in own)
            envy = sum(row.worths[case] * pay for row, pay in zip(problem.rows, pays, strict=True) if row.worths)
            ok &= problem.edge.holds(-mean - envy)
            ok &= problem.hit.holds(sum(row.chances[case] for row, pay in own if pay > 0) + Fraction(0))
            ok &= problem.variance.holds(sum(row.chances[case] * pay**2 for row, pay in own) - mean**2)
        ok &= all(pays[rare] >= pays[common] for rare, common in problem.rarer if pays[rare] > 0 and pays[common] > 0)
        met += [pays] if ok else []
    return met


@settings(max_examples=60)
@given(problems(), st.sampled_from(GOALS))
def test_all_designs_are_found_and_nothing_else(problem, goal):
    found = search(problem, goal, most=1000)
    assert found.proved
    assert found.complete
    assert sorted(found.pays) == sorted(by_hand(problem))


@settings(max_examples=60)
@given(problems(), st.sampled_from(GOALS))
def test_the_best_by_a_goal_is_the_best_of_all(problem, goal):
    """To within a millionth, which is what the search tells apart."""
    met, found = by_hand(problem), search(problem, goal)
    assert found.proved
    assert bool(found.pays) == bool(met)
    if met:
        best = min(met, key=lambda pays: _rank(problem, goal, pays))
        reached, wanted = (_rank(problem, goal, pays)[:2] for pays in (found.pays[0], best))
        assert found.pays[0] in met
        assert abs(reached[0] - wanted[0]) <= Fraction(2, 10**6) * max(1, abs(wanted[0]))
        if goal != "least-variance":
            assert abs(reached[1] - wanted[1]) <= Fraction(2, 10**6)


@settings(max_examples=25)
@given(problems())
def test_where_there_is_none_a_reason_is_given_and_true(problem):
    if not by_hand(problem):
        assert why_none(problem, ("",) * problem.cases)


@settings(max_examples=25)
@given(problems())
def test_the_edges_that_rows_allow_are_the_least_and_the_most(problem):
    kept = [
        pays
        for pays in product(*(row.pays for row in problem.rows))
        if all(pays[rare] >= pays[common] for rare, common in problem.rarer if pays[rare] > 0 and pays[common] > 0)
    ]
    for case in range(problem.cases):
        possible = edges_possible(problem, case, 60)
        edges = [problem.figures(pays, case).edge for pays in kept]
        assert (possible.least, possible.most) == ((min(edges), max(edges)) if edges else (None, None))


def test_a_band_that_is_missed_by_a_hair_is_missed():
    """Chances of one in ten million: a solver's floats would take it, exact fractions do not."""
    rows = (
        PayRow("rare", (Fraction(1000), Fraction(1001)), Fraction(1000), (Fraction(1, 10**7),)),
        PayRow("other", (Fraction(-1),), Fraction(-1), (1 - Fraction(1, 10**7),)),
    )
    exact = Problem(rows).figures((Fraction(1001), Fraction(-1)), 0).edge
    assert search(Problem(rows, edge=Band(exact, exact))).pays == ((1001, -1),)
    hair = Fraction(1, 10**12)
    missed = search(Problem(rows, edge=Band(exact + hair, exact + 2 * hair)))
    assert (missed.pays, missed.proved, missed.complete) == ((), True, True)


def test_time_that_is_up_is_no_proof():
    rows = tuple(
        PayRow(str(n), tuple(map(Fraction, range(1, 60))), Fraction(1), (Fraction(2 * n + 3, 9973 + n),)) for n in range(12)
    )
    rows += (PayRow("other", (Fraction(-1),), Fraction(-1), (1 - sum(row.chances[0] for row in rows),)),)
    found = search(Problem(rows, edge=Band(Fraction(-7, 10**7), Fraction(1, 10**9))), seconds=1e-9)
    assert not found.proved
    assert not found.complete


@pytest.mark.parametrize("goal", GOALS)
def test_designs_come_in_the_order_of_the_goal(goal):
    chances = [Fraction(1, 1000), Fraction(1, 90), Fraction(1, 11)]
    rows = [PayRow(str(n), tuple(map(Fraction, (1, 2, 5, 20, 50))), Fraction(5), (chance,)) for n, chance in enumerate(chances)]
    rows.append(PayRow("other", (Fraction(-1),), Fraction(-1), (1 - sum(chances),)))
    problem = Problem(tuple(rows), edge=Band(Fraction(1, 10), Fraction(7, 10)), rarer=((0, 1), (0, 2), (1, 2)))
    found = search(problem, goal, most=1000)
    ranks = [_rank(problem, goal, pays) for pays in found.pays]
    assert ranks == sorted(ranks)
    assert len(found.pays) == len(by_hand(problem)) > 10
    assert search(problem, goal, most=3).pays == found.pays[:3]
