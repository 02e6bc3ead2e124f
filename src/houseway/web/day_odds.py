"""The odds that the day's books are held against while the house plays: each by a process of its own, once, and kept.

Run as a program it is that process: it is told a binding and a wager in one line of JSON, and answers in one.
"""

import json
import sys
from fractions import Fraction
from typing import Any

from houseway.day.expected import WagerOdds
from houseway.day.lines import BoundBook
from houseway.refusal import Refused
from houseway.report.day_odds import day_odds
from houseway.table.plain import as_json, from_json
from houseway.web.lab_worker import Say, main
from houseway.web.round_odds import worked_out

WORKER = [sys.executable, "-m", "houseway.web.day_odds"]


class DayOdds:
    """Odds by binding and wager. Whoever asks waits: it is for a thread that nobody waits for."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], WagerOdds | None] = {}

    def __call__(self, bound: BoundBook, wager: str) -> WagerOdds | None:
        """Nothing of a wager that has none of its own, or of which they could not be worked out in time."""
        key = bound.document, repr(sorted(bound.settings.items())), wager
        if key not in self._known:
            try:
                self._known[key] = _read(worked_out({"bound": json.loads(as_json(bound)), "wager": wager}, WORKER))
            except Refused:
                self._known[key] = None
        return self._known[key]


def _read(answer: dict[str, Any]) -> WagerOdds | None:
    told = answer["odds"]
    if told is None:
        return None
    wins = {outcome: Fraction(chance) for outcome, chance in told["wins"].items()}
    return WagerOdds(Fraction(told["edge"]), Fraction(told["variance"]), told["player"], told["how"], wins)


def answer(question: dict[str, Any], say: Say) -> None:
    """The odds of one wager, exact: numbers as texts."""
    found = day_odds()(from_json(BoundBook, json.dumps(question["bound"])), question["wager"])
    if found is None:
        say({"odds": None})
        return
    wins = {outcome: str(chance) for outcome, chance in found.wins.items()}
    told = {"edge": str(found.edge), "variance": str(found.variance), "player": found.player, "how": found.how, "wins": wins}
    say({"odds": told})


if __name__ == "__main__":
    main(answer)
