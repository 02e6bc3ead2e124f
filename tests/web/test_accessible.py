"""WCAG 2.2 AA, as far as a program can tell: axe looks at every page, with something on it, at a desk and on a phone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving, until
from playwright.sync_api import Browser, BrowserContext, Page, expect
from test_authorisation import NO_PAGES, paths_of, shape_of
from test_table_page import compile_rules

from houseway.games import edition_files
from houseway.table.roles import STAFF

API = "/api/v1"
AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
CHOOSE = ".choose input"
"""What a wall asks that was shown nothing yet."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SIZES = {"desk": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
LOOK = """async (tags) => {
  // Keys that stay at the edge cover what lies below them only until somebody scrolls: axe would take that for too small.
  for (const one of document.querySelectorAll("main *"))
    if (getComputedStyle(one).position === "sticky") one.style.position = "static";
  const rules = { "target-size": { enabled: true } };
  const runOnly = { type: "tag", values: tags };
  const options = { runOnly, rules, resultTypes: ["violations"], preload: false, iframes: false };
  const { violations } = await axe.run(document, options);
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  const doubled = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `duplicate-id: ${id}`);
  return [...doubled, ...violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    `${id}: ${target.join(" ")}: ${failureSummary.split("\\n").slice(1).map((line) => line.trim()).join(", ")}`))];
}"""


@dataclass(frozen=True)
class Shown:
    """A page with something on it: whose it is (a role, a guest, or nobody's), what is pressed there, and what then is seen."""

    path: str
    who: str = ""
    sees: str = "main h1"
    press: tuple[str, ...] = ()
    in_pieces: bool = False
    """In the house whose chips are pieces."""

    def __str__(self) -> str:
        return " ".join([self.path, *([f"({self.who})"] if self.who else []), *self.press])


FLOOR_TABS = ("tables", "boards", "cage", "events", "audit")
LAB = "/lab/ez-baccarat-wa"
AT_REST = """document.getAnimations().every(
  (one) => one.playState !== "running" || one.effect.getTiming().iterations === Infinity)"""
PAGES = (
    Shown("/", sees="#join"),
    Shown("/", "Ann", ".who .me"),
    Shown("/tables/Baccarat", "Ann", "#result .net"),
    Shown("/tables/Betting", "Ann", ".seat.own"),
    Shown("/tables/Betting", sees=".felt"),
    Shown("/tables/California", "Ann", "#bank button"),
    Shown("/tables/Pai Gow", "Ann", ".set-panel"),
    Shown("/tables/Blackjack", "Ann", ".decide [data-choice]"),
    Shown("/tables/Duki", "Ann", ".decide [data-choice]"),
    *(Shown(f"/dealer/{table}", "dealer", "main button") for table in ("Baccarat", "Betting", "California", "Pai Gow")),
    *(Shown(f"/dealer/{table}", "dealer", "main button") for table in ("Blackjack", "Duki", "north", "west")),
    Shown("/dealer/Dealt", "supervisor", ".steps.due"),
    *(Shown("/floor", role, "#tables:not([aria-busy=true])") for role in STAFF if role != "supervisor"),
    *(Shown("/floor", "supervisor", f"#panel-{tab}", (f"#tab-{tab}",)) for tab in FLOOR_TABS),
    Shown("/floor", "supervisor", "dialog[open]", ("#open-table",)),
    Shown("/floor", "administrator", "#people tr, #people li, #people article", ("#tab-people",)),
    Shown("/floor/editions", "supervisor"),
    Shown("/host", "host", "#waitlist li"),
    Shown("/host", "host", "dialog[open]", ("#add-wait",)),
    Shown("/rotation", "supervisor", "#rotation td"),
    Shown("/patrons", "host", "dialog[open]", ("#register",)),
    Shown("/patrons", "host", "#found button"),
    Shown("/account", "supervisor", "#account:not([aria-busy=true])"),
    Shown("/account", "Ann", "#exclude-me"),
    Shown("/login", sees="main form"),
    Shown("/board/Baccarat", sees="#board[aria-busy=false]"),
    Shown("/board/Pai Gow", sees="#board[aria-busy=false]"),
    Shown("/board/north", sees="#board[aria-busy=false]"),
    Shown("/wall", sees=CHOOSE),
    Shown("/wall?boards=north,nowhere", sees=".cell:nth-of-type(2) [role=status]"),
    Shown("/wall?boards=north,Baccarat,west,Blackjack", sees=".cell:nth-of-type(4) .board[aria-busy=false]"),
    Shown("/rounds/{round}", "Ann", "#round:not([aria-busy=true])"),
    Shown("/rounds/{round}", "supervisor", "#round:not([aria-busy=true])"),
    Shown("/lab?edition=ez-baccarat-wa&wager=dragon-7", sees="#sheet table"),
    Shown("/lab/lucky-lucky-wa/hand?hand=8s 8d&dealer=10h", sees="#results > *"),
    Shown("/lab/duki-4-wa/strategy", sees="#results table"),
    Shown(f"{LAB}/simulate", sees="#results table", press=("#start",)),
    *(Shown(path, sees="#copy:enabled") for path in (f"{LAB}/protect", f"{LAB}/design", "/lab/duki-4-wa/solve")),
    Shown(f"{LAB}/reports", sees="#start:enabled"),
    Shown("/reports/verify", sees="#asked input"),
    Shown("/reports/master-game", "supervisor", "#start:enabled"),
    Shown("/reports/audit", "auditor", "#start:enabled"),
    Shown("/reports/round?round={round}", "auditor", "#start:enabled"),
    Shown("/verify?edition=ez-pai-gow-wa", sees="#findings > *"),
    Shown("/proof", sees="#heads td"),
    Shown("/train", sees=".school-card"),
    Shown("/train/ez-baccarat-wa?kind=read&number=5", sees=".verdict", press=(".option", "#give")),
    Shown("/train/ez-baccarat-wa?kind=order&number=5", sees=".verdict", press=("#give",)),
    Shown("/train/ez-baccarat-wa?kind=chips&number=5", sees=".verdict", press=(".tray-chip", "#give")),
    Shown("/train/ez-baccarat-wa?kind=pay&number=5", sees=".amount input"),
    Shown("/train/course/dealer-ez-baccarat-wa", sees="#begin"),
    Shown("/train/exam/1", "dealer", "#asks > *"),
    Shown("/train/exam/2", "dealer", ".explained-exercise", (".exam-exercise summary",)),
    Shown("/train/table/ez-baccarat-wa", "dealer", "#out .card", ("[data-key=no-more-bets]",)),
    Shown("/train/round/1", "dealer", "#problem p"),
    Shown("/train/house/results", "supervisor", ".exam-row"),
    Shown("/train/house/verify", "supervisor", "#verify button"),
    Shown("/train/ez-baccarat-wa?view=map", sees=".tile"),
    Shown("/train/ez-baccarat-wa?view=speed", sees="#asks > *", press=("#speed-start",)),
    *(Shown(f"/editions/{edition}") for edition in sorted(edition_files())),
    Shown("/no-such-page"),
    Shown("/slips", "supervisor", "#trays [data-tray]", in_pieces=True),
    Shown("/slips", "cashier", "#yours .slip-card", in_pieces=True),
    Shown("/slips", "cashier", "dialog[open]", ("#yours .slip-card button",), in_pieces=True),
    Shown("/slips/{slip}", "supervisor", ".paper", in_pieces=True),
    Shown("/slips/{void}", "supervisor", ".paper .stamp", in_pieces=True),
)


@dataclass
class Houses:
    """A demo house and one whose chips are pieces, with something going on, and the names of what is looked at."""

    demo: Served
    pieces: Served
    tokens: dict[tuple[str, str], str]
    names: dict[str, Any]

    def house(self, shown: Shown) -> Served:
        return self.pieces if shown.in_pieces else self.demo

    def token(self, shown: Shown) -> str:
        house = self.house(shown)
        key = house.url, shown.who
        if shown.who and key not in self.tokens:
            self.tokens[key] = house.token(shown.who)
        return self.tokens[key] if shown.who else ""


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    compile_rules()
    one, other = tmp_path_factory.mktemp("accessible"), tmp_path_factory.mktemp("pieces")
    with (
        serving(f"sqlite:///{one / 'house.db'}", one / "house.key") as demo,
        serving(f"sqlite:///{other / 'house.db'}", other / "house.key", demo=False) as pieces,
    ):
        made = Houses(demo, pieces, {}, {})
        play(made)
        sign(made)
        yield made


def play(houses: Houses) -> None:
    """Every game in the middle of a round, one round that is over, scoreboards, a waitlist and a guest's file."""
    house = houses.demo
    token = house.joined("Ann")["token"]
    houses.tokens[house.url, "Ann"] = token
    ann, bob, dealer = house.anybody(Authorization=f"Bearer {token}"), house.guest("Bob"), house.staff("dealer")
    host, floor = house.staff("host"), house.staff("supervisor")

    def do(by: httpx.Client, table: str, kind: str, **fields: Any) -> Any:
        return house.must(by.post(f"{API}/tables/{table}/{kind}", json=fields))

    def deal(table: str, *hands: str, **fields: Any) -> None:
        do(dealer, table, "no-more-bets", **fields)
        for hand in hands:
            do(dealer, table, "card", cards=hand)

    def bets(table: str, *wagers: str) -> None:
        for by, seat in ((ann, 1), (bob, 2)):
            for wager in wagers:
                do(by, table, "bet", seat=seat, wager=wager, cents=500)

    for table in ("Baccarat", "Betting", "Dealt"):
        house.open_table(table, "ez-baccarat-wa")
    bets("Baccarat", "banker", "dragon-7")
    deal("Baccarat", "2s 4h 3d Kc 6h 3s")
    houses.names["round"] = do(dealer, "Baccarat", "settle")["seq"]
    bets("Betting", "player", "tie")
    bets("Dealt", "player", "tie")
    deal("Dealt", "9s 7h Kd 3c")
    house.open_table("California", "ez-baccarat-ca", player_fee_cents=100, bank_fee_cents=200)
    do(ann, "California", "sit", seat=1)
    do(bob, "California", "sit", seat=2)
    house.open_table("Pai Gow", "ez-pai-gow-wa", settings={"deal": "wagered-positions"})
    do(ann, "Pai Gow", "bet", seat=1, wager="base", cents=500)
    deal("Pai Gow", "Jc 10d 9c 8h 5c 4d 3h", "As Ah Ks Kh 9s 5h 2h", dice=7)
    house.open_table("Blackjack", "lucky-lucky-wa")
    do(ann, "Blackjack", "bet", seat=1, wager="blackjack", cents=500)
    deal("Blackjack", "8s 6h 8d 10c")
    house.open_table("Duki", "duki-4-wa")
    for wager in ("ante", "duki-bonus"):
        do(ann, "Duki", "bet", seat=1, wager=wager, cents=500)
    deal("Duki", "9h 9c 6s Jd", "9s 9d 5h 8c")
    do(dealer, "Baccarat", "sign-on")
    keyed = {"north": ("ez-baccarat-wa", ("B", "P", "Bn", "B7", "T", "P8")), "west": ("ez-pai-gow-wa", ("1 two-pair",))}
    for board, (edition, hands) in keyed.items():
        house.must(floor.post(f"{API}/boards", json={"board": board, "edition": edition}))
        for hand in hands:
            house.must(dealer.post(f"{API}/boards/{board}/hand", json={"hand": hand}))
    for guest in ("Zara", "Yann"):
        house.must(host.post(f"{API}/waitlist", json={"guest": guest}))
    house.must(house.staff("cashier").post(f"{API}/staff/break"))
    for course in ("dealer-ez-baccarat-wa", "speed-ez-baccarat-wa"):
        house.must(dealer.post(f"{API}/train/exams", json={"course": course}))
    house.must(dealer.post(f"{API}/train/exams/2/hand-in", json={}))
    about = {"name": "Berta Quark", "born": "1970-05-05", "document": "ID 4471", "address": "1 Elm", "guest": "Berta"}
    house.must(host.post(f"{API}/patrons", json=about))


def sign(houses: Houses) -> None:
    """A fill that is over, one that waits for the cashier, and one that is void."""
    house, tray = houses.pieces, {"2500": 20, "500": 40}
    office, floor, dealer = house.staff("administrator"), house.staff("supervisor"), house.staff("dealer")
    house.must(office.post(f"{API}/cage/fund", json={"cents": 10_000_000}))
    house.must(office.post(f"{API}/house/rules", json={"rule": "chips", "value": "1 5 25 100"}))
    house.must(office.post(f"{API}/cage/chips-in", json={"pieces": {"10000": 100, "2500": 500, "500": 1_000, "100": 1_000}}))
    house.must(floor.post(f"{API}/tables", json={"table": "t1", "edition": "ez-baccarat-wa", "source": "hand-keyed"}))
    house.must(dealer.post(f"{API}/tables/t1/sign-on"))

    def fill(*signers: str) -> str:
        house.must(floor.post(f"{API}/tables/t1/request-fill", json={"pieces": tray}))
        slip: str = floor.get(f"{API}/slips").json()["slips"][-1]["id"]
        for role in signers:
            counted = {"pieces": tray} if role in {"cashier", "dealer"} else {}
            house.must(house.staff(role).post(f"{API}/slips/sign", json={"slip": slip, **counted}))
        return slip

    houses.names["slip"] = fill("security", "cashier", "security", "dealer", "supervisor")
    houses.names["void"] = fill("security")
    house.must(floor.post(f"{API}/slips/void", json={"slip": houses.names["void"], "reason": "wrong chips"}))
    fill("security")


@pytest.fixture(scope="module")
def visitor(chromium: Browser, houses: Houses) -> Iterator[Callable[[Shown], Page]]:
    """A tab for each page: whoever looks at several keeps the files of the first."""
    contexts: dict[str, BrowserContext] = {}

    def visit(shown: Shown) -> Page:
        token, url = houses.token(shown), houses.house(shown).url
        if token not in contexts:
            contexts[token] = context = chromium.new_context(reduced_motion="reduce")
            context.add_init_script(path=AXE)
            if token:
                context.add_cookies([{"name": "houseway", "value": token, "url": url}])
        page = contexts[token].new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.set_viewport_size(SIZES["desk"])
        return page

    yield visit
    for context in contexts.values():
        context.close()


@pytest.mark.parametrize("shown", PAGES, ids=str)
def test_axe_finds_nothing(houses: Houses, visitor: Callable[[Shown], Page], shown: Shown) -> None:
    house, page = houses.house(shown), visitor(shown)
    if shown.sees == CHOOSE:  # a wall comes back with the boards it showed last, in another test perhaps
        page.add_init_script("localStorage.clear()")
    page.goto(house.url + shown.path.format(**houses.names))
    if shown.path == "/patrons" and not shown.press:
        page.get_by_label("Name, description, document").fill("quark")
        page.keyboard.press("Enter")
    for selector in shown.press:
        page.locator(selector).first.click()
    expect(page.locator(shown.sees).first).to_be_visible()
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        until(page, AT_REST)
        found += [f"{size}: {words}" for words in page.evaluate(LOOK, TAGS)]
    page.close()
    assert found == [], "\n".join([f"{shown}:", *found])


def test_no_page_is_left_out(houses: Houses) -> None:
    looked_at = [shown.path.split("?")[0] for shown in PAGES]
    served = {path for path, _ in paths_of(houses.demo.app.routes) if not path.startswith("/api/")}
    served -= NO_PAGES | {"/reports/style.css"}
    assert [path for path in sorted(served) if not any(shape_of(path).fullmatch(known) for known in looked_at)] == []
