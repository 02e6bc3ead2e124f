"""Blackjack with Lucky Lucky at a live table with keyed cards: Lucky Lucky first, turns, raises, insurance, the hole card."""

import pytest
from test_table import BLACKJACK, CAT, OPENER, PURSE, SUE, Pit, events, paid

from houseway.cards import parse_cards
from houseway.table import Phase, unfolded
from houseway.view.reader import ANYBODY
from houseway.view.table import table_view

# Seats 1 and 3: 1, 3, dealer, 1, 3, hole card
SEVENS = "7s 10h 7h 7d 9c 10c"  # seat 1 has 7s 7d under 7h: 777; seat 3 has 19 and no luck; the dealer has 17
SUITED_SEVENS = "7h 10h 7h 7h 9c 10c"


def two_seats(folder, cards, ann=None, bob=None, **opening):
    pit = Pit(folder, BLACKJACK, **opening)
    pit.bet(1, "ann", **(ann or {"blackjack": 10_000}))
    pit.bet(3, "bob", **(bob or {"blackjack": 10_000}))
    pit.no_more_bets()
    return pit, pit.card(cards)


def one_seat(folder, cards, settings=None, cents=10_000, **bets):
    """Seat 1 alone: player, up-card, player, hole card (if any)."""
    pit = Pit(folder, BLACKJACK, settings=settings or {})
    pit.bet(1, "ann", blackjack=cents, **bets)
    pit.no_more_bets()
    pit.card(cards)
    return pit


def test_llb_1_needs_a_main_bet_on_the_spot(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.bet(3, "bob", lucky_lucky=500)
    refusal = pit.refused("no-more-bets")
    assert refusal.code == "bad-bet" and "seat 3" in refusal.message and "needs a Blackjack bet" in refusal.message
    pit.bet(3, "bob", blackjack=500)
    pit.no_more_bets()


def test_llb_4_only_the_player_of_the_main_bet_may_place_it(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    refusal = pit.refused("bet", seat=1, guest="bob", wager="lucky-lucky", cents=500)
    assert refusal.code == "seat-taken" and "ann" in refusal.message


def test_llb_5_placed_before_the_round_starts(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    for cards in ("10s", "9h 8d 9c"):
        assert pit.refused("bet", seat=1, guest="ann", wager="lucky-lucky", cents=500).code == "wrong-phase"
        pit.card(cards)
    assert pit.refused("bet", seat=1, guest="ann", wager="lucky-lucky", cents=500).code == "wrong-phase"


def test_llb_6_cards_are_dealt_clockwise_from_the_dealers_left(tmp_path):
    pit, _ = two_seats(tmp_path, SEVENS)
    hands = {who: list(parse_cards(text)) for who, text in {1: "7s 7d", 3: "10h 9c", "dealer": "7h 10c"}.items()}
    assert pit.hands == hands


def test_llb_7_lucky_lucky_is_paid_and_cleared_before_any_decision(tmp_path):
    bets = {"blackjack": 10_000, "lucky_lucky": 500}
    pit, entry = two_seats(tmp_path, SEVENS, bets, bets)
    assert paid(entry) == [(3, "lucky-lucky", -500), (1, "lucky-lucky", 25_000)]  # from the dealer's right
    assert pit.round.phase == Phase.DECIDING and not any(spot.choices for spot in pit.round.spots.values())
    assert (pit.purse("ann"), pit.purse("bob")) == (PURSE - 10_000 + 25_000, PURSE - 10_500)
    assert (pit.felt, pit.tray, pit.table.win_cents) == (20_000, OPENER - 24_500, -24_500)
    pit.decide(1, "stand")
    pit.decide(3, "stand")
    assert paid(pit.do("settle")) == [(3, "blackjack", 10_000), (1, "blackjack", -10_000)]  # and is not paid again
    assert (pit.purse("ann"), pit.purse("bob")) == (PURSE + 15_000, PURSE + 9_500)
    assert pit.table.win_cents == pit.tray - OPENER == -24_500
    pit.check()


def test_llb_7_paid_at_a_manual_peek_table_before_the_hole_card_is_keyed(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.no_more_bets()
    assert not paid(pit.card("7s 7h"))
    assert paid(pit.card("7d")) == [(1, "lucky-lucky", 25_000)]
    assert pit.round.phase == Phase.DEALING and unfolded(pit.table).card_for == "dealer"
    assert (pit.purse("ann"), pit.felt, pit.table.win_cents) == (PURSE - 10_000 + 25_000, 10_000, -25_000)
    assert not paid(pit.card("10c"))  # the hole card pays nothing again
    pit.decide(1, "stand")
    assert paid(pit.do("settle")) == [(1, "blackjack", -10_000)]
    pit.check()


def test_llb_7_every_seat_has_two_cards_before_it_is_paid(tmp_path):
    bets = {"blackjack": 10_000, "lucky_lucky": 500}
    pit, entry = two_seats(tmp_path, "7s 10h 7h 7d", bets, bets)
    assert not paid(entry)
    assert paid(pit.card("9c")) == [(3, "lucky-lucky", -500), (1, "lucky-lucky", 25_000)]


def test_llb_7_a_high_payout_waits_for_a_supervisor_before_the_hole_card_too(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, watch="acknowledge", watch_cents=10_000)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.no_more_bets()
    assert events(pit.card("7s 7h 7d"), "surveillance")
    assert table_view(pit.floor.state, "t1", ANYBODY)["to_verify"] and not pit.round.early_paid
    assert paid(pit.do("acknowledge", SUE)) == [(1, "lucky-lucky", 25_000)]
    assert not table_view(pit.floor.state, "t1", ANYBODY)["to_verify"]
    pit.card("10c")
    pit.decide(1, "stand")
    assert paid(pit.do("settle")) == [(1, "blackjack", -10_000)]
    pit.check()


def test_llb_7_a_void_before_the_hole_card_undoes_it(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.no_more_bets()
    pit.card("7s 7h 7d")
    pit.do("void", SUE, reason="misdeal")
    assert (pit.purse("ann"), pit.felt, pit.tray, pit.table.win_cents) == (PURSE, 0, OPENER, 0)
    pit.check()


# LLB-0: seat 1 alone has player, up-card, player, community card, hole card
COMMUNITY = {"lucky-card": "community"}


def test_llb_0_a_community_card_is_the_third_card_of_lucky_lucky(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, settings=COMMUNITY)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.no_more_bets()
    assert not paid(pit.card("7s 10h 7d"))
    assert unfolded(pit.table).card_for == "community"
    assert table_view(pit.floor.state, "t1", ANYBODY)["next_card"]["words"] == "Community card"
    assert paid(pit.card("7h")) == [(1, "lucky-lucky", 25_000)]  # 777 with the community card, not with the ten
    pit.card("9c")
    assert pit.hands == {1: [*parse_cards("7s 7d")], "dealer": [*parse_cards("10h 9c")], "community": [*parse_cards("7h")]}
    pit.decide(1, "stand")  # 14 against 19: the community card is of no hand of blackjack
    assert paid(pit.do("settle")) == [(1, "blackjack", -10_000)]
    pit.check()


def test_llb_0_the_felt_shows_the_community_card(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, settings=COMMUNITY)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.bet(3, "bob", blackjack=10_000)
    pit.no_more_bets()
    pit.card("7s 10h 7h 7d 9c", "2d", "10c")
    view = table_view(pit.floor.state, "t1", ANYBODY)
    shown = {hand["owner"]: hand["cards"] for hand in view["dealer"]}
    assert shown == {"dealer": ["7h", None], "community": ["2d"]}
    assert "community" in [hand["owner"] for hand in view["face"]["hands"]]
    assert "Lucky Lucky on the community card" in view["face"]["ribbon"]
    plain = Pit(tmp_path, BLACKJACK, name="plain.db")
    face = table_view(plain.floor.state, "t1", ANYBODY)["face"]
    assert [hand["owner"] for hand in face["hands"]] == ["dealer"] and "community" not in face["ribbon"]


def test_llb_0_a_virtual_table_deals_the_community_card_too(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, source="virtual-shoe", settings=COMMUNITY)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=500)
    pit.no_more_bets()
    entry = pit.do("deal")
    assert len(pit.hands["community"]) == 1 and [wager for _, wager, _ in paid(entry)] == ["lucky-lucky"]
    pit.check()


@pytest.mark.parametrize(("reading", "lost"), [("busted-or-one", -10_000), ("busted-and-one", -20_000)])
def test_bj_8_original_bets_only_when_a_split_hand_is_bust_r20(tmp_path, reading, lost):
    pit = one_seat(tmp_path, "8s 10h 8d", {"hole-card": "none-original-bets-only", "R20": reading})
    pit.decide(1, "split")
    pit.card("10c")
    pit.decide(1, "hit")
    pit.card("9h")  # the first hand is bust
    pit.card("10d")
    pit.decide(1, "stand")
    pit.card("As")  # the dealer has a blackjack
    assert sum(cents for _, _, cents in paid(pit.do("settle"))) == lost
    pit.check()


def test_llb_7_a_void_undoes_an_early_payment(tmp_path):
    bets = {"blackjack": 10_000, "lucky_lucky": 500}
    pit, _ = two_seats(tmp_path, SEVENS, bets, bets)
    pit.decide(1, "hit")
    pit.do("void", SUE, reason="misdeal")
    assert (pit.purse("ann"), pit.purse("bob"), pit.felt, pit.tray) == (PURSE, PURSE, 0, OPENER)
    assert pit.table.win_cents == 0
    pit.check()


def test_llb_7_a_reversal_undoes_an_early_payment_too(tmp_path):
    bets = {"blackjack": 10_000, "lucky_lucky": 500}
    pit, _ = two_seats(tmp_path, SEVENS, bets, bets)
    number = pit.round.number
    pit.decide(1, "stand")
    pit.decide(3, "stand")
    pit.do("settle")
    pit.do("correct", SUE, round=number, reason="misread", void=True)
    assert (pit.purse("ann"), pit.purse("bob"), pit.tray, pit.table.win_cents) == (PURSE, PURSE, OPENER, 0)


def test_llb_7_an_early_payment_above_the_threshold_is_recorded(tmp_path):
    _, entry = two_seats(tmp_path, SUITED_SEVENS, {"blackjack": 10_000, "lucky_lucky": 2_000})
    assert paid(entry) == [(1, "lucky-lucky", 400_000)]
    assert events(entry, "surveillance")


def test_llb_7_an_early_payment_above_the_threshold_waits_for_a_supervisor(tmp_path):
    pit, entry = two_seats(tmp_path, SUITED_SEVENS, {"blackjack": 10_000, "lucky_lucky": 2_000}, watch="acknowledge")
    assert not paid(entry) and pit.purse("ann") == PURSE - 12_000


# Turns


def test_seats_decide_in_turn_and_the_legal_choices_are_listed(tmp_path):
    pit, _ = two_seats(tmp_path, SEVENS)
    assert pit.to_act == {1: ("hit", "stand", "double", "split")}
    refusal = pit.refused("decide", seat=3, choice="stand")
    assert refusal.code == "not-your-turn" and "seat 1" in refusal.message and "split" in refusal.message
    refusal = pit.refused("decide", seat=1, choice="surrender")
    assert refusal.code == "bad-choice" and "hit, stand, double, split" in refusal.message
    pit.decide(1, "stand")
    assert pit.to_act == {3: ("hit", "stand", "double")}
    assert pit.refused("decide", seat=1, choice="hit").code == "not-your-turn"


def test_the_clock_takes_the_houses_default_action(tmp_path):
    pit, _ = two_seats(tmp_path, SEVENS)
    pit.do("time-out", seat=1)
    assert pit.round.spots[1].choices == ("stand",)


def test_a_hit_waits_for_its_card_and_a_bust_ends_the_turn(tmp_path):
    pit, _ = two_seats(tmp_path, SEVENS)
    pit.decide(1, "hit")
    assert pit.refused("decide", seat=1, choice="hit").code == "not-your-turn"
    assert pit.refused("settle").code == "wrong-phase"
    pit.card("9d")
    assert set(pit.to_act) == {3}
    assert pit.refused("card", cards="9s").code == "too-many-cards"
    pit.decide(3, "stand")
    assert paid(pit.do("settle")) == [(3, "blackjack", 10_000), (1, "blackjack", -10_000)]


def test_a_double_takes_the_money_at_once(tmp_path):
    pit = one_seat(tmp_path, "6s 10h 5d 7c")
    pit.decide(1, "double")
    assert (pit.purse("ann"), pit.felt) == (PURSE - 20_000, 20_000)
    pit.card("10d")
    assert paid(pit.do("settle")) == [(1, "blackjack", 20_000)]
    assert pit.purse("ann") == PURSE + 20_000
    pit.check()


def test_a_split_takes_the_money_at_once_and_again(tmp_path):
    pit = one_seat(tmp_path, "8s 6h 8d 10c")
    pit.decide(1, "split")
    assert pit.felt == 20_000
    pit.card("8c")
    pit.decide(1, "split")
    assert (pit.purse("ann"), pit.felt) == (PURSE - 30_000, 30_000)
    pit.card("3s")
    pit.decide(1, "double")
    assert pit.felt == 40_000
    pit.card("10d", "10s")
    pit.decide(1, "stand")
    pit.card("2d")
    pit.decide(1, "stand")
    pit.card("5s")  # the dealer: 6, 10 and 5 are 21; the doubled hand has it too
    assert paid(pit.do("settle")) == [(1, "blackjack", 0), (1, "blackjack", -10_000), (1, "blackjack", -10_000)]
    assert (pit.purse("ann"), pit.felt) == (PURSE - 20_000, 0)
    pit.check()


@pytest.mark.parametrize("choice", ["double", "split"])
def test_a_raise_without_balance_is_refused(tmp_path, choice):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.do("cash-out", CAT, table=None, guest="ann", cents=PURSE - 10_000 - 9_999)
    pit.no_more_bets()
    pit.card("8s 6h 8d 10c")
    refusal = pit.refused("decide", seat=1, choice=choice)
    assert refusal.code == "not-enough" and "$99.99" in refusal.message
    pit.decide(1, "stand")


def test_bj_10_a_blackjack_pays_three_to_two_and_the_odd_half_dollar(tmp_path):
    pit = one_seat(tmp_path, "As 6h Kd 10c", cents=1_501)
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(1, "blackjack", 2_300)]


# Insurance


def test_bj_6_insurance_is_a_late_wager_on_an_ace_up(tmp_path):
    pit = one_seat(tmp_path, "10s Ah 9d 8c")
    pit.bet(1, "ann", insurance=5_000)
    assert (pit.purse("ann"), pit.felt) == (PURSE - 15_000, 15_000)
    pit.decide(1, "stand")
    assert sorted(paid(pit.do("settle"))) == [(1, "blackjack", 0), (1, "insurance", -5_000)]
    pit.check()


def test_bj_6_insurance_is_placed_before_the_seats_first_decision(tmp_path):
    pit = one_seat(tmp_path, "5s Ah 4d 8c")
    pit.decide(1, "look", "hit")
    pit.card("2c")
    assert pit.refused("bet", seat=1, guest="ann", wager="insurance", cents=5_000).code == "wrong-phase"


def test_bj_6_insurance_at_a_seat_without_a_bet_is_refused(tmp_path):
    pit = one_seat(tmp_path, "10s Ah 9d 8c")
    pit.refused("bet", seat=2, guest="bob", wager="insurance", cents=5_000)


def test_bj_6_insurance_without_an_ace_up_is_refused(tmp_path):
    pit = one_seat(tmp_path, "10s 10h 9d 8c")
    refusal = pit.refused("bet", seat=1, guest="ann", wager="insurance", cents=5_000)
    assert "ace" in refusal.message


def test_bj_6_insurance_is_half_the_bet_at_most(tmp_path):
    pit = one_seat(tmp_path, "10s Ah 9d 8c")
    refusal = pit.refused("bet", seat=1, guest="ann", wager="insurance", cents=5_001)
    assert "half" in refusal.message


def test_bj_8_insurance_is_offered_before_the_dealer_looks(tmp_path):
    pit = one_seat(tmp_path, "10s Ah 9d Kc")
    pit.bet(1, "ann", insurance=5_000)
    assert sorted(paid(pit.do("settle"))) == [(1, "blackjack", -10_000), (1, "insurance", 10_000)]
    assert pit.purse("ann") == PURSE


def test_bj_8_even_money_is_offered_before_the_dealer_looks(tmp_path):
    pit = one_seat(tmp_path, "As Ah Kd Kc")
    pit.decide(1, "even-money")
    assert paid(pit.do("settle")) == [(1, "blackjack", 10_000)]


def test_bj_8_early_surrender_is_offered_before_the_dealer_looks(tmp_path):
    pit = one_seat(tmp_path, "10s 10h 6d Ac", {"surrender": "early"})
    pit.decide(1, "surrender")
    assert paid(pit.do("settle")) == [(1, "blackjack", -5_000)]


def test_bj_8_before_the_dealer_looks_only_what_is_offered_may_be_chosen(tmp_path):
    pit = one_seat(tmp_path, "5s Ah 5d 8c")
    for choice in ("hit", "stand", "double", "split", "even-money"):
        refusal = pit.refused("decide", seat=1, choice=choice)
        assert refusal.code in {"bad-choice", "not-your-turn"}
    pit.decide(1, "look", "double")
    pit.card("10c")
    pit.do("settle")
    pit.check()


def test_bj_8_every_seat_is_asked_before_the_dealer_looks(tmp_path):
    pit, _ = two_seats(tmp_path, "10s 10h Ah 9d 8c Kc")
    assert set(pit.to_act) == {1, 3}
    pit.bet(3, "bob", insurance=5_000)
    pit.decide(1, "look")
    assert sorted(paid(pit.do("settle"))) == [(1, "blackjack", -10_000), (3, "blackjack", -10_000), (3, "insurance", 10_000)]
    pit.check()


# The hole card


def test_bj_8_a_dealer_blackjack_under_a_ten_ends_the_round(tmp_path):
    pit = one_seat(tmp_path, "10s 10h 9d Ac")
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(1, "blackjack", -10_000)]


@pytest.mark.parametrize(("hole_card", "lost"), [("none", -20_000), ("none-original-bets-only", -10_000)])
def test_bj_8_without_a_hole_card_the_dealers_second_card_comes_last(tmp_path, hole_card, lost):
    pit = one_seat(tmp_path, "6s 10h 5d", {"hole-card": hole_card})
    assert pit.round.phase == Phase.DECIDING and len(pit.hands["dealer"]) == 1
    pit.decide(1, "double")
    pit.card("9c")
    pit.card("As")
    assert sum(cents for _, _, cents in paid(pit.do("settle"))) == lost
    assert (pit.purse("ann"), pit.felt) == (PURSE + lost, 0)
    pit.check()


def test_bj_3_the_dealer_draws_once_for_all_seats(tmp_path):
    pit, _ = two_seats(tmp_path, "10s 10h 6h 9d 8c 10c")
    pit.decide(1, "stand")
    pit.decide(3, "stand")
    assert pit.refused("settle").code == "wrong-phase"
    pit.card("3d")  # 19: pushes against seat 1, beats seat 3
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(3, "blackjack", -10_000), (1, "blackjack", 0)]


def test_bj_3_the_dealer_does_not_draw_when_everybody_is_bust(tmp_path):
    pit = one_seat(tmp_path, "10s 6h 6d 10c")
    pit.decide(1, "hit")
    pit.card("10d")
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(1, "blackjack", -10_000)]


def test_bj_9_cards_of_earlier_rounds_stay_out_of_the_shoe(tmp_path):
    pit = one_seat(tmp_path, "10s 9h 8d 9c", {"decks": 1})
    pit.decide(1, "stand")
    pit.do("settle")
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    assert pit.refused("card", cards="8d").code == "card-not-in-shoe"


def test_bj_9_a_continuous_shuffler_takes_them_back(tmp_path):
    pit = one_seat(tmp_path, "10s 9h 8d 9c", {"decks": 1, "shuffler": "continuous"})
    pit.decide(1, "stand")
    pit.do("settle")
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    pit.card("8d")
