"""R16 and R16b, settled by hand: what becomes of a foul set, and of one that meets the barred hand."""

import pytest

import houseway
from houseway.refusal import Refused
from houseway.rulebook.words import sentence

BOOK = houseway.edition("ez-pai-gow-wa")
FOUL = "set As Ah"  # a pair of aces in front of a pair of kings
PLAYER = "As Ah Ks Kh 9s 5h 2h"
QUEEN_HIGH, KING_HIGH, ACES = "Qc 10d 9c 8h 5c 4d 3h", "Kc 10d 9c 8h 5c 4d 3h", "Ac Ad 3c 3d 9h 5s 7c"


def settled(dealer, **readings):
    return BOOK.settle(f"{PLAYER} {dealer}", "base=10,dynasty=5", FOUL, **readings)


def base(dealer, **readings):
    payment = settled(dealer, **readings).payments[0]
    return payment.outcome, payment.win_cents, payment.clause


@pytest.mark.parametrize("dealer", [KING_HIGH, ACES])
@pytest.mark.parametrize("reading", ["pushes", "loses"])
def test_r16b_says_nothing_where_the_dealer_has_another_hand(dealer, reading):
    assert base(dealer, R16="loses", R16b=reading) == ("lose", -1_000, "EPG-9")


def test_r16b_a_foul_set_pushes_or_loses_against_the_barred_hand():
    assert base(QUEEN_HIGH, R16="loses") == ("queen-high-pai-gow", 0, "EPG-0")  # the default
    assert base(QUEEN_HIGH, R16="loses", R16b="pushes") == ("queen-high-pai-gow", 0, "EPG-0")
    assert base(QUEEN_HIGH, R16="loses", R16b="loses") == ("lose", -1_000, "EPG-9")


@pytest.mark.parametrize("reading", ["pushes", "loses"])
def test_r16b_matters_only_where_a_foul_loses(reading):
    assert base(QUEEN_HIGH, R16="dealer-resets-house-way", R16b=reading)[:2] == ("queen-high-pai-gow", 0)
    with pytest.raises(Refused) as caught:
        settled(QUEEN_HIGH, R16b=reading)
    assert caught.value.code == "foul"


def test_r16b_bonus_wagers_do_not_care_how_a_hand_is_set():
    dynasty = [settled(QUEEN_HIGH, R16="loses", R16b=reading).payments[1] for reading in ("pushes", "loses")]
    assert dynasty[0] == dynasty[1]


def test_r16b_the_story_says_why():
    words = BOOK.edition.game.face.steps
    told = [sentence(words, step) for step in settled(QUEEN_HIGH, R16="loses", R16b="loses").steps]
    assert any(line.startswith("Player's set is foul: ") for line in told)
    assert any("a foul set loses before it pushes" in line for line in told)
    assert not any("the base wager pushes" in line for line in told)
    assert "A foul set loses, whatever the dealer has" in [sentence(words, step) for step in settled(ACES, R16="loses").steps]
