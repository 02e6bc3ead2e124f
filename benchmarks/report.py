"""How long a submission takes, from an empty cache and from a warm one (`make bench`).

Each is a process of its own, as somebody at a shell starts it: seconds that pass, and seconds of all processors.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EDITION = "ez-pai-gow-wa"
COLD, WARM = 60, 10


def submission(edition: str, cache: str, file: Path) -> tuple[float, float]:
    """Make one: seconds that passed, and seconds of processors."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [
        str(Path(sys.executable).with_name("houseway")),
        "report",
        "submission",
        edition,
        "-o",
        str(file),
        "--date",
        "2026-03-01",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "HOUSEWAY_CACHE": cache})
    passed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def told(what: str, taken: tuple[float, float], target: float) -> None:
    """A line for each."""
    met = "met" if taken[0] <= target else "MISSED"
    print(f"{what}\n    {taken[0]:7.2f} s, {taken[1]:7.2f} s of processors    target {target:g} s: {met}", flush=True)


def main() -> None:
    """From an empty cache, then again; the pages must be the same to the byte."""
    edition = sys.argv[1] if len(sys.argv) > 1 else EDITION
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("cold.pdf", "warm.pdf")]
        cache = str(Path(folder) / "cache")
        told(f"Submission of {edition}, empty cache", submission(edition, cache, files[0]), COLD)
        told(f"Submission of {edition}, warm cache", submission(edition, cache, files[1]), WARM)
        assert files[0].read_bytes() == files[1].read_bytes(), "what is kept must change nothing"


if __name__ == "__main__":
    main()
