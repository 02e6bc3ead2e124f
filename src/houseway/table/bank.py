"""A table banked by its players (EZC): the offer rotates, a bank puts up an amount and never risks more."""

from collections.abc import Iterable, Mapping

from houseway.refusal import Refused
from houseway.rulebook.game import Value
from houseway.rulebook.settle import Payment
from houseway.table import california, ledger
from houseway.table.commands import Command, command, whole
from houseway.table.engine import Effect, amount, in_phase, open_table, prepared, text
from houseway.table.events import BankEnded, BankOffered, BankPassed, BankTaken, Left, Seated
from houseway.table.fields import CENTS, GUEST, PROPOSITION, SEAT, TABLE
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import Bank, House, Phase, Spot, Table, changed
from houseway.table.unfold import Draw

HANDS = 2
"""EZC-4: the bank rotates after two hands."""


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
        raise Refused("bank-taken", f"seat {bank.holder} banks for {bank.hands_left} more hand(s)")
    if seat != bank.offered or table.seated.get(seat) != guest:
        raise Refused("not-your-turn", f"the bank is offered to seat {bank.offered} now (EZC-4)")
    return bank, seat, guest


@command("bank", PLAYERS, "Accept the bank of a player-banked table and put up an amount", TABLE, SEAT, GUEST, CENTS)
def take_bank(house: House, command: Command, draw: Draw) -> Effect:
    """Accept the bank for two hands and put up an amount; it need not cover all wagers (EZC-5)."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    bank, seat, guest = _offered(table, command)
    if any(spot.guest == guest for spot in table.round.spots.values()):
        raise Refused("bank-does-not-wager", "the bank does not wager: withdraw the bets first")
    at = text(command, "at")
    california.check_take(bank, seat, guest, at)
    cents, tenures = amount(command), california.begun(bank, seat, guest, at)
    taken = changed(bank, holder=seat, hands_left=HANDS, passed=0, tenures=tenures)
    effect = Effect(house, changed(table, bank=taken))
    effect.move(ledger.guest(guest), ledger.bank(table.name), cents, f"seat {seat} banks")
    effect.tell(BankTaken(seat, guest, cents))
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
    guest = text(command, "guest")
    if table.seated[bank_of(table).holder] != guest or (command.get("role") == "guest" and command.get("actor") != guest):
        raise Refused("not-your-turn", f"seat {bank_of(table).holder} banks, and only that player can end it")
    effect = Effect(house)
    ended = _end_bank(effect, table, house.balance(ledger.bank(table.name)), text(command, "at"))
    effect.table = changed(table, bank=ended)
    return effect


@command("offer", DEALERS, "Offer the bank to every player", TABLE)
def offer_to_all(house: House, command: Command, draw: Draw) -> Effect:
    """The dealer offers the position to every player, for the cameras to see; none is bound to take it."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    bank = bank_of(table)
    effect = Effect(house, changed(table, bank=changed(bank, offered_to_all=True)))
    effect.tell(BankOffered(tuple(sorted(table.seated))))
    return effect


def begin_hand(effect: Effect, table: Table, at: str) -> Table:
    """EZC-1: the posted flat fees, before the hand; never a percentage, and not refunded for no action.

    Where the bank reserves the worst case (R12b), what it cannot cover goes back now.
    """
    bank = bank_of(table)
    if not bank.holder:
        raise Refused("nobody-banks", f"nobody banks: no hand is dealt; the bank is offered to seat {bank.offered}")
    california.check_hand(bank, table.seated[bank.holder], at)
    fees = [(spot.guest, bank.player_fee_cents) for spot in table.round.spots.values()]
    for guest, cents in [*fees, (table.seated[bank.holder], bank.bank_fee_cents)]:
        effect.move(ledger.guest(guest), ledger.collection(table.name), cents, "collection")
    if table.settings.get("R12b") != "worst-case":
        return table
    return changed(table, round=changed(table.round, spots=_reserve(effect, table)))


def _reserve(effect: Effect, table: Table) -> dict[int, Spot]:
    """The bets that the bank's stake covers in their worst case, in the order of action."""
    edition, settings, _ = prepared(table)
    risk = reward = effect.house.balance(ledger.bank(table.name))
    spots = {}
    for seat in action_order(table):
        spot = table.round.spots[seat]
        guest, bets = ledger.guest(spot.guest), dict[str, int]()
        for wager, cents in spot.bets.items():
            worst = max(edition.pay(wager, o.id, settings).net for o in edition.game.wagers[wager].outcomes)
            covered = min(cents, int(risk / worst), reward)
            risk, reward = risk - int(covered * worst), reward - covered
            effect.move(ledger.wagers(table.name), guest, cents - covered, f"seat {seat} {wager} not covered")
            bets |= {wager: covered} if covered else {}
        if bets:
            spots[seat] = changed(spot, bets=bets, held_cents=sum(bets.values()))
    if not spots:
        raise Refused("nothing-covered", "the bank covers no wager: it passes, or the bets are withdrawn")
    return spots


def marker_seats(settings: Mapping[str, Value], seats: int) -> int:
    """How many seats a marker is drawn from, where it says whose wager is covered first (R12); 0 where none is drawn."""
    return seats if settings.get("R12") == "from-marker" else 0


def action_order(table: Table) -> list[int]:
    """R12: clockwise from the seat after the bank, or from a drawn marker seat."""
    bank = bank_of(table)
    start = table.round.dice if marker_seats(table.settings, table.seats) else bank.holder + 1
    seats = sorted(table.round.spots)
    return [s for s in seats if s >= start] + [s for s in seats if s < start]


Covered = tuple[int, Spot, Payment]


def cover(payments: Iterable[Covered], stake_cents: int) -> list[tuple[Covered, int, int]]:
    """What the bank takes from and pays to each wager in order: its total win and loss are capped at its stake.

    Each item is a payment with the cents taken from the felt and the cents paid by the bank; the rest goes back.
    """
    net, covered = 0, []
    for item in payments:
        win = item[2].win_cents
        taken = min(max(-win, 0), stake_cents - net)
        paid = min(max(win, 0), stake_cents + net)
        net += taken - paid
        covered.append((item, taken, paid))
    assert -stake_cents <= net <= stake_cents
    return covered


def end_hand(effect: Effect, table: Table, bank_cents: int, at: str) -> Bank:
    """One hand less; after the second, or when nothing is left, the bank goes back and is offered to the next."""
    bank = changed(bank_of(table), offered_to_all=False)
    left = bank.hands_left - 1
    if left and bank_cents:
        return changed(bank, hands_left=left)
    return _end_bank(effect, table, bank_cents, at)


def _end_bank(effect: Effect, table: Table, bank_cents: int, at: str) -> Bank:
    bank = changed(bank_of(table), offered_to_all=False)
    guest = table.seated[bank.holder]
    effect.move(ledger.bank(table.name), ledger.guest(guest), bank_cents, f"seat {bank.holder} bank ends")
    offered = next_seat(table, bank.holder)
    effect.tell(BankEnded(bank.holder, bank_cents, offered))
    return changed(bank, holder=0, hands_left=0, offered=offered, tenures=california.ended(bank, at))
