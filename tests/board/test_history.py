"""Statistics of the games that have no roads."""

import pytest

from houseway.board import Ended, Ends, Finished, Hit, summary
from houseway.games.ez_pai_gow.outcomes import BASE_OUTCOMES
from houseway.games.ez_pai_gow.round import QUEEN_HIGH
from houseway.refusal import Refused


def test_nothing_played_yet():
    empty = summary([], positions=7)
    assert (empty.rounds, empty.last, empty.starts) == (0, (), (0,) * 7)
    assert (empty.marks, empty.ends, empty.hits) == ({}, {}, {})


def test_epg_6_where_the_deal_started_is_counted_by_position():
    rounds = [Finished(number, "Pair of 9s", start=start) for number, start in enumerate((1, 7, 3, 7, 7), 1)]
    assert summary(rounds, positions=7).starts == (1, 0, 1, 0, 0, 0, 3)


@pytest.mark.parametrize("start", [-1, 8])
def test_epg_6_there_is_no_other_position(start):
    with pytest.raises(Refused, match="positions are 1 to 7"):
        summary([Finished(1, "Pair of 9s", start=start)], positions=7)


def test_epg_0_the_dealers_queen_highs_are_counted():
    rounds = [
        Finished(1, "Queen high", marks=(QUEEN_HIGH,)),
        Finished(2, "Two pair"),
        Finished(3, "Queen high", marks=(QUEEN_HIGH,)),
    ]
    assert summary(rounds).marks == {QUEEN_HIGH: 2}


def test_the_mark_of_a_queen_high_is_the_games_own_outcome():
    assert QUEEN_HIGH in {outcome.id for outcome in BASE_OUTCOMES}


def test_the_last_rounds_come_newest_first():
    rounds = [Finished(number, f"Dealer {number}") for number in range(1, 31)]
    board = summary(rounds, last=3)
    assert [finished.headline for finished in board.last] == ["Dealer 30", "Dealer 29", "Dealer 28"]
    assert board.rounds == 30
    assert summary(rounds, last=0).last == ()


def test_wagers_are_counted_by_how_they_ended_and_bonuses_by_what_hit():
    rounds = [
        Finished(1, "Dealer 22", ends=(Ended.of("blackjack", 1500), Ended.of("blackjack", -1000), Ended.of("insurance", -500))),
        Finished(
            2, "Dealer 20", ends=(Ended.of("blackjack", 0),), hits=(Hit("lucky-lucky", "20", 1), Hit("lucky-lucky", "777", 4))
        ),
        Finished(3, "Dealer 19", hits=(Hit("lucky-lucky", "777", 2), Hit("pair", "Straight"))),
    ]
    board = summary(rounds)
    assert board.ends == {"blackjack": Ends(win=1, lose=1, push=1), "insurance": Ends(lose=1)}
    assert board.hits == {"lucky-lucky": {"777": 2, "20": 1}, "pair": {"Straight": 1}}
    assert list(board.hits["lucky-lucky"]) == ["777", "20"], "the most frequent first"
