"""Speeds of the solvers (`make bench`)."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from houseway.games import open_edition
from houseway.rulebook.edition import Edition
from houseway.solve import blackjack, duki, duki_seen, hands, kept, pai_gow


def timed(work: Callable[[], Any], warm: bool = True) -> float:
    """How long it takes once everything is compiled."""
    if warm:
        work()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def told(what: str, took: float, target: float) -> None:
    print(f"{what}\n    {took:9.3f} s    target {target:g} s: {'met' if took <= target else 'MISSED'}", flush=True)


def seen_anew(four: Edition) -> None:
    """The work itself, whatever is kept of it."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(kept, "_folder", lambda: Path(folder)):
        duki_seen.solve_with_a_hand_seen(four, four.settings())


def main() -> None:
    four = open_edition("duki-4-wa")
    told("Duki, edge and strategy under one reading", timed(lambda: duki.solve(four, four.settings()).line_costs), 5)
    told("Duki, every hand beside every hand of another player's", timed(lambda: seen_anew(four), False), 120)
    lucky = open_edition("lucky-lucky-wa")
    for decks in (1, 2, 4, 8):
        rules = blackjack.Rules.of(lucky, lucky.settings({"decks": decks}))
        took = timed(lambda rules=rules: blackjack.Analysis(rules).value())
        told(f"Blackjack, {decks} decks, best play and its value in floats", took, 0.17)
    rules = replace(blackjack.Rules.of(lucky, lucky.settings({"decks": 8})), hands_most=2)
    told(
        "Blackjack, 8 decks, one split, in exact fractions",
        timed(lambda: blackjack.Analysis(rules, exact=True).value(), False),
        60,
    )
    book = open_edition("ez-pai-gow-wa")
    way = book.game.encode(book.settings())
    told("Pai gow, all hands set by a House Way", timed(lambda: hands.set_all_hands([way])), 20)
    told("Pai gow, House Way against House Way, every deal", timed(lambda: pai_gow.count_deals(way, way), False), 120)


if __name__ == "__main__":
    main()
