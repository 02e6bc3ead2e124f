"""Placing, changing and withdrawing wagers, until no more bets."""

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import check_bet, check_bets
from houseway.table import california, ledger
from houseway.table.bank import LISTED, begin_hand, check_seat, marker_seats
from houseway.table.bound import read_document
from houseway.table.commands import Command, command, whole
from houseway.table.engine import Effect, amount, edition_of, in_phase, nothing, open_table, prepared, text, unfolded
from houseway.table.events import BetPlaced, BetWithdrawn, MarkerDrawn, NoMoreBets, Ready, ToDraw
from houseway.table.fields import CENTS, DICE, FOR_DEALER, GUEST, SEAT, TABLE, WAGER
from houseway.table.play import go_on
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import House, Phase, Spot, Table, changed
from houseway.table.unfold import Draw
from houseway.table.washington import check_washington


def _check_table_limits(table: Table, wager: str, cents: int) -> None:
    least, most = table.limits.get(wager, (cents, cents))
    if not least <= cents <= most:
        posted = f"{dollars(least)} to {dollars(most)}"
        raise Refused("outside-limits", f"{wager}: {dollars(cents)} is outside this table's {posted}")


def _check_offered(table: Table, wager: str) -> None:
    if wager in read_document(table.document).wagers and wager not in table.offered:
        raise Refused("not-offered", f"{wager} is not offered at this table; offered: {', '.join(table.offered)}")


@command(
    "bet",
    PLAYERS,
    "Place or change a wager at a seat, until no more bets",
    TABLE,
    SEAT,
    GUEST,
    WAGER,
    CENTS,
    may=(FOR_DEALER,),
)
def _bet(house: House, command: Command, draw: Draw) -> Effect:
    table = open_table(house, command)
    edition, settings, _ = prepared(table)
    wager, cents, guest = text(command, "wager"), amount(command), text(command, "guest")
    seat = whole(command, "seat")
    if not 1 <= seat <= table.seats:
        raise Refused("bad-seat", f"seat {str(command['seat'])[:20]} is not at this table (seats 1 to {table.seats})")
    setting, allows, clause = edition.game.dealing.dealer_bets
    if command.get("for_dealer") and (not setting or settings[setting] != allows):
        raise Refused("no-dealer-bets", f"bets for the dealer are not allowed at this table ({clause})")
    late = wager in edition.game.dealing.late
    round_ = in_phase(table, Phase.DECIDING if late else Phase.BETTING)  # EZB-1, LLB-5, D4P-1: before the cards
    spot = round_.spots.get(seat, Spot(guest, {}))
    check_seat(table, seat, guest)
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-money", f"a guest bets his own money: {command.get('actor')} may not bet for {guest}")
    if late and (seat not in round_.spots or spot.choices or not unfolded(table).before_look):
        raise Refused("wrong-phase", f"{wager} is placed before the dealer looks and before the seat's first decision")
    _check_offered(table, wager)
    bets = dict(spot.bets) | {wager: cents}
    check_bet(edition, wager, cents, settings)
    _check_table_limits(table, wager, cents)
    if edition.approval.jurisdiction == "Washington":
        check_washington(edition, bets, str(command.get("day", "")))
    if table.bank is not None:
        if table.seated.get(seat) != guest:
            raise Refused(
                "not-seated", f"{guest} does not sit at seat {seat}: every player is offered the bank, so sit down first"
            )
        if guest == table.seated.get(table.bank.holder):
            raise Refused("bank-does-not-wager", f"{guest} banks: the bank does not wager, at no seat")
        california.check_bet(table.bank, seat)
    before = spot.bets.get(wager, 0)
    effect = Effect(house)
    effect.move(ledger.guest(guest), ledger.wagers(table.name), max(cents - before, 0), f"seat {seat} {wager}")
    effect.move(ledger.wagers(table.name), ledger.guest(guest), max(before - cents, 0), f"seat {seat} {wager} lowered")
    placed = changed(spot, bets=bets, held_cents=spot.held_cents + cents - before, ready=False)
    effect.table = changed(table, round=changed(round_, spots={**round_.spots, seat: placed}, unfolded=None))
    effect.tell(BetPlaced(seat, guest, wager, cents))
    if late:
        go_on(effect, effect.table, effect.table.round, draw if table.source == "virtual-shoe" else nothing)
    return effect


@command("withdraw", PLAYERS, "Take a wager back before no more bets", TABLE, SEAT, GUEST, WAGER)
def _withdraw(house: House, command: Command, draw: Draw) -> Effect:
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
    effect = Effect(house, changed(table, round=changed(round_, spots=spots)))
    effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), spot.bets[wager], f"seat {seat} {wager} withdrawn")
    effect.tell(BetWithdrawn(seat, wager))
    return effect


@command("ready", PLAYERS, "All bets at a seat are placed: the dealer need not wait", TABLE, SEAT, GUEST)
def _ready(house: House, command: Command, draw: Draw) -> Effect:
    """A guest has placed all bets at a seat: the dealer need not wait for him."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.BETTING)
    seat, guest = whole(command, "seat"), text(command, "guest")
    spot = round_.spots.get(seat)
    mine = command.get("role") != "guest" or command.get("actor") == guest
    if spot is None or spot.guest != guest or not mine:
        raise Refused("no-such-bet", f"there is no bet of {guest} at seat {seat}: place one first")
    effect = Effect(house, changed(table, round=changed(round_, spots={**round_.spots, seat: changed(spot, ready=True)})))
    effect.tell(Ready(seat))
    return effect


@command("no-more-bets", DEALERS, "Close the betting", TABLE, may=(DICE,))
def _no_more_bets(house: House, command: Command, draw: Draw) -> Effect:
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
    marker = marker_seats(table.settings, table.seats)
    sides = edition.game.dealing.dice_sides or marker
    dice = whole(command, "dice") if "dice" in command else round_.dice
    if marker and not dice:
        raise Refused("bad-dice", "the marker is not drawn yet: say where it stands (marker) while bets are open (R12)")
    if not (1 <= dice <= sides if sides else dice == 0):
        raise Refused("bad-dice", f"dice {dice}: " + (f"a number from 1 to {sides} is thrown" if sides else "none here"))
    effect = Effect(house)
    if table.shoe is not None and sides:
        table = changed(table, shoe=changed(table.shoe, thrown=table.shoe.thrown + 1))
    if table.bank is not None:
        table = begin_hand(effect, changed(table, round=changed(round_, dice=dice)), text(command, "at"))
    spots = {seat: _with_default_choice(edition, settings, spot) for seat, spot in table.round.spots.items()}
    drawer = next_drawer(table) if table.form >= LISTED else 0
    effect.table = changed(table, round=changed(table.round, phase=Phase.DEALING, dice=dice, spots=spots, drawer=drawer))
    deck = ("red", "blue")[round_.number % 2] if edition.game.dealing.decks_alternate else ""  # D4P-12
    if marker and table.form >= LISTED:
        _tell_marker(effect, dice, round_.dice)
    effect.tell(NoMoreBets(round_.number, 0 if marker and table.form >= LISTED else dice, deck))
    if drawer:
        effect.tell(ToDraw(drawer, spots[drawer].guest))
    return effect


def _tell_marker(effect: Effect, seat: int, keyed: int) -> None:
    """Where a virtual table drew the marker; one that was keyed is told of already."""
    if seat != keyed:
        effect.tell(MarkerDrawn(seat, keyed))


def next_drawer(table: Table) -> int:
    """EZB-2: the house's rule is that the players who have a wager draw in turn, clockwise; 0 where the dealer draws."""
    setting, value = edition_of(table).game.dealing.players_draw_if
    if not setting or table.settings[setting] != value:
        return 0
    seats = sorted(table.round.spots)
    return next((seat for seat in seats if seat > table.drew), seats[0] if seats else 0)


def _with_default_choice(edition: Edition, settings: Settings, spot: Spot) -> Spot:
    """A part of a wager that was not chosen with it is as the table's setting says."""
    missing = [setting for wager, setting in edition.game.dealing.with_bet.items() if wager in spot.bets]
    if not missing or spot.choices:
        return spot
    return changed(spot, choices=tuple(str(settings[setting]) for setting in missing))
