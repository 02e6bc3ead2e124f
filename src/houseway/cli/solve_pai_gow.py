"""EZ Pai Gow for `houseway solve` and `strategy`."""

import json
from fractions import Fraction
from typing import Any

from houseway.cli.text import Answer, percent, ratio, table
from houseway.games.ez_pai_gow.solve.solution import BEST, LINES, Solution
from houseway.kernels.count import Progress
from houseway.refusal import one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.picture import page, picture_of_lines

OPTIONS = ("queen_high",)
QUEEN_HIGH = {"pushes": True, "plays": False}
SHOWN = {"win": "win", "push": "push", "lose": "lose", "front_copy": "front copied", "back_copy": "back copied"}


def solve(edition: Edition, settings: Settings, progress: Progress | None, queen_high: str = "pushes") -> Answer:
    """Every deal, for a player by the dealer's own House Way, by the best play, and by a few lines."""
    one_of("queen-high", queen_high, QUEEN_HIGH)
    solution = Solution(edition, settings, progress, QUEEN_HIGH[queen_high])
    own, told, deals = str(settings["house-way"]), solution.told_lines(), solution.deck.deals
    rows = [_row(solution, name, player) for name, player in ((own, own), ("best play", BEST), ("lines", LINES))]
    data = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "queen_high_pai_gow": queen_high,
        "total": deals,
        "players": rows,
        "lines": told["lines"],
        "lines_cost": {"exact": told["cost"], "percent": float(Fraction(told["cost"]) * 100)},
    }
    lines = [
        [
            row["player"],
            *(percent(Fraction(row[end], deals)) for end in SHOWN),
            percent(Fraction(row["house_edge"]), 6),
            percent(Fraction(row["house_edge"]) - solution.edge(BEST), 6),
        ]
        for row in rows
    ]
    names = ["player", *SHOWN.values(), "house edge", "more than the best"]
    text = [
        f"{edition.name}, base wager: all {deals:,} deals, exact; the dealer sets by {own}",
        f"(the dealer's Queen-high pai gow {queen_high}; copies are counted where it does not push)",
        table([names, *lines], right=range(1, len(names)), indent="  "),
        "",
        *told["lines"],
    ]
    return Answer(data, rows, "\n".join(text))


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The few lines to remember, and what they cost."""
    told = Solution(edition, settings, progress).told_lines()
    data = {"edition": edition.id, "digest": edition.fingerprint.digest, "settings": dict(settings), **told}
    costs = f"This costs {percent(Fraction(told['cost']), 6)} of the base wager against the best play, exactly {told['cost']}."
    about = (f"base wager, the dealer sets by {settings['house-way']}; {costs}", f"digest {edition.fingerprint.digest[:12]}")
    drawn = picture_of_lines(edition.name, about, told["lines"])
    files = {"html": page(edition.name, drawn), "svg": drawn, "json": json.dumps(data, indent=2) + "\n"}
    return Answer(data, [{"line": line} for line in told["lines"]], "\n".join([*told["lines"], costs]), files)


def _row(solution: Solution, name: str, player: str) -> dict[str, Any]:
    pairs, edge = solution.pairs(player), solution.edge(player)
    ends = vars(pairs) | {"push": solution.deck.deals - pairs.win - pairs.lose, "total": solution.deck.deals}
    return {"player": name, **ends, "house_edge": ratio(edge), "house_edge_percent": float(edge * 100)}
