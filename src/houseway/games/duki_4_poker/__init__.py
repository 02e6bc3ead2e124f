"""Duki 4 Poker: four cards, as many suits as possible."""

from .game import GAME

__all__ = ["GAME"]
