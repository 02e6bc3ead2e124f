"""A round in steps without rules: three cards, one more, one more, and every other time another. What dealing alone takes."""

from typing import Any, NamedTuple

import numpy as np

from houseway.kernels.compiled import inlined
from houseway.kernels.steps import Near, StepRules, StepShoe, U, step_card, three_cards


class Dealing(NamedTuple):
    """How many cards are still dealt."""

    goes_on: np.uint32


@inlined
def open_table(tables: Any) -> np.uint32:
    """Nothing is known."""
    return U(0)


@inlined
def no_round() -> Dealing:
    """No round."""
    return Dealing(U(0))


@inlined
def begin_round(shoe: StepShoe, near: Near, known: np.uint32) -> tuple[Dealing, StepShoe]:
    """Four cards."""
    first, second, third, shoe = three_cards(shoe, near)
    card, shoe = step_card(shoe, near)
    return Dealing(U(U(1) + U(U(shoe.left ^ card ^ first ^ second ^ third) & U(1)))), shoe


@inlined
def next_card(state: Dealing, card: np.uint32, near: Near, known: np.uint32) -> Dealing:
    """One more; its class is asked for, so that the compiler cannot leave the search for it out: there are ten."""
    return Dealing(U(state.goes_on - (U(2) if card > U(9) else U(1))))


@inlined
def cell_of(state: Dealing, near: Near, known: np.uint32, tables: Any) -> np.uint32:
    """There is one cell: no card is still dealt."""
    return state.goes_on


STEPS = StepRules(open_table, no_round, begin_round, next_card, cell_of)
