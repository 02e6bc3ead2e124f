"""What it costs to do otherwise than a chart says, cell by cell."""

from houseway.solve.remembered import ChartCell, ChartLetter, Remembered, StrategyChart

from .analysis import BlackjackRules
from .basic import Learner
from .chart import COLUMNS, LEGEND, PAIR_ROWS, UPS, Chart
from .picture import HARD_SHOWN, SOFT_SHOWN

TONES = {"S": "gold", "H": "plain", "D": "blue", "d": "blue", "P": "green", "R": "red", "r": "red"}
CHOICES = {"stand": "S", "hit": "H", "double": "Dd", "split": "P", "surrender": "Rr"}
"""The letters that ask for a choice, whatever is done where it is not allowed."""
NOT_ALLOWED = {"D": "H", "d": "S", "R": "H", "r": "S"}
"""What a letter comes to where its choice is never allowed."""


def _costs(sums: dict[str, float], letter: str) -> dict[str, float]:
    """What every choice costs against the letter of the chart; those that are never allowed are left out."""
    if letter not in sums or not any(sums.values()):
        return {}
    costs = {}
    for choice, letters in CHOICES.items():
        allowed = [sums[each] for each in letters if each in sums and sums[each] != sums.get(NOT_ALLOWED.get(each, ""))]
        if allowed:
            costs[choice] = sums[letter] - max(allowed)
    return costs


def remembered(rules: BlackjackRules, chart: Chart, house_edge: float, best_edge: float) -> Remembered:
    """Basic strategy: three panels, as they are printed."""
    learner = Learner(rules, chart=chart)
    columns = {up: learner.column_worths(up, as_met=True, worse=True) for up in UPS if rules.counts[up]}

    def panel(title: str, shown: dict[str, str]) -> StrategyChart:
        def cell(row: str, up: int) -> ChartCell:
            letter = chart.cells[row, up]
            return ChartCell(letter, _costs(columns.get(up, {}).get(row, {}), letter))

        rows = {name: tuple(cell(row, up) for up in UPS) for row, name in shown.items()}
        return StrategyChart(title, "hand", "dealer's up-card", COLUMNS, rows)

    used = set(chart.cells.values())
    return Remembered(
        "basic strategy",
        house_edge - best_edge,
        charts=(
            panel("Hard totals", HARD_SHOWN),
            panel("Soft totals", SOFT_SHOWN),
            panel("Pairs", {name: name for name in PAIR_ROWS}),
        ),
        legend={letter: ChartLetter(words, TONES[letter]) for letter, words in LEGEND.items() if letter in used},
        house_edge=house_edge,
        notes=(
            "Shares of the first bet, in 64-bit floats. By totals; hands of three cards and more, and split hands, as well.",
        ),
    )
