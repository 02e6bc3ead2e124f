"""EZ Baccarat: no commission; Banker pushes on a winning three-card 7."""

from .game import GAME

__all__ = ["GAME"]
