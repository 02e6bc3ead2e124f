"""Printing editions, clauses and readings."""

import json
import sys
import textwrap
from collections.abc import Sequence
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
from houseway.rulebook import Edition, Reading
from houseway.solve.answer import percent, ratio, table

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
    for flaw in flaws:
        print(f"houseway: left out: {flaw}", file=sys.stderr)
    from houseway.house.editions import look_into_folder  # only now: other questions of a book need no house

    for line in look_into_folder().left_out:
        print(f"houseway: {line}", file=sys.stderr)


def show_rules(name: str, clause: str | None, format_: Format) -> None:
    """Show an edition's clauses, or one of them."""
    book = Rulebook.open(name)
    clauses = book.clauses
    if clause:
        by_upper = {id_.upper(): id_ for id_ in clauses}
        clauses = {by_upper[one_of("clause", clause.upper(), by_upper)]: clauses[by_upper[clause.upper()]]}
    rows = [{"id": c.id, "kind": c.kind, "text": c.text, "source": str(c.source)} for c in clauses.values()]
    if format_ is Format.JSON:
        show_json(rows)
    elif format_ is Format.CSV:
        show_csv(rows)
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
        for source in dict.fromkeys(row["source"] for row in rows):
            print(f"\nSource: {source}" if clause else f"\nFrom: {source}")


def _reading_rows(edition: Edition, reading: Reading) -> list[dict[str, Any]]:
    rows = []
    for value, meaning in reading.values.items():
        edges: dict[str, Fraction | None] = {}
        for wager in reading.wagers:
            try:
                edges[wager] = par_sheet(edition, wager, edition.settings({**reading.when, reading.id: value})).house_edge
            except Refused as refused:
                assert refused.code == "not-offered"
                edges[wager] = None
        rows.append({"value": value, "meaning": meaning, "edges": edges})
    return rows


def _edge_text(edition: Edition, wager: str, edge: Fraction | None) -> str:
    strategy = edition.game.wagers[wager].strategy
    return f"{wager} {'not offered' if edge is None else percent(edge, 3)}" + (f" ({strategy})" if strategy else "")


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
            "meaning": row["meaning"],
            "house_edge": {
                wager: None if edge is None else {"exact": ratio(edge), "percent": float(edge * 100)}
                for wager, edge in row["edges"].items()
            },
        }
        for id_, (reading, rows) in readings.items()
        for place, row in enumerate(rows)
    ]
    if format_ is Format.JSON:
        show_json(flat)
    elif format_ is Format.CSV:
        show_csv([row | {"house_edge": json.dumps(row["house_edge"])} for row in flat])
    else:
        for id_, (reading, rows) in readings.items():
            head = f"{id_:4} {reading.where}: "
            print(textwrap.fill(head + reading.question, 110, subsequent_indent="     "))
            for place, row in enumerate(rows):
                edges = "; ".join(_edge_text(edition, wager, edge) for wager, edge in row["edges"].items())
                mark = "*" if place == 0 else " "
                print(f"     {mark} {row['value']}: {row['meaning']}" + (f"  [{edges}]" if edges else ""))
        print("\n* the default. In brackets the house edge, where the reading changes a wager.")
