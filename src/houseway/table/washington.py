"""Washington's limits as dated validators of the venue: which figure held on which day."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settle import Payment
from houseway.table.state import Spot

Due = tuple[int, Spot, Payment]
"""A payment to make: the seat, what it bet, and how one of its wagers ended."""

SINGLE_WAGER = (("2004-07-01", 10_000), ("2009-01-01", 30_000), ("2023-08-19", 40_000))
"""WAC 230-15-140 and its forerunner: the most for a single wager, from this day on."""
SEPARATE_GAMES = (("0000-00-00", 2), ("2008-01-01", 3), ("2009-09-14", 6))
"""WAC 230-15-040: how many separate games may be played with one hand, from this day on."""
SMALL_GAMES_SINCE = "2009-09-14"
SMALL_CENTS = 500
LARGE_GAMES = 3
"""Since then no more than three of the games may take wagers above $5."""

AGGREGATE_ODDS = 50
AGGREGATE_NEW_TEXT = "2021-07-01"
"""WAC 230-15-490 was rewritten in 2021; the day is our assumption."""


@lru_cache(maxsize=64)
def _on(day: str, history: tuple[tuple[str, int], ...]) -> int | None:
    return max(((since, figure) for since, figure in history if since <= day), default=("", None))[1]


def check_washington(edition: Edition, bets: Mapping[str, int], day: str) -> None:
    """EZB-L4: refuse what the law of that day does not allow at a seat."""
    most = _on(day, SINGLE_WAGER)
    for name, cents in bets.items():
        if most is not None and cents > most:
            over = f"{edition.game.wagers[name].name}: {dollars(cents)} is over the {dollars(most)}"
            raise Refused("over-the-law", f"{over} of WAC 230-15-140 on {day}")
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
        by_game = {edition.game.wagers[name].counts_as: edition.game.wagers[name].name for name in reversed(list(bets))}
        names = ", ".join(by_game[game] for game in large)
        raise Refused("too-many-games", f"{names} are {len(large)} separate games: {wanted}")


def check_aggregate(wager: str, top: Fraction, bounds: tuple[int, int], cents: int, day: str) -> None:
    """WAC 230-15-490: refuse an aggregate payout limit where the law of that day allows none, or none so low."""
    if top < AGGREGATE_ODDS:
        raise Refused("no-aggregate", f"{wager} pays at most {top} to 1: WAC 230-15-490 allows a limit from 50 to 1 on")
    least = bounds[1] * AGGREGATE_ODDS
    if day < AGGREGATE_NEW_TEXT:
        least = 2 * max(least, int(bounds[0] * top))
    if cents < least:
        raise Refused("no-aggregate", f"{wager}: {dollars(cents)} is below the {dollars(least)} that WAC 230-15-490 requires")


def within_aggregates(due: list[Due], aggregates: Mapping[str, int]) -> list[Due]:
    """Payments of which no wager pays more than its aggregate limit in one deal: the winners share it by what they won.

    Envy prizes are another kind of prize, and are not mixed in.
    """
    for wager, most in aggregates.items():
        won = won_on(due, wager)
        if won > most:
            due = [(seat, spot, _share(due, place, wager, most, won)) for place, (seat, spot, _) in enumerate(due)]
    return due


def won_on(due: list[Due], wager: str) -> int:
    """What all seats together win on a wager, envy prizes left out."""
    return sum(payment.win_cents for _, _, payment in due if _wins(payment, wager))


def _wins(payment: Payment, wager: str) -> bool:
    return payment.wager == wager and payment.stake_cents > 0 and payment.win_cents > 0


def _share(due: list[Due], place: int, wager: str, most: int, won: int) -> Payment:
    """A winner's share of the limit, such that all shares add up to it, to the cent; others are as they were."""
    payment = due[place][2]
    if not _wins(payment, wager):
        return payment
    before = won_on(due[:place], wager)
    return replace(payment, win_cents=most * (before + payment.win_cents) // won - most * before // won)
