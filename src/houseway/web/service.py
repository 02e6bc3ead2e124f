"""What a house that is run as a service tells its manager (systemd, `Type=notify`): that it is open, once it is."""

import os
import socket
import threading
import time
from contextlib import suppress

NOTIFY = "NOTIFY_SOCKET"
LOOK_SECONDS = 0.1
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def tell_when_open(host: str, port: int) -> None:
    """Have a thread knock at the house's own door until somebody opens, and say so to whoever asked to be told."""
    manager = os.environ.pop(NOTIFY, "")  # no process that is started from here is to speak for the house
    if not manager:
        return
    address = "\0" + manager[1:] if manager.startswith("@") else manager

    def knock() -> None:
        while not _is_open(ANYWHERE.get(host, host), port):
            time.sleep(LOOK_SECONDS)
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.sendto(b"READY=1", address)

    threading.Thread(target=knock, name="houseway service", daemon=True).start()


def _is_open(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True
