"""Duki 4 Poker as it is printed: the line to remember, and the hands in which it errs."""

from fractions import Fraction

import numpy as np

from houseway.cards import show_cards
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.printed import PrintedStrategy, PrintedTable

from . import best as duki


def printed(edition: Edition, settings: Settings, progress: Progress | None) -> PrintedStrategy:
    """The one line, what it costs, and where the best play differs from it."""
    solved = duki.solve(edition, settings)
    rows = tuple(_error(solved, int(place)) for place in np.nonzero(solved.choice != solved.by_line)[0])
    errs = PrintedTable(
        "Where the line errs",
        ("Hand", "Better", "The line costs"),
        rows,
        "One hand of each class (the same with suits renamed); what the line costs with it, in shares of the Ante.",
    )
    return PrintedStrategy(
        says=(solved.in_words(),),
        worth=(
            ("house edge of the best play", solved.house_edge),
            ("the line alone costs", solved.line_costs),
        ),
        tables=(errs,) if rows else (),
        notes=(f"Exact, over all {solved.total:,} deals; shares of the Ante.",),
    )


def _error(solved: duki.Solved, place: int) -> tuple[str, str, Fraction]:
    played = solved.value_of_play(place)
    return show_cards(solved.hands[place]), "play" if solved.choice[place] else "fold", abs(played - solved.fold)
