"""Whoever confirms a request is told in words all that he confirms; of cards that lie face down only if he keys them."""

import json

import pytest
from test_table import BACCARAT, BLACKJACK, DUKI, SUE, Pit, events

from houseway.table.state import PendingRequest
from houseway.view.duties import request_words
from houseway.view.happened import happened
from houseway.view.reader import Reader
from houseway.view.told import told
from houseway.view.words import edition_of_entry

SAM, AUD = Reader("sam", "supervisor"), Reader("aud", "auditor")


def asked(pit, kind, reader=SAM, **fields):
    command = json.dumps({"kind": kind, "table": "t1", "reason": "the film was seen", **fields})
    request = PendingRequest(7, kind, command, "t1", 0, "sue", "supervisor", "", "", ("supervisor",))
    return request_words(pit.floor.state, request, reader)


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ({"cards": "9s 2h 10s 3h"}, "the cards were 9s 2h 10s 3h"),
        ({"result": "dragon-7"}, "the result was Dragon 7"),
        ({"seat_bets": {"1": [["dragon-7", 500], ["tie", 1_000]]}}, "seat 1 bet $5 on Dragon 7 and $10 on Tie"),
        ({"seat_bets": {"2": []}}, "seat 2 bet nothing"),
        ({"guests": {"1": "bob"}}, "the bets at seat 1 were bob's"),
        ({"void": True}, "all wagers go back"),
    ],
)
def test_a_correction_is_told_with_what_it_makes_true(tmp_path, truth, words):
    assert asked(Pit(tmp_path), "correct", round=1, **truth) == (
        f"Correct a settled round: t1, round 1, {words}, the film was seen"
    )


def test_bets_for_the_dealers_choices_and_stakes_are_told(tmp_path):
    pit = Pit(tmp_path, DUKI)
    said = asked(pit, "correct", round=1, dealer_bets={"1": [["duki-bonus", 500]]}, choices={"1": ["play"]})
    assert "seat 1 bet $5 on Duki Bonus for the dealers, seat 1 decided play" in said
    assert asked(pit, "change-bet", seat=1, wager="duki-bonus", stake_cents=700) == (
        "Change a wager after no more bets: t1, seat 1, Duki Bonus, really $7, the film was seen"
    )


def test_cards_of_a_live_round_are_told_to_whoever_keys_them(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=1_000)
    pit.no_more_bets()
    assert "card 2 is 9h" in asked(pit, "correct-card", AUD, place=2, card="9h")
    pit.card("10s 5h 9d 8c")  # the dealer's second card lies face down
    for kind, fields, words in (
        ("correct-card", {"place": 4, "card": "9h"}, "card 4 is 9h"),
        ("swap-cards", {"place": 2, "other_place": 4}, "cards 2 and 4 change places"),
        ("rekey", {"cards": "10s 5h 9d 9c"}, "the cards were 10s 5h 9d 9c"),
    ):
        assert words in asked(pit, kind, **fields)
        assert words not in asked(pit, kind, AUD, **fields)


def test_a_correction_is_told_with_the_names_of_the_game_that_was_played(tmp_path):
    pit = Pit(tmp_path, BACCARAT)
    pit.bet(1, "ann", tie=1_000)
    pit.no_more_bets()
    pit.card("9s 9h Kd Kc")
    pit.do("settle")
    pit.do("close", SUE)
    pit.do("open", SUE, edition=BLACKJACK, source="hand-keyed", opener_cents=1_000_000)
    entry = pit.do("correct", SUE, round=1, cards="9s 2h Kd Kc", reason="misread")
    assert events(entry, "paid-again")
    said = [*told(pit.floor.state, entry, SAM)]
    said += [event["text"] for event in happened(entry, edition_of_entry(pit.floor.state, entry))]
    lost = [line for line in said if "Tie loses" in line]
    assert len(lost) == 2 and all("(Player wins)" in line for line in lost), said
