"""The tables of a report for a spreadsheet: one below the other, each under its section's title and its columns.

Amounts are plain numbers in dollars, shares are fractions of one, and a range is two columns: a spreadsheet adds them up. Notes
and words outside of tables are left out; the JSON has them, and every figure by its id.
"""

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Json = dict[str, Any]
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula: a name that begins so is written behind an apostrophe."""


def tables_as_csv(data: Json) -> str:
    """All tables of a document, an empty line between them."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    for place, table in enumerate(_tables(data)):
        if place:
            rows.writerow([])
        rows.writerows(table)
    return written.getvalue()


def _tables(data: Json) -> Iterator[list[list[str]]]:
    for section in data["sections"]:
        title = section["title"]
        for block in section["blocks"]:
            if block["block"] == "heading":
                title = f"{section['title']}: {_cell(block['text'], data['figures'])}"
            if block["block"] == "table":
                lines = [*block["rows"], *block["foot"]]
                wide = [any(len(_ends(line[place])) > 1 for line in lines) for place in range(len(block["columns"]))]
                named = zip(block["columns"], wide, strict=True)
                heads = [head for column, two in named for head in _heads(column["title"], two)]
                yield [[title], heads, *(_row(line, wide, data["figures"]) for line in lines)]


def _heads(title: str, two: bool) -> list[str]:
    return [f"{title}, from", f"{title}, to"] if two else [title]


def _ends(runs: list[Any]) -> list[list[Any]]:
    """The two ends of a range of figures, or a cell as it is."""
    is_range = len(runs) == 3 and runs[1] == " to " and all(isinstance(run, dict) for run in (runs[0], runs[2]))
    return [[runs[0]], [runs[2]]] if is_range else [runs]


def _row(line: list[list[Any]], wide: list[bool], figures: Json) -> list[str]:
    """A line's cells; where a column has ranges, each of its cells is two."""
    cells = ((_ends(runs) + [[]] * two)[: 1 + two] for runs, two in zip(line, wide, strict=True))
    return [_cell(end, figures) for ends in cells for end in ends]


def _cell(runs: list[Any], figures: Json) -> str:
    """One figure alone is a number; whatever has words in it is as it is shown."""
    if len(runs) == 1 and isinstance(runs[0], dict) and "figure" in runs[0]:
        return _number(figures[runs[0]["figure"]])
    words = "".join(run if isinstance(run, str) else figures[run["figure"]]["shown"] for run in runs)
    return "" if words == "–" else f"'{words}" if words.startswith(FORMULAS) else words


def _number(figure: Json) -> str:
    try:
        exact = Fraction(figure["exact"])
    except ValueError:  # a root, or the like: as it is shown
        return str(figure["shown"])
    if figure["unit"] == "cents":
        return f"{'-' if exact < 0 else ''}{abs(exact) // 100}.{int(abs(exact) % 100):02}"
    return str(exact) if exact.denominator == 1 else repr(float(exact))
