"""Shoes as values: every card is dealt once, and every order is equally likely."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from houseway.kernels.compiled import apart
from houseway.kernels.shoes import deal, draw, draw_if, fresh_cards, fresh_classes, running_sums
from houseway.kernels.stream import fill_ahead

NOTHING_AHEAD = np.zeros(0, np.uint64)


@apart
def deal_classes(fresh, ahead, number, drawn):
    shoe = fresh_classes(fresh, 1, number)
    for place in range(drawn.size):
        drawn[place], shoe = draw(shoe, ahead)


@apart
def make_ahead(ahead, number):
    fill_ahead(ahead, 1, number)


@apart
def deal_cards(fresh, ahead, deck, drawn):
    shoe = fresh_cards(fresh, 1, 7)
    for place in range(drawn.size):
        drawn[place], shoe = deal(shoe, ahead, deck)


@apart
def deal_if(fresh, ahead, wanted, seen):
    """What a shoe is before and after a card that may not be wanted."""
    shoe = fresh_classes(fresh, 1, 5)
    seen[0], seen[1], seen[2] = shoe.left, shoe.low, shoe.high
    seen[3], shoe = draw_if(shoe, ahead, wanted)
    seen[4], seen[5], seen[6] = shoe.left, shoe.low, shoe.high


def fresh(copies):
    return np.array([sum(copies), *running_sums(copies)], np.int64)


def dealt_out(copies, ahead=NOTHING_AHEAD, number=0, cards=0):
    drawn = np.zeros(cards or sum(copies), np.int64)
    deal_classes(fresh(copies), ahead, number, drawn)
    return drawn.tolist()


@pytest.mark.parametrize("copies", [(128, *[32] * 9), (1,) * 10, (0, 3, 0, 0, 5, 0, 0, 0, 0, 1), (4, 4)])
def test_a_shoe_of_classes_deals_every_card_once(copies):
    counted = Counter(dealt_out(copies))
    assert [counted[kind] for kind in range(len(copies))] == list(copies)


def test_a_deck_deals_every_card_once():
    drawn = np.zeros(53, np.int64)
    deal_cards(np.array([53]), NOTHING_AHEAD, np.arange(53, dtype=np.uint8), drawn)
    assert sorted(drawn) == list(range(53)) != drawn.tolist()


def test_numbers_made_ahead_change_no_card():
    ahead = np.zeros(2 * 20, np.uint64)
    make_ahead(ahead, 3)
    copies = (128, *[32] * 9)
    assert dealt_out(copies, ahead, 3) == dealt_out(copies, number=3) != dealt_out(copies, number=4)


def test_every_order_of_a_small_shoe_is_equally_likely():
    """Chi-squared over the 12 orders of A A B C: 11 degrees of freedom, beyond 31.3 once in a thousand."""
    counted = Counter(tuple(dealt_out((2, 1, 1), number=number)) for number in range(6000))
    orders = set(permutations((0, 0, 1, 2)))
    assert set(counted) == orders
    assert sum((counted[order] - 500) ** 2 / 500 for order in orders) < 31.3


def test_a_number_that_would_be_biased_is_drawn_again():
    """Of 1,500 cards the first 1,036 would come once more in 65,536 numbers: the shares of both parts tell."""
    drawn = np.concatenate([dealt_out((1036, 464), number=number, cards=60) for number in range(4000)])
    assert abs(np.mean(drawn == 0) - 1036 / 1500) < 4 * np.sqrt(1036 * 464 / 1500**2 / len(drawn))


@pytest.mark.parametrize("wanted", [0, 1])
def test_a_card_that_is_not_wanted_stays_in_the_shoe(wanted):
    seen = np.zeros(7, np.uint64)
    deal_if(fresh((4, 3, 2)), NOTHING_AHEAD, wanted, seen)
    assert (tuple(seen[:3]) == tuple(seen[4:])) == (wanted == 0)
    assert seen[3] == dealt_out((4, 3, 2), number=5)[0]
