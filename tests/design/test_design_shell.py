"""`houseway design`: what it finds is what `odds` says to the last digit, what it registers is marked, refusals are a line."""

import tomllib

import pytest

from houseway.api import Rulebook
from houseway.design.content import as_toml
from houseway.design.mark import NOT_APPROVED
from houseway.games import edition_files, edition_from
from houseway.house.standing import standing
from houseway.rulebook.document import read_toml
from houseway.table.bound import as_text
from houseway.view.edition import described

DYNASTY = ("design", "ez-pai-gow-wa", "--wager", "dynasty", "--pay-table", "3")
LUCKY = ("design", "lucky-lucky-wa", "--wager", "lucky-lucky")


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))


@pytest.mark.usefixtures("house")
def test_a_design_is_registered_and_its_par_sheet_is_the_same_to_the_last_digit(run, data):
    found = data(*DYNASTY, "--edge", "6%..7%", "--hit", "18%..22%", "--sd", "..5", "--register", "dynasty-low")
    wager = found["wagers"][0]
    design = wager["designs"][0]
    assert (found["registered"], wager["proved"]) == ("dynasty-low", True)
    sheet = data("odds", "dynasty-low", "--wager", "dynasty")["wagers"][0]
    case = design["cases"][0]
    assert sheet["house_edge"] == case["house_edge"]
    assert (sheet["variance"], sheet["standard_deviation"]) == (case["variance"], case["standard_deviation"])
    assert {row["outcome"]: row["pays"] for row in sheet["outcomes"]} == design["pays"]
    assert 6 <= sheet["house_edge"]["percent"] <= 7
    assert sheet["standard_deviation"] <= 5
    assert run("cage", "fund", "20000")[0] == 0
    code, _, err = run("table", "open", "demo", "--edition", "dynasty-low", "--opener", "5000")
    assert (code, err) == (0, "")
    code, _, err = run(*DYNASTY, "--edge", "6%..7%", "--register", "dynasty-low")
    assert code == 2
    assert "is registered already" in err


@pytest.mark.usefixtures("house")
def test_a_design_is_said_to_be_one_wherever_its_badge_is_said(run, data):
    run(*DYNASTY, "--edge", "6%..7%", "--register", "dynasty-low", "--name", "Dynasty, low")
    listed = next(row for row in data("editions") if row["edition"] == "dynasty-low")
    assert listed["approval"] == NOT_APPROVED
    assert listed["status"].startswith(f"{NOT_APPROVED}: ")
    for command in (("odds", "dynasty-low", "--wager", "red-black"), ("rules", "dynasty-low")):
        assert f"Dynasty, low{' ·' if command[0] == 'odds' else ':'} {NOT_APPROVED}: " in run(*command)[1]


def test_every_word_of_its_badge_has_the_mark_and_no_other_edition_has():
    book = Rulebook.open("lucky-lucky-wa")
    designed = book.design("lucky-lucky", "5%..6%")
    content = designed.content("lucky-design")
    badge, seen = standing(edition_from(content, "lucky-design")), described(as_text(content))
    assert seen["approval"] == seen["short"] == NOT_APPROVED
    assert seen["badge"] == str(badge)
    for said in (str(badge), badge.short, badge.heading, badge.approval):
        assert said.startswith(NOT_APPROVED)
    assert badge.status == "modified"
    for id_ in edition_files():
        assert NOT_APPROVED not in str(standing(Rulebook.open(id_).edition))


def test_a_design_cannot_pass_as_approved():
    """Its content says that no letter is on file; one that claims a letter is an edition of one's own, never approved."""
    content = Rulebook.open("lucky-lucky-wa").design("lucky-lucky", "5%..6%").content("lucky-design")
    assert content["approval"] == {
        "on_file": False,
        "date": NOT_APPROVED,
        "maker": "DEQ Systems Corp.",
        "jurisdiction": "Washington",
        "conditions": ["LLB-3", "LLB-L1"],
    }
    claimed = standing(edition_from(content | {"approval": content["approval"] | {"on_file": True}}, "claimed"))
    assert claimed.status == "modified"
    assert "approved rules" not in str(claimed)


@pytest.mark.parametrize("id_", edition_files())
def test_toml_that_is_written_is_read_as_it_was_in_its_order(id_):
    content = read_toml(edition_files()[id_])
    assert tomllib.loads(as_toml(content)) == content
    again = edition_from(tomllib.loads(as_toml(content)), id_)
    assert again.settings() == edition_from(content, id_).settings()
    odd = {"a": 'quote " \\ \n \x7f \x01 é', "b c": {"1": [1, "x"], "": {"d": True}}}
    assert tomllib.loads(as_toml(odd)) == odd


def test_everything_holds_with_every_number_of_decks():
    designed = Rulebook.open("lucky-lucky-wa").design("lucky-lucky", "3%..4%", decks="1..8")
    found = designed.wagers[0]
    sheets = found.sheets(found.found.pays[0])
    assert [sheet.settings["decks"] for sheet in sheets] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(0.03 <= sheet.house_edge <= 0.04 for sheet in sheets)
    assert designed.content("x")["settings"]["decks"] == [6, 1, 2, 3, 4, 5, 7, 8]


def test_envy_prizes_are_found_for_any_number_of_players_and_bets():
    designed = Rulebook.open("ez-pai-gow-wa").design(
        "dynasty",
        "3%..8%",
        pay_table=3,
        players="1..6",
        bets="5,25",
        envy={"four-of-a-kind": "1..5", "straight-flush": "5..20"},
        rows=["five-aces=same"],
    )
    found = designed.wagers[0]
    sheets = found.sheets(found.found.pays[0])
    assert len(sheets) == 12
    assert {(sheet.envy.players, sheet.envy.bet_cents) for sheet in sheets if sheet.envy} >= {(6, 500), (6, 2500), (1, 500)}
    assert all(0.03 <= sheet.house_edge <= 0.08 for sheet in sheets)
    assert (
        designed.content("x")["wagers"]["dynasty"]["envy_dollars"]["3"]
        == designed.data()["wagers"][0]["designs"][0]["envy_dollars"]
    )


def test_a_row_may_lose_only_if_that_is_asked_and_then_hits_change():
    book = Rulebook.open("ez-pai-gow-wa")
    never = book.design("dynasty", "6%..8%", hit="10%..15%").data()["wagers"][0]
    assert never["designs"] == []
    assert never["proved"]
    assert "it is 19.1944 % whatever is paid" in never["none_because"][0]
    asked = book.design("dynasty", "6%..8%", hit="10%..15%", rows={"straight": "lose,2"}).data()["wagers"][0]
    assert asked["designs"][0]["pays"]["straight"] == "lose"


def test_two_wagers_make_one_edition():
    designed = Rulebook.open("ez-pai-gow-wa").design(["dynasty", "protection"], "5%..6.5%", pay_table=3)
    content = designed.content("both")
    changed = {wager["wager"]: wager["designs"][0]["changes"] for wager in designed.data()["wagers"]}
    assert all(changed.values())
    for row in changed["dynasty"]:
        assert content["wagers"]["dynasty"]["pays"]["3"][row["row"]] == row["to"]
    for row in changed["protection"]:
        assert content["wagers"]["protection"]["pays"][row["row"]] == row["to"]
    assert next(iter(content["wagers"]["dynasty"]["pays"])) == "3"


def test_the_law_is_told_with_its_figures():
    def law(top):
        first = Rulebook.open("lucky-lucky-wa").design("lucky-lucky", "2%..9%", top=top).data()["wagers"][0]["designs"][0]
        return {each["rule"]: each for each in first["law"]}

    high, low = law("200..200"), law("40..40")
    assert high["WAC 230-15-490"]["meets"] is True
    assert "from $20,000 on" in high["WAC 230-15-490"]["says"]
    assert low["WAC 230-15-490"]["meets"] is None
    assert "no aggregate payout limit may be used" in low["WAC 230-15-490"]["says"]
    assert "$16,000" in low["WAC 230-15-050"]["says"]
    assert high["WAC 230-15-035"]["meets"] is False
    present = Rulebook.open("ez-baccarat-wa").design("banker", "1%..2%").data()["wagers"][0]["designs"][0]
    assert not present["changes"]
    assert present["law"][0]["meets"] is None  # nothing is changed that needs an approval


def test_what_is_taken_for_granted_is_said(run):
    assert "under 8 decks" in run("design", "ez-baccarat-wa", "--wager", "dragon-7", "--edge", "7%..8%")[1]
    dynasty = ("design", "ez-pai-gow-wa", "--wager", "dynasty", "--pay-table", "3", "--edge", "6%..7%")
    assert "under 1 player, who wins no envy" in run(*dynasty)[1]
    _, none, _ = run("design", "ez-baccarat-wa", "--wager", "dragon-7", "--edge", "5%..6%")
    assert "only the usual numbers of casinos were tried: --pays 1..100" in none
    assert "41 to 1" in run("design", "ez-baccarat-wa", "--wager", "dragon-7", "--edge", "5%..6%", "--pays", "1..100")[1]


def test_all_that_there_are_and_the_frontier(data):
    rows = (
        "--rows",
        "678=20..30;suited-21=10,15,20",
        "--rows",
        "21=2,3;20=2,3;19=2,3;777=same",
        "--rows",
        "suited-777=200;suited-678=100",
    )
    found = data(*LUCKY, *rows, "--edge", "2%..4%", "--any-order", "--all", "--frontier", "4")["wagers"][0]
    assert found["complete"]
    assert len(found["designs"]) > 10
    edges = [design["cases"][0]["house_edge"]["percent"] for design in found["designs"]]
    assert all(2 <= edge <= 4 for edge in edges)
    deviations = [design["cases"][0]["standard_deviation"] for design in found["designs"]]
    for part, low in zip(found["frontier"], (2, 2.5, 3, 3.5), strict=True):
        within = [sd for edge, sd in zip(edges, deviations, strict=True) if low <= edge <= low + 0.5]
        assert (part["design"] is None) == (not within)
        if within:
            assert part["design"]["cases"][0]["standard_deviation"] == pytest.approx(min(within), rel=1e-6)


def test_csv_has_a_line_for_every_row(run):
    code, out, _ = run(*LUCKY, "--edge", "5%..6%", "--format", "csv")
    assert code == 0
    assert out.splitlines()[0].startswith("edition,wager,pay_table,design,row,kind,probability,present,pays,house_edge_percent")
    assert len(out.splitlines()) == 1 + 9


BAD = {
    ("--edge", "8%..6%"): "it ends before it begins (write 6%..8%",
    ("--edge", "6..8"): "a percentage has its %",
    ("--edge", "much"): "not a number",
    ("--edge", "0%..0%"): "it must end above zero",
    ("--edge=-5%..1%",): "it lies from 0 % to 100 %",
    ("--edge", ".."): "no band",
    ("--edge", "6%..7%..8%"): "no band",
    ("--edge", "5%..6%", "--sd", "0"): 'sd "0" is not possible: it must end above zero',
    ("--edge", "5%..6%", "--sd", "3%"): "it is no percentage",
    ("--edge", "5%..6%", "--top", "2.5.."): "a whole number is required",
    ("--edge", "5%..6%", "--hit", "20"): "a percentage has its %",
    ("--edge", "5%..6%", "--rows", "six-seven=4"): 'unknown row "six-seven"',
    ("--edge", "5%..6%", "--rows", "678=0"): 'rows: 678 "0" is not possible: a pay is required',
    ("--edge", "5%..6%", "--rows", "678"): "write a row and what it may pay",
    ("--edge", "5%..6%", "--rows", "678=6..4"): "it begins at 1 or more and ends no lower",
    ("--edge", "5%..6%", "--rows", "678=4;678=5"): "678 is given twice",
    ("--edge", "5%..6%", "--pays", "1,two"): 'pays "two" is not possible',
    ("--edge", "5%..6%", "--pays", "lose,1"): "row by row",
    ("--edge", "5%..6%", "--goal", "best"): 'unknown goal "best"',
    ("--edge", "5%..6%", "--most", "0"): "0 designs are not possible",
    ("--edge", "5%..6%", "--number", "0"): "numbered from 1 on",
    ("--edge", "5%..6%", "--frontier", "1"): "possible: 2 to 50",
    ("--edge", "..6%", "--frontier", "2"): "a band of the edge with two ends",
    ("--edge", "5%..6%", "--seconds", "0"): "0 seconds are not possible",
    ("--edge", "5%..6%", "--decks", "0..8"): "numbers from 1 to 8",
    ("--edge", "5%..6%", "--players", "3"): "has no envy prizes",
    ("--edge", "5%..6%", "--envy", "678=5"): "has no envy prizes",
    ("--edge", "5%..6%", "--pay-table", "3:2,6:5"): "one pay table is designed at a time",
    ("--edge", "5%..6%", "--set", "moon=full"): 'unknown setting "moon"',
    ("--edge", "5%..6%", "--wager", "blackjack"): "hangs on how guests decide",
    ("--edge", "5%..6%", "--wager", "moon"): 'unknown wager "moon"',
    ("--edge", "5%..6%", "--register", "Bad Id"): "the id 'Bad Id' is not possible",
    ("--edge", "5%..6%", "--register", "lucky-lucky-wa"): "is the id of a built-in edition",
    ("--edge", "99%..99.5%", "--register", "lucky-2"): "there is no design 1 to register: the edge: the rows allow at most",
}


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("given", BAD, ids=" ".join)
def test_what_cannot_be_is_refused_in_a_line(run, given):
    code, out, err = run(*LUCKY, *given)
    assert code == 2
    assert out == ""
    assert err.startswith("houseway: ")
    assert len(err.splitlines()) == 1
    assert BAD[given] in err


def test_a_wager_that_is_placed_by_a_decision_has_no_design(run):
    code, _, err = run("design", "duki-4-wa", "--wager", "play", "--edge", "5%..6%")
    assert (code, err) == (2, "houseway: play is placed by a decision, as part of ante: it has no odds of its own\n")


def test_that_there_is_none_is_an_answer_with_its_reason(run):
    for given, reason in (
        (("--edge", "99%..99.5%"), "the edge: the rows allow at most"),
        (("--edge", "5%..6%", "--sd", "..1"), "the standard deviation: the least that the other conditions allow is 1."),
        (("--edge", "5%..6%", "--rows", "21=3", "--hit", "50%.."), "the hit rate: it is 23.7487 % whatever is paid"),
    ):
        code, out, err = run(*LUCKY, *given)
        assert (code, err) == (0, "")
        assert "there is none (proved). In the way is:" in out
        assert reason in out
