"""As a script: the patient program, whose clock goes as the test says: a gaming day of 24 hours is played in a minute or less.

`ROOM_CLOCK` names a file with the seconds by which the room's clock is ahead of the machine's. The processes that it starts run
this file too.
"""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from argon2 import PasswordHasher
from patient import be_patient

from houseway.cli.main import run_program
from houseway.house import passwords
from houseway.house.clock import SteadyClock
from houseway.web.limits import Bucket


def room_time(clock: SteadyClock) -> datetime:
    """What the clock on the room's wall shows."""
    return datetime.now(UTC) + timedelta(seconds=float(Path(os.environ["ROOM_CLOCK"]).read_text(encoding="ascii")))


def be_the_room() -> None:
    """The time of the test's file; hundreds of guests at one address, none of whom waits for a costly password or a bucket."""
    be_patient()
    SteadyClock.__call__ = room_time  # type: ignore[method-assign]
    SteadyClock.is_off = lambda self: False  # type: ignore[method-assign]
    passwords.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    Bucket.take = lambda self, client: True  # type: ignore[method-assign]


if __name__ in {"__main__", "__mp_main__"}:
    be_the_room()
if __name__ == "__main__":
    run_program()
