"""A round as far as a reader may see it. Views of a live round are made of this, and of nothing else that its cards decide."""

from collections.abc import Mapping
from dataclasses import dataclass

from houseway.rulebook.game import COMMON, DEALER, Play, Recipient, Shown
from houseway.table import Table, unfolded
from houseway.table.face_up import cards_up
from houseway.table.roles import DEALERS
from houseway.table.unfold import Unfolded
from houseway.view.reader import Reader


@dataclass(frozen=True)
class Seen:
    """The hands, with None for a card that is face down for this reader; what is made of such a hand is not there at all.

    How the round ends (`plays`) is there when it is complete. Whose turn it is, and whose the next card, everybody knows.
    """

    hands: Mapping[Recipient, tuple[int | None, ...]]
    shown: Mapping[int, tuple[Shown, ...]]
    plays: Mapping[int, Play]
    asked: Mapping[int, str]
    to_act: Mapping[int, tuple[str, ...]]
    before_look: bool
    order: tuple[Recipient, ...]
    card_for: Recipient | None
    card_of: tuple[str, int] | None
    out: int
    first_deal_done: bool
    is_complete: bool

    def whole(self, who: Recipient) -> tuple[int, ...]:
        """A hand of which every card lies face up; nothing if one does not."""
        cards = tuple(card for card in self.hands.get(who, ()) if card is not None)
        return cards if len(cards) == len(self.hands.get(who, ())) else ()


def seen(table: Table, reader: Reader) -> Seen:
    """A table's round as this reader may see it."""
    dealt = unfolded(table)
    open_to_him = {who for who in dealt.hands if _sees(table, dealt, who, reader)}
    faces_all = COMMON in dealt.hands
    return Seen(
        hands={who: _cards(table, who, cards, who in open_to_him) for who, cards in dealt.hands.items()},
        shown={seat: hands for seat, hands in dealt.shown.items() if faces_all or seat in open_to_him},
        plays=dealt.plays if dealt.is_complete else {},
        asked={seat: words for seat, words in dealt.asked.items() if seat in open_to_him},
        to_act=dealt.to_act,
        before_look=dealt.before_look,
        order=dealt.order,
        card_for=dealt.card_for,
        card_of=dealt.card_of,
        out=len(dealt.drawn),
        first_deal_done=dealt.first_deal_done,
        is_complete=dealt.is_complete,
    )


def _cards(table: Table, who: Recipient, cards: list[int], is_open: bool) -> tuple[int | None, ...]:
    """A hand's cards: all of them if it is open to the reader, otherwise those that lie face up for everybody."""
    up = len(cards) if is_open else cards_up(table, who)
    return tuple(card if place < up else None for place, card in enumerate(cards))


def _sees(table: Table, dealt: Unfolded, who: Recipient, reader: Reader) -> bool:
    """Whether a hand lies face up for this reader. Nobody sees a virtual hand that is face down, staff included."""
    if cards_up(table, who) == len(dealt.hands[who]):
        return True
    if table.source != "virtual-shoe" and reader.role in DEALERS:
        return True  # he keyed it in, and may have to correct it
    if who == DEALER:
        return False
    spot = table.round.spots.get(int(who))
    return spot is not None and reader.role == "guest" and spot.guest == reader.name
