"""For all tests."""

import compileall
import json
import os
import random
import sys
from itertools import groupby
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, settings

import houseway
from houseway.cli.main import main
from houseway.house import passwords, store

os.environ["HOUSEWAY_DUTIES"] = "one"  # tests of duties begin houses with two names, all others play and settle

THE_HOUSES_HASHER = passwords.HASHER
REAL_PRAGMAS, REAL_SYNC = store._patiently, os.fsync

settings.register_profile("patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # a busy machine is no failure, and what held yesterday holds today; deep tests look further


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="in an order drawn by SEED: the files, and the tests of each file")


def pytest_configure(config):
    """Programs that tests start need not compile the package each time, also where Python is told to write no such files."""
    compileall.compile_dir(Path(houseway.__file__).parent, quiet=1)


def pytest_report_header(config):
    seed = config.getoption("shuffle")
    return f"order drawn by --shuffle {seed}" if seed else None


def pytest_collection_modifyitems(config, items):
    """No test may need another one before it; tests of one file stay together, because they share what is costly to set up."""
    if seed := config.getoption("shuffle"):
        rng = random.Random(seed)
        files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
        for tests in files:
            rng.shuffle(tests)
        rng.shuffle(files)
        items[:] = [test for tests in files for test in tests]


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory):
    """No test reads or writes the house of whoever runs the tests."""
    folder, patch = tmp_path_factory.mktemp("home"), pytest.MonkeyPatch()
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        patch.setenv(name, str(folder / name))
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk():
    """What a killed process has written is written; only a machine that loses its power would lose it, and none does here."""

    def unsynchronised(connection, statement):
        REAL_PRAGMAS(connection, statement.replace("synchronous=FULL", "synchronous=OFF"))

    patch = pytest.MonkeyPatch()
    patch.setattr(os, "fsync", lambda handle: None)
    patch.setattr(store, "_patiently", unsynchronised)
    yield
    patch.undo()


@pytest.fixture
def durable(monkeypatch):
    """All is written to the disk, as a house's is: for tests of that, and of kills."""
    monkeypatch.setattr(os, "fsync", REAL_SYNC)
    monkeypatch.setattr(store, "_patiently", REAL_PRAGMAS)


@pytest.fixture(scope="session", autouse=True)
def quick_hashes():
    """The same Argon2id, with little memory: thousands of passwords are hashed here, and a real house takes its time."""
    patch = pytest.MonkeyPatch()
    patch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield
    patch.undo()


@pytest.fixture
def full_hashes(monkeypatch):
    """As costly as a house's."""
    monkeypatch.setattr(passwords, "HASHER", THE_HOUSES_HASHER)


@pytest.fixture
def run(monkeypatch, capsys):
    """Run the program in this process: its exit code, standard output and standard error."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["houseway", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err

    return call


@pytest.fixture
def data(run):
    """Run the program and read the JSON that it prints."""

    def call(*arguments):
        code, out, err = run(*arguments, "--format", "json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return call
