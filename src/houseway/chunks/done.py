"""What of a long work is done: ranges of units and their sum, kept in a file from which the work goes on."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

from houseway.chunks.tallies import Tallies, added, read_tallies, write_tallies
from houseway.kernels.compiled import cache_folder

SECONDS_BETWEEN_SAVES = 5.0
WORK_FOR_EACH_SAVE = 20
"""What takes long to write is written seldom: the work between takes so many times as long."""
Range = tuple[int, int]


@dataclass
class DoneUnits:
    """Ranges of units that are done, in order and apart from each other, and the sum of their tallies."""

    ranges: list[Range] = field(default_factory=list)
    tallies: Tallies = field(default_factory=dict)

    def add(self, done: Range, tallies: Tallies) -> None:
        """Add a range that was not done."""
        first, last = done
        assert all(last <= begin or end <= first for begin, end in self.ranges), f"units {done} are done twice"
        added(self.tallies, tallies)
        joined: list[Range] = []
        for begin, end in sorted([*self.ranges, done]):
            if joined and joined[-1][1] == begin:
                joined[-1] = joined[-1][0], end
            else:
                joined.append((begin, end))
        self.ranges = joined

    @property
    def units(self) -> int:
        """How many units are done."""
        return sum(last - first for first, last in self.ranges)

    @property
    def is_whole(self) -> bool:
        """Whether just the first units are done, none before them missing: so they can be done again, by their number."""
        return len(self.ranges) == 1 and self.ranges[0][0] == 0

    @property
    def end(self) -> int:
        """One more than the last unit that is done."""
        return self.ranges[-1][1] if self.ranges else 0

    def missing(self, last: int, size: int) -> Iterator[Range]:
        """The units before `last` that are not done, in chunks of at most so many."""
        begin = 0
        for first, end in [*self.ranges, (last, last)]:
            for start in range(begin, min(first, last), size):
                yield start, min(start + size, first, last)
            begin = max(begin, end)


class KeptDone:
    """What is done of one work, in a file of its name; the file is written whole or not at all, and only now and then.

    What is not to be kept (`keep`) is in no file: who asks for it will not go on with it.
    """

    def __init__(self, key: str, resume: bool, keep: bool = True) -> None:
        self.file, self._keeps = kept_folder() / f"{key}.done.npz", keep
        self.done, self._saved, self._pause = DoneUnits(), time.monotonic(), SECONDS_BETWEEN_SAVES
        self.found = resume and self._read()

    def _read(self) -> bool:
        try:
            with self.file.open("rb") as opened:
                about, tallies = read_tallies(opened)
            ranges = [(int(first), int(last)) for first, last in cast(Any, about["ranges"])]
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile):
            return False
        self.done = DoneUnits(ranges, tallies)
        return True

    def save_sometimes(self) -> None:
        """Write the file if that was long ago."""
        if time.monotonic() - self._saved > self._pause:
            self.save()

    def save(self) -> None:
        """Write the file; a disk that cannot be written to costs time only."""
        if not self._keeps:
            return
        begun = time.monotonic()
        with suppress(OSError):
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = self.file.with_suffix(f".{os.getpid()}.draft")
            with draft.open("wb") as opened:
                write_tallies(opened, {"ranges": self.done.ranges}, self.done.tallies)
            draft.replace(self.file)
        self._saved = time.monotonic()
        self._pause = max(SECONDS_BETWEEN_SAVES, WORK_FOR_EACH_SAVE * (self._saved - begun))

    def forget(self) -> None:
        """The work is done: nothing is left to go on with."""
        with suppress(OSError):
            if self._keeps:
                self.file.unlink(missing_ok=True)


def kept_folder() -> Path:
    """Where results and what is done of long works are kept."""
    return cache_folder().parent / "results"
