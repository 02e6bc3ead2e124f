"""Duki 4 Poker at a live table with keyed cards."""

import pytest
from test_table import CAT, DAN, DUKI, OPENER, PURSE, SUE, Pit, dealt, events, paid

from houseway.refusal import Refused
from houseway.table import Phase
from houseway.view import Reader, table_view
from houseway.view.words import event_words

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
    assert caught.value.code == "bad-seats" and "6 or 7" in caught.value.message


@pytest.mark.parametrize("seats", [1, 5, 8])
def test_d4p_13_a_table_has_six_or_seven_positions(tmp_path, seats):
    with pytest.raises(Refused) as caught:
        Pit(tmp_path, DUKI, seats=seats)
    assert (caught.value.code, caught.value.message) == (
        "bad-seats",
        f"{seats} seats are not possible (possible: 6 or 7)",
    )


def test_d4p_13_seven_positions_unless_six_are_asked_for(tmp_path):
    assert Pit(tmp_path, DUKI).table.seats == 7
    (tmp_path / "six").mkdir()
    assert Pit(tmp_path / "six", DUKI, seats=6).table.seats == 6


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


def voided(folder, reason, clause, source="shuffler", check=False):
    pit = two_seats(folder, {"ante": 10_000, "duki_bonus": 700}, {"ante": 5_000}, source=source)
    pit.decide(2, "play")
    number = pit.round.number
    entry = pit.do("void", SUE, reason=reason)
    assert events(entry, "voided") == [{"event": "voided", "round": number, "reason": reason, "clause": clause}]
    assert (pit.purse("ann"), pit.purse("bob"), pit.felt, pit.tray) == (PURSE, PURSE, 0, OPENER)
    pit.bet(1, "ann", ante=10_000)
    if check:
        refusal = pit.refused("no-more-bets")
        assert refusal.code == "check-cards-first" and "check-cards" in refusal.message and clause in refusal.message
        pit.do("check-cards", SUE)
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
    voided(tmp_path, "shuffler-jam", "D4P-14d", check=True)


def test_d4p_14d_a_wrong_number_dealt_by_the_shuffler_voids_the_round(tmp_path):
    voided(tmp_path, "shuffler-miscount", "D4P-14d", check=True)


def test_d4p_14d_the_check_is_a_supervisors_and_recorded_once(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000}, source="shuffler")
    assert pit.refused("check-cards", SUE).code == "nothing-to-check"
    pit.do("void", SUE, reason="shuffler-jam")
    with pytest.raises(Refused) as caught:
        pit.do("check-cards", DAN)
    assert caught.value.code == "role-may-not"
    checked = pit.do("check-cards", SUE)
    assert events(checked, "cards-checked") == [{"event": "cards-checked", "reason": "shuffler-jam", "clause": "D4P-14d"}]
    assert (checked.actor, checked.role) == ("sue", "supervisor") and "checked the cards" in event_words(
        checked.data["events"][0]
    )
    assert pit.refused("check-cards", SUE).code == "nothing-to-check"
    pit.check()


def test_d4p_14d_betting_goes_on_and_the_table_may_close_and_open_again_unchecked(tmp_path):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000}, source="shuffler")
    pit.do("void", SUE, reason="shuffler-jam")
    pit.bet(2, "ann", ante=10_000)
    assert table_view(pit.floor.state, "t1", Reader("dan", "dealer"))["check_cards"] == "shuffler-jam"
    pit.do("void", SUE, reason="misdeal")  # another void checks nothing
    pit.do("close", SUE)
    pit.do("open", SUE, edition=DUKI, source="shuffler", opener_cents=OPENER)
    pit.bet(2, "ann", ante=10_000)
    assert pit.refused("no-more-bets").code == "check-cards-first"
    pit.do("check-cards", SUE)
    pit.no_more_bets()
    pit.check()


@pytest.mark.parametrize(("source", "reason"), [("hand-keyed", "shuffler-jam"), ("shuffler", "misdeal")])
def test_d4p_14e_without_a_fault_of_a_shuffler_nothing_is_checked(tmp_path, source, reason):
    pit = two_seats(tmp_path, {"ante": 10_000}, {"ante": 5_000}, source=source)
    pit.do("void", SUE, reason=reason)
    pit.bet(2, "ann", ante=10_000)
    pit.no_more_bets()


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


@pytest.mark.parametrize("source", ["hand-keyed", "manual-keypad", "virtual-shoe"])
def test_d4p_12_without_a_shuffler_there_is_one_deck(tmp_path, source):
    pit = Pit(tmp_path, DUKI, source)
    pit.bet(1, "ann", duki_bonus=500)
    assert events(pit.no_more_bets(), "no-more-bets")[0]["deck"] == ""
    assert table_view(pit.floor.state, "t1", Reader())["face"]["backs"] == ["red"]


def test_d4p_12_with_a_shuffler_the_backs_differ_and_a_house_may_use_one_deck(tmp_path):
    assert table_view(Pit(tmp_path, DUKI, "shuffler").floor.state, "t1", Reader())["face"]["backs"] == ["red", "blue"]
    (tmp_path / "one").mkdir()
    pit = Pit(tmp_path / "one", DUKI, "shuffler", settings={"second-deck": "never"})
    pit.bet(1, "ann", duki_bonus=500)
    assert events(pit.no_more_bets(), "no-more-bets")[0]["deck"] == ""


# Bets for the dealer

ALLOWED = {"dealer-bets": "allowed"}


def with_dealer_bet(folder, choice, dealer=DEALER_HAND):
    """Ann bets $100 for herself and $10 for the dealer, on the Ante and on the Bonus."""
    pit = Pit(folder, DUKI, settings=ALLOWED)
    pit.bet(2, "ann", ante=10_000, duki_bonus=500)
    for wager, cents in (("ante", 1_000), ("duki-bonus", 200)):
        pit.do("bet", seat=2, guest="ann", wager=wager, cents=cents, for_dealer=True)
    assert (pit.purse("ann"), pit.felt) == (PURSE - 11_700, 11_700)
    pit.no_more_bets()
    pit.card(ANN_HAND, dealer)
    pit.decide(2, choice)
    return pit


def tips(pit):
    return pit.floor.state.balance("tips:t1")


def test_d4p_11_a_bet_for_the_dealer_is_a_wager_of_its_own_and_its_win_is_the_dealers(tmp_path):
    pit = with_dealer_bet(tmp_path, "play")
    assert pit.felt == 22_700  # Play is as much again, for the dealers' Ante as well
    entry = pit.do("settle")
    told = [(event["wager"], event["spot"], event["win_cents"]) for event in events(entry, "paid")]
    assert told == [
        ("ante", "", 20_000),
        ("ante", "for the dealer", 2_000),
        ("play", "", 10_000),
        ("play", "for the dealer", 1_000),
        ("duki-bonus", "", 500),
        ("duki-bonus", "for the dealer", 200),
    ]
    assert tips(pit) == 3_200 and pit.purse("ann") == PURSE + 30_500  # the dealers' stakes are Ann's again
    assert pit.tray == OPENER - 30_500 - 3_200 and pit.table.win_cents == -33_700
    assert pit.table.action["ante"].bets == 2
    pit.check()


def test_d4p_11_a_lost_bet_for_the_dealer_is_the_houses_and_a_push_the_guests(tmp_path):
    pit = with_dealer_bet(tmp_path, "fold")
    pit.do("settle")
    assert (tips(pit), pit.purse("ann"), pit.tray) == (0, PURSE - 11_700, OPENER + 11_700)
    (tmp_path / "push").mkdir()
    pit = with_dealer_bet(tmp_path / "push", "play", dealer=NOTHING)  # Play pushes, the Ante is paid 2 to 1
    pit.do("settle")
    assert tips(pit) == 2_000 + 200 and pit.purse("ann") == PURSE + 20_500
    pit.check()


def test_d4p_11_it_lies_beside_the_guests_own_and_goes_with_it(tmp_path):
    pit = Pit(tmp_path, DUKI, settings=ALLOWED)
    dealers = {"seat": 2, "guest": "ann", "wager": "ante", "for_dealer": True}
    assert "beside" in pit.refused("bet", **dealers, cents=1_000).message
    pit.bet(2, "ann", ante=10_000, duki_bonus=500)
    assert pit.refused("bet", **dealers, cents=40_001).code == "outside-limits"
    assert pit.refused("bet", **{**dealers, "guest": "bob"}, cents=1_000).code == "seat-taken"
    placed = pit.do("bet", **dealers, cents=1_000)
    assert event_words(placed.data["events"][0]) == "Seat 2, ann: $10 on Ante for the dealer"
    pit.do("bet", **dealers, cents=600)
    assert pit.round.spots[2].for_dealer == {"ante": 600} and pit.felt == 11_100
    assert table_view(pit.floor.state, "t1", Reader())["seats"][1]["for_dealer"] == {"ante": 600}
    pit.do("withdraw", **dealers)
    assert pit.refused("withdraw", **dealers).code == "no-such-bet" and pit.felt == 10_500
    pit.do("bet", **dealers, cents=1_000)
    pit.do("withdraw", seat=2, guest="ann", wager="ante")
    assert pit.round.spots[2].for_dealer == {} and pit.felt == 500
    pit.bet(2, "ann", ante=10_000)
    pit.do("bet", **dealers, cents=1_000)
    pit.do("withdraw", seat=2, guest="ann", wager="duki-bonus")
    pit.do("withdraw", seat=2, guest="ann", wager="ante")
    assert not pit.round.spots and pit.purse("ann") == PURSE
    pit.check()


def test_d4p_11_a_void_and_a_reversal_give_everybody_his_own_back(tmp_path):
    pit = with_dealer_bet(tmp_path, "play")
    pit.do("void", SUE, reason="misdeal")
    assert (pit.purse("ann"), tips(pit), pit.felt) == (PURSE, 0, 0)
    (tmp_path / "won").mkdir()
    pit = with_dealer_bet(tmp_path / "won", "play")
    pit.do("settle")
    pit.do("correct", SUE, reason="misread", round=1, void=True)
    assert (pit.purse("ann"), tips(pit), pit.tray, pit.table.win_cents) == (PURSE, 0, OPENER, 0)
    pit.check()


def test_d4p_11_who_cannot_double_both_may_fold(tmp_path):
    pit = Pit(tmp_path, DUKI, settings=ALLOWED)
    pit.bet(1, "ann", ante=40_000)
    pit.do("bet", seat=1, guest="ann", wager="ante", cents=500, for_dealer=True)
    pit.do("cash-out", CAT, table=None, guest="ann", cents=PURSE - 40_500 - 40_499)
    pit.no_more_bets()
    pit.card(ANN_HAND, DEALER_HAND)
    choices = table_view(pit.floor.state, "t1", Reader())["seats"][0]["choices_now"]
    assert [(choice["id"], choice["more_cents"]) for choice in choices] == [("play", 40_500), ("fold", 0)]
    assert pit.refused("decide", seat=1, choice="play").code == "not-enough"
    pit.decide(1, "fold")
    pit.do("settle")
    pit.check()


def test_d4p_11_bets_for_the_dealer_are_not_allowed(tmp_path):
    refusal = Pit(tmp_path, DUKI).refused("bet", seat=1, guest="ann", wager="ante", cents=500, for_dealer=True)
    assert "D4P-11" in refusal.message
