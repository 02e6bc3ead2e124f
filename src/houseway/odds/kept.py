"""Tallies kept on disk: odds that nothing has changed since are read, and nothing is compiled for them.

A tally's name is a digest of all that it depends on: every file that rules, kernels and the vocabulary come from, the versions
of what compiles them, the wager, the settings as the rule sees them, and the shoe. What is read is checked; whatever is not as
it was written is counted anew. Behaviour is never proved by what is kept (`approval.behaviour` counts by itself).
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from houseway.kernels.compiled import INTERPRETED, Ints, cache_folder, game_around, sources_of_tallies
from houseway.rulebook.game import Game, Shoe, Tally, Wager

MOST_KEPT = 2000
"""More than anybody asks for; then the oldest go."""
_METHODS = ("enumerated", "simulated")


def kept_tally(game: Game, wager: Wager, shoe: Shoe, encoded: Ints, count: Callable[[], Tally]) -> Tally:
    """The tally of a wager for a shoe: read, or counted and written.

    Where files were changed since they were loaded nothing is read or written: what runs here is not what they say. That is
    looked at once, for what is loaded stays as it is, and again after counting, which may have loaded more.
    """
    outside = game_around(str(game.folder / "__init__.py"))
    sources = _sources(outside)
    if not sources:
        return count()
    depends_on = [sources, _versions(), game.id, wager.id, _about(wager), encoded.tolist(), list(shoe)]
    key = _sha(json.dumps(depends_on))
    file = cache_folder(outside) / "tallies" / f"{key[:32]}.json"
    tally = _read(file, key, len(wager.outcomes))
    if tally is None:
        tally = count()
        if sources_of_tallies(outside) == sources:
            _write(file, key, tally)
    return tally


_sources = cache(sources_of_tallies)


@cache
def _versions() -> list[str]:
    try:
        numba = "interpreted" if INTERPRETED else version("numba")
    except PackageNotFoundError:
        numba = "unknown"
    return [sys.version, np.__version__, numba]


def _about(wager: Wager) -> list[str]:
    """Which function counts it, and what it tells apart."""
    counter = wager.count
    return [getattr(counter, "__module__", ""), getattr(counter, "__qualname__", ""), *(each.id for each in wager.outcomes)]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _checked(key: str, counts: list[int], method: str) -> str:
    return _sha(json.dumps([key, counts, method]))


def _read(file: Path, key: str, outcomes: int) -> Tally | None:
    """A tally as it was written; none if there is none, or anything else."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        counts, method = content["counts"], content["method"]
        is_whole = content["check"] == _checked(key, counts, method) and len(counts) == outcomes and method in _METHODS
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return Tally(tuple(counts), method) if is_whole else None


def _write(file: Path, key: str, tally: Tally) -> None:
    """Write a file whole or not at all, for nobody else; a disk that cannot be written to costs time only."""
    counts = list(tally.counts)
    content = {"counts": counts, "method": tally.method, "check": _checked(key, counts, tally.method)}
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, exist_ok=True)
        number, draft = tempfile.mkstemp(dir=file.parent, suffix=".draft")
        with os.fdopen(number, "w", encoding="utf-8") as opened:
            json.dump(content, opened)
        Path(draft).replace(file)
        files = sorted(file.parent.iterdir(), key=lambda entry: entry.stat().st_mtime)
        for old in files[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
