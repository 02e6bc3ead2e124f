"""Reports in the browser: made and verified in processes apart from the tables, as pages and as an API.

What can be made comes from the kinds that are declared, so that a new kind is here by itself. A stream is its work.
"""

import base64
import sys
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from houseway.house.people import Session
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import inputs_of_house
from houseway.report.browsed import style
from houseway.report.house_kinds import HOUSE_KINDS, HouseKind, HouseSource, house_kind
from houseway.report.kinds import KINDS, ReportKind, kind_of
from houseway.report.make import day_of
from houseway.solve.shell import Option
from houseway.table.bound import as_text
from houseway.table.gaming_day import gaming_day
from houseway.table.roles import SEES, may_not
from houseway.view.slips import check_counted
from houseway.web.apart import client_of
from houseway.web.commands import Refusal
from houseway.web.identity import BooksReader, MaybeSession
from houseway.web.lab import open_for
from houseway.web.lab_questions import STAFF_TIMES
from houseway.web.lab_runs import EditionId, stream_of
from houseway.web.limits import ClientLimits
from houseway.web.live import house_of
from houseway.web.pages import to_login
from houseway.web.works import Message, Works

router = APIRouter()
WORKER = [sys.executable, "-m", "houseway.web.report_worker"]
Name = Annotated[str, Field(max_length=64)]
Text = Annotated[str, Field(max_length=500)]
KindName = Annotated[str, Path(max_length=40, description="a kind of report")]
_REFUSES: dict[int | str, dict[str, Any]] = {400: {"model": Refusal, "description": "What, why, and what would be accepted"}}
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Server-sent events `progress`, `answer` (once: the report as HTML, and its files in base64; or what "
        "verifying came to) and `end`. Whoever hangs up stops the work.",
        "content": {"text/event-stream": {}},
    }
}


class ReportOption(BaseModel):
    """An option of a kind of report; one that takes nothing is a yes or no."""

    name: str
    about: str
    takes: str


class ReportChoice(BaseModel):
    """A kind of report: what it is about, and what it can be asked with."""

    kind: str
    about: str
    options: list[ReportOption]
    papers: list[str]

    @classmethod
    def of(cls, kind: ReportKind | HouseKind) -> "ReportChoice":
        """A kind that is declared."""
        return cls(kind=kind.name, about=kind.about, options=_options(kind.options), papers=list(kind.papers))


def _options(options: tuple[Option, ...]) -> list[ReportOption]:
    return [ReportOption(name=option.name, about=option.about, takes=option.takes) for option in options]


class ReportAsked(BaseModel):
    """What a report is made of; whatever is left out is as usual."""

    model_config = ConfigDict(extra="forbid")

    settings: dict[Name, Name] = Field({}, max_length=40, description="settings by name; the others keep their default")
    what_if: bool = Field(False, description="also what the approval does not allow, marked on every page")
    options: dict[Name, Text | bool] = Field({}, max_length=20, description="options of the kind, by name")
    paper: Name = Field("", description="what it is printed on; without it the usual one")
    date: Name = Field("", description="the day that it is of, such as 2026-03-01; without it today")


class HouseReportAsked(BaseModel):
    """What a report of this house is of."""

    model_config = ConfigDict(extra="forbid")

    options: dict[Name, Text] = Field({}, max_length=20, description="options of the kind, by name")
    paper: Name = Field("", description="what it is printed on; without it the usual one")
    date: Name = Field("", description="the day that it is of; without it today")


def report_works(limits: ClientLimits) -> Works:
    """Few reports at once, and as many for each client as simulations."""
    return Works(limits.simulations, what="report", worker=WORKER)


async def _made_apart(request: Request, question: Message, session: Session | None) -> Response:
    """What a process apart makes of a question, as it goes; staff may wait longer."""
    limits: ClientLimits = request.app.state.limits
    times = STAFF_TIMES if session is not None and session.role != "guest" else 1
    return await stream_of(request, request.app.state.reports, question, limits.simulation_seconds * times)


def _checked(request: Request, id_: str, kind: str, asked: ReportAsked) -> Message:
    """The question as a worker is told it; refused here is what can be told at once."""
    edition, declared = open_for(request, id_), kind_of(kind)
    for name, value in asked.settings.items():
        switch = edition.game.switches.get(name)
        if switch and switch.allows_file(value):
            raise Refused("bad-setting", f'{name} "{value}" is not possible ({", ".join(map(str, switch.values))})')
    edition.settings({name.replace("-", "_"): value for name, value in asked.settings.items()}, asked.what_if)
    declared.chosen(asked.options)
    declared.paper(asked.paper)
    return {"kind": kind, "document": as_text(edition.document), "asked": asked.model_dump()}


@router.get("/api/v1/editions/{id}/reports", tags=["reports"], summary="The reports of an edition", responses=_REFUSES)
def edition_reports(request: Request, id_: EditionId) -> list[ReportChoice]:
    """Every kind that can be made of an edition, with its options and papers."""
    open_for(request, id_)
    return [ReportChoice.of(kind) for kind in KINDS.values()]


@router.post(
    "/api/v1/editions/{id}/reports/{kind}/stream",
    tags=["reports"],
    summary="Make a report of an edition",
    responses={**_REFUSES, **_STREAM},
    response_class=StreamingResponse,
)
async def make_report(request: Request, id_: EditionId, kind: KindName, asked: ReportAsked, session: MaybeSession) -> Response:
    """Made and printed in a process apart; the same as `houseway report`."""
    question = await run_in_threadpool(_checked, request, id_, kind, asked)
    return await _made_apart(request, question, session)


@router.post(
    "/api/v1/reports/verify/stream",
    tags=["reports"],
    summary="Verify a report",
    responses={**_REFUSES, **_STREAM},
    response_class=StreamingResponse,
    openapi_extra={"requestBody": {"required": True, "content": {"application/pdf": {"schema": {"type": "string"}}}}},
)
async def verify_report(request: Request, session: MaybeSession) -> Response:
    """Take the data out of a PDF and work all of it out again. Of a report of this house, whoever may read the journal is
    told also whether the store has it. Nothing is kept."""
    content = await request.body()
    if not content.startswith(b"%PDF"):
        raise Refused("bad-report", "it is no PDF: send one that houseway report has written")
    reads = session is not None and session.role in SEES["journal"]
    store = house_of(request).floor.store.url if reads else ""
    question = {"pdf": base64.b64encode(content).decode(), "store": store}
    return await _made_apart(request, question, session)


@router.post(
    "/api/v1/reports/{kind}/stream",
    tags=["reports"],
    summary="Make a report of this house",
    responses={**_REFUSES, **_STREAM},
    response_class=StreamingResponse,
)
async def make_house_report(request: Request, kind: KindName, asked: HouseReportAsked, session: BooksReader) -> Response:
    """A round with its proof, or the audit of a period: for those who may read the journal. What it is made from is read here,
    behind the tables; it is built and printed in a process apart. A gaming day, for those who may see the books, is read there
    too."""
    declared = house_kind(kind)
    may = SEES[declared.sees]
    if session.role not in may:
        raise may_not(session.role, "do this", may)
    declared.paper(asked.paper)
    floor = house_of(request).floor
    if declared.takes_long:
        options = declared.chosen(asked.options)
        house, today = house_of(request), gaming_day(floor.clock(), floor.state)
        check_counted(house.state, session.role, day_of(options["day"]) if options["day"] else today, today)
        about = {"kind": declared.name, "options": options, "paper": asked.paper, "on": asked.date}
        return await _made_apart(request, {"taken": about, "store": floor.store.url}, session)

    def taken() -> dict[str, Any]:
        source = HouseSource(Store(floor.store.url, only_reads=True), floor.keys)
        return inputs_of_house(declared.name, source, asked.options, paper=asked.paper, on=asked.date)

    inputs = await request.app.state.apart["audits"].run(client_of(request), taken)
    return await _made_apart(request, {"inputs": inputs}, session)


def _page(request: Request, page: str, **data: Any) -> HTMLResponse:
    shown: HTMLResponse = request.app.state.pages.page(request, "reports.html", page=page, **data)
    return shown


@router.get("/lab/{id}/reports", include_in_schema=False)
def reports_page(request: Request, id_: EditionId) -> HTMLResponse:
    """The reports of an edition."""
    return _page(request, "lab", mode="edition", tab="reports", edition=open_for(request, id_).id, kind="", choices=[])


@router.get("/reports/style.css", include_in_schema=False)
def report_style() -> Response:
    """How a report looks, on a screen and printed."""
    return Response(style(), media_type="text/css", headers={"Cache-Control": "no-cache"})


@router.get("/reports/verify", include_in_schema=False)
def verify_page(request: Request) -> HTMLResponse:
    """Drop a PDF, and be told how many of its figures agree."""
    return _page(request, "verify", mode="verify", tab="", edition="", kind="", choices=[])


@router.get("/reports/{kind}", include_in_schema=False, response_model=None)
def house_page(
    request: Request, kind: KindName, round_: Annotated[str, Query(alias="round", max_length=20)] = ""
) -> HTMLResponse | RedirectResponse:
    """A report of this house, for those who may read the journal, or see the books; reports of a day are made on one page."""
    declared = house_kind(kind)
    if sent := to_login(request, SEES[declared.sees]):
        return sent
    beside = HOUSE_KINDS.values() if declared.takes_long else ()
    kinds = [each for each in beside if each.takes_long] or [declared]
    choices = [ReportChoice.of(each).model_dump() for each in kinds]
    return _page(
        request, "floor", mode="house", tab="", edition="", kind=declared.name, choices=choices, given={"round": round_}
    )
