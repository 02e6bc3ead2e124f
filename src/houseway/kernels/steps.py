"""Rounds in steps of one card: a game's round cut up so that threads in step with each other need not wait for long rounds.

A graphics processor runs 32 threads in step. Where each plays a round from its beginning to its end, all wait for the longest,
card by card. Here a turn has two parts: threads without a round begin one, in step, with all that every round begins with; then
all whose rounds go on take a few more cards. Whoever is not done goes on in the next turn while the others begin anew.

A game gives its round as `StepRules`, and the loop is a template that these are put into. Numbers, shoes and cards are the very
ones of `rounds`, so that tallies are equal to the last integer; only words are half as wide, for that is what such a processor
reckons with.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.kernels.compiled import Ints, inlined, out_of_line
from houseway.kernels.rounds import Conventions
from houseway.kernels.sample import philox
from houseway.kernels.shoes import class_at
from houseway.kernels.stream import BITS, MORE, NUMBERS, Int

U = np.uint32
Bytes = NDArray[np.uint8]
Columns = NDArray[np.uint32]
"""Tables of a step; and words of threads, a column for each."""
WORD, NUMBER_ROWS = NUMBERS // 2, 2 * NUMBERS - NUMBERS // 2 + 1
"""Numbers of a word; and rows for those of two blocks but its first word, with one more that is read ahead and never used."""
CARDS_A_TURN = 3
"""Cards that a round which goes on takes in a turn: with 2, 3 and 4 of them 2.19, 2.21 and 2.14e10 rounds a second on one."""
MOST_ROUNDS = 1 << 31
_LOWEST, _LAST = U((1 << BITS) - 1), U(1 << BITS)


@dataclass(frozen=True)
class StepRules:
    """A game's round in steps, compiled functions all.

    `open_table(tables)` reads once what steps ask for all the time. `begin_round(shoe, near, known) -> (state,
    shoe)` deals and decides what every round begins with; `next_card(state, card, near, known) -> state` gives a card to a
    round that goes on (`state.goes_on` is 1); `cell_of(state, near, known, tables)` is the cell of a round that is over;
    `no_round()` is any state that does not go on.
    """

    open_table: Callable[..., Any]
    no_round: Callable[..., Any]
    begin_round: Callable[..., Any]
    next_card: Callable[..., Any]
    cell_of: Callable[..., Any]


@dataclass(frozen=True)
class InSteps:
    """A table whose rounds, of one seat, are played in steps: its rules, the bytes that steps read, a fresh deck in words.

    No round takes more than so many `cards`: where the shoe may have fewer, it is not played in steps.
    """

    rules: StepRules
    quick: Bytes
    deck: Columns
    cards: int


class Near(NamedTuple):
    """What lies close to a thread: bytes that every step reads; and in its column, `lane`, its deck and its next numbers."""

    quick: Bytes
    deck: Columns
    numbers: Columns
    lane: np.uint32


class StepShoe(NamedTuple):
    """A shoe of classes as `shoes.ClassShoe`. Its numbers come from two blocks at a time, of which `block` is the second.

    `number` is the next of them, with further bits above, and `place` its place among the twelve. The first three are one
    `word`, of use where a round begins; those after them lie in the thread's column.
    """

    low: np.uint64
    high: np.uint64
    left: np.uint32
    word: np.uint64
    number: np.uint32
    place: np.uint32
    block: np.uint32
    shoe: Int
    seed: Int


@inlined
def short_philox(block: np.uint32, lane: Int, key: Int) -> tuple[np.uint64, np.uint64]:
    """`sample.philox` for a counter of 32 bits, in words of 32 bits."""
    x0, x1, x2, x3 = block, U(0), U(lane), U(np.uint64(lane) >> np.uint64(32))
    k0, k1 = U(key), U(np.uint64(key) >> np.uint64(32))
    for _ in range(10):
        a, b = np.uint64(x0) * np.uint64(0xD2511F53), np.uint64(x2) * np.uint64(0xCD9E8D57)
        x0, x1 = U(U(b >> np.uint64(32)) ^ x1 ^ k0), U(b)
        x2, x3 = U(U(a >> np.uint64(32)) ^ x3 ^ k1), U(a)
        k0, k1 = U(k0 + U(0x9E3779B9)), U(k1 + U(0xBB67AE85))
    return np.uint64(x1) << np.uint64(32) | np.uint64(x0), np.uint64(x3) << np.uint64(32) | np.uint64(x2)


def _far_block(block: Int, shoe: Int, seed: Int) -> tuple[np.uint64, np.uint64]:
    """A block by itself, where one is seldom needed."""
    return philox(block, shoe, seed)


_far = out_of_line(_far_block, everywhere=True)


@inlined
def far_block(block: Int, shoe: Int, seed: Int) -> tuple[np.uint64, np.uint64]:
    """The same, with the room for what it returns made here: cleared where it is called, not wherever it might be."""
    return _far(block, shoe, seed)


@inlined
def blocks_used(shoe: StepShoe) -> np.uint32:
    """How many blocks of its numbers a shoe has begun."""
    return U(shoe.block + (U(1) if shoe.place > U(NUMBERS) else U(0)))


@inlined
def lay_out(word: np.uint64, near: Near, row: np.uint32) -> None:
    """Put the three numbers of a word into the thread's column."""
    near.numbers[row, near.lane] = U(word)
    near.numbers[U(row + U(1)), near.lane] = U(word >> np.uint64(BITS))
    near.numbers[U(row + U(2)), near.lane] = U(word >> np.uint64(2 * BITS))


@inlined
def with_blocks(shoe: StepShoe, block: np.uint32, near: Near) -> StepShoe:
    """The shoe with new numbers: this block and the next."""
    word, second = short_philox(block, shoe.shoe, shoe.seed)
    third, fourth = short_philox(U(block + U(1)), shoe.shoe, shoe.seed)
    lay_out(second, near, U(0))
    lay_out(third, near, U(WORD))
    lay_out(fourth, near, U(2 * WORD))
    return StepShoe(shoe.low, shoe.high, shoe.left, word, U(word), U(0), U(block + U(1)), shoe.shoe, shoe.seed)


@inlined
def take_number(shoe: StepShoe, near: Near, span: np.uint32) -> tuple[np.uint32, np.uint32, np.uint32]:
    """`stream.number_below`: a number from 0 up to, not with, `span`; its place among the twelve, and the block."""
    product, place, block = U(U(shoe.number & _LOWEST) * span), shoe.place, shoe.block
    if U(U(product & _LOWEST) + span) > _LAST or place == U(2 * NUMBERS):
        if place == U(2 * NUMBERS):
            block, place = U(block + U(1)), U(NUMBERS)
            third, fourth = far_block(np.int64(block), shoe.shoe, shoe.seed)
            lay_out(third, near, U(WORD))
            lay_out(fourth, near, U(2 * WORD))
            product = U((U(third) & _LOWEST) * span)
        if U(U(product & _LOWEST) + span) > _LAST:
            which = np.int64(MORE) + np.int64(block) * NUMBERS + np.int64(NUMBERS) - np.int64(place)
            if place >= U(NUMBERS):
                which += 2 * NUMBERS
            more, _ = far_block(which, shoe.shoe, shoe.seed)
            product = U(product + U((more >> np.uint64(BITS)) * np.uint64(span) >> np.uint64(64 - BITS)))
    return U(product >> U(BITS)), place, block


@inlined
def step_number(shoe: StepShoe, near: Near, span: np.uint32) -> tuple[np.uint32, StepShoe]:
    """A number from 0 up to, not with, `span`, and the shoe with the next one."""
    value, place, block = take_number(shoe, near, span)
    number = U(near.numbers[U(place - U(WORD - 1)), near.lane])
    return value, StepShoe(shoe.low, shoe.high, shoe.left, shoe.word, number, U(place + U(1)), block, shoe.shoe, shoe.seed)


@inlined
def without_card(shoe: StepShoe, place: np.uint32) -> tuple[np.uint32, StepShoe]:
    """The class of the card at a place, and the shoe without it."""
    kind, low, high = class_at(shoe.low, shoe.high, np.uint64(place))
    left = U(shoe.left - U(1))
    return U(kind), StepShoe(
        shoe.low - low, shoe.high - high, left, shoe.word, shoe.number, shoe.place, shoe.block, shoe.shoe, shoe.seed
    )


@inlined
def step_card(shoe: StepShoe, near: Near) -> tuple[np.uint32, StepShoe]:
    """`shoes.draw`: the class of the next card, and the shoe without it."""
    place, after = step_number(shoe, near, shoe.left)
    return without_card(after, place)


@inlined
def _early_card(shoe: StepShoe, near: Near, number: np.uint32) -> tuple[np.uint32, StepShoe]:
    """One of the first three cards of a round; `number` is the next number."""
    value, place, block = take_number(shoe, near, shoe.left)
    return without_card(
        StepShoe(shoe.low, shoe.high, shoe.left, shoe.word, number, U(place + U(1)), block, shoe.shoe, shoe.seed), value
    )


@inlined
def three_cards(shoe: StepShoe, near: Near) -> tuple[np.uint32, np.uint32, np.uint32, StepShoe]:
    """The first three cards of a round, for which the numbers are at hand."""
    first, shoe = _early_card(shoe, near, U(shoe.word >> np.uint64(BITS)))
    second, shoe = _early_card(shoe, near, U(shoe.word >> np.uint64(2 * BITS)))
    third, shoe = _early_card(shoe, near, U(near.numbers[U(0), near.lane]))
    return first, second, third, shoe


@inlined
def burned(shoe: StepShoe, near: Near, cards: np.uint32, burn_more: Ints) -> StepShoe:
    """`rounds.burn_template`: burn cards and, where that is the custom, as many more as the last of them is worth."""
    is_turned = False
    while cards > U(0):
        value, place, block = take_number(shoe, near, shoe.left)
        place = U(place + U(1))
        if place < U(WORD):
            number = U(shoe.word >> np.uint64(U(place * U(BITS))))
        else:
            number = U(near.numbers[U(place - U(WORD)), near.lane])
        after = StepShoe(shoe.low, shoe.high, shoe.left, shoe.word, number, place, block, shoe.shoe, shoe.seed)
        card, shoe = without_card(after, value)
        cards = U(cards - U(1))
        if cards == U(0) and not is_turned:
            cards, is_turned = U(burn_more[card]), True
    return shoe


# What a template's names mean until they are filled in: nothing is called by them.
open_table: Any = None
no_round: Any = None
begin_round: Any = None
next_card: Any = None
cell_of: Any = None
DECK = 1
add_one: Any = None
count_cell: Any = None


def steps_template(
    first: int,
    last: int,
    stride: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_words: Columns,
    burn_more: Ints,
    near: Near,
    tables: Any,
    tally: Any,
    rounds_of_shoes: Ints,
    blocks: Ints,
) -> None:
    """Deal every `stride`th unit, each one shoe, from `first` on and before `last`."""
    known, state = open_table(tables), no_round()
    cut, most, extra = U(conventions.cut), U(min(conventions.most, MOST_ROUNDS)), U(conventions.extra)
    unit, is_over, goes_on = first, True, False
    dealt, over, burn, seed, none = U(0), U(0), U(conventions.burn), np.int64(conventions.seed), np.uint64(0)
    shoe = StepShoe(none, none, U(0), none, U(0), U(0), U(0), np.int64(0), seed)
    while unit < last:
        in_round = True
        if not goes_on:
            block = blocks_used(shoe)
            if is_over:
                is_over, in_round, dealt, over, block = False, burn == U(0), U(0), U(0), U(0)
                full, low, high = U(fresh[0]), np.uint64(fresh[1]), np.uint64(fresh[2])
                shoe = StepShoe(low, high, full, none, U(0), U(0), U(0), np.int64(unit), seed)
                word = U(0)
                while word < U(DECK):
                    near.deck[word, near.lane] = fresh_words[word]
                    word = U(word + U(1))
            shoe = with_blocks(shoe, block, near)
            if in_round:
                state, shoe = begin_round(shoe, near, known)
                goes_on = state.goes_on > U(0)
            else:  # rounds begin with the next turn, as every round does with new numbers
                shoe = burned(shoe, near, burn, burn_more)
        more = U(CARDS_A_TURN)
        while more > U(0):
            more = U(more - U(1))
            if goes_on:
                card, shoe = step_card(shoe, near)
                state = next_card(state, card, near, known)
                goes_on = state.goes_on > U(0)
        if in_round and not goes_on:
            count_cell(tally, 0, cell_of(state, near, known, tables))
            dealt = U(dealt + U(1))
            is_over = bool(dealt >= most)
            if shoe.left <= cut:
                is_over, over = is_over or over == extra, U(over + U(1))
            if is_over:
                add_one(rounds_of_shoes, 0, np.int64(dealt))
                add_one(blocks, 0, min(np.int64(blocks_used(shoe)), blocks.shape[1] - 1))
                unit += stride
