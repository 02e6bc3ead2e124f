"""Exact tallies of wagers that need a decision, in the form of every other wager's."""

from collections.abc import Mapping
from fractions import Fraction

from houseway.games.duki_4_poker.game import ANTE_OUTCOMES
from houseway.games.duki_4_poker.solve import best as duki
from houseway.games.ez_pai_gow.outcomes import BASE_OUTCOMES
from houseway.games.ez_pai_gow.solve.hands import FULL
from houseway.games.ez_pai_gow.solve.solution import LINES, Solution
from houseway.kernels.count import Progress
from houseway.odds.par_sheet import ParSheet, sheet_from
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally, Value
from houseway.rulebook.settings import Settings

BEST, LINE = "best", "line"


def solved_sheet(edition: Edition, wager: str, settings: Settings, player: str, progress: Progress | None = None) -> ParSheet:
    """The exact par sheet of a wager for a player who decides in this way.

    Duki's Ante: `best`, or `line` for the one line to remember. Pai gow's base wager: `best`, `lines`, or a House Way.
    """
    if (edition.game.id, wager) == ("duki_4_poker", "ante"):
        return sheet_from(edition, edition.game.wagers[wager], settings, _duki(edition, settings, player))
    if (edition.game.id, wager) == ("ez_pai_gow", "base"):
        tally = _pai_gow(edition, settings, player, progress)
        return sheet_from(edition, edition.game.wagers[wager], settings, tally)
    raise Refused("not-solved", f"{wager} of {edition.id} is not solved (solved: the Ante of Duki, the base wager of pai gow)")


def _duki(edition: Edition, settings: Mapping[str, Value], player: str) -> Tally:
    if player not in {BEST, LINE}:
        raise Refused("unknown-player", f'a Duki player is "{BEST}" or "{LINE}", not "{player[:40]}"')
    solved = duki.solve(edition, settings, Fraction(0))
    ends = solved.tally(solved.choice if player == BEST else solved.by_line)
    return Tally(tuple(ends[outcome.id] for outcome in ANTE_OUTCOMES))


def _pai_gow(edition: Edition, settings: Settings, player: str, progress: Progress | None) -> Tally:
    one_of("player", player, [BEST, LINES, *map(str, edition.game.switches["house-way"].values)])
    pairs = Solution(edition, settings, progress).pairs(player)
    push = FULL.deals - pairs.win - pairs.lose - pairs.queen_high
    ends = {"win": pairs.win, "push": push, "lose": pairs.lose, "queen-high-pai-gow": pairs.queen_high}
    return Tally(tuple(ends[outcome.id] for outcome in BASE_OUTCOMES))
