"""Blackjack solved in the shell: what is printed, what is saved, and what is refused in one line."""

import csv
import io
import json

import pytest

from houseway.games.blackjack.solve.chart import Chart

TABLE = "lucky-lucky-wa"
SMALL = ("--decks", "1", "--set", "split-hands=2")


@pytest.fixture
def chart_file(run, tmp_path):
    file = tmp_path / "chart.csv"
    code, _, _ = run("strategy", TABLE, *SMALL, "--save", file)
    assert code == 0
    return file


def test_a_chart_is_saved_read_and_played(run, chart_file) -> None:
    own = json.loads(run("solve", TABLE, *SMALL, "--format", "json")[1])
    read = json.loads(run("solve", TABLE, *SMALL, "--chart", chart_file, "--format", "json")[1])
    assert read["chart"] == "chart.csv"
    assert read["chart_house_edge"] == own["chart_house_edge"]
    assert 0 < read["chart_costs"]["percent"] < 0.1


def test_the_edge_is_told_in_exact_fractions_too(run) -> None:
    told = {way: run("solve", TABLE, *SMALL, *way)[1].splitlines() for way in ((), ("--exact",))}
    assert "by exact fractions" in told["--exact",][1]
    assert told["--exact",][2:] == told[()][2:]


def test_insurance_is_told_with_every_two_cards(run) -> None:
    found = json.loads(run("solve", TABLE, *SMALL, "--about", "insurance", "--format", "json")[1])
    assert len(found["hands"]) == 55
    assert {row["worth"] for row in found["hands"] if "10" not in row["hand"]} == {"-1/49"}
    assert not any(row["take"] for row in found["hands"])


def test_a_chart_that_splits_tens_costs_less_where_only_one_rank_is_split(run, chart_file) -> None:
    chart_file.write_text(chart_file.read_text().replace('"10,10",S', '"10,10",P'))
    cost = {}
    for split in ("values", "ranks"):
        told = run("solve", TABLE, *SMALL, "--set", f"split={split}", "--chart", chart_file, "--format", "json")[1]
        cost[split] = json.loads(told)["chart_costs"]["percent"]
    assert 0 < cost["ranks"] < cost["values"] / 3


@pytest.mark.parametrize(
    ("hand", "hole_card", "worth"),
    [
        ("As Ks", "peek", 1.5),
        ("As Ks", "none", 1.5 * (1 - 23 / 309)),
        ("As Ks", "none-original-bets-only", 1.5 * (1 - 23 / 309)),
    ],
)
def test_with_a_blackjack_there_is_nothing_to_decide(run, hand, hole_card, worth) -> None:
    """BJ-2: it is paid, unless the dealer, with a ten up, has one too: 23 aces of 309 cards."""
    told = run("best", TABLE, "--hand", hand, "--dealer", "10h", "--set", f"hole-card={hole_card}", "--format", "json")[1]
    (stand,) = json.loads(told)["choices"]
    assert stand["choice"] == "stand"
    assert stand["worth"] == pytest.approx(worth, abs=1e-12)


def test_only_what_is_exact_is_called_so(run) -> None:
    assert run("best", TABLE, "--hand", "8s 8d", "--dealer", "10h")[1].endswith("64-bit floats\n")
    assert run("best", "duki-4-wa", "--hand", "9h 9c 6s Jd")[1].endswith("exact\n")


def test_with_21_in_three_cards_there_is_nothing_to_decide(run) -> None:
    (stand,) = json.loads(run("best", TABLE, "--hand", "7s 7d 7c", "--dealer", "10h", "--format", "json")[1])["choices"]
    assert stand["choice"] == "stand"


def test_tens_of_one_rank_may_be_split_by_rank(run) -> None:
    ranks = ("best", TABLE, "--set", "split=ranks", "--dealer", "6h", "--format", "json", "--hand")
    one, two = (json.loads(run(*ranks, hand)[1]) for hand in ("Ks Kd", "Ks Qd"))
    assert {"split", "stand", "hit", "double"} == {choice["choice"] for choice in one["choices"]}
    assert {"stand", "hit", "double"} == {choice["choice"] for choice in two["choices"]}


def test_the_chart_on_the_terminal_is_the_chart_in_csv(run, chart_file) -> None:
    code, out, _ = run("strategy", TABLE, *SMALL, "--format", "csv")
    assert code == 0
    assert Chart.parse(out) == Chart.parse(chart_file.read_text())
    told = run("strategy", TABLE, *SMALL)[1]
    assert "house edge of this chart" in told
    assert "S stand, H hit" in told and "surrender" not in told, "the legend has the letters of this chart"


@pytest.mark.parametrize("ending", ["html", "svg", "json"])
def test_a_chart_is_saved_as_a_picture_or_as_data(run, tmp_path, ending) -> None:
    file = tmp_path / f"chart.{ending}"
    assert run("strategy", TABLE, *SMALL, "--save", file)[0] == 0
    text = file.read_text()
    if ending == "json":
        assert len(json.loads(text)["chart"]) == 38
    else:
        assert text.count("<svg") == 1
        assert "Blackjack with Lucky Lucky (Washington)" in text
        assert "double, else hit" in text
        assert "src=" not in text


def test_every_result_of_a_round_is_told(run) -> None:
    code, out, _ = run("solve", TABLE, "--decks", "1", "--set", "split-hands=3", "--about", "results", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert sum(float(row["chance"]) for row in rows) == pytest.approx(1, abs=1e-12)
    assert {row["net"] for row in rows} == {f"{net}/1" for net in range(-6, 7)} | {"3/2"}


def test_lucky_lucky_is_told_beside_the_main_bet(run) -> None:
    found = json.loads(run("solve", TABLE, *SMALL, "--about", "lucky", "--format", "json")[1])
    assert 0 < found["correlation"] < 0.05
    assert [row["rank"] for row in found["removal"]] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def test_split_hands_are_played_freely_if_asked_for(run) -> None:
    fixed, free = (
        json.loads(run("solve", TABLE, *SMALL, "--after-split", how, "--format", "json")[1])["house_edge"]["percent"]
        for how in ("fixed", "free")
    )
    assert free < fixed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("solve", TABLE, "--after-split", "maybe"), 'split hands are played "fixed" or "free", not "maybe"'),
        (("solve", TABLE, "--about", "luck"), 'blackjack is solved about edge, insurance, results, lucky, not "luck"'),
        (("solve", TABLE, "--chart", "nothing.csv"), "nothing.csv cannot be read as a chart: No such file or directory"),
        (("solve", TABLE, "--about", "lucky", "--chart", "a.csv"), "leave --chart out"),
        (("solve", "duki-4-wa", "--about", "results"), "--about says nothing about Duki 4 Poker"),
        (("best", TABLE, "--hand", "10s 9h 8d", "--dealer", "5h"), "give two or more cards of at most 21 points"),
        (("best", TABLE, "--hand", "10s", "--dealer", "5h"), "give two or more cards of at most 21 points"),
        (("best", TABLE, "--hand", "10s 9h", "--dealer", "5h 6h"), "and the up-card"),
        (("best", TABLE, "--decks", "1", "--hand", "10s 10s", "--dealer", "5h"), "10s"),
        (("strategy", TABLE, "--decks", "1", "--save", "chart.pdf"), "known: html, svg, csv, json"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run, arguments, told) -> None:
    code, out, err = run(*arguments)
    assert code != 0
    assert not out
    assert told in err
    assert len(err.strip().splitlines()) == 1


def test_a_chart_with_a_hole_is_refused_in_one_line(run, chart_file) -> None:
    chart_file.write_text(chart_file.read_text().replace("hard 16,S", "hard 16,", 1))
    code, _, err = run("solve", TABLE, *SMALL, "--chart", chart_file)
    assert code != 0
    assert err.strip().endswith("hard 16 against 2: nothing is given (accepted: S, H, D, d, R, r)")
