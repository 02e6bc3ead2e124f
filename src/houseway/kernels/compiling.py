"""Compiling itself: imported when the first rule is compiled, and numba with it.

Processes that compile at the same time write to the cache one after the other: numba alone lets two of them give one name to
two compiled functions.
"""

import fcntl
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types
from numba.core.caching import IndexDataCacheFile
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

from houseway.kernels.compiled import FLOAT_ROW, FLOAT_TABLE, INT, INT_ROW, INT_TABLE, RULE, WORD_ROW

TYPES = {
    INT: types.int64,
    INT_ROW: types.int64[::1],
    INT_TABLE: types.int64[:, ::1],
    WORD_ROW: types.int32[::1],
    FLOAT_ROW: types.float64[::1],
    FLOAT_TABLE: types.float64[:, ::1],
    RULE: types.FunctionType(types.int64(types.int64[::1], types.int64[::1])),
}
"""What loops take, as numba knows it."""


class _OneAtATime(IndexDataCacheFile):
    """A function's compiled forms on disk: the list of them is read, added to and written by one process at a time."""

    def save(self, key: Any, data: Any) -> None:
        """Keep one more form, in a folder made anew if a newer release has removed it meanwhile."""
        folder = Path(self._cache_path)
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with (folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            super().save(key, data)  # type: ignore[no-untyped-call]


def compiled(function: FunctionType, folder: Path, **how: Any) -> Any:
    """A function compiled for whatever it is called with, and kept in a folder."""
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  (numba makes its settings at run time)
    dispatcher = numba.njit(cache=True, nogil=True, **how)(function)
    file = dispatcher._cache._cache_file
    assert type(file) is IndexDataCacheFile
    file.__class__ = _OneAtATime
    return dispatcher


def only_for(loop: Any, takes: tuple[str, ...]) -> Any:
    """A loop compiled for arguments of these types, and for no others."""
    loop.compile(types.void(*(TYPES[name] for name in takes)))
    loop.disable_compile()
    return loop


def stays_out_of_line(made: Any, everywhere: bool) -> Any:
    """A compiled function of three arguments that goes into nothing that calls it.

    Numba has no word for that; the call itself says so to the compiler behind it.
    """

    @intrinsic
    def call(typing: Any, first: Any, second: Any, third: Any) -> Any:
        callee = typing.resolve_value_type(made)
        signature = typing.resolve_function_type(callee, (first, second, third), {})

        def write(context: Any, builder: Any, _: Any, args: Any) -> Any:
            result = context.get_function(callee, signature)(builder, args)
            calls = [each for block in builder.function.blocks for each in block.instructions if each.opname == "call"]
            for each in calls if everywhere or isinstance(context, CPUContext) else ():
                if made.py_func.__name__ in str(each.callee.name):
                    each.attributes.add("noinline")
            return result

        return signature, write

    return call
