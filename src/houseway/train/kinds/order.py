"""The order of taking and paying at a full table."""

import random
from itertools import groupby

from houseway.refusal import Refused
from houseway.table.state import PaidStake
from houseway.table.unfold import early_wagers
from houseway.train.clauses import EARLY, carried_out_by, of_order
from houseway.train.deals import Lesson
from houseway.train.exercise import Ask, AskOption, Exercise, Reason
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import table_scene
from houseway.train.tables import table_round

TOPIC, LEAST, MOST = "order", 3, 8
QUESTION = "In which order are these seats settled?"
TRIES = 200


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """The seats of a table, those of early wagers apart, to be put in the order in which they are settled."""
    for trial in range(TRIES):
        played = table_round(lesson, number * TRIES + trial)
        ask, why = order_asked(lesson, played.stakes, f"order {number}")
        if LEAST <= len(ask.options) <= MOST:
            scene = table_scene(lesson, played.table, played.bank_cents)
            return Exercise("order", number, TOPIC, QUESTION, (ask,), why, scene)
    raise Refused("no-such-case", f"{lesson.edition.name}: no table came at which {LEAST} seats are settled")


def order_asked(lesson: Lesson, stakes: tuple[PaidStake, ...], seed: str) -> tuple[Ask, tuple[Reason, ...]]:
    """The seats of these stakes, mixed, and the order in which they are settled."""
    early, seat_word = early_wagers(lesson.edition), lesson.edition.game.face.seat_word
    runs = [
        f"{seat_word} {seat}: {', '.join(dict.fromkeys(lesson.wager_name(stake.wager) for stake in run))}"
        for (seat, _), run in groupby(stakes, key=lambda stake: (stake.seat, stake.wager in early))
    ]
    mixed = random.Random(seed).sample(range(len(runs)), len(runs))
    options = tuple(AskOption(str(shown), runs[place]) for shown, place in enumerate(mixed, 1))
    right = " ".join(str(mixed.index(place) + 1) for place in range(len(runs)))
    return Ask("order", "Order", "order", (right,), options), _why(lesson, early)


def _why(lesson: Lesson, early: tuple[str, ...]) -> tuple[Reason, ...]:
    names = ", ".join(lesson.wager_name(wager) for wager in early)
    first = (Reason(f"First, before anybody acts: {names}."), *carried_out_by(lesson, EARLY)) if early else ()
    return tuple(dict.fromkeys((*first, *of_order(lesson))))


KIND = ExerciseKind(
    "order",
    "In which order?",
    "The order of taking and paying at a full table",
    make,
    lambda lesson: (Topic(TOPIC, "The order of settlement"),),
    by_table=True,
)
