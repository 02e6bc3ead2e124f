"""Every route for every role, written out; and one guest can never act for another."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from houses import PATIENCE, Served, serving

from houseway.table.commands import live_commands

ROLES = ("anybody", "guest", "dealer", "supervisor", "cashier", "security", "accounting", "host", "auditor", "administrator")
ALL = frozenset(ROLES)
SOMEBODY = ALL - {"anybody"}
STAFF = SOMEBODY - {"guest"}
GUEST, DEALER, FLOOR, CAGE, ADMIN = "guest", "dealer", "supervisor", "cashier", "administrator"
HOSTS = {"host", FLOOR, CAGE, ADMIN}
SEATED = {"seat": 1, "guest": "Somebody"}
CENTS = {"cents": 100}
PIECES = {"pieces": {"500": 1}}
OPENING = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 100}

AT_TABLE: dict[str, tuple[set[str], dict[str, Any]]] = {
    # The guests play; the dealer or the floor may do it for them at a table without screens.
    "bet": ({GUEST, DEALER, FLOOR}, SEATED | CENTS | {"wager": "player"}),
    "withdraw": ({GUEST, DEALER, FLOOR}, SEATED | {"wager": "player"}),
    "decide": ({GUEST, DEALER, FLOOR}, SEATED | {"choice": "play"}),
    "bets": ({GUEST, DEALER, FLOOR}, SEATED | {"bets": [["banker", 500]]}),
    "sit": ({GUEST, DEALER, FLOOR}, SEATED),
    "leave": ({GUEST, DEALER, FLOOR}, SEATED),
    "bank": ({GUEST, DEALER, FLOOR}, SEATED | CENTS),
    "pass": ({GUEST, DEALER, FLOOR}, SEATED),
    "tip": ({GUEST, DEALER}, CENTS | {"guest": "Somebody"}),
    "ready": ({GUEST, DEALER, FLOOR}, SEATED),
    "seed": ({GUEST}, {"seed": "a" * 64}),
    # The dealer deals and pays.
    "no-more-bets": ({DEALER, FLOOR}, {}),
    "deal": ({DEALER, FLOOR}, {}),
    "card": ({DEALER, FLOOR}, {"cards": "Kd"}),
    "result": ({DEALER, FLOOR}, {"result": "banker"}),
    "new-shoe": ({DEALER, FLOOR}, {}),
    "mix": ({DEALER, FLOOR}, {}),
    "marker": ({DEALER, FLOOR}, {"seat": 1}),
    "correct-card": ({DEALER, FLOOR}, {"place": 1, "card": "Kd", "reason": "wrong"}),
    "settle": ({DEALER, FLOOR}, {}),
    "time-out": ({DEALER, FLOOR}, {"seat": 1}),
    "offer": ({DEALER, FLOOR}, {}),
    "dispute": ({DEALER, FLOOR}, {"reason": "a question"}),
    "sign-on": ({DEALER, FLOOR}, {}),
    "sign-off": ({DEALER, FLOOR}, {}),
    "table-buy-in": ({DEALER, FLOOR}, CENTS | {"guest": "Somebody"}),
    "closer": ({DEALER, CAGE, FLOOR}, CENTS),
    # Only a supervisor decides about money that was, or will not be, paid.
    "acknowledge": ({FLOOR}, {}),
    "resolve": ({FLOOR}, {"reason": "answered"}),
    "void": ({FLOOR}, {"reason": "misdeal"}),
    "check-cards": ({FLOOR}, {}),
    "lost-shoe": ({FLOOR}, {"witness": "Tom", "reason": "the seal is gone"}),
    "correct": ({FLOOR}, {"reason": "wrong", "round": 1}),
    "rekey": ({DEALER, FLOOR}, {"cards": "Kd", "reason": "wrong"}),
    "swap-cards": ({DEALER, FLOOR}, {"place": 1, "other_place": 2, "reason": "wrong"}),
    "replace-card": ({FLOOR}, {"place": 1, "card": "Kd", "reason": "wrong"}),
    "undo": ({DEALER, FLOOR}, {"seat": 1, "reason": "wrong"}),
    "change-bet": ({FLOOR}, {"seat": 1, "wager": "banker", "stake_cents": 500, "reason": "wrong"}),
    # The cage moves chips; nobody who deals does.
    "fill": ({CAGE, FLOOR}, CENTS),
    "credit": ({CAGE, FLOOR}, CENTS),
    "drop": ({CAGE, FLOOR}, {}),
    # Slips: each step is one role's, which the slip itself says.
    "request-fill": ({FLOOR}, PIECES),
    "request-credit": ({FLOOR}, PIECES),
    "count-tray": ({DEALER, FLOOR}, PIECES),
    "pull-box": ({"security"}, {}),
    "tray-par": ({FLOOR, ADMIN}, PIECES),
    "colour": ({DEALER, FLOOR}, PIECES | {"guest": "Somebody"}),
    "close": ({FLOOR, ADMIN}, {}),
    # The host seats guests; a supervisor says which tables are his.
    "reserve": ({"host", FLOOR}, SEATED | {"hold_minutes": 5}),
    "release": ({"host", FLOOR}, {"seat": 1}),
    "supervise": ({FLOOR}, {}),
    "unsupervise": ({FLOOR}, {}),
}
TOO_LONG = "x" * 201
"""A password that is not even looked at: wrong ones would make the others wait."""
ELSEWHERE: dict[str, tuple[frozenset[str] | set[str], dict[str, Any]]] = {
    "POST /tables": ({FLOOR, ADMIN}, OPENING | {"table": "", "edition": "none"}),
    "POST /cage/fund": ({ADMIN}, {"cents": -1}),
    # Who may be a second person is said by each request; no guest is one.
    "POST /requests/confirm": (STAFF, {"request": 999_999}),
    "POST /requests/decline": (STAFF, {"request": 999_999, "reason": "none"}),
    "POST /duties": ({ADMIN}, {"names": "three"}),
    "POST /house/rules": ({ADMIN}, {"rule": "nonsense", "value": "1"}),
    # Who may not play is said by those who know guests, or by a guest of himself; it is ended by the floor, and by two.
    "POST /guests/exclude": ({*HOSTS, GUEST}, {"guest": "Somebody", "ground": "whim"}),
    "POST /guests/readmit": ({FLOOR, ADMIN}, {"guest": "Somebody"}),
    "POST /waitlist": ({"host", FLOOR, GUEST}, {"edition": "none"}),
    "POST /waitlist/call": ({"host", FLOOR}, {"wait": 999, "table": "nowhere"}),
    "POST /waitlist/seat": ({"host", FLOOR}, {"wait": 999}),
    "POST /waitlist/leave": ({"host", FLOOR, GUEST}, {"wait": 999}),
    "POST /staff/break": ({DEALER, FLOOR, CAGE, "security"}, {"reason": ""}),
    "POST /staff/back": ({DEALER, FLOOR, CAGE, "security"}, {}),
    "GET /host": ({"host", FLOOR, ADMIN}, {}),
    "GET /rotation": ({FLOOR, ADMIN}, {}),
    "POST /patrons": (HOSTS, {"name": ""}),
    "POST /patrons/find": (HOSTS, {"text": "x"}),
    "POST /patrons/purge": ({ADMIN}, {}),
    "POST /patrons/{number}": (HOSTS, {"notes": "none"}),
    "POST /patrons/{number}/look": (HOSTS, {}),
    "POST /patrons/{number}/accounts": (HOSTS, {"guest": "Somebody"}),
    "POST /patrons/{number}/identified": (HOSTS, {}),
    "POST /slips/sign": ({FLOOR, CAGE, "security", DEALER, "accounting"}, {"slip": "fill-1"}),
    "POST /slips/void": ({FLOOR, CAGE}, {"slip": "fill-1", "reason": "wrong"}),
    "POST /notices/sent": ({FLOOR, "accounting", ADMIN}, {"notice": 1, "reason": "by telephone"}),
    "GET /slips": (STAFF, {}),
    "GET /slips/{slip}": (STAFF, {}),
    "POST /cage/chips-in": ({ADMIN}, {"pieces": {}}),
    "POST /cage/chips-out": ({ADMIN}, {"pieces": {}}),
    "POST /cage/buy-in": ({CAGE, FLOOR}, {"guest": "Somebody", "cents": -1}),
    "POST /cage/collect": ({CAGE, DEALER, FLOOR}, {"guest": "Somebody", "cents": -1}),
    "POST /cage/cash-out": ({CAGE, FLOOR}, {"guest": "Somebody", "cents": -1}),
    "POST /boards": ({FLOOR, ADMIN}, {"board": "x", "edition": "none"}),
    "POST /boards/{board}/hand": ({DEALER, FLOOR}, {"hand": "B"}),
    "POST /boards/{board}/undo": ({DEALER, FLOOR}, {}),
    "POST /boards/{board}/new-shoe": ({DEALER, FLOOR}, {}),
    "GET /tables": (ALL, {}),
    "GET /tables/{table}": (ALL, {}),
    "GET /tables/{table}/stream": (ALL, {}),
    "GET /tables/{table}/rounds/{number}": (STAFF, {}),
    "GET /tables/{table}/seats/{seat}/set": (ALL, {}),
    "GET /stream": (ALL, {}),
    "GET /boards": (ALL, {}),
    "GET /boards/{board}": (ALL, {}),
    "GET /boards/{board}/stream": (ALL, {}),
    "GET /wall/stream": (ALL, {}),
    "GET /rounds/{seq}": (ALL, {}),
    "GET /rounds/{seq}/odds": (SOMEBODY, {}),
    "GET /heads": (ALL, {}),
    "GET /heads/latest": (ALL, {}),
    "GET /editions": (ALL, {}),
    "GET /editions/{id}/odds": (ALL, {}),
    "GET /editions/{id}/odds.csv": (ALL, {}),
    "GET /editions/{id}/decks": (ALL, {}),
    "GET /editions/{id}/edge": (ALL, {}),
    "GET /editions/{id}/hand": (ALL, {}),
    "GET /editions/{id}/best": (ALL, {}),
    "GET /editions/{id}/gone": (ALL, {}),
    "POST /editions/{id}/best/stream": (ALL, {"hand": "As"}),
    "POST /editions/{id}/strategy/stream": (ALL, {}),
    "POST /editions/{id}/odds/stream": (ALL, {"wager": "none"}),
    "GET /editions/{id}/solve": (ALL, {}),
    "POST /editions/{id}/solve/command": (ALL, {}),
    "POST /editions/{id}/solve/stream": (ALL, {}),
    "GET /editions/{id}/simulate": (ALL, {}),
    "POST /editions/{id}/simulate/command": (ALL, {"rounds": 1}),
    "POST /editions/{id}/simulate/stream": (ALL, {"rounds": 1}),
    "GET /editions/{id}/protect": (ALL, {}),
    "POST /editions/{id}/protect/command": (ALL, {"wager": "none"}),
    "POST /editions/{id}/protect/stream": (ALL, {"wager": "none"}),
    "GET /editions/{id}/reports": (ALL, {}),
    "POST /editions/{id}/reports/{kind}/stream": (ALL, {"paper": "none"}),
    "POST /reports/verify/stream": (ALL, {}),
    "POST /reports/{kind}/stream": ({"auditor", FLOOR, ADMIN}, {"paper": "none"}),
    "GET /editions/{id}/design": (ALL, {}),
    "POST /editions/{id}/design/command": (ALL, {"wager": ["none"], "edge": "7%"}),
    "POST /editions/{id}/design/stream": (ALL, {"wager": ["none"], "edge": "7%"}),
    "GET /verify/{edition}": (ALL, {}),
    "GET /train": (ALL, {}),
    "GET /train/courses": (ALL, {}),
    "GET /train/courses/{id}": (ALL, {}),
    "POST /train/courses": ({FLOOR, ADMIN}, {"text": "no course"}),
    "DELETE /train/courses/{id}": ({FLOOR, ADMIN}, {}),
    # An examination needs an account: a guest of the demo has none. Whose it is, is said by the examination.
    "GET /train/exams": (SOMEBODY, {}),
    "POST /train/exams": (SOMEBODY, {"course": "none"}),
    "GET /train/exams/{number}": (SOMEBODY, {}),
    "GET /train/exams/{number}/exercises/{place}": (SOMEBODY, {}),
    "POST /train/exams/{number}/exercises/{place}": (SOMEBODY, {"answer": {}}),
    "POST /train/exams/{number}/hand-in": (SOMEBODY, {}),
    "GET /train/exams/{number}/explained/{place}": (SOMEBODY, {}),
    "GET /train/exams/{number}/certificate.pdf": (SOMEBODY, {}),
    "GET /train/rounds": (SOMEBODY, {}),
    "GET /train/rounds/{seq}": (SOMEBODY, {}),
    "POST /train/rounds/{seq}": (SOMEBODY, {"answer": {}}),
    "POST /train/certificates/verify": (STAFF, {}),
    "POST /train/practice": (SOMEBODY, {"edition": "none"}),
    "GET /train/practice": (SOMEBODY, {}),
    "DELETE /train/practice": (SOMEBODY, {}),
    "POST /train/practice/pay": (SOMEBODY, {"answer": {}}),
    "POST /train/practice/next": (SOMEBODY, {}),
    "GET /train/practice/tables/{table}/stream": (SOMEBODY, {}),
    "POST /train/practice/tables/{table}/{kind}": (SOMEBODY, {}),
    "POST /train/progress": (ALL, {"edition": "none", "progress": {}}),
    "POST /train/skills": (ALL, {"edition": "none"}),
    "POST /train/next": (ALL, {"edition": "none"}),
    "POST /train/exercise": (ALL, {"edition": "none", "kind": "none", "number": 0}),
    "POST /train/answer": (ALL, {"edition": "none", "kind": "none", "number": 0, "answer": {}, "seconds": 0}),
    "POST /guests": (ALL, {"name": "<>"}),
    "POST /session": (ALL, {"name": "nobody", "password": "not a password"}),
    "GET /session": (SOMEBODY, {}),
    "DELETE /session": (SOMEBODY, {}),
    "POST /demo/tables/{table}/ready": (SOMEBODY, {}),
    "POST /demo/chips": ({GUEST}, {}),
    "GET /floor": (STAFF, {}),
    "GET /alerts": (STAFF, {}),
    "POST /alerts/seen": (STAFF, {"alert": "may-not-play", "entry": 1}),
    "GET /journal": ({"auditor", FLOOR, ADMIN}, {}),
    "POST /audit": ({"auditor", FLOOR, ADMIN}, {}),
    "GET /own-editions": (STAFF, {}),
    "POST /own-editions": ({FLOOR, ADMIN}, {"text": "no edition"}),
    "POST /own-editions/check": ({FLOOR, ADMIN}, {"text": "no edition"}),
    "DELETE /own-editions/{id}": ({FLOOR, ADMIN}, {}),
    "GET /people": ({ADMIN}, {}),
    "POST /people": ({ADMIN}, {"name": "<>", "role": "dealer", "password": "long enough"}),
    "POST /people/{name}": ({ADMIN}, {"unlock": True}),
    "DELETE /people/{name}": ({ADMIN}, {}),
    "POST /people/{name}/reset": ({ADMIN}, {}),
    "POST /account-rules": ({ADMIN}, {"second_factor": "never"}),
    "GET /sessions": ({ADMIN}, {}),
    "DELETE /sessions/{id}": (SOMEBODY, {}),
    "GET /account": (SOMEBODY, {}),
    "POST /account/password": (SOMEBODY, {"password": TOO_LONG, "new_password": "short"}),
    "POST /account/second-factor": (SOMEBODY, {"password": TOO_LONG}),
    "POST /account/second-factor/confirm": (SOMEBODY, {"code": "000000"}),
    "POST /account/second-factor/remove": (SOMEBODY, {"password": TOO_LONG}),
    "POST /session/input": (SOMEBODY, {}),
    "POST /session/lock": (STAFF, {}),
    "POST /session/unlock": (SOMEBODY, {"password": TOO_LONG}),
}
ENDING = {"DELETE /session", "POST /session/lock"}
"""Tried by themselves: the session is worth nothing afterwards."""
MATRIX = {f"POST /tables/{{table}}/{kind}": row for kind, row in AT_TABLE.items()} | ELSEWHERE
PAGES: dict[str, frozenset[str] | set[str]] = {
    "/": ALL,
    "/tables/{table}": ALL,
    "/board/{table}": ALL,
    "/wall": ALL,
    "/rounds/1": ALL,
    "/editions/ez-baccarat-wa": ALL,
    "/login": ALL,
    "/proof": ALL,
    "/account": SOMEBODY,
    "/lab": ALL,
    "/lab/ez-baccarat-wa/hand": ALL,
    "/lab/ez-baccarat-wa/strategy": ALL,
    "/lab/ez-baccarat-wa/solve": ALL,
    "/lab/ez-baccarat-wa/simulate": ALL,
    "/lab/ez-baccarat-wa/protect": ALL,
    "/lab/ez-baccarat-wa/reports": ALL,
    "/reports/verify": ALL,
    "/reports/style.css": ALL,
    "/reports/audit": {"auditor", FLOOR, ADMIN},
    "/lab/ez-baccarat-wa/design": ALL,
    "/verify": ALL,
    "/train": ALL,
    "/train/ez-baccarat-wa": ALL,
    "/train/course/dealer-ez-baccarat-wa": ALL,
    "/train/exam/1": SOMEBODY,
    "/train/round/1": SOMEBODY,
    "/train/table/ez-baccarat-wa": SOMEBODY,
    "/train/house/results": {FLOOR, ADMIN},
    "/train/house/verify": STAFF,
    "/dealer/{table}": {DEALER, FLOOR},
    "/floor": STAFF,
    "/floor/editions": {FLOOR, ADMIN},
    "/patrons": HOSTS,
    "/host": {"host", FLOOR, ADMIN},
    "/rotation": {FLOOR, ADMIN},
    "/slips": STAFF,
    "/slips/fill-1": STAFF,
}
OPEN_TABLE = "Baccarat 1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("roles")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        yield made


@pytest.fixture(scope="module")
def tokens(house: Served) -> dict[str, str]:
    staff = {role: house.token(role) for role in ROLES[2:]}
    return {"anybody": "", "guest": house.joined("Guest of all")["token"]} | staff


def ask(house: Served, token: str, route: str, body: dict[str, Any], table: str) -> httpx.Response:
    """One request; of a stream only the beginning."""
    method, _, path = route.partition(" ")
    names = {"table": table, "board": table, "seat": 1, "seq": 1, "id": "no-such-edition", "edition": "none", "name": "nobody"}
    names |= {"number": 1, "kind": "audit", "slip": "fill-1", "place": 1}
    url = f"{house.url}/api/v1{path.format(**names)}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with httpx.stream(method, url, json=body or None, headers=headers, timeout=PATIENCE) as answer:
        if not answer.headers["content-type"].startswith("text/event-stream"):
            answer.read()
        return answer


FORBIDDEN = {"role-may-not", "not-your-money", "not-your-seat", "bad-csrf", "account-needed"}


def is_let_in(answer: httpx.Response) -> bool:
    """Whether a request was answered by what it asked for, and not by the door."""
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        return answer.status_code == 200
    code = answer.json().get("code", "") if answer.status_code >= 400 else ""
    assert (answer.status_code == 403) == (code in FORBIDDEN), answer.text
    assert (answer.status_code == 401) == (code in {"not-logged-in", "bad-login", "bad-code"}), answer.text
    return code not in {"role-may-not", "not-logged-in"}


def test_the_matrix_knows_every_route(house: Served) -> None:
    document = httpx.get(f"{house.url}/api/v1/openapi.json", timeout=PATIENCE).json()
    routes = {
        f"{method.upper()} {path.removeprefix('/api/v1')}" for path, methods in document["paths"].items() for method in methods
    }
    assert routes == set(MATRIX)


def paths_of(routes: Any) -> Iterator[tuple[str, set[str]]]:
    for route in routes:
        inner = getattr(getattr(route, "router", None), "routes", None) or getattr(
            getattr(route, "original_router", None), "routes", None
        )
        if inner:
            yield from paths_of(inner)
        elif hasattr(route, "path"):
            yield route.path, set(getattr(route, "methods", None) or ())


def test_no_route_is_hidden_from_the_matrix(house: Served) -> None:
    """Whatever answers under the API is in its description, by every method, and so in the matrix."""
    described = {f"{method.upper()} {path}" for path, methods in house.app.openapi()["paths"].items() for method in methods}
    answering = {
        f"{method} {path}"
        for path, methods in paths_of(house.app.routes)
        if path.startswith("/api/")
        for method in methods - {"HEAD", "OPTIONS"}
    }
    assert answering - described == {"GET /api/v1/openapi.json"}


def test_the_matrix_knows_every_page(house: Served) -> None:
    """Whatever is served outside the API is a page of the matrix, each by its whole path, the way out, or a file."""
    found = {path for path, _ in paths_of(house.app.routes) if not path.startswith("/api/")}
    pages = [page.format(table="a table") for page in PAGES]
    unknown = {path for path in found if not any(shape_of(path).fullmatch(page) for page in pages)}
    assert unknown <= NO_PAGES, unknown - NO_PAGES


NO_PAGES = {"/static", "/docs", "/logout", "/healthz", "/readyz", "/metrics", "/wall/worker.js", "/wall/manifest.webmanifest"}
"""Files, the way out, what those who keep the house running ask (`test_operations`), and what a browser installs."""


def shape_of(path: str) -> re.Pattern[str]:
    """The addresses that a route answers at."""
    return re.compile("".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", path)))


@pytest.mark.parametrize("route", [route for route in MATRIX if route not in ENDING])
def test_every_route_for_every_role(house: Served, tokens: dict[str, str], route: str) -> None:
    roles, body = MATRIX[route]
    state = house.app.state.house.floor.state
    for role in ROLES:
        answer = ask(house, tokens[role], route, body, "nowhere" if route.startswith("POST") else OPEN_TABLE)
        assert answer.status_code < 500, f"{role}: {answer.status_code}"
        assert is_let_in(answer) == (role in roles), f"{route} as {role}: {answer.status_code}"
    assert house.app.state.house.floor.state == state, "nobody changed anything"


def test_logging_out_is_for_whoever_is_in(house: Served) -> None:
    for role in ROLES:
        token = {"anybody": "", "guest": ""}.get(role)
        token = house.joined("Goes soon")["token"] if role == "guest" else house.token(role) if token is None else token
        answer = ask(house, token, "DELETE /session", {}, "")
        assert answer.status_code == (204 if role in MATRIX["DELETE /session"][0] else 401)
        assert ask(house, token, "GET /session", {}, "").status_code == 401, "the token is worth nothing now"


def test_locking_the_screen_is_for_the_staff(house: Served) -> None:
    for role in ROLES[1:]:
        token = house.joined("Locks nothing")["token"] if role == "guest" else house.token(role)
        answer = ask(house, token, "POST /session/lock", {}, "")
        assert answer.status_code == (204 if role in MATRIX["POST /session/lock"][0] else 403)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_for_every_role(house: Served, tokens: dict[str, str], page: str) -> None:
    for role in ROLES:
        cookies = {"houseway": tokens[role]} if tokens[role] else {}
        url = house.url + page.format(table=OPEN_TABLE)
        answer = httpx.get(url, cookies=cookies, headers={"Accept": "text/html"}, timeout=PATIENCE)
        if role in PAGES[page]:
            assert answer.status_code == 200, f"{page} as {role}: {answer.status_code} {answer.text[:300]}"
        elif role == "anybody":
            assert answer.status_code == 303
            assert answer.headers["location"].startswith("/login"), answer.headers
        else:
            assert answer.status_code == 403
            assert "text/html" in answer.headers["content-type"]


def test_the_table_agrees_with_the_matrix() -> None:
    """What the rulebook of the floor allows is what is written here, and nothing is allowed beside it."""
    for kind, declaration in live_commands().items():
        assert set(declaration.roles) == set(MATRIX[f"POST {declaration.path}"][0]), kind


def test_no_token_of_an_odd_shape_is_somebody(house: Served) -> None:
    for token in ("x", "x" * 99, "x" * 5_000, "é", "' OR 1=1 --", "null", "0"):
        headers = {"Authorization": f"Bearer {token}".encode()}
        for sent in (headers, {"Cookie": f"houseway={token}".encode()}):
            assert httpx.get(f"{house.url}/api/v1/session", headers=sent, timeout=PATIENCE).status_code == 401


# One guest for another


FOR_ANOTHER = {
    "sit": {"seat": 5},
    "bet": {"seat": 1, "wager": "player", "cents": 500},
    "withdraw": {"seat": 1, "wager": "player"},
    "leave": {"seat": 2},
    "bank": {"seat": 2, "cents": 5_000},
    "pass": {"seat": 2},
    "tip": {"cents": 500},
}


def unchanged(house: Served, before: Any) -> bool:
    """Whether tables, seats, bets and accounts are as they were (an attempt may be in the journal)."""
    return bool(house.app.state.house.floor.state == before)


@pytest.fixture(scope="module")
def bens(house: Served) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    """Ben sits and bets; Mallory has a seat of his own, and tries."""
    ben, mallory = house.guest("Ben"), house.guest("Mallory")
    house.open_table("hall", "ez-baccarat-wa", "hand-keyed")
    house.open_table("hall ca", "ez-baccarat-ca", "hand-keyed", seats=7)
    for table in ("hall", "hall ca"):
        house.must(ben.post(f"/api/v1/tables/{table}/sit", json={"seat": 2}))
        house.must(mallory.post(f"/api/v1/tables/{table}/sit", json={"seat": 3}))
    house.must(ben.post("/api/v1/tables/hall/bet", json={"seat": 1, "wager": "player", "cents": 1_000}))
    yield ben, mallory


@pytest.mark.parametrize("naming", ["by naming him", "by naming himself", "by naming nobody"])
@pytest.mark.parametrize("kind", FOR_ANOTHER)
def test_a_guest_cannot_act_for_another(house: Served, bens: tuple[httpx.Client, httpx.Client], kind: str, naming: str) -> None:
    _, mallory = bens
    guest = {"by naming him": {"guest": "Ben"}, "by naming himself": {"guest": "Mallory"}, "by naming nobody": {}}[naming]
    if kind in {"sit", "tip"} and naming != "by naming him":
        return  # that is his own seat, his own tip
    table = "hall ca" if kind in {"bank", "pass"} else "hall"
    before = house.app.state.house.floor.state
    answer = mallory.post(f"/api/v1/tables/{table}/{kind}", json=FOR_ANOTHER[kind] | guest)
    assert answer.status_code in {400, 403, 409}, answer.text
    assert answer.json()["code"] not in {"bad-command", "bad-request"}, "refused for whose it is, not for its form"
    assert unchanged(house, before)


@pytest.mark.parametrize(("edition", "wager", "choice"), [
    ("lucky-lucky-wa", "blackjack", "stand"),
    ("duki-4-wa", "ante", "fold"),
    ("ez-pai-gow-wa", "base", "house-way"),
])  # fmt: skip
def test_a_guest_cannot_decide_for_another(
    house: Served, bens: tuple[httpx.Client, httpx.Client], edition: str, wager: str, choice: str
) -> None:
    (ben, mallory), dealer = bens, house.staff("dealer")
    table, path = house.open_table(f"decide {edition}", edition, "virtual-shoe"), f"/api/v1/tables/decide {edition}"
    for _ in range(20):  # blackjack: until it is Ben's turn
        house.must(ben.post(f"{path}/bet", json={"seat": 1, "wager": wager, "cents": 1_000}))
        house.must(mallory.post(f"{path}/bet", json={"seat": 2, "wager": wager, "cents": 1_000}))
        house.must(dealer.post(f"{path}/no-more-bets"))
        house.must(dealer.post(f"{path}/deal"))
        if 1 in ben.get(path).json()["to_act"]:
            break
        if house.app.state.house.floor.state.tables[table].round.phase == "deciding":
            house.must(house.staff("supervisor").post(f"{path}/void", json={"reason": "misdeal"}))
        else:
            house.must(dealer.post(f"{path}/settle"))
    before = house.app.state.house.floor.state
    for guest in ({"guest": "Ben"}, {"guest": "Mallory"}, {}):
        answer = mallory.post(f"{path}/decide", json={"seat": 1, "choice": choice} | guest)
        assert answer.status_code == 403, answer.text
        assert unchanged(house, before)
    choices = ben.get(path).json()["seats"][0]["to_act"]
    assert (
        ben.post(f"{path}/decide", json={"seat": 1, "choice": choice if choice in choices else choices[-1]}).status_code == 200
    )


@pytest.mark.parametrize("field", ["actor", "role", "at", "day", "kind"])
def test_nobody_says_himself_who_he_is(house: Served, bens: tuple[httpx.Client, httpx.Client], field: str) -> None:
    before = house.app.state.house.floor.state
    body = {"seat": 1, "wager": "player", "cents": 500, "guest": "Ben", field: {"role": "supervisor"}.get(field, "Ben")}
    assert bens[1].post("/api/v1/tables/hall/bet", json=body).status_code == 422
    assert unchanged(house, before)


def test_a_name_that_is_taken_is_not_given_again(house: Served, bens: tuple[httpx.Client, httpx.Client]) -> None:
    answer = httpx.post(f"{house.url}/api/v1/guests", json={"name": "Ben"}, timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (409, "name-taken")
    assert httpx.post(f"{house.url}/api/v1/guests", json={"name": " Ben "}, timeout=PATIENCE).status_code == 409


def test_somebody_who_logs_out_takes_bets_seat_and_chips_along(house: Served, bens: tuple[httpx.Client, httpx.Client]) -> None:
    """The next one of the name finds nothing of the first's."""
    first = house.guest("Olga")
    house.must(first.post("/api/v1/tables/hall/bet", json={"seat": 6, "wager": "player", "cents": 1_000}))
    house.must(first.delete("/api/v1/session"))
    told = house.guest("Olga").get("/api/v1/tables/hall").json()
    assert told["you"] == {"guest": "Olga", "seats": [], "balance_cents": 100_000, "owes_cents": 0}


def test_the_name_of_somebody_with_cards_on_a_table_is_still_his(
    house: Served, bens: tuple[httpx.Client, httpx.Client]
) -> None:
    """A hand that is dealt is finished, whoever has logged out."""
    house.open_table("alone", "duki-4-wa", "virtual-shoe")
    first, dealer = house.guest("Olaf"), house.staff("dealer")
    house.must(first.post("/api/v1/tables/alone/bet", json={"seat": 1, "wager": "ante", "cents": 1_000}))
    house.must(dealer.post("/api/v1/tables/alone/no-more-bets"))
    house.must(dealer.post("/api/v1/tables/alone/deal"))
    house.must(first.delete("/api/v1/session"))
    assert httpx.post(f"{house.url}/api/v1/guests", json={"name": "Olaf"}, timeout=PATIENCE).status_code == 409


def test_a_guest_sees_no_more_of_another_than_anybody_does(house: Served, bens: tuple[httpx.Client, httpx.Client]) -> None:
    _, mallory = bens
    told = mallory.get("/api/v1/tables/hall").json()
    assert told["you"]["guest"] == "Mallory"
    assert [seat["is_you"] for seat in told["seats"]].count(True) == 1
    assert house.anybody().get("/api/v1/tables/hall").json()["you"] is None
