"""Irregularities: rounds frozen, voided or reversed, and payouts that a supervisor acknowledges."""

from houseway.money import dollars
from houseway.refusal import Refused, one_of
from houseway.table import ledger
from houseway.table.commands import Command, command
from houseway.table.debts import settle_debts
from houseway.table.engine import Effect, in_phase, nothing, open_table, prepared, text
from houseway.table.event import FORM, STRICT_DUTIES
from houseway.table.events import (
    Acknowledged,
    CardsChecked,
    Frozen,
    HighPayout,
    NotRecovered,
    Resolved,
    Reversed,
    RoundVoided,
    SettlementReversed,
    Voided,
)
from houseway.table.fields import REASON, ROUND, TABLE
from houseway.table.play import early_to_verify, end_round, go_on, high_payouts
from houseway.table.roles import DISPUTERS, SUPERVISORS
from houseway.table.state import House, Phase, Round, Table, changed
from houseway.table.unfold import Draw

VOID_REASONS = (
    "card-face-up",
    "wrong-number-of-cards",
    "dealer-card-exposed",
    "shuffler-jam",
    "shuffler-miscount",
    "misdeal",
    "power-failure",
    "shoe-ran-out",
)
ONLY_MACHINES = 3
"""The form of journals since a virtual shoe is no shuffler."""


def void_clause(table: Table, reason: str) -> str:
    """The clause that voids a round for this reason; a game's own apply where a shuffler is used (D4P-14e)."""
    shuffler = table.source == "shuffler" or (table.source == "virtual-shoe" and table.form < ONLY_MACHINES)
    return prepared(table)[0].game.dealing.void_reasons.get(reason, "house rules") if shuffler else "house rules"


def _named_round(table: Table, command: Command, *phases: Phase) -> Round:
    """The round in play; refused if the command names another one."""
    number, named = table.round.number, command.get("round", table.round.number)
    if named != number:
        instead = f"correct round {named}, if it was settled today" if named < number else f"round {number} comes first"
        raise Refused("another-round", f"round {number} is in play, not round {named}: {instead}")
    return in_phase(table, *phases)


@command("dispute", DISPUTERS, "Freeze the round until the dispute is resolved", TABLE, REASON, may=(ROUND,))
def dispute(house: House, command: Command, draw: Draw) -> Effect:
    """Freeze a round: nothing can be done with it until a supervisor resolves the dispute, or voids it."""
    table = open_table(house, command)
    round_ = _named_round(table, command, Phase.DEALING, Phase.DECIDING, Phase.READY, Phase.BETTING)
    frozen = changed(round_, phase=Phase.FROZEN, frozen_from=round_.phase)
    effect = Effect(house, changed(table, round=frozen))
    effect.tell(Frozen(round_.number, text(command, "reason")))
    return effect


@command("resolve", SUPERVISORS, "End a dispute: the round goes on where it stood", TABLE, REASON, may=(ROUND,))
def resolve(house: House, command: Command, draw: Draw) -> Effect:
    """End a dispute: the round goes on where it stood."""
    table = open_table(house, command)
    round_ = _named_round(table, command, Phase.FROZEN)
    assert round_.frozen_from is not None
    effect = Effect(house, changed(table, round=changed(round_, phase=round_.frozen_from, frozen_from=None)))
    effect.tell(Resolved(round_.number, text(command, "reason")))
    return effect


def _to_acknowledge(house: House, command: Command) -> int:
    """The payouts that wait: what an acknowledgement is about."""
    table = open_table(house, command)
    if table.round.phase not in {Phase.READY, Phase.DEALING}:
        return 0
    return sum(payout.win_cents for payout in _waiting(table))


def _waiting(table: Table) -> tuple[HighPayout, ...]:
    """The payouts above the threshold that are known and not paid: those of early wagers first."""
    return early_to_verify(table) or high_payouts(table)


def _on_felt(house: House, command: Command) -> int:
    """The stakes that a void gives back."""
    return sum(spot.held_cents for spot in open_table(house, command).round.spots.values())


@command(
    "acknowledge",
    SUPERVISORS,
    "Say that a payout above the threshold is verified",
    TABLE,
    recorded_when_refused=True,
    at_stake=_to_acknowledge,
)
def acknowledge(house: House, command: Command, draw: Draw) -> Effect:
    """A supervisor has verified a payout above the surveillance threshold."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.READY, Phase.DEALING)
    if command.get("form", FORM) >= STRICT_DUTIES and not _waiting(table):
        above = f"no payout above {dollars(table.watch_cents)} waits at {table.name}"
        raise Refused("nothing-to-acknowledge", f"{above}: it is verified when its cards are there")
    acknowledged = changed(table, round=changed(round_, acknowledged=True))
    effect = Effect(house, acknowledged)
    effect.tell(Acknowledged(round_.number))
    if round_.phase == Phase.DEALING:
        go_on(effect, acknowledged, acknowledged.round, nothing)
    return effect


def _must_check(table: Table, reason: str) -> bool:
    """D4P-14d: whether the cards of a shuffler must be checked after a void for this reason."""
    edition, settings, _ = prepared(table)
    check = edition.game.dealing.card_check
    if check is None or table.source != "shuffler":
        return False
    return settings[check.setting] == check.value and reason in check.reasons


@command("check-cards", SUPERVISORS, "Record that the cards out of a shuffler at fault are checked and reshuffled", TABLE)
def check_cards(house: House, command: Command, draw: Draw) -> Effect:
    """D4P-14d: a supervisor has checked the cards; the next round may be dealt."""
    table = open_table(house, command)
    if not table.check_cards:
        raise Refused("nothing-to-check", "no cards are to be checked: that is recorded after a fault of the shuffler only")
    effect = Effect(house, changed(table, check_cards=""))
    effect.tell(CardsChecked(table.check_cards, void_clause(table, table.check_cards)))
    return effect


def _purse(table: Table, guest: str) -> str:
    """Whose money a payment was: a guest's or, where no name is kept, the dealers'."""
    return ledger.guest(guest) if guest else ledger.tips(table.name)


def _undo_early(effect: Effect, table: Table, guest: str, win_cents: int, why: str) -> int:
    """As before there were debts: what was won early is taken back as far as the guest still has it; the table's win."""
    tray, purse = ledger.tray(table.name), _purse(table, guest)
    if win_cents <= 0:
        effect.move(tray, purse, -win_cents, why)
        return win_cents
    balance = effect.house.balance(purse)
    held = balance + sum(t.cents for t in effect.transfers if t.target == purse)
    held -= sum(t.cents for t in effect.transfers if t.source == purse)
    back = min(win_cents, held)
    effect.move(purse, tray, back, why)
    if back < win_cents:
        effect.tell(NotRecovered(guest, win_cents - back))
    return back


@command(
    "void",
    SUPERVISORS,
    "Void the round: all wagers back",
    TABLE,
    REASON,
    may=(ROUND,),
    recorded_when_refused=True,
    at_stake=_on_felt,
)
def void(house: House, command: Command, draw: Draw) -> Effect:
    """All wagers back, what was paid early undone, cards out; the reason is one of the list."""
    table = open_table(house, command)
    round_ = _named_round(table, command, *Phase)
    reason = one_of("reason", text(command, "reason"), VOID_REASONS)
    effect, win = Effect(house), 0
    for seat, spot in round_.spots.items():
        why = f"round {round_.number} seat {seat} void"
        effect.move(ledger.wagers(table.name), ledger.guest(spot.guest), spot.held_cents, why)
    for seat, guest, _, early_cents in round_.early_paid:
        why = f"round {round_.number} seat {seat} void"
        if command.get("form", 0) > 2:
            effect.move(_purse(table, guest), ledger.tray(table.name), max(early_cents, 0), why)
            effect.move(ledger.tray(table.name), _purse(table, guest), max(-early_cents, 0), why)
            win += early_cents
        else:
            win += _undo_early(effect, table, guest, early_cents, why)
    settle_debts(effect)
    effect.tell(Voided(round_.number, reason, void_clause(table, reason)))
    end_round(effect, table, RoundVoided)
    assert effect.table is not None
    to_check = reason if _must_check(table, reason) else table.check_cards
    effect.table = changed(effect.table, win_cents=table.win_cents + win, check_cards=to_check)
    return effect


@command(
    "reverse",
    SUPERVISORS,
    "Reverse the last settlement (journals of 0.1 have it; now a settled round is corrected)",
    TABLE,
    REASON,
    ROUND,
    recorded_when_refused=True,
    retired="correct",
)
def reverse(house: House, command: Command, draw: Draw) -> Effect:
    """The payments of the last settlement were undone, and the stakes went back."""
    table = open_table(house, command)
    in_phase(table, Phase.BETTING)
    if not table.settled or command.get("round") != table.settled_round:
        raise Refused("nothing-to-correct", f"only the last settled round, {table.settled_round}, can be reversed, once")
    effect, tray, win = Effect(house), ledger.tray(table.name), 0
    for seat, guest, stake_cents, win_cents in table.settled:
        why = f"round {table.settled_round} seat {seat} reversed"
        effect.move(tray, _purse(table, guest), max(-win_cents, 0), why)
        effect.move(_purse(table, guest), tray, max(win_cents, 0), why)
        win += win_cents
        effect.tell(Reversed(seat, guest, stake_cents, -win_cents))
    effect.tell(SettlementReversed(table.settled_round, text(command, "reason")))
    history = tuple(finished for finished in table.history if finished.number != table.settled_round)
    effect.table = changed(table, settled=(), win_cents=table.win_cents + win, history=history, action=table.action_before)
    return effect
