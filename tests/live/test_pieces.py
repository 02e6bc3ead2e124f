"""Chips are pieces: amounts are made of them exactly, they are worth what accounts hold, and none comes or goes by itself."""

import random
import time
from itertools import product

import pytest
import sessions
from chiprooms import CAT, OLGA, ROOT, STOCK, SUE, TRAY, ChipRoom, check_pieces, chips_in_all, events
from hypothesis import given, settings
from hypothesis import strategies as st
from test_table import BLACKJACK, DRAGON_7, PLAYER_WINS, Pit

from houseway.refusal import Refused
from houseway.table import Phase, handle, unfolded
from houseway.table.engine import from_list
from houseway.table.fold import context
from houseway.table.pieces import added, exchange, mixed, moved, pick, read_chips, without, worth
from houseway.view.happened import happened
from houseway.view.words import event_words

CHAIN, ODD = (2_500, 500, 100, 50), (2_500, 2_000, 700, 300)
HELD = st.lists(st.integers(0, 4), min_size=4, max_size=4)


def held(values, counts, coins=0):
    return {value: count for value, count in zip((*values, 1), (*counts, coins), strict=True) if count}


def can_make(have, cents, values):
    """By trying every way: some pieces, and coins for the rest."""
    ways = product(*(range(have.get(value, 0) + 1) for value in values))
    left = (cents - sum(value * count for value, count in zip(values, way, strict=True)) for way in ways)
    return any(0 <= rest <= have.get(1, 0) for rest in left)


@pytest.mark.parametrize("values", [CHAIN, ODD])
@given(counts=HELD, coins=st.integers(0, 60), cents=st.integers(1, 9_000))
@settings(max_examples=300, deadline=None)
def test_an_amount_is_made_of_pieces_exactly_if_it_can_be(values, counts, coins, cents):
    have = held(values, counts, coins)
    picked = pick(have, cents, values)
    assert (picked is not None) == can_make(have, cents, values)
    if picked is not None:
        assert worth(picked) == cents and all(count <= have[value] for value, count in picked.items())


@given(own=HELD, theirs=HELD, cents=st.integers(1, 8_000))
@settings(max_examples=300, deadline=None)
def test_a_change_is_of_equal_value_and_makes_the_amount(own, theirs, cents):
    mine, other = held(CHAIN, own), held(CHAIN, theirs)
    found = exchange(mine, cents, other, CHAIN) if worth(mine) >= cents else None
    if found is not None:
        gives, gets = found
        assert worth(gives) == worth(gets)
        assert all(count <= mine[value] for value, count in gives.items())
        assert all(count <= other[value] for value, count in gets.items())
        assert pick(added(without(mine, gives), gets), cents, CHAIN) is not None


@given(own=st.lists(st.integers(0, 2), min_size=4, max_size=4), theirs=st.lists(st.integers(0, 2), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_where_each_chip_divides_the_next_a_change_is_found_if_there_is_one(own, theirs):
    """Every division of all pieces in three is tried: what is paid, what is kept, and what the changer has."""
    mine, other = held(CHAIN, own), held(CHAIN, theirs)
    together = added(mine, other)
    cents = worth(mine) // 2 // 50 * 50
    if not cents:
        return
    ways = [[(p, k) for p in range(n + 1) for k in range(n + 1 - p)] for n in (together.get(value, 0) for value in CHAIN)]
    there_is_one = any(
        sum(value * p for value, (p, _) in zip(CHAIN, way, strict=True)) == cents
        and sum(value * k for value, (_, k) in zip(CHAIN, way, strict=True)) == worth(mine) - cents
        for way in product(*ways)
    )
    assert (exchange(mine, cents, other, CHAIN) is not None) == there_is_one


def test_whoever_buys_chips_gets_a_mixture():
    values = read_chips("1 5 25 100 500")
    bought = mixed(dict.fromkeys(values, 1_000), 50_000, values)
    assert worth(bought) == 50_000 and len(bought) >= 3 and 50_000 not in bought


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "from 1 to"),
        ("5 5", "each once"),
        ("1 -5", "dollars"),
        ("0.01 1", "is worth"),
        ("1000000", "is worth"),
        ("1 2 x", "in dollars"),
        ("0.07 0.11 0.13 0.17 0.19 0.23 0.29", "hardly ever"),
    ],
)
def test_what_cannot_be_chips_is_refused(tmp_path, written, why):
    room = ChipRoom(tmp_path, edition="")
    refused = room.refused("house-rule", ROOT, table=None, rule="chips", value=written or " ")
    assert refused.code in {"bad-house-rule", "bad-command"}
    assert why in refused.message or not written


# At a table


@pytest.fixture
def room(tmp_path):
    room = ChipRoom(tmp_path)
    for guest in ("ann", "bob"):
        room.do("buy-in", CAT, table=None, guest=guest, cents=50_000)
    return room


def test_a_payout_names_its_pieces(room):
    room.do("bet", seat=1, guest="ann", wager="dragon-7", cents=500)
    room.do("no-more-bets")
    room.do("card", cards=DRAGON_7)
    settled = room.do("settle")
    (paid,) = [event for event in happened(settled) if event["event"] == "paid"]
    assert paid["pieces"] == {"10000": 2} and "(2 black)" in paid["text"]
    moves = events(settled, "chips-moved")[0]["moves"]
    assert {"source": "wagers:t1#1", "target": "guest:ann", "pieces": {"500": 1}, "why": ""} in moves  # her own chip
    assert "2 black from the tray of t1 to ann's purse" in event_words(events(settled, "chips-moved")[0])
    room.check()


def test_a_stake_is_of_its_seats_pieces(tmp_path):
    """Who pushes has his own chips back, whatever the others bet."""
    room = ChipRoom(tmp_path)
    room.do("buy-in", CAT, table=None, guest="ann", cents=10_000, pieces={"10000": 1})
    room.do("buy-in", CAT, table=None, guest="bob", cents=10_000, pieces={"500": 20})
    room.do("bet", seat=1, guest="ann", wager="player", cents=10_000)
    room.do("bet", seat=2, guest="bob", wager="banker", cents=10_000)
    assert room.pieces("wagers:t1#1") == {10_000: 1} and room.pieces("wagers:t1#2") == {500: 20}
    room.do("no-more-bets")
    room.do("card", cards="9s 9h Kd Kc")  # a tie: both push
    room.do("settle")
    assert room.pieces("guest:ann") == {10_000: 1} and room.pieces("guest:bob") == {500: 20}
    room.check()


def test_whoever_has_not_the_right_pieces_changes_at_the_tray(tmp_path):
    room = ChipRoom(tmp_path)
    room.do("buy-in", CAT, table=None, guest="ann", cents=10_000, pieces={"10000": 1})
    tray = room.pieces("tray:t1")
    entry = room.do("bet", seat=1, guest="ann", wager="player", cents=3_000)
    changed = [move for move in events(entry, "chips-moved")[0]["moves"] if move["why"] == "change"]
    assert [move["pieces"] for move in changed] == [{"10000": 1}, {"2500": 3, "500": 5}]
    assert room.pieces("tray:t1")[10_000] == tray[10_000] + 1
    room.check()


def test_a_tray_that_is_short_says_what_it_wants_and_nothing_moves(tmp_path):
    room = ChipRoom(tmp_path, tray={"10000": 5})
    room.do("buy-in", CAT, table=None, guest="ann", cents=1_000, pieces={"500": 2})
    room.do("bet", seat=1, guest="ann", wager="player", cents=500)
    room.do("no-more-bets")
    room.do("card", cards=PLAYER_WINS)
    refused = room.refused("settle")
    assert refused.code == "tray-short" and "1 red is wanted" in refused.message and "request-fill" in refused.message
    room.fill({"500": 40})
    room.do("settle")
    assert room.pieces("guest:ann") == {500: 3}
    room.check()


def test_a_cage_without_the_chips_sells_none(tmp_path):
    room = ChipRoom(tmp_path, edition="", chips="500 1000")
    refused = room.refused("buy-in", CAT, table=None, guest="ann", cents=80_000_000)
    assert refused.code == "cage-short" and "chips-in" in refused.message
    room.check()


def test_cents_below_the_smallest_chip_are_coins(tmp_path):
    room = ChipRoom(tmp_path, chips="1 5 25 100")
    room.do("buy-in", CAT, table=None, guest="ann", cents=10_037)
    assert room.pieces("guest:ann")[1] == 37
    room.do("table-buy-in", guest="bob", cents=525)
    assert worth(room.pieces("guest:bob")) == 525 and room.pieces("guest:bob")[1] == 25
    room.do("cash-out", CAT, table=None, guest="ann", cents=10_037)
    assert room.pieces("guest:ann") == {}
    room.check()


def test_an_old_house_that_gets_chips_goes_on_with_what_it_has(tmp_path):
    room = ChipRoom(tmp_path, edition="")
    assert room.pieces("cage")[1] == 100_000_000
    room.do("house-rule", ROOT, table=None, rule="chips", value="0.50 1 5 25 100 500 1000 5000")  # one more
    refused = room.refused("house-rule", ROOT, table=None, rule="chips", value="1 5 25")
    assert refused.code == "chips-in-play" and "$0.50, $100, $500, $1,000" in refused.message
    room.do("chips-out", ROOT, table=None, pieces={v: n for v, n in STOCK.items() if n})
    room.do("house-rule", ROOT, table=None, rule="chips", value="none")
    assert room.floor.state.pieces == {} and room.floor.state.balance("cage") == 100_000_000
    assert room.another().refresh() == room.floor.state


def test_chips_are_named_only_while_no_table_plays(room):
    assert room.refused("house-rule", ROOT, table=None, rule="chips", value="none").code == "tables-open"


def test_chips_come_and_go_by_two(tmp_path):
    room = ChipRoom(tmp_path, names="two", edition="")
    for kind in ("chips-in", "chips-out"):
        asked = room.do(kind, ROOT, table=None, pieces={"500": 10})
        assert asked.kind == "requested"
        with pytest.raises(Refused):
            room.floor.do({"kind": "confirm", "request": asked.data["events"][0]["request"]}, ROOT)
        room.floor.do({"kind": "confirm", "request": asked.data["events"][0]["request"]}, CAT)
    assert chips_in_all(room.floor.state) == {int(v): n for v, n in STOCK.items() if n}
    room.check()


BAD_PIECES = [
    ({"500": -1}, "bad-pieces"),
    ({"500": 1.5}, "bad-pieces"),
    ({"five": 1}, "bad-pieces"),
    ({"700": 1}, "unknown-chip"),
    ({}, "bad-pieces"),
    ({"500": 0}, "bad-pieces"),
    ({"500": 10**7}, "bad-pieces"),
    ([["500", 1]], "bad-pieces"),
]


@pytest.mark.parametrize(("pieces", "code"), BAD_PIECES)
@pytest.mark.parametrize("kind", ["request-fill", "request-credit", "count-tray", "tray-par"])
def test_pieces_that_are_none_are_refused(room, kind, pieces, code):
    assert room.refused(kind, SUE, pieces=pieces).code == code


@pytest.mark.parametrize(
    ("gives", "gets", "code"),
    [
        ({"500": 5}, {"2500": 2}, "not-equal"),
        ({"500": 5}, {"500": 5}, "nothing-changes"),
        ({"100000": 1}, None, "pieces-missing"),
        ({"500": 5}, {"100000": 1}, "not-equal"),
    ],
)
def test_colours_are_changed_at_equal_value_only(room, gives, gets, code):
    room.do("buy-in", CAT, table=None, guest="eve", cents=2_500, pieces={"500": 5})
    fields = {"pieces": gives} | ({"for_pieces": gets} if gets else {})
    assert room.refused("colour", guest="eve", **fields).code == code


def test_colour_up_and_down(room):
    room.do("buy-in", CAT, table=None, guest="eve", cents=2_500, pieces={"500": 5})
    room.do("colour", guest="eve", pieces={"500": 5})
    assert room.pieces("guest:eve") == {2_500: 1}
    room.do("colour", guest="eve", pieces={"2500": 1}, for_pieces={"500": 4, "100": 5})
    assert room.pieces("guest:eve") == {500: 4, 100: 5}
    assert room.floor.state.balance("guest:eve") == 2_500
    room.check()


def test_named_pieces_must_come_to_the_amount_and_be_there(room):
    assert room.refused("buy-in", CAT, table=None, guest="eve", cents=1_000, pieces={"500": 3}).code == "not-equal"
    assert room.refused("buy-in", CAT, table=None, guest="eve", cents=10**9, pieces={"100000": 10_000}).code == "pieces-missing"
    assert (
        room.refused("cash-out", CAT, table=None, guest="ann", cents=10_000, pieces={"500": 20}).code
        in {
            "pieces-missing",
            "not-equal",
        }
        or room.pieces("guest:ann")[500] >= 20
    )


def test_a_tray_below_its_mark_asks_for_a_fill_once(tmp_path):
    room = ChipRoom(tmp_path, tray={"10000": 10, "500": 40, "100": 40})
    room.do("tray-par", SUE, pieces={"10000": 10, "500": 40, "100": 40})
    sold = [room.do("table-buy-in", guest="ann", cents=5_000, pieces={"500": 10}) for _ in range(3)]
    wanted = [events(entry, "fill-wanted") for entry in sold]
    assert [len(each) for each in wanted] == [0, 0, 1]
    assert wanted[2][0]["pieces"] == {"500": 30} and wanted[2][0]["cents"] == 15_000
    room.check()


def test_a_house_without_chips_has_no_pieces_and_no_slips(tmp_path):
    pit = Pit(tmp_path)
    for kind, fields in (("request-fill", {}), ("count-tray", {}), ("tray-par", {})):
        assert pit.refused(kind, SUE, pieces={"500": 1}, **fields).code == "no-chips"
    assert pit.refused("table-buy-in", guest="ann", cents=500, pieces={"500": 1}).code == "no-chips"
    assert pit.floor.state.pieces == {}


def test_players_who_bank_change_at_the_cage(tmp_path):
    room = ChipRoom(tmp_path, edition="ez-baccarat-ca", tray={}, player_fee_cents=100, bank_fee_cents=200)
    for seat, guest in ((1, "ann"), (2, "bob")):
        room.do("buy-in", CAT, table=None, guest=guest, cents=50_000, pieces={"10000": 5})
        room.do("sit", seat=seat, guest=guest)
    there = chips_in_all(room.floor.state)
    room.do("bank", seat=1, guest="ann", cents=20_000)
    room.do("bet", seat=2, guest="bob", wager="player", cents=2_500)
    room.do("no-more-bets")
    room.do("card", cards=PLAYER_WINS)
    settled = room.do("settle")
    assert any(move["why"] == "change" and move["target"] == "cage" for move in events(settled, "chips-moved")[0]["moves"])
    assert chips_in_all(room.floor.state) == there and room.floor.state.balance("collection:t1") > 0
    room.check()


def test_what_somebody_owes_is_paper_until_he_pays(room):
    """Who has spent what a correction takes back: the tray has a paper for it, and his chips are changed for cash later."""
    room.do("bet", seat=1, guest="ann", wager="player", cents=40_000)
    room.do("no-more-bets")
    room.do("card", cards=PLAYER_WINS)
    room.do("settle")
    room.do("cash-out", CAT, table=None, guest="ann", cents=90_000)
    room.do("correct", SUE, round=1, reason="misread", cards="2s 9h Kd Jc")
    assert room.floor.state.balance("debt:ann") == -80_000 and room.pieces("tray:t1")[1] >= 80_000
    check_pieces(room.floor.state)
    room.do("buy-in", CAT, table=None, guest="ann", cents=100_000)
    room.do("collect", CAT, table=None, guest="ann", cents=80_000)
    assert room.floor.state.balance("debt:ann") == 0
    room.check()


# Random sessions


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.deep), pytest.param(4, marks=pytest.mark.deep)])
def test_random_sessions_of_all_games_keep_every_piece(tmp_path, seed):
    """Whatever is bet, won, voided, changed and corrected: pieces are worth the balances, and none comes or goes."""
    rng, room = random.Random(seed), ChipRoom(tmp_path, edition="")
    tables = sessions.house_tables(4)
    for number in range(9):
        room.do("buy-in", CAT, table=None, guest=f"g{number}", cents=2_000_000)
    for table in tables:
        opening = {name: value for name, value in sessions.opening(table).items() if name != "opener_cents"}
        room.floor.do(opening, SUE)
        room.fill(TRAY, table)
    there, short = chips_in_all(room.floor.state), 0
    for _ in range(350):
        table = rng.choice(tables)
        command, actor = sessions.next_move(room.floor.refresh(), table, rng)
        if command["kind"] in {"fill", "credit", "close", "drop"}:
            continue
        try:
            room.floor.do(command, actor)
        except Refused as refused:
            assert refused.code == "tray-short", refused
            short += 1
            fill = {"500": 200, "100": 200, "50": 40, "1": 400}
            if not any(slip.table == table for slip in room.floor.state.slips.values()):
                room.fill(fill, table)
        check_pieces(room.floor.state)
        assert chips_in_all(room.floor.state) == there
    settled = [entry for entry in room.floor.store.entries() if entry.kind == "settle"]
    assert len(settled) > 20 and short < 10
    room.check()


def test_a_settlement_of_seven_seats_costs_little_more(tmp_path):
    room = ChipRoom(tmp_path, edition=BLACKJACK, seats=7)
    room.both("buy-in", CAT, OLGA, table=None, guest="ann", cents=1_000_000)
    for seat in range(1, 8):
        room.do("bet", seat=seat, guest="ann", wager="blackjack", cents=2_500 + 500 * seat)
    room.do("no-more-bets")
    room.do("card", cards="8s 9h 10d 7c 8d 9c 10s 7h 10h Js Qd 9d 10c 8h Jd 10s")
    while room.table.round.phase == Phase.DECIDING:
        room.do("decide", seat=min(unfolded(room.table).to_act), choice="stand")
    while room.table.round.phase == Phase.DEALING:
        room.do("card", cards="2c")
    when = context("2026-11-18T12:00:00.000000+00:00", "2026-11-18", "dan", "dealer")
    effect = handle(room.floor.state, {"kind": "settle", "table": "t1", **when}, "dealer", from_list([]))
    began = time.perf_counter()
    for _ in range(100):
        moved(room.floor.state, effect.transfers, {}, "tray:t1")
    assert (time.perf_counter() - began) / 100 < 0.001
    assert len(effect.transfers) >= 7
