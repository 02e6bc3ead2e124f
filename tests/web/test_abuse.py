"""Whatever is thrown at it, the house refuses clearly and stays open."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from houses import PATIENCE, Served, serving

from houseway.web.guard import Guard

API = "/api/v1"
BET = f"{API}/tables/Baccarat 1/bet"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("abuse")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


@pytest.fixture(scope="module")
def ann(house: Served) -> httpx.Client:
    return house.guest("Ann")


def stays_up(house: Served) -> None:
    assert httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE).status_code == 200


def refused(answer: httpx.Response, *statuses: int) -> dict[str, str]:
    """A refusal says what and why, in JSON, and never with a trace of our own code."""
    assert answer.status_code in (statuses or (400, 401, 403, 404, 409, 411, 413, 415, 422)), (answer.status_code, answer.text)
    told: dict[str, str] = answer.json()
    assert set(told) == {"code", "message"}, told
    assert told["code"] and told["message"]
    assert "Traceback" not in answer.text
    assert len(answer.content) < 3_000, "a refusal does not send back what was sent"
    return told


NAMES = {
    "markup": "<b>Ann</b>",
    "script": "<script>alert(1)</script>",
    "attribute": 'Ann" onmouseover="x',
    "template": "{{ 7*7 }}",
    "ampersand": "&lt;Ann&gt;",
    "right-to-left override": "Ann\u202egnp",
    "isolate": "Ann\u2067x\u2069",
    "zero-width space": "An\u200bn",
    "zero-width joiner": "An\u200dn",
    "zero-width no-break": "\ufeffAnn",
    "soft hyphen": "An\u00adn",
    "line break": "Ann\nBen",
    "line separator": "Ann\u2028Ben",
    "tab": "Ann\tBen",
    "bell": "Ann\x07",
    "NUL": "Ann\x00",
    "escape": "\x1b[31mAnn",
    "no-break space": "Ann\u00a0Ben",
    "two spaces": "Ann  Ben",
    "nothing": "",
    "spaces": "   ",
    "dots": "...",
    "tags": "Ann\U000e0041",
    "private use": "Ann\ue000",
    "combining": "A" + "\u0301" * 20,
    "emoji": "Ann\U0001f0cf",
    "slash": "Ann/Ben",
    "path": "../../etc",
    "sql": "Ann'; DROP TABLE--;",
    "long": "A" * 25,
    "very long": "A" * 50_000,
    "variation": "Ann\ufe0f",
    "surrogate": "Ann\ud800",
}


@pytest.mark.parametrize("kind", NAMES)
def test_odd_names_are_refused(house: Served, kind: str) -> None:
    body = json.dumps({"name": NAMES[kind]}).encode()
    answer = httpx.post(
        f"{house.url}{API}/guests", content=body, headers={"Content-Type": "application/json"}, timeout=PATIENCE
    )
    refused(answer, 400, 422)
    stays_up(house)


@pytest.mark.parametrize("char", ["\u3164", "\u115f", "\u1160", "\uffa0"])
def test_invisible_letters_are_no_name(house: Served, char: str) -> None:
    refused(httpx.post(f"{house.url}{API}/guests", json={"name": char * 2}, timeout=PATIENCE), 400, 422)


@pytest.mark.parametrize("name", ["José", "Zoë O'Neil", "李小龙", "Анна", "A.-B. c_d", "Øyvind", "محمد", "X Æ 12"])
def test_plain_names_of_the_world_are_welcome(house: Served, name: str) -> None:
    assert house.joined(name)["name"] == name


def test_a_name_that_a_cashier_types_is_text_on_every_page(house: Served) -> None:
    """Names at the cage are free text: markup in them must stay text wherever a page is rendered on the server."""
    house.must(house.staff("cashier").post(f"{API}/cage/buy-in", json={"guest": "<img src=x>", "cents": 100}))
    supervisor = house.token("supervisor")
    for page in ("/", "/floor", "/tables/Baccarat 1", "/login?next=/%3Cimg%20src=x%3E", "/nowhere/<img src=x>"):
        text = httpx.get(
            house.url + page, cookies={"houseway": supervisor}, headers={"Accept": "text/html"}, timeout=PATIENCE
        ).text
        assert "<img src=x>" not in text, page


# Bodies


def test_ten_megabytes_are_refused(house: Served, ann: httpx.Client) -> None:
    huge = b'{"name": "' + b"x" * 10_000_000 + b'"}'
    for path in (f"{API}/guests", f"{API}/session", BET, "/logout", f"{API}/audit", "/nowhere"):
        try:
            answer = ann.post(path, content=huge, headers={"Content-Type": "application/json"})
        except httpx.TransportError:
            continue  # refused before it was all sent, and hung up
        refused(answer, 413)
    stays_up(house)


def test_ten_megabytes_in_chunks_are_refused(house: Served, ann: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"name": "'
        for _ in range(1_000):
            yield b"x" * 10_000

    for path in (f"{API}/guests", BET, "/logout"):
        try:
            answer = ann.post(path, content=chunks(), headers={"Content-Type": "application/json"})
        except httpx.TransportError:
            continue
        refused(answer, 413)
    stays_up(house)


def _raw(house: Served, request: bytes) -> bytes:
    """Bytes as they are, and what comes back."""
    where = urlsplit(house.url)
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=PATIENCE) as connection:
        connection.sendall(request)
        return connection.recv(65_536)


@pytest.mark.parametrize("length", ["-1", "99999999999999999999999999", "abc", ""])
def test_lengths_that_are_none_are_refused(house: Served, length: str) -> None:
    request = f"POST {API}/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    answer = _raw(house, request.encode() + b"{}")
    assert answer.split(b" ")[1] in {b"400", b"413", b"422"}, answer
    stays_up(house)


BEHIND = {
    "bytes": b"\x00\x01\x02\r\n\r\n",
    "a method that is none": b"TIP /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "a broken body": b"POST /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n",
}


@pytest.mark.parametrize("kind", BEHIND)
def test_what_was_carried_out_is_answered_so_whatever_comes_behind_it(house: Served, ann: httpx.Client, kind: str) -> None:
    where, body = urlsplit(house.url), b'{"cents": 1}'
    head = f"POST {API}/tables/Duki%201/tip HTTP/1.1\r\nHost: x\r\nAuthorization: {ann.headers['authorization']}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    told = b""
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + body + BEHIND[kind])
        while some := connection.recv(65_536):  # until it hangs up
            told += some
    assert told.startswith(b"HTTP/1.1 200 ") and told.count(b"HTTP/1.1") == 1 and b'"seq":' in told, told
    stays_up(house)


BROKEN = {
    "nothing": b"",
    "half": b'{"name": "Ann"',
    "no JSON": b"name=Ann",
    "a list": b'["Ann"]',
    "a text": b'"Ann"',
    "null": b"null",
    "not a number": b'{"name": NaN}',
    "infinity": b'{"name": Infinity}',
    "no UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "Ann"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "\\u0000"}',
    "deep lists": b'{"name": ' + b"[" * 15_000 + b"]" * 15_000 + b"}",
    "deep objects": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "deep and open": b"[" * 60_000,
    "a huge number": b'{"name": ' + b"9" * 60_000 + b"}",
    "a number too long for Python": b'{"seat": ' + b"1" * 5_000 + b', "wager": "player", "cents": 100}',
    "a huge power": b'{"name": 1e999999}',
    "keys twice": b'{"name": "<b>", "name": 7}',
    "an unknown field": b'{"name": "Ann", "role": "administrator"}',
    "a prototype": b'{"__proto__": {"role": "administrator"}, "name": 5}',
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("path", [f"{API}/guests", f"{API}/session", BET, f"{API}/tables/Baccarat 1/settle"])
def test_broken_bodies_are_refused(house: Served, ann: httpx.Client, path: str, kind: str) -> None:
    if path.endswith("settle") and kind in BROKEN:
        path = f"{API}/tables/Baccarat 1/close"
    if path.endswith("close") and kind in {"nothing", "null"}:
        return  # nothing is needed there
    answer = ann.post(path, content=BROKEN[kind], headers={"Content-Type": "application/json"})
    refused(answer)
    stays_up(house)


@pytest.mark.parametrize(
    "type_", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "x"]
)
def test_other_kinds_of_content_are_refused(house: Served, ann: httpx.Client, type_: str) -> None:
    """A form of another site can send these without asking: they must not be read as JSON."""
    body = {"seat": 1, "wager": "player", "cents": 500}
    before = house.app.state.house.floor.state
    refused(ann.post(BET, content=json.dumps(body).encode(), headers={"Content-Type": type_}))
    assert house.app.state.house.floor.state == before


HUGE = [2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30, 0, -1, True, 1.5, 1e300, "100", None, [], {}]


@pytest.mark.parametrize("value", HUGE, ids=str)
@pytest.mark.parametrize("field", ["seat", "cents"])
def test_odd_numbers_are_refused(house: Served, ann: httpx.Client, field: str, value: Any) -> None:
    before = house.app.state.house.floor.state
    refused(ann.post(BET, json={"seat": 1, "wager": "player", "cents": 500} | {field: value}))
    assert house.app.state.house.floor.state == before


@pytest.mark.parametrize("value", [0, -1, 2**63 - 1, 2**63, 10**40, "1e3", "x", "٣", "1\x00"])
@pytest.mark.parametrize(
    "path",
    ["/rounds/{}", "/tables/Pai Gow 1/rounds/{}", "/tables/Pai Gow 1/seats/{}/set", "/journal?after={}", "/journal?limit={}"],
)
def test_odd_numbers_in_addresses_are_refused(house: Served, path: str, value: object) -> None:
    auditor = house.staff("auditor")
    answer = auditor.get(f"{API}{path.format(value)}".replace("\x00", "%00"))
    assert answer.status_code < 500, answer.text
    if "journal?after" not in path or value not in {0, 2**63 - 1}:
        refused(answer, 400, 403, 404, 422)


@pytest.mark.parametrize("number", [
    "99999999999999999999",
    "9223372036854775808",
    "٣", "-1", "x", "1 2", "9" * 30, "0",
])  # fmt: skip
def test_odd_last_event_ids_do_not_break_a_stream(house: Served, number: str) -> None:
    headers = {"Last-Event-ID": number.encode()}
    with httpx.stream("GET", f"{house.url}{API}/tables/Pai Gow 1/stream", headers=headers, timeout=PATIENCE) as answer:
        if answer.status_code != 200:
            answer.read()
            refused(answer, 400, 422)
            return
        assert next(line for line in answer.iter_lines() if line.startswith("event:")) in {"event: view", "event: happened"}


NULS = {
    "/guests": {"name": "a\x00b"},
    "/session": {"name": "a\x00b", "password": "c\x00d"},
    "/tables/Baccarat 1/bet": {"seat": 1, "wager": "pl\x00ayer", "cents": 500},
    "/tables/Baccarat 1/tip": {"cents": 500, "guest": "a\x00b"},
    "/tables/a%00b/bet": {"seat": 1, "wager": "player", "cents": 500},
    "/demo/tables/a%00b/ready": {},
}


@pytest.mark.parametrize("path", NULS)
def test_nul_bytes_are_refused(house: Served, ann: httpx.Client, path: str) -> None:
    refused(ann.post(f"{API}{path}", json=NULS[path] or None), 400, 401, 403, 422)
    stays_up(house)


@pytest.mark.parametrize("path", ["/tables/a%00b", "/boards/a%00b", "/editions/a%00b/odds", "/verify/a%00b", "/tables/%ff%fe"])
def test_odd_bytes_in_addresses_are_refused(house: Served, path: str) -> None:
    refused(httpx.get(f"{house.url}{API}{path}", timeout=PATIENCE), 400, 404, 422)


@pytest.mark.parametrize(
    "path", ["../../../etc/passwd", "..%2f..%2f..%2fpyproject.toml", "%2e%2e/app.py", "js/..%2f..%2fapp.py"]
)
def test_no_file_but_the_static_ones_is_served(house: Served, path: str) -> None:
    where = urlsplit(house.url)
    answer = _raw(house, f"GET /static/{path} HTTP/1.1\r\nHost: {where.netloc}\r\nConnection: close\r\n\r\n".encode())
    assert answer.split(b" ")[1] in {b"404", b"400"}, answer[:200]


def test_other_methods_are_refused(house: Served) -> None:
    for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "X" * 200):
        answer = httpx.request(method, f"{house.url}{API}/tables", timeout=PATIENCE)
        assert answer.status_code in {400, 405}, method
    stays_up(house)


# Too often


def _flood(url: str, path: str, count: int, **request: Any) -> Counter[int]:
    """So many requests, as fast as this machine sends them."""
    told: Counter[int] = Counter()

    def send(share: int) -> None:
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            for _ in range(share):
                told[client.request(request.get("method", "GET"), path, json=request.get("json")).status_code] += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(send, [count // 8] * 8))
    return told


def test_a_thousand_requests_a_second_are_slowed_down(tmp_path: Path) -> None:
    """Refused with 429 and when to come back; somebody else is served meanwhile, and so is the client a moment later."""
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key", requests_per_second=5) as house:
        told = _flood(house.url, f"{API}/tables", 1_000)
        assert set(told) == {200, 429}, told
        assert told[429] > 500, told
        answer = httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE)
        assert answer.status_code in {200, 429}
        other = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE)
        assert other.get(f"{house.url}{API}/tables").status_code == 200, "another client is not slowed down"
        until = time.monotonic() + PATIENCE
        while answer.status_code == 429 and time.monotonic() < until:
            assert answer.headers["retry-after"] == "1"
            assert refused(answer, 429)["code"] == "too-many-requests"
            time.sleep(0.1)
            answer = httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE)
        assert answer.status_code == 200


def test_whoever_asks_too_often_is_served_as_often_as_he_may() -> None:
    """All the tablets of a card room may be one client: asking a little too often must not shut them out."""
    ticks = count()
    guard = Guard(lambda *_: None, per_second=50, clock=lambda: next(ticks) / 200)  # type: ignore[arg-type,return-value]
    served = sum(guard._may_ask("tablets") for _ in range(200 * 10))
    assert 50 * 10 <= served <= 50 * 12


@pytest.mark.usefixtures("full_hashes")
def test_a_flood_of_logins_does_not_shut_the_others_out(tmp_path: Path) -> None:
    """Hashing a password is slow on purpose; a client within its limit must not take all the house's time with it.

    However busy the machine is: whoever comes then does not wait until the passwords of those before him are hashed.
    """
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key", requests_per_second=200) as house:
        stop, told = threading.Event(), []

        def log_in() -> None:
            with httpx.Client(base_url=house.url, timeout=PATIENCE) as client:
                while not stop.is_set():
                    told.append(client.post(f"{API}/session", json={"name": "nobody", "password": "wrong" * 5}).status_code)

        crowd = [threading.Thread(target=log_in, daemon=True) for _ in range(60)]
        for one in crowd:
            one.start()
        other = httpx.Client(base_url=house.url, transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE)
        began, before = time.monotonic(), len(told)
        assert other.get(f"{API}/session").status_code == 401
        waited, hashed = time.monotonic() - began, told[before:].count(401)
        stop.set()
        for one in crowd:
            one.join()
    assert waited < 2 or hashed < 20, f"others wait for {waited:.1f} s and {hashed} passwords"


# What must never take the house down


HALF_A_HAND = """
import sys
from pathlib import Path
from fastapi.testclient import TestClient
from houseway.house.floor import Actor
from houseway.web.app import ServeSettings, create_app
folder = Path(sys.argv[1])
app = create_app(ServeSettings(f"sqlite:///{folder / 'h.db'}", folder / "key"))
do, sue = app.state.house.do, Actor("sue", "supervisor")
client = TestClient(app)
client.headers["Authorization"] = "Bearer " + client.post("/api/v1/guests", json={"name": "Ann"}).json()["token"]
client.cookies.clear()
opening = {"edition": "ez-pai-gow-wa", "source": "hand-keyed", "opener_cents": 10**6, "settings": {"keyed": "every-hand"}}
do({"kind": "open", "table": "t", **opening}, sue)
assert client.post("/api/v1/tables/t/bet", json={"seat": 1, "wager": "base", "cents": 500}).status_code == 200
do({"kind": "no-more-bets", "table": "t", "dice": 1}, sue)
for rank in "23456789":
    do({"kind": "card", "table": "t", "cards": f"{rank}c {rank}d {rank}h {rank}s"}, sue)
    for front in ("", "2c 9c"):
        print(client.get("/api/v1/tables/t/seats/1/set", params={"front": front}).status_code, flush=True)
"""


def test_half_a_hand_is_not_set(tmp_path: Path) -> None:
    """A guest asks what the hand comes to while it is dealt by hand. In a process of its own: it may die of it."""
    done = subprocess.run([sys.executable, "-c", HALF_A_HAND, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ended with {done.returncode}"
    assert set(done.stdout.split()) <= {"400", "403"}, done.stdout


@pytest.mark.parametrize("times", [60, pytest.param(300, marks=pytest.mark.deep)])
def test_watchers_who_come_and_go_do_not_disturb_a_command(house: Served, ann: httpx.Client, times: int) -> None:
    """Every accepted command is answered as such, however many streams are opened and closed meanwhile."""
    stop, path = threading.Event(), f"{house.url}{API}/stream"

    def come_and_go() -> None:
        with httpx.Client(timeout=PATIENCE) as client:
            while not stop.is_set():
                with client.stream("GET", path) as answer:
                    next(answer.iter_lines())

    crowd = [threading.Thread(target=come_and_go, daemon=True) for _ in range(12)]
    for one in crowd:
        one.start()
    told: Counter[int] = Counter()
    try:
        for _ in range(times):
            told[ann.post(f"{API}/tables/Baccarat 1/tip", json={"cents": 1}).status_code] += 1
    finally:
        stop.set()
        for one in crowd:
            one.join()
    assert set(told) == {200}, told
