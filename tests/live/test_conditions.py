"""Conditions of the approvals, and procedures that are equipment: each is in force, or shown to those it concerns."""

import sys
from datetime import UTC, datetime

import pytest

from houseway.approval import badge
from houseway.cli.main import main
from houseway.games import edition_files, open_edition
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.view.reader import ANYBODY
from houseway.view.table import table_view
from houseway.view.words import event_words

DEALER, SUPERVISOR = Actor("dan", "dealer"), Actor("sue", "supervisor")


def shown(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["houseway", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    return capsys.readouterr().out


def open_floor(folder, edition, day="2026-11-15", **opening):
    clock = datetime.fromisoformat(f"{day}T18:00:00").replace(tzinfo=UTC)
    floor = Floor(Store(f"sqlite:///{folder / 'house.db'}"), folder / "house.key", clock=lambda: clock)
    floor.do({"kind": "fund", "cents": 10_000_000}, Actor("root", "administrator"))
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 1_000_000}, Actor("cat", "cashier"))
    command = {"kind": "open", "table": "t1", "edition": edition, "source": "hand-keyed", "opener_cents": 1_000_000}
    floor.do(command | opening, SUPERVISOR)
    return floor


def bet(floor, wager, cents, **more):
    command = {"kind": "bet", "table": "t1", "seat": 1, "guest": "ann", "wager": wager, "cents": cents}
    return floor.do(command | more, DEALER)


@pytest.mark.parametrize("edition", ["ez-baccarat-wa", "lucky-lucky-wa"])
def test_ezb_0b_limits_are_shown_to_the_players(monkeypatch, capsys, edition):
    assert "$1 to $400" in shown(monkeypatch, capsys, "rules", edition)


def test_llb_3_lucky_lucky_has_limits_of_its_own(tmp_path):
    floor = open_floor(tmp_path, "lucky-lucky-wa", limits={"lucky-lucky": [500, 2_500]})
    bet(floor, "blackjack", 10_000)
    with pytest.raises(Refused, match="outside this table's \\$5 to \\$25"):
        bet(floor, "lucky-lucky", 5_000)
    assert bet(floor, "lucky-lucky", 2_500).data["events"][0]["cents"] == 2_500


def test_llb_2_the_layout_has_a_spot_near_the_main_bet(monkeypatch, capsys):
    assert "layout, LLB-2: each position has a Lucky Lucky spot" in shown(monkeypatch, capsys, "rules", "lucky-lucky-wa")


def test_d4p_13_the_layout_names_positions_spots_and_equipment(monkeypatch, capsys):
    assert "three spots each (Ante, Play, Bonus)" in shown(monkeypatch, capsys, "rules", "duki-4-wa")


def test_ezb_2_house_rules_say_who_draws(tmp_path):
    floor = open_floor(tmp_path, "ez-baccarat-wa", settings={"drawer": "players"})
    assert floor.state.tables["t1"].settings["drawer"] == "players"
    with pytest.raises(Refused, match="possible: dealer, players"):
        floor.do(
            {"kind": "open", "table": "t2", "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100}
            | {"settings": {"drawer": "anybody"}},
            SUPERVISOR,
        )


def drawn_hand(floor, *seats, cards="9s 2h Kd 3c"):
    """A hand with bets at these seats: the seat told to draw, and what the view says of it."""
    for seat in seats:
        bet = {"seat": seat, "guest": f"g{seat}", "wager": "player", "cents": 1_000}
        floor.do({"kind": "bet", "table": "t1", **bet}, DEALER)
    before = table_view(floor.state, "t1", ANYBODY)["drawer"]
    closed = floor.do({"kind": "no-more-bets", "table": "t1"}, DEALER)
    told = [(event["seat"], event["guest"]) for event in closed.data["events"] if event["event"] == "to-draw"]
    assert before == table_view(floor.state, "t1", ANYBODY)["drawer"] == (told[0][0] if told else 0)
    if cards:
        floor.do({"kind": "card", "table": "t1", "cards": cards}, DEALER)
        floor.do({"kind": "settle", "table": "t1"}, DEALER)
    return told


def test_ezb_2_players_draw_in_turn_clockwise_and_the_table_says_who(tmp_path):
    floor = open_floor(tmp_path, "ez-baccarat-wa", settings={"drawer": "players"})
    for seat in (1, 2, 3):
        floor.do({"kind": "buy-in", "guest": f"g{seat}", "cents": 50_000}, Actor("cat", "cashier"))
    assert drawn_hand(floor, 1, 2, 3) == [(1, "g1")]
    assert drawn_hand(floor, 1, 3) == [(3, "g3")], "only who has a wager draws: seat 2 has none"
    assert drawn_hand(floor, 1, 2, 3) == [(1, "g1")]
    assert drawn_hand(floor, 1, 2, 3, cards="") == [(2, "g2")]
    floor.do({"kind": "void", "table": "t1", "reason": "misdeal"}, SUPERVISOR)
    assert drawn_hand(floor, 1, 2, 3) == [(2, "g2")], "the deal itself passes the turn on, and there was none"
    assert drawn_hand(floor, 1, 2, 3) == [(3, "g3")]
    assert "Seat 3, g3, draws the cards" in event_words({"event": "to-draw", "seat": 3, "guest": "g3"})


def test_ezb_2_where_the_dealer_draws_nobody_is_told_to(tmp_path):
    floor = open_floor(tmp_path, "ez-baccarat-wa")
    floor.do({"kind": "buy-in", "guest": "g1", "cents": 50_000}, Actor("cat", "cashier"))
    assert drawn_hand(floor, 1) == []


@pytest.mark.parametrize(
    ("edition", "condition"),
    [
        pytest.param("ez-baccarat-wa", "EZB-L2", id="test_ezb_l2_"),
        pytest.param("ez-pai-gow-wa", "EPG-L1", id="test_epg_l1_"),
        pytest.param("ez-pai-gow-wa", "EPG-13", id="test_epg_13_"),
        pytest.param("lucky-lucky-wa", "LLB-L1", id="test_llb_l1_"),
        pytest.param("duki-4-wa", "D4P-L1", id="test_d4p_l1_"),
    ],
)
def test_conditions_are_part_of_the_edition_and_can_be_read(monkeypatch, capsys, edition, condition):
    assert condition in open_edition(edition).approval.conditions
    text = open_edition(edition).clauses()[condition].text
    assert text.split()[0] in shown(monkeypatch, capsys, "rules", edition, "--clause", condition)


def test_ezb_l2_play_is_under_the_submitted_rules(tmp_path):
    told = open_floor(tmp_path, "ez-baccarat-wa").store.entries()
    opened = next(entry for entry in told if entry.kind == "open").data["edition"]
    assert opened["rules"] == badge(open_edition("ez-baccarat-wa")).rules
    assert opened["behaviour"] == badge(open_edition("ez-baccarat-wa")).behaviour


def test_ezb_l3_a_modified_edition_loses_its_approval(tmp_path):
    ours = edition_files()["ez-baccarat-wa"].read_text().replace('"40 to 1"', '"41 to 1"')
    (tmp_path / "ours.toml").write_text(ours)
    modified = open_edition(str(tmp_path / "ours.toml"))
    assert badge(modified).differences == ("wagers.dragon-7.pays.dragon-7: 40 to 1 as approved, 41 to 1 now",)
    assert badge(modified).status == "modified"


@pytest.mark.parametrize(("day", "most"), [("2005-06-01", 10_000), ("2012-06-01", 30_000), ("2024-01-01", 40_000)])
def test_ezb_l4_the_limit_of_a_wager_is_that_of_the_day(tmp_path, day, most):
    floor = open_floor(tmp_path, "ez-baccarat-wa", day)
    assert bet(floor, "banker", most).data["events"][0]["cents"] == most
    with pytest.raises(Refused):
        bet(floor, "banker", most + 100)


def test_epg_l2_a_fourth_game_takes_no_more_than_five_dollars(tmp_path):
    floor = open_floor(tmp_path, "ez-pai-gow-wa")
    for wager in ("base", "dynasty", "protection"):
        bet(floor, wager, 1_000)
    with pytest.raises(Refused, match="no more than 3 may take wagers above \\$5"):
        bet(floor, "red-black", 1_000)
    assert bet(floor, "red-black", 500).data["events"][0]["cents"] == 500


def test_epg_l1_only_the_editions_pay_tables_are_offered(tmp_path):
    with pytest.raises(Refused, match="possible: 1, 2, 3, 4, 5, 6, 7"):
        open_floor(tmp_path, "ez-pai-gow-wa", settings={"pay-table": "8"})


def test_epg_13_the_approved_equipment_is_named():
    assert "EZ Trak Pai Gow System version 1.0" in open_edition("ez-pai-gow-wa").clauses()["EPG-13"].text


def test_llb_l1_the_limits_of_the_law_hold_for_lucky_lucky_too(tmp_path):
    floor = open_floor(tmp_path, "lucky-lucky-wa", "2012-06-01")
    with pytest.raises(Refused, match="WAC 230-15-140"):
        bet(floor, "blackjack", 40_000)


def test_d4p_l1_the_limits_of_the_law_hold_for_duki_too(tmp_path):
    floor = open_floor(tmp_path, "duki-4-wa", "2007-12-01")
    with pytest.raises(Refused, match="WAC 230-15-140"):
        bet(floor, "ante", 20_000)


def test_d4p_11_bets_for_the_dealer_are_not_allowed_unless_the_house_says_so(tmp_path):
    floor = open_floor(tmp_path, "duki-4-wa")
    with pytest.raises(Refused, match="D4P-11"):
        bet(floor, "ante", 1_000, for_dealer=True)


def test_d4p_12_two_decks_of_different_backs_alternate(tmp_path):
    floor = open_floor(tmp_path, "duki-4-wa", source="shuffler")
    backs = []
    for _ in range(3):
        bet(floor, "duki-bonus", 500)
        backs.append(floor.do({"kind": "no-more-bets", "table": "t1"}, DEALER).data["events"][0]["deck"])
        floor.do({"kind": "void", "table": "t1", "reason": "misdeal"}, SUPERVISOR)
    assert backs == ["blue", "red", "blue"]


@pytest.mark.parametrize(
    ("source", "clause"), [("shuffler", "D4P-14d"), ("hand-keyed", "house rules"), ("virtual-shoe", "house rules")]
)
def test_d4p_14e_the_shufflers_irregularities_apply_where_one_is_used(tmp_path, source, clause):
    floor = open_floor(tmp_path, "duki-4-wa", source=source)
    bet(floor, "ante", 1_000)
    voided = floor.do({"kind": "void", "table": "t1", "reason": "shuffler-jam"}, SUPERVISOR)
    assert voided.data["events"][0]["clause"] == clause
