"""A house's own folder for temporary files: it goes with the house, or, after a sudden end, when the next one begins.

As long as a house lives it holds a lock on a file in its folder. The system lets go of that at any end, however sudden: who
can take the lock knows that nobody is there any more. A process number says less, for another program may have it by then.
"""

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO

PREFIX = "houseway-"
HELD = "held"
"""The file that is locked; a folder without one is none of these."""


def remove_what_was_left() -> None:
    """Remove the folders of this user's houses that have ended suddenly."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is somebody else's, or has gone just now
            _remove_if_left(folder)


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder that nobody else may enter."""
    with TemporaryDirectory(prefix=PREFIX) as name, ExitStack() as until_done:  # of mode 0700
        with suppress(OSError):  # a disk that knows no locks: the folder is never taken for one that was left
            until_done.enter_context(_held(Path(name)))
        yield Path(name)


def _held(folder: Path) -> IO[bytes]:
    """The file, locked before it has its name: nobody finds one that is not locked yet."""
    draft = folder / f"{HELD}.draft"
    file = draft.open("xb")
    fcntl.flock(file, fcntl.LOCK_EX)
    draft.rename(folder / HELD)
    return file


def _remove_if_left(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return
    with (folder / HELD).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
