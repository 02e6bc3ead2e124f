"""The host's page and the rotation: guests wait, are called and seated; who works where; by keyboard and on a phone."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

API = "/api/v1"
NewPage = Callable[..., Page]
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("host")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def test_the_host_calls_and_seats_a_guest(house: Served, new_page: NewPage) -> None:
    house.open_table("Host hall", "ez-baccarat-wa", seats=3)
    house.must(
        house.staff("host").post(f"{API}/tables/Host hall/reserve", json={"seat": 3, "guest": "Late", "hold_minutes": 30})
    )
    page = new_page(token=house.token("host"), url=house.url)
    page.goto(f"{house.url}/host")
    page.get_by_role("button", name="Put a guest on the list").click()
    page.get_by_label("Guest", exact=True).fill("Zara Waits")
    page.get_by_label("For", exact=True).select_option("ez-baccarat-wa")
    page.get_by_role("button", name="Put him on").click()
    waits = page.locator("#waitlist li", has_text="Zara Waits")
    expect(waits).to_contain_text("EZ Baccarat")
    waits.get_by_role("button", name="Call").click()
    page.get_by_label("Table", exact=True).select_option("Host hall")
    page.get_by_role("dialog").get_by_role("button", name="Call").click()
    expect(waits).to_contain_text("Called to seat 1 of Host hall")
    card = page.locator("article[data-table='Host hall']")
    expect(card).to_contain_text("held for Zara Waits")
    expect(card).to_contain_text("held for Late")
    expect(page.get_by_role("dialog")).to_have_count(0)
    shoot(page, "host")
    waits.get_by_role("button", name="Seat").focus()
    page.keyboard.press("Enter")
    expect(card.locator(".seat.taken")).to_contain_text("Zara Waits")
    expect(page.locator("#waitlist")).not_to_contain_text("Zara Waits")
    page.set_viewport_size({"width": 390, "height": 844})
    no_overflow(page)
    shoot(page, "host-phone")


def test_a_guest_sees_his_place_in_line_and_nobody_elses_name(house: Served, new_page: NewPage) -> None:
    host = house.staff("host")
    house.must(host.post(f"{API}/waitlist", json={"guest": "Secret Sam"}))
    token = house.joined("Quentin")["token"]
    house.must(house.anybody(Authorization=f"Bearer {token}").post(f"{API}/waitlist", json={}))
    page = new_page(token=token, url=house.url)
    page.goto(house.url)
    expect(page.locator("#line")).to_contain_text("You wait for any seat: place 2 in line.")
    assert "Secret Sam" not in page.content()
    page.get_by_role("button", name="Wait no more").click()
    expect(page.locator("#line")).to_be_hidden()


def test_the_rotation_tells_who_works_where(house: Served, new_page: NewPage) -> None:
    house.open_table("Rota hall", "ez-baccarat-wa")
    house.must(house.staff("dealer").post(f"{API}/tables/Rota hall/sign-on"))
    house.must(house.staff("dealer", "resting dealer").post(f"{API}/staff/break"))
    page = new_page(token=house.token("supervisor"), url=house.url)
    page.goto(f"{house.url}/rotation")
    row = page.locator("tr[data-table='Rota hall']")
    expect(row).to_contain_text("test dealer")
    row.get_by_role("button", name="Supervise").focus()
    page.keyboard.press("Enter")
    expect(row).to_contain_text("test supervisor")
    expect(page.locator("#breaks")).to_contain_text("resting dealer")
    shoot(page, "rotation")
    row.get_by_role("button", name="Give it up").click()
    expect(row).to_contain_text("nobody")
    page.get_by_role("button", name="Begin my break").click()
    expect(page.locator("#breaks")).to_contain_text("test supervisor")
    page.get_by_role("button", name="Back from my break").click()
    expect(page.locator("#breaks")).not_to_contain_text("test supervisor")
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, "rotation-phone")
    no_overflow(page)


def test_alerts_stand_on_the_floor_page(house: Served, new_page: NewPage) -> None:
    house.app.state.alerts.look()
    house.must(house.staff("host").post(f"{API}/guests/exclude", json={"guest": "Nemo Barred", "ground": "house"}))
    refused = house.staff("cashier").post(f"{API}/cage/buy-in", json={"guest": "Nemo Barred", "cents": 100})
    assert refused.json()["code"] == "may-not-play"
    house.app.state.alerts.look()
    page = new_page(token=house.token("supervisor"), url=house.url)
    page.goto(f"{house.url}/floor")
    expect(page.locator("#alerts")).to_contain_text("Somebody who may not play tried to buy in")
    shoot(page, "floor-alerts")
    page.set_viewport_size({"width": 390, "height": 844})
    no_overflow(page)
    assert house.staff("dealer").get(f"{API}/alerts").json()["alerts"][0]["severity"] == "act"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Seen to: Somebody who may not play tried to buy in").press("Enter")
    expect(page.locator("#alert-panel")).not_to_contain_text("Somebody who may not play")
    page.reload()
    expect(page.locator("#events")).to_contain_text("Saw to the alert may-not-play")
    shoot(page, "floor-alerts-seen")


def test_many_alerts_are_folded_and_the_tables_stay_near(tmp_path: Path, new_page: NewPage) -> None:
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key") as house:
        house.app.state.alerts.look()
        house.must(house.staff("host").post(f"{API}/guests/exclude", json={"guest": "Nemo Barred", "ground": "house"}))
        cashier = house.staff("cashier")
        for cents in range(100, 2_000, 100):
            assert cashier.post(f"{API}/cage/buy-in", json={"guest": "Nemo Barred", "cents": cents}).status_code != 200
        house.app.state.alerts.look()
        page = new_page(width=390, height=844, token=house.token("supervisor"), url=house.url)
        page.goto(f"{house.url}/floor")
        expect(page.locator("#count-alerts")).to_have_text("19")
        expect(page.locator("#alerts li")).to_have_count(3)
        expect(page.locator("#alerts-below li").first).to_be_hidden()
        assert page.locator("#tabs").bounding_box()["y"] < 1.5 * 844
        no_overflow(page)
        shoot(page, "floor-many-alerts-phone")
        page.locator("#more-alerts summary").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#alerts-below li").last).to_be_visible()
        page.locator("#alerts button").first.press("Enter")
        expect(page.locator("#count-alerts")).to_have_text("18")
        expect(page.locator("#more-alerts summary")).to_have_text("15 more")
        expect(page.locator("#alerts-below li").last).to_be_visible()
        expect(page.locator("#alerts button").first).to_be_focused()
        page.set_viewport_size({"width": 1280, "height": 900})
        page.locator("#more-alerts summary").press("Enter")
        shoot(page, "floor-many-alerts")
