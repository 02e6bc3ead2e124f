"""EPG-10: the four House Ways, sentence by sentence, and what must hold for every one of them."""

from itertools import permutations

import numpy as np
import poker_reference as slow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from poker_reference import hands, renamed

from houseway.cards import parse_cards, show_card
from houseway.games.ez_pai_gow.game import GAME
from houseway.games.ez_pai_gow.house_ways import FOLDER, house_way, load_house_way
from houseway.games.ez_pai_gow.ranking import CATEGORIES
from houseway.games.ez_pai_gow.round import set_by_house_way
from houseway.refusal import Refused

WAYS = ("plaza", "foxwoods", "mgm", "stones")
CHECK = settings(deadline=None, max_examples=60)
EVERY_TABLE = [(way, joker, wheel) for way in WAYS for joker in ("semi", "full") for wheel in ("second", "lowest")]


def encode(way="plaza", joker="semi", wheel="second"):
    values = {name: switch.values[0] for name, switch in GAME.switches.items()}
    return GAME.encode(values | {"joker": joker, "wheel": wheel, "house-way": way})


def made_by(way, cards, **table):
    return set_by_house_way(tuple(cards), encode(way, **table))


def names(cards):
    return {show_card(card) for card in cards}


def check(way, row):
    """A row of a table below: the seven cards with the front first, the back's category, and how the decision begins."""
    front, rest, back, decision = (part.strip() for part in row.split("|"))
    cards = parse_cards(f"{rest} {front}")
    made, why = made_by(way, cards)
    expected = slow.value_of_two(parse_cards(front), "semi"), slow.value_of_five(parse_cards(rest), "semi", "second")
    found = slow.value_of_two(made.front_cards, "semi"), slow.value_of_five(made.back_cards, "semi", "second")
    assert found == expected, f"{names(made.front_cards)} in front, {why}"
    assert CATEGORIES[made.back >> 20] == back
    assert why.startswith(f"{decision}:")


PLAZA = """
Kc Kd       | Ac Ad Ah As Jk    | five-of-a-kind  | row 1
Ac Ad       | Ah As Jk Kc Qd    | three-of-a-kind | row 1
Ac Ad       | Ah As Jk Qc Qd    | full-house      | row 1
Kc Kd       | 8c 8d 8h 8s Kh    | four-of-a-kind  | row 2
3c 3d       | 8c 8d 8h 8s 3h    | four-of-a-kind  | row 2
3c 3d       | Ac Ad Ah Jk 3h    | four-of-a-kind  | row 2
3c 3d       | 8c 8d 8h 8s Kh    | four-of-a-kind  | row 3
3c 3d       | Ac Ad Ah Jk Kh    | four-of-a-kind  | row 3
Ac Jk       | 8c 8d 8h 8s Kh    | four-of-a-kind  | row 3
Ac Kd       | 6c 6d 6h 6s 2h    | four-of-a-kind  | rows 4-7
9c 7d       | 2c 2d 2h 2s 5h    | four-of-a-kind  | rows 4-7
10c 10d     | 10h 10s Qc 9d 2h  | pair            | rows 4-7
7c 7d       | 7h 7s Qc 9d 2h    | pair            | rows 4-7
Kc 5d       | 7c 7d 7h 7s 2h    | four-of-a-kind  | rows 4-7
Ac 5d       | 10c 10d 10h 10s 2h | four-of-a-kind | rows 4-7
Jk 5d       | 9c 9d 9h 9s 2h    | four-of-a-kind  | rows 4-7
Jc Jd       | Jh Js Kc 9d 2h    | pair            | rows 4-7
Ac 9d       | Jc Jd Jh Js 2h    | four-of-a-kind  | rows 4-7
Jk 9d       | Kc Kd Kh Ks 2h    | four-of-a-kind  | rows 4-7
Ac Ad       | Ah As Kc Qd 2h    | pair            | rows 4-7
Ad Ah       | Ac Jk Kc Qc 2c    | flush           | rows 4-7
Ad Ah       | Ac Jk Kc Qs Jd    | straight        | rows 4-7
9c 9d       | 9h 5c 5d 5h 2c    | three-of-a-kind | row 8
Ac Ad       | Jk 5c 5d 5h 2c    | three-of-a-kind | row 8
5c 5d       | 9c 9d 9h 3h 3c    | full-house      | row 9
Ac Jk       | 2c 2d 2h 3h 3c    | full-house      | row 9
5c 5d       | 9c 9d 9h Ah Kc    | three-of-a-kind | row 10
Ah Kc       | 9c 9d 9h 2c 2d    | full-house      | row 10
Jk Kc       | 9c 9d 9h 2c 2d    | full-house      | row 10
2c 2d       | 9c 9d 9h Ah Qc    | three-of-a-kind | row 10
3c 3d       | 9c 9d 9h Ah Kc    | three-of-a-kind | row 10
9c 9d       | 9h 8s 7s 6c 5d    | straight        | row 11
9d 9h       | 9c Kc Jc 5c 2c    | flush           | row 11
9d 9h       | 9c 8c 7c 6c 5c    | straight-flush  | row 11
Ac Ad       | Ah Ks Qs Jc 10d   | straight        | row 11
Ad Ah       | Jk Kc Qc 5c 2c    | flush           | row 11
Ac Ks       | Ad Ah Qs 9c 2d    | pair            | row 12
Jk Ks       | Ac Ad Qs 9c 2d    | pair            | row 12
Jk 9d       | Ac Ad 2s 3s 4c    | pair            | row 12
Ks Qs       | 9c 9d 9h 4c 2d    | three-of-a-kind | row 13
Jk Qs       | 9c 9d 9h 4c 2d    | three-of-a-kind | row 13
9c 9d       | 5h 5s 3c 3d Ks    | two-pair        | row 14
Ac Jk       | Kc Kd Qc Qd Jc    | two-pair        | row 14
3h 3s       | 5c 5d Qc 9d 7h    | pair            | row 15
Kc 9d       | 5c 5d 3h 3s 7h    | two-pair        | row 15
Ac 9d       | 5c 5d 3h 3s 7h    | two-pair        | row 15
Jk 9d       | 5c 5d 3h 3s 8h    | two-pair        | row 15
3h 3s       | 9c 9d Qc 8d 5h    | pair            | row 15
Kc 8d       | 9c 9d 3h 3s 5h    | two-pair        | row 15
Kc 8d       | 10c 10d 6h 6s 2h  | two-pair        | row 15
Kc 9d       | 7c 7d 6h 6s 2h    | two-pair        | row 15
3h 3s       | Jc Jd Kc 8d 5h    | pair            | row 15
6h 6s       | Jc Jd Kc 8d 4h    | pair            | row 15
Ac 8d       | Jc Jd 3h 3s 5h    | two-pair        | row 15
Jk 8d       | Kc Kd 3h 3s 5h    | two-pair        | row 15
7h 7s       | 9c 9d Kc 4d 2h    | pair            | row 15
7h 7s       | 10c 10d Kc 4d 2h  | pair            | row 15
Ac 4d       | 9c 9d 7h 7s 2h    | two-pair        | row 15
7h 7s       | Kc Kd Ac 4d 2h    | pair            | row 15
10h 10s     | Jc Jd Ac 4d 2h    | pair            | row 15
Jh Js       | Kc Kd Ac 4d 2h    | pair            | row 15
3h 3s       | Ac Ad Kc 8d 5h    | pair            | row 15
Kh Ks       | Ac Jk 8c 5d 2h    | pair            | row 15
8h 8c       | 9c 9d 7c 6s 5c    | pair            | row 15
5c 5d       | Kc Kd Qc 8c 2c    | pair            | row 15
4c 4d       | Kh Qs Jc 10d 9h   | straight        | row 16
Kh Kd       | Ac 9c 7c 4c 2c    | flush           | row 16
9c 9d       | 8h 7s 6c 5d 4h    | straight        | row 16
9c Kh       | 9d 8h 7s 6c 5d    | straight        | row 17
10d 6d      | 10c 9c 8c 7c 2c   | flush           | row 17
10d Ah      | 10c 9c 8c 7c 6c   | straight-flush  | row 17
10d 2h      | 10c Jk 8c 7c 6d   | straight        | row 17
Ac 2h       | Jk 9h 8s 7c 6d    | straight        | row 17
Kc 5h       | Ac Kd Qs Jc 10d   | straight        | row 17
Kh Js       | 9c 9d 6c 4d 2h    | pair            | row 18
Kh Js       | Ac Jk 6c 4d 2h    | pair            | row 18
Jk Js       | 9c 9d 6c 4d 2h    | pair            | row 18
Kh 2c       | Qs Jc 10d 9h 8s   | straight        | row 19
Kc 2d       | Jc 9c 7c 5c 3c    | flush           | row 19
Kc Jc       | 9c 7c 5c 3c 2c    | flush           | row 19
8s 7s       | 6s 5s 4s 3h 2c    | straight        | row 19
Kd Qh       | 9c 8c Jk 6c 5c    | straight-flush  | row 19
Ah Kd       | 9c 8c Jk 6c 5c    | straight-flush  | row 17
Jd 9h       | Kc 7s 5c 3d 2h    | high-card       | row 20
Qd 10h      | Jk 8s 6c 4d 2h    | high-card       | row 20
"""

FOXWOODS = """
Jd 9h       | Kc 7s 5c 3d 2h    | high-card       | row 20
Kh Js       | 9c 9d 6c 4d 2h    | pair            | row 18
9c 9d       | 5h 5s 3c 3d Ks    | two-pair        | row 14
3h 3s       | Jc Jd Ac 8d 5h    | pair            | row 15
Kh Ks       | Ac Ad Qc 8d 5h    | pair            | row 15
3h 3s       | 7c 7d Kc 9d 5h    | pair            | row 15
Ac 9d       | 7c 7d 3h 3s 5h    | two-pair        | row 15
Jk 5d       | 10c 10d 8h 8s 2h  | two-pair        | row 15
Kc 9d       | 6c 6d 3h 3s 4h    | two-pair        | row 15
2h 2s       | 3c 3d Qc 9d 7h    | pair            | row 15
Kc 9d       | 3c 3d 2h 2s 7h    | two-pair        | row 15
Ac Ks       | Ad Ah Qs 9c 2d    | pair            | row 12
Ks Qs       | 9c 9d 9h 4c 2d    | three-of-a-kind | row 13
9c 9d       | 9h 5c 5d 5h 2c    | three-of-a-kind | row 8
Kh 2c       | Qs Jc 10d 9h 8s   | straight        | row 19
8s 7s       | 6s 5s 4s 3h 2c    | straight        | row 19
9c 9d       | 8h 7s 6c 5d 4h    | straight        | row 16
Kc Kd       | Ac 2d 3h 4s 5c    | straight        | row 16
9c Kh       | 9d 8h 7s 6c 5d    | straight        | row 17
Ac Qs       | Kc Kd Jc 10d 5h   | pair            | a pair of tens to kings with an ace
Ac Kd       | 10c 10d Jc Qs 5h  | pair            | a pair of tens to kings with an ace
Ac Qc       | Qd Js 10c 9d 8h   | straight        | row 17
5c Kd       | 5d Ac 2s 3h 4d    | straight        | row 17
8h 8c       | 9c 9d 7c 6s 5c    | pair            | row 15
9c 9d       | 9h 8s 7s 6c 5d    | straight        | row 11
2c 2d       | 9c 9d 9h Ah Kc    | three-of-a-kind | row 10
5c 5d       | 9c 9d 9h 3h 3c    | full-house      | row 9
Jc Jd       | Jh Js Ac 9d 2h    | pair            | rows 4-7
Kc 5d       | 10c 10d 10h 10s 2h | four-of-a-kind | rows 4-7
7c 7d       | 7h 7s Qc 9d 2h    | pair            | rows 4-7
9c 7d       | 6c 6d 6h 6s 5h    | four-of-a-kind  | rows 4-7
3c 3d       | Ac Ad Ah As Kh    | four-of-a-kind  | row 3
3c 3d       | 8c 8d 8h 8s 3h    | four-of-a-kind  | row 2
Kc Kd       | Ac Ad Ah As Jk    | five-of-a-kind  | row 1
Ac Ad       | Ah As Jk Qc Qd    | full-house      | row 1
"""

MGM = """
Qc 9d       | 5c 5d 3h 3s 7h    | two-pair        | row 15
3h 3s       | 9c 9d Kc 8d 5h    | pair            | row 15
Ac 8d       | 9c 9d 3h 3s 5h    | two-pair        | row 15
3h 3s       | Jc Jd Kc 8d 5h    | pair            | row 15
Ac 8d       | Jc Jd 3h 3s 5h    | two-pair        | row 15
7h 7s       | 9c 9d Kc 4d 2h    | pair            | row 15
Jk 4d       | 9c 9d 7h 7s 2h    | two-pair        | row 15
7h 7s       | Kc Kd Ac 4d 2h    | pair            | row 15
Jh Js       | Kc Kd Ac 4d 2h    | pair            | row 15
3h 3s       | Ac Ad Kc 8d 5h    | pair            | row 15
9c 9d       | 5h 5s 3c 3d Ks    | two-pair        | row 14
Ks Qs       | 9c 9d 9h 4c 2d    | three-of-a-kind | row 13
Ac Ks       | Ad Ah Qs 9c 2d    | pair            | row 12
9c 9d       | 9h 5c 5d 5h 2c    | three-of-a-kind | row 8
Kh 2c       | Qs Jc 10d 9h 8s   | straight        | row 19
4c 4d       | Kh Qs Jc 10d 9h   | straight        | row 16
Ac Qs       | Kc Kd Jc 10d 5h   | pair            | a pair of tens to kings with an ace
Ac Qc       | Qd Js 10c 9d 8h   | straight        | row 17
5c Kd       | 5d Ac 2s 3h 4d    | straight        | row 17
Ah 5c       | 3c 3d 4h 4s 2d    | two-pair        | two low pairs with a straight or flush and an ace
3c 4h       | 3d 4s 5c 6d 7h    | straight        | two low pairs with a straight or flush, no ace
6h 6s       | 7c 7d 5c 4d 3h    | pair            | row 15
5c 5d       | 9c 9d 9h Ah Kc    | three-of-a-kind | row 10
Ah Kc       | 9c 9d 9h 2c 2d    | full-house      | row 10
5c 5d       | 9c 9d 9h 3h 3c    | full-house      | row 9
9c 7d       | 6c 6d 6h 6s 5h    | four-of-a-kind  | rows 4-7
9c 9d       | 9h 9s Kc 5d 2h    | pair            | rows 4-7
Ac 5d       | 9c 9d 9h 9s 2h    | four-of-a-kind  | rows 4-7
Jc Jd       | Jh Js Ac 9d 2h    | pair            | rows 4-7
3c 3d       | Kc Kd Kh Ks 2h    | four-of-a-kind  | row 3
Kc Kd       | Ac Ad Ah As 3h    | four-of-a-kind  | row 3
Ac Ad       | Ah As 3c 3d Kh    | two-pair        | rows 4-7
Ac Ad       | Ah Jk 3c 3d Kh    | two-pair        | rows 4-7
Ad Ah       | As Jk Ks Qs Js    | straight-flush  | four of a kind with a straight or flush
Kc Kd       | Ac Ad Ah As Jk    | five-of-a-kind  | row 1
Ac Ad       | Ah As Jk Qc Qd    | full-house      | row 1
9c 9d       | 9h 8s 7s 6c 5d    | straight        | row 11
3c 3d       | 8c 8d 8h 8s 3h    | four-of-a-kind  | row 2
"""

STONES = """
3h 3s       | Qc Qd Ac 8d 5h    | pair            | row 15
Kh Ks       | Ac Ad Qc 8d 5h    | pair            | row 15
Ac 5d       | Jc Jd 10h 10s 2h  | two-pair        | row 15
Jk 5d       | 9c 9d 3h 3s 2h    | two-pair        | row 15
3h 3s       | 9c 9d Kc 8d 5h    | pair            | row 15
Kc 4d       | 8c 8d 7h 7s 2h    | two-pair        | row 15
3h 3s       | 6c 6d Qc 9d 7h    | pair            | row 15
Qc 9d       | 5c 5d 3h 3s 7h    | two-pair        | row 15
3h 3s       | 5c 5d Jc 9d 7h    | pair            | row 15
Qc Qd       | Qh Qs Ac 9d 2h    | pair            | rows 4-7
3c 3d       | Qc Qd Qh Qs Kh    | four-of-a-kind  | row 3
Kc 9d       | Jc Jd Jh Js 2h    | four-of-a-kind  | rows 4-7
9c 9d       | 9h 9s Qc 5d 2h    | pair            | rows 4-7
Qc 9d       | 8c 8d 8h 8s 2h    | four-of-a-kind  | rows 4-7
6c 6d       | 6h 6s Jc 9d 2h    | pair            | rows 4-7
9c 7d       | 5c 5d 5h 5s 2h    | four-of-a-kind  | rows 4-7
3c 3d       | 8c 8d 8h 8s Kh    | four-of-a-kind  | row 3
3c 3d       | 8c 8d 8h 8s 3h    | four-of-a-kind  | row 2
9c 9d       | 9h 8s 7s 6c 5d    | straight        | row 11
Ac Ks       | Ad Ah Qs 9c 2d    | pair            | row 12
Ks Qs       | 9c 9d 9h 4c 2d    | three-of-a-kind | row 13
5c 5d       | 9c 9d 9h 3h 3c    | full-house      | row 9
2c 2d       | 9c 9d 9h Ah Kc    | three-of-a-kind | row 10
9c 9d       | 9h 5c 5d 5h 2c    | three-of-a-kind | row 8
9c 9d       | 5h 5s 3c 3d Ks    | two-pair        | row 14
Kh 2c       | Qs Jc 10d 9h 8s   | straight        | row 19
Kc 5h       | Ac Kd Qs Jc 10d   | straight        | row 17
8h 8c       | 9c 9d 7c 6s 5c    | pair            | row 15
Ac Ad       | Ah As Jk Kc Kd    | full-house      | row 1
Jd 9h       | Kc 7s 5c 3d 2h    | high-card       | row 20
Kh Js       | 9c 9d 6c 4d 2h    | pair            | row 18
"""


def rows(text):
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("row", rows(PLAZA))
def test_epg_10_plaza(row):
    check("plaza", row)


@pytest.mark.parametrize("row", rows(FOXWOODS))
def test_epg_10_foxwoods(row):
    check("foxwoods", row)


@pytest.mark.parametrize("row", rows(MGM))
def test_epg_10_mgm(row):
    check("mgm", row)


@pytest.mark.parametrize("row", rows(STONES))
def test_epg_10_stones(row):
    check("stones", row)


def turns(text):
    """The cards written in each of seven turns, and backwards: the order they were dealt in must not matter."""
    cards = parse_cards(text)
    dealt = [cards[place:] + cards[:place] for place in range(7)]
    return dealt + [hand[::-1] for hand in dealt]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("front", "rest"),
    [
        ("Ad Ah", "Ac Jk Kc Qc 2c"),
        ("Ac Ad", "Jk 5c 5d 5h 2c"),
        ("Ad Ah", "Jk Kc Qc 5c 2c"),
        ("As Ad", "Jk Ks Qs Js 10s"),
        ("Ac 3d", "Jk Kc Qc 9c 5c"),
    ],
)
def test_divided_aces_go_front_and_the_joker_stays_back(way, front, rest):
    """Four aces, two threes, row 11 twice, and row 17."""
    for cards in turns(f"{front} {rest}"):
        made, why = made_by(way, cards)
        assert names(made.front_cards) == set(front.split()), why


@pytest.mark.parametrize("way", WAYS)
def test_five_aces_divided_leave_the_joker_back(way):
    for cards in turns("Ac Ad Ah As Jk Qc 9d"):
        made, _ = made_by(way, cards)
        assert {card // 4 for card in made.front_cards} == {12}


@pytest.mark.parametrize("way", WAYS)
def test_with_three_aces_in_row_12_the_joker_goes_front(way):
    for cards in turns("Ac Ad Jk Ks Qs 9c 2d"):
        made, why = made_by(way, cards)
        assert names(made.front_cards) == {"Jk", "Ks"} and why.startswith("row 12:")


@CHECK
@given(hands(7), st.sampled_from(EVERY_TABLE))
def test_no_set_is_ever_a_foul(cards, table):
    way, joker, wheel = table
    made, _ = made_by(way, cards, joker=joker, wheel=wheel)
    assert sorted(made.front_cards + made.back_cards) == sorted(cards)
    assert not made.is_foul
    assert slow.value_of_five(made.back_cards, joker, wheel) > slow.value_of_two(made.front_cards, joker)


@CHECK
@given(hands(7), st.sampled_from(EVERY_TABLE), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_a_set_is_worth_the_same_whatever_the_suits_are_called_and_in_any_order(cards, table, suits, random):
    way, joker, wheel = table
    made, why = made_by(way, cards, joker=joker, wheel=wheel)
    other = renamed(cards, suits)
    random.shuffle(other)
    again, why_again = made_by(way, other, joker=joker, wheel=wheel)
    assert (again.front, again.back, why_again) == (made.front, made.back, why)


def test_every_order_of_a_hand_with_a_joker_is_set_alike():
    encoded = encode()
    values = set()
    for order in list(permutations(parse_cards("Jk Ac Kc Qc 9c 5c 3d")))[::17]:
        made, _ = set_by_house_way(order, encoded)
        values.add((made.front, made.back))
    assert len(values) == 1


# R15: the fully wild joker is grouped with the rank that makes the best five-card hand


@pytest.mark.parametrize(
    ("cards", "front", "back", "decision"),
    [
        ("9c 9d 9h 9s Jk 4c 4d", "4c 4d", "five-of-a-kind", "row 1"),
        ("9c 9d 9h Jk Kc 4c 4d", "4c 4d", "four-of-a-kind", "row 3"),
        ("6c 6d 6h Jk Kc 4c 2d", "Kc 4c", "four-of-a-kind", "rows 4-7"),
        ("9c 9d Jk 5c 5d Kh 2s", "5c 5d", "three-of-a-kind", "row 10"),
        ("9c 9d Jk Kh Qs 4c 2d", "Kh Qs", "three-of-a-kind", "row 13"),
        ("Kc Jk Qh 9s 7d 4c 2h", "Qh 9s", "pair", "row 18"),
        ("4c 4d Jk 9s 8d 7c 6h", "4c 4d", "straight", "row 16"),
    ],
)
def test_r15_fully_wild_joker(cards, front, back, decision):
    made, why = made_by("plaza", parse_cards(cards), joker="full")
    assert names(made.front_cards) == set(front.split()) and why.startswith(f"{decision}:")
    assert CATEGORIES[made.back >> 20] == back


def test_r15_with_2_3_4_5_suited_the_joker_is_the_ace_of_the_second_highest_straight_flush():
    """Two low pairs with an ace single stay together (row 15); where the wheel is lowest the joker is a six: split."""
    cards = parse_cards("2s 2h 3s 3h 4s 5s Jk")
    assert made_by("plaza", cards, joker="full", wheel="second")[1].startswith("row 15: two pairs kept")
    assert made_by("plaza", cards, joker="full", wheel="lowest")[1].startswith("row 15: two pairs split")


# Reading a House Way


def broken(tmp_path, old, new, count=1):
    file = tmp_path / "ours.toml"
    text = (FOLDER / "plaza.toml").read_text()
    assert old in text
    file.write_text(text.replace(old, new, count))
    with pytest.raises(Refused) as refused:
        load_house_way(file)
    message = refused.value.message
    assert "ours.toml" in message and "\n" not in message
    return message


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('five_aces = "kings-front"', 'five_aces = "kings"', ["five_aces", "kings-front", "always-split"]),
        ('five_aces = "kings-front"', "five_aces = 3", ["five_aces", "kings-front", "always-split"]),
        ('five_aces = "kings-front"', "", ["five_aces", "missing", "kings-front", "always-split"]),
        ('five_aces = "kings-front"', 'five_ases = "kings-front"', ["five_aces", "kings-front"]),
        ('title = "Plaza"', 'title = "Ours"\ncolour = "red"', ["colour", "unknown key"]),
        ('title = "Plaza"', "title = 3", ["title", "a text"]),
        ('ranks = "2-6"', 'ranks = "6-2"', ["four_of_a_kind[0].ranks", "6-2", "2-6"]),
        ('ranks = "2-6"', 'ranks = "1-6"', ["four_of_a_kind[0].ranks", "1-6"]),
        ('ranks = "2-6"', "", ["four_of_a_kind[0].ranks", "missing"]),
        ('keep_with = "K"', 'keep_with = "king"', ["four_of_a_kind[1].keep_with", "anything", "nothing", "K, A"]),
        ('higher = "2-10"', 'higher = "2-10"\nhight = "2"', ["two_pairs[0].hight", "higher"]),
        ('title = "Plaza"', "title = ", ["not valid TOML", "line 2"]),
    ],
)
def test_a_broken_house_way_says_file_key_and_what_is_allowed(tmp_path, old, new, told):
    message = broken(tmp_path, old, new)
    assert all(part in message for part in told), message


def test_an_uncovered_case_is_refused(tmp_path):
    message = broken(tmp_path, '[[four_of_a_kind]]\nranks = "A"\nkeep_with = "nothing"\n', "")
    assert "four_of_a_kind" in message and "four of a kind of A" in message
    message = broken(tmp_path, 'higher = "A"\nlower = "2-K"', 'higher = "A"\nlower = "2-Q"')
    assert "two_pairs" in message and "a pair of A with a pair of K" in message


def test_entries_that_are_no_tables_are_refused(tmp_path):
    text = (FOLDER / "plaza.toml").read_text()
    head, _, _ = text.partition("[[four_of_a_kind]]")
    file = tmp_path / "ours.toml"
    file.write_text(f"{head}\nfour_of_a_kind = [3]\ntwo_pairs = []\n")
    with pytest.raises(Refused, match=r"ours\.toml: four_of_a_kind"):
        load_house_way(file)


def test_a_house_way_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refused, match=r"nowhere\.toml: no such file"):
        load_house_way(tmp_path / "nowhere.toml")
    with pytest.raises(Refused, match="did you mean plaza"):
        house_way("plazza")


def test_epg_10_an_operators_own_house_way_sets_the_hand(tmp_path):
    """A House Way is data that the operator picks or writes: this one is Plaza, but keeps four sevens with a queen."""
    file = tmp_path / "ours.toml"
    text = (FOLDER / "plaza.toml").read_text()
    file.write_text(text.replace('ranks = "7-10"\nkeep_with = "K"', 'ranks = "7-10"\nkeep_with = "Q"'))
    made, _ = made_by(str(file), parse_cards("7c 7d 7h 7s Qc 9d 2h"))
    assert names(made.front_cards) == {"Qc", "9d"}


@pytest.mark.parametrize("way", WAYS)
def test_the_four_house_ways_load_whole(way):
    loaded = house_way(way)
    assert loaded.name == way and loaded.settings().dtype == np.int64
    assert loaded.title.lower() == way
