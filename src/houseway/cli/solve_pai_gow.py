"""EZ Pai Gow for `houseway solve`, `strategy` and `best`."""

from fractions import Fraction
from typing import Any

from houseway.cli.text import Answer, percent, ratio, table
from houseway.kernels.count import Progress
from houseway.refusal import one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.solve.hands import FULL
from houseway.solve.pai_gow import Pairs
from houseway.solve.pai_gow_solution import BEST, LINES, Solution, edge_of

OPTIONS = ("queen_high",)
QUEEN_HIGH = {"pushes": True, "plays": False}


def solve(edition: Edition, settings: Settings, progress: Progress | None, queen_high: str = "pushes") -> Answer:
    """Every deal, for a player by the dealer's own House Way, by the best play, and by a few lines."""
    one_of("queen-high", queen_high, QUEEN_HIGH)
    solution = Solution(edition, settings, progress, QUEEN_HIGH[queen_high])
    own = str(settings["house-way"])
    rows = [_row(name, player, solution.pairs(player)) for name, player in ((own, own), ("best play", BEST), ("lines", LINES))]
    told = solution.told_lines()
    data = {
        "edition": edition.id,
        "digest": edition.fingerprint.digest,
        "settings": dict(settings),
        "queen_high_pai_gow": queen_high,
        "total": FULL.deals,
        "players": rows,
        "lines": told["lines"],
        "lines_cost": {"exact": told["cost"], "percent": float(Fraction(told["cost"]) * 100)},
    }
    best = Fraction(rows[1]["house_edge"])
    lines = [
        [
            row["player"],
            *(percent(Fraction(row[end], FULL.deals), 4) for end in ("win", "push", "lose", "front_copy", "back_copy")),
            percent(Fraction(row["house_edge"]), 6),
            percent(Fraction(row["house_edge"]) - best, 6),
        ]
        for row in rows
    ]
    names = ["player", "win", "push", "lose", "front copied", "back copied", "house edge", "more than the best"]
    text = [
        f"{edition.name}, base wager: all {FULL.deals:,} deals, exact; the dealer sets by {own}",
        f"(the dealer's Queen-high pai gow {queen_high})",
        table([names, *lines], right=range(1, len(names)), indent="  "),
        "",
        *told["lines"],
    ]
    return Answer(data, rows, "\n".join(text))


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The few lines to remember, and what they cost."""
    told = Solution(edition, settings, progress).told_lines()
    cost = Fraction(told["cost"])
    rows = [{"line": line} for line in told["lines"]]
    data = {"edition": edition.id, "settings": dict(settings), "lines": told["lines"], "cost": told["cost"]}
    cost_line = f"This costs {percent(cost, 6)} of the base wager against the best play, exactly {told['cost']}."
    return Answer(data, rows, "\n".join([*told["lines"], cost_line]))


def _row(name: str, player: str, pairs: Pairs) -> dict[str, Any]:
    ends = vars(pairs) | {"push": FULL.deals - pairs.win - pairs.lose, "total": FULL.deals}
    return {"player": name, **ends, "house_edge": ratio(edge_of(pairs)), "house_edge_percent": float(edge_of(pairs) * 100)}
