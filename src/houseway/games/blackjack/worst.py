"""The worst rounds of blackjack with Lucky Lucky: every first deal, then all splits and doubles that the table allows.

An ending bounds what the hands can win; a round with its cards is dealt as luck would have it, and played by the rules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.refusal import Refused
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import DEALER, MissingCard, MissingChoice, Request, Result
from houseway.rulebook.settings import Settings
from houseway.rulebook.worst import Ending, PossibleRound, WorstRounds

from . import rules
from .outcomes import LUCKY_OUTCOMES
from .round import play

TEN_RANKS = (8, 9, 10, 11)
SIX = 16


@dataclass(frozen=True)
class FirstDeal:
    """What matters of a first deal: its Lucky Lucky, what the two cards can come to, and whether an ace may be up.

    A pair can become so many `hands` of `each` bets; unsplit, `alone` bets lie on the hand. Where the third card is like the
    pair's, few decks may be short of cards to split again.
    """

    lucky: str
    hands: int
    each: int
    alone: int
    natural: bool
    ace_up: bool
    is_short: bool


Three = tuple[int, int, int]
"""The player's two cards, and the third that Lucky Lucky looks at."""


def _kinds(edition: Edition, settings: Settings) -> dict[FirstDeal, Three]:
    """Every kind of first deal that the shoe has, with one that is so."""
    encoded, shoe = edition.game.encode(settings), edition.game.shoe(settings)
    kinds: dict[FirstDeal, Three] = {}
    for first in range(0, 52, 4):  # suits have no names here: the first card's is any
        for second in range(52):
            points, aces = rules.points(first) + rules.points(second), rules.is_ace(first) + rules.is_ace(second)
            pair = bool(rules.may_split(first, second, encoded))
            hands = _hands(settings, aces == 2) if pair else 1
            each = 2 if pair and _doubles_after_split(settings, rules.points(first)) else 1
            alone = 2 if rules.may_double(points, aces, encoded) else 1
            natural = bool(rules.is_blackjack(points, aces, 2))
            for third in range(52):
                if all(shoe[card] >= copies for card, copies in Counter((first, second, third)).items()):
                    lucky = LUCKY_OUTCOMES[rules.lucky_lucky(np.array((first, second, third), np.int64), encoded)].id
                    ace_up = bool(rules.is_ace(third)) or settings["lucky-card"] != "up-card"
                    kind = FirstDeal(lucky, hands, each, alone, natural, ace_up, pair and third >> 2 == first >> 2)
                    kinds.setdefault(kind, (first, second, third))
    return kinds


def _hands(settings: Settings, aces: bool) -> int:
    """BJ-5: how many hands a pair can come to."""
    return 2 if aces and settings["split-aces"] != "re-split" else int(settings["split-hands"])


def _doubles_after_split(settings: Settings, points: int) -> bool:
    """BJ-4, BJ-5: whether a split hand can be doubled: aces where they are played on, tens where any two cards are."""
    if settings["double-after-split"] != "yes" or (points == 1 and settings["split-aces"] != "play-on"):
        return False
    return points not in {1, 10} or settings["double"] == "any"


def _endings(edition: Edition, settings: Settings) -> Iterator[Ending]:
    """All hands win, doubled where they may be; or there is a blackjack; or the dealer has one, and insurance wins (BJ-6)."""
    for kind in _kinds(edition, settings):
        own = Result("lucky-lucky", kind.lucky, "LLB-8")
        if kind.hands > 1:
            yield (own, *[Result("blackjack", "win", "BJ-5", times=Fraction(kind.each))] * kind.hands)
        yield (own, Result("blackjack", "win", "BJ-4", times=Fraction(kind.alone)))
        if kind.natural:
            yield (own, Result("blackjack", "blackjack", "BJ-2"))
        if kind.ace_up:
            yield (own, Result("insurance", "dealer-blackjack", "BJ-6"))
            if kind.natural:
                yield (own, Result("blackjack", "even-money", "BJ-6"))


def _rounds(edition: Edition, settings: Settings) -> Iterator[PossibleRound]:
    """Each kind of first deal, the rest as luck would have it; and where an ace is up, the dealer's blackjack."""
    for kind, three in _kinds(edition, settings).items():
        yield from _dealt_out(edition, settings, three, False)
        if kind.ace_up:
            yield from _dealt_out(edition, settings, three, True)


def _dealt_out(edition: Edition, settings: Settings, three: Three, dealer_blackjack: bool) -> Iterator[PossibleRound]:
    """A round from its first deal on, by the rules: split and doubled as far as they allow, and nothing where it cannot be."""
    left = Counter({card: copies for card, copies in enumerate(edition.game.shoe(settings)) if copies})
    first, second, third = three
    up_is_third = settings["lucky-card"] == "up-card"
    up = third if up_is_third else 4 * rules.ACE if dealer_blackjack else SIX
    tape, choices = [first, up, second, *(() if up_is_third else (third,))], list[str]()
    left.subtract(tape)
    doubled: tuple[int, ...] = ()  # the hand that waits for the card of its double
    dealers = 1
    main = {name: wager for name, wager in edition.game.wagers.items() if name == "blackjack"}
    encoded = edition.game.encode(settings)
    while min(left.values()) >= 0:
        try:
            play(Request(tuple(tape), tuple(choices), {"blackjack": 100}, settings, encoded, offered=main))
            yield PossibleRound(tuple(tape), tuple(choices))
            return
        except MissingChoice as missing:
            wanted = ("stand",) if dealer_blackjack else ("split", "double", "stand")
            choices.append(next((choice for choice in wanted if choice in missing.allowed), missing.allowed[0]))
            doubled = next(hand.cards for hand in missing.hands if hand.active) if choices[-1] == "double" else ()
        except MissingCard as missing:
            if missing.whose == DEALER:
                value = 10 if dealer_blackjack or dealers > 1 else _stiff(rules.points(tape[1]))
                dealers += 1
            else:
                value = _wanted(settings, missing, doubled)
                doubled = ()
            ranks = TEN_RANKS if value == 10 else (12,) if value == 1 else (value - 2,)
            card = next((4 * rank + suit for rank in ranks for suit in range(4) if left[4 * rank + suit] > 0), None)
            if card is None:
                return
            tape.append(card)
            left[card] -= 1
        except Refused:
            return


def _stiff(up: int) -> int:
    """The dealer's second card from which on tens make him bust: beside an ace a five, then two tens."""
    return 5 if up == 1 else min(16 - up, 10)


def _wanted(settings: Settings, missing: MissingCard, doubled: tuple[int, ...]) -> int:
    """The points of the card that suits the player best: a pair to split, an eleven to double, twenty-one."""
    if doubled:
        need = 21 - rules.best_total(sum(map(rules.points, doubled)), sum(map(rules.is_ace, doubled)))
        return 1 if need in {1, 11} else min(need, 10)
    value = rules.points(next(hand.cards[0] for hand in missing.hands if len(hand.cards) == 1))
    if len(missing.hands) < _hands(settings, value == 1):
        return value
    return 10 if value in {1, 10} else 11 - value


def _largest(bets: Mapping[str, int]) -> dict[str, int]:
    """BJ-6: insurance is at most half the bet."""
    half = bets.get("blackjack", 0) // rules.INSURED
    return {name: min(cents, half) if name == "insurance" else cents for name, cents in bets.items()}


WORST = WorstRounds(_endings, _rounds, _largest)
