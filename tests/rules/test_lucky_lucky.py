"""Lucky Lucky, clause by clause (LLB), with the readings R11 and R13."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houseway
from houseway import Refused
from houseway.cli.odds import sheet_text
from houseway.cli.play import _written_pays
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.view.face import pays_short
from houseway.view.reader import ANYBODY
from houseway.view.table import table_view

BOOK = houseway.edition("lucky-lucky-wa")
DECK = tuple((rank, suit) for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A") for suit in "cdhs")
PAYS = {"suited 777": 200, "suited 678": 100, "777": 50, "678": 30, "suited 21": 15, "21": 3, "20": 2, "19": 2, "": -1}
PUBLISHED = {1: "2.61", 2: "2.82", 3: "2.77", 4: "2.72", 5: "2.68", 6: "2.66", 7: "2.63", 8: "2.62"}


def best_win(hand):
    """The highest win of three cards, from their names alone."""
    ranks = sorted(rank for rank, _ in hand)
    suited = "suited " if len({suit for _, suit in hand}) == 1 else ""
    low = sum({"A": 1, "J": 10, "Q": 10, "K": 10}[rank] if rank in "AJQK" else int(rank) for rank in ranks)
    total = low + 10 if "A" in ranks and low + 10 <= 21 else low
    wins = {str(total)}
    if total == 21:
        wins.add(suited + "21")
    if ranks in (["7"] * 3, ["6", "7", "8"]):
        wins.add(suited + "".join(ranks))
    return max((win for win in wins if win in PAYS), key=lambda win: PAYS[win], default="")


def settle(first, second, up, **switches):
    """The Lucky Lucky payment of a round that is given up at once, or ended by the player's blackjack."""
    blackjack = sorted((first[:-1], second[:-1])) in [sorted(("A", ten)) for ten in ("10", "J", "Q", "K")]
    choices = "" if blackjack else "surrender"
    hole = "3c"  # makes no blackjack
    settlement = BOOK.settle(
        f"{first} {up} {second} {hole}", "blackjack=10,lucky-lucky=5", choices, surrender="early", **switches
    )
    (payment,) = (payment for payment in settlement.payments if payment.wager == "lucky-lucky")
    return payment


def units(hand, **switches):
    """The win in units of the bet."""
    first, second, up = hand.split()
    payment = settle(first, second, up, **switches)
    assert payment.stake_cents == 500
    return Fraction(payment.win_cents, 500)


def refusal(*arguments, **switches):
    with pytest.raises(Refused) as caught:
        BOOK.settle(*arguments, **switches)
    return caught.value.code


@cache
def by_copies():
    """How many three-card hands of each shape there are: (win, copies of each different card) counted."""
    return Counter((best_win(hand), tuple(Counter(hand).values())) for hand in combinations_with_replacement(DECK, 3))


def plain_edge(decks):
    """The house edge counted in the test itself: every set of three cards of the shoe."""
    weights = {shape: number * prod(comb(decks, copies) for copies in shape[1]) for shape, number in by_copies().items()}
    assert sum(weights.values()) == comb(52 * decks, 3)
    return -Fraction(sum(PAYS[win] * weight for (win, _), weight in weights.items()), comb(52 * decks, 3))


def edge(**switches):
    return BOOK.odds(**switches)["lucky-lucky"].house_edge


def percent(fraction, digits=2):
    return f"{float(fraction) * 100:.{digits}f}"


def test_llb_0_the_players_two_cards_and_the_up_card_count():
    # Player 6 and 8, up-card 7: the hole card (a 10) is not part of the hand.
    round_ = BOOK.settle("6s 7d 8h 10c", "blackjack=10,lucky-lucky=5", "surrender", surrender="early")
    assert {payment.wager: payment.win_cents for payment in round_.payments} == {"lucky-lucky": 15_000, "blackjack": -500}
    # Player 6 and 8, hole card 7: nothing.
    round_ = BOOK.settle("6s 10d 8h 7c", "blackjack=10,lucky-lucky=5", "stand")
    assert {payment.wager: payment.win_cents for payment in round_.payments} == {"lucky-lucky": -500, "blackjack": -1000}


def test_llb_0_a_card_drawn_later_does_not_count():
    # 5 and 6 against a 5 is 16; the player's third card makes him 21 and is not looked at.
    round_ = BOOK.settle("5s 5d 6h 10c 10d 2c", "blackjack=10,lucky-lucky=5", "hit")
    assert {payment.wager: payment.win_cents for payment in round_.payments} == {"lucky-lucky": -500, "blackjack": 1000}


@pytest.mark.parametrize("order", list(permutations(["6s", "7d", "8h"])))
def test_llb_0_the_order_of_the_three_cards_does_not_matter(order):
    assert units(" ".join(order)) == 30


@pytest.mark.parametrize("decks", range(1, 9))
def test_llb_0_one_to_eight_decks_and_the_shuffler(decks):
    assert units("6s 8h 7d", decks=decks) == 30
    assert units("6s 8h 7d", decks=decks, shuffler="continuous") == 30


@pytest.mark.parametrize("decks", [0, 9, 10])
def test_llb_0_no_other_number_of_decks(decks):
    assert refusal("6s 7d 8h 10c", "blackjack=10", "stand", decks=decks) in {"bad-setting", "outside-approval"}


@pytest.mark.parametrize(
    ("cards", "choices"),
    [
        ("10s 7d 9h 10c", "stand"),
        ("As 7d Kh 10c", ""),
        ("6s 7d 8h 10c 7c", "hit"),
        ("8s 6d 8h 10c 3s Kd Qs 5c", "split,double,stand"),
    ],
)
def test_llb_0_the_blackjack_game_is_unchanged(cards, choices):
    alone = BOOK.settle(cards, "blackjack=10", choices)
    beside = BOOK.settle(cards, "blackjack=10,lucky-lucky=5", choices)
    assert tuple(payment for payment in beside.payments if payment.wager == "blackjack") == alone.payments


def test_llb_1_needs_a_blackjack_bet():
    assert refusal("6s 7d 8h 10c", "lucky-lucky=5", "stand") == "bad-bet"


def test_llb_7_lucky_lucky_is_resolved_first():
    round_ = BOOK.settle("6s 7d 8h 10c", "blackjack=10,lucky-lucky=5", "surrender", surrender="early")
    assert [payment.wager for payment in round_.payments] == ["lucky-lucky", "blackjack"]


def test_llb_7_is_paid_though_the_dealer_has_a_blackjack():
    round_ = BOOK.settle("9s Kd 2h Ac", "blackjack=10,lucky-lucky=5")
    assert {payment.wager: payment.win_cents for payment in round_.payments} == {"lucky-lucky": 1500, "blackjack": -1000}


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("7s 7s 7s", 200),
        ("7h 7h 7h", 200),
        ("6d 7d 8d", 100),
        ("8c 6c 7c", 100),
        ("7s 7s 7h", 50),
        ("7s 7h 7d", 50),
        ("6d 7d 8c", 30),
        ("6s 7h 8d", 30),
        ("9h 10h 2h", 15),
        ("Ah Kh Qh", 15),
        ("9h 10h 2d", 3),
        ("5s 6s 10d", 3),
        ("8s 8s 5s", 15),
        ("8s 8h 5s", 3),
        ("10h Kh 10h", -1),
        ("9h 9h 2h", 2),
        ("Kd 8c 2s", 2),
        ("10h 7h 2h", 2),
        ("Jd 5c 4s", 2),
        ("10h 6h 2h", -1),
        ("2c 2d 2h", -1),
        ("7h 7d 8c", -1),
        ("6h 6d 6c", -1),
        ("8h 8d 8c", -1),
        ("6h 7h 7s", 2),
        ("6s 6h 8d", 2),
        ("Kh Qd 2c", -1),
        ("9h 5d 8c", -1),
    ],
)
def test_llb_8_the_pay_table(hand, pays):
    assert units(hand) == pays


@pytest.mark.parametrize("decks", [1, 2])
def test_llb_8_one_or_two_decks_have_no_suited_777(decks):
    assert refusal("7s 7s 7s 10c", "blackjack=10,lucky-lucky=5", "stand", decks=decks) == "card-not-in-shoe"
    assert units("7s 7h 7d", decks=decks) == 50
    assert "suited-777" not in {row.outcome for row in BOOK.odds(decks=decks)["lucky-lucky"].rows}


@pytest.mark.parametrize(("decks", "posted"), [(1, False), (2, False), (3, True), (6, True)])
def test_llb_8_with_one_or_two_decks_suited_777_is_posted_nowhere(tmp_path, decks, posted):
    """On the felt, in the shell's wagers and in the lab's par sheet."""
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key")
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("root", "administrator"))
    opening = {"table": "t1", "edition": "lucky-lucky-wa", "source": "hand-keyed", "opener_cents": 1_000_000}
    floor.do({"kind": "open", **opening, "settings": {"decks": decks}}, Actor("sue", "supervisor"))
    view = table_view(floor.state, "t1", ANYBODY)
    pays = next(wager["pays"] for wager in view["wagers"] if wager["id"] == "lucky-lucky")
    assert ("suited-777" in [row["outcome"] for row in pays]) == posted
    edition, settings = BOOK.edition, BOOK.edition.settings({"decks": decks})
    assert ("suited-777" in _written_pays(edition, "lucky-lucky", settings)) == posted
    assert pays_short(edition, "lucky-lucky", settings) == ("to 200 to 1" if posted else "to 100 to 1")
    assert ("Suited 777" in sheet_text(BOOK.odds(decks=decks)["lucky-lucky"])) == posted


@pytest.mark.parametrize("decks", [1, 2])
def test_llb_8_one_or_two_decks_are_not_taken_as_endless(decks):
    """A shoe without end would have three sevens of a suit, which LLB-8 posts nowhere."""
    endless = {"decks": decks, "shuffler": "continuous", "R13": "infinite"}
    with pytest.raises(Refused, match="not offered"):
        BOOK.odds(**endless)["lucky-lucky"]
    with pytest.raises(Refused) as caught:
        BOOK.settle("7s 7h 7d 9c", "blackjack=10,lucky-lucky=5", **endless)
    assert "LLB-8" in caught.value.message


# LLB-0: the community card. Cards in the order dealt: player, up-card, player, community card, hole card


@pytest.mark.parametrize(("cards", "won"), [("7s 10h 7d 7h 9c", 25_000), ("7s 7h 7d 2h 9c", -500), ("6s 2h 7s 8s 9c", 50_000)])
def test_llb_0_the_third_card_may_be_a_community_card(cards, won):
    settlement = BOOK.settle(cards, "blackjack=10,lucky-lucky=5", "surrender", lucky_card="community", surrender="late")
    assert next(p.win_cents for p in settlement.payments if p.wager == "lucky-lucky") == won
    assert [step.kind for step in settlement.steps].count("community-card") == 1


def test_llb_0_the_community_card_is_of_no_hand_of_blackjack():
    plain = BOOK.settle("10s 6h 9d 10c 5s", "blackjack=10", "stand").payments
    beside = BOOK.settle("10s 6h 9d Ah 10c 5s", "blackjack=10", "stand", lucky_card="community").payments
    assert beside == plain
    with pytest.raises(Refused):
        BOOK.settle("10s 6h 9d", "blackjack=10", "stand", lucky_card="community")


def test_llb_0_on_a_community_card_the_odds_are_the_same():
    """Any three cards of the shoe are as likely as any others."""
    for decks in (1, 6):
        edges = {BOOK.odds(decks=decks, lucky_card=card)["lucky-lucky"].house_edge for card in ("up-card", "community")}
        assert len(edges) == 1


@pytest.mark.parametrize("decks", range(3, 9))
def test_llb_8_three_or_more_decks_have_a_suited_777(decks):
    assert units("7s 7s 7s", decks=decks) == 200
    assert BOOK.odds(decks=decks)["lucky-lucky"]["suited-777"].combinations == 4 * comb(decks, 3)


ANY_CARD = st.sampled_from([rank + suit for rank, suit in DECK])


@settings(deadline=None, max_examples=100)
@given(
    hand=st.lists(ANY_CARD, min_size=3, max_size=3)
    | st.lists(st.sampled_from(["6s", "7s", "8s", "7h", "As"]), min_size=3, max_size=3)
)
def test_llb_8_any_three_cards_pay_as_counted_by_hand(hand):
    assert units(" ".join(hand)) == PAYS[best_win([(card[:-1], card[-1]) for card in hand])]


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("7s 7s 7s", 200),  # also 777, suited 21 and 21
        ("6s 7s 8s", 100),  # also 678, suited 21 and 21
        ("7s 7h 7d", 50),  # also 21
        ("6s 7h 8d", 30),  # also 21
        ("9s 10s 2s", 15),  # also 21
    ],
)
def test_llb_9_only_the_highest_win_is_paid(hand, pays):
    first, second, up = hand.split()
    round_ = BOOK.settle(f"{first} {up} {second} 3c", "blackjack=10,lucky-lucky=5", "surrender", surrender="early")
    assert [payment.win_cents for payment in round_.payments if payment.wager == "lucky-lucky"] == [500 * pays]


@pytest.mark.parametrize("decks", range(1, 9))
def test_llb_10_the_published_edges(decks):
    assert percent(edge(decks=decks)) == PUBLISHED[decks]


@pytest.mark.parametrize("decks", range(1, 9))
def test_llb_10_the_edges_as_counted_in_this_test(decks):
    assert edge(decks=decks) == plain_edge(decks)


def test_llb_10_the_range_of_the_edges():
    edges = [edge(decks=decks) for decks in range(1, 9)]
    assert (percent(min(edges)), percent(max(edges))) == ("2.61", "2.82")


def test_llb_11_a_six_deck_shuffler_is_close_to_eight_decks():
    shuffler, eight = edge(decks=6, shuffler="continuous"), edge(decks=8)
    assert shuffler == edge(decks=6)  # R13: refilled every round
    assert percent(shuffler, 3) == "2.656"
    assert percent(eight, 3) == "2.619"
    assert abs(shuffler - eight) < Fraction(5, 10_000)


def test_llb_11_r13_an_endless_shoe():
    infinite = edge(decks=6, shuffler="continuous", R13="infinite")
    assert percent(infinite, 3) == "2.486"
    hands = Counter()
    for (win, copies), number in by_copies().items():
        hands[win] += number * {1: 1, 2: 3, 3: 6}[len(copies)]
    assert infinite == -Fraction(sum(PAYS[win] * number for win, number in hands.items()), 52**3)
    assert infinite == edge(decks=3, shuffler="continuous", R13="infinite")


def test_llb_11_r13_unseen_cards_outside_the_machine_change_nothing():
    assert edge(decks=6, shuffler="continuous", R13="buffer-16") == edge(decks=6)


def test_llb_11_r13_is_a_question_of_the_shuffler_only():
    assert edge(decks=6, R13="infinite") == edge(decks=6)


@pytest.mark.parametrize(
    ("hand", "pays", "total"),
    [
        ("Ah Kd Qc", 3, 21),
        ("Ah 5d 5c", 3, 21),
        ("Ah 4d 5c", 2, 20),
        ("Ah 4d 4c", 2, 19),
        ("Ah 4d 3c", -1, 18),
        ("Ah Ad 9c", 3, 21),
        ("Ah Ad 8c", 2, 20),
        ("Ah Ad 7c", 2, 19),
        ("Ah Ad Ac", -1, 13),
        ("Ah Ad Kc", -1, 12),
        ("Ah 9d Kc", 2, 20),
        ("Ah 9d 9c", 2, 19),
        ("Ah 8d Kc", 2, 19),
        ("Ah 7d Kc", -1, 18),
        ("Ah 5h 5h", 15, 21),
        ("Ah 5h 5d", 3, 21),
    ],
)
def test_r11_an_ace_counts_11_where_that_does_not_pass_21(hand, pays, total):
    assert units(hand) == pays
    assert (pays == -1) == (total < 19)
