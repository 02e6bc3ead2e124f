"""The odds lab and the verify page in a real browser: what a person edits and reads is exact."""

import csv
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect
from test_lab import lab_app

from houseway.games import open_edition
from houseway.odds import ParSheet, par_sheet

WAIT_MS = 120_000
"""Long enough for a first compilation on a slow machine; nothing here waits for a time to pass."""


@contextmanager
def serving() -> Iterator[str]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(lab_app(), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def house() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that must not complain: no error and no warning in the console, nothing wider than the screen."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    context.close()


def edge_text(sheet: ParSheet, pays: dict[str, Fraction]) -> str:
    """The house edge with other pays, from the counts alone."""
    net = sum((pays.get(row.outcome, row.net) * row.combinations for row in sheet.rows), Fraction(0))
    return f"{float(-net / sheet.total * 100):.6f} %".replace("-", "−")


def edge_is(page: Page, text: str) -> None:
    expect(page.locator(".readout.main output")).to_have_text(text)


def test_choose_edit_compare_and_download(page: Page, house: str, tmp_path: Path) -> None:
    page.goto(f"{house}/lab")
    page.get_by_label("Edition").select_option("ez-baccarat-wa")
    page.get_by_role("radio", name="Dragon 7").click()
    book = open_edition("ez-baccarat-wa")
    sheet = par_sheet(book, "dragon-7")
    edge_is(page, edge_text(sheet, {}))
    edge_is(page, "7.611334 %")
    page.get_by_role("button", name="Keep to compare").click()

    page.get_by_label("Dragon 7: Banker wins with a three-card 7 pays").fill("77:2")
    edge_is(page, edge_text(sheet, {"dragon-7": Fraction(77, 2)}))
    expect(page.locator("#banner")).to_contain_text("not the approved pay table")
    page.get_by_label("Tie pays").fill("push")
    expected = edge_text(sheet, {"dragon-7": Fraction(77, 2), "tie": Fraction(0)})
    edge_is(page, expected)
    kept = page.locator(".compare tfoot .main td")
    expect(kept).to_have_text([expected, "7.611334 %"])

    with page.expect_download() as coming:
        page.get_by_role("link", name="CSV").click()
    coming.value.save_as(tmp_path / "odds.csv")
    with (tmp_path / "odds.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert coming.value.suggested_filename == "ez-baccarat-wa-dragon-7-what-if.csv"
    assert f"{float(Fraction(rows[0]['house_edge_exact']) * 100):.6f} %" == expected

    page.get_by_role("button", name="Undo pays").click()
    edge_is(page, "7.611334 %")
    expect(page.locator("#banner")).to_be_hidden()


def test_decks_are_plotted_and_what_ifs_are_marked(page: Page, house: str) -> None:
    page.goto(f"{house}/lab?edition=ez-baccarat-wa&wager=dragon-7")
    expect(page.locator("#decks circle.dot").first).to_be_visible()
    expect(page.locator("#decks .plot circle.dot.what-if")).to_have_count(6)
    rows = page.locator("table.decks tbody tr")
    assert re.split(r"\s*\t\s*", rows.nth(7).inner_text())[1:] == ["7.61133 %", "2.253 %", "approved"]
    page.get_by_label("Decks in the shoe").select_option("3")
    book = open_edition("ez-baccarat-wa")
    three = par_sheet(book, "dragon-7", book.settings({"decks": 3}, what_if=True))
    edge_is(page, edge_text(three, {}))
    expect(page.locator("#banner")).to_contain_text("decks 3 (approved: 8, 6)")


def test_pay_tables_of_the_edition_side_by_side(page: Page, house: str) -> None:
    page.goto(f"{house}/lab?edition=ez-pai-gow-wa&wager=dynasty&pay-table=3")
    page.locator("#alternatives").get_by_role("button", name="7", exact=True).click()
    book = open_edition("ez-pai-gow-wa")
    sheets = [par_sheet(book, "dynasty", book.settings({"pay-table": table})) for table in ("3", "7")]
    expect(page.locator(".compare tfoot .main td")).to_have_text([edge_text(sheet, {}) for sheet in sheets])


def test_a_wager_not_offered_can_be_asked_as_a_what_if(chromium: Browser, house: str) -> None:
    page = chromium.new_page()  # a refusal is a failed request: the browser itself notes it in the console
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{house}/lab?edition=ez-pai-gow-wa&wager=protection&joker=full")
    page.get_by_role("button", name="Compute it as a what-if").click()
    expect(page.locator(".readout.main output")).to_contain_text("10.86")
    expect(page.locator("#banner")).to_contain_text("not offered")
    page.close()


def test_nonsense_in_a_pay_changes_nothing(page: Page, house: str) -> None:
    page.goto(f"{house}/lab?edition=ez-baccarat-wa&wager=tie")
    box = page.get_by_label("Tie pays")
    box.fill("a lot")
    edge_is(page, "14.359629 %")
    box.press("Tab")
    expect(page.locator(".toast.refused")).to_contain_text("is not a pay")
    expect(box).to_have_value("8 to 1")


def test_verify_shows_every_figure_and_filters(page: Page, house: str) -> None:
    page.goto(f"{house}/verify?edition=ez-pai-gow-wa")
    expect(page.locator("#verdict-title")).to_have_text(
        "341 figures agree with the plain wording, 103 are explained by a reading, none differs."
    )
    expect(page.locator("#findings tbody tr")).to_have_count(444)
    page.get_by_role("radio", name="Explained 103").click()
    expect(page.locator("#findings tbody tr")).to_have_count(103)
    page.get_by_role("radio", name="Differ 0").click()
    expect(page.locator("#findings")).to_contain_text("No figure differs")
    page.get_by_role("radio", name="EZ Baccarat (Washington)").click()
    expect(page.locator("#verdict-title")).to_contain_text("9 figures agree")


@pytest.mark.parametrize("path", ["/lab?edition=ez-baccarat-wa&wager=dragon-7", "/verify?edition=lucky-lucky-wa"])
def test_a_phone_shows_it_all_within_its_width(page: Page, house: str, path: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{house}{path}")
    page.locator(".par, .panel.figures").first.wait_for()
