"""Every command of the table as a route of the API: its path, its fields and its limits come from its declaration."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, Signature
from typing import Annotated, Any, Self, cast

from fastapi import APIRouter, Header, Path, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, create_model, model_validator

from houseway.house.people import Session
from houseway.refusal import Refused
from houseway.table.commands import COMMANDS, Declaration, declared, live_commands
from houseway.table.duties import DUTIES
from houseway.table.entry import Entry
from houseway.table.fold import REQUESTED
from houseway.view import Json, happened
from houseway.view.late import with_late_bets
from houseway.view.words import edition_of_entry, event_words
from houseway.web.apart import client_of
from houseway.web.identity import AnySession, actor_of, entered, somebody
from houseway.web.observed import carrying
from houseway.web.served import ServedHouse
from houseway.web.straight import StraightWay


class Done(BaseModel):
    """What a command left in the journal."""

    seq: int = Field(description="the number of its entry; also the id of the event that watchers get")
    hash: str = Field(description="the entry's hash, chained to all before it")
    happened: list[dict[str, Any]] = Field(description="what everybody may know of it, one object an event")


class Asked(BaseModel):
    """That a command needs a second person: it waits as a request, and nothing else has changed."""

    seq: int = Field(description="the number of the request's entry")
    hash: str = Field(description="the entry's hash, chained to all before it")
    code: str = Field(description="always asked")
    message: str = Field(description="a sentence, for people")
    request: int = Field(description="the request's number: what POST /requests/confirm takes")
    second: list[str] = Field(description="the roles of whoever may confirm it, on his own session")
    until: str = Field(description="when it lapses")


class Refusal(BaseModel):
    """Why something was not done, and what would be accepted. Nothing has changed."""

    code: str = Field(description="stable, for programs")
    message: str = Field(description="a sentence, for people")


ASKED: dict[int | str, dict[str, Any]] = {202: {"model": Asked, "description": "it needs a second person, and waits for him"}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": about}
    for status, about in {
        400: "refused: the message says what would be accepted",
        401: "nobody is logged in",
        403: "the role may not do this",
        404: "there is no such thing",
        409: "not now, or not twice",
        413: "the request is too large",
        422: "the request is not what the document describes",
        429: "too many requests, or too much at once: `Retry-After` says when to come back",
        503: "not at this moment: too much is under way, or the store does not answer; `Retry-After` says when to come back",
    }.items()
}


class Body(BaseModel):
    """What a route takes. Its fields describe it in the document; the house itself checks it, once, and says what is wrong."""

    model_config = ConfigDict(extra="forbid")
    _given: Json = PrivateAttr(default_factory=dict)

    @model_validator(mode="wrap")
    @classmethod
    def _as_given(cls, given: Any, handler: Callable[[Any], Self]) -> Self:
        if not isinstance(given, dict):
            return handler(given)  # refused: it is no object
        body = cls.model_construct()
        body._given = {name: value for name, value in given.items() if value is not None}
        return body


def body_of(declaration: Declaration) -> type[Body]:
    """What a route takes: the command without its kind and without what stands in the path; nobody need name himself."""
    fields: dict[str, Any] = {}
    for name, field in declaration.fields.items():
        needed = field in declaration.needs and name != "guest"
        about = f"{field.about}; {field.kind.wanted}"
        about += "; yourself, unless you are of the staff" if name == "guest" else ""
        type_ = field.kind.type if needed else field.kind.type | None
        if name != declaration.in_path:
            fields[name] = (type_, Field(description=about)) if needed else (type_, Field(default=None, description=about))
    return create_model(declaration.title, __base__=Body, **fields)


NAME_MOST, KEY_MOST = 40, 80
IdempotencyKey = Annotated[
    str,
    Header(alias="Idempotency-Key", max_length=KEY_MOST, description="the same key has one effect, however often it is sent"),
]


def asked_answer(entry: Entry) -> JSONResponse:
    """What is told of a request: 202, for nothing is done yet."""
    event = entry.data["events"][0]
    answer = {"message": event_words(event), "request": event["request"], "second": event["second"], "until": event["until"]}
    return JSONResponse({"seq": entry.seq, "hash": entry.hash, "code": "asked", **answer}, 202)


async def carry_out(request: Request, command: Json, session: Session, key: str) -> Response:
    """Give a command to the house; what needs a second person is kept as a request."""
    house: ServedHouse = request.app.state.house
    declaration = COMMANDS[command["kind"]]
    if session.role == "guest":
        declared(command, session.role)  # refused here, it is not worth a journal entry, however often a guest tries
        if "guest" in declaration.fields:
            command = command | {"guest": command.get("guest") or session.name}
        request.app.state.seats_held.check(house.state, client_of(request), command)
    settings = command.get("settings")
    for name, value in settings.items() if isinstance(settings, dict) else ():
        if isinstance(value, str) and (value.endswith(".toml") or value.startswith("{")):
            raise Refused(
                "bad-setting", f"{name}: a file of your own is given in the shell: houseway table open --set {name}=FILE"
            )
    if key and not re.fullmatch(r"[\x21-\x7e]{1,80}", key):
        raise Refused("bad-key", "an idempotency key is 1 to 80 printable ASCII characters")
    own_key = hashlib.sha256(f"{session.name}\n{key}".encode()).hexdigest() if key else ""
    with carrying(request, declaration.kind, session.role) as carried:
        try:
            entry = await house.do_soon(command, actor_of(session), own_key)
        except Refused as refused:
            raise with_late_bets(refused, house.state, command) from None
        carried.came_to(entry)
    if entry.kind == REQUESTED:
        return asked_answer(entry)
    done = Done(seq=entry.seq, hash=entry.hash, happened=happened(entry, edition_of_entry(house.state, entry)))
    return Response(done.model_dump_json(), media_type="application/json")  # given as it is sent, it is not checked again


def _command(declaration: Declaration, given: Json, name: str) -> Json:
    """The command that a request gives: its kind and what it is for are said by the path."""
    in_path = declaration.in_path
    if alien := given.keys() & {"kind", in_path}:
        raise Refused("bad-command", f"{', '.join(sorted(alien))} cannot be given: the path says it")
    return given | ({in_path: name} if in_path else {}) | {"kind": declaration.kind}


@dataclass(frozen=True)
class Endpoint:
    """What is behind a command's route: what stands in the path, the body if it has any fields, who, and the key."""

    declaration: Declaration
    model: type[Body]

    @property
    def needs_body(self) -> bool:
        """Whether a field must be given."""
        return any(field.is_required() for field in self.model.model_fields.values())

    def described(self) -> Callable[..., Awaitable[Response]]:
        """As a function whose parameters FastAPI reads, checks and describes."""

        async def endpoint(request: Request, session: Session, key: str, name: str = "", body: Body | None = None) -> Response:
            return await carry_out(request, _command(self.declaration, body._given if body else {}, name), session, key)

        parameters: list[tuple[str, Any, Any]] = [
            ("request", Request, Parameter.empty),
            ("session", AnySession, Parameter.empty),
            ("key", IdempotencyKey, ""),
        ]
        if in_path := self.declaration.in_path:
            named = Path(alias=in_path, min_length=1, max_length=NAME_MOST, description=f"the {in_path}'s name")
            parameters.append(("name", Annotated[str, named], Parameter.empty))
        if self.needs_body:
            parameters.append(("body", self.model, Parameter.empty))
        elif self.model.model_fields:
            parameters.append(("body", self.model | None, None))
        endpoint.__signature__ = Signature(  # type: ignore[attr-defined]
            [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind_, default=default) for name, kind_, default in parameters]
        )
        endpoint.behind = self  # type: ignore[attr-defined]
        return endpoint

    async def given_plainly(self, request: Request) -> Json | None:
        """What a body gives that is as described, or no body where none is needed; nothing of any other."""
        content = await request.body()
        if not content:
            return None if self.needs_body else {}
        if request.headers.get("content-type") != "application/json" or not self.model.model_fields:
            return None
        try:
            given = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else None


class CommandRoute(APIRoute):
    """A command's route. What comes as described, and that is nearly all, goes straight to the house: reading the description
    anew for each would cost more than all else. Any other request goes the usual way, which says what is wrong with it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The way of a request through this route."""
        usual, behind = super().get_route_handler(), cast("Endpoint", self.endpoint.behind)  # type: ignore[attr-defined]

        async def straight(request: Request) -> Response:
            given = await behind.given_plainly(request)
            name = request.path_params.get(behind.declaration.in_path, "") if behind.declaration.in_path else ""
            key = request.headers.get("idempotency-key", "")
            if given is None or len(name) > NAME_MOST or len(key) > KEY_MOST:
                return await usual(request)
            session = await somebody(await entered(request, None, request.headers.get("x-csrf", "")))
            return await carry_out(request, _command(behind.declaration, given, name), session, key)

        return straight


def routes() -> APIRouter:
    """Every command that is declared, as a route."""
    return _routes(tuple(live_commands().values()))


def straight_way() -> StraightWay:
    """The same, looked up."""
    return StraightWay((route for route in routes().routes if isinstance(route, APIRoute)), "POST")


@cache
def _routes(declarations: tuple[Declaration, ...]) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["commands"], route_class=CommandRoute)
    for declaration in declarations:
        router.add_api_route(
            declaration.path,
            Endpoint(declaration, body_of(declaration)).described(),
            methods=["POST"],
            summary=declaration.about,
            description=f"May be given by: {', '.join(declaration.roles)}.",
            operation_id=declaration.kind.replace("-", "_"),
            response_model=Done,
            responses=REFUSALS | (ASKED if declaration.kind in DUTIES else {}),
        )
    return router
