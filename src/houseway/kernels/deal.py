"""A deal: which kinds of card there are, how many of each, and the groups they are dealt in."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, prod


@dataclass(frozen=True)
class Deal:
    """Cards drawn without replacement from `copies` of each of `cards`, in unordered groups one after the other.

    A game whose rule looks only at, say, points lists one card for each point class; so a game
    of points may have ten kinds of card and six groups of one.

    >>> Deal(cards=tuple(range(53)), copies=(1,) * 53, groups=(7,)).total()
    154143080
    """

    cards: tuple[int, ...]
    copies: tuple[int, ...]
    groups: tuple[int, ...]

    def __post_init__(self) -> None:
        assert len(self.cards) == len(self.copies)

    def total(self) -> int:
        """How many deals there are: the weights of all tapes add up to this."""
        left, factors = sum(self.copies), []
        for size in self.groups:
            factors.append(comb(left, size))
            left -= size
        return prod(factors)


def deal_of_shoe(shoe: Sequence[int], groups: tuple[int, ...]) -> Deal:
    """The deal in which every card counts, suits included."""
    held = [card for card, copies in enumerate(shoe) if copies]
    return Deal(tuple(held), tuple(shoe[card] for card in held), groups)


def deal_by_class(shoe: Sequence[int], classes: Sequence[tuple[int, ...]], groups: tuple[int, ...]) -> Deal:
    """The deal in which all cards of a class count the same; the first card of each class stands for it."""
    copies = tuple(sum(shoe[card] for card in members) for members in classes)
    return Deal(tuple(members[0] for members in classes), copies, groups)
