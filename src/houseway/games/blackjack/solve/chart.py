"""A strategy chart of blackjack: one row a total, a soft total or a pair, one column an up-card; and playing by it."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from houseway.kernels.compiled import Ints, plain
from houseway.refusal import Refused

from .. import rules
from .analysis import Analysis
from .hands import DOUBLE, HIT, RANKS, SPLIT, STAND, SURRENDER
from .rulings import ACE, POINTS, VALUES, Held, is_soft, total_of, two_of

UPS = (*range(1, VALUES), ACE)
"""Up-cards in the order of a chart: 2 ... 10, ace."""
COLUMNS = tuple(RANKS[up] for up in UPS)
PAIR_ROWS = {f"{RANKS[value]},{RANKS[value]}": value for value in UPS}
TOTALS = next(total for total in range(POINTS) if plain(rules.is_bust)(total))
"""Totals that are not bust are lower than this."""
HARD_ROWS = {f"hard {total}": total for total in range(total_of(two_of(1)), TOTALS)}
SOFT_ROWS = {f"soft {total}": total for total in range(total_of(two_of(ACE)), TOTALS)}
ROWS = (*HARD_ROWS, *SOFT_ROWS, *PAIR_ROWS)
LEGEND = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "d": "double, else stand",
    "P": "split",
    "R": "surrender, else hit",
    "r": "surrender, else stand",
}
FIRST = {"D": DOUBLE, "d": DOUBLE, "P": SPLIT, "R": SURRENDER, "r": SURRENDER}
"""What a letter asks for if it is allowed."""
ELSE = {"S": STAND, "H": HIT, "D": HIT, "d": STAND, "R": HIT, "r": STAND}
"""What a letter asks for otherwise: with three cards or more, or after a split."""


def accepted(row: str) -> tuple[str, ...]:
    """The letters that a row may have: the highest total is never played on, and only pairs are split."""
    if row not in PAIR_ROWS and not plain(rules.plays_on)((HARD_ROWS | SOFT_ROWS)[row]):
        return ("S",)
    return tuple(letter for letter in LEGEND if letter != "P" or row in PAIR_ROWS)


def total_row(hand: Held) -> str:
    """The row of a hand by its total."""
    return f"{'soft' if is_soft(hand) else 'hard'} {total_of(hand)}"


def row_of(hand: Held, is_pair: bool) -> str:
    """The row of the first two cards."""
    return f"{RANKS[hand.index(2)]},{RANKS[hand.index(2)]}" if is_pair else total_row(hand)


@dataclass(frozen=True)
class Chart:
    """A letter for every row and up-card."""

    cells: Mapping[tuple[str, int], str]

    @classmethod
    def parse(cls, text: str) -> "Chart":
        """A chart from CSV, as `houseway strategy EDITION --format csv` prints it; refused if it has holes."""
        lines = [line for line in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in line)]
        head, *body = [[cell.strip() for cell in line] for line in lines] or [[]]
        _no_more_and_no_less("column", head[1:], COLUMNS)
        if head[0] != "hand":
            raise Refused("bad-chart", f'the first line is "hand,{",".join(COLUMNS)}", and it begins with "{head[0][:20]}"')
        _no_more_and_no_less("row", [line[0] for line in body], ROWS)
        cells = {}
        for name, *letters in body:
            if len(letters) != len(COLUMNS):
                raise Refused("bad-chart", f"row {name} has {len(letters)} cells, and there are {len(COLUMNS)} up-cards")
            for column, letter in zip(head[1:], letters, strict=True):
                if letter not in accepted(name):
                    fault = f'"{letter[:10]}" is not known' if letter else "nothing is given"
                    raise Refused("bad-chart", f"{name} against {column}: {fault} (accepted: {', '.join(accepted(name))})")
                cells[name, RANKS.index(column)] = letter
        return cls(cells)

    def row(self, name: str) -> tuple[str, ...]:
        """The letters of a row."""
        return tuple(self.cells[name, up] for up in UPS)

    def records(self) -> list[dict[str, str]]:
        """The rows as CSV has them."""
        return [{"hand": name} | dict(zip(COLUMNS, self.row(name), strict=True)) for name in ROWS]

    def text(self) -> str:
        """The chart as CSV."""
        into = io.StringIO()
        writer = csv.DictWriter(into, ("hand", *COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records())
        return into.getvalue()


def _no_more_and_no_less(what: str, given: list[str], known: tuple[str, ...]) -> None:
    """Refuse names that are unknown, given twice, or missing."""
    for name in given:
        if name not in known:
            raise Refused("bad-chart", f'{what} "{name[:20]}" is not known (known: {_listed(known)})')
        if given.count(name) > 1:
            raise Refused("bad-chart", f"{what} {name} is given twice")
    for name in known:
        if name not in given:
            raise Refused("bad-chart", f"{what} {name} is missing (needed: {_listed(known)})")


def _listed(names: tuple[str, ...]) -> str:
    if names == COLUMNS:
        return ", ".join(names)
    kinds = (tuple(rows) for rows in (HARD_ROWS, SOFT_ROWS, PAIR_ROWS))
    return "; ".join(f"{kind[0]} to {kind[-1]}" for kind in kinds)


@dataclass
class ChartPlay(Analysis):
    """A player who does what a chart says: split hands too, and hands of three cards and more by their totals."""

    chart: Chart = field(kw_only=True)
    _rows: dict[tuple[Held, bool], str] = field(default_factory=dict, kw_only=True)
    """The rows of hands that were asked for."""

    def options(self, hand: Held, up: int, left: int | None = None) -> list[int]:
        """The one choice of the chart."""
        kind = hand, self.may_split(hand, left)
        if kind not in self._rows:
            self._rows[kind] = row_of(*kind)
        letter = self.chart.cells[self._rows[kind], up]
        first = FIRST.get(letter)
        return [ELSE[letter] if first is None or first not in super().options(hand, up, left) else first]

    def fixed(self, up: int) -> Ints:
        """Stand or hit, by totals."""
        by_total = np.full((2, TOTALS), HIT)
        for soft, rows in enumerate((HARD_ROWS, SOFT_ROWS)):
            for name, total in rows.items():
                by_total[soft, total] = ELSE[self.chart.cells[name, up]]
        return np.asarray(by_total[self.all.soft.astype(np.int64), self.all.totals])

    def fixed_after_split(self, pair: int, up: int, rows: Ints, following: Ints) -> Ints:
        """By totals, and doubled where the chart and the table allow it."""
        fixed = self.fixed(up)[rows]
        if self.rules.double_after_split:
            for at in np.nonzero(self.doubles[rows])[0]:
                if FIRST.get(self.chart.cells[total_row(self.all.hands[rows[at]]), up]) == DOUBLE:
                    fixed[at] = DOUBLE
        return fixed
