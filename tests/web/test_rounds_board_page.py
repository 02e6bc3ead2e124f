"""EPG-13 in a real browser: rounds keyed on the dealer's tablet are on the wall. And D4P-11, D4P-14d on the pages."""

from collections.abc import Callable, Iterator

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

TABLET = {"width": 1180, "height": 820}
WALL = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
PLAYED, DEALERS = "9h 9c 6s Jd", "9s 9d 5h 8c"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("rounds")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


@pytest.fixture
def staff_page(house: Served, new_page: Callable[..., Page]) -> Callable[..., Page]:
    """A page of the house, for a role."""

    def visit(path: str, role: str, expected: str = "") -> Page:
        page = new_page(**TABLET, token=house.token(role), url=house.url, expected=expected)
        page.goto(f"{house.url}{path}")
        return page

    return visit


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f"[data-key='{key}']").click()


def test_epg_13_rounds_on_the_keypad_are_on_the_wall(
    house: Served, staff_page: Callable[..., Page], new_page: Callable[..., Page]
) -> None:
    floor = staff_page("/floor#boards", "supervisor")
    floor.click("#open-board")
    floor.fill("dialog [name=board]", "Trak PG")
    floor.locator("dialog [name=edition]").select_option("ez-pai-gow-wa")
    floor.locator("dialog").get_by_role("button", name="Open it").click()
    expect(floor.locator("[data-board='Trak PG']")).to_be_visible()

    page, wall = staff_page("/dealer/Trak PG", "dealer"), new_page(**WALL)
    wall.goto(f"{house.url}/board/Trak PG")
    expect(page.locator("[data-key=enter]")).to_be_disabled()
    press(page, "start-3", "two-pair", "enter")
    expect(wall.locator(".part.hero .headline")).to_have_text("Two pair")
    expect(wall.locator(".start-number")).to_have_text("3")
    for key in ("7", "q"):
        page.keyboard.press(key)
    page.locator("#hit").select_option("dynasty.full-house")
    page.locator("#hit-seat").select_option("2")
    press(page, "add-hit")
    expect(page.locator("#keyed")).to_have_text("from 7 · Queen-high pai gow · Full house at seat 2")
    shoot(page, "dealer-keyed-rounds-tablet")
    press(page, "enter")
    expect(wall.locator(".part.hero .headline")).to_have_text("Queen-high pai gow")
    expect(wall.locator(".part.hero .mark-said")).to_contain_text("base wagers push")
    expect(wall.locator(".part.marks .mark-count")).to_contain_text("1")
    expect(wall.locator(".part.bonuses")).to_contain_text("Full house")
    expect(wall.locator(".part.totals")).to_have_count(0)  # nobody bets on a keyed board
    expect(wall.locator("#round")).to_contain_text("2 rounds keyed")
    shoot(wall, "board-keyed-rounds-wall")
    no_overflow(wall)
    press(page, "undo")
    expect(wall.locator(".part.hero .headline")).to_have_text("Two pair")
    page.set_viewport_size(PHONE)
    no_overflow(page)
    press(page, "new-shoe")
    page.get_by_role("button", name="Begin anew").last.click()
    expect(wall.locator(".part.hero")).to_contain_text("No round is over yet")


def test_d4p_11_a_guest_bets_for_the_dealer_on_the_felt(
    house: Served, staff_page: Callable[..., Page], new_page: Callable[..., Page]
) -> None:
    table = house.open_table("Tips", "duki-4-wa", settings={"dealer-bets": "allowed"})
    joined = house.joined("Tia")
    page = new_page(width=1440, height=900, token=joined["token"], url=house.url)
    page.goto(f"{house.url}/tables/{table}")
    page.locator(".sit-here:visible").first.click()
    expect(page.locator("#for-dealer")).to_be_disabled()
    ante = page.locator(".seat.own .spot[data-wager=ante]")
    ante.click()
    expect(page.locator("#for-dealer")).to_be_enabled()
    page.click("#for-dealer")
    expect(page.locator("#for-dealer")).to_have_attribute("aria-pressed", "true")
    ante.click()
    expect(page.locator("#tips")).to_contain_text("Ante $5")
    expect(page.locator(".seat.own .seat-note")).to_contain_text("$5 for the dealer")
    shoot(page, "table-bet-for-the-dealer")
    tablet = staff_page(f"/dealer/{table}", "dealer")
    expect(tablet.locator("#seats")).to_contain_text("Ante for the dealer $5")
    page.get_by_role("button", name="Take back Ante for the dealer").click()
    expect(page.locator("#tips")).to_be_hidden()
    tablet.locator(".entry summary").click()
    tablet.locator("#bet-guest").fill("Tia")
    tablet.locator("#bet-dollars").fill("10")
    tablet.locator("#bet-for-dealer").check()
    tablet.get_by_role("button", name="Place the bet").click()
    expect(page.locator("#tips")).to_contain_text("Ante $10")
    dealer = house.staff("dealer")
    for kind, body in (("no-more-bets", None), ("card", {"cards": PLAYED}), ("card", {"cards": DEALERS})):
        house.must(dealer.post(f"/api/v1/tables/{table}/{kind}", json=body))
    page.locator(".deciding [data-choice=play]").click()
    expect(tablet.locator(".due")).to_contain_text("Ante (for the dealer)")
    press(tablet, "settle")
    expect(tablet.locator(".payouts")).to_contain_text("Tia, for the dealer")
    expect(page.locator("#result")).to_contain_text("$15")  # Ante 2 to 1 and Play: the dealers' $30 are not hers
    tips = {each["name"]: each["tips_cents"] for each in house.staff("supervisor").get("/api/v1/floor").json()["tables"]}
    assert tips[table] == 3_000


def test_d4p_14d_the_dealers_page_waits_for_the_supervisors_check(house: Served, staff_page: Callable[..., Page]) -> None:
    table = house.open_table("Jammed", "duki-4-wa", "shuffler")
    dealer, supervisor = house.staff("dealer"), house.staff("supervisor")
    joined = house.joined("Joe")
    guest = house.anybody(Authorization=f"Bearer {joined['token']}")
    path = f"/api/v1/tables/{table}"

    def bet() -> None:
        house.must(guest.post(f"{path}/bet", json={"seat": 1, "wager": "ante", "cents": 500}))

    bet()
    house.must(dealer.post(f"{path}/no-more-bets"))
    house.must(supervisor.post(f"{path}/void", json={"reason": "shuffler-jam"}))
    bet()
    page = staff_page(f"/dealer/{table}", "dealer")
    expect(page.locator("#stage .warn-notice")).to_contain_text("before a supervisor has checked the cards")
    expect(page.locator("[data-key=no-more-bets]")).to_be_disabled()
    expect(page.locator("[data-key=check-cards]")).to_have_count(0)
    refused = dealer.post(f"{path}/no-more-bets")
    assert (refused.status_code, refused.json()["code"]) == (409, "check-cards-first")
    floor = staff_page("/floor", "supervisor")
    expect(floor.locator(f"[data-table='{table}'] [data-act=check-cards]")).to_be_visible()
    boss = staff_page(f"/dealer/{table}", "supervisor")
    press(boss, "check-cards")
    expect(page.locator("[data-key=no-more-bets]")).to_be_enabled()
    press(page, "no-more-bets")
    page.wait_for_selector("#stage[data-stage=dealing]")


def test_epg_9_the_form_that_opens_a_table_follows_where_the_cards_come_from(
    house: Served, staff_page: Callable[..., Page]
) -> None:
    page = staff_page("/floor", "supervisor")
    page.click("#open-table")
    page.locator("dialog [name=edition]").select_option("ez-pai-gow-wa")
    fouls = page.locator("dialog [name=setting-R16]")
    expect(fouls).to_have_value("0")
    page.locator("dialog [name=source]").select_option("hand-keyed")
    expect(fouls).to_have_value("1")
    page.locator("dialog summary", has_text="Readings").click()
    fouls.select_option("0")
    page.fill("dialog [name=table]", "Fouls")
    page.fill("dialog [name=opener]", "1000")
    page.locator("dialog").get_by_role("button", name="Open it").click()
    expect(page.locator("dialog")).to_have_count(0)
    view = house.anybody().get("/api/v1/tables/Fouls").json()
    assert view["settings"]["R16"] == "refused"


def test_d4p_13_the_form_offers_six_or_seven_positions(house: Served, staff_page: Callable[..., Page]) -> None:
    page = staff_page("/floor", "supervisor")
    page.click("#open-table")
    page.locator("dialog [name=edition]").select_option("duki-4-wa")
    assert page.locator("dialog [name=seats] option").all_inner_texts() == ["6", "7"]
