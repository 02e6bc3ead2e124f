"""What the readings of a short bank come to (EZC-5, R12): shown by `readings`, and worked out by the table's own code."""

import json
from fractions import Fraction

import pytest
from test_conditions import shown

from houseway.games import open_edition
from houseway.odds import par_sheet
from houseway.table.short_bank import short_bank

EDITION = open_edition("ez-baccarat-ca")
BETS = {2: {"dragon-7": 500, "player": 5_000}, 3: {"player": 5_000}}
PLENTY = 10_000_000


@pytest.mark.parametrize("cover", ["actual-result", "worst-case"])
def test_ezc_5_a_bank_that_covers_all_has_the_edges_of_the_par_sheets(cover):
    found = short_bank(EDITION, EDITION.settings({"R12b": cover}), BETS, PLENTY)
    edges = {wager: par_sheet(EDITION, wager).house_edge for wager in ("dragon-7", "player")}
    assert found.edges == {2: (500 * edges["dragon-7"] + 5_000 * edges["player"]) / 5_500, 3: edges["player"]}
    assert found.bank_wins_cents == 500 * edges["dragon-7"] + 10_000 * edges["player"]


def test_ezc_5_a_short_bank_by_hand():
    """One bet on Dragon 7 against a bank of half its pay: it pays 20 to 1, and takes the bet as ever."""
    dragon = par_sheet(EDITION, "dragon-7")["dragon-7"].probability
    found = short_bank(EDITION, EDITION.settings(), {2: {"dragon-7": 500}}, 10_000)
    assert found.edges[2] == 1 - dragon - 20 * dragon
    reserved = short_bank(EDITION, EDITION.settings({"R12b": "worst-case"}), {2: {"dragon-7": 500}}, 10_000)
    assert reserved.edges[2] == Fraction(2, 5) * par_sheet(EDITION, "dragon-7").house_edge  # $2 of $5, in whole chips


@pytest.mark.parametrize("reading", ["R12", "R12b", "R12c", "R12d"])
def test_ezc_5_every_reading_of_cover_has_its_effect_shown(monkeypatch, capsys, reading):
    rows = json.loads(shown(monkeypatch, capsys, "readings", "ez-baccarat-ca", "--format", "json"))
    own = [row for row in rows if row["reading"] == reading]
    assert [row["default"] for row in own] == [True, False]
    assert all(row["where"] == "EZC-5" for row in own)
    assert len({row["effect"] for row in own}) == 2 and all("the bank" in row["effect"] for row in own)


@pytest.mark.parametrize(("reading", "clause"), [("R21", "EZC-4"), ("R22", "EZC-1"), ("R23", "EZC-1")])
def test_ezc_4_and_1_the_readings_of_the_bank_say_what_they_change(monkeypatch, capsys, reading, clause):
    text = shown(monkeypatch, capsys, "readings", "ez-baccarat-ca")
    assert f"{reading}  {clause}: " in text and "It changes" in text and "seat 1 banks with $100" in text
