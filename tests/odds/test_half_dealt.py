"""The odds from the middle of a round: equal to literal loops, of a piece from card to card, and certain at the end."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import houseway as hw
from houseway.cards import fresh_shoe, parse_cards, take
from houseway.games.duki_4_poker.rules import duki_bonus
from houseway.games.ez_pai_gow.solve.pairs import Pairs
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.kernels.count import count
from houseway.kernels.deal import deal_of_shoe
from houseway.kernels.given import UNKNOWN, count_given, sample_given
from houseway.odds import half_dealt, played_out
from houseway.odds.half_dealt import known_odds
from houseway.odds.known import KnownCards, SeatAsked
from houseway.refusal import Refused
from houseway.solve.solver import choices, is_ready, solver_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
POINTS = {**{rank: rank + 2 for rank in range(8)}, **dict.fromkeys(range(8, 12), 0), 12: 1}
"""What a rank counts in baccarat: the twos are rank 0, the aces rank 12."""


def odds(edition, wager, known, **chosen):
    opened = hw.edition(edition).edition
    return known_odds(opened, opened.settings(chosen), wager, known, seed=11)


def chances(found):
    told = {ending.id: found.chance(ending) for ending in found.endings if ending.ways}
    assert sum(told.values()) == 1
    return told


def banker_draws(banker, third):
    """EZB-3c, EZB-3d."""
    if third is None:
        return banker <= 5
    drawn_against = {7: (), 6: (6, 7), 5: range(4, 8), 4: range(2, 8), 3: [n for n in range(10) if n != 8]}
    return third in drawn_against.get(banker, range(10))


def literal_baccarat(first_four, decks=8):
    """Every pair of further cards of the shoe, rank by rank, by the rules written out again."""
    left = take(fresh_shoe(decks), first_four)
    ranks = [sum(left[4 * rank : 4 * rank + 4]) for rank in range(13)]
    cards = [POINTS[card >> 2] for card in first_four]
    ways = Counter()
    for fifth, sixth in product(range(13), repeat=2):
        weight = ranks[fifth] * (ranks[sixth] - (fifth == sixth))
        player, banker = (cards[0] + cards[2]) % 10, (cards[1] + cards[3]) % 10
        coming, player_drew, banker_drew = [POINTS[fifth], POINTS[sixth]], False, False
        if player < 8 and banker < 8:
            if player <= 5:
                player_drew, third = True, coming.pop(0)
                player = (player + third) % 10
            else:
                third = None
            if banker_draws(banker, third):
                banker_drew = True
                banker = (banker + coming.pop(0)) % 10
        if player == banker:
            ways["tie"] += weight
        elif banker > player:
            ways["dragon-7" if banker == 7 and banker_drew else "banker-win"] += weight
        else:
            ways["panda-8" if player == 8 and player_drew else "player-win"] += weight
    return {outcome: Fraction(n, ways.total()) for outcome, n in ways.items() if n}


@pytest.mark.parametrize("cards", ["8c 6h 5s Td", "Kh 6d 4s 8s", "9c 2d Ks 3h", "2c 3c 4d Ah", "6c 5c Ts Kd"])
def test_the_first_four_cards_of_baccarat_leave_the_odds_of_a_literal_loop(cards):
    found = odds("ez-baccarat-wa", "banker", KnownCards(common=parse_cards(cards)))
    assert found.exact
    assert chances(found) == literal_baccarat(parse_cards(cards))
    nets = {"banker-win": 1, "dragon-7": 0, "tie": 0}
    assert found.expected == sum(nets.get(outcome, -1) * chance for outcome, chance in chances(found).items())


@pytest.mark.parametrize(
    ("edition", "wager", "known", "hand"),
    [
        ("ez-baccarat-wa", "dragon-7", "", "common"),
        ("ez-baccarat-ca", "player", "9c", "common"),
        ("ez-baccarat-wa", "tie", "9c 4d Kh 2s", "common"),
        ("lucky-lucky-wa", "lucky-lucky", "", "own"),
        ("lucky-lucky-wa", "lucky-lucky", "7c", "own"),
        ("duki-4-wa", "duki-bonus", "4c 4d", "own"),
        ("ez-pai-gow-wa", "red-black", "4c Jk", "own"),
        ("ez-pai-gow-wa", "protection", "4c 2d 9h Js", "own"),
    ],
)
def test_the_odds_now_are_the_mean_of_those_after_the_next_card(edition, wager, known, hand):
    opened, cards = hw.edition(edition).edition, parse_cards(known)
    left = take(opened.game.shoe(opened.settings()), cards)
    later = Counter()
    for card, copies in enumerate(left):
        if copies:
            after = odds(edition, wager, KnownCards(**{hand: (*cards, card)}))
            assert after.exact
            for outcome, chance in chances(after).items():
                later[outcome] += chance * Fraction(copies, sum(left))
    assert chances(odds(edition, wager, KnownCards(**{hand: cards}))) == later


def test_what_nobody_knows_yet_is_the_par_sheet():
    for edition, wager in (("ez-baccarat-wa", "banker"), ("duki-4-wa", "ante")):
        found, sheet = odds(edition, wager, KnownCards()), hw.edition(edition).odds()[wager]
        assert found.expected == -sheet.house_edge
        assert chances(found) == {row.outcome: row.probability for row in sheet.rows if row.probability}


def test_known_places_are_counted_as_a_smaller_deal_and_samples_come_near():
    settings = hw.edition("duki-4-wa").edition.game.encode(hw.edition("duki-4-wa").edition.settings())
    shoe, unknown = fresh_shoe(1), np.full(4, UNKNOWN, np.int64)
    deal = deal_of_shoe(shoe, (4,))
    assert count_given(duki_bonus, unknown, deal, settings, 4) == count(duki_bonus, deal, settings, 4)
    known, rest = np.array([UNKNOWN, 5, UNKNOWN, 8], np.int64), deal_of_shoe(take(shoe, (5, 8)), (2,))
    exact = count_given(duki_bonus, known, rest, settings, 4)
    sampled = sample_given(duki_bonus, known, rest, settings, 4, 200_000, seed=3)
    assert sampled == sample_given(duki_bonus, known, rest, settings, 4, 200_000, seed=3)
    for counted, drawn in zip(exact, sampled, strict=True):
        chance = counted / sum(exact)
        assert abs(drawn / 200_000 - chance) <= 5 * sqrt(chance * (1 - chance) / 200_000)


def dealer_totals(cards, ranks, chance=Fraction(1)):
    """BJ-3 written out: how likely each total of the dealer's is who hits soft 17, ranks drawn one by one."""
    values = [min(rank + 2, 10) if rank < 12 else 1 for rank in cards]
    soft = 1 in values and sum(values) <= 11
    total = sum(values) + 10 * soft
    if total > 17 or (total == 17 and not soft):
        return Counter({total: chance})
    ends = Counter()
    for rank, left in enumerate(ranks):
        if left:
            fewer = [n - (other == rank) for other, n in enumerate(ranks)]
            ends += dealer_totals((*cards, rank), fewer, chance * Fraction(left, sum(ranks)))
    return ends


def test_a_hand_that_stands_meets_every_dealers_hand_but_blackjack():
    """BJ-8: the dealer has looked under his ten, so that his hole card is no ace."""
    bets, own, up = {"blackjack": 1000}, parse_cards("Tc 8d"), parse_cards("Ts")
    chosen = {"decks": 1, "soft-17": "hits"}
    known = KnownCards(own=own, dealer=(*up, None), choices=("stand",), bets=bets)
    found = odds("lucky-lucky-wa", "blackjack", known, **chosen)
    left = take(fresh_shoe(1), (*own, *up))
    ranks = [sum(left[4 * rank : 4 * rank + 4]) for rank in range(13)]
    holes = range(12)
    ends = Counter()
    for hole in holes:
        fewer = [n - (other == hole) for other, n in enumerate(ranks)]
        ends += dealer_totals((8, hole), fewer, Fraction(ranks[hole], sum(ranks[each] for each in holes)))
    wins = sum(chance for total, chance in ends.items() if total < 18 or total > 21)
    assert found.exact
    assert chances(found) == {"win": wins, "push": ends[18], "lose": 1 - wins - ends[18]}


def test_once_somebody_is_asked_insurance_is_lost_and_before_that_it_is_the_tens_left():
    own, up = parse_cards("Tc 8d"), parse_cards("As")
    bets = {"blackjack": 1000, "insurance": 500}
    before = odds("lucky-lucky-wa", "insurance", KnownCards(own=own, dealer=(*up, None), bets=bets), decks=2)
    assert chances(before)["dealer-blackjack"] == Fraction(32 - 1, 104 - 3)
    known = KnownCards(own=own, dealer=(*up, None), bets=bets, asked=SeatAsked(own, (), bets))
    assert chances(odds("lucky-lucky-wa", "insurance", known, decks=2)) == {"no-blackjack": 1}


def test_a_hand_to_be_decided_is_sampled_with_its_error_and_its_player_is_named(monkeypatch):
    """Sixteen against a six, for which the chart stands: counted. Twelve before the dealer's card: drawn, by the seed."""
    monkeypatch.setattr(played_out, "DRAWN", 300)
    monkeypatch.setattr(played_out, "PLAYS_DECIDED", 50)
    bets = {"blackjack": 1000}
    known = KnownCards(own=parse_cards("Tc 2d"), bets=bets)
    found = odds("lucky-lucky-wa", "blackjack", known)
    assert not found.exact
    assert found.total == 300
    assert "chart" in found.player
    assert found.expected_error == pytest.approx(1 / sqrt(300), rel=0.3)
    assert odds("lucky-lucky-wa", "blackjack", known) == found
    assert -0.6 < found.expected < 0.1


def test_pai_gow_is_sampled_by_the_set_that_was_made_where_nothing_is_solved(monkeypatch):
    monkeypatch.setattr(half_dealt, "SAMPLED", 20_000)
    own = parse_cards("As Kd 7h 7c 2d 9s Jc")
    split, worse = (odds("ez-pai-gow-wa", "base", KnownCards(own=own, choices=(f"set {two}",))) for two in ("As Kd", "2d 9s"))
    assert float(worse.expected) < float(split.expected) - 0.2
    assert float(split.expected) == pytest.approx(1818977 / 26762340, abs=5 * split.expected_error)
    assert odds("ez-pai-gow-wa", "base", KnownCards(own=own[:5])).sampled


def solved(edition, wager, known, **chosen):
    opened = hw.edition(edition).edition
    return solver_of(opened).known(opened, wager, opened.settings(chosen), known)


def test_pai_gow_with_all_seven_cards_is_solved_by_the_set_that_is_made():
    own = parse_cards("As Kd 7h 7c 2d 9s Jc")
    opened = hw.edition("ez-pai-gow-wa").edition
    best = choices(opened, opened.settings(), own)[0]  # from now on the dealer's hands are kept
    to_be_set, split = (solved("ez-pai-gow-wa", "base", KnownCards(own=own, choices=way)) for way in ((), ("set As Kd",)))
    assert to_be_set.exact and split.exact
    assert (to_be_set.player, split.player) == ("sets by the House Way", "")
    assert to_be_set.endings == split.endings  # the House Way sets so
    assert split.expected == best.worth == Fraction(1818977, 26762340)
    ways = {ending.id: ending.ways for ending in split.endings}
    assert ways["push"] + ways["queen-high-pai-gow"] == best.deals["push"] and ways["queen-high-pai-gow"] > 0
    worse = solved("ez-pai-gow-wa", "base", KnownCards(own=own, choices=("set 2d 9s",)))
    assert worse.expected < split.expected
    assert solved("ez-pai-gow-wa", "base", KnownCards(own=own, dealer=parse_cards("2s"))) is None


def test_before_the_deal_pai_gow_has_all_deals_by_the_house_way_once_they_were_counted(monkeypatch):
    counted = Pairs(win=10, lose=20, queen_high=5, front_copy=0, back_copy=0, both_copy=0)
    usual = hw.edition("ez-pai-gow-wa").edition.settings()["house-way"]
    monkeypatch.setattr(Solution, "known_pairs", lambda self, player: counted if player == usual else None)
    found = solved("ez-pai-gow-wa", "base", KnownCards())
    assert found.exact and found.player == "sets by the House Way"
    assert {ending.id: ending.ways for ending in found.endings}["queen-high-pai-gow"] == 5
    assert solved("ez-pai-gow-wa", "base", KnownCards(own=parse_cards("As"))) is None
    monkeypatch.setattr(Solution, "known_pairs", lambda self, player: None)
    assert solved("ez-pai-gow-wa", "base", KnownCards()) is None


def test_duki_until_it_is_decided_is_for_who_decides_best_card_by_card():
    own = parse_cards("4c 4d 9h")
    before = solved("duki-4-wa", "ante", KnownCards())
    assert before.exact and before.expected == -hw.edition("duki-4-wa").solved("ante", "best").house_edge
    later = Counter()
    for card in range(52):
        if card not in own:
            after = solved("duki-4-wa", "ante", KnownCards(own=(*own, card)))
            for outcome, chance in chances(after).items():
                later[outcome] += chance / 49
    opened, four = hw.edition("duki-4-wa").edition, (*own, 50)
    best = choices(opened, opened.settings(), four)[0]
    assert solved("duki-4-wa", "ante", KnownCards(own=four)).expected == best.worth
    assert chances(solved("duki-4-wa", "ante", KnownCards(own=own))) == later
    assert solved("duki-4-wa", "ante", KnownCards(own=four, choices=("play",))) is None


@pytest.mark.parametrize(
    ("own", "up", "chosen"),
    [
        ("8c 8d", "6h", {}),
        ("Tc 6d", "Th", {}),
        ("Tc 6d", "Ah", {"surrender": "late"}),
        ("5c 6d", "Th", {"hole-card": "none"}),
        ("Ac Td", "Ah", {}),
    ],
)
def test_two_cards_of_blackjack_are_worth_the_best_choice(own, up, chosen):
    """After the look as `best` has it, which asks nobody but the analyser."""
    opened = hw.edition("lucky-lucky-wa").edition
    settings, cards, shown = opened.settings(chosen | {"split-hands": 2}), parse_cards(own), parse_cards(up)
    looks = settings["hole-card"] == "peek"
    asked = SeatAsked(cards, ("look",), {"blackjack": 100}) if looks else None
    known = KnownCards(own=cards, dealer=(*shown, None) if looks else shown, asked=asked)
    found = solver_of(opened).known(opened, "blackjack", settings, known)
    assert found.in_floats and not found.sampled and "plays best" in found.player
    assert sum(found.chance(ending) for ending in found.endings) == 1
    assert float(found.expected) == pytest.approx(float(choices(opened, settings, cards, shown)[0].worth), abs=1e-12)


@pytest.mark.parametrize(
    "known",
    [
        KnownCards(own=parse_cards("Tc 6d"), dealer=(*parse_cards("Th"), None)),
        KnownCards(own=parse_cards("9c 9d 2h"), dealer=(*parse_cards("Ts"), None), choices=("hit",)),
        KnownCards(own=parse_cards("Tc 7d"), dealer=(*parse_cards("6h"), None), others=parse_cards("5c 5d 5h 5s Ac Kd")),
        KnownCards(own=parse_cards("9c 8d"), dealer=(*parse_cards("8h"), None), choices=("hit",)),
    ],
)
def test_what_is_solved_is_what_counting_every_round_comes_to(known, monkeypatch):
    """Where the chart decides as the best player does, all cards to come are counted one by one, in fractions."""
    monkeypatch.setattr(played_out, "PLAYS_DECIDED", 10**6)
    counted = odds("lucky-lucky-wa", "blackjack", known)
    assert counted.exact
    assert float(solved("lucky-lucky-wa", "blackjack", known).expected) == pytest.approx(float(counted.expected), abs=1e-12)


def test_before_the_deal_and_after_a_card_blackjack_is_the_mean_of_what_follows_once_it_was_worked_out():
    opened = hw.edition("lucky-lucky-wa").edition
    settings = opened.settings({"decks": 2, "split-hands": 2})
    results = solver_of(opened).best_results(opened, "blackjack", settings, None)
    assert is_ready(opened, settings, "results")

    def expected(**cards):
        return float(solver_of(opened).known(opened, "blackjack", settings, KnownCards(**cards)).expected)

    assert expected() == pytest.approx(-results.house_edge, abs=1e-12)
    deuces = [(rank, expected(own=parse_cards(f"{rank}c"))) for rank in "A23456789"]
    tens = expected(own=parse_cards("Kc"))
    assert (sum(worth for _, worth in deuces) + 4 * tens) / 13 == pytest.approx(expected(), abs=1e-12)
    shoe = take(fresh_shoe(2), parse_cards("9c"))
    ups = [
        (expected(own=parse_cards("9c"), dealer=(card,)), copies) for card, copies in enumerate(shoe) if copies and not card & 3
    ]
    by_rank = sum(worth * sum(shoe[4 * rank : 4 * rank + 4]) for rank, (worth, _) in enumerate(ups)) / sum(shoe)
    assert by_rank == pytest.approx(dict(deuces)["9"], abs=1e-12)


def test_duki_by_what_was_decided():
    own = parse_cards("4c 4d 9h Js")
    assert chances(odds("duki-4-wa", "ante", KnownCards(own=own, choices=("fold",)))) == {"fold": 1}
    assert chances(odds("duki-4-wa", "duki-bonus", KnownCards(own=own, choices=("fold",)))) == {"other": 1}
    undecided, played = (odds("duki-4-wa", "ante", KnownCards(own=own, choices=choices)) for choices in ((), ("play",)))
    assert undecided.exact
    assert undecided.player
    assert not played.player
    assert undecided.expected == played.expected


@pytest.fixture
def outside(monkeypatch):
    monkeypatch.setenv("HOUSEWAY_GAMES", str(EXAMPLES))


def test_a_game_that_says_nothing_is_played_out_by_its_own_rules(outside):
    card = parse_cards("7s")[0]
    found = odds("dragon-tiger", "tie", KnownCards(common=(card,)), decks=8)
    assert found.exact
    assert chances(found)["tie"] == Fraction(31, 415)  # which a suited one is, too
    suited = odds("dragon-tiger", "suited-tie", KnownCards(common=(card,)), decks=8)
    assert chances(suited)["suited-tie"] == Fraction(7, 415)
    assert chances(odds("dragon-tiger", "tie", KnownCards(common=(card, card)))) == {"tie": 1}


def test_casino_war_knows_the_war_cards_and_not_the_burned(outside):
    seven, nine = parse_cards("7s 9d")
    tied = odds("casino-war", "bet", KnownCards(own=(seven,), dealer=(seven,)))
    assert tied.exact
    assert "war" in tied.player
    at_war = odds("casino-war", "bet", KnownCards(own=(seven, None, None, None, nine), dealer=(seven,), choices=("war",)))
    ranks = [24] * 13
    ranks[5] -= 2
    ranks[7] -= 1
    assert chances(at_war)["war-won"] == Fraction(sum(ranks[: 7 + 1]), sum(ranks))
    assert chances(odds("casino-war", "bet", KnownCards(own=(seven,), dealer=(seven,), choices=("surrender",)))) == {
        "surrender": 1
    }


def test_a_wager_that_hangs_on_decisions_of_nobody_says_so(outside, monkeypatch):
    monkeypatch.setattr(half_dealt, "ways_of", lambda _: {})
    with pytest.raises(Refused, match="hangs on decisions"):
        odds("casino-war", "bet", KnownCards())
    assert odds("casino-war", "tie", KnownCards()).exact
