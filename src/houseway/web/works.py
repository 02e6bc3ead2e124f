"""Long work for readers of the lab, each in a process of its own: few at once, one for each client, gone with whoever asked."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

from houseway.house.outage import FULL
from houseway.refusal import Refused, number_of
from houseway.web.apart import TOO_MANY
from houseway.web.limits import Held

AT_ONCE, WAITING = 2, 8
PREPARING_SECONDS = 300.0
"""What a process may take until it says anything: rules that were never used here are compiled first. It is not counted."""
LOOK_SECONDS = 0.5
WORKER = [sys.executable, "-m", "houseway.web.lab_worker"]
Message = dict[str, Any]


class Work:
    """One question under way: the newest of what its process says, and nothing older, however slowly it is read."""

    def __init__(self, question: Message, seconds: float, ended: Callable[[], None], worker: Sequence[str] = WORKER) -> None:
        self._worker = worker
        self.seconds, self._ended, self._loop = seconds, ended, asyncio.get_running_loop()
        self.woken, self.newest = asyncio.Event(), dict[str, Any]()
        self.is_over, self.until = False, 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock, self._closed, self._is_heard = threading.Lock(), False, False
        self._line = json.dumps(question).encode() + b"\n"

    def begin(self) -> None:
        """Its turn has come."""
        self.until = time.monotonic() + PREPARING_SECONDS
        threading.Thread(target=self._listen, name="houseway work", daemon=True).start()

    def _listen(self) -> None:
        with self._lock:
            if self._closed:
                return
            process = subprocess.Popen(self._worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._process = process
        assert process.stdin and process.stdout
        with suppress(OSError):  # it may be killed before it has listened
            process.stdin.write(self._line)
            process.stdin.flush()
        with process.stdout:
            for line in process.stdout:
                self._tell(json.loads(line))
        process.wait()
        with suppress(OSError):
            process.stdin.close()
        self._tell(None)

    def _tell(self, message: Message | None) -> None:
        def hear() -> None:
            if message is None:
                self.is_over = True
            else:
                self.until, self._is_heard = self.until if self._is_heard else time.monotonic() + self.seconds, True
                self.newest |= message
            self.woken.set()

        with suppress(RuntimeError):  # the house has closed meanwhile
            self._loop.call_soon_threadsafe(hear)

    def taken(self) -> Message:
        """What was said since this was last asked."""
        said, self.newest = self.newest, {}
        self.woken.clear()
        return said

    async def wait(self) -> None:
        """Until something is said, or for a moment."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.woken.wait(), LOOK_SECONDS)

    def close(self) -> None:
        """Nobody waits for it any more; at once, and as often as one likes."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._process:
                self._process.kill()
        self._ended()


class Works:
    """All works of one kind in this process: so many at once, so many that wait, and so many for each client."""

    def __init__(
        self,
        for_each: int,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        what: str = "simulation",
        worker: Sequence[str] = WORKER,
    ) -> None:
        self.what, self.worker = what, worker
        self.held, self.at_once, self.waiting = Held(for_each), at_once, waiting
        self.under_way: set[Work] = set()
        self._queue: deque[Work] = deque()

    def ask(self, client: str, question: Message, seconds: float) -> Work:
        """A work that begins when its turn comes; refused if too much is under way, for everybody or for this client."""
        if not self.held.take(client):
            most = number_of(self.held.most, self.what)
            message = f"{most} at a time may be under way at one address, and yours has as many"
            raise Refused(TOO_MANY, f"{message}: stop it, or wait until it is done")
        if len(self._queue) >= self.waiting:
            self.held.give_back(client)
            raise Refused(FULL, f"{self.waiting} {self.what}s wait already, and no more are taken: ask again in a minute")

        def ended() -> None:
            self.held.give_back(client)
            self.under_way.discard(work)
            with suppress(ValueError):
                self._queue.remove(work)
            self._next()

        work = Work(question, seconds, ended, self.worker)
        self._queue.append(work)
        self._next()
        return work

    def place(self, work: Work) -> int:
        """Which one it is among those that wait, the first being 1; 0 once its turn has come."""
        return self._queue.index(work) + 1 if work in self._queue else 0

    def _next(self) -> None:
        while self._queue and len(self.under_way) < self.at_once:
            work = self._queue.popleft()
            self.under_way.add(work)
            work.begin()

    def close(self) -> None:
        """The house closes."""
        for work in (*self.under_way, *self._queue):
            work.close()


async def first_said(work: Work, is_gone: Callable[[], Any]) -> Message | None:
    """What a work says first, or nothing if whoever asked has gone meanwhile."""
    while not work.newest and not work.is_over:
        if await is_gone():
            return None
        if work.until and time.monotonic() > work.until:
            raise Refused(
                FULL, f"the rules are not ready after {PREPARING_SECONDS:.0f} seconds: ask again when less is under way"
            )
        await work.wait()
    return work.taken()


async def all_said(
    work: Work, first: Message, is_closing: Callable[[], bool], place: Callable[[], int]
) -> AsyncIterator[tuple[str, Message]]:
    """Everything that a work says, as events: its place in the queue, progress, answers, and at last why it ended."""
    said, whole, has_answered, told = first, False, False, 0
    while True:
        if (now := place()) != told:
            yield "queue", {"place": now}
            told = now
        if "refused" in said:  # nobody could be told before the stream began
            yield "refused", said["refused"]
            return
        for kind, content in said.items():
            whole |= kind == "answer" and content["whole"]
            has_answered |= kind == "answer"
            yield kind, content
        if whole or is_closing() or work.is_over or (work.until and time.monotonic() > work.until):
            break
        await work.wait()
        said = work.taken()
    if whole:
        why = "done"
    elif is_closing():
        why = "closing"
    else:
        why = "failed" if work.is_over else "time"
    yield "end", {"why": why, "words": _ending(why, has_answered, work.seconds)}


def _ending(why: str, told: bool, seconds: float) -> str:
    shown = "what was done by then is shown" if told else "there was nothing to show yet"
    return {
        "done": "",
        "time": f"Ended after {seconds:,.0f} seconds, the most that it may take here: {shown}. The shell has no bound.",
        "closing": f"The house closes: {shown}.",
        "failed": f"It broke off, which it should not: {shown}. The house's log says why.",
    }[why]
