"""Insurance (BJ-6): what it is worth with every two cards, when to take it, and what taking it adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from houseway.cards import take
from houseway.kernels.compiled import plain
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Tally, Value
from houseway.rulebook.settings import Settings

from ..known import VALUE_CLASSES, insured
from ..outcomes import INSURANCE_OUTCOMES
from ..rules import INSURED
from .analysis import Analysis, BlackjackRules
from .rulings import ACE, Held

SHARE = Fraction(1, INSURED)
"""BJ-6: at most half the bet."""


@dataclass(frozen=True)
class Insured:
    """Two cards against an ace: how likely they are, how likely a blackjack then is, and what a unit of insurance is worth."""

    hand: Held
    chance: Fraction
    blackjack: Fraction
    worth: Fraction


@dataclass(frozen=True)
class Insurance:
    """The bet with every two cards. What it adds is for each unit of the main bet, half of it insured, over all rounds."""

    hands: tuple[Insured, ...]

    @property
    def offered(self) -> Fraction:
        """How often an ace is up."""
        return sum((each.chance for each in self.hands), Fraction(0))

    @property
    def worth(self) -> Fraction:
        """What a unit of insurance is worth whenever it is offered."""
        return sum((each.chance * each.worth for each in self.hands), Fraction(0)) / self.offered

    @property
    def right(self) -> tuple[Insured, ...]:
        """The two cards with which it gains."""
        return tuple(each for each in self.hands if each.worth > 0)

    @property
    def always_adds(self) -> Fraction:
        """What it adds to a round if it is always taken."""
        return SHARE * self.offered * self.worth

    @property
    def rightly_adds(self) -> Fraction:
        """What it adds to a round if it is taken only where it gains."""
        return SHARE * sum((each.chance * each.worth for each in self.right), Fraction(0))


def count_hole_cards(edition: Edition, settings: Settings) -> Tally:
    """Every hole card under an ace, by the rule of a blackjack (BJ-6); the player's cards are not known."""
    ended = [0] * len(INSURANCE_OUTCOMES)
    encoded = edition.game.encode(settings)
    ace = VALUE_CLASSES[ACE][0]
    for card, copies in enumerate(take(edition.game.shoe(settings), (ace,))):
        if copies:
            ended[plain(insured)(np.array((ace, card)), encoded)] += copies
    return Tally(tuple(ended))


def insure(edition: Edition, settings: Mapping[str, Value], rules: BlackjackRules) -> Insurance:
    """Insurance with every two cards against an ace, in exact fractions."""
    analysis = Analysis(rules, exact=True)
    won, lost = (edition.pay("insurance", outcome, settings).net for outcome in ("dealer-blackjack", "no-blackjack"))
    offered: dict[Held, Fraction] = {}
    for deal in analysis.deals():
        if deal.up == ACE:
            offered[deal.hand] = offered.get(deal.hand, Fraction(0)) + deal.chance
    hands = []
    for hand, chance in offered.items():
        blackjack = analysis.natural(hand, ACE)
        hands.append(Insured(hand, chance, blackjack, blackjack * won + (1 - blackjack) * lost))
    return Insurance(tuple(hands))
