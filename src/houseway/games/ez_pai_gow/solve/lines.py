"""EZ Pai Gow in a few lines: a strategy that a person can remember, found by the program, and its exact cost.

Hands are told apart by what they hold (no pair, a pair, ..., with or without a straight or flush). In each kind the strongest
front is taken that leaves at least so much behind; how much is what costs least. With two pairs the question is when to keep
both behind: up to which pair, with how high a front.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product

import numpy as np

from houseway.cards import RANKS
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, WORD_ROW, Ints, helper, loop
from houseway.solve.sharing import share

from ..ranking import FLUSH, FULL_HOUSE, PAIR, STRAIGHT, STRAIGHT_FLUSH, THREE, TWO_PAIR
from .best import Valued
from .hands import SUITS, Hands, Words

KINDS = 5 * 4 * 4 * 2
TWO_PAIRS = (2 * 2, 2 * 2 + 1)
"""Two pairs without and with a straight or flush."""
LINES_MOST = 4
"""So many different things are kept behind at least."""
KEPT_MOST = 2
"""So many cases in which two pairs are kept behind."""
LEAST_BEHIND = (
    ("anything", 0),
    ("a pair", PAIR << 20),
    *((f"a pair of {RANKS[rank]}s", PAIR << 20 | (rank + 1) << 16) for rank in range(1, 13)),
    ("two pairs", TWO_PAIR << 20),
    ("three of a kind", THREE << 20),
    ("a straight or better", STRAIGHT << 20),
    ("a full house or better", FULL_HOUSE << 20),
)
_LEAST = np.array([value for _, value in LEAST_BEHIND])


@helper
def _kind_of(row: Ints, ranks: int, has_run_or_flush: bool) -> int:
    """The kind of a hand: how many threes, fours or fives, how many pairs, and whether it makes a straight or flush."""
    pairs, threes, fours = 0, 0, 0
    for rank in range(ranks):
        times = row[SUITS] if rank == ranks - 1 else 0  # the joker groups as an ace
        for suit in range(SUITS):
            times += row[suit] >> rank & 1
        pairs += times == 2
        threes += times == 3
        fours += times // 4 * (times - 3)  # five count as two fours
    return ((fours * 4 + threes) * 4 + pairs) * 2 + has_run_or_flush


@helper
def _strongest_front(fronts: Ints, backs: Ints, first: int, last: int, least: int) -> int:
    """The set with the strongest front that leaves at least so much behind; if there is none, with the strongest back."""
    chosen = -1
    for place in range(first, last):
        if backs[place] >= least and (chosen < 0 or fronts[place] > fronts[chosen]):
            chosen = place
    if chosen < 0:
        chosen = first
        for place in range(first, last):
            if backs[place] > backs[chosen]:
                chosen = place
    return chosen


@helper
def _case_of_two_pairs(fronts: Ints, backs: Ints, first: int, last: int) -> int:
    """With two pairs kept behind: 13 times the rank of the higher one, and the highest rank in front; -1 if it cannot be."""
    kept = _strongest_front(fronts, backs, first, last, TWO_PAIR << 20)
    if backs[kept] >> 20 != TWO_PAIR:
        return -1
    pair, front = int(backs[kept] >> 16 & 15), int(fronts[kept] >> 16 & 15)
    return (pair - 1) * 13 + front - 1


@loop((INT_TABLE, INT, INT_ROW, WORD_ROW, INT_ROW, INT, INT))
def _tell_kinds(classes: Ints, ranks: int, backs: Ints, starts: Words, kinds: Ints, first: int, last: int) -> None:
    for at in range(first, last):
        has_run_or_flush = False
        for place in range(starts[at], starts[at + 1]):
            category = backs[place] >> 20
            has_run_or_flush = has_run_or_flush or category == STRAIGHT or category == FLUSH or category == STRAIGHT_FLUSH  # noqa: PLR1714
        kinds[at] = _kind_of(classes[at], ranks, has_run_or_flush)


@loop((INT_ROW, INT_ROW, INT_ROW, INT_ROW, WORD_ROW, INT_ROW, INT_ROW, INT_TABLE, INT_TABLE))
def _weigh(
    kinds: Ints, weights: Ints, fronts: Ints, backs: Ints, starts: Words, gained: Ints, least: Ints, totals: Ints, cases: Ints
) -> None:
    """What each kind gains with each least back; and two pairs kept behind, by case, over the same with each least back.

    `cases` has a row for each case, a column for each least back, and a last one for keeping both pairs.
    """
    for at in range(kinds.size):
        first, last = starts[at], starts[at + 1]
        case = -1
        if kinds[at] // 2 == TWO_PAIRS[0] // 2:
            case = _case_of_two_pairs(fronts, backs, first, last)
            if case >= 0:
                kept = _strongest_front(fronts, backs, first, last, TWO_PAIR << 20)
                cases[case, least.size] += gained[kept] * weights[at]
        for bound in range(least.size):
            chosen = _strongest_front(fronts, backs, first, last, least[bound])
            totals[kinds[at], bound] += gained[chosen] * weights[at]
            if case >= 0:
                cases[case, bound] += gained[chosen] * weights[at]


@loop((INT_ROW, INT_ROW, INT_ROW, WORD_ROW, INT_ROW, INT_ROW, INT_ROW))
def _play(kinds: Ints, fronts: Ints, backs: Ints, starts: Words, least: Ints, kept: Ints, chosen: Ints) -> None:
    """The set that the lines choose for each class."""
    for at in range(kinds.size):
        first, last = starts[at], starts[at + 1]
        bound = least[kinds[at]]
        if kinds[at] // 2 == TWO_PAIRS[0] // 2:
            case = _case_of_two_pairs(fronts, backs, first, last)
            if case >= 0 and kept[case]:
                bound = TWO_PAIR << 20
        chosen[at] = _strongest_front(fronts, backs, first, last, bound)


@dataclass(frozen=True)
class Lines:
    """The strategy: for each kind how much stays behind at least, and when two pairs do."""

    least: dict[int, int]
    kept: tuple[tuple[int, int], ...]
    chosen: Ints
    cost: Fraction

    def in_words(self) -> list[str]:
        """The lines, as a player remembers them."""
        kinds: dict[int, list[str]] = {}
        for kind, least in self.least.items():
            kinds.setdefault(least, []).append(name_of(kind))
        *named, other = sorted(kinds, key=lambda least: len(kinds[least]))
        lines = [f"- {LEAST_BEHIND[least][0]}, if you hold {' or '.join(kinds[least])};" for least in sorted(named)]
        cases = " or ".join(f"up to {RANKS[pair]}s with {_or_better(front)} in front" for pair, front in self.kept)
        return [
            "Put the strongest two cards in front that leave at least this behind:",
            *lines,
            f"- {LEAST_BEHIND[other][0]} with any other hand.",
            f"But two pairs stay together behind {cases}.",
        ]


def _or_better(rank: int) -> str:
    return "an ace" if rank == 12 else f"a {RANKS[rank]} or better"


def name_of(kind: int) -> str:
    """What a kind of hand holds."""
    rest, has_run_or_flush = divmod(kind, 2)
    rest, pairs = divmod(rest, 4)
    fours, threes = divmod(rest, 4)
    parts = [["", "four of a kind", "five aces"][fours], ["", "three of a kind", "two threes"][threes]]
    parts += [["", "a pair", "two pairs", "three pairs"][pairs]]
    name = " and ".join(part for part in parts if part)
    if has_run_or_flush:
        return f"a straight or flush {f'with {name}' if name else 'without a pair'}"
    return name or "no pair"


def find_lines(hands: Hands, valued: Valued) -> Lines:
    """The lines that cost least."""
    sets, weights = valued.sets, np.ascontiguousarray(hands.classes[:, 5])
    kinds = np.zeros(len(weights), np.int64)
    share(len(kinds), partial(_tell_kinds, hands.classes, len(hands.deck.ranks), sets.backs, sets.starts, kinds))
    totals, cases = np.zeros((KINDS, len(_LEAST)), np.int64), np.zeros((13 * 13, len(_LEAST) + 1), np.int64)
    _weigh(kinds, weights, sets.fronts, sets.backs, sets.starts, valued.gained, _LEAST, totals, cases)
    least = _least_behind(totals, np.unique(kinds))
    otherwise = next(least[kind] for kind in TWO_PAIRS if kind in least)
    kept = _when_to_keep(cases[:, -1] - cases[:, otherwise])
    bounds, chosen = np.zeros(KINDS, np.int64), np.zeros(len(kinds), np.int64)
    bounds[list(least)] = _LEAST[list(least.values())]
    _play(kinds, sets.fronts, sets.backs, sets.starts, bounds, _kept_cases(kept).astype(np.int64), chosen)
    lost = int(((valued.gained[valued.best()] - valued.gained[chosen]) * weights).sum())
    return Lines(least, kept, chosen, Fraction(lost, hands.deck.deals))


def _least_behind(totals: Ints, kinds: Ints) -> dict[int, int]:
    """What to keep behind with each kind: the few different things that together gain most; two pairs are one kind."""
    rows = totals[kinds]
    two = np.isin(kinds, TWO_PAIRS)
    rows[two] = rows[two].sum(axis=0)
    few = max(combinations(range(len(_LEAST)), LINES_MOST), key=lambda few: int(rows[:, few].max(axis=1).sum()))
    return {int(kind): few[int(np.argmax(row[list(few)]))] for kind, row in zip(kinds, rows, strict=True)}


def _kept_cases(kept: tuple[tuple[int, int], ...]) -> Ints:
    """Which cases are within these bounds: a higher pair of at most so much, and a front of at least so much."""
    pair, front = np.divmod(np.arange(13 * 13), 13)
    return np.asarray(np.any([(pair <= most) & (front >= least) for most, least in kept], axis=0))


def _when_to_keep(gains: Ints) -> tuple[tuple[int, int], ...]:
    """The bounds within which keeping two pairs behind gains most."""

    def bounds() -> Iterator[tuple[tuple[int, int], ...]]:
        for cases in product(product(range(13), range(13)), repeat=KEPT_MOST):
            if list(cases) == sorted(set(cases), reverse=True):
                yield cases

    return max(bounds(), key=lambda cases: int(gains[_kept_cases(cases)].sum()))
