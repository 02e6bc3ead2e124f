"""Exposure: the worst that a deal can pay at the limits, aggregate limits, cash on hand, the risk that a bankroll is lost."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from houseway.money import parse_cents
from houseway.report.document import (
    Block,
    Cards,
    Column,
    DataTable,
    DealtHand,
    Heading,
    Listing,
    Paragraph,
    Run,
    Text,
)
from houseway.report.figures import ExactFigure, count, decimal, money, pay, percent
from houseway.report.parts import offered
from houseway.report.played_odds import DRAWN, PlayedOdds
from houseway.report.ruin import BetLaw, adjustment, bankroll, law_of, risk_of_ruin
from houseway.report.studied import Studied
from houseway.report.worst_payouts import WASHINGTON, WorstPayouts, worst_payouts
from houseway.rulebook.pay import Pay
from houseway.rulebook.worst import one_result
from houseway.table.washington import AGGREGATE_NEW_TEXT, AGGREGATE_ODDS, LARGE_GAMES, SMALL_CENTS

CASH_OF_A_TABLE = 100_000
"""WAC 230-15-050: for every table, in cents, beside the largest single prize."""
WATCHED_CENTS = 300_000
"""WAC 230-15-320: payouts above it are verified by surveillance."""
RISKS = {"1 %": 0.01, "0.1 %": 0.001}
ROUNDS = (1_000, 100_000)
_DOLLAR = 100


def exposure(studied: Studied) -> list[Block]:
    """The largest payouts at the limits, for a wager, a seat and the table; what the law wants for them; what may be lost."""
    worst = worst_payouts(studied)
    return [
        Heading("One wager"),
        *_by_wager(studied, worst),
        Heading("All wagers of a seat, and a full table"),
        *_together(studied, worst),
        *_law(studied, worst),
        Heading("Bankroll and risk of ruin"),
        *_ruin(studied, worst),
    ]


def _by_wager(studied: Studied, worst: WorstPayouts) -> list[Block]:
    edition, settings = studied.edition, studied.settings
    rows: list[list[Text]] = []
    for name, each in worst.by_wager.items():
        cells: list[Text] = [edition.name_of(name), money(f"exposure.{name}.most", each.bets[name])]
        cells += [pay(f"exposure.{name}.top", Pay(_top(studied, name))), money(f"exposure.{name}.hand", each.cents)]
        cells += ["exact" if each.is_exact else "at most", money(f"exposure.{name}.table", worst.of_table(each.cents))]
        prize = worst.envy_cents.get(name, 0)
        rows.append([*cells, money(f"exposure.{name}.envy", prize * (worst.seats - 1)) if prize else ""])
    columns = [Column("Wager", wide=True), Column("Largest bet", "right"), Column("Top pay", "right")]
    columns += [Column("Most won, one seat", "right"), Column("")]
    columns += [
        Column(f"{worst.seats} seats" + ("" if worst.shares_result else ", at most"), "right"),
        Column("Envy, one seat", "right"),
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    riding = [edition.name_of(name) for name in edition.wagers if edition.game.wagers[name].follows]
    raises = [choice for choice, name in edition.game.dealing.raises.items() if not edition.game.wagers[name].rides]
    note = "What is won beside the stake, which comes back. "
    if (riding or raises) and worst.has_all_stakes:
        note += f"With every raise that the rules allow ({', '.join([*riding, *raises])}), as often as they allow it. "
    if raises and not worst.has_all_stakes:
        note += f"What is staked in mid-round ({', '.join(raises)}) comes on top: the game does not say how often. "
    how = (
        "it is among the deals that were counted" if one_result(edition) else "the rulebook settled a round that pays just this"
    )
    note += f"Exact: {how}, and none can pay more."
    if not all(each.is_exact for each in worst.by_wager.values()):
        note += " At most: none can pay more, and whether one pays as much is not known."
    if settings.what_if:
        note += " Under settings outside the approval."
    return [DataTable(columns, rows), Paragraph(note, "note")]


def _top(studied: Studied, name: str) -> Fraction:
    """The highest pay of a wager by itself."""
    edition, settings = studied.edition, studied.settings
    return max(edition.pay(name, each.id, settings).net for each in edition.possible(name, settings))


def _together(studied: Studied, worst: WorstPayouts) -> list[Block]:
    """The round that pays a seat most, wager by wager, and what that comes to for all seats."""
    edition, seat = studied.edition, worst.seat
    rows: list[list[Text]] = []
    for place, payment in enumerate(seat.payments, 1):
        names = {outcome.id: outcome.name for outcome in edition.game.wagers[payment.wager].outcomes}
        id_ = f"exposure.seat.{place}"
        cells: list[Text] = [edition.name_of(payment.wager), names.get(payment.outcome, payment.outcome)]
        cells += [money(f"{id_}.stake", payment.stake_cents), payment.pays, money(f"{id_}.win", payment.win_cents)]
        rows.append(cells)
    foot: list[list[Text]] = [["One seat", _exactly(seat.is_exact), "", "", money("exposure.seat", seat.cents)]]
    if worst.table_envy_cents:
        says: Text = ("each of ", count("exposure.seats", worst.seats), " for every other, the largest prize")
        foot.append(["Envy", says, "", "", money("exposure.envy", worst.table_envy_cents)])
    full: Text = (count("exposure.seats", worst.seats), " seats")
    foot.append([full, _exactly(worst.table_is_exact), "", "", money("exposure.table", worst.table_cents)])
    columns = [Column("Wager"), Column("Ends", wide=True), Column("Stake", "right"), Column("Pays", "right")]
    blocks: list[Block] = [DataTable([*columns, Column("Won", "right")], rows, foot)]
    if worst.shown:
        one, played = worst.shown
        hands = [DealtHand(" ".join(filter(None, (hand.owner.capitalize(), hand.part))), hand.cards) for hand in played.hands]
        chosen = f"; choices: {', '.join(one.choices)}" if one.choices else ""
        blocks += [Cards(hands), Paragraph(f"Such a round, settled by the rulebook{chosen}.", "note")]
    return [*blocks, Paragraph(_why(studied, worst), "note")]


def _exactly(is_exact: bool) -> str:
    return "exact" if is_exact else "at most"


def _why(studied: Studied, worst: WorstPayouts) -> str:
    """What was added and what was not."""
    edition = studied.edition
    note = (
        "Only what can win in the same round is added; wagers that lose or push beside it need not be bet, and count nothing. "
    )
    games = dict.fromkeys(edition.game.wagers[name].counts_as for name in worst.by_wager)
    if edition.approval.jurisdiction == WASHINGTON and len(games) > LARGE_GAMES:
        note += (
            f"No more than {LARGE_GAMES} separate games may take wagers above ${SMALL_CENTS // 100} (WAC 230-15-040): "
            "the bets are those of which most can be won. "
        )
    if worst.shares_result:
        return note + "All seats bet on the same hands, and win together."
    return note + (
        "Every seat has a hand of its own. That all win the most in one deal is a bound which no deal can pass; it need not be "
        "possible, for the cards of one seat are missing at the others."
    )


def _law(studied: Studied, worst: WorstPayouts) -> list[Block]:
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
    for name, each in worst.by_wager.items():
        limit = _least_aggregate(studied, name, _top(studied, name))
        rows.append([edition.name_of(name), limit, "yes" if each.cents > WATCHED_CENTS else "no"])
    largest = max(each.cents for each in worst.by_wager.values())
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
        Listing([cash, [*separate, f", of which no more than {LARGE_GAMES} may take wagers above ${SMALL_CENTS // 100}."]]),
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


def _ruin(studied: Studied, worst: WorstPayouts) -> list[Block]:
    """For every wager at its limit in every round, for all of them together, and for all seats."""
    edition, rows, notes = studied.edition, list[list[Text]](), list[str]()
    alone: list[tuple[BetLaw, float]] = []
    full: list[tuple[BetLaw, float]] = []
    sums = {key: [0, 0] for key in _columns()}
    for name, wager in studied.wagers.items():
        odds, bet = studied.odds(name), worst.by_wager[name].bets[name]
        law, with_envy = _laws(studied, worst, name, odds)
        if law is None or with_envy is None:
            notes.append(f"{wager.name}: its standard deviation is not worked out, and so no bankroll")
            continue
        cells: list[Text] = [wager.name, percent(f"exposure.{name}.edge", odds.edge, standard_error=odds.standard_error)]
        if adjustment(law) is None or adjustment(with_envy) is None:
            notes.append(f"{wager.name}: the players have the edge at the limits, and no bankroll is enough for ever")
            rows.append([*cells, *[""] * (1 + len(sums))])
            continue
        cells.append(decimal(f"exposure.{name}.adjustment", adjustment(law) or 0.0, 6))
        for key, (risk, rounds) in _columns().items():
            one = _dollars_up(bankroll(law, risk, rounds), bet)
            sums[key][0] += one
            sums[key][1] += worst.seats * _dollars_up(bankroll(with_envy, risk, rounds), bet)
            cells.append(money(f"exposure.{name}.bankroll.{key}", one))
        alone.append((law, float(bet)))
        full.append((with_envy, float(worst.seats * bet)))
        rows.append(cells)
    columns = [Column("Wager", wide=True), Column("Edge", "right"), Column("R", "right")]
    columns += [Column(_title(risk, rounds), "right") for risk, rounds in _columns().values()]
    foot: list[list[Text]] = []
    if len(alone) == len(studied.wagers):
        for place, who in enumerate(("All, one seat", f"All, {worst.seats} seats")):
            totals: list[Text] = [money(f"exposure.bankroll.{place}.{key}", both[place]) for key, both in sums.items()]
            foot.append([who, "", "", *totals])
    blocks: list[Block] = [Paragraph(_meaning(worst), "note"), DataTable(columns, rows, foot), *_formula(studied, worst)]
    blocks += [Paragraph(f"{note}.") for note in notes]
    without = [edition.name_of(name) for name in worst.by_wager if name not in studied.wagers]
    if without:
        blocks.append(
            Paragraph(f"{', '.join(without)}: a wager of mid-round without odds of its own; not in these figures.", "note")
        )
    given = studied.asked.text("bankroll")
    if given and len(alone) == len(studied.wagers):
        blocks.append(_risk_of(given, alone, full, worst.seats))
    return blocks


def _columns() -> dict[str, tuple[float, int | None]]:
    """By a name for figures: the risk, and the rounds or for ever."""
    first, second = RISKS.values()
    over = {f"{rounds}.1": (first, rounds) for rounds in ROUNDS}
    return {**over, "ever.1": (first, None), "ever.01": (second, None)}


def _title(risk: float, rounds: int | None) -> str:
    share = next(words for words, number in RISKS.items() if number == risk)
    return f"{share} {'ever' if rounds is None else f'in {rounds:,}'}"


def _laws(studied: Studied, worst: WorstPayouts, name: str, odds: PlayedOdds) -> tuple[BetLaw | None, BetLaw | None]:
    """The law of a unit at the limit, by itself and with the envy that the hand gives to all other seats."""
    edition, settings = studied.edition, studied.settings
    payout = worst.by_wager[name]
    if not odds.is_spread:
        return None, None
    wins = [(row.net, row.probability) for row in odds.rows]
    bet = payout.bets[name]
    envied = [
        (row.net + Fraction((worst.seats - 1) * edition.envy_cents(name, row.outcome, settings), bet), row.probability)
        for row in odds.rows
    ]
    return law_of(wins), law_of(envied if name in worst.envy_cents else wins)


def _dollars_up(units: float | None, bet_cents: int) -> int:
    """In cents, up to the next whole dollar."""
    return ceil((units or 0.0) * bet_cents / _DOLLAR) * _DOLLAR


def _meaning(worst: WorstPayouts) -> str:
    return (
        "A bankroll that suffices if the largest bet lies on the wager in every round: it is lost with no more than this risk, "
        "within so many rounds or ever, if nothing is added to it and nothing taken out. For several wagers, and for all "
        f"{worst.seats} seats, bankrolls add up, however results hang together within a round"
        + (" (with envy prizes)." if worst.envy_cents else ".")
    )


def _formula(studied: Studied, worst: WorstPayouts) -> list[Block]:
    """How it is worked out, and how far it may be off."""
    odds = [studied.odds(name) for name in studied.wagers]
    items: list[Text] = [
        "R is the adjustment coefficient of a unit bet: the positive root of E exp(R X) = 1, with X what the player wins. A "
        "bankroll of B units is ever lost with a probability of at most exp(-R B) (Lundberg's bound), and of at least "
        "exp(-R (B + T)), with T the most that a bet wins: so the figures for ever are true upper bounds, and of one wager too "
        "large by no more than T bets.",
        "Within N rounds: at most E exp(r X)^N exp(-r B), for the r from R on that gives the least (Doob's inequality): an "
        "upper bound.",
        "Bankrolls of several bets in a round add up by Hölder's inequality: an upper bound, which takes all to win together.",
        "Every round is taken as one from a full shoe, independent of the others. Worked out in floats, and rounded up to the "
        "dollar.",
    ]
    drawn = [each.wager.name for each in odds if each.how == DRAWN]
    if drawn:
        items.append(f"{', '.join(drawn)}: from a sample of rounds, and so an estimate, not a bound.")
    return [Listing(items)]


def _risk_of(given: str, alone: Sequence[tuple[BetLaw, float]], full: Sequence[tuple[BetLaw, float]], seats: int) -> Block:
    """The risk of the bankroll that the house names."""
    cents = parse_cents(given, "bankroll", "an amount")
    runs: list[Run] = ["A bankroll of ", money("exposure.bankroll.given", cents), " is ever lost with a risk of at most "]
    runs += [
        percent("exposure.bankroll.risk.seat", risk_of_ruin(alone, cents) or 0.0),
        " to one seat that bets the most on everything",
    ]
    runs += [", and of at most ", percent("exposure.bankroll.risk.table", risk_of_ruin(full, cents) or 0.0)]
    return Paragraph([*runs, f" to {seats} such seats."])


def _small(id_: str, share: float) -> ExactFigure:
    """A risk, which may be very small: then as a power of ten."""
    return percent(id_, share) if share >= 0.0001 else ExactFigure(id_, share, f"{share:.1e}", "share")
