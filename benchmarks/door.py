"""What it costs that every request asks the store for its session: `python benchmarks/door.py [STORE ...]`.

Baseline: the session remembered in the process for two seconds, as it was before; then a session that was ended elsewhere
went on for as long. Best and median of 2,000 in a warm process, pooled connections as they are served.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from houseway.house.floor import Actor, Floor
from houseway.house.people import People
from houseway.house.store import Store
from houseway.web.people import Door
from houseway.web.served import ServedHouse


def measure(url: str, folder: Path) -> None:
    house = ServedHouse(Floor(Store(url, pooled=True), folder / "key"))
    door = Door(People(house.floor.store), house)
    name = f"Bench {time.time_ns() % 10**9}"
    door.add(name, "dealer", "green felt, seven doors", Actor("door", "supervisor"))
    token, _ = door.log_in(name, "green felt, seven doors")
    for number in range(500):
        door.join(f"Guest {time.time_ns() % 10**6} {number}")
    times = []
    for _ in range(2_000):
        began = time.perf_counter()
        assert door.who(token)
        times.append(time.perf_counter() - began)
    best, middle = min(times) * 1e6, statistics.median(times) * 1e6
    print(f"{url.partition(':')[0]:12} {best:6.0f} us at best, {middle:6.0f} us in the middle, of a session among 501")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for url in sys.argv[1:] or [f"sqlite:///{folder}/house.db"]:
            measure(url, Path(folder))
