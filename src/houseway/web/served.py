"""The house as it is served: one floor behind a lock, and everybody who watches it.

Whoever watches gets, for every journal entry that concerns what he watches, one event: its id is the entry's number, and
it holds the view, without what seldom changes and this stream was told before (`pieces`). A page that reconnects names
the last number it saw and is told what happened since.
"""

import asyncio
import json
import logging
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from psycopg import Error as DriverError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from houseway.house.desk import AtDesk
from houseway.house.floor import Actor, Floor, GivenCommand
from houseway.house.outage import TOO_LONG, OutageLog, outage_of
from houseway.house.past_editions import PastEditions
from houseway.house.store import ROUND_ENDS, Head
from houseway.refusal import Refused, one_of
from houseway.table import Command, House, Phase, Table
from houseway.table.change import unfolded_later
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.fold import ENDS_SESSIONS, SELF_CHECK
from houseway.table.guests import BARS
from houseway.table.state import changed
from houseway.view import (
    Json,
    Reader,
    anybodys_felt,
    board_view,
    happened,
    last_round,
    lobby_view,
    settled_view,
    table_for,
    table_for_all,
    table_view,
    unreadable,
)
from houseway.view.words import edition_of_entry
from houseway.web.packed import GZIP_HEAD, packed
from houseway.web.pieces import Pieces, StreamedView, Texts
from houseway.web.replay import Replays
from houseway.web.together import Together

LOBBY = ""
"""What the lobby watches: every table."""
POLL_SECONDS = 0.5
GATHER_SECONDS = 0.02
"""What others write is taken in so often at most: all of it at once, which takes less."""
HEARTBEAT_SECONDS = 15.0
WAIT_SECONDS = 10.0
"""How long a command waits for those before it."""
T = TypeVar("T")
MISSED_MOST = 2_000
PUT_RIGHT = {"correct", "correct-card", "swap-cards", "rekey", "replace-card", "undo", "change-bet", "void", "lost-shoe"}
"""Commands that everybody at the table is told of: something was not as it seemed."""
log = logging.getLogger("houseway.web")


@dataclass(eq=False)
class Watcher:
    """Somebody's stream: woken when there is something new."""

    topic: str
    reader: Reader
    loop: asyncio.AbstractEventLoop
    woken: asyncio.Event = field(default_factory=asyncio.Event)


def refusal_event(refused: Refused) -> bytes:
    """That a view cannot be shown, and why."""
    reason = json.dumps({"code": refused.code, "message": refused.message}, ensure_ascii=False)
    return f"event: refused\ndata: {reason}\n\n".encode()


def wake(watchers: Iterable[Watcher]) -> None:
    """Wake streams, from any thread: each of their loops is told once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Watcher]] = defaultdict(list)
    for watcher in watchers:
        by_loop[watcher.loop].append(watcher)
    for loop, sleeping in by_loop.items():
        loop.call_soon_threadsafe(_set, sleeping)


def _set(sleeping: list[Watcher]) -> None:
    for watcher in sleeping:
        watcher.woken.set()


@dataclass(frozen=True)
class SharedView:
    """What everybody sees of a table, as of a change of it; the state goes with it, for what is each reader's own, and the
    felt as anybody sees it, of which that is mostly made."""

    changed: int
    seq: int
    state: House
    felt: Json
    pieces: Pieces


@dataclass(frozen=True, eq=False)
class JustEnded:
    """A table as of the end of a round, and the round's entries: what pages show of it is made when somebody looks."""

    table: Table
    entries: list[Entry]


class ServedHouse:
    """One floor for many requests: commands one at a time, views from the newest state."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.lock = floor, threading.RLock()
        self.outages = OutageLog(log, file=floor.keys.file.with_name(f"{floor.keys.file.stem}.outage.said"))
        state = floor.refresh()
        self.now = floor.seq, state
        self.changed: dict[str, int] = defaultdict(int)
        self.last: dict[str, Json | None] = {}
        self.live_since: dict[str, int] = {}
        self.news: dict[str, Json] = {}
        self.watchers: dict[str, set[Watcher]] = defaultdict(set)
        self.closed, self.revision = False, 0
        self.views: dict[str, dict[tuple[str, str, int], StreamedView]] = {}
        self.shared: dict[str, SharedView] = {}
        self.texts, self.replays = Texts(), Replays(floor.store)
        self.since_end: dict[str, list[Entry]] = {}
        self.just_ended: dict[str, JustEnded] = {}
        self._at_tables = GuestsAtTables()
        self._ending = threading.Lock()
        self.desk: AtDesk | None = None
        self._commands: Together[GivenCommand, Entry] = Together(
            "commands", self._do_together, TOO_LONG, WAIT_SECONDS, changes=True
        )

    @property
    def seq(self) -> int:
        """The number of the newest entry taken in."""
        return self.now[0]

    @property
    def state(self) -> House:
        """The state as of that entry: a value, which nobody changes."""
        return self.now[1]

    def do(self, command: Command, actor: Actor, key: str = "") -> Entry:
        """Carry a command out and tell everybody who watches."""
        with self._writing():
            entry = self.floor.do(command, actor, key)
            self._follow()
        self.outages.answers()
        return entry

    async def do_soon(self, command: Command, actor: Actor, key: str = "") -> Entry:
        """The same for whoever must not keep others waiting: commands that come meanwhile share the next commit."""
        given = GivenCommand(command, actor, key)
        if self.desk and (seq := await self.desk.ask(given)):
            at_hand = self.floor.entry_at_hand(seq)
            return at_hand if at_hand is not None else await asyncio.to_thread(self._entry, seq)
        return await self._commands.ask(given)

    def _do_together(
        self, asked: Sequence[GivenCommand], more: Callable[[], Sequence[GivenCommand]]
    ) -> Sequence[Entry | Exception]:
        with self._writing():
            became = self.floor.do_together(asked, more)
            self._follow()
        self._heard(became)
        return became

    def do_for_others(
        self, asked: Sequence[GivenCommand], more: Callable[[], Sequence[GivenCommand]]
    ) -> tuple[Head, Sequence[Entry | Exception]]:
        """Carry out what processes ask for that serve guests, and say where the head is then; nobody watches this one."""
        with self._writing():
            became = self.floor.do_together(asked, more)
            self.now = self.floor.seq, self.floor.state
            head = self.floor.seq, self.floor.hash
        self._heard(became)
        return head, became

    def _heard(self, became: Sequence[Entry | Exception]) -> None:
        """The store has answered, unless it is what a command failed with."""
        if not any(isinstance(each, Exception) and outage_of(each) for each in became):
            self.outages.answers()

    def _entry(self, seq: int) -> Entry:
        entry = self.floor.store.entry(seq)
        assert entry is not None, f"entry {seq} is not in the journal"
        return entry

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The floor for oneself; whoever would wait for long, because the store keeps the one before waiting, is told so."""
        if not self.lock.acquire(timeout=WAIT_SECONDS):
            raise Refused(TOO_LONG.code, TOO_LONG.message)
        try:
            yield
        finally:
            self.lock.release()

    def is_out(self, error: BaseException) -> str:
        """Why the store does not answer, if that is what an error says; it is logged, and lost connections are let go."""
        why = self.outages.is_out(error)
        if why and isinstance(error, DBAPIError) and not self.floor.store.url.startswith("sqlite"):
            self.floor.store.engine.dispose()
        return why

    def note(
        self,
        kind: str,
        actor: Actor,
        data: Mapping[str, Any],
        table: str = "",
        check: Callable[[House], None] = lambda _: None,
        also: Callable[[Connection], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        """Record what changes no table."""
        with self._writing():
            self.floor.note(kind, actor, data, table, check, also)
            self._follow()
        self.outages.answers()

    def ask_for(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> Entry | None:
        """The request for a note that needs a second person; nothing if it may be noted now."""
        with self._writing():
            entry = self.floor.ask_for(kind, actor, data)
            self._follow()
        self.outages.answers()
        return entry

    def refresh(self, newest: Head = (0, "")) -> None:
        """Take in what other processes wrote; if the `newest` entry is known here, as one's own are, nobody need be asked."""
        if 0 < newest[0] <= self.seq:
            return
        with self.lock:
            if not 0 < newest[0] <= self.seq:
                self.floor.refresh(newest)
                self._follow()

    async def follow(self, newest: Head) -> None:
        """The same for whoever must not keep others waiting: what was handed here is taken over at once."""
        if not self._follows_at_once(newest):
            await asyncio.to_thread(self.refresh, newest)

    def _follows_at_once(self, newest: Head) -> bool:
        if 0 < newest[0] <= self.seq:
            return True
        if not self.lock.acquire(blocking=False):
            return False
        try:
            if is_there := self.floor.is_taken_over(newest):
                self._follow()
            return is_there
        finally:
            self.lock.release()

    async def catch_up(self) -> None:
        """Take in what any process of this house has written until now, before anybody is shown anything."""
        if self.floor.newest is None or (newest := self.floor.newest.head)[0] <= self.seq:
            return
        try:
            await self.follow(newest)
        except Exception as error:
            if not self.is_out(error):
                raise

    def _follow(self) -> None:
        """Take the floor's state over, and wake those whom its new entries concern."""
        if self.floor.seq == self.seq:
            return
        touched: set[str] = set()
        before, at_tables = self.state, self._at_tables.of(self.state)
        ended: dict[str, list[Entry] | None] = {}
        sessions_ended = False
        for entry in self.floor.entries_after(self.seq):
            topic = entry.table or str(entry.data.get("command", {}).get("board", ""))
            touched |= {topic, LOBBY, *_tables_of(entry, at_tables)}
            self.replays.follow(entry)
            if entry.kind == SELF_CHECK:  # badges may have turned
                touched |= self.state.tables.keys()
            sessions_ended |= entry.kind in ENDS_SESSIONS or entry.kind in BARS
            of_round = self.since_end.get(entry.table)
            if of_round is not None:
                of_round.append(entry)
            if entry.kind in ROUND_ENDS:
                self.live_since[entry.table] = entry.seq
                ended[entry.table] = of_round
                self.since_end[entry.table] = []
            if entry.kind in PUT_RIGHT:
                events = happened(entry, edition_of_entry(self.floor.state, entry))
                self.news[entry.table] = {"seq": entry.seq, "words": [event["text"] for event in events]}
                if entry.kind == "correct" and entry.table in self.live_since:
                    ended[entry.table] = None
        self.now = self.floor.seq, self.floor.state
        for name in ended.keys() & self.state.tables.keys():
            self._ends(name, before.tables.get(name), ended[name])
        for topic in touched:
            self.changed[topic] = self.seq
            self.views.pop(topic, None)
            self.views.pop(f"board:{topic}", None)
        wake(watcher for topic in touched for watcher in tuple(self.watchers[topic]))  # others come and go meanwhile
        if sessions_ended:
            self.wake_all()

    def _ends(self, name: str, before: Table | None, entries: list[Entry] | None) -> None:
        """A round has ended whose entries are at hand, or it is read again, while nobody waits for it."""
        if entries is None:
            last = self._read_last(name, self.live_since[name])
            with self._ending:
                self.just_ended.pop(name, None)
                self.last[name] = last
            return
        table = self.state.tables[name]
        if before and table.last and before.round.unfolded is not None:
            played = changed(table, round=changed(table.last, phase=Phase.READY, unfolded=None))
            known = unfolded_later(played, before.round.unfolded).round.unfolded
            table = changed(table, last=changed(table.last, unfolded=known))
        with self._ending:
            self.just_ended[name] = JustEnded(table, entries)

    # Views

    def last_of(self, name: str) -> Json | None:
        """The last finished round of a table."""
        if just_ended := self.just_ended.get(name):
            shown = _last_round(just_ended.table, just_ended.entries, [])
            with self._ending:  # another may have ended meanwhile
                if self.just_ended.get(name) is just_ended:
                    self.last[name] = shown
                    del self.just_ended[name]
            return shown
        if name not in self.last:  # if a round ends while we read, what `_follow` has put there stays
            end = self.floor.store.last_end(name)
            self.live_since.setdefault(name, end)
            self.last.setdefault(name, self._read_last(name, end))
        return self.last[name]

    def _read_last(self, name: str, end: int) -> Json | None:
        """The round that ended with an entry, as the store has it."""
        table = self.state.tables[name]
        entries = self.floor.store.round_entries(name, end) if end else []
        number = table.last.number if table.last else 0
        return _last_round(table, entries, self.floor.store.corrections(name, number, end) if entries and number else [])

    def table(self, name: str, reader: Reader) -> Json:
        """A table as a reader may see it, with the number of the newest entry it takes in."""
        seq, state = self.now
        last = self.last_of(name) if name in state.tables else None
        shown = table_view(state, name, reader, last, self.news.get(name))
        return {"seq": seq, **shown}

    def shown(self, topic: str, reader: Reader) -> StreamedView:
        """A view with its number, made once for all who see the same, from a state that nobody changes."""
        sees = reader if topic in self.state.tables and reader.role == "guest" else Reader(role=reader.role)
        views = self.views.setdefault(topic, {})  # of this change of it: while it is made another may come
        key = (sees.name, sees.role, self.changed[topic])
        if (shown := views.get(key)) is None:
            views[key] = shown = self._streamed(topic, sees)
        return shown

    def _streamed(self, topic: str, reader: Reader) -> StreamedView:
        seq, state = self.now
        if topic == LOBBY or topic.startswith("board:"):
            view = board_view(state, topic.removeprefix("board:")) if topic else {"tables": lobby_view(state)}
            return StreamedView(seq, Pieces({"seq": seq, **view}, self.texts))
        table = self._shared(topic)
        own = table_for(table.state, topic, reader, table.felt)
        return StreamedView(table.seq, table.pieces, Pieces(own, self.texts))

    def _shared(self, name: str) -> SharedView:
        """What everybody sees of a table: made once for all readers."""
        shared, newest = self.shared.get(name), self.changed[name]
        if shared is None or shared.changed != newest:
            seq, state = self.now
            last = self.last_of(name) if name in state.tables else None
            view = {"seq": seq, **table_for_all(state, name, last, self.news.get(name))}
            felt = anybodys_felt(state, name)
            self.shared[name] = shared = SharedView(newest, seq, state, felt, Pieces(view, self.texts))
        return shared

    def is_live(self, entry: Entry) -> bool:
        """Whether an entry is of a round that is not over: its cards are for nobody yet."""
        table = self.state.tables.get(entry.table)
        if table is None or table.round.phase == Phase.BETTING:
            return False
        self.last_of(entry.table)
        return entry.seq > self.live_since.get(entry.table, 0)

    def settled(self, name: str, number: int) -> Json:
        """A settled round of a table as it stands after its corrections."""
        table = self.state.tables[one_of("table", name, self.state.tables)]
        settled = self.floor.settled(name, number)
        if settled is None:
            raise Refused("no-such-round", f"round {number} of {name} was not settled today: name a settled round")
        return settled_view(settled, self.floor.store.corrections(name, number, 0), edition_of(table))

    # Streams

    async def watch(
        self,
        topic: str,
        reader: Reader,
        after: int | None = None,
        still_in: Callable[[], bool] = lambda: True,
        as_gzip: bool = False,
    ) -> AsyncIterator[bytes]:
        """Server-sent events for one reader, until he goes away. Of the staff it is asked before each whether the screen is
        still open: it locks by itself, and nobody says when."""
        said: Callable[[bytes], bytes] = packed if as_gzip else bytes
        if as_gzip:
            yield GZIP_HEAD
        about = topic.removeprefix("board:")
        watcher = Watcher(about, reader, asyncio.get_running_loop())
        self.watchers[about].add(watcher)
        try:
            seen = after if after is not None else -1
            sent: StreamedView | None = None
            if after is not None:
                for event in await asyncio.to_thread(self._unless_out, partial(self._missed, about, after), []):
                    yield said(event)
            asked, asked_at = -1, 0.0
            while not self.closed:
                watcher.woken.clear()
                if asked != self.revision or reader.role != "guest" or watcher.loop.time() - asked_at > HEARTBEAT_SECONDS:
                    asked, asked_at = self.revision, watcher.loop.time()
                    if not await asyncio.to_thread(self._unless_out, still_in, True):
                        return
                newest = self.changed[about]
                if newest != seen or seen == -1:
                    try:
                        if not await self._is_at_hand(about):  # the store does not answer: nobody else is to wait for that
                            await asyncio.sleep(POLL_SECONDS)
                            continue
                        shown = self.shown(topic, reader)  # quick: all is in memory, and views are made once
                    except Refused as refused:  # its edition cannot be read: that is all there is to say of this table
                        yield said(refusal_event(refused))
                        return
                    seen = newest
                    yield shown.event(sent, as_gzip)
                    sent = shown
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await watcher.woken.wait()
                except TimeoutError:
                    yield said(b": still here\n\n")
        finally:
            self.watchers[about].discard(watcher)

    async def _is_at_hand(self, name: str) -> bool:
        """Whether all that is shown of a table is in memory; of its last round it has to be read once."""
        if name in self.last or name in self.just_ended or name not in self.state.tables:
            return True

        def reads_it() -> bool:
            self.last_of(name)
            return True

        return await asyncio.to_thread(self._unless_out, reads_it, False)

    def _unless_out(self, ask: Callable[[], T], otherwise: T) -> T:
        """What a question to the store comes to; while that does not answer nothing new is to be seen, and streams stay."""
        try:
            return ask()
        except (SQLAlchemyError, DriverError, Refused) as error:
            if not self.is_out(error):
                raise
            return otherwise

    def close_streams(self) -> None:
        """End all streams: the house closes."""
        self.closed = True
        self.wake_all()

    def close(self) -> None:
        """End all streams, and let neighbours know that nobody is here any more."""
        self.close_streams()
        if self.floor.neighbours:
            self.floor.neighbours.leave()

    def sessions_changed(self) -> None:
        """Somebody's session has ended or is locked: whoever watches as him, in whatever process, sees nothing more."""
        self.wake_all()
        self.floor.store.tell_of_sessions()

    def wake_all(self) -> None:
        """Let every stream look whether it may go on: somebody's session has ended."""
        self.revision += 1
        wake(watcher for watchers in tuple(self.watchers.values()) for watcher in tuple(watchers))

    def _missed(self, topic: str, after: int) -> list[bytes]:
        """What happened at a table, or at all, while a reader was away, one event an entry. Where that is too much he is told,
        first of all, of which entries nothing is told: the view that follows is whole anyway."""
        events, editions = [], PastEditions(self.floor.store)
        entries = self.floor.store.entries_of(topic, after, MISSED_MOST + 1)
        if len(entries) > MISSED_MOST:
            entries = entries[1:]
            left_out = json.dumps({"after": after, "before": entries[0].seq})
            events.append(f"id: {entries[0].seq - 1}\nevent: left-out\ndata: {left_out}\n\n".encode())
        for entry in entries:
            if event := happened(entry, editions.of(entry)):
                data = json.dumps({"seq": entry.seq, "table": entry.table, "happened": event}, ensure_ascii=False)
                events.append(f"id: {entry.seq}\nevent: happened\ndata: {data}\n\n".encode())
        return events


def _last_round(table: Table, entries: list[Entry], corrections: list[Entry]) -> Json | None:
    """What pages show of a table's last round, if it had one."""
    ended = bool(entries) and entries[-1].kind != "open"
    return last_round(table, entries, corrections) if ended and not unreadable(table) and table.last else None


class GuestsAtTables:
    """The tables at which each guest sits, by his account: worked out anew when somebody has sat down or left."""

    def __init__(self) -> None:
        self._seated: list[tuple[str, Mapping[int, str]]] = []
        self._tables: Mapping[str, set[str]] = {}

    def of(self, state: House) -> Mapping[str, set[str]]:
        """As it is in a state."""
        seated = [(name, table.seated) for name, table in state.tables.items()]
        known = len(seated) == len(self._seated) and all(
            now is before and name == named for (name, now), (named, before) in zip(seated, self._seated, strict=True)
        )
        if not known:
            tables: dict[str, set[str]] = defaultdict(set)
            for name, guests in seated:
                for guest in guests.values():
                    tables[f"guest:{guest}"].add(name)
            self._seated, self._tables = seated, tables
        return self._tables


def _tables_of(entry: Entry, at_tables: Mapping[str, set[str]]) -> set[str]:
    """The tables at which somebody sits whose money an entry moved."""
    moved = entry.data.get("transfers", ())
    accounts = {account for source, target, *_ in moved for account in (source, target)}
    return {table for account in accounts & at_tables.keys() for table in at_tables[account]}


def follow_others(house: ServedHouse, stopped: threading.Event) -> None:
    """Notice what other processes write: PostgreSQL tells us at once, an SQLite file is asked twice a second."""
    tells = house.floor.store.url.startswith("postgresql")
    while not stopped.is_set():
        try:
            if tells:
                for newest in house.floor.store.told_of():
                    if newest is None:
                        house.wake_all()
                    else:
                        house.refresh(newest)
                    if stopped.wait(GATHER_SECONDS):
                        return
            else:
                house.refresh()
        except Exception as error:
            if not house.is_out(error):
                log.exception("the journal could not be read")
        stopped.wait(POLL_SECONDS)
