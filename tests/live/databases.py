"""Both databases: a file of SQLite, and a throw-away PostgreSQL server; every test has a store of its own."""

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import Phase as Stage
from hypothesis.stateful import RuleBasedStateMachine, invariant, run_state_machine_as_test
from sessions import CAT, DAN, ROOT, SUE, Zygote, is_running

from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused

DATABASES = ("sqlite", "postgresql")


def _programs() -> Path:
    """Where Debian keeps the server, newest version first; otherwise wherever the PATH has it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: -float(file.parts[4]))
    on_path = shutil.which("initdb")
    if not found and not on_path:
        pytest.fail("PostgreSQL's server programs are missing: apt-get install postgresql (these tests are never skipped)")
    return (found[0] if found else Path(str(on_path)).resolve()).parent


def _free_port() -> int:
    """A port below those that are given to outgoing connections, so that none takes it, not even while the server is down."""
    while True:
        port = random.SystemRandom().randrange(12_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass
class Postgres:
    """A server of our own, on a free port."""

    programs: Path
    folder: Path
    is_durable: bool
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
        """A new server; on another port if somebody takes the free one between our look and the start."""
        self.run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", self.data)
        for _ in range(5):
            self.port = _free_port()
            if self.launch():
                return
        pytest.fail(f"the PostgreSQL server does not start: see {self.folder / 'log'}")

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def launch(self) -> bool:
        """Start the server on what is in its folder; whether it accepts connections now."""
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} -c max_connections=200"
        if not self.is_durable:
            options += " -c fsync=off -c full_page_writes=off -c autovacuum=off"
        log = str(self.folder / "log")
        return self.run("pg_ctl", "start", "-w", "-s", "-D", self.data, "-l", log, "-o", options, check=False) == 0

    def kill(self) -> None:
        """SIGKILL for the server and all its processes: the server first, so that it cannot clean up after the others."""
        lock = self.folder / "data" / "postmaster.pid"
        server = int(lock.read_text().split()[0])
        children = Path(f"/proc/{server}/task/{server}/children")
        os.kill(server, signal.SIGSTOP)  # nothing new is forked while the others are listed
        processes = [server, *map(int, children.read_text().split())]
        for process in processes:
            with suppress(ProcessLookupError):  # it ended by itself
                os.kill(process, signal.SIGKILL)
        while any(is_running(process) for process in processes):
            time.sleep(0.002)
        for left in (lock, self.folder / f".s.PGSQL.{self.port}.lock"):
            left.unlink()  # where nobody asks for the exit status, the next server would believe this one alive

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-s", "-m", "immediate", "-D", self.data, check=False)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def create(self, template: str = "template1") -> str:
        """A new database; its URL. A copy needs a template that nobody is connected to."""
        name = f"house{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')  # type: ignore[arg-type]
        return self.url(name)


@contextmanager
def _server(is_durable: bool = True) -> Iterator[Postgres]:
    """A throw-away server; one that nobody stops need not wait for the disk, nor tidy up in hundreds of databases."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="houseway-pg-"))
    if os.getuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.fail("there is no user postgres to run the server as: apt-get install postgresql")
        os.chown(folder, user.pw_uid, user.pw_gid)
    server = Postgres(programs, folder, is_durable)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with _server(is_durable=False) as server:
        yield server


@pytest.fixture
def mortal_postgres() -> Iterator[Postgres]:
    """A second server, for a test that kills it."""
    with _server() as server:
        yield server


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


class HouseMachine(RuleBasedStateMachine):
    """One table, t1, driven by random commands; a machine of a game adds the commands and what must come of them."""

    def open_house(self, guests: dict[str, int], **opening: object) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="houseway-model-"))
        self.url, self.key = f"sqlite:///{self.folder / 'house.db'}", self.folder / "key"
        self.floor = Floor(Store(self.url), self.key)
        self.floor.do({"kind": "fund", "cents": 100_000_000}, ROOT)
        for guest, cents in guests.items():
            self.floor.do({"kind": "buy-in", "guest": guest, "cents": cents}, CAT)
        self.floor.do({"kind": "open", "table": "t1", "source": "hand-keyed", **opening}, SUE)
        self.corrections: Counter[object] = Counter()

    def try_(self, kind: str, actor: Actor = DAN, table: str | None = "t1", **fields: object) -> bool:
        """Whether a command was accepted; a refused one changes nothing, though the attempt may be recorded."""
        command = {"kind": kind} | ({"table": table} if table else {}) | fields
        if kind == "correct":  # whoever corrects a round again has seen how it stands
            command["again"] = self.corrections[fields["round"]]
        state, (entries, _) = self.floor.state, self.floor.store.head()
        try:
            self.floor.do(command, actor)
        except Refused as refused:
            assert self.floor.state == state
            added = list(self.floor.store.entries(entries))
            worth_knowing = refused.code == "role-may-not" or kind in {"void", "correct"}
            assert [(entry.kind, entry.transfers) for entry in added] == [("attempt", ())] * worth_knowing
            return False
        self.corrections[fields.get("round")] += kind == "correct"
        return True

    @invariant()
    def the_accounts_add_up(self) -> None:
        balances = self.floor.state.balances
        assert sum(balances.values()) == 0
        assert all(cents >= 0 for account, cents in balances.items() if account != "outside" and "debt:" not in account)

    def teardown(self) -> None:
        if hasattr(self, "floor"):
            assert Floor(Store(self.url), self.key).refresh() == self.floor.state
            assert Auditor(self.floor.store).run().flaw is None
            shutil.rmtree(self.folder)


def run_machine(machine: type[HouseMachine], examples: int = 12, steps: int = 25, **fields: object) -> None:
    """The same random sessions every time, on a machine with these fields."""
    limits = settings(
        deadline=None,
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=True,
        phases=[Stage.explicit, Stage.generate],  # no shrinking: a failure would take minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(type(machine.__name__, (machine,), fields), settings=limits)
