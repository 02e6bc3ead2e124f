"""Blackjack for `houseway solve`, `strategy` and `best`."""

import json
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

from houseway.cli.text import Answer, ratio, table
from houseway.games.blackjack.solve.analysis import Analysis, Rules
from houseway.games.blackjack.solve.basic import basic_strategy
from houseway.games.blackjack.solve.chart import COLUMNS, LEGEND, ROWS, Chart, ChartPlay
from houseway.games.blackjack.solve.hands import ACE, RANKS, VALUES, Hand
from houseway.games.blackjack.solve.insurance import insure
from houseway.games.blackjack.solve.lucky import both_bets, removals
from houseway.games.blackjack.solve.picture import svg
from houseway.games.blackjack.solve.results import moments_of, results_of
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.kept import key_of
from houseway.solve.picture import page

OPTIONS = ("about", "exact", "chart", "after_split")
AFTER_SPLIT = {"fixed": "as before a split", "free": "as is best after one"}


@dataclass(frozen=True)
class Asked:
    """What is asked about a table: its rules, the arithmetic, how split hands are played, and perhaps a chart."""

    edition: Edition
    settings: Settings
    exact: bool
    after_split: str
    chart: Path | None
    progress: Progress | None

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return Rules.of(self.edition, self.settings)

    def best(self) -> Analysis:
        """The best player."""
        return Analysis(self.rules, self.exact, free_after_split=self.after_split == "free")

    def by_chart(self) -> ChartPlay:
        """A player by the chart that is given, or by basic strategy."""
        chart = read_chart(self.chart) if self.chart else basic_strategy(self.rules)
        return ChartPlay(self.rules, self.exact, chart=chart)

    @property
    def chart_name(self) -> str:
        """Which chart it is."""
        return self.chart.name if self.chart else "basic strategy, computed by totals"

    def told(self) -> dict[str, Any]:
        """What every answer begins with."""
        return {
            "edition": self.edition.id,
            "digest": self.edition.fingerprint.digest,
            "settings": dict(self.settings),
            "arithmetic": "exact fractions" if self.exact else "64-bit floats",
            "strategy": "composition-dependent; split hands by their own cards (zero memory), played "
            + AFTER_SPLIT[self.after_split]
            + (" if the dealer has no blackjack" if self.after_split == "free" and self.rules.original_bets_only else ""),
        }

    def heading(self) -> str:
        """The table in a line, and the arithmetic."""
        readings = self.edition.readings
        chosen = ", ".join(f"{name} {value}" for name, value in self.settings.items() if name not in readings)
        told = self.told()
        return f"{self.edition.name}: {chosen}\n  by {told['arithmetic']}; best play is {told['strategy']}"


def solve(
    edition: Edition,
    settings: Settings,
    progress: Progress | None,
    exact: bool = False,
    chart: Path | None = None,
    about: str = "edge",
    **other: str,
) -> Answer:
    """The edge of best play and of a chart, with insurance; or every result of a round; or Lucky Lucky beside it."""
    after_split = other.get("after_split", "fixed")
    if after_split not in AFTER_SPLIT:
        raise Refused("bad-request", f'split hands are played "fixed" or "free", not "{after_split[:20]}"')
    if about not in TOPICS:
        raise Refused("bad-request", f'blackjack is solved about {", ".join(TOPICS)}, not "{about[:20]}"')
    if chart and about == "lucky":
        raise Refused("bad-request", "Lucky Lucky is set beside best play: leave --chart out")
    return TOPICS[about](Asked(edition, settings, exact, after_split, chart, progress))


def read_chart(file: Path) -> Chart:
    """A chart from a file."""
    try:
        return Chart.parse(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("not-read", f"{file} cannot be read as a chart: {getattr(error, 'strerror', None) or error}") from error


def _told(value: Any) -> dict[str, Any]:
    """A number as percent, and the fraction where it is exact."""
    return {"percent": float(value * 100), "exact": ratio(value) if isinstance(value, Fraction) else ""}


def _edge(asked: Asked) -> Answer:
    """What best play and a chart are worth, and insurance."""
    chart, best = asked.by_chart().value(), asked.best().value()
    insurance = insure(asked.edition, asked.settings, asked.rules)
    values = {
        "house_edge": -best,
        "chart_house_edge": -chart,
        "chart_costs": best - chart,
        "insurance_edge": -insurance.worth,
        "insurance_always_adds": insurance.always_adds,
        "insurance_rightly_adds": insurance.rightly_adds,
    }
    told = asked.told() | {name: _told(value) for name, value in values.items()} | {"chart": asked.chart_name}
    right = ", ".join(_cards(one.hand) for one in insurance.right) or "no two cards"
    lines = [
        ("house edge, best play", f"{-best * 100:.6f} %", "of the first bet"),
        ("house edge, chart", f"{-chart * 100:.6f} %", asked.chart_name),
        ("the chart costs", f"{(best - chart) * 100:.6f} %", ""),
        ("insurance, house edge", f"{float(-insurance.worth * 100):.6f} %", "of the insurance bet; exact"),
        ("  always taken, adds", f"{float(insurance.always_adds * 100):+.6f} %", "of the first bet, half of it insured; exact"),
        ("  taken when right", f"{float(insurance.rightly_adds * 100):+.6f} %", f"right with {right}; exact"),
    ]
    rows = [{"what": what, **_told(value)} for what, value in values.items()]
    return Answer(told, rows, f"{asked.heading()}\n{table(lines, right=(1,), indent='  ')}")


def _insurance(asked: Asked) -> Answer:
    """What insurance is worth with every two cards."""
    found = insure(asked.edition, asked.settings, asked.rules)
    rows: list[dict[str, Any]] = [
        {
            "hand": _cards(one.hand),
            "dealer_blackjack": ratio(one.blackjack),
            "worth": ratio(one.worth),
            "worth_percent": float(one.worth * 100),
            "take": one.worth > 0,
        }
        for one in found.hands
    ]
    told = asked.told() | {"offered": _told(found.offered), "worth": _told(found.worth), "hands": rows}
    told |= {
        "arithmetic": "exact fractions",
        "always_adds": _told(found.always_adds),
        "rightly_adds": _told(found.rightly_adds),
    }
    lines = [["hand", "dealer's blackjack", "worth", ""]]
    lines += [
        [row["hand"], row["dealer_blackjack"], f"{row['worth_percent']:+.6f} %", "take" if row["take"] else ""] for row in rows
    ]
    text = (
        f"{asked.edition.name}: insurance against an ace, exact, in percent of the insurance bet\n"
        f"{table(lines, right=(1, 2), indent='  ')}\n"
        f"  over all hands {float(found.worth * 100):+.6f} %; half of every bet insured adds "
        f"{float(found.always_adds * 100):+.6f} % of the first bet, where it is right {float(found.rightly_adds * 100):+.6f} %"
    )
    return Answer(told, rows, text)


def _cards(hand: Hand) -> str:
    """Two cards by their values."""
    return " ".join(RANKS[value] for value in (*range(1, VALUES), ACE) for _ in range(hand[value]))


def _results(asked: Asked) -> Answer:
    """Every net result of a round."""
    play = asked.by_chart() if asked.chart else asked.best()
    chart = play.chart.text() if isinstance(play, ChartPlay) else asked.after_split
    key = key_of(asked.edition, asked.settings, "results", asked.exact, chart)
    found = results_of(play, asked.progress, key)
    who = f"by {asked.chart_name}" if asked.chart else "best play"
    rows: list[dict[str, Any]] = [
        {"net": ratio(net), "chance": float(chance), "exact": ratio(chance) if asked.exact else ""}
        for net, chance in found.chances.items()
    ]
    told = asked.told() | {
        "player": who,
        "house_edge": _told(-found.mean),
        "standard_deviation": found.standard_deviation,
        "variance": _told(found.variance),
        "results": rows,
    }
    lines = [["net", "chance"], *([row["net"].removesuffix("/1"), f"{row['chance']:.10f}"] for row in rows)]
    text = (
        f"{asked.heading()}\n  {who}: house edge {float(-found.mean * 100):.6f} %, standard deviation "
        f"{found.standard_deviation:.6f} a unit of the first bet (all rounds, all splits)\n"
        f"{table(lines, right=(0, 1), indent='  ')}"
    )
    return Answer(told, rows, text)


def _lucky(asked: Asked) -> Answer:
    """Lucky Lucky beside the main bet: how they go together, and what every card gone does to both."""
    if asked.settings["shuffler"] == "continuous" and asked.settings["R13"] == "infinite":
        raise Refused("not-solved", "an endless shoe (R13 infinite) is a model of Lucky Lucky alone: leave R13 as it is")
    play = asked.best()
    results = moments_of(play)
    both = both_bets(asked.edition, asked.settings, play, results)
    effects = removals(asked.edition, asked.settings, asked.rules, asked.progress)
    rows: list[dict[str, Any]] = [
        {
            "rank": one.rank,
            "main_percent": one.main * 100,
            "lucky_percent": float(one.lucky * 100),
            "lucky_exact": ratio(one.lucky),
        }
        for one in effects
    ]
    told = asked.told() | {
        "main": {"house_edge": _told(-results.mean), "standard_deviation": results.standard_deviation},
        "lucky": {"house_edge": _told(-both.lucky_mean), "standard_deviation": sqrt(both.lucky_variance)},
        "covariance": float(both.covariance),
        "correlation": both.correlation,
        "standard_deviation_of_both": both.standard_deviation,
        "removal": rows,
    }
    deviations = [
        ["", "house edge", "standard deviation"],
        ["main bet, best play", f"{float(-results.mean * 100):.6f} %", f"{results.standard_deviation:.6f}"],
        ["Lucky Lucky", f"{float(-both.lucky_mean * 100):.6f} %", f"{sqrt(both.lucky_variance):.6f}"],
        ["both, a unit each", "", f"{both.standard_deviation:.6f}"],
    ]
    gone = [["card gone", "main bet", "Lucky Lucky"]]
    gone += [[row["rank"], f"{row['main_percent']:+.6f} %", f"{row['lucky_percent']:+.6f} %"] for row in rows]
    text = (
        f"{asked.heading()}\n{table(deviations, right=(1, 2), indent='  ')}\n"
        f"  correlation {both.correlation:.6f}, covariance {float(both.covariance):.6f}\n\n"
        f"  What one card gone adds to the house edge (the main bet played anew, in floats; Lucky Lucky exact):\n"
        f"{table(gone, right=(1, 2), indent='  ')}"
    )
    return Answer(told, rows, text)


TOPICS = {"edge": _edge, "insurance": _insurance, "results": _results, "lucky": _lucky}


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The chart of the best play by totals, computed for these rules: on the terminal, or as a picture to print."""
    asked = Asked(edition, settings, False, "fixed", None, progress)
    play = asked.by_chart()
    chart, edge = play.chart, float(-play.value() * 100)
    told = asked.told() | {"house_edge_percent": edge, "strategy": asked.chart_name, "chart": chart.records()}
    grid = table([["hand", *COLUMNS], *([name, *chart.row(name)] for name in ROWS)], right=range(1, 11))
    legend = ", ".join(f"{letter} {meaning}" for letter, meaning in LEGEND.items())
    chosen = [f"{name} {value}" for name, value in settings.items() if name not in edition.readings]
    lines = (
        ", ".join(chosen[: len(chosen) // 2]),
        ", ".join(chosen[len(chosen) // 2 :]),
        f"basic strategy, computed; house edge {edge:.4f} % of the first bet (64-bit floats); "
        f"edition {edition.id}, digest {edition.fingerprint.digest[:12]}",
    )
    drawn = svg(chart, edition.name, lines)
    files = {
        "html": page(edition.name, drawn),
        "svg": drawn,
        "csv": chart.text(),
        "json": json.dumps(told, indent=2, ensure_ascii=False) + "\n",
    }
    text = f"{grid}\n{legend}\nhouse edge of this chart {edge:.6f} % of the first bet, by {told['arithmetic']}"
    return Answer(told, chart.records(), text, files)
