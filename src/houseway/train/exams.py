"""Examinations: a course and a seed are an exact list of exercises, answered against a clock that is not the candidate's.

An answer may be changed until all is handed in or the time is over; nothing is said of right and wrong before. An examination
holds the content of its editions: one that is changed or removed meanwhile is asked as it was when the examination began.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from houseway.refusal import Refused, number_of
from houseway.train.courses import CoursePart, DocumentOf, TrainingCourse, course_from, topics_of
from houseway.train.exercise import Exercise
from houseway.train.learning import exercise

SEED_MOST = 1 << 31
TELLS_THE_ANSWER = ("topic", "number", "on_purpose")
"""What an exercise is about, or by what it can be made again at home, is not shown before the end."""


@dataclass(frozen=True)
class ExamQuestion:
    """An exercise of an examination: of which part of the course, by its number and topic."""

    part: int
    number: int
    topic: str


@dataclass(frozen=True)
class Examination:
    """What is asked: the same course, seed and contents always give the same."""

    course: TrainingCourse
    seed: int
    documents: Mapping[str, str]
    questions: tuple[ExamQuestion, ...]

    def part(self, place: int) -> CoursePart:
        """The part of the course that a question is of; questions are counted from 1."""
        return self.course.parts[self._question(place).part]

    def exercise(self, place: int) -> Exercise:
        """The exercise at a place."""
        question, part = self._question(place), self.part(place)
        return exercise(part.lesson(self.documents[part.edition]), part.kind, question.number, question.topic)

    def _question(self, place: int) -> ExamQuestion:
        if not 1 <= place <= len(self.questions):
            raise Refused("no-such-exercise", f"exercise {place} is not in this examination: from 1 to {len(self.questions)}")
        return self.questions[place - 1]

    def as_data(self) -> dict[str, Any]:
        """As it is kept."""
        questions = [[question.part, question.number, question.topic] for question in self.questions]
        return {"course": self.course.as_data(), "seed": self.seed, "documents": dict(self.documents), "questions": questions}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Examination":
        """As it was kept."""
        questions = tuple(ExamQuestion(*written) for written in data["questions"])
        return cls(course_from(data["course"]), data["seed"], data["documents"], questions)


def set_examination(course: TrainingCourse, seed: int, document_of: DocumentOf) -> Examination:
    """The examination of a course by a seed. Every exercise is made once, so that none is missing in the middle."""
    if not course.minutes:
        raise Refused("no-examination", f"course {course.id} has no clock, and so no examination: give it minutes")
    if not 0 <= seed < SEED_MOST:
        raise Refused("bad-seed", f"{seed} is no seed: a whole number from 0 to {SEED_MOST - 1} is required")
    documents = {edition: document_of(edition) for edition in course.editions}
    questions = []
    for place, part in enumerate(course.parts):
        drawn = random.Random(f"examination {course.id} {seed} {place}")
        topics: list[str] = []
        known = topics_of(part, part.lesson(documents[part.edition]))
        for _ in range(part.many):
            topics = topics or drawn.sample(known, len(known))  # every topic once before one comes again
            questions.append(ExamQuestion(place, drawn.randrange(SEED_MOST), topics.pop()))
    drawn = random.Random(f"examination {course.id} {seed}")
    examination = Examination(course, seed, documents, tuple(drawn.sample(questions, len(questions))))
    for place in range(1, len(questions) + 1):
        examination.exercise(place)
    return examination


@dataclass(frozen=True)
class GivenAnswer:
    """An answer that was given: as it was typed, when last, and after how many seconds of thought, its changes included."""

    answer: Mapping[str, str]
    at: datetime
    seconds: float


@dataclass(frozen=True)
class ExamSitting:
    """Somebody sits an examination: what was answered so far, and when it was handed in. All times are the house's."""

    examination: Examination
    begun: datetime
    given: Mapping[int, GivenAnswer] = field(default_factory=dict)
    handed_in: datetime | None = None

    @property
    def ends(self) -> datetime:
        """When the time is over."""
        return self.begun + timedelta(minutes=self.examination.course.minutes)

    def is_over(self, now: datetime) -> bool:
        """Whether nothing more is taken."""
        return self.handed_in is not None or now > self.ends

    def answered(self, place: int, answer: Mapping[str, str], now: datetime) -> "ExamSitting":
        """With an answer, the first or another; what comes late or cannot be read is refused, and nothing else is lost."""
        if self.handed_in is not None:
            raise Refused("exam-over", f"this examination was handed in {_moment(self.handed_in)}: nothing more is taken")
        if now > self.ends:
            kept = f"{number_of(len(self.given), 'answer')} given in time {'counts' if len(self.given) == 1 else 'count'}"
            raise Refused("too-late", f"the time was over {_moment(self.ends)}: this answer does not count; {kept}")
        self.examination.exercise(place).judge(answer)  # refused if it cannot be read; what it came to is nobody's yet
        before = max((given.at for given in self.given.values()), default=self.begun)
        seconds = max(0.0, (now - before).total_seconds())
        seconds += self.given[place].seconds if place in self.given else 0.0
        typed = {name: str(text).strip() for name, text in answer.items()}
        return replace(self, given={**self.given, place: GivenAnswer(typed, now, seconds)})

    def hand_in(self, now: datetime) -> "ExamSitting":
        """Handed in, once; after the time is over it counts as handed in at its end."""
        if self.handed_in is not None:
            raise Refused("exam-over", f"this examination was handed in {_moment(self.handed_in)}: its result stands")
        return replace(self, handed_in=min(now, self.ends))

    def result(self) -> dict[str, Any]:
        """What came out, exercise by exercise and clause by clause; what was not answered is wrong."""
        if self.handed_in is None:
            raise Refused("exam-not-over", "this examination is not handed in yet: nothing is said of it before")
        exercises, clauses = [], dict[str, list[int]]()
        for place, question in enumerate(self.examination.questions, 1):
            asked, part, given = self.examination.exercise(place), self.examination.part(place), self.given.get(place)
            is_right = given is not None and asked.judge(given.answer).is_right
            for clause in asked.clauses:
                counted = clauses.setdefault(clause, [0, 0])
                counted[0] += is_right
                counted[1] += 1
            exercises.append(
                {
                    "place": place,
                    "edition": part.edition,
                    "kind": part.kind,
                    "topic": question.topic,
                    "number": question.number,
                    "is_answered": given is not None,
                    "is_right": is_right,
                    "seconds": round(given.seconds, 1) if given else None,
                    "clauses": list(asked.clauses),
                }
            )
        course, right = self.examination.course, sum(bool(each["is_right"]) for each in exercises)
        times = [given.seconds for given in self.given.values()]
        taken = max(0.0, (self.handed_in - self.begun).total_seconds())
        return {
            "asked": len(exercises),
            "answered": len(self.given),
            "right": right,
            "percent": 100 * right // len(exercises),
            "pass_percent": course.pass_percent,
            "passed": 100 * right >= course.pass_percent * len(exercises),
            "seconds": round(taken, 1),
            "seconds_each": round(sum(times) / len(times), 1) if times else None,
            "right_a_minute": round(60 * right / taken, 1) if taken else None,
            "exercises": exercises,
            "clauses": {clause: {"right": counted[0], "asked": counted[1]} for clause, counted in sorted(clauses.items())},
        }

    def shown(self, now: datetime) -> dict[str, Any]:
        """How it stands, for whoever sits it: which exercises have an answer, and how long there is time."""
        course = self.examination.course
        left = 0.0 if self.is_over(now) else (self.ends - now).total_seconds()
        return {
            "course": course.id,
            "name": course.name,
            "asked": len(self.examination.questions),
            "pass_percent": course.pass_percent,
            "begun": self.begun.isoformat(),
            "ends": self.ends.isoformat(),
            "seconds_left": round(left, 1),
            "is_over": self.is_over(now),
            "handed_in": self.handed_in.isoformat() if self.handed_in else None,
            "answered": sorted(self.given),
        }

    def asked(self, place: int) -> dict[str, Any]:
        """An exercise as it is shown before the end, with the answer that was given so far."""
        shown = {
            name: value for name, value in self.examination.exercise(place).shown().items() if name not in TELLS_THE_ANSWER
        }
        given = self.given.get(place)
        return {
            "place": place,
            **shown,
            "edition": self.examination.part(place).edition,
            "given": dict(given.answer) if given else {},
        }

    def explained(self, place: int) -> dict[str, Any]:
        """An exercise after the end: what was answered, what is right, and why."""
        if self.handed_in is None:
            raise Refused("exam-not-over", "this examination is not handed in yet: nothing is explained before")
        asked, given = self.examination.exercise(place), self.given.get(place)
        verdict = asked.judge(given.answer if given else asked.right).shown()
        if given is None:
            verdict |= {"is_right": False, "parts": [part | {"given": "", "is_right": False} for part in verdict["parts"]]}
        return {"place": place, **asked.shown(), "edition": self.examination.part(place).edition, "verdict": verdict}

    def as_data(self) -> dict[str, Any]:
        """What is kept beside the examination itself."""
        given = {str(place): [dict(each.answer), each.at.isoformat(), each.seconds] for place, each in self.given.items()}
        return {"begun": self.begun.isoformat(), "given": given, "handed_in": self.handed_in and self.handed_in.isoformat()}

    @classmethod
    def from_data(cls, examination: Examination, data: Mapping[str, Any]) -> "ExamSitting":
        """As it was kept."""
        given = {
            int(place): GivenAnswer(answer, datetime.fromisoformat(at), seconds)
            for place, (answer, at, seconds) in data["given"].items()
        }
        handed_in = datetime.fromisoformat(data["handed_in"]) if data["handed_in"] else None
        return cls(examination, datetime.fromisoformat(data["begun"]), given, handed_in)


def _moment(at: datetime) -> str:
    return f"on {at:%Y-%m-%d} at {at:%H:%M:%S} UTC"


def notices(documents: Mapping[str, str], document_of: DocumentOf) -> list[str]:
    """What has changed of the contents that an examination was set with: it goes by these to its end."""
    told = []
    for edition, document in documents.items():
        try:
            is_same = document_of(edition) == document
        except Refused:
            told.append(f"{edition} was removed since this examination began, which goes by the rules that it began with")
            continue
        if not is_same:
            told.append(f"{edition} was changed since this examination began, which goes by the rules that it began with")
    return told
