"""On a phone held upright everything for the next action is on one screen: cards, spots, chips and Deal, in every edition."""

import re
from collections.abc import Iterator

import pytest
from houses import Served, serving, shoot, until
from playwright.sync_api import Page, expect
from test_table_page import EDITIONS, PHONE, PLAIN_CHOICES, bet, compile_rules, decide, sit, spot, take_name

SIDEWAYS, LAPTOP = (844, 390), (1280, 800)
SIZES = {"upright": PHONE, "sideways": SIDEWAYS, "laptop": LAPTOP}
OFF_SCREEN = """() => {
  const box = (one) => one.getBoundingClientRect();
  const shown = (names) => [...document.querySelectorAll(names)].filter((one) => one.checkVisibility() && box(one).height);
  const controls = box(document.querySelector("#controls"));
  const { clientHeight: tall, clientWidth: wide, scrollTop } = document.documentElement;
  const isInside = ({ top, bottom, left, right }, end) => top >= 0 && bottom <= end + 0.5 && left >= 0 && right <= wide;
  const outside = (names, end) => shown(names).filter((one) => !isInside(box(one), end));
  const felt = outside(".felt-house .card, .felt-message, .seat.own .card, .seat.own .spot", controls.top);
  const below = outside("#controls .rack-chip, #controls button", tall);
  const named = (one) => `${one.className} ${one.getAttribute("aria-label") ?? one.textContent} ${Math.round(box(one).bottom)}`;
  const problems = [...felt, ...below].map(named);
  if (scrollTop) problems.push(`scrolled by ${scrollTop}`);
  return problems;
}"""
"""What of the cards, the spots, the chips and the buttons does not lie on the screen, or lies behind the controls."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    compile_rules()
    folder = tmp_path_factory.mktemp("table-page-phone")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def all_on_one_screen(page: Page, name: str, *ways: str) -> None:
    for way in ways or SIZES:
        width, height = SIZES[way]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(100)
        shoot(page, f"phone-{name}-{way}")
        assert page.evaluate(OFF_SCREEN) == [], way


def counted(page: Page, selector: str) -> int:
    return page.locator(selector).count()


@pytest.mark.parametrize("table", EDITIONS)
def test_cards_spots_chips_and_deal_are_on_one_screen(house, new_page, table):
    _, wagers, _ = EDITIONS[table]
    shot = table.split()[0].lower()
    page = new_page(*PHONE)
    take_name(page, house.url, f"{shot} ann")
    page.goto(f"{house.url}/tables/{table}")
    sit(page)
    for wager in wagers:
        bet(page, wager, "$5")
    assert counted(page, "#controls .rack-chip") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-1-betting")
    page.get_by_role("button", name="Deal").click()
    choices = [f".deciding:not([hidden]) [data-choice='{choice}']:enabled" for choice in PLAIN_CHOICES]
    over = "#result .net[data-net]"
    for place in range(20):
        expect(page.locator(", ".join([*choices, over])).first).to_be_visible()
        if counted(page, over):
            break
        assert counted(page, ".seat.own .card") >= 2
        all_on_one_screen(page, f"{shot}-2-deciding-{place}")
        page.evaluate("document.querySelector('.decide').dataset.answered = 'yes'")
        page.locator(", ".join(choices)).first.click()
        page.wait_for_selector(".deciding[hidden], .decide:not([data-answered])", state="attached")
    assert counted(page, ".felt-house .card") >= 2
    assert counted(page, "#controls .rack-chip:visible") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-3-result")


# The felt tells an early result when it happens


def keyed(house: Served, new_page, name: str, size: tuple[int, int]) -> tuple[Page, object]:
    """A guest with Blackjack and Lucky Lucky bets at a hand-keyed table, and what its dealer does there."""
    table = house.open_table(f"Early {name}", "lucky-lucky-wa")
    token = house.joined(f"Ann {name}")["token"]
    page = new_page(*size, token=token, url=house.url)
    page.goto(f"{house.url}/tables/{table}")
    sit(page)
    for wager in ("blackjack", "lucky-lucky"):
        bet(page, wager, "$5")
    dealer = house.staff("dealer")

    def do(kind: str, **fields: object) -> None:
        house.must(dealer.post(f"/api/v1/tables/{table}/{kind}", json=fields))

    do("no-more-bets")
    return page, do


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["upright", "laptop"])
def test_llb_7_the_felt_tells_that_lucky_lucky_is_paid_when_it_is(house, new_page, size):
    page, do = keyed(house, new_page, f"won {size[0]}", size)
    do("card", cards="7s 7h 7d 10c")
    expect(page.locator(".felt-message")).to_contain_text("Lucky Lucky wins $250")
    expect(page.locator("#say")).to_contain_text("Lucky Lucky wins $250")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✓ +$250")
    expect(spot(page, "lucky-lucky")).to_have_accessible_name(re.compile(r"^Lucky Lucky, .*wins, paid \$250$"))
    expect(spot(page, "lucky-lucky").locator(".stack")).to_have_count(0)
    assert counted(page, ".deciding:not([hidden]) [data-choice='stand']") == 1, "the round goes on"
    all_on_one_screen(page, f"early-won-{size[0]}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    decide(page, "stand")
    until(page, "!document.querySelector('.felt-message').textContent.includes('Lucky Lucky')")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✓ +$250")


def test_llb_7_the_felt_tells_that_lucky_lucky_is_lost_when_it_is(house, new_page):
    page, do = keyed(house, new_page, "lost", PHONE)
    do("card", cards="10s 2h 5d 10c")
    expect(page.locator(".felt-message")).to_contain_text("Lucky Lucky loses")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✕ Loses")
    expect(spot(page, "lucky-lucky").locator(".stack")).to_have_count(0)
    all_on_one_screen(page, "early-lost")


def test_llb_7_an_onlooker_sees_it_too(house, new_page):
    page, do = keyed(house, new_page, "seen", LAPTOP)
    onlooker = new_page(*LAPTOP)
    onlooker.goto(page.url)
    do("card", cards="7s 7h 7d 10c")
    seen = onlooker.get_by_label("Seat 1", exact=True).locator(".spot[data-wager='lucky-lucky'] .spot-badge")
    expect(seen).to_have_text("✓ +$250")
