"""The page of a table in a real browser: a newcomer plays a full round of every edition, starting from the lobby."""

import re
from collections.abc import Iterator

import pytest
from houses import Served, no_overflow, serving, shoot, until
from playwright.sync_api import Locator, Page, expect

from houseway.cards import parse_cards
from houseway.games import open_edition

DESKTOP, PHONE = (1440, 900), (390, 844)
PURSE = 100_000
EDITIONS = {
    "Baccarat 1": ("EZ Baccarat (Washington)", ("banker", "dragon-7"), 0),
    "California 1": ("EZ Baccarat (California, player-banked)", ("player",), 100),
    "Pai Gow 1": ("EZ Pai Gow Version 2 (Washington)", ("base", "dynasty", "red-black"), 0),
    "Blackjack 1": ("Blackjack with Lucky Lucky (Washington)", ("blackjack", "lucky-lucky"), 0),
    "Duki 1": ("Duki 4 Poker (Washington)", ("ante", "duki-bonus"), 0),
}
"""The demo tables: the edition's name, what is bet, and the collection a hand."""
PLAIN_CHOICES = ("house-way", "stand", "play", "look")
"""A choice that ends each decision."""


def compile_rules() -> None:
    """The House Way is compiled when it is first asked for, and the whole house waits: here, before anybody plays."""
    edition = open_edition("ez-pai-gow-wa")
    assert edition.game.advise
    edition.game.advise(tuple(parse_cards("As Ah Ks Kh 9s 5h 2h")), (), edition.game.encode(edition.settings()))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    compile_rules()
    folder = tmp_path_factory.mktemp("table-page")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def take_name(page: Page, url: str, name: str) -> None:
    """Join from the lobby, as a stranger does."""
    page.goto(url)
    page.get_by_label("Your name at the tables").fill(name)
    page.get_by_role("button", name="Take a name").click()
    expect(page.locator(".who")).to_contain_text(name)


def sit(page: Page) -> None:
    page.locator(".sit-here:visible").first.click()
    expect(page.locator(".seat.own")).to_be_visible()


def spot(page: Page, wager: str):
    return page.locator(f".seat.own .spot[data-wager='{wager}']")


def bet(page: Page, wager: str, total: str) -> None:
    """Press a spot once, and wait until the house has taken it, though the page shows at once what then lies there."""
    answered(page, "bet", spot(page, wager))
    expect(spot(page, wager)).to_have_accessible_name(re.compile(f"bet {re.escape(total)}"))


def purse_is(page: Page, cents: int) -> None:
    expect(page.locator("#purse b")).to_have_attribute("data-cents", str(cents))


def decide(page: Page, choice: str) -> None:
    """Press a decision, and wait until the house has taken it."""
    answered(page, "decide", page.locator(f".deciding:not([hidden]) [data-choice='{choice}']"))


def answered(page: Page, command: str, button: Locator) -> None:
    """Press what sends a command, and wait for the house's answer."""
    with page.expect_response(lambda answer: answer.url.endswith(f"/{command}")) as given:
        button.click()
    assert given.value.ok


def told_round(page: Page) -> str:
    """The number of the round one has just played, or nothing."""
    told = page.locator("#result .net[data-net]")
    return str(told.get_attribute("data-round")) if told.count() else ""


def finish(page: Page, name: str = "", before: str = "") -> None:
    """Decide whatever is asked, and wait until the round is told; `before` is a round that was told already."""
    choices = [f".deciding:not([hidden]) [data-choice='{choice}']:enabled" for choice in PLAIN_CHOICES]
    over = f"#result .net[data-net]:not([data-round='{before}'])"
    while True:
        expect(page.locator(", ".join([*choices, over])).first).to_be_visible()
        if page.locator(over).count():
            return
        if name:
            shoot(page, name)
        page.evaluate("document.querySelector('.decide').dataset.answered = 'yes'")
        page.locator(", ".join(choices)).first.click()
        page.wait_for_selector(".deciding[hidden], .decide:not([data-answered])", state="attached")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("table", EDITIONS)
def test_a_newcomer_plays_a_round_of_every_edition(house, new_page, table, size):
    edition, wagers, fee = EDITIONS[table]
    kind, shot = ("desktop" if size == DESKTOP else "phone"), table.split()[0].lower()
    page = new_page(*size)
    take_name(page, house.url, f"{shot} {kind}")
    page.get_by_role("link", name=table).first.click()
    expect(page.get_by_role("heading", name=table)).to_be_visible()
    expect(page.locator(".table-edition")).to_contain_text(edition)
    expect(page.locator(".table-shoe code")).to_have_text(re.compile(r"^[0-9a-f]{12}$"))
    sit(page)
    purse_is(page, PURSE)
    if fee:
        expect(page.locator("#bank")).to_contain_text("Marco (house player), seat 7")
    for wager in wagers:
        bet(page, wager, "$5")
    purse_is(page, PURSE - 500 * len(wagers))
    no_overflow(page)
    shoot(page, f"table-{shot}-betting-{kind}")
    page.get_by_role("button", name="Deal").click()
    finish(page, f"table-{shot}-deciding-{kind}")
    rows = page.locator("#result .payments tr[data-win]")
    net = sum(int(row.get_attribute("data-win") or 0) for row in rows.all())
    assert rows.count() >= len(wagers)
    assert int(page.locator("#result .net").get_attribute("data-net") or 0) == net
    purse_is(page, PURSE + net - fee)
    check_links(page, wagers)
    no_overflow(page)
    shoot(page, f"table-{shot}-result-{kind}")


def check_links(page: Page, wagers: tuple[str, ...]) -> None:
    """Every payout leads to its clause, its exact odds and its replay; every step to its clause."""
    for wager in wagers:
        row = page.locator(f"#result tr[data-wager='{wager}']").first
        assert re.fullmatch(r"/editions/[a-z0-9-]+#[A-Z0-9a-z-]+", row.locator(".clause").get_attribute("href") or "")
        assert f"&wager={wager}" in (row.get_by_role("link", name="odds").get_attribute("href") or "")
    steps = page.locator("#result .steps li")
    assert steps.count() >= 3 and steps.count() == page.locator("#result .steps li .clause").count()
    assert re.fullmatch(r"/rounds/\d+", page.get_by_role("link", name="Replay").get_attribute("href") or "")


def test_the_clauses_a_round_names_are_in_the_rules(house, new_page):
    page = new_page(*DESKTOP)
    take_name(page, house.url, "reader")
    page.goto(f"{house.url}/tables/Duki 1")
    sit(page)
    bet(page, "ante", "$5")
    page.get_by_role("button", name="Deal").click()
    finish(page)
    for href in {link.get_attribute("href") or "" for link in page.locator("#result .clause").all()}:
        path, clause = href.split("#")
        assert f'id="{clause}"' in house.anybody().get(path).text, href


def test_a_stranger_joins_at_the_table_itself(house, new_page):
    page = new_page(*DESKTOP)
    page.goto(f"{house.url}/tables/Baccarat 1")
    expect(page.locator(".felt")).to_be_visible()
    expect(page.locator(".sit-here:visible")).to_have_count(0)
    shoot(page, "table-onlooker-desktop")
    page.get_by_label("Your name at the tables").fill("Straight In")
    page.get_by_role("button", name="Take a name").click()
    sit(page)
    shoot(page, "table-seated-desktop")
    page.get_by_role("button", name="Leave seat").click()
    expect(page.locator(".seat.own")).to_have_count(0)
    expect(page.locator(".sit-here:visible").first).to_be_visible()


def test_bets_are_placed_undone_cleared_repeated_and_doubled(house, new_page):
    page = new_page(*DESKTOP)
    take_name(page, house.url, "changer")
    page.goto(f"{house.url}/tables/Baccarat 1")
    sit(page)
    bet(page, "player", "$5")
    page.keyboard.press("3")
    bet(page, "player", "$30")
    page.get_by_role("button", name="Undo").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile(r"bet \$5\b"))
    page.get_by_role("button", name="Double").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile(r"bet \$10\b"))
    page.get_by_role("button", name="Clear").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile("no bet"))
    page.get_by_role("button", name="Undo").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile(r"bet \$10\b"))
    page.get_by_role("button", name="Deal").click()
    finish(page)
    page.get_by_role("button", name="Repeat").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile(r"bet \$10\b"))
    page.reload()
    expect(spot(page, "player")).to_have_accessible_name(re.compile(r"bet \$10\b"))
    page.get_by_role("button", name="Clear").click()
    expect(spot(page, "player")).to_have_accessible_name(re.compile("no bet"))


def test_chips_put_down_faster_than_the_house_answers_all_count(house, new_page):
    page = new_page(*DESKTOP)
    take_name(page, house.url, "hasty")
    page.goto(f"{house.url}/tables/Duki 1")
    sit(page)
    page.evaluate("for (let n = 0; n < 12; n++) document.querySelector('.seat.own .spot[data-wager=ante]').click()")
    expect(spot(page, "ante")).to_have_accessible_name(re.compile(r"bet \$60\b"))
    page.evaluate("document.querySelector('.seat.own .spot[data-wager=ante]').click()")
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(spot(page, "ante")).to_have_accessible_name(re.compile(r"bet \$55\b"))
    until(page, "fetch('/api/v1/session').then(all => all.json()).then(me => me.balance_cents === 94500)")
    page.reload()
    expect(spot(page, "ante")).to_have_accessible_name(re.compile(r"bet \$55\b"))
    page.get_by_role("button", name="Clear").click()
    purse_is(page, PURSE)


def test_limits_are_told_before_they_are_hit_and_nothing_is_lost(house, new_page):
    page = new_page(*DESKTOP)
    take_name(page, house.url, "limited")
    page.goto(f"{house.url}/tables/Baccarat 1")
    sit(page)
    page.keyboard.press("4")
    for total in ("$100", "$200", "$300", "$400"):
        bet(page, "banker", total)
    expect(page.locator("#limits")).to_contain_text("at its limit")
    spot(page, "banker").click()
    expect(page.locator(".toast.refused")).to_contain_text("Banker takes $1 to $400")
    expect(spot(page, "banker")).to_have_accessible_name(re.compile(r"bet \$400\b"))
    page.get_by_role("button", name="Clear").click()
    purse_is(page, PURSE)


def test_a_side_bet_alone_cannot_be_dealt_and_says_what_it_needs(house, new_page):
    page = new_page(*DESKTOP)
    take_name(page, house.url, "sideways")
    page.goto(f"{house.url}/tables/Blackjack 1")
    sit(page)
    bet(page, "lucky-lucky", "$5")
    expect(page.locator(".hint")).to_have_text("Lucky Lucky needs a Blackjack bet beside it.")
    expect(page.get_by_role("button", name="Deal")).to_be_disabled()
    page.get_by_role("button", name="Clear").click()
    purse_is(page, PURSE)


@pytest.mark.parametrize("table", EDITIONS)
def test_the_longest_message_fits_a_phone(house, new_page, table):
    page = new_page(*PHONE)
    take_name(page, house.url, f"{table} reader")
    page.goto(f"{house.url}/tables/{table}")
    expect(page.locator(".felt-message")).to_be_attached()
    long = "Dragon 7: Banker wins with a three-card 7 · You win $1,234.50"
    page.locator(".felt-message").evaluate("(message, long) => { message.textContent = long }", long)
    no_overflow(page)
    shoot(page, f"table-{table.split()[0].lower()}-message-phone")
