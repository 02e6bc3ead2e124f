"""Nobody outside can keep the others waiting: heavy work is done apart, and one client takes only so much."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import BOUNDLESS, PATIENCE, Served, serving
from programs import until

from houseway.house import replay
from houseway.refusal import Refused
from houseway.web.clients import Clients
from houseway.web.limits import Bucket, ClientLimits, with_given

API = "/api/v1"
Opening = Callable[..., Served]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Houses with limits of their own."""
    with pytest.MonkeyPatch.context() as patched:
        opened = []

        def open_(proxies: tuple[str, ...] = (), **limits: int) -> Served:
            chosen = replace(BOUNDLESS, **limits)
            door = serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", limits=chosen, proxies=proxies)
            opened.append(door)
            return door.__enter__()

        yield open_
        patched.undo()
        for door in opened:
            door.__exit__(None, None, None)


def _played(house: Served, rounds: int = 1, table: str = "t") -> tuple[list[int], httpx.Client]:
    """Rounds of baccarat by hand, each ended by an entry; and the guest who played them."""
    guest, dealer = house.guest("Ann"), house.staff("dealer")
    house.open_table(table, "ez-baccarat-wa")
    ends = []
    for _ in range(rounds):
        house.must(guest.post(f"{API}/tables/{table}/bet", json={"seat": 1, "wager": "player", "cents": 500}))
        house.must(dealer.post(f"{API}/tables/{table}/no-more-bets"))
        house.must(dealer.post(f"{API}/tables/{table}/card", json={"cards": "9s 2h Kd 3c"}))
        ends.append(house.must(dealer.post(f"{API}/tables/{table}/settle"))["seq"])
    return ends, guest


class Held:
    """Replays that are begun and do not come to an end before they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.let_go, self.begun, self.folded = threading.Event(), threading.Semaphore(0), 0
        fold = replay.fold

        def held(*given: Any) -> Any:
            self.folded += 1
            self.begun.release()
            assert self.let_go.wait(2 * PATIENCE)
            return fold(*given)

        monkeypatch.setattr(replay, "fold", held)


def test_a_bet_is_taken_while_replays_fill_their_queue(house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """More replays than the server has threads, none of which ends: a bet is taken all the same, and too many are refused."""
    served = house()
    (end,), guest = _played(served)
    held = Held(monkeypatch)
    with ThreadPoolExecutor(60) as crowd:
        asked = [crowd.submit(httpx.get, f"{served.url}{API}/rounds/{end}", timeout=3 * PATIENCE) for _ in range(60)]
        try:
            assert held.begun.acquire(timeout=PATIENCE)
            bet = guest.post(f"{API}/tables/t/bet", json={"seat": 1, "wager": "player", "cents": 500})
            assert bet.status_code == 200, bet.text
            assert not any(one.done() and one.result().status_code == 200 for one in asked), "they were held the whole time"
            until(lambda: any(one.done() for one in asked))  # too many are refused before any comes to its end
        finally:
            held.let_go.set()
        told = [one.result() for one in asked]
    assert set(Counter(answer.status_code for answer in told)) == {200, 503}
    for answer in told:
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            assert answer.json()["code"] == "busy-now"
            assert "\n" not in answer.json()["message"]


def test_one_client_has_few_replays_at_once(house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    served = house(heavy=1)
    (end,), _ = _played(served)
    held = Held(monkeypatch)
    with ThreadPoolExecutor(1) as crowd:
        first = crowd.submit(httpx.get, f"{served.url}{API}/rounds/{end}", timeout=3 * PATIENCE)
        try:
            assert held.begun.acquire(timeout=PATIENCE)
            second = httpx.get(f"{served.url}{API}/rounds/{end}", timeout=PATIENCE)
            elsewhere = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=3 * PATIENCE)
            other = crowd_of_one(elsewhere, f"{served.url}{API}/rounds/{end}")
        finally:
            held.let_go.set()
        assert first.result().status_code == 200
        assert other().status_code == 200, "another client has its own"
    assert (second.status_code, second.json()["code"]) == (429, "too-many-heavy")
    assert int(second.headers["retry-after"]) > 0


def crowd_of_one(client: httpx.Client, url: str) -> Callable[[], httpx.Response]:
    """A request that is under way."""
    thread = ThreadPoolExecutor(1)
    return thread.submit(client.get, url).result


def test_a_replay_is_made_once_and_again_after_a_correction(house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    served = house()
    (end, _), _ = _played(served, 2)
    held = Held(monkeypatch)
    held.let_go.set()
    visitor, supervisor = served.anybody(), served.staff("supervisor")
    first = visitor.get(f"{API}/rounds/{end}").json()
    folded = held.folded
    assert folded
    assert visitor.get(f"{API}/rounds/{end}").json() == first
    assert held.folded == folded, "told again as it was kept"
    correction = {"round": 1, "cards": "8s 2h Kd 3c", "reason": "misread", "again": 0}
    answer = supervisor.post(f"{API}/tables/t/correct", json=correction)
    assert answer.status_code == 200, answer.text
    corrected = visitor.get(f"{API}/rounds/{end}").json()
    assert len(corrected["corrections"]) == len(first["corrections"]) + 1


def test_a_kept_replay_comes_to_know_the_round_after_it(house: Opening) -> None:
    served = house()
    (end,), guest = _played(served)
    dealer, visitor = served.staff("dealer"), served.anybody()
    assert visitor.get(f"{API}/rounds/{end}").json()["neighbours"]["after"] is None
    served.must(guest.post(f"{API}/tables/t/bet", json={"seat": 1, "wager": "player", "cents": 500}))
    served.must(dealer.post(f"{API}/tables/t/no-more-bets"))
    served.must(dealer.post(f"{API}/tables/t/card", json={"cards": "9s 2h Kd 3c"}))
    after = served.must(dealer.post(f"{API}/tables/t/settle"))["seq"]
    assert visitor.get(f"{API}/rounds/{end}").json()["neighbours"]["after"] == after


def test_replays_begin_at_the_nearest_state_that_is_known(house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of two neighbours is folded from what the first one left, not from the beginning."""
    monkeypatch.setattr(replay, "APART", 5)
    served = house()
    ends, _ = _played(served, 8)
    held = Held(monkeypatch)
    held.let_go.set()
    visitor = served.anybody()
    one = visitor.get(f"{API}/rounds/{ends[-2]}").json()
    folded = held.folded
    other = visitor.get(f"{API}/rounds/{ends[-1]}").json()
    assert (one["round"], other["round"]) == (7, 8)
    assert held.folded - folded < 12 < folded


# What one client may take


def test_streams_of_a_client_are_limited(house: Opening) -> None:
    served = house(streams=2)
    with (
        httpx.stream("GET", f"{served.url}{API}/stream", timeout=PATIENCE) as first,
        httpx.stream("GET", f"{served.url}{API}/tables/Baccarat 1/stream", timeout=PATIENCE) as second,
    ):
        lines = [first.iter_lines(), second.iter_lines()]  # whoever drops these hangs up
        assert [next(mine) for mine in lines]
        answer = httpx.get(f"{served.url}{API}/stream", timeout=PATIENCE)
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many-streams")
        assert int(answer.headers["retry-after"]) > 0
        assert "2 streams" in answer.json()["message"] and "close" in answer.json()["message"]
        elsewhere = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE)
        with elsewhere.stream("GET", f"{served.url}{API}/stream") as other:
            assert other.status_code == 200

    def is_let_in() -> bool:
        with httpx.stream("GET", f"{served.url}{API}/stream", timeout=PATIENCE) as answer:
            return answer.status_code == 200

    until(is_let_in)  # those that were closed count no more, as soon as the server has noticed


def test_guests_made_by_a_client_are_limited(house: Opening) -> None:
    served = house(guests=3)
    for name in ("Ann", "Ben", "Cyd"):
        served.joined(name)
    refused = httpx.post(f"{served.url}{API}/guests", json={"name": "Ann"}, timeout=PATIENCE)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-guests")
    assert int(refused.headers["retry-after"]) > 0
    before = len(list(served.app.state.house.floor.store.entries()))
    for number in range(5):
        assert httpx.post(f"{served.url}{API}/guests", json={"name": f"G{number}"}, timeout=PATIENCE).status_code == 429
    assert len(list(served.app.state.house.floor.store.entries())) == before, "nothing happened"
    elsewhere = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE)
    assert elsewhere.post(f"{served.url}{API}/guests", json={"name": "Dan"}).status_code == 200


def test_a_name_that_is_refused_does_not_count(house: Opening) -> None:
    served = house(guests=1)
    for _ in range(3):
        assert httpx.post(f"{served.url}{API}/guests", json={"name": "<b>"}, timeout=PATIENCE).status_code == 400
    served.joined("Ann")


def test_seats_held_by_a_client_are_limited(house: Opening) -> None:
    served = house(seats=2)
    guests = [served.guest(name) for name in ("Ann", "Ben", "Cyd")]
    served.must(guests[0].post(f"{API}/tables/Duki 1/sit", json={"seat": 1}))
    served.must(guests[1].post(f"{API}/tables/Baccarat 1/bet", json={"seat": 2, "wager": "player", "cents": 500}))
    for path, body in (
        ("Pai Gow 1/sit", {"seat": 3}),
        ("Duki 1/sit", {"seat": 3}),
        ("Duki 1/bet", {"seat": 4, "wager": "ante", "cents": 500}),
    ):
        refused = guests[2].post(f"{API}/tables/{path}", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "seats-held"), refused.text
        assert "2 seats" in refused.json()["message"] and "leave a seat" in refused.json()["message"]
    served.must(guests[0].post(f"{API}/tables/Duki 1/bet", json={"seat": 1, "wager": "ante", "cents": 500}))
    served.must(guests[0].post(f"{API}/tables/Duki 1/withdraw", json={"seat": 1, "wager": "ante"}))
    served.must(guests[0].post(f"{API}/tables/Duki 1/leave", json={"seat": 1}))
    served.must(guests[2].post(f"{API}/tables/Duki 1/sit", json={"seat": 3}))


@pytest.mark.parametrize(
    "given", ["streams", "streams=", "streams=0", "streams=-1", "streams=many", "=3", "streams=9999999999"]
)
def test_limits_that_are_none_are_refused(given: str) -> None:
    with pytest.raises(Refused, match="write NAME=NUMBER, the name one of streams, connections"):
        with_given(ClientLimits(), [given])


def test_limits_are_given_by_name() -> None:
    assert with_given(ClientLimits(), ["streams=7", "seats=3"]) == replace(ClientLimits(), streams=7, seats=3)
    with pytest.raises(Refused, match="strems"):
        with_given(ClientLimits(), ["strems=7"])


def test_a_bucket_refills() -> None:
    now = [0.0]
    bucket = Bucket(2, 10, lambda: now[0])
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    assert bucket.take("b")
    now[0] = 5.0
    assert [bucket.take("a") for _ in range(2)] == [True, False]


# Proxies


def _scope(peer: str, *forwarded: str, proto: str = "") -> tuple[dict[str, Any], dict[bytes, bytes]]:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    headers += [(b"x-forwarded-proto", proto.encode())] if proto else []
    return {"client": (peer, 1), "scheme": "http", "headers": headers}, dict(headers)


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "client"),
    [
        ((), "127.0.0.1", ("9.9.9.9",), "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", ("9.9.9.9",), "9.9.9.9"),
        (("127.0.0.1",), "127.0.0.2", ("9.9.9.9",), "127.0.0.2"),
        (("127.0.0.1",), "127.0.0.1", ("1.1.1.1, 9.9.9.9",), "9.9.9.9"),
        (("127.0.0.1",), "127.0.0.1", ("1.1.1.1", "9.9.9.9"), "9.9.9.9"),
        (("127.0.0.1", "10.0.0.0/8"), "127.0.0.1", ("1.1.1.1, 9.9.9.9, 10.3.2.1",), "9.9.9.9"),
        (("127.0.0.1",), "127.0.0.1", ("rubbish",), "127.0.0.1"),
        (("127.0.0.1",), "127.0.0.1", (), "127.0.0.1"),
        (("127.0.0.1",), "::ffff:127.0.0.1", ("9.9.9.9",), "9.9.9.9"),
        (("::1",), "::1", ("2001:db8:1:2:3:4:5:6",), "2001:db8:1:2::/64"),
    ],
)
def test_only_named_proxies_say_who_asks(proxies: tuple[str, ...], peer: str, forwarded: tuple[str, ...], client: str) -> None:
    assert Clients(proxies).who(*_scope(peer, *forwarded)) == client


def test_only_a_named_proxy_says_that_it_was_tls() -> None:
    for proxies, scheme in (((), "http"), (("127.0.0.1",), "https")):
        scope, headers = _scope("127.0.0.1", "9.9.9.9", proto="https")
        Clients(proxies).who(scope, headers)
        assert scope["scheme"] == scheme


def test_whoever_claims_other_addresses_is_still_one_client(house: Opening) -> None:
    served = house(guests=2)
    told = [
        httpx.post(
            f"{served.url}{API}/guests",
            json={"name": f"G{number}"},
            headers={"X-Forwarded-For": f"9.9.9.{number}", "X-Forwarded-Proto": "https"},
            timeout=PATIENCE,
        )
        for number in range(4)
    ]
    assert [answer.status_code for answer in told] == [200, 200, 429, 429]
    assert not any("secure" in answer.headers.get("set-cookie", "").lower() for answer in told)
    assert not any("strict-transport-security" in answer.headers for answer in told)


def test_behind_a_named_proxy_each_has_his_own_and_tls_is_kept_up(house: Opening) -> None:
    served = house(proxies=("127.0.0.1",), guests=1)
    for number in range(3):
        headers = {"X-Forwarded-For": f"9.9.9.{number}", "X-Forwarded-Proto": "https"}
        answer = httpx.post(f"{served.url}{API}/guests", json={"name": f"G{number}"}, headers=headers, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        assert "secure" in answer.headers["set-cookie"].lower()
        assert "max-age=" in answer.headers["strict-transport-security"]


def test_odds_are_worked_out_apart(house: Opening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions about odds, of which none ends, more than the server has threads: a table is shown all the same."""
    from houseway.web import lab

    served = house()
    let_go = threading.Event()
    monkeypatch.setattr(lab, "_odds", lambda question: let_go.wait(2 * PATIENCE) and None)
    url = f"{served.url}{API}/editions/ez-baccarat-wa/odds?wager=player"
    with ThreadPoolExecutor(60) as crowd:
        asked = [crowd.submit(httpx.get, url, timeout=3 * PATIENCE) for _ in range(60)]
        try:
            until(lambda: any(one.done() for one in asked))  # some are refused: the others are all under way or wait
            assert httpx.get(f"{served.url}{API}/tables", timeout=PATIENCE).status_code == 200
        finally:
            let_go.set()
        assert 503 in {one.result().status_code for one in asked}


def test_a_replay_is_what_it_was(house: Opening) -> None:
    """The bytes that are sent are JSON with everything in it."""
    served = house()
    (end,), _ = _played(served)
    answer = served.anybody().get(f"{API}/rounds/{end}")
    assert answer.headers["content-type"] == "application/json"
    assert {"table", "entries", "verified", "shoe", "neighbours", "corrections"} <= json.loads(answer.content).keys()
