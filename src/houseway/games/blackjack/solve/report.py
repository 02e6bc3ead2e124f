"""What is said of blackjack, solved."""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

from houseway.cards import take
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, ratio, table
from houseway.solve.kept import key_of
from houseway.solve.picture import page
from houseway.solve.solver import Cards, Choice

from .analysis import Analysis, BlackjackRules
from .basic import basic_strategy
from .chart import COLUMNS, ELSE, LEGEND, ROWS, Chart, ChartPlay, total_row
from .costs import remembered
from .hands import HIT, NAMES, RANKS, STAND
from .insurance import insure
from .lucky import both_bets, removals
from .picture import svg
from .results import moments_of, results_of
from .rulings import ACE, VALUES, Held, hand_of, value_of

AFTER_SPLIT = {"fixed": "as before a split", "free": "as is best after one"}


@dataclass(frozen=True)
class BlackjackQuestion:
    """What is asked about a table: its rules, the arithmetic, how split hands are played, and perhaps a chart."""

    edition: Edition
    settings: Settings
    exact: bool
    after_split: str
    chart: Path | None
    progress: Progress | None

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        return BlackjackRules.of(self.edition, self.settings)

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

    def head(self) -> dict[str, Any]:
        """What every answer begins with."""
        return {
            "edition": self.edition.id,
            "digest": DIGEST,
            "settings": dict(self.settings),
            "arithmetic": "exact fractions" if self.exact else "64-bit floats",
            "strategy": "composition-dependent; split hands by their own cards (zero memory), played "
            + AFTER_SPLIT[self.after_split]
            + (" if the dealer has no blackjack" if self.after_split == "free" and self.rules.original_bets_only else "")
            + ("; the community card is not looked at" if self.settings["lucky-card"] == "community" else ""),
        }

    def heading(self) -> str:
        """The table in a line, and the arithmetic."""
        readings = self.edition.readings
        chosen = ", ".join(f"{name} {value}" for name, value in self.settings.items() if name not in readings)
        head = self.head()
        return f"{self.edition.name}: {chosen}\n  by {head['arithmetic']}; best play is {head['strategy']}"


def solve(
    edition: Edition,
    settings: Settings,
    progress: Progress | None,
    exact: bool = False,
    chart: str = "",
    about: str = "edge",
    after_split: str = "fixed",
) -> Answer:
    """The edge of best play and of a chart, with insurance; or every result of a round; or Lucky Lucky beside it."""
    if after_split not in AFTER_SPLIT:
        raise Refused("bad-request", f'split hands are played "fixed" or "free", not "{after_split[:20]}"')
    if about not in TOPICS:
        raise Refused("bad-request", f'blackjack is solved about {", ".join(TOPICS)}, not "{about[:20]}"')
    if chart and about == "lucky":
        raise Refused("bad-request", "Lucky Lucky is set beside best play: leave --chart out")
    return TOPICS[about](BlackjackQuestion(edition, settings, exact, after_split, Path(chart) if chart else None, progress))


def best_edge(edition: Edition, wager: str, settings: Settings) -> float:
    """The house edge for the best player, of the first bet."""
    return -float(Analysis(BlackjackRules.of(edition, settings), exact=False).value())


def best_deviation(edition: Edition, wager: str, settings: Settings) -> float:
    """The standard deviation of a round for the best player, a unit of the first bet."""
    return moments_of(Analysis(BlackjackRules.of(edition, settings), exact=False)).standard_deviation


def read_chart(file: Path) -> Chart:
    """A chart from a file."""
    try:
        return Chart.parse(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("not-read", f"{file} cannot be read as a chart: {getattr(error, 'strerror', None) or error}") from error


def _number(value: Any) -> dict[str, Any]:
    """A number as percent, and the fraction where it is exact."""
    return {"percent": float(value * 100), "exact": ratio(value) if isinstance(value, Fraction) else ""}


def _edge(question: BlackjackQuestion) -> Answer:
    """What best play and a chart are worth, and insurance."""
    chart, best = question.by_chart().value(), question.best().value()
    insurance = insure(question.edition, question.settings, question.rules)
    values = {
        "house_edge": -best,
        "chart_house_edge": -chart,
        "chart_costs": best - chart,
        "insurance_edge": -insurance.worth,
        "insurance_always_adds": insurance.always_adds,
        "insurance_rightly_adds": insurance.rightly_adds,
    }
    data = question.head() | {name: _number(value) for name, value in values.items()} | {"chart": question.chart_name}
    right = ", ".join(_cards(insured.hand) for insured in insurance.right) or "no two cards"
    lines = [
        ("house edge, best play", f"{float(-best * 100):.6f} %", "of the first bet"),
        ("house edge, chart", f"{float(-chart * 100):.6f} %", question.chart_name),
        ("the chart costs", f"{float((best - chart) * 100):.6f} %", ""),
        ("insurance, house edge", f"{float(-insurance.worth * 100):.6f} %", "of the insurance bet; exact"),
        ("  always taken, adds", f"{float(insurance.always_adds * 100):+.6f} %", "of the first bet, half of it insured; exact"),
        ("  taken when right", f"{float(insurance.rightly_adds * 100):+.6f} %", f"right with {right}; exact"),
    ]
    rows = [{"what": what, **_number(value)} for what, value in values.items()]
    return Answer(data, rows, f"{question.heading()}\n{table(lines, right=(1,), indent='  ')}")


def _insurance(question: BlackjackQuestion) -> Answer:
    """What insurance is worth with every two cards."""
    insurance = insure(question.edition, question.settings, question.rules)
    rows: list[dict[str, Any]] = [
        {
            "hand": _cards(insured.hand),
            "dealer_blackjack": ratio(insured.blackjack),
            "worth": ratio(insured.worth),
            "worth_percent": float(insured.worth * 100),
            "take": insured.worth > 0,
        }
        for insured in insurance.hands
    ]
    data = question.head() | {"offered": _number(insurance.offered), "worth": _number(insurance.worth), "hands": rows}
    data |= {
        "arithmetic": "exact fractions",
        "always_adds": _number(insurance.always_adds),
        "rightly_adds": _number(insurance.rightly_adds),
    }
    lines = [["hand", "dealer's blackjack", "worth", ""]]
    lines += [
        [row["hand"], row["dealer_blackjack"], f"{row['worth_percent']:+.6f} %", "take" if row["take"] else ""] for row in rows
    ]
    text = (
        f"{question.edition.name}: insurance against an ace, exact, in percent of the insurance bet\n"
        f"{table(lines, right=(1, 2), indent='  ')}\n"
        f"  over all hands {float(insurance.worth * 100):+.6f} %; half of every bet insured adds "
        f"{float(insurance.always_adds * 100):+.6f} % of the first bet, "
        f"where it is right {float(insurance.rightly_adds * 100):+.6f} %"
    )
    return Answer(data, rows, text)


def _cards(hand: Held) -> str:
    """Two cards by their values."""
    return " ".join(RANKS[value] for value in (*range(1, VALUES), ACE) for _ in range(hand[value]))


def _results(question: BlackjackQuestion) -> Answer:
    """Every net result of a round."""
    play = question.by_chart() if question.chart else question.best()
    chart = play.chart.text() if isinstance(play, ChartPlay) else question.after_split
    key = key_of(question.edition, question.settings, "results", question.exact, chart)
    results = results_of(play, question.progress, key)
    who = f"by {question.chart_name}" if question.chart else "best play"
    rows: list[dict[str, Any]] = [
        {"net": ratio(net), "chance": float(chance), "exact": ratio(chance) if question.exact else ""}
        for net, chance in results.chances.items()
    ]
    data = question.head() | {
        "player": who,
        "house_edge": _number(-results.mean),
        "standard_deviation": results.standard_deviation,
        "variance": _number(results.variance),
        "results": rows,
    }
    lines = [["net", "chance"], *([row["net"].removesuffix("/1"), f"{row['chance']:.10f}"] for row in rows)]
    text = (
        f"{question.heading()}\n  {who}: house edge {float(-results.mean * 100):.6f} %, standard deviation "
        f"{results.standard_deviation:.6f} a unit of the first bet (all rounds, all splits)\n"
        f"{table(lines, right=(0, 1), indent='  ')}"
    )
    return Answer(data, rows, text)


def _lucky(question: BlackjackQuestion) -> Answer:
    """Lucky Lucky beside the main bet: how they go together, and what every card gone does to both."""
    if question.settings["shuffler"] == "continuous" and question.settings["R13"] == "infinite":
        raise Refused("not-solved", "an endless shoe (R13 infinite) is a model of Lucky Lucky alone: leave R13 as it is")
    if question.settings["lucky-card"] == "community" and not question.rules.rulings.splits_tens:
        raise Refused(
            "not-solved", "beside a community card blackjack is solved with pairs split by value: leave split as it is"
        )
    play = question.best()
    results = moments_of(play)
    both = both_bets(question.edition, question.settings, play, results)
    effects = removals(question.edition, question.settings, question.rules, question.progress)
    rows: list[dict[str, Any]] = [
        {
            "rank": removal.rank,
            "main_percent": removal.main * 100,
            "lucky_percent": float(removal.lucky * 100),
            "lucky_exact": ratio(removal.lucky),
        }
        for removal in effects
    ]
    data = question.head() | {
        "main": {"house_edge": _number(-results.mean), "standard_deviation": results.standard_deviation},
        "lucky": {"house_edge": _number(-both.lucky_mean), "standard_deviation": sqrt(both.lucky_variance)},
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
        f"{question.heading()}\n{table(deviations, right=(1, 2), indent='  ')}\n"
        f"  correlation {both.correlation:.6f}, covariance {float(both.covariance):.6f}\n\n"
        f"  What one card gone adds to the house edge (the main bet played anew, in floats; Lucky Lucky exact):\n"
        f"{table(gone, right=(1, 2), indent='  ')}"
    )
    return Answer(data, rows, text)


TOPICS = {"edge": _edge, "insurance": _insurance, "results": _results, "lucky": _lucky}


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The chart of the best play by totals, computed for these rules: on the terminal, or as a picture to print."""
    question = BlackjackQuestion(edition, settings, False, "fixed", None, progress)
    play, best = question.by_chart(), -float(question.best().value())
    chart, edge = play.chart, float(-play.value() * 100)
    data = question.head() | {"house_edge_percent": edge, "strategy": question.chart_name, "chart": chart.records()}
    data["remembered"] = remembered(question.rules, chart, edge / 100, best).as_data()
    grid = table([["hand", *COLUMNS], *([name, *chart.row(name)] for name in ROWS)], right=range(1, 11))
    legend = ", ".join(f"{letter} {meaning}" for letter, meaning in LEGEND.items())
    chosen = [f"{name} {value}" for name, value in settings.items() if name not in edition.readings]
    lines = (
        ", ".join(chosen[: len(chosen) // 2]),
        ", ".join(chosen[len(chosen) // 2 :]),
        f"basic strategy, computed; house edge {edge:.4f} % of the first bet (64-bit floats); "
        f"edition {edition.id}, digest {SHORT_DIGEST}",
    )
    drawn = svg(chart, edition.name, lines)
    files = {
        "html": page(edition.name, drawn),
        "svg": drawn,
        "csv": chart.text(),
        "json": json.dumps(data, indent=2, ensure_ascii=False) + "\n",
    }
    text = f"{grid}\n{legend}\nhouse edge of this chart {edge:.6f} % of the first bet, by {data['arithmetic']}"
    return Answer(data, chart.records(), text, files)


def choices(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, other: Cards) -> list[Choice]:
    """Against an up-card, once the dealer has looked where he looks."""
    take(edition.game.shoe(settings), [*hand, *dealer])
    rules, held = BlackjackRules.of(edition, settings), hand_of(hand)
    if len(dealer) != 1 or len(hand) < 2 or rules.rulings.is_bust(held):
        raise Refused("bad-hand", 'give two or more cards of at most 21 points, and the up-card: --hand "8s 8d" --dealer 10h')
    analysis, up = Analysis(rules), value_of(dealer[0])
    chart = _basic_chart(rules)
    if len(hand) == 2:
        left = rules.more_of_rank(hand, dealer[0])
        worths = analysis.choices(held, up, left)
        by_chart = ChartPlay(rules, chart=chart).options(held, up, left)[0] if len(worths) > 1 else STAND
    else:
        by_chart = ELSE[chart.cells[total_row(held), up]]
        worth = analysis.worth(up)[analysis.all.place[held]]
        worths = {choice: worth[choice] for choice in ((STAND, HIT) if rules.rulings.plays_on(held) else (STAND,))}
        if rules.original_bets_only:
            worths = {choice: analysis.before_look(value, held, up) for choice, value in worths.items()}
    return [
        Choice(NAMES[choice], float(value), made_by=("basic strategy",) if choice == by_chart else ())
        for choice, value in worths.items()
    ]


@lru_cache(maxsize=32)
def _basic_chart(rules: BlackjackRules) -> Chart:
    """Basic strategy of a table, which hands are asked about one after the other."""
    return basic_strategy(rules)
