"""The wall: several scoreboards on one screen, as a page that can be installed and that outlives the network.

Its service worker keeps the page's own files, each only if its digest is the one that this release has, and the page as anybody
sees it who is not logged in, if that names these files. Their addresses have the digest of this release's static files, so that
a page of another release never gets them. The page itself comes from the worker only when the house cannot be reached.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse

from houseway.refusal import Refused, one_of
from houseway.release import VERSION
from houseway.view.reader import ANYBODY
from houseway.web.commands import REFUSALS
from houseway.web.live import STREAM, house_of
from houseway.web.served import ServedHouse, refusal_event
from houseway.web.statics import STATIC, statics_digest

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/v1", tags=["house"], responses=REFUSALS)
PAGE, WORKER = "js/wall/page.js", "js/wall/worker.js"
BESIDE = ("js/heads/page.js", "css/house.css", "css/board.css", "css/wall.css", "img/houseway.svg")
"""What the page has beside its script and what that imports."""
BOARDS_MOST = 6
AGAIN_SECONDS = 3.0
"""How often a scoreboard is looked for that cannot be shown."""
EVENT = re.compile(rb"(?:id: [^\n]*\n)?event: (\w+)\ndata: (.*)\n\n", re.DOTALL)
MANIFEST = {
    "id": "/wall",
    "name": "Houseway wall",
    "short_name": "Wall",
    "description": "Scoreboards of the house, live.",
    "start_url": "/wall",
    "scope": "/wall",
    "display": "fullscreen",
    "orientation": "landscape",
    "background_color": "#061a14",
    "theme_color": "#061a14",
    "icons": [{"src": "/static/img/houseway.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
}


@router.get("/wall")
def wall(request: Request) -> HTMLResponse:
    """Scoreboards for the wall; the page itself reads from its address which."""
    page: HTMLResponse = request.app.state.pages.page(request, "wall.html", "board")
    return page


@router.get("/wall/manifest.webmanifest")
def manifest() -> JSONResponse:
    """What a browser that installs the page asks for."""
    return JSONResponse(MANIFEST, headers={"Cache-Control": "no-cache"}, media_type="application/manifest+json")


@router.get("/wall/worker.js")
def worker() -> Response:
    """The service worker of this release."""
    files = page_files()
    release = hashlib.sha256(json.dumps([VERSION, files]).encode()).hexdigest()[:16]
    known = f"const RELEASE = {json.dumps(release)};\nconst FILES = {json.dumps(files, indent=2)};\n"
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/wall"}
    return Response(known + (STATIC / WORKER).read_text(), media_type="text/javascript", headers=headers)


@cache
def page_files() -> dict[str, str]:
    """The addresses of all files of the page, as this release names them, each with its digest."""
    found: dict[str, str] = {}
    left = [STATIC / PAGE, *(STATIC / name for name in BESIDE)]
    while left:
        file = left.pop()
        address = f"/static/{statics_digest()}/{file.relative_to(STATIC).as_posix()}"
        if address not in found:
            content = file.read_bytes()
            found[address] = hashlib.sha256(content).hexdigest()
            if file.suffix == ".js":
                imported = re.findall(r'^import [^"]*"(\.[^"]+)"|^\} from "(\.[^"]+)"', content.decode(), re.MULTILINE)
                left += [(file.parent / (one or other)).resolve() for one, other in imported]
    return dict(sorted(found.items()))


def boards_named(given: str) -> list[str]:
    """The scoreboards that are asked for, with commas between them; whether there are such is told of each by itself."""
    names = list(dict.fromkeys(name for each in given.split(",") if (name := each.strip())))
    if not 1 <= len(names) <= BOARDS_MOST:
        raise Refused("bad-boards", f"a wall shows 1 to {BOARDS_MOST} scoreboards: name them with commas, such as t1,t2")
    return names


@api.get("/wall/stream", summary="Several scoreboards, live", responses=STREAM)
def stream(
    request: Request, boards: Annotated[str, Query(max_length=300, description="their names, with commas between them")] = ""
) -> StreamingResponse:
    """One stream of server-sent events, for a browser has few connections: the data of each says of which board it is, and
    holds what that board's own stream would say; of one that there is not, why it is refused, until there is."""
    house = house_of(request)
    names = boards_named(boards)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(together(house, names), media_type="text/event-stream", headers=headers)


async def together(house: ServedHouse, names: list[str]) -> AsyncIterator[bytes]:
    """What each scoreboard tells to anybody, as it comes."""
    told: asyncio.Queue[bytes | None] = asyncio.Queue(4 * BOARDS_MOST)

    async def listen(name: str) -> None:
        while not house.closed:
            try:
                one_of("scoreboard", name, [*house.state.tables, *house.state.boards])
            except Refused as refused:
                await told.put(_of_board(name, refusal_event(refused)))
            else:
                async for event in house.watch(f"board:{name}", ANYBODY):
                    await told.put(_of_board(name, event))
            if not house.closed:  # one board cannot be shown: the others go on, and it is looked for again
                await asyncio.sleep(AGAIN_SECONDS)
        await told.put(None)

    listening = [asyncio.create_task(listen(name)) for name in names]
    try:
        while (event := await told.get()) is not None:  # the house closes
            yield event
    finally:
        for task in listening:
            task.cancel()
        for task in listening:
            with suppress(asyncio.CancelledError):
                await task


def _of_board(name: str, event: bytes) -> bytes:
    match = EVENT.fullmatch(event)
    if match is None:
        return event  # that it is still there
    head: dict[str, Any] = {"board": name, "event": match[1].decode()}
    return b"event: board\ndata: " + json.dumps(head, ensure_ascii=False).encode()[:-1] + b', "data": ' + match[2] + b"}\n\n"
