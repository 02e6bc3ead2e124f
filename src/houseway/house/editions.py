"""Editions of one's own: registered by content, in the house's journal or, where there is no house, in a folder.

The journal is the registry of a house: an edition is added and removed by an entry that holds its content, and what is
registered is folded from these. So it is chained, audited, backed up and seen by every process like all else, and there
is no second place that could say something different.
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from houseway.approval import badge
from houseway.games import edition_files, edition_from, open_edition, readable_editions
from houseway.house.private import at_home
from houseway.refusal import Refused, one_of
from houseway.release import VERSION
from houseway.rulebook import Edition
from houseway.rulebook.document import read_toml
from houseway.table.bound import as_text, read_document
from houseway.table.fold import EDITION_ADDED, EDITION_REMOVED
from houseway.table.roles import OPENERS, may_not
from houseway.table.state import House

if TYPE_CHECKING:
    from houseway.house.floor import Actor
    from houseway.house.store import Store

ID_MOST, TEXT_MOST = 40, 50_000
_ID = re.compile(r"[a-z0-9](-?[a-z0-9])*")


class Registrar(Protocol):
    """What writes a note into the journal: a floor, or the house as it is served."""

    def note(
        self, kind: str, actor: "Actor", data: Mapping[str, Any], table: str = "", check: Callable[[House], None] = ...
    ) -> object:
        """Record something, unless the check refuses it."""


def digests(edition: Edition) -> dict[str, str]:
    """Under which digests an edition is played by the code at hand."""
    badge_now = badge(edition)
    return {"rules": badge_now.rules, "behaviour": badge_now.behaviour, "release": VERSION, "system": badge_now.system}


# Reading


def own_folder() -> Path | None:
    """The folder of one's own editions, `HOUSEWAY_EDITIONS`; there is none unless it is named."""
    chosen = os.environ.get("HOUSEWAY_EDITIONS", "")
    return at_home(chosen) if chosen else None


@dataclass(frozen=True)
class Folder:
    """What is in that folder: the files by the id inside each, and a line for everything that is left out.

    A file that no id can be read from goes by its name, so that the reason is said where it is listed.
    """

    files: dict[str, Path]
    left_out: tuple[str, ...]


def look_into_folder() -> Folder:
    """Read the ids in the folder; an id of the package, or of a file before, is never taken from there."""
    folder = own_folder()
    if folder is None:
        return Folder({}, ())
    if not folder.is_dir():
        why = "is a file, not a folder of editions" if folder.exists() else "there is no such folder"
        return Folder({}, (f"{folder}: {why} (HOUSEWAY_EDITIONS names it)",))
    files: dict[str, Path] = {}
    left_out = []
    ids = {file: _id_in(file) for file in sorted(folder.glob("*.toml"))}
    for file in sorted(ids, key=lambda file: not ids[file]):  # an id that is written counts before a file's name
        id_ = ids[file] or file.stem
        if id_ in edition_files():
            left_out.append(f"{file}: id {id_} is a built-in edition's: left out")
        elif files.setdefault(id_, file) != file:
            left_out.append(f"{file}: id {id_} is in {files[id_].name} already: left out")
    return Folder(files, tuple(left_out))


def folder_files() -> dict[str, Path]:
    """The files of that folder, by the id inside."""
    return look_into_folder().files


def _id_in(file: Path) -> str:
    """The id that a file's edition has; nothing if none can be read, or it is not possible."""
    try:
        id_ = tomllib.loads(read_file(file)).get("id")
        check_id(str(id_), file.name)
    except (Refused, tomllib.TOMLDecodeError, RecursionError):
        return ""
    return id_ if isinstance(id_, str) else ""


def check_id(id_: str, label: str) -> None:
    """An id stands in commands, addresses and file names: it is short and plain."""
    if len(id_) > ID_MOST or not _ID.fullmatch(id_):
        shown = id_ if len(id_) <= ID_MOST else f"{id_[:ID_MOST]}..."
        raise Refused(
            "bad-edition-id",
            f"{label}: the id {shown!r} is not possible: small letters, digits and single hyphens, at most {ID_MOST}",
        )


def read_own(text: str, label: str) -> Edition:
    """An edition of one's own from TOML text; refused if it cannot be read, or goes by an id that is not its own."""
    if len(text) > TEXT_MOST:
        raise Refused("broken-toml", f"{label}: {len(text):,} characters are too many for an edition (at most {TEXT_MOST:,})")
    try:
        text.encode()  # half of a character, which a program may send, can be kept nowhere
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Refused("broken-toml", f"{label}: not valid TOML: {error}") from None
    as_text(data)  # refused if it holds what no edition may
    edition = edition_from(data, label)
    check_id(edition.id, label)
    if edition.id in edition_files():
        content = "the same content" if as_text(data) == built_in(edition.id) else "other content"
        raise Refused(
            "edition-id-taken",
            f"{label}: {edition.id} is the id of a built-in edition, and this file has {content}: give yours another id",
        )
    return edition


def read_file(file: Path) -> str:
    """The text of a file that is to be registered."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Refused("no-file", f"{file}: {(error.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError:
        raise Refused("broken-toml", f"{file.name}: not valid TOML: not UTF-8 text") from None


def built_in(id_: str) -> str:
    """The content of an edition of the package, as its file is now."""
    return as_text(read_toml(edition_files()[id_]))


def _from_folder(id_: str) -> Edition:
    file = folder_files()[id_]
    return read_own(read_file(file), file.name)


def content_of(id_: str, house: House) -> dict[str, str] | None:
    """What a table that is opened now is bound to: the content under this id, and its digests; nothing if there is none."""
    if id_ in edition_files():
        document, origin = built_in(id_), "built-in"
    elif id_ in house.editions:
        document, origin = house.editions[id_], "registered"
    elif id_ in folder_files():
        document, origin = as_text(_from_folder(id_).document), "folder"
    else:
        return None
    return {"document": document, "origin": origin, **digests(read_document(document))}


def known_edition(id_: str, own: Mapping[str, str]) -> Edition:
    """The edition of an id: built-in, registered (`own` has the content) or in the folder; never a file that is named."""
    if id_ in edition_files():
        return open_edition(id_)
    if id_ in own:
        return read_document(own[id_])
    if id_ in folder_files():
        return _from_folder(id_)
    one_of("edition", id_, [*edition_files(), *own, *folder_files()])
    raise AssertionError(id_)


def known_editions(own: Mapping[str, str]) -> list[Edition]:
    """Every edition that can be read, built-in or one's own."""
    editions, _ = readable_editions()
    for id_ in dict.fromkeys((*own, *folder_files())):
        with suppress(Refused):  # what cannot be read is said where own editions are listed
            editions.append(known_edition(id_, own))
    return editions


def registered(store: "Store") -> dict[str, str]:
    """The content of every edition that a store's journal has added and not removed, without folding all else."""
    documents: dict[str, str] = {}
    for entry in store.entries_of_kinds((EDITION_ADDED, EDITION_REMOVED)):
        if entry.kind == EDITION_ADDED:
            documents[entry.data["id"]] = entry.data["document"]
        else:
            documents.pop(entry.data["id"], None)
    return documents


def find_edition(name: str, store: "Callable[[], Store | None]" = lambda: None) -> Edition:
    """An edition by its id, built-in or one's own, or from a file's path: for odds and settlements, never for a table."""
    if name.endswith(".toml") or name in edition_files():
        return open_edition(name)
    house = store()
    return known_edition(name, registered(house) if house else {})


# Registering


def add(house: Registrar, text: str, actor: "Actor", label: str) -> Edition:
    """Register an edition in the house's journal, with its content."""
    _check_role(actor)
    edition = read_own(text, label)

    def is_free(state: House) -> None:
        if edition.id in state.editions:
            same = state.editions[edition.id] == as_text(edition.document)
            how = "with this very content" if same else "with other content: remove that one first, or give yours another id"
            raise Refused("edition-id-taken", f"{edition.id} is registered already, {how}")

    note = {"id": edition.id, "document": as_text(edition.document), **digests(edition)}
    house.note(EDITION_ADDED, actor, note, check=is_free)
    return edition


def remove(house: Registrar, id_: str, actor: "Actor") -> None:
    """Take an edition out of the registry. Tables that are open play on: they have its content."""
    _check_role(actor)

    def is_own(state: House) -> None:
        check_own(id_, state.editions)

    house.note(EDITION_REMOVED, actor, {"id": id_}, check=is_own)


def check_own(id_: str, own: Mapping[str, object]) -> None:
    """Only what was registered can be removed."""
    if id_ in edition_files():
        raise Refused("edition-built-in", f"{id_} is a built-in edition: only editions of one's own are removed")
    if not own:
        raise Refused("unknown-edition", f'unknown edition "{id_}": no edition of one\'s own is registered')
    one_of("edition", id_, own)


def _check_role(actor: "Actor") -> None:
    if actor.role not in OPENERS:
        raise may_not(actor.role, "register editions", OPENERS)


def add_to_folder(folder: Path, text: str, label: str) -> Edition:
    """Keep an edition in the folder, for work without a house."""
    edition = read_own(text, label)
    file = folder / f"{edition.id}.toml"
    if folder.exists() and not folder.is_dir():
        raise Refused("no-file", f"{folder}: is a file, not a folder of editions (HOUSEWAY_EDITIONS names it)")
    if file.exists() or edition.id in folder_files():
        raise Refused("edition-id-taken", f"{edition.id} is in {folder} already: remove that one first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused("no-file", f"{file}: {(error.strerror or 'cannot be written').lower()}") from None
    return edition


def remove_from_folder(id_: str) -> None:
    """Take an edition out of the folder."""
    check_own(id_, folder_files())
    folder_files()[id_].unlink()
