"""Several processes on one PostgreSQL database are one house: one state, one set of sessions, one croupier at a time."""

import json
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from houses import PATIENCE, serving
from patient import BETTING_SECONDS
from programs import Program, ready, started, until

from houseway.house.audit import Auditor
from houseway.house.backoff import Backoff
from houseway.house.store import Store
from houseway.web.served import HEARTBEAT_SECONDS

API = "/api/v1"


@contextmanager
def processes(store: str, folder: Path, count: int, *options: str) -> Iterator[list[Program]]:
    """So many processes on one store, started together and ready for visitors."""
    programs = [started(folder, *options, store=store) for _ in range(count)]
    with ready(*programs):
        yield programs


@dataclass
class House:
    """Two doors to one house."""

    store: str
    first: Program
    second: Program
    tokens: dict[str, str] = field(default_factory=dict)

    def token(self, name: str) -> str:
        """A guest's session, taken at the first door."""
        if name not in self.tokens:
            answer = httpx.post(f"{self.first.url}{API}/guests", json={"name": name}, timeout=PATIENCE)
            assert answer.status_code == 200, answer.text
            self.tokens[name] = answer.json()["token"]
        return self.tokens[name]

    def both(self, name: str) -> tuple[httpx.Client, httpx.Client]:
        return self.first.client(self.token(name)), self.second.client(self.token(name))


@pytest.fixture(scope="module")
def house(postgresql: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    store = postgresql.create()
    with processes(store, tmp_path_factory.mktemp("two"), 2) as (first, second):
        yield House(store, first, second)


def test_two_processes_that_start_at_once_set_one_house_up(house: House) -> None:
    told = [httpx.get(f"{one.url}{API}/tables", timeout=PATIENCE).json()["tables"] for one in (house.first, house.second)]
    assert sorted(table["name"] for table in told[0]) == sorted(table["name"] for table in told[1])
    assert len(told[0]) == 5
    kinds = Counter(entry.kind for entry in Store(house.store).entries())
    assert (kinds["fund"], kinds["open"]) == (1, 5)
    until(lambda: len(house.first.passwords() | house.second.passwords()) == 8)
    assert not house.first.passwords().keys() & house.second.passwords().keys(), "every password is told once"


def test_what_is_done_at_one_shows_at_the_other(house: House) -> None:
    (ann, _), took = house.both("Ann"), list[float]()
    with httpx.stream("GET", f"{house.second.url}{API}/tables/Baccarat 1/stream", timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        next(line for line in lines if line.startswith("data:"))
        for cents in (1, 2, 3, 4, 5):
            began = time.monotonic()
            seq = ann.post(f"{API}/tables/Baccarat 1/tip", json={"cents": cents}).json()["seq"]
            assert any(line.startswith("data:") and json.loads(line[5:])["seq"] >= seq for line in lines)
            took.append(time.monotonic() - began)
    assert min(took[1:]) < HEARTBEAT_SECONDS / 2, f"{took}: told by the database, not by asking now and then"


def test_sessions_are_shared(house: House) -> None:
    first, second = house.both("Sharing")
    until(lambda: first.get(f"{API}/session").json() == second.get(f"{API}/session").json())  # the other hears of the chips
    assert second.delete(f"{API}/session").status_code == 204
    until(lambda: first.get(f"{API}/session").status_code == 401)


def test_seats_are_shared(house: House) -> None:
    (ann, ann_too), (_, ben) = house.both("Ann"), house.both("Ben")
    assert ann.post(f"{API}/tables/Duki 1/sit", json={"seat": 3}).status_code == 200
    answer = ben.post(f"{API}/tables/Duki 1/sit", json={"seat": 3})
    assert (answer.status_code, answer.json()["code"]) == (409, "seat-taken")
    assert ann_too.post(f"{API}/tables/Duki 1/leave", json={"seat": 3}).status_code == 200
    assert ben.post(f"{API}/tables/Duki 1/sit", json={"seat": 3}).status_code == 200


def test_a_key_has_one_effect_at_both(house: House) -> None:
    first, second = house.both("Keyed")
    before = first.get(f"{API}/session").json()["balance_cents"]
    seqs: list[int] = []

    def give(client: httpx.Client) -> None:
        for number in range(10):
            answer = client.post(f"{API}/tables/Duki 1/tip", json={"cents": 3}, headers={"Idempotency-Key": f"k{number}"})
            seqs.append(answer.json()["seq"])

    both = [threading.Thread(target=give, args=(client,)) for client in (first, second)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(seqs) == 20
    assert len(set(seqs)) == 10
    until(lambda: first.get(f"{API}/session").json()["balance_cents"] == before - 30)


def test_wrong_passwords_are_counted_together(house: House) -> None:
    for one in (house.first, house.second, house.first):
        answer = one.client().post(f"{API}/session", json={"name": "cashier", "password": "wrong password"})
        assert answer.json()["code"] == "bad-login"
    assert Backoff(Store(house.store)).failures("cashier") == 3


def test_nul_bytes_do_not_reach_postgresql(house: House) -> None:
    guest = house.first.client(house.token("Nul"))
    answers = {
        "login": guest.post(f"{API}/session", json={"name": "a\x00b", "password": "c\x00d"}),
        "guest": guest.post(f"{API}/guests", json={"name": "a\x00b"}),
        "tip": guest.post(f"{API}/tables/Duki 1/tip", json={"cents": 1, "guest": "a\x00"}),
        "role": guest.post(f"{API}/cage/buy-in", json={"cents": 1, "guest": "a\x00"}),
        "table": guest.post(f"{API}/tables/a%00b/settle"),
        "reason": guest.post(f"{API}/tables/Duki 1/void", json={"reason": "a\x00"}),
    }
    wrong = {what: answer.status_code for what, answer in answers.items() if answer.status_code >= 500}
    assert not wrong


def _play(house: House, rounds: int) -> None:
    """Rounds at a demo table; Ann is at the first door, and says there that she is ready."""
    ann, _ = house.both("Ann")
    for _ in range(rounds):
        number = ann.get(f"{API}/tables/Baccarat 1").json()["round"]
        assert ann.post(f"{API}/tables/Baccarat 1/bet", json={"seat": 1, "wager": "player", "cents": 500}).status_code == 200
        assert ann.post(f"{API}/demo/tables/Baccarat 1/ready").status_code == 204
        until(lambda number=number: ann.get(f"{API}/tables/Baccarat 1").json()["round"] > number)


def test_two_croupiers_never_settle_a_round_twice(house: House) -> None:
    _play(house, 4)
    settled: Counter[tuple[str, int]] = Counter()
    dealt: Counter[tuple[str, str]] = Counter()
    store = Store(house.store)
    for entry in store.entries():
        for event in entry.data.get("events", []):
            if event["event"] == "round-settled":
                settled[entry.table, event["round"]] += 1
            if event["event"] == "cards-drawn":
                dealt[entry.table, " ".join(event["cards"])] += 1
    assert len(settled) >= 4
    assert set(settled.values()) == {1}
    assert set(dealt.values()) == {1}
    assert Auditor(store).run().flaw is None


def test_guests_at_two_doors_are_ready_together(house: House) -> None:
    """As soon as both have said so the croupier deals, well before the betting time is over."""
    (ann, _), (_, ben) = house.both("Ann"), house.both("Ben")
    path = f"{API}/tables/Pai Gow 1"
    assert ann.post(f"{path}/bet", json={"seat": 1, "wager": "base", "cents": 500}).status_code == 200
    assert ben.post(f"{path}/bet", json={"seat": 2, "wager": "base", "cents": 500}).status_code == 200
    for client in (ann, ben):
        until(lambda client=client: all(seat["bets"] for seat in client.get(path).json()["seats"][:2]))
    assert ann.post(f"{API}/demo/tables/Pai Gow 1/ready").status_code == 204
    assert ben.post(f"{API}/demo/tables/Pai Gow 1/ready").status_code == 204
    until(lambda: ann.get(path).json()["phase"] != "betting")
    entries = [entry for entry in Store(house.store).entries() if entry.table == "Pai Gow 1"]
    ready, closed = (
        next(datetime.fromisoformat(entry.at) for entry in reversed(entries) if entry.kind == kind)
        for kind in ("ready", "no-more-bets")
    )
    assert closed - ready < timedelta(seconds=BETTING_SECONDS / 2), "dealt because they were ready, not because time was up"


def test_one_process_goes_on_when_the_other_is_killed(postgresql: Any, tmp_path: Path) -> None:
    with processes(postgresql.create(), tmp_path, 2) as (first, second):
        token = httpx.post(f"{first.url}{API}/guests", json={"name": "Ann"}, timeout=PATIENCE).json()["token"]
        bet = {"seat": 1, "wager": "player", "cents": 500}
        assert first.client(token).post(f"{API}/tables/Baccarat 1/bet", json=bet).status_code == 200
        first.process.kill()
        first.process.wait()
        ann = second.client(token)
        until(lambda: ann.post(f"{API}/demo/tables/Baccarat 1/ready").status_code == 204)  # as soon as it knows of the bet
        until(lambda: ann.get(f"{API}/tables/Baccarat 1").json()["round"] > 1)


def test_workers_answer_at_once_and_stop_when_told_though_somebody_watches(postgresql: Any, tmp_path: Path) -> None:
    with (
        processes(postgresql.create(), tmp_path, 1, "--workers", "2") as (parent,),
        httpx.stream("GET", f"{parent.url}{API}/stream", timeout=60) as answer,
    ):
        next(answer.iter_lines())
        client, took = parent.client(), []
        for _ in range(40):
            began = time.monotonic()
            assert client.get(f"{API}/session").status_code == 401
            took.append(time.monotonic() - began)
        assert min(took[20:]) < 0.03, "no answer waits 40 ms for the client's word that its first half has come"
        parent.process.send_signal(signal.SIGTERM)
        parent.process.wait(PATIENCE)


def test_the_journal_of_a_process_that_is_behind_tells_no_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process has dealt; this one is told of it a moment later, and is asked in between."""
    store, key = f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key"
    with serving(store, key) as one, serving(store, key) as behind:
        one.open_table("t", "duki-4-wa", "virtual-shoe")
        auditor, dealer, guest = behind.staff("auditor"), one.staff("dealer"), one.guest("Ann")
        one.must(guest.post(f"{API}/tables/t/bet", json={"seat": 1, "wager": "ante", "cents": 500}))
        until(lambda: behind.app.state.house.seq == one.app.state.house.seq)
        monkeypatch.setattr(behind.app.state.house, "refresh", lambda: None)
        one.must(dealer.post(f"{API}/tables/t/no-more-bets"))
        seq = one.must(dealer.post(f"{API}/tables/t/deal"))["seq"]
        told = auditor.get(f"{API}/journal", params={"after": seq - 1}).json()["entries"]
        drawn = one.app.state.house.floor.store.entry(seq).data["drawn"].split()
        assert drawn
        assert not [card for card in drawn if f'"{card}"' in json.dumps(told) or f" {card} " in json.dumps(told)]
