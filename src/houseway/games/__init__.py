"""The games, and the editions they come in. A game is one folder: here, in another package, or anywhere.

Other packages offer theirs as entry points of the group `houseway.games`, each naming the game's package. Folders of the
operator's own are named in `HOUSEWAY_GAMES`, separated by a colon: a game's folder, or one with games in it. Whatever is
no game, or cannot be loaded, is left out and said in one line; the others are not touched.
"""

import os
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from houseway.folders import MARK, VARIABLE, attempts_in, own_folders, plain_in
from houseway.intact import Definitions, load_imports_of
from houseway.kernels.compiled import game_around, sources_of_tallies
from houseway.refusal import Refused, one_of
from houseway.rulebook import Edition, Game, load_edition
from houseway.rulebook.document import read_toml

GROUP = "houseway.games"
_HERE = Path(__file__).resolve().parent
_PARTS = ("__init__.py", MARK)
NAMES = tuple(sorted(clauses.parent.name for clauses in _HERE.glob("*/clauses.toml")))
"""The games that come with the house."""


@dataclass(frozen=True)
class Place:
    """Where a game lives: its folder, and the package it is imported as."""

    folder: Path
    package: str

    @property
    def id(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def is_built_in(self) -> bool:
        """Whether it comes with the house."""
        return self.folder.parent == _HERE


@dataclass(frozen=True)
class Registry:
    """All games by id, every edition's file, and a line for everything that was left out."""

    places: dict[str, Place]
    editions: dict[str, Path]
    flaws: tuple[str, ...]


def registry() -> Registry:
    """What there is now."""
    return _registry(os.environ.get(VARIABLE, ""))


@lru_cache(maxsize=8)
def _registry(_: str) -> Registry:
    """Built once for each value of the variable."""
    places = {name: Place(_HERE / name, f"{__name__}.{name}") for name in NAMES}
    flaws: list[str] = []
    for place in (*_offered(flaws), *_own(flaws)):
        before = places.setdefault(place.id, place)
        if before != place:
            flaws.append(f"{place.folder}: a game {place.id} is in {before.folder} already: rename the folder")
    editions: dict[str, Path] = {}
    for place in places.values():
        for file in sorted(place.folder.glob("editions/*.toml")):
            before_file = editions.setdefault(file.stem, file)
            if before_file != file:
                flaws.append(f"{file}: an edition {file.stem} is in {before_file} already: give it an id of its own")
    return Registry(places, dict(sorted(editions.items())), tuple(flaws))


def _offered(flaws: list[str]) -> list[Place]:
    """The games of other packages."""
    places = []
    for entry in entry_points(group=GROUP):
        try:
            spec: ModuleSpec | None = find_spec(entry.module)
        except KeyboardInterrupt:
            raise
        except BaseException:  # the packages around it are imported, and may raise anything
            spec = None
        if spec is None or spec.origin is None:
            flaws.append(f"entry point {entry.name}: there is no package {entry.module}")
        elif why := what_it_lacks(folder := Path(spec.origin).resolve().parent):
            flaws.append(f"entry point {entry.name}: {folder} is no game: {why}")
        else:
            places.append(Place(folder, entry.module))
    return places


def _own(flaws: list[str]) -> list[Place]:
    """The games in the operator's own folders."""
    places = []
    for folder, games in own_folders().items():
        attempts = [] if games == [folder] else attempts_in(folder)
        if not games and not attempts:
            others = ", ".join(other.name for other in plain_in(folder))
            holds = f" (there is {others})" if others else ""
            flaws.append(f"{folder}: no game: neither this folder nor one in it has a {MARK}{holds}")
        for game_folder in (*games, *attempts):
            if why := what_it_lacks(game_folder):
                flaws.append(f"{game_folder}: no game: {why}")
            else:
                places.append(Place(game_folder, f"{__name__}.{game_folder.name}"))
    return places


def what_it_lacks(folder: Path) -> str:
    """Why a folder is no game; nothing if it is."""
    if not folder.name.isidentifier():
        return f'"{folder.name}" cannot be a game\'s id (letters, digits and _)'
    return ", ".join(f"it has no {part}" for part in _PARTS if not (folder / part).exists())


_REFUSED: dict[Place, str] = {}


def leave_out(name: str, why: str) -> None:
    """Play no more of a game, such as one that does not conform: its tables say why."""
    _REFUSED[registry().places[name]] = why


def game(name: str) -> Game:
    """A game by its id; only the games asked for are loaded. One that cannot be is refused with the reason."""
    places = registry().places
    place = places[one_of("game", name, places)]
    if place in _REFUSED:
        raise Refused("no-game", f"game {place.id} in {place.folder} is left out: {_REFUSED[place]}")
    return _load(place)


@cache
def _load(place: Place) -> Game:
    """A game from elsewhere is read whole, its face included: what its code or data stumble over refuses this game alone."""
    if place.is_built_in:
        return _game_of(import_module(place.package), place)
    load_imports_of(place.folder)
    sources_of_tallies(game_around(str(place.folder / _PARTS[0])))  # as they are before they are loaded
    before = Definitions(but=place.package)
    try:
        module = _import(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() included
        _put_back(before)
        problem = first_line(f"{type(error).__name__}: {error}")
        raise Refused("no-game", f"game {place.id} in {place.folder} cannot be loaded: {problem}") from error
    if meddled := _put_back(before):
        _forget(place)
        what = ", ".join(meddled[:4]) + (f" and {len(meddled) - 4} more" if len(meddled) > 4 else "")
        raise Refused("no-game", f"game {place.id} in {place.folder} is left out: it changes {what}, which is not its own")
    loaded = _game_of(module, place)
    try:
        _ = loaded.face
    except Exception as error:
        said = error.message if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        problem = first_line(said).removeprefix(f"{place.id}/").removeprefix("face.toml: ")
        raise Refused("no-game", f"{place.folder}: face.toml: {problem}: game {place.id} cannot be loaded") from error
    return loaded


def _put_back(before: Definitions) -> list[str]:
    """Undo what a game did to the program and to other games while it was loaded; what that was."""
    changes = before.changes()
    for kept in changes:
        kept.put_back()
    return [str(kept) for kept in changes]


def _game_of(module: ModuleType, place: Place) -> Game:
    loaded = getattr(module, "GAME", None)
    if not isinstance(loaded, Game):
        raise Refused("no-game", f"game {place.id} in {place.folder} is none: its package has no GAME")
    if loaded.package not in sys.modules or loaded.folder != place.folder:
        raise Refused("no-game", f"game {place.id} in {place.folder} says package {loaded.package}: write package=__package__")
    return loaded


def first_line(text: str) -> str:
    """What an error says, in one line."""
    return next(iter(text.splitlines()), "")


def _import(place: Place) -> ModuleType:
    """Import a folder as a package, wherever it lies."""
    if place.package in sys.modules or not place.package.startswith(f"{__name__}."):
        return import_module(place.package)
    spec = spec_from_file_location(place.package, place.folder / _PARTS[0], submodule_search_locations=[str(place.folder)])
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[place.package] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        _forget(place)
        raise
    return module


def _forget(place: Place) -> None:
    for name in [name for name in sys.modules if name == place.package or name.startswith(f"{place.package}.")]:
        del sys.modules[name]


def edition_files() -> dict[str, Path]:
    """The TOML file of every edition, by its name."""
    return registry().editions


def open_edition(name: str) -> Edition:
    """An edition by name, or from the path of a TOML file of one's own."""
    files, places = edition_files(), registry().places
    file = Path(name) if name.endswith(".toml") else files[one_of("edition", name, files)]
    edition = edition_from(read_toml(file), file.name)
    for place in places.values():
        if place.folder in file.parents and place.id != edition.game.id:
            raise Refused("no-game", f'{file}: game = "{edition.game.id}", but it lies in the folder of {place.id}')
    return edition


def edition_from(data: dict[str, Any], label: str) -> Edition:
    """An edition from its content, wherever that is kept."""
    return load_edition(data, label, registry().places, game)


def outside() -> dict[str, Path]:
    """The folders of the games that do not come with the house."""
    return {place.id: place.folder for place in registry().places.values() if not place.is_built_in}


def unloadable() -> dict[str, str]:
    """The games from elsewhere that cannot be loaded, each with the reason: all are tried."""
    reasons = {}
    for place in registry().places.values():
        try:
            if not place.is_built_in:
                game(place.id)
        except Refused as refused:
            reasons[place.id] = refused.message
    return reasons


def readable_editions() -> tuple[list[Edition], list[str]]:
    """Every edition that can be opened, and a line for everything that cannot: one for a game, whatever editions it has."""
    reasons = unloadable()
    editions, flaws = [], [*registry().flaws, *reasons.values()]
    spoiled = [registry().places[name].folder for name in reasons]
    for name, file in edition_files().items():
        if any(folder in file.parents for folder in spoiled):
            continue
        try:
            editions.append(open_edition(name))
        except Refused as refused:
            flaws.append(f"edition {name}: {refused.message}")
    return editions, flaws
