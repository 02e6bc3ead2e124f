"""What the floor can do at an exercise's table: commands are really given to it, by the engine of the live tables."""

from collections.abc import Mapping
from typing import Any

from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.report.example_round import NAME
from houseway.table import House, Table, handle
from houseway.table.engine import nothing
from houseway.table.event import FORM
from houseway.table.events import CardWanted, RoundCorrected, ToAct, Voided
from houseway.table.fold import context
from houseway.table.plain import as_json, from_json
from houseway.table.state import PaidStake, Round, Settled, changed
from houseway.train.deals import DAY
from houseway.train.tables import TableRound

REASON = "the cards on the felt"


class ExerciseFloor:
    """A supervisor at a table of an exercise, and what his commands come to."""

    def __init__(self, house: House) -> None:
        self.house = house

    def give(self, kind: str, fields: Mapping[str, Any]) -> list[Any] | None:
        """What a command tells; nothing if it is refused."""
        told = context(f"{DAY}T12:00:00+00:00", DAY, "house", "supervisor", FORM)
        try:
            effect = handle(self.house, {"kind": kind, "table": NAME, **fields, **told}, "supervisor", nothing)
            effect.finished()
        except Refused:
            return None
        return list(effect.events)


def with_table(house: House, table: Table) -> House:
    """The house with this table in the place of its own."""
    return changed(house, tables={**house.tables, NAME: table})


def corrected(played: TableRound, paid: tuple[PaidStake, ...]) -> tuple[PaidStake, ...] | None:
    """The stakes of a round that was settled like that, once the floor has corrected it; nothing where that is refused."""
    number = played.table.round.number
    after = changed(played.before, round=Round(number + 1))
    before = changed(played.settled, stakes=paid)
    told = ExerciseFloor(with_table(played.house, after)).give(
        "correct", {"round": number, "reason": REASON, "settled": as_json(before)}
    )
    found = [event for event in told or () if isinstance(event, RoundCorrected)]
    return from_json(Settled, found[0].stands).stakes if found else None


def voided(played: TableRound, table: Table, reason: str) -> str | None:
    """The clause by which the floor voids a round in play for a reason; nothing where that is refused."""
    told = ExerciseFloor(with_table(played.house, table)).give("void", {"reason": reason})
    found = [event for event in told or () if isinstance(event, Voided)]
    return found[0].clause if found else None


def is_possible(played: TableRound, cards: tuple[int, ...]) -> bool:
    """Whether the rules take these cards for the round, as they lie, and it is complete with them."""
    table = played.table
    if cards == table.round.drawn:
        return True
    told = ExerciseFloor(with_table(played.house, table)).give("rekey", {"cards": show_cards(cards), "reason": REASON})
    return told is not None and not any(isinstance(event, CardWanted | ToAct) for event in told)
