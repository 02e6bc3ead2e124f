"""A whole shoe in the order in which a seed and its number shuffle it."""

import numpy as np

from houseway.kernels.compiled import Ints, apart
from houseway.kernels.shoes import Deck, deal, fresh_cards
from houseway.kernels.stream import Words


@apart
def _shuffle(fresh: Ints, ahead: Words, seed: int, number: int, deck: Deck) -> None:
    shoe = fresh_cards(fresh, seed, number)
    for _ in range(deck.size):
        _, shoe = deal(shoe, ahead, deck)


def shuffled(cards: Ints, seed: int, number: int) -> Deck:
    """The cards in another order."""
    deck = cards.astype(np.uint8)
    _shuffle(np.array([deck.size], np.int64), np.zeros(0, np.uint64), seed, number, deck)
    return deck
