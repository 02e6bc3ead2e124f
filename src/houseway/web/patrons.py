"""The patron file over HTTP, for those who know guests. What is asked stands in the body, never in a logged address."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from houseway.house.patrons import LONGEST, STILL_READ, Patron, PatronData, Patrons, Purged
from houseway.refusal import Refused
from houseway.table.gaming_day import gaming_day
from houseway.table.guests import bar_of, cash_of
from houseway.view import Json
from houseway.web.commands import ASKED, REFUSALS, asked_answer
from houseway.web.identity import Administrator, Host, actor_of
from houseway.web.live import house_of

router = APIRouter(prefix="/api/v1/patrons", tags=["patrons"], responses=REFUSALS)
Number = Annotated[str, Path(max_length=40, description="the number, such as g-1001, or an account")]


def _of(request: Request) -> Patrons:
    house = house_of(request)
    return Patrons(house.floor.store, house, lambda: gaming_day(house.floor.clock(), house.state))


class PersonalData(BaseModel):
    """What is known of somebody. What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = Field(default=None, max_length=LONGEST["name"], description="the legal name")
    born: str | None = Field(default=None, max_length=10, description="the birth date, such as 1990-01-31")
    document: str | None = Field(default=None, max_length=LONGEST["document"], description="kind and number of the document")
    address: str | None = Field(default=None, max_length=LONGEST["address"])
    description: str | None = Field(default=None, max_length=LONGEST["description"], description="of a guest without a name")
    notes: str | None = Field(default=None, max_length=LONGEST["notes"])

    def given(self) -> dict[str, str]:
        """What was said."""
        return {name: value for name in PersonalData.model_fields if (value := getattr(self, name)) is not None}


class NewPatron(PersonalData):
    """Somebody to be registered."""

    guest: str = Field(default="", max_length=40, description="the account under which he plays; none: his number is it")


class Wanted(BaseModel):
    """Whom to look for."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=120, description="a part of a name, a description, a document or an account")


class OtherAccount(BaseModel):
    """Another account of the same person."""

    model_config = ConfigDict(extra="forbid")
    guest: str = Field(min_length=1, max_length=40)


def _shown(request: Request, patron: Patron) -> Json:
    """Somebody of the file with what the journal knows of him today."""
    house = house_of(request)
    day = gaming_day(house.floor.clock(), house.state)
    account = patron.accounts[0]
    bar, cash = bar_of(house.state, account, day), cash_of(house.state, account, day)
    today = house.state.today
    return {
        "patron": patron.number,
        "since": patron.since,
        "accounts": list(patron.accounts),
        **asdict(patron.data),
        "missing": patron.data.missing,
        "may_play": bar is None,
        "ground": bar.ground if bar else "",
        "until": bar.until if bar else "",
        "cash": {"in_cents": cash.in_cents, "out_cents": cash.out_cents},
        "identified": today.day == day and account in today.identified,
    }


@router.post("", summary="Register a guest")
def register(request: Request, given: NewPatron, session: Host) -> dict[str, Any]:
    """A number for a guest, by name or by description. Who is in the file already is not registered again."""
    data = {name: value for name, value in given.given().items() if name != "guest"}
    return _shown(request, _of(request).register(PatronData(**data), actor_of(session), given.guest))


@router.post("/find", summary="Look for a guest")
def find(request: Request, given: Wanted, session: Host) -> dict[str, Any]:
    """Names and numbers only, at most twenty. That you looked is noted in the journal."""
    found = _of(request).find(given.text, actor_of(session))
    shown = [
        {
            "patron": patron.number,
            "name": patron.data.name,
            "description": patron.data.description,
            "accounts": list(patron.accounts),
        }
        for patron in found
    ]
    return {"found": shown}


@router.post("/purge", summary="Remove personal data that are due", responses=ASKED)
def purge(request: Request, session: Administrator) -> Any:
    """What is kept no longer by the rules of the house goes, by two persons; the chain stays as it is."""
    done = _of(request).purge(actor_of(session), house_of(request).state)
    if not isinstance(done, Purged):
        return asked_answer(done)
    words = "" if done.is_gone else f"{STILL_READ}: it is tried again by itself"
    return {"purged": done.guests, "is_gone": done.is_gone, "words": words}


@router.post("/{number}/look", summary="What is known of a guest")
def look(request: Request, number: Number, session: Host) -> dict[str, Any]:
    """By number or by account. That you looked is noted in the journal."""
    return _shown(request, _of(request).look(number, actor_of(session)))


@router.post("/{number}", summary="Change what is known of a guest", responses=ASKED)
def change(request: Request, number: Number, given: PersonalData, session: Host) -> Any:
    """Whether he is of age is looked at anew; without a field, only that. Another birth date that lets somebody play who was
    too young needs a second person; then it is said again."""
    done = _of(request).change(number, actor_of(session), **given.given())
    return _shown(request, done) if isinstance(done, Patron) else asked_answer(done)


@router.post("/{number}/accounts", summary="Another account of a guest")
def link(request: Request, number: Number, given: OtherAccount, session: Host) -> dict[str, Any]:
    """His cash is one sum from now on, and whoever may not play may not with either."""
    if not given.guest.isprintable():
        raise Refused("bad-name", "an account's name is printable")
    return _shown(request, _of(request).link(number, given.guest, actor_of(session)))


@router.post("/{number}/identified", summary="A guest's papers were seen")
def identified(request: Request, number: Number, session: Host) -> dict[str, Any]:
    """For today, once all that a report needs is in the file: then his cash may go above the report's line."""
    return _shown(request, _of(request).identified(number, actor_of(session)))
