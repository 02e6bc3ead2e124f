"""Work that takes long, apart from the tables: a few threads of its own with a short queue, so that no bet waits for it."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial, wraps
from typing import Any, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from houseway.house.outage import FULL
from houseway.refusal import Refused
from houseway.web.limits import Held

T = TypeVar("T")
TOO_MANY = "too-many-heavy"


class Apart:
    """A few threads that work off a queue; they end with the process, whatever they are at."""

    def __init__(self, what: str, threads: int, waiting: int, for_each: int) -> None:
        self.what, self.waiting = what, waiting
        self.held = Held(for_each)
        self._queue: queue.Queue[tuple[Future[Any], Callable[[], Any]]] = queue.Queue(waiting)
        self._threads, self._lock = threads, threading.Lock()

    async def run(self, client: str, work: Callable[[], T]) -> T:
        """What the work comes to, done apart; refused if too much of it waits, for everybody or for this client."""
        self._start()
        if not self.held.take(client):
            raise Refused(
                TOO_MANY,
                f"{self.held.most} {self.what} asked for at your address are under way, and no more at once are taken, so that "
                "others are served too: wait until one is done",
            )
        try:
            done: Future[T] = Future()
            try:
                self._queue.put_nowait((done, work))
            except queue.Full:
                raise Refused(
                    FULL, f"{self.waiting} {self.what} wait already, and no more are taken: ask again in a few seconds"
                ) from None
            return await asyncio.wrap_future(done)
        finally:
            self.held.give_back(client)

    @property
    def under_way(self) -> int:
        """How many are asked for and not done."""
        return self.held.all

    def _start(self) -> None:
        with self._lock:
            while self._threads:
                self._threads -= 1
                threading.Thread(target=self._work, name=f"houseway {self.what}", daemon=True).start()

    def _work(self) -> None:
        while True:
            done, work = self._queue.get()
            if not done.set_running_or_notify_cancel():
                continue  # whoever asked has gone
            try:
                result = work()
            except BaseException as error:
                with suppress(Exception):
                    done.set_exception(error)
            else:
                done.set_result(result)
            del done, work


def apart(pool: str) -> Callable[[Callable[..., T]], Callable[..., Any]]:
    """A route that is worked off in one of the application's pools; it takes the request."""

    def wrap(route: Callable[..., T]) -> Callable[..., Any]:
        @wraps(route)
        async def run(request: Request, **given: Any) -> T:
            work = partial(route, request=request, **given)
            pools: dict[str, Apart] | None = getattr(request.app.state, "apart", None)
            if pools is None:  # an application without tables has nobody to keep waiting
                return await run_in_threadpool(work)
            return await pools[pool].run(client_of(request), work)

        return run

    return wrap


def client_of(request: Request) -> str:
    """How the client of a request is counted, as the guard has found."""
    return str(request.scope.get("houseway.client", ""))
