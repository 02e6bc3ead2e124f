"""`houseway settle` in clear words: hands with a `/` between, the pay table, the readings that decided, and limits."""

import pytest

import houseway as hw
from houseway.refusal import Refused

DUKI = "9h 9c 6s Jd / 9s 9d 5h 8c"
SEVEN = "As Ad Kh Kc 2s 3d 4h"


# A slash separates hands


@pytest.mark.parametrize(
    ("edition", "by_hands", "as_dealt", "bets", "choices"),
    [
        ("duki-4-wa", DUKI, "9h 9c 6s Jd 9s 9d 5h 8c", "ante=10", "play"),
        ("ez-pai-gow-wa", f"{SEVEN}/9s 9d 8h 7c 2c 3c 5d", f"{SEVEN} 9s 9d 8h 7c 2c 3c 5d", "base=10", "house-way"),
        ("ez-baccarat-wa", "2s 3d 6h / 4h Kc 3s", "2s 4h 3d Kc 6h 3s", "banker=100,dragon-7=5", ""),
        ("ez-baccarat-wa", "9s Kd / 7h 3c", "9s 7h Kd 3c", "banker=100", ""),
        ("ez-baccarat-ca", "3s 3d / 4h Ac 2s", "3s 4h 3d Ac 2s", "player=100", ""),
        ("lucky-lucky-wa", "10s 8d / 9h 7c 5s", "10s 9h 8d 7c 5s", "blackjack=10,lucky-lucky=5", "stand"),
        ("lucky-lucky-wa", "5s 6d 10c / 9h 7c Ks", "5s 9h 6d 7c 10c Ks", "blackjack=10", "double"),
        ("lucky-lucky-wa", "8s 8d 3s 9h 2d / 6h 10c Ks", "8s 6h 8d 10c 3s 9h 2d Ks", "blackjack=15", "split,double,stand"),
    ],
)
def test_hands_with_a_slash_between_are_dealt_as_the_rules_deal_them(edition, by_hands, as_dealt, bets, choices):
    book = hw.edition(edition)
    assert book.settle(by_hands, bets, choices) == book.settle(as_dealt, bets, choices)


@pytest.mark.parametrize(
    ("edition", "cards", "bets", "choices", "says"),
    [
        ("duki-4-wa", "9h 9c 6s / Jd 9s 9d 5h 8c", "ante=10", "play", "player's hand has 3 cards, and 4 are dealt"),
        ("duki-4-wa", "9h 9c 6s Jd 9s / 9d 5h 8c", "ante=10", "play", "dealer's hand has 3 cards, and 4 are dealt"),
        ("duki-4-wa", "9h 9c 6s Jd 2c / 9s 9d 5h 8c", "ante=10", "play", "player's hand has 5 cards"),
        ("duki-4-wa", "9h 9c / 6s Jd / 9s 9d 5h 8c", "ante=10", "play", "3 hands, and there are 2"),
        ("duki-4-wa", "9h 9c 6s Jd 9s 9d 5h 8c /", "ante=10", "play", "dealer's hand has 0 cards"),
        ("ez-pai-gow-wa", "As Ad Kh Kc 2s 3d / 4h 9s 9d 8h 7c 2c 3c 5d", "base=10", "house-way", "player's hand has 6 cards"),
        ("ez-baccarat-wa", "9s 7h Kd / 3c", "banker=100", "", "Banker's hand has 1 cards"),
        ("ez-baccarat-wa", "9s Kd 2c / 7h 3c", "banker=100", "", "Player's hand has 3 cards, and the rules give it 2"),
        ("ez-baccarat-wa", "2s 3d / 4h Kc 3s", "banker=100", "", "Player's hand has 2 cards, and the rules give it another"),
        ("lucky-lucky-wa", "10s 8d 5s / 9h 7c", "blackjack=10", "stand", "the dealer's hand has 2 cards"),
        ("lucky-lucky-wa", "10s 8d 5s / 9h 7c 5h", "blackjack=10", "stand", "5s cannot have been dealt to it"),
        ("lucky-lucky-wa", "10s 8d / 9h", "blackjack=10", "stand", "the dealer's hand has 1 cards, and 2 are dealt"),
        ("ez-baccarat-wa", "9s Jk / 7h 3c", "banker=100", "", "Jk"),
    ],
)
def test_a_hand_with_a_card_too_many_or_too_few_is_refused(run, edition, cards, bets, choices, says):
    code, out, err = run("settle", edition, "--cards", cards, "--bets", bets, "--choices", choices)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert says in err


# The pay table and the readings that decided


def test_the_pay_table_is_named(run, data):
    pai_gow = (
        "settle",
        "ez-pai-gow-wa",
        "--cards",
        "As Ad Ac Kc Ks 3d 4h / 9s 9d 8h 7c 2c 3c 5d",
        "--bets",
        "base=10,dynasty=5",
    )
    asked = (*pai_gow, "--choices", "house-way", "--pay-table", "3")
    found = data(*asked)
    assert found["pay_tables"] == {"dynasty": "3"}
    assert {payment["wager"]: payment["pay_table"] for payment in found["payments"]} == {"base": "", "dynasty": "3"}
    assert "Dynasty Bonus is paid by pay table 3." in run(*asked)[1]
    blackjack = ("settle", "lucky-lucky-wa", "--cards", "As Kd / 9h 7c", "--bets", "blackjack=15", "--pay-table", "6:5")
    assert "Blackjack is paid by pay table 6:5." in run(*blackjack)[1]


def test_r8_is_named_where_it_decides_and_only_there(run, data):
    dealers_three = ("settle", "duki-4-wa", "--cards", "9h 9c 6s Jd / 9s 9d 5h 8d", "--bets", "ante=10", "--choices", "play")
    (decided,) = (row for row in data(*dealers_three)["readings"] if row["reading"] == "R8")
    assert (decided["value"], decided["otherwise"]) == ("ante-table", {"even-money": "$10 less for the player"})
    assert "Decided by the reading R8=ante-table" in run(*dealers_three)[1].replace("\n    ", " ")
    assert "R8" not in {row["reading"] for row in data("settle", "duki-4-wa", "--cards", DUKI, *dealers_three[4:])["readings"]}


def test_r9_and_r16_are_named_where_they_decide(data):
    wheel = data("settle", "duki-4-wa", "--cards", "Ah 2c 3s 9s / Kd Qd 2d 5d", "--bets", "duki-bonus=5")
    assert [(row["reading"], row["value"]) for row in wheel["readings"]][:1] == [("R9", "yes")]
    foul = ("settle", "ez-pai-gow-wa", "--cards", "As Ad Kh Kc 2s 3d 4h / 9s 9d 8h 7c 2c 3c 5d", "--bets", "base=10")
    lost = data(*foul, "--choices", "set As Ad", "--reading", "R16=loses")
    (decided,) = (row for row in lost["readings"] if row["reading"] == "R16")
    assert decided["otherwise"]["dealer-resets-house-way"].endswith("more for the player")
    assert decided["otherwise"]["refused"].startswith("refused, a foul")


QUEEN_HIGH = "As Ad Kh Kc 2s 3d 4h / Qs Jd 9h 8c 6c 5d 3c"
LOW_DUKI = "Ah 2c 3s Kd / 9s 9d 5h 5d"


@pytest.mark.parametrize(
    ("edition", "cards", "bets", "choices", "reading", "decided"),
    [
        ("ez-pai-gow-wa", QUEEN_HIGH, "base=10", "set As Ad", "R16=loses", ["R16", "R16b"]),
        ("ez-pai-gow-wa", QUEEN_HIGH, "base=10", "set As Ad", "R16=dealer-resets-house-way", ["R16"]),
        ("ez-pai-gow-wa", QUEEN_HIGH, "base=10", "house-way", "R16=loses", []),
        ("duki-4-wa", LOW_DUKI, "ante=10,duki-bonus=5", "play", "R8=ante-table", ["R9"]),
        ("lucky-lucky-wa", "7s 7d / 7h 7c 10h", "blackjack=10,lucky-lucky=5", "stand", "R11=yes", []),
        ("duki-4-wa", "9h 9c 6s Js / Kd Qd 2d 5d", "ante=10", "play", "R7=even-money", []),
    ],
)
def test_a_reading_is_named_if_another_value_of_it_pays_otherwise_or_would_refuse_the_foul(
    data, edition, cards, bets, choices, reading, decided
):
    asked = ("--cards", cards, "--bets", bets, "--choices", choices, "--reading", reading)
    assert [row["reading"] for row in data("settle", edition, *asked)["readings"]] == decided


def test_r6_is_named_where_envy_is_paid(data):
    envied = (
        "settle", "ez-pai-gow-wa", "--cards", "As Kd Qh 9c 7s 5d 3h Kh 10s 8c 6d 4s 2c Jk", "--bets", "base=10,dynasty=5",
        "--choices", "house-way", "--others",
    )  # fmt: skip
    (row,) = data(*envied, "Js Jh Jd Jc 2h 3c 5s")["readings"]
    assert (row["reading"], list(row["otherwise"])) == ("R6", ["other-players-with-dynasty-bet"])
    assert row["otherwise"]["other-players-with-dynasty-bet"].endswith("only if that player has bet on Dynasty Bonus")
    assert data(*envied, "2d 3d 4d 5h 8h 9h Jh")["readings"] == [], "no envy is paid"
    asked = ("--reading", "R6=other-players-with-dynasty-bet")
    assert data(*envied, "Js Jh Jd Jc 2h 3c 5s", *asked)["readings"] == [], "he has a base wager as well"


def test_a_reading_that_answers_a_question_is_told_with_it(run):
    alone = ("settle", "ez-pai-gow-wa", "--cards", "As Kd Qh 9c 7s 5d 3h", "--bets", "dynasty=5", "--reading", "R6b=yes")
    out = run(*alone)[1].replace("\n    ", " ")
    assert "Decided by the reading R6b=yes: May a bonus be bet without the base wager? Yes (no: refused, " in out


def test_readings_that_change_no_bet_do_not_decide(data):
    """R3 and R4 are about how tables are printed, R17 about how wagers are counted."""
    found = data(
        "settle", "ez-pai-gow-wa", "--cards", "As Ad Ac Kc Ks 3d 4h / 9s 9d 8h 7c 2c 3c 5d",
        "--bets", "base=10,dynasty=5", "--choices", "house-way",
    )  # fmt: skip
    assert not {"R3", "R4", "R14", "R17"} & {row["reading"] for row in found["readings"]}


# Limits


FOUR_LARGE = ("settle", "ez-pai-gow-wa", "--cards", "As Ad Kh Kc 2s 3d 4h / 9s 9d 8h 7c 2c 3c 5d", "--choices", "house-way,red")
FOUR_BETS = "base=50,dynasty=10,protection=10,red-black=10"


def test_what_the_law_refuses_at_a_table_is_refused(run):
    code, out, err = run(*FOUR_LARGE, "--bets", FOUR_BETS)
    assert (code, out) == (2, "")
    assert "WAC 230-15-040" in err and "$5" in err
    assert run(*FOUR_LARGE, "--bets", FOUR_BETS.replace("10", "5"))[0] == 0


def test_with_what_if_it_is_settled_and_marked(run, data):
    found = data(*FOUR_LARGE, "--bets", FOUR_BETS, "--what-if")
    assert any("WAC 230-15-040" in mark for mark in found["what_if"])
    out = run(*FOUR_LARGE, "--bets", FOUR_BETS, "--what-if")[1]
    assert "WHAT IF: no table would take this: " in out


def test_limits_and_settings_outside_the_approval_are_marked_with_what_if(run, data):
    hand = ("settle", "ez-baccarat-wa", "--cards", "9s Kd / 7h 3c", "--bets", "player=1000,tie=0.50", "--decks", "7")
    assert run(*hand)[0] == 2
    found = data(*hand, "--what-if")
    assert {payment["wager"]: payment["win_cents"] for payment in found["payments"]} == {"player": 100_000, "tie": -50}
    marked = "; ".join(found["what_if"])
    for words in ("decks 7", "Player: $1,000 is outside the limits", "Tie: $0.50 is outside", "WAC 230-15-140"):
        assert words in marked
    assert data(*hand[:-3], "player=100")["what_if"] == []


def test_what_if_does_not_settle_what_is_no_bet(run):
    assert (
        "did you mean banker"
        in run("settle", "ez-baccarat-wa", "--cards", "9s Kd / 7h 3c", "--bets", "bankr=9", "--what-if")[2]
    )
    alone = ("settle", "lucky-lucky-wa", "--cards", "10s 8d / 9h 7c 5s", "--bets", "lucky-lucky=5", "--what-if")
    assert "needs a Blackjack bet" in run(*alone)[2]


def test_the_api_settles_what_if_too():
    book = hw.edition("ez-baccarat-wa")
    with pytest.raises(Refused, match=r"\$400"):
        book.settle("9s Kd / 7h 3c", "player=1000")
    assert book.settle("9s Kd / 7h 3c", "player=1000", what_if=True).win_cents == 100_000


def test_envy_of_a_hand_without_a_seat_names_its_number(data):
    found = data(
        "settle", "ez-pai-gow-wa", "--cards", "As Kd Qh 9c 7s 5d 3h Kh 10s 8c 6d 4s 2c Jk", "--bets", "base=10,dynasty=5",
        "--choices", "house-way", "--others", "2d 3d 4d 5h 6h 7h 8h", "--others", "Js Jh Jd Jc 2h 3c 5s",
    )  # fmt: skip
    assert [payment["spot"] for payment in found["payments"] if not payment["stake_cents"]] == ["envy for other hand 2"]


def test_payments_are_told_by_the_names_on_the_felt(run):
    _, out, _ = run("settle", "ez-baccarat-wa", "--cards", "3c 4c / 2d 5d", "--bets", "player=100,dragon-7=10")
    rows = {line.split("  ")[0]: line.split() for line in map(str.strip, out.splitlines()) if "$" in line}
    assert rows["Dragon 7"][2:] == ["$10", "Tie", "lose", "-$10", "$0", "EZB-5e"]
    assert "dragon-7" not in out
