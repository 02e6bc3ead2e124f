"""Strategy charts of blackjack: computed, read, played, and refused where they have holes."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from houseway.games import open_edition
from houseway.games.blackjack.solve.analysis import Analysis, BlackjackRules
from houseway.games.blackjack.solve.basic import basic_strategy
from houseway.games.blackjack.solve.chart import ROWS, UPS, Chart, ChartPlay, accepted
from houseway.games.blackjack.solve.costs import remembered
from houseway.games.blackjack.solve.rulings import ACE, TEN
from houseway.refusal import Refused

EDITION = open_edition("lucky-lucky-wa")


def rules_of(**chosen) -> BlackjackRules:
    return BlackjackRules.of(EDITION, EDITION.settings({name.replace("_", "-"): value for name, value in chosen.items()}))


@cache
def chart_of(**chosen) -> Chart:
    return basic_strategy(rules_of(**chosen))


@pytest.mark.parametrize("chosen", [{"decks": 2}, {"decks": 2, "hole_card": "none-original-bets-only"}])
def test_a_split_that_the_chart_does_not_make_costs_what_playing_it_loses(chosen) -> None:
    """What a cell tells of an error is what a chart with that error in it is worth less."""
    rules = BlackjackRules.of(EDITION, EDITION.settings(chosen, what_if=True))
    chart = basic_strategy(rules)
    pairs = remembered(rules, chart, 0.0, 0.0).charts[-1]
    own = float(ChartPlay(rules, chart=chart).value())
    for row, up in (("10,10", UPS[4]), ("5,5", ACE), ("4,4", TEN), ("9,9", UPS[5])):
        assert chart.cells[row, up] != "P"
        erring = float(ChartPlay(rules, chart=Chart({**chart.cells, (row, up): "P"})).value())
        assert pairs.rows[row][UPS.index(up)].costs["split"] == pytest.approx(own - erring, abs=1e-12)


def test_the_chart_of_six_decks() -> None:
    """The cells that every book prints for six decks, the dealer hitting a soft 17."""
    chart = chart_of(decks=6)
    assert chart.row("hard 16") == tuple("SSSSSHHHHH")
    assert chart.row("hard 11") == tuple("DDDDDDDDDD")
    assert chart.row("hard 12") == tuple("HHSSSHHHHH")
    assert chart.row("soft 18") == tuple("dddddSSHHH")
    assert chart.row("soft 19") == tuple("SSSSdSSSSS")
    assert chart.row("8,8") == tuple("PPPPPPPPPP")
    assert chart.row("9,9") == tuple("PPPPPSPPSS")
    assert chart.row("10,10") == tuple("SSSSSSSSSS")


def test_late_surrender_has_its_cells() -> None:
    """As printed for six decks and a dealer who hits soft 17: 15 against 10 and ace, 16 against 9, 10, ace, 17 and eights
    against an ace; a 16 of three cards then stands against a ten, for those of two have been given up.
    """
    chart = chart_of(decks=6, surrender="late")
    assert chart.row("hard 15") == tuple("SSSSSHHHRR")
    assert chart.row("hard 16") == tuple("SSSSSHHRrR")
    assert chart.row("hard 17") == tuple("SSSSSSSSSr")
    assert chart.row("8,8")[-1] == "R"


def test_one_deck_has_its_own_chart() -> None:
    """The dealer stands on soft 17, doubling after splits: cells in which one deck differs from many."""
    chart = chart_of(decks=1, soft_17="stands")
    assert chart.row("hard 8") == tuple("HHHDDHHHHH")
    assert chart.row("hard 11") == tuple("DDDDDDDDDD")
    assert chart.row("7,7") == tuple("PPPPPPPHSH")
    assert chart.row("soft 18")[-1] == "S"


def test_the_chart_costs_little_and_never_gains() -> None:
    for chosen in ({"decks": 1, "soft_17": "stands"}, {"decks": 6}):
        cost = Analysis(rules_of(**chosen)).value() - ChartPlay(rules_of(**chosen), chart=chart_of(**chosen)).value()
        assert 0 < cost < 0.0005


def changed(chart: Chart, row: str, up: int, letter: str) -> Chart:
    return Chart({**chart.cells, (row, up): letter})


def column_value(play: ChartPlay, up: int) -> float:
    return sum(float(deal.chance) * play.decide(*deal[:3])[1] for deal in play.deals() if deal.up == up)


CLOSE = [("hard 16", TEN), ("hard 12", 2), ("hard 12", 3), ("soft 18", ACE), ("hard 15", TEN), ("soft 13", 4), ("hard 13", 1)]


@pytest.mark.parametrize("decks", [1, 6])
def test_no_change_of_a_close_cell_is_better(decks) -> None:
    _no_change_is_better(decks, CLOSE)


@pytest.mark.deep
@pytest.mark.parametrize("decks", [1, 2, 6])
def test_no_change_of_any_cell_is_better(decks) -> None:
    _no_change_is_better(decks, [(row, up) for row in ROWS for up in UPS])


def _no_change_is_better(decks: int, cells: list[tuple[str, int]]) -> None:
    rules, chart = rules_of(decks=decks, surrender="late"), chart_of(decks=decks, surrender="late")
    values = {up: column_value(ChartPlay(rules, chart=chart), up) for up in UPS}
    for row, up in cells:
        for letter in accepted(row):
            other = column_value(ChartPlay(rules, chart=changed(chart, row, up, letter)), up)
            assert other <= values[up] + 1e-14, (row, up, letter)


# A chart as a file


def test_a_chart_is_read_as_it_is_written() -> None:
    chart = chart_of(decks=6)
    assert Chart.parse(chart.text()) == chart


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("hard 16,S", "hard 16,", "hard 16 against 2: nothing is given (accepted: S, H, D, d, R, r)"),
        ("hard 16,S", "hard 16,X", 'hard 16 against 2: "X" is not known (accepted: S, H, D, d, R, r)'),
        ("hard 16,S", "hard 16,P", 'hard 16 against 2: "P" is not known'),
        ("hard 21,S", "hard 21,H", 'hard 21 against 2: "H" is not known (accepted: S)'),
        ("hard 16,", "hard 15,", "row hard 15 is given twice"),
        ("hard 16,", "hard 61,", 'row "hard 61" is not known (known: hard 4 to hard 21; soft 12 to soft 21; 2,2 to A,A)'),
        ("hard 16,S,S", "hard 16,S", "row hard 16 has 9 cells, and there are 10 up-cards"),
        ("hand,2,3", "hand,2,2", "column 2 is given twice"),
        ("hand,2,", "hand,1,", 'column "1" is not known (known: 2, 3, 4, 5, 6, 7, 8, 9, 10, A)'),
        ("hand,2,", "hard,2,", 'it begins with "hard"'),
    ],
)
def test_a_chart_with_a_fault_is_refused_in_one_line(old, new, told) -> None:
    text = chart_of(decks=6).text()
    with pytest.raises(Refused) as refused:
        Chart.parse(text.replace(old, new, 1))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_chart_with_a_row_or_everything_missing_is_refused() -> None:
    lines = chart_of(decks=6).text().splitlines()
    with pytest.raises(Refused, match="row soft 12 is missing"):
        Chart.parse("\n".join(line for line in lines if not line.startswith("soft 12")))
    with pytest.raises(Refused, match="column 2 is missing"):
        Chart.parse("")


def test_a_chart_in_fractions_is_the_chart_in_floats() -> None:
    rules = replace(rules_of(decks=1), counts=(2, 1, 1, 1, 2, 1, 1, 1, 1, 4))
    exact = ChartPlay(rules, exact=True, chart=chart_of(decks=1)).value()
    assert isinstance(exact, Fraction)
    assert float(exact) == pytest.approx(ChartPlay(rules, chart=chart_of(decks=1)).value(), abs=1e-14)
