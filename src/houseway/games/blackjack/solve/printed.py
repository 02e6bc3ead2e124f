"""The blackjack chart as it is printed, with what each error costs."""

from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.printed import PrintedStrategy, PrintedTable

from .analysis import Analysis, BlackjackRules
from .basic import Learner, basic_strategy
from .chart import COLUMNS, LEGEND, PAIR_ROWS, UPS, Chart
from .picture import HARD_SHOWN, SOFT_SHOWN

NOTHING = 1e-12
"""Less than this is no difference: both letters come to the same, where one of them is not allowed."""
ERRORS = (
    "What it costs, over all rounds, always to play the next best with this hand against this card; "
    "where the chart does not split a pair, splitting is not among what is compared."
)
Worths = dict[int, dict[str, dict[str, float]]]
"""By up-card and row, what each letter is worth, times how often it is met."""


def printed(edition: Edition, settings: Settings, progress: Progress | None) -> PrintedStrategy:
    """Hard totals, soft totals and pairs, and the errors that cost most."""
    rules = BlackjackRules.of(edition, settings)
    chart = basic_strategy(rules)
    learner = Learner(rules, chart=chart)
    value, best = float(learner.value()), float(Analysis(rules).value())
    used = ", ".join(f"{letter} {meaning}" for letter, meaning in LEGEND.items() if letter in chart.cells.values())
    pairs = {row: row for row in PAIR_ROWS}
    parts = {"Hard totals": HARD_SHOWN, "Soft totals": SOFT_SHOWN, "Pairs": pairs}
    worths = {up: learner.column_worths(up) for up in UPS}
    return PrintedStrategy(
        worth=(
            ("house edge by this chart", -value),
            ("house edge of the best play", -best),
            ("the chart costs", best - value),
        ),
        tables=(
            _part("Hard totals", chart, HARD_SHOWN),
            _part("Soft totals", chart, SOFT_SHOWN),
            _part("Pairs", chart, pairs, used),
            *(_costs(title, worths, chart, rows) for title, rows in parts.items()),
        ),
        notes=(
            "Shares of the first bet, in 64-bit floats. By totals; hands of three cards and more, and split hands, as well.",
        ),
    )


def _part(title: str, chart: Chart, rows: dict[str, str], legend: str = "") -> PrintedTable:
    cells = tuple((shown, *chart.row(row)) for row, shown in rows.items())
    return PrintedTable(title, ("Hand", *COLUMNS), cells, legend)


def _costs(title: str, worths: Worths, chart: Chart, rows: dict[str, str]) -> PrintedTable:
    """What always playing the next best costs, over all rounds."""
    cells = tuple((shown, *(_cost(worths[up][row], chart.cells[row, up]) for up in UPS)) for row, shown in rows.items())
    return PrintedTable(f"What an error costs: {title.lower()}", ("Hand", *COLUMNS), cells, ERRORS)


def _cost(sums: dict[str, float], right: str) -> str | float:
    others = [worth for worth in sums.values() if sums[right] - worth > NOTHING] if right in sums else []
    return sums[right] - max(others) if others else ""
