"""Everybody in a full house, as one light process: seats that act and screens that watch, over raw sockets.

It reads one line of JSON (what `load.py` asks for), fills the house and says that it is ready. Then it plays for a while
whenever it is told to, as often as it is told, and tells what it measured. So little work goes into each message that the
server, and not its visitors, is measured; what it took is told with the rest.
"""

import asyncio
import json
import math
import os
import random
import re
import sys
import time
import zlib
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import uvloop

LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
IDS = re.compile(rb"^id: (\d+)$", re.MULTILINE)
SEQ = re.compile(rb'"seq":(\d+)')


IDLE_SECONDS = 4
"""A connection that nobody has used for so long is not used again: the house may just be closing it."""


class Caller(asyncio.Protocol):
    """A connection that asks one thing after the other; another one is opened where nobody has used it for a while."""

    def __init__(self, port: int) -> None:
        self.port, self.buffer, self.is_open, self.used = port, b"", False, 0.0
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.is_open = transport, True

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        length = LENGTH.search(self.buffer, 0, end)
        whole = end + 4 + (int(length[1]) if length else 0)
        if len(self.buffer) >= whole and self.answer and not self.answer.done():
            self.answer.set_result((int(self.buffer[9:12]), self.buffer[end + 4 : whole]))
            self.buffer, self.answer = self.buffer[whole:], None

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self.answer and not self.answer.done():
            self.answer.set_exception(ConnectionError("the house hung up"))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        loop = asyncio.get_running_loop()
        if self.is_open and loop.time() - self.used > IDLE_SECONDS:
            self.transport.abort()  # type: ignore[attr-defined]
            while self.is_open:
                await asyncio.sleep(0)
        if not self.is_open:
            await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        self.answer = loop.create_future()
        self.transport.write(request)  # type: ignore[attr-defined]
        answer = await self.answer
        self.used = loop.time()
        return answer


class Screen(asyncio.Protocol):
    """A stream: when it had which entry."""

    def __init__(self, request: bytes) -> None:
        self.request, self.buffer, self.text = request, b"", b""
        self.inflater: Any = None
        self.in_body, self.received, self.events = False, 0, 0
        self.seqs: list[int] = []
        self.times: list[float] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self.request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        buffer, at = self.buffer + data if self.buffer else data, 0
        if not self.in_body:
            if (at := buffer.find(b"\r\n\r\n") + 4) < 4:
                self.buffer = buffer
                return
            assert buffer.startswith(b"HTTP/1.1 200"), buffer[:300]
            self.in_body = True
            if b"content-encoding: gzip" in buffer[:at].lower():
                self.inflater = zlib.decompressobj(31)
        while (end := buffer.find(b"\r\n", at)) >= 0:
            size = int(buffer[at:end], 16)
            if len(buffer) < end + size + 4:
                break
            self.told(buffer[end + 2 : end + 2 + size])
            at = end + size + 4
        self.buffer = buffer[at:]

    def told(self, chunk: bytes) -> None:
        text = self.text + (self.inflater.decompress(chunk) if self.inflater else chunk)
        whole = text.rfind(b"\n\n")
        self.text = text[whole + 2 :] if whole >= 0 else text
        for seq in IDS.findall(text, 0, whole + 1) if whole >= 0 else ():
            self.events += 1
            self.seqs.append(int(seq))
            self.times.append(time.perf_counter())


@dataclass
class Crowd:
    """The guests, the dealers and the screens of a house, and what they measured."""

    asked: dict[str, Any]
    callers: dict[tuple[str, str], Caller] = field(default_factory=dict)
    screens: dict[str, list[Screen]] = field(default_factory=lambda: defaultdict(list))
    actions: list[tuple[str, int, float, float]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    due: dict[str, float] = field(default_factory=dict)
    plays: asyncio.Event = field(default_factory=asyncio.Event)
    """Whether it is time to play: while it is not, nobody asks for anything."""
    under_way: int = 0
    """How many have asked, and have no answer yet."""

    async def come_in(self) -> None:
        """A connection for each seat and each table's dealer, and all streams open."""
        loop, port = asyncio.get_running_loop(), self.asked["port"]
        tables, seats = self.asked["tables"], self.asked["seats"]
        tokens = list(self.asked["guests"].values())
        for number in range(tables):
            for token in [*tokens[number * seats : (number + 1) * seats], self.asked["dealer"]]:
                self.callers[f"T{number}", token] = Caller(port)
        streams = self.asked["streams"]
        watched = [(f"T{number // seats}", token) for number, token in enumerate(tokens)][:streams]
        watched += [(f"T{number % tables}", "") for number in range(streams - len(watched))]
        compressed = "Accept-Encoding: gzip\r\n" if self.asked["compressed"] else ""
        for table, token in watched:
            bearer = f"Authorization: Bearer {token}\r\n" if token else ""
            path = f"/api/v1/tables/{table}/stream"
            screen = Screen(f"GET {path} HTTP/1.1\r\nHost: x\r\n{bearer}{compressed}\r\n".encode())
            await loop.create_connection(lambda screen=screen: screen, "127.0.0.1", port)
            self.screens[table].append(screen)
        while not all(screen.events for each in self.screens.values() for screen in each):
            await asyncio.sleep(0.02)

    async def act(self, table: str, token: str, kind: str, **body: Any) -> bytes:
        """One command, from the press of the button to the answer."""
        if gap := self.asked["gap_seconds"]:
            self.due[table] = self.due.get(table, time.perf_counter()) + random.expovariate(1 / gap)
            await asyncio.sleep(max(self.due[table] - time.perf_counter(), 0))
        await self.plays.wait()
        content = json.dumps(body).encode() if body else b""
        kind_of = "Content-Type: application/json\r\n" if body else ""
        head = f"POST /api/v1/tables/{table}/{kind} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{kind_of}"
        began = time.perf_counter()
        self.under_way += 1
        try:
            status, answer = await self.callers[table, token].ask(
                f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content
            )
        finally:
            self.under_way -= 1
        if status == 200 and (seq := SEQ.search(answer)):
            self.actions.append((table, int(seq[1]), began, time.perf_counter()))
            return answer
        self.refused[f"{kind}: {status} {answer[:200].decode()}"] += 1
        return b""

    async def play(self, number: int, rounds: float = math.inf) -> None:
        """Rounds at a table, one after the other: at the pace of people, or, without one, all seats at once."""
        table, seats, dealer = f"T{number}", self.asked["seats"], self.asked["dealer"]
        wager, choice = list(self.asked["games"].values())[number % len(self.asked["games"])]
        tokens = dict(enumerate(list(self.asked["guests"].values())[number * seats : (number + 1) * seats], 1))
        while (rounds := rounds - 1) >= 0:
            bet = partial(self.act, table, kind="bet", wager=wager, cents=500)
            if self.asked["gap_seconds"]:
                for seat, token in tokens.items():
                    await bet(token, seat=seat)
            else:
                await asyncio.gather(*(bet(token, seat=seat) for seat, token in tokens.items()))
            await self.act(table, dealer, "no-more-bets")
            told = await self.act(table, dealer, "deal")
            while b'"to-act"' in told:
                acting = next(event for event in json.loads(told)["happened"] if event["event"] == "to-act")
                seat, allowed = acting["seat"], acting["allowed"]
                chosen = choice if choice in allowed else allowed[-1]
                told = await self.act(table, tokens[seat], "decide", seat=seat, choice=chosen)
            await self.act(table, dealer, "settle")

    async def play_for(self, seconds: float) -> float:
        """Let everybody play on for so long, and have all answers; how long it took."""
        began = time.perf_counter()
        for table in self.due:  # where commands come at a pace, none was due while nobody played
            self.due[table] = began
        self.plays.set()
        await asyncio.sleep(seconds)
        self.plays.clear()
        while self.under_way:
            await asyncio.sleep(0.001)
        return time.perf_counter() - began

    def delays(self) -> tuple[list[float], list[float], int]:
        """For each action, the milliseconds until each screen of its table had it, until the last had it; how many never."""
        each, last, missed = [], [], 0
        for table, seq, began, _ in self.actions:
            places = [(screen, bisect_left(screen.seqs, seq)) for screen in self.screens[table]]
            came = [1000 * (screen.times[place] - began) for screen, place in places if place < len(screen.seqs)]
            missed += len(places) - len(came)
            each += came
            last += [max(came)] if came else []
        return each, last, missed


def quantiles(values: list[float]) -> list[float]:
    """Half, nine of ten, 99 of 100, all."""
    ordered = sorted(values) or [float("nan")]
    return [ordered[min(int(len(ordered) * share), len(ordered) - 1)] for share in (0.5, 0.9, 0.99, 1)]


async def main() -> None:
    asked = json.loads(sys.stdin.readline())
    random.seed(1)
    crowd = Crowd(asked)
    await crowd.come_in()
    paced, asked["gap_seconds"] = asked["gap_seconds"], 0
    crowd.plays.set()
    await asyncio.gather(*(crowd.play(number, rounds=1) for number in range(asked["tables"])))  # before anything is measured
    crowd.plays.clear()
    asked["gap_seconds"] = paced
    await asyncio.sleep(0.5)
    tables = asyncio.gather(*(crowd.play(number) for number in range(asked["tables"])))
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        told = await measured(crowd, float(line))
        if tables.done():
            await tables
        print(json.dumps(told), flush=True)
    os._exit(0)


async def measured(crowd: Crowd, seconds: float) -> dict[str, Any]:
    """What becomes of a while of play."""
    crowd.actions, crowd.refused = [], Counter()
    screens = [screen for each in crowd.screens.values() for screen in each]
    received, events = (sum(getattr(screen, name) for screen in screens) for name in ("received", "events"))
    busy = time.process_time()
    took = await crowd.play_for(seconds)
    busy = time.process_time() - busy
    print("played", flush=True)
    if screens:
        await asyncio.sleep(1)  # what is still on its way
    each, last, missed = crowd.delays()
    return {
        "actions": len(crowd.actions),
        "took": took,
        "busy": busy,
        "answers": quantiles([1000 * (done - began) for _, _, began, done in crowd.actions]),
        "each": quantiles(each),
        "last": quantiles(last),
        "missed": missed,
        "events": sum(screen.events for screen in screens) - events,
        "received": sum(screen.received for screen in screens) - received,
        "refused": crowd.refused,
    }


if __name__ == "__main__":
    uvloop.run(main())
