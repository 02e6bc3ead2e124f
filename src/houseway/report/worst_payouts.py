"""The most that one round pays at the limits: of a wager with every raise, of all wagers of a seat, of a full table.

Endings bound it, rounds that the rulebook settles show what is reached (`rulebook/worst.py`); where both agree, it is exact.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from houseway.refusal import Refused
from houseway.report.parts import offered
from houseway.report.studied import Studied
from houseway.rulebook.game import COMMON, Play, Request
from houseway.rulebook.settle import Payment, Settlement, pay_result, settle
from houseway.rulebook.worst import Ending, PossibleRound, WorstRounds, one_result, worst_rounds
from houseway.table.washington import LARGE_GAMES, SMALL_CENTS, check_washington

WASHINGTON = "Washington"
Bets = Mapping[str, int]


@dataclass(frozen=True)
class WorstPayout:
    """What a round pays at most beside the stakes, which come back: cents, whether that is reached, and how it comes about."""

    cents: int
    is_exact: bool
    bets: Bets
    payments: tuple[Payment, ...]


@dataclass(frozen=True)
class WorstPayouts:
    """Of every wager by itself, and of all wagers of a seat; `shown` is a round that pays a seat the most, if one is known."""

    by_wager: Mapping[str, WorstPayout]
    seat: WorstPayout
    shown: tuple[PossibleRound, Play] | None
    seats: int
    shares_result: bool
    envy_cents: Mapping[str, int]
    has_all_stakes: bool

    def of_table(self, cents: int) -> int:
        """All seats alike; envy is not in it."""
        return self.seats * cents

    @property
    def table_envy_cents(self) -> int:
        """All seats win the largest envy prize for every other one."""
        return self.seats * (self.seats - 1) * sum(self.envy_cents.values())

    @property
    def table_cents(self) -> int:
        """The most that a deal pays at a full table."""
        return self.of_table(self.seat.cents) + self.table_envy_cents

    @property
    def table_is_exact(self) -> bool:
        """Whether that is reached: where seats bet on the same hands, if it is at one seat; hands of their own are a bound."""
        return self.seat.is_exact and (self.shares_result or self.seats == 1)


def worst_payouts(studied: Studied) -> WorstPayouts:
    """The worst that the limits and the law of the day allow."""
    edition, settings = studied.edition, studied.settings
    worst = worst_rounds(edition)
    bettable = [name for name, wager in offered(studied.asked).items() if not wager.follows]
    largest = worst.largest({name: studied.limits[name][1] for name in bettable})
    search = _Search(studied, worst, list(worst.endings(edition, settings)), list(worst.rounds(edition, settings)))
    by_wager = {name: search.most(largest, (name,)) for name in bettable}
    at_once = [search.most(bets, tuple(bets)) for bets in _lawful(studied, largest)]
    seat = max(at_once, key=lambda each: (each.cents, each.is_exact))
    seats = edition.usual_seats
    common = COMMON in edition.game.dealing.order((1,), settings, 1 if edition.game.dealing.dice_sides else 0)
    envy = {
        name: max(edition.envy_cents(name, each.id, settings) for each in edition.possible(name, settings))
        for name in bettable
        if largest[name] >= edition.wagers[name].envy_min_bet_cents
    }
    prizes = {name: cents for name, cents in envy.items() if cents}
    return WorstPayouts(by_wager, seat, search.shown(seat), seats, common, prizes, worst.all_stakes)


def _lawful(studied: Studied, largest: Bets) -> Iterator[dict[str, int]]:
    """Bets that a seat may place together: the largest, or all ways to choose those that the law takes large."""
    edition = studied.edition
    games = list(dict.fromkeys(edition.game.wagers[name].counts_as for name in largest))
    if edition.approval.jurisdiction != WASHINGTON or len(games) <= LARGE_GAMES:
        yield dict(largest)
        return
    for large in combinations(games, LARGE_GAMES):
        bets = {
            name: cents if edition.game.wagers[name].counts_as in large else min(cents, SMALL_CENTS)
            for name, cents in largest.items()
            if edition.game.wagers[name].counts_as in large or studied.limits[name][0] <= SMALL_CENTS
        }
        try:
            check_washington(edition, bets, studied.asked.date)
        except Refused:
            continue  # more games than were allowed on that day
        yield bets
    yield {name: min(cents, SMALL_CENTS) for name, cents in largest.items()}


@dataclass
class _Search:
    """Endings and rounds, and what they pay."""

    studied: Studied
    worst: WorstRounds
    endings: list[Ending]
    rounds: list[PossibleRound]

    def most(self, bets: Bets, of: tuple[str, ...]) -> WorstPayout:
        """The most that these wagers win of one round, with what rides on them."""
        bound, payments = max((self._bound(ending, bets, of) for ending in self.endings), key=lambda each: each[0])
        if one_result(self.studied.edition):
            return WorstPayout(bound, self._is_dealt(payments), bets, payments)
        reached = any(self._won(settled, of) == bound for _, _, settled in self._settled(bets))
        return WorstPayout(bound, reached, bets, payments)

    def shown(self, seat: WorstPayout) -> tuple[PossibleRound, Play] | None:
        """A round that pays so much at a seat, played out."""
        edition, settings = self.studied.edition, self.studied.settings
        for one, placed, settled in self._settled(seat.bets):
            if self._won(settled, tuple(seat.bets)) == seat.cents:
                encoded = edition.game.encode(settings)
                request = Request(one.cards, one.choices, placed, settings, encoded, offered=edition.offered)
                return one, edition.game.play(request)
        return None

    def _bound(self, ending: Ending, bets: Bets, of: tuple[str, ...]) -> tuple[int, tuple[Payment, ...]]:
        edition, settings = self.studied.edition, self.studied.settings
        payments = []
        for result in ending:
            if self._belongs(result.wager, of):
                payment = pay_result(edition, result, bets, settings)
                if payment is not None and payment.win_cents > 0:
                    payments.append(payment)
        return sum(payment.win_cents for payment in payments), tuple(payments)

    def _belongs(self, wager: str, of: tuple[str, ...]) -> bool:
        """Whether a result is of one of these wagers, or of what rides on it."""
        return wager in self.studied.edition.wagers and (self.studied.edition.game.wagers[wager].follows or wager) in of

    def _won(self, settled: Settlement, of: tuple[str, ...]) -> int:
        return sum(max(each.win_cents, 0) for each in settled.payments if self._belongs(each.wager, of))

    def _settled(self, bets: Bets) -> Iterator[tuple[PossibleRound, Bets, Settlement]]:
        """The rounds with these bets; those of mid-round are left out where a round does not offer them."""
        edition, settings = self.studied.edition, self.studied.settings
        late = edition.game.dealing.late
        for one in self.rounds:
            for placed in (bets, {name: cents for name, cents in bets.items() if name not in late}):
                try:
                    yield one, placed, settle(edition, one.cards, placed, one.choices, settings)
                    break
                except Refused:
                    continue

    def _is_dealt(self, payments: tuple[Payment, ...]) -> bool:
        """Whether the one result that decides all wagers is among the deals that were counted."""
        name = payments[0].wager if payments else ""
        sheet = self.studied.odds(name).sheet if name in self.studied.wagers else None
        return sheet is not None and sheet.method != "simulated" and bool(sheet[payments[0].outcome].combinations)
