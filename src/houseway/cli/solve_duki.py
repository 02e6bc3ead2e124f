"""Duki 4 Poker for `houseway solve`, `strategy` and `best`."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from houseway.cards import show_cards
from houseway.cli.text import Answer, percent, ratio, table
from houseway.games.duki_4_poker.solve import best as duki
from houseway.games.duki_4_poker.solve import seen as duki_seen
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.picture import page, picture_of_lines

OPTIONS = ("bonus", "seen")
CARD, ANOTHER_HAND = "card", "hand"


def solve(edition: Edition, settings: Settings, progress: Progress | None, bonus: str = "0", seen: str = "") -> Answer:
    """The edge of the best play, the one line to remember, and where that line errs."""
    if seen not in {"", CARD, ANOTHER_HAND}:
        meant = f'"{CARD}" (one card of the dealer\'s) or "{ANOTHER_HAND}" (another player\'s four cards)'
        raise Refused("bad-request", f'what is seen is {meant}, not "{seen[:20]}"')
    solved = duki.solve(edition, settings, _multiple(bonus))
    data: dict[str, Any] = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "bonus": str(solved.bonus),
        "house_edge": _told(solved.house_edge),
        "element_of_risk": _told(solved.element_of_risk),
        "plays": _told(solved.plays),
        "strategy": solved.in_words(),
        "strategy_costs": _told(solved.line_costs),
        "exceptions": _exceptions(solved),
        "total": solved.total,
    }
    if seen == CARD:
        edge = duki.edge_with_a_card_seen(edition, settings, progress, solved.bonus)
        data["house_edge_with_a_dealer_card_seen"] = _told(edge)
    elif seen == ANOTHER_HAND:
        found = duki_seen.solve_with_a_hand_seen(edition, settings, progress, solved.bonus)
        data["house_edge_with_another_hand_seen"] = _told(found.house_edge)
        data["plays_with_another_hand_seen"] = _told(found.plays)
    return Answer(data, data["exceptions"], _text(edition, solved, data))


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The one line."""
    answer = solve(edition, settings, progress)
    costs = f"This costs {answer.data['strategy_costs']['percent']:.6f} % of the Ante against the best play."
    edge = f"house edge of the best play {answer.data['house_edge']['percent']:.6f} %, exact"
    drawn = picture_of_lines(
        edition.name, (f"{edge}; digest {edition.fingerprint.digest[:12]}",), (answer.data["strategy"], costs)
    )
    files = {"html": page(edition.name, drawn), "svg": drawn, "json": json.dumps(answer.data, indent=2) + "\n"}
    return replace(answer, files=files)


def _told(value: Fraction) -> dict[str, Any]:
    return {"exact": ratio(value), "percent": float(value * 100)}


def _multiple(text: str) -> Fraction:
    try:
        bonus = Fraction(text)
    except (ValueError, ZeroDivisionError):
        bonus = Fraction(-1)
    if not 0 <= bonus <= 1000:
        raise Refused("bad-bonus", f'a Bonus of "{text[:20]}" times the Ante is not possible: give a number from 0 to 1000')
    return bonus


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
        rows = [[one["hand"], one["better"], f"{one['play']:+.6f}", str(one["hands"])] for one in data["exceptions"]]
        lines.append(table([["hand", "better", "playing is worth", "hands"], *rows], right=(2, 3), indent="  "))
    return "\n".join(lines)
