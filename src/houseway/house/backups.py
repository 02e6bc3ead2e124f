"""Backups that a serving house makes by itself, and which of them are kept.

Each is made by a process of its own, so that copying and auditing a long journal take nothing from the tables. What fails
is said in the log, in the journal and on the floor page; play goes on.
"""

import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from houseway.house.clock import steady_seconds
from houseway.house.floor import HOUSE, now
from houseway.house.outage import in_words
from houseway.house.selfcheck import Noting
from houseway.refusal import Refused, number_of
from houseway.table.fold import BACKUP, BACKUP_FAILED

ALL_OF, DAILY_FOR, MONTHLY_FOR = timedelta(days=1), timedelta(days=31), timedelta(days=366)
AFTER_FAILURE = timedelta(minutes=5)
"""When a backup that failed is tried again, at the latest."""
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST = timedelta(days=31)
STAMP, NAMED = "%Y%m%dT%H%M%SZ", re.compile(r"house-(\d{8}T\d{6}Z)\.db")
STOP_SECONDS = 0.75
"""How long a house that closes waits for a backup to be broken off."""
BEING_WRITTEN = ".house-*.part*"
PROGRAM = "import os; os.nice(10); from houseway.cli.main import main; main()"
"""Nobody waits for a backup: whoever plays goes first."""
log = logging.getLogger("houseway.house")


def kept(times: Collection[datetime], at: datetime) -> set[datetime]:
    """The backups to keep: all of the last day, the last of every day for a month and of every month for a year.

    And the newest, however old it is; and those of a clock that once ran ahead, until their time has come: none of them counts
    as the last of anything.
    """
    ahead = {taken for taken in times if taken > at}
    known = sorted({*times} - ahead)
    last_of_day = {taken.date(): taken for taken in known}
    last_of_month = {(taken.year, taken.month): taken for taken in known}
    return {
        *ahead,
        *known[-1:],
        *(taken for taken in known if at - taken <= ALL_OF),
        *(taken for taken in last_of_day.values() if at - taken <= DAILY_FOR),
        *(taken for taken in last_of_month.values() if at - taken <= MONTHLY_FOR),
    }


def interval(given: str) -> timedelta:
    """How often: a number with s, m, h or d."""
    match = re.fullmatch(r"([1-9]\d{0,5})([smhd])", given.strip())
    every = timedelta(seconds=int(match[1]) * UNITS[match[2]]) if match else timedelta(0)
    if not match or every > LONGEST:
        raise Refused(
            "bad-interval", f'"{given}" is no interval: write a number and s, m, h or d, such as 30m or 1h, up to 31d'
        )
    return every


@dataclass(frozen=True)
class Backups:
    """The backups of a house in a folder, each named after its moment; whatever else lies there is left alone."""

    every: timedelta
    folder: Path

    @classmethod
    def into(cls, every: str, folder: Path | None) -> "Backups":
        """As they were asked for; the folder is made, for the house alone, if it is missing."""
        if folder is None:
            raise Refused("no-folder", "--backup-every needs --backup-to: name the folder to back up into")
        schedule = cls(interval(every or "1h"), folder)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Refused("no-folder", f"{folder} cannot be a folder of backups ({error.strerror}): name another") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise Refused("no-folder", f"{folder}: nothing can be written there: name a folder of the house's own user")
        return schedule

    def files(self) -> dict[datetime, Path]:
        """Every backup by its moment, in order."""
        times = {taken: file for file in self.folder.glob("house-*.db") if (taken := _moment(file.name))}
        return dict(sorted(times.items()))

    def newest(self, at: datetime) -> datetime | None:
        """The last backup of before a moment: one of a clock that once ran ahead tells nothing of how old the others are."""
        return max((taken for taken in self.files() if taken <= at), default=None)

    def due_at(self, at: datetime) -> datetime:
        """When the next one is due, as the files tell."""
        newest = self.newest(at)
        return at if newest is None else newest + self.every

    def status(self, at: datetime) -> dict[str, Any]:
        """How the backups stand, for the floor page."""
        files, newest = self.files(), self.newest(at)
        ahead = sum(taken > at for taken in files)
        late = newest is None or at - newest > 2 * self.every + AFTER_FAILURE
        how_many = f"{number_of(len(files) - ahead, 'backup')} kept"
        words = f"{how_many}, the newest of {newest:%Y-%m-%d %H:%M} UTC" if newest else "there is no backup yet"
        words += f" ({ahead} more dated later than now: a clock ran ahead)" if ahead else ""
        return {
            "every_seconds": round(self.every.total_seconds()),
            "kept": len(files) - ahead,
            "newest_at": newest.isoformat() if newest else "",
            "late": late,
            "words": f"Backups are late: {words}" if late and newest else words[0].upper() + words[1:],
        }

    def make(self, store_url: str, at: datetime, stopped: threading.Event) -> str:
        """Make one; what the program said, or refused with the reason."""
        file = self.folder / f"house-{at.astimezone(UTC):{STAMP}}.db"
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "journal", "backup", str(file)],
            env=os.environ | {"HOUSEWAY_STORE": store_url},  # an address may hold a password: not on a command line
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        while True:
            try:
                said, complaint = child.communicate(timeout=STOP_SECONDS / 4)
                break
            except subprocess.TimeoutExpired:
                if stopped.is_set():
                    child.terminate()
        if child.returncode:
            for left in self.folder.glob(f".{file.name}.*"):
                left.unlink(missing_ok=True)
            lines = complaint.strip().splitlines()
            reason = lines[-1].removeprefix("houseway: ") if lines else f"it ended with {child.returncode}"
            raise Refused("backup-failed", reason[:300])
        return said.strip()

    def tidy(self, at: datetime) -> None:
        """Remove what the rule does not keep, and what a killed process has left unfinished a day ago."""
        files = self.files()
        keep = kept(files, at)
        for taken, file in files.items():
            if taken not in keep:
                file.unlink(missing_ok=True)
        for left in self.folder.glob(BEING_WRITTEN):
            with suppress(OSError):
                if at.timestamp() - left.stat().st_mtime > ALL_OF.total_seconds():
                    left.unlink(missing_ok=True)


def _moment(name: str) -> datetime | None:
    """The moment of a backup of this name; none for another file."""
    match = NAMED.fullmatch(name)
    try:
        return datetime.strptime(match[1], STAMP).replace(tzinfo=UTC) if match else None
    except ValueError:  # digits that are no moment
        return None


@contextmanager
def backing_up(backups: Backups | None, store_url: str, house: Noting) -> Iterator[None]:
    """Meanwhile, backups are made in a thread of this process, however many others serve."""
    stopped = threading.Event()
    worker = threading.Thread(target=back_up, args=(backups, store_url, house, stopped), daemon=True)
    if backups:
        worker.start()
    try:
        yield
    finally:
        stopped.set()
        if backups:
            worker.join(STOP_SECONDS)


def back_up(
    backups: Backups,
    store_url: str,
    house: Noting,
    stopped: threading.Event,
    clock: Callable[[], datetime] = now,
    steady: Callable[[], float] = steady_seconds,
) -> None:
    """Back up whenever it is due, until the house closes; a failure is said once until something else happens.

    The first is due as the files tell; from then on it counts how much time has passed, whatever the clock is set to.
    """
    failure = ""
    wait = timedelta(0)
    made_at: float | None = None
    while not stopped.wait(max(wait.total_seconds(), 0)):
        try:
            at, begun = clock(), steady()
            since = timedelta(seconds=begun - made_at) if made_at is not None else None
            left = backups.due_at(at) - at if since is None else backups.every - since
            if left > timedelta(0):
                wait = min(left, AFTER_FAILURE)
                continue
            said = backups.make(store_url, at, stopped)
            backups.tidy(clock())
            failure, wait, made_at = "", timedelta(0), begun
            _note(house, BACKUP, {"taken": at.isoformat(timespec="seconds"), "verified": said})
        except Exception as error:
            if stopped.is_set():
                return
            reason = error.message if isinstance(error, Refused) else f"{type(error).__name__} {in_words(error)}"
            if reason != failure:
                log.warning("backup: it failed: %s", reason)
                _note(house, BACKUP_FAILED, {"reason": reason[:300]})
            failure, wait = reason, min(backups.every, AFTER_FAILURE)


def _note(house: Noting, kind: str, data: Mapping[str, Any]) -> None:
    try:
        house.note(kind, HOUSE, data)
    except Exception as error:
        log.warning("backup: it could not be noted: %s", in_words(error))
