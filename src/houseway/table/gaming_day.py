"""When the house's day begins, and its shifts: by the clock on its wall, not at midnight.

The gaming day is that of every entry, written into it. A shift follows from when an entry was written and from the rules of
that moment, so that a past day is told by its own rules.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from houseway.refusal import Refused
from houseway.table.commands import Command
from houseway.table.house_rules import house_rule, number_rule
from houseway.table.state import House

DAY_STARTS_HOUR = 6
"""When the day of a house begins that says nothing else: at this hour of UTC."""
MOST_SHIFTS = 6
_SHIFT = re.compile(r"([a-z][a-z0-9-]{0,11}) ([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


@dataclass(frozen=True)
class Shift:
    """A shift of the house, and how many minutes after midnight it begins."""

    name: str
    begins: int


def _zone(written: str) -> ZoneInfo:
    try:
        return ZoneInfo(written)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("no zone of that name is known") from None


def _shifts(written: str) -> tuple[Shift, ...]:
    shifts = []
    for part in written.split(", "):
        if not (found := _SHIFT.fullmatch(part)):
            raise ValueError(f'"{part[:20]}" is no name with a time')
        shifts.append(Shift(found[1], int(found[2]) * 60 + int(found[3])))
    after_first = [(shift.begins - shifts[0].begins) % 1440 for shift in shifts]
    if len({shift.name for shift in shifts}) < len(shifts) or len(shifts) > MOST_SHIFTS:
        raise ValueError(f"a day has at most {MOST_SHIFTS} shifts, each with a name of its own")
    if any(later <= earlier for earlier, later in pairwise(after_first)):
        raise ValueError("they follow one another within a day")
    return tuple(shifts)


def _never_back(house: House, command: Command) -> None:
    """A day that was begun is not taken back: what was counted in it would be of another."""
    if "at" not in command:
        return
    day = gaming_day(datetime.fromisoformat(str(command["at"])), house)
    if day < str(command["day"]):
        why = f"by that rule it would still be {day}, and {command['day']} has begun"
        raise Refused("day-goes-back", f"{why}: set it when the day of the new rule has begun too")


TIME_ZONE = house_rule(
    "time zone", "the zone of the house's clock", "UTC", "a zone such as America/Los_Angeles", _zone, check_now=_never_back
)
SHIFTS = house_rule(
    "shifts",
    "the shifts of a day; the gaming day begins with the first",
    f"day {DAY_STARTS_HOUR:02}:00, swing 14:00, grave 22:00",
    'names with times, such as "day 06:00, swing 14:00, grave 22:00"',
    _shifts,
    check_now=_never_back,
)
# How the books of a day are told: declared here and not where they are read, for a journal may name them
PAUSE = number_rule("rating pause", "after how many minutes without a round somebody has left the table", 20, 1, 240)
COMPS = number_rule("comp percent", "how many per cent of a guest's theoretical loss he may be given as comps", 20, 0, 100)
CHANCE = number_rule(
    "side-bet chance",
    "results of a wager are told that chance brings to one table on fewer than one of so many days",
    1_000,
    20,
    1_000_000,
)


def gaming_day(at: datetime, house: House) -> str:
    """The day a moment belongs to: it begins with the first shift, not at midnight."""
    return day_and_shift(at, house.rules)[0]


def shift_of(at: datetime, house: House) -> str:
    """The shift a moment belongs to."""
    return day_and_shift(at, house.rules)[1]


def day_and_shift(at: datetime, rules: Mapping[str, str]) -> tuple[str, str]:
    """The gaming day and the shift of a moment, by the rules that a house has set.

    >>> day_and_shift(datetime.fromisoformat("2026-11-18T05:59:59+00:00"), {})
    ('2026-11-17', 'grave')
    """
    local, shifts = at.astimezone(TIME_ZONE.set_in(rules)), SHIFTS.set_in(rules)
    first = shifts[0].begins
    minutes = (local.hour * 60 + local.minute - first) % 1440
    name = next(shift.name for shift in reversed(shifts) if (shift.begins - first) % 1440 <= minutes)
    return (local - timedelta(minutes=first)).date().isoformat(), name


def shift_names(rules: Mapping[str, str]) -> tuple[str, ...]:
    """The shifts of a day, in their order."""
    return tuple(shift.name for shift in SHIFTS.set_in(rules))
