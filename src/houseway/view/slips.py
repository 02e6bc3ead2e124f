"""Slips, counts and pieces, as those see them who sign: of a blind count nobody is shown a figure before it is done."""

from collections.abc import Iterable, Mapping
from typing import Any

from houseway.money import COLOURS, dollars
from houseway.refusal import Refused
from houseway.table import House, ledger
from houseway.table.counts import NOTES
from houseway.table.engine import OPENER_DUE
from houseway.table.entry import Entry
from houseway.table.house_rules import OPERATOR
from houseway.table.pieces import COIN, Pieces, as_written, chips_of, in_notes, in_pieces, pieces_at, worth
from houseway.table.roles import DEALERS, SEES
from houseway.table.slips import BACK, BLIND, DROP, INVENTORY, ROWS, SLIP_NAMES, check_signer, next_step, row_of, who_signs
from houseway.table.state import Slip, Table
from houseway.view.reader import Json, Reader
from houseway.view.words import NOTICE_REASONS


def slips_view(house: House, reader: Reader) -> Json:
    """Every open slip, what it waits for and whether that is for this reader; notices; trays and what they should hold."""
    return {
        "chips": [chip_view(value) for value in chips_of(house)],
        "notes": [{"cents": note, "name": dollars(note)} for note in NOTES.of(house)],
        "slips": [slip_view(house, slip, reader) for slip in house.slips.values()],
        "notices": [
            {
                "number": notice.number,
                "table": notice.table,
                "until": notice.until,
                "words": f"tell the commission of a difference of {dollars(notice.cents)} at {notice.table}"
                f" ({NOTICE_REASONS.get(notice.why, notice.why)})",
            }
            for notice in house.notices.values()
        ],
        "trays": [tray_view(house, name, reader) for name in house.tables] if chips_of(house) else [],
        "cage": _cage_view(house) if reader.role in SEES["cage"] and chips_of(house) else None,
    }


def chip_view(value: int) -> Json:
    """A chip: its value, and what a dealer calls it."""
    return {"cents": value, "name": dollars(value), "colour": COLOURS.get(value, "")}


def pieces_view(pieces: Pieces, kind: str = "") -> Json:
    """Pieces with their worth and words; of which kind of slip they are, if of one: a box holds notes."""
    return {"pieces": as_written(pieces), "cents": worth(pieces), "words": _counted(pieces, kind)}


def _counted(pieces: Pieces, kind: str) -> str:
    return in_notes(pieces) if kind == DROP else in_pieces(pieces)


def _cage_view(house: House) -> Json:
    """The chips in the cage and, beside them, its cash."""
    held = pieces_at(house, ledger.CAGE)
    chips, cash = {value: count for value, count in held.items() if value != COIN}, held.get(COIN, 0)
    return pieces_view(held) | {"words": f"{in_pieces(chips)}, and {dollars(cash)} in cash"}


def counts_boxes(house: House, role: str) -> bool:
    """Whether somebody may be asked to count a box, and so is not shown what is in it, nor what that follows from."""
    return bool(chips_of(house)) and role not in SEES["drop"]


def is_counted_now(house: House, name: str) -> bool:
    """Whether a table's tray is being counted: until both counts are there nobody is shown what it should hold."""
    due = house.tables[name].tray_count == OPENER_DUE
    return due or any((slip.kind, slip.table) == (INVENTORY, name) for slip in house.slips.values())


def check_counted(house: House, role: str, day: str, today: str) -> None:
    """Refuse the books of a day to whoever may be asked to count what is in them, until that is counted."""
    boxes = [box for box, since in house.uncounted.items() if since <= day] if counts_boxes(house, role) else []
    if boxes:
        named = ", ".join(ledger.in_words(box) for box in boxes)
        then = "whoever may be asked to count it sees no figure of that day before"
        raise Refused("count-first", f"{named} is not counted yet: {then}; an auditor or the administrator does")
    trays = [name for name in house.tables if is_counted_now(house, name)] if role in DEALERS and day >= today else []
    if trays and chips_of(house):
        then = "whoever may be asked to count sees no figure of today before it is done"
        raise Refused("count-first", f"the tray of {', '.join(trays)} is being counted: {then}; an auditor does")


def tray_view(house: House, name: str, reader: Reader) -> Json:
    """A table's tray: whoever counts it, or its box, is not shown what it should hold."""
    table, tray, par = house.tables[name], pieces_at(house, ledger.tray(name)), house.pars.get(name)
    counting = is_counted_now(house, name)
    below = {value: count - tray.get(value, 0) for value, count in par.pieces.items()} if par else {}
    low = bool(par) and any(tray.get(value, 0) < count for value, count in par.low.items()) if par else False
    wanted = {value: count for value, count in below.items() if count > 0} if low else {}
    return {
        "table": name,
        "is_open": table.is_open,
        "banked_by_players": table.bank is not None,
        "count": "opener" if table.tray_count == OPENER_DUE else "closer",
        "counting": counting,
        "tray": pieces_view(tray) if reader.role in SEES["tray"] and not counting else None,
        "par": pieces_view(par.pieces) if par else None,
        "wanted": pieces_view(wanted) if wanted and reader.role in SEES["tray"] and not counting else None,
    }


def wanted_at_table(house: House, table: Table, reader: Reader) -> list[str]:
    """What a table's tray and slips want of whoever works there, in sentences."""
    tray = tray_view(house, table.name, reader)
    said = []
    if table.tray_count == OPENER_DUE:
        said.append("The opener is to be counted by the dealer and a supervisor before anybody bets.")
    if tray["wanted"]:
        said.append(f"The tray runs low: a fill of {tray['wanted']['words']} is wanted.")
    here = (slip for slip in house.slips.values() if slip.table == table.name)
    return said + [f"{slip.id} waits for {waits_for(slip)}." for slip in here]


def slip_view(house: House, slip: Slip, reader: Reader) -> Json:
    """An open slip: its row of signatures, and the step that comes next."""
    step = next_step(slip)
    shown = not is_blind_yet(slip)
    known = [{"step": each.step, "name": each.name, "role": each.role, "at": each.at} for each in slip.signed]
    return {
        "id": slip.id,
        "kind": slip.kind,
        "number": slip.number,
        "name": SLIP_NAMES[slip.kind],
        "table": slip.table,
        "day": slip.day,
        "opened_at": slip.opened_at,
        "purpose": slip.purpose,
        "owner": slip.owner,
        "pieces": pieces_view(slip.pieces, slip.kind) if shown else None,
        "cents": slip.cents if shown else None,
        "signed": known,
        "steps": [{"id": each.id, "about": each.about, "roles": list(each.roles)} for each in row_of(slip)],
        "void": slip.void,
        "next": {"id": step.id, "about": step.about, "counts": step.counts, "of": "notes" if slip.kind == DROP else "chips"},
        "waits_for": waits_for(slip),
        "yours": slip.kind != INVENTORY and may_sign(house, slip, reader),
        "words": slip_words(slip, shown),
    }


def waits_for(slip: Slip) -> str:
    """Who signs next, and what he says with it."""
    step = next_step(slip)
    if slip.kind == INVENTORY:
        return "the dealer on the table and a supervisor, who count the tray" if not slip.signed else "the other count"
    return f"{who_signs(step)}, who {step.about}"


def may_sign(house: House, slip: Slip, reader: Reader) -> bool:
    """Whether the next step is for this reader."""
    try:
        check_signer(house, slip, next_step(slip), {"actor": reader.name, "role": reader.role})
    except Refused:
        return False
    return True


def slip_words(slip: Slip, shown: bool = True) -> str:
    """What a slip is for, in a line."""
    name = f"{SLIP_NAMES[slip.kind]} of {slip.table}" + (f", {slip.purpose}" if slip.purpose else "")
    if not shown:
        return name
    what = f": {_counted(slip.pieces, slip.kind)}" if slip.pieces else ""
    return f"{'VOID: ' if slip.void else ''}{name}{what} ({dollars(slip.cents)})"


def is_blind_yet(slip: Slip) -> bool:
    """Whether an open slip is of a count that is not done: nobody is shown a figure of it."""
    return slip.kind in BLIND and not (slip.owner or slip.cents)


def without_counts(house: House, entry: Entry) -> Mapping[str, Any]:
    """The data of an entry without what was counted, as long as anybody still counts for the same slip: a first
    count that was not the same as the second is as much worth knowing as one that waits for it."""
    command = entry.data.get("command")
    if entry.kind not in {"count-tray", "sign-slip"} or not isinstance(command, dict) or "pieces" not in command:
        return entry.data
    told = [event["slip"] for event in entry.data.get("events", ()) if "slip" in event]
    if any(is_blind_yet(house.slips[slip]) for slip in told if slip in house.slips):
        return entry.data | {"command": {name: value for name, value in command.items() if name != "pieces"}}
    return entry.data


SLIP_KINDS = ("request-fill", "request-credit", "count-tray", "pull-box", "sign-slip", "void-slip")
"""The commands whose entries tell of slips."""
COPIES = ("Original", "Duplicate", "Triplicate")


def slip_told(house: House, entries: Iterable[Entry], id_: str) -> Json:
    """A slip from its first entry to its last, open, finished or void: what stands on its copies."""
    kind = id_.rpartition("-")[0]
    told: Json = {"id": id_, "status": "", "signed": [], "pieces": None, "cents": None, "reason": "", "owner": ""}
    about = {step.id: step.about for step in (*ROWS.get(kind, ()), *BACK.get(kind, ()))}
    for entry in entries:
        for event in entry.data.get("events", ()):
            if event.get("slip") != id_:
                continue
            what = event["event"]
            if what == "slip-opened":
                told |= {
                    "status": "open",
                    "table": event["table"],
                    "day": entry.day,
                    "purpose": event["purpose"],
                    "at": entry.at,
                    "owner": event["owner"],
                }
                told |= _amount(event, kind) if event["pieces"] or event["cents"] else {}
                first = ROWS[kind][0] if entry.kind in {"request-fill", "request-credit", "pull-box"} else None
                told["signed"] += [_put_down(entry, first.id, first.about)] if first else []
            elif what in {"slip-signed", "count-taken"}:
                step = str(event.get("step", "counted"))
                told["signed"].append(_put_down(entry, step, about.get(step, f"has counted the {event.get('purpose', '')}")))
            elif what == "counts-differ":
                told["signed"].append(_put_down(entry, "counted again", "the counts were not the same"))
            elif what == "box-counted":
                told |= {"owner": event["owner"], "difference_cents": event["difference_cents"]}
                told |= _amount({"pieces": event["notes"], "cents": event["counted_cents"]}, kind)
            elif what == "tray-agreed":
                told |= {"difference_cents": event["difference_cents"]}
            elif what == "slip-done":
                told |= {"status": "finished"} | _amount(event, kind)
            elif what in {"slip-recalled", "slip-voided"}:
                told |= {"status": "void", "reason": event["reason"], "voided_by": event["signer"]}
    if not told["status"]:
        made = house.slips_made.get(kind, 0)
        has = f"{kind} slips are numbered from 1 to {made}" if made else f"there are {', '.join(SLIP_NAMES)} slips"
        raise Refused("unknown-slip", f"no slip {id_[:40]} was opened here ({has})")
    known = {"kind": kind, "name": SLIP_NAMES[kind], "operator": OPERATOR.of(house), "copies": list(COPIES)}
    return told | known


def _amount(event: Mapping[str, Any], kind: str) -> Json:
    pieces = {int(value): count for value, count in event["pieces"].items()}
    return {"pieces": pieces_view(pieces, kind), "cents": event["cents"]}


def _put_down(entry: Entry, step: str, about: str) -> Json:
    return {"step": step, "about": about, "name": entry.actor, "role": entry.role, "at": entry.at}
