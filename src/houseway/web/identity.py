"""Who makes a request, and whether he may: by the cookie of a browser, or by a bearer token."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import HTTPBearer

from houseway.house.backoff import TriedFrom
from houseway.house.floor import Actor
from houseway.house.people import Session
from houseway.refusal import Refused
from houseway.table.roles import SEES, may_not
from houseway.view import Reader
from houseway.web.people import Door, digest

COOKIE, KNOWN_BROWSER = "houseway", "houseway-browser"
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


def source_of(request: Request) -> TriedFrom:
    """Where a request comes from, and what a browser that is known proves itself by."""
    kept = request.cookies.get(KNOWN_BROWSER, "")[:100]
    return TriedFrom(request.client.host if request.client else "", digest(kept) if kept else "")


async def entered(
    request: Request,
    bearer: Annotated[object, Depends(BEARER)],
    x_csrf: Annotated[
        str, Header(alias="X-CSRF", description="a browser's proof that our page asks; a bearer needs none")
    ] = "",
) -> Session | None:
    """The session of a request, even if it is locked or something is still needed of it. A browser that changes something must
    prove that our own page asked for it. What is put in keeps a session alive; what is read does not."""
    door = door_of(request)
    session = await door.who_soon(token_of(request))
    if session and request.method in UNSAFE:
        if not is_bearer(request):
            check_csrf(session, x_csrf)
        if door.is_to_note(session):
            await asyncio.to_thread(door.put_in, session)
    return session


Entered = Annotated[Session | None, Depends(entered)]
"""What the checks below look at. Only `entered` asks the store, with all who ask meanwhile; they call each other, for a
dependency each would cost more than all they do."""


async def session_of(session: Entered) -> Session | None:
    """The session of a request for what everybody may read: whose screen is locked reads as anybody does."""
    return session if session and not session.locked and not session.needs else None


def check_csrf(session: Session, given: str) -> None:
    """Refuse what no page of ours has asked for."""
    if not hmac.compare_digest(session.csrf.encode(), given.encode()):
        raise Refused("bad-csrf", "the request does not come from a page of this house: reload the page and try again")


async def anybody_in(session: Entered) -> Session:
    """The session, refused without one; it may be locked."""
    if session is None:
        raise Refused("not-logged-in", "take a name or log in first")
    return session


async def not_locked(session: Entered) -> Session:
    """The session, refused if its screen is locked; it may be that something is needed of it."""
    known = await anybody_in(session)
    if known.locked:
        raise Refused("screen-locked", "the screen is locked: give your password again")
    return known


NEEDED = {
    "password": ("password-needed", "choose a password of your own first, on the page /account"),
    "second-factor": ("factor-needed", "this house demands a second factor: set it up first, on the page /account"),
}
"""What is asked of somebody before anything else, and how it is refused until then."""


async def somebody(session: Entered) -> Session:
    """The session of somebody who may do something."""
    known = await not_locked(session)
    if known.needs:
        raise Refused(*NEEDED[known.needs])
    return known


def only(*roles: str) -> Callable[[Session | None], Awaitable[Session]]:
    """A check that lets nobody through but these roles."""

    async def check(session: Entered) -> Session:
        known = await somebody(session)
        if known.role not in roles:
            raise may_not(known.role, "do this", roles)
        return known

    return check


MaybeSession = Annotated[Session | None, Depends(session_of)]
EnteredSession = Annotated[Session, Depends(anybody_in)]
OpenSession = Annotated[Session, Depends(not_locked)]
AnySession = Annotated[Session, Depends(somebody)]
StaffSession = Annotated[Session, Depends(only(*SEES["floor"]))]
Administrator = Annotated[Session, Depends(only(*SEES["people"]))]
Opener = Annotated[Session, Depends(only(*SEES["editions"]))]
Host = Annotated[Session, Depends(only(*SEES["patrons"]))]
HostPage = Annotated[Session, Depends(only(*SEES["host"]))]
BooksReader = Annotated[Session, Depends(only(*SEES["books"]))]
JournalReader = Annotated[Session, Depends(only(*SEES["journal"]))]


def reader_of(session: Session | None) -> Reader:
    """Whom a view is made for."""
    return Reader(session.name, session.role) if session else Reader()


def actor_of(session: Session) -> Actor:
    """Who gives a command."""
    return Actor(session.name, session.role)
