"""Cards as people write them, put in the order in which a round reads them: a `/` stands between two hands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from houseway.cards import parse_cards, show_cards, take
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMON, DEALER, MissingCard, Recipient, Request
from houseway.rulebook.settings import Settings

HAND_MARK = "/"


@dataclass
class _Hand:
    """A hand as written, and how many of its cards have come."""

    name: str
    cards: tuple[int, ...]
    used: int = 0

    def next_card(self) -> int | None:
        """Its next card, if there is one left."""
        if self.used == len(self.cards):
            return None
        self.used += 1
        return self.cards[self.used - 1]


def read_tape(
    edition: Edition, text: str, bets: Mapping[str, int], choices: tuple[str, ...], settings: Settings
) -> tuple[int, ...]:
    """The cards in the order they are dealt: as written, or, where `/` separates hands, as the rules deal those hands.

    Hands are the player's and the dealer's, then cards in the middle if there are any; or, where all bet on the same hands,
    those, in the order of the game's face.
    Each has as many cards as the rules give it in this round: one that has more or fewer is refused.
    """
    if HAND_MARK not in text:
        return parse_cards(text)
    written = [parse_cards(part) for part in text.split(HAND_MARK)]
    take(edition.game.shoe(settings), [card for hand in written for card in hand])
    asked = Request((), choices, bets, settings, edition.game.encode(settings), offered=edition.offered)
    dealing = edition.game.dealing
    order = dealing.order((1,), settings, 1 if dealing.dice_sides else 0)
    if COMMON in order:
        return _common(edition, asked, written)
    middle = dict.fromkeys(who for who in order if isinstance(who, str) and who != DEALER)
    owners: dict[str, Recipient] = {"the player": 1, "the dealer": DEALER, **{f"the {who}": who for who in middle}}
    hands = _named(written, owners)
    for who, hand in hands.items():
        hand.used = order.count(who)
        if len(hand.cards) < hand.used:
            raise _too_few(hand, f"{hand.used} are dealt to it")
    tape = dealing.tape(*(hand.cards[: hand.used] for hand in hands.values()))
    return _played_on(edition, asked, tape, {"player": hands.pop(1), **hands})


def _named(written: list[tuple[int, ...]], owners: Mapping[str, Recipient]) -> dict[Recipient, _Hand]:
    """The hands by owner; refused if there are not as many as the game has."""
    if len(written) != len(owners):
        wanted = f" {HAND_MARK} ".join(f"{name}'s cards" for name in owners)
        raise Refused("wrong-number-of-hands", f"{len(written)} hands, and there are {len(owners)}: write {wanted}")
    return {owner: _Hand(name, cards) for (name, owner), cards in zip(owners.items(), written, strict=True)}


def _common(edition: Edition, asked: Request, written: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Hands that all bet on: the rules say, card by card, to which of them the next one comes."""
    owners: dict[str, Recipient] = {hand.name: hand.owner for hand in edition.game.face.hands}
    return _played_on(edition, asked, (), _named(written, owners))


def _played_on(edition: Edition, asked: Request, tape: tuple[int, ...], hands: Mapping[Recipient, _Hand]) -> tuple[int, ...]:
    """Give the round the cards that it asks for, each from the hand that it comes to, until it is over."""
    while True:
        try:
            edition.game.play(replace(asked, cards=tape))
        except MissingCard as missing:
            hand = hands.get(missing.hand) or hands.get(missing.whose)
            if hand is None:  # a card that comes to no hand, such as a burned one, cannot be written in one
                raise Refused("wrong-number-of-hands", f"{missing.message}: write this round without {HAND_MARK}") from None
            card = hand.next_card()
            if card is None:
                raise _too_few(hand, "the rules give it another") from None
            tape = (*tape, card)
            continue
        break
    for hand in hands.values():
        if left := hand.cards[hand.used :]:
            raise Refused(
                "too-many-cards",
                f"{hand.name}'s hand has {len(hand.cards)} cards, and the rules give it {hand.used}: "
                f"{show_cards(left)} cannot have been dealt to it",
            )
    return tape


def _too_few(hand: _Hand, why: str) -> Refused:
    return Refused("too-few-cards", f"{hand.name}'s hand has {len(hand.cards)} cards, and {why}")
