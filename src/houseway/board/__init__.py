"""Scoreboards: roads and statistics as pure functions of results."""

from houseway.board.history import QUEEN_HIGH, Ended, Ends, Finished, Hit, Summary, summary
from houseway.board.roads import (
    CYCLES,
    Cell,
    Counts,
    Place,
    RoadHand,
    Stroke,
    bead_plate,
    big_road,
    counts,
    crop,
    derived,
    derived_road,
    next_hand,
    parse_hands,
)
from houseway.board.scorecard import Scorecard

__all__ = [
    "CYCLES",
    "QUEEN_HIGH",
    "Cell",
    "Counts",
    "Ended",
    "Ends",
    "Finished",
    "Hit",
    "Place",
    "RoadHand",
    "Scorecard",
    "Stroke",
    "Summary",
    "bead_plate",
    "big_road",
    "counts",
    "crop",
    "derived",
    "derived_road",
    "next_hand",
    "parse_hands",
    "summary",
]
