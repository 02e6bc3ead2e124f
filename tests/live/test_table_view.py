"""What a view says, so that no page knows a rule: the card wanted next, the chips that lie there, what a choice takes."""

import pytest
from test_table import BACCARAT, BLACKJACK, CAT, DAN, DRAGON_7, DUKI, PAI_GOW, SUE, TIE, Pit

from houseway.view import Reader, last_round, table_view

DEALER = Reader("dan", "dealer")
WAGERED = {"deal": "wagered-positions"}


def view(pit):
    return table_view(pit.floor.state, "t1", DEALER)


def seat(pit, number=1):
    return view(pit)["seats"][number - 1]


def wanted(pit):
    card = view(pit)["next_card"]
    return card and (card["whose"], card["words"], card["most"])


def dealing(folder, edition, seats=(1,), settings=None, **bets):
    pit = Pit(folder, edition, settings=settings or {})
    main = {BACCARAT: "banker", PAI_GOW: "base", BLACKJACK: "blackjack", DUKI: "ante"}[edition]
    for number in seats:
        pit.bet(number, "ann", **{main: 1_000}, **bets)
    pit.no_more_bets()
    return pit


def keyed(pit, cards):
    """Each card in turn, with what was wanted before it came."""
    asked = []
    for card in cards.split():
        asked.append(wanted(pit))
        pit.card(card)
    return asked


FIRST_FOUR = [
    ("player", "Player, first card", 4),
    ("banker", "Banker, first card", 3),
    ("player", "Player, second card", 2),
    ("banker", "Banker, second card", 1),
]


@pytest.mark.parametrize(
    ("cards", "thirds"),
    [
        ("9s 7h Kd 3c", []),  # EZB-3a
        ("2s 6h 4d Kc", []),  # EZB-3b, 3c: 6 and 6, both stand
        ("2s 2h 4d 3c 9s", ["banker"]),  # EZB-3c: Player stands on 6, Banker draws on 5
        ("2s 3h 3d 3c 9s", ["player"]),  # EZB-3d: Banker stands on 6 against a nine
        ("2s 3h 3d 3c 6s 2d", ["player", "banker"]),  # EZB-3d: and draws against a six
        (DRAGON_7, ["player", "banker"]),
    ],
)
def test_ezb_3_the_next_card_is_whose_the_rules_say(tmp_path, cards, thirds):
    pit = dealing(tmp_path, BACCARAT)
    asked = keyed(pit, cards)
    assert asked == [*FIRST_FOUR, *((who, f"{who.capitalize()}, third card", 1) for who in thirds)]
    assert wanted(pit) is None


def test_epg_7_seven_cards_are_keyed_at_once_and_seats_are_positions(tmp_path):
    pit = dealing(tmp_path, PAI_GOW, seats=(2,), settings=WAGERED)
    asked = keyed(pit, "Qs 10s 8c 6d 4h 3s 2s Ac Ad")
    assert asked == [
        *(("dealer", "Dealer", most) for most in (7, 6, 5, 4, 3, 2, 1)),
        ("2", "Position 2", 7),
        ("2", "Position 2", 6),
    ]


def test_d4p_2_four_cards_are_keyed_at_once(tmp_path):
    pit = dealing(tmp_path, DUKI, seats=(1, 3))
    assert [card[1:] for card in keyed(pit, "Qd Qh 9c 9s 5d")] == [
        *(("Seat 1", most) for most in (4, 3, 2, 1)),
        ("Seat 3", 4),
    ]


@pytest.mark.parametrize("hole", ["peek", "none"])
def test_llb_6_a_round_of_cards_is_keyed_at_once_then_each_as_it_is_drawn(tmp_path, hole):
    pit = dealing(tmp_path, BLACKJACK, seats=(1, 3), settings={"hole-card": hole})
    second = ["2s", "3h", *(["10c"] if hole == "peek" else [])]
    asked = keyed(pit, " ".join(["8s", "10h", "6h", *second]))
    names = ["Seat 1", "Seat 3", "Dealer"]
    assert [card[1:] for card in asked[:3]] == [*zip(names, (3, 2, 1), strict=True)]
    assert [card[1:] for card in asked[3:]] == [*zip(names, range(len(second), 0, -1), strict=False)]
    assert wanted(pit) is None
    pit.decide(1, "hit")
    assert wanted(pit) == ("1", "Seat 1", 1)


def test_no_card_is_wanted_where_none_is_dealt(tmp_path):
    assert wanted(Pit(tmp_path)) is None


def test_chips_are_what_lies_there_now(tmp_path):
    pit = Pit(tmp_path, BLACKJACK)
    pit.bet(1, "ann", blackjack=1_000, lucky_lucky=500)
    assert seat(pit)["chips"] == {"blackjack": 1_000, "lucky-lucky": 500}
    pit.no_more_bets()
    pit.card("8s 6h 8d Kc")
    assert seat(pit)["chips"] == {"blackjack": 1_000}  # LLB-7: Lucky Lucky is settled
    pit.decide(1, "split")
    assert seat(pit)["chips"] == {"blackjack": 2_000}
    pit.card("3c")
    pit.decide(1, "double")
    assert seat(pit)["chips"] == {"blackjack": 3_000}
    assert seat(pit)["bets"] == {"blackjack": 1_000, "lucky-lucky": 500}


def test_insurance_lies_beside_the_bet(tmp_path):
    pit = dealing(tmp_path, BLACKJACK)
    pit.card("10s Ah 9d 8c")
    pit.bet(1, "ann", insurance=500)
    assert seat(pit)["chips"] == {"blackjack": 1_000, "insurance": 500}


def test_d4p_2_the_play_bet_lies_on_a_spot_of_its_own(tmp_path):
    pit = dealing(tmp_path, DUKI)
    pit.card("Qd Qh 9c 9s 2d 3h 4s Jc")
    now = seat(pit)["choices_now"]
    assert [(choice["id"], choice["more_cents"]) for choice in now] == [("play", 1_000), ("fold", 0)]
    pit.decide(1, "play")
    assert seat(pit)["chips"] == {"ante": 1_000, "play": 1_000}


def test_a_choice_has_words_a_key_and_what_it_takes(tmp_path):
    pit = dealing(tmp_path, BLACKJACK)
    pit.card("8s 6h 8d Kc")
    now = seat(pit)["choices_now"]
    assert [choice["id"] for choice in now] == seat(pit)["to_act"] == ["hit", "stand", "double", "split"]
    assert [choice["more_cents"] for choice in now] == [0, 0, 1_000, 1_000]
    assert all(choice["words"] and len(choice["key"]) == 1 for choice in now)


def finished(pit):
    entries = [entry for entry in pit.floor.store.entries() if entry.table == "t1"]
    return last_round(pit.table, entries)


def test_of_two_hands_one_wins_and_the_round_has_a_headline(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.card("2s 9h Kd")
    assert [hand["wins"] for hand in view(pit)["dealer"]] == [None, None]
    pit.card("Jc")
    pit.do("settle")
    last = finished(pit)
    assert [(hand["owner"], hand["wins"]) for hand in last["dealer"]] == [("player", False), ("banker", True)]
    assert last["headline"] == "Banker wins"


def test_on_a_tie_no_hand_wins(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.card(TIE)
    pit.do("settle")
    assert [hand["wins"] for hand in finished(pit)["dealer"]] == [None, None]
    assert finished(pit)["headline"] == "Tie"


def test_a_keyed_result_has_a_headline_as_well(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.do("result", result="panda-8")
    pit.do("settle")
    assert finished(pit)["headline"] == "Panda 8: Player wins with a three-card 8"


def test_where_every_seat_has_its_own_hand_nothing_is_true_of_all(tmp_path):
    pit = dealing(tmp_path, DUKI)
    pit.card("Qd Qh 9c 9s 2d 3h 4s Jc")
    pit.decide(1, "play")
    pit.do("settle")
    assert finished(pit)["headline"] == ""
    assert all(hand["wins"] is None for hand in finished(pit)["dealer"])


def test_payments_have_their_facts_and_their_sentence(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.card("2s 9h Kd Jc")
    pit.do("settle")
    (paid,) = finished(pit)["payments"]
    assert paid["text"] == "Seat 1: Banker wins, $10 pays $10 (2 red)"
    assert (paid["spot"], paid["owed_cents"], paid["win_cents"]) == ("", 1_000, 1_000)
    pit.do("tip", DAN, guest="ann", cents=500)
    pit.do("fill", CAT, cents=500)


def as_it_stands(pit):
    """What the last round came to, as a guest's page adds it up: each payment, and all together."""
    (*_, end) = (entry for entry in pit.floor.store.entries() if entry.kind in {"settle", "void"})
    entries, number = pit.floor.store.round_entries("t1", end.seq), pit.table.last.number
    told = last_round(pit.table, entries, pit.floor.store.corrections("t1", number, end.seq))
    return sorted((paid["wager"], paid["win_cents"]) for paid in told["payments"] if paid["event"] == "paid")


def corrected_early(folder):
    """LLB-7: Lucky Lucky was lost at once, on a card that was keyed wrongly."""
    pit = Pit(folder, BLACKJACK)
    pit.bet(1, "ann", blackjack=2_000, lucky_lucky=500)
    pit.no_more_bets()
    pit.card("6s 9h 7s 8c")
    pit.do("correct-card", place=1, card="5s", reason="misread")  # 21: it pays 3 to 1
    return pit


def test_llb_7_a_wager_that_was_settled_early_and_again_is_told_once(tmp_path):
    pit = corrected_early(tmp_path)
    before = pit.purse("ann") + 2_000 - 1_500
    pit.decide(1, "stand")
    pit.do("settle")
    assert as_it_stands(pit) == [("blackjack", -2_000), ("lucky-lucky", 1_500)]
    assert pit.purse("ann") == before - 500
    pit.do("correct", SUE, round=1, cards="6s 9h 7s 8c", reason="it was a six")
    assert as_it_stands(pit) == [("blackjack", -2_000), ("lucky-lucky", -500)]
    assert pit.purse("ann") == before - 2_500


def test_what_was_paid_early_in_a_round_that_was_voided_is_no_payment(tmp_path):
    pit = corrected_early(tmp_path)
    pit.do("void", SUE, reason="misdeal")
    assert as_it_stands(pit) == []


def test_a_reversal_of_what_this_round_never_paid_changes_nothing(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.card("2s 9h Kd Jc")
    settled = pit.do("settle")
    correction = pit.do("correct", SUE, round=1, cards=TIE, reason="misread")
    told = last_round(pit.table, pit.floor.store.round_entries("t1", settled.seq), [correction, correction])
    assert [paid["win_cents"] for paid in told["payments"]] == [0, 0]


def test_steps_say_whose_hand_they_tell_of_and_which_cards(tmp_path):
    pit = dealing(tmp_path, BACCARAT)
    pit.card(DRAGON_7)
    steps = view(pit)["steps"]["1"]
    assert [(step["kind"], step["owner"], step["cards"]) for step in steps] == [
        ("player-has", "player", ["Ks", "2d"]),
        ("banker-has", "banker", ["2h", "3c"]),
        ("player-draws", "player", ["4h"]),
        ("banker-draws", "banker", ["2c"]),
        ("result", "", []),
    ]
    assert steps[2]["text"] == "Player draws on 2: 4h, total 6" and steps[2]["clause"] == "EZB-3b"
