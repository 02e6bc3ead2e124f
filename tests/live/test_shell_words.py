"""The shell's answers are sentences: hands with what they count, whose the next card is, what a seat may do, dollars."""

import json
import re

import pytest

from houseway.table.events import EVENTS, FORM, Paid, same_events
from houseway.table.ledger import OUTSIDE, Transfer
from houseway.view.words import note_words

PYTHON = re.compile(r"\['|\{'|\", \"|None|True|False|_cents|\bcommon\b")
"""What no sentence has: lists and tables as Python writes them, and names of fields."""


@pytest.fixture
def shell(bare_shell):
    """Run a command line; its output. Nothing that it prints is a program's."""

    def run(line, code=0):
        said = bare_shell(line, code)
        if "json" not in line:
            assert not PYTHON.search(said), said
            names = [kind for kind in EVENTS if "-" in kind and re.search(rf"(?<![\w-]){kind}(?![\w-])", said)]
            assert not names, (names, said)
        return said

    run("cage fund 100000")
    for name in ("ann", "bob", "cy"):
        run(f"cage buy-in 2000 --guest {name}")
    return run


def opened(shell, edition, source="hand-keyed", more=""):
    shell(f"table open t1 --edition {edition} --opener 20000 --source {source} {more}")


def bet(shell, seat, guest, bets):
    shell(f'table bet t1 "{bets}" --guest {guest} --seat {seat}')


def test_a_deal_tells_both_hands_and_what_they_count(shell):
    opened(shell, "ez-baccarat-wa", "virtual-shoe")
    bet(shell, 1, "ann", "banker=100")
    assert shell("table no-more-bets t1").startswith("No more bets")
    said = shell("table deal t1")
    card = r"(10|[2-9JQKA])[cdhs]"
    for name in ("Player", "Banker"):
        assert re.search(rf"^{name} {card} {card}( {card})?: \d$", said, re.MULTILINE), said
    assert re.search(r"^(Player wins|Banker wins|Tie|Dragon 7|Panda 8)", said, re.MULTILINE), said
    assert "Round 1 can be settled" in said


def test_keyed_cards_are_told_and_whose_the_next_one_is(shell):
    opened(shell, "ez-baccarat-wa")
    bet(shell, 1, "ann", "player=100")
    shell("table no-more-bets t1")
    assert "The next card is for: Player, first card" in shell("table show t1")
    assert "The next card is for: Banker, first card" in shell("table card t1 3c")
    said = shell('table card t1 "4d 3h Kh"')
    assert "Player 3c 3h: 6" in said and "Banker 4d Kh: 4" in said
    assert "The next card is for: Banker, third card" in said
    shown = shell("table show t1")
    assert "The next card is for: Banker, third card" in shown and "$100 on Player" in shown
    data = json.loads(shell("table show t1 --format json"))
    assert (data["next_card"]["whose"], data["next_card"]["words"]) == ("banker", "Banker, third card")


def test_whose_the_next_card_is_where_every_seat_has_a_hand(shell):
    opened(shell, "duki-4-wa")
    bet(shell, 2, "ann", "ante=10")
    shell("table no-more-bets t1")
    assert "The next card is for: Seat 2 (up to 4 cards may be keyed at once)" in shell("table show t1")
    said = shell('table card t1 "9h 9c 6s Jd"')
    assert "Seat 2, ann: 9h 9c 6s Jd" in said and "The next card is for: Dealer" in said


def test_insurance_is_among_what_a_seat_may_do(shell):
    opened(shell, "lucky-lucky-wa")
    bet(shell, 1, "ann", "blackjack=100")
    shell("table no-more-bets t1")
    said = shell('table card t1 "10s Ah 8d 7c"')
    assert "Seat 1 may decide: look, or bet insurance up to $50" in said
    assert "Seat 1 may decide: look, or bet insurance up to $50" in shell("table show t1")
    data = json.loads(shell("table show t1 --format json"))
    assert data["to_act"]["1"] == ["look", "insurance"]
    assert data["may_bet_cents"]["1"] == {"insurance": 5000}
    assert "Seat 1, ann: $20 on Insurance" in shell("table bet t1 insurance=20 --guest ann --seat 1")
    assert "Seat 1 may decide: hit, stand" in shell("table show t1")


def test_a_card_that_lies_face_down_is_not_told(shell):
    opened(shell, "lucky-lucky-wa", "virtual-shoe")
    bet(shell, 1, "ann", "blackjack=100")
    shell("table no-more-bets t1")
    for said in (shell("table deal t1"), shell("table show t1")):
        if "may decide" in said:
            assert re.search(r"^ *Dealer \w+ and 1 card face down$", said, re.MULTILINE), said


def test_hands_without_a_wager_are_not_told_and_a_set_says_how_many_cards(shell):
    opened(shell, "ez-pai-gow-wa", "virtual-shoe")
    bet(shell, 2, "ann", "base=10")
    shell("table no-more-bets t1")
    said = shell("table deal t1")
    assert said.splitlines() == [
        "Dealer has 7 cards face down",
        "Seat 2, ann: 7 cards face down",
        "Seat 2 may decide: set with 2 cards or house-way",
    ]


def test_envy_names_the_seat_whose_hand_won_it(shell):
    opened(shell, "ez-pai-gow-wa", more="--set deal=wagered-positions")
    for seat, guest in ((2, "ann"), (5, "bob"), (6, "cy")):
        bet(shell, seat, guest, "base=10,dynasty=5")
    shell("table no-more-bets t1 --dice 6")
    four = "9s 9d 9h 9c 2c 3d 5h"
    shell(f'table card t1 "Ks Qd Jh 8c 7s 5d 3h {four} As Kd Qh 10c 7d 5s 2h Kh 10s 8d 6d 4s 2d Ac"')
    for seat in (2, 5, 6):
        shell(f"table decide t1 house-way --seat {seat}")
    said = shell("table settle t1")
    assert "other player" not in said
    for seat in (2, 6):
        assert f"seat {seat}, dynasty (envy for seat 5), four-of-a-kind, $0 pays $5" in said
    assert "envy for seat 2" not in said and "envy for seat 6" not in said


def test_a_purse_that_is_short_is_told_in_dollars(shell):
    opened(shell, "ez-baccarat-wa")
    shell("cage cash-out 1990 --guest ann")
    assert "ann's purse holds $10 and would be $90 short" in shell("table bet t1 banker=100 --guest ann --seat 1", code=2)


def test_a_whole_round_of_every_kind_of_command_reads_as_sentences(shell):
    opened(shell, "ez-baccarat-wa", more="--watch acknowledge --watch-over 100")
    bet(shell, 1, "ann", "banker=100,dragon-7=5")
    shell("table withdraw t1 dragon-7 --guest ann --seat 1")
    bet(shell, 1, "ann", "dragon-7=5")
    shell("table no-more-bets t1")
    shell('table card t1 "2s 4h 3d Kc 6h 3d"')
    shell("table correct-card t1 6 3s --reason misread")
    shell("table settle t1", code=2)
    shell("table acknowledge t1")
    shell("table settle t1")
    shell("table new-shoe t1")
    shell("cage drop t1")
    shell("table close t1")


def test_an_entry_of_0_2_that_counted_the_players_of_envy_still_holds():
    paid = Paid(2, "ann", "dynasty", "envy for seat 5", "four-of-a-kind", "EPG-3", 0, 500, 500)
    older = paid.as_data() | {"spot": "envy, other player 1"}
    assert same_events({"form": FORM, "events": [older]}, [paid])
    assert not same_events({"form": FORM, "events": [older | {"win_cents": 400}]}, [paid])
    assert not same_events({"form": FORM, "events": [paid.as_data() | {"spot": "envy for seat 6"}]}, [paid])


def test_a_note_without_words_of_its_own_has_no_list_of_a_programs():
    note = {"edition": "ours", "differences": ["a", "b"], "by": {"name": "ann"}, "again": True, "none": []}
    said = note_words("edition-added", note)
    assert said == "edition ours, differences a; b, by name ann, again yes, none none"


def test_a_value_of_a_wrong_kind_is_told_as_it_was_sent():
    from houseway.refusal import Refused
    from houseway.table.commands import COMMANDS

    limits = {"kind": "open", "table": "t", "edition": "e", "source": "s", "limits": {"banker": [1, "x"]}}
    with pytest.raises(Refused) as refused:
        COMMANDS["open"].check(limits)
    assert "'x'" in refused.value.message or '"x"' in refused.value.message
    assert "[1, '" not in refused.value.message


def test_a_transfer_is_told_in_dollars():
    assert str(Transfer("guest:ann", "wagers:t1", 12_50, "seat 1 tie")) == (
        "$12.50 from ann's purse to the wagers of t1 (seat 1 tie)"
    )
    assert str(Transfer(OUTSIDE, "cage", 100, "fund")) == "$1 from outside the house to the cage (fund)"
