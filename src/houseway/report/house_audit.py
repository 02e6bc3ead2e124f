"""`report audit`: a period of a house: what its journal has, whether it holds, heads, findings, editions, who had duties."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from houseway.house.audit import Auditor
from houseway.house.heads import HeadSettings, SignedHead
from houseway.house.keys import SEALING
from houseway.house.past_editions import PastEditions
from houseway.house.sealing import Sealing
from houseway.house.standing import standing
from houseway.house.store import Store
from houseway.refusal import Refused
from houseway.report.asked_house import AskedOfHouse
from houseway.report.document import (
    Block,
    Column,
    DataTable,
    Document,
    IdentityLine,
    Listing,
    Paragraph,
    ReportSection,
    Text,
)
from houseway.report.figures import count, money, utc
from houseway.report.house_kinds import Checked, HouseSource
from houseway.table.bound import BINDING, read_document
from houseway.table.entry import Entry
from houseway.table.fold import bound_in
from houseway.table.roles import STAFF
from houseway.view.happened import in_public
from houseway.view.notable import NOTABLE
from houseway.view.words import event_words

Json = dict[str, Any]
NOTABLE_MOST, FLAWS_MOST = 500, 200
COUNTED = {"rounds": "settle", "voids": "void", "corrections": "correct"}
WITHOUT_STORE = (
    "without the house's store it is not checked that its journal is as the report says: sums, signatures and the standing of "
    "editions were; give --store to audit it again"
)


# Taken from the store


def take(source: HouseSource, options: Mapping[str, str]) -> Json:
    """The whole journal audited, and what it has of the period."""
    first, last = _period(options)
    return _taken(source, first, last, None)


def _period(options: Mapping[str, str]) -> tuple[str, str]:
    """The first and the last gaming day that are asked for; nothing is no bound."""
    if options["day"] and (options["from"] or options["to"]):
        raise Refused("bad-option", "a period is a day, or from one to another: give --day, or --from and --to")
    first, last = options["day"] or options["from"], options["day"] or options["to"]
    for given in filter(None, (first, last)):
        try:
            date.fromisoformat(given)
        except ValueError:
            raise Refused("bad-date", f'"{given[:20]}" is not a day (such as 2026-03-01 is required)') from None
    if first and last and first > last:
        raise Refused("bad-option", f"the period ends before it begins: {first} to {last}")
    return first, last


def _taken(source: HouseSource, first: str, last: str, until: int | None) -> Json:
    store, keys = source.store, source.keys
    sealing = Sealing(keys) if keys is not None and keys.has(SEALING) else None
    heads = HeadSettings.load(keys).read() if keys is not None else []
    in_period = _in_period(store, first, last, until)
    found = Auditor(store, sealing=sealing, heads=heads, public_keys=keys.public_keys() if keys is not None else ()).run()
    lasts = in_period["days"][-1]["last"]
    firsts = in_period["days"][0]["first"]
    return {
        "period": [first, last],
        **in_period,
        "audit": {
            "entries": found.entries,
            "transfers": found.transfers,
            "head": list(found.head),
            "flaws": [[flaw.seq, flaw.what] for flaw in found.flaws[:FLAWS_MOST]],
            "flaws_found": len(found.flaws),
            "played_under": [asdict(under) | {"differs": list(under.differs)} for under in found.played_under],
            "said": [*found.assumptions, *found.notices, *found.remarks],
        },
        "heads": [asdict(head) for head in heads if firsts <= head.seq <= lasts],
    }


def _in_period(store: Store, first: str, last: str, until: int | None) -> Json:
    """What the journal has of the period: by day, by name, and what is to be looked at."""
    days: dict[str, Json] = {}
    names: dict[tuple[str, str], Counter[str]] = {}
    editions: dict[str, dict[str, None]] = {}
    notable: list[Json] = []
    past, known = PastEditions(store), ["", ""]
    for entry in store.as_stored(0, until):
        known = [known[0] or entry.day, max(known[1], entry.day)]
        if (first and entry.day < first) or (last and entry.day > last):
            continue
        _count(days, entry)
        _duties(names, entry)
        if entry.kind in BINDING:
            editions.setdefault(bound_in(entry)["document"], {})[entry.table or str(entry.data["command"].get("board", ""))] = (
                None
            )
        notable += notable_events(entry, past)
    if not days:
        period = f"from {first or 'the beginning'} to {last or 'the end'}"
        there = f"it goes from {known[0]} to {known[1]}" if known[0] else "it has none at all"
        raise Refused("no-entries", f"the journal has no entry {period} ({there})")
    return {
        "days": list(days.values()),
        "people": [{"name": name, "role": role, **counted} for (name, role), counted in sorted(names.items())],
        "editions": [{"document": document, "tables": list(tables)} for document, tables in editions.items() if document],
        "notable": notable[:NOTABLE_MOST],
        "notable_found": len(notable),
    }


def _count(days: dict[str, Json], entry: Entry) -> None:
    empty = {"day": entry.day, "first": entry.seq, "before": entry.previous, "entries": 0, "transfers": 0, "moved_cents": 0}
    day = days.setdefault(entry.day, empty | dict.fromkeys(COUNTED, 0))
    day["last"], day["hash"] = entry.seq, entry.hash
    day["entries"] += 1
    day["transfers"] += len(entry.transfers)
    day["moved_cents"] += sum(transfer.cents for transfer in entry.transfers)
    for name, kind in COUNTED.items():
        day[name] += entry.kind == kind


def _duties(names: dict[tuple[str, str], Counter[str]], entry: Entry) -> None:
    """Who of the staff did how much, alone or with a second person, and confirmed how much; no guest is named."""
    if entry.role in STAFF:
        names.setdefault((entry.actor, entry.role), Counter(did=0, with_second=0, confirmed=0))["did"] += 1
    if second := entry.data.get("second"):
        names[entry.actor, entry.role]["with_second"] += 1
        confirming = (str(second["confirmed_by"]), str(second.get("confirmed_role", "")))
        names.setdefault(confirming, Counter(did=0, with_second=0, confirmed=0))["confirmed"] += 1


def notable_events(entry: Entry, past: PastEditions, kinds: Sequence[str] = NOTABLE) -> Iterator[Json]:
    """What an entry tells that somebody should look at; a guest who did it himself is not named either."""
    edition = past.of(entry)
    for event in entry.data.get("events", []):
        if event["event"] in kinds:
            public = in_public(event)
            unnamed = public | ({"guest": "the guest"} if "guest" in public else {})  # no guest is named in an audit
            words = event_words(unnamed, edition)
            by = "the guest" if entry.role == "guest" else entry.actor
            yield {"seq": entry.seq, "at": entry.at, "table": entry.table, "by": by, "words": words}


# Checked


def alone(material: Json) -> Checked:
    """What does not hold of a period by what was taken of it: sums, and the signatures of heads."""
    return Checked(tuple(_flaws(material)), (WITHOUT_STORE,))


def _flaws(material: Json) -> Iterator[str]:
    for day in material["days"]:
        if day["last"] - day["first"] + 1 < day["entries"]:
            yield f"{day['day']}: there are more entries than numbers for them"
    for head in _heads(material):
        if not head.is_genuine():
            yield f"head {head.seq}: its signature is not genuine"
    ends = {day["last"]: day["hash"] for day in material["days"]}
    ends |= {day["first"] - 1: day["before"] for day in material["days"] if day["first"] > 1}
    ends[material["audit"]["head"][0]] = material["audit"]["head"][1]
    for head in _heads(material):
        if ends.get(head.seq, head.hash) != head.hash:
            yield f"head {head.seq}: it was signed for another entry than the report has"


def _heads(material: Json) -> list[SignedHead]:
    return [SignedHead.read(head) for head in material["heads"]]


def against(source: HouseSource, material: Json, options: Mapping[str, str]) -> Checked:
    """The journal audited again, as far as it went then; what was found since is to be known."""
    first, last = _period(options)
    now = _taken(source, first, last, int(material["audit"]["head"][0]))
    findings = [
        f"{words} in the report are not what the store has"
        for part, words in (
            ("days", "the days"),
            ("people", "the names"),
            ("notable", "the events"),
            ("editions", "the editions"),
        )
        if now[part] != material[part]
    ]
    seq, hash_ = material["audit"]["head"]
    if source.store.hashes([seq]) != {seq: hash_}:
        findings.append(f"the store's chain has not the head {seq} of the report")
    then, found = material["audit"]["flaws"], now["audit"]["flaws"]
    findings += [f"a finding of the report is not found in the store: {what}" for at, what in then if [at, what] not in found]
    findings += [
        f"found in the store, and not in the report: {what}" for at, what in found if [at, what] not in then and at <= seq
    ]
    more = now["audit"]["entries"] - material["audit"]["entries"]
    since = (f"the journal has {more:,} more entries than it had",) if more else ()
    return Checked(tuple(findings), (*since, "the whole journal was audited again"))


# Printed


def build(asked: AskedOfHouse) -> Document:
    """The report of a period."""
    material = asked.material
    days, audit = material["days"], material["audit"]
    span = days[0]["day"] if len(days) == 1 else f"{days[0]['day']} to {days[-1]['day']}"
    about = [
        IdentityLine("house", "Period", f"{span}, entries {days[0]['first']} to {days[-1]['last']}"),
        IdentityLine("head", "Head", f"{audit['head'][0]} {audit['head'][1]}"),
    ]
    return Document(
        kind=asked.kind,
        title="Audit of the house",
        subtitle=span,
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(about),
        sections=[
            ReportSection("Whether the journal holds", list(_holds(material))),
            ReportSection("Day by day", list(_days(days))),
            ReportSection("Heads that left the house", list(_heads_told(material))),
            ReportSection("Editions", list(_editions(material))),
            ReportSection("Who had duties", list(_people(material["people"]))),
            ReportSection("What to look at", list(_looked_at(material))),
        ],
        inputs=asked.inputs(),
    )


def _holds(material: Json) -> Iterator[Block]:
    audit = material["audit"]
    entries, transfers = count("audit.entries", audit["entries"]), count("audit.transfers", audit["transfers"])
    checked: list[Text] = [
        "Every hash is of its entry and of the one before; the head names the last.",
        "Every command, given again to the rulebook, does what its entry says, and every round settles to the same cent.",
        "The stored money is what the entries say, and all accounts together are zero.",
        "Every shoe that was shown is the one committed to, and its cards came in its order.",
        "What needs a second person had one, who had no hand in it.",
        "Snapshots, seals, bindings to editions, corrections and times are as the entries say.",
    ]
    if audit["flaws_found"]:
        flaws = count("audit.flaws", audit["flaws_found"], "findings")
        yield Paragraph(
            ("The journal does NOT hold: of ", entries, " entries and ", transfers, " transfers, findings: ", flaws)
        )
        rows: list[list[Text]] = [[count(f"flaw.{place}", seq), what] for place, (seq, what) in enumerate(audit["flaws"], 1)]
        yield DataTable((Column("Entry", "right"), Column("What does not hold", wide=True)), rows)
    else:
        yield Paragraph(
            (
                "The journal holds, all of it: ",
                entries,
                " entries and ",
                transfers,
                " transfers were checked, and no flaw was found.",
            )
        )
        yield Listing(checked)
    yield from (Paragraph(f"{said[:1].upper()}{said[1:].rstrip('.')}.", "note") for said in audit["said"])


def _days(days: list[Json]) -> Iterator[Block]:
    names = ("entries", "rounds", "voids", "corrections", "transfers")
    rows: list[list[Text]] = [
        [
            day["day"],
            f"{day['first']} to {day['last']}",
            *(count(f"days.{day['day']}.{name}", day[name]) for name in names),
            money(f"days.{day['day']}.moved", day["moved_cents"]),
        ]
        for day in days
    ]
    totals = (count(f"all.{name}", sum(day[name] for day in days)) for name in names)
    moved = money("all.moved", sum(day["moved_cents"] for day in days))
    columns = (
        Column("Day"),
        Column("Numbers"),
        *(Column(name.capitalize(), "right") for name in names),
        Column("Moved", "right"),
    )
    yield DataTable(columns, rows, [["All", "", *totals, moved]])
    yield Paragraph("By gaming day. The last entry of each, by which it can be compared with the journal:", "note")
    ends: list[list[Text]] = [[day["day"], count(f"days.{day['day']}.last", day["last"]), day["hash"]] for day in days]
    yield DataTable((Column("Day"), Column("Entry", "right"), Column("Hash", wide=True)), ends)


def _heads_told(material: Json) -> Iterator[Block]:
    heads = _heads(material)
    if not heads:
        yield Paragraph("No head of this period lies at a place that this house sends heads to.")
        return
    rows: list[list[Text]] = [
        [count(f"heads.{head.seq}", head.seq), utc(head.at), head.hash[:16], "genuine" if head.is_genuine() else "NOT genuine"]
        for head in _each_once(heads)
    ]
    yield DataTable((Column("Entry", "right"), Column("Signed"), Column("Hash"), Column("Signature", wide=True)), rows)


def _each_once(heads: Iterable[SignedHead]) -> list[SignedHead]:
    return list({head.seq: head for head in heads}.values())


def _editions(material: Json) -> Iterator[Block]:
    rows: list[list[Text]] = []
    for each in material["editions"]:
        edition = read_document(each["document"])
        badge = standing(edition)
        rows.append([f"{edition.name} ({edition.id})", ", ".join(each["tables"]), badge.approval, badge.short])
    if rows:
        yield Paragraph("Opened in this period, with their standing by the program at hand:")
        yield DataTable((Column("Edition", wide=True), Column("Tables"), Column("Approval"), Column("Standing")), rows)
    played: list[list[Text]] = [
        [
            under["edition"],
            under["rules"][:12] or "unknown",
            under["release"],
            count(f"played.{place}", under["rounds"]),
            "the same" if under["same_as_now"] else f"other {' and '.join(under['differs'])}",
        ]
        for place, under in enumerate(material["audit"]["played_under"], 1)
    ]
    if played:
        yield Paragraph("Under which rules all rounds of the journal were played, beside the program that audited:")
        columns = (
            Column("Edition", wide=True),
            Column("Rules"),
            Column("Release"),
            Column("Rounds", "right"),
            Column("At the audit"),
        )
        yield DataTable(columns, played)
    if not rows and not played:
        yield Paragraph("No table was opened, and no round played.")


def _people(people: list[Json]) -> Iterator[Block]:
    rows: list[list[Text]] = [
        [
            each["name"],
            each["role"],
            *(count(f"people.{place}.{name}", each[name]) for name in ("did", "with_second", "confirmed")),
        ]
        for place, each in enumerate(people, 1)
    ]
    columns = (
        Column("Name", wide=True),
        Column("Role"),
        *(Column(title, "right") for title in ("Entries", "Confirmed for him", "Confirmed by him")),
    )
    yield DataTable(columns, rows)
    yield Paragraph("The staff and the house's own helpers; guests are not named.", "note")


def _looked_at(material: Json) -> Iterator[Block]:
    notable = material["notable"]
    if not notable:
        yield Paragraph("Nothing was voided, corrected, disputed or replaced.")
        return
    rows: list[list[Text]] = [
        [count(f"notable.{place}", each["seq"]), utc(each["at"]), each["table"], each["by"], each["words"]]
        for place, each in enumerate(notable, 1)
    ]
    yield DataTable((Column("Entry", "right"), Column("At"), Column("Table"), Column("By"), Column("What", wide=True)), rows)
    if material["notable_found"] > len(notable):
        yield Paragraph(("Of ", count("notable.found", material["notable_found"]), " the first are listed."), "note")
