"""The application: a house, its door, and the routes to both."""

import json
import logging
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from psycopg import Error as DriverError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from houseway.house.alert_sender import AlertKeeper, watch_alerts
from houseway.house.backoff import TryLater
from houseway.house.backups import Backups
from houseway.house.day_watch import DayWatch, watch_day
from houseway.house.desk import AtDesk
from houseway.house.floor import Floor
from houseway.house.heads import HeadSender, send_heads, signing_key
from houseway.house.neighbours import Neighbours
from houseway.house.newest import Newest
from houseway.house.one_finds import OneFinds
from houseway.house.outage import FULL, NobodyCarriesOut, notice_when_it_answers
from houseway.house.people import People
from houseway.house.selfcheck import check_daily, note_check
from houseway.house.start import Opening, check_to_serve
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.release import VERSION
from houseway.table.duties import ONE, are_two
from houseway.table.roles import a_role
from houseway.train.school import School
from houseway.view import Json
from houseway.web import (
    account,
    commands,
    editions,
    heads,
    health,
    host,
    lab,
    lab_designs,
    lab_hand,
    lab_runs,
    lab_solve,
    live,
    pages,
    patrons,
    pit,
    reports,
    round_odds,
    slips,
    train,
    train_house,
    train_practice,
    wall,
)
from houseway.web.apart import TOO_MANY, Apart
from houseway.web.clients import Clients
from houseway.web.commands import REFUSALS
from houseway.web.day_odds import DayOdds
from houseway.web.demo import Demo
from houseway.web.guard import Guard
from houseway.web.identity import AnySession
from houseway.web.lifetime import ending_streams
from houseway.web.limits import HOUR, ClientLimits, GuestsMade, SeatsHeld
from houseway.web.logs import LogSettings, tell
from houseway.web.metrics import Metrics, gauges_of, leave_figures
from houseway.web.observed import REFUSED, Observed
from houseway.web.one_place import OnePlace
from houseway.web.people import DOOR, Door
from houseway.web.practice import PracticeHouse
from houseway.web.protocol import KEEPER, Doorkeeper
from houseway.web.served import LOBBY, ServedHouse, follow_others
from houseway.web.statics import STATIC, NamedStatic, Static
from houseway.web.up_to_date import UpToDate
from houseway.web.warm import leave_out_what_does_not_conform
from houseway.web.works import Works

log = logging.getLogger("houseway.web")
SITE = Path(__file__).resolve().parents[3] / "build" / "site"
"""The documentation, where `make docs` of a checkout puts it."""
STATUS = {"role-may-not": 403, "bad-csrf": 403, "not-your-seat": 403, "not-your-money": 403}
STATUS |= {"not-logged-in": 401, "bad-login": 401, "bad-code": 401, "code-wanted": 401, "screen-locked": 401}
STATUS |= {"password-needed": 403, "factor-needed": 403, "try-later": 429, "no-such-round": 404, "no-docs": 404}
STATUS |= {"last-administrator": 409, "own-account": 409, "unknown-session": 404}
STATUS |= {"bad-command": 422, "chain-broken": 503, "store-damaged": 503}
STATUS |= {
    "metrics-closed": 403,
    "busy": 429,
    "key-reused": 409,
    "wrong-phase": 409,
    "seat-taken": 409,
    "name-taken": 409,
    "table-open": 409,
}
STATUS |= {"check-cards-first": 409, "corrected-meanwhile": 409}
STATUS |= {"own-round": 403, "not-second": 403, "own-screen": 403, "not-on-table": 403, "on-table": 409}
STATUS |= {"unknown-request": 409, "lapsed": 409, "asked-already": 409, "confirmed-already": 409}
STATUS |= {TOO_MANY: 429, "too-many-guests": 429, "seats-held": 429, FULL: 503}
BOUNDS = {
    "greater_than_equal": ("ge", "a number from"),
    "greater_than": ("gt", "a number above"),
    "less_than_equal": ("le", "a number up to"),
    "less_than": ("lt", "a number below"),
}
OUR_WORDS = {
    "missing": "this is required",
    "extra_forbidden": "nothing of this name is known here",
    "string_type": "a text is required",
    "bool_parsing": "true or false is required",
    "bool_type": "true or false is required",
}
"""What the reader of requests finds wrong, by its own names for that, in our words."""
RETRY_AFTER = {"too-many-guests": 300, "seats-held": 60}
"""Seconds after which it is worth asking again, where that is not a few."""
A_FEW = 5
STATUS |= {
    "may-not-play": 403,
    "not-registered": 403,
    "no-such-alert": 404,
    "data-wanted": 409,
    "own-wish": 409,
    "known-patron": 409,
    "unknown-patron": 404,
}
STATUS |= {"account-needed": 403, "not-yours": 403, "unknown-exam": 404, "unknown-course": 404, "course-id-taken": 409}
STATUS |= {
    "no-practice": 404,
    "one-process": 409,
    "not-practised": 409,
    "not-that-card": 409,
    "not-that-number": 409,
    "pay-first": 409,
}
STATUS |= {"exam-over": 409, "too-late": 409, "exam-begun": 409, "exam-not-over": 409, "not-passed": 409}
STATUS |= {"seat-held": 409, "called-already": 409, "waits-already": 409, "on-break": 409}
STATUS |= {"no-entries": 404, "edition-unreadable": 409, "edition-id-taken": 409}
DEMO_STAFF = {
    "dealer": "dealer",
    "floor": "supervisor",
    "cashier": "cashier",
    "auditor": "auditor",
    "security": "security",
    "accounting": "accounting",
    "host": "host",
}


PATHS = ("key_file", "docs", "tls_cert", "tls_key", "shared_folder")


@dataclass(frozen=True)
class ServeSettings:
    """How a house is served."""

    store: str
    key_file: Path
    demo: bool = True
    requests_per_second: float = 200
    docs: Path = SITE
    limits: ClientLimits = field(default_factory=ClientLimits)
    proxies: tuple[str, ...] = ()
    tls_cert: Path | None = None
    tls_key: Path | None = None
    backup_every: str = ""
    backup_to: str = ""
    duties: str = ""
    """How many names a new house begins with; a demo has one."""
    logs: LogSettings = field(default_factory=LogSettings)
    metrics_token: str = ""
    shared_folder: Path | None = None
    """Where several processes put together what they count, and hand each other what they wrote; nobody else may enter it."""

    @property
    def backups(self) -> Backups | None:
        """The backups that the house makes by itself, if it does."""
        asked = self.backup_every or self.backup_to
        return Backups.into(self.backup_every, Path(self.backup_to) if self.backup_to else None) if asked else None

    def as_data(self) -> Json:
        """For another process."""
        return json.loads(json.dumps(asdict(self), default=str))  # type: ignore[no-any-return]

    @classmethod
    def from_data(cls, data: Json) -> "ServeSettings":
        """As another process was told."""
        paths = {name: Path(data[name]) for name in PATHS if data[name]}
        told = {
            "limits": ClientLimits(**data["limits"]),
            "logs": LogSettings(**data["logs"]),
            "proxies": tuple(data["proxies"]),
        }
        return cls(**data | paths | told)


def first_accounts(door: Door, demo: bool) -> dict[str, str]:
    """The first administrator (and, in a demo, one of each of the staff), with passwords that are told once."""
    passwords = {}
    wanted = {"admin": "administrator"} | (DEMO_STAFF if demo else {})
    if not door.people.all():
        for name, role in wanted.items():
            password = "-".join(secrets.token_hex(2) for _ in range(4))
            try:
                door.accounts.add(name, role, password, DOOR, reserved=True)
            except Refused:
                continue  # another process was faster
            passwords[name] = password
    return passwords


def _checked(floor: Floor) -> Floor:
    """A floor whose journal, store and key hold: on any other nothing is served."""
    opening = Opening(floor.store, floor.sealing, floor.refresh(), floor.started_from, floor.seq)
    check_to_serve(opening)
    log.info("%s", opening)
    return floor


def _opened(settings: ServeSettings) -> ServedHouse:
    """The house on its store, if all holds that must; with its neighbours, where several processes serve it."""
    begins = ONE if settings.demo else settings.duties
    house = ServedHouse(_checked(Floor(Store(settings.store, pooled=True), settings.key_file, begins=begins)))
    if settings.demo and are_two(house.state):
        raise Refused("no-demo", "the house on this store works with two names, and is no demo: serve it with --no-demo")
    if settings.shared_folder:
        try:
            house.floor.newest = Newest(settings.shared_folder)
            house.floor.neighbours = Neighbours(settings.shared_folder)
        except OSError as error:  # the name of a socket must be short, and some machines have none
            log.warning("processes cannot hand each other what they wrote (%s): each reads the journal", error)
        house.desk = AtDesk(settings.shared_folder, house.follow)
    note_check(house)
    signing_key(house, house.floor.store, house.floor.keys)  # one that is missing is found before anybody is let in
    return house


def _streams_of(house: ServedHouse, settings: ServeSettings) -> OnePlace | None:
    """Where several processes serve the house: which of them has the streams of what."""
    if settings.shared_folder is None:
        return None
    return OnePlace(settings.shared_folder, lambda: [*house.state.tables, *house.state.boards, LOBBY])


def create_app(settings: ServeSettings) -> FastAPI:
    """A house that can be visited."""
    leave_out_what_does_not_conform()
    house = _opened(settings)
    sender = HeadSender(house, house.floor.store, house.floor.keys)
    door = Door(People(house.floor.store), house)
    demo = Demo(house) if settings.demo else None
    day_watch = DayWatch(house, DayOdds(), OneFinds(settings.shared_folder, "day"))
    alerts = AlertKeeper(house, house.floor.clock, lambda: day_watch.found, OneFinds(settings.shared_folder, "alerts"))
    stopped = threading.Event()
    limits, clients = settings.limits, Clients(settings.proxies)
    keeper = Doorkeeper(limits, clients, _streams_of(house, settings))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[Json]:
        beside: list[tuple[Callable[..., object], object]] = [
            (follow_others, house),
            (check_daily, house),
            (partial(watch_alerts, is_out=house.is_out), alerts),
            (partial(watch_day, is_out=house.is_out), day_watch),
            (partial(send_heads, is_out=house.is_out), sender),
            (partial(notice_when_it_answers, write=house.floor.store.takes_writing), house.outages),
            (leave_figures, app),
        ]
        threads = [threading.Thread(target=work, args=(on, stopped), daemon=True) for work, on in beside]
        threads.append(threading.Thread(target=door.tell_failures, args=(stopped,), daemon=True))
        for thread in threads:
            thread.start()
        tell("open", release=VERSION, entries=house.seq, tables=sum(table.is_open for table in house.state.tables.values()))
        if demo:
            threading.Thread(target=demo.run, args=(stopped,), daemon=True).start()
        with ending_streams(house):
            yield {KEEPER: keeper}
        stopped.set()
        keeper.close()
        tell("closed", entries=house.seq)
        house.close()
        app.state.metrics.leave(gauges_of(app))
        app.state.practice.close()
        app.state.works.close()
        app.state.solvings.close()
        app.state.reports.close()

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
    app.state.house, app.state.door, app.state.demo, app.state.alerts = house, door, demo, alerts
    app.state.heads = heads.NewestHead(house)

    app.state.round_odds = round_odds.RoundOdds(house)
    app.state.school = School(house.floor.store, house.floor.keys, own=lambda: house.state.editions)
    app.state.practice = PracticeHouse(is_shared=settings.shared_folder is not None)
    app.state.backups = settings.backups
    app.state.pages = pages.Pages(settings.demo)
    app.state.seats_held, app.state.guests_made = SeatsHeld(limits.seats), GuestsMade(limits.guests, HOUR)
    _make_room_for_long_work(app, limits)
    app.state.metrics, app.state.metrics_token = Metrics(settings.shared_folder), settings.metrics_token
    app.state.readiness = health.Readiness(app)
    app.state.first_accounts = first_accounts(door, settings.demo)
    if demo:
        demo.set_up()
    _add_routes(app, settings)
    _stand_around(app, settings, clients)
    return app


def _stand_around(app: FastAPI, settings: ServeSettings, clients: Clients) -> None:
    """What every request goes through; the last is the outermost."""
    if settings.shared_folder:
        app.add_middleware(UpToDate, house=app.state.house)
    app.add_middleware(Guard, per_second=settings.requests_per_second, clients=clients, streams=settings.limits.streams)
    app.add_middleware(Observed, metrics=app.state.metrics)


def _add_routes(app: FastAPI, settings: ServeSettings) -> None:
    """Everything that can be asked for, and how what goes wrong is answered."""
    app.router.routes.append(commands.straight_way())  # the first that is asked, and nearly always the one
    for router in (
        commands.routes(),
        live.router,
        round_odds.router,
        account.router,
        pit.router,
        patrons.router,
        host.router,
        slips.router,
        heads.router,
        editions.router,
        lab.router,
        lab_hand.router,
        lab_designs.router,
        lab_runs.router,
        lab_solve.router,
        reports.router,
        train.router,
        train.pages,
        train_house.router,
        train_house.pages,
        train_practice.router,
        train_practice.pages,
        demo_router,
        health.router,
        wall.router,
        wall.api,
        pages.router,
    ):
        app.include_router(router, responses=REFUSALS)
    app.mount("/static", NamedStatic(directory=STATIC), name="static")
    app.mount("/docs", Docs(directory=settings.docs, html=True, check_dir=False), name="docs")
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _not_as_described)
    app.add_exception_handler(HTTPException, _http)
    for failed in (SQLAlchemyError, DriverError, NobodyCarriesOut):
        app.add_exception_handler(failed, _store_failed)


def _make_room_for_long_work(app: FastAPI, limits: ClientLimits) -> None:
    """What takes long is done apart from the tables."""
    app.state.apart = {
        "replays": Apart("replays", 2, 32, limits.heavy),
        "round odds": Apart("odds of rounds", 1, 8, limits.heavy),
        "audits": Apart("audits", 1, 2, limits.heavy),
        "lab": Apart("questions about odds", 6, 32, limits.heavy),
        train.POOL: Apart("exercises", 3, 64, 2 * limits.heavy),
    }
    app.state.limits, app.state.works = limits, Works(limits.simulations)
    app.state.solvings = Works(limits.simulations, lab_solve.AT_ONCE)
    app.state.reports = reports.report_works(limits)


ABOUT = """
Everything the pages do, a program can do. Take a name (`POST /guests`) or log in (`POST /session`), send the token as
`Authorization: Bearer`, read a table (`GET /tables/{table}`) or watch it (`GET /tables/{table}/stream`), and give commands
(`POST /tables/{table}/...`). Money is integer cents. A command with an `Idempotency-Key` has one effect however often it
is sent. Whatever is refused changes nothing, and says what would be accepted.
"""


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
        raise Refused("role-may-not", f"{a_role(session.role)} does not play (may: guest)")
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
    request.app.state.house.is_out(error)  # a store that cannot be used is logged
    request.scope[REFUSED] = error.code
    answer = _answer(request, status, error.code, error.message)
    if status in {429, 503}:
        usual = RETRY_AFTER.get(error.code, A_FEW)
        answer.headers["Retry-After"] = str(error.seconds if isinstance(error, TryLater) else usual)
    return answer


def _not_as_described(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = "; ".join(
        f"{'.'.join(str(part) for part in flaw['loc'][1:]) or 'body'}: {_in_our_words(flaw)}" for flaw in error.errors()[:5]
    )
    return _answer(request, 422, "bad-request", wrong[:500])


def _in_our_words(flaw: Mapping[str, Any]) -> str:
    """What is wrong with a field, as other refusals say it: never what was given, which may be a secret."""
    kind, bounds = str(flaw["type"]), flaw.get("ctx", {})
    if kind in BOUNDS:
        key, words = BOUNDS[kind]
        return f"give {words} {bounds[key]}"
    if kind.startswith("int_"):
        return "a whole number is required"
    return OUR_WORDS.get(kind, str(flaw["msg"]).removeprefix("Value error, "))


async def _store_failed(request: Request, error: Exception) -> Response:
    """The store does not answer: said without asking it anything, not even who asks. Our own mistakes stay mistakes."""
    why = request.app.state.house.is_out(error)
    if not why:
        raise error
    message = f"the house's store does not answer ({why}): try again in a few seconds; an Idempotency-Key has one effect"
    headers = {"Retry-After": str(A_FEW)}
    if _wants_page(request):
        page = f'<!doctype html><meta http-equiv="refresh" content="{A_FEW}"><title>Houseway</title><p>{escape(message)}</p>'
        return HTMLResponse(page, 503, headers)
    return JSONResponse({"code": "store-out", "message": message}, 503, headers)


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "bad-request")
    messages = {404: f"there is nothing at {request.url.path[:100]}", 405: f"{request.method} is not possible here"}
    answer = _answer(request, error.status_code, code, messages.get(error.status_code, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer
