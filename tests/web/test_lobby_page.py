"""The lobby, the door and the rulebook pages in a real browser."""

import re
from collections.abc import Callable, Iterator

import pytest
from houses import PASSWORD, Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect

API = "/api/v1"
REFUSED = "Failed to load resource"
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One demo house for this module."""
    folder = tmp_path_factory.mktemp("lobby")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def lobby(new_page: NewPage, house: Served, **options: object) -> Page:
    page = new_page(**options)
    page.goto(house.url)
    expect(page.locator("#tables")).to_have_attribute("aria-busy", "false")
    return page


def test_newcomer_takes_a_name_and_sees_another_sit_down(house: Served, new_page: NewPage) -> None:
    page = lobby(new_page, house, expected=REFUSED)
    expect(page.locator(".how li")).to_have_count(3)
    shoot(page, "lobby")
    page.fill("#name", "<b>")
    page.click("#join button")
    expect(page.locator("#join-said")).to_contain_text("Choose a name of 1 to 24 letters")
    page.fill("#name", "Ann")
    page.click("#join button")
    expect(page.locator("#purse")).to_have_text("Your chips $1,000")
    expect(page.locator(".next")).to_contain_text("take a free seat")

    seats = page.locator('[data-table="Baccarat 1"] .seats')
    expect(seats).to_have_text("7 of 7 seats free")
    page.locator('[data-table="Baccarat 1"] h2 a').focus()
    house.must(house.guest("Ben").post(f"{API}/tables/Baccarat 1/sit", json={"seat": 3}))
    expect(seats).to_have_text("6 of 7 seats free")
    expect(page.locator('[data-table="Baccarat 1"] h2 a')).to_be_focused()
    shoot(page, "lobby-guest")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tables/Baccarat%201$"))


def test_results_and_shoe_are_live(house: Served, new_page: NewPage) -> None:
    page = lobby(new_page, house)
    table = house.open_table("Live 1", "ez-baccarat-wa", "virtual-shoe")
    shown = page.locator('[data-table="Live 1"]')
    expect(shown).to_contain_text("No round yet")
    expect(shown).to_contain_text("1 of 416 cards out")
    guest, dealer = house.guest("Cleo"), house.staff("dealer")
    house.must(guest.post(f"{API}/tables/{table}/sit", json={"seat": 1}))
    house.must(guest.post(f"{API}/tables/{table}/bet", json={"seat": 1, "wager": "player", "cents": 500}))
    for command in ("no-more-bets", "deal", "settle"):
        house.must(dealer.post(f"{API}/tables/{table}/{command}"))
    expect(shown.locator(".bead")).to_have_count(1)
    expect(shown).to_contain_text(re.compile("[567] of 416 cards out"))
    expect(page.locator("#boards")).to_contain_text("Live 1")


def test_badge_leads_to_letter_and_digest(house: Served, new_page: NewPage) -> None:
    page = lobby(new_page, house)
    digest = house.anybody().get(f"{API}/tables/Pai Gow 1").json()["edition"]["digest"]
    page.locator('[data-table="Pai Gow 1"] a.standing').click()
    expect(page.locator("#approval")).to_contain_text(digest)
    expect(page.locator(".edition-head")).to_contain_text("Letter: Washington, 2010-05-21")
    expect(page.locator("[id=EPG-1]")).to_contain_text("53 cards with one joker")
    shoot(page, "edition")
    page.goto(f"{house.url}/editions/ez-baccarat-ca")
    expect(page.locator(".edition-head")).to_contain_text("No letter of approval is on file")


def test_what_differs_is_told_from_facts_and_not_from_the_sentence(house: Served, new_page: NewPage) -> None:
    """A game from outside is named in the badge, and was called a change of the program; definitions were torn apart."""
    page = lobby(new_page, house)
    tells = "(edition) => import('/static/js/shared/edition.js').then((of) => of.differsLine(edition)?.textContent ?? '')"
    edition = house.anybody().get(f"{API}/tables/Pai Gow 1").json()["edition"]
    outside = "approved rules, release 0.2.0 unchanged, with games from outside: my_game (digest 0123)"
    same = edition | {"badge": outside, "differences": [], "system_changes": [], "system_problem": ""}
    assert page.evaluate(tells, same) == ""
    torn = ["table/play.py (settle, pay)", "cards.py", "money.py"]
    assert page.evaluate(tells, same | {"system_changes": torn}) == "changed: table/play.py (settle, pay); cards.py; and 1 more"
    assert page.evaluate(tells, same | {"system_problem": "no manifest"}) == "no manifest"


def test_staff_log_in_and_have_their_ways(house: Served, new_page: NewPage) -> None:
    house.token("supervisor", "Sue")
    page = new_page()
    page.goto(f"{house.url}/floor#events")
    expect(page).to_have_url(re.compile("/login"))
    shoot(page, "login")
    page.fill("#name", "Sue")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Floor")
    page.goto(house.url)
    expect(page.get_by_role("navigation", name="Staff").get_by_role("link", name="Audit")).to_be_visible()
    expect(page.locator('[data-table="Duki 1"]').get_by_role("link", name="Dealer's tablet")).to_have_attribute(
        "href", "/dealer/Duki%201"
    )
    shoot(page, "lobby-staff")


def test_login_goes_only_to_pages_of_this_house(house: Served, new_page: NewPage) -> None:
    house.token("auditor", "Ida")
    for wanted in ("//elsewhere.example", "/\\elsewhere.example"):
        page = new_page()
        page.goto(f"{house.url}/login?next={wanted}")
        page.fill("#name", "Ida")
        page.fill("#password", PASSWORD)
        page.click("#go")
        expect(page).to_have_url(f"{house.url}/floor")


def test_refusals_are_pages_that_lead_on(house: Served, new_page: NewPage) -> None:
    page = new_page(expected=REFUSED)
    page.goto(f"{house.url}/tables/Nowhere")
    expect(page.locator("h1")).to_have_text("Not possible")
    shoot(page, "refused")
    page.goto(f"{house.url}/nothing/here")
    expect(page.locator("h1")).to_have_text("Nothing here")
    page.get_by_role("link", name="To the tables").click()
    expect(page.locator("h1")).to_have_text("Tables")
    guest = new_page(token=house.joined("Gus")["token"], url=house.url, expected=REFUSED)
    guest.goto(f"{house.url}/floor")
    expect(guest.locator("h1")).to_have_text("Not your page")


@pytest.mark.parametrize(
    "path", ["/", "/login", "/editions/ez-baccarat-wa", "/editions/ez-pai-gow-wa", "/editions/lucky-lucky-wa"]
)
def test_pages_fit_a_phone(house: Served, new_page: NewPage, path: str) -> None:
    page = new_page(width=360, height=800)
    page.goto(house.url + path)
    if path == "/":
        expect(page.locator("#tables")).to_have_attribute("aria-busy", "false")
    no_overflow(page)
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, f"{path.strip('/').replace('/', '-') or 'lobby'}-phone")
