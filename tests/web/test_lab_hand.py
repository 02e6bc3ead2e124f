"""Hands, strategies and players' odds over HTTP: what the solvers of the games say, and nothing that a page made up."""

import csv
import io
from fractions import Fraction
from math import sqrt
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from test_lab import lab_app
from test_lab_runs import Event, _events

from houseway.api import Rulebook
from houseway.cards import parse_cards
from houseway.games import open_edition
from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.refusal import Refused
from houseway.solve.solver import best_edge, solved_sheet
from houseway.web import lab_hand, lab_sheets, lab_solve
from houseway.web.lab_solving import PlayerAsked, StrategyAsked, solve_asked

DUKI, LUCKY = "/api/v1/editions/duki-4-wa", "/api/v1/editions/lucky-lucky-wa"
BACCARAT, PAI_GOW = "/api/v1/editions/ez-baccarat-wa", "/api/v1/editions/ez-pai-gow-wa"


@pytest.fixture(scope="module")
def lab() -> TestClient:
    app = lab_app()
    app.include_router(lab_hand.router)
    app.include_router(lab_solve.router)
    return TestClient(app)


def _asked(lab: TestClient, path: str, **query: Any) -> dict[str, Any]:
    answer = lab.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_page_is_told_whose_cards_are_wanted(lab: TestClient) -> None:
    wanted = {
        DUKI: [("hand", 4, 4), ("dealer", 0, 1), ("other", 0, 4)],
        LUCKY: [("hand", 2, 11), ("dealer", 1, 1)],
        PAI_GOW: [("hand", 7, 7)],
        BACCARAT: [],
    }
    for path, places in wanted.items():
        answer = _asked(lab, f"{path}/hand")
        assert [(place["whose"], place["least"], place["most"]) for place in answer["places"]] == places
        assert answer["gone"] == (path in {LUCKY, BACCARAT})
        assert bool(answer["why_not"]) == (not places)
    assert _asked(lab, f"{LUCKY}/hand", decks=2)["copies"]["As"] == 2
    assert _asked(lab, f"{PAI_GOW}/hand")["copies"]["Jk"] == 1


@pytest.mark.parametrize(("path", "cards", "settings"), [
    (DUKI, {"hand": "9h 7c 5s 2d"}, {}),
    (DUKI, {"hand": "9h 7c 5s 2d", "dealer": "As"}, {}),
    (LUCKY, {"hand": "10s 6d", "dealer": "10h"}, {"decks": 2}),
    (LUCKY, {"hand": "5s 6d 5h", "dealer": "10h"}, {}),
])  # fmt: skip
def test_choices_are_those_of_the_shell_and_the_best_is_first(lab: TestClient, path: str, cards: dict[str, str],
                                                             settings: dict[str, Any]) -> None:  # fmt: skip
    answer = _asked(lab, f"{path}/best", **cards, **settings)
    known = Rulebook.open(path.rsplit("/", maxsplit=1)[-1]).choices(**cards, **settings)
    assert [(each["choice"], each["worth"]["value"]) for each in answer["choices"]] == [(c.name, float(c.worth)) for c in known]
    best = answer["choices"][0]
    assert best["best"] and best["less"]["value"] == 0
    assert sum(len(each["made_by"]) for each in answer["choices"]) == 1, "somebody who remembers a strategy chooses one of them"
    exact = [Fraction(each["worth"]["exact"]) for each in answer["choices"] if each["worth"]["exact"]]
    assert exact == ([c.worth for c in known] if answer["arithmetic"] == "exact" else [])


def test_a_remembered_strategy_that_errs_is_shown_with_its_cost(lab: TestClient) -> None:
    """16 of three cards against a ten: totals say hit, the cards say stand."""
    stand, hit = _asked(lab, f"{LUCKY}/best", hand="5s 6d 5h", dealer="10h")["choices"]
    assert (stand["choice"], hit["choice"], hit["made_by"]) == ("stand", "hit", ["basic strategy"])
    assert hit["less"]["value"] == pytest.approx(stand["worth"]["value"] - hit["worth"]["value"]) and hit["less"]["value"] > 0


def test_sets_lie_in_front_and_behind_and_the_house_way_is_one_of_them(lab: TestClient) -> None:
    hand = "9h 9c 6s Jd As Kd Jk"
    Rulebook.open("ez-pai-gow-wa").choices(hand)  # what takes long is kept from then on
    choices = _asked(lab, f"{PAI_GOW}/best", hand=hand)["choices"]
    for choice in choices:
        assert [part["name"] for part in choice["parts"]] == ["front", "back"]
        laid = [card for part in choice["parts"] for card in part["cards"]]
        assert sorted(parse_cards(" ".join(laid))) == sorted(parse_cards(hand))
        assert sum(count for end, count in choice["deals"].items() if end != "total") == choice["deals"]["total"]
        won, lost = choice["deals"]["win"], choice["deals"]["lose"]
        assert Fraction(choice["worth"]["exact"]) == Fraction(won - lost, choice["deals"]["total"])
    assert [choice["made_by"] for choice in choices if choice["made_by"]] == [["House Way"]]


def test_wagers_are_reckoned_without_the_cards_that_are_gone(lab: TestClient) -> None:
    answer = _asked(lab, f"{BACCARAT}/gone", gone="8s 8d 9x", decks=6)
    book = Rulebook.open("ez-baccarat-wa").odds(removed="8s 8d 9x", decks=6)
    assert {each["wager"]: Fraction(each["house_edge"]["exact"]) for each in answer["wagers"]} == {
        name: book[name].house_edge for name in book
    }
    whole = par_sheet(open_edition("ez-baccarat-wa"), "tie", open_edition("ez-baccarat-wa").settings({"decks": 6})).house_edge
    assert next(each for each in answer["wagers"] if each["wager"] == "tie")["house_edge_whole"]["exact"] == str(whole)
    assert answer["cards_left"] == 6 * 52 - 3
    lucky = _asked(lab, f"{LUCKY}/gone", gone="7s")
    assert [each["wager"] for each in lucky["wagers"]] == ["lucky-lucky"] and list(lucky["left_out"]) == ["blackjack"]


@pytest.mark.parametrize(("path", "query", "says"), [
    (f"{DUKI}/best", {"hand": "9h 9h 6s Jd"}, "four cards of 52, all different"),
    (f"{DUKI}/best", {"hand": "nonsense"}, "is not a card"),
    (f"{LUCKY}/best", {"hand": "8s 8d"}, "and the up-card"),
    (f"{LUCKY}/best", {"hand": "8s 8d", "dealer": "8h", "decks": 9}, "decks"),
    (f"{LUCKY}/best", {"hand": "10s 6d", "dealer": "10h", "other": "8s"}, "another player's hand says nothing"),
    (f"{BACCARAT}/best", {"hand": "8s 8d"}, "nothing to decide"),
    (f"{DUKI}/gone", {"gone": "8s"}, "a fresh deck for each round"),
    (f"{BACCARAT}/gone", {"gone": " ".join(["8s"] * 9)}, "8s"),
    (f"{PAI_GOW}/hand", {"house-way": "/etc/passwd.toml"}, "is not possible"),
    (f"{DUKI}/odds", {"wager": "ante", "player": "nobody"}, "known: best, line"),
    (f"{BACCARAT}/odds", {"wager": "tie", "player": "best"}, "leave player out"),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused_in_a_line(lab: TestClient, path: str, query: dict[str, Any], says: str) -> None:
    answer = lab.get(path, params=query)
    assert answer.status_code == 400 and says in answer.json()["message"], answer.text
    assert "\n" not in answer.json()["message"]


def test_a_players_odds_are_named_and_exact(lab: TestClient) -> None:
    answer = _asked(lab, f"{DUKI}/odds", wager="ante", player="best")
    assert (answer["player"], answer["exact"]) == ("best", True) and "best" in answer["strategy"]
    assert answer["house_edge"]["exact"] == "96459473/2926537250"
    assert answer["players"] == ["best", "line"]
    plain = _asked(lab, f"{DUKI}/odds", wager="ante")
    assert plain["player"] == "" and plain["house_edge"]["value"] > answer["house_edge"]["value"]


def test_a_sampled_wager_says_what_a_solver_knows_and_for_whom_it_solves_the_rest(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab_sheets, "is_sheet_ready", lambda *asked: False)  # whatever other tests have worked out
    answer = _asked(lab, f"{LUCKY}/odds", wager="blackjack", decks=2)
    book = open_edition("lucky-lucky-wa")
    assert answer["method"] == "simulated" and answer["standard_error"] and answer["solvable"] == "best"
    assert (answer["exact"], answer["player"], answer["strategy"]) == (False, "", "mimic the dealer")
    assert answer["solved_edge"]["player"] == "best" and answer["solved_edge"]["exact"] == ""
    assert answer["solved_edge"]["value"] == best_edge(book, "blackjack", book.settings({"decks": 2}))
    named = lab.get(f"{LUCKY}/odds", params={"wager": "blackjack", "decks": 2, "player": "best"})
    assert named.status_code == 400 and named.json()["code"] == "takes-long" and "odds/stream" in named.json()["message"]


FEW_HANDS = {"decks": 2, "split-hands": 2}
"""Settings of which every result is worked out in seconds."""


@pytest.fixture(scope="module")
def worked_out() -> ParSheet:
    """Every result of blackjack with few hands, which is kept from then on."""
    book = open_edition("lucky-lucky-wa")
    return solved_sheet(book, "blackjack", book.settings(FEW_HANDS), "best")


def _exacts(answer: Any) -> list[str]:
    """Every number that is called exact."""
    if isinstance(answer, list):
        return [each for part in answer for each in _exacts(part)]
    if not isinstance(answer, dict):
        return []
    own = [answer["exact"]] if isinstance(answer.get("exact"), str) else []
    return own + [each for part in answer.values() for each in _exacts(part)]


def test_every_result_of_the_best_player_is_told_once_it_was_worked_out(lab: TestClient, worked_out: ParSheet) -> None:
    answer = _asked(lab, f"{LUCKY}/odds", wager="blackjack", **FEW_HANDS)
    book = open_edition("lucky-lucky-wa")
    settings = book.settings(FEW_HANDS)
    assert (answer["method"], answer["player"], answer["strategy"]) == ("solved", "best", "the player decides by: best")
    assert not answer["exact"] and answer["standard_error"] is None and answer["solvable"] == "" and not answer["solved_edge"]
    assert _exacts(answer) == [""] * len(_exacts(answer)) and answer["total"] == ""
    rows = {row["outcome"]: row for row in answer["outcomes"]}
    chances = {outcome: row["probability"]["value"] for outcome, row in rows.items()}
    assert {"blackjack", "blackjacks", "net-4", "net--4", "net-0"} <= set(rows) and not {"win", "lose"} & set(rows)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    nets = {outcome: float(Fraction(row["net"])) for outcome, row in rows.items()}
    mean = sum(nets[outcome] * chance for outcome, chance in chances.items())
    central = {power: sum((nets[o] - mean) ** power * chance for o, chance in chances.items()) for power in (2, 3, 4)}
    assert answer["house_edge"]["value"] == pytest.approx(best_edge(book, "blackjack", settings), abs=1e-12)
    assert answer["house_edge"]["value"] == pytest.approx(-mean, abs=1e-12)
    assert answer["standard_deviation"] == pytest.approx(sqrt(central[2]), abs=1e-12)
    assert answer["skewness"] == pytest.approx(central[3] / central[2] ** 1.5, abs=1e-12)
    assert answer["excess_kurtosis"] == pytest.approx(central[4] / central[2] ** 2 - 3, abs=1e-12)
    assert answer["hit_rate"]["value"] == pytest.approx(sum(chances[o] for o, net in nets.items() if net > 0), abs=1e-12)
    assert answer["push_rate"]["value"] == pytest.approx(chances["net-0"] + chances["blackjacks"], abs=1e-12)
    assert answer["staked"] > 1.1
    assert answer["element_of_risk"] == pytest.approx(-mean / answer["staked"], abs=1e-12)
    assert [outcome for outcome, row in rows.items() if not row["is_fixed"]] == ["blackjack"]
    edge = _asked(lab, f"{LUCKY}/edge", wager="blackjack", **FEW_HANDS)
    assert (edge["player"], edge["is_ready"], edge["house_edge"]["exact"]) == ("best", True, "")


def test_a_solved_wager_is_sampled_only_where_that_is_asked_for(lab: TestClient, worked_out: ParSheet) -> None:
    sampled = _asked(lab, f"{LUCKY}/odds", wager="blackjack", player="sampled", **FEW_HANDS)
    assert (sampled["method"], sampled["strategy"]) == ("simulated", "mimic the dealer")
    repaid = _asked(lab, f"{LUCKY}/odds", wager="blackjack", pay="blackjack=6 to 5", what_if=True, **FEW_HANDS)
    lost = 0.3 * float(worked_out["blackjack"].probability)
    assert repaid["method"] == "solved"
    assert repaid["house_edge"]["value"] == pytest.approx(float(worked_out.house_edge) + lost, abs=1e-12)
    other = {"wager": "blackjack", "pay": "win=2 to 1", "what_if": True, **FEW_HANDS}
    assert _asked(lab, f"{LUCKY}/odds", **other)["method"] == "simulated"
    refused = lab.get(f"{LUCKY}/odds", params=other | {"player": "best"})
    assert refused.status_code == 400 and "would decide otherwise" in refused.json()["message"]
    text = lab.get(f"{LUCKY}/odds.csv", params={"wager": "blackjack", **FEW_HANDS}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {(row["method"], row["player"], row["combinations"], row["return_exact"]) for row in rows} == {
        ("solved", "best", "", "")
    }
    assert sum(float(row["probability"]) for row in rows) == pytest.approx(1, abs=1e-12)


def test_decks_of_a_solved_wager_are_all_of_the_best_player(lab: TestClient, worked_out: ParSheet) -> None:
    points = _asked(lab, f"{LUCKY}/decks", wager="blackjack", **FEW_HANDS)["points"]
    book = open_edition("lucky-lucky-wa")
    for point in points:
        settings = book.settings(FEW_HANDS | {"decks": point["decks"]}, what_if=True)
        assert point["house_edge"]["value"] == pytest.approx(best_edge(book, "blackjack", settings), abs=1e-12)
        assert point["standard_error"] is None and point["house_edge"]["exact"] == ""
    assert points[1]["hit_rate"]["value"] == pytest.approx(float(worked_out.hit_frequency), abs=1e-12)


def test_what_a_worker_solves_is_what_odds_tells(lab: TestClient, worked_out: ParSheet) -> None:
    told = {"digest": "0" * 64, "status": "approved"}
    asked = PlayerAsked(wager="blackjack", player="best", settings={name: str(value) for name, value in FEW_HANDS.items()})
    answer = solve_asked(Rulebook.open("lucky-lucky-wa"), asked, told, lambda done, total: None)
    plain = _asked(lab, f"{LUCKY}/odds", wager="blackjack", **FEW_HANDS)
    assert {**answer.data, "digest": "", "status": ""} == {**plain, "digest": "", "status": ""}
    assert "combinations" not in answer.rows[0]
    with pytest.raises(Refused, match="best"):
        PlayerAsked(wager="blackjack", player="sampled").check(open_edition("lucky-lucky-wa"), None)  # type: ignore[arg-type]


def test_a_chart_tells_what_every_error_costs() -> None:
    book = Rulebook.open("lucky-lucky-wa")
    remembered = solve_asked(book, StrategyAsked(), {"digest": "0" * 64}, lambda done, total: None).data["remembered"]
    hard, soft, pairs = remembered["charts"]
    assert [chart["title"] for chart in (hard, soft, pairs)] == ["Hard totals", "Soft totals", "Pairs"]
    for chart in remembered["charts"]:
        for row, cells in chart["rows"].items():
            assert len(cells) == len(chart["columns"])
            for cell in cells:
                assert cell["letter"] in remembered["legend"], row
                assert all(cost > -1e-12 for cost in cell["costs"].values()), "nothing is better than the chart, on the average"
                assert not cell["costs"] or min(cell["costs"].values()) < 1e-12, "and what it says costs nothing"
    sixteen = dict(zip(hard["columns"], hard["rows"]["16"], strict=True))["10"]
    assert sixteen["letter"] == "H" and 0 < sixteen["costs"]["stand"] < 1e-4 < sixteen["costs"]["double"]
    assert remembered["costs"]["percent"] > 0, "totals are worse than the cards themselves"
    assert all("split" in cell["costs"] for cells in pairs["rows"].values() for cell in cells), "also where it does not split"


def test_a_stream_gives_the_shells_answer_and_knows_it_the_next_time(lab: TestClient) -> None:
    def told() -> list[Event]:
        answer = lab.post(f"{DUKI}/strategy/stream", json={})
        return list(_events(httpx.Response(200, content=answer.content)))

    first, second = told(), told()
    (answer,) = (content for kind, content in first if kind == "answer")
    assert answer["command"] == "houseway strategy duki-4-wa" and answer["whole"]
    assert answer["data"]["remembered"]["lines"] == ["Play a 3-card Duki of 9-7-4 or better; fold the rest."]
    assert set(answer["files"]) >= {".svg", ".html", ".csv"}
    assert second == [("answer", answer), ("end", {"why": "done", "words": ""})], "at once, without a worker"
