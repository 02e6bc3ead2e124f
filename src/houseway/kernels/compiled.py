"""The decorators that make plain Python functions into rules, and the cache that can never be stale.

Numba keys its cache by the file a function stands in, so an edit of a function it calls in another file would go
unseen. The cache folder is therefore named after a digest of every source file of the package.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Rule = Callable[[Ints, Ints], int]
"""A rule reads a tape (cards and choices in order) and the settings, and returns the index of an outcome."""

_PACKAGE = Path(__file__).resolve().parent.parent


def _source_digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled rules of exactly these sources are kept; `HOUSEWAY_CACHE` moves it."""
    chosen = os.environ.get("HOUSEWAY_CACHE")
    base = Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "houseway"
    return base / f"rules-{_source_digest()}"


numba.config.CACHE_DIR = str(cache_folder())

INT, INT_ROW, INT_TABLE = types.int64, types.int64[::1], types.int64[:, ::1]
RULE = types.FunctionType(types.int64(types.int64[::1], types.int64[::1]))

F = TypeVar("F", bound=Callable[..., Any])


def rule(function: F) -> F:
    """Compile a function with the one signature of rules: (tape, settings) -> outcome."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def helper(function: F) -> F:
    """Compile a part of a rule, with whatever integers it takes; the compiler inlines it."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def loop(takes: tuple[Any, ...]) -> Callable[[F], F]:
    """Compile a loop that returns nothing, for arguments of these types.

    It calls rules through a pointer, so that one compiled loop serves every rule.
    """

    def compiled(function: F) -> F:
        made: F = numba.njit(types.void(*takes), cache=True, nogil=True)(function)
        return made

    return compiled
