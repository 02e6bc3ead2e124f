"""Second persons over the API and in a real browser: 202, the floor page's list, Confirm and Decline, dealers who sign on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from houses import PASSWORD, Served, serving
from playwright.sync_api import Page, expect

from houseway.house.audit import Auditor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table.duties import ONE_NAME
from houseway.web.app import ServeSettings, create_app

API = "/api/v1"
NewPage = Callable[..., Page]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A real house, which begins with two names, and has $1,000,000 and a table."""
    monkeypatch.setenv("HOUSEWAY_DUTIES", "two")
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "house.key", demo=False) as made:
        asked = made.staff("administrator", "olga").post(f"{API}/cage/fund", json={"cents": 100_000_000})
        assert asked.status_code == 202
        made.must(made.staff("supervisor", "sue").post(f"{API}/requests/confirm", json={"request": asked.json()["request"]}))
        opening = {"table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 1_000_000}
        made.must(made.staff("supervisor", "sue").post(f"{API}/tables", json=opening))
        yield made
        assert Auditor(Store(f"sqlite:///{tmp_path / 'house.db'}")).run().flaws == ()


def visit(new_page: NewPage, house: Served, role: str, name: str, path: str = "/floor", **options: Any) -> Page:
    page = new_page(token=house.token(role, name), url=house.url, **options)
    page.goto(house.url + path)
    return page


def test_what_needs_a_second_person_is_answered_with_202_and_nothing_is_done(house: Served) -> None:
    cashier, supervisor = house.staff("cashier", "cat"), house.staff("supervisor", "sue")
    asked = cashier.post(f"{API}/tables/t1/fill", json={"cents": 5_000})
    told = asked.json()
    assert (asked.status_code, told["code"], told["second"]) == (202, "asked", ["supervisor", "cashier", "dealer"])
    assert told["message"].startswith(f"Asked: request {told['request']} (Chips from the cage to a tray) needs a supervisor")
    floor = supervisor.get(f"{API}/floor").json()
    assert [t["tray_cents"] for t in floor["tables"]] == [1_000_000]
    (waiting,) = floor["requests"]
    assert (waiting["asked_by"], waiting["cents"], waiting["may_confirm"], waiting["why_not"]) == ("cat", 5_000, True, "")
    (own,) = cashier.get(f"{API}/floor").json()["requests"]
    assert not own["may_confirm"] and "somebody else" in own["why_not"] and own["may_decline"]
    refused = cashier.post(f"{API}/requests/confirm", json={"request": told["request"]})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-second")
    done = house.must(supervisor.post(f"{API}/requests/confirm", json={"request": told["request"]}))
    assert done["seq"] > told["seq"]
    again = supervisor.post(f"{API}/requests/confirm", json={"request": told["request"]})
    assert (again.status_code, again.json()["code"]) == (409, "unknown-request")
    guest_word = house.anybody().post(f"{API}/requests/confirm", json={"request": 1})
    assert guest_word.status_code == 401


def test_an_account_is_asked_for_confirmed_and_then_given(house: Served) -> None:
    olga, oskar = house.staff("administrator", "olga"), house.staff("administrator", "oskar")
    new = {"name": "newcomer", "role": "dealer", "password": PASSWORD}
    asked = olga.post(f"{API}/people", json=new)
    assert asked.status_code == 202 and house.app.state.door.people.find("newcomer") is None
    assert house.must(oskar.post(f"{API}/requests/confirm", json={"request": asked.json()["request"]}))
    assert house.must(olga.post(f"{API}/people", json=new))["name"] == "newcomer"
    assert house.app.state.door.people.find("newcomer") is not None
    assert olga.post(f"{API}/people/newcomer", json={"role": "cashier"}).status_code == 202
    assert house.app.state.door.people.find("newcomer").role == "dealer"


def test_the_floor_page_confirms_and_declines(house: Served, new_page: NewPage) -> None:
    asking = visit(new_page, house, "cashier", "cat", "/floor#cage", expected="")
    asking.locator("#in-guest").fill("ann")
    asking.locator("#in-amount").fill("5000")
    asking.get_by_role("button", name="Sell the chips").click()
    expect(asking.locator("#buy-in .said")).to_contain_text("needs a supervisor, a cashier or an administrator other than cat")
    own = asking.locator("#requests [data-request]")
    expect(own).to_contain_text("Sell a guest chips at the cage: ann, $5,000")
    expect(own.get_by_role("button")).to_have_text(["Take it back"])

    page = visit(new_page, house, "supervisor", "sue")
    item = page.locator("#requests [data-request]")
    for words in ("ann", "$5,000", "asked by cat, cashier", "min left"):
        expect(item).to_contain_text(words)
    item.get_by_role("button", name="Confirm").click()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(asking.locator("#guests [data-guest=ann]")).to_contain_text("$5,000")
    expect(asking.locator("#waiting")).to_be_hidden()

    asking.locator("#out-guest").fill("ann")
    asking.locator("#out-amount").fill("4000")
    asking.get_by_role("button", name="Pay the cash").click()
    expect(item).to_contain_text("Pay a guest cash for chips")
    item.get_by_role("button", name="Decline").click()
    page.locator("dialog[open] [name=reason]").fill("ask him first")
    page.locator("dialog[open]").get_by_role("button", name="Decline it").click()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(asking.locator("#guests [data-guest=ann]")).to_contain_text("$5,000")


def test_whoever_may_not_confirm_sees_why(house: Served, new_page: NewPage) -> None:
    house.staff("cashier", "cat").post(f"{API}/cage/buy-in", json={"guest": "ann", "cents": 500_000})
    page = visit(new_page, house, "dealer", "dan")
    item = page.locator("#requests [data-request]")
    expect(item.get_by_role("button", name="Confirm")).to_be_disabled()
    expect(item).to_contain_text("a dealer may not confirm it")


def test_a_dealer_signs_on_at_his_tablet(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "dealer", "dan", "/dealer/t1")
    expect(page.locator(".on-table")).to_have_text("Nobody is on this table. Sign on to deal here.")
    page.get_by_role("button", name="Sign on").click()
    expect(page.locator(".on-table")).to_have_text("You are on this table.")
    floor = visit(new_page, house, "supervisor", "sue")
    expect(floor.locator('.floor-table[data-table="t1"]')).to_contain_text("dan is on the table")
    other = visit(new_page, house, "dealer", "dora", "/dealer/t1")
    expect(other.locator(".on-table")).to_have_text("dan is on this table. Sign on to deal here.")
    expect(other.get_by_role("button", name="Sign on")).to_have_count(0)
    page.get_by_role("button", name="Sign off").click()
    expect(other.get_by_role("button", name="Sign on")).to_have_count(1)


def test_no_guest_is_told_who_is_on_the_table(house: Served) -> None:
    house.must(house.staff("dealer", "dan").post(f"{API}/tables/t1/sign-on"))
    assert house.staff("supervisor", "sue").get(f"{API}/tables/t1").json()["on_table"]["dealer"] == "dan"
    seen = house.anybody().get(f"{API}/tables/t1")
    assert seen.json()["on_table"] is None and '"dan"' not in seen.text


def says_one_name(made: Served) -> list[bool]:
    """Whether each page, and the audit, say that one name does everything."""
    table = next(iter(made.app.state.house.state.tables))
    staff = made.staff("supervisor", "sue")
    paths = ("/", f"/tables/{table}", f"/dealer/{table}", "/floor", f"/board/{table}")
    said = [ONE_NAME in staff.get(path).text for path in paths]
    return [*said, ONE_NAME in staff.post(f"{API}/audit").json()["notices"]]


def test_every_page_of_a_demo_says_that_one_name_does(served: Served) -> None:
    assert says_one_name(served) == [True] * 6


def test_no_page_of_a_house_of_two_names_says_so(house: Served) -> None:
    assert says_one_name(house) == [False] * 6


def test_no_demo_is_served_on_a_house_of_two_names(house: Served, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="serve it with --no-demo"):
        create_app(ServeSettings(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "house.key"))
