"""The audit: a list of checks over the chain, every transfer, and every round settled anew; each reports every flaw."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

from houseway.cards import read_cards
from houseway.house import audit_store
from houseway.house import shoe as shoes
from houseway.house.editions import digests
from houseway.house.floor import no_garbage
from houseway.house.heads import NONE_COMPARED, SignedHead
from houseway.house.sealing import JournalReader, Sealing
from houseway.house.settled import as_corrected
from houseway.house.snapshot import is_of
from houseway.house.start import unopened
from houseway.house.store import DAMAGED, Head, Store
from houseway.refusal import Refused
from houseway.table import House, ledger
from houseway.table.bound import BINDING, as_assumed, read_document
from houseway.table.entry import GENESIS, Entry
from houseway.table.event import same_events
from houseway.table.fold import NOTES, SHOE_COMMITTED, SHOE_REVEALED, SNAPSHOT, as_recorded, check_form, moved, replay
from houseway.table.ledger import Transfer
from houseway.table.plain import as_json
from houseway.table.play import settled_as
from houseway.table.state import Bound, Settled, Table, changed


@dataclass(frozen=True)
class Flaw:
    """Something that does not hold, and the entry it was found at: 0 for the store as a whole."""

    seq: int
    what: str

    def __str__(self) -> str:
        return f"entry {self.seq}: {self.what}" if self.seq else self.what


@dataclass(frozen=True)
class PlayedUnder:
    """How many rounds were settled under which digests; `differs` names those that are not the code's at hand."""

    edition: str
    rules: str
    behaviour: str
    release: str
    system: str
    origin: str
    rounds: int
    differs: tuple[str, ...]
    same_as_now: bool

    def __str__(self) -> str:
        now_is = "the code at hand is the same" if self.same_as_now else f"the code at hand has other {_and(self.differs)}"
        rounds = f"{self.rounds:,} round{'s' if self.rounds != 1 else ''}"
        return f"{rounds} of {self.edition} under rules {self.rules[:12] or 'unknown'}, release {self.release}: {now_is}"


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)


@dataclass(frozen=True)
class Report:
    """What an audit found: how much was checked, every flaw in the order of the chain, and what the rounds were played under.

    `flaw` is the first of the `flaws`. `left_out` counts, by table, the entries after one that could not be replayed: they
    are taken as recorded until the table is opened anew, and every other check goes on. `assumptions` are what had to be
    taken for granted of tables that 0.1 opened. `sealed` counts, by table, the entries of its present round whose cards are
    sealed with a key that this audit did not have; `sealed_snapshots` are those that could not be compared without it.
    `heads_compared` is with how many heads from outside the chain was compared. `notices` are what is no flaw, and somebody
    should know.
    """

    entries: int
    transfers: int
    head: Head
    flaw: Flaw | None
    flaws: tuple[Flaw, ...] = ()
    played_under: tuple[PlayedUnder, ...] = ()
    assumptions: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    sealed: Mapping[str, int] = field(default_factory=dict)
    sealed_snapshots: int = 0
    heads_compared: int = 0
    notices: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What this audit could not see, and with how many heads from outside it compared the chain."""
        heads = f"compared with {_count(self.heads_compared, 'head')} from outside" if self.heads_compared else NONE_COMPARED
        sealed = (
            f"{name}: the cards of its present round are sealed ({_count(count, 'entry', 'entries')}); their money was checked"
            for name, count in self.sealed.items()
        )
        snapshots = _count(self.sealed_snapshots, "snapshot")
        return (heads, *sealed, *([f"{snapshots} not compared: sealed, and no key was given"] if self.sealed_snapshots else []))


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}"


@dataclass
class AuditWalk:
    """An audit on its way along the chain, as its checks see it.

    `previous` is the entry before this one, `state` what the journal comes to before it (and, once it was replayed, after).
    """

    store: Store
    public_keys: tuple[str, ...]
    head: Head
    previous: Head = (0, GENESIS)
    state: House = field(default_factory=House)
    entries: int = 0
    transfers: int = 0
    sealing: Sealing | None = None
    sealed: Counter[str] = field(default_factory=Counter)
    sealed_snapshots: int = 0
    wrong_openings: Mapping[int, int] = field(default_factory=dict)
    heads_compared: int = 0


class Check:
    """One thing that must hold; it yields every flaw: before the walk, at the entries of its `kinds`, and after it.

    One that names no kinds looks at every entry.
    """

    kinds: Collection[str] = ()

    def begin(self, walk: AuditWalk) -> Iterable[Flaw]:
        """What can be said before any entry is read."""
        return ()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What does not hold at an entry."""
        return ()

    def end(self, walk: AuditWalk) -> Iterable[Flaw]:
        """What does not hold of the whole."""
        return ()


class ExportedHeads(Check):
    """Every head that left the house is genuine, and the entry it was signed for is in the chain."""

    def __init__(self, heads: Sequence[SignedHead]) -> None:
        self._by_entry: dict[int, list[SignedHead]] = {}
        for head in sorted(set(heads), key=lambda head: (head.seq, head.at)):
            self._by_entry.setdefault(head.seq, []).append(head)
        self._proved = 0

    def begin(self, walk: AuditWalk) -> Iterator[Flaw]:
        """The signatures, and whose they are."""
        for head in (head for heads in self._by_entry.values() for head in heads):
            if not head.is_genuine():
                yield Flaw(head.seq, "the exported head's signature is not genuine")
            if walk.public_keys and head.public_key not in walk.public_keys:
                yield Flaw(head.seq, "the exported head was signed with another key")

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """The entries that they saw."""
        return self._compared(walk, entry, self._by_entry[entry.seq]) if entry.seq in self._by_entry else ()

    def _compared(self, walk: AuditWalk, entry: Entry, heads: list[SignedHead]) -> Iterator[Flaw]:
        walk.heads_compared += len(heads)
        if other := next((head for head in heads if head.hash != entry.hash), None):
            since = f"entries up to {self._proved} are as they were" if self._proved else "no head proves an entry before it"
            what = f"it is not the entry that the exported head was signed for ({other.at}): the chain was rewritten; {since}"
            yield Flaw(entry.seq, what)
        else:
            self._proved = entry.seq

    def end(self, walk: AuditWalk) -> Iterator[Flaw]:
        """The chain has not become shorter than it was when a head left the house."""
        beyond = [seq for seq in self._by_entry if seq > walk.previous[0]]
        walk.heads_compared += sum(len(self._by_entry[seq]) for seq in beyond)
        if beyond:
            missing = walk.previous[0] + 1
            yield Flaw(missing, f"it is missing: the chain ends before the exported head {max(beyond)}, the tail was cut")


class Chain(Check):
    """Every entry is the unaltered successor of the one before."""

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Its number, the hash before it, and its own."""
        if entry.holds(walk.previous):
            return ()
        return (Flaw(entry.seq, "its hash does not hold: it, or the one before, was altered, added or removed"),)


class StoredMoney(Check):
    """The store moved the money that each entry says, and no other."""

    def __init__(self) -> None:
        self._stored: Generator[Sequence[Any], None, None] | None = None
        self._next: Sequence[Any] | None = None

    def begin(self, walk: AuditWalk) -> Iterable[Flaw]:
        """Begin to read what is stored."""
        self._stored = walk.store.transfer_rows(walk.head[0])
        self._next = self._following()
        return ()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What is stored for this entry is what it says."""
        recorded, row = entry.data.get("transfers", []), self._next
        walk.transfers += len(recorded)
        if not recorded and (row is None or row[0] > entry.seq):
            return ()
        return self._compared(entry, recorded)

    def _compared(self, entry: Entry, recorded: list[Any]) -> Iterator[Flaw]:
        stored, row = [], self._next
        while row is not None and row[0] <= entry.seq:
            if row[0] == entry.seq:
                stored.append(list(row[1:]))
            else:
                yield _unfounded(row)
            self._next = row = self._following()
        if stored == recorded:
            return
        for ours, theirs in zip_longest(recorded, stored):
            if ours != theirs:
                yield Flaw(entry.seq, f"a stored transfer differs: {_money(theirs)} instead of {_money(ours)}")

    def end(self, walk: AuditWalk) -> Iterator[Flaw]:
        """Nothing is stored beyond the last entry."""
        while self._next is not None:
            yield _unfounded(self._next)
            self._next = self._following()

    def _following(self) -> Sequence[Any] | None:
        return next(self._stored, None) if self._stored else None

    def close(self) -> None:
        """Stop reading: the walk may have ended before the stored money did."""
        if self._stored:
            self._stored.close()


def _unfounded(row: Sequence[Any]) -> Flaw:
    return Flaw(row[0], f"a transfer that no entry has: {_money(row[1:])}")


def _money(transfer: Sequence[Any] | None) -> str:
    """A transfer as it is stored or recorded, in words."""
    return str(Transfer.from_data(list(transfer))) if transfer else "nothing"


class Snapshots(Check):
    """A snapshot that the chain vouches for is the state of its moment."""

    kinds = (SNAPSHOT,)

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Compared with what was folded here, unless a table could not be."""
        if any(table.spoiled for table in walk.state.tables.values()):
            return ()
        same = is_of(walk.state, entry, walk.sealing)
        walk.sealed_snapshots += same is None and "seal" in entry.data
        if same is not False:
            return ()
        return (Flaw(entry.seq, "it vouches for a snapshot that is not the state of its moment"),)


class Bindings(Check):
    """A table plays the edition that it names, and of an own edition the content that was registered."""

    kinds = ("settle", *BINDING)

    def __init__(self) -> None:
        self.assumptions: dict[str, None] = {}
        self._rounds: Counter[tuple[str, Bound]] = Counter()
        self._documents: dict[tuple[str, Bound], str] = {}

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """What a table is bound to when it opens, and under what its rounds are settled."""
        if entry.kind == "settle" and (table := walk.state.tables.get(entry.table)) is not None:
            self._rounds[table.edition, table.bound] += 1
            self._documents[table.edition, table.bound] = table.document
        return self._bound(walk, entry) if entry.kind in BINDING else ()

    def _bound(self, walk: AuditWalk, entry: Entry) -> Iterator[Flaw]:
        """Whether a table that opens is bound to what it names."""
        if "edition" not in entry.data:
            event = entry.data["events"][0]
            name = entry.table or event["board"]
            self.assumptions[f"{name}: {as_assumed(event['edition'], event.get('digest', ''))}"] = None
            return
        content, named = entry.data["edition"], entry.data["command"]["edition"]
        if json.loads(content["document"])["id"] != named:
            yield Flaw(entry.seq, f"it names edition {named} and is bound to the content of another")
        elif content["origin"] == "registered" and walk.state.editions.get(named) != content["document"]:
            yield Flaw(entry.seq, f"the content it is bound to is not the one that was registered as {named}")

    def played_under(self) -> tuple[PlayedUnder, ...]:
        """The digests of all rounds, each beside those of the code at hand."""
        listed = []
        for (edition, bound), rounds in self._rounds.items():
            differs = _differing(self._documents[edition, bound], bound)
            listed.append(PlayedUnder(edition, **asdict(bound), rounds=rounds, differs=differs, same_as_now=not differs))
        return tuple(listed)


def _differing(document: str, bound: Bound) -> tuple[str, ...]:
    """Which of the digests under which a table was opened are not those of the code at hand."""
    try:
        here = digests(read_document(document))
    except Refused:
        return ("rules",)  # they are not here at all
    then = asdict(bound)
    return tuple(name for name in ("rules", "behaviour", "system") if then[name] and then[name] != here[name])


class Replay(Check):
    """The command, given again to the rulebook, does what the entry says.

    What cannot be replayed is taken as recorded; its table is left out from there, until it is opened anew.
    """

    def __init__(self) -> None:
        self.left_out: Counter[str] = Counter()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Fold the entry, and compare its events and every cent."""
        before, table = walk.state, walk.state.tables.get(entry.table)
        if entry.is_sealed:  # whoever has no key goes on from the money, which is not sealed
            walk.sealed[entry.table] += 1
            walk.state = replay(before, entry)[0]
            return ()
        if table is not None and table.spoiled and entry.kind not in NOTES and entry.kind != "open":
            self.left_out[entry.table] += 1
            walk.state = _taken_as_recorded(before, entry, table.spoiled)
            return ()
        try:
            check_form(entry)
            walk.state, events, transfers = replay(before, entry)
            recorded, anew = entry.data.get("transfers", []), [transfer.as_data() for transfer in transfers]
            agrees = "events" not in entry.data or same_events(entry.data, events)
        except Exception as error:
            walk.state = _taken_as_recorded(before, entry, f"entry {entry.seq} cannot be replayed")
            return (Flaw(entry.seq, f"it cannot be replayed: {_in_a_line(error)}"),)
        if agrees and (anew == recorded or "events" not in entry.data):
            return ()
        return self._differing(walk, entry, before, anew)

    @staticmethod
    def _differing(walk: AuditWalk, entry: Entry, before: House, anew: list[Any]) -> Iterator[Flaw]:
        recorded = entry.data.get("transfers", [])
        for ours, theirs in zip_longest(anew, recorded):
            if ours != theirs:
                yield Flaw(entry.seq, f"settled anew it moves {_money(ours)}, and the entry says {_money(theirs)}")
        yield Flaw(entry.seq, "settled anew its events differ")
        if anew != recorded:  # the house went on from what it recorded, and so do we
            walk.state = changed(walk.state, balances=moved(before.balances, entry.transfers))


def _taken_as_recorded(state: House, entry: Entry, reason: str) -> House:
    """The state after an entry that is not replayed; of nonsense, only that its table is in doubt."""
    try:
        return as_recorded(state, entry, reason)
    except Exception:
        if entry.table not in state.tables:
            return state
        return changed(state, tables={**state.tables, entry.table: changed(state.tables[entry.table], spoiled=reason)})


class Corrections(Check):
    """A correction is of a round as it stood: as it was settled, or as the last correction left it."""

    kinds = ("settle", "correct")

    def __init__(self) -> None:
        self._day = ""
        self._to_correct: dict[str, set[int]] = {}
        self._played: dict[tuple[str, int], tuple[Table, int] | Settled] = {}

    def begin(self, walk: AuditWalk) -> Iterable[Flaw]:
        """Which rounds of a table will be corrected: only those need to be remembered."""
        for entry in walk.store.entries_of_kinds(("correct",)):
            with suppress(ValueError, LookupError, TypeError):  # what no floor has written is found by the replay
                self._to_correct.setdefault(entry.table, set()).add(entry.data["command"]["round"])
        return ()

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Remember such rounds of the day, each as its table was before the settlement, and compare what is corrected."""
        if entry.table not in self._to_correct:
            return ()
        if entry.day != self._day:
            self._day, self._played = entry.day, {}
        table = walk.state.tables.get(entry.table)
        if table is None or table.spoiled:
            return ()
        if entry.kind == "correct":
            return self._corrected(entry, table)
        if table.round.number in self._to_correct[entry.table]:
            self._played[table.name, table.round.number] = table, walk.state.balance(ledger.bank(table.name))
        return ()

    def _corrected(self, entry: Entry, table: Table) -> Iterator[Flaw]:
        """Whether the round stood as the correction says, and how it stands now."""
        command = entry.data["command"]
        played = self._played.get((table.name, command["round"]))
        stood = settled_as(played[0], entry.day, played[1]) if isinstance(played, tuple) else played
        if stood is None or as_json(stood) != entry.data["settled"]:
            yield Flaw(entry.seq, f"it corrects round {command['round']} as it was never settled")
        self._played[table.name, command["round"]] = as_corrected(entry)


class Shoes(Check):
    """Every revealed shoe is the one committed to, and every card came from it in order; its dice and markers as well.

    None is left before its last card for a shoe of discards.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, int, list[str]]] = {}
        self._dice: dict[str, tuple[str, list[int]]] = {}
        self._at_table: dict[str, str] = {}
        self._seeds: dict[str, tuple[str, ...]] = {}

    def at(self, walk: AuditWalk, entry: Entry) -> Iterable[Flaw]:
        """Commitments, cards drawn, and revelations."""
        data = entry.data
        if entry.kind == SHOE_COMMITTED:
            self._open[data["shoe"]] = data["commitment"], data["burned"], []
            self._at_table[entry.table] = data["shoe"]
            if data.get("wants_seeds"):
                self._seeds[data["shoe"]] = ()
            if "dice_commitment" in data:
                self._dice[data["shoe"]] = data["dice_commitment"], []
            return self._of_discards(walk, entry) if data.get("discards") else ()
        if entry.kind == "no-more-bets" and data.get("dice") and self._at_table.get(entry.table) in self._dice:
            self._dice[self._at_table[entry.table]][1].append(data["dice"])
        for event in data.get("events", ()):
            kind = event["event"]
            if kind == "cards-drawn" and event["shoe"] in self._open:
                self._open[event["shoe"]][2].extend(event["cards"])
            elif kind == "shoe-mixed":
                self._seeds[event["shoe"]] = tuple(event["seeds"])
        return self._revealed(entry) if entry.kind == SHOE_REVEALED and "lost" not in data else ()

    @staticmethod
    def _of_discards(walk: AuditWalk, entry: Entry) -> Iterator[Flaw]:
        """BJ-9: whether the shoe had run out when its discards were shuffled; the state is the one after the entry."""
        table = walk.state.tables.get(entry.table)
        if table is None or table.spoiled:
            return
        made = f"shoe {entry.data['shoe']} was made of discards"
        if not table.run_out:
            yield Flaw(entry.seq, f"{made}, and no shoe had run out")
        elif (left := table.run_out[-1].size - table.run_out[-1].used) > 0:
            yield Flaw(entry.seq, f"{made} while shoe {table.run_out[-1].id} had {_count(left, 'card')}")

    def _revealed(self, entry: Entry) -> Iterator[Flaw]:
        """Whether a shoe that is shown is the one committed to, and was dealt in its order."""
        data = entry.data
        commitment, burned, drawn = self._open.pop(data["shoe"], ("", 0, []))
        seeds = self._seeds.pop(data["shoe"], None)
        if not shoes.opens(shoes.Commitment(commitment), read_cards(data["order"]), data["salt"], seeds):
            promised = "the one committed to" if seeds is None else "the one that follows from its seeds"
            yield Flaw(entry.seq, f"shoe {data['shoe']} is not {promised}")
        elif data["order"].split()[burned : burned + len(drawn)] != drawn:
            yield Flaw(entry.seq, f"cards of shoe {data['shoe']} were not dealt in its order")
        yield from self._dice_of(entry)

    def _dice_of(self, entry: Entry) -> Iterator[Flaw]:
        """The numbers that were committed to with a shoe."""
        data = entry.data
        commitment, thrown = self._dice.pop(data["shoe"], ("", []))
        if "dice" not in data:
            if commitment:
                yield Flaw(entry.seq, f"the dice of shoe {data['shoe']} were committed to, and never shown")
            return
        if not shoes.check(shoes.Commitment(commitment), shoes.Revealed(tuple(data["dice"]), data["dice_salt"], kind="dice")):
            yield Flaw(entry.seq, f"the dice of shoe {data['shoe']} are not those committed to")
        elif any(number != wanted for number, wanted in zip(thrown, data["dice"], strict=False)):
            yield Flaw(entry.seq, f"the dice of shoe {data['shoe']} did not fall in the order committed to")


def head_is_last(walk: AuditWalk) -> Iterator[Flaw]:
    """The head names the last entry."""
    if walk.head != walk.previous:
        yield Flaw(walk.previous[0], "the head does not match the last entry: the tail was cut")


def transfers_in_place(walk: AuditWalk) -> Iterator[Flaw]:
    """The transfers of every entry are numbered as they were stored."""
    for seq in walk.store.misplaced_transfers():
        yield Flaw(seq, "its transfers are not numbered as they were stored")


def nothing_beyond_head(walk: AuditWalk) -> Iterator[Flaw]:
    """No entry lies beyond the head."""
    named, last = walk.store.last_seq()
    if last > named:
        yield Flaw(named + 1, "it lies beyond the head of the chain: it was added, or the head was moved back")


def accounts_add_up(walk: AuditWalk) -> Iterator[Flaw]:
    """All accounts together are zero."""
    if sum(walk.state.balances.values()):
        yield Flaw(walk.previous[0], "the accounts do not add up to zero")


def store_holds(walk: AuditWalk) -> Iterator[Flaw]:
    """The store's pages and indexes are whole, and no key was given twice."""
    return (Flaw(*finding) for finding in audit_store.findings(walk.store))


def sealed_shoes_open(walk: AuditWalk) -> Iterator[Flaw]:
    """The shoes in play open to what was committed to; a key that opens none of them is another house's, and proves nothing."""
    closed, in_play = unopened(walk.store, walk.sealing, walk.state.tables.values()) if walk.sealing else ([], 0)
    for shoe in closed if len(closed) < in_play else ():
        yield Flaw(0, f"shoe {shoe}, which is in play, does not open with the house's key to what was committed to")


OF_THE_WHOLE: tuple[Callable[[AuditWalk], Iterator[Flaw]], ...] = (
    head_is_last,
    transfers_in_place,
    nothing_beyond_head,
    accounts_add_up,
    store_holds,
    sealed_shoes_open,
)
"""What is checked when the walk is over."""


class Auditor:
    """Walks the chain once, folding the state anew; every check sees every entry, whatever the others found."""

    def __init__(
        self,
        store: Store,
        head: SignedHead | None = None,
        public_key: str = "",
        sealing: Sealing | None = None,
        heads: Sequence[SignedHead] = (),
        public_keys: Sequence[str] = (),
    ) -> None:
        self.store, self.sealing = store, sealing or store.sealing
        self.heads = (*heads, *([head] if head else []))
        self.public_keys = (*public_keys, *([public_key] if public_key else []))

    def run(self) -> Report:
        """Check everything."""
        from houseway.house.audit_duties import SecondPersons  # they know what a check is from here
        from houseway.house.audit_guests import Guests
        from houseway.house.audit_seals import Seals
        from houseway.house.audit_shoes import LostShoes
        from houseway.house.audit_slips import PiecesAndSlips
        from houseway.house.audit_times import Times
        from houseway.house.audit_told import ToldMoney

        bindings, replayed, money, times, persons = Bindings(), Replay(), StoredMoney(), Times(), SecondPersons()
        slips = PiecesAndSlips()
        checks: tuple[Check, ...] = (Chain(), ExportedHeads(self.heads), Seals(), money, Snapshots(), bindings)
        checks += (ToldMoney(), Corrections(), persons, slips, replayed, Shoes(), LostShoes(), times, Guests())
        with self.store.tolerant(), no_garbage():
            # a house at work goes on writing: what comes after its head of now is for the next audit
            walk = AuditWalk(self.store, self.public_keys, (0, "missing"), sealing=self.sealing)
            flaws: list[Flaw] = []
            for part in (_walked(walk, checks), *(whole(walk) for whole in OF_THE_WHOLE)):
                try:
                    flaws.extend(part)  # what was found before anything breaks stays
                except Exception as error:  # an auditor says what he cannot read, and goes on with the rest
                    flaws.append(Flaw(walk.previous[0] + 1, _unreadable(error)))
            money.close()
        return Report(
            entries=walk.entries,
            transfers=walk.transfers,
            head=walk.previous,
            flaw=flaws[0] if flaws else None,
            flaws=tuple(dict.fromkeys(flaws)),
            played_under=bindings.played_under(),
            assumptions=tuple(bindings.assumptions),
            left_out=dict(replayed.left_out),
            sealed=dict(walk.sealed),
            sealed_snapshots=walk.sealed_snapshots,
            heads_compared=walk.heads_compared,
            notices=(*times.notices(), *persons.notices(), *slips.notices()),
        )


def _in_a_line(error: Exception) -> str:
    reason = error.message if isinstance(error, Refused) else str(error)
    return " ".join(f"{type(error).__name__} {reason}".split())[:400]


def _unreadable(error: Exception) -> str:
    reason = error.message if isinstance(error, Refused) else _in_a_line(error)
    return f"the store cannot be read from here on: {reason}"


def _walked(walk: AuditWalk, checks: Sequence[Check]) -> Iterator[Flaw]:
    walk.head = walk.store.head()
    for check in checks:
        yield from check.begin(walk)
    looking: dict[str, list[Callable[[AuditWalk, Entry], Iterable[Flaw]]]] = {}
    head = walk.head[0]  # what is written meanwhile opens nothing: of one round, some entries would be opened and others not

    def opening(table: str, after: int) -> Entry | None:
        return walk.store.next_opening(table, after, head)

    reader = JournalReader(walk.store.entries(until=head), opening, walk.sealing)
    walk.wrong_openings = reader.wrong
    for entry in reader:
        if entry.kind not in looking:
            looking[entry.kind] = [check.at for check in checks if not check.kinds or entry.kind in check.kinds]
        broke = False  # of what no floor has written, that it breaks a check is said once
        for at in looking[entry.kind]:
            try:
                for flaw in at(walk, entry):
                    if not (broke and flaw.what.startswith("it cannot be replayed")):
                        yield flaw
            except Exception as error:
                if isinstance(error, Refused) and error.code == DAMAGED:
                    raise  # there is nothing more to read
                if not broke:
                    yield Flaw(entry.seq, f"it cannot be replayed: {_in_a_line(error)}")
                broke = True
        walk.previous = entry.seq, entry.hash
        walk.entries += 1
    for check in checks:
        yield from check.end(walk)
