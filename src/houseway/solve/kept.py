"""Results that took long, kept on disk under a digest of everything they depend on; work that is stopped goes on later."""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from zipfile import BadZipFile

import numpy as np

from houseway.kernels.compiled import Ints, cache_folder
from houseway.kernels.count import Progress
from houseway.rulebook.edition import Edition
from houseway.rulebook.game import Value

SECONDS_BETWEEN_SAVES = 5
WORK_FOR_EACH_SAVE = 20
"""What takes long to write is written seldom: the work between takes so many times as long."""
ARRAYS_KEPT = 16
"""Of large arrays only the newest are kept."""
_PACKAGE = Path(__file__).resolve().parent.parent
_SHARED = (_PACKAGE, _PACKAGE / "kernels", _PACKAGE / "rulebook", _PACKAGE / "chunks", _PACKAGE / "solve")
Part = TypeVar("Part")


def key_of(edition: Edition, settings: Mapping[str, Value], *details: object) -> str:
    """A name for a result: the edition's content, the settings, and the sources of the game, its solver and what they share."""
    files = [file for folder in _SHARED for file in sorted(folder.glob("*.py"))] + sorted(edition.game.folder.rglob("*.py"))
    sources = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    depends_on = json.dumps([edition.document, dict(settings), sources, *map(str, details)], sort_keys=True)
    return hashlib.sha256(depends_on.encode()).hexdigest()[:32]


def kept(key: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of this name: read, or computed and written, whole or not at all."""
    known = if_kept(key)
    if known is not None:
        return known
    result = compute()
    _write(_folder() / f"{key}.json", lambda draft: draft.write(json.dumps(result).encode()))
    return result


def if_kept(key: str) -> dict[str, Any] | None:
    """The result of this name, if it was computed before."""
    try:
        result: dict[str, Any] = json.loads((_folder() / f"{key}.json").read_text(encoding="utf-8"))
        return result
    except (OSError, ValueError):
        return None


def kept_arrays(key: str, compute: Callable[[], list[Any]]) -> list[Any]:
    """Large arrays of this name, read as they are needed, or computed and written."""
    files = _folder() / key
    try:
        names = sorted(files.glob("*.npy"))
        if names:
            return [np.load(name, mmap_mode="c") for name in names]
    except (OSError, ValueError):
        pass
    result = compute()
    draft = files.with_suffix(f".{os.getpid()}.draft")
    with suppress(OSError):  # another process may have been faster
        draft.mkdir(mode=0o700, parents=True)
        for number, array in enumerate(result):
            np.save(draft / f"{number}.npy", array)
        draft.replace(files)
        arrays = sorted((entry for entry in _folder().iterdir() if entry.is_dir()), key=lambda entry: entry.stat().st_mtime)
        for old in arrays[:-ARRAYS_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return result


def are_kept(key: str) -> bool:
    """Whether large arrays of this name were computed before."""
    return (_folder() / key).is_dir()


def resumed(
    key: str, parts: Sequence[Part], state: dict[str, Ints], add: Callable[[Part], None], progress: Progress | None = None
) -> None:
    """Do all parts of a long work, each of which adds to the arrays of `state`.

    Every few seconds the state is written, so that whatever stops the work, the next call with the same key goes on.
    """
    file, first = _folder() / f"{key}.part.npz", 0
    try:
        with np.load(file) as begun_before:
            if all(begun_before[name].shape == array.shape for name, array in state.items()):
                first = int(begun_before["done"])
                for name, array in state.items():
                    array[:] = begun_before[name]
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        pass  # nothing was begun
    saved, pause = time.monotonic(), float(SECONDS_BETWEEN_SAVES)
    for done, part in enumerate(parts[first:], first + 1):
        add(part)
        if progress:
            progress(done, len(parts))
        begun = time.monotonic()
        if begun - saved > pause:
            arrays: dict[str, Any] = {**state, "done": np.array(done)}
            _write(file, lambda draft, arrays=arrays: np.savez(draft, **arrays))  # type: ignore[misc]
            saved = time.monotonic()
            pause = max(SECONDS_BETWEEN_SAVES, WORK_FOR_EACH_SAVE * (saved - begun))
    with suppress(OSError):
        file.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder().parent / "results"


def _write(file: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file whole or not at all; a disk that cannot be written to costs time only."""
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}.draft")
        with draft.open("wb") as opened:
            write(opened)
        draft.replace(file)
