"""Mid-shoe entry: who enters and leaves with the count is another than who spreads, and another rule stops him."""

from dataclasses import replace
from fractions import Fraction

import pytest

from houseway.api import Rulebook
from houseway.protect.report import MidShoe
from houseway.protect.spread import parse_spread

BOOK = Rulebook.open("ez-baccarat-wa")
TAGS = "0,0,0,-1,-1,-1,-1,2,2,0"


@pytest.mark.parametrize("spread", ["1,2:2,4:8", "2:2,4:8", "3:1"])
def test_who_enters_with_the_count_is_not_who_spreads(spread):
    """What the other of the two wins is what his bets come to by count, on the same shoes; and the verdict says which he is."""
    protected = BOOK.protect("banker", TAGS, spread=spread, shoes=3000, exact_shoes=2, cut=14, tolerated_cents=0)
    data, bets = protected.data(), parse_spread(spread)
    entry, nets = data["mid_shoe_entry"], [float(net) for net in protected.table.pays[2]]
    rounds = protected.watched.by_count
    if bets.below:
        units = [bet if bet > bets.below else 0 for bet in bets.by_bin()]
    else:
        units = [max(bet, bets.least) for bet in bets.by_bin()]
    won = sum(bet * (seen @ nets) for bet, seen in zip(units, rounds, strict=True)) / rounds.sum()
    assert entry["enters_with_the_count"] == (not bets.below) == (data["bets_share"] < 1)
    assert entry["otherwise"]["units_per_100_rounds"] == pytest.approx(100 * won)
    assert entry["otherwise"]["bets_share"] == (pytest.approx(1) if not bets.below else pytest.approx(
        rounds[[bool(bet) for bet in units]].sum() / rounds.sum()
    ))  # fmt: skip
    said = next(line for line in data["verdict"] if "mid-shoe entry" in line)
    if bets.below:
        assert said.startswith("He bets in every round: the rule of no mid-shoe entry does not touch him.")
    else:
        assert said.startswith("He enters and leaves with the count.")


@pytest.mark.parametrize(
    ("spread", "units", "otherwise", "ends"),
    [
        ("2:1,4:8", 50.0, -9.0, "an hour: no mid-shoe entry stops it, and costs no rounds."),
        ("2:1,4:8", 50.0, 40.0, "an hour: that alone does not stop it."),
        ("2:1,4:8", -9.0, -20.0, "an hour."),
        ("1,4:8", 20.0, 50.0, "an hour: that rule stops him."),
        ("1,4:8", 20.0, 10.0, "an hour."),
    ],
)
def test_the_rule_is_said_to_stop_whom_the_figures_show_it_stops(spread, units, otherwise, ends):
    protected = BOOK.protect("banker", TAGS, spread=spread, shoes=50, exact_shoes=2, cut=14)
    other = MidShoe(spread == "2:1,4:8", Fraction(4), replace(protected.figures, units_per_100_rounds=otherwise))
    protected.figures = replace(protected.figures, units_per_100_rounds=units)
    assert protected._mid_shoe_words(other, parse_spread(spread)).endswith(ends)


@pytest.mark.parametrize(("wager", "spread"), [("banker", "2"), ("dragon-7", "2:1,4:8")])
def test_who_always_bets_the_same_or_only_beside_is_told_nothing_of_mid_shoe_entry(wager, spread):
    """A side bet may be left out by anybody who sits there: no rule of entry hinders that."""
    data = BOOK.protect(wager, TAGS, spread=spread, shoes=300, exact_shoes=2, cut=14).data()
    assert "mid_shoe_entry" not in data
    assert not any("mid-shoe" in line for line in data["verdict"])
