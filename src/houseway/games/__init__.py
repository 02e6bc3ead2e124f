"""The games, and the editions they come in. Adding a game is one folder here."""

from functools import cache
from importlib import import_module
from pathlib import Path

from houseway.refusal import one_of
from houseway.rulebook import Edition, Game, load_edition
from houseway.rulebook.document import read_toml

_FOLDER = Path(__file__).resolve().parent
NAMES = tuple(sorted(clauses.parent.name for clauses in _FOLDER.glob("*/clauses.toml")))


@cache
def game(name: str) -> Game:
    """A game by its id; only the games asked for are loaded."""
    found: Game = import_module(f"houseway.games.{name}").GAME
    return found


def edition_files() -> dict[str, Path]:
    """The TOML file of every edition, by its name."""
    files = {file.stem: file for file in _FOLDER.glob("*/editions/*.toml")}
    return dict(sorted(files.items()))


def open_edition(name: str) -> Edition:
    """An edition by name, or from the path of a TOML file of one's own."""
    files = edition_files()
    file = Path(name) if name.endswith(".toml") else files[one_of("edition", name, files)]
    return load_edition(read_toml(file), file.name, NAMES, game)
