"""Lucky Lucky and blackjack watched: exact worth, known facts, spreads and index plays."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from literal_blackjack import rounds_of_shoe

from houseway.api import Rulebook
from houseway.cards import Composition
from houseway.games.blackjack.outcomes import LUCKY_OUTCOMES
from houseway.games.blackjack.protect import LuckyWorth
from houseway.games.blackjack.rules import lucky_lucky
from houseway.games.blackjack.simulate import CountedPlay, SeatPlay, computed_chart, setup_for
from houseway.games.blackjack.simulate.tables import mimic_chart
from houseway.games.blackjack.solve.chart import UPS, Chart
from houseway.games.blackjack.solve.rulings import value_of
from houseway.kernels.counting import BET, CELL, CLASS_LEFT, COUNT, LEFT, SHOE, UNSEEN
from houseway.odds.par_sheet import par_sheet
from houseway.protect.count import Count
from houseway.protect.customs import CounterCustoms
from houseway.protect.exact import ExactShoes
from houseway.protect.protection import Playing
from houseway.protect.spread import parse_spread, usual_spread
from houseway.protect.tags import best_tags, effects_of_removal
from houseway.protect.watch import Watch, WatchedTable, divisors_of
from houseway.refusal import Refused

BOOK = Rulebook.open("lucky-lucky-wa")
HI_LO = "-1,1,1,1,1,1,0,0,0,-1"
FEW_ROUNDS = 270
"""A cut card that leaves a few rounds: valuing one exactly takes a tenth of a second."""
NAMES = {
    "edition", "wager", "settings", "conventions", "count", "shoes", "rounds_per_shoe", "bets_share", "edge_when_bet",
    "units_per_shoe", "units_per_100_rounds", "standard_deviation_per_round", "desirability_index", "betting_correlation",
    "standard_errors", "ceiling", "by_cut",
}  # fmt: skip


def settings(**given):
    return BOOK.edition.settings(given)


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_lucky_lucky_is_worth_what_its_par_sheet_says_of_a_whole_shoe(decks):
    at = settings(decks=decks)
    lucky, exact = LuckyWorth(BOOK.edition, at), -par_sheet(BOOK.edition, "lucky-lucky", at).house_edge
    whole = lucky.parts[None]
    assert lucky.by_suit(whole)[0] == pytest.approx(float(exact), abs=1e-12)
    assert lucky.by_value(whole.sum(axis=2))[0] == pytest.approx(float(exact), abs=1e-12)


def test_lucky_lucky_by_suits_is_what_every_three_cards_of_a_few_pay():
    at = settings()
    cards = [20, 21, 24, 24, 27, 16, 17, 20, 48, 0, 35, 39]
    nets = [BOOK.edition.pay("lucky-lucky", outcome.id, at).net for outcome in LUCKY_OUTCOMES]
    encoded = BOOK.edition.game.encode(at)
    every = [nets[lucky_lucky(np.array(three), encoded)] for three in permutations(cards, 3)]
    left = np.zeros((1, 10, 4), np.int64)
    for card in cards:
        left[0, value_of(card), card % 4] += 1
    mean = float(sum(every, Fraction(0)) / len(every))
    assert LuckyWorth(BOOK.edition, at).by_suit(left)[0] == pytest.approx(mean, abs=1e-12)


def test_who_knows_values_only_values_a_card_gone_as_the_par_sheet_does():
    at = settings(decks=2)
    lucky = LuckyWorth(BOOK.edition, at)
    left = lucky.parts.sum(axis=1)
    left[6] -= 1
    exact = -par_sheet(BOOK.edition, "lucky-lucky", at, Composition((), (5,))).house_edge
    assert value_of(4 * 5) == 6
    assert lucky.by_value(left[None])[0] == pytest.approx(float(exact), abs=1e-12)


def test_effects_of_removal_of_lucky_lucky_are_in_proportion_to_the_published_tags():
    published = (-0.98, 0.90, 0.70, 0.47, 0.37, -1.21, -2.00, -1.46, 0.29, 0.73)
    effects = [float(each) for each in effects_of_removal(BOOK.edition, settings(decks=2), "lucky-lucky")]
    assert np.corrcoef(published, effects)[0, 1] > 0.999


def test_perfect_play_of_lucky_lucky_with_two_decks_is_as_published():
    """Two decks, cut at card 75: 27.69 % of hands at +5.91 %; to somebody who knows no suits."""
    table = WatchedTable(BOOK.edition, settings(decks=2), "lucky-lucky", CounterCustoms(29, burn=0), 7)
    ceiling = ExactShoes(table, 0, 2000).ceiling()
    assert ceiling.edge_when_bet.value == pytest.approx(0.0591, abs=4 * ceiling.edge_when_bet.error)
    assert ceiling.bets_share == pytest.approx(0.2769, abs=0.02)


def test_suits_known_are_worth_something_and_are_the_same_for_the_same_seed():
    table = WatchedTable(BOOK.edition, settings(decks=2), "lucky-lucky", CounterCustoms(29), 3)
    exact = ExactShoes(table, 0, 300)
    finer = table.protection.finer(table.edition, table.settings, "lucky-lucky")
    parts = exact.parts_left(finer)
    assert np.array_equal(parts.sum(axis=2), exact.unseen)
    assert np.array_equal(parts, ExactShoes(table, 0, 300).parts_left(finer))
    edges = finer.worth(parts)
    won_without = float(edges[exact.edges > 0].sum()) / exact.shoes  # by bets that hang on values alone, at what they are worth
    won = exact.finer_ceiling(finer).units_per_shoe.value
    assert won == pytest.approx(float(edges[edges > 0].sum()) / exact.shoes)
    assert won > won_without


def test_lucky_lucky_has_all_the_names_and_counts_found():
    data = BOOK.protect("lucky-lucky", shoes=300, exact_shoes=20, decks=2).data()
    assert data.keys() >= NAMES
    assert all(data[name] is not None for name in NAMES)
    assert [(each["level"], each["balanced"]) for each in data["counts_found"]] == [
        (level, balanced) for level in (1, 2, 3) for balanced in (True, False)
    ]
    assert data["ceiling"]["without_suits"]["bets_share"] > 0


def test_spreads_are_read_as_they_are_written():
    spread = parse_spread("1, 1:2, 2.5:4")
    assert (spread.text(), spread.least, spread.most) == ("1,1:2,2.5:4", 1, 4)
    assert [spread.by_bin()[bin_] for bin_ in (0, 81, 82, 84, 85, 160)] == [1, 1, 2, 2, 4, 4]
    assert usual_spread(Fraction(1), [Fraction(tag) for tag in HI_LO.split(",")]).text() == "1,1:2,2:4,3:6,4:8"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1:two", '"1:two" is not COUNT:UNITS'),
        ("1:-2", '"1:-2" is not COUNT:UNITS'),
        ("x:2", 'count of the spread: "x" is not a number'),
        ("2:4,1:8", "1 comes after 2: counts rise"),
        ("1:4,2:2", "2 units at 2 are fewer than 4 at 1"),
        ("5,1:2", "2 units at 1 are fewer than 5 below it"),
        ("0", "nothing is ever bet"),
        ("1:0", "nothing is ever bet"),
        ("1:1,5", '"5" has no count'),
        ("99:2", "a count of 99 is not a whole or half number"),
        ("0.3:2", "a count of 0.3 is not a whole or half number"),
        ("", '"" is not COUNT:UNITS'),
    ],
)
def test_a_spread_that_makes_no_sense_is_refused(text, said):
    with pytest.raises(Refused) as refused:
        parse_spread(text)
    assert said in str(refused.value)


TAGS = tuple(int(tag) for tag in HI_LO.split(","))
KO = (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1)
DIVIDE = {
    "cards": lambda unseen, left: Fraction(unseen, 52),
    "left": lambda unseen, left: Fraction(left, 52),
    "half-decks": lambda unseen, left: Fraction(max(1, int(Fraction(unseen, 26) + Fraction(1, 2))), 2),
    "decks-up": lambda unseen, left: Fraction(max(1, -(-unseen // 52))),
}
CUSTOMS = {
    "one burned face down": (TAGS, None, CounterCustoms(70)),
    "three burned and shown": (TAGS, None, CounterCustoms(60, burn=3, burn_shown=True)),
    "three burned face down, three players": (TAGS, None, CounterCustoms(100, burn=3, players=3)),
    "cards left divide": (TAGS, None, CounterCustoms(60, burn=4, divisor="left")),
    "half decks": (TAGS, None, CounterCustoms(60, divisor="half-decks")),
    "decks rounded up": (TAGS, None, CounterCustoms(60, divisor="decks-up")),
    "a running count": (KO, -20, CounterCustoms(60)),
}


def counting_table(tags, start, customs, wager="blackjack"):
    """A table whose first player splits tens and stands on twelve from a count of 1 on, and insures from 2 on."""
    at = settings()
    usual = computed_chart(BOOK.edition, at)
    bold = Chart({**usual.cells, **{("10,10", up): "P" for up in UPS}, **{("hard 12", up): "S" for up in UPS}})
    wild = Chart({**bold.cells, **{("hard 16", up): "d" for up in UPS}, **{("A,A", up): "H" for up in UPS}})
    table = WatchedTable(BOOK.edition, at, wager, customs, 11)
    count = Count(tuple(map(Fraction, tags)), Fraction(1), None if start is None else Fraction(start))
    divisors = tuple(divisors_of(table, count).tolist())
    charts = ((-40, usual), (1, bold), (4, wild))
    counted = CountedPlay(tuple(tags), 2, charts, 1, start or 0, divisors, customs.divisor == "left")
    seats = [SeatPlay(usual, count=counted), *[SeatPlay(usual)] * (customs.players - 1)]
    table = replace(table, playing=Playing(setup_for(BOOK.edition, at, seats), (), ""))
    cells = [{(row, 1 if up == 0 else up + 1): letter for (row, up), letter in each.cells.items()} for _, each in charts]
    return table, count, [(least, each) for (least, _), each in zip(charts, cells, strict=True)]


def check_hand_by_hand(case, first, last):
    tags, start, customs = CUSTOMS[case]
    table, count, charts = counting_table(tags, start, customs)
    pays, unit, _ = table.pays
    rows = Watch(table, replace(count, units=tuple(parse_spread("1,1:2,2:5").by_bin()))).trace(first, last)
    by_value = dict(zip(range(1, 11), tags, strict=True))
    rounds = [
        each
        for number in range(first, last)
        for each in rounds_of_shoe(
            11, number, 6, by_value, customs, DIVIDE[customs.divisor], charts[0][1], charts, 2, start
        )
    ]  # fmt: skip
    assert len(rows) == len(rounds)
    for row, (shoe, unseen, running, counted, net, lucky, values) in zip(rows, rounds, strict=True):
        assert [row[SHOE], row[UNSEEN], row[COUNT]] == [shoe, unseen, running]
        assert row[BET] == (5 if counted >= 2 else 2 if counted >= 1 else 1)
        assert Fraction(int(pays[0, row[CELL]]), unit) == net
        assert next(each.outcome for each in table.setup.meaning(row[CELL]) if each.wager == "lucky-lucky") == lucky
        assert row[CLASS_LEFT:].tolist() == values


@pytest.mark.parametrize("case", CUSTOMS)
def test_the_blackjack_counter_equals_the_literal_one_hand_by_hand(case):
    check_hand_by_hand(case, 0, 12)


def test_three_aces_are_hit_like_any_soft_thirteen():
    """In shoe 279 the counter holds three aces, which his chart hits: they were stood on once."""
    check_hand_by_hand("a running count", 279, 280)


def test_who_mimics_the_dealer_draws_to_soft_twelve_and_thirteen():
    chart = mimic_chart(BOOK.edition.game.encode(settings()))
    assert {chart.cells[row, up] for row in ("soft 12", "soft 13", "A,A", "soft 17") for up in UPS} == {"H"}
    assert {chart.cells[row, up] for row in ("soft 18", "hard 17") for up in UPS} == {"S"}


@pytest.mark.deep
@pytest.mark.parametrize("case", CUSTOMS)
def test_the_blackjack_counter_equals_the_literal_one_on_thousands_of_shoes(case):
    for first in range(0, 2000, 250):
        check_hand_by_hand(case, first, first + 250)


def test_a_shoe_that_runs_out_in_a_round_ends_with_it():
    table = WatchedTable(BOOK.edition, settings(decks=1), "blackjack", CounterCustoms(2, players=5), 4)
    rows = Watch(table, Count(tuple(map(Fraction, TAGS)), Fraction(1))).trace(0, 200)
    for number in range(200):
        left = rows[rows[:, SHOE] == number][:, LEFT]
        assert all(more - fewer >= 12 for more, fewer in pairwise(left)), number
        assert 2 < left[-1] < 40


@pytest.fixture(scope="module")
def hi_lo():
    """Hi-Lo at six decks, by index plays, with the spread that is usual."""
    return BOOK.protect("blackjack", HI_LO, shoes=6000, exact_shoes=2, cut=52)


def test_hi_lo_follows_blackjack_as_well_as_is_known(hi_lo):
    data = hi_lo.data()
    assert data.keys() >= NAMES
    assert all(data[name] is not None for name in NAMES)
    assert data["betting_correlation"] == pytest.approx(0.97, abs=0.01)
    effects = {card: float(Fraction(effect)) for card, effect in data["effects_of_removal"].items()}
    assert max(effects, key=effects.get) == "5"
    assert min(effects, key=effects.get) == "T"
    assert effects["A"] < 0 < effects["7"]


def test_the_best_tags_of_blackjack_are_known_ones(hi_lo):
    """Of level 1 those of Hi-Lo, of level 3 those of Halves, twice."""
    table = hi_lo.table
    found = {
        each.level: each for level in (1, 3) for each in best_tags(hi_lo.effects, table.copies, level) if not each.sum_of_a_deck
    }
    assert found[3].tags == (-2, 1, 2, 2, 3, 2, 1, 0, -1, -2)
    assert found[1].tags == TAGS


@pytest.mark.parametrize(
    ("hand", "up", "play", "known", "within"),
    [
        ("insurance", "A", "yes", 3.0, 0.1),
        ("hard 16", "10", "stand", 0, 0.6),
        ("hard 15", "10", "stand", 4, 0.8),
        ("10,10", "5", "split", 5, 0.8),
        ("10,10", "6", "split", 4, 0.8),
        ("hard 12", "2", "stand", 3, 0.8),
        ("hard 12", "4", "stand", 0, 0.8),
        ("hard 13", "2", "stand", -1, 0.8),
        ("hard 9", "2", "double, else hit", 1, 0.8),
        ("hard 9", "7", "double, else hit", 3, 0.8),
        ("hard 10", "10", "double, else hit", 4, 0.8),
        ("hard 11", "A", "double, else hit", -1, 0.8),
        ("hard 16", "A", "stand", 3, 0.8),
    ],
)
def test_index_plays_are_the_known_ones(hi_lo, hand, up, play, known, within):
    """The published ones, for six decks and a dealer who hits soft 17, are whole numbers."""
    found = [each for each in hi_lo.data()["index_plays"] if (each["hand"], each["up"], each["play"]) == (hand, up, play)]
    assert [each["index"] for each in found] == [pytest.approx(known, abs=within)]


def test_insurance_and_sixteen_against_ten_come_first(hi_lo):
    assert [(each["hand"], each["up"]) for each in hi_lo.data()["index_plays"][:2]] == [("insurance", "A"), ("hard 16", "10")]


def test_the_edge_rises_by_half_a_percent_with_each_count(hi_lo):
    rows = [row for row in hi_lo.data()["by_true_count"] if -8 <= row["count"] <= 8]
    counts, weights = np.array([row["count"] for row in rows]), np.array([1 / row["standard_error"] for row in rows])
    slope, _ = np.polyfit(counts, [row["edge"] for row in rows], 1, w=weights)
    error = 1 / np.sqrt((weights**2 * (counts - np.average(counts, weights=weights**2)) ** 2).sum())
    assert slope == pytest.approx(0.005, abs=0.0015 + 4 * error)
    assert sum(row["share"] for row in hi_lo.data()["by_true_count"]) == pytest.approx(1)


def test_bets_follow_the_spread_and_figures_follow_from_them(hi_lo):
    data = hi_lo.data()
    assert data["bets_share"] == 1
    average = sum(row["share"] * row["units"] for row in data["by_true_count"])
    assert data["average_bet"] == pytest.approx(average)
    won = data["average_bet"] * data["edge_when_bet"] * 100
    assert data["units_per_100_rounds"] == pytest.approx(won)
    assert data["desirability_index"] == pytest.approx(10 * won / data["standard_deviation_per_round"])
    assert data["dollars_an_hour"] == pytest.approx(won / 100 * 65 * 400 / data["count"]["spread"][-1]["units"])


def test_the_answer_shows_both_plots_and_what_is_played(hi_lo):
    answer = hi_lo.answer()
    assert "edge by true count, %" in answer.files[".svg"]
    assert "Index plays" in answer.text
    assert "A counter who bets $50 to $400 on blackjack" in answer.text


def test_side_bet_and_main_game_are_summed_up_together():
    data = BOOK.protect(
        "lucky-lucky", "-1,1,1,1,1,-2,-3,-2,0,1", 3, shoes=400, exact_shoes=5, play="chart",
        main_count=HI_LO, main_spread="1,2:4", cut=FEW_ROUNDS,
    ).data()  # fmt: skip
    both = data["together"]
    assert both["main"] == "blackjack"
    assert both["units_per_100_rounds"] != data["units_per_100_rounds"]
    assert both["standard_deviation_per_round"] > data["standard_deviation_per_round"]
    table = BOOK.protect("blackjack", HI_LO, spread="1,2:4", play="chart", shoes=400, exact_shoes=2, cut=FEW_ROUNDS).data()
    assert both["units_per_100_rounds"] - data["units_per_100_rounds"] == pytest.approx(table["units_per_100_rounds"])


def test_a_counter_who_plays_by_a_chart_of_his_own(tmp_path):
    file = tmp_path / "chart.csv"
    file.write_text(computed_chart(BOOK.edition, settings()).text())
    own = BOOK.protect("blackjack", HI_LO, 1, play=str(file), shoes=200, exact_shoes=2, cut=FEW_ROUNDS).data()
    usual = BOOK.protect("blackjack", HI_LO, 1, play="chart", shoes=200, exact_shoes=2, cut=FEW_ROUNDS).data()
    assert own["units_per_shoe"] == usual["units_per_shoe"]
    assert [each["hand"] for each in own["index_plays"]] == ["insurance"]


BAD = {
    "a chart with holes": (("--count", HI_LO, "--play", "holes.csv"), "hard 16 against 10: nothing is given"),
    "no such chart": (("--count", HI_LO, "--play", "none.csv"), "cannot be read as a chart"),
    "tags of a joker": (("--count", "Jk=1"), '"Jk" is no card with a tag of its own'),
    "a trigger that is no number": (("--count", HI_LO, "--trigger", "high"), 'trigger: "high" is not a number'),
    "a spread that falls": (("--count", HI_LO, "--spread", "8,1:4"), "bets rise with the count"),
    "a spread wider than the limits": (("--count", HI_LO, "--spread", "1,4:500"), "(at most 1 to 400)"),
    "a main bet beside the main bet": (
        ("--count", HI_LO, "--main-count", HI_LO, "--main-spread", "1,2:4"), "no main bet lies beside blackjack",
    ),
    "an endless shoe": (("--count", HI_LO, "--set", "shuffler=continuous"), "every round has a deck of its own"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_clear_line(case, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = computed_chart(BOOK.edition, settings()).text().splitlines()
    holes = [line.rsplit(",", 2)[0] + ",," + line.rsplit(",", 1)[1] if line.startswith("hard 16") else line for line in lines]
    (tmp_path / "holes.csv").write_text("\n".join(holes))
    arguments, said = BAD[case]
    code, out, err = run(
        "protect", "lucky-lucky-wa", "--wager", "blackjack", "--shoes", "100", "--exact-shoes", "2", *arguments
    )
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_insurance_is_asked_for_with_the_bet_that_it_goes_with(run):
    code, _, err = run("protect", "lucky-lucky-wa", "--wager", "insurance", "--count", HI_LO)
    assert code == 2
    assert "ask for --wager blackjack" in err


def test_a_wager_that_the_edition_does_not_have(run):
    code, _, err = run("protect", "lucky-lucky-wa", "--wager", "dragon-7")
    assert code == 2
    assert "dragon-7" in err
