"""Processes that may use so much of a processor and no more: a machine with few cores as one whose servers have slow ones.

Needs a Linux control group for processor time that this user may write (root in most places).
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 4_000
"""Short, so that whoever has used his share up and holds the head of the chain does not keep others waiting for long."""


def _made(name: str) -> tuple[Path, str]:
    """A new group, and the file that says its share: of the older kind of control groups, or the newer."""
    older = GROUPS / "cpu"
    group = (older if (older / "cpu.cfs_quota_us").exists() else GROUPS) / name
    try:
        group.mkdir()
    except OSError as error:
        raise SystemExit(f"no group of processes can be made in {group.parent} ({error.strerror}): this needs root") from None
    for limit in ("cpu.cfs_quota_us", "cpu.max"):
        if (group / limit).exists():
            return group, limit
    group.rmdir()
    raise SystemExit(f"{group.parent} gives its groups no share of the processor: enable `cpu` in cgroup.subtree_control")


@contextmanager
def limited(processes: Sequence[int], share: float) -> Iterator[None]:
    """All these processes together, with all their threads, have at most this share of one core."""
    group, limit = _made(f"houseway-{processes[0]}")
    try:
        quota = max(int(share * PERIOD_US), 1_000)
        if limit == "cpu.max":
            (group / limit).write_text(f"{quota} {PERIOD_US}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / limit).write_text(str(quota))
        for process in processes:
            (group / "cgroup.procs").write_text(str(process))
        yield
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    """Whoever is left in a group goes back to the one above."""
    for process in (group / "cgroup.procs").read_text().split():
        try:
            (group.parent / "cgroup.procs").write_text(process)
        except ProcessLookupError:
            continue
    for _ in range(100):
        try:
            group.rmdir()
            return
        except OSError:  # one that has just ended is still in it
            time.sleep(0.05)
