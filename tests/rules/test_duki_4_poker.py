"""Duki 4 Poker against its clauses, and against a plain evaluator written from the clauses alone."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houseway as hw
from houseway.cards import parse_cards, show_cards
from houseway.games.duki_4_poker import rules
from houseway.games.duki_4_poker.game import describe
from houseway.refusal import Refused

BOOK = hw.edition("duki-4-wa")
ANTE_TABLE = {"four": 100, "straight": 10, "three": 5, "two-pair": 3, "pair": 2, "high": 1}
FOUR_ORDER = ("high", "pair", "two-pair", "three", "straight", "four")
THREE_ORDER = ("high", "pair", "straight", "three")
EXAMPLES = settings(deadline=None, max_examples=300)
FOUR_CARDS = st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True)
EIGHT_CARDS = st.lists(st.integers(0, 51), min_size=8, max_size=8, unique=True)
READINGS = st.fixed_dictionaries({"R8": st.sampled_from(["ante-table", "even-money"]), "R9": st.sampled_from(["yes", "no"])})


def encoded(**readings):
    return BOOK.edition.game.encode(BOOK.edition.settings(readings))


def score(cards, **readings):
    given_cards = parse_cards(cards) if isinstance(cards, str) else cards
    return int(rules.duki_score(np.array(given_cards, np.int64), 0, encoded(**readings)))


def straight_top(ranks, low_straight):
    """The top of a straight of different ranks 2..14, or 0; A-2-3(-4) ends in its highest small card."""
    down = sorted(ranks, reverse=True)
    if down[0] - down[-1] == len(down) - 1:
        return down[0]
    if low_straight and down[0] == 14 and down[1:] == list(range(len(down), 1, -1)):
        return down[1]
    return 0


def plain_value(ranks, low_straight):
    """(name of the hand, ranks that break a tie) of three or four cards, suits aside."""
    times = Counter(ranks)
    grouped = sorted(times, key=lambda rank: (times[rank], rank), reverse=True)
    shape = sorted(times.values(), reverse=True)
    if shape == [1] * len(ranks):
        top = straight_top(ranks, low_straight)
        return ("straight", [top]) if top else ("high", grouped)
    names = {(4,): "four", (3, 1): "three", (2, 2): "two-pair", (2, 1, 1): "pair", (3,): "three", (2, 1): "pair"}
    return names[tuple(shape)], grouped


def plain_three(cards, low_straight=True):
    """The best 3-card Duki in four cards, as a comparable value; nothing with fewer than three suits."""
    found = []
    for three in combinations(cards, 3):
        if len({card % 4 for card in three}) == 3:
            name, ties = plain_value([card // 4 + 2 for card in three], low_straight)
            found.append((THREE_ORDER.index(name), ties, name))
    return max(found, default=None)


def plain_duki(cards, low_straight=True):
    """(suits, place in the order, tie-breaking ranks, name): a hand with more suits is higher; () is no Duki."""
    if len({card % 4 for card in cards}) == 4:
        name, ties = plain_value([card // 4 + 2 for card in cards], low_straight)
        return (4, FOUR_ORDER.index(name), ties, name)
    three = plain_three(cards, low_straight)
    return (3, *three) if three else ()


def plain_settle(player_cards, dealer_cards, r8, r9):
    """What Ante and Play win, in units, for a player who plays: D4P-6 to D4P-9."""
    player, dealer = (plain_duki(cards, r9 == "yes") for cards in (player_cards, dealer_cards))
    by_table = ANTE_TABLE[player[3]] if player and player[0] == 4 else 1
    if not dealer:
        return by_table, 0
    if not player or player < dealer:
        return -1, -1
    if player == dealer:
        return 0, 0
    return (1 if dealer[0] == 3 and r8 == "even-money" else by_table), 1


def wins(cards, bets="ante=10", choices="play", **readings):
    """Net win in cents by wager."""
    made = BOOK.settle(cards, bets, choices, **readings)
    return {payment.wager: payment.win_cents for payment in made.payments}


def sign(number):
    return (number > 0) - (number < 0)


# D4P-4


@pytest.mark.parametrize(
    ("cards", "suits"),
    [
        ("9h 9c 6s Jd", 4),
        ("2c 7d Qh As", 4),
        ("Ah 4h 3c Js", 3),
        ("Jd Js Jh Qd", 3),
        ("Qd Qs Js As", 0),
        ("2c 3c 4c 5c", 0),
        ("5h 5c 9h 9c", 0),
    ],
)
def test_d4p_4_suits_decide_which_duki(cards, suits):
    assert score(cards) >> 24 == {4: rules.FOUR_CARD, 3: rules.THREE_CARD, 0: rules.NO_DUKI}[suits]


def test_d4p_4_every_pattern_of_suits():
    for suits in product(range(4), repeat=4):
        cards = [4 * rank + suit for rank, suit in zip((0, 3, 7, 11), suits, strict=True)]
        expected = {4: rules.FOUR_CARD, 3: rules.THREE_CARD}.get(len(set(suits)), rules.NO_DUKI)
        assert score(cards) >> 24 == expected


def test_d4p_4_three_card_duki_takes_the_best_of_two_cards_of_one_suit():
    assert score("9h 2h 9c Ks") == score("9h 3h 9c Ks")
    assert score("5h Ah 6c 7s") > score("Ah Kh 6c 7s")  # the straight 5-6-7 rather than A-7-6
    assert score("Kh Qh 6c 7s") == score("Kh 2h 6c 7s")


def test_d4p_4_a_straight_within_one_suit_does_not_help():
    assert score("4h 5h 6s Kc") == score("2h 5h 6s Kc")


# D4P-5


def test_d4p_5_order_of_four_card_dukis():
    ladder = ["2c 3d 4h 6s", "Ac Kd Qh 9s", "2c 2d 3h 4s", "Ac Ad Kh Qs", "3c 3d 2h 2s", "Ac Ad Kh Ks", "2c 2d 2h 3s"]
    ladder += ["Ac Ad Ah Ks", "2c 3d 4h 5s", "Ac Kd Qh Js", "2c 2d 2h 2s", "Ac Ad Ah As"]
    scores = [score(cards) for cards in ladder]
    assert scores == sorted(set(scores))


def test_d4p_5_order_of_three_card_dukis():
    ladder = ["2c 3c 5d 6h", "Jc Kc Ad 9h", "2c 9c 2d 7h", "Jc Ac Ad Kh", "9c Ac 2d 3h", "2c Ac Kd Qh", "3c 2c 2d 2h"]
    scores = [score(cards) for cards in [*ladder, "2c Ac Ad Ah"]]
    assert {value >> 24 for value in scores} == {rules.THREE_CARD}
    assert scores == sorted(set(scores))


def test_d4p_5_three_of_a_kind_is_above_a_straight_only_with_three_cards():
    assert score("2c 2d 2h 3h") > score("Ac Kd Qh 2h")
    assert score("Ac Ad Ah Ks") < score("2c 3d 4h 5s")


@settings(deadline=None, max_examples=60)
@given(FOUR_CARDS, FOUR_CARDS)
def test_d4p_5_any_four_card_duki_beats_any_three_card_duki(first, second):
    four = [4 * (card // 4) + suit for suit, card in enumerate(first)]
    three = [4 * (card // 4) + suit for suit, card in zip((0, 1, 2, 2), second, strict=True)]
    if len(set(three)) == 4:
        assert score(four) > score(three)
    assert score(four) >> 24 == rules.FOUR_CARD


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("9c 9d Jh 2s", "9h 9s 10c 8d"),
        ("9c 9d Jh 4s", "9h 9s Jc 3d"),
        ("Ac 9d 7h 5s", "Ad 9h 7s 4c"),
        ("Ac Ad 3h 3s", "Kc Kd Qh Qs"),
        ("5c 5d 5h 2s", "4c 4d 4h As"),
        ("Qc Qd 9h 2h", "Qh Qs 8d 7d"),
    ],
)
def test_d4p_5_ranks_and_kickers_decide_within_a_kind(higher, lower):
    assert score(higher) > score(lower)


@EXAMPLES
@given(FOUR_CARDS, FOUR_CARDS, st.sampled_from(["yes", "no"]))
def test_d4p_5_score_is_the_order_of_the_plain_evaluator(first, second, r9):
    ours = sign(score(first, R9=r9) - score(second, R9=r9))
    plain = [plain_duki(cards, r9 == "yes") for cards in (first, second)]
    assert ours == (plain[0] > plain[1]) - (plain[0] < plain[1])


@EXAMPLES
@given(st.lists(FOUR_CARDS, min_size=3, max_size=8))
def test_d4p_5_order_is_total_and_transitive(hands):
    ranked = sorted(hands, key=score)
    values = [plain_duki(cards) for cards in ranked]
    assert values == sorted(values)


@EXAMPLES
@given(EIGHT_CARDS, st.permutations(range(4)), st.permutations(range(4)), st.permutations(range(4)))
def test_d4p_5_names_of_suits_and_order_of_cards_do_not_matter(cards, suits, mine, his):
    shuffled = [cards[place] for place in mine] + [cards[4 + place] for place in his]
    renamed = [card // 4 * 4 + suits[card % 4] for card in shuffled]
    assert score(renamed[:4]) == score(cards[:4])
    before, after = (np.array(tape, np.int64) for tape in (cards, renamed))
    assert rules.play_every_duki(before, encoded()) == rules.play_every_duki(after, encoded())
    assert rules.duki_bonus(before, encoded()) == rules.duki_bonus(after, encoded())


# D4P-6


@pytest.mark.parametrize(
    ("player", "ante"),
    [
        ("9c 9d 9h 9s", 100),
        ("7s 8h 9c 10d", 10),
        ("4s 4h 4c 10d", 5),
        ("4s 4h 10c 10d", 3),
        ("4s 4h 6c 10d", 2),
        ("4s 5h 9c 10d", 1),
        ("4s 5h 9c 10c", 1),
        ("4s 5s 9c 10c", 1),
        ("4s 4h 4c 10c", 1),
    ],
)
def test_d4p_6_dealer_does_not_qualify(player, ante):
    dealer = "Ks Qs Kh 2h"
    assert wins(f"{player} {dealer}") == {"ante": 1000 * ante, "play": 0}


def test_d4p_6_names_its_clause():
    made = BOOK.settle("4s 5h 9c 10c Ks Qs Kh 2h", "ante=10", "play")
    assert {payment.clause for payment in made.payments} == {"D4P-6"}


# D4P-7


@pytest.mark.parametrize(
    ("player", "dealer", "ante", "play"),
    [
        ("9h 9c 6s Jd", "9s 9d 5h 8c", 2, 1),
        ("5c 5d 5h 5s", "Ac Ad Ah As", -1, -1),
        ("Ac Ad Ah As", "5c 5d 5h 5s", 100, 1),
        ("2c 3d 4h 6s", "2d 3c 4s 7h", -1, -1),
        ("2c 3d 4h 6s", "2d 3c 4s 6h", 0, 0),
        ("9c 9d 6h 6s", "9h 9s 6c 6d", 0, 0),
        ("Jd Js Jh Qd", "2c 3d 4h 6s", -1, -1),  # a 3-card Duki
        ("Qd Qs Js As", "2c 3d 4h 6s", -1, -1),  # no Duki
    ],
)
def test_d4p_7_dealer_has_a_four_card_duki(player, dealer, ante, play):
    assert wins(f"{player} {dealer}") == {"ante": 1000 * ante, "play": 1000 * play}


def test_d4p_7_names_its_clause():
    made = BOOK.settle("9h 9c 6s Jd 9s 9d 5h 8c", "ante=10", "play")
    assert {payment.clause for payment in made.payments} == {"D4P-7"}
    assert "D4P-7" in {step.clause for step in made.steps}


# D4P-8


@pytest.mark.parametrize(
    ("player", "dealer", "units"),
    [
        ("Ac Ad 4h 2h", "Kc Kd Qh 2d", 1),
        ("Kc Kd Qh 2d", "Ac Ad 4h 2h", -1),
        ("Kc Kd 9h 2d", "Kh Ks 9c 3h", 0),
        ("Qd Qs Js As", "2c 3d 5h 3c", -1),  # no Duki against the lowest of hands
        ("2c 2d 2h 3c", "Ac Kd Qh Ah", 1),
    ],
)
def test_d4p_8_dealer_has_a_three_card_duki(player, dealer, units):
    assert score(dealer) >> 24 == rules.THREE_CARD
    assert wins(f"{player} {dealer}") == {"ante": 1000 * units, "play": 1000 * units}


@pytest.mark.parametrize(("reading", "ante"), [("ante-table", 10), ("even-money", 1)])
def test_d4p_8_r8_four_card_duki_against_a_three_card_duki(reading, ante):
    assert wins("7s 8h 9c 10d Jd Js Jh Qd", R8=reading) == {"ante": 1000 * ante, "play": 1000}


def test_d4p_8_r8_says_nothing_about_other_meetings():
    for cards in ("7s 8h 9c 10d Ks Qs Kh 2h", "7s 8h 9c 10d 2c 3d 4h 6s", "Ac Ad 4h 2h Kc Kd Qh 2d"):
        assert wins(cards, R8="ante-table") == wins(cards, R8="even-money")


def test_d4p_8_r8_default_is_the_ante_table():
    assert BOOK.edition.settings()["R8"] == "ante-table"
    assert list(BOOK.edition.readings["R8"].values) == ["ante-table", "even-money"]


def test_d4p_6_r7_three_card_duki_against_no_duki_is_even_money():
    assert list(BOOK.edition.readings["R7"].values) == ["even-money"]
    assert wins("Ac Ad Ah 2h Ks Qs Kh 2s", R7="even-money") == {"ante": 1000, "play": 0}


# D4P-9


@pytest.mark.parametrize(
    ("player", "name", "pays"),
    [
        ("9c 9d 9h 9s", "win-four-of-a-kind", "100 to 1"),
        ("Ac Kd Qh Js", "win-straight", "10 to 1"),
        ("4s 4h 4c 10d", "win-three-of-a-kind", "5 to 1"),
        ("4s 4h 10c 10d", "win-two-pair", "3 to 1"),
        ("4s 4h 6c 10d", "win-pair", "2 to 1"),
        ("4s 6h 9c 10d", "win-high-card", "1 to 1"),
    ],
)
def test_d4p_9_ante_table(player, name, pays):
    ante, play = BOOK.settle(f"{player} 2c 3d 5h 7s", "ante=25", "play").payments
    assert (ante.outcome, ante.pays, ante.win_cents) == (name, pays, 2500 * int(pays.split()[0]))
    assert (play.wager, play.stake_cents, play.win_cents) == ("play", 2500, 2500)


@EXAMPLES
@given(EIGHT_CARDS, READINGS)
def test_d4p_9_every_meeting_is_paid_as_the_clauses_say(cards, readings):
    ante, play = plain_settle(cards[:4], cards[4:], readings["R8"], readings["R9"])
    assert wins(show_cards(cards), **readings) == {"ante": 1000 * ante, "play": 1000 * play}


@EXAMPLES
@given(EIGHT_CARDS)
def test_d4p_7_who_wins_on_one_side_loses_on_the_other(cards):
    mine, his = score(cards[:4]), score(cards[4:])
    if mine and his:
        there, back = (rules.showdown(*pair, encoded()) for pair in ((mine, his), (his, mine)))
        assert (there == rules.LOSE) == (back >= rules.WIN)
        assert (there == rules.PUSH) == (back == rules.PUSH)
    assert rules.play_every_duki(np.array(cards, np.int64), encoded()) == (
        rules.showdown(mine, his, encoded()) if mine else rules.FOLD
    )


# D4P-10


@pytest.mark.parametrize(
    ("cards", "units"),
    [
        ("7s 7h 7d 2c", 30),
        ("7s 7h 7d 2d", 30),
        ("9s 9h 9d 9c", 30),
        ("4s 5h 6d 6s", 5),
        ("8s 8h 9d 10c", 5),
        ("Qs Kh Ad 2c", 5),
        ("4s 4h 9d Kc", 1),
        ("As Ah 9d 9s", 1),
        ("3s 3h 9d Kc", -1),
        ("3s 3h 2d 2c", -1),
        ("2s 2h 9d Ks", -1),
        ("4h 5h 6s Kc", -1),  # 4 and 5 of one suit
        ("4h 5h 6s 9s", -1),  # two suits
        ("5h 5c 9h 9c", -1),  # a pair in two suits
        ("Ks Ah 2d 7c", -1),  # around the corner
    ],
)
def test_d4p_10_bonus_pays(cards, units):
    assert wins(cards, "duki-bonus=5", "") == {"duki-bonus": 500 * units}


def test_d4p_10_bonus_is_paid_though_the_hand_loses():
    made = wins("4s 4h 4d 9d 5c 6d 7h 8s", "ante=10,duki-bonus=5")
    assert made == {"ante": -1000, "play": -1000, "duki-bonus": 15000}


@pytest.mark.parametrize("dealer", ["", " 5c 6d 7h 8s"])
def test_d4p_10_bonus_is_forfeited_by_a_fold(dealer):
    assert wins("4s 4h 4d 9d" + dealer, "ante=10,duki-bonus=5", "fold") == {"ante": -1000, "duki-bonus": -500}


def test_d4p_10_bonus_alone_has_no_decision():
    with pytest.raises(Refused, match="no decision"):
        BOOK.settle("4s 4h 4d 9d", "duki-bonus=5", "play")


def test_d4p_10_r10_a_four_card_duki_is_scored_on_its_best_three_cards():
    assert list(BOOK.edition.readings["R10"].values) == ["best-three-cards"]
    for cards in ("4s 5h 6d Kc", "7s 7h 7d 2c"):
        assert score(cards) >> 24 == rules.FOUR_CARD
    assert wins("4s 5h 6d Kc", "duki-bonus=5", "") == {"duki-bonus": 2500}


@EXAMPLES
@given(FOUR_CARDS, st.sampled_from(["yes", "no"]))
def test_d4p_10_bonus_agrees_with_the_plain_evaluator(cards, r9):
    three = plain_three(cards, r9 == "yes")
    units = {"three": 30, "straight": 5}.get(three[2], -1) if three else -1
    if three and three[2] == "pair" and three[1][0] >= 4:
        units = 1
    assert wins(show_cards(cards), "duki-bonus=5", "", R9=r9) == {"duki-bonus": 500 * units}


# R9 and D4P-15


@pytest.mark.parametrize(("reading", "ante", "bonus"), [("yes", 10, 5), ("no", 1, -1)])
def test_d4p_5_r9_ace_two_three_four(reading, ante, bonus):
    made = wins("Ac 2d 3h 4s Ks Qs Kh 2h", "ante=10,duki-bonus=5", "play", R9=reading)
    assert made["ante"] == 1000 * ante
    low = wins("Ac 2d 3h 9s", "duki-bonus=5", "", R9=reading)
    assert low == {"duki-bonus": 500 * bonus}


def test_d4p_5_r9_the_low_straight_is_the_lowest():
    assert score("Ac 2d 3h 4s") < score("2c 3d 4h 5s")
    assert score("Ac 2d 3h 3d") < score("2c 3d 4h 4d")
    assert score("Ac 2d 3h 4s") > score("Kc Kd Kh As")
    assert score("Ac 2d 3h 4s", R9="no") < score("2c 2d 3h 4s", R9="no")


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_d4p_5_r9_high_straights_always_and_never_around_the_corner(reading):
    name = rules.STRAIGHT
    assert score("Ac Kd Qh Js", R9=reading) >> 16 & 255 == name
    assert score("Ac Kd Qh 2h", R9=reading) >> 16 & 255 == name
    for cards in ("Ac Kd Qh 2s", "Kc Ad 2h 3s", "Qc Kd Ah 3s", "Kc Ad 2h 9h"):
        assert score(cards, R9=reading) >> 16 & 255 == rules.HIGH_CARD


@pytest.mark.parametrize(
    ("winner", "loser"),
    [
        ("9h 9c 6s Jd", "9s 9d 5h 8c"),
        ("7s 8h 9c 10d", "Jd Jc Jh 3s"),
        ("6c 7s 8h 2d", "Jd Js Jh Qd"),
        ("6c 8h 9c 2s", "Qd Qs Js As"),
    ],
)
def test_d4p_15_worked_comparisons(winner, loser):
    assert score(winner) > score(loser)
    assert wins(f"{winner} {loser}")["ante"] > 0
    lost = wins(f"{loser} {winner}")
    assert lost == {"ante": -1000, "play": -1000}


def test_d4p_15_the_last_hand_does_not_qualify():
    assert score("Qd Qs Js As") == rules.NO_DUKI
    assert wins("6c 8h 9c 2s Qd Qs Js As") == {"ante": 1000, "play": 0}


def test_d4p_15_holds_for_every_order_of_the_cards():
    for order in permutations(range(4)):
        hand = [parse_cards("Jd Js Jh Qd")[place] for place in order]
        assert score(hand) == score("Jd Js Jh Qd")


def test_every_rule_clause_is_here():
    ruled = {id_ for id_, clause in BOOK.clauses.items() if clause.kind == "rule"}
    assert ruled == {f"D4P-{number}" for number in (4, 5, 6, 7, 8, 9, 10, 15)}
    tests = [name for name in globals() if name.startswith("test_d4p_")]
    for id_ in ruled:
        assert any(name.startswith(f"test_{id_.lower().replace('-', '_')}_") for name in tests)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Jh Jc 3s Jd", "4-card Duki, three of a kind (jacks)"),
        ("10h 10c 3s 3d", "4-card Duki, two pair (tens)"),
        ("7h 7c Ks 8d", "4-card Duki, pair (sevens)"),
        ("9h 9c 9s 9d", "4-card Duki, four of a kind (nines)"),
        ("Ah 2c 3s 4d", "4-card Duki, straight (4-high)"),
        ("Kh 2c 7s 4d", "4-card Duki, high card (K-high)"),
        ("Qh Qc Qs 4h", "3-card Duki, three of a kind (queens)"),
        ("4s 7c 8h 7s", "3-card Duki, pair (sevens)"),
        ("4s 4c 4h 4d", "4-card Duki, four of a kind (fours)"),
        ("9s 10c Jh 2h", "3-card Duki, straight (J-high)"),
        ("9s 5c 2h 2s", "3-card Duki, pair (twos)"),
        ("9s 5c 7h 3s", "3-card Duki, high card (9-high)"),
        ("9s 5s 7s 3s", "no Duki"),
    ],
)
def test_a_duki_in_words_never_reads_like_a_card(cards, words):
    """`three of a kind (Js)` would name the jack of spades to a reader."""
    assert describe(score(cards)) == words
