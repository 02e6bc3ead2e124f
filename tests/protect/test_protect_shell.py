"""`houseway protect`: the names that others script against, what it says to a floor, and what it refuses in a line."""

import json

import pytest

from houseway.api import Rulebook

DRAGON = "0,0,0,-1,-1,-1,-1,2,2,0"
NAMES = {
    "edition", "wager", "settings", "conventions", "count", "shoes", "rounds_per_shoe", "bets_share", "edge_when_bet",
    "units_per_shoe", "units_per_100_rounds", "standard_deviation_per_round", "desirability_index", "betting_correlation",
    "standard_errors", "ceiling", "by_cut",
}  # fmt: skip
QUICK = ("--shoes", "400", "--exact-shoes", "10")


@pytest.fixture(scope="module")
def protected():
    return Rulebook.open("ez-baccarat-wa").protect("dragon-7", DRAGON, 4, cut=14, shoes=3000, exact_shoes=30).answer()


def test_json_has_the_names_that_others_script_against(data):
    found = data("protect", "ez-baccarat-wa", "--wager", "dragon-7", "--count", DRAGON, "--trigger", "4", "--cut", "14", *QUICK)
    assert found.keys() >= NAMES
    assert found["count"] == {"tags": [0, 0, 0, -1, -1, -1, -1, 2, 2, 0], "trigger": 4, "start": None}
    assert found["shoes"] == 400
    assert found["conventions"] == {
        "cut": 14, "burn": 1, "burn_by_value": False, "burn_shown": False, "extra": 0, "divisor": "cards", "players": 1,
        "seed": 1,
    }  # fmt: skip
    assert found["standard_errors"].keys() <= found.keys()
    assert found["settings"]["decks"] == 8


def test_conventions_are_settings_and_are_printed(run):
    _, out, _ = run(
        "protect", "ez-baccarat-wa", "--wager", "panda-8", "--count", "1,1,-2,-2,-2,-1,-1,-2,4,1", "--trigger", "11",
        "--cut", "20", "--burn", "value", "--burn-shown", "--extra", "1", "--divisor", "half-decks", "--players", "3",
        "--set", "decks=6", *QUICK,
    )  # fmt: skip
    said = (
        "cut card 20 from the end, its round finished and 1 more round dealt; 1 card burned face up and as many more as it is "
        "worth face down; 3 players; true count by unseen decks, to the nearest half"
    )
    assert said in out
    assert "decks 6" in out


def test_the_same_seed_gives_the_same_answer_and_another_does_not():
    book = Rulebook.open("ez-baccarat-wa")
    once, again, other = (
        book.protect("dragon-7", DRAGON, 4, cut=14, shoes=300, exact_shoes=5, seed=seed).data() for seed in (5, 5, 6)
    )
    assert once == again
    assert once["units_per_shoe"] != other["units_per_shoe"]


def test_a_deeper_cut_card_gives_more_rounds_and_more_bets(protected):
    rows = protected.data["by_cut"]
    assert [row["cut"] for row in rows] == [14, 26, 39, 52, 78, 104, 130, 156, 208]
    for name in ("rounds_per_shoe", "bets_share"):
        values = [row[name] for row in rows]
        assert values == sorted(values, reverse=True), name
    own = {name: value for name, value in rows[0].items() if name not in {"cut", "dollars_an_hour", "standard_errors"}}
    assert own.items() <= protected.data.items()


def test_index_and_n0_follow_from_win_and_spread(protected):
    data = protected.data
    index = 1000 * data["units_per_100_rounds"] / 100 / data["standard_deviation_per_round"]
    assert data["desirability_index"] == pytest.approx(index)
    assert data["n0"] == pytest.approx((1000 / index) ** 2)
    assert data["units_per_shoe"] == pytest.approx(data["units_per_100_rounds"] * data["rounds_per_shoe"] / 100)
    by_hand = data["bets_share"] * data["edge_when_bet"] * 100
    assert data["units_per_100_rounds"] == pytest.approx(by_hand)


def test_the_verdict_tells_dollars_an_hour_at_the_limit_and_what_stops_it(protected):
    data = protected.data
    hour = data["units_per_100_rounds"] / 100 * 72 * 400
    assert data["dollars_an_hour"] == pytest.approx(hour)
    assert "A counter who bets $400 on dragon-7" in data["verdict"][0]
    assert "at 72 rounds" in data["verdict"][0]
    text = " ".join(data["verdict"])
    assert "rounds a shoe instead of" in text or "nothing need be done" in text or "lower the limit" in text
    assert [change["change"].split(",")[0] for change in data["changes"]] == [
        "dragon-7 at most as much as banker", "bets a quarter as large", "bets twice as large", "6 decks",
    ]  # fmt: skip


def test_a_main_bet_that_must_lie_beside_it_costs_its_own_edge(protected):
    """A cap makes every bet cost what Banker costs: some 1 % of what is bet."""
    capped = next(change for change in protected.data["changes"] if "beside it" in change["change"])
    cost = (protected.data["units_per_100_rounds"] - capped["units_per_100_rounds"]) / (100 * protected.data["bets_share"])
    assert cost == pytest.approx(0.0102, abs=4 / (3000 * 7) ** 0.5)


def test_csv_has_a_row_for_each_cut_card_and_svg_is_a_plot(run, tmp_path):
    arguments = ("protect", "ez-baccarat-wa", "--wager", "dragon-7", "--count", DRAGON, "--trigger", "4", "--cut", "14", *QUICK)
    _, out, _ = run(*arguments, "--format", "csv")
    lines = out.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("cut,rounds_per_shoe,bets_share,edge_when_bet,units_per_shoe,")
    code, _, _ = run(*arguments, "--out", tmp_path / "by-cut.svg")
    assert code == 0
    drawn = (tmp_path / "by-cut.svg").read_text()
    assert drawn.startswith("<svg ")
    assert drawn.count("<circle") == 9


def test_without_a_count_the_program_finds_some(run):
    code, out, _ = run("protect", "ez-baccarat-ca", "--wager", "panda-8", "--cut", "14", "--format", "json", *QUICK)
    found = json.loads(out)
    assert code == 0
    assert [(each["level"], each["balanced"]) for each in found["counts_found"]] == [
        (level, balanced) for level in (1, 2, 3) for balanced in (True, False)
    ]
    assert found["effects_of_removal"].keys() == set("A23456789T")
    assert found["count"]["tags"] in [each["tags"] for each in found["counts_found"]]


def test_published_figures_are_held_against_every_convention(data):
    found = data("protect", "ez-baccarat-wa", "--wager", "panda-8", "--published", "--shoes", "200")
    tried = found["conventions_tried"]
    assert {each["divisor"] for each in tried} == {"cards", "half-decks", "decks", "decks-up", "decks-down", "left"}
    assert {each["extra"] for each in tried} == {0, 1}
    assert {(each["burn"], each["burn_shown"], each["burn_by_value"]) for each in tried} == {
        (0, False, False), (1, False, False), (1, True, False), (1, True, True),
    }  # fmt: skip
    away = [abs(each["standard_errors_away"]) for each in tried]
    assert away == sorted(away)
    assert tried[0]["reproduced"]


def test_a_dealers_card_seen_is_worth_what_the_solver_says(data):
    found = data("protect", "duki-4-wa", "--wager", "ante", "--seen", "card")
    solved = data("solve", "duki-4-wa", "--seen", "card")
    assert found["house_edge"] == solved["house_edge"]
    assert found["house_edge_seen"] == solved["house_edge_with_a_dealer_card_seen"]
    assert found["house_edge_seen"]["percent"] < found["house_edge"]["percent"]
    assert found["dollars_an_hour"] == pytest.approx(
        -found["house_edge_seen"]["percent"] / 100 * found["bet_cents"] / 100 * found["decisions_an_hour"]
    )


BAD = {
    "ten tags": (("--count", "1,2,3"), "3 tags were given: ten are needed, for A,2,3,4,5,6,7,8,9,T"),
    "thirteen tags": (("--count", ",".join(["0"] * 13)), "13 tags were given"),
    "no such card": (("--count", "Jk=1,7=2"), '"Jk" is no card with a tag of its own'),
    "no number": (("--count", "0,0,0,-1,-1,-1,-1,2,two,0"), 'tag: "two" is not a number'),
    "nothing counted": (("--count", "0,0,0,0,0,0,0,0,0,0"), "all tags are 0"),
    "not a number": (("--count", DRAGON, "--trigger", "nan"), 'trigger: "nan" is not a number'),
    "too large": (("--count", DRAGON, "--trigger", "1e99"), 'trigger: "1e99" is not a number'),
    "a trigger of nothing": (("--trigger", "4"), "a trigger or a start goes with a count"),
    "a cut card beyond the shoe": (("--cut", "416"), "cut 416 is not possible: the shoe has 416 cards"),
    "a cut card below the shoe": (("--cut", "-1"), "cut -1 is not possible"),
    "nothing left to deal": (("--cut", "415"), "leaves nothing to deal"),
    "too few behind": (("--cut", "4"), "4 cards behind the cut card are too few"),
    "too few for more rounds": (("--cut", "14", "--extra", "2"), "the last rounds may take 18"),
    "zero shoes": (("--shoes", "0"), '--shoes "0" is not possible'),
    "negative shoes": (("--shoes", "-5"), '--shoes "-5" is not possible'),
    "half a shoe": (("--shoes", "0.5"), '--shoes "0.5" is not possible'),
    "burned": (("--burn", "some"), '--burn "some" is not possible'),
    "divided": (("--divisor", "deck"), 'unknown divisor "deck": did you mean decks'),
    "seats": (("--players", "99"), "99"),
    "seed": (("--seed", "-1"), "seed -1 is not possible"),
    "hour": (("--hour", "-3"), "-3 decisions an hour are not possible"),
    "bet": (("--bet", "1000"), "a bet on dragon-7 is 1 to 400 dollars"),
    "file": (("--out", "counted.xyz"), "what is written follows the ending"),
    "seen": (("--seen", "hand"), 'unknown way to see cards "hand"'),
    "a spread with a trigger": (("--count", DRAGON, "--trigger", "4", "--spread", "4:1"), "leave the trigger out"),
    "a spread that falls": (("--count", DRAGON, "--spread", "4:2,5:1"), "bets rise with the count"),
    "a spread too wide": (("--count", DRAGON, "--spread", "1,5:500"), "goes below the least of $1 (at most 1 to 400)"),
    "a spread without numbers": (("--count", DRAGON, "--spread", "high"), '"high" is not COUNT:UNITS'),
    "a main count alone": (("--count", DRAGON, "--main-count", DRAGON), "give both (--main-count, --main-spread)"),
    "nothing to decide": (("--count", DRAGON, "--play", "chart"), "nothing is decided in dragon-7 by a count here"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_clear_line(case, run):
    arguments, said = BAD[case]
    code, out, err = run("protect", "ez-baccarat-wa", "--wager", "dragon-7", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("edition", "wager", "said"),
    [
        ("ez-baccarat-wa", "dragon", "did you mean dragon-7"),
        ("duki-4-wa", "ante", "every round has a deck of its own (it knows: --seen card, --seen hand, --seen 2-hands"),
        ("ez-pai-gow-wa", "dynasty", "every round has a deck of its own"),
    ],
)
def test_what_cannot_be_counted_is_said(edition, wager, said, run):
    code, _, err = run("protect", edition, "--wager", wager)
    assert code == 2
    assert said in err
