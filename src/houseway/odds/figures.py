"""Published figures as data: every cell of every table a document prints, and what it claims to show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from houseway.refusal import Refused
from houseway.rulebook.document import Document
from houseway.rulebook.edition import Edition
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
    "house-edge-shuffler",
)


@dataclass(frozen=True)
class Figure:
    """One printed figure. `heading` is the pay table its column is headed with, `listed` the rows of its table."""

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

    @property
    def name(self) -> str:
        """The figure in words: its row, what it shows, and the pay table."""
        return f"{self.row}: {self.shows}" + (f", pay table {self.heading}" if self.heading else "")

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


def read_figures(edition: Edition) -> tuple[str, list[Figure]]:
    """The title of an edition's document and every figure in it; no file means no figures."""
    file = edition.game.folder / "published" / f"{edition.id}.toml"
    if not file.exists():
        return "", []
    document = Document.load(file)
    figures = [figure for table in document.tables("table") for figure in _figures(table, edition)]
    return document.text("document"), figures


def _figures(table: Document, edition: Edition) -> Iterator[Figure]:
    rows, columns = table.table("rows"), table.items("columns")
    listed = tuple(rows.names())
    for row in listed:
        cells = rows.items(row)
        if len(cells) != len(columns):
            raise rows.broken(row, f"{len(cells)} cells for {len(columns)} columns")
        for place, (column, printed) in enumerate(zip(columns, cells, strict=True)):
            shows, _, heading = (word.strip() for word in column.partition("@"))
            if shows not in SHOWS:
                raise table.broken("columns", f'"{shows}" is not allowed (allowed: {", ".join(SHOWS)})')
            if printed:
                yield Figure(
                    clause=table.text("clause"),
                    table=table.text("name"),
                    wager=table.text("wager", allowed=edition.wagers),
                    shows=shows,
                    heading=heading,
                    row=row,
                    column=place,
                    printed=printed,
                    listed=listed,
                    within=parse_number(table.text("within", default="0")),
                )
