"""Editions of the house's own on the floor: registered by content, opened by id, and never a reason to stop serving."""

from collections.abc import Callable, Iterator
from pathlib import Path
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


def test_the_lab_knows_what_is_registered_by_its_content(house: Served, floor: Any) -> None:
    """An id that comes back with another pay has other odds: nothing remembers the old ones."""
    anybody, asked = house.anybody(), {"wager": "dragon-7"}
    edges = []
    for pays in ("35 to 1", "38 to 1"):
        floor.post(f"{API}/own-editions", json={"text": own_text("in-the-lab", pays)}).raise_for_status()
        listed = {edition["id"]: edition for edition in anybody.get(f"{API}/editions").json()}
        assert (listed["in-the-lab"]["status"], list(listed)[-1]) == ("modified", "in-the-lab")
        odds = anybody.get(f"{API}/editions/in-the-lab/odds", params=asked)
        assert [row["pays"] for row in odds.json()["outcomes"] if row["outcome"] == "dragon-7"] == [pays]
        assert odds.json()["digest"] == listed["in-the-lab"]["digest"]
        edges.append(odds.json()["house_edge"]["exact"])
        assert pays in anybody.get(f"{API}/editions/in-the-lab/odds.csv", params=asked).text
        verified = anybody.get(f"{API}/verify/in-the-lab").json()
        assert (verified["findings"], verified["digest"]) == ([], odds.json()["digest"])
        floor.delete(f"{API}/own-editions/in-the-lab").raise_for_status()
    assert edges[0] != edges[1]
    for path in ("editions/in-the-lab/odds", "editions/in-the-lab/decks", "verify/in-the-lab"):
        answer = anybody.get(f"{API}/{path}", params=asked)
        assert (answer.status_code, answer.json()["code"], "\n" in answer.json()["message"]) == (404, "unknown-edition", False)


def test_the_lab_knows_the_folder_and_no_path(house: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anybody, file = house.anybody(), tmp_path / "in-the-folder.toml"
    file.write_text(own_text("in-the-folder"))
    (tmp_path / "broken.toml").write_text("id = ")
    monkeypatch.setenv("HOUSEWAY_EDITIONS", str(tmp_path))
    listed = [edition["id"] for edition in anybody.get(f"{API}/editions").json()]
    assert "in-the-folder" in listed and "broken" not in listed
    path, asked = f"{API}/editions/in-the-folder/odds", {"wager": "dragon-7"}
    before = anybody.get(path, params=asked).json()["house_edge"]["exact"]
    file.write_text(own_text("in-the-folder", "38 to 1"))
    assert anybody.get(path, params=asked).json()["house_edge"]["exact"] != before
    for name in ("in-the-folder.toml", str(file).replace("/", "%2F"), "..%2Fin-the-folder"):
        assert anybody.get(f"{API}/editions/{name}/odds", params=asked).status_code in {400, 404, 422}


def test_the_lab_page_offers_what_is_registered(house: Served, floor: Any, new_page: NewPage) -> None:
    floor.post(f"{API}/own-editions", json={"text": own_text("on-the-bench")}).raise_for_status()
    page = new_page(url=house.url)
    page.goto(f"{house.url}/lab?edition=on-the-bench&wager=dragon-7")
    expect(page.locator("#edition")).to_have_value("on-the-bench")
    expect(page.locator("#edition option:checked")).to_contain_text("on-the-bench")
    expect(page.locator("main")).to_contain_text("35 to 1 here")
    floor.delete(f"{API}/own-editions/on-the-bench").raise_for_status()


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
