"""Scoreboards on the wall, in a real browser, against roads worked out here by another rule than the house's own."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from houses import PATIENCE, Served, no_overflow, serving, shoot, until
from playwright.sync_api import Page, expect

ROWS = 6
WALL = {"width": 1920, "height": 1080}
ROADS = ("big-eye-boy", "small-road", "cockroach-pig")
EDITION = "ez-baccarat-wa"
ROUNDS = 5
Place = tuple[int, int]


# Roads by the picture: a table of places, not run lengths


def places(marks: str) -> list[Place]:
    """Where marks are drawn: down, or right where the way down is barred; once turned, along the row."""
    grid: list[list[str]] = [[""] * 400 for _ in range(ROWS)]
    found: list[Place] = []
    top = -1
    for _, run in groupby(marks):
        top = next(column for column in range(top + 1, 400) if not grid[0][column])
        column, row, turned = top, 0, False
        for number, mark in enumerate(run):
            if number:
                turned = turned or row == ROWS - 1 or bool(grid[row + 1][column])
                column, row = (column + 1, row) if turned else (column, row + 1)
            grid[row][column] = mark
            found.append((column, row))
    return found


def colours(hands: list[str], cycle: int) -> str:
    """A derived road, by looking left in a big road with columns as deep as need be."""
    filled: set[Place] = set()
    column, row, last, made = -1, 0, "", ""
    for winner in (hand[0] for hand in hands if hand[0] != "T"):
        column, row = (column, row + 1) if winner == last else (column + 1, 0)
        last = winner
        filled.add((column, row))
        if row and column >= cycle:
            made += "R" if ((column - cycle, row) in filled) == ((column - cycle, row - 1) in filled) else "B"
        elif not row and column - 1 >= cycle:
            depth = Counter(one for one, _ in filled)
            made += "R" if depth[column - 1] == depth[column - 1 - cycle] else "B"
    return made


def expected(hands: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Every road of a shoe, cell by cell."""
    roads: dict[str, list[dict[str, Any]]] = {
        "bead-plate": [{"column": n // ROWS, "row": n % ROWS, "hand": hand, "ties": 0} for n, hand in enumerate(hands)]
    }
    winners = [hand for hand in hands if hand[0] != "T"]
    followed = "".join("T" if hand[0] == "T" else "." for hand in hands).split(".")
    ties = [len(after) for after in followed[1:]]
    if ties:
        ties[0] += len(followed[0])
    drawn = zip(places("".join(hand[0] for hand in winners)), winners, ties, strict=True)
    big = [{"column": column, "row": row, "hand": hand, "ties": count} for (column, row), hand, count in drawn]
    roads["big-road"] = big or [{"column": 0, "row": 0, "hand": "", "ties": len(hands)}] * bool(hands)
    for cycle, name in enumerate(ROADS, 1):
        made = colours(hands, cycle)
        roads[name] = [{"column": c, "row": r, "colour": colour} for (c, r), colour in zip(places(made), made, strict=True)]
    return roads


READ = """() => Object.fromEntries([...document.querySelectorAll(".road-host")].map((host) => [host.dataset.road, {
  first: Number(host.firstChild.dataset.first), columns: Number(host.firstChild.dataset.columns),
  cells: [...host.querySelectorAll("g.cell")].map((cell) => ({ ...cell.dataset })) }]))"""


def check_roads(page: Page, hands: list[str], only: tuple[str, ...] = ()) -> None:
    """All roads on a page are those of the hands, cropped by whole columns to what fits; once they are drawn."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return _check_roads(page.evaluate(READ), hands, only)
        except AssertionError:
            if time.monotonic() > end:
                raise
        page.wait_for_timeout(50)


def _check_roads(shown: dict[str, Any], hands: list[str], only: tuple[str, ...]) -> None:
    for name, cells in expected(hands).items():
        if only and name not in only:
            continue
        road = shown[name]
        first = max(0, cells[-1]["column"] + 1 - road["columns"]) if cells else 0
        assert road["first"] == first, name
        kept = [cell for cell in cells if first <= cell["column"] < first + road["columns"]]
        assert road["cells"] == [{key: str(value) for key, value in cell.items()} for cell in kept], (name, hands)


def random_shoe(seed: int, size: int, runs: tuple[int, ...] = (1, 1, 1, 2, 2, 3, 4, 9, 11)) -> list[str]:
    """A shoe with runs long enough for dragon tails, ties, naturals, Dragon 7s and Panda 8s."""
    dice, hands, side = random.Random(seed), list[str](), "B"
    while len(hands) < size:
        for _ in range(dice.choice(runs)):
            while dice.random() < 0.1:
                hands.append("Tn" if dice.random() < 0.3 else "T")
            chance, bonus = dice.random(), "B7" if side == "B" else "P8"
            hands.append(bonus if chance < 0.06 else f"{side}n" if chance < 0.3 else side)
        side = "P" if side == "B" else "B"
    return hands[:size]


@pytest.mark.parametrize(
    ("hands", "roads"),
    [
        ("BPPPB", ("BRB", "", "")),
        ("BBPPB", ("RR", "", "")),
        ("TTBTPPTB", ("BB", "", "")),
        ("BBBBBBBBPPPPPPB", ("RRRRRB", "", "")),
        ("PPPPPPPPBBBBBBBBPPPPPPPP", ("R" * 15, "R" * 7, "")),
        ("BPBPBPPBBPPBBB", ("RRRRBBRRRRRB", "RRRBBBBRRRB", "RRBBBBBBRB")),
    ],
)
def test_the_reference_agrees_with_the_published_vectors(hands: str, roads: tuple[str, str, str]) -> None:
    assert tuple(colours(list(hands), cycle) for cycle in (1, 2, 3)) == roads


def test_the_reference_draws_dragon_tails() -> None:
    drawn = places("P" * 8 + "B" * 8 + "P" * 8)
    assert drawn[:8] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]
    assert drawn[8:16] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4), (4, 4)]
    assert drawn[16:] == [(2, 0), (2, 1), (2, 2), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3)]


# Boards that stand alone


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house with nothing set up: no demo, no table, no guest."""
    folder = tmp_path_factory.mktemp("bare")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", demo=False) as made:
        yield made


@pytest.fixture(scope="module")
def keyed(bare: Served) -> Callable[..., Callable[[str], None]]:
    """Open a keyed scoreboard; what is returned keys a hand into it."""
    floor, dealer = bare.staff("supervisor"), bare.staff("dealer")

    def open_board(name: str, hands: list[str]) -> Callable[[str], None]:
        bare.must(floor.post("/api/v1/boards", json={"board": name, "edition": EDITION}))

        def add(hand: str) -> None:
            bare.must(dealer.post(f"/api/v1/boards/{name}/hand", json={"hand": hand}))

        for hand in hands:
            add(hand)
        return add

    return open_board


def open_wall(page: Page, served: Served, name: str) -> Page:
    page.goto(f"{served.url}/board/{name}")
    expect(page.locator("#board[aria-busy=false]")).to_be_visible()
    return page


def test_a_wall_shows_a_whole_shoe_with_no_table_open(bare: Served, keyed: Any, new_page: Callable[..., Page]) -> None:
    hands = random_shoe(14, 84)
    tails = [cell for cell in expected(hands)["big-road"] if cell["row"] == ROWS - 1]
    assert len(tails) > 8, "the shoe is to show dragon tails"
    keyed("Wall 1", hands)
    assert bare.anybody().get("/api/v1/tables").json()["tables"] == []
    page = open_wall(new_page(**WALL), bare, "Wall 1")
    check_roads(page, hands)
    for name, letter in (("player", "P"), ("banker", "B"), ("tie", "T")):
        count = sum(hand[0] == letter for hand in hands)
        expect(page.locator(f"[data-count={name}] dd")).to_have_text(str(count))
    for name, mark in (("dragon_7", "7"), ("panda_8", "8"), ("natural", "n")):
        expect(page.locator(f"[data-count={name}] dd")).to_have_text(str(sum(mark in hand for hand in hands)))
    expect(page.locator(".next-hand")).to_be_hidden()
    until(page, "document.documentElement.scrollHeight <= innerHeight")  # a wall cannot be scrolled
    no_overflow(page)
    shoot(page, "board-roads-wall")
    for width, height, name in ((1440, 900, "desktop"), (390, 844, "phone")):
        other = open_wall(new_page(width=width, height=height), bare, "Wall 1")
        check_roads(other, hands)
        no_overflow(other)
        shoot(other, f"board-roads-{name}")


def test_what_differs_by_colour_differs_by_shape(bare: Served, keyed: Any, new_page: Callable[..., Page]) -> None:
    keyed("Shapes", ["T", "T", "B7", "P8", "B", "P", "P", "P", "B", "B", "P", "B", "T", "T"])
    page = open_wall(new_page(**WALL), bare, "Shapes")
    big = page.locator(".big-road g.cell")
    assert big.locator("text").all_text_contents()[:4] == ["7", "2", "8", "B"]
    expect(big.nth(0).locator(".rim")).to_have_count(1)
    expect(big.nth(0).locator("path.tie")).to_have_count(1)
    expect(big.nth(1).locator("circle.ring")).to_have_count(1)
    expect(big.nth(2).locator("circle.full")).to_have_count(1)
    expect(page.locator(".bead-plate g.cell").nth(2).locator("text")).to_have_text("7")
    drawn = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".derived .road-host")].flatMap((host) =>
          ["R", "B"].map((colour) =>
            [host.dataset.road + colour, host.querySelector(`[data-colour=${colour}]`)?.innerHTML ?? ""])))"""
    )
    for name in ROADS[:2]:
        assert drawn[f"{name}R"].count("<circle") == 1
        assert drawn[f"{name}B"].count("<circle") == 2


def test_the_last_winner_is_large_for_a_moment_and_undone_without_touch(
    bare: Served, keyed: Any, new_page: Callable[..., Page]
) -> None:
    add, page = keyed("Live", []), new_page(**WALL)
    page.clock.install()
    open_wall(page, bare, "Live")
    expect(page.locator(".last-winner")).to_contain_text("No hand yet")
    shoot(page, "board-roads-empty")
    for hand in ("T", "T"):
        add(hand)
    expect(page.locator(".last-winner")).to_contain_text("Hand 2")
    check_roads(page, ["T", "T"])
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)  # the moment lasts until we have looked
    add("B7")
    announced = page.locator("#announce")
    expect(announced).to_contain_text("Banker wins")
    expect(announced).to_contain_text("Dragon 7")
    expect(announced).to_be_visible()
    shoot(page, "board-roads-announced")
    page.clock.resume()
    expect(announced).to_be_hidden()
    check_roads(page, ["T", "T", "B7"])
    bare.must(bare.staff("dealer").post("/api/v1/boards/Live/undo"))
    expect(page.locator(".last-winner")).to_contain_text("Hand 2")
    check_roads(page, ["T", "T"])
    bare.must(bare.staff("dealer").post("/api/v1/boards/Live/new-shoe"))
    expect(page.locator(".last-winner")).to_contain_text("No hand yet")
    expect(page.locator("#round")).to_contain_text("Shoe 2")
    check_roads(page, [])


def test_next_hand_cells_show_only_when_the_house_gives_them(bare: Served, keyed: Any, new_page: Callable[..., Page]) -> None:
    """No edition is approved for them yet, so that the stream is given by hand."""
    keyed("Next", list("BPPPB"))
    view = bare.anybody().get("/api/v1/boards/Next").json()
    assert view["next_hand"] is None
    view["next_hand"] = {"B": ["R", "B", None], "P": ["B", "R", None]}
    page = new_page(**WALL, expected="ERR_|EventSource")
    body = f"id: 1\nevent: view\ndata: {json.dumps(view)}\n\n"
    page.route("**/stream", lambda route: route.fulfill(content_type="text/event-stream", body=body))
    open_wall(page, bare, "Next")
    cells = page.locator(".next-hand [data-next]")
    expect(cells).to_have_count(6)
    assert [cell.get_attribute("data-colour") for cell in cells.all()] == ["B", "R", "", "R", "B", ""]
    shoot(page, "board-roads-next-hand")


# Games without roads


GAMES = {
    "Pai Gow": ("ez-pai-gow-wa", {"base": 2500, "dynasty": 500, "protection": 500}),
    "Blackjack": ("lucky-lucky-wa", {"blackjack": 2500, "lucky-lucky": 500}),
    "Duki": ("duki-4-wa", {"ante": 1000, "duki-bonus": 500}),
}


@pytest.fixture(scope="module")
def funded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house with money in the cage and three guests."""
    folder = tmp_path_factory.mktemp("funded")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key", demo=False) as made:
        made.must(made.staff("administrator").post("/api/v1/cage/fund", json={"cents": 10_000_000_000}))
        for guest in ("Ann", "Bob", "Chi"):
            made.must(made.staff("cashier").post("/api/v1/cage/buy-in", json={"guest": guest, "cents": 5_000_000}))
        yield made


def play_round(served: Served, dealer: Any, table: str, bets: dict[str, int]) -> list[dict[str, Any]]:
    """One round from the virtual shoe, every guest by the plainest choice; everything that happened."""
    path, told = f"/api/v1/tables/{table}", []

    def do(kind: str, **body: Any) -> None:
        told.extend(served.must(dealer.post(f"{path}/{kind}", json=body or None))["happened"])

    for seat, guest in ((1, "Ann"), (3, "Bob"), (4, "Chi")):
        for wager, cents in bets.items():
            do("bet", seat=seat, guest=guest, wager=wager, cents=cents)
    do("no-more-bets")
    do("deal")
    while (view := dealer.get(path).json())["phase"] == "deciding":
        seat = view["seats"][view["to_act"][0] - 1]
        choice = next(c for c in ("house-way", "stand", "play", "look", *seat["to_act"]) if c in seat["to_act"])
        do("decide", seat=seat["seat"], choice=choice)
    do("settle")
    return told


@pytest.mark.parametrize("name", GAMES)
def test_boards_without_roads_count_every_wager(funded: Served, new_page: Callable[..., Page], name: str) -> None:
    edition, bets = GAMES[name]
    funded.open_table(name, edition, "virtual-shoe", seats=6)
    dealer = funded.staff("dealer")
    page = open_wall(new_page(**WALL), funded, name)
    expect(page.locator(".part.hero")).to_contain_text("No round is over yet")
    happened: list[dict[str, Any]] = []
    starts = []
    for number in range(1, ROUNDS + 1):
        told = play_round(funded, dealer, name, bets)
        happened += told
        starts += [event["dice"] for event in told if event["event"] == "no-more-bets"]
        expect(page.locator(".part.hero h2")).to_contain_text(f"Round {number}:")
    paid = [(e["wager"], e["win_cents"]) for e in happened if e["event"] == "paid" and e["stake_cents"]]  # envy has none
    ends = Counter((wager, "W" if cents > 0 else "L" if cents < 0 else "P") for wager, cents in paid)
    names = {wager["id"]: wager["name"] for wager in dealer.get(f"/api/v1/tables/{name}").json()["wagers"]}
    for wager in bets:
        numbers = page.locator(".total", has_text=names[wager]).locator(".numbers .end")
        assert numbers.all_text_contents() == [f"{letter} {ends[wager, letter]}" for letter in "WLP"], wager
    expect(page.locator(".part.rounds .rounds li")).to_have_count(ROUNDS)
    if name == "Pai Gow":
        expect(page.locator(".part.start h2")).to_have_text("The last deal began at")
        expect(page.locator(".part.start .start-number")).to_have_text(str(starts[-1]))
        assert page.locator(".positions .times").all_text_contents() == [f"{starts.count(n)}×" for n in range(1, 8)]
        expect(page.locator(".part.marks .mark-count")).to_contain_text(f"in {ROUNDS} rounds")
    until(page, "document.documentElement.scrollHeight <= innerHeight")  # a wall cannot be scrolled
    shoot(page, f"board-{name.lower().replace(' ', '-')}-wall")
    page.set_viewport_size({"width": 390, "height": 844})
    no_overflow(page)
    shoot(page, f"board-{name.lower().replace(' ', '-')}-phone")


def test_the_page_is_light(bare: Served, keyed: Any, new_page: Callable[..., Page], tmp_path: Path) -> None:
    keyed("Light", ["B"])
    page, weight = new_page(), list[int]()
    page.on("response", lambda answer: weight.append(len(answer.body())) if "/stream" not in answer.url else None)
    open_wall(page, bare, "Light")
    assert sum(weight) < 300_000
