"""Slips in a real browser: each signs on his own session, counts are blind, a slip is paper, and VOID stands on it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from houses import SHOTS, Served, serving
from playwright.sync_api import Page, expect

from houseway.house.audit import Auditor
from houseway.house.store import Store

API = "/api/v1"
NewPage = Callable[..., Page]
STOCK = {"10000": 500, "2500": 500, "500": 1_000, "100": 1_000}
TRAY = {"10000": 20, "2500": 40, "500": 100, "100": 100}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """A house of one name whose chips are pieces, with a table t1 that dan deals at, and a tray."""
    folder = tmp_path
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_DUTIES", "one")
        with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", demo=False) as made:
            office, sue = made.staff("administrator", "olga"), made.staff("supervisor", "sue")
            made.must(office.post(f"{API}/cage/fund", json={"cents": 10_000_000}))
            made.must(office.post(f"{API}/house/rules", json={"rule": "chips", "value": "1 5 25 100"}))
            made.must(office.post(f"{API}/cage/chips-in", json={"pieces": STOCK}))
            made.must(sue.post(f"{API}/tables", json={"table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed"}))
            made.must(made.staff("dealer", "dan").post(f"{API}/tables/t1/sign-on"))
            fill(made, TRAY)
            yield made
            assert Auditor(Store(f"sqlite:///{folder / 'house.db'}")).run().flaws == ()


def fill(house: Served, pieces: dict[str, int], steps: int = 5) -> str:
    """A fill over the API, as far as it is to be signed."""
    house.must(house.staff("supervisor", "sue").post(f"{API}/tables/t1/request-fill", json={"pieces": pieces}))
    slip: str = house.staff("supervisor", "sue").get(f"{API}/slips").json()["slips"][-1]["id"]
    signers = [("security", "gus"), ("cashier", "cat"), ("security", "gus"), ("dealer", "dan"), ("supervisor", "sue")]
    for role, name in signers[:steps]:
        counted = {"pieces": pieces} if role in {"cashier", "dealer"} else {}
        house.must(house.staff(role, name).post(f"{API}/slips/sign", json={"slip": slip, **counted}))
    return slip


def visit(new_page: NewPage, house: Served, role: str, name: str, path: str = "/slips", **options: Any) -> Page:
    page = new_page(token=house.token(role, name), url=house.url, **options)
    page.goto(house.url + path)
    return page


def shot(page: Page, name: str) -> None:
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(SHOTS / f"slips-{name}.png"), full_page=True)


def count(page: Page, pieces: dict[str, int]) -> None:
    for value, number in pieces.items():
        page.locator(f"dialog[open] [name=piece-{value}]").fill(str(number))


def test_a_fill_is_signed_by_five_people_each_on_his_own_screen(house: Served, new_page: NewPage) -> None:
    sue = visit(new_page, house, "supervisor", "sue")
    expect(sue.locator("#trays [data-tray=t1]")).to_contain_text("20 black, 40 green, 100 red, 100 white: $3,600")
    sue.get_by_role("button", name="Ask for a fill").click()
    count(sue, {"2500": 10, "500": 20})
    expect(sue.locator("dialog[open] output")).to_have_text("$350")
    shot(sue, "fill-asked")
    sue.keyboard.press("Enter")  # by the keyboard alone
    card = sue.locator("#others .slip-card", has_text="10 green, 20 red")
    expect(card).to_contain_text("Waits for security, who has seen the request")
    slip = str(card.get_attribute("data-slip"))

    gus = visit(new_page, house, "security", "gus", width=390, height=844)
    gus.get_by_role("button", name=f"Sign: {slip}").click()
    cat = visit(new_page, house, "cashier", "cat", expected="400")
    expect(cat.locator("#yours .slip-card")).to_have_count(1)
    shot(cat, "cashier")
    cat.get_by_role("button", name=f"Count and sign: {slip}").click()
    count(cat, {"2500": 10, "500": 19})
    cat.get_by_role("button", name="Sign the count").click()
    expect(cat.locator("dialog[open] .said")).to_contain_text(f"was counted, and {slip} says 10 green, 20 red")
    count(cat, {"500": 20})
    cat.get_by_role("button", name="Sign the count").click()
    expect(cat.locator("#yours .slip-card")).to_have_count(0)
    gus.get_by_role("button", name=f"Sign: {slip}").click()
    shot(gus, "security-phone")
    dan = visit(new_page, house, "dealer", "dan", width=390, height=844)
    dan.get_by_role("button", name=f"Count and sign: {slip}").click()
    count(dan, {"2500": 10, "500": 20})
    shot(dan, "dealer-phone")
    dan.get_by_role("button", name="Sign the count").click()
    sue.get_by_role("button", name=f"Sign: {slip}").click()
    expect(sue.locator("#trays [data-tray=t1]")).to_contain_text("50 green, 120 red")
    shot(sue, "supervisor")
    sue.goto(f"{house.url}/slips/{slip}")
    expect(sue.locator(".paper").first).to_contain_text("Fill slip No. 2")
    for name in ("sue", "gus", "cat", "dan"):
        expect(sue.locator(".paper").first).to_contain_text(name)
    shot(sue, "paper")
    assert sue.locator(".paper").count() == 3


def test_void_stands_on_all_copies(house: Served, new_page: NewPage) -> None:
    slip = fill(house, {"500": 10}, 2)
    page = visit(new_page, house, "cashier", "cat")
    page.get_by_role("button", name=f"Void: {slip}").click()
    page.locator("dialog[open] [name=reason]").fill("wrong chips")
    page.get_by_role("button", name="Void the slip").click()
    card = page.locator(f"[data-slip={slip}]")
    expect(card).to_contain_text("waits for security, who carries the chips of the void slip back", ignore_case=True)
    expect(card.get_by_role("button", name=f"Void: {slip}")).to_have_count(0)
    page.goto(f"{house.url}/slips/{slip}")
    expect(page.locator(".paper .stamp")).to_have_text(["VOID"] * 3)
    expect(page.locator(".paper").first).to_contain_text("by cat: wrong chips")
    page.emulate_media(media="print")
    shot(page, "void-printed")


def test_a_tray_is_counted_blind_and_a_difference_is_told(house: Served, new_page: NewPage) -> None:
    dan = visit(new_page, house, "dealer", "dan")
    held = house.staff("supervisor", "sue").get(f"{API}/slips").json()["trays"][0]["tray"]["pieces"]
    short = held | {"10000": held["10000"] - 3}
    dan.get_by_role("button", name="Count a tray").click()
    count(dan, short)
    dan.get_by_role("button", name="Give the count").click()
    expect(dan.locator("#trays [data-tray=t1]")).to_contain_text("nobody is shown what it holds")
    sue = house.staff("supervisor", "sue")
    journal = sue.get(f"{API}/journal?limit=500").json()["entries"]
    (entry,) = [each for each in journal if each["kind"] == "count-tray"]
    assert "pieces" not in entry["payload"]["command"], "what the dealer counted is not shown to who counts next"
    house.must(sue.post(f"{API}/tables/t1/count-tray", json={"pieces": short}))
    page = visit(new_page, house, "supervisor", "sue")
    expect(page.locator("#notices")).to_contain_text("Tell the commission of a difference of -$300 at t1 (its amount)")
    expect(page.locator("#yours .slip-card")).to_contain_text("notification of error of t1, closer (-$300)", ignore_case=True)
    shot(page, "notice")
    page.get_by_role("button", name="Record that notice 1 was sent").click()
    page.locator("dialog[open] [name=reason]").fill("by telephone")
    page.get_by_role("button", name="Record it").click()
    expect(page.locator("#notices-part")).to_be_hidden()


def test_a_box_is_counted_blind(house: Served, new_page: NewPage) -> None:
    house.must(house.staff("dealer", "dan").post(f"{API}/tables/t1/table-buy-in", json={"guest": "ann", "cents": 31_000}))
    gus = visit(new_page, house, "security", "gus")
    gus.get_by_role("button", name="Pull a box").click()
    gus.locator("dialog[open]").get_by_role("button", name="Pull the box").click()
    expect(gus.locator("#others [data-slip=drop-1]")).to_be_visible()
    house.must(house.staff("dealer", "dan").post(f"{API}/slips/sign", json={"slip": "drop-1"}))
    house.must(house.staff("accounting", "abe").post(f"{API}/slips/sign", json={"slip": "drop-1"}))
    for name in ("abe", "amy"):
        page = visit(new_page, house, "accounting", name)
        assert "310" not in page.locator("main").inner_text()
        floor = house.staff("accounting", name).get(f"{API}/floor").json()
        assert {(table["drop_cents"], table["tray_cents"]) for table in floor["tables"]} == {(None, None)}
        page.get_by_role("button", name="Count and sign: drop-1").click()
        count(page, {"10000": 3, "1000": 1})
        shot(page, f"count-room-{name}")
        page.get_by_role("button", name="Sign the count").click()
        expect(page.locator("dialog")).to_have_count(0)
    house.must(house.staff("cashier", "cat").post(f"{API}/slips/sign", json={"slip": "drop-1", "pieces": {"10000": 2}}))
    again = house.staff("accounting", "abe").get(f"{API}/slips").json()["slips"]
    assert [each["next"]["id"] for each in again if each["id"] == "drop-1"] == ["first-count"]
    for role, name in (("accounting", "abe"), ("accounting", "amy"), ("cashier", "cat")):
        counted = {"slip": "drop-1", "pieces": {"10000": 3, "1000": 1}}
        house.must(house.staff(role, name).post(f"{API}/slips/sign", json=counted))
    house.must(house.staff("accounting", "amy").post(f"{API}/slips/sign", json={"slip": "drop-1"}))
    told = house.staff("auditor", "aud").get(f"{API}/slips/drop-1").json()
    assert (told["status"], told["cents"], told["difference_cents"]) == ("finished", 31_000, 0)


DAY_KINDS = ("master-game", "table-shift", "cash", "guests", "slips", "exceptions", "day")


def reports(house: Served, role: str, name: str) -> int:
    """How reports of the newest day are answered, refused ones all alike."""
    client = house.staff(role, name)
    answers = (client.post(f"{API}/reports/{kind}/stream", json={}, timeout=60).status_code for kind in DAY_KINDS)
    first = next(answers)
    assert first == 200 or set(answers) == {first}
    return first


def test_who_may_count_a_box_has_no_report_of_its_day_before_it_is_counted(house: Served) -> None:
    abe, amy = house.staff("accounting", "abe"), house.staff("accounting", "amy")
    dan, cat = house.staff("dealer", "dan"), house.staff("cashier", "cat")
    house.must(dan.post(f"{API}/tables/t1/table-buy-in", json={"guest": "ann", "cents": 31_000}))
    assert reports(house, "accounting", "abe") == 400 and reports(house, "auditor", "aud") == 200
    said = abe.post(f"{API}/reports/master-game/stream", json={}).json()
    assert said["code"] == "count-first" and "the drop of t1" in said["message"] and "310" not in said["message"]
    past = {"options": {"day": "2020-01-01"}}
    assert abe.post(f"{API}/reports/master-game/stream", json=past, timeout=60).status_code == 200, "nothing of it is in a box"
    house.must(house.staff("security", "gus").post(f"{API}/tables/t1/pull-box"))
    for client, counted in ((dan, False), (abe, False), (abe, True), (amy, True)):
        pieces = {"pieces": {"10000": 3, "1000": 1}} if counted else {}
        house.must(client.post(f"{API}/slips/sign", json={"slip": "drop-1", **pieces}))
        assert reports(house, "accounting", "amy") == 400
    house.must(cat.post(f"{API}/slips/sign", json={"slip": "drop-1", "pieces": {"10000": 3, "1000": 1}}))
    assert reports(house, "accounting", "amy") == 200, "all three have counted"


def test_while_a_tray_is_counted_nobody_who_may_count_sees_what_it_should_hold(house: Served) -> None:
    sue, aud = house.staff("supervisor", "sue"), house.staff("auditor", "aud")
    held = sue.get(f"{API}/floor").json()["tables"][0]["tray_cents"]
    assert held == 3_600_00 and reports(house, "supervisor", "sue") == 200
    house.must(house.staff("dealer", "dan").post(f"{API}/tables/t1/count-tray", json={"pieces": TRAY}))
    assert [table["tray_cents"] for table in sue.get(f"{API}/floor").json()["tables"]] == [None]
    assert reports(house, "supervisor", "sue") == 400 and reports(house, "auditor", "aud") == 200
    house.must(sue.post(f"{API}/tables/t1/count-tray", json={"pieces": TRAY}))
    assert reports(house, "supervisor", "sue") == 200
    assert [table["tray_cents"] for table in aud.get(f"{API}/floor").json()["tables"]] == [held]


def test_the_floor_page_of_a_house_with_chips(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "supervisor", "sue", "/floor")
    card = page.locator('.floor-table[data-table="t1"]')
    expect(card.get_by_role("link", name="Slips and counts")).to_be_visible()
    expect(card.locator("[data-act=fill]")).to_have_count(0)
    page.get_by_role("button", name="Open a table").click()
    expect(page.locator("dialog[open]")).to_be_visible()
    expect(page.locator("dialog[open] [name=opener]")).to_have_count(0)
    shot(page, "floor")


def test_the_dealer_is_told_what_his_table_wants(house: Served, new_page: NewPage) -> None:
    slip = fill(house, {"500": 5}, 3)
    page = visit(new_page, house, "dealer", "dan", "/dealer/t1")
    expect(page.locator(".wants", has_text=slip)).to_contain_text("waits for a dealer or a supervisor, who has counted")
    shot(page, "dealer-tablet")
    page.get_by_role("link", name="Slips and counts").click()
    expect(page.locator(f"#yours [data-slip={slip}]")).to_be_visible()
    cat = house.staff("cashier", "cat")
    house.must(cat.post(f"{API}/slips/void", json={"slip": slip, "reason": "tried"}))
    house.must(house.staff("security", "gus").post(f"{API}/slips/sign", json={"slip": slip}))
    house.must(cat.post(f"{API}/slips/sign", json={"slip": slip, "pieces": {"500": 5}}))


def test_who_counts_boxes_is_not_shown_trays(house: Served) -> None:
    for role, sees in (("accounting", False), ("cashier", False), ("security", False), ("dealer", True), ("auditor", True)):
        trays = house.staff(role, f"one {role}").get(f"{API}/slips").json()["trays"]
        assert [tray["tray"] is not None for tray in trays] == [sees], role


def test_a_slip_that_is_none_says_so(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "host", "hal", "/slips/fill-999", expected="404")
    expect(page.locator("#slip")).to_contain_text("no slip fill-999 was opened here")


def test_what_a_tray_should_hold_is_set_on_the_page_and_a_fill_is_wanted_below(house: Served, new_page: NewPage) -> None:
    sue = visit(new_page, house, "supervisor", "sue")
    tray = sue.locator("#trays [data-tray=t1]")
    tray.get_by_role("button", name="Set what it should hold: t1").press("Enter")
    count(sue, {"10000": 20, "2500": 200})
    shot(sue, "par")
    sue.locator("dialog[open]").get_by_role("button", name="Set it").click()
    expect(tray).to_contain_text("It should hold 20 black, 200 green")
    expect(tray).to_contain_text("It runs low: a fill of 160 green ($4,000) is wanted.")
    tray.get_by_role("button", name="Set what it should hold: t1").click()
    expect(sue.locator("dialog[open] [name=piece-2500]")).to_have_value("200")
    dan = visit(new_page, house, "dealer", "dan")
    expect(dan.locator("#trays [data-tray=t1]")).to_contain_text("It should hold")
    expect(dan.get_by_role("button", name="Set what it should hold: t1")).to_have_count(0)


def test_who_signs_by_the_keyboard_is_led_to_what_is_next(house: Served, new_page: NewPage) -> None:
    first, second, chips = fill(house, {"500": 20}, steps=0), "credit-1", {"pieces": {"100": 20}}
    house.must(house.staff("supervisor", "sue").post(f"{API}/tables/t1/request-credit", json=chips))
    house.must(house.staff("dealer", "dan").post(f"{API}/slips/sign", json={"slip": second, **chips}))
    gus = visit(new_page, house, "security", "gus")
    gus.get_by_role("button", name=f"Sign: {first}").press("Enter")
    expect(gus.get_by_role("button", name=f"Sign: {second}")).to_be_focused()
    gus.keyboard.press("Enter")
    expect(gus.locator("#yours-head")).to_be_focused()
    cat = visit(new_page, house, "cashier", "cat")
    cat.get_by_role("button", name=f"Count and sign: {first}").press("Enter")
    count(cat, {"500": 20})
    cat.keyboard.press("Enter")
    expect(cat.get_by_role("button", name=f"Count and sign: {second}")).to_be_focused()
