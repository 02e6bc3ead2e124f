"""`report slip`: a slip on paper in three copies, with its signatures; VOID on every page if it is void."""

from collections.abc import Iterator, Mapping
from typing import Any

from houseway.refusal import Refused
from houseway.report.asked_house import AskedOfHouse
from houseway.report.document import Block, Column, DataTable, Document, IdentityLine, Paragraph, ReportSection, Text
from houseway.report.figures import count, money
from houseway.report.house_kinds import Checked, HouseSource
from houseway.report.house_round import WITHOUT_STORE
from houseway.table.entry import FIELDS, Entry
from houseway.table.house_rules import OPERATOR
from houseway.table.pieces import COIN
from houseway.table.state import House
from houseway.view.slips import SLIP_KINDS, slip_told

Json = dict[str, Any]


def take(source: HouseSource, options: Mapping[str, str]) -> Json:
    """The entries of a slip as they lie in the journal; and what the house called itself when it was opened."""
    id_ = options["slip"]
    entries = [entry for entry in source.store.entries_of_kinds(SLIP_KINDS) if _is_of(entry, id_)]
    if not entries:
        raise Refused("unknown-slip", f"no slip {id_[:40]} is in this journal: name one such as fill-12")
    named = [
        event["value"]
        for entry in source.store.entries_of_kinds(("house-rule",))
        for event in entry.data["events"]
        if event["event"] == "house-rule-set" and event["rule"] == OPERATOR.name and entry.seq < entries[0].seq
    ]
    written = [{"seq": entry.seq, **entry.fields(), "previous": entry.previous, "hash": entry.hash} for entry in entries]
    return {"slip": id_, "operator": named[-1] if named else OPERATOR.usual, "entries": written}


def _is_of(entry: Entry, id_: str) -> bool:
    return any(event.get("slip") == id_ for event in entry.data.get("events", ()))


def _read(material: Json) -> list[Entry]:
    return [
        Entry(
            seq=int(written["seq"]),
            previous=str(written["previous"]),
            hash=str(written["hash"]),
            **{name: str(written[name]) for name in FIELDS},
        )
        for written in material["entries"]
    ]


def alone(material: Json) -> Checked:
    """Whether the entries are what their hashes are of."""
    flaws = (f"entry {entry.seq}: its hash is not of what it says" for entry in _read(material) if not entry.is_itself())
    return Checked(tuple(flaws), (WITHOUT_STORE,))


def against(source: HouseSource, material: Json, options: Mapping[str, str]) -> Checked:
    """Whether the store has these entries and no others of the slip before the last of them."""
    now, known = take(source, {"slip": str(material["slip"])})["entries"], material["entries"]
    findings = () if now[: len(known)] == known else ("an entry of the slip in the report is not what the store has",)
    later = tuple(f"signed or voided after this report: entry {entry['seq']}" for entry in now[len(known) :])
    return Checked(findings, (*later, "compared with the house's store; `houseway audit` checks all of its chain"))


def build(asked: AskedOfHouse) -> Document:
    """The slip in three copies, each on a page of its own."""
    material, entries = asked.material, _read(asked.material)
    told = slip_told(House(rules={OPERATOR.name: material["operator"]}), entries, str(material["slip"]))
    about = [
        IdentityLine("house", "Operator", told["operator"]),
        IdentityLine("slip", "Slip", f"{told['name']} {told['id']}, {told['status']}"),
        IdentityLine("table", "Table", told["table"]),
        IdentityLine("day", "Gaming day", told["day"]),
        IdentityLine("last", "Last entry", f"{entries[-1].seq}, hash {entries[-1].hash}"),
    ]
    name = str(told["name"])
    return Document(
        kind=asked.kind,
        title=f"{name[:1].upper()}{name[1:]} slip No. {str(told['id']).rpartition('-')[2]}",
        subtitle=f"{told['operator']}, table {told['table']}, gaming day {told['day']}",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(about),
        sections=[ReportSection(copy, list(_copy(told)), new_page=place > 0) for place, copy in enumerate(told["copies"])],
        inputs=asked.inputs(),
        mark="VOID" if told["status"] == "void" else "",
    )


def _copy(told: Json) -> Iterator[Block]:
    purpose = f", {told['purpose']}" if told["purpose"] else ""
    yield Paragraph(f"Table {told['table']}{purpose}; opened {told['at'][:10]} {told['at'][11:16]} UTC.")
    if told["status"] == "void":
        yield Paragraph(f"VOID, by {told['voided_by']}: {told['reason']}. Its number stays.", "lead")
    off = told["cents"] if told["kind"] == "error" else told.get("difference_cents", 0)
    if told["pieces"] and told["kind"] != "error":
        yield _pieces(told)
    if off:
        owner = f" {told['owner']} answers for it." if told["owner"] else ""
        yield Paragraph(("Difference to the books: ", money("difference", off), f".{owner}"))
    signed: list[list[Text]] = [
        [each["name"], each["role"], each["about"], f"{each['at'][:10]} {each['at'][11:16]} UTC", ""] for each in told["signed"]
    ]
    yield DataTable((Column("Signed by"), Column("As"), Column("What", wide=True), Column("At"), Column("Initials")), signed)
    if told["status"] == "open":
        yield Paragraph("Not finished: signatures are missing.", "note")


def _pieces(told: Json) -> DataTable:
    rows: list[list[Text]] = []
    for written, number in told["pieces"]["pieces"].items():
        value, is_coin = int(written), int(written) == COIN
        name: Text = "Coins" if is_coin else money(f"value.{value}", value)
        many: Text = "" if is_coin else count(f"pieces.{value}", number)
        rows.append([name, many, money(f"amount.{value}", value * number)])
    columns = (Column("Value", "right"), Column("Pieces", "right"), Column("Amount", "right"))
    return DataTable(columns, rows, [["Total", "", money("total", told["pieces"]["cents"])]])
