"""EZ Baccarat at a live table with keyed cards: order of dealing and paying."""

import pytest
from test_table import BACCARAT, BANKER_WINS, DRAGON_7, OPENER, PLAYER_WINS, PURSE, SUE, TIE, Pit, baccarat_round, events, paid

from houseway.cards import parse_cards
from houseway.refusal import Refused
from houseway.table import Phase


def test_ezb_1_wagers_are_placed_before_the_first_card(tmp_path):
    pit = Pit(tmp_path)
    assert pit.refused("card", cards="9s").code == "wrong-phase"
    pit.bet(1, "ann", banker=10_000)
    assert pit.refused("card", cards="9s").code == "wrong-phase"
    pit.no_more_bets()
    for cards in ("9s", "2h", "Kd Kc"):
        assert pit.refused("bet", seat=2, guest="bob", wager="player", cents=10_000).code == "wrong-phase"
        pit.card(cards)
    assert pit.refused("bet", seat=2, guest="bob", wager="player", cents=10_000).code == "wrong-phase"


def test_ezb_1_without_wagers_no_hand_is_dealt(tmp_path):
    refusal = Pit(tmp_path).refused("no-more-bets")
    assert refusal.code == "no-bets"


def test_ezb_3_two_cards_each_alternating_player_first(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, "9s 2h Kd 3c", player=10_000)  # Player 9 and K, Banker 2 and 3
    assert pit.round.phase == Phase.READY
    assert paid(pit.do("settle")) == [(1, "player", 10_000)]
    baccarat_round(pit, "2h 9s 3c Kd", player=10_000)
    assert paid(pit.do("settle")) == [(1, "player", -10_000)]


def test_ezb_3_the_players_hand_is_completed_first(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, "Ks 2h 2d 3c", dragon_7=500)
    assert pit.refused("settle").code == "wrong-phase"
    pit.card("4h")  # Player's: with a four against it, Banker's 5 draws
    assert pit.refused("settle").code == "wrong-phase"
    pit.card("2c")
    assert paid(pit.do("settle")) == [(1, "dragon-7", 20_000)]


@pytest.mark.parametrize(
    ("cards", "more"),
    [("9s 2h Kd 3c", 0), ("Ks 8h 2d Kc", 0), ("7s 7h Kd Kc", 0), ("6s 5h Kd Kc", 1), ("Ks 7h 2d Kc", 1), ("Ks 3h 2d Kc", 2)],
)
def test_ezb_3_the_table_asks_for_exactly_the_cards_the_rules_draw(tmp_path, cards, more):
    pit = Pit(tmp_path)
    baccarat_round(pit, cards, player=10_000)
    for card in ("4h", "5c")[:more]:
        assert pit.round.phase != Phase.READY
        pit.card(card)
    assert pit.round.phase == Phase.READY
    assert pit.refused("card", cards="4s").code in {"wrong-phase", "too-many-cards"}


def test_ezb_3_too_many_cards_at_once_are_refused_as_a_whole(tmp_path):
    pit = Pit(tmp_path)
    pit.bet(1, "ann", player=10_000)
    pit.no_more_bets()
    refusal = pit.refused("card", cards="9s 2h Kd 3c 4c")
    assert refusal.code == "too-many-cards" and "4c" in refusal.message and "settle" in refusal.message


def test_ezb_5_wagers_are_resolved_counter_clockwise_from_the_dealers_right(tmp_path):
    pit = Pit(tmp_path, seats=9)
    for seat, guest in ((4, "ann"), (9, "bob"), (1, "eve"), (7, "ann")):
        pit.bet(seat, guest, banker=10_000)
    pit.no_more_bets()
    pit.card(BANKER_WINS)
    entry = pit.do("settle")
    assert [seat for seat, _, _ in paid(entry)] == [9, 7, 4, 1]
    seats = [t.why for t in entry.transfers if t.source == "tray:t1"]
    assert [next(s for s in (9, 7, 4, 1) if f"seat {s}" in why) for why in seats] == [9, 7, 4, 1]


@pytest.mark.parametrize(
    ("cards", "wins"),
    [
        (BANKER_WINS, {"player": -100, "banker": 100, "tie": -100, "dragon-7": -100, "panda-8": -100}),
        (DRAGON_7, {"player": -100, "banker": 0, "tie": -100, "dragon-7": 4_000, "panda-8": -100}),
        (PLAYER_WINS, {"player": 100, "banker": -100, "tie": -100, "dragon-7": -100, "panda-8": -100}),
        ("Ks 7h 2d Kc 6h", {"player": 100, "banker": -100, "tie": -100, "dragon-7": -100, "panda-8": 2_500}),
        (TIE, {"player": 0, "banker": 0, "tie": 800, "dragon-7": -100, "panda-8": -100}),
    ],
)
def test_ezb_5_every_wager_is_taken_returned_or_paid(tmp_path, cards, wins):
    pit = Pit(tmp_path)
    for wager in wins:
        pit.bet(1, "ann", **{wager.replace("-", "_"): 100})
    pit.no_more_bets()
    pit.card(cards)
    entry = pit.do("settle")
    assert {wager: cents for _, wager, cents in paid(entry)} == wins
    assert pit.purse("ann") == PURSE + sum(wins.values())
    assert pit.tray == OPENER - sum(wins.values()) and pit.felt == 0
    pit.check()


def test_ezb_5_steps_cite_their_clause(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, DRAGON_7, banker=10_000)
    assert [event["clause"] for event in events(pit.do("settle"), "paid")] == ["EZB-5b"]


def test_ezb_l1_a_smart_shoe_is_refused(tmp_path):
    pit = Pit(tmp_path)
    before = pit.floor.state
    with pytest.raises(Refused) as caught:
        pit.do("open", SUE, table="t2", edition=BACCARAT, source="smart-shoe", opener_cents=OPENER)
    assert caught.value.code == "source-refused" and "EZB-L1" in caught.value.message
    assert pit.floor.state == before


def test_ezb_l1_an_unknown_source_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(Refused) as caught:
        Pit(tmp_path).do("open", SUE, table="t2", edition=BACCARAT, source="crystal-ball", opener_cents=OPENER)
    assert caught.value.code == "unknown-card-source" and "hand-keyed" in caught.value.message


def test_ezb_0_six_decks_if_the_house_wants(tmp_path):
    pit = Pit(tmp_path, settings={"decks": 6})
    for _ in range(3):
        baccarat_round(pit, "9s 9s Kd Kc", tie=100)
        pit.do("settle")
    pit.bet(1, "ann", tie=100)
    pit.no_more_bets()
    assert pit.refused("card", cards="9s").code == "card-not-in-shoe"


def test_ezb_0_decks_outside_the_approval_are_refused(tmp_path):
    pit = Pit(tmp_path)
    with pytest.raises(Refused) as caught:
        pit.do("open", SUE, table="t2", edition=BACCARAT, source="hand-keyed", opener_cents=1, settings={"decks": 4})
    assert caught.value.code == "outside-approval"


def test_the_cards_are_in_the_journal_as_keyed(tmp_path):
    pit = Pit(tmp_path)
    baccarat_round(pit, "ks 2♥ 2D 3c", dragon_7=500)
    assert pit.round.drawn == parse_cards("Ks 2h 2d 3c")


def test_ezb_2_if_who_was_to_draw_has_no_wager_after_all_the_next_one_draws(tmp_path, bare_shell):
    pit = Pit(tmp_path, settings={"drawer": "players"})
    pit.bet(2, "ann", player=2_500)
    pit.bet(4, "bob", banker=2_500)
    pit.no_more_bets()
    taken_back = pit.do("change-bet", SUE, seat=2, wager="player", stake_cents=0, reason="left")
    assert events(taken_back, "to-draw") == [{"event": "to-draw", "seat": 4, "guest": "bob"}]
    assert "Seat 4, bob, draws the cards" in bare_shell("table show t1")
    pit.card("9s 2h Kd Kc")
    pit.do("settle")
    assert pit.table.drew == 4
    pit.check()


def test_ezb_2_who_has_drawn_and_had_no_wager_after_all_is_not_shown(tmp_path, bare_shell):
    """The shell fell over him."""
    pit = Pit(tmp_path, settings={"drawer": "players"})
    pit.bet(2, "ann", player=2_500)
    pit.bet(4, "bob", banker=2_500)
    pit.no_more_bets()
    pit.card("9s")
    pit.do("change-bet", SUE, seat=2, wager="player", stake_cents=0, reason="left")
    assert "draws the cards" not in bare_shell("table show t1")
