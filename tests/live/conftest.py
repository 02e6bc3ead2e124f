"""Both databases: a file of SQLite, and a throw-away PostgreSQL server; every test has a store of its own."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sessions import Zygote

from houseway.floor import Floor
from houseway.journal import Store

DATABASES = ("sqlite", "postgresql")


def _programs() -> Path:
    """Where Debian keeps the server, newest version first; otherwise wherever the PATH has it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: -float(file.parts[4]))
    on_path = shutil.which("initdb")
    if not found and not on_path:
        pytest.fail("PostgreSQL's server programs are missing: apt-get install postgresql (these tests are never skipped)")
    return (found[0] if found else Path(str(on_path)).resolve()).parent


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Postgres:
    """A server of our own, on a free port."""

    programs: Path
    folder: Path
    port: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def run(self, program: str, *arguments: str, check: bool = True) -> int:
        """Run one of the server's programs, as a user the server accepts: it refuses root."""
        command = [str(self.programs / program), *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, cwd="/"
        )
        if check and done.returncode:
            pytest.fail(f"{program} {' '.join(arguments)} ended with {done.returncode}; its log is in {self.folder}")
        return done.returncode

    def start(self) -> None:
        data = str(self.folder / "data")
        self.run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", data)
        for _ in range(5):  # another process may take the port between our look and the start
            self.port = _free_port()
            options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} -c max_connections=200"
            log = str(self.folder / "log")
            if self.run("pg_ctl", "start", "-w", "-s", "-D", data, "-l", log, "-o", options, check=False) == 0:
                return
        pytest.fail(f"the PostgreSQL server does not start: see {log}")

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-s", "-m", "immediate", "-D", str(self.folder / "data"), check=False)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template1") -> str:
        """A new database; its URL. A copy needs a template that nobody is connected to."""
        name = f"house{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')  # type: ignore[arg-type]
        return self.url(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="houseway-pg-"))
    if os.getuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.fail("there is no user postgres to run the server as: apt-get install postgresql")
        os.chown(folder, user.pw_uid, user.pw_gid)
    server = Postgres(programs, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def new_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The URL of a store that does not exist yet, on either database."""

    def make(database: str) -> str:
        if database == "postgresql":
            server: Postgres = request.getfixturevalue("postgres")
            return server.create()
        return f"sqlite:///{tmp_path_factory.mktemp('store') / 'house.db'}"

    return make


@pytest.fixture(scope="session")
def copy_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The URL of a copy of a store that nobody is connected to."""

    def copy(url: str) -> str:
        if url.startswith("postgresql"):
            server: Postgres = request.getfixturevalue("postgres")
            return server.create(template=url.rpartition("/")[2])
        file = tmp_path_factory.mktemp("copy") / "house.db"
        shutil.copy(url.removeprefix("sqlite:///"), file)
        return f"sqlite:///{file}"

    return copy


@pytest.fixture(params=DATABASES)
def store_url(request: pytest.FixtureRequest, new_url: Callable[[str], str]) -> str:
    return new_url(request.param)


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("key") / "shoe.key"


@pytest.fixture
def open_store() -> Iterator[Callable[[str], Store]]:
    """Opens stores, and lets go of their connections when the test is over."""
    opened: list[Store] = []

    def make(url: str) -> Store:
        opened.append(Store(url))
        return opened[-1]

    yield make
    for store in opened:
        store.engine.dispose()


@pytest.fixture
def open_floor(open_store: Callable[[str], Store], key_file: Path) -> Callable[[str], Floor]:
    return lambda url: Floor(open_store(url), key_file)


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Makes processes that are ready to play at once."""
    with Zygote.started() as started:
        yield started
