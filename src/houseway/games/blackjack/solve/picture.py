"""A strategy chart as a picture. Letters tell what colours tell."""

from collections.abc import Sequence

from houseway.solve.picture import MARGIN, QUIET, picture, text

from .chart import COLUMNS, HARD_ROWS, LEGEND, PAIR_ROWS, SOFT_ROWS, UPS, Chart

FILLS = {"S": "#f6d98b", "H": "#ffffff", "D": "#7fb2e5", "d": "#c4ddf5", "P": "#9ed49a", "R": "#e98f86", "r": "#f6c9c4"}
LINE = "#8a929b"
CELL_WIDTH, CELL_HEIGHT, NAME_WIDTH, GAP, TOP = 34, 25, 62, 36, 132
PANEL_WIDTH = NAME_WIDTH + len(COLUMNS) * CELL_WIDTH
WIDTH = 2 * (MARGIN + PANEL_WIDTH) + GAP
HARD_SHOWN = {name: str(total) for name, total in HARD_ROWS.items() if 4 < total < 21}
SOFT_SHOWN = {name: f"A,{total - 11}" for name, total in SOFT_ROWS.items() if 12 < total < 21}
"""The rows that leave something to decide, as they are printed."""
_RIGHT = MARGIN + PANEL_WIDTH + GAP


def svg(chart: Chart, title: str, lines: Sequence[str]) -> str:
    """The chart under its title and a few lines about the table; without the rows that leave nothing to decide."""
    below_soft = TOP + (len(SOFT_SHOWN) + 2) * CELL_HEIGHT + GAP // 2
    below_hard = TOP + (len(HARD_SHOWN) + 2) * CELL_HEIGHT + GAP // 2
    height = below_soft + (len(PAIR_ROWS) + 2) * CELL_HEIGHT + MARGIN
    body = [
        *_panel(chart, "Hard totals", MARGIN, TOP, HARD_SHOWN),
        *_panel(chart, "Soft totals", _RIGHT, TOP, SOFT_SHOWN),
        *_panel(chart, "Pairs", _RIGHT, below_soft, {name: name for name in PAIR_ROWS}),
        *_legend(chart, below_hard),
    ]
    return picture(title, lines, body, WIDTH, height)


def _cell(x: float, y: float, letter: str) -> str:
    """A coloured cell with its letter."""
    box = f'<rect x="{x:g}" y="{y:g}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" fill="{FILLS[letter]}" stroke="{LINE}"/>'
    return box + text(x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 5, letter, size=14, weight=600, anchor="middle")


def _panel(chart: Chart, title: str, x: float, y: float, rows: dict[str, str]) -> list[str]:
    """Rows of a chart under the dealer's up-cards."""
    parts = [text(x, y + 17, title, size=15, weight=700)]
    parts.append(text(x + PANEL_WIDTH, y + 17, "dealer's up-card", size=11, fill=QUIET, anchor="end"))
    middle = x + NAME_WIDTH + CELL_WIDTH / 2
    for at, column in enumerate(COLUMNS):
        parts.append(text(middle + at * CELL_WIDTH, y + CELL_HEIGHT + 18, column, weight=700, anchor="middle"))
    for place, (row, shown) in enumerate(rows.items(), 2):
        top = y + place * CELL_HEIGHT
        parts.append(text(x + NAME_WIDTH - 12, top + 17, shown, weight=700, anchor="end"))
        for at, up in enumerate(UPS):
            parts.append(_cell(x + NAME_WIDTH + at * CELL_WIDTH, top, chart.cells[row, up]))
    return parts


def _legend(chart: Chart, y: float) -> list[str]:
    """What the letters of this chart mean."""
    used = [letter for letter in LEGEND if letter in chart.cells.values()]
    parts = []
    for at, letter in enumerate(used):
        x, top = MARGIN + at % 2 * PANEL_WIDTH / 2, y + at // 2 * (CELL_HEIGHT + 6)
        parts.append(_cell(x, top, letter))
        parts.append(text(x + CELL_WIDTH + 10, top + 17, LEGEND[letter]))
    return parts
