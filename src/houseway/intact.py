"""Whether what is loaded is still as it was: definitions of Houseway's modules, before and after a stranger's code ran."""

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

PACKAGE = "houseway"
_ABSENT = object()


@dataclass(frozen=True)
class HeldName:
    """What a module or a class holds under a name; of a function its code, of a container what is in it."""

    holder: Any
    name: str
    value: Any
    inside: Any

    def __str__(self) -> str:
        within = "" if isinstance(self.holder, ModuleType) else f"{self.holder.__module__}."
        return f"{within}{self.holder.__name__}.{self.name}".removeprefix(f"{PACKAGE}.")

    @property
    def is_as_it_was(self) -> bool:
        """Whether nobody has put another in its place, or changed what is in it."""
        now = vars(self.holder).get(self.name, _ABSENT)
        return now is self.value and _same(_inside(now), self.inside)

    def put_back(self) -> None:
        """As it was."""
        if self.value is _ABSENT:
            delattr(self.holder, self.name)
            return
        if vars(self.holder).get(self.name, _ABSENT) is not self.value:
            setattr(self.holder, self.name, self.value)
        _put_inside(self.value, self.inside)


class Definitions:
    """All that the modules of Houseway define which are loaded now, but for one package."""

    def __init__(self, but: str) -> None:
        self.but = but
        self._kept = {(id(kept.holder), kept.name): kept for kept in self._all()}
        self._holders = {id(kept.holder) for kept in self._kept.values()}

    def changes(self) -> list[HeldName]:
        """What is not as it was: replaced, changed in itself, removed or added."""
        replaced = [kept for kept in self._kept.values() if not kept.is_as_it_was]
        added = (kept for kept in self._all() if id(kept.holder) in self._holders)
        new = [
            HeldName(kept.holder, kept.name, _ABSENT, None) for kept in added if (id(kept.holder), kept.name) not in self._kept
        ]
        return [*replaced, *new]

    def _all(self) -> Iterator[HeldName]:
        for name, module in tuple(sys.modules.items()):
            if _is_of(name, PACKAGE) and not _is_of(name, self.but) and isinstance(module, ModuleType):
                for inner, value in tuple(vars(module).items()):
                    if _is_definition(inner, value):
                        yield HeldName(module, inner, value, _inside(value))
                        if isinstance(value, type) and value.__module__ == name:
                            yield from self._of_class(value)

    @staticmethod
    def _of_class(kind: type) -> Iterator[HeldName]:
        for name, value in tuple(vars(kind).items()):
            if name not in {"__dict__", "__weakref__", "__doc__", "__abstractmethods__", "_abc_impl"}:
                yield HeldName(kind, name, value, _inside(value))


def _is_of(name: str, package: str) -> bool:
    return bool(package) and (name == package or name.startswith(f"{package}."))


def _is_definition(name: str, value: Any) -> bool:
    """Whether a name of a module stands for a function, a class or a constant, and not for what the program remembers."""
    if isinstance(value, ModuleType) or name.startswith("__"):
        return False
    return callable(value) or (name.isupper() and not name.startswith("_")) or not isinstance(value, dict | list | set)


def _inside(value: Any) -> Any:
    """What is in a value that can be changed without being replaced."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if isinstance(value, property):
        return tuple(_inside(part) for part in (value.fget, value.fset) if part)
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__, value.__kwdefaults__
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list) else set(value) if isinstance(value, set) else None


def _same(now: Any, then: Any) -> bool:
    """Whether containers hold the very same things."""
    if isinstance(then, dict) and isinstance(now, dict):
        return now.keys() == then.keys() and all(now[key] is then[key] for key in then)
    if isinstance(then, list | tuple) and isinstance(now, list | tuple):
        return len(now) == len(then) and all(a is b or _same(a, b) for a, b in zip(now, then, strict=True))
    return bool(now is then or (isinstance(then, set) and now == then))


def _put_inside(value: Any, inside: Any) -> None:
    function = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    if isinstance(value, property):
        for part, held in zip(filter(None, (value.fget, value.fset)), inside, strict=True):
            _put_inside(part, held)
    elif isinstance(function, FunctionType):
        function.__code__, function.__defaults__, function.__kwdefaults__ = inside
    elif isinstance(value, dict | set):
        value.clear()
        value.update(inside)
    elif isinstance(value, list):
        value[:] = inside


def load_imports_of(folder: Path) -> None:
    """Load whatever of Houseway the sources in a folder import, before they can change it."""
    for file in sorted(folder.rglob("*.py")):
        with suppress(OSError, ValueError, SyntaxError):
            for name in sorted(_imported(ast.parse(file.read_bytes()))):
                with suppress(Exception):  # whoever imports it then meets the same, and says so
                    import_module(name)


def _imported(tree: ast.Module) -> Mapping[str, None]:
    named: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named |= dict.fromkeys(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named |= dict.fromkeys((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return {name: None for name in named if _is_of(name, PACKAGE)}
