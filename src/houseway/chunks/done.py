"""What of a long work is done: ranges of units and their sum, kept in a file from which the work goes on."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast
from zipfile import BadZipFile

from houseway.chunks.tallies import Tallies, added, read_tallies, write_tallies
from houseway.kernels.compiled import cache_folder

SECONDS_BETWEEN_SAVES = 5.0
WORK_FOR_EACH_SAVE = 20
"""What takes long to write is written seldom: the work between takes so many times as long."""
Range = tuple[int, int]
_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Shelf:
    """Where what is done of works lies: in a folder of this name, written every so many seconds.

    It goes when its work is done, unless what is whole stays too; where only so `many` may lie there, the oldest go.
    """

    name: str = ""
    seconds: float = SECONDS_BETWEEN_SAVES
    whole_stays: bool = False
    many: int | None = None

    @property
    def folder(self) -> Path:
        """The folder."""
        return kept_folder() / self.name

    def make_room(self) -> None:
        """For one more: the oldest go."""
        if self.many is not None:
            files = sorted(self.folder.iterdir(), key=lambda file: file.stat().st_mtime)  # with drafts of who was killed
            for old in files[: max(0, len(files) + 1 - self.many)]:
                old.unlink(missing_ok=True)


OWN = Shelf()
"""For whoever works on this machine himself."""
_SHELF: ContextVar[Shelf] = ContextVar("shelf", default=OWN)


@contextmanager
def kept_on(shelf: Shelf) -> Iterator[None]:
    """Keep what is done of works on this shelf, for as long as this lasts."""
    before = _SHELF.set(shelf)
    try:
        yield
    finally:
        _SHELF.reset(before)


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
    """What is done of one work, in a file of its name; the file is written whole or not at all, and only now and then."""

    def __init__(self, key: str, resume: bool) -> None:
        self._shelf = _SHELF.get()
        self.file = self._shelf.folder / f"{key}.done.npz"
        self.done, self._saved, self._pause = DoneUnits(), time.monotonic(), self._shelf.seconds
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
        begun = time.monotonic()
        with suppress(OSError):
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self.file.exists():
                self._shelf.make_room()
            draft = self.file.with_suffix(f".{os.getpid()}.draft")
            with draft.open("wb") as opened:
                write_tallies(opened, {"ranges": self.done.ranges}, self.done.tallies)
            draft.replace(self.file)
        self._saved = time.monotonic()
        self._pause = max(self._shelf.seconds, WORK_FOR_EACH_SAVE * (self._saved - begun))

    def forget(self) -> None:
        """The work is done: nothing is left to go on with; where what is whole stays, it is there for whoever asks again."""
        if self._shelf.whole_stays:
            self.save()
            return
        with suppress(OSError):
            self.file.unlink(missing_ok=True)


def key_of(rooms: tuple[str, ...], game: Path, *asked: bytes) -> str:
    """A name for what is done: all that is asked, and the sources of the rooms that do it and of the game in this folder."""
    digest = hashlib.sha256(_sources((*(_PACKAGE / room for room in (*rooms, "kernels", "rulebook", "chunks")), game)))
    for part in asked:
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:32]


@cache
def _sources(folders: tuple[Path, ...]) -> bytes:
    sources = hashlib.sha256()
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            sources.update(file.read_bytes())
    return sources.digest()


def kept_folder() -> Path:
    """Where results and what is done of long works are kept."""
    return cache_folder().parent / "results"
