"""Dragon Tiger: one card each, the higher wins. A game outside the package: this folder is all there is of it."""

from .game import GAME

__all__ = ["GAME"]
