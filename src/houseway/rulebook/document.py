"""Reading TOML strictly: one clear message with the file, the key and what is allowed."""

import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from houseway.refusal import Refused


def read_toml(file: Path) -> dict[str, Any]:
    """Parse a file; a syntax error is refused with its line."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused("no-file", f"{file}: {(error.strerror or 'cannot be read').lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused("broken-toml", f"{file.name}: not valid TOML: {error}") from None


class Document:
    """A table of plain data that knows its label and its key, and remembers which of its keys were read."""

    def __init__(self, label: str, data: dict[str, Any], key: str = "") -> None:
        self.label, self.data, self.key = label, data, key
        self._read: set[str] = set()

    @classmethod
    def load(cls, file: Path) -> "Document":
        """The table that a whole file is."""
        return cls(file.name, read_toml(file))

    def broken(self, name: str, problem: str) -> Refused:
        """A refusal that points at a key of this table."""
        return Refused("broken-toml", f"{self.label}: {self._path(name)}: {problem}")

    def _path(self, name: str) -> str:
        return f"{self.key}.{name}" if self.key else name

    def _get(self, name: str, kind: type, described: str, default: Any = None) -> Any:
        self._read.add(name)
        if name not in self.data:
            if default is not None:
                return default
            raise self.broken(name, f"missing ({described} is required)")
        value = self.data[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.broken(name, f"{value!r} is not allowed ({described} is required)")
        return value

    def text(self, name: str, allowed: Iterable[str] = (), default: str | None = None) -> str:
        """A string, if need be one of those allowed."""
        known = list(allowed)
        value: str = self._get(name, str, "one of " + ", ".join(known) if known else "a text", default)
        if known and value not in known:
            raise self.broken(name, f'"{value}" is not allowed{_hint(value, known)}')
        return value

    def integer(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number within bounds."""
        value: int = self._get(name, int, f"a whole number from {least} to {most}", default)
        if not least <= value <= most:
            raise self.broken(name, f"{value} is not allowed (a whole number from {least} to {most} is required)")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        value: bool = self._get(name, bool, "true or false", default)
        return value

    def items(self, name: str, allowed: Iterable[Any] = (), default: list[Any] | None = None) -> list[Any]:
        """A list, if need be of allowed items."""
        known, values = list(allowed), self._get(name, list, "a list", default)
        for value in values:
            if known and not any(value == item and type(value) is type(item) for item in known):
                raise self.broken(name, f"{value!r} is not allowed{_hint(str(value), [str(k) for k in known])}")
        return list(values)

    def table(self, name: str, optional: bool = False) -> "Document":
        """A table inside this one."""
        inner: dict[str, Any] = self._get(name, dict, "a table", {} if optional else None)
        return Document(self.label, inner, self._path(name))

    def tables(self, name: str) -> list["Document"]:
        """A list of tables."""
        found = self._get(name, list, "a list of tables")
        for inner in found:
            if not isinstance(inner, dict):
                raise self.broken(name, f"{inner!r} is not allowed (a list of tables is required)")
        return [Document(self.label, inner, f"{self._path(name)}[{place}]") for place, inner in enumerate(found)]

    def names(self, allowed: Iterable[str] = ()) -> list[str]:
        """All keys of this table, each one of those allowed."""
        known = list(allowed)
        for name in self.data:
            self._read.add(name)
            if known and name not in known:
                raise self.broken(name, f"unknown key{_hint(name, known)}")
        return list(self.data)

    def finish(self) -> None:
        """Refuse keys that nobody read: a misspelt key must not be silently ignored."""
        for name in self.data:
            if name not in self._read:
                raise self.broken(name, f"unknown key{_hint(name, sorted(self._read))}")


def _hint(given: str, known: list[str]) -> str:
    nearest = get_close_matches(given, known, n=1)
    return (f": did you mean {nearest[0]}?" if nearest else "") + f" (allowed: {', '.join(known)})"
