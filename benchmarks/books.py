"""Speed of the books of a day: 100,000 rounds, folded from the entries of a few that are taken again and again."""

import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from houseway.day.books import Books
from houseway.house.days import as_data, book_of
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.table.entry import Entry

ROUNDS, PLAYED, TARGET_SECONDS = 100_000, 200, 60
ROOT, SUE = Actor("root", "administrator"), Actor("sue", "supervisor")
DAN, CAT = Actor("dan", "dealer"), Actor("cat", "cashier")
TABLES = {
    "ez-baccarat-wa": ("player", "dragon-7"),
    "ez-pai-gow-wa": ("base", "dynasty"),
    "duki-4-wa": ("ante", "duki-bonus"),
}


def play(floor: Floor) -> None:
    """Rounds with five seats each, at a table of every edition."""
    floor.do({"kind": "fund", "cents": 10**10}, ROOT)
    for seat in range(1, 6):
        floor.do({"kind": "buy-in", "guest": f"g{seat}", "cents": 10**9}, CAT)
    for edition in TABLES:
        opening = {"edition": edition, "source": "virtual-shoe", "opener_cents": 10**9}
        floor.do({"kind": "open", "table": edition, **opening}, SUE)
    for _, (edition, wagers) in zip(range(PLAYED), cycle(TABLES.items()), strict=False):
        for seat in range(1, 6):
            for wager, cents in zip(wagers, (2_500, 500), strict=True):
                bet = {"seat": seat, "guest": f"g{seat}", "wager": wager, "cents": cents}
                floor.do({"kind": "bet", "table": edition, **bet}, DAN)
        floor.do({"kind": "no-more-bets", "table": edition}, DAN)
        floor.do({"kind": "deal", "table": edition}, DAN)
        while floor.state.tables[edition].round.phase == "deciding":
            seat = next(iter(_to_act(floor, edition)))
            choice = _to_act(floor, edition)[seat][-1]
            floor.do({"kind": "decide", "table": edition, "seat": seat, "choice": choice}, DAN)
        floor.do({"kind": "settle", "table": edition}, DAN)


def _to_act(floor: Floor, table: str) -> dict[int, tuple[str, ...]]:
    from houseway.table import unfolded

    return dict(unfolded(floor.state.tables[table]).to_act)


def repeated(rows: list[tuple[object, ...]], times: int) -> Iterator[Entry]:
    """The entries again and again, each time as if they were read anew."""
    for _ in range(times):
        for row in rows:
            yield Entry(*row)  # type: ignore[arg-type]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        floor = Floor(Store(f"sqlite:///{folder}/house.db"), Path(folder) / "key", begins="one")
        play(floor)
        entries = list(floor.store.entries())
        day = entries[-1].day
        start = time.process_time()
        book = book_of(floor.store, day)
        alone = time.process_time() - start
        kept = [entry for entry in entries if entry.kind != "open"]
        rows = [(entry.seq, *entry.fields().values(), entry.previous, entry.hash) for entry in kept]
        books = Books().take_all(entry for entry in entries if entry.kind == "open")
        start = time.process_time()
        told = books.take_all(repeated(rows, ROUNDS // PLAYED)).book(day)
        seconds = time.process_time() - start
        rounds = sum(line.rounds for line in told.whole.values())
        size = len(str(as_data(book)))
        print(f"{PLAYED} rounds out of a store: {alone:.2f} s of a processor, {size:,} characters of data")
        folded = len(rows) * (ROUNDS // PLAYED)
        print(f"{rounds:,} rounds, {folded:,} entries: {seconds:.1f} s of a processor (target {TARGET_SECONDS})")


if __name__ == "__main__":
    main()
