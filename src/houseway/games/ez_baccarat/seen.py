"""EZ Baccarat for somebody who knows a card before he bets: the burn card, or the first card of a hand."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from houseway.kernels.compiled import INT_ROW, INT_TABLE, Ints, loop
from houseway.protect.protection import SeenEdge
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings

from .game import CLASSES, GAME, OUTCOMES, _table
from .rules import resolve

CARDS = 6
KINDS = len(CLASSES)
PLACES = {"player": 0, "banker": 1}
"""Where the first card of each hand stands in a tape."""


@loop((INT_TABLE, INT_ROW, INT_ROW, INT_ROW))
def _resolve_all(orders: Ints, kinds: Ints, settings: Ints, results: Ints) -> None:
    tape = np.zeros(CARDS, np.int64)
    for row in range(orders.shape[0]):
        for place in range(CARDS):
            tape[place] = kinds[orders[row, place]]
        results[row] = resolve(tape, settings)


@cache
def _orders() -> tuple[Ints, Ints]:
    """Every order of six classes, and what it comes to; cards that are not drawn are counted with it."""
    orders = np.array(list(product(range(KINDS), repeat=CARDS)), np.int64)
    results = np.zeros(len(orders), np.int64)
    _resolve_all(orders, np.array([members[0] for members in CLASSES]), np.zeros(1, np.int64), results)
    return orders, results


def _copies(settings: Settings) -> list[int]:
    shoe = GAME.shoe(settings)
    return [sum(shoe[card] for card in members) for members in CLASSES]


def results_by_card(copies: Sequence[int], place: int) -> list[list[int]]:
    """By the class of the card in a place: in how many orders of six cards of this shoe each result comes. Exact."""
    orders, results = _orders()
    ways = np.ones(len(orders), np.int64)
    for at in range(CARDS):
        taken = (orders[:, :at] == orders[:, [at]]).sum(axis=1)
        ways *= np.maximum(np.array(copies)[orders[:, at]] - taken, 0)
    rows = []
    for kind in range(KINDS):
        here = orders[:, place] == kind
        rows.append([int(ways[here & (results == result)].sum()) for result in range(len(OUTCOMES))])
    return rows


def _seen(
    edition: Edition, settings: Settings, wager: str, tallies: Sequence[tuple[int, Sequence[int]]], about: str
) -> SeenEdge:
    """From the weight of each card and its results: who knows it bets where that gains, else not."""
    nets = [edition.pay(wager, outcome.id, settings).net for outcome in OUTCOMES]
    weights = sum(weight for weight, _ in tallies)
    whole, won, bets = Fraction(0), Fraction(0), Fraction(0)
    for weight, tally in tallies:
        if weight:
            chance = Fraction(weight, weights)
            worth = sum((net * n for net, n in zip(nets, tally, strict=True)), Fraction(0)) / sum(tally)
            whole += chance * worth
            if worth > 0:
                won, bets = won + chance * worth, bets + chance
    return SeenEdge(-whole, -won, about, bets_share=bets)


def _check(wager: str) -> None:
    if GAME.wagers[wager].resolve is not None:
        raise Refused("nothing-seen", f"what a card seen is worth is not worked out for {wager}")


def burn_card(edition: Edition, settings: Settings, wager: str) -> SeenEdge:
    """The burn card was seen, and the first hand is bet on."""
    _check(wager)
    copies = _copies(settings)
    tallies = []
    for kind in range(KINDS):
        left = [n - (at == kind) for at, n in enumerate(copies)]
        tallies.append((copies[kind], _table().count(tuple(left))))
    return _seen(edition, settings, wager, tallies, "The burn card seen before the first hand of a shoe")


def first_card(edition: Edition, settings: Settings, wager: str, hand: str) -> SeenEdge:
    """The first card of a hand is known before bets are made."""
    _check(wager)
    copies = _copies(settings)
    tallies = [(sum(tally), tally) for tally in results_by_card(copies, PLACES[hand])]
    return _seen(edition, settings, wager, tallies, f"The first card of {hand.capitalize()}'s hand seen before the bet")
