"""Slips: numbered by the house without gaps, a row of signatures each, every one on the signer's own session.

A row is data: `ROWS`. What a step moves is said beside it: `DOES`. Chips on their way are in `transit:fill-12`; a box that was
pulled is in `box:drop-7`. A finished slip is in the journal only; those that are open are in the state.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.table import ledger
from houseway.table.commands import Command, command
from houseway.table.duties import are_two, is_among, one_of_roles
from houseway.table.engine import Effect, open_table, text
from houseway.table.event import FORM, STRICT_SLIPS
from houseway.table.fields import PIECES, REASON, SLIP, TABLE
from houseway.table.house_events import Credited, Filled
from houseway.table.house_rules import number_rule
from houseway.table.ledger import CAGE
from houseway.table.piece_events import PutDown, SlipDone, SlipOpened, SlipRecalled, SlipSigned, SlipVoided
from houseway.table.pieces import Pieces, as_written, chips_of, in_pieces, pieces_at, read_pieces, worth
from houseway.table.roles import (
    ACCOUNTANTS,
    CASHIERS_ONLY,
    DEALERS,
    SECURITY,
    SIGNERS,
    SUPERVISORS,
    VOIDERS,
)
from houseway.table.state import House, Signature, Slip, Table, changed
from houseway.table.unfold import Draw


@dataclass(frozen=True)
class SlipStep:
    """A signature of a slip: who gives it, and what he says with it.

    One that `counts` names the pieces, which must be those of the slip. `on_table` it is of the dealer who is on the table.
    Nobody signs for two parts of a slip; a part may sign again. What the dealer signs is a dealer's, or of whoever deals at the
    table. A step without a part is of anybody who has the role: he who takes a box in, and who signs at last, may be of those
    who count it, for all of a count team sign (230-15-620).
    """

    id: str
    roles: tuple[str, ...]
    about: str
    part: str
    counts: bool = False
    on_table: bool = False


FILL, CREDIT, INVENTORY, ERROR, DROP = "fill", "credit", "inventory", "error", "drop"
ROWS: Mapping[str, tuple[SlipStep, ...]] = {
    FILL: (
        SlipStep("requested", SUPERVISORS, "asks for the chips", "supervisor"),
        SlipStep("request-carried", SECURITY, "has seen the request, and carries it to the cage", "security"),
        SlipStep("prepared", CASHIERS_ONLY, "has counted the chips out", "cashier", counts=True),
        SlipStep("carried", SECURITY, "has compared chips and slip, and carries them to the table", "security"),
        SlipStep("counted", DEALERS, "has counted the chips at the table", "dealer", counts=True, on_table=True),
        SlipStep("verified", SUPERVISORS, "has seen them counted: they go into the tray", "supervisor"),
    ),
    CREDIT: (
        SlipStep("requested", SUPERVISORS, "asks that the chips go to the cage", "supervisor"),
        SlipStep("counted-out", DEALERS, "has counted the chips out of the tray", "dealer", counts=True, on_table=True),
        SlipStep("carried", SECURITY, "has compared chips and slip, and carries them to the cage", "security"),
        SlipStep("counted-in", CASHIERS_ONLY, "has counted the chips into the cage", "cashier", counts=True),
        SlipStep("dealer-signed", DEALERS, "has seen the slip that came back", "dealer", on_table=True),
        SlipStep("supervisor-signed", SUPERVISORS, "has seen the slip that came back", "supervisor"),
    ),
    INVENTORY: (
        SlipStep("first-count", DEALERS, "has counted the tray", "", counts=True),
        SlipStep("second-count", DEALERS, "has counted the tray", "", counts=True),
    ),
    ERROR: (
        SlipStep("supervisor-signed", SUPERVISORS, "has seen the difference", "supervisor"),
        SlipStep("dealer-signed", DEALERS, "has seen the difference", "dealer"),
        SlipStep("security-signed", SECURITY, "has seen the difference", "security"),
    ),
    DROP: (
        SlipStep("pulled", SECURITY, "pulls the box", "security"),
        SlipStep("pulled-with", DEALERS, "was there when the box was pulled, and goes with it", "floor"),
        SlipStep("received", ACCOUNTANTS, "has the box in the count room", ""),
        SlipStep("first-count", ACCOUNTANTS, "has counted the box", "first", counts=True),
        SlipStep("second-count", ACCOUNTANTS, "has counted the box", "second", counts=True),
        SlipStep("recounted", CASHIERS_ONLY, "has counted the cash, without having seen the figures", "cashier", counts=True),
        SlipStep("signed", ACCOUNTANTS, "has compared the figures", ""),
    ),
}
"""The signatures of every kind of slip, in their order; the two counts of a tray are given with count-tray, in any order."""
BACK: Mapping[str, tuple[SlipStep, ...]] = {
    FILL: (
        SlipStep("brought-back", SECURITY, "carries the chips of the void slip back to the cage", "security"),
        SlipStep("counted-back", CASHIERS_ONLY, "has counted the chips back into the cage", "cashier", counts=True),
    ),
    CREDIT: (
        SlipStep("brought-back", SECURITY, "carries the chips of the void slip back to the table", "security"),
        SlipStep("counted-back", DEALERS, "has counted the chips back into the tray", "dealer", counts=True, on_table=True),
    ),
}
"""The signatures that follow on a slip that is void while its chips are under way, instead of the rest of its row."""
SLIP_MINUTES = number_rule("slip minutes", "after how many minutes a slip that is still open is an alert", 30, 1, 1_440)
SLIP_NAMES = {FILL: "fill", CREDIT: "credit", INVENTORY: "table inventory", ERROR: "notification of error", DROP: "drop box"}
BLIND = frozenset({INVENTORY, DROP})
"""Whoever counts for these sees neither what another counted nor what is expected."""


def row_of(slip: Slip) -> tuple[SlipStep, ...]:
    """The signatures of a slip, in their order: of one whose chips go back, those that it had, and those for the way back."""
    row, had = ROWS[slip.kind], {each.step for each in slip.signed}
    return (*(step for step in row if step.id in had), *BACK[slip.kind]) if slip.void else row


def next_step(slip: Slip) -> SlipStep:
    """The step that a slip waits for."""
    return row_of(slip)[len(slip.signed)]


def opened(house: House, effect: Effect, slip: Slip) -> Slip:
    """A new slip, with the next number of its kind: told, and open."""
    numbered = changed(slip, number=house.slips_made.get(slip.kind, 0) + 1)
    made = {**effect.house.slips_made, slip.kind: numbered.number}
    effect.house = changed(effect.house, slips={**effect.house.slips, numbered.id: numbered}, slips_made=made)
    pieces = {} if slip.kind in BLIND else as_written(slip.pieces)
    cents = 0 if slip.kind in BLIND else slip.cents
    effect.tell(SlipOpened(numbered.id, slip.table, slip.purpose, pieces, cents, slip.owner))
    return numbered


def kept(house: House, slip: Slip) -> House:
    """The house with a slip as it is now."""
    return changed(house, slips={**house.slips, slip.id: slip})


def dropped(house: House, slip: Slip) -> House:
    """The house once a slip is finished, or void."""
    return changed(house, slips={id_: each for id_, each in house.slips.items() if id_ != slip.id})


def signature(command: Command, step: SlipStep) -> Signature:
    """Who signs a step now."""
    return Signature(step.id, str(command.get("actor")), str(command.get("role")), str(command.get("at", "")))


def open_slip(house: House, command: Command) -> Slip:
    """The open slip a command is for."""
    id_ = text(command, "slip")
    if id_ not in house.slips:
        kind, _, number = id_.rpartition("-")
        if kind in ROWS and number.isdigit() and 0 < int(number) <= house.slips_made.get(kind, 0):
            raise Refused("slip-done", f"{id_} is finished or void: it can neither be signed nor voided any more")
        one_of("slip", id_, house.slips)
    return house.slips[id_]


def needs_chips(house: House) -> None:
    """Refuse slips where money does not move in pieces."""
    if not chips_of(house):
        raise Refused("no-chips", "this house plays without pieces, and so without slips: fill, credit, drop and closer do it")


def refuse_one_step(house: House, instead: str) -> None:
    """In a house with chips nobody moves them, or counts, in one step."""
    if chips_of(house):
        raise Refused("by-slip", f"in a house with chips this is done by slip: {instead}")


def who_signs(step: SlipStep) -> str:
    """Who signs a step, in words: "a dealer or a supervisor", "security"."""
    return one_of_roles(step.roles).replace("a security", "security").replace("an accounting", "accounting")


def check_signer(house: House, slip: Slip, step: SlipStep, command: Command) -> None:
    """Refuse a signature of the wrong role, of somebody who signed for another part, or who is not on the table."""
    name, role = str(command.get("actor")), str(command.get("role"))
    if role not in step.roles:
        raise Refused("wrong-signature", f"{slip.id} waits for {who_signs(step)}, who {step.about}")
    parts = {each.id: each.part for each in row_of(slip)}
    for signed in slip.signed:
        part = parts[signed.step]
        if part and step.part and part != step.part and is_among(name, {signed.name}):
            raise Refused("signed-already", f"{name} has signed {slip.id} as {part}: somebody else signs here")
    table = house.tables.get(slip.table)
    deals = table is not None and table.dealer == name
    if step.part == "dealer" and role != "dealer" and not deals and command.get("form", FORM) >= STRICT_SLIPS:
        raise Refused("wrong-signature", f"{slip.id} waits for a dealer, or whoever is on {slip.table}, who {step.about}")
    if step.on_table and table is not None and are_two(house) and table.dealer != name:
        who = f"{table.dealer} is" if table.dealer else "nobody is"
        raise Refused("not-on-table", f"{slip.id} waits for the dealer on {slip.table} ({who})")


# Fills and credits


def _requested(house: House, command: Command, kind: str) -> Effect:
    needs_chips(house)
    table, pieces = open_table(house, command), read_pieces(house, command["pieces"])
    if table.bank is not None:
        raise Refused("no-tray", f"players bank at {table.name}: it has no tray to fill")
    held = pieces_at(house, CAGE if kind == FILL else ledger.tray(table.name))
    if lacking := {value: count for value, count in pieces.items() if count > held.get(value, 0)}:
        has = in_pieces({value: held.get(value, 0) for value in lacking})
        whose = "the cage" if kind == FILL else "the tray"
        raise Refused("pieces-missing", f"{whose} has {has}, and {in_pieces(lacking)} is asked for")
    waiting = next((each for each in house.slips.values() if (each.kind, each.table) == (kind, table.name)), None)
    if waiting:
        raise Refused("slip-open", f"{waiting.id} is open for {table.name}: finish it, or void it")
    effect = Effect(house, table)
    first = (signature(command, ROWS[kind][0]),)
    about = {"day": str(command.get("day", "")), "opened_at": str(command.get("at", "")), "signed": first}
    opened(house, effect, Slip(kind, 0, table.name, pieces=pieces, cents=worth(pieces), **about))  # type: ignore[arg-type]
    return effect


@command("request-fill", SUPERVISORS, "Ask for chips for a table's tray: opens a fill slip", TABLE, PIECES)
def _request_fill(house: House, command: Command, draw: Draw) -> Effect:
    return _requested(house, command, FILL)


@command("request-credit", SUPERVISORS, "Ask that chips of a table's tray go to the cage: opens a credit slip", TABLE, PIECES)
def _request_credit(house: House, command: Command, draw: Draw) -> Effect:
    return _requested(house, command, CREDIT)


def _prepared(effect: Effect, slip: Slip, table: Table | None) -> None:
    effect.move(CAGE, ledger.transit(slip.id), slip.cents, slip.id, slip.pieces)


def _into_tray(effect: Effect, slip: Slip, table: Table | None) -> None:
    assert table is not None
    effect.move(ledger.transit(slip.id), ledger.tray(slip.table), slip.cents, slip.id, slip.pieces)
    effect.table = changed(table, fills_cents=table.fills_cents + slip.cents)
    effect.tell(Filled(slip.cents))


def _out_of_tray(effect: Effect, slip: Slip, table: Table | None) -> None:
    assert table is not None
    effect.move(ledger.tray(slip.table), ledger.transit(slip.id), slip.cents, slip.id, slip.pieces)
    effect.table = changed(table, credits_cents=table.credits_cents + slip.cents)


def _into_cage(effect: Effect, slip: Slip, table: Table | None) -> None:
    effect.move(ledger.transit(slip.id), CAGE, slip.cents, slip.id, slip.pieces)
    effect.tell(Credited(slip.cents))


def _put_back(effect: Effect, slip: Slip, table: Table | None) -> None:
    """The chips of a void slip are where they came from."""
    back = CAGE if slip.kind == FILL else ledger.tray(slip.table)
    effect.move(ledger.transit(slip.id), back, slip.cents, f"{slip.id} void", slip.pieces)
    if table is not None and table.is_open and slip.kind == CREDIT:
        effect.table = changed(table, credits_cents=table.credits_cents - slip.cents)


Does = Callable[[Effect, Slip, Table | None], None]
DOES: dict[tuple[str, str], Does] = {
    (FILL, "prepared"): _prepared,
    (FILL, "verified"): _into_tray,
    (CREDIT, "counted-out"): _out_of_tray,
    (CREDIT, "counted-in"): _into_cage,
    (FILL, "counted-back"): _put_back,
    (CREDIT, "counted-back"): _put_back,
}
"""What a signature moves."""
Counted = Callable[[House, Command, Slip, Pieces], Effect]
COUNTED: dict[str, Counted] = {}
"""Kinds of slips whose counts are blind, and what becomes of one."""


@command(
    "sign-slip",
    SIGNERS,
    "Sign the next step of a slip; where chips or cash are counted, say what was counted",
    SLIP,
    may=(PIECES,),
    path="/slips/sign",
    shell="slips sign",
    recorded_when_refused=True,
)
def _sign(house: House, command: Command, draw: Draw) -> Effect:
    """The step that the slip waits for, of whoever must sign it."""
    slip = open_slip(house, command)
    if slip.kind == INVENTORY:
        raise Refused("wrong-signature", f"{slip.id} is a count: the dealer and a supervisor give it with count-tray")
    step = next_step(slip)
    check_signer(house, slip, step, command)
    if step.counts and "pieces" not in command:
        raise Refused("count-missing", f"{slip.id}: say what was counted, by denomination (pieces)")
    if not step.counts and "pieces" in command:
        raise Refused("nothing-to-count", f"{slip.id}: nothing is counted at this step: sign without pieces")
    if step.counts and slip.kind in COUNTED:
        return COUNTED[slip.kind](house, command, slip, {int(v): n for v, n in command["pieces"].items() if n})
    if step.counts and (counted := read_pieces(house, command["pieces"])) != slip.pieces:
        what = f"{in_pieces(counted)} ({dollars(worth(counted))}) was counted, and {slip.id} says {in_pieces(slip.pieces)}"
        raise Refused("count-differs", f"{what} ({dollars(slip.cents)}): count again, or void the slip")
    return signed(house, command, slip, step)


def signed(house: House, command: Command, slip: Slip, step: SlipStep) -> Effect:
    """A slip with one more signature, and what that moves."""
    table, effect = house.tables.get(slip.table), Effect(house)
    if table is not None and table.is_open:
        effect.table = table
    elif slip.kind in {FILL, CREDIT}:
        raise Refused("table-closed", f"{slip.table} is closed: void {slip.id}")
    after = changed(slip, signed=(*slip.signed, signature(command, step)))
    effect.tell(SlipSigned(slip.id, slip.table, step.id, str(command.get("actor"))))
    if does := DOES.get((slip.kind, step.id)):
        does(effect, after, table)
    if len(after.signed) == len(row_of(after)):
        effect.house = dropped(effect.house, after)
        effect.tell(SlipVoided(slip.id, slip.table, slip.void, slip.voided_by) if slip.void else done(after))
    else:
        effect.house = kept(effect.house, after)
    return effect


def done(slip: Slip) -> SlipDone:
    """That a slip is finished, with all that stands on it."""
    names = tuple(PutDown(each.step, each.name) for each in slip.signed)
    return SlipDone(slip.id, slip.table, slip.day, as_written(slip.pieces), slip.cents, names)


@command(
    "void-slip",
    VOIDERS,
    "Void a slip: its number stays, and chips that are under way go back where they came from, signed for by two",
    SLIP,
    REASON,
    path="/slips/void",
    shell="slips void",
    recorded_when_refused=True,
    at_stake=lambda house, command: house.balance(ledger.transit(str(command.get("slip", "")))),
)
def _void(house: House, command: Command, draw: Draw) -> Effect:
    """VOID stands on all its copies."""
    slip, effect = open_slip(house, command), Effect(house)
    reason, actor = text(command, "reason"), str(command.get("actor"))
    in_transit = house.balance(ledger.transit(slip.id))
    steps = [each.step for each in slip.signed]
    if slip.void:
        raise Refused("void-already", f"{slip.id} is void: it waits for {who_signs(next_step(slip))}, for its chips to be back")
    if slip.kind == ERROR:
        raise Refused("not-voided", f"{slip.id} tells a difference that is booked: it is signed, and never voided")
    if slip.kind == DROP and "pulled-with" in steps:
        raise Refused("not-voided", f"the box of {slip.id} is pulled: it is counted, whatever is in it")
    if slip.kind == CREDIT and "counted-in" in steps:
        raise Refused("not-voided", f"the chips of {slip.id} are in the cage: sign it, and bring them back with a fill")
    table = house.tables.get(slip.table)
    effect.table = table if table is not None and table.is_open else None
    if in_transit and command.get("form", FORM) >= STRICT_SLIPS:
        effect.house = kept(house, changed(slip, void=reason, voided_by=actor))
        effect.tell(SlipRecalled(slip.id, slip.table, reason, actor))
        return effect
    if in_transit:
        _put_back(effect, slip, table)
    effect.house = dropped(house, slip)
    effect.tell(SlipVoided(slip.id, slip.table, reason, actor))
    return effect
