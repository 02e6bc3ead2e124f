"""Games outside the package, for tests: the examples, and folders copied under another name."""

import shutil
from pathlib import Path

import houseway

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BUILT_IN = Path(houseway.__file__).resolve().parent / "games"


def folder_of(game: str) -> Path:
    """Where a game lives: an example, or one that is built in."""
    return EXAMPLES / game if (EXAMPLES / game).exists() else BUILT_IN / game


def copied(game: str, name: str, into: Path) -> Path:
    """A game's folder under another name, with editions of its own: nothing else of it is edited."""
    folder = into / name
    shutil.copytree(folder_of(game), folder, ignore=shutil.ignore_patterns("__pycache__", "approved"))
    for file in sorted(folder.glob("editions/*.toml")):
        own = file.with_name(f"{name.replace('_', '-')}-{file.name}")
        text = file.read_text().replace(f'id = "{file.stem}"', f'id = "{own.stem}"')
        own.write_text(text.replace(f'game = "{game}"', f'game = "{name}"'))
        file.unlink()
    return folder


def edited(file: Path, *changes: tuple[str, str]) -> None:
    """Change a file; what is to be changed must be there."""
    text = file.read_text()
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    file.write_text(text)
