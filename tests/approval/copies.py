"""A copy of the whole package, to change and to run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import houseway


class Copied:
    """A package in a folder of its own: released as it is, and run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "src" / "houseway"
        shutil.copytree(Path(houseway.__file__).parent, self.folder)
        self.environment = os.environ | {
            "PYTHONPATH": str(self.folder.parent),
            "HOUSEWAY_CACHE": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # a change of the same length in the same second would not be noticed
        }

    def python(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            env=self.environment | environment,
            cwd=self.folder.parent,
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.python("-m", "houseway.cli.main", *arguments, **environment)

    def release(self, **environment: str) -> None:
        made = self.python("-m", "houseway.approval.release", **environment)
        assert made.returncode == 0, made.stderr

    def change(self, file: str, old: str, new: str) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def editions(self, **environment: str) -> dict[str, dict]:
        listed = self.run("editions", "--format", "json", **environment)
        assert listed.returncode == 0, listed.stderr
        return {row["edition"]: row for row in json.loads(listed.stdout)}
