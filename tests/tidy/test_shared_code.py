"""Shared code knows no game: ids of games, editions and wagers stand in the games' own folders and nowhere else."""

import re
from pathlib import Path

import pytest

import houseway
from houseway.games import NAMES, edition_files, game

PACKAGE = Path(houseway.__file__).parent
COMMON_WORDS = {"player", "banker", "tie", "base", "play", "insurance", "protection"}
"""Wagers whose ids are words that shared code needs for something else, such as the owner of a hand or a game's protection."""
SPOKEN = r"baccarat|pai[ -]gow|blackjack|duki|lucky[ -]lucky|dragon[ -]7|panda[ -]8|queen-high"
IDS = {*NAMES, *edition_files(), *(wager for name in NAMES for wager in game(name).wagers)} - COMMON_WORDS
FOUND = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(IDS)))})(?![\w-])|{SPOKEN}", re.IGNORECASE)
DOCTEST = re.compile(r"^\s*(>>>|\.\.\.) ")
EXAMPLES = {
    "api.py": "docstrings that show how an edition is asked",
    "__init__.py": "the docstring that shows how an edition is asked",
    "web/lab.py": "examples in the OpenAPI description",
}
"""Files whose documentation names an edition as an example."""


def shared(*suffixes: str) -> list[Path]:
    """The files of the package that belong to no game."""
    found = (path for path in PACKAGE.rglob("*") if path.suffix in suffixes)
    return sorted(path for path in found if path.parent == PACKAGE / "games" or PACKAGE / "games" not in path.parents)


def named(path: Path) -> list[str]:
    """The lines that name a game, doctests left out."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    naming = [(number, line) for number, line in lines if FOUND.search(line) and not DOCTEST.match(line)]
    return [f"{path.relative_to(PACKAGE)}:{number}: {line.strip()[:100]}" for number, line in naming]


@pytest.mark.parametrize("path", shared(".py", ".html", ".js", ".css"), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_game_is_named(path):
    if str(path.relative_to(PACKAGE)) not in EXAMPLES:
        assert named(path) == []
