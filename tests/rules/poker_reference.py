"""A slow and obvious poker evaluator, written from the rules of play alone, to hold the fast one against; and random hands.

Cards are the project's integers (4 * rank + suit, joker 52); ranks here are 2..14. A value is (category, tie-breakers).
The joker is tried as every card it may stand for, and the best hand counts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

from hypothesis import strategies as st

JOKER = 52
ACE = 14
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE = range(10)
COMPLETE = {STRAIGHT, FLUSH, STRAIGHT_FLUSH}
SHAPES = {
    (5,): FIVE,
    (4, 1): FOUR,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2,): PAIR,
    (1, 1): HIGH_CARD,
}
WHEEL_RANKS = [2, 3, 4, 5, ACE]

Value = tuple[int, tuple[float, ...]]


def rank(card: int) -> int:
    return card // 4 + 2


def suit(card: int) -> int:
    return card % 4


def by_equal_ranks(ranks: Iterable[int]) -> Value:
    """The value of two or five ranks when suits and sequences are not looked at."""
    groups = sorted(((times, rank) for rank, times in Counter(ranks).items()), reverse=True)
    return SHAPES[tuple(times for times, _ in groups)], tuple(rank for _, rank in groups)


def straight_top(ranks: Sequence[int], wheel: str) -> float:
    """What a straight counts as: its highest card, and for A-2-3-4-5 what the wheel rule says; 0 for no straight."""
    in_order = sorted(ranks)
    if in_order == WHEEL_RANKS:
        return 13.5 if wheel == "second" else 5
    consecutive = all(high == low + 1 for low, high in pairwise(in_order))
    return in_order[-1] if consecutive else 0


def natural_value(cards: Sequence[int], wheel: str) -> Value:
    """The value of five cards without a joker."""
    ranks = [rank(card) for card in cards]
    top = straight_top(ranks, wheel)
    flush = len({suit(card) for card in cards}) == 1
    if top and flush:
        return STRAIGHT_FLUSH, (top,)
    grouped = by_equal_ranks(ranks)
    if flush:
        return max(grouped, (FLUSH, tuple(sorted(ranks, reverse=True))))
    if top:
        return max(grouped, (STRAIGHT, (top,)))
    return grouped


def value_of_five(cards: Sequence[int], joker: str, wheel: str) -> Value:
    """The value of five cards; `joker` is semi or full."""
    assert len(cards) == 5
    if JOKER not in cards:
        return natural_value(cards, wheel)
    others = [card for card in cards if card != JOKER]
    tried = [natural_value([*others, stand_in], wheel) for stand_in in range(52) if stand_in not in others]
    ranks = [rank(card) for card in others]
    if joker == "semi":
        return max([by_equal_ranks([*ranks, ACE]), *(value for value in tried if value[0] in COMPLETE)])
    if len(set(ranks)) == 1:
        return FIVE, (ranks[0],)
    return max(tried)


def value_of_two(cards: Sequence[int], joker: str) -> Value:
    """The value of two cards: a pair or high cards. A fully wild joker pairs the other card."""
    ranks = [rank(card) for card in cards if card != JOKER]
    if len(ranks) == 1:
        ranks.append(ACE if joker == "semi" else ranks[0])
    return by_equal_ranks(ranks)


def fives_of(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    assert len(cards) == 7
    return combinations(cards, 5)


def value_of_seven(cards: Sequence[int], joker: str, wheel: str) -> Value:
    """The best of the 21 five-card hands."""
    return max(value_of_five(five, joker, wheel) for five in fives_of(cards))


def is_seven_in_a_row(cards: Sequence[int]) -> bool:
    """Seven natural cards of one suit in one run; the ace is high or low."""
    ranks = {rank(card) for card in cards}
    runs = [set(range(low, low + 7)) for low in range(2, 9)] + [{ACE, 2, 3, 4, 5, 6, 7}]
    return len({suit(card) for card in cards}) == 1 and ranks in runs


def is_seven_card_straight_flush(cards: Sequence[int]) -> bool:
    others = [card for card in cards if card != JOKER]
    if len(others) == 7:
        return is_seven_in_a_row(cards)
    return any(is_seven_in_a_row([*others, stand_in]) for stand_in in range(52) if stand_in not in others)


def with_suited_ace_queen(cards: Sequence[int]) -> Iterator[list[int]]:
    """The five other cards, for each natural ace and queen of one suit among the seven."""
    for two in combinations(cards, 2):
        if JOKER not in two and sorted(map(rank, two)) == [12, ACE] and suit(two[0]) == suit(two[1]):
            yield [card for card in cards if card not in two]


def is_natural_wheel(five: Sequence[int]) -> bool:
    return JOKER not in five and sorted(map(rank, five)) == WHEEL_RANKS and len(set(map(suit, five))) == 1


def ranks_of_seven(cards: Sequence[int]) -> Counter[int]:
    """How many of each rank, a semi-wild joker counted as an ace."""
    return Counter(ACE if card == JOKER else rank(card) for card in cards)


def straight_flush_row(cards: Sequence[int], royal: bool, r1: str, r2: str) -> str:
    """Which of the Dynasty rows a hand that holds a straight flush is paid in."""
    wild = JOKER in cards
    beside_ace_queen = list(with_suited_ace_queen(cards))
    if not wild and any(map(is_natural_wheel, beside_ace_queen)):
        return "natural-wheel-aq"
    if is_seven_card_straight_flush(cards):
        return "7-card-straight-flush-with-joker" if wild else "natural-7-card-straight-flush"
    royals = [five for five in beside_ace_queen if value_of_five(five, "semi", "second") == (STRAIGHT_FLUSH, (ACE,))]
    if royals and not (wild and r1 == "natural-only"):
        return "royal-flush-aq"
    if any(map(is_natural_wheel, fives_of(cards))) and (not wild or r2 == "joker-elsewhere"):
        return "luhn-tao-wheel"
    return "royal-flush" if royal else "straight-flush"


def dynasty_outcome(
    cards: Sequence[int], r1: str = "as-published", r2: str = "no-joker", r5: str = "highest-pay", joker: str = "semi"
) -> str:
    """EPG-3: the row of pay table 1. Five of a kind below aces is paid as four (R15)."""
    values = [value_of_five(five, joker, "second") for five in fives_of(cards)]
    best, categories = max(values), {category for category, _ in values}
    if best[0] == FIVE:
        return "five-aces" if best[1] == (ACE,) else "four-of-a-kind"
    if best[0] == STRAIGHT_FLUSH:
        return straight_flush_row(cards, best[1] == (ACE,), r1, r2)
    if best[0] == STRAIGHT and THREE in categories and r5 == "highest-pay":
        return "three-of-a-kind"
    names = {FOUR: "four-of-a-kind", FULL_HOUSE: "full-house", FLUSH: "flush", STRAIGHT: "straight", THREE: "three-of-a-kind"}
    if best[0] in names:
        return names[best[0]]
    pairs = [rank for rank, times in ranks_of_seven(cards).items() if times == 2]
    return "three-pair" if len(pairs) == 3 else "other"


def protection_outcome(cards: Sequence[int], r2b: str = "as-published", joker: str = "semi") -> str:
    """EPG-4: a pai gow by its highest card, or the natural A-5 straight flush."""
    category, _ = value_of_seven(cards, joker, "second")
    if category == HIGH_CARD:
        names = {9: "nine", 10: "ten", 11: "jack", 12: "queen", 13: "king", ACE: "ace"}
        return f"{names[max(ranks_of_seven(cards))]}-high-pai-gow"
    if JOKER in cards or not any(map(is_natural_wheel, fives_of(cards))):
        return "other"
    return "other" if r2b == "as-published" and is_seven_in_a_row(cards) else "natural-a-5-straight-flush"


def renamed(cards, names):
    return [card if card == JOKER else card - card % 4 + names[card % 4] for card in cards]


@st.composite
def hands(draw, size):
    """Cards from a whole deck, or from few ranks or few suits, where pairs, straights and flushes are common."""
    low, wide = draw(st.integers(-1, 8)), draw(st.sampled_from([3, 6, 8, 14]))
    suits = draw(st.sampled_from([(0,), (1, 2), (0, 1, 2, 3)]))
    ranks = {(low + step) % 13 for step in range(wide)}
    cards = [card for card in range(52) if card // 4 in ranks and card % 4 in suits]
    cards += [card for card in range(52) if card not in cards][: max(0, size - len(cards))]
    held = draw(st.lists(st.sampled_from(cards), min_size=size, max_size=size, unique=True))
    if draw(st.booleans()):
        held[draw(st.integers(0, size - 1))] = JOKER
    return held
