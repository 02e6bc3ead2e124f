"""Cards seen: every way is held against a plain count, or against what is known of it."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from houseway.api import Rulebook
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.dealer import Dealer
from houseway.games.blackjack.solve.hole_card import KnownDealer, worth_by_first_card
from houseway.games.duki_4_poker import rules as duki
from houseway.games.duki_4_poker.solve import hands_seen
from houseway.games.ez_baccarat.game import CLASSES
from houseway.games.ez_baccarat.rules import resolve
from houseway.games.ez_baccarat.seen import first_card, results_by_card
from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import rank_back, rank_front
from houseway.games.ez_pai_gow.rules import QUEEN_HIGH_PUSH, base_outcome, is_foul, pai_gow_high
from houseway.games.ez_pai_gow.solve import shared_cards
from houseway.odds.par_sheet import par_sheet

BACCARAT, BLACKJACK = Rulebook.open("ez-baccarat-wa"), Rulebook.open("lucky-lucky-wa")
DUKI, PAI_GOW = Rulebook.open("duki-4-wa"), Rulebook.open("ez-pai-gow-wa")
UPS = range(10)


def test_results_by_the_first_card_are_those_of_every_order_of_a_few_cards():
    copies = [2, 1, 1, 1, 0, 1, 0, 1, 1, 1]
    cards = [CLASSES[kind][0] for kind, many in enumerate(copies) for _ in range(many)]
    for place in (0, 1):
        expected = [[0] * 5 for _ in range(10)]
        for order in permutations(range(len(cards)), 6):
            tape = np.array([cards[at] for at in order], np.int64)
            kind = next(kind for kind, members in enumerate(CLASSES) if tape[place] in members)
            expected[kind][resolve(tape, np.zeros(1, np.int64))] += 1
        assert results_by_card(copies, place) == expected


@pytest.mark.parametrize("wager", ["player", "banker", "tie", "dragon-7"])
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_all_first_cards_together_are_the_par_sheet(wager, hand):
    settings = BACCARAT.edition.settings({})
    seen = first_card(BACCARAT.edition, settings, wager, hand)
    assert seen.without == par_sheet(BACCARAT.edition, wager, settings).house_edge
    assert seen.seeing <= 0 <= seen.bets_share <= 1


def test_a_nine_for_player_is_what_a_players_bet_waits_for(data):
    found = data("protect", "ez-baccarat-wa", "--wager", "player", "--seen", "player-card")
    assert found["house_edge_seen"]["percent"] < 0
    assert found["how"] == "exact"
    assert found["dollars_an_hour"] == pytest.approx(-found["house_edge_seen"]["percent"] / 100 * 400 * 72)


def test_a_burn_card_seen_in_eight_decks_makes_no_bet_win(run):
    code, out, _ = run("protect", "ez-baccarat-wa", "--wager", "banker", "--seen", "burn-card")
    assert code == 0
    assert "whichever it is, the bet does not win" in out


def test_a_known_hole_card_taken_over_all_of_them_is_the_dealer_who_is_not_known():
    rules = BlackjackRules.of(BLACKJACK.edition, BLACKJACK.edition.settings({"decks": 1}))
    gone = np.array([[1, 0, 2, 0, 0, 0, 0, 1, 0, 3], [0] * 9 + [1]], np.int64)
    for up in UPS:
        seen = gone + np.eye(10, dtype=np.int64)[up]
        ways = Dealer(rules.counts, up, rules.rulings, peeks=False, exact=False).ends(seen)
        chances = ways[:, :-1] / ways[:, -1:]
        sums = np.zeros_like(chances)
        left = np.array(rules.counts) - seen
        for hole in range(10):
            known = KnownDealer(rules.without(hole).counts, up, hole, rules.rulings).ends(seen)[:, :-1]
            if rules.rulings.natural_with[up] == hole:  # a blackjack is an end of its own
                known = np.zeros_like(known)
                known[:, rules.rulings.blackjack] = 1
            sums += (left[:, hole] / left.sum(axis=1))[:, None] * known
        assert sums == pytest.approx(chances, abs=1e-12)


def test_a_hole_card_and_a_first_ace_are_worth_what_is_known_of_them(data):
    """Some 13 % for a hole card played perfectly; some 50 % for an ace."""
    found = data("protect", "lucky-lucky-wa", "--wager", "blackjack", "--seen", "hole-card", "--decks", "1")
    assert -14 < found["house_edge_seen"]["percent"] < -10
    rules = BlackjackRules.of(BLACKJACK.edition, BLACKJACK.edition.settings({}))
    by_card = worth_by_first_card(rules)
    assert 0.49 < by_card[0][1] < 0.53
    assert sum(chance * worth for chance, worth in by_card) == pytest.approx(float(Analysis(rules).value()), abs=1e-12)


def test_hands_shown_in_duki_are_counted_against_every_hand_that_is_left():
    settings = DUKI.edition.settings({})
    encoded, deals, others = DUKI.edition.game.encode(settings), 3, 5
    shared = hands_seen.gain_of_hands_seen(DUKI.edition, settings, others, deals, seed=4)
    cards = np.argsort(np.random.default_rng([4, others]).random((deals, 52)), axis=1)[:, :24]
    from houseway.games.duki_4_poker.game import ANTE_OUTCOMES
    from houseway.games.duki_4_poker.solve.best import value_of_hand

    def net(outcome):
        name = ANTE_OUTCOMES[outcome].id
        return DUKI.edition.pay("ante", name, settings).net + DUKI.edition.pay("play", name, settings).net

    gains = []
    for deal in cards:
        own = duki.duki_score(deal[:4], 0, encoded)
        rest = [card for card in range(52) if card not in set(deal.tolist())]
        ends = [int(duki.showdown(own, duki.duki_score(np.array(hand), 0, encoded), encoded)) for hand in combinations(rest, 4)]
        play = sum((ends.count(end) * net(end) for end in set(ends)), Fraction(0)) / len(ends)
        fold = net(duki.FOLD)
        plays = value_of_hand(DUKI.edition, settings, tuple(deal[:4].tolist())) > fold
        gains.append(max(play, fold) - (play if plays else fold))
    assert shared.gain == pytest.approx(float(sum(gains) / deals), abs=1e-12)


def test_hands_shown_in_pai_gow_are_met_with_every_hand_that_is_left():
    encoded, deals, others = PAI_GOW.edition.game.encode(PAI_GOW.edition.settings({})), 6, 5
    cards = np.argsort(np.random.default_rng([2, others, 0]).random((deals, 53)), axis=1)[:, :42]
    shared = shared_cards.gain_of_seeing(encoded, (1.0, -1.0), others, deals=deals, seed=2)
    gains = []
    for deal in cards:
        rest = [card for card in range(53) if card not in set(deal.tolist())]
        house = int(set_seven(deal, 0, encoded))
        sets = {}
        for a, b in combinations(range(7), 2):
            front, back = rank_front(deal, a, b, encoded), rank_back(deal, 0, a, b, encoded)
            if not is_foul(front, back):
                sets[a, b] = (front, back)
        worth = dict.fromkeys(sets, 0)
        for hand in combinations(rest, 7):
            dealers = np.array(hand)
            his = int(set_seven(dealers, 0, encoded))
            theirs = (
                rank_front(dealers, his >> 3 & 7, his & 7, encoded),
                rank_back(dealers, 0, his >> 3 & 7, his & 7, encoded),
                pai_gow_high(dealers, 0, encoded),
            )
            for place, mine in sets.items():
                outcome = base_outcome(*mine, *theirs)
                worth[place] += 0 if outcome == QUEEN_HIGH_PUSH else 1 - outcome
        own = tuple(sorted((house >> 3 & 7, house & 7)))
        gains.append((max(worth.values()) - worth[own]) / 330)
    assert shared.over_house_way == pytest.approx(sum(gains) / deals, abs=1e-12)


def test_drawn_hands_come_to_what_all_hands_do():
    """Where four others show, all 31,824 hands are met; drawn instead, the same deals come to the same within their errors."""
    encoded = PAI_GOW.edition.game.encode(PAI_GOW.edition.settings({}))
    places, paid = shared_cards.FRONTS, np.array([-1.0, 0.0, 1.0])
    cards = np.ascontiguousarray(np.argsort(np.random.default_rng(8).random((1, 53)), axis=1)[:, :35])
    met, left = np.zeros((1, 3)), np.zeros(53, np.int64)
    shared_cards._value(cards, 4, 0, 100, 1, encoded, places, paid, met, 0, 1)
    fronts, backs, worth = np.zeros(21, np.int64), np.zeros(21, np.int64), np.zeros(21)
    own = shared_cards._rank_sets(cards[0], places, encoded, fronts, backs)
    many = shared_cards._left_over(cards[0], 35, np.zeros(53, np.int64), left)
    of = (fronts, backs, encoded, paid)
    shared_cards._draw(left, many, 0, 40_000, np.array([5]), np.zeros(7, np.int64), of, worth)
    assert worth[own] == pytest.approx(met[0, 0], abs=6 / 40_000**0.5)


def test_envy_won_together_is_the_par_sheet_of_so_many_players(data):
    found = data("protect", "ez-pai-gow-wa", "--wager", "dynasty", "--seen", "envy")
    settings = PAI_GOW.edition.settings({})
    for row in found["rows"]:
        sheet = par_sheet(PAI_GOW.edition, "dynasty", settings, players=row["seats"], bet_cents=500)
        assert row["house edge %"] == pytest.approx(float(sheet.house_edge * 100))
    assert found["bet_cents"] == 500
    assert found["house_edge_seen"]["percent"] == pytest.approx(found["rows"][5]["house edge %"])
    assert found["house_edge_seen"]["exact"], "envy is exact, whatever is charged besides"
    assert found["dollars_an_hour"] < 0


def test_a_crew_that_wins_envy_is_charged_the_base_bets_that_it_must_lay(data):
    """A dollar at each seat, set by the House Way: what an hour comes to is the bonus with envy, less that."""
    base = par_sheet(PAI_GOW.edition, "base", PAI_GOW.edition.settings({}))
    without = ("--reading", "R6b=yes", "--reading", "R6=other-players-with-dynasty-bet")
    asked = ("protect", "ez-pai-gow-wa", "--wager", "dynasty", "--seen", "envy")
    found, alone = data(*asked), data(*asked, *without)
    a_round = 34 * float(base.house_edge)
    error = 6 * 34 * base.standard_error
    edge = found["house_edge_seen"]["percent"] / 100
    assert found["dollars_an_hour"] == pytest.approx(-34 * 5 * edge - a_round, abs=error)
    assert "each seat lays $1 on base, the least, set by the House Way" in found["conventions"]["charged_beside"]
    for row in found["rows"]:
        assert row["base bets lose an hour, all seats, $"] == pytest.approx(row["seats"] * a_round, abs=row["seats"] * error)
        won = -row["seats"] * 34 * 5 * row["house edge %"] / 100
        assert row["won an hour, all seats, $"] == pytest.approx(won - row["base bets lose an hour, all seats, $"])
    assert alone["dollars_an_hour"] == pytest.approx(-34 * 5 * edge), "where no base bet is needed, none is charged"
    assert alone["conventions"] == {"seen": "envy"}


@pytest.mark.parametrize(
    ("edition", "wager", "seen", "said"),
    [
        ("ez-pai-gow-wa", "protection", "envy", "protection has no envy prizes (they are paid with: dynasty)"),
        ("ez-pai-gow-wa", "dynasty", "hand", "ask for --wager base"),
        ("ez-pai-gow-wa", "base", "6-hands", 'unknown way to see cards "6-hands"'),
        ("duki-4-wa", "duki-bonus", "3-hands", "ask for --wager ante"),
        ("lucky-lucky-wa", "lucky-lucky", "hole-card", "ask for --wager blackjack"),
        ("lucky-lucky-wa", "dragon-7", "hole-card", "dragon-7"),
        ("ez-baccarat-wa", "player", "hole-card", 'unknown way to see cards "hole-card"'),
    ],
)
def test_what_is_not_seen_there_is_refused_in_a_line(edition, wager, seen, said, run):
    code, out, err = run("protect", edition, "--wager", wager, "--seen", seen)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_there_is_no_hole_card_where_there_is_none(run):
    code, _, err = run("protect", "lucky-lucky-wa", "--wager", "blackjack", "--seen", "hole-card", "--set", "hole-card=none")
    assert code == 2
    assert "there is no hole card at this table" in err
