"""Duki 4 Poker: four cards, as many suits as possible."""

from houseway.games.duki_4_poker.game import GAME

__all__ = ["GAME"]
