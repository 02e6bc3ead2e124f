"""The compiled rounds of Duki 4 Poker are the game's own: round by round, by its `play`, and within the errors of its odds."""

import json
from fractions import Fraction

import numpy as np
import pytest
from simulated_hands import assert_nothing_changes_a_tally, compiled, counts, on_simulated_graphics, results_of, rounds_of

from houseway.games import open_edition
from houseway.games.duki_4_poker import rules
from houseway.games.duki_4_poker.game import GAME
from houseway.games.duki_4_poker.simulate import PLAYERS, exact, solved
from houseway.games.duki_4_poker.simulate.rounds import BEST_AT
from houseway.games.duki_4_poker.solve.best import numbers_of
from houseway.rulebook.game import Request
from houseway.simulate.question import ask
from houseway.simulate.simulator import Seat
from houseway.solve.solver import choices

EDITION = "duki-4-wa"
BETS = {"ante": 1000, "duki-bonus": 500}
SETTINGS = ({}, {"R8": "even-money"}, {"R9": "no"}, {"R8": "even-money", "R9": "no"})


def question(players, settings=None, **how) -> str:
    edition = open_edition(EDITION)
    seats = tuple(Seat(BETS, player) for player in players)
    return ask(edition, edition.settings(settings or {}), seats, **how).as_text()


def decides(player: str, hand: tuple[int, ...], edition, settings) -> str:
    """Whether he plays, asked of the solver and of the rules hand by hand."""
    encoded = GAME.encode(settings)
    score = rules.duki_score(np.array(hand, np.int64), 0, encoded)
    if player in {"play", "fold"}:
        return player
    if player == "every-duki":
        return "play" if score != rules.NO_DUKI else "fold"
    if player == "lines":
        return "play" if score >= solved(edition, settings).line else "fold"
    return choices(edition, settings, hand)[0].name


@pytest.mark.parametrize("chosen", SETTINGS)
@pytest.mark.parametrize("seats", [1, 2, 7])
def test_every_round_is_what_the_games_own_play_makes_of_its_cards(chosen, seats):
    edition = open_edition(EDITION)
    settings = edition.settings(chosen)
    players = [("lines", "every-duki", "play", "fold", "lines", "play", "every-duki")[seat] for seat in range(seats)]
    dealer = compiled(question(players, chosen, seed=seats))
    order = GAME.dealing.order(tuple(range(1, seats + 1)), settings, 0)
    for deck, cells in rounds_of(dealer, range(1200 // seats)):
        hands = {who: tuple(card for card, to in zip(deck, order, strict=False) if to == who) for who in order}
        for seat, player in enumerate(players):
            hand = hands[seat + 1]
            choice = decides(player, hand, edition, settings)
            request = Request(hand + hands["dealer"], (choice,), BETS, settings, GAME.encode(settings), offered=edition.offered)
            assert results_of(GAME.play(request).results) == results_of(dealer.setup.meaning(cells[seat])), (deck, seat)


def test_the_best_player_decides_as_the_solver_says_of_each_hand():
    edition = open_edition(EDITION)
    settings = edition.settings()
    dealer, folded = compiled(question(["best"])), 0
    for deck, cells in rounds_of(dealer, range(40)):
        ante = dealer.setup.meaning(cells[0])[0]
        assert (ante.outcome == "fold") == (decides("best", tuple(deck[:4]), edition, settings) == "fold")
        folded += ante.outcome == "fold"
    assert 0 < folded < 40


def test_the_best_player_errs_nowhere_that_the_line_does():
    """The few hands in which the line is wrong: the table says so of all their suits."""
    edition = open_edition(EDITION)
    game = solved(edition, edition.settings())
    word = compiled(question(["best"])).setup.tables.hands
    plays = word[numbers_of(game.hands)] >> BEST_AT == 1
    assert (plays == game.choice).all() and (plays != game.by_line).any()
    assert int((word >> BEST_AT == 1).sum()) == int(game.weights[game.choice].sum())


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("chosen", [SETTINGS[0], SETTINGS[3]])
def test_shares_lie_within_four_standard_errors_of_the_exact_ones(player, chosen):
    edition = open_edition(EDITION)
    settings, rounds = edition.settings(chosen), 400_000
    dealer = compiled(question([player], chosen, seed=3))
    tally = dealer.deal(0, rounds)["cells"][0]
    for wager in ("ante", "duki-bonus"):
        sheet = exact(edition, settings, wager, player)
        hits: dict[str, int] = {}
        for cell, count in enumerate(tally.tolist()):
            for ended in dealer.setup.meaning(cell):
                if ended.wager == wager:
                    row = edition.row(wager, ended.outcome, settings)
                    hits[row] = hits.get(row, 0) + count
        assert sum(hits.values()) == rounds
        for row in sheet.rows:
            share, seen = float(row.probability), hits.get(row.outcome, 0) / rounds
            assert abs(seen - share) <= 4 * max(share * (1 - share) / rounds, 1 / rounds**2) ** 0.5, (wager, row.outcome)


@pytest.mark.parametrize(("player", "in_odds"), [("best", "best"), ("lines", "line")])
def test_the_exact_sheets_are_those_of_odds(data, player, in_odds):
    edition = open_edition(EDITION)
    (told,) = data("odds", EDITION, "--wager", "ante", "--player", in_odds)["wagers"]
    assert exact(edition, edition.settings(), "ante", player).house_edge == Fraction(told["house_edge"]["exact"])
    assert exact(edition, edition.settings(), "ante", "fold").house_edge == 1


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)


@pytest.mark.usefixtures("results")
def test_chunks_threads_and_a_cluster_never_change_a_tally():
    assert_nothing_changes_a_tally(compiled(question(["lines", "every-duki", "play"], session_rounds=20, seed=5)))


def test_a_graphics_processor_never_changes_a_tally():
    dealer = compiled(question(["lines", "best"], seed=9))
    assert counts(on_simulated_graphics(dealer, 3, 40)) == counts(dealer.deal(3, 40))


def test_a_table_of_seven_is_simulated_from_the_shell(run):
    code, out, _ = run("simulate", EDITION, "--rounds", "5e4", "--seats", "7", "--player", "lines", "--format", "json")
    told = json.loads(out)
    assert code == 0 and told["rounds"] == 50_000 and len(told["seats"]) == 7
    assert all(abs(wager["z"]) < 4 for wager in told["wagers"]) and len(told["wagers"]) == 2
    assert sum(each["hits"] for each in told["wagers"][0]["outcomes"]) == 350_000
