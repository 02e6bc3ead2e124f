"""What a house settles for itself beside its editions and its duties, such as its chips or when its day begins.

Each rule is declared once, in this room, with what it means and what it may be: every process that folds a journal loads all
of it, and so knows every rule that the journal may set. What a house has set stands there as it was written; what it has not
set is as the declaration says. So any past day is told by the rules of that day.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from houseway.money import dollars, parse_cents
from houseway.refusal import Refused, one_of
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, text
from houseway.table.event import FORM
from houseway.table.fields import RULE, VALUE
from houseway.table.house_events import HouseRuleSet
from houseway.table.roles import ADMINISTRATORS
from houseway.table.state import House, changed
from houseway.table.unfold import Draw

T = TypeVar("T")


@dataclass(frozen=True)
class HouseRule(Generic[T]):
    """A rule of the house: `usual` is what it is unless a house says otherwise, `wanted` what may be said.

    `read` makes the value of what is written, and refuses with a ValueError what is none. `applied` is the house once it is
    set, given what it was and what it is to be: it may refuse that in the state the house is in. `check_now` may refuse to set
    it at this time, seeing the house as it would be. `formerly` is another usual value, before a form of the journal.
    """

    name: str
    about: str
    usual: str
    wanted: str
    read: Callable[[str], T]
    applied: Callable[[House, str, str], House] = lambda house, before, written: house
    check_now: Callable[[House, Command], None] = lambda house, command: None
    formerly: tuple[int, str] | None = None

    def usual_at(self, form: int) -> str:
        """What it is unless a house says otherwise, for an entry of a form."""
        return self.formerly[1] if self.formerly and form < self.formerly[0] else self.usual

    def at(self, house: House, form: int) -> T:
        """What it is in a house, for an entry of a form."""
        value: T = _value(self, house.rules.get(self.name, self.usual_at(form)))
        return value

    def of(self, house: House) -> T:
        """What it is in a house."""
        return self.set_in(house.rules)

    def set_in(self, rules: Mapping[str, str]) -> T:
        """What it is where these rules are set, as they are written."""
        value: T = _value(self, rules.get(self.name, self.usual))
        return value

    def check(self, written: str) -> None:
        """Refuse what is no value of it."""
        try:
            self.read(written)
        except ValueError as error:
            why = f": {error}" if str(error) else ""
            raise Refused("bad-house-rule", f"{self.name}: {written[:40]!r} is not {self.wanted}{why}") from None


@lru_cache(maxsize=1_000)
def _value(rule: HouseRule[Any], written: str) -> Any:
    return rule.read(written)


HOUSE_RULES: dict[str, HouseRule[Any]] = {}
"""Every rule that a house may set."""


def house_rule(
    name: str,
    about: str,
    usual: str,
    wanted: str,
    read: Callable[[str], T],
    applied: Callable[[House, str, str], House] = lambda house, before, written: house,
    check_now: Callable[[House, Command], None] = lambda house, command: None,
    formerly: tuple[int, str] | None = None,
) -> HouseRule[T]:
    """Declare a rule of the house."""
    assert name not in HOUSE_RULES, f"{name} is declared twice"
    rule = HouseRule(name, about, usual, wanted, read, applied, check_now, formerly)
    rule.read(usual)  # what is usual can be read
    HOUSE_RULES[name] = rule
    return rule


def number_rule(name: str, about: str, usual: int, least: int, most: int) -> HouseRule[int]:
    """Declare a rule that is a whole number."""

    def read(written: str) -> int:
        number = int(written) if written.isascii() and written.isdigit() else -1
        if not least <= number <= most:
            raise ValueError
        return number

    return house_rule(name, about, str(usual), f"a whole number from {least} to {most}", read)


def amount_rule(name: str, about: str, usual_cents: int, most_cents: int = 100_000_000_00) -> HouseRule[int]:
    """Declare a rule that is an amount; it is written in dollars, and is in cents."""

    def read(written: str) -> int:
        try:
            cents = parse_cents(written.replace(",", ""), name, least=0)
        except Refused:
            raise ValueError from None
        if cents > most_cents:
            raise ValueError
        return cents

    return house_rule(name, about, dollars(usual_cents), f"an amount from $0 to {dollars(most_cents)}", read)


def choice_rule(name: str, about: str, *values: str, formerly: tuple[int, str] | None = None) -> HouseRule[str]:
    """Declare a rule that is one of some words; the first is usual."""

    def read(written: str) -> str:
        if written not in values:
            raise ValueError
        return written

    return house_rule(name, about, values[0], " or ".join(values), read, formerly=formerly)


@command(
    "house-rule",
    ADMINISTRATORS,
    "Set a rule of the house",
    RULE,
    VALUE,
    path="/house/rules",
    shell="house set",
    recorded_when_refused=True,
)
def _set(house: House, command: Command, draw: Draw) -> Effect:
    """What is usual again is said like any other value."""
    name, written = one_of("house rule", text(command, "rule"), HOUSE_RULES), text(command, "value")
    rule = HOUSE_RULES[name]
    rule.check(written)
    before = house.rules.get(name, rule.usual_at(command.get("form", FORM)))
    if before == written:
        raise Refused("nothing-to-change", f"{name} is {written} already")
    effect = Effect(changed(rule.applied(house, before, written), rules={**house.rules, name: written}))
    rule.check_now(effect.house, command)
    effect.tell(HouseRuleSet(name, before, written))
    return effect


def _name(written: str) -> str:
    if len(written) > 60:
        raise ValueError
    return written


OPERATOR = house_rule(
    "operator", "who runs the house, as slips and reports name it", "Houseway", "at most 60 characters", _name
)
SHOWN_MINUTES = number_rule("alert minutes", "for how many minutes an alert of something that happened is shown", 60, 1, 1_440)
