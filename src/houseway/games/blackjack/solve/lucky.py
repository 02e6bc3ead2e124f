"""Lucky Lucky beside blackjack: how the two bets go together, and what every card gone does to both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, sqrt
from typing import Any

import numpy as np

from houseway.cards import RANKS
from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.odds import removal_effects
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings

from .. import rules as table_rules
from ..outcomes import LUCKY_OUTCOMES
from .analysis import Analysis, BlackjackRules
from .hands import HIT, STAND
from .results import Moments
from .rulings import VALUES, Held, hand_of, value_of


@dataclass(frozen=True)
class BothBets:
    """Blackjack and Lucky Lucky of a unit each: variances, covariance and what follows from them."""

    main_variance: Any
    lucky_mean: Fraction
    lucky_variance: Fraction
    covariance: Any

    @property
    def correlation(self) -> float:
        """Between -1 and 1."""
        return float(self.covariance) / sqrt(float(self.main_variance) * self.lucky_variance)

    @property
    def variance(self) -> Any:
        """Of both bets together."""
        return self.main_variance + self.lucky_variance + 2 * self.covariance

    @property
    def standard_deviation(self) -> float:
        """Of both bets together."""
        return sqrt(self.variance)


def both_bets(edition: Edition, settings: Mapping[str, Value], play: Analysis, results: Moments) -> BothBets:
    """Once two cards and the up-card lie, Lucky Lucky is decided and the main bet is worth what it is: the two are
    independent given the ranks, so that the mean of their product is a sum over the deals.
    """
    paid = _paid(edition, settings, play.rules)
    mean = sum((chance * net for chance, net, _ in paid.values()), Fraction(0))
    square = sum((chance * net_square for chance, _, net_square in paid.values()), Fraction(0))
    product = _product_on_community(play, paid) if settings["lucky-card"] == "community" else _product(play, paid)
    covariance = product - results.mean * play.number(mean)
    return BothBets(results.variance, mean, square - mean**2, covariance)


Paid = dict[tuple[Held, int, int | None], tuple[Fraction, Fraction, Fraction]]


def _product(play: Analysis, paid: Paid) -> Any:
    """The mean of the product of both bets, Lucky Lucky on the up-card."""
    deals = ((deal, play.number(deal.chance * paid[deal[:3]][1])) for deal in play.deals())
    return sum(lucky * play.decide(*deal[:3])[1] for deal, lucky in deals)


def _product_on_community(play: Analysis, paid: Paid) -> Any:
    """The same on a community card (LLB-0): it is gone from the shoe, and the player does not look at it.

    Not looked at it changes nothing on average, so that the main bet by itself is worth what it is without one.
    """
    counts, product = play.rules.counts, play.number(0)
    for card in range(VALUES):
        if counts[card]:
            gone = PlayUnseen(play.rules.without(card), play.exact, play.free_after_split, chosen=play)
            chance = Fraction(counts[card], sum(counts))
            for deal in gone.deals():
                lucky = paid[deal.hand, card, None][1] if (deal.hand, card, None) in paid else Fraction(0)
                product += play.number(chance * deal.chance * lucky) * gone.decide(*deal[:3])[1]
    return product


@dataclass
class PlayUnseen(Analysis):
    """A player who plays as he would with all cards in the shoe, while one is gone that he does not count."""

    chosen: Analysis = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.as_chosen = np.array([self.chosen.all.place[hand] for hand in self.all.hands])

    def options(self, hand: Held, up: int, left: int | None = None) -> list[int]:
        """The one choice."""
        return [self.chosen.decide(hand, up, left)[0]]

    def fixed(self, up: int) -> Ints:
        """Stand or hit."""
        worth = self.chosen.worth(up)[self.as_chosen]
        return np.where(np.asarray(worth[:, HIT] > worth[:, STAND], bool), HIT, STAND)

    def fixed_after_split(self, pair: int, up: int, rows: Ints, following: Ints) -> Ints:
        """As the same hands after a split of the whole shoe."""
        every = np.nonzero(self.chosen.all.table[:, pair] > 0)[0]
        where = np.full(len(self.chosen.all.hands) + 1, -1)
        where[every] = np.arange(len(every))
        fixed = self.chosen.fixed_after_split(pair, up, every, where[self.chosen.all.following[every]])
        return np.asarray(fixed[where[self.as_chosen[rows]]])


def _paid(edition: Edition, settings: Mapping[str, Value], rules: BlackjackRules) -> Paid:
    """For two cards and a third as they are dealt: how likely they are, and what Lucky Lucky then pays and pays squared."""
    shoe, encoded = edition.game.shoe(settings), edition.game.encode(settings)
    nets = [edition.pay("lucky-lucky", outcome.id, settings).net for outcome in LUCKY_OUTCOMES]
    sums: dict[tuple[Held, int, int | None], list[Fraction]] = {}
    for cards in combinations_with_replacement([card for card in range(52) if shoe[card]], 3):
        ways = 1
        for card in set(cards):
            ways *= comb(shoe[card], cards.count(card))
        net = nets[table_rules.lucky_lucky(np.array(cards), encoded)] if ways else Fraction(0)
        for at in range(3):
            two = cards[:at] + cards[at + 1 :]
            deal = hand_of(two), value_of(cards[at]), rules.more_of_rank(two, cards[at])
            before = sums.get(deal, [Fraction(0)] * 3)
            sums[deal] = [before[0] + ways, before[1] + ways * net, before[2] + ways * net**2]
    total = sum((dealt[0] for dealt in sums.values()), Fraction(0))
    return {deal: (ways / total, net / ways, square / ways) for deal, (ways, net, square) in sums.items() if ways}


@dataclass(frozen=True)
class Removal:
    """What one card of a rank gone does to the house edge of best play and of Lucky Lucky."""

    rank: str
    main: float
    lucky: Fraction


def removals(edition: Edition, settings: Settings, rules: BlackjackRules, progress: Progress | None = None) -> list[Removal]:
    """The effect of removal of every rank on both bets: the main bet in floats, each time played anew in the best way."""
    whole, lucky = float(Analysis(rules).value()), removal_effects(edition, settings, "lucky-lucky")
    by_value: dict[int, float] = {}
    effects = []
    for rank, name in enumerate(RANKS):
        value = value_of(4 * rank)
        if value not in by_value:
            by_value[value] = whole - float(Analysis(rules.without(value)).value())
        effects.append(Removal(name, by_value[value], lucky[name]))
        if progress:
            progress(rank + 1, len(RANKS))
    return effects
