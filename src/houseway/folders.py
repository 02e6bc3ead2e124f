"""Where games are: the folders that hold one, found without importing any."""

import os
from pathlib import Path

_BUILT_IN = Path(__file__).resolve().parent / "games"
MARK = "clauses.toml"
"""A folder with this file is a game."""


def own_folders() -> tuple[Path, ...]:
    """The folders that `HOUSEWAY_GAMES` names: each is a game, or has games in it."""
    named = (Path(name).expanduser().resolve() for name in os.environ.get("HOUSEWAY_GAMES", "").split(os.pathsep) if name)
    return tuple(game for folder in named for game in ([folder] if (folder / MARK).is_file() else _games_in(folder)))


def game_folders() -> dict[str, Path]:
    """The folder of every game by the game's id, which is the folder's name: the house's own first."""
    folders: dict[str, Path] = {}
    for folder in (*_games_in(_BUILT_IN), *own_folders()):
        folders.setdefault(folder.name, folder)
    return folders


def _games_in(folder: Path) -> list[Path]:
    return sorted(mark.parent for mark in folder.glob(f"*/{MARK}"))
