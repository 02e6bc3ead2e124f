"""What a person remembers of a strategy, on a page and on paper: lines, charts with the cost of every error, tables."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from houseway.solve.answer import ratio

Share = Fraction | float
"""A share of the first bet: a fraction where it is exact."""
NOTHING = 1e-12
"""Less than this is no difference: in floats the same comes out otherwise."""


@dataclass(frozen=True)
class ChartLetter:
    """A letter of a chart: what it asks for, and its tone, one of those that a game's face may have."""

    words: str
    tone: str


@dataclass(frozen=True)
class ChartCell:
    """A cell: its letter, and what every choice would add to the house edge, of the first bet, over all rounds.

    A cell that is never met has no costs.
    """

    letter: str
    costs: Mapping[str, float] = field(default_factory=dict)

    @property
    def error(self) -> float | None:
        """What the next best costs, where there is one that is worse."""
        return min((cost for cost in self.costs.values() if cost > NOTHING), default=None)


@dataclass(frozen=True)
class StrategyChart:
    """Rows of cells under columns; `rows_are` and `columns_are` say what their names are."""

    title: str
    rows_are: str
    columns_are: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[ChartCell, ...]]


@dataclass(frozen=True)
class StrategyTable:
    """Rows under columns; a cell is a text, or a share of the first bet. `legend` tells what they mean."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | Share, ...], ...]
    legend: str = ""


@dataclass(frozen=True)
class Remembered:
    """What a player, or a dealer who sets by the house's way, goes by: who that is, what it costs against the best play where
    that is known, and what there is to remember; `notes` are small print.
    """

    player: str
    costs: Share | None = None
    lines: tuple[str, ...] = ()
    charts: tuple[StrategyChart, ...] = ()
    legend: Mapping[str, ChartLetter] = field(default_factory=dict)
    house_edge: Share | None = None
    tables: tuple[StrategyTable, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def worth(self) -> dict[str, Share]:
        """What it comes to, of the first bet, by what that is."""
        if self.house_edge is None or self.costs is None:
            return {}
        return {
            f"house edge by {self.player}": self.house_edge,
            "house edge of the best play": self.house_edge - self.costs,
            f"{self.player} costs": self.costs,
        }

    def as_data(self) -> dict[str, Any]:
        """As JSON has it; numbers as the fraction, where they are exact, and in percent."""
        numbers = {"costs": self.costs, "house_edge": self.house_edge}
        tables = [asdict(table) | {"rows": [[_cell(cell) for cell in row] for row in table.rows]} for table in self.tables]
        told = {name: None if value is None else _number(value) for name, value in numbers.items()}
        return asdict(self) | told | {"tables": tables}


def _cell(cell: str | Share) -> str | dict[str, Any]:
    return cell if isinstance(cell, str) else _number(cell)


def _number(value: Share) -> dict[str, Any]:
    return {"exact": ratio(value) if isinstance(value, Fraction) else "", "percent": float(value * 100)}
