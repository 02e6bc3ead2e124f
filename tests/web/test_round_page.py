"""A round told again in a real browser: step by step, with its clauses, its hashes, and a shoe proven by the browser itself."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, Route, expect

API = "/api/v1"
BETS = {
    "ez-baccarat-wa": {"banker": 2_500, "dragon-7": 500},
    "ez-pai-gow-wa": {"base": 2_500, "dynasty": 500},
    "lucky-lucky-wa": {"blackjack": 2_500, "lucky-lucky": 500},
}
CHOICES = ("house-way", "stand", "decline", "no")
"""What a guest decides in these rounds: the first of them that is allowed."""
NewPage = Callable[..., Page]


@dataclass
class Played:
    """Rounds that were played before anybody looks at them."""

    served: Served
    rounds: dict[str, list[int]]
    voided: int

    def url(self, edition: str, which: int = 0) -> str:
        return f"{self.served.url}/rounds/{self.rounds[edition][which]}"

    def told(self, seq: int) -> Any:
        return self.served.must(self.served.anybody().get(f"{API}/rounds/{seq}"))


def play(served: Served, table: str, edition: str, guests: list[httpx.Client], dealer: httpx.Client) -> int:
    """One round from the virtual shoe; the number of the entry that settled it."""
    path = f"{API}/tables/{table}"
    for seat, guest in enumerate(guests, 2):
        for wager, cents in BETS[edition].items():
            served.must(guest.post(f"{path}/bet", json={"seat": seat, "wager": wager, "cents": cents}))
    served.must(dealer.post(f"{path}/no-more-bets"))
    served.must(dealer.post(f"{path}/deal"))
    while (view := served.must(dealer.get(path)))["phase"] == "deciding":
        seat = view["to_act"][0]
        allowed = view["seats"][seat - 1]["to_act"]
        choice = next((one for one in CHOICES if one in allowed), allowed[0])
        served.must(dealer.post(f"{path}/decide", json={"seat": seat, "choice": choice}))
    return int(served.must(dealer.post(f"{path}/settle"))["seq"])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Two rounds of each game for two guests, and a baccarat table that was closed, so that its shoe is revealed."""
    folder = tmp_path_factory.mktemp("rounds")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as served:
        guests, dealer, rounds = [served.guest("Ann"), served.guest("Ben")], served.staff("dealer"), {}
        for edition in BETS:
            table = served.open_table(f"Table {edition}", edition, "virtual-shoe")
            for seat, guest in enumerate(guests, 2):
                served.must(guest.post(f"{API}/tables/{table}/sit", json={"seat": seat}))
            rounds[edition] = [play(served, table, edition, guests, dealer) for _ in range(2)]
        served.must(guests[0].post(f"{API}/tables/{table}/bet", json={"seat": 2, "wager": "blackjack", "cents": 500}))
        served.must(dealer.post(f"{API}/tables/{table}/no-more-bets"))
        supervisor = served.staff("supervisor")
        voided = served.must(supervisor.post(f"{API}/tables/{table}/void", json={"reason": "misdeal"}))["seq"]
        served.must(supervisor.post(f"{API}/tables/Table ez-baccarat-wa/close"))
        yield Played(served, rounds, voided)


def open_round(new_page: NewPage, url: str, **options: Any) -> Page:
    page = new_page(**options)
    page.goto(url)
    expect(page.locator("#round")).to_have_attribute("aria-busy", "false")
    return page


def face_up(page: Page) -> list[str]:
    return page.locator(".slot[data-state=up] .card").evaluate_all("all => all.map((one) => one.dataset.code)")


@pytest.mark.parametrize("edition", BETS)
def test_round_is_stepped_through_to_its_payments(played: Played, new_page: NewPage, edition: str) -> None:
    told = played.told(played.rounds[edition][0])
    page = open_round(new_page, played.url(edition))
    expect(page.locator("h1")).to_have_text(f"Round 1 · Table {edition}")
    shoot(page, f"round-{told['edition']['game']}")
    moments = page.locator(".moment")
    total = moments.count()
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text(f"1 of {total}")
    expect(page.locator("#back")).to_be_disabled()
    assert face_up(page) == []
    seen = 0
    for step in range(2, total + 1):
        if step % 2:
            page.keyboard.press("ArrowRight")
        else:
            page.click("#next")
        expect(page.locator("#count")).to_have_text(f"{step} of {total}")
        assert len(face_up(page)) >= seen
        seen = len(face_up(page))
    expect(page.locator("#next")).to_be_disabled()
    hands = [hand for seat in told["seats"] for hand in seat["hands"]] + told["dealer"]
    assert sorted(face_up(page)) == sorted(card for hand in hands for card in hand["cards"])
    listed = moments.all_inner_texts()
    for steps in told["steps"].values():
        for step in steps:
            assert any(step["text"] in row and step["clause"] in row for row in listed), step
    assert page.locator("tr[data-payment]").count() == len(told["payments"])


def test_clauses_lead_to_the_rulebook(played: Played, new_page: NewPage) -> None:
    page = open_round(new_page, played.url("ez-pai-gow-wa"))
    links = set(page.locator("a.clause").evaluate_all("all => all.map((one) => one.getAttribute('href'))"))
    assert links
    page.goto(f"{played.served.url}/editions/ez-pai-gow-wa")
    for link in links:
        assert page.locator(f'[id="{link.partition("#")[2]}"]').count() == 1, link
    page.goto(played.served.url + sorted(links)[0])
    expect(page.locator("tr:target")).to_be_visible()


@pytest.mark.parametrize("edition", ["ez-baccarat-wa", "ez-pai-gow-wa"])
def test_browser_proves_a_revealed_shoe(played: Played, new_page: NewPage, edition: str) -> None:
    told = played.told(played.rounds[edition][1])
    page = open_round(new_page, played.url(edition, 1))
    expect(page.locator("#house-proof")).to_contain_text("✓ The house opened it")
    expect(page.locator("#own-proof")).to_contain_text("✓ Your browser computed the SHA-256")
    expect(page.locator("#order-proof")).to_contain_text("✓ The")
    marked = page.locator(".order .here").count()
    assert marked == sum(len(entry["cards"]) for entry in told["entries"])
    assert page.locator(".order li").count() == told["shoe"]["size"]
    expect(page.locator("#chain-words")).to_contain_text("✓ All")
    for entry in told["entries"]:
        expect(page.locator(f"#entry-{entry['seq']} .hash").last).to_have_attribute("title", entry["hash"])


def test_browser_finds_an_order_that_was_changed(played: Played, new_page: NewPage) -> None:
    def swapped(route: Route) -> None:
        told = route.fetch().json()
        order = told["shoe"]["order"]
        order[0], order[1] = order[1], order[0]
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page = new_page()
    page.route("**/api/v1/rounds/*", swapped)
    page.goto(played.url("ez-pai-gow-wa"))
    expect(page.locator("#own-proof")).to_contain_text("✗ Your browser's SHA-256")
    expect(page.locator("#order-proof")).to_contain_text("✗ The cards of this round are not")


def test_shoe_in_play_stays_closed_and_neighbours_are_linked(played: Played, new_page: NewPage) -> None:
    page = open_round(new_page, played.url("lucky-lucky-wa"))
    expect(page.locator("#house-proof")).to_contain_text("still in play")
    expect(page.locator(".order")).to_have_count(0)
    page.click("#after")
    expect(page.locator("h1")).to_contain_text("Round 2")
    expect(page.locator("#before")).to_have_attribute("href", re.compile(f"/rounds/{played.rounds['lucky-lucky-wa'][0]}$"))


def test_voided_round_and_no_round(played: Played, new_page: NewPage) -> None:
    page = open_round(new_page, f"{played.served.url}/rounds/{played.voided}", expected="Failed to load resource")
    expect(page.locator("#moment")).to_contain_text("voided: misdeal")
    expect(page.locator(".cloth-panel")).to_contain_text("every wager went back")
    page.goto(f"{played.served.url}/rounds/1")
    expect(page.locator("#round")).to_contain_text("does not end a round")
    expect(page.get_by_role("link", name="To the tables")).to_be_visible()


def test_what_was_settled_early_and_again_is_paid_once(played: Played, new_page: NewPage) -> None:
    served, path = played.served, f"{API}/tables/Misread"
    dealer, guest = served.staff("dealer"), served.guest("Mis")
    served.open_table("Misread", "lucky-lucky-wa")
    for wager, cents in (("blackjack", 2_000), ("lucky-lucky", 500)):
        served.must(guest.post(f"{path}/bet", json={"seat": 1, "wager": wager, "cents": cents}))
    served.must(dealer.post(f"{path}/no-more-bets"))
    served.must(dealer.post(f"{path}/card", json={"cards": "6s 9h 7s 8c"}))
    served.must(dealer.post(f"{path}/correct-card", json={"place": 1, "card": "5s", "reason": "misread"}))
    served.must(dealer.post(f"{path}/decide", json={"seat": 1, "choice": "stand"}))
    seq = served.must(dealer.post(f"{path}/settle"))["seq"]
    page = open_round(new_page, f"{served.url}/rounds/{seq}")
    expect(page.locator("tr[data-payment] td:nth-child(6)")).to_have_text(["+$15", "−$20"])
    expect(page.locator(".payments tfoot")).to_contain_text("−$5")
    expect(page.locator(".moment.payment")).to_have_count(3)
    page.locator(".moment.payment .go").nth(0).click()
    expect(page.locator("tr[data-payment].here")).to_have_count(0)
    page.locator(".moment.payment .go").nth(1).click()
    expect(page.locator("tr[data-payment='0'].here")).to_be_visible()


@pytest.mark.parametrize("edition", BETS)
def test_round_fits_a_phone(played: Played, new_page: NewPage, edition: str) -> None:
    page = open_round(new_page, played.url(edition, 1), width=360, height=800)
    no_overflow(page)
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, f"round-{edition}-phone")
    page.emulate_media(media="print")
    expect(page.locator(".stepper")).to_be_hidden()
    expect(page.locator("#moments")).to_be_visible()
