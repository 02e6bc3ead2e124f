"""What a person remembers of a strategy: lines, or charts whose every cell tells what it costs to do otherwise."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from houseway.solve.answer import ratio


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


@dataclass(frozen=True)
class StrategyChart:
    """Rows of cells under columns; `rows_are` and `columns_are` say what their names are."""

    title: str
    rows_are: str
    columns_are: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[ChartCell, ...]]


@dataclass(frozen=True)
class Remembered:
    """A strategy: how the player is called, what it costs against the best play, and what there is to remember."""

    player: str
    costs: Fraction | float
    lines: tuple[str, ...] = ()
    charts: tuple[StrategyChart, ...] = ()
    legend: Mapping[str, ChartLetter] = field(default_factory=dict)
    house_edge: Fraction | float | None = None

    def as_data(self) -> dict[str, Any]:
        """As JSON has it; numbers as the fraction, where they are exact, and in percent."""
        numbers = {"costs": self.costs, "house_edge": self.house_edge}
        return asdict(self) | {name: None if value is None else _number(value) for name, value in numbers.items()}


def _number(value: Fraction | float) -> dict[str, Any]:
    return {"exact": ratio(value) if isinstance(value, Fraction) else "", "percent": float(value * 100)}
