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
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from psycopg import Error as DriverError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from houseway.house.floor import Actor, Floor
from houseway.house.outage import OutageLog
from houseway.house.past_editions import PastEditions
from houseway.house.store import ROUND_ENDS
from houseway.refusal import Refused, one_of
from houseway.table import Command, House, Phase
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.fold import ENDS_SESSIONS, SELF_CHECK
from houseway.view import (
    Json,
    Reader,
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
from houseway.web.pieces import Pieces, Place, StreamedView, Texts
from houseway.web.replay import Replays

LOBBY = ""
"""What the lobby watches: every table."""
POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
WAIT_SECONDS = 10.0
"""How long a command waits for those before it."""
FULL = "busy-now"
T = TypeVar("T")
MISSED_MOST = 500
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
    """What everybody sees of a table, as of a change of it; the state goes with it, for what is each reader's own."""

    changed: int
    seq: int
    state: House
    pieces: Pieces


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
        self.views: dict[tuple[str, str, str, int], StreamedView] = {}
        self.shared: dict[str, SharedView] = {}
        self.texts, self.replays = Texts(), Replays(floor.store)

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
        return entry

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """The floor for oneself; whoever would wait for long, because the store keeps the one before waiting, is told so."""
        if not self.lock.acquire(timeout=WAIT_SECONDS):
            raise Refused(FULL, "others have waited for the store for a while: nothing was done; try again in a few seconds")
        try:
            yield
        finally:
            self.lock.release()
        self.outages.answers()

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

    def ask_for(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> Entry | None:
        """The request for a note that needs a second person; nothing if it may be noted now."""
        with self._writing():
            entry = self.floor.ask_for(kind, actor, data)
            self._follow()
        return entry

    def refresh(self) -> None:
        """Take in what other processes wrote."""
        with self.lock:
            if self.floor.store.head()[0] != self.seq:
                self.floor.refresh()
                self._follow()

    def _follow(self) -> None:
        """Take the floor's state over, and wake those whom its new entries concern."""
        if self.floor.seq == self.seq:
            return
        touched: set[str] = set()
        ended: set[str] = set()
        sessions_ended = False
        for entry in self.floor.entries_after(self.seq):
            topic = entry.table or str(entry.data.get("command", {}).get("board", ""))
            touched |= {topic, LOBBY, *self._tables_of(entry)}
            self.replays.follow(entry)
            if entry.kind == SELF_CHECK:  # badges may have turned
                touched |= self.state.tables.keys()
            sessions_ended |= entry.kind in ENDS_SESSIONS
            if entry.kind in ROUND_ENDS:
                self.live_since[entry.table] = entry.seq
                ended.add(entry.table)
            if entry.kind in PUT_RIGHT:
                events = happened(entry, edition_of_entry(self.floor.state, entry))
                self.news[entry.table] = {"seq": entry.seq, "words": [event["text"] for event in events]}
                ended |= {entry.table} if entry.kind == "correct" and entry.table in self.live_since else set()
        self.now = self.floor.seq, self.floor.state
        for name in ended & self.state.tables.keys():
            self.last[name] = self._read_last(name, self.live_since[name])  # while nobody waits for it
        for topic in touched:
            self.changed[topic] = self.seq
        views = tuple(self.views.items())  # others look meanwhile, and so make more
        self.views = {key: view for key, view in views if key[0].removeprefix("board:") not in touched}
        wake(watcher for topic in touched for watcher in tuple(self.watchers[topic]))  # others come and go meanwhile
        if sessions_ended:
            self.wake_all()

    def _tables_of(self, entry: Entry) -> set[str]:
        """The tables at which somebody sits whose money an entry moved."""
        moved = {account.removeprefix("guest:") for t in entry.transfers for account in (t.source, t.target)}
        return {table.name for table in self.state.tables.values() if moved & set(table.seated.values())}

    # Views

    def last_of(self, name: str) -> Json | None:
        """The last finished round of a table."""
        if name not in self.last:  # if a round ends while we read, what `_follow` has put there stays
            end = self.floor.store.last_end(name)
            self.live_since.setdefault(name, end)
            self.last.setdefault(name, self._read_last(name, end))
        return self.last[name]

    def _read_last(self, name: str, end: int) -> Json | None:
        entries = self.floor.store.round_entries(name, end) if end else []
        ended = bool(entries) and entries[-1].kind != "open"
        table = self.state.tables[name]
        if not ended or unreadable(table) or table.last is None:
            return None
        return last_round(table, entries, self.floor.store.corrections(name, table.last.number, end))

    def table(self, name: str, reader: Reader) -> Json:
        """A table as a reader may see it, with the number of the newest entry it takes in."""
        seq, state = self.now
        last = self.last_of(name) if name in state.tables else None
        shown = table_view(state, name, reader, last, self.news.get(name))
        return {"seq": seq, **shown}

    def shown(self, topic: str, reader: Reader) -> StreamedView:
        """A view with its number, made once for all who see the same, from a state that nobody changes."""
        sees = reader if topic in self.state.tables and reader.role == "guest" else Reader(role=reader.role)
        key = (topic, sees.name, sees.role, self.changed[topic])
        if (shown := self.views.get(key)) is None:
            self.views[key] = shown = self._streamed(topic, sees)
        return shown

    def _streamed(self, topic: str, reader: Reader) -> StreamedView:
        seq, state = self.now
        if topic == LOBBY or topic.startswith("board:"):
            view = board_view(state, topic.removeprefix("board:")) if topic else {"tables": lobby_view(state)}
            return StreamedView(seq, Pieces.of({"seq": seq, **view}, self.texts))
        table = self._shared(topic)
        return StreamedView(table.seq, table.pieces + Pieces.of(table_for(table.state, topic, reader), self.texts))

    def _shared(self, name: str) -> SharedView:
        """What everybody sees of a table: made once for all readers."""
        shared, newest = self.shared.get(name), self.changed[name]
        if shared is None or shared.changed != newest:
            seq, state = self.now
            last = self.last_of(name) if name in state.tables else None
            view = {"seq": seq, **table_for_all(state, name, last, self.news.get(name))}
            self.shared[name] = shared = SharedView(newest, seq, state, Pieces.of(view, self.texts))
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
        self, topic: str, reader: Reader, after: int | None = None, still_in: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[bytes]:
        """Server-sent events for one reader, until he goes away. Of the staff it is asked before each whether the screen is
        still open: it locks by itself, and nobody says when."""
        about = topic.removeprefix("board:")
        watcher = Watcher(about, reader, asyncio.get_running_loop())
        self.watchers[about].add(watcher)
        try:
            seen = after if after is not None else -1
            sent: Mapping[Place, str] = {}
            if after is not None:
                for event in await asyncio.to_thread(self._unless_out, partial(self._missed, about, after), []):
                    yield event
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
                        shown = self.shown(topic, reader)  # quick: the state is in memory, and views are made once
                    except Refused as refused:  # its edition cannot be read: that is all there is to say of this table
                        reason = json.dumps({"code": refused.code, "message": refused.message}, ensure_ascii=False)
                        yield f"event: refused\ndata: {reason}\n\n".encode()
                        return
                    seen = newest
                    yield shown.event(sent)
                    sent = shown.pieces
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await watcher.woken.wait()
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            self.watchers[about].discard(watcher)

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

    def wake_all(self) -> None:
        """Let every stream look whether it may go on: somebody's session has ended."""
        self.revision += 1
        wake(watcher for watchers in tuple(self.watchers.values()) for watcher in tuple(watchers))

    def _missed(self, topic: str, after: int) -> list[bytes]:
        """What happened while a reader was away, one event an entry."""
        events, editions = [], PastEditions(self.floor.store)
        for entry in self.floor.store.entries(max(after, self.seq - MISSED_MOST)):
            if topic in {LOBBY, entry.table} and (event := happened(entry, editions.of(entry))):
                data = json.dumps({"seq": entry.seq, "table": entry.table, "happened": event}, ensure_ascii=False)
                events.append(f"id: {entry.seq}\nevent: happened\ndata: {data}\n\n".encode())
        return events


def follow_others(house: ServedHouse, stopped: threading.Event) -> None:
    """Notice what other processes write: PostgreSQL tells us at once, an SQLite file is asked twice a second."""
    tells = house.floor.store.url.startswith("postgresql")
    while not stopped.is_set():
        try:
            if tells:
                for _ in house.floor.store.told_of():
                    house.refresh()
                    if stopped.is_set():
                        return
            else:
                house.refresh()
        except Exception as error:
            if not house.is_out(error):
                log.exception("the journal could not be read")
        stopped.wait(POLL_SECONDS)
