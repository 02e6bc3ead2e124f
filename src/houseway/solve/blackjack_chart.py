"""The strategy chart of blackjack, computed: one row a total, a soft total or a pair, one column an up-card."""

from collections.abc import Mapping
from dataclasses import dataclass

from houseway.solve.blackjack import Analysis
from houseway.solve.blackjack_hands import (
    ACE,
    DOUBLE,
    HIT,
    RANKS,
    SPLIT,
    STAND,
    SURRENDER,
    TEN,
    VALUES,
    Hand,
    is_soft,
    total_of,
)


@dataclass(frozen=True)
class Line:
    """A row of a strategy chart: a total, a soft total or a pair, and what to do against each up-card."""

    name: str
    choices: tuple[str, ...]


LETTERS = {STAND: "S", HIT: "H", DOUBLE: "D", SPLIT: "P", SURRENDER: "R"}
UPS = (*range(1, VALUES), ACE)
"""Up-cards in the order of a chart: 2 ... 10, ace."""


def basic_strategy(analysis: Analysis) -> list[Line]:
    """The chart by totals: for the first two cards that make a total, what is worth most on their average.

    `d` doubles where one would otherwise stand, `D` where one would otherwise hit.
    """
    chances: dict[tuple[str, int], dict[Hand, float]] = {}
    for hand, up, chance in analysis.deals():
        if hand[ACE] == hand[TEN] == 1:
            continue
        kind = "pair" if max(hand) == 2 else "soft" if is_soft(hand) else "hard"
        name = f"{RANKS[hand.index(2)]},{RANKS[hand.index(2)]}" if kind == "pair" else f"{kind} {total_of(hand)}"
        chances.setdefault((name, up), {})[hand] = float(chance)
    names = sorted({name for name, _ in chances}, key=_chart_order)
    return [Line(name, tuple(_letter(analysis, chances.get((name, up), {}), up) for up in UPS)) for name in names]


def _chart_order(name: str) -> tuple[int, int]:
    kind, _, total = name.partition(" ")
    if total:
        return ("hard", "soft").index(kind), int(total)
    return 2, RANKS.index(name.partition(",")[0]) or VALUES


def _letter(analysis: Analysis, hands: Mapping[Hand, float], up: int) -> str:
    worth: dict[int, float] = {}
    for hand, chance in hands.items():
        for choice, value in analysis.choices(hand, up).items():
            worth[choice] = worth.get(choice, 0.0) + chance * float(value)
    if not worth:
        return "-"
    best = max(worth, key=lambda choice: worth[choice])
    return "d" if best == DOUBLE and worth[STAND] > worth[HIT] else LETTERS[best]
