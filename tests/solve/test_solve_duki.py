"""Duki solved: against every dealer's hand met one by one, against the par sheet of a named strategy, by simulation."""

import json
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import houseway
from houseway.cards import parse_cards
from houseway.games import open_edition
from houseway.games.duki_4_poker.rules import duki_score, showdown
from houseway.kernels.compiled import plain
from houseway.solve import duki

EDITION = open_edition("duki-4-wa")
READINGS = [{}, {"R8": "even-money"}, {"R9": "no"}]


@pytest.fixture(scope="module")
def solved() -> duki.Solved:
    return duki.solve(EDITION, EDITION.settings())


def met_one_by_one(cards: tuple[int, ...], settings, seen: int = -1) -> Fraction:
    """What playing is worth, by settling the hand against every hand that the dealer can have."""
    encoded, total, count = EDITION.game.encode(settings), Fraction(0), 0
    names = [outcome.id for outcome in EDITION.game.wagers["ante"].outcomes]
    nets = {name: EDITION.pay("ante", name, settings).net + EDITION.pay("play", name, settings).net for name in names}
    mine = duki_score(np.array([*cards, *cards]), 0, encoded)
    left = [card for card in range(52) if card not in cards]
    for hand in combinations(left, 4):
        if seen < 0 or seen in hand:
            his = duki_score(np.array([*hand, *hand]), 0, encoded)
            total += nets[names[showdown(mine, his, encoded)]]
            count += 1
    return total / count


@pytest.mark.parametrize("readings", READINGS)
@pytest.mark.parametrize("hand", ["2c 4h 7d 9c", "3h 7d 8c 9c", "9h 9c 6s Jd"])
def test_a_hand_is_worth_what_all_dealer_s_hands_met_one_by_one_make_it(readings, hand) -> None:
    settings, cards = EDITION.settings(readings), parse_cards(hand)
    assert duki.value_of_hand(EDITION, settings, cards) == met_one_by_one(cards, settings)


def test_a_seen_card_leaves_the_dealer_s_hands_that_hold_it() -> None:
    settings, cards, seen = EDITION.settings(), parse_cards("3h 7d 8c 9c"), parse_cards("Kd")[0]
    assert duki.value_of_hand(EDITION, settings, cards, seen) == met_one_by_one(cards, settings, seen)


def test_playing_every_duki_is_worth_what_the_par_sheet_of_that_strategy_says(solved) -> None:
    sheet = houseway.edition("duki-4-wa").odds()["ante"]
    plays = solved.scores > 0
    assert -solved.value(plays) == sheet.house_edge
    assert {name: count for name, count in solved.tally(plays).items() if count} == {
        outcome.id: count for outcome, count in _counts(sheet) if count
    }


def _counts(sheet):
    from houseway.odds.par_sheet import NOTHING_REMOVED, tally_of

    tally = tally_of(EDITION, sheet.wager, sheet.settings, NOTHING_REMOVED, None)
    return zip(sheet.wager.outcomes, tally.counts, strict=True)


def test_every_deal_is_counted_and_the_best_play_is_no_worse_than_any_line(solved) -> None:
    assert solved.total == 52_677_670_500
    assert sum(solved.tally(solved.choice).values()) == solved.total
    assert len(solved.hands) == 16_432
    assert solved.house_edge <= -solved.value(solved.by_line)
    assert solved.line_costs >= 0
    assert float(solved.house_edge) == pytest.approx(0.0329602751511193, abs=1e-15)


def test_no_other_choice_in_any_hand_is_better(solved) -> None:
    worth = solved.play / solved.against
    assert (worth[solved.choice] > -1).all()
    assert (worth[~solved.choice] <= -1).all()


def test_simulation_of_the_best_play_agrees_within_four_standard_errors(solved) -> None:
    """The same rules, dealt at random: the strategy is looked up by the class of the hand."""
    chance, rounds = random.Random(7), 20_000
    encoded, settings = EDITION.game.encode(EDITION.settings()), EDITION.settings()
    names = [outcome.id for outcome in EDITION.game.wagers["ante"].outcomes]
    nets = [float(EDITION.pay("ante", n, settings).net + EDITION.pay("play", n, settings).net) for n in names]
    threshold = solved.line
    wins = []
    for _ in range(rounds):
        cards = chance.sample(range(52), 8)
        tape = np.array(cards)
        mine, his = plain(duki_score)(tape, 0, encoded), duki_score(tape, 4, encoded)
        wins.append(nets[showdown(mine, his, encoded)] if mine >= threshold else -1.0)
    error = float(np.std(wins)) / rounds**0.5
    assert abs(float(np.mean(wins)) - float(solved.value(solved.by_line))) < 4 * error


def test_a_bonus_beside_the_ante_makes_a_fold_dearer() -> None:
    alone = duki.solve(EDITION, EDITION.settings())
    beside = duki.solve(EDITION, EDITION.settings(), Fraction(5))
    assert (beside.choice | ~alone.choice).all()  # whatever is played alone is played with a Bonus too


def test_seeing_a_card_helps(solved) -> None:
    assert duki.edge_with_a_card_seen(EDITION, EDITION.settings()) < solved.house_edge


@pytest.mark.parametrize("hand", ["9h 9c", "9h 9h 6s Jd", "9h 9c 6s Jk", "9h 9c 6s Jd Qd"])
def test_an_impossible_hand_is_one_clear_line(hand, capsys, monkeypatch) -> None:
    import sys

    from houseway.cli.main import main

    monkeypatch.setattr(sys, "argv", ["houseway", "best", "duki-4-wa", "--hand", hand])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("houseway: ") and said.count("\n") == 1


def test_the_solution_as_json(capsys, monkeypatch) -> None:
    import sys

    from houseway.cli.main import main

    monkeypatch.setattr(sys, "argv", ["houseway", "solve", "duki-4-wa", "--format", "json"])
    with pytest.raises(SystemExit):
        main()
    told = json.loads(capsys.readouterr().out)
    assert told["strategy"] == "Play a 3-card Duki of 9-7-4 or better; fold the rest."
    assert Fraction(told["house_edge"]["exact"]) == Fraction(96459473, 2926537250)
