"""For all tests."""

import sys

import pytest
from hypothesis import HealthCheck, settings

from houseway.cli.main import main

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")  # a busy machine is no failure


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
