"""Cards as text, both ways, and cards taken out of a shoe."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway import Refused
from houseway.cards import (
    JOKER,
    Composition,
    fresh_shoe,
    parse_cards,
    parse_composition,
    show_card,
    show_cards,
    take,
)

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
TEN_OF_HEARTS = 4 * 8 + 2


def refusal(function, *arguments):
    with pytest.raises(Refused) as caught:
        function(*arguments)
    assert "\n" not in caught.value.message
    return caught.value.code


def test_every_card_has_a_number_and_a_name():
    names = [rank + suit for rank in RANKS for suit in "cdhs"] + ["Jk"]
    assert parse_cards(" ".join(names)) == tuple(range(53))
    assert show_cards(range(53)) == " ".join(names)


def test_cards_are_read_in_the_order_written():
    assert parse_cards("As Kd 10h Jk") == (51, 45, 34, JOKER)
    assert parse_cards("Jk 10h Kd As") == (JOKER, 34, 45, 51)
    assert show_cards((51, 45, 34, JOKER)) == "As Kd 10h Jk"


@pytest.mark.parametrize(
    "text",
    [
        "10h",
        "Th",
        "TH",
        "th",
        "tH",
        "10H",
        "10♥",
        "T♥",
        "t♥",
        "10♡",
        "10♥\ufe0f",
        "T♡\ufe0f",
        " 10h ",
        "\t10h\n",
        "10h,",
        ",10h",
    ],
)
def test_spellings_of_the_ten_of_hearts(text):
    assert parse_cards(text) == (TEN_OF_HEARTS,)


@pytest.mark.parametrize(("letter", "symbols"), [("c", "♣♧"), ("d", "♦♢"), ("h", "♥♡"), ("s", "♠♤")])
def test_suits_as_symbols(letter, symbols):
    for symbol in symbols:
        assert parse_cards(f"7{symbol}") == parse_cards(f"7{letter}")
        assert parse_cards(f"7{symbol}\ufe0f") == parse_cards(f"7{letter}")
        assert parse_cards(f"7{symbol}\ufe0f A{symbol}\ufe0f") == parse_cards(f"7{letter} A{letter}")


@pytest.mark.parametrize("text", ["Jk", "JK", "jk", "joker", "Joker", "JOKER", "\U0001f0cf"])
def test_spellings_of_the_joker(text):
    assert parse_cards(text) == (JOKER,)


@pytest.mark.parametrize("text", ["as kd qh", "AS KD QH", "As,Kd,Qh", "As, Kd, Qh", "AsKdQh", "  As   Kd\nQh\t", "asKD qh"])
def test_case_and_separators_do_not_matter(text):
    assert parse_cards(text) == (51, 45, 42)


def test_nothing_is_no_cards():
    assert parse_cards("") == ()
    assert parse_cards("  ,\n ") == ()
    assert show_cards(()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "1h",
        "0h",
        "11h",
        "100h",
        "h",
        "A",
        "10",
        "hA",
        "sA",
        "Az",
        "As Kz",
        "A s",
        "As-Kd",
        "As/Kd",
        "Bs",
        "ass",
        "jkk",
        "jokers",
        "J k",
        "ace of spades",
        "♠",
        "♠A",
        "7\ufe0f",
        "-7s",
        "7s;",
        "?",
        "\x00",
        "٧s",
        "７s",
    ],
)
def test_nonsense_is_refused(text):
    assert refusal(parse_cards, text) == "bad-card"
    assert refusal(parse_composition, text) == "bad-card"


@pytest.mark.parametrize("text", ["A\u017f", "\u212as", "\u212a\u017f"], ids=["long-s", "kelvin-sign", "both"])
def test_letters_that_only_look_like_ranks_or_suits_are_refused_or_read(text):
    """The long s and the kelvin sign are s and K when case is ignored: an answer either way, never a crash."""
    try:
        assert len(parse_cards(text)) == 1
    except Refused as refused:
        assert refused.code == "bad-card"


def test_the_refusal_names_the_bad_card():
    with pytest.raises(Refused, match='"Kz"'):
        parse_cards("As Kz 10h")


@pytest.mark.parametrize(("rank", "name"), list(enumerate(RANKS)))
def test_any_suit_only_in_compositions(rank, name):
    assert parse_composition(f"{name}x") == Composition((), (rank,))
    assert parse_composition(f"{name.lower()}X") == Composition((), (rank,))
    assert refusal(parse_cards, f"{name}x") == "bad-card"
    assert refusal(parse_cards, f"As {name}x") == "bad-card"


def test_compositions_keep_named_cards_apart():
    assert parse_composition("7s 7x Jk Tx 7x") == Composition((23, JOKER), (5, 8, 5))
    assert parse_composition("As Kd") == Composition((51, 45))
    assert parse_composition("") == Composition(())


@pytest.mark.parametrize(("card", "plain", "pretty"), [(0, "2c", "2♣"), (34, "10h", "10♥"), (51, "As", "A♠"), (45, "Kd", "K♦")])
def test_printing_plain_and_pretty(card, plain, pretty):
    assert show_card(card) == plain
    assert show_card(card, pretty=True) == pretty


def test_the_joker_prints_the_same_both_ways():
    assert show_card(JOKER) == show_card(JOKER, pretty=True) == "Jk"


ANY_CARDS = st.lists(st.integers(0, 52), max_size=20).map(tuple)


@settings(deadline=None, max_examples=100)
@given(cards=ANY_CARDS, pretty=st.booleans(), change=st.sampled_from([str, str.lower, str.upper]))
def test_what_is_printed_is_read_back(cards, pretty, change):
    assert parse_cards(change(show_cards(cards, pretty))) == cards
    assert parse_cards(change(show_cards(cards, pretty)).replace(" ", "")) == cards
    assert parse_cards(change(show_cards(cards, pretty)).replace(" ", ", ")) == cards


@settings(deadline=None, max_examples=100)
@given(text=st.text(max_size=12) | st.text("23456789TJQKA10cdhsx♥♠ ,k\ufe0f", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        cards = parse_cards(text)
    except Refused as refused:
        assert refused.code == "bad-card"
    else:
        assert parse_cards(show_cards(cards)) == cards


@pytest.mark.parametrize("decks", range(1, 9))
@pytest.mark.parametrize("jokers", [0, 1])
def test_a_fresh_shoe(decks, jokers):
    shoe = fresh_shoe(decks, jokers)
    assert shoe == (decks,) * 52 + (jokers,)
    assert sum(shoe) == 52 * decks + jokers


def test_taking_cards_leaves_the_others():
    shoe = fresh_shoe(2)
    left = take(shoe, parse_cards("As As 2c"))
    assert (left[51], left[0], left[1], sum(left)) == (0, 1, 2, 101)
    assert shoe == fresh_shoe(2)
    assert take(shoe, ()) == shoe


@pytest.mark.parametrize(
    ("shoe", "cards"),
    [
        (fresh_shoe(1), "As As"),
        (fresh_shoe(1), "As Kd As"),
        (fresh_shoe(2), "As As As"),
        (fresh_shoe(8), "7s " * 9),
        (fresh_shoe(8), "Jk"),
        (fresh_shoe(1, jokers=1), "Jk Jk"),
        (take(fresh_shoe(1), parse_cards("7s")), "7s"),
    ],
)
def test_a_card_too_many_is_refused(shoe, cards):
    assert refusal(take, shoe, parse_cards(cards)) == "card-not-in-shoe"


def test_the_last_card_of_its_kind_may_be_taken():
    assert sum(take(fresh_shoe(8), parse_cards("7s " * 8))) == 408
    assert sum(take(fresh_shoe(1, jokers=1), (JOKER,))) == 52


@settings(deadline=None, max_examples=100)
@given(cards=ANY_CARDS, decks=st.integers(1, 8), jokers=st.integers(0, 2))
def test_taking_is_exact_or_refused(cards, decks, jokers):
    shoe = fresh_shoe(decks, jokers)
    if all(cards.count(card) <= shoe[card] for card in cards):
        left = take(shoe, cards)
        assert all(left[card] == shoe[card] - cards.count(card) for card in range(53))
    else:
        assert refusal(take, shoe, cards) == "card-not-in-shoe"
