"""`report round`: a round that is over, with its proof: settled again from its cards, entries hashed again, the shoe opened."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from houseway.house.keys import SEALING, Key, Keyring
from houseway.house.replay import PastRounds, shoe_of_round, shoe_proof
from houseway.house.sealing import NotOpened, Sealing, open_entry
from houseway.house.settled import as_corrected
from houseway.house.standing import standing
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import AskedOfHouse
from houseway.report.document import (
    Block,
    Column,
    DataTable,
    Document,
    Heading,
    IdentityLine,
    Listing,
    Paragraph,
    ReportSection,
    Text,
)
from houseway.report.figures import count, money, utc
from houseway.report.house_kinds import Checked, HouseSource
from houseway.report.rounds_told import dealt_hands, payments_table, steps_told
from houseway.rulebook.edition import Edition
from houseway.table import Table, ledger
from houseway.table.engine import edition_of
from houseway.table.entry import FIELDS, Entry
from houseway.table.plain import as_json, from_json
from houseway.table.play import settled_as
from houseway.table.state import PaidStake, Phase, Settled, ShoeState, changed
from houseway.view.words import entry_words, wager_name

Json = dict[str, Any]
ENDS = ("settle", "void")
SHORT = 16
WITHOUT_STORE = (
    "without the house's store it is not checked that these entries are in its chain, and that there is no other of it: "
    "give --store, or compare the hashes with the house's journal"
)


# Taken from the store


def take(source: HouseSource, options: Mapping[str, str]) -> Json:
    """A round as it lies in the journal: the table just before it ended, its entries as they were written, and its shoe's."""
    store = source.store
    store.sealing = Sealing(source.keys if source.keys is not None and source.keys.has(SEALING) else _NoKeys(Path()))
    seq = _end_of(store, options["round"], options["table"])
    before, after = PastRounds(store).round(seq)
    entries, name = [entry for entry, _ in after], after[-1][0].table
    last = after[-2][1] if len(after) > 1 else before
    table, number = last.tables[name], last.tables[name].round.number
    edition_of(table)
    states = [state.tables[name] for state in (before, *(state for _, state in after)) if name in state.tables]
    shoes = [each.shoe for each in states if each.shoe is not None]
    about = store.entries_about_shoe(name, shoes[0].id) if shoes else []
    stored = store.as_stored(entries[0].seq - 1, seq)
    return {
        "seq": seq,
        "round": number,
        "table": as_json(_bare(table)),
        "bank_cents": last.balance(ledger.bank(name)),
        "entries": [_written(entry) for entry in stored if entry.seq in {each.seq for each in entries}],
        "corrections": [_written(entry) for entry in store.corrections(name, number, seq)],
        "shoe": [as_json(shoe) for shoe in shoe_of_round(shoes)] if shoes else [],
        "about_shoe": [_written(entry) for entry in about],
    }


class _NoKeys(Keyring):
    """For whoever has none: what was sealed in a round is opened by the entry that ended it."""

    def all(self, purpose: str) -> tuple[Key, ...]:
        """None at all."""
        return ()


def _end_of(store: Store, given: str, table: str) -> int:
    """The entry that ended the round."""
    if not given.isascii() or not given.isdigit() or not 0 < int(given) < 2**63:
        raise Refused("bad-option", f'round "{given[:20]}" is not possible: a number from 1 on is required')
    if not table:
        entry = store.entry(int(given))
        if entry is None or entry.kind not in ENDS:
            is_live = entry is not None and entry.table and store.ends_near(entry.table, entry.seq)[1] is None
            live = " (the round that it is of is not over)" if is_live else ""
            what = f"entry {given} does not end a round{live}" if entry else f"the journal has no entry {given}"
            raise Refused("no-such-round", f"{what}: name the entry of a settlement or a void, or a table and its round")
        return entry.seq
    ended = store.settlement(table, int(given), 2**63 - 1)
    voids = (
        entry.seq
        for entry in store.entries_of_kinds(("void",))
        if entry.table == table
        and any(e.get("event") == "round-voided" and e["round"] == int(given) for e in entry.data["events"])
    )
    seq = max(filter(None, (ended, *voids)), default=None)
    if seq is None:
        raise Refused("no-such-round", f"{table} has no round {given} that is over: settle or void it first, or name another")
    return seq


def _bare(table: Table) -> Table:
    """A table with nothing that the round does not hang on: no earlier rounds, no other money, nobody's chips."""
    return changed(
        table, history=(), action={}, action_before={}, worked=(), screens=(), racks={}, last=None, settled=(), lost_shoes=()
    )


def _written(entry: Entry) -> Json:
    return {"seq": entry.seq, **entry.fields(), "previous": entry.previous, "hash": entry.hash}


# Read again


@dataclass(frozen=True)
class TakenRound:
    """What was taken, read again: all that is printed follows from it."""

    material: Json

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries of the round; cards that were sealed while they lay face down are opened by a later one of them."""
        entries = [_read(entry) for entry in self.material["entries"]]
        openings = {seq: key for entry in entries for seq, key in entry.data.get("openings", {}).items()}
        return [_opened(entry, str(openings.get(str(entry.seq), ""))) for entry in entries]

    @cached_property
    def corrections(self) -> list[Entry]:
        """What was put right afterwards."""
        return [_read(entry) for entry in self.material["corrections"]]

    @cached_property
    def about_shoe(self) -> list[Entry]:
        """The commitment to the shoe and, if it is done, its revelation."""
        return [_read(entry) for entry in self.material["about_shoe"]]

    @cached_property
    def table(self) -> Table:
        """The table just before the round ended, by its content."""
        return from_json(Table, self.material["table"])

    @property
    def edition(self) -> Edition:
        """What was played, by its content."""
        return edition_of(self.table)

    @property
    def is_void(self) -> bool:
        """Whether all wagers went back."""
        return self.entries[-1].kind == "void"

    @cached_property
    def settled(self) -> Settled | None:
        """The round settled again from its cards, choices and bets; nothing if it was voided."""
        return None if self.is_void else settled_as(self.table, self.entries[-1].day, int(self.material["bank_cents"]))

    def corrected(self, entry: Entry) -> tuple[Settled, Settled | None]:
        """How a correction says that it left the round, and the same settled again from its cards."""
        stands = as_corrected(entry)
        if stands.is_void:
            return stands, None
        table = changed(self.table, round=changed(stands.round, phase=Phase.READY, unfolded=None))
        return stands, settled_as(table, stands.day, stands.bank_cents)

    @property
    def shoe(self) -> Json | None:
        """The proof of the shoe, if the house dealt from one."""
        if not self.material["shoe"]:
            return None
        first, last = (from_json(ShoeState, text) for text in self.material["shoe"])
        return shoe_proof(self.about_shoe, first, last)

    @property
    def paid(self) -> list[Json]:
        """The payments that the entries tell, without those that were made early and taken back."""
        paid: list[Json] = []
        for event in (event for entry in self.entries for event in entry.data.get("events", [])):
            if event["event"] == "early-reversed":
                paid = []
            if event["event"] == "paid":
                paid.append(event)
        return paid


def _read(written: Json) -> Entry:
    return Entry(
        seq=int(written["seq"]),
        previous=written["previous"],
        hash=written["hash"],
        **{name: str(written[name]) for name in FIELDS},
    )


def _opened(entry: Entry, key: str) -> Entry:
    if not entry.is_sealed:
        return entry
    try:
        return open_entry(entry, key)
    except NotOpened:
        return entry


# Checked


def alone(material: Json) -> Checked:
    """What does not hold of a round by what was taken of it."""
    taken = TakenRound(material)
    return Checked(tuple(_flaws(taken)), (WITHOUT_STORE,))


def _flaws(taken: TakenRound) -> Iterator[str]:
    for entry in (*taken.entries, *taken.corrections, *taken.about_shoe):
        if not entry.is_itself():
            yield f"entry {entry.seq}: its hash is not of what it says"
    yield from (f"entry {entry.seq}: what was sealed in it does not open" for entry in taken.entries if entry.is_sealed)
    if taken.settled is not None:
        recorded = [tuple(event.get(name, default) for name, default in PAID) for event in taken.paid]
        again = [(s.seat, s.guest, s.wager, s.spot, s.outcome, s.stake_cents, s.win_cents) for s in taken.settled.stakes]
        if sorted(recorded) != sorted(again):
            yield "settled again from its cards the round is paid otherwise than the journal says"
    for entry in taken.corrections:
        stands, again_settled = taken.corrected(entry)
        if again_settled is not None and _sums(again_settled.stakes) != _sums(stands.stakes):
            yield f"entry {entry.seq}: settled again as it corrects it the round is paid otherwise"
    if (shoe := taken.shoe) is not None and shoe["revealed"]:
        if not shoe["holds"]:
            yield "the shoe that was shown is not the one committed to"
        drawn = [card for entry in taken.entries for card in _cards(entry, shoe["id"])]
        if shoe["order"][shoe["first"] : shoe["first"] + len(drawn)] != drawn:
            yield "the cards were not dealt in the order of the shoe that was shown"


PAID = (("seat", 0), ("guest", ""), ("wager", ""), ("spot", ""), ("outcome", ""), ("stake_cents", 0), ("win_cents", 0))


def _sums(stakes: Sequence[PaidStake]) -> list[tuple[int, str, str, int, int]]:
    return sorted((stake.seat, stake.wager, stake.spot, stake.stake_cents, stake.win_cents) for stake in stakes)


def _cards(entry: Entry, shoe: str) -> list[str]:
    drawn = (event for event in entry.data.get("events", []) if event["event"] == "cards-drawn" and event["shoe"] == shoe)
    return [card for event in drawn for card in event["cards"]]


def against(source: HouseSource, material: Json, options: Mapping[str, str]) -> Checked:
    """Whether the store has these entries, just these, and in its chain; and what came after the report."""
    now = take(source, {"round": str(material["seq"]), "table": ""})
    findings = [
        f"{words} in the report is not what the store has"
        for part, words in (("entries", "an entry of the round"), ("bank_cents", "the bank"))
        if now[part] != material[part]
    ]
    if from_json(Table, now["table"]) != from_json(Table, material["table"]):  # a later release may write it otherwise
        findings.append("the table in the report is not as the store has it")
    known = material["corrections"]
    if now["corrections"][: len(known)] != known:
        findings.append("a correction in the report is not what the store has")
    remarks = [f"corrected after this report: entry {entry['seq']}" for entry in now["corrections"][len(known) :]]
    if now["about_shoe"][: len(material["about_shoe"])] != material["about_shoe"]:
        findings.append("what the report says of the shoe is not what the store has")
    if len(now["about_shoe"]) > len(material["about_shoe"]):
        remarks.append("the shoe was shown after this report: a new one proves its order as well")
    before = {entry["seq"] - 1: entry["previous"] for entry in material["entries"] if entry["seq"] > 1}
    if source.store.hashes(list(before)) != before:
        findings.append("the entries of the round are not where the store's chain has them")
    return Checked(tuple(findings), (*remarks, "compared with the house's store; `houseway audit` checks all of its chain"))


# Printed


def build(asked: AskedOfHouse) -> Document:
    """The report of a round."""
    taken = TakenRound(asked.material)
    end, table, edition = taken.entries[-1], taken.table, taken.edition
    about = [
        IdentityLine("edition", "Edition", f"{edition.name} ({edition.id})"),
        IdentityLine("settings", "Settings", ", ".join(f"{name} {_short(value)}" for name, value in table.settings.items())),
        IdentityLine("rules", "Rules", table.bound.rules or "unknown"),
        IdentityLine("behaviour", "Behaviour", table.bound.behaviour or "not pinned"),
        IdentityLine("played", "Played on", f"release {table.bound.release or 'unknown'}, edition {table.bound.origin}"),
        IdentityLine("standing", "Standing", standing(edition).short, True),
    ]
    return Document(
        kind=asked.kind,
        title=f"Round {taken.material['round']} at {table.name}",
        subtitle=f"{edition.name}, {end.day}; ended by entry {end.seq}",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(about),
        sections=[
            ReportSection("What was proved", list(_proved(taken))),
            ReportSection("Wagers", list(_wagers(taken))),
            ReportSection("Cards and steps", list(_played(taken))),
            ReportSection("Taken and paid", list(_payments(taken))),
            *([ReportSection("Corrections", list(_corrections(taken)))] if taken.corrections else []),
            ReportSection("In the journal", list(_journal(taken))),
            ReportSection("The shoe", list(_shoe(taken))),
        ],
        inputs=asked.inputs(),
    )


def _short(value: object) -> str:
    return "a file of one's own" if str(value).startswith("{") else str(value)


def _proved(taken: TakenRound) -> Iterator[Block]:
    flaws = list(_flaws(taken))
    entries = count("entries", len(taken.entries) + len(taken.corrections) + len(taken.about_shoe))
    if flaws:
        yield Paragraph(("Of ", entries, " entries and all that follows from them, this does NOT hold:"))
        yield Listing([f"{flaw[:1].upper()}{flaw[1:]}." for flaw in flaws])
        return
    points: list[Text] = [("The hashes of ", entries, " entries are of what these entries say.")]
    if taken.settled is not None:
        paid = count("payments", len(taken.settled.stakes))
        same = (
            "Settled again from its cards by the rules of its edition, all is paid as the journal says, to the cent. Stakes: "
        )
        points.append((same, paid, "."))
    else:
        points.append("The round was voided: all wagers went back.")
    if (shoe := taken.shoe) is not None:
        shown = "The shoe was shown: it is the one committed to, and the cards came in its order."
        points.append(shown if shoe["revealed"] else "The shoe is still in play: its order is shown when it is done.")
    yield Listing(points)
    yield Paragraph(
        "That these entries are in the chain of the house is proved with its store, or by heads kept elsewhere.", "note"
    )


def _wagers(taken: TakenRound) -> Iterator[Block]:
    rows: list[list[Text]] = []
    for seat, spot in sorted(taken.table.round.as_laid.items()):
        for bets, whose in ((spot.bets, ""), (spot.for_dealer, ", for the dealers")):
            for wager, cents in bets.items():
                id_ = f"bets.{seat}.{wager}{'.dealers' if whose else ''}"
                choices = ", ".join(spot.choices)
                rows.append([f"{seat}, {spot.guest}{whose}", wager_name(taken.edition, wager), choices, money(id_, cents)])
    yield DataTable((Column("Seat"), Column("Wager"), Column("Decided", wide=True), Column("Stake", "right")), rows)


def _played(taken: TakenRound) -> Iterator[Block]:
    if taken.table.round.dice:
        yield Paragraph(("The number thrown was ", count("dice", taken.table.round.dice), "."))
    if taken.is_void:
        yield Paragraph("; ".join(entry_words(taken.entries[-1], taken.edition)) + ".")
    elif not taken.table.round.result:
        yield dealt_hands(taken.table)
        yield from steps_told(taken.table)
    else:
        yield Paragraph(f"The result was keyed: {taken.table.round.result}. Its cards are not in the journal.")
        yield from steps_told(taken.table)


def _payments(taken: TakenRound) -> Iterator[Block]:
    if taken.settled is None:
        yield Paragraph("Nothing: all wagers went back.")
    else:
        yield payments_table(taken.table, taken.settled.stakes, "paid")


def _corrections(taken: TakenRound) -> Iterator[Block]:
    for place, entry in enumerate(taken.corrections, 1):
        yield Heading(f"Entry {entry.seq}, {utc(entry.at)}, by {_by(entry)}")
        yield Paragraph("; ".join(entry_words(entry, taken.edition)) + ".")
        stands, _ = taken.corrected(entry)
        if not stands.is_void:
            yield payments_table(taken.table, stands.stakes, f"corrected.{place}")


def _by(entry: Entry) -> str:
    second = entry.data.get("second", {}).get("confirmed_by", "")
    return f"{entry.actor} ({entry.role})" + (f", confirmed by {second}" if second else "")


def _journal(taken: TakenRound) -> Iterator[Block]:
    rows: list[list[Text]] = [
        [
            count(f"entry.{entry.seq}", entry.seq),
            utc(entry.at),
            _by(entry),
            "; ".join(entry_words(entry, taken.edition)),
            f"{entry.hash[:SHORT]}",
        ]
        for entry in taken.entries
    ]
    yield DataTable((Column("Entry", "right"), Column("At"), Column("By"), Column("What", wide=True), Column("Hash")), rows)
    yield Paragraph(
        f"The round ends with the hash {taken.entries[-1].hash}. All hashes in full, and what they are of, are in the data.",
        "note",
    )


def _shoe(taken: TakenRound) -> Iterator[Block]:
    shoe = taken.shoe
    if shoe is None:
        yield Paragraph("The cards were dealt by hand and keyed in: no shoe was committed to.")
        return
    yield Paragraph(f"Shoe {shoe['id']} was committed to by entry {shoe.get('committed_at', 'unknown')}: {shoe['commitment']}.")
    if not shoe["revealed"]:
        yield Paragraph(
            "It is still in play. Its order and salt are shown when it is done, and then prove that no card was changed."
        )
        return
    words = "is the one committed to" if shoe["holds"] else "is NOT the one committed to"
    yield Paragraph(f"It was shown by entry {shoe['revealed_at']}: salt {shoe['salt']}. Its order {words}.")
    first = count("shoe.first", shoe["first"] + 1)
    yield Paragraph(("The round began with its card ", first, ". In full: ", " ".join(shoe["order"])), "note")
