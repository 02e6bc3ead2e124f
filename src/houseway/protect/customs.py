"""Conventions: how shoes are dealt and watched. Published results differ by them, so they are settings, and are printed."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.counting import DECK
from houseway.refusal import Refused, number_of, one_of
from houseway.simulate.question import BURN, CUT_PERCENT

DIVISORS = {
    "cards": "unseen cards / 52",
    "half-decks": "unseen decks, to the nearest half",
    "decks": "unseen decks, to the nearest whole",
    "decks-up": "unseen decks, rounded up",
    "decks-down": "unseen decks, rounded down",
    "left": "cards left in the shoe / 52, as if burned cards had been seen",
}
"""What a running count is divided by."""


@dataclass(frozen=True)
class CounterCustoms:
    """`cut` cards lie behind the cut card; the round in which it comes is finished, and `extra` more are dealt.

    `burn` cards are burned, and where `burn_by_value` says so as many more as the last of them is worth, face down; the
    first ones are shown to all if `burn_shown`.
    """

    cut: int
    burn: int = BURN
    burn_by_value: bool = False
    burn_shown: bool = False
    extra: int = 0
    divisor: str = "cards"
    players: int = 1

    def data(self) -> dict[str, Any]:
        """As they are printed."""
        return asdict(self)

    def words(self) -> str:
        """In one line."""
        burned = "nothing burned"
        if self.burn:
            burned = f"{number_of(self.burn, 'card')} burned {'face up' if self.burn_shown else 'face down'}"
        more = " and as many more as it is worth face down" if self.burn_by_value else ""
        after = f" and {number_of(self.extra, 'more round')} dealt" if self.extra else ""
        dealt = (
            f"cut card {self.cut} from the end, its round finished{after}; {burned}{more}; {number_of(self.players, 'player')}"
        )
        return f"{dealt}; true count by {DIVISORS[self.divisor]}"

    def divisors(self, cards: int) -> Ints:
        """By the number of unseen (or left) cards, how many cards a running count is taken to be spread over."""
        unseen = np.arange(cards + 1, dtype=np.int64)
        half = DECK // 2
        table = {
            "cards": unseen,
            "left": unseen,
            "half-decks": (unseen + half // 2) // half * half,
            "decks": (unseen + half) // DECK * DECK,
            "decks-up": -(-unseen // DECK) * DECK,
            "decks-down": unseen // DECK * DECK,
        }[self.divisor]
        least = {"cards": 1, "left": 1, "half-decks": half}.get(self.divisor, DECK)
        return np.maximum(table, least)


def check_customs(customs: CounterCustoms, cards: int, least: int, burn_values: tuple[int, ...]) -> None:
    """Refuse what cannot be dealt: a round may not run out of cards, so that at least so many lie behind the cut card."""
    one_of("divisor", customs.divisor, DIVISORS)
    for name, value, most in (("cut", customs.cut, cards - 1), ("burn", customs.burn, cards - 1), ("extra", customs.extra, 20)):
        if not 0 <= value <= most:
            raise Refused("bad-setting", f"{name} {str(value)[:20]} is not possible: the shoe has {cards} cards (0 to {most})")
    if customs.burn_by_value and not (customs.burn and burn_values):
        raise Refused("bad-setting", "no card that is burned is worth a number of cards here: leave --burn-by-value out")
    if customs.cut < least:
        behind = f"{number_of(customs.cut, 'card')} behind the cut card"
        raise Refused("bad-cut", f"{behind} are too few: the last rounds may take {least + 1} (at least {least})")
    burned = customs.burn + (max(burn_values) if customs.burn_by_value else 0)
    if cards - burned <= customs.cut:
        left = f"the shoe has {cards} cards, of which {burned} may be burned"
        raise Refused("bad-cut", f"a cut card {customs.cut} from the end leaves nothing to deal: {left}")


def usual_cut(cards: int) -> int:
    """Cards behind the cut card, where nothing is said."""
    return cards - cards * CUT_PERCENT // 100
