"""Simulations and protection in the lab: what can be asked, and the answer as it grows, as pages and as an API.

A stream is its work: whoever closes the one stops the other, and keeps what was told by then. Workers keep the tallies by what
was asked, so that the same question goes on, and any of the house's processes can serve any reader.
"""

import json
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from pydantic import BaseModel, Field
from starlette.types import Receive, Scope, Send

from houseway.house.standing import standing
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.table.bound import as_text
from houseway.web.apart import client_of
from houseway.web.identity import door_of, token_of
from houseway.web.lab import REFUSES, open_for
from houseway.web.lab_answers import status_of
from houseway.web.lab_questions import (
    STAFF_TIMES,
    Bounds,
    Kind,
    ProtectAsked,
    ProtectChoices,
    SettingsAsked,
    SimulateAsked,
    SimulateChoices,
    command_of,
    protect_choices,
    simulate_choices,
)
from houseway.web.limits import ClientLimits
from houseway.web.works import Work, Works, all_said, first_said

router = APIRouter()
EditionId = Annotated[str, Path(alias="id", max_length=64, description="An edition's id")]


class StreamEvents(BaseModel):
    """What the events of a stream hold, by their name."""

    queue: dict[str, int] = Field(description="`place` among those that wait, told when it changes; 0 once the turn has come")
    progress: dict[str, float | None] = Field(description="`done` of `total`, `rate` a second, `left_seconds`")
    answer: dict[str, Any] = Field(
        description="What is done so far comes to: `data` as the shell's `--format json`, `files` by their ending (Parquet in "
        "base64), the `command` that gives just this in the shell, what of it is a `what_if`, and whether this is the `whole` "
        "of what was asked"
    )
    refused: dict[str, str] = Field(description="`code` and `message`, where it is refused after it had to wait")
    end: dict[str, str] = Field(description="`why`: done, time, closing or failed; and that in `words`")


STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events `queue`, `progress`, `answer` (again and again, each with more done) and `end`. "
        "Whoever hangs up stops the work; asked the same again, it goes on from there.",
        "content": {"text/event-stream": {"schema": StreamEvents.model_json_schema()}},
    }
}


class Streamed(StreamingResponse):
    """A stream with its work, which ends with it, however that ends."""

    def __init__(self, work: Work, events: AsyncIterator[bytes]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self.work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; whatever hinders that, the work is not left."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.work.close()


def limits_of(request: Request) -> ClientLimits:
    """What one client may take here."""
    limits: ClientLimits = getattr(request.app.state, "limits", None) or ClientLimits()
    return limits


class KnownAnswers:
    """Whole answers that were given before, by what was asked; the least recently asked for are forgotten."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._answers: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def answer(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to this, if it was given before."""
        key = json.dumps(question, sort_keys=True)
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def keep(self, question: dict[str, Any], answer: dict[str, Any]) -> None:
        """Remember an answer."""
        self._answers[json.dumps(question, sort_keys=True)] = answer
        if len(self._answers) > self._most:
            self._answers.popitem(last=False)


def works_of(request: Request) -> Works:
    """The works of this application; the lab alone has its own."""
    if not hasattr(request.app.state, "works"):
        request.app.state.works = Works(limits_of(request).simulations)
    works: Works = request.app.state.works
    return works


def bounds_of(request: Request) -> Bounds:
    """What whoever asks may ask for: the staff more than others."""
    seconds = limits_of(request).simulation_seconds
    session = door_of(request).who(token_of(request)) if hasattr(request.app.state, "door") else None
    is_staff = session is not None and session.role != "guest" and not session.locked and not session.needs
    return Bounds(seconds * STAFF_TIMES, STAFF_TIMES) if is_staff else Bounds(seconds)


def _opened(request: Request, id_: str, kind: str, asked: SettingsAsked) -> tuple[dict[str, Any], Bounds]:
    """The question as a worker is told it."""
    edition, bounds = open_for(request, id_), bounds_of(request)
    asked.check(edition, bounds)
    document = as_text(edition.document)
    given = {"kind": kind, "document": document, "digest": standing(edition).rules, "asked": asked.model_dump()}
    given["status"] = status_of(standing(edition))
    return given, bounds


async def streamed(
    request: Request, id_: str, kind: str, asked: SettingsAsked, works: Works, known: KnownAnswers | None = None
) -> Response:
    """The answer to a question as it grows; at once where it is known. Where it must wait, that is told."""
    question, bounds = await run_in_threadpool(_opened, request, id_, kind, asked)
    return await stream_of(request, works, question, bounds.seconds, known)


async def stream_of(
    request: Request, works: Works, question: dict[str, Any], seconds: float, known: KnownAnswers | None = None
) -> Response:
    """What a worker says to a question, as events; what is known is said at once, and refused what is refused at once."""
    if known and (before := known.answer(question)):
        return StreamingResponse(_told_before(before), media_type="text/event-stream")
    work = works.ask(client_of(request), question, seconds)
    try:
        first = {} if works.place(work) else await first_said(work, request.is_disconnected)
        if first is None:
            work.close()
            return Response(status_code=204)  # nobody reads it
        if refused := first.get("refused"):
            raise Refused(refused["code"], refused["message"])
    except BaseException:
        work.close()
        raise

    def is_closing() -> bool:
        return bool(getattr(getattr(request.app.state, "house", None), "closed", False))

    async def events() -> AsyncIterator[bytes]:
        async for event, content in all_said(work, first, is_closing, lambda: works.place(work)):
            if known and event == "answer" and content["whole"]:
                known.keep(question, content)
            yield _event(event, content)

    return Streamed(work, events())


def _event(name: str, content: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n".encode()


async def _told_before(answer: dict[str, Any]) -> AsyncIterator[bytes]:
    yield _event("answer", answer)
    yield _event("end", {"why": "done", "words": ""})


class CommandAnswer(BaseModel):
    """The command that asks the same in the shell."""

    command: str


def _command(request: Request, id_: str, kind: Kind, asked: SettingsAsked) -> CommandAnswer:
    return CommandAnswer(command=command_of(kind, open_for(request, id_).id, asked))


def _choices_of(request: Request, id_: str) -> tuple[Edition, Bounds]:
    return open_for(request, id_), bounds_of(request)


@router.get("/api/v1/editions/{id}/simulate", tags=["odds"], summary="What can be simulated, and how much", responses=REFUSES)
def simulate_asked(request: Request, id_: EditionId) -> SimulateChoices:
    """Seats, ways to decide, how shoes are dealt where nothing is said, and what you may ask for."""
    return simulate_choices(*_choices_of(request, id_))


@router.get("/api/v1/editions/{id}/protect", tags=["odds"], summary="What can be counted or seen", responses=REFUSES)
def protect_asked(request: Request, id_: EditionId) -> ProtectChoices:
    """Wagers, published counts, conventions, and what you may ask for; or why nothing can be asked."""
    return protect_choices(*_choices_of(request, id_))


@router.post("/api/v1/editions/{id}/simulate/command", tags=["odds"], summary="The same in the shell", responses=REFUSES)
def simulate_command(request: Request, id_: EditionId, asked: SimulateAsked) -> CommandAnswer:
    """Nothing is dealt, and nothing is checked but the form."""
    return _command(request, id_, "simulate", asked)


@router.post("/api/v1/editions/{id}/protect/command", tags=["odds"], summary="The same in the shell", responses=REFUSES)
def protect_command(request: Request, id_: EditionId, asked: ProtectAsked) -> CommandAnswer:
    """Nothing is dealt, and nothing is checked but the form."""
    return _command(request, id_, "protect", asked)


@router.post(
    "/api/v1/editions/{id}/simulate/stream",
    tags=["odds"],
    summary="Deal whole shoes by the rules",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def simulate(request: Request, id_: EditionId, asked: SimulateAsked) -> Response:
    """Deal in a process apart, behind the tables. The same seed gives the same tallies as `houseway simulate`."""
    return await streamed(request, id_, "simulate", asked, works_of(request))


@router.post(
    "/api/v1/editions/{id}/protect/stream",
    tags=["odds"],
    summary="What a counter can win, and what stops him",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def protect(request: Request, id_: EditionId, asked: ProtectAsked) -> Response:
    """Count along in a process apart, behind the tables; the same as `houseway protect`."""
    return await streamed(request, id_, "protect", asked, works_of(request))


def _page(request: Request, id_: str, kind: Kind) -> HTMLResponse:
    edition = open_for(request, id_)
    page: HTMLResponse = request.app.state.pages.page(request, f"lab-{kind}.html", page="lab", tab=kind, edition=edition.id)
    return page


@router.get("/lab/{id}/simulate", include_in_schema=False)
def simulate_page(request: Request, id_: EditionId) -> HTMLResponse:
    """Whole shoes, dealt."""
    return _page(request, id_, "simulate")


@router.get("/lab/{id}/protect", include_in_schema=False)
def protect_page(request: Request, id_: EditionId) -> HTMLResponse:
    """What a counter can win."""
    return _page(request, id_, "protect")
