"""Designs over HTTP and in the browser: what the shell finds, refused in one line where it cannot be, and registered."""

import json
import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from houses import BOUNDLESS, PASSWORD, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect
from programs import API

from houseway.games import open_edition
from houseway.refusal import Refused
from houseway.table.bound import as_text
from houseway.web.lab_designing import DesignAsked
from houseway.web.lab_questions import Bounds
from houseway.web.lab_worker import work

LUCKY, TIE = "lucky-lucky-wa", "ez-baccarat-wa"
ASKED: dict[str, Any] = {"wager": ["lucky-lucky"], "edge": "5%..6%", "hit": "23%..24%"}
LAPTOP, PHONE = (1280, 900), (390, 844)
WAIT_MS = 10 * PATIENCE * 1000
NewPage = Callable[..., Page]
Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("designs")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


def _worked(edition: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What a worker says, without a process."""
    said: list[dict[str, Any]] = []
    document = as_text(open_edition(edition).document)
    work({"kind": "design", "document": document, "digest": "0" * 64, "asked": asked}, said.append)
    return said


def _answers(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message["answer"] for message in said if "answer" in message]


def _printed(run: Shell, command: str) -> dict[str, Any]:
    code, printed, complaint = run(*shlex.split(command)[1:], "--format", "json")
    assert code == 0, complaint
    return json.loads(printed)  # type: ignore[no-any-return]


def test_a_search_is_told_as_it_grows_and_each_answer_is_that_of_its_command(run: Shell) -> None:
    asked = ASKED | {"most": 2, "frontier": 2, "rows": ["678=20..30"], "any_order": True, "settings": {"decks": "6,8"}}
    said = _worked(LUCKY, asked)
    first, whole = _answers(said)
    assert (first["whole"], whole["whole"]) == (False, True)
    assert "--frontier" not in first["command"], "what is not shown is not asked for"
    for answer in (first, whole):
        printed = _printed(run, answer["command"])
        assert answer["data"]["wagers"] == printed["wagers"]
    assert len(whole["data"]["wagers"][0]["frontier"]) == 2
    steps = [message["progress"] for message in said if "progress" in message]
    assert steps, "how far it is"
    assert all(0 <= step["done"] <= step["total"] for step in steps)


def test_every_design_comes_as_the_text_of_an_edition() -> None:
    (answer,) = _answers(_worked(LUCKY, ASKED | {"most": 3}))
    designs = answer["data"]["wagers"][0]["designs"]
    texts = [answer["files"][f".{number}.toml"] for number in range(1, len(designs) + 1)]
    assert len(designs) > 1
    for design, text in zip(designs, texts, strict=True):
        content = tomllib.loads(text)
        assert content["approval"]["date"] == "not approved: a design"
        assert {row: content["wagers"]["lucky-lucky"]["pays"][row] for row in design["pays"]} == design["pays"]


def test_none_is_an_answer_with_its_reasons() -> None:
    (answer,) = _answers(_worked(TIE, {"wager": ["tie"], "edge": "6%..9%"}))
    (found,) = answer["data"]["wagers"]
    assert (found["designs"], found["proved"]) == ([], True)
    assert "the edge: the nearest that the other conditions allow is" in found["none_because"][0]
    assert not [name for name in answer["files"] if name.endswith(".toml")]


@pytest.mark.parametrize(("asked", "message"), [
    ({"most": 25}, "25 designs are more than are shown here: at most 24; the shell has more"),
    ({"frontier": 21}, "21 parts of a frontier are more than are shown here: at most 20; the shell has more"),
    ({"seconds": 31}, "31 seconds for a search are more than are given here: at most 30"),
    ({"seconds": 0}, "0 seconds are not possible (possible: 1 to 3600)"),
    ({"goal": "best"}, 'unknown goal "best"'),
    ({"wager": ["none"]}, 'unknown wager "none"'),
    ({"settings": {"decks": "0..8"}}, 'decks "0..8" is not possible: write numbers from 1 to 8'),
    ({"settings": {"nothing": "1"}}, 'unknown setting "nothing"'),
    ({"players": "9"}, 'players "9" is not possible: write numbers from 1 to 6'),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused_before_anybody_works(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused) as refused:
        DesignAsked.model_validate(ASKED | asked).check(open_edition(LUCKY), Bounds(60))
    assert message in refused.value.message
    assert "\n" not in refused.value.message


def test_a_file_is_never_read_for_a_reader() -> None:
    settings = {"house-way": "plaza,mine.toml"}
    asked = DesignAsked.model_validate({"wager": ["dynasty"], "edge": "6%..8%", "settings": settings})
    with pytest.raises(Refused, match=r'house-way "plaza,mine.toml" is not possible \(possible: plaza'):
        asked.check(open_edition("ez-pai-gow-wa"), Bounds(60))


@pytest.mark.parametrize(("asked", "message"), [
    ({"edge": "8%..6%"}, 'edge "8%..6%" is not possible: it ends before it begins (write 6%..8%, ..8% or 7%)'),
    ({"rows": ["flush=4"]}, 'unknown row "flush"'),
    ({"pays": "lose,1"}, "pays: push and lose are asked for row by row (rows ROW=lose,1,2), not for all"),
    ({"edge": "..8%", "frontier": 4}, "a frontier needs a band of the edge with two ends, such as 4%..9%"),
    ({"envy": ["678=5"]}, "lucky-lucky has no envy prizes"),
])  # fmt: skip
def test_what_a_search_refuses_is_one_line_without_options(asked: dict[str, Any], message: str) -> None:
    (said,) = [each for each in _worked(LUCKY, ASKED | asked) if "progress" not in each]
    assert message in said["refused"]["message"]
    assert "--" not in said["refused"]["message"]
    assert "\n" not in said["refused"]["message"]


def test_the_choices_say_what_can_be_designed(house: Served) -> None:
    choices = httpx.get(f"{house.url}{API}/editions/{LUCKY}/design", timeout=PATIENCE).json()
    by_id = {wager["id"]: wager for wager in choices["wagers"]}
    assert [row["row"] for row in by_id["lucky-lucky"]["tables"][0]["rows"]][:1] == ["suited-777"]
    assert any(wager["why_not"] and not wager["tables"] for wager in by_id.values()), "main bets hang on decisions"
    assert choices["why_not"] == ""


def test_over_http_it_is_refused_in_one_line_and_the_command_is_the_shells(house: Served) -> None:
    client = house.anybody()
    refused = client.post(f"{API}/editions/{LUCKY}/design/stream", json=ASKED | {"edge": "6"}, timeout=10 * PATIENCE)
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-band")
    told = client.post(f"{API}/editions/{LUCKY}/design/command", json=ASKED | {"settings": {"decks": "1..8"}}).json()
    assert told["command"] == (
        f"houseway design {LUCKY} --set decks=1..8 --wager lucky-lucky --edge 5%..6% --hit 23%..24% --seconds 20"
    )


def _done(page: Page) -> None:
    expect(page.locator("#state")).to_have_text("Done.", timeout=WAIT_MS)


def test_a_design_is_found_registered_and_opened_in_the_browser(new_page: NewPage, house: Served, tmp_path: Path) -> None:
    house.token("supervisor", "sue")
    page = new_page(*LAPTOP, accept_downloads=True)
    page.goto(f"{house.url}/login")
    page.locator("[name=name]").fill("sue")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".me")).to_contain_text("sue")
    page.goto(f"{house.url}/lab/{LUCKY}/design")
    page.get_by_label("House edge").fill("5%..6%")
    page.get_by_label("Hit rate").fill("23%..24%")
    page.get_by_label("Parts of the frontier").fill("2")
    page.get_by_role("button", name="Search").click()
    _done(page)
    designs = page.get_by_role("region", name="Designs of Lucky Lucky").last
    expect(designs.locator("thead th").nth(3)).to_have_text("Design 1")
    expect(designs.locator("tr", has_text="Suited 21").first.locator("td").nth(2)).to_contain_text("25 to 1 (changed)")
    expect(page.locator("svg.plot .present-mark")).to_be_visible()
    expect(page.locator(".law")).to_contain_text("WAC 230-15-035")
    no_overflow(page)
    shoot(page, "lab-design-1280")
    page.get_by_label("Its id").fill("lucky-low")
    page.get_by_label("Its name").fill('Lucky, "low"')
    with page.expect_download() as coming:
        page.get_by_role("button", name="Edition as TOML").click()
    assert coming.value.suggested_filename == "lucky-low.toml"
    coming.value.save_as(tmp_path / "design.toml")
    content = tomllib.loads((tmp_path / "design.toml").read_text())
    assert (content["id"], content["name"]) == ("lucky-low", 'Lucky, "low"')
    page.get_by_role("button", name="Register as an edition").click()
    expect(page.locator(".registered")).to_contain_text("lucky-low is registered, not approved: a design")
    page.get_by_role("link", name="Its rules and pays").click()
    expect(page.locator(".standing .badge")).to_have_text("not approved: a design")
    page.goto(f"{house.url}/tables/{house.open_table('Low 1', 'lucky-low')}")
    expect(page.locator(".badge").filter(has_text="not approved: a design")).to_be_visible()


def test_a_link_shows_the_same_and_a_guest_takes_the_text_away(new_page: NewPage, house: Served) -> None:
    page = new_page(*PHONE)
    page.goto(f"{house.url}/lab/{TIE}/design?{urlencode({'wager': 'tie', 'edge': '6%..9%', 'row-tie': '8..9'})}")
    _done(page)
    expect(page.get_by_role("region", name="Tie: there is none")).to_contain_text("That is proved")
    expect(page.locator("#command")).to_contain_text("--edge 6%..9% --rows tie=8..9")
    page.goto(f"{house.url}/lab/{LUCKY}/design?{urlencode({'edge': '5%..6%', 'frontier': '0'})}")
    _done(page)
    expect(page.get_by_role("button", name="Edition as TOML")).to_be_visible()
    expect(page.get_by_role("button", name="Register as an edition")).to_have_count(0)
    no_overflow(page)
    shoot(page, "lab-design-390")
