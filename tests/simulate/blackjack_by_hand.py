"""Deal rounds of blackjack with the simulator's own code, interpreted, and write down every card: a program for its tests.

Run with NUMBA_DISABLE_JIT=1. Reads from standard input, as JSON, cases of settings, charts and shoes; writes for each round the
cells of its seats and the cards in the order in which they were asked for, with those that were looked at.
"""

import json
import sys

import numpy as np
from simulated_blackjack import conventions_of, dealt, setup_of

from houseway.games.blackjack.simulate import rounds
from houseway.kernels.rounds import rounds_loop

events: list[list[object]] = []
draw_if, look, play_seat = rounds.draw_if, rounds.look, rounds.play_seat


def logged_draw(shoe, ahead, wanted):
    card, shoe = draw_if(shoe, ahead, wanted)
    events.append(["card", int(card)])
    return card, shoe


def logged_look(shoe, of, value):
    card, shoe = look(shoe, of, value)
    events.append(["look", int(card)])
    return card, shoe


def logged_seat(shoe, ahead, deck, tables, cells, seat, up, hole, start):
    events.append(["seat", seat])
    shoe = play_seat(shoe, ahead, deck, tables, cells, seat, up, hole, start)
    events.append(["done", seat])
    return shoe


def main() -> None:
    rounds.draw_if, rounds.look, rounds.play_seat = logged_draw, logged_look, logged_seat
    for case in json.load(sys.stdin):
        setup, told = setup_of(case), []

        def play_round(shoe, ahead, deck, settings, tables, cells, told=told):
            events.clear()
            shoe = rounds.play_round(shoe, ahead, deck, settings, tables, cells)
            told.append([cells.tolist(), events.copy()])
            return shoe

        with np.errstate(over="ignore"):
            first = case.get("first", 0)
            dealt(rounds_loop(play_round, "classes"), setup, conventions_of(case), range(first, first + case["shoes"]))
        print(json.dumps(told))


if __name__ == "__main__":
    main()
