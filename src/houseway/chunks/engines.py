"""Who does the chunks: threads of this process, or the workers of a Dask cluster. None of them changes a tally."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from logging import CRITICAL
from queue import Empty, Queue
from typing import Any, Protocol

from houseway.chunks.done import Range
from houseway.chunks.tallies import Tallies
from houseway.refusal import Refused

Work = Callable[[int, int], Tallies]
"""Does the units from the first up to, not with, the last."""
CHUNKS_WAITING = 2
"""So many chunks for each worker are handed out at a time: enough that none waits, few enough that little is lost."""
SECONDS_TO_ANSWER = 10
SECONDS_BETWEEN_LOOKS = 0.2


class Engine(Protocol):
    """Does chunks, in any order."""

    name: str
    workers: int

    def each(self, work: Work, chunks: Iterable[Range]) -> Iterator[tuple[Range, Tallies]]:
        """Every chunk with its tallies, as they are done."""
        ...

    def close(self) -> None:
        """No more chunks will come."""
        ...


def _in_turn(chunks: Iterator[Range], most: int, submit: Callable[[Range], Any], await_some: Callable[[set[Any]], set[Any]],
             result: Callable[[Any], Tallies]) -> Iterator[tuple[Range, Tallies]]:  # fmt: skip
    """Keep so many chunks under way, and yield each as it is done."""
    under_way: dict[Any, Range] = {}
    while True:
        while len(under_way) < most and (chunk := next(chunks, None)):
            under_way[submit(chunk)] = chunk
        if not under_way:
            return
        for done in await_some(set(under_way)):
            yield under_way.pop(done), result(done)


class Threads:
    """Threads of this process: compiled loops let go of the interpreter."""

    name = "threads"

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))
        self._pool = ThreadPoolExecutor(self.workers)

    def each(self, work: Work, chunks: Iterable[Range]) -> Iterator[tuple[Range, Tallies]]:
        """Every chunk with its tallies, as they are done."""

        def await_some(under_way: set[Future[Tallies]]) -> set[Future[Tallies]]:
            done: set[Future[Tallies]] = set()
            while not done:  # with a timeout, so that Ctrl-C is heard
                done, _ = wait(under_way, timeout=SECONDS_BETWEEN_LOOKS, return_when=FIRST_COMPLETED)
            return done

        most = self.workers * CHUNKS_WAITING
        yield from _in_turn(
            iter(chunks), most, lambda chunk: self._pool.submit(work, *chunk), await_some, lambda done: done.result()
        )

    def close(self) -> None:
        """Chunks that are under way end; those that wait are dropped."""
        self._pool.shutdown(cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster: one at an address, or, without one, processes of this machine.

    A worker that dies costs the chunks that it had: others do them again.
    """

    name = "dask"

    def __init__(self, address: str = "", workers: int = 0) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise Refused(
                "no-engine", 'dask is not installed here: pip install "houseway[cluster]", or use --engine threads'
            ) from error
        self._cluster: Any = None
        try:
            if not address:
                count = workers or len(os.sched_getaffinity(0))
                self._cluster = distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=None, silence_logs=CRITICAL
                )
            self._client = distributed.Client(address or self._cluster, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise _no_answer(address or "a local cluster", error) from error
        threads = self._client.nthreads()
        self.workers = sum(threads.values())
        if not self.workers:
            self.close()
            raise Refused("no-workers", f"the Dask scheduler {address} has no workers: start some with dask worker {address}")

    def each(self, work: Work, chunks: Iterable[Range]) -> Iterator[tuple[Range, Tallies]]:
        """Every chunk with its tallies, as they are done."""
        ended: Queue[Any] = Queue()

        def submit(chunk: Range) -> Any:
            with _while_connected():
                future = self._client.submit(work, *chunk, pure=False)
                future.add_done_callback(ended.put)
            return future

        def await_some(_: set[Any]) -> set[Any]:
            while True:
                try:
                    return {ended.get(timeout=SECONDS_BETWEEN_LOOKS)}
                except Empty:
                    if self._client.status != "running":
                        raise _gone() from None

        def result(done: Any) -> Tallies:
            with _while_connected():
                tallies: Tallies = done.result()
                return tallies

        yield from _in_turn(iter(chunks), self.workers * CHUNKS_WAITING, submit, await_some, result)

    def close(self) -> None:
        """Leave the cluster; one of our own ends."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def _no_answer(address: str, error: BaseException) -> Refused:
    why = " ".join(str(error).split())[:120]
    return Refused(
        "no-scheduler",
        f"the Dask scheduler {address} does not answer ({why}): is its address tcp://HOST:8786, and does it run?",
    )


def _gone() -> Refused:
    return Refused("no-scheduler", "the Dask scheduler is gone; what was done is kept: go on with --resume")


@contextmanager
def _while_connected() -> Iterator[None]:
    """A scheduler that is gone is said in a line; what is done by then is kept."""
    distributed: Any = import_module("distributed")

    try:
        yield
    except distributed.scheduler.KilledWorker as error:
        raise Refused(
            "workers-die",
            f"workers of the cluster die over the same chunk, the last {error.last_worker.address}: their logs say why",
        ) from error
    except (OSError, distributed.CancelledError, TimeoutError) as error:
        raise _gone() from error
