"""The game's own rules, asked about everything that can be: the tables that the analyser goes by.

The analyser has no rule of its own. What cards count, what a hand comes to, when the dealer draws, what may be doubled and
split, and who wins is asked of `rules.py` here, once for a table's settings; a rule that is changed there changes the answer.
What the method takes for granted (ten values, a blackjack of two values) is checked, and refused where it is not so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from houseway.cards import RANKS
from houseway.kernels.compiled import Ints, plain
from houseway.refusal import Refused

from .. import rules

ACE, TEN, VALUES = 0, 9, 10
"""A value is a card's points less one; tens are of more than one rank."""
POINTS = 40
"""No hand that is asked about has so many points."""
WIN, PUSH, LOSS = range(3)
Held = tuple[int, ...]
"""A hand as how often each value is held."""
Table = tuple[tuple[int, ...], ...]
"""By points, every ace as one, and by the number of aces."""


def value_of(card: int) -> int:
    """The value of a card."""
    return int(plain(rules.points)(card)) - 1


def hand_of(cards: Sequence[int]) -> Held:
    """Cards as how often each value is held."""
    values = [value_of(card) for card in cards]
    return tuple(values.count(value) for value in range(VALUES))


def points_of(hand: Sequence[int]) -> int:
    """The points, every ace as one."""
    return sum((value + 1) * times for value, times in enumerate(hand))


def total_of(hand: Sequence[int]) -> int:
    """What a hand comes to."""
    return int(plain(rules.best_total)(points_of(hand), hand[ACE]))


def is_soft(hand: Sequence[int]) -> bool:
    """Whether an ace counts eleven."""
    return bool(plain(rules.is_soft)(points_of(hand), hand[ACE]))


def is_natural(hand: Sequence[int]) -> bool:
    """BJ-2: a blackjack."""
    return bool(plain(rules.is_blackjack)(points_of(hand), hand[ACE], sum(hand)))


def two_of(first: int, second: int | None = None) -> Held:
    """Two cards, of one value or of two."""
    return tuple([first, first if second is None else second].count(value) for value in range(VALUES))


def ranks_of(value: int) -> tuple[int, ...]:
    """The ranks of which a card has this value."""
    return tuple(rank for rank in range(len(RANKS)) if value_of(4 * rank) == value)


@dataclass(frozen=True)
class Rulings:
    """The rules under a table's settings, as tables.

    `pairs` says of each value whether two cards of one rank may be split, `splits_tens` whether tens of different ranks may.
    `stops` are the totals that a dealer's hand ends on, from the lowest; after these ends come a bust and a blackjack.
    `results` says by a player's total and the dealer's end whether it wins, pushes or loses; `natural_alone` and
    `natural_both` are the rules' outcomes of a player's blackjack, against none and against another.
    """

    totals: Table
    softs: Table
    draws: Table
    doubles: Table
    pairs: tuple[bool, ...]
    splits_tens: bool
    natural_with: tuple[int, ...]
    highest: int
    stops: tuple[int, ...]
    results: Table
    natural_alone: int
    natural_both: int

    @classmethod
    def of(cls, settings: Ints) -> "Rulings":
        """Ask the rules; `settings` are as rules read them."""
        _check_values()
        totals = _table(rules.best_total)
        draws = _table(lambda points, aces: plain(rules.dealer_draws)(points, aces, settings))
        highest = max(total for total in range(POINTS) if not plain(rules.is_bust)(total))
        naturals = [(up, hole) for up in range(VALUES) for hole in range(VALUES) if is_natural(two_of(up, hole))]
        natural_with = dict(naturals)
        if len(natural_with) != len(naturals):
            raise _not_solved("more than one hole card makes a blackjack")
        (natural, *others) = {total_of(two_of(*both)) for both in naturals} or {highest}
        if others:
            raise _not_solved("blackjacks have different totals")
        stops = _stops(draws, totals, highest)
        results = tuple(
            (*(_against(total, stop) for stop in stops), _against_bust(total, highest), _against(total, natural, True))
            for total in range(highest + 1)
        )
        alone = {int(plain(rules.compare)(natural, True, total, False)) for total in range(POINTS)}
        if len(alone) > 1:
            raise _not_solved("a blackjack does not come to the same against every other hand")
        pairs, splits_tens = _splits(settings)
        return cls(
            totals=totals,
            softs=_table(rules.is_soft),
            draws=draws,
            doubles=_table(lambda points, aces: plain(rules.may_double)(points, aces, settings)),
            pairs=pairs,
            splits_tens=splits_tens,
            natural_with=tuple(natural_with.get(up, -1) for up in range(VALUES)),
            highest=highest,
            stops=stops,
            results=results,
            natural_alone=alone.pop(),
            natural_both=int(plain(rules.compare)(natural, True, natural, True)),
        )

    @property
    def bust(self) -> int:
        """The end of a dealer's hand that is bust."""
        return len(self.stops)

    @property
    def blackjack(self) -> int:
        """The end of a dealer's hand that is a blackjack."""
        return len(self.stops) + 1

    @property
    def ends(self) -> int:
        """How many ends there are."""
        return len(self.stops) + 2

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: what is made of these tables is kept by them."""
        return hash((self.totals, self.softs, self.draws, self.doubles, self.pairs, self.splits_tens, self.results))

    @cached_property
    def naturals(self) -> frozenset[Held]:
        """BJ-2: the hands that are a blackjack, asked of the rules once."""
        return frozenset(two_of(up, hole) for up, hole in enumerate(self.natural_with) if hole >= 0)

    @cached_property
    def result(self) -> Ints:
        """The results as an array."""
        return np.array(self.results)

    def total(self, hand: Sequence[int]) -> int:
        """What a hand comes to."""
        return self.totals[points_of(hand)][hand[ACE]]

    def is_soft(self, hand: Sequence[int]) -> bool:
        """Whether an ace counts eleven."""
        return bool(self.softs[points_of(hand)][hand[ACE]])

    def is_bust(self, hand: Sequence[int]) -> bool:
        """Whether a hand has lost by its total."""
        return self.total(hand) > self.highest

    def plays_on(self, hand: Sequence[int]) -> bool:
        """Whether a hand may take another card: the highest total is not asked."""
        return bool(plain(rules.plays_on)(self.total(hand)))

    def may_double(self, hand: Sequence[int]) -> bool:
        """BJ-4: whether two cards may be doubled."""
        return sum(hand) == 2 and bool(self.doubles[points_of(hand)][hand[ACE]])

    def dealer_draws(self, hand: Sequence[int]) -> bool:
        """BJ-3: whether the dealer takes another card."""
        return bool(self.draws[points_of(hand)][hand[ACE]])

    def end_of(self, hand: Sequence[int]) -> int:
        """How a dealer's complete hand ends."""
        if tuple(hand) in self.naturals:
            return self.blackjack
        return self.bust if self.is_bust(hand) else self.stops.index(self.total(hand))


def _table(rule: Callable[[int, int], int]) -> Table:
    asked = plain(rule)
    return tuple(tuple(int(asked(points, aces)) for aces in range(points + 1)) for points in range(POINTS))


def _not_solved(why: str) -> Refused:
    return Refused("not-solved", f"blackjack is not solved by these rules: {why}")


def _check_values() -> None:
    """Ten values, of which only aces count 1 or 11, and only tens are of more than one rank."""
    for card in range(4 * len(RANKS)):
        if not 0 <= value_of(card) < VALUES or bool(plain(rules.is_ace)(card)) != (value_of(card) == ACE):
            raise _not_solved("cards count other than 1 (aces) to 10")
    if any(len(ranks_of(value)) != 1 for value in range(VALUES) if value != TEN):
        raise _not_solved("cards other than tens are of one value and different ranks")


def _splits(settings: Ints) -> tuple[tuple[bool, ...], bool]:
    """BJ-5: which pairs may be split."""
    allowed = {
        (first, second): bool(plain(rules.may_split)(4 * first, 4 * second, settings))
        for first in range(len(RANKS))
        for second in range(len(RANKS))
    }
    pairs = [{allowed[rank, rank] for rank in ranks_of(value)} for value in range(VALUES)]
    tens = {allowed[a, b] for a in ranks_of(TEN) for b in ranks_of(TEN) if a != b}
    others = {may for (a, b), may in allowed.items() if value_of(4 * a) != value_of(4 * b)}
    if any(len(kinds) != 1 for kinds in (*pairs, tens)) or others != {False} or tens > pairs[TEN]:
        raise _not_solved("pairs are split neither by value nor by rank")
    return tuple(kinds.pop() for kinds in pairs), tens.pop()


def _stops(draws: Table, totals: Table, highest: int) -> tuple[int, ...]:
    """The totals on which a dealer's hand of two cards and more can end."""
    hands = {(a + b + 2, (a == ACE) + (b == ACE)) for a in range(VALUES) for b in range(VALUES)}
    stops: set[int] = set()
    while hands:
        drawing = {(points, aces) for points, aces in hands if draws[points][aces]}
        stops |= {totals[points][aces] for points, aces in hands - drawing}
        if any(totals[points][aces] > highest for points, aces in drawing):
            raise _not_solved("the dealer draws to a hand that is bust")
        hands = {(points + value + 1, aces + (value == ACE)) for points, aces in drawing for value in range(VALUES)}
    return tuple(sorted(total for total in stops if total <= highest))


def _against(total: int, dealer: int, blackjack: bool = False) -> int:
    """What a total that is no blackjack comes to."""
    outcome = int(plain(rules.compare)(total, False, dealer, blackjack))
    return {rules.WIN: WIN, rules.PUSH: PUSH, rules.LOSE: LOSS}[outcome]


def _against_bust(total: int, highest: int) -> int:
    (result, *others) = {_against(total, dealer) for dealer in range(highest + 1, POINTS)}
    if others:
        raise _not_solved("it matters by how much the dealer is bust")
    return result
