"""The accounts of a store that several processes share."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from houseway.house import schema
from houseway.house.accounts import Accounts
from houseway.house.floor import Actor
from houseway.house.people import People, Person
from houseway.refusal import Refused

PASSWORD = "green felt, seven doors"
HOUSE = Actor("house", "supervisor")
ROOT = Actor("Root One", "administrator")


@pytest.fixture
def processes(store_url, open_floor):
    """Four processes on one store."""
    floors = [open_floor(store_url) for _ in range(4)]
    return [Accounts(People(floor.store), floor) for floor in floors]


def outcome(work, *given) -> str:
    """What came of it: nothing to complain of, or the code of the refusal."""
    try:
        work(*given)
    except Refused as refused:
        return refused.code
    return "done"


def at_once(works) -> list[str]:
    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(lambda work: outcome(*work), works))


def test_of_many_who_add_the_same_names_at_once_one_succeeds_each_time(processes, monkeypatch) -> None:
    monkeypatch.setattr("houseway.house.passwords.hashed", lambda password: "hash")  # 100 would take their time

    def add_all(accounts: Accounts) -> list[str]:
        return [outcome(accounts.add, f"person {number}", "dealer", PASSWORD, HOUSE) for number in range(25)]

    with ThreadPoolExecutor(len(processes)) as pool:
        added = list(pool.map(add_all, processes))
    assert [sorted(one) for one in zip(*added, strict=True)] == [["done", *["name-taken"] * 3]] * 25
    assert len(processes[0].people.all()) == 25
    notes = [entry for entry in processes[0].people.store.entries() if entry.kind == "person-added"]
    assert len(notes) == 25, "what was refused is not in the journal"


@pytest.mark.parametrize("act", ["demote", "remove"])
@pytest.mark.parametrize("turn", range(3))
def test_of_two_administrators_who_demote_each_other_at_once_one_is_refused(processes, act, turn) -> None:
    first, second = processes[:2]
    for name in ("Ada", "Ida"):
        first.add(name, "administrator", PASSWORD, HOUSE)
    ada, ida = Actor("Ada", "administrator"), Actor("Ida", "administrator")
    if act == "demote":
        came = at_once([(first.change, "Ida", ada, "dealer"), (second.change, "Ada", ida, "dealer")])
    else:
        came = at_once([(first.remove, "Ida", ada), (second.remove, "Ada", ida)])
    assert sorted(came)[0] == "done" and came.count("done") == 1, came
    assert set(came) <= {"done", "role-may-not", "last-administrator"}
    assert [person.role for person in first.people.all() if person.role == "administrator"] == ["administrator"]


@pytest.mark.parametrize("by", [HOUSE, Actor("office", "administrator", shell="root")])
def test_the_last_administrator_stays_whoever_asks(processes, by) -> None:
    accounts = processes[0]
    accounts.add("Ada", "administrator", PASSWORD, HOUSE)
    accounts.add("Dan", "dealer", PASSWORD, HOUSE)
    for work in ((accounts.change, "Ada", by, "dealer"), (accounts.remove, "Ada", by)):
        before = accounts.people.all(), accounts.people.store.head()
        assert outcome(*work) == "last-administrator"
        assert (accounts.people.all(), accounts.people.store.head()) == before, "nothing changed, nothing noted"
    accounts.add("Ida", "administrator", PASSWORD, by)
    assert outcome(accounts.change, "Ada", by, "dealer") == "done"


def test_a_password_that_somebody_else_chose_is_changed_at_the_next_log_in(processes) -> None:
    accounts = processes[0]
    own, office = Actor("Ada", "administrator"), Actor("office", "administrator", shell="root")
    assert not accounts.add("Ada", "administrator", PASSWORD, HOUSE).must_change, "the house is nobody"
    assert accounts.add("Dan", "dealer", PASSWORD, own).must_change
    assert accounts.add("Eve", "dealer", PASSWORD, office).must_change
    accounts.change_own_password(Actor("Dan", "dealer"), f"{PASSWORD}, one moon")
    assert not accounts.people.find("Dan").must_change
    assert accounts.change("Dan", own, password=PASSWORD).must_change
    assert not accounts.change("Ada", own, password=f"{PASSWORD}, two moons").must_change


def test_an_account_and_its_note_are_written_together_or_not_at_all(processes, monkeypatch) -> None:
    accounts = processes[0]
    accounts.add("Ada", "administrator", PASSWORD, HOUSE)
    before = accounts.people.all()

    def fails(*_: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("houseway.house.store.Writer.append", fails)
    with pytest.raises(RuntimeError):
        accounts.add("Dan", "dealer", PASSWORD, HOUSE)
    assert accounts.people.all() == before


def test_a_person_of_an_older_store_is_not_locked_any_more(store_url, open_store, open_floor) -> None:
    """A store of version 3, as it was before: an administrator whom three strangers' requests locked out for ever."""
    store = open_store(store_url)
    with store.engine.begin() as connection:
        for table in ("attempts", "known_browsers", "failed_logins", "house_settings"):
            connection.execute(text(f"DROP TABLE {table}"))
        for table, columns in {
            "people": ("must_change", "secret", "offered_secret", "used_step", "recovery"),
            "sessions": ("locked", "source", "browser"),
        }.items():
            for column in columns:
                connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        old = "INSERT INTO people (name, role, password, failures, locked) VALUES ('Ada', 'administrator', 'hash', 3, 1)"
        connection.execute(text(old))
        schema._know_people_better(connection)
    people = People(open_floor(store_url).store)
    assert people.all() == [Person("Ada", "administrator", "hash")]
    with people.store.reading() as connection:
        assert connection.execute(text("SELECT failures, locked FROM people")).one() == (0, 0)
