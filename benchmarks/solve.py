"""Speeds of the solvers (`make bench`)."""

import time
from collections.abc import Callable
from typing import Any

from houseway.games import open_edition
from houseway.solve import blackjack, blackjack_basic, blackjack_results, duki, hands, pai_gow


def timed(work: Callable[[], Any], warm: bool = True) -> float:
    """How long it takes once everything is compiled."""
    if warm:
        work()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def told(what: str, took: float, target: float) -> None:
    print(f"{what}\n    {took:9.3f} s    target {target:g} s: {'met' if took <= target else 'MISSED'}", flush=True)


def blackjack_speeds() -> None:
    """Floats do not grow with the decks once two decks hold every hand; fractions grow with the length of their numbers."""
    lucky = open_edition("lucky-lucky-wa")
    for decks in (1, 2, 4, 6, 8):
        rules = blackjack.Rules.of(lucky, lucky.settings({"decks": decks}))
        took = min(timed(lambda rules=rules: blackjack.Analysis(rules).value()) for _ in range(5))
        told(f"Blackjack, {decks} decks, best play and its value in floats", took, 0.17)
    for decks in (1, 2, 4, 8):
        rules = blackjack.Rules.of(lucky, lucky.settings({"decks": decks, "split-hands": 2}))
        took = timed(lambda rules=rules: blackjack.Analysis(rules, exact=True).value(), False)
        told(f"Blackjack, {decks} decks, one split, in exact fractions", took, 60)
    rules = blackjack.Rules.of(lucky, lucky.settings())
    told("Blackjack, 6 decks, basic strategy computed", timed(lambda: blackjack_basic.basic_strategy(rules)), 5)
    took = timed(lambda: blackjack_results.results_of(blackjack.Analysis(rules)))
    told("Blackjack, 6 decks, every result and the standard deviation, in floats", took, 10)


def main() -> None:
    four = open_edition("duki-4-wa")
    told("Duki, edge and strategy under one reading", timed(lambda: duki.solve(four, four.settings()).line_costs), 5)
    blackjack_speeds()
    book = open_edition("ez-pai-gow-wa")
    way = book.game.encode(book.settings())
    told("Pai gow, all hands set by a House Way", timed(lambda: hands.set_all_hands([way])), 20)
    told("Pai gow, House Way against House Way, every deal", timed(lambda: pai_gow.count_deals(way, way), False), 120)


if __name__ == "__main__":
    main()
