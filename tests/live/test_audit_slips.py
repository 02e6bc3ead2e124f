"""The audit's own account of pieces and slips: what a rewritten journal says otherwise is found, entry by entry."""

import json

import pytest
from chiprooms import CAT, GUS, SUE, ChipRoom, events

from houseway.house.audit import Auditor, AuditWalk
from houseway.house.audit_slips import PiecesAndSlips
from houseway.table.entry import Entry
from houseway.table.fold import fold
from houseway.table.state import House


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """A fill that was signed by all, one that was voided, one whose chips came back, one that waits; a buy-in and a count."""
    room = ChipRoom(tmp_path_factory.mktemp("house"))
    room.do("buy-in", CAT, table=None, guest="ann", cents=10_000)
    room.do("request-fill", SUE, pieces={"500": 10})
    room.do("void-slip", SUE, table=None, slip="fill-2", reason="too few")
    room.count(room.written("tray:t1"))
    room.do("request-fill", SUE, pieces={"500": 30})
    room.sign("fill-3", GUS)
    room.sign("fill-3", CAT, pieces={"500": 30})
    room.do("void-slip", CAT, table=None, slip="fill-3", reason="too many")
    room.sign("fill-3", GUS)
    room.sign("fill-3", CAT, pieces={"500": 30})
    room.do("request-fill", SUE, pieces={"500": 20})
    room.sign("fill-4", GUS)
    report = Auditor(room.floor.store).run()
    assert report.flaws == ()
    assert report.notices[-2:] == ("Slips that are not finished: fill-4.", "Slips that are void: fill-2, fill-3.")
    return list(room.floor.store.entries())


def flaws(journal, change):
    """What the check finds in a journal of which some entries tell otherwise; the state is the true one."""
    check, state, walk = PiecesAndSlips(), House(), None
    found = []
    for entry in journal:
        walk = AuditWalk(None, (), (0, ""), state=state)
        data = json.loads(entry.payload)
        told = change(entry, data) or data
        altered = Entry(entry.seq, **(entry.fields() | {"payload": json.dumps(told)}), previous="", hash="")
        found += check.at(walk, altered)
        state = fold(state, entry)[0]
    walk.state = state
    return " ".join(flaw.what for flaw in [*found, *check.end(walk)])


def event_of(data, kind):
    return next((event for event in data["events"] if event["event"] == kind), None)


def test_the_true_journal_has_no_flaw(journal):
    assert flaws(journal, lambda entry, data: None) == ""


def test_a_number_that_is_missing_is_found(journal):
    def skip(entry, data):
        if (opened := event_of(data, "slip-opened") if "events" in data else None) and opened["slip"] == "fill-2":
            opened["slip"] = "fill-3"

    assert "fill-3 follows fill-1: numbers are missing" in flaws(journal, skip)


def test_a_signature_in_anothers_name_is_found(journal):
    def forge(entry, data):
        if (signed := event_of(data, "slip-signed") if "events" in data else None) and signed["step"] == "prepared":
            signed["signer"] = "carl"

    assert "signed in the name of carl by cat" in flaws(journal, forge)


def test_one_who_signs_for_two_is_found(journal):
    def twice(entry, data):
        if (signed := event_of(data, "slip-signed") if "events" in data else None) and signed["step"] == "request-carried":
            signed["step"] = "verified"

    found = flaws(journal, twice)
    assert "is signed at verified by gus, security" in found


def test_chips_that_came_back_with_nobodys_signature_are_found(journal):
    def unsigned(entry, data):
        signed = event_of(data, "slip-signed") if "events" in data else None
        if signed and signed["step"] == "brought-back":
            signed["step"] = "carried"

    def alone(entry, data):
        if event_of(data, "slip-recalled") if "events" in data else None:
            data["events"][0]["event"] = "slip-voided"

    for change in (unsigned, alone):
        assert "fill-3 is void, and nobody, or one alone, signed that its chips came back" in flaws(journal, change)


def test_chips_from_nowhere_are_found(journal):
    def conjure(entry, data):
        if entry.kind == "buy-in":
            event_of(data, "chips-moved")["moves"][0]["pieces"] = {"500": 20}

    found = flaws(journal, conjure)
    assert "chips come from outside or go to cage without chips-in" in found


def test_pieces_that_do_not_come_to_the_balance_are_found(journal):
    def lose(entry, data):
        if entry.kind == "buy-in":
            event_of(data, "chips-moved")["moves"][-1]["pieces"] = {"500": 1}

    found = flaws(journal, lose)
    assert "guest:ann holds 10000 cents, and its pieces come to 500" in found


def test_pieces_that_somebody_has_not_are_found(journal):
    def overdraw(entry, data):
        if entry.kind == "buy-in":
            event_of(data, "chips-moved")["moves"][-1]["pieces"] = {"100000": 10_000}

    assert "cage gives pieces of 100000 cents that it has not" in flaws(journal, overdraw)


def test_a_slip_with_too_few_signatures_is_found(journal):
    def drop_one(entry, data):
        if "events" in data and (signed := event_of(data, "slip-signed")) and signed["step"] == "carried":
            data["events"] = [event for event in data["events"] if event["event"] != "slip-signed"]

    assert "fill-1 is finished with 5 signatures" in flaws(journal, drop_one)


def test_every_slip_of_the_journal_was_told(journal):
    opened = [event["slip"] for entry in journal if "events" in entry.data for event in events(entry, "slip-opened")]
    assert opened == ["fill-1", "fill-2", "inventory-1", "fill-3", "fill-4"]
