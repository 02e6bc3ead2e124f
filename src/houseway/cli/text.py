"""Printing: answers as tables, JSON and CSV, and progress for work that takes a while."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from houseway.refusal import Refused
from houseway.solve.answer import Answer
from houseway.solve.files import csv_text


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


class FloorFormat(StrEnum):
    """How the floor's answers are printed: they have no rows of equal keys, so that there is no CSV of them."""

    TABLE = "table"
    JSON = "json"


def show_json(data: Any) -> None:
    """Print JSON."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def show_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows of equal keys as CSV with a header."""
    print(csv_text(rows), end="")


def show_answer(answer: Answer, format_: Format) -> None:
    """Print a result as it was asked for."""
    for note in answer.notes:
        print(f"houseway: {note}", file=sys.stderr)
    if format_ is Format.JSON:
        show_json(answer.data)
    elif format_ is Format.CSV:
        show_csv(answer.rows)
    else:
        print(answer.text)


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


def chosen_settings(readings: list[str] | None, choices: list[str] | None, **options: int | str | None) -> dict[str, int | str]:
    """Settings and readings as they are given in the shell: `name=value`, and options of their own."""
    chosen: dict[str, int | str] = {name: value for name, value in options.items() if value is not None}
    for text in [*(readings or []), *(choices or [])]:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused("bad-setting", f'"{text}" is not a setting: write name=value, such as R8=even-money')
        chosen[name.strip()] = value.strip()
    return chosen
