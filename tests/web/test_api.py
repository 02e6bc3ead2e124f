"""The API as programs use it: rounds from the bet to the proof, keys that act once, and streams that miss nothing."""

import asyncio
import json
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from houses import PATIENCE, Served, run_apart, serving
from test_leaks import Round, at

from houseway.cards import show_card
from houseway.house.floor import Actor
from houseway.rulebook.game import DEALER
from houseway.table import Phase, unfolded
from houseway.table.entry import Entry, digest
from houseway.view import ANYBODY
from houseway.web.pieces import StreamedView
from houseway.web.served import LOBBY

API = "/api/v1"
HALL = f"{API}/tables/hall"
WATCHERS = 300


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("api")
    with serving(f"sqlite:///{folder / 'house.db'}", folder / "key") as made:
        made.open_table("hall", "ez-baccarat-wa", "hand-keyed")
        yield made


@pytest.fixture(scope="module")
def ann(house: Served) -> httpx.Client:
    return house.guest("Ann")


def tip(client: httpx.Client, cents: int = 1, key: str = "", table: str = "hall") -> httpx.Response:
    """The smallest thing that happens at a table and changes an account."""
    return client.post(f"{API}/tables/{table}/tip", json={"cents": cents}, headers={"Idempotency-Key": key} if key else {})


def balance(client: httpx.Client) -> int:
    return int(client.get(f"{API}/session").json()["balance_cents"])


# Rounds


def test_a_round_from_the_bet_to_the_proof(house: Served, ann: httpx.Client) -> None:
    dealer = house.staff("dealer")
    before = balance(ann)
    house.must(ann.post(f"{HALL}/sit", json={"seat": 2}))
    house.must(ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "banker", "cents": 1_000}))
    house.must(ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "dragon-7", "cents": 500}))
    house.must(ann.post(f"{HALL}/withdraw", json={"seat": 2, "wager": "dragon-7"}))
    assert balance(ann) == before - 1_000
    house.must(dealer.post(f"{HALL}/no-more-bets"))
    late = ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "player", "cents": 1_000})
    assert (late.status_code, late.json()["code"]) == (409, "wrong-phase")
    house.must(dealer.post(f"{HALL}/card", json={"cards": "Kd 9c 5h Qs"}))
    assert ann.get(HALL).json()["phase"] == "dealing" or ann.get(HALL).json()["phase"] == "ready"
    done = house.must(dealer.post(f"{HALL}/settle"))
    assert balance(ann) == before + 1_000
    told = ann.get(f"{API}/rounds/{done['seq']}").json()
    assert told["verified"]
    assert [entry["kind"] for entry in told["entries"]][-1] == "settle"
    assert told["payments"][0]["win_cents"] == 1_000
    assert told["entries"][-1]["hash"] == done["hash"]
    assert house.staff("auditor").post(f"{API}/audit").json()["holds"]


@pytest.mark.parametrize("path", ["/tables/none", "/boards/none", "/rounds/999999", "/rounds/1", "/tables/none/stream"])
def test_what_is_not_there_is_404(house: Served, path: str) -> None:
    answer = httpx.get(f"{house.url}{API}{path}", timeout=PATIENCE)
    assert answer.status_code == 404
    assert answer.json()["message"]


def test_a_refusal_says_what_would_be_accepted(house: Served, ann: httpx.Client) -> None:
    answer = ann.post(f"{HALL}/bet", json={"seat": 99, "wager": "banker", "cents": 500})
    assert "seats 1 to" in answer.json()["message"]
    answer = ann.post(f"{HALL}/bet", json={"seat": 1, "wager": "bankr", "cents": 500})
    assert "banker" in answer.json()["message"]


def test_money_that_is_not_there_is_not_bet(house: Served) -> None:
    poor = house.guest("Poor")
    before = house.app.state.house.floor.state
    for _ in range(2):
        answer = poor.post(f"{HALL}/tip", json={"cents": 100_001})
        assert answer.status_code == 400
    assert house.app.state.house.floor.state == before


# Keys


def test_a_key_has_one_effect(house: Served, ann: httpx.Client) -> None:
    before = balance(ann)
    answers = [tip(ann, 5, "once") for _ in range(4)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert balance(ann) == before - 5


def test_a_key_has_one_effect_at_the_same_time(house: Served, ann: httpx.Client) -> None:
    before = balance(ann)

    async def storm() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=house.url, headers=ann.headers, timeout=PATIENCE) as client:
            post = [client.post(f"{HALL}/tip", json={"cents": 7}, headers={"Idempotency-Key": "storm"}) for _ in range(20)]
            return await asyncio.gather(*post)

    answers = run_apart(storm())
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["seq"] for answer in answers}) == 1
    assert balance(ann) == before - 7


def test_a_key_with_another_command_is_refused(house: Served, ann: httpx.Client) -> None:
    house.must(tip(ann, 5, "mine"))
    before = house.app.state.house.floor.state
    assert (tip(ann, 6, "mine").status_code, tip(ann, 6, "mine").json()["code"]) == (409, "key-reused")
    other = ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "banker", "cents": 500}, headers={"Idempotency-Key": "mine"})
    assert other.status_code == 409
    assert house.app.state.house.floor.state == before


def test_the_same_key_of_two_people_is_two_keys(house: Served, ann: httpx.Client) -> None:
    ben = house.guest("Ben")
    balances = balance(ann), balance(ben)
    first, second = tip(ann, 5, "shared"), tip(ben, 5, "shared")
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["seq"] != second.json()["seq"]
    assert (balance(ann), balance(ben)) == (balances[0] - 5, balances[1] - 5)


def test_a_refused_command_does_not_use_its_key_up(house: Served, ann: httpx.Client) -> None:
    assert tip(ann, 10**12, "again").status_code == 400
    house.must(tip(ann, 5, "again"))


@pytest.mark.parametrize("key", ["with space", "x" * 81, "é", "tab\tkey", "\x7f"])
def test_odd_keys_are_refused(house: Served, ann: httpx.Client, key: str) -> None:
    answer = ann.post(f"{HALL}/tip", json={"cents": 5}, headers={"Idempotency-Key": key.encode("latin-1")})
    assert answer.status_code in {400, 422}, answer.text


def test_long_keys_are_told_apart_to_the_end(house: Served) -> None:
    """Keys of 80 characters are promised; the last ones count too."""
    guest = house.guest("Somebody with a name 24c")
    before = balance(guest)
    answers = [tip(guest, 5, "x" * 79 + last) for last in "ab"]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert balance(guest) == before - 10, "both tips were given"


# Streams


Event = tuple[int, str, dict[str, Any]]


@contextmanager
def stream(house: Served, path: str, last: int | None = None, token: str = "") -> Iterator[Iterator[Event]]:
    """The events of a stream as they come: number, kind, content."""
    headers = {"Last-Event-ID": str(last)} if last is not None else {}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}

    def events(lines: Iterator[str]) -> Iterator[Event]:
        fields: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
            elif "data" in fields:
                yield int(fields["id"]), fields["event"], json.loads(fields["data"])
                fields = {}

    with httpx.stream("GET", f"{house.url}{API}{path}", headers=headers, timeout=PATIENCE) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events(answer.iter_lines())


@pytest.mark.parametrize("path", ["/tables/hall/stream", "/stream", "/boards/hall/stream"])
def test_events_have_the_numbers_of_the_journal(house: Served, ann: httpx.Client, path: str) -> None:
    with stream(house, path) as events:
        number, kind, content = next(events)
        assert (kind, content["seq"]) == ("view", number)
        for _ in range(3):
            seq = tip(ann).json()["seq"]
            number, kind, content = next(events)
            assert (number, kind, content["seq"]) == (seq, "view", seq)
            assert house.app.state.house.floor.store.entry(number).kind == "tip"


@pytest.mark.parametrize("path", ["/tables/hall", "/tables", "/boards/hall"])
def test_what_seldom_changes_is_told_once(house: Served, ann: httpx.Client, path: str) -> None:
    """Every view put over the one before is the whole view, and what did not change is not sent again."""
    with stream(house, "/stream" if path == "/tables" else f"{path}/stream") as events:
        whole, first = {}, True
        for _ in range(3):
            view = next(events)[2]
            lists = {"tables": "name", "seats": "seat"}
            before = {name: {row[known]: row for row in whole.get(name, [])} for name, known in lists.items()}
            whole |= view
            for name, known in lists.items():
                if name in view:
                    whole[name] = [before[name].get(row[known], {}) | row for row in view[name]]
            assert whole == house.anybody().get(f"{API}{path}").json()
            shown = next((card for card in view.get("tables", []) if card["name"] == "hall"), view)
            assert ("edition" in shown) is first
            first = False
            house.must(tip(ann))


def test_what_seldom_changes_is_told_again_when_it_does(
    house: Served, ann: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A badge turns while somebody watches."""
    with stream(house, "/tables/hall/stream") as events:
        assert next(events)[2]["edition"]["badge"]
        turned = house.anybody().get(HALL).json()["edition"] | {"badge": "changed"}
        monkeypatch.setattr("houseway.view.table.edition_view", lambda table: turned)
        house.must(tip(ann))
        view = next(events)[2]
    assert view["edition"] == turned
    assert "face" not in view
    monkeypatch.undo()
    house.must(tip(ann))  # views are made anew, with the badge as it is


@pytest.mark.parametrize("path", ["/tables/hall/stream", "/stream"])
def test_whoever_reconnects_misses_nothing(house: Served, ann: httpx.Client, path: str) -> None:
    with stream(house, path) as events:
        last = next(events)[0]
    missed = [
        house.must(ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "banker", "cents": c}))["seq"] for c in (500, 600, 700)
    ]
    with stream(house, path, last) as events:
        told = [next(events) for _ in range(4)]
    assert [(number, kind) for number, kind, _ in told[:3]] == [(seq, "happened") for seq in missed]
    assert [content["happened"][0]["cents"] for _, _, content in told[:3]] == [500, 600, 700]
    assert told[3][1] == "view"
    assert told[3][2]["seq"] == missed[-1]
    with stream(house, path, missed[0]) as events:
        assert [next(events)[0] for _ in range(2)] == missed[1:]
    house.must(ann.post(f"{HALL}/withdraw", json={"seat": 2, "wager": "banker"}))


def test_whoever_missed_too_much_is_told_so(house: Served, ann: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is what happened at his table."""
    monkeypatch.setattr("houseway.web.served.MISSED_MOST", 3)
    with stream(house, "/tables/hall/stream") as events:
        last = next(events)[0]
    bets = ({"seat": 2, "wager": "banker", "cents": cents} for cents in range(500, 1000, 100))
    missed = [house.must(ann.post(f"{HALL}/bet", json=bet))["seq"] for bet in bets]
    house.open_table("elsewhere", "ez-baccarat-wa")
    with stream(house, "/tables/hall/stream", last) as events:
        told = [next(events) for _ in range(5)]
    assert told[0] == (missed[2] - 1, "left-out", {"after": last, "before": missed[2]})
    assert [(number, kind) for number, kind, _ in told[1:4]] == [(seq, "happened") for seq in missed[2:]]
    assert told[4][1] == "view"
    with stream(house, "/tables/hall/stream", missed[1]) as events:
        assert [next(events)[0] for _ in range(3)] == missed[2:]
    house.must(ann.post(f"{HALL}/withdraw", json={"seat": 2, "wager": "banker"}))


def test_other_tables_do_not_disturb_a_stream(house: Served, ann: httpx.Client) -> None:
    house.open_table("quiet", "ez-baccarat-wa", "hand-keyed")
    with stream(house, "/tables/quiet/stream") as events:
        next(events)
        house.must(tip(ann))
        seq = house.must(tip(ann, table="quiet"))["seq"]
        assert next(events)[0] == seq


def test_a_first_look_with_number_nought_shows_the_table(tmp_path: Path) -> None:
    """A house that has just started, and a page that says it has seen nothing."""
    with (
        serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key") as house,
        stream(house, "/tables/Duki 1/stream", 0) as events,
    ):
        assert "view" in {kind for _, kind, _ in (next(events) for _ in range(2))}


def test_an_event_is_not_newer_than_its_view(house: Served, ann: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a page loses its connection then, it believes to have seen what it has not."""
    served, more = house.app.state.house, iter(range(1))
    make: Callable[..., StreamedView] = served.shown

    def shown(topic: str, reader: object) -> StreamedView:
        view = make(topic, reader)
        for _ in more:  # somebody acts just now
            served.do({"kind": "tip", "table": "hall", "guest": "Ann", "cents": 1}, Actor("dan", "dealer"))
        return view

    monkeypatch.setattr(served, "shown", shown)
    with stream(house, "/tables/hall/stream") as events:
        number, _, content = next(events)
    assert number == content["seq"]


def test_whoever_looks_just_now_does_not_disturb_a_command(house: Served, ann: httpx.Client) -> None:
    """A view is made for somebody while the views made before are thrown away: the command is answered all the same."""
    served = house.app.state.house

    class Views(dict[str, dict[tuple[str, str, int], StreamedView]]):
        def pop(self, topic: str, *otherwise: Any) -> Any:
            served.shown(LOBBY, ANYBODY)
            return super().pop(topic, *otherwise)

    served.views = Views()
    before = served.shown("hall", ANYBODY)
    house.must(tip(ann))
    assert "hall" not in served.views and served.shown("hall", ANYBODY).seq == before.seq + 1


def test_the_round_before_is_never_one_too_old_or_missing(
    house: Served, ann: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody looks at the round before for the first time just as another round ends."""
    served, dealer = house.app.state.house, house.staff("dealer")
    store, known = served.floor.store, []

    def play() -> int:
        house.must(ann.post(f"{HALL}/bet", json={"seat": 2, "wager": "banker", "cents": 500}))
        house.must(dealer.post(f"{HALL}/no-more-bets"))
        house.must(dealer.post(f"{HALL}/card", json={"cards": "Kd 9c 5h Qs"}))
        return int(house.must(dealer.post(f"{HALL}/settle"))["seq"])

    def last_end(table: str) -> int:
        end = find(table)
        monkeypatch.undo()
        monkeypatch.setattr(store, "round_entries", round_entries)
        known.append(play())
        return end

    def round_entries(table: str, until: int) -> list[Entry]:
        found = read(table, until)
        if known:
            known.append(served.last_of("hall"))  # whoever looks now, while the end of the round is taken in
        return found

    play()
    find, read = store.last_end, store.round_entries
    served.last.clear()
    served.just_ended.clear()  # as if nobody had looked, and nothing had ended since the start
    monkeypatch.setattr(store, "last_end", last_end)
    ann.get(HALL)
    assert ann.get(HALL).json()["last"]["seq"] == known[0]
    play()
    assert len(known) > 1, "somebody looked"


def test_streams_end_when_the_house_closes(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'h.db'}", tmp_path / "key") as house:
        client = httpx.Client(timeout=PATIENCE)
        answer = client.send(client.build_request("GET", f"{house.url}{API}/stream"), stream=True)
        lines = answer.iter_lines()
        next(lines)
    assert len(list(lines)) < 100, "the stream has come to its end"
    client.close()


def test_a_process_with_watchers_stops_when_told(start_process: Callable[..., Any]) -> None:
    url, process = start_process()
    with httpx.stream("GET", f"{url}{API}/stream", timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        next(lines)
        process.send_signal(signal.SIGTERM)
        with suppress(httpx.TransportError):  # cut off is ended too
            list(lines)
    process.wait(PATIENCE)


def test_three_hundred_watch(house: Served, ann: httpx.Client) -> None:
    """All of them see what is done, and the house is as quick for the next visitor."""
    where = urlsplit(house.url)

    async def watch(started: asyncio.Semaphore, wanted: asyncio.Future[int]) -> int:
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=2**20)
        writer.write(f"GET {HALL}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        newest, first = 0, True
        while not wanted.done() or newest < wanted.result():
            told = await reader.readuntil(b"\n\n")
            found = re.search(rb"id: (\d+)\n", told)
            newest = max(newest, int(found[1]) if found else 0)
            if found and first:
                started.release()
                first = False
        writer.close()
        return newest

    async def crowd() -> list[int]:
        started, wanted = asyncio.Semaphore(0), asyncio.get_running_loop().create_future()
        watchers = [asyncio.create_task(watch(started, wanted)) for _ in range(WATCHERS)]
        for _ in range(WATCHERS):
            await asyncio.wait_for(started.acquire(), 5 * PATIENCE)
        answer = await asyncio.to_thread(tip, ann)
        wanted.set_result(answer.json()["seq"])
        return await asyncio.wait_for(asyncio.gather(*watchers), 5 * PATIENCE)

    numbers = run_apart(crowd())
    assert len(numbers) == WATCHERS
    gone = time.monotonic() + 5 * PATIENCE
    while sum(map(len, house.app.state.house.watchers.values())) and time.monotonic() < gone:
        house.must(tip(ann))  # whoever has gone is noticed at the next word to him
    assert sum(map(len, house.app.state.house.watchers.values())) == 0, "nobody is remembered who has gone"


# A hash of cards that can be guessed is as good as the cards


def _guessed(entries: list[dict[str, Any]], known: Entry, seen: set[str]) -> str | None:
    """The hole card, found by trying all 52 against the published hash of the entry that holds it."""
    published = next(entry for entry in entries if entry["seq"] == known.seq)
    if not published.get("hash"):
        return None
    hole = next(card for card in known.data["drawn"].split() if card not in seen)
    for guess in map(show_card, range(52)):
        payload = known.payload.replace(f'"{hole}"', f'"{guess}"').replace(f" {hole}", f" {guess}")
        fields = known.fields() | {"payload": payload} | {name: published[name] for name in ("at", "day", "actor", "role")}
        if digest(known.seq, str(published.get("previous", "")), fields) == published["hash"]:
            return guess
    return None


def test_the_hash_of_a_live_entry_does_not_give_its_cards_away(served: Served) -> None:
    """An auditor sees the hash of the deal while the hole card is face down. Nothing but cards may be unknown in it."""
    with at(served, "hashed", "lucky-lucky-wa", "virtual-shoe", settings={"decks": 1}) as round_:
        while True:
            round_.bet({1: "Ann"})
            round_.done("dealer", "no-more-bets")
            seq = round_.done("dealer", "deal")
            if round_.truth.round.phase == Phase.DECIDING:
                break
            round_.done("dealer", "settle")
        auditor = round_.by("auditor")
        entries = auditor.client.get(f"{API}/journal", params={"after": seq - 1}).json()["entries"]
        deal = served.app.state.house.floor.store.entry(seq)
        fresh = {"salt", "nonce"} & deal.data.keys()  # a secret in the payload would be unknown to whoever guesses
        hole = show_card(unfolded(round_.truth).hands[DEALER][1])
        assert fresh or _guessed(entries, deal, round_.may_see(auditor)) != hole


# BJ-9: the shoe that runs out


def test_bj_9_a_shoe_that_runs_out_in_a_round_is_not_revealed_before_the_round_is_over(served: Served) -> None:
    rng = random.Random(5)
    with at(served, "runs out", "lucky-lucky-wa", "virtual-shoe", settings={"decks": 1}) as round_:
        for reader in round_.readers:
            for stream in reader.streams:
                stream.close()
            reader.streams = []
        round_.readers = [reader for reader in round_.readers if reader.role in {"guest", "dealer", "supervisor", "auditor"}]
        assert any(_until_the_shoe_runs_out(round_, rng) for _ in range(2_000)), "no shoe ran out with a hole card face down"


def _until_the_shoe_runs_out(round_: Round, rng: random.Random) -> bool:
    """A round in which everybody hits; whether the shoe ran out with its hole card face down, and replays were asked."""
    last = round_.truth.round.number > 1 and round_.by("Ann").client.get(round_.path).json()["last"]
    shoe = round_.truth.shoe.id
    few = round_.truth.shoe.size - round_.truth.shoe.used
    seats = dict.fromkeys(range(1, 8 if 16 <= few <= 24 else 3), "Ann")
    for seat in seats:
        Served.must(round_.by("Ann").client.post(f"{round_.path}/bet", json={"seat": seat, "wager": "blackjack", "cents": 500}))
    for kind in ("no-more-bets", "deal"):
        Served.must(round_.by("dealer").client.post(f"{round_.path}/{kind}"))
    while round_.truth.round.phase == Phase.DECIDING:
        made = unfolded(round_.truth)
        if round_.truth.shoe.id != shoe and last:
            hole = show_card(made.hands[DEALER][1])
            for reader in round_.readers:
                told = reader.client.get(f"{API}/rounds/{last['seq']}").json()["shoe"]
                assert not told["revealed"], f"{reader.role} reads the hole card {hole} in the revealed shoe"
            return True
        seat = min(made.to_act)
        choice = "hit" if "hit" in made.to_act[seat] else made.to_act[seat][-1]
        body = {"seat": seat, "choice": choice}
        Served.must(round_.by("Ann").client.post(f"{round_.path}/decide", json=body))
    Served.must(round_.by("dealer").client.post(f"{round_.path}/settle"))
    round_.by("Ann").client.post(f"{API}/demo/chips")
    return False


def test_the_floor_tells_what_happened_in_the_names_of_its_time(served: Served) -> None:
    floor, path = served.staff("supervisor"), f"{API}/tables/Anew"
    served.open_table("Anew", "ez-pai-gow-wa")
    served.must(served.guest("Ana").post(f"{path}/bet", json={"seat": 1, "wager": "base", "cents": 10_000}))
    served.must(floor.post(f"{path}/no-more-bets", json={"dice": 1}))
    change = {"seat": 1, "wager": "base", "stake_cents": 20_000, "reason": "miscounted"}
    served.must(floor.post(f"{path}/change-bet", json=change))

    def told() -> list[str]:
        return [event["text"] for event in floor.get(f"{API}/floor").json()["events"] if event["event"] == "bet-changed"]

    then = told()
    assert len(then) == 1 and "Base wager" in then[0]
    served.must(floor.post(f"{path}/void", json={"reason": "misdeal"}))
    served.must(floor.post(f"{path}/close"))
    served.open_table("Anew", "ez-baccarat-wa")
    assert told() == then


def test_theory_follows_a_correction(served: Served) -> None:
    floor, path = served.staff("supervisor"), f"{API}/tables/Hold"
    served.open_table("Hold", "ez-baccarat-wa", "manual-keypad")
    served.must(served.guest("Hol").post(f"{path}/bet", json={"seat": 1, "wager": "banker", "cents": 10_000}))
    for kind, body in (("no-more-bets", {}), ("result", {"result": "banker-win"}), ("settle", {})):
        served.must(floor.post(f"{path}/{kind}", json=body))

    def theory() -> Any:
        while not (known := next(t for t in floor.get(f"{API}/floor").json()["tables"] if t["name"] == "Hold")["theory"]):
            time.sleep(0.05)
        return known

    before = theory()
    truth = {"round": 1, "seat_bets": {"1": [["banker", 30_000]]}, "reason": "miscounted"}
    served.must(floor.post(f"{path}/correct", json=truth))
    assert (before["handle_cents"], theory()["handle_cents"]) == (10_000, 30_000)
    assert theory()["expected_cents"] == pytest.approx(3 * before["expected_cents"], abs=2)
    assert theory()["bets"] == before["bets"] == 1


def test_a_settled_round_is_told_as_it_stands_to_staff(served: Served) -> None:
    floor, path = served.staff("supervisor"), f"{API}/tables/Stands"
    served.open_table("Stands", "lucky-lucky-wa")
    guest = served.guest("Sta")
    for wager, cents in (("blackjack", 2_000), ("lucky-lucky", 500)):
        served.must(guest.post(f"{path}/bet", json={"seat": 3, "wager": wager, "cents": cents}))
    served.must(floor.post(f"{path}/no-more-bets"))
    served.must(floor.post(f"{path}/card", json={"cards": "6s 9h 7s 8c"}))
    served.must(floor.post(f"{path}/decide", json={"seat": 3, "choice": "stand"}))
    served.must(floor.post(f"{path}/settle"))
    served.must(floor.post(f"{path}/correct", json={"round": 1, "seat_bets": {"3": [["blackjack", 1_000]]}, "reason": "why"}))
    told = served.must(floor.get(f"{path}/rounds/1"))
    spot = {"seat": 3, "guest": "Sta", "bets": {"blackjack": 1_000}, "for_dealer": {}, "choices": ["stand"]}
    assert (told["cards"], told["seats"], told["is_void"]) == (["6s", "9h", "7s", "8c"], [spot], False)
    assert any("why" in words for words in told["corrected"])
    assert guest.get(f"{path}/rounds/1").status_code == 403
    assert floor.get(f"{path}/rounds/2").json()["code"] == "no-such-round"
