"""Compiled rules on disk: processes that compile at the same time never take one another's code."""

import os
import subprocess
import sys
from pathlib import Path

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
