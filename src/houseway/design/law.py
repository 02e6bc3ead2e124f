"""What in the law a design meets or not: of Washington's rules those that hang on pays and limits, with the day."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.table.washington import AGGREGATE_ODDS, check_aggregate, check_washington

TABLE_CENTS = 100_000
"""WAC 230-15-050: so much cash on hand for each table, beside the largest single prize."""


@dataclass(frozen=True)
class Requirement:
    """A rule, whether it is met, and why; `meets` is None of what a house has to see to, whatever is paid."""

    rule: str
    meets: bool | None
    says: str

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {"rule": self.rule, "meets": self.meets, "says": self.says}


def requirements(
    edition: Edition, wager: str, top: Fraction, prizes: Mapping[str, int], day: str, is_changed: bool
) -> list[Requirement]:
    """What the law of that day says of a wager that pays at most `top`, with these envy prizes, changed or as it pays now."""
    if edition.approval.jurisdiction != "Washington":
        where = edition.approval.jurisdiction or "an edition without an approval"
        says = f"no rules about pays are known here for {where}: a change needs whoever approves games there"
        return [Requirement("approval", False if is_changed else None, says)]
    limits = edition.wagers[wager].limits
    return [
        _approval(is_changed),
        _single_wager(edition, wager, limits.max_cents, day),
        *_aggregate(edition.name_of(wager), top, (limits.min_cents, limits.max_cents), day),
        _cash(limits.max_cents, top),
        _posting(prizes),
    ]


def _approval(is_changed: bool) -> Requirement:
    rule = "WAC 230-15-035"
    if is_changed:
        return Requirement(rule, False, "every change of a game needs the director's approval before it is dealt")
    return Requirement(rule, None, "it pays as it does now: nothing here needs another approval")


def _single_wager(edition: Edition, wager: str, most: int, day: str) -> Requirement:
    rule = "WAC 230-15-140"
    try:
        check_washington(edition, {wager: most}, day)
    except Refused as refused:
        return Requirement(rule, False, refused.message)
    return Requirement(rule, True, f"the highest wager, {dollars(most)}, is within the law on {day}")


def _aggregate(name: str, top: Fraction, bounds: tuple[int, int], day: str) -> list[Requirement]:
    """WAC 230-15-490: whether an aggregate payout limit may be used, and the least that the law takes."""
    rule = "WAC 230-15-490"
    one = f"one winner at {dollars(bounds[1])} is paid {dollars(int(bounds[1] * top))}"
    if top < AGGREGATE_ODDS:
        return [Requirement(rule, None, f"no aggregate payout limit may be used: the top odds are below 50 to 1; {one}")]
    floor = bounds[1] * AGGREGATE_ODDS
    try:
        check_aggregate(name, top, bounds, floor, day)
    except Refused as refused:
        return [Requirement(rule, False, refused.message)]
    return [Requirement(rule, True, f"an aggregate payout limit may be used, from {dollars(floor)} on; else {one}")]


def _cash(most: int, top: Fraction) -> Requirement:
    prize = int(most * top)
    says = f"cash on hand: {dollars(TABLE_CENTS)} a table and the largest single prize, here {dollars(prize)}"
    return Requirement("WAC 230-15-050", None, says)


def _posting(prizes: Mapping[str, int]) -> Requirement:
    fixed = f" and {len(prizes)} fixed envy prizes" if prizes else ""
    return Requirement("WAC 230-15-060", None, f"all odds{fixed} are posted at the table before it is dealt")
