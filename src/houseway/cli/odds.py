"""Printing par sheets."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.api import Odds, Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, progress_bar, show_csv, show_json
from houseway.house.standing import standing
from houseway.money import dollars, parse_cents
from houseway.odds.par_sheet import IN_FLOATS, SIMULATED, SOLVED, ParSheet
from houseway.odds.ranges import Z, fair_from, return_ranges
from houseway.refusal import number_of
from houseway.rulebook import Edition, Settings
from houseway.solve.answer import percent, ratio, table
from houseway.solve.solver import BEST, best_edge, is_sheet_ready, solved_player, solved_sheet


@dataclass(frozen=True)
class OddsQuestion:
    """What was asked on the command line."""

    edition: str
    wager: str | None
    chosen: dict[str, int | str]
    players: int
    bet: str
    removed: str
    what_if: bool
    is_sampled: bool = False
    """Whether a sample is asked for although the odds are solved."""


def _odds(question: OddsQuestion, progress: Any) -> Odds:
    book = Rulebook.open(question.edition)
    bet_cents = parse_cents(question.bet, "bet")
    chosen = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    return book.odds(question.removed, question.players, bet_cents, question.what_if, progress, **chosen)


def sheet_data(sheet: ParSheet, strategy: str = "") -> dict[str, Any]:
    """A par sheet as plain data, with how the player decides."""
    data: dict[str, Any] = {
        "wager": sheet.wager.id,
        **({} if sheet.method == SOLVED else {"total": sheet.total}),
        "outcomes": [
            {
                "outcome": row.outcome,
                "name": row.name,
                "pays": row.pays,
                **({"rides": row.rides} if row.rides else {}),
                **({} if sheet.method == SOLVED else {"combinations": row.combinations}),
                "probability": _number(sheet, row.probability),
                "one_in": float(row.one_in) if row.one_in else None,
                "return": _number(sheet, row.contribution),
            }
            for row in sheet.rows
        ],
        "house_edge": _edge(sheet, sheet.house_edge),
        "hit_frequency": float(sheet.hit_frequency),
        "push_frequency": float(sheet.push_frequency),
        "variance": _number(sheet, sheet.variance),
        "standard_deviation": sheet.standard_deviation,
        "skewness": sheet.standard_moment(3),
        "excess_kurtosis": sheet.standard_moment(4) - 3,
        "volatility_index": sheet.volatility_index,
        "return_ranges": _ranges_data(sheet),
        "method": sheet.method,
    }
    if strategy or sheet.wager.strategy:
        data["strategy"] = strategy or sheet.wager.strategy
    if sheet.method == SOLVED:
        data["arithmetic"] = "64-bit floats"
    if sheet.staked is not None and sheet.element_of_risk is not None:
        data |= {"staked": float(sheet.staked), "element_of_risk": float(sheet.element_of_risk)}
    if sheet.method == SIMULATED:
        data["house_edge"]["standard_error_percent"] = sheet.standard_error * 100
    if sheet.envy:
        data["envy"] = {
            "players": sheet.envy.players,
            "bet_cents": sheet.envy.bet_cents,
            "house_edge_without_envy": _edge(sheet, sheet.house_edge_without_envy),
            "house_edge_by_players": {str(n): _edge(sheet, sheet.house_edge_with(n)) for n in range(1, 7)},
            "note": "the standard deviation is without envy",
        }
    return data


def _ranges_data(sheet: ParSheet) -> dict[str, Any]:
    """Where the mean of many bets ends."""
    return {
        "about": "the share of all stakes that comes back after so many bets, in so many per cent of series; "
        "of single bets it says nothing",
        "fair_from_bets": fair_from(sheet),
        "ranges": [
            {"bets": range_.bets, "percent": range_.percent, "low": range_.low, "high": range_.high}
            for range_ in return_ranges(sheet)
        ],
    }


def _edge(sheet: ParSheet, edge: Fraction) -> dict[str, Any]:
    exact = {} if sheet.method == SOLVED else {"exact": ratio(edge)}
    return exact | {"percent": float(edge * 100)}


def _number(sheet: ParSheet, value: Fraction) -> str | float:
    """A fraction; where it was solved in floats, that float."""
    return float(value) if sheet.method == SOLVED else ratio(value)


def solved_strategy(sheet: ParSheet, player: str) -> str:
    """How a player decides for whom a wager is solved, and in which arithmetic."""
    return f"{IN_FLOATS if sheet.method == SOLVED else 'exact'}; the player decides by: {player}"


@dataclass(frozen=True)
class Told:
    """Sheets that are printed: of a player who is solved where he was before, and what a solver knows of the others."""

    question: OddsQuestion
    odds: Odds

    def player(self, wager: str) -> str:
        """For whom a wager that is simulated can be solved: nobody where cards are gone, or a sample is asked for."""
        if self.question.removed or self.question.is_sampled:
            return ""
        return solved_player(self.odds.edition, wager, self.odds.settings)

    def is_ready(self, wager: str) -> bool:
        """Whether that was done before."""
        player = self.player(wager)
        return bool(player) and is_sheet_ready(self.odds.edition, wager, self.odds.settings, player)

    def sheet(self, wager: str) -> ParSheet:
        """What is printed of a wager."""
        edition, settings = self.odds.edition, self.odds.settings
        edition.wager(wager)
        return solved_sheet(edition, wager, settings, self.player(wager)) if self.is_ready(wager) else self.odds[wager]

    def strategy(self, sheet: ParSheet) -> str:
        """How the player decides; nothing where that is as the wager's own sheet says."""
        return (
            ""
            if sheet.method == SIMULATED or not self.is_ready(sheet.wager.id)
            else solved_strategy(sheet, self.player(sheet.wager.id))
        )

    def decides(self, sheet: ParSheet) -> str:
        """The player in a word or two."""
        return self.player(sheet.wager.id) if self.strategy(sheet) else sheet.wager.strategy

    def data(self, sheet: ParSheet) -> dict[str, Any]:
        """A sheet as plain data; beside a sample, what a solver knows."""
        data = sheet_data(sheet, self.strategy(sheet))
        if decides := self.decides(sheet):
            data["player"] = decides
        if sheet.method != SIMULATED or not (player := self.player(sheet.wager.id)):
            return data
        edge = best_edge(self.odds.edition, sheet.wager.id, self.odds.settings)
        if edge is not None:
            exact = {"exact": ratio(edge)} if isinstance(edge, Fraction) else {"arithmetic": "64-bit floats"}
            data["solved_house_edge"] = {"player": BEST, "percent": float(edge * 100)} | exact
        return data | {"solvable_for": player, "solved_by": self.command(sheet)}

    def command(self, sheet: ParSheet) -> str:
        """The command that solves all of a sampled sheet; nothing outside the approval, which the shell does not solve."""
        if self.odds.settings.outside:
            return ""
        chosen = "".join(f" --set {name.replace('_', '-')}={value}" for name, value in self.question.chosen.items())
        asked = f"--wager {sheet.wager.id} --player {self.player(sheet.wager.id)}"
        return f"houseway odds {self.question.edition}{chosen} {asked}"

    def text(self, sheet: ParSheet) -> str:
        """A sheet to read; beside a sample, what a solver knows and what works out the rest."""
        text = sheet_text(sheet, self.strategy(sheet))
        if sheet.method != SIMULATED or not (player := self.player(sheet.wager.id)):
            return text
        edge = best_edge(self.odds.edition, sheet.wager.id, self.odds.settings)
        how = "exact" if isinstance(edge, Fraction) else IN_FLOATS
        solved = f"house edge {float(edge * 100):.6f} % for the best player, {how}; " if edge is not None else ""
        rows = f"these rows are sampled, of another player ({sheet.wager.strategy})"
        rows = rows if player == BEST else f"these rows are sampled ({sheet.wager.strategy})"
        command = f"; {self.command(sheet)} works out his, once, and odds shows them then" if self.command(sheet) else ""
        return f"{text}\n  {solved}{rows}{command}"


def show_odds(question: OddsQuestion, format_: Format) -> None:
    """Print the odds of one wager, or of all that are offered."""
    with progress_bar("computing") as progress:
        odds = _odds(question, progress)
        left_out: dict[str, str] = {}
        told = Told(question, odds)
        if question.wager:
            sheets = [told.sheet(question.wager)]
        else:
            sheets, left_out = odds.offered(told.sheet)
    if format_ is Format.JSON:
        asked = {"players": question.players, "bet_cents": odds.bet_cents, "removed": question.removed}
        show_json(odds_data(odds.edition, odds.settings, asked, [told.data(sheet) for sheet in sheets], left_out))
    elif format_ is Format.CSV:
        show_csv([csv_row(sheet, place, told.decides(sheet)) for sheet in sheets for place in range(len(sheet.rows))])
    else:
        _print_heading(question, odds)
        for sheet in sheets:
            print("\n" + told.text(sheet))
        for message in left_out.values():
            print(f"\n{message}")


def odds_data(
    edition: Edition, settings: Settings, asked: dict[str, Any], wagers: list[dict[str, Any]], not_offered: dict[str, str]
) -> dict[str, Any]:
    """Every answer about odds has this form, whoever plays: the edition, its digest, what was asked, and the wagers."""
    return {
        "edition": edition.id,
        "digest": standing(edition).rules,
        "status": status(edition),
        "differences": list(standing(edition).differences),
        "settings": dict(settings) | asked,
        "what_if": list(settings.outside),
        "wagers": wagers,
        "not_offered": not_offered,
    }


def csv_row(sheet: ParSheet, place: int, player: str) -> dict[str, Any]:
    """An outcome of a par sheet as a row of equal keys; where it was solved, no deals were counted."""
    row, is_counted = sheet.rows[place], sheet.method != SOLVED
    return {
        "edition": sheet.edition.id,
        "wager": sheet.wager.id,
        "outcome": row.outcome,
        "pays": row.pays,
        "combinations": row.combinations if is_counted else "",
        "total": sheet.total if is_counted else "",
        "probability": float(row.probability),
        "return": float(row.contribution),
        "house_edge_percent": float(sheet.house_edge * 100),
        "standard_deviation": sheet.standard_deviation,
        "method": sheet.method,
        "player": player,
    }


def heading(edition: Edition, settings: Settings) -> str:
    """What stands above all odds: the edition, its digest, and every setting."""
    rules = [f"{name} {value}" for name, value in settings.items() if name not in edition.readings]
    changed = [f"{id_}={settings[id_]}" for id_ in edition.readings if settings[id_] != edition.approved[id_][0]]
    badge = standing(edition)
    return f"{edition.name} · {badge.heading} · digest {badge.rules[:12]}\n{', '.join([*rules, *changed])}"


def _print_heading(question: OddsQuestion, odds: Odds) -> None:
    print(heading(odds.edition, odds.settings) + (f"; removed {question.removed}" if question.removed else ""))
    if odds.removed.any_suit and any(odds.edition.game.wagers[name].suits_matter for name in odds):
        print("where suits matter, each deal counts once for every way the cards removed without a suit can be suited")
    if odds.settings.outside:
        print(f"WHAT IF, outside the approval: {'; '.join(odds.settings.outside)}")


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _in_words(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def sheet_text(sheet: ParSheet, strategy: str = "") -> str:
    """A par sheet as a table, with how the player decides."""
    deals = sheet.edition.game.face.deals.replace("{cards}", _in_words(sheet.wager.cards))
    counted = {SIMULATED: f"{sheet.total:,} simulated rounds", SOLVED: "every result of a round"}.get(
        sheet.method, f"{sheet.total:,} {deals}"
    )
    title = f"{sheet.wager.name} ({sheet.wager.id}): {counted}"
    if strategy or sheet.wager.strategy:
        title += f"; strategy: {strategy or sheet.wager.strategy}"
    is_counted = sheet.method != SOLVED
    columns = ("pays", "combinations") if is_counted else ("net",)
    head = ("outcome", *columns, "probability", "1 in", "return")
    body = [
        (
            row.name,
            ", ".join([row.pays, *(f"{name} {pay}" for name, pay in row.rides.items())]),
            *((f"{row.combinations:,}",) if is_counted else ()),
            f"{float(row.probability):.8f}",
            _one_in(row.one_in),
            f"{float(row.contribution):+.8f}",
        )
        for row in sheet.rows
    ]
    error = f" ± {sheet.standard_error * 100:.3f}" if sheet.method == SIMULATED else ""
    exact = {SIMULATED: " (one standard error)", SOLVED: f" of the first bet, {IN_FLOATS}"}.get(
        sheet.method, f" = {ratio(sheet.house_edge)}"
    )
    lines = [
        title,
        table([head, *body], right=range(2, len(head)), indent="  "),
        f"  house edge {float(sheet.house_edge * 100):.{4 if is_counted else 6}f}{error} %{exact}"
        + (", for the player" if sheet.house_edge < 0 else ""),
        f"  wins {percent(sheet.hit_frequency)}, pushes {percent(sheet.push_frequency)}, "
        f"standard deviation {sheet.standard_deviation:.4f}, volatility index {sheet.volatility_index:.4f}"
        + (" (both without envy)" if sheet.envy else ""),
    ]
    if sheet.staked is not None and sheet.element_of_risk is not None:
        lines.append(
            f"  skewness {sheet.standard_moment(3):.4f}, excess kurtosis {sheet.standard_moment(4) - 3:.4f}; "
            f"{float(sheet.staked):.6f} staked on average for each unit of the first bet, of which the house keeps "
            f"{percent(sheet.element_of_risk)} (element of risk)"
        )
    return "\n".join(lines + _range_lines(sheet) + _envy_lines(sheet))


def _range_lines(sheet: ParSheet) -> list[str]:
    """What comes back after many bets; the volatility index over the square root of their number is half the range at 90 %."""
    ranges = return_ranges(sheet)
    rows = [
        (f"{bets:,}", *(f"{range_.low * 100:.2f} to {range_.high * 100:.2f} %" for range_ in ranges if range_.bets == bets))
        for bets in dict.fromkeys(range_.bets for range_ in ranges)
    ]
    stakes = "that is staked" if sheet.staked is None else "first bets"
    return [
        f"  what comes back of all {stakes}, in so many of 100 series of bets "
        f"(fair from {fair_from(sheet):,} bets on; of single bets it says nothing):",
        table([("bets", *(f"{percent} %" for percent in Z)), *rows], right=range(4), indent="    "),
    ]


def _envy_lines(sheet: ParSheet) -> list[str]:
    if not sheet.envy:
        return []
    edges = ", ".join(f"{n}: {percent(sheet.house_edge_with(n), 3)}" for n in range(1, 7))
    return [
        f"  the house edge is for {number_of(sheet.envy.players, 'player')} and a bet of {dollars(sheet.envy.bet_cents)}; "
        f"by players: {edges}"
    ]


def _one_in(value: Fraction | None) -> str:
    if value is None:
        return "never"
    return f"{float(value):,.0f}" if value >= 1000 else f"{float(value):.4g}"


def show_removal_effects(question: OddsQuestion, format_: Format) -> None:
    """Print what the removal of one card of each rank does to the house edge of every enumerated wager."""
    odds = _odds(question, None)
    book = Rulebook(odds.edition)
    wagers = [question.wager] if question.wager else [w for w in odds if not odds.edition.game.wagers[w].simulated]
    chosen = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    effects = {wager: book.removal_effects(wager, question.what_if, **chosen) for wager in wagers}
    ranks = list(next(iter(effects.values())))
    if format_ is Format.TABLE:
        print("Change of the house edge, in percentage points, when one card of a rank is gone from the shoe")
        body = [[rank, *(f"{float(effects[wager][rank] * 100):+.6f}" for wager in wagers)] for rank in ranks]
        print(table([["card", *wagers], *body], right=range(1, len(wagers) + 1)))
        return
    rows = [
        {"edition": odds.edition.id, "wager": wager, "card": rank, "effect_percent": float(effects[wager][rank] * 100)}
        | {"effect": ratio(effects[wager][rank])}
        for wager in wagers
        for rank in ranks
    ]
    (show_json if format_ is Format.JSON else show_csv)(rows)
