"""The worst rounds of EZ Pai Gow: which outcomes of the bonuses come together, counted over all hands of seven cards."""

from collections.abc import Iterator
from itertools import product

from houseway.cards import JOKER, parse_cards
from houseway.kernels.compiled import Ints, rule
from houseway.kernels.count import count_by_suits
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Result
from houseway.rulebook.settings import Settings
from houseway.rulebook.worst import Ending, PossibleRound, WorstRounds

from .outcomes import COLOUR_OUTCOMES, DYNASTY_OUTCOMES, PROTECTION_OUTCOMES
from .rules import dynasty, protection

PROTECTIONS, COLOURS = 8, 5
_HIGH = (
    "Ah 2h 3h 4h 5h Ad Qd",
    "2h 3h 4h 5h 6h 7h 8h",
    "Ah 2h 3h 4h 5h 6h 7h",
    "Ah Kh Qh Jh Th Ad Qd",
    "2h 3h 4h 5h 6h 7h Joker",
    "Ah Ad Ac As Joker Kh Qh",
    "Ah 2h 3h 4h 5h 9d Td",
    "Ah Kh Qh Jh Th 2d 4d",
    "4h 5h 6h 7h 8h Td Jd",
)
"""Hands that bonuses pay most for, red where that can be."""
_LOW_RANKS = (0, 1, 2, 3, 5, 6, 7)
"""2-3-4-5-7-8-9: the lowest pai gow, which every hand above beats."""


@rule
def all_bonuses(tape: Ints, settings: Ints) -> int:
    """Dynasty and Protection on seven cards, and which outcomes Red/Black can have if suits change names: each a bit."""
    colours = 0
    for one in range(4):
        for other in range(one):
            chosen = 0
            for place in range(7):
                if tape[place] != JOKER and tape[place] & 3 in (one, other):
                    chosen += 1
            colours |= 1 << min(7 - chosen, COLOURS - 1)
    return (dynasty(tape, settings) * PROTECTIONS + protection(tape, settings)) << COLOURS | colours


def _endings(edition: Edition, settings: Settings) -> Iterator[Ending]:
    """EPG-2 to EPG-5: bonuses as they come together; the base wager may win beside any of them."""
    tally = count_by_suits(all_bonuses, 7, 1, edition.game.encode(settings), len(DYNASTY_OUTCOMES) * PROTECTIONS << COLOURS)
    for place, hands in enumerate(tally):
        best, low = divmod(place >> COLOURS, PROTECTIONS)
        for colour in range(COLOURS if hands else 0):
            if place >> colour & 1:
                yield (
                    Result("base", "win", "EPG-11"),
                    Result("dynasty", DYNASTY_OUTCOMES[best].id, "EPG-3"),
                    Result("protection", PROTECTION_OUTCOMES[low].id, "EPG-4"),
                    Result("red-black", COLOUR_OUTCOMES[colour].id, "EPG-5"),
                )


def _rounds(edition: Edition, settings: Settings) -> Iterator[PossibleRound]:
    """The hands that pay most, against the lowest that the dealer can have."""
    colours = edition.game.wagers["red-black"].choices if "red-black" in edition.wagers else ("",)
    for hand, colour in product(_HIGH, colours):
        cards = parse_cards(hand.replace("Joker", "")) + ((JOKER,) if "Joker" in hand else ())
        yield PossibleRound((*cards, *_low(cards)), ("house-way", *filter(None, (colour,))))


def _low(seen: tuple[int, ...]) -> tuple[int, ...]:
    """A pai gow of cards that nobody holds: suits by turns, so that it is no flush."""
    free = [[4 * rank + suit for suit in range(4) if 4 * rank + suit not in seen] for rank in _LOW_RANKS]
    return tuple(cards[place % len(cards)] for place, cards in enumerate(free))


WORST = WorstRounds(_endings, _rounds)
