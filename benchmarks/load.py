"""A full house: 20 tables, 140 seats that act and 300 streams that watch; how many commands, and how soon do all see them?

The server is a process of its own (or several, `--workers`), as `houseway serve` runs it, without limits, on a new store that
waits for the disk. Seats and screens are another process (`crowd.py`) on the same machine: what it takes is told beside.

    python benchmarks/load.py                     what a house of this size must reach, one run each
    python benchmarks/load.py --rate 35           at the pace of people: how long until everybody sees it
    python benchmarks/load.py --rate 0            as fast as answers come, all seats of a table at once: commands a second
        [--streams 300] [--seconds 10] [--database postgresql] [--workers 2] [--plain] [--profile]

Against another release, in turns, by the processor time of the server (a checkout with its own .venv):

    python benchmarks/load.py --rate 35 --against CHECKOUT [--turns 3]

Two workers against one on PostgreSQL. Both houses are open at once, and their guests play in short turns. With TMPDIR in
memory a commit does not hang on who else uses the disk. Database and crowd have the same cores as the servers, or the
servers, one or two, have some of a larger machine for themselves:

    python benchmarks/load.py --scaling [--streams 0] [--turns 20] [--seconds 2] [--cores 2,3]

Where database and crowd leave servers too little, one worker gets a fixed share of a core, as if that were its core, and two
workers, with the process that carries their commands out, twice that (needs root, for control groups). Whoever has used up
his share stands still, also where others wait for him:

    python benchmarks/load.py --scaling --share 0.25
"""

import argparse
import itertools
import json
import os
import re
import runpy
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from new_stores import NAMES, new_store
from shares import limited

TABLES, SEATS = 20, 7
TABLES_TO_SCALE = 60
"""So many that servers have always something to do, and none waits for guests."""
BEGINS_STILL, STILL_SECONDS = 0.05, 16
"""Seconds of processor time in half a second, from which on servers are at something; how long they must be at nothing until
they have done all that they do once. Every 15 seconds they look what is to be told of the tables, and work out the odds."""
KNOWN_SECONDS = 10
"""How long guests play until the books of their tables are looked at."""
GAMES = {
    "ez-baccarat-wa": ("banker", ""),
    "lucky-lucky-wa": ("blackjack", "stand"),
    "duki-4-wa": ("ante", "play"),
}
SERVER = """
import collections, json, os, socket, sys, threading, time
from pathlib import Path
from houseway.house.floor import Actor
from houseway.web.app import ServeSettings, create_app
from houseway.web.limits import ClientLimits
from houseway.web.people import DOOR
from houseway.web import serve
from houseway.web.warm import warm_up
store, folder, tables, seats, profiled = sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:6])
workers = int(sys.argv[7])
warm_up()
settings = ServeSettings(store, folder / "key", demo=True, requests_per_second=1e9, limits=ClientLimits(*[10**6] * 7))
app = create_app(settings)
house, door, office, floor, cage = app.state.house, app.state.door, *(
    Actor(role, role) for role in ("administrator", "supervisor", "cashier"))
editions, guests = json.loads(sys.argv[6]), {}
for number in range(tables):
    opening = {"edition": editions[number % len(editions)], "source": "virtual-shoe", "opener_cents": 50_000_000}
    house.do({"kind": "open", "table": f"T{number}", "seats": seats, **opening}, floor)
for number in range(tables * seats):
    name = f"G{number}"
    guests[name] = door.join(name)[0]
    house.do({"kind": "buy-in", "guest": name, "cents": 10_000_000}, cage)
door.add("load dealer", "dealer", "green felt, seven doors", DOOR)
dealer, _ = door.log_in("load dealer", "green felt, seven doors")
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
print(json.dumps({"port": port, "guests": guests, "dealer": dealer}), flush=True)
samples = collections.Counter()
def sample():
    own = threading.get_ident()
    while True:
        time.sleep(0.005)
        for ident, frame in sys._current_frames().items():
            stack = []
            while frame is not None:
                stack.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")
                frame = frame.f_back
            waits = stack[0].split(":")[1] in {"wait", "select", "_worker", "get"} or stack[0].endswith("run")
            if ident != own and not waits:
                samples[stack[0]] += 1
                for place in {place for place in stack if "house" in place or place.split(":")[0] in OURS}:
                    samples["in " + place] += 1
OURS = {file.name for file in Path(sys.modules["houseway"].__file__).parent.rglob("*.py")} - {"__init__.py"}
if profiled:
    threading.Thread(target=sample, daemon=True).start()
try:
    serve._run(app, settings, "127.0.0.1", port, workers)
except (KeyboardInterrupt, SystemExit):
    pass
if profiled:
    print("where the server's threads were, in samples of 5 ms (a thread that waits for the lock counts too)", flush=True)
    for place, count in samples.most_common(45):
        print(f"{count:8,}  {place}", flush=True)
os._exit(0)
"""
OTHERS = ("stored_ms", "crowd_ms")
"""The processor time a command of those who are not measured."""
CROWD, SLOWED = (Path(__file__).with_name(name) for name in ("crowd.py", "slowed"))


def memory_mb(pid: int, what: str = "VmRSS") -> float:
    """What a process holds now, or held at most (`VmHWM`)."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def processes_of(pid: int) -> list[int]:
    """A process and all that it has started, as far as they have not ended."""
    children = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children += (thread / "children").read_text().split()
    return [pid, *(inner for child in children for inner in processes_of(int(child)))]


def cpu_seconds_of(process: int) -> float:
    """The processor time that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended: what it used is its parent's, or nobody's
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """The processor time that a process and all that it has started have used."""
    return sum(map(cpu_seconds_of, processes_of(pid)))


@dataclass(frozen=True)
class Side:
    """A release that is measured: its interpreter, and how its house is served."""

    name: str
    python: str = sys.executable
    program: str = SERVER

    @classmethod
    def of(cls, checkout: Path) -> "Side":
        """Another checkout, served as its own benchmark serves it."""
        sys.path.insert(0, str(checkout / "benchmarks"))
        program = runpy.run_path(str(checkout / "benchmarks/load.py"))["SERVER"]
        return cls(str(checkout), str(checkout / ".venv/bin/python"), program)


@dataclass(frozen=True)
class Run:
    """What is measured: the database, how many processes serve it, who watches, and how fast commands come (0: at once)."""

    database: str = "sqlite"
    workers: int = 1
    streams: int = 300
    rate: float = 35
    seconds: float = 10
    compressed: bool = True
    profiled: bool = False
    share: float = 0
    """Of a core, for each worker; 0: whatever there is."""
    tables: int = TABLES
    cores: tuple[int, ...] = ()
    """That are for those who serve alone; none: all share all."""

    def __str__(self) -> str:
        pace = f"{self.rate:.0f} commands a second" if self.rate else "commands as fast as they are answered"
        served = f"{self.workers} process{'es' if self.workers > 1 else ''} on {NAMES[self.database]}"
        each = f", each with {self.share:.0%} of a core" if self.share else ""
        each += f" on {len(self.cores)} cores of their own" if self.cores else ""
        return f"{self.tables} tables, {self.tables * SEATS} seats, {self.streams} streams; {served}{each}; {pace}"


@contextmanager
def apart_from(cores: tuple[int, ...]) -> Iterator[None]:
    """This process, and all that it starts, leave some cores to others."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before - set(cores))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def server(side: Side, run: Run) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str], int]]:
    """The house in a process of its own, with all tables open and all guests known."""
    with apart_from(run.cores), new_store(run.database) as (store, folder, database):
        numbers = [str(number) for number in (run.tables, SEATS, int(run.profiled))]
        command = [side.python, "-c", side.program, store, str(folder), *numbers, json.dumps(list(GAMES)), str(run.workers)]
        slowed = {"PYTHONPATH": str(SLOWED), "HOUSEWAY_SHARE_OF_CORE": str(run.share)} if run.share else {}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | slowed) as process:
            assert process.stdout
            if run.cores:  # by what it starts from now on
                os.sched_setaffinity(process.pid, run.cores)
            try:
                yield json.loads(process.stdout.readline()), process, database
            finally:
                process.send_signal(signal.SIGINT)
                rest = process.stdout.read()
                print(rest if run.profiled else "", end="")


class Visited:
    """A house with everybody in it, who play for a while whenever they are told to."""

    def __init__(self, run: Run, served: int, database: int, crowd: subprocess.Popen[str]) -> None:
        self.run, self._served, self._database, self._crowd = run, served, database, crowd

    def play(self, seconds: float) -> dict[str, Any]:
        """Let them play, and tell what became of it."""
        assert self._crowd.stdin and self._crowd.stdout
        each, stored = {pid: cpu_seconds_of(pid) for pid in processes_of(self._served)}, cpu_seconds(self._database)
        self._crowd.stdin.write(f"{seconds}\n")
        self._crowd.stdin.flush()
        self._crowd.stdout.readline()
        used = [cpu_seconds_of(pid) - before for pid, before in each.items()]
        stored = cpu_seconds(self._database) - stored
        if not (line := self._crowd.stdout.readline()):
            raise SystemExit("the crowd has left before it was done")
        told: dict[str, Any] = json.loads(line)
        actions = told["actions"]
        return told | {
            "rate": actions / told["took"],
            "cpu_ms": 1000 * sum(used) / actions,
            "shares": {pid: seconds / told["took"] for pid, seconds in zip(each, used, strict=True)},
            "stored_ms": 1000 * stored / actions,
            "crowd_ms": 1000 * told["busy"] / actions,
            "memory_mb": max(memory_mb(each, "VmHWM") for each in processes_of(self._served)),
        }

    def wait_until_still(self) -> None:
        """Until its servers have nothing to do any more."""
        wait_until_still(self._served)

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Its servers and its database do nothing meanwhile: books, alerts and vacuuming would take from whoever plays."""
        try:
            self._tell_all(signal.SIGSTOP)
            yield
        finally:
            self._tell_all(signal.SIGCONT)

    def _tell_all(self, what: signal.Signals) -> None:
        for process in processes_of(self._served) + processes_of(self._database):
            with suppress(ProcessLookupError):  # it ended by itself
                os.kill(process, what)


@contextmanager
def visited(side: Side, run: Run) -> Iterator[Visited]:
    """A house that is served as it is to be measured, and filled."""
    with server(side, run) as (given, process, database):
        asked = given | {"tables": run.tables, "seats": SEATS, "streams": run.streams, "games": GAMES}
        asked |= {"compressed": run.compressed, "gap_seconds": run.tables / run.rate if run.rate else 0}
        _wait_for(given["port"], process.pid)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        slowed = limited(processes_of(process.pid), run.share * run.workers) if run.share else nullcontext()
        with slowed, apart_from(run.cores), subprocess.Popen([sys.executable, str(CROWD)], **pipes) as crowd:
            assert crowd.stdin and crowd.stdout
            crowd.stdin.write(json.dumps(asked) + "\n")
            crowd.stdin.flush()
            if crowd.stdout.readline().strip() != "ready":
                raise SystemExit("the crowd did not come in")
            try:
                yield Visited(run, process.pid, database, crowd)
            finally:
                crowd.stdin.close()


def measure(side: Side, run: Run) -> dict[str, Any]:
    """Fill the house, let it play, and tell what became of it."""
    with visited(side, run) as house:
        return house.play(run.seconds)


def _wait_for(port: int, pid: int) -> None:
    """Until somebody answers, and all have begun: the first of several workers would else have all connections."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    wait_until_still(pid, 0.5)


def wait_until_still(pid: int, seconds: float = STILL_SECONDS) -> None:
    """Until a house has nothing to do any more: what it works out once, behind everybody, is not what is measured."""
    still_for = 0.0
    while still_for < seconds:
        before = cpu_seconds(pid)
        time.sleep(0.5)
        still_for = still_for + 0.5 if cpu_seconds(pid) - before < BEGINS_STILL else 0.0


def tell(run: Run, told: dict[str, Any]) -> None:
    """Print the figures of a run."""
    print(f"{run}: {told['actions']:,} commands in {told['took']:.1f} s, {told['events']:,} events")
    print(f"    {told['rate']:9.1f} commands a second")
    print(f"    {'milliseconds':<44}{'p50':>9}{'p90':>9}{'p99':>9}{'most':>9}")
    rows = {"command to its answer": "answers"}
    rows |= {"command to a screen of the table": "each", "command to all screens of the table": "last"} if run.streams else {}
    for name, key in rows.items():
        print(f"    {name:<44}{''.join(f'{value:9.1f}' for value in told[key])}")
    stored = f", of the database {told['stored_ms']:.2f}" if told["stored_ms"] else ""
    print(f"    processor time a command, ms: of the server {told['cpu_ms']:.2f}{stored}, of the crowd {told['crowd_ms']:.2f}")
    sent = f"{told['received'] / 1e6:.1f} MB, {told['received'] / max(told['events'], 1):,.0f} bytes an event; "
    print(
        f"    sent to the streams: {sent if run.streams else ''}never seen: {told['missed']}; memory {told['memory_mb']:.0f} MB"
    )
    print(f"    refused: {told['refused'] or 'nothing'}; load of the machine {os.getloadavg()[0]:.1f}", flush=True)


def targets(seconds: float) -> None:
    """What a house of this size must reach, each with its verdict."""
    at_best = measure_and_tell(Run(streams=0, rate=0, seconds=seconds))["rate"]
    watched = measure_and_tell(Run(rate=0, seconds=seconds))["rate"]
    paced = measure_and_tell(Run(seconds=2 * seconds))
    one, two = (measure_and_tell(Run("postgresql", workers, rate=0, seconds=seconds))["rate"] for workers in (1, 2))
    print(f"Commands a second without watchers\n    {at_best:9.0f}      target 600: {_verdict(at_best >= 600)}")
    print(f"Commands a second with 300 watchers\n    {watched:9.0f}      target 400: {_verdict(watched >= 400)}")
    seen = paced["last"][2]
    print(f"A command to all screens, p99\n    {seen:9.1f} ms   target 100: {_verdict(seen < 100 and not paced['missed'])}")
    print(f"Two workers on PostgreSQL, with 300 watchers\n    {two / one:9.2f} x    target 1.6: {_verdict(two >= 1.6 * one)}")


def scaling(share: float, cores: tuple[int, ...], streams: int, seconds: float, turns: int) -> None:
    """Two workers against one on PostgreSQL. Both houses are open, and people play now in the one, now in the other, for so
    short a time that a machine which others slow down, or not, does so for both. The other one stands still meanwhile."""
    one, two = (
        Run("postgresql", workers, streams, 0, seconds, share=share, tables=TABLES_TO_SCALE, cores=cores) for workers in (1, 2)
    )
    took: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
    with visited(Side("this checkout"), one) as first, visited(Side("this checkout"), two) as second:
        for house in (first, second):
            house.play(KNOWN_SECONDS)
        for house in (first, second):
            house.wait_until_still()
        for turn in range(turns):
            for house, other in ((first, second), (second, first))[:: 1 if turn % 2 else -1]:
                with other.standing_still():
                    took[house.run.workers].append(told := house.play(seconds))
                if told["refused"] or told["missed"]:
                    print(f"{house.run}: refused {told['refused']}, never seen: {told['missed']}")
            rates = [took[workers][-1]["rate"] for workers in (1, 2)]
            print(f"    {rates[0]:7.0f} and {rates[1]:7.0f} commands a second: {rates[1] / rates[0]:.2f} x", flush=True)
    ratios = sorted(two["rate"] / one["rate"] for one, two in zip(took[1], took[2], strict=True))
    (one_rate, one_ms), (two_rate, two_ms) = (
        [statistics.fmean(told[key] for told in took[workers]) for key in ("rate", "cpu_ms")] for workers in (1, 2)
    )
    ratio, low, high = statistics.median(ratios), ratios[len(ratios) // 10], ratios[-1 - len(ratios) // 10]
    print(f"{two}\n    against one: {ratio:.2f} x, the median of {turns} turns of {seconds:g} s", end="")
    print(f"    target 1.6: {_verdict(ratio >= 1.6)}")
    print(f"    eight turns of ten from {low:.2f} to {high:.2f}; all together {two_rate / one_rate:.2f} x")
    print(f"    {one_rate:.0f} and {two_rate:.0f} commands a second; servers' processor time a command, ms:")
    print(f"    {one_ms:.2f} and {two_ms:.2f} ({two_ms / one_ms:.2f} x)")
    for workers, who in ((1, "the one"), (2, "the desk and the two workers")):
        shares = Counter[int]()
        for told in took[workers]:
            shares.update(told["shares"])
        busy = [", ".join(f"{share / turns:.0%}" for _, share in shares.most_common() if share / turns > BEGINS_STILL)]
        busy += [f"{statistics.fmean(told[key] * told['rate'] / 1000 for told in took[workers]):.0%}" for key in OTHERS]
        print("    of a core, {}: {}; the database {}, the crowd {}".format(who, *busy))


def _verdict(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def measure_and_tell(run: Run) -> dict[str, Any]:
    """One run of this checkout."""
    told = measure(Side("this checkout"), run)
    tell(run, told)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, help="of each run (10), or of each turn where scaling is measured (2)")
    parser.add_argument("--rate", type=float, help="commands a second in the whole house; 35: each seat every four seconds")
    parser.add_argument("--streams", type=int, default=300, help="140 of them are the seats' own, the others anybody's")
    parser.add_argument("--database", choices=list(NAMES), default="sqlite")
    parser.add_argument("--workers", type=int, default=1, help="processes that serve; several only on PostgreSQL")
    parser.add_argument("--plain", action="store_true", help="streams that take no compression")
    parser.add_argument("--profile", action="store_true", help="tell where the server's threads are")
    parser.add_argument("--against", type=Path, help="another checkout with a .venv: the baseline, in turns with this one")
    parser.add_argument("--turns", type=int, help="of each side, where there are two (3), or of workers (20)")
    parser.add_argument("--scaling", action="store_true", help="two workers against one")
    parser.add_argument("--cores", default="", help="that servers have for themselves, such as 2,3")
    parser.add_argument("--share", type=float, default=0, help="of a core, for each server, where scaling is measured")
    options = parser.parse_args()
    if options.scaling:
        cores = tuple(map(int, filter(None, options.cores.split(","))))
        scaling(options.share, cores, options.streams, options.seconds or 2, options.turns or 20)
        return
    if options.rate is None and not options.against:
        targets(options.seconds or 10)
        return
    rate = 35 if options.rate is None else options.rate
    seconds, turns = options.seconds or 10, options.turns or 3
    run = Run(options.database, options.workers, options.streams, rate, seconds, not options.plain, options.profile)
    sides = [Side("this checkout")] + ([Side.of(options.against.resolve())] if options.against else [])
    took: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for _, side in itertools.product(range(turns if options.against else 1), sides):
        print(f"--- {side.name}")
        told = measure(side, run)
        tell(run, told)
        took[side.name].append(told)
    for name, each in took.items() if options.against else ():
        busy, rates = ([one[key] for one in each] for key in ("cpu_ms", "rate"))
        told_busy = ", ".join(f"{ms:.2f}" for ms in busy)
        print(f"{name}: processor time of the server a command, median {statistics.median(busy):.2f} ms ({told_busy});")
        print(f"    commands a second, median {statistics.median(rates):.0f}")


if __name__ == "__main__":
    main()
