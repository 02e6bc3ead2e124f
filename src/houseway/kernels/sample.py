"""Random deals from a counter-based generator: the same seed and chunk give the same tallies on any machine."""

import numpy as np

from houseway.kernels.compiled import INT, INT_ROW, RULE, Ints, Rule, helper, loop
from houseway.kernels.count import STRANGE, Progress, new_tally, told
from houseway.kernels.deal import Deal

CHUNK = 1 << 18
"""Deals in a chunk; each chunk has its own stream of numbers, keyed by (seed, chunk)."""


@helper
def philox(counter: int, lane: int, key: int) -> tuple[np.uint64, np.uint64]:
    """Philox 4x32-10: 128 random bits, as two 64-bit words, from a 128-bit counter and a 64-bit key."""
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    x0, x1 = np.uint64(counter) & low, np.uint64(counter) >> high
    x2, x3 = np.uint64(lane) & low, np.uint64(lane) >> high
    k0, k1 = np.uint64(key) & low, np.uint64(key) >> high
    for _ in range(10):
        a, b = x0 * np.uint64(0xD2511F53), x2 * np.uint64(0xCD9E8D57)
        x0, x1, x2, x3 = (b >> high) ^ x1 ^ k0, b & low, (a >> high) ^ x3 ^ k1, a & low
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & low, (k1 + np.uint64(0xBB67AE85)) & low
    return (x1 << high) | x0, (x3 << high) | x2


@loop((RULE, INT_ROW, *[INT] * 4, INT_ROW, INT_ROW))
def _sample(rule: Rule, shoe: Ints, drawn: int, seed: int, chunk: int, deals: int, settings: Ints, tally: Ints) -> None:
    """Deal `drawn` cards off the shoe `deals` times; the shoe stays a permutation of itself throughout."""
    tape, counter, ready, spare = np.zeros(drawn, np.int64), 0, 0, np.uint64(0)
    shoe, outcomes = shoe.copy(), tally.size - STRANGE
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    word = np.uint64(0)
    for _ in range(deals):
        for place in range(drawn):
            span = np.uint64(shoe.size - place)
            while True:  # Lemire's bounded number: multiply, and reject the few that would be biased
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
            tape[place] = shoe[place]
        outcome = rule(tape, settings)
        if outcome < 0 or outcome >= outcomes:
            tally[outcomes] = 1
            return
        tally[outcome] += 1


def sample(
    rule: Rule, deal: Deal, settings: Ints, outcomes: int, deals: int, seed: int = 1, progress: Progress | None = None
) -> tuple[int, ...]:
    """How many of `deals` random deals ended in each outcome."""
    shoe = np.repeat(np.array(deal.cards, np.int64), deal.copies)
    tally = new_tally(outcomes)
    for chunk, start in enumerate(range(0, deals, CHUNK)):
        _sample(rule, shoe, sum(deal.groups), seed, chunk, min(CHUNK, deals - start), settings, tally)
        if progress:
            progress(min(start + CHUNK, deals), deals)
    return told(rule, tally)
