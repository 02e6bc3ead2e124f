"""EPG-1, EPG-1a, EPG-1b: the fast ranking against the slow and obvious one of poker_reference."""

from itertools import combinations, pairwise, permutations

import numpy as np
import poker_reference as slow
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from poker_reference import hands, renamed

from houseway.cards import JOKER, parse_cards
from houseway.games.ez_pai_gow import ranking, rules
from houseway.games.ez_pai_gow.game import GAME
from houseway.games.ez_pai_gow.outcomes import DYNASTY_OUTCOMES, PROTECTION_OUTCOMES

JOKERS = st.sampled_from(["semi", "full"])
WHEELS = st.sampled_from(["second", "lowest"])
SUIT_NAMES = st.permutations(range(4))
CHECK = settings(deadline=None, max_examples=100)
SLOW_CHECK = settings(deadline=None, max_examples=60)


def encode(joker="semi", wheel="second", **readings):
    values = {name: switch.values[0] for name, switch in GAME.switches.items()}
    return GAME.encode(values | {"joker": joker, "wheel": wheel} | readings)


def tape(cards):
    return np.array(cards, np.int64)


def five(cards, joker="semi", wheel="second"):
    return int(ranking.rank_five(tape(cards), encode(joker, wheel)))


def seven(cards, joker="semi", wheel="second"):
    return int(ranking.rank_seven(tape(cards), encode(joker, wheel)))


def front(cards, joker="semi"):
    return int(ranking.rank_front(tape(cards), 0, 1, encode(joker)))


def sign(a, b):
    return (a > b) - (a < b)


@CHECK
@given(hands(5), hands(5), JOKERS, WHEELS)
def test_five_cards_compare_as_in_the_reference(a, b, joker, wheel):
    expected = sign(slow.value_of_five(a, joker, wheel), slow.value_of_five(b, joker, wheel))
    assert sign(five(a, joker, wheel), five(b, joker, wheel)) == expected


@CHECK
@given(hands(5), JOKERS, WHEELS)
def test_five_cards_have_the_category_of_the_reference(cards, joker, wheel):
    assert five(cards, joker, wheel) >> 20 == slow.value_of_five(cards, joker, wheel)[0]


@SLOW_CHECK
@given(st.lists(hands(5), min_size=3, max_size=8), JOKERS, WHEELS)
def test_many_hands_stand_in_one_order_with_the_same_ties(many, joker, wheel):
    fast = [five(cards, joker, wheel) for cards in many]
    reference = [slow.value_of_five(cards, joker, wheel) for cards in many]
    places, expected = sorted(set(fast)), sorted(set(reference))
    assert [places.index(value) for value in fast] == [expected.index(value) for value in reference]


@CHECK
@given(hands(5), SUIT_NAMES, st.randoms(use_true_random=False), JOKERS, WHEELS)
def test_names_of_suits_and_order_of_cards_do_not_matter(cards, names, random, joker, wheel):
    shuffled = renamed(cards, names)
    random.shuffle(shuffled)
    assert five(shuffled, joker, wheel) == five(cards, joker, wheel)


def test_epg_1a_all_two_card_hands_rank_as_a_pair_or_high_cards():
    for joker in ("semi", "full"):
        everything = [list(two) for two in combinations([card for card in range(53) if card % 4 == 0 or card > 47], 2)]
        fast = [front(two, joker) for two in everything]
        reference = [slow.value_of_two(two, joker) for two in everything]
        places, expected = sorted(set(fast)), sorted(set(reference))
        assert [places.index(value) for value in fast] == [expected.index(value) for value in reference]
        assert {value >> 20 for value in fast} == {ranking.PAIR, ranking.HIGH_CARD}


@CHECK
@given(hands(7), JOKERS, WHEELS)
def test_epg_1_a_back_outranks_a_front_as_in_the_reference(cards, joker, wheel):
    back_value = slow.value_of_five(cards[2:], joker, wheel)
    encoded = encode(joker, wheel)
    fast_back = int(ranking.rank_back(tape(cards), 0, 0, 1, encoded))
    fast_front = int(ranking.rank_front(tape(cards), 0, 1, encoded))
    assert sign(fast_back, fast_front) == sign(back_value, slow.value_of_two(cards[:2], joker))
    assert fast_back == five(cards[2:], joker, wheel)


@SLOW_CHECK
@given(hands(7), JOKERS, WHEELS)
def test_seven_cards_are_worth_the_best_of_21_hands(cards, joker, wheel):
    found = seven(cards, joker, wheel)
    assert found == max(five(chosen, joker, wheel) for chosen in combinations(cards, 5))
    assert found >> 20 == slow.value_of_seven(cards, joker, wheel)[0]


LADDER = (
    "7c 5d 4h 3s 2c",
    "8c 5d 4h 3s 2c",
    "Ac Kd Qh Js 9c",
    "2c 2d 5h 4s 3c",
    "Jk Ah 9c 4d 2h",
    "Ac Ad Kh Qs Jc",
    "3c 3d 2h 2s 4c",
    "Ac Jk Kh Ks Qc",
    "2c 2d 2h 4s 3c",
    "Ac Ad Jk Ks Qc",
    "6c 5d 4h 3s 2c",
    "Kc Qd Jh 10s 9c",
    "Ac 5d 4h 3s 2c",
    "Ac Kd Qh Js 10c",
    "7c 5c 4c 3c 2c",
    "Kc Qc Jc 10c 8c",
    "Jk 8c 7c 3c 2c",
    "Ac Kc Jk 3c 2c",
    "Ac Kc Qc Jc 9c",
    "2c 2d 2h 3s 3c",
    "Ac Ad Jk Ks Kc",
    "2c 2d 2h 2s 3c",
    "Ac Ad Ah Jk Ks",
    "6c 5c 4c 3c 2c",
    "Kc Qc Jc 10c 9c",
    "Ac 5c 4c 3c 2c",
    "Ac Kc Qc Jc 10c",
    "Ac Ad Ah As Jk",
)


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LADDER)))
def test_epg_1b_each_step_of_the_ladder_is_higher(lower, higher):
    assert five(parse_cards(lower)) < five(parse_cards(higher))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Jk Kc Qc Jc 10c", "Ac Kc Qc Jc 10c"),
        ("Ac Kc Jk Jc 10c", "Ad Kd Qd Jd 10d"),
        ("Jk 5c 4d 3h 2s", "Ac 5d 4h 3s 2c"),
        ("Jk 9c 8c 5c 2c", "Ad 9d 8d 5d 2d"),
        ("Ac Jk 8c 5c 2c", "Ad Kd 8d 5d 2d"),
        ("Jk 9c 8d 7h 5s", "9d 8h 7s 6c 5d"),
        ("Jk 9c 8d 7h 6s", "10d 9h 8s 7c 6d"),
        ("Jk Kc 9d 7h 5s", "As Kd 9h 7s 5c"),
    ],
)
def test_epg_1_the_semi_wild_joker_stands_for_one_card(a, b):
    assert five(parse_cards(a)) == five(parse_cards(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Jk Kc 9d 7h 5s", "Ks Kd 9h 7s 5c"),
        ("Jk 8c 8d 8h 5s", "8s 8c 8d 8h 5c"),
        ("Jk 8c 8d 5h 5s", "8s 8c 8d 5h 5c"),
        ("Jk 8c 8d 5h 3s", "8s 8c 8h 5h 3c"),
        ("Jk 8c 7d 6h 5s", "9s 8c 7d 6h 5c"),
        ("Ac Jk 8c 5c 2c", "Ad Kd 8d 5d 2d"),
    ],
)
def test_epg_1_the_fully_wild_joker_stands_for_any_card(a, b):
    assert five(parse_cards(a), "full") == five(parse_cards(b), "full")


def test_epg_1_five_of_a_kind_only_with_a_fully_wild_joker_below_aces():
    nines, aces = parse_cards("9c 9d 9h 9s Jk"), parse_cards("Ac Ad Ah As Jk")
    royal = parse_cards("Ac Kc Qc Jc 10c")
    assert five(nines) >> 20 == ranking.FOUR and five(aces) >> 20 == ranking.FIVE
    assert five(royal, "full") < five(nines, "full") < five(aces, "full")


def test_epg_1b_the_wheel_is_second_or_lowest():
    wheel, six, king, royal = map(parse_cards, ("Ac 5d 4h 3s 2c", "6c 5d 4h 3s 2c", "Kc Qd Jh 10s 9c", "Ac Kd Qh Js 10c"))
    assert five(king) < five(wheel) < five(royal)
    assert five(wheel, wheel="lowest") < five(six, wheel="lowest") < five(king, wheel="lowest")


DYNASTY_EXAMPLES = (
    "As 2s 3s 4s 5s Ad Qd",
    "As 2s 3s 4s 5s 6s 7s",
    "8h 9h 10h Jh Qh Kh Ah",
    "As Ks Qs Js 10s Ad Qd",
    "As Ks Jk Js 10s Ad Qd",
    "As Ks Qs Js 10s Jk Qd",
    "2s 3s 4s Jk 6s 7s 8s",
    "As 2s 3s 4s 5s 6s Jk",
    "As Ad Ah Ac Jk Ks Qs",
    "As 2s 3s 4s 5s Jk Kd",
    "As 2s 3s 4s 5s 6s Kd",
    "As Ad Jk 2s 3s 4s Kd",
    "9c 9d 9h 8s 7s 6c 5d",
)


def example_hands(function):
    for cards in DYNASTY_EXAMPLES:
        function = example(list(parse_cards(cards)), "as-published", "no-joker", "highest-pay", "semi")(function)
    return function


@SLOW_CHECK
@example_hands
@given(
    hands(7),
    st.sampled_from(["as-published", "natural-only"]),
    st.sampled_from(["no-joker", "joker-elsewhere"]),
    st.sampled_from(["highest-pay", "highest-rank"]),
    JOKERS,
)
def test_epg_3_the_dynasty_outcome_is_that_of_the_reference(cards, r1, r2, r5, joker):
    found = rules.dynasty(tape(cards), encode(joker, R1=r1, R2=r2, R5=r5))
    assert DYNASTY_OUTCOMES[found].id == slow.dynasty_outcome(cards, r1, r2, r5, joker)


@SLOW_CHECK
@given(hands(7), st.sampled_from(["as-published", "all"]), JOKERS)
def test_epg_4_the_protection_outcome_is_that_of_the_reference(cards, r2b, joker):
    found = rules.protection(tape(cards), encode(joker, R2b=r2b))
    assert PROTECTION_OUTCOMES[found].id == slow.protection_outcome(cards, r2b, joker)


@CHECK
@given(hands(7), SUIT_NAMES)
def test_bonuses_do_not_care_which_suit_is_which(cards, names):
    encoded = encode()
    for bonus in (rules.dynasty, rules.protection):
        assert bonus(tape(renamed(cards, names)), encoded) == bonus(tape(cards), encoded)


def test_the_reference_knows_the_published_royals_with_a_suited_ace_queen():
    """R1: 72 combinations, 12 of them natural; a joker can stand in the royal flush only."""
    made = set()
    for royal, other in permutations(range(4), 2):
        cards = [48 + royal, 44 + royal, 40 + royal, 36 + royal, 32 + royal, 48 + other, 40 + other]
        hands_of = [cards, *([*cards[:place], JOKER, *cards[place + 1 :]] for place in range(7))]
        made |= {frozenset(hand) for hand in hands_of if slow.dynasty_outcome(hand) == "royal-flush-aq"}
    assert len(made) == 72
    assert len([hand for hand in made if JOKER not in hand]) == 12
