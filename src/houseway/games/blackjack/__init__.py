"""Blackjack, with the Lucky Lucky bonus wager."""

from .game import GAME

__all__ = ["GAME"]
