"""When the store does not answer: which errors say so, in words, and one line of the log a minute instead of a page each."""

import fcntl
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg
from sqlalchemy import exc

from houseway.house.clock import steady_seconds
from houseway.house.private import make_private_file
from houseway.refusal import Refused

SAID_EVERY_SECONDS, TRIED_EVERY_SECONDS = 60.0, 1.0
NOT_USED = {"store-damaged", "chain-broken"}
"""A store that answers, and what it says cannot be used."""
WORDS = {
    "locked": "another program holds it locked",
    "busy": "another program holds it locked",
    "disk is full": "its disk is full",
    "disk i/o error": "its disk does not take or give what is asked",
    "unable to open": "its file cannot be opened",
    "readonly": "its file cannot be written, or was moved",
    "not a database": "its file is not a database",
    "malformed": "its file is damaged",
    "no such table": "its tables are missing",
    "does not exist": "the database, or something in it, does not exist",
    "authentication": "the database refuses this user",
    "starting up": "the database is starting up",
    "shutting down": "the database is shutting down",
    "lock timeout": "another program holds it locked",
    "too many clients": "the database has no connection left",
    "no space left": "its disk is full",
    "connection": "the database cannot be reached",
}
"""What drivers say, by a word in it, as we say it; what they say holds addresses and names, which are nobody else's."""


FULL = "busy-now"
TOO_LONG = Refused(FULL, "others have waited for the store for a while: nothing was done; try again in a few seconds")
"""What is told to whoever has waited for too long."""


class NobodyCarriesOut(ConnectionError):  # noqa: N818  (it says what it is)
    """The process that carries commands out was asked, and gives no answer: whether it did is in the journal."""


def outage_of(error: BaseException) -> str:
    """Why a store does not answer, if that is what an error says; otherwise nothing."""
    if isinstance(error, Refused) and error.code in NOT_USED:
        return error.message
    if isinstance(error, NobodyCarriesOut):
        return str(error)
    if isinstance(error, exc.TimeoutError):
        return "all its connections are in use"
    if isinstance(error, exc.DBAPIError):
        said = error.orig
        if isinstance(error, exc.IntegrityError | exc.ProgrammingError | exc.DataError):
            return ""  # our own mistakes are not its
    elif isinstance(error, psycopg.OperationalError):
        said = error
    else:
        return ""
    text = str(said).lower()
    return next((words for part, words in WORDS.items() if part in text), "the database does not answer as it should")


def in_words(error: BaseException) -> str:
    """What went wrong, on a line of a log: of a database neither where it is nor what it was asked."""
    said = (error.orig or type(error).__name__) if isinstance(error, exc.StatementError) else error
    return outage_of(error) or str(said).partition("\n")[0]


@dataclass
class Said:
    """What was said last: when, and whether that the store does not answer."""

    at: float = float("-inf")
    is_out: bool = False


class OutageLog:
    """Says once a minute that a store does not answer, however often it is asked, and once that it does again.

    Processes that serve the same house have a `file` by which each knows what another has said. `errors` counts how often.
    """

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = steady_seconds, file: Path | None = None) -> None:
        self.log, self.clock, self.file = log, clock, file
        self._said, self._is_out, self._is_tried_again = Said(), False, False
        self.errors = 0
        self._lock = threading.Lock()

    def is_out(self, error: BaseException) -> str:
        """Why the store does not answer, if an error says so; it is said now, unless it was a moment ago."""
        why = outage_of(error)
        if why:
            self.errors += 1
            with self._shared() as said:
                self._is_out, at = True, self.clock()
                self._is_tried_again = isinstance(error, exc.SQLAlchemyError | psycopg.Error)
                if not 0 <= at - said.at < SAID_EVERY_SECONDS:  # or before the machine began anew
                    said.at, said.is_out = at, True
                    self.log.error("the store does not answer: %s; whoever asks is told to come back", why)
        return why

    def answers(self) -> None:
        """The store has taken what was to be written."""
        if self._is_out:
            with self._shared() as said:
                self._is_out = False
                if said.is_out:
                    said.is_out = False
                    self.log.warning("the store answers again")

    def try_again(self, write: Callable[[], object]) -> None:
        """If the database did not answer here, see whether it takes what is to be written: nobody else may want anything for a
        while. A store that is damaged, and a process that carries nothing out, would not be known by that."""
        if self._is_out and self._is_tried_again:
            with suppress(Exception):  # that it does not was said, and is said again to whoever asks
                write()
                self.answers()

    @contextmanager
    def _shared(self) -> Iterator[Said]:
        """What was said by any of the processes; where their file cannot be used, by this one."""
        with self._lock, ExitStack() as until_done:
            opened = None
            if self.file:
                with suppress(OSError):
                    make_private_file(self.file)
                    opened = until_done.enter_context(self.file.open("rb+", buffering=0))  # a full disk is told at once
                    fcntl.flock(opened, fcntl.LOCK_EX)
                    with suppress(ValueError, TypeError):
                        self._said = Said(**json.load(opened))
            yield self._said
            if opened:
                with suppress(OSError):
                    opened.seek(0)
                    opened.truncate()
                    opened.write(json.dumps(asdict(self._said)).encode())


def notice_when_it_answers(
    outages: OutageLog, stopped: threading.Event, write: Callable[[], object], seconds: float = TRIED_EVERY_SECONDS
) -> None:
    """Until the house closes, have it said soon when a store answers again."""
    while not stopped.wait(seconds):
        outages.try_again(write)
