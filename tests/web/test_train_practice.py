"""Practising at a full table: dealt by the trainer's cards on the dealer's own page, paid, judged, and in no journal."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import Served, no_overflow, serving, shoot, until
from playwright.sync_api import Page, expect

from houseway.games import edition_files
from houseway.house.editions import built_in
from houseway.refusal import Refused
from houseway.train.deals import lesson_of
from houseway.web.practice import PracticeHouse

API = "/api/v1/train/practice"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("practice")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


def mine(house: Served, person: str) -> Any:
    return house.app.state.practice.of(person)


def deal_to_the_end(house: Served, by: httpx.Client, told: dict[str, Any]) -> dict[str, Any]:
    """Key what the trainer shows, until all is dealt."""
    path = f"{API}/tables/{told['table']}"
    practised = house.app.state.practice._tables
    table = next(one for one in practised.values() if one.name == told["table"])
    face = house.app.state.practice.house.table(told["table"], _reader())["face"]
    if face["dice"] and face["dice"].get("is_marker"):
        house.must(by.post(f"{path}/marker", json={"seat": 1}))
    house.must(by.post(f"{path}/no-more-bets", json={"dice": told["dice"]} if told["dice"] else {}))
    for _ in range(120):
        told = house.must(by.get(API))
        if not told["out"]:
            break
        house.must(by.post(f"{path}/card", json={"cards": " ".join(told["out"])}))
    assert told["question"], (table.table.round.phase, told)
    return told


def _reader() -> Any:
    from houseway.view import Reader

    return Reader("test dealer", "dealer")


@pytest.mark.parametrize("edition", edition_files())
def test_a_round_is_dealt_paid_and_judged(house: Served, edition: str) -> None:
    by = house.staff("dealer", f"Dealer of {edition}"[:24])
    entries, tables = house.app.state.house.seq, set(house.app.state.house.state.tables)
    told = house.must(by.post(API, json={"edition": edition}))
    assert told["mistakes"] == []
    told = deal_to_the_end(house, by, told)
    path = f"{API}/tables/{told['table']}"
    assert by.post(f"{path}/settle").json()["code"] == "pay-first"
    table = mine(house, f"Dealer of {edition}"[:24])
    asked = table.exercise()
    told = house.must(by.post(f"{API}/pay", json={"answer": asked.right}))
    assert told["judged"]["is_right"]
    due = {part["label"]: part["right"] for part in told["judged"]["parts"]}
    house.must(by.post(f"{path}/settle"))
    told = house.must(by.get(API))
    assert told["is_over"]
    assert len(told["mistakes"]) == 1  # the settlement that came too early
    assert due
    again = house.must(by.post(f"{API}/next", json={}))
    assert (again["mistakes"], again["judged"], again["is_over"]) == ([], None, False)
    assert set(house.app.state.house.state.tables) == tables
    assert house.app.state.house.seq == entries  # nothing of it is in the house's journal


def test_mistakes_are_counted_and_change_nothing(house: Served) -> None:
    by = house.staff("dealer", "Mia")
    told = house.must(by.post(API, json={"edition": "ez-baccarat-wa"}))
    path = f"{API}/tables/{told['table']}"
    house.must(by.post(f"{path}/no-more-bets"))
    out = house.must(by.get(API))["out"]
    other = "As" if out != ["As"] else "Kd"
    refused = by.post(f"{path}/card", json={"cards": other})
    assert (refused.status_code, refused.json()["code"]) == (409, "not-that-card")
    for kind, fields in (("card", {"cards": "nonsense"}), ("void", {"reason": "whim"}), ("fill", {"cents": 5}), ("settle", {})):
        assert by.post(f"{path}/{kind}", json=fields).status_code >= 400
    told = house.must(by.get(API))
    assert len(told["mistakes"]) == 5
    assert told["out"] == out


def test_nobody_deals_at_anothers_practice_table(house: Served) -> None:
    told = house.must(house.staff("dealer", "Nora").post(API, json={"edition": "ez-baccarat-wa"}))
    other = house.staff("dealer", "Otto")
    for answer in (
        other.get(API),
        other.post(f"{API}/tables/{told['table']}/no-more-bets"),
        other.get(f"{API}/tables/{told['table']}/stream"),
        other.post(f"{API}/pay", json={"answer": {}}),
    ):
        assert answer.json()["code"] == "no-practice"
    assert house.anybody().get(API).status_code == 401
    guest = house.guest("Gil")
    assert house.must(guest.post(API, json={"edition": "ez-baccarat-wa"}))["table"]


def test_several_processes_refuse_a_full_table_at_once() -> None:
    """Each would have a house of its own, and the next request might reach another one."""
    with pytest.raises(Refused, match="served by one process"):
        PracticeHouse(is_shared=True).begin("Nora", lesson_of(built_in("ez-baccarat-wa")))


def test_the_practice_house_is_gone_at_the_end() -> None:
    practice = PracticeHouse()
    folder = Path(practice.house.floor.store.url.removeprefix("sqlite:///")).parent
    assert folder.stat().st_mode & 0o077 == 0
    practice.close()
    assert not folder.exists()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_a_full_table_on_the_dealers_own_page(house: Served, new_page: Callable[..., Page], width: int, height: int) -> None:
    name = f"Pat {width}"
    page = new_page(width=width, height=height, token=house.token("dealer", name), url=house.url, expected="409")
    page.goto(f"{house.url}/train/table/ez-baccarat-wa")
    page.locator("[data-key=no-more-bets]").click()
    expect(page.locator("#out .card")).to_be_visible()
    wrong = "As" if page.locator("#out .card").get_attribute("data-code") != "As" else "Kd"
    page.locator(f".card-key[data-card='{wrong}']").click()
    page.locator("[data-key=card-enter]").click()
    expect(page.locator("#mistakes")).to_contain_text("1 mistake")
    page.locator("[data-key=card-undo]").click()
    shoot(page, f"train-table-{width}")
    while out := mine(house, name).out_of_the_shoe():
        expect(page.locator("#out .card")).to_have_attribute("data-code", out[0])
        drawn = len(mine(house, name).table.round.drawn)
        page.locator(f".card-key[data-card='{out[0]}']").click()
        page.locator("[data-key=card-enter]").click()
        until(page, f"document.querySelectorAll('.keyed-card').length > {drawn} || !document.querySelector('#pay').hidden")
    expect(page.locator("#pay")).to_be_visible()
    expect(page.locator(".stage .due")).to_be_hidden()
    no_overflow(page)
    for ask, value in mine(house, name).exercise().right.items():
        page.fill(f"#ask-{ask}", value)
    page.get_by_role("button", name="Pay it so").click()
    expect(page.locator("#verdict-title")).to_have_text(re.compile("Right"))
    page.locator("[data-key=settle]").click()
    expect(page.locator("#next-round")).to_be_visible()
    expect(page.locator("#judged")).to_contain_text("1 mistake in dealing")
    page.click("#next-round")
    expect(page.locator("[data-key=no-more-bets]")).to_be_enabled()
