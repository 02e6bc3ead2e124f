"""Duki 4 Poker, solved."""
