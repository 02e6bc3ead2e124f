"""What a guest can read names no one of the staff: every route, page and stream that is open to him."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving
from test_authorisation import MATRIX, PAGES

API = "/api/v1"
NAMES = {role: f"Zq{role[:3]} Xylander" for role in ("dealer", "supervisor", "cashier", "administrator", "auditor")}
TABLE = "named"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Everybody of the staff has done something at the table, in public; a part of it from the shell."""
    folder = tmp_path_factory.mktemp("names")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        play(made)
        yield made


class Filled(dict[str, Any]):
    """What stands in a path; anything where nothing is known of it."""

    def __missing__(self, name: str) -> str:
        return "1" if name in {"place", "seat"} else "x"


def play(house: Served) -> None:
    staff = {role: house.staff(role, name) for role, name in NAMES.items()}
    opening = {"table": TABLE, "edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 10_000_000}
    house.must(staff["supervisor"].post(f"{API}/tables", json=opening))
    house.must(staff["cashier"].post(f"{API}/cage/buy-in", json={"guest": "Bo", "cents": 100_000}))
    house.must(staff["cashier"].post(f"{API}/tables/{TABLE}/fill", json={"cents": 1_000}))
    board = {"board": "keypad", "edition": "ez-baccarat-wa"}
    house.must(staff["administrator"].post(f"{API}/boards", json=board))
    house.must(staff["dealer"].post(f"{API}/boards/keypad/hand", json={"hand": "B7"}))
    at = f"{API}/tables/{TABLE}"
    for _ in range(2):
        bet = {"seat": 1, "wager": "banker", "cents": 1_000, "guest": "Bo"}
        house.must(staff["dealer"].post(f"{at}/bet", json=bet))
        house.must(staff["dealer"].post(f"{at}/no-more-bets"))
        house.must(staff["dealer"].post(f"{at}/card", json={"cards": "2s 3h 5d 4c"}))
        house.must(staff["dealer"].post(f"{at}/correct-card", json={"place": 1, "card": "Ks", "reason": "misread"}))
        view = staff["dealer"].get(at).json()
        if view["phase"] != "ready":
            house.must(staff["dealer"].post(f"{at}/card", json={"cards": "9s"}))
        house.must(staff["dealer"].post(f"{at}/settle"))
    correction = {"round": 1, "void": True, "reason": "camera"}
    house.must(staff["supervisor"].post(f"{at}/correct", json=correction))
    house.must(staff["dealer"].post(f"{at}/bet", json={"seat": 1, "wager": "banker", "cents": 1_000, "guest": "Bo"}))
    house.must(staff["supervisor"].post(f"{at}/void", json={"reason": "misdeal"}))


def rounds(house: Served) -> list[int]:
    entries = house.app.state.house.floor.store.entries()
    return [entry.seq for entry in entries if entry.kind in {"settle", "void"} and entry.table == TABLE]


def texts(house: Served, client: httpx.Client) -> Iterator[tuple[str, str]]:
    """Everything that can be read by GET: routes, streams from the first entry on, and pages."""
    seqs = rounds(house)
    assert len(seqs) >= 3
    for route in MATRIX:
        method, _, path = route.partition(" ")
        if method != "GET":
            continue
        for seq in seqs if "{seq}" in path else [0]:
            given = {
                "table": TABLE,
                "board": "keypad",
                "seat": 1,
                "seq": seq,
                "id": "ez-baccarat-wa",
                "edition": "ez-baccarat-wa",
            }
            url = f"{API}{path.format_map(Filled(given, number=1, slip='fill-1'))}"
            if path.endswith("stream"):
                yield url, first_of_stream(client, url)
            elif "/verify/" not in url and "/odds" not in url and "/decks" not in url:  # figures: they take their time
                yield url, client.get(url).text
    for page in PAGES:
        for url in [f"/rounds/{seq}" for seq in seqs] if page.startswith("/rounds") else [page.format(table=TABLE)]:
            yield url, client.get(url, headers={"Accept": "text/html"}).text


def first_of_stream(client: httpx.Client, url: str) -> str:
    """All that was missed since entry 1, and the view."""
    heard = ""
    with client.stream("GET", url, headers={"Last-Event-ID": "1"}) as answer:
        for line in answer.iter_lines():
            heard += line
            if heard.count("event: view") and line.startswith("data:"):
                return heard
    return heard


@pytest.mark.parametrize("who", ["anybody", "guest"])
def test_nothing_that_a_guest_reads_names_anybody_of_the_staff(house: Served, who: str) -> None:
    client = house.anybody() if who == "anybody" else house.guest("Curious")
    read = dict(texts(house, client))
    assert len(read) > 20
    for url, text in read.items():
        assert "Xylander" not in text, f"{url} names somebody of the staff"
    settled = json.loads(read[f"{API}/rounds/{rounds(house)[0]}"])
    assert {entry["actor"] for entry in settled["entries"] + settled["corrections"]} == {"dealer", "cashier", "supervisor"}


def test_what_commands_answer_a_guest_names_nobody(house: Served) -> None:
    guest = house.guest("Tries all")
    for route, (_, body) in MATRIX.items():
        method, _, path = route.partition(" ")
        given: dict[str, Any] = {"table": TABLE, "board": "keypad", "seat": 1, "seq": 1, "id": "x", "edition": "x", "kind": "x"}
        if method == "POST" and "session" not in path:
            url = f"{API}{path.format_map(Filled(given, number=1, slip='fill-1'))}"
            assert "Xylander" not in guest.post(url, json=body).text, url


def test_the_staff_reads_who_it_was(house: Served) -> None:
    replay = house.staff("auditor").get(f"{API}/rounds/{rounds(house)[0]}").json()
    assert {entry["actor"] for entry in replay["entries"]} == {NAMES["dealer"], NAMES["cashier"]}
    assert all(entry["hashed"] for entry in replay["entries"])


def test_hashes_that_hold_a_name_are_not_given_to_guests_and_all_others_are(house: Served) -> None:
    house.must(house.guest("Bo Too").post(f"{API}/tables/{TABLE}/bet", json={"seat": 3, "wager": "tie", "cents": 500}))
    house.must(house.staff("supervisor", NAMES["supervisor"]).post(f"{API}/tables/{TABLE}/void", json={"reason": "misdeal"}))
    entries = httpx.get(f"{house.url}{API}/rounds/{rounds(house)[-1]}", timeout=PATIENCE).json()["entries"]
    assert [(entry["actor"], entry["hashed"] is None) for entry in entries] == [("Bo Too", False), ("supervisor", True)]
