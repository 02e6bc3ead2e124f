"""Printing editions, clauses and readings."""

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.api import Rulebook
from houseway.approval import system
from houseway.cli.text import Format, show_csv, show_json
from houseway.games import readable_editions
from houseway.house.standing import standing
from houseway.money import dollars
from houseway.odds.par_sheet import par_sheet
from houseway.refusal import Refused, one_of
from houseway.rulebook import Clause, Edition, Reading, Settings
from houseway.solve.answer import edge_percent, percent, ratio, table
from houseway.solve.solver import best_edge, solved_sheet, solver_of

UNREAD = "cannot be read"


def status(edition: Edition) -> str:
    """Whether the rules are the approved ones, on the program that was released; what is modified is named."""
    return str(standing(edition))


def describe(edition: Edition) -> dict[str, Any]:
    """An edition in a row."""
    badge = standing(edition)
    return {
        "edition": edition.id,
        "name": edition.name,
        "maker": edition.approval.maker,
        "approval": badge.approval,
        "status": str(badge),
        "digest": badge.rules,
        "behaviour": badge.behaviour,
        "differences": list(badge.differences),
        "system_changes": list(badge.system_changes),
        "wagers": list(edition.wagers),
    }


def show_editions(format_: Format, own: Sequence[dict[str, Any]] = ()) -> None:
    """List every edition, those of one's own last."""
    editions, flaws = readable_editions()
    rows = [*(describe(edition) for edition in editions), *own]
    if format_ is Format.JSON:
        show_json(rows)
    elif format_ is Format.CSV:
        joined = {"differences": "; ", "system_changes": "; ", "wagers": " "}
        show_csv([row | {name: by.join(row[name]) for name, by in joined.items()} for row in rows])
    else:
        head = ("edition", "game", "approval", "rules", "digest")
        body = [(r["edition"], r["name"], r["approval"], r["status"].split(":")[0], r["digest"][:12]) for r in rows]
        print(table([head, *body]))
        for row in rows:
            if row["status"].startswith(UNREAD):
                print(f"  {row['edition']}: {row['status']}")
            for difference in row["differences"]:
                print(f"  {row['edition']}: {difference}")
        for change in system().changes:
            print(f"  changed system: {change}")
        if problem := system().problem:
            print(f"  release not verified: {problem}")
        if system().outside:
            print(f"  {system().outside_words}")
    for flaw in flaws:
        print(f"houseway: left out: {flaw}", file=sys.stderr)
    from houseway.house.editions import look_into_folder  # only now: other questions of a book need no house

    for line in look_into_folder().left_out:
        print(f"houseway: {line}", file=sys.stderr)


def clause_row(clause: Clause) -> dict[str, Any]:
    """A clause with what it stands for, by what it is carried out, and how one sees that."""
    return {
        "id": clause.id,
        "kind": clause.kind,
        "text": clause.text,
        "source": str(clause.source),
        "sentences": list(clause.sentences),
        "carried_out": list(clause.carried_out),
        "seen": clause.seen,
    }


def _told_of(row: dict[str, Any]) -> list[str]:
    lines = [f"In the document: {'; '.join(row['sentences'])}."] if row["sentences"] else []
    lines += [f"Carried out by: {', '.join(row['carried_out'])}."] if row["carried_out"] else []
    return lines + ([f"At the table: {row['seen']}."] if row["seen"] else [])


def show_rules(name: str, clause: str | None, format_: Format) -> None:
    """Show an edition's clauses, or one of them."""
    book = Rulebook.open(name)
    clauses = book.clauses
    if clause:
        by_upper = {id_.upper(): id_ for id_ in clauses}
        clauses = {by_upper[one_of("clause", clause.upper(), by_upper)]: clauses[by_upper[clause.upper()]]}
    rows = [clause_row(each) for each in clauses.values()]
    if format_ is Format.JSON:
        show_json(rows)
    elif format_ is Format.CSV:
        show_csv([row | {name: "; ".join(row[name]) for name in ("sentences", "carried_out")} for row in rows])
    else:
        if not clause:
            print(f"{book.edition.name}: {standing(book.edition).heading}")
            for wager, terms in book.edition.wagers.items():  # EZB-0b, LLB-3: limits are shown to the players
                bounds = f"{dollars(terms.limits.min_cents)} to {dollars(terms.limits.max_cents)}"
                print(f"  {wager}: {bounds} ({terms.limits.source})")
            for clause_id, what in book.edition.layout.items():
                print(f"  layout, {clause_id}: {what}")
            print()
        for row in rows:
            head = f"{row['id']:8} {row['kind']:10} "
            print(textwrap.fill(row["text"], 110, initial_indent=head, subsequent_indent=" " * len(head)))
            for words in _told_of(row) if clause else ():
                print(textwrap.fill(words, 110, initial_indent=" " * len(head), subsequent_indent=" " * (len(head) + 2)))
        for source in dict.fromkeys(row["source"] for row in rows):
            print(f"\nSource: {source}" if clause else f"\nFrom: {source}")


@dataclass(frozen=True)
class ReadingEdge:
    """The house edge of a wager under a value of a reading: as its par sheet has it, and for the best player if he decides.

    Nothing of a wager that is not offered so. `slow`: best play takes minutes, and is asked for by `odds --player best`.
    """

    edge: Fraction | None
    strategy: str = ""
    best: Fraction | float | None = None
    slow: bool = False

    def as_data(self) -> dict[str, Any] | None:
        """As JSON has it."""
        if self.edge is None:
            return None
        data = _edge_data(self.edge) | ({"strategy": self.strategy} if self.strategy else {})
        return data | ({"best_play": None if self.best is None else _edge_data(self.best)} if self.strategy else {})

    def __str__(self) -> str:
        if self.edge is None:
            return "not offered"
        if not self.strategy:
            return edge_percent(self.edge, 3)
        best = "" if self.best is None else f"{edge_percent(self.best, 3)} by best play, "
        asks = "; best play takes minutes: odds --player best" if self.slow else ""
        return f"{best}{edge_percent(self.edge, 3)} ({self.strategy}{asks})"


def _edge_data(edge: Fraction | float) -> dict[str, Any]:
    whose = "house" if edge > 0 else "player" if edge < 0 else "nobody"
    return {"exact": ratio(edge) if isinstance(edge, Fraction) else "", "percent": float(edge * 100), "for": whose}


def _reading_rows(edition: Edition, reading: Reading) -> list[dict[str, Any]]:
    rows = []
    for value, meaning in reading.values.items():
        edges = {}
        for wager in reading.wagers:
            settings = edition.settings({**reading.when, reading.id: value})
            try:
                edges[wager] = _edge(edition, wager, settings, reading.player, reading.players.get(value, 1))
            except Refused as refused:
                assert refused.code == "not-offered"
                edges[wager] = ReadingEdge(None)
        sources = [source for source, chosen in edition.defaults.items() if chosen.get(reading.id) == value]
        rows.append({"value": value, "meaning": meaning, "edges": edges, "default_for": sources})
    return rows


def _edge(edition: Edition, wager: str, settings: Settings, player: str, players: int = 1) -> ReadingEdge:
    """The edge against a player who decides in some way, if the reading matters to him alone; otherwise the par sheet's.

    One that hangs on the player's decisions is told for the best ones as well.
    """
    if player:
        return ReadingEdge(solved_sheet(edition, wager, settings, player).house_edge, f"player: {player}")
    edge, strategy = par_sheet(edition, wager, settings, players=players).house_edge, edition.game.wagers[wager].strategy
    if not strategy:
        return ReadingEdge(edge)
    return ReadingEdge(edge, strategy, best_edge(edition, wager, settings), wager in solver_of(edition).slow)


def effect_of(edition: Edition, reading: Reading, value: str) -> str:
    """What a value of a reading of a short bank comes to, in the game's own example of one."""
    from houseway.table.bank import COVERING  # only now: odds need no table
    from houseway.table.short_bank import short_bank

    example = edition.game.face.short_bank
    if edition.banked_by != "player" or reading.id not in COVERING or example is None:
        return ""
    bets = dict(enumerate(example.bets, 2))
    found = short_bank(edition, edition.settings({reading.id: value}), bets, example.stake_cents)
    edges = ", ".join(f"seat {seat} {_loses(edge)} {percent(abs(edge), 3)}" for seat, edge in found.edges.items())
    wins = found.bank_wins_cents
    return f"the bank {_loses(-wins)} ${float(abs(wins)) / 100:.3f} a hand, {edges}"


def _loses(cents: Fraction) -> str:
    return "wins" if cents < 0 else "loses"


def _example_words(edition: Edition) -> str:
    """The example in words."""
    example = edition.game.face.short_bank
    if edition.banked_by != "player" or example is None:
        return ""
    seats = (
        f"seat {seat} bets "
        + " and ".join(f"{dollars(cents)} on {edition.game.wagers[name].name}" for name, cents in bets.items())
        for seat, bets in enumerate(example.bets, 2)
    )
    banks = f"of {edition.usual_seats} seats, seat 1 banks with {dollars(example.stake_cents)}"
    return f"\n  A short bank, on average: {banks}, {', '.join(seats)}."


def _plain_cells(row: dict[str, Any], edges: dict[str, ReadingEdge]) -> dict[str, Any]:
    """A value of a reading as a row of a CSV file: yes or no, names with a space between, edges as people read them."""
    return row | {
        "default": "yes" if row["default"] else "no",
        "default_for": " ".join(row["default_for"]),
        "house_edge": _edges_told(edges),
    }


def _edges_told(edges: dict[str, ReadingEdge], edition: Edition | None = None) -> str:
    """The edges by wager: by its id for programs, by its name in an edition for people."""
    return "; ".join(f"{edition.game.wagers[wager].name if edition else wager} {edge}" for wager, edge in edges.items())


def show_readings(name: str, format_: Format) -> None:
    """Show every reading with its values; where a value changes a wager, the house edge under it."""
    edition = Rulebook.open(name).edition
    readings = {id_: (reading, _reading_rows(edition, reading)) for id_, reading in edition.readings.items()}
    flat = [
        {
            "reading": id_,
            "where": reading.where,
            "question": reading.question,
            "value": row["value"],
            "default": place == 0,
            "default_for": row["default_for"],
            "meaning": row["meaning"],
            "effect": effect_of(edition, reading, row["value"]) or reading.effect,
            "house_edge": {wager: edge.as_data() for wager, edge in row["edges"].items()},
        }
        for id_, (reading, rows) in readings.items()
        for place, row in enumerate(rows)
    ]
    if format_ is Format.JSON:
        show_json(flat)
    elif format_ is Format.CSV:
        edges = [row["edges"] for _, rows in readings.values() for row in rows]
        show_csv([_plain_cells(row, of_wagers) for row, of_wagers in zip(flat, edges, strict=True)])
    else:
        for id_, (reading, rows) in readings.items():
            head = f"{id_:4} {reading.where}: "
            print(textwrap.fill(head + reading.question, 110, subsequent_indent="     "))
            for place, row in enumerate(rows):
                mark = "*" if place == 0 else " "
                default = f" (the default of a table with {', '.join(row['default_for'])})" if row["default_for"] else ""
                meaning = f": {row['meaning']}" if row["meaning"] != row["value"] else ""
                effect = _edges_told(row["edges"], edition) or effect_of(edition, reading, row["value"])
                print(f"     {mark} {row['value']}{meaning}{default}" + (f"  [{effect}]" if effect else ""))
            if reading.effect:
                print(textwrap.fill(f"It changes {reading.effect}.", 110, initial_indent="     ", subsequent_indent="     "))
        about = "In brackets the house edge, where the reading changes a wager; a negative one is for the player."
        print(f"\n* the default. {about}" + _example_words(edition))
