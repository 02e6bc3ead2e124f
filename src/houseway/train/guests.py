"""How guests of an exercise decide: mostly by what went best in a few rounds tried out. It knows no game.

What is tried hangs on nothing but the hand, so that a guest decides the same way in every process, whoever was asked before.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMUNITY, DEALER, MissingCard, MissingChoice, Request, Result
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import pay_result
from houseway.table.unfold import Unfolded, first_tape

TRIED, STEPS_MOST, CARDS_MOST, PRACTISED = 8, 40, 40, 150
SENSIBLE = 0.85
"""How often a guest does what went best; else something that went nearly as well."""
UNIT_CENTS = 1_000
Seen = tuple[tuple[str, ...], tuple[str, ...]]
"""What a guest decides by: what is allowed, and what his hand counts."""


class GuestHabits:
    """The guests of one table: what each choice came to is remembered.

    What a guest sees was met in practice, the same in every process: it is tried out once, with the hand of then and any cards
    of the dealer's. What was never met is left at what a seat does that says nothing.
    """

    def __init__(self, edition: Edition, settings: Settings, encoded: Ints) -> None:
        self.edition, self.settings, self.encoded = edition, settings, encoded
        self.open_places, self._hidden = _dealers_places(edition, settings)
        self._shoe = [card for card, copies in enumerate(edition.game.shoe(settings)) for _ in range(copies)]
        self._known: dict[Seen, tuple[str, ...]] = {}

    @cached_property
    def _met(self) -> dict[Seen, tuple[Request, MissingChoice]]:
        """What was met in practice: rounds of one seat, decided by chance."""
        game, met = self.edition.game, dict[Seen, tuple[Request, MissingChoice]]()
        own = [w for name, w in game.wagers.items() if name in self.edition.wagers and not (w.resolve or w.follows)]
        bets = {w.id: UNIT_CENTS for w in own if w.id not in game.dealing.late and not w.needed(self.settings)}
        drawn = random.Random(f"practice {self.edition.id}")
        for _ in range(PRACTISED if bets else 0):
            for request, missing in self._round(bets, drawn):
                met.setdefault(self._seen(missing), (request, missing))
        return met

    def _round(self, bets: Mapping[str, int], drawn: random.Random) -> Iterator[tuple[Request, MissingChoice]]:
        cards = drawn.sample(self._shoe, min(CARDS_MOST, len(self._shoe)))
        order = self.edition.game.dealing.order((1,), self.settings, 1)
        size = sum(who in {1, DEALER, COMMUNITY} for who in order)
        tape, said, left = cards[:size], list[str](), cards[size:]
        for _ in range(STEPS_MOST):
            given = tuple(tape), tuple(said), bets, self.settings, self.encoded
            request = Request(*given, asks=True, offered=self.edition.offered)
            try:
                self.edition.game.play(request)
                return
            except MissingCard:
                tape.append(left.pop())
            except MissingChoice as missing:
                yield request, missing
                said.append(drawn.choice(self.plain(missing.allowed) or [self.usual(missing.allowed)]))
            except (Refused, IndexError):
                return

    def plain(self, allowed: tuple[str, ...]) -> list[str]:
        """The choices for which no card and no amount is named."""
        game = self.edition.game
        faces = game.face.choices
        return [name for name in allowed if name not in game.dealing.late and not (name in faces and faces[name].picks)]

    def usual(self, allowed: tuple[str, ...]) -> str:
        """What a seat does that says nothing."""
        usual = self.edition.game.dealing.default_choice
        return usual if usual in allowed else (self.plain(allowed) or list(allowed))[-1]

    def say(self, missing: MissingChoice, drawn: random.Random) -> str:
        """One of the choices that are asked for."""
        plain = self.plain(missing.allowed)
        if len(plain) < 2:
            return plain[0] if plain else self.usual(missing.allowed)
        best = self._best_first(missing, plain)
        return best[0] if drawn.random() < SENSIBLE else drawn.choice(best)

    def _seen(self, missing: MissingChoice) -> Seen:
        active = [hand for hand in missing.hands if hand.active] or list(missing.hands)
        return tuple(self.plain(missing.allowed)), tuple(hand.worth for hand in active)

    def _best_first(self, missing: MissingChoice, plain: list[str]) -> tuple[str, ...]:
        """The choices by what they came to where they were tried, without those that came to much less."""
        seen = self._seen(missing)
        if seen not in self._met:
            return (self.usual(missing.allowed),)
        if seen not in self._known:
            self._known[seen] = self._by_worth(*self._met[seen], plain)
        return self._known[seen]

    def _by_worth(self, request: Request, missing: MissingChoice, plain: list[str]) -> tuple[str, ...]:
        drawn = random.Random(f"{self.edition.id} {request.cards} {request.choices}")
        shoes = [drawn.sample(self._shoe, min(CARDS_MOST, len(self._shoe))) for _ in range(TRIED)]
        worths = {name: self._tried(request, name, shoes) for name in plain}
        best = sorted(plain, key=lambda name: (worths[name], name != self.usual(missing.allowed)), reverse=True)
        staked = sum(cents for name, cents in request.bets.items() if not self.edition.game.wagers[name].resolve)
        return tuple(name for name in best if worths[name] >= worths[best[0]] - staked * TRIED // 2)

    def _tried(self, request: Request, choice: str, shoes: list[list[int]]) -> int:
        """What a choice wins in all, if nothing is said after it."""
        return sum(self._played(request, choice, list(shoe)) for shoe in shoes)

    def _played(self, request: Request, choice: str, shoe: list[int]) -> int:
        cards = list(request.cards)
        for place in (*self.open_places, *self._hidden):
            if place < len(cards):
                cards[place] = shoe.pop()
        said = [*request.choices, choice]
        for _ in range(STEPS_MOST):
            try:
                played = self.edition.game.play(replace(request, cards=tuple(cards), choices=tuple(said)))
            except MissingCard:
                cards.append(shoe.pop())
            except MissingChoice as missing:
                said.append(self.usual(missing.allowed))
            except (Refused, IndexError):
                break
            else:
                return _won(self.edition, self.settings, request.bets, played.results)
        return -sum(request.bets.values())


def _won(edition: Edition, settings: Settings, bets: Mapping[str, int], results: tuple[Result, ...]) -> int:
    payments = (pay_result(edition, result, bets, settings) for result in results)
    return sum(payment.win_cents for payment in payments if payment)


def _dealers_places(edition: Edition, settings: Settings) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the dealer's first cards are as `play` reads them: those face up, and those face down."""
    dealing = edition.game.dealing
    order = dealing.order((1,), settings, 1)
    own, dealers = order.count(1), order.count(DEALER)
    if not own or not dealers:
        return (), ()
    marked = Unfolded([], hands={COMMUNITY: list(range(200, 200 + order.count(COMMUNITY)))}, order=order)
    tape = first_tape(dealing, marked, tuple(range(own)), tuple(range(100, 100 + dealers)))
    is_up = {mark: mark - 100 < dealing.dealer_face_up for mark in range(100, 100 + dealers)}
    places = [(place, is_up[mark]) for place, mark in enumerate(tape) if mark in is_up]
    return tuple(place for place, up in places if up), tuple(place for place, up in places if not up)
