"""Exposure: what a round can pay at most, proved from both sides; and bankrolls that are lost no more often than is said."""

from functools import cache

import numpy as np
import pytest

from houseway.api import Rulebook
from houseway.approval.corpus import Corpus, corpus_file
from houseway.games import edition_files
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.exposure import exposure
from houseway.report.kinds import kind_of
from houseway.report.paper import PAPERS
from houseway.report.ruin import BetLaw, adjustment, bankroll, law_of, risk_of_ruin
from houseway.report.studied import Studied
from houseway.report.verify import verify_pdf
from houseway.report.worst_payouts import WorstPayouts, worst_payouts
from houseway.rulebook.settle import settle
from houseway.table.washington import check_washington

DAY = "2026-03-01"


def studied(edition: str, limit: str = "", bankroll: str = "", **settings) -> Studied:
    opened = Rulebook.open(edition).edition
    options = kind_of("submission").chosen({"bankroll": bankroll})
    asked = AskedReport("submission", opened, opened.settings(settings), options, PAPERS["a4"], DAY)
    return Studied(asked, asked.limits(limit), opened)


@cache
def worst(edition: str, limit: str = "", **settings) -> WorstPayouts:
    return worst_payouts(studied(edition, limit, **settings))


def won(payouts: WorstPayouts) -> dict[str, int]:
    """What each wager wins in the worst round of a seat."""
    sums: dict[str, int] = {}
    for payment in payouts.seat.payments:
        sums[payment.wager] = sums.get(payment.wager, 0) + payment.win_cents
    return sums


def test_dragon_7_and_panda_8_are_never_added():
    """EZB-4: a three-card 7 of Banker's and a three-card 8 of Player's exclude each other; Banker pushes (EZB-5b)."""
    payouts = worst("ez-baccarat-wa")
    assert won(payouts) == {"dragon-7": 40 * 40_000} and payouts.seat.is_exact
    assert payouts.table_cents == 7 * 40 * 40_000 and payouts.table_is_exact


def test_a_panda_8_pays_player_beside_it():
    payouts = worst("ez-baccarat-wa", "dragon-7=1-5")
    assert won(payouts) == {"player": 40_000, "panda-8": 25 * 40_000} and payouts.seat.is_exact
    assert payouts.by_wager["dragon-7"].cents == 40 * 500


@pytest.mark.parametrize(
    ("settings", "units"),
    [
        ({}, 8),
        ({"split-hands": 3}, 6),
        ({"double-after-split": "no"}, 4),
        ({"double-after-split": "no", "split-hands": 2}, 2),
        ({"decks": 1, "double": "10-11", "hole-card": "none"}, 8),
        ({"split-hands": 2, "pay-table": "2:1", "double-after-split": "no"}, 2),
    ],
)
def test_all_split_hands_are_doubled_as_far_as_the_table_allows(settings, units):
    payouts = worst("lucky-lucky-wa", **settings).by_wager["blackjack"]
    assert payouts.cents == units * 40_000 and payouts.is_exact


def test_sevens_are_split_and_doubled_beside_lucky_lucky_and_insurance_never_wins_beside_them():
    payouts = worst("lucky-lucky-wa")
    assert won(payouts) == {"lucky-lucky": 200 * 40_000, "blackjack": 8 * 40_000} and payouts.seat.is_exact
    assert payouts.by_wager["insurance"].cents == 40_000 and payouts.by_wager["insurance"].is_exact
    played, hands = payouts.shown
    assert played.choices == ("split",) * 3 + ("double",) * 4 and len(hands.hands) == 5
    assert not payouts.table_is_exact


def test_without_a_third_seven_of_a_suit_six_seven_eight_pays_most():
    """LLB-8: with two decks there are no three sevens of a suit; 6-7 against an 8 can be doubled, not split."""
    assert won(worst("lucky-lucky-wa", decks=2)) == {"lucky-lucky": 100 * 40_000, "blackjack": 2 * 40_000}
    assert won(worst("lucky-lucky-wa", decks=2, double="9-11")) == {"lucky-lucky": 100 * 40_000, "blackjack": 40_000}


def test_insurance_is_bounded_by_half_the_bet_at_the_tables_own_limits():
    payouts = worst("lucky-lucky-wa", "blackjack=5-101")
    assert payouts.by_wager["insurance"].bets["insurance"] == 5_050


def test_a_play_bet_rides_on_its_ante():
    payouts = worst("duki-4-wa")
    assert won(payouts) == {"ante": 100 * 40_000, "play": 40_000, "duki-bonus": 30 * 40_000} and payouts.seat.is_exact
    assert payouts.by_wager["ante"].cents == 101 * 40_000


def test_the_law_takes_three_large_games_and_a_small_one():
    """WAC 230-15-040: of four separate games no more than three may take wagers above $5."""
    payouts = worst("ez-pai-gow-wa")
    large = {"dynasty": 2000 * 40_000, "protection": 120 * 40_000, "red-black": 5 * 40_000}
    assert won(payouts) == {"base": 500, **large} and payouts.seat.is_exact
    assert payouts.table_envy_cents == 6 * 5 * 50_000
    assert payouts.table_cents == 6 * payouts.seat.cents + payouts.table_envy_cents


def test_a_suited_a_to_7_is_protected_by_one_reading_only():
    """R2b: whether all A-5 straight flushes count, or not those of seven in a row, decides what comes together."""
    published = worst("ez-pai-gow-wa", pay_table="3")
    assert won(published) == {"base": 40_000, "dynasty": 8000 * 40_000, "red-black": 5 * 40_000}
    literal = worst("ez-pai-gow-wa", pay_table="3", R2b="all")
    assert won(literal).get("protection") == 120 * 40_000
    assert published.seat.is_exact and literal.seat.is_exact


@pytest.mark.parametrize("edition", edition_files())
def test_no_round_of_the_approval_pays_more(edition):
    payouts, book = worst(edition), Rulebook.open(edition).edition
    usual = book.settings()
    corpus = Corpus.load(corpus_file(book))
    law = (lambda bets: check_washington(book, bets, DAY)) if book.approval.jurisdiction == "Washington" else None
    most = dict.fromkeys(payouts.by_wager, 0)
    settled = 0
    for one in corpus.rounds[:6000]:
        bets = {name: payouts.by_wager[name].bets[name] for name in one.bets if name in payouts.by_wager}
        try:
            payments = settle(book, one.cards, bets, one.choices, usual, law=law).payments
        except Refused:  # what these settings or the law do not allow
            continue
        settled += 1
        seat = sum(max(payment.win_cents, 0) for payment in payments)
        for name in bets:
            own = [each for each in payments if (book.game.wagers[each.wager].follows or each.wager) == name]
            most[name] = max(most[name], sum(max(each.win_cents, 0) for each in own))
        assert seat <= payouts.seat.cents
    assert settled > 1000
    assert all(most[name] <= payouts.by_wager[name].cents for name in most)


def tie_law() -> BetLaw:
    """The Tie of a fresh shoe of eight decks: 8 to 1, and 14.36 % for the house."""
    share = 0.095155968
    return BetLaw([(8.0, share), (-1.0, 1 - share)])


def ruined(law: BetLaw, bankroll: float, rounds: int, series: int = 20_000) -> float:
    """The share of simulated series in which the house falls below nothing."""
    drawn = np.random.default_rng(14)
    wins, shares = (np.array(part) for part in zip(*law.wins, strict=True))
    left = np.full(series, float(bankroll))
    lost = np.zeros(series, bool)
    for _ in range(rounds):
        left -= drawn.choice(wins, size=series, p=shares)
        lost |= left < 0
    return float(lost.mean())


@pytest.mark.parametrize("units", [10, 30])
def test_a_simulated_ruin_lies_between_lundbergs_bounds(units):
    law = tie_law()
    rate = adjustment(law)
    seen, error = ruined(law, units, 1_500), 3 * 0.5 / np.sqrt(20_000)
    assert np.exp(-rate * (units + law.top)) - error <= seen <= np.exp(-rate * units) + error
    assert risk_of_ruin([(law, 1.0)], units) == pytest.approx(np.exp(-rate * units))


def test_bankrolls_suffice_within_rounds_and_for_ever():
    law = tie_law()
    ever, soon = bankroll(law, 0.1), bankroll(law, 0.1, 40)
    assert 0 < soon < ever == bankroll(law, 0.1, 10**9)
    assert ruined(law, soon, 40) <= 0.1 and ruined(law, ever, 1_500) <= 0.1
    assert bankroll(law, 0.01) == pytest.approx(2 * ever)
    assert bankroll(law, 1e-300, 2) <= 2 * 8


def test_bets_that_win_together_need_the_sum_of_their_bankrolls():
    """Two bets on one result are one of twice the size: that is the worst case, and the sum is just enough."""
    law = tie_law()
    assert risk_of_ruin([(law, 1.0), (law, 1.0)], 60.0) == pytest.approx(risk_of_ruin([(law, 2.0)], 60.0))


def test_no_bankroll_is_enough_where_the_player_has_the_edge():
    law = BetLaw([(1.0, 0.51), (-1.0, 0.49)])
    assert adjustment(law) is None and bankroll(law, 0.01) is None and risk_of_ruin([(law, 1.0)], 10.0) is None


def test_the_report_has_bankrolls_from_the_exact_odds_and_proves_itself():
    made = Rulebook.open("ez-baccarat-wa").report("submission", on=DAY, bankroll="1000000")
    book = Rulebook.open("ez-baccarat-wa")
    law = law_of([(row.net, row.probability) for row in book.odds()["tie"].rows])
    needed = int(made.figures["exposure.tie.bankroll.ever.1"]["exact"])
    assert needed == pytest.approx(np.log(100) / adjustment(law) * 40_000, abs=100)
    shown = [made.figures[f"exposure.{name}.bankroll.ever.1"]["exact"] for name in book.edition.wagers]
    assert made.figures["exposure.bankroll.0.ever.1"]["exact"] == str(sum(map(int, shown)))
    assert made.figures["exposure.bankroll.1.ever.1"]["exact"] == str(7 * sum(map(int, shown)))
    assert made.figures["exposure.seat"]["shown"] == dollars(40 * 40_000)
    assert float(made.figures["exposure.bankroll.risk.table"]["exact"]) < 0.5
    verified = verify_pdf(made.pdf())
    assert verified.holds and verified.agreeing == len(made.figures)


def test_a_bankroll_that_is_no_amount_is_refused():
    with pytest.raises(Refused, match="bankroll"):
        exposure(studied("ez-baccarat-wa", bankroll="much"))
