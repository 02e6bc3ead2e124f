"""Practising at a full table over HTTP: the trainer's side, and the commands and the view of the dealer's page."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from houseway.house.editions import known_edition
from houseway.table.roles import ROLES
from houseway.view import Reader, happened
from houseway.view.words import edition_of_entry
from houseway.web.apart import apart
from houseway.web.commands import NAME_MOST, REFUSALS, Done
from houseway.web.identity import AnySession, door_of, token_of
from houseway.web.live import STREAM, LastEventId, house_of
from houseway.web.packed import takes_gzip
from houseway.web.pages import to_login
from houseway.web.practice import GIVEN, PracticeHouse, PracticeTable
from houseway.web.train import POOL, clause_texts, described, lesson_in
from houseway.web.train_answers import AskAnswer, ExamAnswerGiven, RoundJudged, SceneAnswer, Taken, TrainEdition

router = APIRouter(prefix="/api/v1/train/practice", tags=["train"], responses=REFUSALS)
pages = APIRouter(include_in_schema=False)
TableName = Annotated[str, Path(min_length=1, max_length=NAME_MOST, description="the practice table's name")]
KindName = Annotated[str, Path(max_length=40, description="what the dealer does")]


class PracticeState(BaseModel):
    """What the trainer says."""

    table: str
    edition: TrainEdition
    round: int
    out: list[str] = Field(description="the cards that came out of the shoe, to be keyed now")
    dice: int = Field(description="what the dice show; 0 where there are none")
    mistakes: list[str]
    question: str = Field(description="what is asked before the round is settled; empty: nothing yet")
    asks: list[AskAnswer]
    scene: SceneAnswer | None = Field(description="what lies on the table then")
    judged: RoundJudged | None = Field(description="what was said of the payments")
    is_over: bool = Field(description="whether the round is settled")


def practice_of(request: Request) -> PracticeHouse:
    """The house of all practice tables."""
    practice: PracticeHouse = request.app.state.practice
    return practice


def _told(mine: PracticeTable) -> PracticeState:
    asked, verdict, edition = mine.exercise(), mine.verdict, mine.lesson.edition
    judged = None
    if verdict is not None:
        judged = verdict.shown() | {"clauses": clause_texts(edition, [reason.clause for reason in verdict.why])}
    wanted = asked is not None and verdict is None
    return PracticeState.model_validate(
        {
            "table": mine.name,
            "edition": described(edition),
            "round": mine.round,
            "out": mine.out_of_the_shoe(),
            "dice": mine.dice,
            "mistakes": mine.mistakes,
            "question": asked.question if asked and wanted else "",
            "asks": asked.shown()["asks"] if asked and wanted else [],
            "scene": asked.shown()["scene"] if asked and wanted else None,
            "judged": judged,
            "is_over": mine.is_over,
        }
    )


@router.post("", summary="Begin to practise at a full table")
@apart(POOL)
def begin(request: Request, given: Taken, session: AnySession) -> PracticeState:
    """A table of one's own, whose guests bet and decide by themselves: play, and no part of any journal."""
    return _told(practice_of(request).begin(session.name, lesson_in(request, given)))


@router.get("", summary="What the trainer says")
def trainer(request: Request, session: AnySession) -> PracticeState:
    """Which cards came out of the shoe, what was a mistake, and what is to be paid."""
    return _told(practice_of(request).of(session.name))


@router.post("/pay", summary="Name what is paid, before the round is settled")
def pay(request: Request, given: ExamAnswerGiven, session: AnySession) -> PracticeState:
    """Judged once, by the engine that then makes the payments."""
    mine = practice_of(request).of(session.name)
    mine.pay(given.answer)
    return _told(mine)


@router.post("/next", summary="The next round")
@apart(POOL)
def next_round(request: Request, session: AnySession) -> PracticeState:
    """Guests bet anew."""
    mine = practice_of(request).of(session.name)
    mine.next_round()
    return _told(mine)


@router.delete("", summary="Practise no more", status_code=204)
def end(request: Request, session: AnySession) -> None:
    """The table is forgotten."""
    practice_of(request).end(session.name)


@router.get("/tables/{table}/stream", summary="One's practice table, live", responses=STREAM)
def stream(request: Request, table: TableName, session: AnySession, last_event_id: LastEventId = "") -> StreamingResponse:
    """As the dealer of a table sees it."""
    mine, door, token = practice_of(request).of(session.name, table), door_of(request), token_of(request)

    def still_in() -> bool:
        now = door.who(token, touch=False)
        return now is not None and not now.locked and now.name == session.name

    as_gzip = takes_gzip(request.headers.get("accept-encoding", ""))
    after = int(last_event_id) if last_event_id else None
    events = mine.house.watch(mine.name, Reader(session.name, "dealer"), after, still_in, as_gzip)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    return StreamingResponse(
        events, media_type="text/event-stream", headers=headers | ({"Content-Encoding": "gzip"} if as_gzip else {})
    )


@router.post("/tables/{table}/{kind}", summary="Deal at one's practice table")
async def give(
    request: Request,
    table: TableName,
    kind: KindName,
    session: AnySession,
    fields: Annotated[dict[str, Any] | None, Body()] = None,
    key: Annotated[str, Header(alias="Idempotency-Key", max_length=60)] = "",
) -> Done:
    """What the dealer's page sends: what is refused is counted as a mistake."""
    mine = practice_of(request).of(session.name, table)
    entry = await run_in_threadpool(mine.give, kind, fields or {}, key)
    state = mine.house.state
    return Done(seq=entry.seq, hash=entry.hash, happened=happened(entry, edition_of_entry(state, entry)))


@pages.get("/train/table/{id}", response_model=None)
def practice_page(request: Request, id_: Annotated[str, Path(alias="id", max_length=64)]) -> HTMLResponse | RedirectResponse:
    """The dealer's own page on a practice table, with the trainer above it."""
    edition = known_edition(id_, house_of(request).state.editions)
    if sent := to_login(request, tuple(ROLES)):
        return sent
    page: HTMLResponse = request.app.state.pages.page(
        request, "train-table-page.html", page="train", edition=edition, may=list(GIVEN), sees=[], keyed=False, table=""
    )
    return page
