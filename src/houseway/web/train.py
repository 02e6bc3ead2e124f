"""The school over HTTP: exercises made and judged by an edition's own rules, and what somebody has learned.

The house keeps the progress of whoever has an account. Anybody else's is kept by his browser, which sends it along: it is read
for its form alone, and decides nothing but what its owner is asked next.
"""

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import Annotated, Any, TypeVar
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import HTMLResponse

from houseway.house.editions import known_edition, known_editions
from houseway.house.people import Session
from houseway.refusal import Refused, one_of
from houseway.rulebook import Edition
from houseway.table.bound import as_text
from houseway.table.pieces import chips_of
from houseway.train.deals import USUAL_CHIPS, Lesson, lesson_of
from houseway.train.exercise import Exercise
from houseway.train.kinds import KINDS
from houseway.train.learning import ChosenExercise, LearnedProgress, Skill, answered, exercise, name_of, next_asked, skill_map
from houseway.web.apart import apart
from houseway.web.commands import REFUSALS
from houseway.web.identity import Entered, actor_of, somebody
from houseway.web.lab import refuse_files
from houseway.web.lab_answers import SettingAnswer, setting_answer
from houseway.web.live import house_of
from houseway.web.train_answers import (
    NUMBER_MOST,
    AnswerGiven,
    ExerciseAnswer,
    ExerciseAsked,
    Judged,
    KindAnswer,
    NextAnswer,
    NextAsked,
    ProgressBrought,
    SchoolAnswer,
    SkillsAnswer,
    SkillsAsked,
    Taken,
    TrainEdition,
)

T = TypeVar("T")
router = APIRouter(tags=["train"], responses=REFUSALS)
POOL = "exercises"


async def _trainee(session: Entered) -> Session | None:
    """Whoever learns: nobody need be logged in, but whose screen is locked unlocks it first."""
    return await somebody(session) if session else None


Trainee = Annotated[Session | None, Depends(_trainee)]


@dataclass(frozen=True)
class Pupil:
    """Somebody with what he has learned of an edition; by name, if the house keeps it."""

    progress: LearnedProgress
    name: str = ""


def is_kept(request: Request, session: Session | None) -> bool:
    """Whether the house keeps the progress of a session: not of guests who took a name for the demo."""
    return session is not None and not (session.role == "guest" and request.app.state.demo)


def pupil_of(request: Request, session: Session | None, edition: str, sent: Mapping[str, Any] | None) -> Pupil:
    """What somebody has learned: as the house keeps it, or else as his browser says."""
    if session is not None and is_kept(request, session):
        return Pupil(request.app.state.school.progress(actor_of(session), session.name, edition), session.name)
    return Pupil(LearnedProgress.from_data(sent) if sent else LearnedProgress())


def lesson_in(request: Request, taken: Taken) -> Lesson:
    """The lesson of an edition that the house knows, with the settings that are asked for and the house's own chips."""
    house = house_of(request).state
    edition = known_edition(taken.edition, house.editions)
    refuse_files(edition, taken.settings)
    settings = edition.settings(dict(taken.settings))
    changed = tuple((name, value) for name, value in settings.items() if value != edition.approved[name][0])
    return lesson_of(as_text(edition.document), changed, chips_of(house) or USUAL_CHIPS)


_LOCKS: WeakKeyDictionary[Lesson, threading.RLock] = WeakKeyDictionary()
_LOCKS_LOCK = threading.Lock()


def _one_at_a_time(make: Callable[..., T]) -> Callable[..., T]:
    """What a lesson has found is found once: whoever asks meanwhile waits for that."""

    @wraps(make)
    def run(lesson: Lesson, *given: Any) -> T:
        with _LOCKS_LOCK:
            lock = _LOCKS.setdefault(lesson, threading.RLock())
        with lock:
            return make(lesson, *given)

    return run


@_one_at_a_time
def made(lesson: Lesson, kind: str, number: int, topic: str) -> Exercise:
    """The exercise of a kind, a number and a topic."""
    return exercise(lesson, kind, number, topic)


@_one_at_a_time
def _wanted(lesson: Lesson, progress: LearnedProgress, asked: NextAsked) -> tuple[Exercise, str, list[str]]:
    """The exercise that is to be asked next, why that, and the kinds that the edition has nothing of."""
    kinds = _kinds(asked.kinds)
    if asked.kind:
        one_of("kind", asked.kind, KINDS)
        chosen = ChosenExercise(asked.kind, secrets.randbelow(NUMBER_MOST), asked.topic, "you chose it")
    else:
        chosen = next_asked(lesson, progress, _now(), kinds)
    empty = [] if asked.kind else [kind for kind in kinds if not KINDS[kind].topics(lesson)]
    return exercise(lesson, chosen.kind, chosen.number, chosen.topic), chosen.why, empty


@_one_at_a_time
def _mapped(lesson: Lesson, progress: LearnedProgress, kinds: list[str]) -> list[dict[str, Any]]:
    return skill_map(lesson, progress, _now(), _kinds(kinds))


def _kinds(given: list[str]) -> list[str]:
    return list(dict.fromkeys(one_of("kind", kind, KINDS) for kind in given))


def _now() -> datetime:
    return datetime.now(UTC)


def shown(lesson: Lesson, asked: Exercise) -> ExerciseAnswer:
    """An exercise as somebody sees it who is to answer it."""
    words = next((topic.words for topic in KINDS[asked.kind].topics(lesson) if topic.id == asked.topic), asked.topic)
    return ExerciseAnswer(**asked.shown(), topic_words=words)


def clause_texts(edition: Edition, cited: Mapping[str, object] | list[str]) -> dict[str, str]:
    """The texts of the clauses that are cited, as far as the edition has them."""
    known = edition.clauses()
    return {id_: known[id_].text for id_ in cited if id_ in known}


def described(edition: Edition) -> TrainEdition:
    """An edition as it is chosen and drawn."""
    face = edition.game.face
    return TrainEdition(
        id=edition.id,
        name=edition.name,
        game=edition.game.name,
        seat_word=face.seat_word,
        cloth=face.cloth,
        back=face.backs[0],
        settings=[setting for name in edition.approved if (setting := _choice(edition, name))],
    )


def _choice(edition: Edition, name: str) -> SettingAnswer | None:
    """A setting that a house can choose; how a document is read is not the table's choice."""
    setting = setting_answer(edition, name)
    return setting if len(setting.approved) > 1 and setting.kind != "reading" else None


@router.get("/api/v1/train", summary="What can be learned here")
def school(request: Request, session: Trainee) -> SchoolAnswer:
    """Every edition with what its table can choose, the house's own last, and every kind of exercise."""
    return SchoolAnswer(
        editions=[described(edition) for edition in known_editions(house_of(request).state.editions)],
        kinds=[
            KindAnswer(name=k.name, title=k.title, about=k.about, for_players=k.for_players, by_table=k.by_table)
            for k in KINDS.values()
        ],
        kept=is_kept(request, session),
    )


@router.post("/api/v1/train/skills", summary="The skill map of an edition")
@apart(POOL)
def skills(request: Request, given: SkillsAsked, session: Trainee) -> SkillsAnswer:
    """Every skill with its clause, its level, and when it comes back. The first time an edition is asked for takes seconds."""
    lesson = lesson_in(request, given)
    pupil = pupil_of(request, session, lesson.edition.id, given.progress)
    listed = _mapped(lesson, pupil.progress, given.kinds)
    return SkillsAnswer.model_validate(
        {
            "skills": listed,
            "clauses": clause_texts(lesson.edition, [skill["clause"] for skill in listed]),
            "answers": pupil.progress.answers,
            "streak": pupil.progress.streak,
        }
    )


@router.post("/api/v1/train/next", summary="What is asked next")
@apart(POOL)
def next_(request: Request, given: NextAsked, session: Trainee) -> NextAnswer:
    """What is due longest, else something new, else what comes back first; or a topic that was chosen."""
    lesson = lesson_in(request, given)
    pupil = pupil_of(request, session, lesson.edition.id, given.progress)
    asked, why, empty = _wanted(lesson, pupil.progress, given)
    skill = pupil.progress.skills.get(name_of(asked.kind, asked.topic), Skill())
    return NextAnswer.model_validate({"exercise": shown(lesson, asked), "why": why, "level": skill.level, "empty_kinds": empty})


@router.post("/api/v1/train/exercise", summary="One exercise by its number")
@apart(POOL)
def exercise_(request: Request, given: ExerciseAsked, session: Trainee) -> ExerciseAnswer:
    """The same kind, number and topic give the same exercise, in every house with this edition."""
    lesson = lesson_in(request, given)
    return shown(lesson, made(lesson, given.kind, given.number, given.topic))


@router.post("/api/v1/train/answer", summary="Answer an exercise")
@apart(POOL)
def answer(request: Request, given: AnswerGiven, session: Trainee) -> Judged:
    """Judged by the rules that made it, and explained step by step with the clauses. What cannot be read is refused, and
    changes nothing."""
    lesson = lesson_in(request, given)
    asked = made(lesson, given.kind, given.number, given.topic)
    verdict = asked.judge(given.answer)
    pupil = pupil_of(request, session, lesson.edition.id, given.progress)
    before = after = pupil.progress
    if not given.again and pupil.name:
        after = request.app.state.school.answered(pupil.name, lesson.edition.id, asked, verdict.is_right, given.seconds)
    elif not given.again:
        after = answered(before, asked, verdict.is_right, given.seconds, _now())
    name = name_of(asked.kind, asked.topic)
    skill = after.skills.get(name, Skill())
    due = skill.due()
    return Judged.model_validate(
        {
            **verdict.shown(),
            "clauses": clause_texts(lesson.edition, list(asked.clauses)),
            "level": skill.level,
            "was": before.skills.get(name, Skill()).level,
            "due": due.isoformat() if due and not given.again else "",
            "streak": after.streak,
            "progress": None if pupil.name else after.as_data(),
        }
    )


@router.post("/api/v1/train/progress", summary="Bring along what a browser has kept", status_code=204)
@apart(POOL)
def bring(request: Request, given: ProgressBrought, session: Trainee) -> None:
    """For somebody who has an account now: it is put together with what the house keeps, however often it is sent."""
    if session is None or not is_kept(request, session):
        raise Refused("account-needed", "the house keeps progress for those who have an account: log in first")
    edition = known_edition(given.edition, house_of(request).state.editions)
    request.app.state.school.keep(session.name, edition.id, LearnedProgress.from_data(given.progress))


# Pages

pages = APIRouter(include_in_schema=False)


def _page(request: Request, template: str, **data: Any) -> HTMLResponse:
    page: HTMLResponse = request.app.state.pages.page(request, template, page="train", **data)
    return page


@pages.get("/train")
def school_page(request: Request) -> HTMLResponse:
    """The school: what can be learned."""
    return _page(request, "train.html")


@pages.get("/train/{id}")
def drill_page(request: Request, id_: Annotated[str, Path(alias="id", max_length=64)]) -> HTMLResponse:
    """Exercises of an edition, its skill map, and rounds against the clock."""
    edition = known_edition(id_, house_of(request).state.editions)
    return _page(request, "train-drill.html", edition=edition)
