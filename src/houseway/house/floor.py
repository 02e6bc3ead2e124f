"""The floor: carries commands out against the journal, one at a time, and keeps the state folded from it.

A command, the cards it drew, the events and the transfers are one entry, written in one transaction. After a crash the
state is folded again; what was not committed did not happen.
"""

import gc
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from houseway.cards import show_cards
from houseway.house import shoe as shoes
from houseway.house import snapshot as snapshots
from houseway.house.editions import content_of, folder_files
from houseway.house.settled import settled_round
from houseway.house.store import Store, Writer
from houseway.refusal import Refused
from houseway.table import Command, House, Table, handle
from houseway.table.bank import marker_seats
from houseway.table.bound import BINDING
from houseway.table.commands import CONTEXT, declared, is_recorded_when_refused
from houseway.table.engine import edition_of, is_shuffled_every_round
from houseway.table.entry import Entry, canonical
from houseway.table.events import FORM, CardWanted, Event, RoundSettled, RoundVoided, TableClosed, Voided
from houseway.table.fold import ATTEMPT, NOTES, SHOE_COMMITTED, SHOE_REVEALED, SNAPSHOT, context, fold
from houseway.table.ledger import Transfer
from houseway.table.plain import as_json
from houseway.table.state import Settled
from houseway.table.unfold import Draw

DAY_STARTS_HOUR = 6


@dataclass(frozen=True)
class Actor:
    """Who gives a command, and in which role."""

    name: str
    role: str


HOUSE = Actor("house", "supervisor")
"""What the floor does by itself."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def _plain(value: object) -> str:
    """A text that any store can hold."""
    return "".join(char for char in str(value)[:200] if char.isprintable())


def _check_words(actor: Actor, key: str) -> None:
    for what, word, longest in (("actor", actor.name, 80), ("role", actor.role, 20), ("key", key, 80)):
        if not isinstance(word, str) or len(word) > longest or not word.isprintable():
            raise Refused("bad-command", f"the {what} is not a printable text of at most {longest} characters")


def gaming_day(at: datetime) -> str:
    """The day a moment belongs to: it begins in the morning, not at midnight."""
    return (at - timedelta(hours=DAY_STARTS_HOUR)).date().isoformat()


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


class Floor:
    """The tables of a house, kept in a store. Several processes may each have one on the same store."""

    def __init__(self, store: Store, key_file: Path, clock: Callable[[], datetime] = now) -> None:
        self.store, self.clock = store, clock
        self.key = shoes.load_or_make_key(key_file)
        self.state, self.seq = snapshots.latest(store)
        self.snapshot_seq = self.seq

    def do(self, command: Command, actor: Actor, key: str = "") -> Entry:
        """Carry out a command; with an idempotency key, once, however often it is asked."""
        _check_words(actor, key)
        before = self.state, self.seq, self.snapshot_seq
        try:
            with self.store.writing() as writer:
                return self._do(writer, command, actor, key)
        except BaseException as error:
            self.state, self.seq, self.snapshot_seq = before  # whatever failed, the commit included, did not happen
            if isinstance(error, Refused) and (error.code == "role-may-not" or is_recorded_when_refused(command)):
                self._record_attempt(command, actor, error)
            raise

    def refresh(self) -> House:
        """The state now, other processes' entries included."""
        with no_garbage():
            for entry in self.store.entries(self.seq):
                self._fold(entry)
        return self.state

    def _do(self, writer: Writer, command: Command, actor: Actor, key: str) -> Entry:
        self._catch_up(writer)
        given = (CONTEXT - {"kind"}) & command.keys()
        if given:
            raise Refused("bad-command", f"{', '.join(sorted(given))} cannot be given: the floor knows")
        if key and (done := writer.entry_with_key(key)):
            if (done.actor, done.role, done.data.get("command")) != (actor.name, actor.role, dict(command)):
                raise Refused("key-reused", f"the key {key} was used for another command, or by somebody else")
            return done
        declaration = declared(command, actor.role)
        if declaration.retired:
            raise Refused("retired", f"{declaration.kind} cannot be given any more: {declaration.retired} does it")
        declaration.check(command)  # once: what is in the journal was checked
        completed = self._with_settled(self._with_edition(self._with_dice(writer, command)))
        entry = self._carry_out(writer, command, completed, actor, key, self.clock())
        if self.seq - self.snapshot_seq >= snapshots.EVERY and not any(t.spoiled for t in self.state.tables.values()):
            note, content = snapshots.taken(self.state)  # never of a table whose game may come back
            self._append(writer, SNAPSHOT, "", HOUSE, "", note, [])
            writer.put_snapshot(self.seq, content)
            self.snapshot_seq = self.seq
        return entry

    def _carry_out(self, writer: Writer, command: Command, full: Command, actor: Actor, key: str, at: datetime) -> Entry:
        completed = {**full, **context(at.isoformat(timespec="microseconds"), gaming_day(at), actor.name, actor.role, FORM)}
        drawn: list[int] = []
        effect = handle(self.state, completed, actor.role, self._draw(writer, completed, drawn))
        self.state = effect.finished()
        data = {
            "salt": secrets.token_hex(16),
            "command": dict(command),
            "dice": completed.get("dice", 0),
            "drawn": show_cards(drawn),
            "form": FORM,
            "events": [event.as_data() for event in effect.events],
            "transfers": [transfer.as_data() for transfer in effect.transfers],
        }
        if "bound" in completed:
            data["edition"] = completed["bound"]
        if "settled" in completed:
            data["settled"] = completed["settled"]
        # the salt keeps a published hash from telling, by trying, what cards an entry of a live round holds
        name = effect.table.name if effect.table else str(command.get("table", ""))
        entry = self._append(writer, str(command["kind"]), name, actor, key, data, effect.transfers, at)
        if effect.table and self._tend_shoe(writer, effect.table.name, effect.events):
            go_on = {"kind": "deal", "table": effect.table.name}  # the round goes on from the discards
            self._carry_out(writer, go_on, go_on, HOUSE, "", at)
        return entry

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
    ) -> Entry:
        at = at or self.clock()
        fields = {
            "at": at.isoformat(timespec="microseconds"),
            "day": gaming_day(at),
            "table": table,
            "actor": actor.name,
            "role": actor.role,
            "kind": kind,
            "key": key,
            "payload": canonical(data),
        }
        entry = writer.append(fields, transfers)
        self.seq = entry.seq
        return entry

    def _catch_up(self, writer: Writer) -> None:
        if writer.head[0] != self.seq:
            for entry in writer.entries(self.seq):
                self._fold(entry)

    def _fold(self, entry: Entry) -> None:
        if entry.kind == SNAPSHOT:
            self.snapshot_seq = entry.seq
        self.state = fold(self.state, entry)[0]
        self.seq = entry.seq

    def _record_attempt(self, command: Command, actor: Actor, refused: Refused) -> None:
        data = {"command": {"kind": _plain(command.get("kind"))}, "code": refused.code, "message": _plain(refused.message)}
        self.note(ATTEMPT, actor, data, _plain(command.get("table", ""))[:40])

    def note(
        self,
        kind: str,
        actor: Actor,
        data: Mapping[str, Any],
        table: str = "",
        check: Callable[[House], None] = lambda _: None,
    ) -> Entry:
        """Record what changes no table and moves no money: attempts, logins that failed, people, own editions.

        `check` may refuse it, seeing the state that no other process can change meanwhile.
        """
        assert kind in NOTES, kind
        before = self.state, self.seq, self.snapshot_seq
        try:
            with self.store.writing() as writer:
                self._catch_up(writer)
                check(self.state)
                entry = self._append(writer, kind, table, actor, "", data, [])
                self.state = fold(self.state, entry)[0]
                return entry
        except BaseException:
            self.state, self.seq, self.snapshot_seq = before
            raise

    # Virtual shoes

    def _draw(self, writer: Writer, command: Command, drawn: list[int]) -> Draw:
        """The next card of the table's shoe, unsealed when the first is asked for."""
        table = self.state.tables.get(str(command.get("table", "")))
        order: list[int] = []

        def draw() -> int | None:
            if table is None or table.shoe is None:
                return None
            if not order:
                order.extend(self._unseal(writer, table.shoe.id).order[table.shoe.used :])
            if len(drawn) == len(order):
                return None
            drawn.append(order[len(drawn)])
            return drawn[-1]

        return draw

    def _unseal(self, writer: Writer, shoe: str) -> shoes.Revealed:
        content = writer.sealed(shoe)
        if content is None:
            raise Refused("seal-missing", f"the order of shoe {shoe} is not in this store: void the round")
        revealed = shoes.unseal(self.key, content)
        if revealed.note != shoe:
            raise Refused("seal-broken", f"what is sealed as shoe {shoe} is another one")
        return revealed

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
        id_, fixed = f"{table.shoe.id}:dice", edition_of(table).game.dealing.dice_sides
        if not fixed and writer.sealed(id_) is None:  # a shoe of before markers were committed to
            return {**command, "dice": shoes.throw(sides)}
        numbers = self._unseal(writer, id_).order
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

    def _tend_shoe(self, writer: Writer, name: str, events: list[Event]) -> bool:
        """Reveal a shoe that is done and commit to the next before anybody can bet on it; whether a round now goes on.

        BJ-9: if the shoe runs out in a round, the discards are shuffled in.
        """
        table = self.state.tables[name]
        if table.source != "virtual-shoe":
            return False
        ends = [event for event in events if isinstance(event, RoundSettled | RoundVoided)]
        for done in [event.shoe_done for event in ends if event.shoe_done]:
            self._reveal(writer, name, done)
        kinds = {event.kind for event in events}
        if ends or TableClosed.kind in kinds:
            for done in table.run_out:  # not before the round is over: its cards are still face down
                self._reveal(writer, name, done)
        if table.shoe and (not table.is_open or (Voided.kind in kinds and self._is_lost(writer, table.shoe.id))):
            self._reveal(writer, name, table.shoe.id)
        table = self.state.tables[name]
        ran_out = CardWanted.kind in kinds and bool(table.discards)
        if table.is_open and (table.shoe is None or ran_out):
            self._commit(writer, table, table.discards if ran_out else ())
        return ran_out

    def _is_lost(self, writer: Writer, shoe: str) -> bool:
        try:
            self._unseal(writer, shoe)
        except Refused:
            return True
        return False

    def _commit(self, writer: Writer, table: Table, discards: tuple[int, ...]) -> None:
        edition = edition_of(table)
        full = [card for card, copies in enumerate(edition.game.shoe(table.settings)) for _ in range(copies)]
        cards = list(discards) or full
        whole = is_shuffled_every_round(table) or bool(discards)
        burn, cut = (0, len(cards)) if whole else (1, len(cards) * table.cut_percent // 100)
        id_ = f"{table.name}-{table.shoes_made + 1}-{secrets.token_hex(4)}"
        commitment, revealed = shoes.commit(shoes.shuffled(cards), burned=burn, note=id_)
        writer.put_sealed(id_, shoes.seal(self.key, revealed))
        data: dict[str, Any] = {"shoe": id_, "commitment": commitment.digest, "size": len(cards), "burned": burn, "cut": cut}
        data |= {"discards": True} if discards else {"decks": len(cards) // 52, "jokers": len(cards) % 52}
        if sides := self._sides(table):
            throws = 1 if is_shuffled_every_round(table) else len(cards)  # one a hand, and a hand takes a card at least
            numbers = [shoes.throw(sides) for _ in range(throws)]
            thrown, dice = shoes.commit(numbers, kind="dice", note=f"{id_}:dice")
            writer.put_sealed(f"{id_}:dice", shoes.seal(self.key, dice))
            data["dice_commitment"] = thrown.digest
        entry = self._append(writer, SHOE_COMMITTED, table.name, HOUSE, "", data, [])
        self.state = fold(self.state, entry)[0]

    def _reveal(self, writer: Writer, name: str, id_: str) -> None:
        """Publish the order of a shoe that is done; if its key is lost, say so."""
        data: dict[str, Any] = {"shoe": id_}
        try:
            revealed = self._unseal(writer, id_)
            data |= {"salt": revealed.salt, "order": show_cards(revealed.order)}
            if writer.sealed(f"{id_}:dice"):
                dice = self._unseal(writer, f"{id_}:dice")
                data |= {"dice_salt": dice.salt, "dice": list(dice.order)}
        except Refused as refused:
            data = {"shoe": id_, "lost": refused.message}
        entry = self._append(writer, SHOE_REVEALED, name, HOUSE, "", data, [])
        self.state = fold(self.state, entry)[0]
