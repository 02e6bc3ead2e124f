"""`houseway people` on the house's own machine, and what the journal says of whoever used the shell."""

import io
import json
import os
import pwd
import re
import sys
from datetime import UTC, datetime

import pytest

from houseway.house.accounts import Accounts
from houseway.house.floor import Actor, Floor
from houseway.house.people import People
from houseway.house.replay import PastRounds
from houseway.house.store import Store
from houseway.table.event import FORM
from houseway.view import Reader
from houseway.view.unnamed import for_reader
from houseway.web.people import Door
from houseway.web.replay import replayed
from houseway.web.served import ServedHouse

PASSWORD, OTHER = "green felt, seven doors", "the moon ate my umbrella"
ME = pwd.getpwuid(os.getuid()).pw_name

BEGUN = {"form": FORM, "begins": "one"}


@pytest.fixture(params=["sqlite", "postgresql"])
def shell(request, new_url, tmp_path, monkeypatch, bare_shell):
    """The shell of the house's machine, on either database; what is piped in comes after the line."""
    monkeypatch.setenv("HOUSEWAY_STORE", new_url(request.param))

    def run(line: str, *typed: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{word}\n" for word in typed)))
        return bare_shell(line, code)

    return run


@pytest.fixture
def store(shell):
    opened = Store(os.environ["HOUSEWAY_STORE"])
    yield opened
    opened.engine.dispose()


def door_on(store: Store) -> Door:
    from pathlib import Path

    house = ServedHouse(Floor(store, Path(os.environ["HOUSEWAY_KEY"])))
    return Door(People(store), house)


def test_accounts_are_kept_in_the_shell(shell, store) -> None:
    assert "houseway people add NAME" in shell("people list")
    assert shell("people add Ada --role administrator", PASSWORD) == "Ada can log in as administrator\n"
    assert shell("people add Dan --role dealer", PASSWORD) == "Dan can log in as dealer\n"
    assert shell("people role Dan cashier") == "Dan is cashier now\n"
    listed = json.loads(shell("people list --format json"))
    assert [(person["name"], person["role"]) for person in listed["people"]] == [("Ada", "administrator"), ("Dan", "cashier")]
    assert shell("people remove Dan") == "Dan has no account any more\n"
    assert [person.name for person in People(store).all()] == ["Ada"]


@pytest.mark.parametrize(("line", "typed", "said"), [
    ("people add Dan --role dealer", "short", "a password has 12 to 200 characters"),
    ("people add Dan --role dealer", "password12345", "easily guessed"),
    ("people add croupier --role dealer", PASSWORD, "choose another name"),
    ("people add 'Аda' --role dealer", PASSWORD, "one writing"),
    ("people add ADA --role dealer", PASSWORD, "choose another name"),
    ("people add Dan --role king", PASSWORD, 'unknown role "king"'),
    ("people add Dan --role dealer --as sue:supervisor", PASSWORD, "may: administrator"),
    ("people role Ada dealer", "", "a house always has an administrator"),
    ("people remove Ada", "", "a house always has an administrator"),
    ("people reset Nobody", "", 'unknown person "Nobody"'),
    ("people password Ada", "wrong", "this is not the password of Ada"),
    ("people second-factor perhaps", "", "unknown second factor"),
    ("people revoke 0123", "", "there is no session"),
])  # fmt: skip
def test_what_is_refused_is_one_line_and_changes_nothing(shell, store, line: str, typed: str, said: str) -> None:
    shell("people add Ada --role administrator", PASSWORD)
    before = People(store).all(), store.head()
    told = shell(line, typed, code=2)
    assert said in told and told.count("\n") == 1
    assert (People(store).all(), store.head()) == before


def test_who_forgot_his_password_is_let_in_again_on_the_houses_own_machine(shell, store) -> None:
    shell("people add Ada --role administrator", PASSWORD)
    door = door_on(store)
    token, _ = door.log_in("Ada", PASSWORD)
    told = shell("people reset Ada")
    one_time = told.partition("the password ")[2].split()[0]
    assert door.who(token) is None
    token, _ = door.log_in("Ada", one_time)
    assert door.who(token).needs == "password"
    (note,) = [entry for entry in store.entries() if entry.kind == "person-reset"]
    assert (note.actor, note.role, note.data) == (
        "office", "administrator", {"name": "Ada", "role": "administrator", "shell": {"user": ME}} | BEGUN,
    )  # fmt: skip
    assert one_time not in "".join(entry.payload for entry in store.entries())


def test_a_password_is_changed_by_its_owner(shell, store) -> None:
    shell("people add Ada --role administrator", PASSWORD)
    assert "a new password" in shell("people password Ada", PASSWORD, OTHER)
    door = door_on(store)
    assert door.log_in("Ada", OTHER)
    assert "easily guessed" in shell("people password Ada", OTHER, "administrator1", code=2)


def test_wrong_passwords_in_the_shell_wait_too(shell, monkeypatch) -> None:
    moment = datetime.now(UTC)
    monkeypatch.setattr("houseway.house.floor.now", lambda: moment)  # however slow the machine is
    shell("people add Ada --role administrator", PASSWORD)
    for _ in range(3):
        assert "not the password" in shell("people password Ada", "wrong", OTHER, code=2)
    assert "try again in" in shell("people password Ada", PASSWORD, OTHER, code=2)


def test_sessions_are_listed_and_ended_in_the_shell(shell, store) -> None:
    shell("people add Ada --role administrator", PASSWORD)
    door = door_on(store)
    (first, _), (second, _) = door.log_in("Ada", PASSWORD), door.log_in("Ada", PASSWORD)
    listed = json.loads(shell("people sessions --format json"))
    assert [session["name"] for session in listed] == ["Ada", "Ada"]
    assert shell(f"people revoke {door.who(first).id}") == "1 session ended\n"
    assert door.who(first) is None and door.who(second)
    assert "Ada, administrator: since" in shell("people sessions Ada")
    assert shell("people revoke Ada") == "1 session ended\n"
    assert door.who(second) is None
    assert shell("people sessions") == "Nobody is logged in\n"


def test_a_second_factor_is_demanded_and_taken_off_in_the_shell(shell, store) -> None:
    shell("people add Ada --role administrator", PASSWORD)
    assert "optional" in shell("people second-factor")
    assert "demanded" in shell("people second-factor demanded")
    accounts = Accounts(People(store), door_on(store).house)
    accounts.offer_second_factor("Ada")
    assert "no second factor any more" in shell("people second-factor --off Ada")
    assert People(store).find("Ada").offered_secret == ""


# Who used the shell


def test_what_comes_from_the_shell_says_so(shell, store) -> None:
    shell('cage fund 100000 --as "sue the boss:administrator"')
    shell("table open t1 --edition ez-baccarat-wa --opener 2000 --source hand-keyed")
    shell("cage buy-in 100 --guest Ann")
    shell("table bet t1 banker=100 --guest Ann --seat 2 --as Ann:guest")
    shell("table void t1 --reason misdeal")
    shell("table void t1 --reason misdeal --as dan:dealer", code=2)
    entries = list(store.entries())
    assert [entry.actor for entry in entries if entry.kind == "fund"] == ["sue the boss"], "the name given"
    assert all(entry.data["shell"] == {"user": ME} for entry in entries if entry.actor != "house"), "and what it is"
    assert "attempt" in {entry.kind for entry in entries}
    door_on(store).house.do({"kind": "fund", "cents": 5}, Actor("root", "administrator"))
    assert "shell" not in list(store.entries())[-1].data, "what a page did does not"


def test_the_users_name_is_not_for_guests(shell, store) -> None:
    shell("cage fund 100000")
    shell("table open t1 --edition ez-baccarat-wa --opener 2000 --source hand-keyed")
    shell("cage buy-in 100 --guest Ann")
    shell("table bet t1 banker=100 --guest Ann --seat 2 --as Ann:guest")
    shell("table void t1 --reason misdeal --as sue:supervisor")
    replay = replayed(store, PastRounds(store).round(store.head()[0]))
    for entry in for_reader(replay, Reader())["entries"]:
        assert entry["hashed"] is None and entry["actor"] in {"Ann", "supervisor"}, entry["actor"]
    assert for_reader(replay, Reader("aud", "auditor")) == replay


@pytest.mark.parametrize("name", ["house", "House", "h0use", "door", "croupier", "demo cage"])
def test_nobody_calls_himself_the_house_in_the_shell(shell, store, name) -> None:
    assert "is no person" in shell(f"cage fund 10 --as '{name}:administrator'", code=2)
    assert store.head()[0] == 0


def test_no_sentence_of_a_replay_names_the_staff_to_guests(shell, store) -> None:
    shell("cage fund 100000")
    shell("table open t1 --edition ez-baccarat-wa --opener 2000 --source hand-keyed")
    shell("cage buy-in 100 --guest Ann")
    shell("table bet t1 banker=100 --guest Ann --seat 2 --as Ann:guest")
    shell("table sign-on t1 --as dan:dealer")
    shell("table sign-on t1 --as sue:supervisor")
    shell("table sign-off t1 --as sue:supervisor")
    shell("table void t1 --reason misdeal --as sue:supervisor")
    replay = replayed(store, PastRounds(store).round(store.head()[0]))
    words = [said for entry in for_reader(replay, Reader())["entries"] for said in entry["words"]]
    assert "A dealer is on the table" in words and "The dealer is off the table" in words
    assert "A supervisor is on the table and takes over from somebody else" in words
    for_guests = json.dumps(for_reader(replay, Reader()))
    assert not re.search(r"\b(dan|sue)\b", for_guests, re.IGNORECASE)
    assert "sue is on the table and takes over from dan" in json.dumps(for_reader(replay, Reader("aud", "auditor")))


def test_what_came_from_the_shell_folds_and_audits_as_ever(shell) -> None:
    shell("cage fund 100000")
    shell("people add Ada --role administrator", PASSWORD)
    shell("table open t1 --edition ez-baccarat-wa --opener 2000")
    assert "no flaw found" in shell("audit")
