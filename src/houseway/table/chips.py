"""The chips of a house: which it has, how they come in and go out, what trays should hold, and changing a guest's colours."""

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import ledger
from houseway.table.commands import Command, command
from houseway.table.engine import Effect, open_table, text
from houseway.table.fields import FOR_PIECES, GUEST, LOW, PIECES, TABLE
from houseway.table.house_rules import house_rule
from houseway.table.ledger import CAGE, OUTSIDE
from houseway.table.piece_events import ChipsBrought, ChipsTaken, Coloured, ParSet
from houseway.table.pieces import (
    COIN,
    NONE,
    RULE,
    as_written,
    begun,
    chips_of,
    in_pieces,
    pick,
    pieces_at,
    read_chips,
    read_pieces,
    without,
    worth,
)
from houseway.table.roles import ADMINISTRATORS, DEALERS, OPENERS
from houseway.table.state import House, Par, changed
from houseway.table.unfold import Draw


def _with_chips(house: House, before: str, written: str) -> House:
    """The house once its chips are these: no table plays meanwhile, and no chip is left without a value."""
    if NONE in {before, written}:
        if playing := [table.name for table in house.tables.values() if table.is_open]:
            raise Refused("tables-open", f"close the tables first: {', '.join(playing)} would play on with other chips")
        if house.slips:
            raise Refused("slips-open", f"finish or void {', '.join(house.slips)} first")
    known = {COIN, *read_chips(written)}
    gone = {value for held in house.pieces.values() for value, count in held.items() if count and value not in known}
    if gone:
        chips = ", ".join(dollars(value) for value in sorted(gone))
        raise Refused("chips-in-play", f"chips of {chips} are still in the house: take them out with chips-out first")
    return changed(house, pieces={}, pars={}) if written == NONE else begun(house) if before == NONE else house


CHIPS = house_rule(
    RULE,
    "the chips of the house in dollars, such as 0.50 1 5 25 100 500 1000: money then moves in pieces, and fills, counts and"
    " boxes go by slips; none is play without pieces",
    NONE,
    "none, or the value of each chip in dollars with spaces between",
    read_chips,
    applied=_with_chips,
)


def _worth_named(house: House, command: Command) -> int:
    return worth({int(value): count for value, count in command.get("pieces", {}).items()})


@command(
    "chips-in",
    ADMINISTRATORS,
    "Bring chips into the cage: only so there are more of them",
    PIECES,
    path="/cage/chips-in",
    shell="cage chips-in",
    recorded_when_refused=True,
    at_stake=_worth_named,
)
def _chips_in(house: House, command: Command, draw: Draw) -> Effect:
    """By two: each is worth its value from then on."""
    return _brought(house, command, OUTSIDE, CAGE)


@command(
    "chips-out",
    ADMINISTRATORS,
    "Take chips out of the cage for good: only so there are fewer of them",
    PIECES,
    path="/cage/chips-out",
    shell="cage chips-out",
    recorded_when_refused=True,
    at_stake=_worth_named,
)
def _chips_out(house: House, command: Command, draw: Draw) -> Effect:
    return _brought(house, command, CAGE, OUTSIDE)


def _brought(house: House, command: Command, source: str, target: str) -> Effect:
    pieces, effect = read_pieces(house, command["pieces"]), Effect(house)
    if COIN in pieces:
        raise Refused("bad-pieces", "coins are cash, which comes with fund: name chips only")
    event, why = (ChipsBrought, "chips brought in") if target == CAGE else (ChipsTaken, "chips taken out")
    effect.move(source, target, worth(pieces), why, pieces)
    effect.tell(event(as_written(pieces), worth(pieces)))
    return effect


@command("tray-par", OPENERS, "Set what a table's tray should hold, and when a fill is wanted", TABLE, PIECES, may=(LOW,))
def _tray_par(house: House, command: Command, draw: Draw) -> Effect:
    """The mark is a third of each denomination unless others are named."""
    name, pieces = text(command, "table"), read_pieces(house, command["pieces"])
    low = read_pieces(house, command["low"]) if "low" in command else {v: -(-n // 3) for v, n in pieces.items() if v != COIN}
    if beyond := {value: count for value, count in low.items() if count > pieces.get(value, 0)}:
        raise Refused("bad-pieces", f"the mark of {in_pieces(beyond)} is above what the tray should hold: {in_pieces(pieces)}")
    effect = Effect(changed(house, pars={**house.pars, name: Par(pieces, low)}))
    effect.tell(ParSet(name, as_written(pieces), as_written(low)))
    return effect


@command(
    "colour",
    DEALERS,
    "Change a guest's chips at a table for others of equal value: colour up, or down",
    TABLE,
    GUEST,
    PIECES,
    may=(FOR_PIECES,),
)
def _colour(house: House, command: Command, draw: Draw) -> Effect:
    """For the fewest that the tray has, unless others are named."""
    table, guest = open_table(house, command), ledger.guest(text(command, "guest"))
    gives, tray = read_pieces(house, command["pieces"]), ledger.tray(table.name)
    if table.bank is not None:
        tray = CAGE
    if "for_pieces" in command:
        gets = read_pieces(house, command["for_pieces"])
    else:
        values = chips_of(house)
        gets = pick(pieces_at(house, tray), worth(gives), values, values[-1] - 1) or {}
        if not gets:
            raise Refused("tray-short", f"the tray cannot change {dollars(worth(gives))}: a supervisor asks for a fill")
    if worth(gives) != worth(gets):
        pair = f"{in_pieces(gives)} is {dollars(worth(gives))}, and {in_pieces(gets)} is {dollars(worth(gets))}"
        raise Refused("not-equal", f"{pair}: chips are changed at equal value only")
    if not without(gives, gets):
        raise Refused("nothing-changes", f"{in_pieces(gives)} would be changed for the same")
    effect = Effect(house)
    effect.move(guest, tray, worth(gives), "colours changed", gives)
    effect.move(tray, guest, worth(gets), "colours changed", gets)
    effect.tell(Coloured(text(command, "guest"), as_written(gives), as_written(gets), worth(gives)))
    return effect
