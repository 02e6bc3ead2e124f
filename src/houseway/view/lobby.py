"""All open tables in short."""

from dataclasses import asdict
from typing import Any

from houseway.money import dollars
from houseway.table import House, Table
from houseway.table.engine import edition_of
from houseway.view.edition import edition_view
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
    """All open tables in short."""
    return [
        {
            "name": table.name,
            "edition": edition_view(table.edition),
            "source": table.source,
            "limits": _limits(table),
            "seats": table.seats,
            "seats_free": table.seats - len(table.seated.keys() | table.round.spots.keys()),
            "round": table.round.number,
            "phase": str(table.round.phase),
            "shoe": shoe_view(table),
            "last": [finished_view(one) for one in table.history[-12:]],
        }
        for table in house.tables.values()
        if table.is_open
    ]


def _limits(table: Table) -> str:
    """The limits of the main wager, as posted."""
    terms = edition_of(table.edition).wagers
    main = next(iter(terms))
    least, most = table.limits.get(main, (terms[main].limits.min_cents, terms[main].limits.max_cents))
    return f"{dollars(least)} to {dollars(most)}"


def finished_view(one: Any) -> Json:
    """A finished round in short."""
    return {"round": one.number, "headline": one.headline, "marks": list(one.marks), "start": one.start} | {
        "hits": [asdict(hit) for hit in one.hits]
    }
