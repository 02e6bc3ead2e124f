"""Courses: a list of exercises with a pass mark and, for an examination, a clock.

A course is written in TOML, or as the same in JSON; every edition has some by itself, of the kinds that it has exercises of.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any

from pydantic import Field

from houseway.refusal import Refused, one_of
from houseway.rulebook.document import Known, Section, broken, read
from houseway.rulebook.game import Value
from houseway.train.deals import Lesson, lesson_of
from houseway.train.kind import ExerciseKind
from houseway.train.kinds import KINDS

ID_MOST, NAME_MOST, PARTS_MOST, MANY_MOST, EXERCISES_MOST, MINUTES_MOST, TEXT_MOST = 60, 80, 60, 100, 300, 480, 20_000
DEALERS, SPEED, PLAYERS = "dealer-", "speed-", "player-"
OF_EDITIONS = (DEALERS, SPEED, PLAYERS)
"""How the ids begin of the courses that an edition has by itself."""
OF_A_KIND, SPEED_EXERCISES, SPEED_MINUTES = 5, 20, 4
SECONDS_EACH, SECONDS_AT_TABLE = 60, 120
"""The time that an examination gives for an exercise; one about a whole table takes longer."""
_ID = re.compile(r"[a-z0-9](-?[a-z0-9])*")
DocumentOf = Callable[[str], str]
"""The content of an edition, by its id; refused where there is none."""


class _PartForm(Section):
    edition: str
    kind: Annotated[str, Known("kinds")]
    topic: str = ""
    many: Annotated[int, Field(ge=1, le=MANY_MOST)] = 1
    settings: dict[str, str | int] = Field(default_factory=dict)


class _CourseForm(Section):
    id: str
    name: str
    pass_percent: Annotated[int, Field(ge=1, le=100)]
    minutes: Annotated[int, Field(ge=0, le=MINUTES_MOST)] = 0
    about: str = ""
    exercises: list[_PartForm]


@dataclass(frozen=True)
class CoursePart:
    """So many exercises of a kind, about one topic or any, at a table of an edition that may be set otherwise than usual."""

    edition: str
    kind: str
    topic: str = ""
    many: int = 1
    settings: tuple[tuple[str, Value], ...] = ()

    def lesson(self, document: str) -> Lesson:
        """What its exercises are made of, by the content of its edition."""
        return lesson_of(document, self.settings)


@dataclass(frozen=True)
class TrainingCourse:
    """What is asked, how much of it must be right to pass, and within how many minutes; without any it has no examination."""

    id: str
    name: str
    parts: tuple[CoursePart, ...]
    pass_percent: int
    minutes: int = 0
    about: str = ""

    @property
    def asked(self) -> int:
        """How many exercises it has."""
        return sum(part.many for part in self.parts)

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions that it is about, once each."""
        return tuple(dict.fromkeys(part.edition for part in self.parts))

    def as_data(self) -> dict[str, Any]:
        """As it is written in JSON."""
        exercises = [
            {
                "edition": part.edition,
                "kind": part.kind,
                "topic": part.topic,
                "many": part.many,
                "settings": dict(part.settings),
            }
            for part in self.parts
        ]
        head = {"id": self.id, "name": self.name, "about": self.about}
        return {**head, "pass_percent": self.pass_percent, "minutes": self.minutes, "exercises": exercises}


def course_from(data: Any, label: str = "course") -> TrainingCourse:
    """A course from plain data; refused where it says anything that no course can."""
    form: _CourseForm = read(_CourseForm, data, label, kinds=KINDS)
    if len(form.id) > ID_MOST or not _ID.fullmatch(form.id):
        raise broken(
            label, "id", f"{form.id[:ID_MOST]!r} is not possible: small letters, digits and hyphens, at most {ID_MOST}"
        )
    if not 0 < len(form.name.strip()) <= NAME_MOST or not form.name.isprintable():
        raise broken(label, "name", f"a text of 1 to {NAME_MOST} letters is required")
    if len(form.about) > 400 or (form.about and not form.about.isprintable()):
        raise broken(label, "about", "a line of at most 400 letters is required")
    if not 1 <= len(form.exercises) <= PARTS_MOST:
        raise broken(label, "exercises", f"{len(form.exercises)} parts are not possible: from 1 to {PARTS_MOST}")
    parts = tuple(
        CoursePart(part.edition, part.kind, part.topic, part.many, tuple(sorted(part.settings.items())))
        for part in form.exercises
    )
    course = TrainingCourse(form.id, form.name.strip(), parts, form.pass_percent, form.minutes, form.about)
    if course.asked > EXERCISES_MOST:
        raise broken(label, "exercises", f"{course.asked} exercises are too many: at most {EXERCISES_MOST}")
    return course


def read_course(text: str, label: str) -> TrainingCourse:
    """A course of one's own from TOML; the ids of those that editions have by themselves are not free."""
    if len(text) > TEXT_MOST:
        raise Refused("broken-toml", f"{label}: {len(text):,} letters are too many for a course (at most {TEXT_MOST:,})")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused("broken-toml", f"{label}: not valid TOML: {error}") from None
    return own_course(data, label)


def own_course(data: Any, label: str = "course") -> TrainingCourse:
    """A course of one's own from plain data."""
    course = course_from(data, label)
    if course.id.startswith(OF_EDITIONS):
        begins = ", ".join(OF_EDITIONS)
        raise broken(label, "id", f"{course.id} is not possible: ids that begin with {begins} are of editions' own courses")
    return course


def check_course(course: TrainingCourse, document_of: DocumentOf) -> None:
    """Refuse a course that asks for an edition, a kind, a topic or a setting that is not there."""
    for place, part in enumerate(course.parts, 1):
        try:
            topics_of(part, part.lesson(document_of(part.edition)))
        except Refused as refused:
            raise Refused(refused.code, f"course {course.id}, exercises {place}: {refused.message}") from None


def topics_of(part: CoursePart, lesson: Lesson) -> list[str]:
    """The topics that a part asks about; refused where its edition has no such exercises."""
    known = [topic.id for topic in KINDS[part.kind].topics(lesson)]
    if not known:
        has = ", ".join(kind.name for kind in _taught(lesson))
        raise Refused("no-exercises", f"{lesson.edition.name} has no exercises of the kind {part.kind} (it has: {has})")
    return [one_of("topic", part.topic, known)] if part.topic else known


# Those that every edition has by itself


def _taught(lesson: Lesson, for_players: bool | None = None) -> list[ExerciseKind]:
    """The kinds that an edition has exercises of."""
    wanted = (kind for kind in KINDS.values() if for_players is None or kind.for_players == for_players)
    return [kind for kind in wanted if kind.topics(lesson)]


def built_in_courses(lesson: Lesson) -> tuple[TrainingCourse, ...]:
    """The courses of an edition: a dealer's, a round against the clock, and a player's where it has exercises for players."""
    edition = lesson.edition
    dealers, players = _taught(lesson, for_players=False), _taught(lesson, for_players=True)
    courses = [
        _course(lesson, DEALERS, f"Dealer's course of {edition.name}", dealers, 85),
        _course(lesson, PLAYERS, f"Player's course of {edition.name}", players, 75),
    ]
    if quick := [kind for kind in dealers if not kind.by_table]:
        shares = [SPEED_EXERCISES // len(quick) + (place < SPEED_EXERCISES % len(quick)) for place in range(len(quick))]
        parts = tuple(CoursePart(edition.id, kind.name, many=many) for kind, many in zip(quick, shares, strict=True) if many)
        courses.insert(1, TrainingCourse(f"{SPEED}{edition.id}", f"Speed round of {edition.name}", parts, 60, SPEED_MINUTES))
    return tuple(course for course in courses if course.parts)


def _course(lesson: Lesson, prefix: str, name: str, kinds: Iterable[ExerciseKind], pass_percent: int) -> TrainingCourse:
    edition, parts, seconds = lesson.edition, [], 0
    for kind in kinds:
        many = min(OF_A_KIND, max(2, len(kind.topics(lesson))))
        parts.append(CoursePart(edition.id, kind.name, many=many))
        seconds += many * (SECONDS_AT_TABLE if kind.by_table else SECONDS_EACH)
    return TrainingCourse(f"{prefix}{edition.id}", name, tuple(parts), pass_percent, ceil(seconds / 60))


def built_in_course(id_: str, document_of: DocumentOf) -> TrainingCourse | None:
    """The course of an edition with this id; nothing if the id is of no such course."""
    prefix = next((begin for begin in OF_EDITIONS if id_.startswith(begin)), "")
    if not prefix:
        return None
    courses = built_in_courses(lesson_of(document_of(id_.removeprefix(prefix))))
    return {course.id: course for course in courses}[one_of("course", id_, [course.id for course in courses])]
