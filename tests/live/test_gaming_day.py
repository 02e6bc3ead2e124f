"""The house's day and its shifts: by its own clock, as it has set them, and never backwards."""

from datetime import UTC, datetime, timedelta

import pytest

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.gaming_day import gaming_day, shift_of
from houseway.table.state import House

ROOT = Actor("root", "administrator")
SEATTLE = {"time zone": "America/Los_Angeles", "shifts": "early 04:30, late 16:00"}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "rules", "day", "shift"),
    [
        ("2026-11-18T05:59:59", {}, "2026-11-17", "grave"),
        ("2026-11-18T06:00:00", {}, "2026-11-18", "day"),
        ("2026-11-18T13:59:59", {}, "2026-11-18", "day"),
        ("2026-11-18T22:00:00", {}, "2026-11-18", "grave"),
        ("2026-11-18T12:29:59", SEATTLE, "2026-11-17", "late"),  # 4:29 in Seattle, in winter
        ("2026-11-18T12:30:00", SEATTLE, "2026-11-18", "early"),
        ("2026-07-18T11:30:00", SEATTLE, "2026-07-18", "early"),  # and 4:30 in summer
        ("2026-07-18T11:29:59", SEATTLE, "2026-07-17", "late"),
        ("2026-11-01T08:30:00", SEATTLE, "2026-10-31", "late"),  # 1:30, which comes twice that night
        ("2026-11-01T09:30:00", SEATTLE, "2026-10-31", "late"),
        ("2026-11-01T12:30:00", SEATTLE, "2026-11-01", "early"),
    ],
)
def test_a_moment_has_a_day_and_a_shift(at, rules, day, shift):
    house = House(rules=rules)
    assert (gaming_day(moment(at), house), shift_of(moment(at), house)) == (day, shift)


@pytest.fixture
def clock():
    return [moment("2026-11-18T10:00:00")]


@pytest.fixture
def floor(tmp_path, clock):
    return Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", lambda: clock[0], begins="one")


def set_rule(floor, rule, value):
    return floor.do({"kind": "house-rule", "rule": rule, "value": value}, ROOT)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("time zone", "Mars/Olympus"),
        ("time zone", "../etc/passwd"),
        ("time zone", ""),
        ("shifts", ""),
        ("shifts", "day"),
        ("shifts", "day 6:00"),
        ("shifts", "day 24:00"),
        ("shifts", "day 06:00, day 14:00"),
        ("shifts", "day 06:00, swing 06:00"),
        ("shifts", "day 06:00, grave 22:00, swing 14:00"),
        ("shifts", "a 01:00, b 02:00, c 03:00, d 04:00, e 05:00, f 06:00, g 07:00"),
    ],
)
def test_what_is_no_zone_and_no_shift_is_refused(floor, rule, value):
    with pytest.raises(Refused) as refused:
        set_rule(floor, rule, value)
    assert refused.value.code in {"bad-house-rule", "bad-command"} and not floor.state.rules


def test_entries_are_of_the_houses_own_day(floor, clock, tmp_path):
    changing = set_rule(floor, "shifts", "day 09:00, night 21:00")
    assert changing.day == "2026-11-18"
    clock[0] = moment("2026-11-19T08:59:00")
    assert floor.do({"kind": "fund", "cents": 100}, ROOT).day == "2026-11-18"
    clock[0] += timedelta(minutes=1)
    assert floor.do({"kind": "fund", "cents": 100}, ROOT).day == "2026-11-19"
    again = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", lambda: clock[0])
    assert again.refresh() == floor.state
    assert not Auditor(floor.store).run().flaws


def test_a_day_that_has_begun_is_not_taken_back(floor, clock):
    floor.do({"kind": "fund", "cents": 100}, ROOT)
    with pytest.raises(Refused, match="2026-11-18 has begun") as refused:
        set_rule(floor, "shifts", "day 12:00")
    assert refused.value.code == "day-goes-back" and not floor.state.rules
    clock[0] = moment("2026-11-18T12:00:00")
    assert set_rule(floor, "shifts", "day 12:00").day == "2026-11-18"


def test_a_rule_may_bring_the_next_day_early(floor, clock):
    clock[0] = moment("2026-11-18T05:00:00")
    assert set_rule(floor, "shifts", "day 04:00").day == "2026-11-17", "the change itself is still of the day before"
    assert floor.do({"kind": "fund", "cents": 100}, ROOT).day == "2026-11-18"
    assert not Auditor(floor.store).run().flaws
