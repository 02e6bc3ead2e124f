"""`houseway serve`: which port it takes, and the documentation that it serves."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from houses import PATIENCE, free_port, serving

from houseway.cli import serve as command

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def taken(port: int) -> Iterator[int]:
    """A port that somebody listens at: we, unless another did before us."""
    with socket.socket() as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            door.bind(("127.0.0.1", port))
            door.listen()
        yield port


def test_a_chosen_port_that_is_taken_is_refused_in_one_line(run: Callable[..., tuple[int, str, str]]) -> None:
    with taken(free_port()) as port:
        code, _, said = run("serve", "--port", port)
    assert code == 2
    assert said.strip() == f"houseway: 127.0.0.1:{port} cannot be used (Address already in use): choose another with --port"


def test_an_address_of_another_machine_is_refused_at_once(run: Callable[..., tuple[int, str, str]]) -> None:
    code, _, said = run("serve", "--host", "192.0.2.1")
    assert code == 2
    assert said.startswith("houseway: 192.0.2.1:8000 cannot be used") and said.count("\n") == 1


def test_when_all_the_usual_ports_are_taken_it_says_so(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with taken(free_port()) as port:
        monkeypatch.setattr(command, "PORTS", range(port, port + 1))
        code, _, said = run("serve")
    assert code == 2
    assert said.strip() == f"houseway: ports {port} to {port} of 127.0.0.1 are all taken: choose another with --port"


def test_if_8000_is_taken_the_next_free_port_is_used_and_told(tmp_path: Path) -> None:
    with taken(8000):
        environment = os.environ | {"HOUSEWAY_KEY": str(tmp_path / "house.key")}
        arguments = [sys.executable, "-u", "-m", "houseway.cli.main", "serve", "--store", f"sqlite:///{tmp_path / 'house.db'}"]
        process = subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            assert process.stdout
            said = process.stdout.readline()
            told = re.fullmatch(r"Port 8000 is taken: using (\d+), the next that is free\.\n", said)
            assert told, said
            port = int(told[1])
            assert 8000 < port < 8100
            assert any(f"open at http://127.0.0.1:{port}\n" in line for line in iter(process.stdout.readline, ""))
            with httpx.Client(transport=httpx.HTTPTransport(retries=10), timeout=PATIENCE) as visitor:
                assert visitor.get(f"http://127.0.0.1:{port}/api/v1/tables").status_code == 200
        finally:
            process.kill()
            process.wait()


def test_make_serve_takes_a_port() -> None:
    def commands(*arguments: str) -> str:
        make = ["make", "--no-print-directory", "--dry-run", "serve", *arguments]
        return subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert commands("PORT=8001").splitlines()[-1].endswith("houseway serve --port 8001")
    assert commands().splitlines()[-1].strip().endswith("houseway serve")


def test_where_no_documentation_is_built_it_says_how(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "key", docs=tmp_path / "site") as house:
        answer = house.anybody().get("/docs/")
        assert answer.status_code == 404
        assert answer.json()["code"] == "no-docs" and "make docs" in answer.json()["message"]
        page = house.anybody(Accept="text/html").get("/docs/")
        assert page.status_code == 404 and "make docs" in page.text
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "index.html").write_text("<h1>Built meanwhile</h1>")
        assert "Built meanwhile" in house.anybody().get("/docs/").text
        assert house.anybody().get("/docs/../house.db").status_code == 404
