"""Blackjack for `houseway solve`, `strategy` and `best`."""

from typing import Any

from houseway.cards import take
from houseway.cli.text import Answer, ratio, table
from houseway.kernels.count import Progress
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve import blackjack, blackjack_chart
from houseway.solve.blackjack_hands import HIT, NAMES, RANKS, STAND, hand_of, total_of

OPTIONS = ("exact",)


def solve(edition: Edition, settings: Settings, progress: Progress | None, exact: bool = False) -> Answer:
    """The value of best play: each hand by its cards, split hands by their own."""
    value = blackjack.Analysis(blackjack.Rules.of(edition, settings), exact=exact).value()
    told: dict[str, Any] = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "house_edge_percent": float(-value * 100),
        "arithmetic": "exact fractions" if exact else "64-bit floats",
        "strategy": "composition-dependent; split hands by their own cards (zero memory), played as before a split",
    }
    told |= {"house_edge": ratio(-value)} if exact else {}
    chosen = ", ".join(f"{name} {value}" for name, value in settings.items() if name not in edition.readings)
    text = (
        f"{edition.name}: {chosen}\n"
        f"  house edge {told['house_edge_percent']:.6f} % of the first bet, by {told['arithmetic']}\n"
        f"  best play, {told['strategy']}"
    )
    return Answer(told, [{name: told[name] for name in ("edition", "house_edge_percent", "arithmetic")}], text)


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The chart of the best play by totals, computed for these rules."""
    lines = blackjack_chart.basic_strategy(blackjack.Analysis(blackjack.Rules.of(edition, settings)))
    ups = [RANKS[up] for up in blackjack_chart.UPS]
    text = table([["hand", *ups], *([line.name, *line.choices] for line in lines)], right=range(1, 11))
    rows = [{"hand": line.name} | dict(zip(ups, line.choices, strict=True)) for line in lines]
    return Answer(rows, rows, text + "\nS stand, H hit, D double or hit, d double or stand, P split, R surrender")


def best(edition: Edition, settings: Settings, cards: tuple[int, ...], dealer: tuple[int, ...]) -> list[dict[str, Any]]:
    """Every choice with a hand against an up-card, once the dealer has looked where he looks."""
    take(edition.game.shoe(settings), [*cards, *dealer])
    hand = hand_of(cards)
    if len(dealer) != 1 or len(cards) < 2 or total_of(hand) > 21:
        raise Refused("bad-hand", 'give two or more cards of at most 21 points, and the up-card: --hand "8s 8d" --dealer 10h')
    analysis, up = blackjack.Analysis(blackjack.Rules.of(edition, settings), exact=False), hand_of(dealer).index(1)
    if len(cards) == 2:
        found = analysis.choices(hand, up)
    else:
        worth = analysis.worth(up)[analysis.all.place[hand]]
        found = {STAND: worth[0], HIT: worth[1]}
    return [{"choice": NAMES[choice], "value": float(value)} for choice, value in found.items()]
