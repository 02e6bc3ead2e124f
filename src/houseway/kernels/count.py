"""Exact enumeration: how many deals end in each outcome. All weights are integers.

Ways that give the same numbers:
`count`           every tape of a deal, one by one, with its weight;
`count_by_suits`  hands of one deck up to a renaming of suits, for rules that do not care which suit is which;
`Tabulated`       every tape once, then any composition of the shoe in microseconds.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np

from houseway.cards import JOKER
from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, RULE, Ints, Rule, loop
from houseway.kernels.deal import Deal
from houseway.refusal import Refused

Progress = Callable[[int, int], None]
"""Called with the number of deals counted so far and the number of all."""

_LIMIT = 2**63


STRANGE = 1
"""One place more than there are outcomes: a loop that meets an answer which is none says so there, and ends."""


def new_tally(outcomes: int) -> Ints:
    """Nothing counted yet."""
    return np.zeros(outcomes + STRANGE, np.int64)


def told(rule: Rule, tally: Ints) -> tuple[int, ...]:
    """What was counted; refused if the rule answered with what is no outcome."""
    check_answers(rule, int(tally[-1]), tally.size - STRANGE)
    return tuple(tally[:-1].tolist())


def check_answers(rule: Rule, strange: int, outcomes: int) -> None:
    """Refuse a rule whose answers are not all outcomes: a compiled loop would write where nothing is."""
    if strange:
        name = getattr(rule, "__name__", "a rule")
        raise Refused("bad-rule", f"{name} answers with an outcome that is none: those it has are 0 to {outcomes - 1}")


def _ints(values: object) -> Ints:
    return np.array(values, dtype=np.int64)


@loop((RULE, *[INT_ROW] * 4, INT, INT_ROW))
def _count(rule: Rule, cards: Ints, copies: Ints, groups: Ints, settings: Ints, first: int, tally: Ints) -> None:
    """Tally every tape whose first card is of kind `first`; within a group the kinds never decrease."""
    kinds, size, outcomes = cards.size, groups.sum(), tally.size - STRANGE
    begins_group = np.zeros(size + 1, np.int64)
    begins_group[np.cumsum(groups)] = 1
    begins_group[0] = 1
    left, tape = copies.copy(), np.zeros(size, np.int64)
    chosen, run, weight = np.zeros(size, np.int64), np.ones(size, np.int64), np.ones(size + 1, np.int64)
    place, kind = 0, first
    while True:
        while kind < kinds and left[kind] == 0:
            kind += 1
        if kind == kinds or (place == 0 and kind > first):  # nothing more here: step back and try the next kind
            place -= 1
            if place < 0:
                return
            kind = chosen[place]
            left[kind] += 1
            kind += 1
            continue
        run[place] = 1
        if not begins_group[place] and chosen[place - 1] == kind:
            run[place] = run[place - 1] + 1
        ways = weight[place] * left[kind]  # the k-th copy of a kind in a group: C(n, k) = C(n, k-1) (n-k+1) / k
        if run[place] > 1:
            ways //= run[place]
        tape[place] = cards[kind]
        if place == size - 1:
            outcome = rule(tape, settings)
            if outcome < 0 or outcome >= outcomes:
                tally[outcomes] = 1
                return
            tally[outcome] += ways
            kind += 1
            continue
        chosen[place] = kind
        left[kind] -= 1
        place += 1
        weight[place] = ways
        if begins_group[place]:
            kind = 0


def count(rule: Rule, deal: Deal, settings: Ints, outcomes: int, progress: Progress | None = None) -> tuple[int, ...]:
    """The number of deals that end in each outcome, by straight enumeration."""
    total = deal.total()
    assert total < _LIMIT, "too many deals for 64-bit weights"
    tally = new_tally(outcomes)
    arrays = _ints(deal.cards), _ints(deal.copies), _ints(deal.groups)
    for first in range(len(deal.cards)):
        _count(rule, *arrays, settings, first, tally)
        if progress:
            progress(int(tally.sum()), total)
    counts = told(rule, tally)
    assert sum(counts) == total
    return counts


@loop((RULE, *[INT_TABLE] * 4, INT, INT_ROW, INT_ROW, INT_TABLE))
def _count_pattern(
    rule: Rule, a: Ints, b: Ints, c: Ints, d: Ints, jokers: int, settings: Ints, tally: Ints, held: Ints
) -> None:
    """Tally the hands whose four suits hold a, b, c and d ranks; each row of a..d is one choice of ranks.

    Suits with equally many cards take non-decreasing rows, so that each class of hands is met once; `held[r]` tallies
    every hand once for each card of rank r in it.
    """
    na, nb, nc, nd = a.shape[1], b.shape[1], c.shape[1], d.shape[1]
    size, outcomes = na + nb + nc + nd + jokers, tally.size - STRANGE
    tape = np.zeros(size, np.int64)
    if jokers:
        tape[size - 1] = JOKER
    for i in range(a.shape[0]):
        for x in range(na):
            tape[x] = 4 * a[i, x]
        for j in range(i if na == nb else 0, b.shape[0]):
            for x in range(nb):
                tape[na + x] = 4 * b[j, x] + 1
            run_j = 2 if na == nb and i == j else 1
            for k in range(j if nb == nc else 0, c.shape[0]):
                for x in range(nc):
                    tape[na + nb + x] = 4 * c[k, x] + 2
                run_k = run_j + 1 if nb == nc and j == k else 1
                for m in range(k if nc == nd else 0, d.shape[0]):
                    for x in range(nd):
                        tape[na + nb + nc + x] = 4 * d[m, x] + 3
                    run_m = run_k + 1 if nc == nd and k == m else 1
                    ways = 24 // (run_j * run_k * run_m)  # 4! renamings, less those that leave the hand as it is
                    outcome = rule(tape, settings)
                    if outcome < 0 or outcome >= outcomes:
                        tally[outcomes] = 1
                        return
                    tally[outcome] += ways
                    if held.shape[0]:
                        for x in range(size):
                            held[tape[x] >> 2, outcome] += ways


def _suit_patterns(size: int) -> Iterator[tuple[int, int, int, int]]:
    for a in range(min(size, 13), -1, -1):
        for b in range(min(a, size - a), -1, -1):
            for c in range(min(b, size - a - b), -1, -1):
                d = size - a - b - c
                if d <= c:
                    yield a, b, c, d


def count_by_suits(
    rule: Rule,
    size: int,
    jokers: int,
    settings: Ints,
    outcomes: int,
    progress: Progress | None = None,
    held: Ints | None = None,
) -> tuple[int, ...]:
    """The number of `size`-card hands of one deck (and joker) with each outcome, for a rule blind to suits' names.

    With `held` (14 x outcomes, ranks 2..A then the joker) also how often each rank occurs in hands of each outcome.
    """
    total, tally = comb(52 + jokers, size), new_tally(outcomes)
    ranks = [_ints(list(combinations(range(13), n))).reshape(comb(13, n), n) for n in range(14)]
    by_rank = np.zeros((0, outcomes), np.int64) if held is None else held
    for joker in range(jokers + 1):
        for pattern in _suit_patterns(size - joker):
            _count_pattern(rule, *(ranks[n] for n in pattern), joker, settings, tally, by_rank)
            if progress:
                progress(int(tally.sum()), total)
    counts = told(rule, tally)
    assert sum(counts) == total
    return counts


@loop((RULE, INT_ROW, INT, INT_ROW, INT_ROW))
def _count_with_replacement(rule: Rule, cards: Ints, draws: int, settings: Ints, tally: Ints) -> None:
    tape, outcomes = np.zeros(draws, np.int64), tally.size - STRANGE
    for code in range(cards.size**draws):
        rest = code
        for place in range(draws):
            tape[place] = cards[rest % cards.size]
            rest //= cards.size
        outcome = rule(tape, settings)
        if outcome < 0 or outcome >= outcomes:
            tally[outcomes] = 1
            return
        tally[outcome] += 1


def count_with_replacement(rule: Rule, cards: tuple[int, ...], draws: int, settings: Ints, outcomes: int) -> tuple[int, ...]:
    """The number of ordered draws with each outcome from an endless shoe, in which every card is equally likely."""
    tally = new_tally(outcomes)
    _count_with_replacement(rule, _ints(cards), draws, settings, tally)
    return told(rule, tally)


@loop((RULE, INT_ROW, INT_TABLE, INT_ROW, INT_TABLE))
def _tabulate(rule: Rule, cards: Ints, multisets: Ints, settings: Ints, table: Ints) -> None:
    """Tally, for each multiset of kinds, every order in which its cards can be drawn."""
    draws, outcomes = multisets.shape[1], table.shape[1] - STRANGE
    tape = np.zeros(draws, np.int64)
    for row in range(multisets.shape[0]):
        order = multisets[row].copy()
        while True:
            for place in range(draws):
                tape[place] = cards[order[place]]
            outcome = rule(tape, settings)
            if outcome < 0 or outcome >= outcomes:
                table[row, outcomes] = 1
                return
            table[row, outcome] += 1
            i = draws - 2  # the next order in the dictionary, as long as there is one
            while i >= 0 and order[i] >= order[i + 1]:
                i -= 1
            if i < 0:
                break
            j = draws - 1
            while order[j] <= order[i]:
                j -= 1
            order[i], order[j] = order[j], order[i]
            order[i + 1 :] = order[i + 1 :][::-1].copy()


@loop((INT_TABLE, INT_TABLE, INT_ROW, INT_ROW))
def _evaluate(factors: Ints, table: Ints, falling: Ints, tally: Ints) -> None:
    for row in range(table.shape[0]):
        ways = falling[factors[row, 0]]
        for x in range(1, factors.shape[1]):
            ways *= falling[factors[row, x]]
        for outcome in range(table.shape[1]):
            tally[outcome] += ways * table[row, outcome]


class Tabulated:
    """Ordered draws, tabulated once by multiset of kinds; then the exact counts for any composition of the shoe.

    The number of draws with outcome o is a sum over multisets: (orders of the multiset that end in o) times the
    product of falling factorials n (n-1) ... of the copies of each kind.
    """

    def __init__(self, rule: Rule, cards: tuple[int, ...], draws: int, settings: Ints, outcomes: int) -> None:
        self.kinds, self.draws, self.outcomes = len(cards), draws, outcomes
        multisets = list(combinations_with_replacement(range(self.kinds), draws))
        table = np.zeros((len(multisets), outcomes + STRANGE), np.int64)
        _tabulate(rule, _ints(cards), _ints(multisets), settings, table)
        check_answers(rule, int(table[:, -1].any()), outcomes)
        self._table = np.ascontiguousarray(table[:, :-1])
        self._factors = _ints([self._factor_row(multiset) for multiset in multisets])

    def _factor_row(self, multiset: tuple[int, ...]) -> list[int]:
        """Where the falling factorials of this multiset stand; the last place holds a 1."""
        row = [kind * self.draws + multiset.count(kind) - 1 for kind in dict.fromkeys(multiset)]
        return row + [self.kinds * self.draws] * (self.draws - len(row))

    def count(self, copies: tuple[int, ...]) -> tuple[int, ...]:
        """The number of ordered draws with each outcome from `copies` of each kind."""
        assert prod(range(sum(copies) - self.draws + 1, sum(copies) + 1)) < _LIMIT
        falling = np.ones(self.kinds * self.draws + 1, np.int64)
        place = 0
        for held in copies:
            ways = 1
            for k in range(self.draws):
                ways *= max(held - k, 0)
                falling[place] = ways
                place += 1
        tally = np.zeros(self.outcomes, np.int64)
        _evaluate(self._factors, self._table, falling, tally)
        return tuple(tally.tolist())
