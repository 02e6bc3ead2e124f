"""Printing: aligned tables, JSON and CSV, and one clear line for a refusal."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def show_json(data: Any) -> None:
    """Print JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def show_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows of equal keys as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    print(text.getvalue(), end="")


@dataclass(frozen=True)
class Answer:
    """A result as data (JSON), as rows of equal keys (CSV), as text for a person, and as files by their endings."""

    data: Any
    rows: Sequence[dict[str, Any]]
    text: str
    files: dict[str, str] = field(default_factory=dict)


def show_answer(answer: Answer, format_: Format) -> None:
    """Print a result as it was asked for."""
    if format_ is Format.JSON:
        show_json(answer.data)
    elif format_ is Format.CSV:
        show_csv(answer.rows)
    else:
        print(answer.text)


def table(rows: Iterable[Sequence[str]], right: Iterable[int] = (), indent: str = "") -> str:
    """Rows as aligned columns; the columns in `right` are flush right."""
    cells = [list(row) for row in rows]
    flush = set(right)
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = (
        indent + "  ".join(c.rjust(w) if i in flush else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def percent(value: Fraction, decimals: int = 4) -> str:
    """A fraction as a percentage."""
    return f"{float(value * 100):.{decimals}f} %"


def ratio(value: Fraction) -> str:
    """A fraction as n/d, also when the denominator is 1."""
    return f"{value.numerator}/{value.denominator}"


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Progress on the terminal for work that takes a while; nothing when no person is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn(label), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label)
        yield lambda done, total: bar.update(task, completed=done, total=total)
