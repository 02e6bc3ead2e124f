"""A table is watched in one place: where several processes serve a house, each table's streams are in one of them.

What all see of a table is made once by each process in which somebody watches it, and that is most of what streams cost. So
whoever is asked for a stream hands the connection, with what it has asked, to the process whose table that is, which goes on
as if it had been asked itself. Whose a table is follows from who is there, and nobody keeps it. Nothing but speed hangs on it:
where nobody takes a connection over, whoever was asked answers. One that is encrypted up to here cannot be handed over.
"""

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import unquote

from houseway.house.mailbox import MOST_BYTES, Mailbox

SUFFIX = ".streams"
REQUEST_MOST = 16 * 1024
STREAM = re.compile(rb"GET /api/v1/(?:(?:tables|boards)/([^/ ?]+)/)?stream[? ]")
TakesIn = Callable[[bytes], asyncio.Protocol]
"""Makes what answers a connection that has asked something already."""
log = logging.getLogger("houseway.web")


class OnePlace:
    """The processes that serve a house, and which streams are whose. `topics` are all that can be watched, in an order that
    is the same for all of them."""

    def __init__(self, folder: Path, topics: Callable[[], Sequence[str]]) -> None:
        self._folder, self._topics = folder, topics
        self._box: Mailbox | None = None
        self._coming: set[asyncio.Task[None]] = set()

    def open(self, takes_in: TakesIn) -> None:
        """Let others hand connections here from now on."""
        try:
            self._box = Mailbox(self._folder, SUFFIX)
        except OSError as error:  # the name of a socket must be short, and some machines have none
            log.warning("each process has the streams that it is asked for (%s)", error)
            return
        asyncio.get_running_loop().add_reader(self._box.socket, self._take_in_all, self._box, takes_in)

    def close(self) -> None:
        """Nobody is to hand anything here any more."""
        if self._box is not None:
            asyncio.get_running_loop().remove_reader(self._box.socket)
            self._box.leave()
            self._box = None

    def place_of(self, request: bytes) -> str | None:
        """Where a connection belongs that asks for this, if that is another process than this one."""
        asked = STREAM.match(request)
        if asked is None or self._box is None or len(request) > REQUEST_MOST:
            return None
        topic, topics = unquote((asked[1] or b"").decode("latin-1")), self._topics()
        places = sorted([self._box.own, *self._box.others()])
        place = places[topics.index(topic) % len(places)] if topic in topics else self._box.own
        return place if place != self._box.own else None

    def is_handed(self, place: str, connection: int, request: bytes) -> bool:
        """Whether a connection, with what it has asked, was handed to another process; that may have no room for it now."""
        return self._box is not None and self._box.put(place, request, (connection,))

    def _take_in_all(self, box: Mailbox, takes_in: TakesIn) -> None:
        """Take in what others have handed here."""
        while True:
            try:
                request, files, _, _ = socket.recv_fds(box.socket, MOST_BYTES, 1)
            except OSError:  # nothing more
                return
            for file in files:
                coming = asyncio.get_running_loop().create_task(_take_in(file, request, takes_in))
                self._coming.add(coming)
                coming.add_done_callback(self._coming.discard)


async def _take_in(connection: int, request: bytes, takes_in: TakesIn) -> None:
    visitor = socket.socket(fileno=connection)
    visitor.setblocking(False)
    try:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: takes_in(request), visitor)
    except OSError as error:  # whoever asked has gone meanwhile
        log.info("a stream that was handed over is gone (%s)", error)
        visitor.close()
