"""Blackjack, with the Lucky Lucky bonus wager."""

from houseway.games.blackjack.game import GAME

__all__ = ["GAME"]
