"""What a counter wins by the depth of the cut card, and his edge by count, as a picture."""

from collections.abc import Sequence
from typing import Any

from houseway.protect.figures import Figures
from houseway.solve.picture import INK, MARGIN, QUIET, picture, text

WIDTH, HEIGHT = 760.0, 300.0
LINE, OWN = "#2f6f4f", "#9a7b2f"
_AXIS = 64.0


def plot_by_cut(
    title: str, about: Sequence[str], rows: Sequence[tuple[int, Figures]], own_cut: int, counts: Sequence[dict[str, Any]] = ()
) -> str:
    """Units won in 100 rounds, with two standard errors either way; the table's own cut card in gold.

    Below it the edge by true count, where that is asked for.
    """
    left, right, top = MARGIN + _AXIS, WIDTH - MARGIN, 84.0 + 17 * len(about)
    points = [(cut, each.units_per_100_rounds, 2 * each.errors["units_per_100_rounds"]) for cut, each in rows]
    high = max([*(value + error for _, value, error in points), 0.01])
    low = min([*(value - error for _, value, error in points), 0.0])
    deepest, shallowest = points[0][0], max(points[-1][0], points[0][0] + 1)

    def x(cut: float) -> float:
        return left + (cut - deepest) / (shallowest - deepest) * (right - left)

    def y(value: float) -> float:
        return top + (high - value) / (high - low) * HEIGHT

    body = [_rule(left, y(0), right, y(0), INK), text(left - 8, y(0) + 4, "0", 11, anchor="end")]
    for value in (high, high / 2):
        body += [
            _rule(left, y(value), right, y(value), QUIET, 0.4),
            text(left - 8, y(value) + 4, f"{value:.2f}", 11, anchor="end"),
        ]
    line = " ".join(f"{x(cut):.1f},{y(value):.1f}" for cut, value, _ in points)
    body.append(f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    for cut, value, error in points:
        colour = OWN if cut == own_cut else LINE
        body.append(_rule(x(cut), y(value - error), x(cut), y(value + error), colour, 1.5))
        body.append(f'<circle cx="{x(cut):.1f}" cy="{y(value):.1f}" r="{6 if cut == own_cut else 4}" fill="{colour}"/>')
        body.append(text(x(cut), top + HEIGHT + 18, str(cut), 11, fill=QUIET, anchor="middle"))
    body.append(text(left, top - 10, "units won in 100 rounds, with two standard errors", 12, 700))
    body.append(text(right, top + HEIGHT + 38, "cards behind the cut card", 12, fill=QUIET, anchor="end"))
    bottom = top + HEIGHT + 56
    if counts:
        body += _by_count(counts, bottom + 40)
        bottom += HEIGHT + 96
    return picture(title, about, body, WIDTH, bottom)


def _by_count(rows: Sequence[dict[str, Any]], top: float) -> list[str]:
    """The edge at each whole count, with two standard errors either way, in percent."""
    left, right = MARGIN + _AXIS, WIDTH - MARGIN
    points = [(row["count"], row["edge"] * 100, row["standard_error"] * 200) for row in rows]
    high: float = max([0.5, *(edge + error for _, edge, error in points)])
    low: float = min([0.0, *(edge - error for _, edge, error in points)])
    first, last = float(points[0][0]), float(max(points[-1][0], points[0][0] + 1))

    def x(count: float) -> float:
        return left + (count - first) / (last - first) * (right - left)

    def y(edge: float) -> float:
        return top + (high - edge) / (high - low) * HEIGHT

    body = [text(left, top - 10, "the player's edge by true count, %, with two standard errors", 12, 700)]
    for value in (high, 0.0, low):
        body += [
            _rule(left, y(value), right, y(value), INK if value == 0 else QUIET, 1.0 if value == 0 else 0.4),
            text(left - 8, y(value) + 4, f"{value:.1f}", 11, anchor="end"),
        ]
    line = " ".join(f"{x(count):.1f},{y(edge):.1f}" for count, edge, _ in points)
    body.append(f'<polyline points="{line}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    for count, edge, error in points:
        body.append(_rule(x(count), y(edge - error), x(count), y(edge + error), LINE, 1.5))
        body.append(text(x(count), top + HEIGHT + 18, str(count), 11, fill=QUIET, anchor="middle"))
    return body


def _rule(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1.0) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"/>'
