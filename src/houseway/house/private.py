"""What only the house may read: stores, keys and caches are made 0600 (folders 0700), and refused if others may read them."""

import os
import stat
from pathlib import Path

from houseway.refusal import Refused

OTHERS = 0o077
"""What a mode gives to anybody but the owner."""
MAY_WRITE = 0o022
"""And what lets him write."""


def check_private(file: Path, what: str, code: str = "file-exposed") -> None:
    """Refuse a file or a folder that others may read; one that is not there is nobody's."""
    try:
        status = file.stat()
    except OSError:
        return
    mode = stat.S_IMODE(status.st_mode)
    if mode & OTHERS:
        right = "700" if stat.S_ISDIR(status.st_mode) else "600"
        raise Refused(code, f"{what} {file} is open to others (mode {mode:04o}): chmod {right} {file}")


def check_folder(folder: Path, what: str, code: str = "folder-exposed") -> None:
    """Refuse a folder in which others may write: they could put a file of theirs in the place of ours.

    Where it is sticky, as /tmp is, nobody removes or renames what is not his: a file of 0600 is safe there. That others may
    list a folder tells them names only.
    """
    try:
        mode = stat.S_IMODE(folder.stat().st_mode)
    except OSError:
        return
    if mode & MAY_WRITE and not mode & stat.S_ISVTX:
        shown = folder.resolve()
        raise Refused(code, f"others may write in {shown}, {what} (mode {mode:04o}): chmod go-w {shown}")


def at_home(path: str) -> Path:
    """A path that may begin with ~; refused where that is nobody's home, as it is for a user whom the system does not know."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise Refused("no-home", f"{path} cannot be found, for ~ is no home here: write the whole path, or set HOME") from None


def make_private_file(file: Path) -> None:
    """Make an empty file that nobody else can open, whatever the umask; one that is there stays as it is."""
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return


def private_folder(folder: Path, what: str) -> Path:
    """A folder of the house's own, made if it is not there, with mode 0700."""
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    check_private(folder, what)
    return folder


def private_store(file: Path, make: bool = True) -> None:
    """An SQLite file and what it keeps beside it: made so that it is nobody else's, refused if it is not.

    SQLite gives its -wal and -shm files the mode of the store.
    """
    check_folder(file.parent, "the folder of the store", "store-exposed")
    if make and file.parent.is_dir():
        make_private_file(file)
    for each in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        check_private(each, "the store", "store-exposed")
