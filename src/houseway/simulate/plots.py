"""A simulation as a picture: returns with their errors, rounds of a shoe, and the spread of sessions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from houseway.kernels.rounds import WIN
from houseway.money import dollars
from houseway.solve.picture import INK, MARGIN, QUIET, picture, text

if TYPE_CHECKING:
    from houseway.simulate.report import Simulated

WIDTH, BARS, BAR_COLOUR, ERROR_COLOUR, FLAG_COLOUR = 760.0, 60, "#2f6f4f", "#9a7b2f", "#b3261e"
_PLOT = WIDTH - 2 * MARGIN


def plots(simulated: "Simulated") -> str:
    """All plots under one another."""
    about = [f"{simulated.rounds:,} rounds, {simulated.shoes:,} shoes, seed {simulated.opened.question.seed}"]
    y = 84.0 + 17 * len(about)
    body, y = _returns(simulated, y)
    if len(simulated.rounds_of_shoes) > 1:
        more, y = _bars("Rounds of a shoe", list(simulated.rounds_of_shoes.items()), str, y)
        body += more
    if simulated.sessions:
        rounds = simulated.sessions.rounds
        spread = simulated.sessions.spread(WIN)
        more, y = _bars(
            f"The players' win after {rounds:,} rounds, in {simulated.sessions.count:,} sessions", spread, dollars, y
        )
        body += more
    return picture(simulated.opened.edition.name, about, body, WIDTH, y)


def _returns(simulated: "Simulated", y: float) -> tuple[list[str], float]:
    """For each wager with exact odds, how many standard errors its return lies from them."""
    held = [(name, each) for name, each in simulated.wagers.items() if each.z is not None]
    if not held:
        return [], y
    middle, step = WIDTH / 2 + 60, 44.0
    parts = [text(MARGIN, y, "Standard errors from the exact return", size=15, weight=700)]
    top = y + 14
    for mark in range(-4, 5, 2):
        x = middle + mark * step
        parts.append(
            f'<line x1="{x:g}" y1="{top:g}" x2="{x:g}" y2="{top + 24 * len(held):g}" stroke="{QUIET}" stroke-width="0.5"/>'
        )
        parts.append(text(x, top + 24 * len(held) + 14, f"{mark:+d}" if mark else "0", size=11, fill=QUIET, anchor="middle"))
    for place, (name, each) in enumerate(held):
        at, z = top + 24 * place + 16, each.z or 0.0
        colour = FLAG_COLOUR if each.is_flagged else BAR_COLOUR
        parts.append(text(MARGIN, at, f"{name}: {float(each.mean) * 100:+.4f} ± {each.standard_error * 100:.4f} %", size=12))
        parts.append(f'<circle cx="{middle + max(-5.0, min(5.0, z)) * step:g}" cy="{at - 4:g}" r="5" fill="{colour}"/>')
    return parts, top + 24 * len(held) + 48


def _bars(title: str, counted: Sequence[tuple[int, int]], show: object, y: float) -> tuple[list[str], float]:
    """How often each value came, values taken together so that there are not too many bars."""
    assert callable(show)
    low, high = counted[0][0], counted[-1][0]
    width = max(1, -(-(high - low + 1) // BARS))
    heights = [0] * ((high - low) // width + 1)
    for value, count in counted:
        heights[(value - low) // width] += count
    most, each, height = max(heights), _PLOT / len(heights), 150.0
    parts = [text(MARGIN, y, title, size=15, weight=700)]
    base = y + 18 + height
    for place, count in enumerate(heights):
        tall = height * count / most
        parts.append(
            f'<rect x="{MARGIN + place * each:.2f}" y="{base - tall:.2f}" width="{max(each - 1, 0.5):.2f}" height="{tall:.2f}" '
            f'fill="{BAR_COLOUR}"/>'
        )
    parts.append(f'<line x1="{MARGIN}" y1="{base:g}" x2="{MARGIN + _PLOT:g}" y2="{base:g}" stroke="{INK}" stroke-width="1"/>')
    parts.append(text(MARGIN, base + 16, show(low), size=11, fill=QUIET))
    parts.append(text(MARGIN + _PLOT, base + 16, show(high), size=11, fill=QUIET, anchor="end"))
    return parts, base + 48
