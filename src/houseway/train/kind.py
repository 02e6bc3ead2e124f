"""What a kind of exercise is: what it teaches of an edition, and how one is made."""

from collections.abc import Callable
from dataclasses import dataclass

from houseway.train.deals import Lesson
from houseway.train.exercise import Exercise


@dataclass(frozen=True)
class Topic:
    """Something that can be taught apart: a clause, an outcome of a wager, a rule of a House Way."""

    id: str
    words: str


@dataclass(frozen=True)
class ExerciseKind:
    """A kind of exercise. `topics` are what it teaches of an edition: none, and it has no exercises of this kind.

    `make` gives the exercise of a number, about a topic if one is named. `for_players` marks what players learn, not dealers;
    `by_table` what needs a table with all that lies on it, and so more time.
    """

    name: str
    title: str
    about: str
    make: Callable[[Lesson, int, str], Exercise]
    topics: Callable[[Lesson], tuple[Topic, ...]]
    for_players: bool = False
    by_table: bool = False
