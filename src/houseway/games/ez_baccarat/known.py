"""How the rules of EZ Baccarat read a hand that is half dealt."""

from collections.abc import Mapping

from houseway.kernels.compiled import Ints
from houseway.odds.known import HalfTape, KnownCards, Reads
from houseway.rulebook.game import Value

from .game import CLASSES, GAME, count
from .rules import resolve

CARDS = 6


def _both_hands(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape:
    """Six cards in the order in which they leave the shoe; those that the rules do not draw are not looked at."""
    unknown = CARDS - len(known.common)
    return HalfTape(resolve, (*known.common, *(None,) * unknown), (1,) * unknown, encoded, CLASSES)


KNOWN: dict[str, Reads] = {name: _both_hands for name, wager in GAME.wagers.items() if wager.count is count}
