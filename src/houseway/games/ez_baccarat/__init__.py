"""EZ Baccarat: no commission; Banker pushes on a winning three-card 7."""

from houseway.games.ez_baccarat.game import GAME

__all__ = ["GAME"]
