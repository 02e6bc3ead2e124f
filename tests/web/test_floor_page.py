"""The floor in a real browser: money that balances, events, people, roles, and an audit that says so in words."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from houses import Served, no_overflow, serving, shoot, until
from playwright.sync_api import Page, expect

from houseway.table import COMMANDS
from houseway.table.commands import may_give
from houseway.table.roles import STAFF
from houseway.web.identity import JournalReader

API = "/api/v1"
NATURAL_NINE = "2h 9s 4d Kc"
"""Player 6, Banker 9: even money for the Banker."""
REFUSED = "Failed to load resource"
"""What Chromium writes on the console when the house refuses something, as it is meant to."""
TABS = ("tables", "boards", "cage", "events", "people", "audit")
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One house for this module; every test has tables and people of its own."""
    folder = tmp_path_factory.mktemp("floor")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key") as made:
        yield made


def visit(new_page: NewPage, house: Served, role: str, path: str = "/floor", name: str = "", **options: Any) -> Page:
    """The floor, as somebody of the staff sees it."""
    page = new_page(token=house.token(role, name), url=house.url, **options)
    page.goto(house.url + path)
    expect(page.locator("#tables")).to_have_attribute("aria-busy", "false")
    return page


def card(page: Page, table: str) -> Any:
    return page.locator(f'.floor-table[data-table="{table}"]')


def money(page: Page, table: str, name: str) -> Any:
    """A figure of a table's money line."""
    cell = card(page, table).locator(".money-line > div")
    return cell.filter(has=page.locator("dt", has_text=re.compile(f"^{name}$"))).locator("dd")


def answer(page: Page, button: str, **fields: str) -> None:
    """Fill in the dialog that is open, and send it."""
    dialog = page.locator("dialog[open]")
    for name, value in fields.items():
        control = dialog.locator(f'[name="{name}"]')
        if control.evaluate("one => one.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
    dialog.get_by_role("button", name=button, exact=True).click()


def settled_bet(house: Served, table: str, guest: str, cents: int = 10_000) -> Any:
    """A bet on the Banker, up to where it can be settled."""
    player, dealer = house.guest(guest), house.staff("dealer")
    path = f"{API}/tables/{table}"
    house.must(player.post(f"{path}/sit", json={"seat": 1}))
    house.must(player.post(f"{path}/bet", json={"seat": 1, "wager": "banker", "cents": cents}))
    house.must(dealer.post(f"{path}/no-more-bets"))
    house.must(dealer.post(f"{path}/card", json={"cards": NATURAL_NINE}))
    return dealer


def test_table_is_opened_filled_dropped_and_closed_to_the_cent(house: Served, new_page: NewPage) -> None:
    supervisor = visit(new_page, house, "supervisor")
    supervisor.click("#open-table")
    supervisor.locator("dialog [name=edition]").select_option("ez-baccarat-wa")
    opening = {"table": "Pit 1", "source": "hand-keyed", "seats": "5", "opener": "20,000"}
    supervisor.locator("dialog summary", has_text="Limits").click()
    shoot(supervisor, "floor-open-a-table")
    answer(supervisor, "Open it", **opening, **{"least-banker": "10", "most-banker": "200"})
    expect(card(supervisor, "Pit 1")).to_contain_text("0 of 5 seats taken")
    assert house.anybody().get(f"{API}/tables/Pit 1").json()["wagers"][1]["min_cents"] == 1_000

    dealer = settled_bet(house, "Pit 1", "Ada")
    house.must(dealer.post(f"{API}/tables/Pit 1/settle"))
    house.must(dealer.post(f"{API}/tables/Pit 1/table-buy-in", json={"guest": "Ada", "cents": 30_000}))

    cashier = visit(new_page, house, "cashier")
    expect(money(cashier, "Pit 1", "Drop")).to_have_text("$300")
    card(cashier, "Pit 1").get_by_role("button", name="Fill").click()
    answer(cashier, "Fill", cents="500")
    expect(money(cashier, "Pit 1", "Fills")).to_have_text("$500")
    card(cashier, "Pit 1").get_by_role("button", name="Credit").click()
    answer(cashier, "Credit", cents="250.50")
    card(cashier, "Pit 1").get_by_role("button", name="Drop").click()
    answer(cashier, "Pull the box")
    expect(cashier.locator(".toast", has_text="the box is pulled")).to_be_visible()

    expect(money(supervisor, "Pit 1", "Credits")).to_have_text("$250.50")  # the other page is live
    expect(money(supervisor, "Pit 1", "Win")).to_have_text("−$100")
    expect(card(supervisor, "Pit 1")).to_contain_text("is the win, to the cent")
    expect(card(supervisor, "Pit 1")).to_contain_text("Inside the 95 % band")
    expect(card(supervisor, "Pit 1").get_by_role("img", name=re.compile("^Win −\\$100; expected"))).to_be_visible()
    card(supervisor, "Pit 1").scroll_into_view_if_needed()
    shoot(supervisor, "floor-tables")

    card(supervisor, "Pit 1").get_by_role("button", name="Closer").click()
    answer(supervisor, "Closer: count the tray", cents="19,849.50")
    card(supervisor, "Pit 1").get_by_role("button", name="Close", exact=False).last.click()
    answer(supervisor, "Close and balance", closer_cents="19,849.50")
    expect(card(supervisor, "Pit 1")).to_have_count(0)
    supervisor.locator("#closed summary").click()
    row = supervisor.locator('[data-closed="Pit 1"]')
    expect(row).to_contain_text("balances to the cent")
    expect(row).to_contain_text("−$100")
    assert house.must(house.staff("auditor").post(f"{API}/audit"))["holds"]


def test_form_tells_what_would_be_accepted(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "supervisor", expected=REFUSED)
    page.click("#open-table")
    answer(page, "Open it", table="Pit 9", edition="ez-pai-gow-wa", seats="9", opener="1000")
    expect(page.locator("dialog .said")).to_contain_text("possible: 1 to 6")
    answer(page, "Open it", opener="a lot")
    expect(page.locator("dialog .said")).to_contain_text("give dollars")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(card(page, "Pit 9")).to_have_count(0)


def test_buy_in_and_cash_out(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "cashier", "/floor#cage", expected=REFUSED)
    for form, dollars in (("#buy-in", "500"), ("#cash-out", "199.50")):
        page.fill(f"{form} [name=guest]", "Bea")
        page.fill(f"{form} [name=amount]", dollars)
        page.click(f"{form} button")
        expect(page.locator(f"{form} [name=guest]")).to_have_value("")
    expect(page.locator('[data-guest="Bea"]')).to_contain_text("$300.50")
    page.fill("#cash-out [name=guest]", "Bea")
    page.fill("#cash-out [name=amount]", "301")
    page.click("#cash-out button")
    expect(page.locator("#cash-out .said")).not_to_be_empty()
    expect(page.locator('[data-guest="Bea"]')).to_contain_text("$300.50")
    expect(page.locator("#fund")).to_be_disabled()
    shoot(page, "floor-cage")
    administrator = visit(new_page, house, "administrator", "/floor#cage")
    before = house.app.state.house.state.balance("cage")
    administrator.click("#fund")
    answer(administrator, "Bring it in", cents="1,000")
    expect(administrator.locator("#cage-cents")).to_have_text(f"${(before + 100_000) / 100:,.2f}".removesuffix(".00"))


def test_events_show_a_void_a_wrong_password_and_a_payout_that_waits(house: Served, new_page: NewPage) -> None:
    house.open_table("Pit 2", "ez-baccarat-wa", watch="acknowledge", watch_cents=5_000)
    dealer = settled_bet(house, "Pit 2", "Cleo")
    assert dealer.post(f"{API}/tables/Pit 2/settle").json()["code"] == "acknowledge-first"
    page = visit(new_page, house, "supervisor", "/floor#events")
    payout = page.locator('.event.due[data-due="Pit 2"]')
    expect(payout).to_contain_text("Round 1")
    expect(page.locator("#count-events")).to_have_text(" 1")
    payout.get_by_role("button", name="Verified: let it be paid").click()
    expect(page.locator(".event[data-event=acknowledged]")).to_contain_text("verified the payouts of round 1")
    expect(payout).to_have_count(0)
    house.must(dealer.post(f"{API}/tables/Pit 2/settle"))
    expect(page.locator(".event[data-event=surveillance]").first).to_contain_text("seat 1 Banker $100: above $50")

    house.must(house.staff("dealer").post(f"{API}/tables/Pit 2/table-buy-in", json={"guest": "Cleo", "cents": 5_000}))
    bettor = {"seat": 1, "guest": "Cleo", "wager": "tie", "cents": 500}
    house.must(dealer.post(f"{API}/tables/Pit 2/bet", json=bettor))
    page.click("#tab-tables")
    card(page, "Pit 2").get_by_role("button", name="Void").click()
    answer(page, "Void the round", reason="misdeal")
    page.click("#tab-events")
    expect(page.locator(".event[data-event=voided]", has_text="misdeal")).to_contain_text("Pit 2")

    house.token("cashier", "Cal")
    stranger = new_page(expected=REFUSED)
    stranger.goto(f"{house.url}/login?next=/floor")
    stranger.fill("#name", "Cal")
    stranger.fill("#password", "not the password")
    stranger.click("#go")
    expect(stranger.locator("#wrong")).to_have_text("The name or the password is wrong.")
    expect(page.locator(".event[data-event=login-failed]").first).to_contain_text("Cal")
    shoot(page, "floor-events")
    page.check("#only-money")
    expect(page.locator(".event[data-event=login-failed]")).to_have_count(0)
    expect(page.locator(".event[data-event=voided]")).not_to_have_count(0)
    page.locator(".event[data-event=voided]").get_by_role("link", name="Replay").first.click()
    expect(page.locator("#round")).to_contain_text("The round was voided")


def log_in(page: Page, house: Served, name: str, password: str) -> None:
    page.goto(f"{house.url}/login")
    page.fill("#name", name)
    page.fill("#password", password)
    page.click("#go")


def choose_password(page: Page, own: str) -> None:
    """A password that somebody else chose is changed before anything else is done."""
    expect(page.locator("h1")).to_have_text("Your account")
    page.click("#change-password")
    page.fill("#ask-new_password", own)
    page.get_by_role("dialog").get_by_role("button", name="Change it").click()
    expect(page.locator("#needs")).to_be_hidden()


def test_administrator_adds_a_dealer_who_mistypes_and_is_let_in_again(
    house: Served, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = time.time()
    monkeypatch.setattr(house.app.state.door, "clock", lambda: moment)  # however slow the machine is
    office = visit(new_page, house, "administrator", "/floor#people")
    office.click("#add-person")
    answer(office, "Add", name="Dora", role="dealer", password="a long enough one")
    row = office.locator('[data-person="Dora"]')
    expect(row).to_contain_text("dealer")

    dora = new_page(expected=REFUSED)
    log_in(dora, house, "Dora", "a long enough one")
    choose_password(dora, "a long one of her own")
    dora.goto(f"{house.url}/floor")
    expect(dora.locator("h1")).to_have_text("Floor")
    expect(dora.locator("#open-table")).to_be_disabled()
    for _ in range(3):
        log_in(dora, house, "Dora", "wrong")
        expect(dora.locator("#wrong")).to_contain_text("wrong")
    log_in(dora, house, "Dora", "a long one of her own")
    expect(dora.locator("#wrong")).to_contain_text(re.compile(r"try again in \d+ second"))
    shoot(dora, "login-waits")

    office.reload()
    expect(row).to_contain_text("3 wrong lately")
    row.get_by_role("button", name="Unlock").click()
    expect(row).to_contain_text("open")
    row.get_by_role("button", name="New password").click()
    answer(office, "New password", password="another long one")
    expect(office.locator(".toast", has_text="has a new password")).to_be_visible()
    row.get_by_role("button", name="Change role").click()
    answer(office, "Change role", role="cashier")
    expect(row).to_contain_text("cashier")
    shoot(office, "floor-people")
    log_in(dora, house, "Dora", "another long one")
    choose_password(dora, "once more one of her own")
    dora.goto(f"{house.url}/floor")
    expect(dora.locator("#may-words")).to_contain_text("You sell and buy chips")


def test_auditor_sees_everything_and_changes_nothing(house: Served, new_page: NewPage) -> None:
    house.open_table("Pit 3", "ez-baccarat-wa")
    page = visit(new_page, house, "auditor")
    expect(card(page, "Pit 3")).to_be_visible()
    for tab in TABS:
        page.click(f"#tab-{tab}")
        expect(page.locator(f"#panel-{tab}")).to_be_visible()
        acting = page.locator(f"#panel-{tab} :is([data-may], [data-act], [data-may] *):is(button, input):enabled")
        expect(acting).to_have_count(0)
    page.click("#run-audit")
    expect(page.locator("#audit-words")).to_contain_text(re.compile(r"^✓ The journal holds: .* entries .* hold"))
    expect(page.locator("#audit-head")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    newest = page.locator(".entry-row").first
    newest.locator("summary").click()
    expect(newest.locator("pre")).to_contain_text("{")
    shoot(page, "floor-audit")
    page.fill("#journal-number", "1")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator('.entry-row[data-seq="1"]')).to_have_attribute("open", "")
    refused = house.staff("auditor").post(f"{API}/tables/Pit 3/fill", json={"cents": 100})
    assert (refused.status_code, refused.json()["code"]) == (403, "role-may-not")


def test_keyed_scoreboard_is_opened(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "supervisor", "/floor#boards")
    page.click("#open-board")
    answer(page, "Open it", board="Wall 1", edition="ez-baccarat-wa")
    expect(page.locator('[data-board="Wall 1"]')).to_contain_text("keyed by a dealer")
    expect(page.locator('[data-board="Wall 1"]').get_by_role("link", name="Keypad")).to_have_attribute(
        "href", "/dealer/Wall%201"
    )
    shoot(page, "floor-boards")


@pytest.mark.parametrize("role", STAFF)
def test_buttons_are_for_the_roles_that_the_house_lets(house: Served, new_page: NewPage, role: str) -> None:
    """Who may do what is said once, by the commands themselves: every button and form of the page follows it."""
    house.open_table(f"For {role}", "ez-baccarat-wa", "hand-keyed")
    page = visit(new_page, house, role)
    may = set(may_give(role))
    assert set((page.locator("body").get_attribute("data-commands") or "").split()) == may
    expect(page.locator("#may-words")).not_to_be_empty()
    for part in page.locator("[data-may]").all():
        kind = str(part.get_attribute("data-may"))
        control = part if part.evaluate("one => one.tagName") == "BUTTON" else part.locator("button")
        assert control.is_enabled() == (kind in may), (role, kind)
    for button in card(page, f"For {role}").locator("[data-act]").all():
        kind = str(button.get_attribute("data-act"))
        off = kind == "void"  # nothing lies on the table
        assert button.is_enabled() == (kind in may and not off), (role, kind)
        if kind not in may:
            roles = " and ".join(f"{one}s" for one in COMMANDS[kind].roles)
            expect(button).to_have_attribute("title", f"for {roles}")
    readers = JournalReader.__metadata__[0].dependency.__closure__[0].cell_contents
    page.locator("#tab-audit").click()
    expect(page.locator("#run-audit")).to_have_count(1 if role in readers else 0)


def test_sections_are_reached_by_keyboard_and_by_link(house: Served, new_page: NewPage) -> None:
    page = visit(new_page, house, "supervisor", "/floor#events")
    expect(page.locator("#panel-events")).to_be_visible()
    page.locator("#tab-events").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#panel-cage")).to_be_visible()
    expect(page.locator("#tab-cage")).to_be_focused()
    expect(page).to_have_url(re.compile("#cage$"))
    page.keyboard.press("End")
    expect(page.locator("#panel-audit")).to_be_visible()
    expect(page.locator("#panel-cage")).to_be_hidden()


@pytest.mark.parametrize("width", [360, 390])
def test_nothing_is_wider_than_a_phone(house: Served, new_page: NewPage, width: int) -> None:
    page = visit(new_page, house, "administrator", width=width, height=844)
    for tab in TABS:
        page.click(f"#tab-{tab}")
        expect(page.locator(f"#panel-{tab}")).to_be_visible()
        if tab == "audit":
            expect(page.locator(".entry-row").first).to_be_visible()
        no_overflow(page)
        if width == 390:
            shoot(page, f"floor-{tab}-phone")
    page.click("#tab-tables")
    page.click("#open-table")
    expect(page.locator("dialog")).to_be_visible()
    until(page, "(one => one.scrollWidth <= one.clientWidth)(document.querySelector('dialog'))")
