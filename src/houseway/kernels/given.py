"""Deals of which some cards are known: the same rules on tapes with fixed places, counted or sampled.

A tape has `UNKNOWN` where a card is not known. Such places are filled in groups: within one the rule does not mind the order.
"""

from math import comb, prod

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, RULE, Ints, Rule, loop
from houseway.kernels.count import STRANGE, new_tally, told
from houseway.kernels.deal import Deal
from houseway.kernels.sample import CHUNK, philox

UNKNOWN = -1
_LIMIT = 2**63


def tapes(deal: Deal) -> int:
    """How often a rule is asked at most where such a deal is counted."""
    left, asked = sum(deal.copies), []
    for size in deal.groups:
        asked.append(min(comb(left, size), comb(len(deal.cards) + size - 1, size)))
        left -= size
    return prod(asked)


@loop((RULE, *[INT_ROW] * 7))
def _count_given(
    rule: Rule, known: Ints, places: Ints, begins_group: Ints, cards: Ints, copies: Ints, settings: Ints, tally: Ints
) -> None:
    """Tally every way to fill the unknown places; within a group the kinds never decrease, as in `count`."""
    kinds, size, outcomes = cards.size, places.size, tally.size - STRANGE
    left, tape = copies.copy(), known.copy()
    chosen, run, weight = np.zeros(size, np.int64), np.ones(size, np.int64), np.ones(size + 1, np.int64)
    place, kind = 0, 0
    while True:
        while kind < kinds and left[kind] == 0:
            kind += 1
        if kind == kinds:  # nothing more here: step back and try the next kind
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
        ways = weight[place] * left[kind]
        if run[place] > 1:
            ways //= run[place]
        tape[places[place]] = cards[kind]
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


@loop((RULE, *[INT_ROW] * 3, *[INT] * 3, INT_ROW, INT_ROW))
def _sample_given(
    rule: Rule, known: Ints, places: Ints, shoe: Ints, seed: int, chunk: int, deals: int, settings: Ints, tally: Ints
) -> None:
    """Fill the unknown places from the shoe `deals` times, as `sample` does."""
    tape, counter, ready, spare = known.copy(), 0, 0, np.uint64(0)
    shoe, outcomes = shoe.copy(), tally.size - STRANGE
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    word = np.uint64(0)
    for _ in range(deals):
        for place in range(places.size):
            span = np.uint64(shoe.size - place)
            while True:
                if ready == 0:
                    word, spare = philox(counter, chunk, seed)
                    counter += 1
                    ready = 4
                if ready == 2:
                    word = spare
                product = (word & low) * span
                word >>= half
                ready -= 1
                if (product & low) >= span or (product & low) >= np.uint64(0x100000000) % span:
                    break
            other = place + np.int64(product >> half)
            shoe[place], shoe[other] = shoe[other], shoe[place]
            tape[places[place]] = shoe[place]
        outcome = rule(tape, settings)
        if outcome < 0 or outcome >= outcomes:
            tally[outcomes] = 1
            return
        tally[outcome] += 1


def _places(known: Ints, deal: Deal) -> Ints:
    places = np.flatnonzero(known == UNKNOWN).astype(np.int64)
    assert places.size == sum(deal.groups), "groups of other sizes than there are unknown places"
    return places


def count_given(rule: Rule, known: Ints, deal: Deal, settings: Ints, outcomes: int) -> tuple[int, ...]:
    """In how many ways the unknown places of a tape can be filled for each outcome; with none unknown, one."""
    places, tally = _places(known, deal), new_tally(outcomes)
    if not places.size:
        answer = int(rule(known, settings))
        tally[answer if 0 <= answer < outcomes else outcomes] = 1
        return told(rule, tally)
    total = deal.total()
    assert total < _LIMIT, "too many deals for 64-bit weights"
    begins_group = np.zeros(places.size + 1, np.int64)
    begins_group[[0, *np.cumsum(deal.groups)]] = 1
    cards, copies = np.array(deal.cards, np.int64), np.array(deal.copies, np.int64)
    _count_given(rule, known, places, begins_group, cards, copies, settings, tally)
    counts = told(rule, tally)
    assert sum(counts) == total
    return counts


def sample_given(rule: Rule, known: Ints, deal: Deal, settings: Ints, outcomes: int, deals: int, seed: int) -> tuple[int, ...]:
    """How many of so many random ways to fill the unknown places end in each outcome."""
    places, tally = _places(known, deal), new_tally(outcomes)
    shoe = np.repeat(np.array(deal.cards, np.int64), deal.copies)
    for chunk, start in enumerate(range(0, deals, CHUNK)):
        _sample_given(rule, known, places, shoe, seed, chunk, min(CHUNK, deals - start), settings, tally)
    return told(rule, tally)
