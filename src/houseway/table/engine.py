"""`handle(house, command) -> Outcome`: pure and deterministic; the cards it needs come from the source given to it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from houseway import ledger
from houseway.games import open_edition
from houseway.kernels.compiled import Ints
from houseway.ledger import CAGE, OUTSIDE, Transfer, balances_after
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value
from houseway.rulebook.settings import Settings
from houseway.table.commands import Command, check_fields, whole
from houseway.table.limits import check_washington
from houseway.table.state import Bank, House, Phase, Round, Spot, Table, changed
from houseway.table.unfold import Draw, Unfolded, unfold

ROLES = ("guest", "dealer", "supervisor", "cashier", "auditor", "administrator")


@dataclass
class Outcome:
    """What a command did: the new state of its table, what to tell, and the money it moved, all or nothing."""

    house: House
    table: Table | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)

    def say(self, kind: str, **details: Any) -> None:
        """Add an event."""
        self.events.append({"event": kind, **details})

    def move(self, source: str, target: str, cents: int, why: str) -> None:
        """Move money, if there is any to move."""
        if cents:
            self.transfers.append(Transfer(source, target, cents, why))

    def finished(self) -> House:
        """The house after the command; refused as a whole if an account would fall below zero."""
        balances = dict(self.house.balances) | balances_after(self.house.balances, self.transfers)
        tables = dict(self.house.tables)
        if self.table:
            tables[self.table.name] = self.table
        return House(tables, balances)


@lru_cache(maxsize=32)
def edition_of(name: str) -> Edition:
    """An edition, read once."""
    return open_edition(name)


@lru_cache(maxsize=256)
def _prepared(edition: str, settings: tuple[tuple[str, Value], ...]) -> tuple[Settings, Ints]:
    opened = edition_of(edition)
    chosen = Settings(settings)
    return chosen, opened.game.encode(chosen)


def prepared(table: Table) -> tuple[Edition, Settings, Ints]:
    """A table's edition and settings, as rules read them."""
    return edition_of(table.edition), *_prepared(table.edition, tuple(table.settings.items()))


def is_shuffled_every_round(table: Table) -> bool:
    """Whether each round has its own shuffle: one-deck games, and a continuous shuffler."""
    return edition_of(table.edition).game.dealing.fresh_deck or table.settings.get("shuffler") == "continuous"


def nothing() -> int | None:
    """A source that has no card to give."""
    return None


def unfolded(table: Table, draw: Draw = nothing) -> Unfolded:
    """A table's round, unfolded."""
    if table.round.phase == Phase.BETTING:
        return Unfolded([])
    if draw is nothing and table.round.unfolded is not None:
        remembered: Unfolded = table.round.unfolded
        return remembered
    edition, settings, encoded = prepared(table)
    return unfold(edition, settings, encoded, table.round, draw)


def text(command: Command, name: str) -> str:
    """A field that is a text."""
    return str(command[name])


def amount(command: Command, name: str = "cents") -> int:
    """A field that is an amount of cents."""
    if name not in command:
        raise Refused("bad-amount", f"{name} is needed: a positive whole number of cents")
    return int(command[name])


def open_table(house: House, command: Command) -> Table:
    """The open table a command is for."""
    name = text(command, "table")
    table = house.tables.get(name)
    if table is None or not table.is_open:
        one_of("table", name, [known.name for known in house.tables.values() if known.is_open])
        raise AssertionError
    return table


def in_phase(table: Table, *phases: Phase) -> Round:
    """The round, refused unless it stands in one of these phases."""
    if table.round.phase not in phases:
        wanted = " or ".join(phases)
        raise Refused("wrong-phase", f"round {table.round.number} is {table.round.phase}: this is possible while {wanted}")
    return table.round


def _open(house: House, command: Command, draw: Draw) -> Outcome:
    name = text(command, "table")
    if name in house.tables and house.tables[name].is_open:
        raise Refused("table-open", f"table {name} is open already")
    edition = edition_of(text(command, "edition"))
    settings = edition.settings(command.get("settings", {}))
    source = text(command, "source")
    if source in edition.refused_sources:
        raise Refused("source-refused", f"{source} is refused by {edition.refused_sources[source]} in {edition.id}")
    one_of("card source", source, edition.sources)
    seats = whole(command, "seats") if "seats" in command else min(7, edition.game.dealing.seats)
    if not 1 <= seats <= edition.game.dealing.seats:
        raise Refused(
            "bad-seats", f"{str(command['seats'])[:20]} seats are not possible (possible: 1 to {edition.game.dealing.seats})"
        )
    banked = edition.banked_by == "player"
    opener = 0 if banked else amount(command, "opener_cents")
    known = house.tables.get(name)
    table = Table(
        name=name,
        edition=edition.id,
        settings=dict(settings),
        source=source,
        seats=seats,
        opener_cents=opener,
        watch=one_of("watch", command.get("watch", "record"), ["record", "acknowledge"]),
        watch_cents=command.get("watch_cents", 300_000),
        decision_seconds=command.get("decision_seconds", 0),
        shoes_made=known.shoes_made if known else 0,
        limits=_table_limits(edition, command.get("limits", {})),
        bank=Bank(player_fee_cents=command.get("player_fee_cents", 0), bank_fee_cents=command.get("bank_fee_cents", 0))
        if banked
        else None,
    )
    outcome = Outcome(house, table)
    outcome.move(CAGE, ledger.tray(name), opener, "opener")
    outcome.say("table-opened", edition=edition.id, digest=edition.fingerprint.digest, opener_cents=opener)
    return outcome


def _table_limits(edition: Edition, given: Any) -> dict[str, tuple[int, int]]:
    """The table's own minimum and maximum for a wager; they may only narrow the edition's."""
    limits = {}
    for name, bounds in dict(given).items():
        terms = edition.wagers[one_of("wager", name, edition.wagers)].limits
        least, most = bounds
        if not terms.min_cents <= least <= most <= terms.max_cents:
            allowed = f"{terms.min_cents} to {terms.max_cents} cents ({terms.source})"
            raise Refused("bad-limits", f"{name}: {least} to {most} cents is not within {allowed}")
        limits[name] = (least, most)
    return limits


def _check_table_limits(table: Table, wager: str, cents: int) -> None:
    least, most = table.limits.get(wager, (cents, cents))
    if not least <= cents <= most:
        raise Refused("outside-limits", f"{wager}: {cents} cents is outside this table's {least} to {most} cents")


def _bet(house: House, command: Command, draw: Draw) -> Outcome:
    from houseway.settle import check_bets

    table = open_table(house, command)
    edition, settings, _ = prepared(table)
    wager, cents, guest = text(command, "wager"), amount(command), text(command, "guest")
    seat = whole(command, "seat")
    if not 1 <= seat <= table.seats:
        raise Refused("bad-seat", f"seat {str(command['seat'])[:20]} is not at this table (seats 1 to {table.seats})")
    if command.get("for_dealer") and settings.get("dealer-bets", "not-allowed") == "not-allowed":
        raise Refused("no-dealer-bets", "bets for the dealer are not allowed at this table (D4P-11)")
    late = wager in edition.game.dealing.late
    round_ = in_phase(table, Phase.DECIDING if late else Phase.BETTING)  # EZB-1, LLB-5, D4P-1: before the cards
    spot = round_.spots.get(seat, Spot(guest, {}))
    if spot.guest != guest:
        raise Refused("seat-taken", f"seat {seat} is {spot.guest}'s: bet at another seat")  # LLB-4
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-money", f"a guest bets his own money: {command.get('actor')} may not bet for {guest}")
    if late and (seat not in round_.spots or spot.choices):
        raise Refused("wrong-phase", f"{wager} is placed before the seat's first decision")
    bets = dict(spot.bets) | {wager: cents}
    check_bets(edition, {wager: cents} if not late else bets, {**settings, "R6b": "yes"})
    _check_table_limits(table, wager, cents)
    if edition.approval.jurisdiction == "Washington":
        check_washington(edition, bets, str(command.get("day", "")))
    if table.bank is not None and seat == table.bank.holder:
        raise Refused("bank-does-not-wager", f"seat {seat} banks: the bank does not wager")
    before = spot.bets.get(wager, 0)
    outcome = Outcome(house)
    outcome.move(ledger.guest(guest), ledger.wagers(table.name), max(cents - before, 0), f"seat {seat} {wager}")
    outcome.move(ledger.wagers(table.name), ledger.guest(guest), max(before - cents, 0), f"seat {seat} {wager} lowered")
    placed = changed(spot, bets=bets, held_cents=spot.held_cents + cents - before)
    outcome.table = changed(table, round=changed(round_, spots={**round_.spots, seat: placed}, unfolded=None))
    outcome.say("bet-placed", seat=seat, guest=guest, wager=wager, cents=cents)
    if late:
        from houseway.table.play import go_on

        go_on(outcome, outcome.table, outcome.table.round, draw if table.source == "virtual-shoe" else nothing)
    return outcome


def _withdraw(house: House, command: Command, draw: Draw) -> Outcome:
    table = open_table(house, command)
    round_ = in_phase(table, Phase.BETTING)
    seat, wager = whole(command, "seat"), text(command, "wager")
    spot = round_.spots.get(seat)
    owner = command.get("actor") if command.get("role") == "guest" else text(command, "guest")
    if spot is None or wager not in spot.bets or spot.guest != owner:
        raise Refused("no-such-bet", f"there is no {wager} bet of this guest at seat {seat}")
    bets = {name: cents for name, cents in spot.bets.items() if name != wager}
    spots = {s: other for s, other in round_.spots.items() if s != seat}
    if bets:
        choices = () if wager in prepared(table)[0].game.dealing.with_bet else spot.choices
        spots[seat] = changed(spot, bets=bets, held_cents=spot.held_cents - spot.bets[wager], choices=choices)
    outcome = Outcome(house, changed(table, round=changed(round_, spots=spots)))
    outcome.move(ledger.wagers(table.name), ledger.guest(spot.guest), spot.bets[wager], f"seat {seat} {wager} withdrawn")
    outcome.say("bet-withdrawn", seat=seat, wager=wager)
    return outcome


def _no_more_bets(house: House, command: Command, draw: Draw) -> Outcome:
    from houseway.settle import check_bets

    table = open_table(house, command)
    round_ = in_phase(table, Phase.BETTING)
    if not round_.spots:
        raise Refused("no-bets", "nobody has bet: no hand is dealt")
    edition, settings, _ = prepared(table)
    for seat, spot in round_.spots.items():
        try:
            check_bets(edition, spot.bets, settings)
        except Refused as refused:
            raise Refused(refused.code, f"seat {seat}: {refused.message}") from None
    marker = table.seats if table.settings.get("R12") == "from-marker" else 0
    sides = edition.game.dealing.dice_sides or marker
    dice = whole(command, "dice") if "dice" in command else 0
    if not (1 <= dice <= sides if sides else dice == 0):
        raise Refused("bad-dice", f"dice {dice}: " + (f"a number from 1 to {sides} is thrown" if sides else "none here"))
    outcome = Outcome(house)
    if table.bank is not None:
        from houseway.table.bank import begin_hand

        table = begin_hand(outcome, changed(table, round=changed(round_, dice=dice)))
    spots = {seat: _with_default_choice(edition, settings, spot) for seat, spot in table.round.spots.items()}
    outcome.table = changed(table, round=changed(table.round, phase=Phase.DEALING, dice=dice, spots=spots))
    deck = {"deck": ("red", "blue")[round_.number % 2]} if edition.game.dealing.decks_alternate else {}  # D4P-12
    outcome.say("no-more-bets", round=round_.number, dice=dice, **deck)
    return outcome


def _with_default_choice(edition: Edition, settings: Settings, spot: Spot) -> Spot:
    """A part of a wager that was not chosen with it is as the table's setting says."""
    missing = [setting for wager, setting in edition.game.dealing.with_bet.items() if wager in spot.bets]
    if not missing or spot.choices:
        return spot
    return changed(spot, choices=tuple(str(settings[setting]) for setting in missing))


Handler = Callable[[House, Command, Draw], Outcome]


def _cage(kind: str) -> Handler:
    """Money between the cage, a guest and the world outside."""

    def handler(house: House, command: Command, draw: Draw) -> Outcome:
        cents, outcome = amount(command), Outcome(house)
        if kind == "fund":
            outcome.move(OUTSIDE, CAGE, cents, "cage funded")
        elif kind == "buy-in":
            outcome.move(OUTSIDE, CAGE, cents, "cash for chips")
            outcome.move(CAGE, ledger.guest(text(command, "guest")), cents, "chips for cash")
        else:
            outcome.move(ledger.guest(text(command, "guest")), CAGE, cents, "chips cashed")
            outcome.move(CAGE, OUTSIDE, cents, "cash paid")
        outcome.say(kind, cents=cents, guest=command.get("guest", ""))
        return outcome

    return handler


def _table_money(kind: str) -> Handler:
    """Money between the cage, a table's tray and its box."""

    def handler(house: House, command: Command, draw: Draw) -> Outcome:
        table, cents = open_table(house, command), amount(command)
        tray, outcome = ledger.tray(table.name), Outcome(house)
        if kind == "fill":
            outcome.move(CAGE, tray, cents, "fill")
            outcome.table = changed(table, fills_cents=table.fills_cents + cents)
        elif kind == "credit":
            outcome.move(tray, CAGE, cents, "credit")
            outcome.table = changed(table, credits_cents=table.credits_cents + cents)
        elif kind == "table-buy-in":
            outcome.move(OUTSIDE, ledger.drop(table.name), cents, "cash into the box")
            outcome.move(tray, ledger.guest(text(command, "guest")), cents, "chips for cash")
        else:
            if command.get("role") == "guest" and command.get("actor") != text(command, "guest"):
                raise Refused("not-your-money", "a guest tips with his own money")
            outcome.move(ledger.guest(text(command, "guest")), ledger.tips(table.name), cents, "tip")
        outcome.say(kind, cents=cents, guest=command.get("guest", ""))
        return outcome

    return handler


def _drop(house: House, command: Command, draw: Draw) -> Outcome:
    """The box is pulled: its cash goes to the cage and counts towards the table's drop."""
    table = open_table(house, command)
    cents = house.balance(ledger.drop(table.name))
    outcome = Outcome(house, changed(table, dropped_cents=table.dropped_cents + cents))
    outcome.move(ledger.drop(table.name), CAGE, cents, "drop")
    outcome.say("drop", cents=cents)
    return outcome


def _closer(house: House, command: Command, draw: Draw) -> Outcome:
    """The tray is counted; a difference is told, and nothing moves."""
    table, counted = open_table(house, command), amount(command)
    expected = house.balance(ledger.tray(table.name))
    outcome = Outcome(house, table)
    outcome.say("closer", counted_cents=counted, expected_cents=expected, difference_cents=counted - expected)
    return outcome


def _close(house: House, command: Command, draw: Draw) -> Outcome:
    """Close a table and balance it: win = closer + credits + drop - opener - fills must be what the rounds say."""
    table = open_table(house, command)
    if in_phase(table, Phase.BETTING).spots:
        raise Refused("bets-on-table", "bets lie on the table: withdraw or settle them before closing")
    if table.bank is not None and table.bank.holder:
        raise Refused("bank-in-place", "a player banks: the table closes after the bank has ended")
    closer, dropped = house.balance(ledger.tray(table.name)), house.balance(ledger.drop(table.name))
    counted = command.get("closer_cents", closer)
    drop = table.dropped_cents + dropped
    win = closer + table.credits_cents + drop - table.opener_cents - table.fills_cents
    outcome = Outcome(house, changed(table, is_open=False))
    outcome.move(ledger.tray(table.name), CAGE, closer, "closer")
    outcome.move(ledger.drop(table.name), CAGE, dropped, "drop")
    collected = house.balance(ledger.collection(table.name))
    outcome.move(ledger.collection(table.name), CAGE, collected, "collection")
    outcome.say(
        "table-closed",
        closer_cents=closer,
        drop_cents=drop,
        win_cents=win,
        rounds_say_cents=table.win_cents,
        counted_cents=counted,
        balanced=win == table.win_cents and counted == closer,
    )
    return outcome


HANDLERS: dict[str, tuple[tuple[str, ...], Handler]] = {
    "open": (("supervisor", "administrator"), _open),
    "bet": (("guest", "dealer", "supervisor"), _bet),
    "withdraw": (("guest", "dealer", "supervisor"), _withdraw),
    "no-more-bets": (("dealer", "supervisor"), _no_more_bets),
    "fund": (("administrator",), _cage("fund")),
    "buy-in": (("cashier", "supervisor"), _cage("buy-in")),
    "cash-out": (("cashier", "supervisor"), _cage("cash-out")),
    "fill": (("cashier", "supervisor"), _table_money("fill")),
    "drop": (("cashier", "supervisor"), _drop),
    "closer": (("dealer", "cashier", "supervisor"), _closer),
    "credit": (("cashier", "supervisor"), _table_money("credit")),
    "table-buy-in": (("dealer", "supervisor"), _table_money("table-buy-in")),
    "tip": (("guest", "dealer"), _table_money("tip")),
    "close": (("supervisor", "administrator"), _close),
}


def handle(house: House, command: Command, role: str, draw: Draw) -> Outcome:
    """Carry out a command, or refuse it and change nothing. The floor has put the gaming day into it."""
    kind = command.get("kind")
    if not isinstance(kind, str) or kind not in HANDLERS:
        kind = one_of("command", str(kind), HANDLERS)
    roles, handler = HANDLERS[kind]
    if role not in roles:
        raise Refused("role-may-not", f"a {role} may not {kind} (may: {', '.join(roles)})")
    check_fields(kind, command)
    outcome = handler(house, command, draw)
    if outcome.table:
        outcome.table = changed(outcome.table, touched_at=str(command.get("at", "")))
    return outcome
