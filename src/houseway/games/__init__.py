"""The games, and the editions they come in. Adding a game is one folder here and one line below."""

from functools import cache
from importlib import import_module
from pathlib import Path

from houseway.refusal import one_of
from houseway.rulebook import Edition, Game, load_edition

_FOLDER = Path(__file__).resolve().parent
NAMES = ("ez_baccarat", "ez_pai_gow", "blackjack", "duki_4_poker")


@cache
def game(name: str) -> Game:
    """A game by its id; only the games asked for are loaded."""
    found: Game = import_module(f"houseway.games.{name}").GAME
    return found


def edition_files() -> dict[str, Path]:
    """The TOML file of every edition, in the order of the games."""
    return {file.stem: file for name in NAMES for file in sorted(_FOLDER.joinpath(name, "editions").glob("*.toml"))}


def open_edition(name: str) -> Edition:
    """An edition by name, or from the path of a TOML file of one's own."""
    if name.endswith(".toml"):
        return load_edition(Path(name), NAMES, game)
    files = edition_files()
    return load_edition(files[one_of("edition", name, files)], NAMES, game)
