"""The demo house: tables of every game with play money, and a croupier who deals when the guests are ready."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from houseway.games import open_edition, readable_editions
from houseway.house.clock import steady_seconds
from houseway.house.floor import Actor
from houseway.refusal import Refused
from houseway.rulebook.face import DemoTable
from houseway.rulebook.settle import check_bets
from houseway.table import Phase, Table, ledger, unfolded
from houseway.table.bank import is_used_up
from houseway.table.engine import prepared
from houseway.table.guests import CASH_WATCHED, NEVER
from houseway.web.served import ServedHouse

log = logging.getLogger("houseway.demo")
CROUPIER, CAGE, FLOOR = Actor("croupier", "dealer"), Actor("demo cage", "cashier"), Actor("demo floor", "supervisor")
OFFICE = Actor("demo office", "administrator")
MARCO = "Marco (house player)"
"""Somebody to bank and to bet at the player-banked table, so that a newcomer is never alone there."""
CHIPS_CENTS, CAGE_CENTS, OPENER_CENTS = 100_000, 10_000_000_000, 50_000_000
MARCO_BANKS_CENTS = 200_000
BETTING_SECONDS, OFFER_SECONDS, DECISION_SECONDS, PAUSE_SECONDS = 30.0, 20.0, 30, 1.0
"""The betting lasts so long from the first bet."""
REFILL_BELOW_CENTS = 10_000


def demo_tables() -> dict[str, DemoTable]:
    """The tables that the games' faces name, by name; a game that names none has one of its first edition."""
    ordered: list[tuple[int, DemoTable]] = []
    editions, _ = readable_editions()
    for game in {edition.game.id: edition.game for edition in editions}.values():
        ours = [edition for edition in editions if edition.game.id == game.id]
        offered = [edition.id for edition in ours]
        named = [table for table in game.face.demo.tables if table.edition in offered]
        default = DemoTable(f"{game.face.title} 1", offered[0], ours[0].usual_seats)
        ordered += [(game.face.demo.order, table) for table in named or [default]]
    tables: dict[str, DemoTable] = {}
    for _, table in sorted(ordered, key=lambda item: item[0]):
        tables[table.name if table.name not in tables else table.edition] = table
    return tables


class Demo:
    """Opens the tables, gives newcomers chips, and runs the rounds."""

    def __init__(self, house: ServedHouse, seconds: Callable[[], float] = steady_seconds) -> None:
        self.house, self.seconds, self.tables = house, seconds, demo_tables()
        self._since: dict[str, tuple[str, float]] = {}

    def set_up(self) -> None:
        """Open what is not open yet; may be repeated, and by several processes at once."""
        self._do({"kind": "fund", "cents": CAGE_CENTS}, OFFICE, "demo-fund")
        if CASH_WATCHED.name not in self.house.state.rules:  # play money is no cash
            self._do({"kind": "house-rule", "rule": CASH_WATCHED.name, "value": NEVER}, OFFICE, "demo-cash-lines")
        for name, table in self.tables.items():
            if name in self.house.state.tables:
                continue
            command: dict[str, object] = {"kind": "open", "table": name, "edition": table.edition, "source": "virtual-shoe"}
            command |= {"seats": table.seats, "decision_seconds": DECISION_SECONDS}
            if open_edition(table.edition).banked_by == "player":
                command |= {"player_fee_cents": 100, "bank_fee_cents": 200}
            else:
                command |= {"opener_cents": OPENER_CENTS}
            self._do(command, FLOOR, f"demo-open-{name}")
        self._do({"kind": "buy-in", "guest": MARCO, "cents": 50_000_000}, CAGE, "demo-marco")
        for name, opened in self.house.state.tables.items():
            if opened.bank is not None and name in self.tables and MARCO not in opened.seated.values():
                sits = {"kind": "sit", "table": name, "seat": opened.seats, "guest": MARCO}
                self._do(sits, CROUPIER, f"demo-marco-sits-{name}")

    def welcome(self, guest: str) -> None:
        """Play money for a newcomer, or for somebody who comes back with little."""
        held = self.house.state.balance(ledger.guest(guest))
        if held < REFILL_BELOW_CENTS:
            self.house.do({"kind": "buy-in", "guest": guest, "cents": CHIPS_CENTS}, CAGE)

    def farewell(self, guest: str) -> None:
        """A guest who leaves takes bets not dealt on, seats and chips along; a hand that is dealt is finished without him."""
        for table in self.house.state.tables.values():
            for seat, spot in table.round.spots.items():
                if spot.guest == guest and table.round.phase == Phase.BETTING:
                    for wager in spot.bets:
                        self._do(
                            {"kind": "withdraw", "table": table.name, "seat": seat, "guest": guest, "wager": wager}, CROUPIER
                        )
            for seat, seated in table.seated.items():
                if seated == guest:
                    self._do({"kind": "leave", "table": table.name, "seat": seat, "guest": guest}, CROUPIER)
        if cents := self.house.state.balance(ledger.guest(guest)):
            self._do({"kind": "cash-out", "guest": guest, "cents": cents}, CAGE)

    def refill(self, guest: str) -> None:
        """More play money, for those who have little left."""
        if self.house.state.balance(ledger.guest(guest)) >= REFILL_BELOW_CENTS:
            raise Refused("enough-chips", f"more play money is given below ${REFILL_BELOW_CENTS // 100}")
        self.welcome(guest)

    def say_ready(self, name: str, guest: str) -> None:
        """A guest has placed all bets: when all have, the croupier deals."""
        table = self._demo_table(name)
        if table.round.phase != Phase.BETTING or guest not in {spot.guest for spot in table.round.spots.values()}:
            raise Refused("no-bets", "place a bet first")
        for seat, spot in table.round.spots.items():
            if spot.guest == guest:
                self.house.do({"kind": "ready", "table": name, "seat": seat, "guest": guest}, Actor(guest, "guest"))

    def _demo_table(self, name: str) -> Table:
        if name not in self.tables:
            raise Refused("no-croupier", f"{name} has a dealer of its own: wait for him")
        return self.house.state.tables[name]

    def _do(self, command: dict[str, object], actor: Actor, key: str = "") -> bool:
        try:
            self.house.do(command, actor, key)
        except Refused as refused:
            log.debug("%s: %s", command.get("kind"), refused.message)
            return False
        return True

    # The croupier

    def run(self, stopped: threading.Event) -> None:
        """Look at every table four times a second."""
        while not stopped.wait(0.25):
            for name in self.tables:
                try:
                    table = self.house.state.tables.get(name)
                    if table is not None and table.is_open:
                        self._tend(table)
                except Exception as error:
                    if not self.house.is_out(error):
                        log.exception("the croupier of %s stumbled", name)

    def _tend(self, table: Table) -> None:
        """One thing that is due at a table. The key makes it happen once, whichever process does it."""
        phase, waited = table.round.phase, self._waited(table)
        key = f"croupier-{table.name}-{table.shoes_made}-{table.round.number}-{phase}-{len(table.round.drawn)}"[:80]
        if phase == Phase.BETTING:
            self._tend_bets(table, waited)
        elif phase == Phase.DEALING:
            self._do({"kind": "deal", "table": table.name}, CROUPIER, key)
        elif phase == Phase.DECIDING and waited > timedelta(seconds=table.decision_seconds):
            for seat in unfolded(table).to_act:
                if self._do({"kind": "time-out", "table": table.name, "seat": seat}, CROUPIER):
                    return
        elif phase == Phase.READY and waited > timedelta(seconds=PAUSE_SECONDS):
            self._do({"kind": "settle", "table": table.name}, CROUPIER, key)

    def _waited(self, table: Table) -> timedelta:
        """How long a table has been as it is, by a clock that nobody sets, since we first saw it so."""
        touched, since = self._since.get(table.name, ("", 0.0))
        if touched != table.touched_at:
            since = self.seconds()
            self._since[table.name] = table.touched_at, since
        return timedelta(seconds=self.seconds() - since)

    def _tend_bets(self, table: Table, waited: timedelta) -> None:
        """Close the betting when all who bet are ready, or have had their time."""
        if table.bank is not None and not self._tend_bank(table, waited):
            return
        bettors = {spot.guest for spot in table.round.spots.values()} - {MARCO}
        ready = all(spot.ready for spot in table.round.spots.values() if spot.guest != MARCO)
        if table.round.spots and (ready or waited > timedelta(seconds=BETTING_SECONDS)):
            if table.bank is not None and not bettors and table.seated.get(table.bank.holder) == MARCO:
                return
            key = f"croupier-{table.name}-{table.shoes_made}-{table.round.number}-closed"[:80]
            closed = self._do({"kind": "no-more-bets", "table": table.name}, CROUPIER, key)
            if not closed and waited > timedelta(seconds=BETTING_SECONDS):
                self._return_incomplete(table)

    def _return_incomplete(self, table: Table) -> None:
        """A bonus bet whose main bet never came goes back, so that the others need not wait."""
        edition, settings, _ = prepared(table)
        for seat, spot in table.round.spots.items():
            try:
                check_bets(edition, spot.bets, settings)
            except Refused:
                for wager in spot.bets:
                    bet = {"table": table.name, "seat": seat, "guest": spot.guest, "wager": wager}
                    self._do({"kind": "withdraw", **bet}, CROUPIER)

    def _tend_bank(self, table: Table, waited: timedelta) -> bool:
        """Marco banks when it is offered to him and somebody is there to play, and bets against others' banks."""
        assert table.bank is not None
        guests = set(table.seated.values()) - {MARCO}
        marcos = next((seat for seat, guest in table.seated.items() if guest == MARCO), 0)
        if not guests or not marcos:
            return False
        seated = {"table": table.name, "seat": marcos, "guest": MARCO}
        if not table.bank.holder or is_used_up(self.house.state, table):
            offered = table.bank.holder or table.bank.offered
            if offered == marcos:
                self._do({"kind": "bank", **seated, "cents": MARCO_BANKS_CENTS}, CROUPIER)
            elif waited > timedelta(seconds=OFFER_SECONDS):
                guest = table.seated.get(offered, "")
                self._do({"kind": "pass", "table": table.name, "seat": offered, "guest": guest}, CROUPIER)
            return False
        if table.bank.holder != marcos and marcos not in table.round.spots:
            for wager, cents in prepared(table)[0].house_player_bets().items():
                if not self._do({"kind": "bet", **seated, "wager": wager, "cents": cents}, CROUPIER):
                    return False
        return True
