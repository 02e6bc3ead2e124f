"""The engine that long counts are done by: threads of this process, unless somebody says otherwise."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from houseway.chunks.carry_out import carry_out
from houseway.chunks.done import KeptDone
from houseway.chunks.engines import Engine, Threads, Work
from houseway.chunks.tallies import Tallies

_IN_USE: ContextVar[Engine | None] = ContextVar("engine", default=None)
PACE = 1.0
"""Units of a long count are parts that take a second or so."""


@contextmanager
def by_engine(engine: Engine) -> Iterator[None]:
    """Do long counts by this engine, for as long as this lasts."""
    before = _IN_USE.set(engine)
    try:
        yield
    finally:
        _IN_USE.reset(before)
        engine.close()


def is_elsewhere() -> bool:
    """Whether work is done by other processes, which have nothing of what this one has made."""
    engine = _IN_USE.get()
    return engine is not None and not isinstance(engine, Threads)


def done_in_chunks(
    work: Work, units: int, key: str, report: Callable[[int, int], None] | None = None, pace: float = PACE
) -> Tallies:
    """All units of a long count, by the engine in use; what was done before, under the same key, is not done again."""
    kept, given = KeptDone(key, resume=True), _IN_USE.get()
    engine = given or Threads()
    try:
        carry_out(work, units, kept, engine, pace, (lambda done: report(done, units)) if report else None)
    finally:
        if given is None:
            engine.close()
    kept.forget()
    return kept.done.tallies
