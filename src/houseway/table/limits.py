"""Washington's limits as dated validators of the venue: which figure held on which day."""

from collections.abc import Mapping

from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.settle import dollars

SINGLE_WAGER = (("2004-07-01", 10_000), ("2009-01-01", 30_000), ("2023-08-19", 40_000))
"""WAC 230-15-140 and its forerunner: the most for a single wager, from this day on."""
SEPARATE_GAMES = (("0000-00-00", 2), ("2008-01-01", 3), ("2009-09-14", 6))
"""WAC 230-15-040: how many separate games may be played with one hand, from this day on."""
SMALL_GAMES_SINCE = "2009-09-14"
SMALL_CENTS = 500
LARGE_GAMES = 3
"""Since then no more than three of the games may take wagers above $5."""


def _on(day: str, history: tuple[tuple[str, int], ...]) -> int | None:
    return max(((since, figure) for since, figure in history if since <= day), default=("", None))[1]


def check_washington(edition: Edition, bets: Mapping[str, int], day: str) -> None:
    """EZB-L4: refuse what the law of that day does not allow at a seat."""
    most = _on(day, SINGLE_WAGER)
    for name, cents in bets.items():
        if most is not None and cents > most:
            raise Refused("over-the-law", f"{name}: {dollars(cents)} is over the {dollars(most)} of WAC 230-15-140 on {day}")
    games: dict[str, int] = {}
    for name, cents in bets.items():
        counted = edition.game.wagers[name].counts_as
        games[counted] = max(games.get(counted, 0), cents)
    allowed = _on(day, SEPARATE_GAMES)
    if allowed is not None and len(games) > allowed:
        raise Refused("too-many-games", f"{len(games)} separate games with one hand: WAC 230-15-040 allowed {allowed} on {day}")
    large = sorted(name for name, cents in games.items() if cents > SMALL_CENTS)
    if day >= SMALL_GAMES_SINCE and len(large) > LARGE_GAMES:
        wanted = f"no more than {LARGE_GAMES} may take wagers above {dollars(SMALL_CENTS)} (WAC 230-15-040, R17)"
        raise Refused("too-many-games", f"{', '.join(large)} are {len(large)} separate games: {wanted}")
