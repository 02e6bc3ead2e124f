"""The log: lines of JSON for programs, plain ones for a person at a terminal.

There is a line for every request (with the command that it carried) and for whatever else is worth one. No line of a request
names a guest or one of the staff, an address, a card, or what somebody typed: of its path the route is told. Of an error it is
told where it arose.

Nobody at a table waits for whoever reads the log: a thread writes the lines, from a queue that holds some thousand. If a pipe
is full for so long that it is full too, lines are dropped and counted, and once it flows again a line tells how many.
"""

import json
import logging
import os
import select
import sys
import threading
import traceback
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from houseway.refusal import one_of

FORMATS = ("auto", "json", "plain")
REQUESTS = logging.getLogger("houseway.requests")
LINES_MOST = 2_000
"""How many lines wait to be written at most: some hundred kilobytes."""
STANDARD_ERROR = 2
"""Its descriptor, also where Python has none, or another thing in its place."""
FLUSH_SECONDS = 1.0
"""For how long the end of a process waits for its last lines to be read."""
TOLD = "told"
"""Where a record has what is told of it beside its message."""


@dataclass(frozen=True)
class LogSettings:
    """How is logged: as JSON or plainly, and whether every request is."""

    as_json: bool = False
    requests: bool = False


def as_asked(format_: str, requests: bool | None) -> LogSettings:
    """As the settings ask: plain at a terminal, where they leave it open, and every request if nobody reads along."""
    one_of("format of logs", format_, FORMATS)
    as_json = format_ == "json" or (format_ == "auto" and not sys.stderr.isatty())
    return LogSettings(as_json, as_json if requests is None else requests)


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: of an exception its kind and where it arose, for its message may hold anything."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "from": record.name, "event": "log"}
        line |= getattr(record, TOLD, None) or {"message": record.getMessage()}
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            frames = traceback.extract_tb(error.__traceback__)
            line["error"] = type(error).__name__
            line["where"] = [
                f"{frame.filename.rpartition('/houseway/')[2]}:{frame.lineno} {frame.name}" for frame in frames[-8:]
            ]
        return json.dumps(line, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """A record as people read it."""

    def format(self, record: logging.LogRecord) -> str:
        """The time of the day, and what is said."""
        told = getattr(record, TOLD, None)
        if not told:
            return f"{datetime.fromtimestamp(record.created):%H:%M:%S} {super().format(record)}"
        return f"{datetime.fromtimestamp(record.created):%H:%M:%S} {' '.join(str(value) for value in told.values())}"


class NeverWaits(logging.Handler):
    """Lines are written by a thread of their own, straight to a file's descriptor: no lock is held while a pipe is full."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.dropped = 0
        self._descriptor, self._untold = descriptor, 0
        self._lines: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._is_writing = False
        threading.Thread(target=self._write_all, name="houseway log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line, or count that it is dropped; either at once."""
        try:
            line = self._as_written(record)
        except Exception:
            self.handleError(record)
            return
        with self._changed:
            if len(self._lines) >= LINES_MOST:
                self._drop(1)
            else:
                self._lines.append(line)
                self._changed.notify_all()

    def flush(self) -> None:
        """Wait until all is written; not for long, for whoever reads may be gone."""
        with self._changed:
            self._changed.wait_for(lambda: not self._lines and not self._is_writing, FLUSH_SECONDS)

    def _as_written(self, record: logging.LogRecord) -> bytes:
        return (self.format(record) + "\n").encode("utf-8", "backslashreplace")

    def _drop(self, lines: int) -> None:
        self.dropped += lines
        self._untold += lines

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._is_writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._lines)
                self._is_writing = True
                line = self._lines.popleft()
                flows = self._untold if len(self._lines) <= LINES_MOST // 2 else 0  # told once there is room for it
                self._untold -= flows
            self._write(line)
            if flows:
                self._write(self._as_written(_lines_dropped(flows)))

    def _write(self, line: bytes) -> None:
        """All of it; what cannot be written, because nobody is there to read it, is dropped."""
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:  # somebody has made it so for all who share it
                select.select([], [self._descriptor], [], 1)
            except OSError:
                with self._changed:
                    self._drop(1)
                return


def _lines_dropped(lines: int) -> logging.LogRecord:
    told = {"event": "log-dropped", "dropped": lines}
    record = logging.LogRecord("houseway", logging.WARNING, "", 0, "log-dropped", None, None)
    record.__dict__[TOLD] = told
    return record


def lines_dropped() -> int:
    """How many lines of this process were dropped since it began."""
    return sum(handler.dropped for handler in logging.getLogger().handlers if isinstance(handler, NeverWaits))


def set_up(settings: LogSettings) -> None:
    """Log so from now on, to standard error."""
    handler = NeverWaits(STANDARD_ERROR)
    handler.setFormatter(JsonLines() if settings.as_json else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("houseway").setLevel(logging.INFO if settings.as_json else logging.WARNING)
    REQUESTS.setLevel(logging.INFO if settings.requests else logging.WARNING)


def tell(event: str, **fields: Any) -> None:
    """A line of note, of these fields."""
    log = logging.getLogger("houseway")
    if log.isEnabledFor(logging.INFO):
        log.info("%s", event, extra={TOLD: {"event": event, **fields}})
