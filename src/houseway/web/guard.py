"""What stands before every request: how much and how often, and the headers that tell a browser what not to do."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from houseway.web.clients import Clients
from houseway.web.limits import Bucket, ClientLimits, Held

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_MOST = 64 * 1024
LARGER = {"/api/v1/reports/verify/stream": 16 * 1024 * 1024}
"""Where a body may be larger: a report that is to be verified, which is held in memory and kept nowhere."""
LARGER |= {f"/api/v1/train/{asked}": 512 * 1024 for asked in ("skills", "next", "answer", "progress")}
"""And what somebody without an account has learned, which his browser sends along."""
LARGER |= {"/api/v1/train/certificates/verify": 4 * 1024 * 1024}
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
SECURE = [*_HEADERS, (b"strict-transport-security", b"max-age=31536000")]
"""Whoever came by TLS once, comes by TLS for a year."""
RETRY_AFTER = {429: b"1", 503: b"5"}
"""Seconds after which it is worth asking again."""
UNCACHED = [(b"cache-control", b"no-store")]


class TooLarge(Exception):  # noqa: N818  (it is what happened)
    """A body grew beyond what is taken."""


class Guard:
    """Refuses clients that ask too often or watch too much, and bodies that are too large; adds the headers to every answer."""

    def __init__(
        self,
        app: App,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        clients: Clients | None = None,
        streams: int = ClientLimits().streams,
    ) -> None:
        self.app, self.per_second = app, per_second
        self.clients = clients or Clients()
        self._may_ask = Bucket(2 * per_second, 2, clock).take  # a burst of two seconds' worth is fine
        self._streams = Held(streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client = scope["houseway.client"] = self.clients.who(scope, headers)
        if not self._may_ask(client):
            await _refuse(send, 429, "too-many-requests", f"more than {self.per_second:.0f} requests a second: slow down")
            return
        length = headers.get(b"content-length", b"0")
        most = LARGER.get(scope["path"], BODY_MOST)
        if not length.isdigit() or int(length) > most:
            await _refuse(send, 413, "too-large", f"a request holds at most {most:,} bytes")
            return
        if not scope["path"].endswith("/stream"):
            await self._pass_on(scope, receive, send)
        elif self._streams.take(client):
            try:
                await self._pass_on(scope, receive, send)
            finally:
                self._streams.give_back(client)
        else:
            most = self._streams.most
            message = f"{most} streams are open at your address, and one may have no more, so that everybody is served"
            await _refuse(send, 429, "too-many-streams", f"{message}: close a page of the house, and try again")

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        more = SECURE if scope["scheme"] == "https" else _HEADERS
        started = False
        taken, most = 0, LARGER.get(scope["path"], BODY_MOST)

        async def counted() -> MutableMapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise TooLarge
            return message

        async def guarded(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if taken > most:
                return  # whatever the application makes of the broken body, the answer is below
            if message["type"] == "http.response.start":
                started = True
                known = {name for name, _ in message["headers"]}
                extra = more if b"cache-control" in known else [*more, *UNCACHED]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        try:
            with suppress(TooLarge):
                await self.app(scope, counted, guarded)
        except asyncio.CancelledError:  # the server closes, and waits no longer: no page of traceback for that
            if not started:
                await _refuse(send, 503, "closing", "the house closes, and this was not waited for: ask again when it is open")
            return
        if taken > most and not started:
            await _refuse(send, 413, "too-large", f"a request holds at most {most:,} bytes")


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"code": code, "message": message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_HEADERS, *UNCACHED]
    if status in RETRY_AFTER:
        headers.append((b"retry-after", RETRY_AFTER[status]))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
