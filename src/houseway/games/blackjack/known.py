"""How the rules of blackjack and Lucky Lucky read a round that is half dealt."""

from collections.abc import Mapping

from houseway.kernels.compiled import Ints, rule
from houseway.odds.known import ByPlay, HalfTape, KnownCards, Policy, Reads
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import MissingChoice, Request, Value

from .rules import is_ace, is_blackjack, lucky_lucky, points
from .solve.chart import ELSE, FIRST, row_of
from .solve.hands import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from .solve.rulings import VALUES, hand_of, value_of

NAMES = {STAND: "stand", HIT: "hit", DOUBLE: "double", SPLIT: "split", SURRENDER: "surrender"}
VALUE_CLASSES = tuple(tuple(card for card in range(52) if value_of(card) == value) for value in range(VALUES))
"""Cards of one value are alike: that only tens of one rank may be a pair changes nothing, for no chart splits tens."""


@rule
def insured(tape: Ints, settings: Ints) -> int:
    """BJ-6: whether the dealer's two cards are a blackjack (0) or not (1)."""
    first, second = tape[0], tape[1]
    return 0 if is_blackjack(points(first) + points(second), is_ace(first) + is_ace(second), 2) else 1


def _insurance(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape | str:
    """BJ-6: the hole card; once somebody is asked after the look (BJ-8), it makes no blackjack."""
    if known.asked and settings["hole-card"] == "peek":
        return "no-blackjack"
    dealer = tuple(card for card in known.dealer[:2] if card is not None)
    unknown = 2 - len(dealer)
    return HalfTape(insured, (*dealer, *(None,) * unknown), (1,) * unknown, encoded, VALUE_CLASSES)


def by_chart(edition: Edition, settings: Mapping[str, Value]) -> Policy:
    """The player who does what the best chart for these rules says, and takes neither insurance nor even money."""
    from .simulate import computed_chart

    chart = computed_chart(edition, settings)

    def choose(request: Request, missing: MissingChoice) -> str:
        hand = next((shown for shown in missing.hands if shown.active), missing.hands[0])
        held, up = hand_of(hand.cards), value_of(request.cards[1])
        letter = chart.cells[row_of(held, "split" in missing.allowed and not missing.before_look), up]
        first = NAMES.get(FIRST.get(letter, -1), "")
        if missing.before_look:
            return first if first == "surrender" and first in missing.allowed else "look"
        choice = first if first in missing.allowed else NAMES[ELSE.get(letter, HIT)]
        return choice if choice in missing.allowed else "stand"

    return choose


def _lucky_lucky(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape:
    """LLB-8: the player's first two cards and the up-card or the community card (LLB-0); their order says nothing."""
    third = known.community if settings["lucky-card"] == "community" else known.dealer[:1]
    cards = tuple(card for card in (*known.own[:2], *third) if card is not None)
    unknown = 3 - len(cards)
    return HalfTape(lucky_lucky, (*cards, *(None,) * unknown), (unknown,) if unknown else (), encoded)


BY_CHART = ByPlay(by_chart, "plays the best chart for these rules, and takes no insurance", VALUE_CLASSES)
KNOWN: dict[str, Reads | ByPlay] = {"blackjack": BY_CHART, "insurance": _insurance, "lucky-lucky": _lucky_lucky}
