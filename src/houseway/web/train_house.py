"""The school of the house over HTTP: courses, examinations, their results and certificates.

Whoever sits an examination has an account: its answers are kept by the house as they come, so that a page that is reloaded, or
a connection that breaks, loses nothing. Results are seen by supervisors and by the person.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from houseway.house.dealt_wrong import one_dealt_wrong
from houseway.house.editions import known_editions
from houseway.house.people import Session
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.table.bound import read_document
from houseway.table.fold import bound_in
from houseway.table.roles import ROLES, SEES
from houseway.train.courses import DEALERS, PLAYERS, SPEED, TrainingCourse, read_course
from houseway.train.school import School
from houseway.web.apart import apart, client_of
from houseway.web.commands import REFUSALS
from houseway.web.identity import AnySession, StaffSession, actor_of, only
from houseway.web.live import house_of
from houseway.web.pages import to_login
from houseway.web.train import POOL, Trainee, clause_texts, described, is_kept
from houseway.web.train_answers import (
    CertificateVerified,
    CourseAdded,
    CourseAnswer,
    CourseListed,
    ExamAnswer,
    ExamAnswerGiven,
    ExamBegun,
    ExamExercise,
    ExamExplained,
    RoundExercise,
    RoundJudged,
    RoundListed,
)

router = APIRouter(prefix="/api/v1/train", tags=["train"], responses=REFUSALS)
pages = APIRouter(include_in_schema=False)
Supervises = Annotated[Session, Depends(only(*SEES["training"]))]
ExamNumber = Annotated[int, Path(ge=1, lt=1 << 31, description="an examination's number")]
EntryNumber = Annotated[int, Path(ge=1, lt=1 << 62, description="the journal's entry that put the round right")]
Place = Annotated[int, Path(ge=1, le=1_000, description="which exercise, the first being 1")]
CourseId = Annotated[str, Path(alias="id", max_length=80, description="a course's id")]
OF_EDITION = {DEALERS: "Dealer's course", SPEED: "Against the clock", PLAYERS: "Player's course"}


def school_of(request: Request) -> School:
    """The school of the house that serves this request."""
    school: School = request.app.state.school
    return school


async def _candidate(request: Request, session: AnySession) -> Session:
    """Somebody whose results the house keeps."""
    if not is_kept(request, session):
        message = "an examination needs an account, and a name taken for the demo is none: log in as somebody of the staff"
        raise Refused("account-needed", message)
    return session


Candidate = Annotated[Session, Depends(_candidate)]


# Courses


def _told(course: TrainingCourse, is_own: bool) -> CourseAnswer:
    return CourseAnswer.model_validate({**course.as_data(), "asked": course.asked, "own": is_own})


@router.get("/courses", summary="Every course")
def courses(request: Request, session: Trainee) -> list[CourseListed]:
    """The house's own first, then those that every edition has by itself."""
    own = [
        CourseListed(id=course.id, name=course.name, edition=" ".join(course.editions), own=True)
        for course in school_of(request).courses()
    ]
    for edition in known_editions(house_of(request).state.editions):
        for begins, title in OF_EDITION.items():
            if begins != PLAYERS or edition.game.face.choices:
                own.append(CourseListed(id=begins + edition.id, name=title, edition=edition.id, own=False))
    return own


@router.get("/courses/{id}", summary="A course")
@apart(POOL)
def course(request: Request, id_: CourseId, session: Trainee) -> CourseAnswer:
    """What it asks, how much must be right, and the time of its examination."""
    school = school_of(request)
    return _told(school.course(id_), is_own=id_ in {own.id for own in school.courses()})


@router.post("/courses", summary="Add a course of the house's own")
@apart(POOL)
def add_course(request: Request, given: CourseAdded, session: Supervises) -> CourseAnswer:
    """From TOML, as `houseway train course add` takes it."""
    added = read_course(given.text, "the course")
    school_of(request).add_course(added, actor_of(session))
    return _told(added, is_own=True)


@router.delete("/courses/{id}", summary="Remove a course of the house's own", status_code=204)
def remove_course(request: Request, id_: CourseId, session: Supervises) -> None:
    """Examinations that began go on."""
    school_of(request).remove_course(id_, actor_of(session))


# Examinations


@router.get("/exams", summary="Examinations that one may see")
@apart(POOL)
def exams(
    request: Request,
    session: Candidate,
    person: Annotated[str, Query(max_length=100, description="of one person alone; supervisors only, and oneself")] = "",
) -> list[ExamAnswer]:
    """The newest first: everybody his own, supervisors those of all."""
    return [ExamAnswer.model_validate(told) for told in school_of(request).results(actor_of(session), person)]


@router.post("/exams", summary="Begin an examination")
@apart(POOL)
def begin_exam(request: Request, given: ExamBegun, session: Candidate) -> ExamAnswer:
    """Its clock runs from now. Whoever may see results may begin one for another, and name the seed."""
    school, by = school_of(request), actor_of(session)
    number, _ = school.begin_exam(by, given.course, given.seed, given.person)
    return ExamAnswer.model_validate(school.result(by, number))


@router.get("/exams/{number}", summary="How an examination stands, or its result")
@apart(POOL)
def exam(request: Request, number: ExamNumber, session: Candidate) -> ExamAnswer:
    """One whose time is over is handed in as it is."""
    school, by = school_of(request), actor_of(session)
    told = school.result(by, number)
    return ExamAnswer.model_validate(told | {"notices": [] if told["result"] else school.notices(by, number)})


@router.get("/exams/{number}/exercises/{place}", summary="An exercise of an examination")
@apart(POOL)
def exam_exercise(request: Request, number: ExamNumber, place: Place, session: Candidate) -> ExamExercise:
    """With what was answered so far, and nothing of what is right."""
    school, by = school_of(request), actor_of(session)
    asked = school.asked(by, number, place)
    return ExamExercise.model_validate(asked | {"table": _table(request, school.sitting(by, number), place)})


@router.post("/exams/{number}/exercises/{place}", summary="Answer an exercise of an examination")
@apart(POOL)
def exam_answer(request: Request, number: ExamNumber, place: Place, given: ExamAnswerGiven, session: Candidate) -> ExamAnswer:
    """The first answer or another one; one that comes after the clock is refused (`too-late`), and what was given counts."""
    school, by = school_of(request), actor_of(session)
    school.answer(by, number, place, given.answer)
    return ExamAnswer.model_validate(school.result(by, number))


@router.post("/exams/{number}/hand-in", summary="Hand an examination in")
@apart(POOL)
def hand_in(request: Request, number: ExamNumber, session: Candidate) -> ExamAnswer:
    """Its result."""
    return ExamAnswer.model_validate(school_of(request).hand_in(actor_of(session), number))


@router.get("/exams/{number}/explained/{place}", summary="An exercise of an examination that is over, explained")
@apart(POOL)
def explained(request: Request, number: ExamNumber, place: Place, session: Candidate) -> ExamExplained:
    """What was answered, what is right, and why."""
    school, by = school_of(request), actor_of(session)
    told = school.explained(by, number, place)
    sitting = school.sitting(by, number)
    edition = sitting.examination.part(place).lesson(sitting.examination.documents[told["edition"]]).edition
    verdict = told["verdict"]
    cited = clause_texts(edition, [reason["clause"] for reason in verdict["why"]])
    return ExamExplained.model_validate({**told, **verdict, "clauses": cited, "table": described(edition)})


def _table(request: Request, sitting: Any, place: int) -> Mapping[str, Any]:
    """How the table of an exercise looks, though its edition may be removed by now."""
    examination = sitting.examination
    part = examination.part(place)
    return described(part.lesson(examination.documents[part.edition]).edition).model_dump()


# Rounds that were really dealt


@router.get("/rounds", summary="Rounds of one's own that had to be put right")
@apart(POOL)
def rounds(request: Request, session: Candidate) -> list[RoundListed]:
    """Those that one has dealt and not worked through yet, the newest first."""
    found = school_of(request).dealt_wrong(actor_of(session), session.name)
    return [RoundListed(seq=w.seq, table=w.table, day=w.day, how=w.how, reason=w.reason, kind=e.kind) for w, e in found]


@router.get("/rounds/{seq}", summary="The exercise about a round that had to be put right")
@apart(POOL)
def round_exercise(request: Request, seq: EntryNumber, session: Candidate) -> RoundExercise:
    """As it stood before it was settled, with the truth on it."""
    asked = school_of(request).table_exercise(actor_of(session), seq)
    return RoundExercise.model_validate({**asked.shown(), "topic_words": "", "table": described(_played(request, seq))})


@router.post("/rounds/{seq}", summary="Answer the exercise about such a round")
@apart(POOL)
def round_answer(request: Request, seq: EntryNumber, given: ExamAnswerGiven, session: Candidate) -> RoundJudged:
    """Answered rightly by whoever dealt it, it is not asked again."""
    verdict = school_of(request).answer_table(actor_of(session), seq, given.answer)
    cited = clause_texts(_played(request, seq), [reason.clause for reason in verdict.why])
    return RoundJudged.model_validate({**verdict.shown(), "clauses": cited})


def _played(request: Request, seq: int) -> Edition:
    """The edition that the table of an entry played, by the content that it was opened with."""
    store = house_of(request).floor.store
    wrong = one_dealt_wrong(store, seq)
    opening = store.opening(wrong.table, wrong.end) if wrong else None
    if opening is None:
        raise Refused("no-such-round", f"entry {seq} put no round right")
    return read_document(bound_in(opening)["document"])


# Certificates


@router.get(
    "/exams/{number}/certificate.pdf",
    summary="The certificate of an examination that was passed",
    responses={200: {"content": {"application/pdf": {}}, "description": "a PDF, signed by the house"}},
    response_class=Response,
)
@apart(POOL)
def certificate(request: Request, number: ExamNumber, session: Candidate) -> Response:
    """Signed when it is first asked for; the same file each time in one release."""
    made, pdf = school_of(request).certificate(actor_of(session), number)
    name = f"certificate-{made.number}.pdf"
    return Response(pdf, media_type="application/pdf", headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post(
    "/certificates/verify",
    summary="Verify a certificate",
    openapi_extra={"requestBody": {"required": True, "content": {"application/pdf": {"schema": {"type": "string"}}}}},
)
async def verify_certificate(request: Request, session: StaffSession) -> CertificateVerified:
    """Whether a file is a certificate of this house, unchanged to the byte. Nothing is kept."""
    content = await request.body()
    if not content.startswith(b"%PDF"):
        raise Refused("bad-report", "it is no PDF: send a certificate that a house has signed")
    found = await request.app.state.apart[POOL].run(client_of(request), lambda: school_of(request).verify(content))
    return CertificateVerified(
        title=found.title, holds=found.holds, findings=list(found.findings)[:50], remarks=list(found.remarks)
    )


# Pages


def _page(request: Request, template: str, **data: Any) -> HTMLResponse:
    page: HTMLResponse = request.app.state.pages.page(request, template, page="train", **data)
    return page


@pages.get("/train/course/{id}")
def course_page(request: Request, id_: CourseId) -> HTMLResponse:
    """A course: what it asks, and its examination."""
    return _page(request, "train-course.html", course=id_)


@pages.get("/train/exam/{number}", response_model=None)
def exam_page(request: Request, number: ExamNumber) -> HTMLResponse | RedirectResponse:
    """An examination: sat, and then explained."""
    return to_login(request, tuple(ROLES)) or _page(request, "train-exam.html", exam=number)


@pages.get("/train/round/{seq}", response_model=None)
def round_page(request: Request, seq: EntryNumber) -> HTMLResponse | RedirectResponse:
    """A round that had to be put right, as an exercise."""
    return to_login(request, tuple(ROLES)) or _page(request, "train-round.html", seq=seq)


@pages.get("/train/house/results", response_model=None)
def results_page(request: Request) -> HTMLResponse | RedirectResponse:
    """The results of all, for supervisors."""
    return to_login(request, SEES["training"]) or _page(request, "train-results.html")


@pages.get("/train/house/verify", response_model=None)
def verify_page(request: Request) -> HTMLResponse | RedirectResponse:
    """A certificate is verified."""
    return to_login(request, SEES["floor"]) or _page(request, "train-verify.html")
