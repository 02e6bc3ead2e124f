"""Loops on a graphics processor (NVIDIA's, by CUDA), imported only where one is asked for.

A loop is a plain function, compiled when first launched. `NUMBA_ENABLE_CUDASIM=1` runs it, slowly, on the CPU: so it is tested.
"""

from collections.abc import Callable
from typing import Any, cast

from numba import config, cuda

from houseway.kernels.compiled import name_compiled, own_globals
from houseway.refusal import Refused

lanes = cast(Any, cuda)
"""Names that a loop may use: its thread and block, shared memory, barriers, and counting of bits."""


def graphics_loop(function: Callable[..., None], registers: int = 0) -> Any:
    """Compile a loop for a graphics processor; launched by `loop[blocks, threads](...)`. `registers`: of a thread, at most."""
    own, is_real = _with_compiled(function), not getattr(config, "ENABLE_CUDASIM", False)
    return lanes.jit(own, max_registers=registers) if registers and is_real else lanes.jit(own)


def graphics_helper(function: Callable[..., Any]) -> Any:
    """Compile what a loop calls."""
    return lanes.jit(_with_compiled(function), device=True)


def _with_compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Rules that it names are compiled for the graphics processor from what numba has made of them here."""
    own = own_globals(function)
    name_compiled(own)
    return own


def to_graphics(array: Any) -> Any:
    """A copy of an array in the graphics processor's memory."""
    if not lanes.is_available():
        raise Refused("no-graphics", "no NVIDIA graphics processor was found here: leave it to the CPU")
    return lanes.to_device(array)
