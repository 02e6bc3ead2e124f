"""Mistakes before the settlement: re-keyed rounds, swapped and replaced cards, undone decisions, changed wagers."""

import pytest
from test_table import ANN, BACCARAT, BANKER_WINS, BLACKJACK, DAN, DUKI, PAI_GOW, PURSE, SUE, TIE, Pit, events

from houseway.refusal import Refused
from houseway.table import Phase

WHY = "the dealer misread it"
DUKI_HANDS = ("Ah Kd Qc Js", "2h 3d 4c 4s")


def attempted(pit, kind, actor, **fields):
    """The refusal of a command that is recorded even when it is refused, and changes nothing else."""
    before = pit.floor.state
    with pytest.raises(Refused) as caught:
        pit.do(kind, actor, **fields)
    assert pit.floor.state == before
    return caught.value


def baccarat(tmp_path, cards=BANKER_WINS, **bets):
    pit = Pit(tmp_path, BACCARAT)
    pit.bet(1, "ann", **(bets or {"banker": 10_000}))
    pit.no_more_bets()
    pit.card(cards)
    return pit


def blackjack(tmp_path, cards, lucky=True, seats=(1,), **opening):
    pit = Pit(tmp_path, BLACKJACK, **opening)
    for seat in seats:
        pit.bet(seat, "ann", blackjack=10_000, **({"lucky_lucky": 1_000} if lucky else {}))
    pit.no_more_bets()
    pit.card(cards)
    return pit


def test_a_round_is_keyed_again_and_settled_as_it_really_was(tmp_path):
    pit = baccarat(tmp_path)
    entry = pit.do("rekey", cards="9s 2h Kd Kc", reason=WHY)
    assert events(entry, "round-rekeyed")[0]["reason"] == WHY
    pit.do("settle")
    assert pit.purse("ann") == PURSE - 10_000
    pit.check()


def test_keying_the_same_cards_again_is_refused(tmp_path):
    pit = baccarat(tmp_path)
    assert pit.refused("rekey", cards=BANKER_WINS, reason=WHY).code == "nothing-changes"
    assert pit.refused("rekey", cards="9s 2h Kd", reason="").code == "bad-command"


def test_a_round_keyed_again_may_have_other_choices(tmp_path):
    """Eleven against a six: what was keyed as a stand on 20 was a double."""
    pit = blackjack(tmp_path, "10s 6h Kd 9c", lucky=False)
    pit.decide(1, "stand")
    pit.do("rekey", cards="5s 6h 6d 9c 10h 10c", choices={"1": ["double"]}, reason=WHY)
    assert pit.felt == 20_000
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 20_000
    pit.check()


def test_two_cards_keyed_in_the_wrong_order_change_places(tmp_path):
    pit = baccarat(tmp_path, "2s 9h Kd Jc", player=5_000, banker=10_000)
    pit.do("swap-cards", place=1, other_place=2, reason=WHY)
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 5_000 - 10_000
    assert pit.refused("swap-cards", place=1, other_place=2, reason=WHY).code == "wrong-phase"
    pit.check()


def test_swapping_nothing_and_places_that_are_not_there_is_refused(tmp_path):
    pit = baccarat(tmp_path, "2s 2s Kd 9c")
    assert pit.refused("swap-cards", place=1, other_place=2, reason=WHY).code == "nothing-changes"
    assert pit.refused("swap-cards", place=1, other_place=9, reason=WHY).code == "bad-card"


def test_a_card_is_corrected_after_an_early_wager_was_paid_and_the_difference_is_settled(tmp_path):
    pit = blackjack(tmp_path, "10s 5h 9d 9c")
    assert pit.purse("ann") == PURSE - 11_000  # 24 loses
    entry = pit.do("correct-card", place=2, card="Ah", reason=WHY)  # 10 9 A: 20 pays 2 to 1
    assert pit.purse("ann") == PURSE - 10_000 + 2_000
    assert events(entry, "early-reversed") and events(entry, "paid")[0]["win_cents"] == 2_000
    pit.check()
    pit.do("correct-card", place=2, card="5h", reason=WHY)
    assert pit.purse("ann") == PURSE - 11_000
    pit.check()


def test_an_early_payment_that_a_correction_does_not_change_stays(tmp_path):
    pit = blackjack(tmp_path, "10s 5h 9d 9c")
    entry = pit.do("correct-card", place=4, card="8c", reason=WHY)
    assert entry.transfers == () and not events(entry, "paid")
    pit.check()


def test_what_was_paid_early_and_spent_is_owed(tmp_path):
    """20 was paid 2 to 1 and the chips are gone when the up-card turns out to be another."""
    pit = blackjack(tmp_path, "10s Ah 9d 9c")
    pit.do("tip", guest="ann", cents=pit.purse("ann"))
    entry = pit.do("correct-card", place=2, card="5h", reason=WHY)
    assert events(entry, "owes")[0]["cents"] == 3_000
    assert pit.floor.state.balance("debt:ann") == -3_000
    assert pit.purse("ann") == 0


def test_a_void_makes_a_debt_of_what_was_paid_early_and_spent(tmp_path):
    pit = blackjack(tmp_path, "10s Ah 9d 9c")
    tip = pit.purse("ann")
    pit.do("tip", guest="ann", cents=tip)
    pit.do("void", SUE, reason="misdeal")  # 11,000 come back, 3,000 were won early
    assert pit.purse("ann") == PURSE - tip
    assert pit.floor.state.balance("debt:ann") == 0
    assert pit.table.win_cents == 0


def test_a_decision_is_undone_and_its_stake_goes_back(tmp_path):
    pit = blackjack(tmp_path, "5s 6h 6d 9c", lucky=False)
    pit.decide(1, "double")
    assert pit.felt == 20_000
    entry = pit.do("undo", seat=1, reason=WHY)
    assert events(entry, "decision-undone") == [{"event": "decision-undone", "seat": 1, "choice": "double", "reason": WHY}]
    assert (pit.felt, pit.purse("ann"), list(pit.to_act)) == (10_000, PURSE - 10_000, [1])
    pit.decide(1, "hit")
    pit.check()


def test_a_decision_that_a_card_has_followed_stands(tmp_path):
    pit = blackjack(tmp_path, "5s 6h 6d 9c", lucky=False)
    pit.decide(1, "double")
    pit.card("10h")
    assert pit.refused("undo", seat=1, reason=WHY).code == "card-followed"


def test_only_the_last_decision_is_undone_where_seats_decide_in_turn(tmp_path):
    pit = blackjack(tmp_path, "10s 10d 6h 9s 9d 9c", lucky=False, seats=(1, 2))
    pit.decide(1, "stand")
    pit.decide(2, "stand")
    assert pit.refused("undo", seat=1, reason=WHY).code == "not-the-last"
    pit.do("undo", seat=2, reason=WHY)
    pit.do("undo", seat=1, reason=WHY)
    assert list(pit.to_act) == [1]
    assert pit.refused("undo", seat=1, reason=WHY).code == "nothing-to-undo"
    pit.check()


def test_a_look_is_not_undone_once_the_dealer_has_looked(tmp_path):
    pit = blackjack(tmp_path, "10s Ah 9d 5c", lucky=False)
    pit.decide(1, "look")
    assert pit.refused("undo", seat=1, reason=WHY).code == "dealer-has-looked"


@pytest.mark.parametrize(("hole", "cards"), [("none", "10s Ah 6d"), ("peek", "10s Kh 6d 9c"), ("peek", "10s Ah 6d 9c")])
def test_an_early_surrender_is_undone_as_nobody_has_looked_and_no_card_has_followed(tmp_path, hole, cards):
    """Without a hole card there is nothing to look at; and the dealer does not look when the only seat has left the hand."""
    pit = blackjack(tmp_path, cards, lucky=False, settings={"surrender": "early", "hole-card": hole})
    pit.decide(1, "surrender")
    pit.do("undo", seat=1, reason=WHY)
    assert list(pit.to_act) == [1]
    pit.check()


def test_without_a_hole_card_a_look_is_undone_until_a_decision_or_a_card_has_followed(tmp_path):
    pit = blackjack(tmp_path, "10s 10d Ah 6d 7d", lucky=False, seats=(1, 2), settings={"hole-card": "none"})
    pit.decide(1, "look")
    pit.decide(2, "look")
    pit.do("undo", seat=1, reason=WHY)
    pit.decide(1, "look")
    pit.decide(1, "hit")
    assert pit.refused("undo", seat=2, reason=WHY).code == "not-the-last"
    pit.card("2h")
    assert pit.refused("undo", seat=1, reason=WHY).code == "card-followed"
    pit.check()


def test_the_dealer_has_looked_if_one_seat_of_several_stays_in_the_hand(tmp_path):
    settings = {"surrender": "early"}
    pit = blackjack(tmp_path, "10s 10d Kh 6d 7d 9c", lucky=False, seats=(1, 2), settings=settings)
    pit.decide(1, "surrender")
    pit.decide(2, "look")
    assert pit.refused("undo", seat=1, reason=WHY).code == "dealer-has-looked"


def test_a_set_is_undone(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(1, "ann", base=10_000)
    pit.no_more_bets()
    pit.card("As Ac Ks Kc 9s 5h 2h", "Ah Ad Kh Kd 9h 5d 2d")
    pit.decide(1, "set Kh Kd")
    assert pit.round.phase == Phase.READY
    pit.do("undo", seat=1, reason=WHY)
    pit.decide(1, "house-way")
    pit.do("settle")
    pit.check()


def test_at_a_virtual_table_nothing_is_undone_once_the_dealers_cards_are_shown(tmp_path):
    pit = Pit(tmp_path, DUKI, source="virtual-shoe")
    pit.bet(1, "ann", ante=1_000)
    pit.bet(2, "bob", ante=1_000)
    pit.no_more_bets()
    pit.do("deal")
    pit.decide(1, "fold")
    pit.do("undo", seat=1, reason=WHY)
    pit.decide(1, "play")
    pit.decide(2, "fold")
    assert pit.refused("undo", seat=1, reason=WHY).code == "cards-shown"
    pit.do("settle")
    pit.check()


def test_a_wager_is_changed_in_a_supervisors_name(tmp_path):
    pit = baccarat(tmp_path, TIE, banker=10_000, tie=500)
    assert attempted(pit, "change-bet", DAN, seat=1, wager="tie", stake_cents=5_000, reason=WHY).code == "role-may-not"
    entry = pit.do("change-bet", SUE, seat=1, wager="tie", stake_cents=5_000, reason=WHY)
    assert events(entry, "bet-changed")[0]["before_cents"] == 500
    pit.do("change-bet", SUE, seat=1, wager="banker", stake_cents=0, reason=WHY)
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 40_000
    pit.check()


@pytest.mark.parametrize(
    ("wager", "cents", "code"),
    [("tie", 40_001, "outside-limits"), ("tie", 500, "nothing-changes"), ("roulette", 500, "unknown-wager")],
)
def test_a_wager_is_not_changed_to_what_the_table_would_refuse(tmp_path, wager, cents, code):
    pit = baccarat(tmp_path, TIE, banker=10_000, tie=500)
    assert pit.refused("change-bet", SUE, seat=1, wager=wager, stake_cents=cents, reason=WHY).code == code


def test_the_last_wager_of_a_seat_with_cards_is_not_taken_back(tmp_path):
    pit = baccarat(tmp_path)
    assert pit.refused("change-bet", SUE, seat=1, wager="banker", stake_cents=0, reason=WHY).code == "last-wager"
    assert pit.refused("change-bet", SUE, seat=2, wager="banker", stake_cents=500, reason=WHY).code == "bad-seat"


def test_a_doubled_wager_is_changed_with_what_doubled_it(tmp_path):
    pit = blackjack(tmp_path, "5s 6h 6d 9c", lucky=False)
    pit.decide(1, "double")
    pit.do("change-bet", SUE, seat=1, wager="blackjack", stake_cents=5_000, reason=WHY)
    assert (pit.felt, pit.purse("ann")) == (10_000, PURSE - 10_000)
    pit.card("10h", "10d")
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 10_000
    pit.check()


def test_an_early_wager_is_changed_after_it_was_paid(tmp_path):
    pit = blackjack(tmp_path, "10s Ah 9d 9c")
    assert pit.purse("ann") == PURSE - 10_000 + 2_000
    pit.do("change-bet", SUE, seat=1, wager="lucky-lucky", stake_cents=2_000, reason=WHY)
    assert pit.purse("ann") == PURSE - 10_000 + 4_000
    pit.check()


def test_a_raise_that_a_guest_cannot_pay_is_refused(tmp_path):
    pit = baccarat(tmp_path)
    pit.do("tip", guest="ann", cents=pit.purse("ann"))
    assert pit.refused("change-bet", SUE, seat=1, wager="banker", stake_cents=20_000, reason=WHY).code == "not-enough"


def test_a_card_that_was_seen_is_replaced_and_cannot_come_again(tmp_path):
    pit = baccarat(tmp_path)
    entry = pit.do("replace-card", SUE, place=2, card="2h", reason="turned over while dealing")
    assert events(entry, "card-replaced")[0]["before"] == "9h"
    assert pit.round.set_aside != ()
    pit.check()


def test_d4p_14_a_card_that_was_seen_voids_the_round_where_a_shuffler_is_used(tmp_path):
    pit = Pit(tmp_path, DUKI, source="shuffler", seats=7)
    pit.bet(1, "ann", ante=1_000)
    pit.no_more_bets()
    pit.card(DUKI_HANDS[0])
    refusal = pit.refused("replace-card", SUE, place=1, card="2d", reason=WHY)
    assert refusal.code == "void-instead" and "(D4P-14a): void it for card-face-up" in refusal.message, "a guest's card"
    pit.card(DUKI_HANDS[1])
    refusal = pit.refused("replace-card", SUE, place=5, card="2d", reason=WHY)
    assert refusal.code == "void-instead" and "(D4P-14c): void it for dealer-card-exposed" in refusal.message


def test_cards_of_a_virtual_shoe_are_what_they_are(tmp_path):
    pit = Pit(tmp_path, BACCARAT, source="virtual-shoe")
    pit.bet(1, "ann", banker=1_000)
    pit.no_more_bets()
    pit.do("deal")
    for kind, fields in {
        "rekey": {"cards": BANKER_WINS},
        "swap-cards": {"place": 1, "other_place": 2},
        "correct-card": {"place": 1, "card": "2h"},
        "replace-card": {"place": 1, "card": "2h"},
    }.items():
        assert pit.refused(kind, SUE, reason=WHY, **fields).code == "cannot-correct"


def test_several_wagers_are_placed_all_or_none(tmp_path):
    pit = Pit(tmp_path, BACCARAT)
    bets = [["banker", 10_000], ["tie", 40_001]]
    assert pit.refused("bets", seat=1, guest="ann", bets=bets).code == "outside-limits"
    assert pit.round.spots == {}
    pit.do("bets", ANN, seat=1, guest="ann", bets=[["tie", 500], ["banker", 10_000]])
    assert list(pit.round.spots[1].bets) == ["tie", "banker"]
    assert pit.refused("bets", seat=1, guest="ann", bets=[]).code == "bad-bet"
    assert pit.refused("bets", seat=1, guest="ann", bets=[["tie", 500], ["tie", 600]]).code == "bad-bet"
    pit.check()


@pytest.mark.parametrize("kind", ["void", "dispute", "resolve"])
def test_only_the_round_that_is_named_is_voided_or_frozen(tmp_path, kind):
    pit = baccarat(tmp_path)
    pit.do("settle")
    pit.bet(1, "ann", banker=1_000)
    if kind == "resolve":
        pit.do("dispute", SUE, reason=WHY, round=2)
    reason = "misdeal" if kind == "void" else WHY
    refusal = attempted(pit, kind, SUE, reason=reason, round=1)
    assert refusal.code == "another-round" and "correct round 1" in refusal.message
    assert attempted(pit, kind, SUE, reason=reason, round=3).code == "another-round"
    pit.do(kind, SUE, reason=reason, round=2)


def test_a_result_keyed_over_another_says_why(tmp_path):
    pit = Pit(tmp_path, BACCARAT)
    pit.bet(1, "ann", banker=10_000)
    pit.no_more_bets()
    pit.do("result", result="player-win")
    assert "give a reason" in pit.refused("result", result="banker-win").message
    assert pit.refused("result", result="player-win", reason=WHY).code == "nothing-changes"
    entry = pit.do("result", result="banker-win", reason=WHY)
    assert events(entry, "result-keyed")[0]["reason"] == WHY
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 10_000
    pit.check()
