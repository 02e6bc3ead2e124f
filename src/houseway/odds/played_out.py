"""The odds of a wager from the middle of a round, by playing it out through the readable `play` from every card that may come.

A card that lies face down may be any that is not known, unless all saw that it cannot be: where a seat is asked to decide after
the dealer has looked, his hidden card is none that would have ended the round. Where too many rounds can be, some are drawn.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np

from houseway.cards import take
from houseway.odds.known import ByPlay, Cards, Ending, KnownCards, KnownOdds, Policy
from houseway.refusal import Refused, number_of
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import COMMON, COMMUNITY, DEALER, MissingCard, MissingChoice, Play, Recipient, Request, Result
from houseway.rulebook.settings import Settings

PLAYS_MOST, PLAYS_DECIDED = 40_000, 4_000
"""Calls of `play` after which counting is given up for drawing: some seconds of work, and less where much is to be decided."""
DRAWN, TRIED_MOST = 3_000, 50
"""Rounds drawn; so many times as often it is tried, for not every hidden card can be."""
SEAT = 1
"""Where the guest sits, in a round of his own: other seats' cards are known or not, and change nothing else."""
Ended = tuple[tuple[str, str, Fraction], ...]
"""The results of a wager and those that ride on it: wager, outcome, and how many times the stake was at risk."""


class _TooMany(Exception):  # noqa: N818  (a way out, not an error)
    """Too many rounds to count."""


@dataclass(frozen=True)
class _Hands:
    """The hands of a round as far as they are dealt; None for a card that is not yet thought of."""

    own: Cards
    dealer: Cards
    community: Cards
    common: tuple[int, ...]
    choices: tuple[str, ...]

    def with_card(self, who: Recipient, card: int) -> "_Hands":
        """With a card in the first free place of a hand, or after its last."""
        if who == COMMON:
            return replace(self, common=(*self.common, card))
        if who == DEALER:
            return replace(self, dealer=_filled(self.dealer, card))
        if who == COMMUNITY:
            return replace(self, community=_filled(self.community, card))
        return replace(self, own=_filled(self.own, card))


class _PlayedOut:
    def __init__(self, edition: Edition, settings: Settings, wager: str, known: KnownCards, way: ByPlay) -> None:
        self.edition, self.settings, self.wager, self.known, self.way = edition, settings, wager, known, way
        self.encoded = edition.game.encode(settings)
        asked, dealing = edition.game.wagers[wager], edition.game.dealing
        self.order = dealing.order((SEAT,), settings, 1 if dealing.dice_sides else 0)
        self.first = {who: self.order.count(who) for who in (SEAT, DEALER, COMMUNITY)}
        classes = way.classes or (
            tuple((card,) for card in range(53))
            if asked.suits_matter
            else tuple(tuple(range(4 * rank, min(4 * rank + 4, 53))) for rank in range(14))
        )
        shoe = take(edition.game.shoe(settings), known.cards)
        self.kinds = [[card for card in members if card < len(shoe) and shoe[card]] for members in classes]
        self.copies = [sum(shoe[card] for card in members) for members in self.kinds]
        needed = asked.needed(settings)
        stakes = {name: known.bets.get(name, 100) for name in (wager, needed) if name}
        self.bets = {name: cents for name, cents in known.bets.items() if name in stakes} or stakes
        self.bets = stakes | self.bets
        self.policy: Policy | None = None
        self.plays = 0

    def begin(self) -> _Hands:
        """The hands as they are known, with room for the cards of the first deal that are not."""
        known = self.known

        def room(cards: Cards, who: Recipient) -> Cards:
            return cards + (None,) * (self.first[who] - len(cards))

        own, dealer, community = room(known.own, SEAT), room(known.dealer, DEALER), room(known.community, COMMUNITY)
        return _Hands(own, dealer, community, known.common, known.choices)

    def request(self, hands: _Hands, own: tuple[int, ...], choices: tuple[str, ...], bets: Mapping[str, int]) -> Request:
        """The round as `play` reads it: the first cards, the seat's own draws, then the dealer's."""
        cards: tuple[int, ...]
        if COMMON in self.order:
            cards = hands.common
        else:
            dealing, dealer = self.edition.game.dealing, _whole(hands.dealer)
            n_own, n_dealer = self.first[SEAT], self.first[DEALER]
            community = (_whole(hands.community),) if COMMUNITY in self.order else ()
            cards = (*dealing.tape(own[:n_own], dealer[:n_dealer], *community), *own[n_own:], *dealer[n_dealer:])
        return Request(cards, choices, bets, self.settings, self.encoded, asks=True, offered=self.edition.offered)

    def missing_first(self, hands: _Hands) -> Recipient | None:
        """Whose card of the first deal, or which that lies face down, is not thought of yet."""
        for who, cards in ((SEAT, hands.own), (DEALER, hands.dealer), (COMMUNITY, hands.community)):
            if None in cards:
                return who
        return None

    def can_be(self, hands: _Hands) -> bool:
        """Whether hidden cards fit with what all have seen: that a seat is asked."""
        asked = self.known.asked
        if asked is None:
            return True
        try:
            self.edition.game.play(self.request(hands, asked.own, asked.choices, asked.bets))
        except MissingChoice:
            return True
        except Refused:
            return False
        return False

    def step(self, hands: _Hands) -> tuple[_Hands, Recipient | None, Ended | None]:
        """Play on until a card is missing (whose?), or the end; neither, if it cannot have gone so."""
        wager = self.edition.game.wagers[self.wager]
        while True:
            self.plays += 1
            request = self.request(hands, _whole(hands.own), hands.choices, self.bets)
            try:
                if wager.resolve and COMMON not in self.order:
                    return hands, None, self.ended(wager.resolve(request))
                return hands, None, self.ended(self.edition.game.play(request))
            except MissingCard as missing:
                return hands, SEAT if missing.whose == "player" else missing.whose, None
            except MissingChoice as missing:
                hands = replace(hands, choices=(*hands.choices, self.choice(request, missing)))
            except Refused:
                return hands, None, None

    def choice(self, request: Request, missing: MissingChoice) -> str:
        """What is decided, by whoever is taken to play."""
        if self.way.policy is None:
            raise Refused(
                "hangs-on-decisions",
                f"{self.edition.game.wagers[self.wager].name} hangs on decisions to come, and the game names nobody for them",
            )
        if self.policy is None:
            self.policy = self.way.policy(self.edition, self.settings)
        return self.policy(request, missing)

    def ended(self, play: Play) -> Ended:
        """What became of the wager, and of those that ride on it."""
        of = (self.wager, *self.edition.game.wagers[self.wager].rides)
        return ended_of(play.results, of)

    def count(self, hands: _Hands, copies: list[int], chance: Fraction) -> Iterator[tuple[Ended, Fraction]]:
        """Every way to the end, with its chance."""
        who = self.missing_first(hands)
        ended: Ended | None = None
        if who is None:
            hands, who, ended = self.step(hands)
            if self.plays > (PLAYS_DECIDED if self.policy else PLAYS_MOST):
                raise _TooMany
            if ended is not None:
                yield ended, chance
        if who is None:
            return
        total = sum(copies)
        for kind, left in enumerate(copies):
            if not left:
                continue
            after = hands.with_card(who, self.kinds[kind][0])
            is_set = None in (*hands.own, *hands.dealer, *hands.community) and self.missing_first(after) is None
            if is_set and not self.can_be(after):
                continue
            copies[kind] -= 1
            yield from self.count(after, copies, chance * Fraction(left, total))
            copies[kind] += 1

    def draw(self, rng: np.random.Generator) -> Ended | None:
        """One way to the end, drawn; nothing if it cannot have gone so."""
        hands, copies = self.begin(), list(self.copies)
        has_room = self.missing_first(hands) is not None
        while True:
            who = self.missing_first(hands)
            if who is None:
                if has_room and not self.can_be(hands):
                    return None
                has_room = False
                hands, who, ended = self.step(hands)
                if who is None:
                    return ended
            place = int(rng.integers(sum(copies)))
            kind = 0
            while place >= copies[kind]:
                place -= copies[kind]
                kind += 1
            copies[kind] -= 1
            hands = hands.with_card(who, self.kinds[kind][0])


def ended_of(results: tuple[Result, ...], wagers: tuple[str, ...]) -> Ended:
    """The results of these wagers, without prizes; in an order of their own."""
    own = [(result.wager, result.outcome, result.times) for result in results if result.wager in wagers and not result.prize]
    return tuple(sorted(own))


def _filled(hand: Cards, card: int) -> Cards:
    place = hand.index(None) if None in hand else len(hand)
    return (*hand[:place], card, *hand[place + 1 :])


def _whole(cards: Cards) -> tuple[int, ...]:
    return tuple(card for card in cards if card is not None)


def played_out(edition: Edition, settings: Settings, wager: str, known: KnownCards, way: ByPlay, seed: int) -> KnownOdds:
    """The odds of a wager by playing on: counted if that is soon done, else drawn by a seed."""
    rounds = _PlayedOut(edition, settings, wager, known, way)
    chances: dict[Ended, Fraction] = {}
    exact = True
    try:
        for ended, chance in rounds.count(rounds.begin(), list(rounds.copies), Fraction(1)):
            chances[ended] = chances.get(ended, Fraction(0)) + chance
    except _TooMany:
        exact, chances = False, {ended: Fraction(times) for ended, times in _drawn(rounds, seed).items()}
    if not chances:
        raise Refused("cannot-be", f"no round of {edition.name} goes on from these cards and choices")
    unit = lcm(*(chance.denominator for chance in chances.values()))
    ways = {ended: int(chance * unit) for ended, chance in chances.items()}
    return odds_of(edition, settings, wager, ways, exact, way.player if rounds.policy else "")


def _drawn(rounds: _PlayedOut, seed: int) -> Counter[Ended]:
    """Rounds drawn by a seed."""
    rng, counted = np.random.Generator(np.random.Philox(seed)), Counter[Ended]()
    for _ in range(TRIED_MOST * DRAWN):
        if counted.total() == DRAWN:
            break
        if (ended := rounds.draw(rng)) is not None:
            counted[ended] += 1
    return counted


def odds_of(
    edition: Edition, settings: Settings, wager: str, ways: Mapping[Ended, int], exact: bool, player: str = ""
) -> KnownOdds:
    """Odds from how rounds ended, those of one name and net together, the best first."""
    endings: dict[tuple[str, str, Fraction], int] = {}
    for ended, weight in ways.items():
        named = _named(edition, settings, wager, ended)
        endings[named] = endings.get(named, 0) + weight
    listed = sorted(endings.items(), key=lambda item: (-item[0][2], item[0][1]))
    return KnownOdds(tuple(Ending(*named, weight) for named, weight in listed), exact, player)


def _named(edition: Edition, settings: Settings, wager: str, ended: Ended) -> tuple[str, str, Fraction]:
    """What an ending is called, and what it nets for each unit staked."""
    net = sum((times * edition.pay(of, outcome, settings).net for of, outcome, times in ended), Fraction(0))
    own = [(outcome, times) for of, outcome, times in ended if of == wager]
    if len(own) != 1:
        together = f"{'+' if net > 0 else '−' if net < 0 else ''}{float(abs(net)):g}"
        return f"{len(own)}-hands{net}", f"{number_of(len(own), 'hand')}, together {together}", net
    outcome, times = own[0]
    row = edition.row(wager, outcome, settings)
    name = next(each.name for each in edition.game.wagers[wager].outcomes if each.id == row)
    return (row, name, net) if times == 1 else (f"{row}-{times}", f"{name}, {float(times):g} times the bet", net)
