"""Printing par sheets."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.api import Odds, Rulebook
from houseway.cli.books import status
from houseway.cli.text import Format, progress_bar, show_csv, show_json
from houseway.house.standing import standing
from houseway.money import dollars, parse_cents
from houseway.odds.par_sheet import ParSheet
from houseway.odds.ranges import Z, fair_from, return_ranges
from houseway.refusal import number_of
from houseway.rulebook import Edition, Settings
from houseway.solve.answer import percent, ratio, table


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


def _odds(question: OddsQuestion, progress: Any) -> Odds:
    book = Rulebook.open(question.edition)
    bet_cents = parse_cents(question.bet, "bet")
    chosen = {name.replace("-", "_"): value for name, value in question.chosen.items()}
    return book.odds(question.removed, question.players, bet_cents, question.what_if, progress, **chosen)


def sheet_data(sheet: ParSheet, strategy: str = "") -> dict[str, Any]:
    """A par sheet as plain data, with how the player decides."""
    data: dict[str, Any] = {
        "wager": sheet.wager.id,
        "total": sheet.total,
        "outcomes": [
            {
                "outcome": row.outcome,
                "name": row.name,
                "pays": row.pays,
                **({"rides": row.rides} if row.rides else {}),
                "combinations": row.combinations,
                "probability": ratio(row.probability),
                "one_in": float(row.one_in) if row.one_in else None,
                "return": ratio(row.contribution),
            }
            for row in sheet.rows
        ],
        "house_edge": _edge(sheet.house_edge),
        "hit_frequency": float(sheet.hit_frequency),
        "push_frequency": float(sheet.push_frequency),
        "variance": ratio(sheet.variance),
        "standard_deviation": sheet.standard_deviation,
        "volatility_index": sheet.volatility_index,
        "return_ranges": _ranges_data(sheet),
        "method": sheet.method,
    }
    if strategy or sheet.wager.strategy:
        data["strategy"] = strategy or sheet.wager.strategy
    if sheet.method == "simulated":
        data["house_edge"]["standard_error_percent"] = sheet.standard_error * 100
    if sheet.envy:
        data["envy"] = {
            "players": sheet.envy.players,
            "bet_cents": sheet.envy.bet_cents,
            "house_edge_without_envy": _edge(sheet.house_edge_without_envy),
            "house_edge_by_players": {str(n): _edge(sheet.house_edge_with(n)) for n in range(1, 7)},
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


def _edge(edge: Fraction) -> dict[str, Any]:
    return {"exact": ratio(edge), "percent": float(edge * 100)}


def show_odds(question: OddsQuestion, format_: Format) -> None:
    """Print the odds of one wager, or of all that are offered."""
    with progress_bar("computing") as progress:
        odds = _odds(question, progress)
        left_out: dict[str, str] = {}
        if question.wager:
            sheets = [odds[question.wager]]
        else:
            sheets, left_out = odds.offered()
    if format_ is Format.JSON:
        asked = {"players": question.players, "bet_cents": odds.bet_cents, "removed": question.removed}
        show_json(odds_data(odds.edition, odds.settings, asked, [sheet_data(sheet) for sheet in sheets], left_out))
    elif format_ is Format.CSV:
        show_csv([csv_row(sheet, place) for sheet in sheets for place in range(len(sheet.rows))])
    else:
        _print_heading(question, odds)
        for sheet in sheets:
            print("\n" + sheet_text(sheet))
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


def csv_row(sheet: ParSheet, place: int) -> dict[str, Any]:
    """An outcome of a par sheet as a row of equal keys."""
    row = sheet.rows[place]
    return {
        "edition": sheet.edition.id,
        "wager": sheet.wager.id,
        "outcome": row.outcome,
        "pays": row.pays,
        "combinations": row.combinations,
        "total": sheet.total,
        "probability": float(row.probability),
        "return": float(row.contribution),
        "house_edge_percent": float(sheet.house_edge * 100),
        "standard_deviation": sheet.standard_deviation,
        "method": sheet.method,
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
    counted = f"{sheet.total:,} {deals}" if sheet.method == "enumerated" else f"{sheet.total:,} simulated rounds"
    title = f"{sheet.wager.name} ({sheet.wager.id}): {counted}"
    if strategy or sheet.wager.strategy:
        title += f"; strategy: {strategy or sheet.wager.strategy}"
    head = ("outcome", "pays", "combinations", "probability", "1 in", "return")
    body = [
        (
            row.name,
            ", ".join([row.pays, *(f"{name} {pay}" for name, pay in row.rides.items())]),
            f"{row.combinations:,}",
            f"{float(row.probability):.8f}",
            _one_in(row.one_in),
            f"{float(row.contribution):+.8f}",
        )
        for row in sheet.rows
    ]
    error = f" ± {sheet.standard_error * 100:.3f}" if sheet.method == "simulated" else ""
    lines = [
        title,
        table([head, *body], right=(2, 3, 4, 5), indent="  "),
        f"  house edge {float(sheet.house_edge * 100):.4f}{error} %"
        + (f" = {ratio(sheet.house_edge)}" if sheet.method == "enumerated" else " (one standard error)")
        + (", for the player" if sheet.house_edge < 0 else ""),
        f"  wins {percent(sheet.hit_frequency)}, pushes {percent(sheet.push_frequency)}, "
        f"standard deviation {sheet.standard_deviation:.4f}, volatility index {sheet.volatility_index:.4f}"
        + (" (both without envy)" if sheet.envy else ""),
    ]
    return "\n".join(lines + _range_lines(sheet) + _envy_lines(sheet))


def _range_lines(sheet: ParSheet) -> list[str]:
    """What comes back after many bets; the volatility index over the square root of their number is half the range at 90 %."""
    ranges = return_ranges(sheet)
    rows = [
        (f"{bets:,}", *(f"{range_.low * 100:.2f} to {range_.high * 100:.2f} %" for range_ in ranges if range_.bets == bets))
        for bets in dict.fromkeys(range_.bets for range_ in ranges)
    ]
    return [
        "  what comes back of all that is staked, in so many of 100 series of bets "
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
