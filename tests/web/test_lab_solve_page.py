"""The hand explorer and the strategy page in a real browser: clicked, typed, shared by link; on a laptop and on a phone."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from houses import BOUNDLESS, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, Route, expect

from houseway.api import Rulebook
from houseway.games import open_edition
from houseway.odds.par_sheet import par_sheet
from houseway.solve.solver import best_edge
from houseway.web import lab_sheets

LAPTOP, PHONE = (1280, 900), (390, 844)
WAIT_MS = 10 * PATIENCE * 1000
NewPage = Callable[..., Page]
FEW_HANDS = {"decks": 2, "split_hands": 2}
"""Settings of which every result is worked out in seconds."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("solve page")
    limits = replace(BOUNDLESS, simulations=10_000, simulation_seconds=10 * PATIENCE)
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", limits=limits) as made:
        yield made


def _worth(value: float) -> str:
    return f"{value:+.6f}".replace("-", "−")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_two_cards_and_an_up_card_are_clicked(new_page: NewPage, house: Served, size: tuple[int, int]) -> None:
    page = new_page(*size)
    page.goto(f"{house.url}/lab/lucky-lucky-wa/hand")
    expect(page.locator("#results")).to_have_text("Your cards: 2 more to click.")
    for card in ("Eight of spades", "Eight of diamonds", "Ten of hearts"):  # two are a hand: the third is the up-card
        page.get_by_role("group", name="Cards to click").get_by_role("button", name=card, exact=True).click()
    rows = page.get_by_role("region", name="Every choice").locator("tbody tr")
    known = Rulebook.open("lucky-lucky-wa").choices("8s 8d", "10h")
    expect(rows).to_have_count(len(known), timeout=WAIT_MS)
    for row, choice in zip(rows.all(), known, strict=True):
        expect(row.locator("th")).to_contain_text(choice.name, ignore_case=True)
        expect(row.locator("td").first).to_have_text(_worth(choice.worth))
    expect(rows.first.locator(".mark").first).to_have_text("Best")
    expect(page.get_by_label("Choices")).to_contain_text("Basic strategy chooses “split”: it is the best choice.")
    no_overflow(page)
    shoot(page, f"lab-hand-{size[0]}")


def test_cards_are_typed_taken_back_and_shared_by_link(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab/duki-4-wa/hand")
    expect(page.locator("#results")).to_have_text("Your four cards: 4 more to click.")
    page.locator("#main").focus()
    page.keyboard.type("9h7c5s2d")
    play = Rulebook.open("duki-4-wa").choices("9h 7c 5s 2d")
    expect(page.get_by_role("region", name="Every choice").locator("tbody td").first).to_have_text(
        _worth(float(play[0].worth)), timeout=WAIT_MS
    )
    assert page.url.endswith("hand?hand=9h+7c+5s+2d")
    page.keyboard.press("Backspace")
    expect(page.locator("#results")).to_have_text("Your four cards: 1 more to click.")
    page.goto(f"{house.url}/lab/duki-4-wa/hand?hand=9h+7c+5s+2d&dealer=As")
    seen = Rulebook.open("duki-4-wa").choices("9h 7c 5s 2d", "As")
    expect(page.get_by_role("region", name="Every choice").locator("tbody td").first).to_have_text(_worth(float(seen[0].worth)))
    page.get_by_role("button", name="Ace of spades: take it away").click()
    expect(page).to_have_url(re.compile(r"hand\?hand=9h\+7c\+5s\+2d$"))


def test_cards_gone_change_every_wager(new_page: NewPage, house: Served) -> None:
    page = new_page(*PHONE)
    page.goto(f"{house.url}/lab/ez-baccarat-wa/hand")
    keys = page.get_by_role("group", name="Cards to click")
    expect(page.locator(".readout.main output")).to_have_text("416", timeout=WAIT_MS)
    keys.get_by_role("button", name="Eight of spades").click()
    keys.get_by_role("button", name="Eight of spades").click()
    expect(page.locator(".readout.main output")).to_have_text("414")
    edge = Rulebook.open("ez-baccarat-wa").odds(removed="8s 8s")["dragon-7"].house_edge
    dragon = page.get_by_role("region", name="Every wager").locator("tr", has_text="Dragon 7")
    expect(dragon.locator("td").first).to_have_text(f"{float(edge):.5%}".replace("%", " %"))
    no_overflow(page)
    shoot(page, "lab-gone-390")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_chart_is_read_with_the_cost_of_every_error(new_page: NewPage, house: Served, size: tuple[int, int]) -> None:
    page = new_page(*size)
    page.goto(f"{house.url}/lab/lucky-lucky-wa/strategy?decks=2")
    hard = page.get_by_role("table", name="Hard totals")
    sixteen = hard.locator("tr", has=page.get_by_role("rowheader", name="16", exact=True)).locator("td.cell").nth(8)
    expect(sixteen).to_contain_text(re.compile(r"16 against 10: \w+.*[Hh]it 0, stand \+0\.\d+ %"), timeout=WAIT_MS)
    sixteen.focus()
    told = page.locator(".cell-told")
    expect(told).to_contain_text("16 against 10")
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text("17 against 10: stand.")
    expect(page.locator("#run")).to_be_hidden()
    no_overflow(page)
    shoot(page, f"lab-strategy-{size[0]}")


def test_where_nothing_is_decided_the_page_says_so(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP, expected="400")
    page.goto(f"{house.url}/lab/ez-baccarat-wa/strategy")
    expect(page.get_by_role("alert")).to_contain_text("leaves the player nothing to decide", timeout=WAIT_MS)


def test_a_sampled_wager_shows_the_edge_that_is_solved_and_a_player_is_named(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab?edition=lucky-lucky-wa&wager=lucky-lucky")
    book = open_edition("lucky-lucky-wa")
    edge = best_edge(book, "blackjack", book.settings({}))
    assert edge is not None
    expect(page.locator("#wager-blackjack .figure")).to_have_text(
        f"{float(edge):.3%} · best".replace("%", " %"), timeout=WAIT_MS
    )
    page.goto(f"{house.url}/lab?edition=duki-4-wa&wager=ante")
    page.get_by_label("How the player decides").select_option("best")
    exact = Rulebook.open("duki-4-wa").solved("ante", "best").house_edge
    expect(page.locator(".readout.main output")).to_have_text(f"{float(exact):.6%}".replace("%", " %"), timeout=WAIT_MS)
    expect(page.locator("#method")).to_contain_text("the player decides by: best")
    assert "player=best" in page.url


def test_a_slider_moves_the_edge_and_two_tables_stand_side_by_side(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab?edition=ez-baccarat-wa&wager=dragon-7")
    edge = page.locator(".readout.main output")
    expect(edge).to_have_text("7.611334 %", timeout=WAIT_MS)
    slider = page.get_by_role("slider", name="Dragon 7")
    page.get_by_role("button", name="Keep to compare").click()
    slider.focus()
    page.keyboard.press("ArrowRight")
    sheet = par_sheet(open_edition("ez-baccarat-wa"), "dragon-7")
    expect(edge).to_have_text(f"{float(sheet.house_edge - sheet['dragon-7'].probability):.6%}".replace("%", " %"))
    expect(page.locator("#pay-dragon-7")).to_have_value("41 to 1")
    expect(slider).to_have_attribute("aria-valuetext", "41 to 1")
    at_once = page.evaluate("""() => {
      const slider = document.querySelector(".pay-slider");
      slider.value = "45";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      return document.querySelector(".readout.main output").textContent;
    }""")
    now = float(sheet.house_edge - 5 * sheet["dragon-7"].probability)
    assert at_once == f"{now:.6%}".replace("%", " %").replace("-", "−"), "the edge moves in the same moment, asking nobody"
    compared = page.get_by_role("region", name="Pay tables side by side").last
    expect(compared.locator("tfoot tr").first).to_contain_text("7.611334 %")
    page.get_by_role("button", name="Put on the bench, in turn:").click()
    expect(edge).to_have_text("7.611334 %")
    expect(compared.locator("tbody")).to_contain_text("45 to 1")
    no_overflow(page)


def test_a_link_asks_the_same_simulation(new_page: NewPage, house: Served) -> None:
    page = new_page(*LAPTOP)
    page.goto(f"{house.url}/lab/ez-baccarat-wa/simulate")
    for name, value in (("rounds", "2e4"), ("seed", "7"), ("session", "100"), ("cut", "20")):
        page.locator(f"#ask-{name}").fill(value)
    page.locator("#ask-bets-of").select_option("2")
    page.locator("#ask-bet-1-tie").fill("5")
    page.locator("#ask-set-decks").select_option("6")
    command = page.locator("#command")
    expect(command).to_contain_text("--set decks=6")
    expect(page).to_have_url(re.compile(r"seed=7.*set-decks=6"))
    asked, link = command.inner_text(), page.url
    page.goto("about:blank")
    page.goto(link)
    expect(command).to_have_text(asked)
    assert page.url == link


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_every_solved_result_of_a_base_wager_is_shown_with_its_player(
    new_page: NewPage, house: Served, size: tuple[int, int]
) -> None:
    sheet = Rulebook.open("lucky-lucky-wa").solved("blackjack", "best", **FEW_HANDS)
    page = new_page(*size)
    page.goto(f"{house.url}/lab?edition=lucky-lucky-wa&wager=blackjack&decks=2&split-hands=2")
    expect(page.locator("#method")).to_contain_text("solved in 64-bit floats · the player decides by: best", timeout=WAIT_MS)
    expect(page.locator(".readout.main output")).to_have_text(f"{float(sheet.house_edge):.6%}".replace("%", " %"))
    expect(page.locator(".readout.main")).to_contain_text("best play, solved in 64-bit floats")
    names = page.locator(".readout .name").all_inner_texts()
    shown = dict(zip(names, page.locator(".readout output").all_inner_texts(), strict=True))
    shown = {name.lower(): figure for name, figure in shown.items()}
    assert shown["hit rate"] == f"{float(sheet.hit_frequency):.4%}".replace("%", " %")
    assert shown["skewness"] == f"{sheet.standard_moment(3):.4f}"
    assert shown["excess kurtosis"] == f"{sheet.standard_moment(4) - 3:.4f}".replace("-", "−")
    assert shown["element of risk"] == f"{float(sheet.element_of_risk):.4%}".replace("%", " %")
    expect(page.locator(".par tbody tr")).to_have_count(len(sheet.rows))
    expect(page.locator("#row-net-4")).to_contain_text("Won 4 bets")
    expect(page.locator("#row-net-4 input")).to_have_count(0)
    expect(page.locator("#picture")).not_to_contain_text("comes back")  # more than the first bet may be lost
    assert "sampled" not in page.locator(".bench").inner_text() and "exact" not in page.locator("#readouts").inner_text()
    expect(page.locator("table.decks tbody tr.here")).to_contain_text("2 decks", timeout=WAIT_MS)
    no_overflow(page)
    shoot(page, f"lab-solved-{size[0]}")
    page.locator("#shape").scroll_into_view_if_needed()
    shoot(page, f"lab-solved-rows-{size[0]}")
    page.locator("#pay-blackjack").fill("6 to 5")
    worse = float(sheet.house_edge) + 0.3 * float(sheet["blackjack"].probability)
    expect(page.locator(".readout.main output")).to_have_text(f"{worse:.6%}".replace("%", " %"))


def test_where_only_the_edge_is_solved_the_whole_sheet_is_offered_and_worked_out(
    new_page: NewPage, house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Rulebook.open("lucky-lucky-wa")
    sheet = book.solved("blackjack", "best", **FEW_HANDS)
    is_known = False
    monkeypatch.setattr(lab_sheets, "is_sheet_ready", lambda *asked: is_known)  # whatever other tests have worked out
    page = new_page(*LAPTOP)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(re.compile(r"/odds\?wager=blackjack"), hold)
    page.goto(f"{house.url}/lab?edition=lucky-lucky-wa&wager=blackjack&decks=2&split-hands=2")
    edge = f"{float(sheet.house_edge):.6%}".replace("%", " %")
    expect(page.locator(".readout.main output")).to_have_text(edge, timeout=WAIT_MS)
    expect(page.locator(".readout.main")).to_contain_text("best play, solved")
    expect(page.locator("#sheet")).to_contain_text("Simulating")  # the sample takes longer
    for route in waiting:
        route.continue_()
    page.unroute_all()
    expect(page.locator("#exactly")).to_contain_text("these rows are sampled, for another player (mimic the dealer)")
    expect(page.locator("#method")).to_contain_text("simulated rounds · strategy: mimic the dealer")
    shoot(page, "lab-solvable-1280")
    is_known = True
    page.get_by_role("button", name="Solve every result of best play").click()
    expect(page.locator("#method")).to_contain_text("the player decides by: best", timeout=WAIT_MS)
    expect(page.locator("#row-net-4")).to_contain_text("Won 4 bets")
    page.get_by_label("How the player decides").select_option("sampled")
    expect(page.locator("#method")).to_contain_text("simulated rounds", timeout=WAIT_MS)
    expect(page.locator("#exactly")).to_be_empty()
