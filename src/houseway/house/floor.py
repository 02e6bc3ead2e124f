"""The floor: carries commands out against the journal, one at a time, and keeps the state folded from it.

A command, the cards it drew, the events and the transfers are one entry, written in one transaction. After a crash the
state is folded again; what was not committed did not happen.
"""

import gc
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from houseway.cards import show_cards
from houseway.house import names
from houseway.house import shoe as shoes
from houseway.house import snapshot as snapshots
from houseway.house.chain import broken, chained, check_head
from houseway.house.clock import OFF, SteadyClock
from houseway.house.editions import content_of, folder_files
from houseway.house.keys import SEALING, Keyring
from houseway.house.neighbours import Neighbours
from houseway.house.newest import Newest
from houseway.house.sealing import Sealing
from houseway.house.settled import settled_round
from houseway.house.store import Head, HeadMoved, Store, Writer
from houseway.refusal import Refused, one_of
from houseway.table import COMMANDS, Command, House, Phase, Table, duties, handle
from houseway.table.bank import marker_seats
from houseway.table.bound import BINDING
from houseway.table.change import from_bytes
from houseway.table.commands import CONTEXT, declared, is_recorded_when_refused
from houseway.table.engine import check_shoe_known, edition_of, is_shuffled_every_round, rehearse
from houseway.table.entry import GENESIS, Entry, canonical
from houseway.table.event import FORM, Event
from houseway.table.events import CardWanted, RoundSettled, RoundVoided
from houseway.table.face_up import hides, money_on_felt
from houseway.table.fold import (
    ACCOUNTS,
    ATTEMPT,
    LEFT,
    NOTES,
    PERMITTED,
    REQUESTED,
    SHOE_COMMITTED,
    SHOE_REVEALED,
    SNAPSHOT,
    at_stake,
    context,
    fold,
    with_seals,
    without_those_who_left,
)
from houseway.table.gaming_day import gaming_day
from houseway.table.guests import MAY_NOT_PLAY, TOLD, bar_of, who_must_be_registered
from houseway.table.house_events import TableClosed
from houseway.table.ledger import Transfer
from houseway.table.plain import as_json
from houseway.table.requests import CONFIRM, as_confirmed
from houseway.table.roles import STAFF
from houseway.table.state import Settled, ShoeState, is_blind
from houseway.table.unfold import Draw

ROLE_MAY_NOT = "role-may-not"
NEW_HOUSE = "HOUSEWAY_DUTIES"
"""With how many names a house begins that has done nothing yet: two, unless the environment says one."""
KEPT_AT_HAND = 1_000
"""How many entries a floor has at hand that it took in last: more than commands leave that share a commit, and nearly always
those of the rounds that are played now."""
READS_THE_JOURNAL = ("correct", CONFIRM)
"""Commands that look for settled rounds in what is committed: what shares their commit is not there yet."""
DRAWING = ("deal", "decide")
"""Commands that take cards from a shoe, as a rule."""
UNSEALED_MOST = 500
"""How many shoes' orders a floor has at hand: more than there are tables."""
ShoeSeeds = tuple[tuple[str, str], ...]
STORE_FAILED = (DBAPIError, psycopg.Error, sqlite3.Error)
"""After these a transaction is over, for all that share it."""
KNOWN_BY_FLOOR = CONTEXT - {"kind"}
"""What nobody can give with a command."""
SHOE_MATTERS = frozenset({RoundSettled.kind, RoundVoided.kind, TableClosed.kind, CardWanted.kind})
"""What may end a shoe that is in play, or take its last card."""
NEWCOMERS = ("buy-in", "table-buy-in", "sit", "correct", "wait", "reserve")
"""The commands by which a guest comes into the books."""


@dataclass(frozen=True)
class Actor:
    """Who gives a command, and in which role. From the `shell` of the house's machine anybody may call himself anything: the
    operating system's user, whom it knows, is recorded beside the name."""

    name: str
    role: str
    shell: str = ""


@dataclass(frozen=True)
class GivenCommand:
    """A command that somebody gives; with a key, once. Refused, and not recorded, if who or the key is nothing to be stored."""

    command: Command
    actor: Actor
    key: str = ""

    def __post_init__(self) -> None:
        words = (("actor", self.actor.name, 80), ("role", self.actor.role, 20), ("key", self.key, 80))
        for what, word, longest in words:
            if not isinstance(word, str) or len(word) > longest or not word.isprintable():
                raise Refused("bad-command", f"the {what} is not a printable text of at most {longest} characters")


def _that_share_a_commit(asked: Sequence[GivenCommand]) -> Sequence[GivenCommand]:
    """The first commands; one that reads what is committed has a transaction of its own, after those before it."""
    reads = (place for place, each in enumerate(asked) if each.command.get("kind") in READS_THE_JOURNAL)
    return asked[: max(next(reads, len(asked)), 1)]


def _nobody_more() -> Sequence[GivenCommand]:
    return ()


Moment = tuple[House, int, str, int, list[Entry], int]
"""A floor as of an entry: its state, the entry's number and hash, the newest snapshot, and what was taken in, so far."""
HOUSE = Actor("house", "supervisor")
"""What the floor does by itself."""


now = SteadyClock()
"""The time, in UTC."""


def _plain(value: object) -> str:
    """A text that any store can hold."""
    return "".join(char for char in str(value)[:200] if char.isprintable())


def guests_here(state: House) -> set[str]:
    """The guests who have chips, a debt, a seat or a bet, or wait for one: their names are nobody else's."""
    accounts = (account.partition(":")[::2] for account, cents in state.balances.items() if cents)
    holders = {name for kind, name in accounts if kind in {"guest", "debt"}}
    seated = {guest for table in state.tables.values() for guest in table.seated.values()}
    seated |= {wait.guest for wait in state.waiting}
    return holders | seated | {spot.guest for table in state.tables.values() for spot in table.round.spots.values()}


def times_given(state: House) -> Iterator[tuple[datetime, int]]:
    """Since when, and for how many seconds, guests may decide, take a bank that is offered, or add to a shoe."""
    for table in (table for table in state.tables.values() if table.is_open):
        if table.round.phase == Phase.DECIDING and table.touched_at:
            yield datetime.fromisoformat(table.touched_at), table.decision_seconds
        if table.bank is not None and table.bank.offered and not table.bank.holder and table.touched_at:
            yield datetime.fromisoformat(table.touched_at), max(table.decision_seconds, duties.ANSWER_SECONDS)
        if table.shoe is not None and table.shoe.wants_seeds and table.shoe.committed_at:
            yield datetime.fromisoformat(table.shoe.committed_at), table.guest_seeds


@contextmanager
def no_garbage() -> Iterator[None]:
    """Folding makes and drops many small values, none of them in cycles: looking for cycles only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _is_of(done: Entry, command: Command, actor: Actor) -> bool:
    """Whether an entry is what became of a command that somebody gave; a confirmed one is of whoever asked."""
    second = done.data.get("second")
    if command.get("kind") == CONFIRM and isinstance(second, dict):
        given = second["confirmed_by"], second["role"], second["request"]
        return given == (actor.name, actor.role, command.get("request"))
    return second is None and (done.actor, done.role, done.data.get("command")) == (actor.name, actor.role, dict(command))


def keys_for(store: Store, file: Path) -> Keyring:
    """The keys of a house; the first are made with its store, and none is ever replaced by a new one unasked."""
    keys = Keyring(file)
    if not keys.has(SEALING):
        if store.has_seals():
            raise Refused(
                "key-missing",
                f"the key file {file} is missing, and cards of this store are sealed with it: put it back from where its copy"
                " is kept, or name it with HOUSEWAY_KEY; if it is lost for ever, houseway keys rotate sealing --lost",
            )
        keys.make(SEALING)
    keys.all(SEALING)
    return keys


class Floor:
    """The tables of a house, kept in a store. Several processes may each have one on the same store."""

    def __init__(self, store: Store, key_file: Path, clock: Callable[[], datetime] = now, begins: str = "") -> None:
        self.store, self.clock = store, clock
        chosen = begins or os.environ.get(NEW_HOUSE) or duties.TWO
        self.begins = one_of(f"duties ({NEW_HOUSE})", chosen, [duties.ONE, duties.TWO])
        self.keys = keys_for(store, key_file)
        self.sealing = store.sealing = Sealing(self.keys)
        self.state, self.seq = snapshots.latest(store)
        self.hash = self._hash_of(self.seq)
        self.snapshot_seq = self.started_from = self.seq
        self.neighbours: Neighbours | None = None
        self.newest: Newest | None = None
        self._wrote: Head | None = None
        self._day: tuple[datetime, Mapping[str, str], str] = datetime.min, {}, ""
        self._taken_in: list[Entry] = []
        self._unsealed: dict[tuple[str, ShoeSeeds], tuple[bytes, shoes.Revealed, tuple[int, ...]]] = {}

    @property
    def key(self) -> bytes:
        """The key that seals shoes now."""
        return self.keys.newest(SEALING).secret

    def do(self, command: Command, actor: Actor, key: str = "") -> Entry:
        """Carry out a command; with an idempotency key, once, however often it is asked."""
        became = self.do_together([GivenCommand(command, actor, key)])[0]
        if isinstance(became, Exception):
            raise became
        return became

    def do_together(
        self, asked: Sequence[GivenCommand], more: Callable[[], Sequence[GivenCommand]] = _nobody_more
    ) -> list[Entry | Exception]:
        """Carry out commands one after the other, which wait for the same commit; what each left, or why it was not done.

        A refused one changes nothing, and the others go on; if the store fails, none has happened. Nobody is to be told of
        anything before all is committed, that is, before this returns. Once the head is ours, which may have taken a while,
        `more` gives those that have come meanwhile; they are answered after the others.
        """
        waiting, became = list(asked), list[Entry | Exception]()
        while (done := len(became)) < len(waiting):
            try:
                with self._all_or_nothing(self._believed_head()) as writer:
                    waiting += more()
                    together = _that_share_a_commit(waiting[done:])
                    if keys := [each.key for each in together if each.key]:
                        writer.look_up(keys)
                    if len(together) > 1 and len(shoes := self._shoes_to_read(writer, together)) > 1:
                        writer.look_up_seals(sorted(shoes))
                    tried = [self._tried(writer, each) for each in together]
                became += tried
            except HeadMoved:  # what was tried was on a state of before
                self._wrote = None
            except Exception as error:
                became += [error] * len(_that_share_a_commit(waiting[done:]))
        for place, (each, refused) in enumerate(zip(waiting, tuple(became), strict=True)):
            if isinstance(refused, Refused) and (
                refused.code in {ROLE_MAY_NOT, *TOLD} or is_recorded_when_refused(each.command)
            ):
                try:
                    self._record_attempt(each.command, each.actor, refused)
                except Exception as error:  # his alone: the others' are committed
                    became[place] = error
        return became

    def _shoes_to_read(self, writer: Writer, asked: Sequence[GivenCommand]) -> set[str]:
        """The shoes that commands draw from, or show because it is their last, as far as they are to be read."""
        found = set[str]()
        for command in (each.command for each in asked):
            kind, table = command.get("kind"), self.state.tables.get(str(command.get("table")))
            if table and (shoe := table.shoe):
                is_known = writer.is_alone and (shoe.commitment, shoe.seeds) in self._unsealed
                is_shown = kind == "settle" and is_shuffled_every_round(table)
                found |= {shoe.id} if is_shown or (kind in DRAWING and not is_known) else set()
        return found

    def _tried(self, writer: Writer, asked: GivenCommand) -> Entry | Exception:
        """What a command left, or why it was not done: as if it had never been given."""
        before, mark = self._now(), writer.mark()
        try:
            return self._do(writer, asked.command, asked.actor, asked.key)
        except (*STORE_FAILED, HeadMoved):
            raise
        except Exception as error:
            self._go_back(before)
            writer.go_back(mark)
            return error

    def refresh(self, newest: Head = (0, "")) -> House:
        """The state now, other processes' entries included; refused if the journal does not hold.

        If the `newest` head is known, because the store has told of it, and what leads to it was handed here, nobody is asked.
        """
        if self.is_taken_over(newest):
            return self.state
        before = self.store.head()
        if before != (self.seq, self.hash) and not self._takes_over(before):
            with no_garbage():
                for entry in self.store.as_stored(self.seq):
                    self._fold(entry)
            check_head((self.seq, self.hash), before, self.store.head())
        return self.state

    def entries_after(self, seq: int) -> Iterable[Entry]:
        """The entries taken in after a number, as the house reads them; the last ones are at hand."""
        at_hand = self._taken_since(seq)
        return at_hand if len(at_hand) == self.seq - seq else self.store.entries(seq, self.seq)

    def is_taken_over(self, newest: Head) -> bool:
        """Whether what leads to a head of which the store, or who wrote it, has told was handed here: then it is taken over."""
        return bool(newest[1]) and self._takes_over(newest)

    def entry_at_hand(self, seq: int) -> Entry | None:
        """An entry as the house reads it, if it is one of the last."""
        place = len(self._taken_in) - 1 - (self.seq - seq)
        entry = self._taken_in[place] if 0 <= place < len(self._taken_in) else None
        return entry if entry is not None and entry.seq == seq else None

    def _hash_of(self, seq: int) -> str:
        """The hash of an entry that a snapshot was taken with."""
        entry = self.store.entry(seq) if seq else None
        return entry.hash if entry else GENESIS

    def _do(self, writer: Writer, command: Command, actor: Actor, key: str) -> Entry:
        self._catch_up(writer)
        if not KNOWN_BY_FLOOR.isdisjoint(command):
            given = sorted(KNOWN_BY_FLOOR & command.keys())
            raise Refused("bad-command", f"{', '.join(given)} cannot be given: the floor knows")
        if key and (done := writer.entry_with_key(key)):
            if done.key != key or not done.is_itself():
                raise broken(f"the entry that the store gives for the key {key} does not hold")
            done = self.store.opened(done)
            if not _is_of(done, command, actor):
                raise Refused("key-reused", f"the key {key} was used for another command, or by somebody else")
            return done
        declaration = declared(command, actor.role)
        if declaration.retired:
            raise Refused("retired", f"{declaration.kind} cannot be given any more: {declaration.retired} does it")
        declaration.check(command)  # once: what is in the journal was checked
        self._check_guest(command)
        self._take_time_over()
        entry = self._answer(writer, command, actor, key, self.clock())
        unsure = (table.spoiled or is_blind(table) for table in self.state.tables.values())
        if self.seq - self.snapshot_seq >= snapshots.EVERY and not any(unsure):
            self._take_snapshot(writer)  # never of a table whose game may come back
        return entry

    def _take_snapshot(self, writer: Writer) -> None:
        """Keep the state; the first one of a gaming day leaves out the accounts of guests who have left."""
        at, before = self.clock(), self.store.entry(self.snapshot_seq) if self.snapshot_seq else None
        closes = {LEFT: True} if before is None or before.day != gaming_day(at, self.state) else {}
        self.state = without_those_who_left(self.state) if closes else self.state
        note, content = snapshots.taken(self.state, self.sealing)
        self._append(writer, SNAPSHOT, "", HOUSE, "", note | closes, [], at)
        writer.put_snapshot(self.seq, content)
        self.snapshot_seq = self.seq

    def _answer(self, writer: Writer, command: Command, actor: Actor, key: str, at: datetime) -> Entry:
        """Carry a command out, or a request that it confirms; or ask for the second person that it needs."""
        second: Command = {}
        if command["kind"] == CONFIRM:
            confirming = self._in_context(command, actor, at)
            request, given, full = as_confirmed(self.state, confirming)
            if request.act in COMMANDS:  # the entry is of what is carried out, with both names
                asker = Actor(request.asked_by, request.role, actor.shell)
                command, actor, second = given, asker, {"second": full["second"]}
                self._check_guest(command)  # somebody who looks like him may have come meanwhile
        if command["kind"] == "lost-shoe":
            self._find_lost(writer, str(command["table"]))
        known = self._with_patron(writer, self._with_settled(self._with_edition(self._with_dice(writer, command))))
        completed = {**known, **second}
        full = self._in_context(completed, actor, at)
        if not second and self._needs_second(full):
            rehearse(self.state, full, actor.role)
            return self._ask(writer, command, full, actor, key, at)
        return self._carry_out(writer, command, full, actor, key, at)

    def _needs_second(self, full: Command) -> bool:
        begun = duties.begun(self.state, full)
        is_listed = full["kind"] in duties.DUTIES and duties.are_two(begun)
        return is_listed and duties.needs(begun, full, at_stake(begun, full)) is not None

    def _in_context(self, command: Command, actor: Actor, at: datetime) -> dict[str, Any]:
        """A command with what nobody can give: when, by whom, and how a house begins that has done nothing yet."""
        begins = {"begins": self.begins} if self.state.duties is None else {}
        when = context(at.isoformat(timespec="microseconds"), self._day_of(at), actor.name, actor.role, FORM)
        return {**command, **when, **begins}

    def _day_of(self, at: datetime) -> str:
        """The gaming day of a moment; that of the last one, if it is of the same minute and no rule was set since."""
        minute, rules = at.replace(second=0, microsecond=0), self.state.rules
        if self._day[0] != minute or self._day[1] is not rules:
            self._day = minute, rules, gaming_day(at, self.state)
        return self._day[2]

    def _ask(self, writer: Writer, command: Command, full: Command, actor: Actor, key: str, at: datetime) -> Entry:
        """Keep a command as a request until a second person confirms it; nothing else changes."""
        self.state, event = duties.asked(self.state, full, at_stake(self.state, full))
        data: dict[str, Any] = {"command": dict(command), "form": FORM, "events": [event.as_data()]}
        data |= {"begins": full["begins"]} if "begins" in full else {}
        name = str(command.get("table", ""))
        table, names_cards = self.state.tables.get(name), command["kind"] in duties.MENDING | {"replace-card"}
        stored = data
        if table is not None and names_cards and hides(table):  # as the command's own entry will be
            data |= {"salt": secrets.token_hex(16), "dice": 0, "drawn": ""}
            stored = self.sealing.sealed_data(data) | {"felt": money_on_felt(table)}
        entry = self._append(writer, REQUESTED, name, actor, key, stored, [], at, data)
        self.state = with_seals(self.state, entry)
        return entry

    def ask_for(self, kind: str, actor: Actor, data: Mapping[str, Any]) -> Entry | None:
        """The request for something that the journal only notes, such as an account: nothing if it may be done now.

        That is so where it needs no second person, and once one has confirmed it.
        """
        with self._all_or_nothing() as writer:
            at = self.clock()
            command = {"kind": kind, "noted": dict(data)}
            full = self._in_context(command, actor, at)
            if not duties.needs(duties.begun(self.state, full), full, 0) or duties.permit_for(self.state, full):
                return None
            return self._ask(writer, command, full, actor, "", at)

    def _check_looks(self, guest: str) -> None:
        """Refuse a name that looks like that of somebody who may not play: it may be his, and so the floor is told."""
        day = gaming_day(self.clock(), self.state)
        barred = [bar.guest for bar in self.state.barred.values() if bar_of(self.state, bar.guest, day)]
        if names.look_alike(guest, [*barred, *self.state.too_young]) is not None:
            raise Refused(MAY_NOT_PLAY, f"{guest} looks like the name of somebody who may not play here: call a supervisor")

    def _check_guest(self, command: Command) -> None:
        """Whoever comes into the books has a name that nobody can take for another's."""
        if command["kind"] not in NEWCOMERS:
            return
        named = [command["guest"]] if "guest" in command else list(command.get("guests", {}).values())
        here = guests_here(self.state) | {bar.guest for bar in self.state.barred.values()}
        staff = [name for name, role in self.state.staff.items() if role in STAFF]
        for guest in named:
            if guest not in here:
                self._check_looks(guest)
                names.check_new_guest(guest, here, staff)

    def _take_time_over(self) -> None:
        """Where the machine's clock was set, follow it, unless somebody's time runs: it is neither cut nor prolonged.

        A time that does not run by our clock is over, or was given by another process, which has followed the machine's before.
        """
        if not isinstance(self.clock, SteadyClock) or not self.clock.is_off():
            return
        ours = self.clock()
        if not any(-OFF <= ours - since < timedelta(seconds=seconds) for since, seconds in times_given(self.state)):
            self.clock.follow_wall()

    def _carry_out(self, writer: Writer, command: Command, full: Command, actor: Actor, key: str, at: datetime) -> Entry:
        """Handle a command that is `full`, and write what it did."""
        drawn: list[int] = []
        before = self.state
        effect = handle(before, full, actor.role, self._draw(writer, full, drawn))
        self.state = effect.finished()
        data: dict[str, Any] = {
            "salt": secrets.token_hex(16),
            "command": dict(command),
            "dice": full.get("dice", 0),
            "drawn": show_cards(drawn),
            "form": FORM,
            "events": [event.as_data() for event in effect.events],
            "transfers": [transfer.as_data() for transfer in effect.transfers],
        }
        if "bound" in full:
            data["edition"] = full["bound"]
        data |= {name: full[name] for name in ("settled", "second", "begins", "patron") if name in full}
        # the salt keeps a published hash from telling, by trying, what cards an entry of a live round holds
        name = effect.table.name if effect.table else str(command.get("table", ""))
        stored = self._with_seals(writer, before.tables.get(name), effect.table, data)
        day = str(full["day"])
        entry = self._append(writer, str(command["kind"]), name, actor, key, stored, effect.transfers, at, data, day)
        if stored is not data:
            self.state = with_seals(self.state, entry)
        if effect.table and self._tend_shoe(writer, before.tables.get(name), name, effect.events):
            go_on = {"kind": "deal", "table": effect.table.name}  # the round goes on from the discards
            self._carry_out(writer, go_on, self._in_context(go_on, HOUSE, at), HOUSE, "", at)
        return entry

    def _with_seals(self, writer: Writer, before: Table | None, after: Table | None, data: dict[str, Any]) -> dict[str, Any]:
        """The data of an entry as they are stored: sealed if they are of a round with a card face down.

        If it has none any more, what was sealed of it is opened.
        """
        if after is None:
            return data
        if hides(after):
            about = before is None or after.round != before.round  # not of money, seats, or rounds that are over
            return self.sealing.sealed_data(data) | {"felt": money_on_felt(after)} if about else data
        if not after.sealed or is_blind(after):
            return data
        keys = {entry.seq: self.sealing.own_key(entry.data["sealed"]) for entry in self._entries_numbered(writer, after.sealed)}
        lost = [seq for seq, own in keys.items() if own is None]
        return data | {"openings": {str(seq): own for seq, own in keys.items() if own}} | ({"unopened": lost} if lost else {})

    def _entries_numbered(self, writer: Writer, numbers: Sequence[int]) -> list[Entry]:
        """Entries of this journal, most of which are at hand."""
        at_hand = {number: entry for number in numbers if (entry := self.entry_at_hand(number))}
        others = {entry.seq: entry for entry in writer.entries_numbered([seq for seq in numbers if seq not in at_hand])}
        return [entry for number in sorted(numbers) if (entry := at_hand.get(number) or others.get(number))]

    def _append(
        self,
        writer: Writer,
        kind: str,
        table: str,
        actor: Actor,
        key: str,
        data: Mapping[str, Any],
        transfers: list[Transfer],
        at: datetime | None = None,
        told: dict[str, Any] | None = None,
        day: str = "",
    ) -> Entry:
        """Chain an entry of these data; `told` are the same before a part of them was sealed. `day` is that of its command,
        which may have changed when days begin."""
        at = at or self.clock()
        data = {**data, "shell": {"user": actor.shell}} if actor.shell else data
        fields = {
            "at": at.isoformat(timespec="microseconds"),
            "day": day or self._day_of(at),
            "table": table,
            "actor": actor.name,
            "role": actor.role,
            "kind": kind,
            "key": key,
            "payload": canonical(data),
        }
        entry = writer.append(fields, transfers)
        self.seq, self.hash = entry.seq, entry.hash
        entry = entry.opened(told) if told and "sealed" in data else entry
        self._keep(entry)
        return entry

    def _keep(self, entry: Entry) -> None:
        """Have an entry at hand for whoever follows this floor."""
        if len(self._taken_in) >= 2 * KEPT_AT_HAND:
            self._taken_in = self._taken_in[-KEPT_AT_HAND:]  # another list: a moment to go back to has the old one
        self._taken_in.append(entry)

    def _taken_since(self, seq: int) -> list[Entry]:
        """What was taken in after a number, as far as it is at hand."""
        return [entry for entry in self._taken_in[max(len(self._taken_in) - (self.seq - seq), 0) :] if entry.seq > seq]

    def _catch_up(self, writer: Writer) -> None:
        if writer.head != (self.seq, self.hash) and not self._takes_over(writer.head):
            for entry in writer.entries(self.seq):
                self._fold(entry)
            check_head((self.seq, self.hash), writer.head, writer.head)

    def _fold(self, entry: Entry) -> None:
        """Take an entry in: what is not chained to the one before is not believed."""
        head, entry = chained((self.seq, self.hash), entry), self.store.opened(entry)
        self.state = fold(self.state, entry)[0]
        self.seq, self.hash = head
        self._unsealed.clear()
        self._keep(entry)
        if entry.kind == SNAPSHOT:
            self.snapshot_seq = entry.seq

    def _takes_over(self, newest: Head) -> bool:
        """Whether a neighbour has handed here all that leads to a head that is committed: then its change is taken over."""
        if self.neighbours is None or not (handed := self.neighbours.handed((self.seq, self.hash), newest)):
            return False
        state = self.state
        try:
            for each in handed:
                state = from_bytes(state, each.change)
        except Exception:  # not a change of this state, whatever it is: the journal says what happened
            return False
        for entry in (entry for each in handed for entry in each.entries):
            self._keep(self.store.opened(entry))
            if entry.kind == SNAPSHOT:
                self.snapshot_seq = entry.seq
        self.state, (self.seq, self.hash) = state, newest
        self._unsealed.clear()
        return True

    def _hand_over(self, began: Head, was: House) -> None:
        """Before the commit, so that whoever writes next has it: he takes it over only if it is committed."""
        if self.neighbours is not None and self.seq > began[0]:
            entries = self._taken_since(began[0])
            if len(entries) == self.seq - began[0]:
                self.neighbours.hand(began, entries, was, self.state)

    def _record_attempt(self, command: Command, actor: Actor, refused: Refused) -> None:
        table = self.state.tables.get(str(command.get("table", "")))
        may_tell = refused.code == ROLE_MAY_NOT or table is None or not hides(table)  # who may do what hangs on no card
        message = _plain(refused.message) if may_tell else "cards lie face down: what was refused is not told"
        data = {"command": {"kind": _plain(command.get("kind"))}, "code": refused.code, "message": message}
        self.note(ATTEMPT, actor, data, _plain(command.get("table", ""))[:40])

    def note(
        self,
        kind: str,
        actor: Actor,
        data: Mapping[str, Any],
        table: str = "",
        check: Callable[[House], None] = lambda _: None,
        also: Callable[[Connection], Mapping[str, Any]] = lambda _: {},
    ) -> Entry:
        """Record what changes no table and moves no money: attempts, log-ins, people, own editions.

        `check` may refuse it, seeing the state that no other process can change meanwhile. `also` changes, or refuses to
        change, something else of the store in the same transaction; what it returns is recorded too.
        """
        assert kind in NOTES, kind
        with self._all_or_nothing() as writer:
            check(self.state)
            at = self.clock()
            noted = self._permitted(kind, actor, {**data, **also(writer.connection)}, at)
            entry = self._append(writer, kind, table, actor, "", noted, [], at)
            self.state = fold(self.state, entry)[0]
            return entry

    def _believed_head(self) -> Head | None:
        """Where the head is, if this floor was the last to write as far as it knows."""
        head = self.seq, self.hash
        return head if head == self._wrote else None

    @contextmanager
    def _all_or_nothing(self, believed: Head | None = None) -> Iterator[Writer]:
        """The only writer, on the newest state; whatever fails did not happen."""
        before = self._now()
        try:
            with self.store.writing(believed) as writer:
                self._catch_up(writer)
                was, began = self.state, (self.seq, self.hash)
                yield writer
                self._hand_over(began, was)
        except BaseException:
            self._go_back(before)
            raise
        self._wrote = self.seq, self.hash
        if self.newest is not None:
            self.newest.tell(self._wrote)

    def _now(self) -> Moment:
        return self.state, self.seq, self.hash, self.snapshot_seq, self._taken_in, len(self._taken_in)

    def _go_back(self, before: Moment) -> None:
        """Whatever failed, the commit included, did not happen."""
        self.state, self.seq, self.hash, self.snapshot_seq, self._taken_in, kept = before
        del self._taken_in[kept:]

    def _permitted(self, kind: str, actor: Actor, data: Mapping[str, Any], at: datetime) -> Mapping[str, Any]:
        """A note with its second person, where it needs one; refused without. For accounts the machine's own shell is for
        emergencies."""
        if kind not in PERMITTED:
            return data
        full = self._in_context({"kind": kind, "noted": dict(data)}, actor, at)
        data = {**data, **{name: full[name] for name in ("form", "begins") if name in full}}
        if (actor.shell and kind in ACCOUNTS) or not duties.needs(duties.begun(self.state, full), full, 0):
            return data
        permit = duties.permit_for(self.state, full)
        if permit is None:
            raise Refused("second-person", f"{kind} needs a second person here: ask first, and let him confirm it")
        names = {"request": permit.number, "asked_by": permit.asked_by}
        return {**data, "second": {**names, "confirmed_by": permit.confirmed_by, "role": permit.confirmed_role}}

    # Virtual shoes

    def _draw(self, writer: Writer, command: Command, drawn: list[int]) -> Draw:
        """The next card of the table's shoe, unsealed when the first is asked for."""
        table = self.state.tables.get(str(command.get("table", "")))
        order: list[int] = []

        def draw() -> int | None:
            if table is None or table.shoe is None:
                return None
            if not order:
                order.extend(self._order_of(writer, table.shoe)[table.shoe.used :])
            if len(drawn) == len(order):
                return None
            drawn.append(order[len(drawn)])
            return drawn[-1]

        return draw

    def _unseal(self, writer: Writer, shoe: str) -> shoes.Revealed:
        content = writer.sealed(shoe)
        if content is None:
            then = "void the round, and let two supervisors record it with lost-shoe"
            raise Refused("seal-missing", f"the order of shoe {shoe} is not in this store: {then}")
        revealed = self.sealing.shoe(content)
        if revealed.note != shoe:
            raise Refused("seal-broken", f"what is sealed as shoe {shoe} is another one")
        return revealed

    def _order_of(self, writer: Writer, shoe: ShoeState) -> tuple[int, ...]:
        """The order of a shoe in play. Once it was found to be what was committed to it can be no other, and so it is not read
        again for every round, as long as nobody else writes, who may have sealed it anew.
        """
        known = self._unsealed.get((shoe.commitment, shoe.seeds)) if writer.is_alone else None
        return known[2] if known else self._opened(writer, shoe)[1]

    def _opened(self, writer: Writer, shoe: ShoeState) -> tuple[shoes.Revealed, tuple[int, ...]]:
        """What is sealed of a shoe, and its order; refused if it is not what was committed to.

        What was worked out once holds for as long as the same bytes lie in the store under the same commitment.
        """
        sealed, known = writer.sealed(shoe.id), self._unsealed.get((shoe.commitment, shoe.seeds))
        if known is None or known[0] != sealed:
            revealed, order = self._opened_anew(writer, shoe)
            if len(self._unsealed) >= UNSEALED_MOST:
                self._unsealed.clear()
            self._unsealed[shoe.commitment, shoe.seeds] = known = sealed or b"", revealed, order
        return known[1:]

    def _opened_anew(self, writer: Writer, shoe: ShoeState) -> tuple[shoes.Revealed, tuple[int, ...]]:
        revealed = self._unseal(writer, shoe.id)
        if not shoes.check(shoes.Commitment(shoe.commitment), revealed):
            raise Refused("seal-broken", f"what is sealed as shoe {shoe.id} is not what was committed to")
        if revealed.kind != "seed":
            return revealed, revealed.order
        return revealed, shoes.mixed(revealed.order, revealed.salt, [seed for _, seed in shoe.seeds])

    def _dice(self, writer: Writer, shoe: ShoeState) -> shoes.Revealed:
        """The numbers that are sealed with a shoe; refused if they are not what was committed to."""
        dice = self._unseal(writer, f"{shoe.id}:dice")
        if not shoes.check(shoes.Commitment(shoe.dice_commitment), dice):
            raise Refused("seal-broken", f"the dice sealed with shoe {shoe.id} are not what was committed to")
        return dice

    def _with_dice(self, writer: Writer, command: Command) -> Command:
        """EPG-6, R12: at a virtual table the dice were thrown, and committed to, with the shuffle.

        A marker drawn by hand is keyed while bets are open; entries of before, which bring it with the close, still play.
        """
        table = self.state.tables.get(str(command.get("table", "")))
        if command.get("kind") != "no-more-bets" or table is None or not table.is_open or table.spoiled:
            return command
        if "dice" in command and marker_seats(table.settings, table.seats):
            raise Refused(
                "bad-dice", "the marker is drawn while bets are open: say where it stands with marker, and then close"
            )
        if table.shoe is None or not (sides := self._sides(table)):
            return command
        if "dice" in command:
            raise Refused("bad-dice", "the dice of a virtual table are thrown by the house, with the shuffle")
        if not table.shoe.dice_commitment:  # a shoe of before markers were committed to
            return {**command, "dice": shoes.throw(sides)}
        numbers = self._dice(writer, table.shoe).order
        more = table.shoe.thrown < len(numbers)  # else hands without cards, all void, have used them up
        return {**command, "dice": numbers[table.shoe.thrown] if more else shoes.throw(sides)}

    @staticmethod
    def _sides(table: Table) -> int:
        """How many numbers are thrown from: the game's dice, or the seats that a marker may be drawn to; 0 if nothing is."""
        return edition_of(table).game.dealing.dice_sides or marker_seats(table.settings, table.seats)

    def _with_edition(self, command: Command) -> Command:
        """A table is bound to its edition's content as of now; of what is not known here the table says so itself."""
        if command.get("kind") not in BINDING or not isinstance(command.get("edition"), str):
            return command
        content = content_of(command["edition"], self.state)
        if content is None and (known := list(folder_files())):
            return {**command, "bound": {"known": known}}
        return {**command, "bound": content} if content else command

    def settled(self, table: str, number: int) -> Settled | None:
        """A table's round of this number as it stands, if it was settled since the table was first opened today."""
        openings = 1 + len(self.state.earlier.get(table, ()))
        return settled_round(self.store, table, openings, number)

    def _with_settled(self, command: Command) -> Command:
        """A correction is of a round as it stands, which the journal tells."""
        table = self.state.tables.get(str(command.get("table", "")))
        if command.get("kind") != "correct" or table is None or table.spoiled:
            return command
        settled = self.settled(table.name, command["round"])
        return {**command, "settled": as_json(settled)} if settled else command

    def _with_patron(self, writer: Writer, command: Command) -> Command:
        """Where every guest must be registered: his number, from the patron file, which is no part of the journal."""
        guest = who_must_be_registered(self.state, command)
        number = writer.patron_of(guest) if guest else ""
        return {**command, "patron": number} if number else command

    def _tend_shoe(self, writer: Writer, before: Table | None, name: str, events: list[Event]) -> bool:
        """Reveal a shoe that is done and commit to the next before anybody can bet on it; whether a round now goes on.

        BJ-9: only if the shoe runs out in a round, to its last card, the discards are shuffled in. After a shoe that is lost
        none follows until two have said so.
        """
        table = self.state.tables[name]
        kinds = {event.kind for event in events}
        if table.source != "virtual-shoe" or (table.is_open and table.shoe and SHOE_MATTERS.isdisjoint(kinds)):
            return False
        ends = [event for event in events if isinstance(event, RoundSettled | RoundVoided)]
        done = [before.shoe] if before and before.shoe and any(event.shoe_done for event in ends) else []
        if ends or TableClosed.kind in kinds:
            done += table.run_out  # not before the round is over: its cards are still face down
        if table.shoe and not table.is_open:
            done.append(table.shoe)
        for shoe in done:
            self._reveal(writer, name, shoe)
        table = self.state.tables[name]
        if not table.is_open:
            check_shoe_known(table)
        is_empty = table.shoe is not None and table.shoe.used >= table.shoe.size
        ran_out = CardWanted.kind in kinds and is_empty and bool(table.discards)
        is_known = all(shoe.declared for shoe in table.lost_shoes)
        if table.is_open and is_known and (table.shoe is None or ran_out):
            self._commit(writer, table, table.discards if ran_out else ())
        return ran_out

    def _is_lost(self, writer: Writer, shoe: ShoeState) -> bool:
        try:
            self._opened(writer, shoe)
            if shoe.dice_commitment:
                self._dice(writer, shoe)
        except Refused:
            return True
        return False

    def _find_lost(self, writer: Writer, name: str) -> None:
        """Look for the seal of the shoe in play: that it is lost is in the journal before somebody records that he knows."""
        table = self.state.tables.get(name)
        if table and table.is_open and table.shoe and self._is_lost(writer, table.shoe):
            self._reveal(writer, name, table.shoe)

    def _commit(self, writer: Writer, table: Table, discards: tuple[int, ...]) -> None:
        edition = edition_of(table)
        full = [card for card, copies in enumerate(edition.game.shoe(table.settings)) for _ in range(copies)]
        cards = list(discards) or full
        whole = is_shuffled_every_round(table) or bool(discards)
        burn, cut = (0, len(cards)) if whole else (1, len(cards) * table.cut_percent // 100)
        id_ = f"{table.name}-{table.shoes_made + 1}-{secrets.token_hex(4)}"
        if wants_seeds := bool(table.guest_seeds) and not discards:  # a round that goes on from discards waits for nobody
            commitment, revealed = shoes.commit(cards, burned=burn, note=id_, kind="seed")
        else:
            commitment, revealed = shoes.commit(shoes.shuffled(cards), burned=burn, note=id_)
        writer.put_sealed(id_, shoes.seal(self.key, revealed))
        data: dict[str, Any] = {"shoe": id_, "commitment": commitment.digest, "size": len(cards), "burned": burn, "cut": cut}
        data |= {"discards": True} if discards else {"decks": len(cards) // 52, "jokers": len(cards) % 52}
        data |= {"wants_seeds": True} if wants_seeds else {}
        if sides := self._sides(table):
            throws = 1 if is_shuffled_every_round(table) else len(cards)  # one a hand, and a hand takes a card at least
            numbers = [shoes.throw(sides) for _ in range(throws)]
            thrown, dice = shoes.commit(numbers, kind="dice", note=f"{id_}:dice")
            writer.put_sealed(f"{id_}:dice", shoes.seal(self.key, dice))
            data["dice_commitment"] = thrown.digest
        entry = self._append(writer, SHOE_COMMITTED, table.name, HOUSE, "", data, [])
        self.state = fold(self.state, entry)[0]

    def _reveal(self, writer: Writer, name: str, shoe: ShoeState) -> None:
        """Publish the order of a shoe that is done; if its seal or key is lost, say so."""
        data: dict[str, Any] = {"shoe": shoe.id}
        try:
            revealed, order = self._opened(writer, shoe)
            data |= {"salt": revealed.salt, "order": show_cards(order)}
            if shoe.dice_commitment:
                dice = self._dice(writer, shoe)
                data |= {"dice_salt": dice.salt, "dice": list(dice.order)}
        except Refused as refused:
            number = int(shoe.id.rsplit("-", 2)[1])
            data = {"shoe": shoe.id, "lost": refused.message, "number": number, "commitment": shoe.commitment}
        entry = self._append(writer, SHOE_REVEALED, name, HOUSE, "", data, [])
        self.state = fold(self.state, entry)[0]
