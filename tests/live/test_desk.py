"""Where several processes serve a house one carries out the commands of all: as if each had done it by itself."""

import asyncio
import random
import socket
import struct
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from sessions import CAT, DAN, ROOT, SUE

from houseway.house.audit import Auditor
from houseway.house.desk import AtDesk, Desk
from houseway.house.floor import Floor, GivenCommand
from houseway.house.neighbours import Neighbours
from houseway.house.outage import outage_of
from houseway.house.store import Writer
from houseway.refusal import Refused
from houseway.table.entry import Entry
from houseway.table.fold import BACKUP
from houseway.table.plain import as_json
from houseway.web.served import ServedHouse

OpenFloor = Callable[[str], Floor]
TABLES = ("t1", "t2", "t3")


def bet(table: str, seat: int, cents: int = 1_000, wager: str = "banker") -> dict[str, object]:
    return {"kind": "bet", "table": table, "seat": seat, "guest": "ann", "wager": wager, "cents": cents}


def given(*commands: dict[str, object], key: str = "") -> list[GivenCommand]:
    return [GivenCommand(command, DAN, key) for command in commands]


@pytest.fixture
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:  # short: a socket's name has some hundred characters at most
        yield Path(name)


@pytest.fixture
def floor(store_url: str, open_floor: OpenFloor) -> Floor:
    floor = open_floor(store_url)
    floor.do({"kind": "fund", "cents": 10**9}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opening = {"edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 10**8}
    for table in TABLES:
        floor.do({"kind": "open", "table": table, **opening}, SUE)
    return floor


@pytest.fixture
def desk(floor: Floor, folder: Path) -> ServedHouse:
    """The house of the process that carries commands out, with somebody at its desk."""
    floor.neighbours = Neighbours(folder)
    house = ServedHouse(floor)
    at = Desk(folder, house.do_for_others)
    threading.Thread(target=at.answer_for_ever, daemon=True).start()
    return house


class Serving:
    """A process that serves, as far as its house goes: one event loop, in which everybody asks."""

    def __init__(self, floor: Floor, folder: Path) -> None:
        self.house = ServedHouse(floor)
        self.house.desk = AtDesk(folder, self.house.follow)
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    @property
    def seq(self) -> int:
        return self.house.seq

    def state(self) -> object:
        return as_json(self.house.state)

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def ask(self, *commands: GivenCommand) -> list[Any]:
        """What became of commands that come in the same moment."""

        async def asked() -> list[Any]:
            each = (self.house.do_soon(given.command, given.actor, given.key) for given in commands)
            return await asyncio.gather(*each, return_exceptions=True)

        became: list[Any] = self.run(asked())
        return became


@pytest.fixture
def workers(desk: ServedHouse, open_floor: OpenFloor, folder: Path) -> list[Serving]:
    """Two processes that serve, on the same store."""
    serving = [Serving(open_floor(desk.floor.store.url), folder) for _ in range(2)]
    for one in serving:
        one.house.floor.neighbours = Neighbours(folder)
    return serving


async def followed(_: object) -> None:
    """Whoever has no house has nothing to follow."""


def at_desk(folder: Path, *commands: dict[str, object]) -> list[Any]:
    """What somebody is told at the desk who has no house."""

    async def asked() -> list[Any]:
        at = AtDesk(folder, followed)
        return await asyncio.gather(*map(at.ask, given(*commands)), return_exceptions=True)

    return asyncio.run(asked())


def codes(became: list[Entry | Exception]) -> list[str]:
    return [each.code if isinstance(each, Refused) else each.kind for each in became if isinstance(each, Refused | Entry)]


def test_who_serves_has_what_was_carried_out_and_handles_nothing(
    desk: ServedHouse, workers: list[Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = workers
    with monkeypatch.context() as patched:
        patched.setattr(Floor, "_fold", lambda *_: pytest.fail("it was folded, and not taken over"))
        became = one.ask(*given(bet("t1", 1), {"kind": "settle", "table": "t1"}, bet("t1", 2)))
        assert codes(became) == ["bet", "wrong-phase", "bet"]
        assert [each.seq for each in became if isinstance(each, Entry)] == [one.seq - 1, one.seq]
        played = [{"kind": kind, "table": "t1"} for kind in ("no-more-bets", "deal", "settle")]
        assert codes(other.ask(*given(*played))) == ["no-more-bets", "deal", "settle"]
        one.house.refresh((desk.floor.seq, desk.floor.hash))
    assert one.state() == other.state() == as_json(desk.floor.state)
    assert became[0] == desk.floor.store.entry(became[0].seq)  # type: ignore[union-attr]
    assert Auditor(desk.floor.store).run().flaw is None


def test_all_come_at_once_and_each_has_his_own_answer(desk: ServedHouse, workers: list[Serving]) -> None:
    """In three threads each: every answer is of what was asked, and every cent is where the tables say."""
    rng, failed = random.Random(3), list[str]()
    seats = {serving: TABLES[place] for place, serving in enumerate(workers)}

    def play(serving: Serving) -> None:
        for _ in range(40):
            seat, cents = rng.randint(1, 7), rng.choice((500, 1_000, 10**9))
            (became,) = serving.ask(*given(bet(seats[serving], seat, cents)))
            command = became.data["command"] if isinstance(became, Entry) else None
            is_right = command == bet(seats[serving], seat, cents) if cents < 10**9 else isinstance(became, Refused)
            if not is_right:
                failed.append(f"{seat} {cents}: {became}")

    threads = [threading.Thread(target=play, args=(serving,)) for serving in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    for serving in workers:
        serving.house.refresh()
        assert serving.state() == as_json(desk.floor.state)
    assert Auditor(desk.floor.store).run().flaw is None


def test_a_key_has_one_effect_wherever_it_is_sent(desk: ServedHouse, workers: list[Serving]) -> None:
    first = workers[0].ask(*given(bet("t1", 1), key="once"))
    for seat in range(1, 6):
        workers[1].ask(*given(bet("t2", seat)))
    assert workers[1].ask(*given(bet("t1", 1), key="once")) == first
    (reused,) = workers[0].ask(*given(bet("t1", 2), key="once"))
    assert isinstance(reused, Refused) and reused.code == "key-reused"


def test_what_others_write_to_the_store_is_heeded(desk: ServedHouse, workers: list[Serving], open_floor: OpenFloor) -> None:
    """A shell, another machine, and who serves for what is no command: the desk's head has moved, and it goes on from there."""
    shell = open_floor(desk.floor.store.url)
    shell.do(bet("t1", 1), DAN)
    assert codes(workers[0].ask(*given({"kind": "no-more-bets", "table": "t1"}))) == ["no-more-bets"]
    workers[1].house.refresh()
    workers[1].house.do({"kind": "deal", "table": "t1"}, DAN)
    assert codes(workers[0].ask(*given({"kind": "settle", "table": "t1"}))) == ["settle"]
    assert Auditor(desk.floor.store).run().flaw is None


def test_where_nobody_is_at_the_desk_who_serves_does_it_himself(floor: Floor, folder: Path) -> None:
    assert codes(Serving(floor, folder).ask(*given(bet("t1", 1)))) == ["bet"]


def test_a_store_that_fails_is_told_as_such_and_nothing_has_happened(
    desk: ServedHouse, workers: list[Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    before = desk.floor.seq
    with monkeypatch.context() as patched:
        patched.setattr("houseway.house.store.Writer.finish", lose)
        patched.setattr("houseway.house.store.Writer.flush", lose)
        (became,) = workers[0].ask(*given(bet("t1", 1)))
    assert isinstance(became, Exception) and not isinstance(became, Refused) and outage_of(became)
    assert desk.floor.seq == before == desk.floor.store.head()[0]
    assert codes(workers[0].ask(*given(bet("t1", 1)))) == ["bet"]


def test_an_error_that_cannot_be_sent_is_told_by_its_words(floor: Floor, folder: Path) -> None:
    class OddError(Exception):
        """Cannot be pickled: it is of this function."""

    def fails(*_: object) -> tuple[tuple[int, str], list[Entry | Exception]]:
        raise OddError("what now")

    threading.Thread(target=Desk(folder, fails).answer_for_ever, daemon=True).start()
    assert [str(each) for each in at_desk(folder, bet("t1", 1), bet("t1", 2))] == ["OddError: what now"] * 2


class TwoWordsError(Exception):
    """Is pickled, and cannot be read again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def test_an_error_that_cannot_be_read_again_spoils_no_other_answer(folder: Path) -> None:
    def half(*_: object) -> tuple[tuple[int, str], list[Entry | Exception]]:
        return (0, ""), [TwoWordsError("what", "now"), Refused("no", "it is not")]

    threading.Thread(target=Desk(folder, half).answer_for_ever, daemon=True).start()
    assert [type(each).__name__ for each in at_desk(folder, bet("t1", 1), bet("t1", 2))] == ["RuntimeError", "Refused"]


def test_nonsense_and_half_a_message_keep_nobody_waiting(
    desk: ServedHouse, workers: list[Serving], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.house.desk.SECONDS_FOR_A_MESSAGE", struct.pack("ll", 0, 200_000))
    for message in (b"\0\0\0\x05what?", b"\0\0\1\0half of it"):
        visitor = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        visitor.connect(str(folder / "desk"))
        visitor.sendall(message)
        assert codes(workers[0].ask(*given(bet("t1", 1)))) == ["bet"]
        assert visitor.recv(1) == b"", "whoever says it is shown out"


def test_a_head_that_is_not_committed_is_told_to_nobody(
    desk: ServedHouse, workers: list[Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread of the desk's process, that of the backups, waits for its commit while commands come, and then fails."""
    commits, goes_on = threading.Event(), threading.Event()
    finish = Writer.finish

    def held(writer: Writer) -> None:
        if threading.current_thread().name == "backup":
            commits.set()
            goes_on.wait(30)
            raise psycopg.OperationalError("the connection is lost")
        finish(writer)

    def note() -> None:
        with suppress(Exception):
            desk.note(BACKUP, ROOT, {"file": "b1"})

    monkeypatch.setattr(Writer, "finish", held)
    monkeypatch.setattr("houseway.web.served.WAIT_SECONDS", 0.3)
    thread = threading.Thread(target=note, name="backup")
    thread.start()
    assert commits.wait(30)
    (became,) = workers[0].ask(*given(bet("t1", 1)))
    assert isinstance(became, Refused) and became.code == "busy-now"
    goes_on.set()
    thread.join()
    assert codes(workers[0].ask(*given(bet("t1", 1)))) == ["bet"]
    assert workers[0].state() == as_json(desk.floor.state) and workers[0].seq == desk.floor.store.head()[0]


def test_an_attempt_that_cannot_be_noted_is_the_matter_of_whoever_tried(
    desk: ServedHouse, workers: list[Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_: object) -> None:
        raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(Floor, "note", lose)
    done, tried = workers[0].ask(*given(bet("t1", 1), {"kind": "fund", "cents": 100}))
    assert isinstance(done, Entry) and isinstance(tried, psycopg.OperationalError)


def test_a_desk_that_is_gone_before_it_answers_is_not_taken_for_a_refusal(folder: Path) -> None:
    """Whether it was done is in the journal: nobody does it again unasked."""

    def leaves(*_: object) -> tuple[tuple[int, str], list[Entry | Exception]]:
        for visitor in desk._visitors:
            visitor.close()
        desk._visitors.clear()
        return (0, ""), [Refused("too-late", "nobody hears it")]

    desk = Desk(folder, leaves)
    threading.Thread(target=desk.answer_for_ever, daemon=True).start()
    (became,) = at_desk(folder, bet("t1", 1))
    assert isinstance(became, ConnectionError) and "whether it did is in the journal" in str(became)


def test_more_than_a_message_holds_is_carried_out_too(desk: ServedHouse, workers: list[Serving]) -> None:
    many = [bet(table, seat, 500 + 100 * turn) for turn in range(20) for table in TABLES for seat in range(1, 8)]
    assert codes(workers[0].ask(*given(*many))) == ["bet"] * len(many)
    assert workers[0].state() == as_json(desk.floor.state)


def test_a_desk_that_hangs_keeps_nobody_waiting_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped, it takes what it is told and never answers; what it answers later is nobody's. Whoever waits asks it anew."""
    monkeypatch.setattr("houseway.house.desk.SECONDS_FOR_AN_ANSWER", 0.2)
    goes_on = threading.Event()

    def hangs(commands: Sequence[GivenCommand], more: object) -> tuple[tuple[int, str], list[Entry | Exception]]:
        if commands[0].command["seat"] == 1:
            goes_on.wait(60)
        return (0, ""), [Refused("no", f"not at seat {given.command['seat']}") for given in commands]

    async def ask() -> list[Any]:
        at = AtDesk(folder, followed)
        first = asyncio.create_task(at.ask(*given(bet("t1", 1))))
        await asyncio.wait([first], timeout=0.1)
        others = [asyncio.create_task(at.ask(*given(bet("t1", seat)))) for seat in (2, 3)]
        await asyncio.wait([first])
        monkeypatch.setattr("houseway.house.desk.SECONDS_FOR_AN_ANSWER", 60)
        goes_on.set()
        return await asyncio.gather(first, *others, return_exceptions=True)

    threading.Thread(target=Desk(folder, hangs).answer_for_ever, daemon=True).start()
    hung, *told = asyncio.run(ask())
    assert isinstance(hung, ConnectionError) and "does not answer: whether it did is in the journal" in str(hung)
    assert outage_of(hung), "a page is told that it cannot be done now, and not that somebody made a mistake"
    assert [str(each) for each in told] == ["not at seat 2", "not at seat 3"]


def test_a_desk_that_takes_nothing_keeps_nobody_waiting_either(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than fits between the two: it is not taken for nobody, and what it has is no command."""
    monkeypatch.setattr("houseway.house.desk.SECONDS_FOR_AN_ANSWER", 0.2)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as deaf:
        deaf.bind(str(folder / "desk"))
        deaf.listen()
        told = at_desk(folder, *[{"kind": "bet", "table": "t1", "why": "x" * 60_000}] * 8)
    assert [isinstance(each, ConnectionError) and "does not answer" in str(each) for each in told] == [True] * 8


def test_who_waits_for_too_long_until_the_desk_is_asked_is_told_that_nothing_was_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is at others'; and what was given up is never carried out."""
    monkeypatch.setattr("houseway.house.desk.SECONDS_UNTIL_ASKED", 0.2)
    goes_on, asked = threading.Event(), list[object]()

    def slow(commands: Sequence[GivenCommand], more: object) -> tuple[tuple[int, str], list[Entry | Exception]]:
        asked.extend(given.command["seat"] for given in commands)
        goes_on.wait(60)
        return (0, ""), [Refused("no", "not here")] * len(commands)

    async def ask() -> list[Any]:
        at = AtDesk(folder, followed)
        first = asyncio.create_task(at.ask(*given(bet("t1", 1))))
        await asyncio.wait([first], timeout=0.1)
        late = asyncio.create_task(at.ask(*given(bet("t1", 2))))
        await asyncio.wait([late])
        goes_on.set()
        return await asyncio.gather(first, late, return_exceptions=True)

    threading.Thread(target=Desk(folder, slow).answer_for_ever, daemon=True).start()
    first, late = asyncio.run(ask())
    assert (first.code, late.code) == ("no", "busy-now") and asked == [1]


def test_who_hangs_up_takes_no_answer_of_anybody_else(desk: ServedHouse, workers: list[Serving]) -> None:
    """A guest's browser goes away while his command is under way: it is carried out, and the others are answered."""

    async def ask() -> list[Any]:
        house = workers[0].house
        each = [asyncio.create_task(house.do_soon(bet("t1", seat), DAN)) for seat in range(1, 6)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        each[2].cancel()
        return await asyncio.gather(*each, return_exceptions=True)

    told = workers[0].run(ask())
    assert [isinstance(each, Entry) for each in told] == [True, True, False, True, True]
    assert [entry.data["command"]["seat"] for entry in told if isinstance(entry, Entry)] == [1, 2, 4, 5]
