"""A socket of each process in a folder that is nobody else's, into which the others put messages. Nobody waits for anybody."""

import os
import socket
import time
from array import array
from pathlib import Path

MOST_BYTES = 180_000
"""What a message holds on every machine."""
TICK_NS = 100_000_000
"""Longer than a folder has the same time of change for several changes."""


class Mailbox:
    """A process's own, and where those of the others are."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self._folder, self._suffix = folder, suffix
        self.own = str(folder / f"{os.getpid()}-{os.urandom(4).hex()}{suffix}")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setblocking(False)
        self.socket.bind(self.own)
        self._others: tuple[str, ...] = ()
        self._looked = -1

    def others(self) -> tuple[str, ...]:
        """Those of the other processes, as far as is known."""
        try:
            changed = self._folder.stat().st_mtime_ns
        except OSError:  # somebody has tidied the folder away
            return ()
        if changed != self._looked:
            found = map(str, self._folder.glob(f"*{self._suffix}"))
            self._others = tuple(sorted(file for file in found if file != self.own))
            is_settled = time.time_ns() - changed > TICK_NS  # within one more may come without another time
            self._looked = changed if is_settled else -1
        return self._others

    def put(self, other: str, message: bytes, files: tuple[int, ...] = ()) -> bool:
        """Put a message, with open files that go along, into another one; whether there was room."""
        along = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", files))] if files else []
        try:
            self.socket.sendmsg([message], along, 0, other)
        except (ConnectionRefusedError, FileNotFoundError):  # its process is no more
            Path(other).unlink(missing_ok=True)
        except OSError:  # it is busy, and has not taken the last ones yet
            pass
        else:
            return True
        return False

    def leave(self) -> None:
        """Nobody is to put anything here any more."""
        self.socket.close()
        Path(self.own).unlink(missing_ok=True)
