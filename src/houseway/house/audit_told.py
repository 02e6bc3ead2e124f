"""What an entry tells of payments is what it moves: worked out from its events alone, without the code that settles."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.money import dollars
from houseway.table import ledger
from houseway.table.entry import Entry
from houseway.table.ledger import Transfer

PAID, PAID_AGAIN, TAKEN_BACK, BANK_ENDED = "paid", "paid-again", "payment-reversed", "bank-ended"
TOLD = {PAID, PAID_AGAIN, TAKEN_BACK}
SETTLING, CORRECTING = (" taken", " returned", " paid"), (" settled again", " reversed")
"""How the reasons of transfers end that take and pay stakes, and that correct this."""
FOR_THE_DEALER = "for the dealer"
Moved = tuple[str, str, int]
Recorded = list[str | int]
"""A transfer as an entry has it."""


class ToldMoney(Check):
    """Every stake that an entry tells of was taken, returned and paid as told, and nothing else was."""

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Compare the events of an entry with its transfers."""
        events = [event for event in entry.data.get("events", ()) if event["event"] in TOLD]
        return _compared(walk, entry, events) if events or entry.kind == "settle" else ()


def _compared(walk: AuditWalk, entry: Entry, events: list[Mapping[str, Any]]) -> Iterator[Flaw]:
    yield from _settled(walk, entry, [event for event in events if event["event"] == PAID])
    if entry.kind == "correct" or any(event["event"] != PAID for event in events):
        yield from _corrected(entry, [event for event in events if event["event"] != PAID])


def _settled(walk: AuditWalk, entry: Entry, events: Iterable[Mapping[str, Any]]) -> Iterator[Flaw]:
    """Stakes that are settled, each in its turn; a settlement moves no other money but a bank's that goes back."""
    table = walk.state.tables.get(entry.table)
    bank = table.bank if table else None
    purse = ledger.bank(entry.table) if bank and entry.kind == "settle" else ledger.tray(entry.table)
    left = [transfer for transfer in entry.data.get("transfers", ()) if entry.kind == "settle" or _settles(transfer)]
    for event in events:
        if table and not bank and event.get("owed_cents", event["win_cents"]) != event["win_cents"]:
            yield Flaw(
                entry.seq, f"it tells {_in_words(event)}, and that {_owed(event)} was due, with no bank that falls short"
            )
        for wanted in _moves(event, entry.table, purse):
            if (moved := _taken_out(left, wanted)) is None:
                yield Flaw(entry.seq, f"it tells {_in_words(event)}, and does not move {_transfer(wanted)} for it")
            else:
                left.remove(moved)
    for event in entry.data.get("events", ()):
        if event["event"] == BANK_ENDED and table is not None:
            returned = ledger.bank(entry.table), ledger.guest(table.seated.get(event["seat"], "")), event["cents"]
            left = [transfer for transfer in left if tuple(transfer[:3]) != returned]
    yield from (Flaw(entry.seq, f"it moves {Transfer.from_data(each)}, and tells nothing of it") for each in left)


def _corrected(entry: Entry, events: Iterable[Mapping[str, Any]]) -> Iterator[Flaw]:
    """Stakes of a settled round that are reversed and settled again; whoever paid them pays or gets the difference."""
    left = [transfer for transfer in entry.transfers if entry.kind == "correct" and transfer.why.endswith(CORRECTING)]
    for event in events:
        win = event["win_cents"] if event["event"] == PAID_AGAIN else -event["win_cents"]
        is_tip = _is_for_dealer(event) and event["win_cents"] > 0
        winner = ledger.tips(entry.table) if is_tip else ledger.guest(event["guest"])
        moved = next((t for t in left if t.cents == abs(win) and winner == (t.target if win > 0 else t.source)), None)
        if moved is not None:
            left.remove(moved)
        elif win and not _is_the_banks(entry, winner):
            yield Flaw(entry.seq, f"it tells {_in_words(event)}, and does not move {dollars(abs(win))} for it")
    yield from (Flaw(entry.seq, f"it moves {transfer}, and tells nothing of it") for transfer in left)


def _is_the_banks(entry: Entry, account: str) -> bool:
    """Whether who banked then owns this purse: what he would pay himself is not moved."""
    return account == ledger.guest(json.loads(entry.data["settled"])["banker"])


def _moves(event: Mapping[str, Any], table: str, purse: str) -> list[Moved]:
    """What a stake that is settled so moves."""
    guest, win, felt = ledger.guest(event["guest"]), event["win_cents"], ledger.wagers(table)
    winner = ledger.tips(table) if _is_for_dealer(event) else guest
    moves = ((felt, purse, -win), (felt, guest, event["stake_cents"] + min(win, 0)), (purse, winner, win))
    return [move for move in moves if move[2] > 0]


def _is_for_dealer(event: Mapping[str, Any]) -> bool:
    return str(event.get("spot", "")).endswith(FOR_THE_DEALER)


def _settles(transfer: Recorded) -> bool:
    """Whether a transfer says of itself that it takes or pays a stake; one that reverses that says so."""
    why = str(transfer[3])
    return why.startswith("round ") and why.endswith(SETTLING)


def _taken_out(transfers: list[Recorded], wanted: Moved) -> Recorded | None:
    for transfer in transfers:
        if tuple(transfer[:3]) == wanted:
            return transfer
    return None


def _transfer(moved: Moved) -> str:
    source, target, cents = moved
    return f"{dollars(cents)} from {ledger.in_words(source)} to {ledger.in_words(target)}"


def _owed(event: Mapping[str, Any]) -> str:
    return dollars(event["owed_cents"])


def _in_words(event: Mapping[str, Any]) -> str:
    win = event["win_cents"]
    came = f"won {dollars(win)}" if win > 0 else f"lost {dollars(-win)}" if win < 0 else "got the stake back"
    again = {PAID_AGAIN: "after all ", TAKEN_BACK: "not "}.get(event["event"], "")
    return f"that {event['guest']} {again}{came} on {event['wager']}"
