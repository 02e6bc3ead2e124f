"""The fixtures of `databases`, for all tests here."""

import shlex
import sys

import pytest
from databases import copy_of, key_file, mortal_postgres, new_url, open_floor, open_store, postgres, store_url, zygote

from houseway.cli.main import main

__all__ = ["copy_of", "key_file", "mortal_postgres", "new_url", "open_floor", "open_store", "postgres", "store_url", "zygote"]
collect_ignore_glob = ["journals/*"]
"""How old journals were made: with the code of their releases."""


@pytest.fixture
def bare_shell(tmp_path, monkeypatch, capsys):
    """Run a command line against a store of its own; what it printed, or the refusal."""
    monkeypatch.setenv("HOUSEWAY_STORE", f"sqlite:///{tmp_path / 'house.db'}")
    monkeypatch.setenv("HOUSEWAY_KEY", str(tmp_path / "house.key"))

    def run(line, code=0):
        monkeypatch.setattr(sys, "argv", shlex.split(f"houseway {line}"))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert (ended.value.code or 0) == code, printed.err
        return printed.err if code == 2 else printed.out

    return run
