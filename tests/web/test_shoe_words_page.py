"""What is said of a shoe in a real browser: what a guest's own screen added to it, and that one is lost."""

from collections.abc import Callable, Iterator

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect
from sqlalchemy import delete

from houseway.house import schema

API = "/api/v1"
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("shoe-words")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def at_table(house: Served, new_page: NewPage, token: str, page_of: str, table: str, **options: object) -> Page:
    page = new_page(token=token, url=house.url, **options)
    page.goto(f"{house.url}/{page_of}/{table}")
    return page


def test_a_guests_screen_adds_by_itself_and_says_so(house: Served, new_page: NewPage) -> None:
    table = house.open_table("Mixed", "ez-baccarat-wa", "virtual-shoe", guest_seeds=600)
    dealers = at_table(house, new_page, house.token("dealer"), "dealer", table)
    expect(dealers.locator(".mixing")).to_contain_text("Nobody is waited for")
    ann, ben = (at_table(house, new_page, house.joined(name)["token"], "tables", table) for name in ("Ann", "Ben"))
    words = ann.locator("#shoe-words")
    with ann.expect_response(lambda answer: answer.url.endswith("/seed")) as sent:
        ann.get_by_role("button", name="Sit here, seat 1").click()
    assert sent.value.ok
    expect(words).to_contain_text("Your screen has added its own random number to this shoe")
    expect(ben.locator("#shoe-words")).to_contain_text("Random numbers of Ann are in this shoe")
    expect(dealers.locator(".mixing")).to_have_count(0)
    shoot(ann, "table-mixed")
    no_overflow(ann)
    guest, dealer = house.guest("Cleo"), house.staff("dealer")
    house.must(guest.post(f"{API}/tables/{table}/bet", json={"seat": 3, "wager": "banker", "cents": 500}))
    for kind in ("no-more-bets", "deal", "settle"):
        settled = house.must(dealer.post(f"{API}/tables/{table}/{kind}"))
    for name, seat in (("Ann", 1), ("Cleo", 3)):
        dealer.post(f"{API}/tables/{table}/leave", json={"seat": seat, "guest": name})
    house.must(house.staff("supervisor").post(f"{API}/tables/{table}/close"))
    ben.goto(f"{house.url}/rounds/{settled['seq']}")
    expect(ben.locator("#house-proof")).to_contain_text("give the commitment")
    expect(ben.locator("#own-proof")).to_contain_text("✓")
    expect(ben.locator("#own-mix")).to_have_text("✓ Your browser gets this order from the house's seed and 1 seed of guests.")


def test_the_dealer_goes_on_when_nobody_is_waited_for(house: Served, new_page: NewPage) -> None:
    table = house.open_table("Nobody", "ez-baccarat-wa", "virtual-shoe", guest_seeds=600)
    page = at_table(house, new_page, house.token("dealer"), "dealer", table)
    page.locator("[data-key=mix]").click()
    expect(page.locator(".mixing")).to_have_count(0)
    guest = house.guest("Dora")
    house.must(guest.post(f"{API}/tables/{table}/bet", json={"seat": 1, "wager": "banker", "cents": 500}))


def test_a_lost_shoe_is_recorded_with_a_second_name_and_shown_to_all(house: Served, new_page: NewPage) -> None:
    table = house.open_table("Lost", "ez-baccarat-wa", "virtual-shoe")
    floor = house.app.state.house.floor
    shoe = floor.state.tables[table].shoe
    with floor.store.engine.begin() as connection:
        connection.execute(delete(schema.sealed).where(schema.sealed.c.shoe == shoe.id))
    guest = at_table(house, new_page, house.joined("Eve")["token"], "tables", table)
    page = at_table(house, new_page, house.token("supervisor", "Sue"), "dealer", table, expected="409|400|403")
    page.locator("[data-key=lost-shoe]").click()
    page.get_by_label("The second supervisor").fill("Sue")
    page.get_by_role("button", name="Record that it is lost").click()
    expect(page.get_by_text("name a second supervisor")).to_be_visible()
    expect(page.locator(".lost-shoe")).to_have_count(0)
    page.locator("[data-key=lost-shoe]").click()
    page.get_by_label("The second supervisor").fill("Tom")
    page.get_by_role("button", name="Record that it is lost").click()
    for told in (page.locator(".lost-shoe"), guest.locator("#shoe-words")):
        expect(told).to_contain_text("Shoe 1 was lost")
        expect(told).to_contain_text(shoe.commitment)
    shoot(guest, "table-lost-shoe")
    no_overflow(guest)
    assert floor.state.tables[table].shoe.id != shoe.id
