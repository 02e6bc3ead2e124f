"""A settled round put right: any round of the gaming day, whatever the present one is doing, or if the table is closed.

The floor gives the command the round as it stands, `settled`, from the journal. What the truth changes is reversed and
settled again in one entry; what it does not change stays. A guest who no longer has what he must give back owes it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from houseway.board import Finished
from houseway.cards import parse_cards, show_cards, take
from houseway.refusal import Refused, number_of, one_of
from houseway.table import ledger
from houseway.table.bank import collect_anew, covered_spots, reserves, tell_cover_changed, with_laid
from houseway.table.betting import check_all_bets, check_dice, with_bets, with_dealer_bets
from houseway.table.bound import UNREADABLE
from houseway.table.commands import Command, command, whole
from houseway.table.debts import settle_debts
from houseway.table.engine import Effect, is_shuffled_every_round, nothing, prepared, text, unfolded
from houseway.table.events import HighPayout, PaidAgain, PaymentReversed, RoundCorrected, Surveillance
from houseway.table.fields import (
    AGAIN,
    CARDS,
    CHOICES,
    DEALER_BETS,
    DICE,
    GUESTS,
    REASON,
    RESULT,
    ROUND,
    SEAT_BETS,
    TABLE,
    VOID,
)
from houseway.table.history import LAST_ROUNDS, finished
from houseway.table.mend import with_choices
from houseway.table.plain import as_json, from_json
from houseway.table.play import check_result, payments, settled_as
from houseway.table.roles import SUPERVISORS
from houseway.table.state import Action, House, PaidStake, Phase, Round, Settled, Spot, Table, changed
from houseway.table.unfold import Draw, whose_card

STRICT = 5
"""The form of journals since a correction is refused what a bet is: a wager twice, an unknown guest, a seat too many."""
GIVEN = (CARDS, RESULT, CHOICES, SEAT_BETS, DEALER_BETS, GUESTS, DICE)
"""What a command may say of a round."""


@command(
    "correct",
    SUPERVISORS,
    "Correct a settled round of the day: give what was really dealt, keyed, decided or bet, and it is settled again",
    TABLE,
    ROUND,
    REASON,
    may=(*GIVEN, VOID, AGAIN),
    recorded_when_refused=True,
)
def correct(house: House, command: Command, draw: Draw) -> Effect:
    """Reverse what the truth changes, and settle it again."""
    table = _table_of(house, command)
    before = _as_settled(table, command)
    if command.get("form", 0) >= STRICT:
        _check_as_bets(house, table, before, command)
    after = settled_again(table, before, command)
    if after == before:
        raise Refused("nothing-changes", f"round {before.round.number} was settled like that: nothing would change")
    after = changed(after, corrected=before.corrected + 1)
    effect, purse = Effect(house), _purse(table, before)
    effect.tell(RoundCorrected(before.round.number, text(command, "reason"), bool(command.get("void")), as_json(after)))
    tell_cover_changed(effect, table, _as_covered(table, before), _as_covered(table, after))
    was, is_now = Counter(before.stakes), Counter(after.stakes)
    for stake in (was - is_now).elements():
        _move(effect, table.name, before.round, stake, purse, -1)
        effect.tell(PaymentReversed(stake.seat, stake.guest, stake.wager, stake.spot, stake.win_cents))
    for stake in (is_now - was).elements():
        _move(effect, table.name, before.round, stake, purse, 1)
        effect.tell(PaidAgain.of(stake))
    _tell_surveillance(effect, table, (is_now - was).elements())
    collected = collect_anew(effect, table, before, after)
    _cover_bank(effect, table, before)
    settle_debts(effect, collects=True)
    _put_back(effect, _as_if(collected, before, after))
    return effect


def _table_of(house: House, command: Command) -> Table:
    """The table as it was opened for the round that a command names: it may be closed now, or open again."""
    name, number = text(command, "table"), whole(command, "round")
    table = house.tables[one_of("table", name, house.tables)]
    if table.spoiled:
        raise Refused(UNREADABLE, f"{name} stands still: {table.spoiled}")
    return table_of_round(house, table, number)


def table_of_round(house: House, table: Table, number: int) -> Table:
    """A table as it was opened for this round: as it is now, or as it was before it was opened anew on the same day."""
    before = house.earlier.get(table.name, ())
    return next((each for each in before if each.first_round <= number < each.round.number), table)


def _put_back(effect: Effect, table: Table) -> None:
    """The corrected table takes its place: the present one's, or that of what it was earlier on this day.

    A table that was closed without a round has the same first round as the one opened after it, and is another one.
    """
    before = effect.house.earlier.get(table.name, ())
    is_it = [(each.first_round, each.round.number) == (table.first_round, table.round.number) for each in before]
    if any(is_it):
        effect.earlier = table.name, tuple(table if this else each for each, this in zip(before, is_it, strict=True))
    else:
        effect.table = table


def _as_settled(table: Table, command: Command) -> Settled:
    """The round that a command names, as it stands; refused if it was not settled here today, or is corrected meanwhile."""
    number = whole(command, "round")
    if number < 1:
        raise Refused("not-settled", f"there is no round {number}: a table counts its rounds from 1")
    if number >= table.round.number:
        if not table.is_open:
            last = f"its last round was {table.round.number - 1}"
            raise Refused("not-settled", f"there is no round {number} of {table.name}, which is closed: {last}")
        present = f"round {table.round.number} is in play, and is put right before its settlement"
        raise Refused("not-settled", f"round {number} is not settled yet: {present}")
    if "settled" not in command and number < table.first_round:
        raise Refused("another-day", f"round {number} is of another gaming day: a round is corrected on its own")
    if "settled" not in command:
        raise Refused("not-settled", f"round {number} was not settled since {table.name} was opened: it was voided")
    settled = from_json(Settled, command["settled"])
    if settled.day != command.get("day"):
        raise Refused("another-day", f"round {number} was settled on {settled.day}: a round is corrected on its own gaming day")
    if settled.corrected != command.get("again", 0):
        if not settled.corrected:
            none = "give no number of corrections seen (again)"
            raise Refused("corrected-meanwhile", f"round {number} was not corrected yet: {none}")
        seen = number_of(settled.corrected, "time")
        known = f"look at how it stands now, and say that you have seen that (again {settled.corrected})"
        raise Refused("corrected-meanwhile", f"round {number} was corrected {seen} already: {known}")
    return settled


def settled_again(table: Table, before: Settled, command: Command) -> Settled:
    """The round with what a command says of it, settled by the rules of its table; refused if it cannot have gone so."""
    _check_given(table, command)
    if command.get("void"):
        return changed(before, stakes=())
    round_ = before.round
    spots = with_choices(_with_true_bets(table, before, command), command)
    cards = tuple(parse_cards(str(command["cards"])) if "cards" in command else round_.drawn)
    result = str(command.get("result", "" if "cards" in command else round_.result))
    dice = command.get("dice", round_.dice)
    tape = changed(round_, spots=spots, dice=dice, result=result, drawn=cards if not result else ())
    if result:
        check_result(table, tape, result)
    _check_cards(table, before, tape)
    return _settled(_at_play(table, before, tape), before, tape)


def _check_given(table: Table, command: Command) -> None:
    """Refuse what cannot be given together, or at this table."""
    given = [field.word for field in GIVEN if field.name in command]
    if command.get("void") and given:
        raise Refused("bad-command", f"a void gives all wagers back: it is given alone, without {', '.join(given)}")
    if "cards" in command and "result" in command:
        raise Refused("bad-command", "give the cards, which make the result, or the result alone")
    if table.source == "virtual-shoe" and "cards" in command:
        raise Refused("cannot-correct", "the cards of a virtual shoe came from it in their order, and are what they were")
    if "dice" in command:
        if table.source == "virtual-shoe":
            raise Refused("cannot-correct", "what a virtual table throws was committed to with its shoe, and is what it was")
        check_dice(table, command["dice"])


def _at_play(table: Table, before: Settled, tape: Round) -> Table:
    """The table as it stood when the round was played, before its cards; with what its bank covers, where it reserves that."""
    at_play = changed(table, round=changed(tape, phase=Phase.DEALING, drawn=(), unfolded=None))
    if table.bank is None:
        return at_play
    bank = changed(table.bank, holder=before.holder, since=before.bank_since)
    at_play = changed(at_play, bank=bank, seated={**table.seated, before.holder: before.banker})
    if not reserves(table):
        return at_play
    covered = {seat: spot for seat, spot in covered_spots(at_play, before.bank_cents).items() if spot.bets}
    if not covered:
        raise Refused("nothing-covered", "the bank would have covered no wager: void the round instead")
    return changed(at_play, round=with_laid(table, changed(at_play.round, spots=covered), tape.spots))


def _as_covered(table: Table, settled: Settled) -> Round:
    """The tape of a settled round with the bets that its bank covered."""
    covered = _at_play(table, settled, settled.round).round
    return changed(settled.round, spots=covered.spots, laid=covered.laid)


def _settled(at_play: Table, before: Settled, tape: Round) -> Settled:
    """Deal the cards of a tape and settle it; refused if they are not its cards."""
    left = list(tape.drawn)
    dealt = unfolded(at_play, lambda: left.pop(0) if left else None)
    if dealt.card_for is not None:
        raise Refused(
            "cards-wanted",
            f"a card is missing: {whose_card(prepared(at_play)[0].game.face, dealt.card_for, dealt.card_of)}; "
            "give all cards of the round in the order they came",
        )
    if dealt.to_act:
        seat, allowed = next(iter(dealt.to_act.items()))
        raise Refused("choice-wanted", f"seat {seat} would have to decide ({' or '.join(allowed)}): give its choices")
    if left:
        raise Refused(
            "cannot-correct", f"the hand would have ended before {show_cards(left)}: give its choices, or its own cards"
        )
    played = changed(at_play.round, drawn=tape.drawn, phase=Phase.READY, unfolded=dealt)
    settled = settled_as(changed(at_play, round=played), before.day, before.bank_cents)
    return changed(settled, out=before.out, corrected=before.corrected)


def _check_as_bets(house: House, table: Table, before: Settled, command: Command) -> None:
    """Refuse bets that nobody could have placed: a wager twice, a guest whom the house does not know, a seat too many."""
    wagers = prepared(table)[0].game.wagers
    for seat, pairs in (*command.get("seat_bets", {}).items(), *command.get("dealer_bets", {}).items()):
        for wager, times in Counter(str(wager) for wager, _ in pairs).items():
            if times > 1:
                name = wagers[wager].name if wager in wagers else wager
                raise Refused("bad-bet", f"seat {seat} has {name} {times} times: give each wager once, with all that lay on it")
    guests = {int(seat): str(guest) for seat, guest in command.get("guests", {}).items()}
    for guest in guests.values():
        if ledger.guest(guest) not in house.balances and guest not in table.seated.values():
            known = "whoever has bet has bought chips at the cage or at a table"
            raise Refused("unknown-guest", f"{guest} has no account in this house: {known}; check the name")
    left = {int(seat) for seat, pairs in command.get("seat_bets", {}).items() if not pairs}
    names = {seat: spot.guest for seat, spot in before.round.spots.items()} | guests
    for guest in dict.fromkeys(guests.values()):
        seats = sorted(seat for seat, name in names.items() if name == guest and seat not in left)
        if table.seats_per_guest and len(seats) > table.seats_per_guest:
            had = f"{guest} would have had seats {', '.join(map(str, seats))}"
            raise Refused("too-many-seats", f"{had}: the house allows a guest {number_of(table.seats_per_guest, 'seat')}")


def _by_seat(table: Table, command: Command, name: str) -> list[tuple[int, dict[str, int]]]:
    """The bets that a command gives, by seat; refused if this table has no such seat."""
    given = sorted((int(seat), dict(pairs)) for seat, pairs in command.get(name, {}).items())
    for seat, _ in given:
        if not 1 <= seat <= table.seats:
            raise Refused("bad-seat", f"seat {seat} is not at this table (seats 1 to {table.seats})")
    return given


def _with_true_bets(table: Table, before: Settled, command: Command) -> Mapping[int, Spot]:
    """The spots with the bets and the guests that a command gives."""
    number, spots = before.round.number, dict(before.round.spots)
    guests = {int(seat): name for seat, name in command.get("guests", {}).items()}
    for seat, given in _by_seat(table, command, "seat_bets"):
        spot = spots.get(seat) or Spot(guests.get(seat, ""), {})
        if not spot.guest:
            raise Refused("bad-seat", f"seat {seat} had no wager in round {number}: say whose it was (guests)")
        check_all_bets(table, given, before.day)
        spots[seat] = with_bets(table, spot, given)
    for seat, given in _by_seat(table, command, "dealer_bets"):
        if seat not in spots:
            raise Refused("bad-seat", f"seat {seat} had no wager in round {number}, beside which one for the dealers could lie")
        spots[seat] = with_dealer_bets(table, spots[seat], given, before.day)
    for seat, guest in guests.items():
        if seat not in spots:
            raise Refused("bad-seat", f"seat {seat} had no wager in round {number}: give its bets")
        spots[seat] = changed(spots[seat], guest=guest)
    spots = {seat: spot for seat, spot in spots.items() if spot.bets}
    if not spots:
        raise Refused("no-bets", "no wager would be left: void the round instead")
    if before.holder and any(seat == before.holder or spot.guest == before.banker for seat, spot in spots.items()):
        raise Refused("bank-does-not-wager", f"{before.banker} banked round {number}: the bank does not wager, at no seat")
    return spots


def _check_cards(table: Table, before: Settled, tape: Round) -> None:
    """Refuse cards that cannot all have come from one shoe: together with the others that are out of it, or were before."""
    edition, settings, _ = prepared(table)
    if _is_of_shoe(table, before.round):
        out = (*_discards(table, before.round, tape), *table.round.drawn, *table.round.set_aside)
    else:
        out = (*before.out, *tape.drawn, *tape.set_aside)
    take(edition.game.shoe(settings), list(out))


def _is_of_shoe(table: Table, was: Round) -> bool:
    return was.number >= table.shoe_since and not is_shuffled_every_round(table)


def _discards(table: Table, was: Round, tape: Round) -> tuple[int, ...]:
    """The cards that are out of the present shoe, with the true ones of this round."""
    if not _is_of_shoe(table, was) or tape.drawn == was.drawn:
        return table.discards
    wrong, kept = Counter(was.drawn), []
    for card in table.discards:
        if wrong[card]:
            wrong[card] -= 1
        else:
            kept.append(card)
    return (*kept, *tape.drawn)


def _purse(table: Table, settled: Settled) -> str:
    """Who takes and pays: the tray, or the cage if it is closed; the guest who banked or, if he still does, his stake."""
    if table.bank is None:
        return ledger.tray(table.name) if table.is_open else ledger.CAGE
    bank = table.bank
    banks_still = table.is_open and (bank.holder, bank.since) == (settled.holder, settled.bank_since)
    return ledger.bank(table.name) if banks_still else ledger.guest(settled.banker)


def _move(effect: Effect, table: str, round_: Round, stake: PaidStake, purse: str, times: int) -> None:
    """Move what a stake won or lost, or move it back."""
    why = f"round {round_.number} seat {stake.seat} {stake.wager} {'settled again' if times > 0 else 'reversed'}"
    is_tip = stake.for_dealer and stake.win_cents > 0  # D4P-11: its win is the dealers'
    winner, win = ledger.tips(table) if is_tip else ledger.guest(stake.guest), stake.win_cents * times
    if winner != purse:
        effect.move(purse, winner, max(win, 0), why)
        effect.move(winner, purse, max(-win, 0), why)


def _tell_surveillance(effect: Effect, table: Table, stakes: Iterable[PaidStake]) -> None:
    """Payouts above the threshold: the supervisor who corrects has verified them, and surveillance is told."""
    high = tuple(HighPayout(s.seat, s.wager, s.win_cents) for s in stakes if s.win_cents > table.watch_cents)
    if high:
        effect.tell(Surveillance(high, table.watch_cents, acknowledge_first=False))


def _cover_bank(effect: Effect, table: Table, settled: Settled) -> None:
    """What a bank has put up may not be enough any more: the rest is the banker's to give."""
    bank = ledger.bank(table.name)
    change = sum(t.cents * ((t.target == bank) - (t.source == bank)) for t in effect.transfers)
    short = -(effect.house.balance(bank) + change)
    if short > 0:
        effect.move(ledger.guest(settled.banker), bank, short, f"round {settled.round.number} corrected")


def _as_if(table: Table, before: Settled, after: Settled) -> Table:
    """The table with its win, its action, its board and its cards as if the round had been settled right at first."""
    was, tape = before.round, after.round
    if table.bank is None:
        win = sum(stake.win_cents for stake in before.stakes) - sum(stake.win_cents for stake in after.stakes)
        table = changed(table, win_cents=table.win_cents + win)
    action = dict(table.action)
    for sign, settled in ((-1, before), (1, after)):
        for spot in () if settled.is_void else _as_covered(table, settled).spots.values():
            for wager, cents in (*spot.bets.items(), *spot.for_dealer.items()):
                known = action.get(wager, Action())
                action[wager] = known.and_(cents) if sign > 0 else known.without(cents)
    action = {wager: counted for wager, counted in action.items() if counted.bets}
    settled_round, settled_now = (0, ()) if table.settled_round == was.number else (table.settled_round, table.settled)
    return changed(
        table,
        action=action,
        history=_history(table, after),
        discards=_discards(table, was, tape),
        last=_last(table, _as_covered(table, after)),
        settled=settled_now,
        settled_round=settled_round,
    )


def _last(table: Table, tape: Round) -> Round | None:
    if table.last is None or table.last.number != tape.number:
        return table.last
    return changed(table.last, spots=tape.spots, laid=tape.laid, dice=tape.dice, drawn=tape.drawn, result=tape.result)


def _history(table: Table, after: Settled) -> tuple[Finished, ...]:
    """The board with the round as it is now: in its place, or gone if it is void."""
    number = after.round.number
    others = tuple(done for done in table.history if done.number != number)
    if after.is_void:
        return others
    if number < table.shoe_since and not is_shuffled_every_round(table):
        return table.history  # it is on no board any more
    played = changed(table, round=changed(_as_covered(table, after), phase=Phase.READY, unfolded=None))
    plays = unfolded(played, nothing).plays
    done = finished(played, plays, payments(played, plays))
    rounds = sorted((*others, done), key=lambda each: each.number)
    return tuple(rounds[-LAST_ROUNDS:] if is_shuffled_every_round(table) else rounds)
