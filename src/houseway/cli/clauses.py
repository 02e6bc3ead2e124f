"""`houseway clauses`: for each sentence of each document, where it is carried out and how one sees it at the table."""

from collections.abc import Iterator

from houseway.cli.books import clause_row
from houseway.cli.text import Format, show_csv, show_json
from houseway.games import NAMES, registry
from houseway.rulebook import Clause, read_clauses

INTRODUCTION = """\
---
hide:
  - toc
---
# Every sentence, carried out

This page is made from the clauses of the games (`games/*/clauses.toml`) by `houseway clauses > docs/clauses.md`; a test fails
when it is not as they are, when a sentence has no clause, or when something that is named here does not exist.

A clause stands for sentences of its document, by section and number; letterheads, contacts and thanks are not counted.
*Carried out* names the definition (`module.py:definition`) or the key of the data (`file.toml:key`), a page, or the refusal
that one meets; what names no folder is of the game's own. `houseway rules EDITION --clause ID` tells of one.
"""
OWN = "games/"
HEAD = "| clause | what it asks | carried out | seen at the table |\n|---|---|---|---|"


def clauses_of_games() -> dict[str, dict[str, Clause]]:
    """The clauses of every built-in game, by game, in the order of the documents."""
    return {game: read_clauses(registry().places[game].folder) for game in NAMES}


def show_clauses(format_: Format) -> None:
    """Print the page, or the same as rows."""
    clauses = [clause for of_game in clauses_of_games().values() for clause in of_game.values()]
    rows = [clause_row(clause) for clause in clauses]
    if format_ is Format.JSON:
        show_json(rows)
    elif format_ is Format.CSV:
        show_csv([row | {name: "; ".join(row[name]) for name in ("sentences", "carried_out")} for row in rows])
    else:
        print(page(clauses), end="")


def page(clauses: list[Clause]) -> str:
    """The page of the documentation, as Markdown: one table for each document."""
    return "\n".join([INTRODUCTION, *_tables(clauses)])


def _tables(clauses: list[Clause]) -> Iterator[str]:
    sources = dict.fromkeys(clause.id.split("-")[0] for clause in clauses)
    for family in sources:
        own = [clause for clause in clauses if clause.id.split("-")[0] == family]
        counted = sum(own[0].source.sentences.values())
        said = f"{counted} sentences in {len(own)} clauses." if counted else f"{len(own)} clauses of the house's own."
        yield f"## {own[0].source}\n\n{said}\n\n{HEAD}\n" + "".join(f"{_line(clause)}\n" for clause in own)


def _line(clause: Clause) -> str:
    carried = "<br>".join(f"`{_short(each)}`" for each in clause.carried_out)
    stands = "<br>".join((clause.id, clause.kind, *clause.sentences))
    cells = (stands, clause.text, carried, clause.seen)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _short(named: str) -> str:
    """Without the game's own folder, and without the folder of its editions."""
    if not named.startswith(OWN):
        return named
    return named.removeprefix(OWN).partition("/")[2].removeprefix("editions/")
