"""What the House Ways make of all 154,143,080 hands, and of each other, against published numbers."""

from functools import cache
from math import sqrt

import pytest

from houseway.cards import fresh_shoe
from houseway.games.ez_pai_gow.game import GAME, count_house_way
from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import rank_back, rank_front
from houseway.kernels import rule, sample
from houseway.kernels.deal import deal_of_shoe

HANDS = 154_143_080
DEALS = 1 << 22
SEED = 20100521
WIN, PUSH, LOSE = range(3)
NINE_HIGH = 8
"""The nine among ranks 1-13 for 2..A, as a front's value holds them."""


def values(way, **chosen):
    return {name: switch.values[0] for name, switch in GAME.switches.items()} | {"house-way": way} | chosen


@cache
def counted(way):
    return count_house_way(values(way))


def test_plaza_sets_every_hand_without_a_foul():
    found = counted("plaza")
    assert sum(found.fronts.values()) == sum(found.backs.values()) == HANDS
    assert found.fouls == 0


def test_plaza_makes_the_published_numbers_of_low_fronts():
    fronts = counted("plaza").fronts
    assert {front: fronts[front] for front in ("32", "42", "43", "53")} == {
        "32": 221_460,
        "42": 203_436,
        "43": 188_708,
        "53": 170_756,
    }


@pytest.mark.parametrize("way", ["foxwoods", "mgm", "stones"])
def test_the_other_house_ways_set_every_hand_without_a_foul(way):
    found = counted(way)
    assert sum(found.fronts.values()) == HANDS and found.fouls == 0


@rule
def conventional(tape, settings):
    """Both sides set by the House Way, copies to the dealer, nothing pushes but one hand each."""
    mine, his = set_seven(tape, 0, settings), set_seven(tape, 7, settings)
    a, b, c, d = mine >> 3 & 7, mine & 7, 7 + (his >> 3 & 7), 7 + (his & 7)
    better = 0
    if rank_front(tape, a, b, settings) > rank_front(tape, c, d, settings):
        better += 1
    if rank_back(tape, 0, a, b, settings) > rank_back(tape, 7, c, d, settings):
        better += 1
    return 2 - better


@rule
def nine_high_front_pushes(tape, settings):
    """As the conventional game, but a dealer's front of nine high (no pair) pushes the whole hand."""
    his = set_seven(tape, 7, settings)
    front = rank_front(tape, 7 + (his >> 3 & 7), 7 + (his & 7), settings)
    if front >> 20 == 0 and front >> 16 & 15 == NINE_HIGH:
        return PUSH
    return conventional(tape, settings)


def assert_published(game, way, published):
    deal = deal_of_shoe(fresh_shoe(1, jokers=1), (7, 7))
    tally = sample(game, deal, GAME.encode(values(way)), 3, DEALS, seed=SEED)
    assert sum(tally) == DEALS
    for found, p in zip(tally, published, strict=True):
        assert abs(found / DEALS - p) < 4 * sqrt(p * (1 - p) / DEALS), (tally, published)


@pytest.mark.deep
def test_plaza_against_plaza_in_the_conventional_game():
    assert_published(conventional, "plaza", (0.2861, 0.4148, 0.2991))


@pytest.mark.deep
def test_foxwoods_against_foxwoods_in_the_conventional_game():
    assert_published(conventional, "foxwoods", (0.2912, 0.4050, 0.3038))


@pytest.mark.deep
def test_plaza_against_plaza_where_a_nine_high_front_pushes():
    assert_published(nine_high_front_pushes, "plaza", (0.273726, 0.427453, 0.298822))
