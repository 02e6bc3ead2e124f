"""California's dated rules of the player-dealer position, each a validator that a table may be opened with.

Enforcement of both was disputed, so a table has none of them unless the house says so.
"""

from datetime import datetime, timedelta

from houseway.refusal import Refused, one_of
from houseway.table.state import Bank, Tenure, changed

NOTICE_2016, RULES_2026 = "notice-2016", "rules-2026"
SINCE = {"none": "", NOTICE_2016: "2016-06-01", RULES_2026: "2026-04-01"}
"""From which day on a table can be bound by them."""
LONGEST, STOP = timedelta(minutes=60), timedelta(minutes=2)
"""Notice of 2016: nobody banks longer than this; then the game stops for so long."""
WINDOW, OTHERS = timedelta(minutes=40), 2
"""Rules of 2026: in every such window the position passes to so many players who are no proposition players."""


def rules_in_force(name: str, day: str) -> str:
    """The rules a table is opened with, refused before their day."""
    rules = one_of("bank rules", name, SINCE)
    if day < SINCE[rules]:
        raise Refused("not-in-force", f"{rules} is in force from {SINCE[rules]} on, and it is {day}")
    return rules


def check_sit(bank: Bank, proposition: bool) -> None:
    """Rules of 2026: one proposition player at a table."""
    if bank.rules == RULES_2026 and proposition and bank.proposition:
        raise Refused("one-proposition-player", f"seat {bank.proposition} is the table's proposition player: one at a table")


def check_bet(bank: Bank, seat: int) -> None:
    """Rules of 2026: a proposition player settles wagers only as the player-dealer."""
    if bank.rules == RULES_2026 and seat == bank.proposition:
        raise Refused("proposition-player", f"seat {seat} is a proposition player: he banks, or he has no wager")


def check_take(bank: Bank, seat: int, guest: str, at: str) -> None:
    """After a proposition player another one banks; after sixty minutes of one player the game stops."""
    last = bank.tenures[-1] if bank.tenures else None
    if last is None:
        return
    if bank.rules == RULES_2026 and last.proposition and seat == bank.proposition:
        raise Refused("rotation", "after a proposition player the next rotation goes to another player")
    if bank.rules == NOTICE_2016 and last.guest == guest and _minutes_banked(bank, guest, at) >= LONGEST:
        rests = _time(last.until) + STOP
        if _time(at) < rests:
            raise Refused("banked-too-long", f"{guest} has banked for 60 minutes: the game stops until {rests:%H:%M:%S} UTC")


def check_hand(bank: Bank, holder: str, at: str) -> None:
    """What must have happened before a hand is dealt."""
    if bank.rules == NOTICE_2016 and _minutes_banked(bank, holder, at) > LONGEST:
        raise Refused("banked-too-long", "nobody banks longer than 60 minutes: void the bets, and stop for two minutes")
    if bank.rules != RULES_2026:
        return
    if not bank.offered_to_all:
        raise Refused("not-offered", "before each hand the position is offered to every player: offer it")
    since = _time(at) - WINDOW
    others = {tenure.guest for tenure in bank.tenures if not tenure.proposition and _time(tenure.until or at) > since}
    if _time(bank.tenures[0].since) <= since and len(others) < OTHERS:
        wanted = f"at least {OTHERS} players other than the proposition player within 40 minutes"
        raise Refused("rotation-overdue", f"the position has passed to {len(others)} of {wanted}: the game ends")


def _time(at: str) -> datetime:
    return datetime.fromisoformat(at)


def _minutes_banked(bank: Bank, guest: str, at: str) -> timedelta:
    """How long a guest has banked in a row, stops shorter than two minutes included."""
    until = since = _time(bank.tenures[-1].until or at)
    for tenure in reversed(bank.tenures):
        if tenure.guest != guest or since - _time(tenure.until or at) >= STOP:
            break
        since = _time(tenure.since)
    return until - since


def begun(bank: Bank, seat: int, guest: str, at: str) -> tuple[Tenure, ...]:
    """The tenures with a new one; of the old, the first and those that still count."""
    since = _time(at) - LONGEST
    counted = [tenure for place, tenure in enumerate(bank.tenures) if not place or _time(tenure.until or at) > since]
    return (*counted, Tenure(guest, seat == bank.proposition, at))


def ended(bank: Bank, at: str) -> tuple[Tenure, ...]:
    """The tenures with the last one over."""
    return (*bank.tenures[:-1], changed(bank.tenures[-1], until=at))
