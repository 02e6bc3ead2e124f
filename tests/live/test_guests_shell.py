"""Guests, the patron file, the waitlist, the rotation and alerts in a shell: what a house types, on either database."""

import json
import shlex

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def shell(request, new_url, tmp_path, monkeypatch, run):
    monkeypatch.setenv("HOUSEWAY_STORE", new_url(request.param))
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))
    monkeypatch.setenv("HOUSEWAY_DUTIES", "two")

    def typed(line: str, code: int = 0) -> str:
        ended, printed, complaint = run(*shlex.split(line))
        assert ended == code, complaint or printed
        return complaint if code else printed

    return typed


def both(shell, line: str, first: str, second: str) -> str:
    shell(f"{line} --as {first}")
    number = json.loads(shell(f"requests --as {second} --format json"))[-1]["request"]
    return shell(f"requests confirm {number} --as {second}")


def test_a_day_of_the_host_and_the_office(shell):
    both(shell, "cage fund 100000", "root:administrator", "cat:cashier")
    shell("table open t1 --edition ez-baccarat-wa --source hand-keyed --opener 10000 --seats 2")
    assert "g-1001" in shell('patrons register --name "Ann Able" --born 1970-01-31 --guest ann')
    assert "Ann Able" in shell("patrons look ann --as sue:supervisor")
    assert "g-1001  Ann Able  (ann)" in shell("patrons find able")
    assert "g-1001 is not too young" in shell("patrons age ann")
    assert "take document, address first" in shell("patrons identified ann", code=2)
    shell('patrons change ann --document "ID 9" --address "1 Elm"')
    assert "were seen" in shell("patrons identified ann --as cat:cashier")
    shell("cage buy-in 2500 --guest ann")
    assert "ann: $2,500 in, $0 out today, papers seen" in shell("guests")
    shell("waitlist join --guest ann --edition ez-baccarat-wa")
    shell("waitlist call t1 1")
    assert "1: ann, EZ Baccarat (Washington), 0 minutes, called to seat 1 of t1" in shell("waitlist")
    shell("waitlist seat 1")
    assert "Nobody waits." in shell("waitlist")
    shell("table supervise t1 --as sue:supervisor")
    shell("staff break --as dora:dealer")
    assert "t1: dealer nobody; supervisor sue" in shell("staff") and "dora is on a break" in shell("staff")
    assert "act: t1 has guests and no dealer" in shell("alerts")
    assert "follows-count" in shell("alerts kinds")
    assert "alerts go to a URL" in shell("alerts set --to nowhere --as root:administrator", code=2)
    assert "--as" in shell("alerts set --to https://example.com/hook", code=2)
    assert "accounting may not say where alerts go" in shell("alerts set --to https://x.example --as amy:accounting", code=2)
    assert "alerts are posted nowhere" in shell("alerts test", code=2)
    assert "nobody in the patron file" in shell("patrons look zed", code=2).lower()
    assert "may not use the patron file" in shell("patrons find able --as al:auditor", code=2)


def test_a_purge_needs_two_in_the_shell_too(shell):
    both(shell, "cage fund 1000", "root:administrator", "cat:cashier")
    shell('patrons register --name "Ann Able"')
    asked = shell("patrons purge --as root:administrator")
    assert "Then give houseway patrons purge again" in asked
    number = json.loads(shell("requests --format json"))[-1]["request"]
    shell(f"requests confirm {number} --as sue:supervisor")
    assert "The personal data of 0 guests were removed" in shell("patrons purge --as root:administrator")
    assert "Ann Able" not in shell("journal export --format jsonl")


def test_a_house_that_has_every_guest_registered_says_so_in_the_shell(shell):
    both(shell, "cage fund 1000", "root:administrator", "cat:cashier")
    assert "every guest registered: no" in shell("house")
    both(shell, 'house set "every guest registered" yes', "root:administrator", "sue:supervisor")
    assert "every guest registered: yes (usual: no)" in shell("house")
    assert "bob is not registered" in shell("cage buy-in 100 --guest bob", code=2)
    shell('patrons register --name "Bob Baker" --guest bob')
    shell("cage buy-in 100 --guest bob")
    shell("audit")
