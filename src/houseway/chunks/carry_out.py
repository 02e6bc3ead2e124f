"""Carrying a long work out: chunks to an engine, tallies together, what is done kept all along."""

from collections.abc import Callable

from houseway.chunks.done import KeptDone
from houseway.chunks.engines import Engine, Work

SECONDS_OF_A_CHUNK = 0.5
CHUNKS_EACH = 4
"""Work is cut so that every worker gets so many chunks, if it is short."""


def carry_out(
    work: Work, last: int, kept: KeptDone, engine: Engine, pace: float, report: Callable[[int], None] | None = None
) -> None:
    """Do all units before `last` that are not done, into `kept`; whatever stops the work, what is done is kept.

    `pace` is about how many units a worker does in a second.
    """
    left = last - kept.done.units
    size = max(1, min(int(pace * SECONDS_OF_A_CHUNK), -(-left // (CHUNKS_EACH * engine.workers))))
    try:
        for chunk, tallies in engine.each(work, kept.done.missing(last, size)):
            kept.done.add(chunk, tallies)
            kept.save_sometimes()
            if report:
                report(kept.done.units)
    except BaseException:
        kept.save()
        raise
