"""Seats at every table, what a table remembers of its rounds, keyed scoreboards, and views that show no card too early."""

import json

import pytest
from test_table import BACCARAT, BLACKJACK, DAN, DUKI, PAI_GOW, PLAYER_WINS, SUE, Pit, baccarat_round, events

from houseway.cards import parse_cards, show_card
from houseway.games import open_edition
from houseway.house.floor import Actor
from houseway.refusal import Refused
from houseway.view import Reader, advice, board_view, happened, last_round, lobby_view, table_view

ANN = Actor("ann", "guest")


# Seats


@pytest.mark.parametrize("edition", [BACCARAT, PAI_GOW, BLACKJACK, DUKI])
def test_a_guest_sits_and_the_seat_is_his_until_he_leaves(tmp_path, edition):
    pit = Pit(tmp_path, edition)
    main = next(iter(open_edition(edition).wagers))
    pit.do("sit", ANN, seat=2, guest="ann")
    assert pit.refused("sit", seat=2, guest="bob").code == "seat-taken"
    assert pit.refused("bet", seat=2, guest="bob", wager=main, cents=1_000).code == "seat-taken"
    pit.bet(2, "ann", **{main: 1_000})
    assert pit.refused("leave", seat=2, guest="ann").code == "still-in-action"
    pit.do("withdraw", seat=2, guest="ann", wager=main)
    assert pit.refused("leave", seat=2, guest="bob").code == "not-your-seat"
    pit.do("leave", ANN, seat=2, guest="ann")
    assert pit.table.seated == {}
    pit.check()


def test_a_guest_sits_down_and_gets_up_for_nobody_else(tmp_path):
    pit = Pit(tmp_path)
    assert pit.refused("sit", ANN, seat=1, guest="bob").code == "not-your-seat"
    pit.do("sit", seat=1, guest="bob")
    assert pit.refused("leave", ANN, seat=1, guest="bob").code == "not-your-seat"


@pytest.mark.parametrize(("allowed", "code"), [(1, "too-many-seats"), (2, None), (0, None)])
def test_a_guest_has_as_many_seats_as_the_house_allows(tmp_path, allowed, code):
    pit = Pit(tmp_path, seats_per_guest=allowed)
    pit.do("sit", seat=1, guest="ann")
    if code:
        assert pit.refused("sit", seat=3, guest="ann").code == code
        assert pit.refused("bet", seat=3, guest="ann", wager="player", cents=1_000).code == code
    else:
        pit.bet(3, "ann", player=1_000)
        pit.bet(1, "ann", banker=1_000)
        pit.check()


# What a table remembers


def test_a_table_remembers_the_hands_of_its_shoe_and_what_was_bet(tmp_path):
    pit = Pit(tmp_path)
    for cards in (PLAYER_WINS, "2c 3c 2d 10h 4s 2h"):  # a Panda 8 at last: 2+2+4 against 3+10+2
        baccarat_round(pit, cards, player=1_000, panda_8=500)
        pit.do("settle")
    first, second = pit.table.history
    assert (first.number, first.marks[0][0], second.marks) == (1, "P", ("P8",))
    assert [(hit.wager, hit.seat) for hit in second.hits] == [("panda-8", 1)]
    assert (pit.table.action["player"].bets, pit.table.action["player"].cents, pit.table.action["player"].squares) == (
        2,
        2_000,
        2_000_000,
    )
    pit.do("correct", SUE, reason="misread", round=2, void=True)
    assert [one.number for one in pit.table.history] == [1]
    assert pit.table.action["player"].bets == 1
    pit.do("new-shoe")
    assert pit.table.history == ()
    pit.check()


def test_a_keyed_result_may_be_a_natural_and_pays_the_same(tmp_path):
    pit = Pit(tmp_path, source="manual-keypad")
    pit.bet(1, "ann", banker=1_000)
    pit.no_more_bets()
    assert pit.refused("result", result="dragon-7 natural").code == "unknown-result"
    pit.do("result", result="banker-win natural")
    assert [event["win_cents"] for event in events(pit.do("settle"), "paid")] == [1_000]
    assert pit.table.history[-1].marks == ("Bn",)


# Scoreboards


def key(pit, hand):
    return pit.do("board-hand", table=None, board="wall", hand=hand)


def test_ezb_l1_a_keyed_scoreboard_needs_no_table_and_takes_no_bet(tmp_path):
    pit = Pit(tmp_path)
    pit.do("board-open", SUE, table=None, board="wall", edition=BACCARAT)
    for hand in ("B", "B7", "T", "P8", "Pn"):
        key(pit, hand)
    shown = board_view(pit.floor.state, "wall")
    assert shown["hands"] == ["B", "B7", "T", "P8", "Pn"]
    assert (shown["counts"]["banker"], shown["counts"]["dragon_7"], shown["counts"]["panda_8"]) == (2, 1, 1)
    assert shown["next_hand"] is None
    pit.do("board-undo", table=None, board="wall")
    pit.do("board-new-shoe", table=None, board="wall")
    assert pit.refused("board-undo", table=None, board="wall").code == "nothing-to-undo"
    assert pit.floor.state.boards["wall"].shoes == 2
    pit.check()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"board": "wall", "hand": "X"}, "bad-hand"),
        ({"board": "wall", "hand": "P7"}, "impossible-hand"),
        ({"board": "nowhere", "hand": "P"}, "unknown-board"),
    ],
)
def test_an_impossible_hand_changes_no_board(tmp_path, fields, code):
    pit = Pit(tmp_path)
    pit.do("board-open", SUE, table=None, board="wall", edition=BACCARAT)
    assert pit.refused("board-hand", table=None, **fields).code == code


def test_next_hand_cells_are_off_unless_the_edition_allows_them(tmp_path):
    pit = Pit(tmp_path)
    assert "off" in pit.refused("board-open", SUE, table=None, board="w", edition=BACCARAT, next_hand=True).message
    assert pit.refused("board-open", SUE, table=None, board="w", edition=DUKI).code == "no-roads"
    assert pit.refused("board-open", SUE, table=None, board="t1", edition=BACCARAT).code == "board-open"


# Views


def cards_in(view):
    """Every card code anywhere in a view."""
    known = {show_card(card) for card in range(53)}
    found = []

    def walk(value):
        if isinstance(value, str) and value in known:
            found.append(value)
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            walk(inner)

    walk(json.loads(json.dumps(view)))
    return sorted(found)


def codes(text):
    return sorted(show_card(card) for card in parse_cards(text))


def test_d4p_3_nobody_sees_a_hand_that_is_not_his_before_the_dealer_reveals(tmp_path):
    pit = Pit(tmp_path, DUKI)
    pit.bet(1, "ann", ante=1_000)
    pit.bet(2, "bob", ante=1_000)
    pit.no_more_bets()
    pit.card("2c 3c 4c 5c", "6c 7c 8c 9c", "Kh Qh Jh 10h")
    house = pit.floor.state
    assert cards_in(table_view(house, "t1", Reader("ann"))) == codes("2c 3c 4c 5c")
    assert cards_in(table_view(house, "t1", Reader("bob"))) == codes("6c 7c 8c 9c")
    for reader in (Reader(), Reader("eve"), Reader("ann", "cashier"), Reader("tom", "auditor"), Reader("r", "administrator")):
        assert cards_in(table_view(house, "t1", reader)) == []
    assert len(cards_in(table_view(house, "t1", Reader("dan", "dealer")))) == 24  # he keyed them in: hands, and as keyed
    assert cards_in([happened(entry) for entry in pit.floor.store.entries()]) == []
    pit.decide(1, "play")
    pit.decide(2, "fold")
    seen = cards_in(table_view(pit.floor.state, "t1", Reader()) | {"steps": {}})  # the steps name them once more
    assert seen == codes("2c 3c 4c 5c 6c 7c 8c 9c Kh Qh Jh 10h")


def test_bj_8_the_hole_card_is_seen_when_all_have_acted(tmp_path):
    pit = Pit(tmp_path, BLACKJACK, source="virtual-shoe")
    pit.bet(1, "ann", blackjack=1_000)
    pit.no_more_bets()
    pit.do("deal")
    while pit.to_act:
        view = table_view(pit.floor.state, "t1", Reader("dan", "dealer"))
        assert view["dealer"][0]["cards"][1:] == [None]
        pit.decide(1, pit.to_act[1][0] if "look" in pit.to_act[1] else "stand")
    settled = pit.do("settle")
    entries = pit.floor.store.round_entries("t1", settled.seq)
    told = last_round(pit.table, entries)
    assert None not in told["dealer"][0]["cards"]
    assert [event["wager"] for event in told["payments"]] == ["blackjack"]


def test_epg_9_a_set_is_told_and_a_foul_named_before_it_is_made(tmp_path):
    pit = Pit(tmp_path, PAI_GOW)
    pit.bet(1, "ann", base=1_000)
    pit.no_more_bets(dice=1)
    pit.card("As Ah Kc 9d 7h 4s 2c", "Kd Qd Jd 9c 8h 5s 3c")
    mine = Reader("ann")
    assert advice(pit.table, 1, "As Ah", mine)["foul"] is True
    told = advice(pit.table, 1, "Kc 9d", mine)
    assert (told["foul"], [hand["worth"] for hand in told["hands"]]) == (False, ["king-nine high", "a pair of aces"])
    assert advice(pit.table, 1, "", mine)["why"]
    with pytest.raises(Refused, match="may see"):
        advice(pit.table, 1, "", Reader("bob"))
    with pytest.raises(Refused, match="two different"):
        advice(pit.table, 1, "As Ks", mine)


def test_the_lobby_tells_seats_limits_and_last_results(tmp_path):
    pit = Pit(tmp_path)
    pit.do("sit", seat=1, guest="ann")
    baccarat_round(pit, PLAYER_WINS, player=1_000)
    pit.do("settle", DAN)
    shown = lobby_view(pit.floor.state)[0]
    assert (shown["seats_free"], shown["limits"], shown["last"][0]["marks"][0][0]) == (6, "$1 to $400", "P")
