"""The compiled counter is the literal one, hand by hand; and it watches the very shoes that `simulate` deals."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from literal_counter import rounds_of_shoe

from houseway.api import Rulebook
from houseway.chunks.done import Shelf, kept_on
from houseway.games.ez_baccarat.game import OUTCOMES
from houseway.kernels.counting import BET, CELL, CLASS_LEFT, COUNT, LEFT, ROUNDS, SHOE, UNSEEN, WIN
from houseway.protect.count import Count
from houseway.protect.customs import DIVISORS, CounterCustoms
from houseway.protect.exact import ExactShoes
from houseway.protect.spread import BINS
from houseway.protect.watch import Watch, WatchedTable

DRAGON, PANDA = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), (1, 1, -2, -2, -2, -1, -1, -2, 4, 1)
BOOK = Rulebook.open("ez-baccarat-wa")
SEED = 20
CASES = {
    "published dragon 7": ("dragon-7", DRAGON, 4, None, CounterCustoms(14)),
    "published panda 8": ("panda-8", PANDA, 11, None, CounterCustoms(14, burn=0)),
    "burned by value, an extra round": ("dragon-7", DRAGON, 4, None, CounterCustoms(14, 1, True, True, 1)),
    "face down by value, cards left": ("panda-8", PANDA, 11, None, CounterCustoms(20, 1, True, False, 0, "left")),
    "running count": ("dragon-7", (1, *DRAGON[1:]), 0, -32, CounterCustoms(16, burn_shown=True)),
    **{f"by {name}": ("dragon-7", DRAGON, 4, None, CounterCustoms(14, divisor=name)) for name in DIVISORS},
}


def at(wager, customs, **settings):
    return WatchedTable(BOOK.edition, BOOK.edition.settings(settings), wager, customs, SEED)


def count_of(tags, trigger, start=None):
    return Count(tuple(map(Fraction, tags)), Fraction(trigger), None if start is None else Fraction(start))


def literal(table, tags, trigger, start, first, last):
    fresh = [points for points, copies in enumerate(table.setup.shoe) for _ in range(copies)]
    by_points = {1 + place if place < 9 else 0: tag for place, tag in enumerate(tags)}
    for number in range(first, last):
        yield from rounds_of_shoe(table.seed, number, fresh, by_points, trigger, table.customs, start)


def check_hand_by_hand(case, first, last):
    wager, tags, trigger, start, customs = CASES[case]
    table = at(wager, customs)
    rows = Watch(table, count_of(tags, trigger, start)).trace(first, last)
    rounds = list(literal(table, tags, trigger, start, first, last))
    assert len(rows) == len(rounds)
    for row, (shoe, unseen, running, bets, result, left, by_points) in zip(rows, rounds, strict=True):
        assert [row[SHOE], row[UNSEEN], row[COUNT], row[BET], row[LEFT]] == [shoe, unseen, running, bets, left]
        assert OUTCOMES[row[CELL]].id == result
        assert row[CLASS_LEFT:].tolist() == by_points


@pytest.mark.parametrize("case", CASES)
def test_the_counter_equals_the_literal_one_hand_by_hand(case):
    check_hand_by_hand(case, 0, 18)


@pytest.mark.deep
@pytest.mark.parametrize("case", CASES)
def test_the_counter_equals_the_literal_one_on_ten_thousand_shoes(case):
    for first in range(0, 10_000, 500):
        check_hand_by_hand(case, first, first + 500)


def test_what_a_shoe_came_to_is_summed_up_at_every_cut_card_as_if_it_had_been_the_only_one():
    wager, tags, trigger, _, customs = CASES["burned by value, an extra round"]
    table = at(wager, customs)
    watch = Watch(table, count_of(tags, trigger), (15, 16, 30, 104))
    watched = watch.watched(40)
    assert watch.cuts == (104, 30, 16, 15, 14)
    for place, cut in enumerate(watch.cuts):
        rounds = list(literal(table.with_cut(cut), tags, trigger, None, 0, 40))
        bets = [result == "dragon-7" for _, _, _, bet, result, _, _ in rounds if bet]
        assert watched.moments[place, ROUNDS] == len(rounds)
        assert watched.bets[place].tolist() == [bets.count(False), bets.count(True)]
        assert watched.moments[place, WIN] == sum(40 if won else -1 for won in bets)
        assert watched.figures(cut).units_per_shoe == pytest.approx(watched.moments[place, WIN] / 40)


def test_counts_are_gathered_for_the_tables_own_cut_card():
    table = at("dragon-7", CounterCustoms(104))
    watch = Watch(table, count_of(DRAGON, 4), (14,))
    watched = watch.watched(30)
    assert watch.cuts == (104, 14)
    assert watched.by_count.sum() == watched.moments[0, ROUNDS] < watched.moments[1, ROUNDS]


def test_how_the_work_is_shared_out_changes_no_sum(monkeypatch):
    watch = Watch(at("panda-8", CounterCustoms(14)), count_of(PANDA, 11))
    together = watch.watched(60)
    monkeypatch.setattr("houseway.protect.watch.PACE", 6.0)
    apart = watch.watched(60)
    for name in ("bets", "by_count", "moments"):
        assert np.array_equal(getattr(together, name), getattr(apart, name)), name


def test_a_watch_that_is_stopped_goes_on_with_the_next_shoe(tmp_path, monkeypatch):
    """What was watched before is not watched again, and in the end every sum is as if nobody had stopped it."""
    watch, shoes = Watch(at("panda-8", CounterCustoms(14)), count_of(PANDA, 11)), 90
    at_once = watch.watched(shoes)
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    monkeypatch.setattr("houseway.protect.watch.PACE", 6.0)

    def stop(done, total):
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch.watched(shoes, stop)
    told = []
    gone_on = watch.watched(shoes, lambda done, total: told.append(done))
    assert shoes / 2 < min(told) <= max(told) == shoes
    for name in ("bets", "by_count", "moments"):
        assert np.array_equal(getattr(at_once, name), getattr(gone_on, name)), name
    assert not list(tmp_path.iterdir()), "nothing is left to go on with"


def test_only_the_same_watch_goes_on(tmp_path, monkeypatch):
    """Other cards, tags, bets, cut cards or numbers of shoes are other works."""
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    table = at("panda-8", CounterCustoms(14))
    watches = [
        Watch(table, count_of(PANDA, 11)),
        Watch(replace(table, seed=SEED + 1), count_of(PANDA, 11)),
        Watch(at("dragon-7", CounterCustoms(14)), count_of(PANDA, 11)),
        Watch(at("panda-8", CounterCustoms(15)), count_of(PANDA, 11)),
        Watch(table, count_of(PANDA, 10)),
        Watch(table, count_of(DRAGON, 11)),
        Watch(table, replace(count_of(PANDA, 11), units=(2,) * BINS)),
        Watch(table, count_of(PANDA, 11), (26,)),
        Watch(table, count_of(PANDA, 11), (), count_of(DRAGON, 4)),
    ]
    with kept_on(Shelf("all", whole_stays=True)):
        for watch in watches:
            watch.watched(3)
        watches[0].watched(4)
        assert len(list((tmp_path / "all").iterdir())) == len(watches) + 1
        watches[0].watched(3)
        assert len(list((tmp_path / "all").iterdir())) == len(watches) + 1


@pytest.mark.parametrize(
    "customs", [CounterCustoms(14), CounterCustoms(30, 1, True, True, 2)], ids=["one burned", "burned by value"]
)
def test_a_counter_watches_the_shoes_that_simulate_deals(customs):
    given = {"cut": customs.cut, "burn_by_value": customs.burn_by_value, "extra": customs.extra, "seed": SEED}
    simulated = BOOK.simulate(shoes=50, **given)
    rows = Watch(at("dragon-7", customs), count_of(DRAGON, 4)).trace(0, 50)
    assert len(rows) == simulated.rounds
    hits = {OUTCOMES[cell].id: int((rows[:, CELL] == cell).sum()) for cell in range(len(OUTCOMES))}
    assert hits == {outcome.id: simulated.wagers["tie"].hits.get(outcome.id, 0) for outcome in OUTCOMES}


def test_exact_shoes_bet_where_the_compiled_counter_does():
    for case in ("published dragon 7", "running count", "face down by value, cards left"):
        wager, tags, trigger, start, customs = CASES[case]
        table, count = at(wager, customs), count_of(tags, trigger, start)
        rows = Watch(table, count).trace(7, 27)
        assert np.array_equal(ExactShoes(table, 7, 20).where(count), rows[:, BET] == 1), case
