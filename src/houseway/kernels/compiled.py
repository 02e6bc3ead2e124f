"""The decorators that make plain Python functions into rules, and the cache that can never be stale.

Numba keys its cache by the file a function stands in, so an edit of a function it calls in another file would go
unseen. The cache folder is therefore named after a digest of every source file of the package; rules of a game that lies
elsewhere have a folder of their own, named after a digest of that game's files as well. Processes that compile at the same
time write to it one after the other: numba alone lets two of them give one name to two compiled functions.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.caching import IndexDataCacheFile
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Rule = Callable[[Ints, Ints], int]
"""A rule reads a tape (cards and choices in order) and the settings, and returns the index of an outcome."""

KEPT_CACHES = 4
_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def _source_digest(game: Path | None) -> str:
    """A digest of every file that compiled code, or a constant in it, can come from."""
    digest = hashlib.sha256()
    files = [
        _PACKAGE / "cards.py",
        *_PACKAGE.glob("kernels/*.py"),
        *_PACKAGE.glob("games/**/*.py"),
        *_PACKAGE.glob("solve/*.py"),
    ]
    for path in (*sorted(files), *(sorted(game.rglob("*.py")) if game else ())):
        digest.update(str(path.relative_to(_PACKAGE if path.is_relative_to(_PACKAGE) else path.anchor)).encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(game: Path | None = None) -> Path:
    """Where compiled rules of exactly these sources are kept; `HOUSEWAY_CACHE` moves it.

    A `game` outside the package has a folder of its own. A new one replaces the oldest of a few; where none can be made,
    compiled rules last as long as the machine's temporary files.
    """
    chosen = os.environ.get("HOUSEWAY_CACHE")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "houseway"
    kind = f"game-{game.name}" if game else "rules"
    folder = base / f"{kind}-{_source_digest(game)}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            oldest_first = sorted(base.glob(f"{kind}-*"), key=lambda path: path.stat().st_mtime)
            for old in oldest_first[:-KEPT_CACHES]:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="houseway-"))
    return folder


def _game_outside(function: Callable[..., Any]) -> Path | None:
    """The folder of the game that a function belongs to, if that is not in this package: the topmost package around it."""
    folder = Path(function.__code__.co_filename).resolve().parent
    if folder.is_relative_to(_PACKAGE) or not (folder / "__init__.py").exists():
        return None
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _keep_in(folder: Path) -> None:
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  (numba makes its settings at run time)


_keep_in(cache_folder())

INT, INT_ROW, INT_TABLE = types.int64, types.int64[::1], types.int64[:, ::1]
WORD_ROW = types.int32[::1]
"""Half as wide, for tables of every hand."""
RULE = types.FunctionType(types.int64(types.int64[::1], types.int64[::1]))

F = TypeVar("F", bound=Callable[..., Any])


class _OneAtATime(IndexDataCacheFile):
    """A function's compiled forms on disk: the list of them is read, added to and written by one process at a time."""

    def save(self, key: Any, data: Any) -> None:
        """Keep one more form."""
        with Path(self._cache_path, "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super().save(key, data)  # type: ignore[no-untyped-call]


def _kept(compiled: Any) -> Any:
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:  # there is none where nothing is compiled
        assert type(file) in {IndexDataCacheFile, _OneAtATime}
        file.__class__ = _OneAtATime
    return compiled


def helper(function: F) -> F:
    """Compile a part of a rule, with whatever integers it takes; the compiler inlines it."""
    _keep_in(cache_folder(_game_outside(function)))
    compiled = cast(F, _kept(numba.njit(cache=True, nogil=True)(function)))
    _keep_in(cache_folder())
    return compiled


def rule(function: Rule) -> Rule:
    """Compile a function with the one signature of rules: (tape, settings) -> outcome."""
    return helper(function)


def plain(function: F) -> F:
    """The Python function behind a rule: quicker for a call or two than compiling it for them."""
    return cast(F, getattr(function, "py_func", function))


def loop(takes: tuple[Any, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Compile, when first called, a loop that returns nothing, for arguments of these types.

    It calls rules through a pointer, so that one compiled loop serves every rule.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @cache
        def compiled() -> Callable[..., None]:
            jitted = _kept(numba.njit(cache=True, nogil=True)(function))
            if jitted is not function:  # it is where nothing is compiled
                jitted.compile(types.void(*takes))
                jitted.disable_compile()
            return cast(Callable[..., None], jitted)

        @wraps(function)
        def call(*args: Any) -> None:
            compiled()(*args)

        return call

    return decorate
