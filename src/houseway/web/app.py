"""The application: a house, its door, and the routes to both."""

import logging
import secrets
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from houseway.house.floor import Floor
from houseway.house.people import People
from houseway.house.selfcheck import check_daily, note_check
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.web import commands, editions, lab, live, pages, pit
from houseway.web.commands import REFUSALS
from houseway.web.demo import Demo
from houseway.web.guard import Guard
from houseway.web.identity import AnySession
from houseway.web.people import DOOR, Door
from houseway.web.served import ServedHouse, follow_others
from houseway.web.warm import leave_out_what_does_not_conform

log = logging.getLogger("houseway.web")
STATIC = Path(__file__).resolve().parent / "static"
SITE = Path(__file__).resolve().parents[3] / "build" / "site"
"""The documentation, where `make docs` of a checkout puts it."""
STATUS = {"role-may-not": 403, "bad-csrf": 403, "not-your-seat": 403, "not-your-money": 403}
STATUS |= {"not-logged-in": 401, "bad-login": 401, "locked-out": 401, "no-such-round": 404, "no-docs": 404}
STATUS |= {"bad-command": 422}
STATUS |= {"busy": 429, "key-reused": 409, "wrong-phase": 409, "seat-taken": 409, "name-taken": 409, "table-open": 409}
STATUS |= {"check-cards-first": 409, "corrected-meanwhile": 409}
STATUS |= {"edition-unreadable": 409, "edition-id-taken": 409}
DEMO_STAFF = {"dealer": "dealer", "floor": "supervisor", "cashier": "cashier", "auditor": "auditor"}


@dataclass(frozen=True)
class ServeSettings:
    """How a house is served."""

    store: str
    key_file: Path
    demo: bool = True
    requests_per_second: float = 200
    docs: Path = SITE


def first_accounts(door: Door, demo: bool) -> dict[str, str]:
    """The first administrator (and, in a demo, one of each of the staff), with passwords that are told once."""
    passwords = {}
    wanted = {"admin": "administrator"} | (DEMO_STAFF if demo else {})
    if not door.people.all():
        for name, role in wanted.items():
            password = "-".join(secrets.token_hex(2) for _ in range(4))
            try:
                door.add(name, role, password, DOOR)
            except Refused:
                continue  # another process was faster
            passwords[name] = password
    return passwords


def create_app(settings: ServeSettings) -> FastAPI:
    """A house that can be visited."""
    leave_out_what_does_not_conform()
    house = ServedHouse(Floor(Store(settings.store, pooled=True), settings.key_file))
    note_check(house)
    door = Door(People(house.floor.store), house)
    demo = Demo(house) if settings.demo else None
    stopped = threading.Event()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=follow_others, args=(house, stopped), daemon=True).start()
        threading.Thread(target=check_daily, args=(house, stopped), daemon=True).start()
        if demo:
            threading.Thread(target=demo.run, args=(stopped,), daemon=True).start()
        yield
        stopped.set()
        house.close_streams()

    app = FastAPI(
        title="Houseway",
        version="1",
        summary="Table games for card rooms: play it, pay it, prove it.",
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.house, app.state.door, app.state.demo = house, door, demo
    app.state.pages = pages.Pages(settings.demo)
    app.state.first_accounts = first_accounts(door, settings.demo)
    if demo:
        demo.set_up()
    for router in (commands.routes(), live.router, pit.router, editions.router, lab.router, demo_router, pages.router):
        app.include_router(router, responses=REFUSALS)
    app.mount("/static", Static(directory=STATIC), name="static")
    app.mount("/docs", Docs(directory=settings.docs, html=True, check_dir=False), name="docs")
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _not_as_described)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(Guard, per_second=settings.requests_per_second)
    return app


ABOUT = """
Everything the pages do, a program can do. Take a name (`POST /guests`) or log in (`POST /session`), send the token as
`Authorization: Bearer`, read a table (`GET /tables/{table}`) or watch it (`GET /tables/{table}/stream`), and give commands
(`POST /tables/{table}/...`). Money is integer cents. A command with an `Idempotency-Key` has one effect however often it
is sent. Whatever is refused changes nothing, and says what would be accepted.
"""


class Static(StaticFiles):
    """Files that a browser may keep, but asks about."""

    def file_response(self, *given: object, **named: object) -> Response:
        """Kept for a while, and asked about then."""
        response: Response = super().file_response(*given, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


class Docs(Static):
    """The documentation, if it is built; it may be built while the house is open."""

    async def check_config(self) -> None:
        """Asked before every answer until it is content."""
        if not (Path(str(self.directory)) / "index.html").is_file():
            raise Refused("no-docs", "the documentation is not built here: `make docs` builds it from the folder docs/")


demo_router = APIRouter(prefix="/api/v1/demo", tags=["demo"], responses=REFUSALS)


def _demo_of(request: Request) -> Demo:
    demo: Demo | None = request.app.state.demo
    if demo is None:
        raise Refused("no-demo", "this house is no demo")
    return demo


@demo_router.post("/tables/{table}/ready", summary="All my bets are placed: deal", status_code=204)
def ready(request: Request, table: Annotated[str, InPath(max_length=40)], session: AnySession) -> None:
    """When every guest with a bet has said so, the croupier closes the betting and deals."""
    _demo_of(request).say_ready(table, session.name)


@demo_router.post("/chips", summary="More play money", status_code=204)
def chips(request: Request, session: AnySession) -> None:
    """For guests with little left."""
    if session.role != "guest":
        raise Refused("role-may-not", f"a {session.role} does not play (may: guest)")
    _demo_of(request).refill(session.name)


def _wants_page(request: Request) -> bool:
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


def _answer(request: Request, status: int, code: str, message: str) -> Response:
    if _wants_page(request):
        page: HTMLResponse = request.app.state.pages.page(request, "refused.html", status=status, code=code, message=message)
        return page
    return JSONResponse({"code": code, "message": message}, status)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    status = STATUS.get(error.code, 404 if error.code.startswith("unknown-") and request.method == "GET" else 400)
    return _answer(request, status, error.code, error.message)


def _not_as_described(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = "; ".join(
        f"{'.'.join(str(part) for part in flaw['loc'][1:]) or 'body'}: {flaw['msg']}" for flaw in error.errors()[:5]
    )
    return _answer(request, 422, "bad-request", wrong[:500])


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "bad-request")
    messages = {404: f"there is nothing at {request.url.path[:100]}", 405: f"{request.method} is not possible here"}
    answer = _answer(request, error.status_code, code, messages.get(error.status_code, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer
