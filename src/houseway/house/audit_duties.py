"""The audit of duties: every act beyond its duty has two different people, nobody judged his own round, dealers were on tables.

It reads the entries themselves, and keeps its own account of requests, of who worked on which round and of who was on which
table, beside the one that folding keeps.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.refusal import Refused
from houseway.table import duties
from houseway.table.commands import COMMANDS
from houseway.table.duties import (
    DUTIES,
    OF_ROUND,
    OF_TAPE,
    ONE_NAME,
    THE_HOUSE,
    WORKING,
    Duty,
    is_among,
)
from houseway.table.entry import Entry
from houseway.table.event import STRICT_DUTIES, WITH_SENTENCES
from houseway.table.fold import ACCOUNTS, REQUESTED, SHOE_COMMITTED, context
from houseway.table.state import House

Json = Mapping[str, Any]
Felt = tuple[int, str]
"""A round's number, and the digest of its stakes and cards."""


class SecondPersons(Check):
    """Nobody alone, by the table of duties."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[Entry, str, Felt]] = {}
        self._confirmed: dict[int, Entry] = {}
        self._done: set[int] = set()
        self._on_table: dict[str, str] = {}
        self._hands: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        self._reshuffled: set[str] = set()
        self._one_name: list[tuple[int, int]] = []
        self._day = ""

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What was done here, and by whom."""
        if entry.kind == SHOE_COMMITTED:
            self._reshuffled = (
                {*self._reshuffled, entry.table} if entry.data.get("discards") else self._reshuffled - {entry.table}
            )
        command = entry.data.get("command")
        is_note = entry.kind in DUTIES and entry.kind not in COMMANDS
        if not is_note and (not isinstance(command, dict) or ("drawn" not in entry.data and entry.kind != REQUESTED)):
            return ()
        if entry.day != self._day:
            self._day, self._hands = entry.day, defaultdict(set)
        if walk.state.duties is not None and not duties.are_two(walk.state):  # a house of one name: there is little to see
            self._note_one_name(walk.state, entry)
            self._follow(walk.state, entry)
            return ()
        return self._of_two(walk, entry, command, is_note)

    def _of_two(self, walk: AuditWalk, entry: Entry, command: Json | None, is_note: bool) -> Iterator[Flaw]:
        full = self._in_context(entry, {"kind": entry.kind, "noted": entry.data} if is_note else dict(command or {}))
        state = walk.state if is_note and "begins" not in entry.data else duties.begun(walk.state, full)
        if not duties.are_two(state):
            self._note_one_name(walk.state if is_note else state, entry)
            self._follow(walk.state, entry)
            return
        if entry.kind == REQUESTED:
            event = entry.data["events"][0]
            self._asked[event["request"]] = entry, event["until"], _felt(walk.state, entry)
            return
        yield from self._first_person(walk.state, entry, full)
        yield from self._second_person(state, entry, full, is_note)
        self._follow(walk.state, entry)

    @staticmethod
    def _in_context(entry: Entry, command: Json) -> dict[str, Any]:
        form = entry.data.get("form", WITH_SENTENCES)
        begins = {"begins": entry.data["begins"]} if "begins" in entry.data else {}
        return {**command, **context(entry.at, entry.day, entry.actor, entry.role, form), **begins}

    def _note_one_name(self, state: House, entry: Entry) -> None:
        if state.duties is None:
            return
        if self._one_name and self._one_name[-1][1] == -1:
            return
        self._one_name.append((entry.seq, -1))

    def _follow(self, state: House, entry: Entry) -> None:
        """Who is on which table, and who had a hand in which round."""
        if entry.kind in WORKING:
            if entry.role != "guest" and entry.actor != THE_HOUSE:
                self._hands[entry.table, _round(state, entry)].add(entry.actor)
        elif entry.kind in {"sign-on", "sign-off", "close", "open"}:
            self._on_table[entry.table] = entry.actor if entry.kind == "sign-on" else ""
        elif entry.kind == "confirm":
            self._confirmed[entry.data["command"]["request"]] = entry
        elif entry.kind == "duties" and entry.data["command"].get("names") == duties.TWO and self._one_name:
            first, last = self._one_name[-1]
            self._one_name[-1] = first, entry.seq if last == -1 else last

    def _first_person(self, state: House, entry: Entry, full: Json) -> Iterator[Flaw]:
        number = _round(state, entry)
        judges = entry.kind in {"acknowledge", "void"} or (entry.kind == "correct" and full.get("void"))
        if judges and is_among(entry.actor, self._hands.get((entry.table, number), ())):
            yield Flaw(entry.seq, f"{entry.actor} had a hand in round {number} of {entry.table}, and gave {entry.kind} for it")
        if duties.is_dealers(full):
            goes_on = entry.actor == THE_HOUSE and entry.kind == "deal" and entry.table in self._reshuffled
            on_table = self._on_table.get(entry.table, "")
            if on_table != entry.actor and not goes_on:
                who = f"{on_table} was" if on_table else "nobody was"
                yield Flaw(entry.seq, f"{entry.actor} gave {entry.kind} at {entry.table} without being on it ({who})")

    def _second_person(self, state: House, entry: Entry, full: Json, is_note: bool) -> Iterable[Flaw]:
        need = duties.needs(state, full, 0 if is_note else _at_stake(state, full))
        second = entry.data.get("second")
        if entry.kind in ACCOUNTS and "shell" in entry.data:
            return []  # on the house's own machine, recorded as such
        if second is None:
            return [Flaw(entry.seq, f"{entry.kind} needs a second person, and {entry.actor} did it alone")] if need else []
        duty = DUTIES.get(entry.kind)
        if not isinstance(second, dict) or duty is None:
            return [Flaw(entry.seq, "what it says of a second person cannot be read")]
        return [Flaw(entry.seq, problem) for problem in self._problems(state, entry, duty, second, is_note)]

    def _problems(self, state: House, entry: Entry, duty: Duty, second: Json, is_note: bool) -> Iterator[str]:
        number, name, role = second.get("request"), str(second.get("confirmed_by")), second.get("role")
        if number not in self._asked:
            yield f"it is said to be request {number}, which nobody asked for"
            return
        asked, until, felt = self._asked[number]
        if number in self._done:
            yield f"request {number} was carried out before"
        self._done.add(number)
        if (asked.actor, asked.role) != (entry.actor, entry.role) or second.get("asked_by") != entry.actor:
            yield f"request {number} was {asked.actor}'s, and it is done in the name of {entry.actor}"
        wanted = asked.data["command"]
        if is_note and not (wanted["kind"] == entry.kind and wanted["noted"].items() <= entry.data.items()):
            yield f"request {number} was for something else"
        if not is_note and wanted != entry.data["command"]:
            yield f"request {number} was for something else"
        if asked.data.get("form", 0) >= STRICT_DUTIES and entry.kind in OF_ROUND:
            yield from _of_another_round(number, entry.kind, felt, _felt(state, entry))
        if is_note and number in self._confirmed and self._confirmed[number].actor != name:
            yield f"request {number} was confirmed by {self._confirmed[number].actor}, not by {name}"
        if is_note and number not in self._confirmed:
            yield f"request {number} was never confirmed"
        if entry.at > until:
            yield f"request {number} had lapsed"
        if is_among(name, {entry.actor, THE_HOUSE}):
            yield f"{name} confirmed what he asked for himself"
        if role not in duty.second:
            yield f"{name} confirmed it as {role} (may: {', '.join(duty.second)})"
        if duty.independent and is_among(name, self._hands.get((entry.table, _round(state, entry)), ())):
            yield f"{name} had a hand in the round, and confirmed {entry.kind} for it"

    def notices(self) -> tuple[str, ...]:
        """That one name does everything, or did for a time."""
        spans = [f"Entries {first} to {last}" for first, last in self._one_name if last != -1]
        past = [f"{span} were made while the house worked with one name." for span in spans]
        return (*past, *([ONE_NAME] if any(last == -1 for _, last in self._one_name) else []))


def _felt(state: House, entry: Entry) -> Felt:
    """The round in play at the table of an entry, and what lies there."""
    table = state.tables.get(entry.table)
    return (table.round.number, duties.tape_digest(table.round)) if table else (0, "")


def _of_another_round(number: int, act: str, asked: Felt, done: Felt) -> Iterator[str]:
    if asked[0] != done[0]:
        yield f"request {number} was for round {asked[0]}, and it was done in round {done[0]}"
    elif act in OF_TAPE and asked != done:
        yield f"request {number} was for other cards or stakes"


def _round(state: House, entry: Entry) -> int:
    """The round that an entry is about."""
    if entry.kind == "correct":
        return int(entry.data["command"]["round"])
    table = state.tables.get(entry.table)
    return table.round.number if table else 0


def _at_stake(state: House, command: Json) -> int:
    """How many cents a command is about; of a table that cannot be read, what the command itself says."""
    try:
        return COMMANDS[command["kind"]].at_stake(state, command)
    except (Refused, KeyError):
        return int(command.get("cents", 0))
