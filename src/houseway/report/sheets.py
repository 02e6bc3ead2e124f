"""The tables of a report for a spreadsheet: one below the other, each under its section's title and its columns.

Amounts are plain numbers in dollars, and shares are fractions of one: a spreadsheet adds them up. Notes and words outside of
tables are left out; the JSON has them, and every figure by its id.
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
                heads = [column["title"] for column in block["columns"]]
                yield [[title], heads, *([_cell(cell, data["figures"]) for cell in line] for line in lines)]


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
