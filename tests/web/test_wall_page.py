"""The wall in a real browser: several boards, the network goes and comes back, and what a screen on a wall needs."""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import httpx
import pytest
from houses import Served, serving, shoot
from playwright.sync_api import Page, expect
from programs import until

from houseway.web import wall
from houseway.web.statics import statics_digest

WALL = {"width": 1920, "height": 1080}
EDITION = "ez-baccarat-wa"
BOARDS = ("north", "south", "east", "west", "fifth", "sixth")
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("wall")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "house.key", demo=True) as made:
        floor = made.staff("supervisor")
        for place, name in enumerate(BOARDS):
            edition = "ez-pai-gow-wa" if place == 3 else EDITION
            made.must(floor.post("/api/v1/boards", json={"board": name, "edition": edition}))
            for number in range(9):
                key(
                    made,
                    name,
                    f"{number % 7 + 1} two-pair" if place == 3 else ("B", "P", "Bn", "B7", "T", "P", "P", "B", "P8")[number],
                )
        yield made


def key(house: Served, board: str, hand: str) -> None:
    house.must(house.staff("dealer").post(f"/api/v1/boards/{board}/hand", json={"hand": hand}))


def cell(page: Page, name: str) -> object:
    return page.locator(f'.cell[aria-label="{name}"]')


def overflowing(page: Page) -> list[str]:
    """What is cut off on the wall: text that does not fit where it stands."""
    return page.evaluate(
        """() => [...document.querySelectorAll(
          ".cell :is(.last-winner, .counts div, .counts dt, .wall-head, .inside)")]
        .filter((e) => e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 2).map((e) => e.className)"""
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6])
def test_one_to_six_boards_fit_on_one_screen(house: Served, new_page: NewPage, count: int) -> None:
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall?boards={','.join(BOARDS[:count])}")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(count)
    expect(page.locator("#stale")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight") <= WALL["height"]
    assert overflowing(page) == []
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".cell .last-winner strong, .cell .headline, .cell .counts dd")]
        .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 22, "what is looked for is read from three metres"
    shoot(page, f"wall-{count}")


def test_it_is_live(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall?boards=north,south")
    counted = cell(page, "north").locator(".wall-round b")
    expect(counted).to_contain_text("hand")
    before = counted.inner_text()
    key(house, "north", "B")
    expect(counted).not_to_have_text(before)
    expect(cell(page, "north").locator(".announce")).to_be_visible()
    expect(cell(page, "south").locator(".announce")).to_be_hidden()


class Cable:
    """A way to the house that can be pulled out: whatever goes through it is cut, and nothing new comes through. While it does
    not flow, as if the house hung, connections stay and nothing comes."""

    def __init__(self, url: str) -> None:
        self.there = ("127.0.0.1", httpx.URL(url).port)
        self.is_in, self.ends = True, set[socket.socket]()
        self.flows = threading.Event()
        self.flows.set()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        threading.Thread(target=self._let_in, daemon=True).start()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                if not self.is_in:
                    near.close()
                    continue
                far = socket.create_connection(self.there)
                self.ends |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self.flows.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def pull_out(self) -> None:
        self.is_in = False
        for end in tuple(self.ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def put_in(self) -> None:
        self.is_in = True


def test_the_network_goes_and_comes_back(house: Served, new_page: NewPage) -> None:
    cable = Cable(house.url)
    page = new_page(**WALL, expected="ERR_|Failed to load")
    page.goto(f"{cable.url}/wall?boards=east,west")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(2)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    seen = cell(page, "east").locator(".counts").inner_text()
    cable.pull_out()
    stale = re.compile(r"^Stale since \d\d:\d\d:\d\d$")
    expect(page.locator("#stale")).to_have_text(stale)
    assert cell(page, "east").locator(".counts").inner_text() == seen, "the last board stays"
    shoot(page, "wall-stale")
    key(house, "east", "P")
    page.reload()  # a kiosk that is started while the house is away
    expect(page.locator("#stale")).to_have_text(stale)
    expect(cell(page, "east").locator(".counts")).to_have_text(re.compile(r"\d"))
    assert cell(page, "east").locator(".counts").inner_text() == seen
    cable.put_in()
    expect(page.locator("#stale")).to_be_hidden()
    until(lambda: cell(page, "east").locator(".counts").inner_text() != seen)
    key(house, "east", "B")  # and it is live again, not only shown once
    expect(cell(page, "east").locator(".announce")).to_be_visible()
    cable.door.close()


@pytest.mark.parametrize("path", ["/board/east", "/wall?boards=east,west"])
def test_a_house_that_hangs_is_told_from_one_that_is_quiet(house: Served, new_page: NewPage, path: str) -> None:
    cable = Cable(house.url)
    page = new_page(**WALL, expected="ERR_|Failed to load")
    page.clock.install()
    page.goto(f"{cable.url}{path}")
    expect(page.locator(".board[aria-busy=false], #board[aria-busy=false]").first).to_be_visible()
    page.clock.run_for(11_000)
    expect(page.locator("#stale")).to_be_hidden()
    cable.flows.clear()
    page.clock.run_for(11_000)
    expect(page.locator("#stale")).to_have_text(re.compile(r"^Stale since \d\d:\d\d:\d\d$"))
    page.wait_for_function(  # it covers nothing of the last board
        """() => document.querySelector("#board, #boards").getBoundingClientRect().bottom
              <= document.querySelector("#stale").getBoundingClientRect().top""",
        polling=50,
    )
    shoot(page, f"stale-{'board' if 'board/' in path else 'wall'}")
    cable.flows.set()
    page.clock.run_for(11_000)
    expect(page.locator("#stale")).to_be_hidden()
    cable.pull_out()
    cable.door.close()


def test_an_unknown_board_is_told_in_its_own_frame_and_comes_once_it_is_there(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall?boards=north,later")
    unknown = cell(page, "later").locator(".board")
    expect(unknown).to_contain_text('Unknown scoreboard "later"')
    expect(page.locator("#stale")).to_be_hidden()
    counted = cell(page, "north").locator(".wall-round b")
    before = counted.inner_text()
    key(house, "north", "B")
    expect(counted).not_to_have_text(before)
    expect(cell(page, "north").locator(".announce")).to_be_hidden()
    shoot(page, "wall-unknown")
    house.must(house.staff("supervisor").post("/api/v1/boards", json={"board": "later", "edition": EDITION}))
    key(house, "later", "P")
    expect(cell(page, "later").locator(".wall-round b")).to_contain_text("1 hand")
    expect(unknown).not_to_contain_text("Unknown")
    alone = new_page(**WALL)
    alone.goto(f"{house.url}/wall?boards=nowhere")
    expect(cell(alone, "nowhere")).to_contain_text("Unknown scoreboard")
    expect(alone.locator("#stale")).to_be_hidden()
    assert overflowing(alone) == []


def test_an_installed_screen_comes_back_with_the_boards_it_showed_last(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall?boards=north,south")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(2)
    start = httpx.get(f"{house.url}/wall/manifest.webmanifest").json()["start_url"]
    page.goto(house.url + start)
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(2)
    assert page.url.endswith("/wall?boards=north,south")
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Other scoreboards")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Which scoreboards?")).to_be_visible()


def test_nothing_private_and_nothing_of_another_release_is_kept(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL, token=house.token("supervisor", "Private Person"), url=house.url)
    page.goto(f"{house.url}/wall?boards=north")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = page.evaluate(
        """async () => {
            const found = {};
            for (const name of await caches.keys())
              for (const asked of await (await caches.open(name)).keys())
                found[new URL(asked.url).pathname] = await (await (await caches.open(name)).match(asked)).text();
            return found;
        }"""
    )
    assert set(kept) == {*wall.page_files(), "/wall"}
    assert "Private Person" not in json.dumps(kept) and 'content=""' in kept["/wall"], "no name, no token"
    assert len(page.evaluate("caches.keys()")) == 1
    page.evaluate("caches.open('houseway-wall-of-before').then((cache) => cache.put('/wall', new Response('old')))")
    kept_boards = page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('houseway-board:'))")
    assert kept_boards == ["houseway-board:north"]
    page.evaluate("navigator.serviceWorker.getRegistration('/wall').then((known) => known.unregister())")
    page.reload()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    until(lambda: len(page.evaluate("caches.keys()")) == 1)


OTHER_FILE = {path: "0" * 64 if path.endswith("/css/wall.css") else digest for path, digest in wall.page_files().items()}
OTHER_PAGE = {path: digest for path, digest in wall.page_files().items() if not path.endswith("/css/wall.css")}
"""The page names a file that is not of the worker's release."""


@pytest.mark.parametrize("files", [OTHER_FILE, OTHER_PAGE])
def test_what_is_not_of_the_workers_release_is_not_installed(
    house: Served, new_page: NewPage, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    monkeypatch.setattr(wall, "page_files", lambda: files)
    page = new_page(**WALL, expected="not of this release|worker")
    page.goto(f"{house.url}/wall?boards=north")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(1)
    state = page.evaluate(
        """() => navigator.serviceWorker.register("/wall/worker.js", { scope: "/wall" }).then((known) =>
        new Promise((tell) => { const one = known.installing; if (!one) tell("none");
          else one.addEventListener("statechange", () => tell(one.state)); }))"""
    )
    assert state in {"redundant", "none"} and page.evaluate("caches.keys()") == []


def test_the_worker_the_manifest_and_the_policy(house: Served) -> None:
    worker = httpx.get(f"{house.url}/wall/worker.js")
    assert worker.headers["service-worker-allowed"] == "/wall" and worker.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in worker.headers["content-security-policy"]
    assert worker.text.startswith("const RELEASE = ") and f"/static/{statics_digest()}/js/board/one.js" in worker.text
    assert all(httpx.get(house.url + path).status_code == 200 for path in wall.page_files())
    manifest = httpx.get(f"{house.url}/wall/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert manifest.json()["scope"] == manifest.json()["start_url"] == "/wall"
    page = httpx.get(f"{house.url}/wall?boards=north")
    assert page.headers["cache-control"] == "no-store"


def test_bad_boards_are_refused(house: Served, new_page: NewPage) -> None:
    for asked in ("", ",", ",".join(map(str, range(7)))):
        answer = httpx.get(f"{house.url}/api/v1/wall/stream", params={"boards": asked})
        assert answer.status_code == 400 and answer.json()["message"]
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall?boards=1,2,3,4,5,6,7")
    expect(page.locator("#stale")).to_contain_text("up to 6")


def test_whoever_puts_it_up_chooses_with_the_keyboard(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL)
    page.goto(f"{house.url}/wall")
    page.get_by_role("checkbox", name="north").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Show them").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/wall?boards=north")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(1)


def test_the_screen_stays_on_has_no_cursor_moves_a_little_and_dims(house: Served, new_page: NewPage) -> None:
    page = new_page(**WALL)
    page.add_init_script(
        """window.asked = 0; Object.defineProperty(navigator, "wakeLock",
        { value: { request: async () => { window.asked += 1; return {}; } } });"""
    )
    page.clock.install()
    page.goto(f"{house.url}/wall?boards=north")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(1)
    cursor = "getComputedStyle(document.querySelector('.cell')).cursor"
    assert page.evaluate(cursor) == "none"
    page.mouse.move(300, 300)
    page.mouse.move(310, 300)
    assert page.evaluate(cursor) != "none"
    page.clock.run_for(3100)
    assert page.evaluate(cursor) == "none"
    assert page.evaluate("window.asked") == 1
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.asked") == 2, "asked again when the page is seen again"
    places = set()
    for _ in range(24):
        page.clock.run_for(60_000)
        places.add(page.evaluate("getComputedStyle(document.querySelector('main')).transform"))
    assert len(places) >= 5
    assert not page.evaluate("document.body.classList.contains('is-dim')")
    page.clock.fast_forward("02:05:00")
    page.clock.run_for(61_000)
    assert page.evaluate("document.body.classList.contains('is-dim')")
    key(house, "north", "P")
    until(lambda: not page.evaluate("document.body.classList.contains('is-dim')"))


def test_on_a_phone_they_are_below_each_other(house: Served, new_page: NewPage) -> None:
    page = new_page(width=390, height=844)
    page.goto(f"{house.url}/wall?boards=north,west")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(page, "wall-phone")


def test_the_files_of_the_page_are_all_that_it_asks_for(house: Served, new_page: NewPage) -> None:
    asked: set[str] = set()
    page = new_page(**WALL)
    page.on("request", lambda request: asked.add(httpx.URL(request.url).path))
    page.goto(f"{house.url}/wall?boards=north,west")
    expect(page.locator(".cell .board[aria-busy=false]")).to_have_count(2)
    files = {path for path in asked if path.startswith("/static/")}
    assert files and files <= set(wall.page_files())
