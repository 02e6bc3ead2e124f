"""What a table is bound to: its edition's content, which stands in the entry that opened it, and no file.

The floor adds the content to the command, as it adds cards and dice; nobody can give it himself.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from houseway.games import edition_files, edition_from
from houseway.refusal import Refused, one_of
from houseway.rulebook.document import read_toml
from houseway.rulebook.edition import Edition
from houseway.table.commands import Command
from houseway.table.state import Board, Bound, House, Table

UNREADABLE = "edition-unreadable"
"""The code of every refusal whose reason is that a table's edition, or its game, cannot be read."""
BINDING = ("open", "board-open")
"""The commands that bind a table or a scoreboard to an edition."""
ASSUMED = "assumed"


def as_text(document: Mapping[str, Any]) -> str:
    """An edition's content as text, in its order: the first pay table and the first answer to a question are the defaults."""
    try:
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise Refused("broken-toml", "an edition holds texts, whole numbers, true, false, lists and tables only") from None


@lru_cache(maxsize=256)
def read_document(document: str) -> Edition:
    """The edition of a content, read once; whatever hinders that, the game's missing code included, is one refusal."""
    if not document:
        raise Refused(UNREADABLE, "its edition is no longer here, and the entry that opened it has no content")
    name = "its edition"
    try:
        data = json.loads(document)
        name = f"edition {data['id']}"
        return edition_from(data, name)
    except Refused as refused:
        raise Refused(UNREADABLE, f"{name} cannot be read: {refused.message}") from None
    except Exception as error:  # the code of a game from outside may raise anything when it is loaded
        raise Refused(UNREADABLE, f"{name} cannot be read: {type(error).__name__}: {error}") from None


@lru_cache(maxsize=256)
def read_offered(document: str, offered: tuple[str, ...]) -> Edition:
    """The edition of a content with these of its wagers."""
    edition = read_document(document)
    if offered == tuple(edition.wagers):
        return edition
    return replace(edition, wagers={name: edition.wagers[name] for name in offered})


def assumed(id_: str, digest: str) -> dict[str, str]:
    """What stands for the content that 0.1 did not journal: today's built-in edition of that id, if there is any."""
    return {"document": _built_in(edition_files().get(id_)), "rules": digest, "release": "0.1", "origin": ASSUMED}


@lru_cache(maxsize=64)
def _built_in(file: Path | None) -> str:
    """The content of an edition's file, read once: a long journal of 0.1 opens many tables; none if it is gone or broken."""
    with suppress(Refused):
        return as_text(read_toml(file)) if file else ""
    return ""


def bound_edition(house: House, command: Command) -> tuple[Edition, str, Bound]:
    """The edition that a command binds to, with its content and its digests."""
    content, name = command.get("bound"), str(command["edition"])
    if content is None:
        raise unknown(name, house)
    document = str(content["document"])
    if not document:
        raise Refused(UNREADABLE, _is_gone(name, str(content["rules"])))
    return read_document(document), document, digests_in(content)


def digests_in(content: Mapping[str, Any]) -> Bound:
    """The digests that an opening entry has beside the content."""
    return Bound(**{field: str(content.get(field, "")) for field in ("rules", "behaviour", "release", "system", "origin")})


def unknown(name: str, house: House) -> Refused:
    """Why an edition is not taken: there is none of this id, or it is a file, which no table is bound to."""
    if name.endswith(".toml") or "/" in name or "\\" in name:
        way = f"register it first (houseway editions add {name}), then open the table with its id"
        return Refused("edition-not-registered", f"{name} is a file, and a table plays registered editions only: {way}")
    try:
        one_of("edition", name, [*edition_files(), *house.editions])
    except Refused as refused:
        return refused
    raise AssertionError(name)


def _is_gone(name: str, digest: str) -> str:
    then = f"; its digest then was {digest}" if digest else ""
    return f"opened by 0.1, which journaled no edition's content, and there is no built-in edition {name} today{then}"


def assumption(bound: Table | Board) -> str:
    """What must be taken for granted of a table that 0.1 opened; nothing of any other."""
    return as_assumed(bound.edition, bound.bound.rules) if bound.bound.origin == ASSUMED else ""


def as_assumed(edition: str, digest: str) -> str:
    """The sentence for it."""
    then = f"; its digest then was {digest}" if digest else ""
    return f"opened by 0.1: the edition's content was not journaled; the built-in {edition} of today is assumed{then}"
