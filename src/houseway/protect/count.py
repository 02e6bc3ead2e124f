"""A count: a tag for every card, and from what count on one bets."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from houseway.protect.protection import CARDS_COUNTED
from houseway.refusal import Refused

MOST_TAG = 1000


@dataclass(frozen=True)
class Count:
    """Tags for A, 2 to 9, T, and the count from which on one bets.

    It is a true count, for 52 unseen cards, unless it `start`s somewhere: then it is the running count itself.
    """

    tags: tuple[Fraction, ...]
    trigger: Fraction
    start: Fraction | None = None
    units: tuple[int, ...] = ()
    """Units bet by bins of counts, where bets differ (`spread`)."""

    @property
    def unit(self) -> int:
        """What makes tags and start whole numbers."""
        return lcm(*(tag.denominator for tag in self.tags), (self.start or Fraction(0)).denominator)

    @property
    def whole_tags(self) -> tuple[int, ...]:
        """The tags, times `unit`."""
        return tuple(int(tag * self.unit) for tag in self.tags)


def number(text: str, what: str) -> Fraction:
    """A decimal or a fraction, of a size that somebody can count with."""
    try:
        value = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        value = Fraction(MOST_TAG + 1)
    if abs(value) > MOST_TAG or value.denominator > MOST_TAG:
        raise Refused("bad-count", f'{what}: "{text.strip()[:20]}" is not a number such as 2, -1 or 0.5')
    return value


def parse_tags(text: str, copies: Sequence[int]) -> tuple[Fraction, ...]:
    """Tags as a list for A,2..9,T, or by name (`7=2,8=2`, all others 0); `copies` are the cards of each in the shoe.

    >>> [str(tag) for tag in parse_tags("8=2, 4=-0.5", [4] * 10)]
    ['0', '0', '0', '-1/2', '0', '0', '0', '2', '0', '0']
    """
    parts = [part for part in text.split(",") if part.strip()]
    if any("=" in part for part in parts):
        tags = [Fraction(0)] * len(CARDS_COUNTED)
        for part in parts:
            name, _, value = part.partition("=")
            card = {"10": "T"}.get(name.strip(), name.strip().upper())
            if card not in CARDS_COUNTED:
                raise Refused(
                    "bad-count", f'"{name.strip()[:20]}" is no card with a tag of its own (A, 2 to 9, T: tens and faces)'
                )
            tags[CARDS_COUNTED.index(card)] = number(value, f"tag of {card}")
    else:
        tags = [number(part, "tag") for part in parts]
        if len(tags) != len(CARDS_COUNTED):
            raise Refused("bad-count", f"{len(tags)} tags were given: ten are needed, for A,2,3,4,5,6,7,8,9,T")
    for card, tag, cards in zip(CARDS_COUNTED, tags, copies, strict=True):
        if tag and not cards:
            raise Refused("bad-count", f"{card} has a tag, and the shoe has no such card: its tag can only be 0")
    if not any(tags):
        raise Refused("bad-count", "all tags are 0: nothing is counted")
    return tuple(tags)
