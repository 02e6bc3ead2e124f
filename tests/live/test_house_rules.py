"""Rules that a house sets for itself: declared once, kept in the journal as written, changed by two."""

import importlib
import json
import subprocess
import sys

import pytest

from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.house_rules import HOUSE_RULES, OPERATOR, amount_rule, number_rule

ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")


@pytest.fixture
def floor(tmp_path):
    return Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", begins="two")


def test_a_rule_is_set_by_two_and_outlives_a_restart(floor, tmp_path):
    asked = floor.do({"kind": "house-rule", "rule": "operator", "value": "Kai's card room"}, ROOT)
    assert asked.kind == "requested" and OPERATOR.of(floor.state) == "Houseway"
    floor.do({"kind": "confirm", "request": 1}, SUE)
    again = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key")
    assert OPERATOR.of(again.refresh()) == "Kai's card room"


@pytest.mark.parametrize(
    ("rule", "value", "code"), [("nonsense", "1", "unknown-house-rule"), ("operator", "x" * 61, "bad-house-rule")]
)
def test_what_is_no_rule_or_no_value_of_it_changes_nothing(floor, rule, value, code):
    with pytest.raises(Refused) as refused:
        floor.do({"kind": "house-rule", "rule": rule, "value": value}, ROOT)
    assert refused.value.code == code and not floor.state.requests and not floor.state.rules


def test_every_process_knows_every_rule():
    """Journals are folded by programs that load this room only: a rule declared above it made a house unreadable for them."""
    folding = "import json; from houseway.house import audit; from houseway.table.house_rules import HOUSE_RULES"
    ran = subprocess.run(
        [sys.executable, "-c", f"{folding}; print(json.dumps(sorted(HOUSE_RULES)))"], capture_output=True, check=True, text=True
    )
    importlib.import_module("houseway.web.app")
    assert json.loads(ran.stdout) == sorted(HOUSE_RULES) and "slip minutes" in HOUSE_RULES and "alert minutes" in HOUSE_RULES


@pytest.mark.parametrize("rule", ["slip minutes", "alert minutes"])
def test_a_house_that_has_set_what_only_its_server_asks_is_read_by_another_process(floor, tmp_path, rule):
    floor.do({"kind": "house-rule", "rule": rule, "value": "15"}, ROOT)
    floor.do({"kind": "confirm", "request": 1}, SUE)
    code = "import sys; from houseway.house.audit import Auditor; from houseway.house.store import Store; "
    code += "print(Auditor(Store(sys.argv[1])).run().flaws)"
    command = [sys.executable, "-c", code, f"sqlite:///{tmp_path / 'house.db'}"]
    assert subprocess.run(command, capture_output=True, check=True, text=True).stdout == "()\n"


def test_numbers_and_amounts_are_read_strictly():
    number = number_rule("a number of this test", "for this test", 5, 1, 9)
    amount = amount_rule("an amount of this test", "for this test", 300_000)
    try:
        assert number.read("7") == 7 and amount.read("$3,000") == amount.read("3000.00") == 300_000
        for rule, written in (
            (number, "0"),
            (number, "-1"),
            (number, "1.5"),
            (number, "x"),
            (amount, "-3"),
            (amount, "$1.005"),
        ):
            with pytest.raises(Refused, match="is not"):
                rule.check(written)
    finally:
        del HOUSE_RULES[number.name], HOUSE_RULES[amount.name]
