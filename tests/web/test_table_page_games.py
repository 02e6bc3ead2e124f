"""The page of a table with known cards: sets and fouls, splits and doubles, insurance, folds, envy, and a player's bank."""

import itertools
import re
from collections.abc import Iterator

import httpx
import pytest
from houses import Served, serving, shoot
from playwright.sync_api import Page, expect
from test_table_page import DESKTOP, PHONE, PURSE, answered, bet, compile_rules, decide, no_overflow, purse_is, sit, spot

DRAGON, NATURAL_9 = "2s 4h 3d Kc 6h 3s", "9s 7h Kd 3c"
ACES_KINGS, FOUR_SEVENS, QUEEN_HIGH = "As Ah Ks Kh 9s 5h 2h", "7c 7d 7h 7s 2d 3d Jh", "Qc 10d 9c 8h 5c 4d 3h"
WAGERED = {"deal": "wagered-positions"}
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    compile_rules()
    folder = tmp_path_factory.mktemp("table-page-games")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


class Game:
    """A hand-keyed table of its own, its dealer, and a guest's page at seat 1."""

    def __init__(self, house: Served, new_page, edition: str, size=DESKTOP, **opening) -> None:
        self.house, self.name = house, house.open_table(f"Keyed {next(NUMBERS)}", edition, **opening)
        self.dealer, self.new_page = house.staff("dealer"), new_page
        self.page = self.visit("Ann", size)
        sit(self.page)

    def visit(self, name: str, size=DESKTOP) -> Page:
        self.guest = f"{name} {next(NUMBERS)}"
        token = self.house.joined(self.guest)["token"]
        self.as_guest = self.house.anybody(Authorization=f"Bearer {token}")
        page = self.new_page(*size, token=token, url=self.house.url)
        page.goto(f"{self.house.url}/tables/{self.name}")
        expect(page.locator(".felt")).to_be_visible()
        return page

    def do(self, kind: str, by: httpx.Client | None = None, **fields) -> None:
        self.house.must((by or self.dealer).post(f"/api/v1/tables/{self.name}/{kind}", json=fields))

    def deal(self, *hands: str, **fields) -> None:
        self.do("no-more-bets", **fields)
        for hand in hands:
            self.do("card", cards=hand)

    def choose(self, choice: str, page: Page | None = None) -> None:
        decide((page or self.page), choice)

    def row(self, wager: str):
        return self.page.locator(f"#result tr[data-wager='{wager}']")


def test_a_foul_is_told_at_once_and_cannot_be_set(house, new_page):
    game = Game(house, new_page, "ez-pai-gow-wa", settings=WAGERED | {"R16": "refused"})
    page = game.page
    bet(page, "base", "$5")
    game.deal(QUEEN_HIGH.replace("Qc", "Jc"), ACES_KINGS, dice=7)
    expect(page.locator(".set-says")).to_have_text("Pick the two cards for the front")
    set_button = page.get_by_role("button", name="Set this hand")
    expect(set_button).to_be_disabled()
    for card in ("Ace of spades", "Ace of hearts"):
        page.get_by_role("button", name=card).click()
    expect(page.locator(".set-says.foul")).to_contain_text("Foul: a pair of aces in front, a pair of kings behind")
    expect(page.locator(".set-says.foul")).to_contain_text("The five-card hand must rank above the two-card hand")
    expect(set_button).to_be_disabled()
    shoot(page, "table-pai-foul-desktop")
    answer = game.as_guest.post(f"/api/v1/tables/{game.name}/decide", json={"seat": 1, "choice": "set As Ah"})
    assert (answer.status_code, answer.json()["code"]) == (400, "foul")  # and the house refuses it as well
    page.get_by_role("button", name="Ace of spades").click()
    page.get_by_role("button", name="King of spades").click()
    page.get_by_role("button", name="King of hearts").click()
    expect(page.locator(".set-says")).to_have_text(re.compile("You set: a pair of kings in front, a pair of aces behind"))
    expect(set_button).to_be_enabled()
    answered(page, "decide", set_button)
    expect(page.locator(".deciding")).to_be_hidden()
    game.do("settle")
    expect(page.locator("#result .net")).to_have_text("You win $5")
    purse_is(page, PURSE + 500)


def test_the_house_way_is_one_button(house, new_page):
    game = Game(house, new_page, "ez-pai-gow-wa", size=PHONE, settings=WAGERED)
    bet(game.page, "base", "$5")
    game.deal(QUEEN_HIGH.replace("Qc", "Jc"), ACES_KINGS, dice=7)
    expect(game.page.locator(".set-panel")).to_contain_text("The House Way: a pair of kings in front, a pair of aces behind")
    no_overflow(game.page)
    game.choose("house-way")
    expect(game.page.locator(".deciding")).to_be_hidden()
    game.do("settle")
    expect(game.page.locator("#result .steps")).to_contain_text("Player has the House Way set")
    expect(game.page.locator(".seat.own .hand.set")).to_be_visible()
    no_overflow(game.page)


def test_the_colour_is_chosen_with_the_bet_and_an_envy_win_is_told(house, new_page):
    game = Game(house, new_page, "ez-pai-gow-wa", settings=WAGERED)
    page, bob = game.page, house.guest("Bob envied")
    for wager in ("base", "dynasty", "red-black"):
        bet(page, wager, "$5")
    expect(page.get_by_role("radio", name="red")).to_be_checked()
    answered(page, "decide", page.get_by_role("radio", name="black"))
    expect(page.get_by_role("radio", name="black")).to_be_checked()
    for wager in ("base", "dynasty"):
        game.do("bet", bob, seat=6, wager=wager, cents=500)
    expect(page.get_by_label("Seat 6", exact=True)).to_contain_text("Bob envied")
    game.deal(QUEEN_HIGH, FOUR_SEVENS, "As Kh Qs 9h 8s 6c 4h", dice=7)
    game.do("decide", bob, seat=6, choice="house-way")
    game.choose("house-way")
    expect(page.locator(".deciding")).to_be_hidden()
    game.do("settle")
    envy = page.locator("#result tr", has_text="envy")
    expect(envy).to_have_count(1)
    expect(envy).to_contain_text("Dynasty Bonus")
    expect(page.locator("#result .others")).to_contain_text("6 · Bob envied")
    expect(page.locator("#result .steps")).to_contain_text("(black)")
    purse_is(page, PURSE + int(page.locator("#result .net").get_attribute("data-net") or 0))


def test_split_and_double_are_laid_out_and_paid_hand_by_hand(house, new_page):
    game = Game(house, new_page, "lucky-lucky-wa")
    page = game.page
    page.keyboard.press("3")
    bet(page, "blackjack", "$25")
    expect(page.locator(".deciding")).to_be_hidden()
    game.deal("8s 6h 8d 10c")
    expect(page.locator(".asked")).to_have_text("You have 16")
    assert page.locator(".decide [data-choice]").evaluate_all("all => all.map(one => one.dataset.choice)") == [
        "hit", "stand", "double", "split"
    ]  # fmt: skip
    game.choose("split")
    game.do("card", cards="3c")
    expect(page.locator(".asked")).to_have_text("Hand 1 of 2: 11")
    expect(page.locator(".seat.own .seat-hand")).to_have_count(2)
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$50\b"))
    shoot(page, "table-blackjack-split-desktop")
    game.choose("double")
    game.do("card", cards="10h")
    game.do("card", cards="10d")
    expect(page.locator(".asked")).to_have_text("Hand 2 of 2: 18")
    expect(spot(page, "blackjack")).to_have_accessible_name(re.compile(r"bet \$75\b"))
    game.choose("stand")
    game.do("card", cards="9d")
    game.do("settle")
    expect(page.locator("#result .net")).to_have_text("You win $75")
    assert [row.get_attribute("data-win") for row in game.row("blackjack").all()] == ["5000", "2500"]
    expect(page.locator(".seat.own .seat-hand")).to_have_count(2)
    purse_is(page, PURSE + 7_500)
    shoot(page, "table-blackjack-split-result-desktop")


def test_insurance_is_a_late_bet(house, new_page):
    game = Game(house, new_page, "lucky-lucky-wa", size=PHONE)
    page = game.page
    page.locator(".rack-chip").nth(2).click()
    bet(page, "blackjack", "$25")
    game.deal("10s Ah 9d Kc")
    expect(page.get_by_label(re.compile("Insurance, .* to .*12.50, pays 2 to 1"))).to_have_value("12.5")
    no_overflow(page)
    shoot(page, "table-blackjack-insurance-phone")
    answered(page, "bet", page.get_by_role("button", name="Insure", exact=True))
    expect(page.locator(".deciding")).to_be_hidden()
    expect(spot(page, "insurance")).to_have_accessible_name(re.compile(r"bet \$12\.50"))
    game.do("settle")
    expect(page.locator("#result .net")).to_have_text("Even: your money is back")
    expect(game.row("insurance")).to_contain_text("+$25")
    purse_is(page, PURSE)


def test_a_folded_duki_hand_loses_the_bonus_too(house, new_page):
    game = Game(house, new_page, "duki-4-wa")
    page = game.page
    for wager in ("ante", "duki-bonus"):
        bet(page, wager, "$5")
    game.deal("9h 9c 6s Jd", "9s 9d 5h 8c")
    expect(page.locator("[data-choice='play']")).to_contain_text("+$5")
    game.choose("fold")
    expect(page.locator(".seat.own .seat-note")).to_have_text("Folded")
    game.do("settle")
    expect(page.locator("#result .net")).to_have_text("You lose $10")
    expect(game.row("duki-bonus")).to_contain_text("−$5")
    expect(spot(page, "duki-bonus")).to_have_accessible_name(re.compile("loses"))


def test_a_short_bank_returns_what_it_does_not_cover_and_rotates_after_two_hands(house, new_page):
    game = Game(house, new_page, "ez-baccarat-ca", player_fee_cents=100, bank_fee_cents=200)
    ann, bob = game.page, house.guest("Bob bets")
    game.do("sit", bob, seat=2)
    cyd = game.visit("Cyd", PHONE)
    cyd.get_by_role("button", name="Sit here, seat 3").click()
    expect(ann.locator("#bank")).to_contain_text("The bank is offered to you")
    shoot(ann, "table-california-offer-desktop")
    ann.get_by_label("Dollars to put up").fill("50")
    ann.get_by_role("button", name="Take the bank").click()
    expect(ann.locator("#bank")).to_contain_text("You, seat 1")
    expect(ann.locator(".hint")).to_have_text("You bank this hand. The bank does not wager.")
    expect(cyd.locator("#bank")).to_contain_text("Put up$50")
    game.do("bet", bob, seat=2, wager="banker", cents=4_000)
    for total in ("$5", "$10", "$15", "$20", "$25", "$30", "$35", "$40"):
        bet(cyd, "banker", total)
    game.deal(NATURAL_9)
    game.do("settle")
    expect(cyd.locator("#result .not-covered")).to_have_text("the bank covers $10; $30 goes back")
    expect(cyd.locator("#result .net")).to_have_text("You lose $10")
    purse_is(cyd, PURSE - 1_000 - 100)
    no_overflow(cyd)
    shoot(cyd, "table-california-uncovered-phone")
    expect(ann.locator("#result .net")).to_have_text("Your bank wins $50")
    expect(ann.locator("#bank .bank-facts")).to_contain_text("Hands left1")
    game.do("bet", bob, seat=2, wager="player", cents=4_000)
    game.deal(NATURAL_9.replace("9s", "9h"))
    game.do("settle")
    expect(ann.locator("#bank")).to_contain_text("Offered toBob bets, seat 2")
    expect(cyd.locator("#bank")).to_contain_text("nobody yet")
    game.do("pass", bob, seat=2)
    expect(cyd.locator("#bank")).to_contain_text("The bank is offered to you")
    cyd.get_by_role("button", name="Pass", exact=True).click()
    expect(ann.locator("#bank")).to_contain_text("The bank is offered to you")


def test_a_dragon_beyond_the_bank_is_paid_as_far_as_it_goes(house, new_page):
    game = Game(house, new_page, "ez-baccarat-ca")
    page = game.page
    bob = house.guest("Bob banks")
    game.do("sit", bob, seat=2)
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("#bank")).to_contain_text("Offered toBob banks, seat 2")
    game.do("bank", bob, seat=2, cents=15_000)
    bet(page, "dragon-7", "$5")
    game.deal(DRAGON)
    game.do("settle")
    expect(page.locator("#result .net")).to_have_text("You win $150")
    expect(page.locator("#result .not-covered")).to_have_text("the bank covers $150 of this win")
    expect(spot(page, "dragon-7")).to_have_accessible_name(re.compile(r"wins, paid \$150"))


def test_a_decision_is_sent_once_however_often_it_is_pressed(house, new_page):
    game = Game(house, new_page, "lucky-lucky-wa")
    bet(game.page, "blackjack", "$5")
    game.deal("5s 6h 4d 10c")
    sent = []
    game.page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/decide") else None)
    expect(game.page.locator(".asked")).to_have_text("You have 9")
    with game.page.expect_response(lambda answer: answer.url.endswith("/decide")):
        game.page.evaluate("for (let n = 0; n < 5; n++) document.querySelector('[data-choice=hit]')?.click()")
    game.do("card", cards="2c")
    expect(game.page.locator(".asked")).to_have_text("You have 11")
    assert len(sent) == 1
    expect(game.page.locator("[data-choice='stand']")).to_be_enabled()
