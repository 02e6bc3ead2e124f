"""Casino War: the higher card wins, and a tie is war. A game outside the package: this folder is all there is of it."""

from .game import GAME

__all__ = ["GAME"]
