"""Dealing, deciding and settling a round."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from houseway.cards import parse_cards, show_card, show_cards, take
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.game import Play, Result
from houseway.rulebook.settle import Payment, pay_result
from houseway.table import ledger
from houseway.table.bank import LISTED, end_hand, settle_by
from houseway.table.commands import Command, command, whole
from houseway.table.engine import (
    Effect,
    edition_of,
    in_phase,
    is_shuffled_every_round,
    nothing,
    open_table,
    prepared,
    text,
    unfolded,
)
from houseway.table.events import (
    AggregateLimit,
    CardsDrawn,
    CardWanted,
    Decided,
    HighPayout,
    NewShoe,
    Paid,
    ResultKeyed,
    RoundSettled,
    RoundVoided,
    Surveillance,
    ToAct,
)
from houseway.table.fields import CARDS, CHOICE, GUEST, REASON, RESULT, SEAT, TABLE
from houseway.table.history import LAST_ROUNDS, finished
from houseway.table.roles import DEALERS, PLAYERS
from houseway.table.state import Action, House, PaidStake, Phase, Round, Settled, Spot, Table, changed
from houseway.table.unfold import Draw, Unfolded, check_decision, early_cards_are_known, early_wagers, play_early
from houseway.table.washington import Due, within_aggregates, won_on


def settlement_order(table: Table) -> list[int]:
    """EZB-5, LLB-7: counter-clockwise from the dealer's right; seats are numbered clockwise from his left."""
    return sorted(table.round.spots, reverse=True)


def payments(table: Table, plays: dict[int, Play]) -> list[Due]:
    """Every payment in the order it is made; bonus wagers by their own pay tables (EPG-12)."""
    edition, settings, _ = prepared(table)
    due = []
    for seat in settlement_order(table):
        if seat in plays:
            spot = table.round.spots[seat]
            for result in plays[seat].results:
                payment = pay_result(edition, result, spot.bets, settings)
                if payment:
                    due.append((seat, spot, payment))
                if not result.prize and (edition.game.wagers[result.wager].follows or result.wager) in spot.for_dealer:
                    payment = pay_result(edition, result, spot.for_dealer, settings)
                    assert payment is not None
                    due.append((seat, spot, replace(payment, for_dealer=True)))
    return within_aggregates(due, table.aggregates) if table.aggregates else due


def covered(table: Table, due: list[Due], bank_cents: int) -> tuple[PaidStake, ...]:
    """What is taken of and paid to every stake: all that is due by the house; by a player's bank, what it covers."""
    if table.bank is not None:
        moved = settle_by(table, due, bank_cents)
    else:
        moved = [(item, max(-item[2].win_cents, 0), max(item[2].win_cents, 0)) for item in due]
    return tuple(_paid(*item, taken, won) for item, taken, won in moved)


def _paid(seat: int, spot: Spot, payment: Payment, taken: int, won: int) -> PaidStake:
    return PaidStake(
        seat=seat,
        guest=spot.guest,
        wager=payment.wager,
        spot=spot_name(payment),
        outcome=payment.outcome,
        clause=payment.clause,
        stake_cents=payment.stake_cents,
        owed_cents=payment.win_cents,
        taken_cents=taken,
        won_cents=won,
        for_dealer=payment.for_dealer,
    )


def _pay(effect: Effect, table: Table, stakes: tuple[PaidStake, ...], purse: str) -> int:
    """Move what a purse, the tray or a player's bank, takes and pays, and tell it; what the purse won."""
    felt, win = ledger.wagers(table.name), 0
    for stake in stakes:
        guest, why = ledger.guest(stake.guest), f"round {table.round.number} seat {stake.seat} {stake.wager}"
        why += " for the dealer" if stake.for_dealer else ""
        winner = ledger.tips(table.name) if stake.for_dealer else guest  # D4P-11: its win is the dealers'
        effect.move(felt, purse, stake.taken_cents, f"{why} taken")
        effect.move(felt, guest, stake.stake_cents - stake.taken_cents, f"{why} returned")
        effect.move(purse, winner, stake.won_cents, f"{why} paid")
        effect.tell(Paid.of(stake))
        win -= stake.win_cents
    return win


def settled_as(table: Table, day: str, bank_cents: int) -> Settled:
    """A round that is complete, as it is settled: what was paid early first, then the rest in the order of payment."""
    edition, settings, encoded = prepared(table)
    dealt, early = unfolded(table), early_wagers(edition)
    plays = play_early(edition, settings, encoded, table.round, dealt) if early and not table.round.result else {}
    first = payments(table, plays)
    spots = {seat: changed(spot, held_cents=0, ready=False) for seat, spot in table.round.as_laid.items()}
    round_ = table.round
    tape = Round(round_.number, Phase.READY, spots, round_.dice, round_.drawn, result=round_.result, set_aside=round_.set_aside)
    tape = changed(tape, paid_before=round_.paid_before)
    stakes = (*covered(table, first, bank_cents), *covered(table, _later_payments(table, dealt, early), bank_cents))
    out = () if is_shuffled_every_round(table) else table.discards
    if table.bank is None:
        return Settled(day, tape, stakes, out=out)
    bank = table.bank
    return Settled(day, tape, stakes, bank.holder, table.seated[bank.holder], bank_cents, bank.since, out)


def _later_payments(table: Table, dealt: Unfolded, early: tuple[str, ...]) -> list[Due]:
    if not early:
        return payments(table, dealt.plays)
    plays = {seat: Play(p.steps, tuple(_unpaid(p.results, early))) for seat, p in dealt.plays.items()}
    return payments(table, plays)


def spot_name(payment: Payment) -> str:
    """Which of several stakes on a wager a payment is for."""
    return ", ".join(filter(None, (payment.spot, "for the dealer" if payment.for_dealer else "")))


def _to_undo(stake: PaidStake) -> tuple[int, str, int, int]:
    """A payment as it is remembered, should it be reversed: whose the money is, nobody's name for a win of the dealers'."""
    winner = "" if stake.for_dealer and stake.win_cents > 0 else stake.guest
    return stake.seat, winner, stake.stake_cents, stake.win_cents


def go_on(effect: Effect, table: Table, round_: Round, draw: Draw) -> Unfolded:
    """Unfold a round as far as it goes, settle what is settled early, and say whom it waits for."""
    before = len(table.round.drawn)
    is_as_it_lies = round_ is table.round and round_.unfolded is None
    lies = table if is_as_it_lies else changed(table, round=changed(round_, unfolded=None))
    dealt = unfolded(lies, draw, table.round.unfolded)
    if len(dealt.drawn) > before:
        cards = tuple(map(show_card, dealt.drawn[before:]))
        effect.tell(CardsDrawn(table.shoe.id if table.shoe else "", cards))
    round_ = changed(round_, drawn=tuple(dealt.drawn), unfolded=dealt)
    shoe = _used(table, len(dealt.drawn) - before)
    if _is_early_due(table, round_, dealt):
        table = changed(table, round=round_, shoe=shoe)
        plays = play_early(*prepared(table), round_, dealt)
        if not _may_pay(effect, table, payments(table, plays)):
            effect.table = table
            return dealt
        table = _settle_early(effect, table, plays)
        round_ = table.round
    phase = Phase.READY if dealt.is_complete else Phase.DECIDING if dealt.to_act else Phase.DEALING
    if dealt.first_deal_done and phase == Phase.DEALING:
        phase = Phase.DECIDING
    effect.table = changed(table, round=changed(round_, phase=phase), shoe=shoe)
    _warn(effect)
    for seat, allowed in dealt.to_act.items():
        effect.tell(ToAct(seat, allowed))
    if dealt.card_for is not None:
        effect.tell(CardWanted(dealt.card_for))
    return dealt


def _is_early_due(table: Table, round_: Round, dealt: Unfolded) -> bool:
    """LLB-7: whether wagers are settled now that do not wait for the rest of the round, as soon as their cards are known.

    Before form 3 they waited for the whole first deal.
    """
    edition = edition_of(table)
    if round_.phase != Phase.DEALING or round_.early_paid or not early_wagers(edition):
        return False
    at_once = table.form >= LISTED and early_cards_are_known(edition.game.dealing, dealt)
    return dealt.first_deal_done or at_once


def _used(table: Table, cards: int) -> Any:
    return changed(table.shoe, used=table.shoe.used + cards) if table.shoe else None


def payments_due(table: Table) -> list[Due]:
    """What a round that is ready comes to, in the order of payment, before a player's bank is asked what it covers."""
    if table.round.phase != Phase.READY:
        return []
    paid = early_paid(table)
    return [due for due in payments(table, unfolded(table).plays) if due[2].wager not in paid]


def early_paid(table: Table) -> tuple[str, ...]:
    """The wagers of the round that are settled already."""
    return early_wagers(prepared(table)[0]) if table.round.early else ()


def early_payments(table: Table) -> list[Due]:
    """What the wagers of the round that are settled already came to, in the order of payment (LLB-7)."""
    if not table.round.early:
        return []
    return payments(table, play_early(*prepared(table), table.round, unfolded(table)))


def high_payouts(table: Table) -> tuple[HighPayout, ...]:
    """The payouts of a round that is ready, above the threshold: what surveillance verifies before they are paid."""
    return _high(table, payments_due(table))


def early_to_verify(table: Table) -> tuple[HighPayout, ...]:
    """Payouts of wagers that are settled early, for which the round waits until a supervisor has verified them."""
    dealt = unfolded(table)
    if table.watch != "acknowledge" or table.round.acknowledged or not _is_early_due(table, table.round, dealt):
        return ()
    return _high(table, payments(table, play_early(*prepared(table), table.round, dealt)))


def _high(table: Table, payments: list[Due]) -> tuple[HighPayout, ...]:
    return tuple(
        HighPayout(seat, payment.wager, payment.win_cents)
        for seat, _, payment in payments
        if payment.win_cents > table.watch_cents
    )


def _warn(effect: Effect) -> None:
    """Where payouts must be acknowledged, tell surveillance as soon as they are known."""
    table = effect.table
    assert table is not None
    if table.watch == "acknowledge" and (high := high_payouts(table)):
        effect.tell(Surveillance(high, table.watch_cents, acknowledge_first=True))


def _may_pay(effect: Effect, table: Table, payments: list[Due]) -> bool:
    """Tell of payouts at their aggregate limit, and surveillance of high ones; whether they may be paid now.

    Otherwise a supervisor must acknowledge them first.
    """
    for wager, most in table.aggregates.items():
        if won_on(payments, wager) == most:
            effect.tell(AggregateLimit(wager, most))
    high = _high(table, payments)
    if not high:
        return True
    waits = table.watch == "acknowledge" and not table.round.acknowledged
    effect.tell(Surveillance(high, table.watch_cents, acknowledge_first=waits))
    return not waits


def _settle_early(effect: Effect, table: Table, plays: dict[int, Play]) -> Table:
    start, spots = len(effect.transfers), dict(table.round.spots)
    stakes = covered(table, payments(table, plays), 0)
    win = _pay(effect, table, stakes, ledger.tray(table.name))
    for stake in stakes:
        spots[stake.seat] = changed(spots[stake.seat], held_cents=spots[stake.seat].held_cents - stake.stake_cents)
    early = tuple(effect.transfers[start:])
    paid = tuple(map(_to_undo, stakes))
    round_ = changed(table.round, spots=spots, early=early, early_paid=paid, acknowledged=False)
    return changed(table, win_cents=table.win_cents + win, round=round_)


@command("deal", DEALERS, "Deal from the virtual shoe", TABLE)
def deal(house: House, command: Command, draw: Draw) -> Effect:
    """Deal from the shoe."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.DEALING, Phase.DECIDING)
    if table.source != "virtual-shoe":
        raise Refused("manual-table", f"the cards of {table.name} are keyed in: use card")
    if round_.phase == Phase.DECIDING and unfolded(table).card_for is None:
        raise Refused("wrong-phase", f"round {round_.number} waits for decisions, not for cards")
    effect = Effect(house)
    go_on(effect, table, round_, draw)
    return effect


@command("card", DEALERS, "Key cards in, in the order they are dealt", TABLE, CARDS)
def card(house: House, command: Command, draw: Draw) -> Effect:
    """Key in cards in the order they are dealt; impossible and superfluous ones are refused."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.DEALING, Phase.DECIDING)
    if table.source == "virtual-shoe":
        raise Refused("virtual-table", f"the cards of {table.name} come from its shoe: use deal")
    keyed = list(parse_cards(text(command, "cards")))
    if not keyed:
        raise Refused("bad-card", "no card is named: write cards such as As Kd 10h")
    edition, settings, _ = prepared(table)
    take(edition.game.shoe(settings), [*table.discards, *round_.set_aside, *round_.drawn, *keyed])
    effect = Effect(house)
    dealt = go_on(effect, table, round_, lambda: keyed.pop(0) if keyed else None)
    if keyed:
        waits = f"seat {next(iter(dealt.to_act))} to decide" if dealt.to_act else "settle"
        raise Refused("too-many-cards", f"{show_cards(keyed)}: no card is wanted now; the round waits for {waits}")
    return effect


@command("new-shoe", DEALERS, "Begin a new shoe at a manual table", TABLE)
def new_shoe(house: House, command: Command, draw: Draw) -> Effect:
    """A manual table begins a new shoe: all cards are in it again."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    if table.source == "virtual-shoe":
        raise Refused("virtual-table", "a virtual shoe is changed by the house, at the cut card")
    effect = Effect(house, changed(table, discards=()))
    if not is_shuffled_every_round(table):
        effect.table = changed(table, discards=(), history=(), shoe_since=table.round.number)
    effect.tell(NewShoe(len(table.discards)))
    return effect


GIVES_REASON = 5
"""The form of journals since a result that is keyed over another one says why."""


@command(
    "result",
    DEALERS,
    "Key in a result whose cards are not keyed; over another one, with a reason",
    TABLE,
    RESULT,
    may=(REASON,),
)
def result(house: House, command: Command, draw: Draw) -> Effect:
    """Key in the result of a hand whose cards are not keyed; before the settlement it can be keyed again."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.DEALING, Phase.READY)
    keyed = text(command, "result")
    if round_.drawn:
        raise Refused("cards-wanted", f"{table.name} is settled from its cards, not from a result")
    check_result(table, round_, keyed)
    reason = str(command.get("reason", ""))
    if round_.result and command.get("form", 0) >= GIVES_REASON:
        if keyed == round_.result:
            raise Refused("nothing-changes", "that is the result already: nothing would change")
        if not reason:
            raise Refused("bad-command", "a result is keyed already: to key another over it, give a reason")
    effect = Effect(house, changed(table, round=changed(round_, result=keyed, phase=Phase.READY, unfolded=None)))
    effect.tell(ResultKeyed(keyed, round_.result, reason))
    _warn(effect)
    return effect


def check_result(table: Table, round_: Round, keyed: str) -> None:
    """Refuse a result that the game does not know, or where cards decide."""
    edition, _, _ = prepared(table)
    if table.source == "virtual-shoe" or edition.game.dealing.play_result is None:
        raise Refused("cards-wanted", f"{table.name} is settled from its cards, not from a result")
    bets = {wager for spot in round_.spots.values() for wager in spot.bets}
    if own := [edition.name_of(wager) for wager in sorted(bets) if edition.offered[wager].resolve]:
        raise Refused("cards-wanted", f"{', '.join(own)} is settled from the cards, and lies on the table: key them in")
    edition.game.dealing.play_result(keyed, {})


@command("decide", PLAYERS, "A seat's decision: one of those its view lists under to_act", TABLE, SEAT, CHOICE, may=(GUEST,))
def decide(house: House, command: Command, draw: Draw) -> Effect:
    """A seat's choice; a choice that stakes as much again takes it at once."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.DECIDING, Phase.BETTING)
    seat, choice = whole(command, "seat"), text(command, "choice")
    if round_.phase == Phase.BETTING:
        return _choose_with_bet(house, table, seat, choice, command)
    allowed = check_decision(unfolded(table), seat)
    spot = round_.spots[seat]
    who = command.get("actor") if command.get("role") == "guest" else command.get("guest", spot.guest)
    if who != spot.guest:
        raise Refused("not-your-seat", f"seat {seat} is {spot.guest}'s")
    if choice.split()[0] not in allowed:
        raise Refused("bad-choice", f'seat {seat} may not "{choice}" now (allowed: {", ".join(allowed)})')
    edition, _, _ = prepared(table)
    hidden = table.source == "virtual-shoe" and not edition.game.dealing.hands_face_up
    if hidden and command.get("role") != "guest" and " " in choice:
        raise Refused("not-your-hand", f"only {spot.guest} sees these cards and names some of them (others: {allowed[-1]})")
    effect, held = Effect(house), spot.held_cents
    raised = edition.game.dealing.raises.get(choice)
    if raised and choice in allowed:
        more = spot.bets[raised] + spot.for_dealer.get(raised, 0)  # D4P-2: as much again, for the dealers' bet as well
        effect.move(ledger.guest(spot.guest), ledger.wagers(table.name), more, f"seat {seat} {choice}")
        held += more
    decided = changed(spot, choices=(*spot.choices, choice), held_cents=held)
    effect.tell(Decided(seat, choice))
    order = "looked" if unfolded(table).before_look else "decided"
    going_on = changed(round_, spots={**round_.spots, seat: decided}, **{order: (*getattr(round_, order), seat)})
    go_on(effect, table, going_on, draw if table.source == "virtual-shoe" else nothing)
    return effect


def _choose_with_bet(house: House, table: Table, seat: int, choice: str, command: Command) -> Effect:
    """EPG-6: the colour of a Red/Black bet is part of the wager, chosen before the cards."""
    edition, _, _ = prepared(table)
    spot = table.round.spots.get(seat)
    parts = {w: edition.approved[setting] for w, setting in edition.game.dealing.with_bet.items() if spot and w in spot.bets}
    allowed = tuple(str(value) for values in parts.values() for value in values)
    if spot is None or choice not in allowed:
        possible = " or ".join(allowed) or "nothing, before the cards"
        raise Refused("wrong-phase", f"seat {seat} may decide {possible} while bets are placed")
    if command.get("role") == "guest" and command.get("actor") != spot.guest:
        raise Refused("not-your-seat", f"seat {seat} is {spot.guest}'s")
    decided = changed(spot, choices=(choice,))
    effect = Effect(house, changed(table, round=changed(table.round, spots={**table.round.spots, seat: decided})))
    effect.tell(Decided(seat, choice))
    return effect


@command("settle", DEALERS, "Take and pay every wager in the approved order", TABLE)
def settle(house: House, command: Command, draw: Draw) -> Effect:
    """Take and pay every wager in the approved order, all or nothing, and begin the next round."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.READY)
    played, early, effect = unfolded(table), early_paid(table), Effect(house)
    paid = _later_payments(table, played, early)
    due = payments(table, played.plays) if early else paid  # what a scoreboard tells: also what was paid early
    if not _may_pay(effect, table, paid):
        wagers = prepared(table)[0].game.wagers
        payouts = [f"seat {each.seat}'s {wagers[each.wager].name} of {dollars(each.win_cents)}" for each in _high(table, paid)]
        high = " and ".join(payouts)
        raise Refused("acknowledge-first", f"a supervisor must acknowledge {high} before it is paid")
    if table.bank is not None:
        return _settle_against_bank(house, table, played, paid, due, text(command, "at"))
    stakes = covered(table, paid, 0)
    win = _pay(effect, table, stakes, ledger.tray(table.name))
    left = sum(spot.held_cents for spot in round_.spots.values())
    assert left == sum(t.cents for t in effect.transfers if t.source == ledger.wagers(table.name)), "stakes do not add up"
    end_round(
        effect,
        table,
        RoundSettled,
        **_history(table, played, due),
        win_cents=table.win_cents + win,
        settled=(*round_.early_paid, *map(_to_undo, stakes)),
        settled_round=round_.number,
    )
    return effect


def _settle_against_bank(house: House, table: Table, played: Unfolded, paid: list[Due], due: list[Due], at: str) -> Effect:
    """EZC-5, R12: in the order of action, until the bank's stake is used up; what is not covered goes back."""
    effect, bank = Effect(house), ledger.bank(table.name)
    put_up = house.balance(bank)
    left = put_up + _pay(effect, table, covered(table, paid, put_up), bank)
    ended = end_hand(effect, table, left, at)
    end_round(effect, table, RoundSettled, **_history(table, played, due), bank=ended)
    return effect


def _unpaid(results: tuple[Result, ...], early: tuple[str, ...]) -> Iterator[Result]:
    return (result for result in results if result.wager not in early)


def end_round(effect: Effect, table: Table, how: type[RoundSettled | RoundVoided], **also: object) -> None:
    """The next round begins, and the fields that `also` change are so from then on; a shoe past its cut card is done."""
    fresh = is_shuffled_every_round(table)
    shoe = table.shoe  # BJ-9: a round in progress is completed; past the cut card the next has a new shoe
    done = shoe is not None and (fresh or shoe.used >= shoe.cut)
    discards = () if fresh or (shoe and done) else (*table.discards, *table.round.drawn, *table.round.set_aside)
    effect.table = changed(
        table,
        round=Round(number=table.round.number + 1),
        last=changed(table.round, unfolded=None),
        shoe=None if done else shoe,
        discards=discards,
        drew=_drew(table),
        **also,
    )
    effect.tell(how(table.round.number, shoe.id if shoe and done else ""))


def _drew(table: Table) -> int:
    """EZB-2: the seat that drew last; one whose hand was void before the first card draws the next."""
    has_drawn = table.round.drawer and (table.round.drawn or table.round.result)
    return table.round.drawer if has_drawn else table.drew


def _history(table: Table, played: Unfolded, due: list[Due]) -> dict[str, object]:
    """What a settlement changes of a table: its rounds as a scoreboard tells them, and what was bet."""
    action = dict(table.action)
    for spot in table.round.spots.values():
        for wager, cents in (*spot.bets.items(), *spot.for_dealer.items()):
            action[wager] = action.get(wager, Action()).and_(cents)
    kept = table.history if not is_shuffled_every_round(table) else table.history[1 - LAST_ROUNDS :]
    history = (*kept, finished(table, played.plays, due))
    return {"history": history, "action": action, "action_before": table.action}


@command("time-out", DEALERS, "The clock has run out: the house's default action for a seat", TABLE, SEAT)
def time_out(house: House, command: Command, draw: Draw) -> Effect:
    """The decision clock has run out: the house's default action for the seat to act."""
    table = open_table(house, command)
    in_phase(table, Phase.DECIDING)
    waited = (datetime.fromisoformat(command["at"]) - datetime.fromisoformat(table.touched_at)).total_seconds()
    if 0 <= waited < table.decision_seconds:  # where the clock was set back nobody can tell: the dealer decides
        raise Refused("clock-running", f"the clock runs for {table.decision_seconds - int(waited)} more seconds")
    allowed, default = check_decision(unfolded(table), whole(command, "seat")), prepared(table)[0].game.dealing.default_choice
    choice = default if default in allowed else allowed[-1]
    return decide(house, {**command, "kind": "decide", "choice": choice}, draw)
