"""On a phone held upright everything for the next action is on one screen: cards, spots, chips and Deal, in every edition."""

import itertools
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving, shoot, until
from playwright.sync_api import Page, expect
from test_table_page import EDITIONS, PHONE, PLAIN_CHOICES, bet, compile_rules, decide, sit, spot, take_name

SIDEWAYS, LAPTOP = (844, 390), (1280, 800)
SIZES = {"upright": PHONE, "sideways": SIDEWAYS, "laptop": LAPTOP}
OFF_SCREEN = """() => {
  const box = (one) => one.getBoundingClientRect();
  const shown = (names) => [...document.querySelectorAll(names)].filter((one) => one.checkVisibility() && box(one).height);
  const controls = box(document.querySelector("#controls"));
  const { clientHeight: tall, clientWidth: wide, scrollTop } = document.documentElement;
  const isInside = ({ top, bottom, left, right }, end) => top >= 0 && bottom <= end + 0.5 && left >= 0 && right <= wide;
  const outside = (names, end) => shown(names).filter((one) => !isInside(box(one), end));
  const felt = outside(".felt-house .card, .felt-message, .seat.own .card, .seat.own .spot", controls.top);
  const below = outside("#controls .rack-chip, #controls button", tall);
  const named = (one) => `${one.className} ${one.getAttribute("aria-label") ?? one.textContent} ${Math.round(box(one).bottom)}`;
  const problems = [...felt, ...below].map(named);
  if (scrollTop) problems.push(`scrolled by ${scrollTop}`);
  return problems;
}"""
"""What of the cards, the spots, the chips and the buttons does not lie on the screen, or lies behind the controls."""
UNTIDY = """() => {
  const box = (one) => {
    if (!one.matches("p, label")) return one.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(one);
    return words.getBoundingClientRect();
  };
  const shown = (names) => [...document.querySelectorAll(names)]
    .filter((one) => one.checkVisibility() && box(one).height && !one.matches(".visually-hidden"));
  const named = (one) => `${one.className} “${one.getAttribute("aria-label") ?? one.textContent}”`;
  const doMeet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const touching = (names) => shown(names).flatMap((one, place, all) => all.slice(place + 1)
    .filter((other) => !one.contains(other) && !other.contains(one) && doMeet(box(one), box(other)))
    .map((other) => `${named(one)} lies on ${named(other)}`));
  const own = [".hand", ".spot", ".spot-badge", ".seat-plate"].map((part) => `.seat.own ${part}`).join();
  const cut = shown("#controls :is(button, p), .seat.own :is(.spot, .seat-note), .seat:not(.own), .felt-message")
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4)
    .map((one) => `${named(one)} is cut`);
  const small = shown("#controls button, .seat.own .spot").filter((one) => box(one).height < 24)
    .map((one) => `${named(one)} is too small to press`);
  return [
    ...touching(`.felt-house .hand-box, .felt-message, .seat:not(.own), ${own}, #controls`),
    ...touching(".seat:not(.own) :is(.hand, .hand-note, .seat-number, .seat-name, .seat-note, .seat-total), .spot-badge"),
    ...touching(".seat.own .spot-badge, .seat.own .spot-name"),
    ...touching("#controls :is(button, p, label, input), #clock"),
    ...cut,
    ...small,
  ];
}"""
"""What lies on something else, is cut off, or is too small to press."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    compile_rules()
    folder = tmp_path_factory.mktemp("table-page-phone")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def all_on_one_screen(page: Page, name: str, *ways: str) -> None:
    for way in ways or SIZES:
        width, height = SIZES[way]
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(100)
        end = time.monotonic() + PATIENCE
        while wrong := page.evaluate(OFF_SCREEN) + (page.evaluate(UNTIDY) if way == "upright" else []):
            assert time.monotonic() < end, (way, wrong)
            page.wait_for_timeout(50)  # until the page has put all in its place, on a busy machine later
        shoot(page, f"phone-{name}-{way}")


def counted(page: Page, selector: str) -> int:
    return page.locator(selector).count()


@pytest.mark.parametrize("table", EDITIONS)
def test_cards_spots_chips_and_deal_are_on_one_screen(house, new_page, table):
    _, wagers, _ = EDITIONS[table]
    shot = table.split()[0].lower()
    page = new_page(*PHONE)
    take_name(page, house.url, f"{shot} ann")
    page.goto(f"{house.url}/tables/{table}")
    sit(page)
    for wager in wagers:
        bet(page, wager, "$5")
    assert counted(page, "#controls .rack-chip") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-1-betting")
    page.get_by_role("button", name="Deal").click()
    choices = [f".deciding:not([hidden]) [data-choice='{choice}']:enabled" for choice in PLAIN_CHOICES]
    for place in range(20):
        expect(page.locator(", ".join([*choices, OVER])).first).to_be_visible()
        if counted(page, OVER):
            break
        assert counted(page, ".seat.own .card") >= 2
        all_on_one_screen(page, f"{shot}-2-deciding-{place}")
        page.evaluate("document.querySelector('.decide').dataset.answered = 'yes'")
        page.locator(", ".join(choices)).first.click()
        page.wait_for_selector(".deciding[hidden], .decide:not([data-answered])", state="attached")
    assert counted(page, ".felt-house .card") >= 2
    assert counted(page, "#controls .rack-chip:visible") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-3-result")


# With a guest who bets at every other seat, and the decision clock running

NAMES = ("Bartholomew Featherstone", "Jo", "Maximiliane Oberhuber", "Wu", "Alexandra of Tacoma", "Guillermo M.")
OWN_NAME = "Konstantin Weatherby"
CLOCK_SECONDS = 10 * PATIENCE
OVER = "#result .net[data-net]"


class FullTable:
    """A table at which every seat is taken: one's own by a phone held upright, the others by guests who bet on every wager."""

    def __init__(self, house: Served, new_page, table: str, own: int, last: int = len(NAMES)) -> None:
        self.house, self.table, self.own = house, table, own
        self.page: Page = new_page(*PHONE, token=house.joined(OWN_NAME)["token"], url=house.url)
        self.page.goto(f"{house.url}/tables/{table}")
        self.page.get_by_role("button", name=f"Sit here, seat {own}").click()
        expect(self.page.locator(".seat.own")).to_be_visible()
        free = [seat["seat"] for seat in self.view["seats"] if not seat["guest"]][:last]
        self.others = {seat: house.guest(name) for seat, name in zip(free, NAMES, strict=False)}
        for seat, guest in self.others.items():
            self.send("sit", guest, seat=seat)

    @property
    def view(self) -> dict[str, Any]:
        return self.house.must(self.house.anybody().get(f"/api/v1/tables/{self.table}"))

    def send(self, kind: str, by: httpx.Client, **fields: object) -> None:
        self.house.must(by.post(f"/api/v1/tables/{self.table}/{kind}", json=fields))

    def others_bet(self) -> None:
        view = self.view
        holder = view["bank"]["holder"] if view["bank"] else 0
        wagers = [wager["id"] for wager in view["wagers"] if not wager["follows"] and not wager["late"]]
        for seat, guest in self.others.items():
            for wager in wagers if seat != holder else ():
                self.send("bet", guest, seat=seat, wager=wager, cents=500)
        for seat in self.others:
            if seat != holder:
                expect(self.page.get_by_label(f"Seat {seat}", exact=True).locator(".seat-total")).not_to_be_empty()

    def others_decide(self) -> bool:
        """Whatever is asked of them now; whether anything was."""
        view = self.view
        asked = [view["seats"][number - 1] for number in view["to_act"] if number != self.own]
        for seat in asked:
            choice = next(choice for choice in PLAIN_CHOICES if choice in seat["to_act"])
            self.send("decide", self.others[seat["seat"]], seat=seat["seat"], choice=choice)
        return bool(asked)

    def bet_all(self) -> None:
        """One's own bets, on every spot."""
        for wager in self.page.locator(".seat.own .spot:enabled").evaluate_all("all => all.map(one => one.dataset.wager)"):
            bet(self.page, wager, "$5")

    def is_asked(self) -> bool:
        """Whether one is asked now, with everybody's cards on the felt and the clock running; or the round is over."""
        asked = self.page.locator(".deciding:not([hidden]) .choice:enabled")
        while not (counted(self.page, OVER) or asked.count()):
            self.others_decide()
            self.page.wait_for_timeout(50)
        if counted(self.page, OVER):
            return False
        expect(self.page.get_by_role("timer")).to_have_text(re.compile(r"\d+ s"))
        for seat in self.others:
            expect(self.page.get_by_label(f"Seat {seat}", exact=True).locator(".card").first).to_be_visible()
        return True


@pytest.mark.parametrize("table", EDITIONS)
def test_all_is_on_one_screen_at_a_full_table_too(served, new_page, table):
    compile_rules()
    shot = f"full-{table.split()[0].lower()}"
    full = FullTable(served, new_page, table, own=2)
    page = full.page
    full.others_bet()
    full.bet_all()
    assert counted(page, "#controls .rack-chip") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-1-betting", "upright")
    for guest in full.others.values():
        served.must(guest.post(f"/api/v1/demo/tables/{table}/ready"))
    page.get_by_role("button", name="Deal").click()
    shots = itertools.count()
    while full.is_asked():
        all_on_one_screen(page, f"{shot}-2-deciding-{next(shots)}", "upright")
        if full.others_decide():
            all_on_one_screen(page, f"{shot}-2-deciding-{next(shots)}", "upright")
        decide(page, next(choice for choice in PLAIN_CHOICES if counted(page, f".deciding [data-choice='{choice}']:enabled")))
    assert counted(page, ".felt-house .card") >= 2
    assert counted(page, "#controls .rack-chip:visible") >= 3 and counted(page, "#deal:visible") == 1
    all_on_one_screen(page, f"{shot}-3-result", "upright")
    full.others_bet()
    all_on_one_screen(page, f"{shot}-4-next", "upright")


class KeyedTable(FullTable):
    """The same with cards that are keyed in, so that they are known."""

    def __init__(self, house: Served, new_page, edition: str, own: int, last: int = len(NAMES), **opening: object) -> None:
        table = house.open_table("Full", edition, decision_seconds=CLOCK_SECONDS, **opening)
        super().__init__(house, new_page, table, own, last)
        self.dealer = house.staff("dealer")

    def deal(self, *cards: str, **fields: object) -> None:
        self.send("no-more-bets", self.dealer, **fields)
        self.key(*cards)

    def key(self, *cards: str) -> None:
        for some in cards:
            self.send("card", self.dealer, cards=some)

    def settle(self) -> None:
        self.send("settle", self.dealer)
        expect(self.page.locator(OVER)).to_be_visible()


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK = [f"{rank}{suit}" for rank in RANKS for suit in "shdc"] + ["Jk"]
STAYS, FOUL = "it stays behind, the other two of the three in front", "must rank above the two-card hand"
LONG_WORDS = {
    "advice": ("7h 7c 4s 5h 6h 7s Jk", STAYS, ("Joker", "Seven of hearts"), "You set"),
    "foul": ("As Ah Ks Kh 9s 5h 2h", "two pairs split", ("Ace of spades", "Ace of hearts"), FOUL),
}
"""Hands about which the most is said: the cards, the end of the House Way, which two are picked, and what is then said."""


@pytest.mark.parametrize("words", LONG_WORDS)
def test_the_longest_words_about_a_set_hand_leave_the_spots_free(served, new_page, words):
    compile_rules()
    cards, advice, picks, says = LONG_WORDS[words]
    settings = {"deal": "wagered-positions", "R16": "refused"}
    full = KeyedTable(served, new_page, "ez-pai-gow-wa", own=1, seats=6, settings=settings)
    page = full.page
    full.others_bet()
    full.bet_all()
    others = [card for card in DECK if card not in cards.split()]
    full.deal(*(" ".join(others[place::6][:7]) for place in range(6)), cards, dice=7)
    assert full.is_asked()
    expect(page.locator(".set-panel")).to_contain_text(advice)
    all_on_one_screen(page, f"{words}-1-asked", "upright")
    for card in picks:
        page.get_by_role("button", name=card).click()
    expect(page.locator(".set-says")).to_contain_text(says)
    all_on_one_screen(page, f"{words}-2-picked", "upright")
    full.others_decide()  # unless they had to before one was asked oneself
    decide(page, "house-way")
    full.settle()
    all_on_one_screen(page, f"{words}-3-result", "upright")


@pytest.mark.parametrize("others", [4, 6], ids=["four others", "full"])
def test_split_hands_are_on_one_screen_too(served, new_page, others):
    full = KeyedTable(served, new_page, "lucky-lucky-wa", own=7, last=others, seats=7)
    page = full.page
    full.others_bet()
    full.bet_all()
    full.deal("8s", *["10s"] * (others - 1), "8s", "6h", "8d", "As", *["9d"] * (others - 2), "8d", "10c")
    one = full.others[1]
    full.send("decide", one, seat=1, choice="split")
    full.key("2c")
    for card in ("2h", "2d", "3c", "9h"):
        full.send("decide", one, seat=1, choice="hit")
        full.key(card)
    full.key("10h")
    assert full.is_asked()
    all_on_one_screen(page, f"split-{others}-1-asked", "upright")
    decide(page, "split")
    full.key("8h")
    for count in (3, 4):
        assert full.is_asked()
        all_on_one_screen(page, f"split-{others}-{count - 1}-hands", "upright")
        decide(page, "split")
        full.key("8c" if count == 3 else "2s")
    expect(page.locator(".seat.own .seat-hand")).to_have_count(4)
    for card in ("2h", "3c", "3d"):
        decide(page, "hit")
        full.key(card)
    all_on_one_screen(page, f"split-{others}-4-hands", "upright")


def test_insurance_is_offered_on_one_screen_too(served, new_page):
    full = KeyedTable(served, new_page, "lucky-lucky-wa", own=7, seats=7)
    full.others_bet()
    full.bet_all()
    full.deal("As", *["10s"] * 5, "10h", "Ah", "Ks", *["9d"] * 5, "9h", "Kc")
    assert full.is_asked()
    all_on_one_screen(full.page, "insurance-1-asked", "upright")
    full.others_decide()  # unless they had to before one was asked oneself
    decide(full.page, "look")
    full.settle()
    expect(full.page.get_by_role("region", name="Seat 1", exact=True)).to_contain_text("blackjack")
    all_on_one_screen(full.page, "insurance-2-result", "upright")


# The felt tells an early result when it happens


def keyed(house: Served, new_page, name: str, size: tuple[int, int]) -> tuple[Page, object]:
    """A guest with Blackjack and Lucky Lucky bets at a hand-keyed table, and what its dealer does there."""
    table = house.open_table(f"Early {name}", "lucky-lucky-wa")
    token = house.joined(f"Ann {name}")["token"]
    page = new_page(*size, token=token, url=house.url)
    page.goto(f"{house.url}/tables/{table}")
    sit(page)
    for wager in ("blackjack", "lucky-lucky"):
        bet(page, wager, "$5")
    dealer = house.staff("dealer")

    def do(kind: str, **fields: object) -> None:
        house.must(dealer.post(f"/api/v1/tables/{table}/{kind}", json=fields))

    do("no-more-bets")
    return page, do


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["upright", "laptop"])
def test_llb_7_the_felt_tells_that_lucky_lucky_is_paid_when_it_is(house, new_page, size):
    page, do = keyed(house, new_page, f"won {size[0]}", size)
    do("card", cards="7s 7h 7d 10c")
    expect(page.locator(".felt-message")).to_contain_text("Lucky Lucky wins $250")
    expect(page.locator("#say")).to_contain_text("Lucky Lucky wins $250")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✓ +$250")
    expect(spot(page, "lucky-lucky")).to_have_accessible_name(re.compile(r"^Lucky Lucky, .*wins, paid \$250$"))
    expect(spot(page, "lucky-lucky").locator(".stack")).to_have_count(0)
    assert counted(page, ".deciding:not([hidden]) [data-choice='stand']") == 1, "the round goes on"
    all_on_one_screen(page, f"early-won-{size[0]}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    decide(page, "stand")
    until(page, "!document.querySelector('.felt-message').textContent.includes('Lucky Lucky')")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✓ +$250")


def test_llb_7_the_felt_tells_that_lucky_lucky_is_lost_when_it_is(house, new_page):
    page, do = keyed(house, new_page, "lost", PHONE)
    do("card", cards="10s 2h 5d 10c")
    expect(page.locator(".felt-message")).to_contain_text("Lucky Lucky loses")
    expect(spot(page, "lucky-lucky").locator(".spot-badge")).to_have_text("✕ Loses")
    expect(spot(page, "lucky-lucky").locator(".stack")).to_have_count(0)
    all_on_one_screen(page, "early-lost")


def test_llb_7_an_onlooker_sees_it_too(house, new_page):
    page, do = keyed(house, new_page, "seen", LAPTOP)
    onlooker = new_page(*LAPTOP)
    onlooker.goto(page.url)
    do("card", cards="7s 7h 7d 10c")
    seen = onlooker.get_by_label("Seat 1", exact=True).locator(".spot[data-wager='lucky-lucky'] .spot-badge")
    expect(seen).to_have_text("✓ +$250")


def test_a_long_notice_takes_two_lines_until_it_is_tapped(house, new_page):
    """A correction with many payments hid the felt."""
    page = new_page(*PHONE)
    take_name(page, house.url, "notified ann")
    page.goto(f"{house.url}/tables/{next(iter(EDITIONS))}")
    sit(page)
    module = page.locator("script[type=module]").first.get_attribute("src") or ""
    dom = re.sub(r"js/.*$", "js/shared/dom.js", module)
    say = f"async (words) => (await import({dom!r})).toast(words, true)"
    page.evaluate(say, "Round 1 is settled again as it really was (misread). " * 9)
    page.evaluate(say, "Now seat 1: Ante wins (Pair), $10 pays $20 (4 red). " * 9)
    notices = page.locator("#toasts .toast:visible")
    expect(notices).to_have_count(1)
    box = notices.bounding_box()
    assert box and box["y"] + box["height"] < 90
    own = page.locator(".seat.own").bounding_box()
    assert own and own["y"] > box["y"] + box["height"]
    notices.click()
    whole = notices.bounding_box()
    assert whole and whole["height"] > 2 * box["height"] and notices.inner_text().count("Now seat 1") == 9
    notices.click()
    expect(notices).to_have_count(1)  # the one before
    assert "Round 1" in notices.inner_text()
