"""What a report is printed on."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Paper:
    """A size, the size of the letters on it, and how many columns have room.

    `style` says how it looks: a report of many pages, a sheet on a wall (one page, in letters as large as have room on
    it), a card in a rack.
    """

    name: str
    width_mm: float
    height_mm: float
    margin_mm: float
    text_pt: float
    columns: int
    style: Literal["report", "sheet", "card"] = "report"


PAPERS = {
    paper.name: paper
    for paper in (
        Paper("a4", 210, 297, 18, 9.5, 2),
        Paper("letter", 215.9, 279.4, 18, 9.5, 2),
        Paper("wall", 420, 594, 26, 20, 1, "sheet"),
        Paper("card", 101.6, 228.6, 8, 7.6, 1, "card"),
    )
}
"""By name: A4, US letter, a sheet for a wall (A2), a rack card (4 by 9 inches)."""
