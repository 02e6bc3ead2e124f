"""The command line: the names, forms and refusals that others script against."""

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import houseway.cli.books
import houseway.games
from houseway.cards import show_card
from houseway.games import edition_files

PROGRAM = Path(sys.executable).with_name("houseway")
PAYS = re.compile(r"\d+ to \d+|push|lose|lose half")
FORMATS = ("table", "json", "csv")
HAND = "As Ad Kh Kc 2s 3d Jk"
BACCARAT = ("settle", "ez-baccarat-wa", "--cards", "9s 7h Kd 3c", "--bets", "banker=100,tie=5")
DUKI = "9h 9c 6s Jd 9s 9d 5h 8c"
PAI_GOW = "As Ad Kh Kc 2s 3d 4h 9s 9d 8h 7c 2c 3c 5d"
BLACKJACK = "10s 9h 8d 7c 5s"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# Every command in every format


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    "command",
    [
        ("editions",),
        ("rules", "duki-4-wa"),
        ("rules", "ez-baccarat-wa", "--clause", "EZB-3d"),
        ("readings", "lucky-lucky-wa"),
        ("odds", "ez-baccarat-wa"),
        ("odds", "ez-baccarat-wa", "--removal-effects", "--wager", "tie"),
        BACCARAT,
        ("house-way", "plaza", "--hand", HAND),
        ("verify", "lucky-lucky-wa"),
        ("verify", "ez-baccarat-ca"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_command_in_every_format(run, command, format_):
    code, out, err = run(*command, "--format", format_)
    assert (code, err) == (0, "")
    if format_ == "json":
        assert json.loads(out)
    elif format_ == "csv":
        found = rows_of(out)
        assert found
        assert all(None not in row and None not in row.values() for row in found)
    else:
        assert out == run(*command)[1]
        assert len(out.splitlines()) >= 3


def test_editions_lists_all_five(run, data):
    found = data("editions")
    assert {row["edition"] for row in found} == set(edition_files())
    assert all(len(row["digest"]) == 64 and not row["differences"] for row in found)
    _, out, _ = run("editions")
    assert "no approval on file" in out
    assert "modified" not in out


def test_a_modified_edition_says_so_and_names_what_differs(run, data, monkeypatch, tmp_path):
    path = tmp_path / "ez-baccarat-wa.toml"
    path.write_text(edition_files()["ez-baccarat-wa"].read_text().replace("40 to 1", "41 to 1"))
    modified = "modified rules: wagers.dragon-7.pays.dragon-7: 40 to 1 as approved, 41 to 1 now"
    assert data("odds", str(path), "--wager", "tie")["status"] == modified
    monkeypatch.setattr(houseway.games, "edition_files", lambda: {"ez-baccarat-wa": path})
    code, out, _ = run("editions")
    assert code == 0
    assert "modified rules" in out
    assert "wagers.dragon-7.pays.dragon-7: 40 to 1 as approved, 41 to 1 now" in out


def test_rules_can_show_one_clause(data):
    (clause,) = data("rules", "duki-4-wa", "--clause", "d4p-9")
    assert (clause["id"], clause["kind"]) == ("D4P-9", "rule")
    assert "100" in clause["text"]
    assert len(data("rules", "duki-4-wa")) == 20


def test_readings_show_the_edge_under_each_value(data):
    found = {(row["reading"], row["value"]): row["house_edge"] for row in data("readings", "ez-pai-gow-wa")}
    assert round(found["R1", "as-published"]["dynasty"]["percent"], 3) == 8.159
    assert round(found["R1", "natural-only"]["dynasty"]["percent"], 3) == 8.194
    assert round(found["R2", "joker-elsewhere"]["dynasty"]["percent"], 3) == 8.151
    assert found["R16", "loses"] == {}


def test_r16b_readings_show_what_a_foul_costs_under_each_value(data, run):
    rows = [row for row in data("readings", "ez-pai-gow-wa") if row["reading"] == "R16b"]
    assert [(row["value"], row["default"]) for row in rows] == [("pushes", True), ("loses", False)]
    assert "EPG-0" in rows[0]["where"] and "EPG-9" in rows[0]["where"]
    # the dealer's Queen-high pai gow is 2,719,484 of 154,143,080 hands: that much of every foul is saved by EPG-0
    queens = data("odds", "ez-pai-gow-wa", "--wager", "protection")["wagers"][0]["outcomes"]
    queen_high = next(row["combinations"] for row in queens if row["outcome"] == "queen-high-pai-gow")
    edges = [Fraction(row["house_edge"]["base"]["exact"]) for row in rows]
    assert edges == [1 - Fraction(queen_high, 154_143_080), 1]
    code, out, _ = run("readings", "ez-pai-gow-wa")
    assert code == 0 and "* pushes: it pushes: the barred hand comes first  [Base wager 98.236 % (player: foul)]" in out


def test_r16_readings_tell_the_default_of_tables_with_real_cards(data):
    rows = {row["value"]: row for row in data("readings", "ez-pai-gow-wa") if row["reading"] == "R16"}
    assert rows["refused"]["default"] and rows["refused"]["default_for"] == []
    assert rows["dealer-resets-house-way"]["default_for"] == ["manual-keypad", "hand-keyed", "shuffler"]


def test_r16b_the_odds_of_a_foul_need_the_reading_that_settles_one(run):
    wager = ("odds", "ez-pai-gow-wa", "--wager", "base", "--player", "foul")
    code, _, err = run(*wager)
    assert code != 0 and "R16=loses" in err
    code, out, _ = run(*wager, "--reading", "R16=loses", "--reading", "R16b=loses")
    assert code == 0 and "house edge 100.0000 %" in out


# The form of the odds

SHEETS = {
    "ez-baccarat-wa": ("player banker tie dragon-7 panda-8", 4_998_398_275_503_360, "dragon-7"),
    "ez-pai-gow-wa": ("dynasty protection red-black", 154_143_080, "three-of-a-kind"),
    "lucky-lucky-wa": ("lucky-lucky", 5_013_320, "suited-777"),
    "duki-4-wa": ("duki-bonus ante", 270_725, "three-of-a-kind"),
}


@pytest.mark.parametrize("edition", SHEETS)
def test_odds_have_the_form_of_the_issue(data, edition):
    wagers, total, outcome = SHEETS[edition]
    for wager in wagers.split():
        found = data("odds", edition, "--wager", wager)
        assert {"edition", "digest", "settings", "wagers"} <= set(found)
        assert found["edition"] == edition
        (sheet,) = found["wagers"]
        assert {"wager", "total", "outcomes", "house_edge", "hit_frequency", "standard_deviation"} <= set(sheet)
        assert sheet["wager"] == wager
        assert isinstance(sheet["total"], int)
        for row in sheet["outcomes"]:
            assert {"outcome", "pays", "combinations", "probability", "return"} <= set(row)
            assert isinstance(row["combinations"], int)
            assert re.fullmatch(r"\d+/\d+", row["probability"])
            assert re.fullmatch(r"-?\d+/\d+", row["return"])
            assert Fraction(row["probability"]) == Fraction(row["combinations"], sheet["total"])
        assert sum(Fraction(row["probability"]) for row in sheet["outcomes"]) == 1
        exact = Fraction(sheet["house_edge"]["exact"])
        assert exact == -sum(Fraction(row["return"]) for row in sheet["outcomes"])
        assert sheet["house_edge"]["percent"] == float(exact * 100)
        assert 0 < float(sheet["hit_frequency"]) < 1
        assert float(sheet["standard_deviation"]) > 0
        if wager == wagers.split()[0]:
            assert sheet["total"] == total
            assert outcome in {row["outcome"] for row in sheet["outcomes"]}


@pytest.mark.parametrize(("edition", "wager"), [(e, w) for e, (wagers, *_) in SHEETS.items() for w in wagers.split()])
def test_pays_are_odds_push_or_lose(data, edition, wager):
    (sheet,) = data("odds", edition, "--wager", wager)["wagers"]
    assert [row["pays"] for row in sheet["outcomes"] if not PAYS.fullmatch(row["pays"])] == []


def test_ids_of_outcomes_are_those_of_the_issue(data):
    (dynasty,) = data("odds", "ez-pai-gow-wa", "--wager", "dynasty")["wagers"]
    ids = {row["outcome"] for row in dynasty["outcomes"]}
    assert {"royal-flush-aq", "natural-7-card-straight-flush", "three-of-a-kind"} <= ids
    (base,) = data("odds", "ez-pai-gow-wa", "--wager", "base", "--player", "sampled")["wagers"]
    assert "queen-high-pai-gow" in {row["outcome"] for row in base["outcomes"]}
    assert base["method"] == "simulated"
    assert base["house_edge"]["standard_error_percent"] > 0


FEW_HANDS = ("lucky-lucky-wa", "--wager", "blackjack", "--decks", "2", "--set", "split-hands=2")
"""A table of which every result is worked out in seconds."""


def test_odds_show_every_result_that_a_solver_has_worked_out(data, run):
    (first,) = data("odds", *FEW_HANDS, "--player", "best")["wagers"]
    (sheet,) = data("odds", *FEW_HANDS)["wagers"]
    assert sheet == first
    assert (sheet["method"], sheet["arithmetic"], sheet["player"]) == ("solved", "64-bit floats", "best")
    assert "exact" not in sheet["house_edge"] and "total" not in sheet
    assert sum(row["probability"] for row in sheet["outcomes"]) == pytest.approx(1, abs=1e-12)
    solved = data("solve", "lucky-lucky-wa", "--decks", "2", "--set", "split-hands=2")["house_edge"]["percent"]
    assert sheet["house_edge"]["percent"] == pytest.approx(solved, abs=1e-12)
    assert sheet["element_of_risk"] == pytest.approx(sheet["house_edge"]["percent"] / 100 / sheet["staked"], abs=1e-12)
    text = run("odds", *FEW_HANDS)[1]
    assert "the player decides by: best" in text and "solved in 64-bit floats" in text and "element of risk" in text
    assert "simulated" not in text and "exact" not in text
    rows = list(csv.DictReader(io.StringIO(run("odds", *FEW_HANDS, "--format", "csv")[1])))
    assert {(row["player"], row["method"], row["total"]) for row in rows} == {("best", "solved", "")}


def test_odds_say_whom_a_sample_is_of_and_what_solves_the_rest(data, run, monkeypatch):
    monkeypatch.setattr("houseway.cli.odds.is_sheet_ready", lambda *asked: False)  # whatever other tests have worked out
    (sheet,) = data("odds", *FEW_HANDS)["wagers"]
    assert (sheet["method"], sheet["player"], sheet["solvable_for"]) == ("simulated", "mimic the dealer", "best")
    assert sheet["house_edge"]["standard_error_percent"] > 0
    solved = data("solve", "lucky-lucky-wa", "--decks", "2", "--set", "split-hands=2")["house_edge"]["percent"]
    assert sheet["solved_house_edge"] == {"player": "best", "percent": solved, "arithmetic": "64-bit floats"}
    command = "houseway odds lucky-lucky-wa --set decks=2 --set split-hands=2 --wager blackjack --player best"
    assert sheet["solved_by"] == command
    text = run("odds", *FEW_HANDS)[1]
    (line,) = (line for line in text.splitlines() if command in line)
    assert f"house edge {solved:.6f} % for the best player, solved in 64-bit floats" in line
    assert "these rows are sampled, of another player (mimic the dealer)" in line
    (asked,) = data("odds", *FEW_HANDS, "--player", "sampled")["wagers"]
    assert "solvable_for" not in asked and asked["method"] == "simulated"


def test_all_wagers_of_an_edition_at_once(data):
    found = data("odds", "ez-baccarat-ca")
    assert [sheet["wager"] for sheet in found["wagers"]] == ["player", "banker", "tie", "dragon-7", "panda-8"]
    (listed,) = (row for row in data("editions") if row["edition"] == "ez-baccarat-ca")
    assert found["digest"] == listed["digest"]


def test_envy_by_players_and_bet(data):
    base = ("odds", "ez-pai-gow-wa", "--wager", "dynasty", "--pay-table", "3")

    def edge(*more):
        return round(data(*base, *more)["wagers"][0]["house_edge"]["percent"], 2)

    assert edge("--players", "6", "--bet", "5") == 3.13
    assert edge("--players", "6", "--bet", "4.99") == 7.77
    assert edge("--players", "1") == 7.77
    assert data(*base)["settings"]["pay-table"] == "3"


def test_decks_readings_and_removed_cards(data):
    six = data("odds", "ez-baccarat-wa", "--decks", "6", "--wager", "dragon-7")
    assert round(six["wagers"][0]["house_edge"]["percent"], 6) == 7.606190
    removed = data("odds", "ez-baccarat-wa", "--removed", "7s 7h 10x 10x", "--wager", "tie")
    assert removed["wagers"][0]["total"] == 412 * 411 * 410 * 409 * 408 * 407
    bonus = data("odds", "duki-4-wa", "--reading", "R9=no", "--wager", "duki-bonus")
    assert round(bonus["wagers"][0]["house_edge"]["percent"], 2) == 5.55
    assert bonus["settings"]["R9"] == "no"


def test_what_if_is_marked(run, data):
    found = data("odds", "ez-baccarat-wa", "--decks", "7", "--what-if")
    assert found["settings"]["decks"] == 7
    assert len(found["what_if"]) == 1
    assert data("odds", "ez-baccarat-wa", "--decks", "6", "--what-if")["what_if"] == []
    _, out, _ = run("odds", "ez-baccarat-wa", "--decks", "7", "--what-if")
    assert "WHAT IF" in out
    assert "decks 7" in out


def test_removal_effects_can_be_asked_what_if(run):
    code, out, err = run("odds", "ez-baccarat-wa", "--decks", "7", "--what-if", "--removal-effects", "--format", "csv")
    assert (code, err) == (0, "")
    assert len(rows_of(out)) == 5 * 13


# Settling


def test_settle_shows_steps_clauses_and_pays(run, data):
    found = data(*BACCARAT)
    assert [(p["wager"], p["pays"], p["win_cents"]) for p in found["payments"]] == [
        ("banker", "lose", -10000),
        ("tie", "lose", -500),
    ]
    assert (found["staked_cents"], found["win_cents"], found["returned_cents"]) == (10500, -10500, 0)
    assert [step["clause"] for step in found["steps"]] == ["EZB-0", "EZB-0", "EZB-3a", "EZB-4"]
    _, out, _ = run(*BACCARAT)
    for words in ("EZB-3a", "natural", "Banker", "$100", "-$105"):
        assert words in out


def test_settle_cites_the_california_sheet(data):
    found = data("settle", "ez-baccarat-ca", "--cards", "9s 7h Kd 3c", "--bets", "banker=100")
    assert {step["clause"] for step in found["steps"]} <= {"EZC-2", "EZC-3"}


@pytest.mark.parametrize(
    ("edition", "cards", "bets", "choices", "wins"),
    [
        ("ez-baccarat-wa", "2♠ 3♥ K♦ 2♣ 6s 2d", "banker=100,dragon-7=5", "", {"banker": -10000, "dragon-7": -500}),
        ("ez-baccarat-wa", "2s 3h Kd Kc 4s 4d", "banker=100,dragon-7=5", "", {"banker": 0, "dragon-7": 20000}),
        ("duki-4-wa", DUKI, "ante=10", "play", {"ante": 2000, "play": 1000}),
        ("duki-4-wa", DUKI, "ante=10,duki-bonus=5", "fold", {"ante": -1000, "duki-bonus": -500}),
        ("ez-pai-gow-wa", PAI_GOW, "base=10", "set Kh Kc", {"base": 1000}),
        ("lucky-lucky-wa", BLACKJACK, "blackjack=10", "stand", {"blackjack": -1000}),
        ("lucky-lucky-wa", "As 9h Kd 7c", "blackjack=15", "", {"blackjack": 2250}),
    ],
)
def test_settle_pays_every_game(data, edition, cards, bets, choices, wins):
    found = data("settle", edition, "--cards", cards, "--bets", bets, "--choices", choices)
    assert {payment["wager"]: payment["win_cents"] for payment in found["payments"]} == wins
    assert found["win_cents"] == sum(wins.values())


# The House Way


def test_house_way_names_the_rule(data):
    found = data("house-way", "plaza", "--hand", HAND)
    assert (found["front"], found["back_hand"]) == ("Kh Kc", "three aces")
    assert found["rule"]


def test_house_way_counts_every_hand(data):
    found = data("house-way", "plaza", "--count")
    assert set(found) == {"fronts", "backs", "fouls"}
    ranks = "23456789TJQKA"
    expected = {high + low for high in ranks for low in ranks if ranks.index(low) <= ranks.index(high)}
    assert set(found["fronts"]) == expected
    assert {"32", "T9", "AK", "22", "AA"} <= set(found["fronts"])
    assert sum(found["fronts"].values()) == sum(found["backs"].values()) == 154_143_080
    assert {"high-card", "pair"} <= set(found["backs"])
    assert found["fouls"] == 0


def test_verify_has_the_form_of_the_issue(data):
    found = data("verify", "lucky-lucky-wa")
    for row in found:
        assert {"document", "clause", "table", "figure", "published", "computed", "status", "reading"} <= set(row)
        assert row["status"] in {"agrees", "explained", "differs"}
    assert sum("house-edge" in row["figure"] for row in found) >= 8


# Bad input: one clear line, exit code 2, nothing computed


def settle(edition, cards, bets, *more):
    return ("settle", edition, "--cards", cards, "--bets", bets, *more)


BAD = [
    (("odds", "ez-bacarat-wa"), "did you mean ez-baccarat"),
    (("rules", "duki-4-w"), "did you mean duki-4-wa"),
    (("readings", "lucky"), "lucky-lucky-wa"),
    (("verify", "duki4"), "duki-4-wa"),
    (("odds", "ez-baccarat-wa", "--wager", "dragon7"), "did you mean dragon-7"),
    (("odds", "duki-4-wa", "--wager", "play"), "ante"),
    (("odds", "duki-4-wa", "--reading", "R88=even-money"), "did you mean R8"),
    (("odds", "duki-4-wa", "--reading", "R8=evenmoney"), "even-money"),
    (("odds", "duki-4-wa", "--reading", "R8"), "R8"),
    (("odds", "ez-baccarat-wa", "--set", "dekcs=8"), "did you mean decks"),
    (("odds", "ez-pai-gow-wa", "--joker", "wild"), "semi, full"),
    (("odds", "ez-pai-gow-wa", "--pay-table", "8"), "7"),
    (("odds", "duki-4-wa", "--joker", "semi"), "joker"),
    (("odds", "ez-baccarat-wa", "--decks", "7"), "8, 6"),
    (("odds", "ez-baccarat-ca", "--decks", "6"), "--what-if"),
    (("odds", "ez-baccarat-wa", "--decks", "0"), "decks"),
    (("odds", "ez-baccarat-wa", "--decks", "9", "--what-if"), "decks"),
    (("odds", "ez-baccarat-wa", "--decks", "six"), "decks"),
    (("odds", "ez-baccarat-wa", "--format", "xml"), "json"),
    (("odds", "ez-pai-gow-wa", "--players", "9"), "1 to 6"),
    (("odds", "ez-pai-gow-wa", "--players", "0"), "1 to 6"),
    (("odds", "ez-pai-gow-wa", "--bet", "-5"), "-5"),
    (("odds", "ez-pai-gow-wa", "--bet", "5.001"), "whole cents"),
    (("odds", "ez-pai-gow-wa", "--wager", "dynasty", "--joker", "full"), "R15"),
    (("odds", "duki-4-wa", "--removed", "7s 7s"), "7s"),
    (("odds", "duki-4-wa", "--removed", "7x 7x 7x 7x 7x"), "7x"),
    (("odds", "duki-4-wa", "--removed", "Jk"), "Jk"),
    (("odds", "duki-4-wa", "--removed", "7s 1z"), "1z"),
    (("rules", "duki-4-wa", "--clause", "D4P-99"), "did you mean D4P-9"),
    (("house-way", "plazza", "--hand", HAND), "did you mean plaza"),
    (("house-way", "plaza", "--hand", "As Ad Kh Kc 2s 3d"), "seven"),
    (("house-way", "plaza", "--hand", HAND + " 9c"), "seven"),
    (("house-way", "plaza", "--hand", "As As Kh Kc 2s 3d Jk"), "As"),
    (("house-way", "plaza"), "--count"),
    (("odd", "ez-baccarat-wa"), "did you mean odds"),
    (settle("ez-bacarat-wa", "9s 7h Kd 3c", "banker=1"), "did you mean ez-baccarat"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "bankr=100"), "did you mean banker"),
    (settle("ez-baccarat-wa", "9s 7h Kd", "banker=100"), "too few"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c 4c", "banker=100"), "too many"),
    (settle("ez-baccarat-wa", "", "banker=100"), "too few"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c Jk", "banker=100"), "Jk"),
    (settle("ez-baccarat-wa", "9s 7h Kd hello", "banker=100"), "hello"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3x", "banker=100"), "3x"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", ""), "no bets"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker"), "banker"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker="), "banker"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=-5"), "-5"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=0"), "banker"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=5.005"), "whole cents"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=nan"), "nan"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=inf"), "inf"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=1e999999"), "banker"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=5,banker=5"), "twice"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=401"), "$400"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=0.50"), "$1"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=100", "--decks", "7"), "approv"),
    (settle("ez-baccarat-wa", "9s 7h Kd 3c", "banker=100", "--choices", "hit"), "hit"),
    (settle("ez-baccarat-wa", " ".join(["9s"] * 9), "banker=100"), "9s"),
    (settle("duki-4-wa", "9h 9h 6s Jd 9s 9d 5h 8c", "ante=10", "--choices", "play"), "9h"),
    (settle("duki-4-wa", DUKI, "ante=10"), '"play" or "fold"'),
    (settle("duki-4-wa", DUKI, "ante=10", "--choices", "hit"), '"play" or "fold"'),
    (settle("duki-4-wa", DUKI, "ante=10", "--choices", "play,play"), "play"),
    (settle("duki-4-wa", "9h 9c 6s Jd", "ante=10", "--choices", "play"), "8 are needed"),
    (settle("duki-4-wa", DUKI + " 2c", "ante=10", "--choices", "play"), "9 cards"),
    (settle("duki-4-wa", DUKI, "play=10", "--choices", "play"), "ante"),
    (settle("ez-pai-gow-wa", PAI_GOW, "base=10"), "set Ah Kd"),
    (settle("ez-pai-gow-wa", PAI_GOW, "base=10", "--choices", "set Qh Qc"), "two of the seven"),
    (settle("ez-pai-gow-wa", PAI_GOW, "base=10", "--choices", "set As Ad"), "foul"),
    (settle("ez-pai-gow-wa", PAI_GOW, "dynasty=5"), "Base wager"),
    (settle("ez-pai-gow-wa", PAI_GOW, "base=10,red-black=5", "--choices", "house-way"), "colour"),
    (settle("lucky-lucky-wa", BLACKJACK, "lucky-lucky=5", "--choices", "stand"), "Blackjack"),
    (settle("lucky-lucky-wa", BLACKJACK, "blackjack=10", "--choices", "split"), "split"),
    (settle("lucky-lucky-wa", BLACKJACK, "blackjack=10", "--choices", "surrender"), "surrender"),
    (settle("lucky-lucky-wa", BLACKJACK, "blackjack=10", "--choices", "stand,hit"), "hit"),
    (settle("lucky-lucky-wa", BLACKJACK, "blackjack=10,insurance=5", "--choices", "stand"), "ace"),
]


@pytest.mark.parametrize(("command", "words"), BAD, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_bad_input_gets_one_clear_line(run, command, words):
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("houseway: ")
    assert words in err


def test_settle_without_cards_gets_one_line(run):
    code, out, err = run("settle", "ez-baccarat-wa", "--bets", "banker=5")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "--cards" in err


def test_an_amount_that_is_none_and_a_name_that_nothing_is_near(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    opening = ("table", "open", "t1", "--edition", "ez-baccarat-wa", "--source", "hand-keyed", "--as", "Sue:supervisor")
    assert 'opener: "nan" is not an amount' in run(*opening, "--opener", "nan")[2]
    assert "opener is needed: a positive amount in dollars" in run(*opening)[2]
    assert 'unknown wager "zzzz" (known: ' in run("odds", "ez-baccarat-wa", "--wager", "zzzz")[2]
    assert run("odds", "ez-baccarat-ca", "--wager", "tie")[1].splitlines()[0].count("no approval on file") <= 1


# Editions of one's own


@pytest.fixture(params=["journal", "folder"])
def own_edition(request, tmp_path, monkeypatch, run):
    """Registers an edition under an id with a pay of its Dragon 7, or takes it out again."""
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    if request.param == "folder":
        monkeypatch.setenv("HOUSEWAY_EDITIONS", str(tmp_path / "editions"))

    def change(action, id_, pays=""):
        file = tmp_path / f"{id_}.toml"
        text = edition_files()["ez-baccarat-wa"].read_text().replace('id = "ez-baccarat-wa"', f'id = "{id_}"')
        file.write_text(text.replace('"40 to 1"', f'"{pays}"'))
        if request.param == "folder":
            place = tmp_path / "editions" / file.name
            place.parent.mkdir(exist_ok=True)
            place.write_text(file.read_text()) if action == "add" else place.unlink()
        else:
            code, _, err = run("editions", action, str(file) if action == "add" else id_, "--as", "Ann:administrator")
            assert code == 0, err

    return change


def test_every_question_takes_an_edition_of_ones_own(run, data, own_edition):
    """Each command that takes an edition's id takes a registered one; the id with other content answers with that."""
    edges = []
    for pays in ("35 to 1", "38 to 1"):
        own_edition("add", "ours", pays)
        (sheet,) = data("odds", "ours", "--wager", "dragon-7")["wagers"]
        edges.append(sheet["house_edge"]["exact"])
        for command in (
            ("rules", "ours"),
            ("readings", "ours"),
            ("verify", "ours"),
            ("settle", "ours", "--cards", "9s 7h Kd 3c", "--bets", "banker=100"),
            ("editions", "--covers", "ours"),
        ):
            code, out, err = run(*command)
            assert (code, err) == (0, ""), command
            assert f"40 to 1 in ez-baccarat-wa, {pays} here" in out or command[0] == "readings", command
        for command in (("solve", "ours"), ("strategy", "ours"), ("best", "ours", "--hand", "9s 7h")):
            code, _, err = run(*command)
            assert (code, "leaves the player nothing to decide" in err) == (2, True), err
        own_edition("remove", "ours")
    assert edges[0] != edges[1]
    for command in ("odds", "rules", "readings", "verify", "solve", "strategy"):
        code, out, err = run(command, "ours")
        assert (code, out, len(err.splitlines()), "unknown edition" in err) == (2, "", 1, True), command


# The program itself


def program(*arguments, timeout=600):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=timeout, check=False)


def test_the_program_is_installed_and_refuses_without_a_traceback():
    ended = program("odds", "ez-bacarat-wa")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "Traceback" not in ended.stderr


def imported_by(*arguments, **environment):
    """Which of the modules that take long to import a command has imported, and what it printed."""
    code = (
        "import sys; from houseway.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code, ended.code\n"
        "print(*({'numba', 'numpy', 'sqlalchemy', 'cryptography', 'fastapi'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    assert ended.returncode == 0, ended.stderr
    return set(ended.stdout.splitlines()[-1].split()), ended.stdout


def test_help_imports_nothing_that_takes_long():
    imported, shown = imported_by("--help")
    assert imported == set()
    for command in ("editions", "rules", "readings", "odds", "settle", "house-way", "verify"):
        assert command in shown
    assert "numpy" not in imported_by("odds", "--help")[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "ez-pai-gow-wa"),
        ("readings", "ez-baccarat-wa"),
        ("odds", "ez-baccarat-wa"),
        ("odds", "ez-baccarat-wa", "--decks", "6"),
        ("odds", "lucky-lucky-wa", "--wager", "lucky-lucky"),
        ("odds", "duki-4-wa"),
        ("odds", "ez-pai-gow-wa", "--wager", "dynasty"),
        ("settle", "ez-baccarat-wa", "--cards", "9s 7h Kd 3c", "--bets", "banker=100,tie=5"),
        ("settle", "duki-4-wa", "--cards", "9h 9c 6s Jd / 9s 9d 5h 8c", "--bets", "ante=10", "--choices", "play"),
        ("settle", "lucky-lucky-wa", "--cards", "10s 9h 8d 8c", "--bets", "blackjack=10", "--choices", "stand"),
    ],
)
def test_what_counts_nothing_that_is_new_imports_neither_numba_nor_a_database(arguments):
    first = imported_by(*arguments)[1]  # counts what nobody has counted yet
    imported, shown = imported_by(*arguments)
    assert imported == {"numpy"}
    assert shown.splitlines()[:-1] == first.splitlines()[:-1]


def test_a_table_is_played_from_the_shell_without_numba(tmp_path):
    house = {"HOUSEWAY_STORE": f"sqlite:///{tmp_path}/house.db", "HOUSEWAY_KEY": str(tmp_path / "house.key")}
    for line in (
        "cage fund 100000",
        "cage buy-in 2000 --guest ann",
        "table open t1 --edition ez-baccarat-wa --opener 20000 --source hand-keyed",
        "table bet t1 banker=100 --guest ann --seat 2",
        "table no-more-bets t1",
        "table card t1 '2s 4h 3d Kc 6h 3s'",
        "table settle t1",
        "table show t1",
        "audit",
        "editions",
    ):
        imported, _ = imported_by(*shlex.split(line), **house)
        assert "numba" not in imported, line


@pytest.mark.parametrize(
    ("edition", "wager", "decks"), [("ez-pai-gow-wa", "base", ()), ("lucky-lucky-wa", "blackjack", ("1",))]
)
def test_a_simulated_wager_of_a_shoe_with_too_few_cards_is_refused(edition, wager, decks):
    removed = " ".join(show_card(card) for card in range(50))
    more = ("--decks", *decks) if decks else ()
    ended = program("odds", edition, "--wager", wager, "--removed", removed, *more)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
