"""Blackjack by combinatorial analysis: the value of every choice with every hand, for any shoe and all switches.

Hands are multisets of ten values (ace, 2 ... 9, ten); a hand's value depends on its own cards and the dealer's up-card,
which are gone from the shoe. Every kernel here is one plain function without calls: compiled it works on floats, and
interpreted, unchanged, on exact fractions.

Splits follow the zero-memory convention: a split hand is played by its own cards only. Draws are exchangeable, so that
the value of a split is a sum over hands of one hand's value with some more cards of the pair gone (inclusion and
exclusion turns "the other hands got no such card" into that).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.solve.blackjack_hands import (
    ACE,
    BLACKJACK,
    ENDS,
    TEN,
    VALUES,
    Hand,
    dealer_hands,
    is_soft,
    player_hands,
    points_of,
    total_of,
)

STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
NAMES = ("stand", "hit", "double", "split", "surrender")
Numbers = Any
"""An array of floats, or of fractions."""


@dataclass(frozen=True)
class Rules:
    """The switches of a table, as the analyser reads them."""

    counts: tuple[int, ...]
    hits_soft_17: bool
    double_from: int
    double_after_split: bool
    hands_most: int
    aces: str
    surrender: str
    peeks: bool
    blackjack_pays: Fraction

    @classmethod
    def of(cls, edition: Edition, settings: Mapping[str, Value]) -> "Rules":
        """The rules of an edition under these settings."""
        shoe = edition.game.shoe(settings)
        counts = [sum(shoe[4 * rank : 4 * rank + 4]) for rank in range(13)]
        by_value = (counts[12], *counts[:8], sum(counts[8:12]))
        return cls(
            counts=by_value,
            hits_soft_17=settings["soft-17"] == "hits",
            double_from={"any": 0, "9-11": 9, "10-11": 10}[str(settings["double"])],
            double_after_split=settings["double-after-split"] == "yes",
            hands_most=int(settings["split-hands"]),
            aces=str(settings["split-aces"]),
            surrender=str(settings["surrender"]),
            peeks=settings["hole-card"] != "none",  # if only original bets are lost to a blackjack, it is as if he looked
            blackjack_pays=edition.pay("blackjack", "blackjack", settings).net,
        )


# Kernels: compiled for floats, interpreted for fractions


@helper
def _dealer(lefts: Ints, steps: Ints, orders: Numbers, longest: Ints, ways: Numbers, tails: Numbers, found: Numbers) -> None:
    """For each shoe in `lefts`, the ways to draw as many cards as the longest hand has that come to each end.

    The last column of `found` is all ways. `ways` and `tails` are room to work in: the ways to come to each step, and to
    go on after so many cards.
    """
    for row in range(lefts.shape[0]):
        cards = 0
        for value in range(10):
            cards += lefts[row, value]
        most = min(longest[0], cards)
        tails[most] = tails[most] * 0 + 1
        for drawn in range(most - 1, -1, -1):
            tails[drawn] = tails[drawn + 1] * (cards - drawn)
        for step in range(1, orders.size):
            more = lefts[row, steps[step, 1]] - steps[step, 2] + 1
            ways[step] = ways[steps[step, 0]] * max(more, 0)
            if orders[step] and more > 0 and steps[step, 3] <= most:
                found[row, steps[step, 4]] += orders[step] * ways[step] * tails[steps[step, 3]]
        found[row, 7] = tails[0]


@helper
def _values(totals: Ints, following: Ints, lefts: Ints, ends: Numbers, barred: int, fixed: Ints, worth: Numbers) -> None:
    """Work out stand, hit and double for every hand, the highest points first; the last column of `worth` is what is done.

    `barred` is the value that the dealer's hole card is known not to have (-1: nothing is known). A hand's `fixed`
    choice is stand, hit or double; -1 takes the better of stand and hit.
    """
    for row in range(totals.size):
        cards, total = 0, totals[row]
        for value in range(10):
            cards += lefts[row, value]
        gained = ends[row, 5] - ends[row, 6]
        for end in range(5):
            if total > 17 + end:
                gained = gained + ends[row, end]
            elif total < 17 + end:
                gained = gained - ends[row, end]
        hit, double = gained * 0, gained * 0
        for value in range(10):
            left = lefts[row, value]
            if left > 0 and cards > 1:
                ways, all_ways = left, cards
                if barred >= 0:
                    ways = left * (cards - 1 - lefts[row, barred] + (value == barred))
                    all_ways = (cards - 1) * (cards - lefts[row, barred])
                chance = (gained * 0 + ways) / max(all_ways, 1)
                after = following[row, value]
                if after < 0:
                    hit, double = hit - chance, double - 2 * chance
                else:
                    hit, double = hit + chance * worth[after, 3], double + 2 * chance * worth[after, 0]
        options = (gained, hit, double)
        done = max(gained, hit) if fixed[row] < 0 else options[fixed[row]]
        worth[row, 0], worth[row, 1], worth[row, 2], worth[row, 3] = gained, hit, double, done


@helper
def _reach(following: Ints, fixed: Ints, start: int, reached: Ints) -> None:
    """Mark the hands that a hand can become if it is played in a fixed way; a doubled hand gets one card."""
    reached[start] = 2
    for row in range(fixed.size - 1, -1, -1):  # fewest points first
        if reached[row] == 2 and fixed[row]:
            for value in range(10):
                after = following[row, value]
                if after >= 0:
                    reached[after] = max(reached[after], 2 if fixed[row] == 1 else 1)


# The analysis


@dataclass
class Analysis:
    """A shoe and a table's rules, analysed: floats, or (`exact`) fractions."""

    rules: Rules
    exact: bool = False
    free_after_split: bool = False
    worth: dict[int, Numbers] = field(default_factory=dict)
    naturals: dict[int, Numbers] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hands, self.following = player_hands(self.rules.counts)
        self.place = {hand: at for at, hand in enumerate(self.hands)}
        self.table = np.array(self.hands)
        self.totals = np.array([total_of(hand) for hand in self.hands])
        self.sizes = self.table.sum(axis=1)
        self.doubles = np.array([self.may_double(hand) for hand in self.hands])
        free = np.full(len(self.hands), -1)
        for up in range(VALUES):
            if self.rules.counts[up]:
                every = np.arange(len(self.hands))
                self.worth[up], self.naturals[up] = self._play(up, every, self.following, free, 0, 0)

    def _array(self, *shape: int) -> Numbers:
        return np.full(shape, Fraction(0), object) if self.exact else np.zeros(shape)

    def _whole(self, *numbers: Ints) -> list[Any]:
        """Whole numbers as a kernel takes them: for fractions they must never wrap, so they are Python's own."""
        return [one.astype(object) if self.exact else one for one in numbers]

    def _run(self, kernel: Callable[..., None], *given: Any) -> None:
        (plain(kernel) if self.exact else kernel)(*given)

    def _barred(self, up: int) -> int:
        """What the hole card is known not to be, once the dealer has looked."""
        return {ACE: TEN, TEN: ACE}.get(up, -1) if self.rules.peeks else -1

    def _play(self, up: int, rows: Ints, following: Ints, fixed: Ints, pair: int, gone: int) -> tuple[Numbers, Numbers]:
        """What these hands are worth against an up-card, with so many more cards of a pair gone; and the naturals' odds."""
        lefts = np.array(self.rules.counts) - self.table[rows]
        lefts[:, up] -= 1
        lefts[:, pair] -= gone
        lefts = np.maximum(lefts, 0)
        chances = self._dealer_ends(up, lefts)
        natural = chances[:, BLACKJACK].copy()
        if self._barred(up) >= 0:
            chances = chances / (1 - natural)[:, None]
            chances[:, BLACKJACK] = chances[:, BLACKJACK] * 0
        worth = self._array(len(rows), 4)
        self._run(_values, self.totals[rows], following, *self._whole(lefts), chances, self._barred(up), fixed, worth)
        return worth, natural

    def _dealer_ends(self, up: int, lefts: Ints) -> Numbers:
        steps, orders, longest = dealer_hands(up, self.rules.hits_soft_17)
        kind: Any = object if self.exact else np.float64
        found, ways, tails = np.zeros((len(lefts), ENDS + 1), kind), np.ones(len(steps), kind), np.ones(longest[0] + 1, kind)
        self._run(_dealer, *self._whole(lefts, steps), orders.astype(kind), *self._whole(longest), ways, tails, found)
        if self.exact:
            return np.array([[Fraction(int(one), int(row[-1])) for one in row[:-1]] for row in found], object)
        return found[:, :-1] / found[:, -1:]

    # Two cards

    def may_double(self, hand: Hand) -> bool:
        """BJ-4: which two cards may be doubled."""
        return not self.rules.double_from or (self.rules.double_from <= points_of(hand) <= 11 and not is_soft(hand))

    def choices(self, hand: Hand, up: int) -> dict[int, Any]:
        """What each choice with the first two cards is worth, once the dealer has no blackjack (where he looks)."""
        worth = self.worth[up][self.place[hand]]
        found = {STAND: worth[0], HIT: worth[1]}
        if self.may_double(hand):
            found[DOUBLE] = worth[2]
        if max(hand) == 2:
            found[SPLIT] = self.split(hand.index(2), up)
        if self.rules.surrender == "late":
            natural = 0 if self.rules.peeks else self.naturals[up][self.place[hand]]
            found[SURRENDER] = -(1 - natural) / (2 if not self.exact else Fraction(2)) - natural
        return found

    def _fixed(self, rows: Ints, pair: int, up: int, worth: Numbers) -> Ints:
        """How split hands are played: as the same cards before a split, by what they are worth in `worth`."""
        fixed = np.asarray(worth[:, 1] > worth[:, 0], np.int64)
        sizes = self.sizes[rows]
        if self.rules.double_after_split:
            better = np.asarray(worth[:, 2] > np.maximum(worth[:, 0], worth[:, 1]), bool)
            fixed[(sizes == 2) & self.doubles[rows] & better] = DOUBLE
        if pair == ACE and self.rules.aces != "play-on":
            fixed[sizes == 2] = STAND  # BJ-5: one card to a split ace
        fixed[sizes == 1] = HIT
        return fixed

    def split(self, pair: int, up: int) -> Any:
        """What splitting a pair is worth, re-splits included."""
        most = self.rules.hands_most
        if pair == ACE and self.rules.aces != "re-split":
            most = 2
        one = _SplitHand(self, pair, up)
        total: Any = 0
        for hands in range(2, most):
            total += _SEQUENCES[hands] * hands * one.others_differ(hands - 1, hands - 2, hands - 1, own_differs=True)
        for filled, ways in enumerate(_LAST_SPLIT[most]):
            if filled:
                total += ways * filled * one.others_differ(most - 1, most - 2, filled - 1, own_differs=True)
            total += ways * (most - filled) * one.others_differ(most - 1, most - 2, filled, own_differs=False)
        return total

    # The whole game

    def best(self, hand: Hand, up: int) -> tuple[int, Any]:
        """The best choice with the first two cards, and its worth."""
        found = self.choices(hand, up)
        choice = max(found, key=lambda one: found[one])
        return choice, found[choice]

    def deals(self) -> list[tuple[Hand, int, Fraction]]:
        """Every two cards and up-card, and how likely they are."""
        counts, cards = self.rules.counts, sum(self.rules.counts)
        found = []
        for a, b in combinations_with_replacement(range(VALUES), 2):
            pairs = counts[a] * counts[b] * 2 if a != b else counts[a] * (counts[a] - 1)
            hand = tuple(int(value == a) + int(value == b) for value in range(VALUES))
            for up in range(VALUES):
                left = counts[up] - hand[up]
                if pairs > 0 and left > 0:
                    found.append((hand, up, Fraction(pairs * left, cards * (cards - 1) * (cards - 2))))
        return found

    def value(self) -> Any:
        """What the game is worth to a player who always chooses the best."""
        total: Any = Fraction(0) if self.exact else 0.0
        for hand, up, chance in self.deals():
            total += (chance if self.exact else float(chance)) * self._worth_of_deal(hand, up)
        return total

    def _worth_of_deal(self, hand: Hand, up: int) -> Any:
        natural = self.naturals[up][self.place[hand]]
        if hand[ACE] == hand[TEN] == 1:
            pays = self.rules.blackjack_pays if self.exact else float(self.rules.blackjack_pays)
            return (1 - natural) * pays
        _, worth = self.best(hand, up)
        if not self.rules.peeks:
            return worth
        whole = (1 - natural) * worth - natural
        early = self.rules.surrender == "early" and up in {ACE, TEN}
        return max(whole, Fraction(-1, 2) if self.exact else -0.5) if early else whole


_SEQUENCES = {2: 1, 3: 2}
"""In how many orders second cards can come such that a pair ends as so many hands, none of the last cards a pair's."""
_LAST_SPLIT = {2: (1,), 3: (1, 1), 4: (1, 2, 2)}
"""By the most hands: in how many orders the last split comes after so many hands have got another second card."""


class _SplitHand:
    """One of the hands of a split pair, with any number of further cards of the pair gone."""

    def __init__(self, analysis: Analysis, pair: int, up: int) -> None:
        self.analysis, self.pair, self.up = analysis, pair, up
        rows = np.nonzero(analysis.table[:, pair] > 0)[0]
        after = self._within(rows)
        before = analysis.worth[up][rows]
        if analysis.free_after_split:
            before = analysis._play(up, rows, after, np.full(len(rows), -1), pair, 1)[0]
        fixed = analysis._fixed(rows, pair, up, before)
        single = tuple(int(value == pair) for value in range(VALUES))
        double = tuple(2 * one for one in single)
        reached = np.zeros(len(rows), np.int64)
        _reach(after, fixed, int(np.searchsorted(rows, analysis.place[single])), reached)
        self.rows, self.fixed = rows[reached > 0], fixed[reached > 0]
        self.following = self._within(self.rows)
        self.single = int(np.searchsorted(self.rows, analysis.place[single]))
        self.double = int(np.searchsorted(self.rows, analysis.place[double])) if double in analysis.place else -1
        self.known: dict[int, tuple[Any, Any]] = {}

    def _within(self, rows: Ints) -> Ints:
        """Where each further card leads, among these rows."""
        where = np.full(len(self.analysis.hands) + 1, -1)
        where[rows] = np.arange(len(rows))
        return where[self.analysis.following[rows]]

    def _chance(self, gone: int) -> Any:
        """How likely the next card is of the pair, if so many are gone in all."""
        counts = list(self.analysis.rules.counts)
        counts[self.up] -= 1
        counts[self.pair] -= gone
        cards, left, barred = sum(counts), counts[self.pair], self.analysis._barred(self.up)
        if left <= 0:
            return 0
        ways, all_ways = left, cards
        if barred >= 0:
            ways = left * (cards - 1 - counts[barred] + (self.pair == barred))
            all_ways = (cards - 1) * (cards - counts[barred])
        return Fraction(ways, all_ways) if self.analysis.exact else ways / all_ways

    def _all_pair(self, times: int) -> Any:
        """How likely the next cards after the split are all of the pair."""
        chance: Any = 1
        for more in range(times):
            chance *= self._chance(2 + more)
        return chance

    def _worth(self, others: int) -> tuple[Any, Any]:
        """What a hand is worth with any second card; and with one that is not of the pair, times its chance."""
        if others not in self.known:
            worth, _ = self.analysis._play(self.up, self.rows, self.following, self.fixed, self.pair, others)
            any_card = worth[self.single, 1]
            paired = worth[self.double, 3] if self.double >= 0 else 0
            self.known[others] = any_card, any_card - self._chance(1 + others) * paired
        return self.known[others]

    def others_differ(self, others: int, drawn: int, differing: int, own_differs: bool) -> Any:
        """A hand's worth, with `others` of the pair gone of which `drawn` came after the split, and so many other hands'
        second cards not of the pair: inclusion and exclusion over those that are.
        """
        total: Any = 0
        for wrong in range(differing + 1):
            chance = self._all_pair(drawn + wrong)
            if chance:
                total += (-1) ** wrong * comb(differing, wrong) * chance * self._worth(others + wrong)[own_differs]
        return total
