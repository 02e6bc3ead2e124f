"""Unfolding a round from its tape: the hands, who is to act, and in the end what every bet came to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMON, DEALER, MissingCard, MissingChoice, Play, Recipient, Request, Shown, Value
from houseway.table.state import Round

Draw = Callable[[], int | None]
"""The next card of the source, or nothing when it has none to give yet."""


class _Waiting(Exception):  # noqa: N818  (a pause, not an error)
    """No card has come yet."""


@dataclass
class Unfolded:
    """A round as far as its cards and choices carry it: who is to act, and what each is asked."""

    drawn: list[int]
    hands: dict[Recipient, list[int]] = field(default_factory=dict)
    card_for: Recipient | None = None
    to_act: dict[int, tuple[str, ...]] = field(default_factory=dict)
    asked: dict[int, str] = field(default_factory=dict)
    plays: dict[int, Play] = field(default_factory=dict)
    shown: dict[int, tuple[Shown, ...]] = field(default_factory=dict)
    first_deal_done: bool = False
    before_look: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether every bet can be settled."""
        return self.first_deal_done and self.card_for is None and not self.to_act


class _Unfolding:
    def __init__(self, edition: Edition, settings: Mapping[str, Value], encoded: Ints, round_: Round, draw: Draw) -> None:
        self.edition, self.settings, self.encoded, self.round, self.draw = edition, settings, encoded, round_, draw
        self.dealing = edition.game.dealing
        self.made = Unfolded(list(round_.drawn))
        self.seats = tuple(sorted(round_.spots))
        self.used = 0
        self.first: dict[Recipient, int] = {}

    def card(self, who: Recipient) -> None:
        """Give the next card, of those already drawn or a new one."""
        if self.used == len(self.made.drawn):
            card = self.draw()
            if card is None:
                self.made.card_for = who
                raise _Waiting
            self.made.drawn.append(card)
        self.made.hands.setdefault(who, []).append(self.made.drawn[self.used])
        self.used += 1

    def run(self) -> Unfolded:
        if self.round.result and self.dealing.play_result:
            self.made.first_deal_done = True
            for seat, spot in self.round.spots.items():
                self.made.plays[seat] = self.dealing.play_result(self.round.result, spot.bets)
            return self.made
        try:
            for who in self.dealing.order(self.seats, self.settings, self.round.dice):
                self.card(who)
            self.first = {who: len(cards) for who, cards in self.made.hands.items()}
            self.made.first_deal_done = True
            self.play_seats()
        except _Waiting:
            if COMMON in self.made.hands:
                self.show_common()
        return self.made

    def show_common(self) -> None:
        """What lies on the felt of a hand that all bet on, while its cards are still keyed in."""
        for seat in self.seats[:1]:
            try:
                self.edition.game.play(self.request(seat, 0))
            except MissingCard as missing:
                self.made.shown[seat] = missing.hands

    def play_seats(self) -> None:
        """Offers first, to all seats; then seats act in order.

        D4P-3: the dealer reveals, or completes, his hand when none is left to act.
        """
        if self.dealing.late:
            for seat in self.seats:
                self.ask_before_look(seat)
        if self.made.to_act:
            return
        for seat in self.seats:
            if not self.play_seat(seat, dealer_draws=False) and self.dealing.in_turn:
                break
        if not self.made.to_act:
            for seat in self.seats:
                if seat not in self.made.plays:
                    self.play_seat(seat, dealer_draws=True)

    def ask_before_look(self, seat: int) -> None:
        """What a seat is offered before the dealer looks; everything else can wait."""
        try:
            self.edition.game.play(self.request(seat, 0))
        except MissingChoice as missing:
            self.made.shown[seat] = missing.hands
            if missing.before_look:
                self.made.to_act[seat] = tuple(name for name in missing.allowed if name not in self.dealing.late)
                self.made.before_look = True
        except MissingCard:
            pass

    def play_seat(self, seat: int, dealer_draws: bool) -> bool:
        """Play a seat's hand on; whether it has nothing more to decide."""
        dealer_cards = 0
        while True:
            try:
                self.made.plays[seat] = self.edition.game.play(self.request(seat, dealer_cards))
            except MissingChoice as missing:
                self.made.to_act[seat], self.made.asked[seat] = missing.allowed, missing.message
                self.made.shown[seat] = missing.hands
                return False
            except MissingCard as missing:
                if missing.whose == "player":
                    self.card(seat)
                elif missing.whose == COMMON:
                    self.made.shown[seat] = missing.hands
                    self.card(COMMON)
                elif not dealer_draws:
                    self.made.shown[seat] = missing.hands
                    return True
                else:
                    dealer_cards += 1
                    if self.first.get(DEALER, 0) + dealer_cards > len(self.made.hands[DEALER]):
                        self.card(DEALER)
            else:
                return True

    def request(self, seat: int, dealer_cards: int) -> Request:
        """A seat's round as `play` reads it: the first cards, the seat's own draws, then the dealer's."""
        spot = self.round.spots[seat]
        return Request(
            self.tape(seat, dealer_cards), spot.choices, spot.bets, self.settings, self.encoded, self.others(seat), asks=True
        )

    def tape(self, seat: int, dealer_cards: int) -> tuple[int, ...]:
        if COMMON in self.made.hands:
            return tuple(self.made.hands[COMMON])
        own, dealer = self.made.hands[seat], self.made.hands[DEALER]
        n_own, n_dealer = self.first[seat], self.first[DEALER]
        first = self.dealing.tape(tuple(own[:n_own]), tuple(dealer[:n_dealer]))
        return (*first, *own[n_own:], *dealer[n_dealer : n_dealer + dealer_cards])

    def others(self, seat: int) -> tuple[tuple[int, ...], ...]:
        """R6: the other seats' hands that may win this one envy."""
        if self.dealing.envied is None or not any(terms.envy_cents for terms in self.edition.wagers.values()):
            return ()
        needs, hands = self.dealing.envied(self.settings), self.made.hands
        return tuple(tuple(hands[s]) for s in self.seats if s != seat and needs in self.round.spots[s].bets)


def unfold(edition: Edition, settings: Mapping[str, Value], encoded: Ints, round_: Round, draw: Draw) -> Unfolded:
    """Unfold a round, drawing cards from the source as the rules ask for them."""
    return _Unfolding(edition, settings, encoded, round_, draw).run()


def play_early(
    edition: Edition, settings: Mapping[str, Value], encoded: Ints, round_: Round, made: Unfolded
) -> dict[int, Play]:
    """LLB-7: the wagers that are settled on the first deal, by seat."""
    dealing = edition.game.dealing
    if dealing.play_early is None:
        return {}
    plays = {}
    for seat, spot in round_.spots.items():
        early = {name: cents for name, cents in spot.bets.items() if name in dealing.early}
        if early:
            tape = dealing.tape(tuple(made.hands[seat][:2]), tuple(made.hands[DEALER][:1]))
            plays[seat] = dealing.play_early(Request(tape, (), early, settings, encoded))
    return plays


def check_decision(made: Unfolded, seat: int) -> tuple[str, ...]:
    """The choices a seat has now, refused if it is not its turn."""
    if seat not in made.to_act:
        waiting = ", ".join(f"seat {s} ({' or '.join(allowed)})" for s, allowed in made.to_act.items())
        raise Refused("not-your-turn", f"seat {seat} has nothing to decide now; to act: {waiting or 'nobody'}")
    return made.to_act[seat]
