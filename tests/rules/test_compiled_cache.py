"""Compiled rules on disk: processes that compile at the same time never take one another's code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.kernels import compiled

RACER = """
import sys, time
import numpy as np
from numba.core.caching import IndexDataCacheFile

slow = IndexDataCacheFile._save_index
def save(self, overloads):  # another process may come between reading and writing
    time.sleep(2)
    slow(self, overloads)
IndexDataCacheFile._save_index = save

from houseway.kernels.compiled import helper

@helper
def doubled(value):
    return value + value

kinds = {"whole": np.int64(4), "half": np.float64(1.5), "small": np.int32(3)}
print(*(doubled(kinds[name]) for name in sys.argv[1:]))
"""


def test_processes_that_compile_at_once_do_not_mix_up_their_code(tmp_path: Path) -> None:
    script = tmp_path / "racer.py"
    script.write_text(RACER)
    environment = os.environ | {"HOUSEWAY_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}

    def start(*kinds: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(script), *kinds]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    at_once = {kind: start(kind) for kind in ("whole", "half", "small")}
    assert {kind: process.communicate()[0].strip() for kind, process in at_once.items()} == {
        "whole": "8",
        "half": "3.0",
        "small": "6",
    }
    forms = [file for file in (tmp_path / "cache").rglob("*.nbc") if "doubled" in file.name]
    assert len(forms) == 3  # each has a file of its own
    assert start("whole", "half", "small").communicate()[0].strip() == "8 3.0 6"


def test_a_folder_that_another_process_makes_or_removes_meanwhile_is_no_reason_to_use_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSEWAY_CACHE", str(tmp_path / "cache"))
    folder = compiled.cache_folder()
    assert folder.parent == tmp_path / "cache"
    (tmp_path / "cache" / "rules-going").symlink_to("gone")  # as listed, and removed before it is looked at
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: path != folder and exists(path))  # as before the other process made it
    assert compiled.cache_folder() == folder


def test_what_was_used_last_is_kept_longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "cache"
    monkeypatch.setenv("HOUSEWAY_CACHE", str(base))
    in_use = compiled.cache_folder()
    for number, name in enumerate(("older", "old", "new", "newer")):
        (base / f"rules-{name}").mkdir(mode=0o700)
        os.utime(base / f"rules-{name}", (number, number))
    os.utime(in_use, (0, 0))
    assert compiled.cache_folder() == in_use
    compiled._keep_the_newest(base, "rules")
    assert {path.name for path in base.iterdir()} == {in_use.name, "rules-old", "rules-new", "rules-newer"}


REMOVED = """
import shutil
import numpy as np
from houseway.kernels import compiled

@compiled.helper
def doubled(value):
    return value + value

assert doubled(np.int64(4)) == 8
shutil.rmtree(compiled.cache_folder())  # as a newer release does, which keeps a few
assert doubled(np.float64(1.5)) == 3.0
"""


def test_a_cache_that_is_removed_while_a_process_runs_is_made_again(tmp_path: Path) -> None:
    script = tmp_path / "removed.py"
    script.write_text(REMOVED)
    environment = os.environ | {"HOUSEWAY_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    ended = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


PATIENT = """
import sys
import numpy as np
from houseway.kernels import compiled
from houseway.games.ez_baccarat import rules

def played():
    hands = [np.array(cards) for cards in ([1, 5, 9, 14, 20, 30], [51, 50, 49, 48, 47, 46], [0, 32, 4, 36, 8, 40])]
    return [rules.resolve(hand, np.zeros(1, np.int64)) for hand in hands] + [rules.draws(np.int64(4), np.int64(3), np.int64(8))]

def kinds(values):
    return [kinds(value) if isinstance(value, tuple) else type(value) for value in values]

interpreted = played()
assert "numba" not in sys.modules
compiled._patience.seconds = 0
machine = played()
assert "numba" in sys.modules
assert interpreted == machine and kinds(interpreted) == kinds(machine), (interpreted, machine)
"""


def test_the_first_hands_are_interpreted_and_come_out_as_compiled_ones_do() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    ended = subprocess.run([sys.executable, "-c", PATIENT], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
