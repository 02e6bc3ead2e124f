"""A settled round is put right: any round of the day, whatever the present one does, against the tray or a player's bank."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from test_mend import attempted
from test_player_bank import DRAGON, NATURAL_9, START, chips, do, make_floor, play, take_bank
from test_table import BACCARAT, BANKER_WINS, BLACKJACK, CAT, DAN, DRAGON_7, OPENER, PLAYER_WINS, PURSE, SUE, TIE, Pit, events
from test_tamper import Intruder

from houseway.house import snapshot
from houseway.house.audit import Auditor
from houseway.house.floor import Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import canonical
from houseway.table.fold import fold
from houseway.table.plain import from_json
from houseway.table.state import Settled

WHY = "seen on the recording"


def settle(pit, cards, seat=1, guest="ann", **bets):
    pit.bet(seat, guest, **(bets or {"banker": 10_000}))
    pit.no_more_bets()
    pit.card(cards)
    return pit.do("settle")


def times_corrected(floor, number, table="t1"):
    """How often a round was corrected, as whoever has looked at it knows."""
    corrections = (
        entry.data["command"]["round"] for entry in floor.store.entries() if (entry.table, entry.kind) == (table, "correct")
    )
    return sum(corrected == number for corrected in corrections)


def correct(pit, number, **truth):
    return pit.do("correct", SUE, round=number, reason=WHY, again=times_corrected(pit.floor, number), **truth)


def owes(pit, guest):
    return -pit.floor.state.balance(f"debt:{guest}")


@pytest.mark.parametrize("phase", ["betting", "dealing", "ready", "frozen"])
def test_a_round_is_corrected_whatever_the_present_one_does(tmp_path, phase):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    settle(pit, TIE, tie=500)
    pit.bet(2, "bob", banker=5_000)
    if phase != "betting":
        pit.no_more_bets()
    if phase in {"ready", "frozen"}:
        pit.card(PLAYER_WINS)
    if phase == "frozen":
        pit.do("dispute", SUE, reason=WHY)
    present = pit.round
    entry = correct(pit, 1, cards=DRAGON_7)  # Banker pushes
    assert (pit.purse("ann"), pit.tray, pit.table.win_cents) == (PURSE + 4_000, OPENER - 4_000, -4_000)
    assert pit.round == present
    (told,) = events(entry, "round-corrected")
    assert (told["round"], told["reason"], told["void"]) == (1, WHY, False)
    assert from_json(Settled, told["stands"]).stakes[0].outcome == "dragon-7"
    assert events(entry, "payment-reversed")[0]["win_cents"] == 10_000
    assert events(entry, "paid-again")[0] | {"clause": ""} == {
        "event": "paid-again",
        "seat": 1,
        "guest": "ann",
        "wager": "banker",
        "spot": "",
        "outcome": "dragon-7",
        "clause": "",
        "stake_cents": 10_000,
        "owed_cents": 0,
        "win_cents": 0,
    }
    pit.check()


def test_boards_statistics_and_totals_follow(tmp_path):
    wrong, right = Pit(tmp_path, name="wrong.db"), Pit(tmp_path, name="right.db")
    for pit, first in ((wrong, BANKER_WINS), (right, DRAGON_7)):
        settle(pit, first, banker=10_000, dragon_7=500)
        settle(pit, TIE, seat=2, guest="bob", player=3_000)
    correct(wrong, 1, cards=DRAGON_7)
    for name in ("history", "action", "win_cents", "settled_round", "opener_cents"):
        assert getattr(wrong.table, name) == getattr(right.table, name), name
    assert sorted(wrong.table.discards) == sorted(right.table.discards)
    assert wrong.floor.state.balances == right.floor.state.balances


def test_bets_and_whose_they_were_are_corrected(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    correct(pit, 1, seat_bets={"1": [["player", 10_000], ["tie", 500]]})
    assert pit.purse("ann") == PURSE - 10_500
    correct(pit, 1, guests={"1": "bob"})
    assert (pit.purse("ann"), pit.purse("bob")) == (PURSE, PURSE - 10_500)
    correct(pit, 1, seat_bets={"3": [["banker", 1_000]]}, guests={"3": "eve"})
    assert pit.purse("eve") == PURSE + 1_000
    correct(pit, 1, seat_bets={"1": []})
    assert (pit.purse("bob"), pit.table.action.keys()) == (PURSE, {"banker"})
    pit.check()


def test_choices_are_corrected(tmp_path):
    """Seat 1 doubled eleven against a six, and the dealer keyed a hit."""
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000)
    pit.no_more_bets()
    pit.card("5s 6h 6d 9c")
    pit.decide(1, "hit")
    pit.card("10h", "10d")
    pit.do("settle")
    assert pit.purse("ann") == PURSE + 10_000
    correct(pit, 1, choices={"1": ["double"]})
    assert pit.purse("ann") == PURSE + 20_000
    assert attempted(pit, "correct", SUE, round=1, reason=WHY, again=1, choices={"1": ["stand"]}).code == "cannot-correct"
    assert attempted(pit, "correct", SUE, round=1, reason=WHY, again=1, choices={"1": []}).code == "choice-wanted"
    pit.check()


def test_llb_7_an_early_payment_that_is_not_affected_stays(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=10_000, lucky_lucky=1_000)
    pit.no_more_bets()
    pit.card("10s Ah 9d 5c")  # 20: Lucky Lucky pays 2 to 1 at once
    pit.decide(1, "look", "stand")
    pit.card("10d", "2c")
    pit.do("settle")
    before = pit.purse("ann")
    entry = correct(pit, 1, cards="10s Ah 9d 5c 10d 5d")
    assert {event["wager"] for event in events(entry, "payment-reversed")} == {"blackjack"}
    assert pit.purse("ann") == before - 20_000
    entry = correct(pit, 1, cards="10s 6h 9d 10c 10d", choices={"1": ["stand"]})  # 25: Lucky Lucky was lost
    assert {event["wager"] for event in events(entry, "payment-reversed")} == {"blackjack", "lucky-lucky"}
    pit.check()


def test_a_settled_round_is_voided_after_all_and_settled_again(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    correct(pit, 1, void=True)
    assert (pit.purse("ann"), pit.table.win_cents, pit.table.history, pit.table.action) == (PURSE, 0, (), {})
    correct(pit, 1)
    assert (pit.purse("ann"), len(pit.table.history)) == (PURSE + 10_000, 1)
    pit.check()


def test_a_keyed_result_is_corrected(tmp_path):
    pit = Pit(tmp_path, source="manual-keypad")
    pit.bet(1, "ann", banker=10_000)
    pit.no_more_bets()
    pit.do("result", result="banker-win")
    pit.do("settle")
    correct(pit, 1, result="dragon-7")
    assert pit.purse("ann") == PURSE
    assert attempted(pit, "correct", SUE, round=1, reason=WHY, result="royal-flush").code
    pit.check()


def test_what_a_guest_no_longer_has_is_owed_and_collected(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS, banker=10_000)
    pit.do("cash-out", CAT, table=None, guest="ann", cents=pit.purse("ann"))
    entry = correct(pit, 1, cards=PLAYER_WINS)
    assert (owes(pit, "ann"), pit.purse("ann")) == (20_000, 0)
    assert events(entry, "owes") == [{"event": "owes", "guest": "ann", "cents": 20_000}]
    pit.do("buy-in", CAT, table=None, guest="ann", cents=5_000)
    assert pit.refused("collect", CAT, table=None, guest="ann", cents=6_000).code == "not-enough"
    pit.do("collect", CAT, table=None, guest="ann", cents=4_000)
    assert (owes(pit, "ann"), pit.purse("ann")) == (16_000, 1_000)
    assert pit.refused("collect", CAT, table=None, guest="bob", cents=100).code == "too-much"
    pit.do("buy-in", CAT, table=None, guest="ann", cents=19_000)
    entry = pit.do("cash-out", CAT, table=None, guest="ann", cents=20_000)
    assert (owes(pit, "ann"), events(entry, "cash-out")[0]["cents"]) == (0, 4_000)
    assert sum(pit.floor.state.balances.values()) == 0


def test_what_a_correction_gives_pays_a_debt_first(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.do("tip", guest="ann", cents=pit.purse("ann"))
    correct(pit, 1, cards=PLAYER_WINS)
    correct(pit, 1, cards=BANKER_WINS)
    assert (owes(pit, "ann"), pit.purse("ann")) == (0, 0)


def test_corrections_that_cannot_be_are_refused_and_change_nothing(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.bet(1, "ann", banker=500)
    for truth, code in (
        ({}, "nothing-changes"),
        ({"cards": BANKER_WINS}, "nothing-changes"),
        ({"cards": "2s 9h Kd"}, "cards-wanted"),
        ({"cards": BANKER_WINS + " 4d"}, "cannot-correct"),
        ({"cards": " ".join(["2s"] * 9)}, "card-not-in-shoe"),
        ({"cards": "rubbish"}, "bad-card"),
        ({"seat_bets": {"1": [["banker", 40_001]]}}, "outside-limits"),
        ({"seat_bets": {"1": []}}, "no-bets"),
        ({"seat_bets": {"9": [["banker", 500]]}}, "bad-seat"),
        ({"seat_bets": {"4": [["banker", 500]]}}, "bad-seat"),
        ({"choices": {"4": ["hit"]}}, "bad-seat"),
        ({"void": "perhaps"}, "bad-command"),
    ):
        assert attempted(pit, "correct", SUE, round=1, reason=WHY, **truth).code == code, truth
    assert attempted(pit, "correct", DAN, round=1, reason=WHY, void=True).code == "role-may-not"
    assert attempted(pit, "correct", SUE, round=2, reason=WHY, void=True).code == "not-settled"
    assert attempted(pit, "correct", SUE, round=0, reason=WHY, void=True).code == "not-settled"
    pit.do("void", SUE, reason="misdeal", round=2)
    assert attempted(pit, "correct", SUE, round=2, reason=WHY, void=True).code == "not-settled"
    pit.check()


def test_a_round_of_another_day_is_refused(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    pit.floor.clock = lambda: datetime.now(UTC) + timedelta(days=1)
    refusal = attempted(pit, "correct", SUE, round=1, reason=WHY, void=True)
    assert refusal.code == "another-day"


@pytest.mark.parametrize("cards", [PLAYER_WINS, TIE])
def test_of_two_corrections_at_the_same_time_the_second_is_refused(tmp_path, cards):
    """Whoever gave it had not seen the first: with the same truth or another, nothing moves."""
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    other, truth = Floor(Store(pit.url), pit.key_file), {"kind": "correct", "table": "t1", "round": 1, "reason": WHY}
    correct(pit, 1, cards=PLAYER_WINS)
    with pytest.raises(Refused, match=r"corrected 1 time already.*[(]again 1[)]") as caught:
        other.do({**truth, "cards": cards}, SUE)
    assert caught.value.code == "corrected-meanwhile"
    assert pit.purse("ann") == PURSE - 10_000
    with pytest.raises(Refused, match="nothing would change"):
        other.do({**truth, "cards": PLAYER_WINS, "again": 1}, SUE)
    other.do({**truth, "cards": TIE, "again": 1}, SUE)
    pit.floor.refresh()
    assert pit.purse("ann") == PURSE
    pit.check()


def test_reverse_cannot_be_given_any_more(tmp_path):
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    refusal = attempted(pit, "reverse", SUE, round=1, reason=WHY)
    assert refusal.code == "retired" and "correct" in refusal.message


def test_an_audit_names_a_correction_of_a_round_that_was_never_so_settled(tmp_path):
    """An entry whose record was forged, with the chain and the money made to fit."""
    pit = Pit(tmp_path)
    settle(pit, BANKER_WINS)
    state = pit.floor.state
    entry = correct(pit, 1, cards=PLAYER_WINS)
    data = dict(entry.data)
    data["settled"] = data["settled"].replace('"taken_cents":0,"won_cents":10000', '"taken_cents":0,"won_cents":4000')
    assert data["settled"] != entry.data["settled"]
    forged = replace(entry, payload=canonical(data))
    _, told, transfers = fold(state, forged)
    data |= {"events": [event.as_data() for event in told], "transfers": [t.as_data() for t in transfers]}
    store = Store(pit.url)
    intruder = Intruder(store)
    intruder.run("DELETE FROM transfers WHERE seq = :seq", seq=entry.seq)
    intruder.run("DELETE FROM entries WHERE seq = :seq", seq=entry.seq)
    intruder.run("UPDATE head SET seq = :seq, hash = :hash", seq=entry.seq - 1, hash=entry.previous)
    with store.writing() as writer:
        writer.append({**entry.fields(), "payload": canonical(data)}, transfers)
    flaws = Auditor(store).run().flaws
    assert [flaw.what for flaw in flaws] == ["it corrects round 1 as it was never settled"]


# A player's bank


def test_a_round_against_a_bank_that_still_holds_is_corrected(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 100_000)
    play(floor, [(2, "player", 5_000)], NATURAL_9)
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "cards": DRAGON}, SUE)
    assert (chips(floor, 2), floor.state.balance("bank:c1")) == (START - 5_000, 105_000)
    assert Auditor(floor.store).run().flaw is None


def test_a_round_against_a_bank_that_has_ended_is_corrected_against_its_banker(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 100_000)
    play(floor, [(2, "player", 5_000)], NATURAL_9)
    play(floor, [(2, "player", 5_000)], NATURAL_9)
    take_bank(floor, 2, 10_000)
    do(floor, "bet", seat=3, guest="cyd", wager="player", cents=500)
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "cards": DRAGON}, SUE)
    assert chips(floor, 1) == START
    assert chips(floor, 2) == START - 10_000
    assert Auditor(floor.store).run().flaw is None


def test_ezc_5_a_corrected_bank_never_loses_more_than_it_had_put_up(tmp_path):
    floor = make_floor(tmp_path)
    take_bank(floor, 1, 1_000)
    play(floor, [(2, "player", 5_000), (3, "banker", 500)], DRAGON)  # Player loses 1,000 of it, all that is covered
    assert chips(floor, 2) == START - 1_000
    floor.do({"kind": "correct", "table": "c1", "round": 1, "reason": WHY, "cards": NATURAL_9}, SUE)
    assert chips(floor, 2) + chips(floor, 3) <= 2 * START + 1_000
    assert sum(floor.state.balances.values()) == 0
    assert Auditor(floor.store).run().flaw is None


def test_a_round_before_the_last_is_found_behind_a_snapshot(tmp_path, monkeypatch):
    monkeypatch.setattr(snapshot, "EVERY", 5)
    pit = Pit(tmp_path, BACCARAT)
    for _ in range(6):
        settle(pit, BANKER_WINS, banker=1_000)
    correct(pit, 2, cards=PLAYER_WINS)
    assert pit.purse("ann") == PURSE + 4_000
    pit.check()
