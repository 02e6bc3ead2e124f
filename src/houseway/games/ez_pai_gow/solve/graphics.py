"""The planes of bits on a graphics processor: every deal of EZ Pai Gow's base wager is met, none is counted by a formula.

Each thread has a hand of the player's; a block of threads reads a tile of all planes into shared memory, and each lays the
seven planes of its hand over each other. The player's hands stand in the order of how they are set, so that a block mostly
agrees on which tiles its hands win, lose, or need not look at.
"""

import numpy as np

from houseway.kernels.compiled import Ints
from houseway.kernels.count import Progress
from houseway.kernels.graphics import graphics_loop, lanes, to_graphics

from .hands import HAND, SUITS
from .pairs import BACK_BITS, BACK_MASK, FRONT_MASK
from .planes import WORD, Planes

PLANES, TILE, THREADS = 53, 64, 512
"""Planes at most, words of a tile, and threads of a block."""
ROW = TILE + 1
"""A row in shared memory has one word more, so that different planes lie in different banks."""
SHARED = PLANES * ROW
BLOCKS_AT_ONCE = 132 * 32


@graphics_loop
def _meet(planes: Ints, begins: Ints, cards: Ints, fronts: Ints, backs: Ints, first: int, ends: Ints) -> None:
    """For each of the player's hands, how many of the dealer's it beats and how many beat it."""
    tile = lanes.shared.array(SHARED, np.int64)
    thread, hand = lanes.threadIdx.x, first + lanes.blockIdx.x * lanes.blockDim.x + lanes.threadIdx.x
    there = hand < fronts.size
    at = hand if there else 0
    a, b, c, d = cards[at, 0] * ROW, cards[at, 1] * ROW, cards[at, 2] * ROW, cards[at, 3] * ROW
    e, f, g = cards[at, 4] * ROW, cards[at, 5] * ROW, cards[at, 6] * ROW
    win, lose = 0, 0
    for front in range(begins.shape[0]):
        begin, end = begins[front, 0], begins[front, begins.shape[1] - 1]
        split = begins[front, backs[at]]
        is_won = front < fronts[at]
        low, high = (begin, split) if is_won else (split, end)
        for start in range(begin // (WORD * TILE) * TILE, (end + WORD - 1) // WORD, TILE):
            needed = there and low < (start + TILE) * WORD and high > start * WORD
            if lanes.syncthreads_or(np.int32(needed)):
                for place in range(thread, planes.shape[0] * TILE, lanes.blockDim.x):
                    word = start + place % TILE
                    tile[place // TILE * ROW + place % TILE] = planes[place // TILE, word] if word < planes.shape[1] else 0
                lanes.syncthreads()
                free = 0
                if needed and low <= start * WORD and high >= (start + TILE) * WORD:
                    for word in range(TILE):
                        held = tile[a + word] | tile[b + word] | tile[c + word] | tile[d + word]
                        free += WORD - lanes.popc(np.uint64(held | tile[e + word] | tile[f + word] | tile[g + word]))
                elif needed:
                    for word in range(max(low // WORD - start, 0), min((high + WORD - 1) // WORD - start, TILE)):
                        held = tile[a + word] | tile[b + word] | tile[c + word] | tile[d + word]
                        held = held | tile[e + word] | tile[f + word] | tile[g + word]
                        before, after = low - (start + word) * WORD, (start + word + 1) * WORD - high
                        held |= (1 << max(before, 0)) - 1
                        if after > 0:
                            held |= -1 << WORD - after
                        free += WORD - lanes.popc(np.uint64(held))
                if is_won:
                    win += free
                else:
                    lose += free
                lanes.syncthreads()
    if there:
        ends[hand, 0] = win
        ends[hand, 1] = lose


def meet_all(planes: Planes, classes: Ints, player: Ints, progress: Progress | None = None) -> Ints:
    """For each of these hands, set as the values say: how many of the dealer's hands it beats, and how many beat it."""
    words = planes.order.words(player).astype(np.int64)
    order = np.argsort(words & (1 << BACK_BITS + FRONT_MASK.bit_length()) - 1, kind="stable")
    words, fronts = words[order], words[order] >> BACK_BITS & FRONT_MASK
    on_device = [
        to_graphics(array)
        for array in (
            planes.planes,
            planes.begins,
            _cards_of(classes[order], planes.ranks),
            fronts,
            words & BACK_MASK,
        )
    ]
    counted = to_graphics(np.zeros((len(order), 2), np.int64))
    each = BLOCKS_AT_ONCE * THREADS
    for first in range(0, len(order), each):
        blocks = -(-min(each, len(order) - first) // THREADS)
        _meet[blocks, THREADS](*on_device, first, counted)
        if progress:
            lanes.synchronize()
            progress(min(first + each, len(order)), len(order))
    ends = np.zeros((len(order), 2), np.int64)
    ends[order] = counted.copy_to_host()
    return ends


def _cards_of(classes: Ints, ranks: int) -> Ints:
    """The seven planes of one hand of each class."""
    held = [(classes[:, card // ranks] >> card % ranks & 1).astype(bool) for card in range(SUITS * ranks)]
    table = np.stack([*held, classes[:, SUITS].astype(bool)], axis=1)
    return np.nonzero(table)[1].reshape(len(classes), HAND).astype(np.int32)
