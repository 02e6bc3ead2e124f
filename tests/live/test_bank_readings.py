"""The readings of a player's bank (EZC): cover within a seat, a stake used up, markers, a second stake, collections."""

import json

import pytest
from test_player_bank import DRAGON, GUESTS, NATURAL_9, START, SUPERVISOR, chips, do, make_floor, play, take_bank

from houseway.cards import parse_cards, show_cards
from houseway.games import edition_files, open_edition
from houseway.house import editions
from houseway.house.audit import Auditor
from houseway.house.backup import shoe_lines
from houseway.house.floor import Actor, Floor
from houseway.house.shoe import verify_file
from houseway.house.snapshot import taken
from houseway.house.store import Store
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import House, handle
from houseway.table.bound import as_text
from houseway.table.fold import context
from houseway.table.plain import from_json
from houseway.view.reader import ANYBODY
from houseway.view.table import table_view
from houseway.view.words import event_words

TIE = "9s 9h Kd Kc"


def bank(floor):
    return floor.state.tables["c1"].bank


def events(entry, kind):
    return [event for event in entry.data["events"] if event["event"] == kind]


def wins(entry):
    return [(event["seat"], event["wager"], event["win_cents"]) for event in events(entry, "paid")]


def refused(floor, kind, actor=None, **fields):
    state, head = floor.state, floor.store.head()
    with pytest.raises(Refused) as caught:
        do(floor, kind, *([actor] if actor else []), **fields)
    assert (floor.state, floor.store.head()) == (state, head)
    return caught.value


# EZC-5, R12c: the order of cover within a seat

BETS = [(2, "dragon-7", 1_000), (2, "player", 10_000)]


@pytest.mark.parametrize(
    ("reading", "paid"),
    [({}, [("player", -10_000), ("dragon-7", 40_000)]), ({"R12c": "as-keyed"}, [("dragon-7", 30_000), ("player", -10_000)])],
)
def test_ezc_5_cover_within_a_seat_is_in_layout_order_or_as_keyed(tmp_path, reading, paid):
    """A Dragon 7 loses Player: a bank that takes that first can pay $400 out of $300 and $100."""
    floor = make_floor(tmp_path, settings=reading)
    take_bank(floor, 1, 30_000)
    settled = play(floor, BETS, DRAGON)
    assert [(wager, win) for _, wager, win in wins(settled)] == paid


@pytest.mark.parametrize(
    ("reading", "covered"),
    [("layout-order", {"dragon-7": 500, "player": 10_000}), ("as-keyed", {"dragon-7": 700, "player": 2_000})],
)
def test_ezc_5_a_worst_case_is_reserved_in_the_same_order(tmp_path, reading, covered):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case", "R12c": reading})
    take_bank(floor, 1, 30_000)
    for seat, wager, cents in BETS:
        do(floor, "bet", seat=seat, guest=GUESTS[seat], wager=wager, cents=cents)
    do(floor, "no-more-bets")
    spot = floor.state.tables["c1"].round.spots[2]
    assert dict(spot.bets) == covered
    assert list(spot.bets) == ["dragon-7", "player"], "a spot keeps its bets as they were keyed"


def test_ezc_5_the_keyed_order_survives_a_snapshot(tmp_path):
    floor = make_floor(tmp_path, settings={"R12c": "as-keyed"})
    take_bank(floor, 1, 30_000)
    for seat, wager, cents in BETS:
        do(floor, "bet", seat=seat, guest=GUESTS[seat], wager=wager, cents=cents)
    again = from_json(House, taken(floor.state)[1])
    assert list(again.tables["c1"].round.spots[2].bets) == ["dragon-7", "player"]


# EZC-5, R12d: running net, or until the stake is used up


@pytest.mark.parametrize(
    ("reading", "paid"),
    [
        ("running-net", [(2, "dragon-7", 30_000), (3, "player", -20_000), (3, "dragon-7", 20_000)]),
        ("until-used-up", [(2, "dragon-7", 30_000), (3, "player", 0), (3, "dragon-7", 0)]),
    ],
)
def test_ezc_5_once_the_stake_is_used_up_every_wager_goes_back(tmp_path, reading, paid):
    floor = make_floor(tmp_path, settings={"R12d": reading})
    take_bank(floor, 1, 30_000)
    bets = [(2, "dragon-7", 1_000), (3, "player", 20_000), (3, "dragon-7", 1_000)]
    assert wins(play(floor, bets, DRAGON)) == paid
    assert floor.state.balance("wagers:c1") == 0
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize(("reading", "last"), [("running-net", 4_000), ("until-used-up", 0)])
def test_ezc_5_a_bank_that_has_won_its_stake_is_done_too(tmp_path, reading, last):
    floor = make_floor(tmp_path, settings={"R12d": reading})
    take_bank(floor, 1, 5_000)
    settled = play(floor, [(2, "banker", 8_000), (3, "player", 4_000)], NATURAL_9)
    assert [win for *_, win in wins(settled)] == [-5_000, last]


# EZC-5, R12b: whole chips


def test_ezc_5_worst_case_cover_is_in_whole_chips_and_never_risks_more_than_the_stake(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case"})
    take_bank(floor, 1, 12_345)
    do(floor, "bet", seat=2, guest="bob", wager="dragon-7", cents=777)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=777)
    do(floor, "no-more-bets")
    spots = floor.state.tables["c1"].round.spots
    assert dict(spots[2].bets) == {"dragon-7": 300}  # $3.08 could be covered: $3 in whole chips, which risks $120
    assert dict(spots[3].bets) == {"player": 300}  # of the $3.45 that are left
    assert (chips(floor, 2), chips(floor, 3)) == (START - 300, START - 300)


def test_ezc_5_what_goes_back_before_the_hand_is_told(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case", "R12c": "as-keyed"})
    take_bank(floor, 1, 10_000)
    for seat, guest, wager, cents in ((2, "bob", "dragon-7", 500), (2, "bob", "player", 5_000), (3, "cyd", "player", 5_000)):
        do(floor, "bet", seat=seat, guest=guest, wager=wager, cents=cents)
    told = events(do(floor, "no-more-bets"), "not-covered")
    assert [(e["seat"], e["wager"], e["covered_cents"], e["back_cents"]) for e in told] == [
        (2, "dragon-7", 200, 300),
        (2, "player", 2_000, 3_000),
        (3, "player", 0, 5_000),
    ]
    assert [event_words(event) for event in told] == [
        "Seat 2, bob: the bank covers $2 on Dragon 7, and $3 goes back",
        "Seat 2, bob: the bank covers $20 on Player, and $30 goes back",
        "Seat 3, cyd: the bank does not cover Player, and $50 goes back",
    ]


def test_ezc_5_a_wager_that_is_covered_whole_is_not_rounded(tmp_path):
    floor = make_floor(tmp_path, settings={"R12b": "worst-case"})
    take_bank(floor, 1, 100_000)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=777)
    do(floor, "no-more-bets")
    assert dict(floor.state.tables["c1"].round.spots[2].bets) == {"player": 777}


# EZC-5, R12: the marker


def test_ezc_5_a_marker_is_keyed_while_bets_are_open_and_never_after(tmp_path):
    floor = make_floor(tmp_path, settings={"R12": "from-marker"})
    take_bank(floor, 1, 40_000)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    assert "marker" in refused(floor, "no-more-bets").message
    assert refused(floor, "no-more-bets", dice=2).code == "bad-dice"
    assert refused(floor, "marker", seat=9).code == "bad-seat"
    told = do(floor, "marker", seat=3)
    assert events(told, "marker-drawn") == [{"event": "marker-drawn", "seat": 3, "before": 0}]
    assert table_view(floor.state, "c1", ANYBODY)["bank"]["marker"] == 3
    assert events(do(floor, "marker", seat=2), "marker-drawn")[0]["before"] == 3
    do(floor, "no-more-bets")
    assert floor.state.tables["c1"].round.dice == 2
    assert refused(floor, "marker", seat=3).code == "wrong-phase"


def test_ezc_5_a_marker_is_drawn_anew_for_every_hand(tmp_path):
    floor = make_floor(tmp_path, settings={"R12": "from-marker"})
    take_bank(floor, 1, 40_000)
    do(floor, "marker", seat=3)
    play(floor, [(2, "player", 1_000)], NATURAL_9)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    assert refused(floor, "no-more-bets").code == "bad-dice"


def test_ezc_5_without_a_marker_none_is_keyed(tmp_path):
    floor = make_floor(tmp_path)
    assert refused(floor, "marker", seat=2).code == "no-marker"
    assert table_view(floor.state, "c1", ANYBODY)["bank"]["marker"] is None


def test_ezc_5_a_virtual_table_draws_the_marker_from_what_it_committed_to(tmp_path):
    floor = make_floor(tmp_path, settings={"R12": "from-marker"}, source="virtual-shoe", seats=3)
    committed = next(entry for entry in floor.store.entries() if entry.kind == "shoe-committed")
    assert committed.data["dice_commitment"]
    take_bank(floor, 1, 100_000)
    assert refused(floor, "marker", seat=2).code == "virtual-table"
    drawn = []
    for _ in range(2):
        do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
        assert refused(floor, "no-more-bets", dice=2).code == "bad-dice"
        closed = do(floor, "no-more-bets")
        drawn.append(floor.state.tables["c1"].round.dice)
        assert events(closed, "marker-drawn") == [{"event": "marker-drawn", "seat": drawn[-1], "before": 0}]
        do(floor, "deal")
        do(floor, "settle")
    if bank(floor).holder:
        do(floor, "pass", seat=1, guest="ann")
    do(floor, "close", SUPERVISOR)
    revealed = next(entry for entry in floor.store.entries() if entry.kind == "shoe-revealed")
    assert revealed.data["dice"][:2] == drawn and set(revealed.data["dice"]) <= {1, 2, 3}
    published = list(shoe_lines(floor.store))
    (tmp_path / "shoes.jsonl").write_text("\n".join(json.dumps(line) for line in published))
    assert [line["numbers"] for line in published if line["kind"] == "dice-thrown"] == [[number] for number in drawn]
    assert verify_file(tmp_path / "shoes.jsonl", require_revealed=True) == []
    assert Auditor(floor.store).run().flaw is None
    assert Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "house.key").refresh() == floor.state


# EZC-4, R21: a second stake


def test_ezc_4_a_bank_that_lost_its_stake_may_put_up_again_for_its_second_hand(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 30_000)
    settled = play(floor, [(2, "dragon-7", 1_000)], DRAGON)
    assert events(settled, "bank-used-up") == [{"event": "bank-used-up", "seat": 1, "guest": "ann", "hands_left": 1}]
    assert (bank(floor).holder, bank(floor).hands_left) == (1, 1)
    assert table_view(floor.state, "c1", ANYBODY)["bank"]["used_up"] is True
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    assert refused(floor, "no-more-bets").code == "bank-used-up"
    assert refused(floor, "bank", seat=2, guest="bob", cents=1_000).code == "bank-taken"
    assert refused(floor, "bank", Actor("cyd", "guest"), seat=1, guest="ann", cents=1_000).code == "not-your-turn"
    take_bank(floor, 1, 20_000)
    assert refused(floor, "bank", seat=1, guest="ann", cents=1_000).code == "bank-taken"
    play(floor, [], NATURAL_9)
    assert (bank(floor).holder, bank(floor).offered) == (0, 2)
    assert chips(floor, 1) == START - 30_000 - 1_000
    assert Auditor(floor.store).run().flaw is None


def test_ezc_4_or_it_passes(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 30_000)
    play(floor, [(2, "dragon-7", 1_000)], DRAGON)
    do(floor, "pass", seat=1, guest="ann")
    assert (bank(floor).holder, bank(floor).offered) == (0, 2)


def test_ezc_4_r21_ends_a_bank_that_lost_its_stake(tmp_path):
    floor = make_floor(tmp_path, settings={"R21": "ends"})
    take_bank(floor, 1, 30_000)
    play(floor, [(2, "dragon-7", 1_000)], DRAGON)
    assert (bank(floor).holder, bank(floor).offered) == (0, 2)


def test_ezc_4_after_the_second_hand_there_is_nothing_to_put_up_for(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 30_000)
    play(floor, [(2, "player", 1_000)], NATURAL_9)
    play(floor, [(2, "dragon-7", 1_000)], DRAGON)
    assert (bank(floor).holder, bank(floor).offered) == (0, 2)


# EZC-1, R22: collections


@pytest.mark.parametrize(("reading", "fees"), [("once", 1), ("every-deal", 2)])
def test_ezc_1_a_collection_is_kept_on_a_void_and_not_charged_twice_for_the_redeal(tmp_path, reading, fees):
    floor = make_floor(tmp_path, player_fee_cents=100, bank_fee_cents=200, settings={"R22": reading})
    take_bank(floor, 1, 50_000)
    do(floor, "bet", seat=2, guest="bob", wager="tie", cents=5_000)
    do(floor, "no-more-bets")
    do(floor, "void", SUPERVISOR, reason="misdeal")
    assert floor.state.balance("collection:c1") == 300
    play(floor, [(2, "tie", 5_000)], TIE)
    assert floor.state.balance("collection:c1") == 300 * fees
    play(floor, [(2, "tie", 1_000)], NATURAL_9)
    assert floor.state.balance("collection:c1") == 300 * (fees + 1), "the next hand is paid for as ever"


def test_ezc_1_only_who_has_paid_for_the_void_hand_is_spared(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=100, bank_fee_cents=200)
    take_bank(floor, 1, 50_000)
    do(floor, "bet", seat=2, guest="bob", wager="tie", cents=5_000)
    do(floor, "no-more-bets")
    for _ in range(2):
        do(floor, "void", SUPERVISOR, reason="misdeal")
        do(floor, "bet", seat=2, guest="bob", wager="tie", cents=5_000)
        do(floor, "bet", seat=3, guest="cyd", wager="tie", cents=5_000)
        do(floor, "no-more-bets")
        assert floor.state.balance("collection:c1") == 400
    assert (chips(floor, 2), chips(floor, 3)) == (START - 5_100, START - 5_100)


@pytest.mark.parametrize(("held_back", "lacking"), [(0, 200), (150, 50)])
@pytest.mark.parametrize("cover", ["actual-result", "worst-case"])
def test_ezc_1_a_bank_without_other_chips_pays_its_collection_from_what_it_put_up(tmp_path, cover, held_back, lacking):
    floor = make_floor(tmp_path, bank_fee_cents=200, settings={"R12b": cover})
    take_bank(floor, 1, START - held_back)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    entry = do(floor, "no-more-bets")
    assert (floor.state.balance("bank:c1"), chips(floor, 1)) == (START - held_back - lacking, 0)
    assert floor.state.balance("collection:c1") == 200
    (told,) = (event for event in entry.data["events"] if event["event"] == "collection-from-stake")
    assert f"pays {dollars(lacking)} of the collection from what he put up" in event_words(told)
    do(floor, "card", cards=NATURAL_9)
    do(floor, "settle")
    assert floor.state.balance("bank:c1") == START - held_back - lacking - 1_000
    assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize(("put_up", "reading"), [(200, "from-stake"), (5_000, "no-hand")])
def test_ezc_1_a_bank_with_nothing_left_to_bank_with_or_by_the_other_reading_deals_no_hand(tmp_path, put_up, reading):
    floor = make_floor(tmp_path, bank_fee_cents=200, settings={"R23": reading})
    take_bank(floor, 1, put_up)
    floor.do({"kind": "cash-out", "guest": "ann", "cents": START - put_up}, Actor("cat", "cashier"))
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    before = floor.state
    with pytest.raises(Refused, match="buys chips, or passes the bank on"):
        do(floor, "no-more-bets")
    assert floor.state == before


def test_ezc_1_a_guest_who_cannot_pay_the_collection_sits_the_hand_out(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=500)
    take_bank(floor, 1, 100_000)
    for wager in ("player", "banker"):
        do(floor, "bet", seat=2, guest="bob", wager=wager, cents=200_000)
    do(floor, "bet", seat=2, guest="bob", wager="tie", cents=100_000)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=1_000)
    closed = do(floor, "no-more-bets")
    told = {"event": "sits-out", "seat": 2, "guest": "bob", "cents": START, "fee_cents": 500}
    assert events(closed, "sits-out") == [told]
    assert set(floor.state.tables["c1"].round.spots) == {3}
    assert (chips(floor, 2), chips(floor, 3), floor.state.balance("collection:c1")) == (START, START - 1_500, 500)
    do(floor, "card", cards=NATURAL_9)
    assert wins(do(floor, "settle")) == [(3, "player", 1_000)]
    assert Auditor(floor.store).run().flaw is None


def test_ezc_1_of_two_seats_a_guest_keeps_the_one_he_can_pay_for(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=500)
    do(floor, "sit", seat=4, guest="cyd")
    take_bank(floor, 1, 100_000)
    for seat, cents in ((3, 200_000), (4, 200_000)):
        do(floor, "bet", seat=seat, guest="cyd", wager="player", cents=cents)
    do(floor, "bet", seat=3, guest="cyd", wager="banker", cents=99_500)
    closed = do(floor, "no-more-bets")
    assert [event["seat"] for event in events(closed, "sits-out")] == [4]
    assert set(floor.state.tables["c1"].round.spots) == {3}
    assert chips(floor, 3) == START - 299_500 - 500


def test_ezc_1_if_nobody_can_pay_no_hand_is_dealt(tmp_path):
    floor = make_floor(tmp_path, player_fee_cents=500)
    take_bank(floor, 1, 100_000)
    for wager, cents in (("player", 200_000), ("banker", 200_000), ("tie", 100_000)):
        do(floor, "bet", seat=2, guest="bob", wager=wager, cents=cents)
    assert refused(floor, "no-more-bets").code == "no-bets"


def test_ezc_1_a_bank_that_cannot_pay_its_collection_is_told_so(tmp_path):
    floor = make_floor(tmp_path, bank_fee_cents=500, settings={"R23": "no-hand"})
    take_bank(floor, 1, START)
    do(floor, "bet", seat=2, guest="bob", wager="player", cents=1_000)
    refusal = refused(floor, "no-more-bets")
    assert refusal.code == "not-enough" and "ann banks" in refusal.message


# Editions and journals of before


def of_before() -> str:
    """The edition as it was before these readings were listed, as an operator may have registered it."""
    text = edition_files()["ez-baccarat-ca"].read_text().replace('id = "ez-baccarat-ca"', 'id = "our-sheet"')
    head = text[: text.index("[readings.R12c]")].replace("bank_chip_cents = 100\n", "")
    return "\n".join(line for line in head.splitlines() if not line.startswith("effect ="))


def test_an_edition_without_these_readings_plays_as_it_did(tmp_path):
    floor = make_floor(tmp_path)
    editions.add(floor, of_before(), SUPERVISOR, "our sheet")
    do(floor, "close", SUPERVISOR)
    fees = {"player_fee_cents": 100, "settings": {"R12b": "worst-case"}}
    do(floor, "open", SUPERVISOR, edition="our-sheet", source="hand-keyed", **fees)
    for seat, guest in GUESTS.items():
        do(floor, "sit", seat=seat, guest=guest)
    take_bank(floor, 1, 12_345)
    for _ in range(2):
        for seat, wager, cents in BETS:
            do(floor, "bet", seat=seat, guest=GUESTS[seat], wager=wager, cents=cents)
        do(floor, "no-more-bets")
        spot = floor.state.tables["c1"].round.spots[2]
        assert dict(spot.bets) == {"dragon-7": 308, "player": 25}, "as keyed, and to the cent"
        do(floor, "void", SUPERVISOR, reason="misdeal")
    assert floor.state.balance("collection:c1") == 200, "paid for every deal"
    play(floor, [(2, "dragon-7", 1_000)], DRAGON)
    assert bank(floor).holder == 1  # $0.25 are left
    assert Auditor(floor.store).run().flaw is None


def test_a_table_opened_by_an_entry_of_before_plays_as_it_did():
    """Today's edition, which has the readings, stands for the content that an old entry lacks: they do not bind its table."""
    house, cards = House(), iter(parse_cards(DRAGON))

    def give(kind, role="dealer", **fields):
        command = {"kind": kind, "table": "c1", **fields} | context(
            "2026-05-01T12:00:00+00:00", "2026-05-01", "dan", role, form=2
        )
        effect = handle(house, command, role, lambda: None)
        return effect.finished(), effect

    house, _ = give("fund", "administrator", cents=1_000_000)
    for guest in GUESTS.values():
        house, _ = give("buy-in", "cashier", guest=guest, cents=START)
    bound = {"document": as_text(open_edition("ez-baccarat-ca").document)}
    settings = {"R12": "from-marker"}
    house, _ = give("open", "supervisor", edition="ez-baccarat-ca", source="hand-keyed", bound=bound, settings=settings)
    for seat, guest in GUESTS.items():
        house, _ = give("sit", seat=seat, guest=guest)
    house, _ = give("bank", seat=1, guest="ann", cents=30_000)
    for seat, wager, cents in BETS:
        house, _ = give("bet", seat=seat, guest=GUESTS[seat], wager=wager, cents=cents)
    house, _ = give("no-more-bets", dice=2)  # the marker came with the close then
    house, _ = give("card", cards=show_cards(list(cards)))
    house, effect = give("settle")
    paid = [(event.wager, event.win_cents) for event in effect.events if event.kind == "paid"]
    assert paid == [("dragon-7", 30_000), ("player", -10_000)]
    assert house.tables["c1"].bank.holder == 1 and house.balance("bank:c1") == 10_000
