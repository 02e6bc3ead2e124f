"""Blackjack for `houseway solve`, `strategy` and `best`."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from houseway.cards import take
from houseway.cli.text import Answer, ratio, table
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.blackjack import Analysis, Rules
from houseway.solve.blackjack_basic import basic_strategy
from houseway.solve.blackjack_chart import COLUMNS, LEGEND, ROWS, Chart, ChartPlay
from houseway.solve.blackjack_hands import HIT, NAMES, STAND, hand_of, total_of

OPTIONS = ("exact", "chart", "after-split")
AFTER_SPLIT = {"fixed": "as before a split", "free": "as is best after one"}


def solve(
    edition: Edition,
    settings: Settings,
    progress: Progress | None,
    exact: bool = False,
    chart: Path | None = None,
    **other: str,
) -> Answer:
    """The value of best play, each hand by its cards and split hands by their own; of basic strategy, or of a given chart."""
    rules, after_split = Rules.of(edition, settings), other.get("after-split", "fixed")
    if after_split not in AFTER_SPLIT:
        raise Refused("bad-request", f'split hands are played "fixed" or "free", not "{after_split[:20]}"')
    best_value = Analysis(rules, exact, free_after_split=after_split == "free").value()
    played = read_chart(chart) if chart else basic_strategy(rules)
    chart_value = ChartPlay(rules, exact, chart=played).value()
    told: dict[str, Any] = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "arithmetic": "exact fractions" if exact else "64-bit floats",
        "strategy": f"composition-dependent; split hands by their own cards (zero memory), played {AFTER_SPLIT[after_split]}",
        "house_edge": _told(-best_value),
        "chart": chart.name if chart else "basic strategy, computed by totals",
        "chart_house_edge": _told(-chart_value),
        "chart_costs": _told(best_value - chart_value),
    }
    rows = [{"what": what, **_told(value)} for what, value in _edges(best_value, chart_value).items()]
    return Answer(told, rows, _text(edition, settings, told))


def read_chart(file: Path) -> Chart:
    """A chart from a file."""
    try:
        return Chart.parse(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("not-read", f"{file} cannot be read as a chart: {getattr(error, 'strerror', None) or error}") from error


def _edges(best: Any, chart: Any) -> dict[str, Any]:
    return {"house_edge": -best, "chart_house_edge": -chart, "chart_costs": best - chart}


def _told(value: Any) -> dict[str, Any]:
    """A number as percent, and the fraction where it is exact."""
    return {"percent": float(value * 100), "exact": ratio(value) if isinstance(value, Fraction) else ""}


def _text(edition: Edition, settings: Settings, told: dict[str, Any]) -> str:
    chosen = ", ".join(f"{name} {value}" for name, value in settings.items() if name not in edition.readings)
    lines = [
        f"{edition.name}: {chosen}",
        f"  by {told['arithmetic']}, in percent of the first bet",
        f"  house edge, best play  {told['house_edge']['percent']:10.6f} %   {told['strategy']}",
        f"  house edge, chart      {told['chart_house_edge']['percent']:10.6f} %   {told['chart']}",
        f"  the chart costs        {told['chart_costs']['percent']:10.6f} %",
    ]
    return "\n".join(lines)


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The chart of the best play by totals, computed for these rules."""
    chart = basic_strategy(Rules.of(edition, settings))
    text = table([["hand", *COLUMNS], *([name, *chart.row(name)] for name in ROWS)], right=range(1, 11))
    legend = ", ".join(f"{letter} {meaning}" for letter, meaning in LEGEND.items())
    return Answer(chart.records(), chart.records(), f"{text}\n{legend}")


def best(edition: Edition, settings: Settings, cards: tuple[int, ...], dealer: tuple[int, ...]) -> list[dict[str, Any]]:
    """Every choice with a hand against an up-card, once the dealer has looked where he looks."""
    take(edition.game.shoe(settings), [*cards, *dealer])
    hand = hand_of(cards)
    if len(dealer) != 1 or len(cards) < 2 or total_of(hand) > 21:
        raise Refused("bad-hand", 'give two or more cards of at most 21 points, and the up-card: --hand "8s 8d" --dealer 10h')
    analysis, up = Analysis(Rules.of(edition, settings)), hand_of(dealer).index(1)
    if len(cards) == 2:
        found = analysis.choices(hand, up)
    else:
        worth = analysis.worth(up)[analysis.all.place[hand]]
        found = {STAND: worth[0], HIT: worth[1]}
    return [{"choice": NAMES[choice], "value": float(value)} for choice, value in found.items()]
