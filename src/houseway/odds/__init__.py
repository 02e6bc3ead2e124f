"""Odds in exact integers and fractions, and the comparison with published figures."""

from houseway.odds.par_sheet import ParSheet, Row, par_sheet
from houseway.odds.published import Finding, verify
from houseway.odds.removal import removal_effects

__all__ = ["Finding", "ParSheet", "Row", "par_sheet", "removal_effects", "verify"]
