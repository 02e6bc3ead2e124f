"""The log: lines of JSON for programs, plain ones for a person at a terminal.

There is a line for every request (with the command that it carried) and for whatever else is worth one. No line of a request
names a guest or one of the staff, an address, a card, or what somebody typed: of its path the route is told. Of an error it is
told where it arose.
"""

import json
import logging
import sys
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from houseway.refusal import one_of

FORMATS = ("auto", "json", "plain")
REQUESTS = logging.getLogger("houseway.requests")
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


def set_up(settings: LogSettings) -> None:
    """Log so from now on, to standard error."""
    handler = logging.StreamHandler()
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
