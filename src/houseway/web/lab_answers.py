"""What the odds lab's API answers: models described well enough to write a client from, and how they are filled."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, Field

from houseway.approval import Badge
from houseway.odds.figures import Figure
from houseway.odds.par_sheet import SIMULATED, SOLVED, ParSheet, Row
from houseway.odds.published import ALL_ROWS, HEADING, STAKE_INCLUDED, Finding, listed_reading
from houseway.rulebook import Clause, Edition
from houseway.rulebook.game import Value
from houseway.rulebook.pay import Pay
from houseway.solve.solver import BEST, SAMPLED, is_sampled_otherwise, players_of, solver_of

PLAYERS = (
    "Players for whom a solver has the odds: values of the parameter `player`; `sampled` is the player of the wager's own "
    "`strategy`, sampled"
)
Method = Literal["enumerated", "simulated", "solved"]
Status = Literal["approved", "pinned", "unpinned", "modified"]
STATUS = (
    "`approved`: the rules as approved; `pinned`: as pinned, with no approval on file; `unpinned`: no approval on file, and "
    "nothing pinned to compare with; `modified`: see `differences`"
)


class Exact(BaseModel):
    """A rational number: exact for reckoning, rounded for display. One that was solved in 64-bit floats is no fraction."""

    exact: str = Field(
        description="Numerator and denominator in lowest terms; empty where it was solved in 64-bit floats",
        examples=["-76113/1000000"],
    )
    value: float = Field(description="The same number rounded to the nearest double, for display only")


class SettingAnswer(BaseModel):
    """Something the table can choose, a pay table, or a reading of an open question in the documents."""

    name: str = Field(description="The name to use in a query", examples=["decks"])
    kind: Literal["setting", "pay-table", "reading"]
    about: str = Field(description="What is chosen; for a reading, the question the documents leave open")
    clause: str = Field(description="The clause it comes from")
    values: list[Value] = Field(description="Every value the rules understand")
    approved: list[Value] = Field(description="The values inside the approval, the default first; others are what-ifs")
    meanings: dict[str, str] = Field(description="For a reading: what each value means, in words")
    wagers: list[str] = Field(description="For a reading: the wagers whose odds it may change; none: it changes no odds")
    pay_tables: list[str] = Field(description="For a reading: the pay tables it is a question of; none: of all")
    when: dict[str, str] = Field(description="For a reading: the settings under which the question arises")
    defaults: dict[str, Value] = Field(description="Card sources whose tables open with another value than the first")


class OutcomeName(BaseModel):
    """An outcome that the rule of a wager can answer."""

    id: str
    name: str


class PayTable(BaseModel):
    """What each outcome pays in one of an edition's pay tables."""

    id: str = Field(description="The value of the setting `pay-table`, or `standard` where there is only one")
    pays: dict[str, str] = Field(description="By outcome: `40 to 1`, `push`, `lose` or `lose half`")


class WagerAnswer(BaseModel):
    """A wager that an edition offers."""

    id: str
    name: str
    clause: str
    part_of: str = Field(description="The wager in whose odds this one is counted, if it has none of its own; else empty")
    needs: str = Field(description="The wager without which this one is not bet; else empty")
    follows: str = Field(description="The wager that this one follows by a choice, never as a bet; else empty")
    exact: bool = Field(description="Whether its odds are enumerated; otherwise they are simulated, and take seconds")
    strategy: str = Field(description="How the player is taken to act where a decision is needed")
    players: list[str] = Field(description=PLAYERS)
    shown_for: str = Field(
        description="Whose odds are told where no player is named, once they are solved; empty: `strategy`'s"
    )
    envy: bool = Field(description="Whether `players` and `bet_cents` change its house edge")
    outcomes: list[OutcomeName]
    pay_tables: list[PayTable]


class EditionAnswer(BaseModel):
    """A rulebook as approved."""

    id: str
    name: str
    game: str
    approval: str = Field(
        description="Jurisdiction and date, `no approval on file`, `an edition of your own` or `not approved: a design`"
    )
    maker: str
    banked_by: str
    status: Status = Field(description=STATUS)
    differences: list[str] = Field(description="What is not as it was pinned at the approval")
    digest: str = Field(description="SHA-256 of rules and data together")
    badge: str = Field(description="Whether these are the approved rules, on the program as released, in a sentence")
    short: str = Field(description="The same without what differs")
    system_changes: list[str] = Field(description="Which files of the program are not as released")
    system_problem: str = Field(description="Why the release itself cannot be verified, or nothing")
    sources: list[str] = Field(description="Card sources that the approval allows")
    refused_sources: dict[str, str] = Field(description="Card sources that it refuses, with the clause")
    seats: int = Field(description="The most seats at a table")
    table_seats: list[int] = Field(description="How many seats a table may have, if not any number up to `seats`")
    keys_results: bool = Field(description="Whether a round can be keyed by its result alone, without its cards")
    keys_board: bool = Field(description="Whether a scoreboard of it can be fed by a keypad alone")
    has_shoe: bool = Field(description="Whether several rounds are dealt from one shoe, with a cut card")
    settings: list[SettingAnswer]
    wagers: list[WagerAnswer]


class RideAnswer(BaseModel):
    """What a wager that rides on this one pays with the outcome."""

    wager: str
    pays: str
    net: str = Field(description="Net win for one unit, as a fraction")


class OutcomeAnswer(BaseModel):
    """One row of a par sheet."""

    outcome: str
    name: str
    pays: str = Field(description="The pay reckoned with", examples=["40 to 1"])
    approved_pays: str = Field(description="The pay in the edition's table: another one than `pays` is a what-if")
    is_fixed: bool = Field(description="Whether no other pay can be tried: the player would decide otherwise")
    net: str = Field(description="Net win for one unit staked, rides included, as a fraction", examples=["40/1"])
    rides: list[RideAnswer]
    combinations: str = Field(
        description="Deals that end so: a decimal integer, in text because it may exceed 2^53; empty where solved"
    )
    probability: Exact
    one_in: float | None = Field(description="Once in how many deals; null for what cannot happen")
    return_: Exact = Field(serialization_alias="return", description="Net win times probability: all together minus the edge")


class EnvyAnswer(BaseModel):
    """Fixed prizes for other players' hands, included in the house edge."""

    players: int
    bet_cents: int
    min_bet_cents: int
    worth: Exact = Field(description="What envy returns for each unit staked, with so many players and this bet")
    house_edge_by_players: list[Exact] = Field(description="For 1, 2, ... 6 players, oneself included")


class ReturnRangeAnswer(BaseModel):
    """In so many per cent of series of so many bets, the share of all stakes that comes back is between `low` and `high`."""

    bets: int
    percent: int
    low: float
    high: float


class SolvedEdge(BaseModel):
    """The house edge against a kind of player."""

    player: str
    exact: str = Field(description="A fraction; empty where it is computed in 64-bit floats")
    value: float


class EdgeAnswer(BaseModel):
    """What a solver knows of a wager at once."""

    player: str = Field(description="How the player decides; empty: a solver knows nothing of this wager")
    is_ready: bool = Field(description="Whether `odds` has his par sheet at once; else `odds/stream` counts it")
    house_edge: SolvedEdge | None = Field(description="The house edge against him, where it is known at once")


class OddsAnswer(BaseModel):
    """The par sheet of one wager."""

    edition: str
    digest: str
    status: Status = Field(description=STATUS)
    wager: str
    name: str
    settings: dict[str, Value]
    what_if: list[str] = Field(description="What lies outside the approval; empty: these are odds of the approved game")
    strategy: str
    player: str = Field(description="How the player decides, where a solver counted all deals for him; else as `strategy` says")
    players: list[str] = Field(description=PLAYERS)
    solvable: str = Field(description="Where this is sampled: the player for whom `odds/stream` solves all of it; else empty")
    solved_edge: SolvedEdge | None = Field(description="Where this is sampled: the house edge that a solver knows")
    method: Method = Field(
        description="Every deal was enumerated; or so many rounds sampled, and `standard_error` is given; or every result "
        "solved in 64-bit floats for the `player`, and no deals were counted"
    )
    exact: bool = Field(description="Whether every deal was enumerated")
    total: str = Field(
        description="All deals (or sampled rounds): a decimal integer, the denominator of every probability; empty where solved"
    )
    outcomes: list[OutcomeAnswer]
    house_edge: Exact = Field(description="The house's expected share of each unit staked, envy included")
    house_edge_without_envy: Exact
    hit_rate: Exact = Field(description="How often the wager wins")
    push_rate: Exact
    variance: Exact = Field(description="Of the net win for one unit staked, without envy")
    standard_deviation: float
    skewness: float = Field(description="Of the net win, without envy")
    excess_kurtosis: float = Field(description="Of the net win, without envy: 0 for a normal law")
    staked: float | None = Field(description="What is staked on average for each unit of the first bet, where that is solved")
    element_of_risk: float | None = Field(description="The expected loss over all that is staked, where that is solved")
    volatility_index: float = Field(
        description="1.645 standard deviations: over the square root of N it bounds the mean of N bets in 90 % of series, and "
        "says nothing about single bets"
    )
    return_ranges: list[ReturnRangeAnswer] = Field(description="What comes back of all stakes, by the number of bets")
    fair_from_bets: int = Field(description="From so many bets on the ranges are fair: the normal law is no picture of fewer")
    standard_error: float | None = Field(description="Of the house edge, when sampled; else null")
    envy: EnvyAnswer | None


class DecksPoint(BaseModel):
    """The odds with one number of decks."""

    decks: int
    approved: bool = Field(description="False: outside the approval, a what-if")
    exact: bool
    house_edge: Exact
    hit_rate: Exact | None = Field(description="Null where the house edge alone is solved")
    standard_deviation: float | None = Field(description="Null where the house edge alone is solved")
    standard_error: float | None


class DecksAnswer(BaseModel):
    """The house edge for every number of decks that the rules understand."""

    edition: str
    wager: str
    points: list[DecksPoint] = Field(description="By number of decks; empty where the game leaves no choice of decks")
    note: str = Field(description="Why there are no points; empty where there are")


class ReadingUsed(BaseModel):
    """A departure from the plain wording that a printed figure takes."""

    id: str
    where: str
    question: str
    value: str
    meaning: str


class FindingAnswer(BaseModel):
    """One published figure beside the computed one."""

    clause: str
    source: str = Field(description="Title, maker and date of the document")
    table: str
    figure: str = Field(description="The figure by its ids: row, what it shows, pay table", examples=["flush: return"])
    name: str = Field(description="The row in words", examples=["Royal flush + suited A-Q"])
    shows: str = Field(description="What the figure shows, in words", examples=["return, pay table 3"])
    published: str
    computed: str
    verdict: Literal["agrees", "explained", "differs"]
    readings: list[list[ReadingUsed]] = Field(description="Alternatives; each is a set of readings that apply together")
    explanation: str = Field(description="The verdict in plain words")
    note: str = Field(description="What else the figure tells: readings that it rules out or cannot tell apart")


class VerifyAnswer(BaseModel):
    """Every figure that an edition's document prints, recomputed."""

    edition: str
    name: str
    document: str
    status: Status = Field(description=STATUS)
    digest: str
    agrees: int
    explained: int
    differs: int
    findings: list[FindingAnswer]


def status_of(badge: Badge) -> Status:
    """How an edition stands, in a word."""
    if badge.status != "no approval on file":
        return badge.status
    return "pinned" if badge.is_pinned else "unpinned"


def ratio(value: Fraction) -> str:
    """A fraction as n/d, also when the denominator is 1."""
    return f"{value.numerator}/{value.denominator}"


def exact(value: Fraction, sheet: ParSheet | None = None) -> Exact:
    """A number for the API, of a par sheet perhaps."""
    return Exact(exact=ratio_of(value, sheet), value=float(value))


def ratio_of(value: Fraction, sheet: ParSheet | None) -> str:
    """A number of a par sheet as n/d; nothing where it was solved in floats, for it is no exact fraction then."""
    return "" if sheet and sheet.method == SOLVED else ratio(value)


def standard_error(sheet: ParSheet) -> float | None:
    """Of a simulated house edge; nothing where it is exact, or solved."""
    return sheet.standard_error if sheet.method == SIMULATED else None


def setting_answer(edition: Edition, name: str) -> SettingAnswer:
    """A switch, the pay table or a reading, by its name."""
    switch, reading = edition.game.switches.get(name), edition.readings.get(name)
    approved = list(edition.approved[name])
    values = sorted(switch.values, key=lambda value: value if isinstance(value, int) else 0) if switch else approved
    return SettingAnswer(
        name=name,
        kind="reading" if reading else "setting" if switch else "pay-table",
        about=reading.question if reading else switch.about if switch else "the pay table",
        clause=reading.where if reading else switch.clause if switch else "",
        values=values,
        approved=approved,
        meanings=dict(reading.values) if reading else {},
        wagers=list(reading.wagers) if reading else [],
        pay_tables=list(reading.pay_tables) if reading else [],
        when=dict(reading.when) if reading else {},
        defaults={source: chosen[name] for source, chosen in edition.defaults.items() if name in chosen},
    )


def wager_answer(edition: Edition, name: str) -> WagerAnswer:
    """A wager with every pay table the edition has for it."""
    wager, terms = edition.game.wagers[name], edition.wagers[name]
    return WagerAnswer(
        id=name,
        name=wager.name,
        clause=edition.cites.get(wager.clause, wager.clause),
        part_of="" if wager.count else wager.needs,
        needs=wager.needs,
        follows=wager.follows,
        exact=not wager.simulated,
        strategy=wager.strategy,
        players=players_answer(edition, name),
        shown_for=BEST if is_sampled_otherwise(edition, name) else "",
        envy=bool(terms.envy_cents),
        outcomes=[OutcomeName(id=outcome.id, name=outcome.name) for outcome in wager.outcomes],
        pay_tables=[PayTable(id=id_, pays={o: str(pay) for o, pay in pays.items()}) for id_, pays in terms.pays.items()],
    )


def players_answer(edition: Edition, wager: str) -> list[str]:
    """The players who can be named for a wager."""
    players = players_of(edition, wager)
    return [*players, SAMPLED] if players and edition.game.wagers[wager].simulated else list(players)


def outcome_answer(sheet: ParSheet, row: Row) -> OutcomeAnswer:
    """A row, beside the pay in the edition's table; a result that a solver tells by its net has none there."""
    is_fixed = is_fixed_row(sheet, row)
    approved_pays = row.pays if is_fixed else str(sheet.edition.pay(sheet.wager.id, row.outcome, sheet.settings))
    return OutcomeAnswer(
        outcome=row.outcome,
        name=row.name,
        pays=row.pays,
        approved_pays=approved_pays,
        is_fixed=is_fixed,
        net=ratio(row.net),
        rides=[RideAnswer(wager=name, pays=pays, net=ratio(Pay.parse(pays).net)) for name, pays in row.rides.items()],
        combinations="" if sheet.method == SOLVED else str(row.combinations),
        probability=exact(row.probability, sheet),
        one_in=float(row.one_in) if row.one_in else None,
        return_=exact(row.contribution, sheet),
    )


def is_fixed_row(sheet: ParSheet, row: Row) -> bool:
    """Whether a row's pay must stay as it is: where all results of the best player are solved, he would decide otherwise."""
    return sheet.method == SOLVED and row.outcome not in solver_of(sheet.edition).paid_apart


def envy_answer(sheet: ParSheet) -> EnvyAnswer | None:
    """Envy prizes, where the wager has them."""
    if not sheet.envy:
        return None
    return EnvyAnswer(
        players=sheet.envy.players,
        bet_cents=sheet.envy.bet_cents,
        min_bet_cents=sheet.envy.min_bet_cents,
        worth=exact(sheet.envy.worth(), sheet),
        house_edge_by_players=[exact(sheet.house_edge_with(players), sheet) for players in range(1, 7)],
    )


_CONVENTION = {
    STAKE_INCLUDED: "the printed return includes the stake",
    ALL_ROWS: "the total includes the rows that the table leaves out",
}


def _reading(edition: Edition, id_: str, value: str) -> ReadingUsed:
    """A reading that a finding takes, with the question it answers; how a table is headed and totalled is one question."""
    listed_id, listed, meant = listed_reading(edition.readings, id_, value)
    reading = edition.readings[listed_id]
    if id_ == HEADING:
        meaning = f"the column is of pay {meant}, not of the one it is headed with"
    else:
        meaning = _CONVENTION.get(value) or reading.values[value]
    return ReadingUsed(id=reading.id, where=reading.where, question=reading.question, value=listed, meaning=meaning)


def _explanation(finding: Finding, readings: list[list[ReadingUsed]]) -> str:
    if finding.status == "differs":
        return "No reading of the rules reproduces the printed figure."
    ways = [" and ".join(f"{used.id} as “{used.meaning}”" for used in way) for way in readings]
    if finding.status == "agrees":
        return "The plain wording gives the printed figure." + (f" It reads {' or '.join(ways)}." if ways else "")
    exactly = finding.computed.replace(",", "") == finding.published.replace(",", "")
    said = ": ".join(filter(None, (f"near {finding.published}", finding.of.tolerance)))
    near = "" if exactly else f" The document says only that it is {said}."
    return f"The plain wording gives {finding.plain}. The printed figure reads {', or '.join(ways)}.{near}"


_SHOWS = {
    "house-edge-players": ("House edge with {} player", "House edge with {} players"),
    "house-edge-decks": ("House edge with {} deck", "House edge with {} decks"),
}
_ROWS = {
    "total": "Total",
    "rest": "All other hands",
    "other": "Everything else",
    "most": "Highest house edge",
    "least": "Lowest house edge",
}


def _in_words(edition: Edition, figure: Figure) -> tuple[str, str]:
    """A figure's row and what it shows, as a person would say it."""
    row, shows = figure.row, figure.shows
    about = ", ".join(f"{name.replace('-', ' ')} {value}" for name, value in figure.settings)
    table = ", ".join(filter(None, (about, f"pay table {figure.heading}" if figure.heading else "")))
    if shows in _SHOWS and row.isdigit():
        return _SHOWS[shows][row != "1"].format(row), table
    if shows == "house-edge-decks":
        return _ROWS[row], "over the approved decks"
    names = {o.id: o.name for wager in edition.wagers for o in edition.game.wagers[wager].outcomes} | _ROWS
    name = names.get(row, row.replace("-", " "))
    return name[0].upper() + name[1:], ", ".join(filter(None, (shows.replace("-", " "), table)))


def finding_answer(edition: Edition, clauses: Mapping[str, Clause], finding: Finding) -> FindingAnswer:
    """A finding, with its readings spelled out."""
    readings = [[_reading(edition, id_, value) for id_, value in way.items()] for way in finding.ways]
    clause = clauses.get(finding.clause)
    name, shows = _in_words(edition, finding.of)
    return FindingAnswer.model_validate(
        {
            "clause": finding.clause,
            "source": str(clause.source) if clause else finding.document,
            "table": finding.table,
            "figure": finding.figure,
            "name": name,
            "shows": shows,
            "published": finding.published,
            "computed": finding.computed,
            "verdict": finding.status,
            "readings": readings,
            "explanation": _explanation(finding, readings),
            "note": "; ".join(finding.tells),
        }
    )
