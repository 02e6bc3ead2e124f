"""What a wager is paid: odds, a push, or nothing."""

import re
from dataclasses import dataclass
from fractions import Fraction

from houseway.refusal import Refused

_ODDS = re.compile(r"(\d{1,6})\s*(?:to|:)\s*(\d{1,3})")


@dataclass(frozen=True)
class Pay:
    """The player's net win for each unit staked.

    >>> Pay.parse("3 to 2").net, Pay.parse("push").net, Pay.parse("lose").net
    (Fraction(3, 2), Fraction(0, 1), Fraction(-1, 1))
    """

    net: Fraction

    @classmethod
    def parse(cls, text: str) -> "Pay":
        """Read `40 to 1`, `3:2`, `push`, `lose` or `lose half`."""
        named = {"push": PUSH, "lose": LOSE, "lose half": LOSE_HALF}
        if text in named:
            return named[text]
        match = _ODDS.fullmatch(text)
        if not match or int(match[1]) == 0 or int(match[2]) == 0:
            raise Refused("bad-pay", f'"{text}" is not a pay (allowed: "40 to 1", "3 to 2", "push", "lose", "lose half")')
        return cls(Fraction(int(match[1]), int(match[2])))

    def __str__(self) -> str:
        won, for_ = self.net.numerator, self.net.denominator
        return _NAMED.get((won, for_)) or f"{won} to {for_}"


_NAMED = {(0, 1): "push", (-1, 1): "lose", (-1, 2): "lose half"}
PUSH = Pay(Fraction(0))
LOSE = Pay(Fraction(-1))
LOSE_HALF = Pay(Fraction(-1, 2))
