"""Where the house rules that every guest must be registered, nobody plays without a number of the patron file."""

from datetime import timedelta

import pytest
from sqlalchemy import delete
from test_guests import ANN, CAT, DAN, HAL, ROOT, SUE, House

from houseway.house import schema
from houseway.house.audit import Auditor
from houseway.house.floor import Actor
from houseway.house.patrons import PatronData
from houseway.refusal import Refused

RULE = "every guest registered"
BOB = Actor("bob", "guest")
AT_SEAT = {"table": "t1", "seat": 1}


@pytest.fixture
def house(store_url, tmp_path):
    """On either database, with a guest who has a number and one who has none; both have chips from before."""
    made = House(store_url, tmp_path / "key")
    made.open(seats=3)
    made.do("sign-on", DAN, table="t1")
    made.patrons.register(PatronData(name="Ann Able"), HAL, guest="ann")
    for guest in ("ann", "bob"):
        made.do("buy-in", CAT, guest=guest, cents=50_000)
    yield made
    made.store.engine.dispose()


def set_rule(house, value="yes"):
    house.both({"kind": "house-rule", "rule": RULE, "value": value}, ROOT, SUE)


def plays(guest, actor, walk_in):
    """All by which a guest plays: one by his own screen, and another by the dealer's hands."""
    own, other = AT_SEAT | {"guest": guest}, {"table": "t1", "seat": 2, "guest": walk_in}
    return [
        ("buy-in", CAT, {"guest": guest, "cents": 100}),
        ("wait", actor, {"guest": guest}),
        ("reserve", HAL, own | {"hold_minutes": 5}),
        ("sit", actor, own),
        ("bet", actor, own | {"wager": "player", "cents": 500}),
        ("table-buy-in", DAN, {"table": "t1", "guest": walk_in, "cents": 10_000}),
        ("bet", DAN, other | {"wager": "player", "cents": 600}),
        ("bets", DAN, other | {"bets": [["player", 700]]}),
    ]


def test_without_the_rule_anybody_plays_and_no_entry_names_a_number(house):
    for kind, actor, fields in plays("bob", BOB, "cy"):
        assert "patron" not in house.do(kind, actor, **fields).data
    house.check()


def test_with_it_nobody_plays_without_a_number_and_everybody_with_one_does(house):
    set_rule(house)
    for kind, actor, fields in [*plays("bob", BOB, "cy"), ("bank", BOB, AT_SEAT | {"guest": "bob", "cents": 500})]:
        refused = house.refused(kind, actor, **fields)
        assert refused.code == "not-registered", (kind, refused.message)
        himself = "please register with the host or at the cage"
        assert (himself if actor is BOB else "houseway patrons register") in refused.message
        assert house.last().kind != "attempt", "nothing is wrong with him"
    house.patrons.register(PatronData(description="tall, grey coat"), HAL)
    for kind, actor, fields in plays("ann", ANN, "g-1002"):
        assert house.do(kind, actor, **fields).data["patron"] == ("g-1001" if fields["guest"] == "ann" else "g-1002")
    house.do("cash-out", CAT, guest="bob", cents=50_000)  # his chips are his
    house.check()


def test_a_guest_by_description_and_a_linked_account_have_numbers_too(house):
    set_rule(house)
    house.patrons.register(PatronData(description="tall, grey coat"), HAL)
    house.patrons.link("g-1001", "bob", HAL)
    assert house.do("buy-in", CAT, guest="g-1002", cents=100).data["patron"] == "g-1002"
    assert house.do("sit", BOB, **AT_SEAT, guest="bob").data["patron"] == "g-1001"
    house.patrons.link("g-1001", "g-1002", HAL)  # who was known by description turns out to be this one
    assert house.do("buy-in", CAT, guest="g-1002", cents=100).data["patron"] == "g-1001"
    house.check()


def test_who_waited_before_the_rule_is_called_once_he_is_registered(house):
    house.do("wait", BOB, guest="bob")
    set_rule(house)
    assert house.refused("call", HAL, wait=1, table="t1").code == "not-registered"
    set_rule(house, "no")
    house.do("call", HAL, wait=1, table="t1", seat=2)
    set_rule(house)
    assert house.refused("seat", HAL, wait=1).code == "not-registered"
    house.patrons.register(PatronData(name="Bob Baker"), HAL, guest="bob")
    assert house.do("seat", HAL, wait=1).data["patron"] == "g-1002"
    house.check()


def test_bets_that_lie_there_when_the_rule_comes_are_dealt_or_taken_back(house):
    house.do("bet", BOB, **AT_SEAT, guest="bob", wager="player", cents=500)
    house.do("bet", BOB, **AT_SEAT, guest="bob", wager="panda-8", cents=500)
    set_rule(house)
    house.do("withdraw", BOB, **AT_SEAT, guest="bob", wager="panda-8")
    house.do("no-more-bets", DAN, table="t1")
    house.check()


def test_whose_data_were_removed_is_registered_anew(house):
    house.do("cash-out", CAT, guest="ann", cents=50_000)
    set_rule(house)
    house.now += timedelta(days=2_000)
    asked = house.patrons.purge(ROOT, house.floor.state)
    house.do("confirm", SUE, request=asked.data["events"][0]["request"])
    assert house.patrons.purge(ROOT, house.floor.state).guests == 1
    assert house.refused("buy-in", CAT, guest="ann", cents=100).code == "not-registered"
    house.patrons.register(PatronData(name="Ann Able"), HAL, guest="ann")
    assert house.do("buy-in", CAT, guest="ann", cents=100).data["patron"] == "g-1002"
    house.check()


def test_what_needs_a_second_person_is_asked_for_with_a_number_only(house):
    set_rule(house)
    most = {"cents": 15_000_00, "guest": "bob"}
    assert house.refused("buy-in", CAT, **most).code == "not-registered"
    assert not house.floor.state.requests


def test_nobody_gives_a_number_himself(house):
    set_rule(house)
    refused = house.refused("buy-in", CAT, guest="bob", cents=100, patron="g-1001")
    assert (refused.code, refused.message) == ("bad-command", "patron cannot be given: the floor knows")


def test_the_rule_is_yes_or_no(house):
    with pytest.raises(Refused, match=r"'perhaps' is not no or yes"):
        house.do("house-rule", ROOT, rule=RULE, value="perhaps")


def test_the_audit_knows_who_played_without_a_number_or_with_anothers(house, monkeypatch):
    from houseway.table import engine

    set_rule(house)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "BEFOREHAND", [])
        house.do("sit", BOB, **AT_SEAT, guest="bob")
    with house.store.writing() as writer:
        wrong = {"guest": "bob", "number": "g-1001", "place": 9}
        writer.connection.execute(schema.patron_accounts.insert().values(wrong))
    house.do("buy-in", CAT, guest="bob", cents=100)
    with house.store.writing() as writer:
        writer.connection.execute(delete(schema.patron_accounts))
    flaws = [flaw.what for flaw in Auditor(house.store).run().flaws]
    assert "sit for bob, who has no number of the patron file" in flaws
    assert "buy-in for bob by the number g-1001, which is not his: he has none" in flaws
