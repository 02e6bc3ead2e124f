"""A bank that reserves, and the collection: what was laid is kept, so that the truth can be covered and collected anew.

Each truth is played once at a table of its own, and a round put right must leave everybody with the same.
"""

import json

import pytest
from test_correct import WHY
from test_player_bank import DRAGON, NATURAL_9, START, chips, do, make_floor, take_bank
from test_table import SUE, events

from houseway.house.audit import Auditor
from houseway.refusal import Refused
from houseway.table.event import events_by_kind
from houseway.table.plain import as_json, from_json
from houseway.table.state import Round, Settled, Spot
from houseway.view.words import event_words

RESERVES = {"settings": {"R12b": "worst-case"}, "player_fee_cents": 100, "bank_fee_cents": 200}
FEES = {"player_fee_cents": 100, "bank_fee_cents": 200}
GUEST = {1: "ann", 2: "bob", 3: "cyd"}


def lay(floor, bets):
    for seat, cents in bets.items():
        do(floor, "bet", seat=seat, guest=GUEST[seat], wager="player", cents=cents)
    return do(floor, "no-more-bets")


def table(folder, bank=5_000, **opening):
    folder.mkdir(exist_ok=True)
    floor = make_floor(folder, **opening)
    take_bank(floor, 1, bank)
    return floor


def played(floor, bets, cards=NATURAL_9):
    lay(floor, bets)
    do(floor, "card", cards=cards)
    do(floor, "settle")
    return floor


def correct(floor, number=1, **truth):
    again = floor.settled("c1", number).corrected
    return floor.do({"kind": "correct", "table": "c1", "round": number, "reason": WHY, "again": again, **truth}, SUE)


def same(one, other):
    money = [{k: v for k, v in floor.state.balances.items() if v} for floor in (one, other)]
    assert money[0] == money[1]
    for floor in (one, other):
        assert Auditor(floor.store).run().flaw is None


@pytest.mark.parametrize(
    ("truth", "bets"),
    [
        ({"seat_bets": {"2": [["player", 1_000]], "3": [["player", 5_000]]}, "guests": {"3": "cyd"}}, {2: 1_000, 3: 5_000}),
        ({"seat_bets": {"2": [["player", 1_000]]}}, {2: 1_000, 3: 5_000}),
        ({"seat_bets": {"3": []}}, {2: 5_000}),
        ({"seat_bets": {"2": []}}, {3: 5_000}),
    ],
    ids=["both are said", "what was laid beside it is covered now", "nothing lay there", "it lay at the other seat"],
)
def test_r12b_a_corrected_round_is_covered_and_collected_from_what_was_laid(tmp_path, truth, bets):
    floor = played(table(tmp_path / "a", **RESERVES), {2: 5_000, 3: 5_000})
    correct(floor, **truth)
    same(floor, played(table(tmp_path / "b", **RESERVES), bets))


@pytest.mark.parametrize("bets", [{2: 1_000, 3: 5_000}, {3: 2_000}, {2: 5_000}])
def test_r12b_before_the_settlement_a_wager_that_was_not_covered_can_be_changed_too(tmp_path, bets):
    floor = table(tmp_path / "a", **RESERVES)
    lay(floor, {2: 5_000, 3: 5_000})
    for seat in (3, 2):
        if bets.get(seat, 0) != 5_000:
            stake = {"wager": "player", "stake_cents": bets.get(seat, 0)}
            do(floor, "change-bet", SUE, seat=seat, reason=WHY, **stake)
    do(floor, "card", cards=NATURAL_9)
    do(floor, "settle")
    same(floor, played(table(tmp_path / "b", **RESERVES), bets))


def test_r12b_what_goes_back_of_the_true_bets_is_told(tmp_path):
    floor = played(table(tmp_path, **RESERVES), {2: 5_000, 3: 5_000})
    told = events(correct(floor, seat_bets={"2": [["player", 1_000]]}), "not-covered")
    assert [(event["seat"], event["covered_cents"], event["back_cents"]) for event in told] == [(3, 4_000, 1_000)]


def test_r12b_a_bank_that_would_have_covered_nothing_is_no_round(tmp_path):
    floor = played(table(tmp_path, bank=1_000, **RESERVES), {2: 1_000})
    with pytest.raises(Refused) as caught:
        correct(floor, seat_bets={"2": [["dragon-7", 1_000]]})
    assert caught.value.code == "nothing-covered"


def test_ezc_1_whoever_had_not_bet_after_all_gets_the_collection_back_and_that_is_told(tmp_path):
    floor = table(tmp_path / "a", **FEES)
    lay(floor, {2: 1_000, 3: 1_000})
    entry = do(floor, "change-bet", SUE, seat=2, wager="player", stake_cents=0, reason=WHY)
    assert [event_words(event) for event in events(entry, "collection-back")] == ["Seat 2, bob: the collection of $1 goes back"]
    do(floor, "card", cards=NATURAL_9)
    do(floor, "settle")
    same(floor, played(table(tmp_path / "b", **FEES), {3: 1_000}))
    entry = correct(floor, seat_bets={"2": [["player", 1_000]]}, guests={"2": "bob"})
    assert [event_words(event) for event in events(entry, "collection-paid")] == ["Seat 2, bob, pays the collection of $1"]
    same(floor, played(table(tmp_path / "c", **FEES), {2: 1_000, 3: 1_000}))


def voided(folder):
    floor = table(folder, **FEES)
    lay(floor, {2: 1_000, 3: 1_000})
    do(floor, "void", SUE, reason="misdeal")
    return floor


@pytest.mark.parametrize(("keyed", "true"), [((3,), (2, 3)), ((2, 3), (3,))])
def test_r22_a_corrected_redeal_is_collected_for_as_the_true_one_was(tmp_path, keyed, true):
    """Who had paid for the void deal neither pays again nor gets it back."""
    floor = played(voided(tmp_path / "a"), dict.fromkeys(keyed, 1_000))
    truth = [["player", 1_000]] if 2 in true else []
    correct(floor, 2, seat_bets={"2": truth}, guests={"2": "bob"} if truth else {})
    same(floor, played(voided(tmp_path / "b"), dict.fromkeys(true, 1_000)))


def test_r22_who_leaves_the_redeal_before_its_settlement_has_paid_for_the_void_deal(tmp_path):
    floor = voided(tmp_path / "a")
    lay(floor, {2: 1_000, 3: 1_000})
    do(floor, "change-bet", SUE, seat=2, wager="player", stake_cents=0, reason=WHY)
    do(floor, "card", cards=NATURAL_9)
    do(floor, "settle")
    same(floor, played(voided(tmp_path / "b"), {3: 1_000}))


def test_r22_the_redeal_of_a_hand_that_is_void_after_all_costs_nobody_twice(tmp_path):
    floor = played(table(tmp_path, 50_000, **FEES), {2: 1_000})
    correct(floor, void=True)
    before = floor.state.balance("collection:c1"), chips(floor, 2), chips(floor, 1)
    lay(floor, {2: 1_000})
    assert (floor.state.balance("collection:c1"), chips(floor, 2), chips(floor, 1)) == (before[0], before[1] - 1_000, before[2])
    assert Auditor(floor.store).run().flaw is None


def test_r22_if_it_was_no_void_hand_either_the_next_one_is_paid_for(tmp_path):
    floor = played(table(tmp_path, 50_000, **FEES), {2: 1_000})
    correct(floor, void=True)
    correct(floor, cards=DRAGON)
    lay(floor, {2: 1_000})
    assert floor.state.balance("collection:c1") == 600
    assert Auditor(floor.store).run().flaw is None


def redealt(folder):
    """A void deal, and its redeal."""
    floor = table(folder, 50_000, **FEES)
    lay(floor, {2: 1_000})
    do(floor, "card", cards=NATURAL_9)
    do(floor, "void", SUE, reason="misdeal")
    return played(floor, {2: 1_000, 3: 1_000})


def test_r22_what_was_paid_for_a_hand_goes_back_if_it_was_a_redeal_after_all(tmp_path):
    floor = played(played(table(tmp_path / "a", 50_000, **FEES), {2: 1_000}), {2: 1_000, 3: 1_000})
    entry = correct(floor, void=True)
    told = ["Seat 1, ann: the collection of $2 goes back", "Seat 2, bob: the collection of $1 goes back"]
    assert [event_words(event) for event in events(entry, "collection-back")] == told
    other = redealt(tmp_path / "b")
    do(other, "pass", seat=1, guest="ann")  # a bank that had its second hand is over
    same(floor, other)


def test_r22_also_if_the_redeal_is_in_play(tmp_path):
    floor = played(table(tmp_path, 50_000, **FEES), {2: 1_000})
    lay(floor, {2: 1_000, 3: 1_000})
    correct(floor, void=True)
    assert floor.state.balance("collection:c1") == 400
    do(floor, "void", SUE, reason="misdeal")
    lay(floor, {2: 1_000})
    assert floor.state.balance("collection:c1") == 400
    correct(floor, cards=NATURAL_9)
    assert floor.state.balance("collection:c1") == 700
    assert Auditor(floor.store).run().flaw is None


def test_r23_what_a_bank_paid_from_its_stake_goes_back_to_its_stake(tmp_path):
    floor = played(table(tmp_path / "a", bank=START, **FEES), {2: 1_000})
    lay(floor, {2: 1_000})
    before = {account: cents for account, cents in floor.state.balances.items() if cents}
    told = correct(floor, void=True)
    assert {event["guest"]: event["cents"] for event in events(told, "collection-back")} == {"ann": 200, "bob": 100}
    true = table(tmp_path / "b", bank=START, **FEES)
    for end in ("void", ""):
        lay(true, {2: 1_000})
        if end:
            do(true, end, SUE, reason="misdeal")
    same(floor, true)
    correct(floor, cards=NATURAL_9)
    assert {account: cents for account, cents in floor.state.balances.items() if cents} == {
        k: v for k, v in before.items() if v
    }


def test_r22_a_redeal_that_was_none_after_all_is_paid_for(tmp_path):
    floor = played(table(tmp_path / "a", 50_000, **FEES), {2: 1_000})
    correct(floor, void=True)
    played(floor, {2: 1_000})
    correct(floor, cards=NATURAL_9)
    same(floor, played(played(table(tmp_path / "b", 50_000, **FEES), {2: 1_000}), {2: 1_000}))


def test_a_round_that_keeps_nothing_more_is_written_as_before():
    """So that corrections in journals of form 3 are compared to the letter."""
    settled = Settled("2026-11-16", Round(spots={2: Spot("bob", {"player": 500})}), ())
    written = json.loads(as_json(settled))
    assert "laid" not in written["round"] and "paid_before" not in written["round"]
    assert from_json(Settled, as_json(settled)) == settled
    assert {"collection-paid", "collection-back"} <= events_by_kind().keys()
