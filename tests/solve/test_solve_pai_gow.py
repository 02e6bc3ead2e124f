"""Pai gow's base wager, exactly: sets of shared cards against literal loops, and hands against hands met one by one."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from houseway.cards import JOKER, parse_cards
from houseway.games import open_edition
from houseway.games.ez_pai_gow.house_way import set_seven
from houseway.games.ez_pai_gow.ranking import QUEEN, rank_back, rank_front
from houseway.games.ez_pai_gow.rules import pai_gow_high
from houseway.solve import hands, pai_gow

EDITION = open_edition("ez-pai-gow-wa")
WAY = EDITION.game.encode(EDITION.settings())


def lanes(cards) -> tuple[np.ndarray, int]:
    held = np.zeros(4, np.int64)
    for card in cards:
        if card != JOKER:
            held[card & 3] |= 1 << (card >> 2)
    return held, int(JOKER in cards)


def number(cards) -> int:
    held, joker = lanes(cards)
    before, found = 0, hands.NATURAL if joker else 0
    for suit in range(4):
        found += int(hands.number_parts()[suit * 8 + before, held[suit]])
        before += int(held[suit]).bit_count()
    return found


def is_set(cards) -> tuple[int, int, bool]:
    tape = np.array(cards, np.int64)
    answer = set_seven(tape, 0, WAY)
    a, b = answer >> 3 & 7, answer & 7
    return rank_front(tape, a, b, WAY), rank_back(tape, 0, a, b, WAY), pai_gow_high(tape, 0, WAY) == QUEEN


def test_every_hand_has_a_number_of_its_own() -> None:
    chance = random.Random(1)
    found = {number(cards): frozenset(cards) for cards in (chance.sample(range(53), 7) for _ in range(2_000))}
    assert all(0 <= one < hands.HANDS for one in found)
    assert len(set(found.values())) == len(found)
    assert number(range(7)) != number(range(1, 8))


@pytest.mark.parametrize("size", range(7))
def test_classes_of_sets_are_all_sets(size) -> None:
    classes = hands.classes_of(size)
    assert int(classes[:, 5].sum()) == comb(53, size)
    assert len({tuple(row[:5]) for row in classes.tolist()}) == len(classes)


@pytest.mark.deep
def test_the_table_says_what_the_house_way_says_and_pairs_are_counted_as_one_by_one() -> None:
    """One table serves all: it is dear to make."""
    made = hands.set_all_hands([WAY])
    table, chance = made.tables[0], random.Random(2)
    for _ in range(500):
        cards = chance.sample(range(53), 7)
        front, back, queen = is_set(sorted(cards))
        word = int(table[number(cards)])
        found = made.fronts[word >> hands.BACK_BITS & hands.FRONT_MASK], made.backs[word & hands.BACK_MASK]
        assert (*found, bool(word >> hands.QUEEN_BIT)) == (front, back, queen)
    for shared in ("As Kd Qh 9c 2s", "Jk Ah Ad 7c 3s", "Qs Jd 9h 8c 6s"):
        _check_sharing(parse_cards(shared), made)
    _check_hand(made)


def _check_sharing(shared, made) -> None:
    """Pairs that both hold these five cards: 1,128 hands each, all met."""
    held, joker = lanes(shared)
    sets = np.array([[*held, joker, 1]])
    ends = np.zeros((1, 3), np.int64)
    pai_gow._count_sharing(sets, 5, 1, made.shape, hands.number_parts(), made.tables[0], made.tables[0], ends, 0, 1)
    left = [card for card in range(53) if card not in shared]
    told = [is_set(sorted((*shared, *two))) for two in combinations(left, 2)]
    front, back, queen = (np.array(column) for column in zip(*told, strict=True))
    live = ~queen[None, :]
    win = ((front[:, None] > front) & (back[:, None] > back) & live).sum()
    lose = ((front[:, None] <= front) & (back[:, None] <= back) & live).sum()
    assert ends[0].tolist() == [win, lose, queen.sum() * len(told)]


def _check_hand(made) -> None:
    """A hand's sets against a sample of the dealer's hands, within four standard errors; totals exactly."""
    cards, chance = parse_cards("As Ah Kc 9d 7h 4s 2c"), random.Random(3)
    best = pai_gow.value_sets(cards, WAY, made)[0]
    assert best.front == parse_cards("Kc 9d")
    left, ends = [card for card in range(53) if card not in cards], []
    for _ in range(20_000):
        front, back, queen = is_set(sorted(chance.sample(left, 7)))
        better = (best.front_value > front) + (best.back_value > back)
        ends.append(0 if queen else better - 1)
    assert abs(np.mean(ends) - float(best.value)) < 4 * np.std(ends) / len(ends) ** 0.5


@pytest.mark.deep
def test_all_deals_by_the_plaza_way() -> None:
    """8,250,459,031,214,400 deals; the simulation of the same rules (2,097,152 rounds) lies within four standard errors."""
    pairs = pai_gow.count_deals(WAY, WAY)
    assert pai_gow.DEALS == 8_250_459_031_214_400
    assert pairs.queen_high == 2_719_500 * pai_gow.AGAINST
    assert (pairs.win, pairs.lose) == (2_233_560_965_323_540, 2_465_723_048_007_392)
    import houseway

    sampled = houseway.edition("ez-pai-gow-wa").odds()["base"]
    edge = (pairs.lose - pairs.win) / pai_gow.DEALS
    assert abs(edge - float(sampled.house_edge)) < 4 * sampled.standard_error
