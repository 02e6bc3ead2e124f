"""Blackjack, clause by clause (BJ). Cards: player, up-card, player, hole card (if any), then as they are drawn."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import houseway
from houseway import Refused

BOOK = houseway.edition("lucky-lucky-wa")
DECK = [rank + suit for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K") for suit in "cdhs"]
PAY_TABLES = {"3:2": Fraction(3, 2), "6:5": Fraction(6, 5), "1:1": Fraction(1), "2:1": Fraction(2)}


def wins(cards, choices="", bets="blackjack=10", **switches):
    """What every payment won, in cents, in the order paid."""
    return [payment.win_cents for payment in BOOK.settle(cards, bets, choices, **switches).payments]


def stakes(cards, choices="", **switches):
    return [payment.stake_cents for payment in BOOK.settle(cards, "blackjack=10", choices, **switches).payments]


def by_wager(cards, bets, choices="", **switches):
    """What every wager won in all."""
    paid = {}
    for payment in BOOK.settle(cards, bets, choices, **switches).payments:
        paid[payment.wager] = paid.get(payment.wager, 0) + payment.win_cents
    return paid


def refusal(cards, choices="", bets="blackjack=10", **switches):
    with pytest.raises(Refused) as caught:
        BOOK.settle(cards, bets, choices, **switches)
    return caught.value.code


@pytest.mark.parametrize("decks", range(1, 9))
def test_bj_1_one_to_eight_decks(decks):
    assert wins("10s 9d Jh 10c", "stand", decks=decks) == [1000]
    assert refusal("2c " * (decks + 3), "stand", decks=decks) == "card-not-in-shoe"


def test_bj_1_six_decks_unless_chosen():
    assert BOOK.edition.settings()["decks"] == 6
    assert refusal("10s 9d Jh 10c", "stand", decks=9) in {"bad-setting", "outside-approval"}
    assert wins("10s 9d Jh 10c", "stand", shuffler="continuous") == [1000]


@pytest.mark.parametrize("ten", ["10", "J", "Q", "K"])
def test_bj_1_faces_count_ten(ten):
    assert wins(f"{ten}s 10d 8h 7c", "stand") == [1000]
    assert wins(f"{ten}s 10d 7h 7c", "stand") == [0]
    assert wins(f"9s {ten}d 7h 7c", "stand") == [-1000]


@pytest.mark.parametrize(
    ("player", "choices", "win"),
    [
        ("As 7h", "stand", 0),  # ace 11: 18
        ("As 7h 4d", "hit,stand", -1000),  # ace 1: 12
        ("As 7h 3d", "hit", 1000),  # ace 11: 21
        ("As Ah 9d", "hit", 1000),  # one ace 11, one 1: 21
        ("As Ah Kd 9s", "hit,hit", 1000),  # both 1: 21
        ("10s 5h As 5d", "hit,hit", 1000),
        ("10s 5h As 6d", "hit,hit", -1000),  # ace 1, and still 22
    ],
)
def test_bj_1_an_ace_counts_1_or_11(player, choices, win):
    first, second, *drawn = player.split()
    assert wins(" ".join([first, "10d", second, "8c", *drawn]), choices) == [win]  # the dealer has 18


@pytest.mark.parametrize(
    ("cards", "choices", "win"),
    [
        ("10s 10d 9h 8c", "stand", 1000),
        ("10s 10d 8h 8c", "stand", 0),
        ("10s 10d 7h 8c", "stand", -1000),
        ("10s 10d 6h 8c 6d", "hit", -1000),  # 22 has lost
        ("10s 10d 6h 6c 6d", "hit", -1000),  # also if the dealer has 16: he does not draw
        ("10s 10d 2h 6c Ks", "stand", 1000),  # the dealer passes 21
        ("10s 10d 6h 6c 5s 5d", "hit", 0),  # 21 each
        ("2s 10d 3h 10c 2d 3c 4d 5c 2c", "hit,hit,hit,hit,hit", 1000),  # 21 in seven cards
    ],
)
def test_bj_1_closest_to_21_wins_and_equal_pushes(cards, choices, win):
    assert wins(cards, choices) == [win]


def test_bj_1_choices_and_cards_must_fit():
    assert refusal("10s 10d 6h 8c 5s", "hit,stand") == "bad-choice"  # 21 needs no choice
    assert refusal("10s 10d 6h 8c") == "bad-choice"
    assert refusal("10s 10d 6h 8c", "fold") == "bad-choice"
    assert refusal("10s 10d 6h 8c", "hit") == "too-few-cards"
    assert refusal("10s 10d 9h 8c 2c", "stand") == "too-many-cards"


@pytest.mark.parametrize(("table", "win"), [("3:2", 1500), ("6:5", 1200), ("1:1", 1000), ("2:1", 2000)])
def test_bj_2_what_a_blackjack_pays(table, win):
    for ten in ("10", "J", "Q", "K"):
        assert wins(f"As 9d {ten}h 10c", pay_table=table) == [win]
        assert wins(f"{ten}s 9d Ah 10c", pay_table=table) == [win]
        assert wins(f"{ten}s 9d Ah 2c", pay_table=table) == [win]  # the dealer has no reason to draw
    assert wins("9s 9d 10h 8c", "stand", pay_table=table) == [1000]


def test_bj_2_three_to_two_unless_chosen():
    (payment,) = BOOK.settle("As 9d Kh 10c", "blackjack=10").payments
    assert (payment.win_cents, payment.outcome, payment.clause) == (1500, "blackjack", "BJ-2")
    assert refusal("As 9d Kh 10c", pay_table="7:5") == "bad-setting"


@pytest.mark.parametrize("table", PAY_TABLES)
@pytest.mark.parametrize(("up", "hole"), [("Ad", "Kc"), ("Kd", "Ac"), ("10d", "Ac")])
def test_bj_2_pushes_against_the_dealers(up, hole, table):
    assert wins(f"As {up} Kh {hole}", pay_table=table) == [0]


@pytest.mark.parametrize(("up", "second"), [("Ad", "Kc"), ("Kd", "Ac")])
def test_bj_2_the_dealers_beats_any_other_21(up, second):
    assert wins(f"10s {up} 9h {second}") == [-1000]
    assert wins(f"10s {up} 6h 5c {second}", "hit", hole_card="none") == [-1000]


def test_bj_2_three_cards_of_21_are_no_blackjack():
    assert wins("10s 10d 6h 9c 5s", "hit") == [1000]


def test_bj_2_not_after_a_split():
    assert wins("As 6d Ah 10c Ks Qs 9d", "split") == [1000, 1000]  # 21 twice, the dealer passes 21
    assert wins("Ks 6d Kh 10c As Ah 5d", "split") == [0, 0]  # 21 twice against 21 in three cards
    assert wins("Ks Ad Kh As Ah Qd", "split", hole_card="none") == [-1000, -1000]  # against a blackjack


@pytest.mark.parametrize(("hole", "next_card"), [("2", "5"), ("3", "4"), ("4", "3"), ("5", "2"), ("6", "A")])
def test_bj_3_the_dealer_draws_up_to_16(hole, next_card):
    assert refusal(f"10s 10d 8h {hole}c", "stand") == "too-few-cards"
    assert wins(f"10s 10d 8h {hole}c {next_card}s", "stand") == [1000]  # he stops at 17


@pytest.mark.parametrize(("hole", "win"), [("7", 1000), ("8", 0), ("9", -1000), ("10", -1000)])
def test_bj_3_the_dealer_stands_from_17(hole, win):
    for soft_17 in ("hits", "stands"):
        assert refusal(f"10s 10d 8h {hole}c 2s", "stand", soft_17=soft_17) == "too-many-cards"
        assert wins(f"10s 10d 8h {hole}c", "stand", soft_17=soft_17) == [win]


@pytest.mark.parametrize("dealer", ["Ad 6c", "6d Ac", "3d 3c As", "Ad 2c 4s", "2d Ac Ah 3s", "Ad Ac 5s"])
def test_bj_3_soft_17(dealer):
    """The player has 18: the dealer's soft 17 loses, and a drawn 4 makes it 21."""
    up, hole, *drawn = dealer.split()
    cards = " ".join(["10s", up, "8h", hole, *drawn])
    assert BOOK.edition.settings()["soft-17"] == "hits"
    assert refusal(cards, "stand") == "too-few-cards"
    assert wins(f"{cards} 4h", "stand") == [-1000]
    assert wins(cards, "stand", soft_17="stands") == [1000]
    assert refusal(f"{cards} 4h", "stand", soft_17="stands") == "too-many-cards"


@pytest.mark.parametrize("dealer", ["Ad 6c Ks", "10d 6c As", "Ad 7c", "Ad 5c As As"])
def test_bj_3_a_hard_17_and_a_soft_18_stand(dealer):
    up, hole, *drawn = dealer.split()
    cards = " ".join(["10s", up, "9h", hole, *drawn])
    assert wins(cards, "stand") == [1000]
    assert refusal(f"{cards} 2h", "stand") == "too-many-cards"


@pytest.mark.parametrize(("third", "win"), [("Kd", 2000), ("6d", 0), ("5d", -2000)])
def test_bj_4_a_double_stakes_as_much_again_for_one_card(third, win):
    cards = f"5s 10d 6h 7c {third}"
    assert wins(cards, "double") == [win]
    assert stakes(cards, "double") == [2000]
    assert refusal(f"{cards} 2c", "double,hit") == "bad-choice"
    assert refusal(cards, "double,stand") == "bad-choice"


def test_bj_4_a_doubled_hand_may_pass_21():
    assert wins("10s 10d 6h 7c Kd", "double") == [-2000]


HANDS = {"4s 4h": 8, "4s 5h": 9, "5s 5h": 10, "5s 6h": 11, "6s 6h": 12, "10s 7h": 17, "As 7h": 18, "As 8h": 19, "As Ah": 12}


@pytest.mark.parametrize(("limit", "totals"), [("any", range(4, 21)), ("9-11", (9, 10, 11)), ("10-11", (10, 11))])
@pytest.mark.parametrize("hand", HANDS)
def test_bj_4_which_two_cards_may_be_doubled(limit, totals, hand):
    first, second = hand.split()
    cards = f"{first} 10d {second} 7c 2c"
    if HANDS[hand] in totals:
        assert stakes(cards, "double", double=limit) == [2000]
    else:
        assert refusal(cards, "double", double=limit) == "bad-choice"


def test_bj_4_any_two_cards_unless_chosen_but_never_three():
    assert stakes("10s 10d 7h 7c 2c", "double") == [2000]
    assert refusal("2s 10d 3h 7c 4c 5c", "hit,double") == "bad-choice"


def test_bj_4_double_after_a_split():
    cards = "8s 6d 8h 10c 3s Kd Qs 5c"  # 8 3 K, 8 Q, and the dealer's 21
    assert wins(cards, "split,double,stand") == [0, -1000]
    assert stakes(cards, "split,double,stand") == [2000, 1000]
    assert refusal(cards, "split,double,stand", double_after_split="no") == "bad-choice"
    assert wins(cards, "split,hit,stand", double_after_split="no") == [0, -1000]
    assert refusal("4s 6d 4h 10c 5s Kd Qs 5c", "split,double,stand", double="10-11") == "bad-choice"  # 9


@pytest.mark.parametrize("second", ["10h", "Jh", "Qh", "Kh"])
def test_bj_5_equal_values_or_equal_ranks(second):
    cards = f"Ks 10d {second} 7c 8s 9s"
    assert wins(cards, "split,stand,stand") == [1000, 1000]
    assert stakes(cards, "split,stand,stand") == [1000, 1000]
    if second == "Kh":
        assert wins(cards, "split,stand,stand", split="ranks") == [1000, 1000]
    else:
        assert refusal(cards, "split,stand,stand", split="ranks") == "bad-choice"


@pytest.mark.parametrize("pair", ["10s 9h", "2s 3h", "As Kh", "As 2h"])
def test_bj_5_other_cards_are_not_split(pair):
    first, second = pair.split()
    assert refusal(f"{first} 10d {second} 7c 8s 9s", "split,stand,stand") == "bad-choice"


def test_bj_5_not_after_a_hit():
    assert refusal("2s 10d 2h 7c 4c 8s 9s", "hit,split") == "bad-choice"


def test_bj_5_the_first_hand_is_completed_before_the_second_gets_its_card():
    settlement = BOOK.settle("8s 6d 8h 10c 3s Kd 2s 9h 5c", "blackjack=10", "split,double,double")
    assert [payment.win_cents for payment in settlement.payments] == [0, -2000]  # 8 3 K and 8 2 9 against 21
    assert [payment.spot for payment in settlement.payments] == ["hand 1", "hand 2"]
    assert wins("8s 6d 8h 10c 2s 9h 3s Kd 5c", "split,double,double") == [-2000, 0]


def test_bj_5_a_first_hand_that_is_lost_leaves_the_second_in_play():
    assert wins("8s 10d 8h 7c 6s Kd Qs", "split,hit,stand") == [-1000, 1000]


@pytest.mark.parametrize("most", [2, 3, 4])
def test_bj_5_re_split_to_the_limit(most):
    """An 8 falls on the first hand each time; every other hand gets a ten."""
    cards = "8s 10d 8h 7c " + "8c " * (most - 1)
    splits = "split," * (most - 1)
    done = wins(cards + "10h " * (most - 1), splits + "stand," * most, split_hands=most)
    assert done == [-1000] + [1000] * (most - 1)
    assert refusal(cards + "10h " * (most + 1), splits + "split," + "stand," * (most + 1), split_hands=most) == "bad-choice"


def test_bj_5_four_hands_unless_chosen():
    assert BOOK.edition.settings()["split-hands"] == 4
    cards = "8s 10d 8h 7c 10h 8c 10h 8c 10h 9h"  # each time it is the later hand that is split again
    assert wins(cards, "split,stand,split,stand,split,stand,stand") == [1000, 1000, 1000, 0]


def test_bj_5_split_aces_get_one_card_each():
    cards = "As 6d Ah 10c 5s 9s 2s"
    assert wins(cards, "split") == [-1000, 1000]  # 16 and 20 against 18
    for choice in ("hit", "stand", "double"):
        assert refusal(cards, f"split,{choice}") == "bad-choice"


def test_bj_5_aces_are_split_once():
    assert wins("As 6d Ah 10c Ad 9s 2s", "split") == [-1000, 1000]  # 12 and 20 against 18
    assert refusal("As 6d Ah 10c Ad 9s 8s 9h 2s", "split,split") == "bad-choice"
    assert refusal("As 6d Ah 10c Ad 9s 8s 9h 2s", "split,split,stand,stand,stand", split_aces="play-on") == "bad-choice"


def test_bj_5_split_aces_played_on():
    cards = "As 6d Ah 10c 5s 4d 9s 2s"
    assert wins(cards, "split,hit,stand,stand", split_aces="play-on") == [1000, 1000]  # 20 and 20 against 18
    assert refusal(cards, "split", split_aces="play-on") == "bad-choice"
    assert wins(cards, "split,double,stand", split_aces="play-on") == [2000, 1000]


def test_bj_5_aces_split_again():
    cards = "As 6d Ah 10c Ad 5s 9s 9h 2s"  # A 5, A 9 and A 9 against 18
    assert wins(cards, "split,split", split_aces="re-split") == [-1000, 1000, 1000]
    assert refusal("As 6d Ah 10c Ad 7s 9s 2s", "split,hit,stand", split_aces="re-split") == "bad-choice"
    assert refusal(cards, "split,split,hit", split_aces="re-split") == "bad-choice"
    assert refusal(cards, "split,split", split_aces="re-split", split_hands=2) == "bad-choice"
    assert wins("As 6d Ah 10c Ad 9s 2s", "split,stand", split_aces="re-split") == [-1000, 1000]
    four = "As 6d Ah 10c Ad Ac As 9s 9h 9c 2s"  # the fourth hand is the last
    assert wins(four, "split,split,split", split_aces="re-split") == [-1000, 1000, 1000, 1000]


@pytest.mark.parametrize(("insurance", "win"), [("5", 1000), ("2.50", 500), ("1", 200)])
def test_bj_6_insurance_pays_two_to_one(insurance, win):
    bets = f"blackjack=10,insurance={insurance}"
    assert by_wager("10s Ad 9h Kc", bets) == {"insurance": win, "blackjack": -1000}
    assert by_wager("10s Ad 9h 9c", bets, "stand") == {"insurance": -win // 2, "blackjack": -1000}
    assert by_wager("10s Ad 9h 7c", bets, "stand") == {"insurance": -win // 2, "blackjack": 1000}


def test_bj_6_insurance_up_to_half_the_bet():
    assert refusal("10s Ad 9h Kc", bets="blackjack=10,insurance=5.01") == "bad-bet"
    assert refusal("10s Ad 9h Kc", bets="blackjack=10,insurance=10") == "bad-bet"
    assert refusal("10s Ad 9h Kc", bets="blackjack=5,insurance=3") == "bad-bet"
    assert refusal("10s Ad 9h Kc", bets="insurance=5") == "bad-bet"
    assert by_wager("10s Ad 9h Kc", "blackjack=400,insurance=200") == {"insurance": 40_000, "blackjack": -40_000}


@pytest.mark.parametrize("up", ["2d", "9d", "10d", "Kd"])
def test_bj_6_insurance_on_an_ace_up_only(up):
    assert refusal(f"10s {up} 9h Ac", "stand", bets="blackjack=10,insurance=5") == "bad-bet"


@pytest.mark.parametrize("hole", ["Kc", "9c"])
def test_bj_6_even_money_is_insurances_equal(hole):
    cards = f"As Ad Kh {hole}"
    assert wins(cards, "even-money") == [1000]
    assert sum(wins(cards, bets="blackjack=10,insurance=5")) == 1000
    assert wins(cards, "even-money", pay_table="6:5") == [1000]


def test_bj_6_even_money_is_for_a_blackjack_against_an_ace():
    assert refusal("As Kd Qh Ac", "even-money") == "bad-choice"
    assert refusal("10s Ad 9h 9c", "even-money") == "bad-choice"
    assert refusal("As Ad Kh 9c", "even-money,stand") == "bad-choice"


@pytest.mark.parametrize("hole_card", ["none", "none-original-bets-only"])
def test_bj_6_insurance_without_a_hole_card(hole_card):
    bets = "blackjack=10,insurance=5"
    assert by_wager("10s Ad 9h Kc", bets, "stand", hole_card=hole_card) == {"insurance": 1000, "blackjack": -1000}
    assert by_wager("10s Ad 9h 7c", bets, "stand", hole_card=hole_card) == {"insurance": -500, "blackjack": 1000}


@pytest.mark.parametrize(("second", "insurance"), [("Kc", 1000), ("9c", -500)])
@pytest.mark.parametrize("hole_card", ["none", "none-original-bets-only"])
def test_bj_6_insurance_without_a_hole_card_after_the_hand_is_lost(hole_card, second, insurance):
    """A hand that passed 21 leaves the insurance open: the dealer's second card decides it."""
    paid = by_wager(f"10s Ad 6h Kd {second}", "blackjack=10,insurance=5", "hit", hole_card=hole_card)
    assert paid == {"insurance": insurance, "blackjack": -1000}


@pytest.mark.parametrize(("second", "insurance"), [("Kc", 1000), ("9c", -500)])
def test_bj_6_insurance_without_a_hole_card_after_an_early_surrender(second, insurance):
    bets = "blackjack=10,insurance=5"
    paid = by_wager(f"10s Ad 6h {second}", bets, "surrender", surrender="early", hole_card="none")
    assert paid == {"insurance": insurance, "blackjack": -500}


def test_bj_7_no_surrender_unless_chosen():
    assert refusal("10s 10d 6h 8c", "surrender") == "bad-choice"


@pytest.mark.parametrize("kind", ["late", "early"])
@pytest.mark.parametrize(("up", "hole"), [("10d", "8c"), ("Ad", "8c"), ("6d", "10c")])
def test_bj_7_half_the_bet_back(kind, up, hole):
    (payment,) = BOOK.settle(f"10s {up} 6h {hole}", "blackjack=10", "surrender", surrender=kind).payments
    assert (payment.stake_cents, payment.win_cents, payment.returned_cents) == (1000, -500, 500)
    assert payment.clause == "BJ-7"


@pytest.mark.parametrize(("up", "hole"), [("10d", "Ac"), ("Ad", "Kc")])
def test_bj_7_a_dealers_blackjack_comes_before_a_late_surrender(up, hole):
    cards = f"10s {up} 6h {hole}"
    assert wins(cards, "surrender", surrender="early") == [-500]
    assert wins(cards, surrender="late") == [-1000]
    assert refusal(cards, "surrender", surrender="late") == "bad-choice"


@pytest.mark.parametrize("kind", ["late", "early"])
def test_bj_7_only_as_the_first_choice(kind):
    assert refusal("2s 10d 3h 8c 4c", "hit,surrender", surrender=kind) == "bad-choice"
    assert refusal("8s 10d 8h 8c 6c Ks", "split,surrender,stand", surrender=kind) == "bad-choice"
    assert refusal("10s 10d 6h 8c 2c", "surrender,hit", surrender=kind) == "bad-choice"


@pytest.mark.parametrize(("up", "hole"), [("10d", "Ac"), ("Ad", "Kc"), ("Kd", "Ac"), ("Ad", "10c")])
def test_bj_8_the_dealer_peeks_and_nothing_more_is_at_risk(up, hole):
    assert wins(f"5s {up} 6h {hole}") == [-1000]
    assert refusal(f"5s {up} 6h {hole} 9s", "double") == "bad-choice"


@pytest.mark.parametrize(("up", "second"), [("10d", "Ac"), ("Ad", "Kc")])
@pytest.mark.parametrize(("hole_card", "lost"), [("none", 2000), ("none-original-bets-only", 1000)])
def test_bj_8_without_a_hole_card(hole_card, lost, up, second):
    assert sum(wins(f"5s {up} 6h 9c {second}", "double", hole_card=hole_card)) == -lost
    assert sum(wins(f"8s {up} 8h 9c Qh {second}", "split,stand,stand", hole_card=hole_card)) == -lost
    assert sum(wins(f"10s {up} 9h {second}", "stand", hole_card=hole_card)) == -1000
    both = sum(wins(f"8s {up} 8h 3c Qh 2h Qs {second}", "split,double,double", hole_card=hole_card))
    assert both == (-4000 if hole_card == "none" else -1000)


@pytest.mark.parametrize(
    ("reading", "one_bust", "double_bust", "two_bust"),
    [("busted-or-one", 1000, 2000, 2000), ("busted-and-one", 2000, 3000, 3000)],
)
def test_bj_8_original_bets_only_when_a_split_hand_is_bust(reading, one_bust, double_bust, two_bust):
    """R20: busts are lost; whether the original bet of a hand that stands is lost besides."""
    chosen = {"hole_card": "none-original-bets-only", "R20": reading}
    assert sum(wins("8s 10d 8h 10c 9c Qh Ac", "split,hit,stand", **chosen)) == -one_bust
    assert sum(wins("8s 10d 8h 4c 10h Qh Ac", "split,double,stand", **chosen)) == -double_bust
    three = "8s 10d 8h 8c 10c 9c 10h 9h Qh Ac"
    assert sum(wins(three, "split,split,hit,hit,stand", **chosen)) == -two_bust


@pytest.mark.parametrize("reading", ["busted-or-one", "busted-and-one"])
def test_bj_8_original_bets_only_where_all_or_no_hands_are_bust(reading):
    """R20 changes nothing there: with no hand left the dealer takes no second card."""
    chosen = {"hole_card": "none-original-bets-only", "R20": reading}
    assert sum(wins("8s 10d 8h 10c 9c 10h 9h", "split,hit,hit", **chosen)) == -2000
    assert sum(wins("8s 10d 8h 10c Qh Ac", "split,stand,stand", **chosen)) == -1000
    assert sum(wins("5s 10d 6h 9c Ac", "double", **chosen)) == -1000


@pytest.mark.parametrize("hole_card", ["none", "none-original-bets-only"])
def test_bj_8_a_dealers_other_21_takes_every_bet(hole_card):
    assert sum(wins("5s 10d 6h 9c 6c 5d", "double", hole_card=hole_card)) == -2000
    assert sum(wins("5s 10d 6h 9c 6c 2d", "double", hole_card=hole_card)) == 2000


@pytest.mark.parametrize("hole_card", ["none", "none-original-bets-only"])
def test_bj_8_a_blackjack_without_a_hole_card(hole_card):
    assert wins("As Kd Kh 9c", hole_card=hole_card) == [1500]
    assert wins("As Kd Kh Ac", hole_card=hole_card) == [0]


@pytest.mark.parametrize(
    ("bet", "table", "win", "rounding"),
    [
        ("1", "6:5", 150, 30),
        ("2", "6:5", 250, 10),
        ("2.50", "6:5", 300, 0),
        ("7", "6:5", 850, 10),
        ("1", "3:2", 150, 0),
        ("1.50", "3:2", 250, 25),
        ("1.10", "2:1", 250, 30),
        ("1.10", "1:1", 150, 40),
    ],
)
def test_bj_10_a_blackjack_is_rounded_up_to_50_cents(bet, table, win, rounding):
    (payment,) = BOOK.settle("As 9d Kh 10c", f"blackjack={bet}", pay_table=table).payments
    assert (payment.win_cents, payment.rounding_cents) == (win, rounding)


@pytest.mark.parametrize(
    ("bet", "back", "rounding"), [("1.50", 100, 25), ("5.50", 300, 25), ("5", 250, 0), ("1", 50, 0), ("1.10", 100, 45)]
)
def test_bj_10_half_a_bet_is_rounded_in_the_players_favour(bet, back, rounding):
    (payment,) = BOOK.settle("10s 10d 6h 8c", f"blackjack={bet}", "surrender", surrender="late").payments
    assert (payment.returned_cents, payment.rounding_cents) == (back, rounding)


def test_bj_10_insurance_and_lucky_lucky_are_rounded_too():
    paid = BOOK.settle("10s Ad 9h Kc", "blackjack=1.20,insurance=0.60,lucky-lucky=1.10").payments
    assert {p.wager: (p.win_cents, p.rounding_cents) for p in paid} == {
        "lucky-lucky": (250, 30),  # 10 9 A: 20 pays 2 to 1
        "insurance": (150, 30),
        "blackjack": (-120, 0),
    }


@settings(deadline=None, max_examples=60)
@given(tens=st.integers(10, 4000), table=st.sampled_from(sorted(PAY_TABLES)), won=st.sampled_from(["blackjack", "win", "lose"]))
def test_bj_10_rounding_is_less_than_a_chip_and_never_against_the_player(tens, table, won):
    bet = 10 * tens
    cards, choices = {"blackjack": ("As 9d Kh 10c", ""), "win": ("10s 10d 9h 8c", "stand"), "lose": ("10s 10d 7h 8c", "stand")}[
        won
    ]
    (payment,) = BOOK.settle(cards, f"blackjack={bet // 100}.{bet % 100:02}", choices, pay_table=table).payments
    exact = bet * {"blackjack": PAY_TABLES[table], "win": 1, "lose": -1}[won]
    assert payment.win_cents == (exact if won == "lose" else 50 * ceil(exact / Fraction(50)))
    assert payment.rounding_cents == payment.win_cents - exact


def count(hand):
    """The best total, and whether an ace counts 11 in it."""
    low = sum({"A": 1, "J": 10, "Q": 10, "K": 10}[card[:-1]] if card[0] in "AJQK" else int(card[:-1]) for card in hand)
    soft = any(card[0] == "A" for card in hand) and low <= 11
    return (low + 10, True) if soft else (low, False)


def plain_blackjack(shoe, stand_on, hits_soft_17, peeks):
    """An independent round of a player who hits below some total: win in units, choices, cards dealt."""
    rest = list(shoe)
    player, dealer = [rest.pop(0)], [rest.pop(0)]
    player.append(rest.pop(0))
    if peeks:
        dealer.append(rest.pop(0))
    natural, choices = count(player)[0] == 21, []
    if not (peeks and count(dealer)[0] == 21):
        while count(player)[0] < min(stand_on, 21):
            choices.append("hit")
            player.append(rest.pop(0))
        if count(player)[0] < 21:
            choices.append("stand")
        if count(player)[0] <= 21:
            if not peeks:
                dealer.append(rest.pop(0))
            while not natural and (count(dealer)[0] < 17 or (hits_soft_17 and count(dealer) == (17, True))):
                dealer.append(rest.pop(0))
    used, mine, his = len(shoe) - len(rest), count(player)[0], count(dealer)[0]
    if natural or (len(dealer) == 2 and his == 21):
        dealers = len(dealer) == 2 and his == 21
        return (0 if natural and dealers else "blackjack" if natural else -1), choices, used
    if mine > 21 or mine < his <= 21:
        return -1, choices, used
    return (0 if mine == his else 1), choices, used


@settings(deadline=None, max_examples=100)
@given(
    shoe=st.lists(st.integers(0, 311), min_size=30, max_size=30, unique=True).map(lambda them: [DECK[n % 52] for n in them]),
    stand_on=st.integers(12, 21),
    soft_17=st.sampled_from(["hits", "stands"]),
    hole_card=st.sampled_from(["peek", "none"]),
)
def test_bj_1_any_round_without_extras_settles_as_an_independent_blackjack_does(shoe, stand_on, soft_17, hole_card):
    assume(hole_card == "peek" or count(shoe[1:2])[0] >= 10 or count([shoe[0], shoe[2]])[0] < 21)
    win, choices, used = plain_blackjack(shoe, stand_on, soft_17 == "hits", hole_card == "peek")
    paid = wins(" ".join(shoe[:used]), ",".join(choices), soft_17=soft_17, hole_card=hole_card)
    assert paid == [1500 if win == "blackjack" else 1000 * win]
