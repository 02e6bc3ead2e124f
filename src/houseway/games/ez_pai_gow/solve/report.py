"""What is said of EZ Pai Gow's base wager, solved."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

from houseway.cards import show_cards
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally
from houseway.rulebook.settings import Settings
from houseway.solve.answer import DIGEST, SHORT_DIGEST, Answer, percent, ratio, table
from houseway.solve.picture import page, picture_of_lines
from houseway.solve.remembered import Remembered
from houseway.solve.solver import Cards, Choice

from ..game import FULL_DECK, count_protection
from ..outcomes import BASE_OUTCOMES, PROTECTION_OUTCOMES
from ..round import QUEEN_HIGH as QUEEN_HIGH_PAI_GOW
from ..round import describe, set_by_house_way
from . import BEST, FOUL, LINES
from .hands import FULL, HAND
from .pairs import Pairs
from .solution import Solution

QUEEN_HIGH = {"pushes": True, "plays": False}
SHOWN = {"win": "win", "push": "push", "lose": "lose", "front_copy": "front copied", "back_copy": "back copied"}


def solve(edition: Edition, settings: Settings, progress: Progress | None, queen_high: str = "pushes") -> Answer:
    """Every deal, for a player by the dealer's own House Way, by the best play, and by a few lines."""
    one_of("queen-high", queen_high, QUEEN_HIGH)
    solution = Solution(edition, settings, progress, QUEEN_HIGH[queen_high])
    own, lines, deals = str(settings["house-way"]), solution.lines_in_words(), solution.deck.deals
    rows = [_row(solution, name, player) for name, player in ((own, own), ("best play", BEST), ("lines", LINES))]
    data = {
        "edition": edition.id,
        "digest": DIGEST,
        "settings": dict(settings),
        "queen_high_pai_gow": queen_high,
        "total": deals,
        "players": rows,
        "lines": lines["lines"],
        "lines_cost": {"exact": lines["cost"], "percent": float(Fraction(lines["cost"]) * 100)},
    }
    body = [
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
        table([names, *body], right=range(1, len(names)), indent="  "),
        "",
        *lines["lines"],
    ]
    return Answer(data, rows, "\n".join(text))


def strategy(edition: Edition, settings: Settings, progress: Progress | None) -> Answer:
    """The few lines to remember, and what they cost."""
    lines = Solution(edition, settings, progress).lines_in_words()
    remembered = Remembered("the lines", Fraction(lines["cost"]), tuple(lines["lines"]))
    data = {"edition": edition.id, "digest": DIGEST, "settings": dict(settings), **lines, "remembered": remembered.as_data()}
    costs = (
        f"This costs {percent(Fraction(lines['cost']), 6)} of the base wager against the best play, exactly {lines['cost']}."
    )
    about = (f"base wager, the dealer sets by {settings['house-way']}; {costs}", f"digest {SHORT_DIGEST}")
    drawn = picture_of_lines(edition.name, about, lines["lines"])
    files = {"html": page(edition.name, drawn), "svg": drawn, "json": json.dumps(data, indent=2) + "\n"}
    return Answer(data, [{"line": line} for line in lines["lines"]], "\n".join([*lines["lines"], costs]), files)


def sheet(edition: Edition, wager: str, settings: Settings, player: str, progress: Progress | None) -> ParSheet:
    """The base wager's par sheet for a player who sets in the best way, by the few lines, by a House Way, or always foul."""
    if player == FOUL:
        return _sheet_of_fouls(edition, wager, settings)
    return sheet_of(edition, settings, Solution(edition, settings, progress).pairs(player))


def sheet_of(edition: Edition, settings: Settings, pairs: Pairs) -> ParSheet:
    """The base wager's par sheet, from all deals."""
    push = FULL.deals - pairs.win - pairs.lose - pairs.queen_high
    ends = {"win": pairs.win, "push": push, "lose": pairs.lose, "queen-high-pai-gow": pairs.queen_high}
    tally = Tally(tuple(ends[outcome.id] for outcome in BASE_OUTCOMES))
    return sheet_from(edition, edition.game.wagers["base"], settings, tally)


def _sheet_of_fouls(edition: Edition, wager: str, settings: Settings) -> ParSheet:
    """R16b: what becomes of foul sets, over every hand that the dealer can have."""
    if settings["R16"] != "loses":
        raise Refused("bad-request", f"a foul set is not settled where R16 is {settings['R16']}: --reading R16=loses")
    counts = count_protection(FULL_DECK, edition.game.encode(settings)).counts
    highs = dict(zip((outcome.id for outcome in PROTECTION_OUTCOMES), counts, strict=True))
    queen_high = highs[QUEEN_HIGH_PAI_GOW] if settings["R16b"] == "pushes" else 0
    ends = {"win": 0, "push": 0, "lose": sum(counts) - queen_high, QUEEN_HIGH_PAI_GOW: queen_high}
    fouls = replace(edition.game.wagers[wager], strategy="every set is foul")
    return sheet_from(edition, fouls, settings, Tally(tuple(ends[outcome.id] for outcome in BASE_OUTCOMES)))


def choices(edition: Edition, settings: Settings, hand: Cards, dealer: Cards, other: Cards) -> list[Choice]:
    """Every legal set against the dealer's House Way."""
    if dealer:
        raise Refused("bad-request", "no card of the dealer's is seen in pai gow: leave it out")
    if len(hand) != HAND or len(set(hand)) != HAND:
        raise Refused("bad-hand", f"{show_cards(hand)}: seven different cards are set")
    solution = Solution(edition, settings)
    by_house_way, _ = set_by_house_way(hand, solution.way)
    return [
        Choice(
            f"set {show_cards(valued.front)}: {describe(valued.front_value)} / {describe(valued.back_value)}",
            valued.value,
            {"win": valued.win, "push": FULL.against - valued.win - valued.lose, "lose": valued.lose, "total": FULL.against},
            {"front": valued.front, "back": tuple(card for card in hand if card not in valued.front)},
            ("House Way",) if set(valued.front) == set(by_house_way.front_cards) else (),
        )
        for valued in solution.value_sets(hand)
    ]


def is_ready(edition: Edition, settings: Settings, question: str, player: str) -> bool:
    """Whether what takes long was done before: the dealer's hands for sets, all deals for a par sheet."""
    solution = Solution(edition, settings)
    if question == "sheet":
        return player == FOUL or solution.known_pairs(player) is not None
    return solution.values_sets_at_once()


def _row(solution: Solution, name: str, player: str) -> dict[str, Any]:
    pairs, edge = solution.pairs(player), solution.edge(player)
    ends = vars(pairs) | {"push": solution.deck.deals - pairs.win - pairs.lose, "total": solution.deck.deals}
    return {"player": name, **ends, "house_edge": ratio(edge), "house_edge_percent": float(edge * 100)}
