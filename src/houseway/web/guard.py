"""What stands before every request: how much and how often, and the headers that tell a browser what not to do."""

import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_MOST = 64 * 1024
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
UNCACHED = [(b"cache-control", b"no-store")]


class TooLarge(Exception):  # noqa: N818  (it is what happened)
    """A body grew beyond what is taken."""


class Guard:
    """Refuses clients that ask too often and bodies that are too large, and adds the headers to every answer."""

    def __init__(self, app: App, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.app, self.per_second, self.clock = app, per_second, clock
        self.buckets: dict[str, tuple[float, float]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not self._may_ask(scope["client"][0] if scope.get("client") else ""):
            await _refuse(send, 429, "too-many-requests", f"more than {self.per_second:.0f} requests a second: slow down")
            return
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not length.isdigit() or int(length) > BODY_MOST:
            await _refuse(send, 413, "too-large", f"a request holds at most {BODY_MOST:,} bytes")
            return
        started = False
        taken = 0

        async def counted() -> MutableMapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > BODY_MOST:
                raise TooLarge
            return message

        async def guarded(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if taken > BODY_MOST:
                return  # whatever the application makes of the broken body, the answer is below
            if message["type"] == "http.response.start":
                started = True
                known = {name for name, _ in message["headers"]}
                extra = _HEADERS if b"cache-control" in known else [*_HEADERS, *UNCACHED]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        with suppress(TooLarge):
            await self.app(scope, counted, guarded)
        if taken > BODY_MOST and not started:
            await _refuse(send, 413, "too-large", f"a request holds at most {BODY_MOST:,} bytes")

    def _may_ask(self, client: str) -> bool:
        """A bucket that refills: a burst of two seconds' worth is fine, and what is refused takes nothing out of it."""
        now = self.clock()
        left, at = self.buckets.get(client, (2 * self.per_second, now))
        left = min(2 * self.per_second, left + (now - at) * self.per_second)
        if len(self.buckets) > 10_000:
            self.buckets.clear()
        may = left >= 1
        self.buckets[client] = left - may, now
        return may


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"code": code, "message": message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS, *UNCACHED]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
