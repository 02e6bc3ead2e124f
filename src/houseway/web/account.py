"""One's own account over HTTP: the screen locked and opened again, the password, the second factor, and sessions."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from houseway.house import second_factor
from houseway.house.passwords import PASSWORD_LEAST, PASSWORD_MOST
from houseway.house.people import ADMINISTRATOR, Session, as_listed
from houseway.refusal import Refused
from houseway.view.qr import qr
from houseway.web.commands import REFUSALS
from houseway.web.identity import Administrator, AnySession, EnteredSession, OpenSession, actor_of, door_of, source_of

router = APIRouter(prefix="/api/v1", tags=["account"], responses=REFUSALS)
Password = Annotated[str, Field(max_length=PASSWORD_MOST)]
Code = Annotated[str, Field(max_length=40, description="of the second factor, if there is one; or a recovery code")]


class Proof(BaseModel):
    """That it is still you."""

    model_config = ConfigDict(extra="forbid")
    password: Password
    code: Code = ""


class NewPassword(BaseModel):
    """Another password."""

    model_config = ConfigDict(extra="forbid")
    password: str = Field(default="", max_length=PASSWORD_MOST, description="the one you have; not asked after a reset")
    code: Code = ""
    new_password: Password = Field(description=f"{PASSWORD_LEAST} characters or more, not easily guessed")


class FirstCode(BaseModel):
    """A code that proves that the secret is in your authenticator."""

    model_config = ConfigDict(extra="forbid")
    code: Code


@router.post("/session/input", summary="Somebody is at the screen", status_code=204)
def put_in(request: Request, session: OpenSession) -> None:
    """Keeps a staff screen open for another five minutes. Pages send it when a key is pressed or the screen is touched;
    reading, streams and asking again and again do not."""


@router.post("/session/lock", summary="Lock the screen", status_code=204)
def lock(request: Request, session: EnteredSession) -> None:
    """Until the password is given again; streams end. For the staff."""
    if session.role == "guest":
        raise Refused("role-may-not", "a guest's screen does not lock: log out instead")
    door_of(request).lock(session)


@router.post("/session/unlock", summary="Open a locked screen", status_code=204)
def unlock(request: Request, given: Proof, session: EnteredSession) -> None:
    """With the password (and the code) of whose session it is. Wrong ones count as at a log-in."""
    door_of(request).unlock(session, given.password, given.code, source_of(request))


def _with_account(request: Request, session: Session) -> Any:
    person = door_of(request).people.find(session.name)
    if person is None:
        raise Refused("no-account", "a guest without an account has no password: log out, and the name is free again")
    return person


def _prove(request: Request, session: Session, given: Proof | NewPassword) -> None:
    door_of(request).prove(session.name, given.password, given.code, source_of(request))


@router.get("/account", summary="Your account")
def account(request: Request, session: OpenSession) -> dict[str, Any]:
    """Your second factor, your sessions, and what is still needed of you."""
    door = door_of(request)
    person = door.people.find(session.name)
    return {
        "name": session.name,
        "role": session.role,
        "needs": session.needs,
        "has_password": person is not None,
        "second_factor": bool(person and person.secret),
        "recovery_codes_left": len(person.recovery) if person else 0,
        "second_factor_rule": door.accounts.second_factor_rule(),
        "sessions": [as_listed(one, session.token) for one in door.sessions(session.name, session.role)],
    }


@router.post("/account/password", summary="Change your password", status_code=204)
def change_password(request: Request, given: NewPassword, session: OpenSession) -> None:
    """Your other sessions end; this one goes on. After a reset the old password is not asked for again."""
    _with_account(request, session)
    if session.needs != "password":
        _prove(request, session, given)
    door_of(request).accounts.change_own_password(actor_of(session), given.new_password, session.token)


@router.post("/account/second-factor", summary="Begin with a second factor")
def offer_second_factor(request: Request, given: Proof, session: OpenSession) -> dict[str, Any]:
    """A secret for your authenticator, as a text, a link and the rows of a QR code (`1` is dark; none if the name is long); it
    counts when you give its first code."""
    _with_account(request, session)
    if session.needs == "password":
        raise Refused("password-needed", "choose a password of your own first")
    _prove(request, session, given)
    secret = door_of(request).accounts.offer_second_factor(session.name)
    uri = second_factor.uri(secret, session.name)
    return {"secret": secret, "uri": uri, "qr": qr(uri)}


@router.post("/account/second-factor/confirm", summary="Confirm the second factor")
def begin_second_factor(request: Request, given: FirstCode, session: OpenSession) -> dict[str, Any]:
    """From now on it is asked for. The answer holds recovery codes, each for one log-in and told once: keep them apart."""
    door = door_of(request)
    _with_account(request, session)
    return {"recovery_codes": door.accounts.begin_second_factor(actor_of(session), given.code, door.clock())}


@router.post("/account/second-factor/remove", summary="Do without a second factor", status_code=204)
def end_second_factor(request: Request, given: Proof, session: AnySession) -> None:
    """With your password and a code; not where the house demands one."""
    _with_account(request, session)
    _prove(request, session, given)
    door_of(request).accounts.end_second_factor(actor_of(session))


@router.get("/sessions", summary="Who is logged in")
def sessions(request: Request, session: Administrator) -> dict[str, Any]:
    """Every session that is open: whose, since when, last used when, from where."""
    return {"sessions": [as_listed(one, session.token) for one in door_of(request).sessions()]}


@router.delete("/sessions/{id}", summary="End a session", status_code=204)
def end_session(
    request: Request, id: Annotated[str, Path(max_length=40, description="as the list has it")], session: AnySession
) -> None:
    """One of your own, or, for an administrator, anybody's. It has ended at once, in every process, and so have its streams."""
    ended = door_of(request).end(id, actor_of(session), may_all=session.role == ADMINISTRATOR)
    if request.app.state.demo is not None and ended.role == "guest":
        request.app.state.demo.farewell(ended.name)
