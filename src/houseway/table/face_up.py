"""Which cards of a round lie face up for everybody: what views show to anybody, and what the journal may hold in the clear.

Whoever folds a journal without the key of sealed cards is `blind` to them: he knows the money of the round, and that it can be
voided, and nothing else.
"""

from typing import Any

from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, Recipient
from houseway.table.engine import edition_of, unfolded
from houseway.table.state import House, Phase, Table, changed, is_blind


def cards_up(table: Table, who: Recipient) -> int:
    """How many of a hand's cards, from the first, lie face up for everybody; the game's dealing says it."""
    dealt, dealing = unfolded(table), edition_of(table).game.dealing
    cards = len(dealt.hands.get(who, ()))
    if dealt.is_complete or who in {COMMON, COMMUNITY}:
        return cards
    if who == DEALER:
        return min(cards, dealing.dealer_face_up)
    return cards if dealing.hands_face_up else 0


def hides(table: Table) -> bool:
    """Whether a card of the round lies face down."""
    if table.spoiled or not table.round.drawn or table.round.phase == Phase.BETTING:
        return False
    return any(cards_up(table, who) < len(cards) for who, cards in unfolded(table).hands.items())


def hides_anything(house: House) -> bool:
    """Whether a card lies face down at any table, and a state of the house therefore must not be read by anybody."""
    return any(hides(table) for table in house.tables.values())


def money_on_felt(table: Table) -> dict[str, Any]:
    """What a sealed entry tells in the clear: what is held for each seat, what was paid early, and how many cards are out."""
    round_ = table.round
    return {
        "held": {str(seat): spot.held_cents for seat, spot in round_.spots.items()},
        "early_paid": [list(paid) for paid in round_.early_paid],
        "out": len(round_.drawn),
        "win_cents": table.win_cents,
    }


def blind(table: Table, felt: dict[str, Any], seq: int, at: str) -> Table:
    """A table after a sealed entry that could not be opened: all that can be done with its round is to void it."""
    spots = {int(seat): changed(table.round.spots[int(seat)], held_cents=cents) for seat, cents in felt["held"].items()}
    paid = tuple((seat, guest, stake, win) for seat, guest, stake, win in felt["early_paid"])
    frozen: dict[str, object] = {"phase": Phase.FROZEN, "frozen_from": Phase.FROZEN}
    round_ = changed(table.round, spots=spots, early_paid=paid, early=(), drawn=(), unfolded=None, **frozen)
    shoe = table.shoe and changed(table.shoe, used=table.shoe.used + felt["out"] - _out(table))
    return changed(table, round=round_, shoe=shoe, win_cents=felt["win_cents"], sealed=(*table.sealed, seq), touched_at=at)


def _out(table: Table) -> int:
    """How many cards of the round were out before; of one that we are blind to, none were counted as its own."""
    return 0 if is_blind(table) else len(table.round.drawn)
