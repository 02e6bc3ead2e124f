"""EZ Pai Gow, clause by clause: what the rules of play and the readings say, settled to the cent."""

import pytest

import houseway
from houseway.refusal import Refused

BOOK = houseway.edition("ez-pai-gow-wa")

WEAK = "10h 9s 7d 6s 4h 3s 2d"
STRONG = "Ac Ad As Kc Kd 8s 5c"
QUEEN_HIGH = "Qh Jd 9h 8d 6c 4s 2h"
TWO_PAIRS = "9c 9d 3c 3d Qs 8h 5s"
"""Plaza splits it: 3-3 in front, 9-9-Q-8-5 behind."""


def settled(player, dealer="", bets="base=10", choices="house-way", others=(), **settings):
    return BOOK.settle(f"{player} {dealer}", bets, choices, others, **settings)


def base(player, dealer, choices="house-way", **settings):
    (payment,) = settled(player, dealer, "base=10", choices, **settings).payments
    return payment.outcome, payment.win_cents


def bonus(wager, cards, choices="", **settings):
    """The outcome and the win in dollars of a bonus bet of a dollar, on its own."""
    (payment,) = BOOK.settle(cards, f"{wager}=1", choices, R6b="yes", **settings).payments
    return payment.outcome, payment.win_cents / 100


def refusal(*args, **settings):
    with pytest.raises(Refused) as refused:
        settled(*args, **settings)
    return refused.value


# EPG-0


@pytest.mark.parametrize("player", [WEAK, STRONG])
def test_epg_0_queen_high_pai_gow_pushes(player):
    (payment,) = settled(player, QUEEN_HIGH).payments
    assert (payment.outcome, payment.win_cents, payment.returned_cents) == ("queen-high-pai-gow", 0, 1000)
    assert payment.clause == "EPG-0"


@pytest.mark.parametrize(
    ("dealer", "outcome"),
    [
        ("Kh Jd 9h 8d 6c 5s 3h", "lose"),
        ("Jh 10d 9h 8d 6c 5s 3h", "lose"),
        ("Jk Qh Jd 8d 6c 5s 3h", "lose"),
        ("Qh Qd Jh 9d 8c 5s 3h", "lose"),
        ("Qh Jd 10c 9h 8d 5s 3h", "push"),
        ("Qh Jh 9h 8h 5h 4s 3c", "push"),
    ],
)
def test_epg_0_pairs_straights_flushes_jokers_and_other_high_cards_are_none(dealer, outcome):
    """The last two are a straight and a flush, behind 5-3 and 4-3: one hand better, an ordinary push."""
    (payment,) = settled(WEAK, dealer).payments
    assert (payment.outcome, payment.clause) == (outcome, "EPG-11")


def test_epg_0_queen_high_leaves_the_bonuses_alone():
    made = settled(WEAK, QUEEN_HIGH, "base=10,protection=2,red-black=1", "house-way,red")
    assert {p.wager: p.win_cents for p in made.payments} == {"base": 0, "protection": 5000, "red-black": 100}


def test_epg_0_player_queen_high_does_not_push():
    assert base(QUEEN_HIGH, "Ah Ad Ks Qd 9c 5c 3c") == ("lose", -1000)


# EPG-1


@pytest.mark.parametrize(
    "cards",
    [f"{WEAK} As Ad Ah Ac Ks Kd 10h", "Jk 9c 7d 6s 4h 3c 2d Jk Kd Qh Jc 9s 5c 2h"],
)
def test_epg_1_one_deck_with_one_joker(cards):
    assert refusal(cards).code == "card-not-in-shoe"


@pytest.mark.parametrize("cards", [WEAK, f"{WEAK} Ks Kd", f"{WEAK} {STRONG} Qh"])
def test_epg_1_seven_cards_each(cards):
    assert refusal(cards).code == "wrong-number-of-cards"


def test_epg_1_the_five_card_hand_must_rank_above():
    refused = refusal("As Kd 10h 9h 7d 5c 3h", TWO_PAIRS, "base=10", "set As Kd")
    assert refused.code == "foul"


def test_epg_1_joker_semi_wild_or_fully_wild():
    player = "Jk 7d Kc Kd 10s 4h 2c"
    assert base(player, TWO_PAIRS, "set Jk 7d") == ("push", 0)
    assert base(player, TWO_PAIRS, "set Jk 7d", joker="full") == ("win", 1000)


@pytest.mark.parametrize(("joker", "outcome"), [("semi", "push"), ("full", "win")])
def test_epg_1_fully_wild_joker_completes_five_of_a_kind(joker, outcome):
    """Five nines beat a straight flush; four nines with an ace do not."""
    dealer = "8s 7s 6s 5s 4s Kh Jd"
    assert base("9c 9d 9h 9s Jk Kd Qc", dealer, "set Kd Qc", joker=joker)[0] == outcome


# EPG-1a, EPG-1b


def test_epg_1a_a_front_is_a_pair_or_high_cards():
    """Suited and in sequence, K-Q is still K-Q: it loses to A-2 and to a pair of twos."""
    assert base("Kh Qh 9c 9d 6s 5d 3c", "Ks 10d 10c 7h 6c Ad 2h", "set Kh Qh")[0] == "lose"
    assert base("2c 2d 9c 9d 8s 5d 3c", "As Ks Qd Jc 8h 6h 4h", "set 2c 2d")[0] == "win"


def test_epg_1b_the_wheel_beats_a_king_high_straight_but_not_an_ace_high_one():
    wheel = "Ac 2d 3h 4s 5c Kh Kd"
    assert base(wheel, "Ks Qd Jh 10s 9c 3c 2h", "set Kh Kd") == ("win", 1000)
    assert base(wheel, "As Kc Qd Jh 10s 3c 2h", "set Kh Kd") == ("push", 0)


def test_epg_1b_the_lowest_wheel_is_outside_the_approval():
    assert refusal(WEAK, TWO_PAIRS, wheel="lowest").code == "outside-approval"


# EPG-2


def test_epg_2_the_base_wager_stands_alone():
    made = settled(STRONG, TWO_PAIRS.replace("3d", "3h"), "base=25", "set Kc Kd")
    assert [(p.wager, p.stake_cents, p.win_cents, p.returned_cents) for p in made.payments] == [("base", 2500, 2500, 5000)]


@pytest.mark.parametrize("amount", ["0.99", "400.01"])
def test_epg_2_the_base_wager_keeps_to_the_limits(amount):
    assert refusal(WEAK, TWO_PAIRS, f"base={amount}").code == "outside-limits"


# EPG-3: Dynasty

DYNASTY_HANDS = {
    "natural-wheel-aq": "As 2s 3s 4s 5s Ad Qd",
    "natural-7-card-straight-flush": "3h 4h 5h 6h 7h 8h 9h",
    "royal-flush-aq": "As Ks Qs Js 10s Ad Qd",
    "7-card-straight-flush-with-joker": "3h 4h Jk 6h 7h 8h 9h",
    "five-aces": "As Ad Ah Ac Jk 9d 8c",
    "luhn-tao-wheel": "As 2s 3s 4s 5s 9d Jc",
    "royal-flush": "As Ks Qs Js Jk 9d 8c",
    "straight-flush": "9s 8s 7s 6s 5s Kd 2c",
    "four-of-a-kind": "Ac Ad Ah Jk 9d 8c 2s",
    "full-house": "9c 9d 9h 4s 4c Kd 2h",
    "flush": "Kd Jd 9d 5d 3d 2s 2h",
    "three-of-a-kind": "7c 7d 7h Ks Jc 9d 2h",
    "straight": "9s 8d 7h 6c Jk 2s 2c",
    "three-pair": "Kc Kd 9h 9s 4c 4d 2h",
    "other": "Ac Jk 9h 9s 7c 4d 2h",
}
LOW_ROWS = {"full-house": 5, "flush": 4, "three-of-a-kind": 3, "straight": 2, "three-pair": -1, "other": -1}
HIGH_ROWS = tuple(row for row in DYNASTY_HANDS if row not in LOW_ROWS)
PAYS = {
    1: (2000, 2000, 1000, 1000, 500, 120, 120, 50, 25),
    2: (50, 5000, 1000, 750, 250, 50, 100, 50, 20),
    3: (50, 8000, 2000, 1000, 400, 50, 150, 50, 25),
    4: (50, 5000, 2000, 1000, 400, 50, 150, 50, 25),
    5: (50, 2500, 1000, 750, 250, 50, 125, 50, 25),
    6: (50, 5000, 2000, 1000, 400, 50, 150, 50, 25),
    7: (45, 5000, 1000, 500, 300, 45, 110, 45, 25),
}
ENVY = {
    1: (500, 400, 300, 200, 100, 75, 50, 20, 5),
    2: (10, 1000, 250, 100, 50, 10, 25, 10, 5),
    3: (20, 5000, 1000, 500, 250, 20, 50, 20, 5),
    4: (20, 3000, 1000, 500, 250, 20, 50, 20, 5),
    5: (20, 1000, 750, 250, 100, 20, 50, 20, 5),
    6: (25, 2500, 500, 250, 150, 25, 55, 25, 6),
    7: (25, 2500, 500, 250, 150, 25, 55, 25, 6),
}
"""Tables 2-7 have no row for the wheels: they are straight flushes there."""
WHEELS = {"natural-wheel-aq", "luhn-tao-wheel"}


@pytest.mark.parametrize("table", PAYS)
@pytest.mark.parametrize("row", DYNASTY_HANDS)
def test_epg_3_every_hand_is_paid_by_every_table(row, table):
    pays = dict(zip(HIGH_ROWS, PAYS[table], strict=True)) | LOW_ROWS
    if table == 2:
        pays["three-pair"] = 0
    named = "straight-flush" if row in WHEELS and table != 1 else row
    assert bonus("dynasty", DYNASTY_HANDS[row], pay_table=table) == (named, pays[row])


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("8h 9h 10h Jh Qh Kh Ah", "natural-7-card-straight-flush"),
        ("As 2s 3s 4s 5s 6s 7s", "natural-7-card-straight-flush"),
        ("As 2s 3s 4s 5s 6s Jk", "7-card-straight-flush-with-joker"),
        ("9s Ks Qs Js Jk As 8s", "7-card-straight-flush-with-joker"),
        ("As Ks Qs Js 10s 9s 7s", "royal-flush"),
        ("As Ks Qs Js 10s Jk Qd", "royal-flush"),
        ("As Ks Qs Js 10s Ad Qh", "royal-flush"),
        ("As Ad Ah Jk Ks Qs Js", "royal-flush"),
        ("As 2s 3s 4s Jk Ad Qd", "straight-flush"),
        ("As Ad Jk Ks Kd 7s 6s", "full-house"),
        ("9c 9d 9h 9s 4d 4c 4h", "four-of-a-kind"),
        ("9c 9d 9h 9s Jk 4c 4h", "four-of-a-kind"),
        ("9c 9d 9h 4s 4d 4c 2h", "full-house"),
        ("9c 9d 9h 4s 4d 2c 2h", "full-house"),
        ("Ac Jk Kh Ks 5c 5d 9h", "three-pair"),
        ("Ac Jk 2h 2s 3c 3d 4h", "straight"),
        ("Ac 2d 3h 4s Jk 9d 9c", "straight"),
    ],
)
def test_epg_3_the_best_row_counts(cards, row):
    assert bonus("dynasty", cards)[0] == row


def test_epg_3_dynasty_looks_at_the_player_only():
    made = settled(WEAK, "As Ks Qs Js 10s Ad Qd", "base=10,dynasty=5")
    assert [(p.wager, p.win_cents) for p in made.payments] == [("base", -1000), ("dynasty", -500)]


PLAIN = """
id = "plain"
name = "Pai gow without bonuses"
game = "ez_pai_gow"
clauses = ["EPG"]
settings = {}
approval = { on_file = false }
cards = { sources = ["hand-keyed"] }
limits = { min_cents = 100, max_cents = 10000, source = "the house" }
wagers = { base = { pays = { win = "1 to 1", push = "push", lose = "lose", queen-high-pai-gow = "push" } } }
"""


@pytest.mark.parametrize("wager", ["dynasty", "protection", "red-black"])
def test_epg_3_4_5_bonuses_are_offered_at_the_casinos_discretion(wager, tmp_path):
    file = tmp_path / "plain.toml"
    file.write_text(PLAIN)
    plain = houseway.edition(str(file))
    assert plain.settle(f"{WEAK} {QUEEN_HIGH}", "base=5", "house-way").win_cents == 0
    with pytest.raises(Refused) as refused:
        plain.settle(f"{WEAK} {TWO_PAIRS}", f"base=5,{wager}=5", "house-way,red")
    assert refused.value.code == "unknown-wager"


# EPG-3: envy


def envy(other, bets="base=5,dynasty=5", **settings):
    made = settled("Kc 10d 8h 7s 6c 3d 2s", "Qh Jd 10h 8d 7c 4h 3c", bets, others=(other,), **settings)
    return [p.win_cents / 100 for p in made.payments if p.spot]


@pytest.mark.parametrize("table", ENVY)
@pytest.mark.parametrize("row", HIGH_ROWS)
def test_epg_3_envy_pays_fixed_dollars_for_another_players_hand(row, table):
    own = "Kc 10d 8d 7c 6d 3d 2d"
    made = BOOK.settle(own, "dynasty=5", others=(DYNASTY_HANDS[row],), R6b="yes", pay_table=table)
    prizes = [(p.stake_cents, p.win_cents) for p in made.payments if p.spot]
    assert prizes == [(0, dict(zip(HIGH_ROWS, ENVY[table], strict=True))[row] * 100)]


@pytest.mark.parametrize("row", LOW_ROWS)
def test_epg_3_envy_stops_at_four_of_a_kind(row):
    made = BOOK.settle("Qc 10d 8h 6s 5c 3s 3c", "dynasty=5", others=(DYNASTY_HANDS[row],), R6b="yes")
    assert [p.wager for p in made.payments] == ["dynasty"] and not made.payments[0].spot


@pytest.mark.parametrize(("stake", "prizes"), [("4.99", []), ("5", [5]), ("100", [5])])
def test_epg_3_envy_needs_a_bet_of_five_dollars_and_does_not_grow_with_it(stake, prizes):
    assert envy("9c 9d 9h 9s Ad Kd 2d", f"base=5,dynasty={stake}") == prizes


def test_epg_3_envy_adds_up_over_the_others():
    others = ("9c 9d 9h 9s Ad Kd 2d", "5c 5d 5h 5s Ah Kh 2h", "Jh Js 4d 4c Qs As 6d")
    made = settled("Kc 10d 8h 7s 6c 3d 2s", "Qh Jd 10h 8d 7c 4h 3c", "base=5,dynasty=5", others=others, pay_table=7)
    assert [p.win_cents for p in made.payments if p.wager == "dynasty"] == [-500, 600, 600]


def test_epg_3_envy_is_not_for_ones_own_hand_nor_the_dealers():
    made = settled("9c 9d 9h 9s Ad Kd 2d", "5c 5d 5h 5s Ah Kh 2h", "base=5,dynasty=5", others=("10h 8c 7d 6s 4h 3c 2c",))
    assert [p.win_cents for p in made.payments if p.wager == "dynasty"] == [12500]


def test_epg_3_envy_is_only_for_those_who_bet_dynasty():
    assert envy("9c 9d 9h 9s Ad Kd 2d", "base=5,protection=5") == []


@pytest.mark.parametrize("other", ["Kc 9d 9h 9s Ad Kd 2d", "9c 9d 9h 9s Ad Kd", "Qh 9d 9h 9s Ad Kd 2d"])
def test_epg_3_an_other_hand_has_seven_cards_of_the_same_deck(other):
    with pytest.raises(Refused):
        envy(other)


# EPG-4: Protection

PROTECTION_HANDS = {
    "natural-a-5-straight-flush": ("Ad 2d 3d 4d 5d 5s Kc", 120),
    "nine-high-pai-gow": ("9c 8d 7h 6s 4c 3d 2h", 100),
    "ten-high-pai-gow": ("10c 8d 7h 6s 4c 3d 2h", 25),
    "jack-high-pai-gow": ("Jc 8d 7h 6s 4c 3d 2h", 15),
    "queen-high-pai-gow": (QUEEN_HIGH, 7),
    "king-high-pai-gow": ("Kc Qd Jh 10s 8c 3d 2h", 5),
    "ace-high-pai-gow": ("Ac 8d 7h 6s 4c 3d 2h", 3),
    "other": ("9c 9d 7h 6s 4c 3d 2h", -1),
}


@pytest.mark.parametrize("row", PROTECTION_HANDS)
def test_epg_4_every_hand_is_paid(row):
    cards, pays = PROTECTION_HANDS[row]
    assert bonus("protection", cards) == (row, pays)


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("Jk Qd 10h 8s 6c 4d 2h", "ace-high-pai-gow"),
        ("Jk Ad 10h 8s 6c 4d 2h", "other"),
        ("Jk Kd Jh 10s 9c 4d 2h", "other"),
        ("Jk Kd 10d 8d 7d 4s 2h", "other"),
        ("8c 7d 6h 5s 4c 3d 2h", "other"),
        ("Kc Jc 9c 7c 5c 3d 2h", "other"),
        ("Ad 2d 3d 4d Jk 9s Kc", "other"),
        ("Ad 2d 3d 4d 5d Jk Kc", "other"),
        ("Ad 2d 3d 4d 5d 6d Kc", "natural-a-5-straight-flush"),
        ("Ad 2d 3d 4d 5d Ac Qc", "natural-a-5-straight-flush"),
    ],
)
def test_epg_4_what_a_pai_gow_is(cards, row):
    assert bonus("protection", cards)[0] == row


# EPG-5: Red/Black


@pytest.mark.parametrize(
    ("cards", "row", "pays"),
    [
        ("2h 4d 6h 8d 10h Qd Ah", "seven-of-the-colour", 5),
        ("2h 4d 6h 8d 10h Qd As", "six-of-the-colour", 1),
        ("2h 4d 6h 8d 10h Qc As", "five-of-the-colour", 1),
        ("2h 4d 6h 8d 10s Qc As", "four-of-the-colour", 1),
        ("2h 4d 6h 8c 10s Qc As", "other", -1),
        ("2h 4d 6h 8d 10h Qd Jk", "six-of-the-colour", 1),
        ("2h 4d 6h 8d Jk Qc As", "four-of-the-colour", 1),
        ("2h 4d 6h Jk 10s Qc As", "other", -1),
    ],
)
def test_epg_5_cards_of_the_chosen_colour(cards, row, pays):
    assert bonus("red-black", cards, "red") == (row, pays)
    swapped = cards.translate(str.maketrans("hdsc", "schd"))
    assert bonus("red-black", swapped, "black") == (row, pays)


def test_epg_5_a_colour_must_be_chosen():
    assert refusal(WEAK, TWO_PAIRS, "base=5,red-black=5").code == "bad-choice"


# EPG-9


def test_epg_9_the_player_sets_his_own_hand():
    assert base("Ac Ad Js 10s 10c 4c 2c", TWO_PAIRS, "set 10s 10c") == ("win", 1000)
    assert base("Ac Ad Js 10s 10c 4c 2c", TWO_PAIRS, "set 4c 2c") == ("push", 0)
    assert base("8c 8d 4h 4s 10d 7c 6d", TWO_PAIRS, "set 4h 4s") == ("push", 0)
    assert base("8c 8d 4h 4s 10d 7c 6d", TWO_PAIRS, "set 10d 8c") == ("lose", -1000)


@pytest.mark.parametrize("choice", ["set 10h", "set 10h 9c 7d", "set 10h 10h", "set As Ks", "set Qh Jd", "stand", ""])
def test_epg_9_a_set_names_two_of_the_players_cards(choice):
    assert refusal(WEAK, QUEEN_HIGH, "base=10", choice).code == "bad-choice"


def test_epg_9_the_house_way_may_set_for_the_player():
    assert base("Kc Kd Ks 8d 8s 7c 6s", TWO_PAIRS, "house-way") == base("Kc Kd Ks 8d 8s 7c 6s", TWO_PAIRS, "set 8d 8s")


# EPG-10


@pytest.mark.parametrize(("way", "outcome"), [("plaza", "win"), ("mgm", "win"), ("foxwoods", "push"), ("stones", "win")])
def test_epg_10_the_dealer_sets_by_the_chosen_house_way(way, outcome):
    """Jacks and threes with an ace: only Foxwoods splits them whatever goes with them."""
    assert base("2c 2d Kc Kd Ks 8d 7c", "Jc Jd 3c 3d As Qh 9s", "set 2c 2d", house_way=way)[0] == outcome


def test_epg_10_an_unknown_house_way_is_refused():
    assert refusal(WEAK, QUEEN_HIGH, house_way="palace").code == "bad-setting"


# EPG-11


@pytest.mark.parametrize(
    ("player", "front", "outcome"),
    [
        ("Kc Kd 4h 4s 10d 7c 6d", "4h 4s", ("win", 1000)),
        ("Kc Kd Ah Js 10d 7c 6d", "Ah Js", ("push", 0)),
        ("8c 8d 4h 4s 10d 7c 6d", "4h 4s", ("push", 0)),
        ("8c 8d Ah Js 10d 7c 6d", "Ah Js", ("lose", -1000)),
        ("Kc Kd 3h 3s 10d 7c 6d", "3h 3s", ("push", 0)),
        ("9h 9s 4h 4s Qd 8c 5d", "4h 4s", ("push", 0)),
        ("9h 9s 3h 3s Qd 8c 5d", "3h 3s", ("lose", -1000)),
    ],
)
def test_epg_11_both_one_or_no_hand_better_and_the_dealer_wins_ties(player, front, outcome):
    assert base(player, TWO_PAIRS, f"set {front}") == outcome


def test_epg_11_every_win_is_paid_in_full():
    (payment,) = settled("Kc Kd 4h 4s 10d 7c 6d", TWO_PAIRS, "base=399.99").payments
    assert (payment.pays, payment.win_cents, payment.rounding_cents) == ("1 to 1", 39999, 0)


# Readings


def test_r1_royal_flush_with_suited_ace_queen_and_joker():
    cards = "As Ks Jk Js 10s Ad Qd"
    assert bonus("dynasty", cards) == ("royal-flush-aq", 1000)
    assert bonus("dynasty", cards, pay_table=3) == ("royal-flush-aq", 2000)
    assert bonus("dynasty", cards, R1="natural-only") == ("royal-flush", 120)
    assert bonus("dynasty", DYNASTY_HANDS["royal-flush-aq"], R1="natural-only") == ("royal-flush-aq", 1000)


def test_r2_luhn_tao_wheel_with_the_joker_elsewhere():
    assert bonus("dynasty", "As 2s 3s 4s 5s Jk Kd") == ("straight-flush", 50)
    assert bonus("dynasty", "As 2s 3s 4s 5s Jk Kd", R2="joker-elsewhere") == ("luhn-tao-wheel", 120)
    assert bonus("dynasty", "As 2s 3s 4s Jk 9d Kd", R2="joker-elsewhere") == ("straight-flush", 50)
    assert bonus("dynasty", "As 2s 3s 4s 5s 6s Kd") == ("luhn-tao-wheel", 120)


def test_r2b_suited_ace_to_seven_in_protection():
    assert bonus("protection", "As 2s 3s 4s 5s 6s 7s") == ("other", -1)
    assert bonus("protection", "As 2s 3s 4s 5s 6s 7s", R2b="all") == ("natural-a-5-straight-flush", 120)


@pytest.mark.parametrize("cards", ["9c 9d 9h 8s 7s 6c 5d", "Ac Ad Jk 2s 3s 4c 9d"])
def test_r5_three_of_a_kind_and_a_straight(cards):
    assert bonus("dynasty", cards) == ("three-of-a-kind", 3)
    assert bonus("dynasty", cards, R5="highest-rank") == ("straight", 2)


@pytest.mark.parametrize("bets", ["dynasty=5", "protection=5", "red-black=5"])
def test_r6b_a_bonus_needs_the_base_wager_unless_the_house_says_otherwise(bets):
    assert refusal(WEAK, "", bets, "red").code == "bad-bet"
    assert len(settled(WEAK, "", bets, "red", R6b="yes").payments) == 1


def test_r14_at_most_six_players():
    """Seven hands and the dealer's would need 56 cards; a seventh player's hand is refused even where no dealer's is shown."""
    deck = [rank + suit for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"] for suit in "cdhs"]
    hands = [" ".join(deck[start : start + 7]) for start in range(0, 49, 7)]
    assert BOOK.settle(hands[0], "dynasty=5", others=tuple(hands[1:6]), R6b="yes").payments
    with pytest.raises(Refused):
        BOOK.settle(hands[0], "dynasty=5", others=tuple(hands[1:7]), R6b="yes")


@pytest.mark.parametrize("wager", ["dynasty", "protection"])
def test_r15_published_bonus_tables_are_refused_with_a_fully_wild_joker(wager):
    refused = refusal(WEAK, QUEEN_HIGH, f"base=5,{wager}=5", joker="full")
    assert refused.code == "not-offered" and "R15" in refused.message
    assert settled(WEAK, QUEEN_HIGH, f"base=5,{wager}=5", joker="full", R15="accepted").payments


@pytest.mark.parametrize(
    ("cards", "row"),
    [
        ("9c 9d 9h 9s Jk Kd 2c", "four-of-a-kind"),
        ("9c 9d 9h Jk Qs Kd 2c", "four-of-a-kind"),
        ("9c 9d 4h 4s Jk Kd 2c", "full-house"),
        ("9c 9d Jk 4s 3h Kd Jc", "three-of-a-kind"),
        ("Ac Ad Ah As Jk Kd 2c", "five-aces"),
        ("9c 7d Jk 4s 3h Kd Qc", "other"),
    ],
)
def test_r15_dynasty_with_a_fully_wild_joker(cards, row):
    assert bonus("dynasty", cards, joker="full", R15="accepted")[0] == row


def test_r15_a_pai_gow_never_holds_a_fully_wild_joker():
    assert bonus("protection", "Jk Qd 10h 8s 6c 4d 2h", joker="full", R15="accepted")[0] == "other"


FOUL = "Kc Kd Ks 8d 8s 7c 6s", "Qh Qd 5c 5d 3h Jc 9h", "base=10", "set Kc Kd"
"""Kings in front of K-8-8: a foul. Set by the House Way, 8-8 in front of three kings, it wins."""


def test_r16_a_virtual_table_refuses_a_foul():
    assert refusal(*FOUL).code == "foul"


@pytest.mark.parametrize(("reading", "outcome"), [("dealer-resets-house-way", ("win", 1000)), ("loses", ("lose", -1000))])
def test_r16_a_foul_at_a_manual_table(reading, outcome):
    (payment,) = settled(*FOUL, R16=reading).payments
    assert (payment.outcome, payment.win_cents) == outcome
