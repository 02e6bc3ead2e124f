"""What comes back after many bets: the ranges hold for the mean of N bets, by convolution, and not for single ones."""

import json
from itertools import accumulate, pairwise
from math import gcd, lcm, sqrt

import numpy as np
import pytest
from typer.testing import CliRunner

import houseway as hw
from houseway.cli.main import app
from houseway.odds.ranges import BETS, Z, fair_from, return_range, return_ranges


def sum_of_bets(sheet, bets):
    """How likely each sum of nets is after so many bets: one bet after the other, doubled where that is quicker."""
    unit = lcm(*(row.net.denominator for row in sheet.rows))
    nets = [int(row.net * unit) for row in sheet.rows]
    least, step = min(nets), gcd(*(net - min(nets) for net in nets))
    one = np.zeros((max(nets) - least) // step + 1)
    for net, row in zip(nets, sheet.rows, strict=True):
        one[(net - least) // step] += float(row.probability)
    size = 1 << (bets * (one.size - 1)).bit_length()
    chances = np.fft.irfft(np.fft.rfft(one, size) ** bets, size)[: bets * (one.size - 1) + 1]
    return [(bets * least + step * place) / unit for place in range(chances.size)], chances


def share_within(sheet, bets, range_):
    sums, chances = sum_of_bets(sheet, bets)
    returns = 1 + np.array(sums) / bets
    return chances[(returns >= range_.low) & (returns <= range_.high)].sum()


@pytest.mark.parametrize(("wager", "bets"), [("banker", 200), ("player", 1000), ("dragon-7", 10_000), ("tie", 4_000)])
@pytest.mark.parametrize("percent", Z)
def test_the_mean_of_so_many_bets_is_within_its_range_that_often(wager, bets, percent):
    sheet = hw.edition("ez-baccarat-wa").odds()[wager]
    assert bets >= fair_from(sheet)
    assert share_within(sheet, bets, return_range(sheet, bets, percent)) * 100 == pytest.approx(percent, abs=1.2)


def test_a_single_bet_is_not_within_the_volatility_index_that_often():
    """What was said before: Dragon 7 loses 97.7 times in 100, and Banker's bet ends within 1.645 deviations always."""
    odds = hw.edition("ez-baccarat-wa").odds()
    within = {
        wager: float(
            sum(
                row.probability
                for row in odds[wager].rows
                if abs(float(row.net + odds[wager].house_edge)) <= odds[wager].volatility_index
            )
        )
        for wager in ("banker", "dragon-7")
    }
    assert within["banker"] == 1
    assert within["dragon-7"] > 0.97


def test_the_convolution_is_what_it_says_for_three_bets():
    sheet = hw.edition("ez-baccarat-wa").odds()["player"]
    sums, chances = sum_of_bets(sheet, 3)
    by_net = dict.fromkeys((-3, -2, -1, 0, 1, 2, 3), 0.0)
    for a in sheet.rows:
        for b in sheet.rows:
            for c in sheet.rows:
                by_net[int(a.net + b.net + c.net)] += float(a.probability * b.probability * c.probability)
    assert dict(zip(map(int, sums), chances, strict=True)) == pytest.approx(by_net)


def test_half_the_range_at_90_is_the_volatility_index_over_the_root_of_n():
    sheet = hw.edition("ez-baccarat-wa").odds()["banker"]
    for range_ in return_ranges(sheet, (400, 90_000)):
        if range_.percent == 90:
            assert (range_.high - range_.low) / 2 == pytest.approx(sheet.volatility_index / sqrt(range_.bets))
            assert (range_.high + range_.low) / 2 == pytest.approx(1 - float(sheet.house_edge))


def test_ranges_grow_with_certainty_shrink_with_bets_and_keep_to_what_can_be():
    sheet = hw.edition("lucky-lucky-wa").odds()["lucky-lucky"]
    ranges = return_ranges(sheet)
    assert [(range_.bets, range_.percent) for range_ in ranges] == [(bets, percent) for bets in BETS for percent in Z]
    for percent in Z:
        widths = [range_.high - range_.low for range_ in ranges if range_.percent == percent]
        assert all(wide > narrow for wide, narrow in pairwise(widths))
    assert list(accumulate((r.high for r in ranges if r.bets == 1000), max)) == [r.high for r in ranges if r.bets == 1000]
    assert min(range_.low for range_ in ranges) >= 0


def test_a_rare_prize_needs_more_bets_for_a_fair_range():
    odds = hw.edition("ez-baccarat-wa").odds()
    assert fair_from(odds["player"]) < 10
    assert 100 < fair_from(odds["dragon-7"]) < 1000


def test_the_shell_says_what_the_index_bounds_and_gives_the_ranges():
    told = CliRunner().invoke(app, ["odds", "ez-baccarat-wa", "--wager", "banker"]).output
    assert "what comes back of all that is staked" in told
    assert "of single bets it says nothing" in told
    sheet = hw.edition("ez-baccarat-wa").odds()["banker"]
    range_ = return_range(sheet, 10_000, 95)
    assert f"{range_.low * 100:.2f} to {range_.high * 100:.2f} %" in told
    data = json.loads(CliRunner().invoke(app, ["odds", "ez-baccarat-wa", "--wager", "banker", "--format", "json"]).output)
    ranges = data["wagers"][0]["return_ranges"]
    assert ranges["fair_from_bets"] == fair_from(sheet)
    assert {"bets": 10_000, "percent": 95, "low": range_.low, "high": range_.high} in ranges["ranges"]
