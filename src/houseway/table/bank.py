"""A table banked by its players (EZC): the offer rotates, a bank puts up an amount and never risks more."""

from collections.abc import Iterable, Mapping

from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.game import Value
from houseway.rulebook.settle import Payment
from houseway.table import california, ledger
from houseway.table.commands import Command, command, whole
from houseway.table.engine import Effect, amount, edition_of, in_phase, open_table, prepared, text
from houseway.table.events import (
    BankEnded,
    BankOffered,
    BankPassed,
    BankTaken,
    BankUsedUp,
    Left,
    MarkerDrawn,
    NotCovered,
    Seated,
    SitsOut,
)
from houseway.table.fields import CENTS, GUEST, PROPOSITION, SEAT, TABLE
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import Bank, House, Phase, Spot, Table, changed
from houseway.table.unfold import Draw

HANDS = 2
"""EZC-4: the bank rotates after two hands."""
BEFORE = {"R12c": "as-keyed", "R12d": "running-net", "R21": "ends", "R22": "every-deal"}
"""How tables play whose edition does not list these readings, and those that were opened before they were listed."""


def reading(table: Table, id_: str) -> str:
    """What a reading of the bank's says at this table."""
    return str(table.settings.get(id_, BEFORE[id_])) if table.form >= LISTED else BEFORE[id_]


LISTED = 3
"""The form of journals since these readings are listed."""
COVERING = ("R12", "R12b", "R12c", "R12d")
"""The readings of how a short bank covers."""


def cover_reading(table: Table, id_: str) -> str:
    """What such a reading says at this table; nothing where it is no question."""
    if id_ == "R12d" and table.settings.get("R12b") == "worst-case":
        return ""
    return reading(table, id_) if id_ in BEFORE else str(table.settings.get(id_, ""))


def bank_of(table: Table) -> Bank:
    """The bank of a player-banked table; refused elsewhere."""
    if table.bank is None:
        raise Refused("house-banked", f"{table.name} is banked by the house: there is no bank to sit at")
    return table.bank


def next_seat(table: Table, after: int) -> int:
    """The next seated player clockwise."""
    seats = sorted(table.seated)
    return next((seat for seat in seats if seat > after), seats[0] if seats else 0)


def _seat(table: Table, command: Command) -> int:
    seat = whole(command, "seat")
    if not 1 <= seat <= table.seats:
        raise Refused("bad-seat", f"seat {str(command['seat'])[:20]} is not at this table (seats 1 to {table.seats})")
    return seat


@command("sit", PLAYERS, "Take a seat", TABLE, SEAT, GUEST, may=(PROPOSITION,))
def sit(house: House, command: Command, draw: Draw) -> Effect:
    """Take a seat; at a player-banked table everybody seated is offered the bank in turn."""
    table = open_table(house, command)
    seat, guest = _seat(table, command), text(command, "guest")
    check_seat(table, seat, guest)
    if seat in table.seated:
        raise Refused("seat-taken", f"seat {seat} is {table.seated[seat]}'s: take another seat")
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-seat", f"a guest sits down himself: {command.get('actor')} may not sit for {guest}")
    effect = Effect(house, changed(table, seated={**table.seated, seat: guest}))
    if table.bank is not None:
        california.check_sit(table.bank, proposition := bool(command.get("proposition")))
        offered = table.bank.offered or seat
        bank = changed(table.bank, offered=offered, proposition=seat if proposition else table.bank.proposition)
        effect.table = changed(effect.table, bank=bank)
    effect.tell(Seated(seat, guest))
    return effect


def check_seat(table: Table, seat: int, guest: str) -> None:
    """Refuse a seat that is another guest's, or one more than the house allows a guest."""
    spot = table.round.spots.get(seat)
    owner = spot.guest if spot else table.seated.get(seat, guest)
    if owner != guest:
        raise Refused("seat-taken", f"seat {seat} is {owner}'s: take another seat")  # LLB-4
    held = {s for s, name in table.seated.items() if name == guest} | {
        s for s, o in table.round.spots.items() if o.guest == guest
    }
    if table.seats_per_guest and len(held | {seat}) > table.seats_per_guest:
        most = f"{table.seats_per_guest} seat{'s' if table.seats_per_guest > 1 else ''}"
        raise Refused(
            "too-many-seats", f"{guest} has seat {', '.join(map(str, sorted(held)))}: the house allows a guest {most}"
        )


@command("leave", PLAYERS, "Leave a seat", TABLE, SEAT, GUEST)
def leave(house: House, command: Command, draw: Draw) -> Effect:
    """Leave a seat; not with bets on the felt, and not as the bank."""
    table = open_table(house, command)
    seat, guest = _seat(table, command), text(command, "guest")
    mine = command.get("role") != "guest" or command.get("actor") == guest
    if table.seated.get(seat) != guest or not mine:
        raise Refused("not-your-seat", f"seat {seat} is not this guest's")
    if seat in table.round.spots or (table.bank is not None and seat == table.bank.holder):
        raise Refused("still-in-action", "the bank, or a guest with bets on the table, finishes the hand first")
    left = changed(table, seated={s: name for s, name in table.seated.items() if s != seat})
    if table.bank is not None:
        proposition = 0 if seat == table.bank.proposition else table.bank.proposition
        offered = next_seat(left, seat) if table.bank.offered == seat else table.bank.offered
        left = changed(left, bank=changed(table.bank, proposition=proposition, offered=offered))
    effect = Effect(house, left)
    effect.tell(Left(seat))
    return effect


def _offered(table: Table, command: Command) -> tuple[Bank, int, str]:
    bank, seat, guest = bank_of(table), _seat(table, command), text(command, "guest")
    if command.get("role") == "guest" and command.get("actor") != guest:
        raise Refused("not-your-money", f"a guest banks with his own money: {command.get('actor')} may not act for {guest}")
    if bank.holder:
        hands = "1 more hand" if bank.hands_left == 1 else f"{bank.hands_left} more hands"
        raise Refused("bank-taken", f"seat {bank.holder} banks for {hands}")
    if seat != bank.offered or table.seated.get(seat) != guest:
        raise Refused("not-your-turn", f"the bank is offered to seat {bank.offered} now (EZC-4)")
    return bank, seat, guest


@command("bank", PLAYERS, "Accept the bank of a player-banked table and put up an amount", TABLE, SEAT, GUEST, CENTS)
def take_bank(house: House, command: Command, draw: Draw) -> Effect:
    """Accept the bank for two hands and put up an amount; it need not cover all wagers (EZC-5)."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    if is_used_up(house, table) and bank_of(table).holder == whole(command, "seat"):
        return _put_up_again(house, table, command)
    bank, seat, guest = _offered(table, command)
    if any(spot.guest == guest for spot in table.round.spots.values()):
        raise Refused("bank-does-not-wager", "the bank does not wager: withdraw the bets first")
    at = text(command, "at")
    california.check_take(bank, seat, guest, at)
    cents, tenures = amount(command), california.begun(bank, seat, guest, at)
    taken = changed(bank, holder=seat, hands_left=HANDS, passed=0, tenures=tenures, since=table.round.number)
    effect = Effect(house, changed(table, bank=taken))
    effect.move(ledger.guest(guest), ledger.bank(table.name), cents, f"seat {seat} banks")
    effect.tell(BankTaken(seat, guest, cents))
    return effect


def is_used_up(house: House, table: Table) -> bool:
    """Whether somebody banks who has lost all that he put up: he may put up again, or pass."""
    return table.bank is not None and table.bank.holder > 0 and not house.balance(ledger.bank(table.name))


def _put_up_again(house: House, table: Table, command: Command) -> Effect:
    """EZC-4: a bank has two hands, so that one that lost its stake in the first may put up again for the second."""
    bank, guest, cents = bank_of(table), text(command, "guest"), amount(command)
    check_holder(table, command)
    effect = Effect(house, table)
    effect.move(ledger.guest(guest), ledger.bank(table.name), cents, f"seat {bank.holder} banks")
    effect.tell(BankTaken(bank.holder, guest, cents))
    return effect


@command("pass", PLAYERS, "Pass the bank on, or end it between hands", TABLE, SEAT, GUEST)
def pass_bank(house: House, command: Command, draw: Draw) -> Effect:
    """Pass the bank on; it is then offered to the next player clockwise. A bank may also end before its second hand."""
    table = open_table(house, command)
    if table.bank is not None and table.bank.holder == _seat(table, command):
        return _give_up(house, table, command)
    bank, seat, _ = _offered(table, command)
    passed = bank.passed + 1
    effect = Effect(house, changed(table, bank=changed(bank, offered=next_seat(table, seat), passed=passed)))
    effect.tell(BankPassed(seat, next_seat(table, seat), nobody_banks=passed >= len(table.seated)))
    return effect


def _give_up(house: House, table: Table, command: Command) -> Effect:
    """The bank ends between hands: it covers nothing any more, or does not want to go on."""
    in_phase(table, Phase.BETTING)
    check_holder(table, command)
    effect = Effect(house)
    ended = _end_bank(effect, table, house.balance(ledger.bank(table.name)), text(command, "at"))
    effect.table = changed(table, bank=ended)
    return effect


def check_holder(table: Table, command: Command) -> None:
    """Refuse whoever acts for another player's bank."""
    guest = text(command, "guest")
    if table.seated[bank_of(table).holder] != guest or (command.get("role") == "guest" and command.get("actor") != guest):
        raise Refused("not-your-turn", f"seat {bank_of(table).holder} banks, and only that player can end it or put up again")


@command("offer", DEALERS, "Offer the bank to every player", TABLE)
def offer_to_all(house: House, command: Command, draw: Draw) -> Effect:
    """The dealer offers the position to every player, for the cameras to see; none is bound to take it."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    bank = bank_of(table)
    effect = Effect(house, changed(table, bank=changed(bank, offered_to_all=True)))
    effect.tell(BankOffered(tuple(sorted(table.seated))))
    return effect


@command("marker", DEALERS, "Say where the marker was drawn to, before bets close: cover begins at that seat", TABLE, SEAT)
def place_marker(house: House, command: Command, draw: Draw) -> Effect:
    """R12: at a manual table the marker is drawn by hand and keyed while bets are open; at a virtual one the house draws it."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.BETTING)
    bank_of(table)
    if not marker_seats(table.settings, table.seats):
        raise Refused("no-marker", "no marker is drawn at this table: cover begins at the seat after the bank (R12)")
    if table.source == "virtual-shoe":
        raise Refused("virtual-table", "the marker of a virtual table is drawn by the house, with the shuffle")
    seat = _seat(table, command)
    effect = Effect(house, changed(table, round=changed(round_, dice=seat)))
    effect.tell(MarkerDrawn(seat, round_.dice))
    return effect


def begin_hand(effect: Effect, table: Table, at: str) -> Table:
    """EZC-1: the posted flat fees, before the hand; never a percentage, and not refunded for no action.

    Whoever cannot pay his sits the hand out. For a redeal after a void nobody pays twice (R22). Where the bank reserves the
    worst case (R12b), what it cannot cover goes back now.
    """
    bank, house = bank_of(table), effect.house
    if not bank.holder:
        raise Refused("nobody-banks", f"nobody banks: no hand is dealt; the bank is offered to seat {bank.offered}")
    if is_used_up(house, table):
        raise Refused(
            "bank-used-up", f"seat {bank.holder} has lost all that it put up: it puts up again, or passes the bank on"
        )
    holder = table.seated[bank.holder]
    california.check_hand(bank, holder, at)
    bank_fee = 0 if bank.bank_collected == holder else bank.bank_fee_cents
    if bank_fee > house.balance(ledger.guest(holder)):
        short = f"{holder} banks and cannot pay the collection of {dollars(bank_fee)}: he buys chips, or passes the bank on"
        raise Refused("not-enough", short)
    playing, fees = _who_can_pay(house, table)
    for seat in sorted(table.round.spots.keys() - playing.round.spots.keys()):
        _sit_out(effect, table, seat)
    for seat, spot in playing.round.spots.items():
        effect.move(ledger.guest(spot.guest), ledger.collection(table.name), fees[seat], "collection")
    effect.move(ledger.guest(holder), ledger.collection(table.name), bank_fee, "collection")
    if reading(table, "R22") == "once":
        paid = tuple((seat, spot.guest) for seat, spot in playing.round.spots.items())
        collected = tuple(dict.fromkeys((*bank.collected, *paid)))
        playing = changed(playing, bank=changed(bank, collected=collected, bank_collected=holder))
    if table.settings.get("R12b") != "worst-case":
        return playing
    return _reserve(effect, playing)


def _who_can_pay(house: House, table: Table) -> tuple[Table, dict[int, int]]:
    """The table with those only who can pay the collection, and what each seat pays.

    What the bank does not cover comes back before the hand, so that it counts; and where one seat less is played the bank
    covers more of the others. Of several seats a guest keeps those that he can pay for, from the first.
    """
    bank = bank_of(table)
    while True:
        spots = table.round.spots
        fees = {seat: 0 if (seat, spot.guest) in bank.collected else bank.player_fee_cents for seat, spot in spots.items()}
        covered = (
            covered_in_worst_case(table, house.balance(ledger.bank(table.name)))
            if table.settings.get("R12b") == "worst-case"
            else {s: o.bets for s, o in spots.items()}
        )
        short = []
        for guest in dict.fromkeys(spot.guest for spot in spots.values()):
            seats = [seat for seat, spot in spots.items() if spot.guest == guest]
            back = sum(sum(spots[seat].bets.values()) - sum(covered[seat].values()) for seat in seats)
            due = {seat: fees[seat] for seat in seats if fees[seat]}
            if sum(due.values()) > house.balance(ledger.guest(guest)) + back:
                short.append(max(due))
        if not short:
            return table, fees
        left = {seat: spot for seat, spot in spots.items() if seat not in short}
        if not left:
            raise Refused("no-bets", f"nobody who has bet can pay the collection of {dollars(bank.player_fee_cents)}")
        table = changed(table, round=changed(table.round, spots=left))


def _sit_out(effect: Effect, table: Table, seat: int) -> None:
    spot = table.round.spots[seat]
    for wager, cents in spot.bets.items():
        effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), cents, f"seat {seat} {wager} sits out")
    effect.tell(SitsOut(seat, spot.guest, spot.held_cents, bank_of(table).player_fee_cents))


def covered_in_worst_case(table: Table, bank_cents: int) -> dict[int, dict[str, int]]:
    """What the bank's stake covers of every wager in its worst case, in the order of action.

    Nobody risks more than the stake: a part of a wager is rounded down to whole chips.
    """
    edition, settings, _ = prepared(table)
    chip = edition.bank_chip_cents if table.form >= LISTED else 1
    risk = reward = bank_cents
    covered: dict[int, dict[str, int]] = {}
    for seat in action_order(table):
        bets = table.round.spots[seat].bets
        covered[seat] = dict.fromkeys(bets, 0)
        for wager in wager_order(table, bets):
            worst = max(edition.pay(wager, o.id, settings).net for o in edition.possible(wager, settings))
            part = min(bets[wager], int(risk / worst), reward)
            covered[seat][wager] = part if part == bets[wager] else part // chip * chip
            risk, reward = risk - int(covered[seat][wager] * worst), reward - covered[seat][wager]
    return covered


def _reserve(effect: Effect, table: Table) -> Table:
    """The table with the bets that the bank covers; what it does not goes back."""
    spots, covered = {}, covered_in_worst_case(table, effect.house.balance(ledger.bank(table.name)))
    for seat in action_order(table):
        spot = table.round.spots[seat]
        for wager in wager_order(table, spot.bets):
            back = spot.bets[wager] - covered[seat][wager]
            if back and table.form >= LISTED:
                effect.tell(NotCovered(seat, spot.guest, wager, covered[seat][wager], back))
            effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), back, f"seat {seat} {wager} not covered")
        bets = {wager: cents for wager, cents in covered[seat].items() if cents}
        if bets:
            spots[seat] = changed(spot, bets=bets, held_cents=sum(bets.values()))
    if not spots:
        raise Refused("nothing-covered", "the bank covers no wager: it passes, or the bets are withdrawn")
    return changed(table, round=changed(table.round, spots=spots))


def covered_spots(table: Table, bank_cents: int) -> dict[int, Spot]:
    """The spots with the bets that a bank which reserves the worst case covers of them."""
    covered, spots = covered_in_worst_case(table, bank_cents), table.round.spots
    kept = {seat: {wager: cents for wager, cents in covered[seat].items() if cents} for seat in spots}
    return {seat: changed(spot, bets=kept[seat]) for seat, spot in spots.items() if kept[seat]}


def reserves(table: Table) -> bool:
    """R12b: whether a player's bank reserves the worst case before the cards."""
    return table.bank is not None and table.settings.get("R12b") == "worst-case"


def marker_seats(settings: Mapping[str, Value], seats: int) -> int:
    """How many seats a marker is drawn from, where it says whose wager is covered first (R12); 0 where none is drawn."""
    return seats if settings.get("R12") == "from-marker" else 0


def action_order(table: Table) -> list[int]:
    """R12: clockwise from the seat after the bank, or from a drawn marker seat."""
    bank = bank_of(table)
    start = table.round.dice if marker_seats(table.settings, table.seats) else bank.holder + 1
    seats = sorted(table.round.spots)
    return [s for s in seats if s >= start] + [s for s in seats if s < start]


def wager_order(table: Table, wagers: Iterable[str]) -> list[str]:
    """R12c: the wagers of a seat as the layout has them, which is the edition's order, or as they were keyed."""
    keyed = list(wagers)
    return [name for name in edition_of(table).wagers if name in keyed] if reading(table, "R12c") == "layout-order" else keyed


Covered = tuple[int, Spot, Payment]


def in_action_order(table: Table, payments: Iterable[Covered]) -> list[Covered]:
    """Payments as a bank makes them: seat by seat in the order of action, and within a seat in the order of its wagers."""
    seats = {seat: place for place, seat in enumerate(action_order(table))}
    layout = edition_of(table).wagers if reading(table, "R12c") == "layout-order" else ()
    wagers = {name: place for place, name in enumerate(layout)}
    return sorted(payments, key=lambda item: (seats[item[0]], wagers.get(item[2].wager, 0)))


def cover(payments: Iterable[Covered], stake_cents: int, until_used_up: bool = False) -> list[tuple[Covered, int, int]]:
    """What the bank takes from and pays to each wager in order: its total win and loss are capped at its stake.

    Each item is a payment with the cents taken from the felt and the cents paid by the bank; the rest goes back. By R12d
    that is so to the end, or only until the stake is lost, or as much is won: then all that is left goes back.
    """
    net, covered = 0, []
    for item in payments:
        win = 0 if until_used_up and abs(net) == stake_cents else item[2].win_cents
        taken = min(max(-win, 0), stake_cents - net)
        paid = min(max(win, 0), stake_cents + net)
        net += taken - paid
        covered.append((item, taken, paid))
    assert -stake_cents <= net <= stake_cents
    return covered


def settle_by(table: Table, payments: Iterable[Covered], stake_cents: int) -> list[tuple[Covered, int, int]]:
    """What the bank takes and pays, in the order of action and by this table's readings."""
    return cover(in_action_order(table, payments), stake_cents, reading(table, "R12d") == "until-used-up")


def end_hand(effect: Effect, table: Table, bank_cents: int, at: str) -> Bank:
    """One hand less; after the second the bank goes back and is offered to the next.

    One that has nothing left may put up again (EZC-4), or is over (R21).
    """
    bank = changed(bank_of(table), offered_to_all=False, collected=(), bank_collected="")
    left = bank.hands_left - 1
    if not left or not (bank_cents or reading(table, "R21") == "may-put-up-again"):
        return _end_bank(effect, changed(table, bank=bank), bank_cents, at)
    if not bank_cents:
        effect.tell(BankUsedUp(bank.holder, table.seated[bank.holder], left))
    return changed(bank, hands_left=left)


def _end_bank(effect: Effect, table: Table, bank_cents: int, at: str) -> Bank:
    bank = changed(bank_of(table), offered_to_all=False)
    guest = table.seated[bank.holder]
    effect.move(ledger.bank(table.name), ledger.guest(guest), bank_cents, f"seat {bank.holder} bank ends")
    offered = next_seat(table, bank.holder)
    effect.tell(BankEnded(bank.holder, bank_cents, offered))
    return changed(bank, holder=0, hands_left=0, offered=offered, tenures=california.ended(bank, at))
