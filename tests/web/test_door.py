"""The door: passwords and lock-out, sessions and their time, cookies, forgery, and what every answer tells a browser."""

import re
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PASSWORD, PATIENCE, Served, serving

from houseway.house.backoff import FREE
from houseway.house.floor import Actor
from houseway.house.people import People
from houseway.refusal import Refused
from houseway.web.people import (
    DOOR,
    GUEST_IDLE_SECONDS,
    LONGEST_SECONDS,
    PASSWORD_MOST,
    Door,
)

API = "/api/v1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("door")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


def log_in(house: Served, name: str, password: str = PASSWORD) -> httpx.Response:
    return httpx.post(f"{house.url}{API}/session", json={"name": name, "password": password}, timeout=PATIENCE)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# Passwords and lock-out


def test_after_three_wrong_passwords_one_waits_and_an_administrator_can_end_the_wait(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = time.time() + 120  # a minute of which no other test has noted failures
    monkeypatch.setattr(house.app.state.door, "clock", lambda: moment)  # however slow the machine is
    house.app.state.door.add("Lena", "dealer", PASSWORD, DOOR)
    for _ in range(FREE):
        assert code(log_in(house, "Lena", "not her password")) == (401, "bad-login")
    answer = log_in(house, "Lena")
    assert code(answer) == (429, "try-later")
    assert "try again in 1 second" in answer.json()["message"] and answer.headers["retry-after"] == "1"
    admin = house.staff("administrator")
    listed = {person["name"]: person for person in admin.get(f"{API}/people").json()["people"]}
    assert listed["Lena"]["failures"] == FREE
    events = [event["event"] for event in admin.get(f"{API}/floor").json()["events"] if event["details"].get("name") == "Lena"]
    assert events[:3] == ["login-failed"] * 3
    house.must(admin.post(f"{API}/people/Lena", json={"unlock": True}))
    assert log_in(house, "Lena").status_code == 200


def test_a_right_password_forgets_the_wrong_ones(house: Served) -> None:
    house.app.state.door.add("Nora", "dealer", PASSWORD, DOOR)
    for _ in range(2):
        for _ in range(FREE - 1):
            assert log_in(house, "Nora", "not her password").status_code == 401
        assert log_in(house, "Nora").status_code == 200


def test_wrong_passwords_at_the_same_time_are_all_counted(house: Served) -> None:
    house.app.state.door.add("Pia", "dealer", PASSWORD, DOOR)
    answers: list[str] = []

    def guess() -> None:
        while (answer := code(log_in(house, "Pia", "not her password"))[1]) == "busy":  # many log in at this moment
            pass
        answers.append(answer)

    crowd = [threading.Thread(target=guess) for _ in range(6)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert answers.count("bad-login") >= FREE
    assert house.app.state.door.backoff.failures("Pia") == answers.count("bad-login"), "what came too early was not looked at"


def test_an_unknown_name_is_told_from_a_wrong_password_by_nothing(house: Served) -> None:
    house.app.state.door.add("Rita", "dealer", PASSWORD, DOOR)
    known, unknown = log_in(house, "Rita", "wrong"), log_in(house, "Nobody at all", "wrong")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())


def test_passwords_are_nowhere_to_be_read(house: Served) -> None:
    admin = house.staff("administrator")
    house.must(admin.post(f"{API}/people", json={"name": "Sara", "role": "dealer", "password": "a secret of mine"}))
    told = admin.get(f"{API}/people").text + admin.get(f"{API}/floor").text + admin.get(f"{API}/journal?limit=500").text
    assert "a secret of mine" not in told
    assert "$argon2" not in told
    kept = house.app.state.door.people.find("Sara").password
    assert kept.startswith("$argon2id$")
    for entry in house.app.state.house.floor.store.entries():
        assert "a secret of mine" not in entry.payload and "$argon2" not in entry.payload


@pytest.mark.parametrize("password", ["", "short", "x" * 9, "x" * (PASSWORD_MOST + 1), "x" * 60_000])
def test_poor_passwords_are_refused(house: Served, password: str) -> None:
    body = {"name": "Tess", "role": "dealer", "password": password}
    assert house.staff("administrator").post(f"{API}/people", json=body).status_code in {400, 422}
    assert house.app.state.door.people.find("Tess") is None


def test_a_new_role_or_password_ends_the_sessions(house: Served) -> None:
    house.app.state.door.add("Vera", "supervisor", PASSWORD, DOOR)
    admin = house.staff("administrator")
    for change in ({"role": "cashier"}, {"password": "another-password"}):
        password = PASSWORD
        client = house.anybody(Authorization=f"Bearer {log_in(house, 'Vera', password).json()['token']}")
        assert client.get(f"{API}/session").status_code == 200
        house.must(admin.post(f"{API}/people/Vera", json=change))
        assert client.get(f"{API}/session").status_code == 401
    assert log_in(house, "Vera").status_code == 401
    assert log_in(house, "Vera", "another-password").json()["role"] == "cashier"


def test_an_administrator_cannot_change_his_own_role(house: Served) -> None:
    admin = house.staff("administrator")
    assert admin.post(f"{API}/people/test administrator", json={"role": "guest"}).status_code == 400
    assert admin.get(f"{API}/people").status_code == 200


# Sessions and their time


class Clock:
    """Seconds that pass when we say so."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def timed(house: Served) -> Iterator[tuple[Door, Clock]]:
    clock = Clock()
    yield Door(People(house.app.state.house.floor.store), house.app.state.house, clock), clock


def test_a_session_of_a_guest_ends_when_nobody_uses_it(timed: tuple[Door, Clock]) -> None:
    (door, clock), idle = timed, GUEST_IDLE_SECONDS
    token, _ = door.join("Idle guest")
    for _ in range(3):
        clock.now += idle - 5
        if clock.now - 1_700_000_000 > LONGEST_SECONDS:
            break
        assert door.who(token), "used in time"
    clock.now += idle + 61
    assert door.who(token) is None
    clock.now -= idle
    assert door.who(token) is None, "ended is ended"


def test_no_session_lasts_longer_than_a_shift(timed: tuple[Door, Clock]) -> None:
    door, clock = timed
    door.add("Long shift", "dealer", PASSWORD, DOOR)
    token, _ = door.log_in("Long shift", PASSWORD)
    began = clock.now
    while clock.now - began <= LONGEST_SECONDS - 600:
        clock.now += 600
        assert door.who(token), clock.now - began
    clock.now = began + LONGEST_SECONDS + 1
    assert door.who(token) is None


def test_of_a_token_only_its_digest_is_kept(house: Served) -> None:
    token = house.joined("Digested")["token"]
    store = house.app.state.house.floor.store
    assert People(store).sessions_of([token]) == [None]
    assert len(token) >= 40


@pytest.mark.parametrize("how", ["logged out", "role changed"])
def test_a_stream_ends_with_its_session(house: Served, how: str) -> None:
    """Whoever has logged out, or is no dealer any more, is told no more keyed cards."""
    name = f"Goes {how}"
    house.app.state.door.add(name, "dealer", PASSWORD, DOOR)
    client = house.anybody(Authorization=f"Bearer {log_in(house, name).json()['token']}")
    house.open_table(how, "duki-4-wa", "hand-keyed")
    dealer, guest = house.staff("dealer"), house.guest(how)
    house.must(guest.post(f"{API}/tables/{how}/bet", json={"seat": 1, "wager": "ante", "cents": 500}))
    house.must(dealer.post(f"{API}/tables/{how}/no-more-bets"))
    with client.stream("GET", f"{API}/tables/{how}/stream") as answer:
        lines = answer.iter_lines()
        assert next(line for line in lines if line.startswith("data:"))
        if how == "logged out":
            house.must(httpx.delete(f"{house.url}{API}/session", headers=client.headers, timeout=PATIENCE))
        else:
            house.must(house.staff("administrator").post(f"{API}/people/{name}", json={"role": "guest"}))
        house.must(dealer.post(f"{API}/tables/{how}/card", json={"cards": "Kd 9c"}))
        told = next((line for line in lines if line.startswith("data:")), "")
    assert "Kd" not in told, "a hidden card was told to somebody whose session has ended"


# Forgery

BROWSERS = count(1)


@pytest.fixture
def browser(house: Served) -> Iterator[httpx.Client]:
    """A browser with its cookie, and no bearer."""
    with httpx.Client(base_url=house.url, timeout=PATIENCE) as client:
        answer = client.post(f"{API}/guests", json={"name": f"Browser {next(BROWSERS)}"})
        client.headers["X-CSRF-of-the-test"] = answer.json()["csrf"]
        yield client


BET = {"seat": 7, "wager": "player", "cents": 500}


def test_a_cookie_alone_changes_nothing(house: Served, browser: httpx.Client) -> None:
    csrf, path = browser.headers["X-CSRF-of-the-test"], f"{API}/tables/Baccarat 1"
    before = house.app.state.house.floor.state
    for headers in ({}, {"X-CSRF": ""}, {"X-CSRF": "x"}, {"X-CSRF": csrf[:-1]}, {"X-CSRF": csrf + "x"}):
        assert code(browser.post(f"{path}/bet", json=BET, headers=headers)) == (403, "bad-csrf")
        assert code(browser.post(f"{API}/demo/chips", headers=headers)) == (403, "bad-csrf")
        assert code(browser.delete(f"{API}/session", headers=headers)) == (403, "bad-csrf")
    assert house.app.state.house.floor.state == before
    assert browser.get(f"{API}/session").status_code == 200, "reading needs no proof"
    house.must(browser.post(f"{path}/bet", json=BET, headers={"X-CSRF": csrf}))
    house.must(browser.post(f"{path}/withdraw", json={"seat": 7, "wager": "player"}, headers={"X-CSRF": csrf}))


def test_the_proof_of_another_session_is_none(house: Served, browser: httpx.Client) -> None:
    other = house.joined("Other proof")["csrf"]
    answer = browser.post(f"{API}/tables/Baccarat 1/bet", json=BET, headers={"X-CSRF": other})
    assert code(answer) == (403, "bad-csrf")


def test_odd_proofs_are_refused(house: Served, browser: httpx.Client) -> None:
    for given in ("é", "\x80\xff", "x" * 10_000):
        answer = browser.post(f"{API}/demo/chips", headers={"X-CSRF": given.encode("latin-1", "replace")})
        assert answer.status_code in {400, 403, 422}, answer.text


@pytest.mark.parametrize("header", ["Basic dXNlcjpwYXNz", "Negotiate x", "x"])
def test_only_a_bearer_does_without_the_proof(house: Served, browser: httpx.Client, header: str) -> None:
    """A browser sends Basic credentials by itself, with a forged request too."""
    answer = browser.post(f"{API}/tables/Baccarat 1/tip", json={"cents": 5}, headers={"Authorization": header})
    assert answer.status_code in {401, 403}, answer.text


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_another_site_cannot_log_a_browser_in(house: Served, site: str) -> None:
    headers = {"Sec-Fetch-Site": site}
    house.token("dealer")
    body = {"name": "test dealer", "password": PASSWORD}
    for answer in (
        httpx.post(f"{house.url}{API}/session", json=body, headers=headers, timeout=PATIENCE),
        httpx.post(f"{house.url}{API}/guests", json={"name": "Forged"}, headers=headers, timeout=PATIENCE),
    ):
        assert code(answer) == (403, "bad-csrf")
        assert "set-cookie" not in answer.headers


def test_leaving_by_the_form_needs_the_proof(house: Served, browser: httpx.Client) -> None:
    csrf = browser.headers["X-CSRF-of-the-test"]
    assert browser.post("/logout", data={"csrf": "x"}).status_code == 403
    assert browser.get(f"{API}/session").status_code == 200
    answer = browser.post("/logout", data={"csrf": csrf})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.get(f"{API}/session").status_code == 401


# Cookies and headers


def test_the_cookie_is_for_the_server_alone(house: Served) -> None:
    answer = httpx.post(f"{house.url}{API}/guests", json={"name": "Cookie"}, timeout=PATIENCE)
    flags = {
        part.strip().partition("=")[0].lower(): part.strip().partition("=")[2]
        for part in answer.headers["set-cookie"].split(";")
    }
    assert flags["houseway"] == answer.json()["token"]
    assert "httponly" in flags
    assert flags["samesite"].lower() in {"lax", "strict"}
    assert flags["path"] == "/"
    assert "domain" not in flags


def test_behind_https_the_cookie_is_secure(tmp_path: Path) -> None:
    """A proxy that ends TLS, and that the house knows, says so."""
    headers = {"X-Forwarded-Proto": "https"}
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key", proxies=("127.0.0.1",)) as behind:
        answer = httpx.post(f"{behind.url}{API}/guests", json={"name": "Secure cookie"}, headers=headers, timeout=PATIENCE)
    assert re.search(r";\s*secure", answer.headers["set-cookie"], re.IGNORECASE), answer.headers["set-cookie"]


ANSWERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a page": ("GET", "/", {}),
    "a page that is not there": ("GET", "/nowhere", {"headers": {"Accept": "text/html"}}),
    "a page that is not for all": ("GET", "/floor", {}),
    "an answer": ("GET", f"{API}/tables", {}),
    "the document": ("GET", f"{API}/openapi.json", {}),
    "a refusal": ("POST", f"{API}/cage/fund", {"json": {"cents": 1}}),
    "not as described": ("POST", f"{API}/guests", {"json": {}}),
    "not there": ("GET", f"{API}/nowhere", {}),
    "not so": ("PUT", f"{API}/tables", {}),
    "a file": ("GET", "/static/css/house.css", {}),
    "no file": ("GET", "/static/css/none.css", {}),
    "too large": ("POST", f"{API}/guests", {"content": b"x" * 70_000}),
    "a stream": ("GET", f"{API}/stream", {}),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_answer_tells_the_browser_what_not_to_do(house: Served, kind: str) -> None:
    method, path, request = ANSWERS[kind]
    with httpx.stream(method, house.url + path, **request, timeout=PATIENCE) as answer:
        headers = answer.headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    for source in ("default-src", "script-src", "style-src", "connect-src"):
        assert policy[source] == "'self'", f"{source}: no inline, no other host"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] in {"same-origin", "no-referrer"}
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static/") and kind == "a file" else "no-store")


def test_no_other_origin_is_allowed_to_read(house: Served) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    answer = httpx.options(f"{house.url}{API}/tables", headers=headers, timeout=PATIENCE)
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("next_", ["//elsewhere.example/x", "https://elsewhere.example", "javascript:alert(1)", "/\\elsewhere"])
def test_the_way_back_after_a_login_is_not_written_into_the_page(house: Served, next_: str) -> None:
    text = httpx.get(f"{house.url}/login", params={"next": next_}, timeout=PATIENCE).text
    assert next_ not in text or "href" not in text[max(text.find(next_) - 20, 0) : text.find(next_)]


def test_without_a_demo_nobody_gets_in_by_a_name(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key", demo=False) as house:
        assert code(httpx.post(f"{house.url}{API}/guests", json={"name": "Ann"}, timeout=PATIENCE)) == (400, "no-demo")
        guest = house.staff("guest", "Member")
        assert code(guest.post(f"{API}/demo/chips")) == (400, "no-demo")
        session = guest.get(f"{API}/session").json()
        assert (session["name"], session["role"], session["balance_cents"]) == ("Member", "guest", 0)


def test_the_first_accounts_are_made_once(tmp_path: Path) -> None:
    store, key = f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key"
    with serving(store, key) as house:
        first = dict(house.app.state.first_accounts)
        assert set(first) == {"admin", "dealer", "floor", "cashier", "auditor", "security", "accounting", "host"}
        assert all(len(password) >= 16 for password in first.values())
        assert log_in(house, "admin", first["admin"]).json()["role"] == "administrator"
    with serving(store, key) as again:
        assert again.app.state.first_accounts == {}


def test_nobody_is_added_twice(house: Served) -> None:
    door = house.app.state.door
    door.add("Twice", "dealer", PASSWORD, DOOR)
    with pytest.raises(Refused, match="Twice"):
        door.add("Twice", "administrator", PASSWORD, Actor("admin", "administrator"))
    assert door.people.find("Twice").role == "dealer"
