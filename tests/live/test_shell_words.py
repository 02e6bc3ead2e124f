"""The shell's answers are sentences: hands with what they count, whose the next card is, what a seat may do, dollars."""

import json
import re

import pytest

from houseway.table.event import FORM, events_by_kind, same_events
from houseway.table.events import Paid
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
            names = [kind for kind in events_by_kind() if "-" in kind and re.search(rf"(?<![\w-]){kind}(?![\w-])", said)]
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
        assert f"Seat {seat}: Dynasty Bonus, envy for seat 5, wins (Four of a kind), a prize of $5 (1 red)" in said
    assert "envy for seat 2" not in said and "envy for seat 6" not in said


DRAGON_7 = "2s 4h 3d Kc 6h 3s"


def test_payments_are_sentences_with_the_names_of_the_edition(shell):
    opened(shell, "ez-baccarat-wa")
    bet(shell, 1, "ann", "banker=100,tie=5")
    bet(shell, 2, "bob", "dragon-7=5")
    shell("table no-more-bets t1")
    shell(f'table card t1 "{DRAGON_7}"')
    assert [line.strip() for line in shell("table settle t1").splitlines()][:3] == [
        "Seat 2: Dragon 7 wins (Banker wins with a three-card 7), $5 pays $200 (2 black)",
        "Seat 1: Banker pushes (Dragon 7: Banker wins with a three-card 7), $100 goes back",
        "Seat 1: Tie loses (Dragon 7: Banker wins with a three-card 7), $5 is taken",
    ]


def test_what_a_bank_does_not_cover_goes_back(shell):
    shell("table open t1 --edition ez-baccarat-ca --source hand-keyed")
    for seat, guest in ((1, "ann"), (2, "bob"), (3, "cy")):
        shell(f"table sit t1 --seat {seat} --guest {guest}")
    shell("table bank t1 50 --seat 1 --guest ann")
    bet(shell, 2, "bob", "dragon-7=5")
    bet(shell, 3, "cy", "dragon-7=5")
    shell("table no-more-bets t1")
    shell(f'table card t1 "{DRAGON_7}"')
    said = shell("table settle t1")
    won = "Dragon 7 wins (Banker wins with a three-card 7)"
    assert f"Seat 2: {won}, $5 pays $50 (2 green), all that the bank covers" in said
    assert f"Seat 3: {won}, $5 goes back: the bank did not cover it" in said


def test_a_bet_has_one_name(shell):
    opened(shell, "ez-pai-gow-wa")
    said = shell('table bet t1 "base=10,red-black=5" --guest ann --seat 1')
    for words in ("$10 on Base wager", "$5 on Red/Black"):
        assert words in said and words in shell("table show t1")


def test_a_bank_of_the_players_is_shown(shell):
    shell("table open t1 --edition ez-baccarat-ca --source hand-keyed --set R12=from-marker")
    assert "Nobody banks: the bank is offered to the first who sits down" in shell("table show t1")
    for seat, guest in ((1, "ann"), (2, "bob")):
        shell(f"table sit t1 --seat {seat} --guest {guest}")
    assert "Nobody banks: the bank is offered to seat 1" in shell("table show t1")
    shell("table bank t1 500 --seat 1 --guest ann")
    said = shell("table show t1")
    assert "Seat 1, ann, banks with $500; the bank is his for 2 more hands" in said
    assert "The marker is not drawn yet" in said
    bank = json.loads(shell("table show t1 --format json"))["bank"]
    assert (bank["holder"], bank["cents"], bank["hands_left"], bank["marker"]) == (1, 50_000, 2, 0)
    bet(shell, 2, "bob", "player=10")
    shell("table marker t1 --seat 2")
    assert "The marker stands at seat 2" in shell("table show t1")


def test_a_virtual_table_keys_no_cards(shell):
    opened(shell, "ez-baccarat-wa", "virtual-shoe")
    bet(shell, 1, "ann", "banker=100")
    shell("table no-more-bets t1")
    said = shell("table show t1")
    assert "The next card is for: Player, first card (from the shoe)" in said and "keyed" not in said


def test_what_is_settled_early_lies_on_the_felt_no_more(shell):
    opened(shell, "lucky-lucky-wa")
    bet(shell, 1, "ann", "blackjack=20,lucky-lucky=5")
    bet(shell, 2, "bob", "blackjack=20,lucky-lucky=5")
    shell("table no-more-bets t1")
    shell('table card t1 "7s 10d 7h 7c 4d 9s"')
    said = shell("table show t1")
    assert "Seat 1, ann: $20 on Blackjack; Lucky Lucky wins (777), $5 pays $250 (2 black, 2 green)" in said
    assert "Seat 2, bob: $20 on Blackjack; Lucky Lucky wins (21), $5 pays $15 (3 red)" in said
    data = json.loads(shell("table show t1 --format json"))
    assert data["bets"]["1"] == {"guest": "ann", "blackjack": 2_000}
    assert [(paid["seat"], paid["wager"], paid["win_cents"]) for paid in data["early_paid"]] == [
        (2, "lucky-lucky", 1_500),
        (1, "lucky-lucky", 25_000),
    ]


def test_a_refused_decision_is_told_of_insurance(shell):
    opened(shell, "lucky-lucky-wa")
    bet(shell, 1, "ann", "blackjack=100")
    bet(shell, 4, "bob", "blackjack=15")
    shell("table no-more-bets t1")
    shell('table card t1 "10s 9s Ah 8d 7d Kc"')
    said = shell("table decide t1 stand --seat 1", code=2)
    assert "(allowed: look); seat 1 may also bet insurance up to $50" in said
    shell("table decide t1 look --seat 1")
    said = shell("table decide t1 stand --seat 1", code=2)
    assert "to act: seat 4 (look); seat 4 may also bet insurance up to $7.50" in said


def test_insurance_that_ends_the_decisions_tells_how_the_round_stands(shell):
    opened(shell, "lucky-lucky-wa")
    bet(shell, 4, "bob", "blackjack=15")
    shell("table no-more-bets t1")
    shell('table card t1 "9s Ah 7d Kc"')
    said = shell("table bet t1 insurance=7.50 --guest bob --seat 4").splitlines()
    assert said[0] == "Seat 4, bob: $7.50 on Insurance"
    assert "Dealer Ah Kc: blackjack" in said and said[-1] == "Round 1 can be settled"


def test_several_bets_for_the_dealer_are_placed_all_or_none(shell):
    opened(shell, "duki-4-wa", more="--set dealer-bets=allowed --set dealer-bet-wins=dealers")
    bet(shell, 1, "ann", "ante=10,duki-bonus=5")
    assert shell("table bet t1 ante=5,duki-bonus=2 --guest ann --seat 1 --for-dealer").splitlines() == [
        "Seat 1, ann: $5 on Ante for the dealer",
        "Seat 1, ann: $2 on Duki Bonus for the dealer",
    ]
    bet(shell, 2, "bob", "ante=10")
    assert "bet Duki Bonus first" in shell("table bet t1 ante=5,duki-bonus=2 --guest bob --seat 2 --for-dealer", code=2)
    data = json.loads(shell("table show t1 --format json"))
    assert data["for_dealer"] == {"1": {"ante": 500, "duki-bonus": 200}}
    balances = json.loads(shell("cage balances --format json"))
    assert (balances["guest:ann"], balances["guest:bob"]) == (200_000 - 2_200, 200_000 - 1_000)


def test_refusals_name_what_the_shell_has(shell):
    lucky = "table open t1 --edition lucky-lucky-wa --opener 1000"
    assert "houseway: --cut: 5 is not a whole number from 10 to 100" in shell(f"{lucky} --cut=5", code=2)
    assert "'--cut': a whole number is required" in shell(f"{lucky} --cut=abc", code=2)
    shell("board open b1 --edition ez-baccarat-wa")
    assert "houseway: HAND is missing: the hand as its road has it" in shell('board hand b1 ""', code=2)
    opened(shell, "ez-pai-gow-wa")
    bet(shell, 1, "ann", "base=10")
    assert "the dice are not keyed: a number from 1 to 7 is thrown" in shell("table no-more-bets t1", code=2)
    assert "dice 9: a number from 1 to 7 is thrown" in shell("table no-more-bets t1 --dice 9", code=2)


def test_a_bank_is_told_how_many_hands_are_left_to_another(shell):
    shell("table open t1 --edition ez-baccarat-ca --source hand-keyed")
    for seat, guest in ((1, "ann"), (2, "bob")):
        shell(f"table sit t1 --seat {seat} --guest {guest}")
    shell("table bank t1 500 --seat 1 --guest ann")
    assert "seat 1 banks for 2 more hands" in shell("table bank t1 500 --seat 2 --guest bob", code=2)
    bet(shell, 2, "bob", "player=10")
    shell("table no-more-bets t1")
    shell(f'table card t1 "{DRAGON_7}"')
    shell("table settle t1")
    assert "seat 1 banks for 1 more hand\n" in shell("table bank t1 500 --seat 2 --guest bob", code=2)


def test_lucky_lucky_needs_its_blackjack_bet_by_llb_1(shell):
    opened(shell, "lucky-lucky-wa")
    bet(shell, 1, "ann", "lucky-lucky=5")
    said = shell("table no-more-bets t1", code=2)
    assert "Lucky Lucky needs a Blackjack bet beside it (LLB-1, R6b)" in said


@pytest.mark.parametrize("line", ["table show t1", "table withdraw t1 banker --guest ann --seat 1", "cage balances"])
def test_the_floor_has_no_csv(shell, line):
    opened(shell, "ez-baccarat-wa")
    bet(shell, 1, "ann", "banker=100")
    said = shell(f"{line} --format csv", code=2)
    assert said.startswith("houseway: Invalid value for '--format': 'csv' is not one of 'table', 'json'")
    assert len(said.splitlines()) == 1


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


def test_a_collection_that_is_too_high_is_refused_in_dollars(shell):
    said = shell("table open t1 --edition ez-baccarat-ca --source hand-keyed --player-fee 2000", code=2)
    assert "$2,000 is not an amount from $0 to $100" in said


def test_what_must_be_acknowledged_is_named_as_on_the_felt(shell):
    shell("cage fund 100000")
    shell("table open t1 --edition ez-baccarat-wa --source hand-keyed --opener 9000 --watch acknowledge --watch-over 100")
    bet(shell, 1, "ann", "banker=100,dragon-7=5")
    shell("table no-more-bets t1")
    shell('table card t1 "Ks 2s Qs 3s 4d 2h"')
    said = shell("table settle t1", code=2)
    assert "a supervisor must acknowledge seat 1's Dragon 7 of $200 before it is paid" in said


# Closed tables and other rounds


def settled_hand(shell, cards="2s 9h Kd Jc"):
    bet(shell, 1, "ann", "banker=10")
    shell("table no-more-bets t1")
    shell(f'table card t1 "{cards}"')
    shell("table settle t1")


def test_a_closed_table_says_that_it_is_closed(shell):
    opened(shell, "ez-baccarat-wa")
    settled_hand(shell)
    shell("table close t1")
    said = shell("table show t1")
    assert re.fullmatch(r"t1: .*, closed on \d{4}-\d\d-\d\d after 1 round\n", said), said
    said = shell("table void t1 --round 1 --reason misdeal", code=2)
    assert "t1 is closed: open it to play; a round that it settled today can still be corrected" in said
    assert json.loads(shell("table show t1 --format json"))["is_open"] is False


def test_a_correction_names_the_round_and_its_corrections_truly(shell):
    opened(shell, "ez-baccarat-wa")
    settled_hand(shell)
    for number in (0, -1):
        said = shell(f"table correct t1 --round {number} --void --reason why", code=2)
        assert f"there is no round {number}: a table counts its rounds from 1" in said
    said = shell("table correct t1 --round 1 --void --reason why --again 1", code=2)
    assert "round 1 was not corrected yet: give no number of corrections seen (--again)" in said
    shell("table correct t1 --round 1 --void --reason why")
    said = shell('table correct t1 --round 1 --cards "9s 2h Kd Kc" --reason why', code=2)
    assert "corrected 1 time already: look at how it stands now, and say that you have seen that (--again 1)" in said
    said = shell("table correct t1 --round 1 --bets 4:banker=10 --reason why --again 1", code=2)
    assert "say whose it was (--guests)" in said


@pytest.mark.parametrize(
    ("edition", "bets", "cards", "wanted"),
    [
        ("ez-baccarat-wa", "banker=10", "2s 9h Kd Jc", "Banker, second card"),
        ("duki-4-wa", "duki-bonus=5", "2s 5h 9d Kc 3c 4d 8s Jh", "Dealer"),
        ("lucky-lucky-wa", "blackjack=10", "10s 5h Ad 10c", "Dealer"),
    ],
)
def test_a_missing_card_is_named_as_the_table_names_it(shell, edition, bets, cards, wanted):
    opened(shell, edition)
    bet(shell, 1, "ann", bets)
    shell("table no-more-bets t1")
    shell(f'table card t1 "{cards}"')
    shell("table settle t1")
    cards = cards.rpartition(" ")[0]
    assert f"a card is missing: {wanted};" in shell(f'table correct t1 --round 1 --cards "{cards}" --reason why', code=2)


# Phases, wagers, accounts and amounts


def test_a_refusal_says_how_the_round_stands_and_when_it_comes(shell):
    opened(shell, "ez-baccarat-wa")
    assert "bets are open in round 1: this comes when all cards are there" in shell("table settle t1", code=2)
    said = shell("table swap-cards t1 1 2 --reason why", code=2)
    assert "bets are open in round 1: this comes between no more bets and the settlement" in said
    bet(shell, 1, "ann", "banker=10")
    shell("table no-more-bets t1")
    assert "round 1 is being dealt: this comes while bets are open" in shell("table bet t1 tie=5 --guest ann --seat 1", code=2)


def test_separate_games_are_named_as_the_felt_does(shell):
    opened(shell, "ez-baccarat-wa")
    said = shell("table bet t1 banker=10,tie=10,dragon-7=10,panda-8=10 --guest ann --seat 1", code=2)
    assert "Banker, Dragon 7, Panda 8, Tie are 4 separate games" in said


def test_balances_are_of_somebody_or_something(shell):
    opened(shell, "ez-baccarat-wa")
    bet(shell, 1, "ann", "banker=10")
    said = shell("cage balances")
    for line in (r"^ann's purse +\$1,990$", r"^the wagers of t1 +\$10$"):
        assert re.search(line, said, re.MULTILINE), said
    assert json.loads(shell("cage balances --format json"))["guest:ann"] == 199_000


def test_readings_name_wagers(shell):
    assert re.search(r"\[Ante -?\d", said := shell("readings duki-4-wa")) and "[ante " not in said, said


def test_rounding_is_in_dollars(shell):
    said = shell('settle lucky-lucky-wa --cards "As 5d Kh 9d" --bets blackjack=5.25 --what-if', code=0)
    assert re.search(r"\(\$0\.\d{3} of it rounding\)", said), said


def test_a_bonus_that_a_fold_gave_up_says_so(shell):
    opened(shell, "duki-4-wa")
    bet(shell, 1, "ann", "ante=10,duki-bonus=5")
    shell("table no-more-bets t1")
    shell('table card t1 "7s 8h 9c 10d 2s 3h 4d 9h"')
    shell("table decide t1 fold --seat 1")
    said = shell("table settle t1")
    assert "Duki Bonus loses (Forfeited by the fold), $5 is taken" in said and "All other" not in said
    said = shell('settle duki-4-wa --cards "7s 8h 9c 10d" --bets ante=10,duki-bonus=5 --choices fold')
    assert "Forfeited by the fold" in said and "All other" not in said


# Commands that put things right


def test_after_a_keyed_result_there_is_no_card_to_correct(shell):
    opened(shell, "ez-baccarat-wa")
    bet(shell, 1, "ann", "banker=10")
    shell("table no-more-bets t1")
    assert "place 1: no card is keyed yet in round 1" in shell("table swap-cards t1 1 2 --reason why", code=2)
    shell("table result t1 tie")
    assert "place 1: a result was keyed, and no card in round 1" in shell("table swap-cards t1 1 2 --reason why", code=2)


def test_a_decision_that_is_keyed_again_is_told(shell):
    opened(shell, "duki-4-wa")
    bet(shell, 1, "ann", "ante=10")
    shell("table no-more-bets t1")
    shell('table card t1 "7s 8h 9c 10d 2s 3h 4d 9h"')
    shell("table decide t1 play --seat 1")
    said = shell('table rekey t1 "7s 8h 9c 10d 2s 3h 4d 9h" --choices 1:fold --reason why')
    assert "Seat 1 really decided: fold (keyed before: play)" in said


def test_a_reason_is_asked_for_and_its_length_is_said(shell, bare_shell):
    opened(shell, "ez-baccarat-wa")
    assert re.search(r"--reason .*\[required\]", bare_shell("table correct-card --help", 0))
    said = shell(f"table dispute t1 --reason {'x' * 401}", code=2)
    assert "is not a printable text of at most 400 characters" in said
