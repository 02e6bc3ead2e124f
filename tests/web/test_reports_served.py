"""Reports over HTTP and in a real browser: made apart, taken away, verified; of the house for who may read its journal."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import BOUNDLESS, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

from houseway.report.kinds import KINDS
from houseway.report.make import MadeReport
from houseway.report.verify import verify_pdf

DAY = "2026-03-01"
WAIT_MS = 10 * PATIENCE * 1000
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("reports")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


@pytest.fixture(scope="module")
def round_played(house: Served) -> int:
    """A round, by the entry that settled it."""
    house.open_table("hall", "ez-baccarat-wa", "hand-keyed")
    ann, dealer = house.guest("Ann"), house.staff("dealer")
    house.must(ann.post("/api/v1/tables/hall/bet", json={"seat": 1, "wager": "player", "cents": 2_500}))
    house.must(dealer.post("/api/v1/tables/hall/no-more-bets"))
    house.must(dealer.post("/api/v1/tables/hall/card", json={"cards": "9s 7h Kd 3c"}))
    house.must(dealer.post("/api/v1/tables/hall/settle"))
    return int(house.app.state.house.floor.store.last_end("hall"))


def streamed(client: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """What the events of a stream told, by their name; or the refusal."""
    told: dict[str, Any] = {}
    with client.stream("POST", f"/api/v1{path}", timeout=10 * PATIENCE, **body) as answer:
        answer.read()
        if answer.status_code != 200:
            return {"status": answer.status_code, **answer.json()}
        for event in answer.text.strip().split("\n\n"):
            kind, data = event.split("\n", 1)
            told[kind.removeprefix("event: ")] = json.loads(data.removeprefix("data: "))
    return told


def test_every_kind_that_is_declared_is_offered(house: Served) -> None:
    offered = house.must(house.anybody().get("/api/v1/editions/ez-baccarat-wa/reports"))
    assert [each["kind"] for each in offered] == list(KINDS)
    assert [each["papers"] for each in offered] == [list(kind.papers) for kind in KINDS.values()]


def test_a_report_is_made_apart_as_the_shell_makes_it_and_verified(house: Served) -> None:
    from houseway.api import Rulebook

    asked = {"paper": "letter", "date": DAY, "settings": {"decks": "6"}, "options": {"house": "The <Corner> Room"}}
    told = streamed(house.anybody(), "/editions/ez-baccarat-wa/reports/posting/stream", json=asked)
    assert told["end"]["why"] == "done"
    pdf = base64.b64decode(told["answer"]["files"][".pdf"])
    options: dict[str, Any] = {"decks": 6, "house": "The <Corner> Room"}
    assert pdf == Rulebook.open("ez-baccarat-wa").report("posting", paper="letter", on=DAY, **options).pdf()
    assert "The &lt;Corner&gt; Room" in told["answer"]["html"]
    assert told["answer"]["command"].startswith("houseway report posting ez-baccarat-wa --set decks=6")
    verified = streamed(house.anybody(), "/reports/verify/stream", content=pdf)["answer"]
    assert verified["holds"] and verified["agreeing"] == verified["figures"] == told["answer"]["figures"]


@pytest.mark.parametrize(
    ("path", "asked", "said"),
    [
        ("/editions/none/reports/posting/stream", {}, "unknown edition"),
        ("/editions/ez-baccarat-wa/reports/poster/stream", {}, 'unknown report "poster"'),
        ("/editions/ez-baccarat-wa/reports/posting/stream", {"paper": "a3"}, 'unknown paper "a3"'),
        ("/editions/ez-baccarat-wa/reports/posting/stream", {"date": "soon"}, '"soon" is not a day'),
        ("/editions/ez-baccarat-wa/reports/posting/stream", {"settings": {"decks": "4"}}, "outside the approval"),
        ("/editions/ez-baccarat-wa/reports/strategy/stream", {}, "leaves the player nothing to decide"),
        ("/editions/ez-pai-gow-wa/reports/strategy/stream", {"settings": {"house-way": "x.toml"}}, "is not possible"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(house: Served, path: str, asked: dict[str, Any], said: str) -> None:
    refused = streamed(house.anybody(), path, json=asked)
    assert refused["status"] in {400, 404} and said in refused["message"] and "\n" not in refused["message"]


def test_a_report_of_the_house_is_for_those_who_read_its_journal(house: Served, round_played: int) -> None:
    asked = {"options": {"round": str(round_played)}, "date": DAY}
    for role in ("dealer", "cashier"):
        assert streamed(house.staff(role), "/reports/round/stream", json=asked)["code"] == "role-may-not"
    assert streamed(house.guest("Gus"), "/reports/round/stream", json=asked)["code"] == "role-may-not"
    assert streamed(house.anybody(), "/reports/round/stream", json=asked)["code"] == "not-logged-in"
    auditor = house.staff("auditor")
    told = streamed(auditor, "/reports/round/stream", json=asked)["answer"]
    made = MadeReport(json.loads(base64.b64decode(told["files"][".json"])))
    assert made.figures["paid.won"]["shown"] == "$25"
    pdf = base64.b64decode(told["files"][".pdf"])
    assert verify_pdf(pdf).holds
    known = streamed(auditor, "/reports/verify/stream", content=pdf)["answer"]
    assert known["holds"] and "compared with the house's store" in known["remarks"][-1]
    unknown = streamed(house.anybody(), "/reports/verify/stream", content=pdf)["answer"]
    assert unknown["holds"] and "without the house's store" in unknown["remarks"][0]


def test_an_audit_of_a_day_and_of_none(house: Served, round_played: int) -> None:
    auditor = house.staff("auditor")
    told = streamed(auditor, "/reports/audit/stream", json={"date": DAY})["answer"]
    assert "The journal holds, all of it" in told["html"]
    refused = streamed(auditor, "/reports/audit/stream", json={"options": {"day": "1999-01-01"}})
    assert refused["status"] == 404 and "the journal has no entry" in refused["message"]
    unknown = streamed(auditor, "/reports/round/stream", json={"options": {"round": "999999"}})
    assert unknown["status"] == 404 and "the journal has no entry 999999" in unknown["message"]


def test_what_is_no_report_is_refused_and_what_is_too_large_is_not_read(house: Served) -> None:
    anybody = house.anybody()
    assert streamed(anybody, "/reports/verify/stream", content=b"hello")["message"].startswith("it is no PDF")
    assert streamed(anybody, "/reports/verify/stream", content=b"%PDF-1.7 and nothing more")["code"] == "bad-report"
    large = anybody.post("/api/v1/reports/verify/stream", content=bytes(17 * 2**20))
    assert large.status_code == 413 and large.json()["code"] == "too-large"


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["laptop", "phone"])
def test_a_report_is_made_shown_taken_away_and_verified_on_pages(
    new_page: NewPage, house: Served, size: tuple[int, int], tmp_path: Path
) -> None:
    page = new_page(*size, accept_downloads=True)
    page.goto(f"{house.url}/lab/ez-baccarat-wa/reports")
    expect(page.locator("#start")).to_be_enabled()
    if size[0] < 700:
        page.locator("#rules > summary").click()
    assert page.locator("#ask-kind option").all_inner_texts() == [kind.capitalize().replace("-", " ") for kind in KINDS]
    page.locator("#ask-kind").select_option("procedures")
    page.locator("#ask-date").fill(DAY)
    page.locator("#start").click()
    expect(page.locator("#state")).to_have_text("Done.", timeout=WAIT_MS)
    expect(page.locator("#paper h1")).to_have_text("EZ Baccarat: dealer's guide")
    no_overflow(page)
    page.locator("#paper").scroll_into_view_if_needed()
    shoot(page, f"reports-{size[0]}")
    with page.expect_download() as coming:
        page.get_by_role("button", name="PDF").click()
    file = tmp_path / "guide.pdf"
    coming.value.save_as(file)
    page.goto(f"{house.url}/reports/verify")
    page.locator("#file").set_input_files(file)
    page.locator("#start").click()
    expect(page.locator("#verdict")).to_contain_text("figures agree", timeout=WAIT_MS)
    assert page.locator("#verdict").get_attribute("class") == "verdict-words good"
    no_overflow(page)
    shoot(page, f"reports-verify-{size[0]}")


def test_the_report_of_a_round_is_reached_from_its_replay_by_those_who_may(
    new_page: NewPage, house: Served, round_played: int
) -> None:
    page = new_page(1280, 900)
    page.goto(f"{house.url}/rounds/{round_played}")
    expect(page.locator("#round h1")).to_be_visible()
    assert page.locator("a[href^='/reports/round']").count() == 0, "anybody may replay it, and only some take the proof away"
    page.context.add_cookies([{"name": "houseway", "value": house.token("auditor"), "url": house.url}])
    page.reload()
    page.locator("a[href^='/reports/round']").click()
    expect(page.locator("#ask-option-round")).to_have_value(str(round_played))
    page.locator("#start").click()
    expect(page.locator("#paper h1")).to_have_text("Round 1 at hall", timeout=WAIT_MS)
    no_overflow(page)
    shoot(page, "reports-round")


def test_a_day_is_reported_apart_to_those_who_see_the_books(house: Served, round_played: int) -> None:
    asked = {"paper": "letter", "date": DAY, "options": {}}
    for role, may in (("auditor", True), ("supervisor", True), ("dealer", False), ("cashier", False)):
        told = streamed(house.staff(role), "/reports/master-game/stream", json=asked)
        assert ("answer" in told) == may, (role, told)
    again = streamed(house.staff("auditor"), "/reports/master-game/stream", json=asked)["answer"]
    pdf = base64.b64decode(again["files"][".pdf"])
    verified = streamed(house.staff("auditor"), "/reports/verify/stream", content=pdf)["answer"]
    assert verified["holds"], verified["findings"]
    bad = streamed(house.staff("auditor"), "/reports/cash/stream", json={"options": {"day": "yesterday"}})
    assert bad["status"] == 422 or bad["code"] == "bad-date", bad


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["laptop", "phone"])
def test_the_reports_of_a_day_are_reached_from_the_floor(
    new_page: NewPage, house: Served, round_played: int, size: tuple[int, int]
) -> None:
    page = new_page(*size)
    page.context.add_cookies([{"name": "houseway", "value": house.token("supervisor"), "url": house.url}])
    page.goto(f"{house.url}/floor")
    page.get_by_role("link", name="Reports of a day").click()
    expect(page.locator("h1").first).to_have_text("Report of a gaming day")
    expect(page.locator("#ask-kind")).to_have_value("master-game")
    page.locator("#start").click()
    expect(page.locator("#paper h1")).to_have_text("Master game report", timeout=WAIT_MS)
    no_overflow(page)
    page.locator("#paper").scroll_into_view_if_needed()
    shoot(page, f"reports-day-{size[0]}")
    page.locator("#ask-kind").select_option("guests")
    page.locator("#start").press("Enter")
    expect(page.locator("#paper h1")).to_have_text("Guests", timeout=WAIT_MS)
