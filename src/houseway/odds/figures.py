"""Published figures as data: every cell of every table a document prints, and what it claims to show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from houseway.refusal import Refused
from houseway.rulebook.document import Known, Section, broken, hint, read, read_toml
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.pay import Pay

SHOWS = (
    "pays",
    "combinations",
    "probability",
    "return",
    "envy",
    "envy-pays",
    "envy-return",
    "house-edge",
    "house-edge-players",
    "house-edge-decks",
)


@dataclass(frozen=True)
class Figure:
    """One printed figure. `heading` is the pay table its column is headed with, `listed` the rows of its table.

    `settings` are those that its table is about, where they are not the defaults.
    """

    clause: str
    table: str
    wager: str
    shows: str
    heading: str
    row: str
    column: int
    printed: str
    listed: tuple[str, ...]
    within: Fraction
    settings: tuple[tuple[str, Value], ...] = ()

    @property
    def name(self) -> str:
        """The figure in words: its row, what it shows, and the pay table."""
        about = ", ".join(f"{name} {value}" for name, value in self.settings)
        table = f"pay table {self.heading}" if self.heading else ""
        return ", ".join(filter(None, (f"{self.row}: {self.shows}", about, table)))

    @property
    def tolerance(self) -> str:
        """How far a computed value may be from one that is only said to be near; nothing of one that is printed."""
        return f"held to be so within {float(self.within * 100):g} percentage points" if self.within else ""

    def fits(self, value: "Fraction | Pay") -> bool:
        """Whether a computed value, rounded as the document rounds, is the printed figure."""
        if self.within and isinstance(value, Fraction):
            return abs(value - parse_number(self.printed)) <= self.within
        return self.show(value) == self.show(parse_figure(self.printed))

    def show(self, value: "Fraction | Pay") -> str:
        """A computed value as the document would print it."""
        if isinstance(value, Pay):
            return str(value)
        decimals = len(self.printed.rstrip("%").partition(".")[2])
        scaled = value * (100 if self.printed.endswith("%") else 1)
        rounded = int(abs(scaled) * 10**decimals + Fraction(1, 2))
        text = f"{rounded // 10**decimals:,}" + (f".{rounded % 10**decimals:0{decimals}}" if decimals else "")
        sign = "-" if scaled < 0 and rounded else ""
        unit = "%" if self.printed.endswith("%") else ""
        return f"{sign}{'$' if self.printed.startswith('$') else ''}{text}{unit}"


def parse_number(printed: str) -> Fraction:
    """`1,128`, `$500`, `-0.0185` or `0.33817%` as a number."""
    number = Fraction(re.sub(r"[$,%]", "", printed))
    return number / 100 if printed.endswith("%") else number


def parse_figure(printed: str) -> Fraction | Pay:
    """A printed figure: a pay, or a number."""
    try:
        return Pay.parse(printed.replace(",", ""))
    except Refused:
        return parse_number(printed)


class _Table(Section):
    clause: str
    name: str
    wager: Annotated[str, Known("wagers")]
    columns: list[str]
    rows: dict[str, list[str]]
    within: str = "0"
    settings: dict[Annotated[str, Known("switches")], int | str] = Field(default_factory=dict)


class _Figures(Section):
    document: str
    table: list[_Table]


def read_figures(edition: Edition) -> tuple[str, list[Figure]]:
    """The title of an edition's document and every figure in it; no file means no figures."""
    file = edition.game.folder / "published" / f"{edition.id}.toml"
    if not file.exists():
        return "", []
    given: _Figures = read(_Figures, read_toml(file), file.name, wagers=edition.wagers, switches=edition.game.switches)
    figures = [figure for place, table in enumerate(given.table) for figure in _figures(file.name, f"table[{place}]", table)]
    return given.document, figures


def _figures(label: str, key: str, table: _Table) -> Iterator[Figure]:
    for row, cells in table.rows.items():
        if len(cells) != len(table.columns):
            raise broken(label, f"{key}.rows.{row}", f"{len(cells)} cells for {len(table.columns)} columns")
        for place, (column, printed) in enumerate(zip(table.columns, cells, strict=True)):
            shows, _, heading = (word.strip() for word in column.partition("@"))
            if shows not in SHOWS:
                raise broken(label, f"{key}.columns", f'"{shows}" is not allowed{hint(shows, list(SHOWS))}')
            if printed:
                yield Figure(
                    clause=table.clause,
                    table=table.name,
                    wager=table.wager,
                    shows=shows,
                    heading=heading,
                    row=row,
                    column=place,
                    printed=printed,
                    listed=tuple(table.rows),
                    within=parse_number(table.within),
                    settings=tuple(table.settings.items()),
                )
