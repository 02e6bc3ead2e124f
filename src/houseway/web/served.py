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
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from houseway.house.floor import Actor, Floor
from houseway.house.snapshot import latest
from houseway.house.store import ROUND_ENDS
from houseway.refusal import Refused, one_of
from houseway.table import Command, House, Phase
from houseway.table.engine import edition_of
from houseway.table.entry import Entry
from houseway.table.fold import SELF_CHECK, fold
from houseway.view import Json, Reader, board_view, happened, last_round, lobby_view, settled_view, table_view, unreadable
from houseway.view.words import edition_at
from houseway.web.pieces import Place, Shown, Texts

LOBBY = ""
"""What the lobby watches: every table."""
POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
MISSED_MOST = 500
PUT_RIGHT = {"correct", "correct-card", "swap-cards", "rekey", "replace-card", "undo", "change-bet", "void"}
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


class ServedHouse:
    """One floor for many requests: commands one at a time, views from the newest state."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.lock = floor, threading.RLock()
        state = floor.refresh()
        self.now = floor.seq, state
        self.changed: dict[str, int] = defaultdict(int)
        self.last: dict[str, Json | None] = {}
        self.live_since: dict[str, int] = {}
        self.news: dict[str, Json] = {}
        self.watchers: dict[str, set[Watcher]] = defaultdict(set)
        self.closed, self.revision = False, 0
        self.views: dict[tuple[str, str, str, int], Shown] = {}
        self.texts = Texts()

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
        with self.lock:
            entry = self.floor.do(command, actor, key)
            self._follow()
        return entry

    def note(
        self,
        kind: str,
        actor: Actor,
        data: Mapping[str, Any],
        table: str = "",
        check: Callable[[House], None] = lambda _: None,
    ) -> None:
        """Record what changes no table."""
        with self.lock:
            self.floor.note(kind, actor, data, table, check)
            self._follow()

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
        for entry in self.floor.store.entries(self.seq, self.floor.seq):
            topic = entry.table or str(entry.data.get("command", {}).get("board", ""))
            touched |= {topic, LOBBY, *self._tables_of(entry)}
            if entry.kind == SELF_CHECK:  # badges may have turned
                touched |= self.state.tables.keys()
            if entry.kind in ROUND_ENDS:
                self.live_since[entry.table] = entry.seq
                ended.add(entry.table)
            if entry.kind in PUT_RIGHT:
                told = happened(entry, edition_at(self.floor.state, entry.table))
                self.news[entry.table] = {"seq": entry.seq, "words": [event["text"] for event in told]}
                ended |= {entry.table} if entry.kind == "correct" and entry.table in self.live_since else set()
        self.now = self.floor.seq, self.floor.state
        for name in ended & self.state.tables.keys():
            self.last[name] = self._read_last(name, self.live_since[name])  # while nobody waits for it
        for topic in touched:
            self.changed[topic] = self.seq
        views = tuple(self.views.items())  # others look meanwhile, and so make more
        self.views = {key: view for key, view in views if key[0].removeprefix("board:") not in touched}
        wake(watcher for topic in touched for watcher in tuple(self.watchers[topic]))  # others come and go meanwhile

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

    def shown(self, topic: str, reader: Reader) -> Shown:
        """A view with its number, made once for all who see the same, from a state that nobody changes."""
        sees = reader if topic in self.state.tables and reader.role == "guest" else Reader(role=reader.role)
        key = (topic, sees.name, sees.role, self.changed[topic])
        if (shown := self.views.get(key)) is None:
            self.views[key] = shown = Shown(self._view(topic, sees), self.texts)
        return shown

    def _view(self, topic: str, reader: Reader) -> Json:
        seq, state = self.now
        if topic == LOBBY:
            return {"seq": seq, "tables": lobby_view(state)}
        if topic.startswith("board:"):
            return {"seq": seq, **board_view(state, topic.removeprefix("board:"))}
        return self.table(topic, reader)

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
        """Server-sent events for one reader, until he goes away."""
        about = topic.removeprefix("board:")
        watcher = Watcher(about, reader, asyncio.get_running_loop())
        self.watchers[about].add(watcher)
        try:
            seen = after if after is not None else -1
            told: Mapping[Place, str] = {}
            if after is not None:
                for event in await asyncio.to_thread(self._missed, about, after):
                    yield event
            asked, asked_at = -1, 0.0
            while not self.closed:
                watcher.woken.clear()
                if asked != self.revision or watcher.loop.time() - asked_at > HEARTBEAT_SECONDS:
                    asked, asked_at = self.revision, watcher.loop.time()
                    if not await asyncio.to_thread(still_in):
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
                    yield shown.event(told)
                    told = shown.pieces
                try:
                    await asyncio.wait_for(watcher.woken.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            self.watchers[about].discard(watcher)

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
        events = []
        for entry in self.floor.store.entries(max(after, self.seq - MISSED_MOST)):
            if topic in {LOBBY, entry.table} and (event := happened(entry, edition_at(self.state, entry.table))):
                data = json.dumps({"seq": entry.seq, "table": entry.table, "happened": event}, ensure_ascii=False)
                events.append(f"id: {entry.seq}\nevent: happened\ndata: {data}\n\n".encode())
        return events

    # Replays

    def replay(self, seq: int) -> tuple[House, list[tuple[Entry, House]]]:
        """The round that ended with an entry: the state before it, and each of its entries with the state after."""
        end = self.floor.store.entry(seq)
        if end is None or end.kind not in {"settle", "void"}:
            raise Refused("no-such-round", f"entry {seq} does not end a round: name the entry of a settlement or a void")
        entries = self.floor.store.round_entries(end.table, seq)
        first = entries[0].seq
        state, reached = latest(self.floor.store, first)
        for entry in self.floor.store.entries(reached, first - 1):
            state = fold(state, entry)[0]
        before, after, own = state, [], {entry.seq for entry in entries}
        for entry in self.floor.store.entries(first - 1, seq):
            state = fold(state, entry)[0]
            if entry.seq in own:
                after.append((entry, state))
        return before, after


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
        except Exception:
            log.exception("the journal could not be read")
        stopped.wait(POLL_SECONDS)
