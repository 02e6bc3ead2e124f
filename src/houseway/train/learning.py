"""What somebody has learned: when each skill comes back, how well and how fast it went, and what is asked next.

A skill is a kind of exercise about a topic. A kept library (FSRS) says when it is due; all else follows from the answers. The
whole is one plain value, which a house keeps for a person, and a browser for somebody without an account.
"""

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from fsrs import Card, Rating, Scheduler

from houseway.refusal import Refused
from houseway.train.deals import Lesson
from houseway.train.exercise import Exercise
from houseway.train.kind import ExerciseKind, Topic
from houseway.train.kinds import KINDS
from houseway.train.scenes import at_table
from houseway.train.topics import has_outcome, topic_of

FORM = 1
SLOW_SECONDS, QUICK_SECONDS, SECONDS_MOST = 20.0, 6.0, 3_600.0
"""For one part of an answer: whoever takes longer finds it hard, and whoever is quicker finds it easy."""
LEVELS = ("new", "begun", "known", "sure")
KNOWN_DAYS, SURE_DAYS = 2.0, 21.0
"""A skill is known, or sure, when it would be remembered for so long."""
SKILLS_MOST = 5_000
FAULTS = "wrong"
"""The kind of exercise in which something went wrong."""
_SCHEDULER = Scheduler(desired_retention=0.9, enable_fuzzing=False)


@dataclass(frozen=True)
class Skill:
    """One skill: how often it was asked and answered rightly, the time of all answers, its card, and the case last missed."""

    asked: int = 0
    right: int = 0
    streak: int = 0
    seconds: float = 0.0
    card: Mapping[str, Any] = field(default_factory=dict)
    missed: int = -1

    @property
    def level(self) -> str:
        """How well it is known."""
        if not self.asked:
            return LEVELS[0]
        stability = float(self.card.get("stability") or 0.0)
        if not self.streak or stability < KNOWN_DAYS:
            return LEVELS[1]
        return LEVELS[3] if stability >= SURE_DAYS else LEVELS[2]

    def due(self) -> datetime | None:
        """When it comes back; nothing if it was never asked."""
        return datetime.fromisoformat(str(self.card["due"])) if self.card else None


@dataclass(frozen=True)
class LearnedProgress:
    """All skills of somebody at one edition, by `KIND/TOPIC`; and how many answers in a row were right.

    What was `brought` from a browser, by the names of the skills, the house has not seen answered.
    """

    skills: Mapping[str, Skill] = field(default_factory=dict)
    answers: int = 0
    streak: int = 0
    brought: frozenset[str] = frozenset()

    def as_data(self) -> dict[str, Any]:
        """As it is kept."""
        skills = {
            name: [s.asked, s.right, s.streak, round(s.seconds, 1), dict(s.card), s.missed] for name, s in self.skills.items()
        }
        brought = {"brought": sorted(self.brought)} if self.brought else {}
        return {"form": FORM, "answers": self.answers, "streak": self.streak, "skills": skills, **brought}

    @classmethod
    def from_data(cls, data: Any) -> "LearnedProgress":
        """As it was kept; whatever a browser sends instead is refused."""
        try:
            if data["form"] != FORM or len(data["skills"]) > SKILLS_MOST:
                raise ValueError
            skills = {str(name)[:200]: _skill(*written) for name, written in data["skills"].items()}
            brought = frozenset(skills.keys() & {str(name) for name in data.get("brought", ())})
            return cls(skills, _count(data["answers"]), _count(data["streak"]), brought)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise Refused("bad-progress", "that is no progress that this school has written: begin anew") from None


def _count(number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**9:
        raise ValueError
    return number


def _skill(asked: int, right: int, streak: int, seconds: float, card: Mapping[str, Any], missed: int) -> Skill:
    seconds = float(seconds)
    if not math.isfinite(seconds) or seconds < 0 or not isinstance(missed, int):
        raise ValueError
    if card:
        Card.from_dict(card)  # type: ignore[arg-type]
    return Skill(_count(asked), _count(right), _count(streak), seconds, dict(card), missed)


def name_of(kind: str, topic: str) -> str:
    """A skill by its name."""
    return f"{kind}/{topic}"


def answered(progress: LearnedProgress, exercise: Exercise, is_right: bool, seconds: float, now: datetime) -> LearnedProgress:
    """The progress after an answer: what went wrong or slowly comes back sooner."""
    if not math.isfinite(seconds) or not 0 <= seconds <= SECONDS_MOST:
        seconds = SECONDS_MOST
    name = name_of(exercise.kind, exercise.topic)
    skill = progress.skills.get(name, Skill())
    card = Card.from_dict(skill.card) if skill.card else Card(card_id=1, due=now)  # type: ignore[arg-type]
    reviewed, _ = _SCHEDULER.review_card(card, _rating(is_right, seconds / len(exercise.asks)), now.astimezone(UTC))
    after = Skill(
        skill.asked + 1,
        skill.right + is_right,
        skill.streak + 1 if is_right else 0,
        skill.seconds + seconds,
        dict(reviewed.to_dict()),
        -1 if is_right else exercise.number,
    )
    streak = progress.streak + 1 if is_right else 0
    return LearnedProgress({**progress.skills, name: after}, progress.answers + 1, streak, progress.brought)


def _rating(is_right: bool, seconds: float) -> Rating:
    if not is_right:
        return Rating.Again
    return Rating.Hard if seconds > SLOW_SECONDS else Rating.Easy if seconds < QUICK_SECONDS else Rating.Good


@dataclass(frozen=True)
class ChosenExercise:
    """What is asked next: a kind, a number and a topic, of which the exercise is made; and why now."""

    kind: str
    number: int
    topic: str
    why: str


def next_asked(
    lesson: Lesson, progress: LearnedProgress, now: datetime, kinds: Iterable[str] = (), seed: int | None = None
) -> ChosenExercise:
    """What is due longest, else something new, else what comes back first; of cases drawn anew, or by a seed."""
    drawn = random.Random(seed) if seed is not None else random.SystemRandom()
    number = drawn.randrange(1 << 31)
    wanted = skills_of(lesson, kinds)
    due = {(kind.name, topic.id): progress.skills[name_of(kind.name, topic.id)].due() for kind, topic in wanted
           if name_of(kind.name, topic.id) in progress.skills}  # fmt: skip
    if late := [(at, key) for key, at in due.items() if at is not None and at <= now]:
        kind, topic = min(late)[1]
        return ChosenExercise(kind, number, topic, "it is due again")
    if new := [(kind.name, topic.id) for kind, topic in wanted if (kind.name, topic.id) not in due]:
        begun = {kind for kind, _ in due}
        first = [key for key in new if key[0] in begun] if begun and drawn.random() < 0.5 else []
        kind, topic = drawn.choice(first or new)
        return ChosenExercise(kind, number, topic, "it is new")
    if not wanted:
        raise Refused("no-exercises", f"{lesson.edition.name} has no exercises of these kinds")
    (kind, topic), _ = min(due.items(), key=lambda item: item[1] or now + timedelta(days=9999))
    return ChosenExercise(kind, number, topic, "nothing is due: this comes back first")


def skills_of(lesson: Lesson, kinds: Iterable[str] = ()) -> list[tuple[ExerciseKind, Topic]]:
    """All that can be learned of an edition: of these kinds, or of all of a dealer's."""
    named = list(kinds) or [name for name, kind in KINDS.items() if not kind.for_players]
    return [(KINDS[name], topic) for name in named for topic in KINDS[name].topics(lesson)]


def skill_map(lesson: Lesson, progress: LearnedProgress, now: datetime, kinds: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Every skill with its level, its clause, how often and how fast it was answered, and when it comes back."""
    told = []
    for kind, topic in skills_of(lesson, kinds):
        skill = progress.skills.get(name_of(kind.name, topic.id), Skill())
        due = skill.due()
        told.append(
            {
                "kind": kind.name,
                "topic": topic.id,
                "words": topic.words,
                "clause": clause_of(lesson, kind, topic.id),
                "level": skill.level,
                "asked": skill.asked,
                "right": skill.right,
                "seconds": round(skill.seconds / skill.asked, 1) if skill.asked else None,
                "due": due.isoformat() if due else None,
                "is_due": bool(due and due <= now),
                "missed": skill.missed if skill.missed >= 0 else None,
                "is_brought": name_of(kind.name, topic.id) in progress.brought,
            }
        )
    return told


@lru_cache(maxsize=4096)
def clause_of(lesson: Lesson, kind: ExerciseKind, topic: str) -> str:
    """The clause that a topic is about: itself, what its payment cites, or what its first exercise does; none if that has none.

    What players decide follows from exact values and not from a clause; nothing is solved for it here.
    """
    known = lesson.edition.clauses()
    if topic in known or kind.for_players:
        return topic if topic in known else ""
    if topic.partition(":")[0] in lesson.edition.offered:
        return _clause_of_payment(lesson, topic)
    made = exercise(lesson, kind.name, 0, topic)
    named = [answer for answer in made.right.values() if answer in known]  # an irregularity is answered by its clause
    cited = [clause for clause in made.clauses if clause in known]
    if named:
        return named[0]
    return (cited[-1] if kind.name == FAULTS else cited[0]) if cited else ""  # a fault is told after the round that it is in


@lru_cache(maxsize=4096)
def _clause_of_payment(lesson: Lesson, topic: str) -> str:
    """The clause that is cited by the payment of an outcome."""
    wager, _, outcome = topic.partition(":")
    dealt, _ = lesson.deal(0, has_outcome(wager, outcome))
    clause = next(payment.clause for payment in dealt.settlement.payments if topic_of(payment) == topic)
    return lesson.edition.cites.get(clause, clause)


@lru_cache(maxsize=512)
def exercise(lesson: Lesson, kind: str, number: int, topic: str = "") -> Exercise:
    """The exercise of a kind, a number and a topic; refused where there is none."""
    if kind not in KINDS:
        raise Refused("unknown-kind", f'unknown kind of exercise "{kind[:40]}" (known: {", ".join(KINDS)})')
    topics = KINDS[kind].topics(lesson)
    if not topics:
        raise Refused("no-exercises", f"{lesson.edition.name} has no exercises of the kind {kind}")
    if topic and topic not in {known.id for known in topics}:
        raise Refused(
            "unknown-topic", f'unknown topic "{topic[:80]}" of {kind} (known: {", ".join(each.id for each in topics)[:400]})'
        )
    if not 0 <= number < 1 << 31:
        raise Refused("bad-number", f"{number} is no number of an exercise: from 0 to {(1 << 31) - 1}")
    made = replace(KINDS[kind].make(lesson, number, topic), number=number)
    if not topic and made.topic in {known.id for known in topics}:
        return exercise(lesson, kind, number, made.topic)  # whoever names its topic is given the same
    return replace(made, scene=at_table(lesson, made.scene))
