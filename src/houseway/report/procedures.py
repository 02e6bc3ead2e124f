"""`report procedures`: the dealer's guide: order of dealing, taking and paying, and what is done where something goes wrong."""

from collections.abc import Iterator

from houseway.refusal import Refused
from houseway.report.asked import AskedReport
from houseway.report.document import (
    Block,
    Cite,
    ClauseText,
    Column,
    DataTable,
    Document,
    Heading,
    Listing,
    Panels,
    Paragraph,
    ReportSection,
    Text,
)
from houseway.report.example_round import SEED, ExampleRound, example_round
from houseway.report.figures import count, money
from houseway.report.parts import limits_table, pay_panels, readings_in_force, rules_as_posted, settings_table, sources
from houseway.report.rounds_told import dealt_hands, payments_table, steps_told
from houseway.rulebook.game import Dealing
from houseway.table import VOID_REASONS, Phase
from houseway.table.commands import live_commands
from houseway.table.engine import nothing, prepared, unfolded
from houseway.table.state import changed
from houseway.table.unfold import unfold, whose_card

MISTAKES = (
    "undo",
    "correct-card",
    "swap-cards",
    "replace-card",
    "rekey",
    "change-bet",
    "dispute",
    "resolve",
    "void",
    "correct",
)
"""The commands by which something is put right, in the order in which one tries them."""
ORDER_OF_PAYMENT = (
    "Seats are settled one after the other, counter-clockwise from the dealer's right: from the highest seat number down to 1. "
    "Losing wagers are taken, winning ones paid and pushes left before the next seat is settled."
)
BANK_PAYS = (
    "A player's bank takes and pays, in the order of action; what it does not cover goes back. The clauses and readings below "
    "say where that order begins, and the example shows it."
)


def build(asked: AskedReport) -> Document:
    """The dealer's guide of a table."""
    here = asked.offering(asked.text("offered"))
    limits = here.limits(asked.text("limit"))
    house = asked.text("house")
    try:
        example: ExampleRound | None = example_round(here, limits)
        no_example = ""
    except Refused as refused:
        example, no_example = None, refused.message
    return Document(
        kind=asked.kind,
        title=f"{here.edition.game.face.title}: dealer's guide",
        subtitle=house or here.edition.name,
        date=asked.date,
        paper=asked.paper,
        identification=asked.identification(f"{SEED} (the shuffle of the example)"),
        sections=[
            ReportSection("Before the cards", list(_before(here, limits))),
            ReportSection("Dealing", list(_dealing(here, example))),
            ReportSection("Taking and paying", list(_paying(here))),
            ReportSection("An example", list(_example(here, example, no_example))),
            ReportSection("When something goes wrong", list(_irregularities(here))),
            ReportSection(
                "Rules and procedures in full", [Paragraph(sources(here), "note"), *rules_as_posted(here, "rule", "procedure")]
            ),
            *_read(here),
        ],
        inputs=asked.inputs(),
        mark=asked.mark,
    )


def _before(asked: AskedReport, limits: dict[str, tuple[int, int]]) -> Iterator[Block]:
    yield limits_table(asked, limits)
    table = settings_table(asked)
    if table.rows:
        yield table


def _dealing(asked: AskedReport, example: ExampleRound | None) -> Iterator[Block]:
    dealing = asked.edition.game.dealing
    yield Listing(_facts(asked, dealing))
    if example is not None:
        seats = ", ".join(str(seat) for seat in sorted(example.table.round.spots))
        thrown = f", and {example.table.round.dice} was thrown" if dealing.dice_sides else ""
        yield Paragraph(f"Whose the cards of the first deal are, in their order, where seats {seats} have wagers{thrown}:")
        rows: list[list[Text]] = [
            [count(f"dealing.order.{place}", place), whose if cards == 1 else f"{whose}, {cards} cards"]
            for place, (whose, cards) in enumerate(_in_runs(example), 1)
        ]
        yield DataTable((Column("", "right"), Column("Card to", wide=True)), rows)
    yield from _clauses_about(asked, "deal", "cards", "card", "shoe", "dice")


def _in_runs(example: ExampleRound) -> list[tuple[str, int]]:
    """Whose the cards of the first deal are, as the dealer's keypad asks for them, and how many come at a time."""
    edition, settings, encoded = prepared(example.table)
    runs: list[tuple[str, int]] = []
    for cards in range(len(unfolded(example.table).order)):
        so_far = changed(example.table.round, drawn=example.table.round.drawn[:cards], phase=Phase.DEALING, unfolded=None)
        dealt = unfold(edition, settings, encoded, so_far, nothing, keyed=True)
        assert dealt.card_for is not None, "the first deal is not over"
        whose = whose_card(edition.game.face, dealt.card_for, dealt.card_of)
        runs = [*runs[:-1], (whose, runs[-1][1] + 1)] if runs and runs[-1][0] == whose else [*runs, (whose, 1)]
    return runs


def _facts(asked: AskedReport, dealing: Dealing) -> list[Text]:
    """How cards come to the hands, from what the game declares of its dealing."""
    setting, value = dealing.fresh_deck_if
    fresh = dealing.fresh_deck or (setting and asked.settings.get(setting) == value)
    facts: list[Text] = [
        ("There is room for ", count("dealing.seats", dealing.seats), " seats."),
        "Every round has a shuffle of its own." if fresh else "Rounds are dealt from the shoe until its cut card comes.",
        "Players' cards lie face up."
        if dealing.hands_face_up
        else "A seat's cards are seen by nobody else until the round is over.",
    ]
    if dealing.dealer_face_up:
        facts.append(("Of the dealer's first cards ", count("dealing.face_up", dealing.dealer_face_up), " lies face up."))
    if dealing.dice_sides:
        facts.append(
            (
                "A number from 1 to ",
                count("dealing.dice", dealing.dice_sides),
                " is thrown when bets close: it says where the deal begins.",
            )
        )
    if dealing.in_turn:
        facts.append("Seats decide one after the other, from the dealer's left.")
    if dealing.default_choice:
        facts.append(f"A seat that does not decide in time is taken to say: {dealing.default_choice.replace('-', ' ')}.")
    if asked.settings.get(dealing.players_draw_if[0]) == dealing.players_draw_if[1] != "":
        facts.append("Players draw the cards, one of them each hand.")
    return facts


def _clauses_about(asked: AskedReport, *words: str) -> Iterator[Block]:
    """The procedures that speak of these things."""
    for id_, clause in asked.edition.clauses().items():
        spoken = clause.text.lower().replace(",", " ").replace(".", " ").split()
        if clause.kind == "procedure" and any(word in spoken for word in words) and id_ not in _voiding(asked):
            yield ClauseText(id_, clause.text)


def _paying(asked: AskedReport) -> Iterator[Block]:
    edition = asked.edition
    early = [wager.name for wager in edition.offered.values() if wager.early]
    if early:
        yield Paragraph(
            f"First, when the first cards lie and before anybody acts: {', '.join(early)}. They are paid and leave the spot."
        )
    yield Paragraph(ORDER_OF_PAYMENT if edition.banked_by == "house" else BANK_PAYS)
    yield from _clauses_about(asked, "resolved", "resolves", "paid", "pays")
    if edition.chip_unit_cents > 1:
        unit = money("chip_unit", edition.chip_unit_cents)
        yield Paragraph(
            ("Wins are rounded up to ", unit, ", in the player's favour, where the chips do not reach further."), "note"
        )
    yield Panels(pay_panels(asked))


def _example(asked: AskedReport, example: ExampleRound | None, why_not: str) -> Iterator[Block]:
    if example is None:
        yield Paragraph(f"No table can be opened with these settings, and so there is no example: {why_not}.")
        return
    yield Paragraph("Dealt from a shuffle by the seed below, and settled by the code that settles at the tables.", "note")
    yield dealt_hands(example.table)
    yield Heading("What is told")
    yield from steps_told(example.table)
    yield Heading("Taken and paid, in this order")
    yield payments_table(example.table, example.settled.stakes, "example")


def _voiding(asked: AskedReport) -> dict[str, str]:
    """The clauses of irregularities that void a round, with their reasons."""
    dealing = asked.edition.game.dealing
    named = {clause: reason for reason, clause in dealing.void_reasons.items()}
    return named | ({dealing.card_check.clause: dealing.card_check.reasons[0]} if dealing.card_check else {})


def _irregularities(asked: AskedReport) -> Iterator[Block]:
    dealing, clauses = asked.edition.game.dealing, asked.edition.clauses()
    named = {reason: dealing.void_reasons.get(reason, "") for reason in VOID_REASONS}
    told: list[list[Text]] = [
        [_worded(reason).capitalize(), clauses[clause].text, Cite(clause)]
        for reason, clause in named.items()
        if clause in clauses
    ]
    if told:
        yield Paragraph("What the approved rules say of a round that cannot be finished:")
        yield DataTable((Column("Reason"), Column("What is done", wide=True), Column("")), told)
    others = ", ".join(_worded(reason) for reason, clause in named.items() if clause not in clauses)
    yield Paragraph(f"By the house's own rules a supervisor voids a round, and all wagers go back, for: {others}.")
    commands = live_commands()
    keys: list[list[Text]] = [
        [kind.replace("-", " "), commands[kind].about, " or ".join(commands[kind].roles)]
        for kind in MISTAKES
        if kind in commands
    ]
    yield Paragraph("Anything else is put right at the table, and stands in the journal with its reason and the names:")
    yield DataTable((Column("Key"), Column("What it does", wide=True), Column("Who")), keys)


def _worded(reason: str) -> str:
    return reason.replace("-", " ")


def _read(asked: AskedReport) -> list[ReportSection]:
    open_questions = readings_in_force(asked)
    return [ReportSection("Where the rules are silent", open_questions)] if open_questions else []
