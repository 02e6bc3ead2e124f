"""The desk: where several processes serve a house, the one that started them carries out the commands of all.

So one process changes the state and writes, and need not ask where the head of the chain is; commands of all processes share
its commits, and whoever serves guests only takes over what was changed (`neighbours`). The store is still what decides: other
programs write to it as before, and a process that finds nobody at the desk carries commands out by itself.
"""

import asyncio
import logging
import pickle
import socket
import struct
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from houseway.house.floor import GivenCommand
from houseway.house.outage import TOO_LONG, NobodyCarriesOut
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
SECONDS_FOR_AN_ANSWER = 15.0
"""How long a process waits for an answer: longer than the desk itself waits for a store."""
SECONDS_UNTIL_ASKED = 10.0
"""How long a command waits for those before it, until the desk is asked for it."""
SECONDS_TO_SAY_SO = 2.0
"""How long it may take that has nothing to carry out."""
LENGTH = struct.Struct("!i")
"""What comes before a message, as Python's own connections have it."""
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


@dataclass(eq=False)
class _Waiting:
    """A command that somebody waits for: for its entry's number, or for nothing if nobody is there to carry it out."""

    given: GivenCommand
    answer: "asyncio.Future[int | None]"

    def tell(self, told: int | Exception | None) -> None:
        """What became of it; whoever asked may have gone."""
        if self.answer.done():
            return
        if isinstance(told, Exception):
            self.answer.set_exception(told)
        else:
            self.answer.set_result(told)


class AtDesk:
    """A process that has its commands carried out at the desk, from one event loop.

    Commands that come together go there together, and those that come while the desk is at them go next: one message is under
    way at a time, so that many share it.
    """

    def __init__(self, folder: Path, follow: Callable[[Head], Awaitable[None]]) -> None:
        self._path, self._follow = str(folder / NAME), follow
        self._waiting: list[_Waiting] = []
        self._under_way: list[_Waiting] = []
        self._visit: asyncio.Task[None] | None = None
        self._desk: asyncio.StreamWriter | None = None
        self._is_going = False

    async def ask(self, given: GivenCommand) -> int | None:
        """The number of the entry that a command left, or why it was not done; nothing if nobody was asked, because nobody is
        there. What was carried out until then has been followed here."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(given, loop.create_future())
        self._waiting.append(waiting)
        if not self._is_going:
            self._is_going = True
            loop.call_soon(self._go)  # with all that come in the same turn of the loop
        late = loop.call_later(SECONDS_UNTIL_ASKED, self._give_up, waiting)
        try:
            return await waiting.answer
        finally:
            late.cancel()

    async def why_not(self) -> str:
        """Why the desk does not answer, if somebody is there and does not."""
        desk: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(SECONDS_TO_SAY_SO):
                heard, desk = await asyncio.open_unix_connection(self._path)
                said = pickle.dumps([])
                desk.write(LENGTH.pack(len(said)) + said)
                await heard.readexactly(LENGTH.size)
        except TimeoutError:
            return f"the process that carries commands out has not answered for {SECONDS_TO_SAY_SO:.0f} seconds"
        except (OSError, EOFError):  # nobody is there, and each process carries its own out
            return ""
        finally:
            if desk is not None:
                desk.close()
        return ""

    def _give_up(self, waiting: _Waiting) -> None:
        if waiting in self._waiting:
            self._waiting.remove(waiting)
            waiting.tell(Refused(TOO_LONG.code, TOO_LONG.message))

    def _go(self) -> None:
        """Ask for what waits, if nothing is under way."""
        self._is_going = False
        if not self._waiting or self._under_way:
            return
        if self._desk is None:
            self._visit = self._visit or asyncio.create_task(self._be_there())
            return
        together, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        said = pickle.dumps([each.given for each in together])
        self._desk.write(LENGTH.pack(len(said)) + said)
        self._under_way = together
        asyncio.get_running_loop().call_later(SECONDS_FOR_AN_ANSWER, self._unanswered, together)

    def _unanswered(self, together: list[_Waiting]) -> None:
        if together is self._under_way:
            self._leave("does not answer")

    async def _be_there(self) -> None:
        """Go to the desk, ask, and hear the answers, until either side is gone."""
        try:
            heard, desk = await asyncio.open_unix_connection(self._path)
        except OSError:
            self._visit, nobody = None, self._waiting
            self._waiting = []
            for waiting in nobody:
                waiting.tell(None)
            return
        self._desk = desk
        try:
            while True:
                self._go()
                (length,) = LENGTH.unpack(await heard.readexactly(LENGTH.size))
                head, told = pickle.loads(await heard.readexactly(length))  # as above
                if self._desk is not desk:
                    return
                together, self._under_way = self._under_way, []
                self._go()
                await self._tell(together, head, told)
        except (OSError, EOFError):
            pass
        finally:
            if self._desk is desk:
                self._leave("is gone")

    async def _tell(self, together: list[_Waiting], head: Head, told: Sequence[Told]) -> None:
        became: Sequence[int | Exception]
        try:
            await self._follow(head)
            became = [_understood(each) for each in told]
        except Exception as error:
            became = [error] * len(together)
        for waiting, each in zip(together, became, strict=True):
            waiting.tell(each)

    def _leave(self, how: str) -> None:
        """Whoever was asked gives no answer; what he may still say is for nobody. Whoever waits asks anew."""
        if self._desk is not None:
            self._desk.transport.abort()
        self._desk = self._visit = None
        for waiting in self._under_way:
            waiting.tell(NobodyCarriesOut(f"the process that carries commands out {how}: whether it did is in the journal"))
        self._under_way = []
        self._go()
