"""Which clauses of a rulebook say something: found by what the clauses name as carrying them out, else by their words."""

from collections.abc import Callable, Iterable
from typing import Any

from houseway.report.procedures import ORDER_OF_PAYMENT as IN_ORDER
from houseway.rulebook.clause import Clause
from houseway.train.deals import Lesson
from houseway.train.exercise import Reason

ORDER_OF_PAYMENT = ("table/play.py:settlement_order", "table/bank.py:action_order", "table/bank.py:in_action_order")
"""What carries out the order of taking and paying."""
EARLY = "table/play.py:_settle_early"
BANK_PAYS = "A player's bank takes and pays in the order of action; what it does not cover goes back."


def _named(clause: Clause) -> set[str]:
    return set(clause.carried_out)


def _told(found: Iterable[Clause]) -> tuple[Reason, ...]:
    return tuple(Reason(clause.text, clause.id) for clause in found)


def carried_out_by(lesson: Lesson, *definitions: str) -> tuple[Reason, ...]:
    """The clauses that these definitions carry out."""
    return _told(clause for clause in lesson.edition.clauses().values() if _named(clause) & set(definitions))


def of_dealing(lesson: Lesson) -> tuple[Reason, ...]:
    """The clauses that say how the first cards are dealt, as the table is set."""
    game, clauses = lesson.edition.game, list(lesson.edition.clauses().values())
    found = [clause for clause in clauses if _is_of_game(clause, _names_in(game.dealing.order))]
    if not found:  # hands that all bet on are dealt by the round itself
        found = [clause for clause in clauses if clause.kind == "procedure" and _is_of_game(clause, _names_in(game.play))]
    return _told(_of_this_table(lesson, found))


def of_order(lesson: Lesson) -> tuple[Reason, ...]:
    """In which order seats are settled, by the house or by a player's bank; the clauses that say so, and how they are read."""
    cited = carried_out_by(lesson, *ORDER_OF_PAYMENT)
    house = Reason(IN_ORDER if lesson.edition.banked_by == "house" else BANK_PAYS)
    return (house, *cited, *_readings(lesson, {reason.clause for reason in cited}))


def _readings(lesson: Lesson, clauses: set[str]) -> tuple[Reason, ...]:
    """How the questions that these clauses leave open are answered at this table."""
    answers = {id_: str(lesson.settings.get(id_)) for id_ in lesson.edition.readings}
    return tuple(
        Reason(f"{reading.question} Here: {reading.values[answers[id_]]}.", reading.where)
        for id_, reading in lesson.edition.readings.items()
        if reading.where in clauses and answers[id_] in reading.values
    )


def _is_of_game(clause: Clause, names: set[str]) -> bool:
    """Whether a game's definition of one of these names carries it out."""
    return any(part.startswith("games/") and ".py:" in part and part.rpartition(":")[2] in names for part in clause.carried_out)


def _names_in(function: Callable[..., Any]) -> set[str]:
    """A function's name, and those that it uses."""
    code = getattr(function, "__code__", None)
    return {getattr(function, "__name__", ""), *(code.co_names if code else ())}


def _of_this_table(lesson: Lesson, found: list[Clause]) -> list[Clause]:
    """Without clauses that are about another value of a setting: where there is one for each value, in their order."""
    left_out: set[str] = set()
    for name, values in lesson.edition.approved.items():
        about = [clause for clause in found if any(part.endswith(f":settings.{name}") for part in clause.carried_out)]
        if len(values) > 1 and len(about) == len(values):
            chosen = values.index(lesson.settings[name]) if lesson.settings[name] in values else 0
            left_out |= {clause.id for place, clause in enumerate(about) if place != chosen}
    return [clause for clause in found if clause.id not in left_out]
