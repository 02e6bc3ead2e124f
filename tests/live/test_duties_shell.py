"""Second persons in the shell: what is asked for, listed, confirmed, declined; the table of duties and its limits."""

import json

import pytest


@pytest.fixture
def shell(bare_shell, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_DUTIES", "two")
    return bare_shell


def test_a_request_is_told_listed_and_confirmed(shell):
    said = shell("cage fund 1000 --as root:administrator")
    assert said.startswith(
        "Asked: request 1 (Cash from outside into the cage) needs a supervisor, a cashier or an administrator"
    )
    assert "other than root; it lapses at " in said and said.count("\n") == 1
    assert shell("cage balances") == ""
    listed = shell("requests")
    assert "1: Cash from outside into the cage: $1,000" in listed and "asked by root (administrator)" in listed
    assert "somebody else confirms it" in shell("confirm 1 --as root:administrator", code=2)
    assert "an auditor may not confirm it" in shell("confirm 1 --as aud:auditor", code=2)
    done = shell("confirm 1 --as sue:supervisor")
    assert done == "$1,000 comes into the cage\nAsked by root, confirmed by sue\n"
    assert "no request 1 waits" in shell("confirm 1 --as sam:supervisor", code=2)
    assert shell("requests") == "Nothing waits for a second person.\n"
    assert "no flaw found" in shell("audit")


def test_a_request_is_declined_with_a_reason(shell):
    shell("cage fund 1000 --as root:administrator")
    assert "--because" in shell("decline 1 --as sue:supervisor", code=2)
    said = shell('decline 1 --because "not today" --as sue:supervisor')
    assert said == "Request 1 of root (Cash from outside into the cage) is declined: not today\n"
    shell("cage fund 1000 --as root:administrator")
    shell("requests decline 2 --reason again --as sue:supervisor")
    assert json.loads(shell("requests --format json")) == []


def test_the_table_of_duties_is_listed_and_set(shell):
    listed = shell("duties")
    assert listed.startswith("This house works with two names")
    for words in ("cash-out", "above $3,000", "second person: supervisor or administrator, who had no hand in the round"):
        assert words in listed, words
    shell("cage fund 1000 --as root:administrator")
    shell("confirm 1 --as sue:supervisor")
    shell("duties set --limit buy-in=50 --minutes 5 --as root:administrator")
    said = shell("confirm 2 --as olga:administrator")
    assert said.startswith(
        "Two names are needed; a request waits 5 minutes; own limits: Sell a guest chips at the cage above $50"
    )
    rows = {duty["act"]: duty for duty in json.loads(shell("duties --format json"))["duties"]}
    assert rows["buy-in"]["limit_cents"] == 5_000 and rows["correct"]["limit_cents"] is None
    assert shell("cage buy-in 51 --guest ann --as cat:cashier").startswith("Asked: request 3")


def test_a_house_of_one_says_so(shell):
    shell("duties set --names one --as root:administrator")
    assert shell("cage fund 1000 --as root:administrator") == "$1,000 comes into the cage\n"
    assert shell("duties").startswith("This house works with one name")
    assert "This house works with one name" in shell("audit")
    assert "unknown names" in shell("duties set --names three --as root:administrator", code=2)


def test_dealers_sign_on_and_off(shell):
    for command, second in (("cage fund 100000 --as root:administrator", 1),):
        shell(command)
        shell(f"confirm {second} --as sue:supervisor")
    shell("table open t1 --edition ez-baccarat-wa --opener 1000 --source hand-keyed --as sue:supervisor")
    assert "dan is not on t1 (nobody is)" in shell("table no-more-bets t1 --as dan:dealer", code=2)
    assert shell("table sign-on t1 --as dan:dealer") == "dan is on the table\n"
    assert shell("table sign-on t1 --as sue:supervisor") == "sue is on the table and takes over from dan\n"
    assert shell("table sign-off t1 --as sue:supervisor") == "sue is off the table\n"


def test_nobody_plays_alone_on_the_store_of_a_house_of_two(shell, tmp_path):
    store = f"sqlite:///{tmp_path / 'house.db'}"
    assert "this house works with two names" in shell(f"play ez-baccarat-wa --store {store}", code=2)
