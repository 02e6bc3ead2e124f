"""Designs in the lab: pay tables found by an exact search in a process apart, as a page and as an API."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from houseway.web.lab import REFUSES, open_for
from houseway.web.lab_designing import DesignAsked, DesignChoices, design_choices
from houseway.web.lab_questions import command_of
from houseway.web.lab_runs import STREAM, CommandAnswer, EditionId, bounds_of, streamed, works_of

router = APIRouter()


@router.get("/api/v1/editions/{id}/design", tags=["odds"], summary="Which pay tables can be designed", responses=REFUSES)
def design_asked(request: Request, id_: EditionId) -> DesignChoices:
    """Wagers with their rows and what these pay now, goals, and what you may ask for; or why nothing can be asked."""
    return design_choices(open_for(request, id_), bounds_of(request))


@router.post("/api/v1/editions/{id}/design/command", tags=["odds"], summary="The same in the shell", responses=REFUSES)
def design_command(request: Request, id_: EditionId, asked: DesignAsked) -> CommandAnswer:
    """Nothing is searched, and nothing is checked but the form."""
    said = asked.model_copy(update={"seconds": asked.seconds_each})
    return CommandAnswer(command=command_of("design", open_for(request, id_).id, said))


@router.post(
    "/api/v1/editions/{id}/design/stream",
    tags=["odds"],
    summary="Find pay tables by an exact search",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def design(request: Request, id_: EditionId, asked: DesignAsked) -> Response:
    """Search in a process apart, behind the tables; the same as `houseway design`.

    The answer's `files` hold every design as the text of an edition (`.1.toml` and on), for `POST /own-editions`.
    """
    return await streamed(request, id_, "design", asked, works_of(request))


@router.get("/lab/{id}/design", include_in_schema=False)
def design_page(request: Request, id_: EditionId) -> HTMLResponse:
    """Pay tables found by a search."""
    edition = open_for(request, id_)
    page: HTMLResponse = request.app.state.pages.page(request, "lab-design.html", page="lab", tab="design", edition=edition.id)
    return page
