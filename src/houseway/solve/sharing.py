"""Sharing work out over the processors of the machine."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

TURNS = 8
"""Work is shared out in so many turns for each processor."""


def cores() -> int:
    """How many processors there are."""
    return cpu_count() or 1


def share(size: int, work: Callable[[int, int], None], most: int = 64) -> None:
    """Share work out among (at most so many) processors: it is told where to begin and where to end, a few times each."""
    workers = min(cores(), most)
    parts = max(min(TURNS * workers, size), 1)
    bounds = [size * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, bounds[:-1], bounds[1:]))
