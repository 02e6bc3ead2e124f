"""What a house rules at its tables, on the pages: markers, second stakes, who draws, the cut card, a community card."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

API = "/api/v1"
DRAGON, NATURAL_9 = "2s 4h 3d Kc 6h 3s", "9s 7h Kd 3c"
NUMBERS = itertools.count(1)
TABLET = {"width": 1180, "height": 820}
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("house-rules")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


class Pit:
    """A hand-keyed table with its dealer, and guests who have chips."""

    def __init__(self, house: Served, new_page: NewPage, edition: str, **opening: Any) -> None:
        self.house, self.new_page = house, new_page
        self.name = house.open_table(f"Rules {next(NUMBERS)}", edition, **opening)
        self.dealer = house.staff("dealer")

    def do(self, kind: str, **fields: Any) -> Any:
        return self.house.must(self.dealer.post(f"{API}/tables/{self.name}/{kind}", json=fields))

    def guest(self, name: str, seat: int) -> tuple[str, Page]:
        """A guest who sits there, with his page."""
        guest = f"{name} {next(NUMBERS)}"
        token = self.house.joined(guest)["token"]
        page = self.new_page(token=token, url=self.house.url)
        self.do("sit", seat=seat, guest=guest)
        page.goto(f"{self.house.url}/tables/{self.name}")
        expect(page.locator(".felt")).to_be_visible()
        return guest, page

    def tablet(self, role: str = "dealer") -> Page:
        page = self.new_page(**TABLET, token=self.house.token(role), url=self.house.url)
        page.goto(f"{self.house.url}/dealer/{self.name}")
        expect(page.locator("#dealer[aria-busy=false]")).to_be_visible()
        return page


def press(page: Page, key: str) -> None:
    page.locator(f"[data-key='{key}']").click()


def test_ezc_5_the_marker_is_keyed_while_bets_are_open_and_all_see_it(house: Served, new_page: NewPage) -> None:
    pit = Pit(house, new_page, "ez-baccarat-ca", settings={"R12": "from-marker"}, seats=3)
    ann, banker = pit.guest("Ann", 1)
    bob, _ = pit.guest("Bob", 2)
    pit.do("bank", seat=1, guest=ann, cents=40_000)
    pit.do("bet", seat=2, guest=bob, wager="player", cents=1_000)
    tablet = pit.tablet()
    expect(tablet.locator("[data-key=no-more-bets]")).to_be_disabled()
    expect(tablet.locator("#stage")).to_contain_text("Where does the marker stand?")
    expect(banker.locator("#bank")).to_contain_text("Markernot drawn yet")
    press(tablet, "dice-3")
    expect(tablet.locator("[data-key='dice-3'][aria-pressed=true]")).to_be_visible()
    expect(banker.locator("#bank")).to_contain_text("Markerseat 3")
    expect(banker.locator("#bank .bank-covers")).to_contain_text("as the layout has them")
    shoot(tablet, "dealer-marker-tablet")
    press(tablet, "no-more-bets")
    expect(tablet.locator("#stage[data-stage=dealing]")).to_be_visible()


def test_ezc_4_a_bank_that_is_used_up_puts_up_again(house: Served, new_page: NewPage) -> None:
    pit = Pit(house, new_page, "ez-baccarat-ca")
    ann, banker = pit.guest("Ann", 1)
    bob, player = pit.guest("Bob", 2)
    pit.do("bank", seat=1, guest=ann, cents=15_000)
    pit.do("bet", seat=2, guest=bob, wager="dragon-7", cents=500)
    pit.do("no-more-bets")
    pit.do("card", cards=DRAGON)
    pit.do("settle")
    tablet = pit.tablet()
    expect(tablet.locator("[data-key=put-up-again]")).to_be_visible()
    expect(player.locator("#bank")).to_contain_text("Hands left1")
    expect(banker.locator("#bank")).to_contain_text("Your bank is used up: put up again, or pass")
    no_overflow(banker)
    shoot(banker, "table-california-used-up-desktop")
    banker.get_by_label("Dollars to put up").fill("80")
    banker.get_by_role("button", name="Take the bank").click()
    expect(player.locator("#bank")).to_contain_text("Put up$80")
    expect(tablet.locator("[data-key=put-up-again]")).to_have_count(0)


def test_ezb_2_the_page_says_who_draws(house: Served, new_page: NewPage) -> None:
    pit = Pit(house, new_page, "ez-baccarat-wa", settings={"drawer": "players"}, source="manual-keypad")
    ann, page = pit.guest("Ann", 1)
    bob, _ = pit.guest("Bob", 2)
    tablet = pit.tablet()
    for seat, guest in ((1, ann), (2, bob)):
        pit.do("bet", seat=seat, guest=guest, wager="player", cents=1_000)
    press(tablet, "no-more-bets")
    expect(tablet.locator(".drawer")).to_have_text(f"{ann}, seat 1, draws the cards.")
    expect(page.locator(".felt-message")).to_have_text("No more bets: you draw the cards")


def test_bj_9_the_cut_card_is_set_on_the_floor_page_and_the_dealer_is_told(house: Served, new_page: NewPage) -> None:
    page = new_page(token=house.token("supervisor"), url=house.url)
    page.goto(f"{house.url}/floor")
    page.click("#open-table")
    dialog = page.locator("dialog[open]")
    dialog.locator("[name=edition]").select_option("ez-pai-gow-wa")
    expect(dialog.locator("[name=cut_percent]")).to_have_count(0)
    dialog.locator("[name=edition]").select_option("ez-baccarat-wa")
    dialog.locator("[name=table]").fill("Cut 1")
    dialog.locator("[name=source]").select_option("hand-keyed")
    dialog.locator("[name=cut_percent]").fill("10")
    dialog.get_by_role("button", name="Open it", exact=True).click()
    expect(page.locator('.floor-table[data-table="Cut 1"]')).to_be_visible()
    assert house.anybody().get(f"{API}/tables/Cut 1").json()["cut"] == {"percent": 10, "cards": 41, "is_out": False}
    dealer, (guest, felt) = house.staff("dealer"), ("Cat cuts", new_page())
    house.joined(guest)
    for hand in range(11):
        for kind, fields in (
            ("bet", {"seat": 1, "guest": guest, "wager": "player", "cents": 500}),
            ("no-more-bets", {}),
            ("card", {"cards": " ".join(f"{rank}{'cdhs'[hand % 4]}" for rank in ("9", "2", "K", "3"))}),
            ("settle", {}),
        ):
            house.must(dealer.post(f"{API}/tables/Cut 1/{kind}", json=fields))
    felt.goto(f"{house.url}/tables/Cut 1")
    expect(felt.locator("#shoe")).to_contain_text("cut card at 10 %")
    tablet = new_page(**TABLET, token=house.token("dealer"), url=house.url)
    tablet.goto(f"{house.url}/dealer/Cut 1")
    expect(tablet.locator(".cut-card")).to_contain_text("The cut card is out, at 41 cards")


def test_llb_0_the_community_card_lies_on_the_felt(house: Served, new_page: NewPage) -> None:
    pit = Pit(house, new_page, "lucky-lucky-wa", settings={"lucky-card": "community"})
    ann, page = pit.guest("Ann", 1)
    tablet = pit.tablet()
    pit.do("bet", seat=1, guest=ann, wager="blackjack", cents=1_000)
    pit.do("bet", seat=1, guest=ann, wager="lucky-lucky", cents=500)
    pit.do("no-more-bets")
    pit.do("card", cards="7s 10h 7d")
    expect(tablet.locator(".next-card")).to_have_text("Community card")
    pit.do("card", cards="7h")
    expect(tablet.locator(".next-card")).to_have_text("Dealer")
    middle = page.get_by_role("region", name="Community card")
    expect(middle.locator(".card")).to_have_count(1)
    pit.do("card", cards="9c")
    expect(page.get_by_role("region", name="Dealer's hand").locator(".card")).to_have_count(2)
    no_overflow(page)
    shoot(page, "table-community-card-desktop")
    phone = new_page(390, 844)
    phone.goto(f"{house.url}/tables/{pit.name}")
    expect(phone.get_by_role("region", name="Community card").locator(".card")).to_be_visible()
    no_overflow(phone)
    shoot(phone, "table-community-card-phone")


def test_llb_7_a_high_payout_waits_before_the_hole_card(house: Served, new_page: NewPage) -> None:
    pit = Pit(house, new_page, "lucky-lucky-wa", watch="acknowledge", watch_cents=10_000)
    ann, _ = pit.guest("Ann", 1)
    pit.do("bet", seat=1, guest=ann, wager="blackjack", cents=1_000)
    pit.do("bet", seat=1, guest=ann, wager="lucky-lucky", cents=500)
    pit.do("no-more-bets")
    tablet = pit.tablet("supervisor")
    pit.do("card", cards="7s 7h 7d")
    expect(tablet.locator("#stage[data-stage=verify]")).to_be_visible()
    press(tablet, "acknowledge")
    expect(tablet.locator(".next-card")).to_have_text("Dealer")


@pytest.mark.parametrize(("decks", "posted"), [(1, 0), (6, 1)])
def test_llb_8_suited_777_is_posted_on_the_felt_where_it_can_happen(house: Served, new_page: NewPage, decks, posted) -> None:
    pit = Pit(house, new_page, "lucky-lucky-wa", settings={"decks": decks})
    _, page = pit.guest("Ann", 1)
    expect(page.locator("#wagers dt", has_text="Suited 678").first).to_be_attached()
    expect(page.locator("#wagers dt", has_text="Suited 777")).to_have_count(posted)
