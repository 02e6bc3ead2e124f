"""An edition: a rulebook as approved. Pay tables, settings, readings, limits and card sources from one TOML file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from houseway.refusal import Refused, one_of
from houseway.rulebook.clause import Clause, read_clauses
from houseway.rulebook.document import Document
from houseway.rulebook.game import Game, Outcome, Value, Wager
from houseway.rulebook.pay import Pay
from houseway.rulebook.settings import Settings

PAY_TABLE = "pay-table"
_SOURCES = ("virtual-shoe", "manual-keypad", "hand-keyed", "shuffler", "smart-shoe")
_CENTS_MOST = 100_000_000


@dataclass(frozen=True)
class Approval:
    """Who approved the rules, and under which conditions. Without a letter: `no approval on file`."""

    on_file: bool
    maker: str
    date: str
    jurisdiction: str
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.jurisdiction}, {self.date}" if self.on_file else "no approval on file"


@dataclass(frozen=True)
class Limits:
    """The least and the most a wager may be, in cents, and where that comes from."""

    min_cents: int
    max_cents: int
    source: str


@dataclass(frozen=True)
class Reading:
    """A question the documents leave open, and its possible answers; the first is the default.

    `literal` is the answer that the document's plain wording suggests, whether or not its figures bear it out; `when`
    names the settings under which the question arises.
    """

    id: str
    where: str
    question: str
    values: Mapping[str, str]
    wagers: tuple[str, ...]
    pay_tables: tuple[str, ...]
    literal: str
    when: Mapping[str, str]


@dataclass(frozen=True)
class WagerTerms:
    """What a wager is paid in this edition, for each pay table; `envy_cents` are fixed prizes for others' hands.

    `rows` names, for each outcome, the outcome in whose row it is paid: itself, unless the table has no such row.
    """

    pays: Mapping[str, Mapping[str, Pay]]
    rows: Mapping[str, Mapping[str, str]]
    envy_cents: Mapping[str, Mapping[str, int]]
    envy_min_bet_cents: int
    limits: Limits


@dataclass(frozen=True)
class Edition:
    """A game with everything that its approval fixes; `document` is the plain data that it was read from."""

    id: str
    name: str
    label: str
    game: Game
    families: tuple[str, ...]
    approval: Approval
    sources: tuple[str, ...]
    refused_sources: Mapping[str, str]
    limits: Limits
    chip_unit_cents: int
    banked_by: str
    approved: Mapping[str, tuple[Value, ...]]
    readings: Mapping[str, Reading]
    wagers: Mapping[str, WagerTerms]
    cites: Mapping[str, str]
    layout: Mapping[str, str]
    document: Mapping[str, Any]

    def clauses(self) -> dict[str, Clause]:
        """The clauses of this edition's documents."""
        clauses = read_clauses(self.game.folder)
        return {id_: clause for id_, clause in clauses.items() if id_.split("-")[0] in self.families}

    def wager(self, id_: str) -> Wager:
        """The wager of this name, if the edition offers it."""
        return self.game.wagers[one_of("wager", id_, self.wagers)]

    def house_player_bets(self) -> dict[str, int]:
        """What the house's own player bets at a table of this edition: as the game's face says, else its first wager."""
        bets = {wager: cents for wager, cents in self.game.face.demo.bets.items() if wager in self.wagers}
        first = next(iter(self.wagers))
        return bets or {first: self.wagers[first].limits.min_cents}

    def pay(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> Pay:
        """What this outcome pays: every outcome has exactly one pay."""
        return self.wagers[wager].pays[self._table(wager, settings)][outcome]

    def row(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> str:
        """The outcome in whose row of the pay table this one is paid."""
        return self.wagers[wager].rows[self._table(wager, settings)][outcome]

    def envy_cents(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> int:
        """The fixed prize when another player's hand ends in this outcome."""
        return self.wagers[wager].envy_cents.get(self._table(wager, settings), {}).get(outcome, 0)

    def _table(self, wager: str, settings: Mapping[str, Value]) -> str:
        tables = self.wagers[wager].pays
        return str(settings[PAY_TABLE]) if len(tables) > 1 else next(iter(tables))

    def settings(self, chosen: Mapping[str, Value] | None = None, what_if: bool = False) -> Settings:
        """Every switch with its value: the edition's defaults, changed by what is chosen.

        A value outside the approval is refused, unless `what_if` asks what it would do.
        """
        values: dict[str, Value] = {name: allowed[0] for name, allowed in self.approved.items()}
        outside: list[str] = []
        for given, raw in (chosen or {}).items():
            name = one_of("setting", given.replace("_", "-"), values)
            value = self._value(name, raw)
            approved = self.approved[name]
            own = name in self.game.switches and self.game.switches[name].allows_file(value)
            if value not in approved and not own:
                outside.append(f"{name} {value} (approved: {', '.join(map(str, approved))})")
            values[name] = value
        for name, reading in self.readings.items():
            table = str(values.get(PAY_TABLE, ""))
            if values[name] != self.approved[name][0] and reading.pay_tables and table not in reading.pay_tables:
                tables = ", ".join(reading.pay_tables)
                raise Refused("reading-not-here", f"{name} is a question of pay table {tables} only, not of {table}")
        if outside and not what_if:
            raise Refused("outside-approval", f"outside the approval: {'; '.join(outside)}; --what-if computes it anyway")
        return Settings(tuple(values.items()), tuple(outside), what_if)

    def _value(self, name: str, raw: Value) -> Value:
        switch = self.game.switches.get(name)
        if switch and switch.allows_file(raw):
            return raw
        known = switch.values if switch else self.approved[name]
        by_text = {str(value): value for value in known}
        if str(raw) not in by_text:
            raise Refused("bad-setting", f'{name} "{raw}" is not possible (possible: {", ".join(by_text)})')
        return by_text[str(raw)]


def load_edition(data: dict[str, Any], label: str, names: Iterable[str], find_game: Callable[[str], Game]) -> Edition:
    """Read an edition; anything unknown, missing or out of bounds is refused with label, key and what is allowed."""
    top = Document(label, data)
    game = find_game(top.text("game", allowed=names))
    limits = _limits(top.table("limits"))
    wagers = top.table("wagers")
    terms = {name: _terms(wagers.table(name), game.wagers[name], limits) for name in wagers.names(game.wagers)}
    readings = _readings(top.table("readings", optional=True), game)
    cards = top.table("cards")
    edition = Edition(
        id=top.text("id"),
        name=top.text("name"),
        label=label,
        game=game,
        families=tuple(top.items("clauses", {id_.split("-")[0] for id_ in read_clauses(game.folder)})),
        approval=_approval(top.table("approval"), game),
        sources=tuple(cards.items("sources", _SOURCES)),
        refused_sources={s: cards.table("refused").text(s) for s in cards.table("refused", True).names(_SOURCES)},
        limits=limits,
        chip_unit_cents=top.integer("chip_unit_cents", 1, 10_000, default=1),
        banked_by=top.text("banked_by", allowed=("house", "player"), default="house"),
        approved=_approved(top.table("settings"), game, terms, readings),
        readings=readings,
        wagers=terms,
        layout={clause: top.table("layout").text(clause) for clause in top.table("layout", optional=True).names()},
        cites={clause: top.table("cites").text(clause) for clause in top.table("cites", optional=True).names()},
        document=data,
    )
    cards.finish()
    top.finish()
    return edition


def _approval(table: Document, game: Game) -> Approval:
    on_file = table.flag("on_file", default=True)
    approval = Approval(
        on_file=on_file,
        maker=table.text("maker", default=None if on_file else ""),
        date=table.text("date", default=None if on_file else ""),
        jurisdiction=table.text("jurisdiction", default=None if on_file else ""),
        conditions=tuple(table.items("conditions", read_clauses(game.folder), default=None if on_file else [])),
    )
    table.finish()
    return approval


def _limits(table: Document) -> Limits:
    least = table.integer("min_cents", 1, _CENTS_MOST)
    most = table.integer("max_cents", least, _CENTS_MOST)
    limits = Limits(least, most, table.text("source"))
    table.finish()
    return limits


def _terms(table: Document, wager: Wager, limits: Limits) -> WagerTerms:
    pays = table.table("pays")
    if not pays.data:
        raise table.broken("pays", "empty (a pay for every outcome is required)")
    nested = all(isinstance(value, dict) for value in pays.data.values())
    names = pays.names() if nested else ["standard"]
    envy = table.table("envy_dollars", optional=True)
    tables = {name: pays.table(name) if nested else pays for name in names}
    terms = WagerTerms(
        pays={name: _pays(inner, wager) for name, inner in tables.items()},
        rows={name: _paid_in(inner, wager) for name, inner in tables.items()},
        envy_cents={name: _envy(envy.table(name), wager) for name in envy.names(names)},
        envy_min_bet_cents=table.integer("envy_min_bet_cents", 0, _CENTS_MOST, default=0),
        limits=_limits(table.table("limits")) if "limits" in table.data else limits,
    )
    table.finish()
    return terms


def _rows(outcome: Outcome) -> tuple[str, ...]:
    return (outcome.id, *outcome.falls_to, "otherwise")


def _pays(table: Document, wager: Wager) -> dict[str, Pay]:
    """The pay of every outcome: its own row, else the first row it falls to, else `otherwise`."""
    rows: dict[str, Pay] = {}
    for row in table.names(dict.fromkeys(row for outcome in wager.outcomes for row in _rows(outcome))):
        try:
            rows[row] = Pay.parse(table.text(row))
        except Refused as refused:
            raise refused if refused.code == "broken-toml" else table.broken(row, refused.message) from None
    pays = {}
    for outcome in wager.outcomes:
        paid_by = next((name for name in _rows(outcome) if name in rows), None)
        if paid_by is None:
            raise table.broken(outcome.id, 'missing (a pay such as "40 to 1", "push" or "lose" is required)')
        pays[outcome.id] = rows[paid_by]
    return pays


def _paid_in(table: Document, wager: Wager) -> dict[str, str]:
    ids = {outcome.id for outcome in wager.outcomes}
    found = {o.id: next((row for row in _rows(o) if row in table.data), o.id) for o in wager.outcomes}
    return {outcome: row if row in ids else outcome for outcome, row in found.items()}


def _envy(table: Document, wager: Wager) -> dict[str, int]:
    names = table.names(dict.fromkeys(row for outcome in wager.outcomes for row in _rows(outcome)[:-1]))
    dollars = {name: table.integer(name, 0, 1_000_000) for name in names}
    prizes = {}
    for outcome in wager.outcomes:
        row = next((row for row in _rows(outcome) if row in dollars), None)
        prizes[outcome.id] = dollars[row] * 100 if row else 0
    return prizes


def _readings(table: Document, game: Game) -> dict[str, Reading]:
    readings = {}
    for id_ in table.names():
        entry = table.table(id_)
        meanings = entry.table("values")
        names = meanings.names(map(str, game.switches[id_].values) if id_ in game.switches else ())
        if not names:
            raise entry.broken("values", "empty (at least one value is required)")
        readings[id_] = Reading(
            id=id_,
            where=entry.text("where"),
            question=entry.text("question"),
            values={value: meanings.text(value) for value in names},
            wagers=tuple(entry.items("wagers", game.wagers, default=[])),
            pay_tables=tuple(entry.items("pay_tables", default=[])),
            literal=entry.text("literal", allowed=names, default=names[0]),
            when={name: entry.table("when").text(name) for name in entry.table("when", optional=True).names(game.switches)},
        )
        entry.finish()
    return readings


def _approved(
    table: Document, game: Game, terms: Mapping[str, WagerTerms], readings: Mapping[str, Reading]
) -> dict[str, tuple[Value, ...]]:
    """The approved values of every switch, the default first."""
    approved: dict[str, tuple[Value, ...]] = {}
    for name, switch in game.switches.items():
        if name not in readings:
            approved[name] = tuple(table.items(name, switch.values, default=[switch.values[0]]))
            if not approved[name]:
                raise table.broken(name, f"empty (at least one of {', '.join(map(str, switch.values))} is required)")
    tables = dict.fromkeys(name for term in terms.values() if len(term.pays) > 1 for name in term.pays)
    if tables:
        approved[PAY_TABLE] = tuple(tables)
    table.finish()
    return approved | {id_: tuple(reading.values) for id_, reading in readings.items()}
