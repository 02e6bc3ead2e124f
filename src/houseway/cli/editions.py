"""Listing the editions, and registering editions of one's own."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from houseway.cli.commands import Output, StoreUrl, Who
from houseway.cli.text import Format, show_json
from houseway.refusal import Refused

if TYPE_CHECKING:
    from houseway.rulebook import Edition

editions_app = typer.Typer(
    help="List the editions, their approvals, and whether their rules are still as approved; register editions of your own.",
    rich_markup_mode=None,
)
Covers = Annotated[
    str | None, typer.Option(metavar="EDITION", help="list the definitions that the digest of an edition's rules covers")
]
EditionId = Annotated[str, typer.Argument(metavar="ID", help="the id of an edition of your own")]


@editions_app.callback(invoke_without_command=True)
def editions(context: typer.Context, covers: Covers = None, store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """List the editions, their approvals, and whether their rules are still as approved; register editions of your own."""
    if covers:
        from houseway.cli.approval import show_covered

        show_covered(covers, format_)
    elif not context.invoked_subcommand:
        list_(store, format_)


@editions_app.command("list")
def list_(store: StoreUrl = None, format_: Output = Format.TABLE) -> None:
    """List all editions: those of the package, and those of your own that are registered."""
    from houseway.cli.books import show_editions

    show_editions(format_, _own_rows(store))


@editions_app.command("add")
def add(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the TOML file of an edition of your own")],
    who: Who = "office:administrator",
    store: StoreUrl = None,
    format_: Output = Format.TABLE,
) -> None:
    """Register an edition of your own by its content, so that tables may play it; say what it differs in."""
    from houseway.house import editions as registry

    edition = register(registry.read_file(file), file.name, who, store)
    _show_own(edition, f"{edition.id} is registered", format_)


def register(text: str, label: str, who: str, store: str | None) -> "Edition":
    """Register an edition by its content: in the folder if one is named and no house is, else in the house's journal."""
    from houseway.house import editions as registry

    folder = registry.own_folder()
    if folder and not _store_is_named(store):
        return registry.add_to_folder(folder, text, label)
    return registry.add(_floor(store), text, _actor(who), label)


@editions_app.command("remove")
def remove(id_: EditionId, who: Who = "office:administrator", store: StoreUrl = None) -> None:
    """Take an edition of your own out of the registry; tables that are open play on, for they have its content."""
    from houseway.house import editions as registry

    if id_ in registry.folder_files() and not _store_is_named(store):
        registry.remove_from_folder(id_)
    else:
        registry.remove(_floor(store), id_, _actor(who))
    print(f"{id_} is removed; a table that is open plays on by the content it was opened with")


def _store_is_named(store: str | None) -> bool:
    return bool(store or os.environ.get("HOUSEWAY_STORE"))


def _floor(store: str | None) -> Any:
    from houseway.cli.live import open_floor

    return open_floor(store)


def _actor(who: str) -> Any:
    from houseway.cli.live import actor_of

    return actor_of(who)


def _own_rows(store: str | None) -> list[dict[str, Any]]:
    """What is registered in the journal, then what is in the folder; one that cannot be read says why, and no more."""
    from houseway.cli.live import store_url
    from houseway.house import editions as registry
    from houseway.house.store import Store, known_store
    from houseway.table.bound import read_document

    try:
        house = Store(store_url(store, must_exist=True)) if store else known_store()
        own = registry.registered(house) if house else {}
    except Exception as error:  # a house whose store does not answer is no reason to list nothing
        print(f"houseway: the store cannot be read, nor what is registered there: {error}".splitlines()[0], file=sys.stderr)
        own = {}
    rows = [_row(id_, partial(read_document, document)) for id_, document in own.items()]
    return rows + [_row(id_, partial(registry.find_edition, id_)) for id_ in registry.folder_files() if id_ not in own]


def _row(id_: str, read: "Callable[[], Edition]") -> dict[str, Any]:
    from houseway.cli.books import UNREAD, describe

    try:
        edition = read()
    except Refused as refused:
        unread = {"edition": id_, "name": "", "maker": "", "approval": "", "status": f"{UNREAD}: {refused.message}"}
        return unread | {"digest": "", "behaviour": "", "differences": [], "system_changes": [], "wagers": []}
    return describe(edition)


def _show_own(edition: "Edition", sentence: str, format_: Format) -> None:
    from houseway.house.standing import descends_from, own_differences

    if format_ is Format.TABLE:
        print(own_text(edition, sentence))
        return
    parent, differs = descends_from(edition), own_differences(edition)
    show_json({"edition": edition.id, "descends_from": parent.id if parent else "", "differences": differs})


def own_text(edition: "Edition", sentence: str) -> str:
    """What an edition of one's own descends from and differs in, after a sentence about it."""
    from houseway.house.standing import descends_from, own_differences

    parent = descends_from(edition)
    head = f"{sentence}: {edition.name}; " + (f"it descends from {parent.id} and differs in:" if parent else "of a new game")
    return "\n".join([head, *(f"  {difference}" for difference in own_differences(edition))])
