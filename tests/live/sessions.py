"""Random but legal sessions on live tables, here or in processes of their own, and an independent recount of the journal.

As a script, a zygote: it loads and compiles everything once, then forks a player for every line of JSON that it reads.
Whatever a player is about to do, and whatever was acknowledged, stands in its log, one line each, before it goes on.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import text

from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import House, Phase, Table, unfolded
from houseway.table.entry import Entry
from houseway.table.ledger import Transfer

ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
DAN, CAT = Actor("dan", "dealer"), Actor("cat", "cashier")
SEATS = {"ez-baccarat-wa": 8, "ez-pai-gow-wa": 6, "lucky-lucky-wa": 7, "duki-4-wa": 7}
WAGERS = {  # by edition, the first one is what a seat needs for the others
    "ez-baccarat-wa": ("banker", "player", "tie", "dragon-7", "panda-8"),
    "ez-pai-gow-wa": ("base", "dynasty", "protection", "red-black"),
    "lucky-lucky-wa": ("blackjack", "lucky-lucky"),
    "duki-4-wa": ("ante", "duki-bonus"),
}
NEEDS_BASE = ("ez-pai-gow-wa", "lucky-lucky-wa", "duki-4-wa")
STALE = {  # what a process may hear if another one was faster
    *("wrong-phase", "not-your-turn", "no-bets", "seat-taken", "bad-bet", "no-such-bet", "bets-on-table", "table-open"),
    *("unknown-table", "not-settled", "nothing-changes", "corrected-meanwhile", "bad-choice", "key-reused", "bad-seat"),
}
Move = tuple[dict[str, Any], Actor]


def edition_of(table: str) -> str:
    """Tables are named after their edition: `0-3` is the third of the first edition."""
    return list(SEATS)[int(table.partition("-")[0])]


def house_tables(count: int) -> list[str]:
    return [f"{number % len(SEATS)}-{number // len(SEATS)}" for number in range(count)]


def guest_at(table: str, seat: int) -> str:
    """Guests have seats at several tables, so that tables share accounts."""
    return f"g{(int(table.partition('-')[2]) + seat) % 9}"


def opening(table: str) -> dict[str, Any]:
    edition = edition_of(table)
    fields = {"edition": edition, "source": "virtual-shoe", "opener_cents": 50_000_000, "seats": SEATS[edition]}
    return {"kind": "open", "table": table, **fields}


def prepare(floor: Floor, tables: list[str]) -> None:
    """Money, guests and open tables; may be repeated, as every command has a key."""
    floor.do({"kind": "fund", "cents": 10**10}, ROOT, "fund")
    for number in range(9):
        floor.do({"kind": "buy-in", "guest": f"g{number}", "cents": 10**8}, CAT, f"buy-in-{number}")
    for table in tables:
        if table not in floor.state.tables:
            floor.do(opening(table), SUE, f"open-{table}-first")


# Moves


def next_move(house: House, name: str, rng: random.Random) -> Move:
    """A legal command for a table, as the house stands."""
    table = house.tables[name]
    if not table.is_open:
        return opening(name), SUE
    phase = table.round.phase
    if phase != Phase.BETTING and rng.random() < 0.03:
        return {"kind": "void", "table": name, "reason": rng.choice(("misdeal", "shuffler-jam"))}, SUE
    if table.settled_round == table.round.number - 1 > 0 and rng.random() < 0.05:
        return {"kind": "correct", "table": name, "round": table.settled_round, "void": True, "reason": "a misdeal"}, SUE
    if phase in {Phase.DEALING, Phase.DECIDING, Phase.READY} and rng.random() < 0.05:
        return _changed_bet(table, rng)
    if phase == Phase.DEALING:
        return {"kind": "deal", "table": name}, DAN
    if phase == Phase.DECIDING:
        return _decision(table, rng)
    if phase == Phase.READY:
        return {"kind": "settle", "table": name}, DAN
    return _betting(table, rng)


def _decision(table: Table, rng: random.Random) -> Move:
    to_act = unfolded(table).to_act
    if not to_act:  # the shoe ran out in the middle of a round
        return {"kind": "void", "table": table.name, "reason": "shoe-ran-out"}, SUE
    seat = rng.choice(sorted(to_act))
    choice = rng.choice([allowed for allowed in to_act[seat] if allowed != "set"])
    return {"kind": "decide", "table": table.name, "seat": seat, "choice": choice}, DAN


def _changed_bet(table: Table, rng: random.Random) -> Move:
    """What lay on the main wager of a seat was another amount."""
    wagers = WAGERS[table.edition]
    seat = rng.choice(sorted(table.round.spots))
    spot = table.round.spots[seat]
    wager = next(wager for wager in wagers if wager in spot.bets)
    fields = {"seat": seat, "wager": wager, "stake_cents": 300 if spot.bets[wager] != 300 else 200}
    return {"kind": "change-bet", "table": table.name, "reason": "counted again", **fields}, SUE


def _betting(table: Table, rng: random.Random) -> Move:
    spots = table.round.spots
    dice = rng.random()
    base = WAGERS[table.edition][0]
    complete = table.edition not in NEEDS_BASE or all(base in spot.bets for spot in spots.values())
    if spots and complete and dice < 0.35:
        return {"kind": "no-more-bets", "table": table.name}, DAN
    if not spots and dice < 0.03:
        return {"kind": "close", "table": table.name}, SUE
    if dice > 0.9:
        return _money(table, rng)
    if spots and dice > 0.84:
        seat = rng.choice(sorted(spots))
        wager = rng.choice(sorted(spots[seat].bets))
        guest = spots[seat].guest
        return {"kind": "withdraw", "table": table.name, "seat": seat, "guest": guest, "wager": wager}, DAN
    return bet(table, rng.randint(1, table.seats), rng)


def bet(table: Table, seat: int, rng: random.Random) -> Move:
    """Place or change a bet; the base first, where the others need it."""
    wagers = WAGERS[table.edition]
    spot = table.round.spots.get(seat)
    wager = rng.choice(wagers)
    if table.edition in NEEDS_BASE and (spot is None or wagers[0] not in spot.bets):
        wager = wagers[0]
    cents = 100 * rng.randint(1, 400 if wager in {wagers[0], "player"} else 5)  # WAC 230-15-040: bonuses up to $5 are free
    fields = {"seat": seat, "guest": guest_at(table.name, seat), "wager": wager, "cents": cents}
    return {"kind": "bet", "table": table.name, **fields}, DAN


def _money(table: Table, rng: random.Random) -> Move:
    kind = rng.choice(("fill", "credit", "table-buy-in", "tip"))
    command = {"kind": kind, "table": table.name, "cents": 100 * rng.randint(1, 50)}
    if kind in {"table-buy-in", "tip"}:
        command["guest"] = f"g{rng.randrange(9)}"
    return command, CAT if kind in {"fill", "credit"} else DAN


def play(floor: Floor, rng: random.Random, tables: list[str], steps: int, prefix: str = "") -> list[Entry]:
    """So many random steps at these tables, one after the other."""
    done = []
    for step in range(steps):
        command, actor = next_move(floor.refresh(), rng.choice(tables), rng)
        done.append(floor.do(command, actor, f"{prefix}{step}" if prefix else ""))
    return done


def finish_round(floor: Floor, table: str, rng: random.Random) -> None:
    """Play a round on until nothing lies on the table."""
    while True:
        now = floor.refresh().tables[table]
        if now.round.phase == Phase.BETTING and not now.round.spots:
            return
        base = WAGERS[now.edition][0]
        lacking = [seat for seat, spot in now.round.spots.items() if now.edition in NEEDS_BASE and base not in spot.bets]
        if now.round.phase != Phase.BETTING:
            command, actor = next_move(floor.state, table, rng)
        elif lacking:
            command, actor = bet(now, lacking[0], rng)
        else:
            command, actor = {"kind": "no-more-bets", "table": table}, DAN
        floor.do(command, actor)


# Recount


class Recount:
    """The money once more, from the stored transfers and what the dealers said; knows nothing of rules or state.

    A book that is kept from the beginning takes in only what came since.
    """

    def __init__(self, store: Store | None = None) -> None:
        self.balances: Counter[str] = Counter()
        self.problems: list[str] = []
        self.openings: Counter[str] = Counter()
        self.rounds: dict[str, _Felt] = {}
        self.settled: Counter[tuple[str, int, int]] = Counter()
        self.seats: set[tuple[str, int]] = set()
        self.seq = 0
        if store:
            self.take_in(store)

    def take_in(self, store: Store) -> None:
        """What was written since, each entry with its stored transfers; and whether the accounts still come out."""
        moved: dict[int, list[Transfer]] = {}
        with store.reading() as connection:
            rows = text("SELECT seq, source, target, cents, why FROM transfers WHERE seq > :seq ORDER BY seq, place")
            for seq, *transfer in connection.execute(rows, {"seq": self.seq}):
                moved.setdefault(seq, []).append(Transfer(*transfer))
        for entry in store.entries(self.seq):
            self.entry(entry, moved.pop(entry.seq, []))
            self.seq = entry.seq
        self.expect(not moved, f"transfers without an entry: {moved}")
        self.expect(not sum(self.balances.values()), "the accounts do not add up to zero")
        for table, felt in self.rounds.items():
            self.expect(self.balances[f"wagers:{table}"] == felt.held(), f"{table}: a wager that still lies there is lost")

    def expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.problems.append(otherwise)

    def entry(self, entry: Entry, moved: list[Transfer]) -> None:
        for transfer in moved:
            self.expect(transfer.cents > 0, f"{entry.seq}: {transfer}")
            self.balances[transfer.source] -= transfer.cents
            self.balances[transfer.target] += transfer.cents
        for transfer in moved:
            for account in (transfer.source, transfer.target):
                allowed = account == "outside" or account.startswith("debt:")
                self.expect(allowed or self.balances[account] >= 0, f"{entry.seq}: {account} is negative")
        self.openings[entry.table] += entry.kind == "open"
        if entry.kind in ROUND_KINDS:
            self.follow(self.rounds.setdefault(entry.table, _Felt(entry.table)), entry, moved)

    def follow(self, felt: "_Felt", entry: Entry, moved: list[Transfer]) -> None:
        felt.entry(entry, moved)
        if entry.kind == "bet":
            self.seats.add((entry.table, entry.data["command"]["seat"]))
        if entry.kind not in {"settle", "void"}:
            return
        place = f"{entry.seq} ({entry.kind} at {entry.table})"
        self.expect(not self.balances[felt.account], f"{place}: something is left on the felt")
        self.expect(felt.taken == felt.placed, f"{place}: {felt.placed} cents were placed and {felt.taken} taken up")
        if entry.kind == "settle":
            number = next(event["round"] for event in entry.data["events"] if event["event"] == "round-settled")
            self.settled[entry.table, self.openings[entry.table], number] += 1
            once = self.settled[entry.table, self.openings[entry.table], number] == 1
            self.expect(once, f"{place}: round {number} is settled twice")
            self.expect(felt.staked == felt.accounted, f"{place}: staked {felt.staked}, accounted {felt.accounted}")
            got = {guest: cents for guest, cents in felt.net.items() if cents}
            won = {guest: cents for guest, cents in felt.wins.items() if cents}
            self.expect(got == won, f"{place}: guests got {got} and won {won}")
        else:
            self.expect(not any(felt.net.values()), f"{place}: not everybody has his own back: {felt.net}")
        self.rounds[entry.table] = _Felt(entry.table)


ROUND_KINDS = {"bet", "withdraw", "no-more-bets", "deal", "decide", "change-bet", "settle", "void"}


class _Felt:
    """One round at one table: cents by seat and by guest."""

    def __init__(self, table: str) -> None:
        self.account = f"wagers:{table}"
        self.bets: dict[tuple[int, str], int] = {}
        self.raised: dict[int, int] = {}
        self.accounted: dict[int, int] = {}
        self.net: dict[str, int] = {}
        self.wins: dict[str, int] = {}
        self.placed = self.taken = 0

    def entry(self, entry: Entry, moved: list[Transfer]) -> None:
        data = entry.data
        command, betting = data["command"], entry.kind in {"bet", "withdraw", "decide", "change-bet"}
        into = sum(t.cents for t in moved if t.target == self.account)
        out = sum(t.cents for t in moved if t.source == self.account)
        if betting:
            self.placed += into - out
        else:
            self.taken += out - into
        if entry.kind == "bet":
            self.bets[command["seat"], command["wager"]] = command["cents"]
        elif entry.kind == "change-bet":
            place = command["seat"], command["wager"]
            more = command["stake_cents"] - self.bets[place]
            self.bets[place] = command["stake_cents"]
            self.raised[command["seat"]] = self.raised.get(command["seat"], 0) + into - out - more
        elif entry.kind == "withdraw":
            del self.bets[command["seat"], command["wager"]]
        elif entry.kind == "decide":
            self.raised[command["seat"]] = self.raised.get(command["seat"], 0) + into
        for transfer in moved:
            for account, cents in ((transfer.source, -transfer.cents), (transfer.target, transfer.cents)):
                if account.startswith("guest:"):
                    self.net[account[6:]] = self.net.get(account[6:], 0) + cents
        for event in data["events"]:
            if event["event"] == "paid":
                self.accounted[event["seat"]] = self.accounted.get(event["seat"], 0) + event["stake_cents"]
                self.wins[event["guest"]] = self.wins.get(event["guest"], 0) + event["win_cents"]

    @property
    def staked(self) -> dict[int, int]:
        cents = {seat: self.raised.get(seat, 0) for seat, _ in self.bets}
        for (seat, _), bet_cents in self.bets.items():
            cents[seat] += bet_cents
        return cents

    def held(self) -> int:
        """What still lies on the felt."""
        return self.placed - self.taken


# Processes


@dataclass
class Job:
    """What a player process is to do: `steps` random ones (or `places` first), against the store at `url`."""

    url: str
    key_file: str
    log: str
    seed: int
    tables: list[str]
    steps: int
    shared_keys: bool = False
    retry: float = 0.0
    place: tuple[int, int] = (0, 0)
    start_at: float = 0.0

    def key(self, floor: Floor, command: dict[str, Any], step: int) -> str:
        """With shared keys, every process names a round's deal or settlement alike: whoever is first does it."""
        if self.shared_keys and command["kind"] in {"no-more-bets", "deal", "settle"}:
            table = floor.state.tables[command["table"]]
            shoe = table.shoe.id if table.shoe else ""
            return f"{table.name}/{shoe[-8:]}/{table.shoes_made}/{table.round.number}/{command['kind']}"
        return f"{self.seed}-{step}"


class Player:
    """A process at work: says what it does before it does it."""

    def __init__(self, job: Job) -> None:
        self.job, self.rng = job, random.Random(job.seed)
        self.log = os.open(job.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        time.sleep(max(0.0, job.start_at - time.time()))
        self.write("opening")
        self.floor = Floor(Store(job.url), Path(job.key_file))
        self.floor.refresh()
        self.write("ready")

    def write(self, what: str, **details: Any) -> None:
        os.write(self.log, (json.dumps({"what": what, **details}) + "\n").encode())

    def do(self, command: dict[str, Any], actor: Actor, key: str) -> None:
        for _ in range(2 if self.rng.random() < self.job.retry else 1):
            self.write("try", key=key, command=command, actor=[actor.name, actor.role])
            try:
                entry = self.floor.do(command, actor, key)
            except Refused as refused:
                self.write("refused", key=key, code=refused.code, command=command)
            else:
                self.write("done", key=key, seq=entry.seq, hash=entry.hash)

    def run(self) -> None:
        job = self.job
        number, of = job.place
        seats = [(table, seat) for table in job.tables for seat in range(1, SEATS[edition_of(table)] + 1)]
        for step, (table, seat) in enumerate(seats[number::of] if of else ()):
            command, actor = bet(self.floor.refresh().tables[table], seat, self.rng)
            self.do(command, actor, f"{job.seed}-place-{step}")
        for step in range(job.steps):
            command, actor = next_move(self.floor.refresh(), self.rng.choice(job.tables), self.rng)
            self.do(command, actor, job.key(self.floor, command, step))
        self.write("end")


@dataclass
class Zygote:
    """The parent of player processes: warm, and without a connection to any store."""

    process: subprocess.Popen[str]

    @classmethod
    @contextmanager
    def started(cls) -> Iterator["Zygote"]:
        command = [sys.executable, __file__]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            zygote = cls(process)
            assert zygote._answer() == "warm"
            yield zygote
            assert process.stdin is not None
            process.stdin.close()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def _ask(self, question: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return self._answer()

    def fork(self, job: Job) -> int:
        """Start a player; its process id."""
        return int(self._ask(json.dumps(vars(job))))

    def wait(self, pid: int) -> int:
        """Wait until it has ended; the status, negative for a signal."""
        return int(self._ask(str(pid)))


def read_log(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a player's log."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def is_running(pid: int) -> bool:
    """Whether there is such a process, and not only its exit status that nobody has asked for yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(file: Path, what: str, pid: int, lines: int = 0) -> None:
    """Until a player's log says so, and has so many lines; the player must be alive."""
    while what not in (said := [line["what"] for line in read_log(file)]) or len(said) < lines:
        assert is_running(pid), f"the player {pid} ended early"
        time.sleep(0.002)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/warm.db")
        floor = Floor(store, Path(folder) / "key")
        tables = house_tables(4)
        prepare(floor, tables)
        play(floor, random.Random(1), tables, 150)
        store.engine.dispose()
    print("warm", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if isinstance(asked, int):
            print(os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1]), flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                Player(Job(**{**asked, "place": tuple(asked["place"])})).run()
                status = 0
            except BaseException as error:
                print(f"player: {type(error).__name__}: {error}"[:2000], file=sys.stderr, flush=True)
            finally:
                os._exit(status)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
