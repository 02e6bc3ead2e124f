"""As a script: players that kill themselves at a chosen instant of a command, one after the other, on one store.

Each is forked from a house that is warm, plays by its own connection, and dies by SIGKILL at the n-th call of any function,
Python's own included: between any two statements, before or after the commit, before or after it is told. Whoever is left
looks what the store has, gives the last command again with its key, and compares every cent with a book of his own.

    python kills.py URL KEY_FILE KILLS SEED
"""

import json
import os
import random
import signal
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sessions import STALE, Recount, house_tables, next_move, prepare

from houseway.house import snapshot
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused

TABLES = house_tables(4)
CALLS = 3_000
"""A player dies within so many calls: a command takes some 1,000."""
OPENING_CALLS = 60_000
NEAR = 270
"""A commit, until it is told that it is done."""
WARM = 150
EVERY = 300
"""How often a floor that starts anew must know the same, and the audit find nothing."""


def die_in(calls: int, near_commit: int = 0) -> None:
    """SIGKILL, which nothing can catch, at this call from now on; or so many calls after a commit begins."""
    left = calls

    def count(frame: Any, event: str, _: Any) -> None:
        nonlocal left
        left -= 1
        if near_commit and event == "call" and frame.f_code.co_qualname == "Writer.finish":
            left = near_commit
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)


@dataclass
class Killing:
    """A house whose players die; `became` counts what the last command of each came to."""

    url: str
    key_file: Path
    rng: random.Random
    became: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.store = Store(self.url)
        self.floor = Floor(self.store, self.key_file)
        prepare(self.floor, TABLES)
        for _ in range(WARM):  # what is worked out once is worked out here: players die in commands, not in preparations
            with suppress(Refused):
                self.floor.do(*next_move(self.floor.state, self.rng.choice(TABLES), self.rng))
        self.book = Recount()
        self.compare()

    def play_and_die(self, to: int, opens: bool) -> None:
        """In a process of its own: says what it is about to do, does it, says that it is done, until it dies."""
        self.store.engine.dispose(close=False)  # the parent's connections are the parent's
        rng = random.Random(self.rng.random())
        if rng.random() < 0.4 and not opens:
            die_in(10**9, near_commit=rng.randrange(1, NEAR))
        else:
            die_in(rng.randrange(1, OPENING_CALLS if opens else CALLS))
        if opens:
            self.floor = Floor(Store(self.url), self.key_file)
            self.floor.refresh()
        while True:
            command, actor = next_move(self.floor.state, rng.choice(TABLES), rng)
            told = {"key": f"k{rng.randrange(10**15)}", "command": command, "actor": [actor.name, actor.role]}
            _say(to, {"what": "try", **told})
            try:
                entry = self.floor.do(command, actor, told["key"])
            except Refused as refused:
                assert refused.code in STALE, refused
                _say(to, {"what": "refused"})
            else:
                _say(to, {"what": "done", "seq": entry.seq, "hash": entry.hash})

    def kill_one(self) -> None:
        """One player's life; afterwards the house has lost nothing, and nothing happened by half or twice."""
        before, opens = self.floor.seq, self.rng.random() < 0.05
        self.rng.random()  # the next player is another one
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self.play_and_die(writing, opens)
            except BaseException as error:
                _say(writing, {"what": "failed", "error": f"{type(error).__name__}: {error}"[:500]})
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading) as said_by:
            said = [json.loads(line) for line in said_by if line.endswith("\n")]
        ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        assert ended == -signal.SIGKILL, said[-1:]
        self.floor.refresh()
        for line in said:
            if line["what"] == "done":
                entry = self.store.entry(line["seq"])
                assert entry is not None and entry.hash == line["hash"], f"acknowledged and lost: {line}"
        self.became[self.give_again(said, before)] += 1
        self.compare()

    def give_again(self, said: list[dict[str, Any]], before: int) -> str:
        """The command in which the player died, once more with its key: it happens exactly once."""
        if not said or said[-1]["what"] != "try":
            return "between commands" if said else "while it opened"
        last, head = said[-1], self.store.head()[0]
        with suppress(Refused):
            first = self.floor.do(last["command"], Actor(*last["actor"]), last["key"])
            again = self.floor.do(last["command"], Actor(*last["actor"]), last["key"])
            assert first == again
            return "was done already" if first.seq <= head else "had not happened"
        return "is refused"

    def compare(self) -> None:
        """The house's accounts with the book: not a cent off."""
        self.book.take_in(self.store)
        assert self.book.problems == []
        balances = dict(self.floor.refresh().balances)
        assert balances == dict(self.book.balances)
        assert sum(balances.values()) == 0

    def examine(self) -> None:
        """What a floor that starts anew knows, and what the audit and a second book find."""
        store = Store(self.url)
        assert Floor(store, self.key_file).refresh() == self.floor.state
        assert Auditor(store).run().flaw is None
        again = Recount(store)
        assert again.problems == [] and again.balances == self.book.balances
        store.engine.dispose()


def main() -> None:
    url, key_file, kills, seed = sys.argv[1:]
    snapshot.EVERY = 250
    killing = Killing(url, Path(key_file), random.Random(int(seed)))
    for number in range(int(kills)):
        killing.kill_one()
        if number % EVERY == EVERY - 1:
            killing.examine()
    killing.examine()
    print(json.dumps({"kills": killing.became.total(), "became": killing.became, "entries": killing.floor.seq}))


def _say(to: int, what: dict[str, Any]) -> None:
    os.write(to, (json.dumps(what) + "\n").encode())


if __name__ == "__main__":
    main()
