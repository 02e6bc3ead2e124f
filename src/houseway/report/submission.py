"""`report submission`: what a maker hands to a laboratory and to a regulator, in the ten sections that they ask for."""

from collections.abc import Callable, Sequence

from houseway.kernels.count import Progress
from houseway.report.advantage import advantage_play
from houseway.report.asked import AskedReport
from houseway.report.document import (
    Block,
    Cite,
    Column,
    DataTable,
    Document,
    Heading,
    Identification,
    Panels,
    Paragraph,
    ReportSection,
    Text,
)
from houseway.report.exposure import exposure
from houseway.report.hold import hold_ranges
from houseway.report.par_sheets import all_sheets, method, summary
from houseway.report.parts import limits_table, pay_panels, rules_in_full, settings_table, sources
from houseway.report.published_figures import published_figures, readings_and_why
from houseway.report.sensitivity import sensitivity
from houseway.report.solved_strategy import solved_strategy
from houseway.report.studied import Studied
from houseway.report.worked_examples import SEED, worked_examples

Builder = Callable[[Studied], Sequence[Block]]


def build(asked: AskedReport) -> Document:
    """The submission of an edition. Heavy results are kept on disk, and what is kept or not changes no word of it."""
    here = asked.offering(asked.text("offered"))
    steps: list[tuple[str, Builder]] = [
        ("1  Identification", _identification),
        ("2  Rules and readings", _rules),
        ("3  Method", method),
        ("4  Par sheets", all_sheets),
        ("5  Summary", summary),
        ("6  Sensitivity", sensitivity),
        ("7  Strategy and its cost", solved_strategy),
        ("8  Advantage play", advantage_play),
        ("9  Exposure", exposure),
        ("10  Expected hold, and published figures", _hold_and_published),
    ]
    studied = Studied(here, here.limits(asked.text("limit")), asked.edition)
    sections = []
    for place, (title, blocks) in enumerate(steps):
        studied.progress = _part_of(asked.progress, place, len(steps))
        sections.append(ReportSection(title, list(blocks(studied))))
    house = asked.text("house")
    return Document(
        kind=asked.kind,
        title=here.edition.name,
        subtitle=f"Submission: rules and mathematics{f', {house}' if house else ''}",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(
            f"worked examples and dealt rounds {SEED}; shoes that are counted: said beside them"
        ),
        sections=sections,
        inputs=asked.inputs(),
        mark=asked.mark,
    )


def _part_of(progress: Progress | None, place: int, parts: int) -> Progress | None:
    """Progress of one part of the whole: its beginning is told at once; where one work follows another it never goes back."""
    if progress is None:
        return None
    steps = 1000
    most = place * steps
    progress(most, parts * steps)

    def tell(done: int, total: int) -> None:
        nonlocal most
        most = max(most, place * steps + steps * done // max(total, 1))
        progress(most, parts * steps)

    return tell


def _identification(studied: Studied) -> list[Block]:
    asked, edition = studied.asked, studied.edition
    approval = edition.approval
    rows: list[list[Text]] = [
        ["Game", f"{edition.game.name}, as {edition.name}"],
        ["Maker", approval.maker or "not named"],
        ["Approval", f"{approval}" + ("" if approval.on_file else ": these are rules that nobody has approved")],
        ["Banked by", f"the {edition.banked_by}"],
        ["Cards come from", ", ".join(source.replace("-", " ") for source in edition.sources)],
    ]
    rows += [[f"Not from {source.replace('-', ' ')}", why] for source, why in edition.refused_sources.items()]
    clauses = edition.clauses()
    conditions: list[list[Text]] = [[Cite(id_), clauses[id_].text] for id_ in approval.conditions if id_ in clauses]
    blocks: list[Block] = [DataTable([Column("Of"), Column("", wide=True)], rows)]
    if conditions:
        blocks += [Heading("Conditions of the approval"), DataTable([Column("Clause"), Column("", wide=True)], conditions)]
    if asked.mark:
        blocks.append(Paragraph(f"{asked.mark}. What follows is of these settings, not of the approved ones."))
    return [*blocks, Heading("Settings, digests and program"), Identification()]


def _rules(studied: Studied) -> list[Block]:
    asked = studied.asked
    table = settings_table(asked)
    chosen: list[Block] = [Heading("What the house chooses"), table] if table.rows else []
    rest = [f"{asked.edition.game.wagers[name].name} is not offered: {why}" for name, why in studied.left_out.items()]
    return [
        Paragraph(sources(asked), "note"),
        *rules_in_full(asked, "rule", "procedure"),
        Heading("Wagers and limits"),
        limits_table(asked, studied.limits),
        Paragraph(f"Limits: {asked.edition.limits.source}.", "note"),
        *(Paragraph(text) for text in rest),
        Heading("Pays, X to 1: the stake comes back as well"),
        Panels(pay_panels(asked)),
        *chosen,
        Heading("Worked examples"),
        *worked_examples(asked),
        Heading("Readings, and why"),
        *readings_and_why(studied),
    ]


def _hold_and_published(studied: Studied) -> list[Block]:
    return [*hold_ranges(studied), Heading("Published figures against computed ones"), *published_figures(studied)]
