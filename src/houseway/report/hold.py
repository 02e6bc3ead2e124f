"""Expected hold over N bets: what the house keeps of each unit staked, and the range that it lies in."""

from fractions import Fraction
from math import sqrt

from houseway.report.document import Block, Column, DataChart, DataTable, Heading, Paragraph, Series, Text
from houseway.report.figures import ExactFigure, count, percent
from houseway.report.par_sheets import CONFIDENCE
from houseway.report.played_odds import PlayedOdds
from houseway.report.studied import Studied

BETS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)


def hold_ranges(studied: Studied) -> list[Block]:
    """A table for each wager, and a picture of the first."""
    blocks: list[Block] = [
        Paragraph(
            "What the house keeps of the first bets, of N equal ones: the edge, give or take z standard deviations over the "
            "square root of N (the central limit theorem). An actual hold outside the 99 % range is worth an inquiry. Where "
            "prizes are rare and N small, the true range leans: the house wins more often, and loses much more at once.",
            "note",
        )
    ]
    for place, (name, wager) in enumerate(studied.wagers.items()):
        odds = studied.odds(name)
        if odds.deviation is None:
            blocks.append(Paragraph(f"{wager.name}: its standard deviation is not worked out, and so no range.", "note"))
            continue
        blocks += [Heading(f"{wager.name}: hold"), _table(name, odds)]
        if place == 0:
            blocks.append(_chart(name, odds))
    return blocks


def _table(name: str, odds: PlayedOdds) -> DataTable:
    rows: list[list[Text]] = []
    for bets in BETS:
        cells: list[Text] = [count(f"hold.bets.{bets}", bets), percent(f"hold.{name}.expected", odds.edge)]
        for share, z in CONFIDENCE.items():
            low, high = (_bound(name, odds, bets, share, sign * z) for sign in (-1, 1))
            cells.append((low, " to ", high))
        rows.append(cells)
    columns = [Column("Bets", "right"), Column("Expected", "right")]
    return DataTable([*columns, *(Column(f"{share} range", "right", wide=True) for share in CONFIDENCE)], rows)


def _bound(name: str, odds: PlayedOdds, bets: int, share: str, z: Fraction) -> ExactFigure:
    """One end of a range: in floats, for a root is not a fraction."""
    side = "high" if z > 0 else "low"
    at = float(odds.edge) + float(z) * odds.deviation_number / sqrt(bets)
    return percent(f"hold.{name}.{bets}.{share[:2]}.{side}", at, 3)


def _chart(name: str, odds: PlayedOdds) -> DataChart:
    expected = percent(f"hold.{name}.expected", odds.edge)
    share, z = "95 %", CONFIDENCE["95 %"]
    series = [
        Series("expected", [expected for _ in BETS]),
        Series(f"{share}, from", [_bound(name, odds, bets, share, -z) for bets in BETS]),
        Series(f"{share}, to", [_bound(name, odds, bets, share, z) for bets in BETS]),
    ]
    says = f"The range in which the hold of {odds.wager.name} lies narrows around the edge as bets grow from 1,000 to 1,000,000"
    return DataChart(f"{odds.wager.name}: hold by bets", says, [f"{bets:,}" for bets in BETS], series, "lines")
