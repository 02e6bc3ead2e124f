"""The live house over HTTP: tables, streams, scoreboards, rounds, and getting in and out."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from houseway.house.people import Session
from houseway.refusal import Refused, one_of
from houseway.table.commands import may_give
from houseway.table.debts import owed
from houseway.table.roles import ROLES, sees
from houseway.view import Json, advice, board_view, lobby_view
from houseway.view.host import own_waits
from houseway.web.apart import apart, client_of
from houseway.web.commands import REFUSALS
from houseway.web.identity import (
    COOKIE,
    KNOWN_BROWSER,
    AnySession,
    EnteredSession,
    MaybeSession,
    StaffSession,
    door_of,
    reader_of,
    source_of,
    token_of,
)
from houseway.web.packed import takes_gzip
from houseway.web.people import LONGEST_SECONDS, PASSWORD_MOST
from houseway.web.served import LOBBY, ServedHouse

KNOWN_SECONDS = 180 * 24 * 3600
"""How long a browser remembers that somebody has logged in with it: strangers cannot make that person wait there."""
router = APIRouter(prefix="/api/v1", tags=["house"], responses=REFUSALS)
TableName = Annotated[str, Path(min_length=1, max_length=40, description="the table's name")]
LastEventId = Annotated[
    str, Header(alias="Last-Event-ID", max_length=18, pattern=r"^\d*$", description="the journal number of the last event seen")
]


def house_of(request: Request) -> ServedHouse:
    """The house that serves this request."""
    house: ServedHouse = request.app.state.house
    return house


class NewGuest(BaseModel):
    """A guest who sits down at a demo table."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=100, description="what the others see: letters, digits, spaces and . - _ '")


class LogIn(BaseModel):
    """Somebody with a password."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=100)
    password: str = Field(max_length=PASSWORD_MOST)
    code: str = Field(default="", max_length=40, description="of the second factor, if there is one; or a recovery code")


Role = Annotated[str, Field(json_schema_extra={"enum": list(ROLES)})]


class SessionOpened(BaseModel):
    """Who you are now. A browser has the token as a cookie; a program sends it as a bearer."""

    name: str
    role: Role
    token: str = Field(description="send it as `Authorization: Bearer`")
    csrf: str = Field(description="a browser sends it as `X-CSRF` with everything that changes something")
    needs: str = Field(default="", description="what comes first: a new `password`, a `second-factor`, or nothing")


def begin(request: Request, response: Response, token: str, session: Any) -> SessionOpened:
    """Give the token to a browser, and to whoever asked."""
    response.set_cookie(
        COOKIE, token, max_age=LONGEST_SECONDS, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )
    return SessionOpened(name=session.name, role=session.role, token=token, csrf=session.csrf, needs=session.needs)


def browser_of(request: Request) -> str:
    """What a browser calls itself, for the list of sessions."""
    return request.headers.get("user-agent", "")


def leave(request: Request, session: Session) -> None:
    """End a session; a guest of the demo takes his chips along, so that the next one of that name finds none."""
    door_of(request).leave(session)
    if request.app.state.demo is not None and session.role == "guest":
        request.app.state.demo.farewell(session.name)


def check_origin(request: Request) -> None:
    """A form of another site may not log a browser in here."""
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise Refused("bad-csrf", "the request does not come from a page of this house: open the page and try again")


@router.post("/guests", summary="Take a name, as a guest of the demo house")
def join(request: Request, response: Response, given: NewGuest) -> SessionOpened:
    """A guest's session with play money; only where the house is a demo."""
    check_origin(request)
    demo = request.app.state.demo
    if demo is None:
        raise Refused("no-demo", "this house gives no play money: a member of the staff opens an account for you")
    token, session = request.app.state.guests_made.allow(
        client_of(request), lambda: door_of(request).join(given.name, source_of(request), browser_of(request))
    )
    demo.welcome(session.name)
    return begin(request, response, token, session)


@router.post("/session", summary="Log in with a password")
def log_in(request: Request, response: Response, given: LogIn) -> SessionOpened:
    """A session of the staff, or of a guest with an account. After three wrong passwords one waits, longer every time; others
    who try from elsewhere do not."""
    check_origin(request)
    door, source = door_of(request), source_of(request)
    token, session = door.log_in(given.name, given.password, given.code, source, browser_of(request))
    kept = door.know_browser(session, request.cookies.get(KNOWN_BROWSER, "")[:100])
    response.set_cookie(
        KNOWN_BROWSER, kept, max_age=KNOWN_SECONDS, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return begin(request, response, token, door.who(token) or session)


@router.delete("/session", summary="Log out", status_code=204)
def log_out(request: Request, response: Response, session: EnteredSession) -> None:
    """End the session."""
    leave(request, session)
    response.delete_cookie(COOKIE)


@router.get("/session", summary="Who am I")
def who_am_i(request: Request, session: AnySession) -> dict[str, Any]:
    """Name, role, the commands you may give, the parts of the house that are open to you, and a guest's chips and waits."""
    house = house_of(request)
    balance = house.state.balance(f"guest:{session.name}") if session.role == "guest" else None
    yours: dict[str, Any] = {"owes_cents": owed(house.state, session.name)} if session.role == "guest" else {}
    if session.role == "guest" and house.state.waiting:
        yours |= {"waits": own_waits(house.state, session.name, house.floor.clock())}
    yours |= {"may": may_give(session.role), "sees": sees(session.role), "locks_in_seconds": door_of(request).locks_in(session)}
    return {"name": session.name, "role": session.role, "balance_cents": balance} | yours


@router.get("/tables", summary="The open tables")
def tables(request: Request) -> dict[str, Any]:
    """What the lobby shows: edition, limits, free seats, shoe, last results."""
    house = house_of(request)
    return {"seq": house.seq, "tables": lobby_view(house.state)}


@router.get("/tables/{table}", summary="A table, as you may see it")
def table(request: Request, table: TableName, session: MaybeSession) -> dict[str, Any]:
    """Seats, bets, cards that lie face up for you, who is to act and what is allowed, the shoe, the last round."""
    return house_of(request).table(table, reader_of(session))


def _stream(request: Request, topic: str, session: Any, last_event_id: str) -> StreamingResponse:
    after, door, token = int(last_event_id) if last_event_id else None, door_of(request), token_of(request)

    def still_in() -> bool:
        """Whether whoever watches is still who he was: a stream ends with its session, and keeps none alive."""
        if session is None:
            return True
        now = door.who(token, touch=False)
        is_open = now is not None and not now.locked and not now.needs
        return is_open and now is not None and (now.name, now.role) == (session.name, session.role)

    as_gzip = takes_gzip(request.headers.get("accept-encoding", ""))
    events = house_of(request).watch(topic, reader_of(session), after, still_in, as_gzip)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    headers |= {"Content-Encoding": "gzip"} if as_gzip else {}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"text/event-stream": {}},
        "description": "the first `view` event holds the whole view; later ones leave out every key that is as it was: put "
        "each over the one before, of `tables` each card over the one of its `name`, of `seats` each over the one of its "
        "`seat`. `happened` events hold what was missed",
    }
}


@router.get("/stream", summary="The lobby, live", responses=STREAM)
def stream_lobby(request: Request, session: MaybeSession, last_event_id: LastEventId = "") -> StreamingResponse:
    """Server-sent events; ids are journal numbers."""
    return _stream(request, LOBBY, session, last_event_id)


@router.get("/tables/{table}/stream", summary="A table, live", responses=STREAM)
def stream_table(
    request: Request, table: TableName, session: MaybeSession, last_event_id: LastEventId = ""
) -> StreamingResponse:
    """Server-sent events; ids are journal numbers, so that whoever reconnects misses nothing."""
    one_of("table", table, house_of(request).state.tables)
    return _stream(request, table, session, last_event_id)


@router.get("/tables/{table}/seats/{seat}/set", summary="What a hand that is set comes to")
def set_(
    request: Request,
    table: TableName,
    seat: Annotated[int, Path(ge=1, le=20)],
    session: MaybeSession,
    front: Annotated[str, Query(max_length=20, description="the cards in front, such as `Ah Kd`; none: the house's way")] = "",
) -> dict[str, Any]:
    """Both parts in words, and whether they foul; only for cards you may see."""
    state = house_of(request).state
    return advice(state.tables[one_of("table", table, state.tables)], seat, front, reader_of(session))


@router.get("/tables/{table}/rounds/{number}", summary="A settled round as it stands")
@apart("replays")
def settled(
    request: Request, table: TableName, number: Annotated[int, Path(ge=1, lt=2**63)], session: StaffSession
) -> dict[str, Any]:
    """What was dealt, keyed, decided and bet, after all corrections: what the command `correct` can change."""
    return house_of(request).settled(table, number)


@router.get("/boards", summary="The scoreboards")
def boards(request: Request) -> dict[str, Any]:
    """Every table has one; keyed ones stand alone."""
    state = house_of(request).state
    return {"tables": [name for name, table in state.tables.items() if table.is_open], "keyed": list(state.boards)}


@router.get("/boards/{board}", summary="A scoreboard")
def board(request: Request, board: Annotated[str, Path(min_length=1, max_length=40)]) -> dict[str, Any]:
    """Roads or the last results, of a table or a keyed board."""
    house = house_of(request)
    return {"seq": house.seq, **board_view(house.state, board)}


@router.get("/boards/{board}/stream", summary="A scoreboard, live", responses=STREAM)
def stream_board(
    request: Request,
    board: Annotated[str, Path(min_length=1, max_length=40)],
    session: MaybeSession,
    last_event_id: LastEventId = "",
) -> StreamingResponse:
    """Server-sent events; ids are journal numbers."""
    state = house_of(request).state
    one_of("scoreboard", board, [*state.tables, *state.boards])
    return _stream(request, f"board:{board}", session, last_event_id)


@router.get("/rounds/{seq}", summary="Replay a round", response_model=Json)
@apart("replays")
def round_(request: Request, seq: Annotated[int, Path(ge=1, lt=2**63)], session: MaybeSession) -> Response:
    """Every step with its clause, every payment, the entries with their hashes, and the proof of the shoe once revealed. Guests
    are told the roles of the staff, not their names."""
    return Response(house_of(request).replays.body(seq, reader_of(session)), media_type="application/json")
