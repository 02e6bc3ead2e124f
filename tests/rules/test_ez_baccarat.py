"""EZ Baccarat, clause by clause: the Washington rules (EZB) and the card room's sheet (EZC)."""

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import houseway
from houseway import Refused

WASHINGTON = houseway.edition("ez-baccarat-wa")
CARD_ROOM = houseway.edition("ez-baccarat-ca")
WAGERS = ("player", "banker", "tie", "dragon-7", "panda-8")
ALL_FIVE = ",".join(f"{wager}=10" for wager in WAGERS)
SHOWN = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

# What each result pays, in units of the bet, in the order of WAGERS: typed from EZB-5a to 5e.
PAYS = {
    "banker-win": (-1, 1, -1, -1, -1),
    "dragon-7": (-1, 0, -1, 40, -1),
    "player-win": (1, -1, -1, -1, -1),
    "panda-8": (1, -1, -1, -1, 25),
    "tie": (0, 0, 8, -1, -1),
}
HANDS = {  # Player, Banker, Player, Banker, then the third cards
    "banker-win": "Kc 3d 6h 4s",
    "dragon-7": "Kc Kd 3h 2s Qc 5s",
    "player-win": "Kc Kd 7h 2s 4s",
    "panda-8": "Kc Kd 3h 7s 5c",
    "tie": "Kc Kd 7h 7s",
}


def worth_card(points, suit):
    """A card of so many points."""
    return {0: "K", 1: "A"}.get(points, str(points)) + suit


def wins(book, cards, bets=ALL_FIVE, **switches):
    return {payment.wager: payment.win_cents for payment in book.settle(cards, bets, what_if=True, **switches).payments}


def refusal(book, cards, bets="player=10", **switches):
    with pytest.raises(Refused) as caught:
        book.settle(cards, bets, **switches)
    return caught.value.code


def cards_used(book, six):
    """How many of six cards the rules deal: the only accepted beginning of them."""
    accepted = []
    for many in (4, 5, 6):
        try:
            book.settle(" ".join(six[:many]), "player=5")
        except Refused as refused:
            assert refused.code in {"too-few-cards", "too-many-cards"}
        else:
            accepted.append(many)
    assert len(accepted) == 1
    return accepted[0]


# An independent baccarat, from the names of the cards alone.


def worth(card):
    rank = card[:-1]
    return {"A": 1, "10": 0, "J": 0, "Q": 0, "K": 0}[rank] if rank in ("A", "10", "J", "Q", "K") else int(rank)


PRINTED_DRAWS = {  # Banker's two-card total: what he does on Player's third card worth 0 1 2 3 4 5 6 7 8 9
    7: "SSSSSSSSSS",
    6: "SSSSSSHHSS",
    5: "SSSSHHHHSS",
    4: "SSHHHHHHSS",
    3: "HHHHHHHHSH",
    2: "HHHHHHHHHH",
    1: "HHHHHHHHHH",
    0: "HHHHHHHHHH",
}


def plain_baccarat(six):
    """The result of a hand and how many of the six cards it takes."""
    player, banker, rest = [six[0], six[2]], [six[1], six[3]], list(six[4:])

    def total(hand):
        return sum(map(worth, hand)) % 10

    if max(total(player), total(banker)) < 8:
        on_two = total(banker)
        if total(player) < 6:
            player.append(rest.pop(0))
            draws = PRINTED_DRAWS[on_two][worth(player[2])] == "H"
        else:
            draws = on_two < 6
        if draws:
            banker.append(rest.pop(0))
    used = len(player) + len(banker)
    if total(player) == total(banker):
        return "tie", used
    if total(banker) > total(player):
        return ("dragon-7" if total(banker) == 7 and len(banker) == 3 else "banker-win"), used
    return ("panda-8" if total(player) == 8 and len(player) == 3 else "player-win"), used


@pytest.mark.parametrize("rank", SHOWN)
def test_ezb_0_points_of_every_card(rank):
    """A card beside a king, against Banker's natural 8."""
    points = dict(zip(SHOWN, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))[rank]
    steps = WASHINGTON.settle(f"{rank}s 4c Kd 4h", "player=10").steps
    assert WASHINGTON.words(steps[0]).endswith(f": {points}")
    against_eight = wins(WASHINGTON, f"{rank}s 4c Kd 4h", "player=10")["player"]
    assert against_eight == {8: 0, 9: 1000}.get(points, -1000)


@pytest.mark.parametrize(
    ("first", "second", "last_digit"),
    [("5s", "5h", 0), ("9s", "9h", 8), ("8s", "5h", 3), ("Ks", "Qh", 0), ("As", "9h", 0), ("9s", "Kh", 9), ("7s", "9h", 6)],
)
def test_ezb_0_a_total_is_the_last_digit_of_the_sum(first, second, last_digit):
    steps = WASHINGTON.settle(f"{first} 4c {second} 4h", "player=10").steps
    assert WASHINGTON.words(steps[0]).endswith(f": {last_digit}")


def test_ezb_0_king_four_seven_counts_one():
    # Player draws a 7 on King and 4: 1. Banker's 3 draws and becomes 1 or 2.
    assert wins(WASHINGTON, "Kc Kd 4h 3s 7c 8d", "tie=10") == {"tie": 8000}
    assert wins(WASHINGTON, "Kc Kd 4h 3s 7c 9d", "banker=10") == {"banker": 1000}


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("player", [6, 7])
def test_ezb_0_the_higher_total_wins(player, banker):
    cards = f"Kc {worth_card(banker, 'd')} {player}h Ks" + (" Qs" if banker <= 5 else "")
    expected = (player > banker) - (player < banker)
    assert wins(WASHINGTON, cards, "player=10,banker=10") == {"player": 1000 * expected, "banker": -1000 * expected}


def test_ezb_0_eight_or_six_decks():
    six_alike = "5c 5c 5c 5c 5c 5c"  # 0 against 0: both draw a 5
    assert wins(WASHINGTON, six_alike, "tie=1", decks=8) == {"tie": 800}
    assert wins(WASHINGTON, six_alike, "tie=1", decks=6) == {"tie": 800}
    assert WASHINGTON.edition.settings()["decks"] == 8


@pytest.mark.parametrize("decks", [1, 2, 3, 4, 5, 7, 9, 10])
def test_ezb_0_other_numbers_of_decks_are_refused(decks):
    assert refusal(WASHINGTON, "Kc Kd 7h 7s", decks=decks) in {"outside-approval", "bad-setting"}


def test_ezb_0_there_is_no_joker():
    assert refusal(WASHINGTON, "Jk Kd 7h 7s") == "card-not-in-shoe"


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5])
def test_ezb_0a_any_combination_of_the_five_wagers(many):
    for chosen in combinations(WAGERS, many):
        paid = wins(WASHINGTON, HANDS["dragon-7"], ",".join(f"{wager}=2" for wager in chosen))
        assert paid == {wager: 200 * PAYS["dragon-7"][WAGERS.index(wager)] for wager in chosen}


def test_ezb_0a_there_is_no_sixth_wager():
    assert set(WASHINGTON.edition.wagers) == set(WAGERS)
    assert refusal(WASHINGTON, "Kc Kd 7h 7s", "pair=10") == "unknown-wager"


NATURALS = [
    ("4c Kd 4h 2s", "player-win"),
    ("4c Kd 5h 2s", "player-win"),
    ("2c 4d Kh 4s", "banker-win"),
    ("2c 4d Kh 5s", "banker-win"),
    ("4c Kd 4h 9s", "banker-win"),
    ("4c 4d 5h 4s", "player-win"),
    ("4c Kd 4h 8s", "tie"),
    ("9c Kd Qh 9s", "tie"),
    ("4c Kd 4h 7s", "player-win"),
]


@pytest.mark.parametrize(("cards", "result"), NATURALS)
def test_ezb_3a_a_natural_ends_the_hand(cards, result):
    assert tuple(wins(WASHINGTON, cards).values()) == tuple(1000 * pay for pay in PAYS[result])
    assert refusal(WASHINGTON, f"{cards} 2d") == "too-many-cards"
    assert "EZB-3a" in {step.clause for step in WASHINGTON.settle(cards, "player=1").steps}


@pytest.mark.parametrize("total", range(8))
def test_ezb_3b_player_draws_on_0_to_5_and_stands_on_6_and_7(total):
    two = f"Kc Kd {worth_card(total, 'h')} 7s"  # Banker's 7 always stands
    if total <= 5:
        assert refusal(WASHINGTON, two) == "too-few-cards"
        assert wins(WASHINGTON, f"{two} Qs", "player=10") == {"player": -1000}
    else:
        assert refusal(WASHINGTON, f"{two} Qs") == "too-many-cards"
        assert wins(WASHINGTON, two, "player=10") == {"player": 0 if total == 7 else -1000}


@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("total", range(8))
def test_ezb_3c_banker_draws_on_0_to_5_when_player_stood(player, total):
    two = ["Kc", worth_card(total, "d"), f"{player}h", "Ks", "9s", "9h"]
    assert cards_used(WASHINGTON, two) == (5 if total <= 5 else 4)


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("banker", range(8))
def test_ezb_3d_banker_follows_the_printed_table(banker, third):
    """Whatever Player's two cards: only his third and Banker's two decide."""
    draws = PRINTED_DRAWS[banker][third] == "H"
    for player in range(6):
        six = ["Kc", worth_card(banker, "d"), worth_card(player, "h"), "Ks", worth_card(third, "c"), "2s"]
        assert cards_used(WASHINGTON, six) == (6 if draws else 5)


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("Kc Kd 3h 2s Qc 5s", "dragon-7"),  # 3 against a three-card 7
        ("Kc Kd 6h 2s 5s", "dragon-7"),  # Player stood
        ("Kc 3d 6h 4s", "banker-win"),  # a two-card 7 is no Dragon 7
        ("Kc Kd 3h 2s 4c 5s", "tie"),  # a three-card 7 that does not win
        ("Kc Kd 3h 5s 5c 2s", "panda-8"),  # a three-card 7 that loses to a three-card 8
        ("Kc Kd 3h 7s 5c", "panda-8"),
        ("Kc 2d 8h 5s", "player-win"),  # a natural 8 is no Panda 8
        ("Kc Kd 3h 3s 5c 5s", "tie"),  # a three-card 8 each
        ("Kc Kd 3h 3s 5c 6s", "banker-win"),  # a three-card 8 that loses to 9
        ("Kc Kd 3h 7s 6c", "player-win"),  # a three-card 9 is no Panda 8
        ("Kc Kd 3h 2s Qc 4s", "banker-win"),  # a three-card 6 is no Dragon 7
        ("Kc Kd 2h 2s 5c 5s", "tie"),
    ],
)
def test_ezb_4_names_of_the_results(cards, result):
    settlement = WASHINGTON.settle(cards, ALL_FIVE, what_if=True)
    assert tuple(payment.win_cents for payment in settlement.payments) == tuple(1000 * pay for pay in PAYS[result])
    assert "EZB-4" in {step.clause for step in settlement.steps}


def check_pays(result, clause):
    settlement = WASHINGTON.settle(HANDS[result], "player=20,banker=30,tie=5,dragon-7=1,panda-8=2")
    stakes = (2000, 3000, 500, 100, 200)
    assert [payment.wager for payment in settlement.payments] == list(WAGERS)
    assert [payment.stake_cents for payment in settlement.payments] == list(stakes)
    expected = [stake * pay for stake, pay in zip(stakes, PAYS[result], strict=True)]
    assert [payment.win_cents for payment in settlement.payments] == expected
    assert [payment.returned_cents for payment in settlement.payments] == [
        stake + win for stake, win in zip(stakes, expected, strict=True)
    ]
    assert {payment.clause for payment in settlement.payments} == {clause}
    assert settlement.win_cents == sum(expected)
    assert settlement.staked_cents == sum(stakes)


def test_ezb_5a_banker_win_pays_banker_even():
    check_pays("banker-win", "EZB-5a")


def test_ezb_5b_dragon_7_pushes_banker():
    check_pays("dragon-7", "EZB-5b")
    assert wins(WASHINGTON, HANDS["dragon-7"])["banker"] == 0
    assert wins(WASHINGTON, HANDS["dragon-7"])["dragon-7"] == 40_000


def test_ezb_5c_player_win_pays_player_even():
    check_pays("player-win", "EZB-5c")


def test_ezb_5d_panda_8_pays_panda_and_player():
    check_pays("panda-8", "EZB-5d")
    assert wins(WASHINGTON, HANDS["panda-8"])["panda-8"] == 25_000


def test_ezb_5e_tie_pushes_player_and_banker():
    check_pays("tie", "EZB-5e")
    assert wins(WASHINGTON, HANDS["tie"])["tie"] == 8000


@pytest.mark.parametrize("bet", ["1", "5", "7.77", "19.99", "20", "33.35", "123.45", "399.99", "400"])
@pytest.mark.parametrize(
    ("wager", "result"),
    [("banker", "banker-win"), ("player", "player-win"), ("tie", "tie"), ("dragon-7", "dragon-7"), ("panda-8", "panda-8")],
)
def test_ezb_6_no_commission(wager, result, bet):
    (payment,) = WASHINGTON.settle(HANDS[result], f"{wager}={bet}").payments
    cents = int(bet.replace(".", "")) if "." in bet else int(bet) * 100
    assert payment.win_cents == cents * PAYS[result][WAGERS.index(wager)]
    assert payment.rounding_cents == 0


@pytest.mark.parametrize("result", PAYS)
def test_ezc_2_pays_of_the_card_room(result):
    settlement = CARD_ROOM.settle(HANDS[result], ALL_FIVE)
    assert [payment.win_cents for payment in settlement.payments] == [1000 * pay for pay in PAYS[result]]
    assert {payment.clause for payment in settlement.payments} == {"EZC-2"}


def test_ezc_2_neither_bonus_can_push():
    for result in PAYS:
        paid = wins(CARD_ROOM, HANDS[result])
        assert paid["dragon-7"] == (40_000 if result == "dragon-7" else -1000)
        assert paid["panda-8"] == (25_000 if result == "panda-8" else -1000)


@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("banker", [6, 7])
def test_ezc_3_six_or_seven_against_six_or_seven_does_not_draw(player, banker):
    cards = f"Kc Kd {player}h {banker}s"
    expected = 500 * ((player > banker) - (player < banker))
    assert wins(CARD_ROOM, cards, "player=5") == {"player": expected}
    assert refusal(CARD_ROOM, f"{cards} 2c") == "too-many-cards"


@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("9c Kd Kh 8s", "player-win"),  # natural 9 beats natural 8
        ("8c Kd Kh 9s", "banker-win"),
        ("8c 3d Kh 4s", "player-win"),  # natural 8 against 7
        ("5c 4d Ah Ks 3c", "banker-win"),  # Player stands on 6, Banker draws on 4 and makes 7: a Dragon 7
        ("5c Kd 5h 7s Ac", "banker-win"),  # a sum of exactly ten counts 0, and draws
    ],
)
def test_ezc_3_naturals_and_totals(cards, result):
    expected = 500 if result == "player-win" else -500
    settlement = CARD_ROOM.settle(cards, "player=5")
    assert settlement.win_cents == expected
    assert {step.clause for step in settlement.steps} <= {"EZC-2", "EZC-3"}


def test_ezc_3_draws_as_washington_does():
    for banker, third in product(range(8), range(10)):
        six = ["Kc", worth_card(banker, "d"), "Qh", "Ks", worth_card(third, "c"), "2s"]
        assert cards_used(CARD_ROOM, six) == (6 if PRINTED_DRAWS[banker][third] == "H" else 5)


def test_ezc_3_eight_decks_only():
    assert refusal(CARD_ROOM, "Kc Kd 7h 7s", decks=6) == "outside-approval"
    assert wins(CARD_ROOM, "5c 5c 5c 5c 5c 5c", "tie=5") == {"tie": 4000}


ANY_CARD = st.builds("{}{}".format, st.sampled_from(SHOWN), st.sampled_from("cdhs"))
ANY_BETS = st.dictionaries(st.sampled_from(WAGERS), st.integers(500, 40_000), min_size=1)


@settings(deadline=None, max_examples=100)
@given(six=st.lists(ANY_CARD, min_size=6, max_size=6), bets=ANY_BETS, book=st.sampled_from([WASHINGTON, CARD_ROOM]))
def test_ezb_4_any_six_cards_settle_as_an_independent_baccarat_does(six, bets, book):
    result, used = plain_baccarat(six)
    assert cards_used(book, six) == used
    text = ",".join(f"{wager}={cents // 100}.{cents % 100:02}" for wager, cents in bets.items())
    settlement = book.settle(" ".join(six[:used]), text, what_if=True)
    assert sorted(payment.wager for payment in settlement.payments) == sorted(bets)
    for payment in settlement.payments:
        assert payment.stake_cents == bets[payment.wager]
        assert payment.win_cents == bets[payment.wager] * PAYS[result][WAGERS.index(payment.wager)]
    assert settlement.win_cents == sum(payment.win_cents for payment in settlement.payments)


@settings(deadline=None, max_examples=100)
@given(six=st.lists(ANY_CARD, min_size=6, max_size=6))
def test_ezb_5_the_five_wagers_tell_one_story(six):
    """At most one of Player, Banker and Tie wins; a bonus never wins without its hand; all pays are those printed."""
    paid = wins(WASHINGTON, " ".join(six[: plain_baccarat(six)[1]]))
    assert tuple(paid[wager] // 1000 for wager in WAGERS) in PAYS.values()
    assert sum(paid[wager] > 0 for wager in ("player", "banker", "tie")) <= 1
    if paid["dragon-7"] > 0:
        assert (paid["player"], paid["banker"]) == (-1000, 0)
    if paid["panda-8"] > 0:
        assert (paid["player"], paid["banker"]) == (1000, -1000)
