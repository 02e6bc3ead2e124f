"""Who makes a request, and whether he may: by the cookie of a browser, or by a bearer token."""

import hmac
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import HTTPBearer

from houseway.house.floor import Actor
from houseway.house.people import Session
from houseway.refusal import Refused
from houseway.table.roles import SEES
from houseway.view import Reader
from houseway.web.people import Door

COOKIE = "houseway"
BEARER = HTTPBearer(auto_error=False, description="the token that POST /api/v1/session gives")
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


def door_of(request: Request) -> Door:
    """The door of the house that serves this request."""
    door: Door = request.app.state.door
    return door


def is_bearer(request: Request) -> bool:
    """Whether a program sends its token itself, as no browser does for another site."""
    return request.headers.get("authorization", "").lower().startswith("bearer ")


def token_of(request: Request) -> str:
    """The token, as a bearer or as a cookie."""
    if is_bearer(request):
        return request.headers["authorization"].partition(" ")[2].strip()
    return request.cookies.get(COOKIE, "")


def session_of(
    request: Request,
    bearer: Annotated[object, Depends(BEARER)],
    x_csrf: Annotated[
        str, Header(alias="X-CSRF", description="a browser's proof that our page asks; a bearer needs none")
    ] = "",
) -> Session | None:
    """The session of a request. A browser that changes something must prove that our own page asked for it."""
    session = door_of(request).who(token_of(request))
    if session and request.method in UNSAFE and not is_bearer(request):
        check_csrf(session, x_csrf)
    return session


def check_csrf(session: Session, given: str) -> None:
    """Refuse what no page of ours has asked for."""
    if not hmac.compare_digest(session.csrf.encode(), given.encode()):
        raise Refused("bad-csrf", "the request does not come from a page of this house: reload the page and try again")


def somebody(session: Annotated[Session | None, Depends(session_of)]) -> Session:
    """The session, refused without one."""
    if session is None:
        raise Refused("not-logged-in", "take a name or log in first")
    return session


def only(*roles: str) -> Callable[[Session], Session]:
    """A check that lets nobody through but these roles."""

    def check(session: Annotated[Session, Depends(somebody)]) -> Session:
        if session.role not in roles:
            raise Refused("role-may-not", f"a {session.role} may not do this (may: {', '.join(roles)})")
        return session

    return check


MaybeSession = Annotated[Session | None, Depends(session_of)]
AnySession = Annotated[Session, Depends(somebody)]
StaffSession = Annotated[Session, Depends(only(*SEES["floor"]))]
Administrator = Annotated[Session, Depends(only(*SEES["people"]))]
Opener = Annotated[Session, Depends(only(*SEES["editions"]))]
JournalReader = Annotated[Session, Depends(only(*SEES["journal"]))]


def reader_of(session: Session | None) -> Reader:
    """Whom a view is made for."""
    return Reader(session.name, session.role) if session else Reader()


def actor_of(session: Session) -> Actor:
    """Who gives a command."""
    return Actor(session.name, session.role)
