"""How guests of an exercise decide: mostly by what went best in a few rounds tried out. It knows no game.

What is tried hangs only on what the guest sees, so that a guest in the same place decides the same way, in every process.
"""

import random
from collections.abc import Mapping
from dataclasses import replace

from houseway.kernels.compiled import Ints
from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMUNITY, DEALER, MissingCard, MissingChoice, Request, Result
from houseway.rulebook.settings import Settings
from houseway.rulebook.settle import pay_result
from houseway.table.unfold import Unfolded, first_tape

TRIED, STEPS_MOST, CARDS_MOST = 6, 40, 40
SENSIBLE = 0.85
"""How often a guest does what went best; else something that is not hopeless."""
Seen = tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]


class GuestHabits:
    """The guests of one table: what each choice came to is remembered."""

    def __init__(self, edition: Edition, settings: Settings, encoded: Ints) -> None:
        self.edition, self.settings, self.encoded = edition, settings, encoded
        self._known: dict[Seen, tuple[str, ...]] = {}
        self.open_places, self._hidden = _dealers_places(edition, settings)
        self._shoe = [card for card, copies in enumerate(edition.game.shoe(settings)) for _ in range(copies)]

    def plain(self, allowed: tuple[str, ...]) -> list[str]:
        """The choices for which no card and no amount is named."""
        game = self.edition.game
        faces = game.face.choices
        return [name for name in allowed if name not in game.dealing.late and not (name in faces and faces[name].picks)]

    def usual(self, allowed: tuple[str, ...]) -> str:
        """What a seat does that says nothing."""
        usual = self.edition.game.dealing.default_choice
        return usual if usual in allowed else (self.plain(allowed) or list(allowed))[-1]

    def say(self, request: Request, missing: MissingChoice, drawn: random.Random) -> str:
        """One of the choices that are asked for."""
        plain = self.plain(missing.allowed)
        if len(plain) < 2:
            return plain[0] if plain else self.usual(missing.allowed)
        best = self._best_first(request, missing, plain)
        return best[0] if drawn.random() < SENSIBLE else drawn.choice(best)

    def _best_first(self, request: Request, missing: MissingChoice, plain: list[str]) -> tuple[str, ...]:
        """The choices by what they came to where they were tried, without those that lost everything while others did not."""
        active = [hand for hand in missing.hands if hand.active] or list(missing.hands)
        seen = tuple(request.cards[place] >> 2 for place in self.open_places if place < len(request.cards))
        key = (tuple(plain), tuple(hand.worth for hand in active), seen)
        if key not in self._known:
            drawn = random.Random(f"{self.edition.id} {key}")
            shoes = [drawn.sample(self._shoe, min(CARDS_MOST, len(self._shoe))) for _ in range(TRIED)]
            worths = {name: self._tried(request, name, shoes) for name in plain}
            best = sorted(plain, key=lambda name: (worths[name], name != self.usual(missing.allowed)), reverse=True)
            worst = min(worths.values())
            self._known[key] = tuple(name for name in best if worths[name] > worst or name == best[0])
        return self._known[key]

    def _tried(self, request: Request, choice: str, shoes: list[list[int]]) -> int:
        """What a choice wins in all, if nothing is said after it."""
        return sum(self._played(request, choice, list(shoe)) for shoe in shoes)

    def _played(self, request: Request, choice: str, shoe: list[int]) -> int:
        cards = list(request.cards)
        for place in self._hidden:
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
