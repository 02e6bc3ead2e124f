"""Blackjack, solved: the analysis of any shoe, charts, every result."""
