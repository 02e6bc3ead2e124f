"""The hands of a split pair at their end."""

import numpy as np

from .hands import DOUBLE, STAND
from .rulings import LOSS, PUSH, VALUES
from .split import ANY, DIFFERS, PAIRED, SplitHand

NOTHING = 2
"""The place of a net result of nothing among -2, -1, 0, 1, 2."""


class EndedHands:
    """Every hand of a split at its end, but those bust without a double.

    The cards drawn to the pair's one; for each end of the dealer's hand what the hand comes to, as a place among -2, -1, 0,
    1, 2; and in how many orders it is drawn, by what is known of the second card. Where a blackjack takes original bets only,
    what the hand has lost by then.
    """

    def __init__(self, split: SplitHand) -> None:
        hands, rulings = split.analysis.all, split.analysis.rules.rulings
        kinds = (ANY, DIFFERS, PAIRED) if split.double >= 0 else (ANY, DIFFERS)
        orders = np.zeros((len(split.rows), 3), np.int64)
        for second in kinds:
            orders[:, second] = split.orders(second)
        standing, doubling = (np.nonzero(split.fixed == choice)[0] for choice in (STAND, DOUBLE))
        table = hands.table[split.rows] - split.one_more
        after = split.following[doubling].ravel()
        doubled = np.repeat(table[doubling], VALUES, axis=0) + np.tile(np.eye(VALUES, dtype=np.int64), (len(doubling), 1))
        cards = np.concatenate([table[standing], doubled])
        orders = np.concatenate([orders[standing], np.repeat(orders[doubling], VALUES, axis=0)])
        totals = np.concatenate([hands.totals[split.rows[standing]], np.where(after < 0, 0, hands.totals[split.rows[after]])])
        bets = np.repeat([1, 2], [len(standing), len(after)])
        results = np.where(totals[:, None] == 0, LOSS, rulings.result[totals])
        nets = NOTHING + bets[:, None] * (PUSH - results)
        if split.analysis.rules.original_bets_only:
            nets[totals > 0, rulings.blackjack] = NOTHING
        met = orders[:, ANY] > 0
        self.cards, self.orders, self.nets = cards[met], orders[met], nets[met]
