"""The pages: thin shells that the scripts fill from the API."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.templating import Jinja2Templates

from houseway.games import edition_files
from houseway.house import editions
from houseway.refusal import one_of
from houseway.table.bound import read_document
from houseway.table.commands import may_give
from houseway.table.duties import ONE_NAME
from houseway.table.engine import edition_of
from houseway.table.pieces import chips_of
from houseway.table.roles import SEES, may_not, sees
from houseway.table.state import House
from houseway.view import described, edition_view
from houseway.view.duties import duties_words
from houseway.web.identity import COOKIE, check_csrf, door_of, token_of
from houseway.web.live import house_of, leave
from houseway.web.statics import templates_in

router = APIRouter(include_in_schema=False)
TEMPLATES = Path(__file__).resolve().parent / "templates"


class Pages:
    """Renders templates with what every page knows: who looks, what he may do, the CSRF token, whether this is a demo."""

    def __init__(self, demo: bool) -> None:
        self.templates, self.demo = Jinja2Templates(env=templates_in(TEMPLATES)), demo

    def page(self, request: Request, template: str, page: str = "", status: int = 200, **data: Any) -> HTMLResponse:
        """A page for whoever asks."""
        door = door_of(request)
        session = door.who(token_of(request))
        known: dict[str, Any] = {"person": session, "csrf": session.csrf if session else "", "demo": self.demo, "page": page}
        house = house_of(request)
        known |= {"one_name": ONE_NAME if duties_words(house.state, house.floor.begins) == ONE_NAME else ""}
        known |= {"has_chips": bool(chips_of(house.state))}
        known |= {"locks_in": door.locks_in(session) if session else None}
        known |= {"may": may_give(session.role), "sees": sees(session.role)} if session else {"may": [], "sees": []}
        return self.templates.TemplateResponse(request, template, known | data, status_code=status)


def _page(request: Request, template: str, page: str = "", **data: Any) -> HTMLResponse:
    pages: Pages = request.app.state.pages
    return pages.page(request, template, page, **data)


@router.get("/")
def lobby(request: Request) -> HTMLResponse:
    """The lobby."""
    return _page(request, "lobby.html", "lobby")


@router.get("/tables/{name}")
def table(request: Request, name: str) -> HTMLResponse:
    """A table, for players and whoever watches."""
    tables = house_of(request).state.tables
    shown = edition_view(tables[one_of("table", name, tables)])
    return _page(request, "table.html", "table", table=name, edition=shown)


@router.get("/dealer/{name}", response_model=None)
def dealer(request: Request, name: str) -> HTMLResponse | RedirectResponse:
    """The dealer's tablet, for a table or a keyed scoreboard."""
    state = house_of(request).state
    _check_readable(state, one_of("table", name, [*state.tables, *state.boards]))
    if sent := to_login(request, SEES["dealer"]):
        return sent
    return _page(request, "dealer.html", "dealer", table=name, keyed=name in state.boards)


@router.get("/board/{name}")
def board(request: Request, name: str) -> HTMLResponse:
    """A scoreboard for the wall."""
    state = house_of(request).state
    _check_readable(state, one_of("scoreboard", name, [*state.tables, *state.boards]))
    return _page(request, "board.html", "board", board=name)


def _check_readable(state: House, name: str) -> None:
    """Refused, with the reason, if the edition of a table or a scoreboard cannot be read."""
    edition_of(state.tables[name] if name in state.tables else state.boards[name])


@router.get("/floor", response_model=None)
def floor(request: Request) -> HTMLResponse | RedirectResponse:
    """The floor, for the staff."""
    return to_login(request, SEES["floor"]) or _page(request, "floor.html", "floor")


@router.get("/floor/editions", response_model=None)
def own_editions(request: Request) -> HTMLResponse | RedirectResponse:
    """The house's own editions, for those who open tables."""
    return to_login(request, SEES["editions"]) or _page(request, "floor-editions.html", "floor")


@router.get("/host", response_model=None)
def host(request: Request) -> HTMLResponse | RedirectResponse:
    """The waitlist and all seats, for the host."""
    return to_login(request, SEES["host"]) or _page(request, "host.html", "host")


@router.get("/rotation", response_model=None)
def rotation(request: Request) -> HTMLResponse | RedirectResponse:
    """Who works where, for supervisors."""
    return to_login(request, SEES["rotation"]) or _page(request, "rotation.html", "rotation")


@router.get("/patrons", response_model=None)
def patrons(request: Request) -> HTMLResponse | RedirectResponse:
    """The patron file, for those who know guests."""
    return to_login(request, SEES["patrons"]) or _page(request, "patrons.html", "patrons")


@router.get("/slips", response_model=None)
def slips(request: Request) -> HTMLResponse | RedirectResponse:
    """Slips that wait for a signature, and what one may open or count, for the staff."""
    return to_login(request, SEES["slips"]) or _page(request, "slips.html", "slips")


@router.get("/slips/{id_}", response_model=None)
def slip(request: Request, id_: str) -> HTMLResponse | RedirectResponse:
    """A slip as it stands on paper."""
    return to_login(request, SEES["slips"]) or _page(request, "slip.html", "slips", slip=id_)


@router.get("/rounds/{seq}")
def replay(request: Request, seq: int) -> HTMLResponse:
    """A round, told again."""
    return _page(request, "round.html", "round", seq=seq)


@router.get("/proof")
def proof(request: Request) -> HTMLResponse:
    """The heads that a browser kept, compared with the chain."""
    return _page(request, "proof.html", "proof")


@router.get("/editions/{id_}")
def edition(request: Request, id_: str) -> HTMLResponse:
    """An edition: its approval, its digest, its rules clause by clause."""
    document = _content(id_, house_of(request).state)
    return _page(request, "edition.html", "edition", edition=read_document(document), view=described(document))


def _content(id_: str, house: House) -> str:
    """The content of an edition that is known here, or that a table still plays though it was removed."""
    if content := editions.content_of(id_, house):
        return content["document"]
    played = {table.edition: table.document for table in house.tables.values() if table.is_open and table.document}
    return played[one_of("edition", id_, [*edition_files(), *house.editions, *played])]


@router.get("/login")
def login(request: Request) -> HTMLResponse:
    """For the staff."""
    return _page(request, "login.html", "login")


@router.get("/account", response_model=None)
def account(request: Request) -> HTMLResponse | RedirectResponse:
    """One's own password, second factor and sessions."""
    if door_of(request).who(token_of(request)) is None:
        return RedirectResponse("/login?next=/account", status_code=303)
    return _page(request, "account.html", "account")


@router.post("/logout")
async def logout(request: Request) -> RedirectResponse:
    """Leave, by the form in the masthead."""
    from urllib.parse import parse_qs

    from starlette.concurrency import run_in_threadpool

    given = parse_qs((await request.body()).decode(errors="replace")).get("csrf", [""])[0]
    session = await run_in_threadpool(door_of(request).who, token_of(request))
    if session:
        check_csrf(session, given)
        await run_in_threadpool(leave, request, session)
    answer = RedirectResponse("/", status_code=303)
    answer.delete_cookie(COOKIE)
    return answer


def to_login(request: Request, roles: tuple[str, ...]) -> RedirectResponse | None:
    """Whoever is not logged in is sent to the door; whoever has another role is told so."""
    session = door_of(request).who(token_of(request))
    if session is None:
        return RedirectResponse(f"/login?next={request.url.path}", status_code=303)
    if session.role not in roles:
        raise may_not(session.role, "see this page", roles)
    return RedirectResponse("/account", status_code=303) if session.needs else None
