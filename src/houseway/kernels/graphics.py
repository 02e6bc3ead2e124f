"""Loops on a graphics processor (NVIDIA's, by CUDA), imported only where one is asked for.

A loop is a plain function, compiled when first launched. `NUMBA_ENABLE_CUDASIM=1` runs it, slowly, on the CPU: so it is tested.
"""

from collections.abc import Callable
from typing import Any, cast

from numba import cuda

from houseway.refusal import Refused

lanes = cast(Any, cuda)
"""Names that a loop may use: its thread and block, shared memory, barriers, and counting of bits."""


def graphics_loop(function: Callable[..., None]) -> Any:
    """Compile a loop for a graphics processor; launched by `loop[blocks, threads](...)`."""
    return lanes.jit(function)


def to_graphics(array: Any) -> Any:
    """A copy of an array in the graphics processor's memory."""
    if not lanes.is_available():
        raise Refused("no-graphics", "no NVIDIA graphics processor was found here: leave it to the CPU")
    return lanes.to_device(array)
