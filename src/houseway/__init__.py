"""Houseway: play it, pay it, prove it, from one rulebook per game.

>>> import houseway as hw
>>> float(hw.edition("ez-baccarat-wa").odds(decks=6)["dragon-7"].house_edge)
0.07606190477408634
>>> hw.edition("ez-baccarat-wa").settle("9s 7h Kd 3c", "banker=100,tie=5").win_cents
-10500
"""

from typing import TYPE_CHECKING

from houseway.refusal import Refused
from houseway.release import VERSION

if TYPE_CHECKING:
    from houseway.api import Rulebook

__version__ = VERSION
__all__ = ["Refused", "__version__", "edition", "editions"]


def edition(name: str) -> "Rulebook":
    """An edition by name, or from the path of a TOML file of one's own."""
    from houseway.api import Rulebook

    return Rulebook.open(name)


def editions() -> "list[Rulebook]":
    """Every edition that comes with Houseway."""
    from houseway.api import Rulebook
    from houseway.games import edition_files

    return [Rulebook.open(name) for name in edition_files()]
