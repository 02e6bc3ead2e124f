"""Random numbers of a shoe: Philox keyed by (seed, shoe), so that who deals a shoe never matters.

A *block* is 128 bits: six numbers of 21 bits. Blocks of a shoe are numbered, and every round begins with a new one, so that
threads of a graphics processor stay in step. A number that would be biased is completed from blocks that nobody else reads:
the others stay where they are. `ahead` may hold the first blocks of the shoe, made in one go; it changes no number.

Of 16 bits there would be eight, but with 416 cards one draw of 160 would need more of them: of 32 threads in step one nearly
always did, and all waited for it (4.4e10 rounds a second on one card; so 4.9e10).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import inlined, out_of_line
from houseway.kernels.sample import philox

Words = NDArray[np.uint64]
Int = Any
"""A whole number of 64 bits: Python's where it is interpreted, the machine's where it is compiled."""
BITS, NUMBERS = 21, 6
"""Bits of a number, and numbers in a block."""
ONE, LOWEST = np.uint64(1), np.uint64((1 << BITS) - 1)
"""The bits of a number, of a word that begins with it."""
MOST_SPAN = 1 << 15
"""A number is drawn below at most this."""
MORE = 1 << 40
"""Blocks from here on hold the further bits of numbers that need them."""


class Stream(NamedTuple):
    """The numbers of a shoe, from where they are: what is left of a block, and which block comes next."""

    word: np.uint64
    spare: np.uint64
    ready: Int
    block: Int
    shoe: Int
    seed: Int


@out_of_line
def one_block(block: Int, shoe: Int, seed: Int) -> tuple[np.uint64, np.uint64]:
    """A block by itself."""
    return philox(block, shoe, seed)


@inlined
def opened(seed: Int, shoe: Int) -> Stream:
    """The numbers of a shoe from the beginning."""
    return Stream(np.uint64(0), np.uint64(0), np.int64(0), np.int64(0), np.int64(shoe), np.int64(seed))


@inlined
def next_block(stream: Stream, ahead: Words) -> Stream:
    """Leave what is left of a block, and begin the next."""
    place = 2 * stream.block
    if place + 1 < ahead.size:
        word, spare = ahead[np.uint64(place)], ahead[np.uint64(place + 1)]
    else:
        word, spare = one_block(stream.block, stream.shoe, stream.seed)
    return Stream(word, spare, np.int64(NUMBERS), stream.block + 1, stream.shoe, stream.seed)


@inlined
def number_below(stream: Stream, ahead: Words, span: Int) -> tuple[np.uint64, Stream]:
    """A number from 0 up to, not with, `span`: a fraction of 64 random bits times the span.

    Its first 21 bits nearly always say it all; the other 43 are drawn only where they decide. So every number is as likely as
    the others to within one in 2^64 of all that can be drawn.
    """
    if stream.ready == 0:
        stream = next_block(stream, ahead)
    wide = np.uint64(span)
    product = (stream.word & LOWEST) * wide
    if (product & LOWEST) + wide > LOWEST + ONE:
        more, _ = one_block(MORE + stream.block * NUMBERS + stream.ready, stream.shoe, stream.seed)
        product += (more >> np.uint64(BITS)) * wide >> np.uint64(64 - BITS)
    word = stream.spare if stream.ready == NUMBERS // 2 + 1 else stream.word >> np.uint64(BITS)
    after = Stream(word, stream.spare, stream.ready - 1, stream.block, stream.shoe, stream.seed)
    return product >> np.uint64(BITS), after


@out_of_line
def fill_ahead(ahead: Words, seed: Int, shoe: Int) -> None:
    """The first blocks of a shoe, as many as there is room for: in a loop that the compiler turns into one of vectors."""
    for block in range(ahead.size // 2):
        word, spare = philox(block, shoe, seed)
        ahead[2 * block] = word
        ahead[2 * block + 1] = spare
