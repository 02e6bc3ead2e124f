"""The host's page: who waits, free and held seats of every table; a guest's own place in line; and who works where."""

from collections.abc import Mapping
from datetime import datetime

from houseway.table.roles import DEALERS
from houseway.table.shifts import BREAK_MINUTES, DEAL_MINUTES
from houseway.table.state import House, Table, Waiting
from houseway.table.waitlist import free_seats
from houseway.view.edition import edition_view, unreadable
from houseway.view.lobby import limits_of
from houseway.view.reader import Json


def _seconds(since: str, until: datetime) -> int:
    return int((until - datetime.fromisoformat(since)).total_seconds())


def _now(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")


def host_view(house: House, at: datetime) -> Json:
    """Every open table with its seats, and the waitlist in order."""
    names = _names(house)
    return {
        "tables": [_table(table, at) for table in house.tables.values() if table.is_open and not unreadable(table)],
        "waiting": [_waits(house, wait, at, names) | {"guest": wait.guest} for wait in house.waiting],
        "games": [{"edition": id_, "name": name} for id_, name in sorted(names.items())],
    }


def _names(house: House) -> dict[str, str]:
    open_tables = (table for table in house.tables.values() if table.is_open and not unreadable(table))
    return {table.edition: str(edition_view(table)["name"]) for table in open_tables}


def _table(table: Table, at: datetime) -> Json:
    taken = {**{seat: spot.guest for seat, spot in table.round.spots.items()}, **table.seated}
    held = {seat: each for seat, each in table.held.items() if _now(at) < each.until and seat not in taken}
    return {
        "name": table.name,
        "edition": table.edition,
        "game": edition_view(table)["name"],
        "limits": limits_of(table),
        "dealer": table.dealer,
        "free": len(free_seats(table, _now(at))),
        "seats": [
            {
                "seat": seat,
                "guest": taken.get(seat, ""),
                "held_for": held[seat].guest if seat in held else "",
                "seconds_left": -_seconds(held[seat].until, at) if seat in held else 0,
            }
            for seat in range(1, table.seats + 1)
        ],
    }


def _waits(house: House, wait: Waiting, at: datetime, names: Mapping[str, str]) -> Json:
    left = max(-_seconds(wait.until, at), 0) if wait.until else 0
    return {
        "number": wait.number,
        "edition": wait.edition,
        "game": names.get(wait.edition, wait.edition) or "any seat",
        "place": place_of(house, wait),
        "waited_seconds": max(_seconds(wait.at, at), 0),
        "called_to": wait.table,
        "seat": wait.seat,
        "seconds_left": left,
        "call_lapsed": bool(wait.table) and not left,
    }


def place_of(house: House, wait: Waiting) -> int:
    """How many wait for the same, up to and with this one; who waits for any seat stands in every line."""
    line = [each for each in house.waiting if not wait.edition or each.edition in {"", wait.edition}]
    return 1 + line.index(wait)


def own_waits(house: House, guest: str, at: datetime) -> list[Json]:
    """A guest's own places in line; of the others no more than how many they are."""
    return [_waits(house, wait, at, _names(house)) for wait in house.waiting if wait.guest == guest]


def rotation_view(house: House, at: datetime, on_since: Mapping[str, str]) -> Json:
    """Who deals and who supervises where, since when and whether relief is due; who is on a break, and who is free."""
    deal, rest = DEAL_MINUTES.of(house), BREAK_MINUTES.of(house)
    tables = [table for table in house.tables.values() if table.is_open]
    busy = {table.dealer for table in tables} | {table.supervisor for table in tables} | set(house.breaks)
    return {
        "deal_minutes": deal,
        "break_minutes": rest,
        "tables": [
            {
                "name": table.name,
                "edition": table.edition,
                "dealer": table.dealer,
                "dealer_minutes": (on := _minutes(on_since.get(table.name, "") if table.dealer else "", at)),
                "relief_due": on is not None and on >= deal,
                "supervisor": table.supervisor,
                "supervisor_minutes": _minutes(table.supervised_since, at),
            }
            for table in tables
        ],
        "breaks": [
            {"name": name, "minutes": (minutes := _minutes(since, at)), "over": minutes is not None and minutes >= rest}
            for name, since in house.breaks.items()
        ],
        "free": [
            {"name": name, "role": role} for name, role in sorted(house.staff.items()) if role in DEALERS and name not in busy
        ],
    }


def _minutes(since: str, at: datetime) -> int | None:
    return max(_seconds(since, at) // 60, 0) if since else None
