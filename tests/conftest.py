"""For all tests."""

import json
import random
import sys
from itertools import groupby

import pytest
from hypothesis import HealthCheck, settings

from houseway.cli.main import main

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # a busy machine is no failure


def pytest_addoption(parser):
    parser.addoption("--shuffle", metavar="SEED", help="in an order drawn by SEED: the files, and the tests of each file")


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
