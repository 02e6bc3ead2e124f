"""Odds in exact integers and fractions; `published` compares them with published figures."""

from houseway.odds.par_sheet import ParSheet, Row, par_sheet
from houseway.odds.removal import removal_effects

__all__ = ["ParSheet", "Row", "par_sheet", "removal_effects"]
