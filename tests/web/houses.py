"""A house of its own for every test that wants one, and a real Chromium to visit it with."""

import asyncio
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import patient
import pytest
import uvicorn
from patient import PATIENCE, be_patient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from houseway.web.app import SITE, ServeSettings, create_app
from houseway.web.limits import ClientLimits
from houseway.web.people import DOOR
from houseway.web.serve import how_to_serve

PASSWORD = "green felt, seven doors"
SHOTS = Path(os.environ.get("HOUSEWAY_SHOTS", "build/screenshots"))
"""Screenshots of every page are kept here, as build artefacts."""
BOUNDLESS = ClientLimits(10_000, 10_000, 10_000, 10_000, 10_000, 2 * PATIENCE, 2 * PATIENCE)
expect.set_options(timeout=PATIENCE * 1000)
httpx._transports.default.create_ssl_context = cache(httpx.create_ssl_context)  # or every client reads all certificates anew


def free_port() -> int:
    """A port of this machine below those that it gives to outgoing connections, so that none takes it meanwhile."""
    while True:
        port = random.SystemRandom().randrange(12_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def run_apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Run something in a thread of its own: in this one a loop of Playwright's runs as soon as a test has had a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@dataclass
class Served:
    """A house that is being served."""

    url: str
    app: Any
    clients: list[httpx.Client] = field(default_factory=list)

    def anybody(self, **headers: str) -> httpx.Client:
        client = httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE)
        self.clients.append(client)
        return client

    def guest(self, name: str) -> httpx.Client:
        """A guest of the demo house, by bearer."""
        return self.anybody(Authorization=f"Bearer {self.joined(name)['token']}")

    def joined(self, name: str) -> dict[str, str]:
        answer = httpx.post(f"{self.url}/api/v1/guests", json={"name": name}, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def staff(self, role: str, name: str = "") -> httpx.Client:
        """Somebody of the staff, by bearer; the account is made at once."""
        return self.anybody(Authorization=f"Bearer {self.token(role, name)}")

    def token(self, role: str, name: str = "") -> str:
        name = name or f"test {role}"
        if self.app.state.door.people.find(name) is None:
            self.app.state.door.add(name, role, PASSWORD, DOOR)
        answer = httpx.post(f"{self.url}/api/v1/session", json={"name": name, "password": PASSWORD}, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["token"])

    def open_table(self, name: str, edition: str, source: str = "hand-keyed", **fields: Any) -> str:
        """A table with a dealer of its own (the croupier of the demo leaves it alone)."""
        opener = {} if edition == "ez-baccarat-ca" else {"opener_cents": 10_000_000}
        body = {"table": name, "edition": edition, "source": source} | opener | fields
        self.must(self.staff("supervisor").post("/api/v1/tables", json=body))
        return name

    @staticmethod
    def must(answer: httpx.Response) -> Any:
        assert answer.status_code in {200, 204}, answer.text
        return answer.json() if answer.content else None


@contextmanager
def serving(
    store: str,
    key_file: Path,
    demo: bool = True,
    requests_per_second: float = 1e6,
    docs: Path = SITE,
    limits: ClientLimits = BOUNDLESS,
    proxies: tuple[str, ...] = (),
) -> Iterator[Served]:
    """Serve a store in a thread of this process, as `houseway serve` does; all clients here have one address."""
    settings = ServeSettings(store, key_file, demo, requests_per_second, docs, limits, proxies)
    app = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(app, **how_to_serve(settings) | {"timeout_graceful_shutdown": 1}))
    door = socket.socket(proto=socket.IPPROTO_TCP)  # named, or asyncio does not turn Nagle's delays of 40 ms off
    door.bind(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([door],), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the house does not open"
        time.sleep(0.02)
    served = Served(f"http://127.0.0.1:{door.getsockname()[1]}", app)
    try:
        yield served
    finally:
        for client in served.clients:
            client.close()
        app.state.house.close_streams()
        server.should_exit = True
        thread.join(PATIENCE)


@pytest.fixture(scope="package", autouse=True)
def patience() -> Iterator[None]:
    """The house is as patient as we are."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch.setattr)
        yield


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A demo house with nothing played yet."""
    with serving(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "house.key") as made:
        yield made


@pytest.fixture
def start_process(tmp_path: Path) -> Iterator[Callable[..., tuple[str, subprocess.Popen[str]]]]:
    """`houseway serve` as a process of its own, which can be killed and started again on the same store."""
    started: list[subprocess.Popen[str]] = []

    def start(store: str = "", port: int = 0, *options: str) -> tuple[str, subprocess.Popen[str]]:
        port = port or free_port()
        command = [sys.executable, patient.__file__, "serve", "--port", str(port), *options]
        command += ["--store", store or f"sqlite:///{tmp_path / 'house.db'}"]
        environment = os.environ | {"HOUSEWAY_KEY": str(tmp_path / "house.key")}
        said = tmp_path / f"served-{len(started)}.log"  # a file: a pipe that nobody reads is full one day, and the house waits
        with said.open("w") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT, text=True)
        started.append(process)
        url = f"http://127.0.0.1:{port}"
        while True:
            try:
                httpx.get(f"{url}/api/v1/tables", timeout=5)
                return url, process
            except httpx.TransportError:
                assert process.poll() is None, said.read_text()
                time.sleep(0.1)

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.fail("Chromium is missing: apt-get install chromium (these tests are never skipped)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Pages, each of a visitor of its own; an error on the console fails the test."""
    contexts, complaints = [], []

    def make(width: int = 1440, height: int = 900, token: str = "", url: str = "", expected: str = "", **options: Any) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        if token:
            context.add_cookies([{"name": "houseway", "value": token, "url": url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def hear(message: Any) -> None:
            if message.type == "error" and not (expected and re.search(expected, message.text)):
                complaints.append(message.text)

        page.on("console", hear)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints, complaints


def until(page: Page, expression: str) -> None:
    """Wait until an expression holds (the page's policy forbids Playwright's own way to ask again and again)."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never true on {page.url}: {expression}"
        page.wait_for_timeout(30)


def no_overflow(page: Page) -> None:
    """Once the page is laid out, nothing of it lies beyond the right edge."""
    until(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def shoot(page: Page, name: str) -> None:
    """Keep a screenshot."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(SHOTS / f"{name}.png"))
