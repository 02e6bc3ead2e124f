"""The desk: where several processes serve a house, the one that started them carries out the commands of all.

So one process changes the state and writes, and need not ask where the head of the chain is; commands of all processes share
its commits, and whoever serves guests only takes over what was changed (`neighbours`). The store is still what decides: other
programs write to it as before, and a process that finds nobody at the desk carries commands out by itself.
"""

import logging
import pickle
import socket
import struct
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path

from houseway.house.floor import GivenCommand
from houseway.house.outage import NobodyCarriesOut
from houseway.house.store import Head
from houseway.refusal import Refused
from houseway.table.entry import Entry

NAME = "desk"
AT_ONCE = 48
"""How many commands share a commit, if more have come: what they change must go into one message to the others."""
Became = Sequence[Entry | Exception]
Asked = list[tuple[Connection, list[GivenCommand]]]
"""Who has come, and what he asks for."""
CarryOut = Callable[[Sequence[GivenCommand], Callable[[], Sequence[GivenCommand]]], tuple[Head, Became]]
"""Carries commands out, and those that come while it waits for its turn; where the head is then, and what became of each."""
SECONDS_FOR_A_MESSAGE = struct.pack("ll", 5, 0)
"""How long whoever has begun to say something, or is being told, may keep all others waiting."""
SECONDS_FOR_AN_ANSWER = struct.pack("ll", 15, 0)
"""How long a process waits until it is heard, and for its answer: longer than the desk itself waits for a store."""
log = logging.getLogger("houseway.desk")


class Desk:
    """Where commands of other processes are carried out; the folder is nobody else's."""

    def __init__(self, folder: Path, carry_out: CarryOut) -> None:
        self._carry_out = carry_out
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._door.bind(str(folder / NAME))
        self._door.listen()
        self._visitors: list[Connection] = []

    def answer_for_ever(self) -> None:
        """Carry out what comes, all that has come by then together."""
        while True:
            try:
                if asked := self._come(None):
                    self._answer(asked)
            except Exception:
                log.exception("commands of other processes could not be answered")

    def _come(self, seconds: float | None) -> Asked:
        """Whoever comes within so many seconds, or as soon as somebody does, with what he asks."""
        asked = []
        for ready in wait([self._door, *self._visitors], seconds):
            if ready is self._door:
                self._visitors.append(self._let_in())
            elif isinstance(ready, Connection):
                try:
                    asked.append((ready, ready.recv()))
                except Exception as error:  # his process is no more, as a rule
                    if not isinstance(error, EOFError | OSError):
                        log.warning("a process has said what nobody understands (%s): its connection is closed", error)
                    self._visitors.remove(ready)
                    ready.close()
        return asked

    def _let_in(self) -> Connection:
        visitor = self._door.accept()[0]
        for keeps_waiting in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            visitor.setsockopt(socket.SOL_SOCKET, keeps_waiting, SECONDS_FOR_A_MESSAGE)
        return Connection(visitor.detach())

    def _answer(self, asked: Asked) -> None:
        def more() -> list[GivenCommand]:
            came = self._come(0) if sum(len(commands) for _, commands in asked) < AT_ONCE else []
            asked.extend(came)
            return [command for _, commands in came for command in commands]

        head: Head = 0, ""  # nobody knows
        became: Became
        try:
            head, became = self._carry_out([command for _, commands in asked for command in commands], more)
        except Exception as error:
            became = [error] * sum(len(commands) for _, commands in asked)
        each = iter(became)
        for visitor, commands in asked:
            told = [_told(next(each)) for _ in commands]
            try:
                visitor.send((head, told))
            except OSError:  # nobody is there to be told; what was done is in the journal
                continue


Told = int | tuple[str, str] | bytes
"""What became of a command: the number of its entry, the code and message of a refusal, or another error."""


def _told(became: Entry | Exception) -> Told:
    if isinstance(became, Entry):
        return became.seq
    if isinstance(became, Refused):
        return became.code, became.message
    try:
        return pickle.dumps(became)
    except Exception:  # one that cannot be sent is told by its words
        return pickle.dumps(RuntimeError(f"{type(became).__name__}: {became}"))


def _understood(told: Told) -> int | Exception:
    if isinstance(told, tuple):
        return Refused(*told)
    if isinstance(told, bytes):
        try:
            error = pickle.loads(told)  # from our own process, through a folder that is nobody else's
        except Exception as unreadable:
            return RuntimeError(f"an error that cannot be read here: {unreadable}")
        return error if isinstance(error, Exception) else RuntimeError(str(error))
    return told


class AtDesk:
    """A process that has its commands carried out at the desk, one batch after the other."""

    def __init__(self, folder: Path) -> None:
        self._path = str(folder / NAME)
        self._connection: Connection | None = None

    def ask(self, commands: Sequence[GivenCommand]) -> tuple[Head, list[int | Exception]] | None:
        """Where commands have left the head (0: nobody knows), and each one's entry by number, or why it was not done; nothing
        if nobody was asked, because nobody is there."""
        try:
            connection = self._connection = self._connection or self._connected()
            connection.send(list(commands))
        except BlockingIOError:
            raise self._given_up("does not answer") from None
        except OSError:
            self._connection = None
            return None
        try:
            head, told = connection.recv()
        except BlockingIOError:
            raise self._given_up("does not answer") from None
        except (EOFError, OSError):
            raise self._given_up("is gone") from None
        return head, [_understood(each) for each in told]

    def _given_up(self, how: str) -> NobodyCarriesOut:
        """What is told of whoever was asked; what he may still answer is for nobody."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        return NobodyCarriesOut(f"the process that carries commands out {how}: whether it did is in the journal")

    def _connected(self) -> Connection:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        for waits in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            made.setsockopt(socket.SOL_SOCKET, waits, SECONDS_FOR_AN_ANSWER)
        made.connect(self._path)
        return Connection(made.detach())
