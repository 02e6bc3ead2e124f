"""What a house does again and again beside its tables, until it closes."""

import logging
import threading
from collections.abc import Callable

from houseway.house.outage import in_words

IsOut = Callable[[BaseException], str]
"""Says that the store does not answer, if an error says so, unless it was said a moment ago; why, or nothing."""


def again_and_again(
    work: Callable[[], object], failing: str, log: logging.Logger, stopped: threading.Event, seconds: float, is_out: IsOut
) -> None:
    """Do it every so many seconds until the house closes; that it is `failing`, and why, is said once and never stops play."""
    said = ""
    while not stopped.wait(seconds):
        try:
            work()
            said = ""
        except Exception as error:
            if not is_out(error) and said != (why := in_words(error)):
                said = why
                log.warning("%s: %s", failing, why)
