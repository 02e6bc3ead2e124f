"""The order of taking and paying at a full table."""

import random
from itertools import groupby

from houseway.refusal import Refused
from houseway.table.unfold import early_wagers
from houseway.train.clauses import EARLY, carried_out_by, of_order
from houseway.train.deals import Lesson
from houseway.train.exercise import Ask, AskOption, Exercise, Reason
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.scenes import table_scene
from houseway.train.tables import table_round

TOPIC, LEAST, MOST = "order", 3, 8
TRIES = 200


def make(lesson: Lesson, number: int, topic: str) -> Exercise:
    """The seats of a table, those of early wagers apart, to be put in the order in which they are settled."""
    face = lesson.edition.game.face
    for trial in range(TRIES):
        played = table_round(lesson, number * TRIES + trial)
        early = early_wagers(lesson.edition)
        runs = [
            (seat, [lesson.wager_name(stake.wager) for stake in stakes])
            for (seat, _), stakes in groupby(played.stakes, key=lambda stake: (stake.seat, stake.wager in early))
        ]
        if not LEAST <= len(runs) <= MOST:
            continue
        items = [
            AskOption(str(place), f"{face.seat_word} {seat}: {', '.join(dict.fromkeys(names))}")
            for place, (seat, names) in enumerate(runs)
        ]
        mixed = random.Random(f"order {number}").sample(items, len(items))
        renamed = {item.value: str(place) for place, item in enumerate(mixed, 1)}
        options = tuple(AskOption(renamed[item.value], item.words) for item in mixed)
        ask = Ask("order", "Order", "order", (" ".join(renamed[item.value] for item in items),), options)
        scene = table_scene(lesson, played.table, played.bank_cents)
        question = "In which order are these seats settled?"
        return Exercise("order", number, TOPIC, question, (ask,), _why(lesson, early), scene)
    raise Refused("no-such-case", f"{lesson.edition.name}: no table came at which {LEAST} seats are settled")


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
