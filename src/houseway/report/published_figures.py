"""Published figures against computed ones, and what they decide of the readings."""

from collections import Counter

from houseway.odds.published import Finding, listed_reading
from houseway.report.document import Block, ClauseText, Column, DataTable, Heading, Paragraph, Run, Text
from houseway.report.figures import count
from houseway.report.studied import Studied
from houseway.rulebook.edition import Reading

AGREES, EXPLAINED, DIFFERS = "agrees", "explained", "differs"


def readings_and_why(studied: Studied) -> list[Block]:
    """Every question that the documents leave open: how it is read here, how else it could be, and what decides."""
    readings = studied.edition.readings
    if not readings:
        return [Paragraph("The documents leave no question open that this program knows of.")]
    blocks: list[Block] = []
    for id_, reading in readings.items():
        value = str(studied.settings[id_])
        others = [_named(other, meaning, in_brackets=True) for other, meaning in reading.values.items() if other != value]
        text = [f"{reading.question} Here: {_named(value, reading.values.get(value, ''))}."]
        text += [f"Otherwise: {'; '.join(others)}."] if others else []
        runs: list[Run] = [" ".join(text), f" {_why(reading, value)}", *_decided(studied, id_, value)]
        blocks.append(ClauseText(id_, [*runs, f" ({reading.where})"]))
    return blocks


def _named(value: str, meaning: str, in_brackets: bool = False) -> str:
    """A value with what it means, which is not said twice: "yes" means yes."""
    said = meaning.rstrip(".")
    if said in {"", value}:
        return value
    return f"{value} ({said})" if in_brackets else f"{value}, {said}"


def _why(reading: Reading, value: str) -> str:
    if len(reading.values) == 1:
        return reading.effect or "The documents leave it open, and this is the one answer that is offered here."
    plain = (
        "This is what the plain wording suggests."
        if reading.literal == value
        else f"The plain wording suggests {reading.literal}."
    )
    return f"{plain} {reading.effect}".strip()


def _decided(studied: Studied, id_: str, value: str) -> list[Run]:
    """How many published figures come out under this value alone, or under another."""
    of_value: Counter[str] = Counter()
    for finding in studied.findings:
        for way in finding.ways[:1]:
            for reading, chosen in way.items():
                listed, named, _ = listed_reading(studied.edition.readings, reading, chosen)
                if listed == id_:
                    of_value[named or chosen] += 1
    runs: list[Run] = []
    for chosen, figures in of_value.items():
        what = "so" if chosen == value else f"with {chosen}"
        come = "published figure comes" if figures == 1 else "published figures come"
        runs += [" ", count(f"readings.{id_}.{chosen}", figures), f" {come} out {what} only."]
    return runs


def published_figures(studied: Studied) -> list[Block]:
    """Table by table what became of every figure; and each that is not plainly so."""
    findings = studied.findings
    if not findings:
        return [Paragraph("No published figures of this edition are on file: there is nothing to compare.")]
    tables = dict.fromkeys((finding.clause, finding.table) for finding in findings)
    rows: list[list[Text]] = []
    for place, (clause, table) in enumerate(tables):
        statuses = Counter(finding.status for finding in findings if (finding.clause, finding.table) == (clause, table))
        cells = [count(f"published.{place}.{status}", statuses[status]) for status in (AGREES, EXPLAINED, DIFFERS)]
        rows.append([clause, table, *cells])
    totals = Counter(finding.status for finding in findings)
    foot: list[Text] = [
        "",
        "All figures",
        *(count(f"published.all.{status}", totals[status]) for status in (AGREES, EXPLAINED, DIFFERS)),
    ]
    heads = [
        Column("Clause"),
        Column("Table", wide=True),
        Column("Agree", "right"),
        Column("By a reading", "right"),
        Column("Differ", "right"),
    ]
    return [
        Paragraph(
            [
                findings[0].document,
                f". Every figure is recomputed and rounded as it is printed: houseway verify {studied.edition.id}.",
            ]
        ),
        DataTable(heads, rows, [foot]),
        *_listed("Figures that differ under every reading", [each for each in findings if each.status == DIFFERS]),
        *_grouped(findings),
    ]


def _listed(title: str, findings: list[Finding]) -> list[Block]:
    if not findings:
        return []
    rows: list[list[Text]] = [[each.clause, f"{each.table}: {each.figure}", each.published, each.computed] for each in findings]
    columns = [Column("Clause"), Column("Figure", wide=True), Column("Printed", "right"), Column("Computed", "right")]
    return [Heading(title), DataTable(columns, rows)]


def _grouped(findings: list[Finding]) -> list[Block]:
    """Figures that come out by a reading, many at once: how many of which table take it."""
    groups = Counter((each.clause, each.table, each.reading) for each in findings if each.status == EXPLAINED)
    if not groups:
        return []
    rows: list[list[Text]] = [
        [clause, table, reading, count(f"published.by.{place}", figures)]
        for place, ((clause, table, reading), figures) in enumerate(groups.items())
    ]
    columns = [Column("Clause"), Column("Table"), Column("Comes out with", wide=True), Column("Figures", "right")]
    return [Heading("Figures that come out by a reading"), DataTable(columns, rows)]
