"""The compiled rounds of EZ Pai Gow are the game's own: round by round, by its `play`, and within the errors of its odds."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from simulated_hands import assert_nothing_changes_a_tally, compiled, counts, on_simulated_graphics, results_of, rounds_of

from houseway.cards import show_cards
from houseway.games import edition_from, open_edition
from houseway.games.ez_pai_gow import rules
from houseway.games.ez_pai_gow.game import GAME
from houseway.games.ez_pai_gow.outcomes import DYNASTY_OUTCOMES
from houseway.games.ez_pai_gow.round import set_by_house_way
from houseway.games.ez_pai_gow.simulate import PLAYERS, tables
from houseway.games.ez_pai_gow.simulate.classes import class_number, class_tables
from houseway.games.ez_pai_gow.solve.hands import classes_of
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.odds.par_sheet import par_sheet
from houseway.rulebook.game import Request
from houseway.simulate.question import ask
from houseway.simulate.report import Simulated
from houseway.simulate.run import Goal, simulate
from houseway.simulate.simulator import Seat

EDITION = "ez-pai-gow-wa"
WAGERS = ("base", "dynasty", "protection", "red-black")
BETS = dict.fromkeys(WAGERS, 500)
DEALS = 8_250_459_031_214_400
SETTINGS = (
    {},
    {"house-way": "foxwoods", "colour": "black", "pay-table": "2", "R5": "highest-rank"},
    {"house-way": "mgm", "joker": "full", "R15": "accepted", "pay-table": "3", "R2b": "all"},
    {"house-way": "stones", "R1": "natural-only", "R2": "joker-elsewhere", "R6": "other-players-with-dynasty-bet"},
)


def question(players, chosen=None, bets=None, **how) -> str:
    edition = open_edition(EDITION)
    given = bets or [BETS] * len(players)
    seats = tuple(Seat(bet, player) for bet, player in zip(given, players, strict=True))
    return ask(edition, edition.settings(chosen or {}), seats, **how).as_text()


def hands_of(deck, seats):
    """Each seat's seven cards, and the dealer's."""
    return [tuple(deck[7 * place : 7 * place + 7]) for place in range(seats + 1)]


def choice_of(player: str, hand, edition, settings) -> str:
    """How he sets: asked of the House Way that he goes by, card by card."""
    if player in {"", "house-way"}:
        return "house-way"
    chosen, _ = set_by_house_way(hand, GAME.encode(edition.settings({**settings, "house-way": player}, what_if=True)))
    return f"set {show_cards(chosen.front_cards)}"


def check_round(dealer, deck, cells, wins) -> int:
    """One round against the game's own `play`; how many prizes were won."""
    edition, settings, prizes = dealer.opened.edition, dealer.opened.settings, 0
    players = [seat.player for seat in dealer.opened.question.seats]
    *hands, his = hands_of(deck, len(players))
    for seat, (player, hand) in enumerate(zip(players, hands, strict=True)):
        others = tuple(other for place, other in enumerate(hands) if place != seat and wins[place])
        choices = choice_of(player, hand, edition, settings), str(settings["colour"])
        request = Request(hand + his, choices, BETS, settings, GAME.encode(settings), others=others, offered=edition.offered)
        told = [
            result
            for result in GAME.play(request).results
            if not result.prize or edition.envy_cents(result.wager, result.outcome, settings)
        ]
        prizes += sum(result.prize for result in told)
        assert results_of(told) == results_of(dealer.setup.meaning(cells[seat])), (deck, seat)
    return prizes


@pytest.mark.parametrize("chosen", SETTINGS)
@pytest.mark.parametrize("players", [["house-way"], ["plaza", "house-way", "plaza"]])
def test_every_round_is_what_the_games_own_play_makes_of_its_cards(chosen, players):
    dealer = compiled(question(players, chosen, seed=len(players)))
    for deck, cells in rounds_of(dealer, range(300 // len(players))):
        check_round(dealer, deck, cells, [True] * len(players))


@pytest.mark.parametrize(("chosen", "needs"), [(SETTINGS[0], "base"), (SETTINGS[3], "dynasty")])
def test_envy_is_won_for_the_hands_of_players_with_the_bet_that_it_needs(chosen, needs):
    """R6: of six seats one has not that bet; its hand wins nobody envy, and it wins its own for the others'."""
    edition, seats = open_edition(EDITION), 6
    bets = [BETS] * 5 + [{name: cents for name, cents in BETS.items() if name != needs}]
    dealer, settings = compiled(question(["house-way"] * seats, chosen, bets, seed=4)), edition.settings(chosen)
    encoded, prizes, rounds = GAME.encode(settings), 0, 0
    for deck, cells in rounds_of(dealer, range(700)):
        dynasties = [rules.dynasty(np.array(hand, np.int64), encoded) for hand in hands_of(deck, seats)[:-1]]
        if any(edition.envy_cents("dynasty", DYNASTY_OUTCOMES[outcome].id, settings) for outcome in dynasties):
            prizes += check_round(dealer, deck, cells, [True] * 5 + [False])
            rounds += 1
    assert rounds > 5 and prizes > 2 * rounds


def test_every_class_of_hands_is_found_by_its_ranks_in_whatever_suits():
    found, classes, chance = class_tables(), classes_of(7), random.Random(1)
    places = [0, len(classes) - 1, *(chance.randrange(len(classes)) for _ in range(2000))]
    for place in places:
        lanes = classes[place, :4].tolist()
        chance.shuffle(lanes)
        assert class_number(found, *(int(found.keys[lane]) for lane in lanes), int(classes[place, 4])) == place


def test_every_set_of_two_or_five_cards_has_its_place_in_one_order():
    encoded = GAME.encode(open_edition(EDITION).settings())
    order = tables.every_value(encoded)
    assert len(order.fronts) == 91 and len(order.backs) == 7462 + 1  # and five aces
    assert (np.diff(order.fronts) > 0).all() and (np.diff(order.backs) > 0).all()


def test_a_player_by_the_solver_sets_as_the_solver_says(monkeypatch, tmp_path):
    """That it takes minutes to solve is tested in depth: here the solver says what it does of another House Way."""
    monkeypatch.setattr("houseway.solve.kept._folder", lambda: tmp_path)
    asked = []

    def sets_of(solution, name):
        asked.append(name)
        return tables.set_by_house_way(solution.hands, GAME.encode(solution.edition.settings({"house-way": "mgm"})))

    monkeypatch.setattr(Solution, "sets_of", sets_of)
    edition = open_edition(EDITION)
    solved, way = (tables.set_hands(edition, edition.settings(), name) for name in ("lines", "mgm"))
    assert asked == ["lines"]
    assert solved.bonuses == way.bonuses and (solved.words == way.words).all()


ALL_DEALS = {"plaza": (2_233_560_965_323_540, 2_465_723_048_007_392), "best": (2_270_379_677_169_900, 2_476_917_411_825_072)}


def check_base(dealer, tally, player) -> None:
    """The base wager against all deals, counted: those of tests/solve."""
    rounds, ends = int(tally.sum()), dict.fromkeys(("win", "push", "lose", "queen-high-pai-gow"), 0)
    for cell in tally.nonzero()[0].tolist():
        ends[dealer.setup.meaning(cell)[0].outcome] += int(tally[cell])
    for name, deals in zip(("win", "lose"), ALL_DEALS[player], strict=True):
        share = deals / DEALS
        assert abs(ends[name] / rounds - share) < 4 * (share * (1 - share) / rounds) ** 0.5
    assert abs(ends["queen-high-pai-gow"] / rounds - 2_719_500 / 154_143_080) < 4 * (0.0177 / rounds) ** 0.5


def test_shares_lie_within_four_standard_errors_of_the_exact_ones():
    dealer = compiled(question(["plaza"], seed=3))
    check_base(dealer, dealer.deal(0, 400_000)["cells"][0], "plaza")


@pytest.mark.deep
def test_the_best_player_wins_what_the_solver_counts():
    dealer = compiled(question(["best"], seed=3))
    check_base(dealer, dealer.deal(0, 20_000_000)["cells"][0], "best")
    lines = compiled(question(["lines"], seed=3))
    cost = Fraction(Solution(lines.opened.edition, lines.opened.settings).lines_in_words()["cost"])
    won = [sum(net_of_base(each) * int(n) for each, n in told(each_dealer)) for each_dealer in (dealer, lines)]
    assert abs((won[0] - won[1]) / 20_000_000 - float(cost)) < 4 * (1 / 20_000_000) ** 0.5


def told(dealer):
    tally = dealer.deal(0, 20_000_000)["cells"][0]
    return [(dealer.setup.meaning(cell), tally[cell]) for cell in tally.nonzero()[0].tolist()]


def net_of_base(results) -> int:
    return {"win": 1, "lose": -1}.get(results[0].outcome, 0)


@pytest.mark.parametrize("chosen", SETTINGS)
@pytest.mark.parametrize("seats", [1, 4])
def test_every_bonus_lies_within_four_standard_errors_of_its_par_sheet(chosen, seats, tmp_path, monkeypatch):
    """With envy among four players; the errors are those of one seat, for seats share their cards."""
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)
    asked = compiled(question(["house-way"] * seats, chosen, seed=11)).opened
    simulated = Simulated(simulate(asked.question, Goal(rounds=150_000), edition_from, workers=2))
    for wager in WAGERS[1:]:
        sheet = par_sheet(asked.edition, wager, asked.settings, players=seats if wager == "dynasty" else 1)
        told = simulated.wagers[wager]
        assert told.exact == -sheet.house_edge and abs(told.z) < 4
        for row in sheet.rows:
            share, rounds = float(row.probability), simulated.rounds
            seen = told.hits.get(row.outcome, 0) / (rounds * seats)
            assert abs(seen - share) <= 4 * max(share * (1 - share) / rounds, 1 / rounds**2) ** 0.5, (wager, row.outcome)


@pytest.mark.parametrize("table", "1234567")
def test_every_pay_table_is_paid_as_it_says(table):
    edition = open_edition(EDITION)
    opened = compiled(question(["house-way"] * 2, {"pay-table": table})).opened
    cells = compiled(question(["house-way"] * 2, {"pay-table": table})).setup.meaning
    settings = edition.settings({"pay-table": table})
    paid = {outcome.id for outcome in DYNASTY_OUTCOMES if edition.envy_cents("dynasty", outcome.id, settings)}
    assert {DYNASTY_OUTCOMES[won].id for envy in cells.envies for won in envy} == paid
    pays = compiled(question(["house-way"] * 2, {"pay-table": table})).pays
    for cell in range(cells.size):
        results = cells(cell)
        won = sum(int(edition.pay(each.wager, each.outcome, settings).net * 500) for each in results if not each.prize)
        won += sum(edition.envy_cents("dynasty", each.outcome, settings) for each in results if each.prize)
        assert opened.win_cents(0, results) == pays[0, cell] == won


def test_bonuses_that_a_fully_wild_joker_refuses_are_left_out_and_that_is_said():
    dealer = compiled(question(["house-way"], {"joker": "full"}))
    assert {each.wager for each in dealer.setup.meaning(0)} == {"base", "red-black"}
    assert len(dealer.notes) == 2 and "R15=accepted" in dealer.notes[0]


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr("houseway.chunks.done.kept_folder", lambda: tmp_path)


@pytest.mark.usefixtures("results")
def test_chunks_threads_and_a_cluster_never_change_a_tally():
    assert_nothing_changes_a_tally(compiled(question(["plaza", "foxwoods", "house-way"], session_rounds=20, seed=5)))


def test_a_graphics_processor_never_changes_a_tally():
    dealer = compiled(question(["house-way", "foxwoods"], seed=9))
    assert counts(on_simulated_graphics(dealer, 3, 40)) == counts(dealer.deal(3, 40))


def test_a_table_of_six_is_simulated_from_the_shell(run):
    said = ("--rounds", "2e4", "--seats", "6", "--player", "house-way", "foxwoods", "--format", "json")
    code, out, _ = run("simulate", EDITION, *said)
    told = json.loads(out)
    assert code == 0 and told["rounds"] == 20_000 and [seat["player"] for seat in told["seats"]] == ["foxwoods"] * 6
    assert all(abs(wager["z"]) < 4 for wager in told["wagers"] if wager["z"] is not None)
    assert {wager["wager"] for wager in told["wagers"]} == set(WAGERS)
    assert set(PLAYERS) >= {"house-way", "best", "lines", "plaza"}
