"""The account's page, and screens that lock: in a real browser."""

import re
import time
from collections.abc import Callable, Iterator

import pytest
from houses import PASSWORD, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

from houseway.house import second_factor
from houseway.web import people
from houseway.web.people import DOOR

NewPage = Callable[..., Page]
API = "/api/v1"
OTHER = "the moon ate my umbrella"
REFUSED = r"the server responded with a status of 4\d\d"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("account")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


@pytest.fixture
def put_forward(house: Served) -> Iterator[Callable[[float], None]]:
    """Puts the door's clock forward."""
    ahead = [0.0]
    house.app.state.door.clock = lambda: time.time() + ahead[0]

    def more(seconds: float) -> None:
        ahead[0] += seconds

    yield more
    house.app.state.door.clock = time.time


def log_in(page: Page, house: Served, name: str, password: str = PASSWORD, next_: str = "/floor") -> None:
    page.goto(f"{house.url}/login?next={next_}")
    page.fill("#name", name)
    page.fill("#password", password)
    page.click("#go")


def test_after_a_reset_the_page_of_the_account_comes_first(house: Served, new_page: NewPage) -> None:
    house.app.state.door.add("Resa", "dealer", PASSWORD, DOOR)
    one_time = house.app.state.door.accounts.reset("Resa", DOOR)
    page = new_page(expected=REFUSED)
    log_in(page, house, "Resa", one_time)
    expect(page.locator("#needs")).to_contain_text("for one log-in only")
    page.goto(f"{house.url}/floor")
    expect(page).to_have_url(re.compile("/account$"))
    page.click("#change-password")
    page.fill("#ask-new_password", "password12345")
    page.get_by_role("dialog").get_by_role("button", name="Change it").click()
    expect(page.locator(".said")).to_contain_text("easily guessed")
    page.fill("#ask-new_password", OTHER)
    page.get_by_role("dialog").get_by_role("button", name="Change it").click()
    expect(page.locator("#needs")).to_be_hidden()
    expect(page.locator(".sessions tbody tr")).to_have_count(1)
    no_overflow(page)
    shoot(page, "account")
    page.goto(f"{house.url}/floor")
    expect(page.locator("h1")).to_have_text("Floor")


def test_a_second_factor_is_set_up_on_the_page_and_asked_for_at_the_door(house: Served, new_page: NewPage) -> None:
    house.app.state.door.add("Fania", "cashier", PASSWORD, DOOR)
    page = new_page(expected=REFUSED)
    log_in(page, house, "Fania", next_="/account")
    page.click("#begin-factor")
    page.fill("#ask-password", PASSWORD)
    page.get_by_role("dialog").get_by_role("button", name="Go on").click()
    secret = page.locator("#factor-secret").inner_text().replace(" ", "")
    assert page.locator("#factor-uri").get_attribute("href").startswith("otpauth://totp/")  # type: ignore[union-attr]
    expect(page.locator("#factor-qr path")).to_have_attribute("d", re.compile("^M4 4h1v1h-1z"))
    shoot(page, "account-second-factor")
    page.fill("#ask-code", second_factor.code_at(secret, int(time.time()) // 30))
    page.get_by_role("dialog").get_by_role("button", name="Confirm").click()
    codes = page.locator("#recovery-codes li")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()
    page.get_by_role("button", name="I have kept them").click()
    expect(page.locator("#account")).to_contain_text("10 recovery codes left")

    again = new_page(expected=REFUSED)
    log_in(again, house, "Fania", next_="/account")
    expect(again.locator("#wrong")).to_contain_text("six digits")
    again.fill("#code", recovery)
    again.click("#go")
    expect(again.locator("#account")).to_contain_text("9 recovery codes left")


def test_a_session_elsewhere_is_ended_on_the_page(house: Served, new_page: NewPage) -> None:
    there = house.staff("dealer", "Wanda")
    page = new_page(token=house.token("dealer", "Wanda"), url=house.url)
    page.goto(f"{house.url}/account")
    expect(page.locator(".sessions tbody tr")).to_have_count(2)
    page.get_by_role("button", name=re.compile("^End the session")).click()
    expect(page.locator(".sessions tbody tr")).to_have_count(1)
    assert there.get(f"{API}/session").status_code == 401


def test_an_idle_staff_screen_goes_blank_and_goes_on_where_it_was(
    house: Served, new_page: NewPage, put_forward: Callable[[float], None]
) -> None:
    token = house.token("cashier", "Carla")
    page = new_page(token=token, url=house.url, expected=REFUSED)
    put_forward(people.STAFF_IDLE_SECONDS - 5 * PATIENCE)
    page.goto(f"{house.url}/floor#cage")
    with page.expect_response("**/api/v1/session/input"):
        page.click("#in-guest")  # this touches the screen, and is told the house
    page.fill("#in-guest", "Somebody half typed")
    put_forward(people.STAFF_IDLE_SECONDS - 4 * PATIENCE)
    page.evaluate("fetch('/api/v1/session')")  # reading does not keep it open
    locked = page.locator("dialog.locked")
    page.evaluate("dispatchEvent(new Event('focus'))")
    assert house.anybody(Authorization=f"Bearer {token}").get(f"{API}/session").status_code == 200, "typing has kept it open"
    put_forward(4 * PATIENCE)
    page.evaluate("document.querySelector('#tab-events').click()")
    put_forward(1)
    house.must(house.staff("supervisor").post(f"{API}/boards", json={"board": "Wakes", "edition": "ez-baccarat-wa"}))
    expect(locked).to_be_visible()
    expect(locked).to_contain_text("Carla")
    shoot(page, "screen-locked")
    page.keyboard.press("Escape")
    expect(locked).to_be_visible()
    page.fill("#unlock-password", "not hers at all")
    page.click("#unlock")
    expect(page.locator("#unlock-said")).to_contain_text("wrong")
    page.fill("#unlock-password", PASSWORD)
    page.click("#unlock")
    expect(locked).to_have_count(0)
    page.click("#tab-cage")
    expect(page.locator("#in-guest")).to_have_value("Somebody half typed")
    house.must(house.staff("supervisor").post(f"{API}/boards", json={"board": "Seen again", "edition": "ez-baccarat-wa"}))
    page.click("#tab-boards")
    expect(page.locator('[data-board="Seen again"]')).to_be_visible()


def test_a_screen_locks_by_itself(house: Served, new_page: NewPage, put_forward: Callable[[float], None]) -> None:
    token = house.token("dealer", "Idle Ida")
    put_forward(people.STAFF_IDLE_SECONDS - 2)
    page = new_page(token=token, url=house.url, expected=REFUSED)
    page.goto(f"{house.url}/dealer/Baccarat 1")
    expect(page.locator("dialog.locked")).to_be_visible()
    page.reload()
    expect(page.locator("dialog.locked")).to_be_visible()
    page.get_by_role("button", name="Somebody else").click()
    expect(page).to_have_url(re.compile("/login"))


def test_the_screen_is_locked_by_hand_and_the_wall_is_not(house: Served, new_page: NewPage) -> None:
    token = house.token("supervisor", "Leaves Desk")
    page, wall = (new_page(token=token, url=house.url, expected=REFUSED) for _ in range(2))
    wall.goto(f"{house.url}/board/Baccarat 1")
    page.goto(f"{house.url}/floor")
    page.click("#lock-now")
    expect(page.locator("dialog.locked")).to_be_visible()
    wall.reload()
    expect(wall.locator("h1")).to_have_text("Baccarat 1")
    expect(wall.locator("dialog.locked")).to_have_count(0)


def test_an_administrator_resets_and_removes_on_the_floor(house: Served, new_page: NewPage) -> None:
    house.app.state.door.add("Forgetful", "dealer", PASSWORD, DOOR)
    page = new_page(token=house.token("administrator"), url=house.url, expected=REFUSED)
    page.goto(f"{house.url}/floor#people")
    row = page.locator('[data-person="Forgetful"]')
    row.get_by_role("button", name="Reset").click()
    page.get_by_role("dialog").get_by_role("button", name="Reset").click()
    one_time = page.locator("#one-time").inner_text()
    page.get_by_role("button", name="Told").click()
    expect(row).to_contain_text("must change the password")
    assert house.app.state.door.log_in("Forgetful", one_time)
    expect(page.locator("#sessions")).to_contain_text("test administrator")
    row.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove the account").click()
    expect(row).to_have_count(0)
    page.click("#tab-events")
    expect(page.locator(".event[data-event=person-removed]")).to_contain_text("Forgetful")
