"""Both databases, for benchmarks: a file of SQLite, and a PostgreSQL server of one's own, as the tests start it."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@contextmanager
def new_store(database: str) -> Iterator[tuple[str, Path, int]]:
    """The URL of a new store that waits for the disk, a folder for its keys, and the server's process (0: there is none)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if database == "sqlite":
            yield f"sqlite:///{folder / 'house.db'}", folder, 0
            return
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "web"))
        from programs import postgres_server

        with postgres_server(is_durable=True) as server:
            yield server.create(), folder, int(Path(server.data, "postmaster.pid").read_text().split()[0])
