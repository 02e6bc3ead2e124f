"""The cash of a guest over a gaming day: in and out apart, tables and cage together, lines told before they are crossed."""

import random
from datetime import timedelta

import pytest
from test_guests import ANN, CAT, DAN, HAL, ROOT, SAM, SUE, House

from houseway.house.audit import Auditor
from houseway.house.patrons import PatronData
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table.guests import cash_of

PAPERS = PatronData(name="Ann Able", born="1970-01-01", document="ID 1", address="1 Elm Street")
THOUSAND = 100_000


@pytest.fixture
def house(tmp_path):
    made = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    made.both({"kind": "duties", "duty_limits": dict.fromkeys(("buy-in", "table-buy-in", "cash-out"), 10**9)}, ROOT, SUE)
    made.open(opener_cents=9_000_000)
    made.do("sign-on", DAN, table="t1")
    return made


def lines(entry):
    return [(e["guest"], e["way"], e["line"], e["cents"]) for e in entry.data["events"] if e["event"] == "cash-line"]


def test_cash_of_tables_and_cage_adds_up_to_the_lines(house):
    house.patrons.register(PAPERS, HAL, guest="ann")
    assert lines(house.do("buy-in", CAT, guest="ann", cents=2 * THOUSAND)) == []
    told = house.do("table-buy-in", DAN, table="t1", guest="ann", cents=THOUSAND)
    assert lines(told) == [("ann", "in", "log", 3 * THOUSAND)], "from $3,000 on, not above it"
    assert lines(house.do("cash-out", CAT, guest="ann", cents=3 * THOUSAND)) == [("ann", "out", "log", 3 * THOUSAND)]
    assert lines(house.do("buy-in", CAT, guest="ann", cents=5 * THOUSAND)) == [("ann", "in", "near", 8 * THOUSAND)]
    assert lines(house.do("buy-in", CAT, guest="ann", cents=2 * THOUSAND)) == [], "at $10,000 nothing is above it yet"
    refused = house.refused("buy-in", CAT, guest="ann", cents=1)
    assert refused.code == "data-wanted" and "$10,000.01" in refused.message
    assert house.last().data["code"] == "data-wanted"
    house.patrons.identified("ann", CAT)
    assert lines(house.do("buy-in", CAT, guest="ann", cents=1)) == [("ann", "in", "report", 10 * THOUSAND + 1)]
    house.check()


def test_a_new_gaming_day_begins_at_nothing(house):
    house.patrons.register(PAPERS, HAL, guest="ann")
    house.patrons.identified("ann", CAT)
    house.do("buy-in", CAT, guest="ann", cents=11 * THOUSAND)
    house.now += timedelta(days=1)
    house.do("buy-in", CAT, guest="ann", cents=9 * THOUSAND)
    assert house.refused("buy-in", CAT, guest="ann", cents=2 * THOUSAND).code == "data-wanted", "papers are seen each day"
    house.check()


def test_a_guest_without_a_name_is_one_by_description(house):
    patron = house.patrons.register(PatronData(description="tall, grey coat"), CAT)
    house.do("buy-in", CAT, guest=patron.number, cents=9 * THOUSAND)
    assert house.refused("table-buy-in", DAN, table="t1", guest=patron.number, cents=2 * THOUSAND).code == "data-wanted"
    with pytest.raises(Refused, match="take name, birth date, document, address first"):
        house.patrons.identified(patron.number, CAT)
    house.patrons.change(patron.number, CAT, name="Ann Able", born="1970-01-01", document="ID 1", address="1 Elm Street")
    house.patrons.identified(patron.number, CAT)
    house.do("table-buy-in", DAN, table="t1", guest=patron.number, cents=2 * THOUSAND)
    house.check()


def test_two_accounts_of_one_person_are_one_sum(house):
    house.patrons.register(PAPERS, HAL, guest="ann")
    house.do("buy-in", CAT, guest="ann", cents=6 * THOUSAND)
    house.do("buy-in", CAT, guest="annie", cents=3 * THOUSAND)
    house.patrons.link("ann", "annie", HAL)
    for guest in ("ann", "annie"):
        assert cash_of(house.floor.state, guest, "2026-11-18").in_cents == 9 * THOUSAND
        assert house.refused("buy-in", CAT, guest=guest, cents=2 * THOUSAND).code == "data-wanted"
    house.check()


def test_what_needs_a_second_person_is_held_against_the_line_before_anybody_is_asked(house):
    house.patrons.register(PAPERS, HAL, guest="ann")
    house.both({"kind": "duties", "duty_limits": {"buy-in": 100}}, ROOT, SUE)
    assert house.refused("buy-in", CAT, guest="ann", cents=11 * THOUSAND).code == "data-wanted"
    assert not house.floor.state.requests
    house.patrons.identified("ann", CAT)
    done = house.both({"kind": "buy-in", "guest": "ann", "cents": 11 * THOUSAND}, CAT, SAM)
    assert [line for _, _, line, _ in lines(done)] == ["log", "near", "report"]
    house.check()


def test_lines_are_rules_of_the_house(house):
    for rule, value in (("cash lines", "always"), ("cash log from", "500"), ("cash report over", "1000")):
        house.both({"kind": "house-rule", "rule": rule, "value": value}, ROOT, SUE)
    assert lines(house.do("buy-in", CAT, guest="ann", cents=50_000)) == [("ann", "in", "log", 50_000)]
    assert house.refused("buy-in", CAT, guest="ann", cents=50_001).code == "data-wanted"
    house.both({"kind": "house-rule", "rule": "cash lines", "value": "never"}, ROOT, SUE)
    house.do("buy-in", CAT, guest="ann", cents=50_001)
    house.check()


def test_lines_are_told_where_nobody_is_registered_and_nobody_is_refused_there(house):
    assert lines(house.do("buy-in", CAT, guest="ann", cents=2 * THOUSAND)) == []
    told = lines(house.do("buy-in", CAT, guest="ann", cents=10 * THOUSAND))
    assert told == [("ann", "in", line, 12 * THOUSAND) for line in ("log", "near", "report")]
    house.check()


def test_whoever_is_registered_in_the_middle_of_a_day_has_all_of_its_cash(house):
    house.do("buy-in", CAT, guest="whale", cents=9 * THOUSAND)
    house.do("table-buy-in", DAN, table="t1", guest="ann", cents=9 * THOUSAND)
    house.patrons.register(PAPERS, HAL, guest="ann")
    for guest in ("ann", "whale"):
        assert cash_of(house.floor.state, guest, "2026-11-18").in_cents == 9 * THOUSAND
        assert house.refused("buy-in", CAT, guest=guest, cents=2 * THOUSAND).code == "data-wanted"
    house.check()


@pytest.mark.parametrize("first", ["never", "once a guest is registered"])
def test_lines_that_were_reached_unwatched_are_told_with_the_next_cash(house, first):
    house.both({"kind": "house-rule", "rule": "cash lines", "value": first}, ROOT, SUE)
    assert lines(house.do("buy-in", CAT, guest="ann", cents=4 * THOUSAND)) == []
    house.both({"kind": "house-rule", "rule": "cash lines", "value": "from the first cash"}, ROOT, SUE)
    assert lines(house.do("buy-in", CAT, guest="ann", cents=1)) == [("ann", "in", "log", 4 * THOUSAND + 1)]
    assert lines(house.do("buy-in", CAT, guest="ann", cents=1)) == []
    house.check()


def test_a_journal_of_before_is_read_as_it_was_written(tmp_path, monkeypatch):
    """Form 7: nothing was told, or added up, before anybody was registered; its rule was another when nobody had set it."""
    monkeypatch.setattr("houseway.house.floor.FORM", 7)
    monkeypatch.setattr("houseway.house.patrons.FORM", 7)
    made = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    made.both({"kind": "duties", "duty_limits": dict.fromkeys(("buy-in", "table-buy-in", "cash-out"), 10**9)}, ROOT, SUE)
    assert lines(made.do("buy-in", CAT, guest="ann", cents=50 * THOUSAND)) == []
    made.patrons.register(PAPERS, HAL, guest="ann")
    assert lines(made.do("buy-in", CAT, guest="ann", cents=4 * THOUSAND)) == [("ann", "in", "log", 4 * THOUSAND)]
    made.do("buy-in", CAT, guest="annie", cents=5 * THOUSAND)
    made.patrons.link("ann", "annie", HAL)
    made.both({"kind": "house-rule", "rule": "cash lines", "value": "always"}, ROOT, SUE)
    assert made.last().data["events"][0]["before"] == "once a guest is registered"
    made.check()
    monkeypatch.undo()
    made.check()
    assert cash_of(made.floor.state, "ann", "2026-11-18").in_cents == 59 * THOUSAND
    assert made.refused("buy-in", CAT, guest="ann", cents=1).code == "data-wanted", "from now on the whole day counts"


def test_whatever_is_bought_and_cashed_the_sums_are_those_of_the_cash(house):
    """Against sums kept here, in random order, two accounts linked on the way; the audit reckons by itself."""
    house.patrons.register(PAPERS, HAL, guest="ann")
    rng, own, chips = random.Random(5), {"in": 0, "out": 0}, {"ann": 0, "annie": 0}
    for turn in range(60):
        if turn == 20:
            house.patrons.link("ann", "annie", HAL)
        guest = rng.choice(("ann", "annie")) if turn >= 20 else "ann"
        kind = rng.choice(("buy-in", "table-buy-in", "cash-out"))
        cents = rng.randrange(1, 90_000)
        table = {"table": "t1"} if kind == "table-buy-in" else {}
        way = "out" if kind == "cash-out" else "in"
        is_seen = "ann" in house.floor.state.today.identified
        try:
            house.do(kind, DAN if table else CAT, guest=guest, cents=cents, **table)
        except Refused as refused:
            if refused.code == "data-wanted":
                assert own[way] + cents > 10 * THOUSAND and not is_seen, dollars(own[way] + cents)
                house.patrons.identified("ann", CAT)
            else:
                assert kind == "cash-out" and chips[guest] < cents
            continue
        chips[guest] += -cents if kind == "cash-out" else cents
        own[way] += cents
        assert own[way] <= 10 * THOUSAND or is_seen
        cash = cash_of(house.floor.state, guest, "2026-11-18")
        assert (cash.in_cents, cash.out_cents) == (own["in"], own["out"])
    assert own["in"] > 10 * THOUSAND
    house.check()


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        ("patron-registered", {"patron": "g-1002", "guest": "bob", "name": "Bob Baker"}, "the chain holds no personal data"),
        ("patron-registered", {"patron": "g-1009", "guest": "bob"}, "not the next number"),
    ],
)
def test_the_audit_knows_notes_that_no_house_has_written(house, kind, data, says):
    house.patrons.register(PAPERS, HAL, guest="ann")
    with house.store.writing() as writer:
        house.floor._append(writer, kind, "", HAL, "", data, [])
    assert says in "; ".join(flaw.what for flaw in Auditor(house.store).run().flaws)


def test_the_audit_knows_somebody_who_played_though_he_may_not(house, monkeypatch):
    from houseway.table import engine

    house.patrons.register(PAPERS, HAL, guest="ann")
    house.do("exclude", ANN, guest="ann")
    with monkeypatch.context() as patch:
        patch.setattr(engine, "BEFOREHAND", [])
        patch.setattr(engine, "AFTERWARDS", [])
        house.do("buy-in", CAT, guest="ann", cents=11 * THOUSAND)
    flaws = [flaw.what for flaw in Auditor(house.store).run().flaws]
    assert any("who may not play" in what for what in flaws)
    assert any("nobody had seen his papers" in what for what in flaws)
    assert any("the line log: the entry does not tell" in what for what in flaws)
