"""The win to be expected of what was bet, and its range at 95 %: what a hold is held against.

Expected is the sum of what was laid times the exact edge of the wager for the player who is named. The range is 1.96 standard
deviations to either side, by the normal law. Its variance is the larger of two: of the odds, which adds up what was laid on a
wager in a round where all seats bet on the same cards and takes the rest as independent; and of the rounds themselves, the sum
of squared distances of each round's win from its expectation, in which every dependence between wagers and seats of a round is.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from houseway.day.lines import BoundBook, PlayedBook, RoundSums, added

BAND = 1.96
"""Standard deviations to either side that hold 95 % of all days, by the normal law."""


@dataclass(frozen=True)
class WagerOdds:
    """The house's edge on what is laid on a wager and its variance, for a `player`, known `how`.

    `wins` are the chances of the outcomes that pay, where nothing is decided; none where that is unknown.
    """

    edge: Fraction | float
    variance: Fraction | float
    player: str
    how: str
    wins: Mapping[str, Fraction]


Odds = Callable[[BoundBook, str], WagerOdds | None]
"""The odds of a wager as it was bound; nothing of one that has none of its own."""


@dataclass(frozen=True)
class Expectation:
    """What was laid and won on wagers that have odds, the win to be expected, and the variance around it.

    `left_out` are wagers that have none. `win_cents` is before prizes that are won without a stake. It has neither range nor
    hold where nothing was laid.
    """

    rounds: int = 0
    handle_cents: int = 0
    win_cents: int = 0
    expected_cents: Fraction | float = Fraction(0)
    variance: float = 0.0
    left_out: tuple[str, ...] = ()

    @property
    def low_cents(self) -> int:
        """From where on a win is within the range."""
        return round(float(self.expected_cents) - BAND * sqrt(self.variance))

    @property
    def high_cents(self) -> int:
        """Up to where a win is within the range."""
        return round(float(self.expected_cents) + BAND * sqrt(self.variance))

    @property
    def is_outside(self) -> bool:
        """Whether what was won is outside."""
        return self.handle_cents > 0 and not self.low_cents <= self.win_cents <= self.high_cents

    def and_(self, other: "Expectation") -> "Expectation":
        """With that of other rounds, which are independent of these."""
        return Expectation(
            self.rounds + other.rounds,
            self.handle_cents + other.handle_cents,
            self.win_cents + other.win_cents,
            self.expected_cents + other.expected_cents,
            self.variance + other.variance,
            tuple(sorted({*self.left_out, *other.left_out})),
        )


def expectation(played: Mapping[int, PlayedBook], bounds: Mapping[int, BoundBook], odds: Odds) -> Expectation:
    """Of what was played at tables that the house banks."""
    total = Expectation()
    for number, book in played.items():
        if not bounds[number].by_players:
            total = total.and_(_of_bound(book, bounds[number], odds))
    return total


def of_tables(lines: Iterable[Mapping[int, PlayedBook]], bounds: Mapping[int, BoundBook], odds: Odds) -> Expectation:
    """Of several tables."""
    total = Expectation()
    for played in lines:
        total = total.and_(expectation(played, bounds, odds))
    return total


def _of_bound(book: PlayedBook, bound: BoundBook, odds: Odds) -> Expectation:
    known = {wager: found for wager, of in book.wagers.items() if of.handle_cents and (found := odds(bound, wager))}
    expected = sum((known[wager].edge * book.wagers[wager].handle_cents for wager in known), Fraction(0))
    by_odds = sum(_squares(book, bound, wager) * float(known[wager].variance) for wager in known)
    edges = {wager: float(found.edge) for wager, found in known.items()}
    left_out = (wager for wager, of in book.wagers.items() if of.handle_cents and wager not in known)
    return Expectation(
        book.moments.rounds,
        sum(of.handle_cents for of in book.wagers.values()),
        book.moments.win_cents,
        expected,
        max(by_odds, _seen(book.moments, edges)),
        tuple(sorted(left_out)),
    )


def _squares(book: PlayedBook, bound: BoundBook, wager: str) -> int:
    """The squares of what hangs together for certain: of a round where the cards are everybody's, else of a bet."""
    return book.moments.pairs.get(f"{wager}|{wager}", 0) if bound.shared else book.wagers[wager].squares


def _seen(moments: RoundSums, edges: Mapping[str, float]) -> float:
    """The sum over rounds of (win - expected)², multiplied out: of each round only sums are kept."""
    total = float(moments.wins)
    for wager, cents in moments.with_wager.items():
        total -= 2 * edges.get(wager, 0.0) * cents
    for pair, cents in moments.pairs.items():
        one, _, other = pair.partition("|")
        total += (1 if one == other else 2) * edges.get(one, 0.0) * edges.get(other, 0.0) * cents
    return max(total, 0.0)


def together(played: Iterable[Mapping[int, PlayedBook]]) -> dict[int, PlayedBook]:
    """What several tables played, by binding."""
    summed: dict[int, list[PlayedBook]] = {}
    for each in played:
        for number, book in each.items():
            summed.setdefault(number, []).append(book)
    return {number: added(PlayedBook, books) for number, books in sorted(summed.items())}
