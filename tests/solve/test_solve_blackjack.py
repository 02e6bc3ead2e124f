"""Blackjack analysed: known values, exact against floats, and every draw met one by one on a small shoe."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from houseway.games import open_edition
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.hands import DOUBLE, HIT, NAMES, STAND
from houseway.games.blackjack.solve.rulings import ACE, TEN, hand_of, is_soft, total_of

EDITION = open_edition("lucky-lucky-wa")


def rules(decks: int, hits_soft_17: bool = False, **other) -> BlackjackRules:
    settings = EDITION.settings({"decks": decks, "soft-17": "hits" if hits_soft_17 else "stands"})
    return replace(BlackjackRules.of(EDITION, settings), **other)


@pytest.mark.parametrize(
    ("decks", "hits_soft_17", "percent"),
    [(1, False, 0.1819), (2, False, -0.1789), (6, False, -0.4029), (6, True, -0.6154), (8, False, -0.4306)],
)
def test_the_game_is_worth_what_is_known_of_it(decks, hits_soft_17, percent) -> None:
    """S17 or H17, double any two, after splits too, split to four hands, aces once, no surrender."""
    assert round(Analysis(rules(decks, hits_soft_17)).value() * 100, 4) == percent


SMALL = (2, 1, 1, 1, 2, 1, 1, 1, 1, 4)


@cache
def dealer_ends(up: int, hole: int, drawn: tuple[int, ...], left: tuple[int, ...], hits_soft_17: bool) -> dict[int, Fraction]:
    """Totals that a dealer's hand comes to, card by card; 22 is a bust."""
    hand = tuple(sum(one) for one in zip(drawn, hand_of(()), strict=True))
    total = total_of(hand)
    if total > 21:
        return {22: Fraction(1)}
    if total > 17 or (total == 17 and not (is_soft(hand) and hits_soft_17)):
        return {total: Fraction(1)}
    found: dict[int, Fraction] = {}
    for value, count in enumerate(left):
        if count:
            more = tuple(n + (v == value) for v, n in enumerate(drawn))
            less = tuple(n - (v == value) for v, n in enumerate(left))
            for end, chance in dealer_ends(up, hole, more, less, hits_soft_17).items():
                found[end] = found.get(end, Fraction(0)) + chance * Fraction(count, sum(left))
    return found


def minus(counts, *values):
    left = list(counts)
    for value in values:
        left[value] -= 1
    return tuple(left)


@cache
def stand_one_by_one(hand, up, counts, hits_soft_17) -> Fraction:
    """The dealer's hole card is met first: one that makes a blackjack is excluded, as the dealer has looked."""
    left = tuple(a - b for a, b in zip(minus(counts, up), hand, strict=True))
    worth = whole = Fraction(0)
    for hole, count in enumerate(left):
        if not count or {up, hole} == {ACE, TEN}:
            continue
        both = tuple(int(v == up) + int(v == hole) for v in range(10))
        for end, chance in dealer_ends(up, hole, both, minus(left, hole), hits_soft_17).items():
            mine = total_of(hand)
            worth += count * chance * (1 if end > 21 or mine > end else -1 if mine < end else 0)
        whole += count
    return worth / whole


@cache
def hit_one_by_one(hand, up, counts, hits_soft_17, once=False) -> Fraction:
    """The hole card is there, unknown, but for what a look has told: each is met with its chance."""
    left = tuple(a - b for a, b in zip(minus(counts, up), hand, strict=True))
    worth = whole = Fraction(0)
    for hole, times in enumerate(left):
        if not times or {up, hole} == {ACE, TEN}:
            continue
        rest = minus(left, hole)
        for value, count in enumerate(rest):
            if count:
                more = tuple(n + (v == value) for v, n in enumerate(hand))
                if total_of(more) > 21:
                    gained = Fraction(-1)
                else:
                    stand = stand_one_by_one(more, up, counts, hits_soft_17)
                    gained = stand if once else max(stand, hit_one_by_one(more, up, counts, hits_soft_17))
                worth += times * Fraction(count, sum(rest)) * gained
        whole += times
    return worth / whole


@cache
def analysed(hits_soft_17: bool) -> Analysis:
    return Analysis(rules(1, hits_soft_17, counts=SMALL), exact=True)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(("cards", "up"), [((5, 9), 9), ((5, 9), 0), ((0, 5), 4), ((4, 4), 3), ((7, 8), 9), ((9, 9), 0)])
def test_every_draw_met_one_by_one_on_a_small_shoe(cards, up, hits_soft_17) -> None:
    hand = tuple(cards.count(value) for value in range(10))
    found = analysed(hits_soft_17).choices(hand, up)
    assert found[STAND] == stand_one_by_one(hand, up, SMALL, hits_soft_17)
    assert found[HIT] == hit_one_by_one(hand, up, SMALL, hits_soft_17)
    assert found[DOUBLE] == 2 * hit_one_by_one(hand, up, SMALL, hits_soft_17, once=True)


def test_floats_are_the_fractions_to_fourteen_places() -> None:
    assert float(analysed(False).value()) == pytest.approx(Analysis(rules(1, counts=SMALL)).value(), abs=1e-14)


def test_a_free_choice_after_a_split_is_no_worse() -> None:
    fixed, free = Analysis(rules(2)), Analysis(rules(2), free_after_split=True)
    assert free.value() >= fixed.value() - 1e-12


def test_one_split_of_a_pair_is_two_hands_with_one_more_of_the_pair_gone() -> None:
    """Without re-splits the two hands are alike: eights against a ten, by hand."""
    one = Analysis(rules(6, hands_most=2))
    more = Analysis(rules(6, hands_most=4))
    assert more.split(7, 9).value() != one.split(7, 9).value()
    assert one.split(7, 9).value() == pytest.approx(-0.4811, abs=5e-3)


@pytest.mark.parametrize(
    ("switch", "better"),
    [
        ({"soft-17": "stands"}, True),
        ({"surrender": "late"}, True),
        ({"surrender": "early"}, True),
        ({"double-after-split": "no"}, False),
        ({"double": "10-11"}, False),
        ({"split-aces": "re-split"}, True),
        ({"hole-card": "none"}, False),
        ({"decks": 8}, False),
    ],
)
def test_every_switch_moves_the_value_the_way_it_must(switch, better) -> None:
    usual = Analysis(BlackjackRules.of(EDITION, EDITION.settings())).value()
    switched = Analysis(BlackjackRules.of(EDITION, EDITION.settings(switch))).value()
    assert (switched > usual) == better


def test_choices_have_names() -> None:
    assert NAMES[STAND] == "stand"
    assert hand_of((48, 49, 36)) == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)
