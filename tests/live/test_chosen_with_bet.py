"""EPG-6: the colour of Red/Black is a part of the wager. It can be put right, is never lost unsaid, and is named."""

import pytest
from test_correct import WHY
from test_mend import attempted
from test_table import DAN, SUE, Pit, events

from houseway.view import ANYBODY
from houseway.view.table import round_on_felt
from houseway.view.told import bets_told, told
from houseway.view.words import event_words

PAI_GOW = "ez-pai-gow-wa"
SEVEN, DEALERS = "As Ks Kc 9s 8s 2s 2c", "9h 9d 9c 8h 4d 5c 6s"


@pytest.fixture
def pit(tmp_path):
    pit = Pit(tmp_path, PAI_GOW, settings={"deal": "wagered-positions"})
    pit.bet(2, "bob", base=1_000, red_black=500)
    pit.decide(2, "black")
    pit.do("no-more-bets", dice=2)
    return pit


def colour(pit):
    return pit.table.round.spots[2].choices


def change(pit, cents, **chosen):
    return pit.do("change-bet", SUE, seat=2, wager="red-black", stake_cents=cents, reason=WHY, **chosen)


def test_the_colour_can_be_undone_before_the_cards_and_is_then_as_the_table_has_it(pit):
    entry = pit.do("undo", seat=2, reason=WHY)
    assert colour(pit) == ("red",)
    assert [event_words(event) for event in entry.data["events"]] == [
        f"Seat 2 decides again (black is taken back): {WHY}",
        "Seat 2, bob: Red Black is on red, not black",
    ]
    pit.check()


def test_undo_says_truly_why_the_colour_stays(pit):
    pit.do("undo", seat=2, reason=WHY)
    assert "red with its Red/Black, as the table has it" in attempted(pit, "undo", DAN, seat=2, reason=WHY).message
    change(pit, 500, chosen="black")
    pit.do("card", cards=SEVEN)
    assert attempted(pit, "undo", DAN, seat=2, reason=WHY).code == "card-followed"


@pytest.mark.parametrize("cards", ["", SEVEN, f"{SEVEN} {DEALERS}"], ids=["no card", "own cards", "all cards"])
def test_a_supervisor_puts_the_colour_right_whatever_cards_lie(pit, cards):
    if cards:
        pit.do("card", cards=cards)
    entry = change(pit, 500, chosen="red")
    assert colour(pit) == ("red",) and [event["choice"] for event in events(entry, "chosen-with-bet")] == ["red"]
    assert attempted(pit, "change-bet", SUE, seat=2, wager="red-black", stake_cents=500, chosen="red", reason=WHY).code == (
        "nothing-changes"
    )
    pit.check()


def test_another_stake_keeps_the_colour(pit):
    change(pit, 1_000)
    assert colour(pit) == ("black",)


def test_a_wager_that_comes_back_says_on_which_colour(pit):
    change(pit, 0)
    entry = change(pit, 500)
    assert [event_words(event) for event in events(entry, "chosen-with-bet")] == ["Seat 2, bob: Red Black is on red"]
    change(pit, 0)
    change(pit, 500, chosen="black")
    assert colour(pit) == ("black",)
    pit.check()


@pytest.mark.parametrize(("wager", "chosen", "code"), [("red-black", "blue", "unknown-choice"), ("base", "red", "bad-choice")])
def test_what_cannot_be_chosen_is_refused(pit, wager, chosen, code):
    fields = {"seat": 2, "wager": wager, "stake_cents": 1_500, "chosen": chosen, "reason": WHY}
    assert attempted(pit, "change-bet", SUE, **fields).code == code


def test_show_and_settle_name_the_colour(pit):
    assert "$5 on Red/Black on black" in next(bets_told(pit.table, round_on_felt(pit.table, ANYBODY)))
    pit.do("card", cards=f"{SEVEN} {DEALERS}")
    pit.decide(2, "house-way")
    settled = pit.do("settle")
    said = list(told(pit.floor.state, settled, ANYBODY))
    assert any("Red/Black on black wins" in line for line in said), said
