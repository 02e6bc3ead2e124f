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
from houseway.games.duki_4_poker.solve import best as duki
from houseway.games.duki_4_poker.solve import seen as duki_seen
from houseway.kernels.compiled import plain
from houseway.solve import kept

EDITION = open_edition("duki-4-wa")
READINGS = [{}, {"R8": "even-money"}, {"R9": "no"}]
EDGE_WITH_A_HAND_SEEN = Fraction(13_068_031_462_363, 397_280_358_224_750)


@pytest.fixture(scope="module")
def solved() -> duki.Solved:
    return duki.solve(EDITION, EDITION.settings())


def met_one_by_one(cards: tuple[int, ...], settings, seen: int = -1, gone: tuple[int, ...] = ()) -> Fraction:
    """What playing is worth, by settling the hand against every hand that the dealer can have."""
    encoded, total, count = EDITION.game.encode(settings), Fraction(0), 0
    names = [outcome.id for outcome in EDITION.game.wagers["ante"].outcomes]
    nets = {name: EDITION.pay("ante", name, settings).net + EDITION.pay("play", name, settings).net for name in names}
    mine = duki_score(np.array([*cards, *cards]), 0, encoded)
    left = [card for card in range(52) if card not in (*cards, *gone)]
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


def test_a_bonus_of_many_decimals_is_compared_exactly() -> None:
    alone, beside = duki.solve(EDITION, EDITION.settings()), duki.solve(EDITION, EDITION.settings(), Fraction(1, 10**30))
    assert (beside.choice == alone.choice).all()


def test_seeing_a_card_helps(solved) -> None:
    assert duki.edge_with_a_card_seen(EDITION, EDITION.settings()) < solved.house_edge


@pytest.mark.parametrize("readings", READINGS)
@pytest.mark.parametrize("pair", [("3h 7d 8c 9c", "Ks Qs Js As"), ("2c 2d 3h As", "Ac 2h 9d 3s")])
def test_another_hand_seen_leaves_the_dealer_s_hands_without_its_cards(readings, pair) -> None:
    settings, cards, other = EDITION.settings(readings), parse_cards(pair[0]), parse_cards(pair[1])
    worth = duki_seen.value_beside(EDITION, settings, cards, other)
    assert worth == met_one_by_one(cards, settings, gone=other)


def beside_every_other(solved: duki.Solved, some: range, least: int | None = None) -> tuple[list[int], list[int]]:
    """What some classes win beside all hands of another player's, and how often they are played (from `least` on)."""
    tables = duki.tabulate(EDITION.game.encode(EDITION.settings()))
    hands = np.ascontiguousarray(solved.hands[some])
    own, nets = tables.classes[duki.numbers_of(hands)], duki_seen._nets(solved, tables.outcomes)
    enough = solved.enough(duki_seen.BESIDE)[some] if least is None else np.full(len(some), least)
    won, played = np.zeros(len(some), np.int64), np.zeros(len(some), np.int64)
    fold = -solved.unit * duki_seen.BESIDE
    duki_seen._decide(hands, own, tables.classes, nets, np.ascontiguousarray(enough), fold, won, played, 0, len(some))
    return won.tolist(), played.tolist()


def test_without_a_look_at_it_another_hand_makes_no_difference(solved) -> None:
    some = range(0, 16_432, 400)
    won, played = beside_every_other(solved, some, least=-(10**15))
    assert won == [int(solved.play[place]) * duki_seen.BESIDE for place in some]
    assert set(played) == {duki.AGAINST}


def test_with_a_look_at_it_no_hand_does_worse_and_a_close_one_better(solved) -> None:
    some = range(0, 16_432, 400)
    won, _ = beside_every_other(solved, some)
    alike = duki.AGAINST * duki_seen.BESIDE
    for place, sum_ in zip(some, won, strict=True):
        assert sum_ >= max(int(solved.play[place]) * duki_seen.BESIDE, -solved.unit * alike)
    close = int(np.argmin(abs(solved.play / solved.against + 1)))
    (sum_,), (times,) = beside_every_other(solved, range(close, close + 1))
    assert sum_ > max(int(solved.play[close]) * duki_seen.BESIDE, -solved.unit * alike)
    assert 0 < times < duki.AGAINST


def test_simulation_of_the_best_play_with_a_hand_seen_agrees_within_four_standard_errors(solved) -> None:
    """Three hands dealt at random; what playing is worth beside the hand that is seen is computed for each deal."""
    chance, rounds, settings = random.Random(11), 3_000, EDITION.settings()
    encoded, names = EDITION.game.encode(settings), [outcome.id for outcome in EDITION.game.wagers["ante"].outcomes]
    pays = [float(EDITION.pay("ante", n, settings).net + EDITION.pay("play", n, settings).net) for n in names]
    tables = duki.tabulate(encoded)
    nets, wins = duki_seen._nets(solved, tables.outcomes), []
    for _ in range(rounds):
        cards = chance.sample(range(52), 12)
        total = duki_seen._win_beside(tables.classes, nets, tuple(cards[:4]), tuple(cards[4:8]))
        mine, his = duki_score(np.array(cards), 0, encoded), duki_score(np.array(cards), 8, encoded)
        plays = total > -solved.unit * duki_seen.BESIDE
        wins.append(pays[showdown(mine, his, encoded)] if plays else -1.0)
    error = float(np.std(wins)) / rounds**0.5
    assert abs(float(np.mean(wins)) + float(EDGE_WITH_A_HAND_SEEN)) < 4 * error


def test_the_edge_with_a_hand_seen_is_found_once_and_kept(tmp_path, monkeypatch, solved) -> None:
    """Shortened: only the first classes are solved, in parts; the rest win nothing."""
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path)
    monkeypatch.setattr(duki_seen, "PART", 8_000)
    monkeypatch.setattr(duki_seen, "share", lambda size, work: work(0, 20))
    told: list[tuple[int, int]] = []
    for _ in range(2):
        found = duki_seen.solve_with_a_hand_seen(EDITION, EDITION.settings(), lambda done, of: told.append((done, of)))
        assert 0 < found.plays < 1
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.deep
def test_the_edge_with_a_hand_seen(tmp_path, monkeypatch, solved) -> None:
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path)
    found = duki_seen.solve_with_a_hand_seen(EDITION, EDITION.settings())
    assert found.house_edge == EDGE_WITH_A_HAND_SEEN < solved.house_edge
    assert found.plays == Fraction(2_941_028_053, 4_389_805_875)


@pytest.mark.deep
@pytest.mark.parametrize("readings", READINGS[1:])
def test_seeing_a_hand_helps_as_much_under_every_reading(readings, tmp_path, monkeypatch, solved) -> None:
    """The readings are about 4-card Dukis and straights: all of those are played whatever is seen."""
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path)
    settings = EDITION.settings(readings)
    found = duki_seen.solve_with_a_hand_seen(EDITION, settings)
    helped = duki.solve(EDITION, settings).house_edge - found.house_edge
    assert helped == solved.house_edge - EDGE_WITH_A_HAND_SEEN > 0


@pytest.mark.parametrize("other", ["Ks Qs Js", "Ks Qs Js 9c", "Ks Qs Js Jk", "Ks Qs Js 10s As"])
def test_an_impossible_hand_of_another_player_is_one_clear_line(other, capsys, monkeypatch) -> None:
    import sys

    from houseway.cli.main import main

    monkeypatch.setattr(sys, "argv", ["houseway", "best", "duki-4-wa", "--hand", "3h 7d 8c 9c", "--other", other])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("houseway: ") and said.count("\n") == 1


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
