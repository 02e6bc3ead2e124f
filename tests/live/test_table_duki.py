"""Duki 4 Poker at a live table with keyed cards."""

import pytest
from test_table import CAT, DAN, DUKI, OPENER, PURSE, SUE, Pit, dealt, events, paid

from houseway.refusal import Refused
from houseway.table import Phase

ANN_HAND, BOB_HAND, DEALER_HAND = "9h 9c 6s Jd", "2h 3h 4c 5s", "9s 9d 5h 8c"
NOTHING = "2c 6c 8c Kc"


def two_seats(folder, ann, bob, dealer=DEALER_HAND, source="hand-keyed"):
    pit = Pit(folder, DUKI, source)
    pit.bet(2, "ann", **ann)
    pit.bet(5, "bob", **bob)
    pit.no_more_bets()
    pit.card(ANN_HAND, BOB_HAND, dealer)
    return pit


def test_d4p_1_an_ante_a_bonus_or_both_of_unequal_size(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000, "duki_bonus": 700}, {"duki_bonus": 500})
    assert pit.felt == 11_200
    pit.decide(2, "play")
    entry = pit.do("settle")
    # Ann's pair of nines: Ante 2 to 1, Play 1 to 1, Bonus 1 to 1; Bob's best three cards are a straight: 5 to 1
    assert sorted(paid(entry)) == [(2, "ante", 20_000), (2, "duki-bonus", 700), (2, "play", 10_000), (5, "duki-bonus", 2_500)]
    assert (pit.purse("ann"), pit.purse("bob")) == (PURSE + 30_700, PURSE + 2_500)
    pit.check()


def test_d4p_1_before_the_cards_and_within_the_posted_limits(tmp_path):
    pit = Pit(tmp_path, DUKI)
    for wager in ("ante", "duki-bonus"):
        refusal = pit.refused("bet", seat=1, guest="ann", wager=wager, cents=40_001)
        assert refusal.code == "outside-limits" and "$400" in refusal.message
    pit.bet(1, "ann", ante=10_000)
    pit.no_more_bets()
    pit.card("9h")
    assert pit.refused("bet", seat=1, guest="ann", wager="duki-bonus", cents=500).code == "wrong-phase"


def test_d4p_1_up_to_seven_players(tmp_path):
    pit = Pit(tmp_path, DUKI)
    for seat in range(1, 8):
        pit.bet(seat, "ann", ante=1_000)
    pit.no_more_bets()
    with pytest.raises(Refused) as caught:
        pit.do("open", SUE, table="t2", edition=DUKI, source="hand-keyed", opener_cents=1, seats=8)
    assert caught.value.code == "bad-seats" and "1 to 7" in caught.value.message


def test_d4p_2_four_cards_to_each_player_and_the_dealer(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000})
    assert {who: len(cards) for who, cards in pit.hands.items()} == {2: 4, 5: 4, "dealer": 4}
    assert pit.refused("card", cards="Kh").code == "too-many-cards"


def test_d4p_2_a_play_bet_equal_to_the_ante_is_taken_at_once(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000, "duki_bonus": 700}, {"duki_bonus": 500})
    pit.decide(2, "play")
    assert (pit.purse("ann"), pit.felt) == (PURSE - 20_700, 21_200)


def test_d4p_2_without_balance_the_play_bet_is_refused_and_a_fold_accepted(tmp_path):
    pit = Pit(tmp_path, DUKI)
    pit.bet(1, "ann", ante=40_000)
    pit.do("cash-out", CAT, table=None, guest="ann", cents=PURSE - 40_000 - 39_999)
    pit.no_more_bets()
    pit.card(ANN_HAND, DEALER_HAND)
    assert pit.refused("decide", seat=1, choice="play").code == "not-enough"
    pit.decide(1, "fold")
    pit.do("settle")
    assert pit.purse("ann") == 39_999
    pit.check()


def test_d4p_2_a_fold_loses_ante_and_bonus(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000, "duki_bonus": 700}, {"duki_bonus": 500})
    pit.decide(2, "fold")
    assert sorted(paid(pit.do("settle")))[:2] == [(2, "ante", -10_000), (2, "duki-bonus", -700)]
    assert pit.purse("ann") == PURSE - 10_700


def test_d4p_2_with_a_bonus_only_there_is_no_decision(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"duki_bonus": 500})
    assert set(pit.to_act) == {2}
    refusal = pit.refused("decide", seat=5, choice="play")
    assert refusal.code == "not-your-turn" and "seat 2" in refusal.message


def test_d4p_2_a_table_of_bonuses_only_is_ready_at_once(tmp_path):
    pit = two_seats(tmp_path, {"duki_bonus": 700}, {"duki_bonus": 500})
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(5, "duki-bonus", 2_500), (2, "duki-bonus", 700)]


def test_d4p_3_the_dealer_reveals_after_all_decisions(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000})
    assert pit.refused("settle").code == "wrong-phase"
    pit.decide(5, "play")
    assert pit.refused("settle").code == "wrong-phase"
    pit.decide(2, "fold")
    pit.do("settle")
    assert pit.round.phase == Phase.BETTING


def test_d4p_3_players_decide_in_any_order_and_once(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000})
    assert pit.to_act == {2: ("play", "fold"), 5: ("play", "fold")}
    pit.decide(5, "play")
    assert pit.refused("decide", seat=5, choice="fold").code == "not-your-turn"
    refusal = pit.refused("decide", seat=2, choice="raise")
    assert refusal.code == "bad-choice" and "play" in refusal.message and "fold" in refusal.message


def test_d4p_6_an_unqualified_dealer_pushes_play(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000}, dealer=NOTHING)
    pit.decide(2, "play")
    pit.decide(5, "play")
    assert paid(pit.do("settle")) == [(5, "ante", 5_000), (5, "play", 0), (2, "ante", 20_000), (2, "play", 0)]
    pit.check()


def test_d4p_9_a_bet_on_play_itself_is_refused(tmp_path):
    refusal = Pit(tmp_path, DUKI).refused("bet", seat=1, guest="ann", wager="play", cents=1_000)
    assert refusal.code == "unknown-wager" and "ante" in refusal.message


def voided(folder, reason, clause, source="shuffler"):
    pit = two_seats(folder, {"ante": 10_000, "duki_bonus": 700}, {"ante": 5_000}, source=source)
    pit.decide(2, "play")
    number = pit.round.number
    entry = pit.do("void", SUE, reason=reason)
    assert events(entry, "voided") == [{"event": "voided", "round": number, "reason": reason, "clause": clause}]
    assert (pit.purse("ann"), pit.purse("bob"), pit.felt, pit.tray) == (PURSE, PURSE, 0, OPENER)
    pit.bet(1, "ann", ante=10_000)
    pit.no_more_bets()
    pit.card(ANN_HAND, DEALER_HAND)  # reshuffled: the same cards may come again
    pit.check()


def test_d4p_14a_a_face_up_card_voids_all_hands(tmp_path):
    voided(tmp_path, "card-face-up", "D4P-14a")


def test_d4p_14b_a_wrong_number_of_cards_voids_all_hands(tmp_path):
    voided(tmp_path, "wrong-number-of-cards", "D4P-14b")


def test_d4p_14c_a_dealer_card_exposed_too_early_voids_all_hands(tmp_path):
    voided(tmp_path, "dealer-card-exposed", "D4P-14c")


def test_d4p_14d_a_shuffler_jam_voids_the_round(tmp_path):
    voided(tmp_path, "shuffler-jam", "D4P-14d")


def test_d4p_14d_a_supervisor_checks(tmp_path):
    pit = dealt(tmp_path, DUKI)
    with pytest.raises(Refused) as caught:
        pit.do("void", DAN, reason="shuffler-jam")
    assert caught.value.code == "role-may-not" and "supervisor" in caught.value.message
    assert pit.round.spots


def test_d4p_14e_without_a_shuffler_the_house_rules_void(tmp_path):
    voided(tmp_path, "card-face-up", "house rules", source="hand-keyed")


def test_d4p_12_two_decks_alternate_round_by_round(tmp_path):
    pit = Pit(tmp_path, DUKI, "shuffler")
    decks = []
    for _ in range(4):
        pit.bet(1, "ann", duki_bonus=500)
        decks.append(events(pit.no_more_bets(), "no-more-bets")[0]["deck"])
        pit.card(ANN_HAND, DEALER_HAND)
        pit.do("settle")
    assert decks[0] != decks[1] and decks[2:] == decks[:2]


def test_d4p_11_bets_for_the_dealer_are_not_allowed(tmp_path):
    refusal = Pit(tmp_path, DUKI).refused("bet", seat=1, guest="ann", wager="ante", cents=500, for_dealer=True)
    assert "D4P-11" in refusal.message
