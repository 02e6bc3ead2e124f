"""An answer as a file: what is in it follows from the ending."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from houseway.refusal import Refused
from houseway.solve.answer import Answer

PARQUET = ".parquet"
ENDINGS = (".json", ".csv", PARQUET, ".svg", ".txt")


def csv_text(rows: Sequence[dict[str, Any]], columns: Sequence[str] = ()) -> str:
    """Rows of equal keys as CSV with a header; where there may be none, the columns are named."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=columns or (list(rows[0]) if rows else []), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def writes_parquet() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def check_parquet() -> None:
    """Refuse what cannot be written here, before anything long is done."""
    if not writes_parquet():
        raise Refused("no-parquet", 'pyarrow is not installed here: pip install "houseway[parquet]", or write .csv')


def parquet_bytes(rows: Sequence[dict[str, Any]]) -> bytes:
    """Rows of equal keys as a Parquet file; refused where that cannot be written."""
    check_parquet()
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    written = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(rows)), written)
    return written.getvalue()


def file_of(answer: Answer, ending: str) -> bytes:
    """The content of an answer's file; refused where it has none of that kind."""
    if ending == PARQUET:
        return parquet_bytes(answer.rows)
    forms: dict[str, Callable[[], str]] = {
        ".json": lambda: json.dumps(answer.data, indent=2, ensure_ascii=False) + "\n",
        ".csv": lambda: csv_text(answer.rows),
        ".txt": lambda: answer.text + "\n",
        **{drawn: lambda drawn=drawn: answer.files[drawn] for drawn in answer.files},  # type: ignore[misc]
    }
    if ending not in forms:
        raise Refused("bad-file", f"there is no plot of this answer (write {', '.join(forms)})")
    return forms[ending]().encode()
