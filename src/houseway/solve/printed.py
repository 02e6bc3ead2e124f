"""A strategy as it is printed: sentences, what it is worth, and tables; what prints it knows no game."""

from dataclasses import dataclass
from fractions import Fraction

Share = Fraction | float
"""A share of the first bet: a fraction where it is exact."""


@dataclass(frozen=True)
class PrintedTable:
    """Rows under columns; a cell is a text, or a share of the first bet. `legend` tells what letters mean."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | Share, ...], ...]
    legend: str = ""


@dataclass(frozen=True)
class PrintedStrategy:
    """What a player, or a dealer who sets by the house's way, goes by.

    `says` are sentences to remember, `worth` are shares of the first bet by what they are of, `notes` small print.
    """

    says: tuple[str, ...] = ()
    worth: tuple[tuple[str, Share], ...] = ()
    tables: tuple[PrintedTable, ...] = ()
    notes: tuple[str, ...] = ()
