"""The number of the newest entry that any process of a house has committed, where all of them see it at once.

Whoever writes tells it before anybody hears of what was written, and whoever shows something looks first. So whoever was
answered by one process is shown by every other what he has done.
"""

import fcntl
import os
import time
from mmap import mmap
from pathlib import Path

NAME = "newest"
BYTES = 8
TRIES, SECONDS_BETWEEN = 20, 0.0005
"""How often, and after how long, another is let go first who is telling: one that is stopped just then keeps nobody waiting."""


class Newest:
    """A number in memory that processes share, which only grows; the folder is nobody else's."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / NAME).open("a+b")
        os.ftruncate(self._file.fileno(), BYTES)
        self._number = memoryview(mmap(self._file.fileno(), BYTES)).cast("Q")

    @property
    def seq(self) -> int:
        """The newest of all."""
        return self._number[0]

    def tell(self, seq: int) -> None:
        """An entry is committed."""
        for _ in range(TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(SECONDS_BETWEEN)
        self._number[0] = max(self._number[0], seq)
        fcntl.flock(self._file, fcntl.LOCK_UN)
