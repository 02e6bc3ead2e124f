"""What a house counts of itself, in the text format of Prometheus: `/metrics`.

Each process counts for itself. Where several serve, each leaves what it has counted in a folder, every second and when it ends,
and whichever is asked adds all of them up: counters of a process that is no more stay, what it held does not.
"""

import hmac
import json
import os
import resource
import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.approval import system
from houseway.house.private import check_private
from houseway.refusal import Refused
from houseway.release import VERSION
from houseway.web.clients import is_loopback
from houseway.web.logs import lines_dropped
from houseway.web.served import LOBBY

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The buckets of times, in seconds."""
TOKEN_LEAST = 16
SECONDS_BETWEEN = 1.0
Series = tuple[str, tuple[tuple[str, str], ...]]
"""A name with its labels."""


@dataclass(frozen=True)
class Family:
    """What is counted under a name. Over several processes a gauge is their `sum`, `max` or `min`."""

    kind: str
    about: str
    across: str = "sum"


FAMILIES = {
    "houseway_requests_total": Family("counter", "Requests that were answered, by route, method and status."),
    "houseway_request_seconds": Family("histogram", "How long requests took, by route; streams are not in it."),
    "houseway_commands_total": Family("counter", "Commands, by name and outcome: done, asked, refused, failed."),
    "houseway_command_seconds": Family("histogram", "How long commands took, from the check to the commit, by name."),
    "houseway_refusals_total": Family("counter", "What was refused, by the code of the refusal."),
    "houseway_store_errors_total": Family("counter", "How often the store did not answer."),
    "houseway_log_dropped_total": Family("counter", "Lines of the log that were dropped because nobody read it for long."),
    "houseway_commands_in_flight": Family("gauge", "Commands that are carried out or wait for their turn."),
    "houseway_heavy_work": Family("gauge", "Replays, audits, odds and reports, by what they are, under way or waiting."),
    "houseway_watchers": Family("gauge", "Open streams, by what is watched."),
    "houseway_journal_entries": Family("gauge", "The number of the newest entry of the journal.", "max"),
    "houseway_tables_open": Family("gauge", "Tables that are open.", "max"),
    "houseway_guests_seated": Family("gauge", "Seats that are taken.", "max"),
    "houseway_self_check_unchanged": Family("gauge", "1 if the program is as released, by its last check of itself.", "min"),
    "houseway_backup_age_seconds": Family("gauge", "How old the newest backup is, where the house makes its own.", "max"),
    "houseway_info": Family("gauge", "Always 1; the labels say which release serves.", "max"),
    "houseway_processes": Family("gauge", "Processes that serve."),
    "process_cpu_seconds_total": Family("counter", "Processor time of all processes."),
    "process_resident_memory_bytes": Family("gauge", "Memory of all processes."),
    "process_open_fds": Family("gauge", "Open files and connections of all processes."),
    "process_start_time_seconds": Family("gauge", "When the first process began, in seconds since 1970.", "min"),
}


def read_token(file: Path) -> str:
    """The token that opens /metrics, from a file that is the house's alone."""
    try:
        token = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise Refused(
            "bad-token", f"{file} cannot be read: name a file with a token, such as `openssl rand -hex 32` makes"
        ) from None
    check_private(file, "the token of /metrics")
    if len(token) < TOKEN_LEAST or not token.isprintable() or " " in token:
        raise Refused("bad-token", f"{file} holds no token: {TOKEN_LEAST} characters or more without spaces are wanted")
    return token


class Metrics:
    """What one process has counted so far."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.in_flight = 0
        self._lock = threading.Lock()
        self._counts: Counter[Series] = Counter()
        self._times: dict[Series, list[float]] = {}

    def count(self, name: str, **labels: str) -> None:
        """One more."""
        with self._lock:
            self._counts[name, tuple(labels.items())] += 1

    def took(self, name: str, seconds: float, **labels: str) -> None:
        """One more of a histogram."""
        series = name, tuple(labels.items())
        with self._lock:
            times = self._times.get(series)
            if times is None:
                times = self._times[series] = [0.0] * (len(BOUNDS) + 2)  # the last bucket is without bound, then the sum
            times[bisect_left(BOUNDS, seconds)] += 1
            times[-1] += seconds

    def began(self) -> None:
        """A command is on its way."""
        with self._lock:
            self.in_flight += 1

    def ended(self) -> None:
        """It is over."""
        with self._lock:
            self.in_flight -= 1

    def as_data(self, gauges: Mapping[Series, float]) -> dict[str, Any]:
        """Everything, for another process."""
        with self._lock:
            counts, times = list(self._counts.items()), [(series, list(times)) for series, times in self._times.items()]
        return {"counts": counts, "times": times, "gauges": list(gauges.items())}

    def leave(self, gauges: Mapping[Series, float]) -> None:
        """Put what was counted where the other processes find it."""
        if self.folder:
            file = self.folder / f"{os.getpid()}.json"
            with suppress(OSError):
                file.with_suffix(".new").write_text(json.dumps(self.as_data(gauges)))
                file.with_suffix(".new").replace(file)

    def of_others(self) -> Iterator[dict[str, Any]]:
        """What the other processes have left; of one that is no more, what it counted."""
        for file in sorted(self.folder.glob("*.json")) if self.folder else ():
            pid = int(file.stem)
            if pid == os.getpid():
                continue
            with suppress(OSError, ValueError):
                data: dict[str, Any] = json.loads(file.read_text())
                yield data if Path(f"/proc/{pid}").exists() else data | {"gauges": []}


def _series(name: str, **labels: str) -> Series:
    return name, tuple(labels.items())


def process_figures() -> dict[Series, float]:
    """What the operating system says of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        _series("process_cpu_seconds_total"): used.ru_utime + used.ru_stime,
        _series("process_resident_memory_bytes"): pages * resource.getpagesize(),
        _series("process_open_fds"): len(list(Path("/proc/self/fd").iterdir())),
        _series("process_start_time_seconds"): STARTED,
        _series("houseway_processes"): 1,
    }


STARTED = time.time()
ACROSS: dict[str, Callable[[list[float]], float]] = {"sum": sum, "max": max, "min": min}


def gauges_of(app: "FastAPI") -> dict[Series, float]:
    """What a house holds at this moment."""
    state, metrics = app.state.house.state, app.state.metrics
    watched: Counter[str] = Counter()
    for topic, watchers in tuple(app.state.house.watchers.items()):
        what = "lobby" if topic == LOBBY else "table" if topic in state.tables else "board"
        watched[what] += len(watchers)
    tables = [table for table in state.tables.values() if table.is_open]
    found: dict[Series, float] = {
        _series("houseway_commands_in_flight"): metrics.in_flight,
        _series("houseway_journal_entries"): app.state.house.seq,
        _series("houseway_tables_open"): len(tables),
        _series("houseway_guests_seated"): sum(len(table.seated) for table in tables),
        _series("houseway_self_check_unchanged"): int(system().is_unchanged),
        _series("houseway_info", release=VERSION): 1,
        _series("houseway_store_errors_total"): app.state.house.outages.errors,
        _series("houseway_log_dropped_total"): lines_dropped(),
    }
    found |= {_series("houseway_watchers", watches=what): watched[what] for what in ("lobby", "table", "board")}
    found |= {_series("houseway_heavy_work", what=name): pool.under_way for name, pool in app.state.apart.items()}
    if backups := app.state.backups:
        from houseway.house.floor import now

        at = now()
        if newest := backups.newest(at):
            found[_series("houseway_backup_age_seconds")] = (at - newest).total_seconds()
    return found | process_figures()


def text_of(parts: Iterable[Mapping[str, Any]]) -> str:
    """What several processes have counted, added up, as Prometheus reads it."""
    counts: Counter[Series] = Counter()
    times: dict[Series, list[float]] = {}
    gauges: dict[Series, float] = {}
    for part in parts:
        for given, value in part["counts"]:
            counts[_read(given)] += value
        for given, values in part["times"]:
            known = times.get(_read(given))
            times[_read(given)] = [a + b for a, b in zip(known, values, strict=True)] if known else list(values)
        for given, value in part["gauges"]:
            series = _read(given)
            before = gauges.get(series)
            gauges[series] = value if before is None else ACROSS[FAMILIES[series[0]].across]([before, value])
    lines: list[str] = []
    for name, family in FAMILIES.items():
        of_name = {series: value for series, value in (*counts.items(), *gauges.items()) if series[0] == name}
        told = [f"{_named(series)} {_figure(value)}" for series, value in sorted(of_name.items())]
        for series, values in sorted(times.items()):
            told += _histogram(series, values) if series[0] == name else ()
        if told:
            lines += [f"# HELP {name} {family.about}", f"# TYPE {name} {family.kind}", *told]
    return "\n".join(lines) + "\n"


def _read(given: Any) -> Series:
    name, labels = given
    return str(name), tuple((str(label), str(value)) for label, value in labels)


def _histogram(series: Series, values: list[float]) -> Iterator[str]:
    name, labels = series
    reached = 0.0
    for bound, count in zip((*map(str, BOUNDS), "+Inf"), values[:-1], strict=True):
        reached += count
        yield f"{_named((f'{name}_bucket', (*labels, ('le', bound))))} {_figure(reached)}"
    yield f"{_named((f'{name}_sum', labels))} {_figure(values[-1])}"
    yield f"{_named((f'{name}_count', labels))} {_figure(reached)}"


def _named(series: Series) -> str:
    name, labels = series
    said = ",".join(f'{label}="{_escaped(value)}"' for label, value in labels)
    return f"{name}{{{said}}}" if said else name


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _figure(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(round(value, 6))


def all_figures(app: "FastAPI") -> str:
    """The figures of all processes."""
    metrics: Metrics = app.state.metrics
    return text_of([metrics.as_data(gauges_of(app)), *metrics.of_others()])


def leave_figures(app: "FastAPI", stopped: threading.Event) -> None:
    """While the house is open, put the figures where the other processes find them."""
    metrics: Metrics = app.state.metrics
    if metrics.folder is None:
        return
    while not stopped.wait(SECONDS_BETWEEN):
        metrics.leave(gauges_of(app))


def leave_process_figures(folder: Path) -> None:
    """Of a process that serves nobody, and carries out what the others ask for: what the operating system says of it."""
    metrics = Metrics(folder)
    while True:
        metrics.leave(process_figures())
        time.sleep(SECONDS_BETWEEN)


def check_reader(request: "Request", token: str) -> None:
    """Refuse whoever may not read the figures: without a token in the house's settings, all but this machine itself.

    Behind a proxy that the house has not named everybody seems to be here, and a proxy says that it passes somebody on.
    """
    if token:
        given = request.headers.get("authorization", "").partition(" ")[2].strip()
        if not hmac.compare_digest(given.encode(), token.encode()):
            raise Refused("metrics-closed", "the figures are for whoever has the token of this house: send it as a bearer")
    elif not is_loopback(request):
        raise Refused(
            "metrics-closed",
            "the figures are for this machine itself: ask there, or serve with --metrics-token and send the token",
        )
