"""Ratings of guests, by themselves: from every bet that was really made, at the exact edge of its wager."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from houseway.day.expected import Odds
from houseway.day.lines import DayBook, GuestBook


@dataclass(frozen=True)
class Rating:
    """What a guest played in a day, and is worth. Bets for the dealers are not among it: they are tips.

    `theoretical_cents` is what the house expects of his bets at tables that it banks, `win_cents` what he won there; at tables
    that players bank, what he laid and won is no business of the house's and is told apart.
    """

    guest: str
    hands: int
    seconds: int
    handle_cents: int
    theoretical_cents: Fraction | float
    win_cents: int
    comps_cents: int
    by_players_cents: int = 0
    left_out: tuple[str, ...] = ()

    @property
    def average_cents(self) -> int:
        """His average bet: all that he laid on a hand, its side bets included."""
        return round(Fraction(self.handle_cents + self.by_players_cents, self.hands)) if self.hands else 0


def ratings(book: DayBook, odds: Odds) -> list[Rating]:
    """Every guest who played, by name."""
    rated = (_rating(guest, places, book, odds) for guest, places in sorted(book.guests.items()))
    return [each for each in rated if each.hands or each.win_cents]


def _rating(guest: str, places: Mapping[str, GuestBook], book: DayBook, odds: Odds) -> Rating:
    theoretical: Fraction | float = Fraction(0)
    handle = by_players = won = 0
    left_out: set[str] = set()
    for place, played in places.items():
        bound = book.bounds[int(place.rpartition("/")[2])]
        laid = sum(played.laid.values())
        if bound.by_players:
            by_players += laid
            continue
        handle, won = handle + laid, won + played.win_cents
        for wager, cents in played.laid.items():
            found = odds(bound, wager)
            theoretical += found.edge * cents if found else 0
            left_out |= set() if found else {wager}
    return Rating(
        guest=guest,
        hands=sum(played.hands for played in places.values()),
        seconds=sum(played.seconds for played in places.values()),
        handle_cents=handle,
        theoretical_cents=theoretical,
        win_cents=won,
        comps_cents=max(0, floor(theoretical * Fraction(book.comp_percent, 100))),
        by_players_cents=by_players,
        left_out=tuple(sorted(left_out)),
    )
