"""What the shell asks of one game alone: options of `houseway solve`, and commands of its own.

They are data in `<game>/solve/shell.toml`, so that the shell can list them without importing any game.
"""

import tomllib
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import Any

from houseway.refusal import Refused

FILE = "FILE"


@dataclass(frozen=True)
class Option:
    """An option: `takes` names its value (`FILE`, or all that it may be: `semi|full`); without it the option is a flag."""

    name: str
    about: str
    takes: str = ""
    default: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """All that it may be, where that is said."""
        return tuple(self.takes.split("|")) if "|" in self.takes else ()

    @property
    def is_file(self) -> bool:
        """Whether it names a file, to be read."""
        return self.takes == FILE

    @property
    def flag(self) -> str:
        """As it is written in the shell."""
        return f"--{self.name}"

    @property
    def key(self) -> str:
        """As Python names it."""
        key = self.name.replace("-", "_")
        return f"{key}_" if iskeyword(key) else key


@dataclass(frozen=True)
class Command:
    """A command of a game's own, such as `house-way NAME --hand CARDS`: at most one argument, and options."""

    name: str
    about: str
    argument: Option | None
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Shell:
    """The options of `solve` that a game understands, and its own commands."""

    options: tuple[Option, ...] = ()
    commands: tuple[Command, ...] = ()


def read_shell(folder: Path) -> Shell:
    """What the game in this folder declares; nothing if it has no solver, or one that needs no options."""
    file = folder / "solve" / "shell.toml"
    try:
        return _shell(tomllib.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Shell()
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Refused("bad-file", f"{file} cannot be read: {error}") from error


def _shell(data: dict[str, Any]) -> Shell:
    if unknown := data.keys() - {"options", "commands"}:
        raise ValueError(f'"{min(unknown)}" is not known (known: options, commands)')
    commands = (
        Command(name, given["about"], _option(given["argument"]) if "argument" in given else None, _options(given))
        for name, given in data.get("commands", {}).items()
    )
    return Shell(_options(data), tuple(commands))


def _options(data: dict[str, Any]) -> tuple[Option, ...]:
    return tuple(_option({"name": name, **given}) for name, given in data.get("options", {}).items())


def _option(given: dict[str, Any]) -> Option:
    return Option(**{key: str(value) for key, value in given.items()})
