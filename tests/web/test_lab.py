"""The odds lab's API: exact figures, marked what-ifs, files that parse, and refusals that say what is possible."""

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from fastapi.testclient import TestClient

from houseway.games import edition_files, open_edition
from houseway.odds import par_sheet
from houseway.refusal import Refused
from houseway.web import lab

WEB = Path(lab.__file__).parent
BACCARAT = "/api/v1/editions/ez-baccarat-wa"
PAI_GOW = "/api/v1/editions/ez-pai-gow-wa"
LUCKY = "/api/v1/editions/lucky-lucky-wa"


class Pages:
    """What the lab asks of the app: pages for a guest."""

    def __init__(self) -> None:
        self.templates = Jinja2Templates(WEB / "templates")

    def page(self, request: Request, name: str, **data: Any) -> HTMLResponse:
        return self.templates.TemplateResponse(request, name, {"person": None, "csrf": "", "demo": True, **data})


def lab_app() -> FastAPI:
    """The lab alone, with refusals answered as the whole app answers them."""
    app = FastAPI()
    app.state.pages = Pages()
    app.mount("/static", StaticFiles(directory=WEB / "static"))
    app.include_router(lab.router)

    @app.get("/api/v1/heads/latest", include_in_schema=False)
    def no_head() -> None:
        """Every page asks for the newest head of the house, and here is none."""

    @app.exception_handler(Refused)
    def refused(request: Request, refusal: Refused) -> JSONResponse:
        return JSONResponse({"code": refusal.code, "message": refusal.message}, 400)

    @app.middleware("http")
    async def policy(request: Request, call_next: Any) -> Any:
        response = await call_next(request)
        response.headers["Content-Security-Policy"] = (
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:"
        )
        return response

    return app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(lab_app(), raise_server_exceptions=False) as client:
        yield client


def ask(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def fraction(figure: dict[str, Any]) -> Fraction:
    return Fraction(figure["exact"])


def test_editions_tell_what_can_be_asked(client: TestClient) -> None:
    editions = {edition["id"]: edition for edition in ask(client, "/api/v1/editions")}
    assert list(editions) == list(edition_files())
    baccarat = editions["ez-baccarat-wa"]
    decks = next(setting for setting in baccarat["settings"] if setting["name"] == "decks")
    assert (decks["approved"], decks["values"], decks["clause"]) == ([8, 6], [1, 2, 3, 4, 5, 6, 7, 8], "EZB-0")
    assert [wager["id"] for wager in baccarat["wagers"]] == ["player", "banker", "tie", "dragon-7", "panda-8"]
    assert baccarat["wagers"][3]["pay_tables"][0]["pays"]["dragon-7"] == "40 to 1"
    assert editions["ez-baccarat-ca"]["approval"] == "no approval on file"
    pai_gow = {wager["id"]: wager for wager in editions["ez-pai-gow-wa"]["wagers"]}
    assert len(pai_gow["dynasty"]["pay_tables"]) == 7
    assert (pai_gow["base"]["exact"], pai_gow["dynasty"]["exact"], pai_gow["dynasty"]["envy"]) == (False, True, True)
    lucky = {wager["id"]: wager for wager in editions["lucky-lucky-wa"]["wagers"]}
    assert (lucky["insurance"]["part_of"], lucky["lucky-lucky"]["part_of"]) == ("blackjack", "")


EDGES = [
    (8, "player", "1.23508"),
    (8, "banker", "1.01830"),
    (8, "tie", "14.35963"),
    (8, "dragon-7", "7.61133"),
    (8, "panda-8", "10.18763"),
    (6, "player", "1.23741"),
    (6, "banker", "1.01609"),
    (6, "tie", "14.43816"),
    (6, "dragon-7", "7.60619"),
    (6, "panda-8", "10.20738"),
]


@pytest.mark.parametrize(("decks", "wager", "edge"), EDGES)
def test_reference_edges_of_baccarat(client: TestClient, decks: int, wager: str, edge: str) -> None:
    sheet = ask(client, f"{BACCARAT}/odds", wager=wager, decks=decks)
    assert f"{float(fraction(sheet['house_edge']) * 100):.5f}" == edge
    assert sheet["exact"] and sheet["standard_error"] is None and sheet["what_if"] == []


def test_a_par_sheet_is_exact_and_adds_up(client: TestClient) -> None:
    sheet = ask(client, f"{BACCARAT}/odds", wager="dragon-7")
    rows = sheet["outcomes"]
    assert sum(int(row["combinations"]) for row in rows) == int(sheet["total"]) == 4_998_398_275_503_360
    assert sum(fraction(row["return"]) for row in rows) == -fraction(sheet["house_edge"])
    assert sum(fraction(row["probability"]) for row in rows) == 1
    assert all(Fraction(int(row["combinations"]), int(sheet["total"])) == fraction(row["probability"]) for row in rows)
    assert f"{sheet['standard_deviation']:.5f}" == "6.08488"
    assert f"{float(fraction(sheet['hit_rate'])):.9f}" == "0.022533821"


def test_an_edited_pay_is_a_what_if_and_exact(client: TestClient) -> None:
    approved = ask(client, f"{BACCARAT}/odds", wager="dragon-7")
    edited = ask(client, f"{BACCARAT}/odds", wager="dragon-7", pay="dragon-7=41 to 1", what_if=True)
    chance = fraction(next(row for row in approved["outcomes"] if row["outcome"] == "dragon-7")["probability"])
    assert fraction(edited["house_edge"]) == fraction(approved["house_edge"]) - chance
    assert edited["what_if"] == ["dragon-7 pays 41 to 1 (approved: 40 to 1)"]
    same = ask(client, f"{BACCARAT}/odds", wager="dragon-7", pay="dragon-7=40 to 1")
    assert same["what_if"] == [] and same["house_edge"] == approved["house_edge"]


def test_an_edited_ante_keeps_what_rides_on_it(client: TestClient) -> None:
    path = "/api/v1/editions/duki-4-wa/odds"
    approved, edited = ask(client, path, wager="ante"), ask(client, path, wager="ante", pay="win-pair=3 to 1", what_if="true")
    row = next(row for row in edited["outcomes"] if row["outcome"] == "win-pair")
    assert (row["net"], row["rides"][0]["pays"]) == ("4/1", "1 to 1")
    assert fraction(approved["house_edge"]) - fraction(edited["house_edge"]) == fraction(row["probability"])


def test_envy_depends_on_players_and_bet(client: TestClient) -> None:
    one = ask(client, f"{PAI_GOW}/odds", wager="dynasty")
    six = ask(client, f"{PAI_GOW}/odds", wager="dynasty", players=6)
    assert (f"{one['house_edge']['value']:.2%}", f"{six['house_edge']['value']:.2%}") == ("8.16%", "3.64%")
    assert six["envy"]["house_edge_by_players"][0] == one["house_edge"]
    ten = ask(client, f"{PAI_GOW}/odds", wager="dynasty", players=6, bet_cents=1000)
    assert fraction(ten["envy"]["worth"]) * 2 == fraction(six["envy"]["worth"])


def test_a_simulated_wager_says_so(client: TestClient) -> None:
    sheet = ask(client, f"{LUCKY}/odds", wager="blackjack", player="sampled")
    assert not sheet["exact"] and 0 < sheet["standard_error"] < 0.001 and sheet["strategy"] == "mimic the dealer"


def test_decks_mark_what_is_outside_the_approval(client: TestClient) -> None:
    points = ask(client, f"{BACCARAT}/decks", wager="dragon-7")["points"]
    assert [(point["decks"], point["approved"]) for point in points] == [(n, n in {6, 8}) for n in range(1, 9)]
    book = open_edition("ez-baccarat-wa")
    three = par_sheet(book, "dragon-7", book.settings({"decks": 3}, what_if=True)).house_edge
    assert fraction(points[2]["house_edge"]) == three


def test_decks_of_lucky_lucky_are_the_published_ones(client: TestClient) -> None:  # LLB-10
    points = ask(client, f"{LUCKY}/decks", wager="lucky-lucky")["points"]
    edges = [f"{float(fraction(point['house_edge'])):.2%}" for point in points]
    assert edges == ["2.61%", "2.82%", "2.77%", "2.72%", "2.68%", "2.66%", "2.63%", "2.62%"]
    assert all(point["approved"] for point in points)


def test_decks_where_there_is_no_choice(client: TestClient) -> None:
    answer = ask(client, f"{PAI_GOW}/decks", wager="dynasty")
    assert answer["points"] == [] and "no choice of decks" in answer["note"]


def test_the_csv_file_holds_the_same_figures(client: TestClient) -> None:
    query = {"wager": "dragon-7", "decks": "6", "pay": "dragon-7=39 to 1", "what_if": "true"}
    answer = client.get(f"{BACCARAT}/odds.csv", params=query)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/csv")
    assert 'filename="ez-baccarat-wa-dragon-7-what-if.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    sheet = ask(client, f"{BACCARAT}/odds", **query)
    assert [row["combinations"] for row in rows] == [row["combinations"] for row in sheet["outcomes"]]
    assert sum(Fraction(row["return_exact"]) for row in rows) == -fraction(sheet["house_edge"])
    assert rows[0]["house_edge_exact"] == sheet["house_edge"]["exact"]


NONSENSE = [
    ("/api/v1/editions/nonsense/odds?wager=tie", "unknown-edition"),
    ("/api/v1/editions/x.toml/odds?wager=tie", "unknown-edition"),
    (f"{BACCARAT}/odds?wager=dragon", "unknown-wager"),
    (f"{BACCARAT}/odds?wager=tie&decks=9", "bad-setting"),
    (f"{BACCARAT}/odds?wager=tie&decks=many", "bad-setting"),
    (f"{BACCARAT}/odds?wager=tie&decks=8&decks=6", "bad-setting"),
    (f"{BACCARAT}/odds?wager=tie&decks=4", "outside-approval"),
    (f"{BACCARAT}/odds?wager=tie&colour=red", "unknown-setting"),
    (f"{BACCARAT}/odds?wager=tie&players=2", "bad-setting"),
    (f"{BACCARAT}/odds?wager=tie&{'x' * 65}=1", "bad-setting"),
    (f"{BACCARAT}/odds?wager=tie&pay=tie=9 to 1", "outside-approval"),
    (f"{BACCARAT}/odds?wager=tie&pay=tie=lots&what_if=true", "bad-pay"),
    (f"{BACCARAT}/odds?wager=tie&pay=tie&what_if=true", "bad-pay"),
    (f"{BACCARAT}/odds?wager=tie&pay=six=9 to 1&what_if=true", "unknown-outcome"),
    (f"{BACCARAT}/odds?wager=tie&pay=tie=9 to 1&pay=tie=8 to 1&what_if=true", "bad-pay"),
    (f"{PAI_GOW}/odds?wager=base&house-way=/etc/passwd.toml", "bad-setting"),
    (f"{PAI_GOW}/odds?wager=dynasty&joker=full", "not-offered"),
    (f"{PAI_GOW}/odds?wager=dynasty&pay-table=3&R1=natural-only", "reading-not-here"),
    (f"{PAI_GOW}/odds?wager=dynasty&pay-table=3&pay=luhn-tao-wheel=9 to 1&what_if=true", "unknown-outcome"),
    ("/api/v1/editions/lucky-lucky-wa/odds?wager=insurance", "no-odds"),
    ("/api/v1/verify/nonsense", "unknown-edition"),
]


@pytest.mark.parametrize(("path", "code"), NONSENSE)
def test_nonsense_is_refused_with_what_would_do(client: TestClient, path: str, code: str) -> None:
    for variant in (path, path.replace("/odds?", "/odds.csv?"), path.replace("/odds?", "/decks?")):
        answer = client.get(variant)
        if "/decks?" in variant and code in {"unknown-setting", "not-offered", "no-odds"} and "pai-gow" in variant:
            continue  # a game without a choice of decks computes nothing
        assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
        assert len(answer.json()["message"]) > 10


@pytest.mark.parametrize("query", ["", "wager=", "wager=tie&players=0", "wager=tie&what_if=perhaps", "wager=tie&bet_cents=-5"])
def test_malformed_queries_are_client_errors(client: TestClient, query: str) -> None:
    assert client.get(f"{BACCARAT}/odds?{query}").status_code == 422


def test_refusals_of_the_web_speak_of_the_web(client: TestClient) -> None:
    message = client.get(f"{BACCARAT}/odds?wager=tie&decks=4").json()["message"]
    assert "what_if=true" in message and "--" not in message


COUNTS = {
    "duki-4-wa": (13, 0),
    "ez-baccarat-ca": (8, 0),
    "ez-baccarat-wa": (9, 0),
    "ez-pai-gow-wa": (341, 103),
    "lucky-lucky-wa": (19, 1),
}


@pytest.mark.parametrize("edition", COUNTS)
def test_every_published_figure_has_a_verdict_and_a_source(client: TestClient, edition: str) -> None:
    answer = ask(client, f"/api/v1/verify/{edition}")
    assert (answer["agrees"], answer["explained"], answer["differs"]) == (*COUNTS[edition], 0)
    assert len(answer["findings"]) == sum(COUNTS[edition])
    for finding in answer["findings"]:
        assert finding["source"] and finding["name"] and finding["explanation"]
        assert finding["readings"] or finding["verdict"] == "agrees"


def test_an_explanation_names_the_reading_in_words(client: TestClient) -> None:  # R1, R3
    findings = ask(client, "/api/v1/verify/ez-pai-gow-wa")["findings"]
    found = next(finding for finding in findings if finding["figure"] == "royal-flush-aq: return, pay table 1")
    assert [reading["id"] for reading in found["readings"][0]] == ["R1", "R3"]
    assert "0.00778%" in found["explanation"] and "with or without the joker" in found["explanation"]


def test_the_document_describes_every_answer(client: TestClient) -> None:
    document = ask(client, "/openapi.json")
    paths = [path for path in document["paths"] if path.startswith("/api/v1")]
    assert len(paths) == 6
    odds = document["paths"]["/api/v1/editions/{id}/odds"]["get"]
    names = {parameter["name"] for parameter in odds["parameters"]}
    assert {"id", "wager", "players", "bet_cents", "what_if", "pay", "player", "settings"} == names
    assert all(parameter["description"] for parameter in odds["parameters"])
    assert "400" in odds["responses"]
    assert "return" in document["components"]["schemas"]["OutcomeAnswer"]["properties"]


@pytest.mark.parametrize("page", ["/lab", "/verify"])
def test_pages_carry_no_inline_script_or_style(client: TestClient, page: str) -> None:
    text = client.get(page).text
    assert '<script type="module" src="/static/js/' in text
    assert " style=" not in text and " onclick" not in text and "<script>" not in text


def test_a_list_of_names_is_light(client: TestClient) -> None:
    whole, names = client.get("/api/v1/editions"), client.get("/api/v1/editions", params={"names": "true"})
    assert [edition["id"] for edition in names.json()] == [edition["id"] for edition in whole.json()]
    assert all(edition["settings"] == edition["wagers"] == [] for edition in names.json())
    assert len(names.content) * 5 < len(whole.content)
