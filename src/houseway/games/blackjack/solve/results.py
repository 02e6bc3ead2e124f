"""Every net result of a round of blackjack with its chance, and the standard deviation, in floats or fractions.

Hands of a split play against one dealer's hand, so that their results go together. All of them together (`blackjack_together`)
give the chance of each result; two by two (`blackjack_couples`) they give the mean square much sooner.
"""

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import Any
from uuid import uuid4

import numpy as np

from houseway.chunks.in_use import done_in_chunks, is_elsewhere
from houseway.chunks.tallies import Tallies
from houseway.kernels.count import Progress
from houseway.solve.kept import if_kept, kept

from .analysis import Analysis, BlackjackRules, FirstCards
from .couples import Couples
from .hands import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Numbers
from .rulings import LOSS, PUSH, VALUES, WIN, Held
from .split import SplitHand
from .together import all_together, together_to_blackjack

NATURAL, NATURALS, GAVE_UP = "blackjack", "blackjacks", "surrender"
"""Ends of a round that are paid by the pay table: a blackjack alone, two of them, a hand given up. All others are told by their
net, a whole number of bets; so the chances of all ends hang on no pay of a blackjack, and are kept once for all pay tables.
"""


@dataclass(frozen=True)
class Moments:
    """The mean of a round's net result and its mean square."""

    mean: Any
    mean_square: Any

    @property
    def variance(self) -> Any:
        """The variance of a round's net result."""
        return self.mean_square - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """For a unit of the first bet."""
        return sqrt(self.variance)


@dataclass(frozen=True)
class RoundResults(Moments):
    """The chance of every net result of a round.

    And that of every end, where blackjacks and hands given up are told apart; and the same together with the first card.
    """

    chances: dict[Fraction, Any]
    ends: dict[str, Any]
    by_first: dict[int, dict[str, Any]]


def results_of(play: Analysis, progress: Progress | None = None, key: str = "") -> RoundResults:
    """Every result of a round for a player: the best one, or one who plays by a chart.

    With a `key` that names the player and the table, those of each up-card are kept on disk.
    """
    columns: dict[int, dict[str, Any]] = {}

    def work(up: int) -> None:
        columns[up] = kept(f"{key}-{up}", lambda: _ends_to_keep(play, up)) if key else _ends_to_keep(play, up)
        if progress:
            progress(len(columns), len(play.ups))

    if is_elsewhere():
        columns = _columns_elsewhere(play, progress, key)
    else:
        play.shared(work)
    by_first: dict[int, dict[str, Any]] = {}
    for up in play.ups:
        for first, told in columns[up].items():
            own = by_first.setdefault(int(first), {})
            for end, chance in told.items():
                own[end] = own.get(end, 0) + (Fraction(chance) if play.exact else chance)
    ends: dict[str, Any] = {}
    for own in by_first.values():
        for end, chance in own.items():
            ends[end] = ends.get(end, 0) + chance
    chances: dict[Fraction, Any] = {}
    for end, chance in ends.items():
        net = net_of(play.rules, end)
        chances[net] = chances.get(net, 0) + chance
    mean, square = _sums(play, ends)
    return RoundResults(mean, square, {net: chances[net] for net in sorted(chances) if chances[net]}, ends, by_first)


def are_kept(key: str, ups: Sequence[int]) -> bool:
    """Whether the results of a player were worked out before, with every up-card."""
    return all(if_kept(f"{key}-{up}") is not None for up in ups)


def net_of(rules: BlackjackRules, end: str) -> Fraction:
    """What an end of a round comes to."""
    paid = {NATURAL: rules.blackjack_pays, NATURALS: rules.blackjacks_pay, GAVE_UP: rules.surrender_pays}
    return paid[end] if end in paid else Fraction(end)


def _columns_elsewhere(play: Analysis, progress: Progress | None, key: str) -> dict[int, dict[str, Any]]:
    """The results by up-card, each worked out by a worker that makes the analysis anew from what it is of."""
    made_of = {each.name: getattr(play, each.name) for each in fields(play) if each.init and not each.name.startswith("_")}
    work = partial(_columns_told, pickle.dumps((type(play), made_of)))
    parts = done_in_chunks(work, len(play.ups), key or uuid4().hex, progress)
    return {up: json.loads(bytes(parts[str(up)].tolist())) for up in play.ups}


@lru_cache(maxsize=1)
def _analysis(pickled: bytes) -> Analysis:
    kind, made_of = pickle.loads(pickled)
    play: Analysis = kind(**made_of)
    return play


def _columns_told(pickled: bytes, first: int, last: int) -> Tallies:
    """What a worker of a cluster does: up-cards from the first up to the last, the text of each as numbers."""
    play = _analysis(pickled)
    texts = {str(up): json.dumps(_ends_to_keep(play, up)).encode() for up in play.ups[first:last]}
    return {up: np.frombuffer(text, np.uint8).astype(np.int64) for up, text in texts.items()}


def moments_of(play: Analysis) -> Moments:
    """The mean and the mean square of a round for the same player, without the chance of every result."""
    columns: dict[int, tuple[Any, Any]] = {}

    def work(up: int) -> None:
        column = _Column(play, up, all_apart=False).add_all()
        mean, square = _sums(play, column.ends)
        columns[up] = column.mean + mean, column.square + square

    play.shared(work)
    mean, square = (sum(columns[up][at] for up in play.ups) for at in range(2))
    return Moments(mean, square)


def ends_of_deal(play: Analysis, deal: FirstCards, choice: int, looked: bool = False) -> dict[str, Any]:
    """The chance of every end from the first cards on, with what is chosen; `looked`: the dealer has no blackjack, all know."""
    column = _Column(play, deal.up, all_apart=True)
    column.add(deal, choice, play.number(1), looked)
    return {end: chance for end, chance in column.ends.items() if chance}


def ends_of_hand(play: Analysis, hand: Held, up: int, looked: bool, hits: bool) -> dict[str, Any]:
    """The same of a hand that takes cards: it hits if that is decided, else it stands or hits, whichever is better."""
    at, worth = play.all.place[hand], play.worth(up)
    better = play.rules.rulings.plays_on(hand) and worth[at, HIT] > worth[at, STAND]
    done = HIT if hits or better else STAND
    won, pushed = (odds[at, done] for odds in _odds(play, up))
    natural = 0 if looked or not play.rules.peeks else play.natural(hand, up)
    ends = {1: (1 - natural) * won, 0: (1 - natural) * pushed, -1: natural + (1 - natural) * (1 - won - pushed)}
    return {str(end): chance for end, chance in ends.items() if chance}


def average_stake(play: Analysis) -> Any:
    """What the same player stakes in a round on average, doubles and splits included, for a unit of the first bet.

    Bets that a blackjack gives back (BJ-8, original bets only) are not counted: nobody could lose them.
    """
    staked: Any = play.number(0)
    for deal in play.deals():
        choice, _ = play.decide(*deal[:3])
        chance, natural = play.number(deal.chance), play.natural(deal.hand, deal.up) if play.rules.peeks else play.number(0)
        bets: Any = 2 if choice == DOUBLE else 1
        if choice == SPLIT:
            bets = play.split(deal.hand.index(2), deal.up, deal.left).staked()
        staked += chance * (natural + (1 - natural) * bets)
    return staked


def _ends_to_keep(play: Analysis, up: int) -> dict[str, dict[str, Any]]:
    """The chances of the first card and the ends of rounds with an up-card, in a form that can be kept."""
    firsts: dict[int, dict[str, Any]] = {}
    column = _Column(play, up, all_apart=True)
    for deal in play.deals_with(up):
        column.ends = {}
        column.add(deal, play.decide(*deal[:3])[0], play.number(deal.chance))
        for first in range(VALUES):
            share = play.number(Fraction(deal.hand[first], 2))  # either card may have been the first
            own = firsts.setdefault(first, {}) if share else {}
            for end, chance in column.ends.items():
                own[end] = own.get(end, 0) + share * chance
    kept_as = str if play.exact else float
    return {str(first): {end: kept_as(chance) for end, chance in ends.items()} for first, ends in firsts.items()}


def _sums(play: Analysis, ends: Mapping[str, Any]) -> tuple[Any, Any]:
    """The mean and the mean square of results."""
    nets = {end: net_of(play.rules, end) for end in ends}
    mean, square = (sum(play.number(nets[end] ** power) * chance for end, chance in ends.items()) for power in (1, 2))
    return mean, square


class _Column:
    """The results of rounds with one up-card: the chance of each; of splits, unless they are told apart, two sums only."""

    def __init__(self, play: Analysis, up: int, all_apart: bool) -> None:
        self.play, self.up, self.all_apart, self.ends = play, up, all_apart, dict[str, Any]()
        self.mean, self.square = play.number(0), play.number(0)
        self.odds = _odds(play, up)

    def add_all(self) -> "_Column":
        """Every deal with the up-card."""
        for deal in self.play.deals_with(self.up):
            self.add(deal, self.play.decide(*deal[:3])[0], self.play.number(deal.chance))
        return self

    def _add(self, end: str | int, chance: Any) -> None:
        self.ends[str(end)] = self.ends.get(str(end), 0) + chance

    def add(self, deal: FirstCards, choice: int, chance: Any, looked: bool = False) -> None:
        """The first cards and what is chosen with them, perhaps when the dealer has looked and has no blackjack."""
        rules, natural = self.play.rules, chance * (0 if looked else self.play.natural(deal.hand, self.up))
        if deal.hand in rules.rulings.naturals:
            self._add(NATURAL, chance - natural)
            self._add(NATURALS, natural)
        elif choice == SURRENDER and rules.surrender == "early":
            self._add(GAVE_UP, chance)
        elif choice == SURRENDER:
            self._add(GAVE_UP, chance - natural)
            self._add(rules.against_blackjack(deal.hand), natural)
        else:
            if rules.peeks and natural:
                self._lose_to_blackjack(deal, choice, natural)
            self._play(deal, choice, chance - natural if rules.peeks else chance)

    def _lose_to_blackjack(self, deal: FirstCards, choice: int, chance: Any) -> None:
        """A blackjack takes the bet; where there was no look, a bust before may have taken more than one."""
        lost: dict[int, Any] = {self.play.rules.against_blackjack(deal.hand): self.play.number(1)}
        if self.play.rules.original_bets_only and choice == DOUBLE:
            bust = self.play.bust_to_blackjack(self.play.spots(self.up))[0][self.play.all.place[deal.hand]]
            lost = {-1: 1 - bust, -2: bust}
        elif self.play.rules.original_bets_only and choice == SPLIT:
            lost = together_to_blackjack(self.play.split(deal.hand.index(2), self.up, deal.left))
        for net, part in lost.items():
            self._add(net, chance * part)

    def _play(self, deal: FirstCards, choice: int, chance: Any) -> None:
        """A hand that is played, once the dealer has looked."""
        if choice == SPLIT:
            self._split(self.play.split(deal.hand.index(2), self.up, deal.left), chance)
            return
        bet = 2 if choice == DOUBLE else 1
        won, pushed = (odds[self.play.all.place[deal.hand], choice] / bet for odds in self.odds)
        self._add(bet, chance * won)
        self._add(0, chance * pushed)
        self._add(-bet, chance * (1 - won - pushed))

    def _split(self, split: SplitHand, chance: Any) -> None:
        if self.all_apart or split.by_rank:
            for net, part in all_together(split).items():
                self._add(net, chance * part)
        else:
            mean, square = Couples(split).moments()
            self.mean, self.square = self.mean + chance * mean, self.square + chance * square


def _odds(play: Analysis, up: int) -> tuple[Numbers, Numbers]:
    """The chances to win and to push with every hand and choice; a double counts them twice."""
    worth, fixed = play.worth(up), play.fixed(up)
    done = np.where(fixed < 0, np.where(np.asarray(worth[:, HIT] > worth[:, STAND], bool), HIT, STAND), fixed)
    won, pushed = (tuple(int(result == end) for end in (WIN, PUSH, LOSS)) for result in (WIN, PUSH))
    return play.play(play.spots(up), done, won)[0], play.play(play.spots(up), done, pushed)[0]
