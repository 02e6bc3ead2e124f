"""Cards as small integers, and as text.

A card is 4 * rank + suit: ranks 0..12 are 2..A, suits 0..3 are clubs, diamonds, hearts, spades; the joker is 52.

>>> parse_cards("As Kd 10h Jk")
(51, 45, 34, 52)
>>> show_cards((51, 45, 34, 52))
'As Kd 10h Jk'
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houseway.refusal import Refused, number_of

JOKER = 52
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = "cdhs"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_PRETTY_SUITS = "♣♦♥♠"

_RANK_OF = {name: rank for rank, name in enumerate(RANKS)} | {"T": 8}
_SUIT_OF = {letter: suit for suit, letter in enumerate(SUITS)}
_SUIT_OF |= {symbol: suit for suit, symbol in enumerate("♣♦♥♠")} | {symbol: suit for suit, symbol in enumerate("♧♢♡♤")}
_CARD = re.compile(r"(10|[2-9TJQKAtjqka])([CDHSXcdhsx♣♦♥♠♧♢♡♤])[\uFE0E\uFE0F]?|([Jj][Kk]|[Jj][Oo][Kk][Ee][Rr]|\U0001F0CF)")


@dataclass(frozen=True)
class Composition:
    """Cards named exactly, and ranks of which only the rank is known (`7x`)."""

    cards: tuple[int, ...]
    any_suit: tuple[int, ...] = ()


def _parse(text: str) -> Composition:
    cards: list[int] = []
    any_suit: list[int] = []
    rest = re.sub(r"[\s,]+", " ", text).strip()
    while rest:
        match = _CARD.match(rest)
        if not match:
            word = rest.split(" ")[0]
            raise Refused("bad-card", f'"{word}" is not a card: write a rank and a suit, such as As Kd 10h 7c, or Jk')
        rank, suit, joker = match.groups()
        if joker:
            cards.append(JOKER)
        elif suit in "xX":
            any_suit.append(_RANK_OF[rank.upper()])
        else:
            cards.append(4 * _RANK_OF[rank.upper()] + _SUIT_OF[suit.lower()])
        rest = rest[match.end() :].lstrip()
    return Composition(tuple(cards), tuple(any_suit))


def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards in the order written. `Th`, `10h`, `10♥` and `th` are the same card.

    >>> parse_cards("th 10♥ TH") == parse_cards("10h10h10h")
    True
    """
    composition = _parse(text)
    if composition.any_suit:
        rank = RANKS[composition.any_suit[0]]
        raise Refused("bad-card", f'"{rank}x" names no suit: here every card needs one, such as {rank}s')
    return composition.cards


def parse_composition(text: str) -> Composition:
    """Read cards whose order does not matter; `7x` is a seven of any suit.

    >>> parse_composition("7s 7x")
    Composition(cards=(23,), any_suit=(5,))
    """
    return _parse(text)


def show_card(card: int, pretty: bool = False) -> str:
    """`10h`, or `10♥` when pretty."""
    if card == JOKER:
        return "Jk"
    return RANKS[card >> 2] + (_PRETTY_SUITS if pretty else SUITS)[card & 3]


def show_cards(cards: Iterable[int], pretty: bool = False) -> str:
    """Cards separated by spaces."""
    return " ".join(show_card(card, pretty) for card in cards)


def read_cards(text: str) -> tuple[int, ...]:
    """Cards as `show_cards` writes them, and in no other spelling: quick, for reading back what we wrote.

    >>> read_cards("As 10h Jk")
    (51, 34, 52)
    """
    return tuple([_WRITTEN[word] for word in text.split()])


def fresh_shoe(decks: int = 1, jokers: int = 0) -> tuple[int, ...]:
    """How many of each card 0..52 a full shoe holds.

    >>> sum(fresh_shoe(8)), sum(fresh_shoe(1, jokers=1))
    (416, 53)
    """
    return (decks,) * 52 + (jokers,)


def take(shoe: Sequence[int], cards: Iterable[int]) -> tuple[int, ...]:
    """The shoe without these cards; refuses a card that occurs more often than the shoe has it."""
    left = list(shoe)
    for card, times in Counter(cards).items():
        if times > left[card]:
            held = f"only {left[card]}" if left[card] else "none"
            raise Refused(
                "card-not-in-shoe", f"{show_card(card)} occurs {number_of(times, 'time')}, and the shoe has {held} of it"
            )
        left[card] -= times
    return tuple(left)


_WRITTEN = {show_card(card): card for card in range(53)}
