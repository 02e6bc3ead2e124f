"""A table banked by its players (EZC): the offer rotates, a bank puts up an amount and never risks more."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from houseway.money import dollars
from houseway.refusal import Refused, number_of
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
    CollectionBack,
    CollectionFromStake,
    CollectionPaid,
    Left,
    MarkerDrawn,
    NotCovered,
    Seated,
    SitsOut,
)
from houseway.table.fields import CENTS, GUEST, PROPOSITION, SEAT, TABLE
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import Bank, CollectedDeal, House, Phase, Round, Settled, Spot, Table, changed
from houseway.table.unfold import Draw

HANDS = 2
"""EZC-4: the bank rotates after two hands."""
BEFORE = {"R12c": "as-keyed", "R12d": "running-net", "R21": "ends", "R22": "every-deal", "R23": "no-hand"}
"""How tables play whose edition does not list these readings, and those that were opened before they were listed."""


def reading(table: Table, id_: str) -> str:
    """What a reading of the bank's says at this table."""
    return str(table.settings.get(id_, BEFORE[id_])) if table.form >= LISTED else BEFORE[id_]


LISTED = 3
"""The form of journals since these readings are listed."""
AS_LAID = 5
"""The form of journals since a round keeps what was laid, and who had paid for a void deal of it."""
BY_DEALS = 6
"""The form of journals since a bank keeps its deals, from which the collection follows."""
BACK_TO_STAKE = 7
"""The form of journals since a collection that a bank paid from its stake comes back to it."""
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
        most = number_of(table.seats_per_guest, "seat")
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

    Whoever cannot pay his sits the hand out; a bank may pay it from its stake (R23). For a redeal after a void nobody pays
    twice (R22). Where the bank reserves the worst case (R12b), what it cannot cover goes back now.
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
    from_stake = _from_stake(house, table, holder, bank_fee)
    bank_cents = house.balance(ledger.bank(table.name)) - from_stake
    playing, fees = _who_can_pay(house, table, bank_cents)
    for seat in sorted(table.round.spots.keys() - playing.round.spots.keys()):
        _sit_out(effect, table, seat)
    for seat, spot in playing.round.spots.items():
        effect.move(ledger.guest(spot.guest), ledger.collection(table.name), fees[seat], "collection")
    effect.move(ledger.guest(holder), ledger.collection(table.name), bank_fee - from_stake, "collection")
    effect.move(ledger.bank(table.name), ledger.collection(table.name), from_stake, "collection")
    if from_stake:
        effect.tell(CollectionFromStake(bank.holder, holder, from_stake, bank_cents))
    paid = tuple((seat, spot.guest) for seat, spot in playing.round.spots.items())
    if _keeps_deals(table):
        kept = from_stake if table.form >= BACK_TO_STAKE else 0
        deal = CollectedDeal(table.round.number, bank.holder, holder, paid, from_stake_cents=kept)
        playing = changed(playing, bank=_with_deal(bank, deal))
    elif reading(table, "R22") == "once":
        collected = tuple(dict.fromkeys((*bank.collected, *paid)))
        playing = changed(playing, bank=changed(bank, collected=collected, bank_collected=holder))
        if table.form >= AS_LAID:
            playing = changed(playing, round=changed(playing.round, paid_before=bank.collected))
    if table.settings.get("R12b") != "worst-case":
        return playing
    return _reserve(effect, playing, bank_cents)


def _from_stake(house: House, table: Table, holder: str, fee: int) -> int:
    """R23: how much of its collection a bank pays from what it put up, having no other chips; something must be left."""
    lacking = max(fee - house.balance(ledger.guest(holder)), 0)
    may = reading(table, "R23") == "from-stake" and lacking < house.balance(ledger.bank(table.name))
    if lacking and not may:
        short = f"{holder} banks and cannot pay the collection of {dollars(fee)}: he buys chips, or passes the bank on"
        raise Refused("not-enough", short)
    return lacking


def _who_can_pay(house: House, table: Table, bank_cents: int) -> tuple[Table, dict[int, int]]:
    """The table with those only who can pay the collection, and what each seat pays.

    What the bank does not cover comes back before the hand, so that it counts; and where one seat less is played the bank
    covers more of the others. Of several seats a guest keeps those that he can pay for, from the first.
    """
    bank = bank_of(table)
    while True:
        spots = table.round.spots
        fees = {seat: 0 if (seat, spot.guest) in bank.collected else bank.player_fee_cents for seat, spot in spots.items()}
        covered = (
            covered_in_worst_case(table, bank_cents)
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


def _reserve(effect: Effect, table: Table, bank_cents: int) -> Table:
    """The table with the bets that the bank covers; what it does not goes back."""
    spots = covered_spots(table, bank_cents)
    if table.form >= LISTED:
        tell_uncovered(effect, table, spots)
    for seat, wager, _, back in _uncovered(table, spots):
        guest = ledger.guest(spots[seat].guest)
        effect.move(ledger.wagers(table.name), guest, back, f"seat {seat} {wager} not covered")
    kept = {seat: changed(spot, held_cents=sum(spot.bets.values())) for seat, spot in spots.items() if spot.bets}
    if not kept:
        raise Refused("nothing-covered", "the bank covers no wager: it passes, or the bets are withdrawn")
    return changed(table, round=with_laid(table, changed(table.round, spots=kept), table.round.spots))


def with_laid(table: Table, round_: Round, laid: Mapping[int, Spot]) -> Round:
    """A round that keeps what was laid, where its bank covers only what it reserves for: the truth may change what that is."""
    if not reserves(table) or table.form < AS_LAID:
        return round_
    kept = {seat: Spot(spot.guest, spot.bets, for_dealer=spot.for_dealer) for seat, spot in laid.items() if spot.bets}
    return changed(round_, laid=kept)


def covered_spots(table: Table, bank_cents: int) -> dict[int, Spot]:
    """The spots, in the order of action, with the bets that a bank which reserves the worst case covers of them."""
    covered, spots = covered_in_worst_case(table, bank_cents), table.round.spots
    kept = {seat: {wager: cents for wager, cents in bets.items() if cents} for seat, bets in covered.items()}
    return {seat: changed(spots[seat], bets=bets) for seat, bets in kept.items()}


def _uncovered(table: Table, covered: Mapping[int, Spot]) -> Iterator[tuple[int, str, int, int]]:
    """Each wager not covered in full, in the order of action: its seat, the wager, what is covered and what goes back."""
    for seat, spot in covered.items():
        asked = table.round.spots[seat].bets
        for wager in wager_order(table, asked):
            cents = spot.bets.get(wager, 0)
            if cents < asked[wager]:
                yield seat, wager, cents, asked[wager] - cents


def tell_uncovered(effect: Effect, table: Table, covered: Mapping[int, Spot]) -> None:
    """Tell what goes back because the bank does not cover it."""
    for seat, wager, cents, back in _uncovered(table, covered):
        effect.tell(NotCovered(seat, covered[seat].guest, wager, cents, back))


def tell_cover_changed(effect: Effect, table: Table, was: Round, now: Round) -> None:
    """Tell what goes back of a round's wagers now that its bets are others, as far as it did not go back before."""
    before = set(_not_covered(table, was))
    for event in _not_covered(table, now):
        if event not in before:
            effect.tell(event)


def _not_covered(table: Table, round_: Round) -> list[NotCovered]:
    not_covered = []
    for seat, spot in round_.laid.items():
        covered = round_.spots[seat].bets if seat in round_.spots else {}
        for wager in wager_order(table, spot.bets):
            cents = covered.get(wager, 0)
            if cents < spot.bets[wager]:
                not_covered.append(NotCovered(seat, spot.guest, wager, cents, spot.bets[wager] - cents))
    return not_covered


def _keeps_deals(table: Table) -> bool:
    return table.bank is not None and table.form >= BY_DEALS and reading(table, "R22") == "once"


def _with_deal(bank: Bank, deal: CollectedDeal) -> Bank:
    """A bank with a deal, in the place of the one of that round; who has paid for a hand that is not settled yet follows."""
    deals = (*(each for each in bank.deals if each.number < deal.number), deal)
    deals += tuple(each for each in bank.deals if each.number > deal.number)
    unsettled: list[CollectedDeal] = []
    for each in reversed(deals):
        if each.is_settled:
            break
        unsettled.append(each)
    paid = tuple(dict.fromkeys(player for each in reversed(unsettled) for player in each.players))
    return changed(bank, deals=deals, collected=paid, bank_collected=unsettled[0].banker if unsettled else "")


def _deal_of(bank: Bank, number: int) -> CollectedDeal | None:
    return next((deal for deal in reversed(bank.deals) if deal.number == number), None)


def _due(table: Table, bank: Bank) -> Counter[tuple[int, str, str]]:
    """EZC-1, R22: the collection due for all deals, for a hand and its redeals once: by seat, guest and the account that pays.

    R23: what a bank paid from its stake is its stake's, as long as it holds; then what is left of that is the guest's.
    """
    due: Counter[tuple[int, str, str]] = Counter()
    paid: set[tuple[int, str]] = set()
    banker = ""
    for deal in bank.deals:
        for seat, guest in deal.players:
            due[seat, guest, ledger.guest(guest)] += bank.player_fee_cents if (seat, guest) not in paid else 0
        if deal.banker != banker:
            holds = table.is_open and bank.holder == deal.holder and bank.since <= deal.number
            purse = ledger.guest(deal.banker)
            due[deal.holder, deal.banker, ledger.bank(table.name) if holds else purse] += deal.from_stake_cents
            due[deal.holder, deal.banker, purse] += bank.bank_fee_cents - deal.from_stake_cents
        paid, banker = (set(), "") if deal.is_settled else (paid | {*deal.players}, deal.banker)
    return due


def _collect_difference(effect: Effect, table: Table, now: Bank) -> None:
    """Who has to pay more by these deals than by the table's pays it, and who less gets it back."""
    collection = ledger.collection(table.name) if table.is_open else ledger.CAGE
    before, after = _due(table, bank_of(table)), _due(table, now)
    for seat, guest, purse in sorted(before | after):
        more = after[seat, guest, purse] - before[seat, guest, purse]
        if more < 0:
            effect.move(collection, purse, -more, "collection back")
            effect.tell(CollectionBack(seat, guest, -more))
        elif more:
            effect.move(purse, collection, more, "collection")
            effect.tell(CollectionPaid(seat, guest, more))


def with_true_players(effect: Effect, table: Table, was: Round, now: Round) -> Table:
    """EZC-1: the table after the collection from who really plays the present round: others get theirs back."""
    bank = bank_of(table)
    if (deal := _deal_of(bank, now.number)) is not None:
        players = tuple((seat, spot.guest) for seat, spot in now.as_laid.items())
        true = _with_deal(bank, changed(deal, players=players))
        _collect_difference(effect, table, true)
        return changed(table, bank=true)
    _collect_again(effect, table, was, now)
    return changed(table, bank=changed(bank, collected=tuple(each for each in bank.collected if each in now.payers)))


def collect_anew(effect: Effect, table: Table, before: Settled, after: Settled) -> Table:
    """EZC-1: the table after the collection for a corrected round: from who has really played it, and from nobody else.

    R22: whether it is void after all decides what is due for the deals after it as well, played or not.
    """
    bank = table.bank
    if bank is not None and (deal := _deal_of(bank, after.round.number)) is not None:
        players = tuple((seat, spot.guest) for seat, spot in after.round.as_laid.items())
        true = _with_deal(bank, changed(deal, players=players, is_settled=not after.is_void))
        _collect_difference(effect, table, true)
        return changed(table, bank=true)
    _collect_again(effect, table, before.round, after.round)
    return _with_redeal(table, before, after)


def _collect_again(effect: Effect, table: Table, was: Round, now: Round) -> None:
    """As before a bank kept its deals, and where every deal is paid for."""
    fee = table.bank.player_fee_cents if table.bank else 0
    collection = ledger.collection(table.name) if table.is_open else ledger.CAGE
    if not fee:
        return
    for seat, guest in sorted(was.payers - now.payers):
        effect.move(collection, ledger.guest(guest), fee, "collection back")
        if table.form >= AS_LAID:
            effect.tell(CollectionBack(seat, guest, fee))
    for seat, guest in sorted(now.payers - was.payers):
        effect.move(ledger.guest(guest), collection, fee, "collection")
        if table.form >= AS_LAID:
            effect.tell(CollectionPaid(seat, guest, fee))


def _with_redeal(table: Table, before: Settled, after: Settled) -> Table:
    """As before a bank kept its deals: if the last hand is void after all, the next one is its redeal, unless it has begun."""
    bank, phase = table.bank, table.round.frozen_from or table.round.phase
    is_next = table.is_open and phase == Phase.BETTING and before.round.number == table.round.number - 1
    if bank is None or not is_next or before.is_void == after.is_void or table.form < AS_LAID:
        return table
    if reading(table, "R22") != "once":
        return table
    paid, banker = (tuple(sorted(after.round.payers)), after.banker) if after.is_void else ((), "")
    return changed(table, bank=changed(bank, collected=paid, bank_collected=banker))


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
    if (deal := _deal_of(bank, table.round.number)) is not None:
        bank = _with_deal(bank, changed(deal, is_settled=True))
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
