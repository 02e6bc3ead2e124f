"""A settled round put right: any round of the gaming day, whatever the present one is doing.

The floor gives the command the round as it stands, `settled`, from the journal. What the truth changes is reversed and
settled again in one entry; what it does not change stays. A guest who no longer has what he must give back owes it.
"""

from collections import Counter
from collections.abc import Mapping

from houseway.board import Finished
from houseway.cards import parse_cards, show_cards, take
from houseway.refusal import Refused
from houseway.rulebook.settle import check_bets
from houseway.table import ledger
from houseway.table.betting import check_wager, with_bets
from houseway.table.commands import Command, command, whole
from houseway.table.debts import settle_debts
from houseway.table.engine import Effect, is_shuffled_every_round, nothing, open_table, prepared, text, unfolded
from houseway.table.events import PaidAgain, PaymentReversed, RoundCorrected
from houseway.table.fields import CARDS, CHOICES, DICE, GUESTS, REASON, RESULT, ROUND, SEAT_BETS, TABLE, VOID
from houseway.table.history import LAST_ROUNDS, finished
from houseway.table.mend import with_choices
from houseway.table.plain import from_json
from houseway.table.play import check_result, payments, settled_as
from houseway.table.roles import SUPERVISORS
from houseway.table.state import Action, House, PaidStake, Phase, Round, Settled, Spot, Table, changed
from houseway.table.unfold import Draw


@command(
    "correct",
    SUPERVISORS,
    "Correct a settled round of the day: give what was really dealt, keyed, decided or bet, and it is settled again",
    TABLE,
    ROUND,
    REASON,
    may=(CARDS, RESULT, CHOICES, SEAT_BETS, GUESTS, DICE, VOID),
    recorded_when_refused=True,
)
def correct(house: House, command: Command, draw: Draw) -> Effect:
    """Reverse what the truth changes, and settle it again."""
    table = open_table(house, command)
    before = _as_settled(table, command)
    after = settled_again(table, before, command)
    if after == before:
        raise Refused("nothing-changes", f"round {before.round.number} was settled like that: nothing would change")
    effect, purse = Effect(house), _purse(table, before)
    effect.tell(RoundCorrected(before.round.number, text(command, "reason"), bool(command.get("void"))))
    was, is_now = Counter(before.stakes), Counter(after.stakes)
    for stake in (was - is_now).elements():
        _move(effect, table.name, before.round, stake, purse, -1)
        effect.tell(PaymentReversed(stake.seat, stake.guest, stake.wager, stake.spot, stake.win_cents))
    for stake in (is_now - was).elements():
        _move(effect, table.name, before.round, stake, purse, 1)
        effect.tell(PaidAgain.of(stake))
    _cover_bank(effect, table, before)
    settle_debts(effect, collects=True)
    effect.table = _as_if(table, before, after)
    return effect


def _as_settled(table: Table, command: Command) -> Settled:
    """The round that a command names, as it stands; refused if it was not settled here today."""
    number = whole(command, "round")
    if number >= table.round.number or number < 1:
        present = f"round {table.round.number} is in play, and is put right before its settlement"
        raise Refused("not-settled", f"round {number} is not settled yet: {present}")
    if "settled" not in command:
        raise Refused("not-settled", f"round {number} was not settled since {table.name} was opened: it was voided")
    settled = from_json(Settled, command["settled"])
    if settled.day != command.get("day"):
        raise Refused("another-day", f"round {number} was settled on {settled.day}: a round is corrected on its own gaming day")
    return settled


def settled_again(table: Table, before: Settled, command: Command) -> Settled:
    """The round with what a command says of it, settled by the rules of its table; refused if it cannot have gone so."""
    round_ = before.round
    spots = with_choices(_with_true_bets(table, before, command), command)
    cards = list(parse_cards(str(command["cards"])) if "cards" in command else round_.drawn)
    result = str(command.get("result", "" if "cards" in command else round_.result))
    tape = changed(
        round_, spots=spots, dice=command.get("dice", round_.dice), result=result, drawn=tuple(cards) if not result else ()
    )
    if command.get("void"):
        return changed(before, round=tape, stakes=())
    if table.source == "virtual-shoe" and "cards" in command:
        raise Refused("cannot-correct", "the cards of a virtual shoe came from it in their order, and are what they were")
    if result:
        check_result(table, tape, result)
    _check_cards(table, round_, tape)
    at_play = changed(table, round=changed(tape, phase=Phase.DEALING, drawn=(), unfolded=None))
    if table.bank is not None:
        bank = changed(table.bank, holder=before.holder)
        at_play = changed(at_play, bank=bank, seated={**table.seated, before.holder: before.banker})
    left = list(tape.drawn)
    dealt = unfolded(at_play, lambda: left.pop(0) if left else None)
    if dealt.card_for is not None:
        raise Refused(
            "cards-wanted", f"a card is missing: {dealt.card_for}; give all cards of the round in the order they came"
        )
    if dealt.to_act:
        seat, allowed = next(iter(dealt.to_act.items()))
        raise Refused("choice-wanted", f"seat {seat} would have to decide ({' or '.join(allowed)}): give its choices")
    if left:
        raise Refused(
            "cannot-correct", f"the hand would have ended before {show_cards(left)}: give its choices, or its own cards"
        )
    played = changed(at_play, round=changed(tape, phase=Phase.READY, unfolded=dealt))
    return settled_as(played, before.day, before.bank_cents)


def _with_true_bets(table: Table, before: Settled, command: Command) -> Mapping[int, Spot]:
    """The spots with the bets, and at a seat that had none the guest, that a command gives."""
    edition, settings, _ = prepared(table)
    spots, guests = dict(before.round.spots), {int(seat): name for seat, name in command.get("guests", {}).items()}
    for seat, given in sorted((int(seat), dict(pairs)) for seat, pairs in command.get("seat_bets", {}).items()):
        if not 1 <= seat <= table.seats:
            raise Refused("bad-seat", f"seat {seat} is not at this table (seats 1 to {table.seats})")
        spot = spots.get(seat) or Spot(guests.get(seat, table.seated.get(seat, "")), {})
        if not spot.guest:
            raise Refused("bad-seat", f"seat {seat} had no wager in round {before.round.number}: say whose it was")
        for wager in given:
            check_wager(table, given, wager, before.day)
        check_bets(edition, {name: held for name, held in given.items() if name not in edition.game.dealing.late}, settings)
        spots[seat] = with_bets(table, spot, given)
    for seat, guest in guests.items():
        if seat not in spots:
            raise Refused("bad-seat", f"seat {seat} had no wager in round {before.round.number}: give its bets")
        spots[seat] = changed(spots[seat], guest=guest)
    spots = {seat: spot for seat, spot in spots.items() if spot.bets}
    if not spots:
        raise Refused("no-bets", "no wager would be left: void the round instead")
    return spots


def _check_cards(table: Table, was: Round, tape: Round) -> None:
    """Refuse cards that cannot all have come from one shoe; of the present shoe, together with the others that are out."""
    edition, settings, _ = prepared(table)
    out = (*_discards(table, was, tape), *table.round.drawn, *table.round.set_aside) if _is_of_shoe(table, was) else tape.drawn
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
    """Who takes and pays: the tray, or the guest who banked; if he still does, what he has put up."""
    if table.bank is None:
        return ledger.tray(table.name)
    banks_still = table.bank.holder == settled.holder and table.seated.get(settled.holder) == settled.banker
    return ledger.bank(table.name) if banks_still else ledger.guest(settled.banker)


def _move(effect: Effect, table: str, round_: Round, stake: PaidStake, purse: str, times: int) -> None:
    """Move what a stake won or lost, or move it back."""
    why = f"round {round_.number} seat {stake.seat} {stake.wager} {'settled again' if times > 0 else 'reversed'}"
    is_tip = stake.for_dealer and stake.win_cents > 0  # D4P-11: its win is the dealers'
    winner, win = ledger.tips(table) if is_tip else ledger.guest(stake.guest), stake.win_cents * times
    if winner != purse:
        effect.move(purse, winner, max(win, 0), why)
        effect.move(winner, purse, max(-win, 0), why)


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
        for spot in () if settled.is_void else settled.round.spots.values():
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
        last=_last(table, tape),
        settled=settled_now,
        settled_round=settled_round,
    )


def _last(table: Table, tape: Round) -> Round | None:
    if table.last is None or table.last.number != tape.number:
        return table.last
    return changed(table.last, spots=tape.spots, dice=tape.dice, drawn=tape.drawn, result=tape.result)


def _history(table: Table, after: Settled) -> tuple[Finished, ...]:
    """The board with the round as it is now: in its place, or gone if it is void."""
    number = after.round.number
    others = tuple(done for done in table.history if done.number != number)
    if after.is_void:
        return others
    if number < table.shoe_since or (is_shuffled_every_round(table) and number < table.round.number - LAST_ROUNDS):
        return table.history  # it is on no board any more
    played = changed(table, round=changed(after.round, phase=Phase.READY, unfolded=None))
    plays = unfolded(played, nothing).plays
    done = finished(played, plays, payments(played, plays))
    told = sorted((*others, done), key=lambda each: each.number)
    return tuple(told[-LAST_ROUNDS:] if is_shuffled_every_round(table) else told)
