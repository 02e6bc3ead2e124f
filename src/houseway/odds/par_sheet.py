"""Par sheets: every outcome of a wager with its combinations, probability and return, all exact."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, prod, sqrt

from houseway.cards import RANKS, Composition, take
from houseway.kernels.count import Progress
from houseway.odds.kept import kept_tally
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Shoe, Tally, Value, Wager
from houseway.rulebook.settings import Settings

NOTHING_REMOVED = Composition(())
SIMULATED, SOLVED = "simulated", "solved"
"""How a par sheet that is not exact came about; one that is was `enumerated`."""
IN_FLOATS = "solved in 64-bit floats"
VOLATILITY = 1.645
"""The volatility index is this many standard deviations. Over the square root of N it bounds the mean of N bets, in 90 % of
long series (`odds/ranges.py`, with 95 and 99 %); of single bets it says nothing."""
_MOST_SHOES = (4096, 64)
"""How many possible shoes are worth counting: many for a deal of a few cards, few for a large one."""


@dataclass(frozen=True)
class Row:
    """One outcome: what it pays (`rides`: and what the wagers that ride on it pay), and its share of all deals."""

    outcome: str
    name: str
    pays: str
    rides: Mapping[str, str]
    net: Fraction
    combinations: int
    probability: Fraction

    @property
    def contribution(self) -> Fraction:
        """What this outcome adds to the player's return for each unit staked."""
        return self.net * self.probability

    @property
    def one_in(self) -> Fraction | None:
        """Once in how many deals; nothing for an impossible outcome."""
        return 1 / self.probability if self.probability else None


@dataclass(frozen=True)
class Envy:
    """The fixed prizes for other players' hands: what they are worth for each other player."""

    players: int
    bet_cents: int
    min_bet_cents: int
    cents_per_other: Fraction

    def worth(self, players: int | None = None) -> Fraction:
        """What envy returns for each unit staked, with so many players, oneself included."""
        if self.bet_cents < self.min_bet_cents:
            return Fraction(0)
        return ((self.players if players is None else players) - 1) * self.cents_per_other / self.bet_cents


@dataclass(frozen=True)
class ParSheet:
    """The odds of one wager. Everything is exact if `method` is `enumerated`.

    If it is `simulated`, `standard_error` says how close it is. If it is `solved`, no deals were counted: rows are results of a
    player as a solver finds them, their chances the fractions that 64-bit floats are, and `staked` is what he stakes on average
    for each unit of the first bet, raises included.
    """

    edition: Edition
    wager: Wager
    settings: Settings
    rows: tuple[Row, ...]
    total: int
    method: str
    envy: Envy | None = None
    staked: Fraction | None = None

    def __getitem__(self, outcome: str) -> Row:
        return next(row for row in self.rows if row.outcome == outcome)

    @property
    def house_edge_without_envy(self) -> Fraction:
        """The house's expected share of each unit staked, from the pay table alone."""
        return -sum((row.contribution for row in self.rows), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The house's expected share of each unit staked."""
        return self.house_edge_without_envy - (self.envy.worth() if self.envy else 0)

    def house_edge_with(self, players: int) -> Fraction:
        """The house edge with so many players who may win envy for one another, oneself included."""
        return self.house_edge_without_envy - (self.envy.worth(players) if self.envy else 0)

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins."""
        return sum((row.probability for row in self.rows if row.net > 0), Fraction(0))

    @property
    def push_frequency(self) -> Fraction:
        """How often the wager pushes."""
        return sum((row.probability for row in self.rows if row.net == 0), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """The variance of the net win for one unit staked, without envy."""
        mean_square = sum((row.net**2 * row.probability for row in self.rows), Fraction(0))
        return mean_square - self.house_edge_without_envy**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation for one unit staked, without envy."""
        return sqrt(self.variance)

    @property
    def volatility_index(self) -> float:
        """1.645 standard deviations: over the square root of N, how far the mean of N bets strays in 90 % of series."""
        return VOLATILITY * self.standard_deviation

    def standard_moment(self, power: int) -> float:
        """A central moment of the net win over the deviation to the same power: the third is the skewness, the fourth the
        kurtosis; without envy."""
        return standard_moment(((row.net, row.probability) for row in self.rows), power)

    @property
    def element_of_risk(self) -> Fraction | None:
        """The expected loss over all that is staked, where more may be staked than the first bet and a solver knows it."""
        return self.house_edge_without_envy / self.staked if self.staked else None

    @property
    def standard_error(self) -> float:
        """Of the house edge: zero when it was not simulated."""
        return self.standard_deviation / sqrt(self.total) if self.method == SIMULATED else 0.0


def standard_moment(spread: Iterable[tuple[Fraction, Fraction | float]], power: int) -> float:
    """A central moment of a wager's net over the deviation to the same power: the third is the skewness."""
    known = list(spread)
    mean = sum((net * chance for net, chance in known), Fraction(0))
    variance, moment = (sum(((net - mean) ** each * chance for net, chance in known), Fraction(0)) for each in (2, power))
    return float(moment) / sqrt(variance) ** power if variance else 0.0


def shoes_left(shoe: Shoe, removed: Composition, suits_matter: bool, most: int) -> list[tuple[int, Shoe]]:
    """What may be left of a shoe, each with its weight: a card removed without a suit may have been any."""
    left = take(shoe, removed.cards)
    choices: list[list[tuple[int, tuple[int, ...]]]] = []
    for rank, group in groupby(sorted(removed.any_suit)):
        times, copies = len(list(group)), left[4 * rank : 4 * rank + 4]
        if times > sum(copies):
            raise Refused("card-not-in-shoe", f"{times} of {RANKS[rank]}x, and the shoe has only {sum(copies)} left")
        splits = list(_splits(times, copies))
        chosen = splits if suits_matter else splits[:1]
        weights = [prod(comb(n, k) for n, k in zip(copies, split, strict=True)) for split in chosen]
        cards = [tuple(4 * rank + suit for suit in range(4) for _ in range(split[suit])) for split in chosen]
        choices.append(list(zip(weights if suits_matter else [1], cards, strict=True)))
    if prod(len(choice) for choice in choices) > most:
        raise Refused("too-many-compositions", "too many removed cards without a suit: name the suits")
    return [
        (prod(weight for weight, _ in picked), take(left, (card for _, cards in picked for card in cards)))
        for picked in product(*choices)
    ]


def _splits(times: int, copies: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways to take so many cards from the copies of four suits."""
    for split in product(*(range(min(times, n) + 1) for n in copies)):
        if sum(split) == times:
            yield split


def tally_of(edition: Edition, wager: Wager, settings: Settings, removed: Composition, progress: Progress | None) -> Tally:
    """Count a wager's outcomes for a shoe without the removed cards."""
    assert wager.count is not None
    shoes = shoes_left(edition.game.shoe(settings), removed, wager.suits_matter, _MOST_SHOES[wager.cards > 4])
    if sum(shoes[0][1]) < wager.cards:
        raise Refused("too-few-cards", f"{sum(shoes[0][1])} cards are left in the shoe: {wager.id} needs {wager.cards}")
    encoded = edition.game.encode(settings)
    if len(shoes) > 1 and wager.simulated:
        raise Refused("suit-needed", f"{wager.id} is simulated and looks at suits: name the suit of every removed card")
    count = wager.count
    if removed == NOTHING_REMOVED:
        whole = shoes[0][1]
        return kept_tally(edition.game, wager, whole, encoded, lambda: count(whole, encoded, progress))
    tallies = [(weight, count(shoe, encoded, progress)) for weight, shoe in shoes]
    counts = zip(*([weight * n for n in tally.counts] for weight, tally in tallies), strict=True)
    return Tally(tuple(sum(column) for column in counts), tallies[0][1].method)


def sheet_from(edition: Edition, wager: Wager, settings: Settings, tally: Tally, envy: Envy | None = None) -> ParSheet:
    """A par sheet from a tally: outcomes that the pay table pays in one row are one row here."""
    combinations: dict[str, int] = {}
    for outcome, deals in zip(wager.outcomes, tally.counts, strict=True):
        row = edition.row(wager.id, outcome.id, settings)
        combinations[row] = combinations.get(row, 0) + deals
    rows, never = [], wager.impossible(settings)
    for outcome in wager.outcomes:
        if outcome.id in combinations and not (outcome.id in never and not combinations[outcome.id]):
            paid = {name: edition.pay(name, outcome.id, settings) for name in (wager.id, *wager.rides)}
            net = sum((pay.net for pay in paid.values()), Fraction(0))
            own = str(paid.pop(wager.id))
            rides = {name: str(pay) for name, pay in paid.items()}
            deals = combinations[outcome.id]
            rows.append(Row(outcome.id, outcome.name, own, rides, net, deals, Fraction(deals, tally.total)))
    return ParSheet(edition, wager, settings, tuple(rows), tally.total, tally.method, envy)


def par_sheet(
    edition: Edition,
    wager: str,
    settings: Settings | None = None,
    removed: Composition = NOTHING_REMOVED,
    players: int = 1,
    bet_cents: int = 500,
    progress: Progress | None = None,
) -> ParSheet:
    """The odds of a wager, for these settings and a shoe without the removed cards."""
    chosen = edition.settings() if settings is None else settings
    asked = edition.wager(wager)
    check_players(edition, players)
    if asked.count is None:
        raise Refused("no-odds", f"{wager} is placed by a decision: its odds are part of {asked.needs}'s")
    if (reason := asked.refuses(chosen)) and not chosen.what_if:
        raise Refused("not-offered", f"{wager} is not offered: {reason}")
    tally = tally_of(edition, asked, chosen, removed, progress)
    return sheet_from(edition, asked, chosen, tally, _envy(edition, asked, chosen, tally, players, bet_cents))


def check_players(edition: Edition, players: int) -> None:
    """Refuse a number of players that cannot be, or that changes nothing."""
    if not 1 <= players <= 6:
        raise Refused("bad-setting", f"{players} players are not possible (possible: 1 to 6, oneself included, R14)")
    if players != 1 and not any(terms.envy_cents for terms in edition.wagers.values()):
        raise Refused("bad-setting", f"players: {edition.id} has no envy prizes, so players change no odds")


def _envy(
    edition: Edition, wager: Wager, settings: Mapping[str, Value], tally: Tally, players: int, bet_cents: int
) -> Envy | None:
    if not edition.wagers[wager.id].envy_cents:
        return None
    deals = zip(wager.outcomes, tally.counts, strict=True)
    cents = sum(edition.envy_cents(wager.id, outcome.id, settings) * n for outcome, n in deals)
    least = edition.wagers[wager.id].envy_min_bet_cents
    return Envy(players, bet_cents, least, Fraction(cents, tally.total))
