"""Whether the house lives and can serve, for whoever keeps it running; anybody may ask, and so no secret is told."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from houseway.approval import looks, system
from houseway.house.keys import SEALING
from houseway.house.opening import file_of
from houseway.house.outage import outage_of
from houseway.refusal import Refused
from houseway.release import VERSION
from houseway.web.metrics import all_figures, check_reader

router = APIRouter(include_in_schema=False)
STORE_SECONDS = 2.0
"""How long the store may take to answer."""
ASKED_AGAIN_SECONDS = 0.5
"""How long an answer counts: however often it is asked, the store is asked twice a second."""
DISK_LEAST = 64 * 1024 * 1024
FORMAT = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process lives."""
    return {"status": "ok", "release": VERSION}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Whether the house can serve: what was looked at, and of what does not hold why; 503 if there is any."""
    readiness: Readiness = request.app.state.readiness
    checks = await readiness.checks()
    ready = all(check["ok"] for check in checks.values())
    headers = {} if ready else {"Retry-After": "5"}
    return JSONResponse({"status": "ready" if ready else "not ready", "checks": checks}, 200 if ready else 503, headers)


@router.get("/metrics")
def metrics(request: Request) -> PlainTextResponse:
    """The figures of the house, for Prometheus."""
    check_reader(request, request.app.state.metrics_token)
    return PlainTextResponse(all_figures(request.app), media_type=FORMAT)


class Readiness:
    """Looks at what a house needs to serve; one look at a time, and its answer counts for a moment."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self._found: dict[str, dict[str, Any]] = {}
        self._at = float("-inf")
        self._asking: asyncio.Future[str] | None = None

    async def checks(self) -> dict[str, dict[str, Any]]:
        """What was found, by what was looked at."""
        if time.monotonic() - self._at > ASKED_AGAIN_SECONDS:
            store = await self._store()
            desk = self.app.state.house.desk
            looked = {"commands": await desk.why_not()} if desk else {}
            looked |= {"store": store, "keys": _why(self._keys), "disk": _why(self._disk), "self-check": _why(_self_check)}
            self._found = {name: {"ok": not why} | ({"why": why} if why else {}) for name, why in looked.items()}
            if not system().is_unchanged:  # the badge of every table says so, and the house serves on: so it is ready
                self._found["self-check"]["note"] = "the program is not as released"
            self._at = time.monotonic()
        return self._found

    async def _store(self) -> str:
        """Why the store does not answer, if it does not; a question that hangs is waited for, and no other is put to it."""
        if self._asking is None:
            self._asking = asyncio.get_running_loop().run_in_executor(None, _why, self._ask)
        try:
            why = await asyncio.wait_for(asyncio.shield(self._asking), STORE_SECONDS)
        except TimeoutError:
            return f"the store has not answered for {STORE_SECONDS:.0f} seconds"
        self._asking = None
        return why

    def _ask(self) -> str:
        head = self.app.state.house.floor.store.head()
        return "" if head[0] else "the journal has no head"

    def _keys(self) -> str:
        self.app.state.house.floor.keys.all(SEALING)
        return ""

    def _disk(self) -> str:
        floor, backups = self.app.state.house.floor, self.app.state.backups
        places = {"the keys": floor.keys.file.parent, "the store": (file_of(floor.store.url) or Path()).parent}
        places |= {"the backups": backups.folder} if backups else {}
        for what, folder in places.items():
            found = os.statvfs(folder)
            if found.f_bavail * found.f_frsize < DISK_LEAST:
                return f"the disk of {what} has less than {DISK_LEAST // 2**20} MB left"
        return ""


def _self_check() -> str:
    return "" if looks() else "the program has not looked at its own files yet"


def _why(look: Callable[[], str]) -> str:
    """What a look comes to, in words that hold no address, path or name."""
    try:
        return look()
    except Refused as refused:
        return f"refused: {refused.code}"
    except Exception as error:
        return outage_of(error) or "it cannot be looked at"
