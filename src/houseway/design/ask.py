"""What is asked of an edition: a wager, bands, rows, and the settings under which everything must hold; as plain data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from houseway.design.bands import CASINO, CASINO_DOLLARS, band, numbers, pays, rows
from houseway.design.model import GOALS, Goal
from houseway.design.problem import OPEN, PayRow, Pays, Problem
from houseway.design.search import ALL_MOST
from houseway.kernels.count import Progress
from houseway.money import dollars, parse_cents
from houseway.odds.par_sheet import NOTHING_REMOVED, check_players, par_sheet, tally_of
from houseway.refusal import Refused, number_of, one_of
from houseway.rulebook.edition import PAY_TABLE, Edition
from houseway.rulebook.game import Outcome, Tally, Value, Wager
from houseway.rulebook.settings import Settings

MOST_CASES = 64
_FRONTIER_MOST = 50


@dataclass(frozen=True)
class Wish:
    """What a maker asks for, as written: bands, rows, pays and goal; every text is read when the search is asked."""

    edge: str
    hit: str = ""
    sd: str = ""
    top: str = ""
    rows: Mapping[str, str] | Sequence[str] = ()
    pays: str = ""
    envy: Mapping[str, str] | Sequence[str] = ()
    goal: str = "fewest-changes"
    most: int = 1
    any_order: bool = False
    frontier: int = 0
    players: str = "1"
    bets: str = "5"
    seconds: float = 60

    def checked_goal(self) -> Goal:
        """The goal, if it is one; and the numbers beside it."""
        if not 1 <= self.most <= ALL_MOST:
            raise Refused("bad-setting", f"{self.most} designs are not possible (possible: 1 to {ALL_MOST:,})")
        if not 0 <= self.frontier <= _FRONTIER_MOST or self.frontier == 1:
            raise Refused(
                "bad-setting", f"a frontier of {self.frontier} parts is not possible (possible: 2 to {_FRONTIER_MOST})"
            )
        if not 0 < self.seconds <= 3600:
            raise Refused("bad-setting", f"{self.seconds:g} seconds are not possible (possible: 1 to 3600)")
        named = one_of("goal", self.goal, GOALS)
        return next(goal for goal in GOALS if goal == named)


@dataclass(frozen=True)
class DesignCase:
    """Under what everything must hold: settings, how many players win envy for each other, and the size of the bet."""

    chosen: Mapping[str, Value]
    settings: Settings
    players: int
    bet_cents: int
    name: str

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {"settings": dict(self.chosen), "players": self.players, "bet_cents": self.bet_cents}


@dataclass(frozen=True)
class Draft:
    """A pay table of an edition, opened for a search: its rows as written, and the problem that they make.

    `written` are the names of the rows, in the order of the problem's; those of envy prizes come last.
    """

    edition: Edition
    wager: Wager
    table: str
    cases: tuple[DesignCase, ...]
    problem: Problem
    written: tuple[str, ...]
    wish: Wish
    goal: Goal
    lists: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @property
    def present(self) -> Pays:
        """What the rows pay now."""
        return tuple(row.present for row in self.problem.rows)

    @property
    def only_case(self) -> str:
        """What is taken for granted where one case alone is asked for: its settings that matter, players and bet for envy."""
        case = self.cases[0]
        decks = [number_of(int(case.settings["decks"]), "deck")] if "decks" in case.settings else []
        has_envy = self.edition.document["wagers"][self.wager.id].get("envy_dollars", {}).get(self.table)
        alone = "1 player, who wins no envy (--players 2..6)"
        several = f"{number_of(case.players, 'player')} and a bet of {dollars(case.bet_cents)}"
        return ", ".join([*decks, *([alone if case.players == 1 else several] if has_envy else [])])

    @property
    def tries_casino_numbers(self) -> bool:
        """Whether rows may pay the usual numbers only, because nobody said what else."""
        asked = rows(self.wish.rows)
        free = [row for row in self.problem.rows if not row.is_prize and len(row.pays) > 1]
        return not self.wish.pays and any(row.id not in asked for row in free)

    def name_of(self, row: str) -> str:
        """What people call a row."""
        return next((outcome.name for outcome in self.wager.outcomes if outcome.id == row), row)

    def pays_of(self, found: Pays) -> dict[str, Fraction]:
        """The pays by row, envy prizes left out."""
        each = zip(self.written, self.problem.rows, found, strict=True)
        return {name: pay for name, row, pay in each if not row.is_prize}

    def prizes_of(self, found: Pays) -> dict[str, int]:
        """The envy prizes in dollars, by row."""
        each = zip(self.written, self.problem.rows, found, strict=True)
        return {name: int(pay) for name, row, pay in each if row.is_prize}


def ask_design(
    edition: Edition,
    wager: str,
    wish: Wish,
    chosen: Mapping[str, Value],
    what_if: bool = False,
    progress: Progress | None = None,
) -> Draft:
    """Open a wager's pay table for a search; whatever cannot be is refused in one line."""
    asked, goal = edition.wager(wager), wish.checked_goal()
    if why_not := why_no_design(asked):
        raise Refused("no-design", why_not)
    lists = setting_lists(edition, chosen)
    cases = tuple(design_cases(edition, lists, wish, what_if))
    table = _table(edition, wager, cases[0].settings)
    written = written_rows(edition, wager, table)
    tallies = []
    for case in cases:
        par_sheet(
            edition, wager, case.settings, NOTHING_REMOVED, case.players, case.bet_cents, progress
        )  # refused if not offered
        tallies.append(tally_of(edition, asked, case.settings, NOTHING_REMOVED, progress))
    found = _pay_rows(edition, asked, table, written, tallies, wish)
    prizes = _prize_rows(edition, asked, table, tallies, cases, wish)
    all_rows = (*found.values(), *prizes.values())
    problem = Problem(
        rows=all_rows,
        edge=band(wish.edge, "edge", is_percent=True, most=1),
        hit=band(wish.hit, "hit", is_percent=True, most=1) if wish.hit else OPEN,
        variance=band(wish.sd, "sd", is_percent=False).squared() if wish.sd else OPEN,
        top=band(wish.top, "top", is_percent=False, least=1, whole=True) if wish.top else OPEN,
        rarer=() if wish.any_order else tuple(_rarer(all_rows)),
    )
    ends = problem.edge.least, problem.edge.most
    if wish.frontier and (None in ends or ends[0] == ends[1]):
        raise Refused("bad-band", "a frontier needs a band of the edge with two ends, such as 4%..9%")
    return Draft(edition, asked, table, cases, problem, (*found, *prizes), wish, goal, lists)


def setting_lists(edition: Edition, chosen: Mapping[str, Value]) -> dict[str, tuple[Value, ...]]:
    """The settings that are asked about, each with its values."""
    return {name: _values(edition, name, value) for name, value in _named(edition, chosen).items()}


def _named(edition: Edition, chosen: Mapping[str, Value]) -> dict[str, Value]:
    known = edition.approved
    return {one_of("setting", name.replace("_", "-"), known): value for name, value in chosen.items()}


def _values(edition: Edition, name: str, given: Value) -> tuple[Value, ...]:
    """The values of a setting, as a list is written: `1..8`, `semi,full`."""
    switch = edition.game.switches.get(name)
    if isinstance(given, int) or (switch and switch.allows_file(given)):
        return (given,)
    if name == PAY_TABLE and "," in given:
        raise Refused("bad-setting", f"pay-table {given[:40]}: one pay table is designed at a time")
    if switch and all(isinstance(value, int) for value in switch.values):
        known = [int(value) for value in switch.values]
        return numbers(given, name, min(known), max(known))
    return tuple(dict.fromkeys(part.strip() for part in given.split(",")))


def why_no_design(wager: Wager) -> str:
    """Why the pays of a wager cannot be designed; empty where they can."""
    if wager.count is None:
        return f"{wager.id} is placed by a decision, as part of {wager.needs}: it has no odds of its own"
    if wager.strategy or wager.rides or wager.simulated:
        how = f": {wager.strategy}" if wager.strategy else ""
        return f"{wager.id} hangs on how guests decide{how}; only what cards alone decide can be designed"
    return ""


def design_cases(edition: Edition, lists: Mapping[str, tuple[Value, ...]], wish: Wish, what_if: bool) -> Iterable[DesignCase]:
    """Every case in which all must hold; too many are refused."""
    players = numbers(wish.players, "players", 1, 6)
    bets = tuple(dict.fromkeys(parse_cents(bet, "bet") for bet in wish.bets.split(",")))
    for count in players:
        check_players(edition, count)
    size = len(players) * len(bets)
    for values in lists.values():
        size *= len(values)
    if size > MOST_CASES:
        raise Refused("bad-setting", f"{size} cases at once are too many (at most {MOST_CASES}): ask for fewer settings")
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        settings = _settings(edition, chosen, what_if)
        for count, cents in product(players, bets):
            words = [f"{name} {chosen[name]}" for name in lists if name != PAY_TABLE]
            words += [number_of(count, "player")] if len(players) > 1 or count > 1 else []
            words += [f"a bet of {dollars(cents)}"] if len(bets) > 1 or count > 1 else []
            yield DesignCase(chosen, settings, count, cents, ", ".join(words))


def _settings(edition: Edition, chosen: Mapping[str, Value], what_if: bool) -> Settings:
    try:
        return edition.settings(chosen, what_if)
    except Refused as refused:
        anyway = "; --what-if designs for it anyway" if refused.code == "outside-approval" else ""
        raise Refused(refused.code, f"{refused.message}{anyway}") from None


def _table(edition: Edition, wager: str, settings: Settings) -> str:
    tables = edition.wagers[wager].pays
    return str(settings[PAY_TABLE]) if len(tables) > 1 else next(iter(tables))


def content_table(document: Mapping[str, Any], wager: str, table: str) -> dict[str, str]:
    """A pay table as an edition's content has it: by its name, or the only one."""
    given: dict[str, Any] = document["wagers"][wager]["pays"]
    nested: dict[str, str] = given[table] if all(isinstance(value, dict) for value in given.values()) else given
    return nested


def written_rows(edition: Edition, wager: str, table: str) -> dict[str, Fraction]:
    """The rows as written, with what they pay now."""
    names = content_table(edition.document, wager, table)
    nets = {
        _paid_by(outcome, names): edition.wagers[wager].pays[table][outcome.id].net
        for outcome in edition.game.wagers[wager].outcomes
    }
    return {name: nets[name] for name in names if name in nets}


def _paid_by(outcome: Outcome, names: Iterable[str]) -> str:
    """The row that pays an outcome: its own, else the first that it falls to, else `otherwise`."""
    known = list(names)
    return next(row for row in (outcome.id, *outcome.falls_to, "otherwise") if row in known)


def _chances(wager: Wager, row_of: Mapping[str, str], row: str, tallies: Sequence[Tally]) -> tuple[Fraction, ...]:
    return tuple(
        Fraction(
            sum(n for outcome, n in zip(wager.outcomes, tally.counts, strict=True) if row_of.get(outcome.id) == row),
            tally.total,
        )
        for tally in tallies
    )


def _pay_rows(
    edition: Edition, wager: Wager, table: str, written: Mapping[str, Fraction], tallies: Sequence[Tally], wish: Wish
) -> dict[str, PayRow]:
    """Every row with what it may pay: what is asked, else the usual pays where it pays now, else as now."""
    asked, names = rows(wish.rows), content_table(edition.document, wager.id, table)
    for name in asked:
        one_of("row", name, written)
    usual = pays(wish.pays, "pays") if wish.pays else ()
    if any(pay <= 0 for pay in usual):
        raise Refused("bad-pay", "pays: push and lose are asked for row by row (--rows ROW=lose,1,2), not for all")
    row_of = {outcome.id: _paid_by(outcome, names) for outcome in wager.outcomes}
    result = {}
    for name, present in written.items():
        chances = _chances(wager, row_of, name, tallies)
        may_pay: tuple[Fraction, ...] = (present,)
        if name in asked:
            may_pay = (present,) if asked[name] == "same" else pays(asked[name], f"rows: {name}")
        elif present > 0 and any(chances):
            may_pay = usual or tuple(sorted({present, *map(Fraction, CASINO)}))
        result[name] = PayRow(name, may_pay, present, chances)
    return result


def _prize_rows(
    edition: Edition, wager: Wager, table: str, tallies: Sequence[Tally], cases: Sequence[DesignCase], wish: Wish
) -> dict[str, PayRow]:
    """The envy prizes in dollars, if there are any and somebody could win them."""
    terms, asked = edition.wagers[wager.id], rows(wish.envy, "envy")
    prizes: dict[str, int] = edition.document["wagers"][wager.id].get("envy_dollars", {}).get(table, {})
    if asked and not prizes:
        raise Refused("no-envy", f"{wager.id} has no envy prizes in pay table {table}")
    for name in asked:
        one_of("row", name, prizes)
    if asked and all(case.players == 1 for case in cases):
        raise Refused("no-envy", "envy is won for other players' hands: say how many play (--players 2..6)")
    if not prizes or all(case.players == 1 for case in cases):
        return {}
    row_of = {outcome.id: row for outcome in wager.outcomes for row in (outcome.id, *outcome.falls_to)[::-1] if row in prizes}
    result = {}
    for name, present in prizes.items():
        chances = _chances(wager, row_of, name, tallies)
        worths = tuple(
            chance * 100 * (case.players - 1) / case.bet_cents if case.bet_cents >= terms.envy_min_bet_cents else Fraction(0)
            for chance, case in zip(chances, cases, strict=True)
        )
        may_be: tuple[Fraction, ...] = (Fraction(present),)
        if name in asked and asked[name] != "same":
            may_be = pays(asked[name], f"envy: {name}", CASINO_DOLLARS)
            if any(prize <= 0 or prize.denominator != 1 for prize in may_be):
                raise Refused("bad-pay", f"envy: {name}={asked[name][:40]} is not possible: whole dollars are required")
        result[name] = PayRow(name, may_be, Fraction(present), chances, worths)
    return result


def _rarer(all_rows: Sequence[PayRow]) -> Iterable[tuple[int, int]]:
    """The pairs of rows of which the first is the rarer in every case; rows that nobody may change are not compared."""
    for (first, one), (second, other) in product(enumerate(all_rows), repeat=2):
        if first == second or one.is_prize != other.is_prize or len(one.pays) == len(other.pays) == 1:
            continue
        is_rarer = all(mine <= theirs for mine, theirs in zip(one.chances, other.chances, strict=True))
        if is_rarer and one.chances != other.chances and one.pays[-1] > 0 < other.pays[-1]:
            yield first, second
