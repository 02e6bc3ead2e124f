"""Effects of removal, the best tags and triggers, the exact worth of any composition: each held against a second way."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from houseway.api import Rulebook
from houseway.cards import Composition
from houseway.odds.par_sheet import par_sheet
from houseway.protect.count import Count
from houseway.protect.customs import CounterCustoms
from houseway.protect.exact import ExactShoes, estimated_worth
from houseway.protect.protection import protection_of
from houseway.protect.search import found_counts, most_dangerous, start_of
from houseway.protect.tags import best_tags, betting_correlation, effects_of_removal
from houseway.protect.watch import Watch, WatchedTable

BOOK = Rulebook.open("ez-baccarat-wa")
SETTINGS = BOOK.edition.settings()
COPIES = (32,) * 9 + (128,)


@pytest.fixture(scope="module")
def exact():
    return ExactShoes(WatchedTable(BOOK.edition, SETTINGS, "dragon-7", CounterCustoms(14)), 0, 150)


@pytest.mark.parametrize("wager", ["dragon-7", "panda-8", "tie", "banker", "player"])
def test_the_worth_of_a_composition_is_that_of_its_par_sheet(wager):
    worth = protection_of(BOOK.edition).worth(BOOK.edition, SETTINGS, wager)
    rng = np.random.default_rng(7)
    gone = [sorted(rng.choice(52, size, replace=False).tolist()) for size in (0, 1, 7, 30, 52)]
    compositions = np.tile(np.array([128, *[32] * 9], np.int64), (len(gone), 1))
    for row, cards in zip(compositions, gone, strict=True):
        for card in cards:
            pips = card // 4 + 2
            row[1 if pips == 14 else 0 if pips >= 10 else pips] -= 1
    edges = worth(compositions)
    for edge, cards in zip(edges, gone, strict=True):
        sheet = par_sheet(BOOK.edition, wager, SETTINGS, Composition(tuple(cards)))
        assert edge == pytest.approx(float(-sheet.house_edge), abs=1e-14)


def test_the_best_tags_of_level_1_are_the_best_of_all_59048():
    effects = effects_of_removal(BOOK.edition, SETTINGS, "panda-8")
    every = np.array(list(product((-1, 0, 1), repeat=10)), float)
    weights = np.array(COPIES) / sum(COPIES)
    follow = np.array([float(effect) for effect in effects])
    follow -= follow @ weights
    sums = every @ weights
    spread = (every**2) @ weights - sums**2
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.nan_to_num((every * follow) @ weights / np.sqrt(spread * (follow**2 @ weights)), nan=-1)
    for best in best_tags(effects, COPIES, 1):
        of_its_sum = correlations[np.isclose(sums * 52, best.sum_of_a_deck)]
        assert best.correlation == pytest.approx(of_its_sum.max(), abs=1e-9)
        assert betting_correlation(list(map(Fraction, best.tags)), effects, COPIES) == pytest.approx(best.correlation)


def test_the_published_tags_are_the_best_of_their_level():
    effects = effects_of_removal(BOOK.edition, SETTINGS, "dragon-7")
    balanced = next(best for best in best_tags(effects, COPIES, 2) if best.sum_of_a_deck == 0)
    assert balanced.tags == (0, 0, 0, -1, -1, -1, -1, 2, 2, 0)


def test_a_higher_level_never_correlates_worse():
    effects = effects_of_removal(BOOK.edition, SETTINGS, "panda-8")
    of_levels = [{best.sum_of_a_deck: best.correlation for best in best_tags(effects, COPIES, level)} for level in (1, 2, 3)]
    assert of_levels[0][0] <= of_levels[1][0] <= of_levels[2][0] < 1


def test_no_other_trigger_wins_more_in_the_same_shoes(exact):
    tags = tuple(map(Fraction, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0)))
    best = exact.best_trigger(tags, None)
    won = {half: exact.of_count(Count(tags, Fraction(half, 2))).units_per_shoe.value for half in range(-4, 20)}
    assert won[int(best * 2)] == max(won.values())


def test_a_running_count_of_tags_that_sum_up_to_u_is_a_true_count_of_u(exact):
    """The unbalanced count of the field: ace 1, and the balanced rest, from -32; at 0 the balanced true count is 4."""
    tags = tuple(map(Fraction, (1, 0, 0, -1, -1, -1, -1, 2, 2, 0)))
    start = start_of(tags, exact.table)
    assert start == -32
    balanced = tuple(tag - Fraction(4, 52) for tag in tags)
    true, running = Count(balanced, Fraction(4)), Count(tags, Fraction(0), start)
    assert np.array_equal(exact.where(true), exact.where(running))


def test_nobody_wins_more_than_perfect_play_and_the_best_count_comes_near(exact):
    table = exact.table
    found = found_counts(table, exact, effects_of_removal(BOOK.edition, SETTINGS, "dragon-7"))
    assert [(each.best.level, each.best.sum_of_a_deck == 0) for each in found] == [
        (level, balanced) for level in (1, 2, 3) for balanced in (True, False)
    ]
    ceiling = exact.ceiling().units_per_shoe.value
    assert all(each.bets.units_per_shoe.value < ceiling for each in found)
    assert most_dangerous(found).bets.units_per_shoe.value > 0.8 * ceiling


def test_results_and_exact_worth_of_the_bets_agree():
    """The edge when it bets, found in two ways that share nothing but the shoes' conventions."""
    table = WatchedTable(BOOK.edition, SETTINGS, "dragon-7", CounterCustoms(14))
    count = Count(tuple(map(Fraction, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0))), Fraction(4))
    played, valued = Watch(table, count).watched(40_000).figures(), ExactShoes(table, 10**9, 400).of_count(count)
    for name in ("edge_when_bet", "units_per_shoe", "units_per_100_rounds"):
        estimate = getattr(valued, name)
        error = (played.errors[name] ** 2 + estimate.error**2) ** 0.5
        assert abs(getattr(played, name) - estimate.value) < 4 * error, name


def test_a_bet_in_every_round_is_worth_the_house_edge():
    """No count, no win: with a trigger that is always reached, what is bet loses the par sheet's edge."""
    table = WatchedTable(BOOK.edition, SETTINGS, "panda-8", CounterCustoms(104))
    always = Count((Fraction(1),) * 10, Fraction(-1000))
    figures = Watch(table, always).watched(40_000).figures()
    sheet = par_sheet(BOOK.edition, "panda-8", SETTINGS)
    assert figures.bets_share == 1
    assert abs(figures.edge_when_bet + float(sheet.house_edge)) < 4 * figures.errors["edge_when_bet"]
    assert figures.standard_deviation_per_round == pytest.approx(sheet.standard_deviation, rel=0.01)


def test_an_estimate_by_effects_of_removal_is_good_enough_to_choose_by(exact):
    """For wagers without exact odds of every composition: who bets by it wins most of what perfect play does."""
    effects = effects_of_removal(BOOK.edition, SETTINGS, "dragon-7")
    whole = -par_sheet(BOOK.edition, "dragon-7", SETTINGS).house_edge
    estimate = ExactShoes(exact.table, 0, 150, estimated_worth(exact.table, effects, whole))
    assert np.corrcoef(estimate.edges, exact.edges)[0, 1] > 0.9
    assert exact.bets(estimate.edges > 0).units_per_shoe.value > 0.85 * exact.ceiling().units_per_shoe.value


@pytest.mark.deep
@pytest.mark.parametrize(("wager", "published"), [("dragon-7", 0.85), ("panda-8", 0.37)])
def test_the_ceiling_is_the_published_one(wager, published):
    """Perfect play at a penetration of .966, nothing burned: published from 600,000 rounds, to two digits."""
    ceiling = (
        ExactShoes(WatchedTable(BOOK.edition, SETTINGS, wager, CounterCustoms(14, burn=0)), 0, 3000)
        .ceiling()
        .units_per_100_rounds
    )
    its_error = ceiling.error * (3000 * 82 / 600_000) ** 0.5
    assert abs(ceiling.value - published) < 3 * (ceiling.error**2 + its_error**2 + 0.003**2) ** 0.5
