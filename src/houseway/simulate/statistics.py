"""What was dealt, wager by wager: hits, return, its standard error, and how far that lies from the exact odds."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.refusal import Refused
from houseway.rulebook.game import Wager
from houseway.simulate.dealer import Opened, Results, simulator_for
from houseway.solve.solver import solved_sheet

FLAGGED = 4.0
"""A return so many standard errors from the exact one is flagged: by chance that happens once in 16,000."""
DEFAULT_BET_CENTS = 500
"""What prizes are set against where no bet is given, as in `odds`."""


@dataclass(frozen=True)
class WagerStatistics:
    """One wager: how often it ended how, in so many rounds, and what it returned for each unit staked at first.

    `mean` is exact for what was dealt. The error takes rounds as independent, which errs on the safe side: cards of a shoe
    that are gone make what they were good for rarer. Seats share cards, so that several count no more than one for it.
    """

    wager: Wager
    hits: Mapping[str, int]
    rounds: int
    mean: Fraction
    standard_error: float
    exact: Fraction | float | None
    sheet: ParSheet | None = None

    @property
    def z(self) -> float | None:
        """How many standard errors the return lies from the exact one."""
        if self.exact is None:
            return None
        distance = float(self.mean - self.exact) if isinstance(self.exact, Fraction) else float(self.mean) - self.exact
        if not self.standard_error:
            return 0.0 if not distance else None
        return distance / self.standard_error

    @property
    def is_flagged(self) -> bool:
        """Whether that is too far for chance."""
        return self.z is not None and abs(self.z) > FLAGGED


@dataclass(frozen=True)
class SeatResults:
    """Results of a seat's rounds with how often they came."""

    seat: int
    results: Results
    rounds: int


def wager_statistics(opened: Opened, told: Iterable[SeatResults], rounds: int) -> list[WagerStatistics]:
    """Every wager that the edition offers, for all seats together."""
    told = list(told)
    return [_statistics(opened, wager, told, rounds) for wager in opened.edition.offered.values() if not wager.follows]


def _statistics(opened: Opened, wager: Wager, told: list[SeatResults], rounds: int) -> WagerStatistics:
    hits: Counter[str] = Counter()
    staked, summed, squares = 0, Fraction(0), Fraction(0)
    for each in told:
        own = [ended for ended in each.results if ended.wager == wager.id and not ended.prize]
        if not own:
            continue
        for ended in own:
            hits[opened.edition.row(wager.id, ended.outcome, opened.settings)] += each.rounds
        net = _net(opened, wager, each)
        staked += each.rounds
        summed += net * each.rounds
        squares += net * net * each.rounds
    mean = summed / staked if staked else Fraction(0)
    variance = squares / staked - mean * mean if staked else Fraction(0)
    error = sqrt(variance / min(staked, rounds)) if staked else 0.0
    sheet, exact = exact_odds(opened, wager)
    return WagerStatistics(wager, hits, staked, mean, error, exact if staked else None, sheet)


def _net(opened: Opened, wager: Wager, told: SeatResults) -> Fraction:
    """What a seat won with a wager in a round, with those that ride on it and its prizes, for a unit staked at first."""
    net, edition = Fraction(0), opened.edition
    bet = opened.question.seats[told.seat].bets.get(wager.id, DEFAULT_BET_CENTS)
    for ended in told.results:
        if ended.wager == wager.id and ended.prize:
            enough = bet >= edition.wagers[wager.id].envy_min_bet_cents
            net += Fraction(edition.envy_cents(wager.id, ended.outcome, opened.settings), bet) if enough else 0
        elif ended.wager == wager.id or ended.wager in wager.rides:
            net += edition.pay(ended.wager, ended.outcome, opened.settings).net * ended.times
    return net


def exact_odds(opened: Opened, wager: Wager) -> tuple[ParSheet | None, Fraction | float | None]:
    """The par sheet that a simulated wager is held against, and the return that it says; nothing where there is none."""
    seats, edition = opened.question.seats, opened.edition
    simulator = simulator_for(edition)
    if len({seat.player for seat in seats}) > 1:
        return None, None  # seats decide in several ways
    try:
        if simulator and simulator.exact and (not simulator.exact_for or wager.id in simulator.exact_for):
            sheet = simulator.exact(edition, opened.settings, wager.id, seats[0].player)
        elif wager.strategy and seats[0].player:
            sheet = solved_sheet(edition, wager.id, opened.settings, seats[0].player)
        elif wager.simulated or wager.count is None or wager.strategy:
            sheet = None  # a par sheet's player may decide otherwise than this one
        elif edition.wagers[wager.id].envy_cents:
            sheet = _sheet_with_envy(opened, wager)
        else:
            sheet = par_sheet(edition, wager.id, opened.settings)
    except Refused:
        sheet = None
    if isinstance(sheet, Fraction | float):
        return None, sheet
    if sheet is None or sheet.method != "enumerated":
        return None, None
    return sheet, -sheet.house_edge


def _sheet_with_envy(opened: Opened, wager: Wager) -> ParSheet | None:
    """Where seats win envy for each other's hands: for as many players as there are seats, if all bet alike."""
    seats, settings = opened.question.seats, opened.settings
    needs = wager.envy_needs(settings) if wager.envy_needs else wager.id
    bets = {seat.bets.get(wager.id, DEFAULT_BET_CENTS) for seat in seats}
    if len(bets) > 1 or any(seat.bets and needs not in seat.bets for seat in seats):
        return None
    return par_sheet(opened.edition, wager.id, settings, players=len(seats), bet_cents=bets.pop())
