"""Questions that are answered together: whoever asks while a thread is at work is answered with all who have asked by then.

So those who wait for the same thing, a commit or a round trip to the store, share it, and nobody waits who is alone.
"""

import asyncio
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from houseway.refusal import Refused

Q = TypeVar("Q")
A = TypeVar("A")
Answering = Callable[[Sequence[Q], Callable[[], Sequence[Q]]], Sequence[A | Exception]]
"""Answers questions, in their order. Whoever has to wait first may ask who else has come meanwhile, and answers them too."""
AT_ONCE = 64
"""How many are answered together at most, so that the first of them does not wait for too many others."""


@dataclass(eq=False)
class _Waiting(Generic[Q]):
    """Somebody who waits. The one mark is taken by whoever answers, or by himself when he has waited for too long."""

    question: Q
    loop: asyncio.AbstractEventLoop
    answered: "asyncio.Future[Any]"
    mark: list[None] = field(default_factory=lambda: [None])

    def takes(self) -> bool:
        """Whether it is still open who has the mark; once."""
        try:
            self.mark.pop()
        except IndexError:
            return False
        return True


class Together(Generic[Q, A]):
    """One thread that answers what has been asked since it answered last. It ends with the process, whatever it is at."""

    def __init__(self, name: str, answer: Answering[Q, A], too_long: Refused, seconds: float, changes: bool):
        """Whoever asks for what `changes` something is told of it, however long that takes once it is begun; others are not."""
        self._name, self._answer, self._too_long, self._seconds = name, answer, too_long, seconds
        self._changes = changes
        self._asked: queue.SimpleQueue[_Waiting[Q]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    async def ask(self, question: Q) -> A:
        """The answer to a question, or what it fails with; refused if its turn does not come in time, and then it never does;
        or, where nothing is changed, if the answer does not."""
        if self._thread is None:
            self._start()
        loop = asyncio.get_running_loop()
        waiting = _Waiting(question, loop, loop.create_future())
        self._asked.put(waiting)
        late = loop.call_later(self._seconds, self._give_up, waiting)
        try:
            answer: A = await waiting.answered
        finally:
            late.cancel()
        return answer

    def _give_up(self, waiting: _Waiting[Q]) -> None:
        if (waiting.takes() or not self._changes) and not waiting.answered.done():
            waiting.answered.set_exception(Refused(self._too_long.code, self._too_long.message))

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"houseway {self._name}", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while True:
            first = self._asked.get()
            together = [first] if first.takes() else []

            def more(together: list[_Waiting[Q]] = together) -> list[Q]:
                """The questions of those who have come since; they are answered with the others, after them."""
                known = len(together)
                while len(together) < AT_ONCE:
                    try:
                        waiting = self._asked.get_nowait()
                    except queue.Empty:
                        break
                    together += [waiting] if waiting.takes() else []
                return [waiting.question for waiting in together[known:]]

            more()
            try:
                answers: Sequence[Any] = self._answer([waiting.question for waiting in together], more) if together else ()
            except BaseException as error:
                answers = [error] * len(together)
            _tell(list(zip(together, answers, strict=True)))


def _tell(answers: list[tuple[_Waiting[Any], Any]]) -> None:
    """Wake those who wait, each loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Waiting[Any], Any]]] = defaultdict(list)
    for waiting, answer in answers:
        by_loop[waiting.loop].append((waiting, answer))
    for loop, told in by_loop.items():
        try:
            loop.call_soon_threadsafe(_set, told)
        except RuntimeError:  # the loop is closed, and nobody waits there any more
            continue


def _set(told: list[tuple[_Waiting[Any], Any]]) -> None:
    for waiting, answer in told:
        if waiting.answered.done():  # whoever asked has gone
            continue
        if isinstance(answer, BaseException):
            waiting.answered.set_exception(answer)
        else:
            waiting.answered.set_result(answer)
