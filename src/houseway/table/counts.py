"""Counts: trays when a table opens and closes, and boxes; by two who do not see each other's figures, nor what is expected."""

from datetime import datetime, timedelta

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.table import ledger
from houseway.table.commands import Command, command, whole
from houseway.table.duties import are_two, is_among
from houseway.table.engine import AFTERWARDS, OPENER_DUE, Effect, in_phase, open_table, text
from houseway.table.fields import NOTICE, PIECES, REASON, TABLE
from houseway.table.house_events import Dropped
from houseway.table.house_rules import amount_rule, house_rule, number_rule
from houseway.table.ledger import CAGE
from houseway.table.piece_events import (
    BoxCounted,
    BoxPulled,
    CountsDiffer,
    CountTaken,
    NoticeDue,
    NoticeSent,
    PiecesSetRight,
    TrayAgreed,
)
from houseway.table.pieces import COIN, Pieces, as_written, pieces_at, read_chips, read_pieces, without, worth
from houseway.table.roles import DEALERS, NOTIFIERS, SECURITY
from houseway.table.slips import (
    COUNTED,
    DOES,
    DROP,
    ERROR,
    INVENTORY,
    ROWS,
    done,
    dropped,
    kept,
    needs_chips,
    next_step,
    opened,
    signature,
    signed,
)
from houseway.table.state import House, Notice, Phase, Slip, Table, changed
from houseway.table.unfold import Draw

COUNTED_CLOSER = "closer"
"""That a tray's closer is counted, and the table may close."""
NOTICE_HOURS = 24
NOTES = house_rule(
    "notes",
    "the notes that a box is counted by, in dollars",
    "1 2 5 10 20 50 100",
    "the value of each note in dollars with spaces between",
    read_chips,
)
NOTICE_FROM = amount_rule(
    "notice from", "from which difference of a tray on the commission is told within 24 hours (230-15-495)", 20_000
)
PATTERN = number_rule("shortages", "how many shortages of a table make a pattern, of which the commission is told", 3, 2, 100)
PATTERN_DAYS = number_rule("shortage days", "in how many days those shortages fall", 7, 1, 366)


# The tray


@command("count-tray", DEALERS, "Count a table's tray by denomination: the dealer and a supervisor, each alone", TABLE, PIECES)
def _count_tray(house: House, command: Command, draw: Draw) -> Effect:
    """The opener until that is counted, and from then on the closer."""
    needs_chips(house)
    table, counted = open_table(house, command), read_pieces(house, command["pieces"])
    if in_phase(table, Phase.BETTING).spots:
        raise Refused("bets-on-table", "bets lie on the table: the tray is counted when they are settled or withdrawn")
    purpose = "opener" if table.tray_count == OPENER_DUE else "closer"
    held = pieces_at(house, ledger.tray(table.name))
    effect = Effect(house, table)
    slip = next((each for each in house.slips.values() if (each.kind, each.table) == (INVENTORY, table.name)), None)
    if slip is None:
        about = {"day": str(command.get("day", "")), "opened_at": str(command.get("at", "")), "purpose": purpose}
        slip = opened(house, effect, Slip(INVENTORY, 0, table.name, pieces=held, **about))  # type: ignore[arg-type]
    elif slip.pieces != held and slip.counts:  # chips moved meanwhile: what was counted was another tray
        effect.tell(CountsDiffer(slip.id, table.name, purpose))
        slip = changed(slip, signed=(), counts=())
    slip = changed(slip, pieces=held)
    _check_counter(house, table, slip, command)
    step = next_step(slip)
    effect.tell(CountTaken(slip.id, table.name, purpose, str(command.get("actor"))))
    slip = changed(slip, signed=(*slip.signed, signature(command, step)), counts=(*slip.counts, counted))
    if len(slip.counts) < 2:
        effect.house = kept(effect.house, slip)
        return effect
    if slip.counts[0] != slip.counts[1]:
        effect.tell(CountsDiffer(slip.id, table.name, purpose))
        effect.house = kept(effect.house, changed(slip, signed=(), counts=()))
        return effect
    return _agreed(effect, table, slip, counted, command)


def _check_counter(house: House, table: Table, slip: Slip, command: Command) -> None:
    """One of the two is the dealer on the table, and the other a supervisor."""
    name, role = str(command.get("actor")), str(command.get("role"))
    if not _deals(house, table, name, role) and role != "supervisor":
        who = f"{table.dealer} is" if table.dealer else "nobody is"
        raise Refused("not-on-table", f"the dealer on {table.name} counts ({who}), and a supervisor")
    for first in slip.signed:
        if is_among(name, {first.name}):
            raise Refused("signed-already", f"{name} has counted {slip.id}: somebody else counts now")
        if _deals(house, table, first.name, first.role) == _deals(house, table, name, role):
            other = "a supervisor" if _deals(house, table, name, role) else f"the dealer on {table.name}"
            raise Refused("wrong-signature", f"{first.name} has counted {slip.id}: now {other} counts")


def _deals(house: House, table: Table, name: str, role: str) -> bool:
    return table.dealer == name if are_two(house) and table.dealer else role == "dealer"


def _agreed(effect: Effect, table: Table, slip: Slip, counted: Pieces, command: Command) -> Effect:
    """Both counts are the same: they are what the tray holds, and what the books say otherwise is a difference."""
    held, tray, differs = slip.pieces, ledger.tray(table.name), ledger.difference(table.name)
    more = without(counted, held)
    found = {value: count for value, count in more.items() if count > 0}
    lost = {value: -count for value, count in more.items() if count < 0}
    effect.move(tray, differs, worth(lost), f"{slip.id} missing", lost)
    effect.move(differs, tray, worth(found), f"{slip.id} too much", found)
    off = worth(counted) - worth(held)
    done_slip = changed(slip, pieces=counted, cents=worth(counted), counts=())
    effect.house = dropped(effect.house, slip)
    effect.tell(TrayAgreed(slip.id, table.name, slip.purpose, as_written(counted), worth(counted), worth(held), off))
    effect.tell(done(done_slip))
    opener = {"opener_cents": worth(counted), "tray_count": ""} if slip.purpose == "opener" else {"tray_count": COUNTED_CLOSER}
    effect.table = changed(table, counted=counted, **opener)
    if more and not off:
        effect.tell(PiecesSetRight(slip.id, table.name, as_written(lost), as_written(found)))
    if off:
        _tell_error(effect, table, slip, off, command)
    return effect


def _tell_error(effect: Effect, table: Table, slip: Slip, off: int, command: Command) -> None:
    """An error slip and, from an amount on or as a pattern of shortages, a notice."""
    day, at = str(command.get("day", "")), str(command.get("at", ""))
    owner = next(each.name for each in slip.signed if each.role == "supervisor")
    opened(effect.house, effect, Slip(ERROR, 0, table.name, day, at, cents=off, purpose=slip.purpose, owner=owner))
    house, why = effect.house, ""
    if off < 0:
        since = (datetime.fromisoformat(day) - timedelta(days=PATTERN_DAYS.of(house) - 1)).date().isoformat()
        days = (*(each for each in house.shortages.get(table.name, ()) if each >= since), day)
        why = "pattern" if len(days) >= PATTERN.of(house) else ""
        effect.house = house = changed(house, shortages={**house.shortages, table.name: days})
    why = "amount" if abs(off) >= NOTICE_FROM.of(house) else why
    if why:
        number = house.notices_made + 1
        until = (datetime.fromisoformat(at) + timedelta(hours=NOTICE_HOURS)).isoformat(timespec="microseconds")
        notice = Notice(number, table.name, day, at, until, off, why)
        effect.house = changed(house, notices={**house.notices, number: notice}, notices_made=number)
        effect.tell(NoticeDue(number, table.name, off, why, until))


@command(
    "notice-sent",
    NOTIFIERS,
    "Record that the commission was told of a difference, and how",
    NOTICE,
    REASON,
    path="/notices/sent",
    shell="slips notice-sent",
)
def _notice_sent(house: House, command: Command, draw: Draw) -> Effect:
    number = whole(command, "notice")
    if number not in house.notices:
        one_of("notice", str(number), [str(each) for each in house.notices])
    notice = house.notices[number]
    effect = Effect(changed(house, notices={n: each for n, each in house.notices.items() if n != number}))
    effect.tell(NoticeSent(number, notice.table, notice.cents, text(command, "reason")))
    return effect


# Boxes


@command("pull-box", SECURITY, "Pull a table's box: opens its slip, which one who deals there signs next", TABLE)
def _pull_box(house: House, command: Command, draw: Draw) -> Effect:
    """Also of a table that has closed: its box stays until it is pulled."""
    needs_chips(house)
    table = house.tables[one_of("table", text(command, "table"), house.tables)]
    waiting = next(
        (each for each in house.slips.values() if (each.kind, each.table, len(each.signed)) == (DROP, table.name, 1)), None
    )
    if waiting:
        raise Refused("slip-open", f"{waiting.id} is open: the box of {table.name} is being pulled")
    effect = Effect(house, table if table.is_open else None)
    about = {"day": str(command.get("day", "")), "opened_at": str(command.get("at", ""))}
    opened(house, effect, Slip(DROP, 0, table.name, signed=(signature(command, ROWS[DROP][0]),), **about))  # type: ignore[arg-type]
    return effect


def _pulled(effect: Effect, slip: Slip, table: Table | None) -> None:
    assert table is not None
    cents = effect.house.balance(ledger.drop(slip.table))
    effect.move(ledger.drop(slip.table), ledger.box(slip.id), cents, slip.id)
    if table.is_open:
        effect.table = changed(table, dropped_cents=table.dropped_cents + cents)
    waiting = dict(effect.house.uncounted)
    waiting[ledger.box(slip.id)] = waiting.pop(ledger.drop(slip.table), slip.day)
    effect.house = changed(effect.house, uncounted=waiting)
    effect.tell(BoxPulled(slip.id, slip.table))


DOES[DROP, "pulled-with"] = _pulled


def _fed(effect: Effect, before: House, command: Command) -> None:
    """Remember since which day there is cash in a box that nobody has counted."""
    if command.get("kind") != "table-buy-in" or not before.pieces:
        return
    box, day = ledger.drop(text(command, "table")), str(command.get("day", ""))
    effect.house = changed(effect.house, uncounted={box: day, **effect.house.uncounted})


AFTERWARDS.append(_fed)


def _count_box(house: House, command: Command, slip: Slip, counted: Pieces) -> Effect:
    """The first and the second count, and the cage's: each must come to the same before anybody sees a figure."""
    step, notes = next_step(slip), NOTES.of(house)
    for value in counted:
        if value != COIN and value not in notes:
            known = ", ".join(dollars(note) for note in reversed(notes))
            raise Refused("unknown-note", f"there is no note of {dollars(value)} (notes: {known}, and coins)")
    effect = signed(house, command, slip, step)
    after = changed(effect.house.slips[slip.id], counts=(*slip.counts, counted))
    effect.house = kept(effect.house, after)
    if any(count != counted for count in slip.counts):
        received = next(place for place, each in enumerate(ROWS[DROP]) if each.id == "first-count")
        effect.house = kept(house, changed(after, signed=slip.signed[:received], counts=()))
        effect.tell(CountsDiffer(slip.id, slip.table, step.id))
        return effect
    if step.id == "recounted":
        _book(effect, after, counted)
    return effect


def _book(effect: Effect, slip: Slip, counted: Pieces) -> None:
    """What three have counted goes to the cage; what the buy-ins say otherwise is a difference, which has an owner."""
    box, differs = ledger.box(slip.id), ledger.difference(slip.table)
    cents, expected = worth(counted), effect.house.balance(box)
    effect.move(box, CAGE, min(cents, expected), slip.id)
    effect.move(box, differs, max(expected - cents, 0), f"{slip.id} missing")
    effect.move(differs, CAGE, max(cents - expected, 0), f"{slip.id} too much", {COIN: max(cents - expected, 0)})
    owner = next(each.name for each in slip.signed if each.step == "pulled-with")
    booked = changed(slip, pieces=counted, cents=cents, counts=(), owner=owner if cents != expected else "")
    waiting = {each: since for each, since in effect.house.uncounted.items() if each != box}
    effect.house = changed(kept(effect.house, booked), uncounted=waiting)
    effect.tell(Dropped(cents))
    effect.tell(BoxCounted(slip.id, slip.table, slip.day, as_written(counted), cents, expected, cents - expected, booked.owner))


COUNTED[DROP] = _count_box


def check_closable(house: House, table: Table) -> None:
    """Refuse to close a table whose tray is not counted as it is now, or which has slips that are not finished."""
    tray = pieces_at(house, ledger.tray(table.name))
    waiting = [each.id for each in house.slips.values() if each.table == table.name and each.kind not in {ERROR, DROP}]
    if waiting:
        raise Refused("slips-open", f"{', '.join(waiting)} of {table.name} is open: finish it, or void it")
    if tray and (table.tray_count != COUNTED_CLOSER or table.counted != tray):
        moved = "has changed since it was counted" if table.tray_count == COUNTED_CLOSER else "is not counted"
        raise Refused("count-first", f"the tray of {table.name} {moved}: the dealer and a supervisor count it (count-tray)")
