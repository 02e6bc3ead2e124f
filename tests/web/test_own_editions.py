"""Editions of the house's own on the floor: registered by content, opened by id, and never a reason to stop serving."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

from houseway.games import edition_files
from houseway.table import bound

API = "/api/v1"
BACCARAT = "ez-baccarat-wa"
OPENING = {"source": "hand-keyed", "opener_cents": 1_000_000}
NewPage = Callable[..., Page]


def own_text(id_: str, pays: str = "35 to 1") -> str:
    text = edition_files()[BACCARAT].read_text()
    return text.replace(f'id = "{BACCARAT}"', f'id = "{id_}"').replace('"40 to 1"', f'"{pays}"')


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("own")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


@pytest.fixture(scope="module")
def floor(house: Served) -> Any:
    return house.staff("supervisor")


def own(client: Any, id_: str) -> Any:
    answer = client.get(f"{API}/own-editions")
    assert answer.status_code == 200
    return next((edition for edition in answer.json()["editions"] if edition["id"] == id_), None)


def test_an_edition_is_checked_registered_played_and_removed(house: Served, floor: Any) -> None:
    given = {"text": own_text("round-trip")}
    checked = floor.post(f"{API}/own-editions/check", json=given).json()
    differs = [f"wagers.dragon-7.pays.dragon-7: 40 to 1 in {BACCARAT}, 35 to 1 here"]
    assert (checked["id"], checked["descends_from"], checked["differences"]) == ("round-trip", BACCARAT, differs)
    assert own(floor, "round-trip") is None, "looking registers nothing"
    assert floor.post(f"{API}/own-editions", json=given).status_code == 200
    opened = floor.post(f"{API}/tables", json=OPENING | {"table": "Own 1", "edition": "round-trip"})
    assert opened.status_code == 200, opened.text
    assert own(floor, "round-trip")["tables"] == ["Own 1"]
    view = house.anybody().get(f"{API}/tables/Own 1").json()
    assert (view["edition"]["status"], view["edition"]["differences"]) == ("modified", differs)
    assert floor.delete(f"{API}/own-editions/round-trip").json() == {"id": "round-trip", "tables": ["Own 1"]}
    assert own(floor, "round-trip") is None
    lobby = {table["name"]: table for table in house.anybody().get(f"{API}/tables").json()["tables"]}
    assert (lobby["Own 1"]["unreadable"], lobby["Own 1"]["edition"]["differences"]) == ("", differs)
    assert "35 to 1" in house.anybody().get("/editions/round-trip").text
    again = floor.post(f"{API}/tables", json=OPENING | {"table": "Own 2", "edition": "round-trip"})
    assert (again.status_code, again.json()["code"]) == (400, "unknown-edition")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (own_text(BACCARAT), "edition-id-taken"),
        (own_text("../../etc/passwd"), "bad-edition-id"),
        (own_text("x" * 41), "bad-edition-id"),
        ("id = ", "broken-toml"),
        ("", "broken-toml"),
    ],
)
def test_what_is_no_edition_of_ones_own_is_refused(floor: Any, text: str, code: str) -> None:
    for path in ("own-editions", "own-editions/check"):
        answer = floor.post(f"{API}/{path}", json={"text": text})
        assert (answer.json()["code"], "\n" in answer.json()["message"]) == (code, False)


@pytest.mark.parametrize("edition", ["./mine.toml", "/etc/passwd", "..\\mine.toml", "ours.toml"])
def test_the_web_takes_ids_only(house: Served, floor: Any, edition: str) -> None:
    answer = floor.post(f"{API}/tables", json=OPENING | {"table": "Path", "edition": edition})
    assert (answer.status_code, answer.json()["code"]) == (400, "edition-not-registered")
    assert house.anybody().get(f"{API}/tables").status_code == 200


@pytest.mark.parametrize("way", ["/etc/passwd.toml", "{}"])
def test_the_web_takes_no_file_as_a_setting(floor: Any, way: str) -> None:
    command = OPENING | {"table": "Way", "edition": "ez-pai-gow-wa", "settings": {"house-way": way}}
    assert floor.post(f"{API}/tables", json=command).json()["code"] == "bad-setting"


def test_an_audit_lists_digests_and_every_flaw(floor: Any) -> None:
    said = floor.post(f"{API}/audit").json()
    assert (said["holds"], said["flaws"], said["flaws_found"], said["assumptions"]) == (True, [], 0, [])
    assert all(under["same_as_now"] for under in said["played_under"])


def test_a_game_that_is_gone_spoils_one_card(
    tmp_path_factory: pytest.TempPathFactory, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house is started again without the code of one game: lobby, floor, boards and the other tables go on."""
    folder = tmp_path_factory.mktemp("gone")
    url = f"sqlite:///{folder / 'house.db'}"
    with serving(url, folder / "house.key"):
        pass
    read = bound.edition_from

    def without(data: dict[str, Any], label: str) -> Any:
        if data["game"] == "duki_4_poker":
            raise ModuleNotFoundError("No module named 'duki_4_poker'")
        return read(data, label)

    monkeypatch.setattr(bound, "edition_from", without)
    bound.read_document.cache_clear()
    try:
        with serving(url, folder / "house.key") as house:
            anybody, floor = house.anybody(), house.staff("supervisor")
            cards = {table["name"]: table["unreadable"] for table in anybody.get(f"{API}/tables").json()["tables"]}
            assert [name for name, why in cards.items() if why] == ["Duki 1"]
            assert "No module named 'duki_4_poker'" in cards["Duki 1"]
            assert anybody.get(f"{API}/tables/Baccarat 1").status_code == 200
            assert anybody.get(f"{API}/boards/Baccarat 1").status_code == 200
            for path in ("tables/Duki 1", "boards/Duki 1"):
                answer = anybody.get(f"{API}/{path}")
                assert (answer.status_code, answer.json()["code"]) == (409, "edition-unreadable")
            with anybody.stream("GET", f"{API}/tables/Duki 1/stream") as stream:
                assert "event: refused" in next(stream.iter_text())
            tables = {table["name"]: table for table in floor.get(f"{API}/floor").json()["tables"]}
            assert "duki_4_poker" in tables["Duki 1"]["unreadable"]
            assert tables["Duki 1"]["tray_cents"] == tables["Baccarat 1"]["tray_cents"]
            page = new_page(url=house.url)
            page.goto(house.url)
            spoiled = page.locator('.table-card[data-table="Duki 1"]')
            expect(spoiled).to_contain_text("No module named 'duki_4_poker'")
            expect(page.locator('.table-card[data-table="Baccarat 1"]')).to_contain_text("seats free")
            shoot(page, "lobby-spoiled")
    finally:
        monkeypatch.undo()
        bound.read_document.cache_clear()


def test_the_page_registers_and_removes(house: Served, new_page: NewPage) -> None:
    page = new_page(token=house.token("administrator"), url=house.url, expected="Failed to load resource")
    page.goto(f"{house.url}/floor/editions")
    expect(page.locator("#own-editions")).to_have_attribute("aria-busy", "false")
    page.fill("#edition-text", own_text(BACCARAT))
    page.click("#check-edition")
    expect(page.locator("#edition-said")).to_contain_text("give yours another id")
    page.fill("#edition-text", own_text("by-page", "36 to 1"))
    page.click("#check-edition")
    expect(page.locator("#edition-said")).to_contain_text(f"40 to 1 in {BACCARAT}, 36 to 1 here")
    page.click("#register-edition")
    card = page.locator('[data-edition="by-page"]')
    expect(card).to_contain_text("36 to 1 here")
    no_overflow(page)
    shoot(page, "floor-editions")
    page.goto(f"{house.url}/floor")
    page.click("#open-table")
    page.locator("dialog[open] [name=edition]").select_option("by-page")
    page.locator("dialog[open] [name=table]").fill("Page 1")
    page.locator("dialog[open] summary", has_text="Wagers of this table").click()
    page.locator("dialog[open] [name=offered][value=tie]").uncheck()
    page.locator("dialog[open]").get_by_role("button", name="Open it").click()
    expect(page.locator('.floor-table[data-table="Page 1"]')).to_be_visible()
    view = house.anybody().get(f"{API}/tables/Page 1").json()
    assert "tie" not in {wager["id"] for wager in view["wagers"]}
    page.goto(f"{house.url}/floor/editions")
    card.get_by_role("button", name="Remove").click()
    expect(page.locator("dialog[open]")).to_contain_text("Page 1 plays on")
    page.locator("dialog[open]").get_by_role("button", name="Remove it").click()
    expect(card).to_have_count(0)
