"""EZ Pai Gow at a live table with keyed cards: dice, direction, the dealer's turn, discards, sets and bonuses."""

import pytest
from test_table import OPENER, PAI_GOW, PURSE, SPARE, SUE, Pit, paid

import houseway
from houseway.cards import parse_cards, show_cards
from houseway.games import edition_from
from houseway.refusal import Refused
from houseway.table import Phase
from houseway.view import Reader, table_view

ACES_KINGS, SAME_AGAIN = "Ac Ad Kc Kd 9h 5s 2c", "As Ah Ks Kh 9s 5h 2h"
QUEEN_HIGH = "Qc 10d 9c 8h 5c 4d 3h"
FOUR_SEVENS, LOW = "7c 7d 7h 7s 2d 3d Jh", "Qs 10s 8c 6d 4h 3s 2s"
DEALT = [ACES_KINGS, *SPARE, SAME_AGAIN]
WAGERED = {"deal": "wagered-positions"}
EVERY_HAND = {"keyed": "every-hand"}


def who_got(pit):
    """Whoever holds each hand, in the order the hands were dealt."""
    by_cards = {tuple(cards): who for who, cards in pit.hands.items()}
    drawn = pit.round.drawn
    return [by_cards[drawn[start : start + 7]] for start in range(0, len(drawn), 7)]


def one_seat(folder, player, dealer, settings=None, **bets):
    """Seat 2 alone, cards to wagered positions only; the dealer was thrown, so he comes first."""
    pit = Pit(folder, PAI_GOW, settings=WAGERED | (settings or {}))
    pit.bet(2, "ann", **bets)
    pit.no_more_bets(dice=7)
    pit.card(dealer, player)
    return pit


@pytest.mark.parametrize(
    ("dice", "order"),
    [
        (1, [1, "dealer", 6, 5, 4, 3, 2]),
        (3, [3, 2, 1, "dealer", 6, 5, 4]),
        (6, [6, 5, 4, 3, 2, 1, "dealer"]),
        (7, ["dealer", 6, 5, 4, 3, 2, 1]),
    ],
)
def test_epg_6_dice_choose_the_start_and_the_deal_goes_counter_clockwise(tmp_path, dice, order):
    pit = Pit(tmp_path, PAI_GOW, settings=EVERY_HAND)
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets(dice=dice)
    pit.card(*DEALT)
    assert who_got(pit) == order


def test_epg_6_the_dice_of_a_manual_table_are_keyed(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(2, "ann", base=10_000)
    for given in ({}, {"dice": 0}, {"dice": 8}, {"dice": -1}, {"dice": "3"}, {"dice": 2.0}):
        refusal, dice = pit.refused("no-more-bets", **given), given.get("dice", 0)
        assert refusal.code == "bad-dice" and ("1 to 7" in refusal.message or not isinstance(dice, int))
    pit.do("no-more-bets", dice=4)
    assert pit.round.dice == 4


def test_epg_6_wagers_before_cards(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(2, "ann", base=10_000)
    assert pit.refused("card", cards="Ac").code == "wrong-phase"
    pit.no_more_bets(dice=1)
    assert pit.refused("bet", seat=3, guest="bob", wager="base", cents=10_000).code == "wrong-phase"


def test_epg_7_every_position_gets_a_hand_with_or_without_a_wager(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, settings=EVERY_HAND)
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets(dice=7)
    pit.card(*DEALT[:-1])
    assert pit.round.phase == Phase.DEALING
    pit.card(DEALT[-1])
    assert {who: len(cards) for who, cards in pit.hands.items()} == dict.fromkeys([*range(1, 7), "dealer"], 7)
    assert set(pit.to_act) == {2}


@pytest.mark.parametrize("dice", range(1, 8))
def test_epg_7_the_dealer_comes_after_position_1(tmp_path, dice):
    pit = Pit(tmp_path, PAI_GOW, settings=EVERY_HAND)
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets(dice=dice)
    pit.card(*DEALT)
    order = who_got(pit)
    place = order.index("dealer")
    assert order[place - 1] == 1  # if the dealer starts, position 1 is last
    assert order[0] == (dice if dice < 7 else "dealer")


@pytest.mark.parametrize(
    ("dice", "order"),
    [(6, [6, 2, "dealer"]), (5, [2, "dealer", 6]), (3, [2, "dealer", 6]), (1, [6, 2, "dealer"]), (7, ["dealer", 6, 2])],
)
def test_epg_7b_only_positions_with_a_wager_and_the_next_active_is_first(tmp_path, dice, order):
    pit = Pit(tmp_path, PAI_GOW, settings=WAGERED)
    pit.bet(2, "ann", base=10_000)
    pit.bet(6, "bob", base=10_000)
    pit.no_more_bets(dice=dice)
    pit.card(*DEALT[:3])
    assert who_got(pit) == order
    assert set(pit.to_act) == {2, 6}


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
def test_epg_7b_with_one_seat_any_number_but_the_dealers_begins_there(tmp_path, dice):
    pit = Pit(tmp_path, PAI_GOW, settings=WAGERED)
    pit.bet(6, "ann", base=10_000)
    pit.no_more_bets(dice=dice)
    pit.card(*DEALT[:2])
    assert who_got(pit) == [6, "dealer"]  # only seat 6 has a wager: dice 5 begin at seat 6, not at the dealer


def test_epg_7b_at_a_virtual_table_too_the_next_position_with_a_wager_is_first(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, source="virtual-shoe", settings=WAGERED)
    starts = set()
    for _ in range(20):
        pit.bet(6, "ann", base=10_000)
        pit.no_more_bets()
        pit.do("deal")
        starts.add((pit.round.dice == 7, who_got(pit)[0]))
        pit.decide(6, "house-way")
        pit.do("settle")
    assert starts <= {(False, 6), (True, "dealer")} and (False, 6) in starts
    pit.check()


def test_epg_7_at_a_manual_table_only_wagered_hands_and_the_dealers_are_keyed(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(2, "ann", base=10_000)
    pit.bet(5, "bob", base=10_000)
    pit.no_more_bets(dice=4)  # the deal begins at the empty position 4, then 3, 2, 1, the dealer, 6, 5
    pit.card(SAME_AGAIN, ACES_KINGS, FOUR_SEVENS)
    assert who_got(pit) == [2, "dealer", 5]
    assert pit.refused("card", cards="Jk").code == "too-many-cards"
    pit.decide(2, "house-way")
    pit.decide(5, "house-way")
    assert {seat for seat, _, _ in paid(pit.do("settle"))} == {2, 5}
    pit.check()


def test_epg_8_at_a_virtual_table_every_position_is_dealt_to_whatever_is_keyed_elsewhere(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, source="virtual-shoe")
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets()
    pit.do("deal")
    assert len(pit.round.drawn) == 49 and {who: len(cards) for who, cards in pit.hands.items()} == dict.fromkeys(
        [*range(1, 7), "dealer"], 7
    )


def test_epg_8_the_next_card_of_a_manual_table_is_of_a_hand_that_is_played(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(3, "ann", base=10_000)
    pit.no_more_bets(dice=6)
    wanted = table_view(pit.floor.state, "t1", Reader("dan", "dealer"))["next_card"]
    assert (wanted["words"], wanted["most"]) == ("Position 3", 7)


def test_epg_8_hands_without_a_wager_and_the_four_left_over_are_discarded(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, settings=EVERY_HAND)
    pit.bet(1, "ann", base=10_000, dynasty=500)
    pit.no_more_bets(dice=7)
    pit.card(*DEALT)
    assert len(pit.round.drawn) == 49
    assert pit.refused("card", cards="Jk").code == "too-many-cards"
    pit.decide(1, "house-way")
    entry = pit.do("settle")
    assert {seat for seat, _, _ in paid(entry)} == {1}  # position 6 had four threes, and wins nobody envy
    assert paid(entry) == [(1, "base", -10_000), (1, "dynasty", -500)]
    pit.check()


def test_epg_8_under_7b_all_but_seven_cards_a_hand_are_left(tmp_path):
    pit = one_seat(tmp_path, SAME_AGAIN, ACES_KINGS, base=10_000)
    assert 53 - len(pit.round.drawn) == 53 - 7 * 2
    pit.decide(2, "house-way")
    pit.do("settle")
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets(dice=7)
    pit.card(ACES_KINGS, SAME_AGAIN)  # shuffled again
    assert pit.round.phase == Phase.DECIDING


def test_epg_9_the_player_sets_his_own_hand(tmp_path):
    pit = one_seat(tmp_path, SAME_AGAIN, QUEEN_HIGH.replace("Qc", "Jc"), base=10_000)
    assert pit.to_act[2]
    pit.decide(2, "set Ks Kh")
    assert paid(pit.do("settle")) == [(2, "base", 10_000)]


def test_epg_9_a_set_of_cards_not_held_is_refused(tmp_path):
    pit = one_seat(tmp_path, SAME_AGAIN, ACES_KINGS, base=10_000)
    for choice in ("set Kc Kd", "set Ks", "set Ks Ks", "set Ks Kh 9s", "set", "Ks Kh", "fold"):
        refusal = pit.refused("decide", seat=2, choice=choice)
        assert refusal.code in {"bad-choice", "bad-card"}


def test_epg_11_the_dealer_wins_ties(tmp_path):
    pit = one_seat(tmp_path, SAME_AGAIN, ACES_KINGS, base=10_000)
    pit.decide(2, "house-way")
    assert paid(pit.do("settle")) == [(2, "base", -10_000)]
    assert (pit.purse("ann"), pit.tray) == (PURSE - 10_000, OPENER + 10_000)


def test_epg_0_a_queen_high_pai_gow_of_the_dealer_pushes(tmp_path):
    pit = one_seat(tmp_path, SAME_AGAIN, QUEEN_HIGH, base=10_000)
    pit.decide(2, "house-way")
    assert paid(pit.do("settle")) == [(2, "base", 0)]


def test_epg_12_bonus_wagers_are_resolved_by_their_own_pay_tables(tmp_path):
    bets = {"base": 10_000, "dynasty": 500, "protection": 500, "red_black": 500}
    pit = one_seat(tmp_path, FOUR_SEVENS, ACES_KINGS, **bets)
    pit.decide(2, "house-way")  # the table's colour is red
    entry = pit.do("settle")
    text = f"{show_cards(parse_cards(FOUR_SEVENS))} {show_cards(parse_cards(ACES_KINGS))}"
    alone = houseway.edition(PAI_GOW).settle(text, "base=100,dynasty=5,protection=5,red-black=5", "house-way,red")
    assert paid(entry) == [(2, p.wager, p.win_cents) for p in alone.payments]
    wins = {wager: cents for _, wager, cents in paid(entry)}
    assert (wins["dynasty"], wins["protection"], wins["red-black"]) == (25 * 500, -500, 500)  # five red cards
    pit.check()


def test_epg_12_a_low_hand_wins_protection(tmp_path):
    pit = one_seat(tmp_path, LOW, ACES_KINGS, base=10_000, protection=500)
    pit.decide(2, "house-way")
    assert dict(step[1:] for step in paid(pit.do("settle"))) == {"base": -10_000, "protection": 7 * 500}


def envy_table(folder, watcher_cents, settings=None, **bets_of_four_sevens):
    pit = Pit(folder, PAI_GOW, settings=WAGERED | (settings or {}))
    pit.bet(2, "ann", base=10_000, dynasty=watcher_cents)
    pit.bet(5, "bob", **bets_of_four_sevens)
    pit.no_more_bets(dice=7)
    pit.card(QUEEN_HIGH, FOUR_SEVENS, SAME_AGAIN)  # the dealer, seat 5, seat 2
    pit.decide(2, "house-way")
    if "base" in bets_of_four_sevens:
        pit.decide(5, "house-way")
    entry = pit.do("settle")
    pit.check()
    return [step for step in paid(entry) if step[:2] == (2, "dynasty")], entry


def test_epg_12_envy_pays_the_other_seats(tmp_path):
    steps, entry = envy_table(tmp_path, 500, base=10_000, dynasty=500)
    assert sorted(steps) == [(2, "dynasty", -500), (2, "dynasty", 500)]  # two pair lose; four of a kind is worth $5
    assert [step for step in paid(entry) if step[:2] == (5, "dynasty")] == [(5, "dynasty", 12_500)]  # never for one's own


def test_epg_12_envy_needs_five_dollars(tmp_path):
    assert envy_table(tmp_path, 499, base=10_000)[0] == [(2, "dynasty", -499)]


def test_epg_12_envy_by_the_others_base_wager_or_dynasty_bet(tmp_path):
    assert len(envy_table(tmp_path, 500, base=10_000)[0]) == 2
    (tmp_path / "other").mkdir()
    by_dynasty = {"R6": "other-players-with-dynasty-bet"}
    assert envy_table(tmp_path / "other", 500, by_dynasty, base=10_000)[0] == [(2, "dynasty", -500)]


def test_r6_envy_is_never_won_for_ones_own_second_seat(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, settings=WAGERED)
    for seat, guest in ((2, "ann"), (4, "bob"), (5, "ann")):
        pit.bet(seat, guest, base=10_000, dynasty=500)
    pit.no_more_bets(dice=7)
    pit.card(QUEEN_HIGH, FOUR_SEVENS, LOW, SAME_AGAIN)  # the dealer, then Ann's seat 5, Bob's 4 and Ann's 2
    for seat in (2, 4, 5):
        pit.decide(seat, "house-way")
    entry = pit.do("settle")
    dynasty = [step for step in paid(entry) if step[1] == "dynasty"]
    # four of a kind wins 25 to 1 at seat 5, and Bob $5 of envy; Ann's other seat wins nothing for it
    assert sorted(dynasty) == [(2, "dynasty", -500), (4, "dynasty", -500), (4, "dynasty", 500), (5, "dynasty", 12_500)]
    assert pit.purse("ann") == PURSE - 500 + 12_500
    pit.check()


def test_r6_an_edition_of_before_still_pays_it_so_that_its_journal_holds(tmp_path):
    document = dict(houseway.edition(PAI_GOW).edition.document)
    document["settings"] = {name: values for name, values in document["settings"].items() if name != "own-seat-envy"}
    older = edition_from(document, "older")
    assert older.settings()["own-seat-envy"] == "won"


def test_epg_5_the_colour_is_chosen_with_the_bet_and_not_after_the_cards(tmp_path):
    pit = one_seat(tmp_path, FOUR_SEVENS, ACES_KINGS, base=10_000, red_black=500)
    assert pit.refused("decide", seat=2, choice="black").code == "bad-choice"
    pit.decide(2, "house-way")
    assert (2, "red-black", 500) in paid(pit.do("settle"))  # the table's setting: red
    pit.bet(2, "ann", base=10_000, red_black=500)
    pit.decide(2, "black")
    assert pit.table.round.spots[2].choices == ("black",)


def test_r16_a_foul_is_refused_until_legal_or_as_the_house_says(tmp_path):
    foul = "set As Ah"  # a pair of aces in front of a pair of kings
    pit = one_seat(tmp_path, SAME_AGAIN, ACES_KINGS, {"R16": "refused"}, base=10_000)
    refusal = pit.refused("decide", seat=2, choice=foul)
    assert refusal.code == "foul" and "five-card hand must rank above" in refusal.message
    for reading, win in (("dealer-resets-house-way", 10_000), ("loses", -10_000)):
        (tmp_path / reading).mkdir()
        pit = one_seat(tmp_path / reading, SAME_AGAIN, QUEEN_HIGH.replace("Qc", "Jc"), {"R16": reading}, base=10_000)
        pit.decide(2, foul)
        assert paid(pit.do("settle")) == [(2, "base", win)]


@pytest.mark.parametrize("choice", ["set As Ah", "set 3c 3d"])
def test_r16_a_foul_or_impossible_set_is_refused_beside_a_red_black_bet(tmp_path, choice):
    pit = one_seat(tmp_path, SAME_AGAIN, ACES_KINGS, {"R16": "refused"}, base=10_000, red_black=500)
    assert pit.refused("decide", seat=2, choice=choice).code in {"foul", "bad-choice"}
    pit.decide(2, "house-way")
    pit.do("settle")


@pytest.mark.parametrize("source", ["hand-keyed", "manual-keypad", "shuffler"])
def test_epg_9_a_table_with_real_cards_opens_with_a_resolution_of_fouls(tmp_path, source):
    pit = Pit(tmp_path, PAI_GOW, source=source, settings=WAGERED)
    assert pit.table.settings["R16"] == "dealer-resets-house-way"
    pit.bet(2, "ann", base=10_000)
    pit.no_more_bets(dice=7)
    pit.card(QUEEN_HIGH.replace("Qc", "Jc"), SAME_AGAIN)
    pit.decide(2, "set As Ah")
    assert paid(pit.do("settle")) == [(2, "base", 10_000)]  # set by the House Way, kings in front
    pit.check()


def test_epg_9_a_virtual_table_refuses_a_foul_until_it_is_legal_and_a_house_may_choose(tmp_path):
    assert Pit(tmp_path, PAI_GOW, source="virtual-shoe").table.settings["R16"] == "refused"
    (tmp_path / "other").mkdir()
    assert Pit(tmp_path / "other", PAI_GOW, settings={"R16": "loses"}).table.settings["R16"] == "loses"


@pytest.mark.parametrize(("reading", "win"), [("pushes", 0), ("loses", -10_000)])
def test_r16b_a_foul_set_that_loses_meets_a_queen_high_pai_gow(tmp_path, reading, win):
    pit = one_seat(tmp_path, SAME_AGAIN, QUEEN_HIGH, {"R16": "loses", "R16b": reading}, base=10_000)
    pit.decide(2, "set As Ah")
    assert paid(pit.do("settle")) == [(2, "base", win)]
    assert pit.table.history[-1].marks == ("queen-high-pai-gow",)
    pit.check()


def test_r14_at_most_six_players(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    with pytest.raises(Refused) as caught:
        pit.do("open", SUE, table="t2", edition=PAI_GOW, source="hand-keyed", opener_cents=1, seats=7)
    assert caught.value.code == "bad-seats" and "1 to 6" in caught.value.message


def test_r6b_a_bonus_alone_where_the_house_allows_it(tmp_path):
    pit = one_seat(tmp_path, FOUR_SEVENS, ACES_KINGS, {"R6b": "yes"}, dynasty=500)
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(2, "dynasty", 12_500)]
    pit.check()
