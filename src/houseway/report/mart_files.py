"""The rows of the journal in a folder, a file for each table and gaming day: written again only if the day went on."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from houseway.house import snapshot
from houseway.house.chain import broken
from houseway.house.private import private_folder
from houseway.house.schema import entries as journal
from houseway.house.sealing import JournalReader
from houseway.house.store import Store
from houseway.refusal import Refused, one_of
from houseway.report.files import write_whole
from houseway.report.mart import TABLES, JournalStep, Rows, Value, schema_data
from houseway.solve.files import check_parquet, csv_text
from houseway.table.fold import fold

FORMS = ("parquet", "csv", "jsonl")
INDEX, SCHEMA = "export.json", "schema.json"
Row = dict[str, Value]


@dataclass(frozen=True)
class Day:
    """A gaming day of the journal: its first and its last entry so far, and the last one's hash."""

    name: str
    first: int
    last: int
    hash: str


@dataclass(frozen=True)
class Written:
    """What a folder has of a day: up to which entry, how many rows of each table, and the sums of their cents."""

    last: int
    hash: str
    rows: dict[str, int]
    cents: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Exported:
    """What became of a day: written now, or there already."""

    day: str
    rows: dict[str, int]
    is_new: bool

    def __str__(self) -> str:
        counted = ", ".join(f"{count:,} {name}" for name, count in self.rows.items())
        return f"{self.day}: {counted}" + ("" if self.is_new else " (there already)")


def export_rows(store: Store, folder: Path, form: str, day: str = "") -> Iterator[Exported]:
    """Bring a folder up to the journal: every day that it lacks or that went on, or one day anew; told day by day.

    A folder is of one journal and one form; what does not fit is refused before anything is written.
    """
    if form == "parquet":
        check_parquet()
    days = _days(store)
    if day:
        one_of("day", day, [each.name for each in days])
    index = _index(folder, form)
    known = {name: Written(**written) for name, written in index["days"].items()}
    _check_same_journal(store, folder, known)
    if index["schema"] != schema_data():
        known = {}  # another release wrote other columns: all days are written anew
    wanted = [each for each in days if each.name == day or (not day and not _is_there(folder, form, each, known))]
    _make(folder)
    write_whole(folder / SCHEMA, _json_bytes(schema_data()))
    fresh = _collected(store, wanted)
    for each in days:
        if each not in wanted:
            if each.name in known:
                yield Exported(each.name, known[each.name].rows, is_new=False)
            continue
        found = next(fresh)
        for rows in TABLES:
            write_whole(_file(folder, rows, form, each.name), content_of(rows, found[rows.name], form))
        counted = {name: len(of_day) for name, of_day in found.items()}
        known[each.name] = Written(each.last, each.hash, counted, {rows.name: _sums(rows, found[rows.name]) for rows in TABLES})
        told = {"format": form, "schema": schema_data(), "days": {name: asdict(known[name]) for name in sorted(known)}}
        write_whole(folder / INDEX, _json_bytes(told))
        yield Exported(each.name, counted, is_new=True)


def _days(store: Store) -> list[Day]:
    """The gaming days of the journal, as of one moment."""
    columns = journal.c
    spans = select(columns.day, func.min(columns.seq), func.max(columns.seq).label("last")).group_by(columns.day)
    with store.reading() as connection:
        found = [tuple(row) for row in connection.execute(spans.order_by("last"))]
    hashes = store.hashes([last for _, _, last in found])
    return [Day(name, first, last, hashes[last]) for name, first, last in found]


def _collected(store: Store, wanted: Sequence[Day]) -> Iterator[dict[str, list[Row]]]:
    """The rows of each day that is wanted, in order. The journal is read as anybody can: what is sealed stays sealed."""
    if not wanted:
        return
    state, reached = snapshot.latest(store, min(day.first for day in wanted))
    left = list(wanted)
    rows: dict[str, dict[str, list[Row]]] = {day.name: {table.name: [] for table in TABLES} for day in wanted}
    for entry in JournalReader(store.as_stored(reached, wanted[-1].last), store.next_opening):
        if not entry.is_itself():
            raise broken(f"entry {entry.seq} of the journal does not hold")
        if entry.day in rows:
            step = JournalStep(entry, state)
            for table in TABLES:
                rows[entry.day][table.name] += table.rows(step)
        state = fold(state, entry)[0]
        while left and entry.seq >= left[0].last:
            yield rows.pop(left.pop(0).name)


def _index(folder: Path, form: str) -> dict[str, Any]:
    """What a folder says that it has; one that has other files, or rows in another form, is not taken."""
    file = folder / INDEX
    try:
        index: dict[str, Any] = json.loads(file.read_bytes())
        form_there, _, _ = (index[name] for name in ("format", "days", "schema"))
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise Refused(
                "not-empty", f"{folder} has other files in it: name a new folder, or one of an earlier export"
            ) from None
        return {"format": form, "schema": schema_data(), "days": {}}
    except NotADirectoryError:
        raise Refused("not-written", f"{folder} is a file: name a folder, which is made if it is not there") from None
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused("not-an-export", f"{file} cannot be read as what an export left: name a new folder") from None
    if form_there != form:
        raise Refused("other-format", f"{folder} holds {form_there}: go on with that, or name a new folder")
    return index


def _check_same_journal(store: Store, folder: Path, known: dict[str, Written]) -> None:
    hashes = store.hashes([written.last for written in known.values()])
    for day, written in known.items():
        if hashes.get(written.last) != written.hash:
            said = f"{folder} has rows of another journal (day {day}, entry {written.last})"
            raise Refused(
                "other-journal", f"{said}: name a new folder; if this is that journal, it was changed: houseway audit"
            )


def _is_there(folder: Path, form: str, day: Day, known: dict[str, Written]) -> bool:
    written = known.get(day.name)
    files = (_file(folder, rows, form, day.name) for rows in TABLES)
    return written is not None and written.last == day.last and all(file.is_file() for file in files)


def _make(folder: Path) -> None:
    """The folder holds guests' names: it is the house's alone."""
    try:
        private_folder(folder, "the folder of the rows")
        for rows in TABLES:
            (folder / rows.name).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise Refused("not-written", f"{folder} cannot be made ({error.strerror}): name another folder") from None


def _file(folder: Path, rows: Rows, form: str, day: str) -> Path:
    return folder / rows.name / f"{day}.{form}"


def _sums(rows: Rows, found: Iterable[Row]) -> dict[str, int]:
    """The sums of all columns of cents."""
    names = [column.name for column in rows.columns if column.name.endswith("cents")]
    return {name: sum(int(row[name]) for row in found) for name in names}


def _json_bytes(data: object) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def content_of(rows: Rows, found: Sequence[Row], form: str) -> bytes:
    """The rows of a table as a file."""
    if form == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found).encode()
    if form == "csv":
        return csv_text(found, [column.name for column in rows.columns]).encode()
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    kinds = {"text": arrow.string(), "number": arrow.int64(), "truth": arrow.bool_(), "moment": arrow.timestamp("us", tz="UTC")}
    columns = [
        arrow.array([_cell(column.kind, row[column.name]) for row in found], kinds[column.kind]) for column in rows.columns
    ]
    written = BytesIO()
    parquet.write_table(arrow.table(columns, names=[column.name for column in rows.columns]), written)
    return written.getvalue()


def _cell(kind: str, value: Value) -> object:
    return datetime.fromisoformat(str(value)) if kind == "moment" else value
