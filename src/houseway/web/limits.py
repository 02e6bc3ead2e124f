"""What one client may take of the house, so that nobody outside can keep the others waiting. Counted in each process."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from houseway.refusal import Refused, one_of
from houseway.table import Command, House, Table

T = TypeVar("T")
CLIENTS_MOST = 10_000
HOUR = 3600.0
TAKES_A_SEAT = {"sit", "bet", "bets"}


@dataclass(frozen=True)
class ClientLimits:
    """What one client may take: an address, or what a named proxy says is one. Every tablet of a room has its own."""

    streams: int = 60
    connections: int = 120
    guests: int = 60
    seats: int = 12
    heavy: int = 4
    header_seconds: int = 10
    body_seconds: int = 20
    simulations: int = 1
    simulation_seconds: int = 60


ABOUT = {
    "streams": "open at once",
    "connections": "open at once",
    "guests": "who take a name, an hour",
    "seats": "held by its guests",
    "heavy": "replays and odds under way at once",
    "header_seconds": "until the headers of a request have come",
    "body_seconds": "until its body has come",
    "simulations": "in the lab, under way at once",
    "simulation_seconds": "that one may take; for the staff ten times as many",
}


def with_given(limits: ClientLimits, given: Iterable[str]) -> ClientLimits:
    """Limits as a shell writes them: `streams=100`, each."""
    known = [field.name for field in fields(ClientLimits)]
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals or not value.isascii() or not value.isdigit() or not 0 < int(value) <= 1_000_000:
            raise Refused("bad-limit", f'--limit "{text}": write NAME=NUMBER, the name one of {", ".join(known)}')
        limits = replace(limits, **{one_of("limit", name, known): int(value)})
    return limits


class Bucket:
    """So many in so many seconds: a bucket that refills, and what is refused takes nothing out of it."""

    def __init__(self, most: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.rate, self.clock = most, most / seconds, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> bool:
        """Whether the client may have one more."""
        now = self.clock()
        left, at = self._left.get(client, (self.most, now))
        left = min(self.most, left + (now - at) * self.rate)
        if len(self._left) > CLIENTS_MOST:
            self._left.clear()
        may = left >= 1
        self._left[client] = left - may, now
        return may

    def put_back(self, client: str) -> None:
        """What was taken came to nothing."""
        left, at = self._left.get(client, (self.most, self.clock()))
        self._left[client] = left + 1, at


class GuestsMade(Bucket):
    """Guests who take a name: each costs the journal entries, and the house play money."""

    def allow(self, client: str, join: Callable[[], T]) -> T:
        """Let somebody in; whoever is refused for another reason does not count."""
        if not self.take(client):
            raise Refused(
                "too-many-guests",
                f"{self.most:.0f} guests an hour may take a name at one address, and yours has had as many: "
                "come back in a few minutes, or go on under a name that you have",
            )
        try:
            return join()
        except BaseException:
            self.put_back(client)
            raise


class Held:
    """So many at once."""

    def __init__(self, most: int) -> None:
        self.most, self._held = most, Counter[str]()

    def take(self, client: str) -> bool:
        """Whether the client may hold one more."""
        if self._held[client] >= self.most:
            return False
        self._held[client] += 1
        return True

    @property
    def all(self) -> int:
        """How many are held by all clients together."""
        return self._held.total()

    def give_back(self, client: str) -> None:
        """The client holds one less."""
        self._held[client] -= 1
        if self._held[client] <= 0:
            del self._held[client]


class SeatsHeld:
    """The seats that guests of one client hold, at all tables together."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._guests: dict[str, frozenset[str]] = {}
        self._holders = Holders()

    def check(self, house: House, client: str, command: Command) -> None:
        """Refuse a command that would take a seat more than its client may hold."""
        if command.get("kind") not in TAKES_A_SEAT:
            return
        guest, table = str(command.get("guest")), house.tables.get(str(command.get("table")))
        if table is None or guest == _holder(table, command.get("seat")):
            return
        held = self._holders.of(house)
        if len(self._guests) > CLIENTS_MOST:
            self._guests.clear()
        guests = self._guests.get(client, frozenset())
        count = sum(held[guest] for guest in guests)
        if count >= self.most:
            raise Refused(
                "seats-held",
                f"guests at your address hold {count} seats, and one address may hold {self.most}, so that others find one: "
                "leave a seat first",
            )
        self._guests[client] = frozenset(guest for guest in guests if held[guest]) | {guest}


class Holders:
    """How many seats each guest holds: only tables that are another value than before are looked at again."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Table | None, list[str]]] = {}
        self._held = Counter[str]()

    def of(self, house: House) -> Counter[str]:
        """As it is in a state."""
        for name, table in house.tables.items():
            known, holders = self._tables.get(name, (None, []))
            if table is not known:
                now = [holder for seat in {*table.seated, *table.round.spots} if (holder := _holder(table, seat))]
                self._held.subtract(holders)
                self._held.update(now)
                self._tables[name] = table, now
        if len(self._tables) > len(house.tables):  # one is there no more
            self._tables, self._held = {}, Counter()
            return self.of(house)
        return self._held


def _holder(table: Table, seat: object) -> str:
    """Who sits there, or else has bets there."""
    if not isinstance(seat, int):
        return ""
    spot = table.round.spots.get(seat)
    return table.seated.get(seat) or (spot.guest if spot else "")
