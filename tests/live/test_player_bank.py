"""EZ Baccarat banked by the players: rotation, cover, collection; the bank never risks more than it put up."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused

DEALER, SUPERVISOR = Actor("dan", "dealer"), Actor("sue", "supervisor")
GUESTS = {1: "ann", 2: "bob", 3: "cyd"}
START = 500_000
DRAGON, NATURAL_9 = "2s 4h 3d Kc 6h 3s", "9s 7h Kd 3c"


def make_floor(folder: Path, **opening):
    floor = Floor(Store(f"sqlite:///{folder / 'house.db'}"), folder / "house.key")
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("root", "administrator"))
    for guest in GUESTS.values():
        floor.do({"kind": "buy-in", "guest": guest, "cents": START}, Actor("cat", "cashier"))
    command = {"kind": "open", "table": "c1", "edition": "ez-baccarat-ca", "source": "hand-keyed"}
    floor.do(command | opening, SUPERVISOR)
    for seat, guest in GUESTS.items():
        do(floor, "sit", seat=seat, guest=guest)
    return floor


def do(floor, kind, actor=DEALER, **fields):
    return floor.do({"kind": kind, "table": "c1", **fields}, actor)


def take_bank(floor, seat, cents):
    return do(floor, "bank", seat=seat, guest=GUESTS[seat], cents=cents)


def play(floor, bets, cards):
    """One hand: bets as (seat, wager, cents)."""
    for seat, wager, cents in bets:
        do(floor, "bet", seat=seat, guest=GUESTS[seat], wager=wager, cents=cents)
    do(floor, "no-more-bets")
    do(floor, "card", cards=cards)
    return do(floor, "settle")


def chips(floor, seat):
    return floor.state.balance(f"guest:{GUESTS[seat]}")


def test_ezc_4_the_bank_is_offered_clockwise_and_held_for_two_hands(tmp_path):
    floor = make_floor(tmp_path)
    assert floor.state.tables["c1"].bank.offered == 1
    with pytest.raises(Refused, match="offered to seat 1"):
        take_bank(floor, 2, 10_000)
    do(floor, "pass", seat=1, guest="ann")
    take_bank(floor, 2, 100_000)
    play(floor, [(1, "player", 5_000)], NATURAL_9)
    assert floor.state.tables["c1"].bank.holder == 2
    play(floor, [(1, "player", 5_000)], NATURAL_9)
    assert (floor.state.tables["c1"].bank.holder, floor.state.tables["c1"].bank.offered) == (0, 3)
    take_bank(floor, 3, 100_000)
    with pytest.raises(Refused, match="seat 3 banks"):
        take_bank(floor, 1, 10_000)


def test_ezc_4_when_everybody_passes_no_hand_is_dealt(tmp_path):
    floor = make_floor(tmp_path)
    for seat, guest in GUESTS.items():
        told = do(floor, "pass", seat=seat, guest=guest)
    assert told.data["events"][0]["nobody_banks"] is True
    do(floor, "bet", seat=1, guest="ann", wager="player", cents=5_000)
    with pytest.raises(Refused) as refused:
        do(floor, "no-more-bets")
    assert refused.value.code == "nobody-banks"


def test_ezc_1_collection_is_a_flat_fee_before_the_hand_and_is_not_refunded(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=100, bank_fee_cents=200)
    take_bank(floor, 1, 50_000)
    do(floor, "bet", seat=2, guest="bob", wager="tie", cents=5_000)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=20_000)
    do(floor, "no-more-bets")
    assert floor.state.balance("collection:c1") == 400
    do(floor, "void", SUPERVISOR, reason="misdeal")
    assert floor.state.balance("collection:c1") == 400
    assert chips(floor, 2) == chips(floor, 3) == START - 100
    assert chips(floor, 1) == START - 50_000 - 200


def test_ezc_5_a_bank_pays_no_more_than_it_put_up_and_the_rest_goes_back(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 30_000)
    settled = play(floor, [(2, "dragon-7", 1_000), (3, "dragon-7", 1_000)], DRAGON)
    assert [event["win_cents"] for event in settled.data["events"] if event["event"] == "paid"] == [30_000, 0]
    assert (chips(floor, 1), chips(floor, 2), chips(floor, 3)) == (START - 30_000, START + 30_000, START)


def test_ezc_5_a_bank_wins_no_more_than_it_put_up(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 5_000)
    play(floor, [(2, "banker", 4_000), (3, "banker", 4_000)], NATURAL_9)
    assert floor.state.balance("bank:c1") == 10_000
    assert chips(floor, 3) == START - 1_000  # only $10 of seat 3's $40 was covered


@pytest.mark.parametrize(("marker", "first"), [(2, 2), (3, 3)])
def test_r12_from_marker_the_action_starts_at_the_drawn_seat(tmp_path, marker, first):
    floor = make_floor(tmp_path, settings={"R12": "from-marker"})
    take_bank(floor, 1, 40_000)
    do(floor, "bet", seat=2, guest="bob", wager="dragon-7", cents=1_000)
    do(floor, "bet", seat=3, guest="cyd", wager="dragon-7", cents=1_000)
    do(floor, "marker", seat=marker)
    do(floor, "no-more-bets")
    do(floor, "card", cards=DRAGON)
    paid = [event["seat"] for event in do(floor, "settle").data["events"] if event.get("win_cents")]
    assert paid == [first]


def test_r12_worst_case_reserves_before_the_cards(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case"})
    take_bank(floor, 1, 30_000)
    do(floor, "bet", seat=2, guest="bob", wager="dragon-7", cents=1_000)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=20_000)
    do(floor, "no-more-bets")
    assert dict(floor.state.tables["c1"].round.spots[2].bets) == {"dragon-7": 700}  # $7.50, in whole chips
    assert dict(floor.state.tables["c1"].round.spots[3].bets) == {"player": 2_000}  # which leaves $20 of $300
    assert chips(floor, 3) == START - 2_000


def test_the_bank_does_not_wager(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 30_000)
    with pytest.raises(Refused) as refused:
        do(floor, "bet", seat=1, guest="ann", wager="player", cents=1_000)
    assert refused.value.code == "bank-does-not-wager"


HANDS = st.lists(
    st.tuples(
        st.lists(
            st.tuples(
                st.sampled_from([2, 3]),
                st.sampled_from(["player", "banker", "tie", "dragon-7", "panda-8"]),
                st.integers(500, 30_000),
            ),
            min_size=1,
            max_size=6,
        ),
        st.sampled_from([DRAGON, NATURAL_9, "5s 7h Kd Kc 2d", "2s 7h 2d 4c 4s Kd"]),
    ),
    min_size=1,
    max_size=2,
)


@settings(max_examples=25, deadline=None)
@given(stake=st.integers(500, 60_000), hands=HANDS, cover=st.sampled_from(["actual-result", "worst-case"]))
def test_the_bank_never_wins_or_loses_more_than_it_put_up_and_house_money_never_moves(tmp_path_factory, stake, hands, cover):
    floor = make_floor(tmp_path_factory.mktemp("bank"), settings={"R12b": cover}, player_fee_cents=100)
    take_bank(floor, 1, stake)
    cage = floor.state.balance("cage")
    for bets, cards in hands:
        if not floor.state.tables["c1"].bank.holder:
            break
        before = floor.state.balance("bank:c1")
        try:
            play(floor, bets, cards)
        except Refused as refused:
            assert refused.code == ("nothing-covered" if before else "bank-used-up")  # EZC-4: it may put up again
            break
        bank = floor.state.tables["c1"].bank
        after = floor.state.balance("bank:c1") if bank.holder else chips(floor, 1) - (START - stake)
        assert 0 <= after <= 2 * before
    assert floor.state.balance("cage") == cage
    assert floor.state.balance("tray:c1") == 0
    assert sum(floor.state.balances.values()) == 0
    assert Auditor(floor.store).run().flaw is None
