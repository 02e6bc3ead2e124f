"""What one of several processes that serve a house finds out, and the others read: the work is done once."""

import fcntl
import pickle
from contextlib import suppress
from pathlib import Path
from typing import IO, Generic, TypeVar

T = TypeVar("T")


class OneFinds(Generic[T]):
    """Which process finds it out, and where it tells the others: in a file of this name. Without a folder there are none."""

    def __init__(self, folder: Path | None = None, name: str = "") -> None:
        self._file = folder / name if folder else None
        self._mark: IO[bytes] | None = None

    def is_here(self) -> bool:
        """Whether it is up to this process: the first that asks, and after its end the next."""
        if self._file is None or self._mark is not None:
            return True
        mark = self._file.with_suffix(".one").open("ab")
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            mark.close()
            return False
        self._mark = mark
        return True

    def tell(self, found: T) -> None:
        """Let the others read it, whole or not at all."""
        if self._file is not None:
            draft = self._file.with_suffix(".draft")
            draft.write_bytes(pickle.dumps(found))
            draft.rename(self._file)

    def told(self) -> T | None:
        """What was told last; nothing if nothing was."""
        if self._file is not None:
            with suppress(FileNotFoundError):
                found: T = pickle.loads(self._file.read_bytes())  # of our own, in a folder that is nobody else's
                return found
        return None
