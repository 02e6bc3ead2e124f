"""Where games are: the folders that hold one, found without importing any."""

import os
from pathlib import Path

_BUILT_IN = Path(__file__).resolve().parent / "games"
_EDITIONS = "editions"
VARIABLE = "HOUSEWAY_GAMES"
MARK = "clauses.toml"
"""A folder with this file is a game."""


def own_folders() -> dict[Path, list[Path]]:
    """The folders that `HOUSEWAY_GAMES` names, and the games in each: it is one itself, or has some in it."""
    given = (os.path.expanduser(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name)  # noqa: PTH111 - no home
    named = (Path(name).resolve() for name in given)
    return {folder: [folder] if (folder / MARK).is_file() else _games_in(folder) for folder in named}


def game_folders() -> dict[str, Path]:
    """The folder of every game by the game's id, which is the folder's name: the house's own first."""
    folders: dict[str, Path] = {}
    for folder in (*_games_in(_BUILT_IN), *(game for games in own_folders().values() for game in games)):
        folders.setdefault(folder.name, folder)
    return folders


def attempts_in(folder: Path) -> list[Path]:
    """What is no game and looks as if it was to be one: the folder itself, or folders in it."""
    if _is_attempt(folder) and ((folder / _EDITIONS).is_dir() or not _games_in(folder)):
        return [folder]
    return [inner for inner in plain_in(folder) if _is_attempt(inner)]


def plain_in(folder: Path) -> list[Path]:
    """The folders in a folder that are no games, but for those that are nobody's business."""
    inner = (path for path in folder.glob("*") if path.is_dir() and not path.name.startswith((".", "__")))
    return sorted(path for path in inner if not os.path.exists(path / MARK))  # noqa: PTH110 - one that may not be read is none


def _is_attempt(folder: Path) -> bool:
    return any(os.path.exists(folder / part) for part in ("__init__.py", _EDITIONS))  # noqa: PTH110


def _games_in(folder: Path) -> list[Path]:
    """The games in a folder, each where it really lies: a link is only a way there."""
    return sorted({mark.parent.resolve() for mark in folder.glob(f"*/{MARK}")})
