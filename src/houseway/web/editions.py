"""Editions of the house's own over HTTP: what is registered, what a text differs in, adding and removing."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from houseway.house import editions
from houseway.house.standing import descends_from, own_differences
from houseway.refusal import Refused
from houseway.rulebook import Edition
from houseway.table import House
from houseway.web.commands import REFUSALS
from houseway.web.identity import Opener, StaffSession, actor_of
from houseway.web.lab import edition_answer
from houseway.web.lab_answers import EditionAnswer
from houseway.web.live import house_of

router = APIRouter(prefix="/api/v1", tags=["floor"], responses=REFUSALS)
GIVEN = "the text"
"""What a refusal calls a text that has no file's name."""


class EditionText(BaseModel):
    """An edition of one's own as a TOML file has it."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=editions.TEXT_MOST, description="the whole TOML text")


class OwnEdition(BaseModel):
    """An edition of the house's own. If it cannot be read, `unreadable` says why and `edition` is null."""

    id: str
    registered: bool = Field(description="whether it is in the house's journal, and not only in its folder of editions")
    descends_from: str = Field(description="the built-in edition that it differs least from")
    differences: list[str] = Field(description="what it differs in from that one")
    tables: list[str] = Field(description="the open tables that play it")
    unreadable: str
    edition: EditionAnswer | None


class OwnEditions(BaseModel):
    """All editions of the house's own."""

    editions: list[OwnEdition]
    left_out: list[str] = Field(description="what of the folder of editions is left out, and why")


def _described(edition: Edition, house: House) -> OwnEdition:
    parent, differs = descends_from(edition), own_differences(edition)
    return OwnEdition(
        id=edition.id,
        registered=edition.id in house.editions,
        descends_from=parent.id if parent else "",
        differences=differs,
        tables=[table.name for table in house.tables.values() if table.is_open and table.edition == edition.id],
        unreadable="",
        edition=edition_answer(edition),
    )


def _own(id_: str, house: House) -> OwnEdition:
    try:
        edition = editions.known_edition(id_, house.editions)
    except Refused as refused:
        return OwnEdition(
            id=id_,
            registered=id_ in house.editions,
            descends_from="",
            differences=[],
            tables=[],
            unreadable=refused.message,
            edition=None,
        )
    return _described(edition, house)


@router.get("/own-editions", summary="The house's own editions")
def own_editions(request: Request, session: StaffSession) -> OwnEditions:
    """Each with the built-in edition that it descends from, and what it differs in."""
    house = house_of(request).state
    folder = editions.look_into_folder()
    names = [*house.editions, *(id_ for id_ in folder.files if id_ not in house.editions)]
    return OwnEditions(editions=[_own(id_, house) for id_ in names], left_out=list(folder.left_out))


@router.post("/own-editions/check", summary="What an edition would differ in")
def check(request: Request, given: EditionText, session: Opener) -> OwnEdition:
    """Read a text as registering it would, and change nothing."""
    return _described(editions.read_own(given.text, GIVEN), house_of(request).state)


@router.post("/own-editions", summary="Register an edition of the house's own")
def add(request: Request, given: EditionText, session: Opener) -> OwnEdition:
    """By its content, which stands in the journal from then on. An id of a built-in edition is taken."""
    house = house_of(request)
    edition = editions.add(house, given.text, actor_of(session), GIVEN)
    return _described(edition, house.state)


@router.delete("/own-editions/{id}", summary="Remove an edition of the house's own")
def remove(
    request: Request, id_: Annotated[str, Path(alias="id", max_length=64, description="its id")], session: Opener
) -> dict[str, Any]:
    """Tables that are open play on: they have its content."""
    house = house_of(request)
    playing = [table.name for table in house.state.tables.values() if table.is_open and table.edition == id_]
    editions.remove(house, id_, actor_of(session))
    return {"id": id_, "tables": playing}
