"""The audit of pieces and slips: no chip comes or goes by itself, no number is missing, and nobody signed for two.

It reads what entries tell, and keeps its own account of pieces and of slips beside the one that folding keeps.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from houseway.house.audit import AuditWalk, Check, Flaw
from houseway.table.duties import is_among
from houseway.table.entry import Entry
from houseway.table.event import STRICT_SLIPS
from houseway.table.ledger import DIFFERENCE, transit
from houseway.table.pieces import COIN, NONE, RULE, account_of, holds_chips
from houseway.table.slips import BACK, INVENTORY, ROWS

TRANSIT = transit("")
BRING_CHIPS = frozenset({"chips-in", "chips-out"})
Event = Mapping[str, Any]


class PiecesAndSlips(Check):
    """Chips are conserved and worth what accounts hold; slips are numbered without gaps and signed by different people."""

    def __init__(self) -> None:
        self._has_chips = False
        self._pieces: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._last: Counter[str] = Counter()
        self._open: dict[str, list[tuple[str, str]]] = {}
        self._signers: dict[str, dict[str, str]] = {}
        self._sent: set[str] = set()
        self._void: list[str] = []
        self._blind: set[str] = set()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What moved, and what was signed."""
        if entry.is_sealed:
            self._blind.add(entry.table)
            return ()
        events = entry.data.get("events", ())
        if not events or not (self._has_chips or entry.kind == "house-rule"):
            return ()
        return [Flaw(entry.seq, problem) for event in events for problem in self._problems(walk, entry, event)]

    def _problems(self, walk: AuditWalk, entry: Entry, event: Event) -> Iterator[str]:
        kind = event["event"]
        if kind == "house-rule-set" and event["rule"] == RULE:
            self._begin(walk, event)
        elif kind == "chips-moved":
            for move in event["moves"]:
                yield from self._moved(entry, move)
        elif kind == "slip-opened":
            yield from self._opened(event["slip"], entry)
        elif kind in {"slip-signed", "count-taken", "counts-differ"}:
            yield from self._signed(walk, event, entry)
        elif kind in {"slip-done", "slip-voided"}:
            yield from self._finished(event, entry)

    def _begin(self, walk: AuditWalk, event: Event) -> None:
        self._has_chips = event["value"] != NONE
        if event["before"] == NONE:
            held = ((account, cents) for account, cents in walk.state.balances.items() if cents and holds_chips(account))
            self._pieces = defaultdict(Counter, {account: Counter({COIN: cents}) for account, cents in held})

    def _moved(self, entry: Entry, move: Event) -> Iterator[str]:
        source, target = str(move["source"]), str(move["target"])
        pieces = {int(value): int(count) for value, count in move["pieces"].items()}
        leaves = not (holds_chips(source) and holds_chips(target))
        if leaves and entry.kind not in BRING_CHIPS and any(value != COIN for value in pieces):
            yield f"chips come from {source} or go to {target} without chips-in or chips-out"
        if target.startswith(TRANSIT):
            self._sent.add(target.removeprefix(TRANSIT))
        for place, sign in ((source, -1), (target, 1)):
            if holds_chips(place):
                for value, count in pieces.items():
                    self._pieces[place][value] += sign * count
        may_owe = self._blind or not holds_chips(source) or source.startswith(DIFFERENCE)
        for value in () if may_owe else pieces:
            if self._pieces[source][value] < 0:
                yield f"{source} gives pieces of {value} cents that it has not"

    def _opened(self, slip: str, entry: Entry) -> Iterator[str]:
        kind, _, number = slip.rpartition("-")
        if int(number) != self._last[kind] + 1:
            yield f"{slip} follows {kind}-{self._last[kind]}: numbers are missing, or were used twice"
        self._last[kind] = int(number)
        self._open[slip] = []
        if (row := ROWS.get(kind, ())) and entry.kind in {"request-fill", "request-credit", "pull-box"}:
            self._open[slip].append((row[0].part, entry.actor))

    def _signed(self, walk: AuditWalk, event: Event, entry: Entry) -> Iterator[str]:
        slip = str(event["slip"])
        kind, signed = slip.rpartition("-")[0], self._open.get(slip)
        if signed is None:
            yield f"{slip} is signed, and is not open"
            return
        if event["event"] == "counts-differ":
            self._open[slip] = [] if kind == INVENTORY else [each for each in signed if each[0] not in COUNTING]
            return
        if event["signer"] != entry.actor:
            yield f"{slip} is signed in the name of {event['signer']} by {entry.actor}"
        step = next((each for each in (*ROWS[kind], *BACK.get(kind, ())) if each.id == event.get("step")), None)
        self._signers.setdefault(slip, {})[str(event.get("step", ""))] = entry.actor
        part = step.part if step else f"count {len(signed)}"
        if step and entry.role not in step.roles:
            yield f"{slip} is signed at {step.id} by {entry.actor}, {entry.role} (may: {', '.join(step.roles)})"
        table, is_strict = walk.state.tables.get(str(event["table"])), entry.data.get("form", 0) >= STRICT_SLIPS
        deals = entry.role == "dealer" or (table is not None and table.dealer == entry.actor)
        if part == "dealer" and is_strict and not deals:
            yield f"{slip} is signed for the dealer by {entry.actor}, {entry.role}, who does not deal there"
        for other, name in signed:
            if part and other and part != other and is_among(entry.actor, {name}):
                yield f"{entry.actor} signed {slip} for two: {other} and {part}"
        signed.append((part, entry.actor))

    def _finished(self, event: Event, entry: Entry) -> Iterator[str]:
        slip = str(event["slip"])
        signed = self._open.pop(slip, None)
        if signed is None:
            yield f"{slip} is finished or voided, and was not open"
        elif event["event"] == "slip-voided":
            self._void.append(slip)
            yield from self._voided(slip, entry)
        elif len(signed) != len(ROWS[slip.rpartition("-")[0]]):
            yield f"{slip} is finished with {len(signed)} signatures"

    def _voided(self, slip: str, entry: Entry) -> Iterator[str]:
        """Chips that were under way are in the books again only when two have signed for their way back."""
        if slip not in self._sent or entry.data.get("form", 0) < STRICT_SLIPS:
            return
        names = [self._signers.get(slip, {}).get(step.id, "") for step in BACK[slip.rpartition("-")[0]]]
        if not all(names) or is_among(names[0], names[1:]):
            yield f"{slip} is void, and nobody, or one alone, signed that its chips came back"

    def end(self, walk: AuditWalk) -> Iterable[Flaw]:
        """What the pieces come to, against the accounts."""
        if not self._has_chips or self._blind:
            return
        worth: Counter[str] = Counter()
        for place, pieces in self._pieces.items():
            worth[account_of(place)] += sum(value * count for value, count in pieces.items())
        for account in sorted({*worth, *(name for name in walk.state.balances if holds_chips(name))}):
            if worth[account] != walk.state.balance(account):
                cents = walk.state.balance(account)
                yield Flaw(walk.previous[0], f"{account} holds {cents} cents, and its pieces come to {worth[account]}")

    def notices(self) -> tuple[str, ...]:
        """Slips that are not finished, and numbers that are void."""
        waiting = (f"Slips that are not finished: {', '.join(self._open)}.",) if self._open else ()
        return (*waiting, *((f"Slips that are void: {', '.join(self._void)}.",) if self._void else ()))


COUNTING = frozenset({"first", "second", "cashier"})
"""The parts of a box's slip that count, and count again if they differ."""
