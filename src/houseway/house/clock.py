"""The house's time: that of the machine when the process began, and from then on as long as has passed, whatever is set.

A wall clock that jumps, by hand or by a time server, neither ends nor prolongs a decision: the house takes its time over when
no guest's time runs. Of several processes each does so by itself, and before it judges a time that another has given.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

OFF = timedelta(seconds=2)
"""How far the machine's time may be from the house's before that is set."""


def _wall() -> datetime:
    return datetime.now(UTC)


def steady_seconds() -> float:
    """Seconds that nobody sets; those in which the machine slept count, where the system tells them."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SteadyClock:
    """The time, in UTC; within a process it never goes back and never jumps until it is told to."""

    def __init__(self, wall: Callable[[], datetime] = _wall, steady: Callable[[], float] = steady_seconds) -> None:
        self.wall, self.steady = wall, steady
        self.follow_wall()

    def __call__(self) -> datetime:
        """The house's time."""
        return self._at_start + timedelta(seconds=self.steady() - self._began)

    def is_off(self) -> bool:
        """Whether the machine's clock was set since."""
        return abs(self.wall() - self()) > OFF

    def follow_wall(self) -> None:
        """Take the machine's time over."""
        self._at_start, self._began = self.wall(), self.steady()
