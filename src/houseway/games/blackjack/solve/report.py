"""What is said of blackjack, solved."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import Any

from houseway.cards import take
from houseway.kernels.count import Progress
from houseway.refusal import Refused, number_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.pay import Pay
from houseway.rulebook.settings import Settings
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, ratio, table
from houseway.solve.kept import key_of
from houseway.solve.picture import page
from houseway.solve.remembered import Remembered
from houseway.solve.results import SolvedResult, SolvedResults
from houseway.solve.solver import Cards, Choice

from ..outcomes import BLACKJACK_OUTCOMES
from .analysis import Analysis, BlackjackRules
from .basic import basic_strategy
from .chart import COLUMNS, ELSE, LEGEND, ROWS, Chart, ChartPlay, total_row
from .costs import remembered
from .hands import HIT, NAMES, RANKS, STAND
from .insurance import insure
from .lucky import both_bets, removals
from .picture import svg
from .results import GAVE_UP, NATURAL, NATURALS, RoundResults, are_kept, average_stake, moments_of, net_of, results_of
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


def best_results(edition: Edition, wager: str, settings: Settings, progress: Progress | None) -> SolvedResults:
    """Every result of a round for the best player, who takes neither insurance nor even money; in floats."""
    play = Analysis(BlackjackRules.of(edition, settings))
    results = round_results(edition, play, progress)
    return SolvedResults(rows_of(edition, settings, play.rules, results.ends), float(average_stake(play)))


def round_results(edition: Edition, play: Analysis, progress: Progress | None = None) -> RoundResults:
    """Every result of a round for a player; kept on disk."""
    return results_of(play, progress, _results_key(edition, play))


def rows_of(edition: Edition, settings: Settings, rules: BlackjackRules, ends: Mapping[str, Any]) -> tuple[SolvedResult, ...]:
    """Ends of a round by name, the best first, pushes and two blackjacks told apart."""
    names = {outcome.id: outcome.name for outcome in BLACKJACK_OUTCOMES}
    pays = {NATURAL: "blackjack", GAVE_UP: "surrender"}
    rows = []
    for end, chance in sorted(ends.items(), key=lambda item: (-net_of(rules, item[0]), item[0])):
        net = net_of(rules, end)
        if end in pays:
            name, told = names[pays[end]], str(edition.pay("blackjack", pays[end], settings))
        elif end == NATURALS:
            name, told = "Both have a blackjack", str(Pay(net))
        else:
            name = "Push, or even in all" if not net else f"{'Won' if net > 0 else 'Lost'} {number_of(abs(int(net)), 'bet')}"
            told = f"{'+' if net > 0 else ''}{net}".replace("-", "−")
        rows.append(SolvedResult(end if end in (*pays, NATURALS) else f"net-{end}", name, told, net, chance))
    return tuple(row for row in rows if row.probability)


def _results_key(edition: Edition, play: Analysis) -> str:
    """Under which name results are kept: by all that the rules say but what a blackjack is paid."""
    rules = replace(play.rules, blackjack_pays=Fraction(0), blackjacks_pay=Fraction(0))
    chart = play.chart.text() if isinstance(play, ChartPlay) else play.free_after_split
    return key_of(edition, {}, "results", play.exact, chart, rules)


def is_ready(edition: Edition, settings: Settings, question: str, player: str) -> bool:
    """Whether the results of a round were worked out before; all else is answered at once."""
    if question != "results":
        return True
    play = Analysis(BlackjackRules.of(edition, settings))
    return are_kept(_results_key(edition, play), play.ups)


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
    results = round_results(question.edition, play, question.progress)
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
    chart, told = _basic(question)
    edge = float(told.house_edge or 0) * 100
    data = question.head() | {"house_edge_percent": edge, "strategy": question.chart_name, "chart": chart.records()}
    data["remembered"] = told.as_data()
    grid = table([["hand", *COLUMNS], *([name, *chart.row(name)] for name in ROWS)], right=range(1, 11))
    used = set(chart.cells.values())
    legend = ", ".join(f"{letter} {meaning}" for letter, meaning in LEGEND.items() if letter in used)
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


def printed(edition: Edition, settings: Settings, progress: Progress | None) -> Remembered:
    """The same as it is handed out."""
    return _basic(BlackjackQuestion(edition, settings, False, "fixed", None, progress))[1]


def _basic(question: BlackjackQuestion) -> tuple[Chart, Remembered]:
    """Basic strategy, and what is remembered of it."""
    play, best = question.by_chart(), -float(question.best().value())
    return play.chart, remembered(question.rules, play.chart, -float(play.value()), best)


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
