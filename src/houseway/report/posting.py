"""`report posting`: what WAC 230-15-060 wants posted: limits, fees, prizes, rules of play, employees, disputes."""

from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.document import Block, Document, Panels, Paragraph, ReportSection, Run
from houseway.report.figures import money
from houseway.report.parts import limits_table, offered, pay_panels, readings_in_force, rules_as_posted, settings_table, sources
from houseway.table.washington import check_aggregate, check_washington
from houseway.view.face import printed_lines

WASHINGTON = "Washington"
TO_FILL_IN = "_" * 30
NO_FEES = "No fee and no commission is taken: a wager that wins is paid as printed here. There is no jackpot."
DISPUTES = (
    "Say so to the dealer before the next round begins, or to a supervisor on the same day. A supervisor freezes the round: "
    "cards and wagers stay where they are, and nothing more is paid until it is decided. What was dealt, chosen and paid is "
    "read from the house's record of the round and settled again by the rules posted here. A correction stands in that record, "
    "with its reason and the names of those who made it, and the round can be shown to you as it was."
)
PRECEDENCE = (
    "Where rules differ they come in this order (WAC 230-15-065): Title 230 WAC; the approved rules of the game's maker; the "
    "approved rules of the house; an authority on card games of the kind of Hoyle."
)
NO_AGGREGATE = "There is no aggregate payout limit: every win is paid in full."


def build(asked: AskedReport) -> Document:
    """The posting of a table."""
    here = asked.offering(asked.text("offered"))
    limits = here.limits(asked.text("limit"))
    lines = printed_lines(here.edition, here.settings)
    house = asked.text("house")
    return Document(
        kind=asked.kind,
        title=here.edition.game.face.title,
        subtitle=f"{house}: rules, limits and pays" if house else "Rules, limits and pays",
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(),
        sections=[
            ReportSection("Wagers and limits", [*(Paragraph(line, "lead") for line in lines), *_limits(here, limits)]),
            ReportSection("What wagers pay", [*_restricted(here, limits), Panels(pay_panels(here))]),
            ReportSection("How this table is set", _set_up(here)),
            ReportSection("Rules of play", [Paragraph(sources(here), "note"), *rules_as_posted(here, "rule", "procedure")]),
            *_read(here),
            ReportSection("If you disagree", [Paragraph(text) for text in _disputes(here)]),
            ReportSection(
                "The house's own people",
                [Paragraph(asked.text("employees") or f"Whether and when they may play: {TO_FILL_IN}")],
            ),
        ],
        inputs=asked.inputs(),
        mark=asked.mark,
    )


def _limits(asked: AskedReport, limits: dict[str, tuple[int, int]]) -> list[Block]:
    taken = asked.text("fees")
    usual = NO_FEES if asked.edition.banked_by == "house" else f"Fees: {TO_FILL_IN}"
    source = f"Limits: {asked.edition.limits.source}."
    together = [Paragraph(words)] if (words := _together(asked, limits)) else []
    return [limits_table(asked, limits), *together, Paragraph(source, "note"), Paragraph(taken or usual)]


def _together(asked: AskedReport, limits: dict[str, tuple[int, int]]) -> str:
    """What a guest may not bet with one hand at once, though each wager is within its own limits."""
    edition = asked.edition
    if edition.approval.jurisdiction != WASHINGTON:
        return ""
    bets = {name: most for name, (_, most) in limits.items() if not edition.game.wagers[name].follows}
    try:
        check_washington(edition, bets, asked.date)
    except Refused as refused:
        return f"Not all of this at once with one hand: {refused.message}."
    return ""


def _restricted(asked: AskedReport, limits: dict[str, tuple[int, int]]) -> list[Block]:
    """What restricts a win: aggregate payout limits, as far as the law allows them (WAC 230-15-490)."""
    edition, settings = asked.edition, asked.settings
    if edition.banked_by == "player":
        return [Paragraph("A player banks: what the bank puts up is the most that it pays in a round.")]
    aggregates = asked.amounts(asked.text("aggregate"), "aggregate")
    blocks: list[Block] = []
    for wager, cents in aggregates.items():
        top = max(edition.pay(wager, outcome.id, settings).net for outcome in edition.possible(wager, settings))
        check_aggregate(edition.name_of(wager), top, limits[wager], cents, asked.date)
        runs: list[Run] = [f"{edition.name_of(wager)}: one deal pays at most ", money(f"wagers.{wager}.aggregate", cents)]
        blocks.append(Paragraph([*runs, " to all players together; the winners share it by what they won."]))
    return blocks or [Paragraph(NO_AGGREGATE)]


def _set_up(asked: AskedReport) -> list[Block]:
    table = settings_table(asked)
    not_offered = [
        f"{wager.name} is not offered: {reason}"
        for name, wager in asked.edition.game.wagers.items()
        if name in asked.edition.wagers and name not in offered(asked) and (reason := wager.refuses(asked.settings))
    ]
    nothing = Paragraph("The approval leaves nothing to the house.")
    return [table if table.rows else nothing, *(Paragraph(text) for text in not_offered)]


def _read(asked: AskedReport) -> list[ReportSection]:
    """Rules that the documents leave open, as they are read here: there is no such section where nothing is open."""
    open_questions = readings_in_force(asked)
    return [ReportSection("Where the rules are silent", open_questions)] if open_questions else []


def _disputes(asked: AskedReport) -> list[str]:
    law = [PRECEDENCE] if asked.edition.approval.jurisdiction == WASHINGTON else []
    return [asked.text("disputes") or DISPUTES, *law]
