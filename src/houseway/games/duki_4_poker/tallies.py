"""Counting all pairs of disjoint Duki hands, exactly, without meeting each pair.

Pairs of hands that share no card = the alternating sum, over all sets S of cards, of pairs that both hold S. Only the
score of a hand matters, so hands holding S are first gathered by score; S of one to four cards makes short work.
"""

from itertools import combinations

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, INT_TABLE, Ints, loop

from .rules import duki_score, play_or_fold


@loop((INT_TABLE, INT_ROW, INT_ROW))
def score_hands(hands: Ints, settings: Ints, scores: Ints) -> None:
    """The score of every hand."""
    for place in range(hands.shape[0]):
        scores[place] = duki_score(hands[place], 0, settings)


@loop((INT_ROW, INT_ROW, INT, INT_TABLE))
def _add_pairs(sets: Ints, classes: Ints, sign: int, pairs: Ints) -> None:
    """Add the pairs of hands within each run of equal sets; hands are given by the class of their score."""
    times, seen = np.zeros(pairs.shape[0], np.int64), np.zeros(pairs.shape[0], np.int64)
    first = 0
    while first < sets.size:
        stop, distinct = first, 0
        while stop < sets.size and sets[stop] == sets[first]:
            if times[classes[stop]] == 0:
                seen[distinct] = classes[stop]
                distinct += 1
            times[classes[stop]] += 1
            stop += 1
        for x in range(distinct):
            for y in range(distinct):
                pairs[seen[x], seen[y]] += sign * times[seen[x]] * times[seen[y]]
        for x in range(distinct):
            times[seen[x]] = 0
        first = stop


@loop((INT_ROW, INT_TABLE, INT_ROW, INT_ROW))
def _tally(scores: Ints, pairs: Ints, settings: Ints, tally: Ints) -> None:
    for player in range(scores.size):
        for dealer in range(scores.size):
            tally[play_or_fold(scores[player], scores[dealer], settings)] += pairs[player, dealer]


def _set_at(hands: Ints, places: tuple[int, ...]) -> Ints:
    """For every hand, one number for the set of its cards at these places."""
    sets = np.zeros(len(hands), np.int64)
    for place in places:
        sets = sets * 64 + hands[:, place]
    return sets


def tally_pairs(hands: Ints, settings: Ints, outcomes: int) -> tuple[int, ...]:
    """How many pairs of a player's and a dealer's hand, of these hands, end in each outcome."""
    scores = np.zeros(len(hands), np.int64)
    score_hands(hands, settings, scores)
    values, classes = np.unique(scores, return_inverse=True)
    pairs = np.zeros((len(values), len(values)), np.int64)
    for size in range(5):
        held = [_set_at(hands, places) for places in combinations(range(4), size)]
        sets, owners = np.concatenate(held), np.tile(classes, len(held))
        order = np.argsort(sets, kind="stable")
        _add_pairs(sets[order], owners[order], (-1) ** size, pairs)
    tally = np.zeros(outcomes, np.int64)
    _tally(values, pairs, settings, tally)
    return tuple(tally.tolist())
