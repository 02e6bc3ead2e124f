"""How a house grows: the time of a bet and of a start, after few rounds and after many, in the same run.

    python benchmarks/growth.py [--rounds 10000 100000] [--guests 0.05] [--tables 200] [--keep FOLDER] [--only-grow]

Rounds are played by the floor itself, many commands in a transaction, 10,000 a gaming day; each guest buys in, plays and
leaves. Then the same is timed at both sizes, in turns, each on its own store: a bet with its commit, and a start of a house
that is to be served, up to the moment at which its doors could open; at both with some 5,000 entries since the last snapshot.
A million rounds take minutes to play: kept in a folder, they are grown once (`--only-grow`, while other work goes on) and timed
later.
"""

import argparse
import json
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from houseway.house.floor import Actor, Floor, no_garbage
from houseway.house.start import Opening, check_to_serve
from houseway.house.store import Store

ADMINISTRATOR, SUPERVISOR, DEALER, CASHIER = (
    Actor(role, role) for role in ("administrator", "supervisor", "dealer", "cashier")
)
ROUNDS_A_DAY = 10_000
AT_ONCE = 500


class Days:
    """A clock by which so many rounds take a day."""

    def __init__(self, at: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        self.at += timedelta(days=1) / (ROUNDS_A_DAY * 5)
        return self.at


def kept(folder: Path, rounds: int, guests: int, tables: int) -> tuple[Store, Path, Days]:
    """The same, from the folder where it was grown before; one that was not grown whole does not count."""
    whole = folder / "grown.json"
    asked = {"rounds": rounds, "guests": guests, "tables": tables}
    if not whole.is_file():
        began = time.perf_counter()
        store, _, clock = grown(folder, rounds, guests, tables)
        store.engine.dispose()
        whole.write_text(json.dumps(asked | {"at": clock.at.isoformat(), "seconds": time.perf_counter() - began}))
    told = json.loads(whole.read_text())
    assert {name: told[name] for name in asked} == asked, f"{folder} holds another house: {told}"
    size = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    grew = f"played in {told['seconds']:.0f} s, {size:,.0f} MB"
    print(f"{rounds:,} rounds, {guests:,} guests, {tables} tables: {grew}", flush=True)
    return Store(f"sqlite:///{folder / 'house.db'}", pooled=True), folder / "key", Days(datetime.fromisoformat(told["at"]))


def grown(folder: Path, rounds: int, guests: int, tables: int) -> tuple[Store, Path, Days]:
    """A house after so many rounds, at so many tables, with so many guests who came and left."""
    folder.mkdir(parents=True)
    clock, key = Days(), folder / "key"
    floor = Floor(Store(f"sqlite:///{folder / 'house.db'}", pooled=True), key, clock, begins="one")
    floor.do({"kind": "fund", "cents": 10**10}, ADMINISTRATOR)
    for number in range(tables):
        opening = {"edition": "ez-baccarat-wa", "source": "virtual-shoe", "opener_cents": 10**7}
        floor.do({"kind": "open", "table": f"t{number}", **opening}, SUPERVISOR)
    each = max(rounds // guests, 1)
    played, guest = 0, 0

    def is_grown() -> bool:
        return played >= rounds and 5_000 <= floor.seq - floor.snapshot_seq < 6_000

    while not is_grown():
        with no_garbage(), floor.store.writing() as writer:
            for _ in range(AT_ONCE):
                name, table = f"guest {guest}", f"t{guest % tables}"
                floor._do(writer, {"kind": "buy-in", "guest": name, "cents": 10**6}, CASHIER, "")
                for _ in range(each):
                    play(floor, writer, table, name)
                cash = {"kind": "cash-out", "guest": name, "cents": floor.state.balance(f"guest:{name}")}
                floor._do(writer, cash, CASHIER, "")
                guest, played = guest + 1, played + each
                if is_grown():
                    break
    return floor.store, key, clock


def play(floor: Floor, writer: object, table: str, guest: str) -> None:
    """One round with one bet."""
    bet = {"kind": "bet", "table": table, "seat": 1, "guest": guest, "wager": "banker", "cents": 1_000}
    for command in (bet, *({"kind": kind, "table": table} for kind in ("no-more-bets", "deal", "settle"))):
        floor._do(writer, command, DEALER, "")  # type: ignore[arg-type]


def start(store: Store, key: Path, clock: Days) -> tuple[Floor, float]:
    """A floor that could be served, and how long that took."""
    began = time.perf_counter()
    floor = Floor(Store(store.url, pooled=True), key, clock)
    check_to_serve(Opening(floor.store, floor.sealing, floor.refresh(), floor.started_from, floor.seq))
    return floor, time.perf_counter() - began


def measure(sizes: list[int], share: float, tables: int, folder: Path | None, only_grow: bool) -> None:
    """Both sizes, in turns."""
    with tempfile.TemporaryDirectory() as name:
        place = folder or Path(name)
        houses = {rounds: kept(place / str(rounds), rounds, max(int(rounds * share), 1), tables) for rounds in sizes}
        if only_grow:
            return
        starts: dict[int, list[tuple[float, int]]] = {rounds: [] for rounds in sizes}
        bets: dict[int, list[tuple[float, float]]] = {rounds: [] for rounds in sizes}
        floors = {}
        for _ in range(3):
            for rounds in sizes:
                floors[rounds], took = start(*houses[rounds])
                starts[rounds].append((took, floors[rounds].seq - floors[rounds].started_from))
        for rounds, floor in floors.items():
            floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**7}, CASHIER)
            print(f"{rounds:,} rounds: {len(floor.state.balances):,} accounts in the state, {floor.seq:,} entries")
        for number in range(300):
            for rounds, floor in floors.items():
                where = {"table": f"t{number % tables}", "seat": 2, "guest": "ann", "wager": "banker"}
                wall, busy = time.perf_counter(), time.thread_time()
                floor.do({"kind": "bet", **where, "cents": 1_000}, DEALER)
                bets[rounds].append((time.perf_counter() - wall, time.thread_time() - busy))
                if number % tables == tables - 1:
                    for each in range(tables):
                        floor.do({"kind": "withdraw", **where, "table": f"t{each}"}, DEALER)
    tell(sizes, starts, bets)


def tell(sizes: list[int], starts: dict[int, list[tuple[float, int]]], bets: dict[int, list[tuple[float, float]]]) -> None:
    """Medians, and how many times as long each takes at the larger size."""
    few, many = sizes[0], sizes[-1]
    wall, busy = ({rounds: statistics.median(each[place] for each in bets[rounds]) for rounds in sizes} for place in (0, 1))
    for name, values in (("A bet, ms", wall), ("A bet, ms of the processor", busy)):
        ratio = values[many] / values[few]
        both = f"{values[few] * 1e3:.3f} after {few:,} rounds, {values[many] * 1e3:.3f} after {many:,}"
        print(f"{name}: {both} ({ratio:.2f} x: {'met' if ratio <= 1.5 else 'MISSED'})")
    began = {rounds: statistics.median(took for took, _ in starts[rounds]) for rounds in sizes}
    folded = {rounds: starts[rounds][0][1] for rounds in sizes}
    for rounds in sizes:
        print(
            f"A start after {rounds:,} rounds: {began[rounds]:.2f} s, {folded[rounds]:,} entries folded since the last snapshot"
        )
    ratio = began[many] / began[few]
    verdict = "met" if ratio <= 1.5 else "MISSED"
    print(f"A start: {ratio:.2f} x ({verdict}; up to 10,000 entries are folded, whatever the size of the journal)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--guests", type=float, default=0.05, help="guests who come and leave, for each round")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a folder where grown houses stay, and are found again")
    parser.add_argument("--only-grow", action="store_true", help="grow them, and time nothing")
    given = parser.parse_args()
    measure(given.rounds, given.guests, given.tables, given.keep, given.only_grow)
