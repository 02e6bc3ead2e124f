"""`report rack-card`: what a guest takes away: the game in short, its wagers and their pays, the edge if the house wishes."""

from houseway.report.asked import AskedReport
from houseway.report.document import Block, Column, DataTable, Document, Listing, Panels, Paragraph, ReportSection, Text
from houseway.report.figures import percent
from houseway.report.parts import offered, pay_panels
from houseway.report.played_odds import DRAWN as DRAWN_ODDS
from houseway.report.played_odds import played_odds
from houseway.view.face import printed_lines, told_to_guests

DRAWN = "Where ± stands beside it, it was found by dealing many rounds with a fixed seed; all other figures are exact."


def build(asked: AskedReport) -> Document:
    """The card of a game."""
    here = asked.offering(asked.text("offered"))
    limits = here.limits(asked.text("limit"))
    lines = printed_lines(here.edition, here.settings)
    sections = [
        ReportSection("", [*(Paragraph(line, "lead") for line in lines), Panels(pay_panels(here, limits))]),
        ReportSection("How it is played", [Listing(in_short(here))], new_page=asked.paper.style == "card"),
    ]
    if asked.options["edge"]:
        sections.append(ReportSection("What it costs", _edges(here)))
    return Document(
        kind=asked.kind,
        title=here.edition.game.face.title,
        subtitle=asked.text("house"),
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification("fixed with the program" if asked.options["edge"] else "none: nothing is drawn"),
        sections=sections,
        inputs=asked.inputs(),
        mark=asked.mark,
    )


def in_short(asked: AskedReport) -> list[Text]:
    """What the game tells guests; else the rules of play without procedures and without those of single wagers."""
    if in_guests_words := told_to_guests(asked.edition, asked.settings):
        return list(in_guests_words)
    of_wagers = {wager.clause for wager in asked.edition.game.wagers.values()}
    told = {asked.edition.cites.get(clause, clause) for clause in of_wagers} | of_wagers
    return [clause.text for id_, clause in asked.edition.clauses().items() if clause.kind == "rule" and id_ not in told]


def _edges(asked: AskedReport) -> list[Block]:
    """The house edge of every wager that has odds of its own, for one player at the least bet of its envy prizes."""
    rows: list[list[Text]] = []
    drawn = False
    for name, wager in offered(asked).items():
        if wager.count is None:
            continue
        odds = played_odds(asked.edition, name, asked.settings, asked.progress, every_result=False)
        drawn |= odds.how == DRAWN_ODDS
        edge = percent(f"wagers.{name}.edge", odds.edge, 2, odds.standard_error)
        hit: Text = percent(f"wagers.{name}.hit", odds.sheet.hit_frequency, 2) if odds.sheet else ""
        rows.append([wager.name, edge, hit, odds.player])
    columns = [Column("Wager", wide=True), Column("House edge", "right"), Column("Wins", "right"), Column("Played by")]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    said = "The house's share of the first bet on each wager, in the long run."
    return [DataTable(columns, rows), Paragraph(f"{said} {DRAWN}" if drawn else said, "note")]
