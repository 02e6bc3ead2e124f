"""A round for paper: dealt from a shuffle by a seed, decided, and settled by the code that settles at the tables."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.cards import show_cards
from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.parts import Limits, offered
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
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
Decide = Callable[[int, tuple[str, ...]], str]
"""What a seat says, of what it is allowed; nothing where it did something else first."""


@dataclass(frozen=True)
class ExampleRound:
    """A round that is complete, the table as it was just before the settlement, and how it is settled."""

    table: Table
    settled: Settled


class ExampleTable:
    """One table of a house in which one name does everything."""

    def __init__(self, edition: Edition, day: str) -> None:
        self.edition, self.day, self.house = edition, day, House(duties=Duties(ONE))

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.house.tables[NAME]

    def do(self, kind: str, role: str, **fields: Any) -> None:
        """Give a command to the house."""
        at = f"{self.day}T12:00:00+00:00"
        bound = {"bound": {"document": as_text(self.edition.document)}} if kind in BINDING else {}
        command = {"kind": kind, **fields, **context(at, self.day, "house", role, FORM), **bound}
        self.house = handle(self.house, command, role, lambda: None).finished()

    def at_table(self, kind: str, role: str = "dealer", **fields: Any) -> None:
        """Give a command to the table."""
        self.do(kind, role, table=NAME, **fields)

    def open(self, settings: Mapping[str, Value], seated: int, **fields: Any) -> None:
        """Open the table for cards that are keyed in, and seat guests with chips at the first seats."""
        edition = self.edition
        self.do("fund", "administrator", cents=2 * TRAY_CENTS)
        opener: dict[str, Any] = {} if edition.banked_by == "player" else {"opener_cents": TRAY_CENTS}
        source = HAND_KEYED if HAND_KEYED in edition.sources else edition.sources[0]
        chosen = {name: value for name, value in settings.items() if name in edition.approved}
        self.at_table("open", "supervisor", edition=edition.id, source=source, settings=chosen, **opener, **fields)
        for seat in range(1, min(seated, self.table.seats) + 1):
            self.do("buy-in", "cashier", guest=f"Guest {seat}", cents=CHIPS_CENTS)
            self.at_table("sit", seat=seat, guest=f"Guest {seat}")

    def close_bets(self, drawn: random.Random) -> None:
        """No more bets: where the table has a marker or dice, they are drawn."""
        if markers := marker_seats(self.table.settings, self.table.seats):
            self.at_table("marker", seat=drawn.randint(1, markers))
        sides = self.edition.game.dealing.dice_sides
        thrown: dict[str, Any] = {"dice": drawn.randint(1, sides)} if sides else {}
        self.at_table("no-more-bets", **thrown)

    def play_out(self, shoe: list[int], decide: Decide | None = None) -> list[Table]:
        """Key cards as they are asked for, and decide, until nothing is missing; the table before each card and each choice."""
        moments: list[Table] = []
        for _ in range(STEPS_MOST):
            if self.table.round.phase == Phase.READY:
                return moments
            moments.append(self.table)
            seen = unfolded(self.table)
            if seen.to_act:
                seat, allowed = next(iter(seen.to_act.items()))
                if choice := (decide or self._usual)(seat, allowed):
                    self.at_table("decide", seat=seat, choice=choice, guest=self.table.round.spots[seat].guest)
            else:
                self.at_table("card", cards=show_cards([shoe.pop()]))
        raise Refused("no-example", f"{self.edition.name}: a round by way of example does not come to an end")

    def _usual(self, seat: int, allowed: tuple[str, ...]) -> str:
        """What a seat does that says nothing."""
        usual = self.edition.game.dealing.default_choice
        return usual if usual in allowed else allowed[0]

    def settled(self, bank_cents: int) -> ExampleRound:
        """The round, which is complete, and how it is settled."""
        return ExampleRound(self.table, settled_as(self.table, self.day, bank_cents))


def example_round(asked: AskedReport, limits: Limits, seed: int = SEED) -> ExampleRound:
    """A round of a few seats under these settings; refused where no table could be opened with them."""
    edition, drawn = asked.edition, random.Random(seed)
    played = ExampleTable(edition, asked.date)
    played.open(asked.settings, SEATS + (edition.banked_by == "player"))
    betting = list(played.table.seated)
    if (bank := played.table.bank) is not None:
        banker = bank.offered
        played.at_table("bank", seat=banker, guest=f"Guest {banker}", cents=BANK_CENTS)
        betting.remove(banker)
    for place, seat in enumerate(betting):
        for wager in _bets(asked, place):
            least, most = limits[wager]
            cents = min(max(least, USUAL_CENTS), most)
            played.at_table("bet", seat=seat, guest=f"Guest {seat}", wager=wager, cents=cents)
    played.close_bets(drawn)
    shoe = shoe_cards(edition, asked.settings)
    drawn.shuffle(shoe)
    played.play_out(shoe)
    return played.settled(BANK_CENTS if bank is not None else 0)


def shoe_cards(edition: Edition, settings: Settings) -> list[int]:
    """All cards of a fresh shoe."""
    return [card for card, copies in enumerate(edition.game.shoe(settings)) for _ in range(copies)]


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
