"""Mistakes put right before the settlement: cards keyed wrongly or exposed, decisions and wagers that were none.

Each is one command with a reason. The round is dealt again from the cards as they are now known; what was paid early is
settled anew if it comes out otherwise, and nothing else is touched.
"""

from collections import Counter
from collections.abc import Mapping

from houseway.cards import JOKER, parse_cards, show_card, show_cards, take
from houseway.money import dollars
from houseway.refusal import Refused
from houseway.rulebook.game import DEALER
from houseway.table import ledger
from houseway.table.bank import (
    AS_LAID,
    covered_spots,
    reserves,
    tell_cover_changed,
    tell_uncovered,
    with_laid,
    with_true_players,
)
from houseway.table.betting import (
    check_dice,
    check_needed_bets,
    check_wager,
    chosen_with,
    next_drawer,
    with_bets,
    with_chosen,
    with_dealer_bets,
)
from houseway.table.commands import Command, command, whole
from houseway.table.debts import settle_debts
from houseway.table.engine import Effect, from_list, in_phase, open_table, prepared, text, unfolded
from houseway.table.events import (
    BetChanged,
    CardCorrected,
    CardReplaced,
    CardsDrawn,
    CardsSwapped,
    CardWanted,
    ChosenWithBet,
    DecisionsRekeyed,
    DecisionUndone,
    EarlyReversed,
    Paid,
    RoundRekeyed,
    ToDraw,
)
from houseway.table.fields import (
    CARD,
    CARDS,
    CHOICES,
    CHOSEN,
    DICE,
    FOR_DEALER,
    OTHER_PLACE,
    PLACE,
    REASON,
    SEAT,
    STAKE,
    TABLE,
    WAGER,
)
from houseway.table.irregular import void_clause
from houseway.table.play import go_on
from houseway.table.roles import DEALERS, SUPERVISORS
from houseway.table.state import House, Phase, Round, Spot, Table, changed
from houseway.table.unfold import Draw, Unfolded

IN_PLAY = (Phase.DEALING, Phase.DECIDING, Phase.READY)
SHOE_GIVES = 6
"""The form of journals since a mend wants no card of a virtual shoe: only a deal or a decision takes one."""
NEXT_DRAWS = 7
"""The form of journals since another seat draws if the one that was to has no wager any more."""
DEALERS_CARD_SEEN, CARD_SEEN = "dealer-card-exposed", "card-face-up"
"""The reasons for which a document may void a round in which a card was seen: one of the dealer's, or any other."""


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
        count = f"its last {'card' if len(left) == 1 else f'{len(left)} cards'}"  # of a virtual shoe some are face down
        too_many = show_cards(left) if table.shoe is None else count
        raise Refused("cannot-correct", f"the hand would have ended before {too_many}: void the round")
    assert anew.table is not None
    effect.table, events = changed(anew.table, shoe=table.shoe), anew.events
    if table.shoe is not None:
        events = [event for event in events if not isinstance(event, CardsDrawn)]  # they came out of it once
        if table.form >= SHOE_GIVES:
            events = [event for event in events if not isinstance(event, CardWanted)]
    if anew.transfers == list(round_.early):
        events = [event for event in events if not isinstance(event, Paid)]  # what was paid early stays
    else:
        effect.transfers += [transfer.reversed() for transfer in reversed(round_.early)] + anew.transfers
        if round_.early:
            effect.tell(EarlyReversed(round_.number))
    effect.events += events
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
    if not round_.drawn:
        keyed = "a result was keyed, and no card" if round_.result else "no card is keyed yet"
        raise Refused("bad-card", f"place {place}: {keyed} in round {round_.number}")
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


@command(
    "correct-card", DEALERS, "Correct a keyed card before the settlement", TABLE, PLACE, CARD, may=(REASON,), asked=(REASON,)
)
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
    for seat, spot in spots.items():
        if spot.choices != round_.spots[seat].choices and table.form >= AS_LAID:
            effect.tell(DecisionsRekeyed(seat, _as_told(spot), _as_told(round_.spots[seat])))
    spots = {seat: restaked(effect, table, seat, round_.spots[seat], spot) for seat, spot in spots.items()}
    anew = changed(round_, spots=spots, result="", dice=dice)
    dealt_again(effect, table, _in_order(table, anew, cards) if "choices" in command else anew, cards)
    return effect


def _as_told(spot: Spot) -> tuple[str, ...]:
    """The choices of a spot as everybody may hear of them: not the cards that are named with some."""
    return tuple(choice.split()[0] for choice in spot.choices)


def _in_order(table: Table, round_: Round, cards: list[int]) -> Round:
    """The round with its seats in the order in which they must have decided: it is dealt decision by decision."""
    with_bet = prepared(table)[0].game.dealing.with_bet
    decisions = {seat: sum(wager in spot.bets for wager in with_bet) for seat, spot in round_.spots.items()}
    looked: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()
    while True:
        spots = {seat: changed(spot, choices=spot.choices[: decisions[seat]]) for seat, spot in round_.spots.items()}
        tape = changed(round_, spots=spots, drawn=(), phase=Phase.DEALING, looked=looked, decided=decided, unfolded=None)
        dealt = unfolded(changed(table, round=tape), from_list(cards))
        seat = next((seat for seat in dealt.to_act if decisions[seat] < len(round_.spots[seat].choices)), None)
        if seat is None:
            return changed(round_, looked=looked, decided=decided)
        decisions[seat] += 1
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
    place, card = _place(command, "place", round_), _one_card(command)
    is_dealers = DEALER in unfolded(table).order[place - 1 : place]
    reason = DEALERS_CARD_SEEN if is_dealers else CARD_SEEN
    if (clause := void_clause(table, reason)) != "house rules":
        what = "a card of the dealer's that was seen" if is_dealers else "a card that came face up"
        raise Refused("void-instead", f"{what} voids the round here ({clause}): void it for {reason}")
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
    round_ = in_phase(table, *IN_PLAY)
    seat, dealing, before = whole(command, "seat"), prepared(table)[0].game.dealing, unfolded(table)
    if seat not in (*round_.decided, *round_.looked):
        if seat in round_.spots and (parts := chosen_with(prepared(table)[0], round_.spots[seat])):
            return _undo_chosen(house, table, seat, parts, text(command, "reason"))
        raise Refused("nothing-to-undo", f"seat {seat} has decided nothing in round {round_.number}")
    if seat not in round_.decided and _has_looked(table, round_, before):
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


def _has_looked(table: Table, round_: Round, dealt: Unfolded) -> bool:
    """Whether the dealer has looked at a card that lies face down: all have answered, and it matters to somebody.

    It does to a seat that plays on, and where a hand would have ended otherwise with another card there.
    """
    dealing = prepared(table)[0].game.dealing
    down = [place for place, who in enumerate(dealt.order) if who == DEALER][dealing.dealer_face_up :]
    if dealt.before_look or not down:
        return False
    ends = {seat: play.results for seat, play in dealt.plays.items()}
    if ends.keys() != round_.spots.keys():
        return True
    for card in range(JOKER):
        drawn = (*round_.drawn[: down[0]], card, *round_.drawn[down[0] + 1 :])
        try:
            other = unfolded(changed(table, round=changed(round_, drawn=drawn, unfolded=None)))
        except Refused:  # the round would have gone on otherwise
            return True
        if {seat: play.results for seat, play in other.plays.items()} != ends:
            return True
    return False


def _undo_chosen(house: House, table: Table, seat: int, parts: Mapping[str, str], reason: str) -> Effect:
    """EPG-6: what was chosen with a bet, and no other decision: before the cards it is again as the table has it."""
    edition, settings, _ = prepared(table)
    usual = {name: str(settings[edition.game.dealing.with_bet[name]]) for name in parts}
    wager, chosen = next(iter(parts.items()))
    spot, known = table.round.spots[seat], f"seat {seat} has {chosen} with its {edition.game.wagers[wager].name}"
    instead = "a supervisor changes it with change-bet, with what was chosen"
    if table.round.drawn:
        raise Refused("card-followed", f"{known}, and cards have followed: {instead}")
    if parts == usual:
        raise Refused("nothing-to-undo", f"{known}, as the table has it where nothing else is said: {instead}")
    effect = Effect(house)
    effect.tell(DecisionUndone(seat, chosen, reason))
    for each, value in usual.items():
        spot = with_chosen(edition, spot, each, value)
        effect.tell(ChosenWithBet(seat, spot.guest, each, value, parts[each]))
    effect.table = changed(table, round=changed(table.round, spots={**table.round.spots, seat: spot}, unfolded=None))
    return effect


def _without_last(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    last = len(seats) - 1 - seats[::-1].index(seat)
    return seats[:last] + seats[last + 1 :]


def _changed_stake(house: House, command: Command) -> int:
    """The larger of a wager's stakes, before and after it is changed."""
    spot = open_table(house, command).round.spots.get(whole(command, "seat"))
    before = (spot.for_dealer if command.get("for_dealer") else spot.bets).get(text(command, "wager"), 0) if spot else 0
    return max(before, int(command["stake_cents"]))


@command(
    "change-bet",
    SUPERVISORS,
    "Change a wager after no more bets, or take it back (a stake of 0)",
    TABLE,
    SEAT,
    WAGER,
    STAKE,
    REASON,
    may=(FOR_DEALER, CHOSEN),
    at_stake=_changed_stake,
)
def change_bet(house: House, command: Command, draw: Draw) -> Effect:
    """What lay on the felt was keyed wrongly: the true stake, in the name of a supervisor."""
    table = open_table(house, command)
    round_ = in_phase(table, *IN_PLAY)
    seat, wager, cents = whole(command, "seat"), text(command, "wager"), whole(command, "stake_cents")
    laid, for_dealer, day = round_.as_laid, bool(command.get("for_dealer")), str(command.get("day", ""))
    spot = laid.get(seat)
    if spot is None:
        seats = ", ".join(map(str, sorted(laid)))
        raise Refused("bad-seat", f"seat {seat} has no wager in this round (seats: {seats})")
    lying = spot.for_dealer if for_dealer else spot.bets
    before = lying.get(wager, 0)
    chosen = chosen_with(prepared(table)[0], spot).get(wager, "")
    if cents == before and command.get("chosen", chosen) == chosen:
        name = prepared(table)[0].name_of(wager)
        raise Refused("nothing-changes", f"{name} at seat {seat} is {dollars(before)}: nothing would change")
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
    if "chosen" in command:
        true = with_chosen(prepared(table)[0], true, wager, text(command, "chosen"))
    effect = Effect(house)
    effect.tell(BetChanged(seat, spot.guest, wager, before, cents, text(command, "reason"), for_dealer))
    now_chosen = chosen_with(prepared(table)[0], true).get(wager, "")
    if now_chosen not in ("", chosen) and table.form >= AS_LAID:
        effect.tell(ChosenWithBet(seat, spot.guest, wager, now_chosen, chosen))
    truly = {**laid, seat: true}
    spots = _covered_again(effect, table, truly)
    was = {place: round_.spots.get(place) or Spot(other.guest, {}) for place, other in spots.items()}
    stakes = {place: restaked(effect, table, place, was[place], other) for place, other in spots.items()}
    left = {place: staked for place, staked in stakes.items() if staked.bets}
    if not left:
        raise Refused("nothing-covered", "the bank would cover no wager: void the round instead")
    now = with_laid(table, changed(round_, spots=left), truly)
    if table.bank is not None and table.form >= AS_LAID:
        tell_cover_changed(effect, table, round_, now)
        table = with_true_players(effect, table, round_, now)
    now = _with_drawer(effect, table, now)
    dealt_again(effect, table, now, list(round_.drawn))
    return effect


def _with_drawer(effect: Effect, table: Table, round_: Round) -> Round:
    """EZB-2: where the seat that was to draw has no wager any more, the next one draws, unless the cards have come."""
    if not round_.drawer or round_.drawer in round_.spots or round_.drawn or round_.result or table.form < NEXT_DRAWS:
        return round_
    drawer = next_drawer(changed(table, round=round_))
    effect.tell(ToDraw(drawer, round_.spots[drawer].guest))
    return changed(round_, drawer=drawer)


def _check_may_leave(table: Table, round_: Round, seat: int) -> None:
    """A seat's last wager may go while others are in play, unless the seat has cards of its own."""
    edition, settings, _ = prepared(table)
    if len(round_.as_laid) == 1:
        raise Refused("last-wager", f"seat {seat} has the only wager of the round: void the round instead")
    if round_.drawn and seat in edition.game.dealing.order(tuple(sorted(round_.spots)), settings, round_.dice):
        raise Refused("last-wager", f"seat {seat} has no other wager, and has its cards: void the round instead")


def _covered_again(effect: Effect, table: Table, spots: Mapping[int, Spot]) -> Mapping[int, Spot]:
    """R12b: where the bank reserves the worst case, the spots with what it covers now; the rest goes back."""
    if not reserves(table):
        return spots
    with_wagers = {seat: spot for seat, spot in spots.items() if spot.bets}
    at_play = changed(table, round=changed(table.round, spots=with_wagers))
    covered = covered_spots(at_play, effect.house.balance(ledger.bank(table.name)))
    if table.form < AS_LAID:
        tell_uncovered(effect, at_play, covered)
    return {**spots, **covered}
