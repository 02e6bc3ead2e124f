"""A report's file: it appears whole, or not at all."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from houseway.refusal import Refused

ENDINGS = (".pdf", ".html", ".json", ".csv")


def check_ending(file: Path) -> str:
    """The ending of a file; refused where nobody knows what it is to be."""
    if file.suffix not in ENDINGS:
        raise Refused("bad-file", f"{file}: what is written follows the ending (known: {', '.join(ENDINGS)})")
    return file.suffix


def check_place(file: Path) -> None:
    """Refuse a place where no file can be, before anything long is done."""
    if not file.parent.is_dir():
        raise Refused("not-written", f"{file} cannot be written: there is no folder {file.parent} (make it, or name another)")
    if file.is_dir():
        raise Refused("not-written", f"{file} cannot be written: it is a folder")


def write_whole(file: Path, content: bytes) -> None:
    """Write beside it first, and rename: nobody ever sees half of it, and what was there stays if it cannot be written."""
    check_place(file)
    draft = file.with_name(f".{file.name}.{token_hex(4)}")
    try:
        with draft.open("xb") as written:
            written.write(content)
            written.flush()
            os.fsync(written.fileno())
        draft.replace(file)
    except OSError as error:
        raise Refused("not-written", f"{file} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            draft.unlink()  # it is gone already where all went well
