"""Simulations and protection in a real browser: asked, watched, stopped, read, downloaded; on a laptop and on a phone."""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from secrets import randbelow

import pytest
from houses import BOUNDLESS, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

LAPTOP, PHONE = (1280, 900), (390, 844)
WAIT_MS = 10 * PATIENCE * 1000
"""Rules that were never used on this machine are compiled first."""
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("runs page")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


def _open(new_page: NewPage, house: Served, path: str, size: tuple[int, int] = LAPTOP, expected: str = "") -> Page:
    page = new_page(*size, expected=expected, accept_downloads=True)
    page.goto(f"{house.url}{path}")
    expect(page.locator("#start")).to_be_enabled()
    if size == PHONE:
        page.locator("#rules > summary").click()
    return page


def _done(page: Page) -> None:
    expect(page.locator("#state")).to_have_text("Done.", timeout=WAIT_MS)


def _fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        page.locator(f"#ask-{name}").fill(value)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_simulation_is_asked_for_and_read(new_page: NewPage, house: Served, run: Callable[..., tuple[int, str, str]],
                                            size: tuple[int, int], tmp_path: Path) -> None:  # fmt: skip
    page = _open(new_page, house, "/lab/ez-baccarat-wa/simulate", size)
    expect(page.locator("#bounds")).to_contain_text("At most 100,000,000 rounds")
    _fill(page, rounds="2e4", seed="7", session="100", bankroll="300", bank="2000")
    page.get_by_role("button", name="Deal").click()
    _done(page)
    command = page.locator("#command").inner_text()
    assert command == "houseway simulate ez-baccarat-wa --seed 7 --rounds 20000 --session 100 --bankroll 300 --bank 2000"
    with page.expect_download() as coming:
        page.get_by_role("button", name="JSON").click()
    coming.value.save_as(tmp_path / "dealt.json")
    dealt = json.loads((tmp_path / "dealt.json").read_text())
    assert dealt == json.loads(run(*shlex.split(command)[1:], "--format", "json")[1]), "the tallies of the shell"
    expect(page.locator(".readout.main output")).to_have_text(f"{dealt['rounds']:,}")
    hits = dealt["wagers"][0]["outcomes"][0]["hits"]
    expect(page.get_by_role("region", name="Hits of Player").locator("tbody tr").first).to_contain_text(f"{hits:,}")
    returns = page.get_by_role("region", name="Returns").locator("tbody tr")
    expect(returns).to_have_count(len(dealt["wagers"]))
    z = dealt["wagers"][0]["z"]
    expect(returns.first.locator("td").nth(1)).to_have_text(f"{z:+.2f}".replace("-", "−"))
    sessions = page.get_by_role("region", name="Sessions")
    expect(sessions.locator("svg.plot rect").first).to_be_visible()
    ruined = dealt["sessions"]["risk_of_ruin"]["bankroll"]["ruined"]
    expect(sessions).to_contain_text(f"lost in {ruined:.4%}".replace("%", " %"))
    for words in ("Longest losing run", "Largest fall from a height", "99 %"):
        expect(sessions).to_contain_text(words)
    expect(page.get_by_role("region", name="Joint results", exact=True).locator("tbody tr")).to_have_count(len(dealt["joint"]))
    for name, ending in (("CSV", "csv"), ("SVG", "svg")):
        with page.expect_download() as coming:
            page.get_by_role("button", name=name, exact=True).click()
        assert coming.value.suggested_filename == f"ez-baccarat-wa-simulated-7.{ending}"
    no_overflow(page)
    shoot(page, f"lab-simulate-{size[0]}")


def test_stopping_keeps_what_is_done(new_page: NewPage, house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.web.lab_questions.ROUNDS_MOST", 10**10)  # 1e8 rounds can be dealt before a busy browser looks
    page = _open(new_page, house, "/lab/ez-baccarat-wa/simulate")
    _fill(page, rounds="1e10", seed=str(randbelow(1 << 31)))  # what is dealt is kept: of these nobody has dealt any
    page.get_by_role("button", name="Deal").click()
    expect(page.locator(".readout.main .note")).to_have_text("so far", timeout=WAIT_MS)
    expect(page.locator("#state")).to_have_text(re.compile(r"[\d,]+ of 10,000,000,000 rounds"))
    page.get_by_role("button", name="Stop, and keep what is done").click()
    expect(page.locator("#state")).to_have_text(
        re.compile(r"Stopped. What is done is shown: [\d,]+ rounds. What is done is kept: “Go on”")
    )
    dealt = page.locator(".readout.main output").inner_text()
    assert f"shown: {dealt} rounds" in page.locator("#state").inner_text()
    assert re.fullmatch(r"houseway simulate ez-baccarat-wa --seed \d+ --shoes \d+", page.locator("#command").inner_text())
    for reload in (False, True):
        if reload:
            page.reload()
        page.get_by_role("button", name="Deal" if reload else "Go on").click()
        expect(page.locator("#state")).to_have_text(re.compile(r"[\d,]+ of 10,000,000,000 rounds"), timeout=WAIT_MS)
        assert _number(page.locator("#state").inner_text().split(" of ")[0]) >= _number(dealt), "from where it stopped"
        expect(page.locator(".readout.main .note")).to_have_text("so far", timeout=WAIT_MS)
        page.get_by_role("button", name="Stop, and keep what is done").click()
        expect(page.get_by_role("button", name="Go on")).to_be_enabled()
        more = page.locator(".readout.main output").inner_text()
        assert _number(more) >= _number(dealt)
        dealt = more
    _fill(page, seed="5")
    expect(page.get_by_role("button", name="Deal")).to_be_enabled()


def _number(text: str) -> int:
    return int(text.replace(",", ""))


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_counter_is_judged_in_plain_words(new_page: NewPage, house: Served, size: tuple[int, int]) -> None:
    page = _open(new_page, house, "/lab/ez-baccarat-wa/protect", size)
    page.get_by_label("Somebody has").select_option("given")
    page.get_by_role("button", name="Put in the published count").first.click()
    expect(page.get_by_label("8", exact=True)).to_have_value("2")
    _fill(page, cut="14", shoes="2000", exact_shoes="20")
    page.get_by_role("button", name="Count along").click()
    _done(page)
    tags = "0,0,0,-1,-1,-1,-1,2,2,0"
    expect(page.locator("#command")).to_have_text(
        f"houseway protect ez-baccarat-wa --cut 14 --wager dragon-7 --count {tags} --trigger 4 --shoes 2000 --exact-shoes 20"
    )
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict.locator("li").first).to_contain_text("A counter who bets $400 on dragon-7 when this count says so")
    cuts = page.get_by_role("region", name="By cut card").first
    expect(cuts.locator("svg circle.dot").first).to_be_visible()
    expect(cuts.locator("tr.here th")).to_have_text("14")
    no_overflow(page)
    shoot(page, f"lab-protect-{size[0]}")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_counter_bets_by_a_spread_and_decides_his_hands_by_the_count(new_page: NewPage, house: Served,
                                                                     size: tuple[int, int]) -> None:  # fmt: skip
    page = _open(new_page, house, "/lab/lucky-lucky-wa/protect", size)
    page.get_by_label("Wager").select_option("lucky-lucky")
    expect(page.get_by_label("Main bets: units by count")).to_be_visible()
    page.get_by_label("Wager").select_option("blackjack")
    expect(page.get_by_label("Main bets: units by count")).to_be_hidden()
    page.get_by_label("Somebody has").select_option("given")
    for card, tag in zip("A23456T", (-1, 1, 1, 1, 1, 1, -1), strict=True):
        page.get_by_label(card, exact=True).fill(str(tag))
    page.get_by_label("Hands are decided").select_option("chart")
    _fill(page, spread="1,1:2,2:8", shoes="600", exact_shoes="2")
    page.get_by_role("button", name="Count along").click()
    _done(page)
    expect(page.locator("#command")).to_have_text(
        "houseway protect lucky-lucky-wa --wager blackjack --count -1,1,1,1,1,1,0,0,0,-1 --spread 1,1:2,2:8 --play chart "
        "--shoes 600 --exact-shoes 2"
    )
    expect(page.get_by_role("region", name="By count", exact=True).first).to_contain_text("Units")
    expect(page.get_by_role("region", name="The count")).to_contain_text("1 at lower counts, 2 from 1 on, 8 from 2 on")
    expect(page.get_by_role("region", name="Index plays").first).to_contain_text("insurance")
    no_overflow(page)
    shoot(page, f"lab-protect-spread-{size[0]}")


def test_main_bets_follow_a_count_of_their_own(new_page: NewPage, house: Served) -> None:
    page = _open(new_page, house, "/lab/lucky-lucky-wa/protect", expected="400")
    page.get_by_label("Wager").select_option("lucky-lucky")
    _fill(page, main_count="-1,1,1,1,1,1,0,0,0,-1", shoes="500", exact_shoes="5")
    page.get_by_label("Hands are decided").select_option("chart")
    page.get_by_role("button", name="Count along").click()
    expect(page.locator("#refused")).to_contain_text("give both (main-count, main-spread)", timeout=WAIT_MS)
    _fill(page, main_spread="1,2:4")
    page.get_by_role("button", name="Count along").click()
    _done(page)
    expect(page.locator("#command")).to_contain_text("--play chart --main-count -1,1,1,1,1,1,0,0,0,-1 --main-spread 1,2:4")
    expect(page.get_by_role("region", name="With the main bets").first).to_contain_text("1 at lower counts, 4 from 2 on")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_published_figures_are_held_against_conventions(new_page: NewPage, house: Served, size: tuple[int, int]) -> None:
    page = _open(new_page, house, "/lab/ez-baccarat-wa/protect", size)
    expect(page.get_by_label("Hands are decided")).to_be_hidden()
    way = page.get_by_label("Somebody has")
    page.get_by_label("Wager").select_option("panda-8")
    way.select_option("published")
    expect(page.get_by_label("Cards behind the cut card")).to_be_hidden()
    expect(page.get_by_label("Units by count", exact=True)).to_be_hidden()
    page.get_by_label("Wager").select_option("tie")
    expect(way).to_have_value("find")
    page.get_by_label("Wager").select_option("panda-8")
    way.select_option("published")
    _fill(page, shoes="100")
    page.get_by_role("button", name="Count along").click()
    _done(page)
    expect(page.locator("#command")).to_have_text("houseway protect ez-baccarat-wa --wager panda-8 --shoes 100 --published")
    expect(page.locator(".readout.main output")).to_contain_text(" of ")
    expect(page.get_by_text("Published: 0.237 units a shoe, cut card 14.")).to_be_visible()
    no_overflow(page)
    shoot(page, f"lab-protect-published-{size[0]}")


def test_cards_seen_are_valued(new_page: NewPage, house: Served) -> None:
    page = _open(new_page, house, "/lab/duki-4-wa/protect")
    expect(page.get_by_label("Cards behind the cut card")).to_be_hidden()
    page.get_by_role("button", name="Count along").click()
    _done(page)
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("One card of the dealer's seen")


def test_a_refusal_stands_beside_the_button(new_page: NewPage, house: Served) -> None:
    page = _open(new_page, house, "/lab/ez-baccarat-wa/simulate", expected="400|422")
    _fill(page, rounds="0")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator("#refused")).to_have_text("0 rounds cannot be dealt: give a number from 1 on")
    _fill(page, rounds="many")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator("#refused")).to_contain_text("rounds")
    _fill(page, rounds="1000", cut="500")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator("#refused")).to_contain_text("the shoe has 416 (0 to 415)", timeout=WAIT_MS)


def test_the_tabs_of_the_lab_lead_to_one_another(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab?edition=duki-4-wa")
    tabs = page.get_by_role("navigation", name="Lab")
    expect(tabs.get_by_role("link", name="Simulate")).to_have_attribute("href", "/lab/duki-4-wa/simulate")
    tabs.get_by_role("link", name="Protect").click()
    expect(page.locator("h1")).to_have_text("Protect")
    page.get_by_role("navigation", name="Lab").get_by_role("link", name="Odds").click()
    expect(page.get_by_label("Edition")).to_have_value("duki-4-wa")


def test_every_control_has_a_name_and_the_keyboard_reaches_it(new_page: NewPage, house: Served) -> None:
    for kind in ("simulate", "protect"):
        page = _open(new_page, house, f"/lab/ez-baccarat-wa/{kind}")
        nameless = page.evaluate(
            "[...document.querySelectorAll('input, select, button')]"
            ".filter((each) => !(each.labels?.length || each.textContent.trim() || each.ariaLabel)).map((each) => each.id)"
        )
        assert nameless == []
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
        assert len(ids) == len(set(ids)), "an id is of one element"
