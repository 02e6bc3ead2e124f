"""EZ Pai Gow: pai gow poker without commission; the base wager pushes on the dealer's Queen-high Pai Gow."""

from .game import GAME

__all__ = ["GAME"]
