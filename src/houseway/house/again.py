"""What a house does again and again beside its tables, until it closes."""

import logging
import threading
from collections.abc import Callable


def again_and_again(
    work: Callable[[], object], failing: str, log: logging.Logger, stopped: threading.Event, seconds: float
) -> None:
    """Do it every so many seconds until the house closes; that it is `failing`, and why, is said once and never stops play."""
    said = ""
    while not stopped.wait(seconds):
        try:
            work()
            said = ""
        except Exception as error:
            if said != str(error):
                said = str(error)
                log.warning("%s: %s", failing, said)
