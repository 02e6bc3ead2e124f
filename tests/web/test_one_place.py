"""A table is watched in one place: of several processes that serve a house one has all its streams, and misses nothing."""

import asyncio
import json
import os
import re
import resource
import shutil
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from houses import PATIENCE, run_apart
from programs import Program, ready, started, until
from test_tls_and_proxy import certificate

from houseway.web.one_place import STREAM, OnePlace
from houseway.web.served import HEARTBEAT_SECONDS

API = "/api/v1"
TABLES = ("Baccarat 1", "Blackjack 1", "Duki 1", "Pai Gow 1")
PATHS = {name: f"{API}/tables/{quote(name)}/stream" for name in TABLES} | {
    "lobby": f"{API}/stream",
    "board": f"{API}/boards/{quote(TABLES[0])}/stream",
}


class Watching:
    """A stream on a connection of its own, over a bare socket: who has its other end can be seen."""

    def __init__(self, program: Program, path: str, first: str = "", more: bytes = b"") -> None:
        port = urlsplit(program.url).port
        assert port
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.text = b""
        if first:  # the connection has been used before
            self.socket.sendall(f"GET {first} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            length = int(self.until(rb"content-length: (\d+)\r\n.*?\r\n\r\n")[1])
            self.until(rb"\r\n\r\n.{%d}" % length)
            self.text = b""
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n".encode() + more + b"\r\n")

    def until(self, pattern: bytes) -> re.Match[bytes]:
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text, re.DOTALL)):
            assert time.monotonic() < end, f"this has not come: {pattern!r}, but {self.text[-2000:]!r}"
            came = self.socket.recv(65_536)
            assert came, f"the house hung up: {self.text[-300:]!r}"
            self.text += came
        return found

    @classmethod
    def over(cls, visitor: socket.socket, path: str) -> "Watching":
        """On a connection that is being made."""
        self = cls.__new__(cls)
        visitor.settimeout(PATIENCE)
        self.socket, self.text = visitor, b""
        until(lambda: not visitor.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) and _is_connected(visitor))
        visitor.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        return self

    def began(self, with_: bytes = rb"^HTTP/1.1 200 .*\nid: \d+\nevent: view\n") -> "Watching":
        self.until(with_)
        return self

    def sees(self, seq: int) -> None:
        """An event of this entry or a later one comes."""
        end = time.monotonic() + PATIENCE
        while not any(int(each) >= seq for each in re.findall(rb"\nid: (\d+)\n", self.text)):
            assert time.monotonic() < end, f"entry {seq} was not told: {self.text[-300:]!r}"
            came = self.socket.recv(65_536)
            assert came, "the house hung up"
            self.text += came

    def server(self, processes: list[int]) -> int:
        """The process that has the other end; for a moment two have, while it is handed over."""
        here, there = (f":{name[1]:04X}" for name in (self.socket.getsockname(), self.socket.getpeername()))
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        inode = next(row[9] for row in rows if row[1].endswith(there) and row[2].endswith(here))
        (process,) = until(lambda: len(having := _having(inode, processes)) == 1 and having)
        return int(process)

    def close(self) -> None:
        self.socket.close()


def _is_connected(visitor: socket.socket) -> bool:
    try:
        visitor.getpeername()
    except OSError:
        return False
    return True


def _having(inode: str, processes: list[int]) -> list[int]:
    """The processes that have a socket."""
    having = []
    for process in processes:
        with suppress(FileNotFoundError):  # a file or a process that has just gone
            files = {str(file.readlink()) for file in Path(f"/proc/{process}/fd").iterdir()}
            having += [process] if f"socket:[{inode}]" in files else []
    return having


@contextmanager
def watching(program: Program, paths: dict[str, str], each: int, first: str = "") -> Iterator[dict[str, list[Watching]]]:
    """So many streams of each, all of which have begun."""
    with ExitStack() as opened:
        found: dict[str, list[Watching]] = {}
        for name in [*paths] * each:
            stream = Watching(program, paths[name], first)
            opened.callback(stream.close)
            found.setdefault(name, []).append(stream)
        for stream in (stream for streams in found.values() for stream in streams):
            stream.began()
        yield found


def places(program: Program, folder: Path) -> list[Path]:
    """The sockets of the processes that take streams over."""
    return sorted(folder.glob("houseway-*/*.streams")) if program.process.poll() is None else []


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as name:  # short: a socket's name has some hundred characters at most
        yield Path(name)


@pytest.fixture(scope="module")
def house(postgresql: Any, folder: Path) -> Iterator[Program]:
    program = started(folder, "--workers", "2", "--limit", "connections=500", store=postgresql.create(), TMPDIR=str(folder))
    with ready(program):
        until(lambda: len(places(program, folder)) == 2)
        yield program


@pytest.fixture
def ann(house: Program) -> httpx.Client:
    with house.client() as client:
        name = f"Ann {time.monotonic_ns() % 10**6}"
        token = client.post(f"{API}/guests", json={"name": name}).json()["token"]
    return house.client(token)


@pytest.mark.parametrize("first", ["", f"{API}/tables"], ids=["new", "used-before"])
def test_all_streams_of_a_table_are_in_one_process_and_those_of_all_tables_in_both(house: Program, first: str) -> None:
    with watching(house, PATHS, 5, first) as streams:
        processes = house.left()
        where = {name: {stream.server(processes) for stream in each} for name, each in streams.items()}
    assert [name for name, each in where.items() if len(each) > 1] == [], str(where)
    assert len(set.union(*where.values())) == 2, "the tables are spread over both"
    assert where["board"] == where[TABLES[0]], "a table's scoreboard is made where the table is"


def test_of_many_who_come_at_once_each_process_has_its_part(house: Program) -> None:
    processes, port = house.left(), urlsplit(house.url).port
    with ExitStack() as opened:
        for _ in range(3):
            each = [opened.enter_context(socket.socket()) for _ in range(60)]
            for visitor in each:
                visitor.setblocking(False)
                visitor.connect_ex(("127.0.0.1", port))
            asked = [Watching.over(visitor, "/healthz") for visitor in each]
            where = Counter(stream.began(b"^HTTP/1.1 200 ").server(processes) for stream in asked)
            assert min(where.values()) >= 12 and len(where) == 2, str(where)


def test_who_can_have_no_more_connections_leaves_them_to_the_others(postgresql: Any, tmp_path: Path) -> None:
    """As many files as it may open, and not one more: nobody is turned away, and later it lets visitors in again."""
    program = started(tmp_path, "--workers", "2", "--limit", "connections=500", store=postgresql.create())
    with ready(program), ExitStack() as opened:
        processes = until(lambda: len(found := _serving(program)) == 2 and found)
        full = processes[0]
        resource.prlimit(full, resource.RLIMIT_NOFILE, (len(list(Path(f"/proc/{full}/fd").iterdir())) + 3, 4_096))
        come = [Watching(program, "/healthz") for _ in range(40)]
        for visitor in come:
            opened.callback(visitor.close)
        where = Counter(visitor.began(b"^HTTP/1.1 200 ").server(processes) for visitor in come)
        assert where[processes[1]] >= 30, str(where)
        resource.prlimit(full, resource.RLIMIT_NOFILE, (4_096, 4_096))

        def lets_somebody_in() -> bool:
            more = [Watching(program, "/healthz") for _ in range(20)]
            for visitor in more:
                opened.callback(visitor.close)
            return any(visitor.began(b"^HTTP/1.1 200 ").server(processes) == full for visitor in more)

        until(lets_somebody_in)


def _serving(program: Program) -> list[int]:
    """The processes that have the house's door, but for their parent."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    door = next(row[9] for row in rows if row[1].endswith(f":{urlsplit(program.url).port:04X}") and row[3] == "0A")
    return [process for process in _having(door, program.left()) if process != program.process.pid]


def test_every_stream_sees_every_command_whoever_was_asked_for_it(house: Program, ann: httpx.Client) -> None:
    with watching(house, PATHS, 3) as streams:
        for cents in range(1, 8):
            for name in TABLES:
                answer = ann.post(f"{API}/tables/{quote(name)}/tip", json={"cents": cents})
                assert answer.status_code == 200, answer.text
                for stream in [*streams[name], *streams["lobby"]]:
                    stream.sees(answer.json()["seq"])


def test_a_stream_that_missed_something_is_told_it_though_it_was_handed_over(house: Program, ann: httpx.Client) -> None:
    path = PATHS["Duki 1"]
    first, second = (ann.post(f"{API}/tables/Duki 1/{kind}", json={"seat": 2}).json()["seq"] for kind in ("sit", "leave"))
    for _ in range(4):
        stream = Watching(house, path, more=f"Last-Event-ID: {first}\r\n".encode())
        told = stream.until(rb"event: happened\ndata: (\{.*?\})\n\n")
        assert json.loads(told[1])["seq"] == second
        stream.close()


def test_a_stream_ends_with_its_session_in_whatever_process_that_ended(house: Program) -> None:
    """Of a guest without an account no entry tells. Each table's streams are elsewhere than half of those who log out."""
    for name in TABLES * 2:
        with house.client() as door:
            token = door.post(f"{API}/guests", json={"name": f"Leaving {time.monotonic_ns() % 10**8}"}).json()["token"]
        stream = Watching(house, PATHS[name], more=f"Authorization: Bearer {token}\r\n".encode()).began()
        began = time.monotonic()
        with house.client(token) as guest:
            assert guest.delete(f"{API}/session").status_code == 204
        stream.until(rb"\r\n0\r\n\r\n")
        assert time.monotonic() - began < HEARTBEAT_SECONDS / 2, "it is told, and not found at the next heartbeat"


def test_the_streams_of_a_locked_screen_end_in_whatever_process_they_are(house: Program) -> None:
    password = until(lambda: house.passwords().get("dealer"))
    for name in TABLES:
        with house.client() as door:
            session = door.post(f"{API}/session", json={"name": "dealer", "password": password}).json()
        changed = session.get("needs")
        if changed:  # the first password is to be changed
            with house.client(session["token"]) as dealer:
                own = "seven green felts, five doors"
                given = {"password": password, "new_password": own}
                assert dealer.post(f"{API}/account/password", json=given).status_code in {200, 204}
            password = own
            with house.client() as door:
                session = door.post(f"{API}/session", json={"name": "dealer", "password": password}).json()
        bearer = f"Authorization: Bearer {session['token']}\r\n".encode()
        stream = Watching(house, PATHS[name], more=bearer).began()
        began = time.monotonic()
        with house.client(session["token"]) as dealer:
            assert dealer.post(f"{API}/session/lock").status_code in {200, 204}
        stream.until(rb"\r\n0\r\n\r\n")
        assert time.monotonic() - began < HEARTBEAT_SECONDS / 2


def test_what_stands_within_a_head_is_no_request(house: Program) -> None:
    """Cut so that the rest of a head begins like a request for a stream, on a connection that was used before."""
    for path in [*PATHS.values()] * 2:
        odd = Watching(house, f"{API}/nothing1")
        odd.until(rb"^HTTP/1.1 404 .*?\r\n\r\n\{.*\}")
        odd.text = b""
        odd.socket.sendall(f"GET {API}/nothing2 HTTP/1.1\r\nHost: x\r\nX-A: ".encode())
        time.sleep(0.1)  # so that it comes as two
        odd.socket.sendall(f"GET {path} HTTP/1.1\r\n\r\n".encode())
        assert odd.until(rb"^HTTP/1.1 (\d+) ")[1] == b"404", odd.text
        odd.close()


def test_an_answer_that_waits_to_be_sent_is_sent_before_a_stream_is_handed_over(house: Program) -> None:
    """Somebody reads slowly, and asks for a stream behind long answers."""
    port = urlsplit(house.url).port
    length = int(httpx.get(f"{house.url}{API}/openapi.json", timeout=PATIENCE).headers["content-length"])
    for path in (PATHS["Baccarat 1"], PATHS["Blackjack 1"]):  # of both processes: one is not the one that is asked
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.settimeout(PATIENCE)
            slow.connect(("127.0.0.1", port))
            for _ in range(6):
                slow.sendall(f"GET {API}/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                time.sleep(0.05)
            slow.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            time.sleep(0.3)
            text = b""
            while b"\nevent: view\n" not in text:
                came = slow.recv(1 << 20)
                assert came, "the house hung up"
                text += came
            for _ in range(6):
                head, _, text = text.partition(b"\r\n\r\n")
                assert b"text/event-stream" not in head
                text = text[length:]
            assert text.startswith(b"HTTP/1.1 200 OK"), "the stream stands after all answers, whole"


def test_a_worker_that_a_signal_adds_takes_part(postgresql: Any) -> None:
    with TemporaryDirectory() as name:
        program = started(Path(name), "--workers", "2", store=postgresql.create(), TMPDIR=name)
        with ready(program):
            until(lambda: len(places(program, Path(name))) == 2)
            program.process.send_signal(signal.SIGTTIN)
            until(lambda: len(places(program, Path(name))) == 3, 3 * PATIENCE)
            with watching(program, PATHS, 3) as streams:
                where = {name: {one.server(program.left()) for one in each} for name, each in streams.items()}
            assert [name for name, each in where.items() if len(each) > 1] == [], str(where)
            assert program.told_to_end() == 0


def test_workers_that_a_signal_replaces_take_part(postgresql: Any) -> None:
    with TemporaryDirectory() as name:
        program = started(Path(name), "--workers", "2", store=postgresql.create(), TMPDIR=name)
        with ready(program):
            before = until(lambda: len(found := places(program, Path(name))) == 2 and found)
            program.process.send_signal(signal.SIGHUP)
            until(lambda: len(found := places(program, Path(name))) == 2 and not {*found} & {*before}, 6 * PATIENCE)
            with watching(program, PATHS, 3) as streams:
                where = {name: {one.server(program.left()) for one in each} for name, each in streams.items()}
            assert [name for name, each in where.items() if len(each) > 1] == [], str(where)
            assert program.told_to_end() == 0


def test_what_is_not_there_is_refused_whoever_is_asked(house: Program) -> None:
    for kind in ("tables", "boards"):
        for _ in range(4):
            stream = Watching(house, f"{API}/{kind}/no%20such/stream")
            assert stream.until(rb"^HTTP/1.1 (\d+) ")[1] == b"404"
            stream.close()


def test_a_process_that_is_gone_is_passed_over(house: Program, folder: Path) -> None:
    """Its socket is still there, and nobody reads it any more."""
    (shared,) = {place.parent for place in places(house, folder)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as gone:
        gone.bind(str(shared / "0-gone.streams"))
    with watching(house, PATHS, 4):
        pass
    until(lambda: len(places(house, folder)) == 2)


def test_where_one_has_no_room_whoever_was_asked_answers(house: Program, folder: Path) -> None:
    (shared,) = {place.parent for place in places(house, folder)}
    full = shared / "0-full.streams"
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as deaf,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other,
    ):
        deaf.bind(str(full))
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            for _ in range(10_000):
                other.sendto(b"x", str(full))
        try:
            with watching(house, PATHS, 4):
                pass
        finally:
            full.unlink()


def test_what_nobody_sent_as_a_request_harms_no_process(house: Program, folder: Path) -> None:
    """A message without a connection, and a connection that asks for nothing that can be read."""
    one, other = socket.socketpair()
    with one, other, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        for place in places(house, folder):
            sender.sendto(b"GET /api/v1/stream HTTP/1.1\r\n\r\n", str(place))
            along = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, other.fileno().to_bytes(4, "little"))]
            sender.sendmsg([b"\xff\x00 nothing\r\n\r\n"], along, 0, str(place))
        with watching(house, PATHS, 2):
            pass


def test_when_the_process_is_killed_its_watchers_come_back_to_another(postgresql: Any) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        program = started(folder, "--workers", "2", store=postgresql.create(), TMPDIR=name)
        with ready(program):
            until(lambda: len(places(program, folder)) == 2)
            with program.client() as client:
                ann = program.client(client.post(f"{API}/guests", json={"name": "Ann"}).json()["token"])
            with watching(program, PATHS, 2) as streams:
                killed = streams["Duki 1"][0].server(program.left())
                os.kill(killed, signal.SIGKILL)
                assert all(_ends(stream) for stream in streams["Duki 1"])
                until(lambda: killed not in program.left())  # and with it the last of its sockets
                again = Watching(program, PATHS["Duki 1"]).began()
                assert again.server(program.left()) != killed
                answer = until(lambda: _answered(ann))
                again.sees(answer["seq"])
            until(lambda: len(places(program, folder)) == 2 and not any(str(killed) in place.name for place in _all(folder)))
            with watching(program, PATHS, 4) as streams:
                where = {name: {one.server(program.left()) for one in each} for name, each in streams.items()}
            assert [name for name, each in where.items() if len(each) > 1] == [], str(where)


def _ends(stream: Watching) -> bool:
    try:
        while stream.socket.recv(65_536):
            pass
    except ConnectionError:
        pass
    return True


def _answered(guest: httpx.Client) -> dict[str, Any] | None:
    try:
        answer = guest.post(f"{API}/tables/Duki 1/tip", json={"cents": 2})
    except httpx.TransportError:  # the connection was the killed one's
        return None
    return dict(answer.json()) if answer.status_code == 200 else None


def _all(folder: Path) -> list[Path]:
    return list(folder.glob("houseway-*/*.streams"))


def test_what_is_encrypted_here_is_answered_where_it_was_asked(postgresql: Any) -> None:
    with TemporaryDirectory() as name:
        cert, key = certificate(Path(name), "tls")
        options = ("--workers", "2", "--tls-cert", str(cert), "--tls-key", str(key))
        program = started(Path(name), *options, store=postgresql.create(), scheme="https", TMPDIR=name)
        with ready(program):
            until(lambda: len(places(program, Path(name))) == 2)
            for path in [*PATHS.values()] * 3:
                with httpx.stream("GET", f"{program.url}{path}", verify=False, timeout=PATIENCE) as answer:
                    assert next(line for line in answer.iter_lines() if line.startswith("event:")) == "event: view"


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("GET /api/v1/tables/T1/stream HTTP/1.1", b"T1"),
        ("GET /api/v1/tables/Pai%20Gow%201/stream?x=1 HTTP/1.1", b"Pai%20Gow%201"),
        ("GET /api/v1/boards/T1/stream HTTP/1.1", b"T1"),
        ("GET /api/v1/stream HTTP/1.1", None),
    ],
)
def test_streams_are_known_by_their_first_line(asked: str, topic: bytes | None) -> None:
    found = STREAM.match(f"{asked}\r\nHost: x\r\n\r\n".encode())
    assert found and found[1] == topic


@pytest.mark.parametrize(
    "asked",
    [
        "POST /api/v1/tables/T1/stream HTTP/1.1",
        "GET /api/v1/tables/T1/streams HTTP/1.1",
        "GET /api/v1/tables/T1/seats/1/set HTTP/1.1",
        "GET /api/v1/tables/a/b/stream HTTP/1.1",
        "GET /x/api/v1/stream HTTP/1.1",
        "GET /api/v1/tables//stream HTTP/1.1",
    ],
)
def test_nothing_else_is_handed_over(asked: str) -> None:
    assert STREAM.match(f"{asked}\r\nHost: x\r\n\r\n".encode()) is None


def test_before_the_server_has_begun_nothing_is_handed_over(tmp_path: Path) -> None:
    place = OnePlace(tmp_path, lambda: ["T1"])
    request = b"GET /api/v1/tables/T1/stream HTTP/1.1\r\n\r\n"
    assert place.place_of(request) is None and not place.is_handed("x", 0, request)


def test_where_no_socket_can_be_made_nothing_is_handed_over(tmp_path: Path) -> None:
    """Its name would be too long: each process answers what it is asked."""
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    place = OnePlace(folder, lambda: ["T1"])

    async def opened() -> None:
        place.open(lambda asked: asyncio.Protocol())
        assert place.place_of(b"GET /api/v1/tables/T1/stream HTTP/1.1\r\n\r\n") is None
        place.close()

    run_apart(opened())


def test_where_the_folder_was_tidied_away_nothing_is_handed_over() -> None:
    request = b"GET /api/v1/tables/T1/stream HTTP/1.1\r\n\r\n"

    async def asked(folder: Path) -> None:
        place = OnePlace(folder, lambda: ["T1"])
        place.open(lambda asked: asyncio.Protocol())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.bind(str(folder / "0-other.streams"))
            assert place.place_of(request) == str(folder / "0-other.streams")
        shutil.rmtree(folder)
        assert place.place_of(request) is None
        place.close()

    with TemporaryDirectory() as name:
        folder = Path(name) / "shared"
        folder.mkdir()
        run_apart(asked(folder))


def test_where_no_socket_can_be_made_the_house_is_served_all_the_same(postgresql: Any, tmp_path: Path) -> None:
    """In a folder of temporary files with a long name."""
    long = tmp_path / ("x" * 90)
    long.mkdir()
    program = started(tmp_path, "--workers", "2", store=postgresql.create(), TMPDIR=str(long))
    with ready(program):
        stream = Watching(program, PATHS["Duki 1"]).began()
        token = program.client().post(f"{API}/guests", json={"name": "Ann"}).json()["token"]
        answer = program.client(token).post(f"{API}/tables/Duki 1/tip", json={"cents": 2})
        assert answer.status_code == 200, answer.text
        stream.sees(answer.json()["seq"])
