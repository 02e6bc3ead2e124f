"""Processes that serve one house on one machine hand each other what their entries changed, so that only one handles a command.

Whoever writes entries puts them, with the change of the state, into the sockets of the others, in a folder that is nobody
else's, before he commits. They take that over only once the store says that the chain ends with the last of these entries,
and only if each is chained to the one before, from where they stand. Whatever is missing, too large, late, unreadable or not
committed is left aside: then they read the journal and handle its commands again, which is the truth anyway.
"""

import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from houseway.house import snapshot as snapshots
from houseway.house.mailbox import MOST_BYTES, Mailbox
from houseway.house.store import Head
from houseway.release import VERSION
from houseway.table import House
from houseway.table.change import as_bytes
from houseway.table.entry import SEALED_MARK, Entry, row_of

SUFFIX = ".handed"
WAITING_MOST = 256
"""How many are kept at most that could not be taken over yet."""


@cache
def _spoken() -> str:
    """Only processes of one program understand each other's states."""
    return f"{VERSION} {snapshots.shape()}"


@dataclass(frozen=True)
class HandedChange:
    """What a process wrote on top of a head: its entries, and the change of the state that they made."""

    before: Head
    entries: tuple[Entry, ...]
    change: bytes

    @property
    def after(self) -> Head:
        """The head of the chain with these entries."""
        return self.entries[-1].seq, self.entries[-1].hash

    def is_chained(self) -> bool:
        """Whether each entry is the unaltered successor of the one before."""
        head = self.before
        for entry in self.entries:
            if not entry.holds(head):
                return False
            head = entry.seq, entry.hash
        return True


class Neighbours:
    """The other processes of this house on this machine, each with a mailbox of its own in the folder."""

    def __init__(self, folder: Path) -> None:
        self._box = Mailbox(folder, SUFFIX)
        self._waiting: dict[Head, HandedChange] = {}

    def leave(self) -> None:
        """Nobody is to hand anything here any more."""
        self._box.leave()

    def hand(self, before: Head, entries: Sequence[Entry], was: House, now: House) -> None:
        """Hand all others what is about to be committed. Nobody is waited for: who cannot take it now reads the journal."""
        if not entries or not (others := self._box.others()):
            return
        opened = {entry.seq: entry.data for entry in entries if SEALED_MARK in entry.payload and not entry.is_sealed}
        told = pickle.dumps((_spoken(), before, [row_of(entry) for entry in entries], opened, as_bytes(was, now)))
        for other in others if len(told) <= MOST_BYTES else ():
            self._box.put(other, told)

    def handed(self, head: Head, newest: Head) -> list[HandedChange]:
        """What leads from one head of the chain to another, as far as it was handed here: all of it, or nothing."""
        self._take_in(head)
        found: list[HandedChange] = []
        while head != newest and (handed := self._waiting.get(head)) and handed.after[0] <= newest[0]:
            found.append(handed)
            head = handed.after
        return found if head == newest and all(handed.is_chained() for handed in found) else []

    def _take_in(self, head: Head) -> None:
        """Read all that has come; what is of before the head is of no use any more."""
        with suppress(BlockingIOError):
            while True:
                if handed := _read(self._box.socket.recv(MOST_BYTES)):
                    self._waiting[handed.before] = handed  # the newest: what was there before was not committed
        waiting = {before: handed for before, handed in self._waiting.items() if before[0] >= head[0]}
        self._waiting = waiting if len(waiting) <= WAITING_MOST else {}


def _as_opened(entry: Entry, data: dict[str, Any] | None) -> Entry:
    """An entry of which whoever wrote it had something sealed, as he has it: nobody opens it again."""
    return entry.opened(data) if data else entry


def _read(told: bytes) -> HandedChange | None:
    try:
        spoken, before, rows, opened, change = pickle.loads(told)  # of our own processes: nobody else may enter the folder
        if spoken == _spoken() and rows:
            entries = tuple(Entry(*row) for row in rows)
            return HandedChange(before, tuple(_as_opened(entry, opened.get(entry.seq)) for entry in entries), change)
    except Exception:  # whatever it is, it is nothing that can be taken over
        return None
    return None
