"""Solvers in the lab: the best play, hands that take long, strategies, and the odds of a player: apart, and one at a time.

Solving takes gigabytes, so one is under way and the others wait, and are told their place. What was answered before is answered
at once.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response, StreamingResponse

from houseway.web.lab import REFUSES, open_for
from houseway.web.lab_questions import SettingsAsked, command_of
from houseway.web.lab_runs import STREAM, CommandAnswer, KnownAnswers, bounds_of, limits_of, streamed
from houseway.web.lab_solving import BestAsked, PlayerAsked, SolveAsked, SolveChoices, StrategyAsked, solve_choices
from houseway.web.works import Works

router = APIRouter()
EditionId = Annotated[str, Path(alias="id", max_length=64, description="An edition's id")]
AT_ONCE = 1


def _solvings(request: Request) -> tuple[Works, KnownAnswers]:
    """What is solved in this application, and what was."""
    state = request.app.state
    if not hasattr(state, "solvings"):
        state.solvings = Works(limits_of(request).simulations, AT_ONCE)
    if not hasattr(state, "solved"):
        state.solved = KnownAnswers()
    return state.solvings, state.solved


async def _solved(request: Request, id_: str, kind: str, asked: SettingsAsked) -> Response:
    return await streamed(request, id_, kind, asked, *_solvings(request))


@router.post(
    "/api/v1/editions/{id}/best/stream",
    tags=["odds"],
    summary="Every choice with a hand, where that takes long",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def best(request: Request, id_: EditionId, asked: BestAsked) -> Response:
    """The same as `best`, in a process apart; what takes long is kept, so that `best` answers from then on."""
    return await _solved(request, id_, "best", asked)


@router.post(
    "/api/v1/editions/{id}/strategy/stream",
    tags=["odds"],
    summary="The strategy that a person remembers",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def strategy(request: Request, id_: EditionId, asked: StrategyAsked) -> Response:
    """A chart with the cost of every error, or lines; the same as `houseway strategy`."""
    return await _solved(request, id_, "strategy", asked)


@router.post(
    "/api/v1/editions/{id}/odds/stream",
    tags=["odds"],
    summary="The solved odds of a wager for a kind of player",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def player(request: Request, id_: EditionId, asked: PlayerAsked) -> Response:
    """The par sheet as `odds` has it, once that is worked out; it is kept, so that `odds` answers from then on."""
    return await _solved(request, id_, "odds", asked)


@router.get("/api/v1/editions/{id}/solve", tags=["odds"], summary="What a solver can be asked", responses=REFUSES)
def solve_asked(request: Request, id_: EditionId) -> SolveChoices:
    """The options that the game declares; or why nothing can be asked."""
    return solve_choices(open_for(request, id_), bounds_of(request))


@router.post("/api/v1/editions/{id}/solve/command", tags=["odds"], summary="The same in the shell", responses=REFUSES)
def solve_command(request: Request, id_: EditionId, asked: SolveAsked) -> CommandAnswer:
    """Nothing is solved, and nothing is checked but the form."""
    return CommandAnswer(command=command_of("solve", open_for(request, id_).id, asked))


@router.post(
    "/api/v1/editions/{id}/solve/stream",
    tags=["odds"],
    summary="The best play and its edge",
    responses={**REFUSES, **STREAM},
    response_class=StreamingResponse,
)
async def solve(request: Request, id_: EditionId, asked: SolveAsked) -> Response:
    """Solve in a process apart, with every option that the game has; the same as `houseway solve`."""
    return await _solved(request, id_, "solve", asked)


@router.get("/lab/{id}/solve", include_in_schema=False)
def solve_page(request: Request, id_: EditionId) -> HTMLResponse:
    """The best play, with every option."""
    edition = open_for(request, id_)
    page: HTMLResponse = request.app.state.pages.page(request, "lab-solve.html", page="lab", tab="solve", edition=edition.id)
    return page


@router.get("/lab/{id}/strategy", include_in_schema=False)
def strategy_page(request: Request, id_: EditionId) -> HTMLResponse:
    """What a person remembers."""
    edition = open_for(request, id_)
    page: HTMLResponse = request.app.state.pages.page(
        request, "lab-strategy.html", page="lab", tab="strategy", edition=edition.id
    )
    return page
