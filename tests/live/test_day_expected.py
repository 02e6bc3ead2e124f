"""What is told of a day's books: expected win and its range, ratings, comps, and what is beyond chance."""

import random
from fractions import Fraction
from math import comb

import pytest

from houseway.day.expected import WagerOdds, expectation
from houseway.day.findings import beyond_chance, holds_outside, two_sided
from houseway.day.lines import BoundBook, DayBook, GuestBook, PlayedBook, RoundSums, TableBook, WagerBook
from houseway.day.ratings import ratings

SHARED, OWN = (BoundBook("e", "", {}, (), shared=shared) for shared in (True, False))
EVEN = WagerOdds(Fraction(1, 50), Fraction(1), "", "counted", {"won": Fraction(49, 100)})
LONG = WagerOdds(Fraction(1, 10), Fraction(40), "", "counted", {"jackpot": Fraction(1, 50)})


def odds(bound, wager):
    return {"even": EVEN, "long": LONG}.get(wager)


def played(rounds):
    """The books of rounds, each given as its wins of the house and what was laid by wager, seat by seat."""
    book = PlayedBook()
    for win, seats in rounds:
        laid = {}
        for bets in seats:
            for wager, cents in bets.items():
                of_wager = book.wagers.setdefault(wager, WagerBook())
                of_wager.bets += 1
                of_wager.handle_cents += cents
                of_wager.squares += cents * cents
                laid[wager] = laid.get(wager, 0) + cents
        moments: RoundSums = book.moments
        moments.rounds += 1
        moments.win_cents += win
        moments.wins += win * win
        for one, cents in laid.items():
            moments.with_wager[one] = moments.with_wager.get(one, 0) + win * cents
            for other, more in laid.items():
                if one <= other:
                    pair = f"{one}|{other}"
                    moments.pairs[pair] = moments.pairs.get(pair, 0) + cents * more
    return book


def test_expected_is_laid_times_edge_and_the_variance_is_the_larger_of_odds_and_rounds():
    rng = random.Random(4)
    rounds = [
        (rng.randrange(-900, 900), [{"even": rng.randrange(100, 300), "long": 50}, {"even": rng.randrange(100, 200)}])
        for _ in range(200)
    ]
    book = played(rounds)
    by_hand = [(win - sum(float(odds(None, w).edge) * c for s in seats for w, c in s.items())) for win, seats in rounds]
    seen = sum(distance**2 for distance in by_hand)
    shared, own = (expectation({1: book}, {1: bound}, odds) for bound in (SHARED, OWN))
    laid = book.wagers
    assert shared.expected_cents == Fraction(laid["even"].handle_cents, 50) + Fraction(laid["long"].handle_cents, 10)
    assert own.variance == pytest.approx(seen), "nothing but what was seen says how wide it is here"
    together = sum(sum(s.get("even", 0) for s in seats) ** 2 for _, seats in rounds) + 40 * 50**2 * 200
    apart = sum(s.get("even", 0) ** 2 for _, seats in rounds for s in seats) + 40 * 50**2 * 200
    assert together > apart
    quiet = played([(0, seats) for _, seats in rounds])
    assert expectation({1: quiet}, {1: SHARED}, odds).variance == pytest.approx(together)
    assert expectation({1: quiet}, {1: OWN}, odds).variance == pytest.approx(apart)


def test_tables_that_players_bank_and_wagers_without_odds_are_left_out():
    book = played([(100, [{"even": 100, "insurance": 50}])])
    assert expectation({1: book}, {1: OWN}, odds).left_out == ("insurance",)
    by_players = BoundBook("e", "", {}, (), by_players=True)
    assert expectation({1: book}, {1: by_players}, odds).handle_cents == 0
    assert not expectation({}, {}, odds).is_outside


@pytest.mark.parametrize(("trials", "came", "probability"), [(50, 40, 0.5), (200, 12, 1 / 50), (30, 0, 0.3), (9, 9, 0.2)])
def test_the_chance_is_the_binomial_one(trials, came, probability):
    more = came >= trials * probability
    tail = range(came, trials + 1) if more else range(came + 1)
    exact = sum(comb(trials, k) * probability**k * (1 - probability) ** (trials - k) for k in tail)
    assert two_sided(trials, came, probability) == pytest.approx(min(1, 2 * exact))


def day_of(win, jackpots):
    book = played([(win, [{"long": 100}])] * 400)
    book.wagers["long"].trials, book.wagers["long"].outcomes = 400, {"jackpot": jackpots, "lost": 400 - jackpots}
    return DayBook("d", chance=1_000, bounds={1: OWN}, whole={"t": TableBook(played={1: book})})


def test_a_hold_outside_its_range_is_found_and_one_inside_is_not():
    assert list(holds_outside(day_of(10, 8), odds)) == []
    (found,) = holds_outside(day_of(-100, 8), odds)
    assert (found.what, found.table, found.found, found.expected) == ("hold-outside-range", "t", -40_000, 4_000)
    assert found.low < 4_000 < found.high and found.found < found.low


def test_a_side_bet_beyond_chance_is_found_and_a_lucky_day_is_not():
    assert list(beyond_chance(day_of(10, 14), odds)) == []
    (found,) = beyond_chance(day_of(10, 24), odds)
    assert (found.what, found.wager, found.outcome, found.found, found.of) == ("beyond-chance", "long", "jackpot", 24, 400)
    assert found.expected == 8 and found.p_value < 1e-4


def test_a_false_alarm_is_as_rare_as_the_rule_says():
    """2,000 honest days of a wager, at one in a hundred: an upper bound, which discreteness makes smaller still."""
    rng, alarms = random.Random(1), 0
    for _ in range(2_000):
        book = day_of(10, sum(rng.random() < 0.02 for _ in range(400)))
        book.chance = 100
        alarms += len(list(beyond_chance(book, odds)))
    assert 0 < alarms <= 30


def test_a_rating_is_of_the_bets_that_were_made():
    guests = {
        "ann": {
            "t/1": GuestBook(hands=10, seconds=600, laid={"even": 50_000, "long": 1_000}, bets={"even": 10}, win_cents=-7_000),
            "bank/2": GuestBook(hands=2, seconds=60, laid={"even": 3_000}, win_cents=2_000),
        }
    }
    bounds = {1: OWN, 2: BoundBook("e", "", {}, (), by_players=True)}
    (ann,) = ratings(DayBook("d", comp_percent=20, bounds=bounds, guests=guests), odds)
    assert ann.theoretical_cents == 1_000 + 100 and ann.comps_cents == 220
    assert (ann.hands, ann.seconds, ann.handle_cents, ann.by_players_cents, ann.win_cents) == (12, 660, 51_000, 3_000, -7_000)
    assert ann.average_cents == 4_500
