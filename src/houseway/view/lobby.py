"""All open tables in short."""

from dataclasses import asdict

from houseway.board import Finished
from houseway.money import dollars
from houseway.table import House, Table
from houseway.table.engine import edition_of
from houseway.view.edition import edition_view, unreadable
from houseway.view.face import face_view
from houseway.view.reader import Json


def shoe_view(table: Table) -> Json | None:
    """What is published of the shoe in play: never a card."""
    if table.shoe is None:
        return None
    return {
        "id": table.shoe.id,
        "commitment": table.shoe.commitment,
        "size": table.shoe.size,
        "used": table.shoe.used,
        "cut": table.shoe.cut,
    }


def lobby_view(house: House) -> list[Json]:
    """All open tables in short. One whose edition cannot be read says why on its own card; the others are as ever."""
    return [_card(table) for table in house.tables.values() if table.is_open]


def _card(table: Table) -> Json:
    spoiled = unreadable(table)
    return {
        "name": table.name,
        "edition": spoiled or edition_view(table),
        "unreadable": spoiled["unreadable"] if spoiled else "",
        "source": table.source,
        "limits": "" if spoiled else limits_of(table),
        "seats": table.seats,
        "seats_free": 0 if spoiled else table.seats - len(table.seated.keys() | table.round.spots.keys()),
        "round": table.round.number,
        "phase": str(table.round.phase),
        "shoe": shoe_view(table),
        "results": None if spoiled else face_view(table)["results"],
        "last": [finished_view(finished) for finished in table.history[-12:]],
    }


def limits_of(table: Table) -> str:
    """The limits of the main wager, as posted."""
    terms, main = edition_of(table).wagers, table.offered[0]
    least, most = table.limits.get(main, (terms[main].limits.min_cents, terms[main].limits.max_cents))
    return f"{dollars(least)} to {dollars(most)}"


def finished_view(finished: Finished) -> Json:
    """A finished round in short."""
    return {
        "round": finished.number,
        "headline": finished.headline,
        "marks": list(finished.marks),
        "start": finished.start,
        "hits": [asdict(hit) for hit in finished.hits],
    }
