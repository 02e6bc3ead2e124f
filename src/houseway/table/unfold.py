"""Unfolding a round from its tape: the hands, who is to act, and in the end what every bet came to."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.face import Face
from houseway.rulebook.game import (
    COMMON,
    COMMUNITY,
    DEALER,
    Dealing,
    MissingCard,
    MissingChoice,
    Play,
    Recipient,
    Request,
    Shown,
    Value,
)
from houseway.table.state import Round, changed

Draw = Callable[[], int | None]
"""The next card of the source, or nothing when it has none to give yet."""


class _Waiting(Exception):  # noqa: N818  (a pause, not an error)
    """No card has come yet."""


@dataclass
class Unfolded:
    """A round as far as its cards and choices carry it: who is to act, and what each is asked.

    `order` is whose the cards of the first deal are. If the next card is `card_for` hands that all bet on, `card_of` says
    to which of them it comes, and as which of its cards; also where a seat's card does not come to its hand. `came_to` is
    what plays by some settings came to, by all else that they hang on: when the round goes on, most seats are as they were.
    """

    drawn: list[int]
    hands: dict[Recipient, list[int]] = field(default_factory=dict)
    order: tuple[Recipient, ...] = ()
    card_for: Recipient | None = None
    card_of: tuple[str, int] | None = None
    to_act: dict[int, tuple[str, ...]] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    plays: dict[int, Play] = field(default_factory=dict)
    shown: dict[int, tuple[Shown, ...]] = field(default_factory=dict)
    first_deal_done: bool = False
    before_look: bool = False
    settings: Ints | None = field(default=None, compare=False, repr=False)
    came_to: dict[tuple[object, ...], Play | MissingCard | MissingChoice] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def is_complete(self) -> bool:
        """Whether every bet can be settled."""
        return self.first_deal_done and self.card_for is None and not self.to_act


def _holds(settings: Mapping[str, Value], setting_and_value: tuple[str, Value]) -> bool:
    setting, value = setting_and_value
    return setting != "" and settings.get(setting) == value


def _envy(edition: Edition, settings: Mapping[str, Value]) -> tuple[str, bool]:
    """The bet that another seat needs for its hand to win envy, and whether a guest's own other seats win him some too."""
    for name, wager in edition.offered.items():
        if wager.envy_needs and edition.wagers[name].envy_cents:
            return wager.envy_needs(settings), _holds(settings, wager.envy_own_seats)
    return "", False


class _Unfolding:
    def __init__(
        self,
        edition: Edition,
        settings: Mapping[str, Value],
        encoded: Ints,
        round_: Round,
        draw: Draw,
        keyed: bool,
        before: Unfolded | None = None,
    ) -> None:
        self.edition, self.settings, self.encoded, self.round, self.draw = edition, settings, encoded, round_, draw
        self.dealing, self.keyed = edition.game.dealing, keyed
        self.unfolded = Unfolded(list(round_.drawn), settings=encoded)
        if before is not None and before.settings is encoded:  # of the same table
            self.unfolded.came_to = before.came_to
        self.seats = tuple(sorted(round_.spots))
        self.used = 0
        self.first: dict[Recipient, int] = {}
        self.envy_needs, self.envy_own_seats = _envy(edition, settings)

    def card(self, who: Recipient, missing: MissingCard | None = None) -> None:
        """Give the next card, of those already drawn or a new one."""
        if self.used == len(self.unfolded.drawn):
            card = self.draw()
            if card is None:
                self.unfolded.card_for = who
                if missing and missing.hand:
                    self.unfolded.card_of = missing.hand, missing.place
                raise _Waiting
            self.unfolded.drawn.append(card)
        self.unfolded.hands.setdefault(who, []).append(self.unfolded.drawn[self.used])
        self.used += 1

    def run(self) -> Unfolded:
        if self.round.result and self.dealing.play_result:
            self.unfolded.first_deal_done = True
            for seat, spot in self.round.spots.items():
                self.unfolded.plays[seat] = self.dealing.play_result(self.round.result, spot.bets)
            return self.unfolded
        self.unfolded.order = self.order()
        try:
            for who in self.unfolded.order:
                self.card(who)
            self.first = {who: len(cards) for who, cards in self.unfolded.hands.items()}
            self.unfolded.first_deal_done = True
            self.play_seats()
        except _Waiting:
            if self.unfolded.card_for == COMMON:
                self.show_common()
        return self.unfolded

    def order(self) -> tuple[Recipient, ...]:
        """Whose the cards of the first deal are. EPG-7, EPG-8: hands without a wager are discarded, and need no keying."""
        order = self.dealing.order(self.seats, self.settings, self.round.dice)
        if not (self.keyed and _holds(self.settings, self.dealing.unkeyed_if)):
            return order
        return tuple(who for who in order if who in self.seats or who in (DEALER, COMMON))

    def show_common(self) -> None:
        """What lies on the felt of a hand that all bet on, while its cards are still keyed in."""
        for seat in self.seats[:1]:
            try:
                self.edition.game.play(self.request(seat, self.tape(seat, 0)))
            except MissingCard as missing:
                self.unfolded.shown[seat] = missing.hands
                self.unfolded.card_of = missing.hand, missing.place

    def play_seats(self) -> None:
        """Offers first, to all seats; then seats act in order.

        D4P-3: the dealer reveals, or completes, his hand when none is left to act.
        """
        if self.dealing.late:
            for seat in self.seats:
                self.ask_before_look(seat)
        if self.unfolded.to_act:
            return
        self.unfolded.shown.clear()
        for seat in self.seats:
            if not self.play_seat(seat, dealer_draws=False) and self.dealing.in_turn:
                break
        if not self.unfolded.to_act:
            for seat in self.seats:
                if seat not in self.unfolded.plays:
                    self.play_seat(seat, dealer_draws=True)

    def ask_before_look(self, seat: int) -> None:
        """What a seat is offered before the dealer looks, and what its hand counts; everything else can wait.

        The rules are asked without the dealer's hidden cards, so that nothing told by now can hang on them.
        """
        came_to = self.play(seat, self.open_tape(seat))
        if isinstance(came_to, Play):
            return
        self.unfolded.shown[seat] = came_to.hands
        if isinstance(came_to, MissingChoice) and came_to.before_look:
            self.unfolded.to_act[seat] = tuple(name for name in came_to.allowed if name not in self.dealing.late)
            self.unfolded.before_look = True

    def play_seat(self, seat: int, dealer_draws: bool) -> bool:
        """Play a seat's hand on; whether it has nothing more to decide."""
        dealer_cards = 0
        while True:
            came_to = self.play(seat, self.tape(seat, dealer_cards))
            if isinstance(came_to, Play):
                self.unfolded.plays[seat] = came_to
                if not dealer_draws:  # shown as where a card of the dealer's is missing: which it is, his hidden ones decide
                    self.unfolded.shown[seat] = own_hands(came_to)
                return True
            self.unfolded.shown[seat] = came_to.hands
            if isinstance(came_to, MissingChoice):
                self.unfolded.to_act[seat], self.unfolded.asked[seat] = came_to.allowed, came_to.message
                return False
            if came_to.whose == "player":
                self.card(seat, came_to)
            elif came_to.whose == COMMON:
                self.card(COMMON)
            elif not dealer_draws:
                return True
            else:
                dealer_cards += 1
                if self.first.get(DEALER, 0) + dealer_cards > len(self.unfolded.hands[DEALER]):
                    self.card(DEALER)

    def play(self, seat: int, cards: tuple[int, ...]) -> Play | MissingCard | MissingChoice:
        """What a seat's round comes to, or what it misses, with these cards on its tape; worked out once for the same ones."""
        spot, others = self.round.spots[seat], self.others(seat)
        hangs_on = cards, spot.choices, tuple(spot.bets.items()), tuple(others.items())
        came_to = self.unfolded.came_to.get(hangs_on)
        if came_to is None:
            try:
                came_to = self.edition.game.play(self.request(seat, cards))
            except (MissingCard, MissingChoice) as missing:
                came_to = missing.with_traceback(None)  # kept as a value, it keeps nothing else
            self.unfolded.came_to[hangs_on] = came_to
        return came_to

    def request(self, seat: int, cards: tuple[int, ...]) -> Request:
        """A seat's round as the game's `play` reads it."""
        spot, others = self.round.spots[seat], self.others(seat)
        return Request(
            cards,
            spot.choices,
            spot.bets,
            self.settings,
            self.encoded,
            tuple(others.values()),
            asks=True,
            offered=self.edition.offered,
            others_are=tuple(f"seat {other}" for other in others),
        )

    def tape(self, seat: int, dealer_cards: int) -> tuple[int, ...]:
        """The first cards, the seat's own draws, then the dealer's."""
        if COMMON in self.unfolded.order:
            return tuple(self.unfolded.hands.get(COMMON, ()))
        own, dealer = self.unfolded.hands[seat], self.unfolded.hands[DEALER]
        n_own, n_dealer = self.first[seat], self.first[DEALER]
        first = first_tape(self.dealing, self.unfolded, tuple(own[:n_own]), tuple(dealer[:n_dealer]))
        return (*first, *own[n_own:], *dealer[n_dealer : n_dealer + dealer_cards])

    def open_tape(self, seat: int) -> tuple[int, ...]:
        """The first cards without those of the dealer's that are face down."""
        own, dealers = self.unfolded.hands[seat][: self.first[seat]], self.unfolded.hands[DEALER][: self.dealing.dealer_face_up]
        return first_tape(self.dealing, self.unfolded, tuple(own), tuple(dealers))

    def others(self, seat: int) -> dict[int, tuple[int, ...]]:
        """The other players' hands that may win this one envy, by seat: those with the bet that they need (R6)."""
        if not self.envy_needs:
            return {}
        hands, spots, own = self.unfolded.hands, self.round.spots, self.round.spots[seat].guest
        others = (other for other in self.seats if other != seat and (self.envy_own_seats or spots[other].guest != own))
        return {other: tuple(hands[other]) for other in others if self.envy_needs in spots[other].bets}


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def whose_card(face: Face, card_for: Recipient, card_of: tuple[str, int] | None) -> str:
    """Whose the card is that is wanted next, in words, from what is unfolded of it."""
    if card_of is not None:
        whose, place = card_of
        name = next((hand.name for hand in face.hands if hand.owner == whose), "")
        return f"{name}, {ORDINALS[place - 1]} card" if name else f"{face.seat_word} {card_for}, {whose}"
    named = {DEALER: "Dealer", COMMUNITY: "Community card"}
    return named.get(str(card_for), f"{face.seat_word} {card_for}")


def own_hands(play: Play) -> tuple[Shown, ...]:
    """A player's own hands at the end of his play, without how they ended."""
    return tuple(changed(hand, wins=None) for hand in play.hands if hand.owner != DEALER)


def first_tape(dealing: Dealing, dealt: Unfolded, own: tuple[int, ...], dealers: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of the first deal as `play` reads them for a seat."""
    community = (tuple(dealt.hands.get(COMMUNITY, ())),) if COMMUNITY in dealt.order else ()
    return dealing.tape(own, dealers, *community)


def unfold(
    edition: Edition,
    settings: Mapping[str, Value],
    encoded: Ints,
    round_: Round,
    draw: Draw,
    keyed: bool = False,
    before: Unfolded | None = None,
) -> Unfolded:
    """Unfold a round, drawing cards from the source as the rules ask for them, or as they are `keyed`; `before` is the same
    round as it was unfolded when it had come less far."""
    return _Unfolding(edition, settings, encoded, round_, draw, keyed, before).run()


def play_of(
    edition: Edition, settings: Mapping[str, Value], encoded: Ints, round_: Round, seat: int, keyed: bool = False
) -> None:
    """Play one seat's hand after the first deal until the dealer looks; refused if its bets or choices are not possible."""
    unfolding = _Unfolding(edition, settings, encoded, round_, lambda: None, keyed)
    unfolding.unfolded.order = unfolding.order()
    for who in unfolding.unfolded.order:
        unfolding.card(who)
    unfolding.first = {who: len(cards) for who, cards in unfolding.unfolded.hands.items()}
    with suppress(MissingCard, MissingChoice):
        edition.game.play(unfolding.request(seat, unfolding.open_tape(seat)))


def early_wagers(edition: Edition) -> tuple[str, ...]:
    """LLB-7: the wagers that are settled on the first cards, before anybody acts."""
    return tuple(name for name, wager in edition.offered.items() if wager.early)


def early_cards_are_known(dealing: Dealing, dealt: Unfolded) -> bool:
    """Whether all cards of the first deal lie that are face up: the seats', the middle's, and the first of the dealer's."""
    wanted = {who: dealt.order.count(who) for who in dealt.order}
    wanted[DEALER] = min(dealing.dealer_face_up, wanted.get(DEALER, 0))
    return bool(dealt.order) and all(len(dealt.hands.get(who, ())) >= cards for who, cards in wanted.items())


def play_early(
    edition: Edition, settings: Mapping[str, Value], encoded: Ints, round_: Round, dealt: Unfolded
) -> dict[int, Play]:
    """What becomes of them, by seat: from the seat's first cards, and those of the dealer's that lie face up."""
    dealing, early, plays = edition.game.dealing, early_wagers(edition), {}
    for seat, spot in round_.spots.items():
        bets = {name: cents for name, cents in spot.bets.items() if name in early}
        if bets:
            own, dealers = dealt.hands[seat][: dealt.order.count(seat)], dealt.hands[DEALER][: dealing.dealer_face_up]
            tape = first_tape(dealing, dealt, tuple(own), tuple(dealers))
            plays[seat] = Request(tape, (), bets, settings, encoded, offered=edition.offered).resolve_own()
    return plays


def check_decision(unfolded: Unfolded, seat: int) -> tuple[str, ...]:
    """The choices a seat has now, refused if it is not its turn."""
    if seat not in unfolded.to_act:
        waiting = ", ".join(f"seat {s} ({' or '.join(allowed)})" for s, allowed in unfolded.to_act.items())
        raise Refused("not-your-turn", f"seat {seat} has nothing to decide now; to act: {waiting or 'nobody'}")
    return unfolded.to_act[seat]
