"""Slips over HTTP: those that are open, as each of the staff may see them, and one as it stands on paper."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from houseway.view.slips import SLIP_KINDS, slip_told, slips_view
from houseway.web.commands import REFUSALS
from houseway.web.identity import StaffSession, reader_of
from houseway.web.live import house_of

router = APIRouter(prefix="/api/v1", tags=["slips"], responses=REFUSALS)
SlipId = Annotated[str, Path(min_length=1, max_length=40, description="the slip, such as fill-12")]


@router.get("/slips", summary="Open slips, trays and notices")
def slips(request: Request, session: StaffSession) -> dict[str, Any]:
    """What waits for a signature and whose, the trays with what they lack, and notices; of a blind count no figure."""
    house = house_of(request)
    return {"seq": house.seq, **slips_view(house.state, reader_of(session))}


@router.get("/slips/{slip}", summary="A slip, open, finished or void")
def slip(request: Request, slip: SlipId, session: StaffSession) -> dict[str, Any]:
    """All that stands on it, from the journal: its pieces, who signed what and when, and VOID if it is void."""
    house = house_of(request)
    return slip_told(house.state, house.floor.store.entries_of_kinds(SLIP_KINDS), slip)
