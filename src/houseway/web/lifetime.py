"""How a process of the house ends: told to, with all its streams and within seconds; and when its parent is no more."""

import asyncio
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import socket
from types import FrameType
from typing import Any, NoReturn

from uvicorn import Config, Server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from houseway.web.protocol import KEEPER, HouseProtocol
from houseway.web.served import ServedHouse

log = logging.getLogger("houseway.web")
SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 2
"""How long requests under way may go on."""
LAST_SECONDS = 3.0
"""When a process ends whatever it is at, a database that does not answer perhaps: what was not committed did not happen."""
PARENT_LAST_SECONDS = 3.75
"""When a process that has others ends them, if they are still there, and itself: in all less than five, with time to spare."""
LOOK_SECONDS = 0.5
FULL_SECONDS = 1.0
"""How long nobody is let in by a process that can have no more connections."""
BEGINS_WITHIN_SECONDS = 120
"""When a process that is to replace another one is given up: it may have all rules to compile."""


def end_within(seconds: float, at_last: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """A thread that waits to be called, and then ends the process after so many seconds, whatever that is at.

    It waits for a bare lock, which a signal's handler may let go of at any instant: whatever else threads wait for has locks
    inside, which the interrupted thread may hold.
    """
    waits = threading.Lock()
    waits.acquire()

    def last() -> None:
        waits.acquire()
        time.sleep(seconds)
        at_last()
        os._exit(0)

    def begin() -> None:
        with suppress(RuntimeError):  # called already
            waits.release()

    threading.Thread(target=last, name="houseway last", daemon=True).start()
    return begin


@contextmanager
def ending_streams(house: ServedHouse) -> Iterator[None]:
    """While the house is open, a signal that ends the process ends its streams first: the server waits for them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    begin_to_end = end_within(LAST_SECONDS)

    def end(number: int, frame: FrameType | None) -> None:
        begin_to_end()
        house.close_streams()
        then = before[signal.Signals(number)]
        if callable(then):
            then(number, frame)

    for number in SIGNALS:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class OneOfSeveral(Server):
    """A server that shares its doors with others. It lets visitors in one at a time, so that of many who come at once each
    server has its part: left to itself, an event loop takes all who stand at a door. Connections that belong here, of tables
    that are watched here, are handed on by the others."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup([])
        self._doors, self._coming = sockets or [], set[asyncio.Task[Any]]()
        for door in self._doors:
            door.listen(self.config.backlog)
            door.setblocking(False)
            self._open(door)
        if streams := self.lifespan.state[KEEPER].streams:
            streams.open(self._visitor)

    def _visitor(self, asked: bytes = b"") -> HouseProtocol:
        visitor = HouseProtocol(self.config, self.server_state, self.lifespan.state)
        visitor.asked = asked
        return visitor

    def _open(self, door: socket) -> None:
        if not self.should_exit:
            asyncio.get_running_loop().add_reader(door, self._let_one_in, door)

    def _let_one_in(self, door: socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            come, _ = door.accept()
        except (BlockingIOError, ConnectionError, InterruptedError):  # another server has let him in, or he has gone
            return
        except OSError as error:  # no more files can be open here: others may let him in meanwhile
            log.warning("nobody is let in for %g seconds (%s)", FULL_SECONDS, error)
            loop.remove_reader(door)
            loop.call_later(FULL_SECONDS, self._open, door)
            return
        coming = loop.create_task(self._let_in(come))
        self._coming.add(coming)
        coming.add_done_callback(self._coming.discard)

    async def _let_in(self, come: socket) -> None:
        come.setblocking(False)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(self._visitor, come, ssl=self.config.ssl)
        except OSError as error:  # he has gone, or does not speak TLS
            log.debug("a visitor did not come in (%s)", error)
            come.close()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Let nobody in any more, and end."""
        for door in self._doors:
            asyncio.get_running_loop().remove_reader(door)
        await super().shutdown(sockets)


class Worker(Process):
    """A process that serves, with others."""

    @property
    def server(self) -> Server:
        """What serves in it."""
        if self._server is None:
            self._server = OneOfSeveral(config=self.config)
        return self._server


class Workers(Multiprocess):
    """The processes that serve, and their parent: told to end, it tells them at once and does not outstay them."""

    told = False

    def __init__(self, config: Config, sockets: list[socket], tidy: Callable[[], None]) -> None:
        super().__init__(config, sockets=sockets)
        self._tidy = tidy
        self._all: list[Worker] = []
        """Those who have begun and are not known to have ended, one that is to replace another included."""

    def run(self) -> None:
        """Until it is told to end, or they cannot be started."""
        begin_to_end = end_within(PARENT_LAST_SECONDS, self._kill_all)

        def end(number: int, frame: FrameType | None) -> None:
            begin_to_end()
            self.told = True
            self.tell(signal.SIGTERM)  # now, and not when each was asked whether it is well
            self.signal_queue.append(number)

        for number in SIGNALS:
            signal.signal(number, end)
        super().run()

    def _kill_all(self) -> None:
        self.tell(signal.SIGKILL)
        self._tidy()

    def tell(self, number: signal.Signals) -> None:
        """Send all workers a signal; one that computes without a pause heeds only the last of them."""
        for worker in tuple(self._all):
            if worker.pid:
                with suppress(ProcessLookupError):
                    os.kill(worker.pid, number)

    def init_processes(self) -> None:
        """All begin."""
        self.processes = [self._begun() for _ in range(self.processes_num)]

    def _begun(self) -> Worker:
        self._all = [begun for begun in self._all if begun.exitcode is None]
        worker = Worker(self.config, self.sockets)
        self._all.append(worker)  # first: a signal may come at any instant
        worker.start()
        return worker

    def handle_ttin(self) -> None:
        """SIGTTIN: one more."""
        self.processes_num += 1
        self.processes.append(self._begun())

    def restart_all(self) -> None:
        """SIGHUP: each is replaced, as soon as the next one serves."""
        for place, old in enumerate(tuple(self.processes)):
            new = self._begun()
            if not new.wait_until_ready(BEGINS_WITHIN_SECONDS, self.should_exit):
                new.kill()
                new.join()
                return
            self.processes[place] = new
            old.terminate()
            old.join()

    def keep_subprocess_alive(self) -> None:
        """A worker that is gone, or answers no more, is replaced, unless all are to go. If it could not even begin, all go: the
        next one would not either."""
        for place, worker in enumerate(self.processes):
            if self.told or self.should_exit.is_set() or worker.is_alive(self.config.timeout_worker_healthcheck):
                continue
            worker.kill()
            worker.join()
            if worker.exitcode == STARTUP_FAILURE:
                self.should_exit.set()
            else:
                self.processes[place] = self._begun()


def leave_quietly(number: int, frame: FrameType | None) -> None:
    """What a server that was told to end does when all is done."""
    raise SystemExit(0)


def leave_at_once() -> NoReturn:
    """All is done: nobody waits until Python has put everything away, which takes seconds where rules were compiled."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def end_with(parent: int) -> None:
    """Told from a thread of its own: a process whose parent is no more ends as if it were told to."""

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=look, name="houseway parent", daemon=True).start()
