"""How the rules of EZ Pai Gow read a round that is half dealt."""

from collections.abc import Callable, Mapping

from houseway.cards import parse_cards
from houseway.kernels.compiled import Ints, Rule, rule
from houseway.odds.known import Cards, HalfTape, KnownCards, Reads
from houseway.rulebook.game import Value

from . import rules
from .game import COLOURS
from .house_way import base_by_house_way, set_seven
from .ranking import QUEEN, rank_back, rank_front
from .round import BLACK, SetHand, set_by_house_way
from .rules import LOSE, QUEEN_HIGH_PUSH, base_outcome, pai_gow_high
from .switches import COLOUR

CARDS = 7
BY_HOUSE_WAY = "sets by the House Way"


@rule
def base_as_set(tape: Ints, settings: Ints) -> int:
    """EPG-11: the player's front are his first two cards, and his back the other five; the dealer sets by the House Way."""
    his = set_seven(tape, 7, settings)
    c, d = 7 + (his >> 3 & 7), 7 + (his & 7)
    return base_outcome(
        rank_front(tape, 0, 1, settings),
        rank_back(tape, 0, 0, 1, settings),
        rank_front(tape, c, d, settings),
        rank_back(tape, 7, c, d, settings),
        pai_gow_high(tape, 7, settings),
    )


@rule
def foul(tape: Ints, settings: Ints) -> int:
    """EPG-9, R16b: a foul set loses, but the dealer's Queen-high Pai Gow comes first."""
    return QUEEN_HIGH_PUSH if pai_gow_high(tape, 7, settings) == QUEEN else LOSE


def _hand(cards: Cards) -> tuple[Cards, tuple[int, ...]]:
    """Seven cards, the known ones first, and how many are not known: no rule minds their order."""
    known = tuple(card for card in cards if card is not None)
    unknown = CARDS - len(known)
    return (*known, *(None,) * unknown), (unknown,) if unknown else ()


def set_of(
    cards: tuple[int, ...], choices: tuple[str, ...], settings: Mapping[str, Value], encoded: Ints
) -> tuple[SetHand, bool]:
    """How seven cards are set, and whether that is decided: else as the House Way would, as a foul that is set again (R16)."""
    by_house_way, _ = set_by_house_way(cards, encoded)
    way = next((choice for choice in choices if choice == "house-way" or choice.startswith("set ")), "")
    if not way.startswith("set "):
        return by_house_way, bool(way)
    front = parse_cards(way.removeprefix("set"))
    chosen = SetHand(cards, (cards.index(front[0]), cards.index(front[1])), encoded)
    return (by_house_way if chosen.is_foul and settings["R16"] == "dealer-resets-house-way" else chosen), True


def _base(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape | str:
    """EPG-11: until the hand is set, as the House Way would set it."""
    (own, unknown), (dealer, hidden) = _hand(known.own), _hand(known.dealer)
    if unknown:
        return HalfTape(base_by_house_way, (*own, *dealer), (*unknown, *hidden), encoded, player=BY_HOUSE_WAY)
    chosen, is_made = set_of(tuple(card for card in own if card is not None), known.choices, settings, encoded)
    if chosen.is_foul and settings["R16b"] == "loses":
        return "lose"
    tape = (*chosen.front_cards, *chosen.back_cards, *dealer)
    player = "" if is_made else BY_HOUSE_WAY
    return HalfTape(foul if chosen.is_foul else base_as_set, tape, hidden, encoded, player=player)


def _own_cards(read: Rule) -> Callable[[KnownCards, Mapping[str, Value], Ints], HalfTape]:
    """A bonus on the player's own seven cards."""

    def reads(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape:
        return HalfTape(read, *_hand(known.own), encoded)

    return reads


def _red_black(known: KnownCards, settings: Mapping[str, Value], encoded: Ints) -> HalfTape:
    """EPG-5: the chosen colour."""
    numbers = encoded.copy()
    if known.choices:
        numbers[COLOUR] = int(BLACK in known.choices)
    return HalfTape(rules.red_black, *_hand(known.own), numbers, COLOURS)


KNOWN: dict[str, Reads] = {
    "base": _base,
    "dynasty": _own_cards(rules.dynasty),
    "protection": _own_cards(rules.protection),
    "red-black": _red_black,
}
