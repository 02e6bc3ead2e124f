"""Money is integer cents; people read dollars, and a dealer cuts chips."""

import re
from fractions import Fraction

from houseway.refusal import Refused

_DOLLARS = re.compile(r"\$?([0-9]{1,12}(?:\.[0-9]{1,12})?)")


def dollars(cents: int) -> str:
    """Cents as dollars.

    >>> dollars(125000), dollars(-50)
    ('$1,250', '-$0.50')
    """
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}${cents // 100:,}" + (f".{cents % 100:02}" if cents % 100 else "")


def parse_cents(text: str, what: str, kind: str = "a bet", least: int = 1) -> int:
    """Dollars as cents: `12`, `12.5` or `$12.50`; `kind` is what a refusal says that it is not, `least` 0 allows nothing.

    >>> parse_cents("12.50", "banker"), parse_cents("0", "stake", least=0)
    (1250, 0)
    """
    amount = _DOLLARS.fullmatch(text.strip())
    cents = Fraction(amount[1]) * 100 if amount else Fraction(-1)
    if cents < least or cents.denominator != 1:
        wanted = f"{'a positive' if least else 'an'} amount in dollars and whole cents is required"
        raise Refused("bad-bet", f'{what}: "{text[:20]}" is not {kind} ({wanted})')
    return int(cents)


CHIPS = (
    (100_000, "yellow"),
    (50_000, "purple"),
    (10_000, "black"),
    (2_500, "green"),
    (500, "red"),
    (100, "white"),
    (50, "half"),
)
COLOURS = dict(CHIPS)
"""What a chip of so many cents is called."""


def in_chips(cents: int) -> str:
    """The fewest chips for an amount, largest first.

    >>> in_chips(20000), in_chips(3750)
    ('2 black', '1 green, 2 red, 2 white, 1 half')
    """
    parts = []
    for value, colour in CHIPS:
        if cents >= value:
            parts.append(f"{cents // value} {colour}")
            cents %= value
    if cents:
        parts.append(f"{cents} cents")
    return ", ".join(parts)
