"""An edition: a rulebook as approved. Pay tables, settings, readings, limits and card sources from one TOML file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from houseway.refusal import Refused, one_of, to_type
from houseway.rulebook.clause import Clause, read_clauses
from houseway.rulebook.document import Known, Section, broken, check_keys, hint, problem, read
from houseway.rulebook.game import Game, Outcome, Value, Wager
from houseway.rulebook.pay import Pay
from houseway.rulebook.settings import Settings

PAY_TABLE = "pay-table"
_SOURCES = ("virtual-shoe", "manual-keypad", "hand-keyed", "shuffler", "smart-shoe")
_CENTS_MOST = 100_000_000
_Cents = Annotated[int, Field(ge=1, le=_CENTS_MOST)]
_CentsOrNone = Annotated[int, Field(ge=0, le=_CENTS_MOST)]
_Dollars = Annotated[int, Field(ge=0, le=1_000_000)]
_ChipUnit = Annotated[int, Field(ge=1, le=10_000)]


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
    names the settings under which the question arises. Where it matters only to a player who decides in some way, `player`
    is that one, of those that the game's solver knows; where it says who counts as a player, `players` are how many do, under
    each value, in an example. `effect` says what it changes where that is no wager's odds, or what the example is.
    """

    id: str
    where: str
    question: str
    values: Mapping[str, str]
    wagers: tuple[str, ...]
    pay_tables: tuple[str, ...]
    literal: str
    when: Mapping[str, str]
    player: str
    effect: str = ""
    players: Mapping[str, int] = field(default_factory=dict)


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
    """A game with everything that its approval fixes; `document` is the plain data that it was read from.

    `seats` are the numbers of positions that a table may have, if not any up to the game's; `defaults` are settings that a
    table with cards of a source opens with, where they are not the edition's first. `bank_chip_cents` is the chip to which a
    player's bank rounds what it covers of a wager (R12b).
    """

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
    bank_chip_cents: int
    banked_by: str
    seats: tuple[int, ...]
    defaults: Mapping[str, Mapping[str, Value]]
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

    @cached_property
    def offered(self) -> dict[str, Wager]:
        """The wagers that this edition has, in the game's order."""
        return {name: wager for name, wager in self.game.wagers.items() if name in self.wagers}

    def wager(self, id_: str) -> Wager:
        """The wager of this name, if the edition offers it."""
        return self.game.wagers[one_of("wager", id_, self.wagers, self._names)]

    def bettable(self, id_: str) -> Wager:
        """The wager of this name, if it can be bet: one that follows another is placed by a choice."""
        return self.game.wagers[one_of("wager", id_, self._bettable, self._names)]

    @cached_property
    def _bettable(self) -> tuple[str, ...]:
        return tuple(id_ for id_ in self.wagers if not self.game.wagers[id_].follows)

    @cached_property
    def _names(self) -> dict[str, str]:
        return {id_: wager.name for id_, wager in self.game.wagers.items()}

    def name_of(self, wager: str) -> str:
        """A wager as people call it; what the game does not know as it was written."""
        return self._names.get(wager, wager)

    def to_type(self, wagers: Iterable[str]) -> str:
        """Wagers as they are typed, each with what people call it: those that can be bet."""
        return ", ".join(to_type(id_, self.name_of(id_)) for id_ in wagers if not self.game.wagers[id_].follows)

    def house_player_bets(self) -> dict[str, int]:
        """What the house's own player bets at a table of this edition: as the game's face says, else its first wager."""
        bets = {wager: cents for wager, cents in self.game.face.demo.bets.items() if wager in self.wagers}
        first = next(iter(self.wagers))
        return bets or {first: self.wagers[first].limits.min_cents}

    def pay(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> Pay:
        """What this outcome pays: every outcome has exactly one pay."""
        return self.wagers[wager].pays[self._table(wager, settings)][outcome]

    def possible(self, wager: str, settings: Mapping[str, Value]) -> tuple[Outcome, ...]:
        """The outcomes that can happen under these settings: those whose pays are posted."""
        asked = self.game.wagers[wager]
        never = asked.impossible(settings)
        return tuple(outcome for outcome in asked.outcomes if outcome.id not in never)

    def row(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> str:
        """The outcome in whose row of the pay table this one is paid."""
        return self.wagers[wager].rows[self._table(wager, settings)][outcome]

    def envy_cents(self, wager: str, outcome: str, settings: Mapping[str, Value]) -> int:
        """The fixed prize when another player's hand ends in this outcome."""
        return self.wagers[wager].envy_cents.get(self._table(wager, settings), {}).get(outcome, 0)

    def _table(self, wager: str, settings: Mapping[str, Value]) -> str:
        tables = self.wagers[wager].pays
        return str(settings[PAY_TABLE]) if len(tables) > 1 else next(iter(tables))

    def check_seats(self, seats: int) -> None:
        """Refuse a table with a number of positions that it cannot have."""
        possible = self.seats or range(1, self.game.dealing.seats + 1)
        if seats not in possible:
            listed = " or ".join(map(str, self.seats)) or f"1 to {self.game.dealing.seats}"
            raise Refused("bad-seats", f"{str(seats)[:20]} seats are not possible (possible: {listed})")

    @property
    def usual_seats(self) -> int:
        """How many positions a table has if nothing is said."""
        return max(self.seats) if self.seats else min(7, self.game.dealing.seats)

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
            raise Refused("outside-approval", f"outside the approval: {'; '.join(outside)}")
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


class _Limits(Section):
    min_cents: _Cents
    max_cents: _Cents
    source: str

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.max_cents < self.min_cents:
            allowed = f"a whole number from {self.min_cents} to {_CENTS_MOST}"
            raise problem(f"{self.max_cents} is not allowed ({allowed} is required)", "max_cents")
        return self


class _Approval(Section):
    on_file: bool = True
    maker: str = ""
    date: str = ""
    jurisdiction: str = ""
    conditions: list[Annotated[str, Known("clauses")]] = Field(default_factory=list)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        for name in type(self).model_fields if self.on_file else ():
            if name != "on_file" and name not in self.model_fields_set:
                raise problem("missing (it is required where an approval is on file)", name)
        return self


class _Cards(Section):
    sources: list[Annotated[str, Known("sources")]]
    refused: dict[Annotated[str, Known("sources")], str] = Field(default_factory=dict)
    defaults: dict[Annotated[str, Known("sources")], dict[str, str | int]] = Field(default_factory=dict)


class _Reading(Section):
    where: str
    question: str
    values: dict[str, str]
    wagers: list[Annotated[str, Known("wagers")]] = Field(default_factory=list)
    pay_tables: list[str] = Field(default_factory=list)
    literal: str = ""
    when: dict[Annotated[str, Known("switches")], str] = Field(default_factory=dict)
    player: str = ""
    effect: str = ""
    players: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)


class _Wager(Section):
    pays: dict[str, Any]
    envy_dollars: dict[str, dict[str, _Dollars]] = Field(default_factory=dict)
    envy_min_bet_cents: _CentsOrNone = 0
    limits: _Limits | None = None


class _Edition(Section):
    """An edition's file, as far as its form goes; what its names may be, the game says."""

    id: str
    name: str
    game: Annotated[str, Known("games")]
    clauses: list[Annotated[str, Known("families")]]
    approval: _Approval
    cards: _Cards
    limits: _Limits
    settings: dict[str, list[Any]]
    wagers: dict[Annotated[str, Known("wagers")], _Wager]
    readings: dict[str, _Reading] = Field(default_factory=dict)
    chip_unit_cents: _ChipUnit = 1
    bank_chip_cents: _ChipUnit = 1
    banked_by: Literal["house", "player"] = "house"
    seats: list[Annotated[int, Field(ge=1)]] = Field(default_factory=list)
    layout: dict[str, str] = Field(default_factory=dict)
    cites: dict[str, str] = Field(default_factory=dict)


class _Named(Section):
    """What must be known before all else: whose edition it is."""

    model_config = ConfigDict(extra="ignore")
    game: Annotated[str, Known("games")]


def load_edition(data: dict[str, Any], label: str, names: Iterable[str], find_game: Callable[[str], Game]) -> Edition:
    """Read an edition; anything unknown, missing or out of bounds is refused with label, key and what is allowed."""
    games = list(names)
    game = find_game(read(_Named, data, label, games=games).game)
    clauses, readings_given = read_clauses(game.folder), data.get("readings")
    top: _Edition = read(
        _Edition,
        data,
        label,
        games=games,
        clauses=clauses,
        families=dict.fromkeys(id_.split("-")[0] for id_ in clauses),
        sources=_SOURCES,
        wagers=game.wagers,
        switches=[*game.switches, *(readings_given if isinstance(readings_given, dict) else ())],
    )
    limits = _limits(top.limits)
    terms = {name: _terms(label, name, terms, game.wagers[name], limits) for name, terms in top.wagers.items()}
    readings = {id_: _reading(label, id_, reading, game) for id_, reading in top.readings.items()}
    approved = _approved(label, top.settings, game, terms, readings)
    for source, values in top.cards.defaults.items():
        _check_defaults(label, source, values, approved)
    if any(seats > game.dealing.seats for seats in top.seats):
        raise broken(label, "seats", f"{top.seats} is not allowed (at most {game.dealing.seats} in this game)")
    return Edition(
        id=top.id,
        name=top.name,
        label=label,
        game=game,
        families=tuple(top.clauses),
        approval=Approval(**top.approval.model_dump(exclude={"conditions"}), conditions=tuple(top.approval.conditions)),
        sources=tuple(top.cards.sources),
        refused_sources=top.cards.refused,
        limits=limits,
        chip_unit_cents=top.chip_unit_cents,
        bank_chip_cents=top.bank_chip_cents,
        banked_by=top.banked_by,
        seats=tuple(top.seats),
        defaults=top.cards.defaults,
        approved=approved,
        readings=readings,
        wagers=terms,
        layout=top.layout,
        cites=top.cites,
        document=data,
    )


def _check_defaults(label: str, source: str, values: Mapping[str, Value], approved: Mapping[str, tuple[Value, ...]]) -> None:
    """What a source's tables open with must be approved."""
    key = f"cards.defaults.{source}"
    check_keys(label, key, values, approved)
    for name, value in values.items():
        if value not in approved[name]:
            raise broken(label, f"{key}.{name}", f"{value!r} is not allowed{hint(str(value), list(map(str, approved[name])))}")


def _limits(limits: _Limits) -> Limits:
    return Limits(limits.min_cents, limits.max_cents, limits.source)


def _terms(label: str, name: str, given: _Wager, wager: Wager, limits: Limits) -> WagerTerms:
    key = f"wagers.{name}.pays"
    if not given.pays:
        raise broken(label, key, "empty (a pay for every outcome is required)")
    nested = all(isinstance(value, dict) for value in given.pays.values())
    tables = {table: f"{key}.{table}" for table in given.pays} if nested else {"standard": key}
    rows = {table: _pay_rows(label, at, given.pays[table] if nested else given.pays, wager) for table, at in tables.items()}
    check_keys(label, f"wagers.{name}.envy_dollars", given.envy_dollars, tables)
    prizes = dict.fromkeys(row for outcome in wager.outcomes for row in _rows(outcome)[:-1])
    for table, dollars in given.envy_dollars.items():
        check_keys(label, f"wagers.{name}.envy_dollars.{table}", dollars, prizes)
    return WagerTerms(
        pays={table: _pays(label, tables[table], own, wager) for table, own in rows.items()},
        rows={table: _paid_in(own, wager) for table, own in rows.items()},
        envy_cents={table: _envy(dollars, wager) for table, dollars in given.envy_dollars.items()},
        envy_min_bet_cents=given.envy_min_bet_cents,
        limits=_limits(given.limits) if given.limits else limits,
    )


def _rows(outcome: Outcome) -> tuple[str, ...]:
    return (outcome.id, *outcome.falls_to, "otherwise")


def _as_pay(text: str) -> Pay:
    try:
        return Pay.parse(text)
    except Refused as refused:
        raise problem(refused.message) from None


_PayRows = dict[Annotated[str, Known("rows")], Annotated[str, AfterValidator(_as_pay)]]


def _pay_rows(label: str, key: str, given: Any, wager: Wager) -> dict[str, Pay]:
    """The rows of a pay table, as they are written."""
    names = dict.fromkeys(row for outcome in wager.outcomes for row in _rows(outcome))
    rows: dict[str, Pay] = read(_PayRows, given, label, key, rows=names)
    return rows


def _pays(label: str, key: str, rows: Mapping[str, Pay], wager: Wager) -> dict[str, Pay]:
    """The pay of every outcome: its own row, else the first row it falls to, else `otherwise`."""
    pays = {}
    for outcome in wager.outcomes:
        paid_by = next((name for name in _rows(outcome) if name in rows), None)
        if paid_by is None:
            raise broken(label, f"{key}.{outcome.id}", 'missing (a pay such as "40 to 1", "push" or "lose" is required)')
        pays[outcome.id] = rows[paid_by]
    return pays


def _paid_in(rows: Mapping[str, Pay], wager: Wager) -> dict[str, str]:
    """The outcome in whose row each is paid; itself, where the row is of no outcome."""
    ids = {outcome.id for outcome in wager.outcomes}
    paid_by = {o.id: next((row for row in _rows(o) if row in rows), o.id) for o in wager.outcomes}
    return {outcome: row if row in ids else outcome for outcome, row in paid_by.items()}


def _envy(dollars: Mapping[str, int], wager: Wager) -> dict[str, int]:
    prizes = {}
    for outcome in wager.outcomes:
        row = next((row for row in _rows(outcome) if row in dollars), None)
        prizes[outcome.id] = dollars[row] * 100 if row else 0
    return prizes


def _reading(label: str, id_: str, given: _Reading, game: Game) -> Reading:
    key, names = f"readings.{id_}", list(given.values)
    if id_ in game.switches:
        check_keys(label, f"{key}.values", names, map(str, game.switches[id_].values))
    if not names:
        raise broken(label, f"{key}.values", "empty (at least one value is required)")
    if "literal" in given.model_fields_set and given.literal not in names:
        raise broken(label, f"{key}.literal", f'"{given.literal}" is not allowed{hint(given.literal, names)}')
    return Reading(
        id=id_,
        where=given.where,
        question=given.question,
        values=given.values,
        wagers=tuple(given.wagers),
        pay_tables=tuple(given.pay_tables),
        literal=given.literal or names[0],
        when=given.when,
        player=given.player,
        effect=given.effect,
        players=given.players,
    )


def _approved(
    label: str,
    settings: Mapping[str, list[Any]],
    game: Game,
    terms: Mapping[str, WagerTerms],
    readings: Mapping[str, Reading],
) -> dict[str, tuple[Value, ...]]:
    """The approved values of every switch, the default first."""
    switches = {name: switch for name, switch in game.switches.items() if name not in readings}
    check_keys(label, "settings", settings, switches)
    approved: dict[str, tuple[Value, ...]] = {}
    for name, switch in switches.items():
        values, possible = settings.get(name, [switch.values[0]]), list(map(str, switch.values))
        for value in values:
            if not any(value == known and type(value) is type(known) for known in switch.values):
                raise broken(label, f"settings.{name}", f"{value!r} is not allowed{hint(str(value), possible)}")
        if not values:
            raise broken(label, f"settings.{name}", f"empty (at least one of {', '.join(possible)} is required)")
        approved[name] = tuple(values)
    tables = dict.fromkeys(name for term in terms.values() if len(term.pays) > 1 for name in term.pays)
    if tables:
        approved[PAY_TABLE] = tuple(tables)
    return approved | {id_: tuple(reading.values) for id_, reading in readings.items()}
