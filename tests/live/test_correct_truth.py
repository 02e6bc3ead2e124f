"""What a correction may not do: give a guest's money to another, take from a later bank, let impossible things be true."""

from datetime import UTC, datetime, timedelta

import pytest
from test_correct import WHY, correct, settle, times_corrected
from test_mend import attempted
from test_player_bank import DRAGON, NATURAL_9, START, chips, do, make_floor, play, take_bank
from test_table import BACCARAT, BANKER_WINS, BLACKJACK, DAN, DRAGON_7, OPENER, PLAYER_WINS, PURSE, SUE, TIE, Pit, events

from houseway.house.audit import Auditor
from houseway.refusal import Refused

DUKI, PAI_GOW = "duki-4-wa", "ez-pai-gow-wa"


def refusal(pit, number, **truth):
    return attempted(pit, "correct", SUE, round=number, reason=WHY, again=times_corrected(pit.floor, number), **truth)


# Whose money it is


def test_a_second_correction_is_of_what_the_first_left_whoever_sits_there_now(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS, seat=2, guest="eve")
    correct(pit, 1, seat_bets={"3": [["banker", 10_000]]}, guests={"3": "ann"})
    assert pit.purse("ann") == PURSE + 10_000
    pit.do("sit", seat=3, guest="bob")
    correct(pit, 1, seat_bets={"3": [["banker", 5_000]]})
    assert (pit.purse("ann"), pit.purse("bob")) == (PURSE + 5_000, PURSE)
    pit.check()


def test_whose_a_wager_was_at_a_seat_without_one_is_said_and_never_guessed(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.do("sit", seat=3, guest="bob")
    told = refusal(pit, 1, seat_bets={"3": [["banker", 5_000]]})
    assert told.code == "bad-seat" and "say whose it was" in told.message


# Cards


def test_a_round_of_one_deck_is_corrected_again_and_again(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, settings={"decks": 1})
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    pit.card("10s 10h 9d 8c")
    pit.decide(1, "stand")
    pit.do("settle")
    correct(pit, 1, cards="10s 10h 9d 7c")
    correct(pit, 1, cards="10s 10h 9d 9c")
    correct(pit, 1, void=True)
    assert pit.purse("ann") == PURSE
    pit.check()


@pytest.mark.parametrize(
    "given", [{"cards": " ".join(["As"] * 10)}, {"result": "nonsense"}, {"choices": {"1": []}}, {"dice": 3}]
)
def test_a_void_is_given_alone(tmp_path, given):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    assert refusal(pit, 1, void=True, **given).code == "bad-command"


def test_cards_or_a_result_are_given_and_not_both(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    assert refusal(pit, 1, cards=TIE, result="tie").code == "bad-command"


def rounds_of_one_deck(folder, *rounds: str) -> Pit:
    """A table of one deck at which ann stood in these rounds."""
    pit = Pit(folder, BLACKJACK, settings={"decks": 1})
    for cards in rounds:
        pit.bet(1, "ann", blackjack=10_000)
        pit.no_more_bets()
        pit.card(cards)
        pit.decide(1, "stand")
        pit.do("settle")
    return pit


def test_a_card_that_had_come_out_of_the_same_shoe_cannot_come_again(tmp_path):
    pit = rounds_of_one_deck(tmp_path, "10s 10h 9d 8c", "Ks Kh 9s 8d")
    assert refusal(pit, 2, cards="10s Kh 9s 8d").code == "card-not-in-shoe"
    pit.do("new-shoe")
    assert refusal(pit, 2, cards="10s Kh 9s 8d").code == "card-not-in-shoe"


def test_two_rounds_of_one_deck_that_were_keyed_with_each_others_card_are_put_right(tmp_path):
    """Each card is in the other round: one of them is freed first, by a card that is in the shoe still."""
    pit = rounds_of_one_deck(tmp_path, "10s 10h 9d 8c", "Ks Kh 7s 8d")
    before = pit.purse("ann")
    assert refusal(pit, 1, cards="10s 10h 9d 8d").code == "card-not-in-shoe"
    correct(pit, 2, cards="Ks Kh 7s 9c")
    correct(pit, 1, cards="10s 10h 9d 8d")
    correct(pit, 2, cards="Ks Kh 7s 8c")
    assert pit.purse("ann") == before  # eights both: what each round came to is as it was
    pit.check()


def test_a_card_that_was_set_aside_was_not_dealt(tmp_path):
    pit = Pit(tmp_path, DUKI)
    pit.bet(1, "ann", duki_bonus=500)
    pit.no_more_bets()
    pit.card("2s 5h 9d Kc", "3c 4d 8s Jh")
    pit.do("replace-card", SUE, place=1, card="As", reason=WHY)
    pit.do("settle")
    assert refusal(pit, 1, cards="2s 5h 9d Kc 3c 4d 8s Jh").code == "card-not-in-shoe"


# Dice


@pytest.mark.parametrize("dice", [4, -99_999])
def test_where_nothing_is_thrown_no_dice_are_corrected(tmp_path, dice):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    assert refusal(pit, 1, dice=dice).code == "bad-dice"


@pytest.mark.parametrize("dice", [0, 8, 99, -3])
def test_dice_that_cannot_fall_are_refused(tmp_path, dice):
    pit = Pit(tmp_path, PAI_GOW, source="virtual-shoe")
    pit.bet(1, "ann", base=1_000)
    pit.do("no-more-bets")
    pit.do("deal")
    pit.decide(1, "house-way")
    pit.do("settle")
    assert refusal(pit, 1, dice=dice).code == "cannot-correct", "the house committed to what it throws"


# A player's bank


def test_a_later_stake_of_the_same_guest_does_not_pay_for_an_earlier_one(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 10_000)
    play(floor, [(2, "player", 10_000)], DRAGON)  # Player loses
    do(floor, "pass", seat=1, guest="ann")
    for seat, guest in ((2, "bob"), (3, "cyd")):
        do(floor, "pass", seat=seat, guest=guest)
    take_bank(floor, 1, 10_000)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=10_000)
    do(floor, "no-more-bets")
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "cards": NATURAL_9}, SUE)
    assert floor.state.balance("bank:c1") == 10_000
    do(floor, "card", cards=NATURAL_9)
    do(floor, "settle")
    assert (chips(floor, 1), chips(floor, 2)) == (START - 20_000, START + 20_000)
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize("truth", [{"seat_bets": {"1": [["player", 500]]}, "guests": {"1": "ann"}}, {"guests": {"2": "ann"}}])
def test_r12_the_bank_does_not_wager_by_correction_either(tmp_path, truth):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 10_000)
    play(floor, [(2, "player", 1_000)], NATURAL_9)
    with pytest.raises(Refused) as caught:
        floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, **truth}, SUE)
    assert caught.value.code == "bank-does-not-wager"


def test_r12b_a_bank_that_reserves_covers_no_more_of_a_true_bet(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case"})
    take_bank(floor, 1, 20_000)
    play(floor, [(2, "player", 1_000), (2, "dragon-7", 500)], DRAGON)
    won = chips(floor, 2)
    bets = {"seat_bets": {"2": [["player", 1_000], ["dragon-7", 1_000]]}}  # $10 are cut to what was covered of $5
    told = floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, **bets}, SUE)
    assert chips(floor, 2) == won and not told.transfers


def test_r12b_a_changed_bet_is_covered_like_any_other_and_that_is_told(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case"})
    take_bank(floor, 1, 30_000)
    do(floor, "bet", seat=2, guest="bob", wager="dragon-7", cents=500)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=1_000)
    do(floor, "no-more-bets")
    told = floor.do(
        {"kind": "change-bet", "table": "c1", "seat": 2, "wager": "dragon-7", "stake_cents": 1_000, "reason": WHY}, SUE
    )
    covered = [event for event in told.data["events"] if event["event"] == "not-covered"]
    assert [(e["seat"], e["wager"], e["covered_cents"], e["back_cents"]) for e in covered] == [(2, "dragon-7", 700, 300)]
    assert chips(floor, 2) == START - 700 and chips(floor, 3) == START - 1_000
    assert Auditor(floor.store).run().flaw is None


def test_ezc_1_the_collection_is_paid_by_whoever_really_played(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=100, bank_fee_cents=200)
    take_bank(floor, 1, 10_000)
    play(floor, [(2, "player", 1_000)], NATURAL_9)
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "guests": {"2": "cyd"}}, SUE)
    assert (chips(floor, 2), chips(floor, 3)) == (START, START + 1_000 - 100)
    more = {"seat_bets": {"3": [["player", 1_000]]}, "guests": {"3": "bob"}, "again": 1}
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, **more}, SUE)
    assert (chips(floor, 2), floor.state.balance("collection:c1")) == (START + 1_000 - 100, 400)
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "void": True, "again": 2}, SUE)
    assert floor.state.balance("collection:c1") == 400, "kept on a void"
    assert Auditor(floor.store).run().flaw is None


# A table that was closed


def test_a_round_of_a_closed_table_is_corrected_at_the_cage(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.do("close", SUE)
    cage = pit.floor.state.balance("cage")
    correct(pit, 1, cards=PLAYER_WINS)
    assert (pit.purse("ann"), pit.floor.state.balance("cage")) == (PURSE - 10_000, cage + 20_000)
    assert (pit.table.is_open, pit.table.win_cents) == (False, 10_000)
    assert refusal(pit, 2, void=True).message == "there is no round 2 of t1, which is closed: its last round was 1"
    assert Auditor(pit.floor.store).run().flaw is None


def test_a_table_that_opens_again_goes_on_counting_and_its_earlier_rounds_can_be_corrected(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    settle(pit, TIE, tie=500)
    pit.do("close", SUE)
    pit.do("open", SUE, edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    assert (pit.round.number, pit.table.history) == (3, ())
    settle(pit, BANKER_WINS, banker=5_000)
    present = pit.table
    correct(pit, 1, cards=DRAGON_7)
    correct(pit, 1, cards=PLAYER_WINS)
    assert pit.purse("ann") == PURSE - 10_000 + 4_000 + 5_000
    (earlier,) = pit.floor.state.earlier["t1"]
    assert pit.table == present and [done.number for done in earlier.history] == [1, 2]
    assert earlier.win_cents == 10_000 - 4_000
    correct(pit, 3, void=True)
    assert pit.purse("ann") == PURSE - 10_000 + 4_000
    assert Auditor(pit.floor.store).run().flaw is None


def test_on_the_next_day_what_was_closed_before_is_gone(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.do("close", SUE)
    pit.floor.clock = lambda: datetime.now(UTC) + timedelta(days=1)
    pit.do("open", SUE, edition=BACCARAT, source="hand-keyed", opener_cents=OPENER)
    assert pit.floor.state.earlier["t1"] == ()
    told = refusal(pit, 1, void=True)
    assert told.code == "another-day" and "round 1 is of another gaming day" in told.message


# Wagers for the dealers (D4P-11), high payouts, boards


def dealers_bet(tmp_path):
    pit = Pit(tmp_path, DUKI, settings={"dealer-bets": "allowed"})
    pit.bet(1, "ann", duki_bonus=500)
    pit.bet(2, "bob", duki_bonus=500)
    pit.do("bet", seat=1, guest="ann", wager="duki-bonus", cents=200, for_dealer=True)
    pit.no_more_bets()
    return pit


def test_d4p_11_a_bet_for_the_dealers_is_changed_and_taken_back(tmp_path):
    pit = dealers_bet(tmp_path)
    pit.do("change-bet", SUE, seat=1, wager="duki-bonus", stake_cents=300, reason=WHY, for_dealer=True)
    assert (pit.purse("ann"), dict(pit.round.spots[1].for_dealer)) == (PURSE - 800, {"duki-bonus": 300})
    pit.do("change-bet", SUE, seat=1, wager="duki-bonus", stake_cents=0, reason=WHY, for_dealer=True)
    assert (pit.purse("ann"), dict(pit.round.spots[1].for_dealer)) == (PURSE - 500, {})
    pit.check()


def test_d4p_11_a_settled_bet_for_the_dealers_is_corrected(tmp_path):
    pit = dealers_bet(tmp_path)
    pit.card("9s 9h 9d Kc", "2c 5d 8s Jh", "3c 4d 8d Js")
    pit.do("settle")
    tips, purse = pit.floor.state.balance("tips:t1"), pit.purse("ann")
    assert tips > 0
    correct(pit, 1, dealer_bets={"1": [["duki-bonus", 400]]})
    assert (pit.floor.state.balance("tips:t1"), pit.purse("ann")) == (2 * tips, purse)
    correct(pit, 1, dealer_bets={"1": []})
    assert (pit.floor.state.balance("tips:t1"), pit.purse("ann")) == (0, purse)
    assert refusal(pit, 1, dealer_bets={"1": [["ante", 400]]}).code == "bad-bet"
    assert refusal(pit, 1, dealer_bets={"3": [["ante", 400]]}).code == "bad-seat"
    pit.check()


@pytest.mark.parametrize("watch", ["record", "acknowledge"])
def test_surveillance_is_told_of_a_high_payout_by_correction(tmp_path, watch):
    pit = Pit(tmp_path, watch=watch)
    settle(pit, BANKER_WINS, banker=500, dragon_7=10_000)
    told = events(correct(pit, 1, cards=DRAGON_7), "surveillance")
    assert [(high["seat"], high["wager"], high["win_cents"]) for event in told for high in event["payments"]] == [
        (1, "dragon-7", 400_000)
    ]


def test_a_board_of_rounds_follows_however_many_were_void_since(tmp_path):
    pit = Pit(tmp_path, DUKI)
    pit.bet(1, "ann", duki_bonus=500)
    pit.no_more_bets()
    pit.card("9s 9h 9d Kc", "3c 4d 8d Js")
    pit.do("settle")
    for _ in range(61):
        pit.do("void", SUE, reason="misdeal")
    before = pit.table.history
    correct(pit, 1, cards="9s 8h 5d Kc 3c 4d 8d Js")
    assert [done.number for done in pit.table.history] == [1] and pit.table.history != before


# Before the settlement


def test_a_card_corrected_to_itself_changes_nothing(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=1_000)
    pit.no_more_bets()
    pit.card("2s 4h 3d")
    assert attempted(pit, "correct-card", DAN, place=3, card="3d", reason=WHY).code == "nothing-changes"


def test_what_is_keyed_again_with_choices_can_be_undone(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=2_000)
    pit.no_more_bets()
    pit.card("6s 9h 7s 8c")
    pit.decide(1, "stand")
    pit.do("rekey", cards="6s 9h 7s 7c", choices={"1": []}, reason=WHY)
    assert attempted(pit, "undo", DAN, seat=1, reason=WHY).code == "nothing-to-undo"
    pit.do("rekey", cards="6s 9h 7s 8c", choices={"1": ["stand"]}, reason=WHY)
    assert pit.round.decided == (1,)
    pit.do("undo", seat=1, reason=WHY)
    assert pit.round.decided == () and pit.round.spots[1].choices == ()
    pit.check()


def test_the_dice_of_a_round_are_keyed_again(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(1, "ann", base=1_000)
    pit.no_more_bets(dice=3)
    pit.card("2s 3h 4d 5c 7s 8h 9d")
    pit.do("rekey", cards="2s 3h 4d 5c 7s 8h 9d", dice=1, reason=WHY)
    assert pit.round.dice == 1
    assert attempted(pit, "rekey", DAN, cards="2s 3h 4d 5c 7s 8h 9d", dice=8, reason=WHY).code == "bad-dice"
    assert attempted(pit, "rekey", DAN, cards="2s 3h 4d 5c 7s 8h 9d", dice=1, reason=WHY).code == "nothing-changes"


def test_a_seats_last_wager_may_go_while_it_has_no_cards_of_its_own(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", banker=1_000)
    pit.bet(2, "bob", player=1_000)
    pit.no_more_bets()
    pit.card("2s 4h")
    pit.do("change-bet", SUE, seat=1, wager="banker", stake_cents=0, reason=WHY)
    assert (sorted(pit.round.spots), pit.purse("ann")) == ([2], PURSE)
    told = attempted(pit, "change-bet", SUE, seat=2, wager="player", stake_cents=0, reason=WHY)
    assert told.code == "last-wager" and "only wager" in told.message
    pit.check()


def test_a_seats_last_wager_stays_with_its_cards(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=1_000)
    pit.bet(2, "bob", blackjack=1_000)
    pit.no_more_bets()
    pit.card("6s 9h")
    assert attempted(pit, "change-bet", SUE, seat=1, wager="blackjack", stake_cents=0, reason=WHY).code == "last-wager"


# What a bet is refused


def test_a_wager_is_given_once_with_all_that_lay_on_it(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    told = refusal(pit, 1, seat_bets={"1": [["banker", 500], ["banker", 700]]})
    assert told.code == "bad-bet" and "seat 1 has Banker 2 times" in told.message
    pit.check()


def test_a_guest_whom_the_house_does_not_know_has_not_bet(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    told = refusal(pit, 1, guests={"1": "ghost"})
    assert told.code == "unknown-guest" and "ghost has no account in this house" in told.message
    assert refusal(pit, 1, guests={"2": "ghost"}, seat_bets={"2": [["banker", 500]]}).code == "unknown-guest"
    assert "guest:ghost" not in pit.floor.state.balances
    pit.check()


def test_no_correction_gives_a_guest_more_seats_than_the_house_allows(tmp_path):
    pit = Pit(tmp_path, seats_per_guest=1)
    settle(pit, BANKER_WINS)
    more = {"guests": {"2": "ann"}, "seat_bets": {"2": [["banker", 1_000]]}}
    told = refusal(pit, 1, **more)
    assert told.code == "too-many-seats" and "ann would have had seats 1, 2: the house allows a guest 1 seat" in told.message
    correct(pit, 1, guests=more["guests"], seat_bets={**more["seat_bets"], "1": []})
    pit.check()
