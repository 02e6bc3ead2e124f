"""What is said of Duki 4 Poker, solved."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from houseway.cards import JOKER, show_cards
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally
from houseway.rulebook.settings import Settings
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, percent, ratio, table
from houseway.solve.kept import kept, key_of
from houseway.solve.picture import page, picture_of_lines
from houseway.solve.remembered import Remembered, StrategyTable
from houseway.solve.solver import Cards, Choice

from ..game import ANTE_OUTCOMES
from . import BEST
from . import best as duki
from . import seen as duki_seen

CARD, ANOTHER_HAND = "card", "hand"


def solve(edition: Edition, settings: Settings, progress: Progress | None, bonus: str = "0", seen: str = "") -> Answer:
    """The edge of the best play, the one line to remember, and where that line errs."""
    if seen not in {"", CARD, ANOTHER_HAND}:
        meant = f'"{CARD}" (one card of the dealer\'s) or "{ANOTHER_HAND}" (another player\'s four cards)'
        raise Refused("bad-request", f'what is seen is {meant}, not "{seen[:20]}"')
    solved = duki.solve(edition, settings, _multiple(bonus))
    data: dict[str, Any] = {
        "edition": edition.id,
        "digest": DIGEST,
        "settings": dict(settings),
        "bonus": str(solved.bonus),
        "house_edge": _number(solved.house_edge),
        "element_of_risk": _number(solved.element_of_risk),
        "plays": _number(solved.plays),
        "strategy": solved.in_words(),
        "strategy_costs": _number(solved.line_costs),
        "exceptions": _exceptions(solved),
        "total": solved.total,
    }
    if seen == CARD:
        edge = duki.edge_with_a_card_seen(edition, settings, progress, solved.bonus)
        data["house_edge_with_a_dealer_card_seen"] = _number(edge)
    elif seen == ANOTHER_HAND:
        beside = duki_seen.solve_with_a_hand_seen(edition, settings, progress, solved.bonus)
        data["house_edge_with_another_hand_seen"] = _number(beside.house_edge)
        data["plays_with_another_hand_seen"] = _number(beside.plays)
    return Answer(data, data["exceptions"], _text(edition, solved, data))


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The one line."""
    answer = solve(edition, settings, progress)
    answer.data["remembered"] = printed(edition, settings, progress).as_data()
    costs = f"This costs {answer.data['strategy_costs']['percent']:.6f} % of the Ante against the best play."
    edge = f"house edge of the best play {answer.data['house_edge']['percent']:.6f} %, exact"
    drawn = picture_of_lines(edition.name, (f"{edge}; digest {SHORT_DIGEST}",), (answer.data["strategy"], costs))
    files = {"html": page(edition.name, drawn), "svg": drawn, "json": json.dumps(answer.data, indent=2) + "\n"}
    return replace(answer, files=files)


def printed(edition: Edition, settings: Settings, progress: Progress | None) -> Remembered:
    """The one line, what it costs, and where the best play differs from it."""
    solved = duki.solve(edition, settings)
    errs = StrategyTable(
        "Where the line errs",
        ("Hand", "Better", "The line costs"),
        tuple(_error(solved, int(place)) for place in np.nonzero(solved.choice != solved.by_line)[0]),
        "One hand of each class (the same with suits renamed); what the line costs with it, in shares of the Ante.",
    )
    return Remembered(
        "the line",
        solved.line_costs,
        (solved.in_words(),),
        house_edge=solved.house_edge + solved.line_costs,
        tables=(errs,) if errs.rows else (),
        notes=(f"Exact, over all {solved.total:,} deals; shares of the Ante.",),
    )


def sheet(edition: Edition, wager: str, settings: Settings, player: str, progress: Progress | None) -> ParSheet:
    """The Ante's par sheet for a player who always chooses the better, or goes by the one line."""
    solved = duki.solve(edition, settings)
    ends = solved.tally(solved.choice if player == BEST else solved.by_line)
    tally = Tally(tuple(ends[outcome.id] for outcome in ANTE_OUTCOMES))
    return sheet_from(edition, edition.game.wagers[wager], settings, tally)


def choices(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, other: Cards) -> list[Choice]:
    """To play or to fold, perhaps with a card of the dealer's or all of another player's seen."""
    known = [*hand, *dealer, *other]
    if len(hand) != duki.HAND or len(set(known)) != len(known) or JOKER in known:
        raise Refused("bad-hand", "a Duki hand is four cards of 52, all different, and from what else is seen too")
    if len(dealer) > 1 or len(other) not in {0, duki.HAND} or (dealer and other):
        raise Refused("bad-hand", "one card of the dealer's may be seen, or all four of another player's")
    if other:
        value = duki_seen.value_beside(edition, settings, hand, other)
    else:
        value = duki.value_of_hand(edition, settings, hand, dealer[0] if dealer else -1)
    by_line = "play" if duki.score_of(edition, settings, hand) >= _line(edition, settings) else "fold"
    worths = {"play": value, "fold": edition.pay("ante", "fold", settings).net}
    return [Choice(name, worth, made_by=("the line",) if name == by_line else ()) for name, worth in worths.items()]


def _line(edition: Edition, settings: Settings) -> int:
    """The score from which on the one line plays; kept, since hands are asked about one after the other."""
    known = kept(key_of(edition, settings, "line"), lambda: {"line": duki.solve(edition, settings).line})
    return int(known["line"])


def _number(value: Fraction) -> dict[str, Any]:
    return {"exact": ratio(value), "percent": float(value * 100)}


def _multiple(text: str) -> Fraction:
    try:
        bonus = Fraction(text)
    except (ValueError, ZeroDivisionError):
        bonus = Fraction(-1)
    if not 0 <= bonus <= 1000:
        raise Refused("bad-bonus", f'a Bonus of "{text[:20]}" times the Ante is not possible: give a number from 0 to 1000')
    return bonus


def _error(solved: duki.Solved, place: int) -> tuple[str, str, Fraction]:
    costs = abs(solved.value_of_play(place) - solved.fold)
    return show_cards(solved.hands[place]), "play" if solved.choice[place] else "fold", costs


def _exceptions(solved: duki.Solved) -> list[dict[str, Any]]:
    """The hands in which the line is wrong, one of each class."""
    places = np.nonzero(solved.choice != solved.by_line)[0]
    return [
        {
            "hand": show_cards(solved.hands[place]),
            "better": "play" if solved.choice[place] else "fold",
            "play": float(solved.value_of_play(int(place))),
            "hands": int(solved.weights[place]),
        }
        for place in places
    ]


def _text(edition: Edition, solved: duki.Solved, data: dict[str, Any]) -> str:
    lines = [
        f"{edition.name}, all {solved.total:,} deals",
        f"  {solved.in_words()}",
        f"  house edge on the Ante    {percent(solved.house_edge, 6)} = {ratio(solved.house_edge)}",
        f"  element of risk           {percent(solved.element_of_risk, 6)}",
        f"  plays                     {percent(solved.plays)}",
        f"  the line alone costs      {percent(solved.line_costs, 6)}",
    ]
    if seen := data.get("house_edge_with_a_dealer_card_seen"):
        lines.append(f"  edge, a dealer card seen  {seen['percent']:.6f} %")
    if seen := data.get("house_edge_with_another_hand_seen"):
        lines.append(f"  edge, another hand seen   {seen['percent']:.6f} % = {seen['exact']}")
        lines.append(f"  plays, another hand seen  {data['plays_with_another_hand_seen']['percent']:.4f} %")
    if data["exceptions"]:
        lines.append("\n  The exact play differs from the line in these hands (and with their suits renamed):")
        rows = [[row["hand"], row["better"], f"{row['play']:+.6f}", str(row["hands"])] for row in data["exceptions"]]
        lines.append(table([["hand", "better", "playing is worth", "hands"], *rows], right=(2, 3), indent="  "))
    return "\n".join(lines)
