"""Frozen values that are made in their millions, when a journal of a year is folded or audited."""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """A frozen dataclass whose fields are written straight into the value, in half the time; nothing else of it changes.

    >>> from dataclasses import dataclass, field
    >>> @quickly_made
    ... @dataclass(frozen=True)
    ... class Spot:
    ...     guest: str
    ...     bets: dict = field(default_factory=dict)
    ...     ready: bool = False
    >>> Spot("ann", ready=True)
    Spot(guest='ann', bets={}, ready=True)
    """
    names: dict[str, Any] = {"MISSING": MISSING}
    written = [_written(field, names) for field in fields(cls)]  # type: ignore[arg-type]
    arguments = ", ".join(argument for argument, _ in written)
    lines = "\n".join(f"    own[{field.name!r}] = {value}" for field, (_, value) in zip(fields(cls), written, strict=True))  # type: ignore[arg-type]
    exec(f"def __init__(self, {arguments}):\n    own = self.__dict__\n{lines}", names)
    own: Callable[..., None] = names["__init__"]
    own.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = own  # type: ignore[method-assign]
    return cls


def _written(field: Field[Any], names: dict[str, Any]) -> tuple[str, str]:
    """How a field is given, and what is written for it."""
    name = field.name
    if field.default_factory is not MISSING:
        names[f"_make_{name}"] = field.default_factory
        return f"{name}=MISSING", f"_make_{name}() if {name} is MISSING else {name}"
    if field.default is not MISSING:
        names[f"_default_{name}"] = field.default
        return f"{name}=_default_{name}", name
    return name, name
