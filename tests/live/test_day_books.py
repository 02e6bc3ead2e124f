"""The books of a day against a bookkeeper who knows only what he ordered and what lies in whose purse: equal to the cent."""

import random
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sessions import CAT, DAN, ROOT, SEATS, SUE, WAGERS, guest_at, house_tables, next_move, opening

from houseway.day.books import Books
from houseway.day.lines import DayBook, TableBook
from houseway.house import shoe as shoes
from houseway.house.audit import Auditor
from houseway.house.floor import Actor, Floor
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.table import Phase, unfolded

MONEY = {"opener", "fills", "credits", "drop", "closer", "after_close", "rounds_say", "pulled", "collection", "tips"}
OF_GUESTS = ("guest", "debt", "tips", "wagers", "bank", "collection")
DAN_2 = Actor("dora", "dealer")
BANKERS = {1: "ann", 2: "bob", 3: "cyd"}


class Bookkeeper:
    """Gives every command himself and keeps his own books: of amounts that he ordered, and of chips that changed purses."""

    def __init__(self, floor: Floor, clock: list[datetime]) -> None:
        self.floor, self.clock = floor, clock
        self.lines: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        self.handle: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
        self.tray: Counter[str] = Counter()
        self.box: Counter[str] = Counter()
        self.open: set[str] = set()
        self.bets: dict[str, dict[tuple[int, str], int]] = defaultdict(dict)
        self.rounds: Counter[str] = Counter()
        self.settled: dict[tuple[str, int], dict[tuple[int, str], int]] = {}
        self.guests: dict[tuple[str, str], int] = Counter()
        self.cash: dict[tuple[str, str, str], int] = Counter()
        self.dealt: dict[tuple[str, str], int] = Counter()
        self.early: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        self.carried: Counter[tuple[str, str, str]] = Counter()

    def now(self) -> tuple[str, str]:
        at = self.clock[0]
        shift = "day" if 6 <= at.hour < 14 else "swing" if 14 <= at.hour < 22 else "grave"
        return (at - timedelta(hours=6)).date().isoformat(), shift

    def start_lines(self) -> None:
        for table in self.open | {table for table, cents in self.tray.items() if cents}:
            day, shift = self.now()
            for key in ((day, shift, table), (day, "", table)):
                if key not in self.lines:
                    self.lines[key].update(opener=self.tray[table], closer=self.tray[table])

    def add(self, table: str, **cents: int) -> None:
        day, shift = self.now()
        for key in ((day, shift, table), (day, "", table)):
            self.lines[key].update(cents)

    def holdings(self) -> Counter[str]:
        held: Counter[str] = Counter()
        for account, cents in self.floor.state.balances.items():
            held[account] += cents
            if account.partition(":")[0] in OF_GUESTS:
                held["all guests"] += cents
        return held

    def do(self, command, actor):
        before = self.holdings()
        self.start_lines()
        entry = self.floor.do(command, actor)
        self.note(command, before, self.holdings(), actor)
        return entry

    def note(self, command, before, after, actor) -> None:
        kind, table, cents = command["kind"], command.get("table", ""), command.get("cents", 0)
        day, _ = self.now()
        match kind:
            case "fund" | "sit" | "leave" | "pass" | "sign-on" | "sign-off":
                return
            case "buy-in" | "cash-out":
                self.cash[day, command["guest"], kind] += cents
                return
            case "open":
                opener = command.get("opener_cents", 0)
                self.open.add(table)
                self.tray[table] += opener
                self.add(table, opener=opener, closer=opener)
            case "fill" | "credit":
                signed = cents if kind == "fill" else -cents
                self.tray[table] += signed
                self.add(table, closer=signed, **{f"{kind}s": cents})
            case "table-buy-in":
                self.tray[table] -= cents
                self.box[table] += cents
                self.add(table, drop=cents, closer=-cents)
                self.cash[day, command["guest"], kind] += cents
            case "drop":
                self.add(table, pulled=self.box.pop(table, 0))
            case "tip":
                self.add(table, tips=cents)
            case "close":
                self.add(table, pulled=self.box.pop(table, 0))
                self.tray[table] = 0  # the closer was what was there
                self.open.discard(table)
            case _:
                self.play(command, before, after, actor)

    def play(self, command, before, after, actor) -> None:
        kind, table = command["kind"], command["table"]
        gain = before["all guests"] - after["all guests"]
        at_cage = kind == "correct" and after["cage"] != before["cage"]
        bank = table.startswith("bank")
        collected = after[f"collection:{table}"] - before[f"collection:{table}"]
        if bank:
            self.add(table, collection=gain if at_cage else collected)
        elif at_cage:
            self.add(table, after_close=gain, rounds_say=gain)
        else:
            self.tray[table] += gain
            self.add(table, rounds_say=gain, closer=gain)
        self.add(table, tips=after[f"tips:{table}"] - before[f"tips:{table}"])
        if kind != "correct":
            self.carry(kind, table, gain)
        day, _ = self.now()
        for account in after.keys() | before.keys():
            name = account.partition(":")[2]
            if account.startswith(("guest:", "debt:")) and not bank:
                self.guests[day, name] += after[account] - before[account]
        self.felt(command, actor)

    def carry(self, kind, table, gain) -> None:
        """Money counts where it moved, and the wagers of a round where it ends: what moved before is carried there."""
        day, shift = self.now()
        if kind not in {"settle", "void"}:
            self.early[table].append((day, shift, gain))
            return
        for day_then, shift_then, cents in self.early.pop(table, []):
            for then, now in (((day_then, shift_then), (day, shift)), ((day_then, ""), (day, ""))):
                self.carried[*then, table] -= cents
                self.carried[*now, table] += cents

    def felt(self, command, actor) -> None:
        kind, table = command["kind"], command["table"]
        bets = self.bets[table]
        if kind == "bet":
            bets[command["seat"], command["wager"]] = command["cents"]
        elif kind == "withdraw":
            del bets[command["seat"], command["wager"]]
        elif kind == "change-bet":
            bets[command["seat"], command["wager"]] = command["stake_cents"]
        elif kind in {"settle", "void"}:
            self.rounds[table] += 1
            if kind == "settle":
                self.settled[table, self.rounds[table]] = dict(bets)
                self.count(table, bets, 1)
                self.add(table, rounds=1)
                self.dealt[self.now()[0], actor.name] += 1
            else:
                self.add(table, voids=1)
            bets.clear()
        elif kind == "correct":
            was = self.settled[table, command["round"]]
            self.count(table, was, -1)
            now = {} if command.get("void") else dict(was)
            for seat, pairs in command.get("seat_bets", {}).items():
                now = {place: cents for place, cents in now.items() if place[0] != int(seat)}
                now |= {(int(seat), wager): cents for wager, cents in pairs}
            self.settled[table, command["round"]] = now
            self.count(table, now, 1)
            self.add(table, corrections=1, rounds=-bool(command.get("void")), voids=int(bool(command.get("void"))))

    def count(self, table, bets, sign) -> None:
        day, shift = self.now()
        for (_, wager), cents in bets.items():
            for key in ((day, shift, table), (day, "", table)):
                self.handle[key][wager] += sign * cents
                self.handle[key][f"{wager} bets"] += sign

    # Held against the books

    def compare(self, book: DayBook) -> int:
        compared = 0
        for (day, shift, table), mine in self.lines.items():
            if day != book.day:
                continue
            theirs = book.whole[table] if not shift else book.tables[shift][table]
            for name in MONEY:
                assert getattr(theirs, f"{name}_cents") == mine[name], (day, shift, table, name)
            for name in ("rounds", "voids", "corrections"):
                assert getattr(theirs, name) == mine[name], (day, shift, table, name)
            win = mine["closer"] + mine["credits"] + mine["drop"] - mine["opener"] - mine["fills"] + mine["after_close"]
            assert theirs.win_cents == win == theirs.rounds_say_cents and theirs.unexplained_cents == 0
            laid: Counter[str] = Counter()
            for played in theirs.played.values():
                for wager, of_wager in played.wagers.items():
                    laid[wager] += of_wager.handle_cents
                    laid[f"{wager} bets"] += of_wager.bets
            if not table.startswith("bank"):
                assert +laid == +self.handle[day, shift, table], (day, shift, table)
                by_wager = sum(w.win_cents - w.prizes_cents for p in theirs.played.values() for w in p.wagers.values())
                assert by_wager == theirs.rounds_say_cents + self.carried[day, shift, table], (day, shift, table)
            compared += 1
        wins = {
            guest: sum(b.win_cents for place, b in places.items() if not place.startswith("bank"))
            for guest, places in book.guests.items()
        }
        mine = {guest: cents for (day, guest), cents in self.guests.items() if day == book.day and cents}
        assert {guest: cents for guest, cents in wins.items() if cents} == mine
        for guest, cash in book.cash.items():
            told = [cash.in_at_cage_cents, cash.in_at_tables_cents, cash.out_cents]
            assert told == [self.cash[book.day, guest, kind] for kind in ("buy-in", "table-buy-in", "cash-out")]
        dealt = {name: sum(d.rounds for d in bounds.values()) for name, bounds in book.dealers.items()}
        assert {name: n for name, n in dealt.items() if n} == {n: c for (d, n), c in self.dealt.items() if d == book.day}
        return compared


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class Room:
    """A card room with a table of every edition, a keyed one and one that players bank, over two days and their shifts."""

    def __init__(self, folder, seed: int) -> None:
        self.clock = [moment("2026-11-17T11:00:00")]
        self.url, self.key = f"sqlite:///{folder / 'house.db'}", folder / "key"
        self.floor = Floor(Store(self.url), self.key, lambda: self.clock[0], begins="one")
        self.keeper, self.rng = Bookkeeper(self.floor, self.clock), random.Random(seed)
        self.do = self.keeper.do
        self.do({"kind": "fund", "cents": 10**10}, ROOT)
        for guest in (*(f"g{number}" for number in range(9)), *BANKERS.values()):
            self.do({"kind": "buy-in", "guest": guest, "cents": 10**7}, CAT)
        self.tables = house_tables(4)
        for table in self.tables:
            self.do(opening(table), SUE)
        keyed = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 5_000_000}
        self.do({"kind": "open", "table": "keyed", **keyed}, SUE)
        fees = {"player_fee_cents": 100, "bank_fee_cents": 300}
        banked = {"kind": "open", "table": "bank-1", "edition": "ez-baccarat-ca", "source": "virtual-shoe", **fees}
        self.do(banked, SUE)
        for seat, guest in BANKERS.items():
            self.do({"kind": "sit", "table": "bank-1", "seat": seat, "guest": guest}, DAN)

    def on(self, table: str, kind: str, actor=DAN, **fields):
        return self.do({"kind": kind, "table": table, **fields}, actor)

    def step(self) -> None:
        self.clock[0] += timedelta(seconds=self.rng.randint(5, 400))
        dice = self.rng.random()
        if dice < 0.05:
            self.keyed_round()
        elif dice < 0.1:
            self.banked_round()
        else:
            command, actor = next_move(self.floor.state, self.rng.choice(self.tables), self.rng)
            try:
                self.do(command, DAN_2 if actor == DAN and self.rng.random() < 0.3 else actor)
            except Refused as refused:  # the last round was of the day before
                assert refused.code == "another-day", refused

    def keyed_round(self) -> None:
        """A round, which was keyed wrong and is corrected: its cards, its bets or both; now and then after the table closed."""
        first = self.keeper.rounds["keyed"] + 1
        self.on("keyed", "bet", seat=1, guest="g1", wager="player", cents=self.rng.randrange(100, 9_900, 100))
        self.on("keyed", "bet", seat=2, guest="g2", wager="dragon-7", cents=500)
        self.on("keyed", "no-more-bets")
        self.on("keyed", "card", cards="9s 7h Kd 3c")
        self.on("keyed", "settle")
        reopened = self.rng.random() < 0.4
        self.on("keyed", "drop", CAT)
        if reopened:
            self.on("keyed", "close", SUE)
        self.on("keyed", "correct", SUE, round=first, reason="misread", cards="9s 7h Kd 2c", again=0)
        bets = {"1": [["player", 2_500], ["tie", 300]]}
        self.on("keyed", "correct", SUE, round=first, reason="another bet", seat_bets=bets, again=1)
        if self.rng.random() < 0.3:
            self.on("keyed", "correct", SUE, round=first, reason="a misdeal", void=True, again=2)
        if reopened:
            keyed = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 4_000_000}
            self.do({"kind": "open", "table": "keyed", **keyed}, SUE)
        else:
            self.on("keyed", "new-shoe")

    def banked_round(self) -> None:
        bank = self.floor.state.tables["bank-1"].bank
        if not bank.holder:
            self.on("bank-1", "bank", seat=bank.offered, guest=BANKERS[bank.offered], cents=20_000)
        holder = self.floor.state.tables["bank-1"].bank.holder
        for seat, guest in BANKERS.items():
            if seat != holder:
                self.on("bank-1", "bet", seat=seat, guest=guest, wager="player", cents=self.rng.randrange(500, 9_500, 100))
        self.on("bank-1", "no-more-bets")
        self.on("bank-1", "deal")
        if self.rng.random() < 0.2:
            self.on("bank-1", "void", SUE, reason="misdeal")
        else:
            self.on("bank-1", "settle")

    def finish(self) -> None:
        """Play all rounds to their end."""
        for name in self.tables:
            while (table := self.floor.state.tables[name]).is_open and (
                table.round.spots or table.round.phase != Phase.BETTING
            ):
                wagers = WAGERS[table.edition]
                lacking = [seat for seat, spot in table.round.spots.items() if wagers[0] not in spot.bets]
                if table.round.phase != Phase.BETTING:
                    command, actor = next_move(self.floor.state, name, self.rng)
                elif lacking and table.edition != "ez-baccarat-wa":
                    bet = {"seat": lacking[0], "guest": guest_at(name, lacking[0]), "wager": wagers[0], "cents": 300}
                    command, actor = {"kind": "bet", "table": name, **bet}, DAN
                else:
                    command, actor = {"kind": "no-more-bets", "table": name}, DAN
                self.do(command, actor)

    @property
    def entries(self):
        return list(self.floor.store.entries())


@pytest.fixture(scope="module")
def drawn_alike():
    """What held yesterday holds today: the shoes of these tests are drawn by a seed."""
    drawn = random.Random(15)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shoes, "shuffled", lambda cards: tuple(drawn.sample(list(cards), len(cards))))
        patch.setattr(shoes, "throw", lambda sides: drawn.randint(1, sides))
        yield


@pytest.fixture(scope="module")
def room(tmp_path_factory, drawn_alike):
    room = Room(tmp_path_factory.mktemp("books"), 15)
    while room.clock[0] < moment("2026-11-18T05:50:00"):
        room.step()
    room.finish()
    room.clock[0] = moment("2026-11-18T06:00:00")
    while room.clock[0] < moment("2026-11-18T23:00:00"):
        room.step()
    room.finish()
    return room


@pytest.mark.parametrize("day", ["2026-11-17", "2026-11-18"])
def test_every_figure_is_the_bookkeepers_to_the_cent(room, day):
    book = Books().take_all(room.entries).book(day)
    assert room.keeper.compare(book) >= 3 * 6
    assert {bound.edition for bound in book.bounds.values()} == {*SEATS, "ez-baccarat-ca"}
    assert sum(line.corrections for line in book.whole.values()) and sum(line.voids for line in book.whole.values())
    assert book.all_tables.win_cents == sum(line.win_cents for line in book.whole.values())
    in_house = book.cage_after_cents - book.cage_before_cents
    assert room.floor.state.balance("cage") == book.cage_after_cents or day == "2026-11-17"
    assert in_house != 0


def test_the_journal_of_that_room_holds(room):
    assert not Auditor(room.floor.store).run().flaws
    debts = [cents for account, cents in room.floor.state.balances.items() if account.startswith("debt:")]
    assert len(room.entries) > 800, (len(room.entries), debts)


def test_a_day_is_told_alike_wherever_the_books_begin(room):
    """From the beginning, from the state in the middle of the day before, live and for one day only."""
    from houseway.table.fold import fold
    from houseway.table.plain import as_json
    from houseway.table.state import House

    entries, day = room.entries, "2026-11-18"
    whole = as_json(Books().take_all(entries).book(day))
    assert whole == as_json(Books(wanted=[day]).take_all(entries).book(day))
    first = next(place for place, entry in enumerate(entries) if entry.day == day)
    state, begins = House(), {first, first - 1, first // 2, first - 50}
    for place, entry in enumerate(entries[:first]):
        if place in begins:
            assert as_json(Books(state, [day]).take_all(entries[place:]).book(day)) == whole, place
        state = fold(state, entry)[0]
    assert as_json(Books(state, [day]).take_all(entries[first:]).book(day)) == whole


def test_a_bet_that_was_taken_back_before_the_day_is_not_of_the_day(tmp_path):
    """A begin of the day cannot know it: nobody lays that wager on the day, and so the day says nothing of it."""
    clock = [moment("2026-11-18T05:58:00")]
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", lambda: clock[0], begins="one")
    floor.do({"kind": "fund", "cents": 10**10}, ROOT)
    floor.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opened = {"edition": "ez-baccarat-wa", "source": "hand-keyed", "opener_cents": 10**7}
    floor.do({"kind": "open", "table": "t", **opened}, SUE)
    place = {"table": "t", "seat": 1, "guest": "ann"}
    floor.do({"kind": "bet", **place, "wager": "tie", "cents": 500}, DAN)
    floor.do({"kind": "withdraw", **place, "wager": "tie"}, DAN)
    before, state = floor.store.head()[0], floor.state
    clock[0] = moment("2026-11-18T06:02:00")
    floor.do({"kind": "bet", **place, "wager": "player", "cents": 500}, DAN)
    floor.do({"kind": "no-more-bets", "table": "t"}, DAN)
    floor.do({"kind": "card", "table": "t", "cards": "9s 7h Kd 3c"}, DAN)
    floor.do({"kind": "settle", "table": "t"}, DAN)
    whole = Books().take_all(floor.store.entries()).book("2026-11-18")
    assert Books(state).take_all(floor.store.entries(before)).book("2026-11-18") == whole
    assert [list(played.wagers) for played in whole.whole["t"].played.values()] == [["player"]]


def test_a_day_without_an_entry_has_an_empty_book(room):
    assert Books().take_all(room.entries).book("2026-11-20") == DayBook("2026-11-20")


def test_a_round_that_outlasts_its_day_counts_in_both_by_what_moved(tmp_path):
    """What was paid early is of the day before, and a void on the next day takes it out again there."""
    clock = [moment("2026-11-18T05:58:00")]
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", lambda: clock[0], begins="one")
    keeper = Bookkeeper(floor, clock)
    keeper.do({"kind": "fund", "cents": 10**10}, ROOT)
    keeper.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opened = {"edition": "lucky-lucky-wa", "source": "virtual-shoe", "opener_cents": 10**7}
    keeper.do({"kind": "open", "table": "t", **opened}, SUE)
    for wager, cents in (("blackjack", 1_000), ("lucky-lucky", 500)):
        keeper.do({"kind": "bet", "table": "t", "seat": 1, "guest": "ann", "wager": wager, "cents": cents}, DAN)
    keeper.do({"kind": "no-more-bets", "table": "t"}, DAN)
    keeper.do({"kind": "deal", "table": "t"}, DAN)
    early = floor.state.balance("tray:t") - 10**7
    assert early, "the side bet is settled on the first cards"
    clock[0] = moment("2026-11-18T06:02:00")
    keeper.do({"kind": "void", "table": "t", "reason": "misdeal"}, SUE)
    books = Books().take_all(floor.store.entries())
    before, after = books.book("2026-11-17").whole["t"], books.book("2026-11-18").whole["t"]
    assert (before.rounds_say_cents, before.win_cents, before.rounds) == (early, early, 0)
    assert (after.rounds_say_cents, after.win_cents, after.voids) == (-early, -early, 1)
    assert after.opener_cents == 10**7 + early and before.played == after.played == {}
    assert isinstance(before, TableBook)


def test_a_side_bet_paid_before_a_shift_changes_is_money_of_the_one_and_a_wager_of_the_other(tmp_path, drawn_alike):
    clock = [moment("2026-11-18T13:58:00")]
    floor = Floor(Store(f"sqlite:///{tmp_path / 'house.db'}"), tmp_path / "key", lambda: clock[0], begins="one")
    keeper = Bookkeeper(floor, clock)
    keeper.do({"kind": "fund", "cents": 10**10}, ROOT)
    keeper.do({"kind": "buy-in", "guest": "ann", "cents": 10**6}, CAT)
    opened = {"edition": "lucky-lucky-wa", "source": "virtual-shoe", "opener_cents": 10**7}
    keeper.do({"kind": "open", "table": "t", **opened}, SUE)
    for wager, cents in (("blackjack", 1_000), ("lucky-lucky", 500)):
        keeper.do({"kind": "bet", "table": "t", "seat": 1, "guest": "ann", "wager": wager, "cents": cents}, DAN)
    keeper.do({"kind": "no-more-bets", "table": "t"}, DAN)
    keeper.do({"kind": "deal", "table": "t"}, DAN)
    early = floor.state.balance("tray:t") - 10**7
    clock[0] = moment("2026-11-18T14:02:00")
    while floor.state.tables["t"].round.phase == Phase.DECIDING:
        allowed = unfolded(floor.state.tables["t"]).to_act[1]
        choice = next(each for each in ("no-insurance", "stand", *allowed) if each in allowed)
        keeper.do({"kind": "decide", "table": "t", "seat": 1, "choice": choice}, DAN)
    keeper.do({"kind": "settle", "table": "t"}, DAN)
    book = Books().take_all(floor.store.entries()).book("2026-11-18")
    assert keeper.compare(book) == 3
    before, after = book.tables["day"]["t"], book.tables["swing"]["t"]
    assert (before.rounds_say_cents, before.played, before.rounds) == (early, {}, 0) and early
    [played] = after.played.values()
    side, main = played.wagers["lucky-lucky"], played.wagers["blackjack"]
    assert side.win_cents == early and main.win_cents == after.rounds_say_cents and after.rounds == 1
    assert played.moments.win_cents == side.win_cents + main.win_cents, "the range is held against whole rounds"


@pytest.mark.parametrize("journal", ["house-0.1", "form-3"])
def test_journals_of_earlier_releases_have_books_that_balance(journal, tmp_path):
    copy = tmp_path / "house.db"
    copy.write_bytes((Path(__file__).parent / "journals" / f"{journal}.db").read_bytes())
    copy.chmod(0o600)  # a repository keeps no such mode
    store = Store(f"sqlite:///{copy}")
    entries = list(store.entries())
    for day in {entry.day for entry in entries}:
        book = Books().take_all(entries).book(day)
        assert [name for name, line in book.whole.items() if line.unexplained_cents] == []
        assert sum(line.rounds for line in book.whole.values())


def test_a_day_is_reported_from_the_shell(bare_shell, tmp_path):
    bare_shell("duties set --names one")
    bare_shell("house set shifts 'day 05:30, night 17:30'")
    bare_shell("cage fund 100000")
    bare_shell("table open t1 --edition ez-baccarat-wa --opener 20000")
    for ending in ("pdf", "html", "csv", "json"):
        file = tmp_path / f"day.{ending}"
        assert "figures" in bare_shell(f"report master-game -o {file} --date 2026-11-20")
        assert file.stat().st_size > 500
    assert "t1,20000.00,0.00,0.00,0.00,20000.00," in (tmp_path / "day.csv").read_text()
    assert "figures agree" in bare_shell(f"report verify {tmp_path / 'day.pdf'} --store sqlite:///{tmp_path / 'house.db'}")
    assert "is not a day" in bare_shell(f"report cash --day tomorrow -o {tmp_path / 'cash.pdf'}", 2)
    assert not (tmp_path / "cash.pdf").exists()
