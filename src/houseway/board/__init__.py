"""Scoreboards: roads and statistics as pure functions of results."""

from houseway.board.history import Ended, Ends, Finished, Hit, Summary, summary
from houseway.board.keypad import KeyedHand, KeyedRound, Keypad
from houseway.board.results import Flag, Results, Winner
from houseway.board.roads import (
    CYCLES,
    Cell,
    RoadHand,
    RoadPlace,
    Stroke,
    bead_plate,
    big_road,
    derived,
    derived_road,
    next_hand,
)
from houseway.board.scorecard import Scorecard

__all__ = [
    "CYCLES",
    "Cell",
    "Ended",
    "Ends",
    "Finished",
    "Flag",
    "Hit",
    "KeyedHand",
    "KeyedRound",
    "Keypad",
    "Results",
    "RoadHand",
    "RoadPlace",
    "Scorecard",
    "Stroke",
    "Summary",
    "Winner",
    "bead_plate",
    "big_road",
    "derived",
    "derived_road",
    "next_hand",
    "summary",
]
