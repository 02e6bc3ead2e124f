"""The verifier: every published figure is computed under every reading, and the reading that it fits is named.

The plain wording is tried first (each reading's `literal` value, returns without the stake, tables as headed). A figure
that it reproduces *agrees*. One that only another reading reproduces is *explained* by the fewest readings that do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product

from houseway.odds.figures import Figure, read_figures
from houseway.odds.par_sheet import ParSheet, par_sheet
from houseway.rulebook.edition import PAY_TABLE, Edition, Reading
from houseway.rulebook.game import Value
from houseway.rulebook.pay import LOSE, Pay
from houseway.rulebook.settings import Settings

Assignment = Mapping[str, str]
"""A value for each reading that may bear on a figure."""

STAKE, NET, STAKE_INCLUDED = "R3", "stake not included", "stake included"
HEADING, OMITTED, AS_PRINTED, ALL_ROWS = "R4", "R4 rows", "as printed", "with the rows left out"
CONVENTIONS = (STAKE, HEADING, OMITTED)
"""Readings of how a table is printed; all others are readings of the rules, and switches of the edition."""


def listed_reading(readings: Mapping[str, Reading], id_: str, value: str) -> tuple[str, str, str]:
    """A value that a figure takes as `houseway readings` lists it: the reading, its value, and how that is meant here.

    A convention of printing has one value in the list, such as `corrected`, and means something else at each figure.
    """
    if id_ not in CONVENTIONS:
        return id_, value, ""
    reading = HEADING if id_ == OMITTED else id_
    listed = next(iter(readings[reading].values)) if reading in readings else ""
    return reading, listed, f"table {value}" if id_ == HEADING else value


ENVY_BET_CENTS = 500


@dataclass(frozen=True)
class Finding:
    """What became of one published figure.

    `ways` are the readings that it takes, each a set that applies together. Where the plain wording would give another
    figure, `plain` is that. `ruled_out` are values of readings with what they would give, `also` those that fit as well.
    `readings` are the edition's, so that both speak of the same values.
    """

    document: str
    of: Figure
    computed: str
    status: str
    ways: tuple[Assignment, ...] = ()
    plain: str = ""
    ruled_out: tuple[tuple[str, str, str], ...] = ()
    also: tuple[Assignment, ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)

    @property
    def clause(self) -> str:
        """The clause that prints it."""
        return self.of.clause

    @property
    def table(self) -> str:
        """The table that it stands in."""
        return self.of.table

    @property
    def figure(self) -> str:
        """The figure by its ids: row, what it shows, pay table."""
        return self.of.name

    @property
    def published(self) -> str:
        """As it is printed."""
        return self.of.printed

    @property
    def reading(self) -> str:
        """The readings that it takes, in short."""
        return " or ".join(self._show(way) for way in self.ways)

    @property
    def note(self) -> str:
        """What the plain wording gives, and what else the figure tells."""
        if self.status == "differs":
            return "no reading reproduces it"
        near = [f"said to be near: {self.of.tolerance}"] if self.of.within else []
        return "; ".join(near + ([f"the plain wording gives {self.plain}"] if self.plain else []) + self.tells)

    @property
    def tells(self) -> list[str]:
        """The readings that the figure rules out, or cannot tell apart, in words."""
        ruled_out = [f"rules out {id_}={value} ({gives})" for id_, value, gives in self.ruled_out]
        return ruled_out + [f"could also come from {self._show(changes)}" for changes in self.also]

    def _show(self, changes: Assignment) -> str:
        parts = []
        for id_, value in changes.items():
            reading, listed, meant = listed_reading(self.readings, id_, value)
            parts.append("=".join(filter(None, (reading, listed))) + (f" ({meant})" if meant else ""))
        return ", ".join(parts)

    def as_row(self) -> dict[str, str]:
        """As a row of a table."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = ("document", "clause", "table", "figure", "published", "computed", "status", "reading", "note")


class Verifier:
    """Computes the figures of one edition; par sheets are computed once for each set of readings."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.sheet = cache(self._sheet)

    def _sheet(self, wager: str, settings: Settings) -> ParSheet:
        return par_sheet(self.edition, wager, settings, bet_cents=ENVY_BET_CENTS)

    def options(self, figure: Figure, headings: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        """The readings that may bear on a figure, the literal value first."""
        options: dict[str, tuple[str, ...]] = {}
        for id_, reading in self.edition.readings.items():
            here = self._is_question_of(id_, figure.heading)
            arises = reading.when.items() <= dict(figure.settings).items()
            one_player = not reading.players  # a figure of more than one is given by the settings
            if figure.wager in reading.wagers and here and arises and one_player and len(reading.values) > 1:
                rest = tuple(value for value in reading.values if value != reading.literal)
                options[id_] = (reading.literal, *rest)
        if figure.shows == "return":
            options[STAKE] = (NET, STAKE_INCLUDED)
        if len(headings) > 1:
            options[HEADING] = headings
        if figure.row == "total" and "other" not in figure.listed and "rest" not in figure.listed:
            options[OMITTED] = (AS_PRINTED, ALL_ROWS)
        return options

    def value(self, figure: Figure, chosen: Assignment) -> Fraction | Pay:
        """What a figure should be under these readings."""
        heading = chosen.get(HEADING, figure.heading)
        settings: dict[str, Value] = {
            id_: value for id_, value in chosen.items() if id_ not in CONVENTIONS and self._is_question_of(id_, heading)
        }
        if heading:
            settings[PAY_TABLE] = heading
        settings |= dict(figure.settings)
        if figure.shows == "pays":
            return self.edition.pay(figure.wager, figure.row, self.edition.settings(settings))
        if figure.shows == "house-edge-decks":
            return self._edge_by_decks(figure, settings)
        sheet = self.sheet(figure.wager, self.edition.settings(settings))
        if figure.shows == "house-edge-players":
            return sheet.house_edge_with(int(figure.row))
        if figure.shows.startswith("house-edge"):
            return sheet.house_edge
        return self._cell(figure, sheet, chosen)

    def _is_question_of(self, reading: str, pay_table: str) -> bool:
        tables = self.edition.readings[reading].pay_tables
        return not tables or pay_table in tables

    def _edge_by_decks(self, figure: Figure, settings: dict[str, Value]) -> Fraction:
        decks = [int(figure.row)] if figure.row.isdigit() else sorted(map(int, self.edition.approved["decks"]))
        edges = [self.sheet(figure.wager, self.edition.settings(settings | {"decks": n})).house_edge for n in decks]
        return max(edges) if figure.row == "most" else min(edges)

    def _cell(self, figure: Figure, sheet: ParSheet, chosen: Assignment) -> Fraction | Pay:
        """A cell of a detailed table: one outcome, the `rest` that are not listed, or the `total`."""
        rows = {row.outcome: row for row in sheet.rows}
        if figure.row == "total" and chosen.get(OMITTED, ALL_ROWS) == ALL_ROWS:
            names = list(rows)
        elif figure.row == "total":
            names = [name for name in figure.listed if name in rows]
        elif figure.row == "rest":
            names = [name for name in rows if name not in figure.listed]
        else:
            names = [figure.row]
        settings = sheet.settings
        prizes = {name: Fraction(self.edition.envy_cents(figure.wager, name, settings)) for name in names}
        if figure.shows == "envy":
            return prizes[figure.row] / 100
        if figure.shows == "envy-pays":
            prize = max(prizes.values())
            return Pay(prize / ENVY_BET_CENTS) if prize else LOSE
        extra = 1 if chosen.get(STAKE) == STAKE_INCLUDED else 0
        total = Fraction(0)
        for row in (rows[name] for name in names):
            total += {
                "combinations": Fraction(row.combinations),
                "probability": row.probability,
                "return": (row.net + extra) * row.probability,
                "envy-return": prizes[row.outcome] / ENVY_BET_CENTS * row.probability,
            }[figure.shows]
        return total

    def fitting(self, figure: Figure, headings: tuple[str, ...]) -> list[tuple[dict[str, str], Fraction | Pay]]:
        """All readings under which a figure comes out as printed, those nearest to the plain wording first."""
        options = self.options(figure, headings)
        fitting = []
        for values in product(*options.values()):
            chosen = dict(zip(options, values, strict=True))
            value = self.value(figure, chosen)
            if figure.fits(value):
                fitting.append((chosen, value))
        return sorted(fitting, key=lambda item: len(self.changes(item[0], options)))

    @staticmethod
    def changes(chosen: Assignment, options: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """Where an assignment departs from the plain wording."""
        return {id_: value for id_, value in chosen.items() if value != options[id_][0]}

    def headings(self, group: list[Figure], repeated: bool) -> tuple[str, ...]:
        """The pay tables a column may be of: as headed; if it does not fit (or two are headed alike), those that do."""
        heading = group[0].heading
        others = [name for name in self.edition.approved.get(PAY_TABLE, ()) if str(name) != heading]
        if not heading or not (repeated or not all(self.fitting(figure, (heading,)) for figure in group)):
            return (heading,)
        fitting = [str(name) for name in others if all(self._fits_under(figure, str(name)) for figure in group)]
        return (heading, *fitting)

    def _fits_under(self, figure: Figure, heading: str) -> bool:
        """Whether a figure could be of another pay table: one that has its rows, and gives the printed value."""
        rows = self.edition.wagers[figure.wager].rows[heading]
        if any(rows.get(listed, listed) != listed for listed in figure.listed):
            return False
        return any(chosen.get(HEADING) == heading for chosen, _ in self.fitting(figure, (figure.heading, heading)))

    def finding(self, document: str, figure: Figure, headings: tuple[str, ...]) -> Finding:
        """Compare one figure with what is computed, and name the reading it takes."""
        options = self.options(figure, headings)
        literal = {id_: values[0] for id_, values in options.items()}
        plain = self.value(figure, literal)
        fitting = self.fitting(figure, headings)
        if not fitting:
            return Finding(document, figure, figure.show(plain), "differs")
        chosen, value = fitting[0]
        needed = self.changes(chosen, options)
        nearest = [self.changes(other, options) for other, _ in fitting]
        nearest = [changes for changes in nearest if len(changes) == len(needed)]
        ruled_out, also = self._bearing(figure, chosen, value, options)
        decided = {id_: chosen[id_] for id_ in ruled_out if id_ not in needed}
        ways = tuple({**decided, **changes} for changes in nearest)
        return Finding(
            document,
            figure,
            figure.show(value),
            "explained" if needed else "agrees",
            ways if any(ways) else (),
            figure.show(plain) if needed else "",
            tuple((id_, *other) for id_, other in ruled_out.items() if id_ in decided),
            tuple(changes for changes in also if changes not in nearest),
            self.edition.readings,
        )

    def _bearing(
        self, figure: Figure, chosen: Assignment, value: Fraction | Pay, options: Mapping[str, tuple[str, ...]]
    ) -> tuple[dict[str, tuple[str, str]], list[dict[str, str]]]:
        """What a figure says about each reading: a value that it rules out, and those that would fit as well."""
        ruled_out, also = dict[str, tuple[str, str]](), []
        for id_, values in options.items():
            for other in values:
                if other == chosen[id_] or id_ in {STAKE, OMITTED}:
                    continue
                changed = self.value(figure, {**chosen, id_: other})
                if figure.fits(changed):
                    if changed != value or id_ == HEADING:
                        also.append({id_: other})
                elif id_ != HEADING:
                    ruled_out[id_] = other, figure.show(changed)
        return ruled_out, also


def verify(edition: Edition) -> list[Finding]:
    """Recompute every figure that the edition's document prints."""
    verifier = Verifier(edition)
    document, figures = read_figures(edition)
    groups: dict[tuple[str, int], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.table, figure.column), []).append(figure)
    headed: dict[tuple[str, str], list[int]] = {}
    for (table, column), group in groups.items():
        headed.setdefault((table, group[0].heading + group[0].shows), []).append(column)
    headings = {}
    for (table, column), group in groups.items():
        twins = headed[table, group[0].heading + group[0].shows]
        headings[table, column] = verifier.headings(group, repeated=column != twins[0])
    return [verifier.finding(document, figure, headings[figure.table, figure.column]) for figure in figures]
