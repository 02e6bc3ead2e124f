"""Tallies: arrays of whole numbers by name. Two of them add up, whoever made them and in whatever order."""

import json
from collections.abc import Iterable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

Tallies = dict[str, NDArray[np.int64]]


def added(to: Tallies, more: Tallies) -> Tallies:
    """The sum of two tallies, made in the first; a name that only one has counts from zero."""
    for name, array in more.items():
        if name in to:
            to[name] += array
        else:
            to[name] = array.copy()
    return to


def total(tallies: Iterable[Tallies]) -> Tallies:
    """The sum of many."""
    result: Tallies = {}
    for each in tallies:
        added(result, each)
    return result


def write_tallies(file: BinaryIO, about: dict[str, object], tallies: Tallies) -> None:
    """Write tallies, with what is to be known about them. Names may be any text."""
    shapes = {name: list(array.shape) for name, array in tallies.items()}
    head = json.dumps({"about": about, "shapes": shapes})
    flat = np.concatenate([array.ravel() for array in tallies.values()]) if tallies else np.zeros(0, np.int64)
    np.savez_compressed(file, head=np.frombuffer(head.encode(), np.uint8), counts=flat)


def read_tallies(file: BinaryIO) -> tuple[dict[str, object], Tallies]:
    """Read what `write_tallies` wrote."""
    with np.load(file) as kept:
        head, flat = json.loads(kept["head"].tobytes()), kept["counts"]
    tallies, place = {}, 0
    for name, shape in head["shapes"].items():
        size = int(np.prod(shape, dtype=np.int64))
        tallies[name] = flat[place : place + size].reshape(shape).copy()
        place += size
    return head["about"], tallies
