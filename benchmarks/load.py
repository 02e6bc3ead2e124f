"""A full house: 20 tables, 140 seats that act and 300 streams that watch; how long until everybody sees what was done?

The server is a process of its own, on an SQLite file, as `houseway serve` runs it, without limits. Guests
and watchers are one asyncio client on the same machine, so that its own work is part of every figure.

    python benchmarks/load.py [--seconds 20] [--rate 35] [--streams 300] [--store postgresql://...] [--profile]

Against another release, in turns, by the processor time of the server (a checkout with its own .venv):

    python benchmarks/load.py --against CHECKOUT [--turns 3]
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import runpy
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

TARGET_MS = 150
TABLES, SEATS = 20, 7
GAMES = {
    "ez-baccarat-wa": ("banker", ""),
    "lucky-lucky-wa": ("blackjack", "stand"),
    "duki-4-wa": ("ante", "play"),
}
SERVER = """
import collections, json, os, socket, sys, threading, time
import uvicorn
from pathlib import Path
from houseway.house.floor import Actor
from houseway.web.app import ServeSettings, create_app
from houseway.web.limits import ClientLimits
from houseway.web.people import DOOR
from houseway.web.serve import how_to_serve
from houseway.web.warm import warm_up
store, folder, tables, seats, profiled = sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:6])
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
    uvicorn.run(app, port=port, **how_to_serve(settings) | {"log_level": "error", "timeout_graceful_shutdown": 1})
except KeyboardInterrupt:
    pass
if profiled:
    print("where the server's threads were, in samples of 5 ms (a thread that waits for the lock counts too)", flush=True)
    for place, count in samples.most_common(45):
        print(f"{count:8,}  {place}", flush=True)
"""


@dataclass
class Watching:
    """Everybody who watches: for each table, when each of its streams had come how far."""

    seen: dict[str, list[list[tuple[int, float]]]] = field(default_factory=lambda: defaultdict(list))
    received: int = 0
    events: int = 0

    async def watch(self, port: int, table: str, token: str) -> None:
        """One stream, by hand: little work for each event, so that the client is not what is measured."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        path = f"/api/v1/tables/{table}/stream" if table else "/api/v1/stream"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n{bearer}\r\n".encode())
        mine: list[tuple[int, float]] = []
        self.seen[table].append(mine)
        with suppress(asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            while True:
                told = await reader.readuntil(b"\n\n")
                self.received += len(told)
                if number := re.search(rb"id: (\d+)\n", told):
                    self.events += 1
                    mine.append((int(number[1]), time.perf_counter()))
        writer.close()


@dataclass
class Load:
    """The guests and dealers of the house, and what they measured."""

    url: str
    guests: dict[str, str]
    dealer: str
    gap_seconds: float
    client: httpx.AsyncClient
    actions: list[tuple[str, int, float, float]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    due: dict[str, float] = field(default_factory=dict)

    async def act(self, table: str, token: str, kind: str, **body: Any) -> dict[str, Any]:
        """One command, from the press of the button to the answer."""
        self.due[table] = self.due.get(table, time.perf_counter()) + random.expovariate(1 / self.gap_seconds)
        await asyncio.sleep(max(self.due[table] - time.perf_counter(), 0))
        began = time.perf_counter()
        headers = {"Authorization": f"Bearer {token}"}
        try:
            answer = await self.client.post(f"{self.url}/api/v1/tables/{table}/{kind}", json=body or None, headers=headers)
        except httpx.TransportError as error:
            self.refused[f"{kind}: {type(error).__name__}"] += 1
            return {}
        told: dict[str, Any] = answer.json()
        if answer.status_code == 200:
            self.actions.append((table, told["seq"], began, time.perf_counter()))
        else:
            self.refused[f"{kind}: {told.get('code')}"] += 1
        return told

    async def play(self, number: int, until: float) -> None:
        """Rounds at a table, one after the other, at the pace of people."""
        table, (wager, choice) = f"T{number}", list(GAMES.values())[number % len(GAMES)]
        tokens = {seat: self.guests[f"G{number * SEATS + seat - 1}"] for seat in range(1, SEATS + 1)}
        while time.perf_counter() < until:
            for seat, token in tokens.items():
                await self.act(table, token, "bet", seat=seat, wager=wager, cents=500)
            await self.act(table, self.dealer, "no-more-bets")
            told = await self.act(table, self.dealer, "deal")
            while acting := [event for event in told.get("happened", []) if event["event"] == "to-act"]:
                seat, allowed = acting[0]["seat"], acting[0]["allowed"]
                told = await self.act(
                    table, tokens[seat], "decide", seat=seat, choice=choice if choice in allowed else allowed[-1]
                )
            await self.act(table, self.dealer, "settle")


def quantile(values: list[float], share: float) -> float:
    """The value below which this share lies."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] if values else float("nan")


def delays(load: Load, watching: Watching) -> tuple[list[float], list[float], int]:
    """For each action, the milliseconds until each stream of its table had it, until the last had it; and those that never."""
    each, last, missed = [], [], 0
    for table, seq, began, _ in load.actions:
        came = [next((at for number, at in stream if number >= seq), None) for stream in watching.seen[table]]
        known = [1000 * (at - began) for at in came if at is not None]
        missed += came.count(None)
        each += known
        last += [max(known)] if known else []
    return each, last, missed


async def bare_gets(url: str, client: httpx.AsyncClient, stop: asyncio.Event | None = None) -> list[float]:
    """The baseline: a plain GET of the lobby, one at a time."""
    took = []
    for _ in itertools.count() if stop else range(100):
        if stop and stop.is_set():
            break
        began = time.perf_counter()
        (await client.get(f"{url}/api/v1/tables")).raise_for_status()
        took.append(1000 * (time.perf_counter() - began))
        if stop:
            await asyncio.sleep(0.2)
    return took


def memory_mb(pid: int, what: str = "VmRSS") -> float:
    """What a process holds now, or held at most (`VmHWM`)."""
    found = re.search(rf"{what}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else float("nan")


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Side:
    """A release that is measured: its interpreter, and how its house is served."""

    name: str
    python: str = sys.executable
    program: str = SERVER

    @classmethod
    def of(cls, checkout: Path) -> "Side":
        """Another checkout, served as its own benchmark serves it."""
        return cls(
            str(checkout), str(checkout / ".venv/bin/python"), runpy.run_path(str(checkout / "benchmarks/load.py"))["SERVER"]
        )


@contextmanager
def server(side: Side, store: str, profiled: bool) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    """The house in a process of its own, with all tables open and all guests known."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [store or f"sqlite:///{folder}/house.db", folder, str(TABLES), str(SEATS), str(int(profiled))]
        command = [side.python, "-c", side.program, *arguments, json.dumps(list(GAMES))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            try:
                yield json.loads(process.stdout.readline()), process
            finally:
                process.send_signal(signal.SIGINT)
                if profiled:
                    print(process.stdout.read())


async def measure(given: dict[str, Any], pid: int, options: argparse.Namespace) -> float:
    """Fill the house, let it play, and tell; the milliseconds of the server's processor an action."""
    url = f"http://127.0.0.1:{given['port']}"
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=200)
    async with httpx.AsyncClient(timeout=30, limits=limits) as client:
        while True:
            with suppress(httpx.TransportError):
                await client.get(url)
                break
            await asyncio.sleep(0.05)
        idle_mb, idle = memory_mb(pid), await bare_gets(url, client)
        watching, names = Watching(), list(given["guests"])
        watchers = [
            asyncio.create_task(watching.watch(given["port"], f"T{number // SEATS}", given["guests"][name]))
            for number, name in enumerate(names)
        ]
        more = max(options.streams - len(names), 0)
        watchers += [asyncio.create_task(watching.watch(given["port"], f"T{n % TABLES}", "")) for n in range(more)]
        while watching.events < len(watchers):
            await asyncio.sleep(0.05)
        load = Load(url, given["guests"], given["dealer"], TABLES / options.rate, client)
        cpu = cpu_seconds(pid)
        until, stop = time.perf_counter() + options.seconds, asyncio.Event()
        busy = asyncio.create_task(bare_gets(url, client, stop))
        await asyncio.gather(*(load.play(number, until) for number in range(TABLES)))
        stop.set()
        await asyncio.sleep(1)
        for one in watchers:
            one.cancel()
        report = Report(
            load, watching, idle, await busy, idle_mb, memory_mb(pid), memory_mb(pid, "VmHWM"), cpu_seconds(pid) - cpu
        )
    report.told(options, len(watchers))
    return report.cpu_ms


@dataclass
class Report:
    """The figures of a run."""

    load: Load
    watching: Watching
    idle: list[float]
    busy: list[float]
    idle_mb: float
    full_mb: float
    most_mb: float
    cpu_seconds: float

    @property
    def cpu_ms(self) -> float:
        """The server's processor time for an action, with all that everybody sees of it."""
        return 1000 * self.cpu_seconds / len(self.load.actions)

    def told(self, options: argparse.Namespace, streams: int) -> None:
        """Print them."""
        each, last, missed = delays(self.load, self.watching)
        answers = [1000 * (done - began) for _, _, began, done in self.load.actions]
        took = self.load.actions[-1][3] - self.load.actions[0][2]
        print(f"{TABLES} tables, {TABLES * SEATS} seats acting, {streams} streams, {len(self.load.actions):,} actions")
        print(
            f"{len(self.load.actions) / took:.1f} actions a second (wanted {options.rate:.0f}), {self.watching.events:,} events"
        )
        print(f"{'milliseconds':<44}{'p50':>9}{'p90':>9}{'p99':>9}{'most':>9}")
        rows = {
            "bare GET of the lobby, idle house (baseline)": self.idle,
            "bare GET of the lobby, full house": self.busy,
            "action to its answer": answers,
            "action to a screen of the table": each,
            "action to everybody's screen at the table": last,
        }
        for name, values in rows.items():
            figures = "".join(f"{quantile(values, share):9.1f}" for share in (0.5, 0.9, 0.99, 1))
            print(f"{name:<44}{figures}")
        print(f"memory of the server: {self.idle_mb:.0f} MB idle, {self.full_mb:.0f} MB full, {self.most_mb:.0f} MB at most")
        print(
            f"processor time of the server: {self.cpu_ms:.1f} ms an action, {100 * self.cpu_seconds / took:.0f} % of one core"
        )
        print(f"load of the machine (more than its cores: others work on it too): {os.getloadavg()[0]:.1f}")
        print(f"sent to the streams: {self.watching.received / 1e6:.1f} MB; never seen: {missed}")
        print(f"refused: {dict(self.load.refused) or 'nothing'}")
        met = quantile(last, 0.99) < TARGET_MS and not missed
        print(f"target: p99 from action to everybody's screen under {TARGET_MS} ms: {'met' if met else 'MISSED'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=35, help="actions a second in the whole house: each seat every four")
    parser.add_argument("--streams", type=int, default=300, help="140 of them are the seats' own, the others anybody's")
    parser.add_argument("--store", default="", help="a database of its own; an SQLite file if not given")
    parser.add_argument("--profile", action="store_true", help="tell where the server's threads are")
    parser.add_argument(
        "--against", type=Path, help="another checkout with a .venv: the baseline, measured in turns with this one"
    )
    parser.add_argument("--turns", type=int, default=3, help="of each side, where there are two")
    options = parser.parse_args()
    sides = [Side("this checkout")] + ([Side.of(options.against.resolve())] if options.against else [])
    took: dict[str, list[float]] = defaultdict(list)
    for _, side in itertools.product(range(options.turns if options.against else 1), sides):
        print(f"--- {side.name}")
        random.seed(1)
        with server(side, options.store, options.profile) as (given, process):
            took[side.name].append(asyncio.run(measure(given, process.pid, options)))
    for name, each in took.items() if options.against else ():
        told = ", ".join(f"{ms:.1f}" for ms in each)
        print(f"processor time of the server an action, median: {statistics.median(each):5.1f} ms   {name} ({told})")


if __name__ == "__main__":
    main()
