"""The host's and the rotation's routes: what their pages show."""

from typing import Any

from fastapi import APIRouter, Request

from houseway.view.host import host_view, rotation_view
from houseway.web.commands import REFUSALS
from houseway.web.identity import HostPage, Opener
from houseway.web.live import house_of

router = APIRouter(prefix="/api/v1", tags=["floor"], responses=REFUSALS)


@router.get("/host", summary="The waitlist and all seats")
def host(request: Request, session: HostPage) -> dict[str, Any]:
    """Who waits for which game, who is called where, and the seats of every open table."""
    house = house_of(request)
    return {"seq": house.seq, **host_view(house.state, house.floor.clock())}


@router.get("/rotation", summary="Who works where")
def rotation(request: Request, session: Opener) -> dict[str, Any]:
    """Dealers and supervisors of every open table, since when, whose relief is due, and who is on a break."""
    house = house_of(request)
    on = [table.name for table in house.state.tables.values() if table.is_open and table.dealer]
    since = {name: at for name in on if (at := house.floor.store.last_at(name, "sign-on"))}
    return {"seq": house.seq, **rotation_view(house.state, house.floor.clock(), since)}
