"""The page of a table while things happen: other guests, reloads, a house that dies and comes back, keyboards, all widths."""

import re
import signal
from collections.abc import Iterator

import pytest
from houses import Served, no_overflow, serving, shoot, until
from playwright.sync_api import Page, expect
from test_table_page import (
    DESKTOP,
    EDITIONS,
    PHONE,
    PURSE,
    bet,
    compile_rules,
    decide,
    finish,
    purse_is,
    sit,
    spot,
    take_name,
    told_round,
)

SMALL_PHONE, SIDEWAYS, WALL = (360, 740), (844, 390), (1920, 1080)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    compile_rules()
    folder = tmp_path_factory.mktemp("table-page-live")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def at_table(house: Served, new_page, name: str, table: str, size=DESKTOP, **options) -> Page:
    page = new_page(*size, token=house.joined(name)["token"], url=house.url, **options)
    page.goto(f"{house.url}/tables/{table}")
    return page


def test_two_guests_see_each_others_bets_live(house, new_page):
    table = house.open_table("Two at once", "ez-baccarat-wa")
    ann, bob = (at_table(house, new_page, name, table) for name in ("Ann two", "Bob two"))
    sit(ann)
    bob.get_by_role("button", name="Sit here, seat 2").click()
    expect(ann.get_by_label("Seat 2", exact=True)).to_contain_text("Bob two")
    bet(ann, "banker", "$5")
    bet(bob, "panda-8", "$5")
    for page, seat, wager in ((bob, 1, "banker"), (ann, 2, "panda-8")):
        theirs = page.get_by_label(f"Seat {seat}", exact=True).locator(f"[data-wager='{wager}']")
        expect(theirs).to_have_accessible_name(re.compile(r"bet \$5\b"))
    bob.get_by_role("button", name="Undo").click()
    gone = ann.get_by_label("Seat 2", exact=True).locator("[data-wager='panda-8']")
    expect(gone).to_have_accessible_name(re.compile("no bet"))
    bet(bob, "player", "$5")
    dealer = house.staff("dealer")
    for kind, fields in (("no-more-bets", {}), ("card", {"cards": "9s 7h Kd 3c"}), ("settle", {})):
        house.must(dealer.post(f"/api/v1/tables/{table}/{kind}", json=fields))
    expect(ann.locator("#result .net")).to_have_text("You lose $5")
    expect(bob.locator("#result .net")).to_have_text("You win $5")
    expect(ann.locator("#result .others")).to_contain_text(re.compile(r"2 · Bob two\+\$5EZB-"))


def test_a_reload_in_mid_round_loses_nothing(house, new_page):
    table = house.open_table("Reloaded", "lucky-lucky-wa")
    page = at_table(house, new_page, "Rae", table)
    sit(page)
    bet(page, "blackjack", "$5")
    dealer = house.staff("dealer")
    house.must(dealer.post(f"/api/v1/tables/{table}/no-more-bets", json={}))
    house.must(dealer.post(f"/api/v1/tables/{table}/card", json={"cards": "8s 6h 3d 10c"}))
    expect(page.locator(".asked")).to_have_text("You have 11")
    page.reload()
    expect(page.locator(".asked")).to_have_text("You have 11")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$5\b"))
    purse_is(page, PURSE - 500)
    decide(page, "double")
    page.reload()
    for cards in ("10h", "9d"):
        house.must(dealer.post(f"/api/v1/tables/{table}/card", json={"cards": cards}))
    house.must(dealer.post(f"/api/v1/tables/{table}/settle", json={}))
    expect(page.locator("#result .net")).to_have_text("You win $10")
    purse_is(page, PURSE + 1_000)


def test_a_house_killed_in_mid_round_comes_back_with_everything(start_process, new_page):
    url, process = start_process()
    page = new_page(*DESKTOP, expected="ERR_|Failed to load resource")
    take_name(page, url, "Survivor")
    page.goto(f"{url}/tables/Duki 1")
    sit(page)
    for wager in ("ante", "duki-bonus"):
        bet(page, wager, "$5")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator("[data-choice='play']")).to_be_visible()
    cards = page.locator(".seat.own .card").evaluate_all("all => all.map(one => one.dataset.code)")
    process.send_signal(signal.SIGKILL)
    process.wait()
    expect(page.locator(".toast.refused").first).to_contain_text("The house does not answer")
    start_process(port=int(url.rsplit(":", 1)[1]))
    expect(page.get_by_text("The house does not answer. Trying again")).to_have_count(0)
    assert page.locator(".seat.own .card").evaluate_all("all => all.map(one => one.dataset.code)") == cards
    expect(spot(page, "ante")).to_have_accessible_name(re.compile(r"bet \$5\b"))
    finish(page)
    purse_is(page, PURSE + int(page.locator("#result .net").get_attribute("data-net") or 0))


def test_a_round_with_nothing_but_the_keyboard(house, new_page):
    page = at_table(house, new_page, "Keys only", "Blackjack 1")
    expect(page.locator(".sit-here:visible").first).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('sit-here')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".seat.own")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("choose a chip")
    shoot(page, "table-keys-desktop")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.keyboard.press("ArrowRight")
    expect(spot(page, "blackjack")).to_be_focused()
    page.keyboard.press("Enter")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$25\b"))
    page.keyboard.press("d")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$50\b"))
    page.keyboard.press("u")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$25\b"))
    page.keyboard.press("ArrowLeft")
    expect(spot(page, "lucky-lucky")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(spot(page, "lucky-lucky")).to_have_accessible_name(re.compile(r"bet \$5\b"))
    page.keyboard.press("Space")
    asked = page.locator(".deciding:not([hidden]) .choice:enabled")
    over = page.locator("#result .net[data-net]")
    while True:
        expect(asked.first.or_(over)).to_be_visible()
        if over.count():
            break
        page.evaluate("document.querySelector('.decide').dataset.answered = 'yes'")
        page.keyboard.press("n" if page.locator("[data-choice='look']").count() else "s")
        page.wait_for_selector(".deciding[hidden], .decide:not([data-answered])", state="attached")
    purse_is(page, PURSE + int(over.get_attribute("data-net") or 0))
    page.keyboard.press("r")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$25\b"))
    page.keyboard.press("c")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile("no bet"))


def test_a_pai_gow_hand_is_set_by_keys(house, new_page):
    page = at_table(house, new_page, "Seven keys", "Pai Gow 1")
    sit(page)
    bet(page, "base", "$5")
    page.keyboard.press("Space")
    expect(page.locator(".set-says")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator(".card-pick.picked")).to_have_count(2)
    expect(page.locator(".set-says")).to_contain_text(re.compile("in front, .* behind"))
    page.keyboard.press("h")
    finish(page)


INSIDE = """() => [...document.querySelectorAll("#controls button, .seat .spot, .sit-here")].filter(one => one.offsetParent)
    .map(one => one.getBoundingClientRect())
    .every(box => box.left >= 0 && box.right <= document.documentElement.clientWidth)"""


@pytest.mark.parametrize("table", EDITIONS)
def test_no_width_overflows(house, new_page, table):
    page = at_table(house, new_page, f"Wide {table}", table, SMALL_PHONE)
    expect(page.locator(".sit-here:visible").first).to_be_visible()
    for seated in (False, True):
        if seated:
            sit(page)
        for width, height in (SMALL_PHONE, PHONE, SIDEWAYS, (1024, 768), WALL):
            page.set_viewport_size({"width": width, "height": height})
            no_overflow(page)
            until(page, INSIDE)
            shoot(page, f"table-{table.split()[0].lower()}-{'seated' if seated else 'free'}-{width}")
    page.get_by_role("button", name="Leave seat").click()
    expect(page.locator(".seat.own")).to_have_count(0)


def test_what_changes_is_announced(house, new_page):
    page = at_table(house, new_page, "Listener", "Duki 1", PHONE)
    sit(page)
    bet(page, "ante", "$5")
    page.get_by_role("button", name="Deal").click()
    expect(page.locator("#say")).to_have_text("Your decision: play, fold")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"\d+ s"))
    before = told_round(page)
    decide(page, "fold")
    finish(page, before=before)
    expect(page.locator("#say")).to_have_text(re.compile(r"You lose \$5\. Your chips: \$995\."))
    expect(page.locator("#strip a")).to_have_attribute("href", "/board/Duki%201")
    expect(page.locator("#strip .strip-told").first).to_be_visible()


def test_whoever_has_little_left_gets_more(house, new_page):
    table = house.open_table("Poor", "ez-baccarat-ca")
    page = at_table(house, new_page, "Broke", table)
    sit(page)
    page.get_by_label("Dollars to put up").fill("950")
    page.get_by_role("button", name="Take the bank").click()
    page.get_by_role("button", name="More chips").click()
    expect(page.locator("#purse b")).to_have_text("$1,050")
    expect(page.get_by_role("button", name="More chips")).to_be_hidden()
