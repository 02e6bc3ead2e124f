"""The head of the chain that any process of a house has committed last, where all of them see it at once.

Whoever writes tells it before anybody hears of what was written, and whoever shows something looks first. So whoever was
answered by one process is shown by every other what he has done.
"""

import fcntl
import os
import struct
import time
from mmap import mmap
from pathlib import Path

from houseway.house.store import Head

NAME = "newest"
HEAD = struct.Struct("=Q32s")
"""The number of an entry, and its hash."""
TRIES, SECONDS_BETWEEN = 20, 0.0005
"""How often, and after how long, another is let go first who is telling: one that is stopped just then keeps nobody waiting."""


class Newest:
    """A head in memory that processes share, which only moves on; the folder is nobody else's.

    Whoever looks just when it is told may see the new number with the hash before: then he asks the store, which decides.
    """

    def __init__(self, folder: Path) -> None:
        self._file = (folder / NAME).open("a+b")
        os.ftruncate(self._file.fileno(), HEAD.size)
        self._shared = mmap(self._file.fileno(), HEAD.size)

    @property
    def head(self) -> Head:
        """The newest of all."""
        seq, hash_ = HEAD.unpack_from(self._shared)
        return seq, hash_.hex()

    def tell(self, head: Head) -> None:
        """It is committed."""
        for _ in range(TRIES):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(SECONDS_BETWEEN)
        if self.head[0] < head[0]:
            HEAD.pack_into(self._shared, 0, head[0], bytes.fromhex(head[1]))
        fcntl.flock(self._file, fcntl.LOCK_UN)
