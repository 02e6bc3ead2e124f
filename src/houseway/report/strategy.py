"""`report strategy`: the chart of the game's solver, with what errors cost; where a house sets hands, its House Way."""

from collections.abc import Iterator

from houseway.report.asked import AskedReport
from houseway.report.document import Block, Column, DataTable, Document, Paragraph, ReportSection, Text
from houseway.report.figures import percent
from houseway.solve.remembered import Remembered, StrategyChart, StrategyTable
from houseway.solve.solver import printed_strategy

ERRORS = "What it costs, over all rounds, always to play the next best in this place."
A_CHART = 7
"""From so many columns on a table is a chart: small cells, each in the middle of its column."""


def build(asked: AskedReport) -> Document:
    """The strategy of a table."""
    strategy = printed_strategy(asked.edition, asked.settings, asked.progress)
    house = asked.text("house")
    return Document(
        kind=asked.kind,
        title=f"{asked.edition.game.face.title}: strategy",
        subtitle=house or asked.edition.name,
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(),
        sections=[
            ReportSection("", list(_first(strategy))),
            *(ReportSection(table.title, _table(f"strategy.{at}", table)) for at, table in enumerate(_tables(strategy), 1)),
            ReportSection("", [Paragraph(note, "note") for note in strategy.notes]),
        ],
        inputs=asked.inputs(),
        mark=asked.mark,
    )


def _tables(strategy: Remembered) -> Iterator[StrategyTable]:
    """The letters of every chart, and then what their errors cost."""
    letters = ", ".join(f"{letter} {means.words}" for letter, means in strategy.legend.items())
    for chart in strategy.charts:
        rows = tuple((name, *(cell.letter for cell in cells)) for name, cells in chart.rows.items())
        yield StrategyTable(chart.title, _columns(chart), rows, letters if chart is strategy.charts[-1] else "")
    for chart in strategy.charts:
        costs = tuple((name, *("" if cell.error is None else cell.error for cell in row)) for name, row in chart.rows.items())
        yield StrategyTable(f"What an error costs: {chart.title.lower()}", _columns(chart), costs, ERRORS)
    yield from strategy.tables


def _columns(chart: StrategyChart) -> tuple[str, ...]:
    return chart.rows_are.capitalize(), *chart.columns


def _first(strategy: Remembered) -> Iterator[Block]:
    for line in strategy.lines:
        yield Paragraph(line, "lead")
    if strategy.worth:
        rows: list[list[Text]] = [
            [label[:1].upper() + label[1:], percent(f"strategy.{label.replace(' ', '-')}", share)]
            for label, share in strategy.worth.items()
        ]
        yield DataTable((Column("", wide=True), Column("of the first bet", "right")), rows)


def _table(id_: str, table: StrategyTable) -> list[Block]:
    is_chart = len(table.columns) >= A_CHART
    columns = [
        Column(title, "left" if place == 0 else "center" if is_chart else "left", wide=place == 0 and not is_chart)
        for place, title in enumerate(table.columns)
    ]
    rows: list[list[Text]] = [
        [
            cell if isinstance(cell, str) else percent(f"{id_}.{line}.{place}", cell, 3 if is_chart else 4)
            for place, cell in enumerate(row)
        ]
        for line, row in enumerate(table.rows, 1)
    ]
    return [DataTable(columns, rows), *([Paragraph(table.legend, "note")] if table.legend else [])]
