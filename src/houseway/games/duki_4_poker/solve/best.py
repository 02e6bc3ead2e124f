"""Duki 4 Poker solved: what playing and folding are worth for every hand, exactly.

Of a player's hand only its score matters against a dealer's, but which dealer's hands are left depends on the cards. The
hands that share no card with his are counted by inclusion and exclusion: the alternating sum, over the subsets of his
cards, of the hands that hold the subset; those are tabulated once, by score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from math import comb, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, Ints, helper, loop
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value

from ..game import ANTE_OUTCOMES, BONUS_OUTCOMES, describe
from ..rules import BONUS_LOSES, FOLD, duki_bonus, duki_score, showdown, sorted_down

CARDS, HAND = 52, 4
HANDS = comb(CARDS, HAND)
AGAINST = comb(CARDS - HAND, HAND)
"""The dealer's hands that are left beside a player's."""
RUNS_MOST = 32
Bools = NDArray[np.bool_]


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_ROW))
def _look_at(hands: Ints, settings: Ints, scores: Ints, bonuses: Ints) -> None:
    for place in range(hands.shape[0]):
        scores[place] = duki_score(hands[place], 0, settings)
        bonuses[place] = duki_bonus(hands[place], settings)


@loop((INT_ROW, INT_ROW, INT_TABLE, INT_TABLE))
def _meet(scores: Ints, settings: Ints, outcomes: Ints, runs: Ints) -> None:
    """What each score comes to against each, and where along the dealer's scores that changes; 0 ends a row of runs."""
    for player in range(scores.size):
        changes = 0
        for dealer in range(scores.size):
            outcomes[player, dealer] = showdown(scores[player], scores[dealer], settings)
            if dealer and outcomes[player, dealer] != outcomes[player, dealer - 1]:
                runs[player, changes] = dealer
                changes += 1
        runs[player, changes] = scores.size


@helper
def _index(a: int, b: int, c: int, d: int) -> int:
    """The number of a hand of four different cards, whatever their order."""
    a, b, c, d = sorted_down(a, b, c, d)
    return a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d


@loop((INT_TABLE, INT_ROW, INT_TABLE))
def _gather(hands: Ints, classes: Ints, holding: Ints) -> None:
    """How many hands hold each set of none, one or two cards, summed up to each class of scores."""
    for place in range(hands.shape[0]):
        held, own = hands[place], classes[place] + 1
        holding[0, own] += 1
        for first in range(4):
            holding[1 + held[first], own] += 1
            for second in range(first):
                holding[53 + max(held[first], held[second]) * 52 + min(held[first], held[second]), own] += 1
    for row in range(holding.shape[0]):
        for own in range(1, holding.shape[1]):
            holding[row, own] += holding[row, own - 1]


@helper
def _add(
    cards: Ints, size: int, sign: int, own: int, classes: Ints, holding: Ints, outcomes: Ints, runs: Ints, counts: Ints
) -> None:
    """Add the dealer's hands that hold these cards to the count of what they come to."""
    if size == 4:
        counts[outcomes[own, classes[_index(cards[0], cards[1], cards[2], cards[3])]]] += sign
    elif size == 3:
        for card in range(52):
            if card != cards[0] and card != cards[1] and card != cards[2]:
                counts[outcomes[own, classes[_index(cards[0], cards[1], cards[2], card)]]] += sign
    elif size < 3:
        row = 0
        if size == 1:
            row = 1 + cards[0]
        elif size == 2:
            row = 53 + max(cards[0], cards[1]) * 52 + min(cards[0], cards[1])
        start, run = 0, 0
        while start < outcomes.shape[1]:
            stop = runs[own, run]
            counts[outcomes[own, start]] += sign * (holding[row, stop] - holding[row, start])
            start, run = stop, run + 1


@loop((INT_TABLE, INT_ROW, INT_TABLE, INT_TABLE, INT_TABLE, INT, INT_TABLE))
def _count(hands: Ints, classes: Ints, holding: Ints, outcomes: Ints, runs: Ints, seen: int, counts: Ints) -> None:
    """For every hand, how many of the dealer's disjoint hands (that hold the card `seen`, unless it is -1) come to what."""
    cards = np.zeros(5, np.int64)
    for place in range(hands.shape[0]):
        held = hands[place]
        own = classes[_index(held[0], held[1], held[2], held[3])]
        if seen in (held[0], held[1], held[2], held[3]):
            continue
        for mask in range(16):
            size, sign = 0, 1
            for bit in range(4):
                if mask >> bit & 1:
                    cards[size] = held[bit]
                    size, sign = size + 1, -sign
            if seen >= 0:
                cards[size] = seen
                size += 1
            _add(cards, size, sign, own, classes, holding, outcomes, runs, counts[place])


def _all_hands() -> Ints:
    """Every hand, in the order of its number."""
    hands = np.array(list(combinations(range(CARDS), HAND)), np.int64)
    return hands[np.lexsort(hands.T)]


def _least_names(hands: Ints, fixed: tuple[int, ...]) -> Ints:
    """For every hand one number, the same for hands that differ by the names of suits (but for the fixed one)."""
    ranks, suits = hands >> 2, hands & 3
    least = np.full(len(hands), 1 << 24)
    for names in permutations(range(4)):
        if names[: len(fixed)] != fixed:
            continue
        renamed = np.sort(ranks << 2 | np.array(names)[suits], axis=1)
        least = np.minimum(least, ((renamed[:, 3] * 64 + renamed[:, 2]) * 64 + renamed[:, 1]) * 64 + renamed[:, 0])
    return least


def _up_to_suits(hands: Ints, fixed: tuple[int, ...] = ()) -> tuple[Ints, Ints]:
    """One hand of each class of hands that differ by the names of suits (but for the fixed one), and how many there are."""
    _, first, weights = np.unique(_least_names(hands, fixed), return_index=True, return_counts=True)
    return hands[first], weights


def class_of(every: Ints) -> Ints:
    """For every hand, the place of its class among those of a `Solved`."""
    _, places = np.unique(_least_names(every, ()), return_inverse=True)
    return _whole(places)


@dataclass(frozen=True)
class Solved:
    """Every class of hands, what playing and folding are worth, and what follows for the game.

    `counts` are, for each class, the dealer's hands by the outcome of the Ante if it is played; there are `against` of
    them in all, and `nets` is what each outcome comes to, a fold among them. `bonus` is the Bonus for each unit of the
    Ante: a fold forfeits it (D4P-2).
    """

    hands: Ints
    weights: Ints
    scores: Ints
    bonuses: Ints
    counts: Ints
    against: int
    nets: tuple[Fraction, ...]
    bonus: Fraction
    bonus_nets: tuple[Fraction, ...]

    @property
    def total(self) -> int:
        """All deals."""
        return int(self.weights.sum()) * self.against

    @cached_property
    def unit(self) -> int:
        """What makes every value a whole number."""
        return lcm(*(net.denominator for net in self.nets))

    @property
    def fold(self) -> Fraction:
        """What folding wins for a unit of the Ante."""
        return self.nets[FOLD]

    @cached_property
    def play(self) -> Ints:
        """What playing wins over all of the dealer's hands, the Bonus not counted, in units."""
        return _whole(self.counts @ np.array([int(net * self.unit) for net in self.nets]))

    def enough(self, against: int) -> Ints:
        """What playing must win more than, over so many hands of the dealer's: a fold loses the Ante and the Bonus."""
        lost = self.fold + self.bonus * self.bonus_nets[BONUS_LOSES]
        least = [floor((lost - self.bonus * net) * self.unit * against) for net in self.bonus_nets]
        return _whole(least)[self.bonuses]

    @cached_property
    def choice(self) -> Bools:
        """Which hands to play: those that win more, or lose less, than a fold."""
        return np.asarray(self.play > self.enough(self.against))

    def value(self, plays: Bools) -> Fraction:
        """What the Ante (with its Play bet) is worth if these hands are played and all others folded."""
        won = sum(int(weight) * int(play) for weight, play in zip(self.weights[plays], self.play[plays], strict=True))
        folded = int(self.weights[~plays].sum()) * self.against
        return (Fraction(won, self.unit) + folded * self.fold) / self.total

    def value_of_play(self, place: int) -> Fraction:
        """What playing one hand is worth, against `fold`."""
        return Fraction(int(self.play[place]), self.unit * self.against)

    @cached_property
    def house_edge(self) -> Fraction:
        """On the Ante, of a player who always chooses the better."""
        return -self.value(self.choice)

    @property
    def plays(self) -> Fraction:
        """How often he plays."""
        return Fraction(int(self.weights[self.choice].sum()), int(self.weights.sum()))

    @property
    def element_of_risk(self) -> Fraction:
        """The loss for each unit that is bet in all."""
        return self.house_edge / (1 + self.plays)

    def tally(self, plays: Bools) -> dict[str, int]:
        """How many deals end in each outcome of the Ante."""
        ends = self.weights[plays] @ self.counts[plays]
        deals = {outcome.id: int(count) for outcome, count in zip(ANTE_OUTCOMES, ends, strict=True)}
        return deals | {ANTE_OUTCOMES[FOLD].id: int(self.weights[~plays].sum()) * self.against}

    @cached_property
    def line(self) -> int:
        """The one line to remember: play from this score on. The best such score."""
        order = np.argsort(self.scores, kind="stable")
        weights, scores = self.weights[order], self.scores[order]
        below = np.concatenate([[0], np.cumsum(weights)])  # hands folded, if all from here on are played
        won = np.concatenate([np.cumsum((weights * self.play[order])[::-1])[::-1], [0]])
        lost = self.fold * self.unit * self.against
        starts = np.unique(scores, return_index=True)[1].tolist()
        return int(scores[max(starts, key=lambda start: int(won[start]) + int(below[start]) * lost)])

    @property
    def by_line(self) -> Bools:
        """The hands that the line plays."""
        return np.asarray(self.scores >= self.line)

    @property
    def line_costs(self) -> Fraction:
        """What it costs to remember no more than the line."""
        return -self.value(self.by_line) - self.house_edge

    def in_words(self) -> str:
        """The line, as a player remembers it."""
        return f"Play {in_ranks(self.line)} or better; fold the rest."


def in_ranks(score: int) -> str:
    """A Duki with all its ranks: for high cards the game's own description names only the first.

    >>> in_ranks(1 << 24 | 7 << 8 | 5 << 4 | 2)
    'a 3-card Duki of 9-7-4'
    """
    kind, category = score >> 24, score >> 16 & 255
    if kind == 0:
        return "any hand"
    if category:
        return f"a {describe(score)}"
    cards = kind + 2
    return f"a {cards}-card Duki of " + "-".join(RANKS[score >> 4 * place & 15] for place in range(cards - 1, -1, -1))


def _whole(numbers: Any) -> Ints:
    return np.asarray(numbers, np.int64)


@dataclass(frozen=True)
class Terms:
    """What the outcomes of the Ante (with its Play bet) and of the Bonus come to, for a unit of each."""

    nets: tuple[Fraction, ...]
    bonus_nets: tuple[Fraction, ...]

    @classmethod
    def of(cls, edition: Edition, settings: Mapping[str, Value]) -> "Terms":
        """As an edition pays."""
        paid = edition.pay
        return cls(
            tuple(paid("ante", o.id, settings).net + paid("play", o.id, settings).net for o in ANTE_OUTCOMES),
            tuple(paid("duki-bonus", o.id, settings).net for o in BONUS_OUTCOMES),
        )


@dataclass(frozen=True)
class Tables:
    """All hands by number: their scores and bonuses, and what is needed to count against them."""

    every: Ints
    scores: Ints
    bonuses: Ints
    classes: Ints
    outcomes: Ints
    runs: Ints
    holding: Ints


def tabulate(encoded: Ints) -> Tables:
    """Look at all hands once."""
    every = _all_hands()
    scores, bonuses = np.zeros(HANDS, np.int64), np.zeros(HANDS, np.int64)
    _look_at(every, encoded, scores, bonuses)
    values, classes = np.unique(scores, return_inverse=True)
    outcomes, runs = np.zeros((len(values), len(values)), np.int64), np.zeros((len(values), RUNS_MOST), np.int64)
    _meet(values, encoded, outcomes, runs)
    holding = np.zeros((53 + CARDS * CARDS, len(values) + 1), np.int64)
    _gather(every, classes, holding)
    return Tables(every, scores, bonuses, classes, outcomes, runs, holding)


def solve_terms(
    tables: Tables, terms: Terms, bonus: Fraction = Fraction(0), seen: int = -1, only: Ints | None = None
) -> Solved:
    """Solve by these tables and pays; perhaps with a card of the dealer's seen, or for some hands only."""
    if only is None:
        left = tables.every[~(tables.every == seen).any(axis=1)]
        hands, weights = _up_to_suits(left, () if seen < 0 else (0,))
    else:
        hands, weights = only, np.ones(len(only), np.int64)
    counts = np.zeros((len(hands), len(ANTE_OUTCOMES)), np.int64)
    _count(hands, tables.classes, tables.holding, tables.outcomes, tables.runs, seen, counts)
    places = numbers_of(hands)
    return Solved(
        hands=hands,
        weights=weights,
        scores=tables.scores[places],
        bonuses=tables.bonuses[places],
        counts=counts,
        against=AGAINST if seen < 0 else comb(CARDS - HAND - 1, HAND - 1),
        nets=terms.nets,
        bonus=bonus,
        bonus_nets=terms.bonus_nets,
    )


def solve(edition: Edition, settings: Mapping[str, Value], bonus: Fraction = Fraction(0)) -> Solved:
    """Solve Duki under these settings, for a player whose Bonus is `bonus` times the Ante."""
    return solve_terms(tabulate(edition.game.encode(settings)), Terms.of(edition, settings), bonus)


def value_of_hand(edition: Edition, settings: Mapping[str, Value], cards: tuple[int, ...], seen: int = -1) -> Fraction:
    """What playing this hand is worth, perhaps with a card of the dealer's seen."""
    tables, terms = tabulate(edition.game.encode(settings)), Terms.of(edition, settings)
    solved = solve_terms(tables, terms, seen=seen, only=np.array([sorted(cards)]))
    return solved.value_of_play(0)


def score_of(edition: Edition, settings: Mapping[str, Value], cards: tuple[int, ...]) -> int:
    """The score of a hand."""
    return int(duki_score(np.array(cards, np.int64), 0, edition.game.encode(settings)))


def edge_with_a_card_seen(
    edition: Edition, settings: Mapping[str, Value], progress: Progress | None = None, bonus: Fraction = Fraction(0)
) -> Fraction:
    """The house edge against a player who sees one card of the dealer's. Its suit makes no difference, its rank does."""
    tables, terms, value = tabulate(edition.game.encode(settings)), Terms.of(edition, settings), Fraction(0)
    for rank in range(CARDS // 4):
        solved = solve_terms(tables, terms, bonus, 4 * rank)
        value += solved.value(solved.choice)
        if progress:
            progress(rank + 1, CARDS // 4)
    return -value / (CARDS // 4)


def numbers_of(hands: Ints) -> Ints:
    """The number of every hand among all of them."""
    a, b, c, d = (-np.sort(-hands, axis=1)).T
    return _whole(a * (a - 1) * (a - 2) * (a - 3) // 24 + b * (b - 1) * (b - 2) // 6 + c * (c - 1) // 2 + d)
