"""Blackjack by combinatorial analysis: the value of every choice with every hand, for any shoe and all switches.

Hands are multisets of ten values (ace, 2 ... 9, ten); a hand's value depends on its own cards and the dealer's up-card,
which are gone from the shoe. Every kernel here is one plain function without calls: compiled it works on floats, and
interpreted, unchanged, on exact fractions.

"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from os import cpu_count
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, helper, plain
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.solve.blackjack_dealer import Dealer
from houseway.solve.blackjack_hands import (
    DOUBLE,
    ENDS,
    HIT,
    NATURAL_WITH,
    SPLIT,
    STAND,
    SURRENDER,
    TEN,
    VALUES,
    Hand,
    Numbers,
    Spots,
    fraction,
    is_natural,
    player_hands,
)
from houseway.solve.blackjack_split import SplitHand

WIN, PUSH, LOSS = range(3)
NET = (1, 0, -1)
"""What a win, a push and a loss count."""
RESULT = np.array([[np.sign(17 + end - total) + 1 for end in range(5)] + [WIN, LOSS] for total in range(22)])
"""What a total comes to against each end of the dealer's hand."""
HALF = Fraction(-1, 2)
"""BJ-7: what a surrender counts."""


@dataclass(frozen=True)
class Rules:
    """The switches of a table, as the analyser reads them."""

    counts: tuple[int, ...]
    hits_soft_17: bool
    double_from: int
    double_after_split: bool
    splits_values: bool
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
            splits_values=settings["split"] == "values",
            hands_most=int(settings["split-hands"]),
            aces=str(settings["split-aces"]),
            surrender=str(settings["surrender"]),
            peeks=settings["hole-card"] != "none",  # if only original bets are lost to a blackjack, it is as if he looked
            blackjack_pays=edition.pay("blackjack", "blackjack", settings).net,
        )


@helper
def _values(
    following: Ints, lefts: Ints, barred: int, fixed: Ints, doubles: Ints, stand: Numbers, bust: Numbers, worth: Numbers
) -> None:
    """From what standing is worth, work out hit and double for every hand, the highest points first, and what is done.

    `barred` is the value that the dealer's hole card is known not to have (-1: nothing is known). A hand's `fixed`
    choice is stand, hit or double; -1 takes the better of stand and hit. Only hands that `doubles` marks are doubled.
    """
    for row in range(stand.size):
        cards = 0
        for value in range(10):
            cards += lefts[row, value]
        hit, double, all_ways = stand[row] * 0, stand[row] * 0, cards
        if barred >= 0:
            all_ways = (cards - 1) * (cards - lefts[row, barred])
        if all_ways > 0 and cards > 1:
            for value in range(10):
                ways = lefts[row, value]
                if barred >= 0:
                    ways = ways * (cards - 1 - lefts[row, barred] + (value == barred))
                after = following[row, value]
                if ways > 0:
                    hit = hit + ways * (bust[0] if after < 0 else worth[after, 3])
                    if doubles[row]:
                        double = double + ways * (bust[0] if after < 0 else worth[after, 0])
            hit, double = hit / all_ways, 2 * double / all_ways
        options = (stand[row], hit, double)
        done = max(stand[row], hit) if fixed[row] < 0 else options[fixed[row]]
        worth[row, 0], worth[row, 1], worth[row, 2], worth[row, 3] = stand[row], hit, double, done


# The analysis


@dataclass
class Analysis:
    """A shoe and a table's rules, analysed: floats, or (`exact`) fractions."""

    rules: Rules
    exact: bool = False
    free_after_split: bool = False

    def __post_init__(self) -> None:
        self.all = player_hands(self.rules.counts)
        low, soft = self.rules.double_from, self.all.soft
        points = np.where(soft, self.all.totals - 10, self.all.totals)
        self.doubles = (self.all.sizes == 2) & ((low == 0) | (~soft & (low <= points) & (points <= 11)))
        self.ups = [up for up in range(VALUES) if self.rules.counts[up]]
        peeks, soft_17 = self.rules.peeks, self.rules.hits_soft_17
        self.dealers = {up: Dealer(self.rules.counts, up, soft_17, peeks, self.exact) for up in self.ups}
        self._spots: dict[int, Spots] = {}
        self._worth: dict[int, Numbers] = {}
        self._splits: dict[tuple[int, int], SplitHand] = {}
        self.split_ends: dict[tuple[int, int], Numbers] = {}

    def number(self, value: Fraction | int) -> Any:
        """A number in the arithmetic of this analysis."""
        return Fraction(value) if self.exact else float(value)

    def shared(self, work: Callable[[int], object]) -> None:
        """Work on every up-card; floats are worked out on every processor."""
        if self.exact:
            for up in self.ups:
                work(up)
            return
        with ThreadPoolExecutor(cpu_count()) as pool:
            list(pool.map(work, self.ups))

    def ends(self, up: int, gone: Ints) -> Numbers:
        """For rows of cards gone besides the up-card, the ways to each end of the dealer's hand; last, all ways."""
        return self.dealers[up].ends(gone + np.eye(VALUES, dtype=np.int64)[up])

    def play(self, spots: Spots, fixed: Ints, pays: tuple[int, ...] = NET) -> Numbers:
        """What standing, hitting, doubling and what is done are worth with these hands."""
        lefts = np.array(self.rules.counts) - self.all.table[spots.rows] - spots.more_gone
        lefts[:, spots.up] -= 1
        lefts = np.maximum(lefts, 0)
        worth = np.full((len(spots.rows), 4), self.number(0), object if self.exact else None)
        kernel = plain(_values) if self.exact else _values
        kernel(
            spots.following,
            lefts.astype(object) if self.exact else lefts,
            self.dealers[spots.up].barred,
            fixed,
            self.doubles[spots.rows],
            self._stand(spots, pays),
            np.array([self.number(pays[LOSS])]),
            worth,
        )
        return worth

    def _stand(self, spots: Spots, pays: tuple[int, ...]) -> Numbers:
        """What standing is worth with these hands."""
        paid = np.array(pays).astype(spots.ends.dtype)[RESULT[self.all.totals[spots.rows]]]
        won, all_ways = (spots.ends[:, :ENDS] * paid).sum(axis=1), np.maximum(spots.ends[:, ENDS], 1)
        return fraction(won, all_ways) if self.exact else won / all_ways

    def fixed(self, up: int) -> Ints:
        """How hands that were not split are played: stand or hit, -1 for the better."""
        return np.full(len(self.all.hands), -1)

    def spots(self, up: int) -> Spots:
        """Every hand against an up-card."""
        if up not in self._spots:
            every, nothing = np.arange(len(self.all.hands)), np.zeros(VALUES, np.int64)
            self._spots[up] = Spots(up, every, self.all.following, self.ends(up, self.all.table), nothing)
        return self._spots[up]

    def worth(self, up: int) -> Numbers:
        """What each choice with every hand is worth against an up-card, and what is done."""
        if up not in self._worth:
            self._worth[up] = self.play(self.spots(up), self.fixed(up))
        return self._worth[up]

    def natural(self, hand: Hand, up: int) -> Any:
        """The chance of a dealer's blackjack with this hand seen."""
        if up not in NATURAL_WITH:
            return self.number(0)
        hole = NATURAL_WITH[up]
        left, cards = self.rules.counts[hole] - hand[hole], sum(self.rules.counts) - sum(hand) - 1
        return Fraction(left, cards) if self.exact else left / cards

    # Two cards

    def may_double(self, hand: Hand) -> bool:
        """BJ-4: which two cards may be doubled."""
        return bool(self.doubles[self.all.place[hand]])

    def may_split(self, hand: Hand) -> bool:
        """BJ-5: whether two cards are a pair; tens are one by value only, as standing on them is better by far."""
        return max(hand) == 2 and (self.rules.splits_values or hand[TEN] != 2)

    def options(self, hand: Hand, up: int) -> list[int]:
        """What may be done with the first two cards."""
        allowed = {
            DOUBLE: self.may_double(hand),
            SPLIT: self.may_split(hand),
            SURRENDER: self.rules.surrender != "none",
        }
        return [STAND, HIT, *(choice for choice, is_allowed in allowed.items() if is_allowed)]

    def choice_worth(self, choice: int, hand: Hand, up: int) -> Any:
        """What a choice with the first two cards is worth, once the dealer has no blackjack (where he looks)."""
        if choice == SPLIT:
            return self.split(hand.index(2), up).value()
        if choice == SURRENDER:
            natural = self.natural(hand, up) if self.rules.surrender == "late" and not self.rules.peeks else self.number(0)
            return -(1 + natural) / 2
        return self.worth(up)[self.all.place[hand], choice]

    def choices(self, hand: Hand, up: int) -> dict[int, Any]:
        """What each choice with the first two cards is worth, once the dealer has no blackjack (where he looks)."""
        return {choice: self.choice_worth(choice, hand, up) for choice in self.options(hand, up)}

    def deal_worth(self, choice: int, hand: Hand, up: int) -> Any:
        """What the first two cards are worth before the dealer looks, with what is then chosen."""
        natural = self.natural(hand, up)
        if is_natural(hand):
            return (1 - natural) * self.number(self.rules.blackjack_pays)
        if choice == SURRENDER and self.rules.surrender == "early":
            return self.number(HALF)
        worth = self.choice_worth(choice, hand, up)
        return (1 - natural) * worth - natural if self.rules.peeks else worth

    def decide(self, hand: Hand, up: int) -> tuple[int, Any]:
        """The best choice with the first two cards, and what they are worth with it before the dealer looks."""
        if is_natural(hand):
            return STAND, self.deal_worth(STAND, hand, up)
        found = {choice: self.deal_worth(choice, hand, up) for choice in self.options(hand, up)}
        best = max(found, key=lambda choice: found[choice])
        return best, found[best]

    def split(self, pair: int, up: int) -> SplitHand:
        """A pair, split."""
        if (pair, up) not in self._splits:
            self._splits[pair, up] = SplitHand(self, pair, up)
        return self._splits[pair, up]

    def fixed_after_split(self, pair: int, up: int, rows: Ints, following: Ints) -> Ints:
        """How these hands are played after a split: as the same cards before one, or (free) as is best after one."""
        worth = self.worth(up)[rows]
        if self.free_after_split:
            one_more = np.eye(VALUES, dtype=np.int64)[pair]
            ends = self.ends(up, self.all.table[rows] + one_more)
            worth = self.play(Spots(up, rows, following, ends, one_more), np.full(len(rows), -1))
        fixed = np.asarray(worth[:, 1] > worth[:, 0], np.int64)
        if self.rules.double_after_split:
            better = np.asarray(worth[:, 2] > np.maximum(worth[:, 0], worth[:, 1]), bool)
            fixed[self.doubles[rows] & better] = DOUBLE
        return fixed

    # The whole game

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
        deals = self.deals()
        by_up = {up: [(hand, chance) for hand, shown, chance in deals if shown == up] for up in self.ups}
        found: dict[int, Any] = {}

        def work(up: int) -> None:
            found[up] = sum(self.number(chance) * self.decide(hand, up)[1] for hand, chance in by_up[up])

        self.shared(work)
        return sum(found[up] for up in self.ups)
