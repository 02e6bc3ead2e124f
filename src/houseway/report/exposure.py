"""Exposure: the worst that a deal can pay at the limits, aggregate limits, cash on hand."""

from fractions import Fraction

from houseway.report.document import Block, Column, DataTable, Heading, Listing, Paragraph, Run, Text
from houseway.report.figures import ExactFigure, count, money, pay
from houseway.report.parts import offered
from houseway.report.studied import Studied
from houseway.rulebook.game import COMMON, Wager
from houseway.rulebook.pay import Pay
from houseway.table.washington import AGGREGATE_NEW_TEXT, AGGREGATE_ODDS

WASHINGTON = "Washington"
CASH_OF_A_TABLE = 100_000
"""WAC 230-15-050: for every table, in cents, beside the largest single prize."""
WATCHED_CENTS = 300_000
"""WAC 230-15-320: payouts above it are verified by surveillance."""


def exposure(studied: Studied) -> list[Block]:
    """The largest payouts at the limits, for a seat and for the table, and what the law wants for them."""
    edition, seats = studied.edition, studied.edition.usual_seats
    rows: list[list[Text]] = []
    worst: dict[str, int] = {}
    for name, wager in offered(studied.asked).items():
        if wager.follows:
            continue
        top, riding = _top(studied, wager)
        most = studied.limits[name][1]
        won = int(most * riding)
        worst[name] = won
        cells: list[Text] = [wager.name, money(f"exposure.{name}.most", most), pay(f"exposure.{name}.top", Pay(top))]
        cells += [money(f"exposure.{name}.hand", won), money(f"exposure.{name}.table", seats * won)]
        rows.append([*cells, _envy_cell(studied, name, seats)])
    columns = [Column("Wager", wide=True), Column("Largest bet", "right"), Column("Top pay", "right")]
    columns += [Column("Worst, one seat", "right"), Column(f"Worst, {seats} seats", "right"), Column("Envy, one seat", "right")]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    common = COMMON in edition.game.dealing.order((1,), studied.settings, 1 if edition.game.dealing.dice_sides else 0)
    note = (
        "All seats bet on the same hands: they can all win the most at once."
        if common
        else "Every seat has a hand of its own: that all win the most at once is a bound, and cannot always be dealt."
    )
    raised = [wager.name for wager in studied.wagers.values() if wager.rides]
    if raised:
        note += f" {', '.join(raised)}: with what rides on it, staked as much again."
    more = [choice for choice, name in edition.game.dealing.raises.items() if not edition.game.wagers[name].rides]
    late = [edition.name_of(name).lower() for name in edition.game.dealing.late if name in edition.wagers]
    if more or late:
        note += f" What is staked in mid-round ({', '.join([*more, *late])}) comes on top, as the rules of play allow it."
    return [DataTable(columns, rows), Paragraph(note, "note"), *_law(studied, worst)]


def _top(studied: Studied, wager: Wager) -> tuple[Fraction, Fraction]:
    """The highest pay of a wager by itself, and the most that it wins with what rides on it."""
    edition, settings = studied.edition, studied.settings
    possible = edition.possible(wager.id, settings)
    top = max(edition.pay(wager.id, each.id, settings).net for each in possible)
    riding = max(
        sum(
            (edition.pay(name, each.id, settings).net for name in (wager.id, *wager.rides) if name in edition.wagers),
            Fraction(0),
        )
        for each in possible
    )
    return top, max(top, riding)


def _envy_cell(studied: Studied, name: str, seats: int) -> Text:
    edition = studied.edition
    prizes = [edition.envy_cents(name, each.id, studied.settings) for each in edition.possible(name, studied.settings)]
    return money(f"exposure.{name}.envy", max(prizes) * (seats - 1)) if any(prizes) else ""


def _law(studied: Studied, worst: dict[str, int]) -> list[Block]:
    """What Washington's rules make of it; of another jurisdiction nothing is said that is not known."""
    edition, asked = studied.edition, studied.asked
    if edition.banked_by == "player":
        return [Paragraph("A player banks: what the bank puts up is the most that it can lose in a round.")]
    if edition.approval.jurisdiction != WASHINGTON:
        return [
            Paragraph(
                "No jurisdiction with rules that this program knows: aggregate limits and cash on hand are not worked out."
            )
        ]
    rows: list[list[Text]] = []
    for name, won in worst.items():
        top, _ = _top(studied, edition.game.wagers[name])
        rows.append([edition.name_of(name), _least_aggregate(studied, name, top), "yes" if won > WATCHED_CENTS else "no"])
    largest = max(worst.values())
    cash: list[Run] = ["Cash on hand (WAC 230-15-050), for one table: ", money("exposure.cash.table", CASH_OF_A_TABLE)]
    cash += [" and the largest single prize of ", money("exposure.cash.prize", largest), ", together "]
    cash += [money("exposure.cash.all", CASH_OF_A_TABLE + largest), "; as much again as the first for every other table."]
    games = dict.fromkeys(wager.counts_as for wager in offered(asked).values() if not wager.follows)
    separate: list[Run] = ["Separate games with one hand (WAC 230-15-040): ", count("exposure.games", len(games))]
    watched = f"Above ${WATCHED_CENTS // 100:,}"
    return [
        Heading("Washington"),
        DataTable(
            [
                Column("Wager"),
                Column("Aggregate payout limit (WAC 230-15-490)", wide=True),
                Column(f"{watched} (WAC 230-15-320)"),
            ],
            rows,
        ),
        Listing([cash, [*separate, ", of which no more than three may take wagers above $5."]]),
    ]


def _least_aggregate(studied: Studied, name: str, top: Fraction) -> Text:
    """The least that an aggregate limit may be; or that there may be none."""
    if top < AGGREGATE_ODDS:
        return f"none allowed: it pays less than {AGGREGATE_ODDS} to 1"
    low, high = studied.limits[name]
    least = high * AGGREGATE_ODDS
    if studied.asked.date < AGGREGATE_NEW_TEXT:
        least = 2 * max(least, int(low * top))
    figure: ExactFigure = money(f"exposure.{name}.aggregate", least)
    return ("allowed, from ", figure, " on")
