"""A round for paper: dealt from a shuffle by a seed, decided, and settled by the code that settles at the tables."""

import random
from dataclasses import dataclass
from typing import Any

from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.parts import Limits, offered
from houseway.rulebook.edition import Edition
from houseway.table import House, Phase, Table, handle
from houseway.table.bank import marker_seats
from houseway.table.bound import BINDING, as_text
from houseway.table.duties import ONE
from houseway.table.engine import unfolded
from houseway.table.event import FORM
from houseway.table.fold import context
from houseway.table.play import settled_as
from houseway.table.state import Duties, Settled

SEED, SEATS = 7, 3
USUAL_CENTS, CHIPS_CENTS, TRAY_CENTS, BANK_CENTS = 1_000, 10_000_000, 100_000_000, 1_000_000
STEPS_MOST = 200
NAME = "example"
HAND_KEYED = "hand-keyed"


@dataclass(frozen=True)
class ExampleRound:
    """A round that is complete, the table as it was just before the settlement, and how it is settled."""

    table: Table
    settled: Settled


class _ExampleTable:
    """One table of a house in which one name does everything."""

    def __init__(self, edition: Edition, day: str) -> None:
        self.edition, self.day, self.house = edition, day, House(duties=Duties(ONE))

    @property
    def table(self) -> Table:
        return self.house.tables[NAME]

    def do(self, kind: str, role: str, **fields: Any) -> None:
        at = f"{self.day}T12:00:00+00:00"
        bound = {"bound": {"document": as_text(self.edition.document)}} if kind in BINDING else {}
        command = {"kind": kind, **fields, **context(at, self.day, "house", role, FORM), **bound}
        self.house = handle(self.house, command, role, lambda: None).finished()

    def at_table(self, kind: str, role: str = "dealer", **fields: Any) -> None:
        self.do(kind, role, table=NAME, **fields)


def example_round(asked: AskedReport, limits: Limits, seed: int = SEED) -> ExampleRound:
    """A round of a few seats under these settings; refused where no table could be opened with them."""
    edition, drawn = asked.edition, random.Random(seed)
    played = _ExampleTable(edition, asked.date)
    played.do("fund", "administrator", cents=2 * TRAY_CENTS)
    opener: dict[str, Any] = {} if edition.banked_by == "player" else {"opener_cents": TRAY_CENTS}
    source = HAND_KEYED if HAND_KEYED in edition.sources else edition.sources[0]
    settings = {name: value for name, value in asked.settings.items() if name in edition.approved}
    played.at_table("open", "supervisor", edition=edition.id, source=source, settings=settings, **opener)
    seats = range(1, min(SEATS + (edition.banked_by == "player"), played.table.seats) + 1)
    for seat in seats:
        played.do("buy-in", "cashier", guest=f"Guest {seat}", cents=CHIPS_CENTS)
        played.at_table("sit", seat=seat, guest=f"Guest {seat}")
    betting = list(seats)
    if (bank := played.table.bank) is not None:
        banker = bank.offered
        played.at_table("bank", seat=banker, guest=f"Guest {banker}", cents=BANK_CENTS)
        betting.remove(banker)
    for place, seat in enumerate(betting):
        for wager in _bets(asked, place):
            least, most = limits[wager]
            cents = min(max(least, USUAL_CENTS), most)
            played.at_table("bet", seat=seat, guest=f"Guest {seat}", wager=wager, cents=cents)
    if markers := marker_seats(played.table.settings, played.table.seats):
        played.at_table("marker", seat=drawn.randint(1, markers))
    sides = edition.game.dealing.dice_sides
    thrown: dict[str, Any] = {"dice": drawn.randint(1, sides)} if sides else {}
    played.at_table("no-more-bets", **thrown)
    shoe = [card for card, copies in enumerate(edition.game.shoe(asked.settings)) for _ in range(copies)]
    drawn.shuffle(shoe)
    _play_out(played, shoe)
    return ExampleRound(played.table, settled_as(played.table, asked.date, BANK_CENTS if bank is not None else 0))


def _bets(asked: AskedReport, place: int) -> list[str]:
    """What a seat bets: a base wager, and one other in turn with what it needs."""
    wagers = {name: wager for name, wager in offered(asked).items() if not wager.follows}
    late = asked.edition.game.dealing.late
    bases = [name for name, wager in wagers.items() if wager.counts_as == "base" and not wager.needed(asked.settings)]
    others = [name for name in wagers if name not in bases and name not in late]
    chosen = [bases[place % len(bases)]] if bases else []
    if others:
        other = others[place % len(others)]
        needed = wagers[other].needed(asked.settings)
        chosen = [*([needed] if needed and needed not in chosen else []), *chosen, other]
    return chosen


def _play_out(played: _ExampleTable, shoe: list[int]) -> None:
    """Key cards as they are asked for, and decide as a seat does that says nothing, until nothing is missing."""
    dealing = played.edition.game.dealing
    for _ in range(STEPS_MOST):
        if played.table.round.phase == Phase.READY:
            return
        seen = unfolded(played.table)
        if seen.to_act:
            seat, allowed = next(iter(seen.to_act.items()))
            usual = dealing.default_choice
            choice = usual if usual in allowed else allowed[0]
            played.at_table("decide", seat=seat, choice=choice, guest=played.table.round.spots[seat].guest)
        else:
            played.at_table("card", cards=show_cards([shoe.pop()]))
    raise Refused("no-example", f"{played.edition.name}: a round by way of example does not come to an end")
