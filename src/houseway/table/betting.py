"""Placing, changing and withdrawing wagers, until no more bets."""

from collections.abc import Mapping

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import check_bet, check_bets
from houseway.table import california, ledger
from houseway.table.bank import LISTED, begin_hand, check_seat, marker_seats
from houseway.table.bound import read_document
from houseway.table.commands import Command, command, whole
from houseway.table.engine import (
    Effect,
    amount,
    check_cards_checked,
    check_shoe,
    decks_alternate,
    edition_of,
    in_phase,
    nothing,
    open_table,
    prepared,
    text,
    unfolded,
)
from houseway.table.events import (
    BetPlaced,
    BetWithdrawn,
    DealerBetPlaced,
    DealerBetWithdrawn,
    MarkerDrawn,
    NoMoreBets,
    Ready,
    ToDraw,
)
from houseway.table.fields import BETS, CENTS, DICE, FOR_DEALER, GUEST, SEAT, TABLE, WAGER
from houseway.table.play import go_on
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import House, Phase, Round, Spot, Table, changed
from houseway.table.unfold import Draw
from houseway.table.washington import check_washington


def _check_table_limits(table: Table, wager: str, cents: int) -> None:
    least, most = table.limits.get(wager, (cents, cents))
    if not least <= cents <= most:
        name, posted = edition_of(table).name_of(wager), f"{dollars(least)} to {dollars(most)}"
        raise Refused("outside-limits", f"{name}: {dollars(cents)} is outside this table's {posted}")


def check_wager(table: Table, bets: Mapping[str, int], wager: str, day: str) -> None:
    """Refuse a wager that this table does not offer, or outside the limits of edition, table and law with a seat's others."""
    edition, settings, _ = prepared(table)
    _check_offered(table, wager)
    check_bet(edition, wager, bets[wager], settings)
    _check_table_limits(table, wager, bets[wager])
    if edition.approval.jurisdiction == "Washington":
        check_washington(edition, bets, day)


def check_all_bets(table: Table, bets: Mapping[str, int], day: str) -> None:
    """Refuse bets that a seat could not have placed."""
    for wager in bets:
        check_wager(table, bets, wager, day)
    check_needed_bets(table, bets)


def check_needed_bets(table: Table, bets: Mapping[str, int]) -> None:
    """Refuse a wager without the one that it needs; those that come later, such as insurance, stand by themselves."""
    edition, settings, _ = prepared(table)
    if bets:
        check_bets(edition, {name: cents for name, cents in bets.items() if name not in edition.game.dealing.late}, settings)


def _check_offered(table: Table, wager: str) -> None:
    edition = read_document(table.document)
    if wager in edition.wagers and wager not in table.offered:
        offered = edition.to_type(table.offered)
        raise Refused("not-offered", f"{edition.name_of(wager)} is not offered at this table; offered: {offered}")


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
    several="bets",
)
def _bet(house: House, command: Command, draw: Draw) -> Effect:
    return _place(house, command, [(text(command, "wager"), amount(command))], draw)


@command(
    "bets",
    PLAYERS,
    "Place or change several wagers at a seat, all of them or none",
    TABLE,
    SEAT,
    GUEST,
    BETS,
    may=(FOR_DEALER,),
)
def _bets(house: House, command: Command, draw: Draw) -> Effect:
    pairs = [(str(wager), int(cents)) for wager, cents in command["bets"]]
    if not pairs or len({wager for wager, _ in pairs}) < len(pairs):
        raise Refused("bad-bet", "name at least one wager, and none twice")
    return _place(house, command, pairs, draw)


def _place(house: House, command: Command, pairs: list[tuple[str, int]], draw: Draw) -> Effect:
    """Place wagers at a seat, all of them or none."""
    table = open_table(house, command)
    edition, settings, _ = prepared(table)
    guest, seat = text(command, "guest"), whole(command, "seat")
    if not 1 <= seat <= table.seats:
        raise Refused("bad-seat", f"seat {str(command['seat'])[:20]} is not at this table (seats 1 to {table.seats})")
    for_dealer = bool(command.get("for_dealer"))
    if for_dealer and not takes_dealer_bets(table):
        clause = edition.game.dealing.dealer_bets.clause
        raise Refused("no-dealer-bets", f"bets for the dealer are not allowed at this table ({clause})")
    late = any(wager in edition.game.dealing.late for wager, _ in pairs)
    round_ = in_phase(table, Phase.DECIDING if late else Phase.BETTING)  # EZB-1, LLB-5, D4P-1: before the cards
    if not late:
        check_shoe(table)
    spot = round_.spots.get(seat, Spot(guest, {}))
    check_seat(table, seat, guest)
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-money", f"a guest bets his own money: {command.get('actor')} may not bet for {guest}")
    if late and (seat not in round_.spots or spot.choices or not unfolded(table).before_look):
        names = ", ".join(edition.name_of(wager) for wager, _ in pairs)
        raise Refused("wrong-phase", f"{names} is placed before the dealer looks and before the seat's first decision")
    if table.bank is not None:
        _check_against_bank(table, seat, guest)
    effect, bets = Effect(house), dict(spot.bets)
    if for_dealer and settings.get(edition.game.dealing.dealer_bets.wins) == "dealers":
        for wager, cents in pairs:
            check_wager(table, bets | {wager: cents}, wager, str(command.get("day", "")))
        return _bet_for_dealer(house, table, seat, spot, pairs)
    for wager, cents in pairs:
        before = bets.get(wager, 0)
        bets[wager] = cents
        check_wager(table, bets, wager, str(command.get("day", "")))
        effect.move(ledger.guest(guest), ledger.wagers(table.name), max(cents - before, 0), f"seat {seat} {wager}")
        effect.move(ledger.wagers(table.name), ledger.guest(guest), max(before - cents, 0), f"seat {seat} {wager} lowered")
        effect.tell(BetPlaced(seat, guest, wager, cents))
    held = spot.held_cents + sum(bets.values()) - sum(spot.bets.values())
    placed = changed(spot, bets=bets, held_cents=held, ready=False)
    effect.table = changed(table, round=changed(round_, spots={**round_.spots, seat: placed}, unfolded=None))
    if late:
        go_on(effect, effect.table, effect.table.round, draw if table.source == "virtual-shoe" else nothing)
    return effect


def _check_against_bank(table: Table, seat: int, guest: str) -> None:
    """Refuse a bet of the bank, or of somebody who is not offered it."""
    assert table.bank is not None
    if table.seated.get(seat) != guest:
        raise Refused("not-seated", f"{guest} does not sit at seat {seat}: every player is offered the bank, so sit down first")
    if guest == table.seated.get(table.bank.holder):
        raise Refused("bank-does-not-wager", f"{guest} banks: the bank does not wager, at no seat")
    california.check_bet(table.bank, seat)


def takes_dealer_bets(table: Table) -> bool:
    """D4P-11: whether the house allows bets for the dealers at this table."""
    edition, settings, _ = prepared(table)
    bets = edition.game.dealing.dealer_bets
    return bets.setting != "" and settings[bets.setting] == bets.allowed


def _bet_for_dealer(house: House, table: Table, seat: int, spot: Spot, pairs: list[tuple[str, int]]) -> Effect:
    """D4P-11: a bet for the dealers is a wager of its own, beside the guest's on the same spot."""
    round_ = in_phase(table, Phase.BETTING)
    effect, guest, felt = Effect(house), ledger.guest(spot.guest), ledger.wagers(table.name)
    for wager, cents in pairs:
        if wager not in spot.bets:
            own = edition_of(table).name_of(wager)
            raise Refused("bad-bet", f"a bet for the dealer lies beside the guest's own: bet {own} first")
        before = spot.for_dealer.get(wager, 0)
        effect.move(guest, felt, max(cents - before, 0), f"seat {seat} {wager} for the dealer")
        effect.move(felt, guest, max(before - cents, 0), f"seat {seat} {wager} for the dealer lowered")
        effect.tell(DealerBetPlaced(seat, spot.guest, wager, cents))
    for_dealer = {**spot.for_dealer, **dict(pairs)}
    held = spot.held_cents + sum(for_dealer.values()) - sum(spot.for_dealer.values())
    effect.table = _with_spot(table, round_, seat, changed(spot, for_dealer=for_dealer, held_cents=held, ready=False))
    return effect


def with_dealer_bets(table: Table, spot: Spot, bets: Mapping[str, int], day: str) -> Spot:
    """D4P-11: a spot with these bets for the dealers beside the guest's own."""
    edition, settings, _ = prepared(table)
    dealing = edition.game.dealing
    if bets and not (takes_dealer_bets(table) and settings.get(dealing.dealer_bets.wins) == "dealers"):
        raise Refused("no-dealer-bets", f"no bet for the dealers lies by itself at this table ({dealing.dealer_bets.clause})")
    for wager, cents in bets.items():
        if wager not in spot.bets:
            raise Refused("bad-bet", f"a bet for the dealer lies beside the guest's own: there is no {edition.name_of(wager)}")
        check_wager(table, {**spot.bets, wager: cents}, wager, day)
    return changed(spot, for_dealer=dict(bets))


def _with_spot(table: Table, round_: Round, seat: int, spot: Spot) -> Table:
    return changed(table, round=changed(round_, spots={**round_.spots, seat: spot}, unfolded=None))


def _withdraw_from_dealer(effect: Effect, table: Table, seat: int, spot: Spot, wager: str) -> Spot:
    """Take back a bet for the dealers: by itself, or because the bet it lay beside is gone."""
    cents = spot.for_dealer[wager]
    effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), cents, f"seat {seat} {wager} for the dealer withdrawn")
    effect.tell(DealerBetWithdrawn(seat, wager))
    left = {name: bet for name, bet in spot.for_dealer.items() if name != wager}
    return changed(spot, for_dealer=left, held_cents=spot.held_cents - cents)


@command("withdraw", PLAYERS, "Take a wager back before no more bets", TABLE, SEAT, GUEST, WAGER, may=(FOR_DEALER,))
def _withdraw(house: House, command: Command, draw: Draw) -> Effect:
    table = open_table(house, command)
    round_ = in_phase(table, Phase.BETTING)
    seat, wager = whole(command, "seat"), text(command, "wager")
    spot = round_.spots.get(seat)
    owner = command.get("actor") if command.get("role") == "guest" else text(command, "guest")
    name = edition_of(table).name_of(wager)
    if spot is None or wager not in spot.bets or spot.guest != owner:
        raise Refused("no-such-bet", f"there is no {name} bet of this guest at seat {seat}")
    effect = Effect(house)
    if command.get("for_dealer"):
        if wager not in spot.for_dealer:
            raise Refused("no-such-bet", f"there is no {name} bet for the dealer at seat {seat}")
        effect.table = _with_spot(table, round_, seat, _withdraw_from_dealer(effect, table, seat, spot, wager))
        return effect
    bets = {name: cents for name, cents in spot.bets.items() if name != wager}
    spots = {s: other for s, other in round_.spots.items() if s != seat}
    if bets:
        choices = () if wager in prepared(table)[0].game.dealing.with_bet else spot.choices
        spots[seat] = changed(spot, bets=bets, held_cents=spot.held_cents - spot.bets[wager], choices=choices)
    effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), spot.bets[wager], f"seat {seat} {wager} withdrawn")
    effect.tell(BetWithdrawn(seat, wager))
    if wager in spot.for_dealer:
        without = _withdraw_from_dealer(effect, table, seat, spots.get(seat, spot), wager)
        spots |= {seat: without} if bets else {}
    effect.table = changed(table, round=changed(round_, spots=spots))
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
    check_cards_checked(table)
    check_shoe(table)
    edition, settings, _ = prepared(table)
    for seat, spot in round_.spots.items():
        try:
            check_bets(edition, spot.bets, settings)
        except Refused as refused:
            raise Refused(refused.code, f"seat {seat}: {refused.message}") from None
    marker = marker_seats(table.settings, table.seats)
    dice = whole(command, "dice") if "dice" in command else round_.dice
    if marker and not dice:
        raise Refused("bad-dice", "the marker is not drawn yet: say where it stands (marker) while bets are open (R12)")
    check_dice(table, dice)
    effect = Effect(house)
    if table.shoe is not None and thrown_from(table):
        table = changed(table, shoe=changed(table.shoe, thrown=table.shoe.thrown + 1))
    if table.bank is not None:
        table = begin_hand(effect, changed(table, round=changed(round_, dice=dice)), text(command, "at"))
    spots = {seat: _with_default_choice(edition, settings, spot) for seat, spot in table.round.spots.items()}
    drawer = next_drawer(table) if table.form >= LISTED else 0
    effect.table = changed(table, round=changed(table.round, phase=Phase.DEALING, dice=dice, spots=spots, drawer=drawer))
    deck = ("red", "blue")[round_.number % 2] if decks_alternate(table) else ""
    if marker and table.form >= LISTED:
        _tell_marker(effect, dice, round_.dice)
    effect.tell(NoMoreBets(round_.number, 0 if marker and table.form >= LISTED else dice, deck))
    if drawer:
        effect.tell(ToDraw(drawer, spots[drawer].guest))
    return effect


def thrown_from(table: Table) -> int:
    """How many sides the dice of a round have, or seats its marker; 0 where nothing is thrown."""
    return edition_of(table).game.dealing.dice_sides or marker_seats(table.settings, table.seats)


def check_dice(table: Table, dice: int) -> None:
    """Refuse a number that cannot be thrown."""
    sides = thrown_from(table)
    if sides and not 1 <= dice <= sides:
        given = f"dice {dice}" if dice else "the dice are not keyed"
        raise Refused("bad-dice", f"{given}: a number from 1 to {sides} is thrown")
    if dice and not sides:
        raise Refused("bad-dice", f"dice {dice}: nothing is thrown at this table")


def with_bets(table: Table, spot: Spot, bets: Mapping[str, int]) -> Spot:
    """A spot with other bets: a part that is chosen with a bet comes and goes with it."""
    edition, settings, _ = prepared(table)
    choices = spot.choices
    for wager, setting in edition.game.dealing.with_bet.items():
        if wager in bets and wager not in spot.bets:
            choices = (str(settings[setting]), *choices)
        elif wager in spot.bets and wager not in bets:
            choices = tuple(choice for choice in choices if choice not in map(str, edition.approved[setting]))
    for_dealer = {wager: cents for wager, cents in spot.for_dealer.items() if wager in bets}
    return changed(spot, bets=bets, for_dealer=for_dealer, choices=choices)


def chosen_with(edition: Edition, spot: Spot) -> dict[str, str]:
    """EPG-6: what was chosen with the wagers of a spot of which a part is chosen, such as the colour of Red/Black."""
    parts = {wager: set(map(str, edition.approved[setting])) for wager, setting in edition.game.dealing.with_bet.items()}
    return {w: choice for w, values in parts.items() if w in spot.bets for choice in spot.choices if choice in values}


def with_chosen(edition: Edition, spot: Spot, wager: str, chosen: str) -> Spot:
    """A spot with this chosen with a wager; refused where nothing is, or not this."""
    setting = edition.game.dealing.with_bet.get(wager)
    if setting is None or wager not in spot.bets:
        raise Refused("bad-choice", f"nothing is chosen with {edition.game.wagers[wager].name}")
    one_of("choice", chosen, list(map(str, edition.approved[setting])))
    before = chosen_with(edition, spot)[wager]
    return changed(spot, choices=tuple(chosen if choice == before else choice for choice in spot.choices))


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
