"""Who waits for a seat, who is called to which, and seats that are held for somebody."""

from datetime import datetime, timedelta

from houseway.refusal import Refused, number_of, one_of
from houseway.table import duties
from houseway.table.bank import sit
from houseway.table.commands import Command, command, whole
from houseway.table.engine import AFTERWARDS, BEFOREHAND, Effect, open_table, text
from houseway.table.fields import EDITION, GUEST, HOLD_MINUTES, SEAT, TABLE, WAIT
from houseway.table.guest_events import GuestCalled, SeatHeld, SeatReleased, WaitEnded, Waits
from houseway.table.guests import check_may_play
from houseway.table.house_rules import number_rule
from houseway.table.roles import SEATERS, WAITERS
from houseway.table.state import HeldSeat, House, Table, Waiting, changed
from houseway.table.unfold import Draw

CALL_MINUTES = number_rule(
    "call minutes", "for how many minutes a seat is held for a guest who is called from the waitlist", 5, 1, 120
)
WAITS_MOST, WAITS_HOURS = 500, 24
"""How many may wait, and after how many hours somebody who was never called is forgotten."""
SEATING = frozenset({"sit", "bet", "bets"})
"""By which a guest takes a seat."""


def free_seats(table: Table, at: str) -> list[int]:
    """The seats that nobody has, and that are not held for anybody at a moment."""
    taken = table.seated.keys() | table.round.spots.keys() | {seat for seat, held in table.held.items() if at < held.until}
    return [seat for seat in range(1, table.seats + 1) if seat not in taken]


def _check_held(house: House, command: Command) -> None:
    """Refuse a seat that is held for somebody else. For whom is told to nobody."""
    table = house.tables.get(str(command.get("table", "")))
    if command.get("kind") not in SEATING or table is None or not table.held:
        return
    seat, held = command.get("seat"), table.held.get(whole(command, "seat"))
    if held is not None and held.guest != command.get("guest") and str(command.get("at", "")) < held.until:
        raise Refused(
            "seat-held", f"seat {seat} is held for another guest until {duties.clock_of(held.until)}: take another seat"
        )


def _taken(effect: Effect, before: House, command: Command) -> None:
    """Whoever has sat down is called no more; a table that closes holds no seats."""
    table = effect.table
    if table is None or not table.held:
        return
    here = {**table.seated, **{seat: spot.guest for seat, spot in table.round.spots.items()}}
    at = str(command.get("at", ""))
    held = {
        seat: each for seat, each in table.held.items() if table.is_open and at < each.until and here.get(seat) != each.guest
    }
    if held == table.held:
        return
    seated = {each.wait for seat, each in table.held.items() if here.get(seat) == each.guest}
    waiting = tuple(wait for wait in effect.house.waiting if wait.number not in seated)
    if not table.is_open:
        waiting = tuple(changed(w, table="", seat=0, until="") if w.table == table.name else w for w in waiting)
    effect.table, effect.house = changed(table, held=held), changed(effect.house, waiting=waiting)


BEFOREHAND.append(_check_held)
AFTERWARDS.append(_taken)


def _waiting(house: House, command: Command) -> Waiting:
    number = whole(command, "wait")
    known = {wait.number: wait for wait in house.waiting}
    if number not in known:
        numbers = ", ".join(map(str, known)) or "nobody"
        raise Refused("unknown-wait", f"nobody waits under number {number} (waiting: {numbers})")
    return known[number]


def _without(house: House, number: int) -> tuple[Waiting, ...]:
    return tuple(wait for wait in house.waiting if wait.number != number)


def _moment(command: Command) -> datetime:
    return datetime.fromisoformat(text(command, "at"))


def _free(table: Table, command: Command) -> int:
    """The seat that is asked for, or the first that is free."""
    free = free_seats(table, text(command, "at"))
    seat = whole(command, "seat") if "seat" in command else (free[0] if free else 0)
    if seat not in free:
        seats = ", ".join(map(str, free)) or "none"
        raise Refused(
            "seat-taken", f"seat {seat} of {table.name} is not free" if seat else f"{table.name} is full (free: {seats})"
        )
    return seat


@command(
    "wait",
    WAITERS,
    "Put a guest on the waitlist, for one game or for any seat",
    GUEST,
    may=(EDITION,),
    path="/waitlist",
    shell="waitlist join",
)
def _wait(house: House, command: Command, draw: Draw) -> Effect:
    """In the order in which they come."""
    guest, at = text(command, "guest"), text(command, "at")
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-seat", "a guest puts himself on the waitlist")
    played = sorted({table.edition for table in house.tables.values() if table.is_open})
    edition = one_of("edition", str(command["edition"]), played) if "edition" in command else ""
    since = (_moment(command) - timedelta(hours=WAITS_HOURS)).isoformat(timespec="microseconds")
    kept = tuple(wait for wait in house.waiting if wait.at >= since)
    if any((wait.guest, wait.edition) == (guest, edition) for wait in kept):
        raise Refused("waits-already", f"{guest} waits for this already: he keeps his place")
    if len(kept) >= WAITS_MOST:
        raise Refused("waitlist-full", f"{number_of(WAITS_MOST, 'guest')} wait already: seat or take off some first")
    number = house.waits_made + 1
    effect = Effect(changed(house, waiting=(*kept, Waiting(number, guest, edition, at)), waits_made=number))
    effect.tell(Waits(number, guest, edition))
    return effect


@command(
    "call",
    SEATERS,
    "Call a guest from the waitlist to a table: a seat is held for him for some minutes",
    WAIT,
    TABLE,
    may=(SEAT,),
    path="/waitlist/call",
    shell="waitlist call",
)
def _call(house: House, command: Command, draw: Draw) -> Effect:
    """A call that has lapsed may be made again, to this or another table."""
    wait, table, at = _waiting(house, command), open_table(house, command), text(command, "at")
    if wait.edition and table.edition != wait.edition:
        raise Refused("another-game", f"{wait.guest} waits for {wait.edition}, and {table.name} plays {table.edition}")
    if wait.table and at < wait.until:
        message = f"{wait.guest} is called to seat {wait.seat} of {wait.table} until {duties.clock_of(wait.until)}"
        raise Refused("called-already", message)
    check_may_play(house, wait.guest, str(command.get("day", "")))
    seat = _free(table, command)
    until = (_moment(command) + timedelta(minutes=CALL_MINUTES.of(house))).isoformat(timespec="microseconds")
    called = changed(wait, table=table.name, seat=seat, until=until)
    waiting = tuple(called if each is wait else each for each in house.waiting)
    held = {**table.held, seat: HeldSeat(wait.guest, until, wait.number)}
    effect = Effect(changed(house, waiting=waiting), changed(table, held=held))
    effect.tell(GuestCalled(wait.number, wait.guest, seat, until))
    return effect


@command(
    "seat",
    SEATERS,
    "Seat a guest from the waitlist, on the seat that he was called to",
    WAIT,
    path="/waitlist/seat",
    shell="waitlist seat",
)
def _seat(house: House, command: Command, draw: Draw) -> Effect:
    """As if he had sat down himself."""
    wait = _waiting(house, command)
    if not wait.table:
        raise Refused("not-called", f"{wait.guest} was not called to a table yet: call him first")
    check_may_play(house, wait.guest, str(command.get("day", "")))
    given = {**command, "kind": "sit", "table": wait.table, "seat": wait.seat, "guest": wait.guest}
    _check_held(house, given)
    effect = sit(house, given, draw)
    effect.house = changed(effect.house, waiting=_without(house, wait.number))
    return effect


@command(
    "unwait",
    WAITERS,
    "Take a guest off the waitlist",
    WAIT,
    path="/waitlist/leave",
    shell="waitlist leave",
)
def _unwait(house: House, command: Command, draw: Draw) -> Effect:
    """The seat that was held for him is free again."""
    wait = _waiting(house, command)
    if command.get("role") == "guest" and command.get("actor") != wait.guest:
        raise Refused("not-your-seat", f"number {wait.number} is another guest's")
    effect, table = Effect(changed(house, waiting=_without(house, wait.number))), house.tables.get(wait.table)
    if table is not None and any(held.wait == wait.number for held in table.held.values()):
        effect.table = changed(table, held={seat: each for seat, each in table.held.items() if each.wait != wait.number})
    effect.tell(WaitEnded(wait.number, wait.guest))
    return effect


@command("reserve", SEATERS, "Hold a seat for a guest", TABLE, SEAT, GUEST, HOLD_MINUTES)
def _reserve(house: House, command: Command, draw: Draw) -> Effect:
    """Until he sits there, or the time is over."""
    table = open_table(house, command)
    seat = _free(table, command)
    until = (_moment(command) + timedelta(minutes=whole(command, "hold_minutes"))).isoformat(timespec="microseconds")
    effect = Effect(house, changed(table, held={**table.held, seat: HeldSeat(text(command, "guest"), until)}))
    effect.tell(SeatHeld(seat, text(command, "guest"), until))
    return effect


@command("release", SEATERS, "Let a seat go that is held for a guest", TABLE, SEAT)
def _release(house: House, command: Command, draw: Draw) -> Effect:
    """A guest who was called keeps his place on the waitlist."""
    table, seat = open_table(house, command), whole(command, "seat")
    held = table.held.get(seat)
    if held is None:
        seats = ", ".join(map(str, sorted(table.held))) or "none"
        raise Refused("not-held", f"seat {seat} of {table.name} is held for nobody (held: {seats})")
    waiting = tuple(changed(w, table="", seat=0, until="") if w.number == held.wait else w for w in house.waiting)
    kept = {number: each for number, each in table.held.items() if number != seat}
    effect = Effect(changed(house, waiting=waiting), changed(table, held=kept))
    effect.tell(SeatReleased(seat, held.guest))
    return effect
