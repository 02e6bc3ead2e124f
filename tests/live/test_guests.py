"""Guests who may not play are refused everywhere and told; who they are is apart from the chain, by number, and can go."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from houseway.house import schema
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.patrons import PatronData, Patrons, Purged
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.entry import Entry
from houseway.table.event import FORM
from houseway.table.gaming_day import gaming_day

ROOT, SUE, SAM, CAT = (
    Actor("root", "administrator"),
    Actor("sue", "supervisor"),
    Actor("sam", "supervisor"),
    Actor("cat", "cashier"),
)
HAL, DAN, ANN = Actor("hal", "host"), Actor("dan", "dealer"), Actor("ann", "guest")
SECRET = PatronData(
    name="Anneliese Wunderbar",
    born="1980-02-03",
    document="Passport X-77 881",
    address="9 Larch Lane, Tacoma",
    description="a red scarf",
    notes="likes tea",
)


class House:
    """A house of its own on a store, its clock in our hands, and its patron file."""

    def __init__(self, url, key_file):
        self.now = datetime(2026, 11, 18, 20, tzinfo=UTC)
        self.store = Store(url)
        self.floor = Floor(self.store, key_file, clock=lambda: self.now, begins="two")
        self.patrons = Patrons(self.store, self.floor, lambda: gaming_day(self.now, self.floor.state))
        self.both({"kind": "fund", "cents": 100_000_000}, ROOT, CAT)

    def both(self, command, first, second):
        asked = self.floor.do(command, first)
        assert asked.kind == "requested"
        return self.floor.do({"kind": "confirm", "request": asked.data["events"][0]["request"]}, second)

    def do(self, kind, actor, **fields):
        return self.floor.do({"kind": kind, **fields}, actor)

    def refused(self, kind, actor, **fields):
        before = self.floor.state
        with pytest.raises(Refused) as refused:
            self.do(kind, actor, **fields)
        assert self.floor.state == before, "nothing changed"
        return refused.value

    def open(self, name="t1", **fields):
        table = {"table": name, "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 1_000_000}
        return self.do("open", SUE, **table | fields)

    def last(self):
        return list(self.store.entries())[-1]

    def check(self):
        report = Auditor(self.store).run()
        assert report.flaw is None, report.flaw
        again = Floor(Store(self.store.url), self.floor.keys.file, clock=lambda: self.now)
        assert again.refresh() == self.floor.state


@pytest.fixture
def house(tmp_path):
    return House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")


@pytest.fixture
def both_houses(store_url, tmp_path):
    made = House(store_url, tmp_path / "key")
    yield made
    made.store.engine.dispose()


# Who may not play


def test_an_excluded_guest_is_refused_everywhere_and_each_attempt_is_told(house):
    house.open()
    house.do("buy-in", CAT, guest="ann", cents=10_000)
    house.do("exclude", HAL, guest="ann", ground="house", until="2027-01-01")
    house.do("sign-on", DAN, table="t1")
    bet = {"table": "t1", "seat": 1, "guest": "ann"}
    tried = [
        ("buy-in", CAT, {"guest": "ann", "cents": 100}),
        ("table-buy-in", DAN, {"table": "t1", "guest": "ann", "cents": 100}),
        ("sit", ANN, bet),
        ("bet", ANN, bet | {"wager": "player", "cents": 500}),
        ("bet", DAN, bet | {"wager": "player", "cents": 500}),
        ("bets", DAN, bet | {"bets": [["player", 500]]}),
        ("bank", ANN, bet | {"cents": 500}),
        ("sit", DAN, bet | {"guest": "ANN"}),
        ("sit", DAN, bet | {"guest": "A n n"}),
    ]
    for kind, actor, fields in tried:
        refused = house.refused(kind, actor, **fields)
        assert refused.code in {"may-not-play", "name-taken"}, (kind, refused.message)
        assert "2027" not in refused.message and "excluded" not in refused.message, "why is nobody's business at a table"
        told = house.last()
        if refused.code == "may-not-play":
            assert (told.kind, told.data["code"]) == ("attempt", "may-not-play")
    house.do("cash-out", CAT, guest="ann", cents=10_000)  # his chips are his
    house.check()


def test_a_hand_that_is_dealt_is_finished(house):
    house.open()
    house.do("buy-in", CAT, guest="ann", cents=10_000)
    house.do("bet", ANN, table="t1", seat=1, guest="ann", wager="banker", cents=1_000)
    house.do("exclude", ANN, guest="ann", until="2027-01-01")
    house.do("withdraw", ANN, table="t1", seat=1, guest="ann", wager="banker")
    house.check()


def test_what_a_guest_asked_for_himself_stands_until_its_day_and_no_longer(house):
    house.do("exclude", ANN, guest="ann", until="2026-12-01")
    assert house.refused("readmit", SUE, guest="ann").code == "own-wish"
    assert house.refused("exclude", HAL, guest="ann", ground="house", until="2026-11-20").code == "nothing-to-change"
    house.do("exclude", HAL, guest="ann", ground="house", until="2026-12-24")  # longer, and still his own wish
    assert house.refused("readmit", SUE, guest="ann").code == "own-wish"
    house.now += timedelta(days=36)
    assert gaming_day(house.now, house.floor.state) == "2026-12-24"
    house.do("buy-in", CAT, guest="ann", cents=100)
    house.check()


def test_what_the_house_decided_two_end(house):
    house.do("exclude", SUE, guest="ann", ground="house")
    assert house.refused("buy-in", CAT, guest="ann", cents=100).code == "may-not-play"
    house.both({"kind": "readmit", "guest": "ann"}, SUE, SAM)
    house.do("buy-in", CAT, guest="ann", cents=100)
    house.check()


@pytest.mark.parametrize(
    ("actor", "fields", "code"),
    [
        (ANN, {"guest": "bob"}, "not-your-seat"),
        (ANN, {"guest": "ann", "ground": "house"}, "not-your-seat"),
        (HAL, {"guest": "ann", "until": "2026-11-18"}, "bad-date"),
        (HAL, {"guest": "ann", "until": "2026-13-41"}, "bad-date"),
        (HAL, {"guest": "ann", "until": "soon"}, "bad-command"),
        (HAL, {"guest": "ann", "ground": "whim"}, "unknown-ground"),
        (DAN, {"guest": "ann"}, "role-may-not"),
    ],
)
def test_what_is_no_exclusion_changes_nothing(house, actor, fields, code):
    assert house.refused("exclude", actor, **fields).code == code


# The patron file


def test_personal_data_are_never_in_the_chain_and_every_look_is_noted(both_houses):
    house = both_houses
    patron = house.patrons.register(SECRET, HAL, guest="ann")
    assert patron.number == "g-1001"
    house.patrons.change("g-1001", CAT, notes="likes coffee")
    house.patrons.link("ann", "annie", HAL)
    house.patrons.identified("g-1001", CAT)
    assert house.patrons.look("annie", SUE).data.notes == "likes coffee"
    assert [found.number for found in house.patrons.find("wunder", HAL)] == ["g-1001"]
    notes = [(entry.kind, entry.actor) for entry in house.store.entries() if entry.kind.startswith("patron")]
    kinds = ("registered", "changed", "linked", "identified", "seen")
    assert notes == [
        *zip((f"patron-{kind}" for kind in kinds), ("hal", "cat", "hal", "cat", "sue"), strict=True),
        ("patrons-found", "hal"),
    ]
    chain = "\n".join(json.dumps([entry.payload, entry.actor, entry.key]) for entry in house.store.entries())
    for secret in ("Wunderbar", "1980-02", "X-77", "Larch", "scarf", "likes"):
        assert secret not in chain, secret
    house.check()


def test_who_is_not_of_age_may_not_play_until_the_file_says_so(house):
    house.patrons.register(PatronData(name="Young One", born="2006-01-05"), HAL, guest="yo")
    assert house.refused("buy-in", CAT, guest="yo", cents=100).code == "may-not-play"
    assert house.refused("readmit", SUE, guest="yo").code == "too-young"
    house.patrons.change("yo", HAL)
    assert house.refused("buy-in", CAT, guest="yo", cents=100).code == "may-not-play"
    house.now = datetime(2027, 1, 5, 20, tzinfo=UTC)
    house.patrons.change("yo", HAL)
    house.do("buy-in", CAT, guest="yo", cents=100)
    assert "2006-01" not in "".join(entry.payload for entry in house.store.entries())
    house.check()


@pytest.mark.parametrize("written", ["Ann", "аnn", "ANN", "a n n"])
def test_a_name_that_looks_like_a_barred_guests_is_refused_and_told(house, written):
    house.do("exclude", HAL, guest="ann", until="2027-01-01")
    assert house.refused("buy-in", CAT, guest=written, cents=100).code == "may-not-play"
    told = house.last()
    assert (told.kind, told.data["code"], told.data["command"]["kind"]) == ("attempt", "may-not-play", "buy-in")
    house.now = datetime(2027, 1, 2, 20, tzinfo=UTC)
    assert house.refused("buy-in", CAT, guest="аnn", cents=100).code != "may-not-play", "her time is over"
    house.check()


def test_nobody_alone_lets_a_minor_play_by_another_birth_date(house):
    house.patrons.register(PatronData(name="Young One", born="2006-01-05"), HAL, guest="yo")
    house.patrons.change("yo", HAL, born="2006-02-05")  # too young by either
    asked = house.patrons.change("yo", HAL, born="1996-01-05")
    assert isinstance(asked, Entry) and asked.kind == "requested"
    assert house.patrons.look("yo", HAL).data.born == "2006-02-05", "nothing is changed yet"
    assert house.refused("buy-in", CAT, guest="yo", cents=100).code == "may-not-play"
    assert house.refused("confirm", HAL, request=2).code == "not-second"
    with pytest.raises(Refused, match="asks for just this"):
        house.patrons.change("yo", HAL, born="1996-01-05")
    house.do("confirm", SUE, request=2)
    assert house.patrons.change("yo", HAL, born="1996-01-05").data.born == "1996-01-05"
    house.do("buy-in", CAT, guest="yo", cents=100)
    assert house.last().kind == "buy-in" and "1996" not in "".join(entry.payload for entry in house.store.entries())
    house.patrons.change("yo", HAL, born="2006-01-05")  # who is barred by it needs nobody
    assert house.refused("buy-in", CAT, guest="yo", cents=100).code == "may-not-play"
    house.check()


def test_the_audit_finds_a_birth_date_changed_by_one_alone(house):
    house.patrons.register(PatronData(name="Young One", born="2006-01-05"), HAL, guest="yo")
    noted = {"patron": "g-1001", "guest": "yo", "redated": True, "of_age": True, "form": FORM}
    with house.store.writing() as writer:
        house.floor._append(writer, "patron-changed", "", HAL, "", noted, [])
    assert "patron-changed needs a second person" in "; ".join(flaw.what for flaw in Auditor(house.store).run().flaws)


def test_the_least_age_is_a_rule_of_the_house(house):
    house.both({"kind": "house-rule", "rule": "least age", "value": "18"}, ROOT, SUE)
    house.patrons.register(PatronData(name="Young One", born="2006-01-05"), HAL, guest="yo")
    house.do("buy-in", CAT, guest="yo", cents=100)


def test_who_may_not_play_does_not_come_back_under_another_name(house):
    house.patrons.register(SECRET, HAL, guest="ann")
    house.do("exclude", HAL, guest="ann", ground="own-wish", until="2030-01-01")
    for data in (
        PatronData(name="Somebody Else", document="passport x77-881"),
        PatronData(name="anneliese wunderbar", born="1980-02-03"),
    ):
        with pytest.raises(Refused) as refused:
            house.patrons.register(data, HAL, guest="zoe")
        assert refused.value.code == "may-not-play"
        assert house.last().kind == "attempt"
    assert house.floor.state.patrons_made == 1
    house.patrons.link("g-1001", "annie", HAL)
    assert house.refused("buy-in", CAT, guest="annie", cents=100).code == "may-not-play"
    house.check()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PatronData(), "bad-patron"),
        (PatronData(name="x" * 121), "bad-patron"),
        (PatronData(name="A", born="31.1.1990"), "bad-date"),
        (PatronData(name="A", born="1700-01-01"), "bad-date"),
        (PatronData(name="A", born="2099-01-01"), "bad-date"),
        (PatronData(name="A\x07b"), "bad-patron"),
    ],
)
def test_what_cannot_be_kept_is_refused(house, data, code):
    entries = house.floor.seq
    with pytest.raises(Refused) as refused:
        house.patrons.register(data, HAL)
    assert refused.value.code == code and house.floor.seq == entries


def test_only_who_knows_guests_uses_the_file(house):
    for actor in (DAN, ANN, Actor("al", "auditor")):
        with pytest.raises(Refused, match="may not use the patron file"):
            house.patrons.find("anybody", actor)


def test_data_that_are_due_go_by_two_and_the_chain_stays_valid(both_houses):
    house = both_houses
    house.patrons.register(SECRET, HAL, guest="ann")
    house.patrons.register(PatronData(name="Stays Barred"), HAL, guest="bar")
    house.patrons.register(PatronData(name="Comes Again"), HAL, guest="cy")
    house.patrons.register(PatronData(description="tall, grey coat"), HAL)
    house.do("exclude", HAL, guest="bar", ground="house")
    house.now += timedelta(days=1_000)
    house.do("buy-in", CAT, guest="cy", cents=100)
    house.now += timedelta(days=900)
    with pytest.raises(Refused, match="may not remove personal data"):
        house.patrons.purge(SUE, house.floor.state)
    asked = house.patrons.purge(ROOT, house.floor.state)
    assert asked.kind == "requested"
    with pytest.raises(Refused):
        house.patrons.purge(ROOT, house.floor.state)  # asked already, and nobody has confirmed it
    house.do("confirm", SUE, request=asked.data["events"][0]["request"])
    assert house.patrons.purge(ROOT, house.floor.state) == Purged(2, True)
    note = house.last()
    assert note.kind == "patrons-purged" and note.data["purged"] == 2 and note.data["second"]["confirmed_by"] == "sue"
    assert "g-1" not in note.payload
    with house.store.reading() as connection:
        left = [tuple(row) for row in connection.execute(select(schema.patrons.c.number, schema.patrons.c.name))]
        accounts = list(connection.execute(select(schema.patron_accounts.c.guest)).scalars())
    assert left == [("g-1002", "Stays Barred"), ("g-1003", "Comes Again")] and sorted(accounts) == ["bar", "cy"]
    assert house.patrons.register(PatronData(name="New One"), HAL).number == "g-1005", "a number is given once"
    house.check()


SECRETS = ("Zephyrine", "Oldname", "1961-07-23", "PASS-QXZ-9182", "77 Quillfeather", "a scar on the left hand")


@pytest.mark.parametrize("reads", [False, True], ids=["idle", "reading"])
def test_no_file_of_the_store_holds_a_byte_of_what_was_removed(tmp_path, reads, monkeypatch):
    """A served house keeps its connections, and SQLite keeps its log as long as anybody has one."""
    monkeypatch.setattr("houseway.house.patrons.FORGET_AGAIN_SECONDS", 0.01)
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key")
    idle = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
    idle.execute("SELECT count(*) FROM patrons").fetchall()
    named = PatronData(name="Oldname Quux", born=SECRETS[2], document=SECRETS[3], address=SECRETS[4], description=SECRETS[5])
    number = house.patrons.register(named, HAL, guest="zed").number
    house.patrons.change(number, HAL, name="Zephyrine Quux")
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert all(secret.encode() in held for secret in SECRETS)
    house.now += timedelta(days=6 * 366)
    house.patrons.purge(ROOT, house.floor.state)
    house.floor.do({"kind": "confirm", "request": max(house.floor.state.requests)}, SUE)
    if reads:
        idle.execute("BEGIN")
        idle.execute("SELECT count(*) FROM patrons").fetchall()
    assert house.patrons.purge(ROOT, house.floor.state) == Purged(1, not reads)
    if reads:
        idle.execute("COMMIT")
        house.patrons.forgetting.join(60)
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [secret for secret in SECRETS if secret.encode() in held] == []
    idle.close()
    house.check()


def test_a_purge_by_one_alone_is_a_flaw(house):
    with house.store.writing() as writer:
        house.floor._append(writer, "patrons-purged", "", ROOT, "", {"purged": 1, "form": 7, "shell": {"user": "x"}}, [])
    flaw = Auditor(house.store).run().flaw
    assert flaw is not None and "needs a second person" in flaw.what
