"""The dealer's tablet in a real browser: keypads for results and cards, decisions, payouts, and what a supervisor may."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from houses import Served, no_overflow, serving, shoot
from playwright.sync_api import Page, expect
from test_board_page import ROADS, check_roads, open_wall, random_shoe

TABLET = {"width": 1180, "height": 820}
PHONE = {"width": 390, "height": 844}
BANKER_WINS, DRAGON_7 = "2h 9s 3c Kd", ("Ks 2h 2d 3c", "4h", "2c")
KEYS = {"P": "1", "B": "2", "T": "3", "7": "7", "8": "0", "n": "9"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house that is no demo, with money in the cage and three guests with chips."""
    folder = tmp_path_factory.mktemp("dealer")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", demo=False) as made:
        made.must(made.staff("administrator").post("/api/v1/cage/fund", json={"cents": 10_000_000_000}))
        cashier = made.staff("cashier")
        for guest in ("Ann", "Bob", "Chi"):
            made.must(cashier.post("/api/v1/cage/buy-in", json={"guest": guest, "cents": 5_000_000}))
        yield made


@pytest.fixture(scope="module")
def tokens(house: Served) -> dict[str, str]:
    return {role: house.token(role) for role in ("dealer", "supervisor")}


@pytest.fixture
def tablet(house: Served, tokens: dict[str, str], new_page: Callable[..., Page]) -> Callable[..., Page]:
    """The dealer's page of a table."""

    def open_page(table: str, role: str = "dealer", expected: str = "", size: dict[str, int] = TABLET) -> Page:
        page = new_page(**size, token=tokens[role], url=house.url, expected=expected)
        page.goto(f"{house.url}/dealer/{table}")
        expect(page.locator("#dealer[aria-busy=false]")).to_be_visible()
        return page

    return open_page


@pytest.fixture
def bet(house: Served, tokens: dict[str, str]) -> Callable[..., None]:
    """Bets as guests place them."""
    dealer = house.anybody(Authorization=f"Bearer {tokens['dealer']}")

    def place(table: str, seat: int, guest: str, **bets: int) -> None:
        for wager, cents in bets.items():
            body = {"seat": seat, "guest": guest, "wager": wager.replace("_", "-"), "cents": cents}
            house.must(dealer.post(f"/api/v1/tables/{table}/bet", json=body))

    return place


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f"[data-key='{key}']").click()


def type_cards(page: Page, cards: str) -> None:
    """Touch cards and Enter."""
    for card in cards.split():
        page.locator(f"[data-card='{card}']").click()
    press(page, "card-enter")


def stage(page: Page, name: str) -> None:
    """Wait for a stage of the round."""
    page.wait_for_selector(f"#stage[data-stage={name}]")


def able(page: Page, keys: str) -> str:
    """Which of these result keys can be pressed."""
    return "".join(key for key in keys if page.locator(f"[data-key='{key}']").is_enabled())


# The keyed scoreboard: no table, no bets


@pytest.fixture(scope="module")
def keyed(house: Served) -> str:
    house.must(house.staff("supervisor").post("/api/v1/boards", json={"board": "Trak 1", "edition": "ez-baccarat-wa"}))
    return "Trak 1"


def test_sixty_hands_on_the_keypad_are_the_roads_on_the_wall(
    house: Served, keyed: str, tablet: Callable[..., Page], new_page: Callable[..., Page]
) -> None:
    hands = random_shoe(21, 60)
    page, wall = tablet(keyed), open_wall(new_page(width=1920, height=1080), house, keyed)
    shoot(page, "dealer-keyed-empty-tablet")
    for number, hand in enumerate(hands, 1):
        bonus = [flag for flag in hand[1:] if flag in "78"]
        keys = bonus or list(hand)  # a bonus names its winner
        if number % 3:
            for key in keys:
                page.keyboard.press(KEYS[key])
            page.keyboard.press("Enter")
        else:
            press(page, *keys, "enter")
        page.wait_for_selector(f"#keyed-last[data-hands='{number}']")
        wall.wait_for_selector(f".last-winner >> text=Hand {number}")
        if number % 4 == 0:
            check_roads(wall, hands[:number])
    check_roads(page, hands, only=("big-road", "bead-plate"))
    page.locator("[data-key='7']").click()
    shoot(page, "dealer-keyed-tablet")
    page.set_viewport_size(PHONE)
    no_overflow(page)
    shoot(page, "dealer-keyed-phone")
    page.keyboard.press("Escape")
    for number in (59, 58):
        page.keyboard.press("-")
        expect(wall.locator(".last-winner")).to_contain_text(f"Hand {number}")
    check_roads(wall, hands[:58])
    press(page, "new-shoe")
    page.get_by_role("button", name="Keep this shoe").click()
    check_roads(wall, hands[:58])
    page.keyboard.press("/")
    page.locator("#ask").get_by_role("button", name="New shoe").click()
    expect(wall.locator(".last-winner")).to_contain_text("No hand yet")
    expect(wall.locator("#round")).to_contain_text("Shoe 2")
    check_roads(wall, [], only=ROADS)
    expect(page.locator("[data-key=undo]")).to_be_disabled()


def test_impossible_results_cannot_be_keyed(keyed: str, tablet: Callable[..., Page]) -> None:
    page, keys = tablet(keyed), "PTB8n7"
    assert able(page, keys) == keys
    expect(page.locator("[data-key=enter]")).to_be_disabled()
    for pressed, left in (("7", "B7"), ("8", "P8"), ("P", "PTB8n"), ("B", "PTBn7"), ("T", "PTBn"), ("n", "PTBn")):
        press(page, pressed)
        assert able(page, keys) == left, pressed
        press(page, "clear")
    press(page, "7", "7", "P", "n")
    expect(page.locator(".keyed")).to_have_text("PPlayer · Natural")


# A table with results


RESULTS = ["Bn", "B", "B7", "T", "P8", "Pn", "P", "Tn", "P", "B"]


def test_a_table_is_run_on_the_result_keypad(
    house: Served, tablet: Callable[..., Page], new_page: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Results", "ez-baccarat-wa", "manual-keypad")
    page, wall = tablet(table), open_wall(new_page(width=1920, height=1080), house, table)
    expect(page.locator("[data-key=no-more-bets]")).to_be_disabled()
    for number, hand in enumerate(RESULTS, 1):
        bet(table, 2, "Ann", banker=2500, dragon_7=500)
        press(page, "no-more-bets")
        stage(page, "dealing")
        if number == 1:
            shoot(page, "dealer-results-tablet")
        press(page, *([hand[1]] if hand[1:] in {"7", "8"} else list(hand)), "enter")
        stage(page, "ready")
        press(page, "settle")
        stage(page, "betting")
        wall.wait_for_selector(f".last-winner >> text=Hand {number}")
        check_roads(wall, RESULTS[:number])
        if hand == "B7":
            expect(page.locator(".payment")).to_have_count(2)
            expect(page.locator(".payment.pay strong")).to_have_text("Pay $200")
            expect(page.locator(".payment.pay small")).to_have_text(
                "Seat 2: Dragon 7 wins (Banker wins with a three-card 7), $5 pays $200 (2 black)"
            )
            expect(page.locator(".payment.push strong")).to_have_text("Push $25")
    press(page, "new-shoe")
    page.locator("#ask").get_by_role("button", name="New shoe").click()
    expect(wall.locator(".last-winner")).to_contain_text("No hand yet")


def test_a_result_is_corrected_before_and_after_the_settlement(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Corrections", "ez-baccarat-wa", "manual-keypad")
    bet(table, 1, "Bob", player=10_000)
    page = tablet(table, "supervisor")
    press(page, "no-more-bets", "B", "enter")
    stage(page, "ready")
    expect(page.locator(".came-to")).to_contain_text("Banker wins")
    press(page, "rekey", "P", "n", "enter")
    expect(page.locator(".came-to")).to_contain_text("Player wins, natural")
    shoot(page, "dealer-results-ready-tablet")
    press(page, "settle")
    expect(page.locator(".payment.pay strong")).to_have_text("Pay $100")
    press(page, "put-right")
    page.get_by_role("button", name="Correct a settled round").click()
    page.locator("#ask-result").select_option("banker-win")
    page.get_by_label("Reason, for the journal").fill("seen on the recording")
    shoot(page, "dealer-correct-result-tablet")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator(".payment.take strong")).to_have_text("Take $100")
    events = house.staff("supervisor").get("/api/v1/floor").json()["events"]
    assert events[0]["event"] == "round-corrected" and events[0]["details"]["reason"] == "seen on the recording"


def test_cards_decisions_and_wagers_are_put_right_before_the_settlement(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Mends", "ez-baccarat-wa", "hand-keyed")
    bet(table, 1, "Bob", player=10_000, banker=500)
    page = tablet(table, "supervisor")
    press(page, "no-more-bets")
    house.staff("dealer").post(f"/api/v1/tables/{table}/card", json={"cards": "2s 9h Kd Jc"})
    stage(page, "ready")
    expect(page.locator("#stage")).to_contain_text("Banker wins")
    press(page, "put-right")
    page.get_by_role("button", name="Swap two cards").click()
    page.get_by_label("This card").select_option("1")
    page.get_by_label("and this one").select_option("2")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#stage")).to_contain_text("Player wins")
    press(page, "put-right")
    page.get_by_role("button", name="Change a wager").click()
    page.locator("#ask-wager").select_option("player")
    page.locator("#ask-stake").fill("50")
    page.get_by_role("button", name="Put it right").click()
    press(page, "settle")
    expect(page.locator(".payment.pay strong")).to_have_text("Pay $50")


def test_a_round_is_frozen_by_the_dealer_and_voided_by_a_supervisor(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Void", "ez-baccarat-wa", "manual-keypad")
    dealer, floor = tablet(table), tablet(table, "supervisor")
    expect(dealer.locator("[data-key=void]")).to_have_count(0)
    for resolved in (True, False):
        bet(table, 4, "Chi", tie=500)
        expect(dealer.locator("[data-key=no-more-bets]")).to_be_enabled()
        press(dealer, "no-more-bets")
        stage(dealer, "dealing")
        press(dealer, "freeze")
        dealer.get_by_role("button", name="Freeze the round").click()
        stage(dealer, "frozen")
        stage(floor, "frozen")
        if resolved:
            shoot(floor, "dealer-frozen-tablet")
            press(floor, "resolve")
            floor.locator("#ask").get_by_role("button", name="Resolve").click()
            stage(dealer, "dealing")
            press(dealer, "T", "enter", "settle")
            stage(dealer, "betting")
            expect(dealer.locator(".payment.pay strong")).to_have_text("Pay $40")
    press(floor, "void-frozen")
    shoot(floor, "dealer-void-tablet")
    floor.get_by_role("button", name="dealer card exposed").click()
    expect(dealer.locator(".notice")).to_contain_text("Round 2 was voided (dealer card exposed")


# A mistake of a whole round


def mend(page: Page, name: str) -> None:
    """Choose what is to be put right."""
    press(page, "put-right")
    page.get_by_role("button", name=name).click()


def settled_duki(house: Served, table: str, bet: Callable[..., None], **opening: Any) -> None:
    """Two seats, each with an ante and one with a bonus, of which both played."""
    house.open_table(table, "duki-4-wa", "hand-keyed", **opening)
    bet(table, 1, "Ann", ante=1_000, duki_bonus=500)
    bet(table, 2, "Bob", ante=2_000)
    dealer = house.staff("dealer")

    def do(kind: str, **body: Any) -> None:
        house.must(dealer.post(f"/api/v1/tables/{table}/{kind}", json=body))

    do("no-more-bets")
    do("card", cards="9h 9c 6s Jd")
    do("card", cards="Qd Qh 8c 8s")
    do("card", cards="9s 9d 5h 8d")
    do("decide", seat=1, choice="play")
    do("decide", seat=2, choice="play")
    do("settle")


def sent(page: Page, kind: str) -> list[Any]:
    """The bodies of a command, as they are sent from now on."""
    bodies: list[Any] = []
    page.on("request", lambda request: bodies.append(request.post_data_json) if request.url.endswith(f"/{kind}") else None)
    return bodies


def accept(page: Page, kind: str) -> list[Any]:
    """The bodies of a command that the house would take; nothing happens."""
    page.route(f"**/{kind}", lambda route: route.fulfill(status=200, json={}))
    return sent(page, kind)


def test_seats_guests_bets_and_decisions_of_a_settled_round_are_corrected(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    settled_duki(house, "Seats", bet)
    page = tablet("Seats", "supervisor", expected="Failed to load resource")
    bodies = sent(page, "correct")
    mend(page, "Correct a settled round")
    expect(page.locator("#ask-cards")).to_have_value("9h 9c 6s Jd Qd Qh 8c 8s 9s 9d 5h 8d")
    expect(page.locator(".seat-truth[data-seat='1'] summary")).to_contain_text("Ante $10, Duki Bonus $5 · play")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator(".ask-said")).to_have_text("Nothing is changed yet: say what was wrong.")
    first, second, third = (page.locator(f".seat-truth[data-seat='{seat}']") for seat in (1, 2, 3))
    first.locator("summary").click()
    first.get_by_role("button", name="This seat bet nothing").click()
    expect(first).to_contain_text("no wager")
    second.locator("summary").click()
    second.get_by_label("Seat 2, decisions").fill("")
    second.locator("[data-decision=fold]").click()
    second.get_by_label("Seat 2, guest").fill("Chi")
    page.locator(".other-seats > summary").click()
    third.locator("summary").click()
    shoot(page, "dealer-correct-seats-tablet")
    third.get_by_label("Seat 3, Ante, dollars").fill("30")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator(".ask-said")).to_contain_text("seat 3 had no wager in round 1: say whose it was")
    shoot(page, "dealer-correct-refused-tablet")
    page.set_viewport_size(PHONE)
    no_overflow(page)
    shoot(page, "dealer-correct-phone")
    page.set_viewport_size(TABLET)
    third.get_by_label("Seat 3, Ante, dollars").fill("")
    page.locator("#ask-cards").fill("Qd Qh 8c 8s 9s 9d 5h 8d")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert bodies[-1] == {
        "round": 1,
        "cards": "Qd Qh 8c 8s 9s 9d 5h 8d",
        "seat_bets": {"1": []},
        "choices": {"2": ["fold"]},
        "guests": {"2": "Chi"},
        "reason": "keyed wrongly",
    }
    expect(page.locator(".payment.take strong")).to_have_text("Take $20")
    expect(page.locator(".payment.take b")).to_have_text("Ante · Chi")


def test_what_was_corrected_meanwhile_is_corrected_again_only_if_that_is_meant(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    settled_duki(house, "Again", bet)
    page = tablet("Again", "supervisor", expected="Failed to load resource")
    bodies = sent(page, "correct")
    says = "round 1 was corrected by floor meanwhile (a misdeal): look at it, and say again: 1"
    answers = iter([{"status": 409, "json": {"code": "corrected-meanwhile", "message": says}}, {"status": 200, "json": {}}])
    page.route("**/correct", lambda route: route.fulfill(**next(answers)))
    mend(page, "Correct a settled round")
    page.get_by_label("Void the round").check()
    expect(page.locator(".seat-truth").first).to_be_hidden()
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator(".ask-said")).to_contain_text(says)
    shoot(page, "dealer-correct-again-tablet")
    page.get_by_role("button", name="Correct it again").click()
    expect(page.locator("#ask")).to_be_hidden()
    void = {"round": 1, "void": True, "reason": "keyed wrongly"}
    assert bodies == [void, void | {"again": 1}]


def test_an_earlier_round_and_its_dice_are_corrected(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Dice", "ez-pai-gow-wa", "hand-keyed", seats=6)
    dealer = house.staff("dealer")
    for _ in range(2):
        bet(table, 1, "Ann", base=1_000)
        house.must(dealer.post(f"/api/v1/tables/{table}/no-more-bets", json={"dice": 1}))
        for cards in ("Ac Ad Kc Kd 9h 5s 2c", "As Ah Ks Kh 9s 5h 2h"):
            house.must(dealer.post(f"/api/v1/tables/{table}/card", json={"cards": cards}))
        house.must(dealer.post(f"/api/v1/tables/{table}/decide", json={"seat": 1, "choice": "house-way"}))
        house.must(dealer.post(f"/api/v1/tables/{table}/settle"))
    page = tablet(table, "supervisor")
    bodies = accept(page, "correct")
    mend(page, "Correct a settled round")
    expect(page.locator("#ask-round")).to_have_value("2")
    page.get_by_role("button", name="The round before").click()
    expect(page.locator("#ask-round")).to_have_value("1")
    expect(page.locator("#ask-dice")).to_have_value("1")
    page.locator("#ask-dice").select_option("2")
    page.locator(".keyed-card[data-place='7']").click()
    page.locator("#ask [data-card='3c']").click()
    shoot(page, "dealer-correct-cards-tablet")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    cards = "Ac Ad Kc Kd 9h 5s 3c As Ah Ks Kh 9s 5h 2h"
    assert bodies == [{"round": 1, "cards": cards, "dice": 2, "reason": "keyed wrongly"}]


def test_bets_for_the_dealers_are_put_right(house: Served, tablet: Callable[..., Page], bet: Callable[..., None]) -> None:
    settled_duki(house, "Tips", bet, settings={"dealer-bets": "allowed"})
    bet("Tips", 1, "Ann", ante=1_000)
    page = tablet("Tips", "supervisor")
    corrections, changes = accept(page, "correct"), accept(page, "change-bet")
    mend(page, "Correct a settled round")
    page.locator(".seat-truth[data-seat='2'] summary").click()
    page.get_by_label("Seat 2, for the dealers, Ante, dollars").fill("5")
    shoot(page, "dealer-correct-tips-tablet")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert corrections == [{"round": 1, "dealer_bets": {"2": [["ante", 500]]}, "reason": "keyed wrongly"}]
    press(page, "no-more-bets")
    stage(page, "dealing")
    mend(page, "Change a wager")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_visible()  # no amount is not an amount of nothing
    page.locator("#ask-stake").fill("0")
    page.locator("#ask-whose").select_option("dealers")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    told = {"seat": 1, "wager": "ante", "stake_cents": 0, "for_dealer": True, "reason": "keyed wrongly"}
    assert changes == [told]


def test_the_dice_are_keyed_again_with_the_cards(house: Served, tablet: Callable[..., Page], bet: Callable[..., None]) -> None:
    table, dealer = house.open_table("Thrown", "ez-pai-gow-wa", "hand-keyed", seats=6), house.staff("dealer")
    bet(table, 1, "Ann", base=1_000)
    house.must(dealer.post(f"/api/v1/tables/{table}/no-more-bets", json={"dice": 1}))
    house.must(dealer.post(f"/api/v1/tables/{table}/card", json={"cards": "Ac Ad Kc Kd 9h 5s 2c"}))
    page = tablet(table)
    bodies = accept(page, "rekey")
    mend(page, "Key all cards again")
    page.locator("#ask-dice").select_option("3")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert bodies == [{"cards": "Ac Ad Kc Kd 9h 5s 2c", "dice": 3, "reason": "keyed wrongly"}]


def test_cards_are_keyed_again_with_the_decisions_that_belong_to_them(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Rekey", "lucky-lucky-wa", "hand-keyed")
    bet(table, 1, "Ann", blackjack=2_000)
    dealer = house.staff("dealer")
    house.must(dealer.post(f"/api/v1/tables/{table}/no-more-bets"))
    house.must(dealer.post(f"/api/v1/tables/{table}/card", json={"cards": "6s Ah 7s 8c"}))
    house.must(dealer.post(f"/api/v1/tables/{table}/decide", json={"seat": 1, "choice": "look"}))
    page = tablet(table, "dealer", expected="Failed to load resource")
    bodies = sent(page, "rekey")
    mend(page, "Key all cards again")
    page.locator(".cards-field .keyed-card[data-place='2']").click()
    page.locator("#ask [data-card='9h']").click()
    expect(page.locator("#ask-cards")).to_have_value("6s 9h 7s 8c")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator(".ask-said .notice")).to_be_visible()
    page.locator(".seat-truth summary").click()
    page.locator("[data-decision=undo]").click()
    shoot(page, "dealer-rekey-tablet")
    page.get_by_role("button", name="Put it right").click()
    expect(page.locator("#ask")).to_be_hidden()
    assert bodies[-1] == {"cards": "6s 9h 7s 8c", "choices": {"1": []}, "reason": "keyed wrongly"}
    stage(page, "deciding")


# A table with cards


def test_cards_with_third_cards_corrected_checked_and_paid(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Cards", "ez-baccarat-wa", "hand-keyed")
    bet(table, 1, "Ann", banker=2500, dragon_7=500)
    bet(table, 5, "Bob", player=10_000)
    page = tablet(table)
    shoot(page, "dealer-betting-tablet")
    press(page, "no-more-bets")
    expect(page.locator(".next-card")).to_have_text("Player, first card")
    page.locator("[data-card='Qs']").click()
    press(page, "card-undo")
    for card in ("Ks", "2h", "2d", "3c"):
        page.locator(f"[data-card='{card}']").click()
    expect(page.locator("[data-card='As']")).to_be_disabled()  # four cards are enough before Enter
    press(page, "card-enter")
    expect(page.locator(".next-card")).to_have_text("Player, third card")
    shoot(page, "dealer-cards-tablet")
    type_cards(page, "5h")
    expect(page.locator(".next-card")).to_have_text("Banker, third card")
    type_cards(page, "2c")
    stage(page, "ready")
    page.locator(".keyed-card[data-place='5']").click()
    expect(page.locator("#stage h2")).to_have_text("Card 5 is 5h: key the right one")
    shoot(page, "dealer-correct-tablet")
    type_cards(page, "4h")
    expect(page.locator(".outcome")).to_contain_text("Dragon 7")
    shoot(page, "dealer-ready-tablet")
    press(page, "settle")
    expect(page.locator(".payment strong")).to_have_text(["Take $100", "Push $25", "Pay $200"])
    page.locator(".payment").nth(0).click()
    expect(page.locator(".payouts .left")).to_have_text("2 to make")
    page.reload()
    expect(page.locator(".payment").nth(0)).to_have_attribute("aria-checked", "true")
    shoot(page, "dealer-payouts-tablet")
    page.set_viewport_size(PHONE)
    no_overflow(page)
    shoot(page, "dealer-payouts-phone")
    page.get_by_role("button", name="All made").click()
    expect(page.locator(".payouts .left")).to_have_text("All made")


def test_a_card_that_is_out_cannot_be_keyed_and_cards_can_be_typed(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Duki", "duki-4-wa", "hand-keyed", seats=6)
    bet(table, 2, "Ann", ante=1000)
    page = tablet(table)
    press(page, "no-more-bets")
    expect(page.locator(".next-card")).to_have_text("Seat 2")
    for key in "Asks1dJc":
        page.keyboard.press(key)
    typed = page.locator(".typed .card").evaluate_all("cards => cards.map((card) => card.dataset.code)")
    assert typed == ["As", "Ks", "10d", "Jc"]
    page.keyboard.press("Backspace")
    expect(page.locator("[data-card='As']")).to_be_disabled()
    page.locator("[data-card='Js']").click()
    page.keyboard.press("Enter")
    expect(page.locator(".next-card")).to_have_text("Dealer")
    for card in ("As", "Ks", "10d", "Js"):
        expect(page.locator(f"[data-card='{card}']")).to_be_disabled()
    expect(page.locator("[data-card='Jc']")).to_be_enabled()
    shoot(page, "dealer-cards-out-tablet")
    page.set_viewport_size(PHONE)
    no_overflow(page)
    shoot(page, "dealer-cards-phone")
    page.set_viewport_size(TABLET)
    type_cards(page, "2c 3d 7h 9c")
    stage(page, "deciding")
    page.locator("[data-seat='2'] [data-choice=play]").click()
    stage(page, "ready")
    press(page, "settle")
    expect(page.locator(".payouts")).to_be_visible()


def test_pai_gow_wants_the_dice_and_two_cards_in_front(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Pai Gow", "ez-pai-gow-wa", "hand-keyed", seats=6)
    bet(table, 1, "Ann", base=2500)
    bet(table, 3, "Bob", base=2500, red_black=500)
    page = tablet(table)
    expect(page.locator("[data-key=no-more-bets]")).to_be_disabled()
    page.locator("#seats [data-seat='3']").get_by_role("button", name="black", exact=True).click()
    press(page, "dice-3", "no-more-bets")
    expect(page.locator(".next-card")).to_have_text("Position 3")
    page.locator("[data-card=Jk]").click()
    expect(page.locator("[data-card=Jk]")).to_be_disabled()
    type_cards(page, "Ks Qh 9d 7c 5s 2h")
    expect(page.locator(".next-card")).to_have_text("Position 1")  # EPG-8: nobody keys the hand of position 2
    deck = [rank + suit for suit in "cdhs" for rank in ("A", "10", *"23456789JQK")]
    left = [card for card in deck if card not in {"Ks", "Qh", "9d", "7c", "5s", "2h"}][:14]
    house.must(house.staff("dealer").post(f"/api/v1/tables/{table}/card", json={"cards": " ".join(left)}))
    stage(page, "deciding")
    expect(page.locator("#stage h2").first).to_have_text("Still to decide: seat 1, seat 3")
    bob = page.locator(".to-act[data-seat='3']")
    expect(bob.locator("[data-choice=set]")).to_be_disabled()
    for place in (1, 2):
        bob.locator(".card-pick").nth(place).click()
    expect(bob.locator(".advice")).to_contain_text("high")
    shoot(page, "dealer-deciding-pai-gow-tablet")
    bob.locator("[data-choice=set]").click()
    expect(bob).to_have_count(0)
    page.locator(".to-act[data-seat='1'] [data-choice=house-way]").click()
    stage(page, "ready")
    press(page, "settle")
    stage(page, "betting")


def test_blackjack_decisions_are_entered_and_time_runs_out(
    house: Served, tablet: Callable[..., Page], bet: Callable[..., None]
) -> None:
    table = house.open_table("Blackjack", "lucky-lucky-wa", "hand-keyed", seats=3, decision_seconds=1)
    bet(table, 1, "Ann", blackjack=2500)
    bet(table, 3, "Bob", blackjack=2500)
    page = tablet(table, expected="status of 400")
    press(page, "no-more-bets")
    type_cards(page, "10s 6d 9s")
    type_cards(page, "2h 7c 8h")
    page.locator(".to-act[data-seat='1'] [data-choice=hit]").click()
    expect(page.locator(".next-card")).to_have_text("Seat 1")
    type_cards(page, "5c")
    page.locator(".to-act[data-seat='1'] [data-choice=stand]").click()
    expect(page.locator("#clock")).to_be_visible()
    bob = page.locator(".to-act[data-seat='3']")
    expect(page.locator("#clock")).to_have_text("Time is up")
    shoot(page, "dealer-deciding-blackjack-tablet")
    bob.locator("[data-key=time-out]").click()
    stage(page, "ready")
    press(page, "settle")
    expect(page.locator(".payment strong")).to_have_text(["Take $25", "Push $25"])


# Everything else


def test_a_virtual_shoe_is_dealt_and_paid(house: Served, tablet: Callable[..., Page], bet: Callable[..., None]) -> None:
    table = house.open_table("Virtual", "ez-baccarat-wa", "virtual-shoe")
    bet(table, 1, "Ann", banker=2500, player=2500)
    page = tablet(table)
    press(page, "no-more-bets", "deal")
    stage(page, "ready")
    expect(page.locator(".hand-of")).to_have_count(2)
    expect(page.locator(".card-pad, .keyed-card")).to_have_count(0)
    press(page, "settle")
    expect(page.locator(".payment")).to_have_count(2)


def test_a_high_payout_waits_for_a_supervisor(house: Served, tablet: Callable[..., Page], bet: Callable[..., None]) -> None:
    table = house.open_table("High", "ez-baccarat-wa", "hand-keyed", watch="acknowledge", watch_cents=15_000)
    bet(table, 1, "Ann", dragon_7=500)
    dealer, floor = tablet(table, expected="status of 400"), tablet(table, "supervisor", expected="status of 400")
    press(dealer, "no-more-bets")
    for cards in DRAGON_7:
        type_cards(dealer, cards)
        expect(dealer.locator(".typed .card")).to_have_count(0)
    for page in (dealer, floor):
        stage(page, "ready")
        press(page, "settle")
        expect(page.locator(".warn-notice").first).to_contain_text("a supervisor must acknowledge seat 1's Dragon 7 of $200")
    expect(dealer.locator("[data-key=acknowledge]")).to_have_count(0)
    press(floor, "acknowledge")
    expect(floor.locator(".warn-notice")).to_have_count(0)
    press(dealer, "settle")
    expect(dealer.locator(".payment.pay strong")).to_have_text("Pay $200")


def test_a_high_payout_of_the_first_deal_waits(house: Served, tablet: Callable[..., Page], bet: Callable[..., None]) -> None:
    table = house.open_table("High early", "lucky-lucky-wa", "hand-keyed", watch="acknowledge", watch_cents=15_000)
    bet(table, 1, "Ann", blackjack=2500, lucky_lucky=500)
    page = tablet(table, "supervisor")
    press(page, "no-more-bets")
    type_cards(page, "7s 7s")
    expect(page.locator(".keyed-card")).to_have_count(2)
    type_cards(page, "7s 10h")
    stage(page, "verify")
    press(page, "acknowledge")
    page.locator(".to-act[data-seat='1'] [data-choice=stand]").click()
    stage(page, "ready")


def test_guests_without_a_screen_sit_buy_chips_and_bet(house: Served, tablet: Callable[..., Page]) -> None:
    table = house.open_table("No screens", "ez-baccarat-wa", "hand-keyed", seats=3)
    page = tablet(table, expected="status of 400")
    page.get_by_role("button", name="Sit somebody at seat 2").click()
    page.get_by_label("Guest").last.fill("Dee")
    page.get_by_role("button", name="Sit down").click()
    row = page.locator("#seats [data-seat='2']")
    expect(row).to_contain_text("Dee")
    page.locator(".entry summary").click()
    page.get_by_role("button", name="Sell chips").click()
    page.locator("#ask-guest").fill("Dee")
    page.locator("#ask-dollars").fill("100")
    page.locator("#ask").get_by_role("button", name="sell").click()
    page.get_by_label("Seat", exact=True).select_option("2")
    expect(page.locator("#bet-guest")).to_have_value("Dee")
    page.get_by_label("Wager").select_option("banker")
    page.locator("#bet-dollars").fill("1000")
    page.get_by_role("button", name="Place the bet").click()
    expect(page.locator(".toast.refused")).to_be_visible()
    page.locator("#bet-dollars").fill("25")
    page.get_by_role("button", name="Place the bet").click()
    expect(row).to_contain_text("Banker $25")
    shoot(page, "dealer-seats-tablet")
    page.get_by_role("button", name="Withdraw Banker of seat 2").click()
    expect(row.get_by_role("button", name="leave")).to_be_visible()
    row.get_by_role("button", name="leave").click()
    expect(row).to_contain_text("free")
    for size, name in ((PHONE, "phone"), ({"width": 1440, "height": 900}, "desktop")):
        page.set_viewport_size(size)
        no_overflow(page)
        shoot(page, f"dealer-betting-{name}")


def test_the_page_is_light(house: Served, keyed: str, tokens: dict[str, str], new_page: Callable[..., Page]) -> None:
    page, weight = new_page(**TABLET, token=tokens["dealer"], url=house.url), list[int]()
    page.on("response", lambda answer: weight.append(len(answer.body())) if "/stream" not in answer.url else None)
    page.goto(f"{house.url}/dealer/{keyed}")
    expect(page.locator("#dealer[aria-busy=false]")).to_be_visible()
    assert sum(weight) < 300_000


def test_a_guest_is_sent_away(house: Served, keyed: str) -> None:
    table = house.open_table("Guarded", "ez-baccarat-wa")
    anybody: Any = house.anybody()
    for name in (table, keyed):
        assert anybody.get(f"/dealer/{name}").headers["location"].startswith("/login")
