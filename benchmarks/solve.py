"""Speeds of the solvers (`make bench`)."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from houseway.games import open_edition
from houseway.games.blackjack.solve import analysis as blackjack
from houseway.games.blackjack.solve import basic as blackjack_basic
from houseway.games.blackjack.solve import results as blackjack_results
from houseway.games.duki_4_poker.solve import best as duki
from houseway.games.duki_4_poker.solve import seen as duki_seen
from houseway.games.ez_pai_gow.solve import best as pai_gow_best
from houseway.games.ez_pai_gow.solve import pairs as pai_gow
from houseway.games.ez_pai_gow.solve.hands import Deck, Hands
from houseway.games.ez_pai_gow.solve.solution import Solution
from houseway.rulebook.edition import Edition
from houseway.solve import kept


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


def blackjack_speeds() -> None:
    """Floats do not grow with the decks once two decks hold every hand; fractions grow with the length of their numbers."""
    lucky = open_edition("lucky-lucky-wa")
    for decks in (1, 2, 4, 6, 8):
        rules = blackjack.BlackjackRules.of(lucky, lucky.settings({"decks": decks}))
        took = min(timed(lambda rules=rules: blackjack.Analysis(rules).value()) for _ in range(5))
        told(f"Blackjack, {decks} decks, best play and its value in floats", took, 0.17)
    for decks in (1, 2, 4, 8):
        rules = blackjack.BlackjackRules.of(lucky, lucky.settings({"decks": decks, "split-hands": 2}))
        took = timed(lambda rules=rules: blackjack.Analysis(rules, exact=True).value(), False)
        told(f"Blackjack, {decks} decks, one split, in exact fractions", took, 60)
    rules = blackjack.BlackjackRules.of(lucky, lucky.settings())
    told("Blackjack, 6 decks, basic strategy computed", timed(lambda: blackjack_basic.basic_strategy(rules)), 5)
    took = timed(lambda: blackjack_results.moments_of(blackjack.Analysis(rules)))
    told("Blackjack, 6 decks, the standard deviation, in floats", took, 10)
    took = timed(lambda: blackjack_results.results_of(blackjack.Analysis(rules)), False)
    told("Blackjack, 6 decks, every result of a round, four hands told apart, in floats", took, 60)


def pai_gow_speeds() -> None:
    """The work itself, whatever is kept of it, and how it grows with the ranks of the deck."""
    book = open_edition("ez-pai-gow-wa")
    way, solution = book.game.encode(book.settings()), Solution(book, book.settings())
    hand = (48, 49, 44, 36, 28, 8, 0)
    told("Pai gow, every legal set of one hand, once all hands are set", timed(lambda: solution.value_sets(hand)), 1)
    command = [sys.executable, "-m", "houseway.cli.main", "best", book.id, "--hand", "As Ah Kc 9d 7h 4s 2c"]
    told("    the same as a command", timed(lambda: subprocess.run(command, check=True, capture_output=True)), 1)
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(kept, "_folder", lambda: Path(folder)):
        for ranks in (5, 7, 9, 11, 13):
            hands = Hands(Deck(tuple(range(13 - ranks, 13))))
            dealer = pai_gow.set_by_house_way(hands, way)
            _ = hands.class_of
            took = timed(lambda hands=hands, dealer=dealer: pai_gow.count_deals(hands, dealer, dealer, "count"), ranks == 5)
            told(f"Pai gow, {ranks} ranks, House Way against House Way, {hands.deck.deals:,} deals", took, 20)
            took = timed(lambda hands=hands, dealer=dealer: pai_gow_best.value_all_sets(hands, way, dealer, "best"), ranks == 5)
            told(f"    {ranks} ranks, every set of every hand valued ({len(hands.classes):,} classes)", took, 3600)


def main() -> None:
    four = open_edition("duki-4-wa")
    told("Duki, edge and strategy under one reading", timed(lambda: duki.solve(four, four.settings()).line_costs), 5)
    told("Duki, every hand beside every hand of another player's", timed(lambda: seen_anew(four), False), 120)
    blackjack_speeds()
    pai_gow_speeds()


if __name__ == "__main__":
    main()
