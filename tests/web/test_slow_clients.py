"""Whoever sends his request by the drop is turned away, and so is whoever takes all connections."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from houses import BOUNDLESS, PATIENCE, serving
from programs import API, Program, program, until


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    folder = tmp_path_factory.mktemp("slow")
    with program(folder, "--limit", "header_seconds=1", "--limit", "body_seconds=1") as started:
        yield started


def _connected(url: str, source: str = "127.0.0.1") -> socket.socket:
    where = urlsplit(url)
    return socket.create_connection((str(where.hostname), int(where.port or 0)), PATIENCE, source_address=(source, 0))


def _until_closed(connection: socket.socket, drip: bytes = b"") -> bytes:
    """What comes until the house hangs up, while we send a drop now and then."""
    told = b""
    connection.settimeout(0.2 if drip else PATIENCE)
    for _ in range(5 * PATIENCE):
        try:
            some = connection.recv(65_536)
            told += some
            if not some:
                return told
        except TimeoutError:
            with suppress(OSError):  # it has hung up just now: what it said before is still to be read
                connection.sendall(drip)
        except ConnectionError:
            return told
    pytest.fail("the house waits for ever")


POST = f"POST {API}/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
BEGUN = {
    "nothing": b"",
    "a line": b"GET / HTTP/1.1\r\n",
    "headers without an end": b"GET / HTTP/1.1\r\nHost: x\r\nX-One: 1\r\n",
    "half a body": POST + b"Content-Length: 90\r\n\r\n{",
    "a body in chunks": POST + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{",
    "a second request": b"GET /api/v1/session HTTP/1.1\r\nHost: x\r\n\r\nGET /api/v1/session HTTP/1.1\r\nHost: x\r\n",
}


@pytest.mark.parametrize("drip", [b"", b"X"], ids=["silent", "dripping"])
@pytest.mark.parametrize("begun", BEGUN)
def test_a_request_that_does_not_come_in_time_is_turned_away(served: Program, begun: str, drip: bytes) -> None:
    with _connected(served.url) as connection:
        connection.sendall(BEGUN[begun])
        told = _until_closed(connection, drip)
    last = told[told.rindex(b"HTTP/1.1") :]
    malformed = begun in {"nothing", "a body in chunks"} and drip  # the drops are no request, and at last no chunk any more
    assert last.split(b" ")[1] in ({b"400", b"408"} if malformed else {b"408"}), told
    assert b"Traceback" not in told
    until(served.is_open)


def test_a_slow_request_behind_a_stream_ends_it_and_puts_nothing_into_it(served: Program) -> None:
    with _connected(served.url) as connection:
        connection.sendall(f"GET {API}/stream HTTP/1.1\r\nHost: x\r\n\r\n".encode() + BEGUN["half a body"])
        told = _until_closed(connection)
    assert told.startswith(b"HTTP/1.1 200 ") and told.count(b"HTTP/1.1") == 1, told[-500:]


def test_a_stream_is_no_slow_request(served: Program) -> None:
    """Nothing more comes from whoever watches, for longer than a request may take."""
    with httpx.stream("GET", f"{served.url}{API}/stream", timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        next(lines)
        with _connected(served.url) as other:  # begun later, turned away first: the stream is still there
            assert b"408" in _until_closed(other)
        guest = f"{served.url}{API}/guests"
        until(lambda: httpx.post(guest, json={"name": "Watched"}, timeout=PATIENCE).status_code in {200, 409})
        assert any(line.startswith("data:") for line in lines)


def test_connections_of_a_client_are_limited(tmp_path: Path) -> None:
    limits = replace(BOUNDLESS, connections=3)
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", limits=limits) as house:
        held = [_connected(house.url) for _ in range(3)]
        try:
            with _connected(house.url) as one_more:
                told = _until_closed(one_more)
            assert told.startswith(b"HTTP/1.1 429 ") and b"Retry-After: " in told and b"too-many-connections" in told
            elsewhere = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE)
            assert elsewhere.get(f"{house.url}{API}/tables").status_code == 200
        finally:
            for one in held:
                one.close()
        until(lambda: httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE).status_code == 200)


def test_a_named_proxy_has_as_many_connections_as_it_needs(tmp_path: Path) -> None:
    limits = replace(BOUNDLESS, connections=1)
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with serving(url, tmp_path / "key", limits=limits, proxies=("127.0.0.1",)) as house:
        held = [_connected(house.url) for _ in range(4)]
        assert httpx.get(f"{house.url}{API}/tables", timeout=PATIENCE).status_code == 200
        for one in held:
            one.close()
