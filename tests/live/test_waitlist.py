"""The waitlist, seats that are held, breaks and supervisors: in the journal, refused in one sentence, told by the clock."""

from datetime import timedelta

import pytest
from test_guests import ANN, CAT, DAN, HAL, SAM, SUE, House

from houseway.house.floor import Actor
from houseway.view.host import host_view, own_waits, rotation_view

BOB, DORA = Actor("bob", "guest"), Actor("dora", "dealer")


@pytest.fixture
def house(tmp_path):
    made = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    made.open(seats=2)
    made.open("t2", edition="duki-4-wa", seats=6)
    return made


def test_a_guest_waits_is_called_and_seated(house):
    house.do("wait", ANN, guest="ann", edition="ez-baccarat-wa")
    house.do("wait", HAL, guest="bob")
    assert [wait["place"] for wait in own_waits(house.floor.state, "bob", house.now)] == [2]
    house.do("call", HAL, wait=1, table="t1", seat=2)
    assert house.refused("sit", BOB, table="t1", seat=2, guest="bob").code == "seat-held"
    assert "ann" not in house.refused("sit", BOB, table="t1", seat=2, guest="bob").message
    assert house.refused("call", HAL, wait=1, table="t1").code == "called-already"
    house.do("seat", HAL, wait=1)
    assert house.floor.state.tables["t1"].seated == {2: "ann"}
    assert not house.floor.state.tables["t1"].held and [wait.guest for wait in house.floor.state.waiting] == ["bob"]
    assert own_waits(house.floor.state, "bob", house.now)[0]["place"] == 1
    house.check()


def test_whoever_sits_down_himself_is_off_the_list(house):
    house.do("wait", ANN, guest="ann")
    house.do("call", HAL, wait=1, table="t1")
    house.do("sit", ANN, table="t1", seat=1, guest="ann")
    assert not house.floor.state.waiting and not house.floor.state.tables["t1"].held
    house.check()


def test_no_seat_is_held_for_whoever_is_excluded(house):
    house.do("wait", HAL, guest="ann")
    house.do("call", HAL, wait=1, table="t1")
    house.do("reserve", HAL, table="t2", seat=3, guest="ann", hold_minutes=30)
    house.do("reserve", HAL, table="t2", seat=4, guest="bob", hold_minutes=30)
    house.do("exclude", HAL, guest="ann", until="2099-01-01")
    shown = host_view(house.floor.state, house.now)
    assert {seat["held_for"] for table in shown["tables"] for seat in table["seats"]} == {"", "bob"}
    assert not shown["waiting"] and "ann" not in str(shown)
    house.do("sit", BOB, table="t1", seat=1, guest="bob")
    house.check()


def test_a_call_lapses_and_may_be_made_again(house):
    house.do("wait", HAL, guest="ann")
    house.do("call", HAL, wait=1, table="t1")
    house.now += timedelta(minutes=6)
    shown = host_view(house.floor.state, house.now)
    assert shown["waiting"][0]["call_lapsed"] and shown["tables"][0]["free"] == 2
    house.do("sit", BOB, table="t1", seat=1, guest="bob")
    house.do("call", HAL, wait=1, table="t1")
    assert house.floor.state.waiting[0].seat == 2
    house.do("unwait", ANN, wait=1)
    assert not house.floor.state.tables["t1"].held
    house.check()


def test_a_seat_is_held_until_its_time_and_let_go(house):
    house.do("reserve", HAL, table="t2", seat=3, guest="ann", hold_minutes=30)
    assert house.refused("bet", BOB, table="t2", seat=3, guest="bob", wager="ante", cents=500).code == "seat-held"
    assert house.refused("reserve", HAL, table="t2", seat=3, guest="bob", hold_minutes=5).code == "seat-taken"
    house.do("release", HAL, table="t2", seat=3)
    house.do("reserve", HAL, table="t2", seat=3, guest="ann", hold_minutes=30)
    house.now += timedelta(minutes=31)
    house.do("sit", BOB, table="t2", seat=3, guest="bob")
    house.check()


def test_a_table_that_closes_calls_nobody(house):
    house.do("wait", HAL, guest="ann")
    house.do("call", HAL, wait=1, table="t1")
    house.do("supervise", SUE, table="t1")
    house.do("close", SUE, table="t1")
    table, (wait,) = house.floor.state.tables["t1"], house.floor.state.waiting
    assert (table.held, table.supervisor, wait.table) == ({}, "", "")
    house.check()


def test_who_may_not_play_neither_waits_nor_is_called(house):
    house.do("wait", HAL, guest="ann")
    house.do("exclude", HAL, guest="ann", ground="house")
    assert not house.floor.state.waiting
    assert house.refused("wait", HAL, guest="ann").code == "may-not-play"
    assert house.refused("reserve", HAL, table="t1", seat=1, guest="ann", hold_minutes=5).code == "may-not-play"
    house.check()


@pytest.mark.parametrize(
    ("kind", "actor", "fields", "code"),
    [
        ("wait", ANN, {"guest": "bob"}, "not-your-seat"),
        ("wait", HAL, {"guest": "cy", "edition": "none"}, "unknown-edition"),
        ("wait", HAL, {"guest": "bob"}, "waits-already"),
        ("call", HAL, {"wait": 9, "table": "t1"}, "unknown-wait"),
        ("call", HAL, {"wait": 1, "table": "nowhere"}, "unknown-table"),
        ("call", HAL, {"wait": 1, "table": "t1", "seat": 7}, "seat-taken"),
        ("call", HAL, {"wait": 2, "table": "t1"}, "another-game"),
        ("seat", HAL, {"wait": 1}, "not-called"),
        ("unwait", ANN, {"wait": 1}, "not-your-seat"),
        ("release", HAL, {"table": "t1", "seat": 1}, "not-held"),
        ("call", CAT, {"wait": 1, "table": "t1"}, "role-may-not"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(house, kind, actor, fields, code):
    house.do("wait", HAL, guest="bob")
    house.do("wait", HAL, guest="dee", edition="duki-4-wa")
    assert house.refused(kind, actor, **fields).code == code


def test_a_full_table_calls_nobody(house):
    house.do("sit", HAL_SITS, table="t1", seat=1, guest="cy")
    house.do("sit", HAL_SITS, table="t1", seat=2, guest="dee")
    house.do("wait", HAL, guest="bob")
    refused = house.refused("call", HAL, wait=1, table="t1")
    assert refused.code == "seat-taken" and "t1 is full" in refused.message


HAL_SITS = Actor("sue", "supervisor")


def test_somebody_who_waits_keeps_his_name(house):
    house.do("wait", HAL, guest="Bob")
    assert house.refused("sit", HAL_SITS, table="t1", seat=1, guest="B0b").code == "name-taken"


# Who works where


def test_who_deals_supervises_and_rests_is_in_the_journal(house):
    house.do("sign-on", DAN, table="t1")
    house.do("supervise", SUE, table="t1")
    assert house.refused("break", DAN).code == "on-table"
    assert house.refused("break", SUE).code == "on-table"
    house.do("supervise", SAM, table="t1")  # takes over
    house.do("break", SUE)
    assert house.refused("supervise", SUE, table="t2").code == "on-break"
    house.now += timedelta(minutes=70)
    since = {"t1": house.store.last_at("t1", "sign-on")}
    shown = rotation_view(house.floor.state, house.now, since)
    assert shown["tables"][0] | {"edition": ""} == {
        "name": "t1", "edition": "", "dealer": "dan", "dealer_minutes": 70, "relief_due": True,
        "supervisor": "sam", "supervisor_minutes": 70,
    }  # fmt: skip
    assert shown["breaks"] == [{"name": "sue", "minutes": 70, "over": True}]
    house.do("sign-off", DAN, table="t1")
    house.do("break", DAN)
    assert house.refused("sign-on", DAN, table="t2").code == "on-break"
    assert house.refused("break", DAN).code == "on-break"
    house.do("back", DAN)
    assert house.refused("back", DAN).code == "not-on-break"
    house.do("sign-on", DORA, table="t1")
    assert house.refused("unsupervise", SUE, table="t1").code == "not-on-table"
    house.do("unsupervise", SAM, table="t1")
    house.check()
