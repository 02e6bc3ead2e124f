"""HTTP as the house speaks it: prompt, with so many connections for each client, and only so long for a request to come."""

import asyncio
import json
import socket
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from houseway.web.clients import Clients
from houseway.web.limits import ClientLimits, Held
from houseway.web.one_place import OnePlace

KEEPER = "doorkeeper"
"""Where the protocol finds its door-keeper in the state of the application's lifespan."""
LOOK_SECONDS = 0.5
HEAD_MOST = 64 * 1024
"""How long the first line and the headers of a request may be."""
HAND_OVER_TRIES, HAND_OVER_SECONDS = 100, 0.02
"""How often, and after how long, a process is asked again that was too busy to take a connection over."""
HEADERS, BODY = "headers", "body"
"""What of a request is still to come."""


class Doorkeeper:
    """Knows the connections of one process, and which of them have not brought a whole request yet."""

    def __init__(self, limits: ClientLimits, clients: Clients, streams: OnePlace | None = None) -> None:
        self.limits, self.clients, self.streams = limits, clients, streams
        self._open = Held(limits.connections)
        self._admitted: dict[HouseProtocol, str | None] = {}
        self._late: dict[HouseProtocol, tuple[str, float]] = {}
        self._look: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """No other process is to hand connections here any more."""
        if self.streams is not None:
            self.streams.close()

    def admit(self, visitor: "HouseProtocol") -> None:
        """Somebody is at the door; a named proxy may bring as many as it likes."""
        client, is_proxy = self.clients.named(visitor.client[0] if visitor.client else "")
        if not is_proxy and not self._open.take(client):
            most = f"{self._open.most} connections are open at your address, and one may have no more"
            visitor.turn_away(HTTPStatus.TOO_MANY_REQUESTS, "too-many-connections", f"{most}: close one and try again")
            return
        self._admitted[visitor] = None if is_proxy else client
        self.wait_for(visitor)

    def part(self, visitor: "HouseProtocol") -> None:
        """A connection is no more."""
        self._late.pop(visitor, None)
        client = self._admitted.pop(visitor, None)
        if client is not None:
            self._open.give_back(client)

    def wait_for(self, visitor: "HouseProtocol") -> None:
        """Note how long a request may take to come; one that has come as a whole has no time to keep."""
        stage = visitor.stage()
        if stage is None:
            self._late.pop(visitor, None)
        elif self._late.get(visitor, (None,))[0] != stage:
            self._late[visitor] = stage, visitor.loop.time() + self._seconds_for(stage)
            if self._look is None:
                self._look = visitor.loop.call_later(LOOK_SECONDS, self._turn_away_the_late, visitor.loop)

    def _seconds_for(self, stage: str) -> int:
        return self.limits.header_seconds if stage == HEADERS else self.limits.body_seconds

    def _turn_away_the_late(self, loop: asyncio.AbstractEventLoop) -> None:
        for visitor, (stage, until) in list(self._late.items()):
            if until <= loop.time():
                message = (
                    f"the {stage} of a request must come within {self._seconds_for(stage)} seconds: send it again, all at once"
                )
                visitor.turn_away(HTTPStatus.REQUEST_TIMEOUT, "too-slow", message)
        self._look = loop.call_later(LOOK_SECONDS, self._turn_away_the_late, loop) if self._late else None


class HouseProtocol(HttpToolsProtocol):
    """One connection."""

    _stage: str | None = HEADERS
    _head = 0
    asked = b""
    """What another process has read of it, before it handed the connection over."""
    _held = b""
    """What is to be handed to another process, with the connection."""
    _answered: RequestResponseCycle | None = None
    """The request that is being answered, or was last; others may have come after it, and wait for their turn."""
    _is_spoilt = False
    """Whether something came that is no request: nothing is read any more."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is at the door. Nagle's delay of 40 ms, which asyncio leaves on where processes share a door, is off."""
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self.keeper: Doorkeeper = self.app_state[KEEPER]
        self.keeper.admit(self)
        if self.asked and not self.transport.is_closing():
            self._read(self.asked)

    def data_received(self, data: bytes) -> None:
        """Some of a request has come."""
        if self.transport.is_closing() or self._is_spoilt:
            return
        if self._held:
            self._held += data
        elif self._begins() and self._belongs_elsewhere(data):
            self._held = data
            self._unset_keepalive_if_required()
            self.transport.pause_reading()  # what comes now is for whoever has it then
            self._hand_over(HAND_OVER_TRIES)
        else:
            self._read(data)

    def _begins(self) -> bool:
        """Whether what comes now is the first of a request: nothing of one that began before is still to come."""
        return self._stage is None or (self._stage == HEADERS and not self._head)

    def _belongs_elsewhere(self, data: bytes) -> bool:
        """Whether another process is to answer what begins here."""
        streams = self.keeper.streams
        return streams is not None and self.scheme != "https" and streams.place_of(data) is not None

    def _hand_over(self, tries: int) -> None:
        """Hand what begins here to the process where it belongs, and have done with it; or answer it after all."""
        streams, place = self.keeper.streams, None
        if self.transport.is_closing():
            return
        if streams is not None and (place := streams.place_of(self._held)):
            has_answered = self.cycle is None or self.cycle.response_complete
            is_sent = has_answered and not self.transport.get_write_buffer_size()  # what waits here would be lost
            number = self.transport.get_extra_info("socket").fileno()
            if is_sent and streams.is_handed(place, number, self._held):
                self.transport.abort()
                return
        if place and tries:
            self.loop.call_later(HAND_OVER_SECONDS, self._hand_over, tries - 1)
            return
        data, self._held = self._held, b""
        self.transport.resume_reading()
        self._read(data)

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        if self._stage == HEADERS:  # some of a head, perhaps of another request than the one that it began with
            self._head += len(data)
        if self._stage == HEADERS and self._head > HEAD_MOST:
            message = f"the headers of a request hold at most {HEAD_MOST:,} bytes"
            self.turn_away(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too-large", message)
        elif not self.transport.is_closing():
            self.keeper.wait_for(self)

    def on_message_begin(self) -> None:
        """The first line of a request begins to come."""
        self._stage = HEADERS
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its headers are there."""
        self._stage, self._head = BODY, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._stage = None
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """A request begins to be answered."""
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """An answer is out; the next request may have begun to come."""
        super().on_response_complete()
        self.keeper.wait_for(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over: also for what is being answered while another request waits behind it; uvicorn tells only that one."""
        self.keeper.part(self)
        if self._answered is not None:
            self._answered.disconnected = not self._answered.response_complete
            self._answered.message_event.set()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What has come is no request. One that came before is carried out: that is answered as ever, and then it is over."""
        answered, is_whole = self._answered, self._answered is not self.cycle or self._stage != BODY
        if answered is None or answered.response_complete or not is_whole:
            super().send_400_response(msg)
            return
        self._stage, self._is_spoilt = None, True
        answered.keep_alive = False

    def stage(self) -> str | None:
        """What of a request has begun to come and is not there yet: its headers or its body; None if nothing."""
        return self._stage

    def turn_away(self, status: HTTPStatus, code: str, message: str) -> None:
        """Say why, if nothing else was said yet, and close."""
        self.keeper.part(self)
        answered = self._answered
        if answered is None or answered.response_complete or not answered.response_started:
            body = json.dumps({"code": code, "message": message}).encode()
            again = "Retry-After: 5\r\n" if status is HTTPStatus.TOO_MANY_REQUESTS else ""
            head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\n{again}"
            self.transport.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        self.transport.close()
