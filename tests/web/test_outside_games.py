"""Games outside the package, and a folder copied under another name, in a real browser: felt, dealer's page and wall."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from houses import Served, serving, shoot
from playwright.sync_api import Page, expect
from test_table_page import bet, decide, no_overflow, sit

import houseway

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BUILT_IN = Path(houseway.__file__).resolve().parent / "games"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("outside-games")
    copy = folder / "games" / "my_baccarat"
    shutil.copytree(BUILT_IN / "ez_baccarat", copy, ignore=shutil.ignore_patterns("__pycache__", "pins"))
    for file in copy.glob("editions/*.toml"):
        text = file.read_text().replace(f'id = "{file.stem}"', f'id = "my-{file.stem}"')
        file.with_name(f"my-{file.name}").write_text(text.replace('game = "ez_baccarat"', 'game = "my_baccarat"'))
        file.unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOUSEWAY_GAMES", f"{EXAMPLES}:{folder / 'games'}")
        with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
            yield made


class Keyed:
    """A hand-keyed table, its dealer, and pages of a guest, the dealer and the wall."""

    def __init__(self, house: Served, new_page: Callable[..., Page], edition: str) -> None:
        self.house, self.name, self.dealer = house, house.open_table(edition.title(), edition, seats=5), house.staff("dealer")
        token = house.joined(f"Ann of {edition}")["token"]
        self.guest = new_page(token=token, url=house.url)
        self.guest.goto(f"{house.url}/tables/{self.name}")
        sit(self.guest)
        self.dealers = new_page(token=house.token("dealer"), url=house.url)
        self.dealers.goto(f"{house.url}/dealer/{self.name}")
        self.wall = new_page(1920, 1080)
        self.wall.goto(f"{house.url}/board/{self.name}")

    def do(self, kind: str, **fields: object) -> None:
        self.house.must(self.dealer.post(f"/api/v1/tables/{self.name}/{kind}", json=fields))


def test_dragon_tiger_on_the_felt_at_the_dealer_and_on_the_wall(house, new_page):
    table = Keyed(house, new_page, "dragon-tiger")
    expect(table.guest.locator(".felt")).to_contain_text("Dragon Tiger")
    bet(table.guest, "tie", "$5")
    bet(table.guest, "dragon", "$5")
    table.do("no-more-bets")
    expect(table.dealers.locator("#stage")).to_contain_text("Dragon")
    table.do("card", cards="7s 7s")
    table.do("settle")
    expect(table.guest.locator("#result")).to_contain_text("Suited tie")
    expect(table.wall.locator(".counts")).to_contain_text("Suited tie")
    expect(table.wall.locator(".last-winner")).to_contain_text("Tie")
    for page, name in ((table.guest, "felt"), (table.wall, "wall"), (table.dealers, "dealer")):
        no_overflow(page)
        shoot(page, f"dragon-tiger-{name}")


def test_a_result_of_dragon_tiger_is_keyed_on_the_dealers_pad(house, new_page):
    name = house.open_table("Pad", "dragon-tiger", source="manual-keypad", seats=5)
    guest = house.guest("Bea")
    house.must(guest.post(f"/api/v1/tables/{name}/bet", json={"seat": 1, "wager": "dragon", "cents": 1000}))
    house.must(house.staff("dealer").post(f"/api/v1/tables/{name}/no-more-bets", json={}))
    page = new_page(token=house.token("dealer"), url=house.url)
    page.goto(f"{house.url}/dealer/{name}")
    page.locator("[data-key=T]").click()
    page.locator("[data-key=enter]").click()
    expect(page.locator("#stage")).to_contain_text("Tiger wins")
    shoot(page, "dragon-tiger-pad")
    page.locator("[data-key=settle]").click()
    expect(page.locator("#stage")).to_contain_text("Take $10")


def test_casino_war_on_the_felt_at_the_dealer_and_on_the_wall(house, new_page):
    table = Keyed(house, new_page, "casino-war")
    bet(table.guest, "bet", "$5")
    table.do("no-more-bets")
    table.do("card", cards="9s 9h")
    expect(table.guest.locator(".felt")).to_contain_text("A tie: war or surrender?")
    shoot(table.guest, "casino-war-decision")
    decide(table.guest, "war")
    expect(table.dealers.locator("#stage")).to_contain_text("Seat 1, burned card")
    table.do("card", cards="2c 3c 4c Kd")
    table.do("card", cards="Qd")
    table.do("settle")
    expect(table.guest.locator("#result")).to_contain_text("Player wins the war")
    expect(table.wall.locator(".part.rounds")).to_contain_text("Q")
    for page, name in ((table.guest, "felt"), (table.wall, "wall"), (table.dealers, "dealer")):
        no_overflow(page)
        shoot(page, f"casino-war-{name}")


def test_a_copied_folder_is_played_in_the_browser_as_the_one_it_was_copied_from(house, new_page):
    table = Keyed(house, new_page, "my-ez-baccarat-wa")
    bet(table.guest, "banker", "$5")
    table.do("no-more-bets")
    table.do("card", cards="2s 4h 3d Kc 6h 3s")
    table.do("settle")
    expect(table.guest.locator("#result")).to_contain_text("Dragon 7")
    expect(table.wall.locator(".last-winner")).to_contain_text("Dragon 7")
