"""Counts against published numbers."""

import numpy as np

from houseway.cards import fresh_shoe
from houseway.games.ez_baccarat.game import count as count_baccarat


def test_eight_decks_of_baccarat_count_every_ordered_six_card_draw():
    tally = count_baccarat(fresh_shoe(8), np.zeros(1, np.int64))
    assert tally.total == 4_998_398_275_503_360
    assert dict(zip(("player", "panda", "banker", "dragon", "tie"), tally.counts, strict=True))["dragon"] == (
        112_633_011_329_024
    )
