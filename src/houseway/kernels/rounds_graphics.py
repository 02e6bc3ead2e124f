"""The loop that deals whole shoes, on a graphics processor: the same unit of work, one to a thread at a time.

Tallies of few cells lie in shared memory, a column for each thread; those of more lie there once for a block; both are added
up at the end. Only those of very many are added to straight away: some results are so frequent that all wait for one place.
Where a game gives its rounds in `steps`, these are dealt.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from houseway.kernels.compiled import Ints, filled_in
from houseway.kernels.graphics import graphics_helper, graphics_loop, lanes, to_graphics
from houseway.kernels.rounds import KINDS, Conventions, burn_template, to_the_cut_card, unit_template
from houseway.kernels.shoes import Deck
from houseway.kernels.steps import NUMBER_ROWS, Bytes, Columns, Near, StepRules, steps_template
from houseway.kernels.stream import Words
from houseway.refusal import Refused

THREADS, BLOCKS = 256, 132 * 32
"""Threads of a block, and blocks at most: so many for each multiprocessor of a large card that none is idle at the end."""
COLUMN_CELLS, SHARED_CELLS = 32, 8192
"""So many cells, of all seats together, are tallied in a column for each thread; so many once for each block."""
REGISTERS = 48
"""Of a thread, at most: more threads at a time hide what each waits for (5.5e10 rounds a second on one; 5.0e10 without)."""
STEP_REGISTERS, SHARED_BYTES = 64, 48 << 10
"""Registers of a thread that plays in steps (2.21e10 rounds a second on one; with 56 2.16e10); and the shared memory of its
block: cells that have no room there, the last ones, are added to straight away."""
MOST_COUNTED = 1 << 32
"""A place in shared memory counts up to here, so that a launch deals fewer rounds to a block."""

# What the templates' names mean until they are filled in.
play_unit: Any = None
play_steps: Any = None
DECK, SEATS, CELLS, ROWS, COLUMNS, QUICK = 1, 1, 1, 1, THREADS, 1


def _nothing_ahead(ahead: Words, seed: int, shoe: int) -> None:
    """Numbers are made where they are needed: there is no faster place for them."""


def _add_one(table: Ints, row: int, place: int) -> None:
    lanes.atomic.add(table, (row, place), 1)


def _count_in_column(tally: Any, seat: int, cell: int) -> None:
    tally[seat * CELLS + cell, lanes.threadIdx.x] += 1


def _count_in_block(tally: Any, seat: int, cell: int) -> None:
    lanes.atomic.add(tally, seat * CELLS + cell, 1)


def _count_near(tallies: Any, seat: int, cell: int) -> None:
    if cell < ROWS:
        lanes.atomic.add(tallies[0], cell, 1)
    else:
        lanes.atomic.add(tallies[1], (seat, cell), 1)


def kernel_with_columns(
    first: int,
    last: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_deck: Deck,
    burn_more: Ints,
    settings: Ints,
    tables: Any,
    pays: Ints,
    scales: Ints,
    ahead: Words,
    tally: Ints,
    rounds_of_shoes: Ints,
    sessions: Ints,
    blocks: Ints,
) -> None:
    """Deal units, counting cells in a column of shared memory for each thread."""
    deck, cells = lanes.local.array(DECK, np.uint8), lanes.local.array(SEATS, np.int64)
    columns = lanes.shared.array((ROWS, COLUMNS), np.uint32)
    for row in range(ROWS):
        columns[row, lanes.threadIdx.x] = 0
    for unit in range(first + lanes.grid(1), last, lanes.gridsize(1)):
        play_unit(
            unit, conventions, fresh, fresh_deck, burn_more, settings, tables, pays, scales, ahead, deck, cells, columns,
            rounds_of_shoes, sessions, blocks,
        )  # fmt: skip
    for row in range(ROWS):
        lanes.atomic.add(tally, (row // CELLS, row % CELLS), columns[row, lanes.threadIdx.x])


def kernel_with_table(
    first: int,
    last: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_deck: Deck,
    burn_more: Ints,
    settings: Ints,
    tables: Any,
    pays: Ints,
    scales: Ints,
    ahead: Words,
    tally: Ints,
    rounds_of_shoes: Ints,
    sessions: Ints,
    blocks: Ints,
) -> None:
    """Deal units, counting cells in shared memory, all threads of a block together."""
    deck, cells = lanes.local.array(DECK, np.uint8), lanes.local.array(SEATS, np.int64)
    table = lanes.shared.array(ROWS, np.uint32)
    for row in range(lanes.threadIdx.x, ROWS, lanes.blockDim.x):
        table[row] = 0
    lanes.syncthreads()
    for unit in range(first + lanes.grid(1), last, lanes.gridsize(1)):
        play_unit(
            unit, conventions, fresh, fresh_deck, burn_more, settings, tables, pays, scales, ahead, deck, cells, table,
            rounds_of_shoes, sessions, blocks,
        )  # fmt: skip
    lanes.syncthreads()
    for row in range(lanes.threadIdx.x, ROWS, lanes.blockDim.x):
        if table[row]:
            lanes.atomic.add(tally, (row // CELLS, row % CELLS), table[row])


def kernel_with_atomics(
    first: int,
    last: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_deck: Deck,
    burn_more: Ints,
    settings: Ints,
    tables: Any,
    pays: Ints,
    scales: Ints,
    ahead: Words,
    tally: Ints,
    rounds_of_shoes: Ints,
    sessions: Ints,
    blocks: Ints,
) -> None:
    """Deal units, adding each cell to the tally at once."""
    deck, cells = lanes.local.array(DECK, np.uint8), lanes.local.array(SEATS, np.int64)
    for unit in range(first + lanes.grid(1), last, lanes.gridsize(1)):
        play_unit(
            unit, conventions, fresh, fresh_deck, burn_more, settings, tables, pays, scales, ahead, deck, cells, tally,
            rounds_of_shoes, sessions, blocks,
        )  # fmt: skip


def kernel_in_steps(
    first: int,
    last: int,
    conventions: Conventions,
    fresh: Ints,
    fresh_words: Columns,
    burn_more: Ints,
    quick: Bytes,
    tables: Any,
    pays: Ints,
    scales: Ints,
    ahead: Words,
    tally: Ints,
    rounds_of_shoes: Ints,
    sessions: Ints,
    blocks: Ints,
) -> None:
    """Deal units, each one shoe, in steps; all that every step reads or counts lies in shared memory."""
    table = lanes.shared.array(ROWS, np.uint32)  # one to a line: numba's simulator knows them by their lines
    near = lanes.shared.array(QUICK, np.uint8)
    deck = lanes.shared.array((DECK, COLUMNS), np.uint32)
    numbers = lanes.shared.array((NUMBER_ROWS, COLUMNS), np.uint32)
    for row in range(lanes.threadIdx.x, ROWS, lanes.blockDim.x):
        table[row] = 0
    for place in range(lanes.threadIdx.x, QUICK, lanes.blockDim.x):
        near[place] = quick[place]
    lanes.syncthreads()
    play_steps(
        first + lanes.grid(1), last, lanes.gridsize(1), conventions, fresh, fresh_words, burn_more,
        Near(near, deck, numbers, np.uint32(lanes.threadIdx.x)), tables, (table, tally), rounds_of_shoes, blocks,
    )  # fmt: skip
    lanes.syncthreads()
    for row in range(lanes.threadIdx.x, ROWS, lanes.blockDim.x):
        if table[row]:
            lanes.atomic.add(tally, (row // CELLS, row % CELLS), table[row])


def shared_rows(cells: int, deck: int, quick: int, threads: int) -> int:
    """How many cells are counted in a block's shared memory, beside what its threads' steps need there; 0: none has room."""
    return max(0, min(cells, (SHARED_BYTES - quick) // 4 - threads * (deck + NUMBER_ROWS)))


@cache
def graphics_steps_loop(rules: StepRules, cells: int, deck: int, quick: int, threads: int) -> Any:
    """The kernel for a game's steps, so many cells, a deck of so many words and so many bytes that every step reads."""
    rows = shared_rows(cells, deck, quick, threads)
    assert rows, "so many threads of a block have no room in its shared memory"
    sizes = {"DECK": deck, "CELLS": cells, "ROWS": rows, "COLUMNS": threads, "QUICK": quick}
    what = rules.begin_round
    add_one = graphics_helper(filled_in(_add_one, what))
    count_cell = graphics_helper(filled_in(_count_near, what, **sizes))
    steps = graphics_helper(filled_in(steps_template, what, **vars(rules), add_one=add_one, count_cell=count_cell, DECK=deck))
    return graphics_loop(filled_in(kernel_in_steps, what, play_steps=steps, **sizes), STEP_REGISTERS)


@cache
def graphics_rounds_loop(play: Callable[..., Any], kind: str, seats: int, cells: int, deck: int, threads: int) -> Any:
    """The kernel for a game's `play_round`, so many seats and cells, and a deck of so many bytes."""
    sizes = {"DECK": deck, "SEATS": seats, "CELLS": cells, "ROWS": seats * cells, "COLUMNS": threads}
    add_one = graphics_helper(filled_in(_add_one, play))
    if seats * cells <= COLUMN_CELLS:
        kernel, count_cell = kernel_with_columns, graphics_helper(filled_in(_count_in_column, play, **sizes))
    elif seats * cells <= SHARED_CELLS:
        kernel, count_cell = kernel_with_table, graphics_helper(filled_in(_count_in_block, play, **sizes))
    else:
        kernel, count_cell = kernel_with_atomics, add_one
    names = {**KINDS[kind], "play_round": play, "add_one": add_one, "count_cell": count_cell, "fill_ahead": _ahead_of()}
    for name, template in (("burn", burn_template), ("deal_most", to_the_cut_card)):
        names[name] = graphics_helper(filled_in(template, play, **names))
    unit = graphics_helper(filled_in(unit_template, play, **names))
    return graphics_loop(filled_in(kernel, play, play_unit=unit, **sizes), REGISTERS)


@cache
def _ahead_of() -> Any:
    return graphics_helper(_nothing_ahead)


def deal_on_graphics(
    loop: Any,
    first: int,
    last: int,
    given: tuple[Any, ...],
    tallies: tuple[Ints, ...],
    threads: int = THREADS,
    blocks: int = BLOCKS,
) -> tuple[Ints, ...]:
    """Deal the units from `first` up to, not with, `last`, and return the tallies added to."""
    conventions, fresh = given[:2]
    counted, arrays = [to_graphics(array) for array in tallies], on_graphics(given)
    nothing_ahead, needed = to_graphics(np.zeros(1, np.uint64)), max(1, min(blocks, -(-(last - first) // threads)))
    rounds = conventions.rounds or min(conventions.most, int(fresh[0]))
    turns = (MOST_COUNTED - 1) // (rounds * threads)
    if turns == 0:
        raise Refused("too-long", f"sessions of {rounds:,} rounds are too long for a graphics card: use --engine threads")
    for start in range(first, last, needed * threads * turns):
        end = min(start + needed * threads * turns, last)
        loop[needed, threads](start, end, *arrays, nothing_ahead, *counted)
    return tuple(array.copy_to_host() for array in counted)


def on_graphics(given: tuple[Any, ...]) -> list[Any]:
    """All that a loop is given: conventions as they are, arrays in the graphics processor's memory."""
    conventions, *arrays = given
    return [conventions, *(_all_to_graphics(each) if isinstance(each, tuple) else to_graphics(each) for each in arrays)]


def _all_to_graphics(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple of arrays there; one with names keeps them."""
    moved = map(to_graphics, arrays)
    return type(arrays)(*moved) if hasattr(arrays, "_fields") else tuple(moved)
