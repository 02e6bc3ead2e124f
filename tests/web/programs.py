"""`houseway serve` as a program of its own, with all its processes, and a PostgreSQL server that may be stopped."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import patient
import pytest
from houses import PATIENCE, free_port

API = "/api/v1"
LIVE = Path(__file__).resolve().parents[1] / "live"


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What a condition comes to, as soon as it comes to anything."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)
    return found


@dataclass
class Program:
    """A program that serves, and what it has said."""

    url: str
    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def listen(self) -> None:
        assert self.process.stdout
        self.said.extend(self.process.stdout)

    def left(self) -> list[int]:
        """Its processes that still run: they are a group of their own."""
        running = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                state, _, group = stat.read_text().rpartition(")")[2].split()[:3]
                if int(group) == self.process.pid and state not in {"Z", "X"}:
                    running.append(int(stat.parent.name))
        return running

    def is_open(self) -> bool:
        assert self.process.poll() is None, "".join(self.said)
        try:
            return httpx.get(f"{self.url}{API}/tables", timeout=5, verify=False).status_code == 200
        except httpx.TransportError:
            return False

    def passwords(self) -> dict[str, str]:
        """Those of the first accounts, which it tells once."""
        return dict(re.findall(r"log in as (\S+) with the password (\S+)", "".join(self.said)))

    def client(self, token: str = "") -> httpx.Client:
        """A visitor's connection."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)

    def told_to_end(self) -> int:
        """What it ends with when it is told to."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def started(
    folder: Path,
    *options: str,
    store: str = "",
    scheme: str = "http",
    is_patient: bool = True,
    is_heard: bool = True,
    **environment: str,
) -> Program:
    """`houseway serve` with these options, on its way; if it is not heard, nobody reads what it says until somebody listens."""
    port = free_port()
    command = [sys.executable, "-u", *([patient.__file__] if is_patient else ["-m", "houseway.cli.main"])]
    command += ["serve", "--port", str(port)]
    command += ["--store", store or str(folder / "house.db"), *options]
    process = subprocess.Popen(
        command,
        env=os.environ | {"HOUSEWAY_KEY": str(folder / "house.key")} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    serving = Program(f"{scheme}://127.0.0.1:{port}", process)
    if is_heard:
        threading.Thread(target=serving.listen, daemon=True).start()
    return serving


@contextmanager
def ready(*programs: Program) -> Iterator[None]:
    """These programs when they are ready for visitors; none is left afterwards."""
    try:
        for each in programs:
            until(each.is_open, 10 * PATIENCE)  # with a cold cache it compiles all rules
        yield
    finally:
        for each in programs:
            with suppress(ProcessLookupError):
                os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait()


@contextmanager
def program(folder: Path, *options: str, store: str = "", scheme: str = "http", is_patient: bool = True) -> Iterator[Program]:
    """`houseway serve` with these options, ready for visitors."""
    serving = started(folder, *options, store=store, scheme=scheme, is_patient=is_patient)
    with ready(serving):
        yield serving


@contextmanager
def postgres_server(is_durable: bool = True) -> Iterator[Any]:
    """A throw-away server, as the tests of the live floor start it."""
    sys.path.insert(0, str(LIVE))
    try:
        spec = importlib.util.spec_from_file_location("live_databases_of_programs", LIVE / "databases.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(LIVE))
    with module._server(is_durable) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server for all tests that do not stop it."""
    with postgres_server(is_durable=False) as server:
        yield server
