"""Mistakes put right before the settlement: cards keyed wrongly or exposed, decisions and wagers that were none.

Each is one command with a reason. The round is dealt again from the cards as they are now known; what was paid early is
settled anew if it comes out otherwise, and nothing else is touched.
"""

from collections import Counter
from collections.abc import Mapping

from houseway.cards import parse_cards, show_card, show_cards, take
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.table import ledger
from houseway.table.bank import covered_in_worst_case, reserves
from houseway.table.betting import check_dice, check_needed_bets, check_wager, with_bets, with_dealer_bets
from houseway.table.commands import Command, command, whole
from houseway.table.debts import settle_debts
from houseway.table.engine import Effect, from_list, in_phase, open_table, prepared, text, unfolded
from houseway.table.events import (
    BetChanged,
    CardCorrected,
    CardReplaced,
    CardsDrawn,
    CardsSwapped,
    DecisionUndone,
    EarlyReversed,
    NotCovered,
    Paid,
    RoundRekeyed,
)
from houseway.table.fields import CARD, CARDS, CHOICES, DICE, FOR_DEALER, OTHER_PLACE, PLACE, REASON, SEAT, STAKE, TABLE, WAGER
from houseway.table.irregular import void_clause
from houseway.table.play import go_on
from houseway.table.roles import DEALERS, SUPERVISORS
from houseway.table.state import House, Phase, Round, Spot, Table, changed
from houseway.table.unfold import Draw, Unfolded

IN_PLAY = (Phase.DEALING, Phase.DECIDING, Phase.READY)
EXPOSED = ("dealer-card-exposed", "card-face-up")
"""The reasons for which a document may void a round in which a card was seen."""


def dealt_again(effect: Effect, table: Table, round_: Round, cards: list[int]) -> Unfolded:
    """Deal a round again with these cards, its bets and choices as they are now; refused if it cannot have gone so."""
    spots = dict(round_.spots)
    for seat, _, stake_cents, _ in round_.early_paid:
        spots[seat] = changed(spots[seat], held_cents=spots[seat].held_cents + stake_cents)
    early_win = sum(win_cents for *_, win_cents in round_.early_paid)
    bare = changed(
        round_, spots=spots, drawn=(), phase=Phase.DEALING, acknowledged=False, early=(), early_paid=(), unfolded=None
    )
    left, anew = list(cards), Effect(effect.house)
    dealt = go_on(
        anew,
        changed(table, round=bare, win_cents=table.win_cents + early_win),
        bare,
        lambda: left.pop(0) if left else None,
    )
    _check_order(table, round_, dealt)
    if left:
        raise Refused("cannot-correct", f"the hand would have ended before {show_cards(left)}: void the round")
    assert anew.table is not None
    effect.table, told = changed(anew.table, shoe=table.shoe), anew.events
    if table.shoe is not None:
        told = [event for event in told if not isinstance(event, CardsDrawn)]  # they came out of it once
    if anew.transfers == list(round_.early):
        told = [event for event in told if not isinstance(event, Paid)]  # what was paid early stays
    else:
        effect.transfers += [transfer.reversed() for transfer in reversed(round_.early)] + anew.transfers
        if round_.early:
            effect.tell(EarlyReversed(round_.number))
    effect.events += told
    settle_debts(effect)
    return dealt


def _check_order(table: Table, round_: Round, dealt: Unfolded) -> None:
    later = [seat for seat in round_.decided if dealt.to_act and seat > min(dealt.to_act)]
    if later and prepared(table)[0].game.dealing.in_turn:
        seat = min(dealt.to_act)
        raise Refused("cannot-correct", f"seat {seat} would decide again after seat {later[0]} has: void the round")


def _keyed_round(house: House, command: Command) -> tuple[Table, Round]:
    """A round whose cards were keyed in; those of a virtual shoe are what they are."""
    table = open_table(house, command)
    round_ = in_phase(table, *IN_PLAY)
    if table.source == "virtual-shoe":
        raise Refused("cannot-correct", "the cards of a virtual shoe came from it in their order: void the round instead")
    return table, round_


def _check_cards(table: Table, cards: list[int], set_aside: tuple[int, ...] = ()) -> None:
    edition, settings, _ = prepared(table)
    take(edition.game.shoe(settings), [*table.discards, *table.round.set_aside, *set_aside, *cards])


def _place(command: Command, name: str, round_: Round) -> int:
    place = whole(command, name)
    if not 1 <= place <= len(round_.drawn):
        raise Refused("bad-card", f"place {place}: name a place from 1 to {len(round_.drawn)}")
    return place


def _one_card(command: Command) -> int:
    cards = parse_cards(text(command, "card"))
    if len(cards) != 1:
        raise Refused("bad-card", f"{text(command, 'card')}: name one card, such as 10h")
    return cards[0]


def _reason(command: Command) -> str:
    """Why it is done; journals of 0.1 corrected cards without saying."""
    if "reason" not in command and command.get("form", 0) > 2:
        raise Refused("bad-command", "correct-card needs reason: a printable text")
    return str(command.get("reason", ""))


@command("correct-card", DEALERS, "Correct a keyed card before the settlement", TABLE, PLACE, CARD, may=(REASON,))
def correct_card(house: House, command: Command, draw: Draw) -> Effect:
    """The entry of the wrong card stays; the correction is recorded with before and after."""
    table, round_ = _keyed_round(house, command)
    place, card = _place(command, "place", round_), _one_card(command)
    if card == round_.drawn[place - 1] and command.get("form", 0) > 2:  # journals of 0.1 have some
        raise Refused("nothing-changes", f"card {place} is {show_card(card)}: nothing would change")
    cards = [*round_.drawn[: place - 1], card, *round_.drawn[place:]]
    _check_cards(table, cards)
    effect = Effect(house)
    effect.tell(CardCorrected(place, show_card(round_.drawn[place - 1]), show_card(card), _reason(command)))
    dealt_again(effect, table, round_, cards)
    return effect


@command("swap-cards", DEALERS, "Swap two keyed cards before the settlement", TABLE, PLACE, OTHER_PLACE, REASON)
def swap_cards(house: House, command: Command, draw: Draw) -> Effect:
    """Two cards were keyed in the wrong order."""
    table, round_ = _keyed_round(house, command)
    place, other = _place(command, "place", round_), _place(command, "other_place", round_)
    cards = list(round_.drawn)
    cards[place - 1], cards[other - 1] = cards[other - 1], cards[place - 1]
    if cards == list(round_.drawn):
        raise Refused("nothing-changes", f"cards {place} and {other} are the same card: nothing would change")
    effect = Effect(house)
    effect.tell(CardsSwapped(place, other, text(command, "reason")))
    dealt_again(effect, table, round_, cards)
    return effect


@command(
    "rekey",
    DEALERS,
    "Key all cards of the round again, before the settlement",
    TABLE,
    CARDS,
    REASON,
    may=(CHOICES, DICE),
)
def rekey(house: House, command: Command, draw: Draw) -> Effect:
    """The cards of the round, or the dice, were others; the seats' choices stand, unless others are given with them."""
    table, round_ = _keyed_round(house, command)
    cards = list(parse_cards(text(command, "cards")))
    _check_cards(table, cards)
    spots, dice = with_choices(round_.spots, command), command.get("dice", round_.dice)
    if (cards, spots, dice) == (list(round_.drawn), round_.spots, round_.dice):
        raise Refused("nothing-changes", "these are the cards that were keyed: nothing would change")
    check_dice(table, dice)
    effect = Effect(house)
    effect.tell(RoundRekeyed(round_.number, text(command, "reason")))
    spots = {seat: restaked(effect, table, seat, round_.spots[seat], spot) for seat, spot in spots.items()}
    anew = changed(round_, spots=spots, result="", dice=dice)
    dealt_again(effect, table, _in_order(table, anew, cards) if "choices" in command else anew, cards)
    return effect


def _in_order(table: Table, round_: Round, cards: list[int]) -> Round:
    """The round with its seats in the order in which they must have decided: it is dealt decision by decision."""
    with_bet = prepared(table)[0].game.dealing.with_bet
    made = {seat: sum(wager in spot.bets for wager in with_bet) for seat, spot in round_.spots.items()}
    looked: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()
    while True:
        spots = {seat: changed(spot, choices=spot.choices[: made[seat]]) for seat, spot in round_.spots.items()}
        tape = changed(round_, spots=spots, drawn=(), phase=Phase.DEALING, looked=looked, decided=decided, unfolded=None)
        dealt = unfolded(changed(table, round=tape), from_list(cards))
        seat = next((seat for seat in dealt.to_act if made[seat] < len(round_.spots[seat].choices)), None)
        if seat is None:
            return changed(round_, looked=looked, decided=decided)
        made[seat] += 1
        looked, decided = ((*looked, seat), decided) if dealt.before_look else (looked, (*decided, seat))


def with_choices(spots: Mapping[int, Spot], command: Command) -> dict[int, Spot]:
    """The spots with the choices that a command gives by seat."""
    chosen = dict(spots)
    for seat, choices in sorted((int(seat), tuple(given)) for seat, given in command.get("choices", {}).items()):
        if seat not in chosen:
            raise Refused("bad-seat", f"seat {seat} has no wager in this round")
        chosen[seat] = changed(chosen[seat], choices=choices)
    return chosen


def restaked(effect: Effect, table: Table, seat: int, before: Spot, after: Spot) -> Spot:
    """A spot with other bets or choices: what they stake more or less moves between the guest and the felt."""
    raises = prepared(table)[0].game.dealing.raises
    more, guest = _staked(after, raises) - _staked(before, raises), ledger.guest(before.guest)
    if more > (held := effect.house.balance(guest)):
        raise Refused("not-enough", f"{before.guest} has {dollars(held)}, and {dollars(more)} more would be staked")
    effect.move(guest, ledger.wagers(table.name), max(more, 0), f"seat {seat} changed")
    effect.move(ledger.wagers(table.name), guest, max(-more, 0), f"seat {seat} changed")
    return changed(after, held_cents=before.held_cents + more)


def _staked(spot: Spot, raises: Mapping[str, str]) -> int:
    """All that a spot stakes: its bets, those for the dealers, and what its choices add to them."""
    bets = Counter(spot.bets) + Counter(spot.for_dealer)
    return sum(bets.values()) + sum(bets[raises.get(choice, "")] for choice in spot.choices)


@command(
    "replace-card",
    SUPERVISORS,
    "Replace a card that was exposed by mistake: it is set aside, and another takes its place",
    TABLE,
    PLACE,
    CARD,
    REASON,
)
def replace_card(house: House, command: Command, draw: Draw) -> Effect:
    """Where the game's document says what becomes of the round, it does; otherwise the next card takes the place."""
    table, round_ = _keyed_round(house, command)
    for reason in EXPOSED:
        if (clause := void_clause(table, reason)) != "house rules":
            raise Refused("void-instead", f"a card that was seen voids the round here ({clause}): void it for {reason}")
    place, card = _place(command, "place", round_), _one_card(command)
    seen = round_.drawn[place - 1]
    cards = [*round_.drawn[: place - 1], card, *round_.drawn[place:]]
    _check_cards(table, cards, (seen,))
    effect = Effect(house)
    effect.tell(CardReplaced(place, show_card(seen), show_card(card), text(command, "reason")))
    dealt_again(effect, table, changed(round_, set_aside=(*round_.set_aside, seen)), cards)
    return effect


@command("undo", DEALERS, "Take a seat's last decision or set back, if no card has followed it", TABLE, SEAT, REASON)
def undo(house: House, command: Command, draw: Draw) -> Effect:
    """The seat decides again; what the decision staked goes back."""
    table = open_table(house, command)
    round_ = in_phase(table, Phase.DECIDING, Phase.READY)
    seat, dealing, before = whole(command, "seat"), prepared(table)[0].game.dealing, unfolded(table)
    if seat not in (*round_.decided, *round_.looked):
        raise Refused("nothing-to-undo", f"seat {seat} has decided nothing in round {round_.number}")
    if seat not in round_.decided and not before.before_look:
        raise Refused("dealer-has-looked", "the dealer has looked since: void the round instead")
    if dealing.in_turn and round_.decided and round_.decided[-1] != seat:
        raise Refused("not-the-last", f"seat {round_.decided[-1]} has decided since: its decision is taken back first")
    if table.source == "virtual-shoe" and not before.to_act:
        raise Refused("cards-shown", "all have decided, and the screens have shown the dealer's cards: void the round instead")
    spot, effect = round_.spots[seat], Effect(house)
    undone = restaked(effect, table, seat, spot, changed(spot, choices=spot.choices[:-1]))
    order = "decided" if seat in round_.decided else "looked"
    effect.tell(DecisionUndone(seat, spot.choices[-1], text(command, "reason")))
    undecided = changed(round_, spots={**round_.spots, seat: undone}, **{order: _without_last(getattr(round_, order), seat)})
    try:
        dealt_again(effect, table, undecided, list(round_.drawn))
    except Refused as refused:
        raise Refused("card-followed", f"a card has followed the decision of seat {seat}: {refused.message}") from None
    return effect


def _without_last(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    last = len(seats) - 1 - seats[::-1].index(seat)
    return seats[:last] + seats[last + 1 :]


@command(
    "change-bet",
    SUPERVISORS,
    "Change a wager after no more bets, or take it back (a stake of 0)",
    TABLE,
    SEAT,
    WAGER,
    STAKE,
    REASON,
    may=(FOR_DEALER,),
)
def change_bet(house: House, command: Command, draw: Draw) -> Effect:
    """What lay on the felt was keyed wrongly: the true stake, in the name of a supervisor."""
    table = open_table(house, command)
    round_ = in_phase(table, *IN_PLAY)
    seat, wager, cents = whole(command, "seat"), text(command, "wager"), whole(command, "stake_cents")
    spot, for_dealer, day = round_.spots.get(seat), bool(command.get("for_dealer")), str(command.get("day", ""))
    if spot is None:
        seats = ", ".join(map(str, sorted(round_.spots)))
        raise Refused("bad-seat", f"seat {seat} has no wager in this round (seats: {seats})")
    lying = spot.for_dealer if for_dealer else spot.bets
    before = lying.get(wager, 0)
    if cents == before:
        raise Refused("nothing-changes", f"{wager} at seat {seat} is {dollars(before)}: nothing would change")
    bets = {name: held for name, held in {**lying, wager: cents}.items() if held}
    if for_dealer:
        true = with_dealer_bets(table, spot, bets, day)
    else:
        if not bets:
            _check_may_leave(table, round_, seat)
        elif cents:
            check_wager(table, bets, wager, day)
        check_needed_bets(table, bets)
        true = with_bets(table, spot, bets)
    effect = Effect(house)
    effect.tell(BetChanged(seat, spot.guest, wager, before, cents, text(command, "reason"), for_dealer))
    spots = _covered_again(effect, table, {**round_.spots, seat: true})
    stakes = {place: restaked(effect, table, place, round_.spots[place], other) for place, other in spots.items()}
    left = {place: staked for place, staked in stakes.items() if staked.bets}
    dealt_again(effect, table, changed(round_, spots=left), list(round_.drawn))
    return effect


def _check_may_leave(table: Table, round_: Round, seat: int) -> None:
    """A seat's last wager may go while others are in play, unless the seat has cards of its own."""
    edition, settings, _ = prepared(table)
    if len(round_.spots) == 1:
        raise Refused("last-wager", f"seat {seat} has the only wager of the round: void the round instead")
    if round_.drawn and seat in edition.game.dealing.order(tuple(sorted(round_.spots)), settings, round_.dice):
        raise Refused("last-wager", f"seat {seat} has no other wager, and has its cards: void the round instead")


def _covered_again(effect: Effect, table: Table, spots: Mapping[int, Spot]) -> Mapping[int, Spot]:
    """R12b: where the bank reserves the worst case, the spots with what it covers now; the rest goes back."""
    if not reserves(table):
        return spots
    with_wagers = {seat: spot for seat, spot in spots.items() if spot.bets}
    at_play = changed(table, round=changed(table.round, spots=with_wagers))
    covered = covered_in_worst_case(at_play, effect.house.balance(ledger.bank(table.name)))
    kept = dict(spots)
    for seat, bets in covered.items():
        for wager, cents in bets.items():
            if cents < (asked := spots[seat].bets[wager]):
                effect.tell(NotCovered(seat, spots[seat].guest, wager, cents, asked - cents))
        kept[seat] = changed(spots[seat], bets={wager: cents for wager, cents in bets.items() if cents})
    return kept
