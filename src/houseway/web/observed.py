"""What stands around every request, so that it is counted and told: how long it took, what came of it, what it carried."""

import logging
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect

from houseway.refusal import Refused
from houseway.table.entry import Entry
from houseway.table.fold import REQUESTED
from houseway.web.guard import App, Receive, Scope, Send
from houseway.web.logs import REQUESTS, TOLD
from houseway.web.metrics import Metrics

CARRIED, REFUSED = "houseway.carried", "houseway.refused"
"""Where a request's scope says which command it carried, and with which code it was refused."""
GONE = 499
"""As what a request is counted whose sender has hung up in the middle of it."""
FILES = ("/static", "/docs")
NOWHERE = "(none)"


class Observed:
    """Counts every request and tells of it in the log."""

    def __init__(self, app: App, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def seen(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, seen)
        except ClientDisconnect:  # before all of his request was there: no error, and nobody is left to be told
            status = GONE
        finally:
            self._over(scope, status, time.perf_counter() - began)

    def _over(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = route_of(scope), scope["method"] if scope["method"] in METHODS else "OTHER"
        self.metrics.count("houseway_requests_total", route=route, method=method, status=str(status))
        if not route.endswith("/stream"):
            self.metrics.took("houseway_request_seconds", seconds, route=route)
        if code := scope.get(REFUSED):
            self.metrics.count("houseway_refusals_total", code=code)
        if REQUESTS.isEnabledFor(logging.INFO) and route not in FILES:
            told = {"event": "request", "method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            told |= scope.get(CARRIED, {}) | ({"refused": code} if code else {})
            REQUESTS.info("request", extra={TOLD: told})


METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def route_of(scope: Scope) -> str:
    """The route that answered, as it is declared: what stands in its place in the path may be somebody's name."""
    for folder in FILES:
        if scope["path"].startswith(f"{folder}/"):
            return folder
    route = scope.get("route")
    return str(getattr(route, "path", NOWHERE))


class CommandUnderWay:
    """A command on its way: what came of it is said when it is over."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}

    def came_to(self, entry: Entry) -> None:
        """The entry that it left."""
        self.told |= {"outcome": "asked" if entry.kind == REQUESTED else "done", "entry": entry.seq, "table": entry.table}


@contextmanager
def carrying(request: Request, kind: str, role: str) -> Iterator[CommandUnderWay]:
    """While a command is carried out: it is counted, timed and told of."""
    metrics: Metrics = request.app.state.metrics
    carried, began, outcome = CommandUnderWay(), time.perf_counter(), "failed"
    metrics.began()
    try:
        yield carried
        outcome = str(carried.told["outcome"])
    except Refused:
        outcome = "refused"
        raise
    finally:
        metrics.ended()
        metrics.count("houseway_commands_total", command=kind, outcome=outcome)
        metrics.took("houseway_command_seconds", time.perf_counter() - began, command=kind)
        request.scope[CARRIED] = {"command": kind, "role": role, "outcome": outcome} | carried.told
