"""Guests at the door and on the pages: who may not play has no session, and the patron file is used on its page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from houses import PASSWORD, PATIENCE, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

from houseway.web.people import DOOR

API = "/api/v1"
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("guests")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def test_who_is_excluded_loses_his_session_and_is_not_let_in_again(house: Served) -> None:
    ann = house.guest("Ann Barred")
    house.must(ann.post(f"{API}/guests/exclude", json={"until": "2099-01-01"}))
    assert ann.get(f"{API}/session").status_code == 401, "the session has ended at once"
    again = httpx.post(f"{house.url}{API}/guests", json={"name": "ann barred"}, timeout=PATIENCE)
    assert (again.status_code, again.json()["code"]) == (403, "may-not-play")
    assert "2099" not in again.text
    told = house.staff("supervisor").get(f"{API}/floor").json()["events"]
    assert any(event["event"] == "attempt" and "came" in event["text"] for event in told)


def test_an_account_of_somebody_excluded_does_not_log_in(house: Served) -> None:
    house.app.state.door.add("Otto Barred", "guest", PASSWORD, DOOR)
    house.must(house.staff("host").post(f"{API}/guests/exclude", json={"guest": "Otto Barred", "ground": "house"}))
    for _ in range(12):
        answer = httpx.post(f"{house.url}{API}/session", json={"name": "Otto Barred", "password": PASSWORD}, timeout=PATIENCE)
        assert (answer.status_code, answer.json()["code"]) == (403, "may-not-play")
    told = [entry for entry in house.app.state.house.floor.store.entries() if entry.kind == "attempt"]
    assert len([entry for entry in told if "Otto Barred" in entry.data["message"]]) == 12, "each time"


def test_the_patron_file_over_http(house: Served) -> None:
    host = house.staff("host")
    data = {"name": "Berta Quark", "born": "1970-05-05", "document": "ID 4471", "address": "1 Elm", "guest": "Berta"}
    made = house.must(host.post(f"{API}/patrons", json=data))
    assert made["may_play"] and made["missing"] == []
    assert host.post(f"{API}/patrons", json={"name": "B.", "document": "id 44-71"}).json()["code"] == "known-patron"
    assert house.must(host.post(f"{API}/patrons/find", json={"text": "quark"}))["found"][0]["patron"] == made["patron"]
    assert house.must(host.post(f"{API}/patrons/Berta/identified"))["identified"]
    assert house.staff("dealer").post(f"{API}/patrons/Berta/look").status_code == 403
    journal = house.staff("auditor").get(f"{API}/journal?limit=500").text
    floor = house.staff("auditor").get(f"{API}/floor").text
    lobby = httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE).text
    for secret in ("Quark", "1970-05", "ID 4471", "1 Elm"):
        assert secret not in journal and secret not in floor and secret not in lobby


def test_where_every_guest_must_be_registered_a_guest_is_told_where(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "house.key") as house:
        table, ann = house.open_table("t1", "ez-baccarat-wa"), house.guest("Ann")
        rule = {"rule": "every guest registered", "value": "yes"}
        asked = house.must(house.staff("administrator").post(f"{API}/house/rules", json=rule))
        if "request" in asked:
            house.must(house.staff("supervisor").post(f"{API}/requests/confirm", json={"request": asked["request"]}))
        refused = ann.post(f"{API}/tables/{table}/sit", json={"seat": 1})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-registered")
        assert "please register with the host or at the cage" in refused.json()["message"]
        house.must(house.staff("host").post(f"{API}/patrons", json={"name": "Ann Able", "guest": "Ann"}))
        house.must(ann.post(f"{API}/tables/{table}/sit", json={"seat": 1}))


def test_a_guest_excludes_himself_on_his_page(house: Served, new_page: NewPage) -> None:
    page = new_page(token=house.joined("Wilma Stops")["token"], url=house.url)
    page.goto(f"{house.url}/account")
    page.get_by_role("button", name="Exclude myself").click()
    page.get_by_label("Until").fill("2099-12-31")
    shoot(page, "account-exclude")
    page.keyboard.press("Enter")
    expect(page.locator("#join")).to_be_visible()
    assert house.app.state.house.state.barred["wilmastops"].until == "2099-12-31"


def test_the_page_of_guests(house: Served, new_page: NewPage) -> None:
    page = new_page(token=house.token("host"), url=house.url)
    page.goto(f"{house.url}/patrons")
    page.get_by_role("button", name="Register a guest").click()
    page.get_by_label("Legal name").fill("Carla Mint")
    page.get_by_label("Birth date").fill("2015-01-01")
    page.get_by_role("textbox", name="Account", exact=True).fill("carla")
    page.keyboard.press("Enter")
    expect(page.locator(".patron")).to_contain_text("May not play, for his age")
    page.get_by_label("Name, description, document").fill("mint")
    page.keyboard.press("Enter")
    page.locator("#found button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#patron")).to_be_focused()
    expect(page.locator(".patron h2")).to_have_text("Carla Mint")
    shoot(page, "guests")
    page.set_viewport_size({"width": 390, "height": 844})
    no_overflow(page)
    shoot(page, "guests-phone")
