"""`verify`, `readings` and `odds` speak of the same values, state tolerances, and say for whom an edge is."""

import csv
import io
import re

import pytest

import houseway as hw
from houseway.games import edition_files


@pytest.mark.parametrize("name", ["ez-pai-gow-wa", "lucky-lucky-wa", "ez-baccarat-wa", "duki-4-wa"])
def test_verify_names_only_values_that_readings_lists(name):
    listed = {(id_, value) for id_, reading in hw.edition(name).edition.readings.items() for value in reading.values}
    named = set()
    for finding in hw.edition(name).verify():
        named |= set(re.findall(r"(\bR\d+b?)=([\w-]+)", f"{finding.reading} {finding.note}"))
    assert named <= listed
    assert name != "ez-pai-gow-wa" or {("R3", "like-with-like"), ("R4", "corrected"), ("R1", "as-published")} <= named


def test_a_convention_says_how_it_is_meant_at_a_figure():
    findings = {(f.table, f.figure): f for f in hw.edition("ez-pai-gow-wa").verify()}
    assert findings["Red/Black pay table", "seven-of-the-colour: return"].reading == "R3=like-with-like (stake included)"
    headed = findings["Detailed return, Pay Table 2 Envy Bonus", "royal-flush: envy-pays, pay table 2"].reading
    assert headed == "R4=corrected (table 3)"


def test_llb_11_states_its_tolerance(run, data):
    (finding,) = (row for row in data("verify", "lucky-lucky-wa") if row["clause"] == "LLB-11")
    assert "held to be so within 0.05 percentage points" in finding["note"]
    assert "within 0.05 percentage points" in run("verify", "lucky-lucky-wa")[1]
    assert "0.05 percentage points" in run("rules", "lucky-lucky-wa", "--clause", "LLB-11")[1].replace("\n" + " " * 20, " ")


def test_r8_and_r9_tell_the_edge_of_best_play(run, data):
    found = {(row["reading"], row["value"]): row["house_edge"] for row in data("readings", "duki-4-wa")}
    best = {key: round(edges["ante"]["best_play"]["percent"], 2) for key, edges in found.items() if "ante" in edges}
    assert best["R8", "ante-table"] == best["R9", "yes"] == 3.30
    assert (best["R8", "even-money"], best["R9", "no"]) == (7.06, 3.38)
    assert found["R8", "ante-table"]["ante"]["best_play"]["exact"] == "96459473/2926537250"
    assert found["R8", "ante-table"]["ante"]["strategy"] == "play every Duki"
    assert "best_play" not in found["R9", "yes"]["duki-bonus"], "a wager without decisions"
    out = run("readings", "duki-4-wa")[1]
    assert "Ante 3.296 % by best play, " in out


def test_a_negative_edge_says_that_it_is_for_the_player(run, data):
    found = {(row["reading"], row["value"]): row["house_edge"] for row in data("readings", "ez-pai-gow-wa")}
    assert found["R15", "accepted"]["dynasty"]["for"] == "player"
    assert found["R15", "accepted"]["protection"]["for"] == "house"
    assert found["R15", "refused"]["dynasty"] is None
    out = run("readings", "ez-pai-gow-wa")[1]
    assert re.search(r"Dynasty Bonus -\d+\.\d+ % \(for the player\)", out)
    wild = ("odds", "ez-pai-gow-wa", "--wager", "dynasty", "--joker", "full", "--reading", "R15=accepted")
    assert re.search(r"house edge -\d+\.\d+ % = -\d+/\d+, for the player", run(*wild)[1])


def test_odds_of_a_player_have_the_form_of_all_odds(data):
    plain = data("odds", "duki-4-wa", "--wager", "ante")
    solved = data("odds", "duki-4-wa", "--wager", "ante", "--player", "best")
    assert plain.keys() == solved.keys() >= {"edition", "digest", "settings", "wagers"}
    assert solved["settings"] == plain["settings"] | {"player": "best"}
    (sheet,), (played,) = plain["wagers"], solved["wagers"]
    assert sheet.keys() == played.keys()
    assert played["strategy"] == "exact; the player decides by: best"
    assert played["house_edge"]["exact"] == "96459473/2926537250"


def test_odds_of_a_player_have_the_heading_of_all_odds(run):
    plain = run("odds", "duki-4-wa", "--wager", "duki-bonus")[1].splitlines()
    played = run("odds", "duki-4-wa", "--wager", "ante", "--player", "best")[1].splitlines()
    assert played[:3] == plain[:3] and "digest" in played[0] and played[1].startswith("decks 1, ")


def test_readings_as_csv_have_plain_cells(run):
    rows = list(csv.DictReader(io.StringIO(run("readings", "duki-4-wa", "--format", "csv")[1])))
    assert len(rows) == sum(len(reading.values) for reading in hw.edition("duki-4-wa").edition.readings.values())
    assert not [cell for row in rows for cell in row.values() if re.search(r"True|False|None|[][{}]", cell)]
    (r9,) = (row for row in rows if (row["reading"], row["value"]) == ("R9", "no"))
    assert r9["default"] == "no" and re.match(r"ante \d\.\d+ % by best play", r9["house_edge"])


def test_odds_of_a_player_as_rows_have_the_columns_of_all_odds(run):
    head = run("odds", "duki-4-wa", "--wager", "ante", "--format", "csv")[1].splitlines()[0]
    assert run("odds", "duki-4-wa", "--wager", "ante", "--player", "best", "--format", "csv")[1].startswith(f"{head}\n")


def test_every_edition_lists_its_readings(run):
    for name in edition_files():
        assert run("readings", name)[0] == 0


def test_r12_tells_what_a_marker_over_all_seats_of_a_usual_table_comes_to(run, data):
    """Of seven seats, six have seat 2 covered first (the bank included: the next bet clockwise), one seat 3."""
    effects = {(row["reading"], row["value"]): row["effect"] for row in data("readings", "ez-baccarat-ca")}
    wins = {
        value: re.match(r"the bank (wins|loses) \$([\d.]+)", effects["R12", value])
        for value in ("from-next-seat", "from-marker")
    }
    assert [found.groups() for found in wins.values() if found] == [("wins", "0.562"), ("wins", "0.401")]
    assert "of 7 seats" in run("readings", "ez-baccarat-ca")[1]


def test_every_open_reading_tells_an_edge_or_what_it_changes(data):
    for name in edition_files():
        for row in data("readings", name):
            alone = len(hw.edition(name).edition.readings[row["reading"]].values) == 1
            assert alone or row["effect"] or row["house_edge"], (name, row["reading"])


def test_r6_tells_what_envy_for_fewer_hands_comes_to(data):
    edges = {row["value"]: row["house_edge"] for row in data("readings", "ez-pai-gow-wa") if row["reading"] == "R6"}
    sheet = hw.edition("ez-pai-gow-wa").odds()["dynasty"]
    among = {"other-players-with-base-wager": 6, "other-players-with-dynasty-bet": 3}
    for value, players in among.items():
        assert edges[value]["dynasty"]["percent"] == pytest.approx(float(sheet.house_edge_with(players)) * 100)
